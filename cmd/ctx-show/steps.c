#include "steps.h"

#include "base/number.h"
#include "base/text/shell_word.h"
#include "data/message/texts.h"
#include "data/message/timestamp.h"
#include "data/session/declined.h"
#include "json/string.h"
#include "policy/keep.h"
#include "policy/words/first_words.h"

static const struct mark_name {
	enum step_mark mark;
	struct str name;
} mark_names[] = {
    {MARK_FORGOTTEN, STR_INIT("forgotten")},
    {MARK_PINNED, STR_INIT("pinned")},
    {MARK_CRITICAL, STR_INIT("critical")},
    {MARK_PROTECTED, STR_INIT("protected")},
    {MARK_UNRESOLVED, STR_INIT("unresolved")},
    {MARK_MENDED, STR_INIT("mended")},
    {MARK_REFUSED, STR_INIT("refused")},
    {MARK_COMPACTED, STR_INIT("compacted")},
    {MARK_INJECTED, STR_INIT("injected")},
};

void
step_add_marks(const struct step *step, struct str joint, struct buf *buf)
{
	for (size_t i = 0; i < ARRAY_COUNT(mark_names); i++)
		if ((step->marks & mark_names[i].mark) != 0) {
			buf_add_str(buf, mark_names[i].name);
			buf_add_str(buf, joint);
		}
}

void
step_add_turn(const struct step *step, uint32_t *turn, struct str joint, struct buf *buf)
{
	const struct verdict *verdict = step->verdict;
	struct str id = walk_execution_id(step->walk);
	size_t from = buf->len;

	if (verdict->outside)
		return;
	if (verdict->turn > 1 && verdict->turn != *turn)
		buf_add_fmt(buf, "turn %u", verdict->turn);
	if (verdict->execution_began && id.len > 0 && id.ptr[0] != '#') {
		buf_add_str(buf, buf->len > from ? joint : STR(""));
		buf_add_fmt(buf, "execution %.*s", STR_ARG(id));
	}
	*turn = verdict->turn;
}

bool
step_is_inner(const struct step *step)
{
	return step->verdict != NULL && (step->verdict->outside || step->verdict->nested > 0);
}

/* Appends the command that restores messages that a compaction removed, if its text names an
 * archive. */
static void
add_restore(const struct step *step, const char *log, struct buf *out)
{
	const struct str recall = STR_INIT("ctx-recall ");
	struct buf text = BUF_INIT, archive = BUF_INIT;
	const char *place;
	size_t at = 0;
	bool is_there = false;

	message_read_text(step->message, &text);
	place = text.len > 0 ? str_find(str_first_line(buf_str(&text)), recall) : NULL;
	if (place != NULL) {
		struct str rest = str_rest(buf_str(&text), (size_t)(place - text.ptr) + recall.len);

		shell_word_take(str_first_line(rest), &at, &archive, &is_there);
	}
	if (is_there) {
		buf_add_str(out, STR(": ctx-restore "));
		shell_word_add_file(out, archive.ptr);
		if (log != NULL) {
			buf_add_char(out, ' ');
			shell_word_add_file(out, log);
		}
	}
	buf_free(&text);
	buf_free(&archive);
}

uint64_t
step_dropped(const struct step *step)
{
	struct json_value facts;

	if (step->kind != RECORD_MESSAGE || !message_is_artifact(step->message))
		return 0;
	facts = step->message->meta[METADATA_FACTS];
	return json_count(json_find(facts, STR("dropped")));
}

bool
step_add_compaction(const struct step *step, const char *log, struct buf *out)
{
	uint64_t dropped = step_dropped(step);

	if (dropped == 0)
		return false;
	buf_add_fmt(out, "%s messages compacted", number_grouped(dropped).text);
	add_restore(step, log, out);
	return true;
}

/* The word for a record that is no message: its type, or the kind of its line. */
static struct str
other_name(const struct step *step, struct buf *scratch)
{
	struct json_value type;

	if (step->kind == RECORD_BAD)
		return STR("bad line");
	/* Of a foreign record only its value has been read. */
	type = json_find(step->message->value, STR("type"));
	if (type.type == JSON_STRING)
		return json_text(type, scratch);
	return STR("other");
}

void
step_add_role(const struct step *step, struct buf *buf)
{
	struct buf scratch = BUF_INIT;

	if (step->kind != RECORD_MESSAGE)
		buf_add_str(buf, other_name(step, &scratch));
	else
		first_words_add_role(step->message, step->has_failed, buf);
	buf_free(&scratch);
}

/* The marks that only the end of the session gives. */
static unsigned
late_marks(const struct reading_record *known)
{
	const struct session *session = known->session;
	const struct entry *entry = known->entry;
	const struct call *call;
	unsigned marks = 0;

	if (entry == NULL || entry->kind != RECORD_MESSAGE)
		return 0;
	if (known->keep >= KEEP_REQUEST && known->keep < KEEP_PINNED)
		marks |= MARK_PROTECTED;
	if (keep_is_failure(session, (uint32_t)(entry - session->entry)))
		return marks | MARK_UNRESOLVED;
	call = entry->call != NONE ? &session->call[entry->call] : NULL;
	if (call != NULL && entry->is_error && call->resolved_at > 0)
		marks |= MARK_MENDED;
	return marks;
}

static unsigned
find_marks(const struct step *step)
{
	const struct message *message = step->message;
	unsigned marks = 0;

	marks |= message_is(message, METADATA_PINNED) ? MARK_PINNED : 0;
	marks |= message_is(message, METADATA_CRITICAL) ? MARK_CRITICAL : 0;
	marks |= message_is(message, METADATA_COMPACTED) && !message_is_artifact(message) ?
	    MARK_COMPACTED :
	    0;
	marks |= message_origin(message) == ORIGIN_INJECTED ? MARK_INJECTED : 0;
	if (step->has_failed && declined_says(message))
		return marks | MARK_REFUSED;
	return marks | late_marks(step->known);
}

/* Sets the facts known about a message. */
static void
take_message(struct steps *steps, struct step *step, struct verdict *verdict)
{
	const struct message *message = step->message;
	const struct entry *entry = step->known->entry;

	walk_add(&steps->walk, message, verdict);
	calls_take(&steps->calls, &steps->walk, verdict);
	step->verdict = verdict;
	step->tokens = entry != NULL && entry->tokens > 0 ?
	    entry->tokens :
	    estimate_message(steps->estimator, message);
	step->has_failed = message->role == ROLE_TOOL &&
	    (entry != NULL ? entry->is_error : message_is(message, METADATA_IS_ERROR));
	step->marks = find_marks(step);
}

static void
take(struct stage *stage, struct record *record)
{
	struct steps *steps = (struct steps *)stage;
	struct message read;
	struct verdict verdict;
	struct step step = {.number = steps->known->place.number,
	    .file = steps->known->place.file,
	    .kind = record->kind,
	    .text = record->line.text,
	    .is_last = !record->line.more && !str_has_suffix(record->line.raw, STR("\n")),
	    .walk = &steps->walk,
	    .calls = &steps->calls,
	    .known = steps->known,
	    .time = -1};

	if (record->kind == RECORD_BLANK || record->line.continued)
		return;
	steps->file_index += steps->file != NULL && step.file != steps->file;
	steps->file = step.file;
	step.file_index = steps->file_index;
	if (record->is_forgotten) {
		message_reread(&read, record->line.text);
		step.message = &read;
		step.kind = read.kind;
		step.marks = MARK_FORGOTTEN;
	} else if (record->kind != RECORD_BAD) {
		step.message = record_message(record, &read);
	}
	if (step.kind == RECORD_MESSAGE || step.kind == RECORD_CONTEXT)
		step.time = timestamp_read(step.message->meta[METADATA_TIMESTAMP]);
	if (record->kind == RECORD_MESSAGE)
		take_message(steps, &step, &verdict);
	else if (record->kind == RECORD_CONTEXT)
		step.tokens = estimate_context(steps->estimator, step.message);
	steps->show(steps->context, &step);
}

void
steps_init(struct steps *steps, const struct reading_record *known, struct estimator *estimator,
    void (*show)(void *context, const struct step *step), void *context)
{
	*steps = (struct steps){.stage = {.take = take, .end = stage_pass_end},
	    .known = known,
	    .estimator = estimator,
	    .show = show,
	    .context = context,
	    .calls = {.estimator = estimator}};
	walk_init(&steps->walk);
}

void
steps_free(struct steps *steps)
{
	walk_free(&steps->walk);
	calls_free(&steps->calls);
}
