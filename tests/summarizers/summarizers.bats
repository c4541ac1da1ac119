#!/usr/bin/env bats
#
# The summarizers that ctx-summarize(7) shows, run for real: openai.sh against an HTTP server on this
# machine (server.mjs), and an extractive one from npm (textrank.mjs).  make check-summarizers runs it,
# with what is installed from npm in SUMMARIZER_MODULES.

load ../helper

setup_file() {
    local tries
    node "$BATS_TEST_DIRNAME/server.mjs" "$BATS_FILE_TMPDIR" >"$BATS_FILE_TMPDIR/said" 2>&1 3>&- &
    echo $! >"$BATS_FILE_TMPDIR/pid"
    for ((tries = 0; tries < 100; tries++)); do
        [[ ! -s $BATS_FILE_TMPDIR/port ]] || return 0
        sleep 0.1
    done
    cat "$BATS_FILE_TMPDIR/said"
    return 1
}

teardown_file() {
    kill "$(<"$BATS_FILE_TMPDIR/pid")"
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
