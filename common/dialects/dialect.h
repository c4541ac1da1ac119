#ifndef DIALECTS_DIALECT_H
#define DIALECTS_DIALECT_H

/*
 * A dialect is a format in which sessions come in or go out. One file (NAME.c) reads and writes the
 * dialect. That file ends with a struct dialect, which one row of table.h names. Options, help and
 * diagnostics are derived from these rows, and so is the guess at the dialect of a session.
 *
 *     records -> reader -> canonical records -> repair -> canonical records -> writer -> records
 *
 * Reader and writer are stages. A reader emits a canonical record as it came. A writer emits a
 * record as it came when its dialect spells the record the same way. A record that the dialect
 * cannot hold is emitted by the writer as RECORD_ASIDE.
 */

#include "base/buf.h"
#include "data/stage.h"
#include "dialects/anthropic/cache_marks.h"
#include "dialects/dialect_sign.h"
#include "dialects/table.h"
#include "dialects/tally.h"

struct census;
struct chat;
struct dialect;
struct provenance;
struct load_form;
struct refusals;
struct inspection;
struct request_api;
struct row_dialect;
struct sums;
struct talk;

/* A part of a record that was not understood. */
struct dialect_flaw {
	const char *file;
	size_t line;
	char what[128];
};

/* How a session is to be read, and what its reader found. */
struct dialect_reading {
	bool all;   /* also read what a compaction took out of the context */
	bool apart; /* sessions that are interleaved come one behind the other */
	bool lossy; /* what a canonical record has no place for goes */
	/* The input is no file that is there: what a reader knows leaves at once, and tombstones
	 * (metadata.forgets) take back what turns out otherwise. */
	bool grows;
	/* The reader has all lines of its files, and may look into a regular one for what comes. */
	bool looks_ahead;
	/* Gets the sums of the files that are read; or NULL: no source record is made. */
	struct sums *sums;
	/* There is one file, and no other that may go on with its session. */
	bool is_one_file;
	/* The dialect of the first record that was not canonical, or NULL. */
	const struct dialect *other;
	struct line other_line; /* file and line number of that record */
	/* Records known to be no conversation, by type; of the caller. */
	struct tally *skipped;
	/* What only its provider can read and was kept, by type; of the caller. */
	struct tally *sealed;
	/* Counts what no reader knows; of the caller. NULL: nobody asks. */
	struct census *census;
	/* Gets of which values each message was made; of the caller. NULL: nobody asks. */
	struct provenance *provenance;
	uint64_t compacted; /* messages that an earlier compaction took out of the context */
	uint64_t left;      /* messages of branches that the user left */
	uint64_t unsent;    /* messages that the agent itself leaves out of its requests */
	/* Parts of records that were not understood, struct dialect_flaw each; taken by the
	 * command. The reading owns the list. */
	struct buf flaws;
	/* What was stripped from untrusted input: */
	uint64_t metadata; /* messages that lost their metadata */
	uint64_t contexts; /* context records */
	uint64_t budgets;  /* budget records */
	uint64_t agents;   /* messages of sub-agents: only metadata tells them from others */
};

/* A stage on the heap. The caller of reader or writer owns it and ends it with free. */
struct dialect_stage {
	struct stage stage;
	/* Of a writer: parts and texts that did not survive, by kind. The caller sets it, and owns
	 * it. */
	struct tally *dropped;
	uint64_t joined; /* of a writer: messages that stand with others in one record */
	uint64_t cached; /* of a writer: canonical messages that the provider's cache has */
	struct cache_marks_place
	    place; /* of a writer: where the last of those ends in its output */
	/* Of a writer of an agent's sessions: counts the files that the run has begun; of the
	 * caller. */
	uint64_t *begun;
	struct buf resume; /* of the same: what to type to resume FILE; of the stage */
	void (*free)(struct dialect_stage *stage);
};

struct dialect {
	const char *name; /* as options name it */
	/* A path of names: where a record says the version of the agent. NULL: none does. */
	const char *version;
	/* How surely the record, a validated JSON value, belongs to the dialect. NULL: its shapes
	 * tell (dialect_sign.h). */
	enum dialect_sign (*sign)(struct json_value record);
	/* Makes the stage that reads the dialect. NULL: the reader of rows does, or the one of chat
	 * messages (dialect_reader.h). */
	struct dialect_stage *(*reader)(struct dialect_reading *reading);
	/* The rows that the reader goes by (dialects/rows/row.h). NULL: it has none. */
	const struct row_dialect *rows;
	/* For dialects of chat messages: converts the message and puts the canonical messages into
	 * the reader (chat.h). Returns false when the message has nothing that only this dialect
	 * has. NULL: the dialect has no shapes of its own. */
	bool (*read_message)(
	    struct chat *chat, const struct line *line, const struct message *message);
	/* The same for a record that holds a conversation, in a shape that only this dialect has.
	 * Returns false when the record is none. NULL: the dialect has no such shape. */
	bool (*read_record)(struct chat *chat, const struct line *line, struct json_value record);
	/* Whether a message, an object with a role, is a line of the dialect's own and no canonical
	 * one. NULL: none is. */
	bool (*takes)(struct json_value message);
	/* Makes the stage that writes the dialect. NULL: the dialect is not written. */
	struct dialect_stage *(*writer)(void);
	/* Makes the stage in front of the repair that puts records into the order in which the
	 * writer writes them. NULL: it writes them as they come. */
	struct dialect_stage *(*order)(void);
	/* What all messages of a session become one of, when they are written; or NULL. */
	const char *joined;
	/* The records are chat messages: their reader (chat.h) finds the dialect of each. */
	bool is_chat;
	/* The dialect holds the messages of one agent alone: no metadata, no other records. */
	bool only_messages;
	/* Texts of which a message that takes knows has one in its content, where those before
	 * it may be of an API; or NULL. */
	const char *late;
	/* Adds what the dialect refuses of a message in its own spelling. NULL: nothing. */
	void (*judge)(const struct message *message, struct refusals *refusals);
	/* Judges the place of the message in the conversation, any value, where messages are not
	 * told by roles and tool_calls alone. NULL: they are. */
	void (*follow)(struct talk *talk, struct inspection *inspection, struct json_value message);
	/* The roles of user and assistant alternate, and blocks of their contents are the calls and
	 * results. */
	bool alternates;
	/* How the dialect spells requests. NULL: it has none. */
	const struct request_api *request;
	/* The dialect takes system messages in front of all others: see dialects/request/systems.h.
	 *  */
	bool lifts_systems;
	/* What is written has no metadata, so that no call lacks its result there, and messages of
	 * sub-agents are left out, as it is with only_messages and is_session. */
	bool is_plain;
	/* A file that is written is one session, which the agent resumes. */
	bool is_session;
	/* What the agent that resumes such a file loads of it (dialects/load/load.h). NULL: there
	 * is no such agent. */
	const struct load_form *load;
	bool no_bad_lines; /* the dialect has no place for bad lines; so it is with only_messages */
};

#define DIALECT_ONE(row, name, reads, writes) +1
enum { DIALECT_COUNT = 0 DIALECT_TABLE(DIALECT_ONE) };

/* The dialects that --from and --to take, and their names, which NULL ends. */
extern const struct dialect *const dialect_readers[], *const dialect_writers[];
extern const char *const dialect_reader_names[], *const dialect_writer_names[];

/* How surely the record belongs to the dialect. */
enum dialect_sign dialect_sign_of(const struct dialect *dialect, struct json_value record);

/* The dialect that the record tells, or NULL when the record tells none. */
const struct dialect *dialect_detect(struct json_value record);

/* Whether the record has the sign of another agent's format, and none of the dialect. */
bool dialect_is_other(const struct dialect *dialect, struct json_value record);

/* Offers the message to read_message of each dialect in turn. Returns the dialect that converted
 * the message, or NULL. */
const struct dialect *dialect_read_message(
    struct chat *chat, const struct line *line, const struct message *message);

/* The same for a record that is no message, and read_record. */
const struct dialect *dialect_read_record(
    struct chat *chat, const struct line *line, struct json_value record);

/* Notes the dialect of a record that was not canonical, and its line. Only the first is kept. */
void dialect_note_other(
    struct dialect_reading *reading, const struct dialect *dialect, const struct line *line);

/* Notes a part of the line's record that was not understood; format is that of printf. */
void dialect_note_flaw(struct dialect_reading *reading, const struct line *line, const char *format,
    ...) __attribute__((format(printf, 3, 4)));

/* Notes that the line's record takes back what has left, which was not seen when the file was
 * looked through. */
void dialect_note_late(struct dialect_reading *reading, const struct line *line);

/* Emits what the stage made from line: a message, which is one of the input in another spelling, or
 * another record, which is an added one. text is its JSON; the line end and the padding are
 * appended here. */
void dialect_emit(struct stage *stage, const struct line *line, struct buf *text);

/* The same for a record of the session of that name, or NULL; see struct record. read is what a
 * reader says of its metadata, enum record_read; message is what would be read from the text, or
 * NULL. With it there is room behind the text for what is appended. */
void dialect_emit_of(struct stage *stage, const struct line *line, struct buf *text,
    const struct json_value *session, uint8_t read, const struct message *message);

/* Emits the record as RECORD_ASIDE: the dialect has no place for it. */
void dialect_set_aside(struct stage *stage, struct record *record);

/* For writers of dialects that have messages only: the message of the record, which is read into
 * read unless the record has it. Returns NULL for any other record: a bad or foreign one, and a
 * message whose role is not known, is emitted as RECORD_ASIDE, others are dropped. */
const struct message *dialect_message(
    struct stage *stage, struct record *record, struct message *read);

#endif
