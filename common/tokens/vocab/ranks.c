#include "tokens/vocab/ranks.h"

#include <stdlib.h>

#include "base/mem.h"
#include "tokens/vocab/packer.h"

#define MAGIC "ctxranks"
#define MAGIC_LEN 8
#define HEADER_LEN (MAGIC_LEN + RANKS_NAME_CAP + 8)
#define COUNT_CAP (1u << 20)

static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void
add_token(struct ranks *ranks, const void *ptr, size_t len)
{
	if ((ranks->count & (ranks->count - 1)) == 0)
		ranks->offsets =
		    mem_realloc(ranks->offsets, ranks->count * 2 + 2, sizeof(*ranks->offsets));
	ranks->offsets[0] = 0;
	buf_add(&ranks->bytes, ptr, len);
	ranks->offsets[++ranks->count] = ranks->bytes.len;
}

/* FNV-1a over the tokens and their lengths. */
static uint32_t
checksum(const struct ranks *ranks)
{
	uint32_t sum = 2166136261u;

	for (size_t i = 0; i < ranks->count; i++) {
		struct str token = ranks_get(ranks, i);

		sum = (sum ^ (uint32_t)token.len) * 16777619u;
		for (size_t j = 0; j < token.len; j++)
			sum = (sum ^ (uint8_t)token.ptr[j]) * 16777619u;
	}
	return sum;
}

/* Decodes up to the blank; the length in bytes, or 0 when it is no base64. */
static size_t
decode_base64(const char *ptr, size_t len, uint8_t *out)
{
	uint32_t bits = 0;
	size_t out_len = 0;
	int bit_count = 0;

	for (size_t i = 0; i < len && ptr[i] != '='; i++) {
		const char *digit = memchr(base64, ptr[i], 64);

		if (digit == NULL || out_len == RANKS_TOKEN_CAP)
			return 0;
		bits = bits << 6 | (uint32_t)(digit - base64);
		bit_count += 6;
		if (bit_count >= 8) {
			bit_count -= 8;
			out[out_len++] = (uint8_t)(bits >> bit_count);
		}
	}
	return out_len;
}

bool
ranks_read_tiktoken(struct ranks *ranks, struct str text)
{
	uint8_t token[RANKS_TOKEN_CAP];
	size_t len;

	while (text.len > 0) {
		struct str line = str_take_line(&text);
		const char *blank = memchr(line.ptr, ' ', line.len);

		if (line.ptr + line.len == text.ptr || blank == NULL ||
		    strtoul(blank, NULL, 10) != ranks->count)
			return false;
		len = decode_base64(line.ptr, (size_t)(blank - line.ptr), token);
		if (len == 0)
			return false;
		add_token(ranks, token, len);
	}
	return ranks->count > 0;
}

static void
add_base64(struct buf *out, struct str token)
{
	for (size_t i = 0; i < token.len; i += 3) {
		uint32_t bits = 0;

		for (size_t j = i; j < i + 3; j++)
			bits = bits << 8 | (j < token.len ? (uint8_t)token.ptr[j] : 0);
		buf_add_char(out, base64[bits >> 18]);
		buf_add_char(out, base64[bits >> 12 & 63]);
		buf_add_char(out, i + 1 < token.len ? base64[bits >> 6 & 63] : '=');
		buf_add_char(out, i + 2 < token.len ? base64[bits & 63] : '=');
	}
}

void
ranks_add_tiktoken(const struct ranks *ranks, struct buf *out)
{
	for (size_t i = 0; i < ranks->count; i++) {
		add_base64(out, ranks_get(ranks, i));
		buf_add_fmt(out, " %zu\n", i);
	}
}

static void
add_u32(struct buf *out, uint32_t value)
{
	for (int shift = 0; shift < 32; shift += 8)
		buf_add_char(out, (char)(value >> shift));
}

static uint32_t
get_u32(const char *ptr)
{
	const uint8_t *p = (const uint8_t *)ptr;

	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

void
ranks_add_packed(const struct ranks *ranks, struct buf *out)
{
	struct packer *packer;

	buf_add(out, MAGIC, MAGIC_LEN);
	buf_add(out, ranks->name, RANKS_NAME_CAP);
	add_u32(out, (uint32_t)ranks->count);
	add_u32(out, checksum(ranks));
	packer = packer_open(str_of(NULL, 0), out);
	for (size_t i = 0; i < ranks->count; i++) {
		struct str token = ranks_get(ranks, i);
		uint8_t bytes[RANKS_TOKEN_CAP];

		memcpy(bytes, token.ptr, token.len);
		packer_string(packer, bytes, &token.len, RANKS_TOKEN_CAP);
	}
	packer_close(packer);
}

bool
ranks_read_packed(struct ranks *ranks, struct str text)
{
	uint8_t token[RANKS_TOKEN_CAP];
	struct packer *packer;
	size_t len = 0, count;
	bool good = true;

	if (text.len < HEADER_LEN || memcmp(text.ptr, MAGIC, MAGIC_LEN) != 0)
		return false;
	memcpy(ranks->name, text.ptr + MAGIC_LEN, RANKS_NAME_CAP);
	count = get_u32(text.ptr + MAGIC_LEN + RANKS_NAME_CAP);
	if (ranks->name[RANKS_NAME_CAP - 1] != '\0' || count == 0 || count > COUNT_CAP)
		return false;
	packer = packer_open(str_of(text.ptr + HEADER_LEN, text.len - HEADER_LEN), NULL);
	while (good && ranks->count < count) {
		good = packer_string(packer, token, &len, RANKS_TOKEN_CAP);
		if (good)
			add_token(ranks, token, len);
	}
	packer_close(packer);
	return good && checksum(ranks) == get_u32(text.ptr + HEADER_LEN - 4);
}

void
ranks_free(struct ranks *ranks)
{
	buf_free(&ranks->bytes);
	free(ranks->offsets);
	*ranks = (struct ranks)RANKS_INIT;
}
