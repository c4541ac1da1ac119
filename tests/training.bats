#!/usr/bin/env bats
#
# ctx-normalize --from training: lines of data sets for training, a session each.

load helper
load dialogue

# told: the records without the session that each line is.
told() {
    sed -E 's/"session_id":"line-[0-9a-f]{32}(-[0-9]+)?",//; s/,?"session_id":"line-[0-9a-f]{32}(-[0-9]+)?"//; s/,"metadata":\{\}//'
}
export -f told

# beside MEMBERS: the context record of what a line has beside its conversation.
beside() {
    printf '{"type":"context","metadata":{"request":{%s}}}' "$1"
}

@test "training: prompts with completions, as texts and as messages" {
    raw '{"prompt":"a\n\u0041","completion":" b","label":true}' \
        "{\"prompt\":[$(user a),$(says b)],\"completion\":[$(says c)]}" "{\"prompt\":[$(user d)],\"id\":7}" \
        "{\"prompt\":[$(user e)],\"completion\":\"f\"}" >in
    makes 'ctx-normalize | told' "$(beside '"label":true')" "$(user 'a\n\u0041')" "$(says ' b')" "$(user a)" "$(says b)" \
        "$(says c)" "$(beside '"id":7')" "$(user d)" "$(user e)" "$(says f)"
    same 'by name' <(ctx-normalize in) <(ctx-normalize --from training in)
    same 'what looks reads it, too' <(ctx-normalize in | ctx-budget --json) <(ctx-budget --json in)
}

@test "training: of preferences the chosen answer is the conversation, the rejected one is kept" {
    raw '{"prompt":"a","chosen":"b","rejected":"c"}' '{"system":"S","question":"a","chosen":"b","rejected":"c"}' \
        "{\"prompt\":[$(user a)],\"chosen\":[$(says b)],\"rejected\":[$(says c)]}" \
        "{\"prompt\":\"p\",\"chosen\":[$(user a),$(says b)],\"rejected\":[$(user a),$(says c)]}" \
        '{"chosen":"whole","rejected":"other"}' >in
    makes 'ctx-normalize | told' "$(beside '"rejected":"c"')" "$(user a)" "$(says b)" \
        "$(beside '"rejected":"c"')" "$(system S)" "$(user a)" "$(says b)" \
        "$(beside "\"rejected\":[$(says c)]")" "$(user a)" "$(says b)" \
        "$(beside "\"prompt\":\"p\",\"rejected\":[$(user a),$(says c)]")" "$(user a)" "$(says b)" \
        "$(beside '"rejected":"other"')" "$(says whole)"
}

@test "training: preferences of OpenAI, with their tools" {
    local tools='[{"type":"function","function":{"name":"f"}}]'
    raw "{\"input\":{\"messages\":[$(user a)],\"tools\":$tools,\"parallel_tool_calls\":true},\"preferred_output\":[$(says b)],\"non_preferred_output\":[$(says c)]}" >in
    makes 'ctx-normalize | told' \
        "{\"type\":\"context\",\"tools\":$tools,\"metadata\":{\"request\":{\"parallel_tool_calls\":true,\"non_preferred_output\":[$(says c)]}}}" \
        "$(user a)" "$(says b)"
}

@test "training: Alpaca: the input is on the line behind the instruction, the history comes first" {
    raw '{"instruction":"a","input":"x\ny","output":"b","system":"S","history":[["h","i"],["j","k"]]}' \
        '{"instruction":"a","input":"","output":"b"}' '{"instruction":"a","output":"b","history":null,"kto_tag":false}' \
        '{"instruction":"a","input":"x","chosen":"b","rejected":"c","model":"m"}' >in
    makes 'ctx-normalize | told' "$(system S)" "$(user h)" "$(says i)" "$(user j)" "$(says k)" "$(user 'a\nx\ny')" "$(says b)" \
        "$(user a)" "$(says b)" "$(beside '"kto_tag":false')" "$(user a)" "$(says b)" \
        "$(beside '"rejected":"c","model":"m"')" "$(user 'a\nx')" "$(says b)"
    # The file of the data set is one array.
    jq -s . in >array
    same 'array' <(ctx-normalize in | told | jq -c .) <(ctx-normalize array | told | jq -c .)
    rm array
}

@test "training: each line is a session, by its bytes alone" {
    local line='{"prompt":"a","completion":"b"}'
    raw "$line" "$line" >in
    makes ctx-normalize "$(user a "$(of_line "$line")")" "$(says b "$(of_line "$line")")" \
        "$(user a "$(of_line "$line" -2)")" "$(says b "$(of_line "$line" -2)")"
    same 'a second run' <(ctx-normalize in) <(ctx-normalize in | ctx-normalize)
}

@test "training: what is no message stays in its place, and is named; what is no conversation, too" {
    raw '{"prompt":["a"],"completion":"b"}' '{"instruction":"a","output":"b","history":[["h","i","j"],["k",7]]}' \
        "{\"prompt\":\"a\",\"completion\":[$(says b),null]}" >in
    makes 'ctx-normalize | told' '"a"' "$(says b)" "$(user h)" "$(says i)" "$(user j)" '["k",7]' "$(user a)" "$(says b)" \
        "$(user a)" "$(says b)" null \
        '>>>2 ctx-normalize: in:1: unknown-shape: 1 turn of a conversation without a speaker' \
        '>>>2 ctx-normalize: in:2: unknown-shape: 1 turn of a conversation without a speaker' \
        '>>>2 ctx-normalize: in:3: unknown-shape: 1 turn of a conversation without a speaker' '>>>= 65'
    raw '{"prompt":"a"}' '{"text":"a"}' '{"prompt":"a","chosen":1,"rejected":0}' '{"instruction":7,"output":"a"}' >in
    makes 'ctx-normalize --from training' 1-4 '>>>2 ctx-normalize: no messages in the input' '>>>= 65'
    raw "$(user a)" '{"role":"user","content":"a","prompt":"p","completion":"c"}' \
        "{\"messages\":[$(user a)],\"prompt\":\"p\",\"completion\":\"c\"}" >in
    makes 'ctx-normalize | told' 1-2 "$(beside '"prompt":"p","completion":"c"')" 1
}
