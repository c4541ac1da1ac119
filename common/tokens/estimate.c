#include "tokens/estimate.h"

#include <stdlib.h>

#include "base/bounded.h"
#include "base/mem.h"
#include "json/string.h"
#include "tokens/user_counter.h"
#include "tokens/lower_bound.h"

static struct str
text_of(struct estimator *estimator, struct json_value value)
{
	return value.type == JSON_STRING ? json_text(value, &estimator->text) : json_span(value);
}

uint64_t
estimate_media(const struct estimator *estimator, enum text_kind kind, struct json_value part)
{
	struct json_value nested = json_find(part, STR("image_url"));

	if (kind == TEXT_AUDIO)
		return TOKENS_PER_AUDIO;
	if (kind == TEXT_FILE)
		return TOKENS_PER_FILE;
	if (json_is(json_find(part, STR("detail")), STR("low")) ||
	    json_is(json_find(nested, STR("detail")), STR("low")))
		return TOKENS_PER_SMALL_IMAGE < estimator->image_tokens ? TOKENS_PER_SMALL_IMAGE :
									  estimator->image_tokens;
	return estimator->image_tokens;
}

/* The count of a message while its texts are found. */
struct text_sum {
	struct estimator *estimator;
	uint64_t sum;                     /* bytes for bytes/4, tokens otherwise */
	struct user_counter_batch *batch; /* the texts for the command to count */
};

static void
add_text(void *context, enum text_kind kind, struct json_value value)
{
	struct text_sum *tally = context;
	struct estimator *estimator = tally->estimator;

	uint64_t count = 0;

	if (estimator->kind == ESTIMATOR_BYTES4)
		count = kind > TEXT_ARGUMENTS ? 0 :
		    value.type == JSON_STRING ? json_decoded_len(value) :
						value.len;
	else if (kind > TEXT_ARGUMENTS)
		count = estimate_media(estimator, kind, value);
	else if (estimator->kind == ESTIMATOR_COMMAND)
		user_counter_add(tally->batch, text_of(estimator, value));
	else
		count = estimate_text(estimator, text_of(estimator, value));
	if (kind == TEXT_NAME && estimator->kind != ESTIMATOR_BYTES4)
		count += TOKENS_PER_CALL;
	tally->sum = bounded_add(tally->sum, count);
}

/* Counts the texts of a batch by the command, and empties the batch. Returns the counts, which the
 * caller frees. All are 0 when the command fails or the fault was set before. */
static uint64_t *
run_batch(struct estimator *estimator, struct user_counter_batch *batch)
{
	size_t count = batch->count;
	uint64_t *counts = mem_alloc(count, sizeof *counts);

	if (fault_is_set(estimator->fault) ||
	    !user_counter_run(
		batch, estimator->command, estimator->command_timeout, counts, estimator->fault))
		memset(counts, 0, count * sizeof *counts);
	user_counter_free(batch);
	return counts;
}

static uint64_t
sum_batch(struct estimator *estimator, struct user_counter_batch *batch)
{
	size_t count = batch->count;
	uint64_t *counts = run_batch(estimator, batch), sum = 0;

	for (size_t i = 0; i < count; i++)
		sum = bounded_add(sum, counts[i]);
	free(counts);
	return sum;
}

/* The sum of the texts that a walk of texts finds in the record, and the overhead. */
static uint64_t
count_texts(struct estimator *estimator, const struct message *message,
    void walk(const struct message *, text_found *, void *), uint64_t overhead)
{
	struct user_counter_batch batch = COMMAND_BATCH_INIT;
	struct text_sum tally = {.estimator = estimator, .batch = &batch};

	walk(message, add_text, &tally);
	if (estimator->kind == ESTIMATOR_BYTES4)
		return (tally.sum + 3) / 4 + overhead;
	if (estimator->kind == ESTIMATOR_COMMAND && batch.count > 0)
		tally.sum = bounded_add(tally.sum, sum_batch(estimator, &batch));
	return bounded_add(tally.sum, overhead);
}

uint64_t
estimate_text(struct estimator *estimator, struct str text)
{
	struct user_counter_batch batch = COMMAND_BATCH_INIT;
	uint64_t count;

	if (estimator->kind == ESTIMATOR_BYTES4)
		return (text.len + 3) / 4;
	if (estimator->kind == ESTIMATOR_COMMAND) {
		user_counter_add(&batch, text);
		return sum_batch(estimator, &batch);
	}
	count = tokens_count(estimator->counter, text);
	tokens_are_sound(estimator->counter, estimator->fault);
	return count;
}

uint64_t
estimate_message(struct estimator *estimator, const struct message *message)
{
	return count_texts(estimator, message, message_texts, TOKENS_PER_MESSAGE);
}

uint64_t
estimate_context(struct estimator *estimator, const struct message *context)
{
	return count_texts(estimator, context, message_context_texts, 0);
}

/* The question whether a count reaches a limit: answered from lengths if possible, else by counting
 * text by text. */
struct question {
	struct estimator *estimator;
	uint64_t fixed;   /* tokens of overheads and media */
	uint64_t bytes;   /* of all texts, as they are escaped */
	uint64_t texts;   /* the number of texts that are not counted yet */
	uint64_t missing; /* tokens up to the limit; 0: the limit is reached */
};

static void
add_bound(void *context, enum text_kind kind, struct json_value value)
{
	struct question *question = context;

	uint64_t fixed = kind == TEXT_NAME ? TOKENS_PER_CALL : 0;

	if (kind > TEXT_ARGUMENTS) {
		fixed = estimate_media(question->estimator, kind, value);
	} else {
		question->bytes += value.len;
		question->texts++;
	}
	question->fixed = bounded_add(question->fixed, fixed);
}

static void
add_until(void *context, enum text_kind kind, struct json_value value)
{
	struct question *question = context;
	struct estimator *estimator = question->estimator;
	struct str text;

	if (question->missing == 0 || kind > TEXT_ARGUMENTS)
		return;
	question->texts--;
	if (lower_bound_reach(json_span(value), question->missing)) {
		question->missing = 0;
		return;
	}
	text = text_of(estimator, value);
	if (tokens_at_least(estimator->counter, text, question->missing))
		question->missing = 0;
	else if (question->texts > 0)
		question->missing -= tokens_count(estimator->counter, text);
	tokens_are_sound(estimator->counter, estimator->fault);
}

bool
estimate_reaches(struct estimator *estimator, const struct message *message, uint64_t limit)
{
	/* The longest escape of one byte is \u00XX. */
	enum { BYTES_PER_TOKEN_MAX = TOKENS_LEN_MAX * 6 };
	struct question question = {.estimator = estimator, .fixed = TOKENS_PER_MESSAGE};

	if (estimator->counter == NULL)
		return estimate_message(estimator, message) >= limit;
	message_texts(message, add_bound, &question);
	if (bounded_add(question.fixed, question.bytes) < limit)
		return false;
	if (bounded_add(question.fixed, question.bytes / BYTES_PER_TOKEN_MAX) >= limit)
		return true;
	question.missing = limit - question.fixed;
	message_texts(message, add_until, &question);
	return question.missing == 0;
}

/* The question whether one text has so many words. */
struct word_question {
	uint64_t limit;
	bool reached;
};

static void
look_for_words(void *context, enum text_kind kind, struct json_value value)
{
	struct word_question *words = context;

	words->reached |= !words->reached && kind <= TEXT_ARGUMENTS &&
	    lower_bound_reach(json_span(value), words->limit);
}

bool
estimate_surely_reaches(
    const struct estimator *estimator, const struct message *message, uint64_t limit)
{
	struct word_question words = {.limit = limit};

	if (estimator->counter != NULL)
		message_texts(message, look_for_words, &words);
	return words.reached;
}

static uint32_t
saturate(uint64_t count)
{
	return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

void
estimate_entry(struct estimator *estimator, struct entry *entry)
{
	struct message message;

	entry->tokens = 0;
	if (!entry_is_in_thread(entry))
		return;
	entry_parse_texts(entry, &message);
	entry->tokens = saturate(estimate_message(estimator, &message));
}

/* Counts all texts of the session in one run of the command. Until the counts are there, tokens of
 * an entry is the number of its texts. */
static void
estimate_by_command(struct estimator *estimator, struct session *session)
{
	struct user_counter_batch batch = COMMAND_BATCH_INIT;
	uint64_t *fixed = mem_alloc(session->count, sizeof *fixed);
	uint64_t *counts, *next;

	for (uint32_t i = 0; i < session->count; i++) {
		struct entry *entry = &session->entry[i];
		struct text_sum tally = {.estimator = estimator, .batch = &batch};
		size_t before = batch.count;
		struct message message;

		entry->tokens = 0;
		if (!entry_is_in_thread(entry))
			continue;
		entry_parse(entry, &message);
		message_texts(&message, add_text, &tally);
		fixed[i] = tally.sum + TOKENS_PER_MESSAGE;
		entry->tokens = (uint32_t)(batch.count - before);
	}
	next = counts = run_batch(estimator, &batch);
	for (uint32_t i = 0; i < session->count; i++) {
		struct entry *entry = &session->entry[i];
		uint64_t sum = entry_is_in_thread(entry) ? fixed[i] : 0;

		for (uint32_t texts = entry->tokens; texts > 0; texts--)
			sum = bounded_add(sum, *next++);
		entry->tokens = saturate(sum);
	}
	free(counts);
	free(fixed);
}

uint64_t
estimate_session(struct estimator *estimator, struct session *session)
{
	uint64_t sum = 0;

	if (estimator->kind == ESTIMATOR_COMMAND)
		estimate_by_command(estimator, session);
	for (uint32_t i = 0; i < session->count; i++) {
		struct entry *entry = &session->entry[i];

		if (estimator->kind != ESTIMATOR_COMMAND)
			estimate_entry(estimator, entry);
		sum += entry->is_dropped ? 0 : entry->tokens;
	}
	return sum;
}

uint64_t
estimate_cost(const struct estimator *estimator, uint64_t sum)
{
	double cost = (double)sum * estimator->ratio + (double)estimator->offset;

	if (estimator->ratio == 1 && estimator->offset == 0)
		return sum;
	return bounded_from_real(cost + 0.5);
}

uint64_t
estimate_count(const struct estimator *estimator, uint64_t cost)
{
	return estimator->ratio == 1 ? cost : bounded_from_real((double)cost / estimator->ratio);
}

/* A greater sum never has a smaller cost, so bisection finds the greatest sum, in spite of
 * rounding. */
uint64_t
estimate_sum(const struct estimator *estimator, uint64_t cost)
{
	uint64_t fits = 0, exceeds = UINT64_MAX;

	if (estimator->ratio == 1 && estimator->offset == 0)
		return cost;
	if (estimate_cost(estimator, exceeds) <= cost)
		return exceeds;
	while (exceeds - fits > 1) {
		uint64_t middle = fits + (exceeds - fits) / 2;

		if (estimate_cost(estimator, middle) <= cost)
			fits = middle;
		else
			exceeds = middle;
	}
	return fits;
}
