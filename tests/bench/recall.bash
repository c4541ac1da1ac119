#!/bin/bash
#
# recall.bash: what compacted sessions still know (recall.mjs), over tests/fixtures and, where they
# stand beside the tree ($CTX_SHARED), the real transcripts, and after forty compactions in a row
# (recall-cycles.mjs). RECALL_SESSIONS=1 gives each session.

set -euo pipefail
cd "${BASH_SOURCE%/*}/../.."
: "${CTX_BIN:=build/bin}" "${CTX_SHARED:=../shared/transcripts}"
export CTX_BIN
command -v node >/dev/null || { echo 'bench-recall: node is not here' >&2; exit 1; }
mapfile -td '' files < <(
    find "$PWD/tests/fixtures" -name '*.jsonl' ! -name 'hostile-*' -size +11k -print0 | sort -z
    [[ ! -d $CTX_SHARED ]] || find "$(cd "$CTX_SHARED" && pwd)/" -type f -size +11k -print0 | sort -z
)
node tests/bench/recall.mjs "${files[@]}"
node tests/bench/recall-cycles.mjs "${files[@]}"
