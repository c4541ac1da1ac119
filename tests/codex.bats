#!/usr/bin/env bats
#
# ctx-normalize --from codex: the session files of Codex CLI.

load helper
load dialogue
unsourced

# line TYPE PAYLOAD: a line of a session file; item TYPE MEMBERS, event TYPE MEMBERS: with that payload.
line() {
    printf '{"timestamp":"t","type":"%s","payload":%s}\n' "$1" "$2"
}

item() { line response_item "{\"type\":\"$1\"${2:+,$2}}"; }
event() { line event_msg "{\"type\":\"$1\"${2:+,$2}}"; }

# said ROLE TEXT [MEMBERS]: a message item.
said() {
    local type=input_text
    [[ $1 != assistant ]] || type=output_text
    item message "\"role\":\"$1\",\"content\":[{\"type\":\"$type\",\"text\":\"$2\"}]${3:+,$3}"
}

# called ID NAME ARGUMENTS, answered ID OUTPUT: ARGUMENTS and OUTPUT are insides of strings.
called() { item function_call "\"call_id\":\"$1\",\"name\":\"$2\",\"arguments\":\"$3\""; }
answered() { item function_call_output "\"call_id\":\"$1\",\"output\":\"$2\""; }

# bare: the records without what every line says.
bare() {
    sed -E 's/"(session_id|timestamp)":"[^"]*",?//g; s/,\}/}/g; s/,"metadata":\{\}//'
}
export -f bare

@test "codex: a session, with all that is carried" {
    cp "$FIXTURES/codex-session.jsonl" in
    makes 'ctx-normalize | bare' "$(system 'You keep the harbour.')" \
        "$(user '<environment_context>\n  <cwd>/srv/harbour</cwd>\n</environment_context>' '"execution_id":"t1","origin":"injected"')" \
        "$(user '[{"type":"text","text":"How deep is the harbour?"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"},"x_codex":{"detail":"low"}}]' '"execution_id":"t1"')" \
        '{"role":"assistant","content":[{"type":"thinking","thinking":"**Sounding**\n\nAnd the log.","x_codex":{"id":"rs_1","encrypted_content":"gAAAA1"}},{"type":"text","text":"I sound it."}],"tool_calls":[{"id":"call_1","type":"function","function":{"name":"exec_command","arguments":"{\"cmd\":\"sound\"}"},"x_codex":{"id":"fc_1"}},{"id":"call_2","type":"function","function":{"name":"apply_patch","arguments":"{\"input\":\"*** Begin Patch\\n*** End Patch\"}"},"x_codex":{"type":"custom_tool_call","status":"completed"}}],"metadata":{"execution_id":"t1","model":"gpt-5-codex","x_codex":{"phase":"commentary"},"usage":{"input_tokens":100,"cached_input_tokens":40,"output_tokens":20,"reasoning_output_tokens":5,"total_tokens":120}}}' \
        "$(gets call_1 'Process exited with code 0\nOutput:\n4.2 m\nProcess exited with code 9' '"execution_id":"t1"')" \
        "$(gets call_2 'Exit code: 1\nWall time: 0.1 seconds\nOutput:\nno such hunk' '"execution_id":"t1","is_error":true')" \
        "$(says '[{"type":"reasoning","id":"rs_2","summary":[],"encrypted_content":"gAAAA2"},{"type":"text","text":"It is 4.2 m deep."}]' '"execution_id":"t1","model":"gpt-5-codex","x_codex":{"phase":"final_answer"}')"
    # What is no conversation is counted, and so is what only the provider can read.
    spec <<'END'
ctx-normalize -v in 2>&1 >/dev/null | sed 's/.*; no conversation/no conversation/'
>>> no conversation: 1 task_started, 1 turn_context, 1 user_message, 2 token_count, 1 task_complete, 1 world_state; kept sealed: 2 reasoning
END
    # Told by its name, it is the same; with --lossy, what has no place goes.
    same 'by name' <(ctx-normalize in) <(ctx-normalize --from codex in)
    spec <<'END'
ctx-normalize --lossy in | grep -cE 'x_codex|encrypted'
ctx-normalize --lossy in | bare | tail -n 1
ctx-normalize --lossy --report report in >/dev/null; jq -c '[.skipped.reasoning, .sealed]' report
ctx-normalize --report report in >/dev/null; jq -c '[.skipped.reasoning, .sealed]' report
>>> 0
>>> {"role":"assistant","content":"It is 4.2 m deep.","metadata":{"execution_id":"t1","model":"gpt-5-codex"}}
>>> [1,{}]
>>> [null,{"reasoning":2}]
>>>+ report
END
}

@test "codex: items of one answer are one message, and a text behind a text is another" {
    {
        said user a
        item reasoning '"summary":[{"type":"summary_text","text":"r"}]'
        said assistant b
        said assistant c
        called 1 f '{}'
        item reasoning '"summary":[]'
        said assistant d
        called 2 g '{}'
        answered 1 x
        answered 2 y
        item reasoning '"content":[{"type":"reasoning_text","text":"s"}],"summary":[]'
        item web_search_call '"action":{"type":"search","query":"q"}'
        said assistant e
        item reasoning '"summary":[{"type":"summary_text","text":"u"}]'
        said assistant v
        said developer f
        item reasoning '"summary":[{"type":"summary_text","text":"last"}]'
        said user g
    } >in
    makes 'ctx-normalize | bare' "$(user a)" \
        "$(says '[{"type":"thinking","thinking":"r"},{"type":"text","text":"b"}]')" \
        "$(acts '[{"type":"text","text":"c"},{"type":"text","text":"d"}]' "$(call 1 f '{}')" "$(call 2 g '{}')")" "$(gets 1 x)" "$(gets 2 y)" \
        "$(says '[{"type":"thinking","thinking":"s"},{"type":"web_search_call","action":{"type":"search","query":"q"}},{"type":"text","text":"e"}]')" \
        "$(says '[{"type":"thinking","thinking":"u"},{"type":"text","text":"v"}]')" "$(developer f)" "$(says '[{"type":"thinking","thinking":"last"}]')" "$(user g)"
}

@test "codex: calls of every kind, and results" {
    {
        item local_shell_call '"call_id":"1","status":"completed","action":{"type":"exec","command":["ls"]}'
        answered 1 '{\"output\":\"a\",\"metadata\":{\"exit_code\":0,\"duration_seconds\":0.1}}'
        item function_call '"call_id":"2","name":"f","namespace":"n","arguments":{"a":[1.0]}'
        answered 2 '{\"output\":\"\\\"exit_code\\\":7\",\"metadata\":{\"exit_code\":0}}'
        item function_call '"call_id":"3","name":"f"'
        answered 3 '{\"output\":\"a\",\"metadata\":{\"exit_code\":127,\"duration_seconds\":0.1}}'
        item custom_tool_call '"call_id":"4","name":"f","input":"i"'
        item custom_tool_call_output '"call_id":"4","output":[{"type":"input_text","text":"t"},{"type":"input_image","image_url":"u"}]'
        called 5 f '{}'
        answered 5 aborted
        called 6 f '{}'
        answered 6 ''
        called 7 f '{}'
        answered 7 'Chunk ID: 1\nProcess exited with code -9\nOutput:\n'
        called 8 f '{}'
        item function_call_output '"call_id":"8"'
        called 9 f '{}'
        answered 9 'Wall time: 1\nOutput:\nExit code: 1'
        # Without ids the order tells, and an output may be no text.
        item tool_call '"function":{"name":"f"},"arguments":"{}"'
        item tool_call '"function":{"name":"g"},"arguments":{"b":1}'
        item tool_result '"name":"f","result":"r"'
        item tool_result '"name":"g","result":{"stdout":"s"}'
    } >in
    makes "ctx-normalize | jq -c '.tool_calls[]?, ([.tool_call_id, .content, .metadata.is_error] | select(.[0] != null))'" \
        '{"id":"1","type":"function","function":{"name":"local_shell","arguments":"{\"type\":\"exec\",\"command\":[\"ls\"]}"},"x_codex":{"type":"local_shell_call","status":"completed"}}' \
        '["1","{\"output\":\"a\",\"metadata\":{\"exit_code\":0,\"duration_seconds\":0.1}}",null]' \
        '{"id":"2","type":"function","function":{"name":"f","arguments":"{\"a\":[1.0]}"},"x_codex":{"namespace":"n"}}' \
        '["2","{\"output\":\"\\\"exit_code\\\":7\",\"metadata\":{\"exit_code\":0}}",null]' \
        "$(call 3 f '{}')" '["3","{\"output\":\"a\",\"metadata\":{\"exit_code\":127,\"duration_seconds\":0.1}}",true]' \
        '{"id":"4","type":"function","function":{"name":"f","arguments":"{\"input\":\"i\"}"},"x_codex":{"type":"custom_tool_call"}}' \
        '["4",[{"type":"text","text":"t"},{"type":"image_url","image_url":{"url":"u"}}],null]' \
        "$(call 5 f '{}')" '["5","aborted",true]' "$(call 6 f '{}')" '["6","",null]' \
        "$(call 7 f '{}')" '["7","Chunk ID: 1\nProcess exited with code -9\nOutput:\n",true]' \
        "$(call 8 f '{}')" '["8","",null]' "$(call 9 f '{}')" '["9","Wall time: 1\nOutput:\nExit code: 1",null]' \
        '{"id":"call_1","type":"function","function":{"name":"f","arguments":"{}"},"x_codex":{"type":"tool_call"}}' \
        '{"id":"call_2","type":"function","function":{"name":"g","arguments":"{\"b\":1}"},"x_codex":{"type":"tool_call"}}' \
        '["call_1","r",null]' '["call_2","{\"stdout\":\"s\"}",null]'
}

@test "codex: usage goes to its answer, whether it comes before or behind it, and once" {
    local usage='"info":{"total_token_usage":{"input_tokens":%s},"last_token_usage":{"input_tokens":%s,"output_tokens":1}}' n
    # shellcheck disable=SC2059
    u() { event token_count "$(printf "$usage" "$1" "$2")"; }
    {
        said user a
        event token_count '"info":null'
        u 10 10
        said assistant b
        u 10 10
        said user c
        said assistant d
        u 30 20
        said user e
        said assistant f
    } >in
    makes "ctx-normalize | jq -c '[.content, .metadata.usage.input_tokens]'" '["a",null]' '["b",10]' \
        '["c",null]' '["d",20]' '["e",null]' '["f",null]'
}

@test "codex: a compaction replaces all before, but not the system prompt; --all keeps it" {
    {
        line session_meta '{"id":"s","base_instructions":{"text":"S"}}'
        said user a
        said assistant b
        line compacted '{"message":"sum","replacement_history":[{"type":"message","role":"user","content":[{"type":"input_text","text":"a"}]},{"type":"message","role":"user","content":[{"type":"input_text","text":"Another language model started to solve this: sum"}]},{"type":"compaction","encrypted_content":"E"}]}'
        said user c
        said assistant d
        event context_compacted
    } >in
    makes 'ctx-normalize | bare' "$(system S)" "$(user a)" \
        "$(user 'Another language model started to solve this: sum' '"kind":"summary","scope":"historical"')" \
        "$(says '[{"type":"compaction","encrypted_content":"E"}]' '"pinned":true')" "$(user c)" "$(says d)"
    makes "ctx-normalize -v 2>&1 >/dev/null | grep -o '2 before a compaction left out\|kept sealed: 1 compaction'" \
        '2 before a compaction left out' 'kept sealed: 1 compaction'
    makes "ctx-normalize --all | jq -c .content" '"S"' '"a"' '"b"' '"a"' \
        '"Another language model started to solve this: sum"' '[{"type":"compaction","encrypted_content":"E"}]' '"c"' '"d"'
    # Of two, the newest counts. An element that is no item is named.
    {
        cat in
        line compacted '{"message":"","replacement_history":[{"type":"message","role":"user","content":[{"type":"input_text","text":"z"}]},7.5]}'
    } >again
    mv again in
    makes 'ctx-normalize | bare' "$(system S)" "$(user z)" 7.5 \
        '>>>2 ctx-normalize: in:8: unknown-shape: element 2 of a list is not understood' '>>>= 65'
    # An old one says its summary alone: what the user said stays in front.
    { said user '<environment_context>'; said user a; said assistant b; called 1 f '{}'; answered 1 x; line compacted '{"message":"sum"}'; said user c; } >in
    makes 'ctx-normalize | bare' "$(user a)" "$(user sum '"kind":"summary","scope":"historical"')" "$(user c)"
}

@test "codex: turns that were taken back are gone, and are of a branch that was left" {
    {
        said user '<environment_context>'
        said user a
        said assistant b
        said user c
        called 1 f '{}'
        answered 1 x
        said user d
        event thread_rolled_back '"num_turns":2'
        said user e
    } >in
    makes "ctx-normalize | jq -r .content" '<environment_context>' a b e
    makes "ctx-normalize --all | jq -c .content" '"<environment_context>"' '"a"' '"b"' '"c"' null '"x"' '"d"' '"e"'
    makes "ctx-normalize -v 2>&1 >/dev/null | grep -o '4 of other branches left out'" '4 of other branches left out'
    # A second time, those before; and no compaction counts them again.
    { said user a; said assistant b; said user c; said assistant d; for n in 1 1; do event thread_rolled_back '"num_turns":1'; done; said user e; } >in
    makes "ctx-normalize | jq -r .content" e
    # No more than there are; none; no number.
    for n in 9 0 -1 '"x"'; do
        { said user i; said user a; said assistant b; event thread_rolled_back "\"num_turns\":$n"; said user c; } >in
        ctx-normalize in | jq -r .content | tr -d '\n'
        echo
    done >out
    same 'turns' - out <<'END'
c
iabc
iabc
iabc
END
}

@test "codex: files without envelopes" {
    {
        raw '{"id":"s","timestamp":"t","instructions":null,"git":{"branch":"main"}}' '{"record_type":"state"}'
        raw '{"type":"message","id":null,"role":"user","content":[{"type":"input_text","text":"a"}]}'
        raw '{"type":"reasoning","id":"r","summary":[{"type":"summary_text","text":"t"}],"encrypted_content":null}' '{"record_type":"state"}'
        raw '{"type":"function_call","id":"fc","name":"shell","arguments":"{}","call_id":"1"}'
        raw '{"type":"function_call_output","call_id":"1","output":"x"}'
        raw '{"type":"message","id":"m","role":"assistant","content":[{"type":"output_text","text":"b"}]}'
        user canonical
    } >in
    makes ctx-normalize "$(user a '"session_id":"s"')" \
        '{"role":"assistant","content":[{"type":"thinking","thinking":"t","x_codex":{"id":"r"}}],"tool_calls":[{"id":"1","type":"function","function":{"name":"shell","arguments":"{}"},"x_codex":{"id":"fc"}}],"metadata":{"session_id":"s"}}' \
        "$(gets 1 x '"session_id":"s"')" "$(says b '"session_id":"s","id":"m"')" "$(user canonical)"
}

@test "codex: sessions one behind another, forks and files apart" {
    {
        line session_meta '{"id":"1"}'; said user a
        line session_meta '{"id":"1"}'; said user b
        line session_meta '{"id":"2","forked_from_id":"1"}'; line turn_context '{"model":"m"}'
        line session_meta '{"id":"1"}'; said assistant c
        line compacted '{"message":"s"}'
        line session_meta '{"id":"3"}'; said assistant d
    } >in
    makes "ctx-normalize | jq -c '[.content, .metadata.session_id, .metadata.model]'" \
        '["a","1",null]' '["b","1",null]' '["s","2",null]' '["d","3",null]'
    { said user a; said assistant b; } >one
    line compacted '{"message":"s"}' >two
    spec <<'END'
ctx-normalize one two | jq -r .content
>>> a
>>> b
>>> s
END
}

@test "codex: what is not understood stays in its place, and is named when it speaks" {
    {
        said user a
        line response_item '{"type":"message","role":"user","content":5}'
        line response_item '{"type":"message","role":"Bob","content":[]}'
        line response_item '[1]'
        line new_type '{"x":1}'
        line response_item '{"no":"type"}'
        said user '' '"content":"second"'
        item message '"role":"user","content":["a string",7,{"type":"strange","x":1}]'
        raw '{bad'
        said assistant b
    } >in
    ctx-normalize in >out 2>err || may 65
    same 'kept' <(sed -n '2,6p;9p' in) <(grep -e payload -e bad out)
    same 'named' - <(sort err) <<'END'
ctx-normalize: in:2: unknown-shape: a message that is not understood; looks like codex
ctx-normalize: in:3: unknown-shape: a message that is not understood; looks like codex
ctx-normalize: in:8: unknown-shape: a part of a content that is none
ctx-normalize: in:9: expected a member name, at byte 2
END
}

@test "codex: calls and results without envelopes, behind messages of any kind" {
    {
        raw '{"timestamp":"t","role":"user","content":"a"}'
        raw '{"timestamp":"t","type":"tool_call","function":{"name":"f"},"arguments":"{}"}' '{"timestamp":"t","type":"tool_result","name":"f","result":"r"}'
        raw '{"timestamp":"t","role":"assistant","content":"b"}'
    } >in
    local messages=('{"timestamp":"t","role":"user","content":"a"}'
        '{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"f","arguments":"{}"},"x_codex":{"type":"tool_call"}}],"metadata":{"timestamp":"t"}}'
        '{"role":"tool","tool_call_id":"call_1","content":"r","metadata":{"timestamp":"t","x_codex":{"name":"f"}}}'
        '{"timestamp":"t","role":"assistant","content":"b"}')
    makes 'ctx-normalize' "${messages[@]}"
    makes 'ctx-normalize --from codex' "${messages[@]}"
}

@test "codex: what agents tell one another begins a turn, and a sealed one is kept" {
    {
        line session_meta '{"id":"s"}'
        line inter_agent_communication '{"author":"/root","recipient":"/root/w","other_recipients":[],"content":"do it"}'
        said assistant gone
        event thread_rolled_back '"num_turns":1'
        line inter_agent_communication '{"author":"/root","recipient":"/root/w","content":"again"}'
        line inter_agent_communication '{"author":"/root","content":"","encrypted_content":"E"}'
    } >in
    makes 'ctx-normalize' '{"role":"user","content":"again","metadata":{"session_id":"s","timestamp":"t","origin":"injected","x_codex":{"author":"/root","recipient":"/root/w"}}}' \
        '{"role":"assistant","content":[{"timestamp":"t","type":"inter_agent_communication","payload":{"author":"/root","content":"","encrypted_content":"E"}}],"metadata":{"session_id":"s","timestamp":"t"}}'
    makes "ctx-normalize -v 2>&1 >/dev/null | grep -o 'kept sealed.*'" 'kept sealed: 1 inter_agent_communication'
}

@test "codex: the metadata of an item is kept, and that of its envelope is not" {
    item message '"role":"user","content":[{"type":"input_text","text":"a"}],"metadata":{"turn_id":"1"}' | sed 's/,"payload"/,"ordinal":7,"metadata":{"of":"line"}&/' >in
    makes 'ctx-normalize' '{"role":"user","content":"a","metadata":{"timestamp":"t","x_codex":{"metadata":{"turn_id":"1"}}}}'
}

@test "codex: what each item of one answer says beside its text is kept" {
    local x='"phase":"a"'
    { called c f '{}'; said assistant s "$x"; said assistant t "$x"; } >in
    makes 'ctx-normalize | jq -c .metadata.x_codex' '{"phase":"a"}'
    { called c f '{}'; said assistant s "$x,\"id\":\"i\""; said assistant t '"id":"j"'; said assistant t '"phase":"b"'; said assistant u "$x"; } >in
    makes 'ctx-normalize | jq -c "[.metadata.x_codex, .metadata.id]"' '[[{"phase":"a"},{"phase":"b"},{"phase":"a"}],"i"]'
    same 'a pipe' <(ctx-normalize in | jq -c .metadata.x_codex) <(ctx-normalize <in | jq -c .metadata.x_codex)
    makes 'ctx-normalize --lossy | jq -c .metadata.x_codex' null
    # What is first said later stands before what follows, and the id stays the message's.
    { called c f '{}'; said assistant s '"id":"i"'; said assistant t "$x"; said assistant t '"phase":"b"'; event token_count '"info":{"last_token_usage":{"input_tokens":1,"output_tokens":2}}'; } >in
    makes 'ctx-normalize | jq -c ".metadata | [.id, .x_codex, .usage.output_tokens]"' '["i",[{"phase":"a"},{"phase":"b"}],2]'
}

@test "codex: a record of an unknown type that has words is named" {
    local record
    for record in '{"type":"error","text":"e"}' '{"timestamp":"t","type":"note","content":"n"}' '{"type":"odd","content":[{"text":"o"}]}'; do
        { said user a; raw "$record"; said assistant b; } >in
        ctx-normalize in >out 2>err || may 65
        same 'kept' <(raw "$record") <(sed -n 2p out)
        same 'named' <(echo 'ctx-normalize: in:2: unknown-shape: a message that is not understood; looks like no known format') err
        status_of 65 ctx-budget --brief in >/dev/null 2>err
        same 'a look' <(echo 'ctx-budget: in:2: unknown-shape: a message that is not understood; looks like no known format') err
    done
    { said user a; raw '{"type":"odd","text":""}' '{"type":"odd","content":[]}' '{"type":"odd","n":1}'; } >in
    makes 'ctx-normalize 2>&1 >/dev/null'
    # In a log of canonical messages such a record is the user's own.
    { raw '{"role":"user","content":"a"}' '{"type":"note","text":"n"}'; } >in
    makes 'ctx-normalize' 1-2
}

@test "codex: what speaks in a payload that no row takes is named" {
    local payload
    for payload in '{"type":"function_call","call_id":"1"}' '{"type":"shell_call_output","output":"o"}' '{"type":"tool_result"}' '{"text":"t"}' \
        '{"content":"c"}' '{"message":"m"}' '{"role":"user"}'; do
        { said user a; raw "{\"payload\":$payload}"; line brand_new "$payload"; } >in
        makes 'ctx-normalize | bare' "$(user a)" "{\"payload\":$payload}" "{\"type\":\"brand_new\",\"payload\":$payload}" \
            '>>>2 ctx-normalize: in:2: unknown-shape: a message that is not understood; looks like no known format' \
            '>>>2 ctx-normalize: in:3: unknown-shape: a message that is not understood; looks like no known format' '>>>= 65'
    done
    { said user a; item message '"content":[{"type":"output_text","text":"b"}]'; } >in
    makes 'ctx-normalize' "$(ctx-normalize in 2>/dev/null | head -n 1)" "$(tail -n 1 in)" \
        '>>>2 ctx-normalize: in:2: unknown-shape: a message that is not understood; looks like codex' '>>>= 65'
}

@test "codex: only what is still there counts as kept sealed, and the newest opaque compaction item never goes" {
    local sealed='"summary":[],"encrypted_content":"E"' i
    {
        said user a
        item reasoning "$sealed"
        line compacted '{"message":"","replacement_history":[{"type":"compaction_summary","encrypted_content":"OLD"}]}'
        item reasoning "$sealed"
        line compacted '{"message":"","replacement_history":[{"type":"compaction","encrypted_content":"NEW"},{"type":"context_compaction","encrypted_content":"NEW2"}]}'
        said user b
        called 1 f '{}'
        item function_call_output '"call_id":"1","output":[{"type":"encrypted_content","encrypted_content":"E"}]'
        item reasoning "$sealed"
        said user c
        item reasoning "$sealed"
        event thread_rolled_back '"num_turns":1'
        for i in {1..9}; do
            said user "$(printf '%0999d' "$i")"
            said assistant "$(printf '%0999d' "$i")"
        done
    } >in
    local kept='kept sealed: 1 reasoning, 1 compaction, 1 context_compaction, 1 encrypted_content'
    makes "ctx-normalize -v 2>&1 >/dev/null | grep -o 'kept sealed.*'" "$kept"
    makes "ctx-normalize -v --all 2>&1 >/dev/null | grep -o 'kept sealed.*'" "${kept/1 reasoning/4 reasoning, 1 compaction_summary}"
    same 'as it grows' <(ctx-normalize -v <in 2>&1 >/dev/null | grep -o 'kept sealed.*') - <<<"$kept"
    ctx-normalize --report report in >/dev/null
    [[ $(jq -c .sealed report) == '{"reasoning":1,"compaction":1,"context_compaction":1,"encrypted_content":1}' ]] || fail "$(<report)"
    ctx-normalize --lossy --report report in >out
    [[ $(jq -c .sealed report) == '{}' ]] || fail "$(<report)"
    status_of 1 grep -e encrypted -e pinned out
    makes "ctx-normalize | ctx-compact --force --target 1500 --keep-turns 1 | grep -o 'NEW2*\|\"pinned\":true' " NEW NEW2 '"pinned":true'
}

@test "codex: untrusted input makes no metadata but errors" {
    {
        line session_meta '{"id":"s"}'
        line turn_context '{"model":"m","turn_id":"t"}'
        said user '<environment_context>'
        called 1 f '{}'
        answered 1 aborted
    } >in
    makes 'ctx-normalize --untrusted' "$(user '<environment_context>')" "$(calls 1 f '{}')" "$(gets 1 aborted '"is_error":true')"
}

@test "codex: a file that zstd packed is read through the zstd of the system" {
    type -P zstd >/dev/null || skip 'zstd is not there'
    local command
    cp "$FIXTURES/codex-session.jsonl" plain
    zstd -q plain -o packed
    same 'ctx-normalize' <(ctx-normalize plain) <(ctx-normalize packed)
    same 'among others' <(ctx-normalize plain plain plain) <(ctx-normalize packed plain packed)
    for command in 'ctx-budget --json' 'ctx-select --count role=tool' 'ctx-budget --cuts --json'; do
        # shellcheck disable=SC2086
        same "$command" <($command plain) <($command packed)
    done
    same 'each' <(ctx-budget --each --json plain plain | jq -c .used_tokens) <(ctx-budget --each --json packed plain | jq -c .used_tokens)
    ctx-diff --stat --check packed plain
    # What is not all there is no session, and what reads it is named where it is missing.
    head -c 200 packed >torn
    spec <<'END'
ctx-normalize torn
>>>2 ctx-normalize: cannot read 'torn': zstd -dc failed
>>>= 69
END
    spec <<'END'
command=$(type -P ctx-normalize) && PATH=/nowhere "$command" packed plain
>>>2 ctx-normalize: cannot read 'packed': cannot run 'zstd': No such file or directory
>>>= 69
END
    # A filter takes canonical lines, and standard input is read as it is.
    status_of 65 ctx-normalize <packed >/dev/null 2>said
    [[ $(tail -n 1 said) == 'ctx-normalize: -: looks like zstd; try zstd -dc | ctx-normalize' ]]
    # The reader may leave before the end, and so may whoever reads it.
    { for _ in {1..2000}; do cat plain; done; echo '{torn'; cat plain; } | zstd -q >long
    status_of 65 ctx-normalize --bad-lines stop long >/dev/null 2>said
    ctx-normalize --all long 2>/dev/null | head -n 1 >out || [[ $? == 141 ]]
    [[ -s out ]]
}

@test "codex: of a packed file that is torn all that was unpacked is read" {
    type -P zstd >/dev/null || skip 'zstd is not there'
    { line session_meta '{"id":"s"}'; for n in {1..4000}; do said user "$n $RANDOM$RANDOM$RANDOM$RANDOM$RANDOM"; done; } >plain
    zstd -q plain -o packed
    head -c $(($(wc -c <packed) * 2 / 3)) packed >torn
    # The cut may by chance lie at the end of a line.
    zstd -dcq torn 2>/dev/null | jq -rR '. as $line | fromjson? | $line' >head || true
    (($(wc -l <head) > 100))
    status_of 69 ctx-normalize --bad-lines drop --bad-file /dev/null torn plain torn >out 2>err
    same 'messages' <(ctx-normalize head plain head) out
    same 'named' - <(grep -v unexpected err) <<'END'
ctx-normalize: cannot read 'torn': zstd -dc failed
ctx-normalize: cannot read 'torn': zstd -dc failed
END
    status_of 69 ctx-budget --json torn 2>/dev/null >out
    same 'counts' <(ctx-budget --json head | jq .used_tokens) <(jq .used_tokens out)
    status_of 69 ctx-diff --stat torn plain 2>/dev/null >out
    [[ -s out ]]
}

@test "codex: what only looks at a file without a compaction does not hold the session" {
    local tools=${CTX_BIN%/bin}/tests/bench turns
    # What the sanitizers keep of freed memory is theirs.
    export ASAN_OPTIONS=quarantine_size_mb=0:thread_local_quarantine_size_kb=0
    for turns in 1000 20000; do
        {
            line session_meta '{"id":"s"}'
            said user "$(printf '%0500d' 1)" | awk -v turns="$turns" '{ for (i = 0; i < turns; i++) print }'
        } >"$turns"
        "$tools/run" figures ctx-budget --brief --estimator bytes/4 "$turns" >/dev/null
        cut -d' ' -f3 figures >"$turns.kb"
    done
    # Held, the larger session would be 10 MB more.
    (($(<20000.kb) < $(<1000.kb) + 4096)) || fail "$(<1000.kb) kB became $(<20000.kb) kB"
}

# An independent reader: what jq finds of the items.
own_counts() {
    jq -s -c '[.[] | objects | if .type == "response_item" then .payload elif .type == "compacted" then (.payload.replacement_history // [])[]
            elif .payload == null then select(.role or (.type // "" | test("_(call|output|result)$"))) else empty end] |
        {calls: [.[] | select(.type | IN("function_call", "custom_tool_call", "local_shell_call", "tool_call")) | .name // .function.name],
         results: ([.[] | select(.type | IN("function_call_output", "custom_tool_call_output", "tool_result")) | .output // .result |
             if type == "array" then [.[].text] | join("") else strings // tojson end] | sort),
         users: ([.[] | select(.role == "user")] | length),
         texts: [.[] | select(.type == "message" or .type == null) | .content | if type == "string" then . else .[] | strings // .text // empty end]}' "$1"
}

read_counts() {
    jq -s -c '[.[] | select(.role != null and .role != "system")] |
        {calls: [.[].tool_calls[]?.function.name],
         results: ([.[] | select(.role == "tool") | .content | if type == "string" then . else [.[].text] | join("") end] | sort),
         users: ([.[] | select(.role == "user")] | length),
         texts: [.[] | select(.role != "tool") | .content | if type == "string" then . else .[]? | select(.type == "text").text end]}' "$1"
}

@test "codex: real sessions say what jq finds in them" {
    local file count=0
    [[ -d $CTX_SHARED/codex-cli ]] || skip 'no transcripts beside the tree'
    for file in "$CTX_SHARED"/codex-cli/**/*.jsonl; do
        # Words that no version writes are named, and are all that is.
        ctx-normalize --all --from codex "$file" >out 2>err || may 65
        jq -r 'select(.type == "error" and .payload == null and (.text | type) == "string") | input_line_number' "$file" |
            sed "s|.*|ctx-normalize: $file:&: unknown-shape: a message that is not understood; looks like no known format|" >odd
        same "$file" odd err
        same "$file" <(own_counts "$file") <(read_counts out)
        # Those whose first line tells no envelope are told by a later one.
        same "$file" out <(ctx-normalize --all "$file" 2>err | grep .)
        # Messages alone are canonical already.
        if grep -qE '"type":' "$file"; then
            ctx-normalize --check --from codex "$file" 2>err || may 1 65
            # Beside what today's client does not load of old files.
            same "$file" odd <(grep -v ': \(unreached\|no-header\|no-member\|bad-value\|to mend it\): ' err)
        else
            same "$file" <(grep . "$file") out
        fi
        count=$((count + 1))
    done
    ((count == $(find "$CTX_SHARED/codex-cli" -name '*.jsonl' | wc -l)))
}
