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
    refuses 'ctx-project --text' '--text goes with --view conversation'
    refuses 'ctx-project --view all --text' '--text goes with --view conversation'
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
    makes 'ctx-project --trace none' 1 8-13
    makes 'ctx-project --trace all' 1 4-5 8-13
    refuses 'ctx-project --attempts all --view conversation' '--attempts goes with a view that has trace'
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
    gets c1 'late' >>in                                              # 5
    makes 'ctx-project' 1 4
    makes 'ctx-project --trace all' 1-5
}

@test "ctx-project: attempts that stream are those that are held, for random streams" {
    local seed
    for seed in {1..60}; do
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
        for options in '' '--trace all' '--view trace --attempts last' '--trace none --execution last'; do
            ctx-project $options in >streamed
            ctx-project $options --last 9999msgs in >held
            cmp streamed held || fail "seed $seed, '$options'"
        done
        ctx-project --view trace in >all
        ctx-project --view trace --attempts last in >some
        cmp -s all some || differ=1
    done
    [[ $differ ]]
}
