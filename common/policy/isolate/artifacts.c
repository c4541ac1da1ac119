#include "policy/isolate/artifacts.h"

#include "base/list.h"
#include "data/session/session_calls.h"
#include "data/session/session_locks.h"
#include "policy/isolate/artifact.h"

static const struct change_rule made = {STR_INIT("artifacts"), STR_INIT("isolate"),
				    STR_INIT("trace"), STR_INIT("")},
				gone = {STR_INIT("results"), STR_INIT("drop"), STR_INIT("trace"),
				    STR_INIT("")};

/* The number of an execution or a group, which stays when a window forgets. */
static uint64_t
execution_number(const struct session *t, uint32_t group)
{
	return (uint64_t)t->gone.executions + t->entry[t->group[group].entry].execution + 1;
}

/* The next group of the same execution behind group; t->group_count when there is none. */
static uint32_t
next_group(const struct session *t, uint32_t group)
{
	uint32_t execution = t->entry[t->group[group].entry].execution;

	for (uint32_t i = group + 1; i < t->group_count; i++) {
		const struct entry *head = &t->entry[t->group[i].entry];

		if (head->execution == execution)
			return i;
		if (!head->outside)
			break;
	}
	return t->group_count;
}

bool
artifacts_are_ready(struct isolation *isolation, uint32_t group)
{
	struct session *t = isolation_session(isolation);
	uint64_t first = (uint64_t)t->gone.groups + group;

	if (!isolation->options.by_execution)
		return true;
	/* What was ready once stays so, and is not looked at again. */
	if (isolation->ready > first)
		group = (uint32_t)(isolation->ready - t->gone.groups);
	for (; group < t->group_count; group = next_group(t, group)) {
		isolation->ready = (uint64_t)t->gone.groups + group;
		if (!session_is_settled(t, &t->group[group]) ||
		    isolation_ask_chosen(isolation, t->group[group].entry) == TERM_UNKNOWN)
			return false;
	}
	return true;
}

/* Whether the group becomes part of an artifact. */
static bool
is_eligible(struct isolation *isolation, const struct group *group)
{
	struct session *t = isolation_session(isolation);
	const struct entry *head = &t->entry[group->entry];

	return head->is_trace && !head->is_dropped && !group->is_crossed &&
	    session_group_lock(t, group) == LOCK_NONE &&
	    isolation_ask_chosen(isolation, group->entry) == TERM_YES;
}

/* Whether two groups are of one section. */
static bool
is_same_section(struct session *t, uint32_t a, uint32_t b)
{
	session_section(t, &t->entry[t->group[a].entry]);
	session_section(t, &t->entry[t->group[b].entry]);
	return str_eq(t->group[a].section, t->group[b].section);
}

/* Whether the group resolves something, be it a failure of a group that was skipped. */
static bool
resolves(struct isolation *isolation, uint32_t group, const struct map *skipped)
{
	const struct session *t = isolation_session(isolation);

	return resolutions_has(&isolation->resolutions, t, group) ||
	    map_get(skipped, resolutions_key(t, group)) != MAP_NONE;
}

/* Lists the groups that go with the first one. One that resolves something gets its own artifact:
 * what it resolves may stand behind the place of the first. */
static void
gather(struct isolation *isolation, uint32_t first, bool is_alone)
{
	struct session *t = isolation_session(isolation);
	struct map skipped = MAP_INIT; /* groups that resolve failures of those that stay */

	isolation->group_count = 0;
	for (uint32_t i = first; i < t->group_count; i = next_group(t, i)) {
		if (!is_eligible(isolation, &t->group[i]) ||
		    (i != first && resolves(isolation, i, &skipped))) {
			resolutions_list(t, i, &skipped);
			continue;
		}
		if (!is_same_section(t, first, i))
			break;
		LIST_ADD(isolation->group, isolation->group_count, isolation->group_cap, i);
		if (is_alone)
			break;
	}
	map_free(&skipped);
}

/* Lists the keys of the records that the artifact stands for. */
static void
add_gone(struct session *t, const struct group *group, struct archive_list *list)
{
	for (uint32_t at = 0, i; (i = session_member(t, group, &at)) != NONE;) {
		struct archive_key key = archive_original_key(t, i);

		archive_list_add(list, &key);
	}
}

/* Puts the artifact in the place of the groups, if it is smaller than all of them. */
static bool
put(struct isolation *isolation, struct str resolves, bool is_brief)
{
	struct session *t = isolation_session(isolation);
	const struct artifact artifact = {isolation->group, isolation->group_count,
	    isolation->options.artifact_role, resolves, is_brief};
	uint32_t mark = change_mark(t);
	struct archive_list list = {.text = BUF_INIT};
	struct buf text = BUF_INIT;
	uint64_t most;
	bool done;

	for (uint32_t i = 0; t->recall.len > 0 && i < artifact.count; i++)
		add_gone(t, &t->group[artifact.group[i]], &list);
	most = artifact_write(t, &artifact, &list, isolation->estimator, &text);
	change_text(t, t->group[artifact.group[0]].entry, &made, buf_str(&text));
	/* The calls of the first one stay: the artifact is in their place. */
	for (uint32_t i = 0; i < artifact.count; i++)
		for (uint32_t at = i == 0, k;
		     (k = session_member(t, &t->group[artifact.group[i]], &at)) != NONE;)
			change_drop(t, k, &gone);
	done = weigh_settle_most(t, mark, most, isolation->estimator);
	if (done && list.text.len > 0)
		archive_list_put(&list, t);
	buf_free(&text);
	archive_list_free(&list);
	return done;
}

/* resolves is what the artifact resolves. */
static bool
put_gathered(struct isolation *isolation, struct str resolves)
{
	struct session *t = isolation_session(isolation);

	for (uint32_t i = 0; i < isolation->group_count; i++) {
		const struct group *group = &t->group[isolation->group[i]];

		for (uint32_t call = 0; call < group->calls; call++)
			session_use(t, group->first_call + call);
	}
	return put(isolation, resolves, false) || put(isolation, resolves, true);
}

static bool
put_largest(struct isolation *isolation, uint32_t group, struct str resolves)
{
	uint64_t execution = execution_number(isolation_session(isolation), group);

	/* Where one for all of an execution does not pay, each group tries one of its own. */
	if (isolation->options.by_execution && isolation->unpaid != execution) {
		gather(isolation, group, false);
		if (put_gathered(isolation, resolves))
			return true;
		isolation->unpaid = execution;
		if (isolation->group_count == 1)
			return false;
	}
	gather(isolation, group, true);
	return put_gathered(isolation, resolves);
}

bool
artifacts_put(struct isolation *isolation, uint32_t group)
{
	struct session *t = isolation_session(isolation);
	struct buf ids = BUF_INIT;
	bool done = resolutions_write(&isolation->resolutions, t, group, &ids) &&
	    put_largest(isolation, group, buf_str(&ids));

	buf_free(&ids);
	return done;
}
