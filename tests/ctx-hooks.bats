#!/usr/bin/env bats
#
# The hook of ctx-hooks(7), as the page has it, on a session of Claude Code that has been compacted before.

load helper

page=$ROOT/man/ctx-hooks.7

# session: a session of 40 calls, with a rule, and a compaction in its midst.
session() {
    local text
    text=$(printf 'The gauge of pier %s reads well. ' {1..60})
    jq -cn --arg text "$text" '
        def line($n; $rest): {type: "user", uuid: "u\($n)", parentUuid: (if $n == 0 then null else "u\($n - 1)" end), sessionId: "s"} + $rest;
        def said($n; $text): line($n; {message: {role: "user", content: $text}});
        said(0; "Check the gauges of the harbour. You must never touch pier 9."),
        (range(40) as $i | ($i * 2 + 1) as $n |
            line($n; {type: "assistant", message: {id: "m\($i)", role: "assistant", content: [{type: "tool_use", id: "c\($i)", name: "Bash", input: {command: "gauge \($i)"}}]}}),
            line($n + 1; {message: {role: "user", content: [{type: "tool_result", tool_use_id: "c\($i)", content: "\($i): \($text)"}]}})),
        {type: "system", subtype: "compact_boundary", uuid: "b", parentUuid: null, logicalParentUuid: "u80", sessionId: "s", content: "Conversation compacted"},
        (said(81; "This session is being continued. MADE BY THE AGENT") + {parentUuid: "b", isCompactSummary: true}),
        line(82; {type: "assistant", message: {id: "m", role: "assistant", content: [{type: "text", text: "All is well."}]}}),
        (said(83; "<system-reminder>note</system-reminder>") + {isMeta: true}),
        said(84; "And how deep is it at pier 4?")' >"$1"
}

# hook EVENT: runs it as Claude Code does.
hook() {
    jq -cn --arg event "$1" --arg log "$PWD/a b.jsonl" \
        '{session_id: "s", transcript_path: $log, cwd: ".", hook_event_name: $event, trigger: "auto", custom_instructions: "", source: "compact"}' |
        env -i HOME="$PWD" PATH="$CTX_BIN:$PATH" ./ctx-hook.sh
}

@test "ctx-hooks(7): before a summary the hook prints requests, rules and digest, and after it the same" {
    display "$page" '#!/bin/bash' >ctx-hook.sh
    chmod +x ctx-hook.sh
    session 'a b.jsonl'
    cp 'a b.jsonl' before
    hook PreCompact >printed 2>said
    same 'said' /dev/null said
    [[ $(head -n 1 printed) == 'Keep in the summary the rules and the open points of this:' ]]
    grep -q 'never touch pier 9' printed
    grep -q '^And how deep is it at pier 4?$' printed
    grep -q '^\[summary\] .*earlier messages.*ctx-recall ' printed
    grep -q 'gauge 3' printed
    ! grep -q 'MADE BY\|<system-reminder>' printed || fail 'what is not of the user'
    (($(wc -c <printed) < 10000))
    tail -n +2 printed | same 'state' - 'a b.state'
    hook SessionStart >after
    same 'after' 'a b.state' after
    cmp before 'a b.jsonl'
    # The command of the first line prints what went.
    ctx-recall 'a b.archive' --search '^7: The gauge of pier 1 ' >found
    grep -q 'The gauge of pier 1 reads well' found
    # Again, and while the agent writes a line: the archive does not grow.
    local entries
    entries=$(wc -l <'a b.archive')
    printf '{"type":"user","uuid":"u85",' >>'a b.jsonl'
    hook PreCompact >again 2>said
    same 'printed again' printed again
    [[ $(wc -l <'a b.archive') == "$entries" ]]
    # The newest request is there whatever else is, and what fails leaves what was there, and says nothing.
    local i
    for i in {1..60}; do
        jq -cn --argjson i "$i" '{type: "user", uuid: "v\($i)", parentUuid: (if $i == 1 then "u84" else "v\($i - 1)" end),
            sessionId: "s", message: {role: "user", content: ("And request \($i)? " + "Please look. " * 70)}}'
    done >>"many.jsonl"
    { cat before && cat many.jsonl; } >'a b.jsonl'
    hook PreCompact >many 2>said
    grep -q '^And request 60? ' many
    (($(wc -c <many) < 10000))
    cp 'a b.archive' archive
    mkdir 'a b.state.new'
    status_of 1 hook PreCompact >out 2>said
    [[ ! -s out ]]
    cmp archive 'a b.archive'
    rmdir 'a b.state.new'
    jq -cn '{hook_event_name: "PreCompact"}' | status_of 1 env PATH="$CTX_BIN:$PATH" ./ctx-hook.sh >out
    [[ ! -s out && ! -e null.archive && $(stat -c %a 'a b.state') == 600 ]]
    # Nothing stops the compaction.
    rm 'a b.state' 'a b.jsonl'
    status_of 1 hook SessionStart >out 2>said
    [[ ! -s out ]]
}

@test "ctx-hooks(7): the settings run it before a compaction and after one" {
    display "$page" '"PreCompact"' >settings.json
    [[ $(jq -c '[.hooks.PreCompact[0].hooks[0], .hooks.SessionStart[0].hooks[0]] | map(.command) | unique' settings.json) == '["~/.claude/ctx-hook.sh"]' ]]
    [[ $(jq -r '.hooks.SessionStart[0].matcher' settings.json) == compact ]]
}
