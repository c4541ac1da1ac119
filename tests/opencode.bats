#!/usr/bin/env bats
#
# ctx-normalize --from opencode: sessions as opencode exports them.

load helper
load dialogue
unsourced

# asked ID PART..., replied ID PARENT [INFO] PART...: a message; PARTs are objects, INFO are members.
asked() {
    local id=$1
    shift
    printf '{"info":{"id":"%s","sessionID":"s","role":"user","time":{"created":1}},"parts":[%s]}\n' "$id" "$(IFS=,; echo "$*")"
}

replied() {
    local id=$1 parent=$2 info=
    shift 2
    [[ $1 != '"'* ]] || { info=,$1; shift; }
    printf '{"info":{"id":"%s","sessionID":"s","role":"assistant","parentID":"%s","time":{"created":2},"modelID":"m"%s},"parts":[%s]}\n' "$id" "$parent" "$info" "$(IFS=,; echo "$*")"
}

# text TEXT [MEMBERS], tool ID STATE: parts; start begins a step.
text() { printf '{"id":"p","sessionID":"s","messageID":"m","type":"text","text":"%s"%s}' "$1" "${2:+,$2}"; }
tool() { printf '{"id":"p","sessionID":"s","messageID":"m","type":"tool","callID":"%s","tool":"bash","state":%s}' "$1" "$2"; }
done_() { printf '{"status":"completed","input":{"a":1},"output":"%s","title":"T","metadata":{},"time":{"start":1,"end":2%s}}' "$1" "${2:+,$2}"; }
start='{"type":"step-start"}'

# timed: the messages, each a time later than the one before; export_: an export of them.
timed() { awk '{ sub(/"created":[12]/, "\"created\":" NR) } 1'; }
export_() { printf '{"info":{"id":"s","title":"T"},"messages":[%s]}\n' "$(timed | paste -sd ,)"; }

# bare: records without what each line says.
bare() {
    sed -E 's/"session_id":"s",?//g; s/"timestamp":[12],?//g; s/,\}/}/g; s/,"metadata":\{\}//'
}
export -f bare

@test "opencode: an export, a list and lines of messages, with all that is carried" {
    {
        asked u1 "$(text 'How deep?')" '{"type":"file","mime":"image/png","url":"data:image/png;base64,AA","filename":"x"}'
        replied a1 u1 '"tokens":{"input":9,"output":1,"reasoning":0,"cache":{"read":3,"write":0}},"cost":0.5,"finish":"stop"' "$start" \
            '{"type":"reasoning","text":"R","metadata":{"k":1}}' "$(text 'I sound it.')" "$(tool c1 "$(done_ '4.2 m')")" '{"type":"step-finish"}'
    } >in
    local messages=(
        "$(user '[{"type":"text","text":"How deep?"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AA"},"x_opencode":{"filename":"x"}}]' '"session_id":"s","timestamp":1,"id":"u1"')"
        "$(acts '[{"type":"thinking","thinking":"R","x_opencode":{"metadata":{"k":1}}},{"type":"text","text":"I sound it."}]' "$(call c1 bash '{"a":1}')" '"session_id":"s","timestamp":2,"model":"m","id":"a1","x_opencode":{"parentID":"u1","cost":0.5,"finish":"stop"},"usage":{"input":9,"output":1,"reasoning":0,"cache":{"read":3,"write":0}}')"
        "$(gets c1 '4.2 m' '"session_id":"s","timestamp":2,"x_opencode":{"title":"T"}')")
    makes ctx-normalize "${messages[@]}"
    makes 'ctx-normalize --from opencode' "${messages[@]}"
    export_ <in >whole
    same 'export' <(ctx-normalize in) <(ctx-normalize whole)
    same 'over lines' <(ctx-normalize in | jq -c .content) <(jq . whole | ctx-normalize | jq -c .content)
    printf '[%s]\n' "$(paste -sd , in)" >whole
    same 'list' <(ctx-normalize in) <(ctx-normalize whole)
    rm whole
}

@test "opencode: a step behind calls is a message of its own, and its usage is said once" {
    replied a u '"tokens":{"input":9,"output":1}' "$start" "$(text A)" "$(tool 1 "$(done_ x)")" "$(tool 2 "$(done_ y)")" "$start" "$(text B)" "$start" "$(text C)" "$(tool 3 "$(done_ z)")" >in
    makes "ctx-normalize | jq -c '[.role, .content, .metadata.id, .metadata.usage.input]'" '["assistant","A","a",9]' '["tool","x",null,null]' '["tool","y",null,null]' \
        '["assistant",[{"type":"text","text":"B"},{"type":"text","text":"C"}],null,null]' '["tool","z",null,null]'
}

@test "opencode: results of every state, and a pruned one is what the agent sends" {
    replied a u "$(tool 1 '{"status":"error","input":{},"error":"bad","time":{"start":1,"end":2}}')" \
        "$(tool 2 '{"status":"running","input":{"x":1}}')" "$(tool 3 '{"status":"pending","input":{},"raw":"r"}')" \
        "$(tool 4 "$(done_ big '"compacted":9')")" "$(tool 5 "$(done_ '')")" \
        "$(tool 6 '{"status":"completed","input":{},"output":"o","attachments":[{"type":"file","mime":"image/png","url":"u"}]}')" >in
    makes "ctx-normalize | jq -c 'select(.role == \"tool\") | [.tool_call_id, .content, .metadata.is_error, .metadata.compacted]'" \
        '["1","bad",true,null]' '["2","[Tool execution was interrupted]",true,null]' '["3","[Tool execution was interrupted]",true,null]' \
        '["4","[Old tool result content cleared]",null,true]' '["5","",null,null]' '["6",[{"type":"text","text":"o"},{"type":"image_url","image_url":{"url":"u"}}],null,null]'
    makes "ctx-normalize --all | jq -c 'select(.tool_call_id == \"4\").content'" '"big"'
}

@test "opencode: calls without ids: a result is of the call in whose value it stands" {
    replied a u '{"type":"tool","tool":"a"}' "{\"type\":\"tool\",\"tool\":\"b\",\"state\":$(done_ B)}" >in
    makes "ctx-normalize --open-calls keep | jq -c 'select(.role == \"tool\") | [.tool_call_id, .content]'" '["call_2","B"]'
}

@test "opencode: a state that is missing, odd or new loses no output" {
    replied a u "$(tool 1 '{"status":"done","input":{"a":1},"output":"new","metadata":{"k":1}}')" "$(tool 2 '{"output":"missing"}')" \
        "$(tool 3 '{"status":7,"error":"odd"}')" "$(tool 4 '{"status":null,"attachments":[{"type":"file","mime":"image/png","url":"u"}]}')" \
        "$(tool 5 '{"status":"done","output":"o","error":"e"}')" "$(tool 6 '"words"')" "$(tool 7 '["w",{"type":"text","text":"x"}]')" >in
    makes "ctx-normalize | jq -c 'select(.role == \"tool\") | [.tool_call_id, .content, .metadata.is_error, .metadata.x_opencode]'" \
        '["1","new",null,{"status":"done","metadata":{"k":1}}]' '["2","missing",null,null]' '["3","odd",true,{"status":7}]' \
        '["4",[{"type":"image_url","image_url":{"url":"u"}}],null,null]' '["5",[{"type":"text","text":"o"},{"type":"text","text":"e"}],true,{"status":"done"}]' \
        '["6","words",null,null]' '["7",[{"type":"text","text":"w"},{"type":"text","text":"x"}],null,null]'
}

@test "opencode: a compaction leaves its question, its summary and the tail, in this order" {
    local compaction='{"type":"compaction","auto":true'
    session() {
        asked u1 "$(text A)"; replied a1 u1 "$(text B)"; asked u2 "$(text C)"; replied a2 u2 "$(text D)"
        asked k "$1"; replied s k "$2" "$(text S)"; asked u3 "$(text E)"; replied a3 u3 "$(text F)"
    }
    session "$compaction}" '"summary":true,"finish":"stop"' | export_ >in
    makes "ctx-normalize | jq -c '[.content, .metadata.kind]'" '["What did we do so far?",null]' '["S","summary"]' '["E",null]' '["F",null]'
    makes "ctx-normalize --all | jq -r .content" A B C D 'What did we do so far?' S E F
    makes "ctx-normalize -v 2>&1 >/dev/null | grep -o '4 before a compaction left out'" '4 before a compaction left out'
    session "$compaction,\"tail_start_id\":\"u2\"}" '"summary":true,"finish":"stop"' | export_ >in
    makes "ctx-normalize | jq -r .content" 'What did we do so far?' S C D E F
    # One that was broken off is none; of two, the newest counts, and its tail alone.
    session "$compaction}" '"summary":true,"error":{"name":"MessageAbortedError"}' | export_ >in
    makes "ctx-normalize | jq -r .content" A B C D 'What did we do so far?' S E F
    { session "$compaction,\"tail_start_id\":\"u2\"}" '"summary":true,"finish":"stop"'; asked k2 "$compaction}"; replied s2 k2 '"summary":true,"finish":"stop"' "$(text S2)"; asked u4 "$(text G)"; } | export_ >in
    makes "ctx-normalize | jq -r .content" 'What did we do so far?' S2 G
}

@test "opencode: what is not sent, what the client put in, and answers that failed" {
    {
        asked u1 "$(text A)" "$(text syn '"synthetic":true')" "$(text ign '"ignored":true')" '{"type":"file","mime":"text/plain","url":"file:///x"}'
        asked u2 "$(text only '"synthetic":true')"
        asked u3 '{"type":"subtask","prompt":"P","agent":"g"}' '{"type":"file","mime":"application/pdf","url":"u"}' '{"type":"strange","x":1}' 
        replied a1 u3 '"error":{"name":"MessageAbortedError"}' "$(text half)"
        replied a2 u3 '"error":{"name":"UnknownError"}' "$(text failed)"
    } >in
    makes "ctx-normalize | jq -c '[.content, .metadata.origin]'" \
        '[[{"type":"text","text":"A"},{"type":"text","text":"syn","x_opencode":{"synthetic":true}}],null]' \
        '[[{"type":"text","text":"only","x_opencode":{"synthetic":true}}],"injected"]' \
        '[[{"type":"text","text":"The following tool was executed by the user","x_opencode":{"prompt":"P","agent":"g"}},{"type":"file","mime":"application/pdf","url":"u"},{"type":"strange","x":1}],null]' \
        '["half",null]'
    makes "ctx-normalize --all | jq -r .content | tail -n 1" failed
    makes "ctx-normalize -v 2>&1 >/dev/null | grep -o '1 that the agent.*'" \
        '1 that the agent does not send left out (5 messages with --all); no conversation: 1 ignored text, 1 text file'
}

@test "opencode: what the user took back is gone, as long as nothing was asked anew" {
    { asked u1 "$(text A)"; replied a1 u1 "$(text B)"; asked u2 "$(text C)"; replied a2 u2 "$(text D)"; } | timed >messages
    printf '{"info":{"id":"s","revert":{"messageID":"u2"}},"messages":[%s]}\n' "$(paste -sd , messages)" >in
    makes 'ctx-normalize | jq -r .content' A B
    makes 'ctx-normalize --all | jq -r .content' A B C D
    printf '{"info":{"id":"s","revert":{"messageID":"x"}},"messages":[%s]}\n' "$(paste -sd , messages)" >in
    makes 'ctx-normalize | jq -r .content' A B C D
    rm messages
}

@test "opencode: messages are in the order of their times, and of one time of their ids" {
    message() { printf '{"info":{"id":"%s","sessionID":"s","role":"user","time":{"created":%s}},"parts":[%s]}\n' "$1" "$2" "$(text "$1")"; }
    { message d 30; message c 20; message b 20; message a 100; message e 4; } >messages
    printf '{"info":{"id":"s","revert":{"messageID":"a"}},"messages":[%s]}\n' "$(paste -sd , messages)" >in
    makes "ctx-normalize | jq -r '.content + \" \" + .metadata.session_id'" 'e s' 'b s' 'c s' 'd s'
    makes 'ctx-normalize --all | jq -r .content' e b c d a
    printf '[%s]\n' "$(paste -sd , messages)" >in
    makes 'ctx-normalize | jq -r .content' e b c d a
    for n in b:9 a:3; do
        told "{\"id\":\"${n%:*}\",\"sessionID\":\"s\",\"role\":\"user\",\"time\":{\"created\":${n#*:}}}"
        part "p$n" "${n%:*}" s "\"type\":\"text\",\"text\":\"${n%:*}\""
    done >events
    printf '[%s]\n' "$(paste -sd , events)" >in
    makes 'ctx-normalize | jq -r .content' a b
    # What does not say its time, or its id, leaves all as they are; so do lines.
    { cat messages; raw 7.5; } | paste -sd , >odd
    printf '[%s]\n' "$(<odd)" >in
    makes 'ctx-normalize | jq -r ".content? // ."' d c b a e 7.5 '>>>2 ctx-normalize: in:1: unknown-shape: element 6 of a list is not understood' '>>>= 65'
    { cat messages; message f '"5"'; message x 1 | sed 's/"id":"x",//'; } | paste -sd , >odd
    printf '[%s]\n' "$(<odd)" >in
    makes 'ctx-normalize | jq -r .content' d c b a e f x
    cp messages in
    makes 'ctx-normalize | jq -r .content' d c b a e
    rm messages events odd
}

# event TYPE PROPERTIES: an event.
event() { printf '{"type":"%s","properties":%s}\n' "$1" "$2"; }
told() { event message.updated "{\"info\":$1}"; }
part() { event message.part.updated "{\"part\":{\"id\":\"$1\",\"messageID\":\"$2\",\"sessionID\":\"${3-s}\",$4}}"; }

@test "opencode: a stream of events is the session that it tells of" {
    {
        event server.connected '{}'
        told '{"id":"u","sessionID":"s","role":"user"}'
        part p1 u s '"type":"text","text":"A"'
        part p2 a s '"type":"text","text":"dr"'
        told '{"id":"a","sessionID":"s","role":"assistant","modelID":"m"}'
        event message.part.delta '{"sessionID":"s","messageID":"a","partID":"p2","field":"text","delta":"aft"}'
        part p2 a s '"type":"text","text":"draft"'
        event message.part.delta '{"sessionID":"s","messageID":"a","partID":"p2","field":"text","delta":"ed"}'
        part p3 a s '"type":"tool","callID":"1","tool":"f","state":{"status":"running","input":{}}'
        told '{"id":"c","sessionID":"child","role":"user"}'
        part p4 c child '"type":"text","text":"C"'
        part p3 a s '"type":"tool","callID":"1","tool":"f","state":{"status":"completed","input":{},"output":"o"}'
        part p5 a s '"type":"text","text":"gone"'
        event message.part.removed '{"sessionID":"s","messageID":"a","partID":"p5"}'
        told '{"id":"d","sessionID":"s","role":"user"}'
        part p6 d s '"type":"text","text":"gone"'
        event message.removed '{"sessionID":"s","messageID":"d"}'
        event message.part.delta '{"messageID":"e","partID":"p7","field":"text","delta":""}'
        event message.part.delta '{"messageID":"e","partID":"p8","field":"text","delta":"new\n"}'
    } >events
    printf '[%s]\n' "$(paste -sd , events)" >in
    makes "ctx-normalize | jq -c '[.role, .content, .metadata.session_id, .metadata.agent_id, .metadata.parent_execution_id]'" \
        '["user","A","s",null,null]' '["assistant","drafted","s",null,null]' '["tool","o","s",null,null]' \
        '["assistant","new\n","s",null,null]' '["user","C","child","child","s"]'
    makes "ctx-normalize --untrusted | jq -r .content" A drafted o $'new\n'
    makes 'ctx-normalize --untrusted --report /dev/stderr 2>&1 >/dev/null | jq -c .stripped' '{"metadata":0,"contexts":0,"budgets":0,"agents":1}'
    makes "ctx-normalize -v 2>&1 >/dev/null | grep -o 'no conversation.*'" 'no conversation: 1 server.connected'
    # A part may come before its message; a later revert takes back.
    { told '{"id":"u","role":"user"}'; part p1 u s '"type":"text","text":"A"'; event session.updated '{"info":{"id":"s","revert":{"messageID":"u"}}}'; } >events
    printf '[%s]\n' "$(paste -sd , events)" >in
    makes 'ctx-normalize'
    event session.updated '{"info":{"id":"s"}}' >>events
    printf '[%s]\n' "$(paste -sd , events)" >in
    makes 'ctx-normalize | jq -r .content' A
    # Very many sessions take no longer than as many messages of one.
    for n in {1..3000}; do told "{\"id\":\"$n\",\"sessionID\":\"$n\",\"role\":\"user\"}"; part "p$n" "$n" "$n" '"type":"text","text":"A"'; done >events
    printf '[%s]\n' "$(paste -sd , events)" >in
    makes 'ctx-normalize | grep -c content | sed s,^,n,' n3000
    rm events
}

@test "opencode: what is not understood stays in its place, and is named" {
    {
        asked u1 "$(text A)"
        raw '{"info":{"role":"Bob"},"parts":[]}' '{"info":{"role":"user"},"parts":7}'
        asked u2 7 null "$(text B)"
    } >in
    ctx-normalize in >out 2>err || may 65
    same 'kept' <(sed -n 2,3p in) <(grep Bob out; grep 'parts":7' out)
    same 'named' - <(sort err) <<'END'
ctx-normalize: in:2: unknown-shape: a message that is not understood; looks like opencode
ctx-normalize: in:3: unknown-shape: a message that is not understood; looks like no known format
ctx-normalize: in:4: unknown-shape: a part of a content that is none
ctx-normalize: in:4: unknown-shape: a part of a content that is none
END
    { asked u1 "$(text A)"; raw 7.5 '{"info":{"role":"Bob"},"parts":[]}'; } | export_ >in
    makes "ctx-normalize | bare" "$(user A '"id":"u1"')" 7.5 '{"info":{"role":"Bob"},"parts":[]}' '>>>2 ctx-normalize: in:1: unknown-shape: element 2 of a list is not understood' \
        '>>>2 ctx-normalize: in:1: unknown-shape: element 3 of a list is not understood' '>>>= 65'
}

# An independent reader: jq puts the newest of each message and each part together.
told_by_jq() {
    jq -c '(if .[0].properties then
            (reduce .[] as $e ({m: {}, p: {}, n: 0};
                if $e.type == "message.updated" then .m[$e.properties.info.id] = $e.properties.info
                elif $e.type == "message.part.updated" then .n += 1 | .n as $n | .p[$e.properties.part.id] |= {n: (.n // $n), part: $e.properties.part}
                else . end)
             | . as $all | [$all.p[]] | sort_by(.n) | map(select($all.m[.part.messageID]) | .part + {of: $all.m[.part.messageID]}))
        else [.[] | .info as $info | .parts[] | . + {of: $info}] end) |
        {texts: [.[] | select(.type == "text" and .ignored != true).text] | map(select(. != "")) | sort,
         calls: [.[] | select(.type == "tool") | [.callID, .tool, .state.input]] | sort,
         results: [.[] | select(.type == "tool" and ((.state.status == "pending" or .state.status == "running") | not) and (.state | has("output") or has("error"))) | [.callID, .state.output // .state.error, .state.status == "error"]] | sort}' "$1"
}

read_counts() {
    jq -s -c '{texts: [.[] | select(.role != "tool").content | if type == "string" then . else .[]? | select(.type == "text").text end] | map(select(. != "" and . != "What did we do so far?")) | sort,
         calls: [.[].tool_calls[]? | [.id, .function.name, (.function.arguments | fromjson)]] | sort,
         results: [.[] | select(.role == "tool" and .content != "[Tool execution was interrupted]") | [.tool_call_id, .content, .metadata.is_error == true]] | sort}' "$1"
}

@test "opencode: a file of a storage alone is named, and the session to give instead" {
    local command said="looks like a file of opencode's storage; read the session instead: storage/session/PROJECT/SESSION.json"
    echo '{"id":"prt_1","sessionID":"ses_1","messageID":"msg_1","type":"text","text":"Four metres."}' >part
    echo '{"messageID":"msg_1","id":"prt_1","type":"tool","tool":"bash","state":{"output":"4.2 m"}}' >old
    echo '{"id":"msg_1","sessionID":"ses_1","role":"user","time":{"created":1},"summary":{"title":"a"}}' >message
    echo '{"id":"prt_1","type":"text","text":"Four metres."}' >bare
    mkdir -p storage/session/P
    echo '{"id":"ses_1","version":"1.0","projectID":"P","directory":"/x","title":"t","time":{"created":1,"updated":2}}' >storage/session/P/ses_1.json
    for command in ctx-project 'ctx-budget --json' ctx-normalize 'ctx-normalize --from opencode'; do
        # shellcheck disable=SC2086
        status_of 65 $command part >out 2>err
        same "$command" <(echo "${command%% *}: no messages; $said") err
        # shellcheck disable=SC2086
        status_of 65 $command old >out 2>err
        same "$command" <(echo "${command%% *}: no messages; $said") err
        # shellcheck disable=SC2086
        status_of 65 $command message >out 2>err
        grep -qF "$said" err
        # shellcheck disable=SC2086
        status_of 65 $command bare >out 2>err
        same "$command" <(echo "${command%% *}: no messages; $said") err
        # shellcheck disable=SC2086
        status_of 65 $command storage/session/P/ses_1.json >out 2>err
        same "$command" <(echo "${command%% *}: no messages; looks like a session of opencode's storage, whose messages are not there: storage/message/SESSION") err
    done
}

@test "opencode: real sessions say what jq finds in them" {
    local file count=0
    [[ -d $CTX_SHARED/opencode ]] || skip 'no transcripts beside the tree'
    for file in "$CTX_SHARED"/opencode/sudo-tee-opencode.nvim/*.json; do
        # Of this one, jq would have to join the deltas.
        [[ $file != */part-before-message-delta.json ]] || continue
        ctx-normalize --all "$file" >out
        same "$file" <(told_by_jq "$file") <(read_counts out)
        count=$((count + 1))
    done
    ((count > 20))
}
