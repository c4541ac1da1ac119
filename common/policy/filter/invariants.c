#include "policy/filter/invariants.h"

#include "policy/compact/transform.h"

static bool
keeps_verbatim(const struct compaction *c)
{
	for (uint32_t i = 0; i < c->session->count; i++) {
		const struct entry *entry = &c->session->entry[i];

		if (c->keep[i] >= KEEP_SIBLING && i != c->artifact && entry->is_dropped)
			return false;
		if (c->keep[i] >= KEEP_WINDOW && i != c->artifact &&
		    !compaction_is_cuttable(c, i) && entry->is_changed)
			return false;
	}
	return true;
}

/* Whether the message has as many calls as before, and answers a call if it did before. */
static bool
keeps_pair(const struct session *t, const struct entry *entry, const struct verdict *verdict)
{
	uint32_t calls = entry->has_calls ? t->group[entry->group].calls : 0;

	return verdict->calls == calls && (verdict->answers == NONE) == (entry->call == NONE);
}

/* Walks over the messages that are left, as a reader of the output will. */
static bool
keeps_pairs(const struct compaction *c)
{
	const struct session *t = c->session;
	struct walk walk;
	struct verdict verdict;
	struct message message;
	bool holds = true;

	walk_init(&walk);
	walk.steering = t->walk.steering;
	walk_set_agent(&walk, buf_str(&t->walk.agent));
	for (uint32_t i = 0; i < t->count && holds; i++) {
		if (t->entry[i].kind != RECORD_MESSAGE || t->entry[i].is_dropped)
			continue;
		entry_parse(&t->entry[i], &message);
		holds = message.kind == RECORD_MESSAGE &&
		    (message.role == t->entry[i].role || i == c->artifact);
		if (!holds)
			break;
		walk_add(&walk, &message, &verdict);
		holds = keeps_pair(t, &t->entry[i], &verdict);
	}
	walk_free(&walk);
	return holds;
}

/* Whether the first message is still of the stream's own agent. */
static bool
keeps_agent(const struct session *t)
{
	uint32_t end = t->added_count > 0 ? change_added(t, 0)->entry : t->count;

	for (uint32_t i = 0; i < end; i++)
		if (t->entry[i].kind == RECORD_MESSAGE && !t->entry[i].is_dropped)
			return !t->entry[i].outside;
	return true;
}

/* Whether the books agree with the session: no doomed entry is left, and nothing grew. */
static bool
keeps_books(struct compaction *c)
{
	const struct session *t = c->session;
	uint64_t used = 0, before = 0, after = 0;

	for (uint32_t i = 0; i < t->count; i++)
		if (!t->entry[i].is_dropped)
			used += t->entry[i].tokens;
	for (uint32_t i = 0; i < t->change_count; i++) {
		const struct change *change = &t->change[i];

		before += change->kind == CHANGE_ADD ? 0 : change->len;
		after += change->new_len;
		used += change->kind == CHANGE_ADD ? change->after : 0;
	}
	return used == compaction_used(c) && after <= before && c->doomed == 0;
}

const char *
invariants_check(struct compaction *c)
{
	if (!keeps_verbatim(c))
		return "a message changed that must stay";
	if (!keeps_pairs(c))
		return "a pair of call and result broke";
	if (!keeps_agent(c->session))
		return "the stream became another agent's";
	return keeps_books(c) ? NULL : "the tokens do not add up";
}

const struct transform normalize_transform = {.name = STR_INIT("normalize")};
