#ifndef DATA_RECORD_H
#define DATA_RECORD_H

/*
 * A record on its way from the source through stages to the sink: its line, the message that was
 * read from the line, and the edits of stages.
 *
 *     line.raw     [BOM][ text .................... ][CR][LF]      of the input, or made by a stage
 *     line.text         [ text .................... ]
 *     edit                  ^^splice   ^^splice                    NULL: the text is not edited
 *
 * A stage that changes a record sets edit, whose splices are spans of line.text, and copies
 * nothing. A stage that needs the edited text calls record_settle. Otherwise the sink writes the
 * text piece by piece.
 *
 * The block of a record owns its bytes. Without a block, the bytes live until take returns. Edit
 * and message live until take returns in both cases. A stage that keeps a record for longer calls
 * record_hold, and calls record_release when it has emitted or dropped the record. A held record
 * keeps its whole block; when most of a block belongs to other sessions, its bytes are copied
 * instead (is_scattered).
 *
 * A reader that finds several sessions in one stream names the session of each record that it
 * emits, or marks the first record of each session when sessions follow each other. The name
 * belongs to the reader, and is for the stages directly after it that separate the sessions.
 */

#include "data/message/message.h"
#include "json/edit.h"
#include "stream/block.h"
#include "stream/input.h"

enum record_state {
	RECORD_GIVEN,   /* of the input, unchanged */
	RECORD_CHANGED, /* of the input, edited or rewritten by a stage */
	RECORD_ADDED,   /* made by a stage */
	RECORD_ASIDE,   /* of the input, not written to the output but to the file for bad lines */
};

/* Where the metadata of a record comes from, as bits, for input that is not trusted
 * (dialects/untrusted.h). The reader of a dialect sets them. Without these bits, all metadata may
 * come from the input, and may claim anything. */
enum record_read {
	RECORD_READ_OWN = 1,   /* the reader made all metadata: the input has none there */
	RECORD_READ_ERROR = 2, /* a part of the message says that the result is an error */
	RECORD_READ_AGENT = 4, /* a message of a sub-agent; only its metadata says so */
	RECORD_READ_NAMED = 8, /* a piece that the reader did not understand, unchanged; reported */
};

struct record {
	struct line line;
	enum record_kind kind;
	enum record_state state;
	const struct message *message; /* read from line.text; NULL: call record_message */
	struct json_edit *edit;        /* freed by the stage that set it, after stage_emit */
	struct block *block;           /* holds the bytes; NULL: they live until take returns */
	uint8_t read;                  /* enum record_read */
	bool is_forgotten; /* a message that a later one forgets; kind is then RECORD_FOREIGN */
	const struct json_value
	    *session;      /* set by a reader: the name of its session, a string; or NULL */
	bool begins;       /* set by a reader: the record is the first of its session */
	bool is_scattered; /* the block has records of many sessions: record_hold copies */
};

/* The message of the record. When record->message is NULL, reads line.text into storage and sets
 * record->message to storage. */
const struct message *record_message(struct record *record, struct message *storage);

/* The length of the record with its edit applied. */
size_t record_written_len(const struct record *record);

/* Applies the edit: writes the edited line to memory, which has room for record_written_len and
 * JSON_PADDING more bytes, and makes the record point there. If the record has a message, the
 * edited parts of it are read again, into storage. */
void record_write(struct record *record, char *memory, struct message *storage);

/* Applies the edit: writes the edited line to buf, with JSON_PADDING readable bytes after it. The
 * record's line is then in buf, and its block and message are NULL. A record without an edit stays
 * as it is. */
void record_settle(struct record *record, struct buf *buf);

/* Makes held a copy of record that lives until record_release. Keeps the record's block; when the
 * record has an edit or no block, or is scattered, copies its bytes into a new block. held has no
 * message. */
void record_hold(struct record *held, const struct record *record);
void record_release(struct record *held);

/* Makes record a new message of a stage. text is its JSON, with or without a line end, and with
 * JSON_PADDING readable bytes after it. Diagnostics about the record name the line at. */
void record_make(struct record *record, const struct line *at, struct str text);

/* The same for a record of the line at that text writes in another format: its state is then
 * changed, not added. The kind of the record is read from text, into message; when message is NULL,
 * text must be a message. */
void record_respell(
    struct record *record, const struct line *at, struct str text, struct message *message);

/* The key in a map for the id of a message, or of a record in another format: the hash of its
 * text. */
struct hash record_id_hash(struct json_value id);

#endif
