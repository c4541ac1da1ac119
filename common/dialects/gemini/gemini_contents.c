#include "dialects/gemini/gemini_contents.h"

#define INLINE(data, type) \
	ROW_IMAGE, \
	    .content = data "." \
			    "data", \
	    .media = data "." type, .known = data
#define CALL(call) \
	{ \
		call ".name", ROW_CALL, .id = call ".id", .name = call ".name", \
					.arguments = call ".args", .known = call \
	}
#define RESPONSE(response) \
	{response ".response.output", ROW_TEXT, .content = response ".response.output"}, \
	    {response ".response.error", ROW_TEXT, .content = response ".response.error"}, \
	{ \
		response ".response", ROW_TEXT, .content = response ".response" \
	}

const struct row gemini_contents_parts[] = {
    {"text:string thought:true", ROW_THINKING, .content = "text", .known = "text thought"},
    {"text:string", ROW_TEXT, .content = "text", .known = "text"},
    {"inlineData.mimeType^image/", INLINE("inlineData", "mimeType")},
    {"inlineData.mimeType^application/", INLINE("inlineData", "mimeType")},
    {"inline_data.mime_type^image/", INLINE("inline_data", "mime_type")},
    {"fileData.mimeType^image/", ROW_IMAGE, .content = "fileData.fileUri", .known = "fileData"},
    CALL("functionCall"),
    CALL("function_call"),
    RESPONSE("functionResponse"),
    RESPONSE("function_response"),
    {0},
};

#define RESULT(response) \
	{ \
		response, ROW_RESULT, .id = response ".id", .error = response ".response.error", \
				      .repeated = true, .pieces = (const struct row_piece[]) \
		{ \
			{".", gemini_contents_parts}, {response ".parts", gemini_contents_parts}, \
			{ \
				NULL \
			} \
		} \
	}

#define RESULTS RESULT("functionResponse"), RESULT("function_response")

const struct row gemini_contents_results[] = {
    RESULTS,
    {NULL, ROW_INSIDE, .content = ".", .inside = gemini_contents_parts},
    {0},
};

static const struct row responses[] = {
    RESULTS,
    {NULL, ROW_MESSAGE, .role = "'user'", .content = ".", .inside = gemini_contents_parts},
    {0},
};

#define RESPONSES ROW_INSIDE, .content = "parts", .inside = responses
#define CONTENT(name) \
	ROW_MESSAGE, .role = "'" name "'", .content = "parts", .inside = gemini_contents_parts, \
		     .known = "role parts"

const struct row gemini_contents[] = {
    {"!role=model parts[].functionResponse", RESPONSES},
    {"!role=model parts[].function_response", RESPONSES},
    {"!role:any parts:array", CONTENT("user")},
    {"role=user parts:array", CONTENT("user")},
    {"role=model parts:array", CONTENT("assistant")},
    {"role=system parts:array", CONTENT("system")},
    {0},
};
