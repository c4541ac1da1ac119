/*
 * prune: long things get short, oldest first, until the target is met. Passing tests and lines that
 * repeat an edit are condensed in results (policy/summary/condense.h). Long results, and long
 * strings in the arguments of calls, keep head and tail. Thinking older than one turn and inline
 * media become placeholders. Error text of unresolved groups is cut. If that is not enough, long
 * results become placeholders. If the budget has room for a digest, that happens only after
 * summarize or symbolize, since a digest says more than a placeholder. Earlier executions come
 * first, then the current one.
 *
 * Before a budget is refused, the same is done to all entries that need not stay byte for byte. The
 * default recency window comes last; and with best effort, the user's requests:
 *
 *     requests before the transforms: the user's requests keep head and tail, the longest first,
 *              until entries that stay byte for byte take at most half of the budget
 *     floor    before the transforms, if the entries that cannot be dropped exceed the budget: long
 *              texts keep head and tail; if a digest has less room than it wants, the largest
 *              results of the newest group are cut, down to an eighth of the budget in all
 *     rest     after the transforms, if the entries that are left exceed the budget: first as in
 *              floor; then, oldest first, arguments and recent results are cut to as much as there
 *              is room for, and results for which there is none become placeholders; the requests
 *              are cut again
 */

#include "base/bounded.h"
#include "policy/compact/edit_rows.h"
#include "policy/compact/level.h"
#include "policy/compact/removal.h"
#include "policy/compact/shorten_entry.h"
#include "policy/compact/transform.h"
#include "policy/drop/drop_how.h"
#include "policy/text/cut.h"
#include "policy/text/rewrite.h"

enum { SHORTENED, REMOVED, ERRORS, RECENT, REQUEST, PASSED, REPEATED };

enum { ARGUMENTS_LEAST = 200 }; /* longer strings in arguments, in bytes, are cut to fit */

static const struct change_rule rules[] = {
    [SHORTENED] = {STR_INIT("shortened"), STR_INIT("prune"), STR_INIT("long"), STR_INIT("")},
    [REMOVED] = {STR_INIT("removed"), STR_INIT("prune"), STR_INIT("long result"),
	STR_INIT("[old result removed]")},
    [ERRORS] = {STR_INIT("errors"), STR_INIT("prune"), STR_INIT("long error text"), STR_INIT("")},
    /* The shortest placeholder of all: it may take the place of each other one. */
    [RECENT] = {STR_INIT("recent"), STR_INIT("prune"), STR_INIT("more than the window holds"),
	STR_INIT("[result removed]")},
    [REQUEST] = {STR_INIT("request"), STR_INIT("prune"),
	STR_INIT("what the user asked, nothing else was left"), STR_INIT("")},
    [PASSED] = {STR_INIT("passed"), STR_INIT("prune"), STR_INIT("passing tests"), STR_INIT("")},
    [REPEATED] = {STR_INIT("repeated"), STR_INIT("prune"), STR_INIT("repeats the edit"),
	STR_INIT("")},
};

static bool
is_open_failure(const struct edit_walk *walk, uint32_t index)
{
	const struct entry *entry = &walk->compaction->session->entry[index];

	return compaction_is_failure(walk->compaction, index) && entry->is_error &&
	    !entry->is_compacted;
}

/* About the bytes over which a text is long. */
static uint64_t
long_bytes(const struct compaction *c)
{
	enum { TOKEN_BYTES = 4 };

	return c->options->prune_in_tokens ? bounded_multiply(c->options->prune_over, TOKEN_BYTES) :
					     c->options->prune_over;
}

/* Condenses the lines of a result that say little. */
static void
condense(const struct edit_walk *walk, uint32_t index)
{
	static const struct change_rule *const rule[] = {
	    [CONDENSE_TESTS] = &rules[PASSED], [CONDENSE_EDIT] = &rules[REPEATED]};
	struct compaction *c = walk->compaction;
	const struct entry *entry = &c->session->entry[index];
	enum condense_kind kind;

	if (entry->role != ROLE_TOOL || entry->call == NONE)
		return;
	kind = condense_kind_of(&c->session->call[entry->call]);
	if (kind != CONDENSE_NOTHING)
		shorten_entry(c, index, shorten_entry_how(c, index, SHORTEN_LINES), rule[kind]);
}

/* Whether the entry may be shortened: also where this run has condensed it, and done nothing else
 * to it. */
static bool
may_shorten(const struct edit_walk *walk, uint32_t index)
{
	const struct compaction *c = walk->compaction;
	const struct change *change = change_of(c->session, index);

	return (compaction_may_change(c, index) && !c->session->entry[index].is_summary) ||
	    (change != NULL &&
		(change->rule == &rules[PASSED] || change->rule == &rules[REPEATED]));
}

/* An error is condensed if that makes it short enough, and cut otherwise. */
static void
shorten_failure(const struct edit_walk *walk, uint32_t index)
{
	struct compaction *c = walk->compaction;
	uint32_t mark = change_mark(c->session);
	uint64_t most = c->options->error_tokens;

	if (weigh_entry(c->session, index, c->estimator) <= most)
		return;
	condense(walk, index);
	if (weigh_entry(c->session, index, c->estimator) <= most)
		return;
	compaction_undo(c, mark);
	cut_content(c->session, index, walk->edit->rule, most, c->estimator);
}

/* About the tokens that cutting the texts of an entry to so many bytes saves. */
static uint64_t
saved_by_cut(const struct edit_walk *walk, uint32_t index, uint64_t keep)
{
	/* Tokens of the line between head and tail, and bytes of the record around the text. */
	enum { MARK = 12, FRAME = 96 };
	const struct compaction *c = walk->compaction;
	const struct entry *entry = &c->session->entry[index];
	uint64_t len = entry->len > 2 * FRAME ? entry->len - FRAME : entry->len / 2 + 1;
	uint64_t cut = MARK + entry->tokens * keep / len;

	return entry->len > c->options->prune_over && cut < entry->tokens &&
		compaction_may_change(c, index) && compaction_is_in(c, index, walk->is_current) ?
	    entry->tokens - cut :
	    0;
}

/* The bytes to which long texts are cut. If cutting the oldest is enough, these keep as much as the
 * target has room for. Otherwise, or when every transform is to run, 0: half of each long text. */
static uint64_t
find_keep(const struct edit_walk *walk)
{
	enum { SPARE = 16 }; /* that part of the target, since bytes are no tokens */
	struct compaction *c = walk->compaction;
	uint64_t keep = c->options->prune_over / 2, above = keep, over = 0, saved = 0;
	uint64_t target = c->options->target - c->options->target / SPARE;
	uint32_t end = 0;

	if (c->options->force || c->options->prune_in_tokens || c->doomed > 0 ||
	    compaction_used(c) <= target)
		return 0;
	over = compaction_used(c) - target;
	for (; end < c->session->count && saved < over; end++) {
		saved += saved_by_cut(walk, end, keep);
		if (c->session->entry[end].len > above)
			above = c->session->entry[end].len;
	}
	return saved >= over ? edit_rows_level(walk, end, keep, above, over, saved_by_cut) : 0;
}

static bool
is_result(const struct edit_walk *walk, uint32_t index)
{
	return walk->compaction->session->entry[index].role == ROLE_TOOL;
}

/* If a digest reports dropped messages, results are removed only after all transforms. */
static bool
may_remove(const struct edit_walk *walk, uint32_t index)
{
	return is_result(walk, index) &&
	    (drop_how_bound(walk->compaction) > 0) == (walk->edit->when == EDIT_REST) &&
	    removal_may_take(walk->compaction, index);
}

static void
remove_result(const struct edit_walk *walk, uint32_t index)
{
	removal_put(walk->compaction, index, walk->edit->rule);
}

/* Whether the entry has something to cut before a budget is refused. */
static bool
may_give_way(const struct compaction *c, uint32_t index)
{
	const struct entry *entry = &c->session->entry[index];

	return c->keep[index] == KEEP_CRITICAL ? c->cuts_critical :
						 entry->role == ROLE_TOOL || entry->has_calls;
}

static bool
may_halve(const struct edit_walk *walk, uint32_t index)
{
	return may_give_way(walk->compaction, index) &&
	    !walk->compaction->session->entry[index].is_compacted;
}

/* A result keeps head and tail, and so do the strings in the arguments of a call. */
static void
halve(const struct edit_walk *walk, uint32_t index)
{
	struct compaction *c = walk->compaction;
	struct shorten how = shorten_entry_how(c, index, SHORTEN_ALL & ~SHORTEN_THINKING);

	if (keep_is_failure(c->session, index))
		cut_content(
		    c->session, index, walk->edit->rule, c->options->error_tokens, c->estimator);
	else
		shorten_entry(c, index, how, walk->edit->rule);
}

/* The tokens by which the budget is exceeded. */
static uint64_t
over_room(const struct edit_walk *walk)
{
	return compaction_used(walk->compaction) - walk->compaction->options->room;
}

/* Cuts the strings in arguments to half as much, and again, until the entry has no more than that
 * many tokens or the strings are short. */
static void
fit_arguments(const struct edit_walk *walk, uint32_t index, uint64_t tokens)
{
	struct compaction *c = walk->compaction;
	struct shorten how = shorten_entry_how(c, index, SHORTEN_ALL);

	how.thinking = how.thinking && c->keep[index] <= KEEP_NOT;
	how.over = long_bytes(c);
	how.in_tokens = NULL;
	do {
		how.over = how.over / 2 > ARGUMENTS_LEAST ? how.over / 2 : ARGUMENTS_LEAST;
		shorten_entry(c, index, how, walk->edit->rule);
	} while (
	    how.over > ARGUMENTS_LEAST && weigh_entry(c->session, index, c->estimator) > tokens);
}

/* What an earlier compaction did to the entry stays, but for a result that it cut. */
static bool
may_fit(const struct edit_walk *walk, uint32_t index)
{
	const struct session *t = walk->compaction->session;
	const struct entry *entry = &t->entry[index];

	return may_give_way(walk->compaction, index) && !keep_is_failure(t, index) &&
	    (!entry->is_compacted || change_of(t, index) != NULL ||
		(entry->role == ROLE_TOOL &&
		    (cut_is_in(entry_text(entry)) || condense_is_in(entry_text(entry)))));
}

/* Fits an entry into the budget. A recent result keeps as much as there is room for; another result
 * becomes a placeholder. Strings in arguments keep head and tail. */
static void
fit(const struct edit_walk *walk, uint32_t index)
{
	enum { LEAST = 32 };
	struct compaction *c = walk->compaction;
	const struct change_rule *rule = walk->edit->rule;
	const struct entry *entry = &c->session->entry[index];
	uint64_t over = over_room(walk);

	if (entry->has_calls && long_bytes(c) > ARGUMENTS_LEAST)
		fit_arguments(walk, index, entry->tokens > over ? entry->tokens - over : 0);
	if (entry->role != ROLE_TOOL ||
	    (c->keep[index] == KEEP_RECENT && entry->tokens > over + LEAST &&
		cut_content(c->session, index, rule, entry->tokens - over, c->estimator)))
		return;
	rewrite_content(c->session, index, rule, rule->placeholder, c->estimator);
}

/* Whether a recent result can give the digest the room that it lacks. */
static bool
may_trim(const struct edit_walk *walk, uint32_t index)
{
	enum { LEAST = 64 };
	const struct session *t = walk->compaction->session;

	return t->entry[index].role == ROLE_TOOL && !keep_is_failure(t, index) &&
	    t->entry[index].tokens > over_room(walk) + LEAST;
}

static void
trim(const struct edit_walk *walk, uint32_t index)
{
	struct compaction *c = walk->compaction;

	cut_content(c->session, index, walk->edit->rule,
	    c->session->entry[index].tokens - over_room(walk), c->estimator);
}

#define CONDENSE &rules[PASSED], NULL, 0, condense /* or REPEATED, by the call */
#define REMOVE &rules[REMOVED], may_remove, 0, remove_result
#define HALVE &rules[RECENT], may_halve, 0, halve
#define FIT &rules[RECENT], may_fit, 0, fit
#define CUT_NEWEST &rules[RECENT], level_is_newest_over, 0, level_cut_newest, level_find_newest
#define TRIM &rules[RECENT], may_trim, 0, trim
/* A text stays whole where the media beside it are enough. */
#define TAKE_MEDIA &rules[REQUEST], level_is_request_over, SHORTEN_MEDIA, NULL, level_find_request
#define CUT_REQUEST &rules[REQUEST], level_is_request_over, 0, level_cut_request, level_find_request

static const struct edit edits[] = {
    {EDIT_REQUESTS, EDIT_ROUND, KEEP_REQUEST, KEEP_FRAMING, EDIT_OLDEST, EDIT_ALL, TAKE_MEDIA},
    {EDIT_REQUESTS, EDIT_WALK, KEEP_REQUEST, KEEP_FRAMING, EDIT_OLDEST, EDIT_ALL, CUT_REQUEST},

    {EDIT_FLOOR, EDIT_ROUND, KEEP_SIBLING, KEEP_UNRESOLVED, EDIT_OLDEST, EDIT_ROOM, HALVE},
    {EDIT_FLOOR, EDIT_WALK, KEEP_RECENT, KEEP_RECENT, EDIT_OLDEST, EDIT_TARGET, HALVE},
    {EDIT_FLOOR, EDIT_WALK, KEEP_RECENT, KEEP_RECENT, EDIT_OLDEST, EDIT_ROOM, TRIM},
    {EDIT_FLOOR, EDIT_WALK, KEEP_RECENT, KEEP_RECENT, EDIT_LARGEST, EDIT_ALL, CUT_NEWEST},

    {EDIT_RUN, EDIT_ROUND, KEEP_NOT, KEEP_SIBLING, EDIT_BY_EXECUTION, EDIT_DONE, CONDENSE},
    {EDIT_RUN, EDIT_ROUND, KEEP_NOT, KEEP_UNRESOLVED, EDIT_BY_EXECUTION, EDIT_DONE, &rules[ERRORS],
	is_open_failure, 0, shorten_failure, find_keep},
    {.link = EDIT_ALSO, .rule = &rules[SHORTENED], .applies = may_shorten, .shortens = SHORTEN_ALL},
    {EDIT_RUN, EDIT_WALK, KEEP_NOT, KEEP_SIBLING, EDIT_BY_EXECUTION, EDIT_FITS, REMOVE},
    {EDIT_RUN, EDIT_ROUND, KEEP_NOT, KEEP_SIBLING, EDIT_BY_EXECUTION, EDIT_GOALS, &rules[SHORTENED],
	NULL, SHORTEN_ALL},
    {.link = EDIT_ALSO, .rule = &rules[REMOVED], .applies = is_result},

    {EDIT_REST, EDIT_ROUND, KEEP_NOT, KEEP_SIBLING, EDIT_BY_EXECUTION, EDIT_FITS, REMOVE},
    {EDIT_REST, EDIT_ROUND, KEEP_UNRESOLVED, KEEP_UNRESOLVED, EDIT_OLDEST, EDIT_ROOM, HALVE},
    {EDIT_REST, EDIT_WALK, KEEP_CRITICAL, KEEP_CRITICAL, EDIT_OLDEST, EDIT_ROOM, HALVE},
    {EDIT_REST, EDIT_WALK, KEEP_RECENT, KEEP_RECENT, EDIT_OLDEST, EDIT_ROOM, HALVE},
    {EDIT_REST, EDIT_WALK, KEEP_NOT, KEEP_UNRESOLVED, EDIT_OLDEST, EDIT_ROOM, FIT},
    {EDIT_REST, EDIT_WALK, KEEP_RECENT, KEEP_RECENT, EDIT_OLDEST, EDIT_ROOM, FIT},
    {EDIT_REST, EDIT_WALK, KEEP_REQUEST, KEEP_FRAMING, EDIT_OLDEST, EDIT_ALL, TAKE_MEDIA},
    {EDIT_REST, EDIT_WALK, KEEP_REQUEST, KEEP_FRAMING, EDIT_OLDEST, EDIT_ALL, CUT_REQUEST},
    {.rule = NULL},
};

const struct transform prune_transform = {
    STR_INIT("prune"), rules, ARRAY_COUNT(rules), NULL, edits};
