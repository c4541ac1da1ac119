#!/usr/bin/env bats
#
# ctx-normalize --from atif: trajectories in the format of Harbor.

load helper
load dialogue
unsourced

# trajectory STEP...: a document; step N SOURCE MESSAGE [MEMBERS]: a step, whose MESSAGE is JSON.
trajectory() { printf '{"schema_version":"ATIF-v1.7","session_id":"s","agent":{"name":"a","version":"1","model_name":"m"},"steps":[%s]}\n' "$(IFS=,; echo "$*")"; }
step() { printf '{"step_id":%s,"timestamp":"t","source":"%s","message":%s%s}' "$1" "$2" "$3" "${4:+,$4}"; }

@test "atif: steps with all that they carry" {
    local calls='"tool_calls":[{"tool_call_id":"c1","function_name":"f","arguments":{"a":1},"extra":{"k":1}},{"tool_call_id":"c2","function_name":"g","arguments":{}}]'
    local results='"observation":{"results":[{"source_call_id":"c2","content":"no","extra":{"is_error":true}},{"source_call_id":"c1","content":[{"type":"text","text":"ok"}]},{"source_call_id":null,"content":"aside"}]}'
    trajectory "$(step 1 system '"S"')" "$(step 2 user '[{"type":"text","text":"a"},{"type":"image","source":{"media_type":"image/png","path":"p.png"}}]')" \
        "$(step 3 agent '"I look."' "\"reasoning_content\":\"why\",\"model_name\":\"n\",\"metrics\":{\"prompt_tokens\":1,\"completion_tokens\":2},\"llm_call_count\":1,$calls,$results")" \
        "$(step 4 agent '"Done."')" >in
    local at='"session_id":"s","timestamp":"t"'
    makes ctx-normalize "$(system S "$at,\"id\":1")" \
        "$(user '[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"p.png"}}]' "$at,\"id\":2")" \
        "{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"why\"},{\"type\":\"text\",\"text\":\"I look.\"}],\"tool_calls\":[{\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"a\\\":1}\"},\"x_atif\":{\"extra\":{\"k\":1}}},$(call c2 g '{}')],\"metadata\":{$at,\"model\":\"n\",\"id\":3,\"x_atif\":{\"llm_call_count\":1},\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":2}}}" \
        "$(gets c1 ok '"session_id":"s"')" "$(gets c2 no '"session_id":"s","is_error":true,"x_atif":{"extra":{"is_error":true}}')" \
        "$(user aside '"session_id":"s","origin":"injected"')" "$(says Done. "$at,\"model\":\"m\",\"id\":4")"
    same 'by name' <(ctx-normalize in) <(ctx-normalize --from atif in)
    same 'over lines' <(ctx-normalize in | jq -c .content) <(jq . in | ctx-normalize | jq -c .content)
    same 'what looks reads it, too' <(ctx-normalize in | ctx-budget --json) <(ctx-budget --json in)
}

@test "atif: a compaction that replaces the context leaves its summary" {
    local gone='"observation":{"results":[{"content":"S"}]},"extra":{"context_management":{"type":"compaction","boundary":"%s"}}' of
    # shellcheck disable=SC2059
    for of in replace append; do
        printf -v "$of" "$gone" "$of"
    done
    # shellcheck disable=SC2154
    trajectory "$(step 1 user '"A"')" "$(step 2 agent '"B"')" "$(step 3 system '""' "$replace")" "$(step 4 user '"C"')" >in
    makes "ctx-normalize | jq -r '[.metadata.kind, .content] | join(\" \")'" 'summary S' ' C'
    makes 'ctx-normalize --all | jq -r .content' A B S C
    # shellcheck disable=SC2154
    trajectory "$(step 1 user '"A"')" "$(step 3 system '"M"' "$append")" >in
    makes 'ctx-normalize | jq -r .content' A M S
}

@test "atif: what is not read is counted or named" {
    trajectory "$(step 1 user '"A"')" "$(step 2 other '"B"')" 7.5 | jq -c '.subagent_trajectories = [{}, {}]' >in
    makes 'ctx-normalize | jq -r ".content? // .message? // ."' A B 7.5 \
        '>>>2 ctx-normalize: in:1: unknown-shape: element 2 of a list is not understood' \
        '>>>2 ctx-normalize: in:1: unknown-shape: element 3 of a list is not understood' '>>>= 65'
    ctx-normalize -v in 2>&1 >/dev/null | grep -o '2 trajectory of a sub-agent'
}

@test "atif: real trajectories say what jq finds in them, and go out as the APIs take them" {
    local file count=0 api
    [[ -d $CTX_SHARED/atif ]] || skip 'no transcripts beside the tree'
    for file in "$CTX_SHARED"/atif/*/*_atif.json; do
        same "$file" <(jq -c '.steps[] | (.message, [.tool_calls[]?.function_name] | select(. != [])), .observation.results[]?.content' "$file") \
            <(ctx-normalize "$file" | jq -c '.content, [.tool_calls[]?.function.name] | select(. != [])')
        for api in openai anthropic; do
            ctx-normalize --to "$api" "$file" | ctx-normalize --check --to "$api"
        done
        count=$((count + 1))
    done
    ((count > 1))
    for file in "$CTX_SHARED"/atif/*/*_atof.jsonl; do
        status_of 1 ctx-select --count role=user "$file" >out 2>err || [[ $(<err) == *'looks like atof'* ]]
    done
}
