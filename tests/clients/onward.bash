#!/bin/bash
#
# onward.bash: whether a session goes on. One that is too big is compacted and put back into its file; its agent's own
# client resumes that, and adds a turn; what the client then left is compacted and resumed again, twice. Each time
# --check must hold, the client must send what the log says, and leave that and its turn; what is left must be as
# small as its limit says, with at most two artifacts in it; and each key in a text must be in the archive. An agent
# without a client is skipped. Prints TAP.

set -uo pipefail
cd "${BASH_SOURCE%/*}/../.." || exit
: "${BUILD:=build}"
PATH=$(realpath "$BUILD")/bin:$PATH
. tests/clients/clients.bash
read -r -a agents <<<"${CLIENTS_AGENTS-$AGENTS}"
kit=$PWD/tests/clients work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
cd "$work" || exit

# talk ROUND: ten tasks with two calls at once, long results, and one in seven an error.
talk() {
    awk -v round="$1" 'BEGIN {
        srand(round)
        count = split("harbour pier depth sounding lead tide chart buoy mooring quay keel draught anchor swell fog reef", word, " ")
        for (task = 1; task <= 10; task++) {
            printf "{\"role\":\"user\",\"content\":\"Sound pier %d.%d, and leave pier 9 alone.\"}\n", round, task
            printf "{\"role\":\"assistant\",\"content\":\"I sound it.\",\"tool_calls\":["
            for (i = 1; i <= 2; i++)
                printf "%s{\"id\":\"c%d_%d_%d\",\"type\":\"function\",\"function\":{\"name\":\"shell\",\"arguments\":\"{\\\"command\\\":\\\"sound %d\\\"}\"}}", (i > 1 ? "," : ""), round, task, i, i
            print "]}"
            for (i = 1; i <= 2; i++) {
                printf "{\"role\":\"tool\",\"tool_call_id\":\"c%d_%d_%d\",\"content\":\"", round, task, i
                for (k = 1; k <= 500; k++) printf "%s%s", word[1 + int(rand() * count)], (k % 12 ? " " : "\\n")
                print "\"" (task % 7 ? "" : ",\"metadata\":{\"is_error\":true}") "}"
            }
            printf "{\"role\":\"assistant\",\"content\":\"Pier %d.%d is %d.%d m deep.\"}\n", round, task, task, round
        }
    }'
}

# goes_on AGENT: prints what is wrong.
goes_on() {
    local agent=$1 round key
    talk 0 | ctx-normalize --to "$agent" >session 2>/dev/null || return
    for round in 1 2 3; do
        { ctx-normalize session && talk "$round"; } | ctx-compact --limit 8k --archive archive >log || return
        ctx-normalize --repair --into session log >small 2>words || { cat words; return 1; }
        (($(ctx-budget log | grep -o '"used_tokens":[0-9]*' | cut -d : -f 2) <= 8000)) || echo "round $round: over its limit"
        (($(grep -c '"content":"\[summary\] ' log) <= 2)) || echo "round $round: artifacts pile up"
        ctx-normalize --check --from "$agent" small || return
        CLIENT_KEEP=$work/session bash "$kit/sent.bash" "$agent" small >body || return
        ctx-normalize session >left || return
        node "$kit/onward.mjs" "$agent" small body log left "$round" | sed "s/^/round $round: /"
        while read -r _ _ key; do
            ctx-recall archive "$key" >/dev/null || echo "round $round: $key"
        done < <(grep -oh 'ctx-recall archive [0-9a-f]\{12\}' log left | sort -u)
    done
}

failed=0
for agent in "${agents[@]}"; do
    client "$agent" || { echo "ok - $agent # SKIP not installed: tests/clients/install.bash $agent"; continue; }
    rm -f ./*
    goes_on "$agent" >said 2>&1 || echo "status $?" >>said
    if [[ ! -s said ]]; then
        echo "ok - $agent"
    elif grep -q '^sent: no right to unshare' said; then
        echo "ok - $agent # SKIP $(grep -m 1 '^sent: no right' said)"
    else
        echo "not ok - $agent"
        head -c 4000 said | sed 's/^/# /'
        failed=1
    fi
done
exit $failed
