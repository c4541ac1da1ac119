#!/usr/bin/env bats
#
# What ctx-compact tells others of its work: the list of changes, and the commands that it asks or
# calls.

load helper

compact='ctx-compact --estimator bytes/4'

# session FILE: one that --window 4k makes smaller.
session() {
    cat "$FIXTURES/compact-gauge.jsonl" >"$1"
}

# The list of changes made anew, by jq, from what was read and what was written: it knows no rule, but
# which messages there were and which there are.
expected_changes() {
    # shellcheck disable=SC2016
    jq -n -c --slurpfile old "$1" --slurpfile new "$2" '
        ($new | map({key: tostring, value: true}) | from_entries) as $stays |
        [range($old | length) | select($stays[$old[.] | tostring] | not) | . + 1],
        ($new - $old | map(select(.metadata.kind == "summary")) | length)'
}

@test "ctx-compact --changes: a line for each message that is another one, or gone, and for no other" {
    local window
    session log
    for window in 1k 2k 4k 100k; do
        $compact --window "$window" --changes changes log >small
        {
            jq -n -c '[inputs.line | numbers]' changes
            jq -s -c 'map(select(.line == null)) | length' changes
        } >actual
        expected_changes log small >want
        same "changes at $window" want actual
    done
    [[ ! -s changes ]] || fail 'nothing was due at 100k'
}

@test "ctx-compact --changes: what, by which rule and why, with the tokens before and after" {
    session log
    spec <<END
ctx-compact --window 4k --changes changes log >small; cat changes
>>> {"line":4,"role":"tool","tool":"read","action":"dedupe","rule":"stale","reason":"stale","tokens_before":605,"tokens_after":14}
>>> {"line":6,"role":"tool","tool":"bash","action":"dedupe","rule":"retried","reason":"retried","tokens_before":1447,"tokens_after":25}
>>> {"line":14,"role":"tool","tool":"read","action":"prune","rule":"shortened","reason":"long","tokens_before":1870,"tokens_after":929}
>>> {"line":15,"role":"assistant","tool":"write","action":"prune","rule":"shortened","reason":"long","tokens_before":1333,"tokens_after":495}
>>>+ changes
>>>+ small
END
}

@test "ctx-compact --changes: a line that is too long is one line" {
    session log
    $compact --window 4k --changes changes log >small
    { head -c 1000000 /dev/zero | tr '\0' x; echo; cat log; } >long
    status_of 65 $compact --max-line 16k --window 4k --changes later long >small 2>said
    jq -c '.line += 1' changes | cmp - later
}

@test "ctx-compact --changes: the tokens sum up to those of the report, and the rules to its counts" {
    session log
    $compact --window 1k --report report --changes changes log >small
    jq -s -c '[(map(.tokens_before - .tokens_after) | add), (map(select(.rule == "summarized")) | length)]' changes >sums
    jq -c '[.tokens_before - .tokens_after, .summarize.summarized]' report | cmp - sums
}

@test "ctx-compact --changes: a message's id stands there as it is spelled, also when it is hostile" {
    printf '%s\n' '{"role":"user","content":"go"}' >log
    for i in 1 2 3 4 5 6; do
        printf '{"role":"assistant","content":"%0400d","metadata":{"id":"a\\u000a\\"%d"}}\n' "$i" "$i" >>log
        printf '{"role":"user","content":"on","metadata":{"id":%d}}\n' "$i" >>log
    done
    $compact --force --target 1 --keep-turns 0 --changes changes log >small
    jq -r 'select(.role == "assistant") | .id' changes | grep -q '^"[1-6]$'
    ! jq -e -s 'any(.role == "user" and has("id"))' changes >/dev/null || fail 'an id that is no string'
}

@test "ctx-compact --changes: with --archive each line has the key that brings its message back" {
    local key line count=0
    session log
    ctx-compact --window 1k --archive archive --changes changes log >small
    while IFS=$'\t' read -r line key; do
        ctx-recall archive "$key" >said
        if [[ $line != null ]]; then
            sed -n "${line}p" log | jq -j -c . | cmp - <(grep "\"key\":\"$key\"" archive | jq -j -c .record)
        fi
        count=$((count + 1))
    done < <(jq -r '[.line, .archived] | map(tostring) | @tsv' changes)
    ((count == 15)) || fail "$count keys"
    # what an artifact was before it is brought up to date is archived, too
    { cat small; tail -n 20 log | sed 's/"c\([0-9]*\)"/"d\1"/g'; } >grown
    ctx-compact --window 1k --archive archive --changes changes grown >smaller
    jq -e -s 'any(.action == "update" and (.archived | length == 32))' changes >said
}

@test "ctx-compact --changes: budget records are no messages" {
    session log
    ctx-budget --estimator bytes/4 --window 4k log >with
    $compact --changes changes with >small
    ! jq -e 'select(.role == null)' changes || fail 'a line without role'
    (($(wc -l <changes) == 2))
}

@test "ctx-isolate --changes: a line for each message that is another one, or gone" {
    session log
    ctx-isolate --execution none --archive archive --changes changes log >small
    jq -n -c '[inputs.line]' changes >actual
    # what was replaced is another message, and what went is none
    jq -n -c --slurpfile old log --slurpfile new small \
        '($new | map({key: tostring, value: true}) | from_entries) as $stays |
        [range($old | length) | select($stays[$old[.] | tostring] | not) | . + 1]' | cmp - actual
    jq -e -s 'length == 10 and all(.archived | length == 32)' changes >said
    ctx-isolate --execution none --changes changes log >plain
    jq -e -s '(map(.tokens_before - .tokens_after) | add) > 1000 and all(has("archived") | not)' changes >said
    ctx-isolate --execution none log | cmp - plain
    ctx-isolate --policy transparent --changes changes log | cmp - log
    [[ ! -s changes ]]
}

@test "ctx-compact --changes: many files follow one another, each line with its file" {
    session a
    session b
    echo 'what was there before' >changes
    $compact -i --window 4k --changes changes --report report a b missing 2>said || (($? == 66))
    [[ $(jq -r .file changes | uniq -c | tr -s ' ') == $' 2 a\n 2 b' ]]
}

@test "ctx-compact -i: report and list of changes begin empty, also when the first file cannot be read" {
    session b
    echo 'what was there before' >changes
    cp changes report
    $compact -i --window 4k --changes changes --report report missing b 2>said || (($? == 66))
    [[ $(jq -r .file changes | sort -u) == b ]]
    [[ $(jq -r .file report) == b ]]
}

@test "ctx-compact --changes, --report: what an earlier run left does not pass for a run that is stopped" {
    printf '#!/bin/sh\nexit 3\n' >nof
    chmod +x nof
    stops() {
        local status=$1
        shift
        session a
        session b
        echo 'an earlier run' | tee changes >report
        status_of "$status" $compact --window 2k --changes changes --report report "$@" >out 2>said
        [[ -f changes && -f report ]]
        [[ ! -s changes && ! -s report && ! -s out ]] || fail "$*: $(cat changes report)"
        cmp a "$FIXTURES/compact-gauge.jsonl"
        cmp b a
    }
    stops 75 --before-compact 'exit 75' a
    stops 75 -i --before-compact 'exit 75' a b
    stops 69 --before-compact 'exit 3' a
    stops 69 -i --before-compact 'exit 3' a b
    stops 69 --decide 'exit 3' a
    stops 69 -i --decide 'exit 3' a b
    stops 69 --pipeline dedupe,./nof a
    stops 69 -i --pipeline dedupe,./nof a b
    stops 69 --window 1k --summarizer 'exit 3' a
    stops 69 -i --window 1k --summarizer 'exit 3' a b
    stops 73 --archive missing/archive a
    stops 73 -i --archive missing/archive a b
    # what a command reads of them is none of an earlier run either
    echo 'an earlier run' | tee changes >report
    $compact --window 2k --changes changes --report report --before-compact 'cat changes report >seen' a >out
    [[ -s changes && -s report && -f seen && ! -s seen ]]
}

@test "ctx-compact --changes, --report: a wrong command line and a missing file leave what is there" {
    session log
    leaves() {
        local status=$1
        shift
        status_of "$status" $compact --changes changes --report report "$@" >out 2>said
        cmp kept changes
        cmp kept report
    }
    echo 'an earlier run' | tee changes report >kept
    leaves 64 --window 2k --decide '' log
    leaves 64 --window 2k --soft 50% --target 60% log
    leaves 64 --window 2k --soft 50% --target 60% -i log
    leaves 64 --window 2k --archive changes log
    leaves 66 --window 2k missing
    leaves 66 --window 2k -i missing
    # diagnostics that go to the report stay
    { echo '{torn'; cat log; } >torn
    status_of 75 $compact --window 2k --report both --before-compact 'exit 75' torn >out 2>both
    [[ $(head -n 1 both) == 'ctx-compact: torn:1:'* ]]
    grep -q 'says not now' both
    # the list of a file that was replaced stays when another is not
    session other
    # shellcheck disable=SC2016
    status_of 75 $compact -i --window 2k --changes changes --report report \
        --before-compact 'test "$CTX_OLD_FILE" = log || exit 75' log other 2>said
    [[ $(jq -r .file changes | sort -u) == log && $(jq -r .file report) == log ]]
}

@test "ctx-compact --changes: it tells what was to be done when the output then fails" {
    [[ -e /dev/full ]] || skip 'no /dev/full'
    session log
    $compact --window 2k --changes want log >small
    echo 'an earlier run' | tee changes >report
    status_of 74 $compact --window 2k --changes changes --report report log >/dev/full 2>said
    cmp want changes
    [[ ! -s report ]]
    # shellcheck disable=SC2016
    status_of 75 $compact -i --window 2k --changes changes --report report \
        --before-compact 'echo >"$CTX_OLD_FILE"' log 2>said
    jq -c 'del(.file)' changes | cmp want -
    jq -e '.changed > 0' report
}

@test "ctx-compact --changes: nothing was changed where nothing was written, but by the plan" {
    session log
    echo 'what was there before' >changes
    status_of 1 $compact --window 60 --changes changes log >small 2>said
    [[ ! -s changes && ! -s small ]]
    status_of 1 $compact --window 60 --best-effort --changes changes log >small 2>said
    [[ -s changes && -s small ]]
    $compact --window 4k --plan --changes planned log >plan
    $compact --window 4k --changes changes log >small
    cmp planned changes
    { cat log; echo '{torn'; cat log; } >torn
    status_of 65 $compact -i --bad-lines=stop --window 4k --changes changes torn 2>said
    [[ ! -s changes ]]
}

@test "ctx-compact --changes: what cannot be written leaves the output unwritten and the file as it was" {
    [[ -e /dev/full ]] || skip 'no /dev/full'
    session log
    cp log before
    spec <<END
$compact --window 4k --changes /dev/full log
>>>2 ctx-compact: cannot write to /dev/full: No space left on device
>>>= 74
END
    spec <<END
$compact -i --window 4k --changes /dev/full log
>>>2 ctx-compact: log: cannot write to /dev/full: No space left on device
>>>= 74
END
    cmp before log
    spec <<END
$compact --window 4k --changes missing/changes log
>>>2 ctx-compact: cannot create 'missing/changes': No such file or directory
>>>= 73
END
}

@test "ctx-compact --changes: it is no input, no other output, and no name that a file gets" {
    session log
    refuses() {
        status_of 64 $compact --window 4k "$@" >out 2>said
        grep -qF -- "$want" said || fail "$(cat said)"
        cmp log "$FIXTURES/compact-gauge.jsonl"
    }
    want="'log' is an input file" refuses --changes log log
    want='--report and --changes are one file' refuses --report r --changes ./r log
    want='--bad-file and --changes are one file' refuses --bad-file r --changes ./r log
    want='--archive and --changes are one file' refuses --archive r --changes ./r log
    want="'.log.ctx-new' is a name that --in-place needs" refuses -i --changes .log.ctx-new log
    : >same
    status_of 64 $compact --changes same log >same 2>said
    grep -q -- '--changes and standard output are one file' said
}

# record OPTION...: what ctx-budget says of the log.
record() {
    ctx-budget "$@" log | jq -c 'select(.type == "budget")' | tail -n 1
}

@test "ctx-compact --decide: the command gets the budget record that ctx-budget would write" {
    local -a how=('--window 4k' '--limit 100k' '--model gpt-4o' '--window 4k --estimator bytes/4'
        '--max-messages 5 --max-steps 1' '--estimator calibrated --window 6k')
    local options
    session log
    for options in "${how[@]}"; do
        # shellcheck disable=SC2086
        ctx-compact $options --decide 'jq -c . >record; exit 1' log 2>said >out
        cmp log out
        # shellcheck disable=SC2086
        record $options 2>said >want
        same "$options" want record
    done
}

@test "ctx-compact --decide: with 0 it is time, whatever the budget says, down to the target" {
    session log
    $compact --target 1500 --report report --decide 'cat >/dev/null' log >small
    jq -e '.tokens_after <= 1500 and .target_met' report >said
    $compact --target 1500 log 2>said | cmp - log
    # what fits the target needs no change
    $compact --target 50k --decide true log | cmp - log
}

@test "ctx-compact --decide: with 1 the stream leaves as it came, also when it is over its budget" {
    session log
    ctx-budget --window 60 log >with
    for file in log with; do
        spec <<END
ctx-compact --window 60 --decide false --report report $file | cmp - $file
>>>+ report
END
        jq -e '.status == 0 and .deferred == "decided" and .budget_met == false and .changed == 0' report >said
    done
    spec <<'END'
ctx-compact -v --window 60 --decide false log >/dev/null
>>>2 ctx-compact: 24 records, 24 messages in; 24 messages out, 0 changed; 0 records added; --decide says not yet
END
    cp log before
    inode=$(stat -c '%i %Y %Z' log)
    ctx-compact -i --window 4k --decide false --archive archive log
    [[ $(stat -c '%i %Y %Z' log) == "$inode" && ! -s archive ]]
    # an old record stays as it is
    sed 's/"compact":true/"compact": true/' with >odd
    ctx-compact --decide false odd | cmp - odd
}

@test "ctx-compact --decide, --at-boundary: both must agree" {
    session log
    printf '%s\n' '{"role":"user","content":"on"}' '{"role":"assistant","tool_calls":[{"id":"z","function":{"name":"f"}}]}' >>log
    $compact --window 8k --target 1k --decide true --at-boundary log | cmp - log
    $compact --window 8k --target 1k --decide true log >small
    (($(wc -c <small) < $(wc -c <log)))
}

@test "ctx-compact --decide, --before-compact: any other status is 69, and nothing is written" {
    local option command
    session log
    cp log before
    for option in --decide --before-compact; do
        for command in 'exit 2' 'no-such-command-here' 'kill -9 $$' 'exit 255' 'echo reason >&2; exit 74'; do
            status_of 69 $compact --window 4k --archive archive --changes changes --report report \
                "$option" "$command" log >out 2>said
            [[ ! -s out && ! -e archive && ! -e changes && ! -e report ]]
            grep -qF "ctx-compact: '$command' " said
            status_of 69 $compact -i --window 4k --archive archive --changes changes --report report \
                "$option" "$command" log >out 2>said
            [[ ! -s out && ! -e archive && ! -e changes && ! -e report ]]
            cmp before log
        done
        grep -q "^ctx-compact: log: 'echo reason >&2; exit 74' failed with status 74: reason$" said
    done
    status_of 69 $compact --window 4k --before-compact 'exit 1' log >out 2>said
    status_of 69 $compact --window 4k --decide 'exit 75' log >out 2>said
    [[ ! -s out ]]
}

@test "ctx-compact --command-timeout: a command that does not end is ended, and what it started" {
    session log
    for option in --decide --before-compact; do
        spec <<END
$compact --window 4k --command-timeout 1s $option 'sleep 20; :' log
>>>2 ctx-compact: 'sleep 20; :' was not done after 1 second
>>>= 69
END
    done
    spec <<END
$compact --window 4k --command-timeout 1s --on-compact 'yes' log >small
>>>2 ctx-compact: 'yes' was not done after 1 second
>>>= 69
>>>+ small
END
    $compact --window 4k log | cmp - small
}

@test "ctx-compact --before-compact: the command gets the lines of --plan" {
    local window
    session log
    ctx-budget --window 4k log >with
    for window in 1k 4k; do
        for file in log with; do
            ctx-compact --window $window --plan "$file" >want
            ctx-compact --window $window --before-compact 'cat >plan' "$file" >small
            cmp want plan
            ctx-compact --window $window "$file" | cmp - small
        done
    done
    status_of 1 ctx-compact --window 60 --best-effort --plan log >want 2>said
    status_of 1 ctx-compact --window 60 --best-effort --before-compact 'cat >plan' log >small 2>said
    cmp want plan
}

@test "ctx-compact --before-compact: with 75 nothing is written, and the diagnostic says why" {
    session log
    cp log before
    spec <<END
$compact --window 4k --archive archive --changes changes --report report \
    --before-compact 'cat >/dev/null; echo first >&2; echo a backup runs >&2; exit 75' log
>>>2 ctx-compact: 'cat >/dev/null; echo first >&2; echo a backup runs >&2; exit 75' says not now: a backup runs
>>>= 75
END
    spec <<END
$compact -i --window 4k --archive archive --changes changes --before-compact 'exit 75' --on-compact 'touch ran' log
>>>2 ctx-compact: log: 'exit 75' says not now
>>>= 75
END
    cmp before log
}

@test "ctx-compact --on-compact: the command gets the report, and files of the old and the new messages" {
    session log
    cp log before
    ctx-compact --window 4k --report report --on-compact \
        'cat >told; cp "$CTX_FILE" new; cp "$CTX_OLD_FILE" old; stat -c %a "$CTX_FILE" "$CTX_OLD_FILE" >modes
        printf "%s\n" "$CTX_FILE" "$CTX_OLD_FILE" >names' log >small
    cmp report told
    cmp small new
    cmp before old
    [[ $(uniq modes) == 600 ]]
    [[ $(wc -l <told) == 1 ]]
    while IFS= read -r name; do
        [[ $name == "$TMPDIR"/ctx-???????????????? && ! -e $name ]]
    done <names
    no_leftovers
    # in place, the file is the file
    ctx-compact -i --window 4k --on-compact \
        'cat >told; cmp "$CTX_FILE" small && cmp "$CTX_OLD_FILE" before && printf "%s\n" "$CTX_FILE" >names' log
    [[ $(cat names) == log ]]
    jq -e '.file == "log" and .status == 0' told >said
}

@test "ctx-compact --on-compact: the copies are the stream byte for byte, whatever is in it" {
    local option
    {
        printf '\xef\xbb\xbf'
        sed -n 1,3p "$FIXTURES/compact-gauge.jsonl" | sed 's/$/\r/'
        printf '\n{torn\n  \n\xff\xfe\n'
        sed -n '4,$p' "$FIXTURES/compact-gauge.jsonl"
        head -c 200000 /dev/zero | tr '\0' '['
        printf '\n{"type":"note"}\n\0\n{"role":"user","content":"last"}'
    } >log
    for option in --bad-lines=keep '--bad-lines=drop --bad-file bad'; do
        rm -f new old
        # shellcheck disable=SC2086
        status_of 65 $compact --limit 3k --max-line 64k $option \
            --on-compact 'cp "$CTX_FILE" new; cp "$CTX_OLD_FILE" old' log >small 2>said
        cmp small new
        cmp log old
    done
    { cat "$FIXTURES/compact-gauge.jsonl"; echo '{torn'; cat log; } >later
    status_of 65 $compact --limit 3k --bad-lines=stop \
        --on-compact 'cp "$CTX_FILE" new; cp "$CTX_OLD_FILE" old' later >small 2>said
    cmp small new
    cmp old "$FIXTURES/compact-gauge.jsonl" # what was read
}

@test "ctx-compact --before-compact, --on-compact: they do not run when nothing would change" {
    session log
    for how in '--window 100k' '--window 8k --soft 5k --min-gain 50k' '--window 4k --decide false'; do
        # shellcheck disable=SC2086
        ctx-compact $how --before-compact 'touch ran' --on-compact 'touch ran' log >out 2>said || (($? == 1))
        cmp log out
        # shellcheck disable=SC2086
        ctx-compact -i $how --before-compact 'touch ran' --on-compact 'touch ran' log 2>said || (($? == 1))
    done
    status_of 1 ctx-compact --window 60 --before-compact 'touch ran' --on-compact 'touch ran' log 2>said
    { cat log; echo '{torn'; cat log; } >torn
    status_of 65 ctx-compact -i --bad-lines=stop --window 4k --before-compact 'touch ran' --on-compact 'touch ran' torn 2>said
    status_of 66 ctx-compact -i --window 4k --before-compact 'touch ran' --on-compact 'touch ran' missing 2>said
    [[ ! -e ran ]]
    ctx-compact --window 4k --before-compact 'touch before' --on-compact 'touch on' log >out
    [[ -e before && -e on ]]
}

@test "ctx-compact --on-compact: when it fails, what was written stays, and the status is 69" {
    session log
    $compact --window 4k log >want
    spec <<END
$compact --window 4k --on-compact 'echo no mail >&2; exit 75' log | cmp - want
>>>2 ctx-compact: 'echo no mail >&2; exit 75' failed with status 75: no mail
>>>= 69
END
    spec <<END
$compact -i --window 4k --on-compact 'exit 1' log
>>>2 ctx-compact: log: 'exit 1' failed with status 1
>>>= 69
END
    cmp want log
    # the worse status is that of the program
    { cat "$FIXTURES/compact-gauge.jsonl"; echo '{torn'; } >torn
    status_of 69 $compact -i --window 4k --on-compact 'exit 1' torn 2>said
    status_of 1 $compact --window 60 --best-effort --on-compact 'grep -q "\"status\":1" || exit 9' want >out 2>said
}

@test "ctx-compact: commands of events may print as much as they like, and read nothing" {
    session log
    $compact --window 4k log >want
    spec <<END
$compact --window 4k --decide 'exec <&-; head -c 3000000 /dev/zero' --before-compact 'exec <&-; echo heard; echo said >&2' \
    --on-compact 'exec <&-; head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2' log | cmp - want
END
}

@test "ctx-compact: commands of events see names of files, and nothing of the transcript" {
    session log
    export CTX_FILE=inherited CTX_OLD_FILE=inherited
    # shellcheck disable=SC2016
    show='{ env; tr "\0" "\n" </proc/$PPID/cmdline; cat /proc/$$/cmdline; } >>seen; env | grep "^CTX_.*FILE=" | sort >>files'
    ctx-compact --window 1k --decide "$show" --before-compact "$show" --on-compact "$show" log >small
    [[ $(sed "s,=$TMPDIR/ctx-[0-9a-f]*$,=copy," files | tr '\n' ' ') == \
    'CTX_FILE= CTX_OLD_FILE=copy CTX_FILE= CTX_OLD_FILE=copy CTX_FILE=copy CTX_OLD_FILE=copy ' ]]
    ! grep -a -e gauge_height -e 'chart datum' seen || fail 'the transcript was told'
    rm files
    cp log ./-n
    ctx-compact --in-place --window 1k --decide "$show" --before-compact "$show" --on-compact "$show" -- -n
    [[ $(sed "s,=$TMPDIR/ctx-[0-9a-f]*$,=copy," files | tr '\n' ' ') == \
    'CTX_FILE= CTX_OLD_FILE=./-n CTX_FILE= CTX_OLD_FILE=./-n CTX_FILE=./-n CTX_OLD_FILE=copy ' ]]
}

@test "ctx-compact: --decide and --before-compact can read the messages, in a stream and of each session" {
    session log
    # shellcheck disable=SC2016
    cat log | ctx-compact --window 1k --decide 'cp "$CTX_OLD_FILE" decided' --before-compact 'cp "$CTX_OLD_FILE" asked' >small
    cmp log decided
    cmp log asked
    cmp -s log small && fail 'nothing was compacted'
    # An answer that needs the messages.
    ctx-compact --window 1k --decide 'grep -q "no such word" "$CTX_OLD_FILE"' log | cmp - log
    { jq -c '.metadata.session_id = "a"' log; jq -c '.metadata.session_id = "b"' log; } >both
    # shellcheck disable=SC2016
    ctx-compact --window 1k --session-key metadata.session_id --decide 'cat "$CTX_OLD_FILE" >>each' both >small
    cmp both each
    cp both file
    rm each
    # shellcheck disable=SC2016
    ctx-compact -i --window 1k --session-key metadata.session_id --decide 'cat "$CTX_OLD_FILE" >>each' file
    cmp both each
    cmp small file
    same 'nothing is left' <(:) <(ls "$TMPDIR")
}

@test "ctx-compact -i: the file is locked while it is asked, and free when it is told" {
    command -v flock >/dev/null || skip 'no flock'
    session log
    # shellcheck disable=SC2016
    ctx-compact -i --window 4k --decide '! flock -n "$CTX_OLD_FILE" true' \
        --before-compact '! flock -n "$CTX_OLD_FILE" true' \
        --on-compact 'flock -n "$CTX_FILE" sh -c "echo {\\\"role\\\":\\\"user\\\",\\\"content\\\":\\\"late\\\"} >>log"' log
    [[ $(tail -n 1 log) == '{"role":"user","content":"late"}' ]]
    # shellcheck disable=SC2016
    ctx-compact -i --limit 1500 --on-compact 'ctx-compact -i --limit 1200 "$CTX_FILE"' log
    ctx-budget --limit 1200 --check log >said
}

@test "ctx-compact -i: each file has its own events, and one veto holds up no other" {
    session a
    session b
    session c
    # shellcheck disable=SC2016
    status_of 75 ctx-compact -i --window 4k --before-compact '[ "$CTX_OLD_FILE" != b ] || exit 75' \
        --on-compact 'echo "$CTX_FILE" >>told' a b c 2>said
    [[ $(tr '\n' ' ' <told) == 'a c ' ]]
    cmp b "$FIXTURES/compact-gauge.jsonl"
    cmp a c
}

@test "ctx-compact --on-compact: it does not run when the stream could not be written" {
    session log
    [[ ! -e /dev/full ]] || status_of 74 $compact --window 4k --on-compact 'touch ran' log >/dev/full 2>said
    status_of 74 $compact --window 4k --on-compact 'touch ran' log >&- 2>said
    # the reader left, by the signal or without it; what is written fits into no pipe
    for i in {1..400}; do
        printf '{"role":"user","content":"%05000d"}\n{"role":"assistant","content":"ok"}\n' "$i"
    done >long
    { $compact --limit 400k --on-compact 'touch ran' long 2>said || echo $? >status; } | true
    [[ $(cat status) == 141 && ! -s said ]]
    ( trap '' PIPE; $compact --limit 400k --on-compact 'touch ran' long 2>said || echo $? >status ) | true
    [[ $(cat status) == 141 && ! -s said ]]
    [[ ! -e ran ]]
    no_leftovers
}

@test "ctx-compact --on-compact: without room for the copies nothing is written" {
    session log
    cp log before
    export TMPDIR=$PWD/missing
    spec <<END
$compact --window 4k --archive archive --on-compact 'touch ran' log
>>>2 ctx-compact: cannot create a copy for the commands in '$TMPDIR': No such file or directory
>>>= 73
END
    mkdir missing
    # as on a full disk: a file has at most 4 kB
    spec <<END
(ulimit -f 4; $compact --window 4k --archive archive --on-compact 'touch ran' log)
>>>2 ctx-compact: cannot write to the copy for the commands: File too large
>>>= 74
END
    spec <<END
(ulimit -f 4; $compact -i --window 4k --archive archive --on-compact 'touch ran' log)
>>>2 ctx-compact: log: cannot write to the copy for the commands: File too large
>>>= 74
END
    cmp before log
    rmdir missing
}

# wait_for FILE: until it is there.
wait_for() {
    local i
    for ((i = 0; i < 500; i++)); do
        [[ ! -e $1 ]] || return 0
        sleep 0.02
    done
    fail "no $1"
}

@test "ctx-compact: a signal while a command runs ends both, and leaves no temporary file" {
    local pid
    session log
    cp log before
    for option in --decide --before-compact --on-compact; do
        rm -f runs
        ctx-compact -i --window 4k $option 'touch runs; sleep 30 & wait' log 2>said 3>&- &
        pid=$!
        wait_for runs
        if [[ $option != --on-compact ]]; then
            cmp before log
        fi
        kill -TERM $pid
        status_of 143 wait $pid
        no_leftovers
        same 'files' <(printf '%s\n' before log runs said) <(ls -A)
    done
    # it was replaced before that
    ctx-compact --window 4k before | cmp - log
    ! pgrep -f 'sleep 30 & wait' || fail 'the command still runs'
}

@test "ctx-compact: commands of events on a wrong command line" {
    session log
    refuses() {
        status_of 64 ctx-compact "$@" log >out 2>said
        grep -qF -- "$want" said || fail "$(cat said)"
        [[ ! -s out ]]
    }
    want='--plan cannot be combined with --before-compact' refuses --plan --before-compact true
    want='--plan cannot be combined with --on-compact' refuses --plan --on-compact true
    want='--decide cannot be combined with --force' refuses --force --decide true
    for option in --decide --before-compact --on-compact --summarizer; do
        for none in '' ' ' $'\t '; do
            want=" of $option, expected a command" refuses --window 4k "$option" "$none"
        done
    done
    ctx-compact --window 4k --plan --decide false log >plan
    ! grep -v '"action":"keep"' plan || fail 'a plan of what is put off'
}

@test "ctx-compact -i: what a command does to the file: lines it appends stay, another change is 75 and no event" {
    session log
    # shellcheck disable=SC2016
    ctx-compact -i --window 4k --before-compact 'echo "{\"role\":\"user\",\"content\":\"late\"}" >>"$CTX_OLD_FILE"' log
    [[ $(tail -n 1 log) == '{"role":"user","content":"late"}' ]]
    session log
    # shellcheck disable=SC2016
    spec <<'END'
ctx-compact -i --window 4k --before-compact 'echo >"$CTX_OLD_FILE"' --on-compact 'touch ran' log
>>>2 ctx-compact: log: was changed meanwhile; try again later
>>>= 75
END
    [[ $(wc -c <log) == 1 ]]
}
