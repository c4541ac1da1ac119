/*
 * What a pass is worth. A provider keeps the beginning of the last request in a cache, and reads it
 * there for a tenth of the price. A change to an early message throws that away: a pass costs
 * something at the next request, and pays only over the requests that follow.
 */
#include "job.h"

static bool
is_running(const struct session *t)
{
	for (uint32_t i = 0; i < t->execution_count; i++)
		if (t->execution[i].is_current)
			return true;
	return false;
}

bool
economy_defers(struct job *job)
{
	return job->options->at_boundary && is_running(&job->held.session) && !job_is_overrun(job);
}

void
economy_weigh(struct job *job)
{
	struct compaction *c = &job->compaction;
	uint64_t least = size_of_window(job->options->min_gain, job->budget.window, 0);
	uint64_t before, after;

	if (least == 0 || job->held.session.change_count == 0)
		return;
	before = job_weigh_before(job);
	after = estimate_cost(job->estimator, compaction_used(c));
	if (before > budget_room(&job->budget) || before - after >= least)
		return;
	job->is_refused = true;
	job->gain = before - after;
	compaction_reset(c);
	compaction_weigh(c, KEEP_NOT);
}

/* The tokens of a prefix of the next request, prompt and tools included. */
static uint64_t
request_tokens(const struct job *job, uint64_t sum)
{
	return sum > 0 ? estimate_cost(job->estimator, sum) + job->system : 0;
}

/* What a provider has in its cache of the session as it came: the last request and its answer. */
static uint64_t
cached_tokens(struct job *job)
{
	const struct session *t = &job->held.session;
	uint64_t sum = 0, cached = 0;

	for (uint32_t i = 0; i < t->count; i++) {
		sum += weigh_original(&job->held.session, i, job->estimator);
		if (t->entry[i].role == ROLE_ASSISTANT && !t->entry[i].outside)
			cached = sum;
	}
	return request_tokens(job, cached);
}

/* Dollars for so many requests of that many tokens. The first finds cached tokens in the cache, the
 * others find all. */
static double
sum_price(const struct job *job, uint64_t tokens, uint64_t cached, unsigned requests)
{
	double later = model_price(job->model, tokens, tokens).cached;

	return model_price(job->model, tokens, cached).cached + (requests - 1) * later;
}

static void
write_sums(struct json_writer *w, struct str name, double before, double after)
{
	json_member_open(w, name, '{');
	json_member_real(w, STR("before"), before);
	json_member_real(w, STR("after"), after);
	json_member_real(w, STR("saved"), before - after);
	json_close(w);
}

void
economy_write(struct job *job, uint64_t before, uint64_t prefix, struct json_writer *w)
{
	enum { REQUESTS = 10 };
	uint64_t after = job->budget.used + job->system, cached, left;

	if (job->model == NULL)
		return;
	before += job->system;
	cached = cached_tokens(job);
	left = request_tokens(job, prefix);
	left = left < cached ? left : cached;
	write_sums(w, STR("next_request_usd"), sum_price(job, before, cached, 1),
	    sum_price(job, after, left, 1));
	write_sums(w, STR("ten_requests_usd"), sum_price(job, before, cached, REQUESTS),
	    sum_price(job, after, left, REQUESTS));
}
