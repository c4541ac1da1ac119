#include "tokens/fit.h"

#include "base/bounded.h"
#include "json/text.h"

void
fit_free(struct fit *fit)
{
	buf_free(&fit->response);
}

/* Called at a summary: points before it are of another context than the one after it. */
static void
forget(struct fit *fit, const struct message *message)
{
	struct json_value facts = message->meta[METADATA_FACTS];
	uint64_t counted = fit->counted;
	struct buf response = fit->response;
	int64_t kept;

	*fit = (struct fit){.counted = counted, .response = response};
	buf_reset(&fit->response);
	kept = json_integer(json_find(facts, STR("kept")), 0);
	fit->stale = kept > 0 ? (uint64_t)kept : 0;
}

static void
add_point(struct fit *fit, const struct usage *usage)
{
	double reported = (double)usage->input + (double)usage->output;
	double counted = (double)fit->counted;
	double ratio = reported / counted;

	fit->last_product = reported * counted;
	fit->last_square = counted * counted;
	fit->product_sum += fit->last_product;
	fit->square_sum += fit->last_square;
	fit->last_lowest = fit->lowest;
	fit->last_highest = fit->highest;
	if (fit->points == 0 || ratio < fit->lowest)
		fit->lowest = ratio;
	if (fit->points == 0 || ratio > fit->highest)
		fit->highest = ratio;
	fit->points++;
	fit->ratio = fit->product_sum / fit->square_sum;
}

/* Takes the last point back: a later part of the same response has newer figures. */
static void
take_back(struct fit *fit)
{
	fit->product_sum -= fit->last_product;
	fit->square_sum -= fit->last_square;
	fit->lowest = fit->last_lowest;
	fit->highest = fit->last_highest;
	fit->points--;
}

static bool
is_same_response(struct fit *fit, struct json_value id)
{
	struct buf scratch = BUF_INIT;
	bool same = false;

	if (id.type == JSON_STRING) {
		struct str text = json_text(id, &scratch);

		same = fit->points > 0 && str_eq(text, buf_str(&fit->response));
		buf_reset(&fit->response);
		buf_add_str(&fit->response, text);
	} else {
		buf_reset(&fit->response);
	}
	buf_free(&scratch);
	return same;
}

void
fit_add(struct fit *fit, const struct message *message, uint64_t count)
{
	struct usage usage;
	bool says = message->metadata.type == JSON_OBJECT;

	fit->counted = bounded_add(fit->counted, count);
	if (says && json_is(message->meta[METADATA_KIND], STR("summary"))) {
		forget(fit, message);
		return;
	}
	if (fit->stale > 0) {
		fit->stale--;
		return;
	}
	if (!says || message->role != ROLE_ASSISTANT ||
	    !usage_read(message->meta[METADATA_USAGE], &usage))
		return;
	if (is_same_response(fit, message->meta[METADATA_ID]))
		take_back(fit);
	add_point(fit, &usage);
	fit->last = usage;
	fit->last_counted = fit->counted;
}

/* Of two such numbers the difference is no overflow. */
static int64_t
half_range(uint64_t number)
{
	return number < INT64_MAX / 2 ? (int64_t)number : INT64_MAX / 2;
}

bool
fit_apply(const struct fit *fit, struct estimator *estimator)
{
	bool enough =
	    estimator->kind == ESTIMATOR_USAGE ? fit->points > 0 : fit->points >= FIT_POINTS_MIN;

	if (estimator->kind != ESTIMATOR_USAGE && estimator->kind != ESTIMATOR_CALIBRATED)
		return true;
	if (!enough) {
		estimator->name = "o200k_base";
		return false;
	}
	if (estimator->kind == ESTIMATOR_USAGE)
		estimator->offset = half_range(bounded_add(fit->last.input, fit->last.output)) -
		    half_range(fit->last_counted);
	else
		estimator->ratio = fit->ratio;
	return true;
}

void
fit_session(struct fit *fit, const struct session *session)
{
	for (uint32_t i = 0; i < session->count; i++) {
		const struct entry *entry = &session->entry[i];
		struct message message;

		if (entry->kind != RECORD_MESSAGE || entry->outside)
			continue;
		entry_parse(entry, &message);
		fit_add(fit, &message, entry->tokens);
	}
}
