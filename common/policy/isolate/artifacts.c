#include "policy/isolate/artifacts.h"

#include "base/list.h"
#include "base/number.h"
#include "data/archive/archive.h"
#include "data/message/texts.h"
#include "data/session/session_calls.h"
#include "data/session/session_locks.h"
#include "json/write.h"
#include "policy/attempts.h"
#include "policy/budget/weigh.h"
#include "policy/facts/facts.h"
#include "policy/text/call_text.h"
#include "policy/text/recall.h"

/*
 * The trace artifact: one short message that replaces pair groups of an execution that is over, and
 * keeps their facts. Each group has a line.
 *
 *     {"role":"assistant","content":"[trace] read a.c: ok, 9 kB","metadata":{"kind":"trace",
 *      "scope":"historical",…,"is_trace":true,"facts":{"tool":"read",…}}}
 */
struct artifact {
	const uint32_t *group; /* of one execution, in their order; at least one */
	uint32_t count;
	enum role role;
	struct str resolves; /* the JSON of ids that it resolves; "": none */
	/* Groups that are hardly larger than their artifact leave no room for facts: without scope
	 * and facts. */
	bool is_brief;
};

/* The metadata of the call message that the artifact keeps. */
static const enum metadata_name carried[] = {METADATA_ID, METADATA_EXECUTION_ID, METADATA_SECTION,
    METADATA_SESSION_ID, METADATA_AGENT_ID, METADATA_PARENT_EXECUTION_ID, METADATA_TIMESTAMP};

static void
add_call(struct session *t, const struct call *call, struct estimator *estimator, struct buf *buf)
{
	struct message message;

	call_text_add_tool(call, buf);
	if (call->use.target.len > 0) {
		buf_add_char(buf, ' ');
		call_text_add_target(call, buf);
	}
	buf_add_str(buf, STR(": "));
	buf_add_str(buf, attempts_outcome(t, call));
	if (call->result == NONE)
		return;
	entry_parse_texts(&t->entry[call->result], &message);
	weigh_note(t, call->result, &message, estimator);
	buf_add_str(buf, STR(", "));
	number_write_size(buf, message_text_len(&message));
}

static void
write_facts(const struct session *t, uint32_t index, struct json_writer *w)
{
	const struct call *call = &t->call[index];
	struct buf label = BUF_INIT, key = BUF_INIT;

	retries_add_names(t, index, &label, &key);
	json_open(w, '{');
	json_member_string(w, STR("tool"), call->name);
	if (call->use.target.len > 0)
		json_member_string(w, STR("target"), call->use.target);
	json_member_string(w, STR("op"), tool_op_name(call->use.op));
	json_member_string(w, STR("outcome"), attempts_outcome(t, call));
	if (key.len > 0)
		json_member_string(w, STR("key"), buf_str(&key));
	if (call->result != NONE && !t->entry[call->result].is_error) {
		/* The obligations of a project's instruction file, which is no longer seen. */
		struct facts facts = {.dropped = 0};
		struct things *rules = &facts.list[FACTS_INSTRUCTIONS];

		facts_add_instructions(&facts, t, index);
		if (rules->count > 0) {
			json_name(w, STR("instructions"));
			things_write(rules, w);
		}
		things_free(rules);
	}
	json_close(w);
	buf_free(&label);
	buf_free(&key);
}

/* The facts of all calls; of a single call, without a list. */
static void
write_all_facts(const struct session *t, const struct artifact *artifact, struct json_writer *w)
{
	const struct group *group = &t->group[artifact->group[0]];

	json_name(w, STR("facts"));
	if (artifact->count == 1 && group->calls == 1) {
		write_facts(t, group->first_call, w);
		return;
	}
	json_open(w, '{');
	json_member_open(w, STR("calls"), '[');
	for (uint32_t i = 0; i < artifact->count; i++) {
		group = &t->group[artifact->group[i]];
		for (uint32_t call = 0; call < group->calls; call++)
			write_facts(t, group->first_call + call, w);
	}
	json_close(w);
	json_close(w);
}

/* Returns the length of the content. */
static size_t
write_content(struct session *t, const struct artifact *artifact, const struct archive_list *gone,
    struct estimator *estimator, struct json_writer *w)
{
	struct buf text = BUF_INIT;
	size_t len;

	buf_add_str(&text, STR("[trace] "));
	for (uint32_t i = 0; i < artifact->count; i++) {
		const struct group *group = &t->group[artifact->group[i]];

		if (i > 0)
			buf_add_char(&text, '\n');
		for (uint32_t call = 0; call < group->calls; call++) {
			if (call > 0)
				buf_add_str(&text, STR("; "));
			add_call(t, &t->call[group->first_call + call], estimator, &text);
		}
	}
	if (gone->text.len > 0) {
		buf_add_str(&text, STR(" ("));
		recall_add_list(t, gone, &text);
		buf_add_char(&text, ')');
	}
	json_member_string(w, STR("content"), buf_str(&text));
	len = text.len;
	buf_free(&text);
	return len;
}

/* The members that the artifact keeps of the metadata of the call message. */
static void
write_carried(const struct entry *entry, struct json_writer *w)
{
	struct message message;

	if (!entry->has_metadata)
		return;
	entry_parse(entry, &message);
	for (size_t i = 0; i < ARRAY_COUNT(carried); i++)
		json_member_value(w, metadata_name_text(carried[i]), message.meta[carried[i]]);
}

/* Appends the artifact. The uses of the calls must be known (session_use). Also notes the tokens of
 * the results (weigh_note). gone has the keys of the groups if the session is archived; otherwise
 * it is empty. Returns the most tokens of a vocabulary that the artifact can have. */
static uint64_t
artifact_write(struct session *t, const struct artifact *artifact, const struct archive_list *gone,
    struct estimator *estimator, struct buf *buf)
{
	struct json_writer w;
	size_t len;

	json_begin(&w, buf, '{');
	json_member_string(&w, STR("role"), role_name(artifact->role));
	len = write_content(t, artifact, gone, estimator, &w);
	json_member_open(&w, STR("metadata"), '{');
	json_member_string(&w, STR("kind"), STR("trace"));
	if (!artifact->is_brief)
		json_member_string(&w, STR("scope"), STR("historical"));
	write_carried(&t->entry[t->group[artifact->group[0]].entry], &w);
	json_member_bool(&w, STR("is_trace"), true);
	json_member_bool(&w, STR("compacted"), true);
	if (artifact->resolves.len > 0)
		json_member_raw(&w, metadata_name_text(METADATA_RESOLVES), artifact->resolves);
	recall_write_key(gone, &w);
	if (!artifact->is_brief)
		write_all_facts(t, artifact, &w);
	json_close(&w);
	json_close(&w);
	return TOKENS_PER_MESSAGE + len; /* a token has at least one byte */
}

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

/* The next group of the same execution after group; t->group_count when there is none. */
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
 * the failure that it resolves may be after the place of the first. */
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

/* Lists the keys of the records that the artifact replaces. */
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

/* resolves has the failures that the artifact resolves. */
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
