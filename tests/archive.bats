#!/usr/bin/env bats
#
# The archive: what ctx-compact takes out of a log comes back byte for byte, after one compaction and
# after many, whatever else happened to the archive.

load helper
load dialogue

# comes_back FILE OPTION...: compacts the file with an archive of its own and restores it; what is
# smaller by that is counted in $smaller. A budget that cannot be met writes nothing, and is no case.
comes_back() {
    local file=$1 read=0
    shift
    rm -f archive
    : >archive
    ctx-isolate --policy transparent "$file" >/dev/null 2>&1 || read=$?
    ctx-compact --archive archive "$@" "$file" >small 2>messages || may 0 1 65
    [[ -s small ]] || return 0
    ctx-restore archive small >back 2>messages || may "$read"
    cmp back "$file" || fail "${file##*/} with $*"
    cmp -s small "$file" || smaller=$((smaller + 1))
}

# The options of several runs: gentle, harsh, what is due by triggers, and each transform alone.
options=('--window 600 --reserve-output 10 --keep-turns 1' '--limit 100 --best-effort'
    '--force --target 1 --keep-turns 0' '--force --target 1 --pipeline prune --prune-over 20'
    '--force --pipeline dedupe,truncate --target 50 --keep-tokens 10'
    '--max-tool-results 1 --max-messages 5' '--estimator usage --force --target 1 --keep-turns 1')

# bats test_tags=slow
@test "ctx-compact --archive, ctx-restore: every fixture comes back, whatever was done to it" {
    local file how smaller=0
    for file in "$FIXTURES"/*.jsonl; do
        for how in "${options[@]}"; do
            # shellcheck disable=SC2086
            comes_back "$file" $how
        done
    done
    ((smaller >= 30)) || fail "only $smaller cases had something to put back"
}

# sessions: the real transcripts as ctx streams, into files, as many as there are of some size.
sessions() {
    local file number=0
    [[ -d $CTX_SHARED ]] || skip 'no transcripts beside the tree'
    while IFS= read -r -d '' file; do
        ctx-normalize "$file" >"session.$number" 2>messages || may 0 65
        [[ ! -s session.$number ]] || number=$((number + 1))
    done < <(find "$CTX_SHARED"/{openai-chat,anthropic-messages,claude-code} -type f -size +8k -size -3000k -print0)
}

@test "ctx-compact --archive, ctx-restore: the real transcripts come back" {
    local file smaller=0
    sessions
    for file in session.*; do
        comes_back "$file" --window 4k --reserve-output 100
        comes_back "$file" --force --target 500 --keep-turns 1 --best-effort
    done
    ((smaller > 0))
}

# chain FILE ROUNDS OPTION...: the file grows by slices, and is compacted each time, with one archive.
# With $between a command that the log goes through before each compaction.
chain() {
    local file=$1 rounds=$2 lines step at=0
    shift 2
    rm -f archive
    : >archive
    : >small
    lines=$(awk 'END { print NR }' "$file")
    step=$(((lines + rounds - 1) / rounds))
    while ((at < lines)); do
        sed -n "$((at + 1)),$((at + step))p" "$file" >>small
        at=$((at + step))
        if [[ -n ${between-} ]]; then
            $between small >next
            mv next small
        fi
        ctx-compact --archive archive "$@" small >next 2>messages || may 0 1 65
        [[ ! -s next ]] || {
            cmp -s next small || smaller=$((smaller + 1))
            mv next small
        }
    done
}

@test "ctx-compact --archive, ctx-restore: what was compacted twenty times, with new messages between, comes back" {
    local name smaller=0
    for name in compact-gauge ctx-metadata ctx-headless openai-chat route-several-calls hostile-crlf hostile-foreign; do
        chain "$FIXTURES/$name.jsonl" 20 --force --target 100 --keep-turns 1
        ctx-restore archive small >back 2>messages || may 65
        same "$name" "$FIXTURES/$name.jsonl" back
    done
    ((smaller >= 12)) || fail "only $smaller compactions changed something"
}

@test "ctx-compact --archive, ctx-restore: budget records that ctx-budget writes between are in nobody's way" {
    local between='ctx-budget --window 2k' smaller=0
    chain "$FIXTURES/compact-gauge.jsonl" 20
    ctx-restore archive small >back
    grep -v '^{"type":"budget"' back >messages
    same 'messages' "$FIXTURES/compact-gauge.jsonl" messages
    ((smaller > 0))
}

@test "ctx-compact --archive, ctx-restore: a budget record comes back, too" {
    local smaller=0
    ctx-budget --window 2k "$FIXTURES/compact-gauge.jsonl" >log
    comes_back log
    { cat log && tail -n 3 "$FIXTURES/compact-gauge.jsonl"; } >longer
    comes_back longer
    printf %s "$(cat longer)" >unended
    comes_back unended
    ((smaller == 3))
}

@test "ctx-isolate, ctx-compact --archive: records of every kind come back behind the record that they stood behind" {
    local budget='{"type":"budget","window":1000}'
    {
        user Go. && calls c1 read a.c && raw "$budget" && gets c1 "$(repeat 300 'x ')" && raw '{"type":"note"}' &&
            says Done. && raw "$budget" '{"type":"context","system_prompt":"Keep lamps."}' &&
            user 'Mend it.' && calls c2 edit a.c && raw '{"type":"other"}' "$budget" && gets c2 "$(repeat 300 'y ')" &&
            says Mended. && user 'And now?' && says Home. && raw "$budget"
    } >log
    ctx-isolate --execution none --archive archive log >isolated
    (($(wc -l <isolated) < $(wc -l <log)))
    ctx-restore archive isolated >back
    same 'isolated' log back
    ctx-compact --archive archive --force --keep-turns 1 --target 60 isolated >small
    (($(grep -c budget <small) < $(grep -c budget <isolated)))
    ctx-restore archive small >back
    same 'compacted' log back
    # Where ctx-budget has written its own since, the messages come back all the same.
    ctx-budget small | ctx-restore archive >back
    same 'the messages' <(grep -v '"budget"' log) <(grep -v '"budget"' back)
    # Many sessions: each line is at its place in its own.
    for key in a b; do jq -c --arg key $key '. + {s: $key}' log >"$key"; done
    paste -d '\n' a b >both
    ctx-compact --session-key s --archive archive --force --keep-turns 1 --target 60 both >small
    ctx-restore --session-key s archive small >back
    for key in a b; do same "$key" $key <(grep "\"s\":\"$key\"" back); done
}

@test "ctx-compact --archive, ctx-restore: a budget record after another one, and nothing else that is new" {
    local n
    ctx-compact --archive archive --window 1k "$FIXTURES/compact-gauge.jsonl" >small
    cp "$FIXTURES/compact-gauge.jsonl" log
    echo '{"type":"budget","window":900}' | tee -a small >>log
    for n in 1000 1100 1200; do
        ctx-compact --archive archive --window $n small >next
        ! cmp -s small next || fail "nothing was written at $n"
        mv next small
    done
    ctx-restore archive small >back
    same 'the log' log back
}

@test "ctx-compact --archive, ctx-restore: the lines that came later stay behind" {
    ctx-compact --archive archive --window 1k "$FIXTURES/compact-gauge.jsonl" >small
    { user 'And June?' && says 'The same.' && raw 'not a line'; } >new
    cat "$FIXTURES/compact-gauge.jsonl" new >log
    cat small new >longer
    ctx-restore archive longer >back 2>messages || may 65
    same 'the log' log back
}

@test "ctx-compact --archive: every entry is hashed as b2sum -l 128 does, and a line of JSON" {
    ctx-compact --archive archive --window 1k "$FIXTURES/compact-gauge.jsonl" >small
    jq -c . archive >lines
    [[ $(wc -l <lines) == "$(wc -l <archive)" ]]
    while IFS= read -r line; do
        text=${line#*\",\"*\":}
        printf '%s' "${text%\}}" | b2sum -l 128 | cut -d' ' -f1
    done <archive >want
    jq -r .key archive >got
    same 'keys' want got
}

@test "ctx-compact --archive: the stream of a pass is the hash of the hashes of its lines, and of CR LF between them" {
    local end line
    for end in '' '\r'; do
        rm -f archive
        sed "s/\$/$end/" "$FIXTURES/compact-gauge.jsonl" >log
        ctx-compact --archive archive --window 1k log >small
        while IFS= read -r line; do
            printf '%s' "${line%$'\r'}" | b2sum -l 128 | sed 's/ .*//; s/../\\x&/g'
            [[ $line != *$'\r' ]] || echo '\r\n'
        done <small | sed '${/^\\r/d}' | tr -d '\n' >bytes
        same "lines that end in $end LF" <(printf '%b' "$(<bytes)" | b2sum -l 128 | cut -d' ' -f1) \
            <(jq -r '.pass | select(.).stream' archive)
    done
}

@test "ctx-compact --archive: a placeholder has the key in metadata, and the command that brings its text back" {
    ctx-compact --archive archive --window 4k "$FIXTURES/compact-gauge.jsonl" >small
    key=$(jq -r 'select(.tool_call_id == "c1").metadata.archived' small)
    same 'placeholder' <(printf '[stale: the file was changed later; ctx-recall archive %s]\n' "${key:0:12}") \
        <(jq -r 'select(.tool_call_id == "c1").content' small)
    jq -c "select(.key == \"$key\").record" archive >record
    same 'record' <(jq -c 'select(.tool_call_id == "c1")' "$FIXTURES/compact-gauge.jsonl") record
    jq -r 'select(.metadata.compacted) | .content, (.tool_calls // [] | .[].function.arguments)' small >texts
    [[ $(grep -c "ctx-recall" texts) == "$(jq -c 'select(.metadata.compacted)' small | wc -l)" ]]
}

@test "ctx-compact --archive: a replacement pays with its key, or is none" {
    local text
    text=$(printf '%0130d' 7)
    { user go && calls c1 read a.c && gets c1 "$text" && calls c2 edit a.c && gets c2 ok && says done && user 'and now?'; } >in
    ctx-compact --force --keep-turns 1 --target 10k in >plain
    [[ $(grep -c stale plain) == 1 ]]
    ctx-compact --archive archive --force --keep-turns 1 --target 10k in >small
    same 'the log' in small
    [[ ! -s archive ]]
}

@test "ctx-compact --archive: nothing is written to it when nothing changes, nor by --plan, nor when the budget is refused" {
    ctx-compact --archive empty "$FIXTURES/compact-gauge.jsonl" >small
    [[ -e empty && ! -s empty ]]
    ctx-restore empty small | cmp - "$FIXTURES/compact-gauge.jsonl"
    ctx-compact --archive archive --plan --window 1k "$FIXTURES/compact-gauge.jsonl" >plan
    ctx-compact --archive archive --window 60 "$FIXTURES/compact-gauge.jsonl" >small 2>messages || may 1
    [[ ! -e archive ]]
}

@test "ctx-compact --archive: the same log gives the same bytes" {
    ctx-compact --archive archive --window 1k "$FIXTURES/compact-gauge.jsonl" >one.small
    mv archive one
    ctx-compact --archive archive --window 1k "$FIXTURES/compact-gauge.jsonl" >two.small
    same 'streams' one.small two.small
    same 'archives' one archive
}

@test "ctx-compact --archive: a second run changes nothing" {
    local file how small
    mkdir small again
    for file in "$FIXTURES"/*.jsonl; do
        for how in "${options[@]}"; do
            small="${file##*/} with $how"
            # shellcheck disable=SC2086
            ctx-compact --archive archive $how "$file" >"small/$small" 2>messages || may 0 1 65
            : >"again/$small"
            [[ -s small/$small ]] || continue
            # shellcheck disable=SC2086
            ctx-compact --archive archive $how "small/$small" >"again/$small" 2>messages || may 0 1 65
        done
    done
    diff -r small again
}

@test "ctx-compact --archive, -i: files that are replaced share an archive and come back" {
    local name
    cp "$FIXTURES/compact-gauge.jsonl" "$FIXTURES/ctx-metadata.jsonl" .
    ctx-compact -i --archive archive --force --target 1 --keep-turns 1 compact-gauge.jsonl ctx-metadata.jsonl
    for name in compact-gauge ctx-metadata; do
        ! cmp -s "$name.jsonl" "$FIXTURES/$name.jsonl" || fail 'the same'
        ctx-restore archive "$name.jsonl" | cmp - "$FIXTURES/$name.jsonl"
    done
    cp compact-gauge.jsonl before
    ctx-compact -i --archive no/such --force --target 1 --keep-turns 0 --pipeline truncate compact-gauge.jsonl 2>messages || may 73
    same 'the file' before compact-gauge.jsonl
}

@test "ctx-compact --archive: eight processes share one, and each log comes back" {
    local i pids=()
    for i in 1 2 3 4 5 6 7 8; do
        sed "s/gauge/gauge$i/g" "$FIXTURES/compact-gauge.jsonl" >"log$i"
        (for n in 1 2 3; do ctx-compact --archive archive --window 1k "log$i" >"small$i" || exit; done) &
        pids+=($!)
    done
    for i in "${pids[@]}"; do
        wait "$i"
    done
    jq -c .key archive >keys
    for i in 1 2 3 4 5 6 7 8; do
        ctx-restore archive "small$i" >back
        same "log$i" "log$i" back
    done
}

@test "ctx-compact --archive: a torn line of a killed writer harms nothing" {
    ctx-compact --archive archive --window 1k "$FIXTURES/compact-gauge.jsonl" >small
    head -c 300 archive >torn
    cat torn >>archive
    ctx-restore archive small | cmp - "$FIXTURES/compact-gauge.jsonl"
    ctx-compact --archive archive --force --target 1 --keep-turns 1 "$FIXTURES/ctx-metadata.jsonl" >other
    ctx-restore archive small | cmp - "$FIXTURES/compact-gauge.jsonl"
    ctx-restore archive other | cmp - "$FIXTURES/ctx-metadata.jsonl"
}

@test "ctx-compact --archive: no file of another kind, and none that is read or written beside it" {
    cp "$FIXTURES/compact-gauge.jsonl" in
    refuses 'ctx-compact --archive in in' "'in' is an input file"
    refuses 'ctx-compact --archive r --report r in' '--archive and --report are one file'
    spec <<'END'
ctx-compact --archive /dev/null --window 1k in
>>>2 ctx-compact: cannot append to '/dev/null': no regular file
>>>= 73
END
    spec <<'END'
ctx-compact --archive no/such --window 1k in
>>>2 ctx-compact: cannot create 'no/such': No such file or directory
>>>= 73
END
}

@test "--archive, ctx-restore, ctx-recall: a file that is no archive is named, and stays" {
    cp "$FIXTURES/compact-gauge.jsonl" log
    head -4 log >other
    cp other before
    cp other './-o t'
    spec <<END
ctx-compact --archive other --limit 20 log
>>>2 ctx-compact: 'other' is no archive, and stays as it is
>>>= 65
ctx-compact -i --archive other --limit 20 log
>>>2 ctx-compact: 'other' is no archive, and stays as it is
>>>= 65
ctx-isolate --archive other log
>>>2 ctx-isolate: 'other' is no archive, and stays as it is
>>>= 65
ctx-restore other log
>>>2 ctx-restore: 'other' is no archive: it has no entry; expected the archive before the session
>>>= 65
ctx-recall other 00d5
>>>2 ctx-recall: 'other' is no archive: it has no entry; try ctx-show -e 'text~ERE' other, which searches a session
>>>= 65
ctx-recall ./-o\ t -F gauge
>>>2 ctx-recall: './-o t' is no archive: it has no entry; try ctx-show -e 'text~ERE' './-o t', which searches a session
>>>= 65
END
    cmp before other
    printf '{"key":"00' >torn
    ctx-restore torn log | cmp - log
}

@test "ctx-compact, ctx-isolate --archive: the file is looked at once in a run, however many sessions it has" {
    local command
    strace -o /dev/null true 2>/dev/null || skip 'strace may not trace'
    : >log.archive
    jq -nc 'range(40) | {role: "user", content: "Is it deep?", metadata: {session_id: "s\(.)"}}' >in
    for command in 'ctx-compact --limit 4k' 'ctx-isolate'; do
        # shellcheck disable=SC2086
        ASAN_OPTIONS=detect_leaks=0 strace -o calls -e trace=open,openat $command --session-key metadata.session_id --archive log.archive in >out
        [[ $(grep 'log.archive' calls | grep -c O_RDONLY) == 1 ]] || fail "$command: $(grep -c log.archive calls) times"
    done
}

@test "--archive, --append, --report: a read-only file is 73, for root, too" {
    cp "$FIXTURES/compact-gauge.jsonl" log
    printf '{"key":"00' >torn
    cp log to
    : >empty
    chmod 444 torn to empty
    spec <<END
ctx-route --append empty log
>>>2 ctx-route: cannot append to 'empty': Permission denied
>>>= 73
ctx-compact --archive torn --force --target 200 log
>>>2 ctx-compact: cannot append to 'torn': Permission denied
>>>= 73
ctx-route --append to log
>>>2 ctx-route: cannot append to 'to': Permission denied
>>>= 73
ctx-compact --report to log
>>>2 ctx-compact: cannot create 'to': Permission denied
>>>= 73
END
    cmp log to
}

@test "ctx-compact --archive: on a full disk nothing is written, and the archive is as it was" {
    ctx-compact --archive archive --window 4k "$FIXTURES/compact-gauge.jsonl" >small
    cp archive before
    # No file may become larger than this, which is where the next entries would go.
    spec <<END
trap '' XFSZ; ulimit -f $((($(wc -c <archive) + 1023) / 1024)); ctx-compact --archive archive --window 1k $FIXTURES/compact-gauge.jsonl
>>>2 ctx-compact: cannot write to archive: File too large
>>>= 74
END
    same 'the archive' before archive
}

# In the spellings of now and of before: old logs have them.
look_ups=('ctx-recall A 0123456789ab' 'cd src && ctx recall A 0123456789ab:1-40' 'ctx-recall --search gauge A'
    'ctx-compact --archive A --recall 0123456789ab' 'ctx-compact --archive A --search gauge')

@test "ctx-compact: what was recalled is not elided again" {
    local text look_up
    text=$(printf 'line %d\\n' {1..400})
    for look_up in "${look_ups[@]}"; do
        printf '%s\n' "$look_up"
        {
            user go && calls c1 bash "{\"command\":\"$look_up\"}" && gets c1 "$text" &&
                calls c2 bash '{"command":"make all"}' && gets c2 "$text" && says done && user 'and now?'
        } >in
        ctx-compact --pipeline dedupe,prune --force --target 1k --keep-turns 1 in >small 2>messages || may 0 1
        [[ $(jq -c 'select(.tool_call_id == "c1")' small) == "$(jq -c 'select(.tool_call_id == "c1")' in)" ]]
        [[ $(jq 'select(.tool_call_id == "c2").metadata.compacted' small) == true ]]
        # What was cut out of a command names the look-up, too: its result is no recalled one.
        sed "s/$look_up/cat x; &/; "'s/"role":"assistant",/&"metadata":{"compacted":true},/' in >cut
        ctx-compact --pipeline dedupe,prune --force --target 1k --keep-turns 1 cut >small 2>messages || may 0 1
        [[ $(jq 'select(.tool_call_id == "c1").metadata.compacted' small) == true ]]
        # It goes as a whole, as all that is old.
        ctx-compact --force --target 200 --keep-turns 1 in >small
        [[ $(jq -c 'select(.tool_call_id == "c1")' small) == '' ]]
    done
}

# bats test_tags=slow
@test "ctx-isolate --archive: every fixture comes back, and through ctx-compact with the same archive" {
    local file policy changed=0
    for file in "$FIXTURES"/*.jsonl; do
        for policy in boundary 'mask --min-tokens 20 --keep-results 1'; do
            : >archive
            # shellcheck disable=SC2086
            ctx-isolate --policy $policy --archive archive "$file" >isolated 2>messages || may 65
            ctx-restore archive isolated >back 2>messages || may 65
            same "${file##*/}" "$file" back
            cmp -s isolated "$file" || changed=$((changed + 1))
            ctx-compact --archive archive --force --target 100 --keep-turns 1 --best-effort isolated >small 2>messages || may 0 1 65
            [[ ! -s small ]] || ctx-restore archive small >back 2>messages || may 65
            same "${file##*/}" "$file" back
        done
    done
    ((changed >= 7)) || fail "only $changed were isolated"
}

@test "ctx-isolate --archive: an artifact names the command that lists the call and its results" {
    ctx-isolate --archive archive "$FIXTURES/compact-gauge.jsonl" >isolated
    command=$(jq -r 'select(.metadata.kind == "trace").content' isolated | sed -n '1s/.*(\(.*\))$/\1/p')
    $command >list
    [[ $(sed -n 1p list) == *'dropped, lines 1-2 of 2]' ]]
    [[ $(sed -n 2p list) == *' assistant: I begin with the conversion. read path: src/gauge.c' ]]
    [[ $(sed -n 3p list) == *' tool: #include "gauge.h"'* ]]
}

@test "ctx-isolate --archive: isolates what it does without, but for what does not pay with its key" {
    ctx-isolate "$FIXTURES/compact-gauge.jsonl" >plain
    ctx-isolate --archive archive "$FIXTURES/compact-gauge.jsonl" >isolated
    jq -c 'select(.metadata.kind == "trace") | .metadata.facts' isolated >got
    jq -c 'select(.metadata.kind == "trace") | .metadata.facts' plain | grep -Fxf got >want
    same 'artifacts' want got
    ctx-isolate --policy transparent --archive other "$FIXTURES/compact-gauge.jsonl" >same
    same 'transparent' "$FIXTURES/compact-gauge.jsonl" same
    [[ ! -e other ]]
}
