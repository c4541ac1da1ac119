/*
 * truncate: whole groups and messages go, oldest first, until the target is met, and leave one
 * artifact with their facts right behind the protected head: the leading system and developer
 * messages, the context, and the framing of the task. An artifact that is there already gets
 * the new facts in its place. If that is not enough, the middles of the longest messages go. The
 * text of the artifact gets shorter, down to its first line, where the budget asks for it.
 *
 *     system  user  [artifact]  (dropped ...)  unresolved group  (dropped ...)  recency window
 *
 * The newest summary that somebody else made is not dropped, because it is all that is left of the
 * messages before it. A stream belongs to the agent of its first message. So the first message,
 * with its group, is not dropped if another agent's message would then be the first.
 */

#include <stdlib.h>

#include "base/list.h"
#include "base/mem.h"
#include "policy/compact/shorten.h"
#include "policy/compact/summary.h"
#include "policy/compact/transform.h"
#include "policy/recall.h"
#include "policy/rewrite.h"

enum { DROPPED, CUT, ADDED, UPDATED };

static const struct change_rule rules[] = {
    [DROPPED] = {STR_INIT("dropped"), STR_INIT("drop"), STR_INIT("oldest"), STR_INIT("")},
    [CUT] = {STR_INIT("cut"), STR_INIT("cut"), STR_INIT("longest"), STR_INIT("")},
    [ADDED] = {STR_INIT(""), STR_INIT("add"), STR_INIT("facts of dropped messages"), STR_INIT("")},
    [UPDATED] = {STR_INIT(""), STR_INIT("update"), STR_INIT("facts of dropped messages"),
	STR_INIT("")},
};

struct truncate {
	struct compaction *compaction;
	struct summary artifact;
	uint32_t summary;  /* the newest summary of somebody else, or NONE */
	uint32_t first;    /* the first message, if it must stay, or NONE */
	uint32_t mark;     /* before the first drop */
	uint64_t replaced; /* tokens of the artifact that is replaced */
	uint64_t used_before;
	uint64_t bytes_gone;    /* at least */
	uint64_t doomed_tokens; /* at least, of doomed entries that are gone */
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
is_first(const struct truncate *truncate, uint32_t index)
{
	const struct entry *entry = truncate->compaction->session->entry;

	if (truncate->first == NONE)
		return false;
	return index == truncate->first ||
	    (entry[index].group != NONE && entry[index].group == entry[truncate->first].group);
}

static bool
may_drop(const struct truncate *truncate, uint32_t index)
{
	const struct compaction *c = truncate->compaction;

	return c->keep[index] <= KEEP_NOT && !c->session->entry[index].is_dropped &&
	    index != c->artifact && index != truncate->summary && !is_first(truncate, index);
}

/* The first message, if it must stay, or NONE. It must stay if all messages before another agent's
 * message may go: the stream would then be that agent's. An artifact in front of that message would
 * still tell whose stream it is. */
static uint32_t
find_first(const struct truncate *truncate)
{
	const struct compaction *c = truncate->compaction;
	const struct session *t = c->session;
	uint32_t end = c->artifact != NONE ? c->artifact : summary_place(t, &c->framing),
		 first = NONE;

	for (uint32_t i = 0; i < t->count && i < end; i++) {
		if (t->entry[i].kind != RECORD_MESSAGE)
			continue;
		if (first == NONE)
			first = i;
		if (!may_drop(truncate, i))
			return t->entry[i].outside ? first : NONE;
	}
	return NONE;
}

static void
drop(struct truncate *truncate, uint32_t index)
{
	struct compaction *c = truncate->compaction;

	if (c->keep[index] == KEEP_DOOMED) {
		truncate->doomed_tokens += compaction_least_tokens(c, index, false);
		truncate->bytes_gone += compaction_least_bytes(c, index);
	} else {
		truncate->bytes_gone += c->session->entry[index].len;
	}
	change_drop(c->session, index, &rules[DROPPED]);
	goals_note(&c->goals, index);
	summary_add(&truncate->artifact, index);
}

/* Whether the entry is a unit, or the call message of one: no result that has its call. */
static bool
is_head(const struct session *t, uint32_t index)
{
	return t->entry[index].group == NONE || t->entry[index].has_calls;
}

/* Calls visit for the message and, if it has calls, for their results, which go with it. */
static void
visit_unit(struct truncate *truncate, uint32_t index,
    void (*visit)(struct truncate *truncate, uint32_t index))
{
	const struct session *t = truncate->compaction->session;
	uint32_t in = t->entry[index].group;

	visit(truncate, index);
	for (uint32_t i = 0; in != NONE && i < t->group[in].calls; i++)
		if (t->call[t->group[in].first_call + i].result != NONE)
			visit(truncate, t->call[t->group[in].first_call + i].result);
}

/* Whether the artifact has fewer bytes and no more tokens than all that it stands for. Of
 * doomed entries, only the least weight is known. If that does not decide, all must be counted. */
static bool
pays(struct truncate *truncate, uint64_t tokens, size_t len)
{
	struct compaction *c = truncate->compaction;
	uint64_t left = compaction_used(c) - truncate->replaced + tokens;

	if (len + 1 < truncate->bytes_gone &&
	    left <= truncate->used_before + truncate->doomed_tokens)
		return true;
	c->is_unsure |= truncate->doomed_tokens > 0;
	return false;
}

/* Whether the artifact of all that was dropped by now pays, with all of its facts. */
static bool
pays_whole(struct truncate *truncate)
{
	struct summary *artifact = &truncate->artifact;
	uint64_t tokens = summary_write(artifact, SUMMARY_MEASURED);

	return pays(truncate, tokens, artifact->text.len + facts_len(&artifact->facts));
}

/* Whether enough was dropped for the target. */
static bool
fits(struct truncate *truncate)
{
	struct compaction *c = truncate->compaction;
	struct summary *artifact = &truncate->artifact;
	uint64_t left = compaction_used(c) - truncate->replaced, tokens;

	if (c->doomed > 0 || left > c->options->target)
		return false;
	tokens = summary_write(artifact, SUMMARY_BRIEF);
	if (left + tokens > c->options->target || !pays(truncate, tokens, artifact->text.len))
		return false;
	return pays_whole(truncate);
}

/* The goals that are missed, with the artifact. When none is, all goals: more is dropped until the
 * artifact pays. */
static unsigned
goals_left(const struct truncate *truncate)
{
	const struct goals *goals = &truncate->compaction->goals;
	unsigned missed = goals_missed_with(goals, truncate->artifact.artifact == NONE);

	return missed != 0 ? missed : goals->fired;
}

/* Whether enough was dropped, for the target and for the goals. */
static bool
is_enough(struct truncate *truncate)
{
	const struct goals *goals = &truncate->compaction->goals;
	bool fit_before = truncate->fits;

	if (!truncate->fits)
		truncate->fits = fits(truncate);
	if (!truncate->fits || goals_missed_with(goals, truncate->artifact.artifact == NONE) != 0)
		return false;
	return !fit_before || pays_whole(truncate);
}

/* Whether the entry begins the newest execution. Without it, what is left of that execution would
 * become part of the one before, and the steps more. */
static bool
begins_newest(const struct session *t, uint32_t index)
{
	return t->execution_count > 0 && t->execution[t->execution_count - 1].first == index;
}

static void
see_wanted(struct truncate *truncate, uint32_t index)
{
	const struct compaction *c = truncate->compaction;
	unsigned goals = goals_left(truncate);

	if (begins_newest(c->session, index))
		goals &= ~(1u << BUDGET_STEPS);
	truncate->is_wanted |= goals_touches(&c->goals, index, goals);
}

/* Turns that are too many go as wholes: each message of a turn whose first message is gone, or will
 * go. */
static bool
is_turn_wanted(const struct truncate *truncate, uint32_t index)
{
	const struct session *t = truncate->compaction->session;
	uint32_t opener;

	if (truncate->opener == NULL)
		return false;
	opener = truncate->opener[t->entry[index].turn];
	return opener != NONE &&
	    (t->entry[opener].is_dropped ||
		(!truncate->is_enough && (goals_left(truncate) & 1u << BUDGET_TURNS) != 0 &&
		    may_drop(truncate, opener)));
}

/* Whether the unit must go: for the target every one, for the goals those that bring one nearer. */
static bool
is_wanted(struct truncate *truncate, uint32_t index)
{
	truncate->is_wanted = !truncate->fits || is_turn_wanted(truncate, index);
	if (!truncate->is_wanted && !truncate->is_enough)
		visit_unit(truncate, index, see_wanted);
	return truncate->is_wanted;
}

static void
drop_oldest(struct truncate *truncate, bool current)
{
	struct compaction *c = truncate->compaction;

	for (uint32_t i = 0; i < c->session->count && !c->is_unsure; i++) {
		if (!is_head(c->session, i) || !may_drop(truncate, i) ||
		    !compaction_is_in(c, i, current) || !is_wanted(truncate, i))
			continue;
		visit_unit(truncate, i, drop);
		truncate->is_enough = is_enough(truncate);
		if (truncate->is_enough && truncate->opener == NULL)
			return;
	}
}

static void
find_openers(struct truncate *truncate)
{
	const struct session *t = truncate->compaction->session;

	if ((truncate->compaction->goals.fired & 1u << BUDGET_TURNS) == 0)
		return;
	truncate->opener = mem_alloc((size_t)t->turn_count + 1, sizeof *truncate->opener);
	for (uint32_t i = 0; i <= t->turn_count; i++)
		truncate->opener[i] = NONE;
	for (uint32_t i = t->count; i-- > 0;)
		if (!t->entry[i].outside && t->entry[i].origin == ORIGIN_USER)
			truncate->opener[t->entry[i].turn] = i;
}

/* Writes the artifact, with less text if the budget would be exceeded or the artifact would not pay
 * otherwise. Returns whether it pays. */
static bool
write_artifact(struct truncate *truncate)
{
	enum { SHARE = 2, LEAST = 50 };
	struct compaction *c = truncate->compaction;
	struct summary *artifact = &truncate->artifact;
	uint64_t left = compaction_used(c) - truncate->replaced, tokens;
	bool does_pay;

	for (;; artifact->room = artifact->room > LEAST ? artifact->room / SHARE : 0) {
		tokens = summary_write(artifact, SUMMARY_WHOLE);
		does_pay = pays(truncate, tokens, artifact->text.len);
		if (artifact->room == 0 || (does_pay && left + tokens <= c->options->room))
			return does_pay;
	}
}

/* Drops whole groups and messages; drops none if the artifact would weigh more than they do. Where
 * nothing can be dropped, an earlier artifact may still have too much text. */
static void
drop_units(struct truncate *truncate)
{
	struct compaction *c = truncate->compaction;

	find_openers(truncate);
	drop_oldest(truncate, false);
	if (!truncate->is_enough || truncate->opener != NULL)
		drop_oldest(truncate, true);
	free(truncate->opener);
	if (change_mark(c->session) == truncate->mark &&
	    (c->artifact == NONE || compaction_used(c) <= c->options->room))
		return;
	if (write_artifact(truncate)) {
		summary_put(&truncate->artifact, &rules[ADDED], &rules[UPDATED]);
		compaction_settle(c, truncate->mark);
	} else {
		compaction_undo(c, truncate->mark);
	}
}

struct longest {
	uint32_t entry;
	uint32_t tokens;
};

static int
compare_longest(const void *left, const void *right)
{
	const struct longest *a = left, *b = right;

	if (a->tokens != b->tokens)
		return a->tokens > b->tokens ? -1 : 1;
	return a->entry < b->entry ? -1 : a->entry > b->entry;
}

static void
cut_entry(struct compaction *c, uint32_t index)
{
	struct shorten how = {.over = c->options->prune_over, .texts = true};
	struct message message;
	struct json_edit edit;

	entry_parse(&c->session->entry[index], &message);
	how.recall = recall_command(c->session, index);
	json_edit_init(&edit, entry_text(&c->session->entry[index]));
	shorten_content(&message, &how, &edit);
	if (edit.count > 0)
		rewrite_edit(c->session, index, &rules[CUT], &message, &edit, c->estimator);
	json_edit_free(&edit);
}

static void
cut_longest(struct compaction *c)
{
	struct longest *list = NULL;
	size_t count = 0, cap = 0;

	for (uint32_t i = 0; i < c->session->count; i++) {
		if (!compaction_may_change(c, i) ||
		    c->session->entry[i].len <= c->options->prune_over)
			continue;
		LIST_ROOM(list, count, cap);
		list[count++] = (struct longest){i, c->session->entry[i].tokens};
	}
	if (count > 0)
		qsort(list, count, sizeof *list, compare_longest);
	for (size_t i = 0; i < count && !compaction_fits(c); i++)
		cut_entry(c, list[i].entry);
	free(list);
}

static struct truncate
begin(struct compaction *c)
{
	struct truncate truncate = {.compaction = c, .first = NONE};

	truncate.summary = find_summary(c);
	truncate.first = find_first(&truncate);
	truncate.mark = change_mark(c->session);
	return truncate;
}

/* The fewest tokens of the entries that surely stay; counting stops once they are over the target.
 * The artifact is left out, because it is written anew. */
static uint64_t
least_that_stays(const struct truncate *truncate)
{
	struct compaction *c = truncate->compaction;
	uint64_t sum = 0;

	for (uint32_t i = c->session->count; i-- > 0 && sum <= c->options->target;)
		if (i != c->artifact && !may_drop(truncate, i))
			sum += compaction_least_tokens(c, i, true);
	return sum;
}

static void
add_least(struct truncate *truncate, uint32_t index)
{
	truncate->used_before += compaction_least_tokens(truncate->compaction, index, true);
}

static void
doom(struct truncate *truncate, uint32_t index)
{
	compaction_doom(truncate->compaction, index);
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
doom_units(struct truncate *truncate, bool current)
{
	struct compaction *c = truncate->compaction;
	const struct session *t = c->session;

	for (uint32_t i = t->count; i-- > 0;) {
		if (!is_head(t, i) || !may_drop(truncate, i) || !compaction_is_in(c, i, current))
			continue;
		if (truncate->used_before <= c->options->target)
			visit_unit(truncate, i, add_least);
		if (truncate->used_before > c->options->target)
			visit_unit(truncate, i, doom);
	}
}

static void
prepare(struct compaction *c)
{
	struct truncate truncate = begin(c);

	truncate.used_before = least_that_stays(&truncate);
	doom_units(&truncate, true);
	doom_units(&truncate, false);
}

/* The bytes that the artifact has for names: a fifth of the target. */
static size_t
text_room(uint64_t target)
{
	enum { LEAST = 400, MOST = 4000, SHARE = 5, TOKEN_BYTES = 4 };
	uint64_t room = target / SHARE * TOKEN_BYTES;

	return room < LEAST ? LEAST : room > MOST ? MOST : (size_t)room;
}

static void
run(struct compaction *c)
{
	struct truncate truncate = begin(c);

	truncate.fits = compaction_fits(c);
	if (truncate.fits && goals_missed(&c->goals) == 0)
		return;
	truncate.used_before = compaction_used(c);
	if (c->artifact != NONE) {
		truncate.replaced = c->session->entry[c->artifact].tokens;
		truncate.bytes_gone = c->session->entry[c->artifact].len;
	}
	summary_open(&truncate.artifact, c, text_room(c->options->target));
	drop_units(&truncate);
	if (!c->is_unsure && !compaction_fits(c))
		cut_longest(c);
	summary_close(&truncate.artifact);
}

const struct transform truncate_transform = {
    STR_INIT("truncate"), prepare, run, rules, sizeof rules / sizeof rules[0]};
