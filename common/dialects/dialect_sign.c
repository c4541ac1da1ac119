#include "dialects/dialect_sign.h"

#include "dialects/rows/conditions.h"
#include "json/json_hold.h"

enum shape_use {
	SHAPE_SIGN_TOO, /* it is named, and a clear sign of the dialect */
	SHAPE_NAMED,    /* a look-alike is named so, too */
	SHAPE_CLEAR,    /* a sign alone */
	SHAPE_CERTAIN,  /* the same */
};

/* What all lines of Claude Code have: no chat message, and no request. */
#define CLAUDE "!role:string !messages:array "

/* Items of the Responses API that no other format has. */
#define CALLS \
	"function_call|custom_tool_call|local_shell_call|shell_call|apply_patch_call|computer_" \
	"call"
#define RESULTS \
	"function_call_output|custom_tool_call_output|local_shell_call_output|" \
	"shell_call_output|apply_patch_call_output|computer_call_output"

/* Types of messages that only LangChain has. */
#define LANGCHAIN "human|ai|AIMessageChunk|HumanMessageChunk"

/* Kinds of events of OpenHands. */
#define OPENHANDS \
	"SystemPromptEvent|MessageEvent|ActionEvent|ObservationEvent|AgentErrorEvent|" \
	"UserRejectObservation|Condensation|ConversationStateUpdateEvent|PauseEvent"

/* A name may have several shapes, the surest signs first. */
static const struct shape {
	const char *name;
	const char *when; /* conditions: rows/conditions.h */
	enum shape_use use;
} shapes[] = {
    {"qwen-code", "uuid message.parts", SHAPE_CERTAIN},
    {"qwen-code", "uuid type=system systemPayload:object", SHAPE_CERTAIN},
    {"qwen-code", "uuid message.parts", SHAPE_NAMED},
    {"codex", "type=response_item|session_meta|event_msg|turn_context|compacted payload"},
    {"codex", "record_type=state !role"},
    {"codex", "type=tool_call|tool_result timestamp !role"},
    {"codex", "id timestamp git !type !role"},
    {"instructor", "messageStore:object", SHAPE_CERTAIN},
    {"instructor", "messageStore:array", SHAPE_CERTAIN},
    {"instructor", "type=message id:string data.role:string", SHAPE_CERTAIN},
    {"instructor", "type=session id:string createdAt:string", SHAPE_CLEAR},
    {"instructor", "type=message data", SHAPE_NAMED},
    {"instructor", "messageStore", SHAPE_NAMED},
    {"claude-code", CLAUDE "parentUuid:any", SHAPE_CLEAR},
    {"claude-code", CLAUDE "leafUuid:any", SHAPE_CLEAR},
    {"claude-code",
	CLAUDE "type=summary|file-history-snapshot|queue-operation|progress|attachment|"
	       "permission-mode|last-prompt|mode|ai-title|custom-title|agent-name",
	SHAPE_CLEAR},
    {"claude-code", CLAUDE "sessionId:any uuid:any", SHAPE_CLEAR},
    {"claude-code", CLAUDE "sessionId:any type:string !projectHash:any", SHAPE_CLEAR},
    {"claude-code", CLAUDE "sessionId:any message.role:string", SHAPE_CLEAR},
    {"claude-code", CLAUDE "type=user|assistant message.role:string", SHAPE_CLEAR},
    {"droid", "type=session_start id"},
    {"pi", "type=session id timestamp cwd:string"},
    {"pi", "type=session id version:number !createdAt"},
    {"pi", "type=message message.role=toolResult|bashExecution"},
    {"pi", "type=message message.role message.timestamp:number"},
    {"pi", "type=message message.role=assistant message.stopReason"},
    {"cursor", "role message[].content"},
    {"gemini-cli", "projectHash sessionId"},
    {"gemini-cli", "type=gemini timestamp"},
    {"gemini-cli", "type=user id timestamp content:text !message !role"},
    {"gemini-cli", "history[].role=user|model history[].parts"},
    {"gemini-cli", "clientHistory[].role=user|model clientHistory[].parts"},
    {"gemini-cli", ".:array .[].role=user|model .[].parts !.[].parts[].type !.[].id"},
    {"opencode", "info.role parts:array"},
    {"opencode", "info.id messages:array messages[].info"},
    {"opencode", ".:array .[].info.role .[].parts"},
    {"opencode", ".:array .[].properties.info.role"},
    {"opencode", ".:array .[].properties.part.messageID"},
    {DIALECT_SIGN_STORED, "messageID id type !info !parts", SHAPE_NAMED},
    {DIALECT_SIGN_STORED, "id^prt_ type !role !info !parts", SHAPE_NAMED},
    {DIALECT_SIGN_STORED_SESSION, "projectID id:string time !role !info !messages", SHAPE_NAMED},
    {DIALECT_SIGN_STORED, "sessionID id role time !parts !content", SHAPE_NAMED},
    {"opencode", "sessionID id"},
    {"copilot-chat", "requests:array responderUsername:string", SHAPE_CERTAIN},
    {"cline", "messages:array sessionId:string updated_at", SHAPE_CERTAIN},
    {"cline", ".:array .[].ts:number .[].role=user|assistant .[].content", SHAPE_CERTAIN},
    {"ai-sdk",
	"role=system|user|assistant !parts[].content "
	"parts[].type^text|reasoning|redacted-reasoning|"
	"step-start|file|image|source|tool-|data-|dynamic-tool "
	"!parts[].type=tool_call|tool_call_response|server_tool_call|blob|uri"},
    {"ai-sdk", "role=assistant|tool content[].toolCallId"},
    {"ai-sdk", "role=user|assistant content[].mediaType"},
    {"ai-sdk", "role=assistant content[].type=reasoning content[].providerOptions:object"},
    {"ai-sdk", "type=text-delta|reasoning-delta id delta:string"},
    {"ai-sdk",
	"type=tool-input-start|tool-input-available|tool-output-available|tool-output-error "
	"toolCallId"},
    {"ai-sdk", "type=start-step|finish-step !role"},
    {"ai-sdk", "type=start messageId"},
    {"otel", "role !content:any parts[].type=text|reasoning parts[].content:string"},
    {"otel",
	"role !content:any parts[].type=tool_call|tool_call_response|server_tool_call|"
	"server_tool_call_response|blob|uri"},
    {"otel", "role parts[].type", SHAPE_NAMED},
    {"gemini", ".:array .[].role=user|model|system .[].parts !.[].parts[].type !.[].id"},
    {"gemini", "!role=assistant role:string parts:array !parts[].type !content"},
    {"gemini", "contents:array"},
    {"gemini", "contents.parts:array"},
    {"gemini", "contents:string model:string"},
    {"gemini", "candidates:array !choices"},
    {"gemini", ".:array .[].candidates"},
    {"gemini", "response[].candidates"},
    {"openhands", "source llm_message"},
    {"openhands", "source action:string"},
    {"openhands", "source observation:string"},
    {"openhands", "source kind=" OPENHANDS},
    {"openhands", ".:array .[].source .[].action:string"},
    {"openhands", ".:array .[].source .[].observation:string"},
    {"openhands", ".:array .[].source .[].kind=" OPENHANDS},
    {"openhands", "history[].source history[].action:string"},
    {"openhands", "history[].source history[].observation:string"},
    {"responses", "object=response output"},
    {"responses", "output[].type=" CALLS "|reasoning|message !type !role"},
    {"responses", "input:text model"},
    {"responses", "type=message role content[].type=input_text|output_text|input_image"},
    {"responses", "!type role content[].type=input_text|output_text", SHAPE_CLEAR},
    {"responses", "type=" CALLS "|" RESULTS " call_id"},
    {"responses", "type=reasoning summary:array"},
    {"responses",
	"type=web_search_call|file_search_call|code_interpreter_call|image_generation_call|"
	"mcp_call|tool_search_call|x_search_call id"},
    {"responses", ".:array .[].type=" CALLS "|reasoning|message"},
    {"responses", ".:array .[].type=" RESULTS},
    {"atif", "schema_version^ATIF steps:array"},
    {"sharegpt", "conversations|[].conversations"},
    {"acp", "method=session/update|session/prompt params.sessionId", SHAPE_CERTAIN},
    {"acp", "method=initialize params.protocolVersion:number", SHAPE_CERTAIN},
    {"acp", "update.sessionUpdate:string !type !role", SHAPE_CERTAIN},
    {"acp", "sessionUpdate:string !type !role"},
    {"hf-trace", "type=session harness:string id !cwd !version", SHAPE_CERTAIN},
    {"hf-trace", "type=message message.role=assistant message.toolCalls"},
    {"hf-trace", "type=message message.role=tool message.toolCallId"},
    {"swe-agent", "trajectory:array history:array", SHAPE_CERTAIN},
    {"swe-agent", "trajectory_format messages:array", SHAPE_CERTAIN},
    {"atof", "atof_version", SHAPE_NAMED},
    {"langchain", "id:array kwargs:object"},
    {"langchain", "additional_kwargs type"},
    {"copilot-cli", "type^session.|user.|assistant.|tool.|system.|hook. id data:object !role"},
    {"langchain", "type=" LANGCHAIN " content:any !role !id:number"},
    {"langchain", "type=" LANGCHAIN "|system|tool data:object"},
    {"langchain", ".:array .[].lc .[].kwargs"},
    {"langchain", ".:array .[].type=" LANGCHAIN "|system .[].content:any !.[].role"},
    {"langchain", ".:array .[].type=" LANGCHAIN "|system .[].data.content:any"},
    {"langchain", "messages[].lc messages[].kwargs"},
    {"langchain", "messages[].type=" LANGCHAIN "|system !messages[].role"},
};

static struct conditions_table table = CONDITIONS_TABLE(shapes);

enum { SHAPES = ARRAY_COUNT(shapes) };

_Static_assert(SHAPES <= UINT8_MAX, "the numbers of shapes");

/* A record, and the shapes that it may have, by the names of its members. */
struct sighting {
	const char *record; /* NULL: none */
	struct member_view view;
	unsigned count;
	uint8_t may[SHAPES];
	bool is_sure; /* the record has these shapes */
};

static struct sighting held;
static unsigned holds;    /* and not yet released: a record may hold others */
static bool is_text_held; /* the record is long, and json_hold holds it */

static void
look_at(struct sighting *seen, struct json_value record)
{
	seen->record = record.ptr;
	conditions_table_open(&table, &seen->view, record);
	seen->count = conditions_table_list(&table, &seen->view, seen->may);
	seen->is_sure = false;
}

void
dialect_sign_hold(struct json_value record)
{
	unsigned sure = 0;

	if (holds++ > 0)
		return;
	is_text_held = json_hold(json_span(record));
	look_at(&held, record);
	for (unsigned i = 0; i < held.count; i++)
		if (conditions_hold(&table.row[held.may[i]], &held.view))
			held.may[sure++] = held.may[i];
	held.count = sure;
	held.is_sure = true;
}

void
dialect_sign_release(void)
{
	if (--holds > 0)
		return;
	held.record = NULL;
	if (is_text_held)
		json_release();
	is_text_held = false;
}

/* Whether the shape is a sign of the dialect. Few names begin with the same letter. */
static inline bool
is_sign_of(const struct shape *shape, const char *dialect)
{
	return shape->name[0] == dialect[0] && shape->use != SHAPE_NAMED &&
	    strcmp(shape->name, dialect) == 0;
}

/* The first shape that the record has, of those that are named, or of the signs of a dialect; or
 * NULL. */
static const struct shape *
find(struct json_value record, const char *dialect)
{
	struct sighting own, *seen = &held;

	if (held.record == NULL || held.record != record.ptr)
		look_at(seen = &own, record);
	for (unsigned i = 0; i < seen->count; i++) {
		const struct shape *shape = &shapes[seen->may[i]];

		if ((dialect == NULL ? shape->use <= SHAPE_NAMED : is_sign_of(shape, dialect)) &&
		    (seen->is_sure || conditions_hold(&table.row[seen->may[i]], &seen->view)))
			return shape;
	}
	return NULL;
}

enum dialect_sign
dialect_sign_tell(const char *dialect, struct json_value record)
{
	const struct shape *shape = find(record, dialect);

	if (shape == NULL)
		return DIALECT_SIGN_NONE;
	return shape->use == SHAPE_CERTAIN ? DIALECT_SIGN_CERTAIN : DIALECT_SIGN_CLEAR;
}

const char *
dialect_sign_name(struct json_value record)
{
	const struct shape *shape = find(record, NULL);

	return shape != NULL ? shape->name : NULL;
}
