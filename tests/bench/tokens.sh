#!/bin/bash
#
# tokens.sh [FILE...]: how fast tokens are counted (o200k_base, records of 4 KB, CPU time on one core),
# beside the tokenizers of npm on the same texts in the same run: all see a text for the first time, but
# tiktoken for the second, when it is warm.  Without FILEs the texts are real ones (tokens-real.bash)
# and made ones, BENCH_MB (8) MB each at most.  BUILD is where things were built.

set -euo pipefail
cd "${BASH_SOURCE%/*}/../.."
: "${BUILD:=build}" "${BENCH_MB:=8}" "${BENCH_ROUNDS:=3}"
export LC_ALL=C CTX_VOCAB_PATH=$BUILD/share/ctx
modules=$BUILD/npm-bench
work=$(mktemp -d "${TMPDIR:-/tmp}/ctx-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
core=$(($(nproc) - 1))

tools=(tiktoken gpt-tokenizer ai-tokenizer)
packages=(tiktoken@1.0.22 gpt-tokenizer@4.0.0 ai-tokenizer@1.0.6)
[[ -e $modules/node_modules/ai-tokenizer ]] ||
    npm install --no-save --prefix "$modules" "${packages[@]}" >"$BUILD/npm-bench.log" 2>&1 || {
    printf 'bench: cannot install %s from npm, see %s\n' "${packages[*]}" "$BUILD/npm-bench.log" >&2
    exit 69
}

texts=("$@")
if ((!$#)); then
    bash tests/bench/tokens-real.bash "$work" "$BENCH_MB"
    node tests/bench/tokens-texts.mjs "$work" "$BENCH_MB"
    texts=("$work"/{talk,tools,source,cjk,chat,code,scripts}.txt)
fi

# The tools take turns, a process a text, so that all meet the same noise.
for ((round = 0; round < BENCH_ROUNDS; round++)); do
    for text in "${texts[@]}"; do
        taskset -c "$core" "$BUILD/tests/bench/tokens" o200k_base "$text" |
            awk -v r="$round" '$1 != "rss" { print r, $1, "ctx", $3, $4, $2 } $1 == "rss" { print > "/dev/stderr" }' 2>>"$work/rss"
        for tool in "${tools[@]}"; do
            TOOL=$tool taskset -c "$core" node tests/bench/tokens-others.mjs "$modules" "$text" | sed "s/^/$round /"
        done
    done
done >"$work/times"

awk '
    $3 == "ctx" { bytes[$2] = $6 }
    { time[$1, $2, $3] = $5; if ($3 == "ctx" || $3 == "tiktoken") tokens[$2, $3] = $4; rounds = $1 }
    function median(list, n,    i, j, t) {
        for (i = 2; i <= n; i++)
            for (j = i; j > 1 && list[j] < list[j - 1]; j--) { t = list[j]; list[j] = list[j - 1]; list[j - 1] = t }
        return list[int((n + 1) / 2)]
    }
    function speed(text, tool,    r, list) {
        for (r = 0; r <= rounds; r++) list[r + 1] = bytes[text] / time[r, text, tool] / 1e6
        return median(list, rounds + 1)
    }
    function ratio(text, tool,    r, list) {
        for (r = 0; r <= rounds; r++) list[r + 1] = time[r, text, tool] / time[r, text, "ctx"]
        return median(list, rounds + 1)
    }
    END {
        printf "%-14s %6s %9s %17s %17s %17s\n", "text", "MB", "ctx MB/s", "tiktoken", "gpt-tokenizer", "ai-tokenizer"
        for (text in bytes) {
            name = text; sub(/.*\//, "", name)
            floor = name ~ /^scripts/ ? 12 : name ~ /^cjk/ ? 15 : name ~ /^source/ ? 64 : name ~ /^(talk|tools)/ ? 50 : 45
            a = ratio(text, "tiktoken"); b = ratio(text, "gpt-tokenizer"); c = ratio(text, "ai-tokenizer")
            good = a >= floor && b >= 15 && c >= 15 && tokens[text, "ctx"] == tokens[text, "tiktoken"]
            printf "%-14s %6.1f %9.0f %7.1f %8.1fx %7.1f %8.1fx %7.1f %8.1fx  %s\n", name, bytes[text] / 1e6, speed(text, "ctx"),
                speed(text, "tiktoken"), a, speed(text, "gpt-tokenizer"), b, speed(text, "ai-tokenizer"), c, good ? "ok" : "BELOW"
        }
    }' "$work/times"

printf '\n%-14s %9s %9s %7s\n' 'one piece' '1 MB, s' '10 MB, s' ratio
taskset -c "$core" "$BUILD/tests/bench/tokens" o200k_base -g |
    awk '$1 == "rss" { printf "peak memory: %.1f MB\n", $2 / 1024; next }
        { printf "%-14s %9.4f %9.4f %6.1fx  %s\n", $1, $2, $3, $3 / $2, $3 <= 12 * $2 && $3 < 5 ? "ok" : "BELOW" }'
