/*
 * The policy mask: in executions that are over, the content of a result becomes a placeholder.
 * Calls and texts stay, and so do the newest results.
 */

#include "data/session/session_calls.h"
#include "data/session/session_locks.h"
#include "policy/attempts.h"
#include "policy/call_keys.h"
#include "policy/compact/shorten.h"
#include "policy/isolate/said.h"
#include "policy/isolate/thinking.h"
#include "policy/text/placeholder.h"
#include "policy/text/recall.h"
#include "policy/text/rewrite.h"

static const struct change_rule result_masked = {STR_INIT("masked"), STR_INIT("mask"),
				    STR_INIT("old result"), STR_INIT("")},
				arguments_masked = {STR_INIT("arguments"), STR_INIT("mask"),
				    STR_INIT("old arguments"), STR_INIT("")};

/* Whether the entry is the result of a call of the thread. */
static bool
is_result(const struct entry *entry)
{
	return (entry->call != NONE && !entry->outside) || entry_has_lost_call(entry);
}

static bool
is_asked(const struct isolation *isolation, uint32_t call)
{
	const struct session *t = &isolation->window.held.session;

	switch (isolation->options.arguments) {
	case ISOLATION_ARGUMENTS_KEEP:
		return false;
	case ISOLATION_ARGUMENTS_FAILED:
		return attempts_call_failed(t, &t->call[call]);
	case ISOLATION_ARGUMENTS_REDONE:
		return isolation->is_redone[call];
	case ISOLATION_ARGUMENTS_ALL:
		break;
	}
	return true;
}

/* Masks the arguments of these calls, if that saves something: each long string in them becomes a
 * placeholder, so that the JSON stays valid. The path of a file stays, and so does a command or a
 * patch that would no longer show which files it writes (policy/compact/shorten.h). */
static void
mask_arguments(struct isolation *isolation, const struct group *group)
{
	struct session *t = isolation_session(isolation);
	const struct entry *head = &t->entry[group->entry];
	struct shorten how = {.over = isolation->options.min_tokens,
	    .in_tokens = isolation->estimator,
	    .is_masked = true,
	    .recall = recall_clause(t, group->entry)};
	struct message message;
	struct json_edit edit;
	struct call_walk walk;
	struct tool_call from;

	entry_parse(head, &message);
	json_edit_init(&edit, entry_text(head));
	walk = call_walk_of(&message);
	for (uint32_t i = group->first_call; call_walk_next(&walk, &from); i++)
		if (from.arguments.type != JSON_ABSENT && is_asked(isolation, i))
			shorten_arguments(from.arguments, &session_use(t, i)->use, &how, &edit);
	if (edit.count > 0)
		rewrite_edit(t, group->entry, &arguments_masked, &message, &edit,
		    call_keys_of(t, group, &edit), isolation->estimator);
	json_edit_free(&edit);
}

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
	rewrite_message(t, index, &result_masked, &message, buf_str(&text), isolation->estimator);
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

/* Whether the front of the window is older than the newest messages and results, which stay: at
 * least so many results, and the tokens of those messages, are from the front on. */
static enum term_answer
ask_behind(struct isolation *isolation, uint64_t results)
{
	uint64_t kept = isolation->options.keep_tokens, tokens = kept > 0 ? kept + 1 : 0;
	struct isolation_tail *tail = &isolation->tail;
	struct session *t = isolation_session(isolation);

	while (tail->results < results || tail->tokens < tokens) {
		uint32_t index = isolation->window.left + tail->looked;

		if (index >= t->count)
			return t->has_ended ? TERM_NO : TERM_UNKNOWN;
		tail->looked++;
		tail->results += is_result(&t->entry[index]);
		if (tokens > 0)
			tail->tokens += weigh_entry(t, index, isolation->estimator);
	}
	return TERM_YES;
}

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

/* Whether arguments of the group's calls are masked. The arguments of a call stay as long as its
 * results would, if these were the newest after the call. */
static enum term_answer
ask_arguments(struct isolation *isolation, const struct group *group)
{
	const struct session *t = isolation_session(isolation);
	const struct entry *head = &t->entry[group->entry];
	enum term_answer answer;

	if (isolation->options.arguments == ISOLATION_ARGUMENTS_KEEP || !head->is_trace ||
	    head->is_compacted || head->len <= isolation->options.min_tokens)
		return TERM_NO;
	answer = isolation_ask_old(isolation, head);
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
	mask_arguments(isolation, group);
	return true;
}

/* Decides about an entry, or finds that it must wait. */
static bool
decide_entry(struct isolation *isolation, uint32_t index)
{
	const struct entry *entry = &isolation_session(isolation)->entry[index];

	if (entry->call != NONE || entry_has_lost_call(entry))
		return !is_maskable(isolation, entry) || decide_result(isolation, index);
	if (entry->has_calls && !entry->outside)
		return decide_calls(isolation, index);
	return said_decide(isolation, index);
}

static bool
decide(struct isolation *isolation, uint32_t index)
{
	struct isolation_tail *tail = &isolation->tail;
	uint64_t tokens = 0; /* before the entry is changed */

	if (isolation->options.keep_tokens > 0)
		tokens = weigh_entry(isolation_session(isolation), index, isolation->estimator);
	if (!decide_entry(isolation, index))
		return false;
	if (tail->looked > 0) {
		tail->looked--;
		tail->results -= is_result(&isolation_session(isolation)->entry[index]);
		tail->tokens -= tokens;
	}
	return true;
}

const struct isolation_policy mask_policy = {decide};
