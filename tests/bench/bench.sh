#!/bin/bash
#
# bench.sh: what the commands cost, beside jq on the same bytes in the same run; rounds.bash says how
# it is measured.  BENCH_MB (200) is the size of the stream in MB.

# shellcheck disable=SC2154 # what is not set here, rounds.bash sets
set -euo pipefail

: "${BENCH_MB:=200}"
# shellcheck source=tests/bench/rounds.bash
source "${BASH_SOURCE[0]%/*}/rounds.bash"

# --- Beside jq ---------------------------------------------------------------------------------

stream "$BENCH_MB"
in=$work/$BENCH_MB.jsonl
pipeline='ctx-normalize | ctx-route | ctx-isolate --policy transparent | ctx-project --view all | ctx-budget'
# The first reads and writes all that a pipeline moves; the second counts every token besides. A
# pipeline that begins with a view moves only what is in the view.
narrow='ctx-project --view conversation | ctx-normalize | ctx-route | ctx-isolate | ctx-budget'

# What --policy mask does, with bytes for its 200 tokens.
cat >"$work/mask.jq" <<'END'
if .role == "tool" and (.content | utf8bytelength) > 800
then .content = "[tool result masked, \(.content | utf8bytelength) B]" else . end
END

add 'jq -c .' "$run jq -c . $in"
add 'the same mask in jq' "$run jq -c -f $work/mask.jq $in"
add "jq -c 'select(.role!=\"tool\")'" "$run jq -c 'select(.role!=\"tool\")' $in"
add 'ctx-isolate --policy transparent FILE' "$run ctx-isolate --policy transparent $in"
add 'the same behind a pipe' "cat $in | $run ctx-isolate --policy transparent"
add 'ctx-normalize' "$run ctx-normalize $in"
add 'ctx-project --view conversation' "$run ctx-project --view conversation $in"
add 'five ctx commands, budget of bytes/4' "$run sh -c 'cat $in | $pipeline --estimator bytes/4'"
add 'five ctx commands, exact budget' "$run sh -c 'cat $in | $pipeline'"
add 'five ctx commands, conversation first' "$run sh -c 'cat $in | $narrow'"
add 'five times cat in a pipeline' "$run sh -c 'cat $in | cat | cat | cat | cat | cat'"
add 'ctx-isolate' "$run ctx-isolate $in"
add 'ctx-isolate --policy mask' "$run ctx-isolate --policy mask $in"
add 'ctx-project' "$run ctx-project $in"
add 'ctx-route' "$run ctx-route $in"
add 'ctx-budget --estimator bytes/4' "$run ctx-budget --estimator bytes/4 $in"
add 'ctx-compact --window 200k' "$run ctx-compact --window 200k --best-effort $in"
run_rounds

printf '%s MB from seed %s, median of %s rounds, %s\n\n' "$BENCH_MB" "$BENCH_SEED" "$BENCH_ROUNDS" "$(jq --version)"
printf '%-40s %7s %7s %8s\n' '' 'CPU s' 'wall s' 'RSS MB'
for name in "${names[@]}"; do
    printf '%-40s %7.3f %7.3f %8.1f\n' "$name" "$(figure "$name" 2)" "$(figure "$name" 1)" \
        "$(figure "$name" 3 | awk '{ print $1 / 1024 }')"
done
printf '\n%-40s %7s %7s\n' 'times as fast as one "jq -c ."' CPU wall
print_ratio 'ctx-isolate --policy transparent FILE' 'jq -c .' 'to reach: 60'
print_ratio 'the same behind a pipe' 'jq -c .' 'to reach: 40, by CPU'
print_ratio 'ctx-normalize' 'jq -c .' 'to reach: 45'
print_ratio 'five ctx commands, budget of bytes/4' 'jq -c .' 'to reach: 12, by the clock'
print_ratio 'five ctx commands, exact budget' 'jq -c .'
print_ratio 'five ctx commands, conversation first' 'jq -c .'
print_ratio 'five times cat in a pipeline' 'jq -c .'
print_ratio 'ctx-compact --window 200k' 'jq -c .' 'to reach: 8'
print_ratio 'ctx-isolate' 'jq -c .' 'to reach: 20'
print_ratio 'ctx-route' 'jq -c .' 'to reach: 45'
print_ratio 'ctx-budget --estimator bytes/4' 'jq -c .' 'to reach: 45'
print_ratio 'ctx-isolate --policy mask' 'the same mask in jq' 'of that: to reach: 16'
printf '\n%-40s\n' "times as fast as jq -c 'select(.role!=\"tool\")'"
print_ratio 'ctx-project --view conversation' "jq -c 'select(.role!=\"tool\")'" 'to reach: 40'
print_ratio 'ctx-project' "jq -c 'select(.role!=\"tool\")'" 'to reach: 35'
print_ratio 'ctx-isolate' "jq -c 'select(.role!=\"tool\")'"
rm "$in"
forget

# --- Selecting, joining and shortening -----------------------------------------------------------

stream "$BENCH_MB"
in=$work/$BENCH_MB.jsonl
chosen=('ctx-select --exact role=user' 'ctx-select --exact role=tool' 'ctx-select role=tool'
    'ctx-project --view all --merge' 'ctx-project --view all --shorten 2k'
    'ctx-project --view all --shorten 500tok')
for name in 'ctx-isolate --policy transparent' "${chosen[@]}"; do
    add "$name" "cat $in | $run $name"
done
run_rounds
printf '\n%-40s %7s %7s\n' 'behind a pipe, times as fast as identity' CPU wall
for name in "${chosen[@]}"; do
    print_ratio "$name" 'ctx-isolate --policy transparent' "$([[ $name != ctx-select* ]] || echo 'to reach: 0.5')"
done
rm "$in"
forget

# --- A profile, and the pipeline that it explains -------------------------------------------------

stream "$BENCH_MB"
in=$work/$BENCH_MB.jsonl
head -c 30000 "$in" | sed '$d' >"$work/session"
# starts_of COMMAND: many of them on a small session, one after another.
many=200
starts_of() {
    printf '%s' "$run sh -c 'i=$many; while [ \$i -gt 0 ]; do $1 $work/session >/dev/null; i=\$((i - 1)); done'"
}
for name in pragmatic budget policy; do
    ctx-compile -p "$name" --line '--limit 100G' --explain "$in" >"$work/$name-whole"
    ctx-compile -p "$name" --explain "$work/session" >"$work/$name-session"
    add "ctx-compile -p $name" "$run ctx-compile -p $name --line '--limit 100G' $in"
    add "its pipeline, $name" "$run bash $work/$name-whole"
    add "ctx-compile -p $name, $many small ones" "$(starts_of "ctx-compile -p $name")"
    add "its pipeline, $name, $many small ones" "$(starts_of "bash $work/$name-session")"
done
run_rounds
printf '\n%-40s %7s %7s\n' 'times as fast as its pipeline' CPU wall
for name in pragmatic budget policy; do
    print_ratio "ctx-compile -p $name" "its pipeline, $name" 'to reach: 0.97'
    print_ratio "ctx-compile -p $name, $many small ones" "its pipeline, $name, $many small ones" 'to reach: 1'
done
rm "$in"
forget

# --- The stages of the pipeline above as a profile, which share a process --------------------------

stream "$BENCH_MB"
in=$work/$BENCH_MB.jsonl
{
    printf 'one: %s\n' 'ctx-normalize'
    printf 'two: %s\n' 'ctx-route'
    printf 'three: %s\n' 'ctx-isolate --policy transparent'
    printf 'four: %s\n' 'ctx-project --view all'
    printf 'five: %s\n' 'ctx-budget --estimator bytes/4'
} >"$work/five"
add 'jq -c .' "$run jq -c . $in"
add 'five stages' "$run ctx-compile -p $work/five $in"
ctx-compile -p "$work/five" --explain "$in" >"$work/five-whole"
add 'their pipeline' "$run bash $work/five-whole"
run_rounds
printf '\n%-40s %7s %7s\n' 'times as fast as one "jq -c ."' CPU wall
print_ratio 'five stages' 'jq -c .' 'to reach: 18, by CPU'
print_ratio 'their pipeline' 'jq -c .'
rm "$in"
forget

# --- A stage of a pipeline, its memory, and the time a byte --------------------------------------

stages=('ctx-normalize' 'ctx-route' 'ctx-isolate --policy transparent' 'ctx-project --view all'
    'ctx-project --view trace' 'ctx-budget --estimator bytes/4' 'ctx-budget')
sizes=($((BENCH_MB / 4)) $((BENCH_MB / 2)) "$BENCH_MB")
for size in "${sizes[@]}"; do
    stream "$size"
    for stage in cat "${stages[@]}"; do
        add "$stage $size" "cat $work/$size.jsonl | $run $stage | cat"
    done
done
run_rounds
printf '\n%-40s %16s %24s %24s\n' 'one stage between two pipes (at most 1.9)' "CPU s at $BENCH_MB MB" \
    "CPU ns/B at ${sizes[*]} MB" "RSS MB at ${sizes[*]} MB"
for stage in cat "${stages[@]}"; do
    printf '%-40s %7.3f %5.1fx cat  ' "$stage" "$(figure "$stage $BENCH_MB" 2)" \
        "$(ratio "$stage $BENCH_MB" "cat $BENCH_MB" 2)"
    for size in "${sizes[@]}"; do
        printf '%8.3f' "$(figure "$stage $size" 2 | awk -v mb="$size" '{ print $1 * 1000 / mb }')"
    done
    printf ' '
    for size in "${sizes[@]}"; do
        printf '%8.1f' "$(figure "$stage $size" 3 | awk '{ print $1 / 1024 }')"
    done
    printf '\n'
done
forget

# --- Input that is meant to hurt -----------------------------------------------------------------

shapes=('one line of 100 MB' 'a million [' 'a million equal ids')
{
    printf '{"role":"user","content":"'
    head -c 100000000 /dev/zero | tr '\0' a
    printf '"}\n'
} >"$work/${shapes[0]}"
{
    head -c 1000000 /dev/zero | tr '\0' '['
    printf '\n'
} >"$work/${shapes[1]}"
# times COUNT LINE
times() {
    awk -v count="$1" -v line="$2" 'BEGIN { while (count-- > 0) print line }'
}
{
    printf '%s\n' '{"role":"user","content":"go"}'
    times 1000000 '{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]}'
    times 1000000 '{"role":"tool","tool_call_id":"c1","content":"ok"}'
} >"$work/${shapes[2]}"

hurt=('ctx-isolate --policy transparent' 'ctx-project --view conversation' 'ctx-isolate' 'ctx-normalize'
    'ctx-compact --best-effort')
for stage in "${hurt[@]}"; do
    for shape in "${shapes[@]}"; do
        add "$stage $shape" "$run $stage '$work/$shape'"
    done
    add "$stage ordinary" "$run $stage $work/${sizes[1]}.jsonl"
done
# Bad lines are the point here: 65 is right.
allowed+=(65)
run_rounds
printf '\n%-32s' 'CPU ns/B'
printf ' %20s' "${shapes[@]}" "ordinary, ${sizes[1]} MB"
printf '\n'
for stage in "${hurt[@]}"; do
    printf '%-32s' "$stage"
    for shape in "${shapes[@]}"; do
        printf ' %20.3f' "$(figure "$stage $shape" 2 |
            awk -v bytes="$(wc -c <"$work/$shape")" '{ print $1 * 1e9 / bytes }')"
    done
    printf ' %20.3f\n' "$(figure "$stage ordinary" 2 | awk -v mb="${sizes[1]}" '{ print $1 * 1000 / mb }')"
done
forget

# --- What a count costs --------------------------------------------------------------------------

stream "$BENCH_MB"
in=$work/$BENCH_MB.jsonl
printf '{"role":"user","content":"0123456789"}\n' >"$work/ten"
head -c 30000 "$in" | sed '$d' >"$work/session"
# starts COMMAND [FILE]: many of them, one after another.
starts() {
    printf '%s' "$run sh -c 'i=$many; while [ \$i -gt 0 ]; do $1 <${2-$work/ten} >/dev/null; i=\$((i - 1)); done'"
}
many=500
add 'ctx-isolate --policy transparent' "$run ctx-isolate --policy transparent $in"
add 'ctx-budget --estimator bytes/4' "$run ctx-budget --estimator bytes/4 $in"
add 'ctx-budget' "$run ctx-budget $in"
add 'ctx-budget --json' "$run ctx-budget --json $in"
add 'ctx-isolate --policy mask --min-tokens 2k' "$run ctx-isolate --policy mask --min-tokens 2k $in"
add 'true' "$(starts /bin/true)"
add 'ctx-budget on ten bytes' "$(starts ctx-budget)"
add 'an empty program' "$(starts "$BENCH_BIN/empty")"
add 'ctx-budget on a session of 30 kB' "$(starts 'ctx-budget --json' "$work/session")"
run_rounds
printf '\n%-40s %7s %7s %8s\n' 'what a count costs' 'CPU s' 'wall s' 'RSS MB'
for name in "${names[@]}"; do
    printf '%-40s %7.3f %7.3f %8.1f\n' "$name" "$(figure "$name" 2)" "$(figure "$name" 1)" \
        "$(figure "$name" 3 | awk '{ print $1 / 1024 }')"
done
printf '\n%-40s %7s %7s\n' 'times as fast as ctx-budget' CPU wall
print_ratio 'ctx-isolate --policy transparent' 'ctx-budget' 'at most: 12'
print_ratio 'ctx-isolate --policy mask --min-tokens 2k' 'ctx-budget' 'to reach: 3'
printf '%-40s %7.2f ms more than true; at most: 2\n' 'ctx-budget on ten bytes' \
    "$(paste -d' ' <(printf '%s' "${samples['ctx-budget on ten bytes']}") <(printf '%s' "${samples[true]}") |
        awk -v many="$many" '{ print ($1 - $4) * 1000 / many }' | middle)"
printf '%-40s %7.2f times the CPU of an empty program; at most: 2\n' 'ctx-budget on a session of 30 kB' \
    "$(ratio 'ctx-budget on a session of 30 kB' 'an empty program' 2)"
