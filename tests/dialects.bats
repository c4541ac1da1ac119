#!/usr/bin/env bats
#
# ctx-normalize: the formats that it reads and writes, record by record.

load helper

# bare: canonical records without the metadata that every line of a session file has.
bare() {
    jq -c 'del(.metadata.session_id, .metadata.timestamp, .metadata.usage, .metadata.model) |
        if .metadata == {} then del(.metadata) else . end'
}
export -f bare

# --- Claude Code --------------------------------------------------------------------------------

@test "claude-code: lines of one message.id are one message, results stand in call order" {
    spec <<'END'
ctx-normalize "$FIXTURES/claude-code-parallel.jsonl" | bare | jq -c 'del(.tool_calls[]?.function.arguments, .metadata.id)'
>>> {"role":"user","content":"Compare a.txt, b.txt and c.txt","metadata":{}}
>>> {"role":"assistant","content":"Reading all three.","tool_calls":[{"id":"toolu_bell0001","type":"function","function":{"name":"Read"}},{"id":"toolu_bell0002","type":"function","function":{"name":"Read"}},{"id":"toolu_bell0003","type":"function","function":{"name":"Read"}}],"metadata":{}}
>>> {"role":"tool","tool_call_id":"toolu_bell0001","content":"     1→one\n","metadata":{}}
>>> {"role":"tool","tool_call_id":"toolu_bell0002","content":"     1→two\n","metadata":{}}
>>> {"role":"tool","tool_call_id":"toolu_bell0003","content":[{"type":"text","text":"File does not exist."}],"metadata":{"is_error":true}}
>>> {"role":"assistant","content":"a.txt has one, b.txt has two; there is no c.txt.","metadata":{}}
END
}

@test "claude-code: the metadata that is carried, the last usage among it" {
    spec <<'END'
ctx-normalize
<<< {"type":"user","uuid":"u1","sessionId":"s","timestamp":"t1","message":{"role":"user","content":"hi"}}
<<< {"type":"assistant","uuid":"u2","sessionId":"s","timestamp":"t2","message":{"id":"m1","role":"assistant","model":"c","content":[{"type":"text","text":"a"}],"usage":{"output_tokens":1}}}
<<< {"type":"assistant","uuid":"u3","sessionId":"s","timestamp":"t3","message":{"id":"m1","role":"assistant","model":"c","content":[{"type":"text","text":"b"}],"usage":{"output_tokens":9}}}
<<< {"type":"user","uuid":"u4","sessionId":"s","timestamp":"t4","isMeta":true,"message":{"role":"user","content":"meta"},"toolUseResult":{"big":1}}
>>> {"role":"user","content":"hi","metadata":{"id":"u1","session_id":"s","timestamp":"t1"}}
>>> {"role":"assistant","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"metadata":{"id":"m1","session_id":"s","timestamp":"t2","model":"c","usage":{"output_tokens":9}}}
>>> {"role":"user","content":"meta","metadata":{"origin":"injected","id":"u4","session_id":"s","timestamp":"t4"}}
END
}

@test "claude-code: a text part that came alone becomes a string, other parts stay" {
    spec <<'END'
ctx-normalize | bare
<<< {"type":"user","uuid":"1","sessionId":"s","message":{"role":"user","content":[{"type":"text","text":"a\u0041"}]}}
<<< {"type":"user","uuid":"2","sessionId":"s","message":{"role":"user","content":[{"type":"text","text":"b","cache_control":{}}]}}
<<< {"type":"user","uuid":"3","sessionId":"s","message":{"role":"user","content":[{"type":"image","source":{"type":"url","url":"x"}},{"type":"text","text":"c"}]}}
<<< {"type":"assistant","uuid":"4","sessionId":"s","message":{"id":"m","role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"S"}]}}
<<< {"type":"assistant","uuid":"5","sessionId":"s","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{"p" : [1.0]},"caller":{"type":"direct"}}]}}
>>> {"role":"user","content":"aA","metadata":{"id":"1"}}
>>> {"role":"user","content":[{"type":"text","text":"b","cache_control":{}}],"metadata":{"id":"2"}}
>>> {"role":"user","content":[{"type":"image","source":{"type":"url","url":"x"}},{"type":"text","text":"c"}],"metadata":{"id":"3"}}
>>> {"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"S"}],"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"p\" : [1.0]}"},"caller":{"type":"direct"}}],"metadata":{"id":"m"}}
END
}

@test "claude-code: what a client put in is injected, a human's text beside it is not" {
    spec <<'END'
ctx-normalize | jq -c '[.content, .metadata.origin]'
<<< {"type":"user","uuid":"1","message":{"role":"user","content":"<command-name>/clear</command-name>"}}
<<< {"type":"user","uuid":"2","message":{"role":"user","content":"<local-command-stdout>x</local-command-stdout>"}}
<<< {"type":"user","uuid":"3","message":{"role":"user","content":[{"type":"text","text":"[Request interrupted by user]"}]}}
<<< {"type":"user","uuid":"4","message":{"role":"user","content":[{"type":"text","text":"<system-reminder>r</system-reminder>"},{"type":"text","text":"human"}]}}
<<< {"type":"user","uuid":"5","message":{"role":"user","content":"look at <system-reminder> here"}}
<<< {"type":"user","uuid":"6","message":{"role":"user","content":"\n <bash-input>ls</bash-input>"}}
>>> ["<command-name>/clear</command-name>","injected"]
>>> ["<local-command-stdout>x</local-command-stdout>","injected"]
>>> ["[Request interrupted by user]","injected"]
>>> [[{"type":"text","text":"<system-reminder>r</system-reminder>"},{"type":"text","text":"human"}],null]
>>> ["look at <system-reminder> here",null]
>>> ["\n <bash-input>ls</bash-input>","injected"]
END
}

@test "claude-code: results, and what else stands in their line" {
    spec <<'END'
ctx-normalize | bare
<<< {"type":"assistant","uuid":"1","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}}
<<< {"type":"assistant","uuid":"2","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"b","name":"f","input":{}}]}}
<<< {"type":"user","uuid":"3","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":[{"type":"text","text":"no"}],"is_error":true},{"type":"tool_result","tool_use_id":"a","is_error":false},{"type":"text","text":"go on"}]}}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"f","arguments":"{}"}}],"metadata":{"id":"m"}}
>>> {"role":"tool","tool_call_id":"a","content":""}
>>> {"role":"tool","tool_call_id":"b","content":[{"type":"text","text":"no"}],"metadata":{"is_error":true,"id":"3"}}
>>> {"role":"user","content":"go on"}
END
}

@test "claude-code: errors of the API, queued messages, repeated lines, and what is no conversation" {
    spec <<'END'
ctx-normalize | bare
<<< {"type":"summary","summary":"a title","leafUuid":"9"}
<<< {"type":"user","uuid":"1","sessionId":"s","message":{"role":"user","content":"hi"}}
<<< {"type":"brand-new-type","sessionId":"s","message":"?"}
<<< {"type":"system","subtype":"turn_duration","uuid":"2","sessionId":"s"}
<<< {"type":"user","uuid":"1","sessionId":"resumed","message":{"role":"user","content":"hi"}}
<<< {"type":"assistant","uuid":"3","isApiErrorMessage":true,"message":{"id":"m1","model":"<synthetic>","role":"assistant","content":[{"type":"text","text":"API Error"}]}}
<<< {"type":"attachment","uuid":"4","attachment":{"type":"queued_command","prompt":"faster","commandMode":"prompt"}}
<<< {"type":"attachment","uuid":"5","attachment":{"type":"hook_success","content":"x"}}
<<< [5]
>>> {"role":"user","content":"hi","metadata":{"id":"1"}}
>>> {"role":"assistant","content":"API Error","metadata":{"origin":"error","is_error":true,"id":"m1"}}
>>> {"role":"user","content":"faster","metadata":{"id":"4"}}
END
}

@test "claude-code: sidechains are a sub-agent's trace, told by agentId or by their chain" {
    spec <<'END'
ctx-normalize | jq -c '[.content, .metadata.agent_id, .metadata.parent_execution_id]'
<<< {"type":"user","uuid":"1","parentUuid":null,"isSidechain":false,"sessionId":"s","message":{"role":"user","content":"hi"}}
<<< {"type":"user","uuid":"2","parentUuid":null,"isSidechain":true,"sessionId":"s","message":{"role":"user","content":"one"}}
<<< {"type":"user","uuid":"3","parentUuid":null,"isSidechain":true,"sessionId":"s","message":{"role":"user","content":"two"}}
<<< {"type":"assistant","uuid":"4","parentUuid":"2","isSidechain":true,"message":{"id":"m","role":"assistant","content":"one!"}}
<<< {"type":"assistant","uuid":"5","parentUuid":"3","isSidechain":true,"message":{"id":"n","role":"assistant","content":"two!"}}
<<< {"type":"user","uuid":"6","isSidechain":true,"agentId":"a","message":{"role":"user","content":"three"}}
>>> ["hi",null,null]
>>> ["one","2","1"]
>>> ["two","3","1"]
>>> ["one!","2","1"]
>>> ["two!","3","1"]
>>> ["three","a","1"]
END
}

@test "claude-code: a sub-agent's own file is its own thread" {
    spec <<'END'
ctx-normalize | bare
<<< {"type":"user","uuid":"1","isSidechain":true,"agentId":"a","sessionId":"s","message":{"role":"user","content":"go"}}
>>> {"role":"user","content":"go","metadata":{"id":"1","agent_id":"a"}}
END
}

@test "claude-code: of a compacted session the summary and what follows, or all" {
    spec <<'END'
ctx-normalize "$FIXTURES/claude-code-compacted.jsonl" | jq -c '[.role, .metadata.kind, .metadata.scope]'
echo
ctx-normalize --all "$FIXTURES/claude-code-compacted.jsonl" | jq -c '[.role, .metadata.kind, .metadata.scope]'
>>> ["user","summary","historical"]
>>> ["user",null,null]
>>> ["user",null,null]
>>> ["assistant",null,null]
>>> 
>>> ["user",null,null]
>>> ["assistant",null,null]
>>> ["tool",null,null]
>>> ["user","summary","historical"]
>>> ["user",null,null]
>>> ["user",null,null]
>>> ["assistant",null,null]
END
}

@test "claude-code: what a sub-agent compacts takes nothing from the session" {
    spec <<'END'
ctx-normalize | jq -r .content
<<< {"type":"user","uuid":"1","isSidechain":false,"message":{"role":"user","content":"hi"}}
<<< {"type":"system","subtype":"compact_boundary","uuid":"2","isSidechain":true,"agentId":"a"}
<<< {"type":"user","uuid":"3","isSidechain":true,"agentId":"a","isCompactSummary":true,"message":{"role":"user","content":"so far"}}
>>> hi
>>> so far
END
}

@test "claude-code: a part that comes after a human spoke is a message of its own" {
    spec <<'END'
ctx-normalize | bare
<<< {"type":"assistant","uuid":"1","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"a"}]}}
<<< {"type":"user","uuid":"2","message":{"role":"user","content":"but"}}
<<< {"type":"assistant","uuid":"3","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"b"}]}}
>>> {"role":"assistant","content":"a","metadata":{"id":"m"}}
>>> {"role":"user","content":"but","metadata":{"id":"2"}}
>>> {"role":"assistant","content":"b","metadata":{"id":"3"}}
END
}

@test "claude-code: a bad line keeps its place" {
    spec <<'END'
ctx-normalize | cut -c -40
<<< {"type":"user","uuid":"1","message":{"role":"user","content":"a"}}
<<< {"type":"user",
<<< {"type":"user","uuid":"2","message":{"role":"user","content":"b"}}
>>> {"role":"user","content":"a","metadata":
>>> {"type":"user",
>>> {"role":"user","content":"b","metadata":
>>>2 ctx-normalize: -:2: unexpected end, at byte 16
>>>= 65
END
}

@test "claude-code: a file of titles only, or of nothing, gives nothing" {
    spec <<'END'
ctx-normalize
<<< {"type":"summary","summary":"a title","leafUuid":"9"}
END
    spec <<'END'
ctx-normalize --from claude-code
END
}

# --- OpenAI -------------------------------------------------------------------------------------

@test "openai: each message of a request is a record, its bytes as they were" {
    spec <<'END'
ctx-normalize
<<< {"model":"m","messages":[ {"role":"system", "content":"s"}, {"role":"user","content":1.50} ],"tools":[]}
<<< {"messages":[{"role":"user","content":"u"}]}
>>> {"role":"system", "content":"s"}
>>> {"role":"user","content":1.50}
>>> {"role":"user","content":"u"}
END
}

@test "openai: function_call and the role function" {
    spec <<'END'
ctx-normalize
<<< {"role":"user","content":"u"}
<<< {"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{ }"}}
<<< {"role":"function","name":"f","content":"1"}
<<< {"role":"assistant","content":null,"function_call":{"name":"g","arguments":"{}"}}
<<< {"role":"function","name":"g","content":"2"}
>>> {"role":"user","content":"u"}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"function_call_1","type":"function","function":{"name":"f","arguments":"{ }"}}]}
>>> {"role":"tool","tool_call_id":"function_call_1","name":"f","content":"1"}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"function_call_2","type":"function","function":{"name":"g","arguments":"{}"}}]}
>>> {"role":"tool","tool_call_id":"function_call_2","name":"g","content":"2"}
END
}

@test "openai: a document over many lines, as an array or a request" {
    spec <<'END'
jq . "$FIXTURES/openai-chat.jsonl" | jq -s . >document.json
ctx-normalize document.json | jq -c . | cmp - <(jq -c . "$FIXTURES/openai-chat.jsonl")
jq '{messages: .}' document.json | ctx-normalize | jq -c . | cmp - <(jq -c . "$FIXTURES/openai-chat.jsonl")
jq -c . document.json | ctx-normalize | jq -c . | cmp - <(jq -c . "$FIXTURES/openai-chat.jsonl")
printf '\xef\xbb\xbf' | cat - document.json | ctx-normalize | jq -c . | cmp - <(jq -c . "$FIXTURES/openai-chat.jsonl")
rm document.json
END
}

@test "openai: what begins like a document and is none is lines" {
    spec <<'END'
ctx-normalize
<<< {"role":"user",
<<< {"role":"user","content":"u"}
>>> {"role":"user",
>>> {"role":"user","content":"u"}
>>>2 ctx-normalize: -:1: unexpected end, at byte 16
>>>= 65
END
}

@test "openai: --from ctx reads messages and nothing else" {
    spec <<'END'
ctx-normalize --from ctx
<<< {"messages":[{"role":"user","content":"u"}]}
<<< {"role":"user","content":[{"type":"tool_result","tool_use_id":"a"}]}
>>> {"messages":[{"role":"user","content":"u"}]}
>>> {"role":"user","content":[{"type":"tool_result","tool_use_id":"a"}]}
END
}

@test "to openai: what only we know goes, what the API has no word for is named" {
    spec <<'END'
ctx-normalize --to openai
<<< {"type":"context","system_prompt":"s"}
<<< {"role":"user", "content":"as it is"}
<<< {"role":"user","content":"u","metadata":{"id":"1"},"name":"n"}
<<< {"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA=="}},{"type":"text","text":"t","cache_control":{}}]}
<<< {"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"S"}],"tool_calls":[{"id":"a","name":"f","args":{"x":1}}]}
<<< {"role":"tool","tool_call_id":"a","content":[{"type":"image","source":{"type":"url","url":"x"}}],"metadata":{"is_error":true}}
<<< {"role":"assistant","content":[{"type":"thinking","thinking":"only this"}]}
<<< {"role":"user","content":"child","metadata":{"agent_id":"x","parent_execution_id":"e"}}
<<< {"type":"budget"}
>>> {"role":"system","content":"s"}
>>> {"role":"user", "content":"as it is"}
>>> {"role":"user","content":"u","name":"n"}
>>> {"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,AA=="}},{"type":"text","text":"t"}]}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}}]}
>>> {"role":"tool","tool_call_id":"a","content":[{"type":"text","text":"[image]"}]}
END
}

@test "to openai: what the API would refuse is mended" {
    spec <<'END'
ctx-normalize --to openai
<<< {"role":"user","content":"q","_metadata":null}
<<< {"role":"user","content":{"a":1}}
<<< {"role":"user","content":[{"type":"refusal","refusal":"no"},{"type":"text","text":"t","citations":[]}]}
<<< {"role":"assistant","content":"x","tool_calls":[]}
<<< {"role":"assistant","content":"y","tool_calls":"zz"}
<<< {"role":"assistant","content":"z","tool_calls":null}
<<< {"role":"assistant","content":[],"tool_calls":[5,{"id":"a","function":{"name":"f","arguments":"{}"}},{"id":6,"type":"function","function":{"name":"g","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"a","content":null}
<<< {"role":"tool","tool_call_id":6,"content":[{"type":"image_url","image_url":{"url":"http://x"}}]}
<<< {"role":"assistant","content":null,"tool_calls":[{"type":"custom","custom":{"name":"f","input":"i"}}]}
<<< {"role":"tool","content":"r"}
>>> {"role":"user","content":"q"}
>>> {"role":"user","content":"{\"a\":1}"}
>>> {"role":"user","content":[{"type":"text","text":"no"},{"type":"text","text":"t"}]}
>>> {"role":"assistant","content":"x"}
>>> {"role":"assistant","content":"y"}
>>> {"role":"assistant","content":"z"}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"6","type":"function","function":{"name":"g","arguments":"{}"}}]}
>>> {"role":"tool","tool_call_id":"a","content":""}
>>> {"role":"tool","tool_call_id":"6","content":[{"type":"text","text":"[image_url]"}]}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"","type":"custom","custom":{"name":"f","input":"i"}}]}
>>> {"role":"tool","tool_call_id":"","content":"r"}
END
}

@test "to openai: what the API takes is left as it is" {
    spec <<'END'
ctx-normalize --to openai
<<< {"role":"assistant", "content":null, "tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":""}},{"id":"b","type":"custom","custom":{"name":"f","input":"i"}}]}
<<< {"role":"tool", "tool_call_id":"a", "content":[{"type":"text", "text":"t"}]}
<<< {"role":"tool", "tool_call_id":"b", "content":""}
<<< {"role":"assistant", "content":[{"type":"refusal", "refusal":"no"}]}
<<< {"role":"user", "content":[{"type":"file", "file":{"file_id":"f"}}]}
>>> {"role":"assistant", "content":null, "tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":""}},{"id":"b","type":"custom","custom":{"name":"f","input":"i"}}]}
>>> {"role":"tool", "tool_call_id":"a", "content":[{"type":"text", "text":"t"}]}
>>> {"role":"tool", "tool_call_id":"b", "content":""}
>>> {"role":"assistant", "content":[{"type":"refusal", "refusal":"no"}]}
>>> {"role":"user", "content":[{"type":"file", "file":{"file_id":"f"}}]}
END
}

@test "to openai and anthropic: a context record replaces those before it, a written prompt stays" {
    local to
    printf '%s\n' '{"type":"context","system_prompt":"s"}' '{"type":"context","system_prompt":"t"}' \
        '{"type":"budget"}' '{"type":"context","system_prompt":"u"}' \
        '{"role":"user","content":"1"}' '{"role":"assistant","content":"2"}' \
        '{"type":"context","system_prompt":"v"}' '{"type":"context","system_prompt":"u"}' \
        '{"role":"user","content":"3"}' '{"role":"assistant","content":"4"}' \
        '{"type":"context","system_prompt":"v"}' '{"type":"context","system_prompt":"w"}' \
        '{"role":"user","content":"5"}' '{"type":"context","system_prompt":"x"}' \
        '{"type":"context","response_format":{}}' >in
    for to in openai anthropic; do
        ctx-normalize --to "$to" in | jq -r '"\(.role) \(.content)"' >out
        same "$to" - out <<'END'
system u
user 1
assistant 2
user 3
assistant 4
system w
user 5
END
    done
    spec <<'END'
ctx-normalize --to openai
<<< {"role":"user","content":"1"}
<<< {"type":"context","system_prompt":"s"}
>>> {"role":"user","content":"1"}
>>> {"role":"system","content":"s"}
END
}

@test "to openai and anthropic: records without a place are reported, or set aside" {
    spec <<'END'
ctx-normalize --to openai
<<< {"role":"user","content":"u"}
<<< {"type":"ping"}
<<< {"role":"captain","content":"c"}
<<< {
>>> {"role":"user","content":"u"}
>>>2 ctx-normalize: -:4: unexpected end, at byte 2
>>>2 ctx-normalize: 2 records without a place in the output left out
>>>= 65
END
    spec <<'END'
ctx-normalize --to anthropic --bad-file aside
<<< {"role":"user","content":"u"}
<<< {"type":"ping"}
<<< {"role":"captain","content":"c"}
<<< {
>>> {"role":"user","content":"u"}
>>>2 ctx-normalize: -:4: unexpected end, at byte 2
>>>= 65
>>>+ aside
END
}

# --- Anthropic ----------------------------------------------------------------------------------

@test "anthropic: blocks that call and answer become calls and messages, others stay" {
    spec <<'END'
ctx-normalize
<<< {"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"S"},{"type":"text","text":"x"},{"type":"tool_use","id":"a","name":"f","input":{"p":"\u0041"}}]}
<<< {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"1","is_error":true,"cache_control":{"type":"ephemeral"}},{"type":"text","text":"and"}]}
<<< {"role":"assistant", "content":[{"type":"text","text":"as it is"}]}
>>> {"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"S"},{"type":"text","text":"x"}],"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"p\":\"\\u0041\"}"}}]}
>>> {"role":"tool","tool_call_id":"a","content":"1","cache_control":{"type":"ephemeral"},"metadata":{"is_error":true}}
>>> {"role":"user","content":"and"}
>>> {"role":"assistant", "content":[{"type":"text","text":"as it is"}]}
END
}

@test "anthropic: the system of a request is the first message" {
    spec <<'END'
ctx-normalize
<<< {"system":"s","messages":[{"role":"user","content":"u"}],"max_tokens":5}
>>> {"role":"system","content":"s"}
>>> {"role":"user","content":"u"}
END
}

@test "anthropic: a response has its id, model and usage in metadata" {
    spec <<'END'
jq . | ctx-normalize
<<< {"id":"m1","type":"message","role":"assistant","model":"c","content":[{"type":"text","text":"x"}],"stop_reason":"end_turn","usage":{"output_tokens":3}}
>>> {"role":"assistant","content":"x","metadata":{"id":"m1","model":"c","usage":{"output_tokens": 3}}}
END
}

@test "to anthropic: roles alternate, results lead, thinking and errors come back" {
    spec <<'END'
ctx-normalize --to anthropic
<<< {"role":"system","content":"s"}
<<< {"role":"developer","content":"d"}
<<< {"role":"user","content":"u"}
<<< {"role":"user","content":[{"type":"text","text":"v"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AA=="}},{"type":"image_url","image_url":"http://x/y.png"}]}
<<< {"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"S"},{"type":"thinking","thinking":"unsigned"},{"type":"text","text":" "}],"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\n \"x\": 1}"}},{"id":"b","type":"function","function":{"name":"g","arguments":""}}]}
<<< {"role":"tool","tool_call_id":"b","content":""}
<<< {"role":"tool","tool_call_id":"a","content":"1","metadata":{"is_error":true}}
<<< {"role":"user","content":"w"}
<<< {"role":"assistant","content":"x"}
<<< {"role":"assistant","content":"y","metadata":{"kind":"trace"}}
>>> {"role":"system","content":[{"type":"text","text":"s"},{"type":"text","text":"d"}]}
>>> {"role":"user","content":[{"type":"text","text":"u"},{"type":"text","text":"v"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA=="}},{"type":"image","source":{"type":"url","url":"http://x/y.png"}}]}
>>> {"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"S"},{"type":"tool_use","id":"a","name":"f","input":{  "x": 1}},{"type":"tool_use","id":"b","name":"g","input":{}}]}
>>> {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"1","is_error":true},{"type":"tool_result","tool_use_id":"b"},{"type":"text","text":"w"}]}
>>> {"role":"assistant","content":[{"type":"text","text":"x"},{"type":"text","text":"y"}]}
END
}

@test "to anthropic: the user begins; a message with nothing to say parts nothing" {
    spec <<'END'
ctx-normalize --to anthropic
<<< {"role":"assistant","content":"a"}
<<< {"role":"user","content":"u"}
<<< {"role":"assistant","content":[{"type":"thinking","thinking":"unsigned"}]}
<<< {"role":"user","content":"v"}
>>> {"role":"user","content":"[earlier messages are left out]"}
>>> {"role":"assistant","content":"a"}
>>> {"role":"user","content":[{"type":"text","text":"u"},{"type":"text","text":"v"}]}
END
}

@test "to anthropic: a system message keeps its place and parts what stands around it" {
    spec <<'END'
ctx-normalize --to anthropic
<<< {"role":"user","content":"u"}
<<< {"role":"assistant","content":"a"}
<<< {"role":"system","content":"s"}
<<< {"role":"developer","content":"t"}
<<< {"role":"assistant","content":"b"}
<<< {"role":"assistant","content":"c"}
>>> {"role":"user","content":"u"}
>>> {"role":"assistant","content":"a"}
>>> {"role":"system","content":[{"type":"text","text":"s"},{"type":"text","text":"t"}]}
>>> {"role":"assistant","content":[{"type":"text","text":"b"},{"type":"text","text":"c"}]}
END
}

@test "to anthropic: ids are used once, and hold what the API takes" {
    spec <<'END'
ctx-normalize --to anthropic | jq -c '[.content[] | .id // .tool_use_id]'
<<< {"role":"user","content":[{"type":"text","text":"u"}]}
<<< {"role":"assistant","tool_calls":[{"id":"a:0","function":{"name":"f"}},{"id":"a_0","function":{"name":"f"}}]}
<<< {"role":"tool","tool_call_id":"a_0","content":"2"}
<<< {"role":"tool","tool_call_id":"a:0","content":"1"}
<<< {"role":"assistant","tool_calls":[{"id":"a_0","function":{"name":"f"}},{"id":"a_0","function":{"name":"f"}},{"id":"","function":{"name":"f"}}]}
<<< {"role":"tool","tool_call_id":"a_0","content":"3"}
<<< {"role":"tool","tool_call_id":"a_0","content":"4"}
<<< {"role":"tool","tool_call_id":"","content":"5"}
>>> [null]
>>> ["a_0","a_0_2"]
>>> ["a_0","a_0_2"]
>>> ["a_0_3","a_0_4","call"]
>>> ["a_0_3","a_0_4","call"]
END
}

@test "to anthropic: arguments that are no object are wrapped" {
    spec <<'END'
ctx-normalize --to anthropic | jq -c '.content[].input | values'
<<< {"role":"user","content":[{"type":"text","text":"u"}]}
<<< {"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"[1]"}},{"id":"b","function":{"name":"f","arguments":"{\"x\":"}},{"id":"c","name":"f","args":{"y":2}},{"id":"d","type":"custom","custom":{"name":"f","input":"text"}}]}
>>> {"arguments":"[1]"}
>>> {"arguments":"{\"x\":"}
>>> {"y":2}
>>> {"arguments":"text"}
END
}

@test "to anthropic: there and back again is stable" {
    local file
    for file in "$FIXTURES"/*.jsonl; do
        ctx-normalize --to anthropic "$file" >once 2>err || [[ $? == 65 ]]
        ctx-normalize --from anthropic once >back 2>err || [[ $? == 65 ]]
        ctx-normalize --check back 2>err || { [[ $? == 65 ]] && [[ ! -s back ]]; } || fail "${file##*/}: $(cat err)"
        ctx-normalize --to anthropic back >twice 2>err || [[ $? == 65 ]]
        same "${file##*/}" once twice
    done
}

@test "to anthropic: a context record is a system message, once, and parts no call from its result" {
    spec <<'END'
ctx-normalize --to anthropic
<<< {"type":"context","system_prompt":"s"}
<<< {"role":"user","content":"u"}
<<< {"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}}]}
<<< {"type":"context","system_prompt":"s"}
<<< {"type":"context","system_prompt":"t"}
<<< {"role":"tool","tool_call_id":"a","content":"1"}
>>> {"role":"system","content":"s"}
>>> {"role":"user","content":"u"}
>>> {"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}
>>> {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"1"}]}
>>> {"role":"system","content":"t"}
END
}
