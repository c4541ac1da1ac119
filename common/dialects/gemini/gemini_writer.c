#include "dialects/gemini/gemini_writer.h"

#include "dialects/session_file/api_writer.h"
#include "json/members.h"

#define SIGNED "<?thought>,'thoughtSignature':<thought><?>"
#define RESPONSE(member) \
	"{'functionResponse':{'id':'<call>','name':<name>,'response':{'" member "':<flat>}" \
	"<?filed>,'parts':[<filed>]<?>}}"
#define INLINE "{'inlineData':{'mimeType':<mime>,'data':<data>}}"

/* Parts of Gemini have no type: the name of a member shows the kind. */
static bool
is_own(struct json_value part)
{
	return part.type == JSON_OBJECT && !json_has(part, STR("type")) && json_has_elements(part);
}

static const struct session_form form = {.name = "gemini",
    .user = "{'role':'user','parts':[<parts>]}",
    .assistant = "{'role':'model','parts':[<parts>]}",
    .system = "{'role':'system','parts':[<parts>]}",
    .part =
	{
	    [SESSION_TEXT] = {"{'text':<text>" SIGNED "}"},
	    [SESSION_THINKING] = {"{'text':<text>,'thought':true,'thoughtSignature':<thought>}"},
	    [SESSION_IMAGE] = {INLINE},
	    [SESSION_DOCUMENT] = {INLINE},
	    [SESSION_LINK] = {"{'fileData':{'fileUri':<url>}}"},
	    [SESSION_OWN] = {"<raw>"},
	    [SESSION_CALL] =
		{"{'functionCall':{'id':'<call>','name':<name>,'args':<arguments>}" SIGNED "}"},
	    [SESSION_RESULT] = {RESPONSE("output")},
	    [SESSION_FAILED] = {RESPONSE("error")},
	},
    .is_own = is_own,
    .alternates = true,
    .name_max = GEMINI_NAME_MAX};

struct dialect_stage *
gemini_writer(void)
{
	return api_writer(&form);
}
