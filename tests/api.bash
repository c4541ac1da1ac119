# shellcheck shell=bash
#
# What the two APIs refuse, told by jq and so by nothing that ctx is made of. A file is one
# conversation: a message a line, or one line that is an array of messages or a request body.
#
#     openai_faults FILE...       a line "FILE: FAULT" for each fault; nothing where the API takes it
#     anthropic_faults FILE...
#
# System messages are where the API takes them: anywhere for OpenAI; for Anthropic as the first line,
# which is meant for the top-level system. MIDST=1 says that the model takes them in the midst.

# shellcheck disable=SC2016
api_common='
def odd($known): (keys_unsorted - $known)[] | "knows no member \(.)";
def is_text: type == "string" and test("[^ \t\r\n]");
def is_name($max): type == "string" and test("^[A-Za-z0-9_-]+$") and length <= $max;
def unique_of: length == (unique | length);
def conversation:
    if length == 1 and (.[0] | type) == "array" then {messages: .[0]}
    elif length == 1 and (.[0] | type) == "object" and (.[0] | has("messages")) then {body: .[0], messages: .[0].messages}
    else {messages: .} end;
def report: unique[];
'

# shellcheck disable=SC2016
openai_program='
def text_part: type == "object" and keys == ["text", "type"] and .type == "text" and (.text | type) == "string";
def media_part: type == "object" and (
    (.type == "image_url" and keys == ["image_url", "type"] and (.image_url | type == "object" and
        (keys - ["detail", "url"]) == [] and (.url | type) == "string")) or
    (.type == "input_audio" and keys == ["input_audio", "type"] and (.input_audio | type == "object" and
        keys == ["data", "format"])) or
    (.type == "file" and keys == ["file", "type"] and (.file | type == "object" and
        (keys - ["file_data", "file_id", "filename"]) == [] and (has("file_data") or has("file_id")))));
def refusal_part: type == "object" and keys == ["refusal", "type"] and .type == "refusal" and (.refusal | type) == "string";
def content($role):
    if type == "string" then empty
    elif type == "array" and length > 0 then
        .[] | select((text_part or ($role == "user" and media_part) or ($role == "assistant" and refusal_part)) | not) |
        "takes no part \(tojson[:80]) of \($role)"
    else "takes no content \(tojson[:80]) of \($role)" end;
def call: if type != "object" then "takes no call \(tojson[:80])"
    elif .type == "function" then odd(["id", "type", "function"]),
        (.function | if type != "object" then "has a call without function" else
            odd(["name", "arguments"]),
            (select(.name | is_name(64) | not) | "takes no name \(.name)"),
            (select(.arguments | type != "string") | "takes no arguments \(.arguments)") end)
    elif .type == "custom" then odd(["id", "type", "custom"]),
        (.custom | if type != "object" then "has a call without custom" else
            odd(["name", "input"]),
            (select(.name | is_name(64) | not) | "takes no name \(.name)"),
            (select(.input | type != "string") | "takes no input \(.input)") end)
    else "takes no call \(tojson[:80])" end;
def id: if type == "string" and length > 0 and length <= 40 then empty else "takes no id \(.)" end;
def message: .role as $role |
    if type != "object" then "takes no message \(tojson[:80])"
    elif ($role | IN("system", "developer", "user")) then odd(["role", "content", "name"]), (.content | content($role))
    elif $role == "assistant" then odd(["role", "content", "name", "refusal", "audio", "tool_calls"]),
        (if .content != null then .content | content($role)
         elif (.tool_calls // []) == [] and .refusal == null then "takes no assistant that says nothing" else empty end),
        (select(has("tool_calls")) | .tool_calls | if type != "array" or length == 0 then "takes no calls \(.)" else
            (.[] | call), (.[] | objects | .id | id),
            (select([.[] | objects | .id] | unique_of | not) | "has one id for two calls") end),
        (.refusal | select(IN(null) or type == "string" | not) | "takes no refusal \(.)")
    elif $role == "tool" then odd(["role", "content", "tool_call_id"]), (.content | content($role)), (.tool_call_id | id)
    else "has no role \($role)" end,
    (objects | select(has("name")) | .name | select(type == "string" and test("^[^\\s<|\\\\/>]+$") and length <= 64 | not) | "takes no name \(.)");
def sequence: (foreach (.[], null) as $m ({due: [], fault: null};
        .fault = null |
        if ($m | type) == "object" and $m.role == "tool" then
            if (.due | index($m.tool_call_id)) then .due -= [$m.tool_call_id]
            else .fault = "has a result without its call: \($m.tool_call_id)"
            end
        else (if .due != [] then .fault = "has calls without results: \(.due)" else . end) |
            .due = [$m | objects | select(.role == "assistant") | .tool_calls | arrays | .[] | objects | .id]
        end; .fault | values)),
    (select(length == 0) | "has no message");
def tool: if .type == "function" then odd(["type", "function"]), (.function | if type != "object" then "takes no tool" else
            odd(["name", "description", "parameters", "strict"]),
            (select(.name | is_name(64) | not) | "takes no name \(.name)"),
            (select(has("parameters") and (.parameters | type != "object")) | "takes no parameters") end)
    elif .type == "custom" then odd(["type", "custom"]), (select(.custom | type != "object") | "takes no tool")
    else "takes no tool \(tojson[:80])" end;
def format: if .type | IN("text", "json_object") then odd(["type"])
    elif .type == "json_schema" then odd(["type", "json_schema"]), (.json_schema | if type != "object" then "takes no format" else
        odd(["name", "description", "schema", "strict"]), (select(.name | is_name(64) | not) | "takes no name \(.name)"),
        (select(has("schema") and (.schema | type != "object")) | "takes no schema") end)
    else "takes no format \(tojson[:80])" end;
def body: odd(["model", "messages", "tools", "response_format", "audio", "frequency_penalty", "function_call", "functions",
        "logit_bias", "logprobs", "max_completion_tokens", "max_tokens", "metadata", "modalities", "n", "parallel_tool_calls",
        "prediction", "presence_penalty", "prompt_cache_key", "prompt_cache_retention", "reasoning_effort",
        "safety_identifier", "seed", "service_tier", "stop", "store", "stream", "stream_options", "temperature",
        "tool_choice", "top_logprobs", "top_p", "user", "verbosity", "web_search_options"]),
    (select(.model | type != "string" or . == "") | "needs a model"),
    (select(has("tools")) | .tools | if type != "array" or length == 0 then "takes no tools \(tojson[:80])" else .[] | tool end),
    (select(has("response_format")) | .response_format | format);
def faults: conversation | [(.body | objects | body), (.messages | (.[] | message), sequence)] | report;
'
# shellcheck disable=SC2016
anthropic_program='
def cached: ["type", "cache_control"];
def source: type == "object" and (
    (.type == "base64" and keys == ["data", "media_type", "type"]) or (.type == "url" and keys == ["type", "url"]) or
    (.type == "text" and keys == ["data", "media_type", "type"]) or (.type == "content" and keys == ["content", "type"]) or
    (.type == "file" and keys == ["file_id", "type"]));
def simple_block: if .type == "text" then odd(cached + ["text", "citations"]), (select(.text | is_text | not) | "takes no text \(.text)")
    elif .type == "image" then odd(cached + ["source"]), (select(.source | source | not) | "takes no source \(.source | tojson[:80])")
    elif .type == "document" then odd(cached + ["source", "title", "context", "citations"]),
        (select(.source | source | not) | "takes no source \(.source | tojson[:80])")
    elif .type == "search_result" then odd(cached + ["source", "title", "content", "citations"])
    else "takes no block \(tojson[:80])" end;
def user_block: if .type == "tool_result" then odd(cached + ["tool_use_id", "content", "is_error"]),
        (select(.tool_use_id | is_name(9999) | not) | "takes no id \(.tool_use_id)"),
        (select(has("is_error") and (.is_error | type != "boolean")) | "takes no is_error"),
        (select(has("content")) | .content | if type == "string" then empty
            elif type == "array" then .[] | if type != "object" then "takes no block" elif .type == "tool_reference" then
                odd(cached + ["tool_name"]) else simple_block end
            else "takes no result \(tojson[:80])" end)
    elif .type == "container_upload" then odd(cached + ["file_id"])
    else simple_block end;
def assistant_block: if .type == "tool_use" then odd(cached + ["id", "name", "input", "caller"]),
        (select(.id | is_name(9999) | not) | "takes no id \(.id)"),
        (select(.name | is_name(128) | not) | "takes no name \(.name)"),
        (select(.input | type != "object") | "takes no input \(.input)")
    elif .type == "thinking" then odd(["type", "thinking", "signature"]),
        (select(.signature | type != "string" or . == "") | "takes no thinking without signature")
    elif .type == "redacted_thinking" then odd(["type", "data"]), (select(.data | type != "string") | "takes no redacted thinking without data")
    elif (.type | IN("server_tool_use", "compaction")) or ((.type | type) == "string" and (.type | test("_tool_result$"))) then empty
    elif .type == "text" then simple_block
    else "takes no block \(tojson[:80]) of the assistant" end;
def system_content: if type == "string" then (select(is_text | not) | "takes no system \(.)")
    elif type == "array" and length > 0 then .[] | if type == "object" and .type == "text" then simple_block else "takes no system \(tojson[:80])" end
    else "takes no system \(.)" end;
def message: .role as $role |
    if type != "object" then "takes no message \(tojson[:80])"
    elif $role | IN("user", "assistant") then odd(["role", "content"]),
        (.content | if type == "string" then (select(is_text | not) | "takes no content \(.)")
            elif type == "array" and length > 0 then .[] | if type != "object" then "takes no block \(.)"
                elif $role == "user" then user_block else assistant_block end
            else "takes no content \(tojson[:80])" end)
    elif $role == "system" then odd(["role", "content"]), (.content | system_content)
    else "has no role \($role)" end;
def ids($type; $member): [objects | .content | arrays | .[] | objects | select(.type == $type) | .[$member]];
def sequence: .[0].role as $first |
    (foreach (.[], null) as $m ({role: null, begun: false, calls: [], faults: []};
        ($m | ids("tool_result"; "tool_use_id")) as $results |
        .faults = [
            (if ($m | type) == "object" and $m.role == "system" then empty
             elif (.begun | not) and $m != null and $m.role != "user" then "begins with \($m.role)"
             elif .role != null and $m != null and $m.role == .role then "has neighbours of the role \(.role)"
             else empty end),
            (select(.calls != ($results | sort)) | "answers \($results), asked was \(.calls)"),
            ($m | objects | .content | arrays | .[:$results | length][] | objects | select($results != [] and .type != "tool_result") |
                "has results behind other blocks")] |
        .calls = ($m | ids("tool_use"; "id") | sort) | .begun = (.begun or ($m | type == "object" and .role != "system")) | .role = ($m | if type == "object" and .role != "system" then .role else null end); .faults[])),
    (select([.[] | ids("tool_use"; "id")[]] | unique_of | not) | "has one id for two calls"),
    (select([.[] | objects | .role] | any(IN("user", "system")) | not) | "has no message"),
    (.[1:][] | objects | select(.role == "system" and ($ENV.MIDST == null)) | "has a system message in the midst"),
    (.[-1] | objects | select(.role == "assistant") | .content | if type == "string" then . else (arrays | .[-1].text? | strings) end |
        select(test("[ \t\r\n]$")) | "ends with blanks of the assistant");
def tool: if type != "object" then "takes no tool"
    elif .type == null or .type == "custom" then odd(cached + ["name", "description", "input_schema", "strict", "allowed_callers", "defer_loading", "input_examples", "eager_input_streaming"]),
        (select(.name | is_name(128) | not) | "takes no name \(.name)"),
        (select(.input_schema | type != "object" or .type != "object") | "takes no input_schema \(.input_schema | tojson[:80])")
    elif (.type | type) == "string" and (.type | test("_[0-9]{8}$")) then empty
    else "takes no tool \(tojson[:80])" end;
def choice: if .type | IN("auto", "any") then odd(["type", "disable_parallel_tool_use"])
    elif .type == "tool" then odd(["type", "name", "disable_parallel_tool_use"])
    elif .type == "none" then odd(["type"]) else "takes no tool_choice \(tojson[:80])" end;
def body: odd(["model", "messages", "system", "tools", "max_tokens", "container", "context_management", "inference_geo", "mcp_servers",
        "metadata", "output_config", "service_tier", "speed", "stop_sequences", "stream", "temperature", "thinking", "tool_choice",
        "top_k", "top_p", "cache_control"]),
    (select(.model | type != "string" or . == "") | "needs a model"),
    (select(.max_tokens | type != "number") | "needs max_tokens"),
    (select(has("system")) | .system | system_content),
    (select(has("stop_sequences") and (.stop_sequences | type != "array")) | "takes no stop_sequences"),
    (select(has("tool_choice")) | .tool_choice | choice),
    (select(has("output_config")) | .output_config | odd(["format", "effort"]),
        (select(has("format")) | .format | odd(["type", "schema"]), (select(.type != "json_schema" or (.schema | type != "object")) | "takes no format"))),
    (select(has("tools")) | .tools | if type != "array" or length == 0 then "takes no tools \(tojson[:80])" else .[] | tool end),
    (.messages[] | objects | select(.role == "system" and $ENV.MIDST == null) | "has a system message among its messages");
def faults: conversation | [(.body | objects | body), (.messages | (.[] | message), sequence)] | report;
'

# shellcheck disable=SC2016
api_files='
foreach (inputs, "\u0001") as $line ({file: null, lines: []};
    if $line[0:1] == "\u0001" then .ended = (if .file then {file, lines} else null end) | .file = $line[1:] | .lines = []
    else .ended = null | .lines += [$line] end;
    .ended | values | .file as $file | (.lines | (try map(fromjson) catch null)) |
    "\($file): \(if . == null then "is not JSON lines" elif . == [] then empty
        # Of many sessions each line is a body.
        elif length > 1 and all(type == "object" and has("messages")) then .[] | [.] | faults else faults end)")
'

# api_faults PROGRAM FILE...
api_faults() {
    named_lines "${@:2}" | jq -n -R -r "$api_common$1$api_files"
}

openai_faults() { api_faults "$openai_program" "$@"; }
anthropic_faults() { api_faults "$anthropic_program" "$@"; }
