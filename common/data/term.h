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

/* What a term looks at, and so when its answer is certain. */
enum term_needs {
	TERM_MESSAGE,   /* the message alone */
	TERM_ENTRY,     /* what is derived when the message comes */
	TERM_TOKENS,    /* that, and the tokens of the entry */
	TERM_GROUP,     /* whether the failures of the group are resolved */
	TERM_EXECUTION, /* whether the message is its execution's final response */
	TERM_NEWEST,    /* how many turns or executions come behind */
};

/* What is known of a message before the stream has ended. */
enum term_answer { TERM_NO, TERM_YES, TERM_UNKNOWN };

struct term {
	const struct term_type *type; /* a row of the table */
	enum term_needs needs;        /* of the row, or more, by the value */
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
 * when they are malformed, with a phrase in message and the place of the fault in *at. */
bool term_parse(struct term *term, const char *text, size_t len, struct buf *message, size_t *at);

/* Whether the term holds for the message. TERM_UNKNOWN only before session_end, and never for a
 * term that looks at the message alone. */
enum term_answer term_ask(const struct term *term, const struct term_candidate *candidate);

void term_free(struct term *term);

#endif
