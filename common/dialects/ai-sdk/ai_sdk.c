/*
 * Messages of the AI SDK (vercel/ai, packages/ai and provider-utils of version 7, and the forms of
 * versions 4 and 5), one a line, in an array, or as the messages of an object:
 *
 *     {"id":…,"role":…,"parts":[{"type":"text","text":…},…]}     a UIMessage: a call has its result
 *     {"role":…,"content":[{"type":"tool-call",…},…]}            a ModelMessage
 *     {"type":"text-delta","id":…,"delta":…}                     a chunk of a stream of UIMessages
 *
 * A step is a request: content after the calls of one step is a message of its own.
 */

#include "dialects/ai-sdk/ai_sdk_stream.h"
#include "dialects/session_file/api_writer.h"

static const char *const variables[] = {"tool", "thought", "call", "input", NULL};

static const struct row_member carried[] = {{"timestamp", "createdAt"}, {NULL}};
static const struct row_member answered[] = {
    {"model", "metadata.model"}, {"usage", "metadata.usage|metadata.totalUsage"}, {NULL}};

/* Keeps a part that is shown beside the conversation. */
static bool
keep(struct row_reader *reader, struct row_place *place)
{
	if (!reader->reading->lossy && reader->open != NULL)
		draft_meta_extra(reader->open->draft, STR("x_ai_sdk"), json_span(place->value));
	return true;
}

static const struct row calls[] = {
    {"state=input-streaming|partial-call", ROW_SKIP},
    {NULL, ROW_CALL, .id = "toolCallId", .name = "toolName|%tool",
	.arguments = "input|args|rawInput", .inside = ai_sdk_outcomes,
	.known = "type toolCallId toolName state input args rawInput output result errorText step"},
    {0},
};

/* The type of the part has the tool's name. */
static bool
read_call(struct row_reader *reader, struct row_place *place)
{
	static const size_t prefix = sizeof "tool-" - 1;
	struct str type = json_inner(json_find(place->value, STR("type")));

	buf_reset(&reader->variable[AI_SDK_TOOL]);
	buf_add_fmt(&reader->variable[AI_SDK_TOOL], "\"%.*s\"", STR_ARG(str_rest(type, prefix)));
	buf_pad(&reader->variable[AI_SDK_TOOL]);
	return row_reader_read(reader, place, calls, place->value);
}

#define URL(member) \
	ROW_IMAGE, .content = member, .known = "type mediaType mimeType url image data filename"
#define DATA(member) URL(member), .media = "mediaType|mimeType"

static const struct row results[] = {
    {"type=tool-result output.type=content", AI_SDK_ANSWERED, .content = "output.value"},
    {"type=tool-result output.type=error-text|error-json", AI_SDK_ANSWERED, .error = "",
	AI_SDK_PIECES("output.value")},
    {"type=tool-result output.type=execution-denied", AI_SDK_ANSWERED, .error = "",
	AI_SDK_PIECES("output.reason|" AI_SDK_DENIED)},
    {"type=tool-result", AI_SDK_ANSWERED, .error = "isError:true",
	AI_SDK_PIECES("output.value|output|result|content")},
    {"type=tool-approval-response", ROW_SKIP},
    {0},
};

static const struct row parts[] = {
    {"type=text text:string", ROW_TEXT, .content = "text", .known = "type text state"},
    {"type=reasoning providerOptions.anthropic.signature:string", ROW_THINKING, .content = "text",
	.signature = "providerOptions.anthropic.signature", .known = "type text providerOptions"},
    {"type=reasoning providerMetadata.anthropic.signature:string", ROW_THINKING, .content = "text",
	.signature = "providerMetadata.anthropic.signature",
	.known = "type text state providerMetadata"},
    {"type=reasoning", ROW_THINKING, .content = "text|reasoning",
	.sealed = "providerMetadata.openai.reasoningEncryptedContent|"
		  "providerMetadata.anthropic.redactedData|"
		  "providerOptions.openai.reasoningEncryptedContent",
	.known = "type text reasoning state"},
    {"type=redacted-reasoning", ROW_PART, .sealed = "data"},
    {"type=image image^http|data:", URL("image")},
    {"type=image image:string mediaType|mimeType", DATA("image")},
    {"type=file mediaType^image/ url:string", URL("url")},
    {"type=file mediaType^image/ data^http|data:", URL("data")},
    {"type=file mediaType^image/ data:string", DATA("data")},
    {"type=step-start", ROW_BREAK},
    {"type=tool-invocation toolInvocation:object", ROW_INSIDE, .content = "toolInvocation",
	.inside = calls},
    {"type=tool-call", ROW_CALL, .id = "toolCallId", .name = "toolName", .arguments = "input|args",
	.known = "type toolCallId toolName input args"},
    {"type=tool-result", ROW_INSIDE, .content = ".", .inside = results},
    {"type=dynamic-tool", ROW_INSIDE, .content = ".", .inside = calls},
    {"type^tool- toolCallId", ROW_ALSO, .also = read_call},
    {"type^data-|source|tool-approval-", ROW_ALSO, .also = keep},
    {0},
};

/* Keeps the content of a message with parts if it differs from their texts: version 4 sends the
 * parts, but of a system message the content (ai 4.3, convertToCoreMessages). */
static bool
keep_content(struct row_reader *reader, struct row_place *place)
{
	struct json_value content = json_find(place->value, STR("content"));
	struct str left = content.type == JSON_STRING ? json_inner(content) : STR("");
	struct json_value list = json_find(place->value, STR("parts"));
	struct buf kept = BUF_INIT;

	for (struct json_walk walk = json_walk_list(list); json_walk_next(&walk);) {
		struct json_value text = json_find(walk.value, STR("text"));

		if (json_has_type(walk.value, STR("text")) && text.type == JSON_STRING &&
		    str_has_prefix(left, json_inner(text)))
			left = str_rest(left, json_inner(text).len);
	}
	if (left.len > 0 && !reader->reading->lossy && reader->open != NULL) {
		buf_add_fmt(&kept, "{\"content\":%.*s}", STR_ARG(json_span(content)));
		draft_meta_extra(reader->open->draft, STR("x_ai_sdk"), buf_str(&kept));
	}
	buf_free(&kept);
	return true;
}

#define SAYS ROW_MESSAGE, .role = "role", .id = "id", .inside = parts
#define SAID "id role parts content createdAt toolInvocations reasoning"

static const struct row records[] = {
    {"role=system parts:array content:string !content=", SAYS, .content = "content", .known = SAID},
    {"role parts[]", SAYS, .content = "parts", .known = SAID, .also = keep_content},
    {"role=tool content:array", ROW_INSIDE, .content = "content", .inside = results},
    {"role content:text", SAYS, .known = "id role content parts createdAt"},
    {"role parts:array", SAYS, .content = "parts", .known = SAID},
    {"type !role", ROW_INSIDE, .content = ".", .inside = ai_sdk_chunks},
    {".:array", ROW_INSIDE, .content = ".", .inside = records},
    {"messages:array", ROW_INSIDE, .content = "messages", .inside = records},
    {0},
};

static const char *const marks[] = {NULL};

static const struct row_dialect ai_sdk = {.dialect = &ai_sdk_dialect,
    .rows = records,
    .carried = carried,
    .answered = answered,
    .extra = "x_ai_sdk",
    .variables = variables,
    .ends = ai_sdk_stream_end,
    .marks = marks};

/* Whether one of the message's parts is of the AI SDK. */
static bool
has_own_part(struct json_value message)
{
	return dialect_sign_tell("ai-sdk", message) != DIALECT_SIGN_NONE;
}

/* How surely a message, a chunk, or one in a list is of the AI SDK. */
static enum dialect_sign
sign(struct json_value record)
{
	struct json_value messages = json_find(record, STR("messages"));

	if (has_own_part(record))
		return DIALECT_SIGN_CERTAIN;
	if (record.type == JSON_OBJECT && messages.type != JSON_ARRAY)
		return DIALECT_SIGN_NONE;
	for (struct json_walk walk = json_walk_list(record.type == JSON_ARRAY ? record : messages);
	     json_walk_next(&walk);)
		if (walk.value.type == JSON_OBJECT && has_own_part(walk.value))
			return DIALECT_SIGN_CERTAIN;
	return DIALECT_SIGN_NONE;
}

/* Whether the message has thinking that a canonical message may spell the same way. */
static bool
has_reasoning(struct json_value message)
{
	struct json_value content = json_find(message, STR("content"));

	for (struct json_walk walk = json_walk_list(content); json_walk_next(&walk);)
		if (json_has_type(walk.value, STR("reasoning")) &&
		    json_find(walk.value, STR("text")).type == JSON_STRING)
			return !json_has(message, STR("metadata"));
	return false;
}

#define RESULT(type) \
	"{'role':'tool','content':[{'type':'tool-result','toolCallId':'<call>','toolName':<name>," \
	"'output':{'type':'" type "','value':<flat>}}]}"
#define WRITTEN "{'role':'<role>','content':[<parts>]}"

/* ModelMessages, which the SDK sends to a model (of version 7, and 5 and 6): each result is a
 * message of the role tool. (A UIMessage would hold a result only together with its call.) An image
 * in a result becomes a text that names it, and is counted. */
static const struct session_form form = {.name = "ai-sdk",
    .user = WRITTEN,
    .assistant = WRITTEN,
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
    .name_max = 64};

static struct dialect_stage *
writer(void)
{
	return api_writer(&form);
}

const struct dialect ai_sdk_dialect = {.name = "ai-sdk",
    .rows = &ai_sdk,
    .sign = sign,
    .takes = has_own_part,
    .takes_inside = has_reasoning,
    .late = "\"tool- \"reasoning\" \"mediaType\"",
    .writer = writer,
    .only_messages = true};
