#ifndef REDACT_SEARCH_H
#define REDACT_SEARCH_H

/*
 * A text in which secrets are looked for, from its start to its end, and one thing that was found.
 * JSON_PADDING readable bytes follow the text.
 *
 *     start      free          at              end
 *     |..[found]|..............|................|
 *
 * Every look is linear in all: the end of a run of an alphabet is noted, so that a hostile text
 * such as "eyJ-eyJ-eyJ-" is not walked again from each of its places.
 */

#include "policy/secret/alphabet.h"
#include "policy/redact/rules.h"

struct search_run {
	const char *from, *end;
};

struct search_found {
	const char *start, *end;
	unsigned rule; /* enum rule, or more: policy/redact/rules.h */
};

struct search {
	const char *start;
	const char *end;
	const char *free; /* the end of the last find; the next one begins there or later */
	const char *at;   /* where the look goes on */
	struct search_found ahead; /* a find that begins after at, such as the value of a name */
	bool has_ahead;
	struct search_run run[ALPHABET_COUNT];
	struct search_run jwt[2];   /* the runs after its first part */
	struct search_run pem;      /* to the next END line */
	struct search_run plain[2]; /* values without quotes, by the sign before them */
	struct search_run cookies;
};

void search_open(struct search *text, const char *start, const char *end);

/* Whether a block in PEM begins at p, which is in the text. A find before it ends there, even if
 * its alphabet has hyphens: otherwise the key in the block would lose its beginning. */
bool search_is_block(const struct search *text, const char *p);

/* The end of the run of bytes of the alphabet that p is in; p itself when it is none. */
const char *search_run_end(struct search *text, const char *p, enum alphabet alphabet);
const char *search_run_noted(
    struct search *text, struct search_run *run, const char *p, enum alphabet alphabet);

/* Whether a word may begin at p: no letter or digit is directly before it. Those of an escape do
 * not count: the n of a line end in source code (\n), a colour (ESC [ 31 m). */
bool search_begins(const struct search *text, const char *p);

/* Whether a word may end at p. */
static inline bool
search_ends(const struct search *text, const char *p)
{
	return p >= text->end || !alphabet_has(ALPHABET_ALNUM, *p) ||
	    !alphabet_has(ALPHABET_ALNUM, p[-1]);
}

/* Whether p is inside base64 that is no secret by itself, of which some bytes spell a token by
 * chance: after the comma of a data URL, in a run of 256 bytes or more, or in lines of 64 or of 76,
 * as PEM and MIME wrap it. A token may be such a run, so that its first byte is not inside. */
bool search_in_payload(const struct search *text, const char *p);

/* The byte after the line end at p, which may be spelled as an escape; NULL when there is none. */
const char *search_pass_line_end(const struct search *text, const char *p);

/* Whether the bytes at p are the letters of word, which are small, in either case. */
bool search_is_word(const struct search *text, const char *p, struct str word);

#endif
