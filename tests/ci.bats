#!/usr/bin/env bats
#
# .ci/run: what it repeats of failed steps at its end. make and the tools that it looks for are played.

load helper

# play TOOL...: programs that do nothing.
play() {
    local tool
    mkdir -p played .ci tests
    for tool; do
        printf '#!/bin/sh\n' >"played/$tool"
        chmod +x "played/$tool"
    done
    cp "$ROOT/.ci/run" .ci
    cp "$ROOT/tests/setup.bash" tests
    PATH=$PWD/played:$PATH
}

# made LINE...: what make says of "check-all" with gcc; its last word is the status.
made() {
    printf '%s\n' "${@:1:$#-1}" >said
    cat >played/make <<'END'
#!/bin/sh
case "$*" in
*units) ;;
*CC=gcc*check-all) cat said; exit "$(cat status)" ;;
*check*) echo '7 passed, 0 failed, 1 skipped' ;;
*) echo 'ok - lint' ;;
esac
END
    chmod +x played/make
    printf '%s\n' "${@: -1}" >status
}

# ends STATUS: .ci/run for the steps with gcc ends so; what follows is in the file end.
ends() {
    local status=0
    .ci/run 'gcc, w' >out 2>&1 || status=$?
    [[ $status == "$1" ]] || fail "status $status: $(<out)"
    sed -n '/^== what failed/,$p' out >end
}

@test "CI: what failed in any step stands at the end, with what was said of it" {
    play gcc clang bats jq mandoc apt-get sudo
    made 'a.bats: 1 ok, 1 not ok' 'unit-b: 0 ok, 1 not ok' 'c.bats: 3 ok, 0 not ok' \
        'a.bats: not ok 2 it floats' 'a.bats: # (in test file a.bats, line 7)' "a.bats: #   \`false' failed" \
        'unit-b: b.c:7: failed: x == 1' 'unit-b: not ok - unit-b ended with status 1' 'unit-d: 5 passed, 0 failed' \
        '4 passed, 2 failed, 0 skipped' 2
    ends 1
    same 'the end' - end <<'END'
== what failed
== gcc, warnings are errors
a.bats: not ok 2 it floats
a.bats: # (in test file a.bats, line 7)
a.bats: #   `false' failed
unit-b: b.c:7: failed: x == 1
unit-b: not ok - unit-b ended with status 1
4 passed, 2 failed, 0 skipped
END
    [[ $(grep -c '^== ' out) == 4 && $(grep -c 'it floats' out) == 2 ]]
}

@test "CI: TAP without names, and a step that fails without a word of tests" {
    play gcc clang bats jq mandoc apt-get sudo
    made 'ok - one' 'not ok - two' 'what two said' 'and more' 'ok - three' 'not ours' 2
    ends 1
    same 'the end' - end <<'END'
== what failed
== gcc, warnings are errors
not ok - two
what two said
and more
0 passed, 1 failed, 0 skipped
END
    made 'x.c:1: error: what is this' 'make: *** [x.o] Error 1' 2
    ends 1
    same 'the end' - end <<'END'
== what failed
== gcc, warnings are errors: status 2
x.c:1: error: what is this
make: *** [x.o] Error 1
0 passed, 1 failed, 0 skipped
END
}

@test "CI: nothing is repeated where nothing failed" {
    play gcc clang bats jq mandoc apt-get sudo
    made 'a.bats: 2 ok, 0 not ok' 'skipped: it needs a terminal' '2 passed, 0 failed, 1 skipped' 0
    ends 0
    [[ ! -s end && $(tail -n 1 out) == '2 passed, 0 failed, 1 skipped' ]]
}
