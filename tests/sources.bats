#!/usr/bin/env bats
#
# Where the messages of an agent's file come from: metadata.source, and the source record behind them.

load helper
load dialogue

record='{"type":"source","format":"codex","bytes":5,"sum":"00ff"}'

# told [OPTION]... FILE: what each record says of its source: the lines, and for a source record its
# format and bytes.
told() {
    ctx-normalize "$@" | jq -c 'if .type == "source" then [.format, .bytes] else .metadata.source end'
}

# without_source FILE: the stream without source records.
without_source() {
    grep -v '^{"type":"source","format":"codex"' "$1" || [[ $? == 1 ]]
}

@test "sources: a message says the line on which it begins, and the second of a line its number" {
    # Claude Code: an answer of two lines, two results and a text on one line.
    cat >claude <<'END'
{"type":"summary","summary":"s","leafUuid":"u"}
{"type":"user","uuid":"u1","sessionId":"s","parentUuid":null,"message":{"role":"user","content":"A"}}
{"type":"assistant","uuid":"u2","sessionId":"s","parentUuid":"u1","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"B"}]}}
{"type":"assistant","uuid":"u3","sessionId":"s","parentUuid":"u2","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"c1","name":"n","input":{}},{"type":"tool_use","id":"c2","name":"n","input":{}}]}}
{"type":"user","uuid":"u4","sessionId":"s","parentUuid":"u3","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"x"},{"type":"tool_result","tool_use_id":"c2","content":"y"},{"type":"text","text":"C"}]}}
END
    same claude-code <(printf '%s\n' 2 3 5 '"5.2"' '"5.3"' "[\"claude-code\",$(wc -c <claude)]") <(told claude)
    # Codex: items of one answer are one message.
    cat >codex <<'END'
{"timestamp":"t","type":"session_meta","payload":{"id":"s","cwd":"/"}}
{"timestamp":"t","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"A"}]}}
{"timestamp":"t","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"B"}]}}
{"timestamp":"t","type":"response_item","payload":{"type":"function_call","call_id":"c","name":"n","arguments":"{}"}}
{"timestamp":"t","type":"response_item","payload":{"type":"function_call_output","call_id":"c","output":"x"}}
END
    same codex <(printf '%s\n' 2 3 5 "[\"codex\",$(wc -c <codex)]") <(told codex)
    same 'by name' <(told codex) <(told --from codex codex)
    cat >pi <<'END'
{"type":"session","version":3,"id":"s","timestamp":"t","cwd":"/"}
{"type":"message","id":"a","parentId":null,"timestamp":"t","message":{"role":"user","content":"A"}}
{"type":"message","id":"b","parentId":"a","timestamp":"t","message":{"role":"assistant","content":[{"type":"text","text":"B"}]}}
END
    same pi <(printf '%s\n' 2 3 "[\"pi\",$(wc -c <pi)]") <(told pi)
    # Documents: all begin where the document does, also in one over several lines.
    jq -cn '{sessionId: "s", messages: [{id: "1", timestamp: "t", type: "user", content: "A"},
        {id: "2", timestamp: "t", type: "gemini", content: "B", toolCalls: [{id: "c", name: "n", args: {},
            result: [{functionResponse: {id: "c", name: "n", response: {output: "x"}}}]}]}]}' >gemini
    same gemini-cli <(printf '%s\n' 1 '"1.2"' '"1.3"' "[\"gemini-cli\",$(wc -c <gemini)]") <(told --from gemini-cli gemini)
    { echo; jq . gemini; } >folded
    same 'over several lines' <(printf '%s\n' 2 '"2.2"' '"2.3"' "[\"gemini-cli\",$(wc -c <folded)]") <(told --from gemini-cli folded)
    jq -cn '{info: {id: "s"}, messages: [{info: {id: "1", sessionID: "s", role: "user"}, parts: [{type: "text", text: "A"}]},
        {info: {id: "2", sessionID: "s", role: "assistant"}, parts: [{type: "text", text: "B"}]}]}' >opencode
    same opencode <(printf '%s\n' 1 '"1.2"' "[\"opencode\",$(wc -c <opencode)]") <(told --from opencode opencode)
}

@test "sources: real sessions have the same in a pipe and with --all, and begin on the lines that they say" {
    local file format
    for file in claude-code-{session,compacted,parallel} codex-session gemini-cli-session pi-session opencode-{export,session}; do
        [[ -e $FIXTURES/$file.jsonl ]] || continue
        file=$FIXTURES/$file.jsonl
        ctx-normalize "$file" >made 2>/dev/null || may 65
        [[ $(tail -n 1 made | jq -r .type) == source ]] || fail "$file"
        grep -v '^{"type":"source"' made | jq -e 'select(.metadata.source == null)' && fail "$file: without a source"
        # Those that are written say the same with --all, and in a pipe that is whole at once.
        ctx-normalize --all "$file" 2>/dev/null >all || may 65
        jq -c '[.metadata.id, .metadata.source]' made | sort >want
        jq -c '[.metadata.id, .metadata.source]' all | sort | comm -23 want - >other
        same "$file: --all" /dev/null other
        # shellcheck disable=SC2002
        cat "$file" | ctx-normalize 2>/dev/null >piped || may 65
        same "$file: pipe" <(jq -c '[.metadata.source, .bytes, .sum]' made | sort) \
            <(jq -c 'select(.metadata.forgets | not) | [.metadata.source, .bytes, .sum]' piped | sort -u | grep -Fxf <(jq -c '[.metadata.source, .bytes, .sum]' made) | sort)
        # Nobody has two.
        jq -c 'select(.metadata) | .metadata.source' all | sort | uniq -d >twice
        same "$file: twice" /dev/null twice
    done
}

@test "sources: the sum is of all bytes, and each change of one has another" {
    local one two i
    ctx-normalize "$FIXTURES/codex-session.jsonl" | tail -n 1 >one
    same 'bytes' <(wc -c <"$FIXTURES/codex-session.jsonl") <(jq .bytes one)
    same 'in pieces' one <(while IFS= read -r line; do printf '%s\n' "$line"; done <"$FIXTURES/codex-session.jsonl" | ctx-normalize | tail -n 1)
    for i in 1 2 31 32 33 64; do
        { head -n 3 "$FIXTURES/codex-session.jsonl"; repeat "$i" ' '; echo; } >"in$i"
        ctx-normalize "in$i" 2>/dev/null | tail -n 1 | jq -r .sum
    done | sort >sums
    [[ $(uniq sums | wc -l) == 6 && $(grep -cxE '[0-9a-f]{32}' sums) == 6 ]]
    # A space moves, and nothing else.
    sed '2s/: */:  /' in1 >two
    sed '3s/: */:  /' in1 >three
    [[ $(ctx-normalize two | tail -n 1) != "$(ctx-normalize three | tail -n 1)" ]]
}

@test "sources: files one behind another have a record each, in their places" {
    local c=$FIXTURES/claude-code-parallel.jsonl x=$FIXTURES/codex-session.jsonl p=$FIXTURES/pi-session.jsonl
    same 'three agents' <(for i in "$c" "$x" "$p"; do ctx-normalize "$i"; done) <(ctx-normalize "$c" "$x" "$p")
    ctx-normalize "$c" "$FIXTURES/claude-code-session.jsonl" >two
    same 'two of one agent' <(wc -c <"$c"; wc -c <"$FIXTURES/claude-code-session.jsonl") <(jq 'select(.type == "source").bytes' two)
    [[ $(tail -n 1 two | jq -r .type) == source ]]
    # A canonical file has none, whatever follows it; nor has a file of which not all was read.
    same 'canonical' <(echo 1) <(ctx-normalize "$FIXTURES/ctx-talk.jsonl" "$p" "$FIXTURES/ctx-talk.jsonl" | grep -c '"type":"source"')
    { head -n 3 "$x"; echo '{bad'; tail -n +4 "$x"; } >bad
    status_of 65 ctx-normalize --bad-lines stop bad 2>/dev/null >out
    ! grep -q '"type":"source"' out || fail 'a source record'
    ctx-normalize --session-key metadata.session_id "$x" >out
    ! grep -q '"type":"source"' out || fail 'a source record'
    ctx-normalize --untrusted "$x" >out
    ! grep -q '"type":"source"\|"source":' out || fail 'a source'
}

@test "sources: every format that is written leaves both out in silence" {
    local to
    ctx-normalize "$FIXTURES/codex-session.jsonl" >made
    sed -E '/^\{"type":"source"/d; s/"source":("[^"]*"|[0-9]+),//' made >bare
    ! grep -q '"source":[0-9"]' bare || fail 'a source'
    for to in openai anthropic instructor claude-code codex pi gemini-cli opencode 'openai --array' 'anthropic --array'; do
        ctx-normalize --report report.bare -v --to $to bare >want 2>said.want
        ctx-normalize --report report.made -v --to $to made >got 2>said.got
        same "$to" want got
        same "$to: said" said.want said.got
        same "$to: report" report.bare report.made
        # And so where the file itself is read.
        ctx-normalize --to $to "$FIXTURES/codex-session.jsonl" 2>/dev/null >direct
        same "$to: at once" want direct
    done
}

@test "sources: every command passes the record behind the messages, and counts it nowhere" {
    local command name
    { user A.; calls c1 read a.c; gets c1 "$long"; says B.; user C.; says D.; } >base
    { cat base; raw "$record"; } >made
    for command in ctx-normalize 'ctx-normalize --check' ctx-isolate 'ctx-isolate --policy mask' ctx-project \
        'ctx-project --sections summary,messages' 'ctx-project --view conversation' ctx-compact 'ctx-compact --limit 60' \
        'ctx-compact --limit 60 --archive archive' ctx-route 'ctx-select role=user' 'ctx-select --count role=user' \
        ctx-redact ctx-budget 'ctx-budget --json' 'ctx-budget --table' 'ctx-budget --each --table' 'ctx-budget --check --brief' \
        'ctx-compile agent' 'ctx-diff --stat base' 'ctx-diff base' 'ctx-recall --list'; do
        rm -f archive
        $command --report report base >want 2>said.want || status=$?
        rm -f archive
        status_of "${status:-0}" $command --report report.got made >got 2>said.got
        without_source got >left
        same "$command" <(sed 's/\bbase\b/made/' want) <(sed 's/\bbase\b/made/' left)
        same "$command: said" <(sed 's/\bbase\b/made/' said.want) said.got
        [[ ! -e report ]] || same "$command: report" report report.got
        rm -f report*
        unset status
    done
    # Nor where it is made.
    ctx-normalize --report report "$FIXTURES/codex-session.jsonl" >got
    same 'made' <(echo '[7,0]') <(jq -c '[.written, .added]' report)
}

@test "sources: records that only look like one, and very many of them, do no harm" {
    local command odd=('{"type":"source"}' '{"type":"source","format":7,"bytes":9,"sum":"f0"}' '{"type":"source","format":"codex","bytes":"9","sum":"f0"}'
        '{"type":"source","format":"codex","bytes":-1e999,"sum":"\ud800"}' '{"type":"source","format":"codex","bytes":9,"sum":"f0","role":7}')
    { user A.; calls c1 read a.c; raw "${odd[@]}"; yes "$record" | head -n 100000; gets c1 "$long"; says B.; } >in
    for command in ctx-normalize ctx-isolate ctx-project ctx-compact 'ctx-select !kind=x'; do
        $command in >out
        same "$command" <(grep -v '"role":"' in) <(grep -v '"role":"' out)
    done
    ctx-normalize --to anthropic in 2>said >out
    [[ $(wc -l <out) == 4 ]]
    same 'said' <(echo 'ctx-normalize: 3 records without a place in the output left out') said
    status_of 64 ctx-normalize --into "$FIXTURES/codex-session.jsonl" in 2>/dev/null
}
