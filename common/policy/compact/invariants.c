#include "policy/compact/invariants.h"

static bool
keeps_verbatim(const struct compaction *c)
{
	for (uint32_t i = 0; i < c->session->count; i++) {
		const struct entry *entry = &c->session->entry[i];

		if (c->keep[i] >= KEEP_WINDOW && i != c->artifact &&
		    (entry->is_dropped || entry->is_changed))
			return false;
		if (c->keep[i] == KEEP_UNRESOLVED && entry->is_dropped)
			return false;
	}
	return true;
}

/* Whether the message has the calls that it had, or answers a call if it did. */
static bool
keeps_pair(const struct session *t, const struct entry *entry, const struct verdict *verdict)
{
	uint32_t calls = entry->has_calls ? t->group[entry->group].calls : 0;

	return verdict->calls == calls && (verdict->answers == NONE) == (entry->call == NONE);
}

/* Walks over what is left as a reader of the output will. */
static bool
keeps_pairs(const struct compaction *c)
{
	const struct session *t = c->session;
	struct walk walk;
	struct verdict verdict;
	struct message message;
	bool holds = true;

	walk_init(&walk);
	walk_set_agent(&walk, buf_str(&t->walk.agent));
	for (uint32_t i = 0; i < t->count && holds; i++) {
		if (t->entry[i].kind != RECORD_MESSAGE || t->entry[i].is_dropped)
			continue;
		entry_parse(&t->entry[i], &message);
		holds = message.kind == RECORD_MESSAGE && message.role == t->entry[i].role;
		if (!holds)
			break;
		walk_add(&walk, &message, &verdict);
		holds = keeps_pair(t, &t->entry[i], &verdict);
	}
	walk_free(&walk);
	return holds;
}

/* Whether what comes first is of the agent that the stream was of. */
static bool
keeps_agent(const struct compaction *c)
{
	for (uint32_t i = 0; i < c->session->count && i != c->added_before; i++) {
		const struct entry *entry = &c->session->entry[i];

		if (entry->kind == RECORD_MESSAGE && !entry->is_dropped)
			return !entry->outside;
	}
	return true;
}

static bool
keeps_books(const struct compaction *c)
{
	uint64_t used = c->added_tokens;

	for (uint32_t i = 0; i < c->session->count; i++)
		if (!c->session->entry[i].is_dropped)
			used += c->session->entry[i].tokens;
	return used == c->used && used <= c->used_before;
}

const char *
invariants_check(const struct compaction *c)
{
	if (!keeps_verbatim(c))
		return "a message changed that must stay";
	if (!keeps_pairs(c))
		return "a pair of call and result broke";
	if (!keeps_agent(c))
		return "the stream became another agent's";
	return keeps_books(c) ? NULL : "the tokens do not add up";
}
