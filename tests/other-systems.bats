#!/usr/bin/env bats
#
# ctx-systems(7): each row, a name and a command below it, has a test here that
# has the title "SYSTEM: NAME" and does in jq or by hand what the name does there, or looks whether
# the result is of that kind. The first test compares the titles with the rows. row runs the command
# as the page has it.

load helper
load dialogue
long=${long?}

# The rows of the page are in the file $TABLE, a line each: the system, the name and, for each line of its
# command, a tab and that line.
setup_file() {
    export TABLE=$BATS_FILE_TMPDIR/table
    sed -n '/^\.Sh DESCRIPTION/,/^\.Sh EXAMPLES/p' "$ROOT/man/ctx-systems.7" | sed 's/\\e/\\/g; s/\\&//g' | awk '
        sub(/^\.Ss /, "") { from = $0 }
        /^\.Bd/ { on = 1; next }
        /^\.Ed/ { on = 0 }
        !on || $0 == "set -o pipefail" { next }
        /^ / { printf "\t%s", substr($0, 5); next }
        { printf "%s%s: %s", end, from, $0; end = "\n" }
        END { printf "%s", end }' >"$TABLE"
}

# row: runs the command of the row that the test is named for, into the file out.
row() {
    local command
    command=$(awk -F '\t' -v name="$BATS_TEST_DESCRIPTION" '$1 == name { for (i = 2; i <= NF; i++) print $i }' "$TABLE")
    [[ -n $command ]] || fail 'no such row'
    bash -o pipefail -c "$command" >out 2>said || {
        local status=$?
        cat said
        return $status
    }
    [[ ! -s said ]] || fail "$(<said)"
}

# program FILE LINE...: an executable file for a row.
program() {
    printf '#!/bin/sh\n' >"$1"
    printf '%s\n' "${@:2}" >>"$1"
    chmod +x "$1"
}

# contents FILE: what the messages say, one a line.
contents() {
    # What is written for instructor has no content that is null.
    jq -r 'select(.role) | if (.content // "") == "" then "calls" else .content end' "$1"
}

# talk COUNT: turns of a request and an answer.
talk() {
    { user 'request @'; says 'answer @'; } | numbered 1 "$1"
}

# works COUNT [METADATA]: turns of a request, a call, its long result and an answer.
works() {
    {
        user 'request @' "${2-}"
        calls c@ look '{"n":@}' "${2-}"
        gets c@ "result @ $long" "${2-}"
        says 'answer @' "${2-}"
    } | numbered 1 "$1"
}

# tokens FILE SECTION: what ctx-budget says that the section has.
tokens() {
    ctx-budget --by section --json "$1" | jq --arg name "$2" '[.breakdown[] | select(.label == $name).tokens] | add // 0'
}

@test "each row has a test that names it, and each line fits a page" {
    cut -f 1 "$TABLE" >rows
    sed -nE 's/^@test "([^"]*: [^"]*)" \{$/\1/p' "$BATS_TEST_FILENAME" >tests
    [[ -s rows ]]
    same 'rows and tests' rows tests
    cut -f 2- "$TABLE" | tr '\t' '\n' | awk 'length > 71' >wide
    same 'too wide' /dev/null wide
}

# --- instructor-php ------------------------------------------------------------------------------------

# run_log: three executions, the second with a trace that is over, and the third that runs.
run_log() {
    system 'Be brief.'
    user A. '"execution_id":"e1"'
    says B. '"execution_id":"e1"'
    user C. '"execution_id":"e2"'
    calls c1 look '{"n":1}' '"execution_id":"e2","is_trace":true'
    gets c1 one '"execution_id":"e2","is_trace":true'
    says D. '"execution_id":"e2"'
    user E. '"execution_id":"e3"'
    calls c2 look '{"n":2}' '"execution_id":"e3","is_trace":true'
    gets c2 two '"execution_id":"e3","is_trace":true'
}

@test "instructor-php: CanCompileMessages, DefaultCompiler, DefaultContextCompiler" {
    run_log >log.jsonl
    cp log.jsonl before
    row
    # The messages of the store that it selects, in their order, and the store as it was.
    same selected <(grep -v '"c1"' before) request.jsonl
    cmp before log.jsonl
}

@test "instructor-php: UseContextCompiler" {
    run_log >log.jsonl
    echo 'project: ctx-project --view all' >mine
    row
    cmp log.jsonl request.jsonl
    echo 'last: tail -n 2' >mine
    row
    same 'another one' <(tail -n 2 log.jsonl) request.jsonl
}

@test "instructor-php: UseContextCompilerDecorator" {
    { works 1; talk 600; } >log.jsonl
    row
    # A suffix of what the inner compiler says, that fits.
    ctx-project log.jsonl >inner
    same suffix <(tail -n "$(wc -l <request.jsonl)" inner) request.jsonl
    (($(ctx-budget --json request.jsonl | jq .used_tokens) <= 4000))
    (($(tail -n "$(($(wc -l <request.jsonl) + 1))" inner | ctx-budget --json | jq .used_tokens) > 4000))
}

@test "instructor-php: CanAssembleAgentInput, PipelineInputAssembler" {
    works 30 >log.jsonl
    cp log.jsonl before
    row
    same 'one request' <(echo NAME) <(jq -r .model out)
    jq -c '.messages[]' out >messages
    (($(ctx-budget --json messages | jq .used_tokens) <= 8000))
    same 'the newest' <(echo 'answer 30') <(tail -n 1 messages | jq -r .content)
    cmp before log.jsonl
}

@test "instructor-php: PragmaticMessageCompiler" {
    run_log >log.jsonl
    row
    same 'the conversation, and the trace of now' <(grep -v '"c1"' log.jsonl) out
}

@test "instructor-php: BudgetAwareMessageCompiler" {
    { works 9; talk 300; } >log.jsonl
    row
    (($(ctx-budget --json out | jq .used_tokens) <= 2000))
    same 'the newest' <(tail -n 1 log.jsonl) <(tail -n 1 out)
}

@test "instructor-php: PolicyDrivenMessageCompiler, PolicyDrivenInputAssembler" {
    { works 9; talk 300; } >log.jsonl
    row
    (($(ctx-budget --json out | jq .used_tokens) <= 2000))
    same 'the newest' <(tail -n 1 log.jsonl) <(grep '"role"' out | tail -n 1)
    same 'the budget' <(echo false) <(tail -n 1 out | jq .compact)
}

# sections: a log whose sections stand in another order than they are sent in.
sections() {
    user B. '"section":"messages"'
    user A. '"section":"buffer"'
    user S. '"section":"summary"'
    calls c1 look '{}' '"section":"execution_buffer"'
    gets c1 'R.' '"section":"execution_buffer"'
    user C. '"section":"messages"'
}

@test "instructor-php: messagesForInference" {
    sections >log.jsonl
    row
    same order <(printf '%s\n' S. A. B. C. calls R.) <(contents out)
}

@test "instructor-php: inferenceOrder" {
    sections >log.jsonl
    row
    same order <(printf '%s\n' S. A. B. C.) <(contents out)
}

@test "instructor-php: ConversationWithCurrentToolTrace" {
    run_log >log.jsonl
    row
    same 'e3 is current' <(jq -c 'select((.metadata.is_trace | not) or .metadata.execution_id == "e3")' log.jsonl) out
    # Between executions all traces are out.
    { run_log; says F. '"execution_id":"e3"'; } >log.jsonl
    row
    same 'none is current' <(jq -c 'select(.metadata.is_trace | not)' log.jsonl) out
    # A message without calls may be trace, too.
    { user A. '"execution_id":"e1"'; says Hm. '"execution_id":"e1","is_trace":true'; says B. '"execution_id":"e1"'; user C.; } >log.jsonl
    row
    same 'a thought' <(sed 2d log.jsonl) out
    # What the page says of failures: one that nothing has resolved is shown.
    { user A. '"execution_id":"e1"'; calls c1 look '{"n":1}' '"execution_id":"e1"'; gets c1 no '"execution_id":"e1","is_error":true'; says B. '"execution_id":"e1"'; user C.; } >log.jsonl
    row
    cmp log.jsonl out
}

@test "instructor-php: AllSections" {
    { user S. '"section":"summary","kind":"summary"'; user O. '"section":"buffer"'; run_log; says X. '"section":"mine"'; } >log.jsonl
    row
    cmp log.jsonl out
}

@test "instructor-php: SelectedSections" {
    { user A.; user O. '"section":"buffer"'; says B.; user S. '"section":"summary"'; says X. '"section":"mine"'; } >log.jsonl
    row
    same 'these, in that order' <(printf '%s\n' S. A. B.) <(contents out)
    # A section that is not there is skipped.
    { user A.; says B.; } >log.jsonl
    row
    cmp log.jsonl out
}

@test "instructor-php: RecentMessagesCompiler" {
    talk 15 >log.jsonl
    row
    same 'array_slice' <(tail -n 20 log.jsonl) out
    talk 3 >log.jsonl
    row
    cmp log.jsonl out
    # No result comes without its call.
    { talk 1; wants c1:look; gets c1 x; talk 9; says Z.; } >log.jsonl
    row
    same 'no torn pair' <(tail -n 19 log.jsonl) out
}

@test "instructor-php: TokenLimitCompiler" {
    { works 1; talk 3000; } >log.jsonl
    row
    ctx-project log.jsonl >inner
    same suffix <(tail -n "$(wc -l <out)" inner) out
    used() { ctx-budget --estimator bytes/4 --json | jq .used_tokens; }
    (($(used <out) <= 8000))
    (($(tail -n "$(($(wc -l <out) + 1))" inner | used) > 8000))
    # strlen / 4 of what they say is no more.
    (($(jq -r .content out | awk '{ n += int((length + 3) / 4) } END { print n }') <= 8000))
}

@test "instructor-php: RAGCompiler" {
    # shellcheck disable=SC2016
    program retrieve 'read -r question' 'echo "$question" >asked' 'echo "Tide tables."'
    { user A.; says B.; user 'How deep is it?'; } >log.jsonl
    cp log.jsonl before
    row
    same asked <(echo 'How deep is it?') asked
    same 'in front, of the system' <(printf '%s\n' '["system","Relevant documents:\nTide tables."]') <(head -n 1 out | jq -c '[.role, .content]')
    same 'the others' log.jsonl <(tail -n +2 out)
    cmp before log.jsonl
    # Without a message of the user nothing is asked.
    rm asked
    says B. >log.jsonl
    row
    cmp log.jsonl out
    [[ ! -e asked ]]
}

@test "instructor-php: withContextRouter" {
    user A. | ctx-route --execution e7 >log.jsonl
    { calls c1 look '{"n":1}'; gets c1 one; says B.; } >step.jsonl
    row
    same 'stable tags' <(printf '%s\n' '["user","e7",null]' '["tool_call","e7",true]' '["tool_result","e7",true]' '["assistant","e7",null]') \
        <(jq -c '.metadata | [.origin, .execution_id, .is_trace]' log.jsonl)
    same 'what was appended' <(tail -n 3 log.jsonl) out
}

@test "instructor-php: CanRouteStepOutput, DefaultStepOutputRouter" {
    run_log >log.jsonl
    cp log.jsonl before
    calls c9 look '{}' >step.jsonl
    row
    # What comes out belongs to the execution, and the log is as it was.
    same 'where it goes' <(echo '["e7",true]') <(jq -c '[.metadata.execution_id, .metadata.is_trace]' out)
    cmp before log.jsonl
}

@test "instructor-php: CanNormalizeContext, withContextNormalizer, DefaultContextNormalizer" {
    { gets c9 'no call'; user A.; calls c1 look '{"n":1}'; says B.; gets c1 one; calls c2 look '{"n":2}'; says C.; } >log.jsonl
    ! ctx-normalize --check log.jsonl 2>/dev/null || fail 'nothing to mend'
    row
    ctx-normalize --check out
    same 'each call has its result behind it' <(echo '["c1","c1","c2","c2"]') \
        <(jq -sc '[.[] | select(.role != "user") | .tool_calls[0].id // .tool_call_id | strings]' out)
}

@test "instructor-php: CanProjectContextView, withContextProjector" {
    run_log >log.jsonl
    row
    same 'what user and agent said' <(printf '%s\n' A. B. C. D. E.) <(contents out)
}

@test "instructor-php: DefaultContextProjector" {
    run_log >log.jsonl
    row
    same 'the conversation' <(printf '%s\n' A. B. C. D. E.) <(contents conversation.jsonl)
    same 'the reasoning' <(grep -v '"c1"' log.jsonl) reasoning.jsonl
}

@test "instructor-php: CanEstimateTokens, withTokenEstimator" {
    program count 'while read -r line; do echo 7; done'
    { user A.; says B.; user C.; } >log.jsonl
    row
    cp out sevens
    program count 'while read -r line; do echo 0; done'
    row
    same 'three texts' <(echo 21) <(jq -n --slurpfile a sevens --slurpfile b out '$a[0].used_tokens - $b[0].used_tokens')
}

@test "instructor-php: DefaultTokenEstimator" {
    run_log >log.jsonl
    row
    # The trace that is over is in no request, and is not counted.
    same 'the transcript' <(grep -v '"c1"' log.jsonl | ctx-budget --estimator o200k_base --json | jq .used_tokens) <(jq .used_tokens out)
    (($(jq .used_tokens out) < $(ctx-budget --estimator o200k_base --json log.jsonl | jq .used_tokens)))
}

@test "instructor-php: CanComputeTokenBudget, CanManageTokenBudget, ContextTokenBudget" {
    works 9 >log.jsonl
    local used
    used=$(ctx-budget --json log.jsonl | jq .used_tokens)
    row
    same 'the value object' <(echo "[32000,$used,4000,2000,24000,$((32000 - 4000 - 2000 - used)),false]") \
        <(jq -c '[.context_window, .used_tokens, .reserved_output_tokens, .reserved_system_tokens, .soft_compact_threshold, .remaining, .over_soft_threshold]' out)
    # remaining() is never below 0, and overSoftThreshold() begins at the threshold.
    user "$(repeat 26000 'word ')" >log.jsonl
    row
    same 'over' <(echo '[0,true]') <(jq -c '[.remaining, .over_soft_threshold]' out)
}

@test "instructor-php: DefaultTokenBudget, DefaultTokenBudgetManager" {
    works 9 >log.jsonl
    row
    same 'window and reserve of the model' <(ctx-budget --models | awk '$1 == "gpt-5" { print $3, $4 }') \
        <(jq -r '"\(.context_window) \(.reserved_output_tokens)"' out)
    jq -e '.remaining == .context_window - .reserved_output_tokens - .reserved_system_tokens - .used_tokens' out
}

@test "instructor-php: withTokenBudget" {
    works 9 >log.jsonl
    row
    cmp -n "$(stat -c %s log.jsonl)" log.jsonl out
    same 'the budget' <(echo '[32000,24000]') <(tail -n 1 out | jq -c '[.context_window, .soft_compact_threshold]')
}

@test "instructor-php: CanDecideCompaction, withCompactionDecision" {
    works 9 >log.jsonl
    program decide 'cat >budget' 'exit 1'
    row
    cmp log.jsonl out
    same 'it reads the budget' <(ctx-budget --json log.jsonl | jq .used_tokens) <(jq .used_tokens budget)
    program decide 'exit 0'
    row
    (($(ctx-budget --json out | jq .used_tokens) <= 1000))
}

@test "instructor-php: ThresholdCompactionDecision" {
    # Below the threshold, and with headroom, the messages stay; over it they are compacted.
    works 1 >log.jsonl
    row
    cmp log.jsonl out
    works 60 >log.jsonl
    (($(ctx-budget --json log.jsonl | jq .used_tokens) > 6000))
    row
    (($(ctx-budget --json out | jq .used_tokens) < 6000))
    ctx-normalize --check out
}

@test "instructor-php: CanCompactMessages, CanTransformContext, withCompactor" {
    works 20 >log.jsonl
    program mine 'jq -c --unbuffered "select(.role)" | sed "s/answer 1\"/short\"/"'
    row
    (($(ctx-budget --json out | jq .used_tokens) <= 2000))
    ctx-normalize --check out
    # The transform of one's own ran at its place, and only when compaction is due.
    program mine 'echo ran >>ran; cat'
    row
    [[ -s ran ]]
    rm ran
    works 1 >log.jsonl
    row
    cmp log.jsonl out
    [[ ! -e ran ]]
}

@test "instructor-php: PipelineCompactor" {
    works 60 >log.jsonl
    row
    (($(ctx-budget --json out | jq .used_tokens) <= 2000))
    ctx-normalize --check out
    same 'a summary' <(echo 1) <(grep -c '"kind":"summary"' out)
    # The next pass updates it.
    mv out log.jsonl
    works 60 >>log.jsonl
    row
    same 'a summary still' <(echo 1) <(grep -c '"kind":"summary"' out)
}

@test "instructor-php: CanApplyToolTraceIsolation, withToolTraceIsolation" {
    local long
    long=$(repeat 300 'word ')
    works 6 >log.jsonl
    row
    # Calls and reasoning stay; of old results placeholders do.
    same 'all but results' <(grep -v '"role":"tool"' log.jsonl) <(grep -v '"role":"tool"' out)
    same 'old results' <(echo 3) <(grep -c '"compacted":true' out)
    same 'the newest' <(grep '"role":"tool"' log.jsonl | tail -n 3) <(grep '"role":"tool"' out | tail -n 3)
}

@test "instructor-php: BoundaryIsolationPolicy" {
    run_log >log.jsonl
    calls c3 look "{\"at\":\"$long\"}" '"execution_id":"e2","is_trace":true' >more
    gets c3 "$long" '"execution_id":"e2","is_trace":true' >>more
    sed -i '6r more' log.jsonl
    row
    same 'raw output of an execution that is over' <(echo 0) <(grep -c "$long" out || :)
    same 'the loop that runs' <(tail -n 3 log.jsonl) <(tail -n 3 out)
}

@test "instructor-php: MoveMessagesToBuffer" {
    works 60 | ctx-route >log.jsonl
    row
    (($(tokens out messages) <= 4096))
    (($(tokens out buffer) > 0))
    same 'nothing is lost' <(contents log.jsonl) <(contents out)
    # The oldest moved: none of them is newer than one that stayed, but what the user asked first.
    same 'the oldest' <(echo buffer) <(jq -r '.metadata.section // "messages"' out | sed 1d | uniq | head -n 1)
    same 'the newest' <(printf '%s\n' buffer messages) <(jq -r '.metadata.section // "messages"' out | sed 1d | uniq)
}

@test "instructor-php: SummarizeBuffer" {
    works 120 | ctx-route --overflow 2000 >log.jsonl
    (($(tokens log.jsonl buffer) > 8192))
    row
    (($(tokens out buffer) <= 8192))
    (($(tokens out summary) > 0))
    same 'messages stay' <(ctx-select --exact section=messages log.jsonl) <(ctx-select --exact section=messages out)
    # A buffer that is not full waits.
    works 20 | ctx-route --overflow 2000 >log.jsonl
    row
    cmp log.jsonl out
}

@test "instructor-php: SummarizationPolicy (maxMessageTokens, maxBufferTokens, maxSummaryTokens)" {
    works 200 | ctx-route >log.jsonl
    row
    (($(tokens out messages) <= 4096))
    (($(tokens out buffer) <= 8192))
    (($(tokens out summary) > 0 && $(tokens out summary) <= 512))
}

@test "instructor-php: withSeparatedToolTrace" {
    run_log >log.jsonl
    row
    # The model sees the trace of this execution, behind the conversation.
    same 'during an execution' <(printf '%s\n' 'Be brief.' A. B. C. D. E. calls two) <(contents out)
    ctx-route --separate-trace log.jsonl >routed
    same messages <(printf '%s\n' 'Be brief.' A. B. C. D. E.) <(ctx-select --exact section=messages routed | contents /dev/stdin)
}

@test "instructor-php: AppendToolTraceToBuffer" {
    user A. | ctx-route >log.jsonl
    { wants c1:look; gets c1 one; } >step.jsonl
    row
    same sections <(printf '%s\n' execution_buffer execution_buffer) <(jq -r '.metadata.section' out)
    same appended <(tail -n 2 log.jsonl) out
}

@test "instructor-php: AppendFinalResponse" {
    { acts 'I look.' "$(call c1 look '{"n":1}')"; gets c1 one; says B.; } >step.jsonl
    row
    same 'the final response alone' <(echo '["assistant","B."]') <(jq -c '[.role, .content]' out)
    # A step with calls has none.
    { acts 'I look.' "$(call c1 look '{"n":1}')"; gets c1 one; } >step.jsonl
    local status=0
    row || status=$?
    same 'nothing selected' <(echo 1) <(echo "$status")
    [[ ! -s out ]]
    # Of several texts the last one is it.
    { says 'Let me see.'; says B.; } >step.jsonl
    row
    same 'the last' <(echo B.) <(contents out)
}

@test "instructor-php: ClearExecutionBuffer" {
    { run_log; says F. '"execution_id":"e3"'; } >log.jsonl
    row
    same 'the execution is over' <(printf '%s\n' 'Be brief.' A. B. C. D. E. F.) <(contents out)
    run_log >log.jsonl
    row
    same 'it goes on' <(printf '%s\n' 'Be brief.' A. B. C. D. E. calls two) <(contents out)
}

@test "instructor-php: forNextExecution" {
    # Whatever the end was: the buffer is empty.
    run_log | ctx-route --separate-trace >log.jsonl
    row
    same raw <(printf '%s\n' 'Be brief.' A. B. C. D. E.) <(contents out)
    same buffer <(echo 0) <(ctx-select --count section=execution_buffer out || true)
}

@test "instructor-php: forContinuation" {
    { context 'Be brief.'; run_log | sed 1d; } | ctx-route --separate-trace --context user=42 >log.jsonl
    user 'Go on.' >step.jsonl
    row
    same 'no trace before it' <(printf '%s\n' A. B. C. D. E. 'Go on.') <(contents next.jsonl)
    same 'prompt and metadata stay' <(head -n 1 log.jsonl) <(head -n 1 next.jsonl)
}

@test "instructor-php: ApplyContextConfigHook" {
    printf 'Be brief.' >prompt.txt
    echo '{"type":"json_object"}' >format.json
    user A. | ctx-route --context user=42 >log.jsonl
    local prompts='map(select(.role == "system").content)'
    says B. >step.jsonl
    row
    printf 'Be kind.' >prompt.txt
    user C. >step.jsonl
    row
    same 'what the next request has' <(echo '["Be kind."]') <(ctx-normalize --to openai log.jsonl | jq -sc "$prompts")
    same 'and the context' <(echo '["Be kind.",{"type":"json_object"},{"user":42}]') \
        <(jq -c 'select(.type) | [.system_prompt, .response_format, .metadata]' log.jsonl | tail -n 1)
    # A step that changes nothing of it writes messages alone.
    says D. >step.jsonl
    row
    same 'the same prompt' <(echo 1) <(wc -l <out)
}

@test "instructor-php: ApplyCachedContext" {
    { context 'Be brief.'; user 'The rules are long.'; says Read.; user C.; } >log.jsonl
    row
    same 'marked to its end, and at the prompt' <(echo '[false,true,false,true]') \
        <(jq -c '[.messages[] | tostring | contains("cache_control")] + [.system | tostring | contains("cache_control")]' out)
    # The next request has the same prefix.
    cp out first
    { context 'Be brief.'; user 'The rules are long.'; says Read.; user D.; } >log.jsonl
    row
    same prefix <(jq -c '.system, .messages[:2]' first) <(jq -c '.system, .messages[:2]' out)
}

@test "instructor-php: withMetadataKey" {
    { raw '{"type":"context","system_prompt":"P","metadata":{"a":"b"}}'; user A.; } >log.jsonl
    says B. >step.jsonl
    row
    same 'a number, beside the others' <(echo '["P",{"a":"b","user_id":42}]') \
        <(jq -c 'select(.type) | [.system_prompt, .metadata]' log.jsonl | tail -n 1)
    same store <(echo '{"a":"b","user_id":42}') <(ctx-normalize --to instructor log.jsonl | jq -c .metadata)
}

@test "instructor-php: withMessages" {
    { context P.; user S. '"section":"summary"'; talk 3; user O. '"section":"buffer"'; } | ctx-route >log.jsonl
    { user New.; says Well.; } >step.jsonl
    row
    same 'messages are replaced' <(printf '%s\n' New. Well.) <(ctx-select --exact section=messages new.jsonl | contents /dev/stdin)
    same 'other sections and the prompt stay' <(grep -e context -e section log.jsonl) <(head -n 3 new.jsonl)
}

@test "instructor-php: withAppendedMessages" {
    talk 2 | ctx-route >log.jsonl
    cp log.jsonl before
    { user New.; says Well.; } >step.jsonl
    row
    same 'the log as it was, and the new ones' <(cat before; ctx-route step.jsonl) log.jsonl
}

@test "instructor-php: toArray" {
    { raw '{"type":"context","system_prompt":"P","response_format":{"type":"json_object"},"metadata":{"a":1}}'; user A.; says B. '"section":"buffer"'; } >log.jsonl
    row
    same 'its members' <(echo '[{"a":1},"P",{"type":"json_object"},["buffer","messages"]]') \
        <(jq -c '[.metadata, .systemPrompt, .responseFormat, ([.messageStore.sections[].name] | sort)]' context.json)
}

@test "instructor-php: fromArray" {
    { raw '{"type":"context","system_prompt":"P","response_format":{"type":"json_object"},"metadata":{"a":1}}'; user A.; calls c1 look '{"n":1}'; gets c1 one; says B.; } >first
    ctx-normalize --to instructor first >context.json
    row
    # There and back is the same value.
    ctx-normalize --to instructor log.jsonl | cmp - context.json
    same 'what was said' <(contents first) <(contents log.jsonl)
    ctx-normalize --check log.jsonl
}

# --- LarAgent ------------------------------------------------------------------------------------------

# chats COUNT [WORDS]: the system's words, and so many turns of two messages of that length, 120.
chats() {
    local i text
    text=$(repeat "${2-120}" 'word ')
    system 'Be kind.'
    for ((i = 1; i <= $1; i++)); do user "request $i $text"; says "answer $i $text"; done
}

# used FILE: its tokens.
used() {
    ctx-budget --json "$1" | jq .used_tokens
}

# last COUNT FILE: so many last messages of the file.
last() {
    grep '"role"' "$2" | tail -n "$1"
}

# agent SWITCH: the profile of an agent that says it in its defaults and on in the section of a provider.
agent() {
    printf '%s\n' 'compact: ctx-compact --strategy simple --estimator usage' '--limit 128k' "compact $1" \
        '[provider openai]' '--limit 16k' >agent
}

@test "LarAgent: enableTruncation" {
    agent off
    # By the usage that the last answer reports: over the window, and not.
    { chats 20; user More.; says Well. '"usage":{"input_tokens":16500,"output_tokens":9}'; } >log.jsonl
    row
    same 'the last ten' <(last 10 log.jsonl) <(last 10 out)
    (($(wc -l <out) < $(wc -l <log.jsonl)))
    # Of the three levels the agent counts more than the provider, and the provider more than all.
    compile() { ctx-compile --profile ./agent "$@" log.jsonl; }
    compile --provider openai | cmp - log.jsonl
    echo 'compact on' >>agent
    same 'on at the provider' out <(compile --provider openai)
    same 'off at the agent' log.jsonl <(compile --provider openai --line 'compact off')
    same 'another provider' log.jsonl <(compile --provider anthropic --line 'compact options --limit 16k')
    { chats 20; user More.; says Well. '"usage":{"input_tokens":15500,"output_tokens":9}'; } >log.jsonl
    row
    cmp log.jsonl out
}

@test "LarAgent: contextWindowSize" {
    chats 80 >log.jsonl
    (($(used log.jsonl) > 16000))
    row
    (($(used out) <= 16000))
    chats 20 >log.jsonl
    row
    cmp log.jsonl out
}

@test "LarAgent: default_context_window" {
    agent on
    sed -i 's/ --estimator usage//' agent
    chats 80 >log.jsonl
    row
    same 'the last ten' <(last 10 log.jsonl) <(last 10 out)
    (($(used out) <= 16000))
    # The agent's own window counts more, and without any it is 128k.
    same 'its own' log.jsonl <(ctx-compile --profile ./agent --provider openai --limit 32k log.jsonl)
    same 'another provider' log.jsonl <(ctx-compile --profile ./agent --provider anthropic log.jsonl)
    same 'without one' <(echo 128000) <(ctx-budget --json log.jsonl | jq .context_window)
}

@test "LarAgent: SimpleTruncationStrategy (keep_messages)" {
    chats 80 >log.jsonl
    row
    same 'the last ten' <(last 10 log.jsonl) <(last 10 out)
    same 'the system, what was asked first, what is left of the others, and ten' <(echo 13) <(wc -l <out)
    same 'the system' <(head -n 2 log.jsonl) <(head -n 2 out)
}

@test "LarAgent: TokenBasedTruncationStrategy (target_percentage)" {
    chats 80 >log.jsonl
    row
    # Down to three quarters, and no further than it takes.
    (($(used out) <= 12000 && $(used out) > 11000))
    same 'the newest' <(last 40 log.jsonl) <(last 40 out)
    same 'the system' <(head -n 1 log.jsonl) <(head -n 1 out)
}

@test "LarAgent: SummarizationStrategy (summary_agent, summary_title)" {
    program summarize 'cat >asked' 'echo "They spoke of words."'
    chats 80 >log.jsonl
    row
    same 'the last five' <(last 5 log.jsonl) <(last 5 out)
    same 'the summary' <(printf '%s\n' developer 'Summary of previous conversation') \
        <(jq -r 'select(.metadata.kind == "summary") | .role, (.content | split("\n")[0])' out)
    jq -se 'any(.[].content; contains("They spoke of words."))' out >/dev/null
    grep -q 'answer 40' asked
}

@test "LarAgent: SymbolizationStrategy (symbol_title)" {
    chats 30 300 >log.jsonl
    row
    same 'the last five' <(last 5 log.jsonl) <(last 5 out)
    jq -r 'select(.metadata.kind == "summary") | .role, .content' out >symbols
    same 'in one message' <(printf '%s\n' developer 'Conversation symbols') <(head -n 2 symbols)
    # A line for each message between the first two and the last five.
    same 'each has its symbol' <(last 59 log.jsonl | head -n 54 | jq -r '.role + " " + (.content | split(" ")[1])') \
        <(sed -nE 's/^(user|assistant): [a-z]+ ([0-9]+) .*/\1 \2/p' symbols)
}

@test "LarAgent: preserve_system" {
    { chats 10; developer 'Be quick.'; chats 20 | sed 1d; } >log.jsonl
    row
    same 'system and developer, and ten with them' <(echo '["system","developer"]') <(jq -sc 'map(.role)[:2]' out)
    same ten <(echo 10) <(wc -l <out)
    same 'the newest' <(last 8 log.jsonl) <(last 8 out)
}

@test "LarAgent: replaceMessages" {
    chats 80 >log.jsonl
    cp log.jsonl before
    row
    same 'the store has the last ten' <(last 10 before) <(last 10 log.jsonl)
    (($(used log.jsonl) <= 16000))
}

@test "LarAgent: BeforeTruncation" {
    program hook 'cat >plan'
    chats 80 >log.jsonl
    row
    jq -se 'length > 10 and all(.[]; .action)' plan >/dev/null
    rm plan
    chats 2 >log.jsonl
    row
    [[ ! -e plan ]]
}

@test "LarAgent: AfterTruncation" {
    # shellcheck disable=SC2016
    program hook 'cat >report' 'cat "$CTX_FILE" >new' 'cat "$CTX_OLD_FILE" >old'
    chats 80 >log.jsonl
    row
    jq -e '.status == 0' report >/dev/null
    cmp out new
    cmp log.jsonl old
    rm report
    chats 2 >log.jsonl
    row
    [[ ! -e report ]]
}

@test "LarAgent: ChatHistoryTruncated" {
    # shellcheck disable=SC2016
    program hook 'cat "$CTX_FILE" >new'
    chats 80 >log.jsonl
    row
    # The event comes with the messages, when they are in the store.
    cmp log.jsonl new
    (($(used new) <= 16000))
}

@test "LarAgent: make:truncation-strategy" {
    chats 80 >log.jsonl
    row
    [[ -x strategy && -s strategy.bats ]]
    # The strategy changes nothing yet, so that truncate does all.
    ./strategy <log.jsonl | cmp - log.jsonl
    ctx-compact --limit 16k --pipeline truncate log.jsonl | cmp - out
    # Where its last line is another one, the strategy is.
    program strategy 'jq -c "select(.role)" | sed "/answer [1-5]. /d"'
    ctx-compact --limit 16k --pipeline ./strategy log.jsonl >out
    same 'what it takes is gone, and no more' <(grep -v '"answer [1-5][0-9] ' log.jsonl) <(grep -v '"kind":"summary"' out)
}

# --- LangChain -----------------------------------------------------------------------------------------

@test "LangChain: trim_messages" {
    { system 'Be kind.'; works 100; user Now.; } >log.jsonl
    row
    (($(used out) <= 4000 && $(used out) > 3500))
    same 'include_system, start_on' <(echo '["system","user"]') <(jq -sc 'map(.role)[:2]' out)
    same 'the newest' <(tail -n "$(($(wc -l <out) - 1))" log.jsonl) <(tail -n +2 out)
    # end_on: what the model has said last is taken away.
    { system 'Be kind.'; works 100; } >log.jsonl
    row
    same end_on <(echo '"tool"') <(tail -n 1 out | jq -c .role)
}

@test "LangChain: filter_messages" {
    { user A. '"id":"m1"'; says B.; user C. '"id":"m3"'; calls c1 look '{"n":1}'; gets c1 one; user D. '"id":"m6"'; } >log.jsonl
    row
    same 'include_types, exclude_ids' <(printf '%s\n' A. D.) <(contents out)
}

@test "LangChain: merge_message_runs" {
    { user A.; user B.; says C.; says D.; user E.; } >log.jsonl
    row
    same runs <(printf '%s\n' '["user","A.\nB."]' '["assistant","C.\nD."]' '["user","E."]') <(jq -c '[.role, .content]' out)
    # Calls and results are no such runs.
    { user A.; wants c1:look; wants c2:look; gets c1 one; gets c2 two; } >log.jsonl
    row
    same 'results' <(grep tool_call_id log.jsonl) <(grep tool_call_id out)
}

@test "LangChain: ClearToolUsesEdit" {
    local long
    long=$(repeat 300 'word ')
    works 6 >log.jsonl
    row
    cmp log.jsonl request.jsonl
    works 400 >log.jsonl
    local status=0
    row 2>/dev/null || status=$?
    same 'all but the newest three' <(echo 397) <(grep -c '"\[cleared\]"' request.jsonl)
    same 'the newest' <(grep '"role":"tool"' log.jsonl | tail -n 3) <(grep '"role":"tool"' request.jsonl | tail -n 3)
    same 'all else' <(grep -v '"role":"tool"' log.jsonl) <(grep -v '"role":"tool"' request.jsonl)
    # The other options that it has.
    local i mask='ctx-isolate --policy mask --execution none --keep-results 3 --min-tokens 1'
    keeps_all() { $mask "$@" log.jsonl | cmp - log.jsonl; }
    keeps_all --min-gain 1M
    keeps_all --protect tool=look
    for i in 1 2 3 4 5; do user "request $i"; calls "c$i" look "{\"n\":\"$long\"}"; gets "c$i" "$long"; says Well.; done >log.jsonl
    same 'inputs stay' <(echo 5) <($mask log.jsonl | jq -c .tool_calls | grep -c "$long")
    same 'the newest three' <(echo 3) <($mask --arguments all log.jsonl | jq -c .tool_calls | grep -c "$long")
}
