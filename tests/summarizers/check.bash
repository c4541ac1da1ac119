#!/bin/bash
#
# check.bash: the summarizers that ctx-summarize(7) shows, run for real (summarizers.bats); what comes
# from npm is fetched into $BUILD.  The last line says how it went.

set -uo pipefail
cd "${BASH_SOURCE%/*}/../.." || exit
: "${BUILD:=build}"
modules=$BUILD/npm-summarizers
package=ts-textrank@1.0.3

for tool in node npm curl; do
    command -v "$tool" >/dev/null || {
        printf 'check-summarizers: %s is needed\n' "$tool" >&2
        exit 69
    }
done
[[ -e $modules/node_modules/ts-textrank ]] ||
    npm install --no-save --prefix "$modules" "$package" >"$BUILD/npm-summarizers.log" 2>&1 || {
    printf 'check-summarizers: cannot install %s from npm, see %s\n' "$package" "$BUILD/npm-summarizers.log" >&2
    exit 69
}
SUMMARIZER_MODULES=$(realpath "$modules") CHECK_BATS=tests/summarizers/summarizers.bats bash tests/check.bash
