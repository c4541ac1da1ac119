#include "dialects/dialect.h"

#include <stdarg.h>
#include <stdio.h>

#define IF_yes(text) text,
#define IF_no(text)
#define ADDRESS(row, name, reads, writes) &row,
#define READER(row, name, reads, writes) IF_##reads(&row)
#define WRITER(row, name, reads, writes) IF_##writes(&row)
#define READER_NAME(row, name, reads, writes) IF_##reads(name)
#define WRITER_NAME(row, name, reads, writes) IF_##writes(name)

static const struct dialect *const table[] = {DIALECT_TABLE(ADDRESS)};
const struct dialect *const dialect_readers[] = {DIALECT_TABLE(READER)};
const struct dialect *const dialect_writers[] = {DIALECT_TABLE(WRITER)};
const char *const dialect_reader_names[] = {DIALECT_TABLE(READER_NAME) NULL};
const char *const dialect_writer_names[] = {DIALECT_TABLE(WRITER_NAME) NULL};

enum dialect_sign
dialect_sign_of(const struct dialect *dialect, struct json_value record)
{
	return dialect->sign != NULL ? dialect->sign(record) :
				       dialect_sign_tell(dialect->name, record);
}

const struct dialect *
dialect_detect(struct json_value record)
{
	const struct dialect *best = NULL;
	enum dialect_sign best_sign = DIALECT_SIGN_NONE;

	dialect_sign_hold(record);
	for (unsigned i = 0; i < DIALECT_COUNT; i++) {
		enum dialect_sign sign = dialect_sign_of(table[i], record);

		/* A message of an agent may also be a message of an API. */
		if (sign > best_sign ||
		    (sign == DIALECT_SIGN_CERTAIN && best != NULL && best->is_chat &&
			!table[i]->is_chat)) {
			best = table[i];
			best_sign = sign;
		}
	}
	dialect_sign_release();
	return best;
}

bool
dialect_takes(const struct dialect *dialect, struct json_value message)
{
	return (dialect->takes != NULL && dialect->takes(message)) ||
	    (dialect->takes_inside != NULL && dialect->takes_inside(message));
}

bool
dialect_is_other(const struct dialect *dialect, struct json_value record)
{
	const struct dialect *told;

	if (dialect_sign_of(dialect, record) > DIALECT_SIGN_NONE)
		return false;
	told = dialect_detect(record);
	return told != NULL && told->rows != NULL;
}

const struct dialect *
dialect_read_message(struct chat *chat, const struct line *line, const struct message *message)
{
	for (unsigned i = 0; i < DIALECT_COUNT; i++)
		if (table[i]->read_message != NULL && table[i]->read_message(chat, line, message))
			return table[i];
	return NULL;
}

const struct dialect *
dialect_read_record(struct chat *chat, const struct line *line, struct json_value record)
{
	for (unsigned i = 0; i < DIALECT_COUNT; i++)
		if (table[i]->read_record != NULL && table[i]->read_record(chat, line, record))
			return table[i];
	return NULL;
}

void
dialect_note_other(
    struct dialect_reading *reading, const struct dialect *dialect, const struct line *line)
{
	if (reading->other != NULL)
		return;
	reading->other = dialect;
	reading->other_line = (struct line){.file = line->file, .number = line->number};
}

void
dialect_note_flaw(struct dialect_reading *reading, const struct line *line, const char *format, ...)
{
	struct dialect_flaw flaw = {.file = line->file, .line = line->number};
	va_list args;

	va_start(args, format);
	vsnprintf(flaw.what, sizeof flaw.what, format, args);
	va_end(args);
	buf_add(&reading->flaws, &flaw, sizeof flaw);
}

void
dialect_note_late(struct dialect_reading *reading, const struct line *line)
{
	dialect_note_flaw(reading, line,
	    "takes back messages that were already written, since it was appended meanwhile: read "
	    "the file again");
}

void
dialect_emit_of(struct stage *stage, const struct line *line, struct buf *text,
    const struct json_value *session, uint8_t read, const struct message *message)
{
	struct record record;
	struct message own;

	buf_add_char(text, '\n');
	buf_pad(text);
	record_respell(&record, line, buf_str(text), NULL);
	if (message == NULL)
		message_read_made(&own, record.line.text);
	record.message = message != NULL ? message : &own;
	record.kind = record.message->kind;
	if (record.kind != RECORD_MESSAGE)
		record.state = RECORD_ADDED;
	record.session = session;
	record.read = read;
	stage_emit(stage, &record);
}

void
dialect_emit(struct stage *stage, const struct line *line, struct buf *text)
{
	dialect_emit_of(stage, line, text, NULL, 0, NULL);
}

void
dialect_set_aside(struct stage *stage, struct record *record)
{
	record->state = RECORD_ASIDE;
	stage_emit(stage, record);
}

const struct message *
dialect_message(struct stage *stage, struct record *record, struct message *read)
{
	const struct message *message = NULL;

	if (record->kind == RECORD_MESSAGE)
		message = record_message(record, read);
	if (record->kind == RECORD_BAD || record->kind == RECORD_FOREIGN ||
	    (message != NULL && message->role == ROLE_OTHER)) {
		dialect_set_aside(stage, record);
		return NULL;
	}
	return message;
}
