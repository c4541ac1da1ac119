/*
 * The reader for input of unknown dialect. The chat reader reads messages and requests, and finds
 * the dialect of each. Lines of a log, which has a dialect without chat messages, go to the reader
 * of that dialect. Canonical records pass through the log reader so that they keep their places:
 *
 *     messages -> chat -.
 *     other lines --------> log -> next          log is set by a line of a log's dialect
 *
 * The first line of an operand with the sign of a dialect decides for the operand. If that is a
 * chat dialect, a later line may still decide for a log: a line that no chat reader understands but
 * that may be part of a conversation (unread_speaks), or a message with parts of a library whose
 * other messages look like an API's.
 */

#include <stdlib.h>

#include "base/mem.h"
#include "dialects/request/chat.h"
#include "dialects/dialect_reader.h"
#include "dialects/unread.h"
#include "json/json_hold.h"
#include "stream/sums.h"

struct reader {
	struct dialect_stage base;
	struct dialect_reading *reading;
	struct dialect_stage *chat;
	struct dialect_stage *log;    /* the log reader, or NULL */
	const struct dialect *of_log; /* the dialect that log reads */
	const char *file;             /* the operand that is read */
	bool is_told;                 /* a line of the operand had the sign of a dialect */
	bool is_log;                  /* the operand is of the dialect of_log */
};

static void
link_to(struct dialect_stage *from, struct stage *next, const struct reader *reader)
{
	from->stage.next = next;
	from->stage.fault = reader->base.stage.fault;
}

static void
choose(struct reader *reader, const struct dialect *dialect)
{
	reader->is_log = true;
	if (reader->of_log == dialect)
		return;
	if (reader->log != NULL) {
		reader->log->stage.end(&reader->log->stage);
		reader->log->free(reader->log);
	}
	reader->of_log = dialect;
	reader->log = dialect_reader_open(dialect, reader->reading);
	link_to(reader->log, reader->base.stage.next, reader);
	link_to(reader->chat, &reader->log->stage, reader);
}

static bool
has_word(struct str text, const char *words)
{
	struct str word;

	while (str_take_word(&words, ' ', &word))
		if (str_find(text, word) != NULL)
			return true;
	return false;
}

/* Whether a line of an operand of a chat dialect may decide for another dialect. */
static bool
may_tell(const struct record *record)
{
	const struct message *message = record->message;

	if (record->kind == RECORD_FOREIGN)
		return unread_speaks(message->value);
	for (size_t i = 0; message->content.type == JSON_ARRAY && dialect_reader_names[i] != NULL;
	     i++)
		if (dialect_readers[i]->late != NULL &&
		    has_word(json_span(message->content), dialect_readers[i]->late) &&
		    dialect_readers[i]->takes(message->value))
			return true;
	return false;
}

static void
find_dialect(struct reader *reader, const struct record *record)
{
	const struct dialect *dialect;

	if (reader->file != record->line.file)
		reader->is_told = reader->is_log = false;
	reader->file = record->line.file;
	if (reader->is_log || record->kind == RECORD_BAD || record->kind == RECORD_BLANK)
		return;
	if (reader->is_told && !may_tell(record))
		return;
	dialect = dialect_detect(record->message->value);
	reader->is_told |= dialect != NULL;
	if (dialect != NULL && !dialect->is_chat)
		choose(reader, dialect);
	else if (dialect != NULL && reader->reading->sums != NULL)
		sums_drop(reader->reading->sums, reader->file);
}

/* Whether the record is a chat message, or holds some, and is no record of the log's dialect. */
static bool
is_chat(const struct reader *reader, const struct record *record)
{
	const struct dialect *log = reader->is_log ? reader->of_log : NULL;

	if (record->kind == RECORD_MESSAGE && log != NULL &&
	    dialect_takes(log, record->message->value))
		return false;
	if (record->kind == RECORD_FOREIGN && !record->message->may_hold)
		return false;
	if (record->kind == RECORD_FOREIGN && log != NULL && log->rows != NULL &&
	    dialect_sign_of(log, record->message->value) >= DIALECT_SIGN_CLEAR)
		return false;
	return record->kind == RECORD_MESSAGE ||
	    (record->kind == RECORD_FOREIGN &&
		(chat_is_collection(record->message->value) ||
		    chat_is_session(record->message->value)));
}

static void
take(struct stage *stage, struct record *record)
{
	struct reader *reader = (struct reader *)stage;
	struct dialect_stage *to;
	bool is_held = false;

	if (reader->chat == NULL) {
		reader->chat = dialect_reader_open(&openai_dialect, reader->reading);
		link_to(reader->chat, stage->next, reader);
	}
	if (record->kind == RECORD_FOREIGN || record->kind == RECORD_MESSAGE)
		is_held = json_hold(json_span(record->message->value));
	find_dialect(reader, record);
	to = reader->is_log && !is_chat(reader, record) ? reader->log : reader->chat;
	to->stage.take(&to->stage, record);
	if (is_held)
		json_release();
}

static void
end(struct stage *stage)
{
	struct reader *reader = (struct reader *)stage;

	if (reader->log != NULL)
		reader->log->stage.end(&reader->log->stage);
}

static void
free_reader(struct dialect_stage *base)
{
	struct reader *reader = (struct reader *)base;

	if (reader->chat != NULL)
		reader->chat->free(reader->chat);
	if (reader->log != NULL)
		reader->log->free(reader->log);
	free(reader);
}

static struct dialect_stage *
reader(struct dialect_reading *reading)
{
	struct reader *reader = mem_alloc(1, sizeof *reader);

	*reader = (struct reader){
	    .base = {.stage = {.take = take, .end = end}, .free = free_reader}, .reading = reading};
	return &reader->base;
}

const struct dialect auto_dialect = {.name = "auto", .reader = reader};
