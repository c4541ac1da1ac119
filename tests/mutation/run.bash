#!/bin/bash
#
# run.bash [PATTERN]: changes one line of the code at a time, as the list mutants says, and runs the
# tests that must turn red. PATTERN (an extended regular expression) picks lines of the list. Works
# in copies of the tree, one a core. Prints TAP and the sums; fails when a mutant lives without a
# reason beside it, when one with a reason is killed, when its line is no more there, when there are
# no such tests, or when it does not compile.
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

# run_test TEST: in a built copy; fails when it does, with 100 when there is no such test, which
# proves nothing.
run_test() {
    local status=0
    case $1 in
    unit/*) timeout 40 "build/tests/$1" >results 2>&1 && return ;;
    *:*) timeout 600 bash tests/run.bash -f "${1#*:}" "tests/${1%%:*}" >results 2>&1 && grep -q '^ok' results && return ;;
    *) timeout 900 bash tests/run.bash "tests/$1" >results 2>&1 && return ;;
    esac || status=$?
    [[ $1 == unit/* || $status == 124 ]] || grep -q '^\(not \)\?ok' results || return 100
    return 1
}

# programs TEST...: what the tests run.
programs() {
    local test file
    for test in "$@"; do
        case $test in
        unit/*) printf 'build/tests/%s\n' "$test" ;;
        *)
            for file in cmd/ctx-*; do
                file=${file%.c}
                printf 'build/bin/%s\n' "${file#cmd/}"
            done
            printf '%s\n' build/ctx-vocabulary
            ;;&
        tokens.bats*) printf '%s\n' build/tests/tokens/count ;;
        esac
    done | sort -u
}

# build TEST...: fails when a program does not compile, with 2 when the vocabularies cannot be made,
# which is a test too: they are held against their checksums.
build() {
    # shellcheck disable=SC2046
    make -s $(programs "$@") >log 2>&1 || return 1
    [[ $* != *.bats* ]] || make -s all >log 2>&1 || return 2
}

# verdict TEST...: of the tests in the copy at hand.
verdict() {
    local test
    build "$@"
    case $? in
    1) echo 'does not compile' && return ;;
    2) echo killed && return ;;
    esac
    for test in "$@"; do
        run_test "$test"
        case $? in
        0) ;;
        100) echo "has no test $test" && return ;;
        *) echo killed && return ;;
        esac
    done
    echo lives
}

# replace FILE OLD NEW: fails unless OLD stands there once.
replace() {
    OLD=$2 NEW=$3 perl -0777 -pi -e '$n = s/\Q$ENV{OLD}\E/$ENV{NEW}/g; END { exit($n != 1) }' "$1"
}

# mutant LINE: in the copy of this slot.
mutant() {
    local file old new tests reason said='has no such line, or several' start=$SECONDS
    # NEW may be empty, and tabs that follow one another part once.
    IFS=$'\37' read -r file old new tests reason <<<"${1//$'\t'/$'\37'}"
    cd "$work/$SLOT" || exit
    cp "$file" "$work/$SLOT.original"
    # shellcheck disable=SC2086
    ! replace "$file" "$old" "$new" || said=$(verdict $tests)
    cat "$work/$SLOT.original" >"$file"
    case $said:$reason in
    killed: | lives:?*) printf 'ok - ' ;;
    *) printf 'not ok - ' ;;
    esac
    printf '%s: %s -> %s: %s, %d s%s\n' "$file" "$old" "$new" "$said" "$((SECONDS - start))" "${reason:+ ($reason)}"
}
export -f run_test programs build verdict replace mutant

# whole TEST...: the tests, those of a file as one.
whole() {
    printf '%s\n' "$@" | awk -F: '
        !/:/ { print; next }
        { regex[$1] = regex[$1] (regex[$1] ? "|" : "") substr($0, length($1) + 2) }
        END { for (file in regex) print file ":" regex[file] }'
}

# The tests pass without a mutant, in a copy that the others are copies of.
mkdir "$work/1"
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -pt "$work/1"
[[ ! -d $BUILD ]] || cp -rp "$BUILD" "$work/1/build"
export BUILD=build
if ! grep -E "${1-}" "$list" | grep -v '^#' >"$work/list"; then
    echo "not ok - no line of the list is like ${1-}" && exit 1
fi
mapfile -t tests < <(cut -f4 "$work/list" | tr ' ' '\n' | sort -u)
mapfile -t tests < <(whole "${tests[@]}")
said=$(cd "$work/1" && verdict "${tests[@]}")
if [[ $said != lives ]]; then
    printf 'not ok - without a mutant: %s\n' "$said"
    tail -n 20 "$work/1/log" "$work/1/results"
    exit 1
fi
for ((slot = 2; slot <= $(nproc); slot++)); do
    cp -rp "$work/1" "$work/$slot"
done
# shellcheck disable=SC2016
tr '\n' '\0' <"$work/list" |
    xargs -0 -n 1 -P "$(nproc)" --process-slot-var=SLOT0 bash -c 'SLOT=$((SLOT0 + 1)) mutant "$0"' | tee "$work/verdicts"
wrong=$(grep -c '^not ok' "$work/verdicts")
printf '%d killed, %d alive' "$(grep -c ': killed, [0-9]* s' "$work/verdicts")" "$(grep -c ': lives, [0-9]* s' "$work/verdicts")"
printf '; %d not as they should be; %d s\n' "$wrong" "$SECONDS"
((wrong == 0))
