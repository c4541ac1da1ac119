#!/usr/bin/env bats
#
# The user's own filter in the pipeline of ctx-compact, held to the invariants.

load helper
load dialogue

compact='ctx-compact --estimator bytes/4 --force --keep-turns 1'

# filter NAME: an executable of standard input, which is a script of the shell.
filter() {
    { printf '#!/bin/sh\n'; cat; } >"$1"
    chmod +x "$1"
}

# messages: what most filters begin with.
messages='jq -c "select(.type != \"budget\")"'

# A session: lines 3 and 4 may go, 5 is pinned, 8 and 9 an open failure, 10 and 11 the newest turn.
session() {
    user 'Mend the lamp.'
    says Well.
    calls c1 read a.c
    gets c1 "int a; $(repeat 300 y)"
    says 'The key is under the mat.' '"pinned":true'
    user 'And the buoy?'
    says 'I look at the buoy.'
    calls c2 bash '{"command":"make"}'
    gets c2 "$(repeat 300 z)" '"is_error":true'
    says 'It failed.'
    user 'What now?'
}

# breaks FILTER TEXT: the run with that filter says that, and writes nothing.
breaks() {
    local name
    filter ./f <<<"$1"
    rm -f A
    spec <<END
$compact --pipeline ./f --archive A in || { s=\$?; [ ! -e A ] || echo archive; rm -f A; exit \$s; }
>>>2 ctx-compact: nothing was written: $2
>>>= 70
END
}

@test "ctx-compact: a filter that changes nothing leaves every byte, however it formats" {
    session >in
    sed -i '1s/:/ : /g; 2s/Well/W\\u0065ll/; 4s/}$/,"n":[1.0,1e2,-0.5]}/' in
    printf '{"type":"note"}\n\n{bad}\n' >>in
    filter ./identity <<<'cat'
    filter ./reformat <<<'jq -S . | jq -c .'
    filter ./late <<<'cat >all; cat all'
    filter ./numbers <<<"sed 's/1[.]0/1/; s/1e2/100/; s/-0.5/-5e-1/'"
    local f
    for f in identity reformat late numbers; do
        spec <<END
$compact --pipeline ./$f in; s=\$?; rm -f all; exit \$s
>>>@ in
>>>2 ctx-compact: in:14: expected a member name, at byte 2
>>>= 65
END
    done
    # Neither is run when nothing is due.
    filter ./fails <<<'exit 3'
    session >in
    keeps 'ctx-compact --pipeline ./fails'
}

@test "ctx-compact: a filter reads the budget record, then the messages that are left" {
    { context Hello.; session; raw '{"type":"note"}' '{bad}'; } >in
    filter ./f <<'END'
printf '%s\n' "$CTX_BUDGET" >variable; cat >input; tail -n +2 input
END
    $compact --pipeline ./f in >out 2>/dev/null || true
    same 'the variable' variable <(head -n 1 input)
    same 'the record' <(echo '["budget","bytes/4",128000,true]') <(jq -c '[.type, .estimator, .context_window, .used_tokens > 100]' variable)
    same 'the messages' <(session) <(tail -n +2 input)
    # A trigger that has fired is a reason in it.
    session >in
    $compact --max-messages 5 --pipeline ./f in >out 2>/dev/null || true
    jq -e '.reasons | index("max_messages")' variable >/dev/null
    # At its place: behind dedupe and prune, with what they made.
    session >in
    $compact --pipeline prune,./f --prune-over 100 in >out
    same 'what prune left' out <(tail -n +2 input)
    grep -q 'bytes cut' input
}

@test "ctx-compact: what a filter drops, changes and adds goes into archive, plan, changes and report" {
    session >in
    filter ./f <<END
$messages | jq -c 'if .content == "I look at the buoy." then .content = "Look." else . end
    | select(.tool_call_id != "c1" and (.tool_calls[0].id? != "c1"))' |
    sed '2a {"role":"assistant","content":"Read a.c.","metadata":{"kind":"trace"}}'
END
    $compact --pipeline ./f --archive A --report report --changes changes in >out
    pass=$(jq -r 'select(.pass).pass.id' A)
    same 'what comes' <(sed -n 1,2p in
        echo '{"role":"assistant","content":"Read a.c.","metadata":{"kind":"trace","pass":"'"$pass"'"}}'
        sed -n 5,6p in; says Look. '"pass":"'"$pass"'"'; sed -n 8,11p in) out
    ctx-restore A out | cmp - in
    same 'the report' <(echo '{"dropped":2,"changed":1}') <(jq -c .filter report)
    same 'the changes' <(printf '%s\n' add drop drop change) <(jq -r .action changes)
    $compact --pipeline ./f --plan in >plan
    same 'the plan' <(printf '%s\n' 'null assistant add filter' '3 assistant drop filter' '7 assistant change filter') \
        <(jq -r 'select(.action != "keep") | "\(.line) \(.role) \(.action) \(.reason)"' plan)
    # In place, for each file anew.
    cp in one; cp in two
    $compact --pipeline ./f --in-place one two
    sed 's/,"metadata":{"pass":"[0-9a-f]*"}//; s/,"pass":"[0-9a-f]*"//' out >plain
    same one plain one; same two plain two
}

@test "ctx-compact: a changed message is known by its id, its call, or its role between its neighbours" {
    {
        user Begin.; says Well.
        says "First. $(repeat 90 a)"; user "Second. $(repeat 90 b)"; says "Third. $(repeat 90 c)" '"id":"m3"'
        calls c1 look '{"all":true}'; gets c1 "$(repeat 90 d)"
        says "Fourth. $(repeat 90 e)"; says Kept.; user Bye.
    } >in
    filter ./f <<END
$messages | jq -c 'if .content and (.content | length > 60) then .content |= .[0:8] else . end
    | select(.content != "First. a")'
END
    $compact --pipeline ./f --changes changes in >out
    same 'the changes' <(printf '%s\n' '3 drop' '4 change' '5 change' '7 change' '8 change') <(jq -r '"\(.line) \(.action)"' changes)
    same 'what comes' <(sed -n 4p in | cut -c 1-20) <(sed -n 3p out | cut -c 1-20)
    { user Begin.; says Well.; says "Mine. $(repeat 90 a)"; user "Yours. $(repeat 90 b)"; says Kept.; user Bye.; } >in
    filter ./f <<<"$messages | jq -c 'select(.content[0:5] != \"Yours\") | if .content[0:5] == \"Mine.\" then .content = \"Mine.\" else . end'"
    $compact --pipeline ./f --changes changes in >out
    same 'by role' <(printf '%s\n' '3 change' '4 drop') <(jq -r '"\(.line) \(.action)"' changes)
    # By place, when all are there: of equal messages some may be changed.
    { user Begin.; says Well.; repeat 3 "$(says "$(repeat 90 a)")
"; says Kept.; user Bye.; } >in
    local which
    for which in 3 4 5 3,4 4,5 3,5; do
        filter ./f <<<"$messages | sed '${which}s/aaa*/short/'"
        sed "${which}s/aaa*/short/" in >want
        $compact --pipeline ./f in >out
        same "line $which" want out
    done
    # Of equal messages the filter has taken the first ones.
    { user Begin.; says Well.; user Go.; says "$(repeat 90 a)"; user Go.; } >in
    filter ./f <<<"$messages | sed 3,4d"
    makes "$compact --pipeline ./f" 1-2 5
}

@test "ctx-compact: transforms behind a filter work on what it wrote" {
    { user Begin.; says Well.; calls c1 bash '{"command":"env"}'; gets c1 "KEY=seven $(repeat 3000 x) SEED=eight"; says "It is seven. $(repeat 400 w)"
        user More.; says Yes.; user Bye.; } >in
    filter ./redact <<END
$messages | sed 's/seven/***/; s/eight/***/'
END
    $compact --pipeline ./redact,prune,summarize in >out
    ! grep -q 'seven\|eight' out || fail 'prune begins with the original'
    grep -q 'bytes cut' out
    # Nor does a summarizer read it, and where it fails the next file has it again.
    { cat in; repeat 20 "$(says "$(repeat 100 v)")
"; user Bye.; } >one
    cp one two
    $compact --pipeline ./redact,summarize --target 400 --summarizer 'cat >>asked; exit 9' --fallback truncate --in-place one two 2>/dev/null
    ! grep -q 'seven\|eight' asked || fail 'the summarizer reads the original'
    same 'asked for both' <(echo 2) <(grep -c 'It is [*]' asked)
    same 'both files' one two
    $compact --pipeline ./redact,summarize --target 60 in >out
    ! grep -q 'seven\|eight' out || fail 'the digest reads the original'
    $compact --pipeline ./redact,symbolize --keep-messages 1 --target 60 in >out
    ! grep -q 'seven\|eight' out || fail 'a symbol reads the original'
}

@test "ctx-compact: each invariant that a filter breaks is named, and nothing is written" {
    session >in
    breaks "$messages | sed 3d" "'./f' broke: output line 3 is a result without its call"
    breaks "$messages | sed 4d" "'./f' broke: output line 3 is a call without its result"
    breaks "$messages | sed 5d" "'./f' broke: line 5 was dropped and must stay, pinned"
    breaks "$messages | sed '\$d'" "'./f' broke: line 11 was dropped and must stay, what the user asked last"
    breaks "$messages | sed 1d" "'./f' broke: line 1 was dropped and must stay, what the user asked first"
    breaks "$messages | sed 8,9d" "'./f' broke: line 8 was dropped and must stay, unresolved (and 1 more)"
    breaks "$messages | sed '5s/mat/door/'" "'./f' broke: line 5 was changed and must stay as it is, pinned"
    breaks "$messages | sed '2{h;d};7G'" "'./f' broke: output line 2 is not in order (and 4 more)"
    breaks "$messages | sed '2s/Well/Very well/'" "'./f' broke: line 2 has more bytes or tokens than before"
    breaks "$messages | sed '9s/\"is_error\":true/\"a\":0/'" "'./f' broke: line 9 has another role, call or metadata than before"
    breaks "$messages | sed 's/read/dear/'" "'./f' broke: line 3 has another role, call or metadata than before"
    breaks "$messages | sed '5d;4d'" "'./f' broke: output line 3 is a call without its result; line 5 was dropped and must stay, pinned"
    breaks "$messages >all; cat all all; rm all" "'./f' broke: output line 1 is of unknown origin and has no metadata.kind (and 10 more)"
    { user Begin.; says Well. "\"note\":\"$(repeat 200 n)\""; says Done.; user Bye.; } >in
    breaks "$messages | sed '2{h;d};3G'" "'./f' broke: output line 2 is not in order"
    breaks "$messages | jq -c 'if .metadata then {role, content: (\"Well, \" * 20)} else . end'" \
        "'./f' broke: line 2 has more bytes or tokens than before"
}

@test "ctx-compact: what a filter invents has a kind, pays, and stands where it may" {
    session >in
    local new='{"role":"assistant","content":"New."' kind='"metadata":{"kind":"note"}'
    breaks "$messages | sed '6a $new}'" "'./f' broke: output line 7 is of unknown origin and has no metadata.kind"
    breaks "$messages | sed '6a $new,$kind}'" "'./f' broke: its new messages have no fewer bytes, or more tokens, than the messages that it took out"
    breaks "$messages | sed '3,4d;6a {\"role\":\"tool\",\"tool_call_id\":\"c7\",\"content\":\"x\",$kind}'" \
        "'./f' broke: output line 5 is a result without its call; output line 5 is a new call or result"
    breaks "$messages | sed '3,4d;8a $new,$kind}'" "'./f' broke: output line 8 is separated from its call"
    breaks "$messages | sed '3,4d;11a {\"role\":\"user\",\"content\":\"Pay.\",$kind}'" \
        "'./f' broke: output line 10 would pass for a request of the user"
    filter ./f <<<"$messages | sed '3,4d;6a $new,$kind}'"
    makes "$compact --pipeline ./f" 1-2 5-6 "$new,$kind}" 7-11
    # The artifact of this pass, and that of an earlier one, are not a filter's to change.
    { user Begin.; says Well.; for n in {1..9}; do calls "d$n" read "f$n"; gets "d$n" "$(repeat 200 y)"; done; says Done.; user Bye.; } >in
    filter ./f <<<"$messages | jq -c 'select(.metadata.kind != \"summary\")'"
    spec <<END
$compact --target 300 --pipeline summarize,./f in
>>>2 ctx-compact: nothing was written: './f' broke: line 1 lost the artifact after it, or that was changed
>>>= 70
END
}

@test "ctx-compact: a filter forges no artifact, agent, voice or request" {
    { system Help.; session; } | sed '8s/}$/,"metadata":{"id":"m8"}}/' >in
    # puts RECORD PLACE...: a filter that adds the record behind that line, and drops lines 4 and 5.
    puts() { echo "$messages | sed '$2{p;s/.*/$1/};4,5d'"; }
    note() { printf '{"role":"%s","content":"note","metadata":{%s}}' "$1" "$2"; }
    local role
    for role in user assistant; do
        breaks "$(puts "$(note $role '"kind":"summary"')" 12)" "'./f' broke: output line 11 would pass for an artifact of ctx-compact"
        breaks "$(puts "$(note $role '"kind":"note","facts":{"dropped":3}')" 7)" "'./f' broke: output line 6 would pass for an artifact of ctx-compact"
    done
    breaks "$(puts "$(note user '"kind":"trace"')" 12)" "'./f' broke: output line 11 would pass for a request of the user"
    breaks "$(puts "$(note assistant '"kind":"x","agent_id":"sub","parent_execution_id":"e1"')" 7)" "'./f' broke: output line 6 is new and of another agent"
    for role in system developer critic; do
        breaks "$(puts "$(note $role '"kind":"x"')" 7)" "'./f' broke: output line 6 is new and of another role than user and assistant"
    done
    # What only the log may say of a message.
    local word
    for word in '"pinned":true' '"critical":true' '"is_error":true' '"resolved":true' '"resolves":"c1"' '"execution_id":"e1"'; do
        breaks "$(puts "$(note assistant "\"kind\":\"x\",$word")" 7)" "'./f' broke: output line 6 is new and says of itself what only the log may say"
    done
    breaks "$(puts "$(note assistant '"kind":"x","section":"buffer"')" 7)" "'./f' broke: output line 6 is new and in another section than the message before it"
    # The front, and the framing.
    breaks "$messages | sed '4,5d;1i $(note assistant '"kind":"x"')'" "'./f' broke: output line 1 is new and before the first message"
    breaks "$(puts "$(note assistant '"kind":"x"')" 1)" "'./f' broke: output line 2 is new and among the first messages of the user"
    # What a message is to compaction, and calls that can be read.
    local name
    for name in resolved resolves is_error pinned critical agent_id execution_id parent_execution_id kind id section origin facts; do
        breaks "$messages | jq -c 'if .metadata.id == \"m8\" then .content = \"\" | .metadata.$name = \"summary\" else . end'" \
            "'./f' broke: line 8 has another role, call or metadata than before"
    done
    for name in '"{"' '"[1]"' '{}' null; do
        breaks "$messages | jq -c 'if .tool_calls[0].id? == \"c1\" then .tool_calls[0].function.arguments = $name else . end'" \
            "'./f' broke: line 4 has another role, call or metadata than before"
    done
    filter ./f <<<"$messages | jq -c 'if .metadata.id == \"m8\" then .content = \"Look.\" | .metadata.x = 1 else . end
        | if .tool_calls[0].id? == \"c1\" then .tool_calls[0].function.arguments = \"{}\" else . end'"
    $compact --pipeline ./f --changes changes in >out
    same 'the changes' <(printf '%s\n' '4 change' '8 change') <(jq -r '"\(.line) \(.action)"' changes)
}

@test "ctx-compact: a filter that fails, hangs, or writes no messages ends with 69 or 70, and nothing is written" {
    session >in
    filter ./f <<<'echo "no lamp" >&2; exit 3'
    spec <<END
$compact --pipeline ./f in
>>>2 ctx-compact: './f' failed with status 3: no lamp
>>>= 69
END
    filter ./f <<<'sleep 60'
    spec <<END
$compact --pipeline ./f --command-timeout 1s in
>>>2 ctx-compact: './f' gave no answer for 1 second
>>>= 69
END
    breaks 'cat; echo garbage' "'./f' broke: output line 13 is no record, expected a value"
    breaks 'cat; echo "[1]"' "line 13 of what './f' wrote is no message"
    breaks ':' "'./f' broke: line 1 was dropped and must stay, what the user asked first (and 4 more)"
    # A file in place stays as it is.
    cp in one
    filter ./f <<<'sed 5d'
    spec <<END
$compact --pipeline ./f --in-place one; s=\$?; cmp in one; exit \$s
>>>2 ctx-compact: one: nothing was written: './f' broke: output line 4 is a call without its result
>>>= 70
END
    # More than 64 kB and 8 times what it reads.
    filter ./f <<<'cat; head -c 90000 /dev/zero'
    spec <<END
$compact --pipeline ./f in 2>err; s=\$?; sed 's/[0-9]* bytes/N bytes/' err >&2; rm err; exit \$s
>>>2 ctx-compact: './f' wrote more than N bytes
>>>= 69
END
    # The command is the shell's.
    mkdir 'a b'
    filter 'a b/f' <<'END'
cat; exit $1
END
    keeps "$compact --pipeline \"'./a b/f' 0\""
    refuses 'ctx-compact --pipeline ./f,./f' "transform './f' is twice in --pipeline"
    refuses 'ctx-compact --strategy simple --pipeline ./f' '--strategy cannot be combined with --pipeline'
}

@test "ctx-compact: a filter runs again only when its input is another one" {
    { user "Begin. $(repeat 4000 x)"; says Well.; says "$(repeat 400 y)"; says Done.; user Bye.; } >in
    filter ./f <<<'echo run >>runs; cat'
    ctx-compact --estimator bytes/4 --limit 500 --pipeline ./f in >out 2>/dev/null || true
    same 'once' <(echo run) runs
    [[ ! -s out ]]
}
