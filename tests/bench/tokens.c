/*
 * How fast tokens are counted, in CPU time:
 *
 *     tokens ENCODING FILE...      each file in records of 4 KB, by a counter that has seen nothing
 *     tokens ENCODING -g           one piece of 1 MB and of 10 MB, of each kind
 *
 * Lines are "FILE bytes tokens seconds" and "KIND seconds seconds"; the last one is "rss KB".
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "base/diag.h"
#include "base/mem.h"
#include "tokens/count.h"

#define RECORD_LEN 4096
#define SMALL 1000000
#define LARGE 10000000

static const struct giant {
	const char *name;
	const char
	    *parts[4]; /* one alone is repeated, of several or of a range one is drawn each time */
} giants[] = {
    {"letter-a", {"a"}},
    {"spaces", {" "}},
    {"emoji", {"\xf0\x9f\x99\x82"}},
    {"han", {"\xe4\xb8\xad"}},
    {"parenthesis", {"("}},
    {"punctuation", {"!", "=", "-", "*"}},
    {"two-letters", {"a", "b"}},
    {"random-letters", {"a-z"}},
};

static double
seconds(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static struct token_counter *
open_counter(const char *encoding)
{
	struct token_counter *counter;
	struct fault fault = FAULT_INIT;

	if (!tokens_open(&counter, encoding, &fault))
		diag_die(fault.status, "%.*s", STR_ARG(fault.text));
	return counter;
}

static void
read_file(const char *name, struct buf *buf)
{
	FILE *file = fopen(name, "rb");
	size_t len = 1;

	if (file == NULL)
		diag_die(STATUS_NO_INPUT, "cannot read %s: %s", name, strerror(errno));
	while (len > 0) {
		len = fread(buf_reserve(buf, 1 << 20), 1, 1 << 20, file);
		buf->len += len;
	}
	fclose(file);
}

/* About RECORD_LEN bytes from at on, ending at a code point. */
static struct str
record_at(struct str text, size_t at)
{
	size_t end = text.len - at < RECORD_LEN ? text.len : at + RECORD_LEN;

	while (end < text.len && (text.ptr[end] & 0xc0) == 0x80)
		end++;
	return str_of(text.ptr + at, end - at);
}

static void
measure_file(const char *encoding, const char *name)
{
	struct token_counter *counter = open_counter(encoding);
	struct buf text = BUF_INIT;
	size_t count = 0;
	double start;

	read_file(name, &text);
	start = seconds();
	for (size_t at = 0; at < text.len;) {
		struct str record = record_at(buf_str(&text), at);

		count += tokens_count(counter, record);
		at += record.len;
	}
	printf("%s %zu %zu %.4f\n", name, text.len, count, seconds() - start);
	buf_free(&text);
	tokens_close(counter);
}

static struct buf
make_giant(const struct giant *giant, size_t len)
{
	struct buf text = BUF_INIT;
	uint64_t state = 1;
	size_t count = 0;

	while (count < 4 && giant->parts[count] != NULL)
		count++;
	while (text.len < len) {
		const char *part = giant->parts[(state >> 33) % count];
		char letter = (char)('a' + (state >> 33) % 26);
		bool drawn = strcmp(part, "a-z") == 0;

		state = state * 6364136223846793005u + 1442695040888963407u;
		buf_add_str(&text, drawn ? str_of(&letter, 1) : str_from(part));
	}
	return text;
}

static double
measure_giant(const char *encoding, const struct giant *giant, size_t len)
{
	struct token_counter *counter = open_counter(encoding);
	struct buf text = make_giant(giant, len);
	double start = seconds(), time;

	if (tokens_count(counter, buf_str(&text)) == 0)
		diag_die(STATUS_INVARIANT, "nothing counted");
	time = seconds() - start;
	buf_free(&text);
	tokens_close(counter);
	return time;
}

int
main(int argc, char **argv)
{
	struct rusage usage;

	diag_init("tokens");
	if (argc < 3)
		diag_die(STATUS_USAGE, "usage: tokens ENCODING FILE... | tokens ENCODING -g");
	for (int i = 2; i < argc && strcmp(argv[2], "-g") != 0; i++)
		measure_file(argv[1], argv[i]);
	for (size_t i = 0; i < sizeof(giants) / sizeof(*giants) && strcmp(argv[2], "-g") == 0; i++)
		printf("%s %.4f %.4f\n", giants[i].name, measure_giant(argv[1], &giants[i], SMALL),
		    measure_giant(argv[1], &giants[i], LARGE));
	getrusage(RUSAGE_SELF, &usage);
	printf("rss %ld\n", usage.ru_maxrss);
	return STATUS_OK;
}
