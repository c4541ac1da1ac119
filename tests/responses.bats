#!/usr/bin/env bats
#
# ctx-normalize --from responses and --to responses: the Responses API, its items, requests and answers.

load helper
load dialogue

# said ROLE TEXT: a message item; called ID NAME, answered ID TEXT: a call and its output.
said() {
    local type=input_text
    [[ $1 != assistant ]] || type=output_text
    printf '{"type":"message","role":"%s","content":[{"type":"%s","text":"%s"}]}\n' "$1" "$type" "$2"
}
called() { printf '{"type":"function_call","call_id":"%s","name":"%s","arguments":"{}"}\n' "$1" "$2"; }
answered() { printf '{"type":"function_call_output","call_id":"%s","output":"%s"}\n' "$1" "$2"; }
items() { said user a; printf '{"type":"reasoning","id":"r","summary":[{"type":"summary_text","text":"t"}]}\n'; called 1 f; called 2 g; answered 2 y; answered 1 x; said assistant b; }

list() { paste -sd ,; }

@test "responses: items on lines and in an array, a request and an answer are the same messages" {
    items >in
    local messages=("$(user a)"
        "$(acts '[{"type":"thinking","thinking":"t","x_responses":{"id":"r"}}]' "$(call 1 f '{}')" "$(call 2 g '{}')")"
        "$(gets 1 x)" "$(gets 2 y)" "$(says b)")
    makes ctx-normalize "${messages[@]}"
    makes 'ctx-normalize --from responses' "${messages[@]}"
    # Those that have a type need no more to be told.
    sed 1d in >later
    same 'later' <(ctx-normalize in | sed 1d) <(ctx-normalize later)
    printf '[%s]\n' "$(items | list)" >in
    makes ctx-normalize "${messages[@]}"
    printf '{"model":"m","instructions":"S","input":[%s],"tools":[{"type":"function","name":"f","parameters":{}}],"temperature":1}\n' "$(items | list)" >in
    makes ctx-normalize '{"type":"context","tools":[{"type":"function","name":"f","parameters":{}}],"metadata":{"request":{"model":"m","temperature":1}}}' \
        "$(system S)" "${messages[@]}"
    makes 'ctx-normalize --untrusted' "$(system S)" "${messages[@]}"
    raw '{"model":"m","input":"hi"}' >in
    makes ctx-normalize '{"type":"context","metadata":{"request":{"model":"m"}}}' "$(user hi)"
    # An answer has the usage once. Beside requests of the chat API it is read as one of its answers is.
    printf '{"object":"response","id":"resp","model":"m","output":[%s],"usage":{"input_tokens":9,"output_tokens":1}}\n' "$({ said assistant a; called 1 f; said assistant b; } | list)" >in
    makes 'ctx-normalize --from responses' \
        "$(acts '[{"type":"text","text":"a"},{"type":"text","text":"b"}]' "$(call 1 f '{}')" '"model":"m","usage":{"input_tokens":9,"output_tokens":1}')"
    rm later
}

@test "responses: calls of every kind, and what the provider runs" {
    {
        raw '{"type":"custom_tool_call","call_id":"1","name":"f","input":"i"}' '{"type":"custom_tool_call_output","call_id":"1","output":[{"type":"input_text","text":"o"}]}'
        raw '{"type":"shell_call","call_id":"2","action":{"commands":["ls"]}}' '{"type":"shell_call_output","call_id":"2","output":[{"stdout":"s","outcome":{"type":"exit","exit_code":0}}]}'
        raw '{"type":"apply_patch_call","call_id":"3","operation":{"type":"create_file"}}' '{"type":"apply_patch_call_output","call_id":"3","output":"done"}'
        raw '{"type":"computer_call","call_id":"4","action":{"type":"click"}}' '{"type":"computer_call_output","call_id":"4","output":{"type":"input_image","image_url":"u"}}'
        raw '{"type":"local_shell_call","call_id":"5","action":{"command":["ls"]}}' '{"type":"local_shell_call_output","call_id":"5","output":"l"}'
        raw '{"type":"mcp_call","name":"n","output":"o"}' '{"type":"compaction","encrypted_content":"E"}' '{"type":"reasoning","summary":[]}'
        said assistant z
    } >in
    makes "ctx-normalize | jq -c '(.tool_calls[]? | [.id, .function.name, .function.arguments]), ([.tool_call_id, .content] | select(.[1] != null))'" \
        '["1","f","{\"input\":\"i\"}"]' '["1","o"]' '["2","shell","{\"commands\":[\"ls\"]}"]' \
        '["2","{\"stdout\":\"s\",\"outcome\":{\"type\":\"exit\",\"exit_code\":0}}"]' \
        '["3","apply_patch","{\"type\":\"create_file\"}"]' '["3","done"]' '["4","computer","{\"type\":\"click\"}"]' \
        '["4",[{"type":"image_url","image_url":{"url":"u"}}]]' '["5","local_shell","{\"command\":[\"ls\"]}"]' '["5","l"]' \
        '[null,[{"type":"mcp_call","name":"n","output":"o"},{"type":"compaction","encrypted_content":"E"},{"type":"text","text":"z"}]]'
    makes "ctx-normalize -v 2>&1 >/dev/null | grep -o 'no conversation.*'" 'no conversation: 1 reasoning; kept sealed: 1 compaction'
}

@test "responses: what has no type before its calls, answers, and requests among chat messages are told" {
    local kinds=(function_call custom_tool_call local_shell_call shell_call apply_patch_call computer_call) kind id=0
    local list='(.tool_calls[]? | "calls " + .id), (select(.role == "tool") | "answers " + .tool_call_id), (select(.role == "user").content)'
    for kind in "${kinds[@]}"; do
        raw "{\"type\":\"$kind\",\"call_id\":\"$((++id))\",\"name\":\"f\"}" "{\"type\":\"${kind}_output\",\"call_id\":\"$id\",\"output\":\"o\"}" >"$kind"
        cp "$kind" in
        makes "ctx-normalize | jq -r '$list'" "calls $id" "answers $id"
        { user a; cat "$kind"; user b; } >in
        makes "ctx-normalize | jq -r '$list'" a "calls $id" "answers $id" b
        printf '{"object":"response","output":[%s]}\n' "$(list <"$kind")" >in
        makes "ctx-normalize | jq -r '$list'" "calls $id" "answers $id"
        { raw '{"messages":[{"role":"user","content":"a"}],"model":"m"}'; cat in; raw '{"choices":[{"message":{"role":"assistant","content":"c"}}]}'; user b; } >log
        mv log in
        makes "ctx-normalize | jq -r '$list'" a "calls $id" "answers $id" b
        { user a; printf '{"model":"m","input":[%s]}\n' "$(list <"$kind")"; } >in
        makes "ctx-normalize | jq -r '$list'" a "calls $id" "answers $id"
        rm "$kind"
    done
    # A message without a type is one of the same spelling, and what comes behind it is another.
    { raw '{"role":"user","content":[{"type":"input_text","text":"a"}]}'; called 1 f; user b; called 2 g; answered 1 x; answered 2 y; } >in
    makes 'ctx-normalize' "$(user a)" "$(calls 1 f '{}')" "$(gets 1 x)" "$(user b)" "$(calls 2 g '{}')" "$(gets 2 y)"
}

@test "responses: easy messages, refusals, parts of all kinds, and what is not understood" {
    raw '{"model":"m","input":[{"role":"user","content":"a"},{"role":"assistant","content":""},{"type":"function_call","call_id":"1","name":"f","arguments":"{}"},{"role":"developer","content":[{"type":"input_text","text":"d"}]},{"role":"user","content":[{"type":"input_file","file_id":"f"},{"type":"input_image","image_url":"u","detail":"auto"}]},{"role":"assistant","content":[{"type":"refusal","refusal":"no"},{"type":"output_text","text":"t","annotations":[{"type":"url_citation"}],"logprobs":[]}]},{"role":"user","content":7},"text",{"no":"type"}]}' >in
    makes 'ctx-normalize --open-calls keep' '{"type":"context","metadata":{"request":{"model":"m"}}}' "$(user a)" "$(calls 1 f '{}')" \
        "$(gets 1 '[no result]' '"tool_name":"f","is_error":true')" "$(developer d)" \
        "$(user '[{"type":"input_file","file_id":"f"},{"type":"image_url","image_url":{"url":"u"},"x_responses":{"detail":"auto"}}]')" \
        "$(says '[{"type":"refusal","refusal":"no"},{"type":"text","text":"t","x_responses":{"annotations":[{"type":"url_citation"}]}}]')" \
        '{"role":"user","content":7}' "$(user text)" '{"no":"type"}' \
        '>>>2 ctx-normalize: in:1: unknown-shape: element 7 of a list is not understood' \
        '>>>2 ctx-normalize: in:1: unknown-shape: element 9 of a list is not understood' '>>>= 65'
}

@test "responses: what is no part of a content, and no item of a list, is kept in its place, or set aside" {
    raw '[{"type":"message","role":"user","content":[5,null,{"type":"input_text","text":"q"},[1]]},{"odd":"x"},{"type":"message","role":"user","content":"b"}]' >in
    spec <<'END'
ctx-normalize --from responses in
>>>2 ctx-normalize: in:1: unknown-shape: a part of a content that is none
>>>2 ctx-normalize: in:1: unknown-shape: a part of a content that is none
>>>2 ctx-normalize: in:1: unknown-shape: a part of a content that is none
>>>2 ctx-normalize: in:1: unknown-shape: element 2 of a list is not understood
>>> {"role":"user","content":"q","metadata":{"x_responses":[{"element":1,"content":5},{"element":4,"content":[1]}]}}
>>> {"odd":"x"}
>>> {"role":"user","content":"b"}
>>>= 65
END
    # What looks like a message is named once, too.
    raw '[{"type":"message","role":"user","content":"q"},{"message":{"role":"user","content":"w"}}]' >named
    status_of 65 ctx-normalize --from responses named 2>said >/dev/null
    same 'once' <(echo 'ctx-normalize: named:1: unknown-shape: element 2 of a list is not understood') said
    [[ $(ctx-normalize --lossy --from responses in 2>/dev/null | grep -c x_responses) == 0 ]]
    status_of 65 ctx-normalize --from responses --to openai --bad-file aside in 2>/dev/null >out
    same 'aside' <(raw '{"odd":"x"}') aside
    ! grep -q odd out || fail 'found'
}

@test "responses: reasoning of an odd shape is thinking, or stays as it is" {
    raw '{"type":"reasoning","summary":"A","content":"B"}' '{"type":"reasoning","summary":["C",{"text":"D"},7]}' \
        '{"type":"reasoning","summary":[],"content":["E"]}' '{"type":"reasoning","summary":{"a":"F"},"content":{"b":"G"}}' '{"type":"reasoning","summary":[],"content":[]}' >in
    makes "ctx-normalize --from responses | jq -c '.content[]'" '{"type":"thinking","thinking":"A","x_responses":{"content":"B"}}' '{"type":"thinking","thinking":"C\n\nD"}' \
        '{"type":"thinking","thinking":"E"}' '{"type":"reasoning","summary":{"a":"F"},"content":{"b":"G"}}'
    makes "ctx-normalize --from responses -v 2>&1 >/dev/null | grep -o 'no conversation.*'" 'no conversation: 1 reasoning'
}

@test "responses: what is written: items, reasoning that its provider sealed, and outputs with images" {
    {
        acts '[{"type":"thinking","thinking":"t","x_responses":{"encrypted_content":"E"}},{"type":"thinking","thinking":"u","x_codex":{"encrypted_content":"F"}},{"type":"thinking","thinking":"v"},{"type":"reasoning","summary":[],"encrypted_content":"G"},{"type":"text","text":"s"},{"type":"refusal","refusal":"no"},{"type":"web_search_call","id":"w"}]' \
            '{"id":"1","type":"function","function":{"name":"a.b","arguments":""}}' "$(call "$(printf 'i%.0s' {1..70})" g '{"k":1}')"
        raw '{"role":"tool","tool_call_id":"1","content":[{"type":"text","text":"x"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"A"}}]}'
        gets "$(printf 'i%.0s' {1..70})" '' '"is_error":true'
        user '[{"type":"text","text":" "},{"type":"image_url","image_url":{"url":"https://h/i.png"}},{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"P"}},{"type":"document","source":{"type":"url","url":"https://h/d"}},{"type":"document","source":{"type":"text","media_type":"text/plain","data":"T"}}]'
        developer D
        raw '{"role":"tool","tool_call_id":"1","content":"late","reasoning_content":"r"}'
    } >in
    local id
    id=$(printf 'i%.0s' {1..64})
    raw '{"type":"reasoning","summary":[{"type":"summary_text","text":"t"}],"encrypted_content":"E"}' \
        '{"type":"reasoning","summary":[{"type":"summary_text","text":"u"}],"encrypted_content":"F"}' \
        '{"type":"reasoning","summary":[],"encrypted_content":"G"}' \
        '{"type":"message","role":"assistant","content":[{"type":"output_text","text":"s"},{"type":"refusal","refusal":"no"}]}' \
        '{"type":"web_search_call","id":"w"}' \
        '{"type":"function_call","call_id":"1","name":"a_b","arguments":"{}"}' \
        "{\"type\":\"function_call\",\"call_id\":\"$id\",\"name\":\"g\",\"arguments\":\"{\\\"k\\\":1}\"}" \
        '{"type":"function_call_output","call_id":"1","output":[{"type":"input_text","text":"x"},{"type":"input_image","image_url":"data:image/png;base64,A"}]}' \
        "{\"type\":\"function_call_output\",\"call_id\":\"$id\",\"output\":\"\"}" \
        '{"type":"message","role":"user","content":[{"type":"input_image","image_url":"https://h/i.png"},{"type":"input_file","file_data":"data:application/pdf;base64,P"},{"type":"input_file","file_url":"https://h/d"},{"type":"input_text","text":"T"}]}' \
        '{"type":"message","role":"developer","content":[{"type":"input_text","text":"D"}]}' \
        '{"type":"message","role":"user","content":[{"type":"input_text","text":"[tool result that answers no call] late"}]}' >items
    ctx-normalize -v --to responses in >out 2>err
    same 'items' items out
    [[ $(grep -o 'dropped.*' err) == 'dropped: 1 thinking, 1 is_error, 1 reasoning_content' ]] || fail "$(<err)"
    ctx-normalize --check --to responses out
    same 'a second run' out <(ctx-normalize --to responses out)
    rm items out err
}

@test "responses: a request has the instructions, the tools and the settings in their places" {
    {
        raw '{"type":"context","tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"},"strict":true}},{"type":"custom","custom":{"name":"c","format":{"type":"text"}}},{"type":"web_search"}],"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object"}}},"metadata":{"request":{"model":"m","max_tokens":9,"reasoning_effort":"low","verbosity":"high","tool_choice":{"type":"function","function":{"name":"f"}},"parallel_tool_calls":false,"logit_bias":{}}}}'
        system '[{"type":"text","text":"S"},{"type":"text","text":"T"}]'
        user a
        system U
    } >in
    makes "ctx-normalize --to responses --request" \
        '{"model":"m","max_output_tokens":9,"reasoning":{"effort":"low"},"tool_choice":{"type":"function","name":"f"},"parallel_tool_calls":false,"instructions":"S\nT","input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"a"}]},{"type":"message","role":"system","content":[{"type":"input_text","text":"U"}]}],"tools":[{"type":"function","name":"f","description":"d","parameters":{"type":"object"},"strict":true},{"type":"custom","name":"c","format":{"type":"text"}},{"type":"web_search"}],"text":{"verbosity":"high","format":{"type":"json_schema","name":"n","schema":{"type":"object"}}}}' \
        '>>>2 ctx-normalize: left out of the request, where responses has no place for it: '"'logit_bias'"
    ctx-normalize --to responses --request in 2>err >once
    ctx-normalize --check --to responses once
    same 'again' <(jq -S . once) <(ctx-normalize once | ctx-normalize --to responses --request | jq -S .)
    refuses 'ctx-normalize --to responses --request in' "the request has no 'model', type --request='{\"model\":\"NAME\"}'" || :
    refuses "ctx-normalize --to responses --request='{\"input\":[]}'" '--request has input, which come from the input'
    rm err once
}

# faults: the codes that the check of the API finds in in.
faults() { ctx-normalize -v --check --to responses in 2>&1 | grep ' in:' | sed 's/^ctx-normalize: in:\([0-9]*\): \([a-z-]*\): .*/\1 \2/'; }

@test "responses: --check names what the API refuses" {
    items >in
    [[ -z $(faults) ]] || fail "$(faults)"
    { called 1 f; called 1 f; called 2 f; answered 1 x; answered 1 x; answered 3 x; } >in
    same 'calls and outputs' <(printf '%s\n' '2 repeated-call-id' '5 second-result' '6 orphan-result' '3 unanswered-call') <(faults)
    # Other items may stand between a call and its output, in any order.
    { called 1 f; called 2 f; said user a; answered 2 x; answered 1 x; } >in
    [[ -z $(faults) ]]
    { raw '{"type":"function_call","call_id":"'"$(printf 'i%.0s' {1..65})"'","name":"a b","arguments":{},"x":1}' '{"type":"message","role":"tool","content":"a"}' '{"type":"message","role":"user","content":[]}' '{"type":"message","role":"assistant","content":[{"type":"input_text","text":"a"}]}' '{"type":"message","role":"user","content":[{"type":"input_image"}]}' '{"type":"reasoning","summary":"s"}' '{"role":"user","content":"a","name":"n"}' '{"type":"computer_call","anything":1}' '{"no":"type"}'; } >in
    same 'items' <(printf '%s\n' '1 unknown-member' '1 bad-call' '1 bad-name' '1 bad-id' '2 unknown-role' '3 bad-content' '4 bad-part' '5 bad-part' '6 bad-content' '7 unknown-member' '9 no-message' '1 unanswered-call') <(faults)
    raw '{"input":[{"role":"user","content":"a"}],"instructions":{},"tools":[{"type":"function","function":{"name":"f"}}],"text":{"format":{"type":"odd"}},"max_tokens":1}' >in
    same 'a body' <(printf '%s\n' '1 unknown-member' '1 no-model' '1 bad-content' '1 bad-tool' '1 bad-format') <(faults)
    raw '{"model":"m","input":[]}' >in
    same 'none' <(echo '1 no-messages') <(faults)
}

# An independent reader: what jq finds of requests and answers.
own_counts() {
    jq -c '(.output // .input // []) | if type == "string" then [{role: "user", content: .}] else . end |
        {texts: [.[] | select(.role).content | if type == "string" then . else .[].text // empty end | select(. != "")],
         calls: [.[] | select(.type | IN("function_call", "custom_tool_call", "local_shell_call", "shell_call", "apply_patch_call", "computer_call")).call_id],
         results: [.[] | select((.type // "") | test("_call_output$")).call_id],
         others: [.[] | select((.type // "message") | test("_call(_output)?$|^message$|^reasoning$") | not).type]}' "$1"
}

read_counts() {
    jq -s -c '{texts: [.[] | select(.role | IN("user", "assistant", "developer")).content | if type == "string" then . else .[]? | select(.type == "text").text end | select(. != "")],
         calls: [.[].tool_calls[]?.id],
         results: [.[] | select(.role == "tool").tool_call_id],
         others: [.[] | select(.role == "assistant").content | arrays | .[] | .type | select(test("^(text|thinking|reasoning)$|_call$") | not)]}' "$1"
}

@test "responses: real requests and answers say what jq finds in them" {
    local file count=0
    [[ -d $CTX_SHARED/openai-responses ]] || skip 'no transcripts beside the tree'
    for file in "$CTX_SHARED"/openai-responses/{vercel-ai,pydantic-ai-extracted,instructor-php-extracted}/*.json; do
        ctx-normalize --from responses "$file" >out
        same "$file" <(own_counts "$file") <(read_counts out)
        count=$((count + 1))
    done
    ((count > 15))
}

@test "--check --to responses: of an item without a role only that is said, whatever was read before it" {
    printf '%s\n' '{"model":"m","input":[{"role":"user","content":"Ring it."},{"type":"message","content":[{"type":"input_text","text":"Ring it."}]}]}' \
        '{"type":"message","content":"x"}' >in
    local status=0
    ctx-normalize --from responses --check --to responses in 2>said || status=$?
    ((status == 1))
    same 'an item without a role' - said <<'END'
ctx-normalize: in:1: unknown-role: role '' is not known to the API
ctx-normalize: in:1: bad-call: call '' is not spelled as the API requires
ctx-normalize: in:2: unknown-role: role '' is not known to the API
ctx-normalize: in:2: bad-call: call '' is not spelled as the API requires
END
}
