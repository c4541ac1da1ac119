#!/usr/bin/env bats
#
# ctx-normalize: the formats that it reads and writes, record by record.

load helper
load dialogue
load api
unsourced

# blocks BLOCK...: an array of parts.  A BLOCK is JSON, or one of
#     text TEXT    thinks TEXT (and signed it)    uses ID TOOL [INPUT]    answers ID TEXT    shows URL
blocks() {
    local block rest all=
    for block; do
        rest=${block#* }
        case $block in
        'text '*) block="{\"type\":\"text\",\"text\":\"$rest\"}" ;;
        'thinks '*) block="{\"type\":\"thinking\",\"thinking\":\"$rest\",\"signature\":\"S\"}" ;;
        'uses '*)
            [[ $rest == *' {'* ]] || rest+=' {}'
            block="{\"type\":\"tool_use\",\"id\":\"${rest%% *}\",\"name\":\""
            rest=${rest#* }
            block+="${rest%% *}\",\"input\":${rest#* }}"
            ;;
        'answers '*) block="{\"type\":\"tool_result\",\"tool_use_id\":\"${rest%% *}\",\"content\":\"${rest#* }\"}" ;;
        'shows '*) block="{\"type\":\"image_url\",\"image_url\":{\"url\":\"$rest\"}}" ;;
        esac
        all+=,$block
    done
    printf '[%s]' "${all:1}"
}

# typed UUID TEXT [MEMBERS], answered UUID ID TEXT [MEMBERS]: lines of a Claude Code session, of the user
# and of the assistant (ID is that of its message).
typed() {
    text_value "$2"
    printf '{"type":"user","uuid":"%s"%s,"message":{"role":"user","content":%s}}\n' "$1" "${3:+,$3}" "$REPLY"
}

answered() {
    text_value "$3"
    printf '{"type":"assistant","uuid":"%s"%s,"message":{"id":"%s","role":"assistant","content":%s}}\n' \
        "$1" "${4:+,$4}" "$2" "$REPLY"
}

# bare: canonical records without the metadata that every line of a session file has.
bare() {
    jq -c 'del(.metadata.session_id, .metadata.timestamp, .metadata.usage, .metadata.model) |
        if .metadata == {} then del(.metadata) else . end'
}
export -f bare

# --- Claude Code --------------------------------------------------------------------------------

@test "claude-code: lines of one message.id are one message, results stand in call order" {
    spec <<'END'
ctx-normalize "$FIXTURES/claude-code-parallel.jsonl" | bare | jq -c 'del(.tool_calls[]?.function.arguments, .metadata.id)'
>>> {"role":"user","content":"Compare a.txt, b.txt and c.txt","metadata":{"parent_id":null}}
>>> {"role":"assistant","content":"Reading all three.","tool_calls":[{"id":"toolu_bell0001","type":"function","function":{"name":"Read"}},{"id":"toolu_bell0002","type":"function","function":{"name":"Read"}},{"id":"toolu_bell0003","type":"function","function":{"name":"Read"}}],"metadata":{}}
>>> {"role":"tool","tool_call_id":"toolu_bell0001","content":"     1→one\n","metadata":{}}
>>> {"role":"tool","tool_call_id":"toolu_bell0002","content":"     1→two\n","metadata":{"is_error":false,"parent_id":"msg_bell0001"}}
>>> {"role":"tool","tool_call_id":"toolu_bell0003","content":[{"type":"text","text":"File does not exist."}],"metadata":{"is_error":true,"parent_id":"msg_bell0001"}}
>>> {"role":"assistant","content":"a.txt has one, b.txt has two; there is no c.txt.","metadata":{}}
END
}

@test "claude-code: the metadata that is carried, the last usage among it" {
    {
        typed u1 hi '"sessionId":"s","timestamp":"t1"'
        raw '{"type":"assistant","uuid":"u2","sessionId":"s","timestamp":"t2","message":{"id":"m1","role":"assistant","model":"c","content":[{"type":"text","text":"a"}],"usage":{"output_tokens":1}}}'
        raw '{"type":"assistant","uuid":"u3","sessionId":"s","timestamp":"t3","message":{"id":"m1","role":"assistant","model":"c","content":[{"type":"text","text":"b"}],"usage":{"output_tokens":9}}}'
        raw '{"type":"user","uuid":"u4","sessionId":"s","timestamp":"t4","isMeta":true,"message":{"role":"user","content":"meta"},"toolUseResult":{"big":1}}'
    } >in
    makes 'ctx-normalize' "$(user hi '"id":"u1","session_id":"s","timestamp":"t1"')" \
        "$(says "$(blocks 'text a' 'text b')" '"id":"m1","session_id":"s","timestamp":"t2","model":"c","usage":{"output_tokens":9}')" \
        "$(user meta '"origin":"injected","id":"u4","session_id":"s","timestamp":"t4"')"
}

@test "claude-code: a text part that came alone becomes a string, other parts stay" {
    {
        typed 1 "$(blocks 'text a\u0041')" '"sessionId":"s"'
        typed 2 '[{"type":"text","text":"b","cache_control":{}}]' '"sessionId":"s"'
        typed 3 "$(blocks '{"type":"image","source":{"type":"url","url":"x"}}' 'text c')" '"sessionId":"s"'
        answered 4 m "$(blocks 'thinks t')" '"sessionId":"s"'
        answered 5 m "$(blocks '{"type":"tool_use","id":"a","name":"f","input":{"p" : [1.0]},"caller":{"type":"direct"}}')" '"sessionId":"s"'
    } >in
    makes 'ctx-normalize | bare' "$(user aA '"id":"1"')" \
        "$(user '[{"type":"text","text":"b","cache_control":{}}]' '"id":"2"')" \
        "$(user "$(blocks '{"type":"image","source":{"type":"url","url":"x"}}' 'text c')" '"id":"3"')" \
        "$(acts "$(blocks 'thinks t')" '{"id":"a","type":"function","function":{"name":"f","arguments":"{\"p\" : [1.0]}"},"caller":{"type":"direct"}}' '"id":"m"')"
}

@test "claude-code: what a client put in is injected, a human's text beside it is not" {
    {
        typed 1 '<command-name>/clear</command-name>'
        typed 2 '<local-command-stdout>x</local-command-stdout>'
        typed 3 "$(blocks 'text [Request interrupted by user]')"
        typed 4 "$(blocks 'text <system-reminder>r</system-reminder>' 'text human')"
        typed 5 'look at <system-reminder> here'
        typed 6 '\n <bash-input>ls</bash-input>'
    } >in
    makes "ctx-normalize | jq -c '[.content, .metadata.origin]'" \
        '["<command-name>/clear</command-name>","injected"]' \
        '["<local-command-stdout>x</local-command-stdout>","injected"]' \
        '["[Request interrupted by user]","injected"]' \
        '[[{"type":"text","text":"<system-reminder>r</system-reminder>"},{"type":"text","text":"human"}],null]' \
        '["look at <system-reminder> here",null]' '["\n <bash-input>ls</bash-input>","injected"]'
}

@test "claude-code: a command with arguments is the user's words, also in compaction" {
    {
        typed 1 '<command-message>plan is running…</command-message>\n<command-name>/plan</command-name>\n<command-args>fix the parser bug</command-args>'
        answered 2 m Planned.
        typed 3 '<command-name>/clear</command-name>\n<command-args> \n</command-args>'
        typed 4 "$(blocks 'text <command-name>/x</command-name><command-args>y <b></command-args>')"
        typed 5 '<local-command-stdout><command-args>no</command-args></local-command-stdout>'
        answered 6 n "$long$long"
        typed 7 Thanks.
        answered 8 o Done.
    } >in
    makes "ctx-normalize | jq -c 'select(.role == \"user\").metadata.origin'" null '"injected"' null \
        '"injected"' null
    spec <<'END'
ctx-normalize in | ctx-compact --force --keep-tokens 10 --target 150 | jq -r 'select(.metadata.id == "1").content' | tail -n 1
>>> <command-args>fix the parser bug</command-args>
END
}

@test "claude-code: results, and what else stands in their line" {
    {
        answered 1 m "$(blocks 'uses a f')"
        answered 2 m "$(blocks 'uses b f')"
        typed 3 "$(blocks '{"type":"tool_result","tool_use_id":"b","content":[{"type":"text","text":"no"}],"is_error":true}' '{"type":"tool_result","tool_use_id":"a","is_error":false}' 'text go on')"
    } >in
    makes 'ctx-normalize | bare' "$(acts null "$(call a f '{}')" "$(call b f '{}')" '"id":"m"')" \
        "$(gets a '' '"is_error":false')" "$(gets b "$(blocks 'text no')" '"is_error":true')" "$(user 'go on' '"id":"3"')"
}

@test "claude-code: errors of the API, queued messages, repeated lines, and what is no conversation" {
    {
        raw '{"type":"summary","summary":"a title","leafUuid":"9"}'
        typed 1 hi '"sessionId":"s"'
        raw '{"type":"file-history-snapshot","sessionId":"s"}'
        raw '{"type":"system","subtype":"turn_duration","uuid":"2","sessionId":"s"}'
        typed 1 hi '"sessionId":"resumed"'
        raw '{"type":"assistant","uuid":"3","isApiErrorMessage":true,"message":{"id":"m1","model":"<synthetic>","role":"assistant","content":[{"type":"text","text":"API Error"}]}}'
        raw '{"type":"attachment","uuid":"4","attachment":{"type":"queued_command","prompt":"faster","commandMode":"prompt"}}'
        raw '{"type":"attachment","uuid":"6","attachment":{"type":"queued_command","prompt":{"type":"text","text":"now"}}}'
        raw '{"type":"attachment","uuid":"7","attachment":{"prompt":"untyped"}}'
        raw '{"type":"attachment","uuid":"5","attachment":{"type":"hook_success","content":"x","prompt":"y"}}'
        raw '[5]'
    } >in
    makes 'ctx-normalize | jq -c objects | bare' "$(user hi '"id":"1"')" \
        "$(says 'API Error' '"origin":"error","is_error":true,"id":"m1"')" "$(user faster '"id":"4"')" "$(user now '"id":"6"')" "$(user untyped '"id":"7"')"
}

@test "claude-code: what the client keeps of its requests is no conversation" {
    {
        typed 1 hi '"parentUuid":null,"sessionId":"s"'
        raw '{"type":"api-request-shape","sessionId":"s","shapeHash":"0","shape":{"system":[{"type":"text","text":"You are"}],"tools":[]}}' \
            '{"type":"api-request-blob","sessionId":"s","hash":"1","message":{"role":"user","content":[{"type":"text","text":"hi"}]}}' \
            '{"type":"api-request-blob","sessionId":"s","hash":"2","message":{"role":"system","content":[],"output_config":{"effort":"medium"}}}' \
            '{"type":"api-request","sessionId":"s","id":"3","tail":["1","2"]}' '{"type":"api-request-resumed","sessionId":"s","id":"4"}'
        answered 2 m '[{"type":"text","text":"ho"}]' '"parentUuid":"1","sessionId":"s"'
        raw '{"type":"cost-state","sessionId":"s","totalCostUSD":0.5}' '{"type":"tools-used","tools":["Bash"],"sessionId":"s"}' \
            '{"type":"file-history-delta","messageId":"1"}'
    } >in
    makes 'ctx-normalize | bare' "$(user hi '"id":"1","parent_id":null')" "$(says ho '"id":"m"')"
    ctx-normalize -v in 2>&1 >/dev/null | grep -q 'no conversation: 1 api-request-shape, 2 api-request-blob, 1 api-request, 1 api-request-resumed, '
    # They are in no one's way: the chain is whole, and only --gc takes them out.
    ctx-normalize --check --from claude-code in
    same 'nothing changed' in <(ctx-normalize --repair --into in <(command ctx-normalize in))
    same 'swept' <(sed '2,6d;$d' in) <(ctx-normalize --gc in)
}

@test "claude-code: sidechains are a sub-agent's trace, told by agentId or by their chain" {
    {
        typed 1 hi '"parentUuid":null,"isSidechain":false,"sessionId":"s"'
        typed 2 one '"parentUuid":null,"isSidechain":true,"sessionId":"s"'
        typed 3 two '"parentUuid":null,"isSidechain":true,"sessionId":"s"'
        answered 4 m 'one!' '"parentUuid":"2","isSidechain":true'
        answered 5 n 'two!' '"parentUuid":"3","isSidechain":true'
        typed 6 three '"isSidechain":true,"agentId":"a"'
    } >in
    makes "ctx-normalize | jq -c '[.content, .metadata.agent_id, .metadata.parent_execution_id]'" \
        '["hi",null,null]' '["one","2","1"]' '["two","3","1"]' '["one!","2","1"]' '["two!","3","1"]' \
        '["three","a","1"]'
}

@test "claude-code: a sub-agent's own file is its own thread" {
    { typed 1 go '"isSidechain":true,"agentId":"a","sessionId":"s"'; } >in
    makes 'ctx-normalize | bare' "$(user go '"id":"1","agent_id":"a"')"
}

@test "claude-code: of a compacted session the summary and what follows, or all" {
    spec <<'END'
ctx-normalize "$FIXTURES/claude-code-compacted.jsonl" | jq -c '[.role, .metadata.kind, .metadata.scope]'
echo
ctx-normalize --all "$FIXTURES/claude-code-compacted.jsonl" | jq -c '[.role, .metadata.kind, .metadata.scope]'
>>> ["user","summary","historical"]
>>> ["user",null,null]
>>> ["user",null,null]
>>> ["assistant",null,null]
>>> 
>>> ["user",null,null]
>>> ["assistant",null,null]
>>> ["tool",null,null]
>>> ["user","summary","historical"]
>>> ["user",null,null]
>>> ["user",null,null]
>>> ["assistant",null,null]
END
}

@test "claude-code: what a sub-agent compacts takes nothing from the session" {
    {
        typed 1 hi '"isSidechain":false'
        raw '{"type":"system","subtype":"compact_boundary","uuid":"2","isSidechain":true,"agentId":"a"}'
        typed 3 'so far' '"isSidechain":true,"agentId":"a","isCompactSummary":true'
    } >in
    makes 'ctx-normalize | jq -r .content' hi 'so far'
}

@test "claude-code: a part that comes after a human spoke is a message of its own" {
    { answered 1 m "$(blocks 'text a')"; typed 2 but; answered 3 m "$(blocks 'text b')"; } >in
    makes 'ctx-normalize | bare' "$(says a '"id":"m"')" "$(user but '"id":"2"')" "$(says b '"id":"3"')"
}

# child PARENT: the member of a line that names its parent, null or the uuid of a line.
child() {
    [[ $1 == null ]] && printf '"parentUuid":null' || printf '"parentUuid":"%s"' "$1"
}

# parents: the id and the parent_id of each message, "before" where it says none.
parents() {
    jq -r '.metadata | "\(.id) \(if has("parent_id") then .parent_id else "before" end)"'
}
export -f parents

@test "claude-code: parent_id is the nearest message above that is written, and left out where that is the one before" {
    {
        typed u1 One. "$(child null)"
        raw "{\"type\":\"progress\",\"uuid\":\"p1\",$(child u1)}"
        answered l1 a1 "$(blocks 'text First.')" "$(child p1)"
        answered l2 a1 "$(blocks 'uses c1 read')" "$(child l1)"
        answered l3 a1 "$(blocks 'uses c2 read')" "$(child l2)"
        typed r1 "$(blocks 'answers c1 x')" "$(child l2)"
        typed r2 "$(blocks 'answers c2 y')" "$(child l3)"
        answered l4 a2 Done. "$(child r2)"
        raw "{\"type\":\"system\",\"uuid\":\"p2\",$(child r1)}"
        typed u2 'Or so.' "$(child p2)"
        raw "{\"type\":\"attachment\",\"uuid\":\"p3\",$(child u2),\"attachment\":{\"type\":\"hook_success\"}}"
        answered l5 a3 Second. "$(child p3)"
        typed u3 Anew. "$(child null)"
        typed u4 Lost. "$(child nobody)"
        typed u5 'No parent.'
    } >in
    makes 'ctx-normalize --from claude-code | parents' 'u1 null' 'a1 before' 'r1 before' 'r2 a1' 'a2 before' \
        'u2 r1' 'a3 before' 'u3 null' 'u4 nobody' 'u5 before'
    makes "ctx-normalize | ctx-project --view all --leaf a2 | jq -r '.metadata.id'" u1 a1 r1 r2 a2
    makes "ctx-normalize | ctx-project --view all --leaf a3 | jq -r '.metadata.id'" u1 a1 r1 r2 u2 a3
    makes "ctx-normalize | ctx-project --view all --leaf u3 | jq -r '.metadata.id'" u3
    # A stranger's parents are not believed, and a second run changes nothing.
    makes 'ctx-normalize --untrusted | jq -c .metadata | sort -u' null
    ctx-normalize in >again
    same 'a second run' again <(ctx-normalize again)
}

@test "claude-code: the last message of a line has its id, and a message that says nothing has no children" {
    {
        typed u1 One. "$(child null)"
        answered l1 a1 "$(blocks 'uses c1 read')" "$(child u1)"
        typed u2 "$(blocks 'answers c1 x' 'text Go on.')" "$(child l1)"
        answered l2 a2 Second. "$(child u2)"
        typed u3 ' ' "$(child u1)"
        typed u4 Three. "$(child u3)"
        answered l3 a3 "$(blocks 'text ')" "$(child u4)"
        typed u5 Four. "$(child l3)"
        raw "{\"type\":\"user\",\"uuid\":\"u6\",$(child u2),\"message\":{\"role\":\"user\",\"content\":[]}}"
        typed u7 Five. "$(child u6)"
    } >in
    makes 'ctx-normalize | parents' 'u1 null' 'a1 before' 'null before' 'u2 before' 'a2 before' 'u4 u1' 'u5 u4' 'u7 u2'
    makes "ctx-normalize | ctx-project --view all --leaf u7 | jq -c '.content'" '"One."' null '"x"' '"Go on."' '"Five."'
    makes "ctx-normalize | ctx-project --view all --leaf u5 | jq -c '.content'" '"One."' '"Three."' '"Four."'
}

@test "claude-code: a sub-agent is a tree of its own, and a compaction goes on with what stood before it" {
    {
        typed u1 One. "$(child null),\"sessionId\":\"s\""
        typed s1 'Find it.' "$(child null),\"isSidechain\":true,\"agentId\":\"a\",\"sessionId\":\"s\""
        answered l1 a1 First. "$(child u1),\"sessionId\":\"s\""
        answered l2 b1 Found. "$(child s1),\"isSidechain\":true,\"agentId\":\"a\",\"sessionId\":\"s\""
    } >in
    makes 'ctx-normalize | parents' 'u1 null' 's1 null' 'a1 u1' 'b1 s1'
    makes "ctx-normalize | ctx-project --view all --leaf last | jq -r .content" One. First.
    makes "ctx-normalize | ctx-project --view all --leaf b1 | jq -r .content" 'Find it.' Found.
    {
        raw "{\"type\":\"system\",\"subtype\":\"compact_boundary\",\"uuid\":\"p1\",$(child null),\"logicalParentUuid\":\"l1\",\"sessionId\":\"s\"}"
        typed k1 'So far.' "$(child p1),\"isCompactSummary\":true,\"sessionId\":\"s\""
        typed u2 Two. "$(child k1),\"sessionId\":\"s\""
        typed u3 'Back to One.' "$(child u1),\"sessionId\":\"s\""
    } >>in
    makes 'ctx-normalize | parents' 'k1 null' 'u2 before' 'u3 null'
    makes 'ctx-normalize --all | parents' 'u1 null' 's1 null' 'a1 u1' 'b1 s1' 'k1 a1' 'u2 before' 'u3 u1'
    makes "ctx-normalize --all | ctx-project --view all --leaf u2 | jq -r .content" One. First. 'So far.' Two.
    # Behind canonical messages and other files each parent is named.
    user Hello. '"id":"h1"' >other
    typed u4 Three. "$(child u2),\"sessionId\":\"s\"" >more
    makes 'ctx-normalize in other more | parents' 'k1 null' 'u2 before' 'u3 null' 'h1 before' 'u4 u2'
}

@test "claude-code: a bad line keeps its place" {
    { typed 1 a; raw '{"type":"user",'; typed 2 b; } >in
    makes 'ctx-normalize | cut -c -40' '{"role":"user","content":"a","metadata":' 2 \
        '{"role":"user","content":"b","metadata":' '>>>2 ctx-normalize: in:2: unexpected end, at byte 16' \
        '>>>= 65'
}

@test "claude-code: a file of titles only, or of nothing, gives nothing" {
    { raw '{"type":"summary","summary":"a title","leafUuid":"9"}'; } >in
    makes 'ctx-normalize'
    spec <<'END'
ctx-normalize --from claude-code
END
}

@test "claude-code: what became of the lines of an import" {
    { cat "$FIXTURES/claude-code-compacted.jsonl"; raw '{"type":"brand-new"}'; } >in
    spec <<'END'
ctx-normalize -v --report report in 2>&1 >/dev/null | sed 's/^ctx-normalize: //'
jq -c '[.records, .messages, .written, .changed, .added, .made, .skipped, .passed, .compacted, .unknown_shapes]' report
rm report
>>> 11 records, 4 messages in; 4 messages out, 4 changed; 0 records added; 4 messages made; 3 before a compaction left out (7 messages with --all); no conversation: 1 summary, 1 system; passed: 1 brand-new
>>> [11,4,4,4,0,4,{"summary":1,"system":1},{"brand-new":1},3,0]
END
}

# --- What is not understood ---------------------------------------------------------------------

@test "canonical records pass the reader of Claude Code, wherever they stand" {
    {
        context s; raw '{ "role":"user" , "content":"hi"}'; wants a:f; gets a 1; says x '"pinned":true'
        raw '{"type":"budget"}'
    } >in
    keeps 'ctx-normalize --from claude-code'
    ctx-normalize --from claude-code in >again
    same 'a second run' in <(ctx-normalize --from claude-code again)
    { raw '{"type":"summary","summary":"t","leafUuid":"9"}'; user u; says v; } >in
    makes 'ctx-normalize' 2-3
    { typed 1 a '"sessionId":"s"'; user u; answered 2 m b '"sessionId":"s"'; says v; user w; } >in
    makes 'ctx-normalize | jq -r .content' a u b v w
    makes 'ctx-normalize --all | jq -r .content' a u b v w
}

@test "each operand is told by itself" {
    { typed 1 a '"sessionId":"s"'; } >claude
    { user u; says "$(blocks 'uses c f')"; user "$(blocks 'answers c 1')"; } >chat
    { raw '{"messages":[{"role":"user","content":"r"}]}'; } >request
    # Of titles no message is made, whatever stood before.
    raw '{"type":"summary","summary":"t","leafUuid":"x"}' >titles
    spec <<'END'
ctx-normalize claude chat request claude | jq -c '[.role, .content]'
ctx-normalize chat titles request claude | jq -c '[.role, .content]'
>>> ["user","a"]
>>> ["user","u"]
>>> ["assistant",null]
>>> ["tool","1"]
>>> ["user","r"]
>>> ["user","u"]
>>> ["assistant",null]
>>> ["tool","1"]
>>> ["user","r"]
>>> ["user","a"]
END
}

@test "a line that speaks and is not understood is named and stays, or is set aside" {
    {
        typed 1 a '"sessionId":"s"'
        raw '{"type":"tool_result","sessionId":"s","uuid":"2","message":{"role":"tool","content":"r"}}'
        raw '{"type":"user","sessionId":"s","uuid":"3","message":{"role":"user","parts":[{"text":"p"}]}}'
        raw '{"type":"brand-new","sessionId":"s","uuid":"4","x":1}'
        answered 5 m b '"sessionId":"s"'
    } >in
    makes 'ctx-normalize | jq -c "[.role, .uuid]"' '["user",null]' '[null,"2"]' '[null,"3"]' '[null,"4"]' \
        '["assistant",null]' \
        '>>>2 ctx-normalize: in:2: unknown-shape: a message that is not understood; looks like claude-code' \
        '>>>2 ctx-normalize: in:3: unknown-shape: a message that is not understood; looks like qwen-code' \
        '>>>= 65'
    sed '2,4!d' in >wanted
    status_of 65 ctx-normalize --report counts in >once 2>err
    same 'how many' <(echo 2) <(jq .unknown_shapes counts)
    status_of 65 ctx-normalize --check once
    makes 'ctx-normalize --to openai --bad-file aside 2>err' "$(user a)" "$(says b)" '>>>= 65' \
        '>>>+ aside' '>>>+ err'
    same 'what is set aside' wanted aside
    { typed 1 a '"sessionId":"s"'; raw '{"type":"brand-new","sessionId":"s","x":1}' '[5]'; } >in
    makes "ctx-normalize --report report | jq -c ." "$(user a '"id":"1","session_id":"s"')" 2-3 \
        '>>>+ report'
    same 'what passed' <(echo '{"brand-new":1,"value":1}') <(jq -c .passed report)
}

@test "a role whose content stands in no member that is known is kept and named" {
    {
        user u
        raw '{"type":"message","role":"assistant","text":"Ok"}'
        raw '{"role":"user","message":{"content":[{"type":"text","text":"p"}]}}'
        raw '{"role":"assistant","refusal":"no"}' '{"role":"assistant","reasoning_content":"r"}'
        raw '{"role":"assistant","x":1,"metadata":{"tool_calls":[]}}' '{"role":"assistant","name":"x"}'
    } >in
    makes 'ctx-normalize' 1-6 \
        '>>>2 ctx-normalize: in:2: unknown-shape: a role without content; looks like no known format' \
        '>>>2 ctx-normalize: in:3: unknown-shape: a role without content; looks like cursor, which is not read by this version' \
        '>>>= 65'
    makes 'ctx-normalize --check' \
        '>>>2 ctx-normalize: in:2: unknown-shape: a role without content; looks like no known format' \
        '>>>2 ctx-normalize: in:3: unknown-shape: a role without content; looks like cursor, which is not read by this version' \
        ">>>2 ctx-normalize: in:7: empty-message: message of 'assistant' is empty" '>>>= 1'
    # Other formats' members beside a content that is there and empty.
    {
        raw '{"role":"user","content":"","parts":[{"type":"text","content":"p"}]}' '{"role":"assistant","content":null,"text":"t"}'
        raw '{"role":"user","content":"u","parts":[{"type":"text","content":"p"}]}' '{"role":"assistant","content":"","tool_calls":[{"id":"c","function":{"name":"f"}}],"text":"t"}' '{"role":"tool","tool_call_id":"c","content":"","text":"t"}'
        raw '{"role":"assistant","content":"","refusal":"no","parts":[{"text":"p"}]}' '{"role":"user","content":"","metadata":{"pinned":true},"parts":[],"text":" "}'
    } >in
    makes 'ctx-normalize' 1-7 \
        '>>>2 ctx-normalize: in:1: unknown-shape: a role without content; looks like otel' \
        '>>>2 ctx-normalize: in:2: unknown-shape: a role without content; looks like no known format' \
        '>>>= 65'
    makes 'ctx-budget --json >/dev/null' \
        '>>>2 ctx-budget: in:1: unknown-shape: the first of 2 messages with a role without content; looks like otel' \
        '>>>= 65'
    for i in {1..12}; do raw '{"role":"user","parts":[{"type":"t"}]}'; done >in
    spec <<'END'
ctx-normalize in 2>&1 >/dev/null | tail -n 1
ctx-normalize -v in 2>&1 >/dev/null | grep -c unknown-shape
>>> ctx-normalize: and 2 more lines that were not understood
>>> 12
>>>= 65
END
}

@test "a record tells its dialect by shapes: one member, null or not; the surest wins; a list is none" {
    spec <<'END'
ctx-normalize
<<< {"leafUuid":"u"}
<<< {"uuid":"1","message":{"role":"user","content":"hi"}}
>>> {"leafUuid":"u"}
>>> {"role":"user","content":"hi","metadata":{"id":"1"}}
END
    spec <<'END'
ctx-normalize
<<< {"parentUuid":null,"uuid":"1","message":{"role":"user","content":"hi"}}
>>> {"role":"user","content":"hi","metadata":{"id":"1","parent_id":null}}
END
    spec <<'END'
ctx-normalize
<<< {"messageStore":[{"role":"user","content":"hi"}],"choices":[{"message":{"role":"assistant","content":"no"}}]}
>>> {"type":"context","metadata":{"x_instructor":{"messageStore":[],"choices":[{"message":{"role":"assistant","content":"no"}}]}}}
>>> {"role":"user","content":"hi"}
END
    spec <<'END'
ctx-normalize
<<< {"role":"user","content":"a"}
<<< [{"parentUuid":null,"message":{"role":"user"}}]
>>> {"role":"user","content":"a"}
>>> [{"parentUuid":null,"message":{"role":"user"}}]
>>>2 ctx-normalize: -:2: unknown-shape: a message that is not understood; looks like no known format
>>>= 65
END
}

@test "all commands: messages of an unknown shape are 65, and what they look like is said" {
    local command
    { raw '{"role":"user","message":{"content":[{"text":"p"}]}}' '{"role":"model","message":{"content":[{"text":"q"}]}}'; } >in
    for command in ctx-route ctx-isolate ctx-project 'ctx-compact --window 32k'; do
        # shellcheck disable=SC2086
        status_of 65 $command in >out 2>err
        same "$command" <(printf '%s: in:1: unknown-shape: the first of 2 messages with a role without content; looks like cursor, which is not read by this version\n' "${command%% *}") err
    done
    status_of 65 ctx-budget --json in >out 2>err
    raw '{"atof_version":"0.1"}' >in
    status_of 65 ctx-project in >out 2>err
    same 'foreign' <(echo 'ctx-project: no messages; looks like atof, which is not read by this version') err
    status_of 65 ctx-normalize in >out 2>err
    same 'foreign' <(echo 'ctx-normalize: no messages; looks like atof, which is not read by this version') err
}

@test "ctx-normalize --from: input of another agent is named, with the reader to ask for" {
    local said='other-dialect: no record of pi; looks like codex, try ctx-normalize --from codex'
    raw '{"timestamp":"2026-01-01T00:00:00Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"a"}]}}' >in
    status_of 65 ctx-normalize --from pi in >out 2>err
    same 'records' in out
    same 'said' <(printf 'ctx-normalize: %s\n' 'in:1: unknown-shape: a message that is not understood; looks like codex' "$said in") err
    status_of 65 ctx-normalize --from pi <in >out 2>err
    same 'a pipe' <(echo "ctx-normalize: $said") <(tail -n 1 err)
    status_of 1 ctx-normalize --check --from pi in >out 2>err
    grep -qF "$said in" err
    # One record of the agent's is enough; what is of no format that is read is said as it was.
    { raw '{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00Z","cwd":"/x"}'; cat in; } >both
    status_of 65 ctx-normalize --from pi both >out 2>err
    [[ $(wc -l <err) == 1 ]]
    raw '{"atof_version":"0.1"}' >in
    status_of 65 ctx-normalize --from pi in >out 2>err
    same 'no reader' <(echo 'ctx-normalize: no messages; looks like atof, which is not read by this version') err
}

@test "ctx-normalize --from: a document of another agent stays, and is named, with the reader to ask for" {
    local from name
    raw '[{"type":"message.updated","properties":{"info":{"id":"m","sessionID":"s","role":"user"}}},{"type":"message.part.updated","properties":{"part":{"id":"p","messageID":"m","type":"text","text":"a"}}}]' >opencode-events
    raw '{"info":{"id":"s"},"messages":[{"info":{"id":"m","role":"user"},"parts":[{"type":"text","text":"a"}]}]}' >opencode-export
    raw '[{"info":{"id":"m","role":"user"},"parts":[{"type":"text","text":"a"}]}]' >opencode-list
    raw '{"sessionId":"s","projectHash":"h","messages":[{"id":"g","type":"user","content":"a"},{"id":"h","type":"gemini","content":"b"}]}' >gemini-cli-old
    raw '[{"role":"user","parts":[{"text":"a"}]}]' >gemini-cli-list
    raw '[{"type":"message","role":"user","content":"a"},{"type":"function_call","call_id":"1","name":"f","arguments":"{}"}]' >responses-list
    for name in opencode-{events,export,list} gemini-cli-{old,list} responses-list; do
        for from in codex opencode gemini-cli pi responses claude-code; do
            [[ $from != "${name%-*}" ]] || continue
            status_of 65 ctx-normalize --from "$from" "$name" >out 2>err
            same "$from of $name" "$name" out
            grep -q "looks like ${name%-*}, try ctx-normalize --from ${name%-*} $name\$" err || fail "$from of $name: $(<err)"
        done
        ctx-normalize --from "${name%-*}" "$name" | grep -q '"content":"a"'
    done
}

@test "a list of messages of which none is one stays as it is" {
    { raw '{"messages":[{"type":"user","content":"u"},{"type":"gemini","content":"v"}]}'; } >in
    makes 'ctx-normalize' 1 \
        '>>>2 ctx-normalize: in:1: unknown-shape: a message that is not understood; looks like no known format' \
        '>>>= 65'
    { raw '{"messages":[{"role":"user","content":"u"},{"type":"note"}]}' '{"messages":[]}'; } >in
    makes 'ctx-normalize' "$(user u "$(of_line '{"messages":[{"role":"user","content":"u"},{"type":"note"}]}')")" '{"type":"note"}'
}

@test "an array with a message is read, one with a message that is not understood stays and is named" {
    { user q; raw '[{"type":"note"},{"role":"user","content":"u"},"x"]' '[5]' '[]'; } >in
    makes 'ctx-normalize' 1 '{"type":"note"}' "$(user u)" '"x"' 3-4
    # In a session file, too.
    { typed 1 a; raw '[{"role":"user","content":"u"}]' '{"messages":[{"role":"user","content":"v"}]}'; } >in
    makes 'ctx-normalize' "$(user a '"id":"1"')" "$(user u)" \
        "$(user v "$(of_line '{"messages":[{"role":"user","content":"v"}]}')")"
    { user q; raw '[{"type":"user","message":{"role":"user","content":"u"}}]'; } >in
    makes 'ctx-normalize' 1-2 \
        '>>>2 ctx-normalize: in:2: unknown-shape: a message that is not understood; looks like no known format' \
        '>>>= 65'
}

@test "claude-code: a compaction takes from its own session alone" {
    compact() {
        raw "{\"type\":\"system\",\"subtype\":\"compact_boundary\",\"uuid\":\"$1\"${2:+,$2}}"
    }
    { typed 1 a '"sessionId":"s"'; answered 2 m b '"sessionId":"s"'; } >first
    {
        typed 3 c '"sessionId":"t"'
        compact 4 '"sessionId":"t"'
        typed 5 d '"sessionId":"t","isCompactSummary":true'
        typed 6 e '"sessionId":"t"'
    } >second
    { typed 3 c; compact 4; typed 5 d '"isCompactSummary":true'; } >nameless
    # A session that was resumed under another name: it is the one that it goes on with.
    { typed 1 a '"sessionId":"r"'; compact 7 '"sessionId":"r"'; typed 8 f '"sessionId":"r","isCompactSummary":true'; } >resumed
    { compact 7 '"sessionId":"r","logicalParentUuid":"2"'; typed 8 f '"sessionId":"r","isCompactSummary":true'; } >linked
    spec <<'END'
for files in 'first second' 'second first' 'first nameless' 'nameless first' 'first resumed' 'first linked'; do
    ctx-normalize $files | jq -r .content | tr -d '\n'
    cat $files | ctx-normalize | ctx-project --view all | jq -r .content | tr -d '\n'
    ctx-normalize --all $files | jq -r .content | tr -d '\n'
    echo
done
>>> abdeabdeabcde
>>> deabdeabcdeab
>>> abddabcd
>>> dabdabcdab
>>> ffabf
>>> ffabf
END
}

# bounded UUID METADATA [MEMBERS]: the boundary of a compaction.
bounded() {
    printf '{"type":"system","subtype":"compact_boundary","uuid":"%s","parentUuid":null%s,"compactMetadata":{%s}}\n' \
        "$1" "${3:+,$3}" "$2"
}

# summed UUID PARENT [MEMBERS]: a summary.
summed() {
    typed "$1" 'So far.' "$(child "$2"),\"isCompactSummary\":true${3:+,$3}"
}

# preserved ANCHOR UUID...: the metadata of a compaction that keeps these lines.
preserved() {
    local uuids
    uuids=$(printf ',"%s"' "${@:2}")
    printf '"preservedMessages":{"anchorUuid":"%s","uuids":[%s],"allUuids":[%s]}' "$1" "${uuids:1}" "${uuids:1}"
}

@test "claude-code: what a compaction keeps stands behind its summary, as the client sends it" {
    local old new segment='"preservedSegment":{"headUuid":"u2","anchorUuid":"k1","tailUuid":"l2"}'
    old=$(
        typed u1 One. "$(child null)"
        answered l1 a1 First. "$(child u1)"
        typed u2 Two. "$(child l1)"
        answered l2 a2 Second. "$(child u2)"
    )
    new=$(
        typed u3 Three. "$(child l2)"
        answered l3 a3 Third. "$(child u3)"
    )
    # kept METADATA [PARENT]: the session with that compaction, whose next message follows PARENT.
    kept() {
        printf '%s\n' "$old"
        bounded p1 "$1"
        summed k1 p1
        printf '%s\n' "${new/\"parentUuid\":\"l2\"/\"parentUuid\":\"${2-l2}\"}"
    }
    for metadata in "$(preserved k1 u2 l2)" "$segment" "$(preserved nobody u2 l2)" "$(preserved k1 u2 nobody l2 u2)"; do
        for parent in l2 k1; do
            kept "$metadata" $parent >in
            makes 'ctx-normalize | parents' 'k1 null' 'u2 before' 'a2 before' 'u3 before' 'a3 before'
            # In a pipe nothing is read of a message as it was, whose memory has other bytes by then.
            cat in | MALLOC_PERTURB_=85 ctx-normalize --from claude-code >got || fail "in a pipe: $?"
            rm got
        done
    done
    makes 'ctx-normalize --all | parents' 'u1 null' 'a1 before' 'u2 before' 'a2 before' 'k1 null' 'u3 before' 'a3 before'
    ctx-normalize in >once
    same 'a second run' once <(ctx-normalize once)
    kept "$(preserved k1 l2 u2)" >in
    makes 'ctx-normalize | parents' 'k1 null' 'a2 before' 'u2 before' 'u3 a2' 'a3 before'
    kept "$(preserved p1 u2 l2)" k1 >in
    makes 'ctx-normalize | parents' 'u2 before' 'a2 before' 'k1 before' 'u3 before' 'a3 before'
    for metadata in '' "$(preserved k1 nobody)" "${segment/u2/nobody}" "${segment/u2/l3}"; do
        kept "$metadata" k1 >in
        makes 'ctx-normalize | parents' 'k1 null' 'u3 before' 'a3 before'
    done
    # Of two compactions the newest counts, and may keep what an earlier one left out.
    for metadata in "$(preserved k2 l2 u3)" "$(preserved k2 l1 u3)" ''; do
        { kept "$(preserved k1 u2 l2)"; bounded p2 "$metadata"; summed k2 p2; typed u4 Four. "$(child k2)"; } >in
        ctx-normalize in | jq -r .metadata.id | tr '\n' ' '
        echo
    done >out
    same 'two compactions' <(printf '%s \n' 'k2 a2 u3 u4' 'k2 a1 u3 u4' 'k2 u4') out
}

@test "claude-code: what a compaction keeps of parallel calls is whole, and records between stay out" {
    {
        typed u1 One. "$(child null)"
        answered l1 a1 "$(blocks 'uses c1 read')" "$(child u1)"
        answered l2 a1 "$(blocks 'uses c2 read')" "$(child l1)"
        typed r1 "$(blocks 'answers c1 x')" "$(child l1)"
        raw '{"type":"brand-new"}' '{bad'
        typed r2 "$(blocks 'answers c2 y')" "$(child l2)"
        bounded p1 "$(preserved k1 l1 l2 r1 r2)"
        summed k1 p1
        raw '{"type":"brand-newer"}'
        typed u2 Two. "$(child r2)"
    } >in
    makes 'ctx-normalize | jq -r "[.metadata.id // .type, .metadata.parent_id // empty] | join(\" \")"' \
        k1 a1 r1 r2 brand-newer u2 \
        '>>>2 ctx-normalize: in:6: expected a member name, at byte 2' '>>>= 65'
}

@test "claude-code: a branch that the user left goes, unless all is asked for" {
    {
        typed c1 '<command-name>/clear</command-name>' "$(child null)"
        typed c2 '<local-command-stdout></local-command-stdout>' "$(child c1)"
        typed u1 One. "$(child null)"
        answered l1 a1 First. "$(child u1)"
        typed u2 Two. "$(child l1)"
        answered l2 a2 Second. "$(child u2)"
    } >in
    makes 'ctx-normalize | parents' 'u1 null' 'a1 before' 'u2 before' 'a2 before'
    makes 'ctx-normalize --all | jq -r .metadata.id' c1 c2 u1 a1 u2 a2
    # The text is asked anew, and a sub-agent that worked for the first answer goes with it.
    {
        typed s1 'Find it.' "$(child null),\"isSidechain\":true,\"agentId\":\"a\""
        typed u3 'Two anew.' "$(child l1)"
        answered l3 a3 Third. "$(child u3)"
    } >>in
    makes 'ctx-normalize | parents' 'u1 null' 'a1 before' 'u3 a1' 'a3 before'
    spec <<'END'
ctx-normalize --verbose --report report in >out
jq '[.messages, .written, .compacted, .left]' -c report
>>> [4,4,0,5]
>>>2 ctx-normalize: 9 records, 4 messages in; 4 messages out, 4 changed; 0 records added; 4 messages made; 5 of other branches left out (9 messages with --all)
>>>+ report
>>>+ out
END
    rm report out
    # Who goes back to the first branch goes on there.
    typed u4 'On.' "$(child l2)" >>in
    makes 'ctx-normalize | jq -r .metadata.id' u1 a1 u2 a2 s1 u4
    # The next text may hang on a line beside the turn: that is no branch.
    {
        typed u1 One. "$(child null)"
        raw "{\"type\":\"progress\",\"uuid\":\"p1\",$(child u1)}"
        answered l1 a1 First. "$(child u1)"
        typed u2 Two. "$(child p1)"
    } >in
    makes 'ctx-normalize | jq -r .metadata.id' u1 a1 u2
    # Nor are lines whose answers follow nothing, and a fork of another session.
    { typed u1 One. "$(child null)"; answered l1 a1 First. "$(child null)"; typed u2 Two. "$(child null)"; typed u3 On. "$(child u2)"; } >in
    makes 'ctx-normalize | jq -r .metadata.id' u1 a1 u2 u3
    {
        typed u1 One. "$(child null),\"sessionId\":\"s\""
        typed u2 Two. "$(child u1),\"sessionId\":\"s\""
        typed u3 Three. "$(child u1),\"sessionId\":\"t\""
    } >in
    makes 'ctx-normalize | jq -r .metadata.id' u1 u2 u3
}

@test "claude-code: two lines with one uuid are one where they say the same, and else two" {
    {
        typed u1 One. "$(child null)"
        typed u1 One. "$(child null),\"sessionId\":\"t\",\"version\":\"2\""
        typed u1 'O\u006e\u0065.' "$(child null)"
        typed u1-2 Between. "$(child u1)"
        typed u1 Two. "$(child u1-2)"
        answered u1 m Three. "$(child u1)"
        typed u1 Four. "$(child u1)"
        answered l2 n Five. "$(child u1)"
        typed u1 Two. "$(child u1-2)"
    } >in
    spec <<'END'
ctx-normalize in | parents
>>> u1 null
>>> u1-2 before
>>> u1-3 before
>>> m before
>>> u1-5 before
>>> n before
>>>2 ctx-normalize: in:5: unknown-shape: uuid 'u1' is that of an earlier line which says something else
>>>2 ctx-normalize: in:6: unknown-shape: uuid 'u1' is that of an earlier line which says something else
>>>2 ctx-normalize: in:7: unknown-shape: uuid 'u1' is that of an earlier line which says something else
>>>= 65
END
    ctx-normalize in >once 2>err || true
    same 'a second run' once <(ctx-normalize once)
}

# apart SESSION: a session with parallel calls, a sub-agent, a branch that was left, and an open call at
# its end. Its uuids, its ids of messages, calls and agents are those of every such session. With a
# second word it is compacted in its midst, and keeps its last question and answer.
apart() {
    local of="\"sessionId\":\"$1\""
    local sub="$of,\"isSidechain\":true,\"agentId\":\"x\""
    typed u0 "Begin $1." "$(child null),$of"
    answered l0 a0 "Begun $1." "$(child u0),$of"
    typed u1 "Ask $1." "$(child l0),$of"
    answered l1 a1 "$(blocks 'uses c1 read')" "$(child u1),$of"
    answered l2 a1 "$(blocks "uses c2 read {\"of\":\"$1\"}")" "$(child l1),$of"
    typed s1 "Find $1." "$(child null),$sub"
    answered s2 b1 "$(blocks 'uses c1 look')" "$(child s1),$sub"
    typed r2 "$(blocks "answers c2 second $1")" "$(child l2),$of"
    typed s3 "$(blocks "answers c1 looked $1")" "$(child s2),$sub"
    typed r1 "$(blocks "answers c1 first $1")" "$(child l1),$of"
    answered l3 a2 "Answer $1." "$(child r2),$of"
    if [[ ${2-} ]]; then
        bounded p1 "$(preserved k1 u1 l1 l2 r1 r2 l3)" "$of"
        summed k1 p1 "$of"
    fi
    typed u2 "Left $1." "$(child l3),$of"
    answered l4 a3 "Gone $1." "$(child u2),$of"
    typed u3 "On $1." "$(child l3),$of"
    answered l5 a4 "$(blocks 'uses c1 read')" "$(child u3),$of"
}

# shuffled SEED FILE...: the lines of the files at random, those of each in their order.
shuffled() {
    awk -v seed="$1" '
        BEGIN { srand(seed) }
        FNR == 1 { files++ }
        { line[files, ++count[files]] = $0; left++ }
        END {
            while (left > 0) {
                file = int(rand() * files) + 1
                if (at[file] < count[file]) {
                    print line[file, ++at[file]]
                    left--
                }
            }
        }' "${@:2}"
}

# of_session NAME FILE: its records of that session.
of_session() {
    grep -F "\"session_id\":\"$1\"" "$2"
}

@test "claude-code: interleaved sessions are read and paired as if each were alone, without a key" {
    local key='--session-key metadata.session_id' seed option name
    apart a >a
    apart b compacted >b
    apart c >c
    for seed in 1 2 3 4 5; do
        shuffled $seed a b c >in
        for option in '' '--all' '--open-calls close' '--open-calls drop'; do
            # shellcheck disable=SC2086
            ctx-normalize $option in >once
            for name in a b c; do
                # shellcheck disable=SC2086
                ctx-normalize $option $name >alone
                same "$seed $option: $name" <(of_session $name alone) <(of_session $name once)
            done
            # shellcheck disable=SC2086
            ctx-normalize $option $key in >keyed
            same "$seed $option: with the key" once keyed
            # shellcheck disable=SC2086
            ctx-normalize $option $key once >keyed
            if [[ $option == *drop ]]; then # calls wait for their results there, and other sessions go on
                sort -o once once
                sort -o keyed keyed
            fi
            same "$seed $option: a second run with the key" once keyed
        done
    done
    [[ $(grep -c '"first b"' once) == 1 && $(grep -c '"Begin b."' once) == 0 && $(grep -c 'Left' once) == 0 ]]
    # Who writes one record of a session writes one of each, in the order of their first lines.
    for option in '--to openai --request={}' '--to anthropic --array' '--to openai --array' '--to instructor'; do
        # shellcheck disable=SC2086
        ctx-normalize $option a b c >got
        # shellcheck disable=SC2086
        for name in a b c; do ctx-normalize $option $name; done >want
        same "$option" want got
        shuffled 3 a b c >in
        # shellcheck disable=SC2086
        ctx-normalize $option in >got
        same "$option: interleaved" <(sort want) <(sort got)
        # shellcheck disable=SC2086
        ctx-normalize $option $key in >keyed
        same "$option: with the key" got keyed
    done
    # One list of messages has one session behind the other.
    for option in '--to openai' '--to anthropic' '--to openai --all' '--to anthropic --all'; do
        # shellcheck disable=SC2086
        ctx-normalize $option a b c >want
        # shellcheck disable=SC2086
        ctx-normalize $option in >got
        same "$option" <(grep -o 'Answer [abc]' want | sort) <(grep -o 'Answer [abc]' got | sort)
        grep -o '\(Ask\|first\|second\|Answer\|On\) [abc]' got >order
        [[ $(cut -d' ' -f2 order | uniq | wc -l) == 3 ]] || fail "$option: $(paste -s order)"
        ctx-normalize --check --to "$(cut -d' ' -f2 <<<"$option")" got
    done
    # A canonical record is of the session in which it stands, or of the first one.
    { calls c1 f '{}'; typed u1 "$(blocks 'answers c1 x')" '"sessionId":"a"'; } >in
    { calls c1 g '{}'; typed u1 "$(blocks 'answers c1 y')" '"sessionId":"b"'; typed u2 "$(blocks 'answers c1 z')" '"sessionId":"a"'; } >>in
    local said='jq -r "[.role, .content] | join(\" \")"'
    makes "ctx-normalize | $said" 'assistant ' 'tool x' 'assistant ' 'user [tool result that answers no call] y' 'tool z'
    makes "ctx-normalize --to openai | $said" 'assistant ' 'tool x' 'assistant ' 'tool z' 'user [tool result that answers no call] y'
    # What a session waits for stands with the session, not behind all others.
    { typed u1 Go. '"sessionId":"a"'; answered l1 m "$(blocks 'uses c1 read')" '"sessionId":"a"'; typed u2 On. '"sessionId":"a"'; } >first
    apart b >second
    cat first second >in
    for option in '' "$key" "$key --sorted"; do
        # shellcheck disable=SC2086
        ctx-normalize $option in >got
        # shellcheck disable=SC2086
        same "$option: sessions that are not mixed" <(ctx-normalize $option first; ctx-normalize $option second) got
    done
    [[ $(grep -c 'no result' got) == 1 ]]
    # What the sessions lack is found in each.
    shuffled 4 a b c >in
    ctx-normalize --check --from claude-code --open-calls close in >out 2>said || may 1
    [[ $(grep -c unanswered-call said) == 3 ]] || fail "$(<said)"
    # A bad line is of the session of the line before it, and leaves the groups of others alone.
    sed '/"r1"/s/^/torn/' a | sed '/"r2"/d' >torn
    cat torn b >in
    status_of 65 ctx-normalize in >once 2>said
    same 'a bad line' <(ctx-normalize torn 2>said | of_session a -; ctx-normalize b) <(grep -v ^torn once)
}

@test "claude-code: equal uuids mean nothing to another session, and the repeated lines of a resumed one go" {
    # Two sessions of other words have nothing in common.
    { typed u1 One. "$(child null),\"sessionId\":\"a\""; typed u1 Eins. "$(child null),\"sessionId\":\"b\""; } >in
    { answered l1 m First. "$(child u1),\"sessionId\":\"a\""; answered l1 m Erstens. "$(child u1),\"sessionId\":\"b\""; } >>in
    makes 'ctx-normalize | jq -r "[.content, .metadata.id, .metadata.parent_id] | join(\" \")"' \
        'One. u1 ' 'Eins. u1 ' 'First. m ' 'Erstens. m '
    # Nor does a line follow one of the other session.
    {
        head -n 1 in && sed -n 3p in
        {
            typed x1 Vor. "$(child null)"; answered x2 m0 Vorweg. "$(child x1)"; typed u1 Eins. "$(child x2)"
            answered l1 m1 Erstens. "$(child u1)"; typed u2 Zwei. "$(child l1)"; typed u3 Drei. "$(child l1)"
        } | sed 's/}$/,"sessionId":"b"}/'
    } >places
    same 'in their places' <(printf '%s\n' One. First. Vor. Vorweg. Eins. Erstens. 'Drei. m1') \
        <(ctx-normalize places | jq -r 'select(.content) | .content + (.metadata.parent_id | if . then " " + . else "" end)')
    rm places
    # In one session they are two lines of one uuid, as before.
    sed -i 's/"sessionId":"b"/"sessionId":"a"/' in
    status_of 65 ctx-normalize in >out 2>said
    # A session that was resumed begins with lines that have no uuid, and repeats the others.
    { typed u1 One. "$(child null),\"sessionId\":\"a\""; answered l1 m First. "$(child u1),\"sessionId\":\"a\""; } >first
    {
        raw '{"type":"mode","mode":"normal","sessionId":"r"}'
        sed 's/"sessionId":"a"/"sessionId":"r"/' first
        typed u2 Two. "$(child l1),\"sessionId\":\"r\""
    } >second
    spec <<'END'
ctx-normalize first second | jq -r '"\(.content) \(.metadata.session_id)"'
ctx-normalize --to openai --array first second | jq -c length
>>> One. a
>>> First. a
>>> Two. r
>>> 3
END
    # A compaction of the one takes what the other said: they are one.
    { bounded p1 '' '"sessionId":"r"'; summed k1 p1 '"sessionId":"r"'; } >>second
    spec <<'END'
ctx-normalize first second | jq -r .content
>>> So far.
END
}

@test "claude-code: what a sub-agent is depends on its own session" {
    typed u1 One. '"sessionId":"s"' >main
    {
        typed s1 'Find it.' '"isSidechain":true,"agentId":"a","sessionId":"t"'
        answered s2 b1 Found. '"isSidechain":true,"agentId":"a","sessionId":"t"'
    } >sub
    ctx-normalize sub >want
    ctx-normalize main sub | of_session t /dev/stdin >got
    same 'a sub-agent of another session' want got
    { typed u2 Two. '"sessionId":"t"'; cat sub; } >in
    cat main in main >mixed
    ctx-normalize mixed | of_session t /dev/stdin >got
    same 'its caller' <(ctx-normalize in) got
}

@test "claude-code: a compaction takes from its own agent, whatever file came first" {
    {
        typed s1 'Find it.' '"isSidechain":true,"agentId":"a","sessionId":"s"'
        answered l2 b1 Found. '"isSidechain":true,"agentId":"a","sessionId":"s"'
    } >sub
    {
        typed u1 One. '"sessionId":"s"'
        typed t1 'Look.' '"isSidechain":true,"agentId":"b","sessionId":"s"'
        bounded p1 '' '"sessionId":"s"'
        summed k1 p1 '"sessionId":"s"'
        typed u2 Two. '"sessionId":"s"'
    } >main
    # A sub-agent's own compaction, in the midst of the main agent's messages.
    {
        typed s1 'Find it.' '"isSidechain":true,"agentId":"a","sessionId":"s"'
        typed u1 One. '"sessionId":"s"'
        bounded p1 '' '"isSidechain":true,"agentId":"a","sessionId":"s"'
        typed k1 'So far.' '"isSidechain":true,"agentId":"a","sessionId":"s","isCompactSummary":true'
        typed u2 Two. '"sessionId":"s"'
    } >both
    spec <<'END'
for files in 'sub main' 'main sub' both; do
    ctx-normalize $files | jq -r .metadata.id | tr '\n' ' '
    cat $files | ctx-normalize | stay | jq -r .metadata.id | tr '\n' ' '
    echo
done
ctx-normalize sub main | jq -r 'select(.metadata.parent_execution_id).metadata.id'
>>> s1 b1 k1 u2 s1 b1 k1 u2 
>>> k1 u2 s1 b1 k1 u2 s1 b1 
>>> u1 k1 u2 u1 k1 u2 
END
}

# --- OpenAI -------------------------------------------------------------------------------------

@test "openai: each message of a request is a record, its bytes as they were" {
    {
        raw '{"model":"m","messages":[ {"role":"system", "content":"s"}, {"role":"user","content":1.50} ],"tools":[]}'
        raw '{"messages":[{"role":"user","content":"u"}]}'
    } >in
    makes 'ctx-normalize' '{"type":"context","tools":[],"metadata":{"request":{"model":"m"}}}' \
        '{"role":"system", "content":"s"}' '{"role":"user","content":1.50}' \
        "$(user u "$(of_line '{"messages":[{"role":"user","content":"u"}]}')")"
}

@test "lines for fine-tuning: each is a session of its own, by its bytes alone" {
    local a='{"messages":[{"role":"user","content":"u"}],"tools":[]}' b='{"messages": [{"role":"user","content":"u"}]}'
    local c='{"messages":[{"role":"user","content":"u","metadata":{"session_id":"own"}},{"role":"user","content":"v","metadata":{"id":"m"}}]}'
    { raw "$a" "$b" "$a" "$c" "$a"; printf '  %s\r\n' "$b"; } >in
    makes 'ctx-normalize' \
        "{\"type\":\"context\",\"tools\":[],\"metadata\":{$(of_line "$a")}}" "$(user u "$(of_line "$a")")" \
        "$(user u "$(of_line "$b")")" \
        "{\"type\":\"context\",\"tools\":[],\"metadata\":{$(of_line "$a" -2)}}" "$(user u "$(of_line "$a" -2)")" \
        "$(user u '"session_id":"own"')" "$(user v "\"id\":\"m\",$(of_line "$c")")" \
        "{\"type\":\"context\",\"tools\":[],\"metadata\":{$(of_line "$a" -3)}}" "$(user u "$(of_line "$a" -3)")" \
        "$(user u "$(of_line "$b" -2)")"
    # A second run, and another API, know nothing of it; nor does input that is not trusted.
    ctx-normalize in >once
    ctx-normalize once | cmp - once
    ctx-normalize --to openai in | cmp - <(ctx-normalize --to openai --untrusted in)
    ! ctx-normalize --untrusted in | grep session_id || fail 'not trusted'
    # Requests name their model: a log of them has one session many times.
    asks '"model":"m"' | ctx-normalize >out
    ! grep session_id out || fail 'a request'
}

@test "lines for fine-tuning: the same wherever the file is divided" {
    local i
    for ((i = 0; i < 50; i++)); do raw "{\"messages\":[{\"role\":\"user\",\"content\":\"$i\"}]}"; done >in
    ctx-normalize in >whole
    [[ $(jq .metadata.session_id whole | sort -u | wc -l) == 50 ]]
    for i in 1 2 7; do split -l "$i" --filter ctx-normalize in | cmp - whole; done
}

@test "lines for fine-tuning: each is made whole alone, whatever ids the next one has" {
    local a b c
    a="{\"messages\":[$(user u '"id":"1"'),$(calls c f '{}')]}"
    b="{\"messages\":[$(gets c r),$(user v '"id":"1"'),$(calls c f '{}'),$(calls d f '{}')]}"
    c="{\"messages\":[$(user w '"id":"1"'),$(gets d s),$(gets c t)]}"
    raw "$a" "$b" "$c" >in
    orphan() {
        user "[tool result that answers no call] $2" "$3,\"origin\":\"injected\",\"is_trace\":true" | sed "s/,/,\"tool_call_id\":\"$1\",/"
    }
    makes 'ctx-normalize' "$(user u "\"id\":\"1\",$(of_line "$a")")" "$(calls c f '{}' "$(of_line "$a")")" \
        "$(orphan c r "$(of_line "$b")")" "$(user v "\"id\":\"1\",$(of_line "$b")")" "$(calls c f '{}' "$(of_line "$b")")" \
        "$(calls d f '{}' "$(of_line "$b")")" "$(user w "\"id\":\"1\",$(of_line "$c")")" "$(orphan d s "$(of_line "$c")")" \
        "$(orphan c t "$(of_line "$c")")"
    ctx-normalize in >once
    ctx-normalize once | cmp - once
    ctx-normalize --check once
    # What a session still waits for at its end is closed or dropped as at the end of the input, and
    # the same wherever the file is divided.
    {
        raw "${b/%\}/,\"tools\":[]\}}"
        raw "{\"messages\":[$(user x),$(calls a f '{}'),$(calls b f '{}'),$(gets b r),$(user y)],\"tools\":[]}"
    } >>in
    local options i
    for options in '' '--open-calls close' '--open-calls drop' '--steering new' '--to openai'; do
        # shellcheck disable=SC2086
        ctx-normalize $options in >whole
        for i in 1 2 3; do split -l "$i" --filter "ctx-normalize $options" in | cmp - whole; done
    done
    [[ $(ctx-normalize --open-calls drop in | grep -c tool_calls) == 1 ]]
    # Other ids of sessions part nothing: a session that was resumed has two.
    {
        calls c f '{}' '"session_id":"line-x"'
        gets c r '"session_id":"line-y"'
        calls d f '{}' '"session_id":"line-0123456789abcdef0123456789abcdeg"'
        gets d r '"session_id":"line-1123456789abcdef0123456789abcdeg"'
        calls e f '{}' '"session_id":"line-0123456789abcdef0123456789abcdef0"'
        gets e r '"session_id":"line-1123456789abcdef0123456789abcdef0"'
    } >in
    makes 'ctx-normalize' 1-6
}

@test "openai: function_call and the role function" {
    {
        user u
        raw '{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{ }"}}'
        raw '{"role":"function","name":"f","content":"1"}'
        raw '{"role":"assistant","content":null,"function_call":{"name":"g","arguments":"{}"}}'
        raw '{"role":"function","name":"g","content":"2"}'
    } >in
    makes 'ctx-normalize' 1 "$(calls function_call_1 f '{ }')" \
        '{"role":"tool","tool_call_id":"function_call_1","name":"f","content":"1"}' \
        "$(calls function_call_2 g '{}')" \
        '{"role":"tool","tool_call_id":"function_call_2","name":"g","content":"2"}'
}

@test "openai: a document over many lines, as an array or a request" {
    spec <<'END'
jq . "$FIXTURES/openai-chat.jsonl" | jq -s . >document.json
ctx-normalize document.json | jq -c . | cmp - <(jq -c . "$FIXTURES/openai-chat.jsonl")
jq '{messages: .}' document.json | ctx-normalize | jq -c "del(.metadata)" | cmp - <(jq -c . "$FIXTURES/openai-chat.jsonl")
jq -c . document.json | ctx-normalize | jq -c . | cmp - <(jq -c . "$FIXTURES/openai-chat.jsonl")
printf '\xef\xbb\xbf' | cat - document.json | ctx-normalize | jq -c . | cmp - <(jq -c . "$FIXTURES/openai-chat.jsonl")
rm document.json
END
}

@test "openai: what begins like a document and is none is lines" {
    { raw '{"role":"user",'; user u; } >in
    makes 'ctx-normalize' 1-2 '>>>2 ctx-normalize: in:1: unexpected end, at byte 16' '>>>= 65'
}

@test "openai: --from ctx reads messages and nothing else" {
    {
        raw '{"messages":[{"role":"user","content":"u"}]}' '[{"role":"user","content":"u"}]'
        user '[{"type":"tool_result","tool_use_id":"a"}]'
    } >in
    makes 'ctx-normalize --from ctx' 1-3 \
        '>>>2 ctx-normalize: in:1: unknown-shape: a message that is not understood; looks like openai' \
        '>>>2 ctx-normalize: in:2: unknown-shape: a message that is not understood; looks like openai' \
        '>>>= 65'
}

@test "to openai: what only we know goes, what the API has no word for is named" {
    {
        context s
        raw '{"role":"user", "content":"as it is"}'
        raw '{"role":"user","content":"u","metadata":{"id":"1"},"name":"n"}'
        user '[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA=="}},{"type":"text","text":"t","cache_control":{}}]'
        acts "$(blocks 'thinks t')" '{"id":"a","name":"f","args":{"x":1}}'
        gets a '[{"type":"image","source":{"type":"url","url":"x"}}]' '"is_error":true'
        says '[{"type":"thinking","thinking":"only this"}]'
        user child '"agent_id":"x","parent_execution_id":"e"'
        raw '{"type":"budget"}'
    } >in
    makes 'ctx-normalize --to openai' "$(system s)" 2 '{"role":"user","content":"u","name":"n"}' \
        "$(user "$(blocks 'shows data:image/png;base64,AA==' 'text t')")" \
        "$(calls a f '{"x":1}')" "$(gets a "$(blocks 'text [image]')")"
}

@test "to openai: what the API would refuse is mended" {
    {
        raw '{"role":"user","content":"q","_metadata":null}'
        raw '{"role":"user","content":{"a":1}}'
        user '[{"type":"refusal","refusal":"no"},{"type":"text","text":"t","citations":[]}]'
        raw '{"role":"assistant","content":"x","tool_calls":[]}'
        raw '{"role":"assistant","content":"y","tool_calls":"zz"}'
        raw '{"role":"assistant","content":"z","tool_calls":null}'
        raw '{"role":"assistant","content":[],"tool_calls":[5,{"id":"a","function":{"name":"f","arguments":"{}"}},{"id":6,"type":"function","function":{"name":"g","arguments":"{}"}}]}'
        raw '{"role":"tool","tool_call_id":"a","content":null}'
        raw '{"role":"tool","tool_call_id":6,"content":[{"type":"image_url","image_url":{"url":"http://x"}}]}'
        acts null '{"type":"custom","custom":{"name":"f","input":"i"}}'
        raw '{"role":"tool","content":"r"}'
        says '[{"type":"thinking","thinking":"t"},{"type":"refusal","refusal":"no"}]'
    } >in
    makes 'ctx-normalize --to openai' "$(user q)" "$(user '{\"a\":1}')" \
        "$(user "$(blocks 'text no' 'text t')")" "$(says x)" "$(says y)" "$(says z)" \
        "$(acts null "$(call a f '{}')" "$(call 6 g '{}')")" "$(gets a '')" \
        "$(gets 6 "$(blocks 'text [image_url]')")" \
        '{"role":"assistant","content":null,"tool_calls":[{"id":"call","type":"custom","custom":{"name":"f","input":"i"}}]}' \
        "$(gets call r)" "$(says '[{"type":"refusal","refusal":"no"}]')"
}

@test "to openai: members that the API does not know go, in messages, parts and calls" {
    {
        raw '{"id":"1","role":"user","createdAt":"t","extras":{"a":[1]},"loss_weight":0,"content":"u"}'
        raw '{"role":"user","content":[{"type":"text","text":"t","value":null},{"type":"image_url","image_url":{"url":"http://x","detail":"low","x":1},"cache_control":{}},{"type":"file","file":{"file_id":"f","x":1}},{"type":"input_audio","input_audio":{"data":"AA==","format":"wav"},"x":1}],"name":"Zoë B"}'
        raw '{"role":"assistant","content":"a","annotations":[],"refusal":null,"reasoning_content":"r","audio":{"id":"x"},"name":5}'
        raw '{"role":"assistant","content":null,"tool_calls":[{"id":"c","index":0,"type":"function","function":{"name":"f","arguments":"{}","x":1}}]}'
        raw '{"role":"tool","tool_call_id":"c","name":"f","content":"r","artifact":{}}'
    } >in
    makes 'ctx-normalize --to openai' "$(user u)" \
        '{"role":"user","content":[{"type":"text","text":"t"},{"type":"image_url","image_url":{"url":"http://x","detail":"low"}},{"type":"file","file":{"file_id":"f"}},{"type":"input_audio","input_audio":{"data":"AA==","format":"wav"}}],"name":"Zo___B"}' \
        '{"role":"assistant","content":"a","audio":{"id":"x"}}' "$(calls c f '{}')" "$(gets c r)"
    same faults /dev/null <(openai_faults expected)
}

@test "to openai: two calls with one id get two ids, and ids and names what the API takes" {
    local long_id
    long_id=$(repeat 50 i)
    {
        acts null "$(call a f '{}')" "$(call a g '{}')" "$(call a_2 h '{}')"; gets a 1; gets a 2; gets a_2 3
        calls a f '{}'; gets a 4
        acts null "$(call "$long_id" mcp.read/file '{}')" "$(call "$long_id" "$(repeat 70 n)" '{}')"
        gets "$long_id" 5; gets "$long_id" 6
        calls 'x\ty' f '{}'; gets 'x\ty' 7
    } >in
    makes 'ctx-normalize --to openai' \
        "$(acts null "$(call a f '{}')" "$(call a_2 g '{}')" "$(call a_2_2 h '{}')")" "$(gets a 1)" "$(gets a_2 2)" "$(gets a_2_2 3)" 5-6 \
        "$(acts null "$(call "${long_id:10}" mcp_read_file '{}')" "$(call "${long_id:21}_2" "$(repeat 64 n)" '{}')")" \
        "$(gets "${long_id:10}" 5)" "$(gets "${long_id:21}_2" 6)" "$(calls x_y f '{}')" "$(gets x_y 7)"
    same faults /dev/null <(openai_faults expected)
    mv expected in
    keeps 'ctx-normalize --to openai'
}

@test "to openai: what the API takes is left as it is" {
    {
        raw '{"role":"assistant", "content":null, "tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":""}},{"id":"b","type":"custom","custom":{"name":"f","input":"i"}}]}'
        raw '{"role":"tool", "tool_call_id":"a", "content":[{"type":"text", "text":"t"}]}'
        raw '{"role":"tool", "tool_call_id":"b", "content":""}'
        raw '{"role":"assistant", "content":[{"type":"refusal", "refusal":"no"}]}'
        raw '{"role":"user", "content":[{"type":"file", "file":{"file_id":"f"}}]}'
    } >in
    keeps 'ctx-normalize --to openai'
}

@test "to openai and anthropic: one prompt is in force, in the place of the first context record" {
    local to
    {
        context s; context t; raw '{"type":"budget"}'; user 1; says 2
        context v; user 3; says 4; context w
    } >in
    for to in openai anthropic; do
        makes "ctx-normalize --to $to | jq -r '\"\(.role) \(.content)\"'" 'system w' 'user 1' 'assistant 2' \
            'user 3' 'assistant 4'
    done
    { user 1; context s; says 2; context t; } >in
    makes 'ctx-normalize --to openai' 1 "$(system t)" 3
    makes 'ctx-normalize --to anthropic' "$(system t)" 1 3
    { context s; user 1; raw '{"type":"context","response_format":{}}'; } >in
    makes 'ctx-normalize --to openai' 2
}

@test "--system lifts, keeps or makes the user's what the system says in the midst" {
    {
        system s; user u; wants a:f; developer d; gets a 1; says v; system '[{"type":"text","text":"e"}]'
        raw '{"type":"ping"}'; user w
    } >in
    makes 'ctx-normalize --to openai --system lift 2>err' 1 "$(developer d)" 7 2 "$(calls a f '{}')" 5-6 9 '>>>+ err'
    makes 'ctx-normalize --to openai 2>err' 1-2 "$(calls a f '{}')" 5 4 6-7 9 '>>>+ err'
    makes 'ctx-normalize --to openai --system user 2>err' 1-2 "$(calls a f '{}')" 5 "$(user d)" 6 \
        "$(user "$(blocks 'text e')")" 9 '>>>+ err'
    makes 'ctx-normalize --to anthropic 2>err' "$(system "$(blocks 'text s' 'text d' 'text e')")" 2 \
        "$(says "$(blocks 'uses a f')")" "$(user "$(blocks 'answers a 1')")" 6 9 '>>>+ err'
    makes 'ctx-normalize --to anthropic --system user 2>err' 1-2 "$(says "$(blocks 'uses a f')")" \
        "$(user "$(blocks 'answers a 1' 'text d')")" 6 "$(user "$(blocks 'text e' 'text w')")" '>>>+ err'
    local to place
    for to in openai anthropic; do
        for place in lift keep user; do
            ctx-normalize --to $to --system $place in >once 2>err
            ctx-normalize --to $to --system $place once | cmp once -
            if [[ $place == keep ]]; then export MIDST=1; else unset MIDST; fi
            same "$to $place" /dev/null <(${to}_faults once)
        done
    done
    rm once err
}

@test "to openai and anthropic: records without a place are reported, or set aside" {
    { user u; raw '{"type":"ping"}'; raw '{"role":"captain","content":"c"}'; raw '{'; } >in
    makes 'ctx-normalize --to openai' 1 '>>>2 ctx-normalize: in:4: unexpected end, at byte 2' \
        '>>>2 ctx-normalize: 2 records without a place in the output left out' '>>>= 65'
    makes 'ctx-normalize --to anthropic --bad-file aside' 1 \
        '>>>2 ctx-normalize: in:4: unexpected end, at byte 2' '>>>= 65' '>>>+ aside'
    { user u; raw '{"type":"ping"}'; } >in
    makes 'ctx-normalize --to openai' 1 '>>>2 ctx-normalize: 1 record without a place in the output left out'
}

# --- Requests -----------------------------------------------------------------------------------

# asks MEMBER...: a request of OpenAI with a call, and these members.
asks() {
    local member all=
    for member; do
        all+=,$member
    done
    printf '{"messages":[{"role":"system","content":"s"},{"role":"user","content":"u"},%s,{"role":"tool","tool_call_id":"c","content":"r"}]%s}\n' \
        '{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"fs.read","arguments":"{}"}}]}' "$all"
}

read_tool='{"type":"function","function":{"name":"fs.read","description":"d","parameters":{"properties":{}},"strict":false}}'

@test "requests: what stands beside the messages becomes the context record" {
    {
        asks '"model":"m"' "\"tools\":[$read_tool]" '"n": 2' '"response_format":{"type":"json_object"}' '"stream":null'
        raw '{"system":"t","output_config":{"effort":"low","format":{"type":"json_schema","schema":{}}},"messages":[{"role":"user","content":"v"}]}'
        raw '{"messages":[{"role":"user","content":"w"}]}'
    } >in
    makes "ctx-normalize | jq -c 'if .role then .content else del(.metadata.session_id) end'" \
        "{\"type\":\"context\",\"tools\":[$read_tool],\"response_format\":{\"type\":\"json_object\"},\"metadata\":{\"request\":{\"model\":\"m\",\"n\":2,\"stream\":null}}}" \
        '"s"' '"u"' null '"r"' \
        '{"type":"context","response_format":{"type":"json_schema","schema":{}},"metadata":{"request":{"output_config":{"effort":"low"}}}}' \
        '"t"' '"v"' '"w"'
    makes "ctx-normalize --untrusted --report report | jq -c .role" '"system"' '"user"' '"assistant"' '"tool"' \
        '"system"' '"user"' '"user"' '>>>+ report'
    [[ $(jq .stripped.contexts report) == 2 ]]
}

@test "requests: --request writes one body, each member in its place and spelling" {
    {
        asks '"model":"m"' '"max_completion_tokens":9' '"stop":"END"' '"n":2' "\"tools\":[$read_tool,{\"type\":\"custom\",\"custom\":{\"name\":\"say\"}},{\"type\":\"web_search\"}]" \
            '"tool_choice":{"type":"function","function":{"name":"fs.read"}}' '"response_format":{"type":"json_schema","name":"n","strict":true,"schema":{"type":"object"}}'
    } >in
    makes 'ctx-normalize --to openai --request' \
        '{"model":"m","max_completion_tokens":9,"stop":"END","n":2,"tool_choice":{"type":"function","function":{"name":"fs_read"}},"messages":[{"role":"system","content":"s"},{"role":"user","content":"u"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"fs_read","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"r"}],"tools":[{"type":"function","function":{"name":"fs_read","description":"d","parameters":{"properties":{}},"strict":false}},{"type":"custom","custom":{"name":"say"}}],"response_format":{"type":"json_schema","json_schema":{"name":"n","strict":true,"schema":{"type":"object"}}}}' \
        ">>>2 ctx-normalize: left out of the request, where openai has no place for it: 'tools'"
    makes 'ctx-normalize --to anthropic --request' \
        '{"model":"m","max_tokens":9,"stop_sequences":["END"],"tool_choice":{"type":"tool","name":"fs_read"},"system":"s","messages":[{"role":"user","content":"u"},{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"fs_read","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"r"}]}],"tools":[{"name":"fs_read","description":"d","input_schema":{"type":"object","properties":{}},"strict":false},{"name":"say","input_schema":{"type":"object","properties":{"arguments":{"type":"string"}},"required":["arguments"]}}],"output_config":{"format":{"type":"json_schema","schema":{"type":"object"}}}}' \
        ">>>2 ctx-normalize: left out of the request, where anthropic has no place for it: 'tools', 'n'"
    raw '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"u"}],"tools":[{"name":"f","input_schema":{"type":"object"}}],"tool_choice":{"type":"any","disable_parallel_tool_use":true}}' >in
    makes 'ctx-normalize --to openai --request' \
        '{"model":"m","max_tokens":9,"tool_choice":"required","parallel_tool_calls":false,"messages":[{"role":"user","content":"u"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]}'
    # Of two members that are one, the first; nothing about tools without a tool.
    raw '{"model":"m","max_completion_tokens":9,"max_tokens":8,"tool_choice":"required","messages":[{"role":"user","content":"u"}]}' >in
    makes 'ctx-normalize --to anthropic --request' '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"u"}]}'
}

@test "requests: there and back again, of each API to each, is what the API takes, and stable" {
    local from to
    asks '"model":"m"' '"max_tokens":9' "\"tools\":[$read_tool]" '"tool_choice":"required"' '"stop":["a"]' \
        '"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object"}}}' >openai
    raw '{"model":"m","max_tokens":9,"system":[{"type":"text","text":"s","cache_control":{"type":"ephemeral"}}],"tool_choice":{"type":"any","disable_parallel_tool_use":true},"tools":[{"name":"f","input_schema":{"type":"object"},"input_examples":[{}],"cache_control":{"type":"ephemeral"}},{"type":"web_search_20250305","name":"web_search"}],"output_config":{"effort":"low","format":{"type":"json_schema","schema":{"type":"object"}}},"messages":[{"role":"user","content":"u"}]}' >anthropic
    for from in openai anthropic; do
        for to in openai anthropic; do
            ctx-normalize --to $to --request $from >once 2>err
            same "$from to $to: faults" /dev/null <(${to}_faults once)
            ctx-normalize --to $to --request once >twice
            same "$from to $to" once twice
            ctx-normalize once | ctx-normalize --to $to --request >twice
            same "$from to ctx to $to" once twice
        done
    done
    rm openai err once twice
    same 'anthropic as it was' <(jq -S . anthropic) <(ctx-normalize --to anthropic --request anthropic | jq -S .)
    rm anthropic
}

# chooses MEMBERS ANTHROPIC OPENAI: how each API spells the members of a request that say which tools
# are called, or "- NAME" for what it has no place for.
chooses() {
    local to members
    asks '"model":"m"' '"max_tokens":9' "\"tools\":[$read_tool]" "$1" >in
    for to in anthropic openai; do
        ctx-normalize --to $to --request in >out 2>err
        members=$(jq -c '{tool_choice, parallel_tool_calls} | with_entries(select(.value != null))' out)
        [[ ! -s err ]] || members="- $(sed 's/.*no place for it: //' err)"
        [[ $members == "$2" ]] || fail "to $to: $members, expected $2"
        same "faults of $to" /dev/null <(${to}_faults out)
        shift
    done
    rm in out err
}

@test "requests: the choice of tools, in every form, and one call at a time" {
    local auto='{"tool_choice":{"type":"auto"}}' named='{"type":"function","function":{"name":"fs_read"}}' some
    some='{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[{"type":"function","function":{"name":"fs_read"}}]}}'
    chooses '"tool_choice":"auto"' "$auto" '{"tool_choice":"auto"}'
    chooses '"tool_choice":{"type":"auto"}' "$auto" '{"tool_choice":"auto"}'
    chooses '"tool_choice":"none"' '{"tool_choice":{"type":"none"}}' '{"tool_choice":"none"}'
    chooses '"tool_choice":"any"' '{"tool_choice":{"type":"any"}}' '{"tool_choice":"required"}'
    chooses '"tool_choice":null' '{}' '{}'
    chooses '"tool_choice":{"type":"function","name":"fs.read"}' '{"tool_choice":{"type":"tool","name":"fs_read"}}' "{\"tool_choice\":$named}"
    chooses '"tool_choice":{"type":"custom","custom":{"name":"say"}}' '{"tool_choice":{"type":"tool","name":"say"}}' '{"tool_choice":{"type":"custom","custom":{"name":"say"}}}'
    chooses "\"tool_choice\":$some" "- 'tool_choice'" "{\"tool_choice\":$some}"
    chooses '"tool_choice":"fs.read"' "- 'tool_choice'" "- 'tool_choice'"
    chooses '"tool_choice":{"type":"tool"}' "- 'tool_choice'" "- 'tool_choice'"
    chooses '"parallel_tool_calls":true' '{}' '{"parallel_tool_calls":true}'
    chooses '"parallel_tool_calls":false' '{"tool_choice":{"type":"auto","disable_parallel_tool_use":true}}' '{"parallel_tool_calls":false}'
    chooses '"parallel_tool_calls":false,"tool_choice":"required"' '{"tool_choice":{"type":"any","disable_parallel_tool_use":true}}' \
        '{"tool_choice":"required","parallel_tool_calls":false}'
    chooses '"tool_choice":{"type":"tool","name":"fs.read","disable_parallel_tool_use":true}' \
        '{"tool_choice":{"type":"tool","name":"fs_read","disable_parallel_tool_use":true}}' "{\"tool_choice\":$named,\"parallel_tool_calls\":false}"
    chooses '"parallel_tool_calls":false,"tool_choice":"none"' '{"tool_choice":{"type":"none"}}' '{"tool_choice":"none","parallel_tool_calls":false}'
    # What is given wins, and no member stands twice; without a tool that the API has there is no choice.
    asks '"model":"m"' '"max_tokens":9' "\"tools\":[$read_tool]" '"tool_choice":{"type":"any","disable_parallel_tool_use":true}' >in
    spec <<'END'
ctx-normalize --to openai --request='{"parallel_tool_calls":true}' in | grep -o '"parallel_tool_calls":[a-z]*'
ctx-normalize --to anthropic --request='{"tool_choice":{"type":"auto"}}' in | jq -c .tool_choice
sed 's/"tools":.*"tool_choice"/"tools":[{"type":"web_search"}],"tool_choice"/' in | ctx-normalize --to openai --request | jq -c .tool_choice
>>> "parallel_tool_calls":true
>>> {"type":"auto"}
>>> null
>>>2 ctx-normalize: left out of the request, where anthropic has no place for it: 'parallel_tool_calls'
>>>2 ctx-normalize: left out of the request, where openai has no place for it: 'tools'
END
}

@test "requests: tools that stand as JSON in a string, and the functions of old requests, are tools" {
    asks '"model":"m"' '"max_tokens":9' '"tools":"[{\"name\":\"f\",\n\"parameters\":{\"type\":\"object\"}}]"' >text
    asks '"model":"m"' '"max_tokens":9' '"functions":[{"name":"f","parameters":{"type":"object"}}]' '"function_call":{"name":"f"}' >functions
    asks '"model":"m"' '"max_tokens":9' '"tools":"none"' >none
    raw '{"type":"context","tools":"[{\"name\":\"f\"}]"}' '{"role":"user","content":"u"}' >record
    spec <<'END'
for f in text functions none; do ctx-normalize $f | jq -c 'select(.type) | [.tools, (.metadata.request | del(.model, .max_tokens))]'; done
for f in text functions; do ctx-normalize --to anthropic --request $f | jq -c '[.tools, .tool_choice]'; done
ctx-normalize --to openai --request functions | jq -c '[.functions, .function_call, .tools, .tool_choice]'
ctx-normalize --to openai --request='{"model":"m"}' record | jq -c '.tools'
ctx-normalize text | ctx-budget --json --window 8k --reserve-output 0 | jq '.reserved_system_tokens > 10'
>>> [[{"name":"f","parameters":{"type":"object"}}],{}]
>>> [[{"name":"f","parameters":{"type":"object"}}],{"function_call":{"name":"f"}}]
>>> [null,{"tools":"none"}]
>>> [[{"name":"f","input_schema":{"type":"object"}}],null]
>>> [[{"name":"f","input_schema":{"type":"object"}}],{"type":"tool","name":"f"}]
>>> [null,null,[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}],{"type":"function","function":{"name":"f"}}]
>>> [{"type":"function","function":{"name":"f"}}]
>>> true
END
}

@test "requests: the members that are given win; a later context record replaces an earlier one" {
    {
        raw '{"type":"context","system_prompt":"old","tools":[{"name":"old"}],"metadata":{"request":{"model":"old","top_k":1}}}'
        user u
        raw '{"type":"context","system_prompt":"p","tools":[{"name":"new","inputSchema":{"type":"object"}}],"metadata":{"request":{"model":"kept","temperature":1,"max_completion_tokens":5}}}'
    } >in
    makes "ctx-normalize --to anthropic --request='{\"model\":\"given\",
        \"max_tokens\":7}'" '{"model":"given","max_tokens":7,"temperature":1,"system":"p","messages":[{"role":"user","content":"u"}],"tools":[{"name":"new","input_schema":{"type":"object"}}]}'
    makes "ctx-normalize --to anthropic --request='{\"tools\":[],\"system\":\"mine\"}'" \
        '{"tools":[],"system":"mine","model":"kept","temperature":1,"max_tokens":5,"messages":[{"role":"user","content":"u"}]}'
    makes "ctx-normalize --to openai --request='{\"model\":\"given\"}'" \
        '{"model":"given","temperature":1,"max_completion_tokens":5,"messages":[{"role":"system","content":"p"},{"role":"user","content":"u"}],"tools":[{"type":"function","function":{"name":"new","parameters":{"type":"object"}}}]}'
}

# The marks of a body for the provider's cache: tools, system, and by message the content or the marks of its blocks.
marks() {
    ctx-normalize --to anthropic --request='{"model":"m","max_tokens":9}' "$@" 2>/dev/null | jq -c '
        def marks: if type == "array" then map(.cache_control != null) else 0 end;
        [.tools | marks] + [.system | marks] + [.messages[].content | marks]'
}

@test "requests: --cached puts marks behind tools, prompt and message N of the input" {
    {
        raw '{"type":"context","tools":[{"name":"f","input_schema":{"type":"object"}},{"name":"g","input_schema":{"type":"object"}}]}'
        system s; user u; acts t "$(call c f '{}')"; gets c r; user v; says w
    } >in
    same none <(marks in) <(echo '[[false,false],0,0,[false,false],[false,false],0]')
    same 0 <(marks --cached 0 in) <(echo '[[false,true],[true],0,[false,false],[false,false],0]')
    same 1 <(marks --cached 1 in) <(marks --cached 0 in)
    same 2 <(marks --cached 2 in) <(echo '[[false,true],[true],[true],[false,false],[false,false],0]')
    same 3 <(marks --cached 3 in) <(echo '[[false,true],[true],0,[false,true],[false,false],0]')
    same 4 <(marks --cached 4 in) <(echo '[[false,true],[true],0,[false,false],[true,false],0]')
    same 5 <(marks --cached 5 in) <(echo '[[false,true],[true],0,[false,false],[false,true],0]')
    same 6 <(marks --cached 6 in) <(echo '[[false,true],[true],0,[false,false],[false,false],[true]]')
    same 'more than there are' <(marks --cached 9 in) <(marks --cached 6 in)
    # What is put into the messages is none of the input: a system prompt, a user who begins, a missing result.
    same 'a prompt' <(sed 's/"type":"context"/&,"system_prompt":"p"/' in | marks --cached 2) \
        <(echo '[[false,true],[false,true],[true],[false,false],[false,false],0]')
    { acts t "$(call c f '{}')" "$(call d f '{}')"; gets d r; user v; says w; } >open
    same 'a leading answer' <(marks --cached 1 open) <(echo '[0,0,0,[false,false,true],[false,false,false],0]')
    same 'a missing result' <(marks --cached 2 open) <(echo '[0,0,0,[false,false,false],[false,true,false],0]')
    # Thinking and blank text take no mark: the one before does.
    { user u; raw '{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"thinking","thinking":"t","signature":"s"}]}'; } >thinks
    same thinking <(marks --cached 2 thinks) <(echo '[0,0,0,[true,false]]')
    local m='"cache_control":{"type":"ephemeral"}'
    raw '{"model":"m","max_tokens":9,"system":[{"type":"text","text":"s",'"$m"'}],"tools":[{"name":"f","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":[{"type":"text","text":"a",'"$m"'},{"type":"text","text":"b",'"$m"'}]},{"role":"assistant","content":"c"}]}' >marked
    same 'marks of the input stay, and there are four' <(marks --cached 3 marked) <(echo '[[false],[true],[true,true],[true]]')
    same 'what is marked is not marked twice' <(marks --cached 2 marked) <(echo '[[true],[true],[true,true],0]')
    rm open thinks marked
    same openai <(ctx-normalize --to openai --request='{"model":"m"}' --cached 3 in) <(ctx-normalize --to openai --request='{"model":"m"}' in)
    refuses 'ctx-normalize --to anthropic --cached 3' '--cached requires --request'
    rm in
}

@test "answers: of chat completions and of the Responses API, each is its message with model and usage" {
    local usage='{"prompt_tokens":20,"completion_tokens":5,"total_tokens":25}'
    raw '{"id":"chatcmpl-1","object":"chat.completion","model":"m-1","choices":[{"index":0,"message":{"role":"assistant", "content":"It is 4.2 m.","refusal":null},"finish_reason":"stop"}],"usage":'"$usage"'}' >in
    makes 'ctx-normalize' '{"role":"assistant", "content":"It is 4.2 m.","refusal":null,"metadata":{"id":"chatcmpl-1","model":"m-1","usage":'"$usage"'}}'
    makes 'ctx-normalize --from openai | ctx-budget --json --estimator usage | jq -c "[.estimator, .used_tokens]"' '["usage",25]'
    makes 'ctx-normalize --untrusted' '{"role":"assistant", "content":"It is 4.2 m.","refusal":null}'
    jq . in >pretty
    same 'over several lines' <(ctx-normalize pretty | jq -c .) <(ctx-normalize in | jq -c .)
    # Old calls are read on, and the log around stays.
    { user Hi.; raw '{"choices":[{"message":{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}}}]}'; } >in
    makes 'ctx-normalize' 1 '{"role":"assistant","content":null,"tool_calls":[{"id":"function_call_1","type":"function","function":{"name":"f","arguments":"{}"}}]}'
    raw '{"choices":[{"message":{"role":"assistant","content":"a"}},{"message":{"role":"assistant","content":"b"}}]}' >in
    makes 'ctx-normalize' '{"role":"assistant","content":"a"}' \
        '>>>2 ctx-normalize: in:1: unknown-shape: an answer with 2 choices, of which the first is read' '>>>= 65'
    usage='{"input_tokens":9,"output_tokens":3,"total_tokens":12}'
    raw '{"id":"resp_1","object":"response","model":"m-2","output":[{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"Look."}]},{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"I look.","annotations":[]}]},{"type":"function_call","id":"fc_1","call_id":"c1","name":"read","arguments":"{\"path\":\"a.c\"}"},{"type":"custom_tool_call","call_id":"c2","name":"patch","input":"x"}],"usage":'"$usage"'}' >in
    makes 'ctx-normalize --from openai' '{"role":"assistant","content":[{"type":"thinking","thinking":"Look."},{"type":"text","text":"I look."}],"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.c\"}"}},{"id":"c2","type":"custom","custom":{"name":"patch","input":"x"}}],"metadata":{"id":"resp_1","model":"m-2","usage":'"$usage"'}}'
    raw '{"object":"response","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Done."}]}]}' >in
    makes 'ctx-normalize' "$(says Done.)"
    # One without the kind of its object is told by its items.
    raw '{"output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Done."}]},{"type":"shell_call","call_id":"1","action":{}}]}' >in
    makes 'ctx-normalize' '{"role":"assistant","content":"Done.","tool_calls":[{"id":"1","type":"function","function":{"name":"shell","arguments":"{}"},"x_responses":{"type":"shell_call"}}]}'
    # What only has a member of that name is none.
    raw '{"choices":["a"]}' '{"output":[1]}' '{"choices":[],"output":{}}' >in
    makes 'ctx-normalize' 1-3 '>>>2 ctx-normalize: no messages in the input' '>>>= 65'
}

@test "anthropic: a compaction block is a summary message, and the text of other blocks stays text" {
    {
        user Old.
        says '[{"type":"compaction","content":"The harbour is 4.2 m deep."},{"type":"text","text":"I go on."}]'
        user New.
    } >in
    makes 'ctx-normalize' 1 '{"role":"user","content":"The harbour is 4.2 m deep.","metadata":{"kind":"summary","scope":"historical"}}' \
        "$(says 'I go on.')" 3
    ctx-normalize in >once
    same 'a second run' once <(ctx-normalize once)
    for to in openai anthropic; do
        { user Hi.; says '[{"type":"advisor_note","content":"Mind the tide."},{"type":"sealed","data":"x"}]'; user On.; } >in
        makes "ctx-normalize --to $to --report report | jq -c 'select(.role == \"assistant\") | [.content[].text]'" \
            '["Mind the tide.","[sealed]"]' '>>>+ report'
        [[ $(jq -c .dropped report) == '{"sealed":1}' ]] || fail "$(cat report)"
        rm report
    done
    # A block without a text is no summary.
    raw '{"role":"assistant", "content":[{"type":"compaction","content":null}, {"type":"text","text":"I go on."}]}' >in
    makes 'ctx-normalize' 1
}

@test "requests: of lines that are a session each, each is a body, and an empty object needs no model" {
    local option to
    local a='{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]}'
    local b='{"messages":[{"role":"user","content":"c"}]}'
    { raw "$a" "$b" "$b"; } >in
    makes "ctx-normalize --to openai --request='{}'" 1-3
    makes "ctx-normalize --to openai --session-key metadata.session_id --request='{}'" 1-3
    makes "ctx-normalize | ctx-normalize --to openai --request='{}'" 1-3
    makes "ctx-normalize | ctx-normalize --to openai --session-key metadata.session_id --request='{}'" 1-3
    makes "ctx-normalize --to openai --request='{\"model\":\"m\"}' | jq -c '[.model, (.messages | length), (.tools | length)]'" \
        '["m",2,1]' '["m",1,0]' '["m",1,0]'
    makes 'ctx-normalize --to anthropic --array | jq -c "[length]"' '[2]' '[1]' '[1]'
    # A line without messages leaves the others theirs, and what comes before the lines is a session.
    { user first; raw "$b" '{"messages":[]}' '{"messages":[],"tools":[{"type":"function","function":{"name":"f"}}]}' "$b"; } >in
    makes "ctx-normalize --to openai --request='{}'" '{"messages":[{"role":"user","content":"first"}]}' 2 2 \
        '>>>2 ctx-normalize: no messages for a request' '>>>= 65'
    { raw "$b" '{"messages":[],"tools":[{"type":"function","function":{"name":"f"}}]}'; } >in
    makes "ctx-normalize --to openai --request='{}' --report report" 1 '>>>2 ctx-normalize: no messages for a request' \
        '>>>= 65' '>>>+ report'
    rm report
    : >in
    makes "ctx-normalize --to openai --request='{}'" '>>>2 ctx-normalize: no messages for a request' '>>>= 65'
    {
        raw '{"conversations":[{"from":"human","value":"x"},{"from":"gpt","value":"y"}],"system":"s"}'
        raw '{"conversations":[{"from":"human","value":"z"}]}'
    } >in
    makes "ctx-normalize --to openai --request='{}' | jq -c '[.messages[].content]'" '["s","x","y"]' '["z"]'
    # So is each AgentContext, and what is not trusted; ids of their own part them as well.
    { raw "{\"messages\":[$(user a),$(calls c1 f '{}')]}" "{\"messages\":[$(user b '"session_id":"own"'),$(gets c1 r '"session_id":"own"')]}"; } >in
    for option in '' '--untrusted' '--session-key metadata.session_id'; do
        for to in "--to openai --request={}" '--to openai --array' '--to instructor'; do
            # shellcheck disable=SC2086
            ctx-normalize $option $to in >out
            [[ $(wc -l <out) == 2 && $(grep -c 'answers no call' out) == 1 ]] || fail "$option $to: $(<out)"
        done
    done
    # What has no place is said once, and the report has the sums.
    { raw '{"messages":[{"role":"user","content":"a"}],"n":1}' '{"messages":[{"role":"user","content":"b"}],"n":1}'; } >in
    spec <<'END'
ctx-normalize --to anthropic --request='{"model":"m","max_tokens":1}' --report report in | wc -l
jq -c '[.joined]' report
rm report
>>> 2
>>> [2]
>>>2 ctx-normalize: left out of the request, where anthropic has no place for it: 'n'
END
}

@test "requests: system messages alone are none, and no array of messages for Anthropic" {
    { system s; developer d; } >in
    makes 'ctx-normalize --to anthropic --array' '>>>2 ctx-normalize: no messages for a request' '>>>= 65'
    makes 'ctx-normalize --to openai --array | jq -c "[length]"' '[2]'
    : >in
    makes 'ctx-normalize --to anthropic --array' '[]'
}

@test "requests: what a body lacks is said with the line to type" {
    { user u; } >in
    local help="; try 'ctx-normalize --help'"
    makes 'ctx-normalize --to openai --request' \
        ">>>2 ctx-normalize: the request has no 'model', type --request='{\"model\":\"NAME\"}'$help" '>>>= 64'
    makes "ctx-normalize --to anthropic --request='{\"top_k\":1}'" \
        ">>>2 ctx-normalize: the request has no 'model', type --request='{\"model\":\"NAME\",\"max_tokens\":4096,\"top_k\":1}'$help" '>>>= 64'
    makes "ctx-normalize --to anthropic --request='{\"model\":\"m\"}'" \
        ">>>2 ctx-normalize: the request has no 'max_tokens', type --request='{\"max_tokens\":4096,\"model\":\"m\"}'$help" '>>>= 64'
    makes "ctx-normalize --to anthropic --request='{\"model\":null,\"max_tokens\":1}' 2>err" '>>>= 64' '>>>+ err'
    refuses "ctx-normalize --to openai --request='[1]'" \
        "bad value '[1]' of --request, expected an object such as {\"model\":\"NAME\"}"
    refuses "ctx-normalize --to openai --request '{\"model\":\"m\"}' in" \
        "'{\"model\":\"m\"}' is no file, type --request='{\"model\":\"m\"}'"
    refuses "ctx-normalize --to openai --request='{\"messages\":[]}'" '--request has messages, which come from the input'
    refuses 'ctx-normalize --request' '--request requires an API: --to=openai, anthropic, responses or gemini'
    refuses 'ctx-normalize --array' '--array requires an API: --to=openai, anthropic, responses or gemini'
    refuses 'ctx-normalize --to openai --array --request' '--request cannot be combined with --array'
    { raw '{"type":"ping"}'; } >in
    makes "ctx-normalize --to openai --request='{\"model\":\"m\"}' 2>err" '>>>= 65' '>>>+ err'
    grep -q 'no messages for a request' err
}

@test "requests: --array writes one array of messages" {
    { context s; user u; says a; } >in
    makes 'ctx-normalize --to openai --array' "[$(system s),$(user u),$(says a)]"
    makes 'ctx-normalize --to anthropic --array' "[$(system s),$(user u),$(says a)]"
    : >in
    makes 'ctx-normalize --to openai --array' '[]'
}

# --- Anthropic ----------------------------------------------------------------------------------

@test "anthropic: blocks that call and answer become calls and messages, others stay" {
    {
        says "$(blocks 'thinks t' 'text x' 'uses a f {"p":"\u0041"}')"
        user "$(blocks '{"type":"tool_result","tool_use_id":"a","content":"1","is_error":true,"cache_control":{"type":"ephemeral"}}' 'text and')"
        raw '{"role":"assistant", "content":[{"type":"text","text":"as it is"}]}'
    } >in
    makes 'ctx-normalize' \
        "$(acts "$(blocks 'thinks t' 'text x')" "$(call a f '{"p":"\u0041"}')")" \
        '{"role":"tool","tool_call_id":"a","content":"1","cache_control":{"type":"ephemeral"},"metadata":{"is_error":true}}' \
        "$(user and)" 3
}

@test "anthropic: the system of a request is the first message" {
    { raw '{"system":"s","messages":[{"role":"user","content":"u"}],"max_tokens":5,"model":"m"}'; } >in
    makes 'ctx-normalize' '{"type":"context","metadata":{"request":{"max_tokens":5,"model":"m"}}}' "$(system s)" "$(user u)"
}

@test "anthropic: a response has its id, model and usage in metadata" {
    {
        raw '{"id":"m1","type":"message","role":"assistant","model":"c","content":[{"type":"text","text":"x"}],"stop_reason":"end_turn","usage":{"output_tokens":3}}'
    } >in
    spec <<'END'
jq . in | ctx-normalize
>>> {"role":"assistant","content":"x","metadata":{"id":"m1","model":"c","usage":{"output_tokens": 3}}}
END
}

@test "to anthropic: roles alternate, results lead, thinking and errors come back" {
    {
        system s
        developer d
        user u
        user "$(blocks 'text v' 'shows data:image/png;base64,AA==' '{"type":"image_url","image_url":"http://x/y.png"}')"
        acts "$(blocks 'thinks t' '{"type":"thinking","thinking":"unsigned"}' 'text  ')" \
            '{"id":"a","type":"function","function":{"name":"f","arguments":"{\n \"x\": 1}"}}' \
            '{"id":"b","type":"function","function":{"name":"g","arguments":""}}'
        gets b ''
        gets a 1 '"is_error":true'
        user w
        says x
        says y '"kind":"trace"'
    } >in
    makes 'ctx-normalize --to anthropic' "$(system "$(blocks 'text s' 'text d')")" \
        "$(user "$(blocks 'text u' 'text v' '{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA=="}}' '{"type":"image","source":{"type":"url","url":"http://x/y.png"}}')")" \
        "$(says "$(blocks 'thinks t' 'uses a f {  "x": 1}' 'uses b g')")" \
        "$(user "$(blocks '{"type":"tool_result","tool_use_id":"a","content":"1","is_error":true}' '{"type":"tool_result","tool_use_id":"b"}' 'text w')")" \
        "$(says "$(blocks 'text x' 'text y')")"
}

@test "to anthropic: the user begins; a message with nothing to say parts nothing" {
    { says a; user u; says '[{"type":"thinking","thinking":"unsigned"}]'; user v; } >in
    makes 'ctx-normalize --to anthropic' "$(user '[earlier messages are left out]')" 1 \
        "$(user "$(blocks 'text u' 'text v')")"
}

@test "to anthropic: a system message that keeps its place parts what stands around it" {
    { user u; says a; system s; developer t; says b; says c; } >in
    makes 'ctx-normalize --to anthropic --system keep' 1-2 "$(system "$(blocks 'text s' 'text t')")" \
        "$(says "$(blocks 'text b' 'text c')")"
}

@test "to anthropic: ids are used once, and hold what the API takes" {
    {
        user "$(blocks 'text u')"
        wants a:0:f a_0:f
        gets a_0 2
        gets a:0 1
        raw '{"role":"assistant","tool_calls":[{"id":"a_0","function":{"name":"f"}},{"id":"a_0","function":{"name":"f"}},{"id":"","function":{"name":"f"}}]}'
        gets a_0 3
        gets a_0 4
        gets '' 5
    } >in
    makes "ctx-normalize --to anthropic | jq -c '[.content[] | .id // .tool_use_id]'" '[null]' \
        '["a_0","a_0_2"]' '["a_0","a_0_2"]' '["a_0_3","a_0_4","call"]' '["a_0_3","a_0_4","call"]'
}

@test "to anthropic: blocks hold what the API knows, unknown ones their text or type" {
    {
        user '[{"type":"text","text":"t","id":"x","cache_control":{"type":"ephemeral"}},{"type":"image","source":{}},{"type":"tool_call","value":"v"},{"type":"widget","x":1},{"type":"thinking","thinking":"t","signature":"s"}]'
        acts '[{"type":"image","source":{"type":"url","url":"http://x"}},{"type":"web_search_tool_result","content":[]},{"type":"text","text":"z \\n"}]' "$(call a mcp.read/file '{}')"
        gets a '[{"type":"image","source":{"type":"url","url":"http://x"}},{"type":"tool_reference","tool_name":"f"}]'
        says 'x\\n \n\t '
    } >in
    makes 'ctx-normalize --to anthropic' \
        "$(user "$(blocks '{"type":"text","text":"t","cache_control":{"type":"ephemeral"}}' 'text [image]' 'text v' 'text [widget]')")" \
        "$(says "$(blocks 'text [image]' '{"type":"web_search_tool_result","content":[]}' '{"type":"text","text":"z \\n"}' 'uses a mcp_read_file')")" \
        "$(user '[{"type":"tool_result","tool_use_id":"a","content":[{"type":"image","source":{"type":"url","url":"http://x"}},{"type":"tool_reference","tool_name":"f"}]}]')" \
        "$(says 'x\\n')"
    same faults /dev/null <(anthropic_faults expected)
}

@test "to anthropic: arguments that are no object are wrapped" {
    {
        user "$(blocks 'text u')"
        raw '{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"[1]"}},{"id":"b","function":{"name":"f","arguments":"{\"x\":"}},{"id":"c","name":"f","args":{"y":2}},{"id":"d","type":"custom","custom":{"name":"f","input":"text"}}]}'
    } >in
    makes "ctx-normalize --to anthropic | jq -c '.content[].input | values'" '{"arguments":"[1]"}' \
        '{"arguments":"{\"x\":"}' '{"y":2}' '{"arguments":"text"}'
}

@test "to anthropic: a context record is a system message, once, and parts no call from its result" {
    {
        context s
        user u
        wants a:f
        context s
        context t
        gets a 1
    } >in
    makes 'ctx-normalize --to anthropic' "$(system t)" 2 "$(says "$(blocks 'uses a f')")" \
        "$(user "$(blocks 'answers a 1')")"
}

# --- Twice is once ------------------------------------------------------------------------------

# bats test_tags=slow
@test "every dialect: what was written, a second run leaves byte for byte" {
    local to file
    local -a files=("$FIXTURES"/*.jsonl)
    [[ ! -d $CTX_SHARED ]] || readarray -t -d '' -O "${#files[@]}" files < <(find "$CTX_SHARED" -type f -print0)
    for to in $(help_dialects --to); do
        for file in "${files[@]}"; do
            ctx-normalize --to "$to" "$file" >once 2>err || [[ $? == 65 ]]
            ctx-normalize --to "$to" once >twice 2>err || [[ $? == 65 ]]
            cmp -s once twice || same "--to $to ${file##*/}" once twice
        done
    done
}

# help_dialects OPTION: those that the option takes, as the help has them.
help_dialects() {
    # What does not fit a line goes on in the next one.
    ctx-normalize --help | sed -e ':a' -e 'N;s/\n \{20,\}/ /;ta' -e 'P;D' | sed -n "s/^ *$1=FORMAT //p" | sed 's/ (default)//; s/,//g; s/ or / /' |
        tr -s ' ' '\n' | sed '/^$/d'
}

@test "to openai: a message of which nothing is left goes, whatever metadata held it" {
    spec <<'END'
ctx-normalize --to openai
<<< {"role":"user","content":"q"}
<<< {"role":"user","content":"","metadata":{"pinned":true}}
<<< {"role":"user","content":" ","metadata":{"kind":"summary"}}
<<< {"role":"assistant","content":[{"type":"thinking","thinking":"t"},{"type":"text","text":" "}],"id":"x","annotations":[]}
<<< {"role":"assistant","content":"","refusal":"no","metadata":{"pinned":true}}
>>> {"role":"user","content":"q"}
>>> {"role":"assistant","content":"","refusal":"no"}
END
}

@test "to openai and anthropic: what is pinned is mended too, since nothing says there that it is" {
    local to
    cat >in <<'END'
{"role":"human","content":"q","metadata":{"pinned":true}}
{"role":"tool","tool_call_id":"x","content":"r","metadata":{"pinned":true}}
END
    for to in openai anthropic; do
        ctx-normalize --to "$to" in >once
        ctx-normalize --to "$to" once >twice
        same "$to" once twice
        grep -q 'answers no call' once
        [[ $(<once) != *'"tool'* ]]
    done
}

@test "openai: function_call beside tool_calls without a call, and under an alias of its role" {
    spec <<'END'
ctx-normalize --to openai
<<< {"role":"assistant","tool_calls":[],"content":null,"function_call":{"name":"f","arguments":"{}"}}
<<< {"role":"ai","content":null,"function_call":{"name":"g","arguments":"{}"}}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"function_call_1","type":"function","function":{"name":"f","arguments":"{}"}}]}
>>> {"role":"tool","tool_call_id":"function_call_1","content":"[no result]"}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"function_call_2","type":"function","function":{"name":"g","arguments":"{}"}}]}
>>> {"role":"tool","tool_call_id":"function_call_2","content":"[no result]"}
END
}

# any ITEM...: one of them, by chance.
any() {
    printf '%s' "${@:RANDOM % $# + 1:1}"
}

# any_block ID: a block of any kind, for any role.
any_block() {
    any "$(blocks 'text a')" "$(blocks 'text ')" '[{"type": "text", "text": "b c"}]' "$(blocks "uses $1 read")" \
        "$(blocks "answers $1 ok")" "$(blocks "$(printf '{"type":"tool_result","tool_use_id":"%s","content":%s}' \
            "$1" "$(blocks 'text n' "answers $1 inner" "uses c0 ls")")")" "$(blocks 'thinks so')" \
        '[{"type":"tool_result","tool_use_id":"c1"}]' '["bare"]'
}

# any_message: in the spellings of several APIs at once.
any_message() {
    local role id content
    role=$(any user assistant assistant tool tool function model) id=c$((RANDOM % 3))
    content=$(any '""' '"hello"' null "$(any_block $id)" "$(any_block $id)" "$(any_block $id)$(any_block c1)")
    printf '{%s"role":"%s","content":%s' "$(any '' '' '' '"type":"message",')" "$role" "${content//][/,}"
    [[ $role != @(assistant|model) ]] || any '' ',"tool_calls":['"$(call $id ls x)]" ',"tool_calls":[]'
    [[ $role != @(assistant|model) ]] || any '' '' ',"function_call":{"name":"f","arguments":"{}"}'
    [[ $role != tool ]] || printf ',"tool_call_id":"%s"' "$id"
    any '}' '}' '}' ',"metadata":{"is_error":true}}' ',"metadata":"mine"}'
    echo
}

# bats test_tags=slow
@test "every dialect: what mixes the spellings of several APIs is read once, and the same the second time" {
    local to i calls
    RANDOM=6
    for i in {1..12}; do
        for ((calls = RANDOM % 7 + 1; calls > 0; calls--)); do any_message; done >in
        for to in $(help_dialects --to); do
            ctx-normalize --to "$to" in >once
            ctx-normalize --to "$to" once >twice
            same "--to $to of $(<in)" once twice
        done
    done
}

@test "anthropic: calls that stand beside its blocks are calls too" {
    {
        user Q.
        raw "{\"role\":\"assistant\",\"content\":$(blocks 'text T.' 'uses a f'),\"tool_calls\":[$(call b read x)]}"
        gets b two
        gets a one
        raw "{\"role\":\"assistant\",\"content\":$(blocks 'uses c f'),\"function_call\":{\"name\":\"g\",\"arguments\":\"{}\"}}"
        user "$(blocks 'answers c three')"
    } >in
    spec <<END
ctx-normalize in
>>> $(user Q.)
>>> {"role":"assistant","content":"T.","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},$(call b read x)]}
>>> $(gets a one)
>>> $(gets b two)
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"function_call_1","type":"function","function":{"name":"g","arguments":"{}"}}]}
>>> $(gets c three)
END
}

@test "anthropic: a result holds no blocks of tools; what they say is text" {
    {
        user Q.
        wants a:f b:f
        gets a "$(blocks 'text x' 'answers a inner' 'uses c ls' '{"type":"tool_result","tool_use_id":"d"}')" '"id":"m1"'
        raw "{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"b\",\"content\":$(blocks 'answers b in')}]}"
    } >in
    makes 'ctx-normalize' 1-2 "$(gets a "$(blocks 'text x' 'text inner' \
        'text {\"type\":\"tool_use\",\"id\":\"c\",\"name\":\"ls\",\"input\":{}}' \
        'text {\"type\":\"tool_result\",\"tool_use_id\":\"d\"}')" '"id":"m1"')" "$(gets b "$(blocks 'text in')")"
}

# random_talks TO FILES: conversations in the spelling of an API, most of them with some fault.
random_talks() {
    awk -v to="$1" -v count="$2" '
        function pick(list,    n, a) { n = split(list, a, "|"); return a[1 + int(rand() * n)] }
        function id() { return pick("c1|c2|c3") }
        function call() { return "{\"id\":\"" id() "\",\"type\":\"function\",\"function\":{\"name\":\"" pick("f|f|f|a.b") "\",\"arguments\":" pick("\"{}\"|\"{}\"|\"{}\"|{}") "}}" }
        function openai(    what) {
            what = pick("user|user|says|calls|calls|both|tool|tool|tool|system|odd")
            if (what == "user") return "{\"role\":\"user\",\"content\":" pick("\"u\"|\"u\"|[]|[{\"type\":\"text\",\"text\":\"t\"}]") "}"
            if (what == "says") return "{\"role\":\"assistant\",\"content\":" pick("\"a\"|null|[{\"type\":\"refusal\",\"refusal\":\"n\"}]") "}"
            if (what == "calls") return "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[" call() "]}"
            if (what == "both") return "{\"role\":\"assistant\",\"tool_calls\":[" call() "," call() "]}"
            if (what == "tool") return "{\"role\":\"tool\",\"tool_call_id\":\"" id() "\",\"content\":\"r\"}"
            if (what == "system") return "{\"role\":\"" pick("system|developer") "\",\"content\":\"s\"}"
            return "{\"role\":\"" pick("user|human|tool") "\",\"content\":\"o\",\"" pick("name|x") "\":" pick("\"n\"|\"a b\"|null") "}"
        }
        function block(role) {
            if (rand() < 0.06) return "{\"type\":\"" pick("widget|text|thinking|image") "\",\"text\":\" \"}"
            if (rand() < 0.4) return "{\"type\":\"text\",\"text\":\"t" pick("||| ") "\"}"
            if (role == "user") return "{\"type\":\"tool_result\",\"tool_use_id\":\"" id() "\",\"content\":\"r\"}"
            return "{\"type\":\"tool_use\",\"id\":\"" id() "\",\"name\":\"f\",\"input\":" pick("{}|{}|{}|5") "}"
        }
        function anthropic(    role, n, all) {
            role = pick("user|user|user|assistant|assistant|assistant|system")
            if (role == "system" || rand() < 0.3) return "{\"role\":\"" role "\",\"content\":\"" pick("u|u|u| ") "\"}"
            for (n = pick("1|1|2|3"); n > 0; n--) all = all (all ? "," : "") block(role)
            return "{\"role\":\"" role "\",\"content\":[" all "]}"
        }
        BEGIN {
            srand(5)
            for (i = 1; i <= count; i++)
                for (n = pick("1|2|2|3|4"); n > 0; n--) print (to == "openai" ? openai() : anthropic()) >("talk." i)
        }'
}

# bats test_tags=slow
@test "every API: --check refuses what jq refuses of random conversations, and nothing else" {
    local to file got
    for to in openai anthropic; do
        random_talks $to 300
        "${to}_faults" talk.* | cut -d: -f1 | sort -u >wanted
        for file in talk.*; do
            got=0
            ctx-normalize --check --to $to $file 2>err || got=$?
            ((got != 1)) || echo "$file"
        done | sort >got
        same "$to" wanted got
        (($(wc -l <wanted) > 100 && $(wc -l <wanted) < 290))
        rm talk.* wanted got err
    done
}

# --- The table ----------------------------------------------------------------------------------

@test "every dialect: help, page and completion have the rows of the table, and each a file" {
    local table=$ROOT/common/dialects/table.h name
    shopt -s globstar
    # shellcheck disable=SC1091
    source "$ROOT/completions/ctx.bash"
    sed -n 's/^\trow(\([a-z_]*\)_dialect, .*/\1/p' "$table" | tr _ - >rows
    same 'names' rows <(sed -n 's/^\trow([a-z_]*, "\([a-z-]*\)".*/\1/p' "$table")
    (($(wc -l <rows) > 3))
    while read -r name; do
        compgen -G "$ROOT/common/dialects/**/${name//-/_}*.c" >/dev/null || fail "$name has no file"
    done <rows
    same 'written' <(sed -n 's/^\trow([a-z_]*, "\([a-z-]*\)", [a-z]*, yes).*/\1/p' "$table") <(help_dialects --to)
    sed -n 's/^\trow([a-z_]*, "\([a-z-]*\)", yes, .*/\1/p' "$table" >rows
    same 'help' rows <(help_dialects --from)
    ctx-normalize --help | grep -qF "$(head -n 1 rows) (default), " || fail 'the default is not the first'
    while read -r name; do
        sed -n '/^\.It Fl -from/,/^\.It Fl -to/p' "$ROOT/man/ctx-normalize.1" | grep -qw -- "$name" || fail "$name is not in the page"
        printf '%s\n' "${_ctx_normalize[@]}" | grep -q -- "^--from=.*\<$name\>" || fail "$name is not completed"
        [[ $name == auto ]] || ! ctx-normalize --from "$name" </dev/null 2>err || [[ ! -s err ]]
    done <rows
    # No other file of the tree knows one dialect by name, but for the canonical one and a table of all.
    grep -rlE '\b(openai|anthropic|claude_code|sharegpt)_dialect\b' "$ROOT/common" "$ROOT/cmd" | sed "s|$ROOT/||" | sort >named
    same 'who names a dialect' - named <<'END'
common/dialects/anthropic/anthropic.c
common/dialects/auto.c
common/dialects/claude-code/claude_code.c
common/dialects/claude-code/claude_line.c
common/dialects/gc/gc_form.c
common/dialects/openai/openai.c
common/dialects/session_file/session_layout.c
common/dialects/sharegpt/sharegpt.c
common/dialects/table.h
END
}

@test "dialects: a text survives in whatever part it stands, and a medium in the other API's words" {
    local to
    printf '%s\n' '{"role":"user","content":[{"type":"text","text":"A"},{"type":"input_text","text":"B"},{"type":"output_text","text":"C"},{"text":"D"},{"type":"text","value":"E"},"F",{"type":"reasoning_text","text":"no"},{"type":"input_image","image_url":"data:image/png;base64,AA=="},{"type":"input_file","file_data":"data:text/plain;base64,AA=="},{"functionCall":{"name":"f"}}]}' >in
    for to in openai anthropic; do
        ctx-normalize --to "$to" in >"$to"
        [[ $(jq -r '[.content[] | .text // empty] | join(" ")' "$to") == 'A B C D E F [functionCall]' ]] || fail "$to: $(cat "$to")"
        ctx-normalize --to "$to" "$to" | cmp - "$to"
    done
    # In the other words, too.
    for to in $(help_dialects --to); do
        [[ $to == instructor || $to == ctx ]] && continue
        ctx-normalize --to "$to" <<<'{"role":"assistant","content":[{"type":"tool_call","value":"G"},{"type":"x","text":"H"}]}' >written
        [[ $(tr -d '\n' <written) =~ G.*H ]] || fail "$to: $(<written)"
        rm written
    done
    [[ $(jq -c '[.content[] | select(.type != "text")]' openai) == '[{"type":"image_url","image_url":{"url":"data:image/png;base64,AA=="}},{"type":"file","file":{"file_data":"data:text/plain;base64,AA=="}}]' ]]
    [[ $(jq -c '[.content[] | select(.type != "text") | [.type, .source.media_type]]' anthropic) == '[["image","image/png"],["document","text/plain"]]' ]]
    rm in openai anthropic
}

@test "dialects: a document that is text is text where no file of its kind has a place" {
    local document='{"role":"user","content":[{"type":"document","source":{"type":"%s","media_type":"%s","data":"%s"}}]}\n' to
    # shellcheck disable=SC2059
    {
        printf "$document" text text/plain 'Tide \"4.2\" m'
        printf "$document" base64 text/markdown w7zwn4yKYQ==
        printf "$document" base64 text/plain VGlkZQ
        printf "$document" base64 text/plain /////w==
        printf "$document" base64 text/plain '?'
        printf "$document" base64 application/pdf JVBERi0=
    } >in
    spec <<'END'
ctx-normalize --to openai in | jq -c '.content[0] | .text // .file.file_data'
>>> "Tide \"4.2\" m"
>>> "ü🌊a"
>>> "Tide"
>>> "data:text/plain;base64,/////w=="
>>> "data:text/plain;base64,?"
>>> "data:application/pdf;base64,JVBERi0="
END
    for to in codex pi gemini-cli opencode; do
        ctx-normalize --to "$to" in 2>err | ctx-normalize --from "$to" | jq -c 'select(.role).content | if type == "array" then .[].text else . end' >texts
        same "$to" texts - <<<$'"Tide \\"4.2\\" m"\n"ü🌊a"\n"Tide"\n"[document]"\n"[document]"\n"[document]"'
    done
    same 'Anthropic takes all' <(jq -c .content in) <(ctx-normalize --to claude-code in | ctx-normalize --from claude-code | jq -c 'select(.role).content')
}

@test "what does not survive a conversion is counted by kind, in the report and with -v" {
    {
        user '[{"type":"text","text":{"value":"A"}},{"functionCall":{"name":"f","args":{"a":1}}},{"functionResponse":{"name":"f"}}]'
        raw '{"role":"assistant","content":[{"type":"thinking","thinking":"t"},{"type":"text","text":"B"}],"reasoning_content":"r"}'
    } >in
    local to
    for to in openai anthropic; do
        spec <<END
ctx-normalize -v --to $to --report report in >out
jq -c .dropped report; jq -c '.content[0].text // .content' out
>>> {"functionCall":1,"functionResponse":1,"reasoning_content":1,"thinking":1}
>>> "A"
>>> "B"
>>>2 ctx-normalize: 2 records, 2 messages in; 2 messages out, 2 changed; 0 records added; dropped: 1 functionCall, 1 functionResponse, 1 reasoning_content, 1 thinking
>>>+ out
>>>+ report
END
    done
}

@test "a message of which nothing is left is counted: by its metadata, or as one; a sub-agent's, too" {
    {
        raw '{"role":"user","metadata":{"content":"u","tool_calls":[]}}' '{"role":"assistant","_metadata":{"refusal":"no","reasoning_content":"r"}}'
        raw '{"role":"user","content":"","attachments":["a"]}'
        user q
        says child '"agent_id":"x","parent_execution_id":"e"'
    } >in
    local to
    for to in openai anthropic; do
        spec <<END
ctx-normalize -v --to $to --report report in
jq -c .dropped report
>>> {"role":"user","content":"q"}
>>> {"metadata.content":1,"metadata.refusal":1,"metadata.reasoning_content":1,"message":1,"sub-agent":1}
>>>2 ctx-normalize: 5 records, 5 messages in; 1 messages out, $([[ $to == openai ]] && echo 0 || echo 1) changed; 0 records added; dropped: 1 metadata.content, 1 metadata.refusal, 1 metadata.reasoning_content, 1 message, 1 sub-agent
>>>+ report
END
    done
}

@test "to anthropic: what the assistant refuses survives, whatever content stands beside it" {
    local content
    for content in '""' null '"Well."' '[{"type":"text","text":"Well."}]'; do
        { user q; raw "{\"role\":\"assistant\",\"content\":$content,\"refusal\":\"I will not.\"}"; } >in
        makes 'ctx-normalize --to anthropic | jq -r "select(.role == \"assistant\") | if .content | type == \"string\" then .content else .content[].text end | select(. != \"Well.\")"' 'I will not.'
    done
    ctx-normalize --to anthropic in >out
    status_of 0 ctx-normalize --check --to anthropic out
}

@test "how many messages a request, an array or a store holds is said" {
    { system s; user q; says a; user b; } >in
    spec <<'END'
ctx-normalize -v --to openai --array --report report in >out; jq -c '[.written, .added, .joined]' report
ctx-normalize -v --to openai --request='{"model":"m"}' --report report in >out; jq -c '[.written, .added, .joined]' report
ctx-normalize -v --to anthropic --request='{"model":"m","max_tokens":9}' --report report in >out; jq -c '[.written, .added, .joined]' report
ctx-normalize -v --to instructor --report report in >out; jq -c '[.written, .added, .joined]' report
ctx-normalize --to openai --report report in >out; jq -c '[.written, .added, .joined]' report
>>> [0,1,4]
>>> [0,1,4]
>>> [0,1,3]
>>> [0,1,4]
>>> [4,0,null]
>>>2 ctx-normalize: 4 records, 4 messages in; 0 messages out, 0 changed; 1 records added; 4 messages in the array
>>>2 ctx-normalize: 4 records, 4 messages in; 0 messages out, 0 changed; 1 records added; 4 messages in the request
>>>2 ctx-normalize: 4 records, 4 messages in; 0 messages out, 0 changed; 1 records added; 3 messages in the request
>>>2 ctx-normalize: 4 records, 4 messages in; 0 messages out, 0 changed; 1 records added; 4 messages in the AgentContext
>>>+ out
>>>+ report
END
}

# --- Members that are not there ------------------------------------------------------------------

# without_each: of the conversation on standard input, a record a line, each form that lacks one member
# or element, at any depth; each form is one line, with "\u001e" where a line ends.
without_each() {
    jq -rsc 'paths as $path | select(($path | length) > 1) | delpaths([$path]) | map(tojson) | join("\u001e")'
}

# without_any: the same of a message on standard input, for each set of the members of its call.
without_any() {
    jq -c 'first(path(.. | objects | select(has("id")))) as $at |
        ([getpath($at) | paths | $at + .] | reduce .[] as $path ([[]]; . + map(. + [$path])) | .[]) as $set |
        delpaths($set)' | sort -u
}

@test "dialects: calls and results that lack any member, in every dialect, are checked, repaired and written" {
    local dialect form options count=0
    mkdir talks calls
    cat >calls/openai <<'END'
{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"ring","arguments":"{}"}}]}
END
    cat >calls/ctx <<'END'
{"role":"assistant","tool_calls":[{"id":"c1","name":"ring","args":{}}]}
END
    cat >calls/anthropic <<'END'
{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"ring","input":{}}]}
END
    cat >talks/openai <<'END'
{"role":"user","content":"Ring it."}
{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"ring","arguments":"{}"}}]}
{"role":"tool","tool_call_id":"c1","content":"rung"}
END
    cat >talks/ctx <<'END'
{"role":"assistant","tool_calls":[{"id":"c1","name":"ring","args":{"times":1}}],"metadata":{"id":"m1","is_trace":true,"execution_id":"e1"}}
{"role":"tool","tool_call_id":"c1","content":"rung","metadata":{"id":"m2","is_trace":true,"execution_id":"e1","tool_name":"ring"}}
{"role":"assistant","content":"Done.","metadata":{"id":"m3","execution_id":"e1"}}
END
    cat >talks/anthropic <<'END'
{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"ring","input":{"times":1}}]}
{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","is_error":true,"content":[{"type":"text","text":"rung"}]}]}
END
    cat >talks/claude-code <<'END'
{"type":"assistant","uuid":"u1","parentUuid":null,"sessionId":"s","message":{"id":"a","role":"assistant","content":[{"type":"tool_use","id":"c1","name":"ring","input":{}}],"usage":{"input_tokens":9,"output_tokens":1}}}
{"type":"user","uuid":"u2","parentUuid":"u1","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"rung"}]},"toolUseResult":{"agentId":"x"}}
END
    cat >talks/sharegpt <<'END'
{"conversations":[{"from":"human","value":"Ring it."},{"from":"function_call","value":"{\"name\":\"ring\",\"arguments\":{}}"},{"from":"observation","value":"rung"},{"from":"gpt","value":"Done."}],"tools":"[]"}
END
    cat >talks/hf-trace <<'END'
{"type":"session","harness":"h","id":"s"}
{"type":"message","message":{"role":"user","content":"Ring it.","timestamp":1}}
{"type":"message","message":{"role":"assistant","content":"t","reasoningContent":"r","toolCalls":[{"id":"c1","function":{"name":"ring","arguments":"{}"}}],"model":"m"}}
{"type":"message","message":{"role":"tool","toolCallId":"c1","content":"rung"}}
END
    cat >talks/acp <<'END'
{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"Ring it."}]}}
{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"t"}}}}
{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","messageId":"m","content":{"type":"text","text":"u"}}}}
{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c1","title":"T","kind":"other","name":"ring"}}}
{"update":{"sessionUpdate":"tool_call_update","toolCallId":"c1","status":"completed","rawInput":{"a":1},"content":[{"type":"content","content":{"type":"text","text":"rung"}}]}}
{"update":{"sessionUpdate":"compaction_update","status":"completed","summary":[{"type":"text","text":"S"}]}}
{"update":{"sessionUpdate":"user_message","messageId":"n","content":[{"type":"image","data":"A","mimeType":"image/png"}]}}
END
    cat >talks/copilot-chat <<'END'
{"version":3,"responderUsername":"r","sessionId":"s","requests":[{"requestId":"q","message":{"text":"Ring it."},"timestamp":1,"modelId":"m","response":[{"value":"t"}],"result":{"metadata":{"toolCallRounds":[{"id":"a","response":"t","thinking":{"id":"h","text":["h"]},"toolCalls":[{"id":"c1","name":"ring","arguments":"{}"}]}],"toolCallResults":{"c1":{"content":[{"value":"rung"},{"value":{"node":{"type":1,"children":[{"type":2,"text":"u","lineBreakBefore":true}]}}}]}}}}},{"requestId":"p","message":{"text":"v"},"responseId":"o","response":[{"value":"w"},{"kind":"inlineReference","name":"x"},{"kind":"thinking","value":"y"}]}]}
END
    cat >talks/inspect <<'END'
{"eval":{"task":"t"},"samples":[{"id":1,"epoch":1,"uuid":"s","target":"","messages":[{"id":"a","role":"user","content":[{"type":"text","text":"Ring it."},{"type":"image","image":"u"}]},{"id":"b","role":"assistant","content":[{"type":"reasoning","reasoning":"r"}],"model":"m","tool_calls":[{"id":"c1","function":"ring","arguments":{"a":1},"type":"function"}]},{"id":"c","role":"tool","content":"rung","tool_call_id":"c1","function":"ring","error":{"type":"unknown","message":"e"}}]}]}
END
    cat >talks/langfuse <<'END'
{"trace":{"id":"t","sessionId":"s","input":"i","output":"o"},"observations":[{"type":"GENERATION","startTime":"1","input":[{"role":"user","content":"Ring it."},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"ring","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":"rung"}],"output":{"message":{"role":"assistant","content":"d"}}}]}
END
    cat >talks/training <<'END'
{"prompt":[{"role":"user","content":"Ring it."}],"completion":[{"role":"assistant","content":"t"}],"label":true}
{"input":{"messages":[{"role":"user","content":"Ring it."}],"tools":[{"type":"function","function":{"name":"ring"}}]},"preferred_output":[{"role":"assistant","content":"t"}],"non_preferred_output":[{"role":"assistant","content":"u"}]}
{"instruction":"Ring it.","input":"i","chosen":"t","rejected":"u","system":"S","history":[["a","b"]]}
END
    cat >talks/batch <<'END'
{"custom_id":"r","method":"POST","url":"/v1/chat/completions","body":{"model":"m","messages":[{"role":"user","content":"Ring it."},{"role":"assistant","content":"t","tool_calls":[{"id":"c1","type":"function","function":{"name":"ring","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":"rung"},{"role":"assistant","content":"d"}]}}
{"custom_id":"r","response":{"status_code":200,"body":{"model":"m","choices":[{"message":{"role":"assistant","content":"t"}}]}},"error":null}
{"custom_id":"s","body":{"model":"m","input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"i"}]}]}}
{"custom_id":"t","result":{"type":"succeeded","message":{"role":"assistant","content":[{"type":"text","text":"u"}]}}}
END
    cat >talks/instructor <<'END'
{"role":"assistant","content":"","metadata":{"tool_calls":[{"id":"c1","name":"ring","arguments":{"times":1}}]}}
{"role":"tool","content":"rung","metadata":{"tool_call_id":"c1","tool_name":"ring","tool_result":{"call_id":"c1","value":"rung","error":null}}}
END
    cat >talks/codex <<'END'
{"timestamp":"t","type":"session_meta","payload":{"id":"s","forked_from_id":"p","base_instructions":{"text":"S"}}}
{"timestamp":"t","type":"turn_context","payload":{"model":"m","turn_id":"1"}}
{"timestamp":"t","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Ring it."}]}}
{"timestamp":"t","type":"response_item","payload":{"type":"reasoning","summary":[{"type":"summary_text","text":"r"}],"encrypted_content":"E"}}
{"timestamp":"t","type":"response_item","payload":{"type":"function_call","call_id":"c1","name":"ring","arguments":"{}"}}
{"timestamp":"t","type":"event_msg","payload":{"type":"token_count","info":{"last_token_usage":{"input_tokens":1},"total_token_usage":{"input_tokens":1}}}}
{"timestamp":"t","type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"rung"}}
{"timestamp":"t","type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":1}}
{"timestamp":"t","type":"compacted","payload":{"message":"sum","replacement_history":[{"type":"custom_tool_call","call_id":"c2","name":"ring","input":"i"}]}}
END
    cat >talks/pi <<'END'
{"type":"session","version":3,"id":"s","timestamp":"t","cwd":"/"}
{"type":"message","id":"a","parentId":null,"timestamp":"t","message":{"role":"user","content":[{"type":"text","text":"Ring it."},{"type":"image","data":"A","mimeType":"image/png"}],"timestamp":1}}
{"type":"message","id":"b","parentId":"a","timestamp":"t","message":{"role":"assistant","content":[{"type":"thinking","thinking":"t"},{"type":"toolCall","id":"c1","name":"ring","arguments":{}}],"model":"m","usage":{"input":1,"output":1},"stopReason":"toolUse","timestamp":1}}
{"type":"message","id":"c","parentId":"b","timestamp":"t","message":{"role":"toolResult","toolCallId":"c1","toolName":"ring","content":[{"type":"text","text":"rung"}],"isError":true,"timestamp":1}}
{"type":"message","id":"d","parentId":"c","timestamp":"t","message":{"role":"bashExecution","command":"ls","output":"o","exitCode":1}}
{"type":"compaction","id":"e","parentId":"d","timestamp":"t","summary":"S","firstKeptEntryId":"b"}
END
    cat >talks/gemini-cli <<'END'
{"sessionId":"s","projectHash":"h"}
{"id":"a","timestamp":"t","type":"user","content":[{"text":"Ring it."},{"inlineData":{"mimeType":"image/png","data":"A"}}]}
{"id":"b","timestamp":"t","type":"gemini","content":"I do.","thoughts":[{"subject":"S","description":"D"}],"tokens":{"input":1,"output":1},"model":"m","toolCalls":[{"id":"c1","name":"ring","args":{"a":1},"status":"success","result":[{"functionResponse":{"id":"c1","name":"ring","response":{"output":"rung"}}}]}]}
{"$set":{"messages":[{"id":"a","timestamp":"t","type":"user","content":"Again."}]}}
{"$rewindTo":"a"}
{"id":"a","timestamp":"t","type":"user","content":"Again."}
END
    cat >talks/responses <<'END'
{"model":"m","instructions":"S","tools":[{"type":"function","name":"ring"}],"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"Ring it."}]},{"type":"reasoning","summary":[{"type":"summary_text","text":"r"}]},{"type":"function_call","call_id":"c1","name":"ring","arguments":"{}"},{"type":"function_call_output","call_id":"c1","output":[{"type":"input_text","text":"rung"}]}]}
{"object":"response","model":"m","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Done."}]}],"usage":{"input_tokens":1}}
END
    cat >talks/gemini <<'END'
{"systemInstruction":{"parts":[{"text":"S"}]},"tools":[{"functionDeclarations":[{"name":"ring"}]}],"contents":[{"role":"user","parts":[{"text":"Ring it."},{"inlineData":{"mimeType":"image/png","data":"A"}}]},{"role":"model","parts":[{"text":"r","thought":true},{"functionCall":{"id":"c1","name":"ring","args":{"a":1}},"thoughtSignature":"S"}]},{"role":"user","parts":[{"functionResponse":{"id":"c1","name":"ring","response":{"output":"rung"},"parts":[{"inlineData":{"mimeType":"image/png","data":"A"}}]}}]}]}
{"candidates":[{"content":{"role":"model","parts":[{"text":"Do"}]}}],"usageMetadata":{"promptTokenCount":1},"modelVersion":"m"}
{"candidates":[{"content":{"role":"model","parts":[{"text":"ne."}]},"finishReason":"STOP"}],"responseId":"i"}
{"role":"user","parts":[{"text":"Again."}]}
END
    cat >talks/opencode <<'END'
{"info":{"id":"u","sessionID":"s","role":"user","time":{"created":1}},"parts":[{"id":"p","type":"text","text":"Ring it."},{"type":"compaction","auto":true,"tail_start_id":"u"}]}
{"info":{"id":"a","sessionID":"s","role":"assistant","parentID":"u","time":{"created":1},"modelID":"m","tokens":{"input":1},"summary":true,"finish":"stop"},"parts":[{"type":"step-start"},{"type":"tool","callID":"c1","tool":"ring","state":{"status":"completed","input":{"a":1},"output":"rung","time":{"start":1,"end":2,"compacted":3},"attachments":[{"type":"file","mime":"image/png","url":"u"}]}},{"type":"step-start"},{"type":"reasoning","text":"r"}]}
[{"type":"message.updated","properties":{"info":{"id":"a","sessionID":"s","role":"user"}}},{"type":"message.part.updated","properties":{"part":{"id":"p","messageID":"a","type":"text","text":"t"}}},{"type":"message.part.delta","properties":{"messageID":"b","partID":"q","field":"text","delta":"d"}}]
END
    cat >talks/copilot-cli <<'END'
{"type":"session.start","data":{"sessionId":"s","selectedModel":"m"},"id":"a","timestamp":"t","parentId":null}
{"type":"user.message","data":{"content":"Ring it.","transformedContent":"<x>","attachments":[{"type":"blob","data":"A","mimeType":"image/png"}],"source":"skill-x"},"id":"b","timestamp":"t","parentId":"a"}
{"type":"assistant.message","data":{"content":"I do.","reasoningText":"r","reasoningOpaque":"o","toolRequests":[{"toolCallId":"c1","name":"ring","arguments":{"a":1},"type":"custom"}]},"id":"c","timestamp":"t","agentId":"g"}
{"type":"session.compaction_start","data":{},"id":"d","timestamp":"t"}
{"type":"tool.execution_complete","data":{"toolCallId":"c1","success":false,"result":{"content":"rung","detailedContent":"d","binaryResultsForLlm":[{"data":"A","mimeType":"image/png"}]},"error":{"message":"e"}},"id":"e","timestamp":"t"}
{"type":"session.compaction_complete","data":{"success":true,"summaryContent":"S"},"id":"f","timestamp":"t"}
{"type":"session.snapshot_rewind","data":{"upToEventId":"f"},"id":"g","timestamp":"t"}
END
    cat >talks/ai-sdk <<'END'
{"id":"a","role":"user","parts":[{"type":"text","text":"Ring it."},{"type":"file","mediaType":"image/png","url":"u"},{"type":"data-x","data":1}]}
{"id":"b","role":"assistant","metadata":{"usage":{"inputTokens":1}},"parts":[{"type":"step-start"},{"type":"reasoning","text":"r","providerMetadata":{"openai":{"reasoningEncryptedContent":"x"}}},{"type":"tool-ring","toolCallId":"c1","state":"output-available","input":{"a":1},"output":[1]},{"type":"step-start"},{"type":"dynamic-tool","toolName":"d","toolCallId":"c2","state":"output-denied","approval":{"reason":"n"}}]}
{"role":"assistant","content":[{"type":"tool-call","toolCallId":"c3","toolName":"ring","input":{"a":1}},{"type":"tool-invocation","toolInvocation":{"state":"result","toolCallId":"c4","toolName":"n","args":{},"result":"x"}}]}
{"role":"tool","content":[{"type":"tool-result","toolCallId":"c3","toolName":"ring","output":{"type":"content","value":[{"type":"text","text":"z"}]}}]}
[{"type":"start-step"},{"type":"reasoning-delta","id":"r","delta":"r"},{"type":"reasoning-end","id":"r"},{"type":"text-delta","id":"t","delta":"x"},{"type":"tool-input-start","toolCallId":"c5","toolName":"f"},{"type":"tool-input-delta","toolCallId":"c5","inputTextDelta":"{"},{"type":"tool-output-error","toolCallId":"c5","errorText":"e"}]
END
    cat >talks/qwen-code <<'END'
{"uuid":"a","parentUuid":null,"sessionId":"s","timestamp":"t","type":"user","subtype":"notification","message":{"role":"user","parts":[{"text":"Ring it."}]}}
{"uuid":"b","parentUuid":"a","type":"assistant","model":"m","usageMetadata":{"promptTokenCount":1},"message":{"role":"model","parts":[{"text":"r","thought":true},{"functionCall":{"id":"c1","name":"ring","args":{"a":1}}}]}}
{"uuid":"b","parentUuid":"a","type":"assistant","message":{"role":"model","parts":[{"text":"I do."}]}}
{"uuid":"c","parentUuid":"b","type":"tool_result","message":{"role":"user","parts":[{"functionResponse":{"id":"c1","name":"ring","response":{"output":"rung"}}}]}}
{"uuid":"d","parentUuid":"c","type":"system","subtype":"chat_compression","systemPayload":{"compressedHistory":[{"role":"user","parts":[{"text":"S"}]}]}}
{"uuid":"e","parentUuid":"a","type":"system","subtype":"rewind","systemPayload":{"truncatedCount":1}}
END
    cat >talks/openhands <<'END'
{"id":"s","timestamp":"t","source":"agent","kind":"SystemPromptEvent","system_prompt":{"type":"text","text":"S"}}
{"id":"a","source":"agent","kind":"ActionEvent","thought":[{"type":"text","text":"t"}],"reasoning_content":"r","thinking_blocks":[{"type":"redacted_thinking","data":"D"}],"tool_call_id":"c1","tool_call":{"id":"c1","name":"ring","arguments":"{}"},"responses_reasoning_item":{"encrypted_content":"E"}}
{"id":"o","source":"environment","kind":"ObservationEvent","tool_name":"ring","tool_call_id":"c1","observation":{"content":[{"type":"image","image_urls":["u"]}],"is_error":true}}
{"id":"k","source":"environment","kind":"Condensation","forgotten_event_ids":["a","o"],"summary":"S","summary_offset":1}
{"id":"l","source":"environment","kind":"Condensation","forgotten_event_ids":["k"],"summary":"S","summary_offset":1}
{"id":7,"source":"agent","action":"run","args":{"thought":"t","command":"c"},"tool_call_metadata":{"tool_call_id":"c2","function_name":"f","model_response":{"choices":[{"message":{"tool_calls":[{"id":"c2","function":{"name":"ring","arguments":"{}"}}]}}]}}}
{"id":8,"source":"agent","observation":"run","cause":7,"content":"o","success":false,"tool_call_metadata":{"tool_call_id":"c2"}}
END
    cat >talks/atif <<'END'
{"schema_version":"ATIF-v1.7","session_id":"s","agent":{"model_name":"m"},"steps":[{"step_id":1,"timestamp":"t","source":"user","message":[{"type":"text","text":"Ring it."},{"type":"image","source":{"media_type":"image/png","path":"p"}}]},{"step_id":2,"source":"agent","message":"t","reasoning_content":"r","tool_calls":[{"tool_call_id":"c1","function_name":"ring","arguments":{}}],"observation":{"results":[{"source_call_id":"c1","content":"rung","extra":{"is_error":true}},{"content":"o"}]},"metrics":{"prompt_tokens":1}},{"step_id":3,"source":"system","message":"m","observation":{"results":[{"content":"S"}]},"extra":{"context_management":{"type":"compaction","boundary":"replace"}}}]}
END
    cat >talks/swe-agent <<'END'
{"trajectory":[],"history":[{"role":"user","content":[{"type":"text","text":"Ring it."}],"agent":"main","is_demo":true},{"role":"assistant","content":"t","thinking_blocks":[{"type":"thinking","thinking":"r"}],"tool_calls":[{"id":"c1","type":"function","function":{"name":"ring","arguments":"{}"}}]},{"role":"tool","content":"rung","tool_call_ids":["c1"]}],"info":{}}
{"trajectory_format":"mini-swe-agent-1.1","messages":[{"role":"exit","content":"e","extra":{}}]}
END
    cat >talks/otel <<'END'
{"role":"assistant","parts":[{"type":"reasoning","content":"r"},{"type":"text","content":"t"},{"type":"tool_call","id":"c1","name":"ring","arguments":{"a":1}}],"finish_reason":"tool_call"}
{"role":"tool","parts":[{"type":"tool_call_response","id":"c1","response":{"r":"rung"}}]}
{"attributes":{"gen_ai.system_instructions":[{"type":"text","content":"S"}],"gen_ai.input.messages":[{"role":"user","parts":[{"type":"blob","modality":"image","mime_type":"image/png","content":"A"},{"type":"uri","modality":"image","uri":"u"}]}],"gen_ai.output.messages":[{"role":"assistant","parts":[{"type":"tool_call","name":"ring","arguments":"{}"}]}]}}
{"attributes":[{"key":"gen_ai.input.messages","value":{"arrayValue":{"values":[{"kvlistValue":{"values":[{"key":"role","value":{"stringValue":"user"}},{"key":"parts","value":{"arrayValue":{"values":[{"kvlistValue":{"values":[{"key":"type","value":{"stringValue":"text"}},{"key":"content","value":{"stringValue":"a"}},{"key":"n","value":{"intValue":"1"}}]}}]}}}]}}]}}}]}
{"name":"chat","events":[{"name":"gen_ai.assistant.message","attributes":{"content":"b","tool_calls":[{"id":"c7","type":"function","function":{"name":"ring","arguments":"{}"}}]}},{"name":"gen_ai.tool.message","body":{"id":"c7","content":"rung"}}]}
END
    cat >talks/langchain <<'END'
{"lc":1,"type":"constructor","id":["langchain_core","messages","AIMessage"],"kwargs":{"id":"a","content":[{"type":"text","text":"t"},{"type":"tool_use","id":"c1","name":"ring","input":{}},{"type":"reasoning","summary":[{"text":"r"}]}],"additional_kwargs":{"reasoning_content":"r","refusal":"n","tool_calls":[{"id":"c1","function":{"name":"ring","arguments":"{}"}}]},"response_metadata":{"model_name":"m"},"usage_metadata":{"input_tokens":1},"tool_calls":[{"name":"ring","args":{"a":1},"id":"c1"}],"invalid_tool_calls":[{"name":"ring","args":"i","id":"c2"}]}}
{"type":"tool","data":{"content":"rung","tool_call_id":"c1","name":"ring","status":"error"}}
{"messages":[{"type":"human","id":"h","content":[{"type":"image","base64":"A","mime_type":"image/png"}],"additional_kwargs":{}}]}
{"type":"remove","id":"h","content":""}
END
    cat >talks/cline <<'END'
[{"role":"user","content":[{"type":"text","text":"Ring it."}],"ts":1},{"role":"assistant","id":"b","content":[{"type":"redacted_thinking","data":"x"},{"type":"tool_use","id":"c1","name":"ring","input":{"a":1}}],"ts":2,"modelInfo":{"modelId":"m"},"metrics":{"tokens":{"prompt":1}}},{"role":"user","content":[{"type":"text","text":"[ring] Result:"}]}]
{"sessionId":"s","updated_at":"t","system_prompt":"P","messages":[{"id":"a","role":"user","content":"S","metadata":{"kind":"compaction"}},{"role":"assistant","content":[{"type":"tool_use","id":"c2","name":"ring","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c2","content":[{"type":"text","text":"x"}],"is_error":true},{"type":"text","text":"y"}]}]}
END
    # Each form alone, by the next of the options; then all of a dialect in one run, by each of them: one
    # process more for each form and option would take most of the time of all tests.
    local -a every=('' --check --repair '--to openai' '--to anthropic' '--to responses' '--to gemini' '--to instructor' '--to instructor-storage' '--to anthropic --open-calls drop' '--check --to responses' '--check --to gemini')
    # holds OPTIONS FILE...: the files of the dialect are read, or refused, and nothing worse.
    holds() {
        local status=0 said=
        # shellcheck disable=SC2086
        ctx-normalize --from "$dialect" $1 "${@:2}" >out 2>diagnostics || status=$?
        read -r -d '' said <diagnostics || :
        [[ $status =~ ^(0|1|65)$ && $said != *@(Sanitizer|runtime error)* ]] ||
            fail "$dialect $1: $status: $said: ${form-}"
    }
    for dialect in openai ctx anthropic claude-code codex pi gemini-cli responses gemini opencode copilot-cli copilot-chat ai-sdk cline qwen-code sharegpt training batch instructor langchain otel openhands atif swe-agent hf-trace acp inspect langfuse; do
        { without_each <"talks/$dialect"; [[ ! -e calls/$dialect ]] || without_any <"calls/$dialect"; } >forms
        rm -rf alone && mkdir alone
        while IFS= read -r form; do
            printf '%s\n' "${form//$'\036'/$'\n'}" >"alone/$((++count))"
            holds "${every[count % ${#every[@]}]}" "alone/$count"
        done <forms
        unset form
        for options in "${every[@]}"; do
            holds "$options" alone/*
        done
        ctx-normalize --from "$dialect" --repair alone/* >once 2>said || [[ $? == 65 ]]
        ctx-normalize --from ctx --repair once >again 2>said || [[ $? == 65 ]]
        same "$dialect: a second run" once again
    done
    ((count > 600))
}
