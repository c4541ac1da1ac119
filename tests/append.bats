#!/usr/bin/env bats
#
# ctx-route --append: a log that many programs append to, and what is on the disk once it is said to be.

load helper
load dialogue

route='ctx-route --append log'

teardown() {
    [[ -z ${writer-} ]] || kill "$writer" 2>/dev/null || true
    no_leftovers
}

# opens [OPTION...]: a writer that reads descriptor 7 for as long as the test writes to it; out has
# what it has acknowledged.
opens() {
    : >out # the writer comes to it late, and what another one left is no answer of its own
    mkfifo pipe
    $route "$@" <pipe >out 2>said 3>&- &
    writer=$!
    exec 7>pipe
}

# acknowledged N: waits until out has so many lines.
acknowledged() {
    local i
    for ((i = 0; i < 500; i++)); do
        (($(wc -l <out) < $1)) || return 0
        sleep 0.01
    done
    fail "$(wc -l <out) lines are acknowledged and not $1: $(cat said)"
}

# ends [STATUS]: the end of the writer's input.
ends() {
    exec 7>&-
    local status=0
    wait "$writer" || status=$?
    writer=
    [[ $status == "${1:-0}" ]] || fail "status $status: $(cat said)"
}

torn='{"role":"user","con'

@test "ctx-route --append: step by step is what one stream is, and standard output has each step" {
    user a >step1
    { acts '' "$(call c1 read '{}')" "$(call c2 list '{}')"; gets c2 s; } >step2
    { gets c1 r; says b; } >step3
    user c >step4
    cat step? >in
    ctx-route --execution e1 --append log step1 >>out
    ctx-route --append log <step2 >>out
    ctx-route --append log step3 step4 >>out
    same 'log' <({ ctx-route --execution e1 step1; cat step2 step3 step4; } | ctx-route) log
    same 'standard output' log out
    # The same file may be named as the log that the stream continues.
    ctx-route --log log --append log </dev/null
    same 'log' log out
}

@test "ctx-route --append: a new log has the mode that files get, and is there without a message, too" {
    umask 027
    ctx-route --append log </dev/null
    [[ $(stat -c '%a %s' log) == '640 0' ]]
    user a | ctx-route --append log >out
    [[ $(stat -c %a log) == 640 ]]
    ln -s far/log link
    mkdir far
    user b | ctx-route --append link >out
    same 'through a link' out far/log
    [[ -L link ]]
}

@test "ctx-route --append: a step that is there in full is one write, with what is held" {
    { user a; says b; } >in
    command -v strace >/dev/null || skip 'no strace'
    strace -o /dev/null true 2>/dev/null || skip 'strace may not trace'
    export ASAN_OPTIONS=detect_leaks=0
    strace -o calls -e trace=writev,fsync,write ctx-route --separate-trace --append log in >out
    same 'log' <(ctx-route --separate-trace in) log
    # One write and one fsync of the log, fsync of its directory, and then standard output.
    same 'calls' <(printf '%s\n' writev fsync fsync writev) <(grep -o '^[a-z]*(' calls | tr -d '(')
    # The name of the file is on the disk by now, and the next run cannot know it.
    strace -o calls -e trace=fsync ctx-route --append log - - <in >out
    [[ $(grep -c fsync calls) == 2 ]]
}

@test "ctx-route --append: every line of the log has its end, and a byte order mark stands at its start alone" {
    { printf '\xef\xbb\xbf'; user a; printf '%s' "$(says b)"; } >in
    $route in >out
    $route in >>out
    same 'log' <(printf '\xef\xbb\xbf'; for _ in 1 2; do { user a; says b; } | ctx-route; done) log
    same 'standard output' log out
}

@test "ctx-route --append: lines that are not valid stand in the log as they came" {
    { user a; raw '{bad}' '' '{"note":1}'; says b; } >in
    status_of 65 $route in >out 2>said
    same 'log' <(ctx-route in 2>said2) log
    same 'said' <(echo 'ctx-route: in:2: expected a member name, at byte 2') said
    # They are named again when the log is read.
    user c >in
    status_of 65 $route in >out 2>said
    same 'said' <(echo 'ctx-route: log:2: expected a member name, at byte 2') said
    [[ $(wc -l <log) == 6 ]]
    rm log
    raw '{bad}' >>in
    status_of 65 $route --bad-lines=drop --bad-file=bad in >out 2>said
    same 'dropped' <(user c | ctx-route) log
}

@test "ctx-route --append: the stream ends before a line that is too long to be held whole" {
    { user a; user "$(repeat 700000 x)"; user b; } >in
    status_of 65 $route --max-line 100 in >out 2>said
    same 'log' <(user a | ctx-route) log
    same 'said' <(echo 'ctx-route: in:2: line longer than --max-line, at byte 101') said
}

@test "ctx-route --append: a torn last line is refused, and the log stays as it is" {
    { user a; printf '%s' "$torn"; } >log
    cp log before
    user b >in
    spec <<'END'
ctx-route --append log in
>>>2 ctx-route: log: the last line has no end, from byte 31 of the file on; --repair moves it to 'log.torn'
>>>= 65
END
    same 'log' before log
    # A whole message without a line feed would be joined to the next one, too.
    printf '%s' "$(user a)" >log
    cp log before
    status_of 65 $route in >out 2>said
    same 'log' before log
    [[ ! -s out ]]
}

@test "ctx-route --append --repair: a torn last line goes to LOG.torn, behind those that are there" {
    { user a; printf '%s' "$torn"; } >log
    user b >in
    $route --repair in >out 2>said
    same 'said' <(echo "ctx-route: log: a torn last line of 19 bytes was moved to 'log.torn'") said
    same 'log' <({ user a; ctx-route in; }) log
    printf 'x%.0s' {1..70000} >>log
    $route --repair in >out 2>said
    same 'log' <({ user a; ctx-route in; ctx-route in; }) log
    same 'torn' <(echo "$torn"; printf 'x%.0s' {1..70000}; echo) log.torn
    # A log that is whole stays as it is.
    cp log before
    $route --repair </dev/null
    same 'log' before log
    printf '\0\0\0' >log
    $route --repair in >out 2>said
    same 'log' out log
    printf '{"a":12' >log
    $route --repair </dev/null 2>said
    [[ ! -s log ]]
}

@test "ctx-route --append --repair: a last record that is whole gets its end" {
    printf '%s' "$(calls c1 read '{}')" >log
    gets c1 r >in
    $route --repair in >out 2>said
    same 'said' <(echo 'ctx-route: log: the last line was whole, and has its end now') said
    same 'log' <({ calls c1 read '{}'; cat out; }) log
    same 'tool' <(echo read) <(jq -r .metadata.tool_name out)
    [[ ! -e log.torn ]]
    # A byte order mark may stand in front of the first line.
    { printf '\xef\xbb\xbf'; user only | head -c -1; } >log
    says a | $route --repair >out 2>said
    same 'said' <(echo 'ctx-route: log: the last line was whole, and has its end now') said
    same 'log' <(printf '\xef\xbb\xbf'; user only; cat out) log
    [[ ! -e log.torn ]]
    # But not in front of any other, where the line is no record.
    { user a; printf '\xef\xbb\xbf'; user b | head -c -1; } >log
    says a | $route --repair >out 2>said
    same 'torn' <(printf '\xef\xbb\xbf'; user b) log.torn
    same 'log' <(user a; cat out) log
    rm log.torn
    # What is longer than any line that is read is not known to be whole.
    user "$(printf 'x%.0s' {1..200})" | head -c -1 >log
    says a | $route --repair --max-line 100 >out 2>said
    same 'long' <(user "$(printf 'x%.0s' {1..200})") log.torn
    same 'log' out log
    rm log.torn
    # A byte order mark alone is no record.
    printf '\xef\xbb\xbf' >log
    says a | $route --repair >out 2>said
    same 'mark' <(printf '\xef\xbb\xbf\n') log.torn
    rm log.torn
    # A number may have lost digits.
    printf 12 >log
    $route --repair in >out 2>said
    same 'torn' <(echo 12) log.torn
}

@test "ctx-route --append --repair: where LOG.torn cannot be written, the log stays as it is" {
    { user a; printf '%s' "$torn"; } >log
    cp log before
    mkdir log.torn
    user b >in
    status_of 73 $route --repair in >out 2>said
    same 'log' before log
    [[ ! -s out ]]
    # 512 bytes have room for the log as it is, and not for what is moved.
    rmdir log.torn
    { user a; printf 'y%.0s' {1..1400}; } >log
    cp log before
    printf 'x%.0s' {1..1000} >log.torn
    cp log.torn torn
    status_of 74 bash -c "ulimit -f 2; exec $route --repair in" >out 2>said
    same 'log' before log
    same 'torn' torn log.torn
}

@test "ctx-route --append: names that cannot be a log" {
    user a >log
    user b >in
    cp log before
    refuses 'ctx-route --append -' "bad value '-' of --append, expected a file"
    refuses 'ctx-route --repair' '--repair requires --append'
    refuses 'ctx-route --append log --log in' '--append cannot be combined with --log of another file'
    refuses 'ctx-route --append log log' "'log' is an input file"
    refuses 'ctx-route --append log <log' "'log' is an input file"
    refuses 'ctx-route --append log --report ./log' '--append and --report are one file'
    refuses 'ctx-route --append log --bad-lines drop --bad-file log' '--append and --bad-file are one file'
    refuses 'ctx-route --append log --repair --report log.torn' '--repair and --report are one file'
    status_of 64 $route in >>log 2>said
    same 'said' <(echo "ctx-route: --append and standard output are one file; try 'ctx-route --help'") said
    same 'log' before log
    mkfifo fifo
    for name in . /dev/null fifo no/log; do
        status_of 73 ctx-route --append "$name" in >out 2>said
        [[ ! -s out ]]
    done
    status_of 66 $route missing >out 2>said
    same 'log' before log
}

@test "ctx-route --append: on a full disk the log is as it was, and nothing is acknowledged" {
    user "$(repeat 900 x)" | $route >out
    cp log before
    spec <<'END'
ulimit -f 1; ctx-route --append log
<<< {"role":"user","content":"one more, which has no room any more in the blocks of the file; its limit is near"}
>>>2 ctx-route: cannot write to log: File too large
>>>= 74
END
    same 'log' before log
    user b | $route >out
    same 'log' <(cat before out) log
}

limited() {
    ulimit -f 1
    exec ctx-route "$@"
}

@test "ctx-route --append --repair: what it did stays where the disk is full then" {
    local route='limited --append log' how
    for how in torn whole; do
        rm -f log pipe
        opens --repair
        user b >&7
        acknowledged 1
        cp log before
        if [[ $how == torn ]]; then printf '%s' "$torn" >>log; else head -c -1 before >log; fi
        user "$(repeat 1400 x)" >&7
        ends 74
        same "$how" before log
    done
}

@test "ctx-route --append: writers see each other's calls and executions" {
    opens
    user a '"execution_id":"e1"' >&7
    acknowledged 1
    calls c1 sound '{}' | $route >/dev/null
    gets c1 '4.2 m' >&7
    acknowledged 2
    user b '"execution_id":"e2"' | $route >/dev/null
    says c >&7
    acknowledged 3
    gets c9 orphan >&7
    ends
    jq -c '[.role, .metadata.execution_id, .metadata.tool_name]' log >told
    same 'log' - told <<'END'
["user","e1",null]
["assistant","e1","sound"]
["tool","e1","sound"]
["user","e2",null]
["assistant","e2",null]
["tool","e2",null]
END
    same 'acknowledged' <(sed -n '1p;3p;5p;6p' log) out
}

@test "ctx-route --append: what another writer appends decides about a text that is held" {
    opens --separate-trace
    user a >&7
    says text >&7
    # It is held: calls may follow.
    acknowledged 1
    user b | $route >/dev/null
    says more >&7
    acknowledged 2
    ends
    same 'sections' - <(jq -r '.content + " " + (.metadata.section // "-")' log) <<'END'
a messages
b -
text messages
more messages
END
}

@test "ctx-route --append: a result whose call is in the log is never dropped" {
    opens --next-execution
    user a >&7
    acknowledged 1
    calls c1 read '{}' | $route >/dev/null
    { calls c2 read '{}'; gets c2 dropped; gets c1 kept; } >&7
    acknowledged 2
    ends
    same 'log' <(printf '%s\n' a null kept) <(jq -r .content log)
}

# The law: every stream is put into a new log as it is put onto standard output, in one batch or in many.
# bats test_tags=slow
@test "ctx-route --append: every stream goes into the log as it goes to standard output" {
    local file option want got
    local -a files=("$FIXTURES"/*.jsonl)
    [[ ! -d $CTX_SHARED ]] || files+=("$CTX_SHARED"/**/*.jsonl)
    for file in "${files[@]}"; do
        (($(stat -L -c %s "$file") < 1000000)) || continue
        for option in --execution=e1 --separate-trace --ephemeral; do
            want=0 got=0
            rm -f log
            ctx-route $option <"$file" >plain 2>/dev/null || want=$?
            cat "$file" | $route $option >out 2>/dev/null || got=$?
            [[ -z $(tail -c 1 plain) ]] || echo >>plain
            cmp plain log || fail "$file, $option: another log"
            cmp log out || fail "$file, $option: another output"
            [[ $got == "$want" ]] || fail "$file, $option: status $got and not $want"
        done
    done
}

# Design 3, sub-agent.
@test "ctx-route --append: a sub-agent puts its steps beside its parent's, whose calls have the same ids" {
    { user 'Plan the dredging.'; calls c1 task '{"prompt":"sound it"}'; } |
        ctx-route --execution e1 --append log >out
    { user 'sound it'; calls c1 sound '{"at":"canal"}'; } >step1
    gets c1 '2.8 m' >step2
    says 'The bend, 2.8 m.' >step3
    local step
    for step in step1 step2 step3; do
        # The sub-agent's own log says what its steps lack, and they pass into the parent's.
        ctx-route --set agent_id=surveyor --set parent_execution_id=e1 --execution s1 --append own $step >part
        $route part >out
        same 'passed on' part out
    done
    gets c1 'The bend, 2.8 m.' | $route >out
    same 'log' - <(jq -r '[.role, .metadata.execution_id, .metadata.tool_name] | join(" ")' log) <<'END'
user e1 
assistant e1 task
user s1 
assistant s1 sound
tool s1 sound
assistant s1 
tool e1 task
END
    same 'its own view' own <(ctx-project --agent surveyor --view all log)
    same 'the view of the parent' <(sed -n '1,2p;7p' log) <(ctx-project log)
}

@test "ctx-route --append: a log that is replaced is followed, and not the file that had its name" {
    opens
    user a '"execution_id":"e1"' >&7
    acknowledged 1
    ln log old
    { user 'another request' '"execution_id":"e2"'; calls c7 sound '{}'; } >new
    mv new log
    gets c7 '4.2 m' >&7
    acknowledged 2
    same 'the new one' <(echo '["e2","sound"]') <(tail -n 1 log | jq -c '[.metadata.execution_id, .metadata.tool_name]')
    [[ $(wc -l <old) == 1 ]]
    # Emptied, and removed.
    : >log
    says b >&7
    acknowledged 3
    same 'emptied' <(says b | ctx-route) log
    rm log
    says c >&7
    acknowledged 4
    ends
    same 'a third one' <(tail -n 1 out) log
    [[ $(jq -r .metadata.execution_id log) == null ]]
}

@test "ctx-route --append: ctx-compact -i goes on beside a writer that waits for its input" {
    opens
    cat "$FIXTURES/compact-gauge.jsonl" >&7
    acknowledged "$(wc -l <"$FIXTURES/compact-gauge.jsonl")"
    ctx-compact -i --estimator bytes/4 --window 4k log
    cp log before
    user b >&7
    acknowledged "$(($(wc -l <"$FIXTURES/compact-gauge.jsonl") + 1))"
    ends
    same 'log' <(cat before; tail -n 1 out) log
}

@test "ctx-route --append: a text that is held outlives the log that was replaced" {
    opens --separate-trace --execution e1
    { user a; says held; } >&7
    acknowledged 1
    cp log new
    mv new log
    calls c1 read '{}' >&7
    gets c1 r >&7
    acknowledged 4
    ends
    same 'sections' - <(jq -r '.role + " " + .metadata.section' log) <<'END'
user messages
assistant execution_buffer
assistant execution_buffer
tool execution_buffer
END
}

@test "ctx-route --append: a call that is held is resolved all the same when the log was replaced" {
    opens --ephemeral --resolve c1
    user a >&7
    { wants c1:read c3:read; calls c2 read '{}'; gets c2 r; } >&7
    acknowledged 1
    # There the calls have other numbers.
    { user before; calls c0 read '{}'; user a; } | ctx-route >new
    mv new log
    user b >&7
    says c >&7
    ends
    same 'resolved' <(echo '["c1"]') <(jq -c 'select(.tool_calls[0].id == "c1").metadata.resolved' log)
    # One that has its result by then is no failure.
    rm log pipe
    opens --ephemeral --steering new --resolve c1
    user a >&7
    calls c1 read '{}' >&7
    acknowledged 1
    { user before; calls c0 read '{}'; user a; } | ctx-route >new
    mv new log
    gets c1 r >&7
    user b >&7
    ends 1
    same 'said' <(echo "ctx-route: no failure has the id 'c1'") said
}

@test "ctx-route --append: selectors of --where see the log as it was, and the stream" {
    { user a; says b; } >log
    cp log before
    { user c; says d; } >in
    $route --set pinned=true --where 'turn>-2,role=user' --set n=2 --where turn=2 in >out
    same 'log' <(cat before out) log
    same 'set' <(printf '%s\n' '[true,2]' '[null,2]') <(jq -c '[.metadata.pinned, .metadata.n]' out)
    # What others append meanwhile is no reason to drop what is held.
    cp before log
    opens --set pinned=true --where 'turn>-2,role=user'
    user c >&7
    sleep 0.1
    user x | $route >/dev/null
    user d >&7
    ends
    same 'set' <(printf '%s\n' '["c",null]' '["d",true]') <(jq -c '[.content, .metadata.pinned]' out)
    same 'log' <(cat before; user x | ctx-route; cat out) log
}

@test "ctx-route --append: a given execution is not that of the messages of others" {
    opens --execution e1
    user a >&7
    acknowledged 1
    { user b; says c; } >>log
    says d >&7
    acknowledged 2
    # The message of the user has begun another execution, which says no id.
    calls c1 read '{}' | $route >/dev/null
    ends
    same 'executions' <(printf '%s\n' e1 null null e1 e1) <(jq -r .metadata.execution_id log)
    { user a; says b; } >log
    calls c1 read '{}' | $route --execution e1 >/dev/null
    gets c1 r | $route >/dev/null
    says d | $route --execution e2 >/dev/null
    rm pipe
    same 'executions' <(printf '%s\n' null null e1 e1 e2) <(jq -r .metadata.execution_id log)
    # So they end one.
    opens --separate-trace --execution e9
    { user a; says final; } >&7
    acknowledged 1
    user b | ctx-route >>log
    says more >&7
    acknowledged 2
    ends
    same 'sections' <(printf '%s\n' messages messages messages) <(jq -r .metadata.section out)
}

@test "ctx-route --append: a bad line of the log is named by its line, however the log was read" {
    user a >log
    opens
    user b >&7
    acknowledged 1
    { user c; raw '{bad}'; } >>log
    user d >&7
    acknowledged 2
    { raw '{worse}'; } >>log
    user e >&7
    acknowledged 3
    { raw '{worst}'; user f; } >new
    mv new log
    user g >&7
    ends 65
    same 'said' - said <<'END'
ctx-route: log:4: expected a member name, at byte 2
ctx-route: log:6: expected a member name, at byte 2
ctx-route: log:1: expected a member name, at byte 2
END
}

@test "ctx-route --append: a log twice as long as what is read while others wait" {
    {
        user a '"execution_id":"e1"'
        while ((i++ < 300)); do says "$(repeat 10000 x)"; done
        calls c1 sound '{}'
    } >log
    cp log before
    gets c1 r >in
    $route in >out
    same 'log' <(cat before out) log
    same 'tool' <(echo '["e1","sound"]') <(jq -c '[.metadata.execution_id, .metadata.tool_name]' out)
}

@test "ctx-route --append: a writer waits for the lock" {
    command -v flock >/dev/null || skip 'no flock'
    user a >in
    exec 8>>log
    flock 8
    $route in >out 3>&- 8>&- &
    sleep 0.2
    [[ ! -s log ]]
    printf '%s\n' "$(user first)" >&8
    exec 8>&-
    wait $!
    same 'log' <(user first; cat out) log
}

@test "ctx-route --append: a reader that leaves ends the run, and what it was given is in the log" {
    { user a; user b; } >in
    local -a statuses
    { cat in; sleep 0.2; cat in; sleep 0.2; cat in; } | { status_of 141 $route; } | head -n 1 >out
    statuses=("${PIPESTATUS[@]}")
    [[ ${statuses[1]} == 0 ]]
    head -n 1 log >first
    same 'acknowledged' first out
    [[ $(($(wc -l <log) % 2)) == 0 ]]
}

# writes NAME LINES: so many messages, a few at a time.
writes() {
    local i
    for ((i = 1; i <= $2; i++)); do
        user "$1.$i $pad"
        ((i % 5)) || sleep 0.003
    done
}

# eight ROUND: eight writers at once; two of them are killed, and somebody else leaves a torn line.
eight() {
    local n status=0
    local -a pids=()
    for n in {1..8}; do
        # Those that are killed never come to the end.
        [[ $n == [36] ]] && last=100000 || last=$lines
        $route --repair < <(writes "$1.$n" "$last") >"out.$n" 2>"said.$n" 3>&- &
        pids+=($!)
    done
    sleep "0.0$((RANDOM % 9 + 1))"
    kill -KILL "${pids[2]}"
    flock log bash -c 'printf %s "$1" >>log' - "$torn" 3>&-
    sleep "0.0$((RANDOM % 9 + 1))"
    kill -KILL "${pids[5]}"
    for n in {1..8}; do
        status=0
        wait "${pids[n - 1]}" || status=$?
        [[ $n == [36] ]] || [[ $status == 0 ]] || fail "writer $n: $status, $(cat "said.$n")"
        # A line whose end did not come out was not acknowledged.
        sed '$ { /}$/! d }' "out.$n" >"acknowledged.$n"
        is_subsequence "acknowledged.$n" log
        [[ $n == [36] ]] || same "writer $n" <(writes "$1.$n" "$lines" | ctx-route) "out.$n"
    done
    # Nobody may have come after the torn line.
    $route --repair </dev/null 2>said
    jq -c . log >all
    same 'each line once' <(jq -r .content log | sort -u) <(jq -r .content log | sort)
    grep -q -F -x "$torn" log.torn
}

@test "ctx-route --append: eight writers at once, two of them killed: no torn line and none lost" {
    command -v flock >/dev/null || skip 'no flock'
    lines=60 pad=$(repeat 300 x)
    eight 1
}

# bats test_tags=slow
@test "ctx-route --append: eight writers at once, two of them killed, again and again" {
    command -v flock >/dev/null || skip 'no flock'
    local round
    lines=100 pad=$(repeat 9000 x)
    for round in {1..10}; do
        eight "$round"
    done
}

# numbers NAME: records that stay when a log is compacted, and messages that go.
numbers() {
    local i
    for ((i = 1; i <= lines; i++)); do
        raw "{\"n\":\"$1 $i\"}"
        says "$pad"
        sleep 0.003
    done
}

# bats test_tags=slow
@test "ctx-route --append: while the log is compacted again and again, no writer loses a line" {
    local n status replaced=0
    local -a pids=()
    lines=200 pad=$(repeat 300 x)
    cat "$FIXTURES/compact-gauge.jsonl" >log
    for n in 1 2 3; do
        $route < <(numbers "$n") >"out.$n" 2>"said.$n" 3>&- &
        pids+=($!)
    done
    while kill -0 "${pids[@]}" 2>/dev/null; do
        status=0
        ctx-compact -i -v --estimator bytes/4 --force --target 1 log 2>said || status=$?
        [[ $status == 0 || $status == 75 ]] || fail "status $status: $(cat said)"
        ! grep -q 'replaced$' said || replaced=$((replaced + 1))
    done
    for n in 1 2 3; do
        wait "${pids[n - 1]}" || fail "writer $n: $(cat "said.$n")"
        same "writer $n" <(grep '^{"n"' "out.$n") <(grep "^{\"n\":\"$n " log)
    done
    printf '%s times replaced\n' "$replaced"
    ((replaced > 3))
}
