#!/bin/bash
#
# check.bash: counts of the torture set and of the transcripts in ../shared/transcripts, when these are
# there, compared with npm tiktoken, which is fetched into $BUILD.  The last line says how it went.

set -uo pipefail
cd "${BASH_SOURCE%/*}/../.." || exit
: "${BUILD:=build}"
modules=$BUILD/npm-tokens
package=tiktoken@1.0.22

if [[ ! -e $modules/node_modules/tiktoken ]]; then
    command -v node npm >/dev/null || {
        printf 'check-tokens: node and npm are needed to run %s\n' "$package" >&2
        exit 69
    }
    npm install --no-save --prefix "$modules" "$package" >"$BUILD/npm-tokens.log" 2>&1 || {
        printf 'check-tokens: cannot install %s from npm, see %s\n' "$package" "$BUILD/npm-tokens.log" >&2
        exit 69
    }
fi

CTX_VOCAB_PATH=$BUILD/share/ctx \
    node tests/tokens/check.mjs "$BUILD/tests/tokens/count" "$modules" "${CTX_SHARED:-../shared/transcripts}"
