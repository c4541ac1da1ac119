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
    # {archive} behind two braces is text.
    makes "$mask --select tool=read --placeholder '<{{archive}>'" 1-2 '3: compacted content -> <{archive}>' 4-8
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
    # Without an archive there is no command that brings the text back.
    refuses "ctx-isolate --policy mask --placeholder '[{tool}, {archive}]'" '{archive} in --placeholder needs --archive'
}

@test "ctx-isolate --placeholder: {archive} is the command, which then does not stand there twice" {
    { user 'One.'; calls c1 read a.c; gets c1 "$long"; says 'Done.'; } >in
    $mask --keep-results 0 --archive archive --placeholder '[{archive} | {bytes}]' in >out
    command=$(jq -r 'select(.role == "tool").content' out)
    [[ $command =~ ^'[ctx-recall archive '([0-9a-f]{12})' | 600 B]'$ ]] || fail "$command"
    ctx-recall archive "${BASH_REMATCH[1]}" | grep -q "$long"
    rm archive
    $mask --keep-results 0 --archive archive --placeholder '[gone, {bytes}]' in >out
    jq -r 'select(.role == "tool").content' out | grep -qE '^\[gone, 600 B; ctx-recall archive [0-9a-f]{12}\]$'
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

# --- mask: arguments ------------------------------------------------------------------------------

@test "ctx-isolate --arguments: long strings in arguments go, the JSON stays valid, and so does the path" {
    local content
    content=$(repeat 100 'word ')
    {
        user 'One.'
        acts 'I write.' "$(call c1 write "{\"path\":\"a.c\",\"content\":\"$content\",\"mode\":\"0644\"}")" "$(call c2 note "{\"text\":\"$content\"}")"
        gets c1 'ok'; gets c2 'ok'
        printf '%s\n' "{\"role\":\"assistant\",\"content\":\"\",\"tool_calls\":[{\"id\":\"c3\",\"name\":\"send\",\"arguments\":{ \"to\" : [\"$content\",{\"x\":\"short\"}] }}]}"
        gets c3 'ok'; says 'Done.'; user 'Next.'
    } >in
    keeps "$mask --keep-results 0"
    $mask --keep-results 0 --arguments all in >out
    keys() { sed -n "$1p" out | grep -o '"call_keys":\[[^]]*\]'; }
    [[ $(keys 2) =~ ^'"call_keys":["'[0-9a-f]{32}'","'[0-9a-f]{32}'"]'$ ]]
    makes "$mask --keep-results 0 --arguments all" 1 \
        "$(acts 'I write.' "$(call c1 write '{"path":"a.c","content":"[argument masked, 500 B]","mode":"0644"}')" \
            "$(call c2 note '{"text":"[argument masked, 500 B]"}')" "\"compacted\":true,$(keys 2)")" 3-4 \
        "{\"role\":\"assistant\",\"content\":\"\",\"tool_calls\":[{\"id\":\"c3\",\"name\":\"send\",\"arguments\":{ \"to\" : [\"[argument masked, 500 B]\",{\"x\":\"short\"}] }}],\"metadata\":{\"compacted\":true,$(keys 5)}}" \
        6-8
    # A string that is shorter than its placeholder stays, and a placeholder has none.
    same 'with short strings' out <($mask --keep-results 0 --arguments all --min-tokens 1 in)
    mv out in
    keeps "$mask --keep-results 0 --arguments all"
    keeps "$mask --keep-results 0 --arguments all --min-tokens 1"
}

@test "ctx-isolate --arguments: those of the newest results, of the current execution and of locked groups stay" {
    local content
    content=$(repeat 100 'word ')
    writes() { calls "$1" write "{\"path\":\"$1.c\",\"content\":\"$content\"}" "${2-}"; gets "$1" "$1 ok" "${3-}"; }
    {
        user 'One.'; writes c1; writes c2 '"pinned":true'; writes c3 '' '"is_error":true'; writes c4
        acts null "$(call c5 write "{\"path\":\"5.c\",\"content\":\"$content\"}")" "$(call c6 read 6.c)"; gets c5 ok; gets c6 ok
        says 'Done.'; user 'Go.'; writes c7
    } >in
    masks() {
        $mask --arguments all "${@:2}" in >out
        same "$*" <(printf '%s\n' "$1") <(grep -o '"path[^}]*masked' out | grep -o '[0-9c]*\.c' | paste -sd' ')
    }
    masks 'c1.c c4.c 5.c' --keep-results 0
    # A call stays as long as fewer than so many results came behind its own.
    masks 'c1.c c4.c 5.c' --keep-results 1
    masks 'c1.c c4.c' --keep-results 2
    masks 'c1.c c4.c' --keep-results 3
    masks 'c1.c' --keep-results 4
    masks '' --keep-results 7
    masks 'c1.c c4.c' --keep-results 0 --keep-tokens 400
    masks 'c4.c 5.c' --keep-results 0 --protect 'text~c1'
    masks 'c1.c' --keep-results 0 --select 'text~c1'
}

@test "ctx-isolate --arguments failed: of calls that failed and need no more attention" {
    local content
    content=$(repeat 100 'word ')
    {
        user 'One.'
        calls c1 write "{\"path\":\"a.c\",\"content\":\"$content\"}"; gets c1 'disk full' '"is_error":true'
        calls c2 write "{\"path\":\"a.c\",\"content\":\"$content.\"}"; gets c2 'ok'
        calls c3 send "{\"text\":\"$content\"}"; gets c3 'refused' '"is_error":true'
        says 'Done.'; user 'Go.'
    } >in
    $mask --keep-results 0 --arguments failed in >out
    same 'which' <(echo 2) <(grep -n 'argument masked' out | cut -d: -f1)
    # The failure stays resolved when the arguments by which its call was known are masked.
    mv out in
    keeps "$mask --keep-results 0 --arguments failed"
    ctx-select unresolved in | grep -c refused >out
    same 'unresolved' <(echo 1) out
    same 'unresolved, all masked' <(ctx-select unresolved in) <($mask --keep-results 0 --arguments all in | ctx-select unresolved)
}

@test "ctx-isolate --arguments redone: of calls made again, and of writes whose file a later call wrote whole" {
    local content
    content=$(repeat 100 'word ')
    {
        user 'One.'
        calls c1 write "{\"path\":\"a.c\",\"content\":\"$content\"}"; gets c1 ok
        calls c2 edit "{\"path\":\"./a.c\",\"old_string\":\"x\",\"new_string\":\"$content\"}"; gets c2 ok
        calls c3 write "{\"path\":\"b.c\",\"content\":\"$content\"}"; gets c3 ok
        calls c4 send "{\"text\":\"$content\"}"; gets c4 ok
        says 'Done.'; user 'Two.'
        calls c5 write "{\"path\":\"a.c\",\"content\":\"$content\"}"; gets c5 ok
        calls c6 edit "{\"path\":\"b.c\",\"old_string\":\"x\",\"new_string\":\"$content\"}"; gets c6 ok
        calls c7 send "{ \"text\":\"$content\" }"; gets c7 ok
        calls c8 write "{\"path\":\"b.c\",\"content\":\"$content\"}"; gets c8 'disk full' '"is_error":true'
        says 'Done.'; user 'Go.'
    } >in
    $mask --keep-results 0 --arguments redone in >out
    same 'which' <(printf '%s\n' 2 4 8) <(grep -n 'argument masked' out | cut -d: -f1)
    mv out in
    keeps "$mask --keep-results 0 --arguments redone"
}

@test "ctx-isolate --arguments: a command and a patch still show which files they write" {
    local body patch
    body=$(repeat 100 'word ')
    patch="*** Begin Patch\\n*** Update File: a.c\\n@@\\n-x\\n+$body\\n*** End Patch"
    {
        user 'One.'
        calls c1 bash "{\"command\":\"cat >a.c <<E\\n$body\\nE\"}"; gets c1 ok
        calls c2 bash "{\"command\":\"echo $body\"}"; gets c2 ok
        calls c3 apply_patch "{\"input\":\"$patch\"}"; gets c3 ok
        says 'Done.'; user 'Go.'
    } >in
    $mask --keep-results 0 --arguments all in >out
    same 'which' <(printf '%s\n' 4 6) <(grep -n 'argument masked' out | cut -d: -f1)
    same 'the patch' <(printf '[argument masked, 558 B]\n*** Update File: a.c\n\n') \
        <(sed -n 6p out | jq -r '.tool_calls[0].function.arguments | fromjson | .input')
}

# --- Thinking, and what is said between calls ------------------------------------------------------

thought() { printf '{"type":"thinking","thinking":"%s","signature":"c2ln"}' "$(repeat 20 "$1 ")"; }

@test "ctx-isolate --thinking: thinking of older turns goes with its signatures, and no other byte" {
    {
        user 'One.'
        acts "[$(thought a), {\"type\":\"text\",\"text\":\"x\"} ,$(thought b)]" "$(call c1 read a.c)"; gets c1 ok
        acts "[$(thought c)]" "$(call c2 read b.c)"; gets c2 ok
        printf '%s\n' "{\"role\":\"assistant\", \"reasoning_content\" : \"$(repeat 20 'r ')\", \"content\":\"Done.\"}"
        user 'Two.'
        says "[{\"type\":\"redacted_thinking\",\"data\":\"$(repeat 20 'AAAA')\"}]"
        says "[$(thought d),$(thought e) , {\"type\":\"text\",\"text\":\"Done.\"}]"
        user 'Three.'; says "[$(thought f),{\"type\":\"text\",\"text\":\"Done.\"}]"
    } >in
    local stripped=(1 "$(acts '[{"type":"text","text":"x"}]' "$(call c1 read a.c)")" 3 "$(acts null "$(call c2 read b.c)")" 5
        '{"role":"assistant", "content":"Done."}')
    makes 'ctx-isolate --policy mask --thinking 1turn' "${stripped[@]}" 7 '{"role":"assistant","content":[{"type":"text","text":"Done."}]}' 10-11
    makes 'ctx-isolate --policy mask --thinking 2turns' "${stripped[@]}" 7-11
    makes 'ctx-isolate --policy mask --thinking 0turns' "${stripped[@]}" 7 '{"role":"assistant","content":[{"type":"text","text":"Done."}]}' 10 \
        '{"role":"assistant","content":[{"type":"text","text":"Done."}]}'
    keeps 'ctx-isolate --policy mask --thinking 3turns'
    keeps 'ctx-isolate --policy mask'
    ctx-isolate --thinking 1turn in >out
    same 'boundary' <(echo 1) <(grep -c '"thinking"' out)
    ctx-isolate --policy mask --thinking 1turn in >once
    mv once in
    keeps 'ctx-isolate --policy mask --thinking 1turn'
    refuses 'ctx-isolate --thinking 2k' "bad value '2k' of --thinking, expected turns such as 1turn"
    refuses 'ctx-isolate --thinking two' "bad value 'two' of --thinking, expected turns such as 1turn"
}

@test "ctx-isolate --thinking: that of a run under way stays, of pinned, open, unresolved and protected messages too" {
    {
        user 'One.'
        says "[$(thought a),{\"type\":\"text\",\"text\":\"Done.\"}]" '"pinned":true'
        user 'Two.'
        acts "[$(thought b)]" "$(call c1 read a.c)"; gets c1 'no such file' '"is_error":true'
        says 'No.'; user 'Three.'
        acts "[$(thought c)]" "$(call c2 read c.c)"; gets c2 ok; user 'Faster.'
        acts "[$(thought d)]" "$(call c3 read d.c)"; gets c3 ok
    } >in
    keeps 'ctx-isolate --policy mask --thinking 1turn'
    keeps 'ctx-isolate --policy mask --thinking 0turns --execution none'
    { user 'One.'; says "[$(thought a),{\"type\":\"text\",\"text\":\"Done.\"}]"; user 'Two.'; says 'Done.'; } >in
    keeps 'ctx-isolate --thinking 1turn --protect "text~Done"'
    makes 'ctx-isolate --thinking 1turn --select "turn=1"' 1 '{"role":"assistant","content":[{"type":"text","text":"Done."}]}' 3-4
}

@test "ctx-isolate --thinking: a provider takes what is left" {
    {
        user 'One.'
        acts "[$(thought a)]" "$(call c1 read a.c)"; gets c1 ok
        says "[$(thought b)]"; says "[$(thought c),{\"type\":\"text\",\"text\":\"Done.\"}]"; user 'Two.'
    } >in
    ctx-isolate --policy mask --thinking 1turn in | ctx-normalize --to anthropic >out
    ! grep -q 'thinking' out || fail 'found'
    ctx-normalize --check --to anthropic out
}

@test "ctx-isolate --interim: what is said between calls in earlier executions goes, the final response stays" {
    {
        user 'One.'
        says 'I look.'; calls c1 read a.c; gets c1 "$long"; says 'I see.' '"pinned":true'; says 'Hm.'
        calls c2 read b.c; gets c2 "$long"; says 'It broke.' '"is_error":true'; says 'Done.'
        user 'Two.'; says 'I go on.'; calls c3 read c.c; gets c3 "$long"
    } >in
    local a b
    a=$(artifact '' read a.c 'ok, 600 B') b=$(artifact '' read b.c 'ok, 600 B')
    makes 'ctx-isolate' 1-2 "$a" 5-6 "$b" 9-14
    makes 'ctx-isolate --interim keep' 1-2 "$a" 5-6 "$b" 9-14
    makes 'ctx-isolate --interim drop' 1 "$a" 5 "$b" 9-14
    makes 'ctx-isolate --interim drop --execution none' 1 "$a" 5 "$b" 9-11 "$(artifact '' read c.c 'ok, 600 B')"
    makes 'ctx-isolate --interim drop --protect "text~I look"' 1-2 "$a" 5 "$b" 9-14
    makes 'ctx-isolate --interim drop --policy mask' 1 3-5 7-14
    # The answer to the last request is final, though nothing comes behind it.
    { user 'One.'; says 'I look.'; says 'Done.'; } >in
    makes 'ctx-isolate --interim drop' 1 3
}

# --- What a run is worth ---------------------------------------------------------------------------

@test "ctx-isolate --min-gain: a run that saves less changes nothing, and says in its report what it would have saved" {
    { user 'One.'; calls c1 read a.c; gets c1 "$long"; says 'Hm.' '"is_trace":true'; says 'Done.'; user 'Go.'; } >in
    local before after gain
    before=$(ctx-budget --estimator bytes/4 in | jq 'select(.type == "budget").used_tokens')
    after=$(ctx-isolate in | ctx-budget --estimator bytes/4 | jq 'select(.type == "budget").used_tokens')
    gain=$((before - after))
    ((gain > 100))
    makes "ctx-isolate --estimator bytes/4 --min-gain $gain" 1 "$(artifact '' read a.c 'ok, 600 B')" 5-6
    keeps "ctx-isolate --estimator bytes/4 --min-gain $((gain + 1))"
    ctx-isolate --estimator bytes/4 --min-gain 1k --archive archive --changes changes in | cmp - in
    [[ ! -s archive && ! -s changes ]]
    ctx-isolate --estimator bytes/4 --min-gain 1k --report report in | cmp - in
    same 'the report' <(echo "[$gain,0]") <(jq -c '[.refused_gain, .changed]' report)
    ctx-isolate --estimator bytes/4 --min-gain 1 --report report in >out
    jq -e 'has("refused_gain") | not' report >said
    keeps 'ctx-isolate --policy mask --min-gain 1'
}

@test "ctx-isolate: what --arguments, --thinking and --interim take out comes back from the archive" {
    local options file changed=0
    { user 'One.'; says 'Hm.'; calls c1 write "{\"path\":\"a.c\",\"content\":\"$long\"}"; gets c1 "$long"
      says "[$(thought a)]"; says "[$(thought b),{\"type\":\"text\",\"text\":\"Done.\"}]"; user 'Two.'; } >own
    for file in own "$FIXTURES"/*.jsonl; do
        for options in '--policy mask --arguments all --thinking 0turns --interim drop --min-tokens 5 --keep-results 0' \
            '--interim drop --thinking 0turns' '--policy mask --arguments redone --min-tokens 5 --placeholder <{archive}>'; do
            rm -f archive
            # shellcheck disable=SC2086
            ctx-isolate $options --archive archive "$file" >small 2>said || [[ $? == 65 ]] || fail "$file: $options: $(<said)"
            ctx-restore archive small >back 2>said || [[ $? == 65 ]]
            cmp "$file" back || fail "$file: $options"
            cmp -s "$file" small || changed=$((changed + 1))
        done
    done
    ((changed > 12)) || fail "only $changed were changed"
}

# --- Artifacts --------------------------------------------------------------------------------------

# traces METADATA FIRST-FACTS... LINES: an artifact of several calls; FACTS are TOOL:TARGET:OUTCOME.
traces() {
    local meta=$1 lines=$2 facts='' tool target outcome
    shift 2
    for fact in "$@"; do
        IFS=: read -r tool target outcome <<<"$fact"
        facts+=",{\"tool\":\"$tool\",\"target\":\"$target\",\"op\":\"$tool\",\"outcome\":\"$outcome\"}"
    done
    printf '{"role":"assistant","content":"[trace] %s","metadata":{"kind":"trace","scope":"historical",%s"is_trace":true,"compacted":true,"facts":{"calls":[%s]}}}\n' \
        "$lines" "${meta:+$meta,}" "${facts:1}"
}

@test "ctx-isolate --artifact execution: the groups of an execution become one artifact, at the place of the first" {
    {
        user 'One.'; says 'I look.'; says 'aloud' '"is_trace":true'; calls c1 read a.c; gets c1 "$long"; user 'Faster.'
        acts null "$(call c2 read b.c)" "$(call c3 read c.c)"; gets c2 "$long"; gets c3 "$long"
        calls c4 edit d.c; gets c4 no '"is_error":true,"resolved":true'; says 'Done.'
        user 'Two.'; calls c5 read e.c; gets c5 "$long"; says 'Done.'
        user 'Three.'; calls c6 read f.c; gets c6 "$long"
    } >in
    local e1
    e1=$(traces '' 'read a.c: ok, 600 B\nread b.c: ok, 600 B; read c.c: ok, 600 B\nedit d.c: error, 2 B' read:a.c:ok read:b.c:ok read:c.c:ok edit:d.c:error)
    # The text stays where it was, and what steers the run.
    makes 'ctx-isolate --artifact execution' 1-2 "$e1" 6 12-13 "$(artifact '' read e.c 'ok, 600 B')" 16-19
    ctx-isolate --artifact execution in >once
    mv once in
    keeps 'ctx-isolate --artifact execution'
    keeps 'ctx-isolate'
}

@test "ctx-isolate --artifact execution: what may not be touched stays, and other sections have their own" {
    {
        user 'One.'; calls c1 read a.c; gets c1 "$long"; calls c2 read b.c '"pinned":true'; gets c2 "$long"
        calls c3 read c.c; gets c3 'no such file' '"is_error":true'; calls c4 bash d.c; gets c4 "$long"
        calls c5 read e.c; gets c5 "$long"
        calls c6 read f.c '"section":"other"'; gets c6 "$long"; calls c7 read g.c '"section":"other"'; gets c7 "$long"
        says 'Done.'; user 'Two.'
    } >in
    makes 'ctx-isolate --artifact execution --protect tool=bash' 1 \
        "$(traces '' 'read a.c: ok, 600 B\nread e.c: ok, 600 B' read:a.c:ok read:e.c:ok)" 4-9 \
        "$(traces '"section":"other"' 'read f.c: ok, 600 B\nread g.c: ok, 600 B' read:f.c:ok read:g.c:ok)" 16-17
}

@test "ctx-isolate --artifact execution: where one does not pay, each group tries its own" {
    {
        # A name whose letters must be escaped has no room in an artifact.
        user 'One.'; wants "c1:$(repeat 300 '\u0001')"; gets c1 'ok'
        calls c2 read a.c; gets c2 "$(repeat 30 x)"; calls c3 read b.c; gets c3 "$(repeat 30 x)"; says 'Done.'; user 'Two.'
    } >in
    ctx-isolate in >by-group
    ctx-isolate --artifact execution in >out
    cmp by-group out
    same 'artifacts' <(echo 2) <(grep -c '"kind":"trace"' out)
    mv out in
    keeps 'ctx-isolate --artifact execution'
}

many_groups() {
    awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"c\",\"function\":{\"name\":\"f\"}}]}\n{\"role\":\"tool\",\"tool_call_id\":\"c\",\"content\":\"%d\"}\n", i }'
}

@test "ctx-isolate --artifact execution: a stream is what the held session gives, and time is linear" {
    local i
    for ((i = 0; i < 30; i++)); do
        user "Do $i."
        calls "a$i" read "$i.c"; gets "a$i" "$long" "$( ((i % 7 == 3)) && echo '"is_error":true')"
        calls "b$i" bash "make $i"; gets "b$i" "$long"
        ((i % 5 == 4)) || says 'Done.'
    done >in
    ctx-isolate --artifact execution in >streamed
    ctx-isolate --artifact execution --changes changes in >held
    cmp streamed held
    ctx-isolate --artifact execution --hold 20msgs in >given-up
    ctx-isolate --artifact execution given-up --hold 20msgs | cmp - given-up
    (($(grep -c '"kind":"trace"' streamed) >= 20))
    # A failure that nothing resolves holds its execution: what was looked at is not looked at again.
    {
        user 'One.'; many_groups 40000; calls x read a.c; gets x no '"is_error":true'; says 'Done.'
        user 'Two.'; many_groups 40000; says 'Done.'
    } >long
    (ulimit -t 10; ctx-isolate --artifact execution long) >out
}

@test "ctx-isolate --artifact execution: what an artifact stands for comes back from the archive" {
    local file changed=0
    { user 'One.'; calls c1 read a.c; gets c1 "$long"; calls c2 read b.c; gets c2 "$long"; says 'Done.'; user 'Two.'; } >own
    ctx-isolate --artifact execution --archive archive own >small
    (($(wc -l <small) == 4))
    key=$(jq -r 'select(.metadata.kind == "trace").content' small | sed -n '$s/.*ctx-recall archive \([0-9a-f]*\)).*/\1/p')
    ctx-recall archive "$key" | grep -q 'dropped, lines 1-4 of 4\]$'
    for file in own "$FIXTURES"/*.jsonl; do
        rm -f archive
        ctx-isolate --artifact execution --artifact-role user --archive archive "$file" >small 2>said || [[ $? == 65 ]] || fail "$file: $(<said)"
        ctx-restore archive small >back 2>said || [[ $? == 65 ]] || fail "$file: $(<said)"
        cmp "$file" back || fail "$file"
        cmp -s "$file" small || changed=$((changed + 1))
    done
    ((changed > 4)) || fail "only $changed were changed"
}

@test "ctx-isolate --artifact-role user: artifacts begin neither a turn nor an execution, and are no request" {
    {
        user 'One.'; calls c1 read a.c; gets c1 "$long"; says 'Hm.'; calls c2 read b.c; gets c2 "$long"; says 'Done.'
        user 'Two.'; calls c3 read c.c; gets c3 "$long"; says 'Done.'; user 'Go.'
    } >in
    local by_user
    by_user() { artifact '' "$@" | sed 's/"role":"assistant"/"role":"user"/'; }
    makes 'ctx-isolate --artifact-role user' 1 "$(by_user read a.c 'ok, 600 B')" 4 "$(by_user read b.c 'ok, 600 B')" 7-8 "$(by_user read c.c 'ok, 600 B')" 11-12
    ctx-isolate in >assistant
    ctx-isolate --artifact-role user in >user
    mv user in
    keeps 'ctx-isolate --artifact-role user'
    keeps 'ctx-isolate'
    for by in turn execution; do
        same "$by" <(ctx-budget --estimator bytes/4 --json --by $by assistant | rows) <(ctx-budget --estimator bytes/4 --json --by $by in | rows)
    done
    ctx-project --view conversation in >out
    same 'the conversation' <(ctx-project --view conversation assistant) out
    same 'what is routed' <(ctx-route assistant | jq -c .metadata.execution_id) <(ctx-route in | jq -c .metadata.execution_id)
    # An artifact that says it is of the user's origin is none of the user's messages either.
    sed 's/"kind":"trace"/"origin":"user","kind":"trace"/' in >said
    same 'the conversation' out <(ctx-project --view conversation said)
    { user 'One.'; printf '%s\n' '{"role":"user","content":"[summary] x","metadata":{"kind":"summary","origin":"user"}}'; says 'Done.'; user 'Two.'; } >summed
    same 'turns' <(printf '%s\n' turn 1 2) <(ctx-budget --estimator bytes/4 --json --by turn summed | rows | cut -f1)
    { by_user read a.c 'ok, 600 B'; cat summed; } >first
    same 'turns after it' <(printf '%s\n' turn 0 1 2) <(ctx-budget --estimator bytes/4 --json --by turn first | rows | cut -f1)
}

@test "ctx-isolate: what resolves or forgets other messages stays" {
    {
        user Go.; calls c1 read a.c; gets c1 "$long" '"is_error":true'; says 'It does not matter.' '"resolves":"c1"'
        says 'Now the work.'; calls c2 ls b; gets c2 x; says Done.; user More.; says Well.
    } >in
    same 'nothing is open again' <(echo 0) <(ctx-isolate --interim drop --protect id=c1 in | ctx-select --count unresolved || true)
    makes 'ctx-isolate --policy mask --interim drop --min-tokens 900 --thinking 0turns' 1-4 6-10
    { user Go.; says "$long" '"id":"m2"'; says 'I take that back.' '"id":"m3","forgets":"m2"'; says 'So be it.'; says Done.; user More.; says Well.; } >in
    makes 'ctx-isolate --interim drop' 1 3 5-7
    same 'the view' <(ctx-project --view all in | grep -vc 'So be it') <(ctx-isolate --interim drop in | ctx-project --view all | grep -c .)
}
