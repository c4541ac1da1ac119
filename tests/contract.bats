#!/usr/bin/env bats
#
# What every command owes, whatever its policy: the stream, the diagnostics and the exit statuses.

load helper

# How each filter is asked to let everything pass, where that is not its name alone; ctx-compile runs
# filters and owes the same.
declare -gA passing=(
    [ctx-isolate]='ctx-isolate --policy transparent'
    [ctx-project]='ctx-project --view all'
    [ctx-select]='ctx-select --reject id=-'
    [ctx-redact]='ctx-redact --where id=-'
    [ctx-restore]="ctx-restore $FIXTURES/empty.archive"
    [ctx-compile]="ctx-compile --profile $ROOT/tests/fixtures/all.profile"
)
# plain: those that need no operand in front of the files; streaming: those that hold nothing back when
# everything passes; keeping: those by which bad lines pass. Found out once for all tests.
setup_file() {
    local command
    local -a every plain=() streaming=() keeping=()
    mapfile -t every < <(commands filter; echo ctx-compile)
    for command in "${every[@]}"; do
        case $("$command" --help) in
        "usage: $command [option]... [file]..."*) [[ $command == ctx-compile ]] || plain+=("$command") ;;
        esac
        # These hold the session, whatever is asked of them.
        [[ $command == @(ctx-compact|ctx-restore) ]] || streaming+=("$command")
        # A bad line may hold a secret: it does not pass.
        [[ $command == ctx-redact ]] || keeping+=("$command")
    done
    export EVERY="${every[*]}" PLAIN="${plain[*]}" STREAMING="${streaming[*]}" KEEPING="${keeping[*]}"
}
read -r -a every <<<"${EVERY-}"
read -r -a plain <<<"${PLAIN-}"
read -r -a streaming <<<"${STREAMING-}"
read -r -a keeping <<<"${KEEPING-}"
for command in "${every[@]}"; do
    : "${passing[$command]:=$command}"
done

# but COMMAND... -- COMMAND...: the second ones without the first.
but() {
    local -A out=()
    local command
    while [[ $1 != -- ]]; do out[$1]=1 && shift; done
    for command in "${@:2}"; do [[ -n ${out[$command]-} ]] || printf '%s\n' "$command"; done
}

# Who names what is wrong with the stream: ctx-compile leaves that to its stages.
speaker() {
    case $1 in
    ctx-compile) echo ctx-project ;;
    *) echo "$1" ;;
    esac
}

# piped COMMAND: the same with the operands that it needs where a pipe ends with it.
piped() {
    case $1 in
    ctx-select) echo "$1 SELECTOR" ;;
    ctx-restore) echo "$1 ARCHIVE" ;;
    *) speaker "$1" ;;
    esac
}

# ends COMMAND STATUS: what the command itself adds when it fails.
ends() {
    [[ $1 != ctx-compile ]] || printf "ctx-compile: stage 'view': ctx-project ended with status %s\n" "$2"
}

user='{"role":"user","content":"Is the gate open?","x":[1.0,{"é":"\u00e9"}]}'
routed='{"role":"user","content":"Is the gate open?","metadata":{"origin":"user","execution_id":"e1"}}'

# pass COMMAND FILE...: lets the files pass, to standard output without the budget record that
# ctx-budget and ctx-compact put at the end; its place and final newline are part of the contract.
pass() {
    local command=$1 status=0
    shift
    # shellcheck disable=SC2086
    case $command in
    ctx-budget | ctx-compact)
        ${passing[$command]} "$@" >"$BATS_TEST_TMPDIR/passed" 2>"$BATS_TEST_TMPDIR/diagnostics" || status=$?
        without_budget <"$BATS_TEST_TMPDIR/passed"
        ;;
    *) ${passing[$command]} "$@" 2>"$BATS_TEST_TMPDIR/diagnostics" || status=$? ;;
    esac
    return "$status"
}

# The stream without a budget record that was added as its last; the bytes before keep their end.
without_budget() {
    perl -0777 -pe 's/\n?\{"type":"budget"[^\n]*(\n?)\z/$1/'
}

# for_each FUNCTION COMMAND...: calls the function with each of the commands, in a directory of its
# own. The last name printed is that of the command that failed. (No || anywhere above an assertion:
# it would switch off set -e below it.)
for_each() {
    local check=$1 command
    shift
    mkdir "${@/#/$BATS_TEST_TMPDIR/}"
    for command in "$@"; do
        printf 'with %s:\n' "$command"
        cd "$BATS_TEST_TMPDIR/$command" || return
        "$check" "$command"
    done
    cd "$BATS_TEST_TMPDIR/work" || return
}

# A conversation of $1 bytes or a little more.
long_conversation() {
    awk -v size="$1" 'BEGIN {
        while (done < size) {
            line = "{\"role\":\"user\",\"content\":\"question " ++n "\"}\n{\"role\":\"assistant\",\"content\":\"answer " n "\"}"
            print line
            done += length(line) + 1
        }
    }'
}

@test "every command: empty input is no error, and nothing comes of it" {
    for_each empty "${plain[@]}"
}

empty() {
    spec <<END
${passing[$1]} >out; status=\$?; perl -0777 -ne 'print unless /\A\{"type":"budget"[^\n]*\n?\z/' out; rm out; exit \$status
END
}

@test "every command: blank lines, CRLF and a byte order mark leave as they came" {
    for_each keeps_lines "${every[@]}"
}

# What a command made of a file once, it leaves alone the second time; all but ctx-route make
# nothing of these files at all.
keeps_lines() {
    local name
    for name in blank-lines crlf crlf-mixed bom no-final-newline escapes; do
        pass "$1" "$FIXTURES/hostile-$name.jsonl" >once
        if [[ $1 == ctx-route ]]; then
            same "$name: blank lines" <(grep -n $'^[ \t\r]*$' "$FIXTURES/hostile-$name.jsonl") <(grep -n $'^[ \t\r]*$' once)
        else
            same "$name" "$FIXTURES/hostile-$name.jsonl" once
        fi
        pass "$1" once >twice
        same "$name, the second time" once twice
        [[ ! -s $BATS_TEST_TMPDIR/diagnostics ]]
    done
}

@test "every command: the output ends as the input ended" {
    for_each keeps_end "${every[@]}"
}

keeps_end() {
    printf '%s' "$routed" >open
    printf '%s\n' "$routed" >closed
    printf '%s\r\n' "$routed" >crlf
    local end
    for end in open closed crlf; do
        # shellcheck disable=SC2086
        ${passing[$1]} "$end" >out
        # A budget record comes on a line of its own, whose end is that of the input.
        same "$end" <(tail -c 1 "$end") <(tail -c 1 out)
        pass "$1" "$end" >out
        same "$end" "$end" out
    done
}

@test "every command: unknown members, spelling and spacing of untouched records stay" {
    for_each keeps_members $(but ctx-route -- "${every[@]}")
}

keeps_members() {
    {
        printf '%s\n' "$user"
        printf '%s\n' ' { "content" : "A\u0020b\/c" , "role":"\u0061ssistant", "n":1.50e+3, "a":[ ], "z":{"role":"tool"}	} '
        # Results in the order of their calls: what ctx-normalize has no reason to touch.
        ctx-normalize "$FIXTURES/ctx-metadata.jsonl"
    } >in
    pass "$1" in >out
    same 'records' in out
}

@test "every command: a bad line keeps its place, is named, and gives 65" {
    for_each keeps_bad_lines "${keeping[@]}"
}

keeps_bad_lines() {
    local file=$FIXTURES/hostile-syntax.jsonl
    local status=0
    pass "$1" "$file" >out || status=$?
    [[ $status == 65 ]] || fail "status $status"
    same 'lines that are no messages' <(grep -vn 'gate open\|c1\|It is open' "$file") <(grep -vn 'gate open\|c1\|It is open' out)
    cat >want <<END
$(speaker "$1"): $file:1: expected a member name, at byte 28
$(speaker "$1"): $file:2: expected a member name, at byte 2
$(speaker "$1"): $file:3: unexpected end, at byte 15
$(speaker "$1"): $file:4: bytes after the value, at byte 16
$(speaker "$1"): $file:5: control character in a string, at byte 30
$(speaker "$1"): $file:6: invalid escape, at byte 28
$(speaker "$1"): $file:7: expected ',' or '}', at byte 27
$(speaker "$1"): $file:8: expected a value, at byte 26
$(speaker "$1"): $file:9: expected a value, at byte 1
$(speaker "$1"): $file:14: unexpected end, at byte 4
END
    same 'diagnostics' want "$BATS_TEST_TMPDIR/diagnostics"
}

@test "every command: NUL, invalid UTF-8, deep nesting, repeated members and a torn line are bad lines" {
    for_each keeps_hostile "${keeping[@]}"
}

# Of each file those lines and no other are reported, and pass.
keeps_hostile() {
    local -A bad=([nul]='2 3' [utf8]=2 [deep]='3 4' [duplicates]='2 3 4 5' [torn]=2)
    local name file status line
    for name in "${!bad[@]}"; do
        file=$FIXTURES/hostile-$name.jsonl
        status=0
        pass "$1" "$file" >out || status=$?
        [[ $status == 65 ]] || fail "$name: status $status"
        # shellcheck disable=SC2086
        same "$name: lines reported" <(printf '%s\n' ${bad[$name]}) <(cut -d: -f3 "$BATS_TEST_TMPDIR/diagnostics")
        if [[ $1 != ctx-route ]]; then
            same "$name" "$file" out
            continue
        fi
        for line in ${bad[$name]}; do
            same "$name:$line" <(sed -n "${line}p" "$file") <(sed -n "${line}p" out)
        done
    done
}

@test "every command: --bad-lines=stop ends at the first bad line, --bad-lines=drop sends them away" {
    for_each bad_lines "${every[@]}"
}

bad_lines() {
    printf '%s\n' "$routed" '{bad}' "${routed/e1/e2}" >in
    local status=0
    pass "$1" --bad-lines=stop in >out || status=$?
    [[ $status == 65 ]] || fail "stop: status $status"
    same 'stop' <(head -n 1 in) out
    status=0
    pass "$1" --bad-lines=drop --bad-file=bad in >out || status=$?
    [[ $status == 65 ]] || fail "drop: status $status"
    same 'drop' <(sed 2d in) out
    same 'the bad file' <(sed -n 2p in) bad
    rm in out bad
    # shellcheck disable=SC2086
    status_of 64 ${passing[$1]} --bad-lines=drop </dev/null 2>got
    same 'no file' <(echo "$(speaker "$1"): --bad-lines=drop requires --bad-file; try '$(speaker "$1") --help'"; ends "$1" 64) got
    # shellcheck disable=SC2086
    status_of 73 ${passing[$1]} --bad-lines=drop --bad-file=no/such/directory </dev/null 2>got
    same 'no place' <(echo "$(speaker "$1"): cannot create 'no/such/directory': No such file or directory"; ends "$1" 73) got
}

@test "every command: a line over --max-line is a bad line and passes" {
    for_each max_line "${keeping[@]}"
}

max_line() {
    local status=0
    { printf '%s\n' "$routed"; printf '{"role":"user","content":"%01000d"}\n' 0; printf '%s\n' "${routed/e1/e2}"; } >in
    pass "$1" --max-line=1000 in >out || status=$?
    [[ $status == 65 ]]
    same 'records' in out
    printf '%s\n' "$(speaker "$1"): in:2: line longer than --max-line, at byte 1001" >want
    same 'diagnostics' want "$BATS_TEST_TMPDIR/diagnostics"
}

@test "every command: --max-line is between 1 and 4G" {
    for_each max_line_bounds "${plain[@]}"
}

max_line_bounds() {
    local size
    for size in 0 4000000001 5G; do
        spec <<END
$1 --max-line=$size
>>>2 $1: bad value of --max-line, expected 1 to 4G; try '$1 --help'
>>>= 64
END
    done
    [[ $(pass "$1" --max-line=4G <<<"$routed") == "$routed" ]]
}

@test "every command: foreign records pass in their place without a word" {
    for_each foreign "${every[@]}"
}

foreign() {
    pass "$1" "$FIXTURES/hostile-foreign.jsonl" >out
    same 'foreign records' <(grep -vn 'gate"\|gate open\|open' "$FIXTURES/hostile-foreign.jsonl") <(grep -vn 'gate"\|gate open\|open' out)
    [[ ! -s $BATS_TEST_TMPDIR/diagnostics ]]
}

# What another dialect says beside canonical messages would pass as if nobody had spoken.
@test "ctx-redact, ctx-isolate: JSON over several lines is told by what it looks like, a torn first line is not" {
    printf '{\n "role": "user",\n "content": "a"\n}\n' >in
    spec <<'END'
ctx-isolate --bad-lines=stop in
>>>2 ctx-isolate: in:1: unexpected end, at byte 2
>>>2 ctx-isolate: in: looks like JSON over several lines; try ctx-normalize in | ctx-isolate
>>>= 65
END
    printf '{\n%s\n' "$routed" >in
    spec <<'END'
ctx-redact in
>>>2 ctx-redact: in:1: unexpected end, at byte 2
>>>= 65
END
}

@test "every command: a note beside a message is no sign of another dialect" {
    for_each speaks_not "${every[@]}"
}

@test "every command: records of another dialect that speak, beside messages, are named and give 65" {
    for_each speaks_other $(but ctx-normalize -- "${every[@]}")
    # ctx-normalize reads what it can, and names the rest.
    printf '%s\n' "$routed" "$payload" >mixed
    status_of 65 ctx-normalize mixed >got 2>said
    same 'records' mixed got
    grep -q "mixed:2: unknown-shape: .*looks like qwen-code" said
    same 'of another dialect' <(printf '%s\n' user user) <(ctx-normalize <(echo "$routed") "$FIXTURES/claude-code-parallel.jsonl" | jq -r .role | head -n 2)
}

payload='{"uuid":"u","message":{"role":"user","parts":[{"text":"a"}]}}'

speaks_not() {
    local n
    { echo "$routed"; for n in {1..38}; do echo '{"type":"note"}'; done; echo '{"type":"summary","summary":"s","leafUuid":"u"}'; } >notes
    pass "$1" notes >out
    same 'notes' notes out
    [[ ! -s $BATS_TEST_TMPDIR/diagnostics ]] || fail "$(<"$BATS_TEST_TMPDIR/diagnostics")"
    # Nor is one with words, where no dialect has its like; ctx-normalize names what it does not understand.
    [[ $1 != ctx-normalize* ]] || return 0
    echo '{"type":"odd","id":"1","timestamp":"t","content":"words"}' >>notes
    pass "$1" notes >out
    same 'words' notes out
    [[ ! -s $BATS_TEST_TMPDIR/diagnostics ]] || fail "$(<"$BATS_TEST_TMPDIR/diagnostics")"
}

speaks_other() {
    local status=0 name record
    printf '%s\n' "$routed" '{"type":"note"}' "$payload" "$payload" >mixed
    pass "$1" mixed >out || status=$?
    [[ $status == 65 ]] || fail "status $status"
    same 'records' mixed out
    same 'diagnostics' <(echo "$(speaker "$1"): mixed:3: other-dialect: the first of 2 records of another dialect beside messages; looks like qwen-code") \
        "$BATS_TEST_TMPDIR/diagnostics"
    # Those whose role stands one level below, or is their type.
    while read -r name record; do
        printf '%s\n' "$routed" "$record" >mixed
        status=0
        pass "$1" mixed >out || status=$?
        [[ $status == 65 ]] || fail "$name: status $status"
        same 'records' mixed out
        grep -q "mixed:2: other-dialect: .*looks like $name" "$BATS_TEST_TMPDIR/diagnostics" || fail "$name"
    done <<'END'
gemini-cli {"id":"g","timestamp":"2026-11-20T09:00:04.000Z","type":"gemini","content":"a"}
opencode {"info":{"id":"m","sessionID":"s","role":"assistant"},"parts":[{"type":"text","text":"a"}]}
openhands {"source":"agent","llm_message":{"role":"assistant","content":[]}}
END
    # One that is read; whatever stands first.
    { sed -n 1p "$FIXTURES/claude-code-parallel.jsonl"; echo "$routed"; } >mixed
    pass "$1" mixed >out || status=$?
    same 'records' mixed out
    same 'diagnostics' <(echo "$(speaker "$1"): mixed:1: other-dialect: the first of 1 records of another dialect beside messages; looks like claude-code") \
        "$BATS_TEST_TMPDIR/diagnostics"
}

@test "every command: messages of another dialect beside canonical ones are named and give 65" {
    for_each says_blocks $(but ctx-normalize -- "${every[@]}")
}

says_blocks() {
    local status=0 block
    for block in '{"type":"text","text":"a"}' '{"type":"image_url","image_url":{"url":"u"}}' '{"type":"image","source":{"type":"url","url":"u"}}'; do
        printf '%s\n' "$routed" "{\"role\":\"user\",\"content\":[$block],\"metadata\":{}}" "{\"role\":\"user\",\"content\":[$block]}" >parts
        pass "$1" parts >out || fail "$block: status $?"
    done
    # Alone they are one format, whose calls and results are known.
    printf '%s\n' '{"role":"user","content":"a"}' "${blocks[@]}" '{"role":"user","content":"s","metadata":{"kind":"summary","compacted":true}}' >alone
    pass "$1" alone >out || fail "alone: status $?"
    printf '%s\n' "${blocks[@]}" "$routed" >mixed
    pass "$1" mixed >out || status=$?
    [[ $status == 65 ]] || fail "status $status"
    [[ $1 == ctx-route ]] || same 'records' mixed out
    [[ $(grep -c '"toolu_1"' out) == 2 ]] || fail "$(<out)"
    same 'diagnostics' <(echo "$(speaker "$1"): mixed:1: other-dialect: the first of 2 messages of another dialect beside canonical ones; looks like anthropic") \
        "$BATS_TEST_TMPDIR/diagnostics"
    # Items of the Responses API say what they are by their parts.
    printf '%s\n' "$routed" "$item" >mixed
    status=0
    pass "$1" mixed >out || status=$?
    [[ $status == 65 ]] || fail "an item: status $status"
    same 'an item' <(echo "$(speaker "$1"): mixed:2: other-dialect: the first of 1 messages of another dialect beside canonical ones; looks like responses") \
        "$BATS_TEST_TMPDIR/diagnostics"
    printf '%s\n' '{"role":"user","content":"a"}' "$item" >alone
    pass "$1" alone >out || fail "an item alone: status $?"
    # So is an answer that only says something. Signed thinking is ours, too.
    printf '%s\n' '{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"s"},{"type":"text","text":"a"}]}' "$routed" >ours
    pass "$1" ours >out || fail "thinking: status $?"
    printf '%s\n' "$routed" "$said" >mixed
    status=0
    pass "$1" mixed >out || status=$?
    [[ $status == 65 ]] || fail "an answer: status $status"
    same 'an answer' <(echo "$(speaker "$1"): mixed:2: other-dialect: the first of 1 messages of another dialect beside canonical ones; looks like anthropic") \
        "$BATS_TEST_TMPDIR/diagnostics"
    printf '%s\n' '{"role":"user","content":"a"}' "$said" >alone
    pass "$1" alone >out || fail "an answer alone: status $?"
}

item='{"type":"message","role":"user","content":[{"type":"input_text","text":"a"}]}'

said='{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"a"}],"stop_reason":"end_turn","usage":{"output_tokens":1}}'

blocks=(
    '{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"read","input":{}}]}'
    '{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"}]}'
)

@test "ctx-budget, ctx-diff, ctx-select, ctx-show: every form names records of another dialect" {
    { echo "$routed"; sed -n 1p "$FIXTURES/claude-code-parallel.jsonl"; } >mixed
    local form
    for form in 'ctx-budget --table' 'ctx-budget --brief' 'ctx-budget --each' 'ctx-budget --by role' 'ctx-budget --json' \
        'ctx-select --count role=user' 'ctx-show' 'ctx-show --timeline' 'ctx-diff --stat mixed'; do
        # shellcheck disable=SC2086
        status_of 65 $form mixed >/dev/null 2>said
        grep -q '^ctx-[a-z]*: mixed:2: other-dialect: ' said || fail "$form: $(<said)"
    done
    # With --each a file of its own is no mixture, and is read; one that is no log, and one with a role
    # without content, are named.
    echo "$routed" >whole
    ctx-budget --each whole "$FIXTURES/claude-code-parallel.jsonl" >each
    [[ $(tail -n 1 each) == *claude-code-parallel.jsonl* ]]
    echo '{"kind":"note"}' >note
    status_of 65 ctx-budget --each whole note >/dev/null 2>said
    same 'said' <(echo 'ctx-budget: note: no messages') said
    { echo "$routed"; echo '{"role":"model","parts":[{"text":"x"}]}'; } >mixed
    status_of 65 ctx-budget --each mixed whole >/dev/null 2>said
    grep -q 'mixed:2: unknown-shape: ' said
    # Nothing is replaced by a part of it.
    cp mixed before
    status_of 65 ctx-compact -i --limit 9k mixed 2>said
    cmp before mixed
}

@test "every command but ctx-normalize: no message among records gives 65 and a hint" {
    for_each no_message $(but ctx-normalize -- "${plain[@]}")
}

no_message() {
    local status=0 looks=
    pass "$1" "$FIXTURES/claude-code-parallel.jsonl" >out || status=$?
    [[ $status == 65 ]] || fail "status $status"
    same 'records' "$FIXTURES/claude-code-parallel.jsonl" out
    [[ $1 != ctx-budget ]] || looks=', or only look, with --table, --brief or --json'
    [[ $1 != ctx-select ]] || looks=', or only look, with --count'
    printf '%s: no messages; looks like claude-code, try ctx-normalize --from claude-code %s | %s%s\n' \
        "$1" "$FIXTURES/claude-code-parallel.jsonl" "$(piped "$1")" "$looks" >want
    same 'diagnostics' want "$BATS_TEST_TMPDIR/diagnostics"
    status=0
    pass "$1" "$FIXTURES/hostile-no-message.jsonl" >out || status=$?
    [[ $status == 65 ]] || fail "status $status"
    same 'records' "$FIXTURES/hostile-no-message.jsonl" out
}

@test "every command: a record of 64 MiB passes" {
    { printf '{"role":"user","content":"'; head -c $((64 << 20)) /dev/zero | tr '\0' '\134'; printf '"}\n'; } >huge
    for_each huge_record $(but ctx-route -- "${every[@]}")
    # ctx-route adds metadata to it.
    ctx-route huge >out
    cmp -n $((64 << 20)) huge out
    (set -o pipefail && ctx-route out | cmp - out)
}

huge_record() {
    local -a options=()
    [[ $1 != ctx-compact && $1 != ctx-budget ]] || options=(--window=1G)
    (set -o pipefail && pass "$1" "${options[@]}" ../work/huge | cmp - ../work/huge)
}

@test "every command: several operands are one stream, - is standard input, -- ends the options" {
    for_each operands "${every[@]}"
}

operands() {
    printf '%s\n' "$routed" >a
    printf '%s\n' "${routed/e1/e2}" >-b
    printf '%s' "${routed/e1/e3}" >c
    cat a -- -b c >all
    pass "$1" a -- -b c >out
    same 'a -- -b c' all out
    pass "$1" a - c <-b >out
    same 'a - c' all out
    pass "$1" <all >out
    same 'no operand' all out
    pass "$1" - <all >out
    same '-' all out
    # The last line of c has no end: it gets one before the first line of a.
    pass "$1" c a >out
    same 'c a' <(printf '%s\n%s\n' "${routed/e1/e3}" "$routed") out
    pass "$1" c c >out
    same 'c c' <(printf '%s\n%s' "${routed/e1/e3}" "${routed/e1/e3}") out
}

@test "every command: a byte order mark that starts a later operand is removed" {
    for_each byte_order_marks "${every[@]}"
}

byte_order_marks() {
    printf '\xef\xbb\xbf%s\n' "$routed" >a
    pass "$1" a a >out
    same 'two operands' <(printf '\xef\xbb\xbf%s\n%s\n' "$routed" "$routed") out
}

@test "every command: a missing operand gives 66, a directory too" {
    for_each missing "${plain[@]}"
}

missing() {
    mkdir directory
    spec <<END
$1 missing.jsonl
>>>2 $1: cannot open 'missing.jsonl': No such file or directory
>>>= 66
END
    spec <<END
$1 directory
>>>2 $1: cannot read 'directory': is a directory; name the files in it
>>>= 66
END
}

@test "every command: an unknown option gives 64, and the one that was meant" {
    for_each unknown_option "${every[@]}"
}

@test "every command: what is meant elsewhere is never what is suggested" {
    local command option
    for command in "${every[@]}"; do
        "$command" --help | grep -o -- '--[a-z][a-z-]*' | sort -u >"$command.options"
    done
    sort -u ./*.options >options
    for command in "${every[@]}"; do
        while read -r option; do
            # Whoever types this to ctx-route means its system prompt; others keep by several options.
            # --invert is near to --inject, --tools of ctx-route to --tool, and what --check asks of a profile has a name of its own.
            # --agent of ctx-project is one of the agents that --agents reads.
            [[ "$command $option" != @('ctx-route --system'|'ctx-isolate --keep'|'ctx-compact --keep'|'ctx-project --invert'|'ctx-compile --check'|'ctx-'*' --tools'|'ctx-'*' --agent'|'ctx-project --agents') ]] || continue
            status_of 64 "$command" "$option" </dev/null 2>>said
        done < <(comm -13 "$command.options" options)
    done
    [[ -s said ]]
    same 'what is suggested' /dev/null <(grep -e 'did you mean' -e 'there are' said)
}

# advises COMMAND OPTION TEXT: what is said of an option that other programs have.
advises() {
    status_of 64 "$1" "$2" </dev/null 2>said
    same "$2" <(echo "$1: unknown option '${2%%=*}'$3; try '$1 --help'") said
}

@test "every command: what other programs call something is led to what does it here" {
    local command
    for command in "${every[@]}"; do
        [[ $command == @(ctx-compile|ctx-normalize) ]] || {
            advises "$command" -o "; type '$command FILE >OUTPUT'"
            advises "$command" --output=x "; type '$command FILE >OUTPUT'"
        }
        "$command" --help | grep -q -- ' --in-place' || {
            advises "$command" -i "; type '$command FILE >FILE.new && mv FILE.new FILE'"
            advises "$command" --in-place "; type '$command FILE >FILE.new && mv FILE.new FILE'"
        }
        advises "$command" --quiet '; without --verbose only what is wrong is said'
        [[ $command == ctx-compact ]] ||
            advises "$command" --dry-run "; '$command FILE' changes no file: look at what it prints"
    done
    advises ctx-compact --dry-run '; --plan does that'
    advises ctx-compact --inplace '; --in-place does that'
    advises ctx-project --tail '; --messages does that'
    advises ctx-compact --tail "; 'ctx-project -n N FILE' writes the newest messages"
    advises ctx-budget --head "; type 'head -n N FILE | ctx-budget'"
    advises ctx-compact --redact "; type 'ctx-redact FILE | ctx-compact'"
    advises ctx-project --redact "; type 'ctx-redact FILE | ctx-project'"
    advises ctx-budget --against "; type 'ctx-diff --stat OLD NEW'"
    for command in "${every[@]}"; do
        [[ $command == ctx-@(compact|budget|compile) ]] ||
            advises "$command" --budget "; 'ctx-project --last 16k FILE' writes the newest that fit"
        advises "$command" --undo "; type 'ctx-restore ARCHIVE FILE'"
    done
    advises ctx-compact --max-tokens '; --limit does that'
    advises ctx-project --max-tokens=8k "; 'ctx-project --last 16k FILE' writes the newest that fit"
    advises ctx-project --context-window "; type 'ctx-compact --window TOKENS FILE'"
    advises ctx-budget --context-size '; --window does that'
    advises ctx-compact --fit '; --limit does that'
    advises ctx-project --compress "; type 'ctx-compact --limit TOKENS FILE'"
    advises ctx-compact --summarize '; --summarizer does that'
    advises ctx-compact --keep-last '; --keep-messages does that'
    advises ctx-project --keep-last "; 'ctx-project -n N FILE' writes the newest messages"
    advises ctx-project --trim '; --last does that'
    advises ctx-compact --last "; 'ctx-project --last 16k FILE' writes the newest that fit"
    advises ctx-compact --recall "; type 'ctx-recall ARCHIVE KEY'"
    advises ctx-compact --search "; type 'ctx-show -e text~ERE FILE', or 'ctx-recall --search ERE ARCHIVE'"
    advises ctx-budget --cost '; --model does that'
    advises ctx-select --cost "; type 'ctx-budget --table --model NAME FILE'"
    advises ctx-project --stats "; type 'ctx-budget --table FILE'"
    advises ctx-normalize --format '; --to does that'
    advises ctx-project --to "; type 'ctx-project FILE | ctx-normalize --to FORMAT'"
    advises ctx-compact --from "; type 'ctx-normalize --from FORMAT FILE | ctx-compact'"
    advises ctx-compact --keep "; there are '--keep-turns', '--keep-tokens' and '--keep-messages'"
    advises ctx-isolate --keep "; there are '--keep-results' and '--keep-tokens'"
    advises ctx-compact --keep-tunrs ", did you mean '--keep-turns'?"
    advises ctx-compact --keep-terms ''
    advises ctx-compact --ke ''
    advises ctx-budget --max ''
}

unknown_option() {
    spec <<END
$1 --bad-linse=keep
>>>2 $1: unknown option '--bad-linse', did you mean '--bad-lines'?; try '$1 --help'
>>>= 64
END
    spec <<END
$1 --bad-l
>>>2 $1: unknown option '--bad-l', did you mean '--bad-lines'?; try '$1 --help'
>>>= 64
END
    spec <<END
$1 --nothing-like-it
>>>2 $1: unknown option '--nothing-like-it'; try '$1 --help'
>>>= 64
END
    spec <<END
$1 -Q
>>>2 $1: unknown option '-Q'; try '$1 --help'
>>>= 64
END
    spec <<END
$1 --bad-lines=often
>>>2 $1: bad value 'often' of --bad-lines, expected one of keep, stop, drop; try '$1 --help'
>>>= 64
END
}

@test "every command: a full disk gives 74, also for the smallest output" {
    for_each full_disk "${every[@]}"
}

full_disk() {
    long_conversation 1000000 >long
    local file
    for file in long "$FIXTURES/route-no-call.jsonl"; do
        printf '%s: cannot write to standard output: No space left on device\n' "$(speaker "$1")" >want
        ends "$1" 74 >>want
        # shellcheck disable=SC2086
        status_of 74 ${passing[$1]} "$file" >/dev/full 2>got
        same 'diagnostics' want got
    done
    status_of 74 "$1" --help >/dev/full 2>got
    same 'diagnostics of --help' <(echo "$1: cannot write to standard output: No space left on device") got
}

@test "every command: a closed standard output gives 74" {
    for_each closed_output "${every[@]}"
}

closed_output() {
    printf '%s: cannot write to standard output: Bad file descriptor\n' "$(speaker "$1")" >want
    ends "$1" 74 >>want
    # shellcheck disable=SC2086
    status_of 74 ${passing[$1]} "$FIXTURES/route-no-call.jsonl" 2>got >&-
    same 'diagnostics' want got
    status_of 74 "$1" --version 2>got >&-
    same 'diagnostics of --version' <(echo "$1: cannot write to standard output: Bad file descriptor") got
}

@test "every command: a closed standard input gives 74, not empty output and 0" {
    for_each closed_input "${every[@]}"
}

closed_input() {
    # shellcheck disable=SC2086
    status_of 74 ${passing[$1]} 2>got >out <&-
    [[ ! -s out ]]
    same 'diagnostics' <(printf "%s: cannot read '-': Bad file descriptor\n" "$(speaker "$1")"; ends "$1" 74) got
}

@test "every command: a reader that leaves ends it by SIGPIPE, silently" {
    long_conversation 4000000 >long
    for_each reader_leaves "${every[@]}"
}

reader_leaves() {
    local -a status
    # shellcheck disable=SC2086
    ${passing[$1]} ../work/long 2>diagnostics | head -c 1 >/dev/null && status=("${PIPESTATUS[@]}") ||
        status=("${PIPESTATUS[@]}")
    [[ ${status[0]} == 141 ]] || fail "status ${status[0]}"
    [[ ! -s diagnostics ]]
}

@test "every command: where SIGPIPE is ignored, a reader that leaves gives 141, silently" {
    long_conversation 4000000 >long
    for_each reader_leaves_ignored "${every[@]}"
}

reader_leaves_ignored() {
    trap '' PIPE
    reader_leaves "$1"
    trap - PIPE
}

@test "every command: a pipe that does not block loses nothing" {
    long_conversation 3000000 >long
    for_each nonblocking "${every[@]}"
}

nonblocking() {
    # shellcheck disable=SC2086
    perl -e 'use Fcntl; fcntl(STDOUT, F_SETFL, O_NONBLOCK | fcntl(STDOUT, F_GETFL, 0)) or die; exec @ARGV or die' \
        ${passing[$1]} ../work/long 2>diagnostics | (sleep 0.1 && cat) >got
    # shellcheck disable=SC2086
    ${passing[$1]} ../work/long >want
    cmp want got
    [[ ! -s diagnostics ]]
}

@test "every streaming command: a message leaves while the writer keeps the pipe open" {
    for_each live $(but ctx-redact -- "${streaming[@]}")
}

live() {
    local line expected reader status=0
    mkfifo in out
    # shellcheck disable=SC2086
    ${passing[$1]} <in >out 3>&- &
    exec 8>in 7<out
    for expected in "$routed" "${routed/e1/e2}" '{bad}'; do
        printf '%s\n' "$expected" >&8
        IFS= read -r -t 10 line <&7 || fail "$1: nothing came within ten seconds" || status=1
        [[ $line == "$expected" ]] || fail "expected $expected, got $line" || status=1
        ((!status)) || break
    done
    # Half a line is nobody's business yet.
    printf '%s' "${routed/e1/e3}" >&8
    ! read -r -t 0.05 line <&7 || fail "half a line left" || status=1
    exec 8>&-
    cat <&7 >rest
    exec 7<&-
    wait $! && reader=0 || reader=$?
    [[ $reader == 65 ]] || fail "status $reader" || status=1
    same 'the rest' <(printf '%s' "${routed/e1/e3}") <(without_budget <rest) || status=1
    return "$status"
}

@test "every command: --report writes one JSON object, -v one line on standard error" {
    for_each report $(but ctx-compile -- "${every[@]}")
}

report() {
    # shellcheck disable=SC2086
    ${passing[$1]} --report report.json "$FIXTURES/route-one-call.jsonl" >out
    [[ $(jq -r '[.command, .records, .messages, .bad, .status] | map(tostring) | join(" ")' report.json) == "$1 4 4 0 0" ]]
    [[ $(wc -l <report.json) == 1 ]]
    # shellcheck disable=SC2086
    ${passing[$1]} -v "$FIXTURES/route-one-call.jsonl" 2>said >out2
    same 'the output' out out2
    [[ $(wc -l <said) == 1 && $(<said) == "$1: "* ]]
    # shellcheck disable=SC2086
    status_of 73 ${passing[$1]} --report no/such/file "$FIXTURES/route-one-call.jsonl" 2>said >out
    same 'diagnostics' <(printf "%s: cannot create 'no/such/file': No such file or directory\n" "$1") said
    # shellcheck disable=SC2086
    status_of 74 ${passing[$1]} --report /dev/full "$FIXTURES/route-one-call.jsonl" 2>said >out
}

@test "every command: control characters of hostile text are made visible" {
    for_each hostile_names "${plain[@]}"
}

hostile_names() {
    spec <<END
$1 \$'no\e[31m\nsuch'
>>>2 $1: cannot open 'no\x1b[31m\x0asuch': No such file or directory
>>>= 66
END
}

@test "a diagnostic that is too long is cut, and not inside of a code point" {
    local first name
    name=$(printf 'é%.0s' {1..1500})
    for first in '' a; do
        status_of 66 ctx-route "$first$name" 2>said </dev/null
        (($(wc -c <said) > 2000 && $(wc -c <said) <= 2048))
        [[ $(<said) == "ctx-route: cannot open '$first"éé*é ]]
    done
}

@test "every command: the same bytes in, the same bytes out, whatever the locale, the zone and the time" {
    for_each deterministic "${every[@]}"
}

deterministic() {
    # shellcheck disable=SC2086
    LC_ALL=C TZ=UTC ${passing[$1]} "$FIXTURES/ctx-metadata.jsonl" >a
    # shellcheck disable=SC2086
    LC_ALL=tr_TR.UTF-8 LANG=de_DE TZ=Asia/Tokyo COLUMNS=20 POSIXLY_CORRECT=1 ${passing[$1]} <"$FIXTURES/ctx-metadata.jsonl" >b
    cmp a b
}

@test "every streaming command: more input takes no more memory, under 8 MB" {
    local tools=${CTX_BIN%/bin}/tests/bench size command rss
    "$tools/generate" 4000000 1 >4.jsonl
    "$tools/generate" 40000000 1 >40.jsonl
    # (A vocabulary is a file that is mapped: its pages are the page cache's, and not counted here.)
    # What the sanitizers keep of freed memory is theirs.
    export ASAN_OPTIONS=quarantine_size_mb=0:thread_local_quarantine_size_kb=0
    for command in "${passing[ctx-isolate]}" "${passing[ctx-project]}" 'ctx-project --view trace' \
        "${passing[ctx-route]}" 'ctx-budget --estimator bytes/4' "${passing[ctx-normalize]}"; do
        printf 'with %s:\n' "$command"
        for size in 4 40; do
            # shellcheck disable=SC2086
            "$tools/run" figures $command $size.jsonl >/dev/null
            rss[size]=$(cut -d' ' -f3 figures)
        done
        printf '%s kB at 4 MB, %s kB at 40 MB\n' "${rss[4]}" "${rss[40]}"
        ((rss[40] <= rss[4] + 1024))
        # A binary with AddressSanitizer in it maps its shadow.
        grep -q __asan_init "$CTX_BIN/${command%% *}" || ((rss[40] < 8192))
    done
}

not_its_own_output() {
    local before
    printf '%s\n' "$user" >log
    cp log before
    status_of 64 "$1" log >>log 2>said
    status_of 64 "$1" <log >>log 2>>said
    status_of 64 "$1" --report log log >/dev/null 2>>said
    status_of 64 "$1" --bad-lines=drop --bad-file log log >/dev/null 2>>said
    same 'the log' before log
    [[ $(grep -c 'input file' said) == 4 ]]
}

@test "every command: a file that is read is not written" {
    for_each not_its_own_output "${plain[@]}"
}

# Files are read a block at a time; pipes as much as is there.
file_as_pipe() {
    # shellcheck disable=SC2086
    ${passing[$1]} "$BATS_TEST_TMPDIR/large" "$BATS_TEST_TMPDIR/odd" "$BATS_TEST_TMPDIR/large" >filed
    # shellcheck disable=SC2086
    cat "$BATS_TEST_TMPDIR"/large "$BATS_TEST_TMPDIR"/odd "$BATS_TEST_TMPDIR"/large | ${passing[$1]} | cmp - filed
    # shellcheck disable=SC2086
    ${passing[$1]} <"$BATS_TEST_TMPDIR/large" >one
    # shellcheck disable=SC2086
    cat "$BATS_TEST_TMPDIR/large" | ${passing[$1]} | cmp one
}

@test "every command: a large file comes through as it does through a pipe" {
    local mib
    "${CTX_BIN%/bin}/tests/bench/generate" 5000000 3 >"$BATS_TEST_TMPDIR/large"
    # A line over several blocks, one that ends with a block, and lines of every length behind it.
    for mib in 3 1; do
        printf '{"role":"user","content":"%s"}\n' "$(head -c "$((mib * 1048576 - 30))" /dev/zero | tr '\0' a)"
    done >"$BATS_TEST_TMPDIR/odd"
    awk 'BEGIN { for (i = 0; i < 2500; i++) { text = text "b"; print "{\"role\":\"user\",\"content\":\"" text "\"}" } }' >>"$BATS_TEST_TMPDIR/odd"
    for_each file_as_pipe "${streaming[@]}"
}

@test "a repeated member is reported where it stands the second time, its name decoded" {
    spec <<'END'
ctx-isolate --policy transparent
<<< {"role":"user","content":"a", "r\u006fle":"user"}
<<< {"type":"note","role":"x","content":1,"content":2,"role":"y"}
>>> {"role":"user","content":"a", "r\u006fle":"user"}
>>> {"type":"note","role":"x","content":1,"content":2,"role":"y"}
>>>2 ctx-isolate: -:1: repeated member 'role', at byte 31
>>>2 ctx-isolate: -:2: repeated member 'role', at byte 51
>>>= 65
END
}

# refused MESSAGE COMMAND...: ends with 64 and says that; the files that stood there stay what they were.
refused() {
    local message=$1
    shift
    rm -f log keep
    printf '%s\n' "$routed" >log
    printf 'mine\n' >keep
    status_of 64 "$@" 2>said >>keep
    same "$*" <(printf "%s: %s; try '%s --help'\n" "${1##*/}" "$message" "${1##*/}") said
    same 'the file' <(printf 'mine\n') keep
    [[ ! -e new && ! -e dir/new ]]
}

outputs_apart() {
    local report=--report\ and bad=--bad-file\ and drop='--bad-lines=drop --bad-file'
    mkdir dir
    ln -s ../new dir/link
    ln -s keep alias
    touch other
    ln other dir/other
    refused "$report standard output are one file" "$1" --report keep log
    refused "$report standard output are one file" "$1" --report ./dir/../alias log
    refused "$report standard output are one file" "$1" --report /dev/stdout log
    # shellcheck disable=SC2086
    refused "$bad standard output are one file" "$1" $drop alias log
    # shellcheck disable=SC2086
    refused "$bad --report are one file" "$1" $drop other --report "$PWD/dir/other" log
    # Files that are not there yet.
    # shellcheck disable=SC2086
    refused "$bad --report are one file" "$1" $drop new --report ./new log
    # shellcheck disable=SC2086
    refused "$bad --report are one file" "$1" $drop new --report dir/link log
    # shellcheck disable=SC2086
    refused "$bad --report are one file" "$1" $drop dir/new --report "$PWD/dir/new" log
    cp log log.kept
    status_of 64 "$1" --report log - <log >out 2>said
    same 'standard input' log.kept log
}

@test "every command: no two outputs are one file, by whatever names" {
    for_each outputs_apart "${plain[@]}"
}

outputs_late() {
    local status=0
    printf '%s\n' "$routed" >good
    printf '%s\n' '{bad}' >bad
    printf 'old\n' | tee kept >dropped
    # Without a bad line the bad file is empty at the end, and there when it was not.
    pass "$1" --bad-lines=drop --bad-file=dropped good >out
    [[ -f dropped && ! -s dropped ]]
    rm dropped
    pass "$1" --bad-lines=drop --bad-file=dropped --report=report good >out
    [[ -f dropped && ! -s dropped && -s report ]]
    # What fails before it has something to write leaves the files alone.
    cp kept dropped
    cp kept report
    # shellcheck disable=SC2086
    status_of 74 ${passing[$1]} --bad-lines=drop --bad-file=dropped --report=report <&- >out 2>said
    same 'the bad file' kept dropped
    same 'the report' kept report
    # shellcheck disable=SC2086
    status_of 66 ${passing[$1]} --bad-lines=drop --bad-file=dropped --report=report good nothing >out 2>said
    same 'the bad file' kept dropped
    same 'the report' kept report
}

@test "every command: no output is created or emptied before there is something to put there" {
    for_each outputs_late ctx-isolate ctx-project
}

@test "a file that an option reads is no output" {
    printf 'Be brief.\n' >prompt
    printf '{"type":"text"}\n' >format
    printf '%s\n' "$routed" >log
    cp prompt prompt.kept
    cp format format.kept
    status_of 64 ctx-route --system-prompt prompt --report prompt log >out 2>said
    status_of 64 ctx-route --response-format format --bad-lines=drop --bad-file ./format log >out 2>>said
    status_of 64 ctx-route --system-prompt prompt log 2>>said >>prompt
    same 'the diagnostics' said - <<'END'
ctx-route: 'prompt' is an input file; try 'ctx-route --help'
ctx-route: './format' is an input file; try 'ctx-route --help'
ctx-route: an input file is the output file; try 'ctx-route --help'
END
    same 'the prompt' prompt.kept prompt
    same 'the format' format.kept format
    ctx-budget --models >models
    cp models models.kept
    status_of 64 ctx-budget --models-file models --report models log >out 2>said
    same 'the models' models.kept models
}

@test "a report that goes where the diagnostics go empties nothing" {
    status_of 65 ctx-isolate --policy transparent --report /dev/stderr 2>said >out <<<'{bad}'
    [[ $(wc -l <said) == 2 && $(head -n 1 said) == *'expected a member name'* ]]
    jq -e '.bad == 1' <(tail -n 1 said)
}

@test "the vocabulary that tokens are counted by is no output" {
    local command
    export CTX_VOCAB_PATH=$PWD/vocabularies
    mkdir vocabularies
    cp "${CTX_BIN%/bin}/share/ctx/o200k_base.vocab" vocabularies/
    cp vocabularies/o200k_base.vocab kept
    printf '%s\n' "$routed" >log
    for command in ctx-budget ctx-compact ctx-isolate 'ctx-project --last 1k' 'ctx-route --overflow 1k'; do
        # shellcheck disable=SC2086
        status_of 64 $command --report vocabularies/o200k_base.vocab log >out 2>said
        [[ $(<said) == *"'vocabularies/o200k_base.vocab' is an input file"* ]]
        cmp kept vocabularies/o200k_base.vocab
    done
}

# log_of CHARACTER: lines of one length, 6 MB of them.
log_of() {
    awk -v c="$1" 'BEGIN {
        text = sprintf("%200s", ""); gsub(/ /, c, text)
        for (i = 100000; i < 126000; i++) print "{\"role\":\"user\",\"content\":\"" i text "\"}"
    }'
}

# while_reading COMMAND FILE CHANGE: lets the command pass the file and, once some of its output was
# read and before all of the file was, runs CHANGE; leaves out, said and $status. CHANGE waits until
# the command sleeps, since its output is full: two who read and write the same pages at one time
# may overtake each other more than once, whatever the command does.
while_reading() {
    local file=$2 change=$3 line state=
    rm -f fifo
    mkfifo fifo
    # shellcheck disable=SC2086
    ${passing[$1]} "$file" >fifo 2>said 3>&- &
    exec 7<fifo
    IFS= read -r line <&7
    until [[ $state == S ]]; do read -r _ _ state _ <"/proc/$!/stat"; done
    $change
    { printf '%s\n' "$line" && cat <&7; } >out
    exec 7<&-
    wait $! && status=0 || status=$?
}

overwrite() {
    dd if=../b of=log conv=notrunc status=none bs=1M
}

shrink() {
    truncate -s 3000000 log
}

grow() {
    log_of c >>log
}

changed_while_read() {
    local status
    cp ../a log
    while_reading "$1" log overwrite
    [[ $status == 0 && ! -s said ]] || fail "overwritten: status $status"
    # No line is lost, and each is of the one text or the other, or of both where a block ends.
    same 'overwritten: lines' <(cut -c 1-32 ../a) <(cut -c 1-32 out)
    (($(tr -s ab <out | grep -c 'ab\|ba') <= 1)) || fail 'overwritten: lines are mixed'
    cp ../a log
    while_reading "$1" log shrink
    [[ $status == 65 && $(wc -l <said) == 1 ]] || fail "shrunk: status $status"
    [[ $(<said) == "$1: log:"*': unexpected end, at byte '* ]]
    same 'shrunk' <(head -c 3000000 ../a) out
    cp ../a log
    while_reading "$1" log grow
    [[ $status == 0 && ! -s said ]] || fail "grown: status $status"
    same 'grown' <(cat ../a <(log_of c)) out
}

@test "every streaming command: a file that is changed while it is read gives what was read" {
    log_of a >"$BATS_TEST_TMPDIR/a"
    log_of b >"$BATS_TEST_TMPDIR/b"
    for_each changed_while_read ctx-normalize ctx-isolate ctx-project
}

@test "every holding command: what was read stays what it was, whatever becomes of the file" {
    local command
    "${CTX_BIN%/bin}/tests/bench/generate" 5000000 7 >log
    cp log kept
    mkfifo more
    for command in ctx-isolate 'ctx-isolate --policy mask' ctx-project 'ctx-project --sections messages' \
        'ctx-route --clear buffer --overflow 64k --estimator bytes/4' \
        'ctx-compact --window 64k --best-effort --estimator bytes/4' 'ctx-budget --cuts --estimator bytes/4'; do
        printf 'with %s:\n' "$command"
        $command kept - <<<"$user" >want 2>said || [[ $? == 1 ]]
        cp kept log
        $command log more >got 2>said 3>&- &
        # The command opens what comes next when it has read the file.
        exec 8>more
        tr 'a-z{' 'A-Z[' <kept | dd of=log conv=notrunc status=none bs=1M
        truncate -s 1000 log
        printf '%s\n' "$user" >&8
        exec 8>&-
        wait $! || [[ $? == 1 ]]
        cmp want got
    done
}

@test "a file whose first read fails gives 74, and no record" {
    [[ -r /proc/self/mem ]] || skip 'no /proc/self/mem'
    spec <<'END'
ctx-isolate --policy transparent /proc/self/mem
>>>2 ctx-isolate: cannot read '/proc/self/mem': Input/output error
>>>= 74
END
}

@test "the place of an error is counted without the line end, CR and LF" {
    printf '{"role":"user"\r\n' >in
    spec <<'END'
ctx-project in
>>>$ {"role":"user"\r
>>>2 ctx-project: in:1: unexpected end, at byte 15
>>>= 65
END
}

# --- Terminals -----------------------------------------------------------------------------------

@test "contract: a command that reads the terminal says so, and no other does" {
    printf '%s\n' "$user" >in
    local command
    for command in "${plain[@]}"; do
        printf '%s\n' "$command"
        in_terminal "$command >/dev/null" >shown
        grep -qF "$command: reading messages from the terminal; Ctrl-D ends them, --help says more" shown
        in_terminal "$command - $PWD/in >/dev/null; $command <$PWD/in >/dev/null" >shown
        if grep reading shown; then
            fail "$command says it of a file, or of an operand"
        fi
    done
}

@test "contract: long work on a file shows how far it is, and takes that back; a stage of a pipeline is quiet" {
    printf '%s\n' "$user" >in
    local slow="ctx-budget --brief --estimator 'cmd:sleep 2.6; jq length' $PWD/in"
    in_terminal "$slow >/dev/null" >file &
    in_terminal "ctx-isolate $PWD/in | ${slow% *} >/dev/null" >pipe &
    in_terminal "$slow 2>$PWD/error >/dev/null" >redirected &
    in_terminal "ctx-budget --brief --estimator 'cmd:sleep 2.6; echo x' $PWD/in >/dev/null" >failed &
    wait
    [[ -s file ]] || in_terminal true
    same 'a file' <(printf '\r\033[Kctx-budget: %s B read, at work for 2 s\r\033[K' "$(wc -c <in)") \
        <(sed 's/\(\r\x1b\[K[^\r]*\)\1*/\1/g' file)
    same 'a pipe' /dev/null pipe
    same 'no terminal' /dev/null <(cat redirected error)
    grep -q $'\r\033\[Kctx-budget: .*cmd:\|\r\033\[Kctx-budget: .sleep' failed
    [[ $(tail -c 1 failed | od -An -c) == *'\n'* ]]
}

# looks WHAT-AND-HOW [BUT...]: every filter but those says so of the file in, as its last line.
looks() {
    local command options name
    local -a said
    for command in "${every[@]}"; do
        [[ " ${*:2} " != *" $command "* ]] || continue
        name=$(speaker "$command")
        # What stops at the first line that is not valid has not seen what the lines make together.
        options=
        [[ $command != ctx-redact ]] || options='--bad-lines=drop --bad-file=/dev/null'
        # shellcheck disable=SC2086
        status_of 65 ${passing[$command]} $options in >out 2>err
        mapfile -t said <err
        [[ ${said[-1]} == "$name: in: looks like ${1/COMMAND/$(piped "$command")}" ]] || fail "$command: ${said[-1]}"
        ((${#said[@]} <= 12))
    done
    rm out err
}

@test "contract: what is no JSON lines is told by what it looks like and what to type" {
    local line='{"role":"user","content":"hi"}'
    yes "$line" | head -n 100 | jq . >in
    looks 'JSON over several lines; try ctx-normalize in | COMMAND' ctx-normalize ctx-redact
    gzip -nc <<<"$line" >in
    looks 'gzip; try gzip -dc in | COMMAND'
    # That one reads it through zstd itself.
    printf '\x28\xb5\x2f\xfd\x04\x00' >in
    looks 'zstd; try zstd -dc in | COMMAND' ctx-normalize
    printf '\xfd7zXZ\0\0\x04' >in
    looks 'xz; try xz -dc in | COMMAND'
    printf 'BZh91AY&SY' >in
    looks 'bzip2; try bzip2 -dc in | COMMAND'
    printf 'PK\x03\x04\x0a\0\0' >in
    looks 'a zip archive; try unzip -p in | COMMAND'
    printf 'SQLite format 3\0\x10\0' >in
    looks 'a SQLite database; export its messages first'
    printf '%s\n' "$line" "$line" | iconv -f UTF-8 -t UTF-16 >in
    looks 'UTF-16; try iconv -f UTF-16 -t UTF-8 in | COMMAND'
    printf '%s\n' "$line" | iconv -f UTF-8 -t UTF-16LE >in
    looks 'UTF-16; try iconv -f UTF-16LE -t UTF-8 in | COMMAND'
    printf '\x7fELF\x01\x00\x00\n' >in
    looks 'binary data; a transcript is JSON lines'
    printf '%s\n' 'Hello, world.' 'How are you?' >in
    looks "plain text; try jq -Rsc '{role: \"user\", content: .}' in | COMMAND"
    # A word alone is no head of a table.
    printf '%s\n' 'Ahoy' 'harbour' >in
    looks "plain text; try jq -Rsc '{role: \"user\", content: .}' in | COMMAND"
    printf '%s\n' 'role,content' 'user,hi' >in
    looks 'a table (CSV); make a line {"role":"user","content":"..."} of each row first'
    # A bad line in front of messages says nothing of the file, nor does a torn one.
    { echo 'Starting.' && echo "$line"; } >in
    spec <<'END'
ctx-route in | tail -n 1 | jq -r .role
>>> user
>>>2 ctx-route: in:1: expected a value, at byte 1
>>>= 65
END
    { echo '{"role":"user",' && echo "$line"; } >in
    spec <<'END'
ctx-route in | tail -n 1 | jq -r .role
>>> user
>>>2 ctx-route: in:1: unexpected end, at byte 16
>>>= 65
END
}

@test "every command line that the fuzz targets run is one that its command takes" {
    local line got
    sed -nE 's/^    \{"(ctx-.*)",.*/\1/p' "$ROOT/tests/fuzz/command_options.h" | sed 's/\\"/"/g' >lines
    (($(wc -l <lines) > 130))
    while read -r line; do
        got=0
        # The words of a row are parted by blanks, and no shell reads them.
        # shellcheck disable=SC2086
        (set -f && $line </dev/null >out 2>err) || got=$?
        [[ $got != 64 ]] || fail "$line: $(<err)"
    done <lines
}
