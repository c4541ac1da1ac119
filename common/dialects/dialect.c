#include "dialects/dialect.h"

#include <stdio.h>

#include "json/write.h"

#define DIALECT_ADDRESS(name) &name,
static const struct dialect *const table[] = {DIALECT_TABLE(DIALECT_ADDRESS)};

static void
add_choice(struct dialect_choices *choices, unsigned *count, const struct dialect *dialect)
{
	choices->dialect[*count] = dialect;
	choices->name[(*count)++] = dialect->name;
	choices->name[*count] = NULL;
}

/* Writes the help: "a (default), b, c or d". */
static void
describe(struct dialect_choices *choices, unsigned count)
{
	size_t len = 0;

	for (unsigned i = 0; i < count && len < sizeof choices->help; i++) {
		const char *before = i + 1 == count ? " or " : ", ";

		len += (size_t)snprintf(choices->help + len, sizeof choices->help - len, "%s%s%s",
		    i > 0 ? before : "", choices->name[i], i == 0 ? " (default)" : "");
	}
}

static void
choose(struct dialect_choices *choices, bool writers)
{
	unsigned count = 0;

	for (unsigned i = 0; i < DIALECT_COUNT; i++)
		if (writers ? table[i]->writer != NULL : table[i]->reader != NULL)
			add_choice(choices, &count, table[i]);
	describe(choices, count);
}

void
dialect_choose_readers(struct dialect_choices *choices)
{
	choose(choices, false);
}

void
dialect_choose_writers(struct dialect_choices *choices)
{
	choose(choices, true);
}

const struct dialect *
dialect_detect(struct json_value record)
{
	const struct dialect *best = NULL;
	enum dialect_sign best_sign = DIALECT_SIGN_NONE;

	for (unsigned i = 0; i < DIALECT_COUNT; i++) {
		enum dialect_sign sign =
		    table[i]->sign != NULL ? table[i]->sign(record) : DIALECT_SIGN_NONE;

		if (sign > best_sign) {
			best = table[i];
			best_sign = sign;
		}
	}
	return best;
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
dialect_write_system(struct buf *text, struct json_value content)
{
	struct json_writer w;

	buf_reset(text);
	json_writer_init(&w, text);
	json_open(&w, '{');
	json_member_string(&w, STR("role"), STR("system"));
	json_member_raw(&w, STR("content"), json_span(content));
	json_close(&w);
}

void
dialect_emit(struct stage *stage, const struct line *line, struct buf *text)
{
	struct record record;
	struct message message;

	buf_add_char(text, '\n');
	buf_pad(text);
	record_respell(&record, line, buf_str(text), &message);
	stage_emit(stage, &record);
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
