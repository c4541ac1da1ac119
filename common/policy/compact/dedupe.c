/*
 * dedupe: results that later work made worthless become one-line placeholders:
 *
 *     stale        a read of a target that a later call edits or writes
 *     superseded   a read whose lines a later read covers
 *     duplicate    a call that was made again with the same key; the last stays
 *     retried      a failure, when the call was made again with the same key
 *
 * The first three are results without an error, and only calls that succeeded make them worthless.
 * A compacted message proves nothing: a shortened result covers no other, and shortened arguments
 * are no key. A retried failure needs no more attention; its placeholder says how often the call
 * was made, and how that ended. Earlier executions come first; then, unless the target is met, the
 * current one.
 *
 * Memory while it runs: a byte an entry, and a slot of a map for each read, write and key.
 */

#include <stdlib.h>

#include "base/mem.h"
#include "data/message/texts.h"
#include "policy/compact/covered.h"
#include "policy/compact/edit_rows.h"
#include "policy/compact/transform.h"
#include "policy/text/rewrite.h"

enum { STALE, SUPERSEDED, DUPLICATE, RETRIED, RULES };

/* The text of a shorter failure stays. A placeholder does not count dropped attempts; the limit is
 * far above its length, so that its numbers decide nothing. */
enum { RETRIED_LEAST = 160 };

static const struct change_rule rules[RULES] = {
    [STALE] = {STR_INIT("stale"), STR_INIT("dedupe"), STR_INIT("stale"),
	STR_INIT("[stale: the file was changed later]")},
    [SUPERSEDED] = {STR_INIT("superseded"), STR_INIT("dedupe"), STR_INIT("superseded"),
	STR_INIT("[superseded by a later read of the file]")},
    [DUPLICATE] = {STR_INIT("duplicate"), STR_INIT("dedupe"), STR_INIT("duplicate"),
	STR_INIT("[duplicate: the call was made again later]")},
    [RETRIED] = {STR_INIT("retried"), STR_INIT("dedupe"), STR_INIT("retried"), STR_INIT("")},
};

struct dedupe {
	const struct compaction *compaction;
	uint8_t *verdict;   /* the number of a rule, by entry */
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
is_chosen(const struct dedupe *dedupe, unsigned rule)
{
	unsigned chosen = dedupe->compaction->options->dedupe;

	return chosen == 0 || (chosen >> rule & 1) != 0;
}

static bool
is_read(const struct call *call)
{
	return call->use.op == TOOL_READ && call->use.target.len > 0;
}

static void
add_written(void *context, enum tool_op kind, struct str path)
{
	struct dedupe *dedupe = context;

	if (kind != TOOL_READ)
		map_set(&dedupe->written, hash_bytes(path, hash_seed(HASH_TARGET)), 1);
}

/* Goes from the last call to the first, so that the maps always hold the later calls. */
static void
judge_calls(struct dedupe *dedupe)
{
	const struct session *t = dedupe->compaction->session;

	for (uint32_t i = t->call_count; i-- > 0;) {
		const struct call *call = &t->call[i];

		if (call->result != NONE && is_chosen(dedupe, RETRIED) &&
		    attempts_is_retried(&dedupe->compaction->attempts, t, i))
			dedupe->verdict[call->result] = RETRIED;
		if (!is_successful(t, call))
			continue;
		if (is_read(call) && is_chosen(dedupe, STALE) &&
		    map_get(&dedupe->written,
			hash_bytes(call->use.target, hash_seed(HASH_TARGET))) != MAP_NONE)
			dedupe->verdict[call->result] = STALE;
		else if (is_inside(t, call) && is_whole(t, call) &&
		    map_set(&dedupe->made, call->key, 1) != MAP_NONE &&
		    is_chosen(dedupe, DUPLICATE))
			dedupe->verdict[call->result] = DUPLICATE;
		tool_files(call->use.op, call->use.target, &dedupe->scratch, add_written, dedupe);
		arena_reset(&dedupe->scratch);
	}
}

static void
set_superseded(void *context, uint32_t call)
{
	struct dedupe *dedupe = context;
	uint32_t result = dedupe->compaction->session->call[call].result;

	if (dedupe->verdict[result] != STALE && is_chosen(dedupe, SUPERSEDED))
		dedupe->verdict[result] = SUPERSEDED;
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

/* Finds the rule that each result has broken. */
static uint8_t *
judge(const struct compaction *c)
{
	size_t size = (size_t)c->session->count + 1;
	struct dedupe dedupe = {.compaction = c, .verdict = mem_alloc(size, 1)};

	memset(dedupe.verdict, RULES, size);
	judge_calls(&dedupe);
	judge_reads(&dedupe);
	map_free(&dedupe.written);
	map_free(&dedupe.made);
	arena_free(&dedupe.scratch);
	return dedupe.verdict;
}

/* "[attempt 3 of 11 failed: the call was made again, and the last attempt failed too]" */
static void
write_retried(const struct edit_walk *walk, uint32_t index)
{
	const struct compaction *c = walk->compaction;
	const struct session *t = c->session;
	uint32_t call = t->entry[index].call;
	const struct attempt *attempt = &c->attempts.attempt[call];
	const struct call *last = &t->call[attempt->last];
	struct buf text = BUF_INIT;
	struct message message;

	entry_parse(&t->entry[index], &message);
	if (message_text_len(&message) <= RETRIED_LEAST)
		return;
	buf_add_fmt(&text,
	    "[attempt %u of %u failed: the call was made again, and the last attempt ",
	    attempt->number, attempts_last(&c->attempts, call)->number);
	if (last->result == NONE)
		buf_add_str(&text, STR("has no result]"));
	else
		buf_add_str(&text,
		    t->entry[last->result].is_error ? STR("failed too]") : STR("succeeded]"));
	rewrite_failure(
	    c->session, index, walk->edit->rule, &message, buf_str(&text), c->estimator);
	buf_free(&text);
}

static const struct edit edits[] = {
    {.strongest = KEEP_SIBLING, .until = EDIT_ALL_WANTED, .rule = &rules[STALE]},
    {.link = EDIT_ALSO, .rule = &rules[SUPERSEDED]},
    {.link = EDIT_ALSO, .rule = &rules[DUPLICATE]},
    {.link = EDIT_ALSO, .rule = &rules[RETRIED], .write = write_retried},
    {.rule = NULL},
};

const struct transform dedupe_transform = {STR_INIT("dedupe"), rules, RULES, NULL, edits, judge};
