#!/bin/bash
#
# show.bash: what the list and the page of ctx-show cost beside jq -r of the same fields, in the same run; rounds.bash
# says how it is measured.  BENCH_MB (100) is the size of the stream in MB. And how soon the first screen of a large one
# is there, of BENCH_LARGE_MB (1000), and a message of it.

# shellcheck disable=SC2154 # what is not set here, rounds.bash sets
set -euo pipefail

: "${BENCH_MB:=100}" "${BENCH_LARGE_MB:=1000}"
# shellcheck source=tests/bench/rounds.bash
source "${BASH_SOURCE[0]%/*}/rounds.bash"

stream "$BENCH_MB"
in=$work/$BENCH_MB.jsonl

# The fields of a line of the list, and those of an entry of the page; a gsub of jq would take ten times as long.
cat >"$work/list.jq" <<'END'
def text: .content | if type == "array" then map(.text? // "") | join(" ") else . // "" | tostring end;
"\(input_line_number) \(.metadata.timestamp? // "") \(.role) \(text | .[:200] | split("\n") | join(" · "))",
(.tool_calls[]?.function | "    \(.name) \(.arguments[:200])")
END
cat >"$work/page.jq" <<'END'
def text: .content | if type == "array" then map(.text? // "") | join("\n") else . // "" | tostring end;
"<article id=m\(input_line_number)><h3>\(.role | @html)</h3><pre>\(text | @html)</pre>",
(.tool_calls[]?.function | "<details><summary>\(.name | @html)</summary><pre>\(.arguments | @html)</pre></details>"),
"</article>"
END

add 'jq -r, the fields of the list' "$run jq -r -f $work/list.jq $in"
add 'ctx-show' "$run ctx-show $in"
add 'ctx-show --estimator bytes/4' "$run ctx-show --estimator bytes/4 $in"
add 'jq -r, the fields of the page' "$run jq -r -f $work/page.jq $in"
add 'ctx-show --html' "$run ctx-show --html $in"
add 'ctx-show --html --estimator bytes/4' "$run ctx-show --html --estimator bytes/4 $in"
run_rounds

printf '%s MB from seed %s, median of %s rounds, %s\n\n' "$BENCH_MB" "$BENCH_SEED" "$BENCH_ROUNDS" "$(jq --version)"
printf '%-40s %7s %7s %8s\n' '' 'CPU s' 'wall s' 'RSS MB'
for name in "${names[@]}"; do
    printf '%-40s %7.3f %7.3f %8.1f\n' "$name" "$(figure "$name" 2)" "$(figure "$name" 1)" \
        "$(figure "$name" 3 | awk '{ print $1 / 1024 }')"
done
printf '\n%-40s %7s %7s\n' 'times as fast as jq -r' CPU wall
print_ratio 'ctx-show' 'jq -r, the fields of the list'
print_ratio 'ctx-show --html' 'jq -r, the fields of the page'

forget
rm "$in"
stream "$BENCH_LARGE_MB"
in=$work/$BENCH_LARGE_MB.jsonl
allowed+=(141) # head has what it wants
add 'ctx-show | head -n 40' "$run ctx-show $in | head -n 40"
add 'ctx-show -n 57' "$run ctx-show -n 57 $in"
add 'ctx-show in a terminal, a pager of 24 lines' \
    "$run script -qec \"env LC_ALL=C.UTF-8 CTX_PAGER='head -n 24' $(type -P ctx-show) $in\" /dev/null"
run_rounds
printf '\n%-40s %7s %7s %8s\n' "the first of $BENCH_LARGE_MB MB" 'CPU ms' 'wall ms' 'RSS MB'
for name in "${names[@]}"; do
    printf '%-40s %7.1f %7.1f %8.1f   to hold: 50\n' "$name" "$(figure "$name" 2 | awk '{ print $1 * 1000 }')" \
        "$(figure "$name" 1 | awk '{ print $1 * 1000 }')" "$(figure "$name" 3 | awk '{ print $1 / 1024 }')"
done
