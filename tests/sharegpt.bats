#!/usr/bin/env bats
#
# ctx-normalize --from sharegpt: conversations of ShareGPT and LLaMA-Factory, a session each.

load helper
load dialogue

# turn FROM VALUE [MEMBERS]: a turn; VALUE is the inside of a string, or =JSON.
turn() {
    local value="\"$2\""
    [[ $2 != '='* ]] || value=${2:1}
    printf '{"from":"%s","value":%s%s}' "$1" "$value" "${3:+,$3}"
}

# talk TURN... [-- MEMBERS]: a conversation, with members behind its turns.
talk() {
    local all=
    while (($# > 0)) && [[ $1 != -- ]]; do
        all+=,$1
        shift
    done
    printf '{"conversations":[%s]%s}\n' "${all:1}" "${2:+,$2}"
}

# told: the records without the session that each line is.
told() {
    sed -E 's/"session_id":"line-[0-9a-f]{32}(-[0-9]+)?",//; s/,?"session_id":"line-[0-9a-f]{32}(-[0-9]+)?"//; s/,"metadata":\{\}//'
}
export -f told

@test "sharegpt: whoever speaks gets a role, and all other members of a turn stay as they are" {
    local from
    for from in human user gpt assistant chatgpt bing bard model ai bot system developer; do
        talk "$(turn "$from" t)"
    done >in
    makes 'ctx-normalize | jq -r .role | uniq -c | tr -d " "' 2user 8assistant 1system 1developer
    # Not a byte of a turn changes but the names and the speaker.
    local line='{"conversations" : [ { "weight":0, "from" : "human" ,"value": "a\u0041" , "x":{"from":"human","value":1.50} }, {"value":"b","\u0066rom":"gpt","loss":true} ]}'
    raw "$line" >in
    makes 'ctx-normalize' \
        "{ \"weight\":0, \"role\" : \"user\" ,\"content\": \"a\\u0041\" , \"x\":{\"from\":\"human\",\"value\":1.50},\"metadata\":{$(of_line "$line")} }" \
        "{\"content\":\"b\",\"role\":\"assistant\",\"loss\":true,\"metadata\":{$(of_line "$line")}}"
    # A speaker that is not known is a role that no command touches.
    talk "$(turn Bob b)" "$(turn human u)" >in
    makes 'ctx-normalize | told' '{"role":"Bob","content":"b"}' "$(user u)"
}

@test "sharegpt: a function_call is a call, in each of its spellings, and a list is parallel calls" {
    local from
    for from in function_call function-call tool_call; do
        talk "$(turn "$from" '{\"name\": \"f\", \"arguments\": {\"a\" : 1.0}}')" "$(turn observation o)"
    done >in
    makes 'ctx-normalize | told | uniq -c | sed "s/^ *//"' "1 $(calls call_1 f '{"a" : 1.0}')" "1 $(gets call_1 o)" \
        "1 $(calls call_1 f '{"a" : 1.0}')" "1 $(gets call_1 o)" "1 $(calls call_1 f '{"a" : 1.0}')" "1 $(gets call_1 o)"
    {
        # Arguments as JSON in a string, as parameters, none; what else a call says stays.
        talk "$(turn function_call '{\"name\":\"f\",\"arguments\":\"{}\"}')" "$(turn observation 1)" \
            "$(turn function_call '{\"name\":\"f\",\"parameters\":{\"p\":1},\"x\":[2,\n3]}')" "$(turn observation 2)" \
            "$(turn function_call '{\"name\":\"f\"}')" "$(turn observation 3)" \
            "$(turn function_call '={"name":"f","arguments":{}}')" "$(turn observation 4)"
        # The calls of the chat API, with an id of their own.
        talk "$(turn function_call '[{\"id\":\"own\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}},\n {\"name\":\"g\",\n \"arguments\":{}}]')" \
            "$(turn observation 1)" "$(turn observation 2)"
        # Thinking in front, as LLaMA-Factory has it.
        talk "$(turn function_call '<think>\nwhy\n</think>\n\n{\"name\":\"f\",\n\"arguments\":{}}' '"weight":1')" "$(turn observation 1)"
    } >in
    makes 'ctx-normalize | told' "$(calls call_1 f '{}')" "$(gets call_1 1)" \
        '{"role":"assistant","content":null,"tool_calls":[{"id":"call_2","type":"function","function":{"name":"f","arguments":"{\"p\":1}"},"x":[2, 3]}]}' \
        "$(gets call_2 2)" "$(calls call_3 f '{}')" "$(gets call_3 3)" "$(calls call_4 f '{}')" "$(gets call_4 4)" \
        "$(acts null "$(call own f '{}')" "$(call call_1 g '{}')")" "$(gets own 1)" "$(gets call_1 2)" \
        "$(acts '<think>\nwhy\n</think>\n\n' "$(call call_1 f '{}')" | sed 's/.$/,"weight":1}/')" "$(gets call_1 1)"
}

@test "sharegpt: a function_call without a call stays text, and is named" {
    {
        talk "$(turn human u)" "$(turn function_call 'print(1)')" "$(turn gpt g)"
        talk "$(turn function_call '[]')" "$(turn function_call '{\"a\":1}')" "$(turn function_call '[{\"name\":\"f\"},3]')" \
            "$(turn function_call '<think>x</think>')" "$(turn function_call '={"a":1}')" "$(turn function_call '{\"name\":\"f\"} {}')"
    } >in
    makes 'ctx-normalize | told' "$(user u)" "$(says 'print(1)')" "$(says g)" \
        "$(says '[]')" "$(says '{\"a\":1}')" "$(says '[{\"name\":\"f\"},3]')" "$(says '<think>x</think>')" \
        '{"role":"assistant","content":{"a":1}}' "$(says '{\"name\":\"f\"} {}')" \
        '>>>2 ctx-normalize: in:1: unknown-shape: 1 function_call without a call stayed text' \
        '>>>2 ctx-normalize: in:2: unknown-shape: 6 function_calls without a call stayed text' '>>>= 65'
}

@test "sharegpt: a result answers the oldest call without one, of those that stand together" {
    local f='{\"name\":\"f\"}'
    {
        # Two turns of calls, then their results; a call whose result lacks, and the next one's.
        talk "$(turn function_call "$f")" "$(turn function_call "$f")" "$(turn observation 1)" "$(turn tool 2)" \
            "$(turn function_call "$f")" "$(turn human u)" "$(turn function_call "$f")" "$(turn function_response 4)" "$(turn gpt g)"
    } >in
    makes 'ctx-normalize | told' "$(calls call_1 f '{}')" "$(gets call_1 1)" "$(calls call_2 f '{}')" "$(gets call_2 2)" \
        "$(calls call_3 f '{}')" \
        '{"role":"tool","tool_call_id":"call_3","content":"[no result]","metadata":{"tool_name":"f","is_error":true}}' \
        "$(user u)" "$(calls call_4 f '{}')" "$(gets call_4 4)" "$(says g)"
    # Without a call, as where calls are tags in the text: nothing of the result is lost.
    talk "$(turn human u)" "$(turn gpt '<tool_call>{\"name\":\"f\"}</tool_call>')" "$(turn tool r)" >in
    makes 'ctx-normalize | told' "$(user u)" "$(says '<tool_call>{\"name\":\"f\"}</tool_call>')" \
        "$(user '[tool result that answers no call] r' '"origin":"injected","is_trace":true')"
    # Calls in the spelling of the chat API beside the value.
    talk "$(turn gpt v '"tool_calls":[{"id":"z","type":"function","function":{"name":"f","arguments":"{}"}}]')" "$(turn tool r)" \
        "$(turn function_call t '"tool_calls":[{"id":"y","function":{"name":"f"}}]')" "$(turn tool s '"tool_call_id":"y"')" >in
    makes 'ctx-normalize | told' "$(acts v "$(call z f '{}')")" "$(gets z r)" \
        '{"role":"assistant","content":"t","tool_calls":[{"id":"y","function":{"name":"f"}}]}' \
        '{"role":"tool","content":"s","tool_call_id":"y"}'
}

@test "sharegpt: what stands beside the turns is in the context record, and the system prompt a message" {
    local tools='[{"name":"f","parameters":{}}]'
    {
        talk "$(turn human u)" -- "\"system\":\"s\",\"tools\":\"[{\\\"name\\\":\\\"f\\\",\\n\\\"parameters\\\":{}}]\",\"id\":\"i_0\",\"images\":[\"a.jpg\"]"
        talk "$(turn human u)" -- "\"system\":null,\"tools\":$tools"
        talk "$(turn human u)" -- "\"chosen\":$(turn gpt a),\"rejected\":$(turn gpt b),\"tools\":\"none\""
        talk
    } >in
    makes 'ctx-normalize | told' \
        '{"type":"context","tools":[{"name":"f", "parameters":{}}],"metadata":{"request":{"id":"i_0","images":["a.jpg"]}}}' \
        "$(system s)" "$(user u)" "{\"type\":\"context\",\"tools\":$tools,\"metadata\":{\"request\":{\"system\":null}}}" "$(user u)" \
        "{\"type\":\"context\",\"metadata\":{\"request\":{\"chosen\":$(turn gpt a),\"rejected\":$(turn gpt b),\"tools\":\"none\"}}}" \
        "$(user u)"
}

@test "sharegpt: turns that are chat messages, and values of other types" {
    {
        talk '{"role":"user","content":"u"}' '{"role":"gpt","value":"v"}' '{"from":"human","content":"w"}' \
            '{"from":"human","role":"assistant","content":"x"}' "$(turn human '={"a":1}')" \
            '{"from":"human","value":7}'
    } >in
    makes 'ctx-normalize | told' "$(user u)" "$(says v)" "$(user w)" '{"from":"human","role":"assistant","content":"x"}' \
        '{"role":"user","content":{"a":1}}' '{"role":"user","content":7}'
    talk "$(turn human '=[{"type":"text","text":"t"}]')" '{"from":"gpt","value":null}' '{"from":"gpt"}' >in
    makes 'ctx-normalize --report report | told; jq -c .found report' '{"role":"user","content":[{"type":"text","text":"t"}]}' \
        '{"empty-message":2}' '>>>+ report'
}

@test "sharegpt: what is no turn stays in its place, and is named; what is no conversation, too" {
    {
        talk "$(turn human u)" '{"value":"x"}' true '{"from":3,"value":"y"}' null '"s"' "$(turn gpt g)"
        talk "$(turn human u)" '{"from":"gpt","text":"elsewhere"}'
        raw '{"conversations":"[]"}' '{"conversations":[1]}' '{"conversations":{"a":1}}' '{"conversations":3}' '[{"conversations":[[]]}]'
    } >in
    makes 'ctx-normalize --from sharegpt | told' "$(user u)" '{"value":"x"}' true '{"from":3,"value":"y"}' null '"s"' "$(says g)" \
        "$(user u)" '{"role":"assistant","text":"elsewhere"}' 3-7 \
        '>>>2 ctx-normalize: in:1: unknown-shape: 5 turns of a conversation without a speaker' \
        '>>>2 ctx-normalize: in:2: unknown-shape: a role without content; looks like no known format' \
        '>>>2 ctx-normalize: in:3: unknown-shape: a message that is not understood; looks like sharegpt' \
        '>>>2 ctx-normalize: in:4: unknown-shape: a message that is not understood; looks like sharegpt' \
        '>>>2 ctx-normalize: in:5: unknown-shape: a message that is not understood; looks like sharegpt' \
        '>>>2 ctx-normalize: in:7: unknown-shape: a message that is not understood; looks like sharegpt' '>>>= 65'
}

@test "sharegpt: each conversation is a session, by its bytes alone, with a number for a repeated one" {
    local a b
    a=$(talk "$(turn human u)" "$(turn gpt g '"metadata":{"session_id":"own"}')" -- '"id":"x"')
    b=$(talk "$(turn human u)")
    { raw "$a" "$b" "$a" "$a"; printf '  %s\r\n' "$b"; } >in
    beside() {
        printf '{"type":"context","metadata":{"request":{"id":"x"},%s}}' "$(of_line "$a" "${1-}")"
    }
    local own='{"role":"assistant","content":"g","metadata":{"session_id":"own"}}'
    makes 'ctx-normalize' "$(beside)" "$(user u "$(of_line "$a")")" "$own" "$(user u "$(of_line "$b")")" \
        "$(beside -2)" "$(user u "$(of_line "$a" -2)")" "$own" "$(beside -3)" "$(user u "$(of_line "$a" -3)")" "$own" \
        "$(user u "$(of_line "$b" -2)")"
    # A second run and another API know nothing of it; nor does input that is not trusted.
    ctx-normalize in >once
    ctx-normalize once | cmp - once
    ctx-normalize --to openai in | cmp - <(ctx-normalize --to openai --untrusted in)
    ctx-normalize --untrusted in >out
    [[ $(grep -c 'session_id\|context' out) == 0 && $(wc -l <out) == 8 ]]
    # With a model, too, which a chat request would have.
    talk "$(turn human u)" -- '"model":"gpt-4"' | ctx-normalize | grep -c session_id | grep -qx 2
}

@test "sharegpt: the same wherever the file is divided, and each session as if it were alone" {
    local i line
    for ((i = 0; i < 50; i++)); do
        talk "$(turn human "$i")" "$(turn function_call '{\"name\":\"f\"}')" "$(turn observation o)" "$(turn gpt "g $i")" -- '"system":"s"'
        # One that ends with a call, and one that begins with a result.
        talk "$(turn human "a $i")" "$(turn function_call '{\"name\":\"f\"}')"
        talk "$(turn observation "o $i" '"tool_call_id":"call_1"')" "$(turn gpt "b $i")"
    done >in
    ctx-normalize in >whole
    [[ $(jq .metadata.session_id whole | sort -u | wc -l) == 150 ]]
    ctx-normalize whole | cmp - whole
    for i in 1 2 7; do split -l "$i" --filter ctx-normalize in | cmp - whole; done
}

@test "sharegpt: an array of conversations, on one line or on many, and one of requests" {
    local i all=
    for i in {1..20}; do
        all+=,$(talk "$(turn human "u $i")" "$(turn gpt g)")
    done
    printf '[%s]\n' "${all:1}" >array
    jq -c '.[]' array >lines
    ctx-normalize lines >want
    ctx-normalize array | cmp - want
    # What jq indents has blanks behind colons, and so are other sessions of the same messages.
    jq . array | ctx-normalize >many
    told <want | cmp - <(told <many | jq -c .)
    [[ $(jq -r .metadata.session_id many | sort -u | wc -l) == 20 ]]
    # A document of one conversation, and a stream of documents.
    head -n 1 lines | jq . | ctx-normalize | told | jq -c . | cmp - <(head -n 2 want | told)
    jq . lines | ctx-normalize | told | jq -c . | cmp - <(told <want)
    # The same of chat requests; an element that is neither is a record of its own.
    printf '[%s]\n' '{"messages":[{"role":"user","content":"u"}],"tools":[]},{"messages":[{"role":"user","content":"v"}]},true' >in
    makes 'ctx-normalize | told' '{"type":"context","tools":[]}' "$(user u)" "$(user v)" true
    [[ $(ctx-normalize in | jq -r 'objects | .metadata.session_id' | uniq | wc -l) == 2 ]]
    rm array lines want many
}

@test "sharegpt: an array is read element by element, whatever its size, up to where it breaks" {
    local i all=
    for i in {1..40}; do all+=,$(talk "$(turn human "u $i $long")" "$(turn gpt ']},[\\\"')"); done
    printf ' \n[ %s ] \n' "${all:1}" >array
    jq -c '.[]' array >lines
    ctx-normalize lines >want
    # Longer than a record may be, in all; from a pipe that gives a byte at a time, and behind a BOM.
    ctx-normalize --max-line 2k array | cmp - want
    jq . array >many
    ctx-normalize --max-line 2k many | told | jq -c . | cmp - <(told <want)
    printf '\xef\xbb\xbf' | cat - array many >both
    ctx-normalize --report report both | told | jq -c . | cmp - <(told <want && told <want)
    [[ $(jq .records report) == 41 ]] # the second is a value over several lines
    # An array of messages is one record.
    printf '[%s,%s]\n' "$(user a)" "$(user b)" | ctx-normalize --report report | cmp - <(user a && user b)
    [[ $(jq .records report) == 1 ]]
    # The lines behind it, and the next file.
    { cat array; user q; cat many; } | ctx-normalize | told | jq -c . | cmp - <(told <want && user q && told <want)
    ctx-normalize array many lines | jq -r .content | cmp - <(for i in 1 2 3; do jq -r .content want; done)
    # One element that is too long, one that is no JSON, and an array that is torn: what stands before
    # is read, the rest is bad lines.
    { head -n 1 lines; talk "$(turn human "$(repeat 5000 x)")"; } | paste -sd, | sed 's/.*/[&]/' >long
    status_of 65 ctx-normalize --max-line 2k long >out 2>err
    cmp out <(head -n 2 want; tail -n 1 long | tail -c +"$(($(head -n 1 lines | wc -c) + 2))")
    printf '[%s,{"conversations":[tru]},{}]\n' "$(head -n 1 lines)" >broken
    status_of 65 ctx-normalize broken >out 2>err
    cmp out <(head -n 2 want; echo '{"conversations":[tru]},{}]')
    printf '[%s,\n{"conv' "$(head -n 1 lines)" >torn
    status_of 65 ctx-normalize torn >out 2>err
    cmp out <(head -n 2 want; printf '\n{"conv')
    same 'torn' <(echo 'ctx-normalize: torn:2: unexpected end, at byte 7') err
    # Each record has the number of its line.
    printf '[\n%s,\n\n %s,%s,\n7\n]\n{bad\n' "$(head -n 1 lines)" '{"conversations":[{"from":"human","value":"u"},1]}' \
        '{"conversations":[{"from":"human","value":"u"},2]}' >numbered
    status_of 65 ctx-normalize numbered >out 2>err
    same 'numbers' - err <<'END'
ctx-normalize: numbered:4: unknown-shape: 1 turn of a conversation without a speaker
ctx-normalize: numbered:4: unknown-shape: 1 turn of a conversation without a speaker
ctx-normalize: numbered:7: expected a member name, at byte 2
END
    rm -f array lines want many both report long out err broken torn numbered
}

@test "sharegpt: beside chat messages and requests, in any order, and the other readers name it" {
    {
        user a
        talk "$(turn human b)"
        raw '{"messages":[{"role":"user","content":"c"}]}'
        talk "$(turn human d)"
        user e
    } >in
    makes 'ctx-normalize | told' 1 "$(user b)" "$(user c)" "$(user d)" 5
    makes 'ctx-normalize --from anthropic | told' 1 "$(user b)" "$(user c)" "$(user d)" 5
    # Messages beside conversations are the conversation.
    raw '{"messages":[{"role":"user","content":"c"}],"conversations":[{"from":"human","value":"x"}]}' >in
    makes 'ctx-normalize | jq -c "[.role, .metadata.request]"' \
        '[null,{"conversations":[{"from":"human","value":"x"}]}]' '["user",null]'
    { user a; talk "$(turn human b)"; } >in
    makes 'ctx-normalize --from ctx' 1-2 \
        '>>>2 ctx-normalize: in:2: unknown-shape: a message that is not understood; looks like sharegpt' '>>>= 65'
    talk "$(turn human b)" >in
    makes 'ctx-project' 1 '>>>2 ctx-project: no messages; looks like sharegpt, try ctx-normalize --from sharegpt in | ctx-project' '>>>= 65'
    makes 'ctx-normalize --check' '>>>2 ctx-normalize: in:1: other-dialect: looks like sharegpt, not ctx; with --from sharegpt it is checked as such' '>>>= 1'
    makes 'ctx-normalize --check --from sharegpt'
}

@test "sharegpt: many odd turns of one record are one finding" {
    # An array behind another record is one record.
    printf '{"type":"note"}\n[%s{"conversations":[1]}]\n' "$(for i in {1..30}; do printf '{"conversations":[{"from":"a"},1,2]},'; done)" >in
    ctx-normalize in 2>err >out || [[ $? == 65 ]]
    grep -c 'turns of a conversation' err | grep -qx 1
    grep -q '60 turns' err
}

@test "sharegpt: no turn of the real files is lost" {
    [[ -d $CTX_SHARED/sharegpt ]] || skip 'no transcripts stand beside the tree'
    local file
    for file in "$CTX_SHARED"/sharegpt/*/*; do
        ctx-normalize --report report "$file" >out
        # Turns, and a system prompt beside them; a turn that says nothing is counted as it goes.
        jq '[if type == "array" then .[] else . end | (.conversations | length) + (if .system then 1 else 0 end)] | add' "$file" >want
        same "${file##*/}" want <(jq '.made' report)
        jq '[if type == "array" then .[] else . end | .conversations[] | select(.value == "")] | length' "$file" >want
        same "${file##*/}" want <(jq '.found["empty-message"] // 0' report)
        # Every text and every call is there, in its order.
        same "${file##*/}" <(jq -c 'if type == "array" then .[] else . end | .conversations[] | select(.value != "") |
                if .from == "function_call" then .value | fromjson | [.name, .arguments] else .value end' "$file") \
            <(jq -c 'select(.role) | .content // (.tool_calls[0].function | [.name, (.arguments | fromjson)])' out)
    done
}

# --- Written ----------------------------------------------------------------------------------------

@test "sharegpt: written, each role has its speaker, and calls are turns of their own" {
    {
        system S
        user "$(printf '[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"u"}},{"type":"text","text":"b\\n"}]')"
        acts 'I look.' "$(call c1 f '{"x" : [1]}')" "$(call c2 g '{}')"
        gets c1 o
        gets c2 '[{"type":"text","text":"p"}]'
        acts null "$(call c3 f '{}')"
        gets c3 q
        says '[{"type":"thinking","thinking":"t","signature":"s"},{"type":"text","text":"Done."}]'
        raw '{"role":"assistant","content":null,"refusal":"No."}'
    } >in
    makes 'ctx-normalize --to sharegpt -v' \
        "$(talk "$(turn system S)" "$(turn human 'a\nb\n')" "$(turn gpt 'I look.')" \
            "$(turn function_call '[{\"id\":\"c1\",\"name\":\"f\",\"arguments\":{\"x\" : [1]}},{\"id\":\"c2\",\"name\":\"g\",\"arguments\":{}}]')" \
            "$(turn observation o)" "$(turn observation p)" "$(turn function_call '{\"id\":\"c3\",\"name\":\"f\",\"arguments\":{}}')" \
            "$(turn observation q)" "$(turn gpt Done.)" "$(turn gpt No.)")" \
        '>>>2 ctx-normalize: 9 records, 9 messages in; 0 messages out, 0 changed; 1 records added; 9 messages in the conversation; dropped: 1 image_url, 1 thinking'
    raw "$(user a)" '{"role":"other","content":"b"}' '{bad' >in
    makes 'ctx-normalize --to sharegpt' "$(talk "$(turn human a)")" \
        '>>>2 ctx-normalize: in:3: expected a member name, at byte 2' \
        '>>>2 ctx-normalize: 1 record without a place in the output left out' '>>>= 65'
    raw '{"type":"context","tools":[]}' >in
    makes 'ctx-normalize --to sharegpt'
}

@test "sharegpt: what was read comes back: calls with the words before them, and what is beside the turns" {
    {
        talk "$(turn human u)" "$(turn gpt 'I look.')" "$(turn function_call '{\"id\":\"c\",\"name\":\"f\",\"arguments\":{}}')" "$(turn observation o)" "$(turn gpt g)" -- \
            '"tools":"[{\"name\":\"f\"}]","id":"x","chosen":{"from":"gpt","value":"c"}'
        talk "$(turn human u)" "$(turn function_call '<think>\nwhy\n</think>\n\n{\"id\":\"c\",\"name\":\"f\",\"arguments\":{}}')" "$(turn observation o)"
        talk "$(turn human u)" "$(turn function_call '[{\"id\":\"c\",\"name\":\"f\",\"arguments\":{}},{\"id\":\"d\",\"name\":\"f\",\"arguments\":{}}]')" "$(turn observation o)" "$(turn observation p)"
    } >in
    makes 'ctx-normalize --to sharegpt' 1-3
    makes 'ctx-normalize | ctx-normalize --to sharegpt' 1-3
    # The words before the calls are of the same message; those with a member of their own are not.
    talk "$(turn gpt a '"weight":1')" "$(turn function_call '{\"id\":\"c\",\"name\":\"f\",\"arguments\":{}}')" "$(turn gpt b)" "$(turn gpt d)" \
        "$(turn function_call '{\"id\":\"e\",\"name\":\"f\",\"arguments\":{}}')" >in
    makes 'ctx-normalize | told' '{"role":"assistant","content":"a","weight":1}' "$(calls c f '{}')" \
        "$(says b)" "$(acts d "$(call e f '{}')")"
    # The prompt of a context record is the system's, unless the first message says it.
    { context S; user u; } >in
    makes 'ctx-normalize --to sharegpt' "$(talk "$(turn system S)" "$(turn human u)")"
    { context S; system S; user u; } >in
    makes 'ctx-normalize --to sharegpt' "$(talk "$(turn system S)" "$(turn human u)")"
}

@test "sharegpt: many conversations and back, each cut to what fits; fine-tuning lines, too" {
    local i
    for ((i = 0; i < 300; i++)); do
        talk "$(turn human "a $i $long")" "$(turn gpt "b $i")" "$(turn human "c $i")" "$(turn gpt "d $i")"
    done >in
    ctx-normalize in | ctx-project --session-key metadata.session_id --last 2msgs | ctx-normalize --to sharegpt >set
    same 'a set' <(for ((i = 0; i < 300; i++)); do talk "$(turn human "c $i")" "$(turn gpt "d $i")"; done) set
    ctx-normalize set | ctx-normalize --to openai --request='{}' >lines
    same 'lines' <(for ((i = 0; i < 300; i++)); do raw "{\"messages\":[$(user "c $i"),$(says "d $i")]}"; done) lines
    same 'back' set <(ctx-normalize lines | ctx-normalize --to sharegpt)
    rm set lines
}

@test "sharegpt: what comes of the real files is what they said" {
    local file
    for file in "$CTX_SHARED"/sharegpt/**/*.json; do
        ctx-normalize "$file" | told >once
        ctx-normalize "$file" | ctx-normalize --to sharegpt | ctx-normalize | told >again
        same "${file##*/}" <(jq -c . once) <(jq -c . again)
        rm once again
    done
}
