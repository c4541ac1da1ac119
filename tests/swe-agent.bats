#!/usr/bin/env bats
#
# ctx-normalize --from swe-agent: trajectories of SWE-agent and of mini-swe-agent.

load helper
load dialogue
unsourced

history='[{"role":"system","content":"S","agent":"main","message_type":"system_prompt"},
    {"role":"user","content":"D","agent":"main","is_demo":true,"message_type":"demonstration"},
    {"role":"user","content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}],"agent":"main"},
    {"role":"assistant","content":"I look.","thought":"I look.","action":"ls","agent":"main","thinking_blocks":[{"type":"thinking","thinking":"t","signature":"s"}],"tool_calls":[{"index":1,"function":{"arguments":"{\"command\":\"ls\"}","name":"bash"},"id":"c1","type":"function"}],"message_type":"action"},
    {"role":"tool","content":"out\r\n","agent":"main","message_type":"observation","tool_call_ids":["c1"],"execution_time":1},
    {"role":"assistant","content":"```\nls\n```","agent":"main"}]'

@test "swe-agent: the history of a trajectory" {
    jq -c '{trajectory: [{action: "ls"}], history: ., info: {}}' <<<"$history" >in
    local at='"agent_id":"main"'
    makes ctx-normalize "$(system S "$at")" "$(user D "$at,\"kind\":\"demo\"")" "$(user a "$at")" \
        "{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"t\",\"signature\":\"s\"},{\"type\":\"text\",\"text\":\"I look.\"}],\"tool_calls\":[$(call c1 bash '{"command":"ls"}')],\"metadata\":{$at}}" \
        "$(gets c1 'out\r\n' "$at,\"x_swe_agent\":{\"execution_time\":1}")" "$(says '```\nls\n```' "$at")"
    same 'by name' <(ctx-normalize in) <(ctx-normalize --from swe-agent in)
    jq -c '{info: {}, messages: ., trajectory_format: "mini-swe-agent-1.1"}' <<<"$history" >mini
    same 'mini' <(ctx-normalize in) <(ctx-normalize mini)
    same 'what looks reads it, too' <(ctx-normalize in | ctx-budget --json) <(ctx-budget --json in)
    rm mini
}

@test "swe-agent: what is not understood stays, and is named" {
    raw '{"trajectory":[],"history":[{"role":"user","content":"a"},{"role":"odd","content":"b"},7.5]}' >in
    makes 'ctx-normalize | jq -r ".content? // ."' a b 7.5 \
        '>>>2 ctx-normalize: in:1: unknown-shape: element 2 of a list is not understood' \
        '>>>2 ctx-normalize: in:1: unknown-shape: element 3 of a list is not understood' '>>>= 65'
}

@test "swe-agent: real trajectories say what jq finds in them, and go out as the APIs take them" {
    local file count=0 api
    [[ -d $CTX_SHARED/swe-agent-traj ]] || skip 'no transcripts beside the tree'
    for file in "$CTX_SHARED"/swe-agent-traj/*/*; do
        same "$file" <(jq -c '(.history? // .)[] | select(.content != "" or .tool_calls) | [.role, (.content | if type == "array" then map(.text) | join("") else . end), [.tool_calls[]?.id], .tool_call_ids[0]?]' "$file") \
            <(ctx-normalize "$file" | jq -c '[.role, (.content // "" | if type == "array" then map(.text) | join("") else . end), [.tool_calls[]?.id], .tool_call_id]')
        for api in openai anthropic; do
            ctx-normalize --to "$api" --request='{"model":"m","max_tokens":1}' "$file" | ctx-normalize --check --to "$api"
        done
        count=$((count + 1))
    done
    ((count > 10))
}
