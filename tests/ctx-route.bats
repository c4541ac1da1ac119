#!/usr/bin/env bats
#
# ctx-route: step output put into the log, which then says of each message whose it is.

load helper
load dialogue

# What is said of a request, its answer, a call and a result of the first execution.
asked='origin=user'
answered='origin=assistant'
called='origin=tool_call'
got='origin=tool_result'

# leaves COMMAND TEXT...: the contents of what the command makes of the file in.
leaves() {
    spec <<END
$1 in | jq -r .content
$(printf '>>> %s\n' "${@:2}")
END
}

# --- the six cases

@test "ctx-route: one tool call step: says what the messages do not, also with separate trace" {
    {
        user 'How deep is the harbour?'
        calls c1 sound '{"at":"harbour"}'; gets c1 '4.2 m'
        says 'It is 4.2 m deep.'
    } >in
    makes 'ctx-route' "1: $asked" \
        "2: $called tool_name=sound is_trace" \
        "3: $got tool_name=sound is_trace" \
        "4: $answered"
    makes 'ctx-route --separate-trace' "1: $asked section=messages" \
        "2: $called tool_name=sound is_trace section=execution_buffer" \
        "3: $got tool_name=sound is_trace section=execution_buffer" \
        "4: $answered section=messages"
    makes 'ctx-route --ephemeral' "1: $asked section=messages" \
        "4: $answered section=messages"
}

@test "ctx-route: several tool calls in a step" {
    {
        user 'How deep are the harbour, the canal and the lock?'
        acts "I'll sound all three." "$(call c1 sound '{"at":"harbour"}')" "$(call c2 sound '{"at":"canal"}')" "$(call c3 sound '{"at":"lock"}')"
        gets c1 '4.2 m'
        gets c2 '2.8 m'
        gets c3 '3.1 m'
        says 'Harbour 4.2 m, canal 2.8 m, lock 3.1 m.'
    } >in
    makes 'ctx-route --separate-trace' "1: $asked section=messages" \
        "2: $called tool_name=sound is_trace section=execution_buffer" \
        "3: $got tool_name=sound is_trace section=execution_buffer" \
        "4: $got tool_name=sound is_trace section=execution_buffer" \
        "5: $got tool_name=sound is_trace section=execution_buffer" \
        "6: $answered section=messages"
    makes 'ctx-route --ephemeral' "1: $asked section=messages" \
        "6: $answered section=messages"
}

@test "ctx-route: no tool call" {
    { user 'Good morning'; says 'Good morning. The harbour is open.'; } >in
    makes 'ctx-route --separate-trace' "1: $asked section=messages" \
        "2: $answered section=messages"
    makes 'ctx-route --ephemeral' "1: $asked section=messages" \
        "2: $answered section=messages"
}

@test "ctx-route: a stop condition: the unanswered call stays until the next execution" {
    {
        user 'Sound the canal every minute.'
        acts '' "$(call c1 sound '{"at":"canal"}')"; gets c1 '2.8 m'
        acts '' "$(call c2 sound '{"at":"canal"}')"; gets c2 '2.8 m'
        acts '' "$(call c3 sound '{"at":"canal"}')"
        user 'That will do. What was it?'
        says '2.8 m, twice.'
    } >in
    makes 'ctx-route --separate-trace' "1: $asked section=messages" \
        "2: $called tool_name=sound is_trace section=execution_buffer" \
        "3: $got tool_name=sound is_trace section=execution_buffer" \
        "4: $called tool_name=sound is_trace section=execution_buffer" \
        "5: $got tool_name=sound is_trace section=execution_buffer" \
        "6: $called tool_name=sound is_trace section=execution_buffer" \
        '7: origin=user section=messages' \
        '8: origin=assistant section=messages'
    makes 'ctx-route --ephemeral' "1: $asked section=messages" \
        "6: $called tool_name=sound is_trace section=execution_buffer" \
        '7: origin=user section=messages' \
        '8: origin=assistant section=messages'
    makes 'ctx-route --separate-trace --next-execution' "1: $asked section=messages" \
        '7: origin=user section=messages' \
        '8: origin=assistant section=messages'
}

@test "ctx-route: an error: its message is no trace, and its buffer stays until the next execution" {
    {
        user 'Open the sluice.'
        calls c1 sluice '{"to":"open"}'; gets c1 'the motor does not answer' '"is_error":true'
        says 'step failed: the model did not answer' '"origin":"error","is_error":true'
    } >in
    makes 'ctx-route --separate-trace' "1: $asked section=messages" \
        "2: $called tool_name=sluice is_trace section=execution_buffer" \
        "3: $got tool_name=sluice is_trace section=execution_buffer" \
        '4: section=messages'
    makes 'ctx-route --separate-trace --next-execution' "1: $asked section=messages" '4: section=messages'
    user 'and now?' >>in
    makes 'ctx-route --ephemeral' "1: $asked section=messages" \
        "2: $called tool_name=sluice is_trace section=execution_buffer" \
        "3: $got tool_name=sluice is_trace section=execution_buffer" \
        '4: section=messages' '5: origin=user section=messages'
}

@test "ctx-route: an assistant message that says is_error is an error message" {
    {
        user ask
        says 'the model did not answer' '"is_error":true'
        acts '' "$(call c1 t '{}')" '"is_error":true'; gets c1 r
        says 'what metadata says wins' '"is_error":true,"origin":"assistant"'
    } >in
    makes 'ctx-route' "1: $asked" '2: origin=error' \
        "3: $called tool_name=t is_trace" \
        "4: $got tool_name=t is_trace" 5
    # It stands for an execution without a final response, and is none itself.
    head -n 2 in >part
    user more >>part
    ctx-project --view conversation part | jq -r .content >out
    same 'view' <(printf '%s\n' ask 'the model did not answer' more) out
}

@test "ctx-route: a sub-agent: its messages pass as they came, the parent sees the result text" {
    local child='"execution_id":"child-1","parent_execution_id":"e1","agent_id":"surveyor"'
    {
        user "Plan the week's dredging."
        calls c1 task '{"prompt":"find the shallow spots"}'
        user 'find the shallow spots' "$child"
        calls c1 sound '{"at":"canal"}' "$child"
        gets c1 '2.8 m at the bend' "$child"
        says 'The bend of the canal, 2.8 m.' "$child"
        gets c1 'The bend of the canal, 2.8 m.'
        says 'Dredge the bend of the canal on Tuesday.'
    } >in
    makes 'ctx-route --separate-trace --execution e1' '1: origin=user execution_id=e1 section=messages' \
        '2: origin=tool_call execution_id=e1 tool_name=task is_trace section=execution_buffer' 3-6 \
        '7: origin=tool_result execution_id=e1 tool_name=task is_trace section=execution_buffer' \
        '8: origin=assistant execution_id=e1 section=messages'
    makes 'ctx-route --ephemeral --execution e1' '1: origin=user execution_id=e1 section=messages' 3-6 \
        '8: origin=assistant execution_id=e1 section=messages'
    # The child's own log.
    sed -i -n 3,6p in
    makes 'ctx-route --ephemeral' '1: origin=user section=messages' '4: origin=assistant section=messages'
}

# letters LETTER...: the log whose messages the letters name; large letters are a sub-agent's.
letters() {
    local i=0 j letter wanted answered=0
    for letter; do
        i=$((i + 1)) wanted=
        for ((j = i + 1; j <= $#; j++)); do
            [[ ${!j} != [A-Z] || $letter == C ]] || continue
            [[ ${!j,} == [rx] ]] || break
            wanted+="c$((answered + ${#wanted} / 4 + 1)):t "
        done
        case $letter in
        u) user ask ;;
        c) wants $wanted ;;
        r | x) answered=$((answered + 1)) ;;&
        r) gets "c$answered" result ;;
        x) gets "c$answered" failed '"is_error":true' ;;
        f) says answer ;;
        e) says overloaded '"is_error":true' ;;
        U) user below '"parent_execution_id":"p"' ;;
        C) wants d:t '"parent_execution_id":"p"' ;;
        R) gets d result '"parent_execution_id":"p"' ;;
        F) says answer '"parent_execution_id":"p"' ;;
        esac
    done
}

# spelled: the letters of the messages that come in.
spelled() {
    # shellcheck disable=SC2016
    jq -r '(.metadata.parent_execution_id != null) as $below |
        {user: "u", assistant: (if .tool_calls then "c" elif .content == "answer" then "f" else "e" end),
            tool: (if .content == "failed" then "x" else "r" end)}[.role] |
        if $below then ascii_upcase else . end' | paste -s -d ' '
}

@test "ctx-route: the six cases of the page" {
    local row log said rows=0
    local -a cells
    while IFS= read -r row; do
        # The columns are fixed; braces become large letters.
        mapfile -t cells < <(for part in 0:10 10:18 28:9 37:8 45:14 59:20; do
            echo "${row:${part%:*}:${part#*:}}" | sed -E 's/\{([^}]*)\}/\U\1/; s/ +$//'
        done)
        rows=$((rows + 1))
        log=${cells[1]}
        # shellcheck disable=SC2086
        letters $log >in
        same 'log' <(echo "$log") <(spelled <in)
        ctx-route --separate-trace in >apart
        same "${cells[0]}: messages" <(echo "${cells[2]}") <(in_section messages <apart | spelled)
        same "${cells[0]}: buffer" <(echo "${cells[3]}") <(in_section execution_buffer <apart | spelled)
        same "${cells[0]}: ephemeral" <(echo "${cells[4]}") <(ctx-route --ephemeral in | spelled)
        same "${cells[0]}: next, raw" <(echo "${cells[5]}") <(ctx-route --next-execution in | spelled)
        same "${cells[0]}: next, apart" <(echo "${cells[5]}") <(ctx-route --next-execution apart | spelled)
        # The conversation is the same, but for what sub-agents said.
        said=$(sed -E 's/ ?[A-Z]//g' <<<"${cells[5]}")
        same "${cells[0]}: said" <(echo "$said") <(ctx-project --view conversation in | spelled)
        same "${cells[0]}: said, apart" <(echo "$said") <(ctx-project --view conversation apart | spelled)
    done < <(sed -n '/^ *messages *buffer$/,/^\.Ed/p' "$ROOT/man/ctx-route.1" | sed '1d;$d')
    [[ $rows == 6 ]]
}

# in_section NAME: the messages whose metadata names that section.
in_section() {
    jq -c --arg name "$1" 'select(.metadata.section == $name)'
}

@test "ctx-route: ephemeral: of a stopped run, what must not be lost unseen outlives the next request" {
    letters u c r u f >in
    ctx-route --ephemeral --steering new in | spelled >out
    same 'stopped' <(echo u u f) out
    letters u c x e u f >in
    ctx-route --ephemeral in | spelled >out
    same 'failed' <(echo u c x e u f) out
}

# --- what is said and what is kept

@test "ctx-route: an explicit value wins" {
    {
        user a '"execution_id":"e1","section":"notes","origin":"injected"'
        acts '' "$(call c1 read '{}')" '"section":"research","tool_name":"my read"'
        gets c1 r '"is_trace":false,"is_error":false'
        says aside '"section":"minutes"'
        says kept '"is_trace":false'
        says 'thought aloud' '"is_trace":true'
    } >in
    makes 'ctx-route --separate-trace --execution e9' 1 '2: origin=tool_call execution_id=e9 is_trace' \
        '3: origin=tool_result execution_id=e9 tool_name=read section=research' \
        '4: origin=assistant execution_id=e9' '5: origin=assistant execution_id=e9 section=messages' \
        '6: origin=assistant execution_id=e9 section=execution_buffer'
}

@test "ctx-route: metadata is edited under its own spelling and in its place, with unknown members kept" {
    {
        raw '{ "role" : "user" , "_metadata" : { "x" : 1.50 , "execution_id" : null } , "content" : "a\u0020b" , "y":[ 1 , 2.0 ] }'
        raw '{"role":"assistant","metadata":{},"content":"b","z":null}'
        raw '{"role":"user","content":"c","metadata":"mine"}'
        raw '{"role":"user","content":"d","metadata":7,"_metadata":[1]}'
    } >in
    makes 'ctx-route' \
        '{ "role" : "user" , "_metadata" : { "x" : 1.50 , "execution_id" : null,"origin":"user" } , "content" : "a\u0020b" , "y":[ 1 , 2.0 ] }' \
        '{"role":"assistant","metadata":{"origin":"assistant"},"content":"b","z":null}' \
        '{"role":"user","content":"c","metadata":"mine","_metadata":{"origin":"user"}}' \
        4
}

@test "ctx-route: a message that says all leaves byte for byte" {
    {
        raw '{ "role":"user", "content":"a" ,"metadata":{"section":"messages", "origin":"user","execution_id":"e1"}}'
        gets c0 '\u0061' '"section":"execution_buffer","origin":"tool_result","execution_id":"e1","is_trace":true'
    } >in
    keeps 'ctx-route'
    keeps 'ctx-route --separate-trace'
}

@test "ctx-route: CRLF, a byte order mark, blank, foreign and bad lines stay where they are" {
    { printf '\xef\xbb\xbf'; user a; raw ''; says b; raw '{"note":1}'; } | sed 's/$/\r/' >in
    { raw '{bad}' '' '{"type":"budget","used_tokens":1}'; printf '%s' "$(user c)"; } >>in
    makes 'ctx-route --separate-trace' "1: $asked section=messages" 2 "3: $answered section=messages" 4-7 \
        '8: origin=user section=messages' \
        '>>>2 ctx-route: in:5: expected a member name, at byte 2' '>>>= 65'
}

@test "ctx-route: bad lines can be dropped to a file, out of what is held too" {
    { user a; says b; raw '{bad}'; says c; } >in
    makes 'ctx-route --separate-trace --bad-lines=drop --bad-file bad' "1: $asked section=messages" \
        '2: origin=assistant is_trace section=execution_buffer' "4: $answered section=messages" \
        '>>>2 ctx-route: in:3: expected a member name, at byte 2' '>>>= 65' '>>>+ bad'
    same 'the bad file' <(raw '{bad}') bad
}

@test "ctx-route: several calls: tool_name is said of the message when it is one tool, of each result always" {
    {
        user a
        raw '{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{}"}},{"id":"c2","type":"function","function":{"name":"wr\u0069te","arguments":"{}"}},{"id":"c3","type":"function","function":{}}]}'
        gets c2 w
        gets c1 r
        gets c3 '?'
        gets c4 orphan
    } >in
    makes 'ctx-route' "1: $asked" \
        "2: $called is_trace" \
        "3: $got tool_name=wr\u0069te is_trace" \
        "4: $got tool_name=read is_trace" \
        "5: $got is_trace" \
        "6: $got is_trace"
}

@test "ctx-route: a reused id: each result takes the tool of its own call" {
    {
        user a
        acts '' "$(call c1 read '{}')"; gets c1 r
        acts '' "$(call c1 write '{}')"; gets c1 w
        acts '' "$(call c1 list '{}')"
        acts '' "$(call c1 edit '{}')"; gets c1 e
        gets c1 l
    } >in
    spec <<'END'
ctx-route in | grep -o '"tool_name":"[a-z]*"'
>>> "tool_name":"read"
>>> "tool_name":"read"
>>> "tool_name":"write"
>>> "tool_name":"write"
>>> "tool_name":"list"
>>> "tool_name":"edit"
>>> "tool_name":"edit"
>>> "tool_name":"list"
END
}

@test "ctx-route: calls in the metadata of the PHP serialization" {
    {
        user a
        raw '{"role":"assistant","content":"","_metadata":{"tool_calls":[{"id":"c1","name":"read","arguments":{}}]}}'
        gets c1 r
    } >in
    makes 'ctx-route' "1: $asked" \
        '{"role":"assistant","content":"","_metadata":{"tool_calls":[{"id":"c1","name":"read","arguments":{}}],"origin":"tool_call","tool_name":"read","is_trace":true}}' \
        "3: $got tool_name=read is_trace"
}

@test "ctx-route: origins: summary and trace artifacts, unknown roles pass as they came" {
    {
        system s
        developer d
        user sum '"kind":"summary"'
        says '[trace] read' '"kind":"trace","is_trace":true'
        raw '{"role":"critic","content":"c"}'
        user u
    } >in
    makes 'ctx-route --separate-trace' '1: origin=system section=messages' \
        '2: origin=system section=messages' 3-5 \
        "6: $asked section=messages"
}

@test "ctx-route: an error message is said to be one" {
    { user a; says overloaded '"origin":"error"'; says b; } >in
    makes 'ctx-route --separate-trace' "1: $asked section=messages" \
        '2: is_error section=messages' \
        "3: $answered section=messages"
}

# --- executions

@test "ctx-route: derived ids are not written; an id that a message says is that of those behind it" {
    {
        system s
        user a
        acts '' "$(call c1 t '{}')"; gets c1 r
        user steer
        says b
        user c '"execution_id":"e7"'
        says d
        user e
        says f
    } >in
    spec <<'END'
ctx-route in | jq -c .metadata.execution_id | uniq -c | sed 's/^ *//'
>>> 6 null
>>> 2 "e7"
>>> 2 null
END
}

@test "ctx-route: --steering new: a request after a result begins an execution" {
    { user a '"execution_id":"e1"'; calls c1 t '{}'; gets c1 r; user b; says c; } >in
    makes 'ctx-route' "1: $asked" "2: $called execution_id=e1 tool_name=t is_trace" \
        "3: $got execution_id=e1 tool_name=t is_trace" "4: $asked execution_id=e1" "5: $answered execution_id=e1"
    makes 'ctx-route --steering new' "1: $asked" "2: $called execution_id=e1 tool_name=t is_trace" \
        "3: $got execution_id=e1 tool_name=t is_trace" "4: $asked" "5: $answered"
    { user a; says 'a text'; calls c1 t '{}'; gets c1 r; user b; says c; } >in
    leaves 'ctx-route --ephemeral' a b c
    leaves 'ctx-route --ephemeral --steering new' a b c
    head -n 5 in >log
    mv log in
    leaves 'ctx-route --ephemeral' a 'a text' null r b
    leaves 'ctx-route --ephemeral --steering new' a b
    refuses 'ctx-route --steering maybe' "bad value 'maybe' of --steering, expected one of join, new"
}

# Who derives executions takes --steering: one stream, told by each command in its own way.
@test "every command: --steering new: the stopped run is over" {
    { user One.; wants c1:read; calls c2 grep '{"at":"a.c"}'; gets c2 "$long"; user Two.; wants c3:read; } >in
    local how
    for how in join new; do
        printf '%s: ' "$how"
        ctx-budget --steering $how --by execution --json in | rows | awk '/^#/ { printf "%s=%s ", $1, $2 }'
        ctx-normalize --steering $how in | jq -r 'select(.content == "[no result]") | .tool_call_id' | paste -s -d ' '
        ctx-compact --steering $how --plan --force in | jq -r 'select(.line).execution' | paste -s -d ' '
        ctx-isolate --steering $how in | ctx-project --steering $how | jq -r '.content // .tool_calls[].id' | cut -c 1-20
    done >said
    same 'executions' - said <<'END'
join: #1=6 
#1 #1 #1 #1 #1
One.
c1
c2
xxxxxxxxxxxxxxxxxxxx
Two.
c3
new: #1=4 #2=2 c1
#1 #1 #1 #2 #2
One.
c1
[trace] grep: ok, 60
Two.
c3
END
}

@test "ctx-route: a log of steps that were routed one by one has the executions of the whole" {
    { user a; calls c1 read '{"path":"x"}'; gets c1 "$(printf '%800d' 0)"; } >step1
    { user steer; calls c2 read '{"path":"y"}'; gets c2 r; says b; } >step2
    { user c; calls c3 read '{"path":"z"}'; gets c3 r; } >step3
    cat step1 step2 step3 >in
    for step in step1 step2 step3; do ctx-route <$step >>log; done
    same 'log' <(ctx-route in) log
    same 'executions' <(ctx-budget --by execution --json in | rows) <(ctx-budget --by execution --json log | rows)
    same 'views' <(ctx-isolate in | ctx-project | content) <(ctx-isolate log | ctx-project | content)
    ctx-isolate step1 >isolated
    same 'what the model has just read' step1 isolated
    ctx-route <step1 | ctx-isolate | content >isolated
    same 'what the model has just read, routed' step1 isolated
}

@test "ctx-route: --execution is given to all messages that have none" {
    { system s; user a; says b '"execution_id":"e0"'; user c; says d; } >in
    spec <<'END'
ctx-route --execution 'a "1"' in | jq -r .metadata.execution_id
>>> a "1"
>>> a "1"
>>> e0
>>> a "1"
>>> a "1"
END
}

@test "ctx-route: --execution makes one execution of several turns, with one final response" {
    { user a; says b; user c; says d; } >in
    spec <<'END'
ctx-route --execution e1 --separate-trace in | jq -r .metadata.section
>>> messages
>>> execution_buffer
>>> messages
>>> messages
END
}

# --- the buffer

@test "ctx-route: separate trace: a text is trace when trace or another text follows it" {
    {
        user ask
        says 'first I look'
        acts beside "$(call c1 t '{}')"; gets c1 r
        says 'now I know'
        says ''
        says answer
        says ''
    } >in
    spec <<'END'
ctx-route --separate-trace in | jq -c '[.content, .metadata.section, .metadata.is_trace]'
>>> ["ask","messages",null]
>>> ["first I look","execution_buffer",true]
>>> ["beside","execution_buffer",true]
>>> ["r","execution_buffer",true]
>>> ["now I know","execution_buffer",true]
>>> ["","execution_buffer",null]
>>> ["answer","messages",null]
>>> ["","execution_buffer",null]
END
}

@test "ctx-route: separate trace: records behind a candidate wait with it, other agents and injected text too" {
    {
        user ask
        says maybe
        raw '{"note":1}'
        user child '"parent_execution_id":"p"'
        user reminder '"origin":"injected"'
        acts '' "$(call c1 t '{}')"; gets c1 r
        says answer
        raw '{"note":2}'
    } >in
    spec <<'END'
ctx-route --separate-trace in | jq -c '[.content // .note, .metadata.section]'
>>> ["ask","messages"]
>>> ["maybe","execution_buffer"]
>>> [1,null]
>>> ["child",null]
>>> ["reminder","messages"]
>>> ["","execution_buffer"]
>>> ["r","execution_buffer"]
>>> ["answer","messages"]
>>> [2,null]
END
}

@test "ctx-route: separate trace holds back one text and no more" {
    mkfifo in out
    ctx-route --separate-trace <in >out 3>&- &
    exec 8>in 9<out
    printf '%s\n' '{"role":"user","content":"a"}' '{"role":"assistant","content":"b"}' >&8
    read -r -t 20 -u 9 line
    [[ $line == *'"a"'* ]]
    if read -r -t 0.3 -u 9 line; then fail 'the text came before its fate was known'; fi
    printf '%s\n' '{"role":"user","content":"c"}' >&8
    read -r -t 20 -u 9 line
    [[ $line == '{"role":"assistant","content":"b","metadata":{"origin":"assistant","section":"messages"}}' ]]
    read -r -t 20 -u 9 line
    [[ $line == *'"c"'* ]]
    exec 8>&- 9<&-
    wait $!
}

@test "ctx-route: ephemeral: what is pinned, failed, or frozen by a bad line stays, in whole groups" {
    {
        user ask
        acts pinned "$(call c1 a '{}')"; gets c1 r1 '"pinned":true'
        acts failed "$(call c2 b '{}')"; gets c2 r2 '"is_error":true'
        acts frozen "$(call c3 c '{}')"
        raw '{bad}'
        gets c3 r3
        acts dropped "$(call c4 d '{}')"; gets c4 r4
        acts resolved "$(call c5 e '{}')"; gets c5 r5 '"is_error":true'
        acts 'done' "$(call c6 e '{}')"; gets c6 r6
        says answer
    } >in
    spec <<'END'
ctx-route --ephemeral in | jq -R -c 'fromjson? // . | if type == "object" then [.content, .tool_calls[0]?.id // .tool_call_id] else . end'
>>> ["ask",null]
>>> ["pinned","c1"]
>>> ["r1","c1"]
>>> ["failed","c2"]
>>> ["r2","c2"]
>>> ["frozen","c3"]
>>> "{bad}"
>>> ["r3","c3"]
>>> ["answer",null]
>>>2 ctx-route: in:7: expected a member name, at byte 2
>>>= 65
END
}

@test "ctx-route: ephemeral: the buffer of an execution without its final response is still needed" {
    { user ask; acts look "$(call c1 t '{}')"; gets c1 r; } >in
    leaves 'ctx-route --ephemeral' ask look r
    { user ask; acts look "$(call c1 t '{}')"; gets c1 r; says overloaded '"origin":"error"'; } >in
    leaves 'ctx-route --ephemeral' ask look r overloaded
    {
        user ask
        acts look "$(call c1 t '{}')"; gets c1 r
        says answer
        acts again "$(call c2 t '{}')"
    } >in
    leaves 'ctx-route --ephemeral' ask look r answer again
}

@test "ctx-route: ephemeral: a late result finds its call" {
    { user ask; acts late "$(call c1 t '{}')"; user more; gets c1 result; says answer; } >in
    leaves 'ctx-route --ephemeral' ask late more result answer
}

@test "ctx-route: ephemeral: a call without a result waits for it, resolved or not" {
    {
        user ask
        raw '{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"Read","arguments":"{}"}}]}'
        raw '{"role":"assistant","tool_calls":[{"id":"b","function":{"name":"Read","arguments":"{}"}}]}'
        gets b ok
        says answer
        user more
        gets a late
    } >in
    spec <<'END'
ctx-route --ephemeral in | jq -r '.content // .tool_calls[0].id'
>>> ask
>>> a
>>> answer
>>> more
>>> late
END
}

@test "ctx-route: ephemeral: a call that is said to be resolved goes, with its late result" {
    { user ask; wants c1:read; says answer; user more; gets c1 late; says 'done'; } >in
    leaves 'ctx-route --ephemeral --resolve c1' ask answer more 'done'
    ctx-route --resolve c1 in >marked
    mv marked in
    leaves 'ctx-route --ephemeral' ask answer more 'done'
    { user ask; wants c1:read c2:ls '"resolved":["c2"]'; says answer; user more; } >in
    leaves 'ctx-route --ephemeral' ask null answer more
    { user ask; wants c1:read c2:ls '"resolved":["c2","c1"]'; user more; gets c2 late; } >in
    leaves 'ctx-route --ephemeral --steering new' ask more
    { user ask; wants c1:read '"resolved":true,"pinned":true'; user more; gets c1 late; } >in
    leaves 'ctx-route --ephemeral' ask null more late
}

@test "ctx-route: ephemeral: a session stays that of its own agent" {
    {
        raw '{"role":"assistant","content":"first","tool_calls":[{"id":"a","function":{"name":"Read","arguments":"{}"}}]}'
        says 'from below' '"parent_execution_id":"#0"'
        gets a 'its result'
        raw '{"role":"assistant","content":"second","tool_calls":[{"id":"b","function":{"name":"Read","arguments":"{\"path\":\"x\"}"}}]}'
        gets b dropped
        says answer
    } >in
    leaves 'ctx-route --ephemeral' first 'from below' 'its result' answer
    mv in log
    ctx-route --ephemeral log >in
    leaves 'ctx-route --ephemeral' first 'from below' 'its result' answer
    { user ask; cat log; } >in
    leaves 'ctx-route --ephemeral' ask 'from below' answer
    sed 2d log >in
    leaves 'ctx-route --ephemeral' answer
}

@test "ctx-route: ephemeral: buffers that an earlier run left are dropped, sections of their own stay" {
    {
        user ask '"execution_id":"e1"'
        says bare '"execution_id":"e1","section":"execution_buffer"'
        acts kept "$(call c1 t '{}')" '"execution_id":"e1","section":"research"'
        gets c1 'kept with its call' '"execution_id":"e1","section":"execution_buffer"'
        says answer
    } >in
    leaves 'ctx-route --ephemeral' ask kept 'kept with its call' answer
}

@test "ctx-route: next execution: drops what is in a buffer, pairs whole" {
    {
        user ask
        acts call "$(call c1 t '{}')" '"section":"execution_buffer","pinned":true'
        gets c1 result '"section":"messages"'
        acts 'trace elsewhere' "$(call c2 t '{}')" '"section":"research"'
        gets c2 'its result' '"section":"execution_buffer"'
        gets c9 orphan '"section":"execution_buffer"'
        says child '"parent_execution_id":"p","section":"execution_buffer"'
    } >in
    leaves 'ctx-route --next-execution' ask 'trace elsewhere' 'its result'
}

@test "ctx-route: next execution: of a raw log, after an abort, the conversation is left" {
    {
        user ask
        says 'I look'
        acts '' "$(call c1 t '{}')"; gets c1 r
        says answer
        user again
        acts call "$(call c1 t '{}')"
    } >in
    leaves 'ctx-route --next-execution --separate-trace' ask answer again
    makes 'ctx-route --next-execution' "1: $asked" "5: $answered" "6: $asked"
    # Trace stays out of the conversation where it was put into it, and what metadata says is no trace.
    {
        user ask
        says 'I look' '"section":"messages"'
        calls c1 t '{}' '"section":"messages"'; gets c1 r '"section":"messages"'
        calls c2 ask '{}' '"is_trace":false'; gets c2 'what the user said'
        calls c3 t '{}'; gets c3 r
        says answer '"section":"messages"'
    } >in
    makes 'ctx-route --next-execution' "1: $asked" "5: $called tool_name=ask" "6: $got tool_name=ask" "9: $answered"
}

@test "ctx-route: separate trace: trace that stands in messages moves" {
    {
        user ask '"section":"messages"'
        says 'I look' '"section":"messages"'
        calls c1 t '{}' '"section":"messages"'; gets c1 r '"section":"messages"'
        calls c2 t '{}' '"section":"research"'; gets c2 r '"section":"messages"'
        calls c3 t '{}' '"section":"messages","is_trace":false'; gets c3 r
        says '[trace] t' '"section":"messages","kind":"trace","is_trace":true'
        says answer '"section":"messages"'
    } >in
    makes 'ctx-route' "1: $asked" "2: $answered" "3: $called tool_name=t is_trace" \
        "4: $got tool_name=t is_trace" "5: $called tool_name=t is_trace" "6: $got tool_name=t is_trace" \
        "7: $called tool_name=t" "8: $got tool_name=t" 9 "10: $answered"
    makes 'ctx-route --separate-trace' "1: $asked" \
        "2: section=execution_buffer $answered is_trace" \
        "3: section=execution_buffer $called tool_name=t is_trace" \
        "4: section=execution_buffer $got tool_name=t is_trace" \
        "5: $called tool_name=t is_trace" "6: $got tool_name=t is_trace" \
        "7: $called tool_name=t" "8: $got tool_name=t section=messages" 9 "10: $answered"
    leaves 'ctx-route --ephemeral' ask null r null r '[trace] t' answer
}

# --- failures

@test "ctx-route: --resolve marks the failures of a call or a message, and only those" {
    {
        user ask
        acts '' "$(call c1 t '{}')"; gets c1 fine
        acts '' "$(call c1 t '{}')"; gets c1 failed '"is_error":true,"resolved":false'
        says overloaded '"origin":"error","id":"m7"'
        gets c1 "the child's" '"is_error":true,"parent_execution_id":"p"'
    } >in
    makes 'ctx-route --resolve c1 --resolve m7' "1: $asked" \
        "2: $called tool_name=t is_trace" \
        "3: $got tool_name=t is_trace" \
        "4: $called tool_name=t is_trace" \
        "5: resolved $got tool_name=t is_trace" \
        '6: is_error resolved' 7
}

@test "ctx-route: --resolve of a failure that says it is resolved changes nothing" {
    { user ask; acts '' "$(call c1 t '{}')"; gets c1 failed '"is_error":true'; } >in
    ctx-route --resolve c1 --report said in >once
    [[ $(jq .changed said) == 3 ]]
    ctx-route --resolve c1 --report said once >twice
    same 'again' once twice
    [[ $(jq .changed said) == 0 ]]
}

@test "ctx-route: --resolve marks calls without a result when their execution is over" {
    {
        user ask
        wants c1:read c2:read; gets c1 r
        wants c3:read
        wants c4:ls '"id":"m4"'; gets c4 r
        user more
        says answer
    } >in
    makes 'ctx-route --resolve c3' "1: $asked" "2: $called tool_name=read is_trace" \
        "3: $got tool_name=read is_trace" "4: $called tool_name=read is_trace resolved" \
        "5: $called tool_name=ls is_trace" "6: $got tool_name=ls is_trace" "7: $asked" "8: $answered"
    makes 'ctx-route --resolve c2 --resolve c3 | ctx-isolate | jq -r .content' ask \
        '[trace] read: ok, 1 B; read: no result' '[trace] read: no result' '[trace] ls: ok, 1 B' more answer
    ctx-route --resolve c2 --resolve c3 in >once
    same 'the second run' once <(ctx-route --resolve c3 --resolve c2 once)
    # With one of two named, the other stays a failure.
    { user ask; wants c1:read c2:ls c3:cat '"id":"m1"'; gets c3 r; user more; } >in
    makes 'ctx-route --resolve c2' "1: $asked" "2: $called is_trace resolved=[\"c2\"]" \
        "3: $got tool_name=cat is_trace" "4: $asked"
    ctx-route --resolve c2 in >once
    same 'the failure' once <(ctx-isolate once)
    same 'the second run' once <(ctx-route --resolve c2 once)
    same 'both' <(ctx-route --resolve c1 --resolve c2 in) <(ctx-route --resolve c1 once)
    same 'the message' <(ctx-route --resolve c1 --resolve c2 in) <(ctx-route --resolve m1 in)
    # A result that comes is what may have failed, and a call that runs has not failed yet.
    { user ask; wants c1:read; gets c1 r '"is_error":true'; wants c2:read; } >in
    makes 'ctx-route --resolve c1' "1: $asked" "2: $called tool_name=read is_trace" \
        "3: $got tool_name=read is_trace resolved" "4: $called tool_name=read is_trace"
    status_of 1 ctx-route --resolve c2 in >out 2>said
    same 'said' <(echo "ctx-route: no failure has the id 'c2'") said
    says answer >>in
    makes 'ctx-route --resolve c2 --separate-trace' "1: $asked section=messages" \
        "2: $called tool_name=read is_trace section=execution_buffer" \
        "3: $got tool_name=read is_trace section=execution_buffer" \
        "4: $called tool_name=read is_trace section=execution_buffer resolved" "5: $answered section=messages"
    leaves 'ctx-route --resolve c2 --next-execution' ask answer
}

@test "ctx-route: of calls without a result, resolved may name some" {
    { user ask; wants c1:read c2:ls '"resolved":["c2"]'; user more; } >in
    keeps 'ctx-project'
    { user ask; wants c1:read c2:ls '"resolved":["c2"]'; user more '"resolves":"c1"'; } >in
    makes 'ctx-project' 1 3
    { user ask; wants c1:read c2:ls '"resolved":true'; user more; } >in
    makes 'ctx-project' 1 3
}

@test "ctx-route: resolves takes the id of a message, as --resolve does" {
    local how
    {
        user ask
        wants c1:read '"id":"m1"'; gets c1 failed '"is_error":true,"id":"m2"'
        wants c2:ls '"id":"m3"'
        user more '"resolves":["m2","m3"]'
    } >in
    makes 'ctx-project' 1 5
    # A result's failure is not that of the message with its call.
    sed -i 's/"resolves":.*]/"resolves":"m1"/' in
    keeps 'ctx-project'
    for how in m2 m3; do ctx-route --resolve $how in | ctx-project | wc -l; done >out
    same 'one each' <(printf '3\n4\n') out
}

@test "ctx-route: --resolve says when no failure has the id" {
    { user ask; acts '' "$(call c1 t '{}')"; gets c1 fine; } >in
    spec <<'END'
ctx-route --resolve c9 --resolve c1 in | jq -r .content
>>> ask
>>> 
>>> fine
>>>2 ctx-route: no failure has the id 'c9'
>>>2 ctx-route: no failure has the id 'c1'
>>>= 1
END
}

# --- the context record

@test "ctx-route: the context record is written in front" {
    printf 'be "brief"\n' >prompt
    printf '{\n  "type": "json_schema",\n  "a b": [1, "x  \\" y"]\n}\n' >format
    { raw ''; user a; } >in
    makes "ctx-route --system-prompt prompt --response-format format --context a=1 --context 'b c=x=y' --context a=2" 1 \
        '{"type":"context","system_prompt":"be \"brief\"\n","response_format":{"type":"json_schema","a b":[1,"x  \" y"]},"metadata":{"b c":"x=y","a":2}}' \
        "2: $asked"
    spec <<'END'
ctx-route --context tenant=harbour
>>> {"type":"context","metadata":{"tenant":"harbour"}}
END
    # The mark at the start of a file is no part of what it says.
    { printf '\xef\xbb\xbf'; cat prompt; } >marked
    makes 'ctx-route --system-prompt marked' 1 '{"type":"context","system_prompt":"be \"brief\"\n"}' "2: $asked"
    { printf '\xef\xbb\xbf'; user a; } >in
    { printf '\xef\xbb\xbf'; raw '{"type":"context","metadata":{"tenant":"harbour"}}'; } >first
    spec <<END
ctx-route --context tenant=harbour in
>>>@ first
>>> {"role":"user","content":"a","metadata":{"origin":"user"}}
END
}

@test "ctx-route: the context record that stands in the input is kept but for what is given" {
    spec <<'END'
printf new >prompt; echo '{"type":"text"}' >format; ctx-route --system-prompt prompt --response-format format --context a=1 --context n\"ew=2
<<<$ { "type" : "context", "system_prompt":"old" , "x": 1.0,"response_format":{ "type" : "text" },"metadata":{"\\u0061":"0", "z":[ ] } }\r
<<< {"role":"user","content":"a"}
<<< {"type":"context","system_prompt":"n\u0065w"}
>>>$ { "type" : "context", "system_prompt":"new" , "x": 1.0,"response_format":{ "type" : "text" },"metadata":{"\\u0061":1, "z":[ ],"n\\"ew":2 } }\r
>>> {"role":"user","content":"a","metadata":{"origin":"user"}}
>>> {"type":"context","system_prompt":"n\u0065w","response_format":{"type":"text"},"metadata":{"a":1,"n\"ew":2}}
>>>+ format
>>>+ prompt
END
    {
        raw '{"type":"context","metadata":null}'
        raw '{"type":"context","_metadata":{"a":1}}'
        raw '{"type":"context","metadata":{"a":"1"}}'
    } >in
    makes 'ctx-route --context a=1' '{"type":"context","metadata":{"a":1}}' 2 '3: a=1'
}

@test "ctx-route: the context record and a bad response format, prompt or pair" {
    spec <<'END'
printf "{} x" >format; ctx-route --response-format format
>>>2 ctx-route: format: bytes after the value, at byte 4
>>>= 78
>>>+ format
END
    spec <<'END'
echo "[1]" >format; ctx-route --response-format format
>>>2 ctx-route: format: expected a JSON object
>>>= 78
>>>+ format
END
    spec <<'END'
printf "ab\xff" >prompt; ctx-route --system-prompt prompt
>>>2 ctx-route: prompt: expected UTF-8 text, at byte 3
>>>= 78
>>>+ prompt
END
    spec <<'END'
ctx-route --system-prompt missing
>>>2 ctx-route: cannot open 'missing': No such file or directory
>>>= 66
END
    spec <<'END'
ctx-route --response-format .
>>>2 ctx-route: cannot read '.': is a directory
>>>= 66
END
    refuses 'ctx-route --context novalue' "bad value 'novalue' of --context, expected KEY=VALUE"
    refuses 'ctx-route --context =x' "bad value '=x' of --context, expected KEY=VALUE"
}

# --- options

@test "ctx-route: options that are wrong" {
    refuses 'ctx-route --execution=' "bad value '' of --execution, expected an id"
    refuses 'ctx-route --execution' "option '--execution' needs a value: ID"
    refuses 'ctx-route --separate' "unknown option '--separate', did you mean '--separate-trace'?"
    refuses 'ctx-route --ephemeral=yes' "option '--ephemeral' takes no value"
    spec <<'END'
ctx-route missing.jsonl
>>>2 ctx-route: cannot open 'missing.jsonl': No such file or directory
>>>= 66
END
}

@test "ctx-route: the report counts what was dropped" {
    { user ask; acts '' "$(call c1 t '{}')"; gets c1 r; says answer; } >in
    spec <<'END'
ctx-route --ephemeral --report report.json -v in >/dev/null; cat report.json
>>> {"command":"ctx-route","dropped":2,"records":4,"messages":4,"written":2,"changed":2,"added":0,"bad":0,"status":0}
>>>2 ctx-route: 4 records, 4 messages in; 2 messages out, 2 changed; 0 records added
>>>+ report.json
END
}

# --- laws

# Each line of the fixtures is read with each of these.
modes=('' '--execution e9' '--separate-trace' '--ephemeral' '--next-execution' '--separate-trace --next-execution')

# route_all MODE INPUT...: routes each file into a file of the same name in the folder routed.
route_all() {
    local mode=$1 file
    shift
    rm -rf routed
    mkdir routed
    for file; do
        # shellcheck disable=SC2086
        ctx-route $mode "$file" >"routed/${file##*/}" 2>/dev/null || [[ $? == 65 ]]
    done
}

@test "ctx-route: twice is once, and no pair is broken" {
    local mode
    (cd "$FIXTURES" && pair_facts ./*.jsonl) >before
    [[ -s before ]]
    for mode in "${modes[@]}"; do
        printf '%s\n' "$mode"
        route_all "$mode" "$FIXTURES"/*.jsonl
        (cd routed && pair_facts ./*.jsonl) >after
        same 'broken pairs' /dev/null <(comm -13 before after)
        mv routed once
        route_all "$mode" once/*
        diff -r once routed
        rm -r once
    done
}

# conversations FILE...: the conversation view of each, without metadata.
conversations() {
    local file
    rm -rf views
    mkdir views
    for file; do
        ctx-project --view conversation "$file" >"views/${file##*/}" 2>/dev/null || [[ $? == 65 ]]
    done
    awk 'FNR == 1 { name = FILENAME; sub(/.*\//, "", name); print "\"" name "\"" } { print }' views/* | content
}

@test "ctx-route: the conversation stays what it was" {
    local mode files
    mapfile -t files < <(readable)
    conversations "${files[@]}" >before
    (($(wc -l <before) > 100 + ${#files[@]}))
    for mode in '' --separate-trace --ephemeral --next-execution '--separate-trace --next-execution'; do
        printf '%s\n' "$mode"
        route_all "$mode" "${files[@]}"
        conversations "${files[@]/#*\//routed/}" >after
        same 'conversation' before after
    done
}

@test "ctx-route: nothing but metadata is added" {
    local files
    mapfile -t files < <(readable)
    route_all --separate-trace "${files[@]}"
    files=("${files[@]##*/}")
    same 'lines' <(cd "$FIXTURES" && wc -l "${files[@]}") <(cd routed && wc -l "${files[@]}")
    same 'content' <(cd "$FIXTURES" && named_lines "${files[@]}" | content) <(cd routed && named_lines "${files[@]}" | content)
}

# readable: the fixtures that jq can read; not those that nest deeper than it goes, or hold escapes
# that it refuses.
readable() {
    find "$FIXTURES" -maxdepth 1 -name '*.jsonl' ! -name hostile-deep.jsonl ! -name hostile-escapes.jsonl | sort
}

# content: what comes in without its metadata; a line that is not JSON as a string.
content() {
    jq -R -c 'fromjson? // . | if type == "object" then del(.metadata, ._metadata) else . end'
}

# More spans than one write takes, changed and unchanged records mixed, in blocks of many lines.
@test "ctx-route: a long stream of changed and unchanged messages" {
    awk 'BEGIN {
        for (i = 0; i < 60000; i++) {
            printf "{\"role\":\"user\",\"content\":\"%d\"", i
            if (i % 3) printf ",\"metadata\":{\"origin\":\"user\",\"execution_id\":\"e\",\"section\":\"messages\"}"
            print "}"
        }
    }' >in
    ctx-route --separate-trace --execution e in >out
    sed 's/"}$/","metadata":{"origin":"user","execution_id":"e","section":"messages"}}/; s/messages","metadata.*/messages"}}/' in >expected
    same 'stream' expected out
    ctx-route --separate-trace out >again
    same 'the second run' out again
}

@test "ctx-route: a stream takes less than 8 MB, whatever its length" {
    local file=$BATS_TEST_TMPDIR/long mode
    cat "$FIXTURES"/route-*.jsonl >"$file"
    for ((i = 0; i < 12; i++)); do cat "$file" "$file" >"$file.twice" && mv "$file.twice" "$file"; done
    [[ $(stat -c %s "$file") -gt 10000000 ]]
    # shellcheck disable=SC2016
    nm "$CTX_BIN/ctx-route" | grep -q __asan && skip 'the sanitizers take more'
    for mode in '' --separate-trace --ephemeral --next-execution; do
        # shellcheck disable=SC2086
        (ulimit -v 16000 && ctx-route $mode "$file" | tail -n 1 >out)
        [[ -s out ]]
    done
}

@test "ctx-route: tools whose names begin alike are told apart" {
    { user a; wants c1:read_file_whole c2:read_file_by_line; gets c1 x; gets c2 y; } >in
    [[ $(ctx-route in | jq -r '.metadata.tool_name // "-"' | paste -sd' ') == '- - read_file_whole read_file_by_line' ]]
}

@test "ctx-route: a message that calls two tools, whose names are equally long, has no one tool" {
    {
        user a
        raw '{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{}"}},{"id":"c2","type":"function","function":{"name":"grep","arguments":"{}"}}]}'
    } >in
    makes 'ctx-route' "1: $asked" "2: $called is_trace"
}

# --- the log that a step continues

@test "ctx-route: --log: executions, tools and open calls are those of the log" {
    { user a; calls c1 read '{"path":"x"}'; } >step1
    { gets c1 r; user steer; calls c2 grep '{}'; } >step2
    { gets c2 r; says b; } >step3
    { user c; says d; } >step4
    cat step1 step2 step3 step4 >in
    for step in step1 step2 step3 step4; do ctx-route --log log <$step >>log; done
    same 'log' <(ctx-route in) log
    rm log
    ctx-route --execution e1 <step1 >log
    for step in step2 step3; do ctx-route --log log <$step >>log; done
    same 'one execution' <(cat step1 step2 step3 | ctx-route --execution e1) log
    ctx-route --log log step4 | jq -c .metadata.execution_id >ids
    same 'the next one' <(printf 'null\nnull\n') ids
    ctx-route --execution e2 --log log step4 >out
    same 'its id' <(ctx-route --execution e2 step4) out
}

@test "ctx-route: --log: a result stays with its call, which stands in the log" {
    { user a; calls c1 read '{"path":"x"}'; } | ctx-route --separate-trace >log
    { gets c1 r; calls c2 read '{"path":"y"}'; gets c2 s; says b; } >in
    makes 'ctx-route --ephemeral --log log' \
        '1: origin=tool_result tool_name=read is_trace section=execution_buffer' \
        '4: origin=assistant section=messages'
    makes 'ctx-route --separate-trace --next-execution --log log' \
        '1: origin=tool_result tool_name=read is_trace section=execution_buffer' \
        '4: origin=assistant section=messages'
}

@test "ctx-route: --log: a torn last line of the log is noticed, and nothing is appended to it" {
    { user a; printf '{"role":"assistant","con'; } >log
    cp log before
    user b >in
    status_of 65 ctx-route --log log in >>log 2>said
    same 'the log' before log
    same 'said' - said <<'END'
ctx-route: log:2: unexpected end, at byte 25
ctx-route: log: the last line has no end; end it, or cut it off, before more is appended
END
    status_of 65 ctx-route --log log in 2>said >out
    same 'the step' <(ctx-route in) out
    same 'said' <(echo 'ctx-route: log:2: unexpected end, at byte 25') said
    # A whole message without a line feed would be joined to the next one.
    { user a; printf '%s' "$(says c)"; } >log
    status_of 65 ctx-route --log log in >>log 2>said
    same 'said' <(echo 'ctx-route: log: the last line has no end; end it, or cut it off, before more is appended') said
    echo >>log
    ctx-route --log log in >>log
    [[ $(wc -l <log) == 3 ]]
}

@test "ctx-route: --log: what is no log, and a log that would be destroyed" {
    user a >in
    refuses 'ctx-route --log -' "bad value '-' of --log, expected a file"
    user a >log
    status_of 64 ctx-route --log log --report log in >out 2>said
    status_of 64 ctx-route --log log --bad-lines drop --bad-file ./log in >out 2>>said
    same 'the log' <(user a) log
    status_of 64 ctx-route --log log in >log 2>>said
    status_of 66 ctx-route --log missing in >out 2>>said
    [[ ! -s out ]]
    { echo '{bad'; user b; } >log
    status_of 65 ctx-route --log log in >out 2>>said
    same 'the step' <(ctx-route in) out
    same 'said' - said <<'END'
ctx-route: 'log' is an input file; try 'ctx-route --help'
ctx-route: './log' is an input file; try 'ctx-route --help'
ctx-route: standard output overwrites 'log'; append to it (>>); try 'ctx-route --help'
ctx-route: cannot open 'missing': No such file or directory
ctx-route: log:1: expected a member name, at byte 2
END
    # The log is named, since the step is read besides it.
    raw '{"x":1}' >log
    status_of 65 ctx-route --log log in 2>said >out
    same 'foreign' <(echo 'ctx-route: log: no messages') said
    same 'the step' <(ctx-route in) out
    cp "$FIXTURES/claude-code-parallel.jsonl" log
    status_of 65 ctx-route --log log in 2>said >out
    same 'a dialect' <(echo 'ctx-route: log: no messages; looks like claude-code, try ctx-normalize --from claude-code log >NEW') said
}
