#!/usr/bin/env bats
#
# Keeping by value: what shrinks before anything else does, and what stays as long as there is room.

load helper
load dialogue

compact='ctx-compact --estimator bytes/4'

# prunes OPTION...: what prune alone makes of the file in, all but the newest message.
prunes() {
    ctx-compact --estimator bytes/4 --pipeline prune --force --keep-messages 1 "$@" in
}

# said ID [FILE]: the text of that result.
said() {
    jq -r --arg id "$1" 'select(.tool_call_id == $id).content' "${2-out}"
}

# check ID COMMAND LINE...: a shell command and its result.
check() {
    local id=$1 command=$2 text
    shift 2
    text=$(printf '%s\n' "$@" | jq -Rs '.[:-1]')
    calls "$id" bash "{\"command\":\"$command\"}"
    gets "$id" "${text:1:-1}"
}

@test "ctx-compact --prune-over: plain numbers are bytes, tok is tokens as the estimator counts them" {
    { user Go.; calls a look '{}'; gets a "$(repeat 500 'word')"; calls b look '{}'; gets b "$(repeat 501 'word')"; says Done.; user Bye.; } >in
    prunes --prune-over 500tok --target 10k >out
    same 'the short one' <(said a in) <(said a)
    grep -q '^\[… 1,004 bytes cut …\]$' <(said b)
    prunes --prune-over 2000 --target 10k >bytes
    same '2,000 bytes' bytes out
    prunes --prune-over 0.5ktok --target 10k >kilo
    same '0.5ktok' kilo out
    prunes --prune-over 500 --target 10k >out
    grep -q 'bytes cut' <(said a)
    # Arguments and critical texts are of the same length.
    { user Go.; calls a look "{\"text\":\"$(repeat 501 word)\"}"; gets a ok; calls b look "{\"text\":\"$(repeat 500 word)\"}"; gets b ok; says Done.; user Bye.; } >in
    prunes --prune-over 500tok --target 10k >out
    [[ $(grep -c 'bytes cut' out) == 1 ]]
    sed -n 2p out | grep -q 'bytes cut'
}

@test "ctx-compact --prune-over: dense text has more tokens than plain words of the same length" {
    local digits words
    digits=$(seq 10001 10400 | tr '\n' ' ')
    words=$(repeat 200 ' the harbour of')
    { user Go.; calls a look '{}'; gets a "$digits"; calls b look '{}'; gets b "$words"; says Done.; user Bye.; } >in
    ctx-compact --pipeline prune --force --keep-messages 1 --target 10k --prune-over 700tok in >out
    grep -q 'bytes cut' <(said a)
    same 'words' <(said b in) <(said b)
    ctx-compact --pipeline prune --force --keep-messages 1 --target 10k --prune-over 2500 in >out
    same 'digits' <(said a in) <(said a)
    grep -q 'bytes cut' <(said b)
    # By a command, and again: nothing changes any more.
    ctx-compact --estimator 'cmd:jq length' --pipeline prune --force --keep-messages 1 --target 100k --prune-over 2500tok in >again
    same 'a token a byte' out again
    ctx-compact --estimator 'cmd:jq length' --pipeline prune --force --keep-messages 1 --target 100k --prune-over 2500tok again >twice
    same 'a second run' again twice
}

@test "ctx-compact: prune: passing tests in a row shrink to a line with their count, failures stay" {
    local on
    on=_$(repeat 30 on)
    {
        user Go.
        check tap 'bats tests' '1..7' 'ok 0 z' 'ok 1 a' 'ok 2 b' 'ok 3 c # skip no oil' "ok 4 d$on" "ok 5 e$on" "ok 6 f$on" 'not ok 7 g' '# lamp.c:7: error' 'ok 8 h'
        check go 'go test ./...' '=== RUN   TestA' '--- PASS: TestA (0.00s)' '=== RUN   TestB' '    lamp_test.go:3: it is dark' '--- FAIL: TestB (0.00s)' \
            '=== RUN   TestC' '--- PASS: TestC (0.00s)' '=== RUN   TestD' '--- PASS: TestD (0.01s)' '=== RUN   TestE' '--- PASS: TestE (0.00s)' 'ok  	quay	0.01s' FAIL
        check cargo 'cargo test' 'running 4 tests' 'test a::b ... ok' 'test a::c ... ok' 'test a::d ... FAILED' "test a::e$on ... ok" "test a::f$on ... ok" "test a::g$on ... ok"
        check pytest 'pytest -v' "t.py::test_a$on PASSED   [ 20%]" "t.py::test_b$on PASSED   [ 40%]" 't.py::test_c PASSED [ 60%]' 't.py::test_d FAILED [ 80%]' 't.py::test_e PASSED [100%]'
        check jest 'npm test' 'PASS src/a.test.js' '  lamp' "    ✓ burns$on (3 ms)" "    ✓ is lit$on" '' '    ✓ goes out' '    ✕ is cold' '    ✔ is warm'
        check gtest 'make check' '[ RUN      ] A.b' '[       OK ] A.b (0 ms)' '[ RUN      ] A.c' '[       OK ] A.c (0 ms)' '[ RUN      ] A.d' '[       OK ] A.d (0 ms)'
        check ctest 'make test' ' 1/3 Test #1: a ....   Passed    0.01 sec' ' 2/3 Test #2: b ....   Passed    0.01 sec' ' 3/3 Test #3: c ....   Passed    0.01 sec'
        check other 'cat notes' "ok 1 a$on" "ok 2 b$on" "ok 3 c$on" "ok 4 d$on"
        check prose 'make test' "ok then$on" "ok well$on" "ok fine$on" "ok so$on"
        check short 'make test' 'ok 1' 'ok 2' 'ok 3'
        says Done.
        user Bye.
    } >in
    prunes --target 100k --report report >out
    same tap <(printf '%s\n' '1..7' 'ok 0 z' 'ok 1 a' 'ok 2 b' 'ok 3 c # skip no oil' '[… 3 passing tests …]' 'not ok 7 g' '# lamp.c:7: error' 'ok 8 h') <(said tap)
    same go <(printf '%s\n' '=== RUN   TestA' '--- PASS: TestA (0.00s)' '=== RUN   TestB' '    lamp_test.go:3: it is dark' '--- FAIL: TestB (0.00s)' \
        '=== RUN   TestC' '[… 4 passing tests …]' FAIL) <(said go)
    same cargo <(printf '%s\n' 'running 4 tests' 'test a::b ... ok' 'test a::c ... ok' 'test a::d ... FAILED' '[… 3 passing tests …]') <(said cargo)
    same pytest <(printf '%s\n' '[… 3 passing tests …]' 't.py::test_d FAILED [ 80%]' 't.py::test_e PASSED [100%]') <(said pytest)
    same jest <(printf '%s\n' 'PASS src/a.test.js' '  lamp' '[… 3 passing tests …]' '    ✕ is cold' '    ✔ is warm') <(said jest)
    same gtest <(printf '%s\n' '[ RUN      ] A.b' '[… 3 passing tests …]') <(said gtest)
    same ctest <(echo '[… 3 passing tests …]') <(said ctest)
    for id in other prose short; do
        same "$id" <(said "$id" in) <(said "$id")
    done
    same 'the report' <(echo '[7,0,0]') <(jq -c '.prune | [.passed, .repeated, .shortened]' report)
    prunes --target 100k --plan >plan
    [[ $(grep -c '"reason":"passing tests"' plan) == 7 ]]
    # A second run finds nothing.
    cp out in
    prunes --target 100k >again
    same 'a second run' out again
}

@test "ctx-compact: prune: lines of an edit in its result shrink to a line with their count, all else stays" {
    local body='int lamp_at_the_quay(void)\n{\n\treturn lit_by_the_keeper;\n}\n'
    {
        user Go.
        calls a edit "{\"path\":\"a.c\",\"old\":\"int lamp;\",\"new\":\"$body\"}"
        gets a 'The file a.c has been updated, a snippet:\n     9→/* The quay. */\n    10→int lamp_at_the_quay(void)\n    11→{\n    12→\treturn lit_by_the_keeper;\n    13→}\n    14→\n    15→int quay;'
        calls b edit "{\"path\":\"b.c\",\"old\":\"int quay(void);\",\"new\":\"$body\"}"
        gets b '@@ -1 +1,4 @@\n-int quay(void);\n+int lamp_at_the_quay(void)\n+{\n+\treturn lit_by_the_keeper;\n+}\n b'
        calls c write "{\"path\":\"c.c\",\"content\":\"$body\"}"
        gets c 'written:\nint lamp_at_the_quay(void)\n{\n\treturn lit_by_the_keeper;\n}'
        calls d read c.c
        gets d 'int lamp_at_the_quay(void)\n{\n\treturn lit_by_the_keeper;\n}\n'
        calls e edit "{\"path\":\"e.c\",\"old\":\"a\",\"new\":\"$(repeat 60 one)\\n$(repeat 60 two)\"}"
        gets e "ok\\n$(repeat 60 one)\\n$(repeat 60 two)"
        calls f edit "{\"path\":\"f.c\",\"old\":\"a\",\"new\":\"$(repeat 60 one)\\n$(repeat 60 two)\\n$(repeat 60 three)\"}"
        gets f "$(repeat 60 one)\\n$(repeat 60 two)\\n$(repeat 60 three)"
        says Done.
        user Bye.
    } >in
    prunes --target 100k --report report >out
    same snippet <(printf '%s\n' 'The file a.c has been updated, a snippet:' '     9→/* The quay. */' '[… 4 lines of the edit …]' '    14→' '    15→int quay;') <(said a)
    same diff <(printf '%s\n' '@@ -1 +1,4 @@' '[… 5 lines of the edit …]' ' b') <(said b)
    same written <(printf '%s\n' 'written:' '[… 4 lines of the edit …]') <(said c)
    same 'a read' <(said d in) <(said d)
    same 'two lines' <(said e in) <(said e)
    same 'three lines and no other' <(echo '[… 3 lines of the edit …]') <(said f)
    same 'the report' <(echo '[0,4]') <(jq -c '.prune | [.passed, .repeated]' report)
}

@test "ctx-compact: prune: what says little shrinks before a long text is cut, and a cut tells the rest" {
    {
        user Go.
        # shellcheck disable=SC2046
        check many 'make check' $(seq -f 'ok%%%g' 200 | tr '\n' ' ') | sed 's/ok%/ok /g'
        check long 'cat notes' "$(repeat 4000 y)"
        says Done.
        user Bye.
    } >in
    # The target is reached by condensing alone.
    $compact --force --pipeline prune --keep-messages 1 --target 10k in >all
    ctx-compact --estimator bytes/4 --pipeline prune --keep-messages 1 --window 10k --soft 1300 --target 1200 in >out
    same 'the tests' <(echo '[… 200 passing tests …]') <(said many)
    same 'the long one' <(said long in) <(said long)
    grep -q 'bytes cut' <(said long all)
    # What is long still is cut, and the count is there.
    {
        user Go.
        # shellcheck disable=SC2046
        check mixed 'make check' $(seq -f 'ok%%%g' 20 | tr '\n' ' ') "$(repeat 4000 y)" | sed 's/ok%/ok /g'
        says Done.
        user Bye.
    } >in
    prunes --target 10k >out
    said mixed | head -n 1 | grep -Fx '[… 20 passing tests …]'
    grep -q 'bytes cut' <(said mixed)
    cp out in
    prunes --target 10k >again
    same 'a second run' out again
}

@test "ctx-compact: an open failure keeps its failing tests where its passing ones make room" {
    {
        user Go.
        # shellcheck disable=SC2046
        check t 'make check' $(seq -f 'ok%%%g' 300 | tr '\n' ' ') 'not ok 301 the lamp is dark' $(seq -f 'ok%%%g' 302 600 | tr '\n' ' ') |
            sed '2s/}$/,"metadata":{"is_error":true}}/; s/ok%/ok /g'
        says Hm.
        user Bye.
    } >in
    grep -q '"is_error":true' in
    prunes --target 100 >out
    same 'the failure' <(printf '%s\n' '[… 300 passing tests …]' 'not ok 301 the lamp is dark' '[… 299 passing tests …]') <(said t)
}

@test "ctx-compact --archive: a line that stands for others names the command that brings them back" {
    {
        user Go.
        # shellcheck disable=SC2046
        check a 'make check' $(seq -f 'ok%%%g' 50 | tr '\n' ' ') bad $(seq -f 'ok%%%g' 50 | tr '\n' ' ') | sed 's/ok%/ok /g'
        says Done.
        user Bye.
    } >in
    prunes --target 10k --archive archive >out
    key=$(jq -r 'select(.tool_call_id == "a").metadata.archived' out)
    same 'the lines' <(printf '%s\n' "[… 50 passing tests …; ctx-recall archive ${key:0:12}]" bad '[… 50 passing tests …]') <(said a)
    ctx-restore archive out >back
    same 'restored' in back
    ctx-recall archive "${key:0:12}:50-52" >got
    grep -q '^ok 50$' got
}

@test "ctx-compact: the three newest pairs stay native while all else goes" {
    local n
    {
        user Begin.
        says Well.
        for n in 1 2 3 4 5 6; do
            calls "c$n" look "{\"n\":$n}"
            gets "c$n" "$n $(repeat 90 y)"
        done
        for n in 1 2 3 4 5 6 7 8; do
            user "Well $n. $(repeat 200 u)"
            says "So $n. $(repeat 400 s)"
        done
        user Bye.
    } >in
    for n in 900 600 450; do
        $compact --limit "$n" --target 100% in >out
        same "limit $n" <(printf '%s\n' c4 c5 c6) <(jq -r '.tool_calls[]?.id' out | tail -n 3)
        same "results at $n" <(printf '%s\n' c4 c5 c6) <(jq -r '.tool_call_id // empty' out | tail -n 3)
    done
    # The newest answers went: the pairs are worth more.
    ! grep -q 'So 5' out || fail 'the answers are still there'
}

@test "ctx-compact: what the model said beside its calls goes with them, its answer stays" {
    {
        user Begin.
        says 'I look at the lamp first.'
        calls a look "{\"n\":\"$(repeat 300 a)\"}"
        gets a "one $(repeat 300 y)"
        says 'The lamp was dark, so I look at the quay.'
        calls b look '{"n":2}'
        gets b "two $(repeat 300 y)"
        says 'All is lit.'
        user Next.
        calls c look '{"n":3}'
        gets c three
        says Done.
        user Bye.
    } >in
    # The text behind the first call would fit.
    $compact --pipeline truncate --limit 205 --target 100% in >out
    grep -q '"id":"b"' out || fail 'the second call went, too'
    ! grep -q '"id":"a"' out || fail 'the first call is there'
    ! grep -q 'I look at the lamp first' out || fail 'what was said before the call is there'
    ! grep -q 'The lamp was dark' out || fail 'what was said behind the call is there'
    grep -q 'All is lit' out
    # A trigger that wants results gone alone takes the texts as well; an answer stays.
    $compact --pipeline truncate --force --target 10k --keep-turns 1 --when 'role=tool>1' in >out || [[ $? == 1 ]]
    ! grep -q 'I look at the lamp first\|The lamp was dark' out || fail 'a text is left without its call'
    grep -q 'All is lit' out
}

# thought N: a thinking part with a signature, as the APIs have it.
thought() {
    printf '{"type":"thinking","thinking":"I think of %s. %s","signature":"sig-%s"}' "$1" "$(repeat 300 t)" "$1"
}

# thinker: two turns of steps with thinking; the last one is followed by a question.
thinker() {
    local n
    user Begin.
    for n in 1 2 3 4; do
        raw "{\"role\":\"assistant\",\"content\":[$(thought "$n"),{\"type\":\"redacted_thinking\",\"data\":\"secret-$n\"},{\"type\":\"text\",\"text\":\"Step $n. $(repeat 90 x)\"}],\"tool_calls\":[$(call "c$n" look "{\"n\":\"$(repeat 500 a)\"}")]}"
        gets "c$n" "$n $(repeat 500 y)"
        ((n % 2)) || raw "{\"role\":\"assistant\",\"content\":[$(thought "answer $n"),{\"type\":\"text\",\"text\":\"Answer $n. $(repeat 50 z)\"}]}"
        ((n != 2)) || user 'Go on.'
    done
    user 'And now?'
}

# thinking [FILE]: the parts of thinking, one a line, each with the place of its message among those with
# an answer, and its own.
thinking() {
    jq -c 'select(.role == "assistant") | .content | arrays | to_entries[] |
        select(.value.type | test("thinking")) | [.key, .value]' "${1-out}"
}

@test "ctx-compact: the thinking of the newest turn that was answered stays as it is, whatever is done" {
    local how
    thinker >in
    thinking in >all
    tail -n 5 all >newest
    grep -q 'sig-answer 4' newest
    while IFS= read -r how; do
        # shellcheck disable=SC2086
        ctx-compact --estimator bytes/4 --best-effort $how in >out 2>messages || [[ $? == 1 ]]
        ! cmp -s in out || fail "nothing was done by $how"
        thinking >got
        # Of the newest turn each message goes whole or keeps all of its thinking, in its order.
        grep 'sig-3\|secret-3\|sig-4\|secret-4\|sig-answer 4' got >kept || [[ $? == 1 ]]
        is_subsequence kept newest
        for n in 3 4; do
            [[ $(grep -c "\"sig-$n\"\|secret-$n\"" kept) == @(0|2) ]] || fail "half of the thinking of step $n with $how"
            [[ $(grep -v '"kind":"summary"' out | grep -c "Step $n\\.") == $(grep -c "\"sig-$n\"" kept) ]] || fail "step $n without its thinking with $how"
        done
        ! grep -v '"kind":"summary"' out | grep -q 'Answer 4' || grep -q 'sig-answer 4' kept || fail "the answer without its thinking with $how"
    done <<'END'
--force --target 1 --pipeline prune --keep-messages 1
--force --target 1 --pipeline prune --keep-messages 1 --prune-over 20tok
--force --target 300 --keep-messages 1
--force --target 100 --pipeline prune,truncate --keep-turns 0
--limit 900
--limit 500
--limit 250
--limit 120
--limit 60
--strategy simple --limit 400 --keep-messages 4
--strategy tokens --limit 500
--strategy summarize --limit 400
--strategy symbolize --limit 400
END
    # Of earlier turns it goes.
    prunes --target 1 >out
    ! thinking | grep -q 'sig-1\|sig-2' || fail 'old thinking is there'
    same 'all of the newest turn' newest <(thinking | tail -n 5)
}

@test "ctx-compact: the thinking of the newest turn stays as it is in what is written for an API" {
    local to
    thinker >in
    prunes --target 1 >out
    ctx-compact --estimator bytes/4 --limit 900 --best-effort in >fits || [[ $? == 1 ]]
    for to in out fits; do
        ctx-normalize --to anthropic "$to" >request 2>messages || [[ $? == 65 ]]
        jq -r '.. | .signature? // empty' request | tail -n 3 >got
        same "of $to" <(printf '%s\n' sig-3 sig-4 'sig-answer 4' | tail -n "$(wc -l <got)") got
        [[ -s got ]] || fail "nothing of $to"
    done
}
