#include "tokens/estimate.h"

#include <stdlib.h>

#include "base/mem.h"
#include "json/text.h"
#include "tokens/command.h"

static const struct {
	const char *name;
	enum estimator_kind kind;
} kinds[] = {
    {"o200k_base", ESTIMATOR_O200K},
    {"o200k_harmony", ESTIMATOR_O200K}, /* differs in special tokens only */
    {"cl100k_base", ESTIMATOR_CL100K},
    {"bytes/4", ESTIMATOR_BYTES4},
    {"usage", ESTIMATOR_USAGE},
    {"calibrated", ESTIMATOR_CALIBRATED},
};

bool
estimator_init(struct estimator *estimator, const char *name)
{
	*estimator = (struct estimator){.name = name, .ratio = 1, .image_tokens = TOKENS_PER_IMAGE};
	if (strncmp(name, "cmd:", 4) == 0 && name[4] != '\0') {
		estimator->kind = ESTIMATOR_COMMAND;
		estimator->command = name + 4;
		return true;
	}
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (strcmp(kinds[i].name, name) == 0) {
			estimator->kind = kinds[i].kind;
			return true;
		}
	return false;
}

enum status
estimator_open(struct estimator *estimator, struct buf *message)
{
	if (estimator->kind == ESTIMATOR_BYTES4 || estimator->kind == ESTIMATOR_COMMAND)
		return STATUS_OK;
	return tokens_open(&estimator->counter,
	    estimator->kind == ESTIMATOR_CL100K ? "cl100k_base" : "o200k_base", message);
}

void
estimator_close(struct estimator *estimator)
{
	if (estimator->counter != NULL)
		tokens_close(estimator->counter);
	buf_free(&estimator->text);
}

static struct str
text_of(struct estimator *estimator, struct json_value value)
{
	return value.type == JSON_STRING ? json_text(value, &estimator->text) : json_span(value);
}

static uint64_t
text_bytes(struct json_value value)
{
	return value.type == JSON_STRING ? json_decoded_len(value) : value.len;
}

static uint64_t
media_tokens(const struct estimator *estimator, enum text_kind kind, struct json_value part)
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

/* A message's count under way. */
struct tally {
	struct estimator *estimator;
	uint64_t sum;   /* bytes for bytes/4, tokens otherwise */
	struct command_batch *batch; /* texts that the command is to count */
};

static void
add_text(void *context, enum text_kind kind, struct json_value value)
{
	struct tally *tally = context;
	struct estimator *estimator = tally->estimator;

	if (estimator->kind == ESTIMATOR_BYTES4) {
		tally->sum += kind <= TEXT_ARGUMENTS ? text_bytes(value) : 0;
		return;
	}
	tally->sum += kind == TEXT_NAME ? TOKENS_PER_CALL : 0;
	if (kind > TEXT_ARGUMENTS)
		tally->sum += media_tokens(estimator, kind, value);
	else if (estimator->kind == ESTIMATOR_COMMAND)
		command_add(tally->batch, text_of(estimator, value));
	else
		tally->sum += tokens_count(estimator->counter, text_of(estimator, value));
}

static uint64_t
run_batch(struct command_batch *batch, const char *command)
{
	uint64_t count = batch->count, sum = 0;
	uint64_t *counts = mem_alloc(count, sizeof *counts);

	command_run(batch, command, counts);
	for (uint64_t i = 0; i < count; i++)
		sum += counts[i];
	free(counts);
	command_free(batch);
	return sum;
}

uint64_t
estimate_message(struct estimator *estimator, const struct message *message)
{
	struct command_batch batch = COMMAND_BATCH_INIT;
	struct tally tally = {.estimator = estimator, .batch = &batch};

	message_texts(message, add_text, &tally);
	if (estimator->kind == ESTIMATOR_BYTES4)
		return (tally.sum + 3) / 4 + TOKENS_PER_MESSAGE;
	if (estimator->kind == ESTIMATOR_COMMAND)
		tally.sum += run_batch(&batch, estimator->command);
	return tally.sum + TOKENS_PER_MESSAGE;
}

uint64_t
estimate_string(struct estimator *estimator, struct json_value string)
{
	struct command_batch batch = COMMAND_BATCH_INIT;

	if (estimator->kind == ESTIMATOR_BYTES4)
		return (text_bytes(string) + 3) / 4;
	if (estimator->kind != ESTIMATOR_COMMAND)
		return tokens_count(estimator->counter, text_of(estimator, string));
	command_add(&batch, text_of(estimator, string));
	return run_batch(&batch, estimator->command);
}

/* A question whether a count reaches a limit: first by lengths, then text by text. */
struct question {
	struct estimator *estimator;
	uint64_t fixed;   /* what needs no tokenizer */
	uint64_t bytes;   /* of texts, escapes not resolved */
	uint64_t texts;   /* that are still to be counted */
	uint64_t missing; /* tokens to the limit; 0 is yes */
};

static void
add_bound(void *context, enum text_kind kind, struct json_value value)
{
	struct question *question = context;

	question->fixed += kind == TEXT_NAME ? TOKENS_PER_CALL : 0;
	if (kind > TEXT_ARGUMENTS) {
		question->fixed += media_tokens(question->estimator, kind, value);
		return;
	}
	question->bytes += value.len;
	question->texts++;
}

static void
add_until(void *context, enum text_kind kind, struct json_value value)
{
	struct question *question = context;
	struct estimator *estimator = question->estimator;
	struct str text;

	if (question->missing == 0 || kind > TEXT_ARGUMENTS)
		return;
	text = text_of(estimator, value);
	question->texts--;
	if (tokens_at_least(estimator->counter, text, question->missing))
		question->missing = 0;
	else if (question->texts > 0)
		question->missing -= tokens_count(estimator->counter, text);
}

bool
estimate_reaches(struct estimator *estimator, const struct message *message, uint64_t limit)
{
	/* The longest escape of a byte is \u00XX. */
	enum { BYTES_PER_TOKEN_MAX = TOKENS_LEN_MAX * 6 };
	struct question question = {.estimator = estimator, .fixed = TOKENS_PER_MESSAGE};

	if (estimator->counter == NULL)
		return estimate_message(estimator, message) >= limit;
	message_texts(message, add_bound, &question);
	if (question.fixed + question.bytes < limit)
		return false;
	if (question.fixed + question.bytes / BYTES_PER_TOKEN_MAX >= limit)
		return true;
	question.missing = limit - question.fixed;
	message_texts(message, add_until, &question);
	return question.missing == 0;
}

static uint32_t
saturate(uint64_t count)
{
	return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

static bool
weighs(const struct entry *entry)
{
	return entry->kind == RECORD_MESSAGE && !entry->outside;
}

void
estimate_entry(struct estimator *estimator, struct entry *entry)
{
	struct message message;

	entry->tokens = 0;
	if (!weighs(entry))
		return;
	entry_parse(entry, &message);
	entry->tokens = saturate(estimate_message(estimator, &message));
}

/* All texts of the session in one run of the command; each entry's tokens first hold how many of
 * them are its own. */
static void
estimate_by_command(struct estimator *estimator, struct session *session)
{
	struct command_batch batch = COMMAND_BATCH_INIT;
	uint64_t *fixed = mem_alloc(session->count, sizeof *fixed);
	uint64_t *counts, *next;

	for (uint32_t i = 0; i < session->count; i++) {
		struct entry *entry = &session->entry[i];
		struct tally tally = {.estimator = estimator, .batch = &batch};
		uint64_t before = batch.count;
		struct message message;

		entry->tokens = 0;
		if (!weighs(entry))
			continue;
		entry_parse(entry, &message);
		message_texts(&message, add_text, &tally);
		fixed[i] = tally.sum + TOKENS_PER_MESSAGE;
		entry->tokens = (uint32_t)(batch.count - before);
	}
	next = counts = mem_alloc(batch.count, sizeof *counts);
	command_run(&batch, estimator->command, counts);
	for (uint32_t i = 0; i < session->count; i++) {
		struct entry *entry = &session->entry[i];
		uint64_t sum = weighs(entry) ? fixed[i] : 0;

		for (uint32_t texts = entry->tokens; texts > 0; texts--)
			sum += *next++;
		entry->tokens = saturate(sum);
	}
	command_free(&batch);
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
	return cost > 0 ? (uint64_t)(cost + 0.5) : 0;
}

uint64_t
estimate_count(const struct estimator *estimator, uint64_t cost)
{
	return estimator->ratio == 1 ? cost : (uint64_t)((double)cost / estimator->ratio);
}

uint64_t
estimate_sum(const struct estimator *estimator, uint64_t cost)
{
	uint64_t sum;

	if (estimator->ratio == 1 && estimator->offset == 0)
		return cost;
	if ((double)cost <= (double)estimator->offset)
		return 0;
	sum = (uint64_t)(((double)cost - (double)estimator->offset) / estimator->ratio);
	while (estimate_cost(estimator, sum + 1) <= cost)
		sum++;
	while (sum > 0 && estimate_cost(estimator, sum) > cost)
		sum--;
	return sum;
}
