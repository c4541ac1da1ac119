#!/usr/bin/env bats
#
# ctx-normalize: an agent's session in a pipe leaves while it grows, and tombstones take back what later records do.

load helper
load dialogue
unsourced

# Lines of Codex.
codex() { printf '{"timestamp":"t","type":"%s","payload":%s}\n' "$1" "$2"; }
asks() { codex response_item "{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"$1\"}]}"; }
answers() { codex response_item "{\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\",\"text\":\"$1\"}]}"; }
runs() { codex response_item "{\"type\":\"function_call\",\"call_id\":\"$1\",\"name\":\"f\",\"arguments\":\"{}\"}"; }
ran() { codex response_item "{\"type\":\"function_call_output\",\"call_id\":\"$1\",\"output\":\"$2\"}"; }
session() { codex session_meta '{"id":"S"}'; }
rolls_back() { codex event_msg "{\"type\":\"thread_rolled_back\",\"num_turns\":$1}"; }
compacts() {
    codex compacted "{\"message\":\"m\",\"replacement_history\":[{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"$1\"}]}]}"
}

# entry ID PARENT ROLE TEXT: a line of pi; both ids are numbers, and 0 is none.
entry() {
    local parent=null
    (($2 == 0)) || parent="\"e$2\""
    printf '{"type":"message","id":"e%s","parentId":%s,"timestamp":"t","message":{"role":"%s","content":"%s"}}\n' "$1" "$parent" "$3" "$4"
}
pi() { printf '{"type":"session","id":"S","timestamp":"t","cwd":"/"}\n'; }

# claude ID PARENT ROLE [CONTENT [MEMBERS [AGENT]]]: a line of Claude Code; ids are as those of entry, CONTENT is JSON, and an
# answer has the message.id mID unless MEMBERS has another.
claude() {
    local parent=null sidechain=false members=${5:-}
    (($2 == 0)) || parent="\"e$2\""
    [[ -z ${6:-} ]] || sidechain="true,\"agentId\":\"$6\""
    [[ $3 == user || -n $members ]] || members="\"id\":\"m$1\""
    printf '{"type":"%s","uuid":"e%s","parentUuid":%s,"sessionId":"S","isSidechain":%s,"message":{"role":"%s"%s,"content":%s}}\n' \
        "$3" "$1" "$parent" "$sidechain" "$3" "${members:+,$members}" "$4"
}
text() { printf '[{"type":"text","text":"%s"}]' "$1"; }
used() { printf '[{"type":"tool_use","id":"%s","name":"f","input":{}}]' "$1"; }
found() { printf '{"type":"tool_result","tool_use_id":"%s","content":"%s"}' "$1" "$2"; }
# boundary ID PARENT [METADATA], summary ID PARENT TEXT.
boundary() {
    printf '{"type":"system","subtype":"compact_boundary","uuid":"e%s","parentUuid":null,"logicalParentUuid":"e%s","sessionId":"S","compactMetadata":{%s}}\n' \
        "$1" "$2" "${3:-}"
}
summary() { claude "$1" "$2" user "\"$3\"" | sed 's/^{/{"isCompactSummary":true,/'; }

# gemini ID TEXT, gemini_user ID TEXT: a line of Gemini CLI.
gemini() { printf '{"id":"%s","timestamp":"t","type":"gemini","content":"%s"}\n' "$1" "$2"; }
gemini_user() { printf '{"id":"%s","timestamp":"t","type":"user","content":"%s"}\n' "$1" "$2"; }
gemini_session() { printf '{"sessionId":"S","projectHash":"h"}\n'; }

# told: what each message says, with its id, or what it forgets.
told() { jq -c '[.metadata.forgets // .content // "call", .metadata.id] | map(select(. != null))'; }
export -f told

# The same where a content has several texts.
said() { jq -c 'if .content | type == "array" then .content |= (map(.text) | add) else . end' | told; }

# The messages without the ids that only a pipe gives them. A call whose result never came is given one where
# its execution is over, which it may be by words that were taken back.
nameless() { jq -c 'select(.content != "[no result]") | del(.metadata.id?) | if .metadata == {} then del(.metadata) else . end'; }

wait_for_lines() {
    local i
    for ((i = 0; i < 400; i++)); do
        (($(wc -l <out) == $1)) && return
        sleep 0.02
    done
    fail "no line $1 within eight seconds: $(cat out)"
}

@test "growth: messages leave while the session is written, and a later mark takes them back" {
    mkfifo pipe
    # From standard input, or from an operand that is no file.
    local command
    for command in 'ctx-normalize' 'ctx-normalize --from codex pipe'; do
        $command <pipe >out 3>&- &
        exec 9>pipe
        { session; asks A; runs c1; } >&9
        wait_for_lines 1
        ran c1 O >&9
        wait_for_lines 3
        # The open answer is dropped before it leaves.
        { answers X; rolls_back 1; asks B; } >&9
        wait_for_lines 5
        { runs c2; compacts Z; } >&9
        wait_for_lines 7
        exec 9>&-
        wait $!
        same "$command" <(printf '%s\n' '["A","S-1"]' '["call","S-2"]' '["O","S-3"]' '[["S-1","S-2","S-3"]]' '["B","S-5"]' '[["S-5"]]' '["Z","S-7"]') <(told <out)
    done
    # Entries of pi, of which a branch is left and taken up again.
    ctx-normalize <pipe >out 3>&- &
    exec 9>pipe
    { pi; entry 1 0 user A; entry 2 1 assistant B; } >&9
    wait_for_lines 2
    entry 3 1 assistant C >&9
    wait_for_lines 4
    entry 4 2 user D >&9
    wait_for_lines 7
    printf '{"type":"compaction","id":"e5","parentId":"e4","timestamp":"t","summary":"S","firstKeptEntryId":"e4"}\n' >&9
    wait_for_lines 10
    exec 9>&-
    wait $!
    same 'pi' <(printf '%s\n' '["A","e1"]' '["B","e2"]' '[["e2"]]' '["C","e3"]' '[["e3"]]' '["B","e2"]' '["D","e4"]' '[["e1","e2","e4"]]' '["S","e5"]' '["D","e4"]') \
        <(told <out | sed 's/The conversation history.*<summary>\\nS\\n<\/summary>/S/')
    # A message that says nothing never leaves, and is not missed.
    { pi; entry 1 0 user A; entry 2 1 assistant ''; entry 3 2 user B; entry 4 3 assistant C; entry 5 3 assistant D; } >in
    same 'empty' <(printf '%s\n' '["A","e1"]' '["B","e3"]' '["C","e4"]' '[["e4"]]' '["D","e5"]') <(cat in | ctx-normalize | told)
    # An entry that comes twice: where one of them is taken back, the other one comes again.
    { pi; entry 2 1 assistant B; printf '{"type":"compaction","id":"e3","parentId":"e2","timestamp":"t","summary":"S","firstKeptEntryId":"e2"}\n'; entry 2 1 assistant B; entry 7 3 user C; } >in
    same 'twice' <(printf '%s\n' '["S","e3"]' '["B","e2"]' '["C","e7"]') <(ctx-normalize in | told | sed 's/The conv.*\\nS\\n<\/summary>/S/')
    same 'twice, in a pipe' <(printf '%s\n' '["B","e2"]' '[["e2"]]' '["S","e3"]' '["B","e2"]' '[["e2","e2"]]' '["B","e2"]' '["C","e7"]') \
        <(cat in | ctx-normalize | told | sed 's/The conv.*\\nS\\n<\/summary>/S/')
    # Gemini CLI writes a message anew as it grows; what stands behind one that comes again is sent again.
    ctx-normalize <pipe >out 3>&- &
    exec 9>pipe
    { gemini_session; gemini_user m1 A; gemini m2 B; } >&9
    wait_for_lines 2
    gemini m2 C >&9
    wait_for_lines 4
    gemini_user m1 D >&9
    wait_for_lines 7
    printf '{"$rewindTo":"m2"}\n' >&9
    wait_for_lines 8
    exec 9>&-
    wait $!
    same 'gemini-cli' <(printf '%s\n' '["A","m1"]' '["B","m2"]' '[["m2"]]' '["C","m2"]' '[["m1","m2"]]' '["D","m1"]' '["C","m2"]' '[["m2"]]') <(told <out)
    rm pipe out
}

@test "growth: Claude Code: messages leave while the session is written, and later lines take them back" {
    mkfifo pipe
    local command
    for command in 'ctx-normalize' 'ctx-normalize --from claude-code pipe'; do
        $command <pipe >out 3>&- &
        exec 9>pipe
        claude 1 0 user '"A"' >&9
        wait_for_lines 1
        # An answer may go on, until another one comes or its line says why the model stopped.
        { claude 2 1 assistant "$(text B)"; claude 3 2 assistant "$(used c1)" '"id":"m2"'; claude 4 3 user "[$(found c1 O)]"; } >&9
        claude 5 4 assistant "$(text C)" '"id":"m5","stop_reason":"end_turn"' >&9
        wait_for_lines 4
        # It goes on nevertheless.
        claude 6 5 assistant "$(text D)" '"id":"m5","stop_reason":"end_turn"' >&9
        wait_for_lines 6
        # Another branch, and back.
        claude 7 6 user '"E"' >&9
        wait_for_lines 7
        claude 8 6 user '"F"' >&9
        wait_for_lines 9
        claude 9 7 user '"G"' >&9
        wait_for_lines 12
        # A compaction keeps one message, and the next one none.
        { boundary 10 9 '"preservedMessages":{"anchorUuid":"e11","uuids":["e7"]}'; summary 11 10 Z; } >&9
        wait_for_lines 17
        { boundary 12 11; summary 13 12 Y; } >&9
        wait_for_lines 19
        exec 9>&-
        wait $!
        same "$command" <(printf '%s\n' '["A","e1"]' '["B","m2"]' '["O","e4"]' '["C","m5"]' '[["m5"]]' '["CD","m5"]' '["E","e7"]' \
            '[["e7"]]' '["F","e8"]' '[["e8"]]' '["E","e7"]' '["G","e9"]' '[["e7","e1","m2","e4","m5","e9"]]' '["E","e7"]' \
            '[["e7"]]' '["Z","e11"]' '["E","e7"]' '[["e11","e7"]]' '["Y","e13"]') <(said <out)
    done
    rm pipe out
}

@test "growth: Claude Code: sub-agents leave, and what is taken back takes its call or its result with it" {
    # The line of another agent lets the answer leave; the last answer of a sub-agent holds nothing up.
    mkfifo pipe
    ctx-normalize --from claude-code <pipe >out 3>&- &
    exec 9>pipe
    { claude 1 0 user '"A"'; claude 2 1 assistant "$(text B)"; claude 3 0 user '"P"' '' x; } >&9
    wait_for_lines 3
    { claude 4 3 assistant "$(text Q)" '' x; claude 5 2 user '"C"'; } >&9
    wait_for_lines 5
    # The answer of the main agent is over then, and the one of the sub-agent is not.
    claude 6 4 assistant "$(text R)" '"id":"m4"' x >&9
    claude 7 5 user '"D"' >&9
    wait_for_lines 9
    exec 9>&-
    wait $!
    same 'agents' <(printf '%s\n' '["A","e1"]' '["B","m2"]' '["P","e3"]' '["Q","m4"]' '["C","e5"]' '[["m4","e5"]]' '["QR","m4"]' '["C","e5"]' '["D","e7"]') \
        <(said <out)
    # Messages of a line have ids of their own.
    claude 1 0 assistant "$(used c1)" >in
    claude 2 1 user "[$(found c1 O),$(text X | sed 's/^.//;s/.$//')]" >>in
    cat in | ctx-normalize --from claude-code | jq -r .metadata.id >got
    same 'ids' <(printf '%s\n' m1 S-1 e2) got
    # A branch begins behind a call: its result goes, and the call comes again.
    {
        claude 1 0 user '"A"'
        claude 2 1 assistant "$(used c1)"
        claude 3 2 user '"B"'
        claude 4 3 user "[$(found c1 O)]"
        claude 5 2 user '"C"'
        claude 6 5 assistant "$(text D)"
    } >in
    ctx-normalize --from claude-code in | nameless >want
    cat in | ctx-normalize --from claude-code | ctx-project --view all | nameless >got
    same 'group' <(grep -v 'no result' want) got
    rm pipe out got want
}

@test "growth: a tombstone says its session, and what has an id keeps it" {
    { session; codex response_item '{"type":"message","id":"msg_1","role":"user","content":[{"type":"input_text","text":"A"}]}'; rolls_back 1; } >in
    spec <<'END'
cat in | ctx-normalize
>>> {"role":"user","content":"A","metadata":{"session_id":"S","timestamp":"t","id":"msg_1"}}
>>> {"role":"system","content":"","metadata":{"session_id":"S","forgets":["msg_1"]}}
cat in | ctx-normalize -v 2>&1 >/dev/null | grep -o '1 of other.*'
>>> 1 of other branches taken back; no conversation: 1 session_meta, 1 thread_rolled_back
ctx-normalize -v in 2>&1 >/dev/null | grep -o '1 of other.*'
>>> 1 of other branches left out (1 messages with --all); no conversation: 1 session_meta, 1 thread_rolled_back
END
    # A session without an id has the name of the agent, and two sessions never share an id.
    { asks A; rolls_back 1; session; asks B; codex session_meta '{"id":"T"}'; asks C; rolls_back 1; session; asks D; } >in
    cat in | ctx-normalize --from codex | told >got
    same 'ids' <(printf '%s\n' '["A","codex-1"]' '[["codex-1"]]' '["B","S-2"]' '["C","T-3"]' '[["T-3"]]' '["D","S-4"]') got
    # An id that no tombstone can name is not kept.
    { gemini_session; gemini_user m1 A | sed 's/"m1"/7/'; printf '{"$rewindTo":7}\n'; } >in
    cat in | ctx-normalize --from gemini-cli | told >got
    same 'number' <(printf '%s\n' '["A","S-1"]' '[["S-1"]]') got
    rm got
}

@test "growth: files, and what is no log, have no tombstones, byte for byte" {
    { session; asks A; answers B; rolls_back 1; asks C; } >in
    ctx-normalize in >want
    ! grep -q '"id"\|forgets' want || fail 'a file has ids'
    same 'standard input' want <(ctx-normalize <in)
    # From a pipe, of which no file can be mended:
    local how
    for how in '--to openai' '--to anthropic' '--untrusted' '--to openai --array' '--session-key payload.id' '--all' '--check --from codex'; do
        # shellcheck disable=SC2086
        same "$how" <(ctx-normalize $how in 2>&1 | sed 's/: in:/: -:/; /: to mend it: /d') <(cat in | ctx-normalize $how 2>&1)
    done
    # A pipe among the operands makes all of it one.
    cat in | ctx-normalize in - | grep -c forgets >got
    same 'both' <(echo 2) got
    rm want got
}

@test "growth: the filters behind see what the file makes" {
    local kind=codex command
    awk -v kind=codex -v seed=3 -v count=80 -f "$ROOT/tests/laws/agent-session.awk" >in
    ctx-normalize in >want
    cat in | ctx-normalize >log
    grep -q forgets log
    for command in 'ctx-budget --json' 'ctx-budget --by tool --json' 'ctx-project' 'ctx-project --view conversation' 'ctx-select --count role=user' \
        'ctx-normalize --to openai' 'ctx-normalize --to anthropic' 'ctx-compact --force --window 100k'; do
        # shellcheck disable=SC2086
        same "$command" <($command want 2>/dev/null | nameless) <($command log 2>/dev/null | nameless)
    done
    # What has become an artifact by then is taken back, too.
    ctx-isolate log >isolated
    same 'artifacts' <(ctx-isolate want | ctx-project --view all | nameless) <(ctx-project --view all isolated | nameless)
    rm isolated
    ctx-diff --stat --check <(ctx-project --view all want) <(ctx-project --view all log)
    ctx-normalize --check log
    same 'twice' log <(ctx-normalize log)
    rm want log
}

# grows_like_files KIND SEED...: what is left of a session in a pipe is what its file makes.
grow_like_files() {
    local kind=$1 seed
    shift
    for seed; do
        awk -v kind="$kind" -v seed="$seed" -v count=50 -f "$ROOT/tests/laws/agent-session.awk" >in
        ctx-normalize --from "$kind" in 2>/dev/null | ctx-project --view all | nameless >want
        cat in | ctx-normalize --from "$kind" 2>/dev/null >log
        ctx-project --view all log | nameless >got
        same "$kind $seed" want got
        # So it is if the program that writes dies anywhere.
        head -n 30 in >torn
        ctx-normalize --from "$kind" torn 2>/dev/null | ctx-project --view all | nameless >want
        cat torn | ctx-normalize --from "$kind" 2>/dev/null | ctx-project --view all | nameless >got
        same "$kind $seed, its start" want got
    done
    rm -f in log torn want got
}

@test "growth: what is left of a random session in a pipe is what its file makes" {
    grow_like_files codex {1..10}
    grow_like_files pi {1..10}
    grow_like_files gemini-cli {1..10}
    grow_like_files claude-code {1..20}
}

# bats test_tags=slow
@test "growth: what is left of many random sessions in a pipe is what their files make" {
    grow_like_files codex {11..150}
    grow_like_files pi {11..150}
    grow_like_files gemini-cli {11..150}
    grow_like_files claude-code {21..300}
}

@test "growth: what is left of a real session in a pipe is what its file makes" {
    local shared=${CTX_SHARED:-$ROOT/../shared/transcripts} root file
    local -i count=0
    for root in claude-code codex-cli pi gemini-cli opencode openai-responses other-agents; do
        [[ -d $shared/$root ]] || continue
        while IFS= read -r -d '' file; do
            ctx-normalize "$file" 2>/dev/null >want || true
            ctx-project --view all want 2>/dev/null | nameless >left || true
            cat "$file" | ctx-normalize 2>/dev/null >log || true
            same "$file" left <(ctx-project --view all log 2>/dev/null | nameless)
            [[ $root != claude-code ]] || ! jq -s . log &>/dev/null || same "$file, with sub-agents" <(nameless <want) <(stay <log | nameless)
            count+=1
        done < <(find "$shared/$root" -type f -print0)
    done
    rm -f want left log
    ((count > 0)) || skip 'no transcripts beside the tree'
}

@test "growth: of a session with sub-agents in a pipe, each agent is left what its file makes" {
    local seed
    # In the last four a late result stands in another place among other agents' messages.
    for seed in {1..10} 100 112 115 138; do
        awk -v kind=claude-code -v seed="$seed" -v count=50 -f "$ROOT/tests/laws/agent-session.awk" >in
        same "$seed" <(ctx-normalize --from claude-code in 2>/dev/null | nameless | jq -sc 'group_by(.metadata.agent_id)[]') \
            <(cat in | ctx-normalize --from claude-code 2>/dev/null | stay | nameless | jq -sc 'group_by(.metadata.agent_id)[]')
    done
    rm in
}

@test "growth: a result whose call stays takes no call back" {
    # Of the agent that keeps no texts, the late result stays.
    { session; asks A; runs c1; asks B; ran c1 late; rolls_back 1; asks C; } >in
    cat in | ctx-normalize | ctx-project --view all | told >got
    same 'codex' <(printf '%s\n' '["A","S-1"]' '["call","S-2"]' '["late","S-4"]' '["C","S-5"]') got
    # Of one that does, the call is sent again.
    {
        pi
        entry 1 0 user A
        printf '{"type":"message","id":"e2","parentId":"e1","timestamp":"t","message":{"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"f","arguments":{}}]}}\n'
        printf '{"type":"message","id":"e3","parentId":"e2","timestamp":"t","message":{"role":"toolResult","toolCallId":"c1","content":[{"type":"text","text":"O"}]}}\n'
        entry 4 2 user B
    } >in
    cat in | ctx-normalize | told >got
    same 'pi' <(printf '%s\n' '["A","e1"]' '["call","e2"]' '["O","e3"]' '[["e3","e2"]]' '["call","e2"]' '["[no result]"]' '["B","e4"]') got
    rm got
}

@test "growth: a bad line and a canonical one leave in their places, and are never taken back" {
    { session; asks A; raw '{"bad'; user own; answers B; rolls_back 1; asks C; } >in
    cat in | ctx-normalize 2>/dev/null >got || [[ $? == 65 ]]
    same 'lines' <(printf '%s\n' A '{"bad' own '["S-1"]' C) <(sed -E 's/.*"forgets":(\[[^]]*\]).*/\1/; s/.*"content":"([^"]*)".*/\1/' got)
    rm got
}

@test "growth: ctx-normalize: an id is free again behind the tombstone that names it, and calls are forgotten" {
    {
        user A '"id":"m"'
        user A '"id":"m"'
        says '' '"forgets":"m"'
        user A '"id":"m"'
        user B '"id":"m"'
        says '' '"forgets":["m","x"]'
        user B '"id":"m"'
    } >in
    makes 'ctx-normalize' 1 3-4 '{"role":"user","content":"B","metadata":{"id":"m-2"}}' 6-7
    # A call that is forgotten waits for no result, and a late one answers nothing.
    { user A; calls c1 read a.c '"id":"a"'; says '' '"forgets":"a"'; user B; gets c1 late; calls c1 read a.c '"id":"a"'; gets c1 O; } >in
    makes 'ctx-normalize' 1-4 \
        '{"role":"user","tool_call_id":"c1","content":"[tool result that answers no call] late","metadata":{"origin":"injected","is_trace":true}}' 6-7
    mkfifo pipe
    ctx-normalize <pipe >out 3>&- &
    exec 9>pipe
    head -n 4 in >&9
    wait_for_lines 4
    exec 9>&-
    wait $!
    # What waits when the tombstone comes leaves with it.
    { user A; calls c1 read a.c '"id":"a"'; user B; says '' '"forgets":"a"'; user C; } >in
    ctx-normalize <pipe >out 3>&- &
    exec 9>pipe
    cat in >&9
    wait_for_lines 5
    exec 9>&-
    wait $!
    same 'order' in out
    rm pipe out
}

@test "growth: a session that turns and turns does not grow without bound" {
    awk 'BEGIN {
        print "{\"type\":\"session\",\"id\":\"S\",\"timestamp\":\"t\",\"cwd\":\"/\"}"
        for (i = 1; i <= 6000; i++)
            printf "{\"type\":\"message\",\"id\":\"e%d\",\"parentId\":%s,\"timestamp\":\"t\",\"message\":{\"role\":\"user\",\"content\":\"T\"}}\n", i, i < 3000 ? (i > 1 ? "\"e" i - 1 "\"" : "null") : i % 2 ? "\"e1\"" : "\"e2999\""
    }' >in
    user own >>in
    cat in | ctx-normalize >log
    (($(wc -c <log) < 40 * $(wc -c <in)))
    same 'left' <(ctx-normalize in) <(ctx-project --view all log)
    # Two branches of Claude Code that are written in turns.
    {
        claude 1 0 user '"T"'
        claude 2 1 user '"T"'
        claude 3 1 user '"T"'
        awk 'BEGIN {
            for (i = 4; i <= 6000; i++)
                printf "{\"type\":\"user\",\"uuid\":\"e%d\",\"parentUuid\":\"e%d\",\"sessionId\":\"S\",\"isMeta\":true,\"message\":{\"role\":\"user\",\"content\":\"T\"}}\n", i, i < 3000 ? i - 1 : i - 2
        }'
    } >in
    cat in | ctx-normalize >log
    (($(wc -c <log) < 40 * $(wc -c <in)))
    same 'branches' <(ctx-normalize in | nameless) <(ctx-project --view all log | nameless)
    rm log
}

@test "growth: a file of Codex is looked through, and held only where it may take records back" {
    ! grep -q __asan_init "$CTX_BIN/ctx-normalize" || skip 'with AddressSanitizer'
    local tools=${CTX_BIN%/bin}/tests/bench
    { session; for ((i = 0; i < 3000; i++)); do asks "$i"; answers "$long"; done; } >in
    "$tools/run" free.kb ctx-normalize in >free
    { cat in; codex event_msg '{"type":"other","x":"thread_rolled_back"}'; } >marked
    "$tools/run" held.kb ctx-normalize marked >held
    same 'messages' free held
    (($(cut -d' ' -f3 held.kb) > $(cut -d' ' -f3 free.kb) + 600))
    # What leaves a pipe leaves it once, and is kept nowhere.
    cat in | "$tools/run" piped.kb ctx-normalize >piped
    cat in | TMPDIR=$PWD/none "$tools/run" bare.kb ctx-normalize | cmp - piped
    (($(cut -d' ' -f3 bare.kb) < $(cut -d' ' -f3 piped.kb) + $(wc -c <in) / 2048))
    # A mark is found where the file is looked through in pieces, too.
    local mark start cut
    mark=$(rolls_back 1) start=${mark%%thread_*}
    for cut in 1 9 17; do
        { session; asks A; asks ''; } >whole
        { session; asks A; asks "$(repeat $((256 * 1024 - cut - ${#start} - $(wc -c <whole))) x)"; rolls_back 1; } >in
        [[ $(head -c $((256 * 1024)) in | tail -c $((cut + 1))) == '"'* ]] || fail 'the mark is elsewhere'
        same "$cut" <(echo A) <(ctx-normalize in | jq -r .content)
    done
    # A mark that is not seen before it is read, as in a file to which it is appended meanwhile.
    { session; asks A; rolls_back 1 | sed 's/thread_/thread\\u005f/'; } >in
    makes 'ctx-normalize --from codex | jq -r .content' A \
        '>>>2 ctx-normalize: in:3: unknown-shape: takes back messages that were already written, since it was appended meanwhile: read the file again' '>>>= 65'
    rm whole free free.kb held held.kb marked piped piped.kb bare.kb
}

@test "growth: a file of Claude Code is looked through, and held only where it may take messages back" {
    ! grep -q __asan_init "$CTX_BIN/ctx-normalize" || skip 'with AddressSanitizer'
    local tools=${CTX_BIN%/bin}/tests/bench i
    for ((i = 1; i < 3000; i += 2)); do
        claude "$i" $((i - 1)) user '"go on"'
        claude $((i + 1)) "$i" assistant "$(text "$long$long")"
    done >in
    "$tools/run" free.kb ctx-normalize in >free
    { cat in; claude 3001 3000 user '[{"type":"text","text":"isCompactSummary"}]'; } >marked
    "$tools/run" held.kb ctx-normalize marked >held
    same 'messages' free <(head -n -2 held)
    (($(cut -d' ' -f3 held.kb) > $(cut -d' ' -f3 free.kb) + 600)) || fail "$(cat free.kb held.kb)"
    # Two texts that follow one line, a compaction, and two files are held.
    { claude 1 0 user '"A"'; claude 2 1 assistant "$(text a)"; claude 3 2 user '"B"'; claude 4 2 user '"C"'; } >in
    makes 'ctx-normalize | jq -r .content' A a C
    { claude 1 0 user '"A"'; claude 2 0 user '"B"'; claude 3 2 assistant "$(text b)"; } >in
    makes 'ctx-normalize | jq -r .content' B b
    { claude 1 0 user '"A"'; boundary 2 1; summary 3 2 S; claude 4 3 user '"B"'; } >in
    makes 'ctx-normalize | jq -r .content' S B
    claude 1 0 user '"A"' >in
    claude 2 1 user '"B"' >first
    claude 3 1 user '"C"' >second
    same 'files' <(printf 'A\nC\n') <(ctx-normalize in first second | jq -r .content)
    # One whose first message has no session is: a later line may name it.
    { claude 1 0 user '"A"' | sed 's/"sessionId":"S",//'; claude 2 1 user '"B"'; } >in
    makes 'ctx-normalize | jq -r .content' A B
    # Marks that are not seen before they are read.
    { claude 1 0 user '"A"'; boundary 2 1 | sed 's/compact_/compact\\u005f/'; claude 3 2 user '"B"'; } >in
    makes 'ctx-normalize | jq -r .content' A B \
        '>>>2 ctx-normalize: in:2: unknown-shape: takes back messages that were already written, since it was appended meanwhile: read the file again' '>>>= 65'
    { claude 1 0 user '"A"'; claude 2 1 user '"B"'; claude 3 1 user '"C"' | sed 's/parentUuid/parent\\u0055uid/'; } >in
    makes 'ctx-normalize | jq -r .content' A B C \
        '>>>2 ctx-normalize: in:3: unknown-shape: takes back messages that were already written, since it was appended meanwhile: read the file again' '>>>= 65'
    # Sub-agents and results are no texts.
    {
        claude 1 0 user '"A"'
        claude 2 0 user '"go"' '' x
        claude 3 1 assistant "[{\"type\":\"tool_use\",\"id\":\"c1\",\"name\":\"f\",\"input\":{}},{\"type\":\"tool_use\",\"id\":\"c2\",\"name\":\"f\",\"input\":{}}]"
        claude 4 3 user "[$(found c1 one)]"
        claude 5 3 user "[$(found c2 two)]"
        claude 6 5 assistant "$(text B | sed 's/B/\\u0063/')"
        boundary 7 6 | sed 's/compact_/compact\\u005f/'
    } >in
    makes 'ctx-normalize --from claude-code | jq -r .content | tail -n 3' one two c \
        '>>>2 ctx-normalize: in:7: unknown-shape: takes back messages that were already written, since it was appended meanwhile: read the file again' '>>>= 65'
    rm in first second free free.kb held held.kb marked
}

@test "growth: a packed file may have any mark" {
    command -v zstd >/dev/null || skip 'no zstd'
    { session; asks A; rolls_back 1; asks B; } | zstd -q >in
    makes 'ctx-normalize --from codex | jq -r .content' B
}

# bats test_tags=slow
@test "growth: what is held, or has left and may be sent again, takes no memory but for ids" {
    ! grep -q __asan_init "$CTX_BIN/ctx-normalize" || skip 'with AddressSanitizer'
    local tools=${CTX_BIN%/bin}/tests/bench kind
    for kind in claude-code codex pi; do
        "$tools/generate" 24000000 42 | awk -v agent="$kind" -f "$ROOT/tests/bench/native.awk" >in
        # stays LIMIT COMMAND: it takes at most so many MB. The directory for temporary files is there, or is not.
        stays() {
            cat in | "$tools/run" kb sh -c "$2" >out
            (($(cut -d' ' -f3 kb) < $1 * 1000)) || fail "$kind: $2: $(cat kb)"
        }
        stays 20 "ctx-normalize --from $kind"
        stays 20 "ctx-normalize --from $kind in"
        [[ $(command ctx-normalize --all in | cksum) == "$(cksum <out)" ]] || fail "$kind: another output"
        stays 36 "ctx-normalize --from $kind --to openai"
        [[ $(cat in | TMPDIR=$PWD/none ctx-normalize --from "$kind" --to openai | cksum) == "$(cksum <out)" ]] ||
            fail "$kind: another output without a file"
    done
    rm in out kb
}

@test "growth: a temporary file that would grow over a limit of the system holds no more, and the rest stays in memory" {
    "${CTX_BIN%/bin}/tests/bench/generate" 2000000 42 | awk -v agent=pi -f "$ROOT/tests/bench/native.awk" >in
    ctx-normalize in >want
    # A pipe has no limit: only the file without a name would be larger.
    bash -c 'ulimit -f 300; ctx-normalize in | cat >/dev/null; exit ${PIPESTATUS[0]}'
    bash -c 'ulimit -f 300; ctx-normalize in' | cmp - want
    rm in want
}
