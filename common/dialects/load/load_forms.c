#include "dialects/load/load_forms.h"

#include "dialects/session_file/session_layout.h"
#include "dialects/load/load_claude.h"

/*
 * Claude Code 2.1.330. The chain begins at the last record of the file that has one of these types,
 * or at a record that follows that one, although it is before it in the file.
 */
static const struct load_form_rule no_rules[] = {{0}};

static const struct load_form_chain claude_chain = {
    .of = "type=user|assistant|system|attachment !isSidechain:true",
    .but = "type=user|assistant !message.content",
    .aside = "isSidechain:true",
    .bridge = "type=progress",
    .root = "subtype=compact_boundary",
    .time = "timestamp"};

const struct load_form load_forms_claude_code = {.format = &session_layout_claude_code,
    .rules = no_rules,
    .chain = &claude_chain,
    .add = load_claude_add,
    .reach = load_claude_reach,
    .speaks = "message:object",
    .body = "message"};

/*
 * Codex CLI 0.169. Of a paginated history only the last record must have its ordinal.
 */
static const struct load_form_rule codex_rules[] = {
    {LOAD_FIRST, 0, "type=session_meta payload:object", .at = "'session_meta'",
	.adds = "{'timestamp':<time>,'type':'session_meta','payload':{'id':<id>,"
		"'timestamp':<time>,'cwd':'.','originator':'ctx','cli_version':'0.169.0'}}",
	.effect = LOAD_FILE, .code = VIOLATION_NO_HEADER},
    {LOAD_FIRST, 0, "type=session_meta", .at = "payload",
	.needs = "id=<id> timestamp=<time> cwd='.' originator='ctx' cli_version='0.169.0'",
	.effect = LOAD_FILE, .code = VIOLATION_NO_MEMBER},
    {LOAD_FIRST, 0, "type=session_meta payload.id", .at = "payload.id", .kind = LOAD_UUID,
	.effect = LOAD_FILE, .code = VIOLATION_BAD_VALUE},
    {LOAD_FIRST, 0, "type=session_meta", .needs = "timestamp=<time>", .effect = LOAD_FILE,
	.code = VIOLATION_NO_MEMBER},
    {LOAD_EACH, 0, "!type=session_meta", .needs = "timestamp=<time>", .code = VIOLATION_NO_MEMBER},
    {LOAD_EACH, 0, "timestamp !timestamp:string", .at = "timestamp", .code = VIOLATION_BAD_VALUE},
    {LOAD_EACH, 0, "ordinal", .at = "ordinal", .kind = LOAD_COUNT, .code = VIOLATION_BAD_VALUE},
    {LOAD_EACH, 0, "type=session_meta payload.history_mode !payload.history_mode=legacy|paginated",
	.at = "payload.history_mode", .effect = LOAD_FILE, .code = VIOLATION_BAD_VALUE},
    {LOAD_LAST, 0, "%mode=paginated", .needs = "ordinal=<line>", .effect = LOAD_FILE,
	.code = VIOLATION_NO_MEMBER},
    {0},
};

const struct load_form load_forms_codex = {.format = &session_layout_codex,
    .rules = codex_rules,
    .begins_whole = true,
    .mode = "payload.history_mode",
    .speaks = "type=response_item|session_meta|compacted",
    .body = "payload",
    .begins = "payload.role=user"};

/*
 * pi 0.74.2. A file of the first version has neither ids nor a version, and is loaded in its order.
 */
static const struct load_form_rule pi_rules[] = {
    {LOAD_FIRST, 0, "type=session id:string", .at = "'session'", .effect = LOAD_FILE,
	.adds = "{'type':'session','version':3,'id':<id>,'timestamp':<time>,'cwd':'.'}",
	.code = VIOLATION_NO_HEADER},
    {LOAD_EACH, 0, "type=message message.role=toolResult message.content:string",
	.at = "message.content", .effect = LOAD_FILE, .code = VIOLATION_BAD_VALUE},
    {0},
};

static const struct load_form_chain pi_chain = {
    .of = "type !type=session", .hangs = true, .flat = "type=session !version"};

const struct load_form load_forms_pi = {.format = &session_layout_pi,
    .rules = pi_rules,
    .chain = &pi_chain,
    .speaks = "type=message",
    .body = "message"};

/*
 * Gemini CLI 0.61.0. It reads the lines of a file, of which those with messages must also be
 * headers; or else the whole file as one document, of one line or more, in which it requires only
 * the session's id. A message is no such document.
 */
static const struct load_form_rule gemini_rules[] = {
    {LOAD_ANYONE, 0, "sessionId:string projectHash:string !sessionId= !projectHash=",
	.also = "messages:array", .at = "'sessionId projectHash'",
	.adds = "{'sessionId':<id>,'projectHash':<id>,'kind':'main'}", .shape = LOAD_LINE,
	.effect = LOAD_FILE, .code = VIOLATION_NO_HEADER},
    {LOAD_EACH, 0, "messages:array", .needs = "sessionId=<id> projectHash=<id>", .shape = LOAD_LINE,
	.code = VIOLATION_NO_MEMBER},
    {LOAD_EACH, 0, "!type", .needs = "sessionId=<id>", .shape = LOAD_DOCUMENT, .effect = LOAD_FILE,
	.code = VIOLATION_NO_MEMBER},
    {LOAD_EACH, 0, "type", .at = "type", .shape = LOAD_DOCUMENT, .effect = LOAD_FILE,
	.code = VIOLATION_BAD_VALUE},
    {LOAD_EACH, 0, "type=user|gemini", .needs = "id=<id>", .code = VIOLATION_NO_MEMBER},
    {LOAD_EACH, 0, "type=user|gemini id:number", .at = "id", .code = VIOLATION_BAD_VALUE},
    {LOAD_EACH, 1, "type=user|gemini", .needs = "id=<id>", .shape = LOAD_LINE,
	.code = VIOLATION_NO_MEMBER},
    {0},
};

const struct load_form load_forms_gemini_cli = {.format = &session_layout_gemini_cli,
    .rules = gemini_rules,
    .lists = "messages|$set.messages",
    .commands = "/?",
    .speaks = "type=user|gemini",
    .begins = "type=user|gemini"};

/*
 * opencode 1.18.33, which imports a file as a whole or not at all.
 */
#define OPENCODE(depth, when, at, needs) \
	{ \
		LOAD_EACH, depth, when, at, needs, .effect = LOAD_FILE, \
						   .code = VIOLATION_NO_MEMBER \
	}
#define OPENCODE_VALUE(depth, when, at) \
	{ \
		LOAD_EACH, depth, when, at, .effect = LOAD_FILE, .code = VIOLATION_BAD_VALUE \
	}

static const struct load_form_rule opencode_rules[] = {
    {LOAD_FIRST, 0, "info:object messages:array", .at = "'info'", .effect = LOAD_FILE,
	.code = VIOLATION_NO_HEADER},
    OPENCODE(0, "info messages", "info", "id slug title version time"),
    OPENCODE(0, "messages", "info.time", "created updated"),
    OPENCODE_VALUE(0, "info.id messages !info.id^ses", "info.id"),
    OPENCODE(1, "info.role=user", "info", "id sessionID time agent model"),
    OPENCODE(1, "info.role=user info.model", "info.model", "providerID modelID"),
    OPENCODE(1, "info.role=assistant", "info",
	"id sessionID time parentID modelID providerID mode agent path cost tokens"),
    OPENCODE(1, "info", "info.time", "created"),
    OPENCODE(1, "info.role=assistant info.path", "info.path", "cwd root"),
    OPENCODE_VALUE(1, "info.id !info.id^msg", "info.id"),
    OPENCODE(2, NULL, NULL, "id sessionID messageID type"),
    OPENCODE(2, "type=text|reasoning", NULL, "text"),
    OPENCODE_VALUE(2, "id !id^prt", "id"),
    OPENCODE_VALUE(2,
	"type !type=text|subtask|reasoning|file|tool|step-start|step-finish|snapshot|patch|agent|"
	"retry|compaction",
	"type"),
    {0},
};

const struct load_form load_forms_opencode = {
    .format = &session_layout_opencode, .rules = opencode_rules, .lists = "messages|parts"};
