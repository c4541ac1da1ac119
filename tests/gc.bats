#!/usr/bin/env bats
#
# ctx-normalize --gc: an agent's file without what its loader does not read.  make check-clients holds what the agents
# send of it against what they sent before.

load helper
load dialogue

# record TYPE ID PARENT [MEMBERS]: a record of Claude Code; PARENT is an id, or null.
record() {
    local parent="\"$3\""
    [[ $3 != null ]] || parent=null
    printf '{"type":"%s", "parentUuid": %s,"uuid":"%s"%s}\n' "$1" "$parent" "$2" "${4:+,$4}"
}
asks() { record user "$1" "$2" "\"message\":{\"role\":\"user\",\"content\":\"$1?\"}"; }
answers() { record assistant "$1" "$2" "\"message\":{\"id\":\"m$1\",\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"$1.\"}]}"; }
boundary() { record system "$1" null "\"subtype\":\"compact_boundary\",\"logicalParentUuid\":\"d\",\"content\":\"Compacted\"${2:+,$2}"; }
talk() { asks a null; answers b a; asks c b; answers d c; }

# swept [AGENT]: --gc makes the file want of the file in, and of want itself.
swept() {
    ctx-normalize --gc ${1:+--from "$1"} in >out 2>err
    same 'diagnostics' /dev/null err
    same 'written' want out
    ctx-normalize --gc ${1:+--from "$1"} want >out
    same 'written again' want out
}

@test "gc: progress and snapshots go, what followed them follows what they followed, and all else stays as it is" {
    {
        echo '{"type":"file-history-snapshot","messageId":"a","snapshot":{}}'
        asks a null
        answers b a
        record progress p b '"data":{}'
        record progress q p '"data":{}'
        echo '{"type":"ai-title","aiTitle":"Depths","sessionId":"s"}'
        asks c q
        record progress r null '"data":{}'
        echo '{"torn'
        printf '{"type":"new-kind","parentUuid":"q","uuid":"n"}\r\n\n'
        record user s q '"isSidechain":true,"message":{"role":"user","content":"aside"}'
        echo '{"type":"file-history-delta","messageId":"a"}'
        answers d c | tr -d '\n'
    } >in
    {
        asks a null
        answers b a
        echo '{"type":"ai-title","aiTitle":"Depths","sessionId":"s"}'
        asks c b
        echo '{"torn'
        printf '{"type":"new-kind","parentUuid":"b","uuid":"n"}\r\n\n'
        record user s b '"isSidechain":true,"message":{"role":"user","content":"aside"}'
        answers d c | tr -d '\n'
    } >want
    status_of 65 ctx-normalize --gc --report report in >out 2>err
    same 'written' want out
    same 'report' <(echo '[["progress",3],["file snapshots",2]]') <(jq -c '[.gone | to_entries[] | [.key, .value.records]]' report)
    same 'the bad line' <(echo 'ctx-normalize: in:9: expected a string that ends, at byte 2') <(sed 's/:9: .*/:9: expected a string that ends, at byte 2/' err)
}

@test "gc: branches that the user left go, and the copy of a result" {
    result='"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"4 m"}]}'
    call='"message":{"id":"mx","role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":{}}]}'
    { talk; asks x b; record assistant e d "$call"; answers y x; record user f e "$result,\"toolUseResult\":{\"stdout\":\"4 m\"}"; } >in
    { talk; record assistant e d "$call"; record user f e "$result"; } >want
    swept
    # The same member where nothing is the result itself.
    { talk; record user e d '"message":{"role":"user","content":"said"},"toolUseResult":"said"'; } >in
    cp in want
    swept
}

@test "gc: what is before the last compaction goes, but for what it keeps" {
    { talk; boundary k; asks e k; answers f e; } >in
    { boundary k; asks e k; answers f e; } >want
    swept
    { talk; boundary k '"compactMetadata":{"preservedMessages":{"anchorUuid":"e","uuids":["d"],"allUuids":["d"]}}'; asks e k; answers f e; } >in
    { answers d null; tail -n 3 in; } >want
    swept
    # Of two, the last.
    { talk; boundary k; asks e k; boundary l; asks f l; answers g f; } >in
    tail -n 3 in >want
    swept
    # The last one, which the agent does not come to, makes it forget what the other keeps.
    { talk; boundary k '"compactMetadata":{"preservedMessages":{"anchorUuid":"e","uuids":["d"],"allUuids":["d"]}}'; asks e k; boundary l; answers f e; } >in
    cp in want
    swept
}

@test "gc: where messages are not loaded, and where the chain would be another, no record of it goes" {
    # The next prompt hangs on a progress record beside the turns.
    { talk; record progress p a '"data":{}'; asks e p; } >in
    { talk; asks e a; } >want
    ctx-normalize --gc in >out 2>err
    same 'written' want out
    same 'said' <(echo 'ctx-normalize: records with messages that claude-code does not load: 3, so the conversation stays whole; ctx-normalize --check --from claude-code in says why') err
    # A progress record that comes after what hangs on it is none to the agent, and the user went back, but then went on.
    { talk; asks e p; record progress p d '"data":{}'; } >in
    ctx-normalize --gc in >out 2>err
    same 'a later one' in out
    { asks a null; record new-kind n p; record progress p a '"data":{}'; answers b p; } >in
    cp in want
    swept
    { talk; echo '{"type":"last-prompt","leafUuid":"b","explicit":true}'; asks e b; answers f e; } >in
    { asks a null; answers b a; echo '{"type":"last-prompt","leafUuid":"b","explicit":true}'; asks e b; answers f e; } >want
    swept
    { talk; echo '{"type":"last-prompt","leafUuid":"b","explicit":true}'; } >in
    { asks a null; answers b a; echo '{"type":"last-prompt","leafUuid":"b","explicit":true}'; } >want
    swept
    # The user stood at a progress record.
    { asks a null; record progress p a '"data":{}'; answers b p; echo '{"type":"last-prompt","leafUuid":"p"}'; asks c b; } >in
    { asks a null; answers b a; echo '{"type":"last-prompt","leafUuid":"p"}'; asks c b; } >want
    swept
    # Two texts that follow one record are branches, and the conversation is whole; a result begins none.
    { asks a null; asks x a; asks b a; answers c b; } >in
    sed 2d in >want
    swept
    { asks a null; answers b a; record user x b '"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"4"}]}'; asks c b; answers d c; } >in
    ctx-normalize --gc in >out 2>err
    same 'a result' in out
    grep -q 'does not load: 1, so the conversation stays whole' err
    # A summary without a boundary takes out what is before it; so nothing of that is missed.
    { talk; record user s a '"isCompactSummary":true,"message":{"role":"user","content":"S"}'; asks e s; } >in
    { asks a null; tail -n 2 in; } >want
    swept
    # A file of a sub-agent.
    record user a null '"isSidechain":true,"agentId":"x","message":{"role":"user","content":"a?"}' >in
    cp in want
    swept
}

entry() { printf '{"type":"%s","id":"%s","parentId":%s,"timestamp":"t"%s}\n' "$1" "$2" "$3" "${4:+,$4}"; }
says() { entry message "$1" "$2" "\"message\":{\"role\":\"$3\",\"content\":[{\"type\":\"text\",\"text\":\"$1\"}]}"; }
pi_header() { printf '{"type":"session","version":3,"id":"s","timestamp":"t","cwd":"/"}\n'; }

@test "gc: pi: branches go, and what is before a compaction, but for settings and what extensions keep" {
    { pi_header; says a null user; says b '"a"' assistant; says x '"b"' user; entry custom u '"x"'; says y '"u"' assistant; says c '"b"' user; } >in
    { pi_header; says a null user; says b '"a"' assistant; entry custom u '"b"'; says c '"b"' user; } >want
    swept
    compacted() {
        says c '"b"' user
        says d '"c"' "$1"
        entry compaction k '"d"' '"summary":"S","firstKeptEntryId":"c","tokensBefore":1'
        says e '"k"' user
    }
    { pi_header; says a null user; entry model_change m '"a"'; says b '"m"' assistant; compacted assistant; } >in
    { pi_header; entry model_change m null; compacted assistant | sed '1s/"parentId":"b"/"parentId":"m"/'; } >want
    swept
    # Without an answer behind it, the model would be another.
    { pi_header; says a null user; says b '"a"' assistant; compacted user; } >in
    cp in want
    swept
    # A circle, and the first version, which has no tree.
    { pi_header; says a '"b"' user; says b '"a"' assistant; } >in
    status_of 0 ctx-normalize --gc in >out 2>err
    same 'circle' in out
    { echo '{"type":"session","id":"s","timestamp":"t","cwd":"/"}'; echo '{"type":"message","timestamp":"t","message":{"role":"user","content":"a"}}'; } >in
    cp in want
    swept pi
}

codex() { printf '{"timestamp":"2026-01-01T00:00:00Z","type":"%s","payload":{%s}}\n' "$1" "$2"; }
item() { codex response_item "\"type\":\"message\",\"role\":\"$1\",\"content\":[{\"type\":\"input_text\",\"text\":\"$2\"}]"; }

@test "gc: codex: items go that a history replaces, unless turns are taken back behind it" {
    head=$(codex session_meta '"id":"01990000-0000-7000-8000-000000000001","timestamp":"t","cwd":"/","originator":"o","cli_version":"1"')
    said=$(codex event_msg '"type":"user_message","message":"a"')
    history=$(codex compacted '"message":"S","replacement_history":[{"type":"message","role":"user","content":[]}]')
    { echo "$head"; item user a; echo "$said"; echo "$history"; item user b; } >in
    { echo "$head"; echo "$said"; echo "$history"; item user b; } >want
    swept
    { cat want; codex compacted '"message":"S"'; item user c; } >in
    cp in want
    swept
    # One without a time is not loaded.
    { echo "$head"; item user a; echo "$history"; item user b | sed 's/"timestamp":"[^"]*",//'; } >in
    { echo "$head"; tail -n 2 in; } >want
    ctx-normalize --gc in >out 2>err
    same 'without a time' want out
    same 'said' <(echo 'ctx-normalize: records with messages that codex does not load: 1; ctx-normalize --check --from codex in says why') err
    { echo "$head"; item user a; echo "$history"; item user b; codex event_msg '"type":"thread_rolled_back","num_turns":1'; } >in
    cp in want
    swept
}

@test "gc: other formats, and what cannot be read twice, are refused" {
    echo '{"role":"user","content":"a"}' >log
    echo 'no record' >none
    ctx-normalize --to gemini-cli log >gemini 2>err
    cp gemini want
    spec <<'END'
ctx-normalize --gc gemini
>>>2 ctx-normalize: --gc: gemini is a file of gemini-cli, expected one of claude-code, codex and pi; try 'ctx-normalize --help'
>>>= 64
END
    spec <<'END'
ctx-normalize --gc none
>>>2 ctx-normalize: --gc: none is a file of another format, expected one of claude-code, codex and pi; try 'ctx-normalize --help'
>>>= 64
END
    spec <<'END'
ctx-normalize --gc --from opencode log
>>>2 ctx-normalize: --gc: log is a file of opencode, expected one of claude-code, codex and pi; try 'ctx-normalize --help'
>>>= 64
END
    for files in '' - 'log log'; do
        # shellcheck disable=SC2086
        status_of 64 ctx-normalize --gc $files 2>err </dev/null
        same "files: $files" <(echo "ctx-normalize: --gc needs one file, which is read twice, or files with --in-place; try 'ctx-normalize --help'") err
    done
    status_of 64 ctx-normalize --gc /dev/null 2>err
    grep -q 'reads /dev/null twice, but it is not a regular file' err
    status_of 64 ctx-normalize --gc -i log 2>err
    grep -q 'requires --archive for the records that go, or --in-place=SUFFIX' err
    status_of 66 ctx-normalize --gc absent 2>err
}

# aged: the records have times, of long ago.
aged() { sed 's/}$/,"timestamp":"2026-01-01T00:00:00Z"}/'; }

@test "gc: -i replaces files that nobody uses, and the archive has what went" {
    { talk; asks x b; record progress p x; answers y x; asks e d; record user f e '"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"4"}]},"toolUseResult":"4"'; } | aged >in
    ctx-normalize --gc in >want
    cp in one
    cp in two
    cp in before
    status_of 75 ctx-normalize --gc --in-place=.old one 2>err
    cmp before one
    status_of 0 ctx-normalize -v --gc -i --min-age 0 --archive gone one two 2>err
    cmp want one
    cmp want two
    key=$(sed -n '1s/.*; in the archive: \([0-9a-f]*\);.*/\1/p' err)
    same '-v' <(for name in one two; do echo "ctx-normalize: $name: 9 records in, 6 out, 1 changed; branches that were left: 2 gone, $(sed -n '5p;7p' in | wc -c) bytes; progress: 1 gone, $(sed -n 6p in | wc -c) bytes; copies of results: 1 gone, 3 bytes; in the archive: $key; replaced"; done) err
    same 'recalled' <(echo "[${key:0:12} dropped, lines 1-4 of 4]"; sed -n '5,7p;9p' in | cut -c 1-40) \
        <(ctx-recall gone "$key" | sed 's/^[0-9a-f]\{12\} record: \(.\{40\}\).*/\1/')
    same 'archived' <(sed -n '5,7p;9p' in) <(sed -n 's/^{"key":"[0-9a-f]*","record":\(.*\)}$/\1/p' gone | head -n 4)
    # Nothing is left to go, and the report says it in numbers.
    stat -c %i one >want
    ctx-normalize -v --gc --in-place=.old --min-age 0 --report report one 2>err
    same 'the same file' want <(stat -c %i one)
    grep -q 'nothing to change$' err
    [[ ! -e one.old ]]
    cp in one
    ctx-normalize --gc --in-place=.old --min-age 0 --report report one
    cmp in one.old
    same 'report' <(echo '[["branches that were left",2],["progress",1],["copies of results",1]]') <(jq -c '[.gone | to_entries[] | [.key, .value.records]]' report)
    # A record of just now, in a file that says that it is old.
    sed "s/2026-01-01T00:00:00Z/$(date -u +%FT%TZ)/" in >one
    touch -d '2001-02-03 04:05:06' one
    rm one.old
    status_of 75 ctx-normalize --gc --in-place=.old one 2>err
    same 'just now' <(echo 'ctx-normalize: one: was written to in the last 60 seconds; try again later') err
    [[ ! -e one.old ]]
}

@test "gc: a session of Codex that Codex has locked stays" {
    id=01990000-0000-7000-8000-000000000001
    mkdir -p .codex/sessions/2026/01/01 .codex/thread-writer-locks
    file=.codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-$id.jsonl
    { codex session_meta "\"id\":\"$id\""; item user a; codex compacted '"message":"S","replacement_history":[]'; } >"$file"
    cp "$file" want
    : >.codex/thread-writer-locks/$id.lock
    exec 9<.codex/thread-writer-locks/$id.lock
    flock 9
    status_of 75 ctx-normalize --gc --in-place=.old --min-age 0 "$file" 2>err
    grep -q 'the session is open in Codex' err
    cmp want "$file"
    exec 9<&-
    ctx-normalize --gc --in-place=.old --min-age 0 "$file"
    (($(wc -l <"$file") == 2))
}

@test "gc: of every fixture and real session the same messages are read, and a second time nothing goes" {
    local file
    for file in "$FIXTURES"/{claude-code,codex,pi}-*.jsonl "$CTX_SHARED"/{claude-code,codex-cli,pi}/*/*.jsonl; do
        ctx-normalize --gc "$file" >swept 2>err || [[ $? == 65 || $? == 64 ]]
        [[ -s swept ]] || continue
        ctx-normalize "$file" 2>err | jq -c 'select(.role) | del(.metadata.source, .metadata.parent_id)' >want 2>err || true
        ctx-normalize swept 2>err | jq -c 'select(.role) | del(.metadata.source, .metadata.parent_id)' >got 2>err || true
        same "$file" want got
        ctx-normalize --gc swept >again 2>err || [[ $? == 65 ]]
        same "$file again" swept again
    done
}

# grown ROUNDS: a session of Claude Code with progress, snapshots, branches that were left, copies of results and, in the
# middle, a compaction.
grown() {
    awk -v rounds="$1" '
        function record(type, id, parent, rest) {
            printf "{\"type\":\"%s\",\"parentUuid\":%s,\"uuid\":\"%08d-0000-4000-8000-%012d\",\"sessionId\":\"s\"%s}\n", type, parent, round, id, rest
            return sprintf("\"%08d-0000-4000-8000-%012d\"", round, id)
        }
        function user(id, parent, content, rest) { return record("user", id, parent, ",\"message\":{\"role\":\"user\",\"content\":" content "}" rest) }
        function answer(id, parent, name, block) {
            return record("assistant", id, parent, ",\"message\":{\"id\":\"msg_" round name "\",\"role\":\"assistant\",\"content\":[" block "]}")
        }
        BEGIN {
            at = "null"
            for (round = 1; round <= rounds; round++) {
                print "{\"type\":\"file-history-snapshot\",\"messageId\":\"m\",\"snapshot\":{}}"
                at = user(1, at, "\"Round " round "?\"", "")
                at = answer(2, at, "a", "{\"type\":\"text\",\"text\":\"I look.\"}")
                at = answer(3, at, "a", "{\"type\":\"tool_use\",\"id\":\"toolu_" round "\",\"name\":\"Bash\",\"input\":{}}")
                at = record("progress", 4, at, ",\"data\":{}")
                at = user(5, at, "[{\"type\":\"tool_result\",\"tool_use_id\":\"toolu_" round "\",\"content\":\"4 m\"}]", ",\"toolUseResult\":{\"stdout\":\"4 m\"}")
                at = answer(6, at, "b", "{\"type\":\"text\",\"text\":\"It is.\"}")
                user(7, at, "\"Left.\"", "")
                if (round == int(rounds / 2)) {
                    at = record("system", 8, "null", ",\"subtype\":\"compact_boundary\",\"logicalParentUuid\":" at)
                    at = user(9, at, "\"S\"", ",\"isCompactSummary\":true")
                }
            }
        }'
}

# What the agent reaches of a file, by its loader: the messages, and how many.
reached() { ctx-normalize --check --from claude-code --report report "$1" && jq -c '.loaded[] | [.messages, .reached]' report; }

# GC_ROUNDS makes it larger: a round has 1.7 kB.
@test "gc: of a session that has grown the agent reaches the same" {
    local rounds=${GC_ROUNDS:-200}
    grown "$rounds" >in
    ctx-normalize -v --gc in >out 2>err
    same 'what went' <(echo "branches that were left: $((rounds / 2 - 1)); before the compaction: $((rounds / 2 * 6)); progress: $rounds; file snapshots: $rounds; copies of results: $((rounds / 2))") \
        <(sed 's/^[^;]*; //; s/ gone, [0-9]* bytes//g' err)
    same 'reached' <(reached in) <(reached out)
    same 'loaded' <(echo "[$((rounds / 2 * 4 + 2)),$((rounds / 2 * 4 + 2))]") <(reached out)
    same 'read' <(ctx-normalize in | jq -c 'select(.role) | del(.metadata)') <(ctx-normalize out | jq -c 'select(.role) | del(.metadata)')
}

@test "gc: at most 100 bytes of memory a record, whatever the records say" {
    ! grep -q __asan_init "$CTX_BIN/ctx-normalize" || skip 'with AddressSanitizer'
    local run=${CTX_BIN%/bin}/tests/bench/run agent size records
    codexes() { awk -v rounds="$1" -v head="$(codex session_meta '"id":"s"')" -v item="$(item user a)" 'BEGIN { print head; for (i = 0; i < 8 * rounds; i++) print item }'; }
    pis() {
        pi_header
        awk -v rounds="$1" 'BEGIN {
            for (i = 1; i <= 8 * rounds; i++)
                printf "{\"type\":\"message\",\"id\":\"%08x\",\"parentId\":%s,\"timestamp\":\"t\",\"message\":{\"role\":\"user\",\"content\":\"T\"}}\n", i, (i > 1 ? sprintf("\"%08x\"", i - 1) : "null")
        }'
    }
    # weighs MAKER: measures a file of 2000 rounds and one of 12000.
    weighs() {
        for size in 2000 12000; do
            "$1" "$size" >in
            "$run" "kb$size" ctx-normalize --gc --archive gone in >out
            rm gone
            records=$(($(wc -l <in) - ${records:-0}))
        done
        (($(cut -d' ' -f3 kb12000) * 1024 <= $(cut -d' ' -f3 kb2000) * 1024 + 100 * records)) ||
            fail "$1: $records records more: $(cat kb2000 kb12000)"
        records=0
    }
    for agent in grown codexes pis; do weighs "$agent"; done
    # The same records with more in them.
    grown 2000 | sed 's/"I look\."/"'"$(repeat 2000 x)"'"/' >in
    "$run" long ctx-normalize --gc in >out
    (($(cut -d' ' -f3 long) < $(cut -d' ' -f3 kb2000) + 1000)) || fail "$(cat kb2000 long)"
    rm in out kb2000 kb12000 long
}
