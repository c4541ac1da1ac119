#include "tokens/estimate.h"

#include "json/string.h"

const char *const estimator_names[] = {"bytes/4", NULL};

void
estimator_init(struct estimator *estimator, enum estimator_kind kind)
{
	estimator->kind = kind;
}

static uint64_t
text_bytes(struct json_value value)
{
	return value.type == JSON_STRING ? json_decoded_len(value) : value.len;
}

static void
add_bytes(void *context, enum text_kind kind, struct json_value value)
{
	uint64_t *bytes = context;

	if (kind <= TEXT_ARGUMENTS)
		*bytes += text_bytes(value);
}

uint64_t
estimate_message(struct estimator *estimator, const struct message *message)
{
	uint64_t bytes = 0;

	(void)estimator;
	message_texts(message, add_bytes, &bytes);
	return (bytes + 3) / 4 + TOKENS_PER_MESSAGE;
}

uint64_t
estimate_string(struct estimator *estimator, struct json_value string)
{
	(void)estimator;
	return (text_bytes(string) + 3) / 4;
}

void
estimate_entry(struct estimator *estimator, struct entry *entry)
{
	struct message message;
	uint64_t tokens;

	entry->tokens = 0;
	if (entry->kind != RECORD_MESSAGE || entry->outside)
		return;
	entry_parse(entry, &message);
	tokens = estimate_message(estimator, &message);
	entry->tokens = tokens < UINT32_MAX ? (uint32_t)tokens : UINT32_MAX;
}

uint64_t
estimate_transcript(struct estimator *estimator, struct transcript *transcript)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < transcript->count; i++) {
		estimate_entry(estimator, &transcript->entry[i]);
		if (!transcript->entry[i].is_dropped)
			sum += transcript->entry[i].tokens;
	}
	return sum;
}
