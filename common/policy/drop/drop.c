#include "policy/drop/drop.h"

#include <stdlib.h>

#include "base/mem.h"
#include "policy/digest/section.h"
#include "policy/drop/drop_order.h"
#include "policy/summary/summary.h"

struct drop {
	struct compaction *compaction;
	const struct drop_how *how;
	struct drop_order order;
	struct summary artifact;
	uint32_t mark;     /* before the first drop */
	uint64_t replaced; /* tokens of the artifact that is replaced */
	uint64_t used_before;
	uint64_t bytes_gone;      /* at least */
	uint64_t doomed_tokens;   /* at least, of doomed entries that are gone */
	enum drop_order_phase at; /* that is under way */
	uint64_t bound;           /* tokens that the digest may have; 0: no digest */
	bool fits;                /* enough was dropped for the target */
	bool is_enough;           /* and for the goals */
	uint32_t *opener;         /* by turn: the message that begins it; NULL: turns are no goal */
};

static void
drop_entry(struct drop *drop, uint32_t index)
{
	struct compaction *c = drop->compaction;

	if (c->keep[index] == KEEP_DOOMED) {
		drop->doomed_tokens += compaction_least_tokens(c, index, false);
		drop->bytes_gone += compaction_least_bytes(c, index);
	} else {
		drop->bytes_gone += c->session->entry[index].len;
	}
	change_drop(c->session, index, drop->how->dropped);
	goals_note(&c->goals, index);
	summary_add(&drop->artifact, index);
}

/* Whether the artifact has fewer bytes and no more tokens than all that it stands for. Of
 * doomed entries, only the least weight is known. If that does not decide, all must be counted. */
static bool
pays(struct drop *drop, uint64_t tokens, size_t len)
{
	struct compaction *c = drop->compaction;
	uint64_t left = compaction_used(c) - drop->replaced + tokens;

	if (len + 1 < drop->bytes_gone && left <= drop->used_before + drop->doomed_tokens)
		return true;
	c->is_unsure |= drop->doomed_tokens > 0;
	return false;
}

/* Whether the artifact of all that was dropped by now pays, with all of its facts. */
static bool
pays_whole(struct drop *drop)
{
	struct summary *artifact = &drop->artifact;
	uint64_t tokens = summary_write(artifact, SUMMARY_MEASURED);

	return pays(drop, tokens, artifact->text.len + section_len(&artifact->facts));
}

/* The tokens that the digest gets of the target: no more than what went is worth, and what the
 * artifact had before, because what that said stays. For all of them, nothing goes that is kept by
 * value. */
static uint64_t
reserve(const struct drop *drop)
{
	const struct compaction *c = drop->compaction;
	uint64_t gain = drop->bytes_gone / DROP_HOW_GAIN, bound;

	if (c->artifact != NONE)
		gain = drop->replaced +
		    (drop->bytes_gone - c->session->entry[c->artifact].len) / DROP_HOW_GAIN;
	bound = drop->bound;
	if (drop->at >= PHASE_PAIRS)
		bound = number_least(bound, c->options->target / DROP_HOW_LATE);
	return gain < bound ? gain : bound;
}

/* Whether enough was dropped for the target. */
static bool
fits(struct drop *drop)
{
	struct compaction *c = drop->compaction;
	struct summary *artifact = &drop->artifact;
	uint64_t left = compaction_used(c) - drop->replaced, tokens;

	if (c->doomed > 0 || left > c->options->target || c->options->drops_all)
		return false;
	tokens = summary_write(artifact, SUMMARY_BRIEF);
	if (left + tokens + reserve(drop) > c->options->target ||
	    !pays(drop, tokens, artifact->text.len))
		return false;
	return pays_whole(drop);
}

/* The goals that are missed, with the artifact. When none is, all goals: more is dropped until the
 * artifact pays. */
static unsigned
goals_left(const struct drop *drop)
{
	const struct goals *goals = &drop->compaction->goals;
	unsigned missed = goals_missed_with(goals, drop->artifact.artifact == NONE);

	return missed != 0 ? missed : goals->fired;
}

/* Whether enough was dropped, for the target and for the goals. */
static bool
is_enough(struct drop *drop)
{
	const struct goals *goals = &drop->compaction->goals;
	bool fit_before = drop->fits;

	if (!drop->fits)
		drop->fits = fits(drop);
	if (!drop->fits || goals_missed_with(goals, drop->artifact.artifact == NONE) != 0)
		return false;
	return !fit_before || pays_whole(drop);
}

/* Whether the entry begins the newest execution, and there is one before. Without the entry, what
 * is left of the newest would become part of the one before, and the steps more. Where no execution
 * is before, the artifact begins the only one from then on, and the entry is like all others. */
static bool
begins_newest(const struct session *t, uint32_t index)
{
	return t->execution_count > 1 && t->execution[t->execution_count - 1].first == index;
}

/* Whether a member of the unit brings a goal nearer. */
static bool
is_unit_wanted(const struct drop *drop, uint32_t index)
{
	const struct compaction *c = drop->compaction;
	unsigned goals = goals_left(drop), steps = 1u << BUDGET_STEPS;

	for (uint32_t at = 0, i; (i = session_unit_member(c->session, index, &at)) != NONE;)
		if (goals_touches(
			&c->goals, i, begins_newest(c->session, i) ? goals & ~steps : goals))
			return true;
	return false;
}

/* Turns that are too many go as wholes: each message of a turn whose first message is gone, or will
 * go. */
static bool
is_turn_wanted(const struct drop *drop, uint32_t index)
{
	const struct session *t = drop->compaction->session;
	uint32_t opener;

	if (drop->opener == NULL)
		return false;
	opener = drop->opener[t->entry[index].turn];
	return opener != NONE &&
	    (t->entry[opener].is_dropped ||
		(!drop->is_enough && (goals_left(drop) & 1u << BUDGET_TURNS) != 0 &&
		    drop_order_may(&drop->order, opener)));
}

/* Whether the unit must go: for the target every one, for the goals those that bring one nearer. */
static bool
is_wanted(const struct drop *drop, uint32_t index)
{
	return !drop->fits || is_turn_wanted(drop, index) ||
	    (!drop->is_enough && is_unit_wanted(drop, index));
}

/* Whether the entry is a text of the model between its steps: it tells of the calls beside it. */
static bool
is_narration(const struct drop *drop, uint32_t index, uint32_t execution)
{
	const struct entry *entry = &drop->compaction->session->entry[index];

	return entry->role == ROLE_ASSISTANT && entry->group == NONE && !entry->is_final &&
	    !entry->is_artifact && entry->execution == execution &&
	    drop_order_may(&drop->order, index);
}

/* Drops what the model said right before its calls, and right behind them but for its answer: where
 * calls are gone and such texts are left, models write calls as prose. */
static void
drop_narration(struct drop *drop, uint32_t index)
{
	const struct session *t = drop->compaction->session;
	const struct entry *call = &t->entry[index];

	if (!call->has_calls)
		return;
	for (uint32_t i = index; i-- > 0 && is_narration(drop, i, call->execution);)
		drop_entry(drop, i);
	for (uint32_t i = t->group[call->group].last + 1;
	     i < t->count && is_narration(drop, i, call->execution); i++)
		drop_entry(drop, i);
}

static void
drop_oldest(struct drop *drop, enum drop_order_phase phase)
{
	struct compaction *c = drop->compaction;
	uint32_t at, member;

	drop->at = phase;
	/* The digest asks for less by now. */
	if (phase == PHASE_PAIRS && drop->bound > 0)
		drop->is_enough = is_enough(drop);
	for (uint32_t i = 0;
	     i < c->session->count && !c->is_unsure && (!drop->is_enough || drop->opener != NULL);
	     i++) {
		if (!session_is_head(c->session, i) || !drop_order_may(&drop->order, i) ||
		    !drop_order_is_in(&drop->order, i, phase) || !is_wanted(drop, i))
			continue;
		for (at = 0; (member = session_unit_member(c->session, i, &at)) != NONE;)
			drop_entry(drop, member);
		drop_narration(drop, i);
		drop->is_enough = is_enough(drop);
	}
}

static void
find_openers(struct drop *drop)
{
	const struct session *t = drop->compaction->session;

	if ((drop->compaction->goals.fired & 1u << BUDGET_TURNS) == 0)
		return;
	drop->opener = mem_alloc((size_t)t->turn_count + 1, sizeof *drop->opener);
	for (uint32_t i = 0; i <= t->turn_count; i++)
		drop->opener[i] = NONE;
	for (uint32_t i = t->count; i-- > 0;)
		if (t->entry[i].is_request)
			drop->opener[t->entry[i].turn] = i;
}

/* The tokens that the artifact may have: what the budget leaves, no more than its bound, and, where
 * its first line alone meets the target, no more than the target leaves: else another run would
 * find the target missed and drop more. */
static uint64_t
allowed_tokens(struct drop *drop, uint64_t left)
{
	const struct compaction_options *options = drop->compaction->options;
	uint64_t allowed = options->room > left ? options->room - left : 0;

	if (drop->bound > 0 &&
	    options->target >= left + summary_write(&drop->artifact, SUMMARY_BRIEF))
		allowed = options->target - left;
	return drop->bound > 0 && allowed > drop->bound ? drop->bound : allowed;
}

/* Writes the artifact, with less text if the budget would be exceeded or the artifact would not pay
 * otherwise. Returns whether the artifact pays. */
static bool
write_artifact(struct drop *drop)
{
	struct compaction *c = drop->compaction;
	struct summary *artifact = &drop->artifact;
	uint64_t allowed = allowed_tokens(drop, compaction_used(c) - drop->replaced), tokens;
	bool does_pay;

	if (drop->bound > 0) {
		artifact->room = allowed > 0 ? (size_t)drop->bound * SUMMARY_TOKEN_BYTES : 0;
		summary_gather(artifact, drop->how->has_symbols);
	}
	for (;; summary_shrink(artifact, tokens, allowed)) {
		tokens = summary_write(artifact, SUMMARY_WHOLE);
		does_pay = pays(drop, tokens, artifact->text.len);
		if (artifact->room == 0 || (does_pay && tokens <= allowed))
			return does_pay;
	}
}

/* Drops whole groups and messages; drops none if the artifact would weigh more than they do. */
static void
drop_units(struct drop *drop)
{
	struct compaction *c = drop->compaction;

	find_openers(drop);
	for (enum drop_order_phase phase = 0; phase < PHASES; phase++)
		if (!drop->is_enough || (drop->opener != NULL && phase <= PHASE_CURRENT))
			drop_oldest(drop, phase);
	free(drop->opener);
	if (change_mark(c->session) == drop->mark &&
	    (c->artifact == NONE || compaction_used(c) <= c->options->room))
		return;
	if (write_artifact(drop)) {
		summary_put(&drop->artifact, drop->how->added, drop->how->updated);
		compaction_settle(c, drop->mark);
	} else {
		compaction_undo(c, drop->mark);
	}
}

/* An artifact that the provider has in its cache cannot take up what goes. */
static bool
is_artifact_cached(const struct compaction *c)
{
	return c->artifact != NONE && c->artifact < c->cached_end;
}

void
drop_prepare(struct compaction *c)
{
	struct drop_order order;

	if (is_artifact_cached(c))
		return;
	drop_order_init(&order, c, drop_how_of(c->options->pipeline)->by_value);
	drop_order_doom(&order);
	drop_order_free(&order);
}

/* The bytes that the artifact has for names: a fifth of the target. */
static size_t
text_room(uint64_t target)
{
	enum { LEAST = 400, MOST = 4000, SHARE = 5 };
	uint64_t room = target / SHARE * SUMMARY_TOKEN_BYTES;

	return room < LEAST ? LEAST : room > MOST ? MOST : (size_t)room;
}

void
drop_run(struct compaction *c)
{
	struct drop drop = {.compaction = c, .how = drop_how_of(c->options->pipeline)};

	if (is_artifact_cached(c) ||
	    (compaction_fits(c) && goals_missed(&c->goals) == 0 && !c->options->drops_all))
		return;
	drop_order_init(&drop.order, c, drop.how->by_value);
	drop.mark = change_mark(c->session);
	drop.bound = drop_how_bound(c);
	drop.fits = compaction_fits(c) && !c->options->drops_all;
	drop.used_before = compaction_used(c);
	if (c->artifact != NONE) {
		drop.replaced = c->session->entry[c->artifact].tokens;
		drop.bytes_gone = c->session->entry[c->artifact].len;
	}
	summary_open(&drop.artifact, c, drop.bound > 0 ? 0 : text_room(c->options->target));
	drop_units(&drop);
	summary_close(&drop.artifact);
	drop_order_free(&drop.order);
}
