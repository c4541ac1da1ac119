#include "dialects/responses/responses_writer.h"

#include "data/message/tool_output.h"
#include "dialects/responses/responses_items.h"
#include "dialects/session_file/api_writer.h"

#define MESSAGE "{'type':'message','role':'<role>','content':[<parts>]}"

static const struct session_form form = {.name = "responses",
    .user = MESSAGE,
    .assistant = MESSAGE,
    .system = MESSAGE,
    .result = "{'type':'function_call_output','call_id':'<call>','output':<output>}",
    .part =
	{
	    [SESSION_TEXT] = {"{'type':'<side>_text','text':<text>}"},
	    [SESSION_REFUSAL] = {"{'type':'refusal','refusal':<text>}"},
	    [SESSION_THINKING] =
		{"{'type':'reasoning','summary':[{'type':'summary_text','text':<text>}],"
		 "'encrypted_content':<sealed>}",
		    SESSION_ALONE},
	    [SESSION_REDACTED] = {"{'type':'reasoning','summary':[],'encrypted_content':<sealed>}",
		SESSION_ALONE},
	    [SESSION_IMAGE] = {"{'type':'input_image','image_url':<url>}"},
	    [SESSION_DOCUMENT] = {"{'type':'input_file','file_data':<inlined>}"},
	    [SESSION_LINK] = {"{'type':'input_file','file_url':<url>}"},
	    [SESSION_OWN] = {"<raw>", SESSION_ALONE},
	    [SESSION_CALL] = {"{'type':'function_call','call_id':'<call>','name':<name>,"
			      "'arguments':<written>}",
		SESSION_ALONE},
	},
    .is_own = responses_items_is_own,
    .says_failure = tool_output_is_failure,
    .name_max = RESPONSES_NAME_MAX,
    .id_max = RESPONSES_ID_MAX};

struct dialect_stage *
responses_writer(void)
{
	return api_writer(&form);
}
