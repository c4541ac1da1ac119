#ifndef GC_GC_FORM_H
#define GC_GC_FORM_H

/*
 * What no loader of an agent reads of the file of a session, as rows. What no row names stays.
 */

#include "dialects/dialect.h"

enum { GC_ROWS = 4 };

/* The dialects that have a form. */
#define GC_FORM_NAMES "claude-code, codex and pi"

/* A kind of records that always go. */
struct gc_form_row {
	const char *name; /* as the account says it */
	const char *when; /* conditions (dialects/rows/conditions.h); NULL: the rows end */
};

/* Members but dialect and row are conditions of records, or names of members, or NULL. */
struct gc_form {
	const struct dialect *dialect;
	struct gc_form_row row[GC_ROWS];
	const char *talk; /* records that go if they are not loaded */
	/* Records of which messages are made, of the user or the model, or by the client: */
	const char *says, *queues;
	/* In a chain. Two texts of the user that follow the same record are two branches, of which
	 * the user left the one that is not on the way to the last message: */
	const char *asks;
	const char *resumes; /* the member with what a record follows that names no parent */
	/* A record that takes what is before it out of the context, unless one that ends the chain
	 * does so first: */
	const char *retells;
	/* In a chain without such texts all is left that is not on the way to the last record. */
	const char *compacts; /* without a chain: of these, nothing before the last is loaded … */
	const char *revives;  /* … unless one of these comes after it */
	const char *summary;  /* in a chain: a compaction … */
	const char *keeps;    /* … and its member with the id of the first record that it keeps */
	const char *suffices; /* one of these must be among the kept records */
	const char *copied;   /* records with a copy of a result … */
	const char *copy;     /* … in the member of that name */
};

/* The form of the dialect, or NULL. */
const struct gc_form *gc_form_of(const struct dialect *dialect);

#endif
