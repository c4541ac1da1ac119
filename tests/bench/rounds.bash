# shellcheck shell=bash
#
# rounds.bash: cases that are measured beside each other; bench.sh and sessions.bash read it.
#
# Every figure is the median of BENCH_ROUNDS (5) rounds; a round runs all cases of a table one after
# another, so that a machine that changes its speed changes all of them, and a ratio is the median of
# the rounds' ratios.  CPU is user and system time of all processes of a case.  BENCH_SEED (42) makes
# the streams.  CTX_BIN is where the commands are, BENCH_BIN where generate and run are.

: "${BENCH_ROUNDS:=5}" "${BENCH_SEED:=42}"
: "${CTX_BIN:=build/bin}" "${BENCH_BIN:=build/tests/bench}"
export LC_ALL=C PATH=$CTX_BIN:$PATH

work=$(mktemp -d "${TMPDIR:-/tmp}/ctx-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2034 # the files that read this one use it
run="$BENCH_BIN/run $work/time"

# The cases of the table at hand: names in order, the shell command of each, and one line of
# "wall cpu rss" a round.  What a command runs under $run is what is measured.
names=()
declare -A command=() samples=()

add() {
    names+=("$1")
    command[$1]=$2
    samples[$1]=
}

# The statuses that are no failure; 1 is the answer "no" of a budget that cannot be met.
allowed=(0 1)

# fail_unless_allowed STATUS COMMAND
fail_unless_allowed() {
    [[ " ${allowed[*]} " == *" $1 "* ]] && return
    printf 'bench: status %s: %s\n' "$1" "$2" >&2
    head -c 2000 "$work/err" >&2
    exit 1
}

run_rounds() {
    local round name wall cpu rss status
    for ((round = 0; round < BENCH_ROUNDS; round++)); do
        for name in "${names[@]}"; do
            eval "${command[$name]}" >/dev/null 2>"$work/err" || true
            read -r wall cpu rss status _ <"$work/time"
            fail_unless_allowed "$status" "${command[$name]}"
            samples[$name]+="$wall $cpu $rss"$'\n'
        done
    done
}

forget() {
    names=()
    command=()
    samples=()
}

middle() {
    sort -g | sed -n "$(((BENCH_ROUNDS + 1) / 2))p"
}

# figure NAME COLUMN: the median of a case; columns are 1 wall, 2 CPU, 3 memory.
figure() {
    printf '%s' "${samples[$1]}" | cut -d' ' -f"$2" | middle
}

# ratio NAME OTHER COLUMN: how many times the figure of OTHER goes into that of NAME.
ratio() {
    paste -d' ' <(printf '%s' "${samples[$1]}" | cut -d' ' -f"$3") \
        <(printf '%s' "${samples[$2]}" | cut -d' ' -f"$3") |
        awk '{ printf "%.2f\n", $1 / ($2 > 0 ? $2 : 1e-6) }' | middle
}

# stream MB: makes $work/MB.jsonl, and has it in the page cache.
stream() {
    "$BENCH_BIN/generate" $(($1 * 1000000)) "$BENCH_SEED" >"$work/$1.jsonl"
    wc -c <"$work/$1.jsonl" >/dev/null
}

print_ratio() {
    printf '%-40s %7.1f %7.1f   %s\n' "$1" "$(ratio "$2" "$1" 2)" "$(ratio "$2" "$1" 1)" "${3-}"
}
