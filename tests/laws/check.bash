#!/bin/bash
#
# check.bash: what compaction promises, held by programs that share no code with it (node): laws.mjs over
# tests/fixtures and, where they stand beside the tree ($CTX_SHARED), the real transcripts of OpenAI,
# Anthropic and Claude Code; brute.mjs; chains.mjs; and what --into and --to write of agents' sessions, by
# into.mjs over those of them. In some four minutes on two cores; LAWS_SHARE, LAWS_SEEDS, LAWS_CHAINS and
# LAWS_INTO are the share of all combinations, and of small sessions, of chains and of agents' sessions how many: LAWS_SHARE=1 LAWS_SEEDS=2000 LAWS_CHAINS=20 takes hours. The last line says how it went.

set -uo pipefail
cd "${BASH_SOURCE%/*}/../.." || exit
: "${BUILD:=build}" "${CTX_SHARED:=../shared/transcripts}" "${LAWS_SHARE:=0.02}" "${LAWS_SEEDS:=60}" "${LAWS_CHAINS:=1}" "${LAWS_INTO:=40}"
PATH=$(realpath "$BUILD")/bin:$PATH
command -v node >/dev/null || { echo 'check-laws: node is needed' >&2; exit 69; }

work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
mkdir "$work/in"

# read_session FILE NAME: what ctx-normalize makes of it, and it as it is where it is a ctx stream.
read_session() {
    ctx-normalize "$1" >"$work/in/$2" 2>/dev/null || [[ $? == 65 ]] || printf 'not ok - ctx-normalize %s\n' "$1"
    case $2 in
    ctx-* | route-* | hostile-* | openai-chat.jsonl) cp "$1" "$work/in/$2-raw" ;;
    esac
}

for file in tests/fixtures/*.jsonl; do
    read_session "$file" "${file##*/}"
done
for root in openai-chat anthropic-messages sharegpt claude-code codex-cli pi gemini-cli openai-responses opencode; do
    [[ -d $CTX_SHARED/$root ]] || continue
    while IFS= read -r -d '' file; do
        name=${file#"$CTX_SHARED"/}
        read_session "$file" "${name//[^A-Za-z0-9._-]/_}"
    done < <(find "$CTX_SHARED/$root" -type f -print0)
done
for seed in {1..30}; do
    awk -v seed="$seed" -f tests/fixtures/session.awk >"$work/in/chance-$seed"
done
# shellcheck disable=SC2016
node -e '
    import("./tests/laws/generate.mjs").then(({ small }) => {
        for (let seed = 1; seed <= 20; seed++) fs.writeFileSync(`${process.argv[1]}/small-${seed}`, small(seed));
    })' "$work/in"

# run_all NAME ARGUMENT...: a process for each core does its part.
cores=$(nproc)
run_all() {
    local name=$1 i
    shift
    local -a pids=()
    for ((i = 1; i <= cores; i++)); do
        node "tests/laws/$name.mjs" "$1" "$i/$cores" "${@:2}" >"$work/$name.$i" 2>&1 &
        pids+=($!)
    done
    for i in "${pids[@]}"; do
        if wait "$i"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
    done
    tail -qn 40 "$work/$name".*
}

passed=0 failed=0
run_all laws "$LAWS_SHARE" "$work"/in/*
run_all brute "$LAWS_SEEDS"
run_all chains "$LAWS_CHAINS"
agents=(tests/fixtures/{claude-code,codex,pi,gemini-cli}-*.jsonl)
for root in claude-code codex-cli pi gemini-cli opencode; do
    [[ ! -d $CTX_SHARED/$root ]] || mapfile -O "${#agents[@]}" -t agents < <(find "$CTX_SHARED/$root" -name '*.json*' -type f ! -name 'storage_*' -size -200k)
done
run_all into "$LAWS_INTO" "${agents[@]}"
printf '%s passed, %s failed\n' "$passed" "$failed"
((passed && !failed))
