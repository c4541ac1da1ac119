#!/usr/bin/env bats
#
# The notation of dialogue.bash itself: what its words write, held against jq, and that an expectation
# that is not met fails.
#
# shellcheck disable=SC1003

load helper
load dialogue

@test "dialogue: each word writes one line, as jq prints it" {
    {
        user 'Look at "a.c".' '"pinned":true' | sed 's/"a.c"/\\"a.c\\"/'
        says '[{"type":"text","text":"one"}]'
        says null '"x":[1]'
        system 'Be brief.'
        developer Go.
        context 'You keep lamps.'
        calls c1 read a.c
        calls c2 bash '{"command":"printf \"a\\n\""}' '"execution_id":"e1"'
        acts 'I look.' "$(call c1 read a.c)" "$(call c2 look '{}')" '"is_trace":true'
        wants a:f b:0:g '"x":1'
        gets c1 'a\nb' '"is_error":true'
        raw '[1,2]'
        artifact '' read a.c 'ok, 9 B'
        brief '' read a.c 'ok, 9 B'
        summary 2 kept=1 covers=2-3,5 read=a.c,b.c unresolved='make failed'
        summary 1 kept=0 covers=4 as='"agent_id":"x"'
        budget window=100 used=60 output=10 soft=50 reasons=soft_threshold hard_stop=true
    } >in
    same 'lines' <(jq -c . in) in
    [[ $(wc -l <in) == 17 ]]
    same 'nested' <(printf 'printf "a\\n"') <(sed -n 8p in | jq -j '.tool_calls[0].function.arguments | fromjson.command')
    same 'times' <(printf 'ababab') <(repeat 3 ab)
    same 'budget' <(echo '[30,true,true]') <(tail -n 1 in | jq -c '[.remaining, .over_soft_threshold, .compact]')
}

# changes CHANGES FILTER: line 2 of in with the changes is what jq makes of it.
changes() {
    expect "2: $1"
    same "$1" <(sed -n 2p in | jq -c "$2") expected
}

@test "dialogue: what an item changes is what jq changes" {
    { user Go.; gets c1 'a\n\"b\" \\' '"execution_id":"e1","facts":{"n":[1]},"tool_name":"read"'; } >in
    changes 'compacted' '.metadata.compacted = true'
    changes 'execution_id=#2' '.metadata.execution_id = "#2"'
    changes 'tool_name=x is_error=false n=-1.5 ids=["a"]' \
        '.metadata.tool_name = "x" | .metadata.is_error = false | .metadata.n = -1.5 | .metadata.ids = ["a"]'
    changes 'content -> [cut: 9 bytes] -> x' '.content = "[cut: 9 bytes] -> x"'
    changes 'compacted tool_call_id -> c2' '.metadata.compacted = true | .tool_call_id = "c2"'
    { user Go.; calls c1 write '{"path":"a \"b\" \\.c","content":"x\n\\\"y\"\\"}'; } >in
    changes 'content -> Writing.' '.content = "Writing."'
    changes 'compacted arguments.content -> [removed]' \
        '.metadata.compacted = true | .tool_calls[0].function.arguments |= (fromjson | .content = "[removed]" | tojson)'
    changes 'arguments.path -> b.c' '.tool_calls[0].function.arguments |= (fromjson | .path = "b.c" | tojson)'
    changes 'arguments -> {}' '.tool_calls[0].function.arguments = "{}"'
    # And nothing but that: spaces and the end of the line stay.
    { user Go.; printf ' { "role" : "user" , "content" : "a" , "_metadata":{ "x" : 1.50} } \r'; } >in
    expect '2: y=2 content -> b'
    same 'spaces' <(printf ' { "role" : "user" , "content" : "b" , "_metadata":{ "x" : 1.50,"y":2} } \r') expected
}

@test "dialogue: an expectation that is not met fails" {
    { user One.; user Two.; } >in
    makes 'cat' 1-2
    makes 'cat; echo said >&2; touch left; false; cat <' 1-2 '>>>2 said' '>>>+ left'
    rm left
    local -a wrong=(
        "makes 'cat' 1" "makes 'cat' 1-2 2" "makes 'cat' 2 1" "makes 'cat' 1 '2: pinned'" "makes 'head -n 1' 1-2"
        "makes 'cat' 1-2 '>>>= 1'" "makes 'cat' 1-2 '>>>2 said'" "makes 'cat' 1-2 '>>>+ left'" "makes 'rm in; :'"
        "makes 'cat' 1 '2: text -> x'" "makes 'touch new; cat' 1-2" "keeps 'head -n 1'" "keeps 'tr O o <'"
        "refuses 'cat' 'nothing'"
    )
    local case
    for case in "${wrong[@]}"; do
        ! eval "$case" >said || fail "this should fail: $case"
        rm -f new said
        { user One.; user Two.; } >in
    done
}
