#!/usr/bin/env bats
#
# What lies beside the session files of agents: with --agents, the files of sub-agents and long results
# (face/agents/agent_files.h); and the storage of opencode (face/input/storage.h).

load helper
load dialogue
unsourced

# line TYPE UUID PARENT MESSAGE [MEMBERS]: a line of Claude Code's main agent; sub AGENT ... one of a sub-agent's.
line() {
    printf '{"type":"%s","uuid":"%s","parentUuid":%s,"sessionId":"S","isSidechain":false,"message":%s%s}\n' "$1" "$2" "$3" "$4" "${5:+,$5}"
}

sub() { line "${@:2}" "\"agentId\":\"$1\"" | sed 's/"isSidechain":false/"isSidechain":true/'; }

asks() { printf '{"role":"user","content":"%s"}' "$1"; }
tells() { printf '{"role":"assistant","id":"%s","content":[%s]}' "$1" "$2"; }
result() { printf '{"role":"user","content":[{"type":"tool_result","tool_use_id":"%s","content":%s}]}' "$1" "$2"; }
saved() { printf '"<persisted-output>\\nOutput too large (9KB). Full output saved to: %s\\n\\nPreview (first 2KB):\\n4\\n...\\n</persisted-output>"' "$1"; }

# session: S.jsonl, which calls x1, and in which a result was too long.
session() {
    line user u1 null "$(asks A)"
    line assistant a1 '"u1"' "$(tells m1 '{"type":"tool_use","id":"c1","name":"Task","input":{}},{"type":"tool_use","id":"c2","name":"Bash","input":{}}')"
    line user r1 '"a1"' "$(result c1 '[{"type":"text","text":"done"}]')" '"toolUseResult":{"agentId":"x1"}'
    line user r2 '"a1"' "$(result c2 "$(saved "${1-/home/x/S/tool-results/c2.txt}")")"
    line user u2 '"r2"' "$(asks B)"
    line assistant a2 '"u2"' "$(tells m2 '{"type":"text","text":"Done."}')"
}

# beside: what lies beside it.
beside() {
    mkdir -p S/subagents/flows/f1 S/tool-results
    { sub x1 user s1 null "$(asks Sub)"; sub x1 assistant s2 '"s1"' "$(tells m3 '{"type":"text","text":"Subdone."}')"; } >S/subagents/agent-x1.jsonl
    sub x2 user t1 null "$(asks Deep)" >S/subagents/flows/f1/agent-x2.jsonl
    sub x3 user v1 null "$(asks Old)" >agent-x3.jsonl
    sub x4 user w1 null "$(asks Other)" | sed 's/"S"/"T"/' >agent-x4.jsonl
    printf '4.2 m "deep"\n' >S/tool-results/c2.txt
    : >S/subagents/notes.jsonl
}

# told FILE...: role, text, agent and the caller's execution of each message.
told() {
    ctx-normalize --agents "$@" | jq -c '[.role, (.content | if type == "array" then .[0].text else . end), .metadata.agent_id, .metadata.parent_execution_id]'
}
export -f told

main=('["user","A",null,null]' '["assistant",null,null,null]' '["tool","done",null,null]' '["tool","4.2 m \"deep\"\n",null,null]'
    '["user","B",null,null]' '["assistant","Done.",null,null]')
subs=('["user","Sub","x1","u1"]' '["assistant","Subdone.","x1","u1"]' '["user","Deep","x2","u2"]' '["user","Old","x3","u2"]')

@test "agents: files of sub-agents follow their session, with who called them, and long results are put in" {
    session >S.jsonl
    beside
    same 'all' <(printf '%s\n' "${main[@]}" "${subs[@]}") <(told S.jsonl)
    same 'of elsewhere' <(told S.jsonl) <(cd / && told "$OLDPWD/S.jsonl")
    # Without the option nothing is looked for.
    same 'alone' <(ctx-normalize S.jsonl) <(ctx-normalize <S.jsonl)
    [[ $(ctx-normalize S.jsonl | wc -l) == 6 ]]
    # What only looks: each message once, of its agent.
    same 'by agent' - <(ctx-budget --agents --by agent --json S.jsonl 2>/dev/null | jq -c '[.breakdown[] | [.label, .messages]] | sort[]') <<'END'
["-",6]
["x1",2]
["x2",1]
["x3",1]
END
    [[ $(ctx-select --agents --count agent=x1 S.jsonl) == 2 ]]
    same 'brief' <(ctx-normalize --agents S.jsonl | ctx-budget --brief 2>/dev/null) <(ctx-budget --agents --brief S.jsonl 2>/dev/null)
    # A file that is given is not followed: it is a session of its own with --each.
    same 'each' - <(ctx-budget --agents --each --json S.jsonl agent-x4.jsonl 2>/dev/null | jq -c '[.file, .used_tokens]') <<END
["S.jsonl",$(ctx-budget --agents --json S.jsonl 2>/dev/null | jq .used_tokens)]
["agent-x4.jsonl",$(ctx-budget --json agent-x4.jsonl | jq .used_tokens)]
END
    same 'the sub-agent first' <(printf '%s\n' S.jsonl agent-x3.jsonl agent-x4.jsonl) \
        <(ctx-budget --agents --each --json agent-x3.jsonl S.jsonl agent-x4.jsonl 2>/dev/null | jq -r .file)
    same 'given' <(told S.jsonl) <(told S.jsonl agent-x3.jsonl)
    same 'given in front' <(told S.jsonl) <(told agent-x3.jsonl S.jsonl)
    same 'apart' - <(ctx-budget --agents --each --brief S.jsonl agent-x3.jsonl 2>&1 >/dev/null) <<'END'
ctx-budget: S.jsonl: 3 messages of other agents not counted: the window is of one agent, --by agent has all
END
}

@test "agents: what is said not to be counted is what --by agent has of others, in every form" {
    session >S.jsonl
    beside
    local form others said own
    others=$(ctx-budget --agents --by agent --json S.jsonl | jq '[.breakdown[] | select(.label != "-") | .messages] | add')
    own=$(ctx-budget --agents --by agent --json S.jsonl | jq '.breakdown[] | select(.label == "-") | .tokens')
    said="$others messages of other agents not counted: the window is of one agent, --by agent has all"
    for form in --json '--by role --json' '--by message --json' '--cuts --json' '--each --json' '--each --json --forgotten show' \
        '--json --when tokens>0>9'; do
        # shellcheck disable=SC2086
        ctx-budget --agents $form S.jsonl 2>err >out
        [[ $(sed 's/^ctx-budget: //; s/^S.jsonl: //' err) == "$said" ]] || fail "$form: $(<err)"
        [[ $(jq .used_tokens out) == "$own" ]] || fail "$form: $(<out)"
    done
    for form in '--by agent' '--by session' '--by day' '--by model'; do
        # shellcheck disable=SC2086
        same "$form" /dev/null <(ctx-budget --agents $form --json S.jsonl 2>&1 >out)
        [[ $(jq '[.breakdown[].messages] | add' out) == $((others + 6)) ]] || fail "$form: $(<out)"
        [[ $(jq .used_tokens out) == "$own" ]] || fail "$form: $(<out)"
    done
    # Of a missing session nothing is said, and those beside it are read.
    status_of 66 ctx-budget --agents --each --brief gone.jsonl S.jsonl >out 2>err
    same 'rows' <(ctx-budget --agents --each --brief S.jsonl 2>/dev/null) out
    grep -qx "ctx-budget: cannot open 'gone.jsonl': No such file or directory" err
}

@test "agents: a message whose copy stands in the session, too, is written once" {
    session >S.jsonl
    beside
    { head -n 2 S.jsonl; cat S/subagents/agent-x1.jsonl; tail -n +3 S.jsonl; } >both
    mv both S.jsonl
    same 'once' <(printf '%s\n' "${main[@]}" "${subs[@]}" | sort) <(told S.jsonl | sort)
}

@test "agents: what lies beside a packed session of Claude Code is read" {
    command -v zstd >/dev/null || skip 'no zstd'
    session >S.jsonl
    beside
    zstd -q --rm S.jsonl
    same 'packed' <(printf '%s\n' "${main[@]}" "${subs[@]}") <(told S.jsonl.zst)
    [[ -z $(ctx-normalize --agents S.jsonl.zst 2>&1 >/dev/null) ]]
}

@test "agents: nothing leads out of the session's folder" {
    session >S.jsonl
    beside
    mkdir out
    sub y1 user o1 null "$(asks Out)" >out/agent-y1.jsonl
    printf 'secret\n' >secret.txt
    local name
    # Links and pipes are not followed, be they files or folders.
    ln -s ../../out S/subagents/link
    ln -s ../../out/agent-y1.jsonl S/subagents/agent-y1.jsonl
    ln -s out/agent-y1.jsonl agent-y1.jsonl
    mkfifo S/subagents/agent-y2.jsonl agent-y3.jsonl
    ln -s ../../secret.txt S/tool-results/link.txt
    mkfifo S/tool-results/pipe.txt
    same 'links' <(printf '%s\n' "${main[@]}" "${subs[@]}") <(told S.jsonl)
    for name in /etc/x/link.txt /etc/x/pipe.txt .. . /a/.. '..\u002f..\u002fsecret.txt' ../../secret.txt 'x\u0000y' missing.txt 'C:\\S\\missing.txt'; do
        session "$name" >S.jsonl
        ctx-normalize --agents S.jsonl >out.jsonl 2>said
        grep -q "^ctx-normalize: S.jsonl:4: the result '[^/]*' is not beside the session$" said || fail "$name: $(<said)"
        ! grep -q secret$ out.jsonl || fail 'found'
        grep -q persisted-output out.jsonl
    done
    # A name in the path of another system.
    session 'C:\\S\\c2.txt' >S.jsonl
    same 'windows' <(printf '%s\n' "${main[@]}" "${subs[@]}") <(told S.jsonl)
    mv S/tool-results results
    ln -s ../results S/tool-results
    session >S.jsonl
    ctx-normalize --agents S.jsonl 2>&1 >/dev/null | grep -q "the result 'c2.txt' is not beside"
}

@test "agents: what is missing is named, and ends nothing" {
    session >S.jsonl
    spec <<'END'
ctx-normalize --agents S.jsonl | wc -l
>>>2 ctx-normalize: S.jsonl:4: the result 'c2.txt' is not beside the session
>>>2 ctx-normalize: S.jsonl:3: the sub-agent 'x1' has no file beside the session
>>> 6
END
    # One whose lines stand in the session has no file.
    { cat S.jsonl; sub x1 user s1 null "$(asks Sub)"; } >both
    mv both S.jsonl
    spec <<'END'
ctx-normalize --agents S.jsonl | wc -l
>>>2 ctx-normalize: S.jsonl:4: the result 'c2.txt' is not beside the session
>>> 7
END
}

@test "agents: where there are no files, the option is wrong" {
    session >S.jsonl
    spec <<'END'
ctx-normalize --agents
>>>2 ctx-normalize: --agents needs files: nothing lies beside standard input; try 'ctx-normalize --help'
>>>= 64
END
    spec <<'END'
ctx-budget --agents --json S.jsonl -
>>>2 ctx-budget: --agents needs files: nothing lies beside standard input; try 'ctx-budget --help'
>>>= 64
END
    status_of 64 ctx-budget --agents --now --estimator usage S.jsonl 2>/dev/null
    status_of 64 ctx-select --agents role=user S.jsonl 2>/dev/null
    status_of 64 ctx-normalize --agents --untrusted S.jsonl 2>/dev/null
    status_of 66 ctx-normalize --agents none.jsonl 2>/dev/null
}

# rolled TIME TYPE PAYLOAD, spoken TIME ROLE TEXT: lines of Codex CLI.
rolled() { printf '{"timestamp":"%s","type":"%s","payload":%s}\n' "$@"; }
spoken() {
    local type=input_text
    [[ $2 != assistant ]] || type=output_text
    rolled "$1" response_item "{\"type\":\"message\",\"role\":\"$2\",\"content\":[{\"type\":\"$type\",\"text\":\"$3\"}]}"
}

@test "agents: threads of Codex CLI, and theirs, without what a fork repeats" {
    { rolled 1 session_meta '{"id":"par","cwd":"/"}'; rolled 1 turn_context '{"turn_id":"t1","model":"m"}'; spoken 2 user Q; spoken 3 assistant A; } >rollout-2-par.jsonl
    {
        rolled 4 session_meta '{"id":"kid","forked_from_id":"par","source":{"subagent":{"thread_spawn":{"parent_thread_id":"par","depth":1}}}}'
        rolled 4 session_meta '{"id":"par"}'
        spoken 4 user Q
        rolled 4 event_msg '{"type":"token_count","info":{"last_token_usage":{"input_tokens":7}}}'
        spoken 4 assistant A
        rolled 5 turn_context '{"turn_id":"t2","model":"m"}'
        spoken 5 user Sub
        spoken 6 assistant A
    } >rollout-3-kid.jsonl
    { rolled 4 session_meta '{"id":"kid2","session_id":"par","parent_thread_id":"kid"}'; spoken 5 user Deep; } >rollout-1-kid2.jsonl
    { rolled 4 session_meta '{"id":"other"}'; spoken 5 user Other; } >rollout-4-other.jsonl
    echo torn >rollout-5-torn.jsonl
    local all=('["user","Q",null,null]' '["assistant","A",null,null]' '["user","Sub","kid","par"]' '["assistant","A","kid","par"]' '["user","Deep","kid2","kid"]')
    same 'all' <(printf '%s\n' "${all[@]}") <(told rollout-2-par.jsonl)
    [[ $(ctx-normalize --agents rollout-2-par.jsonl | grep -c usage) == 0 ]]
    # A file that is given is the session's own.
    same 'alone' <(printf '%s\n' '["user","Q",null,null]' '["assistant","A",null,null]' '["user","Sub",null,null]' '["assistant","A",null,null]' '["user","Deep","kid2","kid"]') \
        <(told rollout-3-kid.jsonl)
    # Where its caller is given, too, it is a sub-agent's, and stands behind it: it repeats nothing.
    by_agent() { ctx-budget --agents --by agent --json "$@" 2>/dev/null | jq -c '.breakdown[] | [.label, .messages]' | sort; }
    same 'both' <(printf '%s\n' '["-",2]' '["kid",2]' '["kid2",1]') <(by_agent rollout-2-par.jsonl rollout-3-kid.jsonl)
    same 'both, turned' <(ctx-normalize --agents rollout-2-par.jsonl rollout-3-kid.jsonl) <(ctx-normalize --agents rollout-3-kid.jsonl rollout-2-par.jsonl)
    same 'deep first' <(ctx-normalize --agents rollout-2-par.jsonl) <(ctx-normalize --agents rollout-1-kid2.jsonl rollout-3-kid.jsonl rollout-2-par.jsonl)
    # Two that call each other end, too.
    { rolled 4 session_meta '{"id":"a","parent_thread_id":"b"}'; spoken 5 user A; } >rollout-6-a.jsonl
    { rolled 4 session_meta '{"id":"b","parent_thread_id":"a"}'; spoken 5 user B; } >rollout-7-b.jsonl
    [[ $(told rollout-6-a.jsonl rollout-7-b.jsonl rollout-4-other.jsonl | wc -l) == 3 ]]
    same 'each' - <(ctx-budget --agents --each --json rollout-2-par.jsonl rollout-4-other.jsonl 2>/dev/null | jq -c .file) <<'END'
"rollout-2-par.jsonl"
"rollout-4-other.jsonl"
END
}

# spawned TIME CALL OUTPUT: a call of spawn_agent and its output.
spawned() {
    rolled "$1" response_item "{\"type\":\"function_call\",\"name\":\"spawn_agent\",\"call_id\":\"$2\",\"arguments\":\"{}\"}"
    rolled "$1" response_item "{\"type\":\"function_call_output\",\"call_id\":\"$2\",\"output\":$3}"
}

agent_id() { printf '"{\\"agent_id\\":\\"%s\\",\\"nickname\\":null}"' "$1"; }

# rollout DAY ID PARENT [LINES]: a session of that day, with a message, and what standard input has.
rollout() {
    mkdir -p "sessions/$1"
    { rolled 1 session_meta "{\"id\":\"$2\"${3:+,\"parent_thread_id\":\"$3\"}}"; spoken 2 user "I am $2"; cat; } >"sessions/$1/rollout-${1//\//-}T10-00-00-$2.jsonl"
}

# tree: par called k1 (the same day), k2 (the next month, which called k3), k4 (nobody knows), k5, which is another's.
tree() {
    {
        spawned 3 c1 "$(agent_id k1)"
        spawned 3 c2 "[{\"type\":\"input_text\",\"text\":$(agent_id k2)}]"
        spawned 3 c3 "$(agent_id k4)"
        rolled 4 event_msg '{"type":"sub_agent_activity","kind":"started","agent_thread_id":"k4","agent_path":"/root/k4"}'
        spawned 3 c4 "$(agent_id k5)"
        spawned 3 c5 '"agent thread limit reached"'
        rolled 3 response_item '{"type":"function_call","name":"other","call_id":"c6","arguments":"{}"}'
        rolled 3 response_item "{\"type\":\"function_call_output\",\"call_id\":\"c6\",\"output\":$(agent_id k6)}"
        rolled 4 event_msg '{"type":"sub_agent_activity","kind":"interacted","agent_thread_id":"k7"}'
    } | rollout 2026/11/30 par ''
    rollout 2026/11/30 k1 par </dev/null
    rolled 4 event_msg '{"type":"collab_agent_spawn_end","call_id":"x","new_thread_id":"k3"}' | rollout 2026/12/01 k2 par
    rollout 2027/01/02 k3 k2 </dev/null
    rollout 2026/12/01 k5 other </dev/null
}

@test "agents: a thread of Codex CLI that was called is found by its name on any day, packed or not, or named once" {
    tree
    local day=sessions/2026/11/30 said="rollout-2026-11-30T10-00-00-par.jsonl:8: the sub-agent 'k4' has no file beside the session"
    local kids=('["user","I am k1","k1","par"]' '["user","I am k2","k2","par"]' '["user","I am k3","k3","k2"]')
    same 'kids' <(printf '%s\n' "${kids[@]}") <(told $day/*-par.jsonl 2>said | grep '"I am k')
    same 'named' <(echo "ctx-normalize: $day/$said") said
    # By whatever name the folder has.
    same 'in the folder' <(printf '%s\n' "${kids[@]}") <(cd $day && told ./*-par.jsonl 2>../../../../said | grep '"I am k')
    same 'named there' <(echo "ctx-normalize: ./$said") said
    same 'below the year' <(printf '%s\n' "${kids[@]}") <(cd sessions && told 2026/11/30/*-par.jsonl 2>/dev/null | grep '"I am k')
    # What lies in no tree is looked for where it lies.
    mkdir flat
    cp $day/*-par.jsonl sessions/2026/12/01/*-k2.jsonl flat/
    same 'flat' <(printf '%s\n' 'k2 k3' 'k2 k1' 'k2 k4' 'k2 k5' | sed 's/.* //' | sort) <(ctx-normalize --agents flat/*-par.jsonl 2>&1 >/dev/null | sed "s/.*sub-agent '\(.*\)' has.*/\1/" | sort)
    # A link leads to no other place.
    mv sessions/2027 elsewhere
    ln -s ../elsewhere sessions/2027
    same 'link' <(printf '%s\n' "${kids[@]:0:2}") <(told $day/*-par.jsonl 2>said | grep '"I am k')
    grep -q "k2.jsonl:3: the sub-agent 'k3' has no file beside the session$" said
    rm sessions/2027
    mv elsewhere sessions/2027
    command -v zstd >/dev/null || skip 'no zstd'
    zstd -q --rm $day/*-k1.jsonl sessions/2027/01/02/*-k3.jsonl
    same 'packed' <(printf '%s\n' "${kids[@]}" | sort) <(told $day/*-par.jsonl 2>said | grep '"I am k' | sort)
    same 'packed, named' <(echo "ctx-normalize: $day/$said") said
    [[ $(ctx-budget --agents --by agent --json $day/*-par.jsonl 2>/dev/null | jq -c '[.breakdown[].label] | sort') == '["-","k1","k2","k3"]' ]]
    # Without zstd they are named, and all else is read.
    PATH=${PATH%%:*} ctx-normalize --agents $day/*-par.jsonl >out 2>said
    same 'without zstd' - said <<END
ctx-normalize: cannot read '$day/rollout-2026-11-30T10-00-00-k1.jsonl.zst': cannot run 'zstd': No such file or directory
ctx-normalize: cannot read 'sessions/2027/01/02/rollout-2027-01-02T10-00-00-k3.jsonl.zst': cannot run 'zstd': No such file or directory
ctx-normalize: $day/$said
END
    [[ $(grep -c '"I am k' out) == 1 ]]
    # Beside a packed session the same is found.
    zstd -q --rm $day/*-par.jsonl
    same 'beside a packed one' <(printf '%s\n' "${kids[@]}" | sort) <(told $day/*-par.jsonl.zst 2>said | grep '"I am k' | sort)
    same 'beside a packed one, named' <(echo "ctx-normalize: $day/${said/.jsonl:/.jsonl.zst:}") said
}

# stored ID [PARENT]: what a session of opencode says of itself; message ID SESSION ROLE TEXT: with a part.
stored() {
    mkdir -p st/session/P
    jq -n --arg id "$1" --arg parent "${2-}" '{id: $id, projectID: "P", directory: "/", title: "T", version: "1"} + if $parent == "" then {} else {parentID: $parent} end' >"st/session/P/$1.json"
}

message() {
    mkdir -p "st/message/$2" "st/part/$1"
    jq -n --arg id "$1" --arg s "$2" --arg r "$3" '{id: $id, sessionID: $s, role: $r, time: {created: 1}, modelID: "m"}' >"st/message/$2/$1.json"
    jq -n --arg id "$1" --arg s "$2" --arg t "$4" '{id: "prt_1", sessionID: $s, messageID: $id, type: "text", text: $t}' >"st/part/$1/prt_1.json"
}

@test "agents: the storage of opencode is read by what a session says of itself" {
    stored ses_1
    stored ses_2 ses_1
    stored ses_3 ses_2
    message msg_1 ses_1 user Hello
    message msg_2 ses_1 assistant Hi
    message msg_3 ses_2 user Sub
    message msg_4 ses_3 user Deep
    echo '{"id":"prt_2","type":"tool","callID":"c","tool":"bash","state":{"status":"completed","input":{"a":1},"output":"o","time":{"start":1,"end":2}}}' >st/part/msg_2/prt_2.json
    : >st/message/ses_1/notes.txt
    # As the export has it.
    {
        printf '{"info":%s,"messages":[{"info":%s,"parts":[%s]},' "$(jq -c . st/session/P/ses_1.json)" "$(jq -c . st/message/ses_1/msg_1.json)" "$(jq -c . st/part/msg_1/prt_1.json)"
        printf '{"info":%s,"parts":[%s,%s]}]}\n' "$(jq -c . st/message/ses_1/msg_2.json)" "$(jq -c . st/part/msg_2/prt_1.json)" "$(<st/part/msg_2/prt_2.json)"
    } >exported
    same 'export' <(ctx-normalize exported | jq -c .) <(ctx-normalize st/session/P/ses_1.json | jq -c .)
    same 'by name' <(ctx-normalize exported | jq -c .) <(ctx-normalize --from opencode st/session/P/ses_1.json | jq -c .)
    same 'in its folder' <(ctx-normalize exported | wc -l) <(cd st/session/P && ctx-normalize ses_1.json | wc -l)
    same 'looked at' <(ctx-budget --json exported) <(ctx-budget --json st/session/P/ses_1.json)
    ctx-diff --stat --check exported st/session/P/ses_1.json >/dev/null
    same 'children' <(printf '%s\n' '["user","Hello",null,null]' '["assistant","Hi",null,null]' '["tool","o",null,null]' \
        '["user","Sub","ses_2","ses_1"]' '["user","Deep","ses_3","ses_2"]') <(told st/session/P/ses_1.json)
    # Of the sessions that calls of task name, those are named that are not there.
    local n at=3
    for n in 2 8 8; do
        echo '{"id":"prt_'$((at += 1))'","type":"tool","callID":"t","tool":"task","state":{"status":"completed","input":{},"output":"o","metadata":{"sessionId":"ses_'$n'"},"time":{"start":1,"end":2}}}' >"st/part/msg_2/prt_$at.json"
    done
    same 'called' <(echo "ctx-normalize: st/session/P/ses_1.json:1: the sub-agent 'ses_8' has no file beside the session") \
        <(ctx-normalize --agents st/session/P/ses_1.json 2>&1 >/dev/null)
    [[ -z $(ctx-normalize st/session/P/ses_1.json 2>&1 >/dev/null) ]]
    rm st/part/msg_2/prt_[4-6].json
    # A part that is broken is named, what is no file is none, and an id leads nowhere else.
    echo '{"id":' >st/part/msg_1/prt_2.json
    mkfifo st/part/msg_1/prt_3.json
    ln -s ../msg_2/prt_2.json st/part/msg_1/prt_4.json
    spec <<'END'
ctx-normalize st/session/P/ses_1.json | jq -c .content
>>>2 ctx-normalize: st/session/P/ses_1.json: part/msg_1/prt_2.json is no JSON object
>>> "Hello"
>>> "Hi"
>>> "o"
>>>= 65
END
    rm st/part/msg_1/prt_[234].json
    mkdir -p st/outside
    mv st/part/msg_1 st/outside/msg_1
    echo '{"id":"../outside/msg_1","sessionID":"ses_1","role":"user","time":{"created":1}}' >st/message/ses_1/msg_1.json
    [[ $(ctx-normalize st/session/P/ses_1.json | grep -c Hello) == 0 ]]
    # What lies in no storage, has no messages there, or comes from a pipe, is no session.
    cp st/session/P/ses_1.json lone.json
    stored ses_4
    sed 's/"ses_4"/".."/' st/session/P/ses_4.json >st/session/P/dots.json
    mkdir -p st/other
    cp -r st/session/P st/other/P
    local file
    for file in lone.json st/session/P/{ses_4,dots}.json - st/other/P/ses_1.json; do
        status_of 65 ctx-normalize "$file" <st/session/P/ses_1.json 2>/dev/null >out
    done
}

# own_agents FILE...: how many messages each agent has, as jq finds them, with a result for each call in
# their midst that has none.
own_agents() {
    jq -s -c 'map(select(.isSidechain))[0].uuid as $first | def who: .agentId // if .isSidechain then $first else "-" end;
        [.[] | select(.message.role)] | unique_by(.uuid) | group_by(who)[] |
        [(.[0] | who), ([.[:-1][].message.content | arrays[] | select(.type == "tool_use").id] - [.[].message.content | arrays[] | select(.type == "tool_result").tool_use_id] | length) + ([.[] | select(.message.role == "assistant").message.id] | unique | length) +
            ([.[] | select(.message.role == "user").message.content | if type == "string" then 1
                else ([.[] | select(.type == "tool_result")] | length) + (if all(.[]; .type == "tool_result") then 0 else 1 end) end] | add // 0)]' "$@"
}

@test "agents: real sessions and their sub-agents have as many messages as jq finds in the files" {
    [[ -d $CTX_SHARED/claude-code ]] || skip 'no transcripts beside the tree'
    local file path folder session count=0
    for file in "$CTX_SHARED"/claude-code/*/*agent-*.jsonl; do
        [[ ${file##*__} == agent-* ]] || continue
        path=${file##*/} path=${path//__//}
        folder=${path%/*}
        [[ $folder != "$path" ]] || folder=.
        # The session that it is of, where it is there, or else one that says little.
        case $path in
        */subagents/*) session=${path%%/subagents/*} ;;
        *) session=$folder/$(jq -r '.sessionId // empty' "$file" | head -n 1) ;;
        esac
        mkdir -p "$folder"
        cp "$file" "$path"
        cp "${file%/*}/${session//\//__}.jsonl" "$session.jsonl" 2>/dev/null ||
            line user u1 null "$(asks A)" | sed "s/\"S\"/\"${session##*/}\"/" >"$session.jsonl"
        same "$file" <(own_agents "$session.jsonl" "$path" | sort) \
            <(ctx-budget --agents --by agent --json "$session.jsonl" 2>/dev/null | jq -c '.breakdown[] | [.label, .messages]' | sort)
        rm -r "$path" "$session.jsonl"
        count=$((count + 1))
    done
    ((count >= 10)) || fail "$count files"
}
