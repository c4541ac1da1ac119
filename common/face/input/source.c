#include "face/input/source.h"

#include "base/diag.h"
#include "base/text/shell_word.h"
#include "dialects/request/chat.h"
#include "dialects/likeness.h"
#include "dialects/unread.h"

enum {
	REPORTED_MAX = 10, /* so many bad lines are named one by one */
	GUESSED_MAX = 10,  /* the dialect is guessed from so many foreign records */
};

void
source_init(struct source *source, char *const *operand, unsigned count, struct fault *fault)
{
	*source = (struct source){.operand_begun = 0};
	message_init();
	input_init(&source->in, operand, count, fault);
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

/* Takes a valid record in one pass over its bytes, which is the common case: the scan finds the end
 * of the line. */
static bool
take_valid(struct source *source, struct line *line)
{
	struct str rest = input_rest(&source->in);
	size_t len;

	if (rest.len > source->in.line_max)
		rest.len = source->in.line_max;
	if (rest.len == 0 || *rest.ptr != '{')
		return false;
	len = message_parse_line(&source->message, rest);
	if (len == 0)
		return false;
	input_take(&source->in, line, len);
	return true;
}

static size_t
skip_blanks(struct str bytes, size_t at)
{
	while (at < bytes.len &&
	    (bytes.ptr[at] == ' ' || bytes.ptr[at] == '\t' || bytes.ptr[at] == '\r'))
		at++;
	return at;
}

/* Where the value begins in the bytes at hand: behind a byte order mark. */
static size_t
find_value(const struct source *source, struct str bytes)
{
	return source->in.file_start && str_has_prefix(bytes, input_bom) ? input_bom.len : 0;
}

/* Hands out the first len bytes at hand. value is what they hold, and stands in source->unfolded on
 * one line: that is the record. */
static void
take_unfolded(
    struct source *source, struct str bytes, size_t len, struct str value, struct record *record)
{
	struct line *line = &record->line;
	size_t line_number = source->in.line_number + 1;

	for (const char *p = bytes.ptr; p < value.ptr; p++)
		line_number += *p == '\n';
	input_take_lines(&source->in, line, len);
	line->raw = line->text = buf_str(&source->unfolded);
	line->number = line_number;
	record->state = RECORD_ADDED;
	record->block = NULL;
	if (memchr(value.ptr, '\n', value.len) != NULL && source->folded++ == 0)
		source->folded_line = (struct line){.file = line->file, .number = line_number};
}

/* The length of the bytes up to len, the end of a value, and of the rest of its line when that is
 * blank. */
static size_t
line_end(struct str bytes, size_t len)
{
	len = skip_blanks(bytes, len);
	return len + (len < bytes.len && bytes.ptr[len] == '\n');
}

/* Hands out the first len bytes at hand, which end with a value, and the blanks behind it. */
static void
take_value(struct source *source, struct str bytes, size_t len, struct record *record)
{
	struct str value = str_trim(str_of(bytes.ptr, len));

	len = line_end(bytes, len);
	source->has_values = true;
	document_init(&source->document);
	if (memchr(bytes.ptr, '\n', len - 1) == NULL)
		input_take_lines(&source->in, &record->line, len); /* a line like others */
	else
		take_unfolded(source, bytes, len, value, record);
}

/* Takes the next value over several lines. Returns false when it is not at hand, or there is none:
 * then reads_values is false, and lines are taken one by one. */
static bool
take_folded(struct source *source, struct record *record)
{
	struct input *in = &source->in;
	bool is_last;
	struct str bytes = input_at_hand(in, &is_last);
	size_t start = find_value(source, bytes);
	struct str rest = str_of(bytes.ptr + start, bytes.len - start);
	enum document_state state;

	if (bytes.len == 0 && !is_last)
		return false;
	state = document_read(&source->document, rest);
	if (state != DOCUMENT_BROKEN && !is_last && rest.len <= in->line_max &&
	    skip_blanks(rest, source->document.at) == rest.len)
		return false; /* the value goes on, or its line does */
	if (state == DOCUMENT_WHOLE && source->document.at <= in->line_max &&
	    document_unfold(str_of(rest.ptr, source->document.at), &source->unfolded)) {
		take_value(source, bytes, start + source->document.at, record);
		return true;
	}
	source->reads_values = false;
	return false;
}

/* Whether the operand, of which nothing was taken, begins with an array; it is open then. */
static bool
begins_array(struct source *source)
{
	struct input *in = &source->in;
	bool is_last;
	struct str bytes = input_at_hand(in, &is_last);
	size_t start = find_value(source, bytes);

	if (!source->any_array || !in->file_start || bytes.len <= start ||
	    source->operand_searched == in->operand_next)
		return false;
	source->operand_searched = in->operand_next;
	return array_open(&source->array, str_of(bytes.ptr + start, bytes.len - start));
}

/* Takes the next element of an array. Returns false when it is not at hand, or there is none that
 * can be read: then the array is not open any more, and what is left of it is read as any other
 * input. */
static bool
take_element(struct source *source, struct record *record)
{
	struct input *in = &source->in;
	bool is_first = source->array.is_first, is_last;
	struct str value, bytes = input_at_hand(in, &is_last);
	size_t len, start = find_value(source, bytes);
	struct str rest = str_of(bytes.ptr + start, bytes.len - start);
	enum document_state state = array_next(&source->array, rest, &value, &len);

	if (state == DOCUMENT_MORE && !is_last && rest.len <= in->line_max)
		return false;
	source->array.is_open = state == DOCUMENT_ELEMENT;
	if (state == DOCUMENT_MORE || state == DOCUMENT_BROKEN || value.len > in->line_max ||
	    !document_unfold(value, &source->unfolded) ||
	    (is_first && !chat_is_session(json_value_at(source->unfolded.ptr)))) {
		source->array.is_open = false;
		return false;
	}
	len += start;
	take_unfolded(
	    source, bytes, state == DOCUMENT_WHOLE ? line_end(bytes, len) : len, value, record);
	return true;
}

/* Whether the line may begin a value over several lines: as the first of its operand, or, behind
 * such values, where it is not indented. */
static bool
may_be_folded(const struct source *source, const struct line *line, bool is_first)
{
	return source->any_document && source->message.kind == RECORD_BAD &&
	    (is_first ||
		(source->has_values && line->raw.len > 0 &&
		    (line->raw.ptr[0] == '{' || line->raw.ptr[0] == '['))) &&
	    document_begins(line);
}

/* Whether the record is the first of its operand that is not blank. */
static bool
begin_operand(struct source *source, enum record_kind kind)
{
	if (kind == RECORD_BLANK || source->operand_begun == source->in.operand_next)
		return false;
	source->operand_begun = source->in.operand_next;
	source->has_values = false;
	if (source->looks.what != NULL && !source->looks.is_certain &&
	    source->counts.messages > source->looks_before)
		source->looks.what = NULL;
	return true;
}

/* Notes what an operand looks like that begins with a bad line. The first such operand counts. */
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
report_bad(struct source *source, const struct message *message, const struct line *line)
{
	if (++source->counts.bad <= REPORTED_MAX || source->names_all)
		diag_warn_at(line->file, line->number, "%s, at byte %zu", message->error,
		    message->error_at + 1);
}

static void
note_odd(struct source *source, enum source_odd odd, const char *looks, const struct line *line)
{
	struct source_oddity *oddity = &source->odd[odd];

	if (oddity->count++ > 0)
		return;
	oddity->line = (struct line){.file = line->file, .number = line->number};
	oddity->looks = looks;
}

/* A filter would pass the record as if nobody spoke in it. */
static void
note_mixed(struct source *source, struct json_value record, const struct line *line)
{
	const char *name;

	if (source->reads_others || !(unread_speaks(record) || unread_has_message(record)))
		return;
	name = likeness_name(record);
	if (name != NULL)
		note_odd(source, SOURCE_MIXED, name, line);
}

/* Messages of a dialect whose calls and results are blocks pass alone: that is one format, and so
 * is what a filter marked or put there. Members that only canonical messages have make a mixture.
 */
static void
note_message(struct source *source, const struct message *message, const struct line *line)
{
	const struct dialect *dialect;

	if (!message_has_text(message) && message_is_unknown(message)) {
		note_odd(source, SOURCE_UNKNOWN, likeness_name(message->value), line);
	} else if (message->has_metadata || message->tool_calls.type == JSON_ARRAY ||
	    message->tool_call_id.type == JSON_STRING) {
		source->has_canonical |= !message_is(message, METADATA_COMPACTED);
	} else if (message->content.type == JSON_ARRAY && !source->reads_others) {
		dialect = dialect_detect(message->value);
		if (dialect != NULL && dialect->sign(message->value) == DIALECT_SIGN_CERTAIN)
			note_odd(source, SOURCE_BLOCKS, dialect->name, line);
	}
}

static void
count(struct source *source, const struct message *message, const struct line *line)
{
	struct source_counts *counts = &source->counts;

	counts->records += message->kind != RECORD_BLANK && !line->continued;
	switch (message->kind) {
	case RECORD_MESSAGE:
		counts->messages++;
		note_message(source, message, line);
		break;
	case RECORD_CONTEXT:
		counts->contexts++;
		break;
	case RECORD_BUDGET:
		counts->budgets++;
		break;
	case RECORD_FOREIGN:
		if (counts->foreign++ - source->foreign_before < GUESSED_MAX &&
		    source->looks_like == NULL)
			source->looks_like = likeness_name(message->value);
		note_mixed(source, message->value, line);
		break;
	case RECORD_BAD:
		if (!line->continued)
			report_bad(source, message, line);
		break;
	case RECORD_BLANK:
		break;
	}
}

/* Takes the next record at hand. Returns false when there is none. */
static bool
take_next(struct source *source, struct record *record)
{
	struct line *line = &record->line;
	bool is_first;

	if (source->array.is_open || begins_array(source)) {
		if (take_element(source, record)) {
			classify(source, line);
			begin_operand(source, source->message.kind);
			source->has_values = true;
			return true;
		}
		if (source->array.is_open)
			return false;
	}
	if (source->reads_values && take_folded(source, record)) {
		classify(source, line);
		return true;
	}
	if (source->reads_values)
		return false;
	if (!take_valid(source, line)) {
		if (!input_next(&source->in, line))
			return false;
		classify(source, line);
	}
	is_first = begin_operand(source, source->message.kind);
	if (may_be_folded(source, line, is_first)) {
		input_take_back(&source->in, line);
		document_init(&source->document);
		source->reads_values = true;
		if (take_folded(source, record)) {
			classify(source, line);
			return true;
		}
		if (source->reads_values)
			return false;
		input_next(&source->in, line);
		classify(source, line);
	}
	if (is_first)
		note_looks(source, source->message.kind, line);
	return true;
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
	record->line.place = ++source->places;
	count(source, record->message, &record->line);
	record->kind = record->message->kind;
	source->has_stopped = record->kind == RECORD_BAD &&
	    (source->stops_at_bad || (source->stops_at_long && record->line.more));
	if (source->has_stopped)
		look_on(source);
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
	record->is_scattered = false;
	if (!take_next(source, record))
		return false;
	return enter(source, record);
}

/* Reads a record of another run, if what was read there is gone, or is of another text. */
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
	record->is_scattered = false;
	return enter(source, record);
}

void
source_tell(struct source *source)
{
	struct record record;

	while (source_fill(source))
		while (source_next(source, &record))
			;
}

/* Says what input without records looks like, and what to type. */
static void
say_looks(const struct source *source)
{
	struct buf text = BUF_INIT;

	if (source->looks.what == NULL || (source->looks.goes_on && source->counts.bad < 2) ||
	    (!source->looks.is_certain && source->counts.messages > source->looks_before))
		return;
	looks_say(&source->looks, source->looks_file, diag_program(), &text);
	diag_warn_at(source->looks_file, 0, "%.*s", STR_ARG(buf_str(&text)));
	buf_free(&text);
}

static bool
has_odd(const struct source *source, enum source_odd odd)
{
	return source->odd[odd].count > 0 && (odd != SOURCE_BLOCKS || source->has_canonical);
}

bool
source_say_odd(const struct source *source, bool has_messages)
{
	static const struct {
		const char *code, *what;
	} row[SOURCE_ODDS] = {
	    [SOURCE_UNKNOWN] = {"unknown-shape", "messages with a role without content"},
	    [SOURCE_MIXED] = {"other-dialect", "records of another dialect beside messages"},
	    [SOURCE_BLOCKS] = {"other-dialect",
		"messages of another dialect beside canonical ones"},
	};
	bool has_any = false;

	for (enum source_odd odd = 0; odd < SOURCE_ODDS && has_messages; odd++) {
		const struct source_oddity *oddity = &source->odd[odd];
		const char *name = oddity->looks != NULL ? oddity->looks : "no known format";

		if (!has_odd(source, odd))
			continue;
		diag_warn_at(oddity->line.file, oddity->line.number,
		    "%s: the first of %ju %s; looks like %s%s", row[odd].code,
		    (uintmax_t)oddity->count, row[odd].what, name,
		    oddity->looks == NULL || likeness_is_read(name) ?
			"" :
			", which is not read by this version");
		has_any = true;
	}
	return has_any;
}

void
source_forget_looks(struct source *source)
{
	source->looks_like = NULL;
	source->foreign_before = source->counts.foreign;
	memset(source->odd, 0, sizeof source->odd);
	source->has_canonical = false;
}

void
source_say_nothing(const struct source *source, const char *name, const char *file)
{
	struct buf operand = BUF_INIT;

	if (source->in.lent >= 0) {
		buf_add_char(&operand, ' ');
		shell_word_add_file(&operand, source->in.operand[0]);
		buf_add_str(&operand, STR(" >NEW"));
	}
	if (name == NULL)
		diag_warn_at(file, 0, "no messages%s", file != NULL ? "" : " in the input");
	else if (likeness_is_read(name))
		diag_warn_at(file, 0, "no messages; looks like %s, try ctx-normalize --from %s%.*s",
		    name, name, STR_ARG(buf_str(&operand)));
	else
		diag_warn_at(
		    file, 0, "no messages; looks like %s, which is not read by this version", name);
	buf_free(&operand);
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
	return has_odd(source, SOURCE_UNKNOWN) || has_odd(source, SOURCE_MIXED) ||
	    has_odd(source, SOURCE_BLOCKS);
}

enum status
source_end(const struct source *source)
{
	const struct source_counts *counts = &source->counts;
	bool is_other = source_is_other(source);

	if (counts->bad > REPORTED_MAX && !source->names_all)
		diag_warn("and %ju more bad lines", (uintmax_t)(counts->bad - REPORTED_MAX));
	say_looks(source);
	if (is_other && !source_say_odd(source, has_messages(source)))
		source_say_nothing(source, source->looks_like, source->named);
	return is_other || counts->bad > 0 ? STATUS_DATA : STATUS_OK;
}

void
source_free(struct source *source)
{
	input_free(&source->in);
	buf_free(&source->unfolded);
}
