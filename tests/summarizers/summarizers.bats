#!/usr/bin/env bats
#
# The summarizers that ctx-summarize(7) shows, run for real: openai.sh against an HTTP server on this
# machine (server.mjs), and an extractive one from npm (textrank.mjs).  make check-summarizers runs it,
# with what is installed from npm in SUMMARIZER_MODULES.

load ../helper
load ../serve

setup_file() {
    starts_server "$BATS_TEST_DIRNAME/server.mjs"
}

teardown_file() {
    ends_server
}

setup() {
    fresh_directory
    server=$BATS_FILE_TMPDIR
    : >"$server/requests"
    printf 'The gauge has to be read before the lamp.\n' >"$server/answer"
    export OPENAI_MODEL=m-1 OPENAI_TIMEOUT=20 PATH=$BATS_TEST_DIRNAME:$PATH
    unset OPENAI_API_KEY
}

# answers HOW: what follows is answered so, see server.mjs.
answers() {
    export OPENAI_BASE_URL="http://127.0.0.1:$(<"$server/port")/$1/v1"
}

# asks STATUS: openai.sh on the file in; its output is in the files out and said.
asks() {
    status_of "$1" openai.sh <in >out 2>said
}

@test "openai.sh: sends its input, and prints the answer" {
    local key
    key=k$RANDOM$RANDOM
    printf 'the log: "a\\b" \303\251 \033[1m\nits end' >in
    answers 200
    OPENAI_API_KEY=$key asks 0
    same 'answer' "$server/answer" <(sed '$d' out)
    same 'nothing said' /dev/null said
    same 'request' - <(jq -c '[.method, .url, .authorization, (.body | fromjson | .model, .messages[].role)]' "$server/requests") <<END
["POST","/200/v1/chat/completions","Bearer $key","m-1","user"]
END
    same 'text' in <(jq -j '.body | fromjson | .messages[0].content' "$server/requests")
    # A server on this machine wants no key; a base may end in a slash.
    : >"$server/requests"
    OPENAI_BASE_URL=$OPENAI_BASE_URL/ asks 0
    [[ $(jq -c '[.url, .authorization]' "$server/requests") == '["/200/v1/chat/completions",null]' ]]
}

@test "openai.sh: three MB go whole" {
    seq -f 'line %.0f of the log' 150000 >in
    (($(wc -c <in) > 3000000))
    answers 200
    asks 0
    same 'text' in <(jq -j '.body | fromjson | .messages[0].content' "$server/requests")
}

@test "openai.sh: what the server refuses is status 1, and said in one line" {
    echo 'the log' >in
    answers 400
    asks 1
    same 'said' <(echo "HTTP 400: no model  [31m'm'") said
    [[ ! -s out ]]
    answers 401
    asks 1
    same 'said' <(echo 'HTTP 401: no such key') said
    answers 404
    asks 1
    same 'said' <(echo 'HTTP 404: not found') said
}

@test "openai.sh: an answer that is cut, has no text or is a page is none" {
    echo 'the log' >in
    answers cut
    asks 1
    same 'said' <(echo 'the answer was cut') said
    answers empty
    asks 1
    same 'said' <(echo 'the answer has no text') said
    answers html
    ! openai.sh <in >out 2>said || fail 'a page is an answer'
    [[ ! -s out && -s said ]]
}

@test "openai.sh: too many requests are status 75, after as long as the server asks for" {
    local start=$SECONDS
    echo 'the log' >in
    answers 429
    asks 75
    same 'said' <(echo 'HTTP 429: slow down') said
    ((SECONDS > start))
    asks 0
    same 'answer' "$server/answer" <(sed '$d' out)
}

@test "openai.sh: a server that fails, breaks off, is silent or away is status 75" {
    echo 'the log' >in
    answers 500
    asks 75
    same 'said' <(echo 'HTTP 500: ') said
    answers break
    asks 75
    [[ $(<said) == 'curl: (18)'* && ! -s out ]]
    answers never
    OPENAI_TIMEOUT=1 asks 75
    [[ $(<said) == 'curl: (28)'* && ! -s out ]]
    # Port 1 is nobody's.
    OPENAI_BASE_URL=http://127.0.0.1:1/v1 asks 75
    [[ $(<said) == 'curl: (7)'* ]]
    OPENAI_BASE_URL=htp://127.0.0.1/v1 asks 1
}

@test "openai.sh: without a model nothing is asked" {
    echo 'the log' >in
    answers 200
    unset OPENAI_MODEL
    ! openai.sh <in >out 2>said || fail 'it went on'
    grep -q 'OPENAI_MODEL' said
    [[ ! -s $server/requests ]]
}

@test "openai.sh: no process has the key among its arguments" {
    local key=k$RANDOM$RANDOM pid line
    echo 'the log' >in
    answers never
    OPENAI_API_KEY=$key OPENAI_TIMEOUT=3 openai.sh <in >out 2>said 3>&- &
    pid=$!
    until [[ -s $server/requests ]]; do sleep 0.05; done
    ps -eo args >processes
    grep -q '[c]url .*chat/completions' processes
    ! grep -F "$key" processes || fail 'the key is there to be read'
    wait "$pid" || (($? == 75))
    [[ $(jq -r .authorization "$server/requests") == "Bearer $key" ]]
}

# compacts STATUS OPTION...: what ctx-compact makes of a session with openai.sh; out and said.
compacts() {
    local status=$1
    shift
    status_of "$status" ctx-compact --window 1k --summarizer openai.sh "$@" "$FIXTURES/compact-gauge.jsonl" >out 2>said
}

# artifact FILE: the text of the artifact in it.
artifact() {
    jq -r 'select(.metadata.kind == "summary").content' "$1"
}

@test "ctx-compact: the answer of a server is the summary" {
    answers 200
    compacts 0 --report report
    same 'nothing said' /dev/null said
    grep -qF "$(<"$server/answer")" <(artifact out)
    grep -q '^Files modified: src/gauge.c' <(artifact out)
    ctx-budget --limit 1k --check out >budget
    # What the server got is what any command gets.
    ctx-compact --window 1k --summarizer 'cat >prompt; exit 1' "$FIXTURES/compact-gauge.jsonl" >none 2>&1 || (($? == 69))
    [[ -s prompt && $(wc -l <"$server/requests") == 1 ]]
    same 'the prompt' prompt <(jq -j '.body | fromjson | .messages[0].content' "$server/requests")
    [[ $(jq -c '.summarizer | [.kind, .runs]' report) == '["initial",1]' ]]
}

@test "ctx-compact: the next compaction sends the summary, and nobody is asked when nothing is due" {
    answers 200
    compacts 0
    mv out log.jsonl
    : >"$server/requests"
    OPENAI_BASE_URL=http://127.0.0.1:1/v1 ctx-compact --window 1k --summarizer openai.sh log.jsonl >same
    cmp log.jsonl same
    jq -c 'select(.role != "system")' "$FIXTURES/compact-gauge.jsonl" >>log.jsonl
    printf 'The datum is 1.0 now.\n' >"$server/answer"
    ctx-compact --window 1k --summarizer openai.sh --report report log.jsonl >out
    [[ $(jq -r .summarizer.kind report) == update ]]
    grep -qF 'The gauge has to be read before the lamp.' <(jq -r '.body | fromjson | .messages[0].content' "$server/requests")
    [[ $(artifact out | grep -c '^\[summary\]') == 1 ]]
    grep -qF 'The datum is 1.0 now.' <(artifact out)
    ! artifact out | grep 'before the lamp' || fail 'the old summary is there, too'
}

@test "ctx-compact: what a server refuses changes nothing, or a digest takes its place" {
    answers 400
    compacts 69
    [[ ! -s out && $(wc -l <said) == 1 ]]
    grep -q "HTTP 400: no model  \[31m'm'" said
    compacts 0 --fallback digest
    grep -q 'HTTP 400' said
    same 'the digest' <(ctx-compact --window 1k "$FIXTURES/compact-gauge.jsonl") out
    # In place, the file is as it was, and nothing lies beside it.
    mkdir sessions
    cp "$FIXTURES/compact-gauge.jsonl" sessions/log.jsonl
    status_of 69 ctx-compact -i --window 1k --summarizer openai.sh sessions/log.jsonl 2>said
    cmp "$FIXTURES/compact-gauge.jsonl" sessions/log.jsonl
    [[ $(ls -A sessions) == log.jsonl ]]
    answers 200
    ctx-compact -i --window 1k --summarizer openai.sh sessions/log.jsonl
    grep -qF "$(<"$server/answer")" <(artifact sessions/log.jsonl)
}

@test "ctx-compact: 429 and then 200 is one more run, where retries are allowed" {
    answers 429
    compacts 0 --summarizer-retries 1 --report report
    [[ $(jq .summarizer.runs report) == 2 && $(wc -l <"$server/requests") == 2 ]]
    compacts 69
    grep -q 'HTTP 429: slow down' said
    compacts 0
}

@test "ctx-compact: a server that fails is asked again, and then given up" {
    answers 500
    compacts 69 --summarizer-retries 1
    grep -q 'status 75: HTTP 500' said
    [[ $(wc -l <"$server/requests") == 2 ]]
}

@test "ctx-compact: a server that never answers is given up, and no process stays" {
    answers never
    compacts 69 --summarizer-timeout 1s
    [[ ! -s out ]]
    OPENAI_TIMEOUT=1 compacts 69
    grep -q 'status 75: curl: (28)' said
    ps -eo args >processes
    ! grep "[c]url.*$OPENAI_BASE_URL" processes || fail 'curl is still there'
}

@test "ctx-compact: a signal while a server is silent ends all" {
    local pid
    answers never
    ctx-compact --window 1k --summarizer openai.sh "$FIXTURES/compact-gauge.jsonl" >out 2>said 3>&- &
    pid=$!
    until [[ -s $server/requests ]]; do sleep 0.05; done
    kill -TERM "$pid"
    status_of 143 wait "$pid"
    [[ ! -s out ]]
    ps -eo args >processes
    ! grep "[c]url.*$OPENAI_BASE_URL" processes || fail 'curl is still there'
}

# textrank FILE OPTION...: what ctx-compact makes of it with the summarizer from npm.
textrank() {
    ctx-compact --summarizer-input jsonl --strict-names --report report \
        --summarizer "node '$BATS_TEST_DIRNAME/textrank.mjs' '$SUMMARIZER_MODULES'" "${@:2}" "$1" >out
}

@test "ts-textrank: sentences of the session are its summary, and have no name that it lacks" {
    textrank "$FIXTURES/compact-gauge.jsonl" --window 1k
    grep -qx '  - The zero of the float was still that of the old chart datum' <(artifact out)
    [[ $(jq -c '.summarizer | .invented, .runs' report | paste -sd' ') == '[] 1' ]]
    ctx-normalize "$FIXTURES/claude-code-session.jsonl" >log.jsonl
    textrank log.jsonl --limit 4k --target 4k
    (($(artifact out | grep -c '^  - ') > 10))
    (($(jq '.summarizer.tokens' report) <= $(jq '.summarizer.most_tokens' report)))
    ctx-budget --limit 4k --check out >budget
    # The same bytes each time, and the identity afterwards.
    cp out once
    textrank log.jsonl --limit 4k --target 4k
    cmp once out
    textrank once --limit 4k --target 4k
    cmp once out
}

@test "ts-textrank: an update is made of the sentences before, and of new ones" {
    textrank "$FIXTURES/compact-gauge.jsonl" --window 1k
    mv out log.jsonl
    jq -c 'select(.role != "system")' "$FIXTURES/compact-gauge.jsonl" >>log.jsonl
    textrank log.jsonl --window 1k
    [[ $(jq -r .summarizer.kind report) == update ]]
    [[ $(artifact out | grep -c '\[summary\]\|Files modified') == 2 ]]
    grep -q '^  - ' <(artifact out)
}
