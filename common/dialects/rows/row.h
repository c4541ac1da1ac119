#ifndef ROWS_ROW_H
#define ROWS_ROW_H

/*
 * A dialect as rows. A row says which values it reads, what they become, and where their pieces
 * are. The first row whose conditions hold (conditions.h) is taken; paths (member_path.h) lead to
 * the pieces. A table of rows ends with a zeroed row.
 *
 *     lines    {"type=response_item", ROW_INSIDE, .content = "payload", .inside = items}
 *     items    {"type=message role=user", ROW_MESSAGE, .role = "role", .inside = parts}
 *     parts    {"type=input_text", ROW_TEXT, .content = "text"}
 *
 * Calls, results, thinking and parts inside the content of a message belong to that message.
 * Outside a message they are records of their own: a result becomes a message, and the others are
 * gathered into a message of the assistant, which ends before the next record that is none of them.
 */

#include "dialects/dialect.h"
#include "dialects/parts/injected.h"
#include "dialects/rows/conditions.h"
#include "dialects/rows/row_history.h"

struct row_reader;
struct row_place;

enum row_make {
	ROW_END,
	ROW_SKIP,   /* nothing: no conversation. The record is counted by name, or by its type */
	ROW_ALSO,   /* nothing, except by the row's function */
	ROW_INSIDE, /* the value at content, or each of its elements, is read by other rows */
	/* a message of that role; each element of its content is read by other rows */
	ROW_MESSAGE,
	ROW_SUMMARY,  /* the same: the summary of a compaction */
	ROW_CALL,     /* a call: its id, name and arguments; inside has rows for its result */
	ROW_RESULT,   /* a result of the call with that id */
	ROW_TEXT,     /* a part of a content: the text at content */
	ROW_THINKING, /* the texts at name and content, joined; without any, the part as it is */
	ROW_IMAGE,    /* an image: content is its URL or, with a media type, its base64 or URL */
	ROW_PART,     /* a part as it is */
	ROW_BREAK,    /* the model was asked again: after a call, a new message begins */
};

/* A member of metadata, or a variable of the reader, and the path to its value. A list ends with a
 * row without a name. */
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

/* One of several members in which a message has its content: a path, and rows for the value there.
 * A list ends with a row without a path. */
struct row_piece {
	const char *at;
	const struct row *inside;
};

/* Does what rows cannot express, after the row's message or part was made; a message is still open
 * then. Returns false when the value is not understood. */
typedef bool row_function(struct row_reader *reader, struct row_place *place);

struct row {
	const char *when; /* conditions; NULL: always */
	enum row_make make;
	/* Paths: */
	const char *role; /* of a message; NULL: 'user' for a summary */
	const char *id;   /* of a message, a call, or the call that a result answers */
	/* The id of the record in the history; NULL: id. If set, a skipped record is in the
	 * history, too. */
	const char *record;
	const char *parent;    /* the id of the record that this one follows */
	const char *name;      /* of a tool; of a skipped record */
	const char *content;   /* NULL: content */
	const char *arguments; /* of a call: JSON or JSON in a string; NULL: there are none */
	const char *media;     /* the media type of an image */
	/* Of thinking and parts: a value that only the provider can read. It is counted, and
	 * kept. */
	const char *sealed;
	const char *signature; /* of thinking, by which its provider knows the text */
	const char *at;        /* the id or the number for the verb */
	/* Of a summary: the id, or the index, of the first record before the summary that the
	 * compaction keeps. The compaction takes effect at the end of the session. */
	const char *keeps;
	const char *asked; /* the id of the record that asked for the summary; both go together */
	/* Not paths: */
	const char *argument;        /* the arguments are an object with this one member */
	const char *prefix, *suffix; /* around a content that is a string; the inside of one */
	const char *error;           /* conditions: the result is an error */
	const char *success;         /* conditions: the result is no error */
	const char *left;            /* conditions: the agent itself does not send the message */
	/* Conditions: the next record continues the message, and their texts are joined. */
	const char *streamed;
	const char *within; /* a path: the object whose members are known; NULL: the value */
	const char *known;  /* names of members that the row reads; see row_dialect.extra */
	const struct row_member *meta;  /* metadata of the message, beside that of all messages */
	const struct row_member *sets;  /* variables, before the row is made */
	const struct row_piece *pieces; /* instead of content and inside */
	/* rows for the values in content; NULL: parts stay as they are */
	const struct row *inside;
	enum row_history_verb verb; /* done first, on all earlier records */
	/* A session with that id begins, and variables are emptied. A repeated header of the same
	 * session, or of its parent, does nothing. */
	bool begins;
	bool stays; /* it is no record of the history, so no verb takes it back */
	/* The file repeats values of the message elsewhere, so that they are not changed in their
	 * place: the message is written anew. */
	bool repeated;
	row_function *also;
};

/* A dialect that is read by rows. */
struct row_dialect {
	const struct dialect *dialect;
	const struct row *rows;            /* for records, one a line */
	const struct row_member *carried;  /* metadata of all messages, … */
	const struct row_member *answered; /* … and of the assistant's; "usage" is the usage */
	/* The member of metadata, such as x_codex, that keeps unknown members of a message; the
	 * same in a call or in a part. Only for rows that say which members are known. */
	const char *extra;
	const char *const *variables; /* names, ended by NULL; at most ROW_VARIABLES */
	const struct injected *injected;
	/* Neighbours are one message: the items of one answer of the model. A text or thinking
	 * after a text begins a new message, unless a call came between. */
	bool joins;
	bool repeats;  /* neighbours of the assistant with the same id are one message */
	bool replaces; /* a record with the id of an earlier one takes its place */
	bool is_tree;  /* records that are not on the path to the last one were left */
	bool grows;    /* records are appended while the session goes on: see row_growth.h */
	/* What functions of rows keep beside variables: reader->state, zeroed at first, and freed
	 * by free_state. Without a size there is none. */
	size_t state_size;
	void (*free_state)(void *state);
	/* Emits the values that functions have gathered, at the end of a session and before a
	 * canonical message; the place has no row, and an empty object for a value. NULL: they
	 * gather nothing. */
	row_function *ends;
	/* Words; every line that takes records back has one of them, and no record is replaced or
	 * moved. NULL: any line may take records back. */
	const char *const *marks;
};

enum { ROW_VARIABLES = 8 };

#endif
