#ifndef DIALECTS_DIALECT_H
#define DIALECTS_DIALECT_H

/*
 * A dialect is a format that transcripts come in or go out in. One file (NAME.c) reads and writes
 * it; at its end stands the struct dialect, which one row of table.h names. Options, help and
 * diagnostics come from these rows, and so does the answer to what a transcript looks like.
 *
 *     records -> reader -> canonical records -> repair -> canonical records -> writer -> records
 *
 * Reader and writer are stages. A reader emits a canonical record as it came, and a writer one that
 * its dialect would spell the same. A record that has no place in the dialect is RECORD_ASIDE when
 * the writer emits it.
 */

#include "base/buf.h"
#include "data/stage.h"
#include "dialects/table.h"
#include "dialects/tally.h"

struct chat;
struct dialect;

/* How sure it is that a record is of a dialect; the surest dialect wins. */
enum dialect_sign {
	DIALECT_SIGN_NONE,
	DIALECT_SIGN_WEAK,    /* nothing speaks against it */
	DIALECT_SIGN_CLEAR,   /* it has members that the dialect has */
	DIALECT_SIGN_CERTAIN, /* no other dialect has such a record */
};

/* How a transcript is to be read, and what its reader found. */
struct dialect_reading {
	bool all;                    /* what a compaction took out of the context, too */
	bool untrusted;              /* nothing becomes metadata that the input says of itself */
	const struct dialect *other; /* of the first record that was not canonical, or NULL; */
	struct line other_line;      /* where it stood: file and number */
	struct tally skipped; /* records that are known to be no conversation, by their type */
	uint64_t compacted;   /* messages that an earlier compaction took out of the context */
	/* What was stripped of untrusted input: metadata of so many messages, and records. */
	uint64_t metadata;
	uint64_t contexts;
	uint64_t budgets;
	uint64_t agents; /* messages of sub-agents: only metadata tells them from the others */
};

/* A stage that somebody made. It frees itself; nothing of it is used any more then. */
struct dialect_stage {
	struct stage stage;
	void (*free)(struct dialect_stage *stage);
};

struct dialect {
	const char *name; /* as options call it */
	/* How sure it is that the record, a validated JSON value, is of the dialect. NULL: no
	 * record tells. */
	enum dialect_sign (*sign)(struct json_value record);
	/* The stage that reads it; NULL: it is not read. */
	struct dialect_stage *(*reader)(struct dialect_reading *reading);
	/* For dialects of chat messages, one a record or many in an array: puts the canonical
	 * records that the message makes into the reader (chat.h). False when the message has
	 * nothing that only this dialect has. */
	bool (*read_message)(
	    struct chat *chat, const struct line *line, const struct message *message);
	/* The stage that writes it; NULL: it is not written. */
	struct dialect_stage *(*writer)(void);
	/* Its records are chat messages: where no dialect is named, each is read as what it is. */
	bool is_chat;
	/* It can say nothing but the messages of one agent: no metadata, no other records. */
	bool only_messages;
};

#define DIALECT_ONE(name) +1
enum { DIALECT_COUNT = 0 DIALECT_TABLE(DIALECT_ONE) };

/* The dialects that are read, or those that are written, for an option. */
struct dialect_choices {
	const struct dialect *dialect[DIALECT_COUNT];
	const char *name[DIALECT_COUNT + 1]; /* ended by NULL */
	char help[DIALECT_COUNT * 32];       /* "a (default), b or c" */
};

void dialect_choose_readers(struct dialect_choices *choices);
void dialect_choose_writers(struct dialect_choices *choices);

/* The dialect that the record tells, NULL when it tells none. */
const struct dialect *dialect_detect(struct json_value record);

/* Lets the dialects try the message, see read_message; the one that has read it, or NULL. */
const struct dialect *dialect_read_message(
    struct chat *chat, const struct line *line, const struct message *message);

/* Notes that the record of that line was of another dialect, if it is the first. */
void dialect_note_other(
    struct dialect_reading *reading, const struct dialect *dialect, const struct line *line);

/* Writes the system message of that content, JSON. */
void dialect_write_system(struct buf *text, struct json_value content);

/* Emits a message that the stage made, for line; text gets a line end and padding here. */
void dialect_emit(struct stage *stage, const struct line *line, struct buf *text);

/* For writers of dialects that have messages only: whether the record is one. Bad and foreign ones
 * are emitted to be put aside, others go. */
bool dialect_is_message(struct stage *stage, struct record *record);

#endif
