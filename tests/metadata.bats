#!/usr/bin/env bats
#
# Values called metadata that are none: the user's own, which no command overwrites.

load helper

# A session in which what is called metadata is no object, but once.
noted() {
    cat <<END
{"role":"user","content":"Read the log.","metadata":"note of mine"}
{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"log\"}"}}],"metadata":["note","of","mine"]}
{"role":"tool","tool_call_id":"c1","content":"$(printf 'the tide rises and falls; %.0s' {1..200})","metadata":"note of mine"}
{"role":"tool","tool_call_id":"c9","content":"answers nothing","metadata":"note of mine"}
{"role":"assistant","content":"Done.","_metadata":7}
{"role":"user","content":"And now?","metadata":null,"_metadata":{"section":"messages"}}
{"role":"assistant","content":"Nothing.","metadata":1,"_metadata":"2"}
{"role":"tool","tool_call_id":"c8","content":"answers nothing","metadata":"a","_metadata":"b"}
END
}

# What is called metadata in the stream and is no object.
notes() {
    jq -c '[(.metadata, ._metadata) | select(type != "object" and . != null)]'
}

@test "every command: metadata that is no object is the user's own, and stays" {
    noted >in
    notes <in >said
    for command in ctx-route 'ctx-route --separate-trace' 'ctx-budget --estimator bytes/4 --annotate' \
        'ctx-isolate --policy mask --keep-results 0' \
        'ctx-compact --force --target 200 --keep-turns 0 --pipeline prune --best-effort' ctx-normalize; do
        echo "$command"
        $command in 2>diagnostics | grep -v '"type":"budget"' >out || true
        [[ $(<in) != "$(<out)" ]]
        same 'notes' said <(notes <out)
        $command out 2>diagnostics | grep -v '"type":"budget"' >again || true
        same 'the second run' out again
    done
}

@test "every command: a message without a place for metadata keeps its content" {
    local command long
    long=$(printf 'the tide rises and falls; %.0s' {1..400})
    cat >in <<END
{"role":"user","content":"Read the log."}
{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\\"path\\":\\"log\\"}"}}]}
{"role":"tool","tool_call_id":"c1","content":"$long","metadata":"note of mine","_metadata":7}
{"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"read","arguments":"{\\"path\\":\\"log\\"}"}}]}
{"role":"tool","tool_call_id":"c2","content":"$long"}
{"role":"assistant","content":"Done."}
{"role":"user","content":"And now?"}
END
    for command in 'ctx-isolate --policy mask --keep-results 0' \
        'ctx-compact --force --target 1 --keep-turns 0 --pipeline dedupe,prune --best-effort'; do
        echo "$command"
        $command in >out 2>diagnostics || [[ $? == 1 ]]
        same 'the message' <(sed -n 3p in) <(sed -n 3p out)
        [[ $(sed -n 5p out) == *'"compacted":true'* ]]
    done
}

@test "every command: calls in metadata that are no array are no calls, and no endless walk" {
    local command value
    for value in '{"id":"c1","function":{"name":"x"}}' '{"a":{"b":1}}' '{"a":[null]}' '{}' '"[{}]"' 1 true; do
        printf '{"role":"user","content":"hi"}\n{"role":"assistant","content":"ho","metadata":{"tool_calls":%s}}\n' "$value"
    done >in
    for command in ctx-normalize 'ctx-normalize --to openai' 'ctx-normalize --to anthropic' 'ctx-normalize --check' ctx-route \
        ctx-isolate ctx-project ctx-redact ctx-budget 'ctx-compact --force --target 1 --best-effort' 'ctx-diff in' \
        'ctx-select role=assistant' ctx-show; do
        echo "$command"
        timeout 10 $command in >out 2>diagnostics
    done
}
