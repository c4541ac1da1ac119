#include "dialects/parts/joiner_record.h"

#include <stdlib.h>

#include "base/mem.h"
#include "dialects/dialect.h"

struct joined *
joiner_record_append(struct joiner *joiner, const struct joiner_session *session,
    struct joiner_thread *thread, const struct line *from)
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
joiner_record_free_draft(struct joiner *joiner, struct draft *draft)
{
	if (draft == NULL)
		return;
	for (int i = 0; i < JOINER_SPARE; i++)
		if (joiner->spare[i] == NULL) {
			joiner->spare[i] = draft;
			return;
		}
	draft_free(draft);
	free(draft);
}

struct draft *
joiner_record_new_draft(struct joiner *joiner)
{
	struct draft *draft;

	for (int i = 0; i < JOINER_SPARE; i++)
		if ((draft = joiner->spare[i]) != NULL) {
			joiner->spare[i] = NULL;
			return draft;
		}
	draft = mem_alloc(1, sizeof *draft);
	*draft = (struct draft)DRAFT_INIT;
	return draft;
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

void
joiner_record_discard(struct joiner *joiner, struct joined *joined)
{
	forget_calls(joiner, joined);
	if (joiner->unsent == joined)
		joiner->unsent = joined->next;
	joined_take(&joiner->records, joined);
	joined_leave_thread(joined);
	joiner_record_free_draft(joiner, joined->draft);
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

const struct json_value *
joiner_record_session(const struct joiner_session *session)
{
	return session != NULL && session->name.type == JSON_STRING ? &session->name : NULL;
}

bool
joiner_fetch(struct joiner *joiner, struct joined *joined)
{
	return stow_fetch(&joiner->stow, &joined->stowed, &joined->text, joiner->stage->fault);
}

void
joiner_record_emit(struct joiner *joiner, struct joined *joined)
{
	struct record record = {.line = joined->line,
	    .kind = joined->kind,
	    .state = joined->state,
	    .session = joiner_record_session(joined->session),
	    .read = joined->read};

	if (!joiner_fetch(joiner, joined))
		return;
	if (!joined->is_given) {
		if (joiner->provenance != NULL)
			joiner->provenance->of = &joined->pieces;
		dialect_emit_of(joiner->stage, &joined->line, &joined->text,
		    joiner_record_session(joined->session), joined->read, joined->message);
		return;
	}
	buf_pad(&joined->text);
	record.line.raw = buf_str(&joined->text);
	record.line.text = str_of(joined->text.ptr + joined->text_at, joined->text_len);
	stage_emit(joiner->stage, &record);
}
