#!/usr/bin/env bats
#
# ctx-budget: the record, its figures at their borders, what makes compaction due, and the forms that
# people and scripts get.  How messages are weighed, estimators.bats tests.

load helper
load dialogue

estimator=bytes/4 limits=

# weigh TOKENS [METADATA]: a user's message of so many tokens by bytes/4; 5 at least.
weigh() {
    printf '{"role":"user","content":"%0*d"%s}\n' $((($1 - 4) * 4)) 0 "$(metadata "${2-}")"
}

# prompt BYTES: a context record.
prompt() {
    printf '{"type":"context","system_prompt":"%0*d"}\n' "$1" 0
}

# record USED WINDOW OUTPUT SYSTEM SOFT REMAINING [REASON]...: the budget record; limits is the inside
# of its limits.
record() {
    local reasons='' reason over=false compact=false
    for reason in "${@:7}"; do
        reasons+=${reasons:+,}\"$reason\" compact=true
        [[ $reason != soft_threshold ]] || over=true
    done
    printf '{"type":"budget","estimator":"%s","context_window":%s,"used_tokens":%s,' "$estimator" "$2" "$1"
    printf '"reserved_output_tokens":%s,"reserved_system_tokens":%s,"soft_compact_threshold":%s,' "$3" "$4" "$5"
    printf '"remaining":%s,"over_soft_threshold":%s,"compact":%s,"reasons":[%s]%s}\n' "$6" "$over" "$compact" \
        "$reasons" "${limits:+,\"limits\":{$limits\}}"
}

# budget OPTION... : RECORD...: the budget of the file in, by bytes/4, is that record.
budget() {
    local -a options=()
    while [[ $1 != : ]]; do
        options+=("$1")
        shift
    done
    shift
    printf '%s\n' "${options[*]}"
    ctx-budget --estimator bytes/4 --json "${options[@]}" in >got
    same 'the budget' <(record "$@") got
}

# reasons OPTION... : REASON...: what makes compaction of the file in due.
reasons() {
    local -a options=()
    local got
    while [[ $1 != : ]]; do
        options+=("$1")
        shift
    done
    shift
    got=$(ctx-budget --brief "${options[@]}" in)
    got=${got#*left}
    [[ $got == "${1+, compact: $*}" ]] || fail "${options[*]}: expected '$*', got '$got'"
}

# --- The record ----------------------------------------------------------------------------------

@test "ctx-budget: the record stands behind the stream, which passes" {
    estimator=o200k_base
    spec <<END
ctx-budget
<<< {"role":"user", "content":"hello"}
<<< 7
<<< {"role":"assistant","content":"hello"}
>>> {"role":"user", "content":"hello"}
>>> 7
>>> {"role":"assistant","content":"hello"}
>>> $(record 10 128000 16000 0 102400 111990)
END
}

@test "ctx-budget: an empty session has a budget too" {
    estimator=o200k_base
    spec <<END
ctx-budget
>>> $(record 0 128000 16000 0 102400 112000)
END
}

@test "ctx-budget: the session's record is replaced, wherever it stood" {
    spec <<END
ctx-budget --estimator bytes/4
<<< {"type":"budget","used_tokens":1,"mine":true}
<<< {"role":"user","content":"abcd"}
<<< {"type":"budget","context_window":4000,"hard_stop":true}
<<< {"role":"user","content":"abcd"}
<<< $(record 9 128000 16000 0 102400 111991)
>>> {"role":"user","content":"abcd"}
>>> {"role":"user","content":"abcd"}
>>> $(record 10 128000 16000 0 102400 111990)
END
}

@test "ctx-budget: the output ends as the input ended" {
    spec <<END
ctx-budget --estimator bytes/4
<<<- {"role":"user","content":"abcd"}
>>> {"role":"user","content":"abcd"}
>>>- $(record 5 128000 16000 0 102400 111995)
END
    spec <<END
ctx-budget --estimator bytes/4
<<<$ {"role":"user","content":"abcd"}\r
>>>$ {"role":"user","content":"abcd"}\r
>>>$ $(record 5 128000 16000 0 102400 111995)
END
}

# --- Limits --------------------------------------------------------------------------------------

@test "ctx-budget: defaults follow from the window" {
    weigh 100 >in
    budget : 100 128000 16000 0 102400 111900
    budget --window 200k : 100 200000 16000 0 160000 183900
    # Output is a quarter of a small window, headroom 1/32, and soft what they leave.
    budget --window 64000 : 100 64000 16000 0 46000 47900
    budget --window 63996 : 100 63996 15999 0 45998 47897
    budget -w 32k : 100 32000 8000 0 23000 23900
    budget -w 1Mi : 100 1048576 16000 0 838860 1032476
}

@test "ctx-budget: the default soft threshold is what reserves and headroom leave, at most 80%" {
    weigh 100 >in
    budget --reserve-system 7600 : 100 128000 16000 7600 102400 104300
    budget --reserve-system 7601 : 100 128000 16000 7601 102399 104299
    limits='"headroom":9600' budget --headroom 9600 : 100 128000 16000 0 102400 111900
    limits='"headroom":9601' budget --headroom 9601 : 100 128000 16000 0 102399 111900
    budget -w 1000 --reserve-output 2k : 100 1000 2000 0 0 0 soft_threshold headroom window
    limits='"headroom":0' budget -w 1004 --reserve-output 0 --headroom 0 : 100 1004 0 0 803 904
}

@test "ctx-budget: used at or over the threshold makes compaction due" {
    weigh 100 >in
    budget --soft 101 : 100 128000 16000 0 101 111900
    budget --soft 100 : 100 128000 16000 0 100 111900 soft_threshold
    budget --soft 99 : 100 128000 16000 0 99 111900 soft_threshold
    budget --soft 0 : 100 128000 16000 0 0 111900 soft_threshold
}

@test "ctx-budget: less remaining than the headroom makes compaction due" {
    weigh 100 >in
    limits='"headroom":650' budget -w 1000 --soft 1000 --headroom 650 : 100 1000 250 0 1000 650
    limits='"headroom":651' budget -w 1000 --soft 1000 --headroom 651 : 100 1000 250 0 1000 650 headroom
    # The default, 2k but at most 1/32 of the window.
    weigh 110000 >in
    budget --soft 128k : 110000 128000 16000 0 128000 2000
    weigh 110001 >in
    budget --soft 128k : 110001 128000 16000 0 128000 1999 headroom
    weigh 23000 >in
    budget -w 32k --soft 32k : 23000 32000 8000 0 32000 1000
    weigh 23001 >in
    budget -w 32k --soft 32k : 23001 32000 8000 0 32000 999 headroom
}

@test "ctx-budget: what remains is never less than nothing" {
    weigh 751 >in
    limits='"headroom":0'
    budget -w 1000 --headroom 0 --soft 1000 : 751 1000 250 0 1000 0 window
    weigh 2000 >in
    budget -w 1000 --headroom 0 --soft 3000 : 2000 1000 250 0 3000 0 window
}

@test "ctx-budget: more than the reserves leave of the window is a reason of its own" {
    limits='"headroom":0'
    weigh 750 >in
    budget -w 1000 --headroom 0 --soft 1000 : 750 1000 250 0 1000 0
    weigh 751 >in
    budget -w 1000 --headroom 0 --soft 1000 : 751 1000 250 0 1000 0 window
    { prompt 400; weigh 651; } >in
    budget -w 1000 --headroom 0 --soft 1000 : 651 1000 250 100 1000 0 window
}

@test "ctx-budget: --limit is the window, without output reserve and headroom; due when more is used" {
    limits='"limit":1000'
    weigh 1000 >in
    budget --limit 1k : 1000 1000 0 0 1001 0
    weigh 1001 >in
    budget --limit 1k : 1001 1000 0 0 1001 0 soft_threshold window
    # What the context record costs counts with it.
    { prompt 400; weigh 900; } >in
    budget --limit 1k : 900 1000 0 100 901 0
    { prompt 400; weigh 901; } >in
    budget --limit 1k : 901 1000 0 100 901 0 soft_threshold window
    budget --limit 1k --reserve-system 0 : 901 1000 0 0 1001 99
    # Of a model it takes the encoding and the price.
    same 'a model' <(echo '[1000,0,"cl100k_base","gpt-4"]') <(ctx-budget --limit 1k --model gpt-4 --json in |
        jq -c '[.context_window, .reserved_output_tokens, .estimator, .model]')
    status_of 1 ctx-budget --limit 100 --check --brief in >out
    local option
    for option in --window --reserve-output --headroom --soft; do
        refuses "ctx-budget --limit 1k $option 100" \
            "--limit cannot be combined with $option"
    done
    refuses 'ctx-budget --limit 75%' "bad value '75%' of --limit, expected a number of tokens such as 200k"
}

@test "ctx-budget: --text: plain text is one message of the user" {
    spec <<'END'
ctx-budget --text --estimator bytes/4 --brief
<<< Twelve bytes
<<< "and" \more
>>> 11/128k 0%, 112k left
END
    printf 'a\tb\xff\xfe\0"\r\nc' >one
    printf '\xef\xbb\xbf\xc3\xa4' >two
    spec <<'END'
ctx-budget --text --estimator bytes/4 one two | sed -n 1p
>>>$ {"role":"user","content":"a\\tb\xef\xbf\xbd\xef\xbf\xbd\\u0000\\"\\r\\nc\xc3\xa4"}
END
    # Each file is a text of its own, an empty one, too; all that is read is as long as one may be.
    : >empty
    spec <<'END'
ctx-budget --text --each --brief --max-line 10 --estimator bytes/4 one empty two
>>> one: 8/128k 0%, 112k left
>>> empty: 0/128k 0%, 112k left
>>> two: 5/128k 0%, 112k left
END
    # In brief each of several has its name, and one alone needs none.
    spec <<'END'
ctx-budget --text --brief --estimator bytes/4 one empty two
>>> one: 8/128k 0%, 112k left
>>> empty: 0/128k 0%, 112k left
>>> two: 5/128k 0%, 112k left
END
    spec <<'END'
ctx-budget --text --brief --estimator bytes/4 two
>>> 5/128k 0%, 112k left
END
    # What asks of all texts together has no line for each.
    spec <<'END'
ctx-budget --text --brief --estimator 'cmd:sed s/.*/3/' one two
>>> 7/128k 0%, 112k left
END
    spec <<'END'
ctx-budget --text --each --estimator bytes/4 two -
<<< Twelve bytes
>>> file                                     used   share    remaining
>>> two                                         5    0.0%      111,995
>>> -                                           8    0.0%      111,992
END
    head -c 300000 /dev/zero | tr '\0' x >large
    same 'a text of several reads' <(echo 75004) \
        <(ctx-budget --text --each --estimator bytes/4 --json large two | jq -s '.[0].used_tokens')
    # A share of any size has a blank before it.
    spec <<'END'
ctx-budget --text --each --estimator bytes/4 --limit 10 large
>>> file                                     used   share    remaining
>>> large                                  75,004 750040.0%            0  compact: soft_threshold window
END
    # Nothing is no message.
    same 'nothing' <(echo 0) <(ctx-budget --text --json </dev/null | jq .used_tokens)
    spec <<'END'
ctx-budget --text --max-line 3 --brief one
>>>2 ctx-budget: text longer than --max-line
>>>= 65
END
}

@test "ctx-budget: limits are numbers, shares of the window, or the window less a number" {
    weigh 100 >in
    limits='"headroom":1000' budget -w 100k --reserve-output 25% --reserve-system=-90k --headroom 1% --soft=-16k : 100 100000 25000 10000 84000 64900
    budget -w 100k --soft 12.5% --reserve-output 1.5k : 100 100000 1500 0 12500 98400
    budget -w 100k --soft=-200k : 100 100000 16000 0 0 83900 soft_threshold
    local option
    for option in -w\ 75% -w\ -16k -w\ 0 -w\ 40msgs; do
        # shellcheck disable=SC2086
        status_of 64 ctx-budget $option in 2>said >out
        same "$option" <(echo "ctx-budget: bad value '${option#-w }' of --window, expected a number of tokens such as 200k; try 'ctx-budget --help'") said
        [[ ! -s out ]]
    done
    for option in soft headroom reserve-output reserve-system; do
        status_of 64 ctx-budget --$option 3turns in 2>said >out
        same "$option" <(echo "ctx-budget: bad value '3turns' of --$option, expected a number of tokens such as 12k; try 'ctx-budget --help'") said
        status_of 64 ctx-budget --$option much in 2>said >out
        same "$option" <(echo "ctx-budget: bad value 'much' of --$option, expected a number of tokens such as 12k; try 'ctx-budget --help'") said
    done
}

@test "ctx-budget: the system reserve is the count of the context record's prompt, and counts nowhere else" {
    { prompt 37; weigh 100; } >in
    budget : 100 128000 16000 10 102400 111890
    budget --reserve-system 500 : 100 128000 16000 500 102400 111400
    budget --reserve-system 0 : 100 128000 16000 0 102400 111900
    { prompt 37; weigh 100; prompt 80; } >in
    budget : 100 128000 16000 20 102400 111880
    { prompt 37; weigh 100; echo '{"type":"context","metadata":{"a":"b"}}'; } >in
    budget : 100 128000 16000 0 102400 111900
    { echo '{"type":"context","system_prompt":["hello"]}'; weigh 100; } >in
    budget : 100 128000 16000 0 102400 111900
    # By the encoding, too: two tokens, nothing for a message.
    echo '{"type":"context","system_prompt":"hello hello"}' >in
    [[ $(ctx-budget --json in | jq .reserved_system_tokens) == 2 ]]
}

@test "ctx-budget: tools and response format of the newest context record count under the system reserve" {
    local tools='[{"type":"function","function":{"name":"look"}}]' format='{"type":"json_object"}'
    # 48 and 22 bytes.
    { echo "{\"type\":\"context\",\"tools\":$tools}"; weigh 100; } >in
    budget : 100 128000 16000 12 102400 111888
    { echo "{\"type\":\"context\",\"response_format\":$format}"; weigh 100; } >in
    budget : 100 128000 16000 6 102400 111894
    # 37 of the prompt beside them: rounded once.
    {
        prompt 37 | jq -c --argjson t "$tools" --argjson f "$format" '.tools = $t | .response_format = $f'
        weigh 100
    } >in
    budget : 100 128000 16000 27 102400 111873
    budget --reserve-system 5 : 100 128000 16000 5 102400 111895
    # A later record replaces all of them.
    prompt 80 >>in
    budget : 100 128000 16000 20 102400 111880
    # By a command, which counts them as texts; null is nothing.
    echo '{"type":"context","system_prompt":"ab","tools":[{}],"response_format":null}' >in
    same 'a command' <(echo 6) <(ctx-budget --json --estimator 'cmd:jq length' in | jq .reserved_system_tokens)
    echo '{"type":"context","metadata":{}}' >in
    same 'no command' <(echo 0) <(ctx-budget --json --estimator 'cmd:exit 1' in | jq .reserved_system_tokens)
}

# --- Verdicts ------------------------------------------------------------------------------------

@test "ctx-budget: --check exits 1 when compaction is due, in every form, and writes the same" {
    weigh 100 >in
    local form status
    for form in '' --table --json --brief '--by role' --cuts; do
        # shellcheck disable=SC2086
        status_of 0 ctx-budget $form --soft 200 in >want
        # shellcheck disable=SC2086
        status_of 0 ctx-budget $form --check --soft 200 in >got
        same "$form" want got
        # shellcheck disable=SC2086
        status_of 0 ctx-budget $form --soft 10 in >want
        # shellcheck disable=SC2086
        status_of 1 ctx-budget $form --check --soft 10 in >got
        same "$form" want got
    done
}

@test "ctx-budget: the answer no goes before bad lines" {
    { weigh 100; echo '{bad}'; } >in
    status_of 65 ctx-budget --check in >out 2>said
    status_of 1 ctx-budget --check --soft 10 in >out 2>said
    same 'diagnostics' <(echo 'ctx-budget: in:2: expected a member name, at byte 2') said
    same 'the stream' in <(head -n 2 out)
}

@test "ctx-budget: more tool results than --max-tool-results, those that stand uncompacted" {
    { user a; calls c1 read x; gets c1 ok; calls c2 read y; gets c2 ok; calls c3 read z; gets c3 cut '"compacted":true'; } >in
    reasons --max-tool-results 2 :
    reasons --max-tool-results 1 : max_tool_results
}

@test "ctx-budget: more messages than --max-messages" {
    { prompt 4; user a; says b; echo '{"x":1}'; user c; } >in
    reasons --max-messages 3 :
    reasons --max-messages 2 : max_messages
}

@test "ctx-budget: more turns than --max-turns" {
    { says hello; user a; says b; user c; says d; } >in
    reasons --max-turns 2 :
    reasons --max-turns 1 : max_turns
}

@test "ctx-budget: more steps of the newest execution than --max-steps" {
    { user a; says 1; says 2; says 3; says 4; user b; calls c1 read x; gets c1 ok; says 'done'; } >in
    reasons --max-steps 2 :
    reasons --max-steps 1 : max_steps
}

@test "ctx-budget: a log that spans more time than --max-age" {
    stamped() { says "$1" "\"timestamp\":$2"; }
    { user Go.; stamped a '"2026-03-01T10:00:00.500Z"'; stamped b '"2026-03-01T11:30:00Z"'; stamped c '"2026-03-01T11:00:00Z"'; } >in
    reasons --max-age 90m :
    reasons --max-age 1.49h : max_age
    reasons --max-age 5399s :
    reasons --max-age 5398s : max_age
    reasons --max-age 5398 : max_age
    reasons --max-age 1d :
    # Zones, with and without a colon; numbers of seconds and of milliseconds.
    { stamped a '"2026-03-01T10:00:00+05:30"'; stamped b '"2026-03-01T04:40:00Z"'; } >in
    reasons --max-age 10m :
    reasons --max-age 9m : max_age
    { stamped a '"2026-03-01T10:00:00-0530"'; stamped b '"2026-03-01 15:40:00"'; } >in
    reasons --max-age 10m :
    reasons --max-age 9m : max_age
    { stamped a 1767225600; stamped b 1767225660123; } >in
    reasons --max-age 60s :
    reasons --max-age 59s : max_age
    { stamped a '"yesterday"'; stamped b '"2026-03-01T10:00:00Z"'; stamped c null; } >in
    reasons --max-age 1s :
    # What no compaction takes does not age.
    local old='"timestamp":"2026-03-01T10:00:00Z"' new='"timestamp":"2026-03-09T10:00:00Z"' stays
    for stays in "$(user 'Go.' "$old")" "$(system Be. "$old"; user 'Go.')" \
        "$(user 'Go.'; says Pinned. "$old,\"pinned\":true")" "$(user 'Go.'; says Critical. "$old,\"critical\":true")" \
        "$(user 'Go.'; says Summary. "$old,\"kind\":\"summary\"")"; do
        { echo "$stays"; says 'Done.' "$new"; } >in
        reasons --max-age 1d :
        { echo "$stays"; says 'First.' "$old"; says 'Done.' "$new"; } >in
        reasons --max-age 1d : max_age
    done
    { says 'Greetings.' "$old"; user 'Go.' "$new"; } >in
    reasons --max-age 1d : max_age
    { user 'Go.'; says 'Done.'; user 'And on.' "$old"; says 'Done.' "$new"; } >in
    reasons --max-age 1d : max_age
    spec <<'END'
ctx-budget --max-age 3x
>>>2 ctx-budget: bad value '3x' of --max-age, expected a time such as 90s or 5m; try 'ctx-budget --help'
>>>= 64
END
}

@test "ctx-budget: a section with more tokens than --max-section; a result has the section of its call" {
    { user a; calls c1 read x '"section":"buffer"'; gets c1 "$(printf 'word %.0s' {1..50})"; says b '"kind":"summary"'; says c '"section":"execution_buffer"'; } >in
    local buffer
    buffer=$(ctx-budget --by section --json in | jq '.breakdown[] | select(.label == "buffer").tokens')
    ((buffer > 60)) || fail "the section has $buffer"
    reasons --max-section "buffer=$buffer" :
    reasons --max-section "buffer=$((buffer - 1))" : max_section
    reasons --max-section messages=5 --max-section summary=5 --max-section execution_buffer=5 --max-section other=0 :
    reasons --max-section summary=4 : max_section
    reasons --max-section messages=4 --max-section summary=4 : max_section
    # Of one section the last limit holds.
    reasons --max-section messages=4 --max-section messages=5 :
    # The same where the session is held.
    reasons --max-section "buffer=$buffer" --when 'turn>-1>9' :
    reasons --max-section "buffer=$((buffer - 1))" --when 'turn>-1>9' : max_section
    # The tokens are those that the estimator reports.
    same 'limits' <(echo '{"max_section":{"buffer":8000,"a=b":0}}') \
        <(ctx-budget --max-section buffer=1 --max-section buffer=8k --max-section a=b=0 in | tail -n 1 | jq -c .limits)
    local -a nine=()
    for i in {1..9}; do nine+=(--max-section "s$i=1"); done
    refuses "ctx-budget ${nine[*]}" 'more than 8 sections in --max-section'
    for i in buffer =5 buffer= buffer=x buffer=5% buffer=5msgs; do
        refuses "ctx-budget --max-section $i" "bad value '$i' of --max-section, expected a section and a number of tokens such as buffer=8k"
    done
}

@test "ctx-budget: reasons stand in one order" {
    { user a; calls c1 read x; gets c1 ok; says b; calls c2 read x; gets c2 ok; user b; says c; says d; } >in
    reasons --when 'role=user>0' --max-steps 1 --max-turns 1 --max-messages 1 --max-tool-results 1 --headroom 128k --soft 1 : \
        soft_threshold headroom max_tool_results max_messages max_turns max_steps when
}

@test "ctx-budget: messages of other agents neither count nor trigger" {
    { user a; user sub '"parent_execution_id":"e1","agent_id":"x"'; says 'done' '"parent_execution_id":"e1","agent_id":"x"'; says b; } >in
    reasons --max-messages 2 :
    [[ $(ctx-budget --json in | jq .used_tokens) == 10 ]]
}

# --- --when --------------------------------------------------------------------------------------

# selects COUNT SELECTOR: so many messages of the file in are selected.
selects() {
    [[ $1 == 0 ]] || reasons --when "$2>$(($1 - 1))" : when
    reasons --when "$2>$1" :
}

@test "ctx-budget: --when counts what a selector selects" {
    {
        echo '{"role":"system","content":"Be brief, please."}'
        user 'Sound the dock.' '"execution_id":"e1","session_id":"s1","n":7,"tag":"a b"'
        calls c1 read_file x '"pinned":true,"agent_id":"pilot"'
        gets c1 'no such file' '"is_error":true'
        # shellcheck disable=SC2154
        says "$long" '"section":"buffer"'
        user 'And now?' '"origin":"injected"'
        calls c2 write x
        gets c2 ok '"compacted":true'
        says 'Done.' '"kind":"summary","id":"m9"'
        says 'All is well.'
    } >in
    selects 2 role=user
    selects 1 role=system
    selects 8 '!role=user'
    selects 2 origin=tool_result
    selects 1 origin=injected
    selects 2 'tool=read*'
    selects 4 'tool=*'
    selects 1 kind=summary
    selects 1 section=buffer
    selects 1 section=summary
    selects 1 session=s1
    selects 1 agent=pilot
    selects 1 id=m9
    selects 1 id=c2
    selects 1 pinned
    selects 4 trace
    selects 1 error
    selects 2 unresolved
    selects 1 compacted
    selects 1 'tokens>30'
    selects 9 'tokens<30'
    selects 1 'bytes>600'
    selects 1 'meta.n=7'
    selects 1 'meta.tag=a b'
    selects 0 meta.tag=a
    selects 2 'text~^(Done|All)'
    selects 1 'text~brief, p'
    selects 1 'role=assistant,text~^Done'
    selects 1 'role=assistant,!trace,!kind=summary,bytes<600'
    selects 9 execution=e1
    selects 9 execution=last
    selects 1 'execution=#0'
}

@test "ctx-budget: --when counts turns from either end" {
    { says hi; user 1; says a; user 2; user 3; says c; } >in
    selects 1 turn=0
    selects 2 turn=1
    selects 2 turn=-1
    selects 3 'turn>-3'
    selects 2 'turn>-2'
    selects 4 'turn<3'
}

@test "ctx-budget: --when that cannot be read is refused" {
    local -A said=(
        ['role=user']="expected SELECTOR>N"
        ['role=user>x']="expected SELECTOR>N"
        ['rol=user>1']=": unknown term 'rol=user'"
        ['role>user>1']=": expected '=' and a value after 'role'"
        ['pinned=1>1']=": 'pinned' takes no value"
        ['meta.=1>1']=": unknown term 'meta.=1'"
        ['>1']=": unknown term ''"
        ['role=user,>1']=": unknown term ''"
        ['bytes>x>1']=": expected a number in 'bytes>x'"
        ['bytes>-1>1']=": expected a number in 'bytes>-1'"
        ['text~(>1']=": '(': "
    )
    local when
    for when in "${!said[@]}"; do
        status_of 64 ctx-budget --when "$when" </dev/null 2>error >out
        printf '%s: %s\n' "$when" "$(<error)"
        [[ $(head -n 1 error) == "ctx-budget: bad value '$when' of --when"*"${said[$when]}"*"; try 'ctx-budget --help'" ]]
        [[ $(sed -n 2p error) == "ctx-budget:     $when" && $(tail -n +3 error) == 'ctx-budget:  '*^ ]]
        [[ ! -s out ]]
    done
    # A pattern ends the selector, also when a comma or a tilde stands in it.
    { user 'a,pinned ~x'; user b; } >in
    selects 1 'text~a,pinned ~'
    user b '"path":"~/x"' >in
    selects 1 'meta.path=~/x,role=user'
}

# --- Models --------------------------------------------------------------------------------------

@test "ctx-budget: an estimator that is not the model's own is named, with its measured error" {
    user 'Hello.' >in
    spec <<'END'
ctx-budget --brief --model claude-opus-4-5 in
>>> 6/200k 0%, 136k left, o200k_base is 1.13 to 1.81 times too low
END
    spec <<'END'
ctx-budget --brief --model gemini-2.5-pro in
>>> 6/1M 0%, 983k left, o200k_base is not the model's own
END
    spec <<'END'
ctx-budget --table --model claude-opus-4-5 --estimator bytes/4 in | tail -n 1
>>> bytes/4 is 1.11 to 1.88 times too low
END
    spec <<'END'
ctx-budget --each --model claude-opus-4-5 in in | head -n 2
>>> o200k_base is 1.13 to 1.81 times too low
>>> file                                     used   share    remaining
END
    local record='[.estimator_is_own, .estimator_scale]'
    same 'the record' <(ctx-budget --model claude-opus-4-5 in | tail -n 1 | jq -c "$record") \
        <(echo '[false,{"median":1.35,"lowest":1.13,"highest":1.81}]')
    same 'not measured' <(echo '[false,null]') <(ctx-budget --json --model gemini-2.5-pro in | jq -c "$record")
    same 'own' <(echo '[null,null]') <(ctx-budget --json --model gpt-5 in | jq -c "$record")
    ctx-compact --model claude-opus-4-5 --report report in >out
    same 'the report' <(jq -c "$record" report) <(echo '[false,{"median":1.35,"lowest":1.13,"highest":1.81}]')
    # What answers report is the model's own, and so is it through ctx-compact's record.
    { user a; says b "$usage"; } >told
    makes_no_doubt() { ctx-budget "$@" >out && ! grep -e 'too low' -e own out; }
    makes_no_doubt --brief --model claude-opus-4-5 --estimator usage told
    makes_no_doubt --brief --model claude-opus-4-5 --estimator 'cmd:sed s/.*/3/' in
    makes_no_doubt --table --model gpt-5 in
    ctx-budget --model claude-opus-4-5 --soft 1 in | ctx-compact | tail -n 1 >out
    same 'compacted' <(jq -c "$record" out) <(echo '[false,{"median":1.35,"lowest":1.13,"highest":1.81}]')
}

@test "ctx-budget: --limit stands in the table as it was given" {
    user hello >in
    same 'the limit' <(ctx-budget --table --limit 8k in | grep -o 'soft threshold *8,000') <(echo 'soft threshold          8,000')
    same 'one behind the room' <(ctx-budget --table --window 8k --reserve-output 2k --soft 6001 in | grep -o 'soft threshold *6,001') <(echo 'soft threshold          6,001')
    same 'a threshold' <(ctx-budget --table --window 8k --soft 4001 in | grep -o 'soft threshold *4,001') <(echo 'soft threshold          4,001')
}

@test "ctx-budget: --model sets window, output reserve and encoding" {
    cat >models <<END
# A table of one's own.
model	provider	context_window	max_output	usd_per_mtok_input	usd_per_mtok_cached	usd_per_mtok_output

small	me	40000	8000	3	0.3	15
large	me	100000	90000	1.25	0	10
END
    user hello >in
    with() { ctx-budget --models-file models --json "$@" in | jq -c '[.estimator, .context_window, .reserved_output_tokens, .model]'; }
    same 'small' <(echo '["o200k_base",40000,8000,"small"]') <(with --model small)
    # A model that may fill its window with output leaves half of it.
    same 'large' <(echo '["o200k_base",100000,50000,"large"]') <(with -m large)
    same 'a window of one'"'"'s own' <(echo '["o200k_base",20000,10000,"large"]') <(with -m large -w 20k)
    same 'a reserve of one'"'"'s own' <(echo '["o200k_base",100000,1000,"large"]') <(with -m large --reserve-output 1k)
    same 'an estimator of one'"'"'s own' <(echo '["bytes/4",40000,8000,"small"]') <(with -m small --estimator bytes/4)
    same 'the older encoding' <(echo '["cl100k_base",8192,4096,"gpt-4"]') <(with -m gpt-4)
    same 'none' <(echo '["o200k_base",128000,16000,null]') <(with)
}

@test "ctx-budget: a model is the one of that name, else the only one with that prefix" {
    user hello >in
    named() { ctx-budget --json --model "$1" in | jq -r .model; }
    [[ $(named gpt-5) == gpt-5 ]]
    [[ $(named gpt-4.1-n) == gpt-4.1-nano ]]
    spec <<'END'
ctx-budget --model gpt-5-
>>>2 ctx-budget: model 'gpt-5-' may be any of 5, such as 'gpt-5-chat-latest'; try 'ctx-budget --help'
>>>= 64
END
    spec <<'END'
ctx-budget --model gtp-5
>>>2 ctx-budget: unknown model 'gtp-5', did you mean 'gpt-5'?; try 'ctx-budget --help'
>>>= 64
END
    # Another number is another model, and a file is none.
    for name in gpt-9 log.jsonl x; do
        refuses "ctx-budget --model $name" "unknown model '$name'; ctx-budget --models prints what there is"
    done
    refuses 'ctx-budget --model claude-sonet-4.6' "unknown model 'claude-sonet-4.6', did you mean 'claude-sonnet-4-6'?"
    # A user's own table stands before.
    printf 'gpt-5\tme\t1000\t100\t1\t1\t1\n' >models
    [[ $(ctx-budget --json --models-file models --model gpt-5 in | jq .context_window) == 1000 ]]
}

@test "ctx-budget: --provider, or PROVIDER/NAME, says of whom the model is" {
    local command
    user hello >in
    with() { ctx-budget --models-file models --json "$@" in | jq -c '[.context_window, .model]'; }
    printf '%s\t1\t0.1\t1\n' $'same\tme\t1000\t100' $'same\tyou\t2000\t100' $'a/b\tyou\t3000\t100' \
        $'*\tyou\t4000\t100' $'openai/own\tyou\t5000\t100' >models
    same 'the first' <(echo '[1000,"same"]') <(with --model same)
    same 'of one' <(echo '[2000,"same"]') <(with --model same --provider you)
    same 'in one word' <(echo '[2000,"same"]') <(with --model you/same)
    same 'the beginning of a name' <(echo '[2000,"same"]') <(with --model you/sa)
    same 'a name with a slash' <(echo '[3000,"a/b"]') <(with --model a/b)
    same 'with its provider' <(echo '[3000,"a/b"]') <(with --model you/a/b)
    same 'with --provider it is no part of the name' <(echo '[5000,"openai/own"]') <(with --provider you --model openai/own)
    same 'unless it is that provider, and none of its models begins so' <(echo '[2000,"same"]') <(with --provider you --model you/same)
    # A model that is unknown of a known provider.
    same 'the row of all others' <(echo '[4000,"new"]') <(with --model you/new)
    same 'which is no model' <(echo '[4000,"*"]') <(with --provider you)
    same 'none without a name' <(echo '[128000,null]') <(with --provider me)
    same 'another window' <(echo '[7000,null]') <(with --model me/new --window 7k)
    same 'another limit' <(echo '[7000,null]') <(with --model me/new --limit 7k)
    [[ $(ctx-budget --models-file models --model you/new --json in | jq -c '.request_usd > 0') == true ]]
    spec <<'END'
ctx-budget --brief --model openai/gpt-77 in
>>> 5/128k 0%, 112k left
>>>2 ctx-budget: unknown model 'gpt-77' of openai: its window is taken for 128k; --window or a row '*' of --models-file says otherwise
END
    spec <<'END'
ctx-budget --brief --provider openai --model gtp-5 --window 1k in
>>> 5/1k 0%, 745 left
>>>2 ctx-budget: unknown model 'gtp-5' of openai (did you mean 'gpt-5'?)
END
    # Once, whatever the number of files.
    cp in other
    spec <<'END'
ctx-compact --in-place --model me/new --models-file models in other
>>>2 ctx-compact: unknown model 'new' of me: its window is taken for 128k; --window or a row '*' of --models-file says otherwise
END
    for command in ctx-budget ctx-compact; do
        refuses "$command --provider opnai" "unknown provider 'opnai', did you mean 'openai'?"
        refuses "$command --model opnai/gpt-5" "unknown provider 'opnai', did you mean 'openai'?"
        refuses "$command --provider nobody" "unknown provider 'nobody'; ctx-budget --models prints what there is"
        refuses "$command --provider=" "unknown provider ''; ctx-budget --models prints what there is"
        refuses "$command --model openai/gpt" "model 'openai/gpt' may be any of 3, such as 'openai/gpt-oss-120b'"
        refuses "$command --model anthropic/" "expected a name after 'anthropic/'"
        refuses "$command --provider openai --model gpt-5-" "model 'gpt-5-' may be any of 5, such as 'gpt-5-chat-latest'"
    done
}

@test "ctx-budget: --models prints the table, a user's own first" {
    ctx-budget --models >table
    printf 'model\tprovider\tcontext_window\tmax_output\tusd_per_mtok_input\tusd_per_mtok_cached\tusd_per_mtok_output\n' >columns
    same 'the header' columns <(head -n 1 table)
    (($(wc -l <table) > 180))
    [[ $(awk -F'\t' 'NF != 7 || $3 <= 0' table | wc -l) == 0 ]]
    same 'names' /dev/null <(cut -f1 table | sort | uniq -d)
    printf 'mine\tme\t1000\t100\t0.5\t0.05\t2\n' >models
    ctx-budget --models-file models --models >both
    same 'both' <(cat columns models; tail -n +2 table) both
    # What it prints, it reads.
    ctx-budget --models-file both --models >again
    (($(wc -l <again) == 2 * $(wc -l <table)))
}

@test "ctx-budget: a table of models that is malformed gives 78, a missing one 66" {
    local line
    for line in 'mine' $'mine\tme\t1000\t100\t1\t1' $'mine\tme\t1000\t100\t1\t1\t1\t1' $'\tme\t1000\t100\t1\t1\t1' \
        $'mine\tme\t0\t100\t1\t1\t1' $'mine\tme\tmany\t100\t1\t1\t1' $'mine\tme\t1000\t\t1\t1\t1' \
        $'mine\tme\t1000\t100\t-1\t1\t1' $'mine\tme\t1000\t100\tinf\t1\t1' $'mine\tme\t1000\t100\t1\tnan\t1' \
        $'mine\tme\t1000\t100\t1\t1\t1e300' $'mine\tme\t1000\t100\t1\t1\tfree'; do
        printf '# mine\n\n%s\n' "$line" >models
        printf '%q\n' "$line"
        status_of 78 ctx-budget --models-file models </dev/null 2>said >out
        same 'diagnostics' - said <<'END'
ctx-budget: 'models', line 3: expected 7 columns: a name, a provider, a window, the most output and three prices
END
        [[ ! -s out ]]
    done
    rm models out said
    spec <<'END'
ctx-budget --models-file models
>>>2 ctx-budget: cannot open 'models': No such file or directory
>>>= 66
END
}

@test "ctx-budget: what the next request costs, with and without the cached prefix" {
    printf 'm\tme\t1M\t1k\t2\t0.5\t8\n' >models
    costs() { ctx-budget --estimator bytes/4 --models-file models -m m --json in | jq -c '[.request_usd, .request_usd_cached]'; }
    # 100,000 tokens at 2 dollars a million; of them 60,000, up to the last answer, cached at 50 cents.
    { prompt 40000; weigh 49995; says a; weigh 40000; } >in
    same 'dollars' <(echo '[0.2,0.11]') <(costs)
    # No answer, no prefix.
    { prompt 40000; weigh 90000; } >in
    same 'dollars' <(echo '[0.2,0.2]') <(costs)
    same 'the record has them too' <(echo '[0.2,0.2,"m"]') \
        <(ctx-budget --estimator bytes/4 --models-file models -m m in | tail -n 1 | jq -c '[.request_usd, .request_usd_cached, .model]')
}

# --- Forms ---------------------------------------------------------------------------------------

@test "ctx-budget: --table for people, in ASCII" {
    { prompt 4000; weigh 2000; } >in
    spec <<'END'
ctx-budget --estimator bytes/4 -w 16k --soft 1999 --table in
>>> context window         16,000  100.0%  ########################################
>>> used                    2,000   12.5%  #####
>>> reserved output         4,000   25.0%  ##########
>>> reserved system         1,000    6.2%  ###
>>> soft threshold          1,999   12.5%  #####
>>> remaining               9,000   56.2%  #######################
>>> compact                   yes  soft_threshold
>>> estimator             bytes/4
END
}

@test "ctx-budget: --table with bars of UTF-8 where the locale has it" {
    weigh 2000 >in
    local name
    for name in LC_ALL=C.UTF-8 LC_ALL=en_US.utf8 'LC_ALL= LC_CTYPE=C.UTF-8' 'LC_ALL= LC_CTYPE= LANG=C.UTF-8'; do
        # shellcheck disable=SC2086
        env -u LANG $name ctx-budget --estimator bytes/4 -w 16k --table in >got
        grep -qx 'used                    2,000   12.5%  █████' got
        grep -qx 'remaining              10,000   62.5%  █████████████████████████' got
        grep -qx 'soft threshold         11,500   71.9%  ████████████████████████████▊' got
    done
    env LC_ALL=C LANG=C.UTF-8 ctx-budget --estimator bytes/4 -w 16k --table in >got
    grep -qx 'used                    2,000   12.5%  #####' got
}

@test "ctx-budget: --table fits the terminal" {
    weigh 2000 >in
    local width
    for width in 100 60 50 41 30; do
        in_terminal "stty cols $width; ctx-budget --estimator bytes/4 --by role --table --color never $PWD/in" >shown
        tr -d '\r' <shown >got
        case $width in
        100 | 60 | 50) want=$((width < 79 ? width : 79)) ;;
        *) want=41 ;; # without bars
        esac
        printf '%s columns: %s wide\n' "$width" "$(wc -L <got)"
        grep -q '^user' got
        (($(wc -L <got) <= want))
        ((width < 60)) || grep -q '##########' got
    done
}

@test "ctx-budget: a terminal gets the table, a file or a pipe the stream" {
    weigh 2000 >in
    ctx-budget --estimator bytes/4 --table in >table
    in_terminal "NO_COLOR=1 ctx-budget --estimator bytes/4 $PWD/in" | tr -d '\r' >got
    same 'without a form' table got
    in_terminal "ctx-budget --estimator bytes/4 --json $PWD/in" | tr -d '\r' >got
    same 'with a form' <(ctx-budget --estimator bytes/4 --json in) got
    in_terminal "ctx-budget --estimator bytes/4 --annotate $PWD/in" | tr -d '\r' | head -n 1 >got
    same '--annotate writes the stream' <(ctx-budget --estimator bytes/4 --annotate in | head -n 1) got
    ctx-budget --estimator bytes/4 in >got
    same 'a file' <(ctx-budget --estimator bytes/4 in | cat) got
}

@test "ctx-budget: --color and NO_COLOR say whether the table has colours" {
    weigh 2000 >in
    ctx-budget --estimator bytes/4 -w 16k --table in >plain
    spec <<'END'
ctx-budget --estimator bytes/4 -w 16k --soft 1999 --color=always --table in
>>> context window         16,000  100.0%  ########################################
>>>$ used                    2,000   12.5%  \x1b[33m#####\x1b[m
>>>$ reserved output         4,000   25.0%  \x1b[34m##########\x1b[m
>>> reserved system             0    0.0%
>>> soft threshold          1,999   12.5%  #####
>>> remaining              10,000   62.5%  #########################
>>>$ compact         \x1b[33m          yes\x1b[m  soft_threshold
>>> estimator             bytes/4
END
    NO_COLOR=1 ctx-budget --estimator bytes/4 -w 16k --color=always --by role --table in >got
    grep -q $'^used .*\x1b\[32m' got
    grep -q $'^user .*\x1b\[34m' got
    ctx-budget --estimator bytes/4 -w 2k --color always --table in | grep -q $'^used .*\x1b\[31m'
    local variable
    for variable in 'TERM=dumb' 'NO_COLOR=1' 'TERM='; do
        in_terminal "TERM=xterm $variable ctx-budget --estimator bytes/4 -w 16k $PWD/in" | tr -d '\r' >got
        same "$variable" plain got
    done
    in_terminal "TERM=xterm ctx-budget --estimator bytes/4 -w 16k --color never $PWD/in" | tr -d '\r' >got
    same '--color never' plain got
    in_terminal "TERM=xterm NO_COLOR= ctx-budget --estimator bytes/4 -w 16k $PWD/in" | tr -d '\r' >got
    same 'on a terminal' <(ctx-budget --estimator bytes/4 -w 16k --color always --table in) got
}

@test "ctx-budget: hostile labels reach no terminal, long ones are cut" {
    { user a '"section":"\u001b[31mred\u007f\u0007"'; user b "\"section\":\"$(printf 'wide%.0s' {1..20})\""; } >in
    spec <<'END'
ctx-budget --estimator bytes/4 --by section in | tail -n 2
>>> \x1b[31mred\x7f\x07                                 5   50.0%  #########
>>> widewidewidewidewidewidewidewidewidewid~            5   50.0%  #########
END
    { user a '"section":"\u009b31m\u202eder\t\n"'; user b '"section":"潮位e\u0301"'; } >in
    spec <<'END'
ctx-budget --estimator bytes/4 --by section in | tail -n 2
>>> \u009b31m\u202eder\x09\x0a            5   50.0%  ################
>>> 潮位é                                 5   50.0%  ################
END
}

@test "ctx-budget: --cuts shows ids of executions as what they are" {
    { user a; user b '"execution_id":"\u001b[2J"'; user c '"execution_id":"潮位表潮位表潮位表"'; } >in
    spec <<'END'
ctx-budget --estimator bytes/4 --cuts in | tail -n 2
>>>        2      2  \x1b[2J                 5           10
>>>        3      3  潮位表潮位~            10            5
END
}

@test "ctx-budget: --brief in one line" {
    weigh 64000 >in
    spec <<'END'
ctx-budget --estimator bytes/4 --brief in
>>> 64k/128k 50%, 48k left
END
    spec <<'END'
ctx-budget --estimator bytes/4 --brief --soft 64k --headroom 48001 in
>>> 64k/128k 50%, 48k left, compact: soft_threshold headroom
END
    weigh 950 >in
    spec <<'END'
ctx-budget --estimator bytes/4 --brief -w 1234500 in
>>> 950/1.2M 0%, 1.2M left
END
}

@test "ctx-budget: --json with all that was asked for" {
    { user abcd; says efgh; } >in
    spec <<END
ctx-budget --estimator bytes/4 --json --by role --cuts in
>>> $(record 10 128000 16000 0 102400 111990 | sed 's/}$//'),"by":"role","breakdown":[{"label":"user","messages":1,"tokens":5},{"label":"assistant","messages":1,"tokens":5}],"cuts":[{"line":2,"turn":1,"execution":"#1","before":5,"after":5}]}
END
}

# by KEY LINE...: the breakdown of the file in.
by() {
    local key=$1
    shift
    printf 'by %s\n' "$key"
    same "$key" <(printf '%s\tmessages\ttokens\n' "$key"; printf '%b\n' "$@") <(ctx-budget --estimator bytes/4 --json --by "$key" in | rows)
}

@test "ctx-budget: --by has a bar for the system reserve" {
    { context "$(repeat 60 x)"; user "$(repeat 36 a)"; says "$(repeat 16 b)"; } >in
    spec <<'END'
ctx-budget --estimator bytes/4 --table --by role in | sed -n '/^by/,$p'
>>> by role
>>> user                       13   36.1%  ###############
>>> assistant                   8   22.2%  #########
>>> (system reserve)           15   41.7%  #################
END
    # It belongs to no session, and where there is none it has no row.
    ctx-budget --estimator bytes/4 --table --by session in >got
    ! grep 'system reserve' got || fail 'a row'
    ctx-budget --estimator bytes/4 --table --by role --reserve-system 0 in | grep -q '^user .* 61.9%'
    ctx-budget --estimator bytes/4 --table --by turn --top 1 --reserve-system 21 in | grep -q '^(system reserve)  *21  *50.0%'
    rm got
}

@test "ctx-budget: --by each key" {
    {
        says hello '"session_id":"s1"'
        user 'Look at x and y.'
        printf '{"role":"assistant","content":null,"tool_calls":[%s,%s],"metadata":{"section":"execution_buffer"}}\n' "$(call c1 read x)" "$(call c2 list y)"
        gets c2 "$long"
        gets c1 short '"compacted":true'
        says 'Fine.' '"kind":"summary","session_id":"s2"'
        user 'And z?' '"execution_id":"e7"'
        calls c3 read z
        gets c3 no
        gets c9 stray '"tool_name":"grep"'
    } >in
    # Tokens: 6, 8, 12, 154, 6, 6, 6, 8, 5, 6.
    by role 'tool\t4\t171' 'assistant\t4\t32' 'user\t2\t14'
    by kind 'tool_result\t4\t171' 'tool_call\t2\t20' 'user\t2\t14' 'assistant\t1\t6' 'summary\t1\t6'
    by tool 'list\t1\t154' 'read\t4\t31' '-\t4\t26' 'grep\t1\t6'
    by section 'execution_buffer\t3\t172' 'messages\t6\t39' 'summary\t1\t6'
    by turn '0\t1\t6' '1\t5\t186' '2\t4\t25'
    by execution '#0\t1\t6' '#1\t5\t186' 'e7\t4\t25'
    by session 's1\t5\t186' 's2\t5\t31'
    by message '1 assistant\t1\t6' '2 user\t1\t8' '3 assistant read x, list\t1\t12' '4 tool list\t1\t154' '5 tool read x\t1\t6' \
        '6 assistant\t1\t6' '7 user\t1\t6' '8 assistant read z\t1\t8' '9 tool read z\t1\t5' '10 tool grep\t1\t6'
}

@test "ctx-budget: --top keeps the largest, the first of equals" {
    { weigh 10; weigh 30; weigh 20; weigh 30; } >in
    spec <<'END'
ctx-budget --estimator bytes/4 --by message --top 3 --json in | rows
>>> message	messages	tokens
>>> 2 user	1	30
>>> 4 user	1	30
>>> 3 user	1	20
END
    spec <<'END'
ctx-budget --estimator bytes/4 --by turn --top 1 in | tail -n 2
>>> by turn
>>> 2                          30   33.3%  #############
END
}

@test "ctx-budget: forms that exclude each other are refused" {
    refused() {
        status_of 64 ctx-budget "${@:2}" </dev/null 2>said >out
        same "${*:2}" <(echo "ctx-budget: $1; try 'ctx-budget --help'") said
        [[ ! -s out ]]
    }
    refused '--table cannot be combined with --json' --json --table
    refused '--table cannot be combined with --brief' --table --brief
    refused '--json cannot be combined with --brief' --json --brief
    refused '--top requires --by' --top 3
    refused '--brief cannot be combined with --by' --brief --by role
    refused '--brief cannot be combined with --cuts' --brief --cuts
    refused '--annotate cannot be combined with --by' --annotate --by role
    refused '--annotate cannot be combined with --json' --annotate --json
}

# --- --annotate ----------------------------------------------------------------------------------

@test "ctx-budget: --annotate writes metadata.tokens and nothing else" {
    spec <<END
ctx-budget --estimator bytes/4 --annotate
<<< { "role" : "user", "content":"\\u0061bcd", "n":1.50 }
<<< {"role":"user","content":"abcd", "metadata" : { "a" : 1 } , "z":[ ]}
<<< {"role":"user","content":"abcd","metadata":{"tokens":4e3,"b":2}}
<<< {"role":"user","content":"abcd","metadata":{"tokens":5 , "b":2}}
<<< {"role":"user","content":"abcd","metadata":{}}
<<< {"role":"user","content":"abcd","_metadata":{"tokens":"many"}}
<<< {"role":"user","content":"abcd","metadata":null}
<<< {"role":"user","content":"abcd","metadata":{"parent_execution_id":"e1","agent_id":"x"}}
<<< {"type":"context","system_prompt":"abcd"}
>>> { "role" : "user", "content":"\\u0061bcd", "n":1.50,"metadata":{"tokens":5} }
>>> {"role":"user","content":"abcd", "metadata" : { "a" : 1,"tokens":5 } , "z":[ ]}
>>> {"role":"user","content":"abcd","metadata":{"tokens":5,"b":2}}
>>> {"role":"user","content":"abcd","metadata":{"tokens":5 , "b":2}}
>>> {"role":"user","content":"abcd","metadata":{"tokens":5}}
>>> {"role":"user","content":"abcd","_metadata":{"tokens":"many"}}
>>> {"role":"user","content":"abcd","metadata":{"tokens":5}}
>>> {"role":"user","content":"abcd","metadata":{"parent_execution_id":"e1","agent_id":"x"}}
>>> {"type":"context","system_prompt":"abcd"}
>>> $(record 35 128000 16000 1 102400 111964)
>>>2 ctx-budget: 1 message of other agents not counted
END
}

@test "ctx-budget: --annotate replaces a number and no other value of the user's" {
    spec <<'END'
ctx-budget --estimator bytes/4 --annotate | sed -n 1,3p
<<< {"role":"user","content":"hi","metadata":{"tokens":"mine"}}
<<< {"role":"user","content":"hi","metadata":{"tokens":[1]}}
<<< {"role":"user","content":"12345678","metadata":{"tokens":7}}
>>> {"role":"user","content":"hi","metadata":{"tokens":"mine"}}
>>> {"role":"user","content":"hi","metadata":{"tokens":[1]}}
>>> {"role":"user","content":"12345678","metadata":{"tokens":6}}
END
}

@test "ctx-budget: --annotate again changes nothing, and its figures add up to what is used" {
    local file options
    for file in "$FIXTURES"/{ctx-metadata,ctx-talk,route-several-calls,hostile-crlf,hostile-no-final-newline}.jsonl; do
        for options in '' '--estimator cl100k_base' '--estimator bytes/4' '--when pinned>3'; do
            # shellcheck disable=SC2086
            ctx-budget --annotate $options "$file" >once
            # shellcheck disable=SC2086
            ctx-budget --annotate $options once >twice
            same "$file $options" once twice
            jq -s '(map(.metadata // ._metadata | objects | .tokens // 0) | add), (last | .used_tokens)' once >sums
            printf '%s %s: %s\n' "$file" "$options" "$(paste -sd' ' sums)"
            [[ $(uniq sums | wc -l) == 1 && $(head -n 1 sums) != 0 ]]
        done
    done
}

# --- --cuts --------------------------------------------------------------------------------------

# cuts LINE...: the lines before which the file in can be cut.
cuts() {
    same 'cuts' <((($# == 0)) || printf '%s\n' "$@") <(ctx-budget --cuts --json in | rows | cut -f1)
}

@test "ctx-budget: --cuts parts no call from its result" {
    {
        user a
        calls c1 read x
        gets c1 ok
        says 'done'
        user b
        printf '{"role":"assistant","content":null,"tool_calls":[%s,%s]}\n' "$(call c2 read x)" "$(call c3 read y)"
        gets c3 ok
        calls c4 read z
        gets c2 ok
        gets c4 ok
        says 'done'
    } >in
    cuts 2 4 5 6 11
    # Tokens: 5, 8, 5, 5, 5, 12, 5, 8, 5, 5, 5.
    spec <<'END'
ctx-budget --estimator bytes/4 --cuts in | tail -n 6
>>>     line   turn  execution          before        after
>>>        2      1  #1                      5           63
>>>        4      1  #1                     18           50
>>>        5      2  #2                     23           45
>>>        6      2  #2                     28           40
>>>       11      2  #2                     63            5
END
}

@test "ctx-budget: --cuts leaves no open call behind" {
    { user a; calls c1 read x; gets c1 ok; calls c2 read y; calls c3 read z; gets c3 ok; } >in
    cuts 2 4
    { user a; printf '{"role":"assistant","content":null,"tool_calls":[%s,%s]}\n' "$(call c1 read x)" "$(call c2 read y)"; gets c2 ok; } >in
    cuts 2
    # A bad line may hold the result that is missing.
    { user a; calls c1 read x; echo '{bad'; says ok; user b; says c; } >in
    status_of 65 ctx-budget --cuts --json in >out 2>said
    same 'cuts' <(echo 2) <(rows <out | cut -f1)
    # An execution that is over waits for nothing.
    { user a; calls c1 read x; user b; says c; } >in
    cuts 2 3 4
}

@test "ctx-budget: --cuts counts lines as they stand, and other records are no place for one" {
    { prompt 4; echo; user a; echo 7; says b; } >in
    cuts 5
    user a >in
    cuts
}

# --- Live ----------------------------------------------------------------------------------------

@test "ctx-budget: --brief on a terminal is a line, behind a diagnostic" {
    { user a; says b; } >in
    in_terminal "ctx-budget --brief $PWD/in" >got
    same 'the terminal' <(printf '10/128k 0%%, 112k left\r\n') got
    in_terminal "ctx-budget --brief --estimator usage $PWD/in 2>&1" >got
    same 'a diagnostic has its own line' <(printf '%s\r\n' \
        "ctx-budget: 0 responses report their usage, too few for 'usage': counted with o200k_base" '10/128k 0%, 112k left') got
}

# --- The end of a log ----------------------------------------------------------------------------

# now_used FILE: what --now says of the file.
now_used() {
    ctx-budget --now --json "$1" | jq -c '[.estimator, .used_tokens]'
}

# line TYPE UUID CONTENT [MEMBERS] [MESSAGE]: a line of Claude Code, as it stands in its session files.
line() {
    printf '{"type":"%s","uuid":"%s","sessionId":"s"%s,"message":{"role":"%s"%s,"content":%s}}\n' \
        "$1" "$2" "${4:+,$4}" "$1" "${5:+,$5}" "$3"
}

usage='"usage":{"input_tokens":1000,"cache_read_input_tokens":500,"output_tokens":50}'

@test "ctx-budget: --now adds what follows to what the last answer reported" {
    { user 'Is it open?'; says 'I look.' "$usage"; user 'Yes.'; says 'It is.' "${usage/1000/2000}"; user abc; } >in
    same 'a canonical log' <(echo '["usage",2555]') <(now_used in)
    same 'as --estimator usage' <(ctx-budget --estimator usage --brief in) <(ctx-budget --now in)
    { line user 1 '"Is it open?"'; line assistant 2 '[{"type":"text","text":"I look."}]' '' "$usage"; line user 3 '"abc"'; } >in
    same 'a session of Claude Code' <(echo '["usage",1555]') <(now_used in)
    line assistant 4 '[{"type":"text","text":"Elsewhere."}]' '"isSidechain":true,"agentId":"a"' "${usage/1000/7000}" >>in
    same 'an answer of a sub-agent' <(echo '["usage",1555]') <(now_used in)
    sed 's/"sessionId"/"isSidechain":true,&/' in >side
    same 'the log of a sub-agent' <(echo '["usage",7550]') <(now_used side)
    spec <<'END'
ctx-budget --now --check --soft 1500 in
>>> 1.6k/128k 1%, 110k left, compact: soft_threshold
>>>= 1
END
}

@test "ctx-budget: --now prefers a compaction that is newer than the last answer" {
    local boundary='{"type":"system","subtype":"compact_boundary","uuid":"3","compactMetadata":{"trigger":"auto","preTokens":9000'
    local summary
    summary=$(line user 4 '"So far it is open."' '"isCompactSummary":true')
    { line user 1 '"Is it open?"'; line assistant 2 '"Yes."' '' "$usage"; } >answered
    { cat answered; printf '%s,"postTokens":300}}\n%s\n' "$boundary" "$summary"; line user 5 '"abc"'; } >in
    same 'what it left' <(echo '["usage",305]') <(now_used in)
    { cat answered; printf '%s}}\n%s\n' "$boundary" "$summary"; line user 5 '"abc"'; } >in
    same 'no figure: the summary counts' <(echo '["usage",15]') <(now_used in)
    { user 'Is it open?'; says 'Yes.' "$usage"; record 700 128000 16000 90 102400 1; user abc; } >in
    same 'a budget record' <(echo '["usage",705]') <(now_used in)
    same 'its system prompt' <(echo 90) <(ctx-budget --now --json in | jq .reserved_system_tokens)
    { user 'So far.' '"kind":"summary"'; user abc; } >in
    same 'a summary alone: all counts' <(echo '["o200k_base",12]') <(now_used in)
}

@test "ctx-budget: --now reads what the sessions of other agents report, up to what takes it back" {
    local asked='{"timestamp":"t","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"abc"}]}}'
    { raw "$asked" '{"timestamp":"t","type":"event_msg","payload":{"type":"token_count","info":{"last_token_usage":{"input_tokens":1500,"output_tokens":50}}}}' "$asked"; } >in
    same 'codex' <(echo '["usage",1555]') <(now_used in)
    { cat in; raw '{"timestamp":"t","type":"event_msg","payload":{"type":"token_count","info":null}}' "$asked"; } >more
    same 'codex, without a figure' <(echo '["usage",1560]') <(now_used more)
    { cat in; raw '{"timestamp":"t","type":"compacted","payload":{"message":"","replacement_history":[]}}' "$asked"; } >more
    same 'codex, compacted' <(echo '["o200k_base",5]') <(now_used more)
    { raw '{"type":"session","id":"s","timestamp":"t","cwd":"/"}' '{"type":"message","id":"a","parentId":null,"message":{"role":"assistant","content":[{"type":"text","text":"Yes."}],"usage":{"input":1000,"output":50,"cacheRead":500},"stopReason":"stop","timestamp":1}}'
        raw '{"type":"message","id":"b","parentId":"a","message":{"role":"user","content":"abc","timestamp":1}}'; } >in
    same 'pi' <(echo '["usage",1555]') <(now_used in)
    { raw '{"sessionId":"s","projectHash":"h"}' '{"id":"a","type":"gemini","timestamp":"t","content":"Yes.","tokens":{"input":1500,"output":50,"cached":500}}' '{"id":"b","type":"user","timestamp":"t","content":"abc"}'; } >in
    same 'gemini-cli' <(echo '["usage",1555]') <(now_used in)
}

@test "ctx-budget: --now leaves out the line that is being written" {
    { user a; says b "$usage"; user abc; } >in
    { cat in; printf '{"role":"user","content":"not yet'; } >torn
    same 'torn' <(echo '["usage",1555]') <(now_used torn)
    { cat in; user abc | tr -d '\n'; } >whole
    same 'whole without its line end' <(echo '["usage",1560]') <(now_used whole)
    { cat in; says "$(repeat 200000 x)" | head -c 180000; } >long
    same 'a long one' <(echo '["usage",1555]') <(now_used long)
    { user "$(repeat 200000 y)"; user abc; } >none
    same 'no figure: the whole log' <(ctx-budget --json none) <(ctx-budget --now --json none)
}

@test "ctx-budget: --now asks nothing of a line that cannot be read, whatever was read behind it" {
    # What is behind it in the file moves while the long line is read.
    { user a; says b "$usage"; printf '{"torn":"%s\n' "$(repeat 300000 x)"
        for ((i = 0; i < 2000; i++)); do raw '{"type":"progress","pad":"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"}'; done; } >in
    same 'a bad line' <(echo '["usage",1550]') <(now_used in)
}

@test "ctx-budget: --now reads the end of a log, however long that is" {
    truncate -s 200G in || skip 'no sparse file of that size here'
    { echo; user a; says b "$usage"; user abc; } >>in
    # All of it would take minutes.
    same 'a log of 200 GB' <(echo '["usage",1555]') <(timeout 60 ctx-budget --now --json in | jq -c '[.estimator, .used_tokens]')
}

@test "ctx-budget: --now holds no more of a log without a figure than of one with a figure" {
    local i
    for ((i = 0; i < 1000; i++)); do user "message $i"; done >part
    for ((i = 0; i < 1000; i++)); do cat part; done >in
    # The sanitizers need more address space than any limit allows.
    nm "$CTX_BIN/ctx-budget" | grep -q __asan || (ulimit -v 20000 && ctx-budget --now --json in >limited)
    ctx-budget --now --json in >now
    [[ ! -e limited ]] || cmp limited now
    same 'as without --now' <(ctx-budget --json in) now
    { printf '\357\273\277'; user a; says b; } >marked
    same 'a byte order mark' <(ctx-budget --json marked) <(ctx-budget --now --json marked)
}

@test "ctx-budget: --now needs one file, and answers nothing that needs all of it" {
    user a >in
    refuses 'ctx-budget --now' '--now needs one file'
    refuses 'ctx-budget --now in in' '--now needs one file'
    refuses 'ctx-budget --now -' '--now needs one file'
    refuses 'ctx-budget --now --by role in' '--now cannot be combined with --by'
    refuses 'ctx-budget --now --text in' '--now cannot be combined with --text'
    refuses 'ctx-budget --now --max-turns 2 in' '--now cannot be combined with --max-turns'
    refuses 'ctx-budget --now --estimator bytes/4 in' '--now requires --estimator=usage'
    refuses 'ctx-budget --now /dev/null' "--now reads '/dev/null' from its end, but it is not a regular file"
    printf '\x28\xb5\x2f\xfd' >log.zst
    refuses 'ctx-budget --now log.zst' "--now reads 'log.zst' from its end, and it is packed: without --now it is read"
    spec <<'END'
printf '{"x":1}\n' >other; ctx-budget --now other
>>> 0/128k 0%, 112k left
>>>2 ctx-budget: no messages in the input
>>>= 65
>>>+ other
END
    spec <<'END'
printf '\037\213' >zip; ctx-budget --now zip
>>> 0/128k 0%, 112k left
>>>2 ctx-budget: zip:1: expected a value, at byte 1
>>>2 ctx-budget: zip: looks like gzip; try gzip -dc zip | ctx-budget
>>>= 65
>>>+ zip
END
    spec <<'END'
echo '{"atof_version":"0.1"}' >swe; ctx-budget --now swe
>>> 0/128k 0%, 112k left
>>>2 ctx-budget: no messages; looks like atof, which is not read by this version
>>>= 65
>>>+ swe
END
    spec <<'END'
echo '{"role":"user","message":{"content":[{"text":"a"}]}}' >parts; ctx-budget --now parts
>>> 4/128k 0%, 112k left
>>>2 ctx-budget: parts:1: unknown-shape: the first of 1 messages with a role without content; looks like cursor, which is not read by this version
>>>= 65
>>>+ parts
END
    # A session of Claude Code without a message yet.
    spec <<'END'
echo '{"type":"summary","summary":"a","leafUuid":"b"}' >titles; ctx-budget --now titles
>>> 0/128k 0%, 112k left
>>>+ titles
END
    # Its last line is whole, and bad.
    spec <<'END'
printf '{"role":"us\n' >bad; ctx-budget --now bad
>>> 0/128k 0%, 112k left
>>>2 ctx-budget: bad:1: unexpected end, at byte 12
>>>= 65
>>>+ bad
END
    # A log that was just begun.
    spec <<'END'
printf '\n' >none; ctx-budget --now none
>>> 0/128k 0%, 112k left
>>>+ none
END
    spec <<'END'
printf '{"role":"us' >begun; ctx-budget --now begun
>>> 0/128k 0%, 112k left
>>>+ begun
END
}

@test "ctx-budget: --by message names the tool and the target" {
    {
        acts 'I look.' "$(call c1 Bash '{"command":"make test\necho done"}')" "$(call c2 Read "$(repeat 100 d)")"
        gets c1 ok
        gets c2 ok
        calls c3 search '{"q":"x"}'
        gets c3 ok
    } >in
    by message "1 assistant Bash make test, Read $(repeat 60 d)\\t1\\t44" '2 tool Bash make test\t1\t5' \
        "3 tool Read $(repeat 60 d)\\t1\\t5" '4 assistant search\t1\t8' '5 tool search\t1\t5'
}

# --- Operands ------------------------------------------------------------------------------------

@test "ctx-budget: --each measures every operand as a session of its own" {
    { prompt 4000; weigh 10 '"execution_id":"#7"'; } >a
    { weigh 20; weigh 90000; } >b
    printf '{"role":"user","content":"abcd"}' >'long name, and more of it than a column has'
    spec <<'END'
ctx-budget --estimator bytes/4 --each a b 'long name, and more of it than a column has'
>>> file                                     used   share    remaining
>>> a                                          10    0.0%      110,990
>>> b                                      90,020   70.3%       21,980
>>> ~nd more of it than a column has            5    0.0%      111,995
END
    spec <<'END'
ctx-budget --estimator bytes/4 --each --check --max-messages 1 --soft 90k --color=always a b
>>> file                                     used   share    remaining
>>> a                                          10    0.0%      110,990
>>>$ b                                      90,020   70.3%       21,980\x1b[33m  compact: soft_threshold max_messages\x1b[m
>>>2 ctx-budget: b: compaction is due: soft_threshold max_messages
>>>= 1
END
    spec <<END
ctx-budget --estimator bytes/4 --each --json a b
>>> $(record 10 128000 16000 1000 102400 110990 | sed 's/{/{"file":"a",/')
>>> $(record 90020 128000 16000 0 102400 21980 | sed 's/{/{"file":"b",/')
END
    spec <<'END'
ctx-budget --estimator bytes/4 --each --brief a - b
<<< {"role":"user","content":"abcd"}
>>> a: 10/128k 0%, 111k left
>>> -: 5/128k 0%, 112k left
>>> b: 90k/128k 70%, 22k left
END
}

@test "ctx-budget: --each names a file that cannot be read, and counts all others" {
    user a >a
    mkdir folder
    printf '\x28\xb5\x2f\xfdx' >packed
    spec <<'END'
ctx-budget --each --brief --estimator bytes/4 missing a folder a gone
>>> a: 5/128k 0%, 112k left
>>> a: 5/128k 0%, 112k left
>>>2 ctx-budget: cannot open 'missing': No such file or directory
>>>2 ctx-budget: cannot read 'folder': is a directory; name the files in it
>>>2 ctx-budget: cannot open 'gone': No such file or directory
>>>= 66
END
    # Whatever else is found: what is due, and a file that is no session.
    echo '{"x":1}' >foreign
    spec <<'END'
ctx-budget --each --brief --check --max-messages 0 --estimator bytes/4 a missing foreign
>>> a: 5/128k 0%, 112k left, compact: max_messages
>>> foreign: 0/128k 0%, 112k left
>>>2 ctx-budget: cannot open 'missing': No such file or directory
>>>2 ctx-budget: a: compaction is due: max_messages
>>>2 ctx-budget: foreign: no messages
>>>= 66
END
    # One that breaks off has no row, since its figures would be of a part.
    spec <<'END'
ctx-budget --each --json --estimator bytes/4 packed a 2>/dev/null | jq -c '[.file, .used_tokens]'
>>> ["a",5]
>>>= 69
END
    if [[ -e /proc/self/mem ]]; then
        spec <<'END'
ctx-budget --each --brief --estimator bytes/4 /proc/self/mem a
>>> a: 5/128k 0%, 112k left
>>>2 ctx-budget: cannot read '/proc/self/mem': Input/output error
>>>= 74
END
    fi
    spec <<'END'
ctx-budget --text --brief --estimator bytes/4 missing a
>>> a: 12/128k 0%, 112k left
>>>2 ctx-budget: cannot open 'missing': No such file or directory
>>>= 66
END
    # Nothing is left to print; and one session of all files is whole, or is not.
    spec <<'END'
ctx-budget --each missing
>>>2 ctx-budget: cannot open 'missing': No such file or directory
>>>= 66
END
    spec <<'END'
ctx-budget --brief a missing
>>>2 ctx-budget: cannot open 'missing': No such file or directory
>>>= 66
END
}

@test "ctx-budget: --each with --bad-lines stop has no row for what was not read" {
    user a >a
    { user a; echo '{'; user a; } >bad
    spec <<'END'
ctx-budget --each --brief --bad-lines stop --estimator bytes/4 a bad a
>>> a: 5/128k 0%, 112k left
>>> bad: 5/128k 0%, 112k left
>>>2 ctx-budget: bad:2: unexpected end, at byte 2
>>>= 65
END
}

@test "ctx-budget: --each learns from each session alone, and names the one that cannot be read" {
    { user a; says b "$usage"; user abc; } >a
    user a >b
    : >empty
    printf '{"x":1}\n%.0s' {1..20} >foreign
    echo '{"atof_version":"0.1"}' >swe
    spec <<'END'
ctx-budget --estimator bytes/4 --each --brief foreign empty swe
>>> foreign: 0/128k 0%, 112k left
>>> empty: 0/128k 0%, 112k left
>>> swe: 0/128k 0%, 112k left
>>>2 ctx-budget: foreign: no messages
>>>2 ctx-budget: swe: no messages; looks like atof, which is not read by this version
>>>= 65
END
    spec <<'END'
ctx-budget --estimator usage --each --check --json a b empty foreign | jq -r '[.file, .estimator, .used_tokens] | @tsv'
>>> a	usage	1555
>>> b	o200k_base	5
>>> empty	o200k_base	0
>>> foreign	o200k_base	0
>>>2 ctx-budget: b: too little usage to learn from: counted with o200k_base
>>>2 ctx-budget: empty: too little usage to learn from: counted with o200k_base
>>>2 ctx-budget: foreign: too little usage to learn from: counted with o200k_base
>>>2 ctx-budget: foreign: no messages
>>>= 65
END
    refuses 'ctx-budget --each --by role' '--each cannot be combined with --by'
    refuses 'ctx-budget --each --now a' '--each cannot be combined with --now'
    refuses 'ctx-budget --each --annotate' '--annotate cannot be combined with --each'
    refuses 'ctx-budget --each --estimator cmd:cat' '--each cannot be combined with --estimator=cmd:'
    refuses "ctx-budget --each --when 'pinned>1'" '--each cannot be combined with --when'
}

@test "ctx-budget: what other agents said is not counted, and named; --by session, agent, day and model have it" {
    {
        user hello '"session_id":"s","timestamp":"2026-03-06T23:59:59+02:00"'
        says hi '"session_id":"s","model":"m-1","timestamp":"2026-03-07T00:00:00Z"'
        user look '"agent_id":"a","parent_execution_id":"e","session_id":"s"'
        says found '"agent_id":"a","parent_execution_id":"e","session_id":"t","model":"m-2","timestamp":1772841600'
    } >in
    local said='ctx-budget: 2 messages of other agents not counted'
    for form in --table --json --brief '--by role' '--by message'; do
        # shellcheck disable=SC2086
        ctx-budget $form in 2>err >out
        [[ $(<err) == "$said" ]] || fail "$form: $(<err)"
    done
    ctx-budget --each --brief in in 2>err >out
    same 'each' err <(printf 'ctx-budget: in: %s\n' "${said#* }" "${said#* }")
    rm out err
    # labels KEY: label and number of messages of each row.
    labels() { ctx-budget --by "$1" --json in | rows | sed 1d | cut -f 1,2 | sort | tr '\t\n' ': '; }
    export -f labels
    spec <<'END'
for key in session agent day model; do labels $key; echo; done
>>> s:3 t:1 
>>> -:2 a:2 
>>> -:1 2026-03-06:1 2026-03-07:2 
>>> -:2 m-1:1 m-2:1 
END
    makes 'ctx-budget --by day --json | rows | cut -f 1' day - 2026-03-06 2026-03-07
    makes "ctx-budget --json --by agent --estimator bytes/4 | jq -c '[.used_tokens, ([.breakdown[].tokens] | add)]'" '[11,22]'
}

# said MODEL [AGENT]: an answer of that model, or of that sub-agent.
said() {
    printf '{"role":"assistant","content":"b","metadata":{"model":"%s"%s}}\n' "$1" "${2:+,\"parent_execution_id\":\"e\",\"agent_id\":\"$2\"}"
}

# has_window TOKENS OPTION...: the window of in.
has_window() {
    same "$*" <(echo "$1") <(ctx-budget --json "${@:2}" in 2>/dev/null | jq .context_window)
}

@test "ctx-budget: the window is that of the model that the session's newest answer names, of those that are known" {
    local user='{"role":"user","content":"a"}'
    { echo "$user"; said claude-sonnet-4-5; } >in
    has_window 200000
    has_window 64000 --window 64k
    has_window 64000 --limit 64k
    has_window 400000 --model gpt-5-mini
    has_window 128000 --model openai/gpt-77
    [[ $(ctx-budget --table --window 64k in) != *'window of'* ]]
    same 'brief' <(echo '10/200k 0%, 184k left') <(ctx-budget --brief in)
    same 'table' <(echo 'window of       claude-sonnet-4-5') <(ctx-budget --table in | sed -n 2p)
    same 'now' <(echo 200000) <(ctx-budget --now --json in | jq .context_window)
    # The newest that is known; what another agent says is not of this window.
    { cat in; echo "$user"; said gemini-2.5-pro; said '<synthetic>'; said gpt-4.1 helper; } >more
    mv more in
    has_window 1048576
    # Names as sessions spell them, and models of the user.
    { echo "$user"; said openai/gpt-5-mini; } >in
    has_window 400000
    { echo "$user"; said mine; } >in
    has_window 128000
    [[ $(ctx-budget --table in) != *'window of'* ]]
    printf 'mine\tme\t50000\t1000\t1\t1\t1\n' >models
    has_window 50000 --models-file models
    echo '{"role":"assistant","model":"gpt-5-mini","content":"an answer of an API"}' >in
    has_window 400000
    echo '{"role":"assistant","model":{"id":"gpt-5-mini"},"content":"no name"}' >in
    has_window 128000
}

@test "ctx-budget: of many sessions each has the window of its own model, and a pipeline takes it along" {
    local user='{"role":"user","content":"a","metadata":{"session_id":"%s"}}\n'
    { printf "$user" s; said claude-sonnet-4-5; } >a
    { printf "$user" s; said gpt-5-mini; } >b
    { printf "$user" s; said nobody; } >c
    same 'each' <(printf '%s\n' 200000 400000 128000) <(ctx-budget --each --json a b c | jq .context_window)
    same 'a record' <(echo 200000) <(ctx-budget a | ctx-compact | jq -s 'last | .context_window')
    same 'a pass' <(echo 400000) <(ctx-compact b | ctx-budget --json | jq .context_window)
}

@test "ctx-budget --each: in a narrow terminal the names are shorter, and no line is wider but for the reasons" {
    mkdir narrow
    cp "$FIXTURES/compact-gauge.jsonl" narrow/the-first-of-some-long-names.jsonl
    cp "$FIXTURES/compact-gauge.jsonl" narrow/two.jsonl
    cd narrow
    same 'names' - <(COLUMNS=50 ctx-budget --each --table --window 32k -- *.jsonl) <<'END'
file                     used   share    remaining
~ong-names.jsonl        5,615   17.5%       18,385
two.jsonl               5,615   17.5%       18,385
END
    cd ..
    rm -r narrow
}
