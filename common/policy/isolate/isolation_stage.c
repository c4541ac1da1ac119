#include "policy/isolate/isolation_stage.h"

#include <stdlib.h>

#include "base/mem.h"
#include "data/change.h"
#include "data/session/session_calls.h"

/* Returns by call whether later work made its arguments worthless: the same call was made again and
 * succeeded, or what the call wrote into a file was replaced, since a later call wrote the whole
 * file. The caller frees the list. */
static uint8_t *
find_redone(struct session *t)
{
	uint8_t *is_redone = mem_alloc((size_t)t->call_count + 1, 1);
	struct map made = MAP_INIT, written = MAP_INIT; /* keys and targets of later calls */

	/* From the last call to the first, so that the maps always hold the later calls. */
	session_learn_all(t);
	for (uint32_t i = t->call_count; i-- > 0;) {
		const struct call *call = &t->call[i];
		const struct entry *head = &t->entry[t->group[call->group].entry];
		bool writes = call->use.op == TOOL_WRITE || call->use.op == TOOL_EDIT;
		struct hash target = hash_bytes(call->use.target, hash_seed(HASH_TARGET));

		is_redone[i] = map_get(&made, call->key) != MAP_NONE ||
		    (writes && map_get(&written, target) != MAP_NONE);
		if (head->outside || call->result == NONE || t->entry[call->result].is_error)
			continue;
		if (!head->is_compacted)
			map_set(&made, call->key, 1);
		if (call->use.op == TOOL_WRITE)
			map_set(&written, target, 1);
	}
	map_free(&made);
	map_free(&written);
	return is_redone;
}

#define ROW(name, policy) policy,

const struct isolation_policy *const isolation_stage_policies[] = {ISOLATION_STAGE_POLICIES(ROW)};

/* Converts the limits to tokens of the estimator. */
static void
set_limits(struct isolation *isolation)
{
	struct isolation_options *options = &isolation->options;

	options->error_tokens = estimate_count(isolation->estimator, options->error_tokens);
	options->min_tokens = estimate_count(isolation->estimator, options->min_tokens);
	options->keep_tokens = estimate_count(isolation->estimator, options->keep_tokens);
	options->min_gain = estimate_count(isolation->estimator, options->min_gain);
}

/* Finds facts that need the whole session. */
static void
prepare(struct window *window)
{
	struct isolation *isolation = (struct isolation *)window;

	if (estimator_learns(isolation->estimator)) {
		struct fit fit = FIT_INIT;

		estimate_session(isolation->estimator, isolation_session(isolation));
		fit_session(&fit, isolation_session(isolation));
		isolation->fitted = fit_apply(&fit, isolation->estimator);
		isolation->points = fit_points(&fit);
		fit_free(&fit);
		set_limits(isolation);
	}
	if (isolation->options.arguments == ISOLATION_ARGUMENTS_REDONE)
		isolation->is_redone = find_redone(&window->held.session);
}

static bool
decide(struct window *window, uint32_t index)
{
	struct isolation *isolation = (struct isolation *)window;
	bool is_decided = isolation->policy->decide(isolation, index);

	if (is_decided) {
		isolation->asked = NULL;
		change_forget(isolation_session(isolation), index);
	}
	return is_decided;
}

void
isolation_stage_init(struct isolation *isolation, const struct isolation_policy *policy,
    const struct isolation_options *options, struct estimator *estimator)
{
	*isolation =
	    (struct isolation){.policy = policy, .options = *options, .estimator = estimator};
	window_init(&isolation->window, decide);
	isolation->window.rereads = true;
	if (estimator_learns(isolation->estimator) ||
	    options->arguments == ISOLATION_ARGUMENTS_REDONE)
		isolation->window.prepare = prepare;
	if (!estimator_learns(isolation->estimator))
		set_limits(isolation);
}

void
isolation_stage_free(struct isolation *isolation)
{
	window_free(&isolation->window);
	free(isolation->is_redone);
	free(isolation->group);
	resolutions_free(&isolation->resolutions);
}
