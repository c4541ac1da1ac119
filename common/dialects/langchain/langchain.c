/*
 * Messages of LangChain, in the three shapes that its libraries write: the constructor of its
 * serializer, the stored message, and the dump of the model. They are one on each line, in a list,
 * in a list of such lists, or in a state of LangGraph.
 *
 *     {"lc":1,"type":"constructor","id":[…,"HumanMessage"],"kwargs":{"content":…}}
 *     {"type":"human","data":{"content":…}}
 *     {"type":"human","content":…,"additional_kwargs":{}}
 *     {"messages":[message,…]}
 *
 * A call is written up to three times: in tool_calls, in the content, and in the provider's own
 * spelling in additional_kwargs. The first of these that has any counts.
 */

#include "dialects/rows/row_reader.h"

enum variable { TYPE };

static const char *const variables[] = {"type", NULL};

static const struct row_member none[] = {{NULL}};
static const struct row_member answered[] = {
    {"model", "response_metadata.model_name|response_metadata.model"},
    {"usage",
	"usage_metadata|response_metadata.token_usage|response_metadata.tokenUsage|"
	"response_metadata.usage"},
    {NULL}};

#define PARTS \
	{"type=text text:string", ROW_TEXT, .content = "text", .known = "type text"}, \
	    {"type=reasoning reasoning:string", ROW_THINKING, .content = "reasoning", \
		.known = "type reasoning"}, \
	    {"type=reasoning summary", ROW_THINKING, .content = "summary[]", \
		.known = "type summary"}, \
	    {"type=image_url image_url:string", ROW_IMAGE, .content = "image_url", \
		.known = "type image_url"}, \
	    {"type=image base64:string", ROW_IMAGE, .content = "base64", .media = "mime_type", \
		.known = "type base64 mime_type"}, \
	    {"type=image data:string", ROW_IMAGE, .content = "data", .media = "mime_type", \
		.known = "type source_type data mime_type"}, \
	    {"type=image url:string", ROW_IMAGE, .content = "url", \
		.known = "type source_type url"}, \
	{ \
		"type=redacted_thinking data", ROW_PART, .sealed = "data" \
	}

static const struct row parts[] = {PARTS, {0}};

static const struct row calls[] = {
    {"name:string", ROW_CALL, .id = "id", .name = "name", .arguments = "args",
	.known = "type id name args"},
    {"function.name", ROW_CALL, .id = "id", .name = "function.name",
	.arguments = "function.arguments", .known = "type id index function"},
    {0},
};

/* Beside tool_calls the calls in a content say the same. */
static const struct row said[] = {
    PARTS,
    {"type=tool_use|tool_call|tool_call_chunk|input_json_delta|function_call|functionCall",
	ROW_SKIP, .name = "'call that is said twice'"},
    {0},
};

static const struct row lone[] = {
    PARTS,
    {"type=tool_use name", ROW_CALL, .id = "id", .name = "name", .arguments = "input",
	.known = "type id name input"},
    {"type=tool_call name", ROW_CALL, .id = "id", .name = "name", .arguments = "args",
	.known = "type id name args"},
    {"type=function_call name", ROW_CALL, .id = "call_id", .name = "name", .arguments = "arguments",
	.known = "type call_id name arguments"},
    {0},
};

static const struct row thoughts[] = {
    {"reasoning_content:string", ROW_THINKING, .content = "reasoning_content"},
    {NULL, ROW_ALSO},
    {0},
};

static const struct row refusals[] = {
    {"refusal:string", ROW_TEXT, .content = "refusal"},
    {NULL, ROW_ALSO},
    {0},
};

#define ANSWER(content, calls_at) \
	(const struct row_piece[]) \
	{ \
		{"additional_kwargs", thoughts}, {"content", content}, \
		    {"additional_kwargs", refusals}, {calls_at, calls}, \
		    {"invalid_tool_calls", calls}, \
		{ \
			NULL \
		} \
	}

#define KNOWN "type role id content response_metadata usage_metadata "
#define AI "%type=ai|AIMessage|AIMessageChunk "
#define ANSWERED .role = "'assistant'", .id = "id", .within = "."

#define RESULT \
	.record = "id", .inside = parts, .meta = ROW_MEMBERS({"id", "id"}, {"tool_name", "name"})

static const struct row message[] = {
    {"%type=human|HumanMessage|HumanMessageChunk", ROW_MESSAGE, .role = "'user'", .id = "id",
	.inside = parts, .known = KNOWN},
    {"%type=system|SystemMessage|SystemMessageChunk additional_kwargs.__openai_role__=developer",
	ROW_MESSAGE, .role = "'developer'", .id = "id", .inside = parts,
	.known = KNOWN "additional_kwargs"},
    {"%type=system|SystemMessage|SystemMessageChunk", ROW_MESSAGE, .role = "'system'", .id = "id",
	.inside = parts, .known = KNOWN},
    {AI "tool_calls[]", ROW_MESSAGE, ANSWERED, .pieces = ANSWER(said, "tool_calls"),
	.known = KNOWN "additional_kwargs tool_calls tool_call_chunks invalid_tool_calls"},
    {AI "invalid_tool_calls[]", ROW_MESSAGE, ANSWERED, .pieces = ANSWER(said, "tool_calls"),
	.known = KNOWN "additional_kwargs tool_call_chunks invalid_tool_calls"},
    {AI "content[].type=tool_use|tool_call|function_call", ROW_MESSAGE, ANSWERED,
	.pieces = ANSWER(lone, "tool_calls"), .known = KNOWN "additional_kwargs"},
    {AI "additional_kwargs.tool_calls[]", ROW_MESSAGE, ANSWERED,
	.pieces = ANSWER(lone, "additional_kwargs.tool_calls"), .known = KNOWN "additional_kwargs"},
    {AI, ROW_MESSAGE, ANSWERED, .pieces = ANSWER(lone, "tool_calls"), .known = KNOWN},
    {"%type=tool|ToolMessage|ToolMessageChunk", ROW_RESULT, .id = "tool_call_id", RESULT,
	.error = "status=error", .success = "status=success",
	.known = KNOWN "name tool_call_id status"},
    {"%type=function|FunctionMessage", ROW_RESULT, .id = "tool_call_id", RESULT,
	.known = KNOWN "name"},
    {"%type=chat|generic|ChatMessage", ROW_MESSAGE, .role = "role", .id = "id", .inside = parts,
	.known = KNOWN},
    {"%type=remove|RemoveMessage id=__remove_all__", ROW_SKIP, .name = "'remove'",
	.verb = ROW_HISTORY_DROP_ALL},
    {"%type=remove|RemoveMessage id", ROW_SKIP, .name = "'remove'", .verb = ROW_HISTORY_DROP_EACH,
	.at = "id"},
    {0},
};

/* Reads the arguments of a constructor; its class is the last of its names. */
static bool
read_constructor(struct row_reader *reader, struct row_place *place)
{
	struct json_walk names = json_walk_of(json_find(place->value, STR("id")));
	struct json_value name = json_absent;

	while (json_walk_next(&names))
		name = names.value;
	row_reader_set(reader, TYPE, name);
	return row_reader_read(reader, place, message, json_find(place->value, STR("kwargs")));
}

#define MESSAGES \
	{"lc id:array kwargs:object", ROW_ALSO, .also = read_constructor}, \
	    {"type:string data:object", ROW_INSIDE, .content = "data", .inside = message, \
		.sets = ROW_MEMBERS({"type", "type"})}, \
	{ \
		"type:string", ROW_INSIDE, .content = ".", .inside = message, \
					   .sets = ROW_MEMBERS({"type", "type"}) \
	}

static const struct row messages[] = {MESSAGES, {0}};

static const struct row records[] = {
    MESSAGES,
    {".:array .[]:array", ROW_INSIDE, .content = ".[]", .inside = messages},
    {".:array", ROW_INSIDE, .content = ".", .inside = messages},
    {"messages:array", ROW_INSIDE, .content = "messages", .inside = messages},
    {"output.messages:array", ROW_INSIDE, .content = "output.messages", .inside = messages},
    {"values.messages:array", ROW_INSIDE, .content = "values.messages", .inside = messages},
    {0},
};

static const char *const marks[] = {"\"remove\"", "RemoveMessage", NULL};

static const struct row_dialect langchain = {.dialect = &langchain_dialect,
    .rows = records,
    .carried = none,
    .answered = answered,
    .extra = "x_langchain",
    .variables = variables,
    .marks = marks};

const struct dialect langchain_dialect = {.name = "langchain", .rows = &langchain};
