#!/usr/bin/env bats
#
# ctx-route --set and --where: which metadata rules write, of which messages, and what follows from it.

load helper
load dialogue

# Three turns: a call of bash that fails, two calls of read, an answer alone.
talk() {
    user 'Mend it.' '"id":"m1"'                                               # 1
    calls c1 bash '{"command":"make"}'; gets c1 'Error 2' '"is_error":true'   # 2 3
    says 'It does not build.'                                                 # 4
    user 'Read them.'                                                         # 5
    acts 'I look.' "$(call c2 read a.c)" "$(call c3 read b.c)"                # 6
    gets c2 'int a;'; gets c3 'int b;'                                        # 7 8
    says 'Two variables.'                                                     # 9
    user Thanks.                                                              # 10
    says Bye.                                                                 # 11
}

# sets LINES OPTIONS...: which lines of in have a member x after the rules, by number.
sets() {
    local expected=$1
    shift
    ctx-route "$@" in >set
    same "$*" <(echo "$expected") \
        <(jq -r 'select(.metadata.x != null) | input_line_number' set | paste -s -d ' ')
}

# values OPTIONS...: the metadata of the one message in the file in, without its origin.
values() {
    ctx-route "$@" in | jq -c '.metadata | del(.origin)'
}

# --- What is written ---------------------------------------------------------------------------

@test "ctx-route --set: a VALUE that is JSON is that value, anything else is text (design 5: --set)" {
    user 'Hi.' >in
    [[ $(ctx-route --set n=42 --set s='"42"' --set w=abc --set 'l=[1, {"a" : 2}]' --set t=true --set z=null --set f=1.50 in) == \
        *'"metadata":{"n":42,"s":"42","w":"abc","l":[1,{"a":2}],"t":true,"z":null,"f":1.50,"origin":"user"}}' ]]
    [[ $(values --set 'a={"a":1' --set 'b=1 2' --set 'c= x ' --set d=01 --set 'e="' --set f=' ' --set g==) == \
        '{"a":"{\"a\":1","b":"1 2","c":" x ","d":"01","e":"\"","f":" ","g":"="}' ]]
    ctx-route --set $'l=[1,\n2]' --set $'"a\tb\\=é' in >out
    [[ $(wc -l <out) == 1 ]]
    [[ $(jq -c '.metadata | keys_unsorted' out) == '["l","\"a\tb\\","origin"]' ]]
}

@test "ctx-route --set: an empty VALUE removes the member, wherever and however often it stands" {
    raw '{"role":"user","content":"a","metadata":{"x":1,"origin":"user"}}' \
        '{"role":"user","content":"b","metadata":{ "origin":"user" , "x" : [1] }}' \
        '{"role":"user","content":"c","metadata":{"x":1,"\u0078":2,"y":3,"x":4,"origin":"user"}}' \
        '{"role":"user","content":"d","metadata":{"origin":"user"}}' \
        '{"role":"user","content":"e","x":1,"metadata":{"x":1}}' \
        '{"role":"user","content":"f"}' >in
    spec <<'END'
ctx-route --set x= in
>>> {"role":"user","content":"a","metadata":{"origin":"user"}}
>>> {"role":"user","content":"b","metadata":{ "origin":"user"  }}
>>> {"role":"user","content":"c","metadata":{"y":3,"origin":"user"}}
>>> {"role":"user","content":"d","metadata":{"origin":"user"}}
>>> {"role":"user","content":"e","x":1,"metadata":{"origin":"user"}}
>>> {"role":"user","content":"f","metadata":{"origin":"user"}}
END
    # Another value is there once.
    makes 'ctx-route --set x=9 | sed -n 3p' '{"role":"user","content":"c","metadata":{"x":9,"y":3,"origin":"user"}}'
    # What is taken out is derived again, where ctx-route writes it.
    raw '{"role":"user","content":"a","metadata":{"origin":"injected"}}' >in
    makes 'ctx-route --set origin=' '1: origin=user'
}

@test "ctx-route --set: all other bytes stay, and a member that says so already stays too" {
    raw '{ "role" : "user","content":"\u0061","x":1.50,"metadata":{"n" : 1.0 , "origin":"us\u0065r","l":[ 1, 2 ]} , "y":{}}' \
        '{"type":"context","x":1}' '{"type":"budget","used_tokens":1}' '[1, 2]' '' >in
    keeps 'ctx-route --set n=1.0 --set origin=user --set l=[1,2] --set pinned='
    keeps 'ctx-route --set n=1.0 --set l=[1,2] --where turn\>0'
    spec <<'END'
ctx-route --set n=1 --set pinned=true in | head -n 1
>>> { "role" : "user","content":"\u0061","x":1.50,"metadata":{"n" : 1 , "origin":"us\u0065r","l":[ 1, 2 ],"pinned":true} , "y":{}}
END
}

@test "ctx-route --set: bad lines, CRLF, a byte order mark and a last line without end pass" {
    printf '\xef\xbb\xbf{"role":"user","content":"a"}\r\n{torn\n\n{"role":"user","content":"b"}' >in
    spec <<'END'
ctx-route --set x=1 --where turn=-1 --where text~a in
>>>$- \xef\xbb\xbf{"role":"user","content":"a","metadata":{"x":1,"origin":"user"}}\r\n{torn\n\n{"role":"user","content":"b","metadata":{"x":1,"origin":"user"}}
>>>2 ctx-route: in:2: expected a member name, at byte 2
>>>= 65
END
}

# --- Which rules hold --------------------------------------------------------------------------

@test "ctx-route --where: a run of them governs the run of --set before it; without one a rule holds for all" {
    talk >in
    sets '1 2 3 4 5 6 7 8 9 10 11' --set x=1
    sets '1 3 7 8' --set x=1 --where id=m1 --where role=tool
    sets '3' --set x=1 --where role=tool,error
    sets '1 5 10' --set a=1 --where role=tool --set b=1 --set x=1 --where role=user
    [[ $(ctx-route --set a=1 --set b=1 --where role=tool --where final --set c=1 in |
        jq -c '.metadata | [.a, .b, .c]' | sort | uniq -c | tr -s ' ') == $' 6 [1,1,1]\n 5 [null,null,1]' ]]
}

@test "ctx-route --where: each message by itself, and never its group" {
    talk >in
    sets 3 --set x=1 --where error
    sets 6 --set x=1 --where tool=read,role=assistant
    sets '6 7 8' --set x=1 --where tool=read
}

@test "ctx-route --set: all rules that hold apply, the last wins" {
    talk >in
    [[ $(ctx-route --set x=1 --set y=1 --where role=user --set x=2 --where id=m1 --set y= --where 'turn=2' in |
        jq -c 'select(.role == "user").metadata | [.x, .y]' | paste -s -d ' ') == '[2,1] [1,null] [1,1]' ]]
    [[ $(ctx-route --set x=2 --where id=m1 --set x=1 in | jq -c .metadata.x | sort -u) == 1 ]]
    [[ $(ctx-route --set x=1 --set x=2 in | jq -c .metadata.x | sort -u) == 2 ]]
}

@test "ctx-route --set: a member that stands twice stands once then, for readers of the first and of the last" {
    raw '{"role":"user","content":"One","metadata":{"pinned":true,"id":"a","pinned":false,"origin":"user","p\u0069nned":7}}' >in
    ctx-route --set pinned=true in >out
    same 'true' <(raw '{"role":"user","content":"One","metadata":{"pinned":true,"id":"a","origin":"user"}}') out
    same 'once more' out <(ctx-route --set pinned=true out)
    ctx-route --set pinned=false in >out
    same 'false' <(raw '{"role":"user","content":"One","metadata":{"pinned":false,"id":"a","origin":"user"}}') out
    ! ctx-select -c pinned out || fail 'it is pinned'
}

@test "ctx-route --where: selectors see messages as they came in, every kind of term" {
    talk >in
    sets '' --set origin=injected --where role=user --set x=1 --where origin=injected
    sets '' --set pinned=true --set x=1 --where pinned
    sets '10 11' --set is_error=true --where role=tool --set x=1 --where turn=-1
    sets '5 6 7 8 9 10 11' --set x=1 --where 'turn>-3'
    sets '4 9 11' --set x=1 --where final
    sets '2 3' --set x=1 --where unresolved
    sets '10 11' --set x=1 --where execution=last
    sets '3' --set x=1 --where 'text~^Error'
    sets '1' --set x=1 --where meta.id=m1
    sets '6' --estimator bytes/4 --set x=1 --where 'tokens>11,origin=tool_call'
    # A rule that takes an id away, and one that looks at the failure that the id resolves.
    {
        user 'Go.'; calls c1 t '{"a":1}'; gets c1 no '"is_error":true,"id":"f"'
        says 'Well.' '"resolves":"f"'; user 'Next.'
    } >in
    sets '' --set resolves= --set id= --where role=assistant --where role=tool --set x=1 --where unresolved
}

@test "ctx-route --set: messages of sub-agents, artifacts and unknown roles get what rules say, and nothing else" {
    raw '{"role":"user","content":"Go."}' \
        '{"role":"assistant","content":"x","metadata":{"parent_execution_id":"e1"}}' \
        '{"role":"assistant","content":"y","metadata":{"kind":"summary"}}' \
        '{"role":"narrator","content":"z"}' >in
    makes 'ctx-route --set x=1' '1: x=1 origin=user' '2: x=1' '3: x=1' '4: x=1'
    makes 'ctx-route --set x=' '1: origin=user' 2-4
}

# --- What follows ------------------------------------------------------------------------------

# leaves OPTIONS...: the roles of what is left in the log when buffers are dropped.
leaves() {
    ctx-route --ephemeral "$@" in | jq -r .role | paste -s -d ' '
}

@test "ctx-route --set: what a rule says holds for the rest of the route: failures and pins" {
    { user 'Go.'; calls c1 t '{"a":1}'; gets c1 'not good'; says 'Done.'; user 'Next.'; } >in
    [[ $(leaves) == 'user assistant user' ]]
    [[ $(leaves --set is_error=true --where 'text~not good') == 'user assistant tool assistant user' ]]
    ctx-route --set is_error=true --where role=tool --resolve c1 in >out
    [[ $(jq -c 'select(.role == "tool").metadata | [.is_error, .resolved]' out) == '[true,true]' ]]
    { user 'Go.'; calls c1 t '{"a":1}'; gets c1 'no match' '"is_error":true'; says 'Done.'; user 'Next.'; } >in
    [[ $(leaves) == 'user assistant tool assistant user' ]]
    [[ $(leaves --set is_error= --where 'text~^no match') == 'user assistant user' ]]
    [[ $(leaves --set is_error=false) == 'user assistant user' ]]
    [[ $(leaves --set is_error= --set pinned=true --where role=tool) == 'user assistant tool assistant user' ]]
}

@test "ctx-route --set: origin decides about turns, parent_execution_id about threads" {
    { user 'Go.'; says 'Well?'; user '<env>'; calls c1 t '{"a":1}'; gets c1 ok; says 'Done.'; } >in
    ctx-route --set origin=injected --where 'text~^<env>' in >out
    [[ $(ctx-select --count turn=2 in) == 4 ]]
    status_of 1 ctx-select --count turn=2 out >count
    [[ $(ctx-route --set parent_execution_id=e1 --set agent_id=a --where tool=t in |
        jq -c 'select(.metadata.agent_id).metadata' | sort -u) == '{"parent_execution_id":"e1","agent_id":"a"}' ]]
}

@test "ctx-route --set: origin, execution_id, tool_name, is_trace, section: what a rule says is what is written" {
    { user 'Go.'; calls c1 t '{"a":1}'; gets c1 ok; says 'Half.'; says 'Done.'; } >in
    ctx-route --separate-trace --set section=messages --where trace --where text~Half in >out
    [[ $(jq -r .metadata.section out | sort -u) == messages ]]
    [[ $(leaves --set section=messages --where tool=t) == 'user assistant tool assistant' ]]
    ctx-route --separate-trace --set section=messages --where trace --where text~Half out >twice
    cmp out twice
    # A section that is taken away is one that nobody says.
    ctx-route --separate-trace --set section= out | jq -r .metadata.section | paste -s -d ' ' >sections
    [[ $(<sections) == 'messages execution_buffer execution_buffer execution_buffer messages' ]]
    ctx-route --separate-trace --set section=memory --where role=user in | jq -r .metadata.section | paste -s -d ' ' >sections
    [[ $(<sections) == 'memory execution_buffer execution_buffer execution_buffer messages' ]]
    [[ $(ctx-route --execution e1 --set execution_id=e2 --set tool_name=u --set is_trace=false in |
        jq -c '.metadata | [.execution_id, .tool_name, .is_trace]' | sort -u) == '["e2","u",false]' ]]
    [[ $(ctx-route --set origin=system in | jq -r .metadata.origin | sort -u) == system ]]
}

@test "ctx-route --set: a section that a rule says settles no other message" {
    { user 'Go.'; calls c1 t '{"a":1}' '"section":"messages"'; gets c1 ok; } >in
    [[ $(ctx-route --separate-trace --set section=messages --where role=user in | jq -r .metadata.section | paste -s -d ' ') == \
        'messages execution_buffer execution_buffer' ]]
    { user 'Go.'; says 'Half.'; says 'Done.'; user 'Next.'; } >in
    [[ $(ctx-route --separate-trace --set section=messages --where text~Done in | jq -r .metadata.section | paste -s -d ' ') == \
        'messages execution_buffer messages messages' ]]
}

@test "ctx-route --set: with --log the log is the beginning, and stays as it is" {
    talk | head -n 6 >log
    talk | tail -n +7 >step
    cp log before
    ctx-route --log log --set x=1 --where tool=read --where turn=3 step >out
    cmp log before
    [[ $(jq -c '.metadata.x' out | paste -s -d ' ') == '1 1 null 1 1' ]]
    ctx-route --log log --set x=1 --where 'turn>-2' step >out
    [[ $(jq -c '.metadata.x' out | paste -s -d ' ') == 'null null null 1 1' ]]
    ctx-route --log log --set x=1 --where final --where unresolved step >>log
    [[ $(jq -c 'select(.metadata.x).content' log | paste -s -d ' ') == '"Two variables." "Bye."' ]]
}

@test "ctx-route --set: the report counts what changed, and what --hold gave up" {
    talk >in
    ctx-route --report report --hold 2msgs --set x=1 --where unresolved in >out
    [[ $(jq -c '[.messages, .written, .changed, .given_up]' report) == '[11,11,11,1]' ]]
}

# --- What waits --------------------------------------------------------------------------------

@test "ctx-route --where: a message waits until all rules are certain, and no longer" {
    talk >in
    lets_out 11 ctx-route --set x=1 --where role=tool
    lets_out 11 ctx-route --set x=1 --where tool=read
    lets_out 4 ctx-route --set x=1 --where 'turn>-3'
    lets_out 10 ctx-route --set x=1 --where final
    lets_out 1 ctx-route --set x=1 --where unresolved
    lets_out 11 ctx-route --hold 2msgs --set x=1 --where unresolved
    lets_out 9 ctx-route --set x=1 --where execution=last
    lets_out 4 ctx-route --set x=1 --where role=tool --set y=1 --where 'turn>-3'
}

# --- What is refused ---------------------------------------------------------------------------

@test "ctx-route --set: malformed rules are refused before anything is read" {
    local deep
    refuses 'ctx-route --where role=user' '--where requires an earlier --set'
    refuses 'ctx-route --where role=user --set x=1' '--where requires an earlier --set'
    refuses 'ctx-route --set x' "bad value 'x' of --set, expected KEY=VALUE"
    refuses 'ctx-route --set =x' "bad value '=x' of --set, expected KEY=VALUE"
    refuses "ctx-route --set ''" "bad value '' of --set, expected KEY=VALUE"
    refuses 'ctx-route --set' "option '--set' needs a value: KEY=VALUE"
    status_of 64 ctx-route --set $'x=\xff' </dev/null >out 2>said
    [[ $(<said) == *'of --set, expected UTF-8 text; try '* ]]
    status_of 64 ctx-route --set x=1 --where role=tool,pined </dev/null >out 2>said
    [[ $(<said) == "ctx-route: bad value 'role=tool,pined' of --where: unknown term 'pined', did you mean 'pinned'?; try 'ctx-route --help'
ctx-route:     role=tool,pined
ctx-route:               ^" ]]
    refuses 'ctx-route --estimator usage --set x=1 --where tokens\>9' '--estimator usage counts whole sessions, not single messages'
    # With the two levels of a record around it, the value has 1,024 at most.
    deep=$(printf '[%.0s' {1..1022})$(printf ']%.0s' {1..1022})
    user Hi. >in
    ctx-route --set "x=$deep" in >once
    ctx-route --set "x=$deep" once >twice
    cmp once twice
    status_of 64 ctx-route --set "x=[$deep]" in >out 2>said
    [[ ! -s out && $(<said) == *'expected JSON that nests less deep;'* ]]
}

@test "ctx-route --set: a value of the wrong type for a name of ctx-message(5) is refused" {
    local pair
    user Hi. >in
    for pair in pinned=yes pinned=1 pinned='"true"' pinned=null critical=maybe is_error=no is_trace=[] compacted=1 \
        origin=robot origin=1 origin=User id=42 section=7 kind=true scope={} execution_id=9 agent_id=null session_id=1 \
        parent_execution_id=[] tool_name=3 archived=1 resolved=maybe resolved=[1] resolves=7 resolves='["a",1]' \
        facts=x usage=[] tokens=many timestamp=soon timestamp=true call_keys=x call_keys=[1] tool_calls=x \
        tool_call_id=1 tool_result=1 'forgets=[1]' forgets=7 forgets=null parent_id=1 'parent_id=["a"]' parent_id=true; do
        status_of 64 ctx-route --set "$pair" in >out 2>said
        [[ ! -s out && $(<said) == "ctx-route: bad value '$pair' of --set, expected "*"; try 'ctx-route --help'" ]] || fail "$pair: $(<said)"
    done
    for pair in pinned=true critical=false is_error=true is_trace=false compacted=true origin=user origin=injected id='"42"' \
        id=m1 section=messages kind=note scope=historical execution_id=e agent_id=a session_id=s parent_execution_id=e \
        tool_name=t archived=k resolved=true 'resolved=["c1"]' resolves=c1 'resolves=["c1","c2"]' 'facts={"a":1}' \
        'usage={"input_tokens":1}' tokens=7 timestamp=2025-04-01T08:00:00Z timestamp=1743494400 'call_keys=["k"]' \
        forgets=m1 'forgets=["m1","m2"]' parent_id=m1 parent_id=null user_id=42 mine=null; do
        ctx-route --set "$pair" in >out
        [[ $(jq -c ".metadata.${pair%%=*}" out) == "$(jq -cn --arg v "${pair#*=}" '$v | fromjson? // if . == "false" then false elif . == "null" then null else . end')" ]] ||
            fail "$pair: $(<out)"
    done
    refuses 'ctx-route --set pinned=yes' "bad value 'pinned=yes' of --set, expected true or false"
    refuses 'ctx-route --set origin=robot' "bad value 'origin=robot' of --set, expected user, assistant, tool_call, tool_result, summary, system, error or injected"
    refuses 'ctx-route --set parent_id=1' "bad value 'parent_id=1' of --set, expected an id, such as '\"42\"', or null"
    refuses 'ctx-route --set forgets=[1]' "bad value 'forgets=[1]' of --set, expected an id, or an array of ids"
    refuses 'ctx-route --set id=42' "bad value 'id=42' of --set, expected a string, such as '\"42\"'"
}

@test "ctx-route --set: so many rules, and no more" {
    local -a options=()
    local n
    user Hi. >in
    for ((n = 0; n < 256; n++)); do options+=(--set "k$n=$n"); done
    [[ $(ctx-route "${options[@]}" in | jq '.metadata | length') == 257 ]]
    status_of 64 ctx-route "${options[@]}" --where role=user in >out 2>said
    [[ $(<said) == "ctx-route: too many times --where, 256 are the most; try 'ctx-route --help'" ]]
}
