#!/bin/bash
#
# recall.bash: what compacted sessions still know (recall.mjs), over tests/fixtures and, where they
# stand beside the tree ($CTX_SHARED), the real transcripts. RECALL_SESSIONS=1 gives each session.

set -euo pipefail
cd "${BASH_SOURCE%/*}/../.."
: "${CTX_BIN:=build/bin}" "${CTX_SHARED:=../shared/transcripts}"
export CTX_BIN
command -v node >/dev/null || { echo 'bench-recall: node is not here' >&2; exit 1; }
{
    find tests/fixtures -name '*.jsonl' ! -name 'hostile-*' -size +11k -print0 | sort -z
    [[ ! -d $CTX_SHARED ]] || find "$CTX_SHARED/" -type f -size +11k -print0 | sort -z
} | xargs -0 node tests/bench/recall.mjs
