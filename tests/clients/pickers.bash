#!/bin/bash
#
# pickers.bash: whether each agent finds by itself what ctx-normalize --to writes in its directory, where -v says: as
# the newest session there, which it goes on with, and sends: claude --continue, codex resume --last, pi --continue,
# gemini --resume latest, opencode --continue. It needs no terminal, as the lists to choose from do, and reads the
# same list. An agent without a client is skipped. Prints TAP; fails when one does not find it.

set -uo pipefail
cd "${BASH_SOURCE%/*}/../.." || exit
: "${BUILD:=build}"
PATH=$(realpath "$BUILD")/bin:$PATH
. tests/clients/clients.bash
read -r -a agents <<<"${CLIENTS_AGENTS-$AGENTS}"
canonical=$PWD/tests/clients/harbour.jsonl
failed=0
for agent in "${agents[@]}"; do
    body=$(CLIENT_MAKE="ctx-normalize --to $agent ${canonical@Q}" bash tests/clients/sent.bash "$agent" "$canonical" 2>&1)
    case $?,$body in
    77,*) echo "ok - $agent # SKIP ${body%%$'\n'*}" ;;
    0,*'How deep is the harbour'*) echo "ok - $agent" ;;
    *) echo "not ok - $agent"; head -c 2000 <<<"$body" | sed 's/^/# /'; failed=1 ;;
    esac
done
exit $failed
