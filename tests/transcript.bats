#!/usr/bin/env bats
#
# What only looks, such as ctx-budget --json and ctx-select --count, reads every format by itself.

load helper
unsourced

# One command line of each kind that only looks.
looks=('ctx-budget --json' 'ctx-budget --brief' 'ctx-budget --table --by role' 'ctx-budget --cuts --json'
    'ctx-select --count role=tool')

# as_normalized FILE...: each of them says of the files what it says of the messages that ctx-normalize
# makes of them, and names what ctx-normalize names, with its status.
as_normalized() {
    local form status made=0
    ctx-normalize "$@" >made 2>named || made=$?
    for form in "${looks[@]}" 'ctx-budget --each --check --brief'; do
        status=0
        $form made >want 2>/dev/null || status=$?
        ((made == 0)) || status=$made
        status_of "$status" $form "$@" >got 2>said
        [[ $form == *--each* ]] || same "$form $*" want got
        same "$form $*: named" <(sed "s/^ctx-normalize/${form%% *}/" named) <(sed '/ of other agents /d' said)
    done
}

items=('{"type":"function_call","name":"shell","arguments":"{}","call_id":"c1"}'
    '{"type":"function_call_output","call_id":"c1","output":"x"}')
opencode='{"info":{"id":"m1","sessionID":"s","role":"user"},"parts":[{"type":"text","text":"Is it lit?"}]}'

@test "what only looks reads each format by itself, as ctx-normalize does" {
    local name
    for name in claude-code-{compacted,parallel,session,sidechain} codex-session gemini-cli-session pi-session \
        openai-{chat,finetune} anthropic-request ctx-{talk,metadata}; do
        as_normalized "$FIXTURES/$name.jsonl"
    done
    # Items one a line, of the Responses API and of codex without envelopes; a request beside messages.
    printf '%s\n' '{"type":"message","role":"user","content":"Is it lit?"}' "${items[@]}" >items
    { echo '{"id":"s","timestamp":"2026-11-20T09:00:00Z","instructions":null,"git":{}}'; cat items; } >legacy
    printf '%s\n' '{"role":"user","content":"a"}' '{"messages":[{"role":"user","content":"b"}]}' >request
    echo "{\"info\":{\"id\":\"s\"},\"messages\":[$opencode]}" >export
    for name in items legacy request export; do
        as_normalized "$name"
        ctx-diff --stat --check made "$name"
        same "$name in a pipe" <(ctx-select --count role=user made) <(ctx-select --count role=user <"$name")
    done
    # What is not understood there is named, and nothing else.
    { cat legacy; echo '{"type":"message","role":"user","text":"b"}'; } >odd
    as_normalized odd
    grep -q ': odd:5: unknown-shape: ' said
    # ctx-diff compares what is a request as one.
    for name in claude-code-{compacted,parallel,session,sidechain} codex-session; do
        ctx-normalize "$FIXTURES/$name.jsonl" >messages
        ctx-diff --stat --check messages "$FIXTURES/$name.jsonl"
        ctx-diff --stat --check "$FIXTURES/$name.jsonl" messages
    done
    printf '{"conversations":[{"from":"human","value":"Is lamp %d lit?"},{"from":"gpt","value":"It is."}]}\n' 1 2 3 >sharegpt
    as_normalized sharegpt
    # A value over several lines, an array, standard input, and several files.
    jq . "$FIXTURES/openai-finetune.jsonl" >folded
    as_normalized folded
    jq -s . sharegpt >array
    as_normalized array
    as_normalized "$FIXTURES/claude-code-parallel.jsonl" "$FIXTURES/claude-code-session.jsonl"
    same 'standard input' <(ctx-budget --json "$FIXTURES/claude-code-parallel.jsonl") \
        <(ctx-budget --json <"$FIXTURES/claude-code-parallel.jsonl")
}

@test "what only looks: with --each every file has a reader of its own, which ends with it" {
    local name
    for name in claude-code-parallel ctx-talk claude-code-session claude-code-compacted openai-finetune; do
        cp "$FIXTURES/$name.jsonl" "$name"
        ctx-budget --json "$name" | jq -c '[.used_tokens, .remaining]' >>alone
    done
    for name in claude-code-parallel ctx-talk claude-code-session claude-code-compacted openai-finetune; do
        printf '%s\n' "$name"
    done >names
    : >empty
    ctx-budget --each --json $(<names) empty 2>said >each
    same 'each' alone <(head -n 5 each | jq -c '[.used_tokens, .remaining]')
    same 'files' <(cat names; echo empty) <(jq -r .file each)
    same 'said' <(ctx-budget --json claude-code-session 2>&1 >/dev/null | sed 's/: /: claude-code-session: /') said
    # The check names the file that is over its limit.
    status_of 1 ctx-budget --each --brief --limit 50k --check claude-code-parallel claude-code-session >/dev/null 2>said
    grep -qx 'ctx-budget: claude-code-session: compaction is due: soft_threshold window' said
}

@test "what only looks: of a session without messages none is counted, with the status of none" {
    local name
    for name in claude-code-compacted codex-session gemini-cli-session pi-session; do
        head -n 1 "$FIXTURES/$name.jsonl" >header
        status_of 1 ctx-select --count role=tool header >got 2>said
        same "$name" <(echo 0) got
        same "$name: said" /dev/null said
    done
    # What no reader knows is no session.
    echo '{"kind":"note"}' >note
    status_of 65 ctx-select --count role=tool note >got
}

@test "what only looks: a session is told apart by the key that the reader makes" {
    printf '{"conversations":[{"from":"human","value":"Is lamp %d lit?"},{"from":"gpt","value":"It is."}]}\n' 1 2 3 >in
    ctx-normalize in >messages
    same 'keyed' <(ctx-select --session-key metadata.session_id --count role=user messages) \
        <(ctx-select --session-key metadata.session_id --count role=user in)
    same 'by session' <(ctx-budget --by session --json messages) <(ctx-budget --by session --json in)
    [[ $(ctx-budget --by session --json in | jq '.breakdown | length') == 3 ]]
}

@test "what only looks: lines that nobody understands are named, and what is no log says what it looks like" {
    local n odd='{"message":{"content":"odd"},"n":'
    { cat "$FIXTURES/claude-code-parallel.jsonl"; for n in {1..12}; do echo "$odd$n}"; done; } >in
    status_of 65 ctx-budget --brief in >/dev/null 2>said
    same 'named' <(ctx-normalize in 2>&1 >/dev/null | sed 's/ctx-normalize/ctx-budget/' | grep -v 'of other agents') said
    [[ $(wc -l <said) == 11 && $(tail -n 1 said) == 'ctx-budget: and 2 more lines that were not understood' ]]
    for n in {1..1200}; do echo "$odd$n}"; done >in
    status_of 65 ctx-budget --brief in >/dev/null 2>said
    same 'said' <(echo 'ctx-budget: no messages in the input') said
    # Formats that are mixed in a file are said of that file alone.
    { echo '{"role":"user","content":"a","metadata":{}}'; head -n 1 "$FIXTURES/claude-code-parallel.jsonl"; } >mixed
    echo '{"role":"user","content":"a","metadata":{}}' >whole
    status_of 65 ctx-budget --each --brief mixed whole >/dev/null 2>said
    [[ $(wc -l <said) == 1 && $(<said) == 'ctx-budget: mixed:2: other-dialect: '* ]]
    # What comes first and is not understood is named, once there are messages.
    { cat in; echo '{"role":"user","content":"a"}'; } >late
    status_of 65 ctx-budget --brief late >/dev/null 2>said
    same 'last' <(echo 'ctx-budget: and 1190 more lines that were not understood') <(tail -n 1 said)
}

@test "what only looks: a filter still takes canonical lines, and names the reader that makes them" {
    local command made='looks like claude-code, try ctx-normalize --from claude-code'
    cp "$FIXTURES/claude-code-parallel.jsonl" 'a log'
    for command in ctx-budget ctx-isolate 'ctx-select role=tool'; do
        # shellcheck disable=SC2086
        status_of 65 $command 'a log' >out 2>said
        grep -qF "$made 'a log' | ${command%% *}" said
        # shellcheck disable=SC2086
        status_of 65 $command <'a log' >out 2>said
        grep -qF "$made | ${command%% *}" said
        # shellcheck disable=SC2086
        status_of 65 $command 'a log' - </dev/null >out 2>said
        grep -qF "$made FILE... | ${command%% *}" said
    done
    # The command line that is said does.
    eval "$(ctx-isolate 'a log' 2>&1 >out | sed 's/.*, try //')" >out
    same 'isolated' <(ctx-normalize 'a log' | ctx-isolate) out
}

@test "what only looks: a stage that shares a process says of another agent's file what it says in a pipeline" {
    printf '%s\n' 'a: ctx-route' 'b: ctx-select --count role=user' 'c: ctx-budget --json' >p
    cp "$FIXTURES/claude-code-parallel.jsonl" in
    status_of 65 ctx-compile -p ./p in >out 2>said
    status_of 65 bash -o pipefail -c "$(ctx-compile -p ./p --explain in)" >piped 2>piped.said
    same 'out' piped out
    same 'said' <(sort piped.said) <(sort said)
    grep -qF 'ctx-route: no messages; looks like claude-code, try ctx-normalize --from claude-code in | ctx-route' said
}

# bats test_tags=slow
@test "what only looks: real session files of agents are counted as the messages that ctx-normalize makes of them" {
    [[ -d $CTX_SHARED ]] || skip 'no transcripts beside the tree'
    local file status count=0
    while IFS= read -r file; do
        status=0
        ctx-normalize "$file" >messages 2>named || status=$?
        status_of "$status" ctx-budget --json "$file" >got 2>said
        same "$file" <(ctx-budget --json messages 2>/dev/null) got
        # Where nothing is read, one line says what it looks like.
        grep -qE 'budget: no messages|: the first of ' said ||
            same "$file: named" <(sed 's/^ctx-normalize/ctx-budget/' named) <(sed '/ of other agents /d' said)
        [[ $file != */claude-code/* ]] || ctx-diff --stat --check messages "$file" 2>said || [[ -s said ]] ||
            fail "ctx-diff $file"
        count=$((count + 1))
    done < <(find "$CTX_SHARED"/{claude-code,codex-cli,pi,gemini-cli,opencode,openai-responses} -name '*.json*' -size -300k | sort)
    ((count >= 120)) || fail "$count files"
}
