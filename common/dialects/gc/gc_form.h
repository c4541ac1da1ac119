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
	const char *talk;     /* records that go if they are not loaded */
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
