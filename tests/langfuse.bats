#!/usr/bin/env bats
#
# ctx-normalize --from langfuse: traces of Langfuse, whose messages are those of APIs and libraries.

load helper
load dialogue
unsourced

# text JSON: a value as JSON in a string.
text() {
    jq -c tojson <<<"$1"
}

# trace INPUT OUTPUT [OBSERVATION...]: a trace that has no session.
trace() {
    local all=
    printf '{"trace":{"id":"t","sessionId":null,"input":%s,"output":%s},"observations":[' "$1" "$2"
    shift 2
    for one; do all+=,$one; done
    printf '%s]}\n' "${all:1}"
}

# generation TIME INPUT OUTPUT
generation() {
    printf '{"type":"GENERATION","startTime":"%s","input":%s,"output":%s}' "$@"
}

at='"session_id":"t"'

@test "langfuse: what went into a trace and came out of it, or texts of the user and the assistant" {
    trace "[$(user a)]" "$(says b)" "$(generation 1 "[$(user x)]" "$(says y)")" >in
    makes ctx-normalize "$(user a "$at")" "$(says b "$at")"
    same 'by name' <(ctx-normalize in) <(ctx-normalize --from langfuse in)
    same 'what looks reads it, too' <(ctx-normalize in | ctx-budget --json) <(ctx-budget --json in)
    # As JSON in strings, once or twice; messages of another format; the session of the trace.
    trace "$(text "[$(user a)]")" "$(text "$(text "$(says b)")")" >in
    makes ctx-normalize "$(user a "$at")" "$(says b "$at")"
    trace '[{"role":"user","parts":[{"type":"text","content":"a"}]}]' '[{"role":"assistant","parts":[{"type":"text","content":"b"}]}]' >in
    makes ctx-normalize "$(user a "$at")" "$(says b "$at")"
    raw '{"id":"t","projectId":"p","sessionId":"s","input":"a","output":"\"b\"","observations":[]}' >in
    makes ctx-normalize "$(user a '"session_id":"s"')" "$(says b '"session_id":"s"')"
}

@test "langfuse: the state of a graph has all, and else the newest generation" {
    trace "[$(user a)]" "{\"messages\":[{\"type\":\"human\",\"content\":\"a\",\"additional_kwargs\":{}},{\"type\":\"ai\",\"content\":\"b\",\"additional_kwargs\":{}}]}" \
        "$(generation 2 "[$(user x)]" "$(says y)")" >in
    makes ctx-normalize "$(user a "$at")" "$(says b "$at")"
    trace '"a"' '"z"' "$(generation 1 "[$(user a)]" "$(says b)")" \
        "$(generation 3 "$(text "[$(user a),$(says b),$(user c)]")" "{\"index\":0,\"message\":$(says d)}")" \
        "$(generation 2 "[$(user e)]" null)" "$(generation 4 '{"x":1}' "$(says f)")" '{"type":"SPAN","startTime":"9","input":[],"output":null}' >in
    makes ctx-normalize "$(user a "$at")" "$(says b "$at")" "$(user c "$at")" "$(says d "$at")"
}

@test "langfuse: a trace without messages stays, and is named" {
    { trace null '{"x":1}' "$(generation 1 '{"x":1}' null)"; trace 7 '""'; } >in
    makes ctx-normalize 1-2 '>>>2 ctx-normalize: in:1: unknown-shape: what is inside is not understood' \
        '>>>2 ctx-normalize: in:2: unknown-shape: what is inside is not understood' '>>>= 65'
}

@test "langfuse: the real traces have their messages" {
    local file count=0
    for file in "$CTX_SHARED"/*/langfuse-langfuse/*.trace.json; do
        ctx-normalize "$file" >out || fail "$file"
        grep -q '"role": *"assistant"' out || fail "$file: no answer"
        grep -q '"role": *"user"' out || fail "$file: no question"
        count=$((count + 1))
        rm out
    done
    ((count == 0 || count == 7)) || fail "$count traces"
}
