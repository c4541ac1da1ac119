#!/usr/bin/env bats
#
# ctx-normalize --from langchain: messages of LangChain.

load helper
load dialogue
unsourced

# said TYPE KWARGS: a message in the shape that TO_SHAPE makes of it; KWARGS is the inside of an object.
constructor() { printf '{"lc":1,"type":"constructor","id":["langchain_core","messages","%s"],"kwargs":{%s}}\n' "$1" "$2"; }
declare -A type=([HumanMessage]=human [AIMessage]=ai [SystemMessage]=system [ToolMessage]=tool [RemoveMessage]=remove)
stored() { printf '{"type":"%s","data":{%s}}\n' "${type[$1]}" "$2"; }
flat() { printf '{"type":"%s",%s}\n' "${type[$1]}" "$2"; }

talk() {
    "$1" SystemMessage '"content":"S","additional_kwargs":{}'
    "$1" HumanMessage '"id":"h","content":[{"type":"text","text":"Is it lit?"},{"type":"image_url","image_url":"u"}],"additional_kwargs":{}'
    "$1" AIMessage '"id":"r","content":[{"type":"thinking","thinking":"t","signature":"s"},{"type":"text","text":"I look."},{"type":"tool_use","id":"c1","name":"look","input":{"at":1}}],"additional_kwargs":{"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]},"response_metadata":{"model_name":"m"},"usage_metadata":{"input_tokens":1,"output_tokens":2},"tool_calls":[{"name":"look","args":{"at":1},"id":"c1","type":"tool_call"},{"name":"ring","args":{},"id":"c2"}],"invalid_tool_calls":[{"name":"bad","args":"{","id":"c3","error":"E"}]'
    "$1" ToolMessage '"id":"t2","content":"no bell","tool_call_id":"c2","name":"ring","status":"error"'
    "$1" ToolMessage '"id":"t1","content":[{"type":"text","text":"lit"}],"tool_call_id":"c1","status":"success"'
    "$1" ToolMessage '"content":"no","tool_call_id":"c3"'
    "$1" AIMessage '"content":"It is.","additional_kwargs":{"reasoning_content":"so","refusal":null},"tool_calls":[]'
}

messages=("$(system S)"
    "$(user '[{"type":"text","text":"Is it lit?"},{"type":"image_url","image_url":{"url":"u"}}]' '"id":"h"')"
    '{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"s"},{"type":"text","text":"I look."}],"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{\"at\":1}"}},{"id":"c2","type":"function","function":{"name":"ring","arguments":"{}"}},{"id":"c3","type":"function","function":{"name":"bad","arguments":"{"},"x_langchain":{"error":"E"}}],"metadata":{"model":"m","id":"r","usage":{"input_tokens":1,"output_tokens":2}}}'
    "$(gets c1 lit '"id":"t1","is_error":false')" "$(gets c2 'no bell' '"id":"t2","tool_name":"ring","is_error":true')" "$(gets c3 no)"
    "$(says '[{"type":"thinking","thinking":"so"},{"type":"text","text":"It is."}]' '"x_langchain":{"additional_kwargs":{"reasoning_content":"so","refusal":null}}')")

@test "langchain: the three shapes, on lines, in lists and in states, are the same messages" {
    local shape
    for shape in constructor stored flat; do
        talk "$shape" >in
        cp in lines
        makes ctx-normalize "${messages[@]}"
        makes 'ctx-normalize --from langchain' "${messages[@]}"
        jq -cs . lines >in
        makes ctx-normalize "${messages[@]}"
        jq -cs '[.]' lines >in
        makes 'ctx-normalize --from langchain' "${messages[@]}"
        jq -cs '{messages: .}' lines >in
        makes ctx-normalize "${messages[@]}"
        jq -cs '{values: {messages: .}}' lines >in
        makes 'ctx-normalize --from langchain' "${messages[@]}"
    done
    talk flat >in
    ctx-budget --json in >of
    ctx-normalize in | ctx-budget --json >made
    same 'what looks reads it, too' made of
    spec <<'END'
ctx-normalize -v in 2>&1 >/dev/null | sed 's/.*; no conversation/no conversation/'
>>> no conversation: 1 call that is said twice
END
    rm lines of made
}

@test "langchain: calls that stand in one place only" {
    flat AIMessage '"content":[{"type":"tool_use","id":"c1","name":"f","input":{"a":1}}]' >in
    makes 'ctx-normalize --open-calls keep' "$(acts null "$(call c1 f '{"a":1}')")"
    flat AIMessage '"content":"","additional_kwargs":{"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}],"refusal":"No."}' >in
    makes 'ctx-normalize --open-calls keep | jq -c "[.content, .tool_calls[0].function]"' '["No.",{"name":"f","arguments":"{}"}]'
    flat AIMessage '"content":[{"type":"text","text":"s"},{"type":"reasoning","summary":[{"text":"a"},{"text":"b"}]},{"type":"tool_call","id":"c1","name":"f","args":{}}]' >in
    makes 'ctx-normalize --open-calls keep | jq -c "[.content, .tool_calls[0].function.name]"' '[[{"type":"text","text":"s"},{"type":"thinking","thinking":"a\n\nb"}],"f"]'
    # A picture, and what is no part.
    flat HumanMessage '"content":[{"type":"image","source_type":"base64","mime_type":"image/png","data":"A"},{"type":"x","y":1},7]' >in
    makes 'ctx-normalize' '{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"A"}},{"type":"x","y":1}],"metadata":{"x_langchain":{"element":3,"content":7}}}' \
        '>>>2 ctx-normalize: in:1: unknown-shape: a part of a content that is none' '>>>= 65'
}

@test "langchain: what a RemoveMessage names is gone" {
    { flat HumanMessage '"id":"a","content":"A"'; flat AIMessage '"id":"b","content":"B"'; flat HumanMessage '"id":"c","content":"C"'; flat RemoveMessage '"id":"b","content":""'; flat AIMessage '"id":"d","content":"D"'; } >in
    makes 'ctx-normalize | jq -r .content' A C D
    makes 'ctx-normalize --all | jq -r .content' A B C D
    { cat in; flat RemoveMessage '"id":"?","content":""'; constructor RemoveMessage '"id":"__remove_all__"'; flat HumanMessage '"content":"E"'; } >again
    mv again in
    makes 'ctx-normalize | jq -r .content' E
}

@test "langchain: what is not understood stays, and is named" {
    raw '[{"type":"human","content":"a"},{"type":"human"},{"type":"odd","content":"b"},7.5]' >in
    makes ctx-normalize "$(user a)" '{"type":"odd","content":"b"}' 7.5 \
        '>>>2 ctx-normalize: in:1: unknown-shape: element 3 of a list is not understood' \
        '>>>2 ctx-normalize: in:1: unknown-shape: element 4 of a list is not understood' '>>>= 65'
}

@test "langchain: real files say what jq finds in them, and go out as the APIs take them" {
    local file count=0
    [[ -d $CTX_SHARED/langchain ]] || skip 'no transcripts beside the tree'
    for file in "$CTX_SHARED"/langchain/extracted/*.jsonl; do
        cp "$file" real
        # The trace of a Langfuse has them in strings.
        same "$file" <(jq -c '[.type, (.content | tostring), ([.tool_calls[]?.id] | join(" ")), .tool_call_id]' real) \
            <(ctx-normalize real | jq -c '[(.role | {user: "human", assistant: "ai"}[.] // .), (.content // ""), ([.tool_calls[]?.id] | join(" ")), .tool_call_id]')
        ctx-normalize --to openai real | ctx-normalize --check --to openai
        ctx-normalize --to anthropic real | ctx-normalize --check --to anthropic
        count=$((count + 1))
    done
    jq -c '[.trace.output | fromjson | fromjson]' "$CTX_SHARED"/langchain/langfuse-langfuse/*.json | jq -c '.[]' >real
    same 'a state' <(jq -c '.messages[] | [.id[-1], .kwargs.content]' real) \
        <(ctx-normalize real | jq -c '[(.role | {user: "HumanMessage", assistant: "AIMessage", tool: "ToolMessage"}[.]), (.content // "")]')
    ((count > 0))
}
