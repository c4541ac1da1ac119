#include "dialects/ai-sdk/ai_sdk_writer.h"

#include "dialects/session_file/api_writer.h"

#define RESULT(type) \
	"{'role':'tool','content':[{'type':'tool-result','toolCallId':'<call>','toolName':<name>," \
	"'output':{'type':'" type "','value':<flat>}}]}"
#define SAYS "{'role':'<role>','content':[<parts>]}"

enum { AI_SDK_NAME_MAX = 64 };

static const struct session_form form = {.name = "ai-sdk",
    .user = SAYS,
    .assistant = SAYS,
    .system = "{'role':'system','content':<flat>}",
    .result = RESULT("text"),
    .part =
	{
	    [SESSION_TEXT] = {"{'type':'text','text':<text>}"},
	    /* The options show, even where they are empty, that the part is the AI SDK's. */
	    [SESSION_THINKING] = {"{'type':'reasoning','text':<text>,'providerOptions':{"
				  "<?signature>'anthropic':{'signature':<signature>}<?>}}"},
	    [SESSION_IMAGE] = {"{'type':'image','image':<url>,'mediaType':'image/*'}"},
	    [SESSION_DOCUMENT] = {"{'type':'file','data':<data>,'mediaType':<mime>}"},
	    [SESSION_CALL] = {"{'type':'tool-call','toolCallId':'<call>','toolName':<name>,"
			      "'input':<arguments>}"},
	    [SESSION_FAILED] = {RESULT("error-text")},
	},
    .name_max = AI_SDK_NAME_MAX};

struct dialect_stage *
ai_sdk_writer(void)
{
	return api_writer(&form);
}
