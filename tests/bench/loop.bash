#!/bin/bash
#
# loop.bash FILE LIMIT: what the requests of a session cost, when what is sent is kept under a limit
# in one of these ways. Each message of the assistant is the answer to a request; ctx-diff compares
# each request with the one before it. A row: requests, compactions (passes), thousands of tokens in all, and
# those behind the prefix that a request shares with the last one, which no cache has.

set -euo pipefail
: "${CTX_BIN:=build/bin}" "${BENCH_ESTIMATOR:=bytes/4}"
CTX_BIN=$(cd "$CTX_BIN" && pwd) limit=$2
export LC_ALL=C PATH=$CTX_BIN:$PATH
work=$(mktemp -d "${TMPDIR:-/tmp}/ctx-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
ctx-normalize "$1" | jq -c 'select(.metadata.agent_id == null)' >"$work/all"
cd "$work"
jq -r .role all | awk '$0 == "assistant" && last != $0 && NR > 1 { print NR } { last = $0 }' >answers

in_place() { ctx-compact -i --estimator "$BENCH_ESTIMATOR" --limit "$limit" log 2>/dev/null || (($? == 1)); }

# The ways: what is sent of the log.
whole() { cat log; }
anew() {
    ctx-isolate log | ctx-project >before
    ctx-compact --estimator "$BENCH_ESTIMATOR" --limit "$limit" --best-effort before 2>/dev/null || (($? == 1))
}
compacted() { in_place; cat log; }
projected() { in_place; ctx-project log; }

# row TITLE WAY
row() {
    local from=1 answer after passes=0
    rm -f log figures
    touch log
    : >last
    while read -r answer; do
        sed -n "$from,$((answer - 1))p" all >>log
        from=$answer
        cp log before
        "$2" >view
        [[ $2 == anew ]] && after=view || after=log
        cmp -s before "$after" || passes=$((passes + 1))
        ctx-diff --stat --json --estimator "$BENCH_ESTIMATOR" last view >>figures || (($? == 1))
        mv view last
    done <answers
    jq -sr --arg title "$1" --argjson passes "$passes" '[$title, length, $passes,
        (map(.tokens) | add / 1000 | round), (map(.tokens - .shared_tokens) | add / 1000 | round)] | @tsv' figures |
        awk -F '\t' '{ printf "%-35s %8d %6d %6dk %6dk\n", $1, $2, $3, $4, $5 }'
}

printf '%-35s %8s %6s %7s %7s\n' '' requests passes tokens 'in full'
row 'the whole log' whole
row 'a view, compacted for each request' anew
row 'the log, compacted in place' compacted
row 'a view of it, compacted in place' projected
