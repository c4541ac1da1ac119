#!/usr/bin/env bats
#
# ctx-normalize --from gemini-cli: the session files of Gemini CLI.

load helper
load dialogue
unsourced

header() { printf '{"sessionId":"s","projectHash":"h"}\n'; }

# asked ID CONTENT, told ID CONTENT [MEMBERS]: a message of the user, of the model; CONTENT is JSON.
asked() { printf '{"id":"%s","timestamp":"t","type":"user","content":%s}\n' "$1" "$2"; }
told() { printf '{"id":"%s","timestamp":"t","type":"gemini","content":%s%s}\n' "$1" "$2" "${3:+,$3}"; }

# used ID NAME RESULT [STATUS]: an element of toolCalls.
used() {
    printf '{"id":"%s","name":"%s","args":{},"status":"%s"%s}' "$1" "$2" "${4-success}" "${3:+,\"result\":$3}"
}

response() { printf '[{"functionResponse":{"id":"x","name":"f","response":%s}}]' "$1"; }

@test "gemini-cli: a session, with all that is carried" {
    cp "$FIXTURES/gemini-cli-session.jsonl" in
    local of='"session_id":"7f0a0000-0000-4000-8000-000000000003","timestamp":"2026-11-20T09:00:0'
    makes ctx-normalize \
        "$(user '[{"type":"text","text":"How deep is the harbour?"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}]' "${of}1.000Z\",\"id\":\"g1\"")" \
        "{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"Sounding\\n\\nI sound it.\"}],\"tool_calls\":[{\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"run_shell_command\",\"arguments\":\"{\\\"command\\\":\\\"sound\\\"}\"},\"x_gemini_cli\":{\"status\":\"success\",\"timestamp\":\"2026-11-20T09:00:02.100Z\",\"displayName\":\"Shell\"}},{\"id\":\"c2\",\"type\":\"function\",\"function\":{\"name\":\"read_file\",\"arguments\":\"{\\\"path\\\":\\\"log.txt\\\"}\"},\"x_gemini_cli\":{\"status\":\"error\",\"timestamp\":\"2026-11-20T09:00:02.200Z\"}}],\"metadata\":{${of}2.000Z\",\"model\":\"gemini-2.5-pro\",\"id\":\"g2\",\"usage\":{\"input\":100,\"output\":5,\"cached\":40,\"thoughts\":7,\"tool\":0,\"total\":112}}}" \
        "$(gets c1 '4.2 m' "${of}2.100Z\"")" "$(gets c2 'no such file' "${of}2.200Z\",\"is_error\":true")" \
        "$(says 'It is 4.2 m deep.' "${of}4.000Z\",\"model\":\"gemini-2.5-pro\",\"id\":\"g4\",\"usage\":{\"input\":120,\"output\":9,\"cached\":100,\"thoughts\":0,\"tool\":0,\"total\":129}")"
    same 'by name' <(ctx-normalize in) <(ctx-normalize --from gemini-cli in)
    # The old form, one document, over lines or not.
    jq -cs '.[0] + {messages: [.[1], .[4], .[5], .[6]]}' in >old
    same 'old form' <(ctx-normalize in) <(ctx-normalize old)
    same 'over lines' <(ctx-normalize in | jq -c .content) <(jq . old | ctx-normalize | jq -c .content)
    spec <<'END'
ctx-normalize -v in 2>&1 >/dev/null | sed 's/.*; no conversation/no conversation/'
>>> no conversation: 1 session, 1 $set, 1 info
END
    rm old
}

@test "gemini-cli: a record with a known id takes the place of the first" {
    { header; asked a '"A"'; told b '""' "\"toolCalls\":[$(used 1 f '"x"')]"; asked c '"C"'; told b '"B"' "\"toolCalls\":[$(used 2 g '"y"')]"; told d '"D"'; asked a '"A2"'; } >in
    makes "ctx-normalize | jq -c '[.role, .content]'" '["user","A2"]' '["assistant","B"]' '["tool","y"]' '["user","C"]' '["assistant","D"]'
    makes "ctx-normalize --all | jq -r .content" A2 B y C D
    # Of very many it does not take the longer.
    { header; for n in {1..500}; do asked "$((n % 7))" "\"$n\""; done; } >in
    makes "ctx-normalize | jq -r .content | paste -sd ' '" '498 499 500 494 495 496 497'
}

@test "gemini-cli: calls and results of a session that was resumed are read once" {
    # A file as the client leaves it then: all messages are set anew, as the contents of a request.
    cp "$FIXTURES/gemini-cli-resumed.jsonl" in
    makes "ctx-normalize | jq -c '[.role, .content, (.tool_calls // [] | map(.id, .function.arguments)), .tool_call_id, .metadata.is_error]'" \
        '["user","<session_context>\nToday is Friday.\n</session_context>",[],null,null]' '["user","How deep is the harbour?",[],null,null]' \
        '["assistant","I look.",["c1","{\"path\":\".\"}","c2","{}"],null,null]' \
        '["tool","soundings.txt, and nothing else in the harbour",[],"c1",null]' '["tool","no such file",[],"c2",true]' \
        '["assistant",[{"type":"thinking","thinking":"**Sounding** I sound it."},{"type":"text","text":"It is 4.2 m deep."}],[],null,null]' \
        '["user","And at low tide?",[],null,null]' '["assistant","I look once more.",["c3","{\"path\":\"tide\"}"],null,null]' '["tool","tide.txt",[],"c3",null]'
    # Thoughts and calls in one content; thoughts beside it; words after a result.
    local call='{"functionCall":{"id":"c1","name":"ls","args":{}}}' thoughts='"thoughts":[{"description":"T"}]'
    {
        header
        told a "[{\"text\":\"T\",\"thought\":true},$call]" "$thoughts,\"toolCalls\":[$(used c1 ls '"r"')]"
        asked b "[{\"functionResponse\":{\"id\":\"c1\",\"name\":\"ls\",\"response\":{\"output\":\"R\"}}},{\"text\":\"go on\"}]"
        told c "[${call/c1/c2}]" "$thoughts"
    } >in
    makes "ctx-normalize --open-calls=keep | jq -c '[.role, .content, (.tool_calls // [] | map(.id)), .tool_call_id]'" \
        '["assistant",[{"type":"thinking","thinking":"T"}],["c1"],null]' '["tool","R",[],"c1"]' '["user","go on",[],null]' \
        '["assistant",[{"type":"thinking","thinking":"T"}],["c2"],null]'
}

@test "gemini-cli: a result in the record of its call is not read again of the user's message after it" {
    local response='{"functionResponse":{"id":"c1","name":"ls","response":{"output":"r"}}}' call='{"functionCall":{"id":"c1","name":"ls","args":{}}}'
    live() { asked a '"A"'; told m '"M"'; told m '"M"' "\"toolCalls\":[$(used c1 ls "[$response]")]"; asked r "[$response$1]"; }
    { header; live; told n '"N"'; } >in
    makes "ctx-normalize | jq -c '[.role, .content]'" '["user","A"]' '["assistant","M"]' '["tool","r"]' '["assistant","N"]'
    ctx-normalize --check --from gemini-cli in
    # The user's words beside it; and all set anew, where the result is only there.
    { header; live ',{"text":"go on"}'; } >in
    makes "ctx-normalize | jq -c '[.role, .content]'" '["user","A"]' '["assistant","M"]' '["tool","r"]' '["user","go on"]'
    { header; live; printf '{"$set":{"messages":[%s,%s]}}\n' "$(told m "[$call]")" "$(asked r "[$response]")"; } >in
    makes "ctx-normalize | jq -c '[.role, .content]'" '["assistant",null]' '["tool","r"]'
    # The id of a call that is answered only there, after another one: of another session, and after a rewind.
    again() { told m '"M"' "\"toolCalls\":[$(used c1 ls null)]"; asked r "[${response/\"r\"/\"r2\"}]"; }
    { header; live; } >first
    { header | sed 's/"sessionId":"[^"]*"/"sessionId":"s2"/'; again; } >in
    [[ $(ctx-normalize first in | jq -r 'select(.role == "tool").content') == $'r\nr2' ]]
    { header; live; raw '{"$rewindTo":"a"}'; again; } >in
    makes "ctx-normalize | jq -c '[.role, .content]'" '["assistant","M"]' '["tool","r2"]'
}

@test "gemini-cli: a rewind, and messages that are set anew" {
    { header; asked a '"A"'; told b '"B"'; asked c '"C"'; told d '"D"'; raw '{"$rewindTo":"c"}'; asked e '"E"'; } >in
    makes 'ctx-normalize | jq -r .content' A B E
    makes 'ctx-normalize --all | jq -r .content' A B C D E
    makes "ctx-normalize -v 2>&1 >/dev/null | grep -o '2 of other branches left out'" '2 of other branches left out'
    # An id that went may come again; one that is not known rewinds all.
    { cat in; asked c '"C2"'; told d '"D2"'; } >again
    mv again in
    makes 'ctx-normalize | jq -r .content' A B E C2 D2
    { cat in; raw '{"$rewindTo":"?"}'; asked f '"F"'; } >again
    mv again in
    makes 'ctx-normalize | jq -r .content' F
    { header; asked a '"A"'; told b '"B"'; printf '{"$set":{"messages":[%s,%s,7.5]}}\n' "$(asked x '"X"')" "$(told a '"Y"')"; told x '"Z"'; } >in
    makes 'ctx-normalize | jq -r ".content? // ."' Z Y 7.5 \
        '>>>2 ctx-normalize: in:4: unknown-shape: element 3 of a list is not understood' '>>>= 65'
}

@test "gemini-cli: calls and results of every kind" {
    {
        header
        told a '[{"text":"t"},"s",{"text":"why","thought":true},{"functionCall":{"name":"k","args":{"a":1}}}]' "\"toolCalls\":[$(used 1 f "$(response '{"output":"o"}')"),$(used 2 f "$(response '{"error":"e"}')" success),$(used 3 f "$(response '{"output":"c"}')" cancelled),$(used 4 f "$(response '{"k":[1]}')"),$(used 5 f '[{"text":"a"},{"inlineData":{"mimeType":"image/png","data":"A"}}]'),$(used 6 f '' awaiting_approval),$(used 7 f null)]"
    } >in
    makes "ctx-normalize --open-calls keep | jq -c 'if .role == \"tool\" then [.tool_call_id, .content, .metadata.is_error] else [.content, (.tool_calls | map(.id))] end'" \
        '[[{"type":"text","text":"t"},{"type":"text","text":"s"},{"type":"thinking","thinking":"why"}],["call_1","1","2","3","4","5","6","7"]]' \
        '["1","o",null]' '["2","e",true]' '["3","c",true]' '["4","{\"k\":[1]}",null]' \
        '["5",[{"type":"text","text":"a"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"A"}}],null]'
}

@test "gemini-cli: calls without ids: a result is of the call in whose value it stands" {
    local bare="{\"name\":\"x\",\"args\":{}}"
    { header; told a '""' "\"toolCalls\":[$bare,{\"name\":\"y\",\"args\":{},\"result\":$(response '{"output":"Y"}')},$bare,{\"name\":\"z\",\"args\":{},\"result\":\"Z\"}]"; } >in
    makes "ctx-normalize --open-calls keep | jq -c 'select(.role == \"tool\") | [.tool_call_id, .content]'" '["call_2","Y"]' '["call_4","Z"]'
    # A call that has its result waits for none that is in another message.
    {
        header
        told a '""' "\"toolCalls\":[{\"name\":\"y\",\"args\":{},\"result\":$(response '{"output":"Y"}')}]"
        raw '{"history":[{"role":"model","parts":[{"functionCall":{"name":"g","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"name":"g","response":{"output":"G"}}}]}]}'
    } >in
    makes "ctx-normalize | jq -c 'select(.role == \"tool\") | [.tool_call_id, .content]'" '["call_1","Y"]' '["call_2","G"]'
}

@test "gemini-cli: commands of the client are left out, and its context is injected" {
    { header; asked a '"/help"'; asked b '[{"text":"?"}]'; asked c '"<session_context>x</session_context>"'; asked d '"a / b"'; asked e '[{"text":"/x"}]'; } >in
    makes "ctx-normalize | jq -c '[.content, .metadata.origin]'" '["<session_context>x</session_context>","injected"]' '["a / b",null]'
    makes 'ctx-normalize --all | jq -r .content' /help '?' '<session_context>x</session_context>' 'a / b' /x
    # They are of no branch.
    ctx-normalize -v --report report in 2>said >/dev/null
    grep -q '; 3 that the agent does not send left out (5 messages with --all)' said || fail "$(<said)"
    same 'report' <(echo '[0,3]') <(jq -c '[.left, .unsent]' report)
    { header; asked a '"/etc/hosts is broken, why?"'; } >in
    ctx-normalize -v in 2>&1 | grep -q '; 1 that the agent does not send left out'
}

@test "gemini-cli: what is said in parts, in place of a content or beside one, is read" {
    {
        header
        raw '{"id":"a","type":"user","parts":[{"text":"A"},{"inlineData":{"mimeType":"image/png","data":"A"}}]}' \
            '{"id":"b","type":"gemini","parts":[{"text":"why","thought":true},{"text":"B"}],"toolCalls":[{"id":"1","name":"f","args":{},"result":"r"}]}' \
            '{"id":"c","type":"user","parts":[{"text":"/help"}]}' '{"id":"d","type":"user","content":null,"parts":"D"}' \
            '{"id":"e","type":"model","content":"E","parts":[{"text":"and more"}]}' '{"id":"f","type":"user","content":"F","parts":[{"text":"/etc"}]}' \
            '{"id":"g","type":"user","parts":[{"text":"<hook_context>x"}]}'
    } >in
    makes "ctx-normalize | jq -c '[.role, .content, .metadata.origin]'" \
        '["user",[{"type":"text","text":"A"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"A"}}],null]' \
        '["assistant",[{"type":"thinking","thinking":"why"},{"type":"text","text":"B"}],null]' '["tool","r",null]' '["user","D",null]' \
        '["assistant",[{"type":"text","text":"E"},{"type":"text","text":"and more"}],null]' \
        '["user",[{"type":"text","text":"F"},{"type":"text","text":"/etc"}],null]' '["user","<hook_context>x","injected"]'
    makes "ctx-normalize --all | jq -c 'select(.metadata.id == \"c\").content'" '"/help"'
    jq -cs '.[0] + {messages: .[1:]}' in >old
    same 'a document' <(ctx-normalize in) <(ctx-normalize old)
    rm old
}

checkpoint='[{"role":"user","parts":[{"text":"This is the Gemini CLI. We are setting up the context for our chat."}]},
{"role":"model","parts":[{"text":"Got it."}]},
{"role":"user","parts":[{"text":"How deep?"}]},
{"role":"model","parts":[{"text":"I wonder.","thought":true},{"text":"I sound it."},{"functionCall":{"name":"sound","args":{"at":"quay"}},"thoughtSignature":"S"},{"functionCall":{"id":"c9","name":"read","args":{}}}]},
{"role":"user","parts":[{"functionResponse":{"name":"sound","response":{"output":"4.2 m"}}},{"functionResponse":{"id":"c9","name":"read","response":{"error":"none"}}},{"text":"And now?"}]},
{"role":"model","parts":[{"text":"4.2 m"}]}]'

@test "gemini-cli: checkpoints, of a chat and of a call" {
    jq -c '{history: ., authType: "oauth"}' <<<"$checkpoint" >in
    local messages=(
        "$(user 'This is the Gemini CLI. We are setting up the context for our chat.' '"origin":"injected"')" "$(says 'Got it.')" "$(user 'How deep?')"
        "$(acts '[{"type":"thinking","thinking":"I wonder."},{"type":"text","text":"I sound it."}]' '{"id":"call_1","type":"function","function":{"name":"sound","arguments":"{\"at\":\"quay\"}"},"x_gemini_cli":{"thoughtSignature":"S"}},{"id":"c9","type":"function","function":{"name":"read","arguments":"{}"}}')"
        "$(gets call_1 '4.2 m')" "$(gets c9 none '"is_error":true')" "$(user 'And now?')" "$(says '4.2 m')")
    makes ctx-normalize "${messages[@]}"
    makes 'ctx-normalize --from gemini-cli' "${messages[@]}"
    # What the interface showed, and the call that waits, only repeat the contents.
    jq -c '{history: [{id: 1, type: "user", text: "shown"}], clientHistory: ., toolCall: {name: "write", args: {}}, commitHash: "0"}' <<<"$checkpoint" >in
    makes ctx-normalize "${messages[@]}"
    jq -c . <<<"$checkpoint" >in
    makes ctx-normalize "${messages[@]}"
    jq . <<<"$checkpoint" >over
    same 'over lines' <(ctx-normalize in | jq -c .content) <(ctx-normalize over | jq -c .content)
    rm over
    # What a content is not is named.
    printf '{"history":[{"role":"user","parts":[{"text":"A"}]},{"role":"ghost","parts":[]},{"role":"model","parts":[{"executableCode":{"code":"c"}}]}]}\n' >in
    makes 'ctx-normalize' "$(user A)" '{"role":"ghost","parts":[]}' '{"role":"assistant","content":[{"executableCode":{"code":"c"}}]}' \
        '>>>2 ctx-normalize: in:1: unknown-shape: element 2 of a list is not understood' '>>>= 65'
}

@test "gemini-cli: without its first line, and behind lines of another format" {
    { asked a '"A"'; told b '"B"'; asked c '[{"text":"C"}]'; told d '"D"'; } >in
    makes 'ctx-normalize | jq -r .content' A B C D
    { user canonical; cat in; } >mixed
    mv mixed in
    makes 'ctx-normalize | jq -r .content' canonical A B C D
    # What says nothing but that it is the user's is named.
    { user canonical; raw '{"type":"user","content":[{"text":"A"}]}'; } >in
    makes 'ctx-normalize | jq -r ".role // .type"' user user \
        '>>>2 ctx-normalize: in:2: unknown-shape: a message that is not understood; looks like no known format' '>>>= 65'
    # A filter names what it would not see.
    { user canonical; asked a '"A"'; } >in
    spec <<'END'
ctx-project in >/dev/null
>>>2 ctx-project: in:2: other-dialect: the first of 1 records of another dialect beside messages; looks like gemini-cli
>>>= 65
END
}

@test "gemini-cli: what is not understood stays in its place, and is named when it speaks" {
    {
        header
        raw '{"id":"a","type":"strange","content":"A"}' '{"$rewindTo":null}' '{"type":"user"}'
        told b '[null,{"x":1}]'
        raw '{"sessionId":"s","projectHash":"h","messages":[]}' '{"id":"m","message":"x"}'
    } >in
    ctx-normalize in >out 2>err || may 65
    same 'kept' - out <<END
$(sed -n 2,4p in)
{"role":"assistant","content":[{"x":1}],"metadata":{"session_id":"s","timestamp":"t","id":"b"}}
$(sed -n 7p in)
END
    same 'named' - <(sort err) <<'END'
ctx-normalize: in:2: unknown-shape: a message that is not understood; looks like no known format
ctx-normalize: in:5: unknown-shape: a part of a content that is none
ctx-normalize: in:7: unknown-shape: a message that is not understood; looks like no known format
END
}

@test "gemini-cli: words in members of an odd type are said, kept or named" {
    {
        header
        told a '"A"' '"thoughts":[{"subject":[{"text":"S"}]},{"subject":"T","description":["D"]},{"subject":{"b":1},"description":"E"}]'
        raw '{"$set":{"summary":"S"},"id":"b","timestamp":"t","type":"user","content":"B"}' '{"$set":{"summary":"S"},"id":"c","timestamp":"t","content":"C"}' \
            '{"$set":{"messages":"words"}}' '{"$set":{"messages":null}}'
    } >in
    makes "ctx-normalize | jq -c '.content // .'" \
        '[{"subject":[{"text":"S"}]},{"type":"thinking","thinking":"T","x_gemini_cli":{"description":["D"]}},{"type":"thinking","thinking":"E","x_gemini_cli":{"subject":{"b":1}}},{"type":"text","text":"A"}]' \
        '"B"' '"C"' '{"$set":{"messages":"words"}}' \
        '>>>2 ctx-normalize: in:5: unknown-shape: messages that are set are no list' \
        '>>>2 ctx-normalize: in:4: unknown-shape: a message that is not understood; looks like no known format' '>>>= 65'
}

# An independent reader: what jq finds, of files without replacements.
own_counts() {
    jq -s -c '[.[] | if .messages then .messages[] else . end | select(.type != null)] |
        def texts: if type == "string" then . else [.. | .text? // empty] | join("") end;
        def said: [.content, .parts] | map(select(. != null) | texts) | join("");
        {users: [.[] | select(.type == "user") | said],
         texts: [.[] | select(.type == "gemini" or .type == "model") | said | select(. != "")],
         thoughts: [.[] | .thoughts[]? | [.subject, .description] | map(select(. != null)) | join("\n\n")],
         calls: [.[] | .toolCalls[]? | [.id, .name, .args]],
         results: [.[] | .toolCalls[]? | select(.result) | [.id, .result[0].functionResponse.response.output]]}' "$1"
}

read_counts() {
    jq -s -c 'def texts: if type == "string" then . elif . == null then "" else [.[] | select(.type == "text").text] | join("") end;
        {users: [.[] | select(.role == "user").content | texts],
         texts: [.[] | select(.role == "assistant").content | texts | select(. != "")],
         thoughts: [.[] | select(.role == "assistant").content | arrays | .[] | select(.type == "thinking").thinking],
         calls: [.[].tool_calls[]? | [.id, .function.name, (.function.arguments | fromjson)]],
         results: [.[] | select(.role == "tool") | [.tool_call_id, .content]]}' "$1"
}

@test "gemini-cli: real sessions say what jq finds in them" {
    local file count=0
    [[ -d $CTX_SHARED/gemini-cli ]] || skip 'no transcripts beside the tree'
    for file in "$CTX_SHARED"/gemini-cli/**/*.json*; do
        ctx-normalize --all "$file" >out
        same "$file" <(own_counts "$file") <(read_counts out)
        count=$((count + 1))
    done
    ((count > 9))
}
