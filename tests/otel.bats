#!/usr/bin/env bats
#
# ctx-normalize --from otel: messages of OpenTelemetry's conventions for generative AI.

load helper
load dialogue
unsourced

# said ROLE PART...: a message; text TEXT: a part.
said() { printf '{"role":"%s","parts":[%s]}\n' "$1" "$(IFS=,; echo "${*:2}")"; }
text() { printf '{"type":"text","content":"%s"}' "$1"; }

@test "otel: messages, on lines, in a list and as attributes" {
    {
        said user "$(text A)" '{"type":"blob","modality":"image","mime_type":"image/png","content":"A"}' '{"type":"uri","modality":"image","uri":"http://x/y.png"}'
        said assistant '{"type":"reasoning","content":"t"}' "$(text B)" '{"type":"tool_call","id":"1","name":"f","arguments":{"a":1}}' '{"type":"tool_call","id":"2","name":"g","arguments":"{}"}'
        said tool '{"type":"tool_call_response","id":"2","response":{"k":[1]}}' '{"type":"tool_call_response","id":"1","result":"x"}'
        raw '{"role":"assistant","parts":[{"type":"text","content":"C"}],"finish_reason":"stop"}'
    } >in
    local messages=("$(user '[{"type":"text","text":"A"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"A"}},{"type":"image_url","image_url":{"url":"http://x/y.png"}}]')"
        "$(acts '[{"type":"thinking","thinking":"t"},{"type":"text","text":"B"}]' "$(call 1 f '{"a":1}')" "$(call 2 g '{}')")"
        "$(gets 1 x)" "$(gets 2 '{\"k\":[1]}')" "$(says C '"x_otel":{"finish_reason":"stop"}')")
    makes ctx-normalize "${messages[@]}"
    makes 'ctx-normalize --from otel' "${messages[@]}"
    jq -cs . in >list
    same 'a list' <(ctx-normalize in) <(ctx-normalize list)
    jq -cs '{"gen_ai.input.messages": .[:3], "gen_ai.output.messages": .[3:]}' in >event
    same 'an event' <(ctx-normalize in) <(ctx-normalize event)
    jq -c '{name: "chat", attributes: ({"gen_ai.system_instructions": [{type: "text", content: "S"}]} + .)}' event >span
    same 'a span' <(system S; ctx-normalize in) <(ctx-normalize span)
}

@test "otel: what is not understood stays, and is named" {
    said user "$(text A)" '{"type":"x","y":1}' >in
    makes ctx-normalize "$(user '[{"type":"text","text":"A"},{"type":"x","y":1}]')"
    raw '{"gen_ai.input.messages":[{"role":"user","parts":[{"type":"text","content":"A"}]},7.5,{"no":"role"}]}' >in
    makes ctx-normalize "$(user A)" 7.5 '{"no":"role"}' \
        '>>>2 ctx-normalize: in:1: unknown-shape: element 2 of a list is not understood' \
        '>>>2 ctx-normalize: in:1: unknown-shape: element 3 of a list is not understood' '>>>= 65'
}

@test "otel: real messages say what jq finds in them, and go out as the APIs take them" {
    local file count=0 api
    [[ -d $CTX_SHARED/otel-genai ]] || skip 'no transcripts beside the tree'
    for file in "$CTX_SHARED"/otel-genai/extracted/*.jsonl; do
        same "$file" <(jq -c '[.role, ([.parts[].content?] | add), [.parts[] | select(.type == "tool_call").name], [.parts[] | .id // empty]]' "$file") \
            <(ctx-normalize "$file" | jq -c '[.role, (if .role == "tool" then null else .content end), [.tool_calls[]?.function.name], [.tool_calls[]?.id, .tool_call_id // empty]]')
        same "$file: results" <(jq -c '.parts[] | select(.type == "tool_call_response").response' "$file") \
            <(ctx-normalize "$file" | jq -c 'select(.role == "tool").content')
        for api in openai anthropic; do
            ctx-normalize --open-calls drop --to "$api" "$file" | ctx-normalize --check --to "$api"
        done
        count=$((count + 1))
    done
    ((count > 0))
}
