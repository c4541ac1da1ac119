#include "dialects/parts/joiner.h"

#include <stdlib.h>

#include "base/mem.h"
#include "data/message/source_record.h"
#include "dialects/dialect.h"
#include "policy/summary/summary_opening.h"
#include "stream/sums.h"

static struct joined *
append(struct joiner *joiner, const struct joiner_session *session, struct joiner_thread *thread,
    const struct line *from)
{
	struct joined *joined = joiner->freed;

	joiner->freed = NULL;
	if (joined == NULL)
		joined = mem_alloc(1, sizeof *joined);
	*joined = (struct joined){.line = *from, .session = session, .thread = thread};
	joined_put(&joiner->records, joined, NULL);
	joined_enter_thread(joined);
	if (joiner->unsent == NULL)
		joiner->unsent = joined;
	return joined;
}

void
joiner_unread(struct joined *joined)
{
	free(joined->message);
	joined->message = NULL;
}

/* Forgets the calls of a message that is gone. */
static void
forget_calls(struct joiner *joiner, const struct joined *joined)
{
	const struct hash *key = (const struct hash *)joined->calls.ptr;

	for (size_t i = 0; !joined->is_result && i < joined->calls.len / sizeof *key; i++)
		map_remove(&joiner->calls, key[i]);
}

static void
discard(struct joiner *joiner, struct joined *joined)
{
	forget_calls(joiner, joined);
	if (joiner->unsent == joined)
		joiner->unsent = joined->next;
	joined_take(&joiner->records, joined);
	joined_leave_thread(joined);
	draft_pool_put(&joiner->drafts, joined->draft);
	if (joiner->unread == NULL) {
		joiner->unread = joined->message;
		joined->message = NULL;
	}
	joiner_unread(joined);
	stow_drop(&joiner->stow, &joined->text);
	buf_free(&joined->id);
	buf_free(&joined->calls);
	buf_free(&joined->sealed);
	buf_free(&joined->pieces);
	free(joiner->freed);
	joiner->freed = joined;
}

bool
joiner_fetch(struct joiner *joiner, struct joined *joined)
{
	return stow_fetch(&joiner->stow, &joined->stowed, &joined->text, joiner->stage->fault);
}

static void
emit(struct joiner *joiner, struct joined *joined)
{
	struct record record = {.line = joined->line,
	    .kind = joined->kind,
	    .state = joined->state,
	    .session = joined_session_name(joined->session),
	    .read = joined->read};

	if (!joiner_fetch(joiner, joined))
		return;
	if (!joined->is_given) {
		if (joiner->provenance != NULL)
			joiner->provenance->of = &joined->pieces;
		dialect_emit_of(joiner->stage, &joined->line, &joined->text,
		    joined_session_name(joined->session), joined->read, joined->message);
		return;
	}
	buf_pad(&joined->text);
	record.line.raw = buf_str(&joined->text);
	record.line.text = str_of(joined->text.ptr + joined->text_at, joined->text_len);
	stage_emit(joiner->stage, &record);
}

static void
release(struct joiner *joiner)
{
	while (joiner->records.first != NULL && joiner->records.first->draft == NULL) {
		if (joiner_has_text(joiner->records.first) && !joiner->grows)
			emit(joiner, joiner->records.first);
		discard(joiner, joiner->records.first);
	}
}

struct joined *
joiner_pass(struct joiner *joiner, const struct joiner_session *session,
    struct joiner_thread *thread, struct record *record)
{
	const struct line *line = &record->line;
	struct joined *joined;

	if (joiner->records.first == NULL) {
		record->session = joined_session_name(session);
		stage_emit(joiner->stage, record);
		return NULL;
	}
	joined = append(joiner, session, thread, line);
	joined->is_given = true;
	joined->kind = record->kind;
	joined->state = record->state;
	joined->read = record->read;
	joined->text_at = (size_t)(line->text.ptr - line->raw.ptr);
	joined->text_len = line->text.len;
	buf_add_str(&joined->text, line->raw);
	if (!joiner->hold)
		release(joiner);
	else if (!joiner->grows)
		stow_put(&joiner->stow, &joined->text, &joined->stowed);
	return joiner->records.last;
}

void
joiner_end_file(struct joiner *joiner, const struct dialect_reading *reading, const char *format,
    const struct line *line)
{
	const struct sum *sum = reading->sums != NULL ? sums_find(reading->sums, line->file) : NULL;
	struct buf text = BUF_INIT;
	struct message message;
	struct record record;

	if (sum == NULL)
		return;
	source_record_write(&text, format, sum);
	buf_add_char(&text, '\n');
	buf_pad(&text);
	record_respell(&record, line, buf_str(&text), &message);
	joiner_pass(joiner, joiner->opened_of, NULL, &record);
	buf_free(&text);
}

struct joined *
joiner_open(struct joiner *joiner, const struct joiner_session *session,
    struct joiner_thread *thread, const struct line *from, struct str role)
{
	struct joined *joined = append(joiner, session, thread, from);

	joiner->opened_of = session;
	joined->draft = draft_pool_take(&joiner->drafts);
	joined->draft->provenance = joiner->provenance;
	draft_reset(joined->draft, role);
	if (joiner->names_lines)
		draft_set_source(joined->draft, &joiner->opened, from);
	return joined;
}

void
joiner_seal(struct joiner *joiner, struct joined *joined, struct str name)
{
	tally_add(joiner->sealed, name);
	buf_add_str(&joined->sealed, name);
	buf_add_char(&joined->sealed, '\n');
}

/* What was sealed in the record was not kept. */
static void
unseal(struct joiner *joiner, const struct joined *joined)
{
	struct str rest = buf_str(&joined->sealed);

	while (rest.len > 0)
		tally_remove(joiner->sealed, str_take_line(&rest));
}

static void
note_call(struct joiner *joiner, struct joined *joined, struct json_value id)
{
	struct hash key =
	    hash_bytes(call_id_text(id, &joiner->scratch), hash_seed(HASH_MESSAGE_ID));

	buf_add(&joined->calls, &key, sizeof key);
	if (!joiner->sends_once)
		return;
	if (!joined->is_result) {
		map_set(&joiner->calls, key, JOINER_CALL_OPEN);
	} else if (map_get(&joiner->calls, key) == JOINER_CALL_OPEN) {
		map_set(&joiner->calls, key, JOINER_CALL_ANSWERED);
		joined->is_answer = true;
	}
}

/* Notes the id by which the message is taken back, and the calls that link it to others. */
static void
note_names(struct joiner *joiner, struct joined *joined)
{
	struct draft *draft = joined->draft;
	struct json_value call;

	buf_reset(&joined->id);
	buf_reset(&joined->calls);
	buf_add_str(&joined->id, json_span(draft_id(draft)));
	joined->is_result = draft->call_id.len > 0;
	for (size_t at = 0; at < draft->calls.len; at += call.len + 1) {
		call = json_written(&draft->calls, at);
		note_call(joiner, joined, json_find(call, STR("id")));
	}
	if (joined->is_result)
		note_call(joiner, joined, json_written(&draft->call_id, 0));
}

/* Whether the message is an artifact of ctx-compact, written by another program as the user's
 * words. */
static bool
is_artifact(const struct draft *draft)
{
	struct str text = draft_text(draft);

	return text.len > 0 && str_eq(draft->role, role_name(ROLE_USER)) &&
	    summary_opening_begins(str_rest(text, 1));
}

/* Writes the draft. If the text is not held, the parsed message is kept with it. */
static void
write_text(struct joiner *joiner, struct joined *joined)
{
	bool is_read = false;

	stow_begin(&joiner->stow, &joined->text);
	joined->stowed.len = 0;
	if (joined->message == NULL) {
		joined->message = joiner->unread;
		joiner->unread = NULL;
	}
	if (joined->message == NULL)
		joined->message = mem_alloc(1, sizeof *joined->message);
	if (is_artifact(joined->draft))
		draft_set_summary(joined->draft);
	if (!draft_is_empty(joined->draft))
		is_read = draft_write(joined->draft, &joined->text, joined->message);
	if (!is_read || (joiner->hold && !joiner->grows))
		joiner_unread(joined);
	if (joiner->grows)
		note_names(joiner, joined);
	joined->read = joined->draft->read;
}

static void
complete(struct joiner *joiner, struct joined *joined)
{
	if (!joined->is_shown)
		write_text(joiner, joined);
	joined->is_shown = false;
	buf_add_str(&joined->pieces, buf_str(&joined->draft->pieces));
	draft_pool_put(&joiner->drafts, joined->draft);
	joined->draft = NULL;
	if (joiner->hold && !joiner->grows)
		stow_put(&joiner->stow, &joined->text, &joined->stowed);
}

void
joiner_close(struct joiner *joiner, struct joined *joined)
{
	complete(joiner, joined);
	if (!joiner->hold)
		release(joiner);
}

struct joined *
joiner_mark(struct joiner *joiner, const struct joiner_session *session)
{
	static const struct line nowhere;
	struct joined *mark = append(joiner, session, NULL, &nowhere);

	mark->is_mark = true;
	return mark;
}

void
joiner_move(struct joiner *joiner, struct joined *joined, struct joined *before)
{
	joined_take(&joiner->records, joined);
	joined_put(&joiner->records, joined, before);
}

bool
joiner_drop(struct joiner *joiner, struct joined *joined)
{
	bool is_message = !joined->is_given &&
	    (joined->draft != NULL ? !draft_is_empty(joined->draft) :
				     joined->sent || joiner_has_text(joined));

	joiner_take_back(joiner, joined);
	unseal(joiner, joined);
	discard(joiner, joined);
	return is_message;
}

uint64_t
joiner_forget(struct joiner *joiner, struct joiner_thread *thread)
{
	uint64_t messages = 0;

	while (thread->last != NULL)
		messages += joiner_drop(joiner, thread->last);
	return messages;
}

void
joiner_send(struct joiner *joiner, struct joined *joined)
{
	size_t len = joined->text.len + joined->stowed.len;

	if (joined->is_mark)
		return;
	if (len > 0) {
		emit(joiner, joined);
		joiner_unread(joined);
		joined->sent = true;
		joined->text.len = len;
	}
	if (joined->thread == NULL)
		discard(joiner, joined);
	else if (joiner->sends_once)
		stow_drop(&joiner->stow, &joined->text);
	else if (len > 0 && !fault_is_set(joiner->stage->fault))
		stow_put(&joiner->stow, &joined->text, &joined->stowed);
}

void
joiner_show(struct joiner *joiner, struct joined *joined)
{
	if (joined->draft == NULL || joined->is_shown)
		return;
	write_text(joiner, joined);
	joined->is_shown = true;
}

bool
joiner_resume(struct joiner *joiner, struct joined *joined)
{
	bool was_shown = joined->is_shown;

	joiner_take_back(joiner, joined);
	joined->is_shown = false;
	return was_shown;
}

static void
note_lost(struct joiner *joiner, const struct joined *joined)
{
	const struct hash *key = (const struct hash *)joined->calls.ptr;

	for (size_t i = 0; !joiner->sends_once && i < joined->calls.len / sizeof *key; i++) {
		struct joiner_lost lost = {.call = key[i], .is_result = joined->is_result};

		buf_add(&joiner->lost, &lost, sizeof lost);
	}
}

void
joiner_take_back(struct joiner *joiner, struct joined *joined)
{
	if (!joined->sent || joined->is_given)
		return;
	if (joined->is_answer &&
	    map_get(&joiner->calls, *(const struct hash *)joined->calls.ptr) != MAP_NONE)
		return;
	if (joiner->taken.len > 0)
		buf_add_char(&joiner->taken, ',');
	buf_add_str(&joiner->taken, buf_str(&joined->id));
	note_lost(joiner, joined);
	joined->sent = false;
}

void
joiner_finish(struct joiner *joiner)
{
	for (struct joined *joined = joiner->records.first; joined != NULL; joined = joined->next)
		if (joined->draft != NULL)
			complete(joiner, joined);
	if (joiner->apart)
		joined_part(&joiner->records);
	release(joiner);
}

void
joiner_free(struct joiner *joiner)
{
	while (joiner->records.first != NULL)
		discard(joiner, joiner->records.first);
	draft_pool_free(&joiner->drafts);
	free(joiner->freed);
	free(joiner->unread);
	stow_free(&joiner->stow);
	buf_free(&joiner->taken);
	buf_free(&joiner->lost);
	buf_free(&joiner->scratch);
	map_free(&joiner->calls);
}
