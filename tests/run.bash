#!/bin/bash
#
# run.bash [-t TAG | -t !TAG] [-f ERE] FILE: runs the tests of a .bats file, or those with the tag, or
# without it, or of a name that matches; prints TAP, and what a test that failed printed, and where that
# was. Ends with 0 when all passed.
#
# It does what bats does for such a file, in a fifth of the time: bats starts a shell for each test,
# which reads the whole file again, and follows every command to know where one failed. Here a test is
# run in a fork of the shell that has read the file, and the trap for what fails says where. There are
# @test, "# bats test_tags" and file_tags, load, skip, setup, teardown, setup_file, teardown_file, and
# BATS_TEST_{FILENAME,DIRNAME,DESCRIPTION,NUMBER,TMPDIR,COMPLETED} and BATS_FILE_TMPDIR; no run.

# What the traps run and the file calls, nothing here is seen to call.
# shellcheck disable=SC2317
set -eE
TAG='' ERE=''
while getopts t:f: OPTION; do
    case $OPTION in
    t) TAG=$OPTARG ;;
    f) ERE=$OPTARG ;;
    *) exit 64 ;;
    esac
done
BATS_TEST_FILENAME=$(realpath -e -- "${!OPTIND}")
BATS_TEST_DIRNAME=${BATS_TEST_FILENAME%/*}
FILE_NAME=${!OPTIND}
BATS_FILE_TMPDIR=$(mktemp -d)
TEST_SOURCE=$BATS_FILE_TMPDIR.src
export BATS_TEST_FILENAME BATS_TEST_DIRNAME BATS_FILE_TMPDIR
trap 'rm -rf "$BATS_FILE_TMPDIR"*' EXIT

load() {
    # shellcheck disable=SC1090
    source "$BATS_TEST_DIRNAME/$1.bash"
}

# skip [REASON]: ends the test, which has neither passed nor failed.
skip() {
    SKIPPED=" # skip${1+ $1}"
    exit 0
}

setup() { :; }
teardown() { :; }
setup_file() { :; }
teardown_file() { :; }

# The file with its tests as functions, line for line, and the chosen tests, a line "NUMBER LINE NAME" each.
read_tests() {
    ERE=$ERE awk -v source="$TEST_SOURCE" -v tag="$TAG" '
        function tagged(name,    i, n, names) {
            n = split(file_tags "," tags, names, / *, */)
            for (i = 1; i <= n; i++)
                if (names[i] == name) return 1
            return 0
        }
        BEGIN { unwanted = sub(/^!/, "", tag) }
        /^# bats test_tags=/ { tags = substr($0, 18) }
        /^# bats file_tags=/ { file_tags = substr($0, 18) }
        match($0, /^@test ("[^"]*"|\047[^\047]*\047) \{/) {
            name = substr($0, 8, RLENGTH - 10)
            if ((tag == "" || tagged(tag) != unwanted) && name ~ ENVIRON["ERE"]) print ++tests, FNR, name
            $0 = "test_" FNR "() {" substr($0, RLENGTH + 1)
            tags = ""
        }
        { print >source }' "$BATS_TEST_FILENAME"
}

# run_test "NUMBER LINE NAME": in a shell of its own, of which nothing is left but what it printed and a status.
run_test() {
    read -r BATS_TEST_NUMBER TEST_LINE BATS_TEST_DESCRIPTION <<<"$1"
    BATS_TEST_TMPDIR=$BATS_FILE_TMPDIR.$BATS_TEST_NUMBER
    TEST_FUNCTION=test_$TEST_LINE
    export BATS_TEST_NUMBER BATS_TEST_DESCRIPTION BATS_TEST_TMPDIR
    BATS_TEST_COMPLETED='' SKIPPED='' PLACE=''
    exec >"$BATS_FILE_TMPDIR.out" 2>&1
    trap 'PLACE="$?|$LINENO ${BASH_LINENO[*]}|${FUNCNAME[*]}|${BASH_SOURCE[*]}"' ERR
    trap end_test EXIT
    set -e
    setup
    "$TEST_FUNCTION"
    BATS_TEST_COMPLETED=1
}

end_test() {
    local status=$?
    trap - EXIT
    [[ $SKIPPED || $BATS_TEST_COMPLETED ]] || ((status)) || status=1
    teardown || status=$?
    trap - ERR
    if ((!status)); then
        printf 'ok %d %s\n' "$BATS_TEST_NUMBER" "$BATS_TEST_DESCRIPTION$SKIPPED" >&3
        exit 0
    fi
    {
        printf 'not ok %d %s\n' "$BATS_TEST_NUMBER" "$BATS_TEST_DESCRIPTION"
        say_place "$status"
        sed -e "s|$TEST_SOURCE|$FILE_NAME|g" -e 's/^/# /' "$BATS_FILE_TMPDIR.out"
    } >&3
    exit 1
}

# say_place STATUS: the lines of the test file that were active when the test failed, the innermost first.
# Where that is not known, as after exit, it is the line where the test begins.
say_place() {
    local -a lines functions files
    local status i shown=
    IFS='|' read -r status lines functions files <<<"$PLACE"
    # shellcheck disable=SC2206,SC2128
    lines=($lines) functions=($functions) files=($files)
    [[ $status == "$1" ]] || files=()
    for i in "${!files[@]}"; do
        [[ ${files[i]} == "$TEST_SOURCE" ]] || continue
        : "${shown:=${lines[i]}}"
        [[ ${functions[i]} != "$TEST_FUNCTION" ]] || break
        printf '# in %s, %s, line %d, called from\n' "${functions[i]}" "$FILE_NAME" "${lines[i]}"
    done
    [[ $shown ]] || lines=("$TEST_LINE") i=0 shown=$TEST_LINE
    printf '# %s, line %d\n' "$FILE_NAME" "${lines[i]}"
    sed -nE "$shown{s/^[[:space:]]*(.*)/#   \1: status $1/p;q}" "$BATS_TEST_FILENAME"
}

exec 3>&1
mapfile -t CHOSEN < <(read_tests)
printf '1..%d\n' "${#CHOSEN[@]}"
((${#CHOSEN[@]})) || exit 0
trap 'echo "not ok - $FILE_NAME: setup_file or what is outside of the tests failed"' ERR
# The directories of all tests by one start of mkdir, with those that fresh_directory would make.
for TEST in "${CHOSEN[@]}"; do
    printf '%s\0' "$BATS_FILE_TMPDIR.${TEST%% *}"/{work,tmp}
done | xargs -0 mkdir -p
# shellcheck disable=SC1090
source "$TEST_SOURCE"
# What the file finds out for its tests is there when they read it.
setup_file
# shellcheck disable=SC1090
source "$TEST_SOURCE"
trap - ERR
set +e
ENDED=0
for TEST in "${CHOSEN[@]}"; do
    # Not after || or if, where no failing command would end the test.
    (run_test "$TEST")
    # shellcheck disable=SC2181
    (($? == 0)) || ENDED=1
done
teardown_file || { ENDED=1 && echo "not ok - $FILE_NAME: teardown_file failed"; }
exit "$ENDED"
