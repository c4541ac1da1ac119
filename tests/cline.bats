#!/usr/bin/env bats
#
# ctx-normalize --from cline: tasks of Cline and Roo.

load helper
load dialogue
load readers

# said ROLE BLOCK...: a message; text TEXT: a block.
said() { printf '{"role":"%s","content":[%s],"ts":1}' "$1" "$(IFS=,; echo "${*:2}")"; }
text() { printf '{"type":"text","text":"%s"}' "$1"; }
used() { printf '{"type":"tool_use","id":"%s","name":"f","input":{"a":1},"call_id":"x"}' "$1"; }
list() { printf '[%s]\n' "$(IFS=,; echo "$*")"; }
called() { printf '{"id":"%s","type":"function","function":{"name":"f","arguments":"{\\"a\\":1}"},"x_cline":{"call_id":"x"}}' "$1"; }

@test "cline: a task, with calls and results" {
    list "$(said user "$(text A)" '{"type":"image","source":{"type":"base64","media_type":"image/png","data":"A"}}')" \
        "{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"t\",\"signature\":\"S\"},$(text B),$(used 1),$(used 2)],\"ts\":2,\"id\":\"b\",\"modelInfo\":{\"modelId\":\"m\",\"providerId\":\"p\"},\"metrics\":{\"tokens\":{\"prompt\":1}},\"x\":1}" \
        "$(said user '{"type":"tool_result","tool_use_id":"2","content":"no","is_error":true}' '{"type":"tool_result","tool_use_id":"1","content":[{"type":"text","text":"x"}]}' "$(text '<environment_details>e')")" \
        "$(said assistant '{"type":"redacted_thinking","data":"R"}' "$(text C)")" >in
    local messages=("$(user '[{"type":"text","text":"A"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"A"}}]' '"timestamp":1')"
        "$(acts '[{"type":"thinking","thinking":"t","signature":"S"},{"type":"text","text":"B"}]' "$(called 1)" "$(called 2)" '"timestamp":2,"model":"m","id":"b","x_cline":{"x":1},"usage":{"prompt":1}')"
        "$(gets 1 x)" "$(gets 2 no '"is_error":true')" "$(user '<environment_details>e' '"origin":"injected"')" "$(says '[{"type":"redacted_thinking","data":"R"},{"type":"text","text":"C"}]' '"timestamp":1')")
    makes ctx-normalize "${messages[@]}"
    makes 'ctx-normalize --from cline' "${messages[@]}"
    ctx-normalize -v in 2>&1 >/dev/null | grep -q 'kept sealed: 1 redacted_thinking$'
}

@test "cline: a call of old versions is answered by the next message of the user" {
    list "$(said user "$(text '[not a result]')")" "$(said assistant "$(used 1)")" "$(said user "$(text "[f for 'x'] Result:")" "$(text more)" "$(text '<environment_details>')")" \
        "$(said assistant "$(used 2)")" "$(said user "$(text 'No, stop.')")" "$(said assistant "$(text B)")" "$(said user "$(text '[x]')")" >in
    makes "ctx-normalize --open-calls keep | jq -c '[.role, .content, .tool_call_id, .metadata.origin]'" '["user","[not a result]",null,null]' '["assistant",null,null,null]' "[\"tool\",\"[f for 'x'] Result:\",\"1\",null]" \
        '["user","more",null,null]' '["user","<environment_details>",null,"injected"]' '["assistant",null,null,null]' '["tool","[no result]","2",null]' '["user","No, stop.",null,null]' '["assistant","B",null,null]' '["user","[x]",null,null]'
}

@test "cline: a session of the SDK, and its compaction" {
    printf '{"version":1,"updated_at":"t","agent":"lead","sessionId":"S","messages":[{"id":"a","role":"user","content":[{"type":"text","text":"A"}],"ts":1,"metadata":{"kind":"compaction","reason":"r"}},{"id":"b","role":"assistant","content":"B","ts":2}],"system_prompt":"P"}\n' >in
    local of='"session_id":"S","timestamp"'
    makes ctx-normalize '{"role":"system","content":"P","metadata":{"session_id":"S"}}' \
        "$(user A "$of:1,\"id\":\"a\",\"x_cline\":{\"metadata\":{\"kind\":\"compaction\",\"reason\":\"r\"}},\"kind\":\"summary\",\"scope\":\"historical\"")" "$(says B "$of:2,\"id\":\"b\"")"
}

@test "cline: what is not understood is named" {
    list "$(said user "$(text A)")" '{"role":"ghost","content":"x","ts":1}' >in
    makes 'ctx-normalize | jq -c .role' '"user"' '"ghost"' '>>>2 ctx-normalize: in:1: unknown-shape: element 2 of a list is not understood' '>>>= 65'
}

@test "cline: real sessions say what jq finds in them, and what is made of them passes" {
    reads_corpus "$CTX_SHARED"/cline/*/*compaction.json <<'END'
inputs | {messages: (.messages | length + 1), calls: [.messages[].content[] | select(.type == "tool_use").id], results: [.messages[].content[] | select(.type == "tool_result").tool_use_id],
    texts: ([[.messages[].content[].text], [.system_prompt]] | add | sort)}
END
}
