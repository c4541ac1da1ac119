#!/bin/sh
#
# openai.sh: sends what it reads to an OpenAI-compatible server, and prints
# the answer.  Ends with 75 where another try may help.
#     OPENAI_MODEL     the model
#     OPENAI_BASE_URL  by default https://api.openai.com/v1
#     OPENAI_API_KEY   may be missing, for a server that wants none
#     OPENAI_TIMEOUT   how many seconds all may take, 90 by default

: "${OPENAI_MODEL:?is not set}"
base=${OPENAI_BASE_URL:-https://api.openai.com/v1}

# The key goes through a descriptor: arguments are shown to all by ps(1).
reply=$(
    jq -Rs '{model: env.OPENAI_MODEL,
             messages: [{role: "user", content: .}]}' |
        curl -gsS -m "${OPENAI_TIMEOUT:-90}" --max-filesize 4000000 \
            -H 'Content-Type: application/json' -H Expect: -H @/dev/fd/3 \
            --data-binary @- -w '\n%{http_code} %header{retry-after}\n' \
            "${base%/}/chat/completions" 3<<KEY
${OPENAI_API_KEY:+Authorization: Bearer $OPENAI_API_KEY}
KEY
)
case $? in
0) ;;
5 | 6 | 7 | 16 | 18 | 28 | 35 | 52 | 55 | 56 | 92) exit 75 ;;
*) exit 1 ;;
esac

body() {
    printf '%s\n' "$reply" | sed '$d'
}

# refused STATUS: ends with it, and says in a line what the server says.
refused() {
    text=$(body | jq -cr '.error?.message? // .error? // .message? // .' \
        2>/dev/null || body)
    text=$(printf '%s' "$text" | tr '[:cntrl:]' ' ' | cut -c 1-400)
    printf 'HTTP %s: %s\n' "$code" "$text" >&2
    exit "$1"
}

# The last line: the HTTP status, and how many seconds it asks to wait.
last=$(printf '%s\n' "$reply" | tail -n 1)
code=${last%% *} wait=${last#* }
case $code in
200)
    body | jq -r '
        def refuse: . + "\n" | halt_error(1);
        .choices[0] |
        if .finish_reason == "length" then "the answer was cut" | refuse
        else .message.content // ("the answer has no text" | refuse) end'
    ;;
408 | 429 | 5??)
    case $wait in [1-9] | 1[0-9] | 20) sleep "$wait" ;; esac
    refused 75
    ;;
*) refused 1 ;;
esac
