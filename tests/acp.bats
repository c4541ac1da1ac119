#!/usr/bin/env bats
#
# ctx-normalize --from acp: what agents and clients of the Agent Client Protocol exchange.

load helper
load dialogue

# update UPDATE: a notification of the session s, with the members of an update.
update() {
    printf '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":%s}}}\n' "$1"
}

# prompt TEXT: what the client asks.
prompt() {
    printf '{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"%s"}]}}\n' "$1"
}

# chunk KIND TEXT [MEMBERS]: a chunk of a message or of thinking.
chunk() {
    update "\"$1\",\"content\":{\"type\":\"text\",\"text\":\"$2\"}${3:+,$3}"
}

@test "acp: a turn: chunks are one text, a call waits for its input, results have their errors" {
    {
        raw '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}' '{"jsonrpc":"2.0","id":0,"result":{}}'
        prompt a
        chunk user_message_chunk a
        update '"plan","entries":[]'
        chunk agent_thought_chunk 'Let '
        chunk agent_thought_chunk me.
        chunk agent_message_chunk 'I '
        chunk agent_message_chunk look.
        update '"tool_call","toolCallId":"c1","title":"Reading","kind":"read","status":"pending"'
        raw '{"jsonrpc":"2.0","id":5,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c1"}}}'
        update '"tool_call_update","toolCallId":"c1","status":"in_progress","rawInput":{"p":1}'
        update '"tool_call","toolCallId":"c2","title":"Running","name":"bash","rawInput":{}'
        update '"tool_call_update","toolCallId":"c1","status":"completed","content":[{"type":"content","content":{"type":"text","text":"o"}}]'
        update '"tool_call_update","toolCallId":"c2","status":"failed","rawOutput":{"exit":1}'
        chunk agent_message_chunk Done.
    } >in
    makes 'ctx-normalize -v' "$(user a '"session_id":"s"')" \
        "$(acts '[{"type":"thinking","thinking":"Let me."},{"type":"text","text":"I look."}]' "$(call c1 read '{"p":1}')" \
            "$(call c2 bash '{}')" '"session_id":"s"')" \
        "$(gets c1 o '"session_id":"s","is_error":false')" "$(gets c2 '{\"exit\":1}' '"session_id":"s","is_error":true')" \
        "$(says Done. '"session_id":"s"')" \
        '>>>2 ctx-normalize: 16 records, 5 messages in; 5 messages out, 5 changed; 0 records added; 5 messages made; no conversation: 1 initialize, 1 answer of a method, 1 prompt that is said twice, 1 plan, 1 session/request_permission'
    same 'by name' <(ctx-normalize in) <(ctx-normalize --from acp in)
    same 'what looks reads it, too' <(ctx-normalize in | ctx-budget --json) <(ctx-budget --json in)
    # The updates alone say the same, but for what was asked.
    jq -c '.params.update // empty' in | ctx-normalize | jq -c 'del(.metadata)' >alone
    same 'alone' <(ctx-normalize in | jq -c 'del(.metadata)') alone
    rm alone
}

@test "acp: a session that is replayed, a call that never says its input, one in whole, pictures" {
    {
        chunk user_message_chunk a
        chunk agent_message_chunk b '"messageId":"m"'
        chunk agent_message_chunk c '"messageId":"m"'
        chunk agent_message_chunk d '"messageId":"n"'
        update '"tool_call","toolCallId":"c1","title":"Thinking"'
        update '"tool_call_update","toolCallId":"c1","status":"completed"'
        update '"tool_call","toolCallId":"c2","title":"f","status":"completed","rawInput":{},"content":[{"type":"content","content":{"type":"image","data":"A","mimeType":"image/png"}}]'
        update '"tool_call","toolCallId":"c3","title":"f"'
        update '"tool_call","toolCallId":"c4","title":"f"'
        update '"tool_call_update","toolCallId":"c4","status":"completed","rawInput":{"x":1},"rawOutput":"o"'
        update '"tool_call","toolCallId":"c5","title":"f"'
        update '"tool_call","toolCallId":"c6","title":"f","rawInput":{"y":2},"status":"completed","rawOutput":"p"'
    } >in
    makes 'ctx-normalize | jq -c "del(.metadata)"' "$(user a)" "$(says bc)" "$(acts d "$(call c1 Thinking '{}')")" "$(gets c1 '')" \
        "$(acts null "$(call c2 f '{}')")" \
        "$(gets c2 '[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"A"}}]')" \
        "$(acts null "$(call c3 f '{}')" "$(call c4 f '{"x":1}')")" "$(gets c4 o)" \
        "$(acts null "$(call c5 f '{}')" "$(call c6 f '{"y":2}')")" "$(gets c6 p)"
}

@test "acp: whole messages take the place of earlier ones, and a compaction that of all before" {
    {
        update '"user_message","messageId":"u","content":[{"type":"text","text":"a"}]'
        update '"agent_message","messageId":"m","content":[{"type":"text","text":"b"}]'
        update '"agent_message","messageId":"m","content":[{"type":"text","text":"c"}]'
    } >in
    makes ctx-normalize "$(user a '"session_id":"s","id":"u"')" "$(says c '"session_id":"s","id":"m"')"
    {
        update '"compaction_update","compactionId":"k","status":"in_progress"'
        update '"compaction_update","compactionId":"k","status":"completed","summary":[{"type":"text","text":"S"}]'
        chunk agent_message_chunk d
    } >>in
    makes ctx-normalize "$(user S '"session_id":"s","kind":"summary","scope":"historical"')" "$(says d '"session_id":"s"')"
    [[ $(ctx-normalize --all in | wc -l) == 4 ]]
}
