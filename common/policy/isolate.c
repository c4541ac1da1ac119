#include "policy/isolate.h"

#include "base/number.h"
#include "data/texts.h"
#include "policy/artifact.h"
#include "policy/cut.h"
#include "policy/rewrite.h"
#include "tokens/fit.h"

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
	    !entry->is_artifact && !entry->is_pinned && !entry->is_critical && !entry->is_final;
}

/* Whether the user lets the policy touch the trace; of a group, index is that of its call
 * message. */
static enum term_answer
is_chosen(struct isolate *isolate, uint32_t index)
{
	if (isolate->options.chosen == NULL)
		return TERM_YES;
	return selection_decide(isolate->options.chosen, &isolate->window.held.session, index);
}

/* Decides about trace without calls. */
static bool
decide_loose(struct isolate *isolate, uint32_t index)
{
	struct session *t = &isolate->window.held.session;
	const struct entry *entry = &t->entry[index];
	enum term_answer answer;

	if (!session_is_known(t, entry->execution))
		return false;
	if (session_is_current(t, entry))
		return true;
	answer = is_chosen(isolate, index);
	if (answer == TERM_YES)
		change_drop(t, index, &loose);
	return answer != TERM_UNKNOWN;
}

static bool
decide_boundary(struct window *window, uint32_t index)
{
	struct isolate *isolate = (struct isolate *)window;
	struct session *t = &window->held.session;
	const struct entry *entry = &t->entry[index];
	const struct group *group;
	enum term_answer answer;
	enum group_lock lock;

	if (entry->execution == NONE)
		return true;
	if (is_loose_trace(entry))
		return decide_loose(isolate, index);
	if (!entry->has_calls || !entry->is_trace)
		return true;
	group = &t->group[entry->group];
	if (!session_is_settled(t, group))
		return false;
	if (session_is_current(t, entry))
		return true;
	answer = is_chosen(isolate, index);
	if (answer != TERM_YES)
		return answer == TERM_NO;
	lock = session_group_lock(t, group);
	if (lock == LOCK_NONE)
		replace_group(t, group, isolate->estimator);
	else if (lock == LOCK_UNRESOLVED)
		cut_errors(t, group, &isolate->options, isolate->estimator);
	return true;
}

static void
mask_result(struct session *t, uint32_t index, const struct isolate_options *options,
    struct estimator *estimator)
{
	struct entry *entry = &t->entry[index];
	struct buf text = BUF_INIT;
	struct message message;

	/* A token has at least one byte, and a content without parts has no media. */
	if (entry->is_compacted || (entry->is_text && entry->len <= options->min_tokens))
		return;
	entry_parse(entry, &message);
	if (!weigh_reaches(t, index, &message, options->min_tokens + 1, estimator))
		return;
	if (options->placeholder.len == 0) {
		buf_add_str(&text, STR("[tool result masked, "));
		number_write_size(&text, message_text_len(&message));
		buf_add_char(&text, ']');
	} else {
		buf_add_str(&text, options->placeholder);
	}
	rewrite_message(t, index, &masked, &message, buf_str(&text), estimator);
	buf_free(&text);
}

static bool
is_result(const struct entry *entry)
{
	return (entry->call != NONE || entry->is_forgotten) && !entry->outside;
}

/* Whether more than keep_results results are known to stand behind the front. */
static bool
has_results(struct isolate *isolate)
{
	const struct window *window = &isolate->window;
	const struct session *t = &window->held.session;

	while (window->left + isolate->looked < t->count &&
	    isolate->results <= isolate->options.keep_results)
		isolate->results += is_result(&t->entry[window->left + isolate->looked++]);
	return isolate->results > isolate->options.keep_results;
}

/* Whether mask could change the result, whatever becomes of its group. It cannot change a
 * short one: a token has at least one byte, and a content without parts has no media. */
static bool
is_maskable(const struct isolate *isolate, const struct entry *entry)
{
	const struct isolate_options *options = &isolate->options;
	uint64_t least = options->min_tokens < options->error_tokens ? options->min_tokens :
								       options->error_tokens;

	return entry->is_trace && entry->call != NONE && !entry->is_compacted &&
	    (!entry->is_text || entry->len > least);
}

/* Decides about a result that mask could change. */
static bool
mask(struct isolate *isolate, uint32_t index)
{
	struct session *t = &isolate->window.held.session;
	const struct entry *entry = &t->entry[index], *head = session_head(t, entry);
	const struct group *group = &t->group[entry->group];
	enum term_answer answer;
	enum group_lock lock;

	if (!session_is_known(t, head->execution))
		return false;
	if (session_is_current(t, head))
		return true;
	if (!has_results(isolate))
		return t->has_ended;
	if (!session_is_settled(t, group))
		return false;
	answer = is_chosen(isolate, group->entry);
	if (answer != TERM_YES)
		return answer == TERM_NO;
	lock = session_group_lock(t, group);
	if (lock == LOCK_NONE)
		mask_result(t, index, &isolate->options, isolate->estimator);
	else if (lock == LOCK_UNRESOLVED && entry->is_error)
		cut_content(
		    t, index, &cut_error, isolate->options.error_tokens, isolate->estimator);
	return true;
}

static bool
decide_mask(struct window *window, uint32_t index)
{
	struct isolate *isolate = (struct isolate *)window;
	const struct entry *entry = &window->held.session.entry[index];

	if (is_result(entry) && is_maskable(isolate, entry) && !mask(isolate, index))
		return false;
	if (isolate->looked > 0) {
		isolate->looked--;
		isolate->results -= is_result(entry);
	}
	return true;
}

/* Converts the limits to tokens of the estimator. */
static void
set_limits(struct isolate *isolate)
{
	struct isolate_options *options = &isolate->options;

	options->error_tokens = estimate_count(isolate->estimator, options->error_tokens);
	options->min_tokens = estimate_count(isolate->estimator, options->min_tokens);
}

/* Learns from the usage that the whole session reports. */
static void
prepare(struct window *window)
{
	struct isolate *isolate = (struct isolate *)window;
	struct fit fit = FIT_INIT;

	estimate_session(isolate->estimator, &window->held.session);
	fit_session(&fit, &window->held.session);
	isolate->fitted = fit_apply(&fit, isolate->estimator);
	isolate->points = fit_points(&fit);
	fit_free(&fit);
	set_limits(isolate);
}

void
isolate_init(struct isolate *isolate, enum isolate_policy policy,
    const struct isolate_options *options, struct estimator *estimator)
{
	*isolate = (struct isolate){.options = *options, .estimator = estimator};
	window_init(&isolate->window, policy == ISOLATE_MASK ? decide_mask : decide_boundary);
	if (estimator->kind == ESTIMATOR_USAGE || estimator->kind == ESTIMATOR_CALIBRATED)
		isolate->window.prepare = prepare;
	else
		set_limits(isolate);
}

void
isolate_free(struct isolate *isolate)
{
	window_free(&isolate->window);
}
