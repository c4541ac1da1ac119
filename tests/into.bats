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
        [.tool_calls[]? | [.id, .function.name, .function.arguments]], (.tool_call_id | select(.))]'
}

# becomes FILE FILTER: the log of the file goes through the filter and back into the file, as new; what is read of
# that is what the filter gave.
becomes() {
    ctx-normalize "$1" | eval "$2" >log
    ctx-normalize --into "$1" log >new
    same "$1: $2" <(said <log) <(ctx-normalize new | said)
}

export -f said becomes

# Whatever the message says, its first string is cut.
cut_results='jq -c '\''if .role == "tool" then .content = "[cut]" else . end'\'
drop_calls='jq -c '\''select(.role != "tool" and .tool_calls == null)'\'
add='jq -c '\''if .role == "assistant" and .tool_calls == null then ({role: "user", content: "new here"}, .) else . end'\'
shout='jq -c '\''if .role == "user" then .content = "LOUD" else . end'\'

@test "into: a log that nobody changed gives the file byte for byte" {
    local agent file
    for agent in $agents; do
        session "$agent" >"$agent.session"
    done
    jq . opencode.session >opencode-printed.session
    sed 's/$/\r/' pi.session >pi-crlf.session
    printf '%s' "$(cat codex.session)" >codex-torn.session
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
    spec <<'END'
grep -v '"type":"source"' log | ctx-normalize --into in
>>>2 ctx-normalize: --into in: the log has no source record: make it with ctx-normalize in; try 'ctx-normalize --help'
>>>= 64
END
    spec <<'END'
cat log log | ctx-normalize --into in
>>>2 ctx-normalize: --into in: the log has several source records: make it with ctx-normalize in; try 'ctx-normalize --help'
>>>= 64
END
    spec <<'END'
jq -c 'del(.metadata.source)' log | ctx-normalize --into in
>>>2 ctx-normalize: --into in: no message of the log has metadata.source: make it with ctx-normalize in; try 'ctx-normalize --help'
>>>= 64
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
>>> > {"type":"progress","uuid":"d","parentUuid":"c","sessionId":"s","data":{"output":""}}
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
jq -c '[.ordinal, .type, .payload.type, .payload.output // .payload.content[0].text?]' new
>>> [0,"session_meta",null,null]
>>> [1,"response_item","message","LOUD"]
>>> [3,"response_item","function_call",null]
>>> [5,"response_item","function_call_output","[cut]"]
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

@test "into: a document of events has no place for changes" {
    printf '%s\n' '[' '{"type":"message.updated","properties":{"info":{"id":"msg_1","sessionID":"ses_1","role":"user","time":{"created":1}}}},' \
        '{"type":"message.part.updated","properties":{"part":{"id":"prt_1","sessionID":"ses_1","messageID":"msg_1","type":"text","text":"hi"}}}' ']' >in
    becomes in cat
    spec <<'END'
ctx-normalize in | sed 's/"hi"/"ho"/' | ctx-normalize --into in
>>>2 ctx-normalize: changes have no place in the file: it is no list of opencode's messages in their order; try 'ctx-normalize --help'
>>>= 64
END
}
