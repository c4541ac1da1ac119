#!/bin/bash
#
# run.bash [PATTERN]: changes one line of the code at a time, as the list mutants says, and runs the
# tests that must turn red. PATTERN (an extended regular expression) picks lines of the list. Works
# in copies of the tree, one a core. Prints TAP; fails when a mutant lives without a reason beside it,
# when one with a reason is killed, when its line is no more there, or when it does not compile.
#
# A line of mutants: FILE, OLD, NEW, TESTS and REASON, parted by tabs. OLD stands once in FILE, and
# NEW takes its place. TESTS are unit/NAME, NAME.bats or NAME.bats:REGEX (tests of that name, . for a
# blank), parted by blanks. A REASON says why a mutant may live: it changes nothing that can be seen.

set -uo pipefail
cd "${BASH_SOURCE%/*}/../.." || exit
: "${BUILD:=build}"
list=$PWD/tests/mutation/mutants
work=$(mktemp -d "${TMPDIR:-/tmp}/ctx-mutation.XXXXXX")
trap 'rm -rf "$work"' EXIT
export work

# run_tests TEST...: in a built copy; fails when one of them does.
run_tests() {
    local test
    for test in "$@"; do
        case $test in
        unit/*) timeout 120 "build/tests/$test" ;;
        *:*) timeout 600 bats --tap -f "${test#*:}" "tests/${test%%:*}" ;;
        *) timeout 900 bats --tap "tests/$test" ;;
        esac >results 2>&1 || return
        # A pattern that finds no test proves nothing.
        [[ $test != *.bats* ]] || grep -q '^ok' results || { printf 'no test: %s\n' "$test" && return 2; }
    done
}

# build TEST...: what the tests need.
build() {
    local test
    local -a targets=()
    for test in "$@"; do
        [[ $test == unit/* ]] && targets+=("build/tests/$test") || targets+=(all)
    done
    make -s "${targets[@]}" >log 2>&1
}

# replace FILE OLD NEW: fails unless OLD stands there once.
replace() {
    OLD=$2 NEW=$3 perl -0777 -pi -e '$n = s/\Q$ENV{OLD}\E/$ENV{NEW}/g; END { exit($n != 1) }' "$1"
}

# mutant LINE: in the copy of this slot.
mutant() {
    local file old new tests reason verdict=killed
    IFS=$'\t' read -r file old new tests reason <<<"$1"
    cd "$work/$SLOT" || exit
    cp "$file" "$work/$SLOT.original"
    # shellcheck disable=SC2086
    if ! replace "$file" "$old" "$new"; then
        verdict='has no such line, or several'
    elif ! build $tests; then
        verdict='does not compile'
    elif run_tests $tests; then
        verdict=lives
    fi
    cat "$work/$SLOT.original" >"$file"
    case $verdict:$reason in
    killed: | lives:?*) printf 'ok - ' ;;
    *) printf 'not ok - ' ;;
    esac
    printf '%s: %s -> %s: %s%s\n' "$file" "$old" "$new" "$verdict" "${reason:+ ($reason)}"
}
export -f run_tests build replace mutant

# The tests pass without a mutant, in a copy that the others are copies of.
mkdir "$work/1"
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -pt "$work/1"
[[ ! -d $BUILD ]] || cp -rp "$BUILD" "$work/1/build"
grep -E "${1-}" "$list" | grep -v '^#' >"$work/list"
mapfile -t tests < <(cut -f4 "$work/list" | tr ' ' '\n' | sort -u)
(cd "$work/1" && build "${tests[@]}" && run_tests "${tests[@]}") ||
    { printf 'not ok - the tests of the list fail without a mutant\n' && tail -n 20 "$work/1/log" "$work/1/results"; exit 1; }
for ((slot = 2; slot <= $(nproc); slot++)); do
    cp -rp "$work/1" "$work/$slot"
done
# shellcheck disable=SC2016
tr '\n' '\0' <"$work/list" |
    xargs -0 -n 1 -P "$(nproc)" --process-slot-var=SLOT0 bash -c 'SLOT=$((SLOT0 + 1)) mutant "$0"' | tee "$work/results"
printf '%s mutants, %s not as they should be\n' "$(wc -l <"$work/list")" "$(grep -c '^not ok' "$work/results")"
! grep -q '^not ok' "$work/results"
