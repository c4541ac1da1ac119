#!/usr/bin/env bats
#
# ctx-restore: what was taken out of a log comes back byte for byte; what cannot come back is named.

load helper
load dialogue

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
    # The last line ends in a CR alone, and a budget record is written behind it.
    printf '%s\n%s\r' "$budget" "$(cat lf)" >cr
}

@test "ctx-restore: logs that differ in line ends and budget records share an archive" {
    local file order
    twins
    for order in 'lf crlf unended crlf.unended budget budget.unended cr' 'cr budget.unended budget crlf.unended unended crlf lf'; do
        rm -f archive
        # shellcheck disable=SC2086
        share $order
        for file in $order; do
            ctx-restore archive "$file.small" >back
            same "$file of $order" "$file" back
        done
    done
    # Lines that came later, and a budget record that was written anew, are in nobody's way.
    { user 'And June?' && says 'The same.'; } >new
    for file in lf crlf budget; do
        cat "$file.small" new >longer
        ctx-restore archive longer >back
        same "$file, longer" <(cat "$file" new) back
    done
    ctx-budget --window 2k budget.small | ctx-restore archive >back
    grep -v '^{"type":"budget"' back >messages
    same 'with another budget record' lf messages
}

# empty_passes STREAM N: entries of passes over the stream that change nothing, each with an id of its own.
empty_passes() {
    local i pass key
    for ((i = 0; i < $2; i++)); do
        printf -v pass '{"stream":"%s","id":"%012x","edits":[]}' "$1" "$i"
        key=$(printf %s "$pass" | b2sum -l 128)
        printf '{"key":"%s","pass":%s}\n' "${key%% *}" "$pass"
    done
}

@test "ctx-restore: passes that change nothing stand in nobody's way" {
    local file
    cp "$FIXTURES/compact-gauge.jsonl" lf
    share lf
    empty_passes "$(sed -n 's/.*"pass":{"stream":"\([0-9a-f]*\)".*/\1/p' archive)" 5 >empty
    cat archive empty >behind
    cat empty archive >before
    for file in behind before; do
        ctx-restore "$file" lf.small >back 2>err
        same "$file" lf back
        same "$file: nothing is doubtful" /dev/null err
    done
}

@test "ctx-restore: the same pass of another version is the same pass" {
    local pass key
    cp "$FIXTURES/compact-gauge.jsonl" lf
    share lf
    pass=$(sed -n 's/^{"key":"[0-9a-f]*","pass":\(.*\),"sessions":\[\]}}$/\1}/p' archive)
    key=$(printf %s "$pass" | b2sum -l 128)
    printf '{"key":"%s","pass":%s}\n' "${key%% *}" "$pass" >earlier
    cat archive earlier >behind
    cat earlier archive >before
    for file in behind before; do
        ctx-restore "$file" lf.small >back 2>err
        same "$file" lf back
        same "$file: nothing is doubtful" /dev/null err
    done
}

# tells FILE...: logs of which compaction leaves the same but for metadata.pass, each of which comes back.
tells() {
    local file
    rm -f archive
    share "$@"
    for file; do
        same "$file" <(sed 's/"pass":"[0-9a-f]*"//' "$1.small") <(sed 's/"pass":"[0-9a-f]*"//' "$file.small")
        ctx-restore archive "$file.small" >back
        same "$file" "$file" back
    done
}

@test "ctx-restore: the logs from which the same is left are told by the pass in metadata" {
    local budget='{"type":"budget","window":1000}' foreign='{"type":"x"}'
    twins
    { sed 3q lf && printf '%s\n' "$budget" && sed 1,3d lf; } >within
    { cat budget && printf '%s\n' "$budget"; } >twice
    tells budget within twice
    sed '3,4s/$/\r/' lf >part
    tells part lf
    { sed 3q lf && printf '%s\n' "$foreign" && sed 1,3d lf; } >early
    { sed 5q lf && printf '%s\n' "$foreign" && sed 1,5d lf; } >late
    tells early late
}

# dropped FILE: what is left of it when one message goes, and nothing else.
dropped() {
    printf '%s\n' '#!/bin/sh' 'grep -v c1' >drop
    chmod +x drop
    ctx-compact --archive archive --force --keep-turns 1 --target 10 --best-effort --pipeline ./drop "$1" >"$1.small"
}

@test "ctx-restore: where passes that only dropped something left the same bytes it is 65, and all are named" {
    local file wrong=0
    { user Go. && calls c1 read a.c && gets c1 "$(repeat 900 x)" && says Done. && user 'And now?'; } >first
    { sed 1q first && says 'c1 it is.' && sed 1d first; } >second
    { sed 4q first && says 'c1 it was.' && sed 1,4d first; } >third
    for file in first second third; do
        dropped "$file"
        same "$file" first.small "$file.small"
    done
    ! grep -q '"pass":"' first.small || fail 'something was marked'
    for file in first second third; do
        status_of 65 ctx-restore archive "$file.small" >back 2>messages
        same 'the last one' third back
        jq -r 'select(.pass).key' archive | sort >keys
        grep -o '[0-9a-f]\{32\}' messages | sort -u >named
        same 'the entries' keys named
        cmp -s "$file" back || wrong=$((wrong + 1))
    done
    [[ $wrong == 2 && $(wc -l <messages) == 2 ]]
    grep -Eq '^ctx-restore: archive: entry [0-9a-f]{32} fits these lines as well, and would give other ones: taken was entry [0-9a-f]{32}$' messages
    # The same run once more is no other pass.
    rm archive
    dropped first
    dropped first
    ctx-restore archive first.small >back
    same 'first' first back
}

@test "ctx-restore: an archive of the form without positions is read, and where it fits twice it is 65" {
    local old=$FIXTURES/old-archive
    ctx-restore "$old/archive" "$old/small.jsonl" >back
    same 'the log' "$old/log.jsonl" back
    # New passes are appended to it.
    cp "$old/archive" archive
    { cat "$old/small.jsonl" && says 'Home.' && user 'And now?'; } >longer
    ctx-compact --archive archive --force --target 50 --keep-turns 1 longer >small
    ! cmp -s small longer || fail 'nothing was compacted'
    ctx-restore archive small >back
    same 'the longer log' <(cat "$old/log.jsonl" <(says 'Home.' && user 'And now?')) back
    spec <<END
ctx-restore $old/twin.archive $old/twin.jsonl
>>>@ $old/twin.log.jsonl
>>>2 ctx-restore: $old/twin.archive: entry 9ac7541a345ba46a56de23adb0bbcc0e fits these lines as well, and would give other ones: taken was entry 14c99cefed2f2df29242f9a712a08cc9
>>>= 65
END
}

@test "ctx-restore: several ways, each by passes of its own" {
    local file=$FIXTURES/compact-gauge.jsonl
    ctx-compact --archive archive --force --pipeline dedupe "$file" >gentle
    ctx-compact --archive archive --force --target 3k --pipeline prune gentle >twice
    ctx-compact --archive archive --force --target 3k --pipeline dedupe,prune "$file" >once
    tac archive >other
    for small in once twice; do
        ctx-restore archive $small >back
        same "$small" "$file" back
        ctx-restore other $small >back
        same "$small of other" "$file" back
    done
    # A view that is made anew at each step leaves a pass for each.
    rm archive
    for n in 19 20 21 22 23; do
        head -n $n "$file" >log
        ctx-compact --archive archive --force --target 1k --keep-turns 1 log >small
    done
    ctx-restore archive small >back
    same 'archive' log back
}

@test "ctx-restore: a pass that does not match its key is named" {
    twins
    share budget
    key=$(jq -r 'select(.pass).key' archive)
    sed 's/"edits":\[/"edits":[ /' archive >broken
    ! cmp -s archive broken || fail 'nothing was broken'
    ctx-restore broken budget.small >back 2>messages || may 65
    grep -qx "ctx-restore: broken: entry $key does not match its key" messages
    # A whole one beside it is enough.
    cat broken archive >both
    ctx-restore both budget.small >back
    same 'both' budget back
    cat archive broken >both
    ctx-restore both budget.small >back
    same 'both' budget back
}

@test "ctx-restore: an entry that does not match its key is named, and the rest is restored" {
    ctx-compact --archive archive --window 4k "$FIXTURES/compact-gauge.jsonl" >small
    key=$(jq -r 'select(.tool_call_id == "c1").metadata.archived' small)
    # A damaged copy of it does no harm.
    sed -n "/^{\"key\":\"$key\"/s/Metres/Miles!/p" archive >copy
    cat copy >>archive
    ctx-restore archive small | cmp - "$FIXTURES/compact-gauge.jsonl"
    sed -i "/^{\"key\":\"$key\"/s/Metres/Miles!/" archive
    { sed -n 1,3p "$FIXTURES/compact-gauge.jsonl" && sed -n 4p small && sed -n '5,$p' "$FIXTURES/compact-gauge.jsonl"; } >expected
    spec <<END
ctx-restore archive small
>>>@ expected
>>>2 ctx-restore: archive: entry $key does not match its key
>>>= 65
END
    sed -i "/^{\"key\":\"$key\"/d" archive
    spec <<END
ctx-restore archive small
>>>@ expected
>>>2 ctx-restore: archive: entry $key is not there
>>>= 65
END
}

@test "ctx-restore: messages in a stream that something else changed come back by their keys" {
    ctx-compact --archive archive --window 4k "$FIXTURES/compact-gauge.jsonl" >small
    sed 2d small >less
    sed 2d "$FIXTURES/compact-gauge.jsonl" >expected
    ctx-restore archive less >back
    same 'restored' expected back
    ctx-compact --archive archive --window 1k "$FIXTURES/compact-gauge.jsonl" >small
    key=$(jq -r 'select(.metadata.kind == "summary").metadata.archived' small)
    sed 1d small >less
    spec <<END
ctx-restore archive less
>>>@ less
>>>2 ctx-restore: archive: entry $key has records of which the places are not known: something else changed the stream
>>>= 65
END
}

@test "ctx-restore: two archives, one behind the other" {
    ctx-compact --archive one --window 4k "$FIXTURES/compact-gauge.jsonl" >first
    ctx-compact --archive two --window 1k first >second
    ctx-restore two second >back 2>messages || may 65
    same 'the first' first back
    ctx-restore one back | cmp - "$FIXTURES/compact-gauge.jsonl"
    cat one two >both
    ctx-restore both second | cmp - "$FIXTURES/compact-gauge.jsonl"
}

@test "ctx-restore: a log that was never compacted passes" {
    : >archive
    cp "$FIXTURES/compact-gauge.jsonl" in
    keeps 'ctx-restore archive'
    # Where others were compacted, it is said; but not of each file in place.
    ctx-compact --archive archive --window 1k in >small
    jq -c 'del(.metadata)' small >bare
    spec <<'END'
ctx-restore archive bare | cmp - bare
>>>2 ctx-restore: 'archive' has nothing to put back here; the messages stay as they are
END
    spec <<'END'
ctx-restore -i archive in && cmp in "$FIXTURES/compact-gauge.jsonl"
END
    spec <<'END'
ctx-restore archive </dev/null
END
    ctx-restore archive small | cmp - in
    # Nor where messages come back by their own keys.
    ctx-compact --pipeline prune --archive pruned --limit 5k --best-effort in >small
    { user first; cat small; } >moved
    spec <<'END'
ctx-restore pruned moved | tail -n +2 | cmp - in
END
    rm archive
    spec <<'END'
ctx-restore archive in
>>>2 ctx-restore: cannot open 'archive': No such file or directory
>>>= 66
END
}

@test "ctx-restore: bad lines that went to the bad file do not come back, all else does" {
    awk 'NR == 2 { print "not a line" } { print } END { printf "{torn" }' "$FIXTURES/compact-gauge.jsonl" >log
    ctx-compact --archive archive --bad-lines=drop --bad-file bad --window 1k log >small 2>messages || may 65
    (($(wc -l <small) < 15))
    ctx-restore archive small | cmp - "$FIXTURES/compact-gauge.jsonl"
    ctx-compact --archive archive --window 1k log >small 2>messages || may 65
    ctx-restore archive small 2>messages | cmp - log || may 65
}

@test "ctx-restore: a long line that comes in pieces is one line" {
    { cat "$FIXTURES/compact-gauge.jsonl" && printf '{"role":"user","content":"%01000000d"}\n' 7 && user 'and now?'; } >log
    ctx-compact --max-line 100k --archive archive --window 1k --best-effort log >small 2>messages || may 65
    [[ $(wc -l <small) -lt $(wc -l <log) ]] || fail 'nothing was dropped'
    # The pieces are others, and the line is the same.
    ctx-restore --max-line 50k archive small 2>messages | cmp - log || may 65
    # A line that differs in a later piece is another line: no pass wrote this stream.
    sed 's/0007"/0008"/' small >other
    ctx-restore --max-line 50k archive other >back 2>messages || may 65
    grep -q 'something else changed the stream' messages
}

# compacted FILE...: compacts the gauge's log into each, with the archive A.
compacted() {
    local file
    for file; do
        cp "$FIXTURES/compact-gauge.jsonl" "$file"
        ctx-compact -i --archive A --window 1k "$file"
    done
}

@test "ctx-restore: the first operand is the archive, the others are the log, and options may come between" {
    compacted log
    refuses 'ctx-restore' 'expected an archive'
    refuses 'ctx-restore -i A' '--in-place needs files'
    ctx-restore A --report report -v log >back 2>said
    cmp "$FIXTURES/compact-gauge.jsonl" back
    [[ $(jq .passes report) == 1 && $(wc -l <said) == 1 ]]
    ctx-restore A - <log | cmp - back
    ctx-restore -- A log | cmp - back
    head -n 3 log >first
    sed 1,3d log | ctx-restore A first - | cmp - back
}

@test "ctx-restore: the archive is no output" {
    compacted log
    cp A before
    refuses 'ctx-restore A --report A log' "'A' is an input file"
    status_of 64 ctx-restore A log 2>said >>A
    refuses 'ctx-restore --bad-lines=drop --bad-file A A log' "'A' is an input file"
    refuses 'ctx-restore -i A log A' "'A' is read, and would be replaced"
    refuses 'ctx-restore -i A log ./A' "'A' is read, and would be replaced"
    cp A log.old
    refuses 'ctx-restore --in-place=.old log.old log' "'log.old' is a name that --in-place needs for 'log'"
    cmp before A
    cmp before log.old
}

@test "ctx-restore -i: each file is again what it was, and keeps its mode; what is whole is left alone" {
    compacted one two
    cp one small
    chmod 604 one
    spec <<'END'
ctx-restore --in-place=.old A one two
>>>+ one.old
>>>+ two.old
END
    cmp "$FIXTURES/compact-gauge.jsonl" one
    cmp one two
    cmp small one.old
    [[ $(stat -c %a one) == 604 ]]
    touch -d '2001-02-03 04:05:06' one
    before=$(stat -c '%i %Y' one)
    spec <<'END'
ctx-restore -i A one
END
    [[ $(stat -c '%i %Y' one) == "$before" ]]
}

@test "ctx-restore -i: a file of which something cannot come back stays as it is, with 65, and holds up no other" {
    compacted one two
    sed -i 1d one
    cp one before
    key=$(jq -r 'select(.metadata.kind == "summary").metadata.archived' one)
    spec <<END
ctx-restore -i A one two missing
>>>2 ctx-restore: one: A: entry $key has records of which the places are not known: something else changed the stream
>>>2 ctx-restore: missing: cannot open it: No such file or directory
>>>= 66
END
    cmp before one
    cmp "$FIXTURES/compact-gauge.jsonl" two
}

@test "ctx-restore -i: bad lines stay in their places, links and young files as they are" {
    compacted log
    echo '{torn' >>log
    cp log before
    ln -s log link
    status_of 73 ctx-restore -i A link 2>said
    status_of 75 ctx-restore -i --min-age 10m A log 2>>said
    cmp before log
    status_of 65 ctx-restore -i --follow-symlinks A link 2>>said
    same 'the log' <(cat "$FIXTURES/compact-gauge.jsonl" <(echo '{torn')) log
    [[ -L link ]]
}

# keyed KEY: the lines get that key, where they are objects that have none.
keyed() {
    sed "/^{.*}$/s/}$/,\"s\":\"$1\"}/"
}

# talk KEY: a session of twelve messages, of which a compaction drops some and prunes others.
talk() {
    { user "Go @, $1." && calls c@ read a.c && gets c@ "$(repeat 200 'x y ')" && says "Done @. $(repeat 30 'w ')"; } |
        numbered 1 3 | keyed "$1"
}

# back LOG SMALL: the log comes back with the key and without, and nothing is said of the archive.
back() {
    local how
    for how in '--session-key s' ''; do
        # shellcheck disable=SC2086
        ctx-restore $how archive "$2" >back 2>said || may 65
        same "$1 with '$how'" "$1" back
        ! grep -e entry said || fail "$1 with '$how'"
    done
}

compact_keyed='ctx-compact --session-key s --archive archive --force --keep-turns 1 --target 60 --best-effort'

# forget_whole: the archive as an earlier version would have it, which had no passes of many sessions.
forget_whole() {
    grep -v '"sessions":\["' archive >earlier
    mv earlier archive
}

@test "ctx-restore --session-key: what was not compacted leaves as it came" {
    : >archive
    paste -d '\n' <(talk a) <(talk b) | sed '5i\not a line' >in
    printf '{torn' >>in
    status_of 65 ctx-restore --session-key s archive in >back 2>said
    same 'the log' in back
}

@test "ctx-restore --session-key: sessions come back in the order of their records, and what has no key in its place" {
    local line
    paste -d '\n' <(talk a) <(talk b) >plain
    for line in 'not a line' '{torn' '' '  ' '{"type":"x"}' '{"type":"budget","window":900}' '{"type":"context","system_prompt":"p"}' \
        '{"role":"user","content":"free"}' '{"role":"assistant","content":"free"}'; do
        awk -v line="$line" '{ print } NR == 8 || NR == 16 { print line }' plain >within
        { printf '%s\n' "$line" "$line" && cat plain; } >first
        { cat plain && printf '%s\n%s' "$line" "$line"; } >last
        for log in within first last; do
            rm -f archive
            $compact_keyed $log >small 2>said || may 65
            (($(wc -l <small) < 20)) || fail "$line: nothing was dropped"
            back $log small
        done
    done
}

@test "ctx-restore --session-key: streams that begin and end in other ways" {
    local log
    paste -d '\n' <(talk a) <(talk b) >lf
    sed 's/$/\r/' lf >crlf
    printf %s "$(cat lf)" >unended
    printf '%s\r' "$(cat lf)" >cr
    printf '\xef\xbb\xbf%s\n' "$(cat lf)" >bom
    { sed -n 2p lf | sed 's/^/\xef\xbb\xbf/' && sed 1,2d lf; } >bom.dropped
    { cat lf && echo '{"type":"budget","window":900,"s":"a"}' && printf '{"type":"budget","window":900}\r'; } >budget
    # The digest stands behind the only request, which is last.
    printf '%s\r' "$({ calls c1 read a.c && gets c1 "$long" && says "$(repeat 50 'w ')" && user Go.; } | keyed a)" >request
    for log in lf crlf unended cr bom bom.dropped budget request; do
        rm -f archive
        $compact_keyed $log >small
        ! cmp -s $log small || fail 'the same'
        back $log small
    done
}

@test "ctx-restore --session-key: many passes, with the key and without, in place, and lines that came between" {
    paste -d '\n' <(talk a) <(talk b) | sed '9i\not a line' >log
    cp log small
    ctx-compact -i --session-key s --archive archive --force --keep-turns 2 --target 400 --best-effort small 2>said || may 65
    { talk c | head -n 3 && echo '{torn' && user 'And?' | keyed a && says 'So.' | keyed b; } | tee -a small >>log
    ctx-compact --archive archive --force --keep-turns 2 --target 700 --best-effort small >next 2>said || may 65
    { user 'Again?' | keyed a && echo '{"type":"x"}'; } | tee -a next >>log
    ctx-isolate --session-key s --execution none --archive archive next >small 2>said || may 65
    talk d | tee -a small >>log
    $compact_keyed small >next 2>said || may 65
    ! cmp -s small next || fail 'the same'
    echo '{"type":"y","s":"b"}' | tee -a next >>log
    back log next
    # In place, too.
    cp next file
    ctx-restore -i --session-key s archive file 2>said || may 65
    same 'the file' log file
}

@test "ctx-restore: a session that has left the others comes back by its own passes, wherever they are in the archive" {
    paste -d '\n' <(talk a) <(talk b) >log
    $compact_keyed log >small
    { cat small && user 'And?' | keyed a; } >longer
    $compact_keyed --target 40 longer >small
    tac archive >other
    for archive in archive other; do
        grep '"s":"b"' small >one
        ctx-restore "$archive" one >back
        same 'b' <(grep '"s":"b"' log) back
        ctx-restore "$archive" small >back
        same "$archive" <(cat log <(user 'And?' | keyed a)) back
    done
}

@test "ctx-restore --session-key: a pass of a session is undone there, though its lines begin the stream" {
    { talk a && raw '{"type":"budget","window":900,"s":"a"}' && talk b; } >log
    $compact_keyed log >once
    # The second pass changes no more of session a than its budget record, behind the first lines.
    cat once <(user 'And?' | keyed a) >longer
    ctx-compact --session-key s --archive archive --force --keep-turns 9 --target 9k longer >small
    forget_whole
    ctx-restore --session-key s archive small >back
    for key in a b; do
        same "$key" <(cat log <(user 'And?' | keyed a) | grep "\"s\":\"$key\"") <(grep "\"s\":\"$key\"" back)
    done
}

@test "ctx-restore: a pass that wrote a budget record, and no more, is none where the record is another by now" {
    { cat "$FIXTURES/compact-gauge.jsonl" && raw '{"type":"budget","window":9000}'; } >log
    ctx-compact --archive archive --window 8000 log >small
    ! cmp -s log small || fail 'the same'
    ctx-restore --report report archive small >back
    [[ $(jq .passes report) == 1 ]]
    same 'the log' log back
    ctx-budget --window 7000 small >other
    ctx-restore --report report archive other >back
    [[ $(jq .passes report) == 0 ]]
    same 'another record' other back
}

@test "ctx-restore --sorted: sessions behind each other come back, with blank and bad lines in their places" {
    local log more
    { echo '{torn' && talk a | sed '2i\not a line' && echo && talk b | sed '1a\ ' && talk c && echo '{torn'; } >log
    cp log small
    for more in d e; do
        talk $more | sed '2i\torn' | tee -a small >>log
        $compact_keyed --sorted small >next 2>said || may 65
        mv next small
    done
    (($(wc -l <small) < 45)) || fail 'nothing was dropped'
    back log small
    ctx-restore --session-key s --sorted archive small >back 2>said || may 65
    same 'sorted' log back
}

# chances SEED: a log of up to four sessions in turn or behind each other, among lines without a key of
# every kind, in the files 1, 2 and 3, which are to be compacted with what was left of those before.
chances() {
    awk -v seed="$1" '
        function any(list,    n, word) { n = split(list, word, "|"); return word[int(rand() * n) + 1] }
        function line(text) { printf "%s%s", text, rand() < 0.9 ? eol : any("\n|\r\n") >file }
        function message(key,    tail, n) {
            tail = key == "" ? "}" : ",\"s\":\"" key "\"}"
            n = int(rand() * 10)
            if (n < 4)
                line("{\"role\":\"user\",\"content\":\"" any("Go.|And?|" words) "\"" tail)
            else if (n < 6)
                line("{\"role\":\"assistant\",\"content\":\"" any("Done.|" words) "\"" tail)
            else if (n < 9) {
                line("{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"c" ++calls \
                    "\",\"function\":{\"name\":\"read\",\"arguments\":\"{\\\"path\\\":\\\"" any("a|b") ".c\\\"}\"}}]" tail)
                line("{\"role\":\"tool\",\"tool_call_id\":\"c" calls "\",\"content\":\"" any("ok|" words words words) "\"" tail)
            } else
                line(any("{\"type\":\"x\"|{\"type\":\"context\",\"system_prompt\":\"p\"|{\"type\":\"budget\",\"window\":700") tail)
        }
        BEGIN {
            srand(seed)
            for (i = 0; i < 60; i++)
                words = words "w "
            eol = any("\n|\n|\r\n")
            for (file = 1; file <= 3; file++) {
                if (file == 1 && rand() < 0.2)
                    printf "\357\273\277" >file
                count = 4 + int(rand() * 30)
                sessions = 1 + int(rand() * 4)
                turns = rand() < 0.7
                for (i = 0; i < count; i++) {
                    message(substr("abcd", 1 + int((turns ? rand() : i / count) * sessions), 1))
                    if (rand() < 0.2)
                        line(any("not a line|{torn||  |{\"type\":\"x\"}|{\"type\":\"budget\",\"window\":600}|" \
                            "{\"type\":\"context\",\"system_prompt\":\"q\"}|{\"role\":\"user\",\"content\":\"Free?\"}|42"))
                }
                if (file == 3 && rand() < 0.3)
                    printf "%s", any("{\"type\":\"x\"}|{torn|{\"type\":\"y\",\"s\":\"a\"}\r|{\"type\":\"z\"}\r") >file
            }
        }'
}

@test "ctx-restore: streams of sessions and lines without a key, of every kind and at random, come back after one pass to three" {
    local seed n how changed=0
    local -a ways=("$compact_keyed" "$compact_keyed --pipeline dedupe,prune --target 300" 'ctx-compact --session-key s --archive archive --window 600 --best-effort'
        'ctx-compact --archive archive --force --target 300 --best-effort' 'ctx-isolate --session-key s --archive archive --execution none'
        'ctx-isolate --archive archive' 'ctx-isolate --session-key s --archive archive --policy mask --min-tokens 0 --keep-results 0')
    for seed in {1..40}; do
        rm -f archive log small
        : >archive
        chances "$seed"
        # The last of the files may end without a line end, and nothing comes behind it.
        for n in $(seq $((1 + seed % 3)) 3); do
            cat "$n" >>log
            cat "$n" >>small
            how=${ways[(seed + n * (seed / 7 + 1)) % ${#ways[@]}]}
            $how small >next 2>said || may 1 65
            # A session that cannot meet its budget is not written.
            [[ -s next ]] && ! grep -q 'cannot be met' said || cp small next
            cmp -s small next || changed=$((changed + 1))
            mv next small
        done
        back log small || fail "seed $seed"
    done
    ((changed > 60)) || fail "only $changed passes changed something"
}

@test "ctx-restore --session-key: where the same sessions in another order left the same bytes it is 65, and both are named" {
    paste -d '\n' <(talk a) <(talk b) >one
    # Lines of both that are dropped change places.
    { sed 4q one && sed -n 6p one && sed -n 5p one && sed 1,6d one; } >two
    $compact_keyed one >small
    $compact_keyed two >other
    same 'what is left' small other
    status_of 65 ctx-restore --session-key s archive small >back 2>said
    same 'the last one' two back
    jq -r 'select(.pass.sessions).key' archive | sort >keys
    [[ $(wc -l <keys) == 2 ]]
    same 'the entries' keys <(grep -o '[0-9a-f]\{32\}' said | sort -u)
}

@test "ctx-restore --session-key: what an earlier version archived of each session stands in its place" {
    paste -d '\n' <(talk a) <(talk b) >log
    ctx-isolate --session-key s --archive archive --policy mask --min-tokens 0 --keep-results 0 log >small
    forget_whole
    ctx-restore --session-key s archive small >back
    same 'the log' log back
}
