#!/bin/bash
#
# check.bash [UNIT]...: runs the unit tests and replays the corpora of the fuzz targets (programs that
# print TAP, or just end well) and the tests of tests/*.bats; prints what failed, and as the last line how
# much passed and failed.  Two files are run for each core at a time, since tests wait: for the disk, for
# what sleeps.  CHECK_BATS, a list of files, runs those alone; CHECK_TAGS, the tests with that tag, or with
# ! before it, without: slow are those that say so in their file.  A test that is skipped counts as neither,
# and is named with its reason.  What it needs is in tests/setup.bash.

set -uo pipefail
cd "${BASH_SOURCE%/*}/.." || exit
: "${BUILD:=build}"
BUILD=$(realpath -m "$BUILD")
# bash takes longer where bytes are not characters.
export CTX_BIN=$BUILD/bin LC_ALL=C

count() {
    grep -c "^$1 " "$2"
}

# run_one FILE: a unit program or a .bats file, its TAP in $results. What ends badly without saying
# which test failed, or has fewer results than it planned, gets a failure of its own.
run_one() {
    local name=${1#*tests/} status=0 planned
    name=${name//\//-}
    local tap=$results/$name.tap
    case $1 in
    *.bats) timeout 1800 bash tests/run.bash ${CHECK_TAGS:+-t "$CHECK_TAGS"} "$1" >"$tap" 2>&1 || status=$? ;;
    *) timeout 600 "$1" >"$tap" 2>&1 || status=$? ;;
    esac
    planned=$(sed -n 's/^1\.\.\([0-9]*\)$/\1/p' "$tap")
    if ((status)) && ! grep -q '^not ok ' "$tap"; then
        printf 'not ok - %s ended with status %s\n' "$name" "$status" >>"$tap"
    elif [[ -z $planned ]]; then
        grep -q '^ok ' "$tap" || printf 'ok - %s\n' "$name" >>"$tap"
    elif (($(count ok "$tap") + $(count 'not ok' "$tap") != planned)); then
        printf 'not ok - %s planned %s tests\n' "$name" "$planned" >>"$tap"
    fi
    [[ $planned == 0 ]] || printf '%s: %s ok, %s not ok\n' "$name" "$(count ok "$tap")" "$(count 'not ok' "$tap")"
}

mkdir -p "$BUILD" || exit
results=$BUILD/results
rm -rf "$results" && mkdir "$results" || exit
export results CHECK_TAGS=${CHECK_TAGS-}
export -f run_one count
# The longest first, so that all end together: these, and the others take about as long as they are
# large.
if [[ -v CHECK_BATS ]]; then
    read -r -a files <<<"$CHECK_BATS"
else
    mapfile -t files < <({
        printf 'tests/%s.bats\n' laws contract sessions install completions ctx-loop
        ls -S tests/*.bats
    } | awk '!had[$0]++')
fi
# shellcheck disable=SC2016
printf '%s\0' "$@" "${files[@]}" | xargs -0 -n 1 -P "$((2 * $(nproc)))" bash -c 'run_one "$0"'

# What failed, with what was said about it: the lines up to the next test.
awk 'FNR == 1 { show = 0; file = FILENAME; sub(/.*\//, "", file); sub(/\.tap$/, "", file) }
    /^(not ok|ok) / { show = /^not ok / }
    show || !/^(ok |#|1\.\.)/ { print file ": " $0 }' "$results"/*.tap
grep -h '^ok .* # skip' "$results"/*.tap | sed -E 's/^ok [0-9]+ (.*) # skip *(.*)/skipped: \1: \2/'
passed=$(cat "$results"/*.tap | grep '^ok ' | grep -c -v ' # skip')
skipped=$(cat "$results"/*.tap | grep -c '^ok .* # skip')
failed=$(cat "$results"/*.tap | grep -c '^not ok ')
printf '%s passed, %s failed, %s skipped\n' "$passed" "$failed" "$skipped"
((passed && !failed))
