#include "dialects/joiner.h"

#include <stdlib.h>

#include "base/mem.h"
#include "dialects/dialect.h"

static struct joined *
append(struct joiner *joiner, const struct line *from)
{
	struct joined *joined = mem_alloc(1, sizeof *joined);

	*joined = (struct joined){.line = *from};
	if (joiner->last != NULL)
		joiner->last->next = joined;
	else
		joiner->first = joined;
	joiner->last = joined;
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

static void
remove_first(struct joiner *joiner)
{
	struct joined *joined = joiner->first;

	joiner->first = joined->next;
	if (joiner->first == NULL)
		joiner->last = NULL;
	free_draft(joiner, joined->draft);
	buf_free(&joined->text);
	free(joined);
}

static void
emit(struct joiner *joiner, struct joined *joined)
{
	struct record record = {.line = joined->line, .kind = RECORD_BAD};

	if (!joined->is_bad) {
		dialect_emit(joiner->stage, &joined->line, &joined->text);
		return;
	}
	buf_pad(&joined->text);
	record.line.raw = record.line.text = buf_str(&joined->text);
	stage_emit(joiner->stage, &record);
}

static void
release(struct joiner *joiner)
{
	while (joiner->first != NULL && joiner->first->draft == NULL) {
		if (joiner->first->text.len > 0)
			emit(joiner, joiner->first);
		remove_first(joiner);
	}
}

void
joiner_add_bad(struct joiner *joiner, const struct line *line)
{
	struct joined *joined = append(joiner, line);

	joined->is_bad = true;
	buf_add_str(&joined->text, line->raw);
	if (!joiner->hold)
		release(joiner);
}

struct joined *
joiner_open(struct joiner *joiner, const struct line *from, struct str role)
{
	struct joined *joined = append(joiner, from);

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

void
joiner_forget(struct joiner *joiner)
{
	while (joiner->first != NULL)
		remove_first(joiner);
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
	joiner_forget(joiner);
	if (joiner->spare != NULL)
		draft_free(joiner->spare);
	free(joiner->spare);
}
