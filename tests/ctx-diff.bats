#!/usr/bin/env bats
#
# ctx-diff: the first part in which two requests or logs differ, in a cache's order, and
# what they share.

load helper

setup() {
    fresh_directory
    cat >anthropic.json <<'END'
{
  "model": "claude-sonnet-4-5",
  "max_tokens": 1000,
  "system": [{"type": "text", "text": "You sound harbours. Today is Monday."}],
  "tools": [
    {"name": "sound", "description": "depth of water", "input_schema": {"type": "object",
      "properties": {"place": {"type": "string"}, "least": {"type": "number", "minimum": 1}}}},
    {"name": "tide", "input_schema": {"type": "object"}}
  ],
  "messages": [
    {"role": "user", "content": "How deep is the harbour?"},
    {"role": "assistant", "content": [
      {"type": "text", "text": "I look."},
      {"type": "tool_use", "id": "c1", "name": "sound", "input": {"place": "harbour", "least": 2}}]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "4.2 m"}]}
  ]
}
END
    cat >openai.json <<'END'
{"model":"gpt-5-mini","messages":[
{"role":"system","content":"You sound harbours."},
{"role":"user","content":"How deep is the harbour?"},
{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"sound","arguments":"{\"place\":\"harbour\"}"}}]},
{"role":"tool","tool_call_id":"c1","content":"4.2 m"}],
"tools":[{"type":"function","function":{"name":"sound","parameters":{"type":"object"}}}]}
END
    cat >log.jsonl <<'END'
{"type":"context","system_prompt":"You sound harbours.","tools":[{"name":"sound"}]}
{"role":"user","content":"How deep is the harbour?"}
{"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"sound"}}]}
{"role":"tool","tool_call_id":"c1","content":"4.2 m"}
END
}

# compared PREV NEW [MEMBER...]: the values of these members in the answer, and the status.
compared() {
    local previous=$1 new=$2 status=0
    shift 2
    ctx-diff --stat --json "$previous" "$new" >answer || status=$?
    jq -r --arg status "$status" '[$ARGS.positional[] as $m | .[$m]] + [$status] |
        map(tostring) | join(" | ")' --args "$@" <answer
}

# differs EXPECTED FILTER [FILE]: the file against what the filter of jq makes of it: part, number,
# member, element, change and pointer.
differs() {
    local file=${3-anthropic.json}
    jq "$2" "$file" >new.json
    same "$2" <(printf '%s\n' "$1 | 1") \
        <(compared "$file" new.json part number member element change pointer | sed 's/null/-/g')
}

# agrees FILTER [FILE]: the file and what the filter makes of it share all of the file.
agrees() {
    local file=${2-anthropic.json}
    jq "$1" "$file" >new.json
    same "$1" <(printf 'false | 0\n') <(compared "$file" new.json differs)
    jq -e '.shared_tokens == .previous_tokens' answer >/dev/null || fail "not all is shared: $1"
}

@test "ctx-diff: what goes on shares all of the earlier request" {
    agrees .
    agrees '.messages += [{"role":"assistant","content":"It is 4.2 m deep."}]'
    agrees '.messages += [{"role":"assistant","content":"It is 4.2 m deep."}]' openai.json
    agrees '.max_tokens = 5 | .temperature = 0 | .stream = true'
    jq -c . anthropic.json >new.json
    [[ $(compared new.json anthropic.json differs) == 'false | 0' ]]
}

@test "ctx-diff: marks of the cache, metadata and escapes are no part of the prefix" {
    agrees '.system[0].cache_control = {"type":"ephemeral"} | .tools[1].cache_control = {"type":"ephemeral"}'
    agrees '.messages[2].content[0].cache_control = {"type":"ephemeral"} | .cache_control = {"type":"ephemeral"}'
    agrees '.messages[0].metadata = {"id":1} | .messages[1]._metadata = {"id":2}' openai.json
    agrees '.messages[0].content = [{"type":"text","text":.messages[0].content,"cache_control":{"type":"ephemeral"}}]'
    agrees '.system = .system[0].text'
    agrees '.messages[2].content[0].content = [{"type":"text","text":"4.2 m"}]'
    sed 's/harbours/h\\u0061rbours/; s/depth/d\\u0065pth/; s/{"place": "h/{"place": "\\u0068/' anthropic.json >new.json
    [[ $(compared anthropic.json new.json differs) == 'false | 0' ]]
    jq -e '.shared_tokens == .previous_tokens and .tokens == .previous_tokens' answer
    # A mark that is an argument is an argument.
    differs 'message | 2 | content | 2 | changed | /messages/1/content/1/input' \
        '.messages[1].content[1].input.cache_control = 1'
}

@test "ctx-diff: names the first part that differs, in the order of the cache" {
    differs 'model | - | - | - | changed | /model' '.model = "x" | .tools = [] | .system = ""'
    differs 'tools | 1 | - | - | changed | /tools/0/description' '.tools[0].description = "x" | .system = ""'
    differs 'tools | 2 | - | - | missing | -' '.tools |= .[:1] | .system = ""'
    differs 'tools | 3 | - | - | added | /tools/2' '.tools += [{"name":"x"}] | .system = ""'
    differs 'tools | 1 | - | - | missing | -' 'del(.tools) | .system = ""'
    differs 'response_format | - | - | - | added | /response_format' '.response_format = {"type":"x"} | .system = ""'
    differs 'response_format | - | - | - | added | /output_config' '.output_config = {"format":"x"} | .system = ""'
    differs 'system | 1 | - | - | changed | /system/0/text' '.system[0].text += "x" | .messages = []'
    differs 'system | 2 | - | - | added | /system/1' '.system += ["x"] | .tool_choice = {"type":"any"}'
    differs 'tool_choice | - | - | - | added | /tool_choice' '.tool_choice = {"type":"any"} | .thinking = {} | .messages = []'
    differs 'thinking | - | - | - | added | /thinking' '.thinking = {"type":"enabled"} | .messages = []'
    differs 'message | 1 | content | - | changed | /messages/0/content' '.messages[0].content = "x" | .messages[1] = 1'
    differs 'message | 3 | - | - | missing | -' '.messages |= .[:2]'
}

@test "ctx-diff: OpenAI's choice of tools stands in no prompt" {
    agrees '.tool_choice = "required"' openai.json
    agrees '.tool_choice = {"type":"function","function":{"name":"sound"}}' openai.json
}

# A request of the Responses API, into responses.json.
responses() {
    cat >responses.json <<'END'
{"model":"gpt-5-mini","instructions":"You sound harbours.","text":{"verbosity":"low"},
"tools":[{"type":"function","name":"sound","parameters":{"type":"object"}}],"tool_choice":"auto","input":[
{"role":"user","content":"How deep is the harbour?"},
{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"Sound it."}],"encrypted_content":"gAAA"},
{"type":"function_call","call_id":"c1","name":"sound","arguments":"{\"place\":\"harbour\"}"},
{"type":"function_call_output","call_id":"c1","output":"4.2 m"},
{"type":"message","role":"assistant","content":[{"type":"output_text","text":"It is 4.2 m deep.","annotations":[]}]},
{"type":"web_search_call","id":"ws_1","action":{"query":"tides"}}]}
END
}

@test "ctx-diff: requests of the Responses API" {
    responses
    agrees . responses.json
    agrees '.input += [{"role":"user","content":"And at noon?"}] | .store = false | .tool_choice = "required"' responses.json
    agrees '.input[0].content = [{"type":"input_text","text":.input[0].content}]' responses.json
    differs 'system | - | - | - | changed | /instructions' '.instructions += "x" | .input = []' responses.json
    differs 'response_format | - | - | - | changed | /text/verbosity' '.text.verbosity = "high" | .instructions = ""' responses.json
    differs 'tools | 1 | - | - | changed | /tools/0/name' '.tools[0].name = "x"' responses.json
    differs 'message | 3 | arguments | - | changed | /input/2/arguments' '.input[2].arguments = "{}"' responses.json
    differs 'message | 4 | output | - | changed | /input/3/output' '.input[3].output = "4.3 m"' responses.json
    differs 'message | 5 | content | 1 | changed | /input/4/content/0/text' '.input[4].content[0].text = "x"' responses.json
    differs 'message | 6 | - | - | missing | -' '.input |= .[:5]' responses.json
    [[ $(jq -r .label answer) == web_search_call ]]
    # An input that is a string is a message of the user.
    jq '.input |= .[:1]' responses.json >one.json
    jq '.input = .input[0].content' responses.json >string.json
    [[ $(compared string.json one.json differs) == 'false | 0' ]]
    [[ $(compared string.json responses.json differs) == 'false | 0' ]]
    jq '.input += " And the lock?"' string.json >new.json
    [[ $(compared string.json new.json pointer character number) == '/input | 25 | 1 | 1' ]]
    # A log whose first record has an input and no model is a log.
    (echo '{"input":"x","at":1}'; cat log.jsonl) >other.jsonl
    [[ $(compared other.jsonl log.jsonl differs) == 'false | 0' ]]
}

@test "ctx-diff: items of the Responses API cost what their messages cost in a log" {
    responses
    printf '%s\n' '{"role":"user","content":"How deep is the harbour?"}' \
        '{"role":"assistant","content":"Sound it."}' \
        '{"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"sound","arguments":"{\"place\":\"harbour\"}"}}]}' \
        '{"role":"tool","tool_call_id":"c1","content":"4.2 m"}' \
        '{"role":"assistant","content":"It is 4.2 m deep."}' >items.jsonl
    local count
    for count in 1 2 3 4 5; do
        jq --argjson n "$count" '{model, input: .input[:$n]}' responses.json >body.json
        compared body.json body.json >/dev/null
        [[ $(jq .tokens answer) == $(head -n "$count" items.jsonl | ctx-budget --json | jq .used_tokens) ]] || fail "$count items"
    done
    # The texts of reasoning count, where they are there, and not their summary.
    jq '{model, input: [.input[1] | .content = [{"type":"reasoning_text","text":"Sound it."}] | .summary[0].text = "x"]}' responses.json >body.json
    compared body.json body.json >/dev/null
    [[ $(jq .tokens answer) == $(sed -n 2p items.jsonl | ctx-budget --json | jq .used_tokens) ]]
    # Up to the difference, and no more.
    jq '.input[2].arguments = "{\"place\":\"lock\"}"' responses.json >new.json
    compared responses.json new.json >/dev/null
    local shared
    shared=$(jq .shared_tokens answer)
    jq '.input |= .[:2]' responses.json >two.json
    compared two.json two.json >/dev/null
    ((shared > $(jq .shared_tokens answer) + 8 && shared < $(jq .shared_tokens answer) + 18)) || fail "$shared"
    # An item that is not known counts as it is.
    jq '{model, input: .input[5:]}' responses.json >body.json
    compared body.json body.json >/dev/null
    [[ $(jq .tokens answer) == $(($(jq -c '.input[5]' responses.json | tr -d '\n' | ctx-budget --text --json | jq .used_tokens))) ]]
}

@test "ctx-diff: names the block, the call and the member of a message" {
    differs 'message | 2 | content | 1 | changed | /messages/1/content/0/text' '.messages[1].content[0].text = "x"'
    differs 'message | 2 | content | 2 | changed | /messages/1/content/1/input/place' '.messages[1].content[1].input.place = "x"'
    differs 'message | 2 | content | 3 | changed | /messages/1/content/2' '.messages[1].content += [1]'
    differs 'message | 3 | role | - | changed | /messages/2/role' '.messages[2].role = "x"'
    differs 'message | 3 | tool_calls | 1 | changed | /messages/2/tool_calls/0/function/arguments' \
        '.messages[2].tool_calls[0].function.arguments = "{}"' openai.json
    # RFC 6901: ~ and / of a name are escaped.
    jq '.tools[0]["a/b~c"] = 1' anthropic.json >old.json
    jq '.tools[0]["a/b~c"] = 2' anthropic.json >new.json
    [[ $(compared old.json new.json pointer) == '/tools/0/a~1b~0c | 1' ]]
}

@test "ctx-diff: the same value in other bytes is a difference, and called so" {
    differs 'tools | 1 | - | - | respelled | /tools/0/input_schema/properties' \
        '.tools[0].input_schema.properties |= {least, place}'
    sed 's/"minimum": 1}/"minimum": 1.0}/' anthropic.json >new.json
    [[ $(compared anthropic.json new.json part change previous now) == 'tools | respelled | 1 | 1.0 | 1' ]]
    sed 's/"minimum": 1}/"minimum": 1.5}/' anthropic.json >new.json
    [[ $(compared anthropic.json new.json part change) == 'tools | changed | 1' ]]
    # Whole numbers are compared digit by digit.
    sed 's/"minimum": 1}/"minimum": 90071992547409930}/' anthropic.json >old.json
    sed 's/"minimum": 1}/"minimum": 90071992547409931}/' anthropic.json >new.json
    [[ $(compared old.json new.json change) == 'changed | 1' ]]
    differs 'message | 2 | content | 2 | respelled | /messages/1/content/1/input' \
        '.messages[1].content[1].input |= {least, place}'
    # Beside another order, marks of the cache are still no part of it.
    differs 'message | 2 | content | 2 | respelled | /messages/1/content/1/input' \
        '.messages[1].content[1].input |= {least, place} | .messages[1].content[0].cache_control = {}'
    differs 'message | 2 | content | 2 | changed | /messages/1/content/1/input' \
        '.messages[1].content[1].input |= {least, place: "x"}'
}

@test "ctx-diff: counts what stands before the difference" {
    # As much as the budget of the shared messages, and of the context.
    local shared
    (sed 's/4\.2 m/4.2 m and more/' log.jsonl; echo '{"role":"assistant","content":"x"}') >new.jsonl
    [[ $(compared log.jsonl new.jsonl part number line previous_line character) == 'message | 3 | 4 | 4 | 6 | 1' ]]
    shared=$(ctx-budget --json log.jsonl | jq '.used_tokens + .reserved_system_tokens')
    [[ $(jq .shared_tokens answer) == "$shared" ]]
    [[ $(jq .previous_tokens answer) == "$shared" ]]
    [[ $(jq .tokens answer) == $(ctx-budget --json new.jsonl | jq '.used_tokens + .reserved_system_tokens') ]]
    # Nothing of a message without a text in common, and nothing of a tool before its first byte.
    sed 's/4\.2 m/x/' log.jsonl >new.jsonl
    [[ $(compared log.jsonl new.jsonl number) == '3 | 1' ]]
    [[ $(jq .shared_tokens answer) == $(head -3 log.jsonl | ctx-budget --json | jq '.used_tokens + .reserved_system_tokens') ]]
    jq '.model = "x"' anthropic.json >new.json
    [[ $(compared anthropic.json new.json shared_tokens) == '0 | 1' ]]
    jq 'del(.tools)' anthropic.json >old.json
    [[ $(compared old.json anthropic.json part shared_tokens) == 'tools | 0 | 1' ]]
    # Of a text, up to the code point that differs.
    echo '{"role":"user","content":"one two three aé"}' >old.jsonl
    echo '{"role":"user","content":"one two three aè"}' >new.jsonl
    [[ $(compared old.jsonl new.jsonl character) == '16 | 1' ]]
    echo '{"role":"user","content":"one two three a"}' >start.jsonl
    [[ $(jq .shared_tokens answer) == $(ctx-budget --json start.jsonl | jq .used_tokens) ]]
}

@test "ctx-diff: what precedes in an array of blocks counts, whatever comes before it in the body" {
    jq '.system += [{"type":"text","text":"a"}]' anthropic.json >old.json
    jq '.system += [{"type":"text","text":"b"}]' anthropic.json >new.json
    [[ $(compared old.json new.json part number) == 'system | 2 | 1' ]]
    local shared
    shared=$(jq .shared_tokens answer)
    jq -c '.messages = []' anthropic.json >head.json
    compared head.json head.json shared_tokens >/dev/null
    [[ $(jq .shared_tokens answer) == "$shared" ]]
}

@test "ctx-diff: the newest context record of a log is in force" {
    (cat log.jsonl; echo '{"type":"context","system_prompt":"You sound canals.","tools":[{"name":"sound"}]}') >new.jsonl
    [[ $(compared log.jsonl new.jsonl part pointer character) == 'system | /system_prompt | 11 | 1' ]]
    sed 1d log.jsonl >new.jsonl
    [[ $(compared log.jsonl new.jsonl part change) == 'tools | missing | 1' ]]
    [[ $(compared new.jsonl log.jsonl part change) == 'tools | added | 1' ]]
}

@test "ctx-diff: a log's budget records and other agents' messages are no part of it" {
    (
        head -2 log.jsonl
        echo '{"role":"user","content":"Sound it","metadata":{"parent_execution_id":"e1","agent_id":"a1"}}'
        sed 1,2d log.jsonl
        echo '{"type":"budget","used_tokens":3}'
    ) >new.jsonl
    [[ $(compared log.jsonl new.jsonl differs) == 'false | 0' ]]
    [[ $(compared new.jsonl log.jsonl differs) == 'false | 0' ]]
}

@test "ctx-diff: bodies, arrays of messages and logs of the same messages compare" {
    jq -c '.messages[]' openai.json >messages.jsonl
    jq '.messages' openai.json >messages.json
    [[ $(compared messages.jsonl messages.json differs) == 'false | 0' ]]
    [[ $(compared messages.json openai.json part) == 'tools | 1' ]]
    jq 'del(.tools)' openai.json >body.json
    [[ $(compared body.json messages.jsonl differs) == 'false | 0' ]]
    sed 's/4.2/4.3/' messages.json >new.json
    [[ $(compared messages.jsonl new.json pointer line previous_line) == '/3/content | null | 4 | 1' ]]
}

@test "ctx-diff: the forms" {
    jq -c '.system[0].text |= sub("Monday"; "Tuesday\u001b")' anthropic.json >new.json
    spec <<'END'
ctx-diff --stat --brief anthropic.json new.json
>>> 61/107 shared 57%, differs at system prompt, block 1: changed
>>>= 1
END
    spec <<'END'
ctx-diff --stat --model gpt-5 anthropic.json new.json
>>> differs at         system prompt, block 1: changed
>>> pointer            /system/0/text, character 30
>>> previous           ...ound harbours. Today is Monday.
>>> now                ...ound harbours. Today is Tuesday\x1b.
>>> 
>>> request                      107  100.0%  ######################################
>>> shared                        61   57.0%  ######################
>>> previous                     106
>>> estimator             o200k_base
>>> next request             $0.0001
>>> with cached prefix       $0.0001
>>>= 1
END
    spec <<'END'
ctx-diff --stat --brief --model gpt-5 anthropic.json anthropic.json
>>> 106/106 shared 100%, $0.0000 of $0.0001
END
    spec <<'END'
ctx-diff --stat --check anthropic.json new.json
>>>= 1
END
    spec <<'END'
ctx-diff --stat --check anthropic.json anthropic.json
END
    jq -c '.system = .system[0].text' anthropic.json >old.json
    jq -c '.system = .system[0].text + "x"' anthropic.json >new.json
    spec <<'END'
ctx-diff --stat --brief old.json new.json | sed 's/.*, //'
>>> differs at system prompt: changed
>>>= 1
END
    # Each form of the two operands; - is standard input.
    same 'the later one' <(ctx-diff --stat --json anthropic.json new.json) <(ctx-diff --stat --json anthropic.json - <new.json)
    same 'the earlier one' <(ctx-diff --stat --json anthropic.json new.json) <(ctx-diff --stat --json - new.json <anthropic.json)
}

@test "ctx-diff: command lines that are wrong" {
    local line said
    while IFS='|' read -r line said; do
        spec <<END
ctx-diff $line
>>>2 ctx-diff: $said; try 'ctx-diff --help'
>>>= 64
END
    done <<'END'
--context 1 --stat log.jsonl log.jsonl|--context cannot be combined with --stat
--check log.jsonl log.jsonl|--check requires --stat
--stat|expected two operands, OLD and NEW
--stat log.jsonl|expected two operands, OLD and NEW
--stat log.jsonl log.jsonl log.jsonl|expected two operands, OLD and NEW
--stat - -|standard input can be one of OLD and NEW, not both
--stat --json --brief log.jsonl log.jsonl|--json cannot be combined with --brief
--stat --check --json log.jsonl log.jsonl|--json cannot be combined with --check
--stat --brief --check log.jsonl log.jsonl|--brief cannot be combined with --check
--stat --estimator usage log.jsonl log.jsonl|--estimator usage counts whole sessions, not single messages
--stat --model gtp-5 log.jsonl log.jsonl|unknown model 'gtp-5', did you mean 'gpt-5'?
--stat --tsv log.jsonl log.jsonl|unknown option '--tsv'
END
    status_of 64 ctx-diff --stat --report log.jsonl log.jsonl openai.json 2>said
    status_of 64 ctx-diff --stat --report openai.json log.jsonl openai.json 2>said
}

@test "ctx-diff: with a model, the price of the request without and with what is shared" {
    jq '.messages[2].content[0].content = "x"' anthropic.json >new.json
    ctx-diff --stat --model gpt-5 --json anthropic.json new.json >answer || true
    jq -e '(.request_usd - .tokens * 1.25 / 1e6 | fabs) < 1e-6 and .model == "gpt-5" and
        (.request_usd_cached - (.shared_tokens * 0.125 + (.tokens - .shared_tokens) * 1.25) / 1e6 | fabs) < 1e-6' answer
    [[ $(ctx-diff --stat --json --model gpt-4-turbo anthropic.json anthropic.json | jq -r .estimator) == cl100k_base ]]
    # A model that is not known has no price, and there is no window here.
    spec <<'END'
ctx-diff --stat --brief --model openai/nonsuch anthropic.json anthropic.json
>>> 106/106 shared 100%
>>>2 ctx-diff: unknown model 'nonsuch' of openai: its prices are not known
END
}

@test "ctx-diff: what cannot be compared" {
    spec <<'END'
ctx-diff --stat nowhere log.jsonl
>>>2 ctx-diff: cannot open 'nowhere': No such file or directory
>>>= 66
END
    spec <<'END'
ctx-diff --stat log.jsonl nowhere
>>>2 ctx-diff: cannot open 'nowhere': No such file or directory
>>>= 66
END
    spec <<'END'
cat openai.json openai.json | jq -c . >two.jsonl; ctx-diff --stat two.jsonl log.jsonl; echo $?; rm two.jsonl
>>> 65
>>>2 ctx-diff: two.jsonl:2: more than one request body, expected one or a log
END
    spec <<'END'
echo '{"type":"x"}' | ctx-diff --stat - log.jsonl
>>>2 ctx-diff: -: no messages
>>>= 65
END
    spec <<'END'
(cat log.jsonl; echo '{torn') | ctx-diff --stat --brief - log.jsonl
>>> 43/43 shared 100%
>>>2 ctx-diff: -:5: expected a member name, at byte 2
>>>= 65
END
    # What has bad lines and nothing else is no log.
    printf '\x1f\x8b\x08\x00\n' >packed
    status_of 65 ctx-diff --stat --json packed log.jsonl >got 2>said
    [[ ! -s got ]]
    status_of 65 ctx-diff --stat --json log.jsonl packed >got 2>said
    [[ ! -s got ]]
    status_of 0 ctx-diff --stat --brief /dev/null /dev/null
}

@test "ctx-diff: deep and wide values are compared in linear time and without a stack" {
    local deep
    deep=$(printf '[%.0s' {1..1000})$(printf ']%.0s' {1..1000})
    printf '{"role":"user","content":%s}\n' "$deep" >old.jsonl
    printf '{"role":"user","content":%s}\n' "${deep/\[\]/[1]}" >new.jsonl
    [[ $(compared old.jsonl new.jsonl change element) == 'changed | 1 | 1' ]]
    [[ $(compared old.jsonl old.jsonl differs) == 'false | 0' ]]
    awk 'BEGIN { printf "{\"role\":\"user\",\"content\":\"x\""; for (i = 0; i < 200000; i++) printf ",\"m%d\":1", i; print "}" }' >old.jsonl
    awk 'BEGIN { printf "{\"role\":\"user\",\"content\":\"x\""; for (i = 200000; i-- > 0;) printf ",\"m%d\":1.0", i; print "}" }' >new.jsonl
    [[ $(compared old.jsonl new.jsonl change) == 'respelled | 1' ]]
}

# agrees_with_itself FILE...: each log shares all with itself, and its start with it.
agrees_with_itself() {
    local file
    for file in "$@"; do
        [[ $(stat -c %s "$file") -lt 3000000 ]] || continue
        ctx-normalize "$file" >log 2>/dev/null || continue
        [[ -s log ]] || continue
        status_of 0 ctx-diff --stat --estimator bytes/4 --json log log >answer
        jq -e '.shared_tokens == .tokens' answer >/dev/null || fail "$file"
        ctx-normalize --to openai log 2>/dev/null >log.2 || continue
        jq -s 'map(select(.role))[:-1]' log.2 >start.json 2>/dev/null || continue
        [[ $(jq length start.json) != 0 ]] || continue
        status_of 0 ctx-diff --stat --estimator bytes/4 --json start.json log.2 >answer
        status_of 1 ctx-diff --stat --estimator bytes/4 --json log.2 start.json >answer
        jq -e '.change == "missing"' answer >/dev/null || fail "$file"
    done
}

@test "ctx-diff: a log against itself and against its start, on every fixture" {
    agrees_with_itself "$FIXTURES"/*.jsonl
}

# bats test_tags=slow
@test "ctx-diff: a log against itself and against its start, on every transcript" {
    agrees_with_itself "$CTX_SHARED"/**/*.jsonl
}

@test "ctx-diff: a log of many records is read in the memory of one" {
    # shellcheck disable=SC2016
    nm "$CTX_BIN/ctx-diff" | grep -q __asan && skip 'the sanitizers take more'
    awk 'BEGIN { for (i = 0; i < 200000; i++) printf "{\"role\":\"user\",\"content\":\"%0100d\"}\n", i }' >log
    (cat log; echo '{"role":"user","content":"more"}') >more
    (ulimit -v 20000 && ctx-diff --stat --estimator bytes/4 --brief log more >got)
    grep -q 'shared 100%' got
}

# Two states of a log, into was and now: of each kind of change one, and hostile text.
states() {
    cat >was <<'END'
{"type":"context","system_prompt":"Be brief."}
{"role":"user","content":"The gauge drifts. Mend it, please.","metadata":{"id":"m1"}}
{"role":"assistant","content":"I look.","tool_calls":[{"id":"c1","function":{"name":"read","arguments":"{\"path\":\"src/gauge.c\"}"}}]}
{"role":"tool","tool_call_id":"c1","content":"static void\nreset(struct gauge *gauge)\n{\n\tgauge->zero = 0;\n\tgauge->drift = 0;\n}\nint\nread_it(void)\n"}
{"role":"assistant","tool_calls":[{"id":"c2","function":{"name":"task","arguments":"{\"prompt\":\"Look at the pier.\"}"}}]}
{"role":"user","content":"Look at the pier.","metadata":{"agent_id":"a1","parent_execution_id":"e1"}}
{"role":"assistant","content":"The pier stands.","metadata":{"agent_id":"a1","parent_execution_id":"e1"}}
{"role":"tool","tool_call_id":"c2","content":"The pier stands."}
{"role":"assistant","content":"Mended."}
{"role":"user","content":"Thanks."}
{"role":"assistant","content":"ok"}
{"role":"user","content":"Again."}
{"role":"assistant","content":"ok"}
{"role":"user","content":"Once more."}
{"role":"assistant","content":"ok"}
END
    cat >now <<'END'
{"type":"context","system_prompt":"Be brief, and mind the tide."}
{"role":"user","content":"The gauge drifts. Mend it, please.","metadata":{"id":"m1","pinned":true}}
{"role":"assistant","content":"I look.","tool_calls":[{"id":"c1","function":{"name":"read","arguments":"{\"path\":\"src/gauge.c\"}"}}]}
{"role":"tool","tool_call_id":"c1","content":"static void\nreset(struct gauge *gauge)\n[cut]\nread_it(void)\n"}
{"role":"user","content":"[summary] 4 messages\u001b[31m\u202e were dropped","metadata":{"kind":"summary","compacted":true}}
{"role":"assistant","content":"Mended."}
{"role":"user","content":"Thanks."}
{"role":"assistant","content":"ok"}
{"role":"user","content":"Again."}
{"role":"assistant","content":"ok"}
{"role":"user","content":"Once more."}
{"role":"assistant","content":"ok"}
{"role":"user","content":"And now?"}
END
}

@test "ctx-diff: what is kept, cut, gone and added, a line each" {
    states
    export LC_ALL=C.UTF-8
    status_of 1 ctx-diff was now >out
    same 'the list' - out <<'END'
  OLD    NEW role        tokens  diff     text
    1      1 context          8  changed  Be brief, and mind the tide.
             3 tokens before
           - Be brief.
           + Be brief, and mind the tide.
    2      2 user            14  kept     The gauge drifts. Mend it, please.
    3      3 assistant       24  kept     I look.
             read             9             src/gauge.c
    4      4 tool            21  cut        static void · reset(struct gauge *g…
             39 tokens before
           - {
           -     gauge->zero = 0;
           -     gauge->drift = 0;
           - … 2 more lines
           + [cut]
    5        assistant       22  gone
             task            10             Look at the pier.
    6          user           9  gone       Look at the pier.
    7          assistant      8  gone       The pier stands.
    8        tool             8  gone       The pier stands.
           5 summary         17  added    [summary] 4 messages\x1b[31m\u202e we…
    9      6 assistant        7  kept     Mended.
──────── turn 2 ────────────────────────────────────────────────────────────────
   10      7 user             6  kept     Thanks.
   11      8 assistant        5  kept     ok
──────── turn 3 ────────────────────────────────────────────────────────────────
   12      9 user             6  kept     Again.
   13     10 assistant        5  kept     ok
──────── turn 4 ────────────────────────────────────────────────────────────────
   14     11 user             7  kept     Once more.
   15     12 assistant        5  kept     ok
          13 user             7  added    And now?
──────── 9 kept · 1 cut · 1 changed · 4 gone · 2 added ── 148, now 124 tokens ──
END
    status_of 1 ctx-diff -U 1 was now | head -n 16 | tail -n 13 >out
    same 'less around' - out <<'END'
           - Be brief.
           + Be brief, and mind the tide.
    2      2 user            14  kept     The gauge drifts. Mend it, please.
    3      3 assistant       24  kept     I look.
             read             9             src/gauge.c
    4      4 tool            21  cut        static void · reset(struct gauge *g…
             39 tokens before
           - {
           -     gauge->zero = 0;
           -     gauge->drift = 0;
           - … 2 more lines
           + [cut]
    5        assistant       22  gone
END
    status_of 1 ctx-diff --context 0 was now | tail -n 4 >out
    same 'nothing around' - out <<'END'
           5 summary         17  added    [summary] 4 messages\x1b[31m\u202e we…
             … 7 messages as they were
          13 user             7  added    And now?
──────── 9 kept · 1 cut · 1 changed · 4 gone · 2 added ── 148, now 124 tokens ──
END
    same 'all around' <(ctx-diff was now) <(ctx-diff -U 9999999999 was now)
    COLUMNS=60 status_of 1 ctx-diff --ascii was now | sed -n '5,9p;$p' >out
    same 'narrow, of ASCII' - out <<'END'
           + Be brief, and mind the tide.
    2      2 user            14  kept     The gauge drifts.~
    3      3 assistant       24  kept     I look.
             read             9             src/gauge.c
    4      4 tool            21  cut        static void | r~
-------- 9 kept | 1 cut | 1 chang~ -- 148, now 124 tokens --
END
    status_of 1 ctx-diff --color always -U 1 was now | sed -n '1,4p;6,8p;12p' | sed 's/\x1b/^/g' >out
    same 'colours' - out <<'END'
^[2m  OLD    NEW role        tokens  diff     text^[m
    1      1 ^[33mcontext    ^[m      8  ^[33mchanged  ^[m^[33mBe brief, and mind the tide.^[m
^[2m             3 tokens before^[m
^[31m           - Be brief.^[m
    2      2 user            14  ^[2mkept     ^[mThe gauge drifts. Mend it, please.
    3      3 assistant       24  ^[2mkept     ^[mI look.
             ^[34mread       ^[m      9             src/gauge.c
^[31m           -     gauge->zero = 0;^[m
END
}

@test "ctx-diff: the list says whether NEW begins with all of OLD" {
    states
    export LC_ALL=C.UTF-8
    # What repeats what was said before is only more.
    head -n 12 was >start
    ctx-diff start was >out
    same 'more' - <(tail -n 4 out) <<'END'
          13 assistant        5  added    ok
          14 user             7  added    Once more.
          15 assistant        5  added    ok
──────── 12 kept · 3 added ────────────────────────────── 131, now 148 tokens ──
END
    ctx-diff - was <start | cmp - out
    ctx-diff start - <was | cmp - out
    status_of 1 ctx-diff was start >out
    grep -q '^   15        assistant        5  gone     ok$' out
    # What was added before the end is a difference, and what has moved is gone and added.
    sed 4q was >old
    (sed 1q was; echo '{"role":"user","content":"First of all, hello."}'; sed -n 2,4p was) >new
    status_of 1 ctx-diff old new >out
    for i in 1 3 2 4; do sed -n "${i}p" was; done >new
    status_of 1 ctx-diff old new >out
    same 'moved' - <(sed '1d;/^             /d' out) <<'END'
    1      1 context          3  kept     Be brief.
           2 assistant       24  added    I look.
    2      3 user            14  kept     The gauge drifts. Mend it, please.
    3        assistant       24  gone     I look.
    4      4 tool            39  kept       static void · reset(struct gauge *g…
──────── 3 kept · 1 gone · 1 added ──────────────────────── 77, now 77 tokens ──
END
    # A text that has changed and moved past one that stayed is gone and added, too, whatever its id.
    said() { printf '{"role":"user","content":"%s","metadata":{"id":"%s"}}\n' "$@"; }
    said one a two b >old
    said two b 'one, changed' a >new
    status_of 1 ctx-diff old new | tail -n 1 >out
    grep -q '1 kept · 1 gone · 1 added' out || fail "$(<out)"
    (cat was; echo 'no JSON') >bad
    status_of 65 ctx-diff bad was 2>said >out
    same 'bad' - said <<'END'
ctx-diff: bad:16: expected a value, at byte 2
END
    : >empty
    ctx-diff empty was | tail -n 1 | grep -q '15 added'
}

@test "ctx-diff: the list reads each format, and two formats" {
    local name
    export LC_ALL=C.UTF-8
    for name in claude-code-session codex-session pi-session gemini-cli-session openai-chat anthropic-request; do
        ctx-normalize "$FIXTURES/$name.jsonl" >made
        ctx-diff "$FIXTURES/$name.jsonl" made >out
        (($(wc -l <out) == 3)) || fail "$name: $(cat out)"
    done
    # The numbers are those of the file.
    (cat "$FIXTURES/pi-session.jsonl"; tail -n 1 "$FIXTURES/pi-session.jsonl" | sed 's/"id":"[^"]*"/"id":"x"/') >grown
    ctx-diff -U 1 "$FIXTURES/pi-session.jsonl" "$FIXTURES/pi-session.jsonl" | head -n 2 | tail -n 1 >out
    [[ $(<out) == '             … '*' messages as they were' ]]
    ctx-diff -U 99 made /dev/null >out || (($? == 1))
    ctx-show made | grep -o '^ *[0-9]\+' >numbers
    same 'numbers' numbers <(grep -o '^ \{0,4\}[0-9]\+' out)
}

@test "ctx-diff: the list of what repeats itself takes linear time" {
    local i
    for i in 1 2; do
        awk -v seed="$i" 'BEGIN { srand(seed); for (i = 0; i < 20000; i++)
            printf "{\"role\":\"user\",\"content\":\"%d\"}\n", rand() * 3 }' >"log$i"
    done
    status_of 1 timeout 60 ctx-diff --estimator bytes/4 log1 log2 >out
    tail -n 1 out | grep -q kept
}

@test "ctx-diff: the list has a pager, and --stat has none" {
    states
    printf '#!/bin/sh\nsed "s/^/P /"\n' >mine && chmod +x mine
    command -v script >/dev/null || skip 'no script(1) here'
    CTX_PAGER=./mine script -qec "COLUMNS=80 LC_ALL=C $(type -P ctx-diff) --color never was now" /dev/null </dev/null | tr -d '\r' >shown || true
    same 'the pager' <(ctx-diff --color never was now | sed 's/^/P /') shown
    CTX_PAGER=./mine script -qec "LC_ALL=C $(type -P ctx-diff) --stat --brief was now" /dev/null </dev/null | tr -d '\r' >shown || true
    same 'no pager' <(ctx-diff --stat --brief was now) shown
}

@test "ctx-diff --html: what has become of each message, on a page, byte for byte" {
    cat >old <<'END'
{"role":"system","content":"Be brief."}
{"role":"user","content":"Is a<b?","metadata":{"agent_id":"a1","parent_execution_id":"e1"}}
{"role":"assistant","content":"I look.","tool_calls":[{"id":"c1","function":{"name":"<i>","arguments":"{\"path\":\"a.c\"}"}}]}
{"role":"tool","tool_call_id":"c1","content":"one\ntwo </pre>\nthree\nfour\nfive and more of this\n"}
{"role":"user","content":"Drop this.\u001b[2J\u202e"}
{"role":"assistant","content":"Yes, it is."}
END
    cat >new <<'END'
{"role":"system","content":"Be brief."}
{"role":"user","content":"Is a<b?","metadata":{"agent_id":"a1","parent_execution_id":"e1"}}
{"role":"assistant","content":"I look.","tool_calls":[{"id":"c1","function":{"name":"<i>","arguments":"{\"path\":\"a.c\"}"}}]}
{"role":"tool","tool_call_id":"c1","content":"one\n2\nfour\nfive and more of this\n","metadata":{"is_error":true}}
{"role":"assistant","content":"Yes, it is."}
{"role":"user","content":"And\nnow?"}
END
    status_of 1 ctx-diff --html --ascii old new >page
    sed -e '/^<style>/,/^<\/style>/d' -e '/^<script>/,$d' page | sed -e '1,/^<title>/{/^<title>/!d}' -e '/^<form/,/^<\/form>/d' >got
    same 'the page' - got <<'END'
<title>old → new</title>
<header>
<h1>old → new</h1>
<p>ctx-diff · 4 kept · 1 cut · 1 gone · 1 added · 71, now 63 tokens</p>
</header>
<main id=log>
<h2>Messages</h2>
<article id=m1 class="s"><h3><a href=#m1>1</a> <b>system</b> <strong>kept</strong> <i>7 tokens</i></h3>
<pre>Be brief.</pre></article>
<article id=m2 class="u in"><h3><a href=#m2>2</a> <b>user</b> <strong>kept</strong> <i>8 tokens</i></h3>
<pre>Is a&lt;b?</pre></article>
<article id=m3 class="a"><h3><a href=#m3>3</a> <b>assistant</b> <strong>kept</strong> <i>23 tokens</i></h3>
<p> <span class=t>&lt;i&gt;</span> <span>a.c</span></p>
<details><summary>I look.</summary><pre>I look.
&lt;i&gt;
{"path":"a.c"}</pre></details></article>
<article id=m4 class="t e cut"><h3><a href=#m4>4</a> <b>error</b> <strong>cut</strong> <span class=t>&lt;i&gt;</span> <span>a.c</span> <em>20 tokens before</em> <i>16 tokens</i></h3>
<details open><summary>one · 2 · four · five and more of this</summary><pre><i>  one</i>
<del>- two &lt;/pre&gt;</del>
<del>- three</del>
<ins>+ 2</ins>
<i>  four</i>
<i>  five and more of this</i></pre></details></article>
<article id=f2m5 class="u gone"><h3><a href=#f2m5>5</a> <b>user</b> <strong>gone</strong> <i>12 tokens</i></h3>
<pre>Drop this.\x1b[2J\u202e</pre></article>
<article id=m5 class="a"><h3><a href=#m5>5</a> <b>assistant</b> <strong>kept</strong> <em>6 in OLD</em> <i>9 tokens</i></h3>
<pre>Yes, it is.</pre></article>
<article id=m6 class="u added"><h3><a href=#m6>6</a> <b>user</b> <strong>added</strong> <i>8 tokens</i></h3>
<details open><summary>And · now?</summary><pre>And
now?</pre></details></article>
</main>
END
    [[ $(tail -n 1 page) == "</script>" ]]
    status_of 0 ctx-diff --html old old >page
    (($(grep -c '<strong>kept</strong>' page) == 6))
    status_of 1 ctx-diff --html "$FIXTURES/compact-gauge.jsonl" old >page
    grep -q '^<h2>turn 2</h2>$' page
    status_of 65 ctx-diff --html /dev/null <(printf '{torn\n') >page 2>said
    [[ ! -s page ]]
}

@test "ctx-diff --html: a fold of what is not kept is open where it is short" {
    seq 1 24 | jq -Rsc '{role:"user",content:.}' >short
    seq 1 25 | jq -Rsc '{role:"user",content:.}' >long
    seq 1 2000 | tr '\n' ' ' | jq -Rsc '{role:"user",content:("x\n" + .)}' >wide
    for name in short long wide; do
        { cat log.jsonl; cat "$name"; } >new
        ctx-diff --html log.jsonl new | grep -o '^<details[a-z ]*><summary>[1x] · ' || fail "no fold: $name"
    done >got
    same 'folds' - got <<'END'
<details open><summary>1 · 
<details><summary>1 · 
<details><summary>x · 
END
    printf '{"role":"user","content":"%0101d"}\n' 0 >wide
    status_of 0 ctx-diff --html wide wide >page
    grep -q "^<details><summary>0\{60\}…</summary><pre>0\{101\}</pre></details></article>" page
}

@test "ctx-diff: no line is wider than a narrow terminal" {
    ctx-compact --limit 4k "$FIXTURES/compact-gauge.jsonl" >small
    COLUMNS=40 ctx-diff --color always "$FIXTURES/compact-gauge.jsonl" small >out || may 1
    sed -i 's/\x1b\[[0-9]*m//g' out
    same 'wider' <(awk 'length > 40' out) /dev/null
    [[ $(head -n 1 out) == '  OLD    NEW role        tokens  diff' ]]
    grep -q '^    1      1 system  .* kept$' out || fail "$(head out)"
}

@test "ctx-diff: what is said of a packed file is a command line that runs" {
    gzip -c "$FIXTURES/compact-gauge.jsonl" >new.gz
    status_of 65 ctx-diff --stat "$FIXTURES/compact-gauge.jsonl" new.gz >out 2>said
    same 'said' <(tail -n 1 said) <(echo 'ctx-diff: new.gz: looks like gzip; try gzip -dc new.gz | ctx-diff OLD -')
    gzip -dc new.gz | ctx-diff --stat "$FIXTURES/compact-gauge.jsonl" - >out
}
