/*
 * dedupe: results that later work made worthless become one-line placeholders:
 *
 *     stale        a read of a target that a later call edits or writes
 *     superseded   a read whose lines a later read covers
 *     duplicate    a call that was made again with the same key; the last stays
 *
 * Only results without an error are replaced, and only because of calls that succeeded. A compacted
 * message proves nothing: a shortened result covers no other, and shortened arguments are no key.
 * Earlier executions come first; then, unless the target is met, the current one.
 *
 * Memory while it runs: a byte a call, and a slot of a map for each read, write and key.
 */

#include <stdlib.h>

#include "base/mem.h"
#include "policy/compact/covered.h"
#include "policy/compact/transform.h"
#include "policy/rewrite.h"

enum worth { STALE, SUPERSEDED, DUPLICATE, WORTH_ALL };

static const struct change_rule rules[] = {
    [STALE] = {STR_INIT("stale"), STR_INIT("dedupe"), STR_INIT("stale"),
	STR_INIT("[stale: the file was changed later]")},
    [SUPERSEDED] = {STR_INIT("superseded"), STR_INIT("dedupe"), STR_INIT("superseded"),
	STR_INIT("[superseded by a later read of the file]")},
    [DUPLICATE] = {STR_INIT("duplicate"), STR_INIT("dedupe"), STR_INIT("duplicate"),
	STR_INIT("[duplicate: the call was made again later]")},
};

struct dedupe {
	struct compaction *compaction;
	bool by_goals;      /* the target is met: only what brings a goal nearer is replaced */
	uint8_t *verdict;   /* enum worth, by call */
	struct map written; /* targets that a later call writes */
	struct map made;    /* keys of later calls */
	struct arena scratch;
};

static bool
is_successful(const struct session *t, const struct call *call)
{
	return call->result != NONE && !t->entry[call->result].is_error &&
	    !t->entry[call->result].is_dropped;
}

/* Whether neither the call nor its result was ever compacted. */
static bool
is_whole(const struct session *t, const struct call *call)
{
	return is_successful(t, call) && !t->entry[call->result].is_compacted &&
	    !t->entry[t->group[call->group].entry].is_compacted;
}

static bool
is_inside(const struct session *t, const struct call *call)
{
	return !t->entry[t->group[call->group].entry].outside;
}

static bool
is_read(const struct call *call)
{
	return call->use.op == TOOL_READ && call->use.target.len > 0;
}

static void
add_written(void *context, struct str path)
{
	struct dedupe *dedupe = context;

	map_set(&dedupe->written, hash_bytes(path, hash_seed(HASH_TARGET)), 1);
}

static void
add_writes(struct dedupe *dedupe, const struct call *call)
{
	if (call->use.op == TOOL_WRITE || call->use.op == TOOL_EDIT)
		add_written(dedupe, call->use.target);
	else if (call->use.op == TOOL_SHELL)
		tool_shell_writes(call->use.target, &dedupe->scratch, add_written, dedupe);
	arena_reset(&dedupe->scratch);
}

/* Goes from the last call to the first, so that the maps always hold the later calls. */
static void
judge_calls(struct dedupe *dedupe)
{
	const struct session *t = dedupe->compaction->session;

	for (uint32_t i = t->call_count; i-- > 0;) {
		const struct call *call = &t->call[i];

		if (!is_successful(t, call))
			continue;
		if (is_read(call) &&
		    map_get(&dedupe->written,
			hash_bytes(call->use.target, hash_seed(HASH_TARGET))) != MAP_NONE)
			dedupe->verdict[i] = STALE;
		else if (is_inside(t, call) && is_whole(t, call) &&
		    map_set(&dedupe->made, call->key, 1) != MAP_NONE)
			dedupe->verdict[i] = DUPLICATE;
		add_writes(dedupe, call);
	}
}

static void
set_superseded(void *context, uint32_t call)
{
	struct dedupe *dedupe = context;

	if (dedupe->verdict[call] != STALE)
		dedupe->verdict[call] = SUPERSEDED;
}

static void
judge_reads(struct dedupe *dedupe)
{
	const struct session *t = dedupe->compaction->session;
	uint32_t *reads = mem_alloc((size_t)t->call_count + 1, sizeof *reads), count = 0;

	for (uint32_t i = 0; i < t->call_count; i++)
		if (is_read(&t->call[i]) && is_inside(t, &t->call[i]) && is_whole(t, &t->call[i]))
			reads[count++] = i;
	covered_find(t, reads, count, set_superseded, dedupe);
	free(reads);
}

static void
replace(struct dedupe *dedupe, bool current)
{
	struct compaction *c = dedupe->compaction;

	for (uint32_t i = 0; i < c->session->call_count; i++) {
		uint32_t result = c->session->call[i].result, mark = change_mark(c->session);

		if (dedupe->verdict[i] == WORTH_ALL || !compaction_may_change(c, result) ||
		    !compaction_is_in(c, result, current) ||
		    (dedupe->by_goals && !compaction_is_wanted(c, result)))
			continue;
		rewrite_content(c->session, result, &rules[dedupe->verdict[i]],
		    rules[dedupe->verdict[i]].placeholder, c->estimator);
		if (dedupe->by_goals)
			compaction_settle_goals(c, result, mark);
	}
}

static void
run(struct compaction *c)
{
	struct dedupe dedupe = {.compaction = c, .by_goals = compaction_is_done(c)};

	dedupe.verdict = mem_alloc((size_t)c->session->call_count + 1, 1);
	memset(dedupe.verdict, WORTH_ALL, (size_t)c->session->call_count + 1);
	judge_calls(&dedupe);
	judge_reads(&dedupe);
	replace(&dedupe, false);
	if (compaction_is_done(c) && !dedupe.by_goals) {
		dedupe.by_goals = true;
		goals_measure(&c->goals);
	}
	replace(&dedupe, true);
	free(dedupe.verdict);
	map_free(&dedupe.written);
	map_free(&dedupe.made);
	arena_free(&dedupe.scratch);
}

const struct transform dedupe_transform = {
    STR_INIT("dedupe"), NULL, run, rules, sizeof rules / sizeof rules[0]};
