#!/bin/bash
#
# loop.sh LOG: an agent that lives on a log.  Each line that it reads is a
# request of the user; a line that comes while it works steers it.  What
# the model says is printed as it comes.
#     OPENAI_MODEL     the model
#     OPENAI_BASE_URL  by default https://api.openai.com/v1
#     OPENAI_API_KEY   may be missing, for a server that wants none
#     LOOP_PROFILE     the profile of ctx-compile, pragmatic
#     LOOP_LIMIT       over so many tokens the log is compacted, 100k
#     LOOP_CHECK       what the tool check runs, make check

set -o pipefail -u
[[ $# == 1 && ${OPENAI_MODEL-} ]] || {
    echo 'usage: OPENAI_MODEL=NAME loop.sh LOG' >&2
    exit 1
}
base=${OPENAI_BASE_URL:-https://api.openai.com/v1}
profile=${LOOP_PROFILE:-pragmatic} limit=${LOOP_LIMIT:-100k}
log=$1 agent=''
dir=$(mktemp -d) && trap 'rm -r "$dir"' EXIT || exit

prompt='You help with the files of one directory.'
tools='[
  {"name": "read", "description": "Reads a file of the directory.",
   "parameters": {"type": "object", "required": ["path"],
                  "properties": {"path": {"type": "string"}}}},
  {"name": "check", "description": "Runs the checks of the directory.",
   "parameters": {"type": "object", "properties": {}}},
  {"name": "agent", "description": "Gives a task to another agent.",
   "parameters": {"type": "object", "required": ["task"],
                  "properties": {"task": {"type": "string"}}}}]'

# append: puts messages into the log; those of a sub-agent go into the
# log of its parent, too.  A log with bad lines is status 65.
append() {
    if [[ $agent ]]; then
        ctx-route --repair --set agent_id="$agent" \
            --set parent_execution_id="$caller" \
            --execution "$execution" --append "$log" |
            ctx-route --repair --append "$parent"
    else
        ctx-route --repair --execution "$execution" --append "$log"
    fi >/dev/null || (($? == 65))
}

# say ROLE TEXT: puts into the log what that role says.
say() {
    printf '%s' "$2" | jq -cRs --arg role "$1" \
        '{role: $role, content: .}' | append || exit
}

# request: what the model is going to read.
request() {
    local members
    ctx-budget --limit "$limit" --check "$log" >/dev/null 2>&1 ||
        ctx-compact -i --limit "$limit" --archive "$log.archive" "$log"
    members=$(jq -c --arg agent "$agent" '{
        model: env.OPENAI_MODEL, stream: true,
        stream_options: {include_usage: true}, tools: map(
            select(.name != "agent" or $agent == "") |
            {type: "function", function: .})}' <<<"$tools")
    ctx-compile --profile "$profile" "$log" |
        ctx-normalize --to openai --request="$members" || (($? == 65))
}

# The events of a stream become a message, when the stream came to its end.
assemble='
    reduce inputs as $event ({};
        .usage = ($event.usage // .usage) |
        ($event.choices[0] // {}) as $choice |
        .finish = ($choice.finish_reason // .finish) |
        .content += $choice.delta.content |
        reduce ($choice.delta.tool_calls // [])[] as $part (.;
            .calls[$part.index // 0] |= (.id = (.id // $part.id) |
                .name += $part.function.name |
                .arguments += $part.function.arguments))) |
    select(.finish and (.calls or (.content // "") != "")) |
    {role: "assistant", content} + if .calls then {tool_calls: [.calls[] |
        {id, type: "function", function: {name, arguments}}]} else {} end +
    if .usage then {metadata: {usage}} else {} end'

# show: prints the words of the events, and a line feed behind them, and
# takes all events, whether anybody reads the words or not.
words='
    foreach ((inputs | .choices[0].delta.content // empty |
        gsub("[^\n\t[:^cntrl:]]"; "?") | select(. != "")), "") as $text
        (""; if $text == "" and . != "" then "\n" else $text end)'
show() {
    trap '' PIPE
    jq -nj --unbuffered "$words" || echo
    cat >/dev/null
}

# ask: sends the request, and prints the answer while it comes.  75 says
# that another try may help; wait is how long the server wants it to take.
ask() {
    local code key=${OPENAI_API_KEY-}
    : >"$dir/head"
    printf '%s\n' "${key:+Authorization: Bearer $key}" |
        curl -gsSN -m 600 -D "$dir/head" -H @- -H Expect: \
            -H 'Content-Type: application/json' \
            --data-binary "@$dir/request" "${base%/}/chat/completions" |
        tee "$dir/body" | sed -un '/^data: *\[DONE\]/d; s/^data: *//p' |
        tee "$dir/events" | show 2>/dev/null
    code=$(sed -nE 's/^HTTP[^ ]* ([0-9]+).*/\1/p' "$dir/head" | tail -n 1)
    wait=$(sed -nE 's/^retry-after: *([0-9]{1,2})\s*$/\1/Ip' "$dir/head")
    case $code in
    200)
        jq -cn "$assemble" "$dir/events" >"$dir/answer" 2>/dev/null &&
            [[ -s $dir/answer ]] && return
        echo 'loop.sh: the answer breaks off' >&2
        return 75
        ;;
    *)
        echo "loop.sh: HTTP ${code:-without answer}: $(cut -c 1-400 \
            "$dir/body" | tr '[:cntrl:]' ' ')" >&2
        case $code in '' | 408 | 429 | 5??) return 75 ;; esac
        return 1
        ;;
    esac
}

# answer: asks until there is an answer, or no more hope.
answer() {
    local pause
    for pause in 1 2 4 8 ''; do
        ask && return
        (($? == 75)) && [[ $pause ]] || return 1
        sleep "${wait:-$pause}"
    done
}

# tool NAME ARGUMENTS: runs a tool, and prints its result.
tool() {
    local value file status=0
    value=$(jq -r '[.path, .task | strings][0] // ""' <<<"$2" 2>&1) || {
        echo 'error: the arguments are no JSON object'
        return 1
    }
    case $1 in
    read)
        file=$(realpath -e -- "$value" 2>/dev/null) || file=''
        [[ -f $file && $file == "$(pwd -P)"/* ]] &&
            head -c 20000 -- "$file" && return
        echo "error: there is no file '$value' here"
        ;;
    check)
        sh -c "${LOOP_CHECK:-make check}" 2>&1 || status=$?
        ((status)) || return 0
        echo "error: the check ended with $status"
        ;;
    agent)
        [[ ! $agent ]] && delegate "$value" && return
        echo 'error: the agent has no answer'
        ;;
    *) echo "error: there is no tool '$1'" ;;
    esac
    return 1
}

# delegate TASK: what a sub-agent answers, which has a log of its own.
delegate() (
    parent=$log caller=$execution agent=$(uuid) dir=$dir/agent
    log=${log%.jsonl}-$agent.jsonl
    mkdir -p "$dir"
    run "$1" >&2 && jq -j .content "$dir/answer"
)

# run_tools: runs the calls of the answer, and appends their results.
run_tools() {
    local i count error
    count=$(jq '.tool_calls | length' "$dir/answer")
    for ((i = 0; i < count; i++)); do
        jq -c ".tool_calls[$i]" "$dir/answer" >"$dir/call"
        error=false
        tool "$(jq -r .function.name "$dir/call")" \
            "$(jq -r .function.arguments "$dir/call")" \
            </dev/null >"$dir/result" || error=true
        head -c 20000 "$dir/result" |
            jq -cRs --slurpfile call "$dir/call" --argjson error "$error" '
                {role: "tool", tool_call_id: $call[0].id, content: .} +
                if $error then {metadata: {is_error: true}} else {} end' |
            append || exit
    done
}

# steer: what the user has said meanwhile goes into the log.
steer() {
    local line
    while [[ ! $agent ]] && read -t 0 && IFS= read -r line; do
        [[ ! $line ]] || say user "$line"
    done
}

uuid() { cat /proc/sys/kernel/random/uuid; }

# run TEXT: works on a request of the user until the model has no calls.
run() {
    local step
    execution=$(uuid)
    [[ -s $log ]] || say system "$prompt"
    say user "$1"
    for ((step = 0; step < 100; step++)); do
        request >"$dir/request" && answer || return 1
        append <"$dir/answer" || exit
        jq -e .tool_calls "$dir/answer" >/dev/null || return 0
        run_tools
        steer
    done
    echo 'loop.sh: 100 steps, and no end' >&2
    return 1
}

status=0
while IFS= read -r line || [[ $line ]]; do
    [[ ! $line ]] || run "$line" || status=1
done
exit "$status"
