#!/usr/bin/env bats
#
# Files that are replaced where they stand: what becomes of them, what leaves them as they were, and
# what other programs that append to them lose, which is nothing.

load helper
load dialogue

compact='ctx-compact --estimator bytes/4 -i'

teardown() {
    ! mountpoint -q disk || umount disk
    no_leftovers
}

# session FILE: one that --window 4k makes smaller.
session() {
    cat "$FIXTURES/compact-gauge.jsonl" >"$1"
}

# changed FILE BEFORE: they are not equal.
changed() {
    ! cmp -s "$1" "$2" || fail "$1 is as it was"
}

# nothing_else NAME...: these files are in the directory and no other.
nothing_else() {
    same 'files' <(printf '%s\n' "$@" | sort) <(find . -mindepth 1 -printf '%P\n' | sort)
}

# without_fsetid COMMAND...: what root runs without the right by which what it writes keeps the bits that
# let a program run as another user; nobody else has that right.
without_fsetid() {
    ((EUID)) || set -- setpriv --bounding-set -fsetid --inh-caps -fsetid -- "$@"
    "$@"
}

@test "ctx-compact -i, ctx-compile --output: the bits stay that writing takes from a mode" {
    session log
    cp log before
    chmod 6751 log
    without_fsetid ctx-compact -i --window 4k log
    [[ $(stat -c %a log) == 6751 ]]
    without_fsetid ctx-compile -o log before
    [[ $(stat -c %a log) == 6751 ]]
    ! cmp -s before log || fail 'the same'
}

# As on a file system that has no leases.
without_leases() {
    strace -o /dev/null -e inject=fcntl:error=EINVAL "$@"
}

@test "ctx-compact -i: a file becomes what would be written of it, and keeps its mode" {
    session log
    ctx-compact --window 4k log >want
    chmod 604 log
    spec <<'END'
ctx-compact -i --window 4k log
END
    cmp want log
    [[ $(stat -c %a log) == 604 ]]
    nothing_else log want
}

@test "ctx-compact -i: when nothing changes nothing is written" {
    session log
    $compact --window 4k log
    touch -d '2001-02-03 04:05:06' log
    before=$(stat -c '%i %Y %Z' log)
    spec <<END
$compact -v --window 4k log
>>>2 ctx-compact: log: 24 records, 24 messages in; 24 messages out, 0 changed; 0 records added; nothing to change
END
    [[ $(stat -c '%i %Y %Z' log) == "$before" ]]
    nothing_else log
}

@test "ctx-compact -i: each file is a session of its own, and the worst status is returned" {
    session a
    session b
    printf '{"type":"user","message":{"role":"user","content":"hi"},"uuid":"u","sessionId":"s"}\n' >foreign
    { cat "$FIXTURES/compact-gauge.jsonl"; echo '{torn'; } >torn
    ctx-compact --estimator bytes/4 --window 4k torn >torn.want 2>said || (($? == 65))
    cp foreign foreign.want
    spec <<END
$compact --window 4k a foreign torn b missing
>>>2 ctx-compact: foreign: no messages; looks like claude-code, try ctx-normalize --from claude-code foreign >NEW
>>>2 ctx-compact: torn:25: expected a member name, at byte 2
>>>2 ctx-compact: missing: cannot open it: No such file or directory
>>>= 66
END
    cmp a b
    cmp torn.want torn
    cmp foreign.want foreign
    (($(wc -c <a) < 14047))
}

@test "ctx-compact -i: with bad lines that stay it is replaced and the status is 65, with --bad-lines=stop it is not" {
    { cat "$FIXTURES/compact-gauge.jsonl"; echo '{torn'; } >log
    cp log before
    status_of 65 $compact --bad-lines=stop --window 4k log 2>said
    cmp before log
    status_of 65 $compact --window 4k log 2>said
    changed log before
    [[ $(tail -n 1 log) == '{torn' ]]
    nothing_else log before said
}

@test "ctx-compact -i: with status 1 a file is as it was, but with --best-effort" {
    session log
    cp log before
    status_of 1 $compact --window 60 log 2>said
    cmp before log
    grep -q '^ctx-compact: log: the budget cannot be met' said
    ctx-compact --estimator bytes/4 --window 60 --best-effort log >want 2>said || (($? == 1))
    status_of 1 $compact --window 60 --best-effort log 2>said
    cmp want log
}

@test "ctx-compact -i: the old file stays with the suffix, as the same inode" {
    session log
    cp log before
    inode=$(stat -c %i log)
    echo older >log.old
    ctx-compact --in-place=.old --estimator bytes/4 --window 4k log
    cmp before log.old
    [[ $(stat -c %i log.old) == "$inode" ]]
    ctx-compact --in-place=.old --estimator bytes/4 --window 4k log
    cmp before log.old
    nothing_else before log log.old
}

@test "ctx-compact -i: the report has one object for each file" {
    session a
    session b
    $compact --window 4k --report report a b
    same 'files' <(printf '"a"\n"b"\n') <(jq -c .file report)
    status_of 64 $compact --window 4k --report b a b 2>said
    nothing_else a b report said
}

@test "ctx-compact -i: the command lines that are wrong" {
    local line
    session log
    cp log before
    while IFS='|' read -r line said; do
        spec <<END
ctx-compact $line
>>>2 ctx-compact: $said; try 'ctx-compact --help'
>>>= 64
END
    done <<'END'
-i|--in-place needs files
-i -|--in-place does not replace standard input
-i --plan log|--plan cannot be combined with --in-place
--in-place=/x log|bad value '/x' of --in-place, expected a suffix without '/', such as .bak
-i --bad-lines=drop --bad-file=b log|--in-place cannot be combined with --bad-lines=drop
-i --min-age=soon log|bad value 'soon' of --min-age, expected a time such as 90s or 5m
-i.bak log|'-i' takes no value, type --in-place=.bak
-fi=.old log|'-i' takes no value, type --in-place=.old
-i.|'-i' takes no value, type --in-place=.
END
    cmp before log
    ctx-budget --models >log.old
    spec <<'END'
ctx-compact --in-place=.old --models-file log.old log
>>>2 ctx-compact: 'log.old' is a name that --in-place needs for 'log'; try 'ctx-compact --help'
>>>= 64
END
    spec <<'END'
ctx-compact -i --models-file log.old log ./log.old
>>>2 ctx-compact: 'log.old' is read, and would be replaced; try 'ctx-compact --help'
>>>= 64
END
}

@test "ctx-compact -i: links, FIFOs, directories and read-only files stay as they are" {
    mkdir sub
    session sub/log
    ln -s sub/log link
    ln sub/log hard
    mkfifo fifo
    cp sub/log before
    spec <<END
$compact --window 4k link hard fifo sub
>>>2 ctx-compact: link: is a symbolic link; --follow-symlinks takes the file that it points to
>>>2 ctx-compact: hard: has 2 hard links; --break-hard-links replaces it under this name alone
>>>2 ctx-compact: fifo: is no regular file, and stays as it is
>>>2 ctx-compact: sub: is a directory
>>>= 73
END
    cmp before sub/log
    $compact --window 4k --break-hard-links hard
    cmp before sub/log
    changed hard before
    $compact --window 4k --follow-symlinks link
    cmp hard sub/log
    [[ -L link ]]
}

@test "ctx-compact -i: a file that may not be written stays as it is" {
    session log
    cp log before
    chmod 444 log
    spec <<END
$compact --window 4k log
>>>2 ctx-compact: log: is read-only
>>>= 73
END
    cmp before log
}

@test "ctx-compact -i: a file that is locked, open for writing or young is status 75, and as it was" {
    needs flock
    session log
    cp log before
    exec 9<log
    flock 9
    spec <<END
$compact --window 4k log
>>>2 ctx-compact: log: is locked; try again later
>>>= 75
END
    exec 9<&-
    touch log
    spec <<END
$compact --window 4k --min-age 10m log
>>>2 ctx-compact: log: was written to in the last 600 seconds; try again later
>>>= 75
END
    cmp before log
    nothing_else before log
}


@test "ctx-compact -i: a file that another program has open for writing is status 75" {
    session log
    cp log before
    exec 8>>log
    if $compact --window 4k log 2>said; then
        exec 8>&-
        skip 'no leases'
    fi
    exec 8>&-
    same 'said' <(echo 'ctx-compact: log: is open for writing by another program; try again later') said
    cmp before log
    nothing_else before log said
}

@test "ctx-compact -i: without leases a file that was just written is status 75" {
    needs_strace
    session log
    cp log before
    spec <<END
strace -o /dev/null -e inject=fcntl:error=EINVAL $compact --window 4k log
>>>2 ctx-compact: log: was written to in the last 60 seconds; try again later
>>>= 75
END
    touch -d '2 minutes ago' log
    without_leases $compact --window 4k log
    changed log before
    nothing_else before log
}

@test "ctx-compact -i: a signal that ends it leaves the file as it was and no other" {
    local signal
    needs_strace
    session log
    cp log before
    for signal in TERM INT HUP QUIT; do
        # The first fsync is that of the new file, before it has the name.
        status=0
        # (Where the tests run in the background, a shell has SIGINT ignored.)
        env --default-signal="$signal" \
            strace -o trace -e trace=fsync -e "inject=fsync:signal=$signal:when=1" \
            $compact --window 4k log 2>said || status=$?
        printf '%s: %s\n' "$signal" "$status"
        ((status > 128))
        cmp before log
        nothing_else before log said trace
    done
}

# bats test_tags=slow
@test "ctx-compact -i: killed before any of its system calls it leaves the whole old file or the whole new one" {
    local call number suffix kills=0
    needs_strace
    session before
    ctx-compact --estimator bytes/4 --window 4k before >want
    for suffix in '' .old; do
        cp before log
        strace -o trace ctx-compact --in-place="$suffix" --estimator bytes/4 --window 4k log
        cmp want log
        # A sanitizer makes hundreds of calls for memory.
        sed -nE 's/^([a-z0-9_]+)\(.*/\1/p' trace | sort | uniq -c |
            awk '$2 != "mmap" || $1 < 50' >calls
        while read -r number call <&3; do
            for ((; number > 0; number--)); do
                rm -f log.old
                cp before log
                strace -o trace -e "inject=$call:signal=KILL:when=$number" \
                    ctx-compact --in-place="$suffix" --estimator bytes/4 --window 4k log 2>said || true
                grep -q 'killed by SIGKILL' trace || continue
                kills=$((kills + 1))
                cmp -s log before || cmp -s log want || fail "torn: $call $number"
                [[ ! -e log.old ]] || cmp log.old before
                # The next run goes on, and clears away what is left.
                ctx-compact --in-place="$suffix" --estimator bytes/4 --window 4k log
                cmp log want || fail "not mended: $call $number"
                rm -f log.old
                nothing_else before calls log said trace want
            done
        done 3<calls
    done
    printf '%s kills\n' "$kills"
    ((kills > 150))
}

# Whether what the archive has of the log is the session that it was.
comes_back() {
    ctx-restore archive log >restored && cmp -s restored before || fail "does not come back: $1"
}

# bats test_tags=slow
@test "ctx-compact -i: killed before any of its system calls, with an archive and with events, nothing is lost" {
    local call number kills=0
    local -a run=(ctx-compact -i --estimator bytes/4 --window 4k --archive archive --changes changes --report report
        --on-compact 'cat >told')
    needs_strace
    session before
    cp before log
    strace -o trace "${run[@]}" log
    cp log want
    comes_back 'without a kill'
    sed -nE 's/^([a-z0-9_]+)\(.*/\1/p' trace | sort | uniq -c | awk '$2 != "mmap" || $1 < 50' >calls
    while read -r number call <&3; do
        for ((; number > 0; number--)); do
            rm -f archive changes report told
            cp before log
            strace -o trace -e "inject=$call:signal=KILL:when=$number" "${run[@]}" log 2>said || true
            grep -q 'killed by SIGKILL' trace || continue
            kills=$((kills + 1))
            # What replaced the file can be put back: the archive was on the disk before.
            cmp -s log before || { cmp -s log want && comes_back "$call $number"; } || fail "torn: $call $number"
            "${run[@]}" log || fail "the next run: $call $number"
            cmp log want || fail "not mended: $call $number"
            comes_back "the next run: $call $number"
            rm -rf "${TMPDIR:?}"/* # what the command would have read
            rm -f archive changes report restored told
            nothing_else before calls log said trace want
        done
    done 3<calls
    printf '%s kills\n' "$kills"
    ((kills > 80))
}

# The lines of a writer: each is a record that stays, and a message that compaction drops.
write_lines() {
    local i
    for ((i = 1; i <= lines; i++)); do
        "$1" "{\"n\":\"$2 $i\"}"$'\n'"{\"role\":\"assistant\",\"content\":\"$2 $i $filler\"}"
    done
}

append() {
    printf '%s\n' "$1" >>log
}

# As the page shows it.
append_locked() {
    until exec 9>>log && flock 9 && [ /dev/fd/9 -ef log ]; do :; done
    printf '%s\n' "$1" >&9
    exec 9>&-
}

# As most would write it.
append_by_flock() {
    flock log bash -c 'printf "%s\n" "$1" >>log' - "$1"
}

# appenders HOW...: three programs append, in these ways, while the log is compacted in a loop. Each line
# must be there once.
appenders() {
    local how writer status replaced=0 filler
    : "${run=}"
    local -a pids=()
    filler=$(printf '%0200d' 0)
    session log
    for how; do
        write_lines "$how" "${#pids[@]}" &
        pids+=($!)
    done
    while kill -0 "${pids[@]}" 2>/dev/null; do
        status=0
        $run $compact -v --force --target 1 log 2>said || status=$?
        ((status == 0 || status == 75)) || fail "status $status: $(cat said)"
        ! grep -q 'replaced$' said || replaced=$((replaced + 1))
    done
    wait "${pids[@]}"
    printf '%s times replaced\n' "$replaced"
    ((replaced > 0))
    for ((writer = 0; writer < ${#pids[@]}; writer++)); do
        seq -f "{\"n\":\"$writer %.0f\"}" "$lines"
    done | sort >want
    grep '^{"n"' log | sort >got
    same 'lines' want got
    jq -c . log >/dev/null
    rm -f want got said
    nothing_else log
}

# bats test_tags=slow
@test "ctx-compact -i: three programs that append lose not one line" {
    lines=1500
    appenders append append append
}

# bats test_tags=slow
@test "ctx-compact -i: three programs that append and take the lock lose not one line" {
    needs flock
    lines=60
    appenders append_locked append_by_flock append_locked
}

# bats test_tags=slow
@test "ctx-compact -i: without leases, three programs that take the lock lose not one line" {
    needs flock
    needs_strace
    lines=60 run=without_leases compact+=' --min-age 0'
    appenders append_locked append_locked append_locked
}

# bats test_tags=slow
@test "ctx-compact -i: with the lock and without it, not one line is lost" {
    needs flock
    lines=60
    appenders append append_by_flock append_locked
}

# bats test_tags=slow
@test "ctx-compact -i: a full disk leaves the file as it was" {
    local status sizes
    mkdir disk
    mount -t tmpfs -o size=64k ctx-test disk 2>/dev/null || skip 'no file system may be mounted'
    { cat "$FIXTURES/compact-gauge.jsonl"; awk 'BEGIN { while (n++ < 240)
        print "{\"role\":\"user\",\"content\":\"stays\",\"metadata\":{\"pinned\":true,\"n\":\"" sprintf("%0100d", n) "\"}}" }'; } >before
    cp before disk/log
    for sizes in 0 4096 12288; do
        head -c "$sizes" /dev/zero >disk/other 2>said || true
        status=0
        $compact --force --target 1 disk/log 2>said || status=$?
        printf '%s: %s\n' "$status" "$(cat said)"
        ((status == 73 || status == 74))
        cmp before disk/log
        same 'files' <(printf 'log\nother\n') <(ls -A disk)
    done
}

# bats test_tags=slow
@test "ctx-compact -i: on a disk that is full for the archive, the list of changes or the new file, all stays as it was" {
    local status size refused=0
    mkdir disk
    mount -t tmpfs -o size=96k ctx-test disk 2>/dev/null || skip 'no file system may be mounted'
    session before
    for ((size = 0; size <= 96; size += 4)); do
        rm -rf disk/*
        cp before disk/log
        head -c "${size}k" /dev/zero >disk/other 2>said || true
        status=0
        $compact --window 4k --archive disk/archive --changes disk/changes --report disk/report disk/log 2>said || status=$?
        printf '%s kB: %s: %s\n' "$size" "$status" "$(cat said)"
        if ((status == 0)); then
            rm -f disk/other
            ctx-restore disk/archive disk/log | cmp - before
            continue
        fi
        ((status == 73 || status == 74))
        refused=$((refused + 1))
        cmp before disk/log
        [[ ! -e disk/.log.ctx-new ]]
        # With room again the same run does it, whatever stands in the archive by now.
        rm -f disk/other
        $compact --window 4k --archive disk/archive --changes disk/changes --report disk/report disk/log
        ctx-restore disk/archive disk/log | cmp - before
    done
    ((refused > 3))
}

@test "ctx-normalize --repair: a record behind a torn one gets a line of its own" {
    spec <<'END'
ctx-normalize --repair -v --report report
<<< {"role":"user","content":"How deep is the harbour?"}
<<< {"role":"assistant","content":"It is {"role":"assistant","content":"It is 4.2 m deep."}
<<< {"role":"user","cont
>>> {"role":"user","content":"How deep is the harbour?"}
>>> {"role":"assistant","content":"It is 
>>> {"role":"assistant","content":"It is 4.2 m deep."}
>>> {"role":"user","cont
>>>2 ctx-normalize: -:2: expected ',' or '}', at byte 40
>>>2 ctx-normalize: -:3: unexpected end, at byte 21
>>>2 ctx-normalize: 3 records, 1 messages in; 1 messages out, 0 changed; 1 records added; 1 torn line mended
>>>= 65
>>>+ report
END
    [[ $(jq .mended report) == 1 ]]
}

@test "ctx-compact, ctx-normalize: a command to try has the name of the file as a shell reads it" {
    printf '{"type":"user","message":{"role":"user","content":"hi"},"uuid":"u","sessionId":"s"}\n' >'a $(b)'
    cp 'a $(b)' ./-claude
    echo 'plain text' >"it's"
    spec <<'END'
ctx-compact -i -- 'a $(b)' -claude
>>>2 ctx-compact: a $(b): no messages; looks like claude-code, try ctx-normalize --from claude-code 'a $(b)' >NEW
>>>2 ctx-compact: -claude: no messages; looks like claude-code, try ctx-normalize --from claude-code ./-claude >NEW
>>>= 65
END
    spec <<'END'
ctx-normalize --repair -i -- -claude
>>>2 ctx-normalize: -claude: looks like claude-code; try ctx-normalize --from claude-code ./-claude >NEW
>>>= 65
END
    status_of 65 ctx-budget "it's" 2>said
    grep -qF " 'it'\''s' | ctx-budget" said
}

@test "ctx-normalize --repair -i: repairs files, and leaves those of another format as they are" {
    cat "$FIXTURES/ctx-unrepaired.jsonl" >log
    cat "$FIXTURES/claude-code-session.jsonl" >claude
    jq . "$FIXTURES/openai-chat.jsonl" >pretty
    ctx-normalize log >want
    cp claude claude.want
    cp pretty pretty.want
    spec <<'END'
ctx-normalize --repair -i log claude pretty
>>>2 ctx-normalize: claude: looks like claude-code; try ctx-normalize --from claude-code claude >NEW
>>>2 ctx-normalize: pretty: looks like JSON over several lines; try ctx-normalize pretty >NEW
>>>= 65
END
    cmp want log
    cmp claude.want claude
    cmp pretty.want pretty
    inode=$(stat -c %i log)
    ctx-normalize --repair -i log
    [[ $(stat -c %i log) == "$inode" ]]
    nothing_else claude claude.want log pretty pretty.want want
}

@test "ctx-normalize -i: the command lines that are wrong" {
    local line said
    cat "$FIXTURES/ctx-unrepaired.jsonl" >log
    cp log before
    while IFS='|' read -r line said; do
        spec <<END
ctx-normalize $line
>>>2 ctx-normalize: $said; try 'ctx-normalize --help'
>>>= 64
END
    done <<'END'
-i log|--in-place requires --repair, --into or --gc
-i --repair|--in-place needs files
-i --repair --to openai log|--in-place cannot be combined with --to=openai
-i --repair --from claude-code log|--in-place cannot be combined with --from=claude-code
-i --repair --untrusted log|--in-place cannot be combined with --untrusted
--repair --check log|--repair cannot be combined with --check
END
    cmp before log
}

@test "-i: no name that a run gives to a file is that of another operand, of the archive or of the report" {
    local way
    session a
    session a.old
    session .a.ctx-new
    session b
    cp a before
    for way in '--in-place=.old a a.old' '--in-place=.old --archive a.old a' '--in-place=.old --report a.old a' \
        '-i a .a.ctx-new' '-i --report .a.ctx-new a' '-i --archive .a.ctx-new a' '-i --archive ./b a b'; do
        # shellcheck disable=SC2086
        status_of 64 ctx-compact --estimator bytes/4 --window 1k $way 2>messages
        for file in a a.old .a.ctx-new b; do same "$way: $file" before "$file"; done
    done
    status_of 64 ctx-normalize --repair -i --report .a.ctx-new a 2>messages
    same 'repair' before a
    rm a a.old .a.ctx-new b before messages
}

@test "-i: an archive that would grow over a limit of the system is an error, and others cannot read it" {
    session a
    session b
    cp a before
    status_of 74 bash -c 'ulimit -f 8; exec ctx-compact --estimator bytes/4 --window 1k -i --archive archive a b' 2>messages
    same 'a, as it was' before a
    rm -f archive
    ctx-compact --estimator bytes/4 --window 1k -i --archive archive a
    same 'mode' <(echo 600) <(stat -c %a archive)
    rm a b before messages archive
}

@test "-i: a file that another program rewrites stays as that program leaves it, also when it grows" {
    session log
    { head -n 2 log; echo '{"role":"user","content":"of another program"}'; tail -n +3 log; } >other
    status_of 75 ctx-compact --estimator bytes/4 --window 1k -i --decide 'cat other >log' log 2>messages
    same 'the log' other log
    same 'messages' <(echo 'ctx-compact: log: was changed meanwhile; try again later') messages
    session log
    ctx-compact --estimator bytes/4 --window 1k -i --decide 'cat log >copy && cat copy >log && tail -n 1 other >>log' log
    same 'the end' <(tail -n 1 other) <(tail -n 1 log)
    rm log other copy messages
}
