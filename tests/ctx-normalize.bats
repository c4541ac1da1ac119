#!/usr/bin/env bats
#
# ctx-normalize: pairs that are whole again, and the check.  The formats are in dialects.bats.

load helper
load dialogue

# lacks ID TOOL [METADATA]: what is written where a call will never get its result.
lacks() {
    gets "$1" '[no result]' "\"tool_name\":\"$2\",\"is_error\":true${3:+,$3}"
}

# orphan ID [TEXT]: what becomes of a result that answers no call.
orphan() {
    printf '{"role":"user","tool_call_id":"%s","content":"[tool result that answers no call]%s","metadata":{"origin":"injected","is_trace":true}}\n' \
        "$1" "${2:+ $2}"
}

# accepts: the check has nothing to say of the file in.
accepts() {
    makes 'ctx-normalize --check'
}

# settles ITEM...: what comes of the file in is whole: the check accepts it, a second run leaves it.
settles() {
    makes 'ctx-normalize' "$@" || return
    mv expected in
    accepts || return
    keeps 'ctx-normalize'
}

# --- What is whole ------------------------------------------------------------------------------

@test "ctx-normalize: an OpenAI chat is canonical already" {
    spec <<'END'
ctx-normalize "$FIXTURES/openai-chat.jsonl" | cmp - "$FIXTURES/openai-chat.jsonl"
ctx-normalize --from openai <"$FIXTURES/openai-chat.jsonl" | cmp - "$FIXTURES/openai-chat.jsonl"
ctx-normalize --check "$FIXTURES/openai-chat.jsonl"
END
}

@test "ctx-normalize: --check accepts what leaves as it came, and nothing else" {
    local file
    for file in "$FIXTURES"/*.jsonl; do
        ctx-normalize "$file" >out 2>err || [[ $? == 65 ]]
        if ctx-normalize --check "$file" >checked 2>err || [[ $? == 65 ]]; then
            cmp "$file" out
        else
            ! cmp -s "$file" out || fail "${file##*/} is refused, but leaves as it came"
        fi
        same "$file: a check writes nothing" /dev/null checked
    done
}

# --- Pairs --------------------------------------------------------------------------------------

@test "ctx-normalize: results go to their calls, in the order of the calls" {
    {
        user u
        raw '{"role":"assistant","content":"","tool_calls":[{"id":"a","function":{"name":"f"}},{"id":"b","function":{"name":"g"}},{"id":"c","function":{"name":"h"}}]}'
        gets c 3
        user wait
        gets a 1
        gets b 2
        says 'done'
    } >in
    makes 'ctx-normalize' 1-2 5-6 3-4 7
}

@test "ctx-normalize: calls told one by one get their results one by one" {
    { wants a:f; wants b:g; gets a 1; gets b 2; } >in
    makes 'ctx-normalize' 1 3 2 4
}

@test "ctx-normalize: a result answers the nearest call with its id; ids come back" {
    { wants a:f; gets a 1; wants a:f; gets a 2; } >in
    accepts
}

@test "ctx-normalize: results of equal ids in one message keep their order" {
    { wants a:f a:g; gets a 1; gets a 2; } >in
    accepts
}

@test "ctx-normalize: a result without a call becomes a marked message, and says all that it said" {
    {
        gets x one
        gets x '[{"type":"text","text":"two"}]' '"is_error":true,"origin":"tool_result"'
        raw '{"role":"tool","tool_call_id":"x","content":[]}'
        raw '{"role":"tool","tool_call_id":"x","content":null,"metadata":null}'
        raw '{"role":"tool","tool_call_id":"x"}'
    } >in
    makes 'ctx-normalize' "$(orphan x one)" \
        '{"role":"user","tool_call_id":"x","content":[{"type":"text","text":"[tool result that answers no call]"},{"type":"text","text":"two"}],"metadata":{"is_error":true,"origin":"injected","is_trace":true}}' \
        '{"role":"user","tool_call_id":"x","content":[{"type":"text","text":"[tool result that answers no call]"}],"metadata":{"origin":"injected","is_trace":true}}' \
        "$(orphan x)" "$(orphan x)"
}

@test "ctx-normalize: one result more than there are calls does not replace the first" {
    { wants a:f b:f; gets a 1; gets a again; gets b 2; } >in
    makes 'ctx-normalize' 1-2 4 "$(orphan a again)"
}

@test "ctx-normalize: a call of an execution that is over gets a result that says that there is none" {
    {
        user u
        raw '{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"f"}},{"id":"b","function":{"name":"g"}}],"metadata":{"execution_id":"e1","session_id":"s","model":"m"}}'
        gets b 2 '"execution_id":"e1"'
        user next
        says 'done'
    } >in
    makes 'ctx-normalize' 1-2 "$(lacks a f '"execution_id":"e1","session_id":"s"')" 3-5
}

@test "ctx-normalize: calls that no result could name are left alone, but not beside one of the same id" {
    {
        raw '{"role":"assistant","tool_calls":[{"id":null,"function":{"name":"f"}},{"function":{"name":"g"}},{"id":5,"function":{"name":"h"}}]}'
        user x
        raw '{"role":"assistant","tool_calls":[{"id":null,"function":{"name":"f"}},{"id":"","function":{"name":"g"}},{"id":5,"function":{"name":"h"}},{"id":"5","function":{"name":"i"}}]}'
        user y
    } >in
    settles 1-3 "$(lacks '' f)" "$(lacks '' g)" \
        '{"role":"tool","tool_call_id":5,"content":"[no result]","metadata":{"tool_name":"h","is_error":true}}' \
        "$(lacks 5 i)" 4
}

@test "ctx-normalize: an answer without calls ends an execution too" {
    { wants a:f; says 'never mind'; } >in
    makes 'ctx-normalize' 1 "$(lacks a f)" 2
}

@test "ctx-normalize: a trailing open group is left open" {
    { user u; wants a:f b:f; gets b 2; } >in
    accepts
    keeps 'ctx-normalize'
}

@test "ctx-normalize: --open-calls closes, keeps or drops a trailing open group" {
    local child='"agent_id":"x","parent_execution_id":"e"'
    { user u; wants a:f; gets a 1; wants b:f c:g; user go "$child"; gets c 2; raw '{"type":"ping"}'; } >in
    keeps 'ctx-normalize --open-calls keep'
    makes 'ctx-normalize --open-calls drop' 1-3 5 7
    settles_with close 1-4 5 "$(lacks b f)" 6 7
    { user u; acts 'I look.' "$(call a f '{}')"; } >in
    makes 'ctx-normalize --to openai' 1-2 "$(gets a '[no result]')"
    makes 'ctx-normalize --to openai --open-calls keep' 1-2
    makes 'ctx-normalize --to openai --open-calls drop' 1
    makes 'ctx-normalize --to anthropic --open-calls drop' 1
    makes "ctx-normalize --to anthropic | jq -c '.content | arrays | last | .is_error'" null true
    makes 'ctx-normalize --check --open-calls close' \
        ">>>2 ctx-normalize: in:2: unanswered-call: call 'a' has no result" '>>>= 1'
}

# settles_with ACTION ITEM...: what --open-calls makes, a second run leaves.
settles_with() {
    makes "ctx-normalize --open-calls $1" "${@:2}" || return
    ctx-normalize --open-calls "$1" expected | cmp expected -
}

@test "ctx-normalize: what another agent says parts no call from its result" {
    local child='"agent_id":"x","parent_execution_id":"e"'
    {
        user u
        wants a:Task
        user go "$child"; wants a:f "$child"; gets a 1 "$child"; says 'done' "$child"
        gets a 'done'
    } >in
    accepts
}

@test "ctx-normalize: a call of a sub-agent that went on is given up in its name" {
    local child='"agent_id":"x","parent_execution_id":"e"'
    {
        user u
        wants a:f "$child"
        says 'done' "$child"
    } >in
    makes 'ctx-normalize' 1-2 "$(lacks a f "$child")" 3
}

# --- Other rules --------------------------------------------------------------------------------

@test "ctx-normalize: of equal messages with one id the first stays; equal text is no repetition" {
    {
        user u '"id":"1"'
        user u '"id":"1"'
        user u '"id":1'
        user u
        user u
        user v '"id":"\u0031"'
        user v '"id":"1","pinned":true'
    } >in
    makes 'ctx-normalize' 2-5 '{"role":"user","content":"v","metadata":{"id":"\u0031-2"}}' 7
}

@test "ctx-normalize: a pinned result that moves before a message with its id takes nothing from it" {
    {
        raw '{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]}'
        says x '"id":"m"'
        gets c r '"id":"m","pinned":true'
        says y '"id":"m"'
    } >in
    settles 1 3 2 '{"role":"assistant","content":"y","metadata":{"id":"m-2"}}'
}

@test "ctx-normalize: messages that say nothing go, others do not" {
    {
        user ' \n\u00a0'
        raw '{"role":"assistant","content":[{"type":"text","text":""}],"name":"x"}'
        raw '{"role":"assistant","content":null,"refusal":null,"annotations":[]}'
        raw '{"role":"assistant"}'
        raw '{"role":"assistant","content":null,"refusal":"no"}'
        says '[{"type":"thinking","thinking":"t"}]'
        raw '{"role":"assistant","content":"","reasoning_content":"r"}'
        user '[{"type":"image","source":{}}]'
        raw '{"role":"user","content":5}'
        user '' '"pinned":true'
        user '' '"kind":"summary"'
    } >in
    makes 'ctx-normalize' 5-11
}

@test "ctx-normalize: other formats' words for roles become ours, unknown ones stay" {
    {
        message human 1
        raw $'{ "role" : "ai", "content":"2" }\r'
        message model 3
        message captain 4
        wants a:f
        raw '{"role":"function","tool_call_id":"a","content":"5"}'
    } >in
    makes 'ctx-normalize --from ctx' '1: role -> user' '2: role -> assistant' '3: role -> assistant' 4-5 '6: role -> tool'
}

@test "ctx-normalize: a group that a bad line may belong to is left alone" {
    {
        user u
        wants a:f b:f
        gets b 2
        raw '{"role":"tool",'
        gets x 'whose?'
        says 'done'
        user v
        gets y 'whose?'
    } >in
    makes 'ctx-normalize' 1-7 "$(orphan y 'whose?')" '>>>2 ctx-normalize: in:4: unexpected end, at byte 16' \
        '>>>= 65'
}

@test "ctx-normalize: records that are no messages part nothing, and wait with what they stand behind" {
    {
        context s
        wants a:f b:f
        raw '{"type":"ping"}'
        gets b 2
        raw '5'
        gets a 1
        raw '[1]'
    } >in
    makes 'ctx-normalize' 1-3 6 4-5 7
}

@test "ctx-normalize: only an equal record repeats an id; another message gets an id of its own" {
    { user a '"id":"m"'; says b '"id":"m"'; says b '"id":"m"'; user a '"id":"m"'; says c '"id":"m-2"'; user d '"id":"m"'; user e '"id":7'; user f '"id":7'; } >in
    ctx-normalize in >out
    same 'what stays' <(printf '%s\n' '["a","m"]' '["b","m-2"]' '["c","m-2-2"]' '["d","m-3"]' '["e",7]' '["f","7-2"]') <(jq -c '[.content, .metadata.id]' out)
    ctx-normalize --check out
    ctx-normalize out | cmp - out
    [[ $(ctx-normalize --check in 2>&1 | grep -c 'repeated-id') == 6 ]]
}

@test "ctx-normalize: --report counts what was mended" {
    spec <<'END'
ctx-normalize --report report "$FIXTURES/ctx-unrepaired.jsonl" >out
jq -c .found report
rm out report
>>> {"orphan-result":1,"second-result":1,"result-order":1,"unanswered-call":1,"repeated-id":1,"empty-message":1}
END
}

# --- The check ----------------------------------------------------------------------------------

@test "ctx-normalize: --check names each violation by its code, writes nothing, and ends with 1" {
    {
        gets x 1
        raw '{"role":"human","content":"u"}'
        wants a:f b:f
        gets b 2
        gets a 1
        gets a 1
        raw '{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f"}},{"id":"d","function":{"name":"f"}},{"id":5},{}],"metadata":{"id":7}}'
        user ''
        user v '"id":7'
        user w
        gets c 3
    } >in
    makes 'ctx-normalize --check' ">>>2 ctx-normalize: in:1: orphan-result: result 'x' answers no call" \
        ">>>2 ctx-normalize: in:2: role-alias: role 'human' is a word of another format" \
        ">>>2 ctx-normalize: in:5: result-order: result 'a' comes after the result of a later call" \
        ">>>2 ctx-normalize: in:6: second-result: call 'a' has its result already" \
        ">>>2 ctx-normalize: in:8: empty-message: message of 'user' is empty" \
        ">>>2 ctx-normalize: in:9: repeated-id: id '7' is the id of an earlier message" \
        ">>>2 ctx-normalize: in:11: late-result: result 'c' does not directly follow its call" \
        ">>>2 ctx-normalize: in:7: unanswered-call: call 'd' has no result" '>>>= 1'
    # Of a long id as much as tells it.
    gets "$(repeat 150 i)" 1 >in
    makes 'ctx-normalize --check' ">>>2 ctx-normalize: in:1: orphan-result: result '$(repeat 100 i)' answers no call" '>>>= 1'
}

@test "ctx-normalize: a message whose content stands in its metadata is no empty one, and stays" {
    {
        raw '{"role":"user","metadata":{"content":"x"}}'
        raw '{"role":"assistant","_metadata":{"content":"x"}}'
        raw '{"role":"user","content":"","metadata":{"a":1},"_metadata":{"refusal":"x"}}'
        raw '{"role":"assistant","content":null,"metadata":{"reasoning_content":"x"}}'
    } >in
    keeps 'ctx-normalize'
    makes 'ctx-normalize --check'
    {
        raw '{"role":"user","metadata":{"content":" "}}'
        raw '{"role":"assistant","_metadata":{"tool_calls":[]}}'
        raw '{"role":"user","metadata":{"execution_id":"e"}}'
        raw '{"role":"assistant","metadata":"content"}'
    } >in
    makes 'ctx-normalize'
}

@test "ctx-normalize: --check says once that the input is another dialect" {
    spec <<'END'
ctx-normalize --check "$FIXTURES/claude-code-sidechain.jsonl" 2>&1 | sed "s|$FIXTURES/||"
>>> ctx-normalize: claude-code-sidechain.jsonl:1: other-dialect: looks like claude-code, not ctx; with --from claude-code it is checked as such
>>>= 1
END
}

@test "ctx-normalize: --check with bad lines only ends with 65" {
    { user u; raw '{'; } >in
    makes 'ctx-normalize --check' '>>>2 ctx-normalize: in:2: unexpected end, at byte 2' '>>>= 65'
}

# refused TO CODES LINE...: the check names these codes of the file of the lines, and no other.
refused() {
    raw "${@:3}" >in
    status_of $((${#2} > 0)) ctx-normalize --check --to "$1" in >out 2>err
    same "codes of $*" <(printf '%s' "${2:+${2// /$'\n'}$'\n'}" | sort) <(sed 's/^[^:]*: in:[0-9]*: \([^:]*\):.*/\1/' err | sort)
    same 'output' /dev/null out
    rm out err
}

@test "ctx-normalize: --check --to openai names what this API refuses, by its code" {
    local u='{"role":"user","content":"u"}' call='{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}'
    local a="{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[$call]}" t='{"role":"tool","tool_call_id":"c","content":"r"}'
    refused openai '' "$u" "$a" "$t" '{"role":"system","content":"s"}' '{"role":"assistant","content":"x"}'
    refused openai unknown-role '{"role":"human","content":"u"}'
    refused openai unknown-member "${u%\}},\"metadata\":{}}"
    # Of two that the message has, the first.
    raw '{"role":"user","two":2,"content":"u","one":1}' >in
    makes 'ctx-normalize --check --to openai' ">>>2 ctx-normalize: in:1: unknown-member: member 'two' is not known to the API" '>>>= 1'
    refused openai bad-content '{"role":"user","content":null}'
    refused openai bad-part '{"role":"assistant","content":[{"type":"image_url","image_url":{"url":"x"}}]}'
    refused openai bad-call '{"role":"assistant","content":"x","tool_calls":[]}'
    refused openai bad-name "${a/\"name\":\"f\"/\"name\":\"f.g\"}" "$t"
    refused openai 'bad-id bad-id' "${a/\"c\"/\"\"}" "${t/\"c\"/\"\"}"
    refused openai repeated-call-id "${a/$call/$call,$call}" "$t"
    refused openai orphan-result "$u" "$t"
    refused openai second-result "$a" "$t" "$t"
    refused openai 'late-result unanswered-call' "$a" "$u" "$t"
    refused openai unanswered-call "$u" "$a"
    refused openai no-message '{"type":"context","system_prompt":"s"}' "$u"
    refused openai 'no-model unknown-member bad-tool bad-format' \
        "{\"messages\":[$u],\"system\":\"s\",\"tools\":[{\"name\":\"f\"}],\"response_format\":{\"type\":\"json_schema\",\"schema\":{}}}"
    refused openai no-messages '{"model":"m","messages":[]}'
    refused openai '' "{\"model\":\"m\",\"messages\":[$u],\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\"}}]}" "[$a,$t]"
}

@test "ctx-normalize: --check --to anthropic names what this API refuses, order of roles included" {
    local u='{"role":"user","content":"u"}' s='{"role":"system","content":"s"}' x='{"role":"assistant","content":"x"}'
    local a='{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":{}}]}'
    local t='{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"r"},{"type":"text","text":"t"}]}'
    refused anthropic '' "$s" "$u" "$a" "$t" "$x"
    refused anthropic system-in-midst "$u" "$s" "$x"
    refused anthropic assistant-first "$x"
    refused anthropic same-role "$u" "$u"
    refused anthropic 'late-result unanswered-call' "$u" "$a" "$u" "$x" "$t"
    refused anthropic late-result "$u" "$a" '{"role":"user","content":[{"type":"text","text":"t"},{"type":"tool_result","tool_use_id":"c"}]}'
    refused anthropic orphan-result "$t"
    refused anthropic 'repeated-call-id' "$u" "$a" "$t" "$a" "$t"
    refused anthropic trailing-blanks "$u" '{"role":"assistant","content":"x\n"}'
    refused anthropic 'bad-content unknown-member' '{"role":"user","content":" ","name":"n"}'
    refused anthropic 'bad-part' "$u" '{"role":"assistant","content":[{"type":"thinking","thinking":"t"}]}'
    refused anthropic 'bad-id bad-id bad-name' "$u" "${a/\"c\",\"name\":\"f\"/\"c:c\",\"name\":\"f.f\"}" \
        '{"role":"user","content":[{"type":"tool_result","tool_use_id":"c:c"}]}'
    refused anthropic unknown-role '{"role":"tool","content":"r"}'
    refused anthropic 'no-max-tokens bad-content' "{\"model\":\"m\",\"system\":\" \",\"messages\":[$u]}"
    refused anthropic second-result "$u" "$a" "${t/,\{\"type\":\"text\"/,\{\"type\":\"tool_result\",\"tool_use_id\":\"c\"\},\{\"type\":\"text\"}"
    refused anthropic unanswered-call "$u" "$a"
    refused anthropic bad-part "$u" '{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f"}]}' "$t"
    refused anthropic no-message '{"type":"context","system_prompt":"s"}' "$u"
    refused anthropic 'no-model bad-tool bad-format' \
        "{\"max_tokens\":9,\"messages\":[$u],\"tools\":[{\"name\":\"f\"}],\"output_config\":{\"format\":{\"type\":\"json\"}}}"
    refused anthropic no-messages '{"model":"m","max_tokens":9,"messages":[]}'
    raw "$u" "$s" "$x" >in
    makes 'ctx-normalize --check --to anthropic --system keep'
    makes 'ctx-normalize --check --to openai --system lift' \
        ">>>2 ctx-normalize: in:2: system-in-midst: message of 'system' comes after a message of another role" '>>>= 1'
    makes 'ctx-normalize --check --to anthropic --report report 2>err' '>>>= 1' '>>>+ report' '>>>+ err'
    same 'report' <(echo '{"system-in-midst":1}') <(jq -c .found report)
}

@test "ctx-normalize: half of a character is named for an API, and in the output of a log alone it stays" {
    local to u='{"role":"user","content":"a\ud83d b\ud83d\ude00\\\\ud83d"}' m='{"role":"user","content":[{"type":"text","text":"\uDE00"}]}'
    for to in openai anthropic; do
        refused "$to" lone-surrogate "$u"
        refused "$to" lone-surrogate "[$m]"
    done
    refused openai lone-surrogate "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"u\"}],\"user\":\"\ud800\"}"
    refused openai '' '{"role":"user","content":"\ud83d\ude00 \ufffd"}'
    raw "$u" >in
    makes 'ctx-normalize --check --to openai' \
        ">>>2 ctx-normalize: in:1: lone-surrogate: escape '\\ud83d' is half of a character, which the API refuses" '>>>= 1'
    makes 'ctx-normalize' 1
    makes 'ctx-normalize --check'
    makes 'ctx-normalize --to openai' '{"role":"user","content":"a\ufffd b\ud83d\ude00\\\\ud83d"}'
    makes 'ctx-normalize --to gemini --array' '[{"role":"user","parts":[{"text":"a\ufffd b\ud83d\ude00\\\\ud83d"}]}]'
    for to in openai anthropic responses gemini ai-sdk sharegpt claude-code codex pi gemini-cli opencode instructor; do
        ctx-normalize --to "$to" in >out
        grep -q 'a.ufffd b' out || fail "$to: $(<out)"
        ! grep -v 'ud83d.ude00' out | grep 'ud83d' || fail "$to: $(<out)"
    done
    rm out
    { user u; raw '{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{\"a\":\"\\ud83d\"}"}}]}'; raw '{"role":"tool","tool_call_id":"c","content":"\udc00"}'; } >in
    for to in openai anthropic responses gemini; do
        same "$to" /dev/null <(ctx-normalize --to "$to" in | ctx-normalize --check --to "$to" 2>&1)
    done
}

@test "ctx-normalize: --check says no to a record over several lines, and to another dialect" {
    { user u; says a; } >lines
    jq . lines >in
    makes 'ctx-normalize --check' '>>>2 ctx-normalize: in:1: several-lines: a record over several lines' '>>>= 1'
    makes 'ctx-normalize --check --from openai'
    rm lines
    { raw '{"messages":[{"role":"user","content":"u"}]}'; } >in
    makes 'ctx-normalize --check' '>>>2 ctx-normalize: in:1: other-dialect: looks like openai, not ctx; with --from openai it is checked as such' '>>>= 1'
    makes 'ctx-normalize --check --from openai'
    makes 'ctx-normalize --check --from anthropic'
}

@test "ctx-normalize: --check --from asks whether the file is sound as such" {
    cat "$FIXTURES/claude-code-parallel.jsonl" >in
    makes 'ctx-normalize --check --from claude-code'
    { cat in; raw '{"type":"assistant","uuid":"x1","parentUuid":"00000000-0000-4000-8000-0000000a0009","message":{"id":"x","role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{}}]}}'
        raw '{"type":"user","uuid":"x2","parentUuid":"x1","message":{"role":"user","content":"next"}}'; } >longer
    mv longer in
    makes "ctx-normalize --check --from claude-code 2>&1 | sed 's/in:[0-9]*/in/'" \
        "ctx-normalize: in: unanswered-call: call 't' has no result" '>>>= 1'
    { user u; says a; } >in
    makes 'ctx-normalize --check --from claude-code' '>>>2 ctx-normalize: other-dialect: no record of claude-code' '>>>= 1'
    refuses 'ctx-normalize --check --to openai --array' '--array cannot be combined with --check'
}

@test "ctx-normalize: --system goes with the messages of an API" {
    refuses 'ctx-normalize --system lift' "--system requires an API: --to=openai, anthropic, responses or gemini"
}

# --- Records over several lines -----------------------------------------------------------------

@test "ctx-normalize: records over several lines are read one after another, from a pipe too" {
    { user u; raw '{"role":"assistant","content":[{"type":"text","text":"a\u0020\"{[,"}],"x":[1.50,{},[],null]}' '[1]'; } >lines
    jq . lines >in
    sed 's/^/ /' in >indented
    local command
    for command in 'ctx-normalize in' 'ctx-normalize <in' 'ctx-normalize indented' 'ctx-normalize --from ctx in' \
        "jq . lines | sed 's/^}$/} /' | ctx-normalize" 'ctx-normalize in - <in | head -n 3'; do
        same "$command" <(jq -c . lines) <(bash -c "$command" | jq -c .)
    done
    # Byte by byte.
    (while IFS= read -r -n 1 byte; do printf '%s' "${byte:-$'\n'}"; done <in) | ctx-normalize >slow
    same 'slow' <(ctx-normalize in) slow
    # A record comes out with its last line.
    mkfifo pipe
    ctx-normalize <pipe >out 3>&- &
    exec 9>pipe
    head -n 4 in >&9
    wait_for_lines 1
    exec 9>&-
    wait
    rm lines in indented slow pipe out
}

@test "ctx-normalize: a torn line swallows nothing, a torn value only itself" {
    { raw '{"role":"user",'; user u; says a; } >in
    makes 'ctx-normalize' 1-3 '>>>2 ctx-normalize: in:1: unexpected end, at byte 16' '>>>= 65'
    { raw '{' ' "role":"user",' ' "content":"u"' '}' '{' ' "role":"user",' '{' ' "role":"user", "content":"v"' '}'; user w; raw '{'; } >in
    makes 'ctx-normalize' '{"role":"user","content":"u"}' 5-6 '{"role":"user", "content":"v"}' 10-11 \
        '>>>2 ctx-normalize: in:5: unexpected end, at byte 2' \
        '>>>2 ctx-normalize: in:6: bytes after the value, at byte 8' \
        '>>>2 ctx-normalize: in:11: unexpected end, at byte 2' '>>>= 65'
    { user u; raw '{' '"role":"user"}'; } >in
    makes 'ctx-normalize' 1-3 '>>>2 ctx-normalize: in:2: unexpected end, at byte 2' \
        '>>>2 ctx-normalize: in:3: bytes after the value, at byte 7' '>>>= 65'
}

# --- Live pipes ---------------------------------------------------------------------------------

@test "ctx-normalize: a message leaves as soon as its fate is known" {
    mkfifo in
    ctx-normalize <in >out 3>&- &
    exec 9>in
    { user u; wants a:f; } >&9
    wait_for_lines 2
    user wait >&9
    gets a 1 >&9
    wait_for_lines 4
    exec 9>&-
    wait
    same 'roles' <(printf '%s\n' user assistant tool user) <(jq -r .role out)
}

wait_for_lines() {
    local i
    for ((i = 0; i < 200; i++)); do
        (($(wc -l <out) == $1)) && return
        sleep 0.02
    done
    fail "no line $1 within four seconds"
}

@test "ctx-normalize: a call before an error message is open, and all commands say so" {
    {
        user Look.
        calls c1 read '{}'
        says overloaded '"origin":"error"'
    } >in
    local command
    accepts
    for command in ctx-normalize 'ctx-isolate --execution none' ctx-project; do
        keeps "$command"
    done
    same 'budget' <(echo '[]') <(ctx-budget --json --when 'unresolved>0' in | jq -c .reasons)
    same 'plan' <(echo '"open"') <(ctx-compact --force --plan in | jq -c 'select(.line == 2).reason')
    # With the next request the execution is over: the call is given up, and the error stands for it.
    user Again. >>in
    ctx-normalize in >normal
    same 'normalized' <(sed -n 3p in) <(sed -n 4p normal)
    local file
    for file in in normal; do
        same "budget of $file" <(echo '["when"]') <(ctx-budget --json --when 'unresolved>0' "$file" | jq -c .reasons)
        same "view of $file" <(sed 2d in) <(ctx-project --view conversation "$file")
    done
    rm normal
}

# random_late FILES: streams in which results come late, or not at all, or answer nothing.
random_late() {
    awk -v count="$1" '
        function pick(list,    n, a) { n = split(list, a, "|"); return a[1 + int(rand() * n)] }
        function line() {
            what = pick("user|says|says|calls|calls|both|gets|gets|gets|gets|error")
            if (what == "user") return "{\"role\":\"user\",\"content\":\"u" n "\"}"
            if (what == "says") return "{\"role\":\"assistant\",\"content\":\"a" n "\"}"
            if (what == "error") return "{\"role\":\"assistant\",\"content\":\"e\",\"metadata\":{\"origin\":\"error\"}}"
            if (what == "gets") return "{\"role\":\"tool\",\"tool_call_id\":\"" pick("c1|c2|c3|c9") "\",\"content\":\"r\"}"
            return "{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"" pick("c1|c2") "\"}" \
                (what == "both" ? ",{\"id\":\"c3\"}" : "") "]}"
        }
        BEGIN {
            srand(11)
            for (i = 1; i <= count; i++)
                for (n = 1 + int(rand() * 14); n > 0; n--) print line() >("random." i)
        }'
}

# bats test_tags=slow
@test "ctx-normalize: twice is once for random streams with results out of their place" {
    local file moved=0
    random_late 300
    for file in random.*; do
        ctx-normalize "$file" >once
        ctx-normalize once >twice
        cmp -s once twice || fail "$file: $(diff once twice)"
        cmp -s "$file" once || moved=$((moved + 1))
    done
    ((moved > 100))
    rm random.* once twice
}

# --- Input that is not trusted ------------------------------------------------------------------

@test "ctx-normalize: --untrusted strips what the input says of itself, and nothing else" {
    spec <<'END'
ctx-normalize --untrusted --report report; jq -c .stripped report; rm report
<<< {"type":"context","system_prompt":"obey"}
<<<$ { "role" : "user" , "content":"a\\u0020b" , "x":1.50 }\r
<<< {"role":"user","content":"1","metadata":{"pinned":true,"kind":"summary"}}
<<< {"role":"user","metadata":{"id":"m"},"content":"2","_metadata":{"pinned":true}}
<<< {"_metadata":"note","role":"user","content":"3"}
<<< {"role":"assistant","content":"4","_metadata":{"tool_calls":[{"id":"a","name":"f"}]}}
<<< {"role":"assistant","content":null,"metadata":{"pinned":true}}
<<< {"type":"budget","context_window":1}
<<< {"type":"ping","metadata":{"x":1}}
>>>$ { "role" : "user" , "content":"a\\u0020b" , "x":1.50 }\r
>>> {"role":"user","content":"1"}
>>> {"role":"user","content":"2"}
>>> {"role":"user","content":"3"}
>>> {"role":"assistant","content":"4","tool_calls":[{"id":"a","name":"f"}]}
>>> {"type":"ping","metadata":{"x":1}}
>>> {"metadata":5,"contexts":1,"budgets":1,"agents":0}
END
}

@test "ctx-normalize: --untrusted acts before the repair: no id of a stranger hides a message" {
    spec <<'END'
ctx-normalize --untrusted --check
<<< {"role":"user","content":"1","metadata":{"id":"m"}}
<<< {"role":"user","content":"2","metadata":{"id":"m"}}
<<< {"role":"assistant","content":"3","metadata":{"parent_execution_id":"e"}}
END
}

@test "ctx-normalize: --untrusted from and to other dialects" {
    spec <<'END'
ctx-normalize --untrusted
<<< {"messages":[{"role":"user","content":"1","metadata":{"pinned":true}},{"type":"budget"},{"role":"user","content":"2"}]}
<<< {"type":"message","role":"assistant","id":"m","model":"c","content":"3","usage":{"output_tokens":1},"metadata":{"pinned":true}}
<<< {"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}],"metadata":{"is_trace":false}}
<<< {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"no","is_error":true}],"_metadata":{"resolved":true}}
>>> {"role":"user","content":"1"}
>>> {"role":"user","content":"2"}
>>> {"role":"assistant","content":"3"}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}
>>> {"role":"tool","tool_call_id":"a","content":"no","metadata":{"is_error":true}}
END
    spec <<'END'
ctx-normalize --untrusted --report report; jq -c .stripped report; rm report
<<< {"type":"user","uuid":"1","sessionId":"s","timestamp":"t","message":{"role":"user","content":"<command-name>x"}}
<<< {"type":"user","uuid":"3","isCompactSummary":true,"message":{"role":"user","content":"so far"}}
<<< {"type":"user","uuid":"2","isSidechain":true,"agentId":"b","sessionId":"s","message":{"role":"user","content":"aside"}}
<<< {"type":"assistant","uuid":"2a","isSidechain":true,"agentId":"b","sessionId":"s","message":{"id":"n","role":"assistant","content":[{"type":"text","text":"b"}]}}
<<< {"type":"assistant","uuid":"2b","isSidechain":true,"agentId":"b","sessionId":"s","message":{"id":"n","role":"assistant","content":[{"type":"text","text":"c"}]}}
<<< {"type":"assistant","uuid":"4","isApiErrorMessage":true,"message":{"id":"m","role":"assistant","model":"c","content":[{"type":"text","text":"a"}],"usage":{"output_tokens":9}}}
>>> {"role":"user","content":"so far"}
>>> {"role":"assistant","content":"a"}
>>> {"metadata":0,"contexts":0,"budgets":0,"agents":2}
END
    local to
    for to in openai anthropic; do
        ctx-normalize --untrusted --to "$to" >out <<'END'
{"type":"context","system_prompt":"obey"}
{"role":"user","content":"1","metadata":{"parent_execution_id":"e"}}
END
        same "$to" - out <<<'{"role":"user","content":"1"}'
    done
}

# What the input says of itself in a place that a reader knows, and no other command: an answer of an API
# whose message has metadata, marks of passes of ctx-compact, and so on.
@test "ctx-normalize: --untrusted: nothing that a reader emits has metadata, wherever the input has it" {
    spec <<'END'
ctx-normalize --untrusted --report report; jq -c .stripped report; rm report
<<< {"id":"c","object":"chat.completion","model":"m","choices":[{"message":{"role":"assistant","content":"1","metadata":{"pinned":true},"_metadata":{"id":"m"}}}]}
<<< [{"role":"user","content":"2","metadata":{"pass":"0123456789ab"}},{"type":"context","system_prompt":"obey"}]
<<< {"conversations":[{"from":"human","value":"3","metadata":{"forgets":"m"}}]}
<<< {"role":"assistant","content":[{"type":"tool_use","id":"b","name":"f","input":{}}]}
<<< {"role":"tool","tool_call_id":"b","content":"4","metadata":{"is_error":true,"pass":"0123456789ab"}}
<<< {"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"5","is_error":true}],"metadata":{"is_error":false,"parent_execution_id":"e"}}]}
<<< {"messages":[{"role":"user","content":"6"}]}
>>> {"role":"assistant","content":"1"}
>>> {"role":"user","content":"2"}
>>> {"role":"user","content":"3"}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"b","type":"function","function":{"name":"f","arguments":"{}"}}]}
>>> {"role":"tool","tool_call_id":"b","content":"4"}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}
>>> {"role":"tool","tool_call_id":"a","content":"5","metadata":{"is_error":true}}
>>> {"role":"user","content":"6"}
>>> {"metadata":5,"contexts":1,"budgets":0,"agents":0}
END
    local file
    while IFS= read -r file; do
        ctx-normalize --untrusted "$file" >out 2>/dev/null || true
        ctx-normalize --untrusted --from claude-code "$file" >>out 2>/dev/null || true
        # The repair writes metadata behind that, of results that it makes.
        jq -c 'select(type == "object") | select((.role | type) == "string" or .type == "context" or .type == "budget")
            | if (.role | type) == "string" then .metadata, ._metadata else . end | select(. != null)
            | select((keys - ["is_error", "is_trace", "origin", "tool_name"]) != [])' out >said 2>/dev/null || true
        [[ ! -s said ]] || fail "$file: $(head -n 2 said)"
    done < <(find "$FIXTURES" -type f)
    rm out said
}

@test "ctx-normalize: --check: a result of a call of an earlier group that has one is an orphan, not a second" {
    {
        user u
        wants a:f; gets a 1
        wants b:f; gets b 2
        gets a 3
        gets b 4
    } >in
    makes 'ctx-normalize --check' ">>>2 ctx-normalize: in:6: orphan-result: result 'a' answers no call" \
        ">>>2 ctx-normalize: in:7: second-result: call 'b' has its result already" '>>>= 1'
}

@test "ctx-normalize: --to: a text that is spelled value stays, and so does a content that is an object" {
    {
        raw '{"role":"user","content":[{"type":"text","value":"a\nb"}]}'
        raw '{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}'
        raw '{"role":"tool","tool_call_id":"c","content":{"out":"x\ty"}}'
        raw '{"role":"assistant","content":{"say":"z"}}'
    } >in
    local call='{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}'
    ctx-normalize --to openai in >openai
    same openai - openai <<END
{"role":"user","content":[{"type":"text","text":"a\nb"}]}
{"role":"assistant","content":null,"tool_calls":[$call]}
{"role":"tool","tool_call_id":"c","content":"{\"out\":\"x\\\\ty\"}"}
{"role":"assistant","content":"{\"say\":\"z\"}"}
END
    ctx-normalize --to anthropic in >anthropic
    jq -c '.content | if type == "array" then .[] | .text // .content // .name else . end' anthropic >got
    same anthropic - got <<'END'
"a\nb"
"f"
"{\"out\":\"x\\ty\"}"
"{\"say\":\"z\"}"
END
    local to
    for to in openai anthropic; do
        ctx-normalize --from $to --to $to $to >again
        same "$to again" $to again
    done
}

@test "ctx-normalize: a message that forgets others stays, whatever its text is" {
    local content
    for content in '""' null '[]'; do
        {
            user One. '"id":"m1"'
            printf '{"role":"user","content":%s,"metadata":{"forgets":"m1"}}\n' "$content"
            user Two.
        } >in
        ctx-normalize in | same "$content" in -
    done
}

@test "ctx-normalize: bad-tombstone: a metadata.forgets that is no id and no list of ids" {
    local is=$'is neither an id nor a list of ids'
    {
        user One. '"forgets":"m1"'; user Two. '"forgets":["m1","m2"]'; user Three. '"forgets":[]'; user Four. '"forgets":null'
        user Five. '"forgets":7'; user Six. '"forgets":["m\u0031",7,"m2",null]'; user Seven. '"forgets":{"a":"b"},"critical":1'
        user Eight. '"forgets":true,"pinned":true'
    } >in
    makes 'ctx-normalize' 1-4 '5: forgets=[]' '{"role":"user","content":"Six.","metadata":{"forgets":["m\u0031","m2"]}}' '{"role":"user","content":"Seven.","metadata":{"forgets":[],"critical":false}}' 8
    ctx-normalize in | ctx-normalize --check
    status_of 1 ctx-normalize --check in 2>said
    same 'said' <(printf 'ctx-normalize: in:%s\n' "5: bad-tombstone: metadata.forgets '7' $is" \
        "6: bad-tombstone: metadata.forgets '[\"m\\u0031\",7,\"m2\",null]' $is" "7: bad-flag: metadata.critical '1' is neither true nor false" \
        "7: bad-tombstone: metadata.forgets '{\"a\":\"b\"}' $is") said
}

@test "ctx-normalize: bad-flag: a metadata.critical that is no boolean becomes false" {
    { user One. '"critical":true'; user Two. '"critical":"yes"'; says Three. '"pinned":true,"critical":1'; } >in
    makes 'ctx-normalize' 1 '2: critical=false' 3
    spec <<'END2'
ctx-normalize --check in
>>>2 ctx-normalize: in:2: bad-flag: metadata.critical 'yes' is neither true nor false
>>>= 1
END2
}

@test "ctx-normalize: --check against an API names ten faults, and says how many more there are" {
    for n in {1..12}; do raw '{"role":"user","content":"a","x":1}'; done >in
    ctx-normalize --check --to openai in 2>err || [[ $? == 1 ]]
    same 'what is said' err <(
        for n in {1..10}; do echo "ctx-normalize: in:$n: unknown-member: member 'x' is not known to the API"; done
        echo 'ctx-normalize: and 2 more'
    )
    ctx-normalize --check --to openai --verbose in 2>err || [[ $? == 1 ]]
    [[ $(grep -c unknown-member err) == 12 ]] || fail "$(<err)"
    head -n 10 in | ctx-normalize --check --to openai 2>err || [[ $? == 1 ]]
    ! grep more err || fail 'ten are named'
    rm err
}

@test "ctx-normalize: a part that is no text says something, and does not go as an empty message" {
    printf '{"role":"user","content":%s}\n' '[7]' '[true]' '[[1]]' '{"a":1}' 7 >in
    makes 'ctx-normalize' 1-5
    makes 'ctx-normalize --check'
    printf '{"role":"user","content":%s}\n' '[]' '[null]' '[[]]' '[""]' null >in
    makes 'ctx-normalize'
}

# --- --check=sarif -----------------------------------------------------------------------------------

# sarif STATUS ARGS...: the results of the log of SARIF, which has the members that 2.1.0 requires, a line each.
sarif() {
    local status=$1
    shift
    status_of "$status" ctx-normalize --check=sarif "$@" >log.sarif 2>err
    jq -e '.version == "2.1.0" and (.["$schema"] | type == "string") and (.runs | length == 1) and
        (.runs[0].tool.driver | .name == "ctx-normalize" and (.version | type == "string")) and
        ([.runs[0].tool.driver.rules[] | .id] | length == (unique | length)) and
        all(.runs[0].tool.driver.rules[];
            (.shortDescription.text | endswith(".")) and (.help.text | endswith("See ctx-lint(7).")) and
            .helpUri == "man:ctx-lint(7)" and (.defaultConfiguration.level == "error" or .defaultConfiguration.level == "warning")) and
        (.runs[0] as $run | all($run.results[]; . as $result |
            $run.tool.driver.rules[.ruleIndex].id == .ruleId and
            $run.tool.driver.rules[.ruleIndex].defaultConfiguration.level == .level and
            (.message.text | type == "string" and length > 0) and
            all(.locations // [] | .[].physicalLocation; (.artifactLocation.uri | test("^[A-Za-z0-9._~/%:-]+$")) and
                (.region == null or .region.startLine >= 1))))' log.sarif >/dev/null || fail "$(<log.sarif)"
    jq -r '.runs[0].results[] | [.level, .ruleId, (.locations // [{}] | .[0].physicalLocation | .artifactLocation.uri, .region.startLine),
        .message.text] | map(. // "-" | tostring) | join(" ")' log.sarif
}

@test "ctx-normalize --check=sarif: every finding, with its level, rule, file and line" {
    { cat "$FIXTURES/ctx-unrepaired.jsonl"; raw '{bad' '{"role":"user","say":"x"}'; } >in
    sarif 1 in >out
    same 'results' out - <<'END'
error orphan-result in 1 result 'c9' answers no call
error second-result in 5 call 'c1' has its result already
error empty-message in 8 message of 'assistant' is empty
warning result-order in 11 result 'c3' comes after the result of a later call
warning repeated-id in 13 id 'm1' is the id of an earlier message
error bad-line in 16 expected a member name, at byte 2
error unknown-shape in 17 a role without content; looks like no known format
error unanswered-call in 3 call 'c2' has no result
END
    # What is said on standard error stays.
    same 'diagnostics' err <(ctx-normalize --check in 2>&1 || :)
}

@test "ctx-normalize --check=sarif: a log without a finding has no results, and the status is 0" {
    { user One.; says Two.; } >in
    same 'results' /dev/null <(sarif 0 in)
    same 'results of nothing' /dev/null <(sarif 0 </dev/null)
}

@test "ctx-normalize --check=sarif: of an API and of an agent all are there, not ten" {
    for n in {1..12}; do raw '{"role":"user","content":"a","x":1}'; done >in
    [[ $(sarif 1 --to openai in | grep -c 'error unknown-member in') == 12 ]] || fail "$(<log.sarif)"
    for n in {1..12}; do raw '{"role":"user","say":"x"}'; done >in
    [[ $(sarif 65 in | grep -c 'error unknown-shape in') == 12 ]] || fail "$(<log.sarif)"
    sed 1d "$FIXTURES/pi-session.jsonl" >in
    same 'agent' <(sarif 1 --from pi in) - <<'END'
error unreached in 2 the agent loads '0 of 5' messages
error no-header in 1 header 'session' is missing
END
}

@test "ctx-normalize --check=sarif: of standard input, other formats, several lines and no record at all" {
    same 'other' <(sarif 1 <"$FIXTURES/pi-session.jsonl") <(echo 'warning other-dialect - 1 looks like pi, not ctx; with --from pi it is checked as such')
    same 'lines' <(raw '{"role":"user",' '"content":"a"}' | sarif 1) <(echo 'warning several-lines - 1 a record over several lines')
    user Hi. >in
    same 'none' <(sarif 1 --from pi in) <(echo 'warning other-dialect - - no record of pi')
}

@test "ctx-normalize --check=sarif: hostile names and ids are a URI and text without placeholders and links" {
    local name=$'a b#?%\xff:[1].jsonl'
    raw '{"role":"tool","tool_call_id":"{0}[x](http://y)\u0007\"","content":"a"}' >"$name"
    same 'hostile' <(sarif 1 "$name") \
        <(printf '%s\n' "error orphan-result a%20b%23%3F%25%FF%3A%5B1%5D.jsonl 1 result '{{0}}\\[x](http://y)\\u0007\\\"' answers no call")
    cp "$name" in
    same 'absolute' <(sarif 1 "$PWD/in" | cut -d ' ' -f 3) <(echo "file://$PWD/in")
}

@test "ctx-normalize --check: its FORMAT is sarif" {
    spec <<'END'
ctx-normalize --check=json
>>>2 ctx-normalize: bad value 'json' of --check, expected one of sarif; try 'ctx-normalize --help'
>>>= 64
END
}
