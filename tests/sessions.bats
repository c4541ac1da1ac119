#!/usr/bin/env bats
#
# --session-key and --sorted: of many sessions in one stream, each is treated as if it were alone.
#
#     alone/KEY     the sessions, one of each fixture that is a log, with KEY as their key
#     mixed/HOW     all of them in one stream: contiguous, in turn, at random

load helper
load dialogue
unsourced

key=metadata.session_id

setup_file() {
    export SESSIONS=$BATS_FILE_TMPDIR
    mkdir "$SESSIONS/alone" "$SESSIONS/mixed"
    local file count=0
    for file in "$FIXTURES"/{ctx,route,compact,openai-chat,hostile}*.jsonl "$FIXTURES"/claude-code-*.jsonl; do
        case $file in
        */claude-code-*) ctx-normalize --from claude-code "$file" 2>/dev/null || true ;;
        *) cat "$file" ;;
        esac | sed 's/\xef\xbb\xbf//; s/\r$//' | jq -c -R --arg key "key-$((count + 1))" '(try fromjson catch null) |
            select(type == "object" and (.metadata == null or (.metadata | type) == "object")) |
            .metadata.session_id = $key' >"$SESSIONS/session" 2>/dev/null || true
        [[ $(wc -l <"$SESSIONS/session") -gt 1 ]] || continue
        mv "$SESSIONS/session" "$SESSIONS/alone/key-$((++count))"
    done
    ((count > 15)) || fail "only $count sessions"
    export SESSION_COUNT=$count
    cat "$SESSIONS"/alone/* >"$SESSIONS/mixed/contiguous"
    interleave turns "$SESSIONS"/alone/* >"$SESSIONS/mixed/turns"
    interleave 1 "$SESSIONS"/alone/* >"$SESSIONS/mixed/random-1"
    interleave 2 "$SESSIONS"/alone/* >"$SESSIONS/mixed/random-2"
}

# interleave HOW FILE...: the lines of all files, each file's in their order; in turn, or from that
# seed at random.
interleave() {
    awk -v how="$1" '
        BEGIN { srand(how) }
        FNR == 1 { files++ }
        { line[files, ++count[files]] = $0; left++ }
        END {
            while (left > 0) {
                file = how == "turns" ? file % files + 1 : int(rand() * files) + 1
                if (next_line[file] < count[file]) {
                    print line[file, ++next_line[file]]
                    left--
                }
            }
        }' "${@:2}"
}

# For awk: the key of a line, "" where it has none. A search for a string takes a tenth of that for an
# expression.
key_of='function key_of(line,    at, key) {
    at = index(line, "\"session_id\":\"key-")
    at = at ? at + 14 : (at = index(line, "\"session\":\"key-")) ? at + 11 : 0
    key = at ? substr(line, at, 12) : ""
    sub(/".*/, "", key)
    return key
}'

# split_by_key DIRECTORY <OUTPUT: a file for each key there; "none" has the lines without one.
split_by_key() {
    mkdir -p "$1"
    awk -v dir="$1" "$key_of"'
        { name = key_of($0); print >(dir "/" (name == "" ? "none" : name)) }'
}

# by_key FILE: its lines, those of each key together, then those without one, each after its number.
by_key() {
    awk -v last="$SESSION_COUNT" "$key_of"'
        {
            key = substr(key_of($0), 5) + 0
            print (key < 1 || key > last ? last + 1 : key) "\t" $0 # else it is no key of ours
        }' "$1" | sort -s -n -k 1,1
}

# keeps_apart COMMAND...: what it makes of each session in a stream of many is what it makes of the
# session alone, and the status is the worst one; of ctx-select the best one.
keeps_apart() {
    local n file mixed status worst=0 best=1
    : >want
    for ((n = 1; ; n++)); do
        file=$SESSIONS/alone/key-$n
        [[ -e $file ]] || break
        status=0
        "$@" --session-key "$key" "$file" >>want 2>said || status=$?
        [[ $status == [01] || $status == 65 ]] || fail "$*: ${file##*/}: status $status: $(<said)" || return
        case $status$best in *0*) best=0 ;; esac
        ((status == 0 || worst == 1)) || worst=$status
    done
    by_key want >want.parted
    [[ $1 != ctx-select ]] || worst=$best # its "no" is that of all
    for mixed in "$SESSIONS"/mixed/* sorted; do
        local -a sorted=()
        if [[ $mixed == sorted ]]; then
            sorted=(--sorted)
            mixed=$SESSIONS/mixed/contiguous
        fi
        status=0
        "$@" --session-key "$key" "${sorted[@]}" "$mixed" >out 2>said || status=$?
        [[ $status == "$worst" ]] || fail "$*: ${mixed##*/}: status $status, not $worst: $(head -n 3 said)" || return
        by_key out | cmp - want.parted || {
            by_key out | diff want.parted - | cut -c1-300 | head -n 20
            fail "$*: ${mixed##*/} ${sorted[*]}"
        } || return
    done
}

@test "ctx-select: each session of a stream is selected from as if it were alone" {
    keeps_apart ctx-select --exact role=user
    keeps_apart ctx-select role=tool
    keeps_apart ctx-select --invert tool=read
    keeps_apart ctx-select error
    keeps_apart ctx-select 'turn=-1'
    keeps_apart ctx-select --estimator bytes/4 'tokens>20'
}

@test "ctx-isolate: each session of a stream is isolated as if it were alone" {
    keeps_apart ctx-isolate --policy transparent
    keeps_apart ctx-isolate
    keeps_apart ctx-isolate --artifact execution
    keeps_apart ctx-isolate --execution none
    keeps_apart ctx-isolate --policy mask --min-tokens 0 --keep-results 1
    keeps_apart ctx-isolate --policy mask --min-tokens 0 --keep-results 0 --arguments redone
    keeps_apart ctx-isolate --estimator calibrated
    keeps_apart ctx-isolate --min-gain 20
    keeps_apart ctx-isolate --thinking 1turn --interim drop
    keeps_apart ctx-isolate --hold 2msgs
}

# roomed FILE...: the records, with the key outside of metadata, too.
roomed() {
    sed -E 's/^\{(.*"session_id":"(key-[0-9]+)".*)/{"room":"\2",\1/' "$@"
}

@test "sessions: what takes the place of a record has its key, so that the next command knows the session" {
    local file
    roomed "$SESSIONS/mixed/turns" >mixed
    ctx-isolate --session-key room mixed 2>said | tee isolated |
        ctx-project --session-key room >out 2>>said || [[ $? == 65 ]]
    ! grep -v '"room":"key-' isolated || fail 'a record has no key'
    grep -q '"kind":"trace".*"room":"key-' isolated || fail 'no artifact'
    split_by_key got <out
    mkdir want
    for file in "$SESSIONS"/alone/*; do
        roomed "$file" | ctx-isolate --session-key room 2>said | ctx-project >"want/${file##*/}" 2>>said || [[ $? == 65 ]]
    done
    find want -type f -empty -delete
    diff -r want got
    spec <<'END'
ctx-isolate --session-key talk.id --artifact execution | grep trace | grep -o '"talk".*'
<<< {"role":"user","content":"How deep?","talk":{"id":7}}
<<< {"role":"assistant","tool_calls":[{"id":"c","function":{"name":"sound","arguments":"{}"}}],"talk":{"id":7}}
<<< {"role":"tool","tool_call_id":"c","content":"It is 4.2 m deep, and that is all that there is to be said about it, or nearly.","talk":{"id":7}}
<<< {"role":"assistant","content":"4.2 m","talk":{"id":7}}
<<< {"role":"user","content":"Thanks","talk":{"id":7}}
>>> "talk":{"id":7}}
END
}

# comes_back KEY MIXED ALONE OPTION...: each session of the stream comes back from one archive.
comes_back() {
    local file
    rm -rf got archive
    ctx-isolate --session-key "$1" --archive archive "${@:4}" "$2" >out 2>said || [[ $? == 65 ]] || fail "$(<said)"
    grep -q '"pass"' archive || fail "nothing was archived: $*"
    split_by_key got <out
    for file in "$3"/*; do
        ctx-restore archive "got/${file##*/}" >back 2>said || [[ $? == 65 ]] || fail "$*: ${file##*/}: $(<said)"
        cmp "$file" back || fail "$*: ${file##*/}"
    done
}

@test "ctx-isolate: --archive: each session comes back from the archive that all share" {
    local file
    mkdir roomed
    for file in "$SESSIONS"/alone/*; do
        roomed "$file" >"roomed/${file##*/}"
    done
    roomed "$SESSIONS/mixed/random-1" >mixed
    comes_back "$key" "$SESSIONS/mixed/random-1" "$SESSIONS/alone"
    comes_back "$key" "$SESSIONS/mixed/contiguous" "$SESSIONS/alone" --sorted --policy mask --min-tokens 0 --keep-results 0
    comes_back room mixed roomed
    comes_back room mixed roomed --artifact execution --execution none
}

@test "sessions: what is held to the end leaves in the order of the input" {
    user() {
        printf '{"role":"user","content":"%s","metadata":{"session_id":"%s"}}\n' "$1" "$2"
    }
    { user 1 a; user 2 b; user 3 a; echo '{"role":"user","content":"4"}'; user 5 b; echo torn; user 6 a; } >in
    status_of 65 ctx-isolate --session-key "$key" --min-gain 1 in >out 2>said
    same 'output' in out
    same 'diagnostics' <(echo 'ctx-isolate: in:6: expected a value, at byte 2') said
}

@test "sessions: keys are equal whose text is; values that are no key are as none" {
    spec <<'END'
ctx-select --session-key id --count role=user
<<< {"role":"user","content":"a","id":"b"}
<<< {"role":"user","content":"a","id":1}
<<< {"role":"user","content":"a","id":"\u0062"}
<<< {"role":"user","content":"a","id":"1"}
<<< {"role":"user","content":"a","id":null}
<<< {"role":"user","content":"a","id":["b"]}
<<< {"role":"user","content":"a"}
<<< {"role":"user","content":"a","id":true}
<<< {"role":"user","content":"a","id":"b"}
>>>$ 3\t"b"
>>>$ 1\t1
>>>$ 1\t"1"
>>> 3
>>>$ 1\ttrue
END
    spec <<'END'
ctx-select --session-key a.b.c --count role=user
<<< {"role":"user","content":"a","a":{"b":{"c":"x"}}}
<<< {"role":"user","content":"a","a":{"b":{"d":"x"}}}
<<< {"role":"user","content":"a","a":{"b":"x"}}
>>>$ 1\t"x"
>>> 2
END
    spec <<'END'
ctx-select --session-key metadata.session_id --count role=user
<<< {"role":"user","content":"a","metadata":"mine","_metadata":{"session_id":"x"}}
<<< {"role":"user","content":"a","metadata":{"session_id":"x"}}
>>>$ 2\t"x"
END
}

@test "sessions: --sorted: a session ends where the next begins, and must not come again" {
    spec <<'END'
ctx-isolate --session-key id --sorted --min-gain 1
<<< {"role":"user","content":"1","id":"a"}
<<< {"role":"user","content":"2","id":"a"}
<<<
<<< torn
<<< {"role":"user","content":"3","id":"b"}
<<< {"role":"user","content":"4","id":"\u0062"}
<<< {"role":"user","content":"5"}
<<< {"role":"user","content":"6","id":"a"}
<<< {"role":"user","content":"7","id":"c"}
>>> {"role":"user","content":"1","id":"a"}
>>> {"role":"user","content":"2","id":"a"}
>>>
>>> torn
>>> {"role":"user","content":"3","id":"b"}
>>> {"role":"user","content":"4","id":"\u0062"}
>>> {"role":"user","content":"5"}
>>>2 ctx-isolate: -:4: expected a value, at byte 2
>>>2 ctx-isolate: -:8: session a comes again, and --sorted has ended it
>>>= 65
END
}

@test "sessions: a path of members is a path of members, and --sorted goes with one" {
    local path
    for path in '' . a. .a a..b a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q; do
        status_of 64 ctx-select --session-key "$path" role=user </dev/null >out 2>said
        same "$path" <(echo "ctx-select: bad value '$path' of --session-key, expected a path of members such as" \
            "metadata.session_id; try 'ctx-select --help'") said
    done
    status_of 64 ctx-select --sorted role=user </dev/null >out 2>said
    same 'alone' <(echo "ctx-select: --sorted requires --session-key; try 'ctx-select --help'") said
}

@test "sessions: --report counts them, and has the sums of what they say" {
    ctx-isolate --session-key "$key" --report report "$SESSIONS/mixed/turns" >out 2>said || [[ $? == 65 ]]
    ctx-isolate --session-key "$key" --report sorted --sorted "$SESSIONS/mixed/contiguous" >out 2>said || [[ $? == 65 ]]
    same 'report' report sorted
    [[ $(jq .sessions report) == $(ls "$SESSIONS/alone" | wc -l) ]]
}

@test "ctx-budget: a budget record for each session, as if it were alone" {
    keeps_apart ctx-budget --estimator bytes/4
    keeps_apart ctx-budget --estimator bytes/4 --annotate
    keeps_apart ctx-budget --estimator calibrated --limit 200
    keeps_apart ctx-budget --estimator bytes/4 --json --by role
    keeps_apart ctx-budget --estimator bytes/4 --json --cuts
    keeps_apart ctx-budget --estimator bytes/4 --json --check --limit 100 --when 'error>0'
    keeps_apart ctx-budget --estimator bytes/4 --json --max-turns 2
}

@test "ctx-budget: records of sessions come behind all others, in the order of their first records" {
    spec <<'END'
ctx-budget --session-key id --estimator bytes/4 | jq -c '[.type // .role, .id, .used_tokens]'
<<< {"role":"user","content":"1","id":"b"}
<<< {"role":"user","content":"2","id":"a"}
<<< {"role":"user","content":"3","id":"b"}
<<< {"role":"user","content":"4"}
>>> ["user","b",null]
>>> ["user","a",null]
>>> ["user","b",null]
>>> ["user",null,null]
>>> ["budget","b",10]
>>> ["budget","a",5]
>>> ["budget",null,5]
END
    spec <<'END'
ctx-budget --session-key id --sorted --estimator bytes/4 | jq -c '[.type // .role, .id, .used_tokens]'
<<< {"role":"user","content":"1","id":"b"}
<<< {"role":"user","content":"3","id":"b"}
<<< {"role":"user","content":"2","id":"a"}
>>> ["user","b",null]
>>> ["user","b",null]
>>> ["budget","b",10]
>>> ["user","a",null]
>>> ["budget","a",5]
END
}

@test "ctx-budget: a row for each session, and --check names those that are due" {
    spec <<'END'
ctx-budget --session-key id --estimator bytes/4 --json --limit 100 | jq -r '[.id, .used_tokens] | @tsv'
<<< {"role":"user","content":"1","id":"b c"}
<<< {"role":"user","content":"2","id":7}
<<< {"role":"user","content":"3"}
>>>$ b c\t5
>>>$ 7\t5
>>>$ \t5
END
    spec <<'END'
ctx-budget --session-key id --estimator bytes/4 --table --limit 9 --check
<<< {"role":"user","content":"1","id":"b"}
<<< {"role":"user","content":"2","id":7}
<<< {"role":"user","content":"3","id":"b"}
>>> session                                  used   share    remaining
>>> b                                          10  111.1%            0  compact: soft_threshold window
>>> 7                                           5   55.6%            4
>>>2 ctx-budget: session b: compaction is due: soft_threshold window
>>>= 1
END
    spec <<'END'
ctx-budget --session-key id --estimator bytes/4 --brief --limit 9
<<< {"role":"user","content":"1","id":"b"}
<<< {"role":"user","content":"2","id":7}
>>> b: 5/9 56%, 4 left
>>> 7: 5/9 56%, 4 left
END
    # A key may have any character.
    spec <<'END'
ctx-budget --session-key id --estimator bytes/4 --json --limit 4 --check | jq -c .id
<<< {"role":"user","content":"1","id":"a\u0000\u001bb"}
<<< {"role":"user","content":"1","id":"a"}
>>> "a\u0000\u001bb"
>>> "a"
>>>2 ctx-budget: session a\x00\x1bb: compaction is due: soft_threshold window
>>>2 ctx-budget: session a: compaction is due: soft_threshold window
>>>= 1
END
    local option
    for option in --each --now --text; do
        # shellcheck disable=SC2086
        status_of 64 ctx-budget --session-key id $option "$FIXTURES/ctx-talk.jsonl" >out 2>said
        same "$option" <(echo "ctx-budget: $option cannot be combined with --session-key; try 'ctx-budget --help'") said
    done
    for option in '--by role' --cuts; do
        # shellcheck disable=SC2086
        status_of 64 ctx-budget --session-key id $option "$FIXTURES/ctx-talk.jsonl" >out 2>said
        same "$option" <(echo "ctx-budget: --session-key with ${option%% *} requires --json; try 'ctx-budget --help'") said
    done
}

@test "ctx-project: each session of a stream is viewed as if it were alone" {
    keeps_apart ctx-project
    keeps_apart ctx-project --view conversation
    keeps_apart ctx-project --view trace
    keeps_apart ctx-project --view all --merge --shorten 100
    keeps_apart ctx-project --last 3msgs --estimator bytes/4
    keeps_apart ctx-project --last 1k --keep first --estimator calibrated
    keeps_apart ctx-project --sections execution_buffer,messages
    keeps_apart ctx-project --select role=user --attempts last
    keeps_apart ctx-project --leaf last
    keeps_apart ctx-project --trace error --forgotten show
    echo 'The tide turns at noon.' >document
    keeps_apart ctx-project --inject document --inject document@before-last-user --inject document@end
    keeps_apart ctx-project --view all --with-system
}

@test "ctx-redact: each session of a stream is redacted as if it were alone" {
    keeps_apart ctx-redact --bad-lines drop --bad-file bad
    keeps_apart ctx-redact --bad-lines drop --bad-file bad --where error
    keeps_apart ctx-redact --bad-lines drop --bad-file bad --where 'turn>-2' --pattern 'word=[a-z]+[0-9]'
}

@test "ctx-project: --leaf: a session without that message says no, and the others are written" {
    spec <<'END'
ctx-project --session-key id --leaf m2
<<< {"role":"user","content":"1","id":"a","metadata":{"id":"m1"}}
<<< {"role":"user","content":"2","id":"b","metadata":{"id":"m2"}}
<<< {"role":"user","content":"3","id":"b","metadata":{"id":"m3"}}
>>> {"role":"user","content":"2","id":"b","metadata":{"id":"m2"}}
>>>2 ctx-project: session a: no message has id 'm2'
>>>= 1
END
}

@test "ctx-redact: --finds names the session" {
    printf '%s\n' '{"role":"user","content":"mail a@example.org","id":"a"}' '{"role":"user","content":"b@example.org","id":7}' |
        ctx-redact --session-key id --finds finds >out
    jq -c '[.session, .line]' finds >got
    same 'finds' <(printf '%s\n' '["a",1]' '[7,1]') got
}

@test "ctx-route: each session of a stream is routed as if it were alone" {
    keeps_apart ctx-route
    keeps_apart ctx-route --separate-trace
    keeps_apart ctx-route --ephemeral --execution e9
    keeps_apart ctx-route --next-execution
    keeps_apart ctx-route --context place=harbour
    keeps_apart ctx-route --set mood=calm --where role=user
    keeps_apart ctx-route --set late=true --where 'turn=-1'
    keeps_apart ctx-route --overflow 2turns
    keeps_apart ctx-route --clear execution_buffer
}

@test "ctx-route: --resolve: one session has the id, which is enough; --log and --append continue one session" {
    spec <<'END'
ctx-route --session-key id --resolve c1 --resolve c2 | jq -c '[.id, .metadata.resolved]'
<<< {"role":"user","content":"1","id":"a"}
<<< {"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"f"}}],"id":"b"}
<<< {"role":"tool","tool_call_id":"c1","content":"no","metadata":{"is_error":true},"id":"b"}
>>> ["a",null]
>>> ["b",null]
>>> ["b",true]
>>>2 ctx-route: no failure has the id 'c2'
>>>= 1
END
    local option
    for option in --log --append; do
        status_of 64 ctx-route --session-key id $option log </dev/null >out 2>said
        same "$option" <(echo "ctx-route: $option cannot be combined with --session-key; try 'ctx-route --help'") said
    done
    [[ ! -e log ]]
}

@test "ctx-normalize: each session of a stream is normalized as if it were alone" {
    keeps_apart ctx-normalize
    keeps_apart ctx-normalize --repair
    keeps_apart ctx-normalize --open-calls close
    keeps_apart ctx-normalize --open-calls drop
    keeps_apart ctx-normalize --untrusted
    keeps_apart ctx-normalize --steering new
    keeps_apart ctx-normalize --from openai --bad-lines drop --bad-file bad
    keeps_apart ctx-normalize --check
}

# said_alone COMMAND...: what it says of each session alone is what it says of them in a stream, but
# for files and the numbers of lines.
said_alone() {
    local file mixed
    for file in "$SESSIONS"/alone/*; do
        "$@" --session-key "$key" "$file" 2>&1 >/dev/null || [[ $? == 1 || $? == 65 ]]
    done >want
    [[ -s want ]] || fail "$*: nothing is said" || return
    for mixed in "$SESSIONS"/mixed/*; do
        "$@" --session-key "$key" "$mixed" 2>got >/dev/null || [[ $? == 1 || $? == 65 ]]
        same "$*: ${mixed##*/}" <(sed 's/: [^ ]*:[0-9]*: /: /' want | sort) <(sed 's/: [^ ]*:[0-9]*: /: /' got | sort) || return
    done
}

@test "ctx-normalize: --check finds in each session what it finds in it alone" {
    said_alone ctx-normalize --check
    said_alone ctx-normalize --check --to openai
    said_alone ctx-normalize --check --to anthropic
}

@test "ctx-normalize: a body, an array and a store of each session, in the order of their first records" {
    local option file mixed
    local -a words files
    mkdir each
    for option in '--to openai --request={"model":"m"}' '--to anthropic --request={"model":"m","max_tokens":9}' \
        '--to openai --array' '--to anthropic --array' '--to instructor'; do
        local -a command=(ctx-normalize --session-key "$key" --bad-lines drop --bad-file bad)
        read -r -a words <<<"$option"
        for file in "$SESSIONS"/alone/*; do
            "${command[@]}" "${words[@]}" "$file" >"each/${file##*/}" 2>said || [[ $? == 65 ]]
        done
        for mixed in "$SESSIONS"/mixed/*; do
            "${command[@]}" "${words[@]}" "$mixed" >got 2>said || [[ $? == 65 ]]
            mapfile -t files < <(jq -r .metadata.session_id "$mixed" | awk '!had[$0]++')
            cat "${files[@]/#/each/}" >want
            [[ $(wc -l <want) -gt 15 ]] || fail "$option: not a line a session"
            same "$option: ${mixed##*/}" want got
        done
    done
}

# converts_apart FORMAT FILE...: the sessions of the files, with a key that their format does not
# have, are read as each is alone, and what is made of them has the key.
converts_apart() {
    local from=$1 how file i=0
    local -a files=("${@:2}") mixed=()
    for file in "${files[@]}"; do
        jq -c --arg key "t$((++i))" '{thread: $key} + .' "$file" >"alone-t$i"
        mixed+=("alone-t$i")
        ctx-normalize --from "$from" --session-key thread "alone-t$i" 2>/dev/null || [[ $? == 65 ]]
    done >want
    [[ $(jq -r .thread want | sort -u) == $(seq -f 't%g' "$i") ]] || fail "$from: not every line has its key"
    for how in turns 3; do
        interleave "$how" "${mixed[@]}" >stream
        ctx-normalize --from "$from" --session-key thread stream >got 2>/dev/null || [[ $? == 65 ]]
        same "$from, $how" want <(for ((j = 1; j <= i; j++)); do grep -F "\"thread\":\"t$j\"" got; done)
    done
}

@test "ctx-normalize: the key is that of the input, and what is made of another format has it" {
    converts_apart claude-code "$FIXTURES"/claude-code-{session,parallel,sidechain,compacted}.jsonl
    converts_apart auto "$FIXTURES"/claude-code-{session,parallel}.jsonl "$FIXTURES/anthropic-messages.jsonl"
    converts_apart openai "$FIXTURES/openai-chat.jsonl" "$FIXTURES/openai-finetune.jsonl"
    converts_apart anthropic "$FIXTURES/anthropic-messages.jsonl" "$FIXTURES/anthropic-request.jsonl"
    spec <<'END'
ctx-normalize --session-key sessionId --from claude-code
<<< {"type":"user","uuid":"u1","sessionId":"s1","message":{"role":"user","content":"1"}}
<<< {"type":"user","uuid":"u2","sessionId":"s2","message":{"role":"user","content":"2"}}
>>> {"role":"user","content":"1","metadata":{"id":"u1","session_id":"s1"},"sessionId":"s1"}
>>> {"role":"user","content":"2","metadata":{"id":"u2","session_id":"s2"},"sessionId":"s2"}
END
}

# as_in_a_second_run OPTION...: a key that the reader makes works as it does when all is read again.
as_in_a_second_run() {
    local status=0 expected=0
    ctx-normalize in >first 2>/dev/null || [[ $? == 65 ]]
    ctx-normalize --session-key metadata.session_id "$@" first >want 2>said.want || expected=$?
    ctx-normalize --session-key metadata.session_id "$@" --report report in >got 2>said || status=$?
    same "$*" want got
    same "$*: status" <(echo "$expected") <(echo "$status")
    same "$*: sessions" <(jq -n '[inputs.metadata.session_id] | unique | length' first) <(jq .sessions report)
}

@test "ctx-normalize: a key that the reader makes parts the sessions in the same run" {
    # One behind the other, and interleaved: the reader sees both in turn.
    cat "$FIXTURES"/claude-code-{session,parallel,compacted}.jsonl >in
    as_in_a_second_run
    as_in_a_second_run --sorted
    as_in_a_second_run --to openai --request='{"model":"m"}'
    [[ $(wc -l <got) == 3 ]]
    paste -d '\n' "$FIXTURES"/claude-code-{parallel,compacted}.jsonl >in
    as_in_a_second_run --to openai --request='{"model":"m"}'
    as_in_a_second_run --to anthropic --array
    [[ $(wc -l <got) == 2 ]]
    # Of each session the canonical records come in its order, and with --sorted no session comes twice.
    ctx-normalize --session-key metadata.session_id in >got
    same 'each in its order' <(jq -cs 'group_by(.metadata.session_id)[][]' first) <(jq -cs 'group_by(.metadata.session_id)[][]' got)
    status_of 65 ctx-normalize --session-key metadata.session_id --sorted in >got 2>said
    [[ $(wc -l <said) == 1 ]]
    grep -q 'comes again, and --sorted has ended it' said
    # Lines that are a session each.
    printf '{"messages":[{"role":"user","content":"%s"}]}\n' 1 2 >in
    as_in_a_second_run --to openai --array
    [[ $(wc -l <got) == 2 ]]
}

@test "ctx-normalize: a torn line is of the session that its mended record has" {
    spec <<'END'
ctx-normalize --session-key id --repair
<<< {"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}],"id":"a"}
<<< {"role":"user","content":"Is{"role":"tool","tool_call_id":"c1","content":"1","id":"a"}
<<< {"role":"user","content":"2","id":"b"}
>>> {"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}],"id":"a"}
>>> {"role":"user","content":"Is
>>> {"role":"tool","tool_call_id":"c1","content":"1","id":"a"}
>>> {"role":"user","content":"2","id":"b"}
>>>2 ctx-normalize: -:2: expected ',' or '}', at byte 31
>>>= 65
END
}

@test "ctx-normalize: a session without messages has no body, and the others have theirs" {
    spec <<'END'
ctx-normalize --session-key id --to openai --request='{"model":"m"}'
<<< {"role":"user","content":"1","id":"a"}
<<< {"type":"note","id":"b"}
<<<
<<< {"role":"user","content":"2","id":7}
>>> {"model":"m","messages":[{"role":"user","content":"1"}]}
>>> {"model":"m","messages":[{"role":"user","content":"2"}]}
>>>2 ctx-normalize: session b: no messages for a request
>>>2 ctx-normalize: 1 record without a place in the output left out
>>>= 65
END
    spec <<'END'
ctx-normalize --session-key id --to openai
>>>2 ctx-normalize: --session-key with --to=openai requires --request or --array: messages do not say of which session they are; try 'ctx-normalize --help'
>>>= 64
END
}

@test "ctx-normalize: what stands aside moves no body, and --report has the sums" {
    printf '%s\n' '{"role":"user","content":"1","id":"a"}' '{"role":"user","content":"2","id":"b"}' \
        '{"type":"note","id":"a"}' '{"role":"tool","tool_call_id":"c","content":"3","id":"b"}' \
        '{"role":"tool","tool_call_id":"c","content":"4","id":"a"}' >in
    ctx-normalize --session-key id --to openai --array --report report in >out 2>said
    same 'order' <(printf '1\n2\n') <(jq -r '.[0].content' out)
    same 'said' <(echo 'ctx-normalize: 1 record without a place in the output left out') said
    jq -c '[.sessions, .found["orphan-result"], .made, .joined, .passed.note]' report >got
    same 'report' <(echo '[2,2,4,4,1]') got
}

@test "ctx-normalize: --in-place: each session of a file is repaired" {
    printf '%s\n' '{"role":"user","content":"1","id":"a"}' '{"role":"tool","tool_call_id":"c","content":"2","id":"b"}' \
        '{"role":"assistant","content":"3","id":"a"}' '{"role":"us{"role":"tool","tool_call_id":"d","content":"4","id":"b"}' >file
    ctx-normalize --session-key id --repair file >want 2>said || [[ $? == 65 ]]
    status_of 65 ctx-normalize --session-key id --repair --in-place file 2>said
    same 'file' want file
    [[ $(grep -c 'answers no call.*"id":"b"' file) == 2 ]]
}

@test "sessions: no replacement is refused for the bytes of the key that it is given" {
    local n command key=k
    { user Go.; calls c1 look '{}'; gets c1 x; says Done.; user Bye.; } >talk
    for n in {1..240..3}; do
        # The calls and their result have two keys, and an artifact gets one.
        sed "s/{/{\"id\":\"$key\",/" talk >in
        for command in ctx-isolate 'ctx-compact --estimator bytes/4 --force --target 1 --keep-turns 1 --pipeline truncate'; do
            printf '{"key of":%s}\n' "$n" | tee -a alone >>keyed
            $command in >>alone
            $command --session-key id in >>keyed
        done
        key+=kkk
    done
    same 'alone and keyed' <(jq -cS 'del(.id)' alone) <(jq -cS 'del(.id)' keyed)
}

@test "ctx-compact: each session of a stream is compacted as if it were alone" {
    local -a few=(--estimator bytes/4)
    keeps_apart ctx-compact
    keeps_apart ctx-compact "${few[@]}" --limit 400
    keeps_apart ctx-compact "${few[@]}" --limit 120 --best-effort
    keeps_apart ctx-compact "${few[@]}" --force --pipeline dedupe,prune,truncate --keep-turns 1
    keeps_apart ctx-compact "${few[@]}" --force --target 50 --best-effort --strategy symbolize
    keeps_apart ctx-compact "${few[@]}" --limit 300 --plan
    keeps_apart ctx-compact --estimator calibrated --limit 300 --best-effort
    keeps_apart ctx-compact "${few[@]}" --max-messages 5 --best-effort
    keeps_apart ctx-compact "${few[@]}" --limit 200 --best-effort --keep-messages 2 --archive archive
    keeps_apart ctx-compact "${few[@]}" --limit 300 --best-effort --decide 'grep -q ":[0-9]*[02468],"'
}

# talk KEY COUNT: a session of four turns with so many letters in each message.
talk() {
    local key=$1 count=$2 i
    for i in 1 2 3 4; do
        printf '{"role":"user","content":"%s","id":"%s"}\n{"role":"assistant","content":"%s","id":"%s"}\n' \
            "question $i $(repeat "$count" q)" "$key" "answer $i $(repeat "$count" a)" "$key"
    done
}

# talks: a long session, a short one and one that cannot be met, in turn.
talks() {
    talk a 2000 >a
    talk b 20 >b
    talk c 9000 | tail -n 1 >c
    interleave turns a b c
}

@test "ctx-compact: the sessions that meet their budget are written, and the status is the worst" {
    talks >in
    status_of 1 ctx-compact --session-key id --estimator bytes/4 --limit 2k in >out 2>said
    jq -r .id out | uniq -c | awk '{print $2}' | sort | uniq -c | awk '{print $2}' >got
    same 'sessions' <(printf 'a\nb\n') got
    same 'said' <(printf '%s\n' 'ctx-compact: session c: the budget cannot be met: 2,257 tokens are the least, 2,000 are allowed') <(head -n 1 said)
    same 'who is named' /dev/null <(grep -v 'ctx-compact: session c: ' said)
    jq -c 'select(.id == "b")' out >got
    same 'a session that is not due' b got
    status_of 1 ctx-compact --session-key id --estimator bytes/4 --limit 2k --sorted <(sort -s -t: -k4 a b c) >sorted 2>said
    same 'the same with --sorted' <(sort out) <(sort sorted)
}

@test "ctx-compact: --changes, --report and --plan name the session, and the sums are of all" {
    local each
    talks >in
    for file in a b c; do
        ctx-compact --session-key id --estimator bytes/4 --limit 2k --changes "changes-$file" --report "report-$file" "$file" >>alone 2>said || [[ $? == 1 ]]
    done
    echo stale >changes
    ctx-compact --session-key id --estimator bytes/4 --limit 2k --changes changes --report report in >out 2>said || [[ $? == 1 ]]
    same 'changes' <(cat changes-a changes-b changes-c) changes
    [[ $(jq -r .session changes | sort -u) == a ]]
    jq -c '.each[]' report-a report-b report-c >want
    jq -c '.each[]' report >got
    same 'report' want got
    same 'sums' <(jq -cs '[(map(.tokens_before) | add), (map(.messages_after) | add), length]' want) \
        <(jq -c '[.tokens_before, .messages_after, .sessions]' report)
    same 'each' <(printf '["a",true]\n["b",true]\n["c",false]\n') <(jq -c '.each[] | [.session, .budget_met]' report)
    for each in a b c; do
        ctx-compact --session-key id --estimator bytes/4 --limit 2k --plan "$each" 2>said || [[ $? == 1 ]]
    done >want
    ctx-compact --session-key id --estimator bytes/4 --limit 2k --plan in >got 2>said || [[ $? == 1 ]]
    same 'plan' want got
    ctx-compact --estimator bytes/4 --limit 2k --report one a >out
    [[ $(jq 'has("each"), has("session")' one) == $'false\nfalse' ]]
}

@test "sessions: without a session the list of changes is empty, and the report says so" {
    local command
    for command in ctx-isolate 'ctx-compact --estimator bytes/4'; do
        echo stale >changes
        $command --session-key id --changes changes --report report </dev/null
        same "$command" /dev/null changes
        [[ $(jq .sessions report) == 0 ]]
    done
}

@test "ctx-compact: each session has the budget of its own record, and keeps it" {
    talks >in
    for file in a b c; do
        ctx-budget --session-key id --estimator "$([[ $file == b ]] && echo o200k_base || echo bytes/4)" \
            --limit "$([[ $file == c ]] && echo 9k || echo 2k)" "$file" >"budget-$file"
        ctx-compact --session-key id "budget-$file" >"want-$file"
    done
    interleave turns budget-a budget-b budget-c >in
    ctx-compact --session-key id --report report in >out
    for file in a b c; do
        same "$file" "want-$file" <(jq -c --arg id "$file" 'select(.id == $id)' out)
    done
    same 'records' <(printf '["a","bytes/4"]\n["b","o200k_base"]\n["c","bytes/4"]\n') \
        <(jq -c 'select(.type == "budget") | [.id, .estimator]' out | sort)
    ctx-compact --session-key id --archive archive out >twice
    same 'twice' out twice
    same 'what was archived of the second run' /dev/null <(grep '"pass"' archive)
}

@test "ctx-compact: the summarizer and --decide are asked once for each session" {
    talk a 2000 >a
    talk b 2000 >b
    interleave turns a b >in
    ctx-compact --session-key id --estimator bytes/4 --limit 2k --summarizer 'cat >/dev/null; echo run >>runs; echo "Of $(wc -l <runs | tr -d " ")."' in >out
    same 'runs' <(printf 'run\nrun\n') runs
    same 'texts' <(printf 'a Of 1.\nb Of 2.\n') <(jq -r 'select(.metadata.facts) | .id + " " + (.content | capture("(?<t>Of [0-9]+[.])").t)' out)
    ctx-compact --session-key id --estimator bytes/4 --limit 2k --decide 'jq -r .used_tokens >>asked; exit 1' in >out
    same 'asked' <(ctx-budget --session-key id --estimator bytes/4 in | jq -r 'select(.type == "budget").used_tokens') asked
    same 'not yet' in out
    status_of 75 ctx-compact --session-key id --estimator bytes/4 --limit 2k --before-compact 'grep -q "session\":\"b" && exit 75; exit 0' in >out 2>said
    same 'a veto' /dev/null out
    status_of 64 ctx-compact --session-key id --on-compact true in >out 2>said
    same 'told' <(echo "ctx-compact: --on-compact cannot be combined with --session-key; try 'ctx-compact --help'") said
}

@test "ctx-compact: --in-place: a file of many sessions is replaced when each meets its budget" {
    talks >in
    cp in file
    status_of 1 ctx-compact --session-key id --estimator bytes/4 --limit 2k -i file 2>said
    same 'as it was' in file
    ctx-compact --session-key id --estimator bytes/4 --limit 3k -i file
    ctx-compact --session-key id --estimator bytes/4 --limit 3k in >want
    same 'file' want file
}

@test "ctx-compact: --restore: the sessions of a stream come back from one archive" {
    local how
    for how in turns random-1; do
        rm -f archive
        ctx-compact --session-key "$key" --estimator bytes/4 --limit 120 --best-effort --archive archive "$SESSIONS/mixed/$how" >out 2>said ||
            [[ $? == 1 || $? == 65 ]] || fail "$(<said)"
        ! cmp -s out "$SESSIONS/mixed/$how" || fail 'nothing was compacted'
        ctx-restore --session-key "$key" --report report archive out >back 2>said || [[ $? == 65 ]] || fail "$(<said)"
        [[ $(jq .passes report) -gt 3 ]] || fail "$(jq .passes report) passes"
        split_by_key got <back
        diff -r "$SESSIONS/alone" got
        rm -r got
    done
}

# alike_real NAME COMMAND...: of the real sessions in alone-N, those of a stream of them are what
# each is alone.
alike_real() {
    local i=0 file
    for file in alone-*; do
        "${@:2}" --session-key thread "$file" 2>said || [[ $? == [01] || $? == 65 ]] || fail "$*: $(<said)"
    done >want
    [[ -s want ]] || fail "$*: nothing" || return
    "${@:2}" --session-key thread "$1" >got 2>said || [[ $? == [01] || $? == 65 ]] || fail "$*: $(<said)"
    for file in alone-*; do
        grep -F "\"thread\":\"${file#alone-}\"" got || [[ $? == 1 ]]
    done >parted
    same "$*" want parted
}

# bats test_tags=slow
@test "sessions: of real transcripts, what is made of each in a stream is what is made of it alone" {
    local root i file
    [[ -d $CTX_SHARED ]] || skip 'no real transcripts'
    for root in claude-code openai-chat anthropic-messages; do
        rm -f alone-*
        i=0
        while IFS= read -r file; do
            jq -c --arg key "t$((++i))" 'select(type == "object") | {thread: $key} + .' "$file" >"alone-t$i" 2>/dev/null || rm "alone-t$i"
        done < <(find "$CTX_SHARED/$root" -type f -size -300k -size +2k | sort | head -n 4)
        [[ $(find . -name 'alone-*' -size +0 | wc -l) -gt 1 ]] || fail "no transcripts of $root"
        interleave turns alone-* >raw
        alike_real raw ctx-normalize
        ctx-normalize --session-key thread raw >log 2>said || [[ $? == 65 ]]
        for file in alone-*; do
            ctx-normalize --session-key thread "$file" >"$file.new" 2>said || [[ $? == 65 ]]
            mv "$file.new" "$file"
        done
        alike_real log ctx-route --separate-trace
        alike_real log ctx-isolate
        alike_real log ctx-project
        alike_real log ctx-select role=user
        alike_real log ctx-budget --estimator bytes/4
        alike_real log ctx-compact --estimator bytes/4 --limit 4k --best-effort
    done
}

@test "ctx-compile: each session of a stream is compiled as if it were alone, by every built-in profile" {
    keeps_apart ctx-compile
    keeps_apart ctx-compile -p budget --estimator bytes/4 --window 2k
    keeps_apart ctx-compile -p policy --estimator bytes/4
}

@test "ctx-compact: a digest has the key of its session, and what a filter leaves without one is weighed with it" {
    local id limit status
    for id in k 'the-key-of-a-session-that-has-quite-a-long-name'; do
        for limit in 55 60 65 70 75 80; do
            {
                jq -nc --arg id "$id" '{role: "user", content: "hi", $id}'
                for _ in 1 2 3; do
                    jq -nc --arg id "$id" '{role: "assistant", content: "done", $id},
                        {role: "user", content: "next step please next step please", $id}'
                done
                jq -nc --arg id "$id" '{role: "assistant", content: "done", $id}, {role: "user", content: "Now.", $id}'
            } >in
            status=0
            ctx-compact --session-key id --limit "$limit" --estimator bytes/4 in >out 2>said || status=$?
            [[ $status == [01] ]] || fail "$id: $limit: $status: $(<said)"
            [[ $(jq -r .id out | sort -u) == "$id" || $status == 1 ]] || fail "$id: $limit: no key"
        done
    done
    printf '#!/bin/sh\njq -c --unbuffered "select(.role) | del(.id) | if .role == \\"assistant\\" then .content = \\"well done\\" else . end"\n' >mine
    chmod +x mine
    status_of 70 ctx-compact --session-key id --limit 40 --estimator bytes/4 --pipeline ./mine,truncate in >out 2>said
    grep -qF "'./mine' broke: line 8 was changed and must stay as it is, recency window; line 2 has more bytes" said || fail "$(<said)"
}

@test "--session-key: the key of a line is its own, though another string is where the line before had it" {
    # The lane of the next line is guessed by the place of the key, from the end of a line or its start.
    local first last other
    for last in '{"role":"user","content":"1","metadata":{"session_id":"A"}}' \
        '{"metadata":{"session_id":"A"},"role":"user","content":"1"}'; do
        first=${last//\"A\"/\"B\"}
        for other in '{"metadata":{"said______":"A","session_id":"B"},"role":"user","content":"2"}' \
            '{"role":"user","content":"2","metadata":{"session_id":"B","number":"A"}}'; do
            printf '%s\n' "$first" "$last" "$last" "$other" "$last" "$first" >in
            [[ $(ctx-select --count --session-key "$key" role=user in) == $'3\t"B"\n3\t"A"' ]]
        done
    done
}
