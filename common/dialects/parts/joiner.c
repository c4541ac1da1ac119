#include "dialects/parts/joiner.h"

#include <stdlib.h>

#include "base/mem.h"
#include "data/message/source_record.h"
#include "dialects/dialect.h"
#include "dialects/parts/joiner_record.h"
#include "stream/sums.h"

static void
release(struct joiner *joiner)
{
	while (joiner->records.first != NULL && joiner->records.first->draft == NULL) {
		if (joiner_has_text(joiner->records.first) && !joiner->grows)
			joiner_record_emit(joiner, joiner->records.first);
		joiner_record_discard(joiner, joiner->records.first);
	}
}

struct joined *
joiner_pass(struct joiner *joiner, const struct joiner_session *session,
    struct joiner_thread *thread, struct record *record)
{
	const struct line *line = &record->line;
	struct joined *joined;

	if (joiner->records.first == NULL) {
		record->session = joiner_record_session(session);
		stage_emit(joiner->stage, record);
		return NULL;
	}
	joined = joiner_record_append(joiner, session, thread, line);
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

/* Writes the digits of the number before end. Returns where they begin. */
static char *
put_digits(char *end, uint64_t number)
{
	do
		*--end = (char)('0' + number % 10);
	while ((number /= 10) > 0);
	return end;
}

/* Says the line on which the message begins: its number, and behind it that of the message, from
 * the second one of the line on. */
static void
name_line(struct joiner *joiner, struct draft *draft, const struct line *from)
{
	bool is_next = joiner->opened.number == from->number && joiner->opened.file == from->file;
	char text[48], *end = text + sizeof text, *at = end;

	joiner->opened = (struct line){.file = from->file, .number = from->number};
	joiner->pieces = is_next ? joiner->pieces + 1 : 1;
	if (is_next) {
		*--at = '"';
		at = put_digits(at, joiner->pieces);
		*--at = '.';
	}
	at = put_digits(at, from->number);
	if (is_next)
		*--at = '"';
	draft_meta(draft, STR("source"), str_of(at, (size_t)(end - at)));
}

void
joiner_end_file(struct joiner *joiner, const struct dialect_reading *reading, const char *format,
    const struct line *line)
{
	const struct sum *sum = reading->sums != NULL ? sums_find(reading->sums, line->file) : NULL;
	struct buf text = BUF_INIT, digits = BUF_INIT;
	struct message message;
	struct record record;

	if (sum == NULL)
		return;
	sum_write(sum, &digits);
	source_record_write(&text, format, sum->bytes, buf_str(&digits));
	buf_add_char(&text, '\n');
	buf_pad(&text);
	record_respell(&record, line, buf_str(&text), &message);
	joiner_pass(joiner, joiner->opened_of, NULL, &record);
	buf_free(&text);
	buf_free(&digits);
}

struct joined *
joiner_open(struct joiner *joiner, const struct joiner_session *session,
    struct joiner_thread *thread, const struct line *from, struct str role)
{
	struct joined *joined = joiner_record_append(joiner, session, thread, from);

	joiner->opened_of = session;
	joined->draft = joiner_record_new_draft(joiner);
	joined->draft->provenance = joiner->provenance;
	draft_reset(joined->draft, role);
	if (joiner->names_lines)
		name_line(joiner, joined->draft, from);
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

/* Notes by what the message is taken back, and which others are with it. */
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

/* Writes what the draft says. The message of a text that is not held stays beside it. */
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
	joiner_record_free_draft(joiner, joined->draft);
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
	struct joined *mark = joiner_record_append(joiner, session, NULL, &nowhere);

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
	joiner_record_discard(joiner, joined);
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
		joiner_record_emit(joiner, joined);
		joiner_unread(joined);
		joined->sent = true;
		joined->text.len = len;
	}
	if (joined->thread == NULL)
		joiner_record_discard(joiner, joined);
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
		joiner_record_discard(joiner, joiner->records.first);
	for (int i = 0; i < JOINER_SPARE; i++) {
		if (joiner->spare[i] != NULL)
			draft_free(joiner->spare[i]);
		free(joiner->spare[i]);
	}
	free(joiner->freed);
	free(joiner->unread);
	stow_free(&joiner->stow);
	buf_free(&joiner->taken);
	buf_free(&joiner->lost);
	buf_free(&joiner->scratch);
	map_free(&joiner->calls);
}
