#include "policy/drop/drop.h"

#include <stdlib.h>

#include "base/list.h"
#include "policy/drop/drop_artifact.h"
#include "policy/drop/drop_order.h"
#include "policy/outline/outline_dropped.h"

struct drop {
	struct compaction *compaction;
	struct drop_order order;
	struct drop_artifact artifact;
	uint32_t mark;  /* before the first drop */
	uint32_t *unit; /* marks before the drops of each unit */
	uint32_t units, units_cap;
	bool fits;        /* enough was dropped for the target */
	bool is_enough;   /* and for the goals */
	uint32_t *opener; /* by turn: the message that begins it; NULL: turns are no goal */
};

static void
drop_entry(struct drop *drop, uint32_t index)
{
	struct compaction *c = drop->compaction;

	change_drop(c->session, index, drop->artifact.how->dropped);
	drop_artifact_add(&drop->artifact, index, false);
	goals_note(&c->goals, index);
}

/* The goals that are missed, with the artifact counted. If none is missed, all goals: then more is
 * dropped until the dropped messages outweigh the artifact. */
static unsigned
goals_left(const struct drop *drop)
{
	const struct goals *goals = &drop->compaction->goals;
	unsigned missed = goals_missed_with(goals, drop->compaction->artifact == NONE);

	return missed != 0 ? missed : goals->fired;
}

/* Whether enough was dropped, for the target and for the goals. */
static bool
is_enough(struct drop *drop)
{
	const struct goals *goals = &drop->compaction->goals;
	bool fit_before = drop->fits;

	if (!drop->fits)
		drop->fits = drop_artifact_fits(&drop->artifact);
	if (!drop->fits || goals_missed_with(goals, drop->compaction->artifact == NONE) != 0)
		return false;
	return !fit_before || drop_artifact_pays(&drop->artifact);
}

/* Whether the entry begins the newest execution, and there is one before. Without the entry, the
 * rest of the newest execution would join the execution before, whose steps would then count as
 * well. If no execution is before, the artifact will begin the only one, and the entry needs no
 * protection. */
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

/* If there are too many turns, whole turns are dropped: each message of a turn whose first message
 * is dropped or will be dropped. */
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

/* Whether the unit must be dropped. For the target every unit must be; for the goals, each that
 * brings a goal nearer. */
static bool
is_wanted(const struct drop *drop, uint32_t index)
{
	return !drop->fits || is_turn_wanted(drop, index) ||
	    (!drop->is_enough && is_unit_wanted(drop, index));
}

/* Whether the entry is a text of the model between its calls, which comments on these calls. */
static bool
is_narration(const struct drop *drop, uint32_t index, uint32_t execution)
{
	const struct entry *entry = &drop->compaction->session->entry[index];

	return entry->role == ROLE_ASSISTANT && entry->group == NONE && !entry->is_final &&
	    !entry->is_artifact && entry->execution == execution &&
	    drop_order_may(&drop->order, index);
}

/* Drops the texts of the model directly before and after its dropped calls, except its answer. If
 * only these texts were left, the next model would write its calls as prose. */
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

	drop->artifact.is_late = phase >= PHASE_PAIRS;
	/* The digest may want less by now. */
	if (phase == PHASE_PAIRS && drop->artifact.bound > 0)
		drop->is_enough = is_enough(drop);
	for (uint32_t i = 0;
	     i < c->session->count && !c->is_unsure && (!drop->is_enough || drop->opener != NULL);
	     i++) {
		if (!session_is_head(c->session, i) || !drop_order_may(&drop->order, i) ||
		    !drop_order_is_in(&drop->order, i, phase) || !is_wanted(drop, i))
			continue;
		LIST_ADD(drop->unit, drop->units, drop->units_cap, change_mark(c->session));
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

/* Adds all dropped messages to the artifact again, in the order of the log, so that the facts are
 * in the order of the events. */
static void
add_again(struct drop *drop)
{
	const struct session *t = drop->compaction->session;

	summary_close(&drop->artifact.summary);
	drop_artifact_open(&drop->artifact);
	for (uint32_t i = 0; i < t->count; i++)
		if (t->entry[i].is_dropped && t->entry[i].change >= drop->mark)
			drop_artifact_add(&drop->artifact, i, true);
}

static bool
is_in_order(const struct drop *drop)
{
	const struct session *t = drop->compaction->session;

	for (uint32_t i = drop->mark + 1; i < t->change_count; i++)
		if (t->change[i].entry < t->change[i - 1].entry)
			return false;
	return true;
}

/* The number of units, counted from the last one dropped, that can come back because they have room
 * beside the artifact. The units that stay dropped must be larger than the artifact. */
static uint32_t
find_spare(const struct drop *drop)
{
	/* more bytes that the next artifact may have, for the messages that it covers */
	enum { MARGIN = 256 };
	struct compaction *c = drop->compaction;
	const struct session *t = c->session;
	uint64_t used = compaction_used(c) - drop->artifact.replaced + drop->artifact.written;
	uint64_t left = c->options->target > used ? c->options->target - used : 0;
	uint64_t bytes = drop->artifact.bytes_gone,
		 least = drop->artifact.summary.text.len + MARGIN;
	uint32_t spare = 0, end = t->change_count;

	for (; spare + 1 < drop->units; spare++) {
		uint32_t from = drop->unit[drop->units - spare - 1];
		uint64_t tokens = 0, len = 0;

		for (uint32_t i = from; i < end; i++) {
			tokens += t->change[i].before;
			len += t->entry[t->change[i].entry].len;
			if (c->keep[t->change[i].entry] == KEEP_DOOMED)
				return spare;
		}
		if (tokens > left || bytes < least + len)
			return spare;
		left -= tokens;
		bytes -= len;
		end = from;
	}
	return spare;
}

/* Puts back the units that went last and have room, where the digest is whole with less than was
 * kept for it, and writes the artifact anew. */
static void
put_back(struct drop *drop)
{
	struct compaction *c = drop->compaction;
	struct drop_artifact *artifact = &drop->artifact;
	bool has_goals = c->goals.fired != 0 || c->options->drops_all;
	uint32_t spare = 0;

	if (artifact->bound > 0 && !has_goals && !summary_is_cut(&artifact->summary))
		spare = find_spare(drop);
	if (spare == 0)
		return;
	compaction_undo(c, drop->unit[drop->units - spare]);
	add_again(drop);
	drop_artifact_write(artifact);
}

/* Drops whole groups and messages; drops none if the artifact would weigh more than they do. */
static void
drop_units(struct drop *drop)
{
	struct compaction *c = drop->compaction;
	const struct drop_how *how = drop->artifact.how;

	find_openers(drop);
	for (enum drop_order_phase phase = 0; phase < PHASES; phase++)
		if (!drop->is_enough || (drop->opener != NULL && phase <= PHASE_CURRENT))
			drop_oldest(drop, phase);
	free(drop->opener);
	if (change_mark(c->session) == drop->mark &&
	    (c->artifact == NONE || compaction_used(c) <= c->options->room))
		return;
	if (!is_in_order(drop))
		add_again(drop);
	if (drop_artifact_write(&drop->artifact)) {
		put_back(drop);
		summary_put(
		    &drop->artifact.summary, drop->artifact.written, how->added, how->updated);
		compaction_settle(c, drop->mark);
	} else {
		compaction_undo(c, drop->mark);
	}
}

/* An artifact in the provider's cache cannot cover the dropped messages. */
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

void
drop_run(struct compaction *c)
{
	const struct drop_how *how = drop_how_of(c->options->pipeline);
	struct drop drop = {.compaction = c, .mark = change_mark(c->session)};

	if (is_artifact_cached(c) ||
	    (compaction_fits(c) && goals_missed(&c->goals) == 0 && !c->options->drops_all))
		return;
	drop_order_init(&drop.order, c, how->by_value);
	drop.fits = compaction_fits(c) && !c->options->drops_all;
	drop.artifact = (struct drop_artifact){.compaction = c,
	    .how = how,
	    .bound = drop_how_bound(c),
	    .used_before = compaction_used(c)};
	drop_artifact_open(&drop.artifact);
	drop_units(&drop);
	summary_close(&drop.artifact.summary);
	drop_order_free(&drop.order);
	free(drop.unit);
}

/* Adds up the tokens that the changes cut, and bounds the digest by these. Returns whether any were
 * cut, and nothing was dropped. */
static bool
find_cut(const struct session *t, struct drop_artifact *artifact)
{
	enum { GAIN_SHARE = 4 }; /* the digest gives back one part in so many of the cut tokens */
	uint64_t told = 0;

	for (uint32_t i = 0; i < t->change_count; i++) {
		const struct change *change = &t->change[i];
		uint64_t saved =
		    change->before > change->after ? change->before - change->after : 0;

		if (change->kind == CHANGE_DROP)
			return false;
		told += change->kind == CHANGE_TEXT && outline_dropped_is_cut(t, change->entry) ?
		    saved :
		    0;
		artifact->used_before += saved;
		artifact->bytes_gone +=
		    change->kind == CHANGE_TEXT && change->new_len < change->len ?
		    change->len - change->new_len :
		    0;
	}
	artifact->bound = number_least(artifact->bound, artifact->replaced + told / GAIN_SHARE);
	return told > 0;
}

void
drop_tell(struct compaction *c)
{
	enum { LINES_LEAST = 4 }; /* fewer ones are not worth a message */
	const struct drop_how *how = drop_how_of(c->options->pipeline);
	struct drop_artifact artifact = {.compaction = c, .how = how};
	uint32_t least = c->artifact == NONE ? LINES_LEAST : 1;

	if (how == NULL || !how->by_value || how->has_symbols || is_artifact_cached(c) ||
	    !compaction_fits(c) || (c->artifact == NONE && !goals_allow_message(&c->goals)))
		return;
	drop_artifact_open(&artifact);
	artifact.used_before = compaction_used(c);
	artifact.bound = number_least(
	    drop_how_bound(c), c->options->target - artifact.used_before + artifact.replaced);
	if (artifact.bound > 0 && find_cut(c->session, &artifact) &&
	    drop_artifact_write(&artifact) && artifact.summary.gather.lines >= least &&
	    compaction_used(c) - artifact.replaced + artifact.written <= c->options->target)
		summary_put(&artifact.summary, artifact.written, how->added, how->updated);
	summary_close(&artifact.summary);
}
