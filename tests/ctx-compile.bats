#!/usr/bin/env bats
#
# ctx-compile: stages that run as a shell's pipeline, how they end, and what becomes of the result.

load helper

setup() {
    fresh_directory
    export HOME=$PWD/home
    unset XDG_CONFIG_HOME CTX_PROFILE_PATH CTX_PROFILE
}

# profile LINE...: writes ./p.
profile() {
    printf '%s\n' "$@" >p
}

a_log() {
    printf '%s\n' '{"role":"user","content":"a"}' '{"role":"assistant","content":"b"}' >log
}

# equals_pipeline PROFILE FILE: both give the same bytes and status.
equals_pipeline() {
    local status=0 expected=0
    ctx-compile -p "$1" "$2" >compiled 2>compiled.said || status=$?
    bash -c "$(ctx-compile -p "$1" --explain "$2")" >piped 2>piped.said || expected=$?
    [[ $status == "$expected" ]] || fail "$1 $2: status $status, the pipeline's $expected"
    cmp compiled piped || fail "$1 $2"
}

@test "ctx-compile: every built-in profile equals the pipeline that it explains, on every fixture" {
    local name file
    for name in pragmatic budget policy; do
        for file in "$FIXTURES"/*.jsonl; do
            equals_pipeline "$name" "$file"
        done
    done
}

# equals_pipeline_and_says PROFILE FILE: what they say is the same, too, in whatever order. When a
# stage fails, which stops all of ctx-compile, it is named.
equals_pipeline_and_says() {
    local status=0
    ctx-compile -p "$1" "$2" >/dev/null 2>said || status=$?
    if [[ $status == 0 || $status == 65 ]]; then
        equals_pipeline "$1" "$2"
        same "$1 $2" <(sort piped.said) <(sort compiled.said)
    else
        [[ $status == 1 ]] && grep -q "^ctx-compile: stage '.': ctx-select ended with status 1$" said
    fi
}

# odd_files: in odd/, inputs whose lines are not as they should be.
odd_files() {
    local line='{"role":"user","content":"a","metadata":{"timestamp":"2026-01-01T00:00:00Z"}}'
    local bom=$'\xef\xbb\xbf'
    mkdir odd
    printf '%s' "$line" >odd/no-end
    printf '%s\r' "$line" >odd/cr
    printf '%s\r\n' "$line" "$line" >odd/crlf
    printf '%s\r\n%s' "$line" "$line" >odd/crlf-no-end
    printf '%s%s\n%s%s\n' "$bom" "$line" "$bom" "$line" >odd/bom
    printf '%s%s' "$bom" "$line" >odd/bom-no-end
    printf '%s' "$bom" >odd/bom-alone
    printf '%s%s%s\n%s\n' "$bom" "$bom" "$line" "$line" >odd/bom-twice
    printf '\n\n%s\n \n\t\r\n%s\n\n' "$line" "$line" >odd/blank
    printf '%s\n{"role":\n%s\nnull\n[1]\n"a"\n{}\n' "$line" "$line" >odd/bad
    printf '{"role":"user"' >odd/bad-no-end
    printf '\xff\n%s' "$line" >odd/bad-first
    printf '%s\n\0\n%s\0\n' "$line" "$line" >odd/nul
    printf '{"role":"user","body":"a"}\n%s\n' "$line" >odd/unknown
    printf '{"type":"user","message":{"role":"user","content":"a"}}\n' >odd/other
    : >odd/empty
    printf '\n' >odd/line
}

# bats test_tags=slow
@test "ctx-compile: stages that share a process do as the pipeline does, with odd lines, too, and say the same" {
    local stage file number=0
    local -a files stages=('ctx-route' 'ctx-isolate --policy mask --min-tokens 2 --keep-results 0' 'ctx-isolate' 'ctx-project --view all'
        'ctx-project' 'ctx-project --merge --view all' 'ctx-budget --estimator bytes/4' 'ctx-budget --json --estimator bytes/4'
        'ctx-budget --json --by role --estimator bytes/4' 'ctx-select role=user' 'ctx-select --count role=user'
        'ctx-project --inject text@start --view all' 'ctx-project --inject text@end --view all' 'ctx-route --separate-trace --execution e'
        'ctx-project --view trace --bad-lines stop' 'ctx-route --bad-lines drop --bad-file aside')
    odd_files
    echo injected >text
    for stage in "${stages[@]}"; do
        profile 'a: ctx-route' "b: $stage" 'c: ctx-isolate --policy transparent' 'd: ctx-budget --estimator bytes/4' "e: $stage"
        files=(odd/*)
        ((number++ % 4)) || files+=("$FIXTURES"/{hostile,ctx}-*.jsonl)
        for file in "${files[@]}"; do
            equals_pipeline_and_says ./p "$file"
        done
        cat odd/no-end odd/crlf | ctx-compile -p ./p odd/bom - odd/bad >compiled 2>/dev/null || true
        cat odd/no-end odd/crlf | bash -c "$(ctx-compile -p ./p --explain odd/bom - odd/bad)" >piped 2>/dev/null || true
        cmp compiled piped || fail "$stage"
    done
}

@test "ctx-compile: a byte order mark that a stage between two others takes away does not come back" {
    local file
    odd_files
    echo injected >text
    profile 'a: ctx-project --inject text@start --view all' 'b: ctx-project --view all --last 1msgs'
    for file in odd/*; do
        equals_pipeline_and_says ./p "$file"
    done
}

# bats test_tags=slow
@test "ctx-compile: every built-in profile equals the pipeline that it explains, on every transcript" {
    local name file
    local -a files=("$CTX_SHARED"/**/*.jsonl)
    ((${#files[@]})) || skip 'no transcripts here'
    for name in pragmatic budget policy; do
        for file in "${files[@]}"; do
            equals_pipeline "$name" "$file"
        done
    done
}

@test "ctx-compile: what the built-in profiles are" {
    spec <<'END'
ctx-compile --explain a
>>> #!/usr/bin/env bash
>>> set -o pipefail
>>> ctx-project a
END
    spec <<'END'
ctx-compile -p budget --explain a
>>> #!/usr/bin/env bash
>>> set -o pipefail
>>> ctx-isolate a |
>>>     ctx-project |
>>>     ctx-compact
END
    spec <<'END'
ctx-compile -p policy --explain a
>>> #!/usr/bin/env bash
>>> set -o pipefail
>>> ctx-normalize a |
>>>     ctx-project --trace all |
>>>     ctx-isolate --interim drop |
>>>     ctx-budget |
>>>     ctx-compact
END
}

@test "ctx-compile: facts survive the view of the profile budget" {
    printf '%s\n' '{"role":"user","content":"look"}' \
        '{"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"Read","arguments":"{\"file_path\":\"/harbour/depth.txt\"}"}}]}' \
        "{\"role\":\"tool\",\"tool_call_id\":\"c1\",\"content\":\"$(printf '4.2 m %.0s' {1..200})\"}" \
        '{"role":"assistant","content":"done"}' '{"role":"user","content":"next"}' >log
    ctx-compile -p budget log | grep -q '/harbour/depth.txt'
    ! ctx-compile log | grep '/harbour/depth.txt' || fail 'the plain view shows it'
}

@test "ctx-compile: operands are read by the first stage, by cat where that is none of ours" {
    a_log
    cp log -- -b
    profile 'a: ctx-project --view all' 'b: tac'
    spec <<'END'
ctx-compile -p ./p --explain -- -b - log
>>> #!/usr/bin/env bash
>>> set -o pipefail
>>> ctx-project --view all -- -b - log |
>>>     tac
END
    same 'all' <(cat log log | tac) <(ctx-compile -p ./p -- -b log)
    profile 'b: tac' 'a: ctx-project --view all'
    spec <<'END'
ctx-compile -p ./p --explain log 'b c'
>>> #!/usr/bin/env bash
>>> set -o pipefail
>>> cat log 'b c' |
>>>     tac |
>>>     ctx-project --view all
END
    same 'by cat' <(cat log log | tac) <(ctx-compile -p ./p log - <log)
    same 'standard input' <(tac log) <(ctx-compile -p ./p <log)
    profile 'a: false' 'a off'
    same 'no stage' <(cat log log) <(ctx-compile -p ./p log log)
    same 'no stage, standard input' log <(ctx-compile -p ./p <log)
}

@test "ctx-compile: its own commands are found beside it, others on PATH, before anything runs" {
    mkdir bin
    printf '#!/bin/sh\necho wrong\n' >bin/ctx-project
    printf '#!/bin/sh\nsed s/a/mine/\n' >bin/mine
    chmod +x bin/*
    a_log
    profile 'a: ctx-project' 'b: mine'
    same 'found' <(sed s/a/mine/ log) <(PATH=$PWD/bin:$PATH ctx-compile -p ./p log)
    same 'the empty place of PATH' <(sed s/a/mine/ log) <(cd bin && PATH=$PATH: ctx-compile -p ../p ../log)
    profile 'a: touch began' 'b: nowhere'
    spec <<'END'
ctx-compile -p ./p
>>>2 ctx-compile: ./p:2: stage 'b': no command on PATH is called 'nowhere'
>>>= 69
END
    spec <<'END'
ctx-compile -p ./p --check-profile
>>>2 ctx-compile: ./p:2: stage 'b': no command on PATH is called 'nowhere'
>>>= 69
END
    profile 'a: touch began' 'b: ./log'
    spec <<'END'
ctx-compile -p ./p
>>>2 ctx-compile: ./p:2: stage 'b': cannot run './log'
>>>= 69
END
    # What is off need not be there.
    ctx-compile -p ./p --line 'b off' --line 'a off' </dev/null
    [[ ! -e began ]]
    printf '#!/no/such/interpreter\n' >script
    chmod +x script
    profile 'a: cat' 'b: ./script' 'c: cat'
    status_of 69 ctx-compile -p ./p <log >out 2>said
    same 'said' <(echo "ctx-compile: cannot run './script': No such file or directory") said
}

@test "ctx-compile: bad lines do not stop the rest, and the whole ends with 65" {
    a_log
    echo '{torn' >>log
    spec <<'END'
ctx-compile -p budget --line 'view: ctx-project --view all' --line 'isolate: sed s/b/x/' --line 'compact off' log
>>> {"role":"user","content":"a"}
>>> {"role":"assistant","content":"x"}
>>> {torn
>>>2 ctx-project: -:3: expected a member name, at byte 2
>>>= 65
END
    status_of 65 ctx-compile -p policy -o out log 2>/dev/null
    grep -q torn out
    status_of 65 ctx-compile -p policy --bad-lines drop --bad-file bad log >out 2>said
    same 'the bad file' <(echo '{torn') bad
    same 'named once' <(echo 'ctx-normalize: log:3: expected a member name, at byte 2') said
    profile 'a: cat'
    spec <<'END'
ctx-compile -p ./p --bad-lines drop
>>>2 ctx-compile: no stage of './p' takes --bad-lines; try 'ctx-compile --help'
>>>= 64
END
}

@test "ctx-compile: a stage that fails stops the whole with its status and name; no half result" {
    local status place
    a_log
    for status in 1 2 64 70 74 78 126; do
        for place in first middle last; do
            profile 'first: cat' 'middle: cat' 'last: sort' "$place: sh -c 'cat >/dev/null; exit $status'"
            status_of "$status" ctx-compile -p ./p log >got 2>said
            same "$place $status" <(echo "ctx-compile: stage '$place': sh ended with status $status") said
            same 'nothing came' /dev/null got
            echo before >out
            status_of "$status" ctx-compile -p ./p -o out log 2>said
            same 'the file before' <(echo before) out
        done
    done
    # What was read before does not count as a whole session.
    profile "first: sh -c 'head -n 1; exit 3'" 'last: sort'
    status_of 3 ctx-compile -p ./p <log >got 2>said
    same 'nothing came' /dev/null got
    same 'files' <(printf '%s\n' log p got out said | sort) <(ls -A)
}

# stage_breaks STAGE TEXT: with that stage behind a log of calls nothing is written, and why.
stage_breaks() {
    spec <<END
ctx-compile -p ./p --line '$1' log 2>said; s=\$?; grep -v '^ctx-project:' said >&2; rm said; exit \$s
>>>2 ctx-compile: nothing was written: stage 'x' broke: $2
>>>= 70
END
}

@test "ctx-compile: a stage of one's own parts no call from its result and writes records" {
    profile 'view: ctx-project --view all'
    printf '%s\n' '{"role":"tool","tool_call_id":"c0","content":"orphan"}' '{"role":"user","content":"a"}' '{bad}' \
        '{"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"f"}},{"id":"c2","function":{"name":"f"}}]}' \
        '{"role":"tool","tool_call_id":"c1","content":"d"}' '{"role":"tool","tool_call_id":"c2","content":"e"}' \
        '{"role":"assistant","content":"f"}' '{"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"g"}}]}' >log
    stage_breaks 'x: sed 6d' 'output line 4 is a call without its result'
    stage_breaks 'x: grep -v tool_call_id' 'output line 3 is a call without its result (and 1 more)'
    stage_breaks 'x: sed 4d' 'output line 4 is a result without its call (and 1 more)'
    stage_breaks 'x: sed "5{h;d};7G"' 'output line 7 is separated from its call'
    stage_breaks 'x: sed "5a {\"role\":\"user\",\"content\":\"b\"}"' 'output line 7 is separated from its call'
    stage_breaks 'x: sed "2s/}//"' 'output line 2 is no record, unexpected end'
    stage_breaks 'x: sed "p;3d"' 'output line 2 is a result without its call; output line 15 is a call without its result; output line 9 is separated from its call (and 1 more)'
    # It is named by its stages, and no later stage writes half a session.
    spec <<'END'
ctx-compile -p ./p --line 'x: cat' --line 'y: sed 6d' --line 'z: ctx-project --view all' -o out log 2>said; s=$?; grep -v ^ctx-project: said >&2; rm said; [ ! -e out ] || echo out; exit $s
>>>2 ctx-compile: nothing was written: stage 'x' to 'y' broke: output line 4 is a call without its result
>>>= 70
END
    # What proves it says so when it is killed.
    cat >killer <<'END'
#!/usr/bin/env bash
while proof=$(pgrep -P $PPID -x ctx-compile | tail -n 1); [[ -z $proof || $proof -lt $$ ]]; do sleep 0.01; done
kill -KILL "$proof"
END
    chmod +x killer
    spec <<'END'
ctx-compile -p ./p --line 'x: ./killer' log 2>said; s=$?; grep -v '^ctx-project:' said >&2; rm said; exit $s
>>>2 ctx-compile: stage 'x': its proof was ended by signal 9
>>>= 137
END
    # It may select, cut and reorder; what was wrong before may stay.
    local stage
    for stage in cat 'sed 4,6d' 'sed s/orphan/o/' 'sed 1d' 'sed "2{h;d};7G"' 'sed 8d' 'head -n 0' 'sed 3d' 'sed "8a [1]"'; do
        ctx-compile -p ./p --line "x: $stage" log >got 2>said || [[ $? == 65 ]]
        same "$stage: what comes" <(bash -c "$stage" <log) got
        same "$stage: what is said" <(echo 'ctx-project: log:3: expected a member name, at byte 2') said
    done
    rm said got
    # Sub-agents, ids that come back, and results that come late.
    printf '%s\n' '{"role":"user","content":"a"}' '{"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"f"}}]}' \
        '{"role":"user","content":"b"}' '{"role":"tool","tool_call_id":"c1","content":"late"}' \
        '{"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"f"}}],"metadata":{"agent_id":"s"}}' \
        '{"role":"tool","tool_call_id":"c1","content":"d","metadata":{"agent_id":"s"}}' >log
    spec <<'END'
ctx-compile -p ./p --line 'x: cat' log | cmp - log
END
    stage_breaks 'x: sed 6d' 'output line 5 is a call without its result'
    stage_breaks 'x: sed 2d' 'output line 3 is a result without its call'
    # What is no session, such as a request, is not held to anything.
    profile 'x: jq .'
    spec <<'END'
echo '{"model":"m","messages":[{"role":"user","content":"a"}]}' | ctx-compile -p ./p | wc -l
>>> 9
END
}

@test "ctx-compile: what a stage of one's own reads and writes is held, also where it does not read" {
    printf '{"role":"user","content":"%s"}\n' {1..20000} >log
    profile 'a: ctx-project --view all' 'x: head -n 1' 'b: ctx-project --view all' 'y: cat' 'z: cat'
    spec <<'END'
ctx-compile -p ./p log
>>> {"role":"user","content":"1"}
END
    profile 'x: cat log' 'y: cat'
    (sleep 0.2; echo '{"role":"user","content":"late"}') | ctx-compile -p ./p | cmp - log
    # A call that the stage left unread is none that was read without its result.
    {
        cat log
        echo '{"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"f"}}]}'
        cat log
        echo '{"role":"tool","tool_call_id":"c1","content":"d"}'
    } >late
    profile 'x: head -n 20001'
    status_of 70 ctx-compile -p ./p late 2>said
    same 'cut' <(echo "ctx-compile: nothing was written: stage 'x' broke: output line 20001 is a call without its result") said
    # Of very many faults each may come back.
    { seq 5000 | sed 's/^/{torn /'; cat log; } >torn
    profile 'x: cat'
    ctx-compile -p ./p torn | cmp - torn
    # The whole proof holds where the stages write before all was read.
    profile 'x: cat log'
    ctx-compile -p ./p <log | cmp - log
}

@test "ctx-compile: a stage that a signal ends is named, with 128 and its number" {
    profile "a: sh -c 'kill -9 \$\$'" 'b: cat'
    spec <<'END'
ctx-compile -p ./p
>>>2 ctx-compile: stage 'a': sh was ended by signal 9
>>>= 137
END
    profile 'a: cat' "b: sh -c 'kill -TERM \$\$'"
    spec <<'END'
ctx-compile -p ./p
>>>2 ctx-compile: stage 'b': sh was ended by signal 15
>>>= 143
END
}

@test "ctx-compile: stages that cannot share a process have their own: they read files, replace them, print something else" {
    local words user='{"role":"user","content":"a"}' bom=$'\xef\xbb\xbf'
    a_log
    printf '%s\n' "$user" "$user" >other
    cp other replaced
    for words in 'role=user other' '-e role=user other'; do
        profile 'a: ctx-route' "b: ctx-select $words"
        same "$words" <(ctx-select role=user other) <(ctx-compile -p ./p log)
    done
    profile 'a: ctx-route' 'b: ctx-compact -n --window 4k --estimator bytes/4' 'c: ctx-project --view all'
    equals_pipeline_and_says ./p log
    for words in 'ctx-budget --models' 'ctx-route -h' 'ctx-select -V'; do
        profile "a: $words" 'b: ctx-project --view all'
        status_of 65 ctx-compile -p ./p <log >shown 2>said
        cmp shown <($words)
    done
    profile 'a: ctx-compact -i --estimator bytes/4 replaced' 'b: ctx-route --report report'
    ctx-compile -p ./p </dev/null
    [[ -s report ]]
    rm report
    # A record that is written, and not by a stage, has its line end and is a line.
    printf '{"a":1}\n' >foreign
    profile 'a: ctx-budget --estimator bytes/4 --json --max-messages 9' 'b: ctx-compact --estimator bytes/4 --window 2k'
    equals_pipeline_and_says ./p foreign
    # A byte order mark that was in the midst, and is first now.
    printf '%s\n%s{"role":"assistant","content":"x"}\n' "$user" "$bom" >marked
    profile 'a: ctx-project --view all --reject role=user' 'b: ctx-route'
    equals_pipeline_and_says ./p marked
    # One that stops leaves those before it what they have read.
    printf 'bad\n%s\n{"role":"tool","tool_call_id":"c","content":"t"}\n%s\n' "$user" "$user" >mixed
    profile 'a: ctx-route --bad-lines drop --bad-file aside --report report' 'b: ctx-project --view all --sorted --session-key role'
    status_of 65 ctx-compile -p ./p mixed >/dev/null 2>said
    same 'aside' <(echo bad) aside
    [[ -s report ]]
}

@test "ctx-compile: on a terminal, too, the budget of a stage between others is a record" {
    command -v script >/dev/null || skip 'no script(1) here'
    a_log
    profile 'a: ctx-budget --estimator bytes/4' 'b: ctx-project --view all'
    script -qec 'ctx-compile -p ./p log' /dev/null </dev/null | tr -d '\r' >shown
    grep -q '^{"role":"user"' shown && grep -q '^{"type":"budget"' shown
}

@test "ctx-compile: of stages that share a process the one at work is named when a signal ends it" {
    local status=0 child
    profile 'a: ctx-route' 'b: ctx-project --view all' 'c: ctx-isolate --policy transparent'
    mkfifo in
    ctx-compile -p ./p <in >out 2>said &
    exec 9>in
    echo '{"role":"user","content":"a"}' >&9
    while [[ ! -s out ]]; do
        sleep 0.02
    done
    child=$(</proc/$!/task/$!/children)
    kill -9 "${child% }"
    wait $! || status=$?
    exec 9>&-
    [[ $status == 137 ]] || fail "status $status"
    same 'named' <(echo "ctx-compile: stage 'a': ctx-route was ended by signal 9") said
}

@test "ctx-compile: of stages that share a process the one that fails is named, and none goes on" {
    a_log
    profile 'a: ctx-route' 'b: ctx-select role=tool' 'c: ctx-budget --estimator bytes/4 --report report' 'd: ctx-route'
    spec <<'END'
ctx-compile -p ./p log
>>>2 ctx-compile: stage 'b': ctx-select ended with status 1
>>>= 1
END
    [[ ! -e report ]]
    profile 'a: ctx-route' 'b: ctx-isolate --no-such' 'c: ctx-project'
    spec <<'END'
ctx-compile -p ./p -o out log
>>>2 ctx-isolate: unknown option '--no-such'; try 'ctx-isolate --help'
>>>2 ctx-compile: stage 'b': ctx-isolate ended with status 64
>>>= 64
END
    [[ ! -e out ]]
    profile 'a: ctx-route' 'b: ctx-project --report no/such' 'c: cat' 'd: ctx-isolate' 'e: ctx-budget'
    status_of 73 ctx-compile -p ./p log >out 2>said
    same 'no output' /dev/null out
    grep -q "^ctx-compile: stage 'b': ctx-project ended with status 73$" said
    # One that fails while the input of all ends: those before it lose their reader.
    for _ in {1..3000}; do
        printf '{"role":"user","content":"%01000d"}\n' 1
    done >large
    profile 'a: ctx-project --sections messages' 'b: ctx-route --report report' 'c: ctx-project --view all'
    status_of 74 ctx-compile -p ./p large >/dev/full 2>said
    grep -q "^ctx-compile: stage 'c': ctx-project ended with status 74$" said
    [[ ! -e report ]]
    # The last one, whose input is that of another process.
    profile 'a: ctx-route' 'b: cat' 'c: ctx-route' 'd: ctx-select role=tool'
    status_of 1 ctx-compile -p ./p log >out 2>said
    grep -q "^ctx-compile: stage 'd': ctx-select ended with status 1$" said
}

@test "ctx-compile: a stage that has read enough is no failure of those before it" {
    profile 'a: yes' 'b: head -n 2' 'c: tr y n'
    spec <<'END'
ctx-compile -p ./p
>>> n
>>> n
END
    # One that fails of itself is named, and not the one that lost its reader.
    profile 'a: yes' "b: sh -c 'exit 5'" 'c: cat'
    spec <<'END'
ctx-compile -p ./p
>>>2 ctx-compile: stage 'b': sh ended with status 5
>>>= 5
END
    profile "a: sh -c 'trap \"\" PIPE; yes 2>/dev/null || exit 9'" "b: sh -c 'exit 5'" 'c: cat'
    spec <<'END'
ctx-compile -p ./p
>>>2 ctx-compile: stage 'b': sh ended with status 5
>>>= 5
END
}

@test "ctx-compile: a reader that leaves ends all of it by SIGPIPE, silently" {
    local status
    profile 'a: cat zeros' 'b: cat' 'c: cat'
    head -c 300000 /dev/zero >zeros # what the user's own stages write is held, and must end
    for status in default ignored; do
        [[ $status == default ]] || trap '' PIPE
        ctx-compile -p ./p 2>said </dev/null | head -c 1 >/dev/null && status=("${PIPESTATUS[@]}") || status=("${PIPESTATUS[@]}")
        trap - PIPE
        # (cat says that its pipe is broken where SIGPIPE is ignored, and ends with 1.)
        [[ ${status[0]} == 141 || ${status[0]} == 1 ]] || fail "status ${status[0]}"
    done
    profile 'a: ctx-project --view all'
    (trap '' PIPE; yes '{"role":"user","content":"a"}' 2>/dev/null | ctx-compile -p ./p 2>said || echo $? >status) | head -c 1 >/dev/null
    same 'silently' /dev/null said
    [[ $(<status) == 141 ]]
    profile 'a: ctx-project --view all' 'b: ctx-isolate --policy transparent' 'c: ctx-project --view all'
    (yes '{"role":"user","content":"a"}' 2>/dev/null | ctx-compile -p ./p 2>said || echo $? >status) | head -c 1 >/dev/null
    same 'silently' /dev/null said
    [[ $(<status) == 141 ]]
}

@test "ctx-compile: a stage that says of a pipe within it that its reader left is named like any other" {
    local stage
    a_log
    profile 'a: cat' 'b: cat' 'c: cat'
    for stage in a b c; do
        spec <<END
ctx-compile -p ./p --line "$stage: sh -c 'cat >/dev/null; exit 141'" log
>>>2 ctx-compile: stage '$stage': sh was ended by signal 13
>>>= 141
END
        status_of 141 ctx-compile -p ./p --line "$stage: sh -c 'cat >/dev/null; exit 141'" -o out log 2>said
        same 'said' <(echo "ctx-compile: stage '$stage': sh was ended by signal 13") said
        [[ ! -e out ]]
    done
}

# ends_by SIGNAL: all stages are gone when ctx-compile is, and so is its file.
ends_by() {
    local status=0 stage
    profile "a: sh -c 'echo \$\$ >a.pid; exec sleep 100'" "b: sh -c 'echo \$\$ >b.pid; trap \"\" TERM INT; cat'"
    rm -f ./*.pid
    env --default-signal=INT ctx-compile -p ./p -o out 2>said &
    while [[ ! -s a.pid || ! -s b.pid ]]; do
        sleep 0.02
    done
    kill -"$1" $!
    wait $! || status=$?
    [[ $status == "$2" ]] || fail "status $status"
    for stage in a b; do
        ! kill -0 "$(<$stage.pid)" 2>/dev/null || fail "stage $stage is still there"
    done
    [[ -z $(find . -name '.out*') && ! -e out ]] || fail 'a file is left'
}

@test "ctx-compile: a signal that ends it ends its stages, also those that do not hear" {
    env --default-signal=INT true || skip 'no env --default-signal'
    ends_by TERM 143
    ends_by INT 130
    ends_by HUP 129
}

@test "ctx-compile: stages see no descriptor but their own three" {
    mkdir fds
    profile "a: sh -c 'ls /proc/self/fd | wc -l >fds/a; cat'" "b: sh -c 'ls /proc/self/fd | wc -l >fds/b; cat'" \
        "c: sh -c 'ls /proc/self/fd | wc -l >fds/c; cat'"
    # (A stage that keeps the end of a pipe open waits for itself.)
    timeout 20 ctx-compile -p ./p -o out </dev/null 3>&-
    sh -c 'ls /proc/self/fd | wc -l' </dev/null >fds/want 3>&-
    same 'open' <(cat fds/want fds/want fds/want) <(cat fds/a fds/b fds/c)
    ctx-compile -p ./p <&- 2>&- >&- 3>&- || true
}

@test "ctx-compile --output: whole or not at all, and never an input, a device or a directory" {
    a_log
    ctx-compile -o out log
    cmp log out
    [[ $(stat -c %a out) == $(printf '%o' $((0666 & ~$(umask)))) ]]
    # The file that there is keeps its mode, and a link stays one.
    chmod 640 out
    mkdir dir
    ln -s ../out dir/link
    ctx-compile --line 'view: sed s/a/z/' -o dir/link log
    same 'through the link' <(sed s/a/z/ log) out
    [[ -L dir/link && $(stat -c %a out) == 640 ]]
    spec <<'END'
ctx-compile -o ./log log
>>>2 ctx-compile: --output './log' is an input file; try 'ctx-compile --help'
>>>= 64
END
    spec <<'END'
ctx-compile -o log <log
>>>2 ctx-compile: --output 'log' is an input file; try 'ctx-compile --help'
>>>= 64
END
    spec <<'END'
ctx-compile -o /dev/null log
>>>2 ctx-compile: cannot create '/dev/null': no regular file; without --output the result goes to standard output
>>>= 73
END
    spec <<'END'
ctx-compile -o dir log
>>>2 ctx-compile: cannot create 'dir': no regular file; without --output the result goes to standard output
>>>= 73
END
    spec <<'END'
ctx-compile -o no/such log
>>>2 ctx-compile: cannot create 'no/such': No such file or directory
>>>= 73
END
    spec <<'END'
ctx-compile -o '' log
>>>2 ctx-compile: cannot create '': No such file or directory
>>>= 73
END
    spec <<'END'
ctx-compile -o out --bad-lines=drop --bad-file out log
>>>2 ctx-compile: --output and --bad-file are one file; try 'ctx-compile --help'
>>>= 64
END
    same 'files' <(printf '%s\n' dir log out p | grep -v '^p$') <(ls -A)
    ln -s nowhere dangling
    ln -s loop loop
    local link
    spec <<'END'
ctx-compile -o dangling log
>>>2 ctx-compile: cannot create 'dangling': a symbolic link to no file
>>>= 73
END
    spec <<'END'
ctx-compile -o loop log
>>>2 ctx-compile: cannot create 'loop': Too many levels of symbolic links
>>>= 73
END
    [[ -L dangling && -L loop && ! -e nowhere ]]
    link=$(printf 'x%.0s' {1..255})
    ctx-compile -o "$link" log
    cmp log "$link"
    status_of 73 ctx-compile -o "x$link" log 2>said
}

@test "ctx-compile --output: no file that the run needs, and not where the shell writes" {
    a_log
    printf '#!/bin/sh\ncat\n' >stage
    chmod +x stage
    mkdir sub
    echo 'a: ./stage' >sub/base
    profile 'base ./sub/base'
    local file
    for file in p sub/base stage; do
        cp "$file" before
        status_of 64 ctx-compile -p ./p -o "$file" log 2>said
        same 'said' <(echo "ctx-compile: --output '$file' is an input file; try 'ctx-compile --help'") said
        same "$file" before "$file"
        status_of 64 ctx-compile -p ./p --bad-lines drop --bad-file "$file" --line 'b: ctx-normalize' log 2>said
        same 'said' <(echo "ctx-compile: --bad-file '$file' is an input file; try 'ctx-compile --help'") said
        same "$file" before "$file"
    done
    echo 'peek=read:file' >tools
    status_of 64 ctx-compile -o tools --tool @tools log 2>said
    same 'said' <(echo "ctx-compile: --output 'tools' is an input file; try 'ctx-compile --help'") said
    status_of 64 ctx-compile -o out log >out 2>said
    same 'said' <(echo "ctx-compile: --output 'out' is where standard output or error goes; try 'ctx-compile --help'") said
    status_of 64 ctx-compile -o out log 2>out
    same 'said' said out
    # A file that has the name of a built-in profile is another one.
    ctx-compile -p budget -o budget log
    cmp log budget
    ctx-compile -p budget -o budget log
}

@test "ctx-compile --output: a killed run leaves the old file, and nothing beside it" {
    # The file of a run that was killed as it gave the name is taken by the next run.
    mkdir dir
    profile 'a: ctx-route'
    mkfifo in
    echo old >dir/out
    echo torn >dir/.out.ctx-new
    set -m
    ctx-compile -p ./p -o dir/out in 2>said &
    set +m
    exec 9>in # it reads, so that the new file is open
    kill -9 -- "-$!"
    exec 9>&-
    wait $! || true
    same 'old' <(echo old) dir/out
    echo '{"role":"user","content":"a"}' >log
    ctx-compile -p ./p -o dir/out log
    same 'new' <(ctx-route <log) dir/out
    [[ $(ls -A dir) == out ]] || fail "$(ls -A dir)"
}

@test "ctx-compile --output: a read-only file is 73, for root, too" {
    a_log
    echo old >out
    chmod 444 out
    status_of 73 ctx-compile -o out log 2>said
    same 'said' <(echo "ctx-compile: cannot create 'out': $( ((EUID)) && echo 'Permission denied' || echo 'it is read-only')") said
    same 'out' <(echo old) out
}

@test "ctx-compile --output: the file keeps its owner, mode and attributes" {
    a_log
    echo old >out
    chmod 4751 out
    ((EUID)) || chown 65534:65533 out
    chmod 4751 out
    setfattr -n user.note -v kept out 2>/dev/null || true
    stat -c '%a %u %g' out >want
    getfattr -n user.note --only-values out >>want 2>/dev/null || true
    ctx-compile -o out log
    cmp log out
    stat -c '%a %u %g' out >got
    getfattr -n user.note --only-values out >>got 2>/dev/null || true
    same 'attributes' want got
}

@test "ctx-compile: options are handed to the stages, and one that none takes is 64" {
    a_log
    spec <<'END'
ctx-compile -p budget --window 8k -m gpt-5-mini --tool 'peek=read:a b' --explain log
>>> #!/usr/bin/env bash
>>> set -o pipefail
>>> ctx-isolate '--tool=peek=read:a b' log |
>>>     ctx-project '--tool=peek=read:a b' |
>>>     ctx-compact --window=8k '--tool=peek=read:a b' --model=gpt-5-mini
END
    spec <<'END'
ctx-compile --window 8k log
>>>2 ctx-compile: no stage of 'pragmatic' takes --window; try 'ctx-compile --help'
>>>= 64
END
    spec <<'END'
ctx-compile -p budget --line 'compact off' --window 8k log
>>>2 ctx-compile: no stage of 'budget' takes --window; try 'ctx-compile --help'
>>>= 64
END
    ctx-compile --model gpt-5-mini log >out
    cmp log out
    spec <<'END'
ctx-compile -p budget --window x log
>>>2 ctx-compact: bad value 'x' of --window, expected a number of tokens such as 200k; try 'ctx-compact --help'
>>>2 ctx-compile: stage 'compact': ctx-compact ended with status 64
>>>= 64
END
    spec <<'END'
ctx-compile --line 'view off' --line 'view offf' log
>>>2 ctx-compile: bad value of --line: expected ':' and a command, or on, off, or options; try 'ctx-compile --help'
>>>2 ctx-compile:     view offf
>>>2 ctx-compile:          ^
>>>= 64
END
    spec <<'END'
ctx-compile --line 'base policy' log
>>>2 ctx-compile: bad value of --line: expected no base here; try 'ctx-compile --help'
>>>2 ctx-compile:     base policy
>>>2 ctx-compile:     ^
>>>= 64
END
    spec <<'END'
ctx-compile -v --line 'more: cat' log
>>> {"role":"user","content":"a"}
>>> {"role":"assistant","content":"b"}
>>>2 ctx-compile: pragmatic: view, more
END
}

@test "ctx-compile: --explain with --output, and words that a shell would read" {
    spec <<'END'
ctx-compile -o "it's" --explain 'a b' '$x'
>>> #!/usr/bin/env bash
>>> set -o pipefail
>>> ctx-project 'a b' '$x' >'it'\''s'
END
}

@test "ctx-compile --new: a profile that is right as it is, and so is each line of its comments" {
    ctx-compile --new mine-1_a
    [[ $(ls -A) == mine-1_a && ! -x mine-1_a ]]
    ctx-compile --profile ./mine-1_a --check-profile
    same 'as it is' <(ctx-compile -p budget --explain log) <(ctx-compile -p ./mine-1_a --explain log)
    sed -i 's/^#\([^ ]\)/\1/' mine-1_a
    spec <<'END'
ctx-compile --profile ./mine-1_a --model gpt-5-mini --explain log
>>> #!/usr/bin/env bash
>>> set -o pipefail
>>> ctx-isolate log |
>>>     ctx-project --last 32k |
>>>     ctx-compact --window=128k --keep-turns 4 --model=gpt-5-mini |
>>>     ctx-redact
END
    [[ $(ctx-compile --profile ./mine-1_a --provider anthropic --explain) == *'--cached 3'* ]]
}

@test "ctx-compile --new --stage: passes its own test, and runs in ctx-compact and in a profile" {
    a_log
    mkdir dir
    (cd dir && ctx-compile --new short --stage)
    same 'files' <(printf '%s\n' short short.bats) <(ls -A dir)
    [[ -x dir/short ]]
    # (Without what bats says of this test, and without its own programs.)
    env -i PATH="$(tr : '\n' <<<"$PATH" | grep -v bats-core | paste -sd:)" TMPDIR="$TMPDIR" bats "$PWD/dir/short.bats" >said 3>&- || fail "$(<said)"
    [[ $(grep -c '^ok' said) -ge 3 ]]
    same 'in ctx-compact' log <(ctx-compact --force --pipeline ./dir/short log)
    same 'in a profile' log <(ctx-compile --line 'short: ./dir/short' log)
    # A file that is there is not touched, and no other comes then.
    rm dir/short
    status_of 73 env -C dir ctx-compile --new short --stage 2>said
    same 'said' <(echo "ctx-compile: cannot create 'short.bats': File exists") said
    [[ $(ls -A dir) == short.bats ]]
    rm dir/short.bats
    echo mine >dir/short
    status_of 73 env -C dir ctx-compile --new short --stage 2>said
    same 'said' <(echo "ctx-compile: cannot create 'short': File exists") said
    [[ $(ls -A dir) == short && $(<dir/short) == mine ]]
    status_of 73 env -C dir ctx-compile --new short 2>said
    [[ $(<dir/short) == mine ]]
}

@test "ctx-compile --new: a name that can be none writes nothing" {
    local name
    for name in '' a.b a/b ../a 'a b' é -a $'a\n'; do
        status_of 64 ctx-compile --new="$name" 2>said
        status_of 64 ctx-compile --new="$name" --stage 2>>said
        [[ $(grep -c "of --new, expected letters, digits, - and _; try" said) == 2 ]] || fail "$(<said)"
        rm said
        [[ -z $(ls -A) ]]
    done
    spec <<'END'
ctx-compile --new policy
>>>2 ctx-compile: bad value 'policy' of --new: that profile is built in; try 'ctx-compile --help'
>>>= 64
END
    spec <<'END'
ctx-compile --stage
>>>2 ctx-compile: --stage requires --new; try 'ctx-compile --help'
>>>= 64
END
    # What has no part in it is not passed over.
    local options
    for options in '--new a --explain' '--new a --profile budget' '--new a -o b' '--profiles --verbose' \
        '--profiles --model gpt-5' '--check-profile --explain'; do
        # shellcheck disable=SC2086
        status_of 64 ctx-compile $options 2>said
        grep -q "^ctx-compile: --[a-z-]* cannot be combined with --[a-z-]*; try 'ctx-compile --help'$" said || fail "$options: $(<said)"
        rm said
        [[ -z $(ls -A) ]]
    done
    spec <<'END'
ctx-compile --check-profile ./mine
>>>2 ctx-compile: --check-profile takes no file; a profile is named by --profile; try 'ctx-compile --help'
>>>= 64
END
}
