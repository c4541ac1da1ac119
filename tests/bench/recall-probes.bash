#!/bin/bash
#
# recall-probes.bash: how many questions a reader of a compacted session can answer. The sessions, their
# probes and the program that asks them stand beside the tree ($CTX_RECALL), where there are any. Each
# session is brought down to 50, 25 and 12 % of its tokens: by ctx-compact, to the newest messages alone,
# and, as the upper line, to a summary by a very good model with the newest messages. Ends with 1 where
# ctx-compact answers fewer than that share needs.
#
# Of the probes that are lost with an archive, it says how many one ctx-recall -F of the question's words
# finds: 75 % must be in an answer of 1,000 tokens, 85 % in one of 2,000.

set -euo pipefail
cd "${BASH_SOURCE%/*}/../.."
: "${CTX_BIN:=$PWD/build/bin}" "${CTX_RECALL:=../shared/recall}"
[[ -r $CTX_RECALL/probe.mjs ]] || { echo 'bench-recall: no probes here'; exit 0; }
CTX_RECALL=$(realpath "$CTX_RECALL") # a program behind a link does not know itself
declare -A least=([50]=118 [25]=94 [12]=74)
dir=$(mktemp -d "${TMPDIR:-/tmp}/ctx-probes.XXXXXX")
trap 'rm -rf "$dir"' EXIT

# The newest messages, of at most so many tokens: none where the newest one is larger.
newest() {
	"$CTX_BIN/ctx-project" --view all --last "$(printf '%d.%03dk' $(($1 / 1000)) $(($1 % 1000)))" "$2" 2>"$dir/none" || true
}

# The summary as a message, and the newest messages in what it leaves of the tokens.
summarized() {
	local tokens=$1 file=$2 summary=$3 used
	jq -cRs '{role: "user", content: ., metadata: {kind: "summary"}}' "$summary" >"$dir/summary"
	used=$("$CTX_BIN/ctx-budget" --json "$dir/summary" | jq .used_tokens)
	cat "$dir/summary"
	((used >= tokens)) || newest $((tokens - used)) "$file"
}

# The last row of the table of a directory: probes answered, and the share of lists.
answered() {
	node "$CTX_RECALL/probe.mjs" --all "$1" | tail -n 1 | cut -d '|' -f "$2" | tr -d ' '
}

failed=0
printf '\nprobes answered    newest   ctx-compact    least   summary   noise\n'
for share in 50 25 12; do
	mkdir -p "$dir"/{newest,compacted,summarized,archived}/$share
	for file in "$CTX_RECALL"/sessions/*.head.jsonl; do
		name=$(basename "$file" .head.jsonl)
		tokens=$(($("$CTX_BIN/ctx-budget" --json "$file" | jq .used_tokens) * share / 100))
		newest "$tokens" "$file" >"$dir/newest/$share/$name.jsonl"
		"$CTX_BIN/ctx-compact" --limit "$tokens" --target "$tokens" "$file" \
			>"$dir/compacted/$share/$name.jsonl" || printf 'refused at %s %%: %s\n' "$share" "$name"
		# The digest names the archive: by the same name, wherever this runs.
		(cd "$dir/archived/$share" && "$CTX_BIN/ctx-compact" --limit "$tokens" --target "$tokens" \
			--archive "$name.archive" "$file" >"$name.jsonl") || true
		summarized "$tokens" "$file" "$CTX_RECALL/summaries/$name.md" \
			>"$dir/summarized/$share/$name.jsonl"
	done
	of=$(answered "$dir/compacted/$share" 3)
	printf '%13s %% %9s %13s %8s %9s %7s\n' "$share" "$(answered "$dir/newest/$share" 3)" "$of" \
		"${least[$share]}" "$(answered "$dir/summarized/$share" 3)" "$(answered "$dir/compacted/$share" 16)"
	((${of%/*} >= least[$share])) || failed=1
done

read -r lost found_1k found_2k < <(CTX_BIN=$CTX_BIN node tests/bench/recall-look-up.mjs "$CTX_RECALL" "$dir"/archived/*)
printf '\nlost probes that one look-up finds    within 1k    least   within 2k    least\n'
printf '%37s %12s %8s %11s %8s\n' "$lost" "$found_1k" "$(((lost * 75 + 99) / 100))" "$found_2k" "$(((lost * 85 + 99) / 100))"
((found_1k * 100 >= lost * 75 && found_2k * 100 >= lost * 85)) || failed=1
exit $failed
