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
>>> {"line":14,"role":"tool","tool":"read","action":"prune","rule":"shortened","reason":"long","tokens_before":1870,"tokens_after":725}
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
        ctx-compact --archive archive --recall "$key" >said
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
