#!/usr/bin/env bats
#
# ctx-normalize --into: what became of a log's messages, in the file that it was read from.  make check-clients
# resumes what it writes.

load helper

agents='claude-code codex pi gemini-cli opencode'

setup() {
    fresh_directory
}

# session AGENT: a session file of the agent with two rounds of calls.
session() {
    ctx-normalize --to "$1" "$ROOT/tests/clients/harbour.jsonl" 2>err
}

# said: what each message says, with its calls, however it is spelled.
said() {
    jq -cS 'select(.role) | [.role, (.content // "" | if type == "array" then map(.text // .thinking // "image") | join("\n") else . end),
        [.tool_calls[]? | [.id, .function.name, .function.arguments]], (select(.role == "tool").tool_call_id)]'
}

# named: the sessions of the messages.
named() {
    jq -r '.metadata.session_id // empty' | sort -u
}

# becomes FILE FILTER: the log of the file goes through the filter and back into the file, as new; what is read of
# that is what the filter gave, of the same session.
becomes() {
    ctx-normalize "$1" | eval "$2" >log
    ctx-normalize --into "$1" log >new
    same "$1: $2" <(said <log) <(ctx-normalize new | said)
    same "$1: $2: session" <(ctx-normalize "$1" | named) <(ctx-normalize new | named)
}

export -f said named becomes

# Whatever the message says, its first string is cut.
cut_results='jq -c '\''if .role == "tool" then .content = "[cut]" else . end'\'
drop_calls='jq -c '\''select(.role != "tool" and .tool_calls == null)'\'
add='jq -c '\''if .role == "assistant" and .tool_calls == null then ({role: "assistant", content: "anew"}, {role: "user", content: "new here"}, .) else . end'\'
shout='jq -c '\''if .role == "user" then .content = "LOUD" else . end'\'

@test "into: a log that nobody changed gives the file byte for byte" {
    local agent file
    for agent in $agents; do
        session "$agent" >"$agent.session"
    done
    jq . opencode.session >opencode-printed.session
    sed 's/$/\r/' pi.session >pi-crlf.session
    printf '%s' "$(cat codex.session)" >codex-torn.session
    # A result that says nothing and answers no call.
    grep -v '"function_call"' codex.session | sed 's/"output":"[^"]*"/"output":""/' >codex-silent.session
    for file in *.session "$FIXTURES"/{claude-code,codex,pi,gemini-cli}-*.jsonl \
        "$CTX_SHARED"/{claude-code,codex-cli,pi,gemini-cli,opencode}/*/*.json*; do
        ctx-normalize "$file" >log 2>err || [[ $? == 65 ]]
        grep -q '^{"type":"source",' log || continue
        ctx-normalize --into "$file" log >new 2>err || [[ $? == 65 ]]
        same "$file" "$file" new
    done
}

@test "into: results that are cut, calls that are gone, messages that are new, words that are others" {
    local agent
    for agent in $agents; do
        session "$agent" >"$agent.session"
        becomes "$agent.session" "$cut_results"
        becomes "$agent.session" "$drop_calls"
        becomes "$agent.session" "$add"
        becomes "$agent.session" "$shout"
        becomes "$agent.session" "$drop_calls | $add | $shout"
        becomes "$agent.session" ctx-isolate
        becomes "$agent.session" 'ctx-compact --limit 400'
        becomes "$agent.session" "sed 3d | ctx-normalize"
    done
}

# longer ROUND: six long turns.
longer() {
    local i
    for i in 1 2 3 4 5 6; do
        printf '{"role":"user","content":"Round %s, %s?"}\n{"role":"assistant","content":"%s"}\n' "$1" $i "$(printf 'sounded %.0s' {1..90})"
    done
}

@test "into: an artifact that is read again is a summary, and does not outlive the next compactions" {
    local agent round count
    for agent in $agents; do
        session "$agent" >in
        for round in 1 2 3 4; do
            { ctx-normalize in; longer "$round"; } | ctx-compact --limit 600 >log
            ctx-normalize --into in log >new
            same "$agent: $round" <(said <log) <(ctx-normalize new | said)
            same "$agent: $round: marks" <(jq -c 'select(.metadata.kind == "summary").content' log) <(ctx-normalize new | jq -c 'select(.metadata.kind == "summary").content')
            mv new in
        done
        (($(ctx-normalize in | grep -c '"\[summary\] ') < 3)) || fail "$agent: $(ctx-normalize in | grep '"\[summary\] ')"
    done
    # Only the words of ctx-compact are known, and only as a user's whole message.
    {
        for text in '[summary] 1 earlier message was dropped to' '[summary] 1,234 earlier messages were dropped to' '[summary] Results below were cut to' \
            '[summary] earlier messages were dropped to' '[summary] 12 earlier things' 'See: [summary] 1 earlier message was dropped'; do
            printf '{"type":"user","message":{"role":"user","content":"%s"}}\n' "$text"
        done
        echo '{"type":"user","message":{"role":"user","content":[{"type":"text","text":"[summary] 2 earlier messages were dropped"},{"type":"text","text":"and?"}]}}'
        echo '{"type":"assistant","message":{"role":"assistant","content":"[summary] 2 earlier messages were dropped"}}'
        for text in 'Conversation symbols\n2 earlier messages were dropped' 'Conversation symbols\nearlier messages were dropped' \
            'Title\nand text\n2 earlier messages were dropped'; do
            printf '{"type":"user","message":{"role":"user","content":"%s"}}\n' "$text"
        done
    } >in
    same 'words' - <(ctx-normalize --from claude-code in | jq -c 'select(.role) | [.metadata.kind, .metadata.scope]' | sort | uniq -c | sed 's/^ *//') <<'END'
4 ["summary","historical"]
7 [null,null]
END
    # Those of strategies have a title.
    session codex >in
    for round in 1 2 3 4; do
        { ctx-normalize in; longer "$round"; } | ctx-compact --strategy summarize --limit 600 >log
        ctx-normalize --into in log >new
        mv new in
    done
    count=$(ctx-normalize in | grep -c '"Summary of previous conversation')
    ((count > 0 && count < 3)) || fail "$count"
}

@test "into: what is not changed stays byte for byte" {
    session claude-code >in
    becomes in "$cut_results"
    diff in new >changes || true
    [[ $(grep -c '^<' changes) == $(grep -c tool_result in) ]]
    same 'nothing else' /dev/null <(grep '^[<>]' changes | grep -v tool_result)
    same 'nothing of it' /dev/null <(grep tool_result new | grep '4\.2')
}

@test "into: the chain of records stays whole, in front of what was appended, too" {
    session pi >in
    ctx-normalize in | eval "$drop_calls" >log
    echo '{"role":"user","content":"last"}' >>log
    last=$(tail -n 1 in | jq -c .id)
    echo '{"type":"message","id":"z","parentId":'"$last"',"timestamp":"2026-01-01T00:00:09.000Z","message":{"role":"user","content":"appended"}}' >>in
    ctx-normalize --into in log >new
    jq -s -c '[.[1:][].id] as $ids | [.[1:][].parentId] == [null] + $ids[:-1]' new >out
    same chain - out <<<true
    tail -n 1 new | jq -r .message.content >out
    same appended - out <<<appended
    same all <(said <log; echo '["user","appended",[]]') <(ctx-normalize new | said | sed 's/,null\]$/]/')
}

@test "into: a file that has changed, and a log that is not of it" {
    session pi >in
    ctx-normalize in >log
    sed 's/harbour/harbor/' in >other
    spec <<'END'
ctx-normalize --into other log
>>>2 ctx-normalize: other is not as it was read, or another file: read it again
>>>= 75
END
    head -n 3 in >short
    spec <<'END'
ctx-normalize --into short log
>>>2 ctx-normalize: short is not as it was read, or another file: read it again
>>>= 75
END
    # A source record that claims more bytes than the file has, of which the sum is right.
    spec <<'END'
sed 's/"bytes":/&9/' log | ctx-normalize --into in
>>>2 ctx-normalize: in is not as it was read, or another file: read it again
>>>= 75
END
    spec <<'END'
grep -v '"type":"source"' log | ctx-normalize --into in
>>>2 ctx-normalize: --into in: the log has no source record: make it with ctx-normalize in; try 'ctx-normalize --help'
>>>= 64
END
    spec <<'END'
cat log log | ctx-normalize --into in
>>>2 ctx-normalize: --into in: the log has several source records, as of --agents: make it with ctx-normalize in; try 'ctx-normalize --help'
>>>= 64
END
    spec <<'END'
jq -c 'del(.metadata.source)' log | ctx-normalize --into in
>>>2 ctx-normalize: --into in: no message of the log has metadata.source: make it with ctx-normalize in; try 'ctx-normalize --help'
>>>= 64
END
}

@test "into: a file of a format that is not written back is named, and no maker of a log is proposed" {
    session pi >in
    ctx-normalize in >log
    printf '%s\n' '{"role":"user","content":"Hello."}' >messages
    printf '{\n "model":"m","max_tokens":9,"system":"s","messages":[%s]}\n' "$(<messages)" >request
    spec <<'END'
ctx-normalize request | ctx-normalize --into request
>>>2 ctx-normalize: --into request: looks like anthropic; only sessions of claude-code, codex, pi, gemini-cli and opencode are written back: write another file with --to; try 'ctx-normalize --help'
>>>= 64
END
    spec <<'END'
ctx-normalize messages | ctx-normalize --into messages
>>>2 ctx-normalize: --into messages: looks like ctx; only sessions of claude-code, codex, pi, gemini-cli and opencode are written back: write another file with --to; try 'ctx-normalize --help'
>>>= 64
END
    # A log is of a session, and goes into that session alone: it is no later run that may succeed.
    spec <<'END'
ctx-normalize --into log log
>>>2 ctx-normalize: --into log: looks like ctx; only sessions of claude-code, codex, pi, gemini-cli and opencode are written back: write another file with --to; try 'ctx-normalize --help'
>>>= 64
END
    spec <<'END'
ctx-normalize --into none messages
>>>2 ctx-normalize: cannot open 'none': No such file or directory
>>>= 66
END
}

@test "into: a metadata.source that lies" {
    local source
    session claude-code >in
    ctx-normalize in >log
    for source in 0 1 99 -3 2.5 '"2.2"' '"x"' '""' 18446744073709551616; do
        jq -c --argjson source "$source" 'if .metadata.source == 3 then .metadata.source = $source else . end' log >lie
        ! ctx-normalize --into in lie >new 2>err || fail "$source"
        same "$source" /dev/null new
    done
}

@test "into: what repeats a result that was cut is cut with it" {
    cat >in <<'END'
{"type":"user","uuid":"a","parentUuid":null,"sessionId":"s","timestamp":"2026-01-01T00:00:01.000Z","message":{"role":"user","content":"How deep is it?"}}
{"type":"assistant","uuid":"b","parentUuid":"a","sessionId":"s","timestamp":"2026-01-01T00:00:02.000Z","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"sound"}}]}}
{"type":"user","uuid":"c","parentUuid":"b","sessionId":"s","timestamp":"2026-01-01T00:00:03.000Z","toolUseResult":{"stdout":"It is very deep in the middle of the basin","stderr":""},"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"It is very deep in the middle of the basin"}]}}
{"type":"progress","uuid":"d","parentUuid":"c","sessionId":"s","data":{"output":"It is very deep in the middle of the basin"}}
{"type":"assistant","uuid":"e","parentUuid":"d","sessionId":"s","timestamp":"2026-01-01T00:00:04.000Z","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"4.2 m"}]}}
END
    becomes in "$cut_results"
    spec <<'END'
{ diff in new || true; } | grep '^>'
>>> > {"type":"user","uuid":"c","parentUuid":"b","sessionId":"s","timestamp":"2026-01-01T00:00:03.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"[cut]"}]}}
>>> > {"type":"progress","uuid":"d","parentUuid":"c","sessionId":"s","data":{"output":"[cut]"}}
END
    cat >in <<'END'
{"timestamp":"2026-01-01T00:00:00.000Z","ordinal":0,"type":"session_meta","payload":{"id":"s"}}
{"timestamp":"2026-01-01T00:00:01.000Z","ordinal":1,"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"How deep is it in the middle of the basin?"}]}}
{"timestamp":"2026-01-01T00:00:01.000Z","ordinal":2,"type":"event_msg","payload":{"type":"user_message","message":"How deep is it in the middle of the basin?"}}
{"timestamp":"2026-01-01T00:00:02.000Z","ordinal":3,"type":"response_item","payload":{"type":"function_call","name":"sound","arguments":"{}","call_id":"c1"}}
{"timestamp":"2026-01-01T00:00:03.000Z","ordinal":4,"type":"event_msg","payload":{"type":"exec_command_end","call_id":"c1","stdout":"4.2 m"}}
{"timestamp":"2026-01-01T00:00:03.000Z","ordinal":5,"type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"4.2 m"}}
END
    becomes in "$cut_results | $shout | $add"
    spec <<'END'
jq -c '[.ordinal, .type, .payload.type, .payload.output // .payload.message // .payload.content[0].text?]' new
>>> [0,"session_meta",null,null]
>>> [1,"response_item","message","LOUD"]
>>> [2,"event_msg","user_message","LOUD"]
>>> [3,"response_item","function_call",null]
>>> [5,"response_item","function_call_output","[cut]"]
END
}

@test "into: the name of a record, the session or a model is no text that is repeated" {
    local id=00000000-0000-4000-8000-00000000000 model=us.anthropic.claude-sonnet-4-5-20250929-v1:0
    cat >in <<END
{"type":"user","uuid":"${id}1","parentUuid":"${id}0","sessionId":"${id}9","timestamp":"2026-01-01T00:00:01.000Z","message":{"role":"user","content":"${id}1"}}
{"type":"assistant","uuid":"${id}2","parentUuid":"${id}1","sessionId":"${id}9","timestamp":"2026-01-01T00:00:02.000Z","message":{"id":"m1","model":"$model","role":"assistant","content":[{"type":"text","text":"${id}9"},{"type":"tool_use","id":"${id}8","name":"Bash","input":{"command":"sound"}}]}}
{"type":"progress","uuid":"${id}3","parentUuid":"${id}2","sessionId":"${id}9","toolUseID":"${id}8","data":{"model":"$model"}}
{"type":"user","uuid":"${id}4","parentUuid":"${id}3","sessionId":"${id}9","timestamp":"2026-01-01T00:00:03.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"${id}8","content":"${id}3"}]}}
{"type":"system","subtype":"turn_duration","uuid":"${id}5","parentUuid":"${id}4","logicalParentUuid":"${id}7","sessionId":"${id}9"}
{"type":"user","uuid":"${id}6","parentUuid":"${id}5","sessionId":"${id}9","timestamp":"2026-01-01T00:00:04.000Z","message":{"role":"user","content":"${id}7"}}
END
    becomes in "jq -c 'if .role then .content = \"hi\" else . end'"
    same records <(jq -c 'del(.message)' in) <(jq -c 'del(.message)' new)
    becomes in "jq -c 'select(.metadata.source != 6)' | $drop_calls"
    spec <<'END'
jq -c '[.type, .uuid[-1:], .parentUuid[-1:], .logicalParentUuid[-1:]?, .sessionId[-1:], (.toolUseID | length), (.data.model | length)]' new
>>> ["user","1","0",null,"9",0,0]
>>> ["progress","3","1",null,"9",36,44]
>>> ["system","5","3","7","9",0,0]
END
}

@test "into: other records keep their ids, also those of messages that are gone" {
    local file=$FIXTURES/claude-code-session.jsonl
    ids() { jq -r '[.type, .sessionId, (.uuid | type), (.parentUuid | type), .attachment.toolUseID] | tojson'; }
    ctx-normalize "$file" | ctx-compact --limit 30k 2>err >log
    ctx-normalize --into "$file" log >new
    ctx-normalize --check --from claude-code new
    same 'other records' <(grep -v '"message":{' "$file" | ids) <(grep -v '"message":{' new | ids)
    # What a record follows is no text, whatever it is spelled like.
    cat >in <<'END'
{"type":"user","uuid":"a","parentUuid":null,"sessionId":"s","timestamp":"2026-01-01T00:00:01.000Z","message":{"role":"user","content":"How deep is it?"}}
{"type":"assistant","uuid":"b","parentUuid":"a","sessionId":"s","timestamp":"2026-01-01T00:00:02.000Z","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"It is very deep in the middle of the basin"}]}}
{"type":"progress","uuid":"c","parentUuid":"It is very deep in the middle of the basin","sessionId":"s","data":{"output":"It is very deep in the middle of the basin"}}
{"type":"user","uuid":"d","parentUuid":"b","sessionId":"s","timestamp":"2026-01-01T00:00:04.000Z","message":{"role":"user","content":"And there?"}}
END
    ctx-normalize in | grep -v 'very deep' >log
    ctx-normalize --into in log >new
    spec <<'END'
grep progress new
>>> {"type":"progress","uuid":"c","parentUuid":"It is very deep in the middle of the basin","sessionId":"s","data":{"output":""}}
END
}

@test "into: a line that repeats a record which is gone does not bring it back" {
    local file=$FIXTURES/claude-code-parallel.jsonl
    [[ $(grep -c 'there is no c.txt' "$file") == 2 ]]
    becomes "$file" 'grep -v "there is no c.txt"'
    ! grep -q '"text":""\|there is no c.txt' new || fail "$(<new)"
    becomes "$file" 'jq -c "if .metadata.source == 9 then {role: \"user\", content: \"new\"}, . else . end"'
    ctx-normalize --check --from claude-code new
    becomes "$file" 'sed s/there.is.no.c.txt/no.c/'
    ! grep -q '"text":""\|there is no c.txt' new || fail "$(<new)"
}

@test "into: where no record names a parent, as other programs write it, new ones name none" {
    claude() { printf '{"type":"%s","sessionId":"s1","uuid":"u%s"%s,"message":{"role":"%s","content":"%s"},"timestamp":"2026-01-01T00:00:0%s.000Z"}\n' "$1" "$2" "$4" "$1" "$3" "$2"; }
    { claude user 1 A ''; claude assistant 2 B ''; } >in
    { claude user 1 A ',"parentUuid":null'; claude assistant 2 B ',"parentUuid":"u1"'; } >chained
    claude user 1 A ',"parentUuid":null' >one
    { claude user 1 A ',"parentUuid":null'; claude assistant 2 B ',"parentUuid":null'; } >apart
    local file
    for file in in chained one apart; do
        becomes "$file" "sed '1a {\"role\":\"assistant\",\"content\":\"new\"}'"
        jq -c 'has("parentUuid") and (.parentUuid != null)' new | tr '\n' ' '
    done | same 'parents' - <(printf 'false false false false true true false true false false false ')
}

@test "into: the agent's own compaction, which names by its number what it keeps" {
    local way
    {
        cat <<'END'
{"type":"session","id":"s1","timestamp":"2026-01-01T00:00:00.000Z","cwd":"."}
END
        entry() { printf '{"type":"message","timestamp":"2026-01-01T00:00:0%s.000Z","message":{"role":"user","content":"%s"}}\n' "$1" "$2"; }
        entry 1 A; entry 2 B; entry 3 K; entry 4 L
        echo '{"type":"compaction","timestamp":"2026-01-01T00:00:05.000Z","summary":"S","firstKeptEntryIndex":3}'
        entry 6 C
    } >in
    for way in cat 'sed 1d' 'sed 1,2d' 'sed 3d' 'sed 1,4d'; do
        ctx-normalize --all in | eval "$way" | ctx-normalize --all --into in >new
        jq -c 'select(.type == "compaction").firstKeptEntryIndex' new
        ctx-normalize new | jq -r 'select(.role == "user" and .metadata.kind == null).content'
    done | tr '\n' ' ' >out
    becomes in "jq -c 'if .content == \"K\" then ({role: \"user\", content: \"new\"}, .) else . end'"
    ctx-normalize new | jq -r 'select(.role == "user" and .metadata.kind == null).content | if type == "array" then .[].text else . end' | tr '\n' ' ' >>out
    echo >>out
    same 'kept' - out <<'END'
3 K L C 2 K L C 1 K L C 3 L C 1 C new K L C 
END
}

@test "into: the agent's own compaction" {
    cat >in <<'END'
{"type":"session","version":3,"id":"s1","timestamp":"2026-01-01T00:00:00.000Z","cwd":"."}
{"type":"message","id":"a1","parentId":null,"timestamp":"2026-01-01T00:00:01.000Z","message":{"role":"user","content":"before"}}
{"type":"message","id":"a2","parentId":"a1","timestamp":"2026-01-01T00:00:02.000Z","message":{"role":"user","content":"kept"}}
{"type":"message","id":"a3","parentId":"a2","timestamp":"2026-01-01T00:00:03.000Z","message":{"role":"assistant","content":[{"type":"text","text":"kept, too"}]}}
{"type":"compaction","id":"c1","parentId":"a3","timestamp":"2026-01-01T00:00:04.000Z","summary":"They met.","firstKeptEntryId":"a2"}
{"type":"message","id":"a4","parentId":"c1","timestamp":"2026-01-01T00:00:05.000Z","message":{"role":"user","content":"behind"}}
END
    becomes in cat
    becomes in "sed 1d"
    becomes in "sed 2d"
    becomes in "sed 2,3d"
    becomes in "jq -c 'if .content == \"kept\" then ({role: \"user\", content: \"new\"}, .) else . end'"
    spec <<'END'
jq -c '[.type, .id == "a2", .firstKeptEntryId == "a2"]' new
>>> ["session",false,false]
>>> ["message",false,false]
>>> ["message",false,false]
>>> ["message",true,false]
>>> ["message",false,false]
>>> ["compaction",false,false]
>>> ["message",false,false]
END
}

# becomes_all FILE: what a pipeline may make of a session that its agent compacted.
becomes_all() {
    local filter
    for filter in cat "$cut_results" "$drop_calls" "$add" "$shout" "$drop_calls | $add | $shout" 'sed 1d' 'sed 2d | ctx-normalize' \
        'sed 1,2d | ctx-normalize' 'sed 1,3d | ctx-normalize' 'sed 1,4d | ctx-normalize' ctx-isolate \
        'ctx-compact --limit=200 --best-effort' 'ctx-compact --limit=90 --best-effort' 'ctx-isolate | ctx-compact --limit=90 --best-effort'; do
        becomes "$1" "$filter"
        [[ $filter != cat ]] || cmp "$1" new
    done
}

@test "into: the agent's own compaction: claude-code, with what it keeps" {
    local kept says='{"type":"text","text":'
    # put ID PARENT TYPE REST: a record.
    put() {
        printf '{"type":"%s","uuid":"u%s","parentUuid":%s,"sessionId":"s","timestamp":"2026-01-01T00:00:%02d.000Z",%s}\n' "$3" "$1" "$2" "$1" "$4"
    }
    said_by() {
        put "$1" "\"u$2\"" assistant "\"message\":{\"id\":\"m$1\",\"role\":\"assistant\",\"content\":[$3]}"
    }
    asked() {
        put "$1" "$2" user "\"message\":{\"role\":\"user\",\"content\":$3}${4-}"
    }
    for kept in '' '"preservedMessages": {"anchorUuid":"u6", "uuids":["u2", "u3", "u4"], "allUuids":["u2", "u3", "u4"]}' \
        '"preservedSegment":{"headUuid":"u2","anchorUuid":"u6","tailUuid":"u4"}'; do
        {
            asked 1 null '"How deep?"'
            said_by 2 1 '{"type":"tool_use","id":"t2","name":"Bash","input":{"command":"sound 2"}}'
            asked 3 '"u2"' '[{"type":"tool_result","tool_use_id":"t2","content":"4.2 m in the middle of the harbour"}]'
            said_by 4 3 "$says\"Deep.\"}"
            put 5 null system "\"subtype\":\"compact_boundary\",\"logicalParentUuid\":\"u4\",\"compactMetadata\":{$kept}"
            asked 6 '"u5"' '"It is deep."' ',"isCompactSummary":true'
            asked 7 '"u6"' '"And at low tide?"'
            said_by 8 7 '{"type":"tool_use","id":"t8","name":"Bash","input":{"command":"sound 8"}}'
            asked 9 '"u8"' '[{"type":"tool_result","tool_use_id":"t8","content":"3.1 m in the middle of the harbour"}]'
            said_by 10 9 "$says\"Less.\"}"
        } >in
        [[ ! $kept || $(ctx-normalize in | grep -c '4\.2') == 1 ]]
        becomes_all in
    done
}

@test "into: the agent's own compaction: codex, with records in its list" {
    local text='{"type":"message","role":"user","content":[{"type":"input_text","text":'
    {
        echo '{"timestamp":"2026-01-01T00:00:00.000Z","type":"session_meta","payload":{"id":"s"}}'
        printf '{"timestamp":"2026-01-01T00:00:0%s.000Z","type":"%s","payload":%s}\n' \
            1 response_item "$text\"How deep?\"}]}" \
            2 compacted '{"message":"","replacement_history":['"$text\"How deep?\"}]}, "'{"type":"function_call","name":"sound","arguments":"{}","call_id":"c1"},{"type":"function_call_output","call_id":"c1","output":"4.2 m"}, '"$text\"It is deep.\"}]}]}" \
            3 response_item "$text\"And at low tide?\"}]}" \
            4 response_item '{"type":"function_call","name":"sound","arguments":"{}","call_id":"c2"}' \
            5 response_item '{"type":"function_call_output","call_id":"c2","output":"3.1 m"}' \
            6 response_item '{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Less."}]}'
    } >in
    becomes_all in
    becomes in "$add"
    same 'items alone' /dev/null <(jq -c 'select(.type == "compacted").payload.replacement_history[] | select(.type == "user_message")' new)
}

@test "into: the agent's own compaction: opencode, whose tail stands before it" {
    local tail
    # put N ROLE INFO PART...
    put() {
        printf '{"info":{"id":"msg_%s","sessionID":"ses_1","role":"%s","time":{"created":%s}%s},"parts":[%s]}' "$1" "$2" "$1" "$3" "$(IFS=,; echo "${*:4}")"
    }
    words() {
        printf '{"type":"text","text":"%s"}' "$1"
    }
    sounds() {
        printf '{"type":"tool","callID":"c%s","tool":"bash","state":{"status":"completed","input":{"n":%s},"output":"%s m","title":"","metadata":{},"time":{"start":1,"end":2}}}' "$1" "$1" "$1"
    }
    for tail in '' ',"tail_start_id":"msg_3"'; do
        printf '{"info":{"id":"ses_1"},\n "messages":[%s]}\n' "$(
            put 1 user '' "$(words 'How deep?')"
            echo ,
            put 2 assistant ',"parentID":"msg_1"' "$(sounds 2)" "$(words 'Deep.')"
            echo ,
            put 3 user '' "$(words 'Really?')"
            echo ,
            put 4 assistant ',"parentID":"msg_3"' "$(sounds 4)" "$(words 'Yes.')"
            echo ,
            put 5 user '' "{\"type\":\"compaction\",\"auto\":true$tail}"
            echo ,
            put 6 assistant ',"parentID":"msg_5","summary":true,"finish":"stop"' "$(words 'It is deep.')"
            echo ,
            put 7 user '' "$(words 'And at low tide?')"
            echo ,
            put 8 assistant ',"parentID":"msg_7"' "$(sounds 8)" "$(words 'Less.')"
        )" >in
        becomes_all in
        becomes in "$shout"
        same 'in time' <(jq '[.messages[].info.time.created]' new) <(jq '[.messages[].info.time.created] | sort' new)
        jq -c .messages in >list
        becomes list "$drop_calls | $add | $shout"
    done
}

@test "into: opencode: what is new before what an earlier run put in has an id of its own" {
    local i between='jq -c '\''if .content == "And at low tide?" then (., {role: "user", content: "between"}) else . end'\'
    session opencode >in
    becomes in ctx-isolate
    for i in 1 2 3; do
        mv new in
        becomes in "$between"
        same 'in order' <(jq '[.messages[].info.id]' new) <(jq '[.messages[].info.id] | unique' new)
    done
}

@test "into: a record of gemini-cli that comes again" {
    cat >in <<'END'
{"sessionId":"g1","projectHash":"h"}
{"id":"u1","timestamp":"2026-01-01T00:00:01.000Z","type":"user","content":[{"text":"one"}]}
{"id":"m1","timestamp":"2026-01-01T00:00:02.000Z","type":"gemini","content":"","toolCalls":[{"id":"t1","name":"ls","args":{},"status":"executing"}]}
{"id":"u2","timestamp":"2026-01-01T00:00:03.000Z","type":"user","content":[{"text":"two"}]}
{"id":"m1","timestamp":"2026-01-01T00:00:02.000Z","type":"gemini","content":"","toolCalls":[{"id":"t1","name":"ls","args":{},"status":"success","result":[{"functionResponse":{"id":"t1","name":"ls","response":{"output":"a.txt"}}}],"resultDisplay":"a.txt"}]}
{"id":"m2","timestamp":"2026-01-01T00:00:04.000Z","type":"gemini","content":"done"}
END
    becomes in "$cut_results"
    same 'nothing of it' /dev/null <(grep a.txt new)
    becomes in "$drop_calls"
    becomes in "$add"
}

@test "into: gemini-cli: what changed of a session that was resumed is nowhere as it was" {
    cp "$FIXTURES/gemini-cli-resumed.jsonl" in
    becomes in "sed 's/soundings.txt, [^\"]*/[cut]/'"
    same 'no result of it' /dev/null <(grep soundings.txt new)
    # Only one of the parallel calls goes.
    becomes in "sed 's/{\"id\":\"c1\".*,{\"id\":\"c2\"/{\"id\":\"c2\"/;/\"tool_call_id\":\"c1\"/d'"
    same 'no call of it' /dev/null <(grep '"c1"' new)
    becomes in "sed 's/I look[.]/I see./'"
    becomes in "sed 's/tide[.]txt/[cut]/'"
    same 'no copy of it' /dev/null <(grep tide.txt new)
    becomes in "sed '/\"I look once more.\"/d;/\"tool_call_id\":\"c3\"/d'"
    same 'no call of it' /dev/null <(grep '"c3"' new)
    # Of two that went on at once, the second.
    {
        echo '{"sessionId":"g1","projectHash":"h"}'
        echo '{"id":"m1","type":"gemini","content":"","toolCalls":[{"id":"c1","name":"ls","args":{},"result":"one"},{"id":"c2","name":"ls","args":{},"result":"two"}]}'
        echo '{"id":"r1","type":"user","content":[{"functionResponse":{"id":"c1","name":"ls","response":{"output":"one"}}},{"functionResponse":{"id":"c2","name":"ls","response":{"output":"two"}}}]}'
    } >in
    becomes in "sed 's/two/[cut]/'"
    same 'nor of that' /dev/null <(grep two new)
    cp "$FIXTURES/gemini-cli-resumed.jsonl" in
    becomes in "$drop_calls"
    same 'no calls' /dev/null <(grep 'functionCall\|soundings.txt' new)
    # A result alone.
    ctx-normalize in | sed '/"tool_call_id":"c1"/d' | ctx-normalize --into in >new
    same 'no result alone' /dev/null <(grep soundings.txt new)
}

@test "into: a file that is packed, and files of which the messages are in others" {
    command -v zstd >/dev/null || skip 'no zstd'
    session codex >in
    ctx-normalize in >log
    zstd -q in -o packed
    spec <<'END'
ctx-normalize packed | ctx-normalize --into packed
>>>2 ctx-normalize: packed is packed by zstd, and is not written packed: unpack it, and read that; try 'ctx-normalize --help'
>>>= 64
END
    same 'unpacked since' <(cat in) <(ctx-normalize packed | ctx-normalize --into in)
    mkdir -p storage/{session/p,message/ses_1,part/msg_1}
    echo '{"id":"ses_1","version":"1.0.0","projectID":"p","directory":"/","title":"t","time":{"created":1,"updated":2}}' >storage/session/p/ses_1.json
    echo '{"id":"msg_1","sessionID":"ses_1","role":"user","time":{"created":1}}' >storage/message/ses_1/msg_1.json
    echo '{"id":"prt_1","messageID":"msg_1","sessionID":"ses_1","type":"text","text":"hello"}' >storage/part/msg_1/prt_1.json
    spec <<'END'
ctx-normalize storage/session/p/ses_1.json | ctx-normalize --into storage/session/p/ses_1.json
>>>2 ctx-normalize: the messages of the log are in other files, as in a storage of opencode, which are not written: export the session, and read that; try 'ctx-normalize --help'
>>>= 64
END
    spec <<'END'
ctx-normalize --into storage log
>>>2 ctx-normalize: cannot read 'storage': is a directory
>>>= 66
END
    mkdir -p s/subagents
    echo '{"type":"user","uuid":"a","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"Look."}}' >s.jsonl
    echo '{"type":"user","uuid":"b","parentUuid":null,"isSidechain":true,"agentId":"x","sessionId":"s","message":{"role":"user","content":"Find it."}}' >s/subagents/agent-x.jsonl
    spec <<'END'
ctx-normalize --agents s.jsonl | ctx-normalize --into s/subagents/agent-x.jsonl
>>>2 ctx-normalize: --into s/subagents/agent-x.jsonl: the log has several source records, as of --agents: make it with ctx-normalize s/subagents/agent-x.jsonl; try 'ctx-normalize --help'
>>>= 64
END
    becomes s/subagents/agent-x.jsonl "$shout"
}

@test "into: a document of events, and a checkpoint, have no place for changes" {
    printf '%s\n' '[' '{"type":"message.updated","properties":{"info":{"id":"msg_1","sessionID":"ses_1","role":"user","time":{"created":1}}}},' \
        '{"type":"message.part.updated","properties":{"part":{"id":"prt_1","sessionID":"ses_1","messageID":"msg_1","type":"text","text":"hi"}}}' ']' >in
    becomes in cat
    spec <<'END'
ctx-normalize in | sed 's/"hi"/"ho"/' | ctx-normalize --into in
>>>2 ctx-normalize: changes have no place in the file: it is no list of opencode's messages in their order; try 'ctx-normalize --help'
>>>= 64
END
    jq -c . in >line
    spec <<'END'
{ ctx-normalize line; echo '{"role":"user","content":"new"}'; } | ctx-normalize --into line
>>>2 ctx-normalize: changes have no place in the file: it is no list of opencode's messages in their order; try 'ctx-normalize --help'
>>>= 64
END
    echo '[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":[{"text":"ho"}]}]' >in
    becomes in cat
    spec <<'END'
{ ctx-normalize in; echo '{"role":"user","content":"new"}'; } | ctx-normalize --into in
>>>2 ctx-normalize: changes have no place in the file: it is no list of gemini-cli's messages in their order; try 'ctx-normalize --help'
>>>= 64
END
}

@test "into: an event of codex says what its message says now, and goes with a message that is gone" {
    local text='in the middle of the old basin'
    {
        echo '{"timestamp":"2026-01-01T00:00:00.000Z","type":"session_meta","payload":{"id":"s"}}'
        printf '{"timestamp":"2026-01-01T00:00:01.000Z","type":"%s","payload":{"type":%s}}\n' \
            response_item '"message","role":"user","content":[{"type":"input_text","text":"How deep is it '"$text"'?"}]' \
            event_msg '"user_message","message":"How deep is it '"$text"'?"' \
            response_item '"reasoning","summary":[{"type":"summary_text","text":"I sound it '"$text"'."}]' \
            event_msg '"agent_reasoning","text":"I sound it '"$text"'."' \
            response_item '"message","role":"assistant","content":[{"type":"output_text","text":"4.2 m '"$text"'."}]' \
            event_msg '"agent_message","message":"4.2 m '"$text"'."'
    } >in
    events() { jq -c 'select(.type == "event_msg").payload | [.type, .message // .text]' new; }
    becomes in "sed 's|old basin|new dock|g'"
    spec <<'END'
jq -c 'select(.type == "event_msg").payload | [.type, .message // .text]' new
>>> ["user_message","How deep is it in the middle of the new dock?"]
>>> ["agent_reasoning","I sound it in the middle of the new dock."]
>>> ["agent_message","4.2 m in the middle of the new dock."]
END
    becomes in "sed 2d"
    same 'the user alone' <(echo '["user_message","How deep is it in the middle of the old basin?"]') <(events)
    # One text that becomes two others says neither.
    sed 2p in >twice
    ctx-normalize twice | jq -c 'if .role == "user" then .content = "Is it deep \(.metadata.source)?" else . end' | ctx-normalize --into twice >new
    same 'neither' <(events) - <<'END'
["agent_reasoning","I sound it in the middle of the old basin."]
["agent_message","4.2 m in the middle of the old basin."]
END
}

@test "into: what is written anew stays before the lines that followed it" {
    {
        echo '{"timestamp":"2026-01-01T00:00:00.000Z","type":"session_meta","payload":{"id":"s"}}'
        printf '{"timestamp":"2026-01-01T00:00:0%s.000Z","type":"%s","payload":{"type":%s}}\n' \
            1 response_item '"message","role":"user","content":[{"type":"input_text","text":"How deep is it?"}]' \
            2 response_item '"message","role":"assistant","content":[{"type":"output_text","text":"I sound it."}]' \
            2 response_item '"function_call","name":"sound","arguments":"{\"at\":\"quay\"}","call_id":"call_1"' \
            3 event_msg '"token_count","info":{"last_token_usage":{"input_tokens":11,"total_tokens":11}}' \
            4 response_item '"function_call_output","call_id":"call_1","output":"4.2 m"' \
            5 event_msg '"token_count","info":{"last_token_usage":{"input_tokens":22,"total_tokens":22}}' \
            6 response_item '"message","role":"assistant","content":[{"type":"output_text","text":"4.2 m."}]'
    } >in
    # A call with another id is written anew, and so is its result; what is new stays beside it.
    becomes in "sed 's|call_1|call_2|g' | jq -c 'if .role == \"tool\" then ., {role: \"user\", content: \"Go on.\"} else . end'"
    spec <<'END'
jq -c '[.type, .payload.type, .payload.call_id]' new
>>> ["session_meta",null,null]
>>> ["response_item","message",null]
>>> ["response_item","message",null]
>>> ["response_item","function_call","call_2"]
>>> ["event_msg","token_count",null]
>>> ["response_item","function_call_output","call_2"]
>>> ["response_item","message",null]
>>> ["event_msg","user_message",null]
>>> ["event_msg","token_count",null]
>>> ["response_item","message",null]
END
    same 'usage' <(ctx-normalize in | jq -c 'select(.role).metadata.usage // empty') <(ctx-normalize new | jq -c 'select(.role).metadata.usage // empty')
}

@test "into: an answer that names no model is of the one before it, or of another of the session" {
    local agent
    for agent in claude-code pi gemini-cli opencode; do
        printf '{"role":"%s","content":"%s","metadata":{%s}}\n' user A '' assistant B '"model":"m1"' \
            user C '' assistant D '"model":"m2"' | ctx-normalize --to "$agent" >in 2>err
        ctx-normalize in | jq -c '(if .content == "A" or .content == [{type: "text", text: "A"}] then ., {role: "assistant", content: "new 1"} else . end),
            (if .metadata.model == "m1" then {role: "user", content: "and"}, {role: "assistant", content: "new 2"} else empty end)' >log
        echo '{"role":"assistant","content":"new 3"}' >>log
        ctx-normalize --into in log >new
        ctx-normalize new | jq -r 'select(.role == "assistant") | "\(.content | tostring | gsub("[^a-zA-Z0-9 ]|type|text"; "")) \(.metadata.model)"' |
            same "$agent" - <(printf '%s\n' 'new 1 m1' 'B m1' 'new 2 m1' 'D m2' 'new 3 m2')
        # Where no answer stays, it is of the first that the file had.
        ctx-normalize in | jq -c 'if .role == "assistant" then {role, content} else . end' | ctx-normalize --into in >new
        ctx-normalize new | jq -r 'select(.role == "assistant").metadata.model' | same "$agent: all anew" - <(printf '%s\n' m1 m1)
    done
}

@test "into: a call and its result, of which one alone stays or is new, are written together" {
    local agent
    {
        echo '{"role":"user","content":"How deep?"}'
        echo '{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"sound","arguments":"{}"}},{"id":"c2","type":"function","function":{"name":"look","arguments":"{}"}}]}'
        echo '{"role":"tool","tool_call_id":"c1","content":"4.2 m"}'
        echo '{"role":"tool","tool_call_id":"c2","content":"a quay"}'
        echo '{"role":"assistant","content":"4.2 m."}'
        echo '{"role":"user","content":"Again."}'
        echo '{"role":"assistant","tool_calls":[{"id":"c3","type":"function","function":{"name":"sound","arguments":"{}"}}]}'
        echo '{"role":"tool","tool_call_id":"c3","content":"4.3 m"}'
    } >made
    for agent in $agents; do
        ctx-normalize --to "$agent" made >in 2>err
        # New calls, of which the results are as they were.
        becomes in "jq -c 'if .role == \"assistant\" then del(.metadata) else . end'"
        status_of 0 ctx-normalize --check --from "$agent" new >out 2>err
        # A call whose result is gone, and a result whose call is.
        # opencode itself reads an open call as an interrupted one.
        [[ $agent == opencode ]] || becomes in "jq -c 'select(.content != \"4.3 m\")'"
        ctx-normalize in | jq -c 'select(.tool_calls[0].id != "c3")' | ctx-normalize --into in >new
        ctx-normalize new | tail -n 2 | head -n 1 | jq -r '.content | if type == "array" then map(.text) | join("") else . end' | grep -q '4.3 m' || fail "$agent: $(tail -n 3 new)"
    done
    # In a chain, results that follow calls in records of their own.
    claude() { printf '{"type":"%s","sessionId":"s1","uuid":"u%s","parentUuid":%s,"message":%s,"timestamp":"2026-01-01T00:00:0%s.000Z"}\n' "$1" "$2" "$3" "$4" "$2"; }
    calls() { printf '{"id":"m1","type":"message","role":"assistant","model":"m","content":[{"type":"tool_use","id":"t%s","name":"sound","input":{}}],"usage":{}}' "$1"; }
    result() { printf '{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%s","content":"r%s"}]}' "$1" "$1"; }
    {
        claude user 1 null '{"role":"user","content":"How deep?"}'
        claude assistant 2 '"u1"' "$(calls 1)"; claude assistant 3 '"u2"' "$(calls 2)"
        claude user 4 '"u2"' "$(result 1)"; claude user 5 '"u3"' "$(result 2)"
    } >in
    becomes in "jq -c 'if .role == \"assistant\" then del(.metadata) else . end'"
    status_of 0 ctx-normalize --check --from claude-code new >out 2>err
}

@test "into: a message that is spelled anew, as by jq, is the same" {
    {
        echo '{"timestamp":"2026-01-01T00:00:00.000Z","type":"session_meta","payload":{"id":"s"}}'
        printf '{"timestamp":"2026-01-01T00:00:0%s.000Z","type":"response_item","payload":{"type":%s}}\n' \
            1 '"message","role":"user","content":[{"type":"input_text","text":"How deep is it at the K\u00fcste \/ \u2192?"}]' \
            2 '"function_call","name":"sound","arguments":"{\"at\":\"K\u00fcste\"}","call_id":"c"' \
            3 '"function_call_output","call_id":"c","output":"4.2\u00b2m"' \
            4 '"message","role":"assistant","content":[{"type":"output_text","text":"4.2\u00b2m."}]'
    } >in
    # Each string is spelled by its characters.
    ctx-normalize in | sed 's/\\u00fc/ü/g;s/\\u2192/→/;s/\\u00b2/²/g;s|\\/|/|' >log
    ! grep -q 'u00\|\\/' log || fail "$(<log)"
    ctx-normalize --into in log | same 'as it was' in -
    sed 's/4.2²m\./4.3 m./' log | ctx-normalize --into in | same 'one other' <(sed 's/4.2.u00b2m\./4.3 m./' in) -
}

@test "into: an event of codex with a short text is known by the record beside it" {
    {
        echo '{"timestamp":"2026-01-01T00:00:00.000Z","type":"session_meta","payload":{"id":"s"}}'
        printf '{"timestamp":"2026-01-01T00:00:01.000Z","type":"%s","payload":{"type":%s}}\n' \
            response_item '"message","role":"user","content":[{"type":"input_text","text":"go on"}]' \
            event_msg '"user_message","message":"go on"' \
            event_msg '"agent_reasoning","text":"I sound."' \
            event_msg '"token_count"' \
            response_item '"reasoning","summary":[{"type":"summary_text","text":"I sound."}]' \
            event_msg '"agent_message","message":"4.2 m"' \
            response_item '"message","role":"assistant","content":[{"type":"output_text","text":"4.2 m"}]' \
            response_item '"message","role":"user","content":[{"type":"input_text","text":"go on"}]' \
            event_msg '"user_message","message":"go on"' \
            event_msg '"user_message","message":"user"'
    } >in
    events() { jq -c 'select(.type == "event_msg").payload | [.type, .message // .text]' new; }
    becomes in "sed '1s/go on/go off/; s/sound/measure/; s/4[.]2/5.1/'"
    same 'changed' <(events) - <<'END'
["user_message","go off"]
["agent_reasoning","I measure."]
["token_count",null]
["agent_message","5.1 m"]
["user_message","go on"]
["user_message","user"]
END
    becomes in "sed 3d"
    same 'gone' <(events) - <<'END'
["user_message","go on"]
["agent_reasoning","I sound."]
["token_count",null]
["agent_message","4.2 m"]
["user_message","user"]
END
    # What is farther away, or says another thing, is not it.
    sed -n '3{h;d}; 6{p;x}; 1,6p' in >far
    becomes far "sed '1s/go on/go off/'"
    same 'far' <(events | sed -n 3p) - <<<'["user_message","go on"]'
}

@test "into: what is new in a sub-agent's own file has what all its records have, and stands in its chain" {
    local rest='"isSidechain":true,"agentId":"x","sessionId":"s","version":"2.0.1","cwd":"/src","gitBranch":"main","timestamp":"2026-01-01T00:00:0'
    {
        echo '{"type":"user","uuid":"a1","parentUuid":null,'"$rest"'1.000Z","message":{"role":"user","content":"How deep?"}}'
        echo '{"type":"assistant","uuid":"a2","parentUuid":"a1",'"$rest"'2.000Z","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"4.2 m"}]}}'
    } >in
    # A digest says of itself no agent.
    ctx-normalize in | sed '1a{"role":"user","content":"digest"}' >log
    echo '{"role":"user","content":"last"}' >>log
    echo '{"type":"user","uuid":"a3","parentUuid":"a2",'"$rest"'3.000Z","message":{"role":"user","content":"appended"}}' >>in
    ctx-normalize --into in log >new
    jq -s -c '[.[].uuid] as $ids | [.[].parentUuid] == [null] + $ids[:-1]' new >out
    same chain - out <<<true
    spec <<'END'
jq -c '[.isSidechain, .agentId, .sessionId, .version, .cwd, .gitBranch]' new | sort -u
>>> [true,"x","s","2.0.1","/src","main"]
END
    spec <<'END'
ctx-normalize new | jq -c '[.metadata.agent_id, .content]'
>>> ["x","How deep?"]
>>> ["x","digest"]
>>> ["x","4.2 m"]
>>> ["x","last"]
>>> ["x","appended"]
>>> [null,null]
END
}

@test "into: what has no place in the file leaves the chain whole" {
    local agent message at
    for agent in $agents; do
        session "$agent" >in
        for message in '{"role":"system","content":"x"}' '{"role":"user","content":" "}' '{"role":"x","content":"x"}'; do
            [[ $agent != codex || $message != *system* ]] || continue
            for at in 1 4 '$'; do
                ctx-normalize in | sed "${at}i$message" | ctx-normalize --into in 2>err >new
                same "$agent: $message in front of $at" in new
                grep -q "^ctx-normalize: left out, since $agent has no place for it: 1 [ms]" err
            done
        done
    done
    # In front of what the agent's own compaction keeps.
    printf '%s\n' '{"type":"session","id":"S","cwd":"/","timestamp":"t"}' '{"type":"message","id":"e1","parentId":null,"timestamp":"t","message":{"role":"user","content":"U1"}}' \
        '{"type":"message","id":"e2","parentId":"e1","timestamp":"t","message":{"role":"user","content":"U2"}}' \
        '{"type":"compaction","id":"e3","parentId":"e2","timestamp":"t","summary":"S","firstKeptEntryId":"e2"}' >kept
    ctx-normalize kept | sed '2i{"role":"system","content":"x"}' | ctx-normalize --into kept 2>err >new
    same 'what a compaction keeps' kept new
    ctx-normalize kept | sed '2i{"role":"system","content":"x"}\n{"role":"user","content":"new","metadata":{"agent_id":"z"}}' |
        ctx-normalize --into kept 2>err >new
    jq -s -c '.[2].message.content[0].text == "new" and .[4].firstKeptEntryId == .[2].id' new | same 'with what is new' - <(echo true)
    # A document of which nothing is left.
    ctx-normalize in | jq -c 'select(.type == "source" or .metadata.source == 1) | if .role then .role = "system" else . end' |
        ctx-normalize --into in 2>err | jq -c .messages >new
    same 'a document' - new <<<'[]'
}

@test "into: a call and its result, between which a sub-agent speaks, are written anew" {
    local file=$FIXTURES/claude-code-sidechain.jsonl
    becomes "$file" "sed '2s/\"content\":null/\"content\":\"I look.\"/'"
    [[ $(jq -r 'select(.uuid | startswith("00000000-")).uuid' new | wc -l) == 6 ]]
    ctx-normalize --check --from claude-code new
    # All that the sub-agent says has moved: it is the sub-agent that says it, in one chain.
    becomes "$file" "jq -cs '.[0], .[7], .[1:7][], .[8:][]'"
    spec <<'END'
jq -r 'select(.isSidechain) | [.agentId, .parentUuid == null] | @csv' new
>>> "a1de0002",true
>>> "a1de0002",false
>>> "a1de0002",false
>>> "a1de0002",false
END
    # Between what is new of the sub-agent, behind its last record, others speak.
    ctx-normalize "$file" | jq -cs '.[:6][], .[6], (.[5] | .content = "new" | del(.metadata.source)),
        .[7], {role: "system", content: "x"}, (.[5] | .content = "newer" | del(.metadata.source)), {role: "user", content: "more"}, .[8]' >log
    ctx-normalize --into "$file" log 2>err >new
    jq -s -c 'group_by(.isSidechain)[] | [.[].uuid] as $ids | [.[].parentUuid] == [null] + $ids[:-1]' new >out
    same chains out <(printf '%s\n' true true)
}

@test "into: a file of pi without ids gets none, whatever its header has" {
    session pi >in
    jq -c 'if .type == "session" then . else del(.id, .parentId) end' in >old
    becomes old "$add"
    [[ $(jq -r 'select(.type != "session" and (has("id") or has("parentId"))) | .id' new) == '' ]]
}

@test "into: a record that says what the file is stays the first" {
    session codex >in
    jq -c 'if .type == "session_meta" then .payload.base_instructions = {text: "Be brief."} else . end' in >first && mv first in
    { echo '{"role":"user","content":"in front"}'; ctx-normalize in; } >log
    ctx-normalize --into in log >new
    same head <(head -n 1 in) <(head -n 1 new)
    same 'the message behind it' <(echo '"in front"') <(ctx-normalize new | jq -c 'select(.role == "user").content' | head -n 1)
    session pi >in
    { sed -n 2p in; sed -n 1p in; sed 1,2d in; } >late
    ctx-normalize late | sed 1d | ctx-normalize --into late >new
    same 'pi: header' <(head -n 1 in) <(head -n 1 new)
}

@test "into: a file that is empty, and a log that is" {
    session pi >in
    : >empty
    spec <<'END'
ctx-normalize empty | ctx-normalize --into empty
>>>2 ctx-normalize: --into empty: the file is empty, so that no agent's format is known: write a session with --to AGENT; try 'ctx-normalize --help'
>>>= 64
END
    spec <<'END'
ctx-normalize --into in
>>>2 ctx-normalize: --into in: the log is empty, as if its maker had failed: make it with ctx-normalize in; try 'ctx-normalize --help'
>>>= 64
END
}

@test "into: -v says what became of messages and of records, and what is not written" {
    session pi >in
    spec <<'END'
ctx-normalize in | ctx-isolate | ctx-normalize -v --into in >new
>>>2 ctx-normalize: 10 records, 10 messages in; 10 messages out, 0 changed; 2 records added; messages: 8 as they were, 0 edited, 4 gone, 2 written anew; records of the file: 7 as they were, 2 edited, 4 gone
>>>+ new
END
    spec <<'END'
ctx-normalize in | jq -c 'if .metadata.source == 2 then .metadata.pinned = true | .content = "short" elif .metadata.source == 3 then .metadata.pinned = true else . end' | ctx-normalize -v --into in >new
>>>2 ctx-normalize: 12 records, 12 messages in; 12 messages out, 1 changed; 0 records added; messages: 11 as they were, 1 edited, 0 gone, 0 written anew; records of the file: 12 as they were, 1 edited, 0 gone; metadata not written: 2
>>>+ new
END
    spec <<'END'
{ ctx-normalize in; echo '{"role":"pilot","content":"x"}'; } | ctx-normalize --into in | cmp - in
>>>2 ctx-normalize: left out, since pi has no place for it: 1 message
END
    # Thinking of a message that is written anew may have no place.
    session codex >in
    spec <<'END'
{ ctx-normalize in; echo '{"role":"assistant","content":[{"type":"thinking","thinking":"deep"},{"type":"text","text":"end"}]}'; } | ctx-normalize --into in >new
>>>2 ctx-normalize: left out, since codex has no place for it: 1 thinking
>>>+ new
END
}

@test "into: without the last records the agent does not go on in a branch that the user left" {
    {
        echo '{"type":"session","version":3,"id":"s1","timestamp":"2026-01-01T00:00:00.000Z","cwd":"."}'
        # put ID PARENT TEXT
        put() { printf '{"type":"message","id":"%s","parentId":%s,"timestamp":"2026-01-01T00:00:01.000Z","message":{"role":"user","content":"%s"}}\n' "$@"; }
        put a null first
        put b '"a"' 'left here'
        put c '"b"' 'and here'
        put d '"a"' 'gone on'
    } >in
    becomes in "sed 2d"
    same 'no branch' <(sed -n 1,2p in) new
    becomes in "sed '2c{\"role\":\"user\",\"content\":\"new\"}'"
    becomes in cat
    same 'the branch' in new
}

@test "into: what is new in front of the agent's own summary makes a message of that" {
    cat >in <<'END'
{"type":"session","version":3,"id":"s1","timestamp":"2026-01-01T00:00:00.000Z","cwd":"."}
{"type":"message","id":"a1","parentId":null,"timestamp":"2026-01-01T00:00:01.000Z","message":{"role":"user","content":"before"}}
{"type":"compaction","id":"c1","parentId":"a1","timestamp":"2026-01-01T00:00:04.000Z","summary":"They met.","firstKeptEntryId":"c1"}
{"type":"message","id":"a4","parentId":"c1","timestamp":"2026-01-01T00:00:05.000Z","message":{"role":"user","content":"behind"}}
END
    becomes in "sed '1i{\"role\":\"user\",\"content\":\"new\"}'"
    same 'no compaction' /dev/null <(grep '"compaction"\|"before"' new)
}

@test "into: codex: what a rollback took back does not go without the rollback" {
    local text='{"type":"message","role":"user","content":[{"type":"input_text","text":'
    {
        echo '{"timestamp":"2026-01-01T00:00:00.000Z","type":"session_meta","payload":{"id":"s"}}'
        printf '{"timestamp":"2026-01-01T00:00:0%s.000Z","type":"%s","payload":%s}\n' \
            1 response_item "$text\"one\"}]}" 2 response_item "$text\"two\"}]}" 3 response_item "$text\"taken back\"}]}" \
            4 event_msg '{"type":"thread_rolled_back","num_turns":1}' 5 compacted '{"message":"in short"}' 6 response_item "$text\"three\"}]}"
    } >in
    becomes in "sed 3d"
    becomes in "sed '3s/in short/shorter/'"
}

@test "into: gemini-cli: an id that comes again after a rewind, and in place of one in a list" {
    cat >in <<'END'
{"sessionId":"g1","projectHash":"h"}
{"$set":{"messages":[{"id":"u1","timestamp":"2026-01-01T00:00:01.000Z","type":"user","content":"one"},{"id":"m1","timestamp":"2026-01-01T00:00:02.000Z","type":"gemini","content":"ONE"}]}}
{"$rewindTo":"m1"}
{"id":"m2","timestamp":"2026-01-01T00:00:03.000Z","type":"gemini","content":"TWO"}
{"id":"m1","timestamp":"2026-01-01T00:00:04.000Z","type":"gemini","content":"THREE"}
{"id":"u1","timestamp":"2026-01-01T00:00:01.000Z","type":"user","content":"one again"}
END
    becomes in "sed '2a{\"role\":\"user\",\"content\":\"new\"}'"
    becomes in "$shout"
    same 'a line an object' <(jq -c . new | wc -l) <(wc -l <new)
}
