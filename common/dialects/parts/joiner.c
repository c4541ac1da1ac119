#include "dialects/parts/joiner.h"

#include <stdlib.h>

#include "base/mem.h"
#include "dialects/dialect.h"

/* Links the record into the list of all records before another one; NULL: at the end. */
static void
link_before(struct joiner *joiner, struct joined *joined, struct joined *next)
{
	joined->next = next;
	joined->previous = next != NULL ? next->previous : joiner->last;
	if (joined->previous != NULL)
		joined->previous->next = joined;
	else
		joiner->first = joined;
	if (next != NULL)
		next->previous = joined;
	else
		joiner->last = joined;
}

static struct joined *
append(struct joiner *joiner, struct joiner_session *session, const struct line *from)
{
	struct joined *joined = mem_alloc(1, sizeof *joined);

	*joined = (struct joined){.line = *from, .session = session};
	link_before(joiner, joined, NULL);
	if (session == NULL)
		return joined;
	joined->older = session->last;
	if (session->last != NULL)
		session->last->newer = joined;
	session->last = joined;
	return joined;
}

static void
free_draft(struct joiner *joiner, struct draft *draft)
{
	if (draft == NULL)
		return;
	if (joiner->spare == NULL) {
		joiner->spare = draft;
		return;
	}
	draft_free(draft);
	free(draft);
}

/* Takes the record out of the list of all records. */
static void
unlink_joined(struct joiner *joiner, struct joined *joined)
{
	if (joined->previous != NULL)
		joined->previous->next = joined->next;
	else
		joiner->first = joined->next;
	if (joined->next != NULL)
		joined->next->previous = joined->previous;
	else
		joiner->last = joined->previous;
}

static void
leave_session(struct joined *joined)
{
	if (joined->older != NULL)
		joined->older->newer = joined->newer;
	if (joined->newer != NULL)
		joined->newer->older = joined->older;
	else if (joined->session != NULL)
		joined->session->last = joined->older;
}

static void
discard(struct joiner *joiner, struct joined *joined)
{
	unlink_joined(joiner, joined);
	leave_session(joined);
	free_draft(joiner, joined->draft);
	buf_free(&joined->text);
	free(joined);
}

static void
emit(struct joiner *joiner, struct joined *joined)
{
	struct record record = {.line = joined->line, .kind = joined->kind, .state = joined->state};

	if (!joined->is_given) {
		dialect_emit(joiner->stage, &joined->line, &joined->text);
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
	while (joiner->first != NULL && joiner->first->draft == NULL) {
		if (joiner->first->text.len > 0)
			emit(joiner, joiner->first);
		discard(joiner, joiner->first);
	}
}

struct joined *
joiner_pass(struct joiner *joiner, struct joiner_session *session, struct record *record)
{
	const struct line *line = &record->line;
	struct joined *joined;

	if (joiner->first == NULL) {
		stage_emit(joiner->stage, record);
		return NULL;
	}
	joined = append(joiner, session, line);
	joined->is_given = true;
	joined->kind = record->kind;
	joined->state = record->state;
	joined->text_at = (size_t)(line->text.ptr - line->raw.ptr);
	joined->text_len = line->text.len;
	buf_add_str(&joined->text, line->raw);
	if (!joiner->hold)
		release(joiner);
	return joiner->last;
}

struct joined *
joiner_open(
    struct joiner *joiner, struct joiner_session *session, const struct line *from, struct str role)
{
	struct joined *joined = append(joiner, session, from);

	joined->draft = joiner->spare;
	joiner->spare = NULL;
	if (joined->draft == NULL) {
		joined->draft = mem_alloc(1, sizeof *joined->draft);
		*joined->draft = (struct draft)DRAFT_INIT;
	}
	joined->draft->is_untrusted = joiner->is_untrusted;
	draft_reset(joined->draft, role);
	return joined;
}

static void
complete(struct joiner *joiner, struct joined *joined)
{
	if (!draft_is_empty(joined->draft))
		draft_write(joined->draft, &joined->text);
	free_draft(joiner, joined->draft);
	joined->draft = NULL;
}

void
joiner_close(struct joiner *joiner, struct joined *joined)
{
	complete(joiner, joined);
	if (!joiner->hold)
		release(joiner);
}

struct joined *
joiner_mark(struct joiner *joiner)
{
	static const struct line nowhere;

	return append(joiner, NULL, &nowhere);
}

void
joiner_move(struct joiner *joiner, struct joined *joined, struct joined *before)
{
	unlink_joined(joiner, joined);
	link_before(joiner, joined, before);
}

bool
joiner_drop(struct joiner *joiner, struct joined *joined)
{
	bool is_message = !joined->is_given &&
	    (joined->draft != NULL ? !draft_is_empty(joined->draft) : joined->text.len > 0);

	discard(joiner, joined);
	return is_message;
}

uint64_t
joiner_forget(struct joiner *joiner, struct joiner_session *session)
{
	uint64_t messages = 0;

	while (session->last != NULL)
		messages += joiner_drop(joiner, session->last);
	return messages;
}

void
joiner_finish(struct joiner *joiner)
{
	for (struct joined *joined = joiner->first; joined != NULL; joined = joined->next)
		if (joined->draft != NULL)
			complete(joiner, joined);
	release(joiner);
}

void
joiner_free(struct joiner *joiner)
{
	while (joiner->first != NULL)
		discard(joiner, joiner->first);
	if (joiner->spare != NULL)
		draft_free(joiner->spare);
	free(joiner->spare);
}
