#!/usr/bin/env bats
#
# ctx-normalize --from batch: lines of the batches of APIs, a session each.

load helper
load dialogue

# sends ID BODY, got ID BODY: lines of OpenAI's batches, of a request and of an answer.
sends() {
    printf '{"custom_id":"%s","method":"POST","url":"/v1/x","body":%s}\n' "$1" "$2"
}

got() {
    printf '{"id":"b","custom_id":"%s","response":{"status_code":200,"request_id":"q","body":%s},"error":null}\n' "$1" "$2"
}

@test "batch: requests and answers of OpenAI's chat completions, whose session is the id of the caller" {
    {
        sends r1 "{\"model\":\"m\",\"temperature\":1,\"messages\":[$(system S),$(user a)]}"
        sends r2 "{\"model\":\"m\",\"messages\":[$(user b)]}"
        got r2 "{\"id\":\"i\",\"object\":\"chat.completion\",\"model\":\"m\",\"choices\":[{\"index\":0,\"message\":$(says c)}],\"usage\":{\"total_tokens\":1}}"
    } >in
    makes ctx-normalize '{"type":"context","metadata":{"request":{"model":"m","temperature":1},"session_id":"r1"}}' \
        "$(system S '"session_id":"r1"')" "$(user a '"session_id":"r1"')" \
        '{"type":"context","metadata":{"request":{"model":"m"},"session_id":"r2"}}' "$(user b '"session_id":"r2"')" \
        "$(says c '"id":"i","model":"m","usage":{"total_tokens":1},"session_id":"r2"')"
    same 'by name' <(ctx-normalize in) <(ctx-normalize --from batch in)
    same 'a second run' <(ctx-normalize in) <(ctx-normalize in | ctx-normalize)
    same 'what looks reads it, too' <(ctx-normalize in | ctx-budget --json) <(ctx-budget --json in)
}

@test "batch: sessions stay apart in a second run with their key, also those that are interleaved" {
    {
        sends r "{\"model\":\"m\",\"messages\":[$(user a)]}"
        sends s "{\"model\":\"m\",\"messages\":[$(user b),$(wants c:f),$(gets c x)]}"
        got r "{\"choices\":[{\"message\":$(wants c:f)}]}"
        got s "{\"choices\":[{\"message\":$(says c)}]}"
    } >in
    ctx-normalize --open-calls keep in >once
    same 'a second run' once <(ctx-normalize --open-calls keep --session-key metadata.session_id once)
    rm once
}

@test "batch: requests and answers of the Responses API" {
    {
        sends r '{"model":"m","instructions":"S","input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"a"}]}]}'
        sends s '{"model":"m","input":"a"}'
        got r '{"object":"response","model":"m","output":[{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}]}'
    } >in
    makes ctx-normalize '{"type":"context","metadata":{"request":{"model":"m"},"session_id":"r"}}' \
        "$(system S '"session_id":"r"')" "$(user a '"session_id":"r"')" \
        '{"type":"context","metadata":{"request":{"model":"m"},"session_id":"s"}}' "$(user a '"session_id":"s"')" \
        "$(calls c f '{}' '"model":"m","session_id":"r"')"
}

@test "batch: requests and answers of Anthropic and of Gemini" {
    {
        raw "{\"custom_id\":\"a\",\"params\":{\"model\":\"c\",\"system\":\"S\",\"messages\":[$(user a)]}}"
        raw '{"custom_id":"a","result":{"type":"succeeded","message":{"id":"i","type":"message","role":"assistant","model":"c","content":[{"type":"text","text":"b"}]}}}'
    } >in
    makes ctx-normalize '{"type":"context","metadata":{"request":{"model":"c"},"session_id":"a"}}' "$(system S '"session_id":"a"')" \
        "$(user a '"session_id":"a"')" "$(says b '"id":"i","model":"c","session_id":"a"')"
    raw '{"key":"k","request":{"contents":[{"role":"user","parts":[{"text":"a"}]}]}}' \
        '{"key":"k","response":{"candidates":[{"content":{"role":"model","parts":[{"text":"b"}]},"finishReason":"STOP"}]}}' >in
    makes ctx-normalize "$(user a '"session_id":"k"')" "$(says b '"session_id":"k"')"
}

@test "batch: a request that failed is counted, and so is one without messages" {
    {
        sends r "{\"messages\":[$(user a)],\"model\":\"m\"}"
        got r '{"error":{"message":"no"}}'
        raw '{"custom_id":"s","response":null,"error":{"code":"batch_expired"}}' '{"custom_id":"t","result":{"type":"errored","error":{}}}' \
            '{"custom_id":"u","url":"/v1/embeddings","body":{"model":"m","input":"x"}}'
    } >in
    makes 'ctx-normalize -v' '{"type":"context","metadata":{"request":{"model":"m"},"session_id":"r"}}' "$(user a '"session_id":"r"')" \
        '>>>2 ctx-normalize: 5 records, 1 messages in; 1 messages out, 1 changed; 1 records added; 1 messages made; no conversation: 3 request that failed, 1 request without messages'
}

@test "batch: what is no request of an API stays in its place, and is named" {
    {
        sends r "{\"messages\":[$(user a)],\"model\":\"m\"}"
        sends s "$(sends t "{\"messages\":[$(user b)]}")"
        sends u '{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"c"}]}}'
        raw '{"custom_id":"v","body":{"x":1}}' '{"custom_id":7,"body":{"model":"m","messages":[]}}'
    } >in
    makes 'ctx-normalize' '{"type":"context","metadata":{"request":{"model":"m"},"session_id":"r"}}' "$(user a '"session_id":"r"')" 2-5 \
        '>>>2 ctx-normalize: in:2: unknown-shape: what is inside is not understood' \
        '>>>2 ctx-normalize: in:3: unknown-shape: what is inside is not understood' \
        '>>>2 ctx-normalize: in:4: unknown-shape: what is inside is not understood' '>>>= 65'
}

@test "batch: a file that is to be replaced names the format" {
    sends r "{\"messages\":[$(user a)],\"model\":\"m\"}" >in
    status_of 65 ctx-normalize --repair -i in 2>said
    same 'named' <(echo 'ctx-normalize: in: looks like batch; try ctx-normalize --from batch in >NEW') said
    rm said
}
