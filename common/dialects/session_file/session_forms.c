#include "dialects/session_file/session_forms.h"

#include "data/message/tool_output.h"
#include "dialects/session_file/session_file.h"

/* The file of a session that is there may have gone on: it stays. */
#define INSTALL(place) "f=" place "; [ -e \"$f\" ] || install -m 600 -D FILE \"$f\"; "

#define CLAUDE_RECORD(type, members) \
	"{'parentUuid':<parent>,'isSidechain':false,'userType':'external','cwd':<cwd>," \
	"'sessionId':'<session>'," \
	"'version':'2.1.330','type':'" type "'," members ",'uuid':'<uuid>','timestamp':'<time>'}"

static const struct session_form claude_code = {.name = "claude-code",
    .resume = INSTALL("~/.claude/projects/<project>/<session>.jsonl") "claude --resume <session>",
    .user =
	CLAUDE_RECORD("user", "'isMeta':<injected>,'message':{'role':'user','content':[<parts>]}"),
    .assistant = CLAUDE_RECORD("assistant",
	"'message':{'id':'msg_<uuid>','type':'message','role':'assistant','model':<model>,"
	"'content':[<parts>],'stop_reason':'<stop>','stop_sequence':null,"
	"'usage':{'input_tokens':0,'output_tokens':0}}"),
    .result = CLAUDE_RECORD("user",
	"'message':{'role':'user','content':[{'type':'tool_result',"
	"'tool_use_id':'<call>','content':<output>,'is_error':<failed>}]}"),
    .part =
	{
	    [SESSION_TEXT] = {"{'type':'text','text':<text>}"},
	    [SESSION_THINKING] = {"{'type':'thinking','thinking':<text>,'signature':<signature>}"},
	    [SESSION_REDACTED] = {"{'type':'redacted_thinking','data':<data>}"},
	    [SESSION_IMAGE] = {"{'type':'image','source':<source>}"},
	    [SESSION_DOCUMENT] = {"{'type':'document','source':<source>}"},
	    [SESSION_CALL] =
		{"{'type':'tool_use','id':'<call>','name':<name>,'input':<arguments>}"},
	},
    .stop = {"tool_use", "end_turn"},
    .extra = "x_claude_code",
    .name_max = 128};

#define CODEX_PLACE "~/.codex/sessions/<day>/rollout-<clock>-<session>.jsonl"
#define CODEX_ITEM(members) "{'timestamp':'<time>','type':'response_item','payload':{" members "}}"
#define CODEX_MESSAGE(role) CODEX_ITEM("'type':'message','role':'" role "','content':[<parts>]")

/* The agent lists a session only when an event says that the user spoke. */
#define CODEX_ASKED \
	"\n{'timestamp':'<time>','type':'event_msg','payload':{'type':'user_message'," \
	"'message':<flat>,'images':[]}}"

static const struct session_form codex = {.name = "codex",
    .resume = INSTALL(CODEX_PLACE) "codex resume <session>",
    .head = "{'timestamp':'<time>','type':'session_meta','payload':{'id':'<session>',"
	    "'timestamp':'<time>','cwd':<cwd>,'originator':'ctx','cli_version':'0.169.0',"
	    "'source':'cli'<?instructions>,'base_instructions':{'text':<instructions>}<?>}}",
    .user = CODEX_MESSAGE("user") CODEX_ASKED,
    .assistant = CODEX_MESSAGE("assistant"),
    .system = CODEX_MESSAGE("developer"),
    .result = CODEX_ITEM("'type':'function_call_output','call_id':'<call>','output':<output>"),
    .part =
	{
	    [SESSION_TEXT] = {"{'type':'<side>_text','text':<text>}"},
	    [SESSION_THINKING] = {CODEX_ITEM("'type':'reasoning','summary':[{'type':'summary_text',"
					     "'text':<text>}],'encrypted_content':<sealed>"),
		SESSION_ALONE},
	    [SESSION_REDACTED] = {CODEX_ITEM("'type':'reasoning','summary':[],"
					     "'encrypted_content':<sealed>"),
		SESSION_ALONE},
	    [SESSION_IMAGE] = {"{'type':'input_image','image_url':<url>}"},
	    [SESSION_CALL] = {CODEX_ITEM("'type':'function_call','name':<name>,"
					 "'arguments':<written>,'call_id':'<call>'"),
		SESSION_ALONE},
	},
    .extra = "x_codex",
    .name_max = 64,
    .id_max = 64,
    .says_failure = tool_output_is_failure,
    .joins_answers = true,
    .has_instructions = true};

#define PI_ENTRY(members) \
	"{'type':'message','id':'<uuid>','parentId':<parent>,'timestamp':'<time>','message':" \
	"{" members ",'timestamp':<ms>}}"
#define PI_USAGE \
	"{'input':0,'output':0,'cacheRead':0,'cacheWrite':0,'totalTokens':0," \
	"'cost':{'input':0,'output':0,'cacheRead':0,'cacheWrite':0,'total':0}}"

static const struct session_form pi = {.name = "pi",
    .resume = "pi --session FILE",
    .head = "{'type':'session','version':3,'id':'<session>','timestamp':'<time>','cwd':<cwd>}",
    .user = PI_ENTRY("'role':'user','content':[<parts>]"),
    .assistant = PI_ENTRY(
	"'role':'assistant','content':[<parts>],'api':<api>,"
	"'provider':<provider>,'model':<model>,'usage':" PI_USAGE ",'stopReason':'<stop>'"),
    .result = PI_ENTRY("'role':'toolResult','toolCallId':'<call>','toolName':<name>,"
		       "'content':[<parts>],'isError':<failed>"),
    .part =
	{
	    [SESSION_TEXT] = {"{'type':'text','text':<text>}"},
	    [SESSION_THINKING] = {"{'type':'thinking','thinking':<text>"
				  "<?signature>,'thinkingSignature':<signature><?>}"},
	    [SESSION_IMAGE] = {"{'type':'image','data':<data>,'mimeType':<mime>}"},
	    [SESSION_CALL] =
		{"{'type':'toolCall','id':'<call>','name':<name>,'arguments':<arguments>}"},
	},
    .stop = {"toolUse", "stop"},
    .extra = "x_pi",
    .name_max = 128,
    .keeps_joined_ids = true};

#define GEMINI_CALL(members) \
	"{'id':'<call>','name':<name>,'args':<arguments>,'timestamp':'<time>'," members "}"
#define GEMINI_RESULT(status, member) \
	GEMINI_CALL("'status':'" status "','result':[{'functionResponse':{'id':'<call>'," \
		    "'name':<name>,'response':{'" member "':<flat>}}}<more_files>]")

static const struct session_form gemini_cli = {.name = "gemini-cli",
    .resume = "gemini --session-file FILE",
    .head = "{'sessionId':'<session>','projectHash':'<session>','kind':'main'}",
    .user = "{'id':'<uuid>','timestamp':'<time>','type':'user','content':[<parts>]}",
    .assistant = "{'id':'<uuid>','timestamp':'<time>','type':'gemini','content':[<parts>],"
		 "'thoughts':[<thoughts>],'model':<model>,'toolCalls':[<calls>]}",
    .part =
	{
	    [SESSION_TEXT] = {"{'text':<text>}"},
	    [SESSION_THINKING] = {"{'subject':'','description':<text>,'timestamp':'<time>'}",
		SESSION_IN_THOUGHTS},
	    [SESSION_IMAGE] = {"{'inlineData':{'mimeType':<mime>,'data':<data>}}"},
	    [SESSION_CALL] = {GEMINI_RESULT("success", "output"), SESSION_IN_CALLS},
	    [SESSION_FAILED] = {GEMINI_RESULT("error", "error"), SESSION_IN_CALLS},
	    [SESSION_OPEN] = {GEMINI_CALL("'status':'cancelled'"), SESSION_IN_CALLS},
	},
    .extra = "x_gemini_cli",
    .commands = "/?",
    .name_max = 128};

#define OPENCODE_INFO(members) \
	"{'info':{'id':'msg_<order>','sessionID':'ses_<session>'," members \
	",'agent':'build'},'parts':[<parts>]}"
#define OPENCODE_PART(members) \
	"{'id':'prt_<part><session>','sessionID':'ses_<session>'," \
	"'messageID':'msg_<order>'," members "}"
#define OPENCODE_STATE(members) \
	OPENCODE_PART("'type':'tool','callID':'<call>','tool':<name>,'state':{" members \
		      ",'input':<arguments>}")
#define OPENCODE_TIME "'time':{'start':<ms>,'end':<ms>}"

static const struct session_form opencode = {.name = "opencode",
    .resume = "opencode import FILE; opencode --session ses_<session>",
    .head = "{'info':{'id':'ses_<session>','slug':'ctx','projectID':'global','directory':<cwd>,"
	    "'title':'ctx','version':'1.18.33','time':{'created':<began>,'updated':<ms>}},"
	    "'messages':[",
    .tail = "]}",
    .user = OPENCODE_INFO("'role':'user','time':{'created':<ms>},"
			  "'model':{'providerID':<provider>,'modelID':<model>}"),
    .assistant = OPENCODE_INFO(
	"'role':'assistant','time':{'created':<ms>,'completed':<ms>},"
	"'parentID':'msg_<asked>','modelID':<model>,'providerID':<provider>,"
	"'mode':'build','path':{'cwd':<cwd>,'root':<cwd>},'cost':0,'tokens':{'input':0,'output':0,"
	"'reasoning':0,'cache':{'read':0,'write':0}},'finish':'<stop>'"),
    .part =
	{
	    [SESSION_TEXT] = {OPENCODE_PART("'type':'text','text':<text>")},
	    [SESSION_THINKING] = {OPENCODE_PART("'type':'reasoning','text':<text>," OPENCODE_TIME)},
	    [SESSION_IMAGE] = {OPENCODE_PART("'type':'file','mime':<mime>,'url':<url>")},
	    [SESSION_CALL] = {OPENCODE_STATE(
		"'status':'completed','output':<flat>,'title':'',"
		"'metadata':{}," OPENCODE_TIME ",'attachments':[<files>]")},
	    [SESSION_FAILED] = {OPENCODE_STATE("'status':'error','error':<flat>," OPENCODE_TIME)},
	    [SESSION_OPEN] = {OPENCODE_STATE("'status':'pending','raw':''")},
	},
    .stop = {"tool-calls", "stop"},
    .extra = "x_opencode",
    .name_max = 128,
    .is_sorted = true};

#define SESSION_WRITER(agent) \
	struct dialect_stage *session_forms_##agent(void) \
	{ \
		return session_file_writer(&agent); \
	}

/* clang-format off */
SESSION_WRITER(claude_code)
SESSION_WRITER(codex)
SESSION_WRITER(pi)
SESSION_WRITER(gemini_cli)
SESSION_WRITER(opencode)
/* clang-format on */
