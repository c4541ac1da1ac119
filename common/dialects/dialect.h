#ifndef DIALECTS_DIALECT_H
#define DIALECTS_DIALECT_H

/*
 * A dialect is a format of sessions that is read, written, or both. Its file, NAME.c, ends with a
 * struct dialect, which one row of table.h names. Options, help, diagnostics and the detection of a
 * session's dialect are derived from these rows.
 *
 *     records -> reader -> canonical records -> repair -> canonical records -> writer -> records
 *
 * Reader and writer are stages. A reader passes canonical records unchanged. A writer passes a
 * record unchanged if its dialect spells the record the same way, and emits a record that the
 * dialect cannot hold as RECORD_ASIDE.
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

/* How a session is to be read, and the reader's findings. */
struct dialect_reading {
	bool all;   /* also read messages that a compaction took out of the context */
	bool apart; /* interleaved sessions are emitted one after the other */
	bool lossy; /* members that a canonical record has no place for are dropped */
	/* The input may still grow: a reader emits messages at once, and takes back messages that
	 * prove wrong by tombstones (metadata.forgets). */
	bool grows;
	/* The reader gets all lines of its files, and may look ahead in a regular file. */
	bool looks_ahead;
	/* Has the checksums of the files that are read. NULL: no source record is made. */
	struct sums *sums;
	/* The input is one file, so no other file can continue its session. */
	bool is_one_file;
	/* The dialect of the first record that was not canonical, or NULL. */
	const struct dialect *other;
	struct line other_line; /* file and line number of that record */
	/* Counts records that are known to be no conversation, by type. The caller owns it. */
	struct tally *skipped;
	/* Counts parts that only their provider can read, and that were kept, by type. The caller
	 * owns it. */
	struct tally *sealed;
	/* Counts the parts of records that no reader knows. The caller owns it. NULL: they are not
	 * counted. */
	struct census *census;
	/* Gets the values of which each message was made. The caller owns it. NULL: they are not
	 * noted. */
	struct provenance *provenance;
	uint64_t compacted; /* messages that an earlier compaction took out of the context */
	uint64_t left;      /* messages of branches that the user left */
	uint64_t unsent;    /* messages that the agent itself leaves out of its requests */
	/* Parts of records that were not understood, struct dialect_flaw each. The command empties
	 * the list; the reading owns it. */
	struct buf flaws;
	/* What was stripped from untrusted input: */
	uint64_t metadata; /* messages that lost their metadata */
	uint64_t contexts; /* context records */
	uint64_t budgets;  /* budget records */
	/* messages of sub-agents: only metadata distinguishes them from others */
	uint64_t agents;
};

/* A stage on the heap. The caller of reader or writer owns it, and frees it by its member free. */
struct dialect_stage {
	struct stage stage;
	/* Of a writer: counts the parts and texts that were dropped, by kind. The caller sets it,
	 * and owns it. */
	struct tally *dropped;
	uint64_t joined; /* of a writer: messages that are in one record with others */
	/* of a writer: the number of first canonical messages that are in the provider's cache */
	uint64_t cached;
	struct cache_marks_place
	    place; /* of a writer: the end of the last of these messages in its output */
	/* Of a writer of an agent's sessions: counts the files that the run has begun. The caller
	 * owns it. */
	uint64_t *begun;
	struct buf resume; /* of the same: the command that resumes FILE. The stage owns it */
	void (*free)(struct dialect_stage *stage);
};

struct dialect {
	const char *name; /* the name in options */
	/* The path, of names, at which a record has the version of the agent. NULL: records have
	 * none. */
	const char *version;
	/* How surely the record, a validated JSON value, belongs to the dialect. NULL: the table of
	 * shapes decides (dialect_sign.h). */
	enum dialect_sign (*sign)(struct json_value record);
	/* Makes the stage that reads the dialect. NULL: the stage is the reader of rows or of chat
	 * messages (dialect_reader.h). */
	struct dialect_stage *(*reader)(struct dialect_reading *reading);
	/* The rows of the reader (dialects/rows/row.h). NULL: it has none. */
	const struct row_dialect *rows;
	/* For dialects of chat messages: converts the message and puts the canonical messages into
	 * the reader (chat.h). Returns false when no part of the message is peculiar to this
	 * dialect. NULL: the dialect has no shapes of its own. */
	bool (*read_message)(
	    struct chat *chat, const struct line *line, const struct message *message);
	/* The same for a record that holds a conversation, in a shape that only this dialect has.
	 * Returns false when the record is none. NULL: the dialect has no such shape. */
	bool (*read_record)(struct chat *chat, const struct line *line, struct json_value record);
	/* Whether a message, an object with a role, is spelled as only this dialect spells it, and
	 * is not canonical. NULL: none is. */
	bool (*takes)(struct json_value message);
	/* Whether a message that a canonical one may look like is of the dialect, in a file of the
	 * dialect. NULL: none is. */
	bool (*takes_inside)(struct json_value message);
	/* Makes the stage that writes the dialect. NULL: the dialect is not written. */
	struct dialect_stage *(*writer)(void);
	/* Makes a stage before the repair that puts records into the writer's order. NULL: the
	 * writer keeps their order. */
	struct dialect_stage *(*order)(void);
	/* The name of the one record, or of the file, that all messages of a session become when
	 * they are written. NULL: the messages of several sessions are written alike. */
	const char *joined;
	/* The records are chat messages: their reader (chat.h) finds the dialect of each. */
	bool is_chat;
	/* The dialect holds only messages of one agent: no metadata, no other records. */
	bool only_messages;
	/* Words, with blanks between: a message for which takes is true has one of them in its
	 * content. The messages before that one may look like an API's. NULL: there are no such
	 * words. */
	const char *late;
	/* Adds all that the dialect's API refuses of a message in its own spelling. NULL: nothing
	 * is refused. */
	void (*judge)(const struct message *message, struct refusals *refusals);
	/* Judges the place of the message, any value, in the conversation. NULL: role and
	 * tool_calls suffice to judge it. */
	void (*follow)(struct talk *talk, struct inspection *inspection, struct json_value message);
	/* The roles of user and assistant alternate, and blocks of their contents are the calls and
	 * results. */
	bool alternates;
	/* The dialect's spelling of requests. NULL: it has none. */
	const struct request_api *request;
	/* The dialect takes system messages in front of all others: see dialects/request/systems.h.
	 *  */
	bool lifts_systems;
	/* The written records have no metadata, so every call needs a result, and messages of
	 * sub-agents are left out. The same holds with only_messages and is_session. */
	bool is_plain;
	/* A written file is one session, which the agent can resume. */
	bool is_session;
	/* The rules by which an agent loads such a file to resume it (dialects/load/load.h). NULL:
	 * there is no such agent. */
	const struct load_form *load;
	bool no_bad_lines; /* the dialect has no place for bad lines; only_messages implies this */
};

#define DIALECT_ONE(row, name, reads, writes) +1
enum { DIALECT_COUNT = 0 DIALECT_TABLE(DIALECT_ONE) };

/* The dialects that --from and --to take, and their names. Each list ends with NULL. */
extern const struct dialect *const dialect_readers[], *const dialect_writers[];
extern const char *const dialect_reader_names[], *const dialect_writer_names[];

/* How surely the record belongs to the dialect. */
enum dialect_sign dialect_sign_of(const struct dialect *dialect, struct json_value record);

/* The dialect to which the record belongs, or NULL when the record has the sign of none. */
const struct dialect *dialect_detect(struct json_value record);

/* Whether the message, which is in a file of the dialect, is spelled as the dialect spells it. */
bool dialect_takes(const struct dialect *dialect, struct json_value message);

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

/* Notes as a flaw that the line's record takes back messages that were already emitted, which the
 * look ahead had not found. */
void dialect_note_late(struct dialect_reading *reading, const struct line *line);

/* Emits a record that the stage made from line: a message counts as one of the input in another
 * spelling, any other record as added. text is its JSON; this function appends the line end and the
 * padding. */
void dialect_emit(struct stage *stage, const struct line *line, struct buf *text);

/* The same for a record of the session of that name, or NULL; see struct record. read is the
 * reader's note on its metadata, enum record_read. message is the message parsed from the text, or
 * NULL; if given, buf must have room after the text for the line end and the padding. */
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
