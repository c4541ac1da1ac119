#include <stdlib.h>

#include "base/mem.h"
#include "tokens/pieces/piece_key.h"
#include "tokens/vocab/compile.h"
#include "tokens/vocabulary_format.h"

static bool
is_ascii(struct str token)
{
	for (size_t i = 0; i < token.len; i++)
		if ((uint8_t)token.ptr[i] >= 0x80)
			return false;
	return true;
}

uint32_t *
ranks_by_use(const struct ranks *ranks)
{
	uint32_t *order = mem_alloc(ranks->count, sizeof *order), count = 0;

	for (int ascii = 1; ascii >= 0; ascii--)
		for (uint32_t i = 0; i < ranks->count; i++)
			if (is_ascii(ranks_get(ranks, i)) == ascii)
				order[count++] = i;
	return order;
}

static void
add_token(struct front_tables *front, struct str token)
{
	char bytes[PIECE_SHORT_LEN + 1] = {0};

	if (token.len > PIECE_SHORT_LEN)
		return;
	memcpy(bytes, token.ptr, token.len);
	if (token.len <= PIECE_TINY_LEN) {
		uint64_t key = piece_tiny_key(bytes, token.len), *keys = front->tinies.ptr;
		size_t place = piece_tiny_place(key, VOCABULARY_TINY_BITS);

		keys[place] = keys[place] == 0 ? key : keys[place];
	} else {
		struct piece_key key = piece_short_key(bytes, token.len), *keys = front->shorts.ptr;
		size_t place = piece_short_place(key, VOCABULARY_SHORT_BITS);

		keys[place] = keys[place].tail == 0 ? key : keys[place];
	}
}

void
front_tables_make(struct front_tables *front, const struct ranks *ranks, const uint32_t *order)
{
	front->tinies.len = sizeof(uint64_t) << VOCABULARY_TINY_BITS;
	front->tinies.ptr = calloc(1, front->tinies.len);
	front->shorts.len = sizeof(struct piece_key) << VOCABULARY_SHORT_BITS;
	front->shorts.ptr = calloc(1, front->shorts.len);
	if (front->tinies.ptr == NULL || front->shorts.ptr == NULL)
		mem_exhausted();
	for (size_t i = 0; i < ranks->count; i++)
		add_token(front, ranks_get(ranks, order[i]));
}
