#include "policy/isolate.h"

#include "base/number.h"
#include "data/texts.h"
#include "policy/artifact.h"
#include "policy/cut.h"
#include "policy/rewrite.h"

static const struct change_rule
    artifact = {STR_INIT("artifacts"), STR_INIT("isolate"), STR_INIT("trace"), STR_INIT("")},
    in_artifact = {STR_INIT("results"), STR_INIT("drop"), STR_INIT("trace"), STR_INIT("")},
    loose = {STR_INIT("dropped"), STR_INIT("drop"), STR_INIT("loose trace"), STR_INIT("")},
    masked = {STR_INIT("masked"), STR_INIT("mask"), STR_INIT("old result"), STR_INIT("")},
    cut_error = {STR_INIT("errors"), STR_INIT("cut"), STR_INIT("long error text"), STR_INIT("")};

static void
drop_results(struct session *t, const struct group *group)
{
	for (uint32_t at = 1, i; (i = session_member(t, group, &at)) != NONE;)
		change_drop(t, i, &in_artifact);
}

/* Puts the artifact in the call's place if it is smaller than the whole group. */
static bool
put_artifact(struct session *t, const struct group *group, bool brief,
    struct estimator *estimator)
{
	uint32_t mark = change_mark(t);
	struct buf text = BUF_INIT;

	for (uint32_t i = 0; i < group->calls; i++)
		session_learn(t, group->first_call + i);
	artifact_write(t, group, brief, &text);
	change_text(t, group->entry, &artifact, buf_str(&text));
	drop_results(t, group);
	buf_free(&text);
	return weigh_settle(t, mark, estimator);
}

static void
replace_group(struct session *t, const struct group *group, struct estimator *estimator)
{
	if (!put_artifact(t, group, false, estimator))
		put_artifact(t, group, true, estimator);
}

static void
cut_errors(struct session *t, const struct group *group, const struct isolate_options *options,
    struct estimator *estimator)
{
	for (uint32_t at = 1, i; (i = session_member(t, group, &at)) != NONE;)
		if (t->entry[i].is_error)
			cut_content(t, i, &cut_error, options->error_tokens, estimator);
}

/* Trace that an assistant left beside its calls: reasoning and commentary. */
static bool
is_loose_trace(const struct entry *entry)
{
	return entry->role == ROLE_ASSISTANT && entry->is_trace && !entry->has_calls &&
	    !entry->is_artifact && !entry->is_pinned && !entry->is_final;
}

void
isolate_boundary(struct session *t, const struct isolate_options *options,
    struct estimator *estimator)
{
	for (uint32_t i = 0; i < t->count; i++) {
		struct entry *entry = &t->entry[i];
		const struct group *group;
		enum group_lock lock;

		if (entry->execution == NONE || session_is_current(t, entry))
			continue;
		if (is_loose_trace(entry))
			change_drop(t, i, &loose);
		if (!entry->has_calls || !entry->is_trace)
			continue;
		group = &t->group[entry->group];
		lock = session_group_lock(t, group);
		if (lock == LOCK_NONE)
			replace_group(t, group, estimator);
		else if (lock == LOCK_UNRESOLVED)
			cut_errors(t, group, options, estimator);
	}
}

static void
mask_result(struct session *t, uint32_t index, const struct isolate_options *options,
    struct estimator *estimator)
{
	struct entry *entry = &t->entry[index];
	struct buf text = BUF_INIT;
	struct message message;

	/* A token has a byte at least; a content without parts has no media. */
	if (entry->is_compacted || (entry->is_text && entry->len <= options->min_tokens))
		return;
	entry_parse(entry, &message);
	if (!estimate_reaches(estimator, &message, options->min_tokens + 1))
		return;
	if (options->placeholder.len == 0) {
		buf_add_str(&text, STR("[tool result masked, "));
		number_write_size(&text, message_text_len(&message));
		buf_add_char(&text, ']');
	} else {
		buf_add_str(&text, options->placeholder);
	}
	rewrite_content(t, index, &masked, buf_str(&text), estimator);
	buf_free(&text);
}

void
isolate_mask(struct session *t, const struct isolate_options *options,
    struct estimator *estimator)
{
	uint64_t newest = 0;

	for (uint32_t i = t->count; i-- > 0;) {
		struct entry *entry = &t->entry[i];
		enum group_lock lock;

		if (entry->call == NONE || entry->outside)
			continue;
		if (newest++ < options->keep_results || !entry->is_trace ||
		    session_is_current(t, session_head(t, entry)))
			continue;
		lock = session_group_lock(t, &t->group[entry->group]);
		if (lock == LOCK_NONE)
			mask_result(t, i, options, estimator);
		else if (lock == LOCK_UNRESOLVED && entry->is_error)
			cut_content(t, i, &cut_error, options->error_tokens, estimator);
	}
}
