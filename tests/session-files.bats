#!/usr/bin/env bats
#
# ctx-normalize --to of an agent: session files that the agent resumes.  make check-clients resumes them.

load helper
load dialogue
unsourced

agents='claude-code codex pi gemini-cli opencode'

setup() {
    fresh_directory
    cp "$ROOT/tests/clients/parts.jsonl" in
}

# said: what each message says, with its calls and whether it is an error, without thinking and how it is spelled.
said() {
    jq -c '[.role, ((.content // "") | if type == "string" then . else map(select(.type != "thinking") | .text // "image") | join("\n") end),
        [(.tool_calls // [])[] | [.function.name, .function.arguments]], .metadata.is_error // false]'
}

# record FILTER: the records that the filter gives of out, all of them objects.
record() { jq -c "$1" out; }

# session_id FILE: what the session is called.
session_id() { jq -rs '.[0] | .sessionId // .payload.id // .info.id // .id' "$1"; }

export -f said record

@test "session files: what is written is read again, by each agent's name" {
    local agent
    for agent in $agents; do
        ctx-normalize --to "$agent" in >out 2>err
        same "$agent" <(said <in) <(ctx-normalize --from "$agent" out | said)
        same "$agent: told by itself" <(ctx-normalize --from "$agent" out) <(ctx-normalize out)
    done
}

@test "session files: the same input gives the same bytes, and what is written once, too" {
    local agent last
    for agent in $agents; do
        ctx-normalize --to "$agent" in >one 2>err
        ctx-normalize --to "$agent" <in >two 2>err
        same "$agent" one two
        # Another last word makes another session, whose records before it are the same.
        sed '$s/Thanks/Thank you/' in | ctx-normalize --to "$agent" >two 2>err
        [[ $(session_id one) == *-*-8* && $(session_id one) != "$(session_id two)" ]]
        ! grep -q "$(session_id one | sed 's/^ses_//')" two || fail 'found'
        if [[ $agent != opencode ]]; then
            # A text of the user is two records of codex.
            last=$([[ $agent == codex ]] && echo 2 || echo 1)
            same "$agent: before the end" <(head -n "-$last" one) <(sed "s/$(session_id two)/$(session_id one)/g" two | head -n "-$last")
        fi
    done
}

@test "session files: the same beginning, and another time of the system text, are other sessions" {
    local agent
    for agent in $agents; do
        { system 'Be brief.'; user 'Go.' '"timestamp":"2026-05-01T09:00:02.250Z"'; } >one
        { cat one; says 'Gone.' '"timestamp":"2026-05-01T09:00:03.250Z"'; } >two
        sed 's/:02.250Z/:02.251Z/' one >three
        for log in one two three; do
            ctx-normalize --to "$agent" "$log" 2>err >out
            session_id out
            # The id is that of all records which have it, and of the one that is said.
            [[ $agent != claude-code || $(jq -r .sessionId out | sort -u | wc -l) == 1 ]]
        done
    done >ids
    [[ $(sort -u ids | wc -l) == 15 ]]
    # The first system message of codex is all that is there, but for its time.
    for at in 02 03; do
        raw "{\"role\":\"system\",\"content\":\"Be brief.\",\"metadata\":{\"timestamp\":\"2026-05-01T09:00:${at}Z\"}}" |
            ctx-normalize --to codex >out
        session_id out
    done >ids
    [[ $(sort -u ids | wc -l) == 2 ]]
}

@test "session files: what to type keeps a session that is there, and installs for its owner alone" {
    local said agent
    { user 'Go.'; says 'Gone.'; } >in
    mkdir home
    for agent in claude-code codex; do
        ctx-normalize -v --to "$agent" in 2>err >FILE
        said=$(sed 's/.*; to resume: //; s/; [^;]*$//' err)
        HOME=$PWD/home sh -c "$said"
        file=$(find home -name "*$(session_id FILE)*")
        same "$agent" FILE "$file"
        [[ $(stat -c %a "$file") == 600 ]]
        echo more >>"$file"
        HOME=$PWD/home sh -c "$said"
        [[ $(tail -n 1 "$file") == more ]]
    done
}

@test "session files: claude-code: a chain of records, which its loader follows from the last one" {
    ctx-normalize --to claude-code in >out
    [[ $(record .parentUuid) == "$(echo null; record .uuid | head -n -1)" ]]
    [[ $(record .uuid | sort -u | wc -l) == $(wc -l <in) && $(record .sessionId | sort -u | wc -l) == 1 ]]
    record 'select(.type != .message.role or .isSidechain or (.message.content | type) != "array")' >wrong
    [[ ! -s wrong ]]
    # Results and texts are the user's, an answer has an id of its own, and only what a client put in is meta.
    spec <<'END'
jq -r '"\(.type) \([.message.content[].type] | join(" ")) \(.isMeta)"' out
>>> user text image false
>>> assistant thinking text tool_use tool_use tool_use null
>>> user tool_result null
>>> user tool_result null
>>> user tool_result null
>>> assistant text text tool_use null
>>> user tool_result null
>>> assistant text null
>>> user text false
>>> user text true
>>> assistant tool_use null
>>> user tool_result null
>>> user text false
>>> assistant text null
>>> user text false
jq -r 'select(.type == "assistant") | "\(.message.id) \(.message.model) \(.message.stop_reason)"' out | sed 's/msg_[0-9a-f-]* /ID /'
>>> ID m tool_use
>>> ID m tool_use
>>> ID m end_turn
>>> ID m tool_use
>>> ID m end_turn
jq -c '.message.content[] | select(.type == "tool_result") | [.tool_use_id, .content, .is_error]' out
>>> ["s_1","",false]
>>> ["s_2","Exit code: 2\nthe lead line is caught",true]
>>> ["s_3","a\tb \\ \"c\" \u0001\r\nz",false]
>>> ["s_4",[{"type":"text","text":"the third page"},{"type":"text","text":"and its margin"}],false]
>>> ["s_5","{\"low\":-1.1}",false]
END
}

@test "session files: codex: a head, then items, of which calls and results are records of their own" {
    { system 'Be brief.'; developer 'Be kind.'; cat in; } >with
    ctx-normalize --to codex with >out 2>err
    [[ $(cat err) == 'ctx-normalize: left out, since codex has no place for it: 1 thinking' ]]
    spec <<'END'
jq -r '[.type, .payload.type, .payload.role, .payload.call_id] | map(select(. != null)) | join(" ")' out
>>> session_meta
>>> response_item message developer
>>> response_item message user
>>> event_msg user_message
>>> response_item message assistant
>>> response_item function_call s_1
>>> response_item function_call s_2
>>> response_item function_call s_3
>>> response_item function_call_output s_1
>>> response_item function_call_output s_2
>>> response_item function_call_output s_3
>>> response_item message assistant
>>> response_item function_call s_4
>>> response_item function_call_output s_4
>>> response_item message assistant
>>> response_item message user
>>> event_msg user_message
>>> response_item message user
>>> event_msg user_message
>>> response_item function_call s_5
>>> response_item function_call_output s_5
>>> response_item message user
>>> event_msg user_message
>>> response_item message assistant
>>> response_item message user
>>> event_msg user_message
head -n 1 out | jq -c '.payload | [.base_instructions.text, .cwd == env.PWD, .originator, (.id | length), .timestamp, .cli_version]'
>>> ["Be brief.",true,"ctx",36,"1970-01-01T00:00:00.000Z","0.169.0"]
jq -r 'select(.payload.type == "function_call") | .payload.arguments' out
>>> {"at":"ä ö","deep":{"x":null,"y":[1.5,true]}}
>>> {}
>>> {"page":2}
>>> {"page":3}
>>> {"day":"today"}
grep -vc '^{"timestamp":"[0-9T:.-]*Z","type":' out
>>> 0
>>>= 1
END
    # Thinking that only its provider reads goes back to it, and in its place.
    printf '%s\n' '{"role":"user","content":"Go."}' \
        '{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"thinking","thinking":"b","x_codex":{"encrypted_content":"E"}},{"type":"reasoning","summary":[],"encrypted_content":"F"},{"type":"text","text":"c"}]}' >in
    ctx-normalize --to codex in >out
    [[ $(head -n 1 out | jq -c '[.type, .payload.base_instructions]') == '["session_meta",null]' ]]
    [[ $(record '.payload | [.type, .encrypted_content, (.content[0].text // .summary[0].text)]' | tail -n 4 | tr -d '\n') == \
        '["message",null,"a"]["reasoning","E","b"]["reasoning","F",null]["message",null,"c"]' ]]
}

@test "session files: pi: a header with a directory that is there, and a chain of entries" {
    ctx-normalize --to pi in >out
    [[ $(head -n 1 out | jq -c '[.type, .version, .cwd]') == "[\"session\",3,\"$PWD\"]" ]]
    sed -i 1d out
    [[ $(record .parentId) == "$(echo null; record .id | head -n -1)" ]]
    spec <<'END'
jq -c '.message | [.role, .toolName, .isError, .stopReason, [.content[].type]]' out
>>> ["user",null,null,null,["text","image"]]
>>> ["assistant",null,null,"toolUse",["thinking","text","toolCall","toolCall","toolCall"]]
>>> ["toolResult","sound",false,null,[]]
>>> ["toolResult","sound",true,null,["text"]]
>>> ["toolResult","chart",false,null,["text"]]
>>> ["assistant",null,null,"toolUse",["text","text","toolCall"]]
>>> ["toolResult","chart",false,null,["text","text"]]
>>> ["assistant",null,null,"stop",["text"]]
>>> ["user",null,null,null,["text"]]
>>> ["user",null,null,null,["text"]]
>>> ["assistant",null,null,"toolUse",["toolCall"]]
>>> ["toolResult","tide",false,null,["text"]]
>>> ["user",null,null,null,["text"]]
>>> ["assistant",null,null,"stop",["text"]]
>>> ["user",null,null,null,["text"]]
ctx-normalize "$FIXTURES/pi-session.jsonl" | ctx-normalize --to pi | jq -c 'select(.message.role == "assistant") | .message | [.api, .provider, .model]'
>>> ["anthropic-messages","anthropic","claude-sonnet-4-5"]
>>> ["anthropic-messages","anthropic","claude-sonnet-4-5"]
END
}

@test "session files: gemini-cli: a call and its result are of one record, which waits for them" {
    ctx-normalize --to gemini-cli in >out
    [[ $(jq -s 'map(.id) | unique | length' out) == 11 && $(head -n 1 out | jq -r '.sessionId | length') == 36 ]]
    # Without times, the client takes those of the file, and does not remove it as one of long ago.
    { user '/etc/hosts is broken, why?'; says 'Why?'; user '[{"type":"text","text":" ? "}]'
        user '\n\u00a0/help me'; user '[{"type":"text","text":""},{"type":"text","text":"/x"}]'; user '[{"type":"text","text":"a"},{"type":"text","text":"/x"}]'; } >commands
    head -n 1 out | jq -e '(.startTime or .lastUpdated | not) and .projectHash != ""'
    spec <<'END'
sed 1d out | jq -c '[.type, [.content[] | keys[0]], [(.toolCalls // [])[] | [.status, .result[0].functionResponse.response]]]'
>>> ["user",["text","inlineData"],[]]
>>> ["gemini",["text"],[["success",{"output":""}],["error",{"error":"Exit code: 2\nthe lead line is caught"}],["success",{"output":"a\tb \\ \"c\" \u0001\r\nz"}]]]
>>> ["gemini",["text","text"],[["success",{"output":"the third page\nand its margin"}]]]
>>> ["gemini",["text"],[]]
>>> ["user",["text"],[]]
>>> ["user",["text"],[]]
>>> ["gemini",[],[["success",{"output":"{\"low\":-1.1}"}]]]
>>> ["user",["text"],[]]
>>> ["gemini",["text"],[]]
>>> ["user",["text"],[]]
ctx-normalize --to gemini-cli commands | wc -l
>>>2 ctx-normalize: left out, since gemini-cli has no place for it: 4 text that is a command
>>> 3
END
}

@test "session files: opencode: a document, whose ids and times are in the order of its messages" {
    ctx-normalize --to opencode in >out
    [[ $(wc -l <out) == 1 && $(jq -c '.messages | [(map(.info.id) | . == sort), (map(.info.time.created) | . == sort)]' out) == '[true,true]' ]]
    # Each id is there once, and as the import wants it.
    jq -e '[.info.id[:4]] + [.messages[] | .info.id[:4], .info.sessionID[:4], (.parts[] | .id[:4])] | unique == ["msg_","prt_","ses_"]' out
    jq -e '[.messages[] | .info.id, .parts[].id] | length == (unique | length)' out
    jq -e '. as $all | [.messages[] | .info.id as $id | .info.sessionID, .parts[].sessionID, (.parts[].messageID | if . == $id then $all.info.id else . end)] | unique == [$all.info.id]' out
    jq -e '[.messages[] | select(.info.role == "assistant") | .info.parentID] | unique | length == 3' out
    spec <<'END'
jq -c '.messages[].parts[] | [.type, .state.status, .state.output // .state.error]' out
>>> ["text",null,null]
>>> ["file",null,null]
>>> ["reasoning",null,null]
>>> ["text",null,null]
>>> ["tool","completed",""]
>>> ["tool","error","Exit code: 2\nthe lead line is caught"]
>>> ["tool","completed","a\tb \\ \"c\" \u0001\r\nz"]
>>> ["text",null,null]
>>> ["text",null,null]
>>> ["tool","completed","the third page\nand its margin"]
>>> ["text",null,null]
>>> ["text",null,null]
>>> ["text",null,null]
>>> ["tool","completed","{\"low\":-1.1}"]
>>> ["text",null,null]
>>> ["text",null,null]
>>> ["text",null,null]
END
}

@test "session files: images of results, and what has no place leaves its name and is counted" {
    local image='{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}' agent
    {
        user "[{\"type\":\"document\",\"source\":{\"type\":\"base64\",\"media_type\":\"application/pdf\",\"data\":\"JVBE\"}},{\"type\":\"image\",\"source\":{\"type\":\"url\",\"url\":\"https://example.org/a.png\"}}]"
        acts "[$image]" "$(call c1 look '{}')" "$(call c2 look '{}')"
        raw "{\"role\":\"tool\",\"tool_call_id\":\"c1\",\"content\":[{\"type\":\"text\",\"text\":\"seen\"},$image]}"
        raw "{\"role\":\"tool\",\"tool_call_id\":\"c2\",\"content\":[{\"type\":\"text\",\"text\":\"torn\"},$image],\"metadata\":{\"is_error\":true}}"
    } >in
    cat >wanted <<'END'
claude-code 1 image
["user","image\nimage",[],false]["assistant","[image]",[["look","{}"],["look","{}"]],false]["tool","seen\nimage",[],false]["tool","torn\nimage",[],true]
codex 1 document, 1 image, 1 is_error
["user","[document]\nimage",[],false]["assistant","[image]",[["look","{}"],["look","{}"]],false]["tool","seen\nimage",[],false]["tool","torn\nimage",[],false]
pi 1 document, 2 image
["user","[document]\n[image]",[],false]["assistant","[image]",[["look","{}"],["look","{}"]],false]["tool","seen\nimage",[],false]["tool","torn\nimage",[],true]
gemini-cli 1 document, 2 image
["user","[document]\n[image]",[],false]["assistant","[image]",[["look","{}"],["look","{}"]],false]["tool","seen\nimage",[],false]["tool","torn\nimage",[],true]
opencode 1 document, 3 image
["user","[document]\n[image]",[],false]["assistant","[image]",[["look","{}"],["look","{}"]],false]["tool","seen\nimage",[],false]["tool","torn\n[image]",[],true]
END
    for agent in $agents; do
        ctx-normalize --to "$agent" in >out 2>err
        printf '%s %s\n' "$agent" "$(sed "s/.*: //" err)"
        ctx-normalize --from "$agent" out | said | tr -d '\n'
        echo
    done >got
    same 'all five' wanted got
}

@test "session files: what an agent has no place for: system messages, context, other agents, thinking" {
    {
        context 'You keep lamps.'
        system 'Be brief.'
        user 'Go.'
        says 'Aside.' '"agent_id":"a","parent_execution_id":"e"'
        says '[{"type":"thinking","thinking":"unsigned"}]'
        says 'Gone.'
        raw '{"type":"note"}'
        system 'Late.'
    } >in
    spec <<'END'
ctx-normalize --to claude-code in | jq -c '.message.content'
>>> [{"type":"text","text":"Go."}]
>>> [{"type":"text","text":"Gone."}]
>>>2 ctx-normalize: 1 record without a place in the output left out
>>>2 ctx-normalize: left out, since claude-code has no place for it: 1 context, 2 system, 1 thinking, 1 sub-agent
END
    ctx-normalize --to pi --report report in >out 2>err
    [[ $(jq -c .dropped report) == '{"context":1,"system":2,"sub-agent":1}' ]]
}

@test "session files: a file is one session, and several are refused" {
    spec <<'END'
ctx-normalize --to pi --session-key metadata.session_id "$FIXTURES/ctx-two-sessions.jsonl"
>>>2 ctx-normalize: several sessions, and a file of pi has one: pick it with --session-key metadata.session_id and ctx-select session=ID
>>>= 65
END
    spec <<'END'
ctx-normalize --to codex "$FIXTURES/claude-code-session.jsonl" "$FIXTURES/claude-code-parallel.jsonl" | wc -l
>>>2 ctx-normalize: several sessions, and a file of codex has one: pick it with --session-key metadata.session_id and ctx-select session=ID
>>> 0
ctx-select session=s2 "$FIXTURES/ctx-two-sessions.jsonl" | ctx-normalize --to pi --session-key metadata.session_id | wc -l
>>> 5
ctx-normalize --to pi </dev/null
END
}

@test "session files: -v says what to type to resume it" {
    { user 'Go.' '"timestamp":"2026-05-01T09:00:02.250Z"'; says 'Gone.' '"timestamp":1777626003000'; } >in
    for agent in $agents; do
        ctx-normalize -v --to "$agent" in 2>&1 >out | sed "s/.*; to resume: //; s/[0-9a-f]\{8\}-[0-9a-f-]\{27\}/ID/g; s/${PWD//[^A-Za-z0-9]/-}/DIRECTORY/"
    done >said
    cat >wanted <<'END'
f=~/.claude/projects/DIRECTORY/ID.jsonl; [ -e "$f" ] || install -m 600 -D FILE "$f"; claude --resume ID
f=~/.codex/sessions/2026/05/01/rollout-2026-05-01T09-00-03-ID.jsonl; [ -e "$f" ] || install -m 600 -D FILE "$f"; codex resume ID
pi --session FILE
gemini --session-file FILE
opencode import FILE; opencode --session ses_ID
END
    same 'what to type' wanted said
    ctx-normalize -v --to opencode in 2>err >out
    grep -q "$(jq -r .info.id out)" err
}

@test "session files: times are those of the messages, or of the one before; for opencode they never go back" {
    { user a; says b '"timestamp":"2026-05-01T09:00:02.250Z"'; user c; says d '"timestamp":5'; user e '"timestamp":1e30'; } >in
    spec <<'END'
ctx-normalize --to pi in | jq -c '[.timestamp, .message.timestamp]'
>>> ["1970-01-01T00:00:00.000Z",null]
>>> ["1970-01-01T00:00:00.000Z",0]
>>> ["2026-05-01T09:00:02.250Z",1777626002250]
>>> ["2026-05-01T09:00:02.250Z",1777626002250]
>>> ["1970-01-01T00:00:05.000Z",5000]
>>> ["1970-01-01T00:00:05.000Z",5000]
ctx-normalize --to opencode in | jq -c '[.messages[].info.time.created], .info.time'
>>> [0,1777626002250,1777626002250,1777626002250,1777626002250]
>>> {"created":0,"updated":1777626002250}
END
}

@test "session files: calls: ids that come back, arguments of other types, and results that are still due" {
    {
        user Go.
        raw '{"role":"assistant","content":null,"tool_calls":[{"id":"a.b","function":{"name":"x y","arguments":"{\"n\":\n1}"}},{"id":"a.b","function":{"name":"x","arguments":[1]}}]}'
        gets a.b one
        gets a.b two
        raw '{"role":"assistant","content":"again","tool_calls":[{"id":"a.b","function":{"name":"x","arguments":"not json"}},{"id":"c","function":{"name":"x"}}]}'
        gets a.b three
    } >in
    spec <<'END'
ctx-normalize --to claude-code in | jq -c '.message.content[] | [.id // .tool_use_id, .name, .input // .content]'
>>> [null,null,null]
>>> ["a_b","x_y",{"n":1}]
>>> ["a_b-2","x",{"arguments":[1]}]
>>> ["a_b",null,"one"]
>>> ["a_b-2",null,"two"]
>>> [null,null,null]
>>> ["a_b-3","x",{"arguments":"not json"}]
>>> ["c","x",{}]
>>> ["a_b-3",null,"three"]
>>> ["c",null,"[no result]"]
ctx-normalize --to codex in 2>/dev/null | jq -c 'select(.payload.arguments) | .payload.arguments'
>>> "{\"n\":\n1}"
>>> "{\"arguments\":[1]}"
>>> "not json"
>>> "{}"
ctx-normalize --to opencode --open-calls keep in | jq -c '.messages[].parts[] | select(.tool) | [.callID, .state.status, .state.output]'
>>> ["a_b","completed","one"]
>>> ["a_b-2","completed","two"]
>>> ["a_b-3","completed","three"]
>>> ["c","pending",null]
ctx-normalize --to gemini-cli --open-calls keep in | jq -c 'select(.toolCalls[0]) | [.toolCalls[] | [.id, .status]]'
>>> [["a_b","success"],["a_b-2","success"]]
>>> [["a_b-3","success"],["c","cancelled"]]
END
}

@test "session files: a part of another type leaves its name, however long that is" {
    # Lengths at which the memory of a text is full, and moves.
    local agent len
    for agent in $agents; do
        for len in 1000 4070 32740 131000; do
            raw "{\"role\":\"user\",\"content\":[{\"type\":\"$(printf "%${len}s" '' | tr ' ' w)\"}]}"
        done | ctx-normalize --to "$agent" >out 2>err
        [[ $(cat err) == "ctx-normalize: left out, since $agent has no place for it: 4 others" ]]
        [[ $(ctx-normalize out | jq -c '.content | length' | tr '\n' ' ') == '1002 4072 32742 131002 ' ]]
    done
}

@test "session files: ids of calls: codex cuts them to 64 bytes, pi keeps the two of OpenAI in one" {
    local a b
    a=$(printf '%070d' 0) b=$(printf '%064d' 0)
    {
        user Go.
        acts Look. "$(call "$a" x '{}')" "$(call "${a}1" x '{}')" "$(call "$b" x '{}')" "$(call 'call_a|fc_b' x '{}')" "$(call 'a|b' x '{}')"
        gets "$a" one && gets "${a}1" two && gets "$b" three && gets 'call_a|fc_b' four && gets 'a|b' five
        acts Look. "$(call 'call_a|fc_b' x '{}')"
        gets 'call_a|fc_b' six
    } >in
    ctx-normalize --to codex in >out
    record 'select(.payload.call_id) | .payload.call_id' >ids
    [[ $(sort ids | uniq -c | awk '{ print $1 }' | sort -u) == 2 && $(awk '{ print length - 2 }' ids | sort -n | tail -n 1) == 64 ]]
    [[ $(record 'select(.payload.output) | .payload.output' | tr '\n' ' ') == '"one" "two" "three" "four" "five" "six" ' ]]
    same 'a second run' out <(ctx-normalize --to codex out)
    ctx-normalize --to pi in >out
    same 'a second run of pi' out <(ctx-normalize --to pi out)
    spec <<'END'
jq -r '.message | select(.toolCallId) | .toolCallId' out | tail -n 3
>>> call_a|fc_b
>>> a_b
>>> call_a_fc_b-2
ctx-normalize --to claude-code in | jq -r '.message.content[] | select(.tool_use_id) | .tool_use_id' | tail -n 3
>>> call_a_fc_b
>>> a_b
>>> call_a_fc_b-2
END
}

@test "session files: opencode: each parent of an answer is a message of the file, and one in front of all questions, too" {
    { says 'I wait.'; user 'Go.'; says 'Gone.'; } >in
    ctx-normalize --to opencode in >out
    jq -e '[.messages[].info.id] as $ids | [.messages[].info.parentID | select(.) | . as $id | $ids | index($id)] == [0, 1]' out
}

@test "session files: codex: an image of the instructions, and thinking that is not the assistant's, are counted" {
    local agent
    {
        raw '{"role":"system","content":[{"type":"text","text":"Be brief."},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}],"reasoning_content":"a"}'
        raw '{"role":"user","content":"Go.","reasoning_content":"b"}'
    } >in
    ctx-normalize --to codex in >out 2>err
    [[ $(cat err) == 'ctx-normalize: left out, since codex has no place for it: 2 reasoning_content, 1 image_url' ]]
    [[ $(head -n 1 out | jq -c .payload.base_instructions.text) == '"Be brief.\n[image_url]"' ]]
    for agent in $agents; do
        ctx-normalize --to "$agent" in 2>err >out
        ! grep -q '"b"' out || fail 'found'
        grep -q '[12] reasoning_content' err
    done
}

@test "session files: the directory is metadata.cwd of the first message, or the one of the process" {
    local agent directory
    mkdir here 'there ü😀'
    { user Go. '"cwd":"/srv/a b/ü"'; says Gone.; } >said
    { user Go.; says Gone.; } >unsaid
    for agent in claude-code codex pi opencode; do
        (cd here && ctx-normalize --to "$agent" ../said 2>err | jq -r '[.. | strings | select(startswith("/"))] | unique[]' | sort -u)
        (cd 'there ü😀' && ctx-normalize -v --to "$agent" ../unsaid 2>../err | jq -r '[.. | strings | select(startswith("/"))] | unique[]' | sort -u)
        [[ $agent != claude-code ]] || grep -c "/$(pwd | tr -c 'A-Za-z0-9\n' -)-there----/" err
        # The same bytes in one directory, and other sessions in another.
        same "$agent" <(cd here && ctx-normalize --to "$agent" ../unsaid) <(cd here && ctx-normalize --to "$agent" ../unsaid)
        [[ $(cd here && ctx-normalize --to "$agent" ../unsaid | session_id /dev/stdin) != "$(ctx-normalize --to "$agent" unsaid | session_id /dev/stdin)" ]]
    done >out
    same 'directories' <(for agent in 1 2 3 4; do printf '%s\n' '/srv/a b/ü' "$PWD/there ü😀"; ((agent != 1)) || echo 1; done) out
    rm -r here there* said unsaid err
}

@test "ctx-normalize --to: an answer that names no model is of the one before, or of the first that is named" {
    printf '{"role":"%s","content":"%s"%s}\n' user A '' assistant B '' assistant C ',"metadata":{"model":"m1"}' \
        user D '' assistant E '' assistant F ',"metadata":{"model":"m2"}' user G '' assistant H '' >in
    local agent
    for agent in claude-code pi gemini-cli opencode; do
        ctx-normalize --to "$agent" in 2>err | ctx-normalize |
            jq -r 'select(.role == "assistant") | "\(.content | tostring): \(.metadata.model)"' | same "$agent" - <(
            printf '%s\n' 'B: m1' 'C: m1' 'E: m1' 'F: m2' 'H: m2')
    done
    # No answer of the session names one.
    sed 's/,"metadata".*/}/' in | ctx-normalize --to gemini-cli 2>err | jq -r 'select(.type == "gemini").model' |
        same 'none' - <(printf '%s\n' unknown unknown unknown unknown unknown)
}
