#!/usr/bin/env bats
#
# ctx-normalize --from hf-trace: traces in the format of Hugging Face's viewer.

load helper
load dialogue
unsourced

# line MESSAGE: a message of a trace.
line() {
    printf '{"type":"message","message":%s}\n' "$1"
}

@test "hf-trace: messages, calls and their results, and the header that names the session" {
    {
        raw '{"type":"session","harness":"my-agent","id":"s","name":"a title"}'
        line '{"role":"system","content":"S"}'
        line '{"role":"user","content":"a","timestamp":1782918000000}'
        line '{"role":"assistant","content":"","reasoningContent":"r","toolCalls":[{"id":"t1","function":{"name":"f","arguments":"{\"x\":1}"}}],"model":"m"}'
        line '{"role":"tool","toolCallId":"t1","content":"o","y":2}'
        line '{"role":"assistant","content":"Done."}'
    } >in
    makes ctx-normalize "$(system S '"session_id":"s"')" "$(user a '"session_id":"s","timestamp":1782918000000')" \
        "$(acts '[{"type":"thinking","thinking":"r"}]' "$(call t1 f '{"x":1}')" '"session_id":"s","model":"m"')" \
        "$(gets t1 o '"session_id":"s","x_hf_trace":{"y":2}')" "$(says Done. '"session_id":"s"')"
    same 'by name' <(ctx-normalize in) <(ctx-normalize --from hf-trace in)
    same 'what looks reads it, too' <(ctx-normalize in | ctx-budget --json) <(ctx-budget --json in)
    # Without the header a call tells the format, too; a session of pi with a harness stays one.
    same 'no header' <(ctx-normalize in | tail -n 3 | sed 's/"session_id":"s",\?//; s/,"metadata":{}//') <(tail -n 3 in | ctx-normalize)
    raw '{"type":"session","version":3,"harness":"pi","id":"s","timestamp":"t","cwd":"/"}' \
        '{"type":"message","id":"a","parentId":null,"timestamp":"t","message":{"role":"user","content":"u"}}' >in
    makes ctx-normalize "$(user u '"session_id":"s","timestamp":"t","id":"a"')"
}

@test "hf-trace: two sessions in one file, and what is not understood" {
    {
        raw '{"type":"session","harness":"h","id":"s"}'
        line '{"role":"user","content":"a"}'
        line '{"role":"odd","content":"b"}'
        raw '{"type":"session","harness":"h","id":"t"}'
        line '{"role":"user","content":[{"type":"text","text":"c"},{"type":"x"}]}'
    } >in
    makes 'ctx-normalize' "$(user a '"session_id":"s"')" 3 \
        '{"role":"user","content":[{"type":"text","text":"c"},{"type":"x"}],"metadata":{"session_id":"t"}}' \
        '>>>2 ctx-normalize: in:3: unknown-shape: a message that is not understood; looks like no known format' '>>>= 65'
}
