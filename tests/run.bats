#!/usr/bin/env bats
#
# tests/run.bash: what it runs, and what it says of what failed.

load helper

# runs STATUS [OPTION...]: the tests of standard input, where % stands for the @ that would make them tests of
# this file, and %% for the # of what bats reads; what is printed into out.
runs() {
    local want=$1
    shift
    sed 's/^%%/#/; s/^%/@/' >some.bats
    status_of "$want" bash "$ROOT/tests/run.bash" "$@" some.bats >out 2>&1
}

@test "run: what failed is said with its line, its status and what it printed" {
    runs 1 <<'END'
holds() {
    echo "about $1"
    [[ $1 == a ]]
}
teardown() {
    [[ ! -e $BATS_TEST_TMPDIR/left ]] || echo 'something is left'
    [[ ! -e $BATS_TEST_TMPDIR/left ]]
}
%test "passes" {
    ! false
    false || true
    echo unheard
}
%test "a command" {
    ls /none 2>/dev/null ||
        (exit 3)
    echo never
}
%test "a condition, in a function and a loop" {
    for each in a b c; do
        holds "$each"
    done
}
%test "a pipe" {
    echo x |
        grep y
}
%test "a variable that is not set" {
    set -u
    echo "$nothing"
}
%test "an exit" {
    echo bye
    exit 4
}
%test "its return" {
    [[ a == b ]] || return 5
}
%test "its end" {
    : >"$BATS_TEST_TMPDIR/left"
}
%test "is not run to its end" {
    exit 0
}
%test "of one line" { x=$(false); }
%test "is skipped" {
    skip 'no moon'
}
END
    same 'TAP' - out <<'END'
1..11
ok 1 passes
not ok 2 a command
# some.bats, line 16
#   (exit 3): status 3
not ok 3 a condition, in a function and a loop
# in holds, some.bats, line 3, called from
# some.bats, line 21
#   [[ $1 == a ]]: status 1
# about a
# about b
not ok 4 a pipe
# some.bats, line 26
#   grep y: status 1
not ok 5 a variable that is not set
# some.bats, line 28
#   @test "a variable that is not set" {: status 1
# some.bats: line 30: nothing: unbound variable
not ok 6 an exit
# some.bats, line 32
#   @test "an exit" {: status 4
# bye
not ok 7 its return
# some.bats, line 36
#   @test "its return" {: status 5
not ok 8 its end
# some.bats, line 39
#   @test "its end" {: status 1
# something is left
not ok 9 is not run to its end
# some.bats, line 42
#   @test "is not run to its end" {: status 1
not ok 10 of one line
# some.bats, line 45
#   @test "of one line" { x=$(false); }: status 1
ok 11 is skipped # skip no moon
END
}

@test "run: a test has a directory of its own, what setup_file found, and nothing of another test" {
    runs 0 <<'END'
found=${FOUND-}
setup_file() {
    export FOUND=here
    : >"$BATS_FILE_TMPDIR/shared"
}
setup() {
    mine=$BATS_TEST_NUMBER
    cd "$BATS_TEST_TMPDIR/work"
}
teardown_file() {
    rm "$BATS_FILE_TMPDIR/shared"
}
%test "one" {
    [[ $found == here && $mine == 1 && -e $BATS_FILE_TMPDIR/shared ]]
    other=1
    : >file
}
%test "two" {
    [[ $mine == 2 && $BATS_TEST_DESCRIPTION == two && ! ${other-} && ! -e file ]]
}
END
    same 'TAP' - out <<<$'1..2\nok 1 one\nok 2 two'
}

@test "run: the tests of a tag, or without it, and of a name" {
    local option
    cat >tagged <<'END'
%test "one" {
    :
}
%% bats test_tags=slow, dark
%test "two" {
    :
}
%test "three" {
    :
}
END
    for option in '-t slow' '-t dark' '-f wo$'; do
        # shellcheck disable=SC2086
        runs 0 $option <tagged
        same "$option" - out <<<$'1..1\nok 1 two'
    done
    runs 0 -t '!slow' <tagged
    same 'not slow' - out <<<$'1..2\nok 1 one\nok 2 three'
    runs 0 -f four <tagged
    same 'none' - out <<<'1..0'
    sed -i '1i %% bats file_tags=slow' tagged
    runs 0 -t '!slow' <tagged
    same 'no file' - out <<<'1..0'
}

@test "run: a file that cannot be read, and one of which setup_file or teardown_file fails" {
    runs 2 <<<$'%test "one" {\n    (\n}'
    grep -q ': line 3: syntax error' out || fail "$(<out)"
    runs 1 <<<$'setup_file() {\n    false\n}\n%test "one" {\n    :\n}'
    same 'setup_file' - out <<<$'1..1\nnot ok - some.bats: setup_file or what is outside of the tests failed'
    runs 1 <<<$'teardown_file() {\n    false\n}\n%test "one" {\n    :\n}'
    same 'teardown_file' - out <<<$'1..1\nok 1 one\nnot ok - some.bats: teardown_file failed'
}
