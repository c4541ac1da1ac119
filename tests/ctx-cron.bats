#!/usr/bin/env bats
#
# The jobs that ctx-cron(7) shows, as the page has them: run on sessions of which some are live, some
# broken, some locked.

load helper

page=$ROOT/man/ctx-cron.7

# command PATTERN: the command of a line for crontab, as cron hands it to the shell.
command_of() {
    display "$page" "$1" | sed -E -e 's/^@[a-z]+ //;t' -e 's/^([^ ]+ ){5}//'
}

# cron COMMAND: runs it as cron does.
cron() {
    env -i HOME="$PWD" LOGNAME=nobody SHELL=/bin/sh PATH="$CTX_BIN:/usr/bin:/bin" /bin/sh -c "$1"
}

# long FILE: a session over 64k tokens.
long() {
    awk 'BEGIN {
        print "{\"role\":\"user\",\"content\":\"Go through the logs.\"}"
        while (n++ < 30) {
            printf "{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"c%d\",\"type\":\"function\",\"function\":{\"name\":\"read\",\"arguments\":\"{\\\"path\\\":\\\"log.%d\\\"}\"}}]}\n", n, n
            printf "{\"role\":\"tool\",\"tool_call_id\":\"c%d\",\"content\":\"", n
            for (i = 0; i < 1200; i++) printf "%d of %d, ", i, n
            print "\"}"
        }
        print "{\"role\":\"assistant\",\"content\":\"All is well.\"}" }' >"$1"
}

# sessions: those of many agents.
sessions() {
    local i
    mkdir sessions before
    for ((i = 1; i <= 20; i++)); do
        long "sessions/long-$i.jsonl"
    done
    for ((i = 1; i <= 20; i++)); do
        cp "$FIXTURES/ctx-talk.jsonl" "sessions/short-$i.jsonl"
    done
    { cat sessions/long-1.jsonl; printf '{"role":"user","content":"torn\n'; } >sessions/broken.jsonl
    cat "$FIXTURES/claude-code-session.jsonl" >sessions/foreign.jsonl
    : >sessions/empty.jsonl
    cp sessions/long-1.jsonl sessions/locked.jsonl
    cp sessions/long-1.jsonl sessions/open.jsonl
    cp sessions/long-1.jsonl sessions/live.jsonl
    cp sessions/* before
}

# is_small FILE: it fits the limit.
is_small() {
    ctx-budget --limit 64k --check "$1" >/dev/null || fail "$1 is too large"
}

@test "ctx-cron(7): the line for crontab, on sessions of which some are live, broken or locked" {
    local file i status=0 writer
    command -v flock >/dev/null || skip 'no flock'
    sessions
    command=$(command_of '^17 .*sessions/[*]')
    [[ $command == ctx-compact* ]]
    exec 7<sessions/locked.jsonl 8>>sessions/open.jsonl
    flock 7
    for ((i = 1; i <= 300; i++)); do
        printf '{"n":%d}\n' "$i" >>sessions/live.jsonl
    done &
    writer=$!
    cron "$command" >out 2>said || status=$?
    wait "$writer"
    exec 7<&- 8>&-
    [[ ! -s out ]]
    # The worst is 75, which the job takes for good; what is open is known where there are leases.
    ((status == 0)) || fail "status $status: $(cat said)"
    for file in long-{1..20}; do
        is_small "sessions/$file.jsonl"
    done
    for file in long-{1..20} broken; do
        (($(wc -c <"sessions/$file.jsonl") < $(wc -c <"before/$file.jsonl")))
    done
    for file in short-{1..20} foreign empty locked; do
        cmp "before/$file.jsonl" "sessions/$file.jsonl"
    done
    grep -qx 'ctx-compact: sessions/locked.jsonl: is locked; try again later' said
    grep -q 'foreign.jsonl: no messages; looks like claude-code, try ctx-normalize --from claude-code .*foreign.jsonl >NEW$' said
    grep -q 'broken.jsonl:63: ' said
    [[ $(tail -n 1 sessions/broken.jsonl) == '{"role":"user","content":"torn' ]]
    same 'live lines' <(seq -f '{"n":%.0f}' 300 | sort) <(grep '^{"n"' sessions/live.jsonl | sort)
    same 'files' <(ls -A before) <(ls -A sessions)
    # The next run finds nobody there: all that can be done is done, and the foreign and the broken one remain.
    status_of 1 cron "$command" 2>said
    for file in locked open live; do
        (($(wc -c <"sessions/$file.jsonl") < $(wc -c <"before/$file.jsonl")))
    done
    rm sessions/{foreign,broken}.jsonl
    cron "$command" >out 2>said
    same 'silence' /dev/null said
}

@test "ctx-cron(7): the line with find" {
    sessions
    rm sessions/{broken,foreign}.jsonl
    command=$(command_of '@hourly find')
    [[ $command == find* ]]
    cron "$command" >out 2>said
    same 'silence' /dev/null said
    is_small sessions/long-20.jsonl
    is_small sessions/live.jsonl
}

@test "ctx-cron(7): the line for a night, over an agent's folder of which some files are live, open or broken" {
    local file folder=.codex/sessions/2026/01/02
    mkdir -p "$folder" before
    long canonical
    ctx-normalize --to codex canonical >"$folder/rollout-1.jsonl" 2>/dev/null
    for file in late open broken; do
        cp "$folder/rollout-1.jsonl" "$folder/rollout-$file.jsonl"
    done
    cp "$FIXTURES/codex-session.jsonl" "$folder/rollout-short.jsonl"
    sed -i '20s/^/{/' "$folder/rollout-broken.jsonl"
    : >"$folder/rollout-empty.jsonl"
    touch -d '2 hours ago' "$folder"/*
    touch "$folder/rollout-late.jsonl"
    cp -p "$folder"/* before
    display "$page" 'ctx-normalize "\$1"' >night
    command=$(command_of 'bash night')
    [[ $command == find* && -s night ]]
    exec 8>>"$folder/rollout-open.jsonl"
    cron "$command" >out 2>said || fail "$(cat said)"
    exec 8>&-
    same 'silence' /dev/null out
    ctx-normalize "$folder/rollout-1.jsonl" >small
    is_small small
    (($(wc -c <"$folder/rollout-1.jsonl") < $(wc -c <before/rollout-1.jsonl) / 2))
    for file in late short; do
        cmp "before/rollout-$file.jsonl" "$folder/rollout-$file.jsonl"
    done
    grep -qx "ctx-normalize: $folder/rollout-late.jsonl: was written to in the last 3600 seconds; try again later" said
    grep -q "^ctx-normalize: $folder/rollout-broken.jsonl:20: " said
    ! grep -q rollout-empty said || fail "$(<said)"
    # What was removed is in the archive.
    ! grep -q '600 of 1,' small || fail 'it is not small'
    ctx-recall -F '600 of 1,' night.archive >found
    grep -q '600 of 1,' found
    grep -q "ctx-recall $PWD/night.archive " small
    # The next night finds nothing more to do there.
    cp "$folder/rollout-1.jsonl" once
    touch -d '2 hours ago' "$folder/rollout-1.jsonl"
    cron "$command" >/dev/null 2>&1
    cmp once "$folder/rollout-1.jsonl"
}

@test "ctx-cron(7): systemd takes the service and the timer" {
    command -v systemd-analyze >/dev/null || skip 'no systemd-analyze'
    display "$page" '\[Service\]' >ctx-compact.service
    display "$page" '\[Timer\]' >ctx-compact.timer
    grep -q '^ExecStart=' ctx-compact.service
    grep -q '^OnCalendar=' ctx-compact.timer
    systemd-analyze verify ./ctx-compact.service ./ctx-compact.timer >said 2>&1 || fail "$(cat said)"
    same 'said' /dev/null <(grep 'ctx-compact' said || true)
    systemd-analyze calendar "$(sed -n 's/^OnCalendar=//p' ctx-compact.timer)" >said
    sessions
    command=$(sed -nE "s/^ExecStart=\/bin\/sh -c '(.*)'$/\1/p" ctx-compact.service)
    cron "$command" >out 2>said || (($? == 65))
    is_small sessions/long-1.jsonl
}
