#include "policy/isolate.h"

#include "policy/artifact.h"
#include "policy/cut.h"
#include "policy/rewrite.h"

bool
isolate_may_touch(const struct group *group)
{
	return !group->is_pinned && !group->is_open && !group->is_frozen && !group->is_unresolved;
}

static void
drop_results(struct transcript *t, const struct group *group)
{
	for (uint32_t i = 0; i < group->calls; i++) {
		uint32_t result = t->call[group->first_call + i].result;

		if (result != NONE)
			t->entry[result].is_dropped = true;
	}
}

struct cost {
	uint64_t bytes;
	uint64_t tokens;
};

static void
add_cost(struct cost *cost, struct entry *entry, struct estimator *estimator)
{
	estimate_entry(estimator, entry);
	cost->bytes += entry_text(entry).len;
	cost->tokens += entry->tokens;
}

static struct cost
group_cost(struct transcript *t, const struct group *group, struct estimator *estimator)
{
	struct cost cost = {0, 0};

	add_cost(&cost, &t->entry[group->entry], estimator);
	for (uint32_t i = 0; i < group->calls; i++)
		if (t->call[group->first_call + i].result != NONE)
			add_cost(&cost, &t->entry[t->call[group->first_call + i].result], estimator);
	return cost;
}

/* Puts the artifact in the call's place if it is smaller than the whole group. */
static bool
put_artifact(struct transcript *t, const struct group *group, bool brief,
    struct estimator *estimator, struct cost cost)
{
	struct entry before = t->entry[group->entry];
	struct buf text = BUF_INIT;
	struct cost after = {0, 0};
	bool smaller;

	artifact_write(t, group, brief, &text);
	transcript_replace(t, group->entry, buf_str(&text));
	add_cost(&after, &t->entry[group->entry], estimator);
	smaller = after.bytes < cost.bytes && after.tokens <= cost.tokens;
	if (smaller)
		drop_results(t, group);
	else
		t->entry[group->entry] = before;
	buf_free(&text);
	return smaller;
}

static void
replace_group(struct transcript *t, const struct group *group, struct estimator *estimator)
{
	struct cost cost = group_cost(t, group, estimator);

	if (!put_artifact(t, group, false, estimator, cost))
		put_artifact(t, group, true, estimator, cost);
}

static void
cut_errors(struct transcript *t, const struct group *group, const struct isolate_options *options,
    struct estimator *estimator)
{
	for (uint32_t i = 0; i < group->calls; i++) {
		uint32_t result = t->call[group->first_call + i].result;

		if (result != NONE && t->entry[result].is_error)
			cut_content(t, result, options->error_tokens, estimator);
	}
}

/* Trace that an assistant left beside its calls: reasoning and commentary. */
static bool
is_loose_trace(const struct entry *entry)
{
	return entry->role == ROLE_ASSISTANT && entry->is_trace && !entry->has_calls &&
	    !entry->is_artifact && !entry->is_pinned && !entry->is_final;
}

void
isolate_boundary(struct transcript *t, const struct isolate_options *options,
    struct estimator *estimator)
{
	for (uint32_t i = 0; i < t->count; i++) {
		struct entry *entry = &t->entry[i];
		const struct group *group;

		if (entry->execution == NONE || transcript_is_current(t, entry))
			continue;
		if (is_loose_trace(entry))
			entry->is_dropped = true;
		if (!entry->has_calls)
			continue;
		group = &t->group[entry->group];
		if (isolate_may_touch(group))
			replace_group(t, group, estimator);
		else if (!group->is_pinned && !group->is_open && !group->is_frozen)
			cut_errors(t, group, options, estimator);
	}
}

static void
mask_result(struct transcript *t, uint32_t index, const struct isolate_options *options,
    struct estimator *estimator)
{
	struct entry *entry = &t->entry[index];
	struct buf text = BUF_INIT;
	struct message message;

	entry_parse(entry, &message);
	estimate_entry(estimator, entry);
	if (entry->is_compacted || entry->tokens <= options->min_tokens)
		return;
	rewrite_read_text(&message, &text);
	if (options->placeholder.len == 0) {
		uint64_t bytes = text.len;

		buf_reset(&text);
		buf_add_str(&text, STR("[tool result masked, "));
		rewrite_add_size(&text, bytes);
		buf_add_char(&text, ']');
	} else {
		buf_reset(&text);
		buf_add_str(&text, options->placeholder);
	}
	rewrite_content(t, index, buf_str(&text), estimator);
	buf_free(&text);
}

void
isolate_mask(struct transcript *t, const struct isolate_options *options,
    struct estimator *estimator)
{
	uint64_t newest = 0;

	for (uint32_t i = t->count; i-- > 0;) {
		struct entry *entry = &t->entry[i];
		const struct group *group;

		if (entry->call == NONE || entry->outside)
			continue;
		group = &t->group[entry->group];
		if (newest++ < options->keep_results || transcript_is_current(t, &t->entry[group->entry]))
			continue;
		if (isolate_may_touch(group))
			mask_result(t, i, options, estimator);
		else if (group->is_unresolved && !group->is_pinned && !group->is_open &&
		    !group->is_frozen && entry->is_error)
			cut_content(t, i, options->error_tokens, estimator);
	}
}
