#!/usr/bin/env bats
#
# ctx-isolate: its options, each by itself.

load helper
load dialogue
long=${long?}

mask='ctx-isolate --policy mask --min-tokens 10'

# --- mask: what stays, and what stands in the place of what goes ---------------------------------

@test "ctx-isolate --keep-tokens: the newest messages of so many tokens keep their results" {
    {
        user 'One.'; calls c1 read a.c; gets c1 "$long"; says 'Done.'
        user 'Two.'; calls c2 read b.c; gets c2 "$long"; says 'Done.'; user 'Go.'
    } >in
    # A result has 154 tokens, and the two texts behind the second one have 6 and 5.
    mask="$mask --keep-results 0 --estimator bytes/4"
    makes "$mask" 1-2 '3: compacted content -> [tool result masked, 600 B]' 4-6 '7: compacted content -> [tool result masked, 600 B]' 8-9
    makes "$mask --keep-tokens 164" 1-2 '3: compacted content -> [tool result masked, 600 B]' 4-6 '7: compacted content -> [tool result masked, 600 B]' 8-9
    makes "$mask --keep-tokens 165" 1-2 '3: compacted content -> [tool result masked, 600 B]' 4-9
    makes "$mask --keep-tokens 200" 1-2 '3: compacted content -> [tool result masked, 600 B]' 4-9
    keeps "$mask --keep-tokens 1k"
    # What either option keeps stays.
    makes "$mask --keep-tokens 10 --keep-results 1" 1-2 '3: compacted content -> [tool result masked, 600 B]' 4-9
    keeps "$mask --keep-tokens 165 --keep-results 2"
    # The second run changes nothing, though there is more in as many tokens then.
    $mask --keep-tokens 165 in >once
    mv once in
    keeps "$mask --keep-tokens 165"
}

@test "ctx-isolate --keep-tokens: a stream lets go what the newest tokens leave behind, as a held session does" {
    local i
    for ((i = 0; i < 40; i++)); do
        user "Do $i."; calls "c$i" read "$i.c"; gets "c$i" "$(repeat $((40 + i * 53 % 400)) 'word ')"
        says 'Done.'
    done >in
    for tokens in 1 300 2k; do
        ctx-isolate --policy mask --min-tokens 10 --keep-results 0 --keep-tokens $tokens in >streamed
        ctx-isolate --policy mask --min-tokens 10 --keep-results 0 --keep-tokens $tokens --changes changes in >held
        same "$tokens" held streamed
        jq -r 'select(.role == "tool") | .metadata.compacted // false' streamed | uniq | paste -sd' ' >got
        [[ $(<got) == 'true false' || $(<got) == 'true' ]] || fail "$tokens: $(<got)"
    done
    # A live reader has the first results long before the end.
    mkfifo pipe
    ctx-isolate --policy mask --min-tokens 10 --keep-results 0 --keep-tokens 300 <pipe >live &
    local reader=$! tries
    exec 7>pipe
    head -n 80 in >&7
    for ((tries = 0; tries < 100; tries++)); do
        [[ $(wc -l <live) -lt 60 ]] || break
        sleep 0.05
    done
    [[ $(wc -l <live) -ge 60 ]]
    exec 7>&-
    wait "$reader"
}

@test "ctx-isolate --placeholder: the words in braces are what stood there" {
    {
        user 'One.'; calls c1 read a.c; gets c1 "$long"
        calls c2 bash '{"command":"make\nmake test"}'; gets c2 "$long" '"is_error":true,"resolved":true'
        acts null "$(call c3 '' '{}')"; gets c3 "$(repeat 2000 'x')"
        says 'Done.'
    } >in
    mask="$mask --keep-results 0 --estimator bytes/4"
    makes "$mask --placeholder '{tool} {target}: {outcome}, {bytes}, {tokens} tokens'" 1-2 \
        '3: compacted content -> read a.c: ok, 600 B, 154 tokens' 4 \
        '5: compacted content -> bash make …: error, 600 B, 154 tokens' 6 \
        '7: compacted content -> tool : ok, 2 kB, 504 tokens' 8
    makes "$mask --select tool=read --placeholder 'gone: {{tool} } {{}{bytes}{{'" 1-2 '3: compacted content -> gone: {tool} } {}600 B{' 4-8
    # Without an archive there is no command that brings the text back.
    makes "$mask --select tool=read --placeholder '<{archive}>'" 1-2 '3: compacted content -> <>' 4-8
}

@test "ctx-isolate --placeholder: a target that would pass for more than a name is quoted" {
    { user 'One.'; calls c1 read '{"path":"a.c: ok; bash rm"}'; gets c1 "$long"; says 'Done.'; } >in
    makes "$mask --keep-results 0 --placeholder '[{tool} {target}]'" 1-2 '3: compacted content -> [read \"a.c: ok; bash rm\"]' 4
}

@test "ctx-isolate --placeholder: an unknown word, a brace without an end and no text are wrong" {
    refuses "ctx-isolate --placeholder 'the {size}'" \
        "unknown word '{size}' in --placeholder, expected {tool}, {target}, {outcome}, {bytes}, {tokens} or {archive}, or {{ for a brace"
    refuses "ctx-isolate --placeholder '{tool} {bytes'" \
        "unknown word '{bytes' in --placeholder, expected {tool}, {target}, {outcome}, {bytes}, {tokens} or {archive}, or {{ for a brace"
    refuses "ctx-isolate --placeholder '{}'" \
        "unknown word '{}' in --placeholder, expected {tool}, {target}, {outcome}, {bytes}, {tokens} or {archive}, or {{ for a brace"
    refuses "ctx-isolate --placeholder ''" '--placeholder needs a text'
}

@test "ctx-isolate --placeholder: {archive} is the command, which then does not stand there twice" {
    { user 'One.'; calls c1 read a.c; gets c1 "$long"; says 'Done.'; } >in
    $mask --keep-results 0 --archive archive --placeholder '[{archive} | {bytes}]' in >out
    command=$(jq -r 'select(.role == "tool").content' out)
    [[ $command =~ ^'[ctx-compact --archive archive --recall '([0-9a-f]{12})' | 600 B]'$ ]] || fail "$command"
    ctx-compact --archive archive --recall "${BASH_REMATCH[1]}" | grep -q "$long"
    rm archive
    $mask --keep-results 0 --archive archive --placeholder '[gone, {bytes}]' in >out
    jq -r 'select(.role == "tool").content' out | grep -qE '^\[gone, 600 B; ctx-compact --archive archive --recall [0-9a-f]{12}\]$'
}

@test "ctx-isolate --select: the group has one answer, also when a member of it is changed already" {
    # The second group's second result comes late, when the selector has looked at other groups.
    {
        user 'One.'
        acts null "$(call c1 read a.c)" "$(call c2 read b.c)"; gets c1 "$long"
        acts null "$(call c3 read c.c)"; gets c3 "$long"; gets c2 "$(repeat 30 'word ')"
        says 'Done.'; user 'Go.'
    } >in
    makes "$mask --keep-results 0 --select 'tokens>70'" 1-2 '3: compacted content -> [tool result masked, 600 B]' 4 \
        '5: compacted content -> [tool result masked, 600 B]' '6: compacted content -> [tool result masked, 150 B]' 7-8
}
