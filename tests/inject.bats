#!/usr/bin/env bats
#
# ctx-project: what it puts into a view that the log does not have.

load helper
load dialogue

# A session of one past and one running request.
session() {
    context 'Be brief.'           # 1
    system 'S'                    # 2
    developer 'D'                 # 3
    user 'One.'                   # 4
    says 'Done.'                  # 5
    user 'Two.'                   # 6
    calls c1 read a.c             # 7
    gets c1 'text'                # 8
    echo '{"note":"foreign"}'     # 9
    echo '{"type":"budget"}'      # 10
}

# injected TEXT: the message that a text becomes.
injected() {
    system "$1" '"origin":"injected"'
}

@test "ctx-project: --inject puts a text behind the leading system messages, or at its place" {
    session >in
    printf 'bring oil\n\n' >notes
    makes 'ctx-project --inject notes' 1-3 "$(injected 'bring oil')" 4-10
    makes 'ctx-project --inject notes@start --view all' 1-3 "$(injected 'bring oil')" 4-10
    makes 'ctx-project --inject notes@before-last-user' 1-5 "$(injected 'bring oil')" 6-10
    makes 'ctx-project --inject notes@end' 1-9 "$(injected 'bring oil')" 10
    makes 'ctx-project --inject notes@end --sections messages' 1-9 "$(injected 'bring oil')" 10
    makes 'ctx-project --inject notes --view conversation' 1 "$(injected 'bring oil')" 4-6 9-10
}

@test "ctx-project: injections are repeatable and keep their order at each place" {
    session >in
    printf a >a
    printf b >b
    printf c >c
    makes 'ctx-project --inject b --inject c@end --inject a --inject a@end --inject b@before-last-user' 1-3 \
        "$(injected b)" "$(injected a)" 4-5 "$(injected b)" 6-9 "$(injected c)" "$(injected a)" 10
}

@test "ctx-project: without a message to stand in front of, an injection stands at the end, before the budget" {
    printf a >a
    { context P; system S; raw '[1]'; echo '{"type":"budget"}'; } >in
    makes 'ctx-project --inject a@before-last-user --inject a' 1-3 "$(injected a)" "$(injected a)" 4
    makes 'ctx-project --view all --inject a@before-last-user --inject a@end --inject a' 1-3 \
        "$(injected a)" "$(injected a)" "$(injected a)" 4
    : >in
    makes 'ctx-project --inject a' "$(injected a)"
    { user One.; echo '{"type":"budget"}'; user Two.; echo '{"type":"budget"}'; echo '{"type":"budget"}'; } >in
    makes 'ctx-project --inject a@end' 1-3 "$(injected a)" 4-5
    makes 'ctx-project --inject a@before-last-user' 1-2 "$(injected a)" 3-5
    { user One.; echo '{"type":"budget"}'; says Done.; } >in
    makes 'ctx-project --inject a@end --inject a@before-last-user' "$(injected a)" 1-3 "$(injected a)"
}

@test "ctx-project: the user's last message is no injected one and no summary" {
    printf a >a
    {
        user 'One.'
        says 'Done.'
        user 'wind: NW' '"origin":"injected"'
        user '[summary] x' '"kind":"summary"'
        user '[summary] y' '"section":"summary"'
        user 'said by nobody' '"origin":"system"'
        user '[trace] z' '"kind":"trace"'
    } >in
    makes 'ctx-project --view all --inject a@before-last-user' "$(injected a)" 1-7
    makes "ctx-project --view all --inject-command 'cat; echo'" "$(injected 'One.')" 1-7
    sed 1d in >in2
    mv in2 in
    makes "ctx-project --view all --inject-command 'touch ran; cat'" 1-6
}

@test "ctx-project: what is injected is no request, no turn and no execution for who reads the view" {
    session >in
    user 'Do this instead.' >shots
    ctx-project --inject shots@end in >view
    makes 'ctx-project --inject shots@end | tail -n 2 | head -n 1' "$(user 'Do this instead.' '"origin":"injected"')"
    mv view in
    makes 'ctx-project --last 1turn --view conversation' 1 6 9 11
    makes 'ctx-project --view conversation' 1 4-6 9 11
    makes 'ctx-isolate' 1-11
}

@test "ctx-project: --inject of message records keeps them but for their origin, in whole groups" {
    session >in
    {
        raw '' ' { "role" : "user" , "content" : "e.g. \u0041", "x":1 } '
        calls s1 read x.c '"execution_id":"e0"'
        gets s1 'int x;'
        raw '{"role":"assistant","content":"So.","metadata":{"origin":"assistant","k":2}}'
    } >shots
    makes 'ctx-project --inject shots' 1-3 \
        ' { "role" : "user" , "content" : "e.g. \u0041", "x":1,"metadata":{"origin":"injected"} } ' \
        "$(calls s1 read x.c '"execution_id":"e0","origin":"injected"')" \
        "$(gets s1 'int x;' '"origin":"injected"')" \
        '{"role":"assistant","content":"So.","metadata":{"origin":"injected","k":2}}' 4-10
    printf '\xef\xbb\xbf%s\r\n%s' "$(user a)" "$(user b)" >shots
    makes 'ctx-project --inject shots@end' 1-9 "$(user a '"origin":"injected"')" "$(user b '"origin":"injected"')" 10
}

@test "ctx-project: a text may hold lines of JSON, and a file of records nothing but messages" {
    user Hi. >in
    { echo '# Format'; user a; } >text
    makes 'ctx-project --inject text' "$(injected '# Format\n{\"role\":\"user\",\"content\":\"a\"}')" 1
    echo '{"a":1}' >text
    makes 'ctx-project --inject text' "$(injected '{\"a\":1}')" 1
    refused() {
        cat >bad
        spec <<END
ctx-project --inject bad in
>>>2 ctx-project: $1
>>>= 78
END
    }
    { user a; raw '{bad}'; } | refused 'bad:2: expected a member name, at byte 2'
    { user a; raw 1; } | refused 'bad:2: expected a message'
    { context P; user a; } | refused 'bad:1: expected a message'
    { user a; raw ''; gets c1 x; } | refused 'bad:3: the result answers no call'
    { calls c1 read a.c; user a; } | refused 'bad:2: a call before has no result'
    user a '"agent_id":"x","parent_execution_id":"e1"' | refused 'bad:1: expected no message of a sub-agent'
    raw '{"role":"user","content":"a","metadata":1,"_metadata":2}' | refused 'bad:1: the message has no room for metadata'
    printf 'ab\xff' | refused 'bad: expected UTF-8 text, at byte 3'
    printf 'ab\0c' | refused 'bad: expected UTF-8 text, at byte 3'
}

@test "ctx-project: of a blank text, and of a command that writes nothing, comes no message" {
    session >in
    printf ' \n\t\n' >blank
    : >empty
    keeps 'ctx-project --inject blank --inject empty@end'
    keeps 'ctx-project --inject-command true'
    keeps 'ctx-project --inject-command "echo; echo"'
}

@test "ctx-project: --inject-command gets the user's last message, and its output is a system message" {
    session >in
    makes "ctx-project --inject-command 'tr a-z A-Z'" 1-3 "$(injected TWO.)" 4-10
    makes "ctx-project --inject-command 'tr a-z A-Z@end'" 1-9 "$(injected TWO.)" 10
    printf n >n
    makes "ctx-project --inject-command 'wc -c@before-last-user' --inject n@before-last-user" 1-5 \
        "$(injected 'n')" "$(injected '4')" 6-10
    user '[{"type":"text","text":"a\u0062"},{"type":"image_url","image_url":{}},{"type":"text","text":"é"}]' >in
    makes "ctx-project --inject-command 'tr \"\\n\" /'" "$(injected 'ab/é')" 1
}

@test "ctx-project: without a message of the user no command runs" {
    { system S; says A.; } >in
    keeps "ctx-project --inject-command 'touch ran; echo x'"
    session >in
    makes "ctx-project --view trace --inject-command 'touch ran; echo x'" 1 7-10
}

@test "ctx-project: where a command fails or writes no text nothing is written" {
    session >in
    for case in "echo no >&2; exit 3|'echo no >&2; exit 3' failed with status 3: no" \
        "printf 'ab\\377'|'printf 'ab\\377'' wrote text that is not UTF-8, at byte 3" \
        "printf 'a\\0'|'printf 'a\\0'' wrote a NUL and so no text, at byte 2" \
        "kill -9 \$\$|'kill -9 \$\$' was ended by signal 9"; do
        words=${case%%|*}
        export words
        spec <<END
ctx-project --inject-command 'echo good' --inject-command "\$words" in
>>>2 ctx-project: ${case#*|}
>>>= 69
END
    done
    spec <<'END'
ctx-project --inject-command 'sleep 20' --command-timeout 1s in
>>>2 ctx-project: 'sleep 20' gave no answer for 1 second
>>>= 69
END
}

@test "ctx-project: options of injections that make no sense give 64, a file that is not there 66" {
    user Hi. >in
    refuses 'ctx-project --inject @end' "bad value '@end' of --inject, expected a file"
    refuses 'ctx-project --inject -' "bad value '-' of --inject, expected a file: standard input has the log"
    refuses 'ctx-project --inject -@end in -' "bad value '-@end' of --inject, expected a file: standard input has the log"
    refuses "ctx-project --inject-command ' @end'" "bad value ' @end' of --inject-command, expected a command"
    spec <<'END'
ctx-project --inject missing@strat in
>>>2 ctx-project: cannot open 'missing@strat': No such file or directory
>>>= 66
END
    spec <<END
echo a | ctx-project --inject - in
>>> $(injected a)
>>> $(user Hi.)
END
    echo note >note
    refuses 'ctx-project --inject note@end --report note in' "'note' is an input file"
    [[ $(<note) == note ]]
}

@test "ctx-project: what is injected into a sub-agent's view is the sub-agent's" {
    {
        user 'Go.' '"agent_id":"a","parent_execution_id":"e1"'
        says 'Gone.' '"agent_id":"a","parent_execution_id":"e1"'
    } >in
    echo note >note
    echo '{"type":"context","system_prompt":"P"}' | cat - in >in2
    makes 'ctx-project --inject note' \
        "$(system note '"origin":"injected","parent_execution_id":"e1","agent_id":"a"')" 1-2
    mv in2 in
    ctx-project --agent a --inject note --with-system in >view
    mv view in
    makes 'ctx-project' 1-5
    makes 'ctx-project --view conversation' 1 4-5
    user 'Go.' '"parent_execution_id":"e1"' >in
    makes 'ctx-project --inject note@end' 1 "$(system note '"origin":"injected","parent_execution_id":"e1"')"
}

@test "ctx-project: --with-system makes the prompt in force a system message, the first one, and leaves one prompt" {
    {
        raw '{"type":"context","system_prompt":"Old.","tools":[]}'
        system S
        user One.
        raw '{"type":"context", "x":1, "system_prompt" : "B\u0065 brief." }'
        says Done.
    } >in
    for options in '' '--view conversation' '--sections messages' '--view all --last 9msgs'; do
        ctx-project $options --with-system in >view
        jq -c '[.type, .role, .content, .system_prompt]' view >got
        [[ $options == *conversation* ]] || grep -q '"S"' got
        grep -v '"S"' got | grep -v context >said
        same said <(printf '%s\n' '[null,"system","Be brief.",null]' '[null,"user","One.",null]' '[null,"assistant","Done.",null]') said
        ctx-project --view all --with-system view >again
        same again view again
    done
    makes 'ctx-project --with-system' '{"type":"context","tools":[]}' '{"role":"system","content":"B\u0065 brief."}' \
        2-3 '{"type":"context", "x":1 }' 5
    echo note >note
    makes 'ctx-project --with-system --inject note' '{"type":"context","tools":[]}' \
        '{"role":"system","content":"B\u0065 brief."}' 2 "$(injected note)" 3 '{"type":"context", "x":1 }' 5
}

@test "ctx-project: --with-system keeps the system message that a first run made" {
    {
        context P
        user One. '"section":"buffer"'
        says Soon. '"section":"buffer"'
        calls c1 look '{}'; gets c1 ok
        says Done.; user Two.; says 'Done, too.'
    } >in
    local options
    for options in '--start-on user' '--last 2msgs' '--last 1turns' '--first 1msgs' '--last 0.03k' '--view conversation' \
        '--view trace' '--select role=user' '--reject role=system' '--sections messages --last 1msgs' \
        '--sections buffer' '--sections buffer --last 1msgs'; do
        # shellcheck disable=SC2086
        ctx-project $options --with-system in >view
        same "$options: in front" <(echo P) <(jq -r 'select(.role) | .content' view | head -n 1)
        # shellcheck disable=SC2086
        ctx-project $options --with-system view >again
        same "$options: a second run" view again
    done
}

@test "ctx-project: --with-system says no prompt twice, and none that a later context took back" {
    { context 'Be brief.'; system 'Be brief.'; user One.; } >in
    makes 'ctx-project --with-system' '{"type":"context"}' 2-3
    { context 'Be brief.'; raw '{"type":"context","system_prompt":""}' '{"type":"context","system_prompt":null}'; user One.; } >in
    makes 'ctx-project --with-system' '{"type":"context"}' 2-4
    { user One.; context P; } >in
    makes 'ctx-project --with-system' "$(system P)" 1 '{"type":"context"}'
    user One. >in
    keeps 'ctx-project --with-system'
    ctx-project --with-system "$FIXTURES/ctx-metadata.jsonl" | ctx-normalize --to openai >messages
    [[ $(grep -c '"role":"system"' messages) == $(ctx-normalize --to openai "$FIXTURES/ctx-metadata.jsonl" | grep -c '"role":"system"') ]]
}

@test "ctx-project: an injection at the start waits for nothing but the head" {
    echo note >note
    mkfifo pipe
    ctx-project --inject note --view all pipe >out &
    exec 4>pipe
    { system S; user One.; } >&4
    for ((i = 0; i < 100 && $(wc -l <out) < 3; i++)); do sleep 0.05; done
    lines=$(wc -l <out)
    exec 4>&-
    wait
    [[ $lines == 3 ]]
    same out <(system S; injected note; user One.) out
}

@test "ctx-project: --report counts what was injected" {
    session >in
    echo note >note
    ctx-project --inject note --inject note@end --with-system --report report in >/dev/null
    [[ $(jq -c '[.injected, .added, .changed]' report) == '[2,3,0]' ]]
}
