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
	const char *lists;  /* of records that are elements; "." is the record of the line */
	const char *inner;  /* what such an element has of a record that is a line; NULL: all */
	const char *head;   /* the type of the line that is never taken out; or NULL */
	const char *id;     /* of a record; NULL: they have none */
	const char *parent; /* the id of the record before */
	const char
	    *refers[INTO_REFERS]; /* other members that name a record, or the nearest before it */
	const char *keeps[2];     /* members that name the first record that a compaction keeps */
	const char *index;        /* the same, but how many records stand in front of it; or NULL */
	const char *kept[2];      /* members that name all records that a compaction keeps: lists */
	const char *time;   /* of a record, in milliseconds: what their order goes by; or NULL */
	const char *number; /* of a line: greater than that of the one before; or NULL */
	const char *alike[INTO_ALIKE]; /* members that all records of one agent have in common */
	const char *copy;              /* in what a result is made of: what repeats it */
	const char *empty;             /* what takes its place; NULL: the member goes */
	const char *events; /* the type of lines that only tell what messages say; or NULL */
	const char *call;   /* in such a line: the id of the call it tells of */
	const char *told[INTO_TOLD]; /* the same: the text that a message says; or NULL */
	const char *says;            /* in a message's record: the name of what has that text */
	const char *back;   /* of a line: how many turns before it it takes back; or NULL */
	const char *prefix; /* of the session's id, which forms add themselves */
	const char *order;  /* of the record's id, the same */
	const char
	    *rewind;   /* of a line: the id of a record which it takes back, with all behind it */
	bool replaces; /* a record with the id of an earlier one takes its place */
	bool copies_parts; /* parts are spelled as in a message */
	bool has_asked;    /* parent is the id of the user's last message */
};

extern const struct session_layout session_layout_claude_code, session_layout_codex,
    session_layout_pi, session_layout_gemini_cli, session_layout_opencode;

/* The format of that name, or NULL. */
const struct session_layout *session_layout_find(struct str name);

/* What has the records that are elements, or absent. */
struct json_value session_layout_list(
    const struct session_layout *format, struct json_value record);

/* Whether the record is an event, which only repeats messages. */
bool session_layout_is_event(const struct session_layout *format, struct json_value record);

/* Whether the record is the head: the line that describes the file, and stays the first. */
bool session_layout_is_head(const struct session_layout *format, struct json_value record);

/* Whether the record takes back some of those before it. */
bool session_layout_takes_back(const struct session_layout *format, struct json_value record);

/* The value at the path, or absent. Parses the path on each call, so use it for few records
 * only. */
struct json_value session_layout_at(struct json_value value, const char *path);

#endif
