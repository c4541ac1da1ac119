#!/usr/bin/env bats
#
# What the tests are run with: spec and same see every difference, and jq says what the jq of the
# system says.

load helper

# sees WHAT: the spec on standard input fails, and says that WHAT differs.
sees() {
    status_of 1 spec >said
    grep -q "^--- $1: expected" said || fail "$1: $(<said)"
    grep -q '^--- command: ' said
}

@test "spec: what is as expected passes, by a shell and without one" {
    spec <<'END'
tr a-z A-Z | cat; echo made >file; echo oops >&2; exit 3
<<< a line
<<<$- \x41\tb\0
>>> A LINE
>>>$- A\tB\0
>>>2 oops
>>>+ file
>>>= 3
END
    spec <<'END'
ctx-project --view 'all' "file" missing.jsonl
>>>2 ctx-project: cannot open 'missing.jsonl': No such file or directory
>>>= 66
END
}

@test "spec: each stream, its end, the status and the files are seen to differ" {
    sees 'standard output' <<<$'echo a\n>>> b'
    sees 'standard output' <<<$'echo a'
    sees 'standard output' <<<$'printf a\n>>> a'
    sees 'standard output' <<<$'echo a\n>>>- a'
    sees 'standard output' <<<$'ctx-project\n<<< {"role":"user"}\n>>> {"role": "user"}'
    sees 'standard error' <<<$'echo a >&2'
    sees 'standard error' <<<$'ctx-project\n<<< {\n>>> {\n>>>2 ctx-project: no\n>>>= 65'
    sees 'standard error' <<<$'ctx-no-such-command\n>>>= 127'
    sees status <<<$'exit 1'
    sees status <<<$'true\n>>>= 1'
    sees status <<<$'false | true'
    sees status <<<$'kill -9 $$\n>>>= 9'
    sees files <<<$'mkdir folder; touch folder/file\n>>>+ folder'
    sees files <<<$'rm -r folder'
    sees files <<<$'true\n>>>+ file'
}

@test "spec: what is no spec is no success" {
    local text
    status_of 70 spec </dev/null 2>said
    for text in '>>> a' $'true\n>>>% a' $'true\n>>>$ \\q' $'true\n<<<@ no-such-file'; do
        status_of 70 spec <<<"$text" 2>said
        [[ -s said ]]
    done
}

@test "same: sees any byte, of files and pipes, and files that are not there" {
    same 'nothing' /dev/null <(:)
    printf 'a\0b' >file
    same 'a file' file <(printf 'a\0b')
    same 'standard input' - file < <(printf 'a\0b')
    status_of 1 same 'a byte' file <(printf 'a\0c') >said
    grep -q '^-a^@b$' said
    grep -q '^+a^@c$' said
    status_of 1 same 'an end' file <(printf 'a\0b\n') >said
    status_of 70 same 'no file' /dev/null no-such-file 2>said
}

@test "a test that leaves a file in TMPDIR fails" {
    touch "$TMPDIR/left"
    status_of 1 no_leftovers_of_a_test >said
    grep -q "^left in TMPDIR: $TMPDIR/left$" said
    rm "$TMPDIR/left"
}

no_leftovers_of_a_test() {
    BATS_TEST_COMPLETED=1 no_leftovers
}

# Programs as tests have them; each is run on each record below.
programs='
.role, .content // "-", ."a b"?, .list[0]?, .list[-1]?, .list[1:]?, .list[:-1]?
.. | strings
[paths | map(tostring) | join("/")]
{role, n: .n, "x y": (.n // 0 | . + 1), (.role // "none"): [.list[]?]}
select(.role == "user" and (.n | not) or .n > 1) | .role
.list |= (. // [] | map(select(type == "number") * 2)) | .new.deep[2] = .role
.n += 1 | .other //= 7 | del(.list[0]?, .role)
reduce (.list // [])[] as $x (""; . + ($x | tostring))
[foreach (.list // [])[] as $x (0; . + 1; [., $x])]
. as $all | (.list // []) | map(. == $all.n), any, all, length
if .n then "some" elif .list then "many" else "none" end
"\(.role): \(.list) \(.n)"
[.role, .n, true, null] | @tsv, @csv, tojson, (tojson | fromjson)
to_entries, keys, (with_entries(.value |= tostring) | keys_unsorted)
(.content // "" | test("a\\.c"), split("."), startswith("a"), endswith("."), length, utf8bytelength)
def twice(f): f, f; def plus($x): . + $x; [twice(.n // 0 | plus(2))]
[limit(2; .list[]?)], first(.list[]?), [range(1; 3)], [.list[]? | numbers, strings]
(try error("x") catch "caught"), (.role.x? // "no member"), ([.list[]? | numbers] | add)
([3, 1, 2, 1] | sort, unique, min, max, reverse, . - [1]), ([{a: 2}, {a: 1}] | sort_by(.a), group_by(.a))
({a: 1} + {b: 2}), ([1, [2]] == [1, [2]]), (10 / 4), 1 + 2 * 3 - 4, (has("n")), ({a: [1]} | contains({a: []}))
'

@test "jq: says what the jq of the system says" {
    local all
    all=$(sed -e '/^$/d' -e 's/.*/(&)/' <<<"$programs" | paste -sd,)
    printf '%s\n' '{"role":"user","content":"Mend a.c: é\u00e9\u0001\"\ud83d\ude00."}' \
        '{"role":"tool","n":2,"list":[1,"two",[3,{"x":null}],-4.5],"a b":{"c":false}}' '{"n":0,"list":[]}' '{}' >in
    # Without a system that has a jq, what is not known here is an error.
    for options in -c -r -cj -cs -cn; do
        [[ $options != -cs ]] || all='map(.role), length, (map(.n) | add)'
        [[ $options != -cn ]] || all='[inputs.n], input?'
        PATH=/nowhere "$TEST_BIN/jq" "$options" "$all" in >ours
        CTX_JQ=system jq "$options" "$all" in >theirs
        same "$options" theirs ours
        [[ -s ours ]]
    done
    same 'raw lines' <(CTX_JQ=system jq -R 'fromjson? // .' in) <(PATH=/nowhere "$TEST_BIN/jq" -R 'fromjson? // .' in)
    status_of 1 env PATH=/nowhere "$TEST_BIN/jq" -e .no in >ours
}

@test "jq: what it does not know, the jq of the system says, of files and pipes that were read" {
    local program
    printf '%s\n' '{"n":1.50,"s":"b"}' >in
    for program in '.s | ascii_upcase' .n '.s | sub("b"; "c")' '.s | .[0].x' '.n |' no_such; do
        CTX_JQ=system jq -c "$program" in >want 2>said && want=0 || want=$?
        status_of "$want" jq -c "$program" in >got 2>>said
        same "$program" want got
        status_of "$want" jq -c "$program" <in >got 2>>said
        same "$program" want got
        status_of "$want" jq -c "$program" <(cat in) >got 2>>said
        same "$program" want got
    done
}
