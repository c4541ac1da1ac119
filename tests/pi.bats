#!/usr/bin/env bats
#
# ctx-normalize --from pi: the session files of pi, and of openclaw.

load helper
load dialogue
unsourced

# header; entry TYPE ID PARENT MEMBERS, talk ROLE ID PARENT MEMBERS: entries, of a message; PARENT is an id,
# null, or empty: a file of the first version, without ids.
header() { printf '{"type":"session","id":"s","timestamp":"t","cwd":"/"}\n'; }

entry() {
    local parent="\"$3\"" ids=
    [[ $3 != null ]] || parent=null
    [[ -z $2 ]] || ids="\"id\":\"$2\",\"parentId\":$parent,"
    printf '{"type":"%s",%s"timestamp":"t",%s}\n' "$1" "$ids" "$4"
}

talk() { entry message "$2" "$3" "\"message\":{\"role\":\"$1\",\"timestamp\":1,$4}"; }
asks() { talk user "$1" "$2" "\"content\":\"$3\""; }
replies() { talk assistant "$1" "$2" "\"content\":[{\"type\":\"text\",\"text\":\"$3\"}]${4:+,$4}"; }

# told: contents and kinds.
told() { jq -c '[.content, .metadata.kind // .metadata.origin]'; }
export -f told

@test "pi: a session, with all that is carried" {
    cp "$FIXTURES/pi-session.jsonl" in
    local of='"session_id":"6f0a0000-0000-4000-8000-000000000002","timestamp":"2026-05-01T09:00:0'
    makes 'ctx-normalize' \
        "$(user '[{"type":"text","text":"How deep is the harbour?"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}]' "${of}1.000Z\",\"id\":\"e2\"")" \
        "$(acts '[{"type":"thinking","thinking":"Sound it.","x_pi":{"thinkingSignature":"c2ln"}},{"type":"text","text":"I sound it."}]' "$(call call_1 bash '{"command":"sound"}')" "$(call call_2 read log.txt)" "${of}2.000Z\",\"model\":\"claude-sonnet-4-5\",\"id\":\"e3\",\"x_pi\":{\"api\":\"anthropic-messages\",\"provider\":\"anthropic\",\"stopReason\":\"toolUse\"},\"usage\":{\"input\":10,\"output\":5,\"cacheRead\":100,\"cacheWrite\":20,\"totalTokens\":135,\"cost\":{\"input\":0,\"output\":0,\"cacheRead\":0,\"cacheWrite\":0,\"total\":0}}")" \
        "$(gets call_1 '4.2 m' "${of}3.000Z\",\"id\":\"e4\",\"tool_name\":\"bash\",\"is_error\":false,\"x_pi\":{\"details\":{\"exit\":0}}")" \
        "$(gets call_2 'no such file' "${of}3.100Z\",\"id\":\"e5\",\"tool_name\":\"read\",\"is_error\":true")" \
        "$(says 'It is 4.2 m deep.' "${of}4.000Z\",\"model\":\"claude-sonnet-4-5\",\"id\":\"e6\",\"x_pi\":{\"api\":\"anthropic-messages\",\"provider\":\"anthropic\",\"stopReason\":\"stop\"},\"usage\":{\"input\":3,\"output\":7,\"cacheRead\":130,\"cacheWrite\":0,\"totalTokens\":140,\"cost\":{\"input\":0,\"output\":0,\"cacheRead\":0,\"cacheWrite\":0,\"total\":0}}")"
    same 'by name' <(ctx-normalize in) <(ctx-normalize --from pi in)
    spec <<'END'
ctx-normalize -v in 2>&1 >/dev/null | sed 's/.*; no conversation/no conversation/'
ctx-normalize --lossy in | grep -c x_pi
>>> no conversation: 1 session, 1 model_change, 1 label
>>> 0
>>>= 1
END
}

@test "pi: the path to the last entry is what is sent; a parent that is not there is the entry before" {
    {
        header
        asks a null A
        replies b a B
        asks c b C
        replies d c D
        entry custom x b '"customType":"t","data":{}'
        asks e x E
        replies f nowhere F
    } >in
    makes 'ctx-normalize | jq -r .content' A B E F
    makes 'ctx-normalize --all | jq -r .content' A B C D E F
    makes "ctx-normalize -v 2>&1 >/dev/null | grep -o '2 of other branches left out'" '2 of other branches left out'
    # A new root leaves all before; without ids the file is a list.
    { header; asks a null A; replies b a B; asks c null C; } >in
    makes 'ctx-normalize | jq -r .content' C
    { header; asks '' '' A; replies '' '' B; asks '' '' C; } >in
    makes 'ctx-normalize | jq -r .content' A B C
}

@test "pi: a compaction keeps from an entry on, and its summary stands in front, in the agent's words" {
    local before='The conversation history before this point was compacted into the following summary:\n\n<summary>\n'
    {
        header
        asks a null A
        replies b a B
        asks c b C
        replies d c D
        entry compaction k d '"summary":"S","firstKeptEntryId":"c","tokensBefore":9'
        asks e k E
    } >in
    makes 'ctx-normalize | told' "[\"${before}S\n</summary>\",\"summary\"]" '["C",null]' '["D",null]' '["E",null]'
    makes "ctx-normalize -v 2>&1 >/dev/null | grep -o '2 before a compaction left out'" '2 before a compaction left out'
    makes "ctx-normalize --all | jq -r '.content[:1]'" A B C D T E
    # The newest of two counts, and one that keeps nothing known keeps nothing.
    { cat in; entry compaction l e '"summary":"S2","firstKeptEntryId":"d"'; asks f l F; } >again
    mv again in
    makes 'ctx-normalize | told' "[\"${before}S2\n</summary>\",\"summary\"]" '["D",null]' '["E",null]' '["F",null]'
    { cat in; entry compaction m f '"summary":"S3","firstKeptEntryId":"?"'; asks g m G; } >again
    mv again in
    makes 'ctx-normalize | told' "[\"${before}S3\n</summary>\",\"summary\"]" '["G",null]'
    # One on a branch that was left is none. An old one has an index.
    { header; asks a null A; replies b a B; entry compaction k b '"summary":"S","firstKeptEntryId":"b"'; asks c b C; } >in
    makes 'ctx-normalize | jq -r .content' A B C
    { header; asks '' '' A; replies '' '' B; entry compaction '' '' '"summary":"S","firstKeptEntryIndex":2'; asks '' '' C; } >in
    makes 'ctx-normalize | told' "[\"${before}S\n</summary>\",\"summary\"]" '["B",null]' '["C",null]'
}

@test "pi: what extensions and commands of the user say, and what came back from a branch" {
    {
        header
        entry custom_message a null '"customType":"t","content":[{"type":"text","text":"I"}],"display":true'
        talk hookMessage b a '"customType":"t","content":"H","display":false'
        talk bashExecution c b '"command":"ls \"x\"","output":"o\np","exitCode":2,"truncated":true,"fullOutputPath":"/o"'
        talk bashExecution d c '"command":"ls","output":"","exitCode":0,"cancelled":true'
        talk bashExecution e d '"command":"hidden","output":"","exitCode":0,"excludeFromContext":true'
        talk bashExecution h e '"command":"odd","output":[{"type":"text","text":"O"}]'
        entry branch_summary f h '"fromId":"x","summary":"B"'
        asks g f G
    } >in
    makes 'ctx-normalize | told' '["I","injected"]' '["H","injected"]' \
        '["Ran `ls \"x\"`\n```\no\np\n```\n\nCommand exited with code 2\n\n[Output truncated. Full output: /o]",null]' \
        '["Ran `ls`\n(no output)\n\n(command cancelled)",null]' '["Ran `odd`\n```\n[{\"type\":\"text\",\"text\":\"O\"}]\n```",null]' \
        '["The following is a summary of a branch that this conversation came back from:\n\n<summary>\nB</summary>","summary"]' '["G",null]'
}

@test "pi: an answer that failed is left out, unless all is asked for" {
    {
        header
        asks a null A
        replies b a B '"stopReason":"aborted","errorMessage":"no"'
        replies c b C '"stopReason":"error"'
        replies d c D '"stopReason":"length"'
    } >in
    makes 'ctx-normalize | jq -r .content' A D
    makes "ctx-normalize --all | jq -c '[.content, .metadata.x_pi.errorMessage]'" '["A",null]' '["B","no"]' '["C",null]' '["D",null]'
    makes "ctx-normalize -v 2>&1 >/dev/null | grep -o '2 that the agent does not send left out (4 messages with --all)'" \
        '2 that the agent does not send left out (4 messages with --all)'
}

@test "pi: a file without a header, one of another tool, and what is not understood" {
    { talk user a null '"content":"A"'; talk assistant b a '"content":"a text","stopReason":"stop"'; } >in
    makes 'ctx-normalize | jq -r .content' A 'a text'
    { raw '{"type":"session_start","id":"d"}' '{"type":"message","id":"m1","timestamp":"t","message":{"role":"user","content":"A"}}'; } >in
    makes 'ctx-normalize' 1-2 '>>>2 ctx-normalize: in:2: unknown-shape: a message that is not understood; looks like no known format' '>>>= 65'
    {
        header
        talk user a null '"content":7'
        talk Bob b a '"content":"B"'
        entry strange c b '"x":1'
        talk assistant d c '"content":[{"type":"strange","x":1},{"type":"text","text":2},"t",null]'
    } >in
    ctx-normalize in >out 2>err || may 65
    same 'kept' - out <<END
$(sed -n 2,4p in)
{"role":"assistant","content":[{"type":"strange","x":1},{"type":"text","text":2},{"type":"text","text":"t"}],"metadata":{"session_id":"s","timestamp":"t","id":"d"}}
END
    same 'named' - <(sort err) <<'END'
ctx-normalize: in:2: unknown-shape: a message that is not understood; looks like pi
ctx-normalize: in:3: unknown-shape: a message that is not understood; looks like pi
ctx-normalize: in:5: unknown-shape: a part of a content that is none
END
}

@test "pi: an entry of an odd type, or with an odd member, is named when it speaks" {
    {
        header
        talk user a null '"content":"A"'
        entry custom_messages b a '"content":"B"'
        entry branch_summary c b '"summary":["C"]'
        entry note d c '"content":""' | sed 's/"type":"note"/"type":7/'
        entry compaction e d '"summary":{"E":1}'
        talk user f e '"content":"F"'
        printf '{"type":"odd","timestamp":"t","summary":"no entry"}\n'
    } >in
    ctx-normalize in >out 2>err || may 65
    same 'named' - err <<'END'
ctx-normalize: in:3: unknown-shape: a message that is not understood; looks like no known format
ctx-normalize: in:4: unknown-shape: a message that is not understood; looks like no known format
ctx-normalize: in:6: unknown-shape: a message that is not understood; looks like no known format
END
    # The same of Gemini CLI.
    printf '%s\n' '{"sessionId":"s","projectHash":"h"}' '{"id":"a","timestamp":"t","type":"assistant","content":"A"}' \
        '{"id":"b","timestamp":"t","type":7,"toolCalls":[{"id":"c","name":"f"}]}' '{"id":"c","timestamp":"t","parts":[{"text":"C"}]}' \
        '{"id":"d","type":"strange","content":"D"}' '{"timestamp":"t","type":"strange","content":"E"}' >in
    ctx-normalize in >out 2>err || may 65
    same 'named' <(printf 'ctx-normalize: in:%d: unknown-shape: a message that is not understood; looks like no known format\n' 2 3 4 5 6) err
}

# An independent reader: what jq finds.
own_counts() {
    jq -s -c '[.[] | select(.type == "message").message, (select(.type == "custom_message") | {role: "user", content})] |
        {users: [.[] | select(.role == "user") | .content | if type == "string" then . else .[].text end],
         texts: [.[] | select(.role == "assistant").content | if type == "string" then . else .[] | select(.type == "text").text end],
         thinking: [.[] | select(.role == "assistant").content | arrays | .[] | select(.type == "thinking").thinking],
         calls: [.[] | select(.role == "assistant").content | arrays | .[] | select(.type == "toolCall") | [.id, .name, .arguments]],
         results: [.[] | select(.role == "toolResult") | [.toolCallId, .isError, (.content | if type == "string" then . else [.[].text] | join("") end)]] | sort}' "$1"
}

read_counts() {
    jq -s -c '{users: [.[] | select(.role == "user").content | if type == "string" then . else .[].text end],
         texts: [.[] | select(.role == "assistant").content | if type == "string" then . else .[]? | select(.type == "text").text end],
         thinking: [.[] | select(.role == "assistant").content | arrays | .[] | select(.type == "thinking").thinking],
         calls: [.[].tool_calls[]? | [.id, .function.name, (.function.arguments | fromjson)]],
         results: [.[] | select(.role == "tool" and .content != "[no result]") | [.tool_call_id, .metadata.is_error == true, (.content | if type == "string" then . else [.[].text] | join("") end)]] | sort}' "$1"
}

@test "pi: real sessions say what jq finds in them" {
    local file count=0
    [[ -d $CTX_SHARED/pi ]] || skip 'no transcripts beside the tree'
    for file in "$CTX_SHARED"/pi/**/*.jsonl; do
        ctx-normalize --all --open-calls keep "$file" >out
        same "$file" <(own_counts "$file") <(read_counts out)
        count=$((count + 1))
    done
    ((count > 4))
}
