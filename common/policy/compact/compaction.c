#include "policy/compact/compaction.h"

#include <stdlib.h>

#include "base/mem.h"
#include "policy/rewrite.h"

void
compaction_init(struct compaction *c, struct session *session, struct estimator *estimator,
    const struct compaction_options *options, uint64_t used, uint32_t artifact)
{
	size_t count = session->count > 0 ? session->count : 1;

	*c = (struct compaction){
	    .session = session,
	    .estimator = estimator,
	    .options = options,
	    .keep = keep_find(session, &options->window, artifact),
	    .action = mem_alloc(count, sizeof *c->action),
	    .tokens_before = mem_alloc(count, sizeof *c->tokens_before),
	    .used_before = used,
	    .used = used,
	    .artifact = artifact,
	    .added_before = NONE,
	};
	memset(c->action, ACTION_NONE, count);
	for (uint32_t i = 0; i < session->count; i++)
		c->tokens_before[i] = session->entry[i].tokens;
}

void
compaction_free(struct compaction *c)
{
	free(c->keep);
	free(c->action);
	free(c->tokens_before);
	buf_free(&c->added);
}

bool
compaction_is_in(const struct compaction *c, uint32_t index, bool current)
{
	const struct session *t = c->session;
	const struct entry *entry = &t->entry[index];

	if (entry->group != NONE)
		entry = &t->entry[t->group[entry->group].entry];
	return session_is_current(t, entry) == current;
}

bool
compaction_may_change(const struct compaction *c, uint32_t index)
{
	const struct entry *entry = &c->session->entry[index];

	return c->keep[index] == KEEP_NOT && !entry->is_dropped && !entry->is_compacted &&
	    index != c->artifact;
}

bool
compaction_note(struct compaction *c, uint32_t index, uint32_t tokens, bool done,
    enum action action)
{
	struct entry *entry = &c->session->entry[index];

	if (!done)
		return false;
	c->used -= tokens - entry->tokens;
	c->action[index] = (uint8_t)action;
	entry->is_compacted = true;
	return true;
}

bool
compaction_put(struct compaction *c, uint32_t index, struct str text, enum action action)
{
	uint32_t tokens = c->session->entry[index].tokens;

	return compaction_note(c, index, tokens,
	    rewrite_content(c->session, index, text, c->estimator), action);
}

void
compaction_drop(struct compaction *c, uint32_t index)
{
	struct entry *entry = &c->session->entry[index];

	entry->is_dropped = true;
	c->used -= entry->tokens;
	c->bytes_dropped += entry->len;
}

void
compaction_undrop(struct compaction *c, uint32_t index)
{
	struct entry *entry = &c->session->entry[index];

	entry->is_dropped = false;
	c->used += entry->tokens;
	c->bytes_dropped -= entry->len;
}
