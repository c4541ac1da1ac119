#ifndef SESSION_FILE_SESSION_LAYOUT_H
#define SESSION_FILE_SESSION_LAYOUT_H

/*
 * The layout of an agent's session file, for changing records in it: where the records are, which
 * ids link them, and which members repeat the text of a message. The agent's own loader
 * (dialects/load/load_form.h) follows the same ids. Paths are those of dialects/rows/member_path.h,
 * of names alone.
 */

#include "dialects/dialect.h"

/* The most members of a record that name other records. */
enum { INTO_REFERS = 5 };

/* The most members that all records of one agent have in common. */
enum { INTO_ALIKE = 6 };

/* The most members of an event line that repeat a message's text. */
enum { INTO_TOLD = 2 };

struct session_layout {
	const struct dialect *dialect;
	/* the list of records that are elements of a line; "." is the record of the line */
	const char *lists;
	/* the member of such an element that is the record; NULL: the element */
	const char *inner;
	const char *head;   /* the type of the line that is never taken out; or NULL */
	const char *id;     /* the id of a record; NULL: records have none */
	const char *parent; /* the id of the record before */
	const char
	    *refers[INTO_REFERS]; /* other members that name a record, or the nearest before it */
	const char *keeps[2];     /* members that name the first record that a compaction keeps */
	const char *index;        /* the number of records before that record; or NULL */
	const char *kept[2];      /* lists that name all records that a compaction keeps */
	/* of a record, in milliseconds, if records are in the order of it; or NULL */
	const char *time;
	const char *number;            /* of a line: greater than that of the one before; or NULL */
	const char *alike[INTO_ALIKE]; /* members that all records of one agent have in common */
	/* in the value of a result: the member that repeats its text */
	const char *copy;
	/* the value that replaces such a copy; NULL: the member is removed */
	const char *empty;
	const char *events; /* the type of lines that only report messages; or NULL */
	const char *call;   /* in such a line: the id of the call that it reports */
	/* in an element of a record's content: the id of the call whose result it repeats */
	const char *answers;
	const char *told[INTO_TOLD]; /* the same: the text of a message; or NULL */
	const char *says;            /* in a message's record: the member that has this text */
	const char *back;   /* of a line: the number of turns that it takes back; or NULL */
	const char *prefix; /* a prefix of the session's id, which forms add themselves */
	const char *order;  /* a prefix of the record's id, the same */
	const char
	    /* of a line: the id of a record that it takes back with all records after it */
	    *rewind;
	bool replaces;     /* a record with the id of an earlier one takes its place */
	bool copies_parts; /* parts are spelled as in a message */
	bool has_asked;    /* parent is the id of the user's last message */
};

extern const struct session_layout session_layout_claude_code, session_layout_codex,
    session_layout_pi, session_layout_gemini_cli, session_layout_opencode;

/* The format of that name, or NULL. */
const struct session_layout *session_layout_find(struct str name);

/* Appends the names of all formats, as "a, b and c". */
void session_layout_add_names(struct buf *text);

/* Takes the next line off the text, with its end; or all of a document. */
struct str session_layout_take(struct str *text, bool is_document);

/* The list of the records that are elements of the record of a line, or absent. */
struct json_value session_layout_list(
    const struct session_layout *format, struct json_value record);

/* Whether the record is an event, which only repeats messages. */
bool session_layout_is_event(const struct session_layout *format, struct json_value record);

/* Whether the record is the head: the line that describes the file, and stays the first. */
bool session_layout_is_head(const struct session_layout *format, struct json_value record);

/* Whether the record takes back earlier records. */
bool session_layout_takes_back(const struct session_layout *format, struct json_value record);

/* The value at the path, or absent. Parses the path on each call, so use it for few records
 * only. */
struct json_value session_layout_at(struct json_value value, const char *path);

#endif
