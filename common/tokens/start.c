#include "tokens/start.h"

#include "base/bounded.h"
#include "json/string.h"

struct start_sum {
	struct estimator *estimator;
	struct start_end end;
	uint64_t sum;
};

uint64_t
start_of_value(struct estimator *estimator, struct json_value value, struct start_end end)
{
	struct buf scratch = BUF_INIT;
	bool is_whole = value.ptr + value.len <= end.at;
	struct str text = json_span(value);
	uint64_t count;

	if (value.ptr > end.at)
		return 0;
	if (value.type == JSON_STRING) {
		text = json_text(value, &scratch);
		if (!is_whole)
			text.len = end.bytes < text.len ? end.bytes : text.len;
	} else if (!is_whole) {
		text.len = (size_t)(end.at - text.ptr);
	}
	count = text.len > 0 ? estimate_text(estimator, text) : 0;
	buf_free(&scratch);
	return count;
}

static void
add_start(void *context, enum text_kind kind, struct json_value value)
{
	struct start_sum *tally = context;
	uint64_t count = 0;

	if (kind <= TEXT_ARGUMENTS)
		count = start_of_value(tally->estimator, value, tally->end);
	else if (value.ptr + value.len <= tally->end.at)
		count = estimate_media(tally->estimator, kind, value);
	if (kind == TEXT_NAME && count > 0)
		count += TOKENS_PER_CALL;
	tally->sum = bounded_add(tally->sum, count);
}

uint64_t
start_of_message(struct estimator *estimator, const struct message *message, struct start_end end)
{
	struct start_sum tally = {.estimator = estimator, .end = end};
	uint64_t whole;

	message_texts(message, add_start, &tally);
	if (tally.sum == 0)
		return 0;
	whole = estimate_message(estimator, message);
	tally.sum = bounded_add(tally.sum, TOKENS_PER_MESSAGE);
	return tally.sum < whole ? tally.sum : whole;
}
