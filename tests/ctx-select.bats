#!/usr/bin/env bats
#
# ctx-select: which messages a selector lets pass, how long it waits, and what a wrong selector says.

load helper
load dialogue
long=${long?}

# Two executions: in the first two parallel calls, one of which fails; in the second one call.
talk() {
    system 'Be brief.'                                                                 # 1
    user 'Read them.'                                                                  # 2
    acts 'I look.' "$(call c1 read a.c)" "$(call c2 grep b.c)"                         # 3
    gets c2 'no such file' '"is_error":true'                                           # 4
    gets c1 "$long"                                                                    # 5
    says 'One is there.'                                                               # 6
    user 'Write it.' '"id":"m7"'                                                       # 7
    calls c3 write a.c '"section":"buffer"'                                            # 8
    gets c3 'done'                                                                     # 9
    says 'Written.'                                                                    # 10
}

# --- What is selected --------------------------------------------------------------------------

@test "ctx-select: a call and its results are selected together" {
    talk >in
    makes 'ctx-select tool=grep' 3-5
    makes 'ctx-select role=tool' 3-5 8-9
    makes "ctx-select 'text~^done'" 8-9
    makes 'ctx-select error' 3-5
    makes 'ctx-select section=buffer' 8-9
    makes 'ctx-select role=system' 1
}

@test "ctx-select: exact selects single messages" {
    talk >in
    makes 'ctx-select --exact role=tool' 4-5 9
    makes 'ctx-select -x error' 4
    makes 'ctx-select -x id=c1' 5
    makes 'ctx-select -x role=tool,!error' 5 9
}

@test "ctx-select: all terms must hold, one of the selectors must, none that rejects may" {
    talk >in
    makes 'ctx-select role=user,id=m7' 7
    makes 'ctx-select -e role=system -e final' 1 6 10
    makes 'ctx-select --reject trace' 1-2 6-7 10
    makes 'ctx-select -e role=user -e trace --reject tool=grep --reject id=m7' 2 8-9
}

@test "ctx-select: invert writes the others" {
    talk >in
    makes 'ctx-select --invert tool=grep' 1-2 6-10
    makes 'ctx-select --invert -x role=tool' 1-3 6-8 10
    makes 'ctx-select --invert -e trace --reject tool=write' 1-2 6-10
}

@test "ctx-select: turns and executions are counted from the end" {
    talk >in
    makes 'ctx-select turn=-1' 7-10
    makes 'ctx-select "turn>-2"' 7-10
    makes 'ctx-select "turn<-1"' 1-6
    makes 'ctx-select turn=-2' 2-6
    makes 'ctx-select execution=last' 7-10
    makes 'ctx-select !execution=last' 1-6
    makes 'ctx-select turn=0' 1
}

@test "ctx-select: a failure that is resolved later is no open failure" {
    { talk; user 'Again.'; calls c4 grep b.c; gets c4 'found'; } >in
    makes 'ctx-select unresolved' '>>>= 1'
    head -n 10 in >whole
    mv whole in
    makes 'ctx-select unresolved' 3-5
    makes 'ctx-select !unresolved' 1-2 6-10
}

@test "ctx-select: a term on tokens asks the estimator" {
    talk >in
    makes 'ctx-select --estimator bytes/4 "tokens>100"' 3-5
    makes 'ctx-select --estimator bytes/4 -x "tokens>100"' 5
    refuses "ctx-select --estimator usage 'tokens>1'" '--estimator usage counts whole sessions, not single messages'
}

@test "ctx-select: messages of other agents are selected, too" {
    {
        user 'Look.'
        user 'Find it.' '"agent_id":"a1"'
        calls c1 read a.c '"agent_id":"a1"'
        gets c1 'int a;' '"agent_id":"a1"'
        says 'Done.'
    } >in
    makes 'ctx-select agent=a1' 2-4
    makes 'ctx-select !agent=a1' 1 5
}

@test "ctx-select: records that are no messages pass in their place" {
    { context 'You keep lamps.'; raw '[1, 2]'; user 'Hi.'; raw '{bad}' ''; says 'Hello.'; raw '{"type":"budget","used_tokens":3}'; } >in
    makes 'ctx-select role=user' 1-5 7 '>>>2 ctx-select: in:4: expected a member name, at byte 2' '>>>= 65'
}

# --- The count, and the status -----------------------------------------------------------------

@test "ctx-select: count prints how many messages are selected, and nothing else" {
    { talk; raw '[1, 2]'; } >in
    [[ $(ctx-select --count role=tool in) == 5 ]]
    [[ $(ctx-select -c -x role=tool in) == 3 ]]
    [[ $(status_of 1 ctx-select -c role=robot in) == 0 ]]
}

@test "ctx-select: the status is 1 when nothing is selected" {
    talk >in
    makes 'ctx-select id=m8' '>>>= 1'
    makes 'ctx-select --reject role=tool --reject !role=tool' '>>>= 1'
    : >in
    makes 'ctx-select role=user' '>>>= 1'
}

@test "ctx-select: the report counts what is selected" {
    talk >in
    ctx-select --report report -x role=tool in >out
    [[ $(jq -c '[.messages, .selected]' report) == '[10,3]' ]]
}

# --- What waits --------------------------------------------------------------------------------

@test "ctx-select: a message leaves as soon as it is certain whether it is selected" {
    talk >in
    lets_out 2 ctx-select role=user
    lets_out 3 ctx-select tool=grep
    lets_out 5 ctx-select origin=tool_call
    lets_out 4 ctx-select 'turn>1'
    lets_out 6 ctx-select 'turn<-1'
    lets_out 0 ctx-select 'turn>-2'
    lets_out 0 ctx-select execution=last
    lets_out 6 ctx-select '!execution=last'
    lets_out 1 ctx-select final
    { talk | head -n 4; } >in
    lets_out 2 ctx-select role=assistant
    lets_out 2 ctx-select role=tool
    lets_out 0 ctx-select 'text~x'
    { talk | head -n 3; } >in
    lets_out 2 ctx-select --reject error
    lets_out 3 ctx-select --exact --reject error
}

# --- Wrong selectors ---------------------------------------------------------------------------

# points SELECTOR COLUMN TEXT: the selector is refused with that text, and a caret at that column.
points() {
    status_of 64 ctx-select "$1" in >out 2>error
    [[ ! -s out ]]
    [[ $(sed -n 1p error) == "ctx-select: bad selector '"*"$3"*"; try 'ctx-select --help'" ]]
    [[ $(sed -n 2p error) == "ctx-select:     $1" ]]
    [[ $(sed -n 3p error) == "ctx-select:     $(printf '%*s' "$2" '')^" ]]
}

@test "ctx-select: a wrong selector is refused with a caret under the place" {
    talk >in
    points 'rol=user' 0 "unknown term 'rol=user'"
    points 'role=user,!pined' 11 "unknown term 'pined', did you mean 'pinned'?"
    points 'role=user,' 10 "unknown term ''"
    points 'pinned,turn>x' 12 "expected a number in 'turn>x'"
    points 'tokens>-3' 7 "expected a number in 'tokens>-3'"
    points 'error,text~a(' 11 "'a(': unmatched ("
    points 'text~(a)\1' 5 "'(a)\\1': back-references are not taken"
    points 'text~(a|b)*{9999}' 5 "'(a|b)*{9999}': the expression is too large"
    points 'meta.é=ü,rol=1' 9 "unknown term 'rol=1'"
    refuses 'ctx-select' 'expected a selector such as role=user'
    echo '{"role":"user","content":"a"}' >log.jsonl
    refuses 'ctx-select log.jsonl' "'log.jsonl' is a file: expected a selector such as role=user before it"
    refuses 'ctx-select --count ./log.jsonl' "'./log.jsonl' is a file: expected a selector such as role=user before it"
    # A selector that has a file's name stays one.
    cp log.jsonl pinned
    status_of 1 ctx-select --count pinned log.jsonl >/dev/null
    status_of 64 ctx-select -e roles=user in 2>error
    [[ $(sed -n 1p error) == "ctx-select: bad value 'roles=user' of --select: unknown term 'roles=user', did you mean 'role'?; try 'ctx-select --help'" ]]
}

@test "ctx-select: where nothing is selected, a value that is almost a known one is named" {
    local value
    printf '{"role":"%s","content":"a"}\n' user assistant >in
    for value in role=assistent,pinned origin=tool_cal kind=sumary section=mesages; do
        status_of 1 ctx-select --count "$value" in >out 2>said
        same "$value" <(echo 0) out
        grep -q "^ctx-select: nothing is selected; '${value%%,*}', did you mean '[a-z_]*=[a-z_]*'?$" said || fail "$value: $(<said)"
    done
    status_of 1 ctx-select role=asistant in >out 2>said
    same 'said' <(echo "ctx-select: nothing is selected; 'role=asistant', did you mean 'role=assistant'?") said
    [[ ! -s out ]]
    # What is known, far from all that is known, or selects, is not named.
    for value in role=tool role=function kind=note; do
        status_of 1 ctx-select --count "$value" in >out 2>said
        same "$value" /dev/null said
    done
    ctx-select --count --reject role=assistent in >out 2>said
    same 'reject' /dev/null said
}

@test "ctx-select: an expression costs the length of the text times its size, and no memory, whatever the text is" {
    local expression most=100000
    # What the sanitizers reserve is theirs.
    ! nm "$CTX_BIN/ctx-select" | grep -q __asan || most=unlimited
    perl -e 'srand 1; print qq({"role":"user","content":"$_"}\n) for "a" x 300000, join "", map { ("a", "b")[rand 2] } 1 .. 300000' >in
    for expression in 'a.*a.*a.*c' 'a[ab]{20}c' '(a|b)*a(a|b){12}c' '(a*)*c' 'a[ab]{0,400}c'; do
        status_of 1 bash -c 'ulimit -v "$2" -t 20; exec ctx-select "$1" in' - "text~$expression" "$most" >out
        [[ ! -s out ]]
    done
}

@test "ctx-select: an expression sees a text up to its first NUL" {
    spec <<'END'
ctx-select 'text~one$|three'
<<< {"role":"user","content":"one\u0000two three"}
<<< {"role":"user","content":"two\u0000three"}
>>> {"role":"user","content":"one\u0000two three"}
END
}

@test "ctx-select: of a long selector the part around the place is shown" {
    local many
    many=$(repeat 100 'role=user,')
    status_of 64 ctx-select "${many}rol=x" </dev/null 2>error
    [[ $(sed -n 2p error) == "ctx-select:     $(repeat 6 'role=user,')rol=x" ]]
    [[ $(sed -n 3p error) == "ctx-select:     $(printf '%*s' 60 '')^" ]]
    status_of 64 ctx-select $'a\e,rol=x' </dev/null 2>error
    [[ $(sed -n 2p error) == 'ctx-select:     a\x1b,rol=x' ]]
    [[ $(sed -n 3p error) == 'ctx-select:     ^' ]]
}

# Design 3, unresolved: the earlier attempts are retried, and may go.
@test "ctx-select: of the failed attempts of a call only the last is unresolved, in a stream as well" {
    local i n=40
    {
        user ask
        for ((i = 1; i <= n; i++)); do
            calls "c$i" bash '{"command":"make"}'
            gets "c$i" "$long" '"is_error":true'
            ((i % 4)) || { says Hm.; user "ask $i"; }
        done
    } >in
    same 'unresolved' <(echo "c$n") <(ctx-select --exact unresolved,role=tool in | jq -r .tool_call_id)
    same 'what is left' <(echo "c$n") <(ctx-project in | jq -r '.tool_call_id // empty')
    { calls d bash '{"command":"make"}'; gets d done; } >>in
    same 'none' <(echo 0) <(ctx-select --count unresolved in || true)
}

# Design 3, unresolved: on the same target by a tool of the same kind (any edit tool).
@test "ctx-select: a success of any tool that edits the file makes a failed edit good" {
    local tool
    user ask >start
    { cat start; calls c1 Edit '{"file_path":"src/a.c","old_string":"x"}'; gets c1 "$long" '"is_error":true'; } >failed
    for tool in 'Write {"file_path":"src/a.c"}' 'MultiEdit {"file_path":"./src/a.c"}' 'replace_in_file {"path":"src//a.c"}' \
        'str_replace_editor {"command":"create","path":"src/a.c"}' 'str_replace_editor {"command":"str_replace","path":"src/a.c"}' \
        'apply_patch {"input":"*** Begin Patch\n*** Update File: src/a.c\n*** End Patch"}'; do
        { cat failed; calls c2 "${tool%% *}" "${tool#* }"; gets c2 ok; says Done.; user Well.; } >in
        same "$tool" <(echo 0) <(ctx-select --count unresolved in || true)
        ! ctx-isolate in | grep -q '"id":"c1"' || fail "$tool: the failure is not isolated"
    done
    for tool in 'Write {"file_path":"src/b.c"}' 'Read {"file_path":"src/a.c"}' 'Bash {"command":"src/a.c"}' 'mend {"path":"src/a.c"}' \
        'str_replace_editor {"command":"view","path":"src/a.c"}'; do
        { cat failed; calls c2 "${tool%% *}" "${tool#* }"; gets c2 ok; says Done.; user Well.; } >in
        same "$tool" <(echo 2) <(ctx-select --count unresolved in)
    done
    { cat start; calls c1 Read '{"file_path":"a.c"}'; gets c1 no '"is_error":true'; calls c2 Write '{"file_path":"a.c"}'; gets c2 ok; } >in
    makes 'ctx-select unresolved' 2-3
}

@test "ctx-select: a role that is none of ours is read from the message" {
    printf '{"role":"%s","content":"1"}\n' critic user critic >in
    [[ $(ctx-select role=critic in) == "$(sed -n '1p;3p' in)" ]]
    [[ $(ctx-select '!role=critic' in) == "$(sed -n 2p in)" ]]
}

@test "ctx-select: a late result goes with its call that --hold gave up, whether or not the call is forgotten by then" {
    local len
    for len in 1 100000; do
        {
            user ask
            calls c1 peek '{}'
            for _ in {1..4}; do user "$(printf "%0${len}d" 0)"; says Yes.; done
            gets c1 late
            says Done.
        } >in
        makes 'ctx-select --hold 2msgs tool=peek' 2 11
        makes 'ctx-select --hold 2msgs role=user' 1 3 5 7 9
    done
}

# The window forgets entries that have left, from 256 kB on.
@test "ctx-select: a late result goes with its call, which is forgotten by then: of a sub-agent, and of a pinned call" {
    local who text
    text=$(printf 'x%.0s' {1..4000})
    for who in '"agent_id":"s","parent_execution_id":"e1","execution_id":"s1"' '"execution_id":"e1","pinned":true'; do
        {
            user ask
            printf '{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"peek","arguments":"{}"}}],"metadata":{%s}}\n' "$who"
            for _ in {1..200}; do says "$text"; user "$text"; done
            printf '{"role":"tool","tool_call_id":"c1","content":"late","metadata":{%s}}\n' "$who"
            says Done.
        } >in
        makes 'ctx-select tool=peek' 2 403
        [[ $(ctx-select --reject tool=peek in | grep -c 'peek\|late') == 0 ]]
        [[ $(ctx-select role=user in | grep -c 'peek\|late') == 0 ]]
        [[ $(ctx-select --reject role=user in | grep -c 'peek\|late') == 2 ]]
    done
}

@test "ctx-select: a group of very many calls is not asked anew with each of its results" {
    local selector
    awk 'BEGIN {
        printf "{\"role\":\"user\",\"content\":\"q\"}\n{\"role\":\"assistant\",\"content\":null,\"tool_calls\":["
        for (i = 0; i < 20000; i++)
            printf "%s{\"id\":\"c%d\",\"function\":{\"name\":\"bash\",\"arguments\":{\"command\":\"ls %d\"}}}", (i > 0) ? "," : "", i, i
        print "]}"
        for (i = 19999; i >= 0; i--) printf "{\"role\":\"tool\",\"tool_call_id\":\"c%d\",\"content\":\"r%d\"}\n", i, i
    }' >in
    for selector in 'path=src/**' 'text~r19999x' 'unresolved,error' 'tool=bash,path=ls'; do
        timeout 20 ctx-select "$selector" in >out || [[ $? == 1 && ! -s out ]]
    done
    timeout 20 ctx-select --invert 'text~r0x' in >out
    same 'what is not selected' in out
}
