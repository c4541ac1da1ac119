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
