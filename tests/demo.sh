#!/bin/bash
#
# demo.sh [FILE]: the main job on a session of Claude Code, step by step: the pipeline, and what each
# step leaves of it.  CTX_BIN is where the commands are; the window is small so that there is work.

set -euo pipefail
cd "${BASH_SOURCE%/*}/.."
: "${CTX_BIN:=build/bin}" "${CTX_WINDOW:=32k}"
session=${1-tests/fixtures/claude-code-session.jsonl}
export LC_ALL=C PATH=$CTX_BIN:$PATH

work=$(mktemp -d "${TMPDIR:-/tmp}/ctx-demo.XXXXXX")
trap 'rm -rf "$work"' EXIT

steps=(
    'ctx-normalize --from claude-code'
    'ctx-isolate'
    'ctx-project'
    "ctx-compact --window $CTX_WINDOW"
)
last='ctx-normalize --to anthropic'
request='{"model":"NAME","max_tokens":8192}'

# measured NAME FILE: a row of the table; the last column is what is left of the first row's tokens.
measured() {
    local messages tokens
    messages=$(grep -c '^{"role":' "$2")
    tokens=$(ctx-budget --json "$2" | sed 's/.*"used_tokens":\([0-9]*\).*/\1/')
    : "${all_tokens:=$tokens}"
    printf '%-34s %8d %10d %8d %5d%%\n' "$1" "$messages" "$(wc -c <"$2")" "$tokens" $((tokens * 100 / all_tokens))
}

budget() {
    printf '\nThe budget %s:\n\n' "$1"
    ctx-budget --window "$CTX_WINDOW" --table "$2"
}

printf '$ %s %s |\n' "${steps[0]}" "$session"
printf '      %s |\n' "${steps[@]:1}"
printf "      %s --request='%s' >request.json\n\n" "$last" "$request"

printf '%-34s %8s %10s %8s %6s\n' 'after' messages bytes tokens left
in=$session
for i in "${!steps[@]}"; do
    out=$work/$i
    ${steps[i]} "$in" >"$out"
    measured "${steps[i]}" "$out"
    in=$out
done
$last --request="$request" "$in" >"$work/request.json"
printf '%-34s %8s %10d\n' "$last" '' "$(wc -c <"$work/request.json")"

budget 'before ctx-compact' "$work/2"
budget 'after it' "$work/3"
