#!/bin/bash
#
# shapes.bash [SHAPE]...: CPU seconds of each command for streams that are meant to hurt (shapes.c),
# at sizes BENCH_SHAPES (20000 40000 80000), and how much the last grew over the first: 4 is linear
# where the last is four times the first, and what is over 6 is marked, as is what ends badly or
# takes more than BENCH_SECONDS (60). Times under 20 ms have no growth that could be measured. The
# median of BENCH_ROUNDS (1).
#
# Time also grows where more memory is touched than the caches hold: up to some 7 for what is linear.
# With BENCH_INSTRUCTIONS=1 and valgrind, instructions are counted instead, and what is over 4.5 is
# marked.

set -euo pipefail

: "${BENCH_SHAPES:=20000 40000 80000}" "${BENCH_SECONDS:=60}" "${BENCH_ROUNDS:=1}"
: "${BENCH_INSTRUCTIONS:=}"
: "${CTX_BIN:=build/bin}" "${BENCH_BIN:=build/tests/bench}"
export LC_ALL=C PATH=$CTX_BIN:$PATH
work=$(mktemp -d "${TMPDIR:-/tmp}/ctx-shapes.XXXXXX")
trap 'rm -rf "$work"' EXIT
read -r -a sizes <<<"$BENCH_SHAPES"

commands=('ctx-normalize' 'ctx-normalize --to openai' 'ctx-normalize --to anthropic' 'ctx-route'
    'ctx-route --separate-trace' 'ctx-route --ephemeral' 'ctx-isolate --estimator bytes/4'
    'ctx-isolate --policy mask --estimator bytes/4' 'ctx-project' 'ctx-project --view conversation'
    'ctx-project --sections messages,execution_buffer' 'ctx-project --last 100msgs'
    'ctx-budget --estimator bytes/4 --when section=messages>0'
    'ctx-budget --estimator bytes/4 --when unresolved>0 --table --by tool'
    'ctx-select path=src/**' 'ctx-budget --estimator bytes/4 --cuts' 'ctx-compact --estimator bytes/4 --best-effort --force --target 1'
    'ctx-compact --estimator bytes/4 --best-effort --force --target 100k'
    'ctx-compact --estimator bytes/4 --best-effort --force --strategy simple'
    'ctx-compact --estimator bytes/4 --best-effort --force --strategy tokens'
    'ctx-compact --estimator bytes/4 --best-effort --force --strategy summarize')

# seconds COMMAND FILE: the median CPU time; "status N" or "late" when it has none.
seconds() {
    local round cpu status
    for ((round = 0; round < BENCH_ROUNDS; round++)); do
        # shellcheck disable=SC2086
        timeout "$BENCH_SECONDS" "$BENCH_BIN/run" "$work/time" $1 "$2" >/dev/null 2>&1 || (($? != 124)) ||
            { printf 'late\n' && return; }
        read -r _ cpu _ status <"$work/time"
        # 1 is the answer "no", 65 is right where lines are bad.
        ((status == 0 || status == 1 || status == 65)) || { printf 'status %s\n' "$status" && return; }
        printf '%s\n' "$cpu"
    done | sort -g | sed -n "$(((BENCH_ROUNDS + 1) / 2))p"
}

# millions COMMAND FILE: the instructions, in millions; "status N" when it has none.
millions() {
    local status=0
    # shellcheck disable=SC2086
    valgrind --tool=callgrind --callgrind-out-file=/dev/null $1 "$2" >/dev/null 2>"$work/counted" || status=$?
    ((status == 0 || status == 1 || status == 65)) || { printf 'status %s\n' "$status" && return; }
    awk '/Collected/ { printf "%.1f\n", $4 / 1000000 }' "$work/counted"
}

cost=seconds unit='CPU s at' least=0.02 floor=0.002 most=6
[[ -z $BENCH_INSTRUCTIONS ]] || cost=millions unit='million instructions at' least=1 floor=0.1 most=4.5

(($#)) || mapfile -t shapes < <("$BENCH_BIN/shapes")
printf '%-62s' "$unit" && printf ' %8s' "${sizes[@]}" && printf '   growth\n'
for shape in "${@:-${shapes[@]}}"; do
    for size in "${sizes[@]}"; do
        "$BENCH_BIN/shapes" "$shape" "$size" >"$work/$size"
    done
    printf '%s\n' "$shape"
    for command in "${commands[@]}"; do
        times=()
        for size in "${sizes[@]}"; do
            times+=("$("$cost" "$command" "$work/$size")")
        done
        printf '    %-58s' "$command"
        printf ' %8.7s' "${times[@]}"
        awk -v first="${times[0]}" -v last="${times[-1]}" -v least="$least" -v floor="$floor" -v most="$most" '
            BEGIN {
                if (last !~ /^[0-9.]+$/) { print "        ! " last; exit }
                if (last < least) { print "        -"; exit }
                growth = last / (first > floor ? first : floor)
                printf "   %6.1f%s\n", growth, (growth > most) ? " !" : "" }'
    done
done
