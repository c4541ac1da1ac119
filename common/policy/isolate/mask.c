/*
 * The policy mask: in executions that are over, the content of a result becomes a placeholder.
 * Calls and texts stay, and so do the newest results.
 */

#include "data/session/session_locks.h"
#include "policy/isolate/arguments.h"
#include "policy/isolate/isolation_stage.h"
#include "policy/isolate/said.h"
#include "policy/isolate/thinking.h"
#include "policy/text/placeholder.h"
#include "policy/text/rewrite.h"

static const struct change_rule masked = {
    STR_INIT("masked"), STR_INIT("mask"), STR_INIT("old result"), STR_INIT("")};

static void
mask_result(struct isolation *isolation, uint32_t index)
{
	const struct isolation_options *options = &isolation->options;
	struct session *t = isolation_session(isolation);
	struct entry *entry = &t->entry[index];
	struct buf text = BUF_INIT;
	struct message message;

	/* A token has at least one byte, and a content without parts has no media. */
	if (entry->is_compacted || (entry->is_text && entry->len <= options->min_tokens))
		return;
	entry_parse(entry, &message);
	if (!weigh_reaches(t, index, &message, options->min_tokens + 1, isolation->estimator))
		return;
	placeholder_write(options->placeholder, t, index, &message, isolation->estimator, &text);
	rewrite_message(t, index, &masked, &message, buf_str(&text), isolation->estimator);
	buf_free(&text);
}

/* Whether mask could change the result, whatever becomes of its group. It cannot change a
 * short one: a token has at least one byte, and a content without parts has no media. */
static bool
is_maskable(const struct isolation *isolation, const struct entry *entry)
{
	const struct isolation_options *options = &isolation->options;
	uint64_t least = options->min_tokens < options->error_tokens ? options->min_tokens :
								       options->error_tokens;

	return entry->is_trace && entry->call != NONE && !entry->outside && !entry->is_compacted &&
	    (!entry->is_text || entry->len > least);
}

/* Whether the front of the window is older than the newest messages and results, which stay. */
static enum term_answer
ask_behind(struct isolation *isolation, uint64_t results)
{
	const struct isolation_options *options = &isolation->options;
	uint64_t tokens = options->keep_tokens > 0 ? options->keep_tokens + 1 : 0;

	if (tail_reaches(
		&isolation->tail, &isolation->window, results, tokens, isolation->estimator))
		return TERM_YES;
	return isolation_session(isolation)->has_ended ? TERM_NO : TERM_UNKNOWN;
}

/* Decides about a result that mask could change. */
static bool
decide_result(struct isolation *isolation, uint32_t index)
{
	struct session *t = isolation_session(isolation);
	const struct entry *entry = &t->entry[index];
	const struct group *group = &t->group[entry->group];
	enum term_answer answer = isolation_ask_old(isolation, session_head(t, entry));
	enum group_lock lock;

	if (answer == TERM_YES)
		answer = ask_behind(isolation, isolation->options.keep_results + 1);
	if (answer == TERM_YES && !session_is_settled(t, group))
		answer = TERM_UNKNOWN;
	if (answer == TERM_YES)
		answer = isolation_ask_chosen(isolation, group->entry);
	if (answer != TERM_YES)
		return answer == TERM_NO;
	lock = session_group_lock(t, group);
	if (lock == LOCK_NONE)
		mask_result(isolation, index);
	else if (lock == LOCK_UNRESOLVED && entry->is_error)
		isolation_cut_error(isolation, index);
	return true;
}

/* Whether arguments of the group's calls go. Those of a call stay as long as its results would, if
 * they were the newest ones behind the call. */
static enum term_answer
ask_arguments(struct isolation *isolation, const struct group *group)
{
	const struct session *t = isolation_session(isolation);
	enum term_answer answer;

	if (!arguments_are_asked(isolation, group))
		return TERM_NO;
	answer = isolation_ask_old(isolation, &t->entry[group->entry]);
	if (answer == TERM_YES && !session_is_settled(t, group))
		answer = TERM_UNKNOWN;
	if (answer == TERM_YES)
		answer = ask_behind(isolation, isolation->options.keep_results + group->answered);
	return answer;
}

/* Decides about a message with calls: its thinking, and their arguments. */
static bool
decide_calls(struct isolation *isolation, uint32_t index)
{
	struct session *t = isolation_session(isolation);
	const struct group *group = &t->group[t->entry[index].group];
	enum term_answer arguments = ask_arguments(isolation, group), thinking, answer;

	if (arguments == TERM_UNKNOWN)
		return false;
	if (arguments == TERM_NO)
		return said_decide(isolation, index);
	thinking = said_ask_thinking(isolation, index);
	answer = thinking == TERM_UNKNOWN ? TERM_UNKNOWN : isolation_ask_chosen(isolation, index);
	if (answer != TERM_YES)
		return answer == TERM_NO;
	if (session_group_lock(t, group) != LOCK_NONE)
		return true;
	if (thinking == TERM_YES)
		thinking_remove(t, index, isolation->estimator);
	arguments_mask(isolation, group);
	return true;
}

/* Decides about an entry, or finds that it must wait. */
static bool
decide_entry(struct isolation *isolation, uint32_t index)
{
	const struct entry *entry = &isolation_session(isolation)->entry[index];

	if (entry->call != NONE || entry->has_lost_call)
		return !is_maskable(isolation, entry) || decide_result(isolation, index);
	if (entry->has_calls && !entry->outside)
		return decide_calls(isolation, index);
	return said_decide(isolation, index);
}

static bool
decide(struct isolation *isolation, uint32_t index)
{
	uint64_t tokens = 0;

	if (isolation->options.keep_tokens > 0)
		tokens = weigh_entry(isolation_session(isolation), index, isolation->estimator);
	if (!decide_entry(isolation, index))
		return false;
	tail_advance(&isolation->tail, &isolation->window, tokens);
	return true;
}

const struct isolation_policy mask_policy = {decide};
