#!/usr/bin/env bats
#
# ctx-isolate: what becomes of the trace of earlier executions, and what never changes.

load helper
load dialogue
long=${long?}

# --- The boundary policy -----------------------------------------------------------------------

@test "ctx-isolate: a group of an earlier execution becomes one artifact at its call's place" {
    spec <<'END'
ctx-isolate
<<< {"role":"system","content":"Be brief."}
<<< {"role":"user","content":"What is in a.c?"}
<<< {"role":"assistant","content":"I'll read it.","tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"./src//a.c\"}"}}],"metadata":{"execution_id":"e1","timestamp":"2025-04-01T08:00:00Z","section":"buffer","session_id":"s1","usage":{"output_tokens":7}}}
<<< {"role":"tool","tool_call_id":"c1","content":"int main(void) { return 0; } /* and more, and more, and more, and more, and more */","metadata":{"execution_id":"e1"}}
<<< {"role":"assistant","content":"One function.","metadata":{"execution_id":"e1"}}
<<< {"role":"user","content":"Thanks."}
>>> {"role":"system","content":"Be brief."}
>>> {"role":"user","content":"What is in a.c?"}
>>> {"role":"assistant","content":"[trace] read src/a.c: ok, 83 B","metadata":{"kind":"trace","scope":"historical","execution_id":"e1","section":"buffer","session_id":"s1","timestamp":"2025-04-01T08:00:00Z","is_trace":true,"compacted":true,"facts":{"tool":"read","target":"src/a.c","op":"read","outcome":"ok"}}}
>>> {"role":"assistant","content":"One function.","metadata":{"execution_id":"e1"}}
>>> {"role":"user","content":"Thanks."}
END
}

@test "ctx-isolate: boundary is the default policy" {
    { user 'Look.'; calls c1 read a.c; gets c1 "$long"; says 'Done.'; user 'Next.'; } >in
    makes 'ctx-isolate' 1 "$(artifact '' read a.c 'ok, 600 B')" 4-5
    makes 'ctx-isolate --policy=boundary' 1 "$(artifact '' read a.c 'ok, 600 B')" 4-5
}

@test "ctx-isolate: parallel calls are one group, and one artifact with the facts of each" {
    {
        user 'Compare them.'
        printf '{"role":"assistant","content":null,"tool_calls":[%s,%s,%s]}\n' \
            "$(call c1 read a.c)" "$(call c2 write b.c)" '{"id":"c3","type":"function","function":{"name":"ask","arguments":"{}"}}'
        gets c2 "$long"
        gets c3 "$long$long"
        gets c1 'no such file' '"is_error":true,"resolved":true'
        says 'They differ.'
        user 'Next.'
    } >in
    makes 'ctx-isolate' 1 '{"role":"assistant","content":"[trace] read a.c: error, 12 B; write b.c: ok, 600 B; ask: ok, 1 kB","metadata":{"kind":"trace","scope":"historical","is_trace":true,"compacted":true,"facts":{"calls":[{"tool":"read","target":"a.c","op":"read","outcome":"error"},{"tool":"write","target":"b.c","op":"write","outcome":"ok"},{"tool":"ask","op":"other","outcome":"ok"}]}}}' 6-7
}

@test "ctx-isolate: the target of a shell command is cut to a line of 120 bytes, on a code point" {
    local y
    y=$(printf 'y%.0s' {1..114})
    {
        user 'Run it.'
        printf '{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"bash","arguments":"{\\"command\\":\\"make all\\\\nmake check\\"}"}}]}\n'
        gets c1 "$long"
        printf '{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"bash","arguments":"{\\"command\\":\\"echo %sé and so on\\"}"}}]}\n' "$y"
        gets c1 "$long"
        says 'Done.'
    } >in
    makes 'ctx-isolate' 1 \
        '{"role":"assistant","content":"[trace] bash make all …: ok, 600 B","metadata":{"kind":"trace","scope":"historical","is_trace":true,"compacted":true,"facts":{"tool":"bash","target":"make all\nmake check","op":"shell","outcome":"ok"}}}' \
        '{"role":"assistant","content":"[trace] bash echo '"$y"' …: ok, 600 B","metadata":{"kind":"trace","scope":"historical","is_trace":true,"compacted":true,"facts":{"tool":"bash","target":"echo '"$y"'é and so on","op":"shell","outcome":"ok"}}}' \
        6
}

@test "ctx-isolate: sizes are those of the decoded text, in bytes, kB and MB" {
    local n
    for n in 999 1000 1499 1500 999499 999500 1249999; do
        { user 'Look.'; calls c1 read a.c; gets c1 "$(head -c "$n" /dev/zero | tr '\0' x)"; says 'Done.'; } | ctx-isolate |
            sed -n 's/.*read a.c: ok, \([^"]*\)".*/\1/p'
    done >sizes
    same sizes <(printf '%s\n' '999 B' '1 kB' '1 kB' '2 kB' '999 kB' '1.0 MB' '1.2 MB') sizes
    rm sizes
    { user 'Look.'; calls c1 read a.c; printf '{"role":"tool","tool_call_id":"c1","content":[{"type":"text","text":"\\u00e9\\n%s"},{"type":"text","text":"z"}]}\n' "$long"; says 'Done.'; } >in
    makes 'ctx-isolate' 1 "$(artifact '' read a.c 'ok, 605 B')" 4
}

@test "ctx-isolate: the current execution stays whole" {
    {
        user 'Look.'; calls c1 read a.c; gets c1 "$long"; says 'Done.'
        user 'Look again.'; calls c1 read a.c; gets c1 "$long"; says 'Half way.'; calls c2 read b.c
    } >in
    makes 'ctx-isolate' 1 "$(artifact '' read a.c 'ok, 600 B')" 4-9
    head -n 3 in >whole
    mv whole in
    keeps 'ctx-isolate'
}

@test "ctx-isolate: trace after the answer, and an answer without text, leave the execution current" {
    { user 'Look.'; says 'I will.'; calls c1 read a.c; gets c1 "$long"; } >in
    keeps 'ctx-isolate'
    says ' \n\t' >>in
    keeps 'ctx-isolate'
    printf '%s\n' '{"role":"assistant","content":[{"type":"thinking","thinking":"Hm."}]}' >>in
    keeps 'ctx-isolate'
    says 'It is 600 long.' '"kind":"summary"' >>in
    keeps 'ctx-isolate'
    printf '%s\n' '{"role":"assistant","content":[{"type":"thinking","thinking":"Hm."},{"type":"text","text":"So."}]}' >>in
    makes 'ctx-isolate' 1-2 "$(artifact '' read a.c 'ok, 600 B')" 5-8
}

@test "ctx-isolate: --execution says which execution is current" {
    {
        user 'One.'; calls c1 read a.c; gets c1 "$long"; says 'Done.'
        user 'Two.' '"execution_id":"e2"'; calls c1 read b.c; gets c1 "$long"; says 'Done.'
        user 'Three.'; calls c1 read c.c; gets c1 "$long"
    } >in
    local one two three
    one=$(artifact '' read a.c 'ok, 600 B') two=$(artifact '' read b.c 'ok, 600 B') three=$(artifact '' read c.c 'ok, 600 B')
    makes 'ctx-isolate' 1 "$one" 4-5 "$two" 8-11
    makes 'ctx-isolate --execution auto' 1 "$one" 4-5 "$two" 8-11
    makes 'ctx-isolate --execution last' 1 "$one" 4-5 "$two" 8-11
    makes 'ctx-isolate --execution none' 1 "$one" 4-5 "$two" 8-9 "$three"
    makes 'ctx-isolate --execution e2' 1 "$one" 4-9 "$three"
    makes "ctx-isolate --execution '#1'" 1-5 "$two" 8-9 "$three"
    makes "ctx-isolate --execution='#2'" 1 "$one" 4-5 "$two" 8-11
    says 'Done.' >>in
    makes 'ctx-isolate' 1 "$one" 4-5 "$two" 8-9 "$three" 12
    makes 'ctx-isolate --execution last' 1 "$one" 4-5 "$two" 8-12
}

@test "ctx-isolate: --execution of an id that has not come yet: no execution is current" {
    {
        user 'One.'; calls c1 read a.c; gets c1 "$long"; says 'Done.'
        user 'Two.'; calls c1 read b.c; gets c1 "$long"; acts '' "$(call c2 read c.c)"
    } >in
    makes 'ctx-isolate --execution e9' 1 "$(artifact '' read a.c 'ok, 600 B')" 4-5 \
        "$(artifact '' read b.c 'ok, 600 B')" 8
    user 'One.' >in
    keeps 'ctx-isolate --execution e9'
}

@test "ctx-isolate: an id that comes back is a new run, and --execution means all runs of it" {
    {
        user 'One.' '"execution_id":"e1"'; calls c1 read a.c; gets c1 "$long"
        user 'Two.' '"execution_id":"e2"'; calls c1 read b.c; gets c1 "$long"
        user 'Three.' '"execution_id":"e1"'; calls c1 read c.c; gets c1 "$long"
    } >in
    local one two three
    one=$(artifact '' read a.c 'ok, 600 B') two=$(artifact '' read b.c 'ok, 600 B') three=$(artifact '' read c.c 'ok, 600 B')
    makes 'ctx-isolate' 1 "$one" 4 "$two" 7-9
    makes 'ctx-isolate --execution e1' 1-4 "$two" 7-9
    makes 'ctx-isolate --execution e2' 1 "$one" 4-7 "$three"
}

@test "ctx-isolate: a user who speaks while all calls are answered joins the running execution" {
    { user 'Look.'; calls c1 read a.c; gets c1 "$long"; user 'And hurry.'; calls c2 read b.c; gets c2 "$long"; } >in
    keeps 'ctx-isolate'
    says 'Done.' >>in
    makes 'ctx-isolate' 1 "$(artifact '' read a.c 'ok, 600 B')" 4 "$(artifact '' read b.c 'ok, 600 B')" 7
}

@test "ctx-isolate: a user who speaks while a call has no result begins a new execution" {
    { user 'Look.'; calls c1 read a.c; gets c1 "$long"; calls c2 read b.c; user 'Never mind.'; } >in
    makes 'ctx-isolate' 1 "$(artifact '' read a.c 'ok, 600 B')" 4-5
}

@test "ctx-isolate: a steering user's own execution id begins that execution" {
    { user 'Look.'; calls c1 read a.c; gets c1 "$long"; user 'Now this.' '"execution_id":"e2"'; } >in
    makes 'ctx-isolate' 1 "$(artifact '' read a.c 'ok, 600 B')" 4
}

@test "ctx-isolate: --steering new: a request after a result makes history of the run before" {
    { user 'One.'; calls c1 read a.c; gets c1 "$long"; user 'Two.'; calls c2 read b.c; gets c2 "$long"; } >in
    keeps 'ctx-isolate'
    keeps 'ctx-isolate --steering join'
    makes 'ctx-isolate --steering new' 1 "$(artifact '' read a.c 'ok, 600 B')" 4-6
    makes 'ctx-isolate --steering new --policy mask --min-tokens 20 --keep-results 0' 1-2 \
        '3: compacted content -> [tool result masked, 600 B]' 4-6
}

@test "ctx-isolate: injected text begins no execution and is no steering" {
    {
        user 'Look.'; calls c1 read a.c; gets c1 "$long"
        user 'wind: NW' '"origin":"injected"'
        calls c2 read b.c; gets c2 "$long"
    } >in
    keeps 'ctx-isolate'
}

@test "ctx-isolate: trace before the first user message is execution #0" {
    { calls c1 read a.c; gets c1 "$long"; says 'Hello.'; user 'Look.'; calls c1 read b.c; gets c1 "$long"; } >in
    makes 'ctx-isolate' "$(artifact '' read a.c 'ok, 600 B')" 3-6
    makes "ctx-isolate --execution '#0'" 1-4 "$(artifact '' read b.c 'ok, 600 B')"
}

@test "ctx-isolate: derived executions are numbered on from those that are written" {
    { user 'One.' '"execution_id":"#7"'; user 'Two.'; calls c1 read a.c; gets c1 "$long"; says 'Done.'; } >in
    makes "ctx-isolate --execution '#8'" 1-5
}

@test "ctx-isolate: user, system, developer, summary and plain assistant messages of earlier executions stay" {
    {
        printf '%s\n' '{"type":"context","system_prompt":"Be brief."}' '{"role":"system","content":"S"}' '{"role":"developer","content":"D"}'
        user 'One.'
        user 'wind: NW' '"origin":"injected"'
        says 'Let me see.'
        calls c1 read a.c
        gets c1 "$long"
        user 'so far' '"kind":"summary","is_trace":false'
        says 'broke off' '"origin":"error","is_error":true'
        printf '%s\n' '{"role":"narrator","content":"N"}'
        says 'One.'
        user 'Two.'
    } >in
    makes 'ctx-isolate' 1-6 "$(artifact '' read a.c 'ok, 600 B')" 9-13
}

@test "ctx-isolate: loose trace of an assistant goes from earlier executions, pinned trace and artifacts stay" {
    {
        user 'One.'
        says 'thinking aloud' '"is_trace":true'
        says 'remember this' '"is_trace":true,"pinned":true'
        artifact '"execution_id":"e1"' read a.c 'ok, 600 B'
        says 'One.'
        user 'Two.'
        says 'thinking aloud' '"is_trace":true'
    } >in
    makes 'ctx-isolate' 1 3-7
}

@test "ctx-isolate: an artifact is never rewritten" {
    { user 'One.'; calls c1 read a.c; gets c1 "$long"; calls c2 ask a.c; gets c2 "$long"; says 'One.'; user 'Two.'; } >raw
    ctx-isolate raw >in
    rm raw
    keeps 'ctx-isolate'
    keeps 'ctx-isolate --execution none'
    keeps 'ctx-isolate --policy mask --min-tokens 0 --keep-results 0'
}

# --- Pairs --------------------------------------------------------------------------------------

@test "ctx-isolate: a result answers the nearest earlier call with its id, also when ids come back" {
    {
        user 'One.'
        calls c1 read a.c; gets c1 "$long"
        calls c1 read b.c; calls c1 read c.c
        gets c1 "$long$long"
        gets c1 "$long$long$long$long"
        says 'Done.'
        user 'Two.'
    } >in
    makes 'ctx-isolate' 1 "$(artifact '' read a.c 'ok, 600 B')" "$(artifact '' read b.c 'ok, 2 kB')" \
        "$(artifact '' read c.c 'ok, 1 kB')" 8-9
}

@test "ctx-isolate: a late result goes with its call, wherever it stands" {
    {
        user 'Both.'
        printf '{"role":"assistant","content":null,"tool_calls":[%s,%s]}\n' "$(call c1 read a.c)" "$(call c2 read b.c)"
        gets c2 "$long"
        user 'The second first.'
        gets c1 "$long$long"
        says 'Done.'
    } >in
    makes 'ctx-isolate' 1 '{"role":"assistant","content":"[trace] read a.c: ok, 1 kB; read b.c: ok, 600 B","metadata":{"kind":"trace","scope":"historical","is_trace":true,"compacted":true,"facts":{"calls":[{"tool":"read","target":"a.c","op":"read","outcome":"ok"},{"tool":"read","target":"b.c","op":"read","outcome":"ok"}]}}}' 4 6
}

@test "ctx-isolate: a result without a call, and a second result, stay where they are" {
    {
        user 'One.'; gets c9 "$long"; calls c1 read a.c; gets c1 "$long"; gets c1 "$long"; says 'Done.'; user 'Two.'
    } >in
    makes 'ctx-isolate' 1-2 "$(artifact '' read a.c 'ok, 600 B')" 5-7
}

@test "ctx-isolate: an open group is never touched" {
    {
        user 'Look.'
        printf '{"role":"assistant","content":null,"tool_calls":[%s,%s]}\n' "$(call c1 read a.c)" "$(call c2 read b.c)"
        gets c1 "$long"
    } >in
    keeps 'ctx-isolate'
    keeps 'ctx-isolate --execution none'
    keeps 'ctx-isolate --policy mask --execution none --min-tokens 0 --keep-results 0'
}

@test "ctx-isolate: a pinned message keeps its whole group" {
    {
        user 'One.'
        calls c1 read a.c '"pinned":true'; gets c1 "$long"
        calls c2 read b.c; gets c2 "$long" '"pinned":true'
        calls c3 read c.c '"pinned":false'; gets c3 "$long"
        says 'Done.'
    } >in
    makes 'ctx-isolate' 1-5 "$(artifact '' read c.c 'ok, 600 B')" 8
    makes 'ctx-isolate --policy mask --keep-results 0 --min-tokens 0' 1-6 "$(gets c3 '[tool result masked, 600 B]' '"compacted":true')" 8
}

@test "ctx-isolate: a bad line between a call and the next user message freezes a group that lacks a result" {
    {
        user 'One.'
        printf '{"role":"assistant","content":null,"tool_calls":[%s,%s]}\n' "$(call c1 read a.c)" "$(call c2 read b.c)"
        gets c1 "$long"
        printf '{"role":"tool","tool_call_id":"c2","content":"torn\n'
        calls c3 read c.c; gets c3 "$long"
        says 'Done.'
        user 'Two.'
    } >in
    expect 1-4 "$(artifact '' read c.c 'ok, 600 B')" 7-8
    spec <<'END'
ctx-isolate in
>>>@ expected
>>>2 ctx-isolate: in:4: unexpected end, at byte 51
>>>= 65
END
    # The result that comes after the bad line leaves the group frozen: it may be another's.
    sed -i '6a {"role":"tool","tool_call_id":"c2","content":"late"}' in
    expect 1-4 "$(artifact '' read c.c 'ok, 600 B')" 7-9
    spec <<'END'
ctx-isolate in
>>>@ expected
>>>2 ctx-isolate: in:4: unexpected end, at byte 51
>>>= 65
END
}

@test "ctx-isolate: a bad line beside complete groups, or after the next user message, freezes nothing" {
    {
        user 'One.'
        calls c1 read a.c; gets c1 "$long"
        echo '{'
        says 'Done.'
        user 'Two.'
        echo '{'
        says 'Done.'
    } >in
    expect 1 "$(artifact '' read a.c 'ok, 600 B')" 4-8
    spec <<'END'
ctx-isolate in
>>>@ expected
>>>2 ctx-isolate: in:4: unexpected end, at byte 2
>>>2 ctx-isolate: in:7: unexpected end, at byte 2
>>>= 65
END
    { user 'One.'; calls c1 read a.c; user 'Two.'; echo '{'; gets c1 "$long"; says 'Done.'; } >in
    expect 1 "$(artifact '' read a.c 'ok, 600 B')" 3-4 6
    spec <<'END'
ctx-isolate in
>>>@ expected
>>>2 ctx-isolate: in:4: unexpected end, at byte 2
>>>= 65
END
}

# --- Unresolved ---------------------------------------------------------------------------------

@test "ctx-isolate: a failed result stays, until something resolves it" {
    { user 'One.'; calls c1 read a.c; gets c1 "$long" '"is_error":true'; says 'No.'; user 'Two.'; } >in
    keeps 'ctx-isolate'
    keeps 'ctx-isolate --policy mask --keep-results 0 --min-tokens 0'
}

@test "ctx-isolate: a call without a result in an execution that is over stays" {
    { user 'One.'; calls c1 read a.c; says 'I gave up.'; user 'Two.'; } >in
    keeps 'ctx-isolate'
}

@test "ctx-isolate: resolved:true on the result resolves a failure, resolved:false keeps it for good" {
    { user 'One.'; calls c1 read a.c; gets c1 "$long" '"is_error":true,"resolved":true'; says 'No.'; } >in
    makes 'ctx-isolate' 1 "$(artifact '' read a.c 'error, 600 B')" 4
    { user 'One.'; calls c1 read a.c; gets c1 "$long" '"is_error":true,"resolved":false'; calls c2 read a.c; gets c2 "$long"; says 'Yes.'; } >in
    makes 'ctx-isolate' 1-3 "$(artifact '' read a.c 'ok, 600 B')" 6
    { user 'One.'; calls c1 read a.c; gets c1 "$long" '"resolved":false'; says 'Yes.' '"resolves":"c1"'; } >in
    keeps 'ctx-isolate'
}

@test "ctx-isolate: a later message that resolves its id resolves a failure" {
    { user 'One.'; calls c1 read a.c; gets c1 "$long" '"is_error":true'; says 'It can stay so.' '"resolves":"c1"'; user 'Two.'; } >in
    makes 'ctx-isolate' 1 "$(artifact '' read a.c 'error, 600 B')" 4-5
    sed -i 's/"resolves":"c1"/"resolves":["c0","c1"]/' in
    makes 'ctx-isolate' 1 "$(artifact '' read a.c 'error, 600 B')" 4-5
    sed -i 's/"c1"\]/"c2"]/' in
    keeps 'ctx-isolate'
    # An earlier one resolves nothing.
    { user 'One.'; says 'Later.' '"resolves":"c1"'; calls c1 read a.c; gets c1 "$long" '"is_error":true'; says 'No.'; } >in
    keeps 'ctx-isolate'
}

@test "ctx-isolate: a call without a result is resolved by its id too" {
    { user 'One.'; calls c1 read "$long"; user 'Leave it.' '"resolves":["c1"]'; } >in
    makes 'ctx-isolate' 1 '{"role":"assistant","content":"[trace] read '"${long:0:120}"' …: no result","metadata":{"kind":"trace","is_trace":true,"compacted":true}}' 3
}

@test "ctx-isolate: a later success of the same call resolves a failure, however its arguments are spelled" {
    {
        user 'One.'
        printf '%s\n' '{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"ask","arguments":"{\"a\":1,\"b\":[true]}"}}]}'
        gets c1 "$long" '"is_error":true'
        printf '%s\n' '{"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"ask","arguments":"{ \"b\" : [true], \"\\u0061\" : 1 }"}}]}'
        gets c2 "$long"
        says 'Yes.'
    } >in
    local ok='{"role":"assistant","content":"[trace] ask: ok, 600 B","metadata":{"kind":"trace","scope":"historical","is_trace":true,"compacted":true,"facts":{"tool":"ask","op":"other","outcome":"ok"}}}'
    makes 'ctx-isolate' 1 "${ok//ok/error}" "$ok" 6
    # Other arguments, or another tool, are another call.
    sed 's/: 1 }/: 2 }/' in >other && mv other in
    makes 'ctx-isolate' 1-3 "$ok" 6
}

@test "ctx-isolate: a later success with the same tool and target resolves a failure" {
    {
        user 'One.'
        printf '%s\n' '{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"edit","arguments":"{\"path\":\"src/a.c\",\"old\":\"x\"}"}}]}'
        gets c1 "$long" '"is_error":true'
        calls c2 read src/a.c; gets c2 "$long"
        says 'No.'
        user 'Two.'
    } >in
    makes 'ctx-isolate' 1-3 "$(artifact '' read src/a.c 'ok, 600 B')" 6-7
    { calls c3 edit ./src/../src/a.c; gets c3 "$long"; says 'Now.'; } >>in
    makes 'ctx-isolate' 1 "$(artifact '' edit src/a.c 'error, 600 B' 9f60884a307d)" "$(artifact '' read src/a.c 'ok, 600 B')" 6-7 \
        "$(artifact '' edit src/a.c 'ok, 600 B')" 10
}

@test "ctx-isolate: error text over --error-tokens is cut to head and tail, other results of the group are not" {
    local text=''
    text=$(seq -s ' ' 1000)
    {
        user 'One.'
        printf '{"role":"assistant","content":null,"tool_calls":[%s,%s]}\n' "$(call c1 read a.c)" "$(call c2 read b.c)"
        gets c1 "$text"
        gets c2 "$text" '"is_error":true'
        says 'No.'
        user 'Two.'
    } >in
    ctx-isolate in >out
    same 'all but the error' <(sed 4d in) <(sed 4d out)
    # Its head and its tail stand, and between them a line that says how much is not there.
    local head note tail
    { read -r head; read -r note; read -r tail; } < <(jq -r 'select(.metadata.compacted) | .content' out)
    [[ $text == "$head"*"$tail" ]] || [[ $text == "$head "*" $tail" ]]
    [[ $note == '[… '?,???' bytes cut …]' ]]
    [[ $(tr -dc 0-9 <<<"$note") -ge $((${#text} - ${#head} - ${#tail} - 2)) ]]
    [[ $(tr -dc 0-9 <<<"$note") -le $((${#text} - ${#head} - ${#tail})) ]]
    rm out
}

@test "ctx-isolate: --error-tokens is the most that is left, and not much less" {
    { user 'One.'; calls c1 read a.c; gets c1 "$(seq -s ' ' 1000)" '"is_error":true'; says 'No.'; } >in
    local tokens size
    for tokens in 30 100 500 800; do
        ctx-isolate --estimator bytes/4 --error-tokens "$tokens" in | sed -n 3p >out
        # Of bytes/4 with four a message.
        size=$(jq -j .content out | wc -c)
        ((size + 16 <= tokens * 4)) || fail "$tokens: $size bytes are more"
        ((size + 96 >= tokens * 4)) || fail "$tokens: $size bytes are much less"
    done
    rm out
    # What is not longer stays.
    { user 'One.'; calls c1 read a.c; gets c1 "$(head -c 1984 /dev/zero | tr '\0' x)" '"is_error":true'; says 'No.'; } >in
    keeps 'ctx-isolate --estimator bytes/4'
    keeps 'ctx-isolate --estimator bytes/4 --error-tokens 1k'
}

@test "ctx-isolate: a cut error is not cut again" {
    { user 'One.'; calls c1 read a.c; gets c1 "$(seq -s ' ' 2000)" '"is_error":true'; says 'No.'; } >raw
    ctx-isolate raw >in
    [[ $(wc -c <in) -lt $(wc -c <raw) ]]
    rm raw
    keeps 'ctx-isolate'
    keeps 'ctx-isolate --error-tokens 100'
}

@test "ctx-isolate: errors of the current execution are not cut" {
    { user 'One.'; calls c1 read a.c; gets c1 "$(seq -s ' ' 2000)" '"is_error":true'; } >in
    keeps 'ctx-isolate'
    keeps 'ctx-isolate --policy mask --keep-results 0'
}

# --- Sub-agents ---------------------------------------------------------------------------------

@test "ctx-isolate: messages of a sub-agent pass, and their ids are their own" {
    local child='"parent_execution_id":"e1","agent_id":"scout"'
    {
        user 'One.'
        calls c1 task a.c
        user 'Find it.' "$child"; calls c1 read b.c "$child"; gets c1 "$long" "$child"; says 'Found.' "$child"
        gets c1 "$long"
        says 'Done.'
        user 'Two.'
    } >in
    makes 'ctx-isolate' 1 '{"role":"assistant","content":"[trace] task: ok, 600 B","metadata":{"kind":"trace","scope":"historical","is_trace":true,"compacted":true,"facts":{"tool":"task","op":"other","outcome":"ok"}}}' 3-6 8-9
}

@test "ctx-isolate: a sub-agent's own view is isolated like any other" {
    local child='"parent_execution_id":"e1","agent_id":"scout"'
    { user 'Find it.' "$child"; calls c1 read b.c "$child"; gets c1 "$long" "$child"; says 'Found.' "$child"; } >in
    makes 'ctx-isolate' 1 "$(artifact '"agent_id":"scout","parent_execution_id":"e1"' read b.c 'ok, 600 B')" 4
}

# --- Nothing grows ------------------------------------------------------------------------------

@test "ctx-isolate: a group with little to save gets a brief artifact, one with nothing to save stays" {
    local text
    for text in "${long:0:1}" "${long:0:10}"; do
        { user 'One.'; calls c1 read a.c; gets c1 "$text"; says 'Done.'; user 'Two.'; } >in
        makes 'ctx-isolate --estimator bytes/4' 1 "$(brief '' read a.c "ok, ${#text} B")" 4-5
    done
    # The brief one has fewer bytes than the group, but more tokens.
    {
        user 'One.'
        printf '{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":""}}]}\n'
        gets c1 ''
        says 'Done.'
        user 'Two.'
    } >in
    ctx-isolate in >out
    (($(wc -c <out) <= $(wc -c <in)))
    rm out
    { user 'One.'; printf '{"role":"assistant","tool_calls":[{"id":"c1"}]}\n'; gets c1 ''; says 'Done.'; user 'Two.'; } >in
    keeps 'ctx-isolate'
    # As many bytes as the group has are no fewer.
    { user 'One.'; raw '{"role":"assistant","tool_calls":[{"id":"c","name":"f"}]}'; gets c 'fathoms'; says 'Done.'; } >in
    keeps 'ctx-isolate'
    sed -i s/fathoms/fathoms7/ in
    makes 'ctx-isolate' 1 '{"role":"assistant","content":"[trace] f: ok, 8 B","metadata":{"kind":"trace","is_trace":true,"compacted":true}}' 4
}

@test "ctx-isolate: what has fewer bytes and more tokens is not used" {
    # Members that are not sent have bytes and no tokens, and 400 blanks are a few tokens.
    {
        user 'One.'
        printf '{"role":"assistant","tool_calls":[{"id":"c1"}],"note":"%s"}\n' "$long"
        gets c1 ''
        says 'Done.'
        user 'Two.'
    } >in
    keeps 'ctx-isolate'
    { user 'One.'; calls c1 read a.c; gets c1 "$(printf '%400s' '')"; says 'Done.'; user 'Two.'; } >in
    keeps "ctx-isolate --policy mask --min-tokens 0 --keep-results 0 --placeholder 'a 1 b 2 c 3 d 4 e 5 f 6 g 7 h 8 i 9'"
}

# --- The mask policy ----------------------------------------------------------------------------

masked=$(gets c1 '[tool result masked, 600 B]' '"compacted":true')

@test "ctx-isolate: mask replaces old results by placeholders, calls and reasoning stay" {
    {
        user 'One.'
        says 'thinking aloud' '"is_trace":true'
        calls c1 read a.c; gets c1 "$long"
        says 'Done.'
        user 'Two.'
    } >in
    makes 'ctx-isolate --policy mask --keep-results 0 --min-tokens 10' 1-3 "$masked" 5-6
    makes 'ctx-isolate --policy=mask --keep-results=0 --min-tokens=153 --estimator=bytes/4' 1-3 "$masked" 5-6
    # 600 bytes are 150 tokens, and 4 more for the message.
    keeps 'ctx-isolate --policy mask --keep-results 0 --min-tokens 154 --estimator bytes/4'
    # By default results up to 200 tokens stay, and the newest three.
    keeps 'ctx-isolate --policy mask --keep-results 0'
    keeps 'ctx-isolate --policy mask --min-tokens 0'
}

@test "ctx-isolate: mask keeps the newest results of all, and those of the current execution" {
    {
        user 'One.'; calls c1 read a.c; gets c1 "$long"; calls c1 read b.c; gets c1 "$long"; calls c1 read c.c; gets c1 "$long"; says 'Done.'
        user 'Two.'; calls c1 read d.c; gets c1 "$long"; calls c1 read e.c; gets c1 "$long"
    } >in
    makes 'ctx-isolate --policy mask --min-tokens 10' 1-2 "$masked" 4 "$masked" 6-13
    makes 'ctx-isolate --policy mask --min-tokens 10 --keep-results 4' 1-2 "$masked" 4-13
    makes 'ctx-isolate --policy mask --min-tokens 10 --keep-results 0' 1-2 "$masked" 4 "$masked" 6 "$masked" 8-13
    makes 'ctx-isolate --policy mask --min-tokens 10 --keep-results 1 --execution none' \
        1-2 "$masked" 4 "$masked" 6 "$masked" 8-10 "$masked" 12-13
    keeps 'ctx-isolate --policy mask --min-tokens 10 --keep-results 5'
    makes 'ctx-isolate --policy mask --min-tokens 10' 1-2 "$masked" 4 "$masked" 6-13
}

@test "ctx-isolate: mask changes content and compacted and no other byte" {
    spec <<END
ctx-isolate --policy mask --min-tokens 10 --keep-results 0 --execution none
<<< {"role":"user","content":"One."}
<<< $(calls c1 read a.c)
<<< { "tool_call_id" : "c1" , "x" : [ 1.50 ] , "content" : [{"type":"text","text":"$long"}] , "role" : "tool" , "metadata" : { "tool_name" : "read" } }
<<< $(calls c2 read a.c)
<<< {"role":"tool","content":"$long","metadata":{"compacted":false,"n":1e2},"tool_call_id":"c2"}
<<< {"role":"assistant","content":"Done."}
>>> {"role":"user","content":"One."}
>>> $(calls c1 read a.c)
>>> { "tool_call_id" : "c1" , "x" : [ 1.50 ] , "content" : "[tool result masked, 600 B]" , "role" : "tool" , "metadata" : { "tool_name" : "read","compacted":true } }
>>> $(calls c2 read a.c)
>>> {"role":"tool","content":"[tool result masked, 600 B]","metadata":{"compacted":true,"n":1e2},"tool_call_id":"c2"}
>>> {"role":"assistant","content":"Done."}
END
}

@test "ctx-isolate: metadata is edited under the spelling that it came with" {
    spec <<END
ctx-isolate --policy mask --min-tokens 10 --keep-results 0
<<< {"role":"user","content":"One."}
<<< {"role":"assistant","content":"","_metadata":{"execution_id":"e1","tool_calls":[{"id":"c1","name":"read","arguments":{"path":"a.c"}}]}}
<<< {"role":"tool","tool_call_id":"c1","content":"$long","_metadata":{"execution_id":"e1"}}
<<< {"role":"assistant","content":"Done.","_metadata":{"execution_id":"e1"}}
>>> {"role":"user","content":"One."}
>>> {"role":"assistant","content":"","_metadata":{"execution_id":"e1","tool_calls":[{"id":"c1","name":"read","arguments":{"path":"a.c"}}]}}
>>> {"role":"tool","tool_call_id":"c1","content":"[tool result masked, 600 B]","_metadata":{"execution_id":"e1","compacted":true}}
>>> {"role":"assistant","content":"Done.","_metadata":{"execution_id":"e1"}}
END
    spec <<END
ctx-isolate
<<< {"role":"user","content":"One."}
<<< {"role":"assistant","content":"","_metadata":{"execution_id":"e1","tool_calls":[{"id":"c1","name":"read","arguments":{"path":"a.c"}}]}}
<<< {"role":"tool","tool_call_id":"c1","content":"$long","_metadata":{"execution_id":"e1"}}
<<< {"role":"assistant","content":"Done.","_metadata":{"execution_id":"e1"}}
>>> {"role":"user","content":"One."}
>>> $(artifact '"execution_id":"e1"' read a.c 'ok, 600 B')
>>> {"role":"assistant","content":"Done.","_metadata":{"execution_id":"e1"}}
END
}

@test "ctx-isolate: --placeholder is what a masked result says" {
    { user 'One.'; calls c1 read a.c; gets c1 "$long"; says 'Done.'; } >in
    makes "ctx-isolate --policy mask --min-tokens 10 --keep-results 0 --placeholder 'gone: \"é\"'" 1-2 \
        "$(gets c1 'gone: \"é\"' '"compacted":true')" 4
}

@test "ctx-isolate: a placeholder that is no smaller is not used" {
    { user 'One.'; calls c1 read a.c; gets c1 'short'; says 'Done.'; } >in
    keeps 'ctx-isolate --policy mask --min-tokens 0 --keep-results 0'
    { user 'One.'; calls c1 read a.c; gets c1 "$long"; says 'Done.'; } >in
    keeps "ctx-isolate --policy mask --min-tokens 0 --keep-results 0 --placeholder '$long'"
}

@test "ctx-isolate: mask does not mask twice, and lets artifacts and compacted results be" {
    { user 'One.'; calls c1 read a.c; gets c1 "$long"; calls c1 read b.c; gets c1 "$long" '"compacted":true'; says 'Done.'; } >raw
    ctx-isolate --policy mask --min-tokens 10 --keep-results 0 raw >in
    same 'one masked' <(sed -n 4,6p raw) <(sed -n 4,6p in)
    same 'one masked' <(printf '%s\n' "$masked") <(sed -n 3p in)
    rm raw
    keeps 'ctx-isolate --policy mask --min-tokens 0 --keep-results 0'
    keeps 'ctx-isolate --policy mask --min-tokens 0 --keep-results 0 --placeholder x'
}

@test "ctx-isolate: mask leaves unresolved results but for long error text" {
    local text
    text=$(seq -s ' ' 1000)
    { user 'One.'; calls c1 read a.c; gets c1 "$text" '"is_error":true'; says 'No.'; user 'Two.'; } >in
    keeps 'ctx-isolate --policy mask --keep-results 0 --error-tokens 10k'
    ctx-isolate --error-tokens 100 in >expected
    [[ $(wc -c <expected) -lt $(wc -c <in) ]]
    spec <<'END'
ctx-isolate --policy mask --keep-results 0 --error-tokens 100 in
>>>@ expected
END
}

# --- The stream ---------------------------------------------------------------------------------

@test "ctx-isolate: transparent is the identity" {
    {
        user 'One.'; calls c1 read a.c; gets c1 "$long"; says 'aloud' '"is_trace":true'; says 'Done.'
        printf '\n[1, 2]\n \r\n'
        printf '%s' '{"role":"user","content":"Two."}'
    } >in
    keeps 'ctx-isolate --policy transparent'
    keeps 'ctx-isolate --policy=transparent --execution none --keep-results 0'
}

@test "ctx-isolate: line ends, byte order mark and a missing last line feed stay with what is changed" {
    {
        printf '\xef\xbb\xbf'
        user 'One.'; calls c1 read a.c; gets c1 "$long"; says 'Done.'
        printf '%s' "$(calls c2 read b.c '"pinned":true')"
    } | sed 's/$/\r/' >in
    printf '\xef\xbb\xbf%s\r\n%s\r\n%s\r\n%s' "$(user 'One.')" "$(artifact '' read a.c 'ok, 600 B')" "$(says 'Done.')" \
        "$(calls c2 read b.c '"pinned":true')"$'\r' >expected
    spec <<'END'
ctx-isolate --execution none in
>>>@ expected
END
    # A last line that goes takes no line feed from the one before it.
    { user 'One.'; says 'Done.'; printf '%s' "$(says 'aloud' '"is_trace":true')"; } >in
    makes 'ctx-isolate --execution none' 1-2
    # And a changed last line has an end only where it had one.
    { user 'One.'; calls c1 read a.c; printf '%s' "$(gets c1 "$long")"; } >in
    { user 'One.'; calls c1 read a.c; printf '%s' "$masked"; } >expected
    spec <<'END'
ctx-isolate --policy mask --min-tokens 0 --keep-results 0 --execution none in
>>>@ expected
END
}

@test "ctx-isolate: records that are no messages stay in their places" {
    {
        echo '{"type":"context","system_prompt":"S"}'
        echo '[0]'
        user 'One.'
        echo '{"note":1}'
        calls c1 read a.c
        echo '"between"'
        gets c1 "$long"
        echo
        says 'Done.'
        echo '{"type":"budget","used_tokens":1}'
    } >in
    makes 'ctx-isolate' 1-4 "$(artifact '' read a.c 'ok, 600 B')" 6 8-10
}

@test "ctx-isolate: dropped bad lines go to their file" {
    { user 'One.'; calls c1 read a.c; gets c1 "$long"; echo '{'; says 'Done.'; } >in
    expect 1 "$(artifact '' read a.c 'ok, 600 B')" 5
    spec <<'END'
ctx-isolate --bad-lines drop --bad-file bad in
>>>@ expected
>>>2 ctx-isolate: in:4: unexpected end, at byte 2
>>>= 65
>>>+ bad
END
    same 'the bad file' <(echo '{') bad
}

@test "ctx-isolate: --report and -v say what was done" {
    { user 'One.'; calls c1 read a.c; gets c1 "$long"; says 'Done.'; echo '[]'; } >in
    expect 1 "$(artifact '' read a.c 'ok, 600 B')" 4-5
    spec <<'END'
ctx-isolate -v --report report in
>>>@ expected
>>>2 ctx-isolate: 5 records, 4 messages in; 3 messages out, 1 changed; 0 records added
>>>+ report
END
    same 'the report' <(printf '%s\n' '{"command":"ctx-isolate","records":5,"messages":4,"written":3,"changed":1,"added":0,"bad":0,"status":0}') report
}

@test "ctx-isolate: option-arguments that make no sense give 64" {
    spec <<'END'
ctx-isolate --policy hide
>>>2 ctx-isolate: bad value 'hide' of --policy, expected one of boundary, mask, transparent; try 'ctx-isolate --help'
>>>= 64
END
    spec <<'END'
ctx-isolate --min-tokens many
>>>2 ctx-isolate: bad value 'many' of --min-tokens, expected a number such as 200 or 12k; try 'ctx-isolate --help'
>>>= 64
END
    spec <<'END'
ctx-isolate --keep-results
>>>2 ctx-isolate: option '--keep-results' needs a value: N; try 'ctx-isolate --help'
>>>= 64
END
}

# --- What an artifact resolves --------------------------------------------------------------------

# fails ID COMMAND, works ID COMMAND: a failed and a successful run.
fails() { calls "$1" bash "{\"command\":\"$2\"}"; gets "$1" "no: $long" '"is_error":true'; }
works() { calls "$1" bash "{\"command\":\"$2\"}"; gets "$1" "yes: $long"; }

# resolved FILE: what the artifacts of a file resolve.
resolved() { jq -c '.metadata.resolves // empty' "$1"; }

@test "ctx-isolate: an artifact says what it resolves of what stays, and no failure is open again" {
    local how
    { user A.; fails c1 make; works r ls; fails c2 make; works c3 make; says B.; user C.; } >in
    ctx-isolate in >out
    same 'nothing stays' /dev/null <(resolved out)
    for how in group execution; do
        ctx-isolate --artifact $how --protect error in >out
        same "$how: the failures stay" <(printf '%s\n' c1 c2) <(jq -r '.tool_call_id // empty' out)
        same "$how: resolved" <(echo '"c2"') <(resolved out)
        same "$how: none is open" <(echo 0) <(ctx-select --count unresolved out || true)
        same "$how: the second run" out <(ctx-isolate --artifact $how --protect error out)
    done
    # The second failure, which took the first off, becomes an artifact.
    ctx-isolate --select 'turn=1,!text~nothing' --protect 'role=tool,tool=none' in >out
    { user A.; fails c1 make; user B.; fails c2 make; works c3 make; says B.; user C.; } >in
    ctx-isolate --protect turn=1 in >out
    same 'a retry' <(echo '"c1"') <(resolved out)
    same 'a retry: none is open' <(echo 0) <(ctx-select --count unresolved out || true)
    # Several at once, with an id that wants escapes.
    { user A.; fails c1 make; fails 'c\u0022' 'make all'; acts '' "$(call d1 bash '{"command":"make"}')" "$(call d2 bash '{"command":"make all"}')"
        gets d1 "$long"; gets d2 "$long"; says B.; user C.; } >in
    ctx-isolate --protect error in >out
    same 'two' <(echo '["c\"","c1"]') <(resolved out)
    same 'two: none is open' <(echo 0) <(ctx-select --count unresolved out || true)
}

@test "ctx-isolate: a group that says what it resolves says so in its artifact" {
    { user A.; fails c1 make; says 'B.' '"pinned":true'; user C.; calls c2 bash '{"command":"ls"}' '"resolves":["c1","c9",7]'; gets c2 "$long" '"resolves":"m1"'; says D.; user E.; } >in
    ctx-isolate --protect error in >out
    same 'said' <(echo '["c1","c9","m1","c1"]') <(resolved out)
    same 'none is open' <(echo 0) <(ctx-select --count unresolved out || true)
    # Behind the first group of its execution it gets an artifact of its own.
    { user A.; works r ls; fails c1 make; calls c2 bash '{"command":"ls"}' '"resolves":"c1"'; gets c2 "$long"; works s ls; says D.; user E.; } >in
    ctx-isolate --protect error --artifact execution in >out
    same 'none is open' <(echo 0) <(ctx-select --count unresolved out || true)
    same 'two artifacts' <(echo 2) <(grep -c '"kind":"trace"' out)
}

@test "ctx-isolate: a group stays where its artifact cannot say what it resolves" {
    # The id is that of another failure, which is open.
    { user A.; fails c1 make; user B.; fails c1 'make all'; works c2 'make all'; says C.; user D.; } >in
    keeps 'ctx-isolate --protect error'
    # The result came late, or says what it resolves: the failure stands behind the place of the artifact.
    { user A.; calls c1 bash '{"command":"make"}'; fails c2 make; gets c1 "$long"; says B.; user C.; } >in
    keeps 'ctx-isolate --protect error'
    { user A.; calls c1 bash '{"command":"ls"}'; fails c2 make; gets c1 "$long" '"resolves":"c2"'; says B.; user C.; } >in
    keeps 'ctx-isolate --protect error'
}

@test "ctx-isolate: no failure is open again, and the second run changes nothing, for random streams" {
    local seed options name
    mkdir failures once failures-once twice held
    for seed in {1..30}; do
        awk -v seed="$seed" 'BEGIN {
            srand(seed)
            ids = seed % 3 ? 1000 : 4
            for (n = 0; n < 60; n++) {
                kind = int(rand() * 9)
                id = "c" n % ids
                if (kind == 0)
                    print "{\"role\":\"user\",\"content\":\"u" n "\"}"
                else if (kind == 1)
                    print "{\"role\":\"assistant\",\"content\":\"a\"}"
                else {
                    printf "{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"%s\",\"function\":{\"name\":\"%s\",\"arguments\":\"{\\\"path\\\":\\\"%d\\\"}\"}}]}\n", id, rand() < 0.5 ? "edit" : "write", rand() * 3
                    if (rand() < 0.9)
                        printf "{\"role\":\"tool\",\"tool_call_id\":\"%s\",\"content\":\"%s\",\"metadata\":{\"n\":%d,\"is_error\":%s}}\n", id, "a result that is long enough to be isolated, wherever it stands", n, rand() < 0.5 ? "true" : "false"
                }
            }
        }' >in
        for options in '--protect error' '--protect error --artifact execution' '--protect tool=edit' '--select turn>2 --artifact execution'; do
            name="seed $seed, $options"
            ctx-select --exact unresolved,role=tool in >"failures/$name" || true
            ctx-isolate $options in >"once/$name"
            ctx-select --exact unresolved,role=tool "once/$name" >"failures-once/$name" || true
            ctx-isolate $options "once/$name" >"twice/$name"
            ctx-isolate $options --min-gain 1 in >"held/$name"
        done
    done
    same 'open failures' <(cd failures && grep -o '"n":[0-9]*' -- *) <(cd failures-once && grep -o '"n":[0-9]*' -- *)
    diff -r once twice
    diff -r once held
    (($(cat once/* | grep -c '"resolves"') > 50))
}

# --- A real session -----------------------------------------------------------------------------

@test "ctx-isolate: the session of the fixtures, record by record" {
    cp "$FIXTURES/ctx-metadata.jsonl" in
    makes 'ctx-isolate' 1-4 \
        '{"role":"assistant","content":"[trace] read log.txt: ok, 47 B; shell ls door: error, 12 B","metadata":{"kind":"trace","scope":"historical","execution_id":"e1","section":"execution_buffer","is_trace":true,"compacted":true,"facts":{"calls":[{"tool":"read","target":"log.txt","op":"read","outcome":"ok"},{"tool":"shell","target":"ls door","op":"shell","outcome":"error"}]}}}' \
        8-9 "$(artifact '"execution_id":"e2"' write log.txt 'ok, 7 B' c7a32c9c826c)" 12-15 \
        '{"role":"assistant","content":"[trace] shell pump --test: ok, 15 B","metadata":{"kind":"trace","scope":"historical","execution_id":"e3","is_trace":true,"compacted":true,"resolves":"c3","facts":{"tool":"shell","target":"pump --test","op":"shell","outcome":"ok"}}}' \
        18-28
}

@test "ctx-isolate: a path that would pass for more than a name is quoted in the artifact" {
    {
        user Go.
        calls c1 read '{"path":"a.c: ok, 5 B; write b.c"}'; gets c1 "$long"
        calls c2 read '{"path":"a.c\nb.c"}'; gets c2 "$long"
        calls c3 bash '{"command":"echo \u001b[2J\nls"}'; gets c3 "$long"
        calls c4 bash '{"command":"make; ls\necho"}'; gets c4 "$long"
        says Done.; user Next.
    } >in
    ctx-isolate in >once
    same 'artifacts' <(jq -r 'select(.metadata.kind == "trace").content' once) <(printf '%s\n' \
        '[trace] read "a.c: ok, 5 B; write b.c": ok, 600 B' '[trace] read "a.c\nb.c": ok, 600 B' \
        '[trace] bash "echo \x1b[2J" …: ok, 600 B' '[trace] bash make; ls …: ok, 600 B')
    ctx-isolate once | cmp once
}

# --- Streams --------------------------------------------------------------------------------------

# random_sessions COUNT: files random.N of messages of all kinds, in any order, with results that are
# late, missing or fail, and now and then a bad line.
random_sessions() {
    awk -v count="$1" '
        function pick(list,    n, a) { n = split(list, a, "|"); return a[1 + int(rand() * n)] }
        function metadata(    text) {
            text = pick("||||||||\"execution_id\":\"e1\"|\"execution_id\":\"e2\"|\"pinned\":true|\"is_trace\":true|\"is_trace\":false" \
                "|\"resolves\":\"c1\"|\"parent_execution_id\":\"p\"")
            return text == "" ? "" : ",\"metadata\":{" text "}"
        }
        function calls(id) {
            return "{\"id\":\"" id "\",\"type\":\"function\",\"function\":{\"name\":\"" pick("read|write|bash") \
                "\",\"arguments\":\"{\\\"path\\\":\\\"" pick("a|b") "\\\"}\"}}"
        }
        function gets(id,    fails, words) {
            fails = pick("|||\"is_error\":true|\"is_error\":true|\"is_error\":true,\"resolved\":" pick("true|false"))
            words = sprintf("%" pick("5|60|600") "s", "")
            gsub(/ /, "x ", words)
            return "{\"role\":\"tool\",\"tool_call_id\":\"" id "\",\"content\":\"" words n "\"" \
                (fails == "" ? metadata() : ",\"metadata\":{" fails "}") "}"
        }
        function line(    what, id, second) {
            what = pick("user|user|says|says|aloud|error|calls|whole|whole|whole|two|gets|gets|system|foreign|bad")
            id = pick("c1|c2|c3")
            second = pick("c1|c2|c3")
            if (what == "user") return "{\"role\":\"user\",\"content\":\"u" n "\"" metadata() "}"
            if (what == "says") return "{\"role\":\"assistant\",\"content\":\"a" n "\"" metadata() "}"
            if (what == "aloud") return "{\"role\":\"assistant\",\"content\":\"t" n "\",\"metadata\":{\"is_trace\":true}}"
            if (what == "error") return "{\"role\":\"assistant\",\"content\":\"e" n "\",\"metadata\":{\"origin\":\"error\"}}"
            if (what == "system") return "{\"role\":\"system\",\"content\":\"s\"}"
            if (what == "foreign") return "[" n "]"
            if (what == "bad") return "{bad"
            if (what == "gets") return gets(pick("c1|c2|c3|c9"))
            if (what == "two") return "{\"role\":\"assistant\",\"tool_calls\":[" calls(id) "," calls(second) "]" metadata() "}\n" \
                gets(second) "\n" gets(id)
            return "{\"role\":\"assistant\",\"tool_calls\":[" calls(id) "]" metadata() "}" (what == "whole" ? "\n" gets(id) : "")
        }
        BEGIN {
            srand(23)
            for (i = 1; i <= count; i++)
                for (n = 1 + int(rand() * 60); n > 0; n--) print line() >("random." i)
        }'
}

# --estimator calibrated holds the session, and counts as o200k_base where nothing reports its usage.
# bats test_tags=slow
@test "ctx-isolate: what streams is what the held session gives, for random streams" {
    random_sessions 120
    local file options changed=0
    for file in random.*; do
        for options in '' '--execution none' '--execution last' '--policy mask --min-tokens 9 --error-tokens 20' \
            '--policy mask --min-tokens 9 --keep-results 0'; do
            # shellcheck disable=SC2086
            ctx-isolate $options "$file" >streamed 2>/dev/null || [[ $? == 65 ]]
            # shellcheck disable=SC2086
            ctx-isolate $options --estimator calibrated "$file" >held 2>/dev/null || [[ $? == 65 ]]
            cmp -s streamed held || fail "$options $file: $(diff streamed held)"
            cmp -s "$file" held || changed=$((changed + 1))
        done
    done
    ((changed > 200))
    rm random.* streamed held
}

# executions COUNT: a log of so many executions, each with a call, a failed call that is repeated, and
# results of 2 kB.
executions() {
    awk -v count="$1" -v long="$long$long$long" '
        function calls(id, path) {
            return "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"" id "\",\"type\":\"function\"," \
                "\"function\":{\"name\":\"read\",\"arguments\":\"{\\\"path\\\":\\\"" path "\\\"}\"}}]}"
        }
        function gets(id, text, metadata) {
            return "{\"role\":\"tool\",\"tool_call_id\":\"" id "\",\"content\":\"" text "\"" metadata "}"
        }
        BEGIN {
            for (i = 1; i <= count; i++) {
                print "{\"role\":\"user\",\"content\":\"u" i "\"}"
                print calls("c1", "a" i ".c") "\n" gets("c1", long)
                print calls("c2", "b" i ".c") "\n" gets("c2", "no", ",\"metadata\":{\"is_error\":true}")
                print calls("c3", "b" i ".c") "\n" gets("c3", long)
                print "{\"role\":\"assistant\",\"content\":\"a" i "\"}"
            }
        }'
}

@test "ctx-isolate, ctx-project: a log of many executions takes bounded memory" {
    command -v python3 >/dev/null || skip 'needs python3'
    ! grep -q __asan_init "$CTX_BIN/ctx-isolate" || skip 'AddressSanitizer keeps what is freed'
    local command count
    executions 500 >small
    executions 10000 >large
    for command in 'ctx-isolate --estimator bytes/4' 'ctx-isolate --policy mask --estimator bytes/4' ctx-project \
        'ctx-project --trace none'; do
        # shellcheck disable=SC2086
        for count in small large; do
            python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[2:], stdin=open(sys.argv[1]), stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$count" $command >"peak.$count"
        done
        (($(cat peak.large) < $(cat peak.small) + 1500)) ||
            fail "$command: $(cat peak.small) kB became $(cat peak.large) kB for 20 times the input"
    done
    rm small large peak.small peak.large
}

@test "ctx-isolate: in a live pipe a record leaves as soon as its fate is known" {
    local status=0 line
    mkfifo in out
    ctx-isolate <in >out 3>&- &
    exec 8>in 7<out
    user 'One.' >&8
    IFS= read -r -t 10 line <&7 && [[ $line == "$(user 'One.')" ]] || status=1
    { calls c1 read a.c; gets c1 "$long"; } >&8
    ! IFS= read -r -t 0.05 line <&7 || status=2
    { says 'Done.'; user 'Two.'; } >&8
    IFS= read -r -t 10 line <&7 && [[ $line == "$(artifact '' read a.c 'ok, 600 B')" ]] || status=3
    IFS= read -r -t 10 line <&7 && [[ $line == "$(says 'Done.')" ]] || status=4
    IFS= read -r -t 10 line <&7 && [[ $line == "$(user 'Two.')" ]] || status=5
    # A failure holds what comes behind it, until a later execution resolves it.
    { calls c1 read b.c; gets c1 'no' '"is_error":true'; says 'It is gone.'; user 'Three.'; } >&8
    ! IFS= read -r -t 0.05 line <&7 || status=6
    { calls c1 read b.c; gets c1 "$long"; user 'Steer.'; says 'There.'; user 'Four.'; } >&8
    IFS= read -r -t 10 line <&7 && [[ $line == "$(artifact '' read b.c 'error, 2 B')" ]] ||
        status=7
    IFS= read -r -t 10 line <&7 && [[ $line == "$(says 'It is gone.')" ]] || status=8
    exec 8>&- 7<&-
    wait $! || [[ $? == 141 ]]
    ((status == 0)) || fail "step $status: $line"
    rm in out
}

@test "ctx-isolate: --hold gives up failures that are older" {
    {
        user 'One.'; calls c1 read a.c; gets c1 'no' '"is_error":true'; says 'Gone.'
        user 'Two.'; calls c2 read b.c; gets c2 "$long"; says 'Done.'
        user 'Three.'; calls c3 read c.c; gets c3 "$long"; says 'Done.'
        user 'Four.'; calls c4 read a.c; gets c4 "$long"; says 'Found.'
    } >in
    local b c d
    b=$(artifact '' read b.c 'ok, 600 B') c=$(artifact '' read c.c 'ok, 600 B') d=$(artifact '' read a.c 'ok, 600 B')
    makes 'ctx-isolate' 1 "$(artifact '' read a.c 'error, 2 B')" 4-5 "$b" 8-9 "$c" 12-13 "$d" 16
    makes 'ctx-isolate --hold 100msgs' 1 "$(artifact '' read a.c 'error, 2 B')" 4-5 "$b" 8-9 "$c" 12-13 "$d" 16
    makes 'ctx-isolate --hold 6msgs' 1-5 "$b" 8-9 "$c" 12-13 "$d" 16
    makes 'ctx-isolate --hold 1k' 1-5 "$b" 8-9 "$c" 12-13 "$d" 16
    ctx-isolate --hold 1k --report report in >/dev/null
    same 'report' <(echo 1) <(jq .given_up report)
    ctx-isolate --report report in >/dev/null
    same 'report: nothing is held' <(echo null) <(jq .given_up report)
    rm report
    makes 'ctx-project --trace none --hold 6msgs' 1-5 8-9 12-13 16
    makes 'ctx-project --trace none' 1 4-5 8-9 12-13 16
    spec <<'END'
ctx-isolate --hold 50%
>>>2 ctx-isolate: bad value '50%' of --hold, expected a size such as 64M or 10000msgs; try 'ctx-isolate --help'
>>>= 64
END
    spec <<'END'
ctx-project --view all --hold 5msgs
>>>2 ctx-project: --hold requires --view=reasoning, --select, --reject or --attempts=last; try 'ctx-project --help'
>>>= 64
END
}

@test "ctx-isolate: --hold gives nothing up where nothing waits, however much has passed" {
    awk 'BEGIN {
        for (i = 0; i < 4000; i++) {
            print "{\"role\":\"user\",\"content\":\"Look.\"}"
            print "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"c" i "\",\"type\":\"function\",\"function\":{\"name\":\"read\",\"arguments\":\"{\\\"path\\\":\\\"a.c\\\"}\"}}]}"
            print "{\"role\":\"tool\",\"tool_call_id\":\"c" i "\",\"content\":\"" sprintf("%300s", "x") "\"}"
            print "{\"role\":\"assistant\",\"content\":\"Done.\"}"
        }
    }' >in
    local policy
    for policy in boundary mask; do
        ctx-isolate --policy "$policy" --estimator bytes/4 --hold 1G --report report in >held
        ctx-isolate --policy "$policy" --estimator bytes/4 in | cmp - held
        same "$policy" <(echo 0) <(jq .given_up report)
    done
    rm held report
}

@test "ctx-isolate: what --hold gives up does not depend on when what has left is forgotten" {
    local size i filler
    for size in 10 4000; do
        filler="\"filler\":\"$(repeat "$size" x)\""
        {
            user 'One.' "$filler"; calls c0 read a.c "$filler"
            for ((i = 1; i <= 130; i++)); do
                user 'Again.' "$filler"; says 'Done.' "$filler"
            done
            gets c0 "$long" "$filler"
            user 'Two.'; calls c1 read b.c; gets c1 "$long"; says 'Done.'; user 'Three.'
        } >in
        expect 1-265 "$(gets c1 '[tool result masked, 600 B]' '"compacted":true')" 267-268
        ctx-isolate --policy mask --min-tokens 0 --keep-results 0 --hold 2msgs --report report in >held
        same "$size" expected held
        same 'report' <(echo 1) <(jq .given_up report)
        rm report held expected
    done
}

@test "ctx-isolate: a late result of what --hold gave up resolves what its call would resolve" {
    {
        user 'One.'; calls c0 read a.c
        user 'Two.'; says 'It is dark.'; user 'Three.'; says 'It is light.'
        user 'Four.'; calls c1 read a.c; gets c1 "$long" '"is_error":true'; says 'It is gone.'
        user 'Five.'; gets c0 "$long"; says 'There.'
        user 'Six.'
    } >in
    makes 'ctx-isolate --hold 7msgs' 1-7 "$(artifact '' read a.c 'error, 600 B')" 10-14
    sed 's/"is_error":true/"is_error":true,"resolved":false/' in >kept
    mv kept in
    ctx-isolate --hold 7msgs in | cmp - in
}

@test "ctx-isolate: a late failure of what --hold gave up is in no group, and stays as it came" {
    {
        user a; wants c1:f
        user b; says 'B.'
        user c; says 'C.'
        user d; says 'D.'
        gets c1 "$(repeat 300 'error x ')" '"is_error":true'
        user e; says 'E.'
    } >in
    keeps 'ctx-isolate --policy mask --keep-results 0 --hold 2msgs --error-tokens 10'
    ctx-isolate --policy mask --keep-results 0 --error-tokens 10 in | grep -q 'bytes cut'
}

@test "ctx-isolate: a tool's name that would pass for more than a name is quoted in the artifact" {
    {
        user Go.
        calls c1 'read a.c: ok, 5 B; write' '{\"path\":\"b.c\"}'; gets c1 "$long"
        calls c2 'look\n[trace] write' '{\"path\":\"a.c\"}'; gets c2 "$long"
        calls c3 'look\u001b[2J\u202e' '{\"path\":\"a.c\"}'; gets c3 "$long"
        calls c4 'say \"hi\"' '{\"path\":\"a.c\"}'; gets c4 "$long"
        calls c5 'mcp__lamp: light' '{\"path\":\"a.c\"}'; gets c5 "$long"
        says Done.; user Next.
    } >in
    ctx-isolate in >once
    jq -r 'select(.metadata.kind == "trace").content' once >got
    same 'artifacts' <(printf '%s\n' \
        '[trace] "read a.c: ok, 5 B; write": ok, 600 B' \
        '[trace] "look\n[trace] write": ok, 600 B' \
        '[trace] "look\x1b[2J\u202e": ok, 600 B' \
        '[trace] "say \"hi\"": ok, 600 B' \
        '[trace] "mcp__lamp: light": ok, 600 B') got
    same 'facts' <(printf '%s\n' '"look\n[trace] write"') \
        <(jq -c 'select(.metadata.kind == "trace").metadata.facts.tool' once | sed -n 2p)
    ctx-isolate once | cmp once
    rm got
}

# --- What the user chooses ---------------------------------------------------------------------

@test "ctx-isolate: --select touches what it selects, --protect what it does not" {
    {
        user 'Look.'; calls c1 read a.c; gets c1 "$long"; says 'Hm.' '"is_trace":true'
        calls c2 bash b.c; gets c2 "$long"; says 'Done.'; user 'Next.'; calls c3 read c.c; gets c3 "$long"; says 'Ok.'; user 'Go.'
    } >in
    makes 'ctx-isolate --select tool=read' 1 "$(artifact '' read a.c 'ok, 600 B')" 4-8 "$(artifact '' read c.c 'ok, 600 B')" 11-12
    makes 'ctx-isolate --protect tool=bash --protect turn=2' 1 "$(artifact '' read a.c 'ok, 600 B')" 5-12
    makes 'ctx-isolate --select "turn<-2" --protect "tool=bash"' 1 "$(artifact '' read a.c 'ok, 600 B')" 5-12
    makes 'ctx-isolate --policy mask --keep-results 0 --min-tokens 10 --protect tool=read' 1-5 '6: compacted content -> [tool result masked, 600 B]' 7-12
    makes 'ctx-isolate --policy mask --keep-results 0 --min-tokens 10 --select "turn=-2"' 1-9 '10: compacted content -> [tool result masked, 600 B]' 11-12
    keeps 'ctx-isolate --select tool=grep'
    { user 'Look.'; says 'Hm.' '"is_trace":true'; says 'Done.'; user 'Next.'; says 'Ok.'; user 'Go.'; } >in
    makes 'ctx-isolate --select "turn<-2"' 1 3-6
    keeps 'ctx-isolate --protect "turn=-3"'
}
