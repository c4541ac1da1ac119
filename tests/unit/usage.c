/* What providers report, by their spellings. */

#include "data/message/usage.h"

#include "json_padded.h"
#include "unit.h"

/* text is JSON, written with ' for ". */
static void
check_usage(const char *text, uint64_t input, uint64_t cached, uint64_t output)
{
	struct usage usage = {7, 7, 7};
	bool told = usage_read(parsed_str(quoted(text)), &usage);

	if (!CHECK(told == (input + output > 0)) || !CHECK(usage.input == input) ||
	    !CHECK(usage.cached == cached) || !CHECK(usage.output == output))
		printf("    of %s\n", text);
}

static void
test_spellings(void)
{
	check_usage("{'input_tokens':100,'cache_creation_input_tokens':20,"
		    "'cache_read_input_tokens':3,'output_tokens':7}",
	    123, 3, 7);
	check_usage(
	    "{'input_tokens':100,'cache_read_input_tokens':0,'output_tokens':7}", 100, 0, 7);
	check_usage("{'prompt_tokens':100,'prompt_tokens_details':{'cached_tokens':40},"
		    "'completion_tokens':7}",
	    100, 40, 7);
	check_usage("{'prompt_tokens':100,'cached_tokens':30,'completion_tokens':7}", 100, 30, 7);
	check_usage("{'input_tokens':100,'input_tokens_details':{'cached_tokens':40},"
		    "'output_tokens':7}",
	    100, 40, 7);
	check_usage("{'input_tokens':100,'cached_input_tokens':40,'output_tokens':7}", 100, 40, 7);
	check_usage("{'promptTokenCount':100,'cachedContentTokenCount':30,"
		    "'candidatesTokenCount':5,'thoughtsTokenCount':2}",
	    100, 30, 7);
	check_usage("{'prompt_token_count':100,'cached_content_token_count':30,"
		    "'candidates_token_count':5,'thoughts_token_count':null}",
	    100, 30, 5);
	check_usage("{'input':100,'cached':50,'output':5,'thoughts':2}", 100, 50, 7);
	check_usage("{'input':100,'cacheRead':50,'cacheWrite':2,'output':5}", 152, 50, 5);
	check_usage(
	    "{'input':100,'cache':{'read':50,'write':2},'output':5,'reasoning':1}", 152, 50, 6);
	check_usage("{'inputTokens':100,'cachedInputTokens':40,'outputTokens':7}", 100, 40, 7);
	check_usage("{'inputTokens':100,'cacheReadInputTokens':40,'cacheWriteInputTokens':1,"
		    "'outputTokens':7}",
	    141, 40, 7);
}

static void
test_nothing(void)
{
	check_usage("null", 0, 0, 0);
	check_usage("[100]", 0, 0, 0);
	check_usage("{}", 0, 0, 0);
	check_usage("{'input_tokens':'100','output_tokens':7}", 0, 0, 0);
	check_usage("{'output_tokens':7}", 0, 0, 0);
	check_usage("{'input_tokens':-5,'output_tokens':-7}", 0, 0, 0);
	/* More than any window ever had, and more than integers hold. */
	check_usage("{'input_tokens':9223372036854775807,'output_tokens':7}", 0, 0, 7);
	check_usage("{'input_tokens':1e300,'output_tokens':7}", 0, 0, 7);
	check_usage("{'input_tokens':1000000000000,'output_tokens':0}", 1000000000000, 0, 0);
}

int
main(void)
{
	test_spellings();
	test_nothing();
	arena_free(&padded_arena);
	return unit_end();
}
