#!/usr/bin/env bats
#
# The messages of instructor (PHP), which every command reads as they are, and the format of its stores.

load helper
load dialogue

# asks ID TEXT [MEMBERS]: a message of the user or another (ROLE), as Message::toArray writes it.
asks() {
    printf '{"id":"%s","createdAt":"2026-03-01T10:00:00+00:00","role":"%s","content":"%s"%s}\n' \
        "$1" "${ROLE:-user}" "$2" "${3:+,$3}"
}

# does ID CALL TOOL ARGUMENTS: a message of one call, which says nothing else.
does() {
    ROLE=assistant asks "$1" '' "\"_metadata\":{\"execution_id\":\"e1\",\"is_trace\":true},\"tool_calls\":[{\"id\":\"$2\",\"name\":\"$3\",\"arguments\":$4}]"
}

# finds ID CALL TOOL TEXT [IS_ERROR [OTHER]]: the result of a call, whose text stands twice; with OTHER
# the second text is another.
finds() {
    ROLE=tool asks "$1" "$4" "\"_metadata\":{\"execution_id\":\"e1\",\"is_trace\":true},\"tool_result\":{\"content\":\"${6-$4}\",\"call_id\":\"$2\",\"tool_name\":\"$3\",\"is_error\":${5:-false}}"
}

# --- Messages in every command -------------------------------------------------------------------

@test "instructor: a result answers the call that tool_result or metadata names" {
    {
        asks m1 'Sound the harbour.'
        does m2 c1 sound '{"at":"harbour"}'
        finds m3 c1 sound '4.2 m'
        raw '{"role":"assistant","content":"","_metadata":{"tool_calls":[{"id":"c2","name":"log","arguments":[]}]}}'
        raw '{"role":"tool","content":"noted","_metadata":{"tool_call_id":"c2","tool_name":"log"}}'
        raw '{"role":"assistant","content":"","metadata":{"tool_calls":[{"id":"c3","name":"log","arguments":{}}]}}'
        raw '{"role":"tool","content":"x","metadata":{"tool_result":{"content":"x","call_id":"c3"}}}'
        ROLE=assistant asks m4 'It is 4.2 m deep.'
    } >in
    makes 'ctx-normalize --check'
    keeps 'ctx-normalize'
    makes 'ctx-isolate' 1 \
        '{"role":"assistant","content":"[trace] sound: ok, 5 B","metadata":{"kind":"trace","scope":"historical","execution_id":"e1","timestamp":"2026-03-01T10:00:00+00:00","is_trace":true,"compacted":true,"facts":{"tool":"sound","op":"other","outcome":"ok"}}}' \
        '{"role":"assistant","content":"[trace] log: ok, 5 B","metadata":{"kind":"trace","scope":"historical","is_trace":true,"compacted":true,"facts":{"tool":"log","op":"other","outcome":"ok"}}}' \
        '{"role":"assistant","content":"[trace] log: ok, 1 B","metadata":{"kind":"trace","scope":"historical","is_trace":true,"compacted":true,"facts":{"tool":"log","op":"other","outcome":"ok"}}}' \
        8
    makes 'ctx-budget --by tool --tsv' $'tool\tmessages\ttokens' $'log\t4\t39' $'sound\t2\t27' $'-\t2\t21'
    makes "ctx-normalize --to openai | jq -c '[.tool_call_id, .tool_calls[0].function.arguments]'" \
        '[null,null]' '[null,"{\"at\":\"harbour\"}"]' '["c1",null]' '[null,"{}"]' '["c2",null]' \
        '[null,"{}"]' '["c3",null]' '[null,null]'
}

@test "instructor: a failure is told by tool_result.is_error, and metadata wins" {
    {
        asks m1 'Read the log.'
        does m2 c1 read '{"path":"log"}'
        finds m3 c1 read 'no such file' true
        does m4 c2 read '{"path":"chart"}'
        finds m5 c2 read gone true | sed 's/"is_trace":true/&,"is_error":false/'
        ROLE=assistant asks m6 'It is gone.'
        asks m7 'Well.'
    } >in
    makes "ctx-isolate | jq -c '[.role, .content]'" '["user","Read the log."]' '["assistant",""]' \
        '["tool","no such file"]' '["assistant","[trace] read chart: ok, 4 B"]' \
        '["assistant","It is gone."]' '["user","Well."]'
}

@test "instructor: the text of a result counts once where it stands twice, and twice where it differs" {
    { asks m1 hi; does m2 c1 read '{"path":"a"}'; finds m3 c1 read 'tide and moon'; } >in
    { asks m1 hi; does m2 c1 read '{"path":"a"}'; gets c1 'tide and moon'; } >single
    { asks m1 hi; does m2 c1 read '{"path":"a"}'; finds m3 c1 read 'tide \u0061nd moon' false 'tide and moon'; } >escaped
    { asks m1 hi; does m2 c1 read '{"path":"a"}'; finds m3 c1 read tide false 'and the moon beside it'; } >other
    {
        asks m1 hi
        does m2 c1 read '{"path":"a"}'
        raw '{"role":"tool","content":[{"type":"text","text":"tide and moon"}],"tool_result":{"content":"tide and moon","call_id":"c1"}}'
    } >parts
    spec <<'END'
for f in in single escaped other parts; do ctx-budget --json $f | jq .used_tokens; done
>>> 31
>>> 31
>>> 31
>>> 34
>>> 31
END
}

@test "instructor: what masks, prunes, cuts or marks a result changes both its texts" {
    local old
    old=$(repeat 60 'The tide is high. ')
    {
        asks m1 Read.
        does m2 c1 read '{"path":"a"}'
        finds m3 c1 read "$old"
        does m4 c2 read '{"path":"b"}'
        finds m5 c2 read "$old" false "and $old"
        ROLE=assistant asks m6 Done.
        asks m7 'And now?'
        ROLE=assistant asks m8 Nothing.
    } >in
    # texts: for each result its content, its other text, and whether the long text is gone.
    texts() {
        jq -c 'select(.role == "tool") | [.content, .tool_result.content == .content, (tojson | length < 500)]'
    }
    export -f texts
    makes 'ctx-isolate --policy mask --keep-results 0 | texts' \
        '["[tool result masked, 1 kB]",true,true]' '["[tool result masked, 2 kB]",true,true]'
    makes 'ctx-compact --force --pipeline prune --keep-turns 0 --prune-over 100 --target 10 --best-effort | texts' \
        '["[old result removed]",true,true]' '["[old result removed]",true,true]'
    makes "ctx-compact --force --pipeline prune --keep-turns 0 --prune-over 400 --target 450 --best-effort | jq -c 'select(.role == \"tool\") | [.content, .tool_result.content] | map(contains(\"bytes cut\"))'" \
        '[true,true]' '[true,true]'
    { asks m1 hi; finds m2 c9 read lost; } >in
    makes 'ctx-normalize' 1 "$(ROLE=user asks m2 '[tool result that answers no call] lost' '"_metadata":{"execution_id":"e1","is_trace":true,"origin":"injected"},"tool_result":{"content":"[tool result that answers no call] lost","call_id":"c9","tool_name":"read","is_error":false}')"
}

@test "instructor: section summary and kind summary say each other, createdAt is the time" {
    {
        user 'What was said.' '"section":"summary"'
        user 'And before.' '"kind":"summary"'
        asks m1 hi
        ROLE=assistant asks m2 hello | sed 's/10:00:00/12:30:00/'
    } >in
    makes 'ctx-budget --by section --tsv' $'section\tmessages\ttokens' $'summary\t2\t15' $'messages\t2\t10'
    makes 'ctx-budget --by kind --tsv' $'kind\tmessages\ttokens' $'summary\t2\t15' $'user\t1\t5' $'assistant\t1\t5'
    makes "ctx-budget --when 'kind=summary>1' --json | jq -c .reasons" '["when"]'
    makes "ctx-budget --when 'section=summary>1' --json | jq -c .reasons" '["when"]'
    makes "ctx-budget --max-age 2h --json | jq -c .reasons" '["max_age"]'
    makes "ctx-budget --max-age 3h --json | jq -c .reasons" '[]'
}

@test "instructor: metadata goes into an empty array, which is PHP's empty object" {
    { asks m1 hi '"_metadata":[]'; user hi; raw '{"role":"user","content":"x","metadata":[ ]}'; } >in
    makes 'ctx-route' "$(asks m1 hi '"_metadata":{"origin":"user"}')" \
        '2: origin=user' \
        '{"role":"user","content":"x","metadata":{"origin":"user"}}'
}
