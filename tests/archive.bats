#!/usr/bin/env bats
#
# The archive: what ctx-compact takes out of a log comes back byte for byte, after one compaction and
# after many, whatever else happened to the archive.

load helper
load dialogue

# may STATUS...: the command before ended with one of them.
may() {
    local status=$?
    [[ " $* " == *" $status "* ]] || fail "status $status, expected $*"
}

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
    ctx-compact --restore archive small >back 2>messages || may "$read"
    cmp back "$file" || fail "${file##*/} with $*"
    cmp -s small "$file" || smaller=$((smaller + 1))
}

@test "ctx-compact --archive, --restore: every fixture comes back by the default options" {
    local file
    for file in "$FIXTURES"/*.jsonl; do
        ctx-compact --archive archive <"$file" >small 2>messages || may 65
        ctx-compact --restore archive <small 2>messages | cmp - "$file" || may 65
    done
}

# The options of several runs: gentle, harsh, what is due by triggers, and each transform alone.
options=('--window 600 --reserve-output 10 --keep-turns 1' '--limit 100 --best-effort'
    '--force --target 1 --keep-turns 0' '--force --target 1 --pipeline prune --prune-over 20'
    '--force --pipeline dedupe,truncate --target 50 --keep-tokens 10'
    '--max-tool-results 1 --max-messages 5' '--estimator usage --force --target 1 --keep-turns 1')

# bats test_tags=slow
@test "ctx-compact --archive, --restore: every fixture comes back, whatever was done to it" {
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

@test "ctx-compact --archive, --restore: the real transcripts come back" {
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

@test "ctx-compact --archive, --restore: what was compacted twenty times, with new messages between, comes back" {
    local name smaller=0
    for name in compact-gauge ctx-metadata ctx-headless openai-chat route-several-calls hostile-crlf hostile-foreign; do
        chain "$FIXTURES/$name.jsonl" 20 --force --target 100 --keep-turns 1
        ctx-compact --restore archive small >back 2>messages || may 65
        same "$name" "$FIXTURES/$name.jsonl" back
    done
    ((smaller >= 12)) || fail "only $smaller compactions changed something"
}

@test "ctx-compact --archive, --restore: budget records that ctx-budget writes between are in nobody's way" {
    local between='ctx-budget --window 2k' smaller=0
    chain "$FIXTURES/compact-gauge.jsonl" 20
    ctx-compact --restore archive small >back
    grep -v '^{"type":"budget"' back >messages
    same 'messages' "$FIXTURES/compact-gauge.jsonl" messages
    ((smaller > 0))
}

@test "ctx-compact --archive, --restore: a budget record comes back, too" {
    local smaller=0
    ctx-budget --window 2k "$FIXTURES/compact-gauge.jsonl" >log
    comes_back log
    { cat log && tail -n 3 "$FIXTURES/compact-gauge.jsonl"; } >longer
    comes_back longer
    printf %s "$(cat longer)" >unended
    comes_back unended
    ((smaller == 3))
}

@test "ctx-compact --archive, --restore: the lines that came later stay behind" {
    ctx-compact --archive archive --window 1k "$FIXTURES/compact-gauge.jsonl" >small
    { user 'And June?' && says 'The same.' && raw 'not a line'; } >new
    cat "$FIXTURES/compact-gauge.jsonl" new >log
    cat small new >longer
    ctx-compact --restore archive longer >back 2>messages || may 65
    same 'the log' log back
}

# share FILE...: compacts the files with one archive, each into FILE.small.
share() {
    local file
    for file; do
        ctx-compact --archive archive --window 1k "$file" >"$file.small"
    done
}

# twins: the gauge's log, and logs that differ from it in what compaction does not look at.
twins() {
    local budget='{"type":"budget","window":1000}'
    cp "$FIXTURES/compact-gauge.jsonl" lf
    sed 's/$/\r/' lf >crlf
    printf %s "$(cat lf)" >unended
    printf %s "$(cat crlf)" >crlf.unended
    { cat lf && printf '%s\n' "$budget"; } >budget
    printf %s "$(cat budget)" >budget.unended
}

@test "ctx-compact --archive, --restore: logs that differ in line ends and budget records share an archive" {
    local file order
    twins
    for order in 'lf crlf unended crlf.unended budget budget.unended' 'budget.unended budget crlf.unended unended crlf lf'; do
        rm -f archive
        # shellcheck disable=SC2086
        share $order
        for file in $order; do
            ctx-compact --restore archive "$file.small" >back
            same "$file of $order" "$file" back
        done
    done
    # Lines that came later, and a budget record that was written anew, are in nobody's way.
    { user 'And June?' && says 'The same.'; } >new
    for file in lf crlf budget; do
        cat "$file.small" new >longer
        ctx-compact --restore archive longer >back
        same "$file, longer" <(cat "$file" new) back
    done
    ctx-budget --window 2k budget.small | ctx-compact --restore archive >back
    grep -v '^{"type":"budget"' back >messages
    same 'with another budget record' lf messages
}

# doubtful FILE...: logs that leave the same bytes. The one that was archived last is written, and
# never with status 0; the entries that are named are those of the other ones, and its own.
doubtful() {
    local file got wrong=0
    rm -f archive
    share "$@"
    for file; do
        same "$file" "$1.small" "$file.small"
        got=0
        ctx-compact --restore archive "$file.small" >back 2>messages || got=$?
        [[ $got == 65 ]] || fail "$file: status $got"
        same 'the last one' "${!#}" back
        [[ $(wc -l <messages) == $(($# - 1)) ]] || fail "$(cat messages)"
        jq -r 'select(.pass).key' archive | sort >keys
        grep -o '[0-9a-f]\{32\}' messages | sort -u >named
        same 'the entries' keys named
        cmp -s "$file" back || wrong=$((wrong + 1))
    done
    [[ $wrong == $(($# - 1)) ]]
}

@test "ctx-compact --restore: where two logs left the same bytes it is 65, and both passes are named" {
    local budget='{"type":"budget","window":1000}' foreign='{"type":"x"}'
    twins
    { sed 3q lf && printf '%s\n' "$budget" && sed 1,3d lf; } >within
    { cat budget && printf '%s\n' "$budget"; } >twice
    doubtful budget within twice
    sed '3,4s/$/\r/' lf >part
    doubtful part lf
    { sed 3q lf && printf '%s\n' "$foreign" && sed 1,3d lf; } >early
    { sed 5q lf && printf '%s\n' "$foreign" && sed 1,5d lf; } >late
    doubtful early late
    grep -Eq '^ctx-compact: archive: entry [0-9a-f]{32} fits these lines as well, and would give other ones: taken was entry [0-9a-f]{32}$' messages
}

@test "ctx-compact --restore: two ways to the same lines are no doubt" {
    local file=$FIXTURES/compact-gauge.jsonl
    ctx-compact --archive archive --force --pipeline dedupe "$file" >gentle
    ctx-compact --archive archive --force --target 3k --pipeline prune gentle >twice
    ctx-compact --archive archive --force --target 3k --pipeline dedupe,prune "$file" >once
    same 'once and twice' twice once
    [[ $(jq -c 'select(.pass).pass.stream' archive | sort | uniq -d) == '"'* ]]
    ctx-compact --restore archive once >back
    same 'archive' "$file" back
    tac archive >other
    ctx-compact --restore other once >back
    same 'other' "$file" back
    # A view that is made anew at each step leaves a pass for each.
    rm archive
    for n in 19 20 21 22 23; do
        head -n $n "$file" >log
        ctx-compact --archive archive --force --target 1k --keep-turns 1 log >small
    done
    ctx-compact --restore archive small >back
    same 'archive' log back
}

@test "ctx-compact --restore: a pass that does not match its key is named" {
    twins
    share budget
    key=$(jq -r 'select(.pass).key' archive)
    sed 's/"had":\[/"had":[ /' archive >broken
    ! cmp -s archive broken || fail 'nothing was broken'
    ctx-compact --restore broken budget.small >back 2>messages || may 65
    grep -qx "ctx-compact: broken: entry $key does not match its key" messages
    # A whole one beside it is enough.
    cat broken archive >both
    ctx-compact --restore both budget.small >back
    same 'both' budget back
    cat archive broken >both
    ctx-compact --restore both budget.small >back
    same 'both' budget back
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

@test "ctx-compact --archive: a placeholder has the key in metadata, and the command that brings its text back" {
    ctx-compact --archive archive --window 4k "$FIXTURES/compact-gauge.jsonl" >small
    key=$(jq -r 'select(.tool_call_id == "c1").metadata.archived' small)
    same 'placeholder' <(printf '[stale: the file was changed later; ctx-compact --archive archive --recall %s]\n' "${key:0:12}") \
        <(jq -r 'select(.tool_call_id == "c1").content' small)
    jq -c "select(.key == \"$key\").record" archive >record
    same 'record' <(jq -c 'select(.tool_call_id == "c1")' "$FIXTURES/compact-gauge.jsonl") record
    jq -r 'select(.metadata.compacted) | .content, (.tool_calls // [] | .[].function.arguments)' small >texts
    [[ $(grep -c -- '--recall' texts) == "$(jq -c 'select(.metadata.compacted)' small | wc -l)" ]]
}

@test "ctx-compact --archive: a replacement pays with its key, or is none" {
    local text
    text=$(printf '%0150d' 7)
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
    ctx-compact --restore empty small | cmp - "$FIXTURES/compact-gauge.jsonl"
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
    local file how
    for file in "$FIXTURES"/*.jsonl; do
        for how in "${options[@]}"; do
            # shellcheck disable=SC2086
            ctx-compact --archive archive $how "$file" >small 2>messages || may 0 1 65
            [[ -s small ]] || continue
            # shellcheck disable=SC2086
            ctx-compact --archive archive $how small >again 2>messages || may 0 1 65
            same "${file##*/} with $how" small again
        done
    done
}

@test "ctx-compact --archive, -i: files that are replaced share an archive and come back" {
    local name
    cp "$FIXTURES/compact-gauge.jsonl" "$FIXTURES/ctx-metadata.jsonl" .
    ctx-compact -i --archive archive --force --target 1 --keep-turns 1 compact-gauge.jsonl ctx-metadata.jsonl
    for name in compact-gauge ctx-metadata; do
        ! cmp -s "$name.jsonl" "$FIXTURES/$name.jsonl"
        ctx-compact --restore archive "$name.jsonl" | cmp - "$FIXTURES/$name.jsonl"
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
        ctx-compact --restore archive "small$i" >back
        same "log$i" "log$i" back
    done
}

@test "ctx-compact --archive: a torn line of a killed writer harms nothing" {
    ctx-compact --archive archive --window 1k "$FIXTURES/compact-gauge.jsonl" >small
    head -c 300 archive >torn
    cat torn >>archive
    ctx-compact --restore archive small | cmp - "$FIXTURES/compact-gauge.jsonl"
    ctx-compact --archive archive --force --target 1 --keep-turns 1 "$FIXTURES/ctx-metadata.jsonl" >other
    ctx-compact --restore archive small | cmp - "$FIXTURES/compact-gauge.jsonl"
    ctx-compact --restore archive other | cmp - "$FIXTURES/ctx-metadata.jsonl"
}

@test "ctx-compact --restore: an entry that does not match its key is named, and the rest is restored" {
    ctx-compact --archive archive --window 4k "$FIXTURES/compact-gauge.jsonl" >small
    key=$(jq -r 'select(.tool_call_id == "c1").metadata.archived' small)
    # A damaged copy of it does no harm.
    sed -n "/^{\"key\":\"$key\"/s/Metres/Miles!/p" archive >copy
    cat copy >>archive
    ctx-compact --restore archive small | cmp - "$FIXTURES/compact-gauge.jsonl"
    sed -i "/^{\"key\":\"$key\"/s/Metres/Miles!/" archive
    { sed -n 1,3p "$FIXTURES/compact-gauge.jsonl" && sed -n 4p small && sed -n '5,$p' "$FIXTURES/compact-gauge.jsonl"; } >expected
    spec <<END
ctx-compact --restore archive small
>>>@ expected
>>>2 ctx-compact: archive: entry $key does not match its key
>>>= 65
END
    sed -i "/^{\"key\":\"$key\"/d" archive
    spec <<END
ctx-compact --restore archive small
>>>@ expected
>>>2 ctx-compact: archive: entry $key is not there
>>>= 65
END
}

@test "ctx-compact --restore: messages in a stream that something else changed come back by their keys" {
    ctx-compact --archive archive --window 4k "$FIXTURES/compact-gauge.jsonl" >small
    sed 2d small >less
    sed 2d "$FIXTURES/compact-gauge.jsonl" >expected
    ctx-compact --restore archive less >back
    same 'restored' expected back
    ctx-compact --archive archive --window 1k "$FIXTURES/compact-gauge.jsonl" >small
    key=$(jq -r 'select(.metadata.kind == "summary").metadata.archived' small)
    sed 1d small >less
    spec <<END
ctx-compact --restore archive less
>>>@ less
>>>2 ctx-compact: archive: entry $key has records of which the places are not known: something else changed the stream
>>>= 65
END
}

@test "ctx-compact --archive, --restore: two archives, one behind the other" {
    ctx-compact --archive one --window 4k "$FIXTURES/compact-gauge.jsonl" >first
    ctx-compact --archive two --window 1k first >second
    ctx-compact --restore two second >back 2>messages || may 65
    same 'the first' first back
    ctx-compact --restore one back | cmp - "$FIXTURES/compact-gauge.jsonl"
    cat one two >both
    ctx-compact --restore both second | cmp - "$FIXTURES/compact-gauge.jsonl"
}

@test "ctx-compact --restore: a log that was never compacted passes" {
    : >archive
    cp "$FIXTURES/compact-gauge.jsonl" in
    keeps 'ctx-compact --restore archive'
    rm archive
    spec <<'END'
ctx-compact --restore archive in
>>>2 ctx-compact: cannot open 'archive': No such file or directory
>>>= 66
END
}

@test "ctx-compact --archive: no file of another kind, and none that is read or written beside it" {
    cp "$FIXTURES/compact-gauge.jsonl" in
    refuses 'ctx-compact --archive in in' "'in' is an input file"
    refuses 'ctx-compact --archive r --report r in' '--archive and --report are one file'
    refuses 'ctx-compact --restore r --archive r in' '--restore goes without --archive'
    refuses 'ctx-compact --restore r -i in' '--restore goes without --in-place'
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

# long_options: those of --help, but the two that print and end.
long_options() {
    ctx-compact --help | sed -n 's/^  \(-., \|    \)--\([a-z-]*\).*/\2/p' | grep -v -x -e help -e version
}

# value OPTION: what may stand behind it.
value() {
    case $1 in
    force | best-effort | plan | at-boundary | follow-symlinks | break-hard-links | strict-names | sorted | verbose) ;;
    in-place) echo =.old ;;
    steering) echo =new ;;
    tool) echo =a=read:b ;;
    bad-lines) echo =keep ;;
    summary-role) echo =user ;;
    summarizer-input) echo =text ;;
    fallback) echo =digest ;;
    *) echo =1 ;;
    esac
}

@test "ctx-compact --restore, --recall, --search: they refuse every option that they would not heed" {
    local option status words
    cp "$FIXTURES/compact-gauge.jsonl" in
    ctx-compact --archive archive --window 1k in >small
    key=$(jq -r 'select(.metadata.kind == "summary").metadata.archived' small)
    for option in $(long_options); do
        for words in '--restore=archive small' "--archive=archive --recall=$key" '--archive=archive --search=gauge'; do
            case $words in
            --restore*) heeded=' restore steering tool session-key sorted bad-lines bad-file max-line report verbose ' ;;
            *) heeded=' archive recall search recall-tokens estimator image-tokens command-timeout ' ;;
            esac
            [[ $heeded != *" $option "* ]] || continue
            status=0
            # shellcheck disable=SC2086
            ctx-compact $words "--$option$(value "$option")" >out 2>said || status=$?
            [[ $status == 64 && ! -s out ]] || fail "$words --$option: status $status"
            grep -q -e "goes without --$option;" -e 'goes without --restore;' said || fail "$(cat said)"
        done
    done
    ctx-compact --restore archive --report report -v small >back 2>said
    cmp in back
    jq -e '.passes == 1' report >said
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

# archived: compacts the gauge's log with an archive; $key is the list of what was dropped.
archived() {
    ctx-compact --archive archive --window 1k "$FIXTURES/compact-gauge.jsonl" >small
    key=$(jq -r 'select(.metadata.kind == "summary").metadata.archived' small)
}

# shown JQ...: what a jq filter gives of the log, as text.
shown() {
    jq -j "$@" "$FIXTURES/compact-gauge.jsonl"
}

@test "ctx-compact --recall: the artifact names the command that lists what was dropped" {
    archived
    local command
    command=$(jq -r 'select(.metadata.kind == "summary").content' small | grep -o 'ctx-compact --archive archive --recall [0-9a-f]*')
    $command >list
    [[ $(head -n 1 list) == "[${key:0:12} dropped, lines 1-14 of 14]" ]]
    grep -qx '[0-9a-f]\{12\} assistant: bash command: make test' list
    [[ $(sed 1d list | cut -d' ' -f1 | sort) == "$(jq -r 'select(.record).key[:12]' archive | sort)" ]]
}

@test "ctx-compact --recall: an entry of the list is what the message said, and LINES are some of its lines" {
    archived
    entry=$(ctx-compact --archive archive --recall "$key" | sed -n 's/ tool: #include.*//p')
    shown 'select(.tool_call_id == "c1").content' >text
    { printf '[%s tool, lines 1-%s of %s]\n' "$entry" "$(wc -l <text)" "$(wc -l <text)" && cat text; } >expected
    ctx-compact --archive archive --recall "$entry" --recall-tokens 10k >got
    same 'the whole' expected got
    { printf '[%s tool, lines 2-3 of %s]\n' "$entry" "$(wc -l <text)" && sed -n 2,3p text; } >expected
    ctx-compact --archive archive --recall "$entry:2-3" >got
    same 'lines' expected got
    { printf '[%s tool, lines 3-3 of %s]\n' "$entry" "$(wc -l <text)" && sed -n 3p text; } >expected
    ctx-compact --archive archive --recall "$entry:3" >got
    same 'a line' expected got
}

@test "ctx-compact --recall: of a call, the arguments stand as lines" {
    archived
    entry=$(ctx-compact --archive archive --recall "$key" | sed -n 's/ assistant: write path.*//p')
    ctx-compact --archive archive --recall "$entry:1-4" | sed 1d >got
    { printf 'write\npath: reports/may.md\n' && printf 'content: ' &&
        shown 'select(.tool_calls[0].function.name == "write").tool_calls[0].function.arguments | fromjson.content'; } | sed -n 1,4p >expected
    same 'arguments' expected got
}

@test "ctx-compact --recall: the answer has at most --recall-tokens, and its last line is the command for the rest" {
    local entry tokens rest
    archived
    entry=$(ctx-compact --archive archive --recall "$key" | sed -n 's/ tool: cc -O2.*//p')
    for tokens in 100 150 300 1000; do
        ctx-compact --archive archive --recall "$entry" --recall-tokens "$tokens" >got
        (($(jq -cRs '{role: "user", content: .}' got | ctx-budget --json | jq .used_tokens) <= tokens + 4))
        [[ $(tail -n 1 got) == *'lines more: ctx-compact --archive archive --recall '* ]]
    done
    : >all
    rest="ctx-compact --archive archive --recall $entry"
    while [[ -n $rest ]]; do
        $rest >got
        grep -v "^\[$entry tool, lines\|^\[.* lines more: " got >>all
        rest=$(sed -n 's/^\[[0-9]* lines more: \(.*\)\]$/\1/p' got)
    done
    same 'all' <(shown 'select(.tool_call_id == "c2").content') all
}

@test "ctx-compact --recall: what was compacted twice is what it was at first" {
    ctx-compact --archive archive --window 4k "$FIXTURES/compact-gauge.jsonl" >small
    ctx-compact --archive archive --window 1k small >smaller
    key=$(jq -r 'select(.metadata.kind == "summary").metadata.archived' smaller)
    entry=$(ctx-compact --archive archive --recall "$key" | sed -n 's/ tool: #include.*//p')
    ctx-compact --archive archive --recall "$entry" --recall-tokens 10k | sed 1d >got
    same 'the first' <(shown 'select(.tool_call_id == "c1").content') got
}

@test "ctx-compact --recall: a key that is not there, is not the only one, or is no key" {
    local i
    archived
    spec <<'END'
ctx-compact --archive archive --recall 0123456
>>>2 ctx-compact: archive: entry 0123456 is not there
>>>= 65
END
    {
        printf '{"key":"0123456%025d","record":{}}\n' 1 2
    } >>archive
    spec <<'END'
ctx-compact --archive archive --recall 0123456
>>>2 ctx-compact: archive: entry 0123456 is one of several: more digits tell which
>>>= 65
END
    spec <<END
ctx-compact --archive archive --recall 0123456$(printf %025d 1)
>>>2 ctx-compact: archive: entry 012345600000 does not match its key
>>>= 65
END
    for i in abc xyzz 0123: 0123:0 0123:x 0123:1-0 0123:1-2-3; do
        refuses "ctx-compact --archive archive --recall $i" \
            "bad value of --recall '$i', expected KEY, KEY:N, KEY:N- or KEY:N-M, with at least 4 of the digits of the key"
    done
    refuses 'ctx-compact --recall 0123' '--recall and --search need --archive'
    refuses 'ctx-compact --archive archive --recall 0123 --search x' '--recall and --search do not go together'
    refuses 'ctx-compact --archive archive --recall 0123 small' '--recall and --search read the archive alone, and no log'
}

@test "ctx-compact --search: the lines that match, with key and number, the newest entries first" {
    archived
    ctx-compact --archive archive --search 'zero|datum' >got
    same 'found' <(printf '%s\n' 1: 1: 3:) <(sed 's/^[0-9a-f]\{12\}:\([0-9]*:\).*/\1/' got)
    IFS=: read -r entry line text <<<"$(sed -n 3p got)"
    same 'recalled' <(printf '%s\n' "${text# }") <(ctx-compact --archive archive --recall "$entry:$line" | sed 1d)
    ctx-compact --archive archive --search . --recall-tokens 200 >got
    [[ $(tail -n 1 got) == '[there is more: a narrower pattern or a larger --recall-tokens shows it]' ]]
    (($(jq -cRs '{role: "user", content: .}' got | ctx-budget --json | jq .used_tokens) <= 204))
    spec <<'END'
ctx-compact --archive archive --search 'no such thing'
>>>2 ctx-compact: nothing in 'archive' matches 'no such thing'
>>>= 1
END
    refuses "ctx-compact --archive archive --search '('" "bad value of --search '(': unmatched ("
}

@test "ctx-compact: what was recalled is not elided again" {
    local text
    text=$(printf 'line %d\\n' {1..400})
    {
        user go && calls c1 bash '{"command":"ctx-compact --archive A --recall 0123456789ab"}' && gets c1 "$text" &&
            calls c2 bash '{"command":"make all"}' && gets c2 "$text" && says done && user 'and now?'
    } >in
    ctx-compact --pipeline dedupe,prune --force --target 1k --keep-turns 1 in >small 2>messages || may 0 1
    [[ $(jq -c 'select(.tool_call_id == "c1")' small) == "$(jq -c 'select(.tool_call_id == "c1")' in)" ]]
    [[ $(jq 'select(.tool_call_id == "c2").metadata.compacted' small) == true ]]
    # What was cut out of a command names ctx-compact, too: its result is no recalled one.
    sed 's/ctx-compact --archive A --recall/cat x; &/; s/"role":"assistant",/&"metadata":{"compacted":true},/' in >cut
    ctx-compact --pipeline dedupe,prune --force --target 1k --keep-turns 1 cut >small 2>messages || may 0 1
    [[ $(jq 'select(.tool_call_id == "c1").metadata.compacted' small) == true ]]
    # It goes as a whole, as all that is old.
    ctx-compact --force --target 200 --keep-turns 1 in >small
    [[ $(jq -c 'select(.tool_call_id == "c1")' small) == '' ]]
}

# bats test_tags=slow
@test "ctx-isolate --archive: every fixture comes back, and through ctx-compact with the same archive" {
    local file policy changed=0
    for file in "$FIXTURES"/*.jsonl; do
        for policy in boundary 'mask --min-tokens 20 --keep-results 1'; do
            : >archive
            # shellcheck disable=SC2086
            ctx-isolate --policy $policy --archive archive "$file" >isolated 2>messages || may 65
            ctx-compact --restore archive isolated >back 2>messages || may 65
            same "${file##*/}" "$file" back
            cmp -s isolated "$file" || changed=$((changed + 1))
            ctx-compact --archive archive --force --target 100 --keep-turns 1 --best-effort isolated >small 2>messages || may 0 1 65
            [[ ! -s small ]] || ctx-compact --restore archive small >back 2>messages || may 65
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

@test "ctx-compact --archive, --restore: bad lines that went to the bad file do not come back, all else does" {
    awk 'NR == 2 { print "not a line" } { print } END { printf "{torn" }' "$FIXTURES/compact-gauge.jsonl" >log
    ctx-compact --archive archive --bad-lines=drop --bad-file bad --window 1k log >small 2>messages || may 65
    (($(wc -l <small) < 15))
    ctx-compact --restore archive small | cmp - "$FIXTURES/compact-gauge.jsonl"
    ctx-compact --archive archive --window 1k log >small 2>messages || may 65
    ctx-compact --restore archive small 2>messages | cmp - log || may 65
}

@test "ctx-compact --archive, --restore: a long line that comes in pieces is one line" {
    { cat "$FIXTURES/compact-gauge.jsonl" && printf '{"role":"user","content":"%01000000d"}\n' 7 && user 'and now?'; } >log
    ctx-compact --max-line 100k --archive archive --window 1k --best-effort log >small 2>messages || may 65
    [[ $(wc -l <small) -lt $(wc -l <log) ]] || fail 'nothing was dropped'
    # The pieces are others, and the line is the same.
    ctx-compact --max-line 50k --restore archive small 2>messages | cmp - log || may 65
    # A line that differs in a later piece is another line: no pass wrote this stream.
    sed 's/0007"/0008"/' small >other
    ctx-compact --max-line 50k --restore archive other >back 2>messages || may 65
    grep -q 'something else changed the stream' messages
}

@test "ctx-compact --search: a line is searched behind a NUL, too" {
    { user go && calls c1 look '{}' && gets c1 'a\u0000 needle\nhay '"$(printf %02000d 7)" && says 'done' && user Next. && says Well. && user 'and now?'; } >in
    ctx-compact --estimator bytes/4 --archive A --force --target 100 --keep-turns 1 in >small
    ctx-compact --archive A --search 'a. needle$' >found
    grep -qa needle found
}

# long_lines LINE...: an archive A of one result with these lines, as a JSON string has them; $entry
# is its key.
long_lines() {
    local text
    printf -v text '%s\\n' "$@"
    { user go && calls c1 look '{}' && gets c1 "$text" && says 'done' && user Next. && says Well. && user 'and now?'; } >in
    ctx-compact --estimator bytes/4 --archive A --force --target 100 --keep-turns 1 in >small
    entry=$(jq -r 'select(.record.role == "tool").key[:12]' A)
}

@test "ctx-compact --search: of a long line, the part around the match is shown, and marked where it is cut" {
    local entry pad accents side long=needle
    pad=$(printf 'pad %.0s' {1..1500})
    accents=$(printf 'é%.0s' {1..300})
    side=$(printf 'é%.0s' {1..49})
    while ((${#long} < 400)); do long+=needle; done
    long_lines "${pad}needle" "needle $pad" "${pad}needle $pad needle" "x${accents}needle${accents}" \
        "$(printf %0194d 0)needle" "a ${long}"
    ctx-compact --archive A --search '(needle)+' --recall-tokens 4k >got
    same 'lines' <(printf '%s\n' {1..6}) <(cut -d: -f2 got)
    sed 's/^[^:]*:[0-9]*: //' got >shown
    same 'at the end' <(printf '…%s\n' "$(printf '%sneedle' "$pad" | tail -c 200)") <(sed -n 1p shown)
    same 'at the start' <(printf '%s…\n' "$(head -c 200 <<<"needle $pad")") <(sed -n 2p shown)
    same 'in the midst' <(printf '…%s…\n' "$(printf '%s' "$pad" | tail -c 97)needle$(head -c 97 <<<" $pad")") <(sed -n 3p shown)
    same 'code points' <(printf '…%sneedle%s…\n' "$side" "$side") <(sed -n 4p shown)
    same 'no longer than what is shown' <(printf '%0194dneedle\n' 0) <(sed -n 5p shown)
    same 'a match that is longer' <(printf '…%s…\n' "${long:0:200}") <(sed -n 6p shown)
    iconv -f utf-8 -t utf-8 got >/dev/null
    ctx-compact --archive A --search needle --recall-tokens 60 >got
    (($(jq -cRs '{role: "user", content: .}' got | ctx-budget --json | jq .used_tokens) <= 64))
    [[ $(tail -n 1 got) == '[there is more: a narrower pattern or a larger --recall-tokens shows it]' ]]
    [[ $(tail -n 2 got | head -n 1) == "$entry:1: "*… ]]
}

@test "ctx-compact --recall: a line that does not fit ends with the command that prints it whole" {
    local entry long command tokens
    long=$(printf 'word%d ' {1..3000})
    long_lines first "$long" third
    for tokens in 0 10 100 1000; do
        ctx-compact --archive A --recall "$entry:2" --recall-tokens "$tokens" >got
        [[ $(head -n 1 got) == "[$entry tool, lines 2-2 of 3]" ]]
        command=$(tail -n 1 got | sed -n 's/^\[the line goes on: \(.*\)\]$/\1/p')
        [[ $command == "ctx-compact --archive A --recall $entry:2 --recall-tokens "* ]]
        $command >whole
        same 'the line' <(printf '[%s tool, lines 2-2 of 3]\n%s\n' "$entry" "$long") whole
    done
    # Behind it stands the command for the lines that are left.
    ctx-compact --archive A --recall "$entry:2-" >got
    [[ $(tail -n 2 got | head -n 1) == '[the line goes on: '* ]]
    [[ $(tail -n 1 got) == "[1 lines more: ctx-compact --archive A --recall $entry:3-3]" ]]
}

@test "ctx-compact --recall: LINES that the entry does not have" {
    local entry lines
    long_lines 1 2 3 4 5 "$(printf %02000d 6)"
    for lines in 7 1000- 7-9; do
        spec <<END
ctx-compact --archive A --recall $entry:$lines
>>>2 ctx-compact: A: entry $entry has no line ${lines%%-*}, only 6
>>>= 1
END
    done
    refuses "ctx-compact --archive A --recall $entry:5-3" \
        "bad value of --recall '$entry:5-3', expected KEY, KEY:N, KEY:N- or KEY:N-M, with at least 4 of the digits of the key"
    [[ $(ctx-compact --archive A --recall "$entry:5-9" --recall-tokens 10k | head -n 1) == "[$entry tool, lines 5-6 of 6]" ]]
    [[ $(ctx-compact --archive A --recall "$entry:6-" --recall-tokens 10k | head -n 1) == "[$entry tool, lines 6-6 of 6]" ]]
}
