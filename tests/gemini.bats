#!/usr/bin/env bats
#
# ctx-normalize --from gemini and --to gemini: contents, requests and answers of the Gemini API.

load helper
load dialogue

# content ROLE PART...: a content.
content() { printf '{"role":"%s","parts":[%s]}\n' "$1" "$(IFS=,; echo "${*:2}")"; }
text() { printf '{"text":"%s"}' "$1"; }
used() { printf '{"functionCall":{%s"name":"%s","args":{}}}' "${2:+\"id\":\"$2\",}" "$1"; }
answered() { printf '{"functionResponse":{%s"name":"%s","response":{"%s":"%s"}}}' "${4:+\"id\":\"$4\",}" "$1" "$2" "$3"; }
answer() { printf '{"candidates":[{"content":{"parts":[%s],"role":"model"}%s}],"usageMetadata":{"promptTokenCount":%s},"modelVersion":"m"}\n' "$1" "${3:+,\"finishReason\":\"$3\"}" "$2"; }
contents() {
    content user "$(text a)"
    content model '{"text":"t","thought":true,"thoughtSignature":"T"}' "$(text s)" "$(used f 1)" "$(used g 2)"
    content user "$(answered f output x 1)" "$(answered g error y 2)" "$(text b)"
    content model "$(text c)"
}

@test "gemini: contents on lines and in an array, and a request are the same messages" {
    contents >in
    local messages=("$(user a)"
        "$(acts '[{"type":"thinking","thinking":"t","x_gemini":{"thoughtSignature":"T"}},{"type":"text","text":"s"}]' "$(call 1 f '{}')" "$(call 2 g '{}')")"
        "$(gets 1 x)" "$(gets 2 y '"is_error":true')" "$(user b)" "$(says c)")
    makes ctx-normalize "${messages[@]}"
    makes 'ctx-normalize --from gemini' "${messages[@]}"
    printf '[%s]\n' "$(contents | paste -sd ,)" >in
    makes 'ctx-normalize --from gemini' "${messages[@]}"
    same 'told as gemini-cli' <(ctx-normalize in | "$TEST_BIN/spec" unsource | jq -c .content?) <(printf '%s\n' "${messages[@]}" | sed s/x_gemini/x_gemini_cli/ | jq -c .content?)
    printf '{"systemInstruction":{"parts":[{"text":"S"}]},"contents":[%s],"tools":[{"functionDeclarations":[{"name":"f"},{"name":"g"}],"googleSearch":{}}],"generationConfig":{"temperature":1}}\n' \
        "$(contents | paste -sd ,)" >in
    makes ctx-normalize '{"type":"context","tools":[{"name":"f"},{"name":"g"},{"googleSearch":{}}],"metadata":{"request":{"generationConfig":{"temperature":1}}}}' \
        "$(system S)" "${messages[@]}"
    makes 'ctx-normalize --untrusted' "$(system S)" "${messages[@]}"
    # What a program hands to the SDK: a text, a content, or a list of texts, parts and contents, whose role is left out.
    raw '{"model":"m","contents":"a"}' >in
    makes ctx-normalize '{"type":"context","metadata":{"request":{"model":"m"}}}' "$(user a)"
    raw '{"contents":{"parts":[{"text":"a"},{"text":"b"}]}}' >in
    makes ctx-normalize "$(user '[{"type":"text","text":"a"},{"type":"text","text":"b"}]')"
    raw '{"contents":["a",{"text":"b"},{"parts":[{"text":"c"}]},{"role":"model","parts":[{"text":"d"},{"functionCall":{"name":"f","id":"1"}}]},{"parts":[{"functionResponse":{"name":"f","id":"1","response":{"output":"x"}}}]},{"no":"role"}]}' >in
    makes ctx-normalize "$(user a)" "$(user b)" "$(user c)" "$(acts d "$(call 1 f '{}')")" "$(gets 1 x)" '{"no":"role"}' '>>>2 ctx-normalize: in:1: unknown-shape: element 6 of a list is not understood' '>>>= 65'
    raw '{"contents":"a"}' >in
    makes ctx-normalize '{"contents":"a"}' '>>>2 ctx-normalize: no messages in the input' '>>>= 65'
    # The names of Python, and results without ids, by their order.
    raw '{"system_instruction":"S","contents":[{"role":"model","parts":[{"function_call":{"name":"f","args":{"a":1}}},{"function_call":{"name":"f"}}]},{"role":"user","parts":[{"function_response":{"name":"f","response":{"output":"x"}}},{"function_response":{"name":"f","response":{"k":[1]}}}]}]}' >in
    makes ctx-normalize "$(system S)" "$(acts null "$(call call_1 f '{"a":1}')" "$(call call_2 f '{}')")" "$(gets call_1 x)" "$(gets call_2 '{\"k\":[1]}')"
}

@test "gemini: answers, whole and in the chunks of a stream" {
    { answer '{"text":"Hel"}' 1; answer '{"text":"lo"},{"functionCall":{"name":"f","args":{}}}' 2; answer '{"text":"!"}' 3 STOP; answer '{"text":"B"}' 4 STOP; } >chunks
    local messages=("$(acts Hello! "$(call call_1 f '{}')" '"model":"m","usage":{"promptTokenCount":3}')" "$(gets call_1 '[no result]' '"tool_name":"f","is_error":true')" "$(says B '"model":"m","usage":{"promptTokenCount":4}')")
    cp chunks in
    makes ctx-normalize "${messages[@]}"
    printf '[%s]\n' "$(paste -sd , chunks)" >in
    makes ctx-normalize "${messages[@]}"
    jq . in >over && mv over in
    makes 'ctx-normalize | jq -c .' "${messages[@]}"
    jq -c '{method: "generateContentStream", response: .}' in >over && mv over in
    makes 'ctx-normalize' "${messages[@]}"
    # What is blocked has no content; what breaks off in the midst is what there is.
    { raw '{"candidates":[{"finishReason":"SAFETY"}],"promptFeedback":{}}'; head -n 1 chunks; content user "$(text x)"; } >in
    makes 'ctx-normalize' "$(says Hel '"model":"m","usage":{"promptTokenCount":1}')" "$(user x)"
    rm chunks
}

@test "gemini: parts of all kinds, and what is not understood" {
    content user '{"inlineData":{"mimeType":"image/png","data":"A"}}' '{"fileData":{"mimeType":"image/png","fileUri":"u"}}' '{"inlineData":{"mimeType":"audio/wav","data":"A"}}' 7 >in
    makes 'ctx-normalize' \
        '{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"A"}},{"type":"image_url","image_url":{"url":"u"}},{"inlineData":{"mimeType":"audio/wav","data":"A"}}],"metadata":{"x_gemini":{"element":4,"content":7}}}' \
        '>>>2 ctx-normalize: in:1: unknown-shape: a part of a content that is none' '>>>= 65'
    raw '{"contents":[{"role":"user","parts":[{"text":"a"}]},{"role":"other","parts":[]},{"no":"role"}]}' >in
    makes 'ctx-normalize' "$(user a)" '{"role":"other","parts":[]}' '{"no":"role"}' \
        '>>>2 ctx-normalize: in:1: unknown-shape: element 2 of a list is not understood' \
        '>>>2 ctx-normalize: in:1: unknown-shape: element 3 of a list is not understood' '>>>= 65'
    # Messages with parts that have types are not of Gemini: those of the AI SDK have a text, those of otel a content.
    raw '{"role":"user","parts":[{"type":"text","text":"a"}]}' >in
    makes 'ctx-normalize' "$(user a)"
    raw '{"id":"1","role":"user","parts":[{"type":"text","content":"a"}]}' >in
    makes 'ctx-normalize' "$(user a '"x_otel":{"id":"1"}')"
    { content user "$(text b)"; cat in; } >log && mv log in
    makes 'ctx-normalize' "$(user b)" 2 '>>>2 ctx-normalize: in:2: unknown-shape: a role without content; looks like otel' '>>>= 65'
}

@test "gemini: what is written: contents that alternate, results in the order of their calls, and signatures" {
    {
        says hello
        acts '[{"type":"thinking","thinking":"t","signature":"other"},{"type":"thinking","thinking":"u","x_gemini":{"thoughtSignature":"U"}},{"type":"text","text":"s","x_gemini":{"thoughtSignature":"V"}}]' \
            '{"id":"1","type":"function","function":{"name":"a.b","arguments":""},"x_gemini":{"thoughtSignature":"W"}}' "$(call 2 g '{"k":1}')"
        gets 2 y '"is_error":true'
        raw '{"role":"tool","tool_call_id":"1","content":[{"type":"text","text":"x"},{"type":"image_url","image_url":{"url":"data:image/png;base64,A"}}]}'
        user b
        user '[{"type":"text","text":" "},{"type":"image_url","image_url":{"url":"https://h/i.png"}},{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"P"}}]'
        developer D
        says '[{"executableCode":{"code":"c"}},{"type":"image_url","image_url":{"url":"u"}}]'
    } >in
    makes 'ctx-normalize --to gemini' "$(content system "$(text D)")" "$(content user "$(text '[earlier messages are left out]')")" \
        "$(content model "$(text hello)" '{"text":"u","thought":true,"thoughtSignature":"U"}' '{"text":"s","thoughtSignature":"V"}' '{"functionCall":{"id":"1","name":"a_b","args":{}},"thoughtSignature":"W"}' '{"functionCall":{"id":"2","name":"g","args":{"k":1}}}')" \
        "$(content user '{"functionResponse":{"id":"1","name":"a_b","response":{"output":"x"},"parts":[{"inlineData":{"mimeType":"image/png","data":"A"}}]}}' "$(answered g error y 2)" "$(text b)" '{"fileData":{"fileUri":"https://h/i.png"}}' '{"inlineData":{"mimeType":"application/pdf","data":"P"}}')" \
        "$(content model '{"executableCode":{"code":"c"}}' "$(text '[image_url]')")"
    makes "ctx-normalize -v --to gemini 2>&1 >/dev/null | grep -o 'dropped.*'" 'dropped: 1 thinking, 1 image_url'
    makes "ctx-normalize --to gemini --system user | jq -s -r '.[0].role'" user
    ctx-normalize --to gemini --array in | ctx-normalize --check --to gemini
    ctx-normalize --to gemini in | ctx-normalize --to gemini >again
    same 'a second run' <(ctx-normalize --to gemini in) again
    rm again
}

@test "gemini: a request has the instruction, the tools and the settings in their places" {
    {
        raw '{"type":"context","system_prompt":"S","tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"}}},{"name":"g","input_schema":{"type":"object"}},{"googleSearch":{}},{"type":"web_search_20250305","name":"w"}],"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object"}}},"metadata":{"request":{"model":"gpt","temperature":1,"max_tokens":9,"max_completion_tokens":8,"stop":"x","tool_choice":{"type":"function","function":{"name":"f"}},"parallel_tool_calls":false,"logit_bias":{}}}}'
        user a
        developer D
    } >in
    makes "ctx-normalize --to gemini --request" \
        '{"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["f"]}},"systemInstruction":{"parts":[{"text":"S"},{"text":"D"}]},"contents":[{"role":"user","parts":[{"text":"a"}]}],"tools":[{"functionDeclarations":[{"name":"f","description":"d","parametersJsonSchema":{"type":"object"}},{"name":"g","parametersJsonSchema":{"type":"object"}}]},{"googleSearch":{}}],"generationConfig":{"temperature":1,"maxOutputTokens":9,"stopSequences":["x"],"responseMimeType":"application/json","responseJsonSchema":{"type":"object"}}}' \
        '>>>2 ctx-normalize: left out of the request, where gemini has no place for it: '"'w', 'logit_bias', 'parallel_tool_calls'"
    ctx-normalize --to gemini --request in 2>err | ctx-normalize --check --to gemini
    # What the user gives wins, and a request that is read is one again.
    makes "ctx-normalize --to gemini --request='{\"generationConfig\":{},\"systemInstruction\":{\"parts\":[{\"text\":\"M\"}]}}' 2>err | jq -c '[.generationConfig, .systemInstruction, (.contents | length)]'" '[{},{"parts":[{"text":"M"}]},1]'
    ctx-normalize --to gemini --request in 2>err >once
    ctx-normalize once | ctx-normalize --to gemini --request >twice
    same 'again' <(jq -S . once) <(jq -S . twice)
    refuses "ctx-normalize --to gemini --request='{\"contents\":[]}'" '--request has contents, which come from the input'
    makes 'ctx-normalize --to gemini --request --from openai </dev/null' '>>>2 ctx-normalize: no messages for a request' '>>>= 65' || :
    rm err once twice
}

# faults: the codes that the check of the API finds in in.
faults() { ctx-normalize --check --to gemini in 2>&1 | sed 's/^ctx-normalize: in:\([0-9]*\): \([a-z-]*\): .*/\1 \2/'; }

@test "gemini: --check names what the API refuses" {
    contents >in
    [[ -z $(faults) ]]
    { content model "$(text a)"; content model "$(used f 1)" "$(used f 1)"; content user "$(answered f output x 9)"; content model "$(text b)"; } >in
    same 'the order' <(printf '%s\n' '1 assistant-first' '2 same-role' '2 repeated-call-id' '3 orphan-result' '2 unanswered-call') <(faults)
    { content user "$(text a)"; content model "$(used f)" "$(used f)"; content user "$(answered f output x)"; content model "$(used f)"; content user "$(answered f output x)"; content system "$(text s)"; } >in
    same 'without ids' <(printf '%s\n' '2 unanswered-call' '6 system-in-midst') <(faults)
    { content user; content other "$(text a)"; } >in
    same 'roles and no parts' <(printf '%s\n' '1 bad-content' '2 unknown-role' '2 same-role') <(faults)
    local part
    for part in '{"text":""}' '{"text":"a","functionCall":{"name":"f"}}' '{"functionCall":{"name":"f"}}' '{}' 7 '{"inlineData":"x"}'; do
        content user "$part" >in
        [[ $(faults) == '1 bad-'@(part|content)* ]] || fail "$part"
    done
    { content user "$(text a)"; content model '{"functionCall":{"id":7,"name":"2 f","args":[]},"x":1}'; } >in
    same 'a call' <(printf '%s\n' '2 unknown-member' '2 bad-call' '2 bad-name' '2 bad-id' '2 unanswered-call') <(faults)
    raw '{"contents":[{"role":"user","parts":[{"text":"a"}]}],"systemInstruction":{"parts":[]},"tools":[{"functionDeclarations":[{"name":"a b"}]}],"temperature":1}' >in
    same 'a body' <(printf '%s\n' '1 unknown-member' '1 bad-content' '1 bad-tool') <(faults)
    raw '{"contents":[]}' >in
    same 'none' <(echo '1 no-messages') <(faults)
}

@test "gemini: real files say what jq finds in them, and go out as the API takes them" {
    local file count=0
    [[ -d $CTX_SHARED/gemini-contents ]] || skip 'no transcripts beside the tree'
    for file in "$CTX_SHARED"/gemini-contents/*/*.json; do
        ! grep -q '"input":' "$file" || continue
        ctx-normalize "$file" >out 2>err || [[ $? == 65 && ! -s out ]] || fail "$file: $(<err)"
        same "$file" <(jq -c '[.. | objects | .functionCall? // empty | .name]' "$file" | jq -s -c add) <(jq -c '[.tool_calls[]?.function.name]' out | jq -s -c 'add // []')
        [[ ! -s out ]] || ctx-normalize --from gemini --to gemini --request "$file" 2>err | ctx-normalize --check --to gemini || fail "$file"
        count=$((count + 1))
    done
    ((count > 15))
}
