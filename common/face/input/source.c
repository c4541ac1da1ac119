#include "face/input/source.h"

#include "base/diag.h"
#include "base/file.h"
#include "base/text/shell_word.h"
#include "dialects/likeness.h"

enum { REPORTED_MAX = 10 }; /* so many bad lines are named one by one */

/* Reports a packed file that is not whole, whose records were read, and goes on. Any other fault of
 * an operand ends the input. */
static void
pass_torn(struct input_passer *passer, struct input *in)
{
	struct source *source = (struct source *)((char *)passer - offsetof(struct source, passer));

	if (!in->is_torn)
		return;
	diag_warn("%.*s", STR_ARG(buf_str(&in->fault->text)));
	source->status = status_worse(source->status, in->fault->status);
	fault_free(in->fault);
}

void
source_init(struct source *source, char *const *operand, unsigned count, struct fault *fault)
{
	*source = (struct source){.passer = {.take = pass_torn}};
	message_init();
	input_init(&source->in, operand, count, fault);
	source->in.passer = &source->passer;
}

void
source_init_fed(struct source *source, struct fault *fault)
{
	source_init(source, NULL, 0, fault);
	source->in.operand_count = 0;
	source->in.operand_next = 1; /* it is read */
}

bool
source_fill(struct source *source)
{
	return !source->has_stopped && input_fill(&source->in);
}

static void
classify(struct source *source, const struct line *line)
{
	struct message *message = &source->message;

	if (line->more || line->continued || line->text.len > source->in.line_max) {
		message->kind = RECORD_BAD;
		message->error = "line longer than --max-line";
		message->error_at = source->in.line_max;
	} else {
		message_parse(message, line->text);
	}
}

/* Takes the next line at hand and reads it. A valid record takes one pass over its bytes, which is
 * the common case: the scan finds the end of the line. Returns false when there is no line. */
static bool
take_line(struct source *source, struct line *line)
{
	struct str rest = input_rest(&source->in);
	size_t len = 0;

	if (rest.len > source->in.line_max)
		rest.len = source->in.line_max;
	if (rest.len > 0 && *rest.ptr == '{')
		len = message_parse_line(
		    &source->message, rest, source->notes_spans ? &source->spans : NULL);
	if (len > 0) {
		input_take(&source->in, line, len);
		return true;
	}
	if (!input_next(&source->in, line))
		return false;
	classify(source, line);
	return true;
}

/* Whether the record is the first of its operand that is not blank. */
static bool
begin_operand(struct source *source, enum record_kind kind)
{
	if (kind == RECORD_BLANK || source->operand_begun == source->in.operand_next)
		return false;
	source->operand_begun = source->in.operand_next;
	if (source->looks.what != NULL && !source->looks.is_certain &&
	    source->counts.messages > source->looks_before)
		source->looks.what = NULL;
	return true;
}

/* Notes the likely format of an operand that begins with a bad line. The first such operand
 * counts. */
static void
note_looks(struct source *source, enum record_kind kind, const struct line *line)
{
	if (source->looks.what != NULL || kind != RECORD_BAD)
		return;
	source->looks = looks_of(line);
	source->looks_file = line->file;
	source->looks_before = source->counts.messages;
}

static void
count(struct source *source, const struct message *message, const struct line *line)
{
	struct source_counts *counts = &source->counts;

	counts->records +=
	    message->kind != RECORD_BLANK && message->kind != RECORD_SOURCE && !line->continued;
	switch (message->kind) {
	case RECORD_MESSAGE:
		counts->messages++;
		odd_records_note(&source->odd, message, line);
		break;
	case RECORD_CONTEXT:
		counts->contexts++;
		break;
	case RECORD_BUDGET:
		counts->budgets++;
		break;
	case RECORD_FOREIGN:
		counts->foreign++;
		odd_records_note(&source->odd, message, line);
		break;
	case RECORD_BAD:
		if (source->still_grows && !str_has_suffix(line->raw, STR("\n")))
			counts->bad++;
		else if (!line->continued && (counts->bad++ < REPORTED_MAX || source->names_all))
			diag_warn_at(line->file, line->number, "%s, at byte %zu", message->error,
			    message->error_at + 1);
		break;
	case RECORD_SOURCE:
	case RECORD_BLANK:
		break;
	}
}

/* Takes the next record at hand. Returns false when there is none. */
static bool
take_next(struct source *source, struct record *record)
{
	enum values_state state = values_next(&source->values, &source->in, record);
	bool is_first;

	if (state == VALUES_NONE) {
		if (!take_line(source, &record->line))
			return false;
		is_first = begin_operand(source, source->message.kind);
		if (source->message.kind == RECORD_BAD)
			state = values_begin(&source->values, &source->in, record, is_first);
		if (state == VALUES_NONE && is_first)
			note_looks(source, source->message.kind, &record->line);
	}
	if (state == VALUES_TAKEN) {
		classify(source, &record->line);
		begin_operand(source, source->message.kind);
	}
	return state != VALUES_WAIT;
}

/* Looks, where the stream has ended before its first bad line, whether another one follows: then
 * the first one is no torn line. */
static void
look_on(struct source *source)
{
	struct line next;

	if (!source->looks.goes_on || !input_next(&source->in, &next))
		return;
	classify(source, &next);
	source->looks.goes_on = source->message.kind != RECORD_BAD;
}

/* Counts the record. Returns false when the stream ends before it. */
static bool
enter(struct source *source, struct record *record)
{
	record->read = 0;
	record->is_forgotten = record->begins = record->is_scattered = false;
	record->session = NULL;
	record->line.place = ++source->places;
	count(source, record->message, &record->line);
	record->kind = record->message->kind;
	source->has_stopped = record->kind == RECORD_BAD &&
	    (source->stops_at_bad || (source->stops_at_long && record->line.more));
	if (source->has_stopped)
		look_on(source);
	if (source->has_stopped && source->in.sums != NULL)
		sums_drop(source->in.sums, NULL); /* not all of the file is read */
	return !source->has_stopped;
}

bool
source_next(struct source *source, struct record *record)
{
	if (source->has_stopped)
		return false;
	record->state = RECORD_GIVEN;
	record->edit = NULL;
	record->message = &source->message;
	record->block = source->in.block;
	if (!take_next(source, record))
		return false;
	return enter(source, record);
}

/* Parses a record of another run again, if the parsed message is gone, or is of another text. */
static void
read_fed(struct source *source, struct record *record)
{
	bool is_valid = record->kind != RECORD_BAD && record->kind != RECORD_BLANK &&
	    record->state == RECORD_GIVEN;

	if (record->message != NULL && record->kind == record->message->kind)
		return;
	record->message = &source->message;
	if (is_valid && record->line.text.len <= source->in.line_max)
		message_reread(&source->message, record->line.text);
	else
		classify(source, &record->line);
}

bool
source_feed(struct source *source, struct record *record)
{
	if (source->has_stopped)
		return false;
	input_feed(&source->in, &record->line);
	read_fed(source, record);
	if (begin_operand(source, record->message->kind))
		note_looks(source, record->message->kind, &record->line);
	record->state = RECORD_GIVEN;
	return enter(source, record);
}

void
source_drain(struct source *source)
{
	struct record record;

	while (source_fill(source))
		while (source_next(source, &record))
			;
}

/* Appends this command, as the end of a pipe. */
static void
add_piped(const struct source *source, struct buf *text)
{
	buf_add_fmt(text, " | %s%s%s", diag_program(), source->piped != NULL ? " " : "",
	    source->piped != NULL ? source->piped : "");
}

/* Reports the likely format of input without records, and the command for it. */
static void
say_looks(const struct source *source)
{
	struct buf text = BUF_INIT;

	if (source->looks.what == NULL || (source->looks.goes_on && source->counts.bad < 2) ||
	    (!source->looks.is_certain && source->counts.messages > source->looks_before))
		return;
	looks_say(&source->looks, source->looks_file, &text);
	if (source->looks.how != NULL)
		add_piped(source, &text);
	diag_warn_at(source->looks_file, 0, "%.*s", STR_ARG(buf_str(&text)));
	buf_free(&text);
}

/* Appends the rest of a suggested command line after the reader of a format: the operand, and the
 * destination of its canonical lines. Files that are replaced, or read beside the operands, need a
 * new file; a command that reads documents is the reader itself. */
static void
add_rest(const struct source *source, struct buf *text)
{
	const struct input *in = &source->in;
	const char *file = source->named;

	if (file == NULL && in->operand_count == 1)
		file = in->operand[0];
	if (file != NULL && !file_is_stdin(file)) {
		buf_add_char(text, ' ');
		shell_word_add_file(text, file);
	} else if (in->operand_count > 1) {
		buf_add_str(text, STR(" FILE..."));
	}
	if (in->lent >= 0 || source->named != NULL)
		buf_add_str(text, STR(" >NEW"));
	else if (!source->values.is_used || source->values.keeps_lines)
		add_piped(source, text);
	if (source->only_looks != NULL && in->lent < 0)
		buf_add_fmt(text, ", or only look, with %s", source->only_looks);
}

void
source_write_looks(const struct source *source, const char *name, struct buf *text)
{
	likeness_write(name, text);
	if (!likeness_is_read(name))
		return;
	buf_add_fmt(text, ", try ctx-normalize --from %s", name);
	add_rest(source, text);
}

void
source_report_empty(const struct source *source, const char *name, const char *file)
{
	struct buf looks = BUF_INIT;

	if (name != NULL) {
		buf_add_str(&looks, STR("; "));
		source_write_looks(source, name, &looks);
	} else if (file == NULL) {
		buf_add_str(&looks, STR(" in the input"));
	}
	diag_warn_at(file, 0, "no messages%.*s", STR_ARG(buf_str(&looks)));
	buf_free(&looks);
}

static bool
has_messages(const struct source *source)
{
	const struct source_counts *counts = &source->counts;

	return counts->messages + counts->contexts + counts->budgets > 0;
}

bool
source_is_other(const struct source *source)
{
	if (source->any_dialect)
		return false;
	if (!has_messages(source))
		return source->counts.foreign > 0;
	return odd_records_are_any(&source->odd);
}

enum status
source_end(const struct source *source)
{
	const struct source_counts *counts = &source->counts;
	bool is_other = source_is_other(source);

	if (counts->bad > REPORTED_MAX && !source->names_all)
		diag_warn("and %ju more bad lines", (uintmax_t)(counts->bad - REPORTED_MAX));
	say_looks(source);
	if (is_other && !(has_messages(source) && odd_records_say(&source->odd)))
		source_report_empty(source, source->odd.looks_like, source->named);
	return status_worse(source->status, is_other || counts->bad > 0 ? STATUS_DATA : STATUS_OK);
}

void
source_free(struct source *source)
{
	input_free(&source->in);
	buf_free(&source->values.unfolded);
}
