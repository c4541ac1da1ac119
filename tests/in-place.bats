#!/usr/bin/env bats
#
# Files that are replaced where they stand: what becomes of them, what leaves them as they were, and
# what other programs that append to them lose, which is nothing.

load helper
load dialogue

compact='ctx-compact --estimator bytes/4 -i'

# session FILE: one that --window 4k makes smaller.
session() {
    cat "$FIXTURES/compact-gauge.jsonl" >"$1"
}

# nothing_else NAME...: these files are in the directory and no other.
nothing_else() {
    same 'files' <(printf '%s\n' "$@" | sort) <(find . -mindepth 1 -printf '%P\n' | sort)
}

# needs COMMAND: skips the test where it is not there.
needs() {
    command -v "$1" >/dev/null || skip "no $1"
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
    ! cmp -s before log
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
-i --plan log|--plan changes nothing; it goes without --in-place
--in-place=/x log|bad value '/x' of --in-place, expected what stands behind the name
-i --bad-lines=drop --bad-file=b log|--in-place leaves bad lines in their places; it goes with no --bad-lines=drop
-i --min-age=soon log|bad value 'soon' of --min-age, expected a time such as 60s or 5m
-i.bak log|unknown option '-.'
END
    cmp before log
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
    ! cmp -s before hard
    $compact --window 4k --follow-symlinks link
    cmp hard sub/log
    [[ -L link ]]
}

@test "ctx-compact -i: a file that may not be written stays as it is" {
    ((EUID != 0)) || skip 'root may write to every file'
    session log
    cp log before
    chmod 444 log
    status_of 73 $compact --window 4k log 2>said
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

@test "ctx-compact -i: a signal that ends it leaves the file as it was and no other" {
    local signal
    needs strace
    strace -o /dev/null true 2>/dev/null || skip 'strace may not trace'
    session log
    cp log before
    for signal in TERM INT HUP QUIT; do
        # The first fsync is that of the new file, before it has the name.
        status=0
        strace -o trace -e trace=fsync -e "inject=fsync:signal=$signal:when=1" \
            $compact --window 4k log 2>said || status=$?
        printf '%s: %s\n' "$signal" "$status"
        ((status > 128))
        cmp before log
        nothing_else before log said trace
    done
}
