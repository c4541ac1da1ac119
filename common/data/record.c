#include "data/record.h"

const struct message *
record_message(struct record *record, struct message *storage)
{
	if (record->message == NULL) {
		message_parse(storage, record->line.text);
		record->message = storage;
	}
	return record->message;
}

size_t
record_written_len(const struct record *record)
{
	size_t len = record->line.raw.len;
	struct json_pieces pieces;

	if (record->edit == NULL)
		return len;
	len -= record->line.text.len;
	json_pieces_open(&pieces, record->edit);
	while (json_pieces_next(&pieces))
		len += pieces.piece.len;
	return len;
}

static char *
put(char *to, const char *ptr, size_t len)
{
	if (len > 0)
		memcpy(to, ptr, len);
	return to + len;
}

/* Writes the record with its edit applied to memory, which has room for JSON_PADDING bytes more,
 * and lets the record point there. Sets moved to the parts of the message that are not edited. */
static void
move_to(struct record *record, char *memory, struct json_value moved[MESSAGE_LONG])
{
	struct str raw = record->line.raw, text = record->line.text;
	size_t before = (size_t)(text.ptr - raw.ptr), behind = before + text.len;
	char *to = put(memory, raw.ptr, before);
	struct json_pieces pieces;

	if (record->edit == NULL) {
		to = put(to, text.ptr, text.len);
	} else {
		json_pieces_open(&pieces, record->edit);
		while (json_pieces_next(&pieces)) {
			if (pieces.is_kept && record->message != NULL)
				message_note_moved(record->message, pieces.piece, to, moved);
			to = put(to, pieces.piece.ptr, pieces.piece.len);
		}
	}
	record->line.text = str_of(memory + before, (size_t)(to - memory) - before);
	to = put(to, raw.ptr + behind, raw.len - behind);
	record->line.raw = str_of(memory, (size_t)(to - memory));
	memset(to, 0, JSON_PADDING);
	record->edit = NULL;
}

static void
move_without_message(struct record *record, char *memory)
{
	struct json_value moved[MESSAGE_LONG];

	record->message = NULL;
	move_to(record, memory, moved);
}

void
record_write(struct record *record, char *memory, struct message *storage)
{
	struct json_value moved[MESSAGE_LONG] = {{.type = JSON_ABSENT}};
	const struct message *before = record->message;

	move_to(record, memory, moved);
	if (before != NULL) {
		message_reread_moved(storage, record->line.text, before, moved);
		record->message = storage;
	}
}

void
record_settle(struct record *record, struct buf *buf)
{
	size_t len = record_written_len(record);

	if (record->edit == NULL)
		return;
	buf_reset(buf);
	move_without_message(record, buf_reserve(buf, len + JSON_PADDING));
	buf->len = len;
	record->block = NULL;
}

void
record_hold(struct record *held, const struct record *record)
{
	*held = *record;
	if (held->edit == NULL && held->block != NULL && !held->is_scattered) {
		held->message = NULL;
		block_keep(held->block);
	} else {
		held->block = block_new(record_written_len(record));
		move_without_message(held, held->block->bytes);
		held->is_scattered = false;
	}
}

void
record_release(struct record *held)
{
	block_drop(held->block);
	held->block = NULL;
}

void
record_make(struct record *record, const struct line *at, struct str text)
{
	size_t end = text.len > 0 && text.ptr[text.len - 1] == '\n';

	*record = (struct record){.line = {.raw = text,
				      .text = str_of(text.ptr, text.len - end),
				      .file = at->file,
				      .number = at->number},
	    .kind = RECORD_MESSAGE,
	    .state = RECORD_ADDED};
}

void
record_respell(
    struct record *record, const struct line *at, struct str text, struct message *message)
{
	record_make(record, at, text);
	record->line.place = at->place;
	if (message != NULL)
		record->kind = record_message(record, message)->kind;
	if (record->kind == RECORD_MESSAGE)
		record->state = RECORD_CHANGED;
}

struct hash
record_id_hash(struct json_value id)
{
	struct buf scratch = BUF_INIT;
	struct hash hash = hash_bytes(call_id_text(id, &scratch), hash_seed(HASH_MESSAGE_ID));

	buf_free(&scratch);
	return hash;
}
