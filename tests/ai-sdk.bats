#!/usr/bin/env bats
#
# ctx-normalize --from ai-sdk: UIMessages, ModelMessages and streams of the AI SDK.

load helper
load dialogue
load readers

# ui ROLE PART..., model ROLE PART...: a message.
ui() { printf '{"id":"%s","role":"%s","parts":[%s]}\n' "${1::1}" "$1" "$(IFS=,; echo "${*:2}")"; }
model() { printf '{"role":"%s","content":[%s]}\n' "$1" "$(IFS=,; echo "${*:2}")"; }
text() { printf '{"type":"text","text":"%s"}' "$1"; }
tool() { printf '{"type":"tool-%s","toolCallId":"%s","state":"%s","input":{"a":1},%s}' "$1" "$2" "$3" "$4"; }
called() { printf '{"id":"%s","type":"function","function":{"name":"%s","arguments":"{\\"a\\":1}"}}' "$1" "$2"; }

@test "ai-sdk: UIMessages, a step and its results after the other" {
    {
        ui system "$(text S)"
        ui user "$(text A)" '{"type":"file","mediaType":"image/png","url":"data:image/png;base64,A"}' '{"type":"data-x","data":1}'
        ui assistant '{"type":"step-start"}' '{"type":"reasoning","text":"t","providerMetadata":{"openai":{"reasoningEncryptedContent":"X"}}}' "$(text B)" \
            "$(tool f 1 output-available '"output":"x"')" "$(tool g 2 output-error '"errorText":"e"')" "$(tool h 3 output-available '"output":{"k":[1]}')" \
            '{"type":"step-start"}' "$(text C)" '{"type":"source-url","sourceId":"u","url":"u"}' '{"type":"dynamic-tool","toolName":"d","toolCallId":"4","state":"output-denied","input":{"a":1}}'
    } >in
    local messages=("{\"role\":\"system\",\"content\":\"S\",\"metadata\":{\"id\":\"s\"}}"
        "$(user '[{"type":"text","text":"A"},{"type":"image_url","image_url":{"url":"data:image/png;base64,A"}}]' '"id":"u","x_ai_sdk":{"type":"data-x","data":1}')"
        "$(acts '[{"type":"thinking","thinking":"t","x_ai_sdk":{"providerMetadata":{"openai":{"reasoningEncryptedContent":"X"}}}},{"type":"text","text":"B"}]' "$(called 1 f)" "$(called 2 g)" "$(called 3 h)" '"id":"a"')"
        "$(gets 1 x)" "$(gets 2 e '"is_error":true')" "$(gets 3 '{\"k\":[1]}')"
        "$(acts C "$(called 4 d)" '"x_ai_sdk":{"type":"source-url","sourceId":"u","url":"u"}')" "$(gets 4 'Tool execution denied.' '"is_error":true')")
    makes ctx-normalize "${messages[@]}"
    makes 'ctx-normalize --from ai-sdk' "${messages[@]}"
    ctx-normalize -v in 2>&1 >/dev/null | grep -q 'kept sealed: 1 reasoning$'
    jq -cs . in >list
    jq -cs '{id: "chat", messages: .}' in >object
    for form in list object; do
        same "$form" <(ctx-normalize in) <(ctx-normalize "$form" | jq -c .)
    done
    same 'lossy' <(echo 0) <(ctx-normalize --lossy in | grep -c x_ai_sdk)
    rm list object
    # Of version 4, and what never ended.
    { ui assistant '{"type":"reasoning","reasoning":"t"}' '{"type":"tool-invocation","toolInvocation":{"state":"result","toolCallId":"1","toolName":"f","args":{"a":1},"result":"x"}}' \
        "$(tool g 2 input-streaming '"x":1')" "$(tool h 3 input-available '"x":1')"; } >in
    makes 'ctx-normalize --open-calls keep' "$(acts '[{"type":"thinking","thinking":"t"}]' "$(called 1 f)" '{"id":"3","type":"function","function":{"name":"h","arguments":"{\"a\":1}"},"x_ai_sdk":{"x":1}}' '"id":"a"')" "$(gets 1 x)"
}

@test "ai-sdk: ModelMessages" {
    {
        model user "$(text A)" '{"type":"image","image":"http://x/y.png"}' '{"type":"image","image":"A","mediaType":"image/png"}' '{"type":"file","data":"A","mediaType":"image/png"}' '{"type":"file","data":"A","mediaType":"application/pdf"}'
        model assistant '{"type":"reasoning","text":"t"}' "$(text B)" '{"type":"tool-call","toolCallId":"1","toolName":"f","input":{"a":1}}' '{"type":"tool-call","toolCallId":"2","toolName":"g","args":{"a":1}}' \
            '{"type":"tool-call","toolCallId":"3","toolName":"h","input":{"a":1}}' '{"type":"tool-call","toolCallId":"4","toolName":"h","input":{"a":1}}'
        model tool '{"type":"tool-result","toolCallId":"2","toolName":"g","output":{"type":"error-text","value":"y"}}' '{"type":"tool-result","toolCallId":"1","toolName":"f","output":{"type":"json","value":[1]}}' \
            '{"type":"tool-result","toolCallId":"3","toolName":"h","output":{"type":"content","value":[{"type":"text","text":"z"}]}}' '{"type":"tool-result","toolCallId":"4","toolName":"h","output":{"type":"execution-denied","reason":"no"}}' '{"type":"tool-approval-response","approvalId":"p","approved":true}'
        raw '{"role":"assistant","content":"C"}'
    } >in
    local messages=("$(user '[{"type":"text","text":"A"},{"type":"image_url","image_url":{"url":"http://x/y.png"}},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"A"}},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"A"}},{"type":"file","data":"A","mediaType":"application/pdf"}]')"
        "$(acts '[{"type":"thinking","thinking":"t"},{"type":"text","text":"B"}]' "$(called 1 f)" "$(called 2 g)" "$(called 3 h)" "$(called 4 h)")"
        "$(gets 1 '[1]')" "$(gets 2 y '"is_error":true')" "$(gets 3 z)" "$(gets 4 no '"is_error":true')" '{"role":"assistant","content":"C"}')
    makes ctx-normalize "${messages[@]}"
    jq -cs . in >list
    same 'a list' <(ctx-normalize in) <(ctx-normalize list)
    jq -cs '{model: "m", messages: .}' in >list
    same 'an object' <(ctx-normalize in) <(ctx-normalize list)
    rm list
}

# said ROLE CONTENT PART...: a message of version 4, which has both.
said() { printf '{"role":"%s","content":"%s","parts":[%s]}\n' "$1" "$2" "$(IFS=,; echo "${*:3}")"; }

@test "ai-sdk: of a message with a content and parts what the SDK sends is said, and no text is lost" {
    {
        said system S "$(text T)"
        said system '' "$(text T)"
        said user u "$(text p)"
        said user pq "$(text p)" "$(text q)"
        said assistant pqr "$(text p)" "$(text q)"
        said assistant x "$(tool f 1 output-available '"output":"o"')"
    } >in
    local messages=('{"role":"system","content":"S"}' '{"role":"system","content":"T"}' "$(user p '"x_ai_sdk":{"content":"u"}')"
        "$(user '[{"type":"text","text":"p"},{"type":"text","text":"q"}]')" "$(says '[{"type":"text","text":"p"},{"type":"text","text":"q"}]' '"x_ai_sdk":{"content":"pqr"}')"
        "$(acts null "$(called 1 f)" '"x_ai_sdk":{"content":"x"}')" "$(gets 1 o)")
    makes ctx-normalize "${messages[@]}"
    same 'lossy' <(echo 0) <(ctx-normalize --lossy in | grep -c x_ai_sdk)
    { said user u; ui user "$(text b)"; } | jq -cs . >in
    makes ctx-normalize "$(user u)" "$(user b '"id":"u"')"
}

@test "ai-sdk: the chunks of a stream" {
    raw '{"type":"start","messageId":"m"}' '{"type":"start-step"}' '{"type":"reasoning-start","id":"r"}' '{"type":"reasoning-delta","id":"r","delta":"Wh"}' '{"type":"reasoning-delta","id":"r","delta":"y?"}' '{"type":"reasoning-end","id":"r"}' \
        '{"type":"text-start","id":"a"}' '{"type":"text-delta","id":"a","delta":"Hel"}' '{"type":"text-delta","id":"a","delta":"lo"}' '{"type":"text-end","id":"a"}' '{"type":"text-start","id":"b"}' '{"type":"text-delta","id":"b","delta":"!"}' \
        '{"type":"tool-input-start","toolCallId":"1","toolName":"f"}' '{"type":"tool-input-delta","toolCallId":"1","inputTextDelta":"{"}' '{"type":"tool-input-available","toolCallId":"1","toolName":"f","input":{"a":1}}' \
        '{"type":"tool-input-start","toolCallId":"2","toolName":"g"}' '{"type":"tool-input-delta","toolCallId":"2","inputTextDelta":"{\"a\":"}' '{"type":"tool-input-delta","toolCallId":"2","inputTextDelta":"1}"}' '{"type":"tool-input-start","toolCallId":"3","toolName":"h"}' '{"type":"tool-input-error","toolCallId":"3","toolName":"h","input":{"a":1},"errorText":"e"}' \
        '{"type":"tool-output-available","toolCallId":"1","output":"half","preliminary":true}' '{"type":"tool-output-available","toolCallId":"1","output":"x"}' '{"type":"tool-output-error","toolCallId":"2","errorText":"y"}' \
        '{"type":"finish-step"}' '{"type":"start-step"}' '{"type":"text-delta","id":"c","delta":"Done."}' '{"type":"data-x","data":1}' '{"type":"finish"}' '{"type":"text-delta","id":"d","delta":"Next."}' >in
    local messages=("$(acts '[{"type":"thinking","thinking":"Why?"},{"type":"text","text":"Hello"},{"type":"text","text":"!"}]' "$(called 1 f)" "$(called 2 g)" "$(called 3 h)")"
        "$(gets 1 x)" "$(gets 2 y '"is_error":true')" "$(gets 3 e '"is_error":true')" "$(says Done.)" "$(says Next.)")
    makes ctx-normalize "${messages[@]}"
    jq -cs . in >list
    same 'a list' <(ctx-normalize in) <(ctx-normalize list | jq -c .)
    rm list
    # A stream that broke off while the model thought.
    raw '{"type":"text-delta","id":"a","delta":"x"}' '{"type":"reasoning-delta","id":"r","delta":"y"}' >in
    makes ctx-normalize "$(says '[{"type":"text","text":"x"},{"type":"thinking","thinking":"y"}]')"
}

@test "ai-sdk: what is not understood is named" {
    { ui user "$(text A)"; raw '{"role":"user","parts":7}'; } >in
    makes 'ctx-normalize | jq -c .role' '"user"' '"user"' '>>>2 ctx-normalize: in:2: unknown-shape: a role without content; looks like no known format' '>>>= 65'
}

@test "ai-sdk: real streams say what jq finds in them, and what is made of them passes" {
    reads_corpus "$CTX_SHARED"/ai-sdk/*/* <<'END'
inputs | {messages: (map(select(.type == "tool-output-available")) | length + 2), calls: map(select(.type == "tool-input-start").toolCallId),
    results: map(select(.type == "tool-output-available").toolCallId),
    texts: ([map(select(.type == "tool-output-available").output), [map(select(.type == "text-delta").delta) | join("")]] | add | sort)}
END
}

@test "ai-sdk: what is written is read as the same messages" {
    {
        raw '{"role":"system","content":"S é"}'
        user '[{"type":"text","text":"A 😀"},{"type":"image_url","image_url":{"url":"http://x/y.png"}},{"type":"image_url","image_url":{"url":"data:image/png;base64,A"}},{"type":"image_url","image_url":{"url":"d/1.jpg"}}]'
        acts '[{"type":"thinking","thinking":"t"},{"type":"text","text":"B"}]' "$(called 1 f)" "$(called 2 g)"
        gets 1 'x\ny'
        gets 2 e '"is_error":true'
        acts null "$(called 3 f)"
        gets 3 ''
        raw '{"role":"assistant","content":[{"type":"text","text":"C"}]}'
    } >in
    makes 'ctx-normalize --to ai-sdk' '{"role":"system","content":"S é"}' \
        "$(model user "$(text 'A 😀')" '{"type":"image","image":"http://x/y.png","mediaType":"image/*"}' '{"type":"image","image":"data:image/png;base64,A","mediaType":"image/*"}' '{"type":"image","image":"d/1.jpg","mediaType":"image/*"}')" \
        "$(model assistant '{"type":"reasoning","text":"t","providerOptions":{}}' "$(text B)" '{"type":"tool-call","toolCallId":"1","toolName":"f","input":{"a":1}}' '{"type":"tool-call","toolCallId":"2","toolName":"g","input":{"a":1}}')" \
        "$(model tool '{"type":"tool-result","toolCallId":"1","toolName":"f","output":{"type":"text","value":"x\ny"}}')" \
        "$(model tool '{"type":"tool-result","toolCallId":"2","toolName":"g","output":{"type":"error-text","value":"e"}}')" \
        "$(model assistant '{"type":"tool-call","toolCallId":"3","toolName":"f","input":{"a":1}}')" \
        "$(model tool '{"type":"tool-result","toolCallId":"3","toolName":"f","output":{"type":"text","value":""}}')" \
        "$(model assistant "$(text C)")"
    same 'read again' <(ctx-normalize in) <(ctx-normalize --to ai-sdk in | ctx-normalize --from ai-sdk)
    ctx-normalize --to ai-sdk in | ctx-normalize --from ai-sdk --to ai-sdk >again
    same 'a second run' <(ctx-normalize --to ai-sdk in) again
    # What has no place is named and counted.
    {
        acts '[{"type":"thinking","thinking":"t","signature":"G"}]' "$(called 1 f)"
        raw '{"role":"tool","tool_call_id":"1","content":[{"type":"text","text":"x"},{"type":"image_url","image_url":{"url":"http://x/y.png"}}]}'
    } >in
    makes 'ctx-normalize --to ai-sdk' "$(model assistant '{"type":"reasoning","text":"t","providerOptions":{"anthropic":{"signature":"G"}}}' '{"type":"tool-call","toolCallId":"1","toolName":"f","input":{"a":1}}')" \
        "$(model tool '{"type":"tool-result","toolCallId":"1","toolName":"f","output":{"type":"text","value":"x\n[image_url]"}}')"
    makes "ctx-normalize -v --to ai-sdk 2>&1 >/dev/null | grep -o 'dropped.*'" 'dropped: 1 image_url'
    rm again
}

@test "ai-sdk: messages with text alone in front tell nothing, the first part of its own does" {
    cat >in <<'END'
{"role":"system","content":"S"}
{"role":"user","content":[{"type":"text","text":"Ring it."}]}
{"role":"assistant","content":[{"type":"tool-call","toolCallId":"c1","toolName":"ring","input":{"a":1}}]}
{"role":"tool","content":[{"type":"tool-result","toolCallId":"c1","toolName":"ring","output":{"type":"text","value":"rung"}}]}
END
    same 'told by itself' <(ctx-normalize --from ai-sdk in) <(ctx-normalize in)
    [[ $(ctx-normalize in | grep -c '"tool_call_id":"c1"') == 1 ]]
}

@test "ai-sdk: thinking is read where nothing else tells the format, with its signature" {
    {
        user A
        says '[{"type":"thinking","thinking":"t"},{"type":"text","text":"B"}]'
        user C
        says '[{"type":"thinking","thinking":"u","signature":"G"}]'
    } >in
    ctx-normalize --to ai-sdk in >written
    same 'told by itself' <(ctx-normalize in | jq -c .content) <(ctx-normalize written | jq -c 'if .role == "user" then .content[0].text else .content end')
    same 'a second time' written <(ctx-normalize --to ai-sdk written)
    # Parts of others have no options: a canonical message may have such a part.
    jq -c 'del(.content[].providerOptions?)' written >in
    same 'named' <(ctx-normalize --from ai-sdk in | jq -c '[.content[].type]') <(ctx-normalize written | jq -c '[.content[].type]')
    same 'not named' in <(ctx-normalize in)
    model assistant '{"type":"tool-call","toolCallId":"1","toolName":"f","input":{"a":1}}' >front
    model tool '{"type":"tool-result","toolCallId":"1","toolName":"f","output":{"type":"text","value":"x"}}' >>front
    cat front in >both
    same 'told by another message' <(ctx-normalize --from ai-sdk both) <(ctx-normalize both)
    { raw '{"role":"assistant","content":[{"type":"reasoning","text":"t"}],"metadata":{"id":"a"}}'; } >in
    same 'canonical' in <(ctx-normalize --from ai-sdk in)
    # Of a UIMessage, and options of another provider.
    ui assistant '{"type":"reasoning","text":"t","providerMetadata":{"anthropic":{"signature":"G"}}}' '{"type":"reasoning","text":"u","providerMetadata":{"x":{"signature":"H"}}}' >in
    makes ctx-normalize "$(says '[{"type":"thinking","thinking":"t","signature":"G"},{"type":"thinking","thinking":"u","x_ai_sdk":{"providerMetadata":{"x":{"signature":"H"}}}}]' '"id":"a"')"
    rm -f written front both
}
