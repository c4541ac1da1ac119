#!/usr/bin/env bats
#
# ctx-normalize --into -i: an agent's file gets back what became of its log, while it is nobody's, and
# what is appended to it meanwhile stays.

load helper
load dialogue

into='ctx-normalize --into log.jsonl -i --min-age 0'

# session: an agent's file, as it was, and small, what --into makes of a compaction of it; stream is its log.
session() {
    ctx-normalize --to codex "$FIXTURES/compact-gauge.jsonl" >log.jsonl 2>/dev/null
    cp log.jsonl before
    ctx-normalize log.jsonl | ctx-compact --estimator bytes/4 --window 4k --archive archive >stream
    ctx-normalize --into log.jsonl stream >small
    (($(wc -c <small) < $(wc -c <before)))
}

# nothing_else NAME...: these files are in the directory and no other.
nothing_else() {
    same 'files' <(printf '%s\n' log.jsonl before archive stream small "$@" | sort) \
        <(find . -mindepth 1 -printf '%P\n' | sort)
}

@test "ctx-normalize --into -i: the file becomes what would be written, with its mode, and is the same then" {
    session
    chmod 604 log.jsonl
    spec <<'END'
ctx-normalize --into log.jsonl -i --min-age 0 stream
>>>+ log.jsonl
END
    cmp small log.jsonl
    [[ $(stat -c %a log.jsonl) == 604 ]]
    nothing_else
    # A log that nothing has changed, and one of a file that is another by now.
    touch -d '2001-02-03 04:05:06' log.jsonl
    stat -c '%i %Y %Z' log.jsonl >want
    ctx-normalize log.jsonl | ctx-normalize --into log.jsonl -i
    same 'not written' want <(stat -c '%i %Y %Z' log.jsonl)
    rm want
    spec <<'END'
ctx-normalize --into log.jsonl -i --min-age 0 stream
>>>2 ctx-normalize: log.jsonl is not as it was read, or another file: read it again
>>>= 75
END
    cmp small log.jsonl
    nothing_else
}

@test "ctx-normalize --into: where nothing is left, that is what is written" {
    echo '{"role":"user","content":"a"}' | ctx-normalize --to claude-code >session
    ctx-normalize session | grep '"type":"source"' >none
    ctx-normalize --into session -o left none
    [[ -f left && ! -s left ]]
    status_of 64 ctx-normalize --into session -i --min-age 0 none 2>said
    [[ -s session ]]
    ctx-normalize --into session --in-place=.old --min-age 0 none
    [[ ! -s session && -s session.old ]]
}

@test "ctx-normalize --into -i: what goes is in an archive, or the old file stays" {
    session
    ctx-normalize log.jsonl | sed 2,9d >unarchived
    status_of 64 $into unarchived 2>said
    grep -q '^ctx-normalize: [0-9]* messages would be gone for good: compact with --archive, or keep the old file with --in-place=SUFFIX' said
    cmp before log.jsonl
    ctx-normalize --into log.jsonl --in-place=.old --min-age 0 unarchived
    cmp before log.jsonl.old
    (($(wc -c <log.jsonl) < $(wc -c <before)))
    # What an archive has is told by the marks of the log, and what is only changed is not gone.
    cp before log.jsonl
    ctx-normalize log.jsonl | ctx-compact --force --limit 1k --archive archive | $into
    (($(wc -c <log.jsonl) < $(wc -c <small)))
    cp before log.jsonl
    ctx-normalize log.jsonl | sed '1s/"content":"/&x/' | $into
    ! cmp -s before log.jsonl || fail "as it was"
}

@test "ctx-normalize --into -i: a file that an agent has open, or wrote to lately, is status 75, and as it was" {
    session
    # An old file whose newest record is young, and a young one whose records are old or have no time.
    sed "\$s/\"timestamp\":\"[^\"]*\"/\"timestamp\":\"$(date -u +%FT%T.000Z)\"/" before >log.jsonl
    cp log.jsonl young
    touch -d '2001-02-03 04:05:06' log.jsonl
    ctx-normalize log.jsonl >late
    spec <<'END'
ctx-normalize --into log.jsonl -i late
>>>2 ctx-normalize: log.jsonl: was written to in the last 60 seconds; try again later
>>>= 75
END
    cmp young log.jsonl
    sed 's/"timestamp":"[^"]*",//' before >log.jsonl
    ctx-normalize log.jsonl >late
    status_of 75 ctx-normalize --into log.jsonl -i late 2>said
    touch -d '2001-02-03 04:05:06' log.jsonl
    ctx-normalize --into log.jsonl -i late
    cp before log.jsonl
    cp log.jsonl young
    spec <<'END'
ctx-normalize --into log.jsonl -i --min-age 1h stream
>>>2 ctx-normalize: log.jsonl: was written to in the last 3600 seconds; try again later
>>>= 75
END
    cmp young log.jsonl
    touch -d '2001-02-03 04:05:06' log.jsonl
    ctx-normalize --into log.jsonl -i --min-age 1h stream
    cmp small log.jsonl
    rm young late
    cp before log.jsonl
    # Codex has its file open for as long as it runs.
    exec 8>>log.jsonl
    status_of 75 $into stream 2>said || { exec 8>&-; skip 'no leases'; }
    exec 8>&-
    same 'said' <(echo 'ctx-normalize: log.jsonl: is open for writing by another program; try again later') said
    if command -v flock >/dev/null; then
        exec 9<log.jsonl
        flock 9
        status_of 75 $into stream 2>said
        exec 9<&-
        same 'locked' <(echo 'ctx-normalize: log.jsonl: is locked; try again later') said
    fi
    cmp before log.jsonl
    nothing_else said
}

@test "ctx-normalize --into -i: a session that Codex has the lock of is status 75" {
    command -v flock >/dev/null || skip 'no flock'
    session
    local id=01990000-0000-7000-8000-000000000001
    local day=sessions/2026/01/01
    local file=$day/rollout-2026-01-01T00-00-00-$id.jsonl
    mkdir -p $day thread-writer-locks
    mv log.jsonl $file
    : >thread-writer-locks/$id.lock
    exec 9<thread-writer-locks/$id.lock
    flock 9
    status_of 75 ctx-normalize --into $file -i --min-age 0 stream 2>said
    exec 9<&-
    same 'said' <(echo "ctx-normalize: $file: the session is open in Codex, which has its lock; try again later") said
    cmp before $file
    ctx-normalize --into $file -i --min-age 0 stream
    cmp small $file
    # Without a lock there is nothing to take.
    rm -r thread-writer-locks
    cp before $file
    ctx-normalize --into $file -i --min-age 0 stream
    cmp small $file
}

@test "ctx-normalize --into -i: links, and other files, are replaced by their options alone" {
    session
    mkdir deep
    mv log.jsonl deep/file
    ln -s deep/file log.jsonl
    status_of 73 $into stream 2>said
    grep -q '^ctx-normalize: log.jsonl: ' said
    $into --follow-symlinks stream
    cmp small deep/file
    cp before deep/file
    ln deep/file deep/other
    status_of 73 $into --follow-symlinks stream 2>said
    $into --follow-symlinks --break-hard-links stream
    cmp small deep/file
    cmp before deep/other
}

@test "ctx-normalize --into -i: the command lines that are wrong" {
    session
    refuses 'ctx-normalize --into log.jsonl -i -o new stream' '--output cannot be combined with --in-place'
    refuses 'ctx-normalize -i stream' '--in-place requires --repair, --into or --gc'
    refuses 'ctx-normalize --into - -i stream' '--in-place does not replace standard input'
    refuses 'ctx-normalize --into log.jsonl --in-place=a/b stream' \
        "bad value 'a/b' of --in-place, expected a suffix without '/', such as .bak"
    refuses 'ctx-normalize --into log.jsonl --in-place=.old --report log.jsonl.old stream' \
        "'log.jsonl.old' is a name that --in-place needs for 'log.jsonl'"
    cmp before log.jsonl
}

@test "ctx-normalize --into -i: what was appended since the log was made stays behind the result" {
    session
    echo '{"timestamp":"t","type":"event_msg","payload":{"type":"note","n":1}}' >late
    cat late >>log.jsonl
    $into stream
    same 'appended' <(cat small late) log.jsonl
    cp before log.jsonl
    sed -i '2s/a/b/' log.jsonl
    cp log.jsonl other
    status_of 75 $into stream 2>/dev/null
    cmp other log.jsonl
}

@test "ctx-normalize --into -i: killed at each call that names a file it leaves the old file or the new one" {
    local call number kills=0
    needs_strace
    session
    strace -o trace $into stream
    cmp small log.jsonl
    sed -nE 's/^(openat|fsync|rename[a-z0-9]*|link[a-z0-9]*|unlink[a-z0-9]*|write[v]*|flock|fcntl)\(.*/\1/p' trace | sort | uniq -c >calls
    while read -r number call <&3; do
        for ((; number > 0; number--)); do
            cp before log.jsonl
            strace -o trace -e "inject=$call:signal=KILL:when=$number" $into stream 2>said || true
            grep -q 'killed by SIGKILL' trace || continue
            kills=$((kills + 1))
            cmp -s log.jsonl before || cmp -s log.jsonl small || fail "torn: $call $number"
            # The next run goes on, and clears away what is left.
            cmp -s log.jsonl small || $into stream
            cmp log.jsonl small || fail "not mended: $call $number"
            nothing_else calls said trace
        done
    done 3<calls
    printf '%s kills\n' "$kills"
    ((kills > 5))
}

# appended WRITER: lines of an agent that opens its file for each.
appended() {
    local i
    for ((i = 1; i <= 400; i++)); do
        printf '{"timestamp":"t","type":"event_msg","payload":{"type":"note","n":"%s %s"}}\n' "$1" "$i" >>log.jsonl
    done
}

@test "ctx-normalize --into -i: programs that append lose not one line" {
    local status writer replaced=0
    local -a pids=()
    session
    for writer in 0 1 2; do
        appended "$writer" &
        pids+=($!)
    done
    while kill -0 "${pids[@]}" 2>/dev/null; do
        status=0
        ctx-normalize log.jsonl 2>/dev/null | sed 's/depth/DEPTH/; t; s/DEPTH/depth/' |
            ctx-normalize -v --into log.jsonl --in-place=.old --min-age 0 2>said || status=$?
        ((status == 0 || status == 75 || status == 65)) || fail "status $status: $(cat said)"
        ((status != 0)) || replaced=$((replaced + 1))
    done
    wait "${pids[@]}"
    printf '%s times replaced\n' "$replaced"
    ((replaced > 0))
    for writer in 0 1 2; do
        seq -f "$writer %.0f" 400
    done | sort >want
    jq -r '.payload.n // empty' log.jsonl | sort >got
    same 'lines' want got
}
