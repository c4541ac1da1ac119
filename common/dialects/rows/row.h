#ifndef ROWS_ROW_H
#define ROWS_ROW_H

/*
 * A dialect as rows. A row says of which values it is, what is made of them, and where in them the
 * pieces stand. The first row whose conditions hold (conditions.h) is taken; where they are is said
 * by paths (member_path.h). A table of rows ends with a zeroed row.
 *
 *     lines    {"type=response_item", ROW_INSIDE, .content = "payload", .inside = items}
 *     items    {"type=message role=user", ROW_MESSAGE, .role = "role", .inside = parts}
 *     parts    {"type=input_text", ROW_TEXT, .content = "text"}
 *
 * Calls, results, thinking and parts are of the message whose content is read. Beside a message
 * they are records of their own: a result is a message, and the others are gathered in a message of
 * the assistant, up to the next record that is no part of one.
 */

#include "dialects/dialect.h"
#include "dialects/parts/injected.h"
#include "dialects/rows/conditions.h"
#include "dialects/rows/row_history.h"

struct row_reader;
struct row_place;

enum row_make {
	ROW_END,
	ROW_SKIP,     /* nothing: no conversation. It is counted under its name, or its type */
	ROW_ALSO,     /* nothing but what the row's function does */
	ROW_INSIDE,   /* the value at content, or each of its elements, is read by other rows */
	ROW_MESSAGE,  /* of that role; each element of its content is read by other rows */
	ROW_SUMMARY,  /* the same, of what a compaction took out */
	ROW_CALL,     /* of a tool: its id, name and arguments; inside has rows for its result */
	ROW_RESULT,   /* of the call with that id */
	ROW_TEXT,     /* a part of a content: the text at content */
	ROW_THINKING, /* the texts at name and content, together; without any a part as it is */
	ROW_IMAGE,    /* at content its URL, or with a media type its base64 or URL */
	ROW_PART,     /* a part as it is */
	ROW_BREAK,    /* the model was asked again: a message of its own, if a call came before */
};

/* A member of metadata, or a variable of the reader, and the value that it gets. The last one of a
 * list has no name. */
struct row_member {
	const char *name;
	const char *at;
};

#define ROW_MEMBERS(...) \
	(const struct row_member[]) \
	{ \
		__VA_ARGS__, \
		{ \
			NULL \
		} \
	}

/* What a message says in several members: a path, and rows for what is there. The last one of a
 * list has no path. */
struct row_piece {
	const char *at;
	const struct row *inside;
};

/* Does what rows cannot say, after the row has been made; a message is still open then. Returns
 * false when the value is not understood. */
typedef bool row_function(struct row_reader *reader, struct row_place *place);

struct row {
	const char *when; /* conditions; NULL: always */
	enum row_make make;
	/* Paths: */
	const char *role; /* of a message; NULL: 'user' of a summary */
	const char *id;   /* of a message, a call, or the call that a result answers */
	/* The id of the record in the history; NULL: id. With it, what is skipped is one, too. */
	const char *record;
	const char *parent;    /* the id of the record that this one follows */
	const char *name;      /* of a tool; of what is skipped */
	const char *content;   /* NULL: content */
	const char *arguments; /* of a call: JSON or JSON in a string; NULL: there are none */
	const char *media;     /* the media type of an image */
	/* Of thinking and parts: what only the provider can read. It is counted, and kept. */
	const char *sealed;
	const char *at; /* what the verb acts on */
	/* Of a summary: the id of the first record that the compaction keeps, of those before the
	 * summary, or its index. The compaction is made at the end of the session. */
	const char *keeps;
	const char *asked; /* the id of the record that asked for the summary and goes with it */
	/* Not paths: */
	const char *argument;        /* the arguments are an object with this one member */
	const char *prefix, *suffix; /* around a content that is a string; the inside of one */
	const char *error;           /* conditions: the result is an error */
	const char *success;         /* conditions: it is told to be none */
	const char *left;            /* conditions: the agent itself leaves it out */
	/* Conditions: the next record goes on with the message, and the texts of both are one. */
	const char *streamed;
	const char *within; /* a path: the object whose members are known; NULL: the value */
	const char *known;  /* members that have a place; see row_dialect.extra */
	const struct row_member *meta;  /* metadata of the message, beside that of all messages */
	const struct row_member *sets;  /* variables, before the row is made */
	const struct row_piece *pieces; /* instead of content and inside */
	const struct row *inside;       /* rows for what is in content; NULL: parts stay */
	enum row_history_verb verb;     /* first of all, for all records before */
	/* A session with that id begins, and variables are empty. But the header of the session
	 * itself, or of its parent, only repeats. */
	bool begins;
	bool stays; /* no verb takes it back: it is no record of the history */
	row_function *also;
};

/* A dialect whose reader rows are. */
struct row_dialect {
	const struct dialect *dialect;
	const struct row *rows;            /* for records, one a line */
	const struct row_member *carried;  /* metadata of all messages, … */
	const struct row_member *answered; /* … and of the assistant's; "usage" is the usage */
	/* Member of metadata for what a message says and has no place for, such as x_codex; the
	 * same in a call or in a part. Only members of rows that say what is known. */
	const char *extra;
	const char *const *variables; /* names, ended by NULL; at most ROW_VARIABLES */
	const struct injected *injected;
	/* Neighbours are one message: items that a model gave in one answer. A text or thinking
	 * behind a text begins another one, unless a call came between. */
	bool joins;
	bool repeats;  /* neighbours with one id that the assistant said are one message */
	bool replaces; /* a record with the id of an earlier one takes its place */
	bool is_tree;  /* what is not on the path to the last record was left */
	bool grows;    /* records are appended while the session goes on: see row_growth.h */
	/* What functions of rows keep beside variables: reader->state, zeroed at first, and freed
	 * by free_state. Without a size there is none. */
	size_t state_size;
	void (*free_state)(void *state);
	/* Makes what functions have gathered, at the end of a session and before a canonical
	 * message; the place has no row, and an empty object for a value. NULL: they gather
	 * nothing. */
	row_function *ends;
	/* Words of which every line that takes records back has one. None is replaced or moved
	 * then. NULL: any line may do that. */
	const char *const *marks;
};

enum { ROW_VARIABLES = 8 };

#endif
