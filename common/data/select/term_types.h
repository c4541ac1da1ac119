#ifndef SELECT_TERM_TYPES_H
#define SELECT_TERM_TYPES_H

/*
 * The kinds of terms of a selector (data/select/term.h), as one table. A kind is a row, and the
 * functions that the row names.
 */

#include "base/expression/expression.h"
#include "data/session/session.h"

struct term_type;

/* The things that a term depends on. */
enum term_needs {
	TERM_MESSAGE, /* the message alone */
	TERM_ENTRY,   /* also the entry of the session */
	TERM_TOKENS,  /* also the tokens of the entry */
};

/* Whether a term holds for a message; TERM_UNKNOWN when later records decide. */
enum term_answer { TERM_NO, TERM_YES, TERM_UNKNOWN };

struct term {
	const struct term_type *type;
	bool negated;
	char comparison; /* '=', '<' or '>' */
	char *name;      /* meta.NAME: the name of the member of metadata */
	char *value;     /* NULL: a flag */
	int64_t number;
	struct expression *pattern;
};

/* A message that may be selected. Terms that need the session read the entry and not the message;
 * all other terms read the message alone. */
struct term_candidate {
	struct session *session;
	const struct entry *entry;
	const struct message *message;
};

struct term_type {
	const char *name;      /* after a name that ends with a dot comes the name of a member */
	const char *operators; /* the operators that are allowed; "": a flag, without a value */
	enum term_needs needs;
	/* Reads the value after the operator. Returns false with message set when the value is
	 * malformed. NULL: the value stays a string. */
	bool (*parse)(struct term *term, struct buf *message);
	bool (*match)(const struct term *term, const struct term_candidate *candidate);
	/* Whether the result of match is final, so that no later record can change it. NULL: it is
	 * always final. Not called after session_end. */
	bool (*knows)(const struct term *term, const struct term_candidate *candidate);
	/* The same as match, from the entry alone; TERM_UNKNOWN where the message must be read.
	 * NULL: the message must always be read. */
	enum term_answer (*glance)(const struct term *term, const struct entry *entry);
	enum metadata_name member; /* for rows about one member of metadata: that member */
	/* The common value number i, from 0; "" after the last one. NULL: there are no common
	 * values. */
	struct str (*common)(size_t i);
};

/* The rows, ended by a NULL name. */
extern const struct term_type term_types[];

#endif
