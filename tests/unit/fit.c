/* Learning from the usage that responses report. */

#include "tokens/fit.h"

#include "json_padded.h"
#include "unit.h"

static struct fit fit;

/* Adds a message that counts ten; its JSON is written with ' for ". */
static void
add(const char *text)
{
	struct str line = quoted(text);
	struct message message;

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
applied(enum estimator_kind kind, enum fit_result result, const char *name)
{
	struct estimator estimator = {.kind = kind, .name = "as it was", .ratio = 1};

	CHECK(fit_apply(&fit, &estimator) == result);
	if (!CHECK(strcmp(estimator.name, name) == 0))
		printf("    %s, expected %s\n", estimator.name, name);
	return estimator;
}

static void
test_usage(void)
{
	struct estimator estimator;

	restart();
	add(USER);
	applied(ESTIMATOR_USAGE, FIT_TOO_FEW, "o200k_base");
	add(ANSWER(99, ""));
	add(USER);
	estimator = applied(ESTIMATOR_USAGE, FIT_GOOD, "as it was");
	CHECK(estimator.offset == 80 && estimator.ratio == 1);
	CHECK(estimate_cost(&estimator, 30) == 110);
	CHECK(estimate_sum(&estimator, 110) == 30 && estimate_sum(&estimator, 79) == 0);
	/* Reported less than counted: thinking of earlier turns was left out, say. */
	add(ANSWER(9, ""));
	estimator = applied(ESTIMATOR_USAGE, FIT_GOOD, "as it was");
	CHECK(estimator.offset == -30 && estimate_cost(&estimator, 40) == 10);
	CHECK(estimate_cost(&estimator, 20) == 0);
	/* Others are not fitted. */
	estimator = applied(ESTIMATOR_O200K, FIT_GOOD, "as it was");
	CHECK(estimator.offset == 0 && estimator.ratio == 1);
}

static void
test_calibrated(void)
{
	struct estimator estimator;

	restart();
	add(ANSWER(19, ""));
	add(ANSWER(39, ""));
	applied(ESTIMATOR_CALIBRATED, FIT_TOO_FEW, "o200k_base");
	add(ANSWER(89, ""));
	CHECK(fit_points(&fit) == 3);
	estimator = applied(ESTIMATOR_CALIBRATED, FIT_GOOD, "as it was");
	CHECK(estimator.calibration.lowest == 2 && estimator.calibration.highest == 3);
	/* (20 * 10 + 40 * 20 + 90 * 30) / (100 + 400 + 900), as a record writes it; a line with a
	 * steeper ratio would begin under nothing. */
	/* Without the cast the constant may have more digits than a double. */
	CHECK(estimator.ratio == (double)2.642857 && estimator.offset == 0);
	CHECK(estimate_cost(&estimator, 30) == 79 && estimate_sum(&estimator, 79) == 30);
	CHECK(estimate_count(&estimator, 79) == 29);
	/* What the log does not show is the offset. */
	restart();
	add(ANSWER(1019, ""));
	add(ANSWER(1034, ""));
	add(ANSWER(1049, ""));
	estimator = applied(ESTIMATOR_CALIBRATED, FIT_GOOD, "as it was");
	CHECK(estimator.ratio == 1.5 && estimator.offset == 1005);
	CHECK(estimate_cost(&estimator, 30) == 1050);
}

static void
test_responses(void)
{
	struct estimator estimator;

	restart();
	add(ANSWER(1, "'id':'r1',"));
	add(ANSWER(39, "'id':'r1',"));
	CHECK(fit_points(&fit) == 1);
	add(ANSWER(59, "'id':'r\\u0032',"));
	add(ANSWER(79, "'id':'r2',"));
	CHECK(fit_points(&fit) == 2);
	/* Without an id each is a response of its own. */
	add(ANSWER(99, ""));
	add(ANSWER(119, ""));
	CHECK(fit_points(&fit) == 4);
	estimator = applied(ESTIMATOR_CALIBRATED, FIT_GOOD, "as it was");
	CHECK(estimator.ratio == 2 && estimator.offset == 0);
	CHECK(estimator.calibration.lowest == 2 && estimator.calibration.highest == 2);
}

static void
test_summaries(void)
{
	restart();
	add(ANSWER(19, "'id':'r1',"));
	add(SUMMARY(""));
	CHECK(fit_points(&fit) == 0 && fit.counted == 20);
	add(ANSWER(59, "'id':'r1',"));
	CHECK(fit_points(&fit) == 1);
	add(SUMMARY(",'facts':{'kept':2}"));
	add(USER);
	add(ANSWER(1000, ""));
	CHECK(fit_points(&fit) == 0);
	add(ANSWER(1000, ""));
	CHECK(fit_points(&fit) == 1);
}

/* Between two answers a filter took messages out, or all before the first. */
static void
test_filtered(void)
{
	struct estimator estimator;

	restart();
	add(ANSWER(40019, ""));
	applied(ESTIMATOR_USAGE, FIT_GOOD, "as it was");
	restart();
	add(ANSWER(40020, ""));
	applied(ESTIMATOR_USAGE, FIT_FOREIGN, "o200k_base");
	restart();
	add(ANSWER(99, ""));
	add(ANSWER(4119, ""));
	applied(ESTIMATOR_USAGE, FIT_GOOD, "as it was");
	add(ANSWER(8140, ""));
	applied(ESTIMATOR_USAGE, FIT_FOREIGN, "o200k_base");
	/* From the first to the third there is too much, too. */
	restart();
	add(ANSWER(99, ""));
	add(ANSWER(4119, ""));
	add(ANSWER(8139, ""));
	applied(ESTIMATOR_USAGE, FIT_GOOD, "as it was");
	add(ANSWER(8160, ""));
	applied(ESTIMATOR_USAGE, FIT_FOREIGN, "calibrated");
	/* The parts before and behind teach the ratio, the intact one the offset. */
	restart();
	add(ANSWER(1019, ""));
	add(ANSWER(1034, ""));
	add(ANSWER(9049, ""));
	add(ANSWER(9064, ""));
	add(ANSWER(9079, ""));
	CHECK(fit_points(&fit) == 4);
	estimator = applied(ESTIMATOR_USAGE, FIT_FOREIGN, "calibrated");
	CHECK(estimator.ratio == 1.5 && estimator.offset == 1005);
	/* A client that reports much less has begun a new context. */
	restart();
	add(ANSWER(30019, ""));
	add(ANSWER(40049, ""));
	applied(ESTIMATOR_USAGE, FIT_FOREIGN, "o200k_base");
	add(ANSWER(9079, ""));
	estimator = applied(ESTIMATOR_USAGE, FIT_GOOD, "as it was");
	CHECK(estimator.offset == 9080 - 30);
	/* The end of a log: what was reported is of all of it. */
	restart();
	fit.is_tail = true;
	add(ANSWER(90000, ""));
	applied(ESTIMATOR_USAGE, FIT_GOOD, "as it was");
}

#define RECORD(estimator, points) \
	"{'type':'budget','estimator':'" estimator "','calibration':{'ratio':1.25,'offset':700," \
	"'points':" #points ",'lowest':1,'highest':2}}"

/* A budget record says what the tokens of the stream before it are weighed by. */
static void
test_given(void)
{
	struct estimator estimator;

	restart();
	add(ANSWER(1019, ""));
	add(ANSWER(1034, ""));
	add(RECORD("calibrated", 2));
	add(USER);
	CHECK(fit_points(&fit) == 0 && fit.counted == 30);
	estimator = applied(ESTIMATOR_CALIBRATED, FIT_GOOD, "as it was");
	CHECK(estimator.ratio == 1.25 && estimator.offset == 700);
	CHECK(estimator.calibration.points == 2 && estimator.calibration.highest == 2);
	applied(ESTIMATOR_USAGE, FIT_GOOD, "calibrated");
	/* Fewer points do not replace it, but what an answer behind it reports is exact. */
	add(ANSWER(2000, ""));
	estimator = applied(ESTIMATOR_CALIBRATED, FIT_GOOD, "as it was");
	CHECK(estimator.ratio == 1.25);
	estimator = applied(ESTIMATOR_USAGE, FIT_GOOD, "as it was");
	CHECK(estimator.ratio == 1 && estimator.offset == 2001 - 40);
	add(ANSWER(2010, ""));
	add(ANSWER(2020, ""));
	estimator = applied(ESTIMATOR_CALIBRATED, FIT_GOOD, "as it was");
	CHECK(estimator.ratio == 1 && estimator.offset == 1961);
	add(RECORD("usage", 3));
	estimator = applied(ESTIMATOR_USAGE, FIT_GOOD, "as it was");
	CHECK(estimator.ratio == 1.25);
	/* One that knows nothing says only that what was reported is not of this stream. */
	add(RECORD("o200k_base", 0));
	applied(ESTIMATOR_USAGE, FIT_TOO_FEW, "o200k_base");
	add("{'type':'budget','calibration':{'ratio':1e9,'points':9}}");
	applied(ESTIMATOR_USAGE, FIT_TOO_FEW, "o200k_base");
}

/* A session that will be changed follows the ratio from what it costs. */
static void
test_weighed(void)
{
	struct estimator estimator = {.kind = ESTIMATOR_USAGE, .name = "usage", .ratio = 1};

	restart();
	add(ANSWER(1019, ""));
	add(ANSWER(1034, ""));
	add(ANSWER(1049, ""));
	add(USER);
	CHECK(fit_apply_to(&fit, &estimator, 40) == FIT_GOOD);
	CHECK(estimator.ratio == 1.5 && estimator.offset == 1060 - 60);
	CHECK(estimate_cost(&estimator, 40) == 1060 && estimate_cost(&estimator, 20) == 1030);
	CHECK(estimator.calibration.points == 3);
	restart();
	add(ANSWER(1019, ""));
	estimator = (struct estimator){.kind = ESTIMATOR_USAGE, .name = "usage", .ratio = 1};
	CHECK(fit_apply_to(&fit, &estimator, 10) == FIT_GOOD);
	CHECK(estimator.ratio == 1 && estimator.offset == 1010);
	CHECK(estimator.calibration.points == 1);
}

/* What is reported may be any number. */
static void
test_greatest(void)
{
	struct estimator estimator;

	restart();
	fit.is_tail = true;
	add(ANSWER(9, ""));
	fit.last.reported = UINT64_MAX;
	estimator = applied(ESTIMATOR_USAGE, FIT_GOOD, "as it was");
	CHECK(estimator.offset == INT64_MAX / 2 - 10);
	fit.last.counted = UINT64_MAX;
	estimator = applied(ESTIMATOR_USAGE, FIT_GOOD, "as it was");
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
	test_filtered();
	test_given();
	test_weighed();
	test_greatest();
	fit_free(&fit);
	arena_free(&padded_arena);
	return unit_end();
}
