#!/bin/bash
#
# interleaved.bash: what it costs that a stream has many sessions, message by message, beside one
# session of as many bytes; rounds.bash says how it is measured.  BENCH_MB (200) is the size of each
# stream in MB; a session has 20 kB in the mean.

# shellcheck disable=SC2154 # what is not set here, rounds.bash sets
set -euo pipefail

: "${BENCH_MB:=200}"
# shellcheck source=tests/bench/rounds.bash
source "${BASH_SOURCE[0]%/*}/rounds.bash"

count=$((BENCH_MB * 50))
for sessions in 1 "$count"; do
    "$BENCH_BIN/generate" $((BENCH_MB * 1000000)) "$BENCH_SEED" interleaved "$sessions" >"$work/$sessions.jsonl"
    wc -c <"$work/$sessions.jsonl" >/dev/null
done

# The commands that stream.
streams=('ctx-normalize' 'ctx-route' 'ctx-isolate --policy transparent' 'ctx-isolate' 'ctx-project --view all'
    'ctx-project --view conversation' 'ctx-project' 'ctx-select --exact role=tool' 'ctx-select role=tool'
    'ctx-budget --estimator bytes/4')
for name in "${streams[@]}"; do
    add "$name" "$run $name $work/1.jsonl"
    add "$name, keyed" "$run $name --session-key metadata.session_id $work/$count.jsonl"
done
run_rounds

printf '\n%-40s %7s %7s   %s\n' "$count sessions, times as fast as one" CPU wall 'to reach: 0.67'
for name in "${streams[@]}"; do
    printf '%-40s %7.2f %7.2f   %5.1f MB, one: %.1f MB\n' "$name" \
        "$(ratio "$name" "$name, keyed" 2)" "$(ratio "$name" "$name, keyed" 1)" \
        "$(figure "$name, keyed" 3 | awk '{ print $1 / 1024 }')" "$(figure "$name" 3 | awk '{ print $1 / 1024 }')"
done
