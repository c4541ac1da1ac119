/* The counter against itself: every way of splitting and of merging gives the same count. What the
 * count has to be is said by tests/tokens.bats and by make check-tokens. */

#include "tokens/count.h"

#include <stdint.h>

#include "json/write.h"
#include "tokens/lower_bound.h"
#include "tokens/pieces/bpe.h"

#include "unit.h"
#include "vocabularies.h"

#define ROUNDS 3000
#define TEXT_CAP 400

static uint64_t
next(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

/* Some text of what the rules distinguish; returns its length. */
static size_t
make_text(char *text, uint64_t *state)
{
	static const char *const parts[] = {" ", " ", " ", "  ", "\n", "\r\n", "\t", "a", "the",
	    "A", "Ab", "ZZ", "'s", "'LL", "'re", "'", "1", "234", ".", "(", "/", "//", ");\n", ",",
	    "\xc3\xa9", "\xc5\xbf", "\xe4\xb8\xad", "\xcc\x81", "\xf0\x9f\x99\x82", "\xc2\xa0",
	    "\xc2\x85", "word", "-"};
	size_t len = 0, want = next(state) % (TEXT_CAP - 8);

	while (len < want) {
		const char *part = parts[next(state) % (sizeof(parts) / sizeof(*parts))];

		memcpy(text + len, part, strlen(part));
		len += strlen(part);
	}
	return len;
}

static size_t
count_by_pieces(struct vocabulary *vocabulary, struct bpe *bpe, struct str text)
{
	size_t count = 0;

	while (text.len > 0) {
		size_t len = split_next(vocabulary->pattern, text);
		size_t one = bpe_backtrack(bpe, str_of(text.ptr, len));

		if (len <= BPE_MERGE_CAP)
			CHECK(bpe_merge(vocabulary, str_of(text.ptr, len)) == one);
		count += one;
		text = str_of(text.ptr + len, text.len - len);
	}
	return count;
}

static void
check_thresholds(struct token_counter *counter, struct str text, size_t count)
{
	CHECK(tokens_at_least(counter, text, count));
	CHECK(!tokens_at_least(counter, text, count + 1));
	CHECK(tokens_at_least(counter, text, count / 2));
	CHECK(!tokens_at_least(counter, text, count * 2 + 1));
}

/* No text has more words than tokens, be it as it is or written as JSON. */
static void
check_words(struct str text, size_t count)
{
	struct buf json = BUF_INIT;

	CHECK(!lower_bound_reach(text, count + 1));
	json_write_string(&json, text);
	CHECK(!lower_bound_reach(buf_str(&json), count + 1));
	buf_free(&json);
}

static void
check_counts(const char *encoding)
{
	struct token_counter *counter, *portable;
	struct fault fault = FAULT_INIT;
	char text[TEXT_CAP];
	uint64_t state = 7;
	struct bpe bpe;

	if (!CHECK(tokens_open(&counter, encoding, &fault)) ||
	    !CHECK(tokens_open(&portable, encoding, &fault)))
		return;
	tokens_set_portable(portable);
	CHECK(vocabulary_is_intact(tokens_vocabulary(counter)));
	bpe_init(&bpe, tokens_vocabulary(counter));
	for (int i = 0; i < ROUNDS; i++) {
		struct str piece = str_of(text, make_text(text, &state));
		size_t count = tokens_count(counter, piece);

		CHECK(tokens_count(portable, piece) == count);
		CHECK(count_by_pieces(tokens_vocabulary(counter), &bpe, piece) == count);
		check_thresholds(counter, piece, count);
		check_words(piece, count);
	}
	CHECK(tokens_count(counter, str_of(NULL, 0)) == 0);
	CHECK(tokens_count(counter, STR("<|endoftext|>")) > 1);
	bpe_free(&bpe);
	tokens_close(counter);
	tokens_close(portable);
}

static void
check_split(enum split_pattern pattern, const char *text, const char *pieces)
{
	char got[TEXT_CAP];
	size_t len = 0;

	for (struct str left = str_from(text); left.len > 0;) {
		size_t piece = split_next(pattern, left);

		memcpy(got + len, left.ptr, piece);
		len += piece;
		got[len++] = '|';
		left = str_of(left.ptr + piece, left.len - piece);
	}
	CHECK_STR(str_of(got, len), pieces);
}

/* What begins a word, and what does not; each text stands in one that is long enough. */
static void
check_word(const char *text, size_t words)
{
	char all[8 * 64];
	size_t len = 0;

	for (unsigned i = 0; i < 64; i++, len += 8)
		memcpy(all + len, text, 8);
	CHECK(lower_bound_reach(str_of(all, len), words * 40));
	CHECK(!lower_bound_reach(str_of(all, len), words * 64 + 1));
}

int
main(void)
{
	vocabularies_find();
	check_split(
	    SPLIT_O200K, "it's IT'LL camelCase HTTPServer", "it's| IT'LL| camel|Case| HTTPServer|");
	check_split(SPLIT_CL100K, "it's IT'LL camelCase", "it|'s| IT|'LL| camelCase|");
	check_split(SPLIT_O200K,
	    "\xe4\xb8\xad"
	    "ABC",
	    "\xe4\xb8\xad|ABC|");
	check_split(SPLIT_O200K,
	    "\xe4\xb8\xad"
	    "ABCd",
	    "\xe4\xb8\xad"
	    "ABCd|");
	check_split(SPLIT_O200K, "f();\n//x  y \n z  ", "f|();\n//|x| | y| \n| z|  |");
	check_split(SPLIT_CL100K, "f();\n//x", "f|();\n|//|x|");
	check_split(SPLIT_O200K, "12345 678", "123|45| |678|");
	check_word("word abc", 1);
	check_word("WORD/ABC", 1);
	check_word("a b c.d ", 4);
	check_word("it's we'", 1);
	check_word("a1b2c3d4", 0);
	check_word("snake_ca", 0);
	check_word("\\na\\tb\\u", 0);
	check_word("\\\"aa\\/bb", 2);
	check_word("\xc3\xa9"
		   "a\xc3\xa9"
		   "b.c",
	    1);
	check_word("[a {b @c", 2);
	check_word("x = 1 \\n", 2);
	check_word(" \xc3\xa9 \x7f \t\t", 0);
	check_counts("o200k_base");
	check_counts("cl100k_base");
	return unit_end();
}
