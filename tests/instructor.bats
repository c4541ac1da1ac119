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
    makes 'ctx-budget --by tool --json | rows' $'tool\tmessages\ttokens' $'log\t4\t39' $'sound\t2\t27' $'-\t2\t21'
    makes "ctx-normalize --to openai | jq -c '[.tool_call_id, .tool_calls[0].function.arguments]'" \
        '[null,null]' '[null,"{\"at\":\"harbour\"}"]' '["c1",null]' '[null,"{}"]' '["c2",null]' \
        '[null,"{}"]' '["c3",null]' '[null,null]'
}

@test "instructor: --untrusted keeps pairs that only metadata tells, and nothing else of it" {
    {
        user 'Sound the harbour.'
        raw '{"role":"assistant","content":"","_metadata":{"pinned":true,"tool_calls":[{"id":"c1","name":"sound","arguments":{"at":"a"}}]}}'
        raw '{"role":"tool","content":"4.2 m","_metadata":{"tool_call_id":"c1","tool_name":"sound"}}'
        raw '{"metadata":{"tool_calls":[{"id":"c2","name":"log","arguments":[]}]},"role":"assistant","tool_calls":null}'
        raw '{"role":"tool","metadata":{"is_trace":true,"tool_result":{"content":"x","call_id":"c2"}},"content":"x"}'
        wants c3:log '"tool_calls":[{"id":"other","name":"f"}]'
        gets c3 y '"tool_call_id":"other"'
        says 'It is 4.2 m deep.' '"tool_calls":null,"tool_call_id":null'
    } >in
    makes 'ctx-normalize --untrusted' 1 \
        '{"role":"assistant","content":"","tool_calls":[{"id":"c1","name":"sound","arguments":{"at":"a"}}]}' \
        '{"role":"tool","content":"4.2 m","tool_call_id":"c1"}' \
        '{"role":"assistant","tool_calls":[{"id":"c2","name":"log","arguments":[]}]}' \
        '{"role":"tool","content":"x","tool_result":{"content":"x","call_id":"c2"}}' \
        "$(wants c3:log)" "$(gets c3 y)" "$(says 'It is 4.2 m deep.')"
    makes 'ctx-normalize --untrusted | ctx-normalize --check'
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
        '["[old result removed]",true,true]' '["[old result removed]",true,true]' '>>>2 ctx-compact: the target of 10 tokens is not met: 79 are left'
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
    makes 'ctx-budget --by section --json | rows' $'section\tmessages\ttokens' $'summary\t2\t15' $'messages\t2\t10'
    makes 'ctx-budget --by kind --json | rows' $'kind\tmessages\ttokens' $'summary\t2\t15' $'user\t1\t5' $'assistant\t1\t5'
    makes "ctx-budget --when 'kind=summary>1' --json | jq -c .reasons" '["when"]'
    makes "ctx-budget --when 'section=summary>1' --json | jq -c .reasons" '["when"]'
    { cat in; ROLE=assistant asks m3 more | sed 's/10:00:00/15:00:00/'; } >later
    mv later in
    makes "ctx-budget --max-age 2h --json | jq -c .reasons" '["max_age"]'
    makes "ctx-budget --max-age 3h --json | jq -c .reasons" '[]'
}

@test "instructor: metadata goes into an empty array, which is PHP's empty object" {
    { asks m1 hi '"_metadata":[]'; user hi; raw '{"role":"user","content":"x","metadata":[ ]}'; } >in
    makes 'ctx-route' "$(asks m1 hi '"_metadata":{"origin":"user"}')" \
        '2: origin=user' \
        '{"role":"user","content":"x","metadata":{"origin":"user"}}'
}

# --- Stores --------------------------------------------------------------------------------------

# store SECTION...: an AgentContext.  A SECTION is JSON; the other members are in $MEMBERS.
store() {
    local all=''
    for section; do
        all+=,$section
    done
    printf '{%s"messageStore":{"sections":[%s],"parameters":[]}}\n' \
        "${MEMBERS-\"metadata\":[],\"systemPrompt\":\"\",\"responseFormat\":[],}" "${all:1}"
}

# section NAME MESSAGE...
section() {
    local all='' name=$1
    shift
    for message; do
        all+=,$message
    done
    printf '{"name":"%s","messages":[%s]}' "$name" "${all:1}"
}

# returns: what was read of the file in and written again is the same JSON value, in one call and in two.
returns() {
    jq -S . in >want
    ctx-normalize --to instructor in | jq -S . >got
    same 'in one call' want got
    ctx-normalize --from instructor in >log
    ctx-normalize --check --from ctx log
    ctx-normalize --to instructor log | jq -S . >got
    same 'in two calls' want got
    rm want got log
}

@test "instructor: an AgentContext is a context record and messages by section" {
    local header='"type":"context","system_prompt":"You keep lamps.","response_format":{"type":"json_object"}'
    MEMBERS='"metadata":{"user":"u1"},"systemPrompt":"You keep lamps.","responseFormat":{"type":"json_object"},"agentId":"a",'
    store "$(section summary "$(asks s1 'Lamps were lit.')")" '{"name":"buffer","messages":[]}' \
        "$(section messages "$(asks m1 hi)" "$(ROLE=assistant asks m2 ho)")" \
        "$(section execution_buffer "$(does m3 c1 read '[]')" "$(finds m4 c1 read x)")" >in
    makes 'ctx-normalize' \
        "{$header,\"metadata\":{\"user\":\"u1\",\"x_instructor\":{\"metadata\":null,\"systemPrompt\":null,\"responseFormat\":null,\"agentId\":\"a\",\"messageStore\":{\"sections\":[$(section summary),$(section buffer),$(section messages),$(section execution_buffer)],\"parameters\":[]}}}}" \
        "$(asks s1 'Lamps were lit.' '"_metadata":{"section":"summary"}')" "$(asks m1 hi)" "$(ROLE=assistant asks m2 ho)" \
        "$(does m3 c1 read '[]' | sed 's/"is_trace":true/&,"section":"execution_buffer"/')" \
        "$(finds m4 c1 read x | sed 's/"is_trace":true/&,"section":"execution_buffer"/')"
    returns
    jq . in >pretty && mv pretty in
    returns
    spec <<'END'
ctx-normalize in | ctx-project --sections summary,messages | jq -c '[.role // .type, .content]'
>>> ["context",null]
>>> ["user","Lamps were lit."]
>>> ["user","hi"]
>>> ["assistant","ho"]
ctx-normalize in | ctx-budget --json | jq .reserved_system_tokens
>>> 11
END
    store "$(section execution_buffer "$(does m3 c1 read '[]')")" "$(section messages "$(asks m1 hi)")" \
        "$(section notes "$(asks n1 note)")" "$(section summary "$(asks s1 before)")" >in
    makes "ctx-normalize | jq -c .content" null '"before"' '"note"' '"hi"' '""'
    returns
}

@test "instructor: what a canonical record has no word for comes back" {
    local members
    for members in '"metadata":{},"systemPrompt":null,' '' '"metadata":{"x_instructor":1},"responseFormat":{},' \
        '"metadata":null,"responseFormat":"text","systemPrompt":["a"],'; do
        MEMBERS=$members
        store "$(section messages '{"role":"user","content":"a","metadata":"note"}' \
            '{"role":"user","content":"b","metadata":"note","_metadata":7}' \
            '{"role":"user","content":"c","_metadata":{"section":"mine"}}' \
            '{"role":"user","content":"d","_metadata":{}}' '{"role":"user","content":"e","_metadata":{"kind":"summary"}}')" \
            "$(section 'my \"own\"' '{"role":"user","content":"f","metadata":"note"}' \
                '{"role":"user","content":"g","metadata":"note","_metadata":7}' \
                '{"role":"user","content":"h","_metadata":{"section":"mine"}}' \
                '{"role":"user","content":"i","_metadata":{}}' '{"role":"user","content":"j","metadata":null}' \
                '{"role":"assistant","content":[{"type":"thinking","thinking":"k"},{"type":"text","text":"k"}]}' \
                '{"role":"assistant","tool_calls":[{"id":"c1","type":"custom","custom":{"name":"n","input":"l"}}]}' \
                '{"role":"tool","tool_call_id":"c1","content":"m"}')" \
            '{"name":"none"}' '{"name":"null","messages":null,"x":1}' "$(section summary "$(asks n n)")" >in
        returns
    done
    raw '{"messageStore":[]}' '{"systemPrompt":"x","messageStore":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}' \
        '{"messageStore":{"sections":[]}}' '{"messageStore":{}}' >in
    returns
}

@test "instructor: a section that is no list is named, and stays in its place" {
    {
        store "$(section messages "$(asks m1 hi)")" '{"name":"buffer","messages":{"a":1}}' '{"messages":[]}'
        raw '{"messageStore":{"sections":{"messages":[]}}}'
    } >in
    spec <<'END'
ctx-normalize --from instructor in >log
>>>2 ctx-normalize: in:1: unknown-shape: section 'buffer' is no list
>>>2 ctx-normalize: in:1: unknown-shape: a section without a name
>>>2 ctx-normalize: in:2: unknown-shape: section 'sections' is no list
>>>= 65
>>>+ log
END
    same 'the store' <(jq -cS . in) <(ctx-normalize --to instructor log | jq -cS .)
    raw '{"type":"message","id":"m1","data":{"text":"who?"}}' '{"messageStore":"none"}' >in
    makes 'ctx-normalize --from instructor' 1-2 \
        '>>>2 ctx-normalize: in:1: unknown-shape: a message that is not understood; looks like instructor' \
        '>>>2 ctx-normalize: in:2: unknown-shape: a message that is not understood; looks like instructor' '>>>= 65'
}

@test "instructor: a second section of one name is named, and stays in its place" {
    store "$(section messages "$(asks m1 hi)")" "$(section buffer "$(asks m2 ho)")" "$(section messages)" \
        "$(section 'b\u0075ffer' "$(asks m3 he)")" "$(section buffer "$(asks m4 ha)")" >in
    spec <<'END'
ctx-normalize --from instructor in >log
>>>2 ctx-normalize: in:1: unknown-shape: a second section 'b\u0075ffer'
>>>2 ctx-normalize: in:1: unknown-shape: a second section 'buffer'
>>>= 65
>>>+ log
END
    same 'the messages' <(jq -r '.id // empty' log | paste -sd' ') - <<<'m2 m1'
    same 'the store' <(jq -cS . in) <(ctx-normalize --to instructor log | jq -cS .)
    # One that holds none takes nothing from the first.
    store "$(section buffer)" "$(section messages "$(asks m1 hi)")" "$(section messages)" >in
    returns
}

# entry SECTION MESSAGE ID: a line of a storage file.
entry() {
    printf '{"type":"message","id":"%s","parentId":null,"section":"%s","timestamp":"2026-03-01T11:00:00+00:00","data":%s}\n' \
        "$3" "$1" "$2"
}

@test "instructor: a storage file, with its header, sections and labels" {
    {
        raw '{"type":"session","version":1,"id":"s-1","createdAt":"2026-03-01T09:00:00+00:00","leafId":null}'
        entry messages "$(asks m1 'Read.')" m1
        entry execution_buffer '{"role":"assistant","content":"","tool_calls":[{"id":"c1","name":"read","arguments":[]}]}' m2
        raw '{bad'
        entry execution_buffer "$(finds m3 c1 read no true)" m3
        raw '{"type":"label","id":"l1","parentId":"m3","targetId":"m1","label":"first","timestamp":"t"}'
        raw '{"type":"label","id":"l2","parentId":"m3","targetId":"m3","label":"gone","timestamp":"t"}'
        raw '{"type":"label","id":"l3","parentId":"m3","targetId":"m3","label":null,"timestamp":"t"}'
        raw '{"type":"label","id":"l4","parentId":"m3","targetId":"m9","label":"lost","timestamp":"t"}'
        user 'A canonical line.'
        entry messages "$(asks m1 'Read it.')" m1
    } >in
    makes 'ctx-normalize -v' \
        '{"type":"context","metadata":{"session_id":"s-1","createdAt":"2026-03-01T09:00:00+00:00","leafId":null,"x_instructor":{}}}' \
        "$(asks m1 'Read it.' '"_metadata":{"session_id":"s-1","label":"first"}')" \
        '{"role":"assistant","content":"","tool_calls":[{"id":"c1","name":"read","arguments":[]}],"id":"m2","createdAt":"2026-03-01T11:00:00+00:00","_metadata":{"session_id":"s-1","section":"execution_buffer"}}' \
        4 "$(finds m3 c1 read no true | sed 's/"is_trace":true/&,"session_id":"s-1","section":"execution_buffer"/')" 10 \
        '>>>2 ctx-normalize: in:4: expected a member name, at byte 2' \
        '>>>2 ctx-normalize: 11 records, 4 messages in; 4 messages out, 3 changed; 1 records added; 4 messages made; no conversation: 1 replaced line, 1 label' \
        '>>>= 65'
    sed -i /bad/d in
    cp in other
    spec <<'END'
ctx-normalize --to instructor in other | jq -c '[.metadata, [.messageStore.sections[] | [.name, (.messages | length)]]]'
>>> [{"session_id":"s-1","createdAt":"2026-03-01T09:00:00+00:00","leafId":null},[["messages",2],["execution_buffer",2]]]
>>> [{"session_id":"s-1","createdAt":"2026-03-01T09:00:00+00:00","leafId":null},[["messages",2],["execution_buffer",2]]]
ctx-normalize --untrusted --report report in | jq -c '[.role, ._metadata]'; jq -c '[.stripped, .skipped]' report; rm report
>>> ["user",null]
>>> ["assistant",null]
>>> ["tool",null]
>>> ["user",null]
>>> [{"metadata":1,"contexts":1,"budgets":0,"agents":0},{"replaced line":1,"label":1}]
END
}

# kept ID STORE...: a storage file whose session has that id; one without an id has no header.
kept() {
    [[ -z $1 ]] || raw "{\"type\":\"session\",\"version\":1,\"id\":\"$1\",\"createdAt\":\"2026-03-01T09:00:00+00:00\"}"
    entry messages "$(asks m1 "Read for $1.")" m1
    entry messages "$(does m2 c1 read '{}')" m2
    [[ -z ${2-} ]] || entry messages "$(finds m3 c1 read "$2")" m3
}

@test "instructor: the stores of one stream are a session each, with and without a key" {
    local option key='--session-key metadata.session_id'
    kept s-1 >a
    kept s-2 yes | sed '/m2/d' >b
    kept s-3 no >c
    for store in a b c; do ctx-normalize --to instructor $store; done >contexts
    for from in 'a b c' contexts; do
        # shellcheck disable=SC2086
        cat $from >in
        for option in '' '--to openai --request={}' '--to anthropic --array' '--to instructor'; do
            # shellcheck disable=SC2086
            for store in a b c; do ctx-normalize $option $store; done >want
            # shellcheck disable=SC2086
            ctx-normalize $option in >got
            [[ $from == contexts && -z $option ]] || same "$from: $option" want got
            # shellcheck disable=SC2086
            same "$from: $option: with the key" got <(ctx-normalize $key $option in)
            # shellcheck disable=SC2086
            same "$from: $option: a second run" got <(ctx-normalize in | ctx-normalize $option)
            # shellcheck disable=SC2086
            same "$from: $option: a second run with the key" got <(ctx-normalize in | ctx-normalize $key $option)
        done
    done
    # The messages alone say their session, and the context record waits for the next of them.
    jq -c '.metadata |= []' contexts >in
    ctx-normalize --to instructor in >want
    ctx-normalize in >log
    # shellcheck disable=SC2086
    for from in in log; do
        for option in '' --sorted; do
            same "$from: $option: messages say it" want <(ctx-normalize $key $option --to instructor $from)
        done
        ctx-normalize $key --report report $from >got
        same "$from: sessions" <(echo 3) <(jq .sessions report)
        [[ $from == log ]] || same 'the context that is made' <(printf '%s\n' s-1 s-2 s-3) <(jq -r 'select(.type == "context").metadata.session_id' got)
    done
    # One that nothing follows, and one of a store without messages.
    { cat log; head -n 1 log; head -n 1 log; } >in
    ctx-normalize $key in >got
    same 'the last ones say no session' <(tail -n 2 in) <(tail -n 2 got)
    # A message that says its session keeps it, and one of a file without a header says none.
    { kept s-1; entry messages '{"role":"user","content":"x","metadata":{"session_id":"own"}}' m9; } >in
    kept '' >other
    spec <<'END'
ctx-normalize in other | jq -c '[.role, (.metadata // ._metadata).session_id]'
>>> [null,"s-1"]
>>> ["user","s-1"]
>>> ["assistant","s-1"]
>>> ["tool","s-1"]
>>> ["user","own"]
>>> ["user",null]
>>> ["assistant",null]
END
}

@test "instructor: sections are written in the order in which a program puts them together" {
    { user note '"section":"notes"'; user hi; user before '"section":"summary"'; user next '"section":"buffer"'; } >in
    makes "ctx-normalize --to instructor | jq -c '.messageStore.sections | map(.name)'" '["summary","buffer","notes","messages"]'
    # And in this order they are made whole: a call before the conversation will have no result.
    { user hi; acts null "$(call c1 read a)" | jq -c '.metadata.section = "summary"'; } >in
    makes "ctx-normalize --to instructor | jq -c '.messageStore.sections[] | [.name, (.messages[].content)]'" '["summary","","[no result]"]' '["messages","hi"]'
}

@test "instructor: of other dialects' sessions it gets messages that it reads" {
    {
        context Brief.
        user "$(printf '[{"type":"text","text":"%s"},{"type":"image","source":{"type":"url","url":"u"}}]' hi)" '"section":"buffer"'
        acts '[{"type":"thinking","thinking":"t","signature":"s"}]' "$(call c1 read a)" '{"id":"c2","type":"custom","custom":{"name":"p","input":"free"}}'
        gets c1 x '"tool_name":"read","is_error":true'
        gets c2 '[{"type":"text","text":"y"}]'
        says '[{"type":"thinking","thinking":"nothing else","signature":"s"}]'
        raw '{"role":"assistant","content":null,"tool_calls":[{"id":"c3","type":"function","function":{"name":"f","arguments":"{}"}}]}' '{"role":"tool","tool_call_id":"c3","content":"z"}' \
            '{"role":"assistant","tool_calls":[{"id":"c4","type":"function","function":{"name":"f","arguments":"{}"}}]}' '{"role":"tool","tool_call_id":"c4","content":"z"}'
        says Done. '"section":"messages","pinned":true'
        user 'What was before.' '"section":"summary"'
    } >in
    makes "ctx-normalize --to instructor | jq -c '.systemPrompt, (.messageStore.sections[] | .name, .messages[])'" \
        '"Brief."' '"summary"' '{"role":"user","content":"What was before."}' \
        '"buffer"' '{"role":"user","content":[{"type":"text","text":"hi"},{"type":"image_url","image_url":{"url":"u"}}]}' \
        '"messages"' '{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a\"}"}},{"id":"c2","name":"p","arguments":{"input":"free"}}]}' \
        '{"role":"tool","content":"x","metadata":{"tool_name":"read","is_error":true},"tool_result":{"content":"x","call_id":"c1","tool_name":"read","is_error":true}}' \
        '{"role":"tool","content":[{"type":"text","text":"y"}],"tool_result":{"content":"y","call_id":"c2","is_error":false}}' \
        '{"role":"assistant","content":"","tool_calls":[{"id":"c3","type":"function","function":{"name":"f","arguments":"{}"}}]}' '{"role":"tool","content":"z","tool_result":{"content":"z","call_id":"c3","is_error":false}}' \
        '{"role":"assistant","tool_calls":[{"id":"c4","type":"function","function":{"name":"f","arguments":"{}"}}],"content":""}' '{"role":"tool","content":"z","tool_result":{"content":"z","call_id":"c4","is_error":false}}' \
        '{"role":"assistant","content":"Done.","metadata":{"pinned":true}}'
}

@test "instructor: a result that says two texts keeps both for an API" {
    { asks m1 hi; does m2 c1 read '{}'; finds m3 c1 read a false b; does m4 c2 read '{}'; finds m5 c2 read '' false c; } >in
    makes "ctx-normalize --to openai | jq -c 'select(.role == \"tool\").content'" '[{"type":"text","text":"a"},{"type":"text","text":"b"}]' '"c"'
    makes "ctx-normalize --to anthropic | jq -c '.content | arrays[0] | select(.type == \"tool_result\").content'" \
        '[{"type":"text","text":"a"},{"type":"text","text":"b"}]' '"c"'
}

@test "instructor: a response format is spelled as the API that gets it spells it" {
    MEMBERS='"systemPrompt":"P","responseFormat":{"type":"json_schema","schema":{"type":"object"},"name":"lamp","strict":true},' \
        store "$(section messages "$(asks m1 hi)")" >in
    makes "ctx-normalize --to openai --request='{\"model\":\"m\"}' | jq -c .response_format" \
        '{"type":"json_schema","json_schema":{"name":"lamp","strict":true,"schema":{"type":"object"}}}'
}

@test "instructor: the trace of an execution stands before its final response when it is read back" {
    {
        user 'How deep?' '"execution_id":"e1"'
        calls c1 sound a '"execution_id":"e1","section":"execution_buffer"'
        gets c1 '4.2 m' '"execution_id":"e1","section":"execution_buffer"'
        says '4.2 m deep.' '"execution_id":"e1"'
        user 'And now?' '"execution_id":"e2"'
        calls c2 sound b '"execution_id":"e2","section":"execution_buffer"'
        gets c2 '3 m' '"execution_id":"e2","section":"execution_buffer"'
        says '3 m deep.' '"execution_id":"e2"'
        user 'Go on.' '"execution_id":"e3"'
        calls c3 sound c '"execution_id":"e3","section":"execution_buffer"'
    } >in
    # order: what the messages of a stream say, and their calls.
    order='select(.type != "context") | if (.content // "") == "" then .tool_calls[0].id else .content end'
    ctx-normalize --to instructor --open-calls keep in >store
    same 'the order' <(ctx-normalize store | jq -r "$order") <(jq -r "$order" in)
    same 'the store again' store <(ctx-normalize store | ctx-normalize --to instructor --open-calls keep)
    same 'the conversation' <(ctx-normalize store | ctx-project --view conversation | jq -r "$order") \
        <(printf '%s\n' 'How deep?' '4.2 m deep.' 'And now?' '3 m deep.' 'Go on.')
    # Where the log has no ids, trace and answer get derived ones; a store that has none stays.
    sed 's/"execution_id":"e[0-9]",*//; s/,"metadata":{}//' in >plain
    ctx-normalize --to instructor --open-calls keep plain >plain.store
    same 'the order without ids' <(ctx-normalize plain.store | jq -r "$order") <(jq -r "$order" in)
    same 'derived' <(ctx-normalize plain.store | jq -r 'select(.type != "context") | .metadata.execution_id') \
        <(printf '%s\n' null '#1' '#1' '#1' null '#2' '#2' '#2' null null)
    same 'the store without ids again' plain.store <(ctx-normalize plain.store | ctx-normalize --to instructor --open-calls keep)
    sed 's/"execution_id":"#[0-9]",*//g; s/,"metadata":{}//g' plain.store >bare.store
    same 'a store without ids' bare.store <(ctx-normalize bare.store | ctx-normalize --to instructor --open-calls keep)
    # The sections keep their order, whatever the order of the executions in them.
    jq -c '(.messageStore.sections[] | select(.name == "execution_buffer").messages) |= [.[2, 3, 0, 1, 4]]' store >turned
    same 'turned' turned <(ctx-normalize turned | ctx-normalize --to instructor --open-calls keep)
    same 'trace before' <(ctx-normalize turned | jq -r "$order" | sed -n 2,6p) <(printf '%s\n' c2 '3 m' c1 '4.2 m' '4.2 m deep.')
    rm store turned plain plain.store bare.store
}

@test "instructor: the trace of an execution that ended without an answer is not current when it is read back" {
    local s='"section":"execution_buffer"'
    {
        user 'How deep?'
        calls c1 sound a "$s"
        gets c1 'no echo' "$s"
        says 'Stopped.' '"origin":"error"'
        user 'And now?'
        calls c2 sound b "$s"
        gets c2 '3 m' "$s"
    } >in
    ctx-normalize --to instructor in >store
    same 'the view' <(ctx-project in | jq -r '.tool_calls[0].id // .content') \
        <(ctx-normalize store | ctx-project | jq -r 'select(.type != "context") | .tool_calls[0].id // .content')
    same 'the store again' store <(ctx-normalize store | ctx-normalize --to instructor)
}

@test "instructor: what is written is repaired in the order in which it is read, and of a log in its own" {
    local s='"section":"execution_buffer","is_trace":true' id ids=('' ',"execution_id":"e1"' ',"execution_id":"e2"' ',"execution_id":"e3"')
    for id in '' yes; do
        [[ -n $id ]] || ids=()
        {
            user 'How deep?' "\"n\":1${ids[1]-}"
            acts Both. "$(call c1 sound a)" "$(call c2 sound b)" "$s${ids[1]-}"
            echo '{"role":"tool","tool_call_id":"c1","content":"4.'
            gets c2 '3 m' "$s${ids[1]-}"
            says '3 m deep.' "\"n\":1${ids[1]-}"
            user 'And there?' "\"n\":2${ids[2]-}"
            calls c3 sound c "$s${ids[2]-}"
            calls c4 sound d "$s${ids[2]-}"
            says Stopped. "\"origin\":\"error\"${ids[2]-}"
            user 'Go on.' "\"n\":3${ids[3]-}"
            calls c5 sound e "$s${ids[3]-}"
            gets c4 'no echo' "$s${ids[3]-}"
            gets c5 '2 m' "$s${ids[3]-}"
        } >in
        ctx-normalize --to instructor in >store 2>said || [[ $? == 65 ]]
        same 'no result' <(jq -r '.messageStore.sections[].messages[] | select(.content == "[no result]").tool_result.call_id' store) <(printf '%s\n' c1 c3)
        same 'the store again' store <(ctx-normalize --to instructor store)
        same 'the log again' store <(ctx-normalize store | ctx-normalize --to instructor)
        same 'the repaired log' store <(ctx-normalize in 2>said | ctx-normalize --to instructor 2>said)
    done
}

@test "instructor: a storage file is written for each session, and read as the same messages" {
    {
        user x '"session_id":"s-1"'
        raw '{"role":"assistant","content":"y","id":"d","createdAt":"2026-03-01T11:00:00+00:00","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]}'
        gets c1 r '"is_error":true'
        raw '{"role":"assistant","content":"z","id":"d","metadata":{"timestamp":"2026-03-01T12:00:00Z","section":"summary"}}'
    } >in
    ctx-normalize --to instructor-storage --report report in >file
    same 'lines' <(jq -c '[.type, (.section // .leafId), (.timestamp // .createdAt), (.id | if length == 36 then "made" else . end), (.parentId | length)]' file) - <<'END'
["session",null,"1970-01-01T00:00:00+00:00","s-1",0]
["message","messages","1970-01-01T00:00:00+00:00","made",0]
["message","messages","2026-03-01T11:00:00+00:00","d",36]
["message","messages","1970-01-01T00:00:00+00:00","made",1]
["message","summary","2026-03-01T12:00:00Z","made",36]
END
    same 'parents' <(jq -r 'select(.type == "message").id' file | head -n 3) <(jq -r 'select(.parentId).parentId' file)
    same 'ids' <(echo 4) <(jq -r 'select(.type == "message").id' file | sort -u | wc -l)
    same 'report' <(echo 4) <(jq .joined report)
    same 'messages' <(jq -c '[.role, .content]' in) <(ctx-normalize --from instructor file | jq -c 'select(.role) | [.role, .content]')
    same 'told by itself' <(ctx-normalize --from instructor file) <(ctx-normalize file)
    same 'sections and errors' <(ctx-normalize file | jq -c 'select(.role) | .metadata // ._metadata | [.session_id, .section, .is_error]') - <<'END'
["s-1",null,null]
["s-1",null,null]
["s-1","messages",true]
["s-1","summary",null]
END
    ctx-normalize file | ctx-normalize --to instructor-storage >again
    same 'byte for byte' file again
    # The first line comes back, and each session has its own.
    kept s-1 >one
    kept s-2 ok >two
    ctx-normalize --to instructor-storage one two >file
    same 'headers' <(jq -c 'select(.type == "session") | [.id, .createdAt]' one two) <(jq -c 'select(.type == "session") | [.id, .createdAt]' file)
    same 'apart' <(printf '%s\n' s-1 s-1 s-2 s-2 s-2) <(ctx-normalize file | jq -r 'select(.role) | .metadata // ._metadata | .session_id')
    # What nests too deep for a line is set aside.
    { user x; raw "{\"role\":\"user\",\"content\":\"y\",\"a\":$(repeat 1023 '[')$(repeat 1023 ']')}"; } >in
    status_of 0 ctx-normalize --to instructor-storage --bad-file bad in >file 2>err
    same 'too deep' <(tail -n 1 in) bad
    same 'the others' <(printf '%s\n' session message) <(jq -r .type file)
    rm -f one two file again report bad err
}
