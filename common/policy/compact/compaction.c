#include "policy/compact/compaction.h"

#include <stdlib.h>

#include "policy/facts/facts.h"
#include "policy/text/recall.h"

static uint32_t
find_newest(const struct compaction *c)
{
	const struct session *t = c->session;

	for (uint32_t i = t->count; i-- > 0;)
		if (c->keep[i] != KEEP_FOREIGN && i != c->artifact)
			return session_head_index(t, i);
	return NONE;
}

/* The turn of the model's newest message, or 0. */
static uint32_t
find_answered(const struct session *t)
{
	for (uint32_t i = t->count; i-- > 0;)
		if (t->entry[i].role == ROLE_ASSISTANT && !t->entry[i].outside &&
		    !t->entry[i].is_artifact)
			return t->entry[i].turn;
	return 0;
}

/* The entry after the first messages, of that number, and the groups that begin in them. */
static uint32_t
find_cached_end(const struct session *t, uint64_t messages)
{
	uint32_t end = 0;

	for (uint32_t i = 0; i < t->count && messages > 0; i++) {
		const struct entry *entry = &t->entry[i];
		uint32_t last = entry->group != NONE ? t->group[entry->group].last : i;

		if (entry->kind != RECORD_MESSAGE)
			continue;
		end = last >= end ? last + 1 : end;
		messages--;
	}
	return end;
}

static void
find_kept(struct compaction *c)
{
	struct keep_choice choice = c->options->choice;

	if (c->is_cold)
		choice.cached = 0;
	c->cached_end = find_cached_end(c->session, choice.cached);
	c->request = facts_request(c->session, c->artifact);
	c->keep = keep_find(c->session, &c->window, &choice, c->artifact, &c->framing, &c->request,
	    &c->goals, c->estimator);
	for (uint32_t i = 0; i < c->session->count && c->is_folded; i++)
		if (c->keep[i] == KEEP_SIBLING || c->keep[i] == KEEP_UNRESOLVED)
			c->keep[i] = KEEP_NOT;
}

void
compaction_init(struct compaction *c, struct session *session, struct estimator *estimator,
    const struct compaction_options *options, uint32_t artifact)
{
	*c = (struct compaction){
	    .session = session,
	    .estimator = estimator,
	    .options = options,
	    .window = options->window,
	    .artifact = artifact,
	    .framing = framing_find(session, facts_framing(session, artifact)),
	};
	session->counts_changes = true;
	goals_init(&c->goals, session, options->limits, options->when, &c->framing, estimator);
	attempts_find(&c->attempts, session);
	find_kept(c);
	c->newest = find_newest(c);
	c->answered = find_answered(session);
}

void
compaction_free(struct compaction *c)
{
	free(c->keep);
	goals_free(&c->goals);
	attempts_free(&c->attempts);
}

void
compaction_weigh(struct compaction *c, enum keep weakest)
{
	c->used = 0;
	c->booked = change_mark(c->session);
	for (uint32_t i = 0; i < c->session->count; i++)
		if (c->keep[i] >= weakest)
			c->used += weigh_entry(c->session, i, c->estimator);
}

void
compaction_doom(struct compaction *c, uint32_t index)
{
	c->keep[index] = KEEP_DOOMED;
	c->doomed++;
}

void
compaction_reset(struct compaction *c)
{
	change_undo(c->session, 0);
	c->session->list_count = 0;
	for (uint32_t i = 0; i < c->session->count; i++)
		if (c->keep[i] == KEEP_DOOMED)
			c->keep[i] = KEEP_NOT;
	c->booked = 0;
	c->doomed = 0;
	c->is_unsure = false;
}

/* Whether an entry is kept for a reason from first to last. */
static bool
has_kept(const struct compaction *c, enum keep first, enum keep last)
{
	for (uint32_t i = 0; i < c->session->count; i++)
		if (c->keep[i] >= first && c->keep[i] <= last)
			return true;
	return false;
}

bool
compaction_give_way(struct compaction *c, bool may_fold, bool may_cut)
{
	enum { SHARE = 4, LEAST = 100 };

	if (!c->is_cold && c->options->choice.cached > 0) {
		c->is_cold = true;
	} else if (!c->window.is_given && c->window.tokens > 0) {
		c->window.tokens = c->window.tokens / SHARE >= LEAST ? c->window.tokens / SHARE : 0;
	} else if (!c->cuts_critical && has_kept(c, KEEP_CRITICAL, KEEP_CRITICAL)) {
		c->cuts_critical = true;
	} else if (may_fold && !c->is_folded) {
		c->is_folded = true;
	} else if (may_cut && !c->cuts_requests && has_kept(c, KEEP_REQUEST, KEEP_FRAMING)) {
		c->cuts_requests = true;
		c->window = c->options->window;
		c->cuts_critical = false;
		c->is_folded = false;
	} else {
		return false;
	}
	compaction_reset(c);
	free(c->keep);
	find_kept(c);
	return true;
}

/* Enters a change into the books, or takes it out again. */
static void
book(struct compaction *c, const struct change *change, bool out)
{
	if (change->kind != CHANGE_ADD && c->keep[change->entry] == KEEP_DOOMED) {
		c->doomed += out ? 1 : -1u;
		return;
	}
	if (out)
		c->used = c->used - change->after + change->before;
	else
		c->used = c->used - change->before + change->after;
}

uint64_t
compaction_used(struct compaction *c)
{
	while (c->booked < c->session->change_count)
		book(c, &c->session->change[c->booked++], false);
	return c->used;
}

static void
unbook(struct compaction *c, uint32_t mark)
{
	while (c->booked > mark)
		book(c, &c->session->change[--c->booked], true);
}

void
compaction_undo(struct compaction *c, uint32_t mark)
{
	unbook(c, mark);
	change_undo(c->session, mark);
}

void
compaction_change_again(struct compaction *c, uint32_t number, const struct change_rule *rule,
    struct str text, uint64_t tokens)
{
	struct change *change = &c->session->change[number];

	c->used = compaction_used(c) - change->after + tokens;
	change_again(c->session, number, rule, text);
	change->after = (uint32_t)tokens;
	if (change->kind != CHANGE_ADD)
		c->session->entry[change->entry].tokens = (uint32_t)tokens;
}

bool
compaction_settle(struct compaction *c, uint32_t mark)
{
	unbook(c, mark);
	return weigh_settle(c->session, mark, c->estimator);
}

enum { ARGUMENTS_SHORT = 400 }; /* bytes of a call below which no argument is cut */

/* Whether no transform changes the entry, short of dropping it. Such an entry must stay as it is,
 * or is no result and has no text that is too long. */
static bool
is_fixed(const struct compaction *c, uint32_t index)
{
	const struct entry *entry = &c->session->entry[index];

	if (c->keep[index] == KEEP_CRITICAL && c->cuts_critical)
		return false;
	return c->keep[index] >= KEEP_RECENT ||
	    (entry->role != ROLE_TOOL && entry->is_text && entry->len <= c->options->prune_over &&
		(!entry->has_calls || entry->len <= ARGUMENTS_SHORT));
}

uint64_t
compaction_least_tokens(struct compaction *c, uint32_t index, bool exact)
{
	const struct session *t = c->session;
	const struct entry *entry = &t->entry[index];
	bool fixed = is_fixed(c, index);
	uint32_t calls = 0;

	if (!entry_is_in_thread(entry))
		return 0;
	if (fixed && exact)
		return weigh_entry(c->session, index, c->estimator);
	if (fixed && entry->tokens != 0)
		return entry->tokens;
	for (uint32_t i = 0; entry->has_calls && i < t->group[entry->group].calls; i++)
		calls += t->call[t->group[entry->group].first_call + i].name.len > 0;
	return weigh_least(c->estimator, calls);
}

uint64_t
compaction_least_bytes(const struct compaction *c, uint32_t index)
{
	static const char shortest[] = "{\"role\":\"user\"}";
	uint32_t len = c->session->entry[index].len;

	return is_fixed(c, index) || len < sizeof shortest - 1 ? len : sizeof shortest - 1;
}

bool
compaction_fits(struct compaction *c)
{
	return compaction_used(c) <= c->options->target && c->doomed == 0;
}

bool
compaction_is_done(struct compaction *c)
{
	return !c->options->force && !c->options->drops_all && compaction_fits(c);
}

bool
compaction_is_wanted(const struct compaction *c, uint32_t index)
{
	const unsigned by_changes = 1u << BUDGET_TOOL_RESULTS | 1u << BUDGET_WHEN;

	return goals_touches(&c->goals, index, goals_missed(&c->goals) & by_changes);
}

void
compaction_settle_goals(struct compaction *c, uint32_t index, uint32_t mark)
{
	unsigned touched = c->goals.touches[index];

	goals_note(&c->goals, index);
	if (c->goals.touches[index] != touched)
		return;
	compaction_undo(c, mark);
	goals_note(&c->goals, index);
}

bool
compaction_is_in(const struct compaction *c, uint32_t index, bool current)
{
	const struct session *t = c->session;

	return session_is_current(t, session_head(t, &t->entry[index])) == current;
}

bool
compaction_is_failure(const struct compaction *c, uint32_t index)
{
	if (c->session->entry[index].role != ROLE_TOOL)
		return false;
	return c->keep[index] == KEEP_UNRESOLVED ||
	    (c->is_folded && c->keep[index] == KEEP_NOT && keep_is_failure(c->session, index));
}

bool
compaction_may_change(const struct compaction *c, uint32_t index)
{
	const struct entry *entry = &c->session->entry[index];

	return (c->keep[index] == KEEP_NOT || c->keep[index] == KEEP_SIBLING) &&
	    !compaction_is_failure(c, index) && !entry->is_dropped && !entry->is_compacted &&
	    index != c->artifact && !recall_is_result(c->session, index);
}
