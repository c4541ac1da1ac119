/*
 * Counts the tokens of texts, for the tests: each record of standard input is a length, four bytes,
 * the lowest first, and so many bytes of text; a line of output is its count.
 *
 *     count [-jp] ENCODING      -j: a record is a JSON string, one a line
 *                               -p: only the portable splitter
 *
 * Each text is also counted in other ways, which must agree: by the portable splitter, every piece
 * by backtracking and by merging, and by asking for thresholds around the count. It ends where a
 * page begins that cannot be read, so that reading behind it is seen.
 */

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/mem.h"
#include "json/scan.h"
#include "json/string.h"
#include "tokens/count.h"
#include "tokens/pieces/bpe.h"
#include "tokens/pieces/split.h"

/* Memory before a page that cannot be read. */
struct edge {
	char *ptr;
	size_t len;
};

static size_t
round_up(size_t len)
{
	return (len + 4095) & ~(size_t)4095;
}

static struct str
copy_to_edge(struct edge *edge, struct str text)
{
	size_t need = round_up(text.len) + 4096;

	if (need > edge->len) {
		if (edge->ptr != NULL)
			munmap(edge->ptr, edge->len);
		edge->len = need;
		edge->ptr =
		    mmap(NULL, need, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (edge->ptr == MAP_FAILED)
			mem_exhausted();
		mprotect(edge->ptr + need - 4096, 4096, PROT_NONE);
	}
	return str_of(
	    memcpy(edge->ptr + edge->len - 4096 - text.len, text.ptr, text.len), text.len);
}

/*
 * Merges a piece of any length as published, in rounds: the pairs of the lowest rank, from the left.
 */
static size_t
merge_rounds(struct vocabulary *vocabulary, struct str piece)
{
	uint32_t *tokens = mem_alloc(piece.len, sizeof(*tokens)), best;
	size_t count = piece.len;

	for (size_t i = 0; i < count; i++)
		tokens[i] = vocabulary->byte_tokens[(uint8_t)piece.ptr[i]];
	do {
		size_t to = 0;

		best = VOCABULARY_NONE;
		for (size_t i = 0; i + 1 < count; i++) {
			uint32_t merged = vocabulary_pair(vocabulary, tokens[i], tokens[i + 1]);

			best = merged < best ? merged : best;
		}
		for (size_t i = 0; i < count; to++) {
			bool merge = i + 1 < count && best != VOCABULARY_NONE &&
			    vocabulary_pair(vocabulary, tokens[i], tokens[i + 1]) == best;

			tokens[to] = merge ? best : tokens[i];
			i += merge ? 2 : 1;
			if (merge && to > 0 &&
			    vocabulary_pair(vocabulary, tokens[to - 1], best) < best)
				diag_die(STATUS_INVARIANT, "a merge made an earlier one");
		}
		count = to;
	} while (best != VOCABULARY_NONE);
	free(tokens);
	return count;
}

/* The count by split_next, each piece counted by both methods. */
static size_t
count_plainly(struct token_counter *counter, struct bpe *bpe, struct str text)
{
	struct vocabulary *vocabulary = tokens_vocabulary(counter);
	enum split_pattern pattern = vocabulary->pattern;
	size_t count = 0;

	while (text.len > 0) {
		struct str piece = str_of(text.ptr, split_next(pattern, text));
		size_t one = bpe_backtrack(bpe, piece);

		if ((piece.len <= BPE_MERGE_CAP && bpe_merge(vocabulary, piece) != one) ||
		    merge_rounds(vocabulary, piece) != one)
			diag_die(STATUS_INVARIANT, "methods disagree on '%.*s'", STR_ARG(piece));
		count += one;
		text.ptr += piece.len;
		text.len -= piece.len;
	}
	return count;
}

static void
check_thresholds(struct token_counter *counter, struct str text, size_t count)
{
	static const size_t steps[] = {0, 1, 2, 7, 100};

	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		size_t below = count > steps[i] ? count - steps[i] : 0;
		size_t above = count + steps[i] + 1;

		if (!tokens_at_least(counter, text, below) || tokens_at_least(counter, text, above))
			diag_die(STATUS_INVARIANT, "a threshold near %zu is wrong", count);
	}
}

/* Reads a length and its text; false at the end. */
static bool
next_frame(struct buf *text)
{
	uint8_t frame[4];
	size_t len;

	buf_reset(text);
	if (fread(frame, sizeof(frame), 1, stdin) != 1)
		return false;
	len = frame[0] | frame[1] << 8 | frame[2] << 16 | (size_t)frame[3] << 24;
	if (len > 0 && fread(buf_reserve(text, len), len, 1, stdin) != 1)
		diag_die(STATUS_DATA, "a record is cut short");
	text->len = len;
	return true;
}

/* Reads a line and decodes it; false at the end. */
static bool
next_line(struct buf *text)
{
	static struct buf line = BUF_INIT;
	struct json_scan scan;
	int c;

	buf_reset(text);
	buf_reset(&line);
	while ((c = getchar()) != EOF && c != '\n')
		buf_add_char(&line, (char)c);
	if (c == EOF) {
		buf_free(&line);
		return false;
	}
	buf_pad(&line);
	if (!json_scan(buf_str(&line), NULL, &scan) || scan.value.type != JSON_STRING)
		diag_die(STATUS_DATA, "a line is no JSON string");
	json_decode(scan.value, text);
	return true;
}

/* The count, when all ways of counting agree. */
static size_t
count_all_ways(struct token_counter *counter, struct bpe *bpe, struct str text)
{
	size_t count = tokens_count(counter, text);

	if (count != count_plainly(counter, bpe, text))
		diag_die(STATUS_INVARIANT, "ways of counting disagree on '%.*s'",
		    (int)(text.len < 300 ? text.len : 300), text.ptr);
	check_thresholds(counter, text, count);
	return count;
}

int
main(int argc, char **argv)
{
	bool portable = false, (*next)(struct buf *) = next_frame;
	struct token_counter *counter;
	struct edge edge = {NULL, 0};
	struct buf buf = BUF_INIT;
	struct fault fault = FAULT_INIT;
	struct bpe bpe;

	diag_init("count");
	for (int option; (option = getopt(argc, argv, "jp")) != -1;) {
		portable |= option == 'p';
		next = option == 'j' ? next_line : next;
	}
	if (optind + 1 != argc)
		diag_die(STATUS_USAGE, "usage: count [-jp] ENCODING");
	if (!tokens_open(&counter, argv[optind], &fault))
		diag_die(fault.status, "%.*s", STR_ARG(fault.text));
	if (portable)
		tokens_set_portable(counter);
	bpe_init(&bpe, tokens_vocabulary(counter));
	while (next(&buf))
		printf("%zu\n",
		    count_all_ways(counter, &bpe,
			buf.len > 0 ? copy_to_edge(&edge, buf_str(&buf)) : buf_str(&buf)));
	bpe_free(&bpe);
	buf_free(&buf);
	tokens_close(counter);
	return fflush(stdout) == 0 ? STATUS_OK : STATUS_IO;
}
