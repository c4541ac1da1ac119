#ifndef MESSAGE_USAGE_H
#define MESSAGE_USAGE_H

/*
 * The tokens that a provider reports for a response, in the spelling of each provider. Some
 * providers include cached input in their figure for input, others do not. Here, input always
 * includes it.
 */

#include "json/members.h"

struct usage {
	uint64_t input;  /* the whole prompt, cached or not */
	uint64_t cached; /* the part of input that was read from the cache */
	uint64_t output; /* the response, thinking included */
};

/*
 * Reads a usage object. Returns false when the object has neither input nor output.
 *
 *     Anthropic       input_tokens + cache_creation_input_tokens + cache_read_input_tokens
 *     OpenAI chat     prompt_tokens, cached within
 *     Responses       input_tokens, cached within (input_tokens_details, cached_input_tokens)
 *     Gemini          promptTokenCount or prompt_token_count, cached within; the CLI: input, the
 *                     same
 *     pi, opencode    input + cacheRead + cacheWrite; input + cache.read + cache.write
 *     AI SDK          inputTokens, cached within
 *     Bedrock         inputTokens + cacheReadInputTokens + cacheWriteInputTokens
 */
bool usage_read(struct json_value object, struct usage *usage);

#endif
