#include "tokens/fit.h"

#include "base/bounded.h"
#include "data/message/usage.h"
#include "json/string.h"

/*
 * Measured on 126 pairs of answers of 38 real logs. From one answer to the next, the reported
 * tokens grew by at most twice the counted tokens between them plus 2,700; from the first answer of
 * a log to any other, by at most twice the counted tokens plus 4,300. Up to the first answer, 35
 * logs had reports with up to 41,000 tokens that are not in the log; 3 logs were parts of longer
 * logs.
 */
enum { SLACK = 4000, DRIFT = 8000, UNSEEN = 40000, STEEP = 2 };

void
fit_free(struct fit *fit)
{
	buf_free(&fit->response);
}

/* Forgets all points: those before are of another context than the ones after. */
static void
forget(struct fit *fit)
{
	struct fit kept = *fit;

	*fit = (struct fit){.counted = kept.counted,
	    .response = kept.response,
	    .given = kept.given,
	    .has_given = kept.has_given,
	    .gave_usage = kept.gave_usage,
	    .is_tail = kept.is_tail};
	buf_reset(&fit->response);
}

/* Whether the reported tokens are no more than the stream up to the report can cost, with the texts
 * that a client adds. */
static bool
is_plausible(struct fit_point from, struct fit_point point, uint64_t unseen)
{
	uint64_t grown = point.counted - from.counted;

	return point.reported <= from.reported ||
	    point.reported - from.reported <= bounded_add(STEEP * grown, unseen);
}

/* Begins a segment with the point, unless the point is of the segment under way. */
static void
choose_segment(struct fit *fit, struct fit_point point)
{
	const struct fit_segment *segment = &fit->segment;
	bool is_less = bounded_add(point.reported, SLACK) < segment->last.reported;
	bool is_intact = fit->is_tail || is_plausible((struct fit_point){0, 0}, point, UNSEEN);

	if (segment->points > 0 && !is_less && is_plausible(segment->last, point, SLACK) &&
	    is_plausible(segment->first, point, DRIFT))
		return;
	if (segment->points > 0 && !is_less)
		is_intact = false;
	fit->square += fit->segment.square;
	fit->product += fit->segment.product;
	if (fit->segment.is_intact)
		fit->intact = fit->segment;
	fit->segment = (struct fit_segment){.is_intact = is_intact, .first = point};
}

static void
note_ratio(struct fit *fit, double counted, double reported)
{
	double ratio = reported / counted;
	bool is_first = fit->through_square == 0;

	fit->through_product += reported * counted;
	fit->through_square += counted * counted;
	if (is_first || ratio < fit->lowest)
		fit->lowest = ratio;
	if (is_first || ratio > fit->highest)
		fit->highest = ratio;
}

/* Makes the last point part of its segment. */
static void
commit(struct fit *fit)
{
	struct fit_segment *segment = &fit->segment;
	double counted = (double)fit->last.counted, reported = (double)fit->last.reported;
	double from_mean, n;

	if (!fit->has_last)
		return;
	choose_segment(fit, fit->last);
	n = (double)++segment->points;
	from_mean = counted - segment->counted;
	segment->counted += from_mean / n;
	segment->product += from_mean * (reported - segment->reported) * (n - 1) / n;
	segment->square += from_mean * from_mean * (n - 1) / n;
	segment->reported += (reported - segment->reported) / n;
	segment->last = fit->last;
	if (segment->is_intact)
		note_ratio(fit, counted, reported);
	/* The first point of a segment that is not intact teaches nothing. */
	fit->points += segment->is_intact || segment->points > 1;
	fit->has_last = false;
}

static bool
is_same_response(struct fit *fit, struct json_value id)
{
	struct buf scratch = BUF_INIT;
	bool same = false;

	if (id.type == JSON_STRING) {
		struct str text = json_text(id, &scratch);

		same = fit->has_last && str_eq(text, buf_str(&fit->response));
		buf_set(&fit->response, text);
	} else {
		buf_reset(&fit->response);
	}
	buf_free(&scratch);
	return same;
}

/* Of two such numbers the difference is no overflow. */
static int64_t
half_range(int64_t number)
{
	const int64_t half = INT64_MAX / 2;

	return number > half ? half : number < -half ? -half : number;
}

static int64_t
to_signed(uint64_t number)
{
	return number < INT64_MAX ? (int64_t)number : INT64_MAX;
}

/* Takes the calibration of a budget record. The record was written for the stream as it is now, so
 * that earlier reports are not used. */
static void
take_given(struct fit *fit, const struct message *record)
{
	struct json_value from = json_find(record->value, STR("calibration"));
	double ratio = json_real(json_find(from, STR("ratio")), 0);

	if (from.type != JSON_OBJECT || !(ratio >= 0.01 && ratio <= 100))
		return;
	fit->has_given = true;
	fit->gave_usage = json_is(json_find(record->value, STR("estimator")), STR("usage"));
	fit->given = (struct calibration){.ratio = ratio,
	    .offset = half_range(json_integer(json_find(from, STR("offset")), 0)),
	    .points = json_count(json_find(from, STR("points"))),
	    .lowest = json_real(json_find(from, STR("lowest")), 0),
	    .highest = json_real(json_find(from, STR("highest")), 0)};
	forget(fit);
}

void
fit_add(struct fit *fit, const struct message *message, uint64_t count)
{
	struct usage usage;

	if (message->kind == RECORD_BUDGET) {
		take_given(fit, message);
		return;
	}
	fit->counted = bounded_add(fit->counted, count);
	if (message->metadata.type != JSON_OBJECT) {
		fit->stale -= fit->stale > 0;
		return;
	}
	if (json_is(message->meta[METADATA_KIND], STR("summary"))) {
		/* Points before a summary are of another context than the one after. */
		forget(fit);
		fit->stale = json_count(json_find(message->meta[METADATA_FACTS], STR("kept")));
		return;
	}
	if (fit->stale > 0) {
		fit->stale--;
		return;
	}
	if (message->role != ROLE_ASSISTANT || !usage_read(message->meta[METADATA_USAGE], &usage))
		return;
	if (!is_same_response(fit, message->meta[METADATA_ID]))
		commit(fit);
	fit->last = (struct fit_point){fit->counted, bounded_add(usage.input, usage.output)};
	fit->has_last = true;
}

uint64_t
fit_points(const struct fit *fit)
{
	struct fit whole = *fit;

	commit(&whole);
	return whole.points;
}

static int64_t
nearest(double number)
{
	return (int64_t)(number < 0 ? number - 0.5 : number + 0.5);
}

/* As a record says it, so that a reader of the record has the same. */
static double
rounded(double number)
{
	return (double)nearest(number * 1e6) / 1e6;
}

/* The tokens of other encodings are not half as many, nor three times as many. */
static double
bounded_ratio(double ratio)
{
	const double flattest = 0.5, steepest = 3;

	return ratio < flattest ? flattest : ratio > steepest ? steepest : ratio;
}

/* The line through the points: least squares within the segments, through the mean of the newest
 * intact one. */
static struct calibration
calibrate(const struct fit *fit)
{
	const struct fit_segment *anchor = fit->segment.is_intact ? &fit->segment : &fit->intact;
	double square = fit->square + fit->segment.square;
	double product = fit->product + fit->segment.product;
	struct calibration line = {.ratio = 1,
	    .points = fit->points,
	    .lowest = rounded(fit->lowest),
	    .highest = rounded(fit->highest)};
	double offset;

	if (square > 0)
		line.ratio = bounded_ratio(product / square);
	offset = anchor->points > 0 ? anchor->reported - line.ratio * anchor->counted : 0;
	if (offset < 0) { /* no prompt is less than nothing */
		line.ratio = fit->through_product / fit->through_square;
		offset = 0;
	}
	line.ratio = rounded(line.ratio);
	line.offset = half_range(nearest(offset));
	return line;
}

static void
use(struct estimator *estimator, struct calibration calibration)
{
	estimator->calibration = calibration;
	estimator->ratio = calibration.ratio;
	estimator->offset = calibration.offset;
}

static enum fit_result
apply_calibrated(const struct fit *fit, struct estimator *estimator)
{
	if (fit->has_given && fit->given.points > fit->points) {
		use(estimator, fit->given);
		return FIT_GOOD;
	}
	if (fit->points < FIT_POINTS_MIN) {
		estimator->name = "o200k_base";
		return FIT_TOO_FEW;
	}
	use(estimator, calibrate(fit));
	return FIT_GOOD;
}

static enum fit_result
apply_usage(const struct fit *fit, struct estimator *estimator)
{
	const struct fit_segment *segment = &fit->segment;

	if (segment->points > 0 && segment->is_intact) {
		estimator->offset = half_range(to_signed(fit->last.reported)) -
		    half_range(to_signed(fit->last.counted));
		return FIT_GOOD;
	}
	if (segment->points == 0 && fit->has_given && fit->given.points > 0) {
		estimator->name = fit->gave_usage ? estimator->name : "calibrated";
		use(estimator, fit->given);
		return FIT_GOOD;
	}
	estimator->name = "calibrated";
	return apply_calibrated(fit, estimator) == FIT_GOOD || segment->points > 0 ? FIT_FOREIGN :
										     FIT_TOO_FEW;
}

enum fit_result
fit_apply(const struct fit *fit, struct estimator *estimator)
{
	struct fit whole = *fit;

	commit(&whole);
	if (estimator->kind == ESTIMATOR_USAGE)
		return apply_usage(&whole, estimator);
	if (estimator->kind == ESTIMATOR_CALIBRATED)
		return apply_calibrated(&whole, estimator);
	return FIT_GOOD;
}

enum fit_result
fit_apply_to(const struct fit *fit, struct estimator *estimator, uint64_t sum)
{
	struct fit whole = *fit;
	enum fit_result result = fit_apply(fit, estimator);
	struct calibration line = {.ratio = 1};
	double cost = (double)estimate_cost(estimator, sum);

	if (estimator->kind != ESTIMATOR_USAGE || result != FIT_GOOD ||
	    estimator->calibration.points > 0)
		return result;
	commit(&whole);
	if (whole.points >= FIT_POINTS_MIN)
		line = calibrate(&whole);
	line.points = whole.points;
	line.offset = half_range(nearest(cost - line.ratio * (double)sum));
	use(estimator, line);
	return result;
}

void
fit_write(const struct estimator *estimator, struct json_writer *w)
{
	const struct calibration *c = &estimator->calibration;

	json_member_open(w, STR("calibration"), '{');
	json_member_real(w, STR("ratio"), estimator->ratio);
	json_member_integer(w, STR("offset"), estimator->offset);
	json_member_integer(w, STR("points"), (int64_t)c->points);
	json_member_real(w, STR("lowest"), c->lowest);
	json_member_real(w, STR("highest"), c->highest);
	json_close(w);
}

void
fit_session(struct fit *fit, const struct session *session)
{
	for (uint32_t i = 0; i < session->count; i++) {
		const struct entry *entry = &session->entry[i];
		struct message message;

		if (entry->kind != RECORD_BUDGET && !entry_is_in_thread(entry))
			continue;
		entry_parse(entry, &message);
		fit_add(fit, &message, entry->tokens);
	}
}
