#ifndef DATA_TERM_H
#define DATA_TERM_H

/*
 * One term of a selector (data/selector.h): a name, mostly an operator and a value, and what they
 * say of a message. The kinds of terms are the rows of the table in term.c.
 *
 *     [!]NAME[OPERATOR VALUE]      pinned    !role=user    tokens>200
 */

#include <regex.h>

#include "data/session.h"

struct term {
	const struct term_type *type; /* a row of the table */
	bool negated;
	char comparison; /* '=', '<' or '>' */
	char *name;      /* of a member of metadata */
	char *value;     /* NULL: a flag */
	int64_t number;
	regex_t *pattern;
};

/* A message that may be selected. Terms that need the session look at the entry, and not at the
 * message; all others look at the message alone. */
struct term_candidate {
	struct session *session;
	const struct entry *entry;
	const struct message *message;
};

/* Parses the len bytes at text; free the term with term_free, whatever comes of it. Returns false
 * with a phrase in message when they are malformed. */
bool term_parse(struct term *term, const char *text, size_t len, struct buf *message);

/* Whether the term looks at more than the message; whether it looks at the tokens of the entry. */
bool term_needs_session(const struct term *term);
bool term_needs_tokens(const struct term *term);

bool term_matches(const struct term *term, const struct term_candidate *candidate);

void term_free(struct term *term);

#endif
