#include "data/message/usage.h"

#include "json/scan.h"
#include "json/string.h"

enum usage_name {
	INPUT_TOKENS,
	CACHE_CREATION,
	CACHE_READ,
	CACHED_INPUT,
	INPUT_DETAILS,
	OUTPUT_TOKENS,
	PROMPT_TOKENS,
	PROMPT_DETAILS,
	COMPLETION_TOKENS,
	CACHED_TOKENS,
	PROMPT_COUNT,
	CACHED_COUNT,
	CANDIDATES_COUNT,
	THOUGHTS_COUNT,
	SNAKE_PROMPT,
	SNAKE_CACHED,
	SNAKE_CANDIDATES,
	SNAKE_THOUGHTS,
	INPUT,
	OUTPUT,
	CACHED,
	THOUGHTS,
	PI_CACHE_READ,
	PI_CACHE_WRITE,
	REASONING,
	CACHE,
	SDK_INPUT,
	SDK_OUTPUT,
	SDK_CACHED,
	BEDROCK_READ,
	BEDROCK_WRITE,
	USAGE_COUNT,
};

static const struct str usage_list[USAGE_COUNT] = {
    [INPUT_TOKENS] = STR_INIT("input_tokens"),
    [CACHE_CREATION] = STR_INIT("cache_creation_input_tokens"),
    [CACHE_READ] = STR_INIT("cache_read_input_tokens"),
    [CACHED_INPUT] = STR_INIT("cached_input_tokens"),
    [INPUT_DETAILS] = STR_INIT("input_tokens_details"),
    [OUTPUT_TOKENS] = STR_INIT("output_tokens"),
    [PROMPT_TOKENS] = STR_INIT("prompt_tokens"),
    [PROMPT_DETAILS] = STR_INIT("prompt_tokens_details"),
    [COMPLETION_TOKENS] = STR_INIT("completion_tokens"),
    [CACHED_TOKENS] = STR_INIT("cached_tokens"),
    [PROMPT_COUNT] = STR_INIT("promptTokenCount"),
    [CACHED_COUNT] = STR_INIT("cachedContentTokenCount"),
    [CANDIDATES_COUNT] = STR_INIT("candidatesTokenCount"),
    [THOUGHTS_COUNT] = STR_INIT("thoughtsTokenCount"),
    [SNAKE_PROMPT] = STR_INIT("prompt_token_count"),
    [SNAKE_CACHED] = STR_INIT("cached_content_token_count"),
    [SNAKE_CANDIDATES] = STR_INIT("candidates_token_count"),
    [SNAKE_THOUGHTS] = STR_INIT("thoughts_token_count"),
    [INPUT] = STR_INIT("input"),
    [OUTPUT] = STR_INIT("output"),
    [CACHED] = STR_INIT("cached"),
    [THOUGHTS] = STR_INIT("thoughts"),
    [PI_CACHE_READ] = STR_INIT("cacheRead"),
    [PI_CACHE_WRITE] = STR_INIT("cacheWrite"),
    [REASONING] = STR_INIT("reasoning"),
    [CACHE] = STR_INIT("cache"),
    [SDK_INPUT] = STR_INIT("inputTokens"),
    [SDK_OUTPUT] = STR_INIT("outputTokens"),
    [SDK_CACHED] = STR_INIT("cachedInputTokens"),
    [BEDROCK_READ] = STR_INIT("cacheReadInputTokens"),
    [BEDROCK_WRITE] = STR_INIT("cacheWriteInputTokens"),
};

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

static void
read_anthropic(const struct json_value *m, struct usage *usage)
{
	usage->cached = number(m[CACHE_READ]);
	usage->input = number(m[INPUT_TOKENS]) + number(m[CACHE_CREATION]) + usage->cached;
	usage->output = number(m[OUTPUT_TOKENS]);
}

/* pi and opencode count the cache beside input; the Gemini CLI counts it within. */
static void
read_short(const struct json_value *m, struct usage *usage)
{
	uint64_t read = number(m[PI_CACHE_READ]) + number(json_find(m[CACHE], STR("read")));
	uint64_t write = number(m[PI_CACHE_WRITE]) + number(json_find(m[CACHE], STR("write")));

	usage->cached = is_number(m[CACHED]) ? number(m[CACHED]) : read;
	usage->input = number(m[INPUT]) + read + write;
	usage->output = number(m[OUTPUT]) + number(m[THOUGHTS]) + number(m[REASONING]);
}

/* The AI SDK counts the cache within input, Bedrock beside it. */
static void
read_camel(const struct json_value *m, struct usage *usage)
{
	uint64_t read = number(m[BEDROCK_READ]);

	usage->cached = is_number(m[SDK_CACHED]) ? number(m[SDK_CACHED]) : read;
	usage->input = number(m[SDK_INPUT]) + read + number(m[BEDROCK_WRITE]);
	usage->output = number(m[SDK_OUTPUT]);
}

bool
usage_read(struct json_value object, struct usage *usage)
{
	struct json_value m[USAGE_COUNT];
	struct json_names names;

	*usage = (struct usage){0, 0, 0};
	if (object.type != JSON_OBJECT)
		return false;
	JSON_NAMES_INIT(&names, usage_list, USAGE_COUNT);
	json_pick(object, &names, m);
	if (is_number(m[INPUT_TOKENS]) &&
	    (is_number(m[CACHE_READ]) || is_number(m[CACHE_CREATION]))) {
		read_anthropic(m, usage);
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
		read_camel(m, usage);
	} else if (is_number(m[INPUT])) {
		read_short(m, usage);
	}
	return usage->input + usage->output > 0;
}
