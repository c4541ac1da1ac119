#include "policy/isolate/boundary.h"

#include "policy/isolate/artifact.h"
#include "policy/isolate/said.h"
#include "policy/isolate/thinking.h"

static const struct change_rule artifact = {STR_INIT("artifacts"), STR_INIT("isolate"),
				    STR_INIT("trace"), STR_INIT("")},
				in_artifact = {STR_INIT("results"), STR_INIT("drop"),
				    STR_INIT("trace"), STR_INIT("")},
				loose = {STR_INIT("dropped"), STR_INIT("drop"),
				    STR_INIT("loose trace"), STR_INIT("")};

static void
drop_results(struct session *t, const struct group *group)
{
	for (uint32_t at = 1, i; (i = session_member(t, group, &at)) != NONE;)
		change_drop(t, i, &in_artifact);
}

/* Lists the keys of the records that the artifact stands for. */
static void
add_gone(struct session *t, const struct group *group, struct archive_list *gone)
{
	for (uint32_t at = 0, i; (i = session_member(t, group, &at)) != NONE;) {
		struct archive_key key = archive_original_key(t, i);

		archive_list_add(gone, &key);
	}
}

/* Puts the artifact in the place of the call, if the artifact is smaller than the whole group. */
static bool
put_artifact(struct session *t, const struct group *group, bool brief, struct estimator *estimator)
{
	uint32_t mark = change_mark(t);
	struct archive_list gone = {.text = BUF_INIT};
	struct buf text = BUF_INIT;
	uint64_t most;
	bool done;

	for (uint32_t i = 0; i < group->calls; i++)
		session_use(t, group->first_call + i);
	if (t->recall.len > 0)
		add_gone(t, group, &gone);
	most = artifact_write(t, group, brief, &gone, estimator, &text);
	change_text(t, group->entry, &artifact, buf_str(&text));
	drop_results(t, group);
	done = weigh_settle_most(t, mark, most, estimator);
	if (done && gone.text.len > 0)
		archive_list_put(&gone, t);
	buf_free(&text);
	archive_list_free(&gone);
	return done;
}

static bool
replace_group(struct session *t, const struct group *group, struct estimator *estimator)
{
	return put_artifact(t, group, false, estimator) || put_artifact(t, group, true, estimator);
}

static void
cut_errors(struct isolation *isolation, const struct group *group)
{
	const struct session *t = isolation_session(isolation);

	for (uint32_t at = 1, i; (i = session_member(t, group, &at)) != NONE;)
		if (t->entry[i].is_error)
			isolation_cut_error(isolation, i);
}

/* Trace that an assistant left beside its calls: reasoning and commentary. */
static bool
is_loose_trace(const struct entry *entry)
{
	return entry->role == ROLE_ASSISTANT && entry->is_trace && !entry->has_calls &&
	    !entry->is_artifact && !entry->is_pinned && !entry->is_critical && !entry->is_final;
}

/* Decides about trace without calls. */
static bool
decide_loose(struct isolation *isolation, uint32_t index)
{
	struct session *t = isolation_session(isolation);
	enum term_answer answer = isolation_ask_old(isolation, &t->entry[index]);

	if (answer != TERM_YES)
		return answer == TERM_NO;
	answer = isolation_ask_chosen(isolation, index);
	if (answer == TERM_YES)
		change_drop(t, index, &loose);
	return answer != TERM_UNKNOWN;
}

/* Decides about a pair group at its calls. */
static bool
decide_group(struct isolation *isolation, uint32_t index)
{
	struct session *t = isolation_session(isolation);
	const struct entry *entry = &t->entry[index];
	const struct group *group = &t->group[entry->group];
	enum term_answer answer, thinking;
	enum group_lock lock;

	if (!session_is_settled(t, group))
		return false;
	if (session_is_current(t, entry))
		return true;
	thinking = said_ask_thinking(isolation, index);
	answer = thinking == TERM_UNKNOWN ? TERM_UNKNOWN : isolation_ask_chosen(isolation, index);
	if (answer != TERM_YES)
		return answer == TERM_NO;
	lock = session_group_lock(t, group);
	if (lock == LOCK_UNRESOLVED)
		cut_errors(isolation, group);
	else if (lock == LOCK_NONE && !replace_group(t, group, isolation->estimator) &&
	    thinking == TERM_YES)
		thinking_remove(t, index, isolation->estimator);
	return true;
}

bool
boundary_decide(struct isolation *isolation, uint32_t index)
{
	const struct entry *entry = &isolation_session(isolation)->entry[index];

	if (entry->execution == NONE)
		return true;
	if (is_loose_trace(entry))
		return decide_loose(isolation, index);
	if (entry->has_calls && entry->is_trace)
		return decide_group(isolation, index);
	return said_decide(isolation, index);
}
