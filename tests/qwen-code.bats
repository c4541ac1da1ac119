#!/usr/bin/env bats
#
# ctx-normalize --from qwen-code: the session files of Qwen Code.

load helper
load dialogue
load readers

# record ID PARENT TYPE MEMBERS: a line; asked, told ID PARENT TEXT: a message.
record() { printf '{"uuid":"%s","parentUuid":%s,"sessionId":"S","timestamp":"t","type":"%s","cwd":"/","version":"0.21.13",%s}\n' "$1" "$([[ -n $2 ]] && echo "\"$2\"" || echo null)" "$3" "$4"; }
content() { printf '"message":{"role":"%s","parts":[%s]}' "$1" "$2"; }
text() { printf '{"text":"%s"}' "$1"; }
asked() { record "$1" "$2" user "$(content user "$(text "$3")")${4:+,$4}"; }
told() { record "$1" "$2" assistant "\"model\":\"m\",$(content model "$(text "$3")")${4:+,$4}"; }
of='"session_id":"S","timestamp":"t"'

@test "qwen-code: a session, with all that is carried" {
    {
        record p '' system '"subtype":"session_source","systemPayload":{"sourceType":"cli"}'
        asked a p A
        record b a assistant "\"model\":\"m\",$(content model '{"text":"why","thought":true}')"
        record b a assistant "\"usageMetadata\":{\"promptTokenCount\":9},$(content model "$(text B),{\"functionCall\":{\"id\":\"1\",\"name\":\"f\",\"args\":{\"a\":1}}},{\"functionCall\":{\"id\":\"2\",\"name\":\"g\",\"args\":{}}}")"
        record d b tool_result "$(content user '{"functionResponse":{"id":"2","name":"g","response":{"error":"e"}}}')"
        record c d tool_result "$(content user '{"functionResponse":{"id":"1","name":"f","response":{"output":"x"}}}')"
        record n c user "\"subtype\":\"notification\",$(content user "$(text N)")"
        told e n E '"agentId":"g"'
        record r e user "\"subtype\":\"realtime_message\",$(content user "$(text R)")"
        asked s r '<system-reminder>'
    } >in
    makes ctx-normalize "$(user A "$of,\"id\":\"a\"")" \
        "$(acts '[{"type":"thinking","thinking":"why"},{"type":"text","text":"B"}]' "$(call 1 f '{"a":1}')" "$(call 2 g '{}')" "$of,\"model\":\"m\",\"id\":\"b\",\"usage\":{\"promptTokenCount\":9}")" \
        "$(gets 1 x "$of")" "$(gets 2 e "$of,\"is_error\":true")" "$(user N "$of,\"origin\":\"injected\",\"id\":\"n\",\"x_qwen_code\":{\"subtype\":\"notification\"}")" \
        "$(says E "\"session_id\":\"S\",\"agent_id\":\"g\",\"timestamp\":\"t\",\"model\":\"m\",\"id\":\"e\"")" "$(user '<system-reminder>' "$of,\"id\":\"s\",\"origin\":\"injected\"")"
    # An answer of another id is another message.
    { asked a '' A; told b a B; told c b C; } >answers
    same 'two answers' <(printf '%s\n' A B C) <(ctx-normalize answers | jq -r .content)
    rm answers
    same 'by name' <(ctx-normalize in) <(ctx-normalize --from qwen-code in)
    ctx-normalize -v in 2>&1 >/dev/null | grep -q 'no conversation: 1 session_source, 1 realtime_message$'
}

@test "qwen-code: a rewind, a gap, and a compression" {
    { asked a '' A; told b a B; record c b tool_result "$(content user '{"functionResponse":{"id":"1","name":"f","response":{"output":"x"}}}')"; asked d c D; record r a system '"subtype":"rewind"'; asked e r E; told f e F; } >in
    makes 'ctx-normalize | jq -r .content' A E F
    makes "ctx-normalize --all | jq -r .content | sed 's/.*] //'" A B x D E F
    # Also to a result.
    { head -n 4 in; record r c system '"subtype":"rewind"'; asked e r E; } >back
    same 'to a result' <(printf '%s\n' A B x E) <(ctx-normalize back | jq -r .content | sed 's/.*] //')
    rm back
    # A parent that is not there: what was before stays, as the client bridges it.
    { asked a '' A; told b a B; asked d lost D; told e d E; } >in
    makes 'ctx-normalize | jq -r .content' A B D E
    { cat in; record k e system "\"subtype\":\"chat_compression\",\"systemPayload\":{\"compressedHistory\":[{\"role\":\"user\",\"parts\":[$(text S)]},{\"role\":\"model\",\"parts\":[$(text T)]}]}"; asked f k F; } >again && mv again in
    makes 'ctx-normalize | jq -r .content' S T F
    makes "ctx-normalize -v 2>&1 >/dev/null | grep -o '4 before a compaction'" '4 before a compaction'
    # One on a branch that was left takes nothing.
    { cat in; record r e system '"subtype":"rewind"'; asked g r G; } >again && mv again in
    makes 'ctx-normalize | jq -r .content' A B D E G
}

@test "qwen-code: what is not understood is named" {
    { asked a '' A; record b a user '"message":{"role":"user","parts":7}'; } >in
    makes 'ctx-normalize | jq -c .role' '"user"' null '>>>2 ctx-normalize: in:2: unknown-shape: a message that is not understood; looks like qwen-code' '>>>= 65'
}

@test "qwen-code: real sessions say what jq finds in them, and what is made of them passes" {
    reads_corpus "$CTX_SHARED"/other-agents/*/qwen__* <<'END'
[inputs] | map(select(.message.parts != null and .type != "system")) | {messages: (map(.uuid) | unique | length), calls: map(.message.parts[].functionCall.id // empty),
    results: map(.message.parts[].functionResponse.id // empty), texts: map(.message.parts[] | select(.thought | not) | .text // .functionResponse.response.output // empty) | sort}
END
}
