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

# otlp: a value of JSON as an AnyValue of OTLP.
otlp() {
    jq -c 'def any: if type == "object" then {kvlistValue: {values: (to_entries | map({key, value: (.value | any)}))}}
            elif type == "array" then {arrayValue: {values: map(any)}} elif type == "number" then {intValue: tojson}
            elif type == "boolean" then {boolValue: .} elif . == null then {} else {stringValue: .} end; any'
}

@test "otel: attributes as JSON in strings, and in the lists of OTLP" {
    local input='[{"role":"user","parts":[{"type":"text","content":"A \"é\""}]},{"role":"assistant","parts":[{"type":"tool_call","id":"1","name":"f","arguments":{"a":-1,"b":[true,null,"x"]}}]}]'
    local output='[{"role":"tool","parts":[{"type":"tool_call_response","id":"1","response":"x"}]},{"role":"assistant","parts":[{"type":"text","content":"C"}],"finish_reason":"stop"}]'
    jq -cn --argjson i "$input" --argjson o "$output" '{"gen_ai.input.messages": $i, "gen_ai.output.messages": $o, "gen_ai.system_instructions": [{type: "text", content: "S"}], "gen_ai.usage.output_tokens": 1}' >event
    local messages=("$(system S)" "$(user 'A \"é\"')" "$(acts null "$(call 1 f '{"a":-1,"b":[true,null,"x"]}')")" "$(gets 1 x)" "$(says C '"x_otel":{"finish_reason":"stop"}')")
    cp event in
    makes ctx-normalize "${messages[@]}"
    jq -c 'map_values(if type == "array" then tojson else . end) | {name: "chat", attributes: .}' event >in
    makes ctx-normalize "${messages[@]}"
    jq -c '{attributes: (to_entries | map({key, value: {stringValue: (.value | tojson)}}))}' event >in
    makes ctx-normalize "${messages[@]}"
    otlp <event | jq -c '{name: "chat", attributes: .kvlistValue.values}' >in
    makes ctx-normalize "${messages[@]}"
    # What is no integer stays a string; what is no list of messages is no span.
    sed 's/"intValue":"-1"/"intValue":"-01"/' in >out
    ctx-normalize out | grep -q '\\"a\\":\\"-01\\"'
    raw '{"attributes":{"gen_ai.input.messages":"text"}}' '{"attributes":[{"key":"gen_ai.input.messages","value":{"stringValue":"{}"}},7]}' '{"attributes":[]}' >in
    makes ctx-normalize 1-3 '>>>2 ctx-normalize: no messages in the input' '>>>= 65'
    rm event out
}

@test "otel: the events of the conventions before 1.37" {
    raw '{"name":"gen_ai.system.message","body":{"content":"S"}}' '{"eventName":"gen_ai.user.message","body":{"kvlistValue":{"values":[{"key":"content","value":{"stringValue":"a"}}]}}}' \
        '{"attributes":{"event.name":"gen_ai.assistant.message"},"body":{"content":"b","tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}]}}' \
        '{"event.name":"gen_ai.tool.message","id":"1","content":"x"}' \
        '{"attributes":[{"key":"event.name","value":{"stringValue":"gen_ai.choice"}}],"body":{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"c"}}}' >in
    local messages=("$(system S)" "$(user a)" "$(acts b "$(call 1 f '{"a":1}')")" "$(gets 1 x)" "$(says c)")
    makes ctx-normalize "${messages[@]}"
    makes 'ctx-normalize --from otel' "${messages[@]}"
    raw '{"name":"chat","events":[{"name":"gen_ai.user.message","attributes":{"content":"a"}},{"name":"other"},{"name":"gen_ai.choice","attributes":{"content":"b"}}]}' >in
    makes ctx-normalize "$(user a)" "$(says b)"
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
