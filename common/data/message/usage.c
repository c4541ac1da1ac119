#include "data/message/usage.h"

#include "json/scan.h"
#include "json/string.h"

/* The members that say how much was used. */
/* clang-format off */
#define USAGE_TABLE(row) \
	row(INPUT_TOKENS, "input_tokens") row(CACHE_CREATION, "cache_creation_input_tokens") \
	row(CACHE_READ, "cache_read_input_tokens") row(CACHED_INPUT, "cached_input_tokens") \
	row(INPUT_DETAILS, "input_tokens_details") row(OUTPUT_TOKENS, "output_tokens") \
	row(PROMPT_TOKENS, "prompt_tokens") row(PROMPT_DETAILS, "prompt_tokens_details") \
	row(COMPLETION_TOKENS, "completion_tokens") row(CACHED_TOKENS, "cached_tokens") \
	row(PROMPT_COUNT, "promptTokenCount") row(CACHED_COUNT, "cachedContentTokenCount") \
	row(CANDIDATES_COUNT, "candidatesTokenCount") \
	row(THOUGHTS_COUNT, "thoughtsTokenCount") row(SNAKE_PROMPT, "prompt_token_count") \
	row(SNAKE_CACHED, "cached_content_token_count") \
	row(SNAKE_CANDIDATES, "candidates_token_count") \
	row(SNAKE_THOUGHTS, "thoughts_token_count") row(INPUT, "input") \
	row(OUTPUT, "output") row(CACHED, "cached") row(THOUGHTS, "thoughts") \
	row(PI_CACHE_READ, "cacheRead") row(PI_CACHE_WRITE, "cacheWrite") \
	row(REASONING, "reasoning") row(CACHE, "cache") row(SDK_INPUT, "inputTokens") \
	row(SDK_OUTPUT, "outputTokens") row(SDK_CACHED, "cachedInputTokens") \
	row(BEDROCK_READ, "cacheReadInputTokens") \
	row(BEDROCK_WRITE, "cacheWriteInputTokens")
/* clang-format on */

enum usage_name { USAGE_TABLE(JSON_NAME_INDEX) USAGE_COUNT };

static const struct str usage_list[] = {USAGE_TABLE(JSON_NAME_TEXT)};

/* No request has more tokens than this; a greater figure is taken for wrong and ignored. */
static const uint64_t most = 1000000000000;

static uint64_t
number(struct json_value value)
{
	uint64_t count = json_count(value);

	return count <= most ? count : 0;
}

static bool
is_number(struct json_value value)
{
	return value.type == JSON_NUMBER;
}

/* The cached tokens: a member of the object itself, or of its details. */
static uint64_t
cached_within(struct json_value cached, struct json_value details)
{
	if (is_number(cached))
		return number(cached);
	return number(json_find(details, STR("cached_tokens")));
}

/* Prepared by the first call of usage_read, read-only afterwards. */
static struct json_names usage_names;

bool
usage_read(struct json_value object, struct usage *usage)
{
	struct json_value m[USAGE_COUNT];

	*usage = (struct usage){0, 0, 0};
	if (object.type != JSON_OBJECT)
		return false;
	if (usage_names.list == NULL)
		JSON_NAMES_INIT(&usage_names, usage_list, USAGE_COUNT);
	json_pick(object, &usage_names, m);
	if (is_number(m[INPUT_TOKENS]) &&
	    (is_number(m[CACHE_READ]) || is_number(m[CACHE_CREATION]))) {
		usage->cached = number(m[CACHE_READ]);
		usage->input = number(m[INPUT_TOKENS]) + number(m[CACHE_CREATION]) + usage->cached;
		usage->output = number(m[OUTPUT_TOKENS]);
	} else if (is_number(m[INPUT_TOKENS])) {
		*usage = (struct usage){number(m[INPUT_TOKENS]),
		    cached_within(m[CACHED_INPUT], m[INPUT_DETAILS]), number(m[OUTPUT_TOKENS])};
	} else if (is_number(m[PROMPT_TOKENS])) {
		*usage = (struct usage){number(m[PROMPT_TOKENS]),
		    cached_within(m[CACHED_TOKENS], m[PROMPT_DETAILS]),
		    number(m[COMPLETION_TOKENS])};
	} else if (is_number(m[PROMPT_COUNT])) {
		*usage = (struct usage){number(m[PROMPT_COUNT]), number(m[CACHED_COUNT]),
		    number(m[CANDIDATES_COUNT]) + number(m[THOUGHTS_COUNT])};
	} else if (is_number(m[SNAKE_PROMPT])) {
		*usage = (struct usage){number(m[SNAKE_PROMPT]), number(m[SNAKE_CACHED]),
		    number(m[SNAKE_CANDIDATES]) + number(m[SNAKE_THOUGHTS])};
	} else if (is_number(m[SDK_INPUT])) {
		/* The AI SDK counts the cache within input, Bedrock beside it. */
		uint64_t read = number(m[BEDROCK_READ]);

		usage->cached = is_number(m[SDK_CACHED]) ? number(m[SDK_CACHED]) : read;
		usage->input = number(m[SDK_INPUT]) + read + number(m[BEDROCK_WRITE]);
		usage->output = number(m[SDK_OUTPUT]);
	} else if (is_number(m[INPUT])) {
		/* pi and opencode count the cache beside input, the Gemini CLI within. */
		uint64_t read = number(m[PI_CACHE_READ]) + number(json_find(m[CACHE], STR("read")));
		uint64_t write =
		    number(m[PI_CACHE_WRITE]) + number(json_find(m[CACHE], STR("write")));

		usage->cached = is_number(m[CACHED]) ? number(m[CACHED]) : read;
		usage->input = number(m[INPUT]) + read + write;
		usage->output = number(m[OUTPUT]) + number(m[THOUGHTS]) + number(m[REASONING]);
	}
	return usage->input + usage->output > 0;
}
