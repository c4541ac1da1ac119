#!/usr/bin/env bats
#
# What later messages forget (metadata.forgets) is honoured by every command, as ctx-message(5) says.

load helper
load dialogue

# What each command does with it: the messages go, they stay in their place and count for nothing, or
# the log is taken as it is, by a filter that would else hold the session, or by any form of a command.
kinds() {
    cat <<'END'
go      ctx-project
go      ctx-project --view all
go      ctx-project --view conversation
go      ctx-project --view trace
go      ctx-project --last 3msgs
go      ctx-project --sections messages
go      ctx-project --view all --leaf last
flow    ctx-select role=user
go      ctx-select --count turn>1
flow    ctx-select --exact error
go      ctx-normalize --to openai
go      ctx-normalize --to anthropic --array
go      ctx-normalize --to openai --request={"model":"m"}
go      ctx-normalize --to instructor
go      ctx-diff --stat other
flow    ctx-isolate
flow    ctx-isolate --policy mask --keep-results 0 --min-tokens 1
flow    ctx-isolate --policy mask --arguments all
go      ctx-isolate --min-gain 1
go      ctx-isolate --policy mask --keep-results 0 --min-tokens 1 --min-gain 1
go      ctx-isolate --policy mask --arguments redone
go      ctx-isolate --changes list
pass    ctx-compact --limit 10k
go      ctx-compact --force --keep-turns 1 --window 100k
flow    ctx-budget
pass    ctx-budget --when unresolved>1
pass    ctx-budget --json
flow    ctx-budget --annotate
pass    ctx-budget --by turn --json
pass    ctx-budget --cuts --json
stay    ctx-normalize
stay    ctx-isolate --policy transparent
stay    ctx-redact
stay    ctx-restore archive
stay    ctx-route
none    ctx-show
none    ctx-recall
none    ctx-compile
none    ctx
END
}

# An execution with a failure, one that is forgotten and resolves it, and a third; the numbers are
# those of the lines of in. all of 5-10 is forgotten.
log() {
    system 'S'                                              # 1
    user 'One.' '"id":"u1"'                                 # 2
    calls k1 read a.c '"id":"c1"'                           # 3
    gets k1 'no such file' '"id":"r1","is_error":true'      # 4
    user 'Two.' '"id":"u2"'                                 # 5
    calls k2 read a.c '"id":"c2"'                           # 6
    gets k2 "$long" '"id":"r2"'                             # 7
    says 'It has a main.' '"id":"a2","pinned":true'         # 8
    says "$long" '"id":"a3"'                                # 9
    says '' '"forgets":["u2","r2","a2","a3"]'               # 10
    user 'Three.' '"id":"u4"'                               # 11
    calls k3 ls b '"id":"c4"'                               # 12
    gets k3 "$long"                                         # 13
    says 'Done.' '"id":"a4","forgets":"nobody"'             # 14
    user 'Four.'                                            # 15
}

rest() {
    sed 5,10d in
}

@test "every command: it is said what becomes of what later messages forget" {
    kinds | awk '{ print $2 }' | sort -u >have
    ctx --list | cut -f1 | sort >want
    same 'commands' want have
    local name
    while read -r name; do
        case $name in
        ctx-route | ctx-redact | ctx-restore | ctx-recall | ctx-compile | ctx) ! "$name" --help | grep -q -- --forgotten ;;
        *) "$name" --help | grep -q -- --forgotten ;;
        esac || fail "$name"
    done <have
    rm have want
}

@test "every command: what later messages forget counts for nothing, is gone, or stays, by the table" {
    local kind command
    log >in
    rest >other
    : >archive
    while read -r kind command; do
        # shellcheck disable=SC2086
        case $kind in
        go)
            $command in >got
            $command --forgotten show other >want
            same "$command" want got
            ;;
        pass)
            # The lines of cuts are those of the log.
            $command in | sed 's/"line":[0-9]*/"line":0/g' >got
            $command --forgotten show other | sed 's/"line":[0-9]*/"line":0/g' >want
            # What is forgotten stands where it stood: in front of the third request.
            if [[ $command != *--json* ]]; then
                awk 'NR == FNR { gone = gone $0 "\n"; next } /"Three\."/ { printf "%s", gone } { print }' \
                    <(sed -n 5,10p in) want >whole
                mv whole want
            fi
            same "$command" want got
            ;;
        flow)
            $command in >got
            $command --forgotten show in >want
            same "$command" want got
            ;;
        stay)
            $command in >got
            [[ $(wc -l <got) == 15 ]] || fail "$command"
            [[ $command == ctx-route ]] || same "$command" in got
            ;;
        esac
    done < <(kinds)
    rm -f in other archive list got want
}

@test "every command: with --forgotten show the log is taken as it is" {
    local kind command
    log >in
    # The same, but that nothing is named.
    sed 's/"forgets":\["u2","r2","a2","a3"\]/"forgets":["_2","_2","_2","_3"]/' in >other
    while read -r kind command; do
        [[ $kind == go || $kind == pass || $kind == flow ]] && [[ $command != *--now* && $command != ctx-diff* ]] || continue
        # shellcheck disable=SC2086
        $command --forgotten show in | sed 's/"forgets":\["u2","r2","a2","a3"\]/"forgets":["_2","_2","_2","_3"]/' >got
        # shellcheck disable=SC2086
        $command --forgotten show other >want
        same "$command" want got
    done < <(kinds)
    rm -f in other list got want
}

@test "forgotten: a tombstone that comes late counts, and what has left a filter stays with its tombstone" {
    log >in
    rest | ctx-budget --json --forgotten show >want
    { sed -n 1,9p in; sleep 0.3; sed -n 10,15p in; } | ctx-normalize | ctx-budget --json >got
    same 'budget' want got
    { sed -n 1,9p in; sleep 0.3; sed -n 10,15p in; } | ctx-normalize | ctx-select '!role=developer' | ctx-budget | ctx-project >got
    rest | ctx-project >want
    same 'view' want <(grep -v '"type":"budget"' got)
    # Filters let a message go before its tombstone comes.
    local command
    mkfifo pipe
    for command in ctx-normalize ctx-route ctx-redact 'ctx-isolate --policy transparent' \
        'ctx-select role=user' ctx-budget ctx-isolate 'ctx-project --forgotten show --view all'; do
        $command <pipe >out &
        exec 5>pipe
        user 'Three.' '"id":"m3"' >&5
        until [[ $(wc -l <out) == 1 ]]; do sleep 0.02; done
        exec 5>&-
        wait $!
    done
    rm in pipe out got want
}

@test "forgotten: a message without an id leaves at once, and from the first one with an id on all wait" {
    local command
    mkfifo pipe
    for command in 'ctx-project --view all' 'ctx-project --view conversation' 'ctx-normalize --to openai'; do
        $command <pipe >out &
        exec 5>pipe
        user 'One.' >&5
        until [[ $(wc -l <out) == 1 ]]; do sleep 0.02; done
        { user 'Two.' '"id":"m2"'; user 'Three.'; } >&5
        sleep 0.2
        [[ $(wc -l <out) == 1 ]] || fail "$command"
        exec 5>&-
        wait $!
        [[ $(grep -c '"role"' out) == 3 ]] || fail "$command: $(cat out)"
    done
    rm pipe out
}

@test "forgotten: a session forgets nothing of another one" {
    {
        user 'A.' '"id":"m","s":1'
        user 'B.' '"id":"m","s":2'
        system '' '"forgets":"m","s":1'
        user 'C.' '"s":2'
    } >in
    makes 'ctx-project --view all --session-key metadata.s --sorted' 1-2 ">>>2 ctx-project: in:3: session 1 comes again, and --sorted has ended it" '>>>= 65'
    makes 'ctx-budget --session-key metadata.s --json | jq -c "[.metadata.s, .used_tokens]"' '[1,0]' '[2,12]'
    makes 'ctx-project --view all --session-key metadata.s' 2 4
    # Every operand of --each is one.
    user 'A.' '"id":"m"' >one
    system '' '"forgets":"m"' >two
    spec <<'END'
ctx-budget --each --json one two one | jq -c .used_tokens
>>> 6
>>> 0
>>> 6
END
    # So is every body.
    {
        raw '{"messages":[{"role":"user","content":"A.","metadata":{"id":"m"}}]}'
        raw '{"messages":[{"role":"user","content":"B."},{"role":"system","content":"","metadata":{"forgets":"m"}}]}'
    } >in
    makes 'ctx-normalize --to openai --array' '[{"role":"user","content":"A."}]' '[{"role":"user","content":"B."}]'
    rm one two
}

@test "forgotten: ctx-budget --now, of what stands behind the answer" {
    {
        user 'One.'
        says 'Two.' '"id":"a","usage":{"input_tokens":100,"output_tokens":5}'
        user "$long" '"id":"u"'
        system '' '"forgets":"u"'
        user 'Three.'
    } >in
    spec <<'END'
ctx-budget --now --json in | jq .used_tokens
>>> 111
ctx-budget --now --json --forgotten show in | jq '.used_tokens > 150'
>>> true
END
}

@test "forgotten: ctx-compact counts and tells nothing of it, and the archive gives all back" {
    {
        log
        steps 1 60
        says 'All done.' '"id":"z"'
        user "Forget that I said: never touch $long." '"id":"y"'
        system '' '"forgets":["y"]'
        user 'Next.'
        says 'Well.'
        user 'And?'
    } >in
    cp in log
    ctx-compact --in-place --archive arch --limit 3k --target 2k log
    ! cmp -s in log || fail 'nothing was compacted'
    ! grep -v '"id":"y"' log | grep -q 'never touch' || fail 'a digest of what is forgotten'
    ctx-restore arch log | cmp - in
    ctx-compact --limit 3k log | cmp - log
    rm -f log arch
}

@test "forgotten: a pipeline in one process does what its commands do" {
    log >in
    printf '%s\n' 'a: ctx-normalize' 'b: ctx-isolate' 'c: ctx-project --view all' 'd: ctx-compact --limit 10k' >profile
    ctx-compile --profile ./profile in >got
    ctx-normalize in | ctx-isolate | ctx-project --view all | ctx-compact --limit 10k >want
    same 'pipeline' want got
    printf '%s\n' 'a: ctx-normalize' 'b: ctx-isolate' 'c: ctx-budget' >profile
    ctx-compile --profile ./profile in >got
    ctx-normalize in | ctx-isolate | ctx-budget >want
    same 'pipeline' want got
    rm profile got want
}

@test "forgotten: long records that are held are what they were" {
    local i command
    {
        user Go. '"id":"u"'
        for i in 1 2 3 4 5; do
            acts "$long" "$(call "a$i" read a.c)" "$(call "b$i" ls b)" "\"id\":\"m$i\""
            gets "a$i" "$long" "\"id\":\"a$i\""
            gets "b$i" "$long" "\"is_error\":true"
            says "$long"
            user "$long"
        done
    } >in
    for command in 'ctx-select --count tool=ls' 'ctx-project --select unresolved' ctx-project 'ctx-isolate --changes list' 'ctx-budget --by tool --json' \
        'ctx-normalize --to openai' 'ctx-compact --limit 1k --best-effort'; do
        # shellcheck disable=SC2086
        same "$command" <($command --forgotten show in 2>/dev/null) <($command in 2>/dev/null)
    done
    # Many sessions in one stream hold copies.
    same 'copies' <(ctx-project --session-key metadata.s --forgotten show --select tool=ls in) <(ctx-project --session-key metadata.s --select tool=ls in)
    ctx-diff --stat --check in in
    rm list
}

@test "forgotten: a compaction that is not due leaves the log as it came, and one that is due drops it" {
    { user One. '"id":"u1"'; system '' '"forgets":"u1"'; user Two.; says Done.; } >in
    cp in log
    makes 'ctx-compact' 1-4
    ctx-compact -i --limit 100k log
    same 'not due' in log
    makes 'ctx-compact --force' 3-4
    ctx-compact -i --force log
    same 'due' <(sed 1,2d in) log
    rm log
}

@test "forgotten: the list of changes says what ctx-isolate and ctx-compact dropped" {
    { user One. '"id":"u1"'; system '' '"forgets":"u1"'; user Two.; } >in
    spec <<'END'
ctx-isolate --changes list in; jq -c '[.line, .id, .action, .reason, .tokens_before, .tokens_after]' list; rm list
>>> {"role":"user","content":"Two."}
>>> [1,"u1","drop","a later message forgets it",0,0]
>>> [2,null,"drop","a later message forgets it",0,0]
END
}

@test "every command: a blank result that forgets stays with its call, and what names no id is no tombstone" {
    local command first
    for first in '{"role":"user","content":"One."}' '{"role":"user","content":"One.","metadata":{"id":"m1"}}'; do
        cat >in <<END
$first
{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"ls","arguments":"{}"}}]}
{"role":"tool","tool_call_id":"c1","content":"","metadata":{"forgets":"m9"}}
{"role":"user","content":"","metadata":{"forgets":null}}
{"role":"user","content":"Two.","metadata":{"forgets":{"a":"m1"}}}
END
        for command in 'ctx-project --view all' 'ctx-isolate --policy mask --changes list' 'ctx-compact --force --window 100k'; do
            $command in >got
            same "$command" in got
        done
    done
    rm -f in got list
}

# Each command has of the file in what it has of the lines that tests/laws/history.jq leaves of it.
on_random() {
    local seed command
    for seed; do
        awk -v seed="$seed" -v count=40 -v tree=1 -f "$ROOT/tests/laws/session.awk" >in
        jq -s -r --arg leaf '' --arg forgotten hide -f "$ROOT/tests/laws/history.jq" in >lines
        awk 'NR == FNR { has[$1]; next } FNR in has' lines in >left
        for command in 'ctx-select --count role=user' 'ctx-select --count --exact turn>2' 'ctx-project --view all' 'ctx-budget --json' 'ctx-budget --by turn --json' \
            'ctx-budget --cuts --json' 'ctx-normalize --to openai' 'ctx-normalize --to anthropic --array' \
            'ctx-isolate --changes list' 'ctx-isolate --policy mask --keep-results 0 --min-tokens 1 --changes list' \
            'ctx-compact --force --window 100k'; do
            $command in 2>/dev/null | sed 's/"line":[0-9]*/"line":0/g' >got
            $command --forgotten show left 2>/dev/null | sed 's/"line":[0-9]*/"line":0/g' >want
            same "seed $seed, $command" want got
        done
        ctx-diff --stat --check in left || fail "seed $seed, ctx-diff"
        rm -f arch
        ctx-isolate --archive arch in >got
        ctx-restore arch got | cmp - in || fail "seed $seed, ctx-restore"
    done
    rm -f in lines left arch list got want
}

@test "every command: what is forgotten is what its definition says, on random sessions" {
    on_random 1 2 3 4 5 6
}

# bats test_tags=slow
@test "every command: what is forgotten is what its definition says, on many random sessions" {
    # shellcheck disable=SC2046
    on_random $(seq 7 60)
}
