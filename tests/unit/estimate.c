/* Counts and costs at the edges of their numbers. */

#include "base/bounded.h"
#include "tokens/estimate.h"

#include "json_padded.h"
#include "unit.h"
#include "vocabularies.h"

static struct fault fault;

static struct estimator
open_estimator(const char *name)
{
	struct estimator estimator;

	CHECK(estimator_init(&estimator, name));
	CHECK(estimator_open(&estimator, &fault));
	return estimator;
}

static uint64_t
count(struct estimator *estimator, const char *text)
{
	struct message message;

	message_parse(&message, padded(text));
	return estimate_message(estimator, &message);
}

static void
test_bounded(void)
{
	CHECK(bounded_add(UINT64_MAX, 0) == UINT64_MAX &&
	    bounded_add(UINT64_MAX - 1, 1) == UINT64_MAX);
	CHECK(bounded_add(UINT64_MAX, 1) == UINT64_MAX && bounded_add(2, 3) == 5);
	CHECK(bounded_multiply(UINT64_MAX, 2) == UINT64_MAX &&
	    bounded_multiply(1u << 31, 2) == 1ull << 32);
	CHECK(bounded_from_real(-1) == 0 && bounded_from_real(0.99) == 0 &&
	    bounded_from_real(1.99) == 1);
	CHECK(bounded_from_real(18446744073709551616.0) == UINT64_MAX &&
	    bounded_from_real(1e300) == UINT64_MAX);
	CHECK(bounded_from_real(18446744073709549568.0) == UINT64_MAX - 2047);
	CHECK(bounded_from_real(0.0 / 0.0) == 0 && bounded_from_real(1.0 / 0.0) == UINT64_MAX);
}

/* The greatest sum whose cost is at most so much. */
static void
check_sum(const struct estimator *estimator, uint64_t cost)
{
	uint64_t sum = estimate_sum(estimator, cost);

	CHECK(estimate_cost(estimator, sum) <= cost || sum == 0);
	CHECK(sum == UINT64_MAX || estimate_cost(estimator, sum + 1) > cost);
}

static void
test_costs(void)
{
	static const uint64_t costs[] = {0, 1, 2, 99, 100, 101, 1u << 31, (uint64_t)1 << 53,
	    ((uint64_t)1 << 53) + 1, INT64_MAX, UINT64_MAX - 1, UINT64_MAX};
	static const double ratios[] = {1, 0.001, 0.999, 1.001, 1.5, 21.19, 1e12, 1e-12};
	static const int64_t offsets[] = {0, 1, -1, 100, -100, INT64_MAX / 2, -(INT64_MAX / 2)};
	struct estimator estimator = open_estimator("bytes/4");

	for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++)
		for (size_t j = 0; j < sizeof offsets / sizeof *offsets; j++)
			for (size_t k = 0; k < sizeof costs / sizeof *costs; k++) {
				estimator.ratio = ratios[i];
				estimator.offset = offsets[j];
				check_sum(&estimator, costs[k]);
				CHECK(estimate_count(&estimator, costs[k]) >= costs[k] / 2 ||
				    ratios[i] > 2);
			}
	estimator.ratio = 1e-12;
	CHECK(estimate_count(&estimator, UINT64_MAX) == UINT64_MAX);
	estimator_close(&estimator);
}

/* What a user says that an image or a text counts does not begin again at zero. */
static void
test_counts(void)
{
	static const char images[] =
	    "{\"role\":\"user\",\"content\":[{\"type\":\"image\"},{\"type\":\"image\"},"
	    "{\"type\":\"text\",\"text\":\"a\"}]}";
	struct estimator estimator = open_estimator("cmd:echo 18446744073709551615");
	struct message message;

	CHECK(count(&estimator, "{\"role\":\"user\",\"content\":\"a\"}") == UINT64_MAX);
	estimator.image_tokens = UINT64_MAX;
	CHECK(count(&estimator, images) == UINT64_MAX);
	message_parse(&message, padded(images));
	CHECK(estimate_reaches(&estimator, &message, UINT64_MAX));
	CHECK(!fault_is_set(&fault));
	estimator_close(&estimator);
	/* After a fault nothing is run any more, and nothing counts. */
	estimator = open_estimator("cmd:exit 7");
	CHECK(count(&estimator, images) > 0 && fault.status == STATUS_UNAVAILABLE);
	CHECK_STR(fault.text, "'exit 7' failed with status 7");
	estimator.command = "echo 5 >/dev/stderr";
	CHECK(count(&estimator, "{\"role\":\"user\",\"content\":\"a\"}") == TOKENS_PER_MESSAGE);
	estimator_close(&estimator);
	fault_free(&fault);
}

/* Words decide only for an estimator that counts tokens, and only within one text. */
static void
test_words(void)
{
	static const char line[] = "depth of the harbour at the lock, ";
	struct buf text = BUF_INIT;
	struct estimator exact, rough = open_estimator("bytes/4");
	struct message message;

	vocabularies_find();
	exact = open_estimator("o200k_base");
	buf_add_str(&text, STR("{\"role\":\"user\",\"content\":\""));
	for (unsigned i = 0; i < 20; i++)
		buf_add_str(&text, STR(line));
	buf_add_str(&text, STR("\"}"));
	buf_pad(&text);
	message_parse(&message, buf_str(&text));
	CHECK(estimate_surely_reaches(&exact, &message, 64));
	CHECK(!estimate_surely_reaches(&exact, &message, estimate_message(&exact, &message) + 1));
	CHECK(!estimate_surely_reaches(&rough, &message, 64));
	message_parse(&message, padded("{\"role\":\"user\",\"content\":\"a\"}"));
	CHECK(!estimate_surely_reaches(&exact, &message, 64));
	estimator_close(&exact);
	estimator_close(&rough);
	buf_free(&text);
}

int
main(void)
{
	message_init();
	test_words();
	test_bounded();
	test_costs();
	test_counts();
	return unit_end();
}
