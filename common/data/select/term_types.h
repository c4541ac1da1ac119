#ifndef SELECT_TERM_TYPES_H
#define SELECT_TERM_TYPES_H

/*
 * The kinds of terms of a selector (data/select/term.h), as one table. A kind is a row, and the
 * functions that the row names.
 */

#include "base/expression/expression.h"
#include "data/session/session.h"

struct term_type;

/* What a term looks at. */
enum term_needs {
	TERM_MESSAGE, /* the message alone */
	TERM_ENTRY,   /* the entry of the session, too */
	TERM_TOKENS,  /* that, and the tokens of the entry */
};

/* What is known of a message before the stream has ended. */
enum term_answer { TERM_NO, TERM_YES, TERM_UNKNOWN };

struct term {
	const struct term_type *type;
	bool negated;
	char comparison; /* '=', '<' or '>' */
	char *name;      /* of a member of metadata */
	char *value;     /* NULL: a flag */
	int64_t number;
	struct expression *pattern;
};

/* A message that may be selected. Terms that need the session look at the entry, and not at the
 * message; all others look at the message alone. */
struct term_candidate {
	struct session *session;
	const struct entry *entry;
	const struct message *message;
};

struct term_type {
	const char *name;      /* one that ends with a dot is followed by the name of a member */
	const char *operators; /* the ones that the term may have; "": a flag, without a value */
	enum term_needs needs;
	/* Reads the value behind the operator. Returns false with message set when it is malformed.
	 * NULL: the value stays a string. */
	bool (*parse)(struct term *term, struct buf *message);
	bool (*match)(const struct term *term, const struct term_candidate *candidate);
	/* Whether nothing that may still come changes what match says. NULL: nothing does. Not
	 * called after session_end. */
	bool (*knows)(const struct term *term, const struct term_candidate *candidate);
	enum metadata_name member; /* of the rows about one member of metadata */
	/* The value at i, from 0, of those that messages mostly have; an empty one ends them. NULL:
	 * any value is as good. */
	struct str (*common)(size_t i);
};

/* The rows, ended by a NULL name. */
extern const struct term_type term_types[];

#endif
