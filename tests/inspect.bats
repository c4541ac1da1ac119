#!/usr/bin/env bats
#
# ctx-normalize --from inspect: logs of Inspect, and samples of them.

load helper
load dialogue
unsourced

sample='{"id":7,"epoch":1,"input":"a","target":"t","uuid":"u1","messages":[
    {"id":"m1","role":"system","content":"S","source":"input"},
    {"id":"m2","role":"user","content":[{"type":"text","text":"a"},{"type":"image","image":"data:image/png;base64,A","detail":"auto"}]},
    {"id":"m3","role":"assistant","content":[{"type":"reasoning","reasoning":"r","signature":"g"},{"type":"text","text":"b"}],"source":"generate","model":"m","tool_calls":[
        {"id":"c1","function":"bash","arguments":{"cmd":"ls"},"view":{"title":"bash"},"type":"function"},
        {"id":"c2","function":"bash","arguments":{"cmd":"cd"},"type":"function","parse_error":"p"}]},
    {"id":"m4","role":"tool","content":"o","tool_call_id":"c1","function":"bash"},
    {"id":"m5","role":"tool","content":"","tool_call_id":"c2","function":"bash","error":{"type":"timeout","message":"too long"}},
    {"role":"assistant","content":[{"type":"reasoning","reasoning":"E","redacted":true},{"type":"text","text":"Done."}]}]}'

@test "inspect: the messages of each sample, a session each" {
    jq -c '{version: 2, status: "success", eval: {task: "t", packages: {inspect_ai: "0.3"}}, samples: [., (.uuid = "u2" | .epoch = 2 | .messages |= .[:1])]}' <<<"$sample" >in
    local at='"session_id":"u1"'
    makes ctx-normalize "$(system S "$at,\"id\":\"m1\"")" \
        "$(user '[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"data:image/png;base64,A"}}]' "$at,\"id\":\"m2\"")" \
        "$(acts '[{"type":"thinking","thinking":"r","x_inspect":{"signature":"g"}},{"type":"text","text":"b"}]' "$(call c1 bash '{"cmd":"ls"}')" \
            "$(call c2 bash '{"cmd":"cd"}' | sed 's/}$/,"x_inspect":{"parse_error":"p"}}/')" "$at,\"model\":\"m\",\"id\":\"m3\"")" \
        "$(gets c1 o "$at,\"id\":\"m4\",\"tool_name\":\"bash\"")" \
        "$(gets c2 'too long' "$at,\"id\":\"m5\",\"tool_name\":\"bash\",\"is_error\":true")" \
        "$(says '[{"type":"reasoning","reasoning":"E","redacted":true},{"type":"text","text":"Done."}]' "$at")" \
        "$(system S '"session_id":"u2","id":"m1-2"')"
    same 'by name' <(ctx-normalize in) <(ctx-normalize --from inspect in)
    same 'what looks reads it, too' <(ctx-normalize in | ctx-budget --json) <(ctx-budget --json in)
    # A sample alone, and one on many lines.
    jq -c . <<<"$sample" >one
    same 'alone' <(ctx-normalize in | head -n 6) <(ctx-normalize one)
    same 'a document' <(ctx-normalize one) <(jq . one | ctx-normalize | jq -c . | sed 's/\\": \\"/\\":\\"/g')
    rm one
}

@test "inspect: what is not understood stays, and is named; a log without samples has no messages" {
    raw '{"eval":{"task":"t"},"samples":[{"id":1,"messages":[{"role":"user","content":"a"},{"role":"odd","content":"b"},7.5]},{"id":2}]}' >in
    makes 'ctx-normalize | jq -c ".content? // ."' '"a"' '"b"' 7.5 '{"id":2}' \
        '>>>2 ctx-normalize: in:1: unknown-shape: element 2 of a list is not understood' \
        '>>>2 ctx-normalize: in:1: unknown-shape: element 3 of a list is not understood' \
        '>>>2 ctx-normalize: in:1: unknown-shape: element 2 of a list is not understood' '>>>= 65'
    raw '{"eval":{"task":"t"},"samples":[]}' >in
    makes 'ctx-normalize' 1 '>>>2 ctx-normalize: no messages in the input' '>>>= 65'
}

@test "inspect: every message of the real logs is there" {
    local file
    for file in "$CTX_SHARED"/other-inspect-ai/**/*.json; do
        same "${file##*/}" <(jq -c '.samples[]?.messages[] | [.role, .id]' "$file") \
            <(ctx-normalize "$file" 2>/dev/null | jq -c 'select(.role) | [.role, .metadata.id]')
    done
}
