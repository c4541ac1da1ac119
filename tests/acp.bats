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
        update '"tool_call_update","toolCallId":"c3","status":"completed","rawInput":{"z":3},"rawOutput":"q"'
    } >in
    makes 'ctx-normalize | jq -c "del(.metadata)"' "$(user a)" "$(says bc)" "$(acts d "$(call c1 Thinking '{}')")" "$(gets c1 '')" \
        "$(acts null "$(call c2 f '{}')")" \
        "$(gets c2 '[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"A"}}]')" \
        "$(acts null "$(call c4 f '{"x":1}')")" "$(gets c4 o)" "$(acts null "$(call c6 f '{"y":2}')")" "$(gets c6 p)" \
        "$(acts null "$(call c3 f '{"z":3}')")" "$(gets c3 q)" "$(acts null "$(call c5 f '{}')")"
}

@test "acp: calls of version 2 begin and go on by updates, and their content comes in chunks" {
    {
        prompt a
        update '"tool_call_update","toolCallId":"c1","title":"Reading","kind":"read","locations":[{"path":"p"}]'
        update '"usage_update","used":1'
        update '"tool_call_update","toolCallId":"c2","name":"bash","title":"Running","rawInput":{"i":0}'
        update '"tool_call_update","toolCallId":"c1","rawInput":{"p":1},"name":"Read"'
        update '"tool_call_update","toolCallId":"c1","title":"Read p","kind":"read"'
        update '"tool_call_content_chunk","toolCallId":"c2","content":{"type":"content","content":{"type":"text","text":"x"}}'
        update '"tool_call_update","toolCallId":"c2","rawInput":{"i":1}'
        update '"tool_call_content_chunk","toolCallId":"c2","content":{"type":"content","content":{"type":"text","text":"y"}}'
        update '"tool_call_update","toolCallId":"c1","status":"completed","content":[{"type":"content","content":{"type":"text","text":"o"}}]'
        update '"tool_call_update","toolCallId":"c1","status":"completed","rawOutput":"again"'
        update '"tool_call_update","toolCallId":"c3"'
        chunk agent_message_chunk d '"messageId":"m"'
        update '"tool_call_update","toolCallId":"c2","status":"cancelled"'
        update '"tool_call_content_chunk","toolCallId":"c3","content":{"type":"content","content":{"type":"text","text":"z"}}'
        update '"tool_call_update","toolCallId":"c3","content":[ ],"rawOutput":"r"'
        update '"tool_call_update","toolCallId":"c3","status":"completed"'
        update '"agent_message","messageId":"m","content":[{"type":"text","text":"d"}]'
        update '"agent_message","messageId":"n","content":[{"type":"text","text":"e"}]'
    } >in
    makes 'ctx-normalize | jq -c "del(.metadata.session_id) | if .metadata == {} then del(.metadata) else . end"' "$(user a)" \
        "$(acts null "$(call c1 Read '{"p":1}' | sed 's/}$/,"x_acp":{"locations":[{"path":"p"}]}}/')" "$(call c2 bash '{"i":1}')")" \
        "$(gets c1 o '"is_error":false')" "$(gets c2 '[{"type":"text","text":"x"},{"type":"text","text":"y"}]' '"is_error":true')" \
        "$(acts null "$(call c3 other '{}')")" "$(gets c3 r '"is_error":false')" "$(says d)" "$(says e '"id":"n"')"
    ctx-normalize -v in 2>&1 >out | grep -q '1 update of a call that ended, 1 message that is said twice$'
    # Many that none ended: the oldest is forgotten, and what comes of it begins anew.
    for ((i = 0; i < 40; i++)); do update "\"tool_call\",\"toolCallId\":\"c$i\",\"title\":\"f\",\"rawInput\":{\"i\":$i}"; done >in
    update '"tool_call_update","toolCallId":"c39","status":"completed","rawOutput":"o"' >>in
    makes 'ctx-normalize --open-calls keep | jq -c "[.tool_call_id, (.tool_calls | length), .tool_calls[39].function.arguments]"' '[null,40,"{\"i\":39}"]' '["c39",0,null]'
    rm out
}

@test "acp: thinking begins the message of the text behind it, and in a pipe all leaves as it comes" {
    {
        prompt a
        chunk agent_thought_chunk t
        chunk agent_message_chunk 'b1' '"messageId":"m"'
        chunk agent_message_chunk ' b2' '"messageId":"m"'
        chunk agent_thought_chunk u
        chunk agent_message_chunk c '"messageId":"n"'
        update '"agent_message","messageId":"o","content":[{"type":"text","text":"d"}]'
        update '"agent_message","messageId":"o","content":[{"type":"text","text":"e"}]'
    } >in
    makes 'ctx-normalize | jq -c "[.role, .content]"' '["user","a"]' '["assistant",[{"type":"thinking","thinking":"t"},{"type":"text","text":"b1 b2"}]]' \
        '["assistant",[{"type":"thinking","thinking":"u"},{"type":"text","text":"c"}]]' '["assistant","e"]'
    same 'a tombstone' <(printf '%s\n' '["d","o"]' '[["o"]]' '["e","o"]') \
        <(tail -n 2 in | ctx-normalize | jq -c '[.metadata.forgets // .content, .metadata.id] | map(select(. != null))')
    update '"compaction_update","compactionId":"k","status":"completed","summary":[{"type":"text","text":"S"}]' >>in
    for ((i = 1; i <= 9; i++)); do
        head -n "$i" in >start
        same "$i" <(ctx-normalize start | jq -c .content) <(ctx-normalize <start | cat | ctx-project --view all | jq -c .content)
        same "$i in a pipe" <(ctx-normalize start | jq -c .content) <(cat start | ctx-normalize | ctx-project --view all | jq -c .content)
    done
    rm start
}

@test "acp: thinking and calls that end a file, or that a canonical message follows, are said" {
    { chunk agent_thought_chunk t; update '"tool_call","toolCallId":"c1","title":"f"'; user b; chunk agent_thought_chunk u; } >in
    makes 'ctx-normalize --open-calls keep' "$(acts '[{"type":"thinking","thinking":"t"}]' "$(call c1 f '{}')" '"session_id":"s"')" "$(gets c1 '[no result]' '"tool_name":"f","is_error":true,"session_id":"s"')" "$(user b)" "$(says '[{"type":"thinking","thinking":"u"}]' '"session_id":"s"')"
    cp in other
    makes 'ctx-normalize --open-calls keep other | wc -l | tr 8 x' x
    # What was thought as a whole takes the place of its chunks, and what is asked ends it.
    { chunk agent_thought_chunk t; update '"agent_thought","messageId":"m","content":[{"type":"text","text":"v"}]'; prompt a; update '"agent_thought","messageId":"n","content":[{"type":"text","text":"w"}]'; } >in
    makes ctx-normalize "$(says '[{"type":"thinking","thinking":"v"}]' '"session_id":"s"')" "$(user a '"session_id":"s"')" "$(says '[{"type":"thinking","thinking":"w"}]' '"session_id":"s"')"
    rm other
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
