/* Learning from the usage that responses report. */

#include "tokens/fit.h"

#include "json_padded.h"
#include "unit.h"

static struct fit fit;

/* Adds a message that counts ten; its JSON is written with ' for ". */
static void
add(const char *text)
{
	struct str line = padded(text);
	struct message message;

	for (size_t i = 0; i < line.len; i++)
		if (line.ptr[i] == '\'')
			((char *)line.ptr)[i] = '"';
	message_parse(&message, line);
	fit_add(&fit, &message, 10);
}

static void
restart(void)
{
	fit_free(&fit);
	fit = (struct fit)FIT_INIT;
}

#define USER "{'role':'user'}"
#define SUMMARY(facts) "{'role':'user','metadata':{'kind':'summary'" facts "}}"
#define ANSWER(n, id) \
	"{'role':'assistant','metadata':{" id "'usage':{'input_tokens':" #n ",'output_tokens':1}}" \
	"}"

static struct estimator
applied(enum estimator_kind kind, bool enough)
{
	struct estimator estimator = {.kind = kind, .name = "as it was", .ratio = 1};

	CHECK(fit_apply(&fit, &estimator) == enough);
	CHECK(enough == (strcmp(estimator.name, "as it was") == 0));
	return estimator;
}

static void
test_usage(void)
{
	struct estimator estimator;

	restart();
	add(USER);
	applied(ESTIMATOR_USAGE, false);
	add(ANSWER(99, ""));
	add(USER);
	estimator = applied(ESTIMATOR_USAGE, true);
	CHECK(estimator.offset == 80 && estimator.ratio == 1);
	CHECK(estimate_cost(&estimator, 30) == 110);
	CHECK(estimate_sum(&estimator, 110) == 30 && estimate_sum(&estimator, 79) == 0);
	/* Reported less than counted: thinking of earlier turns was left out, say. */
	add(ANSWER(9, ""));
	estimator = applied(ESTIMATOR_USAGE, true);
	CHECK(estimator.offset == -30 && estimate_cost(&estimator, 40) == 10);
	CHECK(estimate_cost(&estimator, 20) == 0);
	/* Others are not fitted. */
	estimator = applied(ESTIMATOR_O200K, true);
	CHECK(estimator.offset == 0 && estimator.ratio == 1);
}

static void
test_calibrated(void)
{
	struct estimator estimator;

	restart();
	add(ANSWER(19, ""));
	add(ANSWER(39, ""));
	applied(ESTIMATOR_CALIBRATED, false);
	add(ANSWER(89, ""));
	CHECK(fit.points == 3 && fit.lowest == 2 && fit.highest == 3);
	estimator = applied(ESTIMATOR_CALIBRATED, true);
	/* (20 * 10 + 40 * 20 + 90 * 30) / (100 + 400 + 900) */
	CHECK(estimator.ratio > 2.64285 && estimator.ratio < 2.64286 && estimator.offset == 0);
	CHECK(estimate_cost(&estimator, 30) == 79 && estimate_sum(&estimator, 79) == 30);
	CHECK(estimate_count(&estimator, 79) == 29);
}

static void
test_responses(void)
{
	restart();
	add(ANSWER(1, "'id':'r1',"));
	add(ANSWER(39, "'id':'r1',"));
	CHECK(fit.points == 1 && fit.ratio == 2 && fit.lowest == 2 && fit.highest == 2);
	add(ANSWER(59, "'id':'r\\u0032',"));
	add(ANSWER(79, "'id':'r2',"));
	CHECK(fit.points == 2 && fit.ratio == 2 && fit.highest == 2);
	/* Without an id each is a response of its own. */
	add(ANSWER(99, ""));
	add(ANSWER(119, ""));
	CHECK(fit.points == 4);
}

static void
test_summaries(void)
{
	restart();
	add(ANSWER(19, "'id':'r1',"));
	add(SUMMARY(""));
	CHECK(fit.points == 0 && fit.counted == 20);
	add(ANSWER(59, "'id':'r1',"));
	CHECK(fit.points == 1 && fit.lowest == 2 && fit.highest == 2);
	add(SUMMARY(",'facts':{'kept':2}"));
	add(USER);
	add(ANSWER(1000, ""));
	CHECK(fit.points == 0);
	add(ANSWER(1000, ""));
	CHECK(fit.points == 1);
}

/* What is reported may be any number. */
static void
test_greatest(void)
{
	struct estimator estimator;

	restart();
	add(ANSWER(9, ""));
	fit.last.input = UINT64_MAX;
	estimator = applied(ESTIMATOR_USAGE, true);
	CHECK(estimator.offset == INT64_MAX / 2 - 10);
	fit.last_counted = UINT64_MAX;
	estimator = applied(ESTIMATOR_USAGE, true);
	CHECK(estimator.offset == 0);
}

int
main(void)
{
	message_init();
	test_usage();
	test_calibrated();
	test_responses();
	test_summaries();
	test_greatest();
	fit_free(&fit);
	arena_free(&padded_arena);
	return unit_end();
}
