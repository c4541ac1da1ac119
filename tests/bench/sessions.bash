#!/bin/bash
#
# sessions.bash: what it costs to compact sessions, each figure with its bound; rounds.bash says how
# it is measured.  BENCH_MB (200) is the size of the large session in MB, BENCH_SESSIONS (10000) how
# many small ones there are.

set -euo pipefail

: "${BENCH_MB:=200}" "${BENCH_SESSIONS:=10000}"
# shellcheck source=tests/bench/rounds.bash
source "${BASH_SOURCE[0]%/*}/rounds.bash"

# session MB: makes $work/MB.jsonl, a stream that is one session.
session() {
    "$BENCH_BIN/generate" $(($1 * 1000000)) "$BENCH_SEED" session >"$work/$1.jsonl"
}

# --- One large session -----------------------------------------------------------------------------

digest='ctx-compact --window 200k'
strategies=('ctx-compact --strategy simple' 'ctx-compact --strategy tokens' 'ctx-compact --strategy summarize'
    'ctx-compact' "$digest")
sizes=($((BENCH_MB / 4)) $((BENCH_MB / 2)) "$BENCH_MB")
for size in "${sizes[@]}"; do
    session "$size"
    for strategy in "${strategies[@]}"; do
        add "$strategy $size" "$run $strategy $work/$size.jsonl"
    done
done
add 'jq -c .' "$run jq -c . $work/$BENCH_MB.jsonl"
run_rounds

printf '\n%-40s %7s\n' "one session of $BENCH_MB MB" 'CPU s'
for name in 'jq -c .' "$digest $BENCH_MB"; do
    printf '%-40s %7.3f\n' "$name" "$(figure "$name" 2)"
done
printf '%-40s %7.1f times as fast as jq -c ., by CPU; at least: 7\n' "$digest" \
    "$(ratio 'jq -c .' "$digest $BENCH_MB" 2)"
printf '%-40s %7.2f times the session in memory; at most: 1.3\n' "$digest" \
    "$(figure "$digest $BENCH_MB" 3 | awk -v bytes="$(wc -c <"$work/$BENCH_MB.jsonl")" '{ print $1 * 1024 / bytes }')"
printf '\n%-40s %24s\n' 'time in the length of the session' "CPU ns/B at ${sizes[*]} MB"
for strategy in "${strategies[@]}"; do
    printf '%-40s' "$strategy"
    for size in "${sizes[@]}"; do
        printf '%8.3f' "$(figure "$strategy $size" 2 | awk -v mb="$size" '{ print $1 * 1000 / mb }')"
    done
    printf '   %5.1f times for 4 times the bytes; at most: 5\n' \
        "$(ratio "$strategy $BENCH_MB" "$strategy ${sizes[0]}" 2)"
done
rm "$work"/*.jsonl
forget

# --- Many small sessions ---------------------------------------------------------------------------

BENCH_ROUNDS=$((BENCH_ROUNDS < 3 ? BENCH_ROUNDS : 3))
# Sessions that begin with a message of the user, of 30 kB in the mean.
mkdir "$work/small"
"$BENCH_BIN/generate" $((BENCH_SESSIONS * 31000)) "$BENCH_SEED" | awk -v most="$BENCH_SESSIONS" -v dir="$work/small" '
    /^{"role":"(user|system)"/ && (file == "" || bytes > 20000) {
        if (file != "")
            close(file)
        if (++count > most)
            exit
        file = dir "/" count ".jsonl"
        bytes = 0
    }
    { bytes += length($0) + 1; print >file }'
find "$work/small" -name '*.jsonl' >"$work/list"
count=$(wc -l <"$work/list")
each="$run xargs -n 1"
fresh="rm -rf $work/copy && cp -r $work/small $work/copy && sed s,/small/,/copy/, $work/list |"
declare -A bounds=(['ctx-budget']=1.9 ['ctx-budget --each']=1.9 ['ctx-compact --window 8k']=2.2
    ['ctx-compact --window 8k -i']=2.2 ['ctx-compile -p policy --window 8k']=3)
add 'an empty program' "$each $BENCH_BIN/empty <$work/list"
add 'ctx-budget' "$each ctx-budget <$work/list"
add 'ctx-budget --each' "$run xargs ctx-budget --each <$work/list"
add 'ctx-compact --window 8k' "$each ctx-compact --window 8k <$work/list"
add 'ctx-compact --window 8k -i' "$fresh $each ctx-compact --window 8k -i"
add 'ctx-compile -p policy --window 8k' "$each ctx-compile -p policy --window 8k <$work/list"
run_rounds

printf '\n%-40s %7s\n' "$count sessions of $(($(du -sb "$work/small" | cut -f1) / count / 1000)) kB, by xargs -n 1" 'CPU ms'
for name in "${names[@]}"; do
    printf '%-40s %7.2f' "$name" "$(figure "$name" 2 | awk -v count="$count" '{ print $1 * 1000 / count }')"
    if [[ $name == ctx* ]]; then
        printf '   %5.2f times that; at most: %s' "$(ratio "$name" 'an empty program' 2)" "${bounds[$name]}"
    fi
    printf '\n'
done
forget
rm -rf "$work/small" "$work/copy"

# --- Many sessions in one stream -------------------------------------------------------------------

# The bytes of one stream, as BENCH_SESSIONS sessions, whose records come in turn.
"$BENCH_BIN/generate" $((BENCH_MB * 1000000)) "$BENCH_SEED" |
    awk -v most="$BENCH_SESSIONS" -v bytes=$((BENCH_MB * 1000000)) '{
        at += length($0) + 1
        key = int(at * most / (bytes * 1.01))
        turn = key == last ? turn + 1 : 1
        last = key
        sub(/^{/, "{\"session_id\":\"s" key "\",")
        print turn "\t" $0
    }' >"$work/turns"
cut -f 2- "$work/turns" >"$work/one.jsonl"
sort -s -n -k 1,1 "$work/turns" | cut -f 2- >"$work/many.jsonl"
rm "$work/turns"
streaming=('ctx-isolate --policy transparent' 'ctx-isolate' 'ctx-project' 'ctx-project --view all'
    'ctx-project --view conversation' 'ctx-select role=tool' 'ctx-route' 'ctx-budget')
for name in "${streaming[@]}"; do
    add "$name one" "$run $name $work/one.jsonl"
    add "$name many" "$run $name --session-key session_id $work/many.jsonl"
    add "$name sorted" "$run $name --session-key session_id --sorted $work/one.jsonl"
done
run_rounds
printf '\n%-40s %18s %8s %8s\n' "$BENCH_SESSIONS sessions in one stream of $BENCH_MB MB" 'in turn, speed' '--sorted' 'RSS MB'
for name in "${streaming[@]}"; do
    printf '%-40s %18.2f %8.2f %8.1f   times one session; to reach: 0.67\n' "$name" \
        "$(ratio "$name one" "$name many" 2)" "$(ratio "$name one" "$name sorted" 2)" \
        "$(figure "$name many" 3 | awk '{ print $1 / 1024 }')"
done
