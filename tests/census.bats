#!/usr/bin/env bats
#
# ctx-normalize --census: what records have that no reader knows.

load helper
load dialogue

# census ARGS...: the table with one blank between columns.
census() { status_of 0 ctx-normalize --census "$@" | sed -E 's/^ +//; s/  +/ /g'; }

# header VERSION and item JSON: records of Codex CLI.
header() { raw "{\"type\":\"session_meta\",\"timestamp\":\"t\",\"payload\":{\"id\":\"s\",\"cli_version\":\"$1\"}}"; }
item() { raw "{\"type\":\"response_item\",\"timestamp\":\"t\",\"payload\":$1}"; }
says_hi() { item '{"type":"message","role":"user","content":[{"type":"input_text","text":"Hi."}]}'; }

@test "census: of a session whose members are all known nothing is printed" {
    { header 0.1.0; says_hi; } >in
    same 'table' /dev/null <(census in)
    same 'of nothing' /dev/null <(census </dev/null)
    { user Hi.; says Ho.; } >in
    same 'canonical' /dev/null <(census in)
}

@test "census: records, parts and members that no row knows, with versions, counts and the first place" {
    header 0.9.0 >a
    says_hi >>a
    item '{"type":"message","role":"user","mood":"x","content":[{"type":"input_text","text":"Hi.","size":1},{"type":"hologram"}]}' >>a
    header 0.10.2 >b
    item '{"type":"message","role":"user","mood":null,"content":[]}' >>b
    raw '{"type":"dream","timestamp":"t","payload":{"depth":1}}' '{"type":"response_item","timestamp":"t","turn":1,"payload":{"type":"message","role":"user","content":"Ho."}}' >>b
    same 'table' <(census a b) - <<'END'
1 codex 0.10.2 member response_item.turn b:4
1 codex 0.10.2 record dream b:3
1 codex 0.9.0 member response_item input_text.size a:3
2 codex 0.9.0-0.10.2 member response_item message.mood a:3
1 codex 0.9.0 part response_item hologram a:3
END
    same 'the columns' <(ctx-normalize --census b) - <<'END'
       1  codex        0.10.2             member response_item message.mood  b:2
       1  codex        0.10.2             member response_item.turn  b:4
       1  codex        0.10.2             record dream  b:3
END
}

@test "census: what is skipped is not looked into, and what was compacted or left is" {
    header 1.0 >in
    raw '{"type":"event_msg","timestamp":"t","payload":{"type":"anything","x":1}}' >>in
    item '{"type":"message","role":"user","old":1,"content":"Hi."}' >>in
    raw '{"type":"compacted","timestamp":"t","payload":{"message":"So far.","replacement_history":[]}}' >>in
    same 'table' <(census in) <(echo '1 codex 1.0 member response_item message.old in:3')
}

@test "census: what the functions of rows read is known" {
    raw '{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"a"}]}}' \
        '{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c","title":"f","kind":"read","rawInput":{},"mood":1}}' \
        '{"sessionId":"s","update":{"sessionUpdate":"tool_call_update","toolCallId":"c","status":"completed","rawOutput":"o"}}' >in
    same 'acp' <(census in) <(echo '1 acp ? member object.mood in:3')
}

# update MEMBERS: an update of the session, as a line of acp.
update() { raw "{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":{\"sessionId\":\"s\",\"update\":{\"sessionUpdate\":$1}}}"; }

@test "census: a member is known where one of the tables that read a value knows it" {
    {
        update '"agent_thought_chunk","content":{"type":"text","text":"t"}'
        update '"agent_message_chunk","messageId":"m","content":{"type":"text","text":"t"}'
        update '"agent_message_chunk","messageId":"m","mood":1,"content":{"type":"image","mimeType":"image/png","data":"A"}'
        update '"agent_message","messageId":"n","tone":1,"content":[{"type":"text","text":"t"}]'
        update '"user_message_chunk","messageId":"u","content":{"type":"text","text":"t"}'
    } >in
    same 'acp' <(census in) - <<'END'
1 acp ? member object object.mood in:3
1 acp ? member object.tone in:4
END
    jq -n -c '{version: 3, responderUsername: "GitHub Copilot", sessionId: "s", requests: [
        {requestId: "r", timestamp: 1, modelId: "m", mood: 1, agent: {}, message: {text: "a", parts: []}, response: [{value: "b"}], result: {timings: {}}},
        {requestId: "q", message: {text: "a"}, response: [], result: {metadata: {tone: 1, toolCallRounds: [{id: "i", response: "b", toolCalls: [
            {id: "c", name: "f", arguments: "{}"}]}], toolCallResults: {c: {"$mid": 20, content: [{"$mid": 21, value: {node: {type: 1, children: []}}}]}}}}}]}' >in
    same 'copilot-chat' <(census in) - <<'END'
1 copilot-chat ? member object object.mood in:1
1 copilot-chat ? member object object.result.metadata.tone in:1
1 copilot-chat ? member object object.result.timings in:1
END
}

@test "census: Claude Code's lines and messages, by the version of each line" {
    raw '{"type":"user","uuid":"a","parentUuid":null,"sessionId":"s","version":"2.0.9","mood":1,"message":{"role":"user","content":"Hi."}}' \
        '{"type":"assistant","uuid":"b","parentUuid":"a","sessionId":"s","version":"2.0.10","message":{"id":"m","role":"assistant","content":[],"tone":1}}' \
        '{"type":"user","uuid":"c","parentUuid":"b","sessionId":"s","version":"2.0.10","mood":1,"message":{"role":"user","content":"Ho."}}' \
        '{"type":"progress","uuid":"d","parentUuid":"c","sessionId":"s","x":1}' \
        '{"type":"dream","uuid":"e","parentUuid":"c","sessionId":"s","x":1}' >in
    same 'table' <(census in) - <<'END'
1 claude-code 2.0.10 member assistant.message.tone in:2
1 claude-code 2.0.10 record dream in:5
2 claude-code 2.0.9-2.0.10 member user.mood in:1
END
}

@test "census: a member that a path from the record reaches is known, and one without a type has its role" {
    raw '{"type":"session","version":3,"id":"s","timestamp":"t","cwd":"/"}' \
        '{"type":"message","id":"a","parentId":null,"timestamp":"t","message":{"role":"user","content":"Hi.","mood":1}}' >in
    same 'table' <(census in) <(echo '1 pi 3 member message user.mood in:2')
}

@test "census: of standard input and of no version, and the status is that of the reading" {
    same 'table' <(item '{"type":"message","role":"user","mood":1,"content":"Hi."}' | census) \
        <(echo '1 codex ? member response_item message.mood -:1')
    { says_hi; raw '{"role":"user","say":"x"}' '{bad'; } >in
    status_of 65 ctx-normalize --census in >out 2>err
    same 'table' <(sed -E 's/^ +//; s/  +/ /g' out) <(echo '1 codex ? record user in:2')
}

@test "census: hostile names are visible and cut, and beyond 4096 names others are counted together" {
    { header $'1\\u001b[2J\x7f'; item "{\"type\":\"message\",\"role\":\"user\",\"content\":\"Hi.\",\"a\\nb$(printf '\x7f\xe2\x80\xae')\":1,\"$(repeat 300 x)\":1}"; } >in
    same 'table' <(census in) <(printf '1 codex 1\\u001b[2J\\x7f member response_item message.%s in:2\n' 'a\nb\x7f\u202e' "$(repeat 171 x)")
    { header 1; for n in {1..5000}; do item "{\"type\":\"message\",\"role\":\"user\",\"content\":\"Hi.\",\"m$n\":1}"; done; } >in
    ctx-normalize --census in >out
    [[ $(wc -l <out) == 4097 && $(tail -n 1 out) == '     904  others' ]] || fail "$(tail -n 2 out)"
}

@test "census: no records of types that nothing reads go to standard output, nor is anything said of faults" {
    { gets c9 x; raw '{"type":"event"}'; } >in
    spec <<'END'
ctx-normalize --census in | sed -E 's/^ +//; s/  +/ /g'
>>> 1 ctx ? record event in:2
END
}

@test "census: a version is that of the file, from where it stands on" {
    { header 1.0; item '{"type":"message","role":"user","mood":1,"content":"Hi."}'; } >a
    item '{"type":"message","role":"user","tone":1,"content":"Hi."}' >b
    same 'table' <(census a b) - <<'END'
1 codex 1.0 member response_item message.mood a:2
1 codex ? member response_item message.tone b:1
END
}

@test "census: time is linear in the members of a record" {
    { printf '{"type":"response_item","payload":{"type":"message","role":"user","content":"x"'; seq -f ',"m%.0f":1' 200000 | tr -d '\n'; echo '}}'; } >in
    [[ $(timeout 20 ctx-normalize --census in | wc -l) == 4097 ]]
}
