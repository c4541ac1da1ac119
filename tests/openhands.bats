#!/usr/bin/env bats
#
# ctx-normalize --from openhands: events of OpenHands, of its SDK and of the versions before.

load helper
load dialogue
unsourced

# event KIND ID MEMBERS: an event of the SDK; MEMBERS is the inside of an object.
event() { printf '{"id":"%s","timestamp":"t","source":"%s","kind":"%s",%s}\n' "$2" "${4-agent}" "$1" "$3"; }
asked() { event MessageEvent "$1" "\"llm_message\":{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"$2\"}]}" "${3-user}"; }
told() { event MessageEvent "$1" "\"llm_message\":{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"$2\"}]}"; }
used() { event ActionEvent "$1" "\"thought\":[$3],\"action\":{\"kind\":\"A\"},\"tool_name\":\"f\",\"tool_call_id\":\"$2\",\"tool_call\":{\"id\":\"$2\",\"name\":\"f\",\"arguments\":\"{}\",\"origin\":\"completion\"},\"llm_response_id\":\"r\"${4-}"; }
saw() { event ObservationEvent "$1" "\"tool_name\":\"f\",\"tool_call_id\":\"$2\",\"observation\":{\"content\":[{\"type\":\"text\",\"text\":\"$3\"}],\"is_error\":$4,\"exit_code\":1,\"kind\":\"O\"},\"action_id\":\"a\""; }

@test "openhands: events of the SDK" {
    {
        event SystemPromptEvent s '"system_prompt":{"type":"text","text":"S"},"tools":[]'
        event ConversationStateUpdateEvent x '"key":"stats","value":{}'
        event MessageEvent u '"llm_message":{"role":"user","content":[{"type":"text","text":"a"},{"type":"image","image_urls":["u","v"]}]},"extended_content":[{"type":"text","text":"skill"}]' user
        used a1 c1 '{"type":"text","text":"I look."}' ',"reasoning_content":"why","thinking_blocks":[{"type":"thinking","thinking":"w","signature":"g"},{"type":"redacted_thinking","data":"D"}]'
        used a2 c2 ''
        saw o2 c2 no true
        saw o1 c1 ok false
        used a3 c3 '' ',"reasoning_content":"why"'
        event AgentErrorEvent e '"tool_call_id":"c3","tool_name":"f","error":"E"'
        used a4 c4 ''
        event UserRejectObservation j '"tool_call_id":"c4","tool_name":"f","rejection_reason":"R"' user
        asked v 'Go on.' environment
        told w Done.
    } >in
    local at='"timestamp":"t"' extra='"x_openhands":{"llm_response_id":"r"}'
    makes ctx-normalize \
        "$(system S "$at,\"id\":\"s\"")" \
        "$(user '[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"u"}},{"type":"image_url","image_url":{"url":"v"}},{"type":"text","text":"skill"}]' "$at,\"id\":\"u\"")" \
        "{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"w\",\"signature\":\"g\"},{\"type\":\"redacted_thinking\",\"data\":\"D\"},{\"type\":\"text\",\"text\":\"I look.\"}],\"tool_calls\":[$(call c1 f '{}'),$(call c2 f '{}')],\"metadata\":{$at,\"id\":\"a1\",$extra}}" \
        "$(gets c1 ok "$at,\"id\":\"o1\",\"tool_name\":\"f\",\"is_error\":false,\"x_openhands\":{\"exit_code\":1}")" \
        "$(gets c2 no "$at,\"id\":\"o2\",\"tool_name\":\"f\",\"is_error\":true,\"x_openhands\":{\"exit_code\":1}")" \
        "$(acts '[{"type":"thinking","thinking":"why"}]' "$(call c3 f '{}')" "$at,\"id\":\"a3\",$extra")" \
        "$(gets c3 E "$at,\"id\":\"e\",\"tool_name\":\"f\",\"is_error\":true")" \
        "$(acts null "$(call c4 f '{}')" "$at,\"id\":\"a4\",$extra")" \
        "$(gets c4 'Action rejected: R' "$at,\"id\":\"j\",\"tool_name\":\"f\",\"is_error\":true")" \
        "$(user 'Go on.' "$at,\"origin\":\"injected\",\"id\":\"v\"")" "$(says Done. "$at,\"id\":\"w\"")"
    same 'in a list' <(ctx-normalize in) <(jq -cs . in | ctx-normalize)
    same 'by name' <(ctx-normalize in) <(ctx-normalize --from openhands in)
    ctx-normalize --report of in >out
    same 'what is counted' <(echo '{"ConversationStateUpdateEvent":1} {"redacted_thinking":1}') <(jq -rc '"\(.skipped) \(.sealed)"' of)
    rm out of
}

@test "openhands: a condensation takes out what it forgets, and its summary has its place" {
    {
        asked 1 A; told 2 B; asked 3 C; told 4 D
        event Condensation k '"forgotten_event_ids":["2","3"],"summary":"S1","summary_offset":1' environment
        asked 5 E; told 6 F
    } >in
    makes 'ctx-normalize | jq -r .content' A S1 D E F
    makes "ctx-normalize | jq -r '.metadata.kind // empty'" summary
    makes 'ctx-normalize --all | jq -r .content' A B C D S1 E F
    { cat in; event Condensation l '"forgotten_event_ids":["4","5"],"summary":"S2","summary_offset":1' environment; asked 7 G; event Condensation m '"forgotten_event_ids":["7"]' environment; } >again
    mv again in
    makes 'ctx-normalize | jq -r .content' A S2 F
}

# did ID ACTION ARGS [CALLS], saw_old ID KIND CONTENT CAUSE [MEMBERS]: an action and an observation.
did() { printf '{"id":%s,"timestamp":"t","source":"agent","message":"m","action":"%s","args":%s%s}\n' "$1" "$2" "$3" "${4:+,\"tool_call_metadata\":$4}"; }
saw_old() { printf '{"id":%s,"timestamp":"t","source":"agent","message":"m","cause":%s,"observation":"%s","content":"%s"%s}\n' "$1" "$4" "$2" "$3" "${5-}"; }

@test "openhands: actions and observations of the versions before" {
    local of='{"function_name":"execute_bash","tool_call_id":"c1","model_response":{"model":"m","usage":{"prompt_tokens":1},"choices":[{"message":{"content":"I look.","tool_calls":[{"id":"c0","function":{"name":"x","arguments":"{}"}},{"id":"c1","type":"function","function":{"name":"execute_bash","arguments":"{\"command\":\"ls\"}"}}]}}]}}'
    {
        printf '{"id":0,"timestamp":"t","source":"user","message":"m","action":"message","args":{"content":"a","image_urls":["u"]}}\n'
        did 1 change_agent_state '{"agent_state":"running"}'
        did 2 run '{"command":"ls","thought":"I look."}' "$of"
        saw_old 3 run ok 2 ",\"success\":true,\"tool_call_metadata\":$of"
        did 4 read '{"path":"p","thought":"And now."}'
        saw_old 5 error E 4
        did 6 run '{"command":"x"}'
        saw_old 7 run no 6 ',"success":false,"extras":{"k":1}'
        did 8 message '{"content":"Done."}'
    } >in
    local at='"timestamp":"t"'
    makes ctx-normalize \
        "$(user '[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"u"}}]' "$at,\"id\":0")" \
        "$(acts 'I look.' "$(call c1 execute_bash '{"command":"ls"}')" "$at,\"model\":\"m\",\"id\":2,\"usage\":{\"prompt_tokens\":1}")" \
        "$(gets c1 ok "$at,\"id\":3,\"x_openhands\":{\"success\":true}")" \
        "$(acts 'And now.' "$(call 4 read '{"path":"p","thought":"And now."}' | sed 's/"4"/4/')" "$at,\"id\":4")" \
        "$(gets 4 E "$at,\"id\":5,\"is_error\":true" | sed 's/"4"/4/')" \
        "$(acts null "$(call 6 run '{"command":"x"}' | sed 's/"6"/6/')" "$at,\"id\":6")" \
        "$(gets 6 no "$at,\"id\":7,\"is_error\":true,\"x_openhands\":{\"success\":false,\"extras\":{\"k\":1}}" | sed 's/"6"/6/')" \
        "$(says Done. "$at,\"id\":8")"
    same 'in a list' <(ctx-normalize in) <(jq -cs . in | ctx-normalize)
    same 'in pairs' <(ctx-normalize in) <(jq -cs '[.[range(0; 9; 2):] [:2]]' in | ctx-normalize --from openhands)
    same 'in a history' <(ctx-normalize in) <(jq -cs '{instance_id: "i", history: .}' in | ctx-normalize)
}

# Who says how much, by another reader: role, calls, results, texts.
own_counts() {
    jq -cs 'flatten | [.[] | select((.kind // .action // .observation) | IN("MessageEvent", "SystemPromptEvent", "message", "system"))] as $said
        | [.[] | select(.kind == "ActionEvent" or (.tool_call_metadata and .action))] as $calls
        | [.[] | select(.kind == "ObservationEvent" or (.tool_call_metadata and .observation))] as $results
        | [($said | length), ($calls | length), ($results | length), ([$results[] | .content // (.observation.content | map(.text) | join(""))] | join("") | length)]' "$1"
}

@test "openhands: real events say what jq finds in them, and go out as the APIs take them" {
    local file count=0
    [[ -d $CTX_SHARED/openhands ]] || skip 'no transcripts beside the tree'
    for file in "$CTX_SHARED"/openhands/*/*; do
        ctx-normalize --open-calls keep "$file" >out
        same "$file" <(own_counts "$file") <(jq -cs '[.[] | select(.tool_call_id)] as $results | [.[] | .tool_calls[]?] as $calls
            | [([.[] | select(.tool_call_id or .tool_calls | not)] | length), ($calls | length), ($results | length), ([$results[].content | if type == "array" then map(.text) | join("") else ltrimstr("[tool result that answers no call] ") end] | join("") | length)]' out)
        ctx-normalize --to openai "$file" | ctx-normalize --check --to openai
        # The others are single events, or begin in the midst of a session.
        [[ $file != */trajs__* ]] || ctx-normalize --to anthropic "$file" | ctx-normalize --check --to anthropic
        count=$((count + 1))
    done
    ((count > 20))
}
