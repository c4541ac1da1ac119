#!/usr/bin/env bats
#
# ctx-compact, transform by transform and invariant by invariant: what becomes of a session that is too
# long.  Tokens are counted by bytes/4, so that a reader can count along.
#
# A backslash before a closing quote is one of JSON:
# shellcheck disable=SC1003

load helper
load dialogue

compact='ctx-compact --estimator bytes/4'

# 134 bytes, in three sentences.
dark='The lamp of buoy 7 was dark when we came by.'
lamp="$dark $dark $dark"

# What is said of a read that is no longer worth its tokens.
stale='compacted content -> [stale: the file was changed later]'

# plan: the lines of --plan, from a table on standard input; a tool stands behind the role, - is nothing; the
# reason may end in largest=N.
plan() {
    local line role execution action messages before after reason largest
    while read -r line role execution action messages before after reason; do
        role=\"$role\"
        [[ $role != *:* ]] || role=${role%:*}\",\"tool\":\"${role#*:}
        [[ $execution == - ]] || role+=",\"execution\":\"$execution\""
        largest=${reason##* largest=} reason=${reason%% largest=*}
        [[ $largest == "$reason" ]] && largest= || largest=",\"largest\":$largest"
        [[ $reason != *' option='* ]] || largest=",\"option\":\"${reason##* option=}\"$largest"
        reason=${reason%% option=*}
        printf '{"line":%s,"role":%s,"action":"%s","reason":"%s","messages":%s,"tokens_before":%s,"tokens_after":%s%s}\n' \
            "$line" "$role" "$action" "$reason" "$messages" "$before" "$after" "$largest"
    done
}

# still STATUS COMMAND...: a second run, to twice, ends with the status of the first, or with 1 when it is
# still time and it says so.
still() {
    local status=0
    "${@:2}" >twice 2>said || status=$?
    [[ $status == "$1" || ($status == 1 && $(<said) == *': nothing more can be done, and it is still time: '*) ]] ||
        fail "status $status, expected $1: $(head -c 300 said)"
}

@test "ctx-compact: a session that the budget has room for passes byte for byte" {
    { raw ' {"role" : "user", "content":"Is the lamp \u006cit?", "x":1.50}'; says 'It is.'; } >in
    keeps "$compact"
}

@test "ctx-compact: dedupe: a read is stale when a later call edits or writes the file" {
    {
        user 'Mend the lamp.'
        calls c1 read lamp.c; gets c1 "$lamp"
        calls c2 edit '{"path":"./lamp.c","new":"lit"}'; gets c2 'done'
        calls c3 read buoy.c; gets c3 "$lamp"
        calls c4 write '{"path":"buoy.c","content":"x"}'; gets c4 'done'
        user Thanks.; user Bye.
    } >in
    makes "$compact --force" 1-2 "3: $stale" 4-6 "7: $stale" 8-11
}

@test "ctx-compact: dedupe: a read is stale when a shell command writes the file" {
    {
        user 'Mend the lamp.'
        calls c1 read lamp.c; gets c1 "$lamp"
        calls c2 bash '{"command":"sed -i s/dark/lit/ lamp.c && make"}'; gets c2 ok
        user Thanks.; user Bye.
    } >in
    makes "$compact --force" 1-2 "3: $stale" 4-7
}

@test "ctx-compact: dedupe: an edit that failed, or is of another file, makes no read stale" {
    {
        user 'Mend the lamp.'
        calls c1 read lamp.c; gets c1 "$lamp"
        calls c2 edit '{"path":"lamp.c","new":"lit"}'; gets c2 'no match' '"is_error":true,"resolved":true'
        calls c3 edit '{"path":"a/lamp.c","new":"lit"}'; gets c3 'done'
        user Thanks.; user Bye.
    } >in
    keeps "$compact --force"
}

@test "ctx-compact: dedupe: a read is superseded when a later one covers its lines" {
    {
        user 'Mend the lamp.'
        calls c1 read '{"path":"lamp.c","offset":20,"limit":10}'; gets c1 "lines 20 to 29: $lamp"
        calls c2 read '{"path":"lamp.c","offset":1,"limit":10}'; gets c2 "lines 1 to 10: $lamp"
        calls c3 read '{"path":"lamp.c","offset":15,"limit":20}'; gets c3 "lines 15 to 34: $lamp"
        user Thanks.; user Bye.
    } >in
    makes "$compact --force" 1-2 '3: compacted content -> [superseded by a later read of the file]' 4-9
}

@test "ctx-compact: dedupe: the same call made again leaves the last result" {
    {
        user 'Mend the lamp.'
        calls c1 survey '{"at":"pier","deep":true}'; gets c1 "first: $lamp"
        calls c1 survey '{ "deep":true, "at":"pier" }'; gets c1 "second: $lamp"
        calls c3 survey '{"at":"dock","deep":true}'; gets c3 "third: $lamp"
        user Thanks.; user Bye.
    } >in
    makes "$compact --force" 1-2 '3: compacted content -> [duplicate: the call was made again later]' 4-9
}

@test "ctx-compact: dedupe: errors are no duplicates, and what was compacted proves nothing" {
    {
        user 'Mend the lamp.'
        calls c1 survey '{"at":"pier"}'; gets c1 "error: $lamp" '"is_error":true,"resolved":true'
        calls c2 survey '{"at":"pier"}'; gets c2 "good: $lamp"
        calls c3 survey '{"at":"pier"}'; gets c3 '[somebody shortened this]' '"compacted":true'
        user Thanks.; user Bye.
    } >in
    keeps "$compact --force"
}

# tries N OUTPUT METADATA: runs the tests once more, and gets that.
tries() {
    calls "t$1" bash '{"command":"make test"}'; gets "t$1" "$2" "${3-}"
}

failed='make: *** [test] Error 2: the lamp of buoy 7 was dark, and that of buoy 8'
failed="$failed, $failed, $failed"

@test "ctx-compact: dedupe: of failures of one call only the last stays, the others say how often and how it ended" {
    local n again='the call was made again, and the last attempt'
    {
        user 'Make it pass.'
        for n in 1 2 3; do tries $n "$n: $failed" '"is_error":true'; done
        says 'It does not.'
        user Thanks.; user Bye.
    } >in
    makes "$compact --force" 1-2 "3: compacted resolved content -> [attempt 1 of 3 failed: $again failed too]" 4 \
        "5: compacted resolved content -> [attempt 2 of 3 failed: $again failed too]" 6-10
    makes 'ctx-isolate --policy mask --keep-results 0 --min-tokens 1' 1-2 '3: compacted content -> [tool result masked, 226 B]' \
        4 '5: compacted content -> [tool result masked, 226 B]' 6-10
    # The last stays, too, where it says that it is resolved.
    {
        user 'Make it pass.'
        tries 1 "1: $failed" '"is_error":true'
        tries 2 "2: $failed" '"is_error":true,"resolved":true'
        says 'It does not.'
        user Thanks.; user Bye.
    } >in
    makes "$compact --force --pipeline dedupe" 1-2 "3: compacted resolved content -> [attempt 1 of 2 failed: $again failed too]" 4-8
    # Short failures stay, and so do those of which nothing can be resolved.
    {
        user 'Make it pass.'
        tries 1 'Error 2' '"is_error":true'
        tries 2 "2: $failed" '"is_error":true,"resolved":false'
        tries 3 "3: $failed" '"is_error":true,"compacted":true'
        tries 4 "4: $failed" '"is_error":true,"pinned":true'
        tries 5 "5: $failed" '"is_error":true'
        calls t bash '{"command":"make test"}' '"compacted":true'; gets t "$failed" '"is_error":true'
        tries 6 ok
        calls t bash '{"command":"make"}'; gets t "6: $failed" '"is_error":true'
        user Thanks.; user Bye.
    } >in
    makes "$compact --force --pipeline dedupe" 1-10 "11: compacted resolved content -> [attempt 5 of 6 failed: $again succeeded]" 12-19
}

@test "ctx-compact: dedupe: an attempt without a result, in a group, or of another agent" {
    {
        user 'Make it pass.'
        acts null "$(call a bash '{"command":"make test"}')" "$(call b bash '{"command":"make lint"}')"
        gets a "1: $failed" '"is_error":true'; gets b "lint: $failed" '"is_error":true'
        calls c bash '{"command":"make test"}' '"parent_execution_id":"e9","agent_id":"sub"'
        gets c "$failed" '"is_error":true,"parent_execution_id":"e9","agent_id":"sub"'
        calls d bash '{"command":"make test"}'
        says 'It does not.'
        user Thanks.; user Bye.
    } >in
    makes "$compact --force" 1-2 '3: compacted resolved content -> [attempt 1 of 2 failed: the call was made again, and the last attempt has no result]' 4-10 \
        '>>>2 ctx-compact: 2 messages of other agents not counted'
}

@test "ctx-compact: truncate: attempts may go but for the last, and the facts sum them over compactions" {
    local run="$compact --window 1k --soft 101 --target 100 --keep-turns 1 --pipeline dedupe,prune,truncate" n
    told() { printf '{"call":"bash make test","count":%s,"outcome":"%s","place":%s}' "$@"; }
    {
        user 'Make it pass.'
        for n in {1..5}; do tries "$n" "$n: $failed" '"is_error":true'; done
        says 'It does not.'
        user Bye.
    } >in
    makes "$run" 1 "$(summary 9 kept=3 covers=2-9,12 tried="4 of bash make test (the last failed, message 10)" checks='make test: failed' attempts="$(told 4 error 10)")" 10-11 13
    { $run in; says Well.; tries 6 "6: $failed" '"is_error":true'; tries 7 ok; says "It does. $lamp$lamp"; user Thanks.; } >longer
    mv longer in
    $run in >once
    $run once | cmp - once
    same 'facts' <(jq -c 'select(.metadata.facts).metadata.facts.attempts' once) <(printf '[%s]\n' "$(told 7 ok 17)")
    same 'what stays' <(jq -r '.content | split("\n")[0]' once) <(printf '%s\n' 'Make it pass.' \
        '[summary] 18 earlier messages were dropped to save context.' Thanks.)
    # What never failed is no attempt, however often it was done.
    { user Look.; calls c1 look '{}'; gets c1 "$lamp"; calls c2 look '{}'; gets c2 "$lamp"; says "Dark. $lamp"; user Bye.; } >in
    makes "$run" 1 "$(summary 4 kept=2 covers=2-5)" 6-7
}

@test "ctx-compact: prune: a long result keeps head and tail, cut on a code point boundary" {
    {
        user Go.
        calls c1 look '{}'
        gets c1 "äöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA$(repeat 20 '€uro')"
        user Thanks.; user Bye.
    } >in
    makes "$compact --force --prune-over 100 --pipeline prune" 1-2 \
        '3: compacted content -> äöüäöüäöüäöü\n[… 173 bytes cut …]\no€uro€uro€uro€uro' 4-5
}

@test "ctx-compact: prune: never cuts inside an escape" {
    {
        user Go.
        calls c1 look '{}'; gets c1 "$(repeat 20 '\u00e4\ud83d\ude00\n\\')"
        user Thanks.; user Bye.
    } >in
    makes "$compact --force --prune-over 100 --pipeline prune" 1-2 \
        '3: compacted content -> ä😀\n\\ä😀\n\\ä😀\n\\\n[… 111 bytes cut …]\n\\ä😀\n\\ä😀\n\\ä😀\n\\' 4-5
}

@test "ctx-compact: prune: error lines and the exit status of a shell result stay" {
    {
        user Go.
        calls c1 bash '{"command":"make"}'
        gets c1 "$(printf 'cc -c f%s.c\\n' {0..9})"'f11.c:3: Error: no lamp\n'"$(printf 'cc -c f%s.c\\n' {12..29})"'make: exit status 2'"$(repeat 60 '\nx')"'\n'
        calls c2 look '{}'
        gets c2 "$(printf 'cc -c f%s.c\\n' {0..11})"'f12.c:3: Error: no lamp\n'"$(printf 'cc -c f%s.c\\n' {13..29})"
        user Thanks.; user Bye.
    } >in
    makes "$compact --force --prune-over 200 --pipeline prune" 1-2 \
        '3: compacted content -> cc -c f0.c\ncc -c f1.c\ncc -c f2.c\ncc -c f3.c\ncc -c \n[… 346 bytes cut …]\nf11.c:3: Error: no lamp\nmake: exit status 2'"$(repeat 25 '\nx')"'\n' \
        4 \
        '5: compacted content -> cc -c f0.c\ncc -c f1.c\ncc -c f2.c\ncc -c f3.c\ncc -c \n[… 262 bytes cut …]\nc\ncc -c f26.c\ncc -c f27.c\ncc -c f28.c\ncc -c f29.c\n' \
        6-7
    # As many of such lines as a quarter of the size has room for.
    { user Go.; calls c1 bash '{"command":"make"}'; gets c1 "$(repeat 60 'x\n')$(repeat 40 'Error: no lamp\n')$(repeat 60 'x\n')"; user Thanks.; user Bye.; } >in
    makes "$compact --force --prune-over 200 --pipeline prune" 1-2 \
        "3: compacted content -> $(repeat 25 'x\n')\n[… 695 bytes cut …]\n$(repeat 3 'Error: no lamp\n')$(repeat 25 'x\n')" 4-5
}

@test "ctx-compact: prune: text parts of a result are cut one by one" {
    {
        user Go.
        calls c1 look '{}'
        gets c1 '[{"type":"text","text":"short"},{"type":"text","text":"'"$(repeat 60 a)""$(repeat 60 b)""$(repeat 60 c)"'"}]'
        user Thanks.; user Bye.
    } >in
    makes "$compact --force --prune-over 100 --pipeline prune" 1-2 \
        '3: compacted text -> aaaaaaaaaaaaaaaaaaaaaaaaa\n[… 130 bytes cut …]\nccccccccccccccccccccccccc' 4-5
}

@test "ctx-compact: prune: long strings in arguments go, the JSON and the path stay" {
    {
        user Go.
        calls c1 write '{"path":"'"$(repeat 55 'd/')"'lamp.c","content":"'"$(repeat 100 A)"'\n\"quoted\"\\'"$(repeat 100 B)"'","mode":[1,{"'"$(repeat 120 x)"'":"y"}]}'
        gets c1 ok
        raw '{"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"other","arguments":{"a":"'"$(repeat 300 Z)"'","b":[1.250,null]}}}]}'
        gets c2 ok
        user Thanks.; user Bye.
    } >in
    makes "$compact --force --prune-over 100 --pipeline prune" 1 \
        '2: compacted arguments.content -> AAAAAAAAAAAAAAAAAAAAAAAAA\\n[… 160 bytes cut …]\\nBBBBBBBBBBBBBBBBBBBBBBBBB' \
        3 \
        '{"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"other","arguments":{"a":"ZZZZZZZZZZZZZZZZZZZZZZZZZ\n[… 250 bytes cut …]\nZZZZZZZZZZZZZZZZZZZZZZZZZ","b":[1.250,null]}}}],"metadata":{"compacted":true}}' \
        5-7
}

@test "ctx-compact: prune: a shell command that would no longer show what it writes stays" {
    {
        user Go.
        calls c1 bash '{"command":"cat >lamp.c <<EOF'"$(repeat 60 '\nlit')"'\nEOF"}'; gets c1 ok
        calls c2 bash '{"command":"echo'"$(repeat 30 ' dark')"' >lamp.c;'"$(repeat 20 ' echo lit')"' "}'
        gets c2 ok
        user Thanks.; user Bye.
    } >in
    makes "$compact --force --prune-over 100 --pipeline prune" 1 \
        '2: compacted arguments.command -> cat >lamp.c <<EOF\\nlit\\nlit\\n[… 211 bytes cut …]\\nt\\nlit\\nlit\\nlit\\nlit\\nlit\\nEOF' \
        3-7
}

@test "ctx-compact: prune: arguments that are no JSON are a text" {
    {
        user Go.
        raw '{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"patch","arguments":"*** Begin Patch'"$(repeat 30 '\n+ a line')"'\n"}}]}'
        gets c1 ok
        user Thanks.; user Bye.
    } >in
    makes "$compact --force --prune-over 100 --pipeline prune" 1 \
        '2: compacted arguments -> *** Begin Patch\n+ a line\n\n[… 236 bytes cut …]\na line\n+ a line\n+ a line\n' \
        3-5
}

@test "ctx-compact: prune: thinking older than the newest turn becomes a placeholder" {
    {
        user Go.
        says '[{"type":"thinking","thinking":"'"$(repeat 3 'Let me think about this lamp for a good while. ')"'","signature":"c2ln"},{"type":"text","text":"Going."}]'
        user On.
        says '[{"type":"thinking","thinking":"'"$(repeat 3 'And now the other lamp, which is dark as well. ')"'","signature":"c2ln"},{"type":"text","text":"On it."}]'
        says Done.
    } >in
    makes "$compact --force --prune-over 100 --pipeline prune --keep-turns 0" 1 \
        "$(says '[{"type":"thinking","thinking":"[removed]"},{"type":"text","text":"Going."}]' '"compacted":true')" \
        3-5
}

@test "ctx-compact: prune: inline media become placeholders where that saves tokens" {
    {
        user Go.; says Where?
        user '[{"type":"text","text":"This lamp:"},{"type":"image_url","image_url":{"url":"data:image/png;base64,'"$(repeat 40 iVBO)"'"}}]'
        user '[{"type":"image_url","image_url":{"url":"https://example.org/lamp.png"}}]'
        says Dark.
        user Thanks.; user Bye.
    } >in
    makes 'ctx-compact --force --prune-over 100 --pipeline prune' 1-2 \
        "$(user '[{"type":"text","text":"This lamp:"},{"type":"text","text":"[image removed]"}]' '"compacted":true')" \
        4-7
}

@test "ctx-compact: prune: long results keep as much head and tail as the target has room for" {
    local target
    {
        user Go.
        calls c1 look '{"n":1}'; gets c1 "$(printf %063000d 1)"
        for n in {2..7}; do calls "c$n" look "{\"n\":$n}"; gets "c$n" "$(repeat 900 x)"; done
        says Done.
        user Bye.
    } >in
    for target in 3000 6000 10000; do
        $compact --limit 12k --target $target in >out
        ctx-budget --estimator bytes/4 --json out | jq -e --argjson target $target '.used_tokens | . > $target * 0.85 and . <= $target'
        [[ $(sed -n 3p out) == *' bytes cut '* ]]
        cmp <(sed 3d in) <(sed 3d out)
    done
    # With --force, a quarter of what is long from each end.
    $compact --force --limit 12k --target 10k in >out
    (($(sed -n 3p out | wc -c) < 1200))
}

@test "ctx-compact: prune: cut results become placeholders, oldest first, as long as that is needed" {
    {
        user Go.
        calls c1 look '{}'; gets c1 "$(repeat 30 'first ')"
        calls c2 look '{"n":2}'; gets c2 "$(repeat 30 'second ')"
        calls c3 look '{"n":3}'; gets c3 "$(repeat 30 'third ')"
        user Bye.
    } >in
    makes "$compact --pipeline prune --window 1k --target 95 --prune-over 100 --keep-turns 1 --soft 96" 1-2 \
        '3: compacted content -> [old result removed]' 4 \
        '5: compacted content -> second second second seco\n[… 160 bytes cut …]\nond second second second ' \
        6 \
        '7: compacted content -> third third third third t\n[… 130 bytes cut …]\n third third third third ' \
        8
}

@test "ctx-compact: prune: error text of an unresolved group is cut, the group stays" {
    {
        user Go.
        calls c1 bash '{"command":"make","why":"'"$(repeat 150 w)"'"}'
        gets c1 "error:$(repeat 20 ' no lamp here') " '"is_error":true'
        calls c2 bash '{"command":"make"}'; gets c2 "error:$(repeat 20 ' no lamp there') " '"is_error":true'
        user Thanks.; user Bye.
    } >in
    makes "$compact --force --prune-over 100 --pipeline prune --error-tokens 20" 1-2 \
        '3: compacted content -> error: no lam\n[… 241 bytes cut …]\nno lamp here ' 4 \
        '5: compacted content -> error: no lam\n[… 261 bytes cut …]\no lamp there ' 6-7
    {
        user Go.
        calls c1 bash '{"command":"make"}'; gets c1 "error:$(repeat 20 ' no lamp here') " '"is_error":true'
        calls c2 bash '{"command":"make"}'; gets c2 ok
        user Thanks.; user Bye.
    } >in
    makes "$compact --force --prune-over 100 --pipeline prune --error-tokens 20" 1-2 \
        '3: compacted content -> error: no lamp here no la\n[… 217 bytes cut …]\no lamp here no lamp here ' \
        4-7
}

@test "ctx-compact: truncate: whole groups and messages go, oldest first, and leave their facts" {
    {
        system 'Be brief.'
        user 'Mend the lamps.'
        calls c1 read lamp.c; gets c1 "$lamp"
        says 'Read it.'
        user 'And then?'
        calls c2 edit '{"path":"lamp.c","new":"'"$(repeat 40 'lit ')"'"}'; gets c2 'done'
        calls c3 bash '{"command":"echo lit >>log.txt; rm old.txt"}'
        gets c3 ok
        says Mended.
        user Bye.
    } >in
    makes "$compact --window 1k --target 66 --soft 67 --keep-turns 1 --pipeline truncate" 1-2 \
        "$(summary 8 kept=2 covers=3-10 read=lamp.c modified=lamp.c,log.txt deleted=old.txt)" 11-12
}

@test "ctx-compact: truncate: drops no more than is needed" {
    {
        system 'Be brief.'
        user 'Mend the lamps.'
        calls c1 read lamp.c; gets c1 "$lamp"
        says "Read it. $lamp"
        user 'And then?'
        calls c2 read buoy.c; gets c2 "$lamp"
        says Mended.
        user Bye.
    } >in
    makes "$compact --window 1k --target 150 --soft 151 --keep-turns 1 --pipeline truncate" 1-2 \
        "$(summary 2 kept=6 covers=3-4 read=lamp.c)" 5-10
}

@test "ctx-compact: truncate: one artifact takes the facts of the next messages, and none is stacked" {
    local facts='"kind":"summary","scope":"historical","compacted":true,"facts":{"dropped":3,"kept":2,"files_read":["pier.c","lamp.c"],"files_modified":[],"unresolved":["make failed"],"covers":[[3,4],[6,6]]}'
    {
        system 'Be brief.'
        user 'Mend the lamps.'
        user '[summary] 3 earlier messages were dropped to save context.\nFiles read: pier.c, lamp.c' "$facts"
        says "Read it. $lamp"
        calls c2 read pier.c; gets c2 "$lamp"
        calls c3 write '{"path":"log.txt","content":"x"}'; gets c3 ok
        user Bye.
    } >in
    makes "$compact --window 1k --target 75 --soft 76 --keep-turns 1 --pipeline truncate" 1-2 \
        "$(summary 6 kept=3 covers=3-8 read=lamp.c,pier.c unresolved='make failed' request=2,11)" 7-9
}

@test "ctx-compact: truncate: what an earlier artifact calls unresolved is visible, whatever JSON it is" {
    local hostile=$'{"tool":"look\xe2\x80\xae\xc2\x85","at":["b.c, c.c",2]}'
    {
        user 'Mend the lamps.'
        user '[summary] 3 earlier messages were dropped to save context.' \
            '"kind":"summary","compacted":true,"facts":{"dropped":3,"unresolved":["a\nUnresolved: b",'"$hostile"'],"covers":[[2,4]]}'
        calls c1 read lamp.c; gets c1 "$(repeat 20 "$lamp")"
        user Bye.
    } >log
    ctx-compact --estimator bytes/4 --window 1k --target 90 --soft 91 --keep-turns 1 --pipeline truncate log >out
    jq -r 'select(.metadata.kind == "summary").content' out >content
    same 'content' - content <<'END'
[summary] 5 earlier messages were dropped to save context.
Files read: lamp.c
Unresolved: "a\nUnresolved: b", {"tool":"look\u202e\u0085","at":["b.c, c.c",2]}
END
    [[ $(jq -c '.metadata.facts.unresolved // empty' out) == '["a\nUnresolved: b",'"$hostile]" ]]
}

@test "ctx-compact: truncate: facts of trace artifacts go into the artifact" {
    {
        user 'Mend the lamps.'
        artifact '' read lamp.c "ok, 9 kB $lamp"
        says "[trace] edit a.c: ok; edit b.c: error $lamp" '"kind":"trace","scope":"historical","is_trace":true,"compacted":true,"facts":{"calls":[{"tool":"edit","target":"a.c","op":"edit","outcome":"ok"},{"tool":"edit","target":"b.c","op":"edit","outcome":"error"}]}'
        says "Mended. $lamp"
        user Bye.
    } >in
    makes "$compact --window 1k --target 75 --soft 76 --keep-turns 1 --pipeline truncate" 1 \
        "$(summary 3 kept=1 covers=2-4 read=lamp.c modified=a.c)" 5
}

@test "ctx-compact: truncate: the facts have all files, the text as many as it has room for, the modified and newest first" {
    local n
    {
        user 'Mend the lamps.'
        for n in {1..300}; do
            calls c write "{\"path\":\"src/harbour/lamp-$n.c\",\"content\":\"lit\"}"; gets c ok
            calls c read "doc/$((n % 55)).md"; gets c ok
        done
        user Bye.
    } >in
    spec <<'END'
ctx-compact --estimator bytes/4 --window 40k --target 2000 --soft 2001 --keep-turns 1 --pipeline truncate in >$BATS_TEST_TMPDIR/once
cd $BATS_TEST_TMPDIR
jq -c 'select(.metadata).metadata.facts | [.dropped, (.files_read | length), .files_read[0], .files_read[-1], (.files_modified | length), .files_modified[0]]' once
jq -r 'select(.metadata).content' once | tail -2 | sed -E 's/: .*(, [^,]*, [^,]*, [^,]*$)/:\1/'
jq -r 'select(.metadata).content' once | wc -c
ctx-compact --estimator bytes/4 --window 40k --target 2000 --soft 2001 --keep-turns 1 --pipeline truncate once | cmp - once
>>> [1038,55,"doc/40.md","doc/39.md",260,"src/harbour/lamp-1.c"]
>>> Files read: doc/39.md and 54 more
>>> Files modified:, src/harbour/lamp-258.c, src/harbour/lamp-259.c, src/harbour/lamp-260.c and 194 more
>>> 1709
END
}

@test "ctx-compact: truncate: a file that was read and written stands once in the text, and what failed was not read" {
    {
        user 'Mend the lamps.'
        calls c1 read a.c; gets c1 "$lamp"
        calls c2 read b.c; gets c2 "$lamp"
        calls c3 write '{"path":"a.c","content":"lit"}'; gets c3 ok
        calls c4 read d.c; gets c4 'no such file' '"is_error":true,"resolved":true'
        says "Lit. $lamp"
        user Bye.
    } >in
    makes "$compact --window 1k --soft 71 --target 70 --keep-turns 1 --pipeline truncate | jq -r 'select(.metadata.facts) | .content, (.metadata.facts | .files_read, .files_modified | join(\" \"))'" \
        '[summary] 9 earlier messages were dropped to save context.' 'Files read: b.c' 'Files modified: a.c' 'a.c b.c' a.c
}

@test "ctx-compact: truncate: facts know what apply_patch wrote, in every form" {
    local patch=$'*** Begin Patch\n*** Update File: %s.c\n@@\n-a\n+b\n*** Add File: %s.h\n+c\n*** End Patch'
    files() { printf '%s' "${patch//%s/$1}"; }
    arguments() { printf '{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"%s","arguments":%s}}]}\n' "$@"; gets c "Done. $long"; }
    {
        user 'Mend the lamps.'
        arguments apply_patch "$(jq -nc --arg p "$(files a)" '{input: $p} | tojson')"
        arguments apply_patch "$(jq -nc --arg p "$(files b)" '{patchText: $p}')"
        arguments apply_patch "$(jq -nc --arg p "$(files c)" '$p')"
        arguments shell "$(jq -nc --arg p "$(files d)" '{command: ["apply_patch", $p]}')"
        arguments shell "$(jq -nc --arg p "$(files e)" '{command: ["bash", "-lc", "cd src && apply_patch <<'"'EOF'"'\n" + $p + "\nEOF"]}')"
        arguments exec_command "$(jq -nc --arg p "$(files f)" '{cmd: ("cat <<EOF | /usr/bin/apply_patch\n" + $p + "\nEOF")} | tojson')"
        arguments bash "$(jq -nc '{command: "git checkout main; git checkout -b refactor"}')"
        says Mended.
        user Bye.
    } >in
    spec <<'END'
ctx-compact --estimator bytes/4 --window 1k --target 60 --soft 61 --keep-turns 1 --pipeline truncate in | jq -r 'select(.metadata.facts).content'
>>> [summary] 14 earlier messages were dropped to save context.
>>> Files modified: a.c, a.h, b.c, b.h, c.c, c.h, d.c, d.h, src/e.c, src/e.h, f.c, f.h
END
    # So do the artifacts that ctx-isolate makes of the same calls.
    spec <<'END'
ctx-isolate in | ctx-compact --estimator bytes/4 --window 1k --target 60 --soft 61 --keep-turns 1 | jq -r 'select(.metadata.facts).content'
>>> [summary] 7 earlier messages were dropped to save context.
>>> Files modified: a.c, a.h, b.c, b.h, c.c, c.h, d.c, d.h, src/e.c, src/e.h, f.c, f.h
END
}

@test "ctx-compact: prune: a patch keeps the lines that name its files" {
    local text
    text='*** Begin Patch\n*** Update File: a.c\n@@'"$(repeat 40 '\n+lit lamp')"'\n*** Delete File: old/b.c\n*** Update File: c.c'"$(repeat 40 '\n-dark lamp')"'\n*** End Patch'
    local cut='*** Begin Patch\n*** Update File: a.c\n@@\n+lit lamp\n\n[… 793 bytes cut …]\n*** Delete File: old/b.c\n*** Update File: c.c\namp\n-dark lamp\n-dark lamp\n-dark lamp\n*** End Patch'
    {
        user Go.
        raw '{"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"apply_patch","arguments":"'"$text"'"}}]}'
        gets c1 ok
        raw '{"role":"assistant","tool_calls":[{"id":"c2","function":{"name":"apply_patch","arguments":{"input":"'"$text"'"}}}]}'
        gets c2 ok
        user Thanks.; user Bye.
    } >in
    makes "$compact --force --prune-over 200 --pipeline prune" 1 \
        "2: compacted arguments -> $cut" 3 "4: compacted input -> $cut" 5-7
}

@test "ctx-compact: truncate: the newest summary of somebody else is not dropped but cut" {
    {
        user 'Mend the lamps.'
        user "An old summary. $lamp" '"kind":"summary"'
        user "A summary. $lamp$lamp$lamp" '"kind":"summary"'
        says "On it. $lamp"
        user Bye.
    } >in
    makes "$compact --window 1k --target 60 --soft 61 --keep-turns 1 --pipeline truncate --prune-over 200" 1 \
        "$(summary 2 kept=2 covers=2,4)" \
        '2: compacted content -> A summary. The lamp of buoy 7 was dark when we cam\n[… 313 bytes cut …]\ne by. '"$dark" \
        5
}

@test "ctx-compact: truncate: a group is no summary, whatever kind it says" {
    {
        user 'Mend the lamps.'
        calls c1 look '{}' '"kind":"summary"'; gets c1 "$lamp"
        calls c2 look '{"at":8}'
        gets c2 "${lamp//7/8}" '"kind":"summary","compacted":true,"facts":{"dropped":1}'
        user Bye.
    } >in
    makes "$compact --window 1k --target 50 --soft 51 --keep-turns 1" 1 "$(summary 4 kept=1 covers=2-5 request=1,6)" 6
}

@test "ctx-compact: truncate: a session stays that of its own agent" {
    {
        calls c1 look '{}'
        says "On it. $lamp $lamp"
        says 'From below.' '"parent_execution_id":"#0"'
        gets c1 'It is dark.'
        says "Done. $lamp"
        user 'Mend the lamps.'
        user Bye.
    } >in
    makes "$compact --window 1k --target 20 --soft 21 --keep-turns 1" 1 3-4 6-7 \
        "$(summary 2 kept=0 covers=2,4 framing=2)" '>>>2 ctx-compact: 1 message of other agents not counted'
    {
        says "On it. $lamp $lamp"
        system 'Be brief.'
        says 'From below.' '"parent_execution_id":"#0"'
        user 'Mend the lamps.'
        user Bye.
    } >in
    makes "$compact --window 1k --target 20 --soft 21 --keep-turns 1" 2-5 "$(summary 1 kept=0 covers=1 framing=2)" \
        '>>>2 ctx-compact: 1 message of other agents not counted'
}

@test "ctx-compact: truncate: the artifact of a sub-agent's own stream is in its thread" {
    local child='"agent_id":"sub","parent_execution_id":"#1"' run="$compact --window 1k --target 10 --soft 11 --keep-turns 0"
    {
        says "On it. $lamp $lamp" "$child"
        says 'From above.'
        user Bye. "$child,\"origin\":\"injected\""
    } >in
    makes "$run" "$(summary 1 kept=1 covers=1 as="$child")" 2-3 \
        '>>>2 ctx-compact: 1 message of other agents not counted'
    # More of the same comes behind the artifact.
    { $run in; sed -n '1s/On it/Again/p' in; sed -n 3p in; } >longer
    spec <<END
$run longer | jq -c '[.metadata.agent_id, .metadata.facts.dropped, .metadata.facts.covers]'
>>> ["sub",3,[[1,3]]]
>>> [null,null,null]
>>> ["sub",null,null]
>>>2 ctx-compact: 1 message of other agents not counted
END
}

@test "ctx-compact: truncate: drops nothing when the artifact would weigh more" {
    { user 'Mend the lamps.'; says a; user b; user Bye.; } >in
    makes "$compact --window 1k --target 10 --soft 11 --keep-turns 1 --pipeline truncate" 1-4 \
        '>>>2 ctx-compact: nothing more can be done, and it is still time: soft_threshold' '>>>= 1'
}

@test "ctx-compact: invariant 1: system and developer messages, the context and the what the user asked first stay" {
    {
        context 'You keep lamps.'
        system "Be brief. $lamp"
        says "Before anybody asks. $lamp"
        user "Mend the lamps. $lamp"
        developer "Times are local. $lamp"
        says "Mended. $lamp"
        system "A late rule. $lamp"
        user "More of it. $lamp"
        user Bye.
    } >in
    makes "$compact --window 1k --soft 21 --target 20 --prune-over 10 --keep-turns 1" 1-2 4 \
        "$(summary 3 kept=3 covers=2,5,7)" 5 7 9
}

@test "ctx-compact: invariant 1: what the user asked before the first answer stays, and no later request joins it" {
    local run="$compact --window 1k --soft 21 --target 20 --keep-turns 1 --best-effort"
    {
        system 'Be brief.'
        says 'Good morning.'
        user "Mend the lamps. $lamp"
        user '<time>22:10</time>' '"origin":"injected"'
        says 'Overloaded.' '"is_error":true'
        user "And log it. $lamp"
        says "On it. $lamp"
        user "Take the small ladder. $lamp"
        says "Taken. $lamp"
        user 'And then?'
    } >in
    makes "$run" 1 3 6 "$(summary 6 kept=1 covers=2,4-5,7-9 framing=2)" 10
    # All answers are gone; the next compaction still knows that they stood there.
    { $run in; says "Lit. $lamp $lamp"; user Bye.; } >longer
    spec <<END
$run longer | jq -r '.content | split(".")[0]'
>>> Be brief
>>> Mend the lamps
>>> And log it
>>> [summary] 8 earlier messages were dropped to save context
>>> Bye
END
}

@test "ctx-compact: invariant 1: the first request is sought in section messages, where a view put others in front" {
    local summary='"kind":"summary","section":"summary"' buffer='"section":"buffer"'
    {
        user "Mend the lamps. $lamp"
        says "On it. $lamp"
        calls c1 look '{"at":7}'; gets c1 "$long"
        user "An older request. $lamp" "$buffer"
        calls c2 look '{"at":8}' "$buffer"; gets c2 "$long" "$buffer"
        says "An older answer. $lamp" "$buffer"
        user "What was before: the lamps of the pier. $lamp" "$summary"
        says "Lit. $lamp"
        user 'And then?'
    } >log
    ctx-project --trace all --sections summary,buffer,messages log >in
    makes "$compact --window 400 --pipeline dedupe,prune,truncate" 1 6 "$(summary 7 kept=2 covers=2-5,7-9)" 10-11
    keeps 'ctx-compact --window 3k'
    # Nothing of section messages is in front of what is sought, and nothing else is there.
    { says 'Older.' "$buffer"; user "The request. $lamp$lamp" "$buffer"; says "Done. $lamp$lamp" "$buffer"; user Bye. "$buffer"; } >in
    makes "$compact --window 1k --soft 21 --target 20 --keep-turns 1 --best-effort" 2 "$(summary 2 kept=1 covers=1,3)" 4
}

@test "ctx-compact: --best-effort cuts the largest of what the user asked, until half of the budget is free" {
    local said='since nothing else was left to cut'
    { user 'Mend the lamps.'; user "And log it. $long"; } >in
    makes "$compact --window 100 --error-tokens 20 --best-effort" 1 \
        "2: compacted content -> And log it. $(repeat 20 x)\n[… 548 bytes cut …]\n$(repeat 32 x)" \
        ">>>2 ctx-compact: line 2 was cut to 27 tokens, $said: what the user asked last"
    { user "$long"; user 'And log it.'; says Done.; user Bye.; } >in
    makes "$compact --window 100 --error-tokens 20 --best-effort" \
        "1: compacted content -> $(repeat 24 x)\n[… 552 bytes cut …]\n$(repeat 24 x)" 2-4 \
        ">>>2 ctx-compact: line 1 was cut to 23 tokens, $said: what the user asked first"
    # The longest are cut to one length, and shorter ones stay.
    { user "$(printf %08000d 7)"; user Look.; says Yes.; user "$(printf %06000d 7)"; } >log
    fits '--window 2k --best-effort'
    same 'lengths' <(jq -c '[.metadata.compacted, (.content | length > 1400 and length < 1600)]' out) \
        <(printf '%s\n' '[true,true]' '[null,false]' '[null,false]' '[true,true]')
    # What was cut comes back.
    ctx-compact --estimator bytes/4 --window 2k --best-effort --archive archive log >small 2>said
    [[ $(jq -r .content small) == *' bytes cut …; ctx-recall archive '* ]]
    cmp log <(ctx-restore archive small)
    # A second run changes nothing.
    ctx-compact --estimator bytes/4 --window 2k --best-effort out | cmp - out
}

@test "ctx-compact: --best-effort cuts neither system messages nor what is pinned or protected" {
    local big one
    big=$(printf %08000d 7)
    for one in "$(user "$big" '"pinned":true')" "$(raw "{\"role\":\"system\",\"content\":\"$big\"}")"; do
        { echo "$one"; user Look.; says Yes.; user Bye.; } >log
        fits '--window 1k --best-effort' 1
        cmp log out
    done
    { user "$big"; says Yes.; user Bye.; } >log
    fits '--window 1k --best-effort'
    fits '--window 1k --best-effort --protect turn=1' 1
    cmp log out
    # A pipeline that shortens nothing refuses as before.
    fits '--window 1k --best-effort --pipeline truncate' 1
    cmp log out
    # A large system message leaves the least, and the rest fits.
    { raw "{\"role\":\"system\",\"content\":\"$(printf %02400d 7)\"}"; user "$big"; says Yes.; user "$big"; } >log
    fits '--window 1k --best-effort'
    cmp <(head -n 1 log) <(head -n 1 out)
}

@test "ctx-compact: invariant 2: groups go whole, parallel calls and repeated ids included" {
    {
        user Look.
        acts "$lamp" "$(call c1 look '{"n":1}')" "$(call c2 look '{"n":2}')"; gets c2 two
        user '(quickly)'
        gets c1 one
        acts "$lamp" "$(call c1 look '{"n":3}')"
        acts "$lamp" "$(call c1 look '{"n":4}')"; gets c1 four
        gets c1 three
        says Dark.
        user Bye.
    } >in
    makes "$compact --window 1k --soft 151 --target 150 --keep-turns 1 --pipeline truncate" 1 "$(summary 3 kept=7 covers=2-3,5)" 4 \
        6-11
}

@test "ctx-compact: invariant 3: the newest two turns stay, or as many as --keep-turns says" {
    {
        user One.
        user 'Turn 2.'
        calls c2 look '{"n":2}'; gets c2 "$lamp"
        says Dark.
        user 'Turn 3.'
        calls c3 look '{"n":3}'; gets c3 "$lamp"
        says Dark.
        user 'Turn 4.'
        calls c4 look '{"n":4}'; gets c4 "$lamp"
        says Dark.
    } >in
    makes "$compact --force --prune-over 50" 1-3 \
        '4: compacted content -> The lamp of \n[… 110 bytes cut …]\n we came by.' 5-13
    {
        user One.
        user 'Turn 2.'
        calls c2 look '{"n":2}'; gets c2 "$lamp"
        says Dark.
        user 'Turn 3.'
        calls c3 look '{"n":3}'; gets c3 "$lamp"
        says Dark.
    } >in
    makes "$compact --force --prune-over 50 --keep-turns 1" 1-3 \
        '4: compacted content -> The lamp of \n[… 110 bytes cut …]\n we came by.' 5-9
}

@test "ctx-compact: invariant 3: --keep-tokens caps the window, and takes a group that fits as a whole, the newest always" {
    local options two
    {
        user 'Look everywhere.'
        calls c1 look '{"n":1}'; gets c1 "$lamp"
        calls c2 look '{"n":2}'; gets c2 "$lamp"
        calls c3 look '{"n":3}'; gets c3 "$lamp"
    } >in
    two=$(ctx-budget --estimator bytes/4 --annotate in | jq -s '[.[3:7][].metadata.tokens] | add')
    ((two > 50))
    # Two groups that weigh exactly so much stay, and one token less keeps one.
    for options in '--keep-tokens 50' '--keep-tokens 50 --keep-turns 1' "--keep-tokens $((two - 1))"; do
        makes "$compact --force --prune-over 50 $options" 1-2 \
            '3: compacted content -> The lamp of \n[… 110 bytes cut …]\n we came by.' 4 \
            '5: compacted content -> The lamp of \n[… 110 bytes cut …]\n we came by.' 6-7
    done
    for options in '--keep-tokens 100' "--keep-tokens $two"; do
        makes "$compact --force --prune-over 50 $options" 1-2 \
            '3: compacted content -> The lamp of \n[… 110 bytes cut …]\n we came by.' 4-7
    done
    {
        user 'Look everywhere.'
        calls c1 look '{"n":1}'; gets c1 "$lamp"
        calls c2 look '{"n":2}'; gets c2 "$lamp"
    } >in
    makes "$compact --force --prune-over 50 --keep-tokens 0" 1-2 \
        '3: compacted content -> The lamp of \n[… 110 bytes cut …]\n we came by.' 4-5
}

@test "ctx-compact: invariant 4: pinned messages and the groups of pinned ones stay" {
    {
        user Look.
        calls c1 look '{"n":1}'; gets c1 "$lamp" '"pinned":true'
        says "Remember this. $lamp" '"pinned":true'
        says "Forget this. $lamp"
        says "And that. $lamp"
        user Bye.
    } >in
    makes "$compact --window 1k --soft 21 --target 20 --prune-over 20 --keep-turns 1" 1 \
        "$(summary 2 kept=4 covers=5-6)" 2-4 7
}

@test "ctx-compact: invariant 5: unresolved failures stay until they are resolved" {
    {
        user 'Make it.'
        calls c1 bash '{"command":"make"}'; gets c1 'no rule' '"is_error":true'
        calls c2 bash '{"command":"ls"}'; gets c2 nothing '"is_error":true'
        calls c3 bash '{"command":"ls"}'; gets c3 "Makefile $lamp"
        acts "$lamp" "$(call c4 bash '{"command":"lost"}')"
        says Well.
        user Bye.
    } >in
    makes "$compact --window 1k --soft 21 --target 20 --keep-turns 1" 1 "$(summary 5 kept=4 covers=4-7,9 attempts='{"call":"bash ls","count":2,"outcome":"ok","place":6}')" \
        2-3 8 10
}

@test "ctx-compact: invariant 5: a call that the user refused has not failed, and its placeholder says so" {
    {
        user 'Make it.'
        calls c1 bash '{"command":"make"}'; gets c1 "exec command rejected by user $(repeat 900 x)" '"is_error":true'
        { calls s@ look '{"at":@}'; gets s@ "$lamp"; } | numbered 1 8
        user Bye.
    } >in
    $compact --window 1k --soft 301 --target 300 --keep-turns 1 --prune-over 60 --pipeline prune in >out
    same 'is said' - <(jq -c 'select(.tool_call_id == "c1").metadata | {compacted,resolved}' out) <<<'{"compacted":true,"resolved":true}'
    same 'none is open' - <(ctx-select --exact unresolved in out) </dev/null
}

@test "ctx-compact: invariant 6: older executions give room before the current one" {
    {
        user One. '"execution_id":"e1"'
        calls c1 look '{"n":1}' '"execution_id":"e1"'; gets c1 "$lamp" '"execution_id":"e1"'
        user Two. '"execution_id":"e2"'
        calls c2 look '{"n":2}' '"execution_id":"e2"'; gets c2 "$lamp" '"execution_id":"e2"'
        user Three. '"execution_id":"e2"'
    } >in
    makes "$compact --window 1k --soft 96 --target 95 --prune-over 60 --keep-turns 0 --execution e1" 1-5 \
        '6: compacted content -> The lamp of buoy \n[… 100 bytes cut …]\n when we came by.' 7
}

@test "ctx-compact: invariant 6: open and frozen groups are never touched" {
    {
        user Look.
        calls c1 look '{"n":"'"$(repeat 90 x)"'"}'
        raw '{"role":"tool","tool_call_id":"c1","content":"to'
        user 'And there?'
        acts null "$(call c2 look '{"n":"'"$(repeat 90 y)"'"}')" "$(call c3 look '{}')"; gets c3 "$lamp"
        user "<reminder>$lamp</reminder>" '"origin":"injected"'
        user '<time>22:10</time>' '"origin":"injected"'
    } >in
    makes "$compact --window 1k --soft 21 --target 20 --prune-over 20 --keep-turns 0" 1-6 \
        '7: compacted content -> <remi\n[… 145 bytes cut …]\nnder>' 8 \
        '>>>2 ctx-compact: in:3: unexpected end, at byte 49' '>>>= 65'
}

@test "ctx-compact: invariant 7: nothing is replaced by more bytes or tokens" {
    {
        user Look.
        calls c1 read a.c; gets c1 no
        calls c2 write '{"path":"a.c","content":"twelve bytes"}'; gets c2 'a little over ten'
        user Thanks.; user Bye.
    } >in
    keeps "$compact --force --prune-over 10"
}

@test "ctx-compact: invariant 8: what meets the budget but not the target is written with status 0" {
    { user "Look. $lamp$lamp"; calls c1 look '{"n":1}'; gets c1 "$lamp"; user Bye.; } >in
    spec <<'END'
ctx-compact --estimator bytes/4 --window 200 --target 10% --keep-turns 1 --report /dev/fd/3 3>&1 >/dev/null in | jq -c "[.target, .room, .tokens_after, .budget_met, .target_met, .status]"
>>> [20,150,123,true,false,0]
>>>2 ctx-compact: nothing was due: 123 tokens are used, and it is time from 144 on (--force does not wait)
END
}

@test "ctx-compact: invariant 8: a budget that cannot be met leaves nothing, says the least, and gives 1" {
    {
        user "Look. $lamp$lamp$lamp$lamp$lamp$lamp"
        calls c1 look '{"n":1}'; gets c1 "$lamp"
        user Bye.
    } >in
    makes "$compact --window 200 --keep-turns 1" \
        '>>>2 ctx-compact: the budget cannot be met: 231 tokens are the least, 150 are allowed' \
        '>>>2 ctx-compact: line 1 stays, user, 207 tokens: what the user asked first (--best-effort would free it)' \
        '>>>2 ctx-compact: a message is added, 19 tokens: artifact' \
        '>>>2 ctx-compact: line 4 stays, user, 5 tokens: what the user asked last' '>>>= 1'
}

@test "ctx-compact: --best-effort writes the smallest, still with status 1, and the record says hard_stop" {
    {
        user "Look. $lamp$lamp$lamp$lamp$lamp$lamp" '"pinned":true'
        calls c1 look '{"n":1}'; gets c1 "$lamp"
        user Bye.
        raw '{"type":"budget"}'
    } >in
    makes "$compact --window 200 --keep-turns 1 --best-effort" 1 "$(summary 2 kept=1 covers=2-3 request=1,4)" 4 \
        "$(budget window=200 used=231 output=50 soft=144 reasons=soft_threshold,headroom,window hard_stop=true)" \
        '>>>2 ctx-compact: the budget cannot be met: 231 tokens are the least, 150 are allowed' \
        '>>>2 ctx-compact: line 1 stays, user, 207 tokens: pinned' \
        '>>>2 ctx-compact: a message is added, 19 tokens: artifact' \
        '>>>2 ctx-compact: line 4 stays, user, 5 tokens: what the user asked last' '>>>= 1'
}

@test "ctx-compact: a bad line beside a budget that cannot be met gives 1, and is named" {
    { user "Look. $lamp$lamp$lamp$lamp$lamp$lamp"; raw '{bad}'; } >in
    makes "$compact --window 200 --keep-turns 1" '>>>2 ctx-compact: in:2: expected a member name, at byte 2' \
        '>>>2 ctx-compact: the budget cannot be met: 207 tokens are the least, 150 are allowed' \
        '>>>2 ctx-compact: line 1 stays, user, 207 tokens: what the user asked first (--best-effort would free it)' '>>>= 1'
}

@test "ctx-compact: bad, foreign and blank lines and messages of other agents keep their place" {
    {
        user Look.
        raw '{bad}'
        says "Here. $lamp"
        raw ''
        raw '[1, 2]'
        says "From below. $lamp" '"parent_execution_id":"e9"'
        raw '{"role":"oracle","content":"'"$lamp"'"}'
        says "There. $lamp"
        raw '"text"'
        user Bye.
    } >in
    makes "$compact --window 1k --soft 21 --target 20 --keep-turns 1" 1 "$(summary 2 kept=2 covers=2,4)" 2 \
        4-7 9-10 '>>>2 ctx-compact: in:2: expected a member name, at byte 2' \
        '>>>2 ctx-compact: 1 message of other agents not counted' '>>>= 65'
}

@test "ctx-compact: the target is met by the first transform that gets there" {
    {
        user 'Mend the lamp.'
        calls c1 read lamp.c; gets c1 "$lamp"
        calls c2 edit '{"path":"lamp.c","new":"lit"}'; gets c2 'done'
        says "A long word: $lamp"
        user Bye.
    } >in
    makes "$compact --window 1k --soft 101 --target 100 --prune-over 60 --keep-turns 1" 1-2 \
        "3: $stale" 4-7
}

@test "ctx-compact: --pipeline sets the transforms and their order" {
    {
        user 'Mend the lamp.'
        calls c1 read lamp.c; gets c1 "$lamp"
        calls c2 edit '{"path":"lamp.c","new":"lit"}'; gets c2 'done'
        says "A long word: $lamp"
        user Bye.
    } >in
    makes "$compact --window 1k --soft 21 --target 20 --keep-turns 1 --pipeline dedupe,normalize" 1-2 \
        "3: $stale" 4-7
    {
        user 'Mend the lamp.'
        calls c1 read lamp.c; gets c1 "$lamp"
        calls c2 edit '{"path":"lamp.c","new":"lit"}'; gets c2 'done'
        user Bye.
    } >in
    makes "$compact --window 1k --soft 41 --target 40 --keep-turns 1 --pipeline truncate,dedupe" 1 \
        "$(summary 4 kept=1 covers=2-5 read=lamp.c modified=lamp.c request=1,6)" 6
    refuses 'ctx-compact --pipeline dedupe,shrink' \
        "unknown transform 'shrink' in --pipeline, expected dedupe, prune, summarize, symbolize, truncate or normalize"
    refuses 'ctx-compact --pipeline prune,dedupe,prune' "transform 'prune' is twice in --pipeline"
}

@test "ctx-compact: --force runs what is listed, whatever the budget says; without it nothing is done" {
    { user Look.; calls c1 look '{}'; gets c1 "$lamp"; user Bye.; } >in
    keeps "$compact --prune-over 60 --keep-turns 0"
    makes "$compact --prune-over 60 --keep-turns 0 --force" 1-2 \
        '3: compacted content -> The lamp of buo\n[… 104 bytes cut …]\nhen we came by.' 4
}

@test "ctx-compact: the limits come from the budget record, which is written anew in its place, or from options" {
    {
        user Look.
        calls c1 look '{}'; gets c1 "$lamp"
        user Bye.
        budget window=100 used=5 output=10 soft=50
    } >in
    makes "$compact --keep-turns 1 --prune-over 60 --headroom 0 --target 40" 1-2 \
        '3: compacted content -> The lamp of buo\n[… 104 bytes cut …]\nhen we came by.' 4 \
        "$(budget window=100 used=35 output=10 soft=50 limits='"headroom":0')"
    # A threshold that is not the default is not passed again at once.
    makes "$compact --keep-turns 1 --prune-over 60 --headroom 0" 1-2 '3: compacted content -> [old result removed]' 4 \
        "$(budget window=100 used=26 output=10 soft=50 limits='"headroom":0')"
    # Options beat the record.
    makes "$compact --keep-turns 1 --window 200 --prune-over 60" 1-4 \
        "$(budget window=200 used=55 output=50 soft=144)"
    makes "$compact --keep-turns 1 --soft 60 --prune-over 60" 1-4 \
        "$(budget window=100 used=55 output=10 soft=60)"
}

@test "ctx-compact: --limit is what the session must fit, with its prompt; it comes down to half of that" {
    {
        context "$(repeat 40 p)"
        user Look.
        calls c1 look '{"n":1}'; gets c1 "$lamp"
        calls c2 look '{"n":2}'; gets c2 "$lamp"
        says Dark.
        user Bye.
    } >in
    # 107 tokens of messages, and ten of the prompt.
    keeps "$compact --keep-turns 1 --prune-over 60 --limit 117"
    makes "$compact --keep-turns 1 --prune-over 60 --limit 116 --target 106" 1-3 \
        '4: compacted content -> The lamp of buoy 7 was d\n[… 86 bytes cut …]\nas dark when we came by.' 5-8
    makes "$compact --keep-turns 1 --prune-over 60 --limit 116" 1-3 \
        '4: compacted content -> [old result removed]' 5 '6: compacted content -> [old result removed]' 7-8
    $compact --keep-turns 1 --prune-over 60 --limit 116 --report report in >out
    same 'the target' <(echo '[53,49]') <(jq -c '[.target,.tokens_after]' report)
    # A budget record has the limit.
    ctx-budget --estimator bytes/4 --limit 116 in >log
    $compact --keep-turns 1 --prune-over 60 log | head -n -1 >got
    same 'by the record' expected got
    cp log in
    makes "$compact --keep-turns 1 --prune-over 60" 1-3 \
        '4: compacted content -> [old result removed]' 5 '6: compacted content -> [old result removed]' 7-8 \
        "$(budget window=116 used=49 output=0 system=10 soft=107 limits='"limit":116')"
    refuses 'ctx-compact --limit 10 --window 10' \
        '--limit cannot be combined with --window'
}

# passes OPTION...: how often a log is compacted that grows by 201 questions with their answers, or up to the
# one numbered $last, each pair of 240 tokens.
passes() {
    local count=0 question answer
    { user "Question $(repeat 48 'lamp @, ')?"; says "Answer $(repeat 48 'quay @, ')."; } | numbered 100 "${last-300}" >all
    : >log
    while IFS= read -r question && IFS= read -r answer; do
        printf '%s\n' "$question" "$answer" >>log
        ctx-compact --estimator bytes/4 "$@" log >new
        cmp -s log new || count=$((count + 1))
        mv new log
    done <all
    echo "$count"
}

@test "ctx-compact: a pass under --limit pays: it is not due again at the next message" {
    local count
    # 50k tokens in all: each pass makes room for 4k more.
    count=$(passes --limit 8k)
    ((count >= 6 && count <= 10)) || fail "$count passes"
    # 25k tokens, of 202 messages: down to the limit alone each message behind the first 66 is one more.
    count=$(last=200 passes --limit 8k)
    ((count >= 2 && count <= 6)) || fail "$count passes of 101 pairs"
    (($(last=200 passes --limit 8k --target 8k) > 60)) || fail 'the target is not what pays'
}

@test "ctx-compact: a target below what is due, or above what the reserves leave, is said" {
    { user Look.; says "Dark. $lamp"; user Bye.; } >in
    makes "$compact --window 200 --target 20" 1-3 \
        '>>>2 ctx-compact: nothing was due: 50 tokens are used, and it is time from 144 on (--force does not wait)'
    keeps "$compact --window 200 --target 50"
    makes "$compact --window 200 --target 80%" 1-3 \
        '>>>2 ctx-compact: the target is 160 tokens, more than the reserves leave: taken for 150 (--reserve-output says what is kept)'
    keeps "$compact --window 200 --target 75%"
    keeps "$compact --window 200 --target 80% --reserve-output 40"
    makes "$compact --limit 200 --target 201" 1-3 \
        '>>>2 ctx-compact: the target is 201 tokens, more than --limit and prompt leave: taken for 200'
}

@test "ctx-compact: --model sets window, output reserve and encoding" {
    printf 'm\tme\t40000\t8000\t20000\t0.5\t8\n' >models
    { user A; raw '{"type":"budget"}'; } >in
    spec <<'END'
ctx-compact --models-file models -m m in | jq -c 'select(.type) | [.estimator, .context_window, .reserved_output_tokens, .model, .request_usd]'
>>> ["o200k_base",40000,8000,"m",0.1]
>>>+ models
END
    spec <<'END'
ctx-compact -m gpt-4 in | jq -c 'select(.type) | [.estimator, .context_window]'
>>> ["cl100k_base",8192]
END
    refuses 'ctx-compact --model gtp-5' "unknown model 'gtp-5', did you mean 'gpt-5'?"
}

@test "ctx-compact: a budget record is rewritten with its model and its price, as ctx-budget would" {
    printf 'm\tme\t400\t100\t2000\t500\t8\n' >models
    {
        context "$(repeat 40 p)"
        user Look.
        calls c1 look '{"n":1}'; gets c1 "$lamp$lamp$lamp"
        says Dark.
        user "Bye. $lamp"
    } | ctx-budget --estimator bytes/4 --soft 100 --models-file models -m m >in
    $compact --models-file models --prune-over 60 --keep-turns 1 in >out
    ctx-budget --estimator bytes/4 --soft 100 --models-file models -m m out >again
    same 'the record' again out
    ! cmp -s in out || fail 'nothing changed'
    [[ $(jq -r 'select(.type == "budget").request_usd' out) == 0.[0-9]* ]]
    $compact --prune-over 60 --keep-turns 1 in 2>said | jq -c 'select(.type == "budget") | [.model, .request_usd]' >got
    same 'no price' <(echo '["m",null]') got
    same 'said' <(echo "ctx-compact: the budget record's model 'm' is not in the table: the record has no price (--models-file)") said
}

@test "ctx-compact: counts with the estimator that the budget record names" {
    { user Look.; raw '{"type":"budget","estimator":"bytes/4","context_window":1000}'; } >in
    makes 'ctx-compact' 1 "$(budget window=1000 used=6 output=250 soft=719)"
    spec <<'END'
ctx-compact --estimator cl100k_base in | jq -r 'select(.type).estimator'
>>> cl100k_base
END
    {
        raw '{"type":"budget","estimator":"bytes/4"}'
        user Look.
        raw '{"type":"budget","estimator":7}'
    } >in
    spec <<'END'
ctx-compact in | jq -r 'select(.type).estimator'
>>> o200k_base
END
    { user Look.; raw '{"type":"budget","estimator":"usage"}'; } >in
    spec <<'END'
ctx-compact in | jq -r 'select(.type).estimator'
>>> o200k_base
>>>2 ctx-compact: 0 responses report their usage, too few for 'usage': counted with o200k_base
END
}

@test "ctx-compact: a command or an unknown estimator that the budget record names is not used, and said so" {
    { user Look.; raw '{"type":"budget","estimator":"cmd:touch ran"}'; } >in
    spec <<'END'
ctx-compact in | jq -r 'select(.type).estimator'
>>> o200k_base
>>>2 ctx-compact: the budget record's estimator 'cmd:touch ran' is not built in: counted with o200k_base
END
    { user Look.; raw '{"type":"budget","estimator":"words\u001b[0m"}'; } >in
    spec <<'END'
ctx-compact in | jq -r 'select(.type).estimator'
>>> o200k_base
>>>2 ctx-compact: the budget record's estimator 'words\x1b[0m' is not built in: counted with o200k_base
END
    { user Look.; raw '{"type":"budget","estimator":"bytes/4\u0000"}'; } >in
    spec <<'END'
ctx-compact in | jq -r 'select(.type).estimator'
>>> o200k_base
>>>2 ctx-compact: the budget record's estimator 'bytes/4' is not built in: counted with o200k_base
END
    refuses 'ctx-compact --estimator cmd: missing' \
        "bad value 'cmd:' of --estimator, expected o200k_base, cl100k_base, bytes/4, usage, calibrated or cmd:COMMAND"
}

@test "ctx-compact: a trigger that a budget record tells of makes it time" {
    {
        user Look.
        calls c1 look '{}'; gets c1 "$lamp"
        user Bye.
        budget window=1000 used=5 output=10 soft=800 remaining=85 reasons=max_messages
    } >in
    makes "$compact --keep-turns 1 --prune-over 60 --target 20" 1-2 \
        '3: compacted content -> [old result removed]' 4 "$(budget window=1000 used=26 output=10 soft=800)"
}

# work N: a request, N steps of 8 messages' worth of lamps, and an answer.
work() {
    local i
    user 'Mend the lamps.'
    for ((i = 1; i <= $1; i++)); do calls "c$i" look "{\"n\":$i}"; gets "c$i" "$lamp"; done
    says Mended.
}

# left OPTIONS STATUS FIGURES: compacts in to out; a second run changes nothing; messages, results that
# are not compacted, messages of the user, and messages of the assistant are left.
left() {
    # shellcheck disable=SC2086
    status_of "$2" $compact $1 in >out 2>said
    # shellcheck disable=SC2086
    still "$2" $compact $1 out
    same 'a second run' out twice
    same "$1" <(echo "$3") <(jq -s -c '[length, (map(select(.role == "tool" and .metadata.compacted != true)) | length),
        (map(select(.role == "user" and .metadata.kind != "summary")) | length), (map(select(.role == "assistant")) | length)]' out)
}

@test "ctx-compact: a count trigger is acted on, down to its limit, and no further" {
    { work 10; user 'And the pier?'; } >in
    # 23 messages, ten results, two turns.
    left '' 0 '[23,10,2,11]'
    left '--max-tool-results 10 --max-messages 23 --max-turns 2 --max-steps 11' 0 '[23,10,2,11]'
    left '--max-tool-results 4' 0 '[23,4,2,11]'
    same 'the oldest became placeholders' <(printf '%s\n' c1 c2 c3 c4 c5 c6) \
        <(jq -r 'select(.metadata.compacted) | .tool_call_id' out)
    # An artifact is a message, too.
    left '--max-messages 15' 0 '[14,5,2,6]'
    left '--max-messages 14' 0 '[14,5,2,6]'
    { work 10; user 'And the pier?'; work 10 | sed 1d; } >in
    left '--max-steps 4' 0 '[31,13,2,15]'
    left '--when tool=look>6' 0 '[11,3,2,5]'
}

@test "ctx-compact: the steps of a session without a message of the user: a second run finds no more to do" {
    {
        for n in 1 2 3 4 5; do
            calls "c$n" look "{\"n\":$n}"
            if ((n == 3 || n == 5)); then gets "c$n" "$n: dark" '"is_error":true'; else gets "c$n" "$lamp"; fi
        done
    } >in
    # The first message goes like the others: the artifact begins the execution then.
    left '--max-steps 2' 0 '[5,2,0,2]'
    same 'left' <(printf '%s\n' c3 c5) <(jq -r 'select(.role == "tool").tool_call_id' out)
}

@test "ctx-compact: turns that are too many go as wholes" {
    { work 1; user One; says "1 $lamp$lamp"; user Two; says "2 $lamp$lamp"; user Three; says "3 $lamp$lamp"; } >in
    compact+=' --pipeline truncate'
    makes "$compact --max-turns 3" 1 "$(summary 2 kept=7 covers=5-6)" 2-4 7-10
    makes "$compact --max-turns 2" 1 "$(summary 4 kept=5 covers=5-8)" 2-4 9-10
}

@test "ctx-compact: messages that are older than --max-age go" {
    local at='"timestamp":"2026-03-01T10:0'
    { user Go. "${at}0:00Z\""; says "1 $lamp$lamp" "${at}1:00Z\""; says "2 $lamp" "${at}3:00Z\""; says 3 "${at}9:00Z\""; user 4 "${at}9:01Z\""; } >in
    # The first message of the user stays, and does not age.
    $compact --max-age 8m in >out
    same 'left' <(printf '%s\n' Go. "2 $lamp" 3 4) <(jq -r 'select(.metadata.kind == null).content' out)
    ctx-budget --max-age 8m --check out >said
    cp out in
    keeps "$compact --max-age 8m"
    $compact --max-age 6m in >out
    same 'left' <(printf '%s\n' Go. 3 4) <(jq -r 'select(.metadata.kind == null).content' out)
    cp out in
    keeps "$compact --max-age 6m"
}

@test "ctx-compact: 0 is none, in each count trigger; what must stay is said, with status 1" {
    { work 3; user 'And the pier?'; } >in
    left '--max-tool-results 0' 0 '[9,0,2,4]'
    { work 3; calls c9 look '{}'; gets c9 ok; } >in
    left '--max-tool-results 0' 0 '[10,1,1,5]'
    cp out in
    local trigger
    makes "$compact --max-tool-results 0" 1-10 \
        '>>>2 ctx-compact: nothing more can be done, and it is still time: max_tool_results' '>>>= 1'
    for trigger in max-messages max-turns max-steps; do
        makes "$compact --$trigger 0 --keep-turns 9" 1-10 \
            ">>>2 ctx-compact: nothing more can be done, and it is still time: ${trigger/-/_}" '>>>= 1'
    done
}

# shelved N: N turns in section buffer behind the first one, and a turn of section messages.
shelved() {
    local i in='"section":"buffer"'
    user 'Mend the lamps.'
    for ((i = 1; i <= $1; i++)); do
        user "Lamp $i?" "$in"
        calls "c$i" look "{\"n\":$i}" "$in"
        gets "c$i" "$lamp" "$in"
        says "Lamp $i is lit." "$in"
    done
    user 'And the pier?'
    says 'The pier is dark.'
}

@test "ctx-compact: a section over --max-section is emptied into the one artifact of section summary, up to it nothing is done" {
    shelved 6 >in
    local most
    most=$(ctx-budget --estimator bytes/4 --by section --json in | jq '.breakdown[] | select(.label == "buffer").tokens')
    keeps "$compact --select section=buffer --max-section buffer=$most --summary-tokens 512"
    $compact --select section=buffer --max-section buffer=$((most - 1)) --summary-tokens 512 in >out
    same 'left' <(printf '%s\n' 'messages Mend the lamps.' summary 'messages And the pier?' 'messages The pier is dark.') \
        <(ctx-select --exact 'section=messages' out | jq -r '"messages " + .content' | sed '1a summary')
    same 'the artifact' <(echo 2) <(ctx-select 'section=summary' --exact out | grep -nFf - out | cut -d: -f1)
    same 'once more' out <($compact --select section=buffer --max-section buffer=$((most - 1)) --summary-tokens 512 out)
    # The next buffer goes into the same artifact.
    { cat out; shelved 7 | sed 1d; } >in
    $compact --select section=buffer --max-section buffer=100 --summary-tokens 512 in >again
    same 'one artifact' <(echo 1) <(ctx-select --count --exact section=summary again)
    same 'of all' <(echo 52) <(jq 'select(.metadata.kind == "summary").metadata.facts.dropped' again)
    same 'no buffer' <(echo 0) <(ctx-select --count section=buffer again || true)
    # Without --select, too, messages of other sections stay.
    shelved 6 >in
    same 'without --select' out <($compact --max-section buffer=0 --summary-tokens 512 in)
}

@test "ctx-compact: --max-section leaves what may not go, says so, and stands in the budget record" {
    local i in='"section":"buffer"'
    { user One; says 'It is.'; user "Two $lamp" "$in,\"pinned\":true"; says "Yes $lamp" "$in"; user "Three $lamp" "$in"; says 'So it is.'; user Four; } >log
    ctx-budget --estimator bytes/4 --max-section buffer=10 log >in
    ctx-compact in >out
    same 'what is left' <(printf '%s\n' One summary 'It is.' "Two $lamp" 'So it is.' Four) \
        <(head -n -1 out | jq -r 'if .metadata.kind then "summary" else .content end')
    same 'the record' <(echo '[["max_section"],{"max_section":{"buffer":10}}]') <(tail -n 1 out | jq -c '[.reasons, .limits]')
    cp out in
    makes ctx-compact 1-7 '>>>2 ctx-compact: nothing more can be done, and it is still time: max_section' '>>>= 1'
    # An option goes first.
    status_of 0 ctx-compact --max-section buffer=10k in >out
    same 'options go first' <(echo '{"buffer":10000}') <(tail -n 1 out | jq -c .limits.max_section)
    # What a record says beside numbers is passed over.
    { cat log; raw '{"type":"budget","estimator":"bytes/4","limits":{"max_section":{"buffer":"1","messages":-1,"x":{},"summary":0}}}'; } >in
    same 'odd limits' <(echo '{"summary":0}') <(ctx-compact in | tail -n 1 | jq -c .limits.max_section)
    { cat log; raw '{"type":"budget","estimator":"bytes/4","limits":{"max_section":[1]}}'; } >in
    same 'no limits' <(echo null) <(ctx-compact in | tail -n 1 | jq -c .limits)
}

@test "ctx-compact: triggers stand in the budget record, and are acted on from there" {
    { work 10; user 'And the pier?'; } >log
    ctx-budget --estimator bytes/4 --max-tool-results 4 --max-age 1h --when 'role=tool>20' log >in
    same 'limits' <(echo '{"max_tool_results":4,"max_age":3600,"when":"role=tool>20"}') <(tail -n 1 in | jq -c .limits)
    ctx-compact in >out
    same 'the record' <(tail -n 1 in | jq -c '.reasons = [] | .compact = false | del(.used_tokens, .remaining)') \
        <(tail -n 1 out | jq -c 'del(.used_tokens, .remaining)')
    $compact --max-tool-results 4 log >want
    same 'the messages' want <(head -n -1 out)
    # Options go first.
    same 'an option' <(echo 7) <(ctx-compact --max-tool-results 7 in | tail -n 1 | jq .limits.max_tool_results)
    # What cannot be reached stands in the record.
    ctx-budget --estimator bytes/4 --max-turns 1 log >in
    makes 'ctx-compact --keep-turns 3' 1-24 \
        '>>>2 ctx-compact: nothing more can be done, and it is still time: max_turns' '>>>= 1'
    # A pattern of a log is not run.
    { user a; raw '{"type":"budget","estimator":"bytes/4","limits":{"when":"text~a>0"}}'; } >in
    spec <<'END'
ctx-compact in | jq -c 'select(.type) | .limits'
>>> null
>>>2 ctx-compact: the budget record's --when 'text~a>0' is not read: it has a pattern, which only an option may
END
    { user a; raw '{"type":"budget","estimator":"bytes/4","limits":{"when":"trace,!arg~a>0"}}'; } >in
    spec <<'END'
ctx-compact in | jq -c 'select(.type) | .limits'
>>> null
>>>2 ctx-compact: the budget record's --when 'trace,!arg~a>0' is not read: it has a pattern, which only an option may
END
}

@test "ctx-compact: until ctx-budget --check; do ctx-compact || break; done: ends, for each trigger" {
    local options rounds
    for options in '--max-section messages=200' '--max-tool-results 4' '--max-tool-results 0' '--max-messages 3' '--max-turns 1' '--max-steps 0' '--when role=tool>1' '--soft 100' '--window 1k --soft 0' '--limit 200'; do
        { work 10; user 'And the pier?'; says "$lamp"; } >log
        rounds=0
        # shellcheck disable=SC2086
        until ctx-budget --estimator bytes/4 $options --check --brief log >line; do
            rounds=$((rounds + 1))
            ((rounds < 4)) || fail "$options: goes on"
            $compact $options log >next 2>said || break
            mv next log
        done
        ((rounds > 0)) || fail "$options: was not due"
    done
}

@test "ctx-compact: says of its output what ctx-budget says of it" {
    local seed options out
    mkdir out again twice
    for seed in {1..12}; do
        awk -v seed="$seed" -f "$FIXTURES/session.awk" >log
        for options in '--max-tool-results 3' '--max-messages 9' '--max-turns 2' '--max-steps 2' '--when role=tool>2' '--max-section messages=200' '--max-messages 7 --max-turns 1 --soft 300'; do
            # shellcheck disable=SC2086
            ctx-budget --estimator bytes/4 $options log >in 2>/dev/null
            out="$options, seed $seed"
            ctx-compact in >"out/$out" 2>/dev/null || [[ $? == 1 || $? == 65 ]]
            [[ -s out/$out ]] || { rm "out/$out" && continue; }
            # shellcheck disable=SC2086
            ctx-budget --estimator bytes/4 $options "out/$out" >"again/$out" 2>/dev/null || true
            ctx-compact "out/$out" >"twice/$out" 2>/dev/null || true
        done
    done
    diff -r out again
    diff -r out twice
}

@test "ctx-compact: a threshold at or below the target is refused; the default target is half of it" {
    { work 10; user 'And the pier?'; } >in
    makes "$compact --soft 300 --target 300" \
        '>>>2 ctx-compact: --soft is 300 tokens, and must be more than --target, which is 300; try '"'ctx-compact --help'" '>>>= 64'
    $compact --soft 301 --target 300 in >out
    $compact --soft 300 --report report in >out
    same 'the target' <(echo 150) <(jq .target report)
    $compact --soft 100k --report report in >out
    same 'the target' <(echo 50000) <(jq .target report)
    ctx-budget --estimator bytes/4 --soft 300 in | ctx-compact --report report >out
    same 'by the record' <(echo 150) <(jq .target report)
    $compact --report report in >out
    same 'the default' <(echo 64000) <(jq .target report)
}

@test "ctx-compact: a budget record is moved behind the messages, and there is one" {
    {
        budget window=100 used=5 output=10 soft=50
        user Look.
        budget window=200 used=5 output=10 soft=50 remaining=85
        says Dark.
    } >in
    makes "$compact --headroom 0" 2 4 "$(budget window=200 used=12 output=10 soft=50 limits='"headroom":0')"
}

@test "ctx-compact: a context record counts under the reserve of the system and nowhere else" {
    {
        context "$(repeat 1200 p)"
        user "Look. $lamp"
        says "Dark. $lamp"
        user Bye.
        raw '{"type":"budget"}'
    } >in
    makes "$compact --window 400 --reserve-output 0 --soft 100% --headroom 0" 1-4 \
        "$(budget window=400 used=83 output=0 system=300 soft=400 limits='"headroom":0')"
}

@test "ctx-compact: tools and response format count under that reserve, as in ctx-budget" {
    local tools
    tools=$(jq -nc '[range(20) | {type: "function", function: {name: "look\(.)", parameters: {}}}]')
    {
        context "$(repeat 1200 p)"
        user "Look. $lamp"
        raw "{\"type\":\"context\",\"tools\":$tools,\"response_format\":{\"type\":\"json_object\"}}"
        says "Dark. $lamp"
        user Bye.
        raw '{"type":"budget"}'
    } >in
    $compact --window 1000 in >out
    same 'the reserve' <(ctx-budget --estimator bytes/4 --json in | jq .reserved_system_tokens) \
        <(jq 'select(.type == "budget").reserved_system_tokens' out)
    same 'the reserve' <(echo $(((${#tools} + 22 + 3) / 4))) \
        <(jq 'select(.type == "budget").reserved_system_tokens' out)
    # The window holds the prompt of before, and not the tools of now.
    status_of 1 $compact --window 300 --reserve-output 0 in >out
    status_of 1 ctx-budget --estimator bytes/4 --check --window 300 --reserve-output 0 in >out
}

@test "ctx-compact: --plan prints what would be done, a line a group, and ends as the run would" {
    {
        system 'Be brief.'
        user 'Mend the lamps.'
        acts "$lamp$lamp" "$(call c0 look '{}')"; gets c0 ok
        calls c1 read lamp.c; gets c1 "$lamp"
        calls c2 edit '{"path":"lamp.c","new":"lit"}'; gets c2 'done'
        calls c3 look '{"n":3}'; gets c3 "$lamp$lamp"
        calls c4 bash '{"command":"make"}'; gets c4 'no rule' '"is_error":true'
        says 'Keep it.' '"pinned":true'
        user Bye.
    } >in
    makes "$compact --window 1k --soft 101 --target 100 --prune-over 60 --keep-turns 1 --plan" "$(plan <<'END'
1    system         #0 keep  1    7    7  system
2    user           #1 keep  1    8    8  what the user asked first
null user           -  add   1    0   24  digest of summarized messages
3    assistant:look #1 summarize 2   78    0  oldest
5    assistant:read #1 summarize 2   48    0  oldest
7    assistant:edit #1 keep  2   18   18  no need
9    assistant:look #1 prune 2   78   16  long result
11   assistant:bash #1 keep  2   16   16  unresolved
13   assistant      #1 keep  1    6    6  pinned
14   user           #2 keep  1    5    5  what the user asked last
END
    )"
    { user "Look. $lamp$lamp$lamp$lamp"; } >in
    makes "$compact --window 100 --plan" "$(plan <<'END'
1    user           #1 keep  1  140  140  what the user asked first option=--best-effort largest=1
END
    )" \
        '>>>2 ctx-compact: the budget cannot be met: 140 tokens are the least, 75 are allowed' \
        '>>>2 ctx-compact: line 1 stays, user, 140 tokens: what the user asked first (--best-effort would free it)' '>>>= 1'
    # Of a group the first thing that was done.
    {
        user 'Mend the lamps.'
        calls c1 edit "{\"path\":\"lamp.c\",\"new\":\"$lamp\"}"; gets c1 "$(repeat 300 w)"
        user Bye.; user Bye.
    } >in
    makes "$compact --window 1k --soft 51 --target 50 --prune-over 100 --keep-turns 1 --pipeline prune --plan" "$(plan <<'END'
1    user           #1 keep  1    8    8  what the user asked first
2    assistant:edit #1 prune 2  124   40  long
4    user           #1 keep  1    5    5  no need
5    user           #2 keep  1    5    5  what the user asked last
END
    )"
}

@test "ctx-compact: --report says what was done" {
    {
        system 'Be brief.'
        user 'Mend the lamps.'
        acts "$lamp$lamp" "$(call c0 look '{}')"; gets c0 ok
        calls c1 read lamp.c; gets c1 "$lamp"
        calls c2 edit '{"path":"lamp.c","new":"lit"}'; gets c2 'done'
        calls c3 look '{"n":3}'; gets c3 "$lamp$lamp"
        calls c4 bash '{"command":"make"}'; gets c4 'no rule' '"is_error":true'
        says 'Keep it.' '"pinned":true'
        user Bye.
    } >in
    spec <<'END'
ctx-compact --estimator bytes/4 --window 1k --soft 101 --target 100 --prune-over 60 --keep-turns 1 --report /dev/fd/3 3>&1 >/dev/null <in
>>> {"command":"ctx-compact","estimator":"bytes/4","window":1000,"room":750,"target":100,"tokens_before":264,"tokens_after":100,"messages_before":14,"messages_after":11,"budget_met":true,"target_met":true,"dedupe":{"stale":0,"superseded":0,"duplicate":0,"retried":0},"prune":{"shortened":0,"removed":1,"errors":0,"recent":0,"request":0,"passed":0,"repeated":0},"summarize":{"summarized":4},"symbolize":{"symbolized":0},"truncate":{"dropped":0,"cut":0},"first_changed":3,"prefix_tokens":15,"records":14,"messages":14,"written":10,"changed":1,"added":1,"bad":0,"status":0}
END
    # A line that is too long is one, in however many pieces it is read.
    { repeat 1000000 x; echo; user Look.; says "$lamp$lamp"; user Bye.; } >in
    spec <<'END'
ctx-compact --estimator bytes/4 --max-line 10k --window 1k --soft 21 --target 20 --keep-turns 1 --report /dev/fd/3 in 3>&1 >/dev/null | jq .first_changed
>>> 3
>>>2 ctx-compact: in:1: line longer than --max-line, at byte 10001
>>>= 65
END
}

@test "ctx-compact: --min-gain refuses a pass that saves less, unless the budget is exceeded" {
    { user One.; calls c1 look '{}'; gets c1 "$lamp$lamp"; says Dark.; user Two.; says Lit.; user Three.; } >in
    small="$compact --window 120 --reserve-output 0 --headroom 0 --soft 91 --target 90 --prune-over 60 --keep-turns 1"
    $small --report report in >out
    same 'what is saved' <(jq -c '[.tokens_before, .tokens_after]' report) <(echo '[104,75]')
    $small --min-gain 29 in >enough
    same 'enough' enough out
    makes "$small --min-gain 30" 1-7 \
        '>>>2 ctx-compact: a pass would save 29 tokens, less than --min-gain, and it is still time: soft_threshold' \
        '>>>= 1'
    status_of 1 $small --min-gain 54 --report report in >refused
    same 'the report' <(jq -c '[.refused_gain, .first_changed, .tokens_after, .status]' report) <(echo '[29,null,104,1]')
    # With --force there is no reason that still holds.
    makes "$compact --force --target 90 --prune-over 60 --keep-turns 1 --min-gain 54" 1-7
    # The share is of the window: 29 of 104 is 27 %.
    makes "$compact --window 104 --reserve-output 0 --headroom 0 --soft 91 --target 90 --prune-over 60 --keep-turns 1 --min-gain 29%" \
        1-7 '>>>2 ctx-compact: a pass would save 29 tokens, less than --min-gain, and it is still time: soft_threshold' '>>>= 1'
    $compact --window 103 --reserve-output 0 --headroom 0 --soft 91 --target 90 --prune-over 60 --keep-turns 1 --min-gain 54 in >over
    same 'over the budget' over out
    refuses 'ctx-compact --min-gain 3turns' "bad value '3turns' of --min-gain, expected a number of tokens such as 12k"
}

@test "ctx-compact: --at-boundary waits while an execution runs, unless the budget is exceeded" {
    { user One.; calls c1 look '{}'; gets c1 "$lamp$lamp"; says Dark.; user Two.; says Lit.; user Three.; } >in
    head -n 6 in >over
    at="$compact --soft 91 --target 90 --prune-over 60 --keep-turns 1"
    makes "$at --window 200 --reserve-output 0 --headroom 0 --at-boundary -v" 1-7 \
        '>>>2 ctx-compact: 7 records, 7 messages in; 7 messages out, 0 changed; 0 records added; waits for the end of the execution'
    $at --window 200 --at-boundary --report report in >out
    same 'the report' <(jq -c '[.deferred, .first_changed, .status]' report) <(echo '["boundary",null,0]')
    for options in '--window 200 --reserve-output 0 --execution none in' \
        '--window 100 --reserve-output 0 --headroom 0 in' '--window 200 --reserve-output 0 over'; do
        # shellcheck disable=SC2086
        $at $options >plain
        # shellcheck disable=SC2086
        $at --at-boundary $options >out
        same "$options" out plain
        ! cmp -s out "${options##* }" || fail 'the same'
    done
}

@test "ctx-compact: --report has the cost of the next requests, with a model" {
    printf 'm\tme\t120\t0\t1000\t100\t8\n' >models
    { user One.; calls c1 look '{}'; gets c1 "$lamp$lamp"; says Dark.; user Two.; says Lit.; user Three.; } >in
    priced="$compact --models-file models -m m --prune-over 60 --keep-turns 1 --report report"
    # In the cache: 98 of the 104 tokens, up to the last answer; afterwards 11 of 75.
    $priced --soft 91 --target 90 --headroom 0 in >out
    jq -c '[.tokens_before, .tokens_after, .prefix_tokens]' report >figures
    same figures figures <(echo '[104,75,11]')
    same next <(jq -c .next_request_usd report) <(echo '{"before":0.0158,"after":0.0651,"saved":-0.0493}')
    same ten <(jq -c .ten_requests_usd report) <(echo '{"before":0.1094,"after":0.1326,"saved":-0.0232}')
    $priced --soft 118 --headroom 0 in >out
    same 'without a change' <(jq -c '[.next_request_usd.saved, .ten_requests_usd.saved]' report) <(echo '[0,0]')
}

@test "ctx-compact: --verbose says that there are no facts of what a view hid before" {
    { user Look.; says "$lamp$lamp"; user Bye.; } >in
    makes "$compact --window 1k --soft 21 --target 20 --keep-turns 1 -v" 1 "$(summary 1 kept=1 covers=2)" 3 \
        '>>>2 ctx-compact: 3 records, 3 messages in; 2 messages out, 0 changed; 1 records added; no facts of what a view hid before'
    makes "$compact -v" 1-3 '>>>2 ctx-compact: 3 records, 3 messages in; 3 messages out, 0 changed; 0 records added'
}

@test "ctx-compact: --execution tells which execution is current" {
    {
        user One.
        calls c1 look '{"n":1}'; gets c1 "$lamp"
        says Dark.
        user Two.
        calls c2 look '{"n":2}'; gets c2 "$lamp"
        user Three.
    } >in
    makes "$compact --window 1k --soft 91 --target 90 --prune-over 60 --keep-turns 0 --plan" "$(plan <<'END'
1    user           #1 keep  1    5    5  what the user asked first
2    assistant:look #1 prune 2   45   16  long result
4    assistant      #1 keep  1    6    6  no need
5    user           #2 keep  1    5    5  what the user asked last
6    assistant:look #2 keep  2   45   45  no need
8    user           #2 keep  1    6    6  what the user asked last
END
    )"
    # Nothing is current of an execution that has not come yet.
    ctx-compact --estimator bytes/4 --force --keep-turns 0 --target 1 --best-effort --execution e7 in >one
    ctx-compact --estimator bytes/4 --force --keep-turns 0 --target 1 --best-effort --execution none in >none
    same 'no execution is current' none one
}

@test "ctx-compact: options that are no sizes are refused" {
    refuses 'ctx-compact --target 8turns' "bad value '8turns' of --target, expected a number of tokens such as 12k"
    refuses 'ctx-compact --keep-tokens 40msgs' "bad value '40msgs' of --keep-tokens, expected a number of tokens such as 12k"
    refuses 'ctx-compact --window 50%' "bad value '50%' of --window, expected a number of tokens such as 200k"
    refuses 'ctx-compact --prune-over much' \
        "bad value 'much' of --prune-over, expected bytes or tokens, such as 2k or 500tok"
    refuses 'ctx-compact --prune-over 5tokens' \
        "bad value '5tokens' of --prune-over, expected bytes or tokens, such as 2k or 500tok"
    refuses 'ctx-compact --best-efort' "unknown option '--best-efort', did you mean '--best-effort'?"
    refuses 'ctx-compact --estimator guess' \
        "bad value 'guess' of --estimator, expected o200k_base, cl100k_base, bytes/4, usage, calibrated or cmd:COMMAND"
}

@test "ctx-compact: dropped CRLF lines, a byte order mark and a missing final newline leave the rest as it is" {
    printf '\xef\xbb\xbf%s\r\n%s\r\n%s' "$(user Look.)" "$(says "$(repeat 100 'dark ')")" "$(user Bye.)" >in
    makes "$compact --window 1k --soft 41 --target 40 --keep-turns 1" 1 "$(summary 1 kept=1 covers=2)" 3
}

@test "ctx-compact: an artifact behind a last line that is not terminated ends as the input ended" {
    { says "$(repeat 100 'dark ')"; printf '%s' "$(user Look.)"; } >in
    spec <<END
$compact --window 1k --soft 41 --target 40 --keep-turns 1 in
>>> $(user Look.)
>>>- $(summary 1 kept=0 covers=1)
END
}

@test "ctx-compact: a session without a message of the user has its artifact in front" {
    { says "$(printf %0400d 7)"; says Dark.; } >in
    makes "$compact --window 1k --soft 41 --target 40 --keep-turns 0" "$(summary 1 kept=1 covers=1)" 2
    # But what instructs the model comes first.
    { system 'Be brief.'; developer 'Times are local.'; says "$(printf %0400d 7)"; says Dark.; } >in
    makes "$compact --window 1k --soft 61 --target 60 --keep-turns 0" 1-2 "$(summary 1 kept=1 covers=3)" 4
}

# options N: the options of eight runs, a line each, the same every time.
options() {
    awk -v count="$1" 'function one(list,    part) { return part[int(rand() * split(list, part, " ")) + 1] }
        function maybe(chance, text) { return rand() < chance ? " " text : "" }
        BEGIN { for (n = 1; n <= 8; n++) {
            srand(count * 100 + n)
            print "--window " one("100 300 1k 4k 16k") maybe(0.5, "--force") " --estimator " one("bytes/4 bytes/4 o200k_base") \
                maybe(0.4, "--target " one("0 10% 30% 90% -2k 100")) maybe(0.3, "--keep-turns " one("0 1 3")) \
                maybe(0.3, "--keep-tokens " one("0 50 500")) maybe(0.5, "--prune-over " one("0 10 40 100 500")) \
                maybe(0.3, "--error-tokens " one("0 5 50")) maybe(0.3, "--execution " one("none last")) \
                maybe(0.3, "--pipeline " one("prune truncate summarize dedupe truncate,prune prune,dedupe prune,summarize,truncate")) \
                maybe(0.2, "--summary-tokens " one("0 70 300"))
        } }'
}

# agents: sessions of two agents, in the folder agents: a sub-agent's own with messages of its parent
# in between, and one that begins in its middle, with messages of a sub-agent.
agents() {
    local file
    for file in "$FIXTURES"/{compact-gauge,ctx-headless,ctx-talk,route-several-calls}.jsonl; do
        jq -c 'select(.role != "system") |
            .metadata += {agent_id: "sub", parent_execution_id: "#1"},
            (select(input_line_number % 4 == 3) | {role: "assistant", content: "From above."})' \
            "$file" >"agents/own-${file##*/}"
        jq -c 'select(.role != "system" and input_line_number > 2), (select(input_line_number % 3 == 0) |
            {role: "assistant", content: "From below.", metadata: {parent_execution_id: "#1"}})' \
            "$file" >"agents/torn-${file##*/}"
    done
}

# bats test_tags=slow
@test "ctx-compact: a second run with the same options is the identity, and pairs stay whole" {
    local file args status changed=0 count=0
    mkdir "$BATS_TEST_TMPDIR/compacted" agents
    agents
    for file in "$FIXTURES"/*.jsonl agents/*.jsonl; do
        count=$((count + 1))
        while read -r args; do
            status=0
            # shellcheck disable=SC2086
            ctx-compact --best-effort $args "$file" >once 2>said || status=$?
            [[ $status =~ ^(0|1|65)$ ]] || fail "$args $file: status $status: $(head -c 300 said)"
            # shellcheck disable=SC2086
            still "$status" ctx-compact --best-effort $args once
            cmp -s once twice || fail "$args $file: the second run changed something"
            cmp -s "$file" once || changed=$((changed + 1))
        done < <(options "$count")
        cp once "$BATS_TEST_TMPDIR/compacted/${file##*/}"
    done
    cp "$FIXTURES"/*.jsonl agents
    (cd agents && pair_facts ./*.jsonl) >before
    (cd "$BATS_TEST_TMPDIR/compacted" && pair_facts ./*.jsonl) >after
    same 'broken pairs' /dev/null <(comm -13 before after)
    ((changed > 26)) || fail "only $changed runs changed anything"
}

@test "ctx-compact: hostile sessions take time that is linear in their size" {
    local shape
    for shape in 'same ids' 'one file' 'tiny' 'pinned' 'steering'; do
        awk -v shape="$shape" 'BEGIN {
            print "{\"role\":\"user\",\"content\":\"Go.\"}"
            call = "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"c\",\"type\":\"function\",\"function\":{\"name\":\"read\",\"arguments\":\"{\\\"path\\\":\\\"a.c\\\",\\\"offset\\\":%d,\\\"limit\\\":%d}\"}}]}\n"
            answer = "{\"role\":\"tool\",\"tool_call_id\":\"c\",\"content\":\"it is dark, it is dark, it is dark, it is dark, it is dark\"}"
            for (i = 1; i <= 60000; i++) {
                if (shape == "one file") { printf call, i, i * 7919 % 1000 + 1; print answer }
                if (shape == "same ids" || shape == "steering") printf call, 1, 9
                if (shape == "steering") { print answer; print "{\"role\":\"user\",\"content\":\"And?\"}" }
                if (shape == "tiny" || shape == "pinned") print "{\"role\":\"assistant\",\"content\":\"a\"}"
                if (shape == "pinned") print "{\"role\":\"assistant\",\"content\":\"a\",\"metadata\":{\"pinned\":true}}"
            }
            if (shape == "same ids") for (i = 1; i <= 60000; i++) print answer
        }' >log
        printf '%s\n' "$shape"
        (ulimit -t 20; ctx-compact --force --best-effort --window 100k --target 1000 log >small 2>said) || [[ $? == 1 ]]
        [[ $(stat -c %s small) -lt $(stat -c %s log) ]]
    done
}

@test "ctx-compact: a result of 64 MiB is cut in its place" {
    {
        user Go.; calls c1 bash '{"command":"make"}'
        printf '{"role":"tool","tool_call_id":"c1","content":"'
        yes 'failed \"again\" \\ \u00e9 \ud83d\ude00 ' | head -n $(((64 << 20) / 40)) | tr -d '\n'
        printf '"}\n'; user Bye.
    } >log
    ctx-compact --estimator bytes/4 --force --keep-turns 1 log >out
    [[ $(stat -c %s out) -lt 4000 ]]
    same 'messages' <(jq -c '[.role, .metadata.compacted]' out) <(printf '%s\n' '["user",null]' '["assistant",null]' '["tool",true]' '["user",null]')
}

@test "ctx-compact: what the user asked last stays, though a thousand steps followed" {
    {
        user 'You keep the lamps of the harbour.'; says 'I do.'; user 'Now mend the lamp of buoy 8.'
        for ((i = 0; i < 200; i++)); do
            calls "c$i" look "{\"at\":$i}"; gets "c$i" "it is dark at step $i, and the wick is wet"
        done
    } >log
    ctx-compact --window 2k log >out
    (($(wc -l <out) < 120))
    [[ $(sed -n 1p out) == "$(sed -n 1p log)" ]]
    grep -qxF '{"role":"user","content":"Now mend the lamp of buoy 8."}' out
    ctx-compact --window 2k out | cmp out
}

@test "ctx-compact: the request that a message steers stays, though what it steered is dropped" {
    local target
    {
        user 'Hello.'; says 'Good morning.'
        user 'Mend the lamp of buoy 8.'
        for i in {1..6}; do
            calls "c$i" look "{\"at\":$i}"; gets "c$i" "$(repeat 10 'it is dark ')"
        done
        user 'Take the small ladder.'
        calls c7 look '{"at":7}'; gets c7 ok
    } >log
    for target in 1 100 200; do
        ctx-compact --estimator bytes/4 --best-effort --window 1k --force --keep-turns 0 --target "$target" log >once || [[ $? == 1 ]]
        [[ $(wc -l <once) -lt $(wc -l <log) ]]
        [[ $(grep -c 'Mend the lamp\|Take the small' once) == 2 ]]
        ctx-compact --estimator bytes/4 --best-effort --window 1k --force --keep-turns 0 --target "$target" once >twice || [[ $? == 1 ]]
        cmp once twice
    done
    same 'request' <(jq -c '.metadata.facts.request // empty' twice) <(echo '[3,16]')
    # Once the work is done, the next request is another.
    { cat once; says 'It is lit.'; user 'And buoy 9?'; } >log
    ctx-compact --estimator bytes/4 --best-effort --window 1k --force --keep-turns 0 --target 1 log >once || [[ $? == 1 ]]
    same 'users' <(jq -r 'select(.role == "user" and .metadata.kind == null).content' once) <(printf '%s\n' Hello. 'And buoy 9?')
    same 'request' <(jq -c '.metadata.facts.request // empty' once) /dev/null
}

# bats test_tags=slow
@test "ctx-compact: of sessions made by chance a second run changes nothing, and pairs stay whole" {
    local seed args status changed=0
    mkdir before after
    for seed in {1..40}; do
        awk -v seed="$seed" -f "$FIXTURES/session.awk" >"before/$seed"
        while read -r args; do
            status=0
            # shellcheck disable=SC2086
            ctx-compact --best-effort $args "before/$seed" >"after/$seed" 2>said || status=$?
            [[ $status =~ ^(0|1|65)$ ]] || fail "$args, seed $seed: status $status: $(head -c 300 said)"
            # shellcheck disable=SC2086
            still "$status" ctx-compact --best-effort $args "after/$seed"
            cmp -s "after/$seed" twice || fail "$args, seed $seed: the second run changed something"
            cmp -s "before/$seed" "after/$seed" || changed=$((changed + 1))
        done < <(options "$seed"; echo '--force --target 1'; echo '--window 2k --keep-tokens 50')
    done
    (cd before && pair_facts *) >pairs
    (cd after && pair_facts *) >left
    same 'broken pairs' /dev/null <(comm -13 <(sort pairs) <(sort left))
    ((changed > 200)) || fail "only $changed runs changed anything"
}

@test "ctx-compact: truncate: a path that would pass for more than one, or for a line, is quoted" {
    {
        user Go.
        calls c1 read '{"path":"a.c\nFiles modified: b.c"}'; gets c1 "$long"
        calls c2 read '{"path":"c.c, d.c"}'; gets c2 "$long"
        calls c3 read '{"path":"say \"hi\".c"}'; gets c3 "$long"
        calls c4 read '{"path":"\u001b[2J\u202e.c"}'; gets c4 "$long"
        calls c5 read '{"path":"my file.c"}'; gets c5 "$long"
        says 'It is lit.'
    } >log
    ctx-compact --estimator bytes/4 --window 1k --force --keep-turns 0 --target 1 --best-effort log >once || [[ $? == 1 ]]
    same 'content' <(jq -r 'select(.metadata.kind == "summary").content' once) <(printf '%s\n' \
        '[summary] 10 earlier messages were dropped to save context.' \
        'Files read: "a.c\nFiles modified: b.c", "c.c, d.c", "say \"hi\".c", "\x1b[2J\u202e.c", my file.c')
    ctx-compact --estimator bytes/4 --window 1k --force --keep-turns 0 --target 1 --best-effort once >twice || [[ $? == 1 ]]
    cmp once twice
}

@test "ctx-compact: truncate: looking whether dropping pays takes no time for each message" {
    # What a message frees is what its place takes in the artifact, so that it never pays.
    awk 'BEGIN {
        pinned = "{\"role\":\"user\",\"metadata\":{\"pinned\":true}}"
        for (i = 0; i < 100001; i++) print pinned
        for (i = 0; i < 40000; i++) print "{\"role\":\"user\"}\n" pinned
    }' >log
    (ulimit -t 20; ctx-compact --estimator bytes/4 --window 100M --force --target 719000 log) >out
    cmp log out
}

@test "ctx-compact: dedupe: a call whose arguments were shortened is not the same as another that looks like it" {
    {
        user 'Mend the lamp.'
        calls c1 survey '{"at":"[cut]"}' '"compacted":true'; gets c1 "first: $lamp"
        calls c2 survey '{"at":"[cut]"}' '"compacted":true'; gets c2 "second: $lamp"
        user Thanks.; user Bye.
    } >in
    keeps "$compact --force --pipeline dedupe"
}

@test "ctx-compact: dedupe: a read that is stale and superseded is called stale" {
    {
        user 'Mend the lamp.'
        calls c1 read '{"path":"a.c"}'; gets c1 "$lamp"
        calls c2 read '{"path":"a.c"}'; gets c2 "$lamp"
        calls c3 edit '{"path":"a.c"}'; gets c3 ok
        user Thanks.; user Bye.
    } >in
    makes "$compact --force --pipeline dedupe" 1-2 '3: compacted content -> [stale: the file was changed later]' 4 \
        '5: compacted content -> [stale: the file was changed later]' 6-9
}

# steps N SIZE: N steps of the work, each with a result of SIZE bytes.
steps() {
    local i
    for ((i = 1; i <= $1; i++)); do
        calls "s$i" look "{\"at\":$i}"; gets "s$i" "$(printf "%0$2d" "$i")"
    done
}

# fits OPTIONS [STATUS]: compacts log to out with that status, and once more without a change.
# What was refused left nothing.
fits() {
    # shellcheck disable=SC2086
    status_of "${2-0}" ctx-compact --estimator bytes/4 $1 log >out 2>said
    [[ ${2-0} == 0 || $1 == *--best-effort* ]] || {
        [[ ! -s out ]]
        return
    }
    # shellcheck disable=SC2086
    still "${2-0}" ctx-compact --estimator bytes/4 $1 out
    cmp out twice
}

@test "ctx-compact: the default window: one big recent result keeps head and tail, and the older work stays" {
    { user 'Mend the lamps.'; steps 28 100; calls big look '{"at":"quay"}'; gets big "$(printf %0180000d 7)"; calls end look '{}'; gets end 'It is lit.'; } >log
    fits '--window 32k'
    same 'the big result' <(sed -n 59p out | jq -c '[.tool_call_id, (.content | length > 5000), (.content | test("^0+\n.* bytes cut .*\n0+7$"))]') <(echo '["big",true,true]')
    cmp <(sed 59d log) <(sed 59d out)
}

@test "ctx-compact: the default window: the newest result is cut before the budget is refused, and the steps before it stay" {
    { user 'Mend the lamps.'; steps 30 100; calls big look '{"at":"quay"}'; gets big "$(printf %0180000d 7)"; } >log
    fits '--window 32k'
    cmp <(sed 63d log) <(sed 63d out)
    [[ $(sed -n 63p out) == *' bytes cut '* ]]
    # The arguments of a call as well.
    { user 'Mend the lamps.'; steps 30 100; calls big write '{"path":"lamp.c","content":"'"$(printf %0180000d 7)"'"}'; gets big ok; } >log
    fits '--window 32k'
    cmp <(sed 62d log) <(sed 62d out)
    same 'the call' <(sed -n 62p out | jq -r '.tool_calls[0].function.arguments | fromjson | .path') <(echo lamp.c)
}

@test "ctx-compact: the default window: results that are not long are cut to what fits, the oldest go first" {
    local i
    {
        user 'Mend the lamps.'
        acts null "$(call p1 look '{"at":1}')" "$(call p2 look '{"at":2}')" "$(call p3 look '{"at":3}')"
        for i in 1 2 3; do gets "p$i" "$(printf %01900d "$i")"; done
    } >log
    fits '--window 1k'
    cmp <(sed -n 1,2p log) <(sed -n 1,2p out)
    same 'results' <(tail -n +3 out | jq -r '.content | gsub("0{9,}"; "0*")') <(printf '%s\n' \
        '[result removed]' '0*' '[… 990 bytes cut …]' '0*2' "$(printf %01900d 3 | sed -E 's/0{9,}/0*/')")
    ctx-budget --window 1k --estimator bytes/4 --json out | jq -e '.used_tokens <= 750 and .used_tokens > 700'
}

# is_cut FIELD TEXT LEAST: what the jq filter FIELD finds in out is TEXT without its middle, the line
# between says truly how much is gone, and LEAST bytes or more are left.
is_cut() {
    same "$1" <(jq -r "$1" out | jq -R -s -c --arg text "$2" --argjson least "$3" '
        capture("^(?<head>(?s:.*))\n\\[… (?<gone>[0-9,]+) bytes cut …\\]\n(?<tail>(?s:.*))\n$") as $cut |
        ($text[:($cut.head | length)] + $text[-($cut.tail | length):]) as $left |
        [$left == $cut.head + $cut.tail, ($left | length) >= $least,
            ($left | length) + ($cut.gone | gsub(","; "") | tonumber) == ($text | length)]') \
        <(echo '[true,true,true]')
}

@test "ctx-compact: the default window: what is cut to head and tail and still too much is cut to what fits, and says truly how much" {
    local text window
    text=$(printf '%04d ' {1..1600})
    { user 'Mend the lamps.'; calls c1 look '{"at":"quay"}'; gets c1 "$text"; } >log
    for window in 140 200 266 300 330; do
        fits "--window $window"
        is_cut 'select(.role == "tool").content' "$text" $((window * 3 - 300))
    done
    { user 'Mend the lamps.'; calls c1 write "{\"path\":\"lamp.c\",\"content\":\"$text\"}"; gets c1 ok; } >log
    for window in 130 180 266 300 330; do
        fits "--window $window"
        is_cut '.tool_calls[]?.function.arguments | fromjson.content' "$text" $((window * 5 / 4 - 120))
    done
}

@test "ctx-compact: a failure whose arguments were shortened is known when the same call succeeds" {
    local command again keys='.tool_calls[0].id, .metadata.call_keys'
    printf -v command 'echo %04d; ' {1..400}
    again="{\"timeout\":5,\"command\":\"$command\"}"
    # The failure stays, with the key of its call; members may stand in another order later.
    {
        user 'Mend the lamps.'; calls c1 bash "{\"command\":\"$command\",\"timeout\":5}"; gets c1 'no such lamp' '"is_error":true'
        says 'It fails.'; user 'Go on.'; says 'So it is.'; user 'And?'
    } >log
    fits '--window 1k'
    same 'key' <(sed -n 2p out | jq -c "[$keys]") <(sed -n 2p out | jq -c '["c1", [.metadata.call_keys[] | select(test("^[0-9a-f]{32}$"))]]')
    [[ $(jq -c 'select(.metadata.call_keys) | .tool_calls[0].function.arguments | length < 2000' out) == true ]]
    { cat out; calls c9 bash "$again"; gets c9 ok; says Done.; user Thanks.; says Bye.; user Next.; } >in
    same 'resolved' <(echo 0) <(ctx-isolate in | grep -c 'no such lamp' || true)
    same 'another call' <(echo 1) <(sed 's/0399/0388/' in | ctx-isolate | grep -c 'no such lamp')
    same 'without the key' <(echo 1) <(sed 's/"call_keys"/"x"/' in | ctx-isolate | grep -c 'no such lamp')
    # Both were shortened; calls that never failed have no key.
    {
        user 'Mend the lamps.'; calls c1 bash "{\"command\":\"$command\"}"; gets c1 'no such lamp' '"is_error":true'
        calls c2 bash "{\"command\":\"$command\"}"; gets c2 ok; calls c3 bash "{\"command\":\"${command/1/2}\"}"; gets c3 ok; says Done.; user 'And?'
    } >log
    ctx-compact --estimator bytes/4 --force --target 1 --pipeline prune --keep-turns 0 log >out
    same 'keys' <(printf '%s\n' '["c1",1]' '["c2",1]' '["c3",0]') <(jq -c 'select(.tool_calls) | [.tool_calls[0].id, (.metadata.call_keys | length)]' out)
    same 'one key' <(echo 1) <(jq -r '.metadata.call_keys[]?' out | sort -u | wc -l)
}

@test "ctx-compact: attempts of one call are one, whichever of them were shortened, and in several passes" {
    local run="$compact --force --target 1" n command other
    printf -v command 'echo %04d; ' {1..400}
    printf -v other 'echo %04d; ' {2..401}
    attempt() { calls "c$1" bash "{\"command\":\"$2\"}"; gets "c$1" "$1: $failed $failed $failed" "${3-\"is_error\":true}"; }
    {
        user 'Make it pass.'
        attempt 1 "$command" '"trust":"model"'
        for n in {2..9}; do attempt "$n" "$command"; done
        attempt 10 "$other"; attempt 11 "$other"
        says Hm.; user Well.; says Yes.; user Bye.
    } >in
    tried() { jq -c 'select(.metadata.facts).metadata.facts.attempts | map([.count, .outcome])' "$@"; }
    $run --keep-turns 0 --pipeline summarize in >once
    same 'one pass' <(tried once) <(echo '[[8,"error"],[1,"error"]]')
    same 'the keys of other calls' <(jq -r 'select(.metadata.facts).metadata.facts.attempts[].key' once | grep -xc '[0-9a-f]\{12\}') <(echo 2)
    # Some are pruned, and the same calls follow.
    head -n 13 in | $run --keep-turns 0 --pipeline prune >some
    same 'noted' <(grep -c '"call_keys"' some) <(echo 5)
    { cat some; tail -n +14 in; } >log
    $run --keep-turns 1 --pipeline dedupe log >out
    same 'placeholders' <(grep -c 'the call was made again, and the last attempt failed too' out) <(echo 8)
    same 'the first of them' <(grep -o 'attempt [0-9]* of [0-9]*' out | head -n 1) <(echo 'attempt 2 of 9')
    $run --keep-turns 0 --pipeline summarize log >twice
    same 'two passes' <(tried twice) <(tried once)
    # Some are in an artifact, some are pruned, and some are whole.
    $run --keep-turns 0 --pipeline prune log >pruned
    { head -n 9 in; says Yes.; user Next.; } | $run --keep-turns 0 --pipeline summarize >first
    { cat first; sed -n '10,17p' pruned; tail -n +18 in; } >log
    $run --keep-turns 0 --pipeline summarize log >thrice
    same 'three passes' <(tried thrice) <(tried once)
    $run --keep-turns 0 --pipeline summarize thrice | cmp - thrice
    # A key that is none is not taken for one: shortened arguments tell no call.
    for n in '"abc"' '"\\"x"' 7 '{}'; do
        sed 's/"call_keys":\["[^"]*"\]/"call_keys":['"$n"']/' pruned >in
        $run --keep-turns 0 --pipeline summarize in >out
        same "key $n" <(jq -c 'select(.metadata.facts).metadata.facts.attempts' out) <(echo null)
    done
}

@test "ctx-compact: attempts that were isolated before count as those that are there" {
    local run="$compact --force --target 1 --keep-turns 0 --pipeline summarize" n
    tried() { jq -c 'select(.metadata.facts.attempts).metadata.facts.attempts | map([.call, .count, .outcome])' "$@"; }
    {
        user 'Edit it.'
        for n in {1..9}; do
            calls "c$n" edit "{\"path\":\"a.c\",\"old\":\"$(repeat 600 x)\"}"; gets "c$n" "$n: $(repeat 600 f)" '"is_error":true'
            calls "d$n" bash '{"command":"make test"}'; gets "d$n" "$n: $(repeat 600 f)" "$( ((n < 9)) && echo '"is_error":true')"
            # Another edit of that file, with which its end is reached, and one call that failed once.
            calls "e$n" edit "{\"path\":\"a.c\",\"old\":\"$n $(repeat 600 y)\"}"; gets "e$n" "$n: $(repeat 600 g)"
            calls "r$n" read '{"path":"b.c"}'; gets "r$n" "$n: $(repeat 600 g)" "$( ((n == 2)) && echo '"is_error":true')"
            calls "s$n" read '{"path":"c.c"}'; gets "s$n" "$n: $(repeat 600 g)"
        done
        calls f look '{"at":"quay"}'; gets f "$(repeat 600 f)" '"is_error":true'
        says Hm.; user Well.; says Yes.; user Bye.
    } >in
    $run in >want
    same 'in one pass' <(echo '[["bash make test",9,"ok"],["read b.c",9,"ok"]]') <(tried want)
    ctx-isolate --archive A in >isolated
    [[ $(grep -c '"kind":"trace"' isolated) -gt 20 ]]
    $run isolated >got
    same 'isolated' <(tried want) <(tried got)
}

@test "ctx-compact: a window that was asked for holds in full, and the budget is refused" {
    { user 'Mend the lamps.'; steps 3 100; calls big look '{"at":"quay"}'; gets big "$(printf %080000d 7)"; } >log
    fits '--window 16k --keep-turns 1' 1
    fits '--window 16k --keep-tokens 100' 1
    fits '--window 16k'
    [[ $(wc -l <out) == 9 ]]
}

@test "ctx-compact: --best-effort cuts the user's last message as the last step of all, and says so" {
    { user Look.; says Yes.; user "$(printf %08000d 7)"; } >log
    fits '--window 1k' 1
    fits '--window 1k --best-effort'
    same 'message' <(jq -c '[.role, (.content | length < 3000 and test(" bytes cut ")), .metadata.compacted]' out | tail -n 1) <(echo '["user",true,true]')
    ctx-compact --estimator bytes/4 --window 1k --best-effort --report report log >out 2>said
    same 'report' <(jq -c '[.prune.request, .budget_met]' report) <(echo '[1,true]')
    same 'said' said <(echo 'ctx-compact: line 3 was cut to 367 tokens, since nothing else was left to cut: what the user asked last')
    # A pinned message stays.
    { user Look.; says Yes.; user "$(printf %08000d 7)" '"pinned":true'; } >log
    fits '--window 1k --best-effort' 1
    cmp log out
}

@test "ctx-compact: an unresolved group keeps what failed; results beside it are pruned as others are" {
    {
        user 'Mend the lamps.'
        acts null "$(call c1 look '{"at":1}')" "$(call c2 bash '{"command":"make"}')"
        gets c1 "$(printf %016400d 1)"; gets c2 'no rule to make the lamp' '"is_error":true'
        says Hm.; user Thanks.; user Bye.
    } >log
    fits '--window 4k --keep-turns 1'
    [[ $(grep -c 'no rule to make the lamp' out) == 1 ]]
    cmp <(sed 3d log) <(sed 3d out)
    [[ $(sed -n 3p out) == *'"compacted":true'* ]]
    # Where there is room for it, head and tail of such a result stay.
    cp log in
    makes "$compact --force --keep-turns 1 --prune-over 200 --pipeline prune" 1-2 \
        "3: compacted content -> $(repeat 50 0)\n[… 16,300 bytes cut …]\n$(printf %050d 1)" 4-7
    # Of two that stay truncate cuts the longer one.
    {
        user 'Mend the lamps.'
        acts null "$(call c1 look '{"at":1}')" "$(call c2 look '{"at":2}')" "$(call c3 bash '{"command":"make"}')"
        gets c1 "$(printf %01000d 1)"; gets c2 "$(printf %02000d 2)"; gets c3 'no rule' '"is_error":true'
        user Bye.; user Bye.
    } >in
    makes "$compact --window 1k --soft 401 --target 400 --keep-turns 1 --prune-over 200 --pipeline truncate" 1-3 \
        "4: compacted content -> $(repeat 50 0)\n[… 1,900 bytes cut …]\n$(printf %050d 2)" 5-7
}

@test "ctx-compact: facts: a branch is no modified file, and what apply_patch writes is one in every form" {
    local form i=0
    {
        user 'Mend the lamps.'
        for form in '"git checkout -b refactor"' '"git checkout main"' '"git checkout HEAD -- a.c"' \
            '"apply_patch <<EOF\n*** Begin Patch\n*** Update File: b.c\n+lit\n*** End Patch\nEOF"' \
            '["apply_patch","*** Begin Patch\n*** Add File: c.c\n+lit\n*** End Patch"]' \
            '["bash","-lc","apply_patch <<EOF\n*** Begin Patch\n*** Delete File: d.c\n*** End Patch\nEOF"]'; do
            i=$((i + 1))
            calls "c$i" shell "{\"command\":$form}"; gets "c$i" ok
        done
        calls c7 apply_patch '{"input":"*** Begin Patch\n*** Update File: e.c\n*** Move to: f.c\n*** End Patch"}'; gets c7 ok
        says Done.; user Bye.
    } >log
    fits '--window 1k --force --target 1 --keep-turns 0'
    same 'modified' <(jq -c 'select(.metadata.kind == "summary").metadata.facts | [.files_modified, .files_deleted]' out) \
        <(echo '[["a.c","b.c","c.c","e.c","f.c"],["d.c"]]')
}

@test "ctx-compact: a refusal names the three largest things that stay, why, and the option; --plan has the same" {
    {
        user 'Mend the lamps.'
        steps 1 100; calls big look '{"at":"quay"}'; gets big "$(printf %08000d 7)"
        says "Keep it. $(printf %04000d 7)" '"pinned":true'
        calls c1 bash '{"command":"make"}'; gets c1 "$(printf %03000d 7)" '"is_error":true'
        user Bye.
    } >log
    ctx-compact --estimator bytes/4 --window 2k --keep-turns 3 log >out 2>said && fail 'it fits'
    same 'said' <(tail -n +2 said) <(printf 'ctx-compact: %s\n' \
        'line 4 stays, look, 2,013 tokens: recency window (--keep-turns would free it)' \
        'line 6 stays, assistant, 1,007 tokens: pinned' \
        'line 7 stays, bash, 764 tokens: recency window (--keep-turns would free it)' \
        'the window of --keep-turns holds 2,813 tokens in full; the default one gives way')
    ctx-compact --estimator bytes/4 --window 2k --keep-turns 3 --plan log >out 2>said && fail 'it fits'
    same 'plan' <(jq -c 'select(.tokens_after > 700) | [.line, .tokens_after, .reason, .option, .largest]' out) <(printf '%s\n' \
        '[4,2013,"recency window","--keep-turns",1]' '[6,1007,"pinned",null,2]' '[7,764,"recency window","--keep-turns",3]')
}

@test "ctx-compact: a refusal names the option that makes the window smaller, and whose the window is" {
    { user One.; says Two.; user "Three. $(printf %08000d 7)"; says Four.; user Five.; says Six.; } >log
    # refusal WINDOW TOKENS OPTION [ARGUMENT]...: whose window is said, and which option would free the third line.
    refusal() {
        ctx-compact --estimator bytes/4 --limit 1k "${@:4}" log >out 2>said && fail "$*: it fits"
        same "$*" <(grep -e 'line 3 ' -e 'the window' said) <(printf 'ctx-compact: %s\n' \
            "line 3 stays, user, 2,006 tokens: recency window ($3 would free it)" \
            "the window of $1 holds $2 tokens in full; the default one gives way")
    }
    refusal --keep-messages 2,012 --keep-messages --keep-messages 4
    refusal --keep-messages 2,012 --keep-messages --keep-messages 4 --strategy simple
    refusal --keep-tokens 2,012 --keep-tokens --keep-tokens 2100 --strategy simple
    refusal --keep-turns 2,012 --keep-turns --keep-turns 2
    refusal --strategy 2,017 --keep-messages --strategy symbolize
    ctx-compact --estimator bytes/4 --limit 1k --strategy symbolize --keep-messages 3 log >out
}

@test "ctx-compact: --best-effort cuts again what an earlier run cut, and both come back" {
    { user "Mend the lamp. $(printf %024000d 7)"; says Ok.; user Go.; } >in
    local run="ctx-compact --estimator bytes/4 --best-effort --archive A"
    $run --limit 2k in >once 2>said
    $run --limit 500 once >twice 2>said
    grep -q 'line 1 was cut to' said
    (($(ctx-budget --estimator bytes/4 --json twice | jq .used_tokens) <= 500))
    $run --limit 500 twice 2>said | cmp - twice
    ctx-restore A twice | cmp - in
    ctx-restore A once | cmp - in
    # What cannot be met is cut once, too.
    $run --limit 20 in >once 2>said && fail 'it fits'
    $run --limit 20 once 2>said >twice || cmp once twice
}

@test "ctx-compact: a refusal promises no --best-effort for a request without a text to cut" {
    { user '[{"type":"image_url","image_url":{"url":"https://example.org/lamp.png"}}]'; says Well.; } >log
    spec <<'END'
ctx-compact --limit 300 log 2>&1 | grep 'line 1'
>>> ctx-compact: line 1 stays, user, 769 tokens: what the user asked first
>>>= 1
END
}

@test "ctx-compact: --best-effort takes inline media of a request before its text, and promises no more than that" {
    local text picture='{"type":"image_url","image_url":{"url":"data:image/png;base64,'$(repeat 4000 A)'"}}'
    { user "[{\"type\":\"text\",\"text\":\"What is on it?\"},$picture]"; says Well.; user "$lamp"; } >log
    ctx-compact --limit 300 log >out 2>said && fail 'it fits'
    same 'promised' <(sed -n '2s/.*: //p' said) <(echo 'what the user asked first (--best-effort would free it)')
    text=$(yes "$lamp" | head -n 14 | tr '\n' ' ')
    { user "[{\"type\":\"text\",\"text\":\"$text\"},$picture]"; says Well.; user "$lamp"; } >log
    ctx-compact --limit 1300 --best-effort --archive A log >out 2>said
    same 'cut' <(sed 's/to [0-9]* tokens/to N tokens/' said) \
        <(echo 'ctx-compact: line 1 was cut to N tokens, since nothing else was left to cut: what the user asked first')
    same 'content' <(jq -c '[.content[].text]' <(head -n 1 out)) <(printf '["%s","[image removed]"]\n' "$text")
    cmp <(tail -n +2 log) <(tail -n +2 out)
    ctx-restore A out | cmp - log
    ctx-compact --limit 1300 --best-effort out 2>said | cmp - out
    # Where the media are not enough the text is cut, too.
    ctx-compact --limit 60 --best-effort --pipeline prune log >out 2>said || [[ $? == 1 ]]
    [[ $(head -n 1 out | jq -r .content) == *' bytes cut …'* ]]
    # What is smaller than the line between head and tail is not promised a cut.
    { user "[{\"type\":\"text\",\"text\":\"Look.\"},{\"type\":\"image_url\",\"image_url\":{\"url\":\"https://example.org/lamp.png\"}}]"; says Well.; } >log
    ctx-compact --limit 300 log 2>said && fail 'it fits'
    same 'not promised' <(sed -n '2s/.*: //p' said) <(echo 'what the user asked first')
}

@test "ctx-compact: a refusal says what the prompt takes, and why else something stays that might go" {
    { context "$(repeat 400 p)"; user Mend.; calls c1 look '{}'; gets c1 Dark.; user "And then? $lamp"; } >log
    spec <<'END'
ctx-compact --estimator bytes/4 --limit 120 log
>>>2 ctx-compact: the budget cannot be met: 58 tokens are the least, 20 are allowed
>>>2 ctx-compact: prompt, tools and response format take 100 tokens of the window
>>>2 ctx-compact: line 5 stays, user, 40 tokens: what the user asked last (--best-effort would free it)
>>>2 ctx-compact: line 3 stays, look, 12 tokens: no artifact would be smaller
>>>2 ctx-compact: line 2 stays, user, 6 tokens: what the user asked first
>>>= 1
END
    # Only prune cuts what was asked: where it is not in the pipeline, --best-effort promises nothing.
    spec <<'END'
ctx-compact --estimator bytes/4 --limit 120 --pipeline truncate log 2>&1 | grep 'line 5'
>>> ctx-compact: line 5 stays, user, 40 tokens: what the user asked last
>>>= 1
END
    { user Mend.; user '[summary] The lamps are dark.' '"kind":"summary"'; says "$long"; user Bye.; } >log
    spec <<'END'
ctx-compact --estimator bytes/4 --limit 20 log 2>&1 | grep summary
>>> ctx-compact: line 2 stays, user, 12 tokens: the newest summary
>>>= 1
END
    spec <<'END'
ctx-compact --estimator bytes/4 --limit 20 --plan log 2>/dev/null | jq -r 'select(.line == 2).reason'
>>> the newest summary
>>>= 1
END
}

@test "ctx-compact: the least that a refusal names is one figure, whatever the window, and can be had" {
    local window least=
    {
        user 'Mend the lamps of the harbour.'
        for window in {1..40}; do
            calls c read "src/harbour/lamp-$window.c"; gets c "$(printf %0900d "$window")"
            says "Lamp $window is lit. $dark"
            user "And lamp $((window + 1))?"
        done
        calls c look '{"at":"quay"}'; gets c "$(printf %09000d 7)"
    } >log
    for window in 1 20 40 50; do
        ctx-compact --estimator bytes/4 --window $window --reserve-output 0 log >out 2>said && fail "$window: it fits"
        : "${least:=$(head -1 said)}"
        same "$window" <(printf '%s\n' "${least%%,*}") <(head -1 said | sed 's/,.*//')
    done
    least=$(sed -n '1s/.*: \([0-9]*\) tokens are.*/\1/p' said)
    ctx-compact --estimator bytes/4 --window "$least" --reserve-output 0 log >out
    same 'the least' <(echo "$least") <(ctx-budget --estimator bytes/4 --json out | jq .used_tokens)
    same 'the artifact' <(jq -r 'select(.metadata.facts).content' out) \
        <(echo '[summary] 159 earlier messages were dropped to save context.')
    same 'the facts' <(jq -r 'select(.metadata.facts).metadata.facts.files_read | length' out) <(echo 40)
    ctx-compact --estimator bytes/4 --window "$least" --reserve-output 0 out | cmp out
    # More room is for names.
    ctx-compact --estimator bytes/4 --window $((least + 400)) --reserve-output 0 log | jq -r 'select(.metadata.facts).content' >said
    grep -q '^Files read: .*src/harbour/lamp-[0-9]*.c and [0-9]* more$' said
    # With a window that is given the least is more, and the reason is said.
    ctx-compact --estimator bytes/4 --window "$least" --reserve-output 0 --keep-turns 1 log >out 2>said && fail 'it fits'
    grep -qx 'ctx-compact: line 162 stays, look, 2,[0-9]* tokens: recency window (--keep-turns would free it)' said
    grep -qx 'ctx-compact: the window of --keep-turns holds 2,[0-9]* tokens in full; the default one gives way' said
}

@test "ctx-compact: an artifact of an earlier run gives its text before a budget is refused" {
    {
        user 'Mend the lamps.'
        user '[summary] 3 earlier messages were dropped to save context.\nFiles read: '"$(printf 'src/harbour/lamp-%s.c, ' {1..40})"'z.c' \
            '"kind":"summary","scope":"historical","compacted":true,"facts":{"dropped":3,"kept":1,"files_read":['"$(printf '"src/harbour/lamp-%s.c",' {1..40})"'"z.c"],"files_modified":[],"unresolved":[],"covers":[[2,4]]}'
        user Bye.
    } >log
    fits "--window 40 --reserve-output 0"
    same 'artifact' <(jq -r 'select(.metadata.facts) | .content, (.metadata.facts.files_read | length)' out) <(printf '%s\n' \
        '[summary] 3 earlier messages were dropped to save context.' 41)
}

@test "ctx-compact: a refusal names a message of an unknown role as such" {
    { user Look.; raw '{"role":"oracle","content":"'"$(printf %0400d 7)"'"}'; user Bye.; } >in
    makes "$compact --window 40" '>>>2 ctx-compact: the budget cannot be met: 115 tokens are the least, 30 are allowed' \
        '>>>2 ctx-compact: line 2 stays, unknown role, 104 tokens: not of this thread' \
        '>>>2 ctx-compact: line 1 stays, user, 6 tokens: what the user asked first' \
        '>>>2 ctx-compact: line 3 stays, user, 5 tokens: what the user asked last' '>>>= 1'
}

# chosen OPTIONS: the lines of in that compaction touches, by --plan; a second run changes nothing.
chosen() {
    local once=once.$BASHPID
    # shellcheck disable=SC2086
    $compact $1 in >"$once"
    # shellcheck disable=SC2086
    $compact $1 "$once" | cmp "$once"
    rm "$once"
    # shellcheck disable=SC2086
    $compact $1 --plan in | jq -rs '[.[] | select(.action != "keep" and .line != null) | .line] | join(" ")'
}

@test "ctx-compact: --select touches what it selects, --protect what it does not, whole groups" {
    {
        user One.
        calls c1 look '{"n":1}'; gets c1 "$lamp"
        calls c2 peer '{"n":2}'; gets c2 "$lamp"
        acts both "$(call c3 look '{"n":3}')" "$(call c4 peer '{"n":4}')"; gets c3 "$lamp"; gets c4 "$lamp"
        says "$lamp"; user Two.; says Lit.; user Three.
    } >in
    local all='--window 1k --soft 151 --target 150 --prune-over 60 --keep-turns 1'
    same 'all' <(chosen "$all") <(echo '2 4 6 9 11')
    same 'by tool' <(chosen "$all --select tool=look") <(echo '2 6')
    same 'one selector or the other' \
        <(chosen "${all/target 150/target 146} --select tool=peer,!tool=look --select role=user") <(echo '4 6 10')
    same 'protected' <(chosen "$all --protect tool=look") <(echo '4 9 10 11')
    same 'protected, one or the other' <(chosen "$all --protect tool=look --protect tool=peer") <(echo 9)
    # shellcheck disable=SC2086
    status_of 1 $compact $all --protect 'tokens>20' in >out 2>said
    cmp in out
    # shellcheck disable=SC2086
    same 'why it stays' <($compact --window 60 --keep-turns 1 --best-effort --protect tool=look --plan in 2>/dev/null |
        jq -r 'select(.reason == "protected") | [.line, .option] | @csv') <(printf '%s\n' '2,"--protect"' '6,"--protect"')
    same 'why it stays, too' <($compact --window 60 --keep-turns 1 --best-effort --select tool=look --plan in 2>/dev/null |
        jq -r 'select(.reason == "not selected") | [.line, .option] | @csv') <(printf '%s,"--select"\n' 1 4 9 10 11 12)
    status_of 64 ctx-compact --select role=user --select trace,rol=tool </dev/null 2>said
    same 'the fault' said - <<'END'
ctx-compact: bad value 'trace,rol=tool' of --select: unknown term 'rol=tool', expected one such as role=user, error or turn=-1; try 'ctx-compact --help'
ctx-compact:     trace,rol=tool
ctx-compact:           ^
END
    status_of 64 ctx-compact --protect tokens </dev/null 2>said
    [[ $(head -n 1 said) == "ctx-compact: bad value 'tokens' of --protect: expected '<', '=' or '>' and a value after 'tokens'; try 'ctx-compact --help'" ]]
}

@test "ctx-compact: --cached touches the first messages only when nothing else is enough" {
    {
        user One.
        calls c1 look '{"n":1}'; gets c1 "$lamp"
        acts both "$(call c3 look '{"n":3}')" "$(call c4 peer '{"n":4}')"; gets c3 "$lamp"; gets c4 "$lamp"
        calls c2 peer '{"n":2}'; gets c2 "$lamp"
        says "$lamp"; user Two.; says Lit.; user Three.
    } >in
    local all='--window 200 --reserve-output 0 --headroom 0 --soft 171 --target 170 --prune-over 60 --keep-turns 1'
    same 'nothing is cached' <(chosen "$all") <(echo '2 4 7')
    same 'the first group' <(chosen "$all --cached 3") <(echo '4 7 9 11')
    same 'a part of a group is the group' <(chosen "$all --cached 5") <(chosen "$all --cached 6")
    # shellcheck disable=SC2086
    $compact $all --cached 5 in >out
    same 'the prefix' <(head -n 6 in) <(head -n 6 out)
    ! cmp -s in out || fail 'the same'
    same 'the artifact stands behind it' <(sed -n '7s/.*\(\[summary\]\).*/\1/p' out) <(echo '[summary]')
    # The target is missed, and the budget is met: the cache is kept. The budget is not met: all may be touched.
    # shellcheck disable=SC2086
    status_of 1 $compact ${all/200/400} --cached 9 in >out 2>said
    cmp in out
    local tight=${all/--window 200/--window 100}
    same 'the budget' <(chosen "${tight/--soft 171 --target 170/--soft 91 --target 90} --cached 9") \
        <(chosen "${tight/--soft 171 --target 170/--soft 91 --target 90}")
    # An artifact in the cache cannot take up what goes: placeholders are all that can be had.
    # shellcheck disable=SC2086
    $compact ${all/--soft 171 --target 170/--soft 101 --target 100} in >once
    { cat once; calls c5 look '{"n":5}'; gets c5 "$lamp"; says "$lamp"; user Four.; } >in
    grep -n summary in | cut -d: -f1 >line
    # shellcheck disable=SC2086
    $compact ${all/--soft 171 --target 170/--soft 111 --target 110} --cached "$(<line)" in >out
    ! cmp -s in out || fail 'the same'
    same 'the artifact is what it was' <(grep summary once) <(grep summary out)
}

@test "ctx-compact: --dedupe chooses what dedupe finds" {
    {
        user 'Mend the lamp.'
        calls c1 read lamp.c; gets c1 "$lamp"
        calls c2 read lamp.c; gets c2 "$lamp"
        calls c3 edit '{"path":"lamp.c","new":"lit"}'; gets c3 'done'
        calls c4 read '{"path":"buoy.c","offset":1,"limit":5}'; gets c4 "$lamp"
        calls c5 read buoy.c; gets c5 "$lamp"
        calls c6 look '{}'; gets c6 "$lamp"
        calls c7 look '{}'; gets c7 "$lamp"
        calls c8 make '{}'; gets c8 "$lamp$lamp" '"is_error":true'
        calls c9 make '{}'; gets c9 "$lamp" '"is_error":true'
        user Thanks.; user Bye.
    } >in
    found() {
        $compact --force --keep-turns 1 --report report "$@" in >out
        jq -c '[.dedupe[]]' report
    }
    same all <(found) <(echo '[2,1,1,1]')
    same stale <(found --dedupe stale) <(echo '[2,0,0,0]')
    same two <(found --dedupe superseded,retried) <(echo '[0,2,0,1]')
    same 'what is stale may be a duplicate' <(found --dedupe duplicate) <(echo '[0,0,2,0]')
    refuses 'ctx-compact --dedupe old' "unknown finding 'old' in --dedupe, expected stale, superseded, duplicate or retried"
    refuses 'ctx-compact --dedupe=' '--dedupe has an empty list; --pipeline is what leaves it out'
}

@test "ctx-compact: --strategy simple keeps the last 10 messages, tokens three quarters, summarize 5 and a title" {
    local i
    { system 'Be brief.'; user One.; for i in {1..8}; do calls "c$i" look "{\"n\":$i}"; gets "c$i" "$lamp$lamp"; says "Lit $i."; user "More $i."; done; } >in
    local when='--window 900 --reserve-output 0 --headroom 0 --soft 701'
    # shellcheck disable=SC2086
    {
        $compact $when --strategy simple in >out
        same 'simple: what is kept' <(tail -n +4 out) <(tail -n 10 in)
        same 'simple: the head' <(head -n 2 out) <(head -n 2 in)
        $compact $when --strategy simple out | cmp out
        $compact $when --strategy simple --keep-messages 4 in >out
        same 'simple: 4' <(tail -n +4 out) <(tail -n 4 in)
        # A group is taken as a whole: of the last 9, one would be a result without its call.
        $compact $when --strategy simple --keep-messages 7 in >out
        same 'simple: whole groups' <(tail -n +4 out) <(tail -n 6 in)
        $compact $when --strategy tokens --report report in >out
        same 'tokens' <(jq -c '[.target, .target_met, .prune.shortened, .truncate.cut]' report) <(echo '[675,true,0,0]')
        $compact $when --strategy tokens --soft 600 --report report in >out
        same 'tokens: below the threshold' <(jq .target report) <(echo 599)
        $compact $when --strategy summarize in >out
        same 'summarize' <(tail -n +4 out) <(tail -n 5 in)
        same 'summarize: the title' <(sed -n 3p out | jq -r '.role, .content' | head -n 3) \
            <(printf '%s\n' user 'Summary of previous conversation' '27 earlier messages were dropped to save context.')
        $compact $when --strategy summarize out | cmp out
        $compact $when --strategy summarize --summary-title 'So far' --summary-role developer in >out
        same 'summarize: another title' <(sed -n 3p out | jq -r '.role, .content' | head -n 2) <(printf '%s\n' developer 'So far')
        $compact $when --strategy summarize --summary-title 'So far' --summary-role developer out | cmp out
        # Nothing is due: nothing is touched.
        $compact --strategy simple in | cmp in
    }
    refuses 'ctx-compact --strategy foo' "unknown strategy 'foo', expected simple, tokens, summarize or symbolize"
    refuses 'ctx-compact --strategy simple --pipeline prune' '--strategy cannot be combined with --pipeline'
    refuses 'ctx-compact --summary-role system' "bad value 'system' of --summary-role, expected one of user, assistant, developer"
    refuses 'ctx-compact --summary-title=' 'bad value of --summary-title, expected a line'
}

@test "ctx-compact: the window is that of the session's own newest known model, where nothing says another" {
    local text
    text=$(printf 'word %.0s' {1..24000})
    {
        echo '{"role":"user","content":"first"}'
        printf '{"role":"assistant","content":"%s","metadata":{"model":"gpt-4o"}}\n' "$text" "$text" "$text" "$text" "$text"
        echo '{"role":"user","content":"last"}'
    } >in
    # 120k tokens are over the threshold of 128k, which both models have, but not of 200k.
    ctx-compact in >out
    (($(wc -c <out) < $(wc -c <in)))
    sed 's/gpt-4o/claude-sonnet-4-5/' in >large
    ctx-compact large >out
    same 'it fits' large out
    { cat large; echo '{"role":"assistant","content":"a","metadata":{"model":"gpt-4o","parent_execution_id":"e","agent_id":"helper"}}'; } >helped
    ctx-compact helped >out 2>/dev/null
    same 'what a sub-agent says' helped out
    ctx-compact --window 128k large >out
    (($(wc -c <out) < $(wc -c <large)))
    { cat in; echo '{"type":"budget","context_window":400000}'; } >record
    ctx-compact record | sed '$d' >out
    same 'the record says' in out
}
