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
 * A stage that changes a record sets edit, whose splices lie in line.text, and copies nothing. The
 * edited text is put together by record_settle, in a stage that needs it, or by the sink, piece by
 * piece.
 *
 * The bytes of a record belong to its block. Without a block they live until take returns. Edit and
 * message live until take returns in either case. A stage that keeps a record for longer calls
 * record_hold, and record_release when it has emitted or dropped the record. One that holds records
 * of a session keeps whole blocks; where most of a block is of other sessions, it copies instead.
 *
 * A reader that finds several sessions in one stream says so: it names the session of each record
 * that it emits, or marks the first record of a session that comes in one piece. The name is the
 * reader's, for the stages that part sessions right behind it.
 */

#include "data/message/message.h"
#include "json/edit.h"
#include "stream/block.h"
#include "stream/input.h"

enum record_state {
	RECORD_GIVEN,   /* of the input, unchanged */
	RECORD_CHANGED, /* of the input, edited or rewritten by a stage */
	RECORD_ADDED,   /* made by a stage */
	RECORD_ASIDE,   /* of the input, with no place in the output: for the bad file */
};

/* What a reader of a dialect says, as bits, of the metadata that it has made, for input that is not
 * trusted (dialects/untrusted.h). A record as it came, or one of which a reader says nothing, may
 * claim anything. */
enum record_read {
	RECORD_READ_OWN = 1,   /* the input has no metadata there: all of it is the reader's */
	RECORD_READ_ERROR = 2, /* a part of the message says that the result is an error */
	RECORD_READ_AGENT = 4, /* the message is a sub-agent's, which its metadata alone says */
	RECORD_READ_NAMED = 8, /* a piece that is not understood, as it came; it was named */
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
	    *session;      /* of a reader: the name of its session, a string; or NULL */
	bool begins;       /* of a reader: what came before is of another session */
	bool is_scattered; /* the block has records of many sessions: who holds one copies it */
};

/* The message of the record. When record->message is NULL, reads line.text into storage and sets
 * record->message to storage. */
const struct message *record_message(struct record *record, struct message *storage);

/* The length of the record with its edit applied. */
size_t record_written_len(const struct record *record);

/* Applies the edit: writes the record to memory, which has room for that length and JSON_PADDING
 * bytes more, and lets the record point there. Its message, unless that is NULL, is read anew into
 * storage, as far as it is edited. */
void record_write(struct record *record, char *memory, struct message *storage);

/* Applies the edit: writes the edited line to buf, with JSON_PADDING readable bytes behind it. The
 * record's line then lies in buf, and its block and message are NULL. A record without an edit
 * stays as it is. */
void record_settle(struct record *record, struct buf *buf);

/* Makes held a copy of record that lives until record_release. Keeps the record's block; when the
 * record has an edit or no block, or is scattered, copies its bytes into a new block. held has no
 * message. */
void record_hold(struct record *held, const struct record *record);
void record_release(struct record *held);

/* Makes record a new message of a stage. text is its JSON, with or without a line end, and with
 * JSON_PADDING readable bytes behind it. at is the line that diagnostics name for the record. */
void record_make(struct record *record, const struct line *at, struct str text);

/* The same for text that says in another format what a record of the line says: a message is then
 * a changed one, not an added one. The kind is read from text into message; with NULL the text is a
 * message. */
void record_respell(
    struct record *record, const struct line *at, struct str text, struct message *message);

/* The key of the id of a message, or of a record in another format, in a map: that of its text. */
struct hash record_id_hash(struct json_value id);

#endif
