# shellcheck shell=bash

# reads_corpus FILE... <PROGRAM: holds what ctx-normalize makes of each file against what a program of
# jq counts in it: {messages, calls, results, texts}. What --to writes of it passes --check.
reads_corpus() {
    local file api program
    program=$(cat)
    [[ -d $CTX_SHARED ]] || skip 'no transcripts beside the tree'
    for file; do
        ctx-normalize --all --open-calls keep "$file" >out 2>said || fail "$file: $(<said)"
        same "$file" <(jq -cn "$program" "$file") <(jq -cs 'map(select(.role)) | {messages: length, calls: map(.tool_calls[]?.id),
            results: map(.tool_call_id // empty), texts: map(.content | if type == "string" then . else arrays | map(.text // empty)[] end |
            sub("^\\[tool result that answers no call\\] "; "") | select(. != "")) | sort}' out)
        for api in openai anthropic; do
            ctx-normalize "$file" 2>/dev/null | ctx-normalize --to "$api" >out 2>/dev/null || :
            ctx-normalize --check --to "$api" out >/dev/null || fail "$file: --to $api"
        done
    done
    rm -f out said
}
