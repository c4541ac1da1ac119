#ifndef DATA_RECORD_H
#define DATA_RECORD_H

/*
 * A record on its way from the source through stages to the sink: its line, what was read of it, and
 * what became of it.
 *
 *     line.raw     [BOM][ text .................... ][CR][LF]      as it came, or as a stage made it
 *     line.text         [ text .................... ]
 *     edit                  ^^splice   ^^splice                    NULL: the text is what leaves
 *
 * A stage that changes a record sets edit, whose splices lie in line.text, and copies nothing; the
 * text is put together by who needs it (record_settle) or by the sink, piece by piece.
 *
 * Who owns the bytes: with a block, the block does; without one they live until take returns. Edit
 * and message live until take returns in either case. A stage that keeps a record for longer calls
 * record_hold, and record_release when it has emitted or dropped the record.
 */

#include "data/message.h"
#include "json/edit.h"
#include "stream/block.h"
#include "stream/input.h"

enum record_state {
	RECORD_GIVEN,   /* as it came */
	RECORD_CHANGED, /* it came, and a stage edited or rewrote it */
	RECORD_ADDED,   /* a stage made it */
	RECORD_ASIDE,   /* it came, and has no place in the output: it goes to the bad file */
};

struct record {
	struct line line;
	enum record_kind kind;
	enum record_state state;
	const struct message *message; /* of line.text; NULL: not read, see record_message */
	struct json_edit *edit;        /* its stage frees it, after stage_emit */
	struct block *block;           /* that the bytes lie in; NULL: they live until take returns */
};

/* What line.text says: record->message, or read into storage, which record->message is then. */
const struct message *record_message(struct record *record, struct message *storage);

/* Applies the edit: line.raw and line.text are then in buf, with JSON_PADDING readable bytes behind
 * them, block and message are NULL. Nothing happens to a record without an edit. */
void record_settle(struct record *record, struct buf *buf);

/* Makes held a record like the other that lives until it is released: its block is kept, or, with an
 * edit or without a block, its bytes are copied into a block of their own. It has no message. */
void record_hold(struct record *held, const struct record *record);
void record_release(struct record *held);

/* Makes record a message of a stage's own: text is its JSON, or JSON and a line end, with
 * JSON_PADDING readable bytes behind it. at tells which line it stands for in diagnostics. */
void record_make(struct record *record, const struct line *at, struct str text);

#endif
