#!/usr/bin/env bats
#
# ctx-project: what is in each view, and in which order.

load helper
load dialogue
long=${long?}

# A session with something of everything; the numbers of its lines are those of the file in.
session() {
    echo '{"type":"context","system_prompt":"Be brief."}'          # 1
    echo '{"role":"system","content":"S"}'                          # 2
    user 'One.'                                                     # 3
    user 'wind: NW' '"origin":"injected"'                           # 4
    says 'I will look.'                                             # 5
    calls c1 read a.c                                               # 6
    gets c1 'text'                                                  # 7
    says 'It is text.'                                              # 8
    echo '{"note":"foreign"}'                                       # 9
    user 'Two.'                                                     # 10
    calls c1 read b.c                                               # 11
    gets c1 'no such file' '"is_error":true'                        # 12
    says 'There is none.'                                           # 13
    user 'Three.'                                                   # 14
    artifact '' read a.c 'ok, 600 B'                                # 15
    calls c1 read c.c '"pinned":true'                               # 16
    gets c1 'text'                                                  # 17
    says 'aloud' '"is_trace":true'                                  # 18
    says 'It is so.'                                                # 19
    user 'Four.'                                                    # 20
    calls c1 read a.c                                               # 21
    gets c1 'text'                                                  # 22
    says 'I think'                                                  # 23
    calls c2 read d.c                                               # 24
}

# --- The reasoning view ---------------------------------------------------------------------------

@test "ctx-project: the reasoning view has what is no trace, the current trace, artifacts, pinned and unresolved groups" {
    session >in
    makes 'ctx-project' 1-5 8-17 19-24
    makes 'ctx-project --view reasoning --trace current' 1-5 8-17 19-24
}

@test "ctx-project: --trace all keeps all trace, --trace none only what nothing may lose" {
    session >in
    makes 'ctx-project --trace all' 1-24
    makes 'ctx-project --trace none' 1-5 8-14 16-17 19-20 23
    makes 'ctx-project --trace=none --execution=none' 1-5 8-14 16-17 19-20 23
}

@test "ctx-project: --execution says whose trace is current" {
    session >in
    makes 'ctx-project --execution auto' 1-5 8-17 19-24
    makes 'ctx-project --execution last' 1-5 8-17 19-24
    makes 'ctx-project --execution none' 1-5 8-17 19-20 23
    makes "ctx-project --execution '#1'" 1-17 19-20 23
    makes "ctx-project --execution '#3'" 1-5 8-20 23
    { user 'One.'; calls c1 read a.c; gets c1 'text'; says 'Done.'; } >in
    makes 'ctx-project' 1 4
    makes 'ctx-project --execution last' 1-4
}

# The first request of an execution is made before any of its messages is in the log.
@test "ctx-project: --execution of an id that has not come yet: no trace is current" {
    { user 'One.'; calls c1 read a.c; gets c1 'text'; acts '' "$(call c2 read b.c)"; } >in
    makes 'ctx-project --execution e9' 1
    makes 'ctx-project --execution e9 --sections messages' 1
    user 'One.' >in
    keeps 'ctx-project --execution e9'
}

@test "ctx-project: a group is current where its call is, also when its result comes late" {
    {
        user 'Both.'
        printf '{"role":"assistant","content":null,"tool_calls":[%s,%s]}\n' "$(call c1 read a.c)" "$(call c2 read b.c)"
        gets c2 'text'
        user 'The second first.'
        gets c1 'text'
        calls c1 read c.c
        gets c1 'text'
    } >in
    makes 'ctx-project' 1 4 6-7
    makes "ctx-project --execution '#1'" 1-5
}

@test "ctx-project: a result without a call is trace like any other" {
    { gets c0 'lost'; user 'One.'; gets c9 'lost'; says 'Done.'; user 'Two.'; gets c9 'lost'; } >in
    makes 'ctx-project' 2 4-6
    makes 'ctx-project --trace all' 1-6
    makes 'ctx-project --trace none' 2 4-5
}

@test "ctx-project: a group is trace unless its call says that it is none" {
    {
        user 'One.'
        calls c1 read a.c '"is_trace":false'; gets c1 'text'
        calls c2 read b.c; gets c2 'text' '"is_trace":false'
        calls c3 read c.c; gets c3 'text' '"kind":"trace"'
        says 'Done.'
        user 'Two.'
    } >in
    makes 'ctx-project' 1-3 8-9
    makes 'ctx-project --view trace' 4-7
    makes 'ctx-project --view trace --last 100msgs' 4-7
    makes 'ctx-project --view conversation' 1 8-9
    makes 'ctx-project --view conversation --last 100msgs' 1 8-9
    # ctx-isolate leaves alone what is no trace.
    makes 'ctx-isolate' 1-3 "$(artifact '' read b.c 'ok, 4 B')" "$(artifact '' read c.c 'ok, 4 B')" 8-9
    makes 'ctx-isolate --policy mask --min-tokens 0 --keep-results 0 --placeholder x' 1-9
    # ctx-route says of a result what its call says, and ctx-budget selects by it.
    same 'trace' <(printf 'null\nfalse\nnull\ntrue\nfalse\ntrue\nnull\nnull\nnull\n') \
        <(ctx-route in | jq -c .metadata.is_trace)
    same 'budget' <(echo '["when"]') <(ctx-budget --json --when 'trace>3' in | jq -c .reasons)
    same 'budget' <(echo '[]') <(ctx-budget --json --when 'trace>4' in | jq -c .reasons)
}

@test "ctx-project: resolved failures are trace like any other" {
    { user 'One.'; calls c1 read a.c; gets c1 'no' '"is_error":true'; calls c2 read a.c; gets c2 'text'; says 'Done.'; } >in
    makes 'ctx-project' 1 6
    { user 'One.'; calls c1 read a.c; gets c1 'no' '"is_error":true'; says 'No.'; user 'So what.' '"resolves":["c1"]'; } >in
    makes 'ctx-project' 1 4-5
    { user 'One.'; calls c1 read a.c; says 'No.'; user 'Two.'; } >in
    makes 'ctx-project' 1-4
}

@test "ctx-project: a frozen group stays in the reasoning view" {
    { user 'One.'; calls c1 read a.c; echo '{'; gets c1 'text'; calls c2 read b.c; gets c2 'text'; says 'Done.'; } >in
    expect 1-4 7
    spec <<'END'
ctx-project --trace none in
>>>@ expected
>>>2 ctx-project: in:3: unexpected end, at byte 2
>>>= 65
END
}

# --- The conversation view ------------------------------------------------------------------------

@test "ctx-project: hides tool results in the conversation view" {
    spec <<'END'
ctx-project --view conversation
<<< {"role":"system","content":"Be brief."}
<<< {"role":"user","content":"How deep is the harbour?"}
<<< {"role":"assistant","content":"Let me see.","tool_calls":[{"id":"c1","type":"function","function":{"name":"sound","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"4.2 m"}
<<< { "role": "assistant", "content": "It is 4.2\u0020m deep.", "x": 1.0 }
>>> {"role":"user","content":"How deep is the harbour?"}
>>> { "role": "assistant", "content": "It is 4.2\u0020m deep.", "x": 1.0 }
END
}

@test "ctx-project: the conversation view has the users' messages and the final responses" {
    session >in
    makes 'ctx-project --view conversation' 1 3 8-10 13-14 19-20
}

@test "ctx-project: an answer is final when it is the last of its execution and no trace follows it" {
    {
        user 'One.'; says 'first'; says 'second'
        user 'Two.'; says 'first'; calls c1 read a.c; gets c1 'text'
        user 'and quickly'
        says 'second'
        user 'Three.'; says 'first'; calls c1 read a.c; gets c1 'text'; says 'aloud' '"is_trace":true'
        user 'Four.'; says 'first'; says '  '; says 'so far' '"kind":"summary"'
        printf '%s\n' '{"role":"assistant","content":[{"type":"text","text":" "},{"type":"thinking","thinking":"Hm."}]}'
    } >in
    makes 'ctx-project --view conversation' 1 3-4 8-10 15-16
}

@test "ctx-project: an error message stands for an execution that ended without an answer" {
    {
        user 'One.'; says 'no model' '"origin":"error"'; says 'still none' '"origin":"error"'
        user 'Two.'; says 'no model' '"origin":"error"'; says 'It is so.'
        user 'Three.'; says 'It is so.'; says 'no model' '"origin":"error"'
        user 'Four.'; says 'It is so.'; calls c1 read a.c; gets c1 'text'; says 'no model' '"origin":"error"'
        user 'Five.' '"execution_id":"e5"'; says 'no model' '"origin":"error"'
    } >in
    makes 'ctx-project --view conversation' 1 3-4 6-8 10 14-16
    makes 'ctx-project --view conversation --last 100msgs' 1 3-4 6-8 10 14-16
    makes 'ctx-select final' 3 6 8 14 16
}

@test "ctx-project: an error that ends the log stands for its execution" {
    { user 'One.'; says 'no model' '"origin":"error"'; } >in
    makes 'ctx-project --view conversation' 1-2
    makes 'ctx-project --view conversation --sections messages' 1-2
    makes 'ctx-select final' 2
    # The execution is not over: the agent may go on, and needs what it has read.
    { user 'One.'; calls c1 read a.c; gets c1 'text'; says 'no model' '"origin":"error"'; } >in
    makes 'ctx-project --view conversation' 1 4
    makes 'ctx-project' 1-4
    { cat in; says 'It is so.'; } >more
    mv more in
    makes 'ctx-project --view conversation' 1 5
}

@test "ctx-project: what is trace is in no conversation, and no result stands for an execution" {
    {
        user 'One.'
        user 'to myself' '"is_trace":true'
        says 'hidden' '"origin":"error","is_trace":true'
        calls c1 read a.c '"is_trace":false'
        gets c1 'no' '"origin":"error","is_trace":false'
        user 'Two.' '"execution_id":"e2"'
    } >in
    makes 'ctx-project --view conversation' 1 6
    makes 'ctx-project --view conversation --last 100msgs' 1 6
}

# both OPTION...: the view is the same as it streams and held (as --last asks for), messages and all.
both() {
    local file streams held
    for file in "${files[@]}"; do
        streams=0 held=0
        ctx-project "$@" "$file" >streamed 2>streamed.err || streams=$?
        ctx-project "$@" --last 1000000msgs "$file" >held 2>held.err || held=$?
        [[ $streams == "$held" ]] || fail "$file: status $streams as it streams, $held when held"
        same "$file" held streamed
        same "$file: errors" held.err streamed.err
    done
    rm streamed streamed.err held held.err
}

@test "ctx-project: a view that streams is the one that is held, for every fixture" {
    local -a files=("$FIXTURES"/*.jsonl)
    ((${#files[@]} >= 30))
    both --view conversation
    both --view trace
    both --view all
    files=("$FIXTURES"/route-subagent.jsonl "$FIXTURES"/ctx-*.jsonl)
    both --view conversation --agent surveyor
    both --view trace --agent surveyor
}

# Streams of everything that decides about a view, in random order.
random_streams() {
    awk -v count="$1" '
        function pick(list,    part, n) { n = split(list, part, "|"); return part[int(rand() * n) + 1] }
        function metadata(    text) {
            text = pick("||||\"execution_id\":\"e1\"|\"execution_id\":\"e2\"|\"is_trace\":true|\"is_trace\":false|\"pinned\":true" \
                "|\"origin\":\"error\"|\"origin\":\"injected\"|\"origin\":\"user\"|\"kind\":\"summary\"|\"kind\":\"trace\"" \
                "|\"parent_execution_id\":\"e1\"|\"parent_execution_id\":\"e1\",\"agent_id\":\"a\"|\"is_error\":true|\"resolved\":false")
            return text == "" ? "" : ",\"metadata\":{" text "}"
        }
        function line(    what) {
            what = pick("user|user|user|says|says|says|calls|calls|gets|gets|blank|system|foreign|bad|empty")
            if (what == "user") return "{\"role\":\"user\",\"content\":\"u" n "\"" metadata() "}"
            if (what == "says") return "{\"role\":\"assistant\",\"content\":\"a" n "\"" metadata() "}"
            if (what == "blank") return "{\"role\":\"assistant\",\"content\":\" \"" metadata() "}"
            if (what == "system") return "{\"role\":\"system\",\"content\":\"s\"" metadata() "}"
            if (what == "calls") return "{\"role\":\"assistant\",\"content\":" pick("null|\"text\"") ",\"tool_calls\":[{\"id\":\"" \
                pick("c1|c2") "\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]" metadata() "}"
            if (what == "gets") return "{\"role\":\"tool\",\"tool_call_id\":\"" pick("c1|c2|c9") "\",\"content\":\"r\"" metadata() "}"
            if (what == "foreign") return "[" n "]"
            return what == "bad" ? "{bad" : ""
        }
        BEGIN {
            srand(7)
            for (i = 1; i <= count; i++)
                for (n = 1 + int(rand() * 30); n > 0; n--) print line() >("random." i)
        }'
}

# bats test_tags=slow
@test "ctx-project: a view that streams is the one that is held, for random streams" {
    random_streams 60
    local -a files=(random.*)
    ((${#files[@]} == 60))
    both --view conversation
    both --view trace
    # They are not all alike.
    cat random.* >all
    [[ $(ctx-project -v --view conversation all 2>errors | wc -l) -gt 200 && $(wc -l <errors) -gt 30 ]]
}

@test "ctx-project: the conversation is live: an answer leaves when it is certain" {
    local line status=0
    mkfifo in out
    ctx-project --view conversation <in >out 3>&- &
    exec 8>in 7<out
    user 'One.' >&8
    IFS= read -r -t 10 line <&7 && [[ $line == "$(user 'One.')" ]] || status=1
    says 'first' >&8
    ! read -r -t 0.05 line <&7 || status=2
    says 'second' >&8
    ! read -r -t 0.05 line <&7 || status=3
    user 'Two.' >&8
    IFS= read -r -t 10 line <&7 && [[ $line == "$(says 'second')" ]] || status=4
    IFS= read -r -t 10 line <&7 && [[ $line == "$(user 'Two.')" ]] || status=5
    says 'third' >&8
    exec 8>&-
    IFS= read -r -t 10 line <&7 && [[ $line == "$(says 'third')" ]] || status=6
    exec 7<&-
    wait $!
    ((status == 0)) || fail "step $status: $line"
}

# --- The other views ------------------------------------------------------------------------------

@test "ctx-project: the view of all, and the view of the trace" {
    session >in
    makes 'ctx-project --view all' 1-24
    makes 'ctx-project --view trace' 1 6-7 9 11-12 15-18 21-22 24
}

@test "ctx-project: records that are no messages are in every view" {
    { echo '[0]'; user 'One.'; echo '{"type":"context"}'; gets c9 'lost'; echo; echo '"x"'; says 'Done.'; echo '{"type":"budget"}'; } >in
    makes 'ctx-project' 1-3 5-8
    makes 'ctx-project --trace none' 1-3 5-8
    makes 'ctx-project --view conversation' 1-3 5-8
    makes 'ctx-project --view trace' 1 3-6 8
    makes 'ctx-project --last 0msgs' 1 3 5-6 8
}

# --- Sub-agents -----------------------------------------------------------------------------------

@test "ctx-project: messages of a sub-agent are in no view of its parent, and --agent shows its own" {
    cp "$FIXTURES/route-subagent.jsonl" in
    makes 'ctx-project' 1 8
    makes 'ctx-project --trace all' 1-2 7-8
    makes 'ctx-project --view all' 1-2 7-8
    makes 'ctx-project --view trace' 2 7
    makes 'ctx-project --view conversation' 1 8
    makes 'ctx-project --agent surveyor' 3 6
    makes 'ctx-project --agent surveyor --trace all' 3-6
    makes 'ctx-project --agent surveyor --view all' 3-6
    makes 'ctx-project --agent=surveyor --view=trace' 4-5
    makes 'ctx-project --agent surveyor --view conversation' 3 6
    makes 'ctx-project --agent surveyor --view all --last 2msgs' 6
    makes 'ctx-project --agent nobody --view all' \
        '>>>2 ctx-project: nothing is left of 8 messages'
}

@test "ctx-project: a sub-agent without a name goes by its parent's execution" {
    local child='"parent_execution_id":"e1"'
    { user 'One.'; user 'Find it.' "$child"; says 'Found.' "$child"; says 'Done.'; } >in
    makes 'ctx-project --view all' 1 4
    makes 'ctx-project --view all --agent e1' 2-3
}

@test "ctx-project: the view of a sub-agent can be viewed again" {
    ctx-project --agent surveyor --view all "$FIXTURES/route-subagent.jsonl" >in
    [[ $(wc -l <in) == 4 ]]
    makes 'ctx-project --view conversation' 1 4
    makes 'ctx-project' 1 4
}

# --- Sections -------------------------------------------------------------------------------------

@test "ctx-project: --sections picks sections in its order, stably" {
    {
        user 'm1'
        says 'b1' '"section":"buffer"'
        says 's1' '"kind":"summary"'
        user 'm2' '"section":"messages"'
        says 'b2' '"section":"buffer"'
        says 'own' '"section":"my notes"'
        says 's2' '"section":"summary"'
        says 'm3'
        says 'e' '"section":"b\u0075ffer"'
    } >in
    makes 'ctx-project --view all --sections summary,buffer,messages,execution_buffer' 3 7 2 5 9 1 4 8
    makes 'ctx-project --view all --sections messages' 1 4 8
    makes "ctx-project --view all --sections 'buffer,my notes'" 2 5 9 6
    makes 'ctx-project --view all --sections nowhere,buffer,messages,buffer,,elsewhere' 2 5 9 1 4 8
    makes 'ctx-project --view all --sections nowhere' ">>>2 ctx-project: no message is in section 'nowhere'"
    makes 'ctx-project --view all --sections ""' 1 4 8
    makes 'ctx-project --view all --sections=,' 1 4 8
    # Without the option nothing is left out or moved.
    makes 'ctx-project --view all' 1-9
}

@test "ctx-project: a group has its call's section, wherever its results stand" {
    {
        user 'One.'
        printf '{"role":"assistant","content":null,"tool_calls":[%s,%s],"metadata":{"section":"execution_buffer"}}\n' \
            "$(call c1 read a.c)" "$(call c2 read b.c)"
        gets c1 'text'
        user 'Two.'
        gets c2 'text' '"section":"messages"'
        says 'Done.'
    } >in
    makes 'ctx-project --view all --sections execution_buffer,messages' 2-3 5 1 4 6
    makes 'ctx-project --view all --sections messages' 1 4 6
}

# What a stopped run left in the buffer is no work on the next request.
@test "ctx-project: --steering says whether a request after a result joins the stopped run" {
    {
        user 'One.' '"section":"messages"'
        calls c1 read a.c '"section":"execution_buffer"'; gets c1 'text'
        user 'Two.' '"section":"messages"'
    } >in
    local order=messages,execution_buffer
    makes 'ctx-project' 1-4
    makes 'ctx-project --steering join' 1-4
    makes "ctx-project --sections $order" 1 4 2-3
    makes 'ctx-project --steering new' 1 4
    makes "ctx-project --steering new --sections $order" 1 4
    makes 'ctx-project --steering new --last 3msgs' 1 4
    makes "ctx-project --steering new --view all --sections $order" 1-4
    makes "ctx-project --steering new --trace all --sections $order" 1-4
    makes "ctx-project --steering new --execution '#1' --sections $order" 1 4 2-3
    makes 'ctx-project --steering new --view trace' 2-3
    makes 'ctx-project --steering new --view conversation' 1 4
    # A failure must not be lost: it stays above the request.
    sed -i '3s/"text"/"no such file","metadata":{"is_error":true}/' in
    makes "ctx-project --steering new --sections $order" 1-4
    # Two of a conversation's answers are final when the steering message begins an execution.
    { user 'One.'; says 'First.'; calls c1 read a.c; gets c1 'text'; user 'Two.'; says 'Second.'; } >in
    makes 'ctx-project --view conversation' 1 5-6
    { user 'One.'; calls c1 read a.c; gets c1 'text' '"is_error":true'; says 'Failed.' '"is_error":true'; } >in
    { calls c2 read a.c; gets c2 'text'; user 'Two.'; says 'Second.'; } >>in
    makes 'ctx-project --view conversation' 1 7-8
    makes 'ctx-project --view conversation --steering new' 1 4 7-8
}

@test "ctx-project: the context comes first, the budget last, other records follow their predecessor" {
    {
        echo '["head"]'
        says 'b1' '"section":"buffer"'
        echo '["after b1"]'
        echo '{"type":"budget","used_tokens":1}'
        user 'm1'
        echo '["after m1"]'
        echo
        echo '{"type":"context","system_prompt":"S"}'
        gets c9 'lost'
        echo '["after lost"]'
        says 'b2' '"section":"buffer"'
    } >in
    makes 'ctx-project --view all --sections messages,buffer' 1 8 5-7 9-10 2-3 11 4
    # What its predecessor loses goes to the one before that stays.
    makes 'ctx-project --view conversation --sections messages,buffer' 1 8 5-7 10 2-3 11 4
    makes 'ctx-project --view all --sections messages' 1 3 8 5-7 9-10 4
}

@test "ctx-project: a bad line follows its predecessor too" {
    { user 'm1'; echo '{bad 1'; says 'b1' '"section":"buffer"'; echo '{bad 2'; user 'm2'; } >in
    expect 3-4 1-2 5
    spec <<'END'
ctx-project --sections buffer,messages in
>>>@ expected
>>>2 ctx-project: in:2: expected a member name, at byte 2
>>>2 ctx-project: in:4: expected a member name, at byte 2
>>>= 65
END
    expect 3 1 5
    spec <<'END'
ctx-project --sections buffer,messages --bad-lines drop --bad-file bad in
>>>@ expected
>>>2 ctx-project: in:2: expected a member name, at byte 2
>>>2 ctx-project: in:4: expected a member name, at byte 2
>>>= 65
>>>+ bad
END
    same 'bad lines' <(printf '{bad 1\n{bad 2\n') <(sort bad)
}

@test "ctx-project: sections go with the other options" {
    session >in
    makes 'ctx-project --sections messages --view conversation --last 3msgs' 1 9 14 19-20
}

@test "ctx-project: reordered lines are ended, and a byte order mark does not move inside" {
    spec <<'END'
ctx-project --sections buffer,messages
<<<$ \xef\xbb\xbf{"role":"user","content":"m"}\r
<<<- {"role":"assistant","content":"b","metadata":{"section":"buffer"}}
>>> {"role":"assistant","content":"b","metadata":{"section":"buffer"}}
>>>$ {"role":"user","content":"m"}\r
END
    spec <<'END'
ctx-project --sections messages,buffer
<<<$ \xef\xbb\xbf{"role":"user","content":"m"}\r
<<<- {"role":"assistant","content":"b","metadata":{"section":"buffer"}}
>>>$ \xef\xbb\xbf{"role":"user","content":"m"}\r
>>>- {"role":"assistant","content":"b","metadata":{"section":"buffer"}}
END
}

@test "ctx-project: more than 64 sections give 64" {
    local names
    names=$(seq -s , 64)
    user 'm' >in
    makes "ctx-project --sections $names," ">>>2 ctx-project: no message is in section '${names//,/\', \'}'"
    spec <<END
ctx-project --sections $names,65 in
>>>2 ctx-project: more than 64 names in --sections; try 'ctx-project --help'
>>>= 64
END
}

# --- The newest that fit --------------------------------------------------------------------------

@test "ctx-project: --last N msgs keeps the newest messages, and no part of a group" {
    { user 'One.'; says 'Done.'; user 'Two.'; calls c1 read a.c; gets c1 'text'; says 'Done.'; } >in
    makes 'ctx-project --view all --last 100msgs' 1-6
    makes 'ctx-project --view all --last 6msgs' 1-6
    makes 'ctx-project --view all --last 5msgs' 2-6
    makes 'ctx-project --view all --last 3msgs' 4-6
    makes 'ctx-project --view all --last 2msgs' 6
    makes 'ctx-project --view all --last 1msgs' 6
    makes 'ctx-project --view all --last 0msgs'
}

@test "ctx-project: --last counts what is in the view" {
    session >in
    makes 'ctx-project --view conversation --last 2msgs' 1 9 19-20
    makes 'ctx-project --view conversation --last=3msgs' 1 9 14 19-20
}

@test "ctx-project: --last takes a group with a late result whole or not at all" {
    {
        user 'Both.'
        printf '{"role":"assistant","content":null,"tool_calls":[%s,%s]}\n' "$(call c1 read a.c)" "$(call c2 read b.c)"
        gets c2 'text'
        user 'The second first.'
        gets c1 'text'
        says 'Done.'
    } >in
    makes 'ctx-project --view all --last 1msgs' 6
    makes 'ctx-project --view all --last 3msgs' 6
    makes 'ctx-project --view all --last 4msgs' 2-3 5-6
    makes 'ctx-project --view all --last 5msgs' 2-6
    # A group is of the turn of its call.
    makes 'ctx-project --view all --last 1turns' 6
    makes 'ctx-project --view all --last 2turns' 1-6
}

@test "ctx-project: --last N turns keeps the newest turns" {
    { says 'Hello.'; user 'One.'; says 'Done.'; user 'wind: NW' '"origin":"injected"'; user 'Two.'; calls c1 read a.c; gets c1 'text'; user 'and?'; } >in
    makes 'ctx-project --view all --last 1turns' 8
    makes 'ctx-project --view all --last 2turns' 5-8
    makes 'ctx-project --view all --last 3turns' 2-8
    makes 'ctx-project --view all --last 4turns' 1-8
    makes 'ctx-project --view all --last 0turns'
    makes 'ctx-project --view all --last 1turn' 8
    makes 'ctx-project --view all --last 3turn' 2-8
}

@test "ctx-project: --last N keeps the newest that have N tokens" {
    # With bytes/4 and four a message: 14, 9, 4 + 4 and 5 tokens.
    { user '0123456789012345678901234567890123456789'; says '01234567890123456789'; printf '%s\n' '{"role":"assistant","tool_calls":[{"id":"c1"}]}'; gets c1 ''; says '0'; } >in
    makes 'ctx-project --view all --estimator bytes/4 --last 0.036k' 1-5
    makes 'ctx-project --view all --estimator bytes/4 --last 0.035k' 2-5
    makes 'ctx-project --view all --estimator bytes/4 --last 0.022k' 2-5
    makes 'ctx-project --view all --estimator bytes/4 --last 0.021k' 3-5
    makes 'ctx-project --view all --estimator bytes/4 --last 0.012k' 5
    makes 'ctx-project --view all --estimator bytes/4 --last 0.004k' \
        '>>>2 ctx-project: nothing is left of 5 messages'
    makes 'ctx-project --view all --estimator bytes/4 --last 4k' 1-5
    makes 'ctx-project --view all --last 1M' 1-5
}

@test "ctx-project: --last stops at the first that does not fit" {
    { user '0'; says "$long"; user '0'; } >in
    makes 'ctx-project --view all --estimator bytes/4 --last 0.020k' 3
}

# --- Options --------------------------------------------------------------------------------------

@test "ctx-project: options that do not go together, and values that make no sense, give 64" {
    local view
    for view in conversation all trace; do
        spec <<END
ctx-project --view $view --trace all
>>>2 ctx-project: --trace requires --view=reasoning; try 'ctx-project --help'
>>>= 64
END
        spec <<END
ctx-project --view $view --execution last
>>>2 ctx-project: --execution requires --view=reasoning, --select, --reject or --attempts=last; try 'ctx-project --help'
>>>= 64
END
    done
    spec <<'END'
ctx-project --last 50%
>>>2 ctx-project: bad value '50%' of --last, expected a size such as 20msgs, 8turns or 4k; try 'ctx-project --help'
>>>= 64
END
    spec <<'END'
ctx-project --last=-4k
>>>2 ctx-project: bad value '-4k' of --last, expected a size such as 20msgs, 8turns or 4k; try 'ctx-project --help'
>>>= 64
END
    spec <<'END'
ctx-project --view everything
>>>2 ctx-project: bad value 'everything' of --view, expected one of reasoning, conversation, all, trace; try 'ctx-project --help'
>>>= 64
ctx-project --view Conv
>>>2 ctx-project: bad value 'Conv' of --view, did you mean 'conversation'? expected one of reasoning, conversation, all, trace; try 'ctx-project --help'
>>>= 64
ctx-project --view raesoning
>>>2 ctx-project: bad value 'raesoning' of --view, did you mean 'reasoning'? expected one of reasoning, conversation, all, trace; try 'ctx-project --help'
>>>= 64
ctx-project --view co
>>>2 ctx-project: bad value 'co' of --view, expected one of reasoning, conversation, all, trace; try 'ctx-project --help'
>>>= 64
END
    status_of 64 ctx-project --trace some </dev/null 2>said
    same 'the fault' said - <<'END'
ctx-project: bad value 'some' of --trace: unknown term 'some', expected one such as role=user, error or turn=-1; try 'ctx-project --help'
ctx-project:     some
ctx-project:     ^
END
    refuses 'ctx-project --view all --trace error' '--trace requires --view=reasoning'
}

# Two executions with calls, and a third that runs.
three() {
    system 'Be brief.'                         # 1
    user 'Look at what is there.'            # 2
    calls c1 read a.c                          # 3
    gets c1 'int a;'                           # 4
    says 'Seen.'                               # 5
    user 'Write.' '"id":"m6"'                  # 6
    calls c2 write a.c                         # 7
    gets c2 'full' '"is_error":true'           # 8
    calls c3 read b.c                          # 9
    gets c3 'int b;'                           # 10
    says 'It failed.'                          # 11
    user 'Go on.'                              # 12
    calls c4 bash '{"command":"df"}'           # 13
    gets c4 '100%'                             # 14
}

@test "ctx-project: a selector says which trace the reasoning view has, besides what must not be lost" {
    three >in
    makes 'ctx-project --trace tool=read' 1-12
    makes 'ctx-project --trace "tool=read,turn=1"' 1-8 11-12
    makes 'ctx-project --trace current' 1-2 5-8 11-14
    makes 'ctx-project --trace role=nobody' 1-2 5-8 11-12
    makes 'ctx-project --trace turn=-1' 1-2 5-8 11-14
}

@test "ctx-project: --select refines a view, and --reject does, by whole groups" {
    three >in
    makes 'ctx-project --select role=tool' 7-8 13-14
    makes 'ctx-project --view all --select role=tool' 3-4 7-10 13-14
    makes 'ctx-project --view all --reject tool=read --reject role=system' 2 5-8 11-14
    makes 'ctx-project --view trace --select error' 7-8
    makes 'ctx-project --view conversation --select "turn>1"' 6 11-12
    makes 'ctx-project --view conversation --reject id=m6' 2 5 11-12
    makes 'ctx-project --view all --select role=system --select turn=-1' 1 12-14
    makes 'ctx-project --view all --select role=robot' '>>>2 ctx-project: nothing is left of 14 messages'
}

@test "ctx-project: --select goes with --last and --sections" {
    three >in
    makes 'ctx-project --view all --reject role=system --last 3msgs' 12-14
    makes 'ctx-project --view all --select role=tool --last 4msgs' 9-10 13-14
    { user 'One.'; says 'A.' '"section":"buffer"'; user 'Two.'; says 'B.' '"section":"buffer"'; } >in
    makes 'ctx-project --sections buffer,messages --reject turn=1' 4 3
}

@test "ctx-project: --select with a term on tokens counts" {
    three >in
    makes 'ctx-project --view all --estimator bytes/4 --select "role=user,tokens<8"' 6 12
}

@test "ctx-project: bad lines that wait behind an answer go where the options say" {
    { user 'One.'; says 'Done.'; echo '{bad'; echo '[1]'; user 'Two.'; } >in
    expect 1-2 4-5
    spec <<'END'
ctx-project --view conversation --bad-lines drop --bad-file bad in
>>>@ expected
>>>2 ctx-project: in:3: expected a member name, at byte 2
>>>= 65
>>>+ bad
END
    same 'the bad file' <(echo '{bad') bad
    rm bad
    expect 1-2
    spec <<'END'
ctx-project --view conversation --bad-lines stop in
>>>@ expected
>>>2 ctx-project: in:3: expected a member name, at byte 2
>>>= 65
END
    expect 1-5
    spec <<'END'
ctx-project --view conversation in
>>>@ expected
>>>2 ctx-project: in:3: expected a member name, at byte 2
>>>= 65
END
}

@test "ctx-project: a line over --max-line that waits behind an answer comes out whole" {
    { user 'One.'; says 'Done.'; user "$long"; user 'Two.'; } >in
    spec <<'END'
ctx-project --view conversation --max-line 100 in
>>>@ in
>>>2 ctx-project: in:3: line longer than --max-line, at byte 101
>>>= 65
END
}

@test "ctx-project: --report and -v count messages alone" {
    session >in
    local view hidden report='{"command":"ctx-project","records":24,"messages":22,"written":%s,"changed":0,"added":0,"bad":0,"status":0}\n'
    # shellcheck disable=SC2086
    for view in 'conversation 7' 'conversation --last 100msgs 7' 'all 22' 'trace 11' 'reasoning 19'; do
        ctx-project --view ${view% *} --report report -v in >out 2>err
        # shellcheck disable=SC2059
        same "$view: report" <(printf "$report" "${view##* }") report
        hidden='; ctx-compact has no facts of what is hidden'
        [[ ${view##* } != 22 ]] || hidden=
        same "$view: -v" <(printf 'ctx-project: 24 records, 22 messages in; %s messages out, 0 changed; 0 records added%s\n' "${view##* }" "$hidden") err
    done
}

@test "ctx-project: a whole session, view by view" {
    cp "$FIXTURES/ctx-metadata.jsonl" in
    makes 'ctx-project' 1-4 8-9 12-15 18-28
    makes 'ctx-project --trace none' 1-4 8-9 12-15 18-19 21-26
    makes 'ctx-project --view conversation' 1 3 8-9 14-15 21 24-26
    makes 'ctx-project --sections summary,buffer,messages,execution_buffer' 1-2 19 26 3-4 8-9 12-15 18 20-25 27-28
}

@test "ctx-project: the conversation has no part of a group, whatever it says of itself" {
    {
        printf '%s\n' '{"role":"user","content":"q"}'
        printf '%s\n' '{"role":"assistant","content":"","tool_calls":[{"id":"c1","function":{"name":"f"}}],"metadata":{"is_trace":false}}'
        printf '%s\n' '{"role":"tool","tool_call_id":"c1","content":"r","metadata":{"origin":"user","is_trace":false}}'
    } >in
    spec <<'END'
ctx-project --view conversation in
>>> {"role":"user","content":"q"}
END
}

@test "ctx-project: a bare number under 1,000 is no --last, since tail's habit means messages by it" {
    local number
    { user 'One.'; says 'Done.'; user 'Two.'; } >in
    for number in 1 20 900 999; do
        spec <<END
ctx-project --last $number in
>>>2 ctx-project: bad value '$number' of --last, expected ${number}msgs, ${number}turns or, in tokens, $(jq -n "$number/1000")k; try 'ctx-project --help'
>>>= 64
END
    done
    makes 'ctx-project --last 0'
    makes 'ctx-project --last 1000' 1-3
    makes 'ctx-project --last 0.9k' 1-3
    makes 'ctx-project --last 2msg' 2-3
    makes 'ctx-project --last 1turn' 3
}

@test "ctx-project: -n N is --last Nmsgs, and the last of both holds" {
    { user 'One.'; says 'Done.'; user 'Two.'; } >in
    makes 'ctx-project -n 2' 2-3
    makes 'ctx-project -n1' 3
    makes 'ctx-project --messages=1' 3
    makes 'ctx-project -n 0'
    makes 'ctx-project --last 1k -n 1' 3
    makes 'ctx-project -n 1 --last 2msgs' 2-3
    spec <<'END'
ctx-project -n 2turns
>>>2 ctx-project: bad value '2turns' of --messages, expected a number such as 20; try 'ctx-project --help'
>>>= 64
END
}

@test "ctx-project: sections that no message has are said when nothing is left" {
    { user 'One.'; says 'Done.' '"section":"summary"'; } >in
    makes 'ctx-project --sections sumary,summary' 2
    makes 'ctx-project --sections sumary,buffer' ">>>2 ctx-project: no message is in section 'sumary', 'buffer'"
    makes 'ctx-project --view trace --sections sumary,messages' ">>>2 ctx-project: no message is in section 'sumary'"
    makes 'ctx-project --view trace --sections messages' '>>>2 ctx-project: nothing is left of 2 messages'
    : >in
    makes 'ctx-project --sections sumary'
}

@test "ctx-project: --verbose says that what a view hides leaves no facts to a compaction" {
    { user Look.; calls c1 look '{}'; gets c1 dark; says Dark.; user 'And there?'; } >in
    makes 'ctx-project -v' 1 4-5 \
        '>>>2 ctx-project: 5 records, 5 messages in; 3 messages out, 0 changed; 0 records added; ctx-compact has no facts of what is hidden'
    makes 'ctx-project -v --trace all' 1-5 '>>>2 ctx-project: 5 records, 5 messages in; 5 messages out, 0 changed; 0 records added'
}
