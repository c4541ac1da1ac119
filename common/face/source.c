#include "face/source.h"

#include "base/diag.h"
#include "dialects/shapes.h"
#include "face/document.h"

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

/* Takes the joined lines of an operand as one record when they are a document; otherwise takes
 * their first line, and the others follow. */
static void
take_joined(struct source *source, struct record *record)
{
	struct line *line = &record->line;

	if (document_unfold(line->text, &source->document)) {
		line->raw = line->text = buf_str(&source->document);
		record->state = RECORD_ADDED;
		record->block = NULL;
	} else {
		input_split(&source->in, line);
	}
}

/* Whether the line is the first record of an operand and may begin a document. */
static bool
may_be_document(struct source *source, const struct line *line)
{
	bool is_first = source->operand_begun != source->in.operand_next;

	if (source->message.kind == RECORD_BLANK)
		return false;
	source->operand_begun = source->in.operand_next;
	return source->any_document && is_first && source->message.kind == RECORD_BAD &&
	    document_begins(line);
}

static void
report_bad(struct source *source, const struct line *line)
{
	if (++source->counts.bad <= REPORTED_MAX || source->names_all)
		diag_warn_at(line->file, line->number, "%s, at byte %zu", source->message.error,
		    source->message.error_at + 1);
}

static void
note_unknown(struct source *source, const struct line *line)
{
	if (source->message.content.type != JSON_ABSENT || !message_is_unknown(&source->message) ||
	    source->counts.unknown++ > 0)
		return;
	source->unknown_line = (struct line){.file = line->file, .number = line->number};
	source->unknown_looks = shapes_name(source->message.value);
}

static void
count(struct source *source, const struct line *line)
{
	struct source_counts *counts = &source->counts;

	counts->records += source->message.kind != RECORD_BLANK && !line->continued;
	switch (source->message.kind) {
	case RECORD_MESSAGE:
		counts->messages++;
		note_unknown(source, line);
		break;
	case RECORD_CONTEXT:
		counts->contexts++;
		break;
	case RECORD_BUDGET:
		counts->budgets++;
		break;
	case RECORD_FOREIGN:
		if (counts->foreign++ < GUESSED_MAX && source->looks_like == NULL)
			source->looks_like = shapes_name(source->message.value);
		break;
	case RECORD_BAD:
		if (!line->continued)
			report_bad(source, line);
		break;
	case RECORD_BLANK:
		break;
	}
}

bool
source_next(struct source *source, struct record *record)
{
	struct input *in = &source->in;

	if (source->has_stopped)
		return false;
	record->state = RECORD_GIVEN;
	record->edit = NULL;
	record->message = &source->message;
	record->block = in->block;
	if (!take_valid(source, &record->line)) {
		if (!input_next(in, &record->line))
			return false;
		if (in->is_joined)
			take_joined(source, record);
		classify(source, &record->line);
	}
	if (may_be_document(source, &record->line)) {
		input_join(in, &record->line);
		return source_next(source, record);
	}
	count(source, &record->line);
	record->kind = source->message.kind;
	source->has_stopped = source->stops_at_bad && record->kind == RECORD_BAD;
	return !source->has_stopped;
}

/* Reports that messages were not understood. name is the dialect that they look like, or NULL. */
static void
say_unknown(const struct source *source)
{
	const struct line *line = &source->unknown_line;
	const char *name = source->unknown_looks;

	diag_warn_at(line->file, line->number,
	    "unknown-shape: the first of %ju messages with a role without content; looks like %s%s",
	    (uintmax_t)source->counts.unknown, name != NULL ? name : "no known format",
	    name == NULL || shapes_is_read(name) ? "" : ", which is not read by this version");
}

/* Reports what dialect input without a message may be of. */
static void
say_nothing(const struct source *source)
{
	const char *name = source->looks_like;

	if (name == NULL)
		diag_warn("no messages in the input");
	else if (shapes_is_read(name))
		diag_warn("no messages; looks like %s, try ctx-normalize --from %s", name, name);
	else
		diag_warn("no messages; looks like %s, which is not read by this version", name);
}

enum status
source_end(const struct source *source, bool any_dialect)
{
	const struct source_counts *counts = &source->counts;
	bool is_data = counts->bad > 0;

	if (counts->bad > REPORTED_MAX && !source->names_all)
		diag_warn("and %ju more bad lines", (uintmax_t)(counts->bad - REPORTED_MAX));
	if (!any_dialect && counts->unknown > 0) {
		say_unknown(source);
		is_data = true;
	} else if (!any_dialect && counts->foreign > 0 &&
	    counts->messages + counts->contexts + counts->budgets == 0) {
		say_nothing(source);
		is_data = true;
	}
	return is_data ? STATUS_DATA : STATUS_OK;
}

void
source_free(struct source *source)
{
	input_free(&source->in);
	buf_free(&source->document);
}
