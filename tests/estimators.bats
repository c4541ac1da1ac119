#!/usr/bin/env bats
#
# What a message costs: the fixed rules, the estimators, and that every command gives the same answer.
# That the encodings are exact, tokens.bats and make check-tokens test.

load helper
load dialogue

# tokens COUNT RECORD: the message costs so many tokens with $options.
tokens() {
    printf '%s\n' "$2" >in
    local got
    # shellcheck disable=SC2086
    got=$(ctx-budget --json ${options-} in | jq .used_tokens)
    [[ $got == "$1" ]] || fail "expected $1 tokens, got $got: $2"
}

# part JSON: a user's message of that one part.
part() {
    printf '{"role":"user","content":[%s]}' "$1"
}

# answer USAGE [METADATA]: an assistant's message of five tokens that reports its usage.
answer() {
    says hello "\"usage\":$1${2:+,$2}"
}

# used OPTION...: estimator and used tokens of the file in.
used() {
    ctx-budget --json "$@" in | jq -r '"\(.estimator) \(.used_tokens)"'
}

# --- The rules -----------------------------------------------------------------------------------

@test "cost: four tokens a message, and its text" {
    tokens 5 '{"role":"user","content":"hello"}'
    tokens 4 '{"role":"user","content":""}'
    tokens 4 '{"role":"assistant","content":null}'
    tokens 4 '{"role":"user"}'
    tokens 5 '{"role":"user","content":"\u0068ello","x":"hello hello","metadata":{"note":"hello"}}'
    tokens 6 '{"role":"developer","content":[{"type":"text","text":"hello"},{"type":"text","text":"hello"},"",7]}'
    # Special tokens in text are ordinary text.
    tokens 11 '{"role":"user","content":"<|endoftext|>"}'
}

@test "cost: eight tokens a call, its name and its arguments" {
    local call='{"id":"a long identifier","type":"function","function":{"name":"read","arguments":"{\"path\":\"x\"}"}}'
    tokens 18 "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[$call]}"
    tokens 33 "{\"role\":\"assistant\",\"content\":\"hello\",\"tool_calls\":[$call,$call]}"
    # Arguments may be an object, a call a block.
    tokens 18 '{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"read","arguments":{"path":"x"}}}]}'
    tokens 18 '{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"read","input":{"path":"x"}}]}'
    tokens 5 '{"role":"tool","tool_call_id":"a long identifier","content":"hello"}'
    tokens 5 "$(part '{"type":"tool_result","tool_use_id":"c","content":"hello"}')"
    tokens 6 "$(part '{"type":"tool_result","tool_use_id":"c","content":[{"type":"text","text":"hello hello"}]}')"
}

@test "cost: thinking counts, signatures and what is encrypted do not" {
    tokens 7 '{"role":"assistant","content":[{"type":"thinking","thinking":"hello hello","signature":"aGVsbG8gaGVsbG8="},{"type":"text","text":"hello"}]}'
    tokens 5 '{"role":"assistant","content":[{"type":"redacted_thinking","data":"aGVsbG8gaGVsbG8="},{"type":"text","text":"hello"}]}'
}

@test "cost: a text in any spelling, a refusal and reasoning beside the content, a content that is an object" {
    tokens 6 "$(part '{"type":"text","value":"hello hello"}')"
    tokens 5 "$(part '{"type":"text","value":"hello hello","text":"hello"}')"
    tokens 6 "$(part '"hello hello"')"
    tokens 6 '{"role":"assistant","content":null,"refusal":"hello hello"}'
    tokens 7 '{"role":"assistant","content":"hello","reasoning_content":"hello hello"}'
    tokens 5 '{"role":"assistant","content":"hello","refusal":null,"reasoning_content":{"a":"b"}}'
    options='--estimator bytes/4'
    tokens 8 '{"role":"user","content":{"text":"abc"}}'
    tokens 8 '{"role":"tool","tool_call_id":"c","content":{"text":"abc"}}'
    tokens 5 '{"role":"tool","tool_call_id":"c","content":1234}'
}

@test "cost: what a server's tool was asked and gave, without types, ids and what is encrypted" {
    # The name and the input, and the eight of a call.
    tokens 18 '{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_a","name":"read","input":{"path":"x"}}]}'
    options='--estimator bytes/4'
    tokens 8 "$(part '{"type":"web_search_tool_result","tool_use_id":"srvtoolu_a","content":[
        {"type":"web_search_result","title":"abcd","url":"https://","page_age":null,"encrypted_content":"aGVsbG8gaGVsbG8="},
        {"type":"web_search_result","title":"efgh","url":"","encrypted_content":"aGVsbG8gaGVsbG8="}]}' | tr -d '\n')"
    tokens 6 "$(part '{"type":"web_fetch_tool_result","tool_use_id":"a","content":{"type":"web_fetch_result","url":"http","content":{"type":"document","source":{"type":"text","media_type":"text/plain","data":"abcd"}}}}')"
    tokens 7 "$(part '{"type":"bash_code_execution_tool_result","tool_use_id":"a","content":{"type":"bash_code_execution_result","stdout":"abcdefgh","stderr":"ijkl","return_code":0,"content":[]}}')"
    tokens 5 "$(part '{"type":"web_search_tool_result","tool_use_id":"a","content":"abcd"}')"
    tokens 5 "$(part '{"type":"tool_result","tool_use_id":"a","content":{"out":"abcd","n":1}}')"
    tokens 5 "$(part '{"type":"mcp_tool_result","tool_use_id":"a","content":[{"type":"text","text":"abcd"}]}')"
    # Whatever is deeper than eight levels counts as its JSON.
    tokens 7 "$(part '{"type":"tool_result","content":{"1":{"2":{"3":{"4":{"5":{"6":{"7":{"8":["abcdef"]}}}}}}}}}')"
}

@test "cost: parts of Gemini, whose kind the name of a member tells" {
    options='--estimator bytes/4'
    # A name, and arguments as JSON: 4 and 10 bytes, 4 and 2, 4 alone.
    tokens 8 "$(part '{"functionCall":{"name":"abcd","args":{"a":"12"}}}')"
    tokens 8 "$(part '{"function_call":{"id":"a long identifier","name":"abcd","args":{"a":"12"}}}')"
    tokens 6 "$(part '{"functionCall":{"name":"abcd","args":{}}}')"
    tokens 5 "$(part '{"functionCall":{"name":"abcd"}}')"
    # Every string of a response.
    tokens 7 "$(part '{"functionResponse":{"name":"abcd","response":{"out":"efghijkl"}}}')"
    tokens 8 "$(part '{"function_response":{"name":"abcd","response":{"out":"efghijkl","err":["mnop"]}}}')"
    tokens 6 "$(part '{"executableCode":{"language":"PYTHON","code":"abcdefgh"}}')"
    tokens 8 "$(part '{"executable_code":{"code":"abcdefghijklmnop"}}')"
    tokens 9 "$(part '{"codeExecutionResult":{"outcome":"OUTCOME_OK__","output":"abcdefgh"}}')"
    tokens 6 "$(part '{"code_execution_result":{"output":"abcdefgh"}}')"
    # Each part is counted by itself.
    tokens 10 "$(part '{"text":"abcd"},{"functionCall":{"name":"abcd"}},{"functionResponse":{"response":{"out":"efghijkl"}}},{"executableCode":{"code":"abcdefgh"}}')"
}

@test "cost: an image, audio and a file by rule, never as base64" {
    local data='"aGVsbG8gaGVsbG8gaGVsbG8gaGVsbG8gaGVsbG8gaGVsbG8gaGVsbG8="'
    tokens 769 "$(part "{\"type\":\"image_url\",\"image_url\":{\"url\":$data}}")"
    tokens 769 "$(part "{\"type\":\"image\",\"source\":{\"type\":\"base64\",\"data\":$data}}")"
    tokens 769 "$(part "{\"type\":\"input_image\",\"image_url\":$data}")"
    tokens 89 "$(part "{\"type\":\"input_image\",\"image_url\":$data,\"detail\":\"low\"}")"
    tokens 89 "$(part "{\"type\":\"image_url\",\"image_url\":{\"url\":$data,\"detail\":\"low\"}}")"
    tokens 604 "$(part "{\"type\":\"input_audio\",\"input_audio\":{\"data\":$data}}")"
    tokens 1504 "$(part "{\"type\":\"file\",\"file\":{\"file_data\":$data}}")"
    tokens 1504 "$(part "{\"type\":\"document\",\"source\":{\"type\":\"base64\",\"data\":$data}}")"
    # A document of plain text is its text.
    tokens 5 "$(part '{"type":"document","source":{"type":"text","data":"hello"}}')"
    # In a result, too.
    tokens 770 "{\"role\":\"tool\",\"tool_call_id\":\"c\",\"content\":[{\"type\":\"text\",\"text\":\"hello\"},{\"type\":\"image\",\"source\":{\"data\":$data}}]}"
}

@test "cost: --image-tokens says what an image costs" {
    options='--image-tokens 1600'
    tokens 1604 "$(part '{"type":"image_url","image_url":{"url":"u"}}')"
    tokens 89 "$(part '{"type":"image_url","image_url":{"url":"u","detail":"low"}}')"
    options='--image-tokens 50'
    tokens 54 "$(part '{"type":"image_url","image_url":{"url":"u"}}')"
    tokens 54 "$(part '{"type":"image_url","image_url":{"url":"u","detail":"low"}}')"
    options='--image-tokens 0'
    tokens 4 "$(part '{"type":"image_url","image_url":{"url":"u"}}')"
}

# --- Encodings -----------------------------------------------------------------------------------

@test "o200k_base, o200k_harmony and cl100k_base: exact counts" {
    user 'Привет, как дела?' >in
    same 'counts' - <(for e in o200k_base o200k_harmony cl100k_base; do used --estimator $e; done) <<'END'
o200k_base 10
o200k_harmony 10
cl100k_base 12
END
    [[ $(used) == 'o200k_base 10' ]]
}

@test "bytes/4: bytes of decoded text, rounded up, and four a message" {
    options='--estimator bytes/4'
    tokens 4 '{"role":"user","content":""}'
    tokens 5 '{"role":"user","content":"a"}'
    tokens 5 '{"role":"user","content":"abcd"}'
    tokens 6 '{"role":"user","content":"abcde"}'
    tokens 5 '{"role":"user","content":"\u00e9\u00e9"}'
    tokens 5 '{"role":"user","content":"\ud83d\ude00"}'
    tokens 5 '{"role":"user","content":"\n\t\"\\"}'
    # Rounded once a message: two texts of one byte.
    tokens 5 '{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}'
    # Names and arguments, no ids, no syntax: 4 + 12 bytes.
    tokens 8 '{"role":"assistant","tool_calls":[{"id":"a long identifier","type":"function","function":{"name":"read","arguments":"{\"path\":\"x\"}"}}]}'
    tokens 8 '{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"read","arguments":{"path":"x"}}}]}'
    # Neither base64 nor metadata.
    tokens 5 "$(part '{"type":"text","text":"abcd"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}')"
    tokens 5 '{"role":"user","content":"abcd","metadata":{"note":"abcdefgh"}}'
}

@test "an estimator of another name is refused" {
    local name
    for name in tiktoken bytes cmd: ''; do
        status_of 64 ctx-budget --estimator "$name" </dev/null 2>said >out
        same "$name" - said <<END
ctx-budget: bad value '$name' of --estimator, expected o200k_base, cl100k_base, bytes/4, usage, calibrated or cmd:COMMAND; try 'ctx-budget --help'
END
        [[ ! -s out ]]
    done
}

# --- usage ---------------------------------------------------------------------------------------

@test "usage: each provider's spelling" {
    local usage
    while read -r want usage; do
        { user hello; answer "$usage"; user 'hello hello'; } >in
        printf '%s\n' "$usage"
        # What was reported, and the six tokens of what follows.
        [[ $(used --estimator usage) == "usage $((want + 6))" ]]
    done <<'END'
130 {"input_tokens":100,"cache_creation_input_tokens":20,"cache_read_input_tokens":3,"output_tokens":7}
130 {"input_tokens":100,"cache_creation_input_tokens":20,"cache_read_input_tokens":3,"output_tokens":7,"cache_creation":{"ephemeral_5m_input_tokens":20},"service_tier":"standard"}
107 {"input_tokens":100,"output_tokens":7}
107 {"prompt_tokens":100,"completion_tokens":7,"total_tokens":107,"prompt_tokens_details":{"cached_tokens":40}}
107 {"input_tokens":100,"input_tokens_details":{"cached_tokens":40},"output_tokens":7,"output_tokens_details":{"reasoning_tokens":5}}
107 {"input_tokens":100,"cached_input_tokens":40,"output_tokens":7,"reasoning_output_tokens":5,"total_tokens":107}
107 {"promptTokenCount":100,"cachedContentTokenCount":30,"candidatesTokenCount":5,"thoughtsTokenCount":2}
107 {"prompt_token_count":100,"cached_content_token_count":30,"candidates_token_count":5,"thoughts_token_count":2}
107 {"input":100,"output":5,"cached":50,"thoughts":2,"tool":0,"total":107}
157 {"input":100,"output":5,"cacheRead":50,"cacheWrite":2,"totalTokens":157}
158 {"input":100,"output":5,"reasoning":2,"cache":{"read":50,"write":1}}
107 {"inputTokens":100,"outputTokens":7,"cachedInputTokens":30,"totalTokens":107}
130 {"inputTokens":100,"outputTokens":7,"cacheReadInputTokens":20,"cacheWriteInputTokens":3}
END
}

@test "usage: the newest response that reports it" {
    { answer '{"input_tokens":1000,"output_tokens":1}'; answer '{"input_tokens":100,"output_tokens":1}'; says hello; user hello; } >in
    [[ $(used --estimator usage) == 'usage 111' ]]
    # What tells nothing is no report.
    { answer '{"input_tokens":100,"output_tokens":1}'; answer '{"input_tokens":0,"output_tokens":0}'; answer '{}'; answer null; answer '"7"'; answer '{"input_tokens":1e30,"output_tokens":-4}'; } >in
    [[ $(used --estimator usage) == 'usage 126' ]]
}

@test "usage: without a report the count is exact and says so" {
    user hello >in
    status_of 0 ctx-budget --json --estimator usage in >out 2>said
    [[ $(jq -r '"\(.estimator) \(.used_tokens)"' out) == 'o200k_base 5' ]]
    same 'the warning' <(echo "ctx-budget: 0 responses report their usage, too few for 'usage': counted with o200k_base") said
    # Too little to learn from is no reason to compact.
    status_of 0 ctx-budget --json --check --estimator usage in >again 2>said
    same 'with --check' out again
    status_of 1 ctx-budget --json --check --estimator usage --soft 5 in >again 2>said
}

@test "usage: what a summary replaced says nothing of the context after it" {
    summary='"kind":"summary"'
    { answer '{"input_tokens":1000,"output_tokens":1}'; user hello "$summary"; user hello; } >in
    ctx-budget --json --estimator usage in >out 2>said
    [[ $(jq -r '"\(.estimator) \(.used_tokens)"' out) == 'o200k_base 15' ]]
    { cat in; answer '{"input_tokens":70,"output_tokens":1}'; user hello; } >longer && mv longer in
    [[ $(used --estimator usage) == 'usage 76' ]]
    # Messages that the compaction kept have the usage of the context before it.
    { user hello "$summary,\"facts\":{\"kept\":2}"; user hello; answer '{"input_tokens":1000,"output_tokens":1}'; user hello; } >in
    [[ $(used --estimator usage 2>said) == 'o200k_base 20' ]]
    { cat in; answer '{"input_tokens":70,"output_tokens":1}'; } >longer && mv longer in
    [[ $(used --estimator usage) == 'usage 71' ]]
}

# --- calibrated ----------------------------------------------------------------------------------

@test "calibrated: the ratio of what was reported to what is counted, its points and their spread" {
    # Counted are 5, 10 and 15.
    { answer '{"input_tokens":9,"output_tokens":1}'; answer '{"input_tokens":19,"output_tokens":1}'; answer '{"input_tokens":29,"output_tokens":1}'; user hello; } >in
    same 'exactly two' <(echo '["calibrated",40,{"ratio":2,"offset":0,"points":3,"lowest":2,"highest":2}]') \
        <(ctx-budget --estimator calibrated in | tail -n 1 | jq -c '[.estimator, .used_tokens, .calibration]')
    { answer '{"input_tokens":4,"output_tokens":1}'; answer '{"input_tokens":19,"output_tokens":1}'; answer '{"input_tokens":29,"output_tokens":1}'; user hello; } >in
    # Least squares: (25 + 200 + 450) / (25 + 100 + 225).
    same 'a spread' <(echo '["calibrated",39,{"ratio":1.928571,"offset":0,"points":3,"lowest":1,"highest":2}]') \
        <(ctx-budget --estimator calibrated --json in | jq -c '[.estimator, .used_tokens, .calibration]')
    ctx-budget --estimator calibrated in --table >out
    grep -qx 'calibrated: 1.929 reported for each counted token, and 0; 3 points, 1.000 to 2.000' out
    # Rows and cuts are on the same scale.
    same 'rows' <(printf 'assistant\t3\t29\nuser\t1\t10\n') <(ctx-budget --estimator calibrated --by role --json in | rows | tail -n +2)
    same 'cuts' <(echo '4 29 10') <(ctx-budget --estimator calibrated --cuts in | tail -n 1 | awk '{ print $1, $4, $5 }')
}

@test "calibrated: fewer than three points are too few" {
    { answer '{"input_tokens":9,"output_tokens":1}'; answer '{"input_tokens":19,"output_tokens":1}'; user hello; } >in
    status_of 0 ctx-budget --json --estimator calibrated in >out 2>said
    [[ $(jq -r '"\(.estimator) \(.used_tokens) \(.calibration)"' out) == 'o200k_base 15 null' ]]
    same 'the warning' <(echo "ctx-budget: 2 responses report their usage, too few for 'calibrated': counted with o200k_base") said
    status_of 0 ctx-budget --json --check --estimator calibrated in >again 2>said
    same 'with --check' out again
}

@test "calibrated: a response counts once, whatever messages it has; the last figures are its own" {
    {
        answer '{"input_tokens":900,"output_tokens":1}' '"id":"r1"'
        answer '{"input_tokens":19,"output_tokens":1}' '"id":"r1"'
        answer '{"input_tokens":29,"output_tokens":1}' '"id":"r2"'
        answer '{"input_tokens":39,"output_tokens":1}' '"id":"r3"'
        answer '{"input_tokens":49,"output_tokens":1}' '"id":"r3"'
    } >in
    same 'calibration' <(echo '{"ratio":2,"offset":0,"points":3,"lowest":2,"highest":2}') \
        <(ctx-budget --estimator calibrated --json in | jq -c .calibration)
    # Two responses in five messages are too few.
    sed 's/r3/r2/' in >longer && mv longer in
    [[ $(used --estimator calibrated 2>said) == 'o200k_base 25' ]]
}

@test "calibrated: what the log does not show, prompt and tools, is the offset" {
    { answer '{"input_tokens":9009,"output_tokens":1}'; answer '{"input_tokens":9016,"output_tokens":1}'; answer '{"input_tokens":9024,"output_tokens":1}'; user hello; } >in
    same 'a line' <(echo '["calibrated",9032,{"ratio":1.5,"offset":9002,"points":3,"lowest":601.666667,"highest":1802}]') \
        <(ctx-budget --estimator calibrated in | tail -n 1 | jq -c '[.estimator, .used_tokens, .calibration]')
    ctx-budget --estimator calibrated in >once
    ctx-budget --estimator calibrated once >twice
    same 'a second run' once twice
    # A view of what was counted costs what it costs, and not what was taken out.
    tail -n 2 once >in
    same 'a view' <(echo 9010) <(ctx-budget --estimator calibrated --json in | jq .used_tokens)
}

@test "usage: counts only where the stream is what was reported of; what was taken out is said, and calibrated counts" {
    local view
    # 53,058 tokens were reported of a session whose trace a view does not show.
    { user 'What is the tide?'; answer '{"input_tokens":53000,"output_tokens":58}'; } >in
    spec <<'END'
ctx-budget --estimator usage --brief in
>>> 14/128k 0%, 112k left
>>>2 ctx-budget: the reported usage is of more than this stream has: counted with o200k_base
END
    # Of a log with a prompt of 9,000 tokens the steps in between are taken out.
    {
        user 'What is the tide?'
        answer '{"input_tokens":9009,"output_tokens":1}'
        answer '{"input_tokens":9016,"output_tokens":1}'
        answer '{"input_tokens":9024,"output_tokens":1}'
    } >head
    { cat head; user 'And the wind?'; answer '{"input_tokens":30000,"output_tokens":1}'; } >in
    spec <<'END'
ctx-budget --estimator usage --json in | jq -c '[.estimator, .used_tokens, .calibration.points]'
>>> ["calibrated",9045,3]
>>>2 ctx-budget: the reported usage is of more than this stream has: counted with calibrated
END
    spec <<'END'
ctx-compact --estimator usage --window 16k --report /dev/fd/3 3>&1 >/dev/null in | jq -c '[.estimator, .tokens_before]'
>>> ["calibrated",9045]
>>>2 ctx-compact: the reported usage is of more than this stream has: counted with calibrated
END
    # The log itself fits.
    { cat head; user "$(repeat 12000 'lamp ')"; answer '{"input_tokens":30000,"output_tokens":1}'; } >in
    [[ $(used --estimator usage) == 'usage 30001' ]]
}

@test "ctx-compact weighs by ratio and offset of its input, and keeps them; a second run changes nothing" {
    local estimator options
    {
        user 'Mend the lamps.'
        for i in {1..30}; do
            says "$(repeat 400 'lamp ')" "\"usage\":{\"input_tokens\":$((3000 + 800 * i)),\"output_tokens\":1}"
        done
        user 'And the pier?'
    } >log
    for estimator in usage calibrated; do
        for options in '--window 16k' '--limit 12k' '--force --target 8k'; do
            # shellcheck disable=SC2086
            ctx-compact --estimator $estimator $options log >once
            # shellcheck disable=SC2086
            ctx-compact --estimator $estimator $options once >twice
            same "$estimator $options" once twice
            cmp -s log once && fail "$estimator $options: nothing was done"
            same "$estimator $options: the record" <(echo "[\"$estimator\",2,true]") \
                <(tail -n 1 once | jq -c '[.estimator, (.calibration.ratio * 10 | round / 10), (.calibration.points > 20)]')
            # ctx-budget says the same of it, whether it finds the record or is told the estimator.
            # shellcheck disable=SC2086
            same "$estimator $options: ctx-budget" <(tail -n 1 once | jq .used_tokens) \
                <(ctx-budget --estimator $estimator ${options/--force --target 8k/} once | tail -n 1 | jq .used_tokens)
        done
    done
    # What an answer behind the record reports is exact again.
    { cat once; answer '{"input_tokens":7000,"output_tokens":1}'; } >in
    [[ $(used --estimator usage) == 'usage 7001' ]]
    # A session that it is not time for has no record more.
    same 'not due' log <(ctx-compact --estimator usage log)
}

# --- cmd: ----------------------------------------------------------------------------------------

@test "cmd: one decoded text as a JSON string a line, one integer a line back" {
    {
        user 'One\nline, \u00e9'
        printf '{"role":"assistant","content":[{"type":"text","text":"two"},{"type":"image","source":{"data":"AAAA"}}],"tool_calls":[%s]}\n' "$(call c1 read x)"
        gets c1 ok
    } >in
    spec <<'END'
ctx-budget --json --estimator 'cmd:tee texts | sed s/.*/100/' in | jq -c '[.estimator, .used_tokens]'; cat texts; rm texts
>>> ["cmd:tee texts | sed s/.*/100/",1285]
>>> "One\nline, é"
>>> "two"
>>> "read"
>>> "{\"path\":\"x\"}"
>>> "ok"
END
    # Three messages, one call, one image, five texts.
    ((3 * 4 + 8 + 765 + 5 * 100 == 1285))
}

@test "cmd: the command is run once for the messages of a session" {
    { user a; says b; user c; says d; } >in
    ctx-budget --json --estimator 'cmd:echo run >>runs; sed s/.*/1/' in >out
    [[ $(wc -l <runs) == 1 && $(jq .used_tokens out) == 20 ]]
}

@test "cmd: a command that fails, or does not answer line for line, is status 69" {
    { user hello; says hello; } >in
    local command
    # shellcheck disable=SC2016
    local -A said=(
        ['exit 3']="'exit 3' failed with status 3"
        ['kill -9 $$']="'kill -9 \$\$' was ended by signal 9"
        ['echo 1']="'echo 1' wrote 1 lines for 2 texts"
        ['echo 1; echo 2; echo 3']="'echo 1; echo 2; echo 3' wrote 3 lines for 2 texts"
        ['cat']="'cat' wrote '\"hello\"', expected an integer a line"
        ['echo 1; echo -2']="'echo 1; echo -2' wrote '-2', expected an integer a line"
        ['echo 1; echo 2.5']="'echo 1; echo 2.5' wrote '2.5', expected an integer a line"
        ['echo 1; echo']="'echo 1; echo' wrote '', expected an integer a line"
        ['echo 1; echo 99999999999999999999']="'echo 1; echo 99999999999999999999' wrote '99999999999999999999', expected an integer a line"
        ['true']="'true' wrote 0 lines for 2 texts"
    )
    for command in "${!said[@]}"; do
        status_of 69 ctx-budget --estimator "cmd:$command" in 2>error >out
        same "$command" <(printf 'ctx-budget: %s\n' "${said[$command]}") error
        [[ ! -s out ]]
    done
    [[ $(used --estimator 'cmd:printf "1\n 2 "' | tail -c 3) == 11 ]]
    # Answers without a text to stand for go nowhere.
    status_of 69 ctx-budget --estimator 'cmd:yes 1 | head -n 2000' in 2>error >out
    same 'too many' <(printf "ctx-budget: 'yes 1 | head -n 2000' wrote 2000 lines for 2 texts\n") error
}

@test "cmd: what the command wrote to standard error is in the diagnostic, and only there" {
    user hello >in
    spec <<'END'
ctx-budget --estimator 'cmd:echo one >&2; echo "jq: no such filter" >&2; exit 3' in
>>>2 ctx-budget: 'echo one >&2; echo "jq: no such filter" >&2; exit 3' failed with status 3: jq: no such filter
>>>= 69
END
    spec <<'END'
ctx-budget --json --estimator 'cmd:echo a warning >&2; sed s/.*/1/' in | jq .used_tokens
>>> 5
END
}

@test "cmd: a command that is silent for too long, or says too much, is status 69 in each command" {
    local command
    { user a; calls c1 read x; gets c1 "$(printf '%1000d' 0)"; says b; user c; } >in
    for command in ctx-budget ctx-compact 'ctx-isolate --policy mask --keep-results 0' 'ctx-project --last 0.01k'; do
        # shellcheck disable=SC2086
        status_of 69 $command --command-timeout 1s --estimator 'cmd:sleep 50' in >out 2>said
        same "$command" <(echo "${command%% *}: 'sleep 50' gave no answer for 1 second") said
        [[ ! -s out ]]
        # shellcheck disable=SC2086
        status_of 69 $command --estimator 'cmd:yes' in >out 2>said
        [[ $(<said) == "${command%% *}: 'yes' wrote more than "*' bytes' && ! -s out ]]
        # shellcheck disable=SC2086
        status_of 64 $command --command-timeout soon --estimator 'cmd:wc' in >out 2>said
        [[ $(<said) == *"bad value 'soon' of --command-timeout, expected a time such as 90s or 5m"* ]]
    done
}

@test "cmd: nothing of the command is left, whether it answered or not" {
    user hello >in
    status_of 0 ctx-budget --json --estimator 'cmd:sleep 61 & echo 1' in >out
    status_of 69 ctx-budget --json --command-timeout 1 --estimator 'cmd:sleep 62 & sleep 63' in >out 2>said
    ctx-budget --json --estimator 'cmd:sleep 65' in >out 2>said &
    sleep 0.3
    kill $!
    wait $! || true
    # tests/unit/process.c interrupts a command: here SIGINT would be ignored.
    ! ps -eo stat,args | grep -v '^Z' | grep 'sleep 6[1-5]$' || fail 'something of the command runs'
}

# --- Vocabularies --------------------------------------------------------------------------------

@test "a vocabulary that is missing is status 66, never another way of counting" {
    mkdir bin empty
    cp "$CTX_BIN/ctx-budget" bin/
    user hello >in
    status_of 66 env CTX_VOCAB_PATH="$PWD/empty" bin/ctx-budget in 2>said >out
    [[ ! -s out && $(wc -l <said) == 1 && $(<said) == 'ctx-budget: cannot read the vocabulary '*'/o200k_base.vocab: No such file or directory'* ]]
    # The one beside the program is found whatever the path says; what needs none, needs none.
    CTX_VOCAB_PATH=$PWD/empty used >found
    same 'beside the program' <(echo 'o200k_base 5') found
    status_of 0 bin/ctx-budget --estimator bytes/4 in >out
}

@test "a vocabulary that is malformed is status 78" {
    mkdir vocabularies
    user hello >in
    head -c 100000 /dev/zero >vocabularies/o200k_base.vocab
    status_of 78 env CTX_VOCAB_PATH="$PWD/vocabularies" ctx-budget in 2>said >out
    [[ ! -s out && $(wc -l <said) == 1 && $(<said) == "ctx-budget: bad vocabulary $PWD/vocabularies/o200k_base.vocab: "* ]]
    CTX_VOCAB_PATH=$PWD/vocabularies used --estimator cl100k_base >found
    same 'the other' <(echo 'cl100k_base 5') found
}

@test "a vocabulary in which numbers lead outside is status 78 in each command, and nothing is written" {
    local command whole=${CTX_BIN%/bin}/share/ctx/o200k_base.vocab
    mkdir vocabularies
    {
        head -c 4096 "$whole"
        head -c $(($(stat -c %s "$whole") - 4096)) /dev/zero | tr '\0' '\356'
    } >vocabularies/o200k_base.vocab
    { user a; calls c1 read x; gets c1 "$(printf '%1000d' 0)"; says b; user c; } >in
    for command in ctx-budget ctx-compact 'ctx-isolate --policy mask --keep-results 0' 'ctx-project --view all --last 0.3k'; do
        # shellcheck disable=SC2086
        status_of 78 env CTX_VOCAB_PATH="$PWD/vocabularies" $command in >out 2>said
        same "$command" <(echo "${command%% *}: bad vocabulary of o200k_base: a number in it leads outside;" \
            'ctx-budget --verify names its file') said
        [[ ! -s out || $command == ctx-budget ]]
    done
    status_of 78 env CTX_VOCAB_PATH="$PWD/vocabularies" ctx-budget --verify >out
    grep -qx "o200k_base	$PWD/vocabularies/o200k_base.vocab	the checksum of its content does not fit" out
}

@test "a FIFO in the place of a vocabulary does not hang" {
    mkdir vocabularies
    mkfifo vocabularies/o200k_base.vocab
    user hello >in
    CTX_VOCAB_PATH=$PWD/vocabularies status_of 78 timeout 10 ctx-budget in 2>said >out
    same 'said' <(echo "ctx-budget: bad vocabulary $PWD/vocabularies/o200k_base.vocab: not a regular file") said
}

# --- The same everywhere -------------------------------------------------------------------------

@test "ctx-compact counts what ctx-budget counts" {
    local file estimator
    { answer '{"input_tokens":100,"output_tokens":1}'; answer '{"input_tokens":150,"output_tokens":1}'; answer '{"input_tokens":190,"output_tokens":1}'; user hello; } >reported.jsonl
    for file in "$FIXTURES"/{ctx-headless,ctx-metadata,ctx-talk,hostile-escapes}.jsonl reported.jsonl; do
        for estimator in o200k_base cl100k_base bytes/4 usage calibrated 'cmd:jq length'; do
            ctx-budget --json --estimator "$estimator" "$file" 2>said | jq -r '"\(.estimator) \(.used_tokens)"' >budget
            ctx-compact --estimator "$estimator" --report report "$file" >out 2>said
            jq -r '"\(.estimator) \(.tokens_before)"' report >compact
            printf '%s: %s\n' "${file##*/}" "$(<budget)"
            same 'ctx-compact' budget compact
        done
    done
}

@test "thresholds of ctx-isolate and ctx-project are where ctx-budget counts them" {
    local estimator count
    {
        user 'Look.'
        calls c1 read x
        gets c1 'The keeper wrote: “ebb at 4, flood at 10”, and then nothing for a while.'
        says 'Well.'
        user 'Next.'
        says 'All is well.'
    } >in
    for estimator in o200k_base cl100k_base bytes/4 'cmd:jq length'; do
        count=$(ctx-budget --annotate --estimator "$estimator" in | jq 'select(.role? == "tool").metadata.tokens')
        printf '%s: %s\n' "$estimator" "$count"
        masks() { ctx-isolate --policy mask --keep-results 0 --estimator "$estimator" --min-tokens "$1" in | jq -r 'select(.role == "tool").metadata.compacted'; }
        [[ $(masks "$count") == null && $(masks "$((count - 1))") == true ]]
        count=$(ctx-budget --annotate --estimator "$estimator" in | jq -s 'map(.metadata.tokens?) | .[3:6] | add')
        last() { ctx-project --view all --estimator "$estimator" --last "$(printf '0.%03dk' "$1")" in | wc -l; }
        [[ $(last "$count") == 3 && $(last "$((count - 1))") == 2 ]]
    done
}
