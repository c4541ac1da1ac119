#!/bin/bash
#
# check.bash: other libraries, from npm, read what ctx-normalize writes, and what they make of messages is held
# against what it reads (converters.mjs): the AI SDK and LangChain, on tests/fixtures and, where they stand beside
# the tree ($CTX_SHARED), the real transcripts of at most 2 MB. The packages are fetched into $BUILD. The last line
# says how it went.

set -uo pipefail
cd "${BASH_SOURCE%/*}/../.." || exit
: "${BUILD:=build}" "${CTX_SHARED:=../shared/transcripts}"
PATH=$(realpath "$BUILD")/bin:$PATH
modules=$BUILD/npm-converters
packages=(ai@5.0.100 @langchain/core@1.1.0)

for tool in node npm; do
    command -v "$tool" >/dev/null || {
        printf 'check-converters: %s is needed\n' "$tool" >&2
        exit 69
    }
done
[[ -e $modules/node_modules/ai && -e $modules/node_modules/@langchain/core ]] ||
    npm install --no-save --prefix "$modules" "${packages[@]}" >"$BUILD/npm-converters.log" 2>&1 || {
    printf 'check-converters: cannot install %s from npm, see %s\n' "${packages[*]}" "$BUILD/npm-converters.log" >&2
    exit 69
}
files=(tests/fixtures/*.jsonl)
[[ ! -d $CTX_SHARED ]] || mapfile -O "${#files[@]}" -t files < <(find "$CTX_SHARED" -name '*.json*' -type f -size -2048k | sort)
# What it imports is found beside it.
cp tests/converters/converters.mjs "$modules/"
node "$modules/converters.mjs" "${files[@]}"
