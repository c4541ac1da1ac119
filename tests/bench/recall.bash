#!/bin/bash
#
# recall.bash: what the reader of a compacted session can answer (recall-probes.bash), which rules are
# there after some compactions in a row (recall-rules.mjs), and which facts a look-up finds after forty
# (recall-cycles.mjs), which decide; and, as a warning, what names and words are left (recall.mjs), over
# tests/fixtures and, where they stand beside the tree ($CTX_SHARED), the real transcripts.
# RECALL_SESSIONS=1 gives each session.

set -euo pipefail
cd "${BASH_SOURCE%/*}/../.."
: "${CTX_BIN:=build/bin}" "${CTX_SHARED:=../shared/transcripts}"
export CTX_BIN
command -v node >/dev/null || { echo 'bench-recall: node is not here' >&2; exit 1; }
mapfile -td '' files < <(
    find "$PWD/tests/fixtures" -name '*.jsonl' ! -name 'hostile-*' -size +11k -print0 | sort -z
    [[ ! -d $CTX_SHARED ]] || find "$(cd "$CTX_SHARED" && pwd)/" -type f -size +11k -print0 | sort -z
)
status=0
bash tests/bench/recall-probes.bash || status=$?
node tests/bench/recall-rules.mjs || status=$?
node tests/bench/recall-cycles.mjs "${files[@]}" || status=$?
printf '\nOlder measures, which warn and decide nothing:\n'
node tests/bench/recall.mjs "${files[@]}"
exit "$status"
