#!/usr/bin/env bats
#
# ctx-project: views for people, attempts, and what the options of a view do together.

load helper
load dialogue

@test "ctx-project: --view conversation --text prints role and text, and no text passes for another message" {
    {
        context P
        user 'How deep?'
        raw '{"note":1}' ''
        calls c1 sound x
        gets c1 4.2
        raw '{"role":"assistant","content":"It is\r\n\n\t4.2 m.\nuser: thanks\n \n","reasoning_content":"hm"}'
        raw '{"role":"user","content":[{"type":"text","text":"\u001b[2J \u200b\u202e \udb40\udc41 \u0000 é"},{"type":"image_url","image_url":{"url":"x"}}]}'
        raw '{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Yes."}],"refusal":"No."}'
        user '  '
        user null
    } >in
    spec <<'END'
ctx-project --view conversation --text in
>>> user: How deep?
>>> assistant: It is
>>> 
>>>$     \t4.2 m.
>>>     user: thanks
>>> user: \x1b[2J \u200b\u202e \U000e0041 \x00 é
>>>     [image]
>>> assistant: Yes.
>>>     No.
>>> user:
>>> user:
END
}

@test "ctx-project: --text goes with the options of the conversation, and with no other view" {
    { system S; user One.; says Done.; user Two.; calls c1 read a.c; } >in
    refuses 'ctx-project --text' '--text requires --view=conversation'
    refuses 'ctx-project --view all --text' '--text requires --view=conversation'
    context P | cat - in >in2
    mv in2 in
    echo note >note
    makes 'ctx-project --view conversation --text --last 1turn' 'user: Two.'
    makes 'ctx-project --view conversation --text --with-system --inject note@end' 'system: P' 'user: One.' \
        'assistant: Done.' 'user: Two.' 'system: note'
    printf '%s' "$(user 'no line feed')" >in
    makes 'ctx-project --view conversation --text' 'user: no line feed'
    : >in
    makes 'ctx-project --view conversation --text'
    user One. >in
    ctx-project --view conversation --text --report report in >/dev/null
    [[ $(jq -c '[.messages, .written, .changed, .added]' report) == '[1,1,1,0]' ]]
}

@test "ctx-project: --text names bad lines, and puts them nowhere but in the --bad-file" {
    { user One.; raw '{bad'; says Done.; } >in
    makes 'ctx-project --view conversation --text' 'user: One.' 'assistant: Done.' \
        '>>>2 ctx-project: in:2: expected a member name, at byte 2' '>>>= 65'
    spec <<'END'
ctx-project --view conversation --text --bad-lines=drop --bad-file=bad in
>>> user: One.
>>> assistant: Done.
>>>2 ctx-project: in:2: expected a member name, at byte 2
>>>= 65
>>>+ bad
END
    same bad <(raw '{bad') bad
}

# --- Attempts -------------------------------------------------------------------------------------

@test "ctx-project: of failed attempts of one call the reasoning view shows the last, with --attempts all each" {
    {
        user 'Make it.'                                              # 1
        calls c1 bash '{"command":"make"}'                           # 2
        gets c1 'one' '"is_error":true'                              # 3
        calls c2 edit a.c                                            # 4
        gets c2 'done'                                               # 5
        calls c3 bash '{ "command" : "make" }'                       # 6
        gets c3 'two' '"is_error":true'                              # 7
        calls c4 bash '{"command":"make all"}'                       # 8
        gets c4 'other' '"is_error":true'                            # 9
        calls c5 bash '{"command":"make"}'                           # 10
        gets c5 'three' '"is_error":true'                            # 11
    } >in
    makes 'ctx-project' 1 4-5 8-11
    makes 'ctx-project --attempts last' 1 4-5 8-11
    makes 'ctx-project --attempts all' 1-11
    makes 'ctx-project --view all' 1-11
    makes 'ctx-project --view trace' 2-11
    makes 'ctx-project --view trace --attempts last' 4-5 8-11
    makes 'ctx-project --view all --attempts last --sections messages' 1 4-5 8-11
    makes 'ctx-project --last 3msgs' 10-11
    { says 'No.'; user 'And now?'; } >>in
    makes 'ctx-project' 1 8-13
    makes 'ctx-project --attempts all' 1-3 6-13
    makes 'ctx-project --attempts all --trace none' 1-3 6-13
    makes 'ctx-project --trace none' 1 8-13
    makes 'ctx-project --trace all' 1 4-5 8-13
    { calls c6 bash '{"command":"make"}'; gets c6 good; says 'It is.'; user Well.; } >>in
    makes 'ctx-project --attempts all' 1 8-9 12-13 16-17
    refuses 'ctx-project --attempts all --view conversation' '--attempts cannot be combined with --view=conversation'
}

@test "ctx-project: attempts end with a success, and what was resolved in between began anew" {
    {
        user 'Make it.'                                              # 1
        calls c1 bash '{"command":"make"}'                           # 2
        gets c1 'one' '"is_error":true'                              # 3
        calls c2 bash '{"command":"make"}'                           # 4
        gets c2 'two' '"is_error":true'                              # 5
        calls c3 bash '{"command":"make"}'                           # 6
        gets c3 'good'                                               # 7
        calls c4 bash '{"command":"make"}'                           # 8
        gets c4 'four' '"is_error":true'                             # 9
    } >in
    makes 'ctx-project' 1 4-9
    {
        user 'Make it.'                                              # 1
        calls c1 bash '{"command":"make"}'                           # 2
        gets c1 'one' '"is_error":true'                              # 3
        says 'Never mind.' '"resolves":"c1","is_trace":true'         # 4
        calls c2 bash '{"command":"make"}'                           # 5
        gets c2 'two' '"is_error":true'                              # 6
    } >in
    keeps 'ctx-project'
}

@test "ctx-project: an attempt stays whole where one of its group did not fail again, and where it is pinned" {
    failed='"is_error":true'
    {
        user 'Both.'                                                                              # 1
        acts '' "$(call c1 read a.c)" "$(call c2 read b.c)"                                       # 2
        gets c1 'no' "$failed"                                                                    # 3
        gets c2 'no' "$failed"                                                                    # 4
        calls c3 read a.c                                                                         # 5
        gets c3 'no' "$failed"                                                                    # 6
    } >in
    keeps 'ctx-project'
    { calls c4 read b.c; gets c4 'no' "$failed"; } >>in
    makes 'ctx-project' 1 5-8
    for mark in '"pinned":true' '"critical":true'; do
        {
            user 'One.'
            calls c1 read a.c "$mark"
            gets c1 'no' "$failed"
            calls c2 read a.c
            gets c2 'no' "$failed"
        } >in
        keeps 'ctx-project'
    done
    sed -e 's/"critical":true/"x":1/' -e '3s/true/true,"resolved":false/' in >in2
    mv in2 in
    keeps 'ctx-project'
}

@test "ctx-project: a call without a result is an attempt once its execution is over, and a late result changes that" {
    {
        user 'One.'                                                  # 1
        calls c1 read a.c                                            # 2
        calls c2 read a.c                                            # 3
    } >in
    keeps 'ctx-project'
    user 'Two.' >>in                                                 # 4
    makes 'ctx-project' 1 3-4
    makes 'ctx-project --attempts all' 1-4
    gets c1 'late' >>in                                              # 5
    makes 'ctx-project' 1 4
    makes 'ctx-project --trace all' 1-5
}

@test "ctx-project: attempts that stream are those that are held, for random streams" {
    local seed i
    mkdir streamed held all some
    for seed in {1..60}; do
        i=0
        awk -v seed="$seed" 'BEGIN {
            srand(seed)
            for (n = 0; n < 40; n++) {
                kind = int(rand() * 8)
                if (kind == 0)
                    print "{\"role\":\"user\",\"content\":\"u" n "\"}"
                else if (kind == 1 && open > done)
                    printf "{\"role\":\"tool\",\"tool_call_id\":\"c%d\",\"content\":\"r\",\"metadata\":{\"is_error\":%s}}\n", ++done, rand() < 0.7 ? "true" : "false"
                else if (kind == 2)
                    print "{\"role\":\"assistant\",\"content\":\"a\"}"
                else {
                    printf "{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"c%d\",\"function\":{\"name\":\"t%d\",\"arguments\":\"{}\"}}]}\n", ++open, rand() * 2
                    if (rand() < 0.8)
                        printf "{\"role\":\"tool\",\"tool_call_id\":\"c%d\",\"content\":\"r\",\"metadata\":{\"is_error\":%s}}\n", open, rand() < 0.7 ? "true" : "false"
                }
            }
        }' >in
        for options in '' '--trace all' '--attempts all' '--trace none --attempts all' '--view trace --attempts last' '--trace none --execution last'; do
            i=$((i + 1))
            ctx-project $options in >"streamed/$seed-$i"
            ctx-project $options --last 9999msgs in >"held/$seed-$i"
        done
        ctx-project --view trace in >"all/$seed"
        ctx-project --view trace --attempts last in >"some/$seed"
    done
    diff -r streamed held
    ! diff -rq all some >differ || fail 'no attempt is left out'
}

# --- What the options do together -----------------------------------------------------------------

# random_session SEED: sections, parallel calls, results out of their place, failures, pins; no id
# comes back before its call has its result, so that pairs are pairs in any order of whole groups.
random_session() {
    awk -v seed="$1" '
        function section() {
            return rand() < 0.4 ? sprintf(",\"section\":\"%s\"", names[1 + int(rand() * 4)]) : ""
        }
        function one(kind, content, meta) {
            printf "{\"role\":\"%s\",\"content\":\"%s %d\",\"metadata\":{\"n\":%d%s}}\n", kind, content, ++n, n, meta
        }
        function result(id, meta) {
            printf "{\"role\":\"tool\",\"tool_call_id\":\"%s\",\"content\":\"r %d\",\"metadata\":{\"n\":%d,\"is_error\":%s%s}}\n", id, ++n, n, rand() < 0.4 ? "true" : "false", meta
        }
        function group(   i, calls, list, meta) {
            calls = 1 + int(rand() * 3)
            for (i = 0; i < calls; i++)
                list = list sprintf("%s{\"id\":\"c%d\",\"function\":{\"name\":\"t%d\",\"arguments\":\"{}\"}}", i ? "," : "", ++id, rand() * 3)
            meta = section() (rand() < 0.1 ? ",\"pinned\":true" : "")
            printf "{\"role\":\"assistant\",\"tool_calls\":[%s],\"metadata\":{\"n\":%d%s}}\n", list, ++n, meta
            for (i = 0; i < calls; i++)
                if (rand() < 0.8)
                    result("c" (id - i), "")
                else if (rand() < 0.7)
                    late[++waits] = "c" (id - i)
        }
        BEGIN {
            srand(seed)
            split("messages buffer notes execution_buffer", names)
            print "{\"type\":\"context\",\"system_prompt\":\"P\"}"
            for (i = int(rand() * 3); i > 0; i--)
                one(rand() < 0.5 ? "system" : "developer", "lead", "")
            one("user", "u", "")
            for (i = 0; i < 30; i++) {
                kind = int(rand() * 9)
                if (kind <= 1)
                    one(rand() < 0.8 ? "user" : "system", "u", section())
                else if (kind == 2)
                    one("assistant", "a", section())
                else if (kind == 3)
                    one("user", "s", ",\"kind\":\"summary\"")
                else if (kind == 4)
                    one("user", "i", ",\"origin\":\"injected\"")
                else if (kind == 5)
                    print "{\"note\":" ++n "}"
                else if (kind == 6 && waits > 0)
                    result(late[waits--], "")
                else
                    group()
            }
            print "{\"type\":\"budget\"}"
        }'
}

# one_of WORD...: one of them, by random numbers that are the same in each run.
one_of() {
    local at=$((RANDOM % $# + 1))
    REPLY=${!at}
}

# check_view SECTIONS PLACE < VIEW: says what is wrong with where its messages stand.
check_view() {
    awk -v sections="$1" -v place="$2" '
        function wrong(what) { print what ": " $0 }
        BEGIN {
            count = split(sections, names, ",")
            for (i = 1; i <= count; i++)
                rank[names[i]] = i
        }
        NR == FNR { had[$0]++; next }
        /NOTE/ {
            noted++
            if (place == "@start" && spoken) wrong("behind the start")
            next
        }
        /"type":"budget"/ { ended = 1 }
        !/"role"/ { next }
        ended { wrong("behind the budget") }
        place == "@end" && noted { wrong("behind the end") }
        !/"lead/ { begun = 1 }
        !/"role":"(system|developer)"/ { spoken = 1 }
        /"lead/ && begun { wrong("a leading message behind others") }
        place == "@before-last-user" && noted { behind++ }
        /"role":"user"/ && !/"kind"|"injected"/ {
            if (behind > 1) wrong("a request behind the last one")
        }
        --had[$0] < 0 { wrong("not in the log, or twice") }
        count > 0 && !/"role":"tool"|"lead|execution_buffer/ {
            name = "messages"
            if (match($0, /"section":"[a-z_]*/)) name = substr($0, RSTART + 11, RLENGTH - 11)
            if (/"kind":"summary"/) name = "summary"
            if (rank[name] < newest) wrong("in front of another section")
            newest = rank[name]
        }
        END {
            if (noted != (place != "")) print noted " notes"
        }' log -
}

@test "ctx-project: sections, windows, executions, traces and injections in any combination split no group" {
    local seed options sections place
    mkdir out in
    echo NOTE >note
    RANDOM=9
    for seed in {1..120}; do
        random_session "$seed" >log
        one_of '' 'summary,messages' 'execution_buffer,messages' 'notes,messages,buffer,execution_buffer' 'summary,buffer,messages,execution_buffer'
        sections=$REPLY
        options=${REPLY:+ --sections $REPLY}
        one_of '' @start @before-last-user @end
        place=$REPLY
        options+=${REPLY:+ --inject note$REPLY}
        one_of '' '' 2msgs 9msgs 2turns 0.2k
        options+=${REPLY:+ --last $REPLY --estimator bytes/4}
        one_of reasoning reasoning reasoning all trace conversation
        options+=" --view $REPLY"
        if [[ $REPLY == reasoning ]]; then
            one_of '' all none tool=t1
            options+=${REPLY:+ --trace $REPLY}
            one_of '' none last '#2'
            options+=${REPLY:+ --execution $REPLY}
            one_of '' all
            options+=${REPLY:+ --attempts $REPLY}
        fi
        # shellcheck disable=SC2086
        ctx-project $options log >"out/$seed" 2>/dev/null || fail "$seed:$options: status $?"
        cp log "in/$seed"
        check_view "$sections" "$place" <"out/$seed" | sed "s|^|$seed:$options: |" >>wrong
    done
    same 'places' /dev/null wrong
    (cd in && pair_facts *) >in.facts
    (cd out && pair_facts *) >out.facts
    [[ $(wc -l <in.facts) -gt 20 ]]
    comm -13 in.facts out.facts >broken
    same 'pairs' /dev/null broken
    [[ $(cat out/* | grep -c '"role":"tool"') -gt 300 && $(cat out/* | grep -c NOTE) -gt 60 ]]
}

# nested MEMBER: a session with an execution e2 in the midst of e1, marked by is_trace alone. With
# MEMBER the metadata of its first message, of the user, have that member, too.
nested() {
    local e1='"execution_id":"e1"' e2='"execution_id":"e2","is_trace":true'
    user q1 "$e1"
    acts c0 "$(call c0 read a)" "$e1"; gets c0 r0 "$e1"
    acts c1 "$(call c1 spawn b)" "$e1"
    [[ -z $1 ]] || user task "$e2"
    acts c2 "$(call c2 read c)" "$e2"; gets c2 r2 "$e2"
    says s2 "$e2"
    gets c1 r1 "$e1"
    says f1 "$e1"
    user q2 '"execution_id":"e3"'
}

# prefixes COMMAND...: what is in the view of the first message, the first two, and so on.
prefixes() {
    local n
    for ((n = 1; n <= $(wc -l <log); n++)); do
        head -n "$n" log | "$@" | jq -r .content | paste -sd ' '
    done
}

@test "ctx-project: an execution in the midst of another leaves no trace in its view, and its call stays open" {
    nested asked >log
    same 'asked' - <(prefixes ctx-project) <<'END'
q1
q1 c0
q1 c0 r0
q1 c0 r0 c1
q1 c0 r0 c1
q1 c0 r0 c1
q1 c0 r0 c1
q1 c0 r0 c1
q1 c0 r0 c1 r1
q1 f1
q1 f1 q2
END
    same 'held' <(prefixes ctx-project) <(prefixes ctx-project --last 99msgs)
    same 'routed' <(prefixes ctx-project) <(ctx-route log >routed && mv routed log && prefixes ctx-project)
    same 'the conversation' <(printf '%s\n' q1 f1 q2) <(ctx-project --view conversation log | jq -r .content)
    same 'by its id' <(echo q1 task c2 r2 s2 f1 q2) <(ctx-project --execution e2 log | jq -r .content | paste -sd ' ')
    same 'selected' <(echo task c2 r2 s2) <(ctx-select execution=e2 log | jq -r .content | paste -sd ' ')
    same 'the rest' <(echo q1 c0 r0 c1 r1 f1) <(ctx-select execution=e1 log | jq -r .content | paste -sd ' ')
    same 'the turns' <(echo q2) <(ctx-select turn=2 log | jq -r .content)
}

@test "ctx-project: without a message of its user a nested execution is current until its result is there" {
    nested '' >log
    same 'view' - <(prefixes ctx-project | sed -n '4,$p') <<'END'
q1 c0 r0 c1
q1 c0 r0 c1 c2
q1 c0 r0 c1 c2 r2
q1 c0 r0 c1 c2 r2 s2
q1 c0 r0 c1 r1
q1 f1
q1 f1 q2
END
    # What is no trace shows that the agent has stopped and gone on under a new id.
    sed -n '1,6p' log >in
    says f2 '"execution_id":"e2"' >>in
    same 'another' <(echo q1 c1 f2) <(ctx-project in | jq -r .content | paste -sd ' ')
}

@test "ctx-project: a failure in a nested execution is not lost" {
    nested asked | sed 's/"r2","metadata":{/&"is_error":true,/' >log
    same 'view' <(echo q1 c0 r0 c1 c2 r2 r1) <(head -n 9 log | ctx-project | jq -r .content | paste -sd ' ')
}

@test "ctx-normalize: a result moves past a nested execution to its call, and the view stays" {
    nested asked >in
    ctx-normalize in >once
    same 'moved' <(echo q1 c0 r0 c1 r1 task c2 r2 s2 f1 q2) <(jq -r .content once | paste -sd ' ')
    same 'twice' once <(ctx-normalize once)
    same 'view' <(head -n 9 in | ctx-project) <(head -n 9 in | ctx-normalize | ctx-project)
}

@test "ctx-normalize: a call around a nested execution waits until its own execution is over" {
    local first n
    for first in asked ''; do
        nested "$first" >log
        for ((n = 4; n <= ${#first} / 5 + 7; n++)); do
            head -n "$n" log >in
            keeps ctx-normalize
            makes 'ctx-normalize --check'
        done
        mv in waits
        { cat waits; acts c3 "$(call c3 read d)" '"execution_id":"e1"'; } >in
        keeps ctx-normalize
        # Another execution, the user's next request, the final response: no result comes.
        for n in "$(acts c3 "$(call c3 read d)" '"execution_id":"e9"')" "$(user q2 '"execution_id":"e3"')" \
            "$(user q2)" "$(says f1 '"execution_id":"e1"')"; do
            { cat waits; printf '%s\n' "$n"; } >in
            ctx-normalize in >once
            same "c1 before $n" <(echo c1) <(jq -r 'select(.content == "[no result]").tool_call_id' once)
            same 'twice' once <(ctx-normalize once)
        done
    done
    # A result that answers no call becomes marked trace, and begins nothing before it is.
    {
        gets c0 r0 '"execution_id":"e1"'; gets c0 r0 '"execution_id":"e2","is_trace":true'
        acts c1 "$(call c1 read a)"; gets c2 r2 '"execution_id":"e1","pinned":true'
    } >in
    ctx-normalize in >once
    same 'orphans' once <(ctx-normalize once)
}

@test "ctx-isolate, ctx-budget: a nested execution is of the execution around it" {
    nested asked >log
    head -n 8 log >in
    keeps 'ctx-isolate --policy mask --min-tokens 0 --keep-results 0'
    same 'isolated' <(echo 'q1 [trace] read a: ok, 2 B [trace] spawn: ok, 2 B task [trace] read c: ok, 2 B f1 q2') \
        <(ctx-isolate log | jq -r .content | paste -sd ' ')
    same 'turns' <(printf '%s\n' 1 2) <(ctx-budget --by turn --json log | jq -r '.breakdown[].label' | sort)
}

@test "ctx-route: a result of a nested execution gets its id, and its buffer goes with that of the execution around it" {
    nested asked | jq -c 'if .role == "tool" then del(.metadata) else . end' >in
    same 'ids' <(printf '%s\n' '"e1"' '"e2"' '"e1"') <(ctx-route in | jq 'select(.role == "tool").metadata.execution_id')
    same 'ephemeral' <(echo q1 f1 q2) <(ctx-route --ephemeral in | jq -r .content | paste -sd ' ')
}

@test "ctx-compact: the request of a nested execution is no turn of the user" {
    nested asked | head -n 8 >in
    keeps 'ctx-compact --max-turns 1'
}
