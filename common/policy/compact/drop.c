#include "policy/compact/drop.h"

#include <stdlib.h>

#include "base/mem.h"
#include "policy/summary/summary.h"
#include "policy/compact/transform.h"

/*
 * The order in which units go. The last three are kept by value: they go when all else is gone.
 */
enum phase {
	PHASE_EARLIER, /* earlier executions */
	PHASE_CURRENT, /* the current one */
	PHASE_PAIRS,   /* the newest pairs of call and result */
	PHASE_USER,    /* the newest messages of the user */
	PHASE_FAILED,  /* open failures, if they may go at all */
	PHASES
};

enum {
	PAIRS_KEPT = 3,
	USER_SHARE = 15,   /* percent of the target */
	DIGEST_SHARE = 2,  /* the digest has at most one part in so many of the target */
	TOLD_SHARE = 5,    /* symbols, and a digest beside the text of a command */
	DIGEST_GAIN = 4,   /* and a token for so many bytes that went: no more than they had */
	LATE_SHARE = 5,    /* what is kept by value goes for no more than that part of it */
	DIGEST_LEAST = 64, /* tokens below which a list of files says more than a digest */
};

struct drop {
	struct compaction *compaction;
	const struct drop_how *how;
	uint8_t *phase; /* enum phase, by entry; NULL: nothing is kept by value */
	struct summary artifact;
	uint32_t summary;  /* the newest summary of somebody else, or NONE */
	uint32_t first;    /* the first message, if it must stay, or NONE */
	uint32_t mark;     /* before the first drop */
	uint64_t replaced; /* tokens of the artifact that is replaced */
	uint64_t used_before;
	uint64_t bytes_gone;    /* at least */
	uint64_t doomed_tokens; /* at least, of doomed entries that are gone */
	enum phase at;          /* that is under way */
	uint64_t bound;         /* tokens that the digest may have; 0: no digest */
	bool fits;              /* enough was dropped for the target */
	bool is_enough;         /* and for the goals */
	bool is_wanted;         /* the unit under way brings a goal nearer */
	uint32_t *opener;       /* by turn: the message that begins it; NULL: turns are no goal */
};

static uint32_t
find_summary(const struct compaction *c)
{
	for (uint32_t i = c->session->count; i-- > 0;)
		if (summary_is(&c->session->entry[i]) && i != c->artifact &&
		    c->keep[i] != KEEP_FOREIGN)
			return i;
	return NONE;
}

/* Whether the entry is the first message that must stay, or of the group of that message. */
static bool
is_first(const struct drop *drop, uint32_t index)
{
	const struct entry *entry = drop->compaction->session->entry;

	if (drop->first == NONE)
		return false;
	return index == drop->first ||
	    (entry[index].group != NONE && entry[index].group == entry[drop->first].group);
}

static bool
may_drop(const struct drop *drop, uint32_t index)
{
	const struct compaction *c = drop->compaction;

	return c->keep[index] <= KEEP_NOT && !c->session->entry[index].is_dropped &&
	    index != c->artifact && index != drop->summary && !is_first(drop, index);
}

/* The first message, if it must stay, or NONE. It must stay if all messages before another agent's
 * message may go: the stream would then be that agent's. An artifact in front of that message would
 * still tell whose stream it is. */
static uint32_t
find_first(const struct drop *drop)
{
	const struct compaction *c = drop->compaction;
	const struct session *t = c->session;
	uint32_t end = c->artifact != NONE ? c->artifact : summary_place(c), first = NONE;

	for (uint32_t i = 0; i < t->count && i < end; i++) {
		if (t->entry[i].kind != RECORD_MESSAGE)
			continue;
		if (first == NONE)
			first = i;
		if (!may_drop(drop, i))
			return t->entry[i].outside ? first : NONE;
	}
	return NONE;
}

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

/* Calls visit for the message and, if it has calls, for their results, which go with it. */
static void
visit_unit(struct drop *drop, uint32_t index, void (*visit)(struct drop *drop, uint32_t index))
{
	const struct session *t = drop->compaction->session;

	for (uint32_t at = 0, i; (i = session_unit_member(t, index, &at)) != NONE;)
		visit(drop, i);
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

	return pays(drop, tokens, artifact->text.len + facts_len(&artifact->facts));
}

/* The tokens that the digest gets of the target: no more than what went is worth, and what the
 * artifact had before, because what that said stays. For all of them, nothing goes that is kept by
 * value. */
static uint64_t
reserve(const struct drop *drop)
{
	const struct compaction *c = drop->compaction;
	uint64_t gain = drop->bytes_gone / DIGEST_GAIN, bound;

	if (c->artifact != NONE)
		gain = drop->replaced +
		    (drop->bytes_gone - c->session->entry[c->artifact].len) / DIGEST_GAIN;
	bound = drop->bound;
	if (drop->at >= PHASE_PAIRS)
		bound = number_least(bound, c->options->target / LATE_SHARE);
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

/* Whether the entry begins the newest execution. Without it, what is left of that execution would
 * become part of the one before, and the steps more. */
static bool
begins_newest(const struct session *t, uint32_t index)
{
	return t->execution_count > 0 && t->execution[t->execution_count - 1].first == index;
}

static void
see_wanted(struct drop *drop, uint32_t index)
{
	const struct compaction *c = drop->compaction;
	unsigned goals = goals_left(drop);

	if (begins_newest(c->session, index))
		goals &= ~(1u << BUDGET_STEPS);
	drop->is_wanted |= goals_touches(&c->goals, index, goals);
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
		    may_drop(drop, opener)));
}

/* Whether the unit must go: for the target every one, for the goals those that bring one nearer. */
static bool
is_wanted(struct drop *drop, uint32_t index)
{
	drop->is_wanted = !drop->fits || is_turn_wanted(drop, index);
	if (!drop->is_wanted && !drop->is_enough)
		visit_unit(drop, index, see_wanted);
	return drop->is_wanted;
}

/* Whether the unit of the entry goes in that phase. */
static bool
is_in_phase(const struct drop *drop, uint32_t index, enum phase phase)
{
	if (drop->phase != NULL && drop->phase[index] >= PHASE_PAIRS)
		return drop->phase[index] == phase;
	return phase <= PHASE_CURRENT &&
	    compaction_is_in(drop->compaction, index, phase == PHASE_CURRENT);
}

/* Whether the entry is a text of the model between its steps: it tells of the calls beside it. */
static bool
is_narration(const struct drop *drop, uint32_t index, uint32_t execution)
{
	const struct entry *entry = &drop->compaction->session->entry[index];

	return entry->role == ROLE_ASSISTANT && entry->group == NONE && !entry->is_final &&
	    !entry->is_artifact && entry->execution == execution && may_drop(drop, index);
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

/* Whether no more goes, for the target or for turns as wholes. */
static bool
is_over(const struct drop *drop)
{
	return drop->is_enough && drop->opener == NULL;
}

static void
drop_oldest(struct drop *drop, enum phase phase)
{
	struct compaction *c = drop->compaction;

	drop->at = phase;
	/* The digest asks for less by now. */
	if (phase == PHASE_PAIRS && drop->bound > 0)
		drop->is_enough = is_enough(drop);
	for (uint32_t i = 0; i < c->session->count && !c->is_unsure && !is_over(drop); i++) {
		if (!session_is_head(c->session, i) || !may_drop(drop, i) ||
		    !is_in_phase(drop, i, phase) || !is_wanted(drop, i))
			continue;
		visit_unit(drop, i, drop_entry);
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
	for (enum phase phase = 0; phase < PHASES; phase++)
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

/* Puts open failures into the last phase. */
static void
find_failed(struct drop *drop)
{
	const struct session *t = drop->compaction->session;

	for (uint32_t i = 0; i < t->count; i++)
		if (t->entry[i].group != NONE && t->group[t->entry[i].group].unresolved > 0)
			drop->phase[i] = PHASE_FAILED;
}

/* Puts the newest pairs into a later phase, those in the recency window counted. */
static void
find_pairs(struct drop *drop)
{
	const struct session *t = drop->compaction->session;
	unsigned pairs = 0;

	for (uint32_t i = t->count; i-- > 0 && pairs < PAIRS_KEPT;) {
		if (!t->entry[i].has_calls || t->entry[i].outside)
			continue;
		if (drop->phase[i] < PHASE_PAIRS)
			drop->phase[i] = PHASE_PAIRS;
		pairs++;
	}
}

/* Puts the user's newest messages into the last phase. */
static void
find_user(struct drop *drop)
{
	struct compaction *c = drop->compaction;
	struct session *t = c->session;
	uint64_t left = c->options->target / 100 * USER_SHARE;

	for (uint32_t i = t->count; i-- > 0;) {
		struct message message;

		if (!framing_is_user(&t->entry[i]) || !may_drop(drop, i))
			continue;
		entry_parse(&t->entry[i], &message);
		if (weigh_reaches(t, i, &message, left + 1, c->estimator))
			return;
		left -= weigh_entry(t, i, c->estimator);
		drop->phase[i] = PHASE_USER;
	}
}

const struct change_rule *
drop_told(const struct drop_how *how, const struct change *change)
{
	if (change->rule == how->added)
		return how->told;
	return change->rule == how->updated ? how->told_again : NULL;
}

bool
drop_keeps_by_value(const struct compaction *c)
{
	return transform_is_in(&summarize_transform, c->options->pipeline) ||
	    transform_is_in(&symbolize_transform, c->options->pipeline);
}

uint64_t
drop_bound(const struct compaction *c)
{
	bool has_symbols = transform_is_in(&symbolize_transform, c->options->pipeline);
	bool is_told = has_symbols || c->options->leaves_room;
	uint64_t bound = c->options->target / (is_told ? TOLD_SHARE : DIGEST_SHARE);

	if (has_symbols && c->options->summary_is_given)
		bound = number_least(c->options->summary_tokens, c->options->target);
	else if (!has_symbols && (is_told || c->options->summary_is_given))
		bound = number_least(c->options->summary_tokens, bound);
	if (bound < DIGEST_LEAST)
		return 0;
	return c->options->leaves_room ? bound + bound / 2 : bound;
}

static struct drop
begin(struct compaction *c, const struct drop_how *how)
{
	struct drop drop = {.compaction = c, .how = how, .first = NONE};

	drop.summary = find_summary(c);
	drop.first = find_first(&drop);
	drop.mark = change_mark(c->session);
	if (!how->by_value)
		return drop;
	drop.bound = drop_bound(c);
	if (c->goals.fired != 0)
		return drop;
	drop.phase = mem_alloc((size_t)c->session->count + 1, 1);
	memset(drop.phase, 0, (size_t)c->session->count + 1);
	if (c->is_folded)
		find_failed(&drop);
	find_pairs(&drop);
	find_user(&drop);
	return drop;
}

/* The fewest tokens of the entries that surely stay; counting stops once they are over the target.
 * The artifact is left out, because it is written anew. */
static uint64_t
least_that_stays(const struct drop *drop)
{
	struct compaction *c = drop->compaction;
	uint64_t sum = 0;

	for (uint32_t i = c->session->count; i-- > 0 && sum <= c->options->target;)
		if (i != c->artifact && !may_drop(drop, i))
			sum += compaction_least_tokens(c, i, true);
	return sum;
}

static void
add_least(struct drop *drop, uint32_t index)
{
	drop->used_before += compaction_least_tokens(drop->compaction, index, true);
}

static void
doom(struct drop *drop, uint32_t index)
{
	compaction_doom(drop->compaction, index);
}

/*
 * Units are dropped as long as more tokens are left than the target. So the least weight of each
 * unit is added to what stays, from the unit that goes last to the one that goes first. Once the
 * sum is over the target, that unit is doomed, and so are all that go before it.
 *
 *     goes first                                          goes last
 *     doomed doomed doomed doomed | unit unit unit unit unit + what stays <= target
 */
static void
doom_units(struct drop *drop, enum phase phase)
{
	struct compaction *c = drop->compaction;
	const struct session *t = c->session;

	for (uint32_t i = t->count; i-- > 0;) {
		if (!session_is_head(t, i) || !may_drop(drop, i) || !is_in_phase(drop, i, phase))
			continue;
		if (drop->used_before <= c->options->target)
			visit_unit(drop, i, add_least);
		if (drop->used_before > c->options->target || c->options->drops_all)
			visit_unit(drop, i, doom);
	}
}

/* An artifact that the provider has in its cache cannot take up what goes. */
static bool
is_artifact_cached(const struct compaction *c)
{
	return c->artifact != NONE && c->artifact < c->cached_end;
}

void
drop_prepare(struct compaction *c, const struct drop_how *how)
{
	struct drop drop;

	if (is_artifact_cached(c))
		return;
	drop = begin(c, how);
	drop.used_before = least_that_stays(&drop);
	for (unsigned phase = PHASES; phase-- > 0;)
		doom_units(&drop, phase);
	free(drop.phase);
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
drop_run(struct compaction *c, const struct drop_how *how)
{
	struct drop drop;

	if (is_artifact_cached(c) ||
	    (compaction_fits(c) && goals_missed(&c->goals) == 0 && !c->options->drops_all))
		return;
	drop = begin(c, how);
	drop.fits = compaction_fits(c) && !c->options->drops_all;
	drop.used_before = compaction_used(c);
	if (c->artifact != NONE) {
		drop.replaced = c->session->entry[c->artifact].tokens;
		drop.bytes_gone = c->session->entry[c->artifact].len;
	}
	summary_open(&drop.artifact, c, drop.bound > 0 ? 0 : text_room(c->options->target));
	drop_units(&drop);
	summary_close(&drop.artifact);
	free(drop.phase);
}
