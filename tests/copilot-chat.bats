#!/usr/bin/env bats
#
# ctx-normalize --from copilot-chat: sessions of GitHub Copilot Chat in VS Code.

load helper
load dialogue
load readers
unsourced

# session REQUEST...: the document.
session() { printf '{"version":3,"requesterUsername":"u","responderUsername":"GitHub Copilot","sessionId":"s","requests":[%s]}\n' "$(IFS=,; echo "$*")"; }

# request NUMBER TEXT RESPONSE ROUNDS RESULTS
request() {
    printf '{"requestId":"q%s","message":{"text":"%s","parts":[]},"timestamp":%s,"modelId":"m","responseId":"r%s","response":[%s],"result":{"metadata":{"toolCallRounds":[%s],"toolCallResults":{%s}}}}' \
        "$1" "$2" "$1" "$1" "$3" "$4" "$5"
}

# round ID TEXT [CALL...]
round() { printf '{"id":"%s","response":"%s","toolCalls":[%s],"toolInputRetry":0}' "$1" "$2" "$(IFS=,; echo "${*:3}")"; }
used() { printf '{"name":"%s","arguments":"{}","id":"%s"}' "$2" "$1"; }
results() { printf '"%s":{"$mid":20,"content":[%s]}' "$1" "$(IFS=,; echo "${*:2}")"; }
tree() { printf '{"$mid":23,"value":{"node":%s}}' "$1"; }
piece() { printf '{"type":1,"children":[%s]}' "$(IFS=,; echo "$*")"; }
leaf() { printf '{"type":2,"text":"%s","lineBreakBefore":%s}' "$1" "${2:-false}"; }

at='"session_id":"s"'

@test "copilot-chat: what was asked, the rounds of the model, and the results by their ids" {
    session "$(request 1 a '{"value":"shown"}' "$(round i1 b "$(used c1 f)" "$(used c2 g)"),$(round i2 '' "$(used c3 f)"),$(round i3 d)" \
        "$(results c3 '{"$mid":21,"value":"z"}' "$(tree "$(piece "$(leaf w)")")"),$(results c2 '{"mimeType":"image/png","data":"A"}'),$(results c1 "$(tree "$(piece "$(leaf x true)" "$(leaf y)")")")")" \
        "$(request 2 e '{"value":"f "},{"kind":"inlineReference","name":"a.c"},{"value":"!"},{"kind":"progressTaskSerialized","content":{}},{"kind":"thinking","value":"t"},{"value":"g"}' '' '')" >in
    makes ctx-normalize "$(user a "$at,\"timestamp\":1,\"id\":\"q1\"")" \
        "$(acts b "$(call c1 f '{}')" "$(call c2 g '{}')" "$at,\"timestamp\":1,\"model\":\"m\",\"id\":\"i1\"")" \
        "$(gets c1 xy "$at,\"timestamp\":1")" "$(raw '{"role":"tool","tool_call_id":"c2","content":[{"mimeType":"image/png","data":"A"}],"metadata":{"session_id":"s","timestamp":1}}')" \
        "$(acts null "$(call c3 f '{}')" "$at,\"timestamp\":1,\"model\":\"m\",\"id\":\"i2\"")" \
        "$(gets c3 '[{"type":"text","text":"z"},{"type":"text","text":"w"}]' "$at,\"timestamp\":1")" \
        "$(says d "$at,\"timestamp\":1,\"model\":\"m\",\"id\":\"i3\"")" \
        "$(user e "$at,\"timestamp\":2,\"id\":\"q2\"")" \
        "$(says '[{"type":"text","text":"f a.c!"},{"type":"thinking","thinking":"t"},{"type":"text","text":"g"}]' "$at,\"timestamp\":2,\"model\":\"m\",\"id\":\"r2\"")"
    same 'by name' <(ctx-normalize in) <(ctx-normalize --from copilot-chat in)
    jq . in >over
    same 'over lines' <(ctx-normalize in) <(ctx-normalize over | jq -c .)
    rm over
}

@test "copilot-chat: the texts of a tree, on lines as prompt-tsx puts them" {
    # A text that says so begins a line, and one that is the first of its piece, where no text is before the piece; but none twice.
    session "$(request 1 a '' "$(round i b "$(used c f)")" "$(results c "$(tree "$(piece "$(piece "$(leaf a)" "$(leaf b)")" "$(piece "$(leaf c)")" \
        "$(leaf 'd\n')" "$(leaf '\"5\\' true)" "$(piece "$(leaf 6)")" "$(piece "$(piece)" "$(leaf 7)")" '{"type":3,"value":{}}')")")")" >in
    makes "ctx-normalize | jq -r 'select(.role == \"tool\").content'" ab cd '"5\67'
}

@test "copilot-chat: what is not understood is named; requests that were broken off" {
    session '{"requestId":"q","message":{"text":"a"},"response":[]}' '{"x":1}' \
        "$(request 2 b '' "$(round i c "$(used c1 f)")" '"c1":{"x":1}')" >in
    makes 'ctx-normalize --open-calls keep | jq -c "[.role?, .content?, .tool_calls[]?.id]"' '["user","a"]' '[null,null]' '["user","b"]' '["assistant","c","c1"]' \
        '>>>2 ctx-normalize: in:1: unknown-shape: element 2 of a list is not understood' '>>>= 65'
    ctx-normalize -v in 2>&1 >/dev/null | grep -q 'result without content'
    session >in
    makes ctx-normalize
}

@test "copilot-chat: the real session says what jq finds in it" {
    reads_corpus "$CTX_SHARED"/other-agents/Piebald-AI-splitrail/*.json <<'END'
# The texts of a tree with what is before each: [text, says so, is first, a text is before it].
def leaves($after): .children // [] | reduce to_entries[] as $at ({all: [], after: $after};
    if $at.value.text then .all += [[$at.value.text, $at.value.lineBreakBefore, $at.key == 0, .after]] | .after = true
    else .all += ($at.value | [leaves(.after)]) | .after = false end) | .all[];
def text: [leaves(false)] | reduce .[] as [$text, $says, $first, $after] ("";
    if . != "" and (endswith("\n") | not) and ($says == true or ($first and ($after | not))) then . + "\n" + $text else . + $text end);
input | [.requests[].result.metadata] as $all | {
    messages: ((.requests | length) + ($all | map((.toolCallRounds | length) + (.toolCallResults | length)) | add)),
    calls: [$all[].toolCallRounds[].toolCalls[].id], results: [$all[].toolCallRounds[].toolCalls[].id],
    texts: ([.requests[].message.text, $all[].toolCallRounds[].response, ($all[].toolCallResults[].content[].value.node | text)] | map(select(. != "")) | sort)}
END
}
