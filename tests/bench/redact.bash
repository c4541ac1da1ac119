#!/bin/bash
#
# redact.bash: what ctx-redact costs beside the identity, by CPU, the median of
# BENCH_ROUNDS (5) pairs of runs. BENCH_MB (200) is the size of the stream in MB.

set -euo pipefail
: "${BENCH_MB:=200}" "${BENCH_ROUNDS:=5}" "${CTX_BIN:=build/bin}" "${BENCH_BIN:=build/tests/bench}"
export LC_ALL=C
work=$(mktemp -d "${TMPDIR:-/tmp}/ctx-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
"$BENCH_BIN/generate" $((BENCH_MB * 1000000)) 42 >"$work/in"

# cpu COMMAND...: its user and system time in seconds.
cpu() {
    local wall cpu
    "$BENCH_BIN/run" "$work/time" "$@" "$work/in" >/dev/null
    read -r wall cpu _ <"$work/time"
    printf '%s' "${cpu:-$wall}"
}

for ((round = 0; round < BENCH_ROUNDS; round++)); do
    printf '%s %s\n' "$(cpu "$CTX_BIN/ctx-project" --view all)" "$(cpu "$CTX_BIN/ctx-redact")"
done | awk '{ print $2 / ($1 > 0 ? $1 : 1e-6) }' | sort -g | sed -n "$(((BENCH_ROUNDS + 1) / 2))p" |
    awk '{ printf "%-40s %7.2f times the CPU of the identity; at most: 5\n", "ctx-redact", $1 }'
