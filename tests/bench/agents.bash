#!/bin/bash
#
# agents.bash: what it costs to tell and read the session files of agents, beside the identity filter on the stream
# that they are made of (native.awk); rounds.bash says how it is measured.  BENCH_MB (200) is the size of
# the stream in MB. And what it costs to bring a session of one MB down to 32k in its own format.

# shellcheck disable=SC2154 # what is not set here, rounds.bash sets
set -euo pipefail

: "${BENCH_MB:=200}"
# shellcheck source=tests/bench/rounds.bash
source "${BASH_SOURCE[0]%/*}/rounds.bash"

agents=(codex claude-code pi gemini-cli opencode responses)
stream "$BENCH_MB"
in=$work/$BENCH_MB.jsonl
printf '%-28s %7s %7s %7s %8s %9s\n' 'an agent'\''s session' MB 'CPU s' 'wall s' 'RSS MB' 'identity'

# row NAME FILE: a line of the table; the last figure is the speed in bytes, times that of the identity filter.
row() {
    printf '%-28s %7.1f %7.3f %7.3f %8.1f %9s   %s\n' "$1" "$(wc -c <"$2" | awk '{ print $1 / 1e6 }')" \
        "$(figure "$1" 2)" "$(figure "$1" 1)" "$(figure "$1" 3 | awk '{ print $1 / 1024 }')" \
        "$(ratio identity "$1" 2 | awk -v own="$(wc -c <"$2")" -v all="$(wc -c <"$in")" '{ printf "%.2f", $1 * own / all }')" "${3-}"
}

for agent in "${agents[@]}"; do
    awk -v agent="$agent" -f "${BASH_SOURCE[0]%/*}/native.awk" "$in" >"$work/session"
    add identity "$run ctx-isolate --policy transparent $in"
    add "$agent" "$run ctx-normalize $work/session"
    add "$agent behind a pipe" "cat $work/session | $run ctx-normalize"
    run_rounds
    case $agent in
    codex | claude-code) row "$agent" "$work/session" 'to reach: 0.33' ;;
    *) row "$agent" "$work/session" ;;
    esac
    row "$agent behind a pipe" "$work/session"
    forget
    rm "$work/session"
done

# mb FILE: its size.
mb() { wc -c <"$1" | awk '{ printf "%.2f", $1 / 1e6 }'; }

stream 1
printf '\n%-28s %7s %7s %7s %8s\n' 'read, to 32k, and back' MB 'CPU ms' 'wall ms' 'left MB'
for agent in claude-code codex pi gemini-cli opencode; do
    awk -v agent="$agent" -f "${BASH_SOURCE[0]%/*}/native.awk" "$work/1.jsonl" | awk '{ size += length + 1 } size < 1e6' >"$work/$agent"
    add "$agent" "$run sh -c 'ctx-normalize $work/$agent | ctx-compact --limit 32k | ctx-normalize --into $work/$agent -o $work/$agent.new'"
done
run_rounds
for agent in "${names[@]}"; do
    printf '%-28s %7s %7.0f %7.0f %8s   to hold: 50\n' "$agent" "$(mb "$work/$agent")" "$(figure "$agent" 2 | awk '{ print $1 * 1000 }')" \
        "$(figure "$agent" 1 | awk '{ print $1 * 1000 }')" "$(mb "$work/$agent.new")"
done
