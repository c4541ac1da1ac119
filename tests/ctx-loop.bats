#!/usr/bin/env bats
#
# The agent loops of ctx-loop(7), in man/examples, run for real against a server that plays the model
# and enforces the rules of its API (loop/model.mjs): one script makes one log, whichever loop runs.

load helper
load serve

page=$ROOT/man/ctx-loop.7

setup_file() {
    ! command -v node >/dev/null || starts_server "$BATS_TEST_DIRNAME/loop/model.mjs"
}

teardown_file() {
    [[ ! -e $BATS_FILE_TMPDIR/pid ]] || ends_server
}

@test "ctx-loop(7): the listing is the loop that is run here" {
    same 'loop.sh' "$ROOT/man/examples/loop.sh" <(display "$page" '#!/bin/bash')
}

# plays LOOP [anthropic]: that loop is the one of the test, and the model's script is on standard input.
plays() {
    local tool needs=node
    case $1 in
    *.sh) needs+=' curl' ;;
    *.py) needs+=' python3' ;;
    esac
    for tool in $needs; do
        command -v "$tool" >/dev/null || skip "no $tool"
    done
    loop=$ROOT/man/examples/$1
    run=$BATS_FILE_TMPDIR/$BATS_TEST_NUMBER
    mkdir "$run"
    cat >"$run/script.jsonl"
    local url
    url=http://127.0.0.1:$(<"$BATS_FILE_TMPDIR/port")/$BATS_TEST_NUMBER
    unset "${!OPENAI_@}" "${!ANTHROPIC_@}"
    # OpenAI's is taken where both are set.
    if [[ ${2-} == anthropic ]]; then
        export ANTHROPIC_MODEL=m-1 ANTHROPIC_BASE_URL="$url"
    else
        export OPENAI_MODEL=m-1 OPENAI_BASE_URL="$url/v1" ANTHROPIC_MODEL=m-2
    fi
    unset LOOP_PROFILE LOOP_LIMIT LOOP_CHECK
    no_proxy=127.0.0.1 && export no_proxy
}

# is_valid [LOG]: the server found no fault and was asked for the whole script, no more, and the log
# holds nothing that would have to be mended.
is_valid() {
    [[ ! -e $run/faults ]] || fail "faults: $(<"$run/faults")"
    same 'requests' <(wc -l <"$run/script.jsonl") <(find "$run" -name 'request-*' | wc -l)
    ctx-normalize --check "${1:-log.jsonl}"
    same 'pairs' /dev/null <(pair_facts "${1:-log.jsonl}")
}

# facts FILE: the messages of a log, with the ids that a loop makes up numbered as they come.
facts() {
    jq -nc '
        def number($name): if . == null then empty else {($name): .} end;
        [inputs] | [.[].metadata | .execution_id, .parent_execution_id | strings] as $ids |
        [.[].metadata.agent_id | strings] as $agents |
        def nth_of($all): . as $id | reduce $all[] as $it ([]; if index($it) then . else . + [$it] end) | index($id) + 1;
        .[] | .metadata |= (
            (if .agent_id then .agent_id |= "a\(nth_of($agents))" else . end) |
            (if .parent_execution_id then .parent_execution_id |= "e\(nth_of($ids))" else . end) |
            .execution_id |= "e\(nth_of($ids))" |
            if .usage then .usage |= "\(.prompt_tokens // .input_tokens + .cache_read_input_tokens) \(.completion_tokens // .output_tokens)" else . end) |
        [.role, .content, (.tool_calls // [] | map("\(.id) \(.function.name) \(.function.arguments)")), .tool_call_id, .metadata]' "$1"
}

# The script of a run that has tools, an error, steering and a sub-agent.
survey() {
    cat <<'END'
{"text":"I look ⚓ at it.\u001b[2J","calls":[{"id":"c1","name":"read","arguments":{"path":"depths.txt"}},{"id":"c2","name":"read","arguments":{"path":"../gone"}}]}
{"calls":[{"id":"c3","name":"check","arguments":{}}]}
{"calls":[{"id":"c4","name":"agent","arguments":{"task":"How deep is the lock?"}},{"id":"c5","name":"erase","arguments":{"path":"depths.txt"}}]}
{"calls":[{"id":"c6","name":"read","arguments":"{\"path\":\"dep"},{"id":"c7","name":"agent","arguments":{"task":"You do it."}}]}
{"text":"The lock is 3.1 m deep."}
{"text":"Harbour 4.2 m, lock 3.1 m."}
END
}

# surveys: runs the loop on a request, and a line comes while the tool check runs.
surveys() {
    printf 'harbour 4.2 \342\232\223\r\nlock 3.1' >depths.txt
    echo 'outside' >../gone
    cat >check <<'END'
echo 'Look at the lock, too.' >words
: >steered
echo '2 of 3 soundings failed' >&2
exit 3
END
    mkfifo words
    # The end of the words comes behind the one that steers.
    {
        echo 'How deep is the harbour?'
        for ((i = 0; i < 600; i++)); do
            [[ ! -e steered ]] || break
            sleep 0.1
        done
    } >words 3>&- &
    LOOP_CHECK='sh ./check' "$loop" log.jsonl <words >out 2>said
    wait
}

# is_surveyed: what the survey leaves, in the log, on the screen and at the server.
is_surveyed() {
    local own
    is_valid
    same 'the log' - <(facts log.jsonl) <<'END'
["system","You help with the files of one directory.",[],null,{"origin":"system","execution_id":"e1"}]
["user","How deep is the harbour?",[],null,{"origin":"user","execution_id":"e1"}]
["assistant","I look ⚓ at it.\u001b[2J",["c1 read {\"path\":\"depths.txt\"}","c2 read {\"path\":\"../gone\"}"],null,{"usage":"100 9","origin":"tool_call","execution_id":"e1","tool_name":"read","is_trace":true}]
["tool","harbour 4.2 ⚓\r\nlock 3.1",[],"c1",{"origin":"tool_result","execution_id":"e1","tool_name":"read","is_trace":true}]
["tool","error: there is no file '../gone' here\n",[],"c2",{"is_error":true,"origin":"tool_result","execution_id":"e1","tool_name":"read","is_trace":true}]
["assistant",null,["c3 check {}"],null,{"usage":"100 9","origin":"tool_call","execution_id":"e1","tool_name":"check","is_trace":true}]
["tool","2 of 3 soundings failed\nerror: the check ended with 3\n",[],"c3",{"is_error":true,"origin":"tool_result","execution_id":"e1","tool_name":"check","is_trace":true}]
["user","Look at the lock, too.",[],null,{"origin":"user","execution_id":"e1"}]
["assistant",null,["c4 agent {\"task\":\"How deep is the lock?\"}","c5 erase {\"path\":\"depths.txt\"}"],null,{"usage":"100 9","origin":"tool_call","execution_id":"e1","is_trace":true}]
["system","You help with the files of one directory.",[],null,{"agent_id":"a1","parent_execution_id":"e1","origin":"system","execution_id":"e2"}]
["user","How deep is the lock?",[],null,{"agent_id":"a1","parent_execution_id":"e1","origin":"user","execution_id":"e2"}]
["assistant",null,["c6 read {\"path\":\"dep","c7 agent {\"task\":\"You do it.\"}"],null,{"usage":"100 9","agent_id":"a1","parent_execution_id":"e1","origin":"tool_call","execution_id":"e2","is_trace":true}]
["tool","error: the arguments are no JSON object\n",[],"c6",{"is_error":true,"agent_id":"a1","parent_execution_id":"e1","origin":"tool_result","execution_id":"e2","tool_name":"read","is_trace":true}]
["tool","error: the agent has no answer\n",[],"c7",{"is_error":true,"agent_id":"a1","parent_execution_id":"e1","origin":"tool_result","execution_id":"e2","tool_name":"agent","is_trace":true}]
["assistant","The lock is 3.1 m deep.",[],null,{"usage":"100 9","agent_id":"a1","parent_execution_id":"e1","origin":"assistant","execution_id":"e2"}]
["tool","The lock is 3.1 m deep.",[],"c4",{"origin":"tool_result","execution_id":"e1","tool_name":"agent","is_trace":true}]
["tool","error: there is no tool 'erase'\n",[],"c5",{"is_error":true,"origin":"tool_result","execution_id":"e1","tool_name":"erase","is_trace":true}]
["assistant","Harbour 4.2 m, lock 3.1 m.",[],null,{"usage":"100 9","origin":"assistant","execution_id":"e1"}]
END
    # By the usage, the tokens are those of the last request and its answer.
    same 'the usage' <(echo 109) <(ctx-budget --estimator usage --json log.jsonl 2>/dev/null | jq .used_tokens)
    # The sub-agent's own log has what the parent's log has of it.
    own=(log-*.jsonl)
    [[ ${#own[@]} == 1 ]]
    same "the sub-agent's log" <(jq -c 'select(.metadata.agent_id)' log.jsonl) <(jq -c . "${own[0]}")
    same 'the screen' - <(grep -v '^It ' out) <<'END'
I look ⚓ at it.?[2J
Harbour 4.2 m, lock 3.1 m.
END
    [[ ${OPENAI_MODEL-} ]] || return 0
    # What the last requests end with: the sub-agent sees nothing of its parent, and the parent its result alone.
    same 'the last requests' - <(cd "$run" && for n in $(find . -name 'request-*' | tr -dc '0-9\n' | sort -n); do
        jq -c '[(.tools | map(.function.name) | join(" ")), (.messages | length), (.messages[-2:][] | .content)]' "request-$n.json"
    done | uniq | tail -n 4) <<'END'
["read check agent",8,"2 of 3 soundings failed\nerror: the check ended with 3\n","Look at the lock, too."]
["read check",2,"You help with the files of one directory.","How deep is the lock?"]
["read check",5,"error: the arguments are no JSON object\n","error: the agent has no answer\n"]
["read check agent",11,"The lock is 3.1 m deep.","error: there is no tool 'erase'\n"]
END
}

# survey_of LOOP: the survey, with that loop.
survey_of() {
    plays "$1" < <(survey)
    surveys
    same 'diagnostics' <(echo 'The lock is 3.1 m deep.') said
    is_surveyed
}

@test "loop.sh: tools, an error, steering and a sub-agent make one whole log" { survey_of loop.sh; }
# bats test_tags=slow
@test "loop.py: tools, an error, steering and a sub-agent make one whole log" { survey_of loop.py; }
# bats test_tags=slow
@test "loop.mjs: tools, an error, steering and a sub-agent make one whole log" { survey_of loop.mjs; }

# retries_of LOOP: the survey, with a server that is in bad shape; the log is the same.
retries_of() {
    plays "$1" < <(survey | sed \
        -e '2i {"status":429,"retry":"0","error":"slow down"}' \
        -e '2i {"text":"It is","breaks":"torn"}' \
        -e '4i {"status":500}' \
        -e '6i {"text":"It is","breaks":"ends"}')
    surveys
    is_surveyed
    # Each failure is said in a line, with what the server says.
    [[ $(grep -c "^$1: " said) == 4 ]]
    grep -q "^$1: HTTP 429: .*slow down" said
    grep -q "^$1: HTTP 500: " said
    grep -q "^$1: the answer breaks off" said
}

# bats test_tags=slow
@test "loop.sh: after 429, 500 and streams that break off the log is the same" { retries_of loop.sh; }
# bats test_tags=slow
@test "loop.py: after 429, 500 and streams that break off the log is the same" { retries_of loop.py; }
# bats test_tags=slow
@test "loop.mjs: after 429, 500 and streams that break off the log is the same" { retries_of loop.mjs; }

# Anthropic's API, where results stand in messages of the user and the prompt outside of messages.
# bats test_tags=slow
@test "loop.py: with Anthropic's API the log is the same" {
    plays loop.py anthropic < <(survey)
    surveys
    same 'diagnostics' <(echo 'The lock is 3.1 m deep.') said
    is_surveyed
    same 'the last request' - <(jq -c '[.system, .max_tokens, (.tools | map(.name)), (.messages[-1].content[] | .content // .text)]' "$run/request-6.json") <<'END'
["You help with the files of one directory.",8192,["read","check","agent"],"The lock is 3.1 m deep.","error: there is no tool 'erase'\n"]
END
}

# bats test_tags=slow
@test "loop.py: with Anthropic's API the log is the same after errors, also in the stream" {
    plays loop.py anthropic < <(survey | sed \
        -e '2i {"status":529,"retry":"0","error":"overloaded"}' \
        -e '2i {"text":"It is","breaks":"torn"}' \
        -e '4i {"text":"It is","breaks":"says"}' \
        -e '6i {"text":"It is","breaks":"ends"}')
    surveys
    is_surveyed
    grep -q '^loop.py: HTTP 529: .*overloaded' said
    grep -q '^loop.py: Overloaded' said
    grep -q '^loop.py: the answer breaks off' said
}

@test "loop.py: with Anthropic's API a call without arguments, and a refusal" {
    plays loop.py anthropic <<'END'
{"calls":[{"id":"c1","name":"check","arguments":{}}]}
{"text":"It is well."}
{"status":401,"error":"no such key"}
END
    LOOP_CHECK='echo well' "$loop" log.jsonl >out 2>said < <(echo 'Check it.')
    [[ ! -s said && $(<out) == 'It is well.' ]]
    same 'the arguments' <(echo '{}') <(jq -r '.tool_calls[]?.function.arguments' log.jsonl)
    status_of 1 "$loop" log.jsonl >out 2>said < <(echo 'Check it.')
    is_valid
    grep -q '^loop.py: HTTP 401: .*no such key' said
}

# refused_of LOOP: what the server refuses for good ends the request, and the next one goes on behind it.
refused_of() {
    plays "$1" <<'END'
{"status":401,"error":"no such key"}
{"text":"4.2 m."}
END
    status_of 1 "$loop" log.jsonl >out 2>said < <(echo 'How deep is the harbour?')
    [[ ! -s out ]]
    same 'said' <(echo "$1: HTTP 401: {\"error\":{\"message\":\"no such key\"}}") <(sed 's/ *$//' said)
    OPENAI_API_KEY=k$RANDOM "$loop" log.jsonl >out 2>said < <(printf 'And now?')
    is_valid
    same 'said' /dev/null said
    same 'the log' - <(jq -r '.role + ": " + .content' log.jsonl) <<'END'
system: You help with the files of one directory.
user: How deep is the harbour?
user: And now?
assistant: 4.2 m.
END
    [[ $(jq -r .metadata.execution_id log.jsonl | uniq | wc -l) == 2 ]]
    # The key is sent where there is one.
    same 'keys' - <(jq -r --arg run "/$BATS_TEST_NUMBER/" 'select(.url | startswith($run)) | .authorization | type' \
        "$BATS_FILE_TMPDIR/requests") <<'END'
null
string
END
}

@test "loop.sh: what the server refuses is said, and the next request goes on" { refused_of loop.sh; }
@test "loop.py: what the server refuses is said, and the next request goes on" { refused_of loop.py; }
@test "loop.mjs: what the server refuses is said, and the next request goes on" { refused_of loop.mjs; }

# asks_nothing LOOP: without a log or a model nothing is done.
asks_nothing() {
    plays "$1" </dev/null
    status_of 1 "$loop" >out 2>said < <(echo 'How deep is the harbour?')
    OPENAI_MODEL='' ANTHROPIC_MODEL='' status_of 1 "$loop" log.jsonl >>out 2>>said < <(echo 'How deep is the harbour?')
    same 'said' <(printf 'usage: OPENAI_MODEL=NAME %s LOG\n' "$1" "$1") said
    same 'files' <(printf 'out\nsaid\n') <(ls)
}

@test "each loop: without a log or a model nothing is asked" {
    asks_nothing loop.sh
    rm -r "$run" out said
    asks_nothing loop.py
    rm -r "$run" out said
    asks_nothing loop.mjs
}

# unseen_of LOOP: when nobody reads what it says any more, it goes on all the same, and asks once.
unseen_of() {
    plays "$1" <<'END'
{"text":"I look.","calls":[{"id":"c1","name":"check","arguments":{}}]}
{"text":"It is well."}
END
    LOOP_CHECK=true "$loop" log.jsonl < <(echo 'Check it.') 2>said | true
    is_valid
    [[ $(tail -n 1 log.jsonl | jq -r .content) == 'It is well.' ]]
}

@test "loop.sh: goes on when nobody reads what it says" { unseen_of loop.sh; }
@test "loop.py: goes on when nobody reads what it says" { unseen_of loop.py; }
@test "loop.mjs: goes on when nobody reads what it says" { unseen_of loop.mjs; }

# dies_of LOOP: a loop that is killed while a tool runs, in the midst of a line, is started again.
dies_of() {
    local i pid
    plays "$1" <<'END'
{"calls":[{"id":"c1","name":"check","arguments":{}}]}
{"text":"It is well."}
END
    # What the tool waits for is closed when the test ends.
    mkfifo hold
    exec 7<>hold
    LOOP_CHECK=': >begun; read -r word <hold' "$loop" log.jsonl >out 2>said < <(echo 'Check it.') 3>&- 7>&- &
    pid=$!
    for ((i = 0; i < 600; i++)); do
        [[ ! -e begun ]] || break
        sleep 0.1
    done
    [[ -e begun ]]
    kill -KILL "$pid"
    wait "$pid" || (($? == 137))
    echo >&7
    exec 7>&-
    rm -rf "${TMPDIR:?}"/*
    printf '{"role":"assistant","content":"tor' >>log.jsonl
    "$loop" log.jsonl >out 2>said < <(echo 'Is it well?')
    [[ ! -e $run/faults && $(<out) == 'It is well.' ]]
    [[ $(<log.jsonl.torn) == '{"role":"assistant","content":"tor' ]]
    same 'the log' - <(jq -r '.role + ": " + (.content // "calls")' log.jsonl) <<'END'
system: You help with the files of one directory.
user: Check it.
assistant: calls
user: Is it well?
assistant: It is well.
END
    # The model is told that there is no result.
    same 'the request' - <(jq -r '.messages[] | .role + ": " + (.content // "calls")' "$run/request-2.json") <<'END'
system: You help with the files of one directory.
user: Check it.
assistant: calls
tool: [no result]
user: Is it well?
END
}

# bats test_tags=slow
@test "loop.sh: one that was killed goes on with the log" { dies_of loop.sh; }
# bats test_tags=slow
@test "loop.py: one that was killed goes on with the log" { dies_of loop.py; }
# bats test_tags=slow
@test "loop.mjs: one that was killed goes on with the log" { dies_of loop.mjs; }

# fits_of LOOP: a log over the limit is compacted before the next request; all of it is in the archive.
fits_of() {
    local n
    plays "$1" < <(for n in {1..6}; do
        printf '{"calls":[{"id":"c%s","name":"read","arguments":{"path":"depths-%s.txt"}}]}\n{"text":"%s is read."}\n' "$n" "$n" "$n"
    done)
    for n in {1..6}; do
        seq -f "sounding $n.%.0f: 4.2 m" 200 >"depths-$n.txt"
    done
    # A request must not be taken for one that steers.
    for n in {1..6}; do
        LOOP_LIMIT=4k "$loop" log.jsonl < <(echo "Read depths-$n.txt") >>out 2>>said
    done
    is_valid
    same 'what is said' <(seq -f '%.0f is read.' 6) out
    [[ -s log.jsonl.archive ]]
    ctx-restore log.jsonl.archive log.jsonl >whole
    same 'each message once' - <(jq -r 'select(.role == "user" or .role == "tool") | .content[:16]' whole) < <(
        for n in {1..6}; do
            printf 'Read depths-%s.tx\nsounding %s.1: 4.\n' "$n" "$n"
        done
    )
    ctx-budget --limit 8k --check log.jsonl >budget
}

# bats test_tags=slow
@test "loop.sh: a log over the limit is compacted, and the requests stay valid" { fits_of loop.sh; }
# bats test_tags=slow
@test "loop.py: a log over the limit is compacted, and the requests stay valid" { fits_of loop.py; }
# bats test_tags=slow
@test "loop.mjs: a log over the limit is compacted, and the requests stay valid" { fits_of loop.mjs; }

# measures FILE: what the requests of a session cost, by way: compactions, tokens and those in full.
measures() {
    bash "$ROOT/tests/bench/loop.bash" "$1" 24k >costs
    awk 'NR > 1 { sub("k", "", $NF); print $(NF - 2), $NF }' costs >figures
    mapfile -t figures <figures
    read -r anew anew_full <<<"${figures[1]}"
    read -r log log_full <<<"${figures[2]}"
    read -r view view_full <<<"${figures[3]}"
}

@test "ctx-loop(7): a log that is compacted in place has few compactions, and shares more of its prefixes" {
    local anew log view anew_full log_full view_full figures
    measures "$FIXTURES/claude-code-session.jsonl"
    ((log <= 2 && view <= 2 && anew > 2)) || fail "compactions: $(<costs)"
    ((log_full < anew_full && view_full < anew_full)) || fail "in full: $(<costs)"
}

# bats test_tags=slow
@test "ctx-loop(7): the figures of the page are those of the session" {
    local anew log view anew_full log_full view_full figures session=$CTX_SHARED/claude-code/definitelyreal-speakfree/session.jsonl
    [[ -e $session ]] || skip 'no transcripts beside the tree'
    measures "$session"
    ((anew_full > 2 * log_full && anew_full > 2 * view_full)) || fail "in full: $(<costs)"
    same 'the page' costs <(display "$page" '                                    requests')
}
