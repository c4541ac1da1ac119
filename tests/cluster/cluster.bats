#!/usr/bin/env bats
#
# GNU parallel and Slurm, run for real on this machine with the scripts and command lines of
# ctx-parallel(7): what they make is what one process makes, and a job that is killed midway neither
# loses nor doubles anything.

load ../helper
load cluster

setup() {
    fresh_directory
}

teardown() {
    exec 9>&-
    stop_slurm
    no_leftovers
}

# needs TOOL...: skips the test where one is lacking.  moreutils has another parallel.
needs() {
    local tool
    for tool; do
        command -v "$tool" >/dev/null || skip "needs $tool"
        [[ $tool != parallel ]] || parallel --version 2>/dev/null | grep -q GNU || skip "needs GNU parallel"
    done
}

# run_as_shown PATTERN: runs the command lines of the page that have it, in bash.
run_as_shown() {
    # Its notice about citations is for people.
    bash -o pipefail -c "parallel() { command parallel --will-cite \"\$@\"; }; $(display "$page" "$1" | grep -- "$2")" 3>&- 9>&-
}

lines() {
    local i
    for i in {1..40}; do
        session "$i" "$((i % 8 ? 30 : 1000))" | ctx-normalize --to openai --array
    done >big.jsonl
    script each-session
    ./each-session <big.jsonl >want.jsonl
    [[ $(wc -l <want.jsonl) == 40 ]]
    ! cmp -s big.jsonl want.jsonl || fail 'nothing is compacted'
}

@test "parallel, a session a file: what one process writes" {
    needs parallel
    sessions 12
    script compact-one
    run_as_shown 'parallel --joblog' '^parallel --joblog jobs ./comp'
    all_is_there
    same 'part' /dev/null <(ls part)
}

@test "parallel, a session a file: a job that is killed midway is run again by the list of jobs" {
    needs parallel
    local status=0
    sessions 6
    script compact-one
    stall sessions/3.jsonl
    bash -c "$(display "$page" 'parallel --joblog' | grep '^parallel --joblog jobs ./comp' | sed 's/parallel/& --will-cite/')" 3>&- 9>&- &
    local all=$!
    kill_reader sessions/3.jsonl
    wait "$all" || status=$?
    ((status == 1))
    [[ ! -e out/3.jsonl ]]
    unstall sessions/3.jsonl
    run_as_shown 'parallel --joblog' '--resume-failed'
    all_is_there
    # What was there was not done again.
    [[ $(grep -c 'compact-one' jobs) == 7 ]]
}

@test "parallel, a session a line: what one process writes, wherever the file is divided" {
    needs parallel
    local size
    lines
    for size in 1k 100k 10M; do
        bash -c "$(display "$page" '<big.jsonl' | sed "s/10M/$size/; s/parallel/& --will-cite/")" 3>&- 9>&-
        same "$size" want.jsonl small.jsonl
    done
}

@test "parallel, a session a line: a job that is killed midway is run again" {
    needs parallel
    lines
    # The first run of the third part waits for its end, when a line is written.
    mv each-session of-the-page
    cat >each-session <<'END'
#!/bin/bash
if [ "$PARALLEL_SEQ" = 3 ] && mkdir once 2>/dev/null; then
    head -n 1 | ./of-the-page
    kill -KILL $$
fi
exec ./of-the-page
END
    chmod +x each-session
    bash -c "$(display "$page" '<big.jsonl' | sed "s/10M/100k/; s/parallel/& --will-cite/")" 3>&- 9>&-
    [[ -d once ]]
    same 'all lines' want.jsonl small.jsonl
}

@test "xargs, a session a file: what one process writes, in place and in a directory" {
    local name
    sessions 12
    script compact-one
    cp -r sessions in-place
    bash -c "$(display "$page" 'xargs' | grep '^printf')" 3>&-
    all_is_there
    rm -r sessions
    mv in-place sessions
    bash -c "$(display "$page" 'find sessions.*print0')" 3>&-
    while read -r name; do
        ctx-compact --limit 32k "${name/#/sessions/}" | cmp - "sessions/$name"
    done <names
}

@test "in place: a process that is killed midway leaves the session, and the next run does it" {
    sessions 2
    cp sessions/1.jsonl before
    ctx-compact --limit 32k before >after
    ctx-compact -i --limit 32k --before-compact 'echo $PPID >pid.part && mv pid.part pid && exec sleep 600' \
        sessions/1.jsonl 3>&- 9>&- &
    local one=$!
    wait_until test -e pid
    # shellcheck disable=SC2046
    kill -KILL "$one" $(ps -o pid= --ppid "$one")
    status_of 137 wait "$one"
    cmp before sessions/1.jsonl
    ctx-compact -i --limit 32k sessions/1.jsonl
    cmp after sessions/1.jsonl
    same 'names' names <(ls sessions)
}

@test "Slurm, an array of jobs: what one process writes" {
    needs slurmctld slurmd munged sbatch
    sessions 12
    script compact-one
    script compact-some
    start_slurm
    bash -c "$(display "$page" 'sbatch --wait')" 3>&- 9>&-
    all_is_there
}

@test "Slurm, an array of jobs: one that is killed midway is run again alone" {
    needs slurmctld slurmd munged sbatch
    local status=0
    sessions 8
    script compact-one
    script compact-some
    stall sessions/3.jsonl
    start_slurm
    bash -c "$(display "$page" 'sbatch --wait' | sed 's/find.*/printf "sessions\/%s\\n" $(<names) >list/')" >said 3>&- 9>&- &
    local all=$!
    wait_until reader_of sessions/3.jsonl
    # All of the job, as when its machine fails.
    scancel --signal=KILL --full "$(sed -n 's/.* \([0-9]*\)$/\1/p' said)_3"
    wait "$all" || status=$?
    ((status != 0))
    [[ ! -e out/3.jsonl ]]
    unstall sessions/3.jsonl
    bash -c "$(sed -n 's/^\.Li \(sbatch --array=3.*\) \./\1/p' "$page" | sed 's/sbatch/& --wait/')" 3>&- 9>&-
    all_is_there
}

@test "parallel, lines for fine-tuning: their sessions are told apart, and what one process writes" {
    needs parallel
    local i
    for i in {1..40}; do
        session "$i" 300 | jq -sc '{messages: .}'
    done >tuning.jsonl
    script views
    ./views <tuning.jsonl >want.jsonl
    [[ $(jq .metadata.session_id want.jsonl | sort -u | wc -l) == 40 ]]
    bash -c "$(display "$page" 'tuning.jsonl' | sed 's/10M/100k/; s/parallel/& --will-cite/')" 3>&- 9>&-
    cmp want.jsonl views.jsonl
    # As each session alone.
    while IFS= read -r line; do ctx-normalize <<<"$line" | ctx-isolate | ctx-project; done <tuning.jsonl | cmp - want.jsonl
}

@test "parallel, ShareGPT conversations: two halves make the sessions of the whole" {
    needs parallel
    local i
    for i in {1..40}; do
        # The last call has no result, and a result of the next conversation has its id.
        jq -cn --arg i "$i" '{conversations: [{from: "observation", value: "late", tool_call_id: "call_1"},
            {from: "human", value: ("u " + $i)}, {from: "function_call", value: "{\"name\":\"f\"}"}]}'
    done >talks.jsonl
    ctx-normalize talks.jsonl >want.jsonl
    [[ $(jq -r .metadata.session_id want.jsonl | sort -u | wc -l) == 40 ]]
    parallel --will-cite -k --pipe -N 20 ctx-normalize <talks.jsonl 3>&- 9>&- | cmp - want.jsonl
    while IFS= read -r line; do ctx-normalize <<<"$line"; done <talks.jsonl | cmp - want.jsonl
}
