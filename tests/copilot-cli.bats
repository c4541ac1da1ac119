#!/usr/bin/env bats
#
# ctx-normalize --from copilot-cli: events.jsonl of Copilot CLI.

load helper
load dialogue
load readers

# event ID TYPE DATA [MEMBERS]: an event; DATA is the inside of an object.
event() { printf '{"type":"%s","data":{%s},"id":"%s","timestamp":"t","parentId":null%s}\n' "$2" "$3" "$1" "${4:+,$4}"; }
start() { event s session.start '"sessionId":"S","copilotVersion":"1.0.81","selectedModel":"m"'; }
asked() { event "$1" user.message "\"content\":\"$2\"${3:+,$3}" "${4:-}"; }
told() { event "$1" assistant.message "\"content\":\"$2\"${3:+,$3}" "${4:-}"; }
did() { event "$1" tool.execution_complete "\"toolCallId\":\"$2\",$3"; }
requests() { printf '"toolRequests":[%s]' "$(IFS=,; echo "$*")"; }
request() { printf '{"toolCallId":"%s","name":"%s","arguments":%s,"type":"%s"}' "$1" "$2" "$3" "${4:-function}"; }
of='"session_id":"S","timestamp":"t"'

@test "copilot-cli: a session, with all that is carried" {
    {
        start
        event p system.message '"content":"Be brief.","role":"developer"'
        asked a 'How deep?' '"transformedContent":"<now>\n\nHow deep?","attachments":[{"type":"blob","data":"A","mimeType":"image/png"},{"type":"file","path":"/x"}],"interactionId":"i"'
        event t assistant.turn_start '"turnId":"0"'
        event u assistant.usage '"model":"m","inputTokens":10,"outputTokens":2'
        told b 'I sound it.' "$(requests "$(request 1 sound '{"at":"quay"}')" "$(request 2 patch '"*** Begin"' custom)"),\"reasoningText\":\"Why?\",\"reasoningOpaque\":\"O\",\"outputTokens\":2,\"model\":\"n\""
        event x tool.execution_start '"toolCallId":"1","toolName":"sound"'
        did d 2 '"success":false,"error":{"message":"no","code":"denied"}'
        did c 1 '"success":true,"result":{"content":"4.2 m","detailedContent":"4.2","binaryResultsForLlm":[{"type":"image","data":"B","mimeType":"image/png"}]}'
        event r session.model_change '"newModel":"o"'
        told e '4.2 m'
    } >in
    makes ctx-normalize \
        "{\"role\":\"developer\",\"content\":\"Be brief.\",\"metadata\":{$of,\"id\":\"p\"}}" \
        "$(user '[{"type":"text","text":"<now>\n\nHow deep?"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"A"}}]' "$of,\"id\":\"a\",\"x_copilot_cli\":{\"content\":\"How deep?\",\"attachments\":[{\"type\":\"blob\",\"data\":\"A\",\"mimeType\":\"image/png\"},{\"type\":\"file\",\"path\":\"/x\"}],\"interactionId\":\"i\"}")" \
        "$(acts '[{"type":"thinking","thinking":"Why?"},{"type":"text","text":"I sound it."}]' "$(call 1 sound '{"at":"quay"}')" "$(call 2 patch '{"input":"*** Begin"}')" "$of,\"model\":\"n\",\"id\":\"b\",\"x_copilot_cli\":{\"reasoningOpaque\":\"O\",\"outputTokens\":2},\"usage\":{\"model\":\"m\",\"inputTokens\":10,\"outputTokens\":2}")" \
        "$(gets 1 '[{"type":"text","text":"4.2 m"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"B"}}]' "$of,\"id\":\"c\",\"is_error\":false,\"x_copilot_cli\":{\"detailedContent\":\"4.2\",\"binaryResultsForLlm\":[{\"type\":\"image\",\"data\":\"B\",\"mimeType\":\"image/png\"}]}")" \
        "$(gets 2 no "$of,\"id\":\"d\",\"is_error\":true,\"x_copilot_cli\":{\"error\":{\"message\":\"no\",\"code\":\"denied\"}}")" \
        "$(says '4.2 m' "$of,\"model\":\"o\",\"id\":\"e\"")"
    same 'by name' <(ctx-normalize in) <(ctx-normalize --from copilot-cli in)
    spec <<'END'
ctx-normalize -v in 2>&1 >/dev/null | sed 's/.*; no conversation/no conversation/'
>>> no conversation: 1 session.start, 1 assistant.turn_start, 1 assistant.usage, 1 tool.execution_start, 1 session.model_change; kept sealed: 1 assistant.message
ctx-normalize --lossy in | grep -c x_copilot_cli
>>> 0
>>>= 1
END
}

@test "copilot-cli: what a compaction took, what came meanwhile, and what was rewound" {
    { start; event p system.message '"content":"P"'; asked a A; told b B; event k session.compaction_start ''; asked c C
      event l session.compaction_complete '"success":true,"summaryContent":"S","messagesRemoved":2'; asked d D; told e E; } >in
    makes "ctx-normalize | jq -c '[.content, .metadata.kind]'" '["P",null]' '["S","summary"]' '["C",null]' '["D",null]' '["E",null]'
    makes 'ctx-normalize --all | jq -r .content' P A B C S D E
    # One that failed takes nothing, and the next one has no start of its own.
    { cat in; event m session.compaction_complete '"success":false,"error":"x"'; asked f F; event n session.compaction_complete '"success":true,"summaryContent":"T"'; asked g G; } >again && mv again in
    makes 'ctx-normalize | jq -r .content' P T G
    { start; asked a A; told b B; asked c C; told d D; event r session.snapshot_rewind '"upToEventId":"c","eventsRemoved":2'; asked e E; } >in
    makes 'ctx-normalize | jq -r .content' A B E
    { cat in; event q session.snapshot_rewind '"upToEventId":"?"'; asked f F; } >again && mv again in
    makes 'ctx-normalize | jq -r .content' A B E F
    { cat in; event v session.context_cleared '"initialMessage":"I","messagesCleared":4'; asked g G; } >again && mv again in
    makes 'ctx-normalize | jq -r .content' I G
    { cat in; event w session.context_cleared '"messagesCleared":2'; asked h H; } >again && mv again in
    makes 'ctx-normalize | jq -r .content' H
}

@test "copilot-cli: what others than the user put in, sub-agents, and thoughts of old versions" {
    { start; asked a A '"source":"skill-pdf"'; asked b B '"isAutopilotContinuation":true'; asked c C; event n system.notification '"content":"N"'
      event r assistant.reasoning '"content":"R"'; told d D; told e E; told f F '' '"agentId":"g"'; told h H '"encryptedContent":"X"'; } >in
    makes "ctx-normalize | jq -c '[.content, .metadata.origin, .metadata.agent_id]'" '["A","injected",null]' '["B","injected",null]' '["C",null,null]' '["N","injected",null]' \
        '[[{"type":"thinking","thinking":"R"},{"type":"text","text":"D"}],null,null]' '["E",null,null]' '["F",null,"g"]' '["H",null,null]'
    ctx-normalize -v in 2>&1 >/dev/null | grep -q '; kept sealed: 1 assistant.message$'
}

@test "copilot-cli: what is not understood is named" {
    { start; event a user.message '"content":7'; event b assistant.fresh '"content":"x"'; event c session.fresh '"content":"x"'; asked d D; } >in
    makes 'ctx-normalize | jq -c .type' '"user.message"' '"assistant.fresh"' null \
        '>>>2 ctx-normalize: in:2: unknown-shape: a message that is not understood; looks like copilot-cli' \
        '>>>2 ctx-normalize: in:3: unknown-shape: a message that is not understood; looks like copilot-cli' '>>>= 65'
}

@test "copilot-cli: real sessions say what jq finds in them, and what is made of them passes" {
    reads_corpus "$CTX_SHARED"/other-agents/*/copilot__* <<'END'
[inputs] | map(select(.type | IN("user.message", "assistant.message", "system.message", "tool.execution_complete"))) |
{messages: length, calls: map(.data.toolRequests[]?.toolCallId), results: map(select(.type == "tool.execution_complete").data.toolCallId),
    texts: map(.data | .transformedContent // .content // .result.content // .error.message | select(. != "")) | sort}
END
}
