#!/usr/bin/env bats
#
# ctx-route: step output put into the log.  The six cases are files of tests/fixtures; what the
# other tests read stands in them.

load helper

# --- the six cases

@test "ctx-route: one tool call step: says what the messages do not" {
    spec <<'END'
ctx-route "$FIXTURES/route-one-call.jsonl"
>>> {"role":"user","content":"How deep is the harbour?","metadata":{"origin":"user","execution_id":"#1","section":"messages"}}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"sound","arguments":"{\"at\":\"harbour\"}"}}],"metadata":{"origin":"tool_call","execution_id":"#1","tool_name":"sound","is_trace":true,"section":"messages"}}
>>> {"role":"tool","tool_call_id":"c1","content":"4.2 m","metadata":{"origin":"tool_result","execution_id":"#1","tool_name":"sound","is_trace":true,"section":"messages"}}
>>> {"role":"assistant","content":"It is 4.2 m deep.","metadata":{"origin":"assistant","execution_id":"#1","section":"messages"}}
END
}

@test "ctx-route: one tool call step: with separate trace" {
    spec <<'END'
ctx-route --separate-trace "$FIXTURES/route-one-call.jsonl"
>>> {"role":"user","content":"How deep is the harbour?","metadata":{"origin":"user","execution_id":"#1","section":"messages"}}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"sound","arguments":"{\"at\":\"harbour\"}"}}],"metadata":{"origin":"tool_call","execution_id":"#1","tool_name":"sound","is_trace":true,"section":"execution_buffer"}}
>>> {"role":"tool","tool_call_id":"c1","content":"4.2 m","metadata":{"origin":"tool_result","execution_id":"#1","tool_name":"sound","is_trace":true,"section":"execution_buffer"}}
>>> {"role":"assistant","content":"It is 4.2 m deep.","metadata":{"origin":"assistant","execution_id":"#1","section":"messages"}}
END
    spec <<'END'
ctx-route --ephemeral "$FIXTURES/route-one-call.jsonl"
>>> {"role":"user","content":"How deep is the harbour?","metadata":{"origin":"user","execution_id":"#1","section":"messages"}}
>>> {"role":"assistant","content":"It is 4.2 m deep.","metadata":{"origin":"assistant","execution_id":"#1","section":"messages"}}
END
}

@test "ctx-route: several tool calls in a step" {
    spec <<'END'
ctx-route --separate-trace "$FIXTURES/route-several-calls.jsonl"
>>> {"role":"user","content":"How deep are the harbour, the canal and the lock?","metadata":{"origin":"user","execution_id":"#1","section":"messages"}}
>>> {"role":"assistant","content":"I'll sound all three.","tool_calls":[{"id":"c1","type":"function","function":{"name":"sound","arguments":"{\"at\":\"harbour\"}"}},{"id":"c2","type":"function","function":{"name":"sound","arguments":"{\"at\":\"canal\"}"}},{"id":"c3","type":"function","function":{"name":"sound","arguments":"{\"at\":\"lock\"}"}}],"metadata":{"origin":"tool_call","execution_id":"#1","tool_name":"sound","is_trace":true,"section":"execution_buffer"}}
>>> {"role":"tool","tool_call_id":"c1","content":"4.2 m","metadata":{"origin":"tool_result","execution_id":"#1","tool_name":"sound","is_trace":true,"section":"execution_buffer"}}
>>> {"role":"tool","tool_call_id":"c2","content":"2.8 m","metadata":{"origin":"tool_result","execution_id":"#1","tool_name":"sound","is_trace":true,"section":"execution_buffer"}}
>>> {"role":"tool","tool_call_id":"c3","content":"3.1 m","metadata":{"origin":"tool_result","execution_id":"#1","tool_name":"sound","is_trace":true,"section":"execution_buffer"}}
>>> {"role":"assistant","content":"Harbour 4.2 m, canal 2.8 m, lock 3.1 m.","metadata":{"origin":"assistant","execution_id":"#1","section":"messages"}}
END
    spec <<'END'
ctx-route --ephemeral "$FIXTURES/route-several-calls.jsonl"
>>> {"role":"user","content":"How deep are the harbour, the canal and the lock?","metadata":{"origin":"user","execution_id":"#1","section":"messages"}}
>>> {"role":"assistant","content":"Harbour 4.2 m, canal 2.8 m, lock 3.1 m.","metadata":{"origin":"assistant","execution_id":"#1","section":"messages"}}
END
}

@test "ctx-route: no tool call" {
    spec <<'END'
ctx-route --separate-trace "$FIXTURES/route-no-call.jsonl"
>>> {"role":"user","content":"Good morning","metadata":{"origin":"user","execution_id":"#1","section":"messages"}}
>>> {"role":"assistant","content":"Good morning. The harbour is open.","metadata":{"origin":"assistant","execution_id":"#1","section":"messages"}}
END
    spec <<'END'
ctx-route --ephemeral "$FIXTURES/route-no-call.jsonl"
>>> {"role":"user","content":"Good morning","metadata":{"origin":"user","execution_id":"#1","section":"messages"}}
>>> {"role":"assistant","content":"Good morning. The harbour is open.","metadata":{"origin":"assistant","execution_id":"#1","section":"messages"}}
END
}

@test "ctx-route: a stop condition: the unanswered call stays until the next execution" {
    spec <<'END'
ctx-route --separate-trace "$FIXTURES/route-stop.jsonl"
>>> {"role":"user","content":"Sound the canal every minute.","metadata":{"origin":"user","execution_id":"#1","section":"messages"}}
>>> {"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"sound","arguments":"{\"at\":\"canal\"}"}}],"metadata":{"origin":"tool_call","execution_id":"#1","tool_name":"sound","is_trace":true,"section":"execution_buffer"}}
>>> {"role":"tool","tool_call_id":"c1","content":"2.8 m","metadata":{"origin":"tool_result","execution_id":"#1","tool_name":"sound","is_trace":true,"section":"execution_buffer"}}
>>> {"role":"assistant","content":"","tool_calls":[{"id":"c2","type":"function","function":{"name":"sound","arguments":"{\"at\":\"canal\"}"}}],"metadata":{"origin":"tool_call","execution_id":"#1","tool_name":"sound","is_trace":true,"section":"execution_buffer"}}
>>> {"role":"tool","tool_call_id":"c2","content":"2.8 m","metadata":{"origin":"tool_result","execution_id":"#1","tool_name":"sound","is_trace":true,"section":"execution_buffer"}}
>>> {"role":"assistant","content":"","tool_calls":[{"id":"c3","type":"function","function":{"name":"sound","arguments":"{\"at\":\"canal\"}"}}],"metadata":{"origin":"tool_call","execution_id":"#1","tool_name":"sound","is_trace":true,"section":"execution_buffer"}}
>>> {"role":"user","content":"That will do. What was it?","metadata":{"origin":"user","execution_id":"#2","section":"messages"}}
>>> {"role":"assistant","content":"2.8 m, twice.","metadata":{"origin":"assistant","execution_id":"#2","section":"messages"}}
END
    spec <<'END'
ctx-route --ephemeral "$FIXTURES/route-stop.jsonl"
>>> {"role":"user","content":"Sound the canal every minute.","metadata":{"origin":"user","execution_id":"#1","section":"messages"}}
>>> {"role":"assistant","content":"","tool_calls":[{"id":"c3","type":"function","function":{"name":"sound","arguments":"{\"at\":\"canal\"}"}}],"metadata":{"origin":"tool_call","execution_id":"#1","tool_name":"sound","is_trace":true,"section":"execution_buffer"}}
>>> {"role":"user","content":"That will do. What was it?","metadata":{"origin":"user","execution_id":"#2","section":"messages"}}
>>> {"role":"assistant","content":"2.8 m, twice.","metadata":{"origin":"assistant","execution_id":"#2","section":"messages"}}
END
    spec <<'END'
ctx-route --separate-trace --next-execution "$FIXTURES/route-stop.jsonl"
>>> {"role":"user","content":"Sound the canal every minute.","metadata":{"origin":"user","execution_id":"#1","section":"messages"}}
>>> {"role":"user","content":"That will do. What was it?","metadata":{"origin":"user","execution_id":"#2","section":"messages"}}
>>> {"role":"assistant","content":"2.8 m, twice.","metadata":{"origin":"assistant","execution_id":"#2","section":"messages"}}
END
}

@test "ctx-route: an error: its message is no trace, and its buffer stays until the next execution" {
    spec <<'END'
ctx-route --separate-trace "$FIXTURES/route-error.jsonl"
>>> {"role":"user","content":"Open the sluice.","metadata":{"origin":"user","execution_id":"#1","section":"messages"}}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"sluice","arguments":"{\"to\":\"open\"}"}}],"metadata":{"origin":"tool_call","execution_id":"#1","tool_name":"sluice","is_trace":true,"section":"execution_buffer"}}
>>> {"role":"tool","tool_call_id":"c1","content":"the motor does not answer","metadata":{"is_error":true,"origin":"tool_result","execution_id":"#1","tool_name":"sluice","is_trace":true,"section":"execution_buffer"}}
>>> {"role":"assistant","content":"step failed: the model did not answer","metadata":{"origin":"error","is_error":true,"execution_id":"#1","section":"messages"}}
END
    spec <<'END'
{ cat "$FIXTURES/route-error.jsonl"; echo '{"role":"user","content":"and now?"}'; } | ctx-route --ephemeral
>>> {"role":"user","content":"Open the sluice.","metadata":{"origin":"user","execution_id":"#1","section":"messages"}}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"sluice","arguments":"{\"to\":\"open\"}"}}],"metadata":{"origin":"tool_call","execution_id":"#1","tool_name":"sluice","is_trace":true,"section":"execution_buffer"}}
>>> {"role":"tool","tool_call_id":"c1","content":"the motor does not answer","metadata":{"is_error":true,"origin":"tool_result","execution_id":"#1","tool_name":"sluice","is_trace":true,"section":"execution_buffer"}}
>>> {"role":"assistant","content":"step failed: the model did not answer","metadata":{"origin":"error","is_error":true,"execution_id":"#1","section":"messages"}}
>>> {"role":"user","content":"and now?","metadata":{"origin":"user","execution_id":"#2","section":"messages"}}
END
    spec <<'END'
ctx-route --separate-trace --next-execution "$FIXTURES/route-error.jsonl"
>>> {"role":"user","content":"Open the sluice.","metadata":{"origin":"user","execution_id":"#1","section":"messages"}}
>>> {"role":"assistant","content":"step failed: the model did not answer","metadata":{"origin":"error","is_error":true,"execution_id":"#1","section":"messages"}}
END
}

@test "ctx-route: a sub-agent: its messages pass as they came, the parent sees the result text" {
    spec <<'END'
ctx-route --separate-trace --execution e1 "$FIXTURES/route-subagent.jsonl"
>>> {"role":"user","content":"Plan the week's dredging.","metadata":{"origin":"user","execution_id":"e1","section":"messages"}}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"task","arguments":"{\"prompt\":\"find the shallow spots\"}"}}],"metadata":{"origin":"tool_call","execution_id":"e1","tool_name":"task","is_trace":true,"section":"execution_buffer"}}
>>> {"role":"user","content":"find the shallow spots","metadata":{"execution_id":"child-1","parent_execution_id":"e1","agent_id":"surveyor"}}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"sound","arguments":"{\"at\":\"canal\"}"}}],"metadata":{"execution_id":"child-1","parent_execution_id":"e1","agent_id":"surveyor"}}
>>> {"role":"tool","tool_call_id":"c1","content":"2.8 m at the bend","metadata":{"execution_id":"child-1","parent_execution_id":"e1","agent_id":"surveyor"}}
>>> {"role":"assistant","content":"The bend of the canal, 2.8 m.","metadata":{"execution_id":"child-1","parent_execution_id":"e1","agent_id":"surveyor"}}
>>> {"role":"tool","tool_call_id":"c1","content":"The bend of the canal, 2.8 m.","metadata":{"origin":"tool_result","execution_id":"e1","tool_name":"task","is_trace":true,"section":"execution_buffer"}}
>>> {"role":"assistant","content":"Dredge the bend of the canal on Tuesday.","metadata":{"origin":"assistant","execution_id":"e1","section":"messages"}}
END
    spec <<'END'
ctx-route --ephemeral --execution e1 "$FIXTURES/route-subagent.jsonl" | grep -v parent_execution_id
>>> {"role":"user","content":"Plan the week's dredging.","metadata":{"origin":"user","execution_id":"e1","section":"messages"}}
>>> {"role":"assistant","content":"Dredge the bend of the canal on Tuesday.","metadata":{"origin":"assistant","execution_id":"e1","section":"messages"}}
END
    spec <<'END'
sed -n 3,6p "$FIXTURES/route-subagent.jsonl" | ctx-route --ephemeral
>>> {"role":"user","content":"find the shallow spots","metadata":{"execution_id":"child-1","parent_execution_id":"e1","agent_id":"surveyor","origin":"user","section":"messages"}}
>>> {"role":"assistant","content":"The bend of the canal, 2.8 m.","metadata":{"execution_id":"child-1","parent_execution_id":"e1","agent_id":"surveyor","origin":"assistant","section":"messages"}}
END
}

# --- what is said and what is kept

@test "ctx-route: an explicit value wins" {
    spec <<'END'
ctx-route --separate-trace --execution e9
<<< {"role":"user","content":"a","metadata":{"execution_id":"e1","section":"notes","origin":"injected"}}
<<< {"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{}"}}],"metadata":{"section":"research","tool_name":"my read"}}
<<< {"role":"tool","tool_call_id":"c1","content":"r","metadata":{"is_trace":false,"is_error":false}}
<<< {"role":"assistant","content":"aside","metadata":{"section":"messages"}}
<<< {"role":"assistant","content":"kept","metadata":{"is_trace":false}}
<<< {"role":"assistant","content":"thought aloud","metadata":{"is_trace":true}}
>>> {"role":"user","content":"a","metadata":{"execution_id":"e1","section":"notes","origin":"injected"}}
>>> {"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{}"}}],"metadata":{"section":"research","tool_name":"my read","origin":"tool_call","execution_id":"e9","is_trace":true}}
>>> {"role":"tool","tool_call_id":"c1","content":"r","metadata":{"is_trace":false,"is_error":false,"origin":"tool_result","execution_id":"e9","tool_name":"read","section":"research"}}
>>> {"role":"assistant","content":"aside","metadata":{"section":"messages","origin":"assistant","execution_id":"e9"}}
>>> {"role":"assistant","content":"kept","metadata":{"is_trace":false,"origin":"assistant","execution_id":"e9","section":"messages"}}
>>> {"role":"assistant","content":"thought aloud","metadata":{"is_trace":true,"origin":"assistant","execution_id":"e9","section":"execution_buffer"}}
END
}

@test "ctx-route: metadata is edited under its own spelling and in its place, with unknown members kept" {
    spec <<'END'
ctx-route
<<< { "role" : "user" , "_metadata" : { "x" : 1.50 , "execution_id" : null } , "content" : "a\u0020b" , "y":[ 1 , 2.0 ] }
<<< {"role":"assistant","metadata":{},"content":"b","z":null}
<<< {"role":"user","content":"c","metadata":"mine"}
<<< {"role":"user","content":"d","metadata":7,"_metadata":[]}
>>> { "role" : "user" , "_metadata" : { "x" : 1.50 , "execution_id" : "#1","origin":"user","section":"messages" } , "content" : "a\u0020b" , "y":[ 1 , 2.0 ] }
>>> {"role":"assistant","metadata":{"origin":"assistant","execution_id":"#1","section":"messages"},"content":"b","z":null}
>>> {"role":"user","content":"c","metadata":"mine","_metadata":{"origin":"user","execution_id":"#2","section":"messages"}}
>>> {"role":"user","content":"d","metadata":7,"_metadata":[]}
END
}

@test "ctx-route: a message that says all leaves byte for byte" {
    spec <<'END'
ctx-route --separate-trace
<<< { "role":"user", "content":"a" ,"metadata":{"section":"messages", "origin":"user","execution_id":"e1"}}
<<< {"role":"tool","tool_call_id":"c0","content":"\u0061","metadata":{"section":"messages","origin":"tool_result","execution_id":"e1","is_trace":true}}
>>> { "role":"user", "content":"a" ,"metadata":{"section":"messages", "origin":"user","execution_id":"e1"}}
>>> {"role":"tool","tool_call_id":"c0","content":"\u0061","metadata":{"section":"messages","origin":"tool_result","execution_id":"e1","is_trace":true}}
END
}

@test "ctx-route: CRLF, a byte order mark, blank, foreign and bad lines stay where they are" {
    spec <<'END'
ctx-route --separate-trace
<<<$ \xef\xbb\xbf{"role":"user","content":"a"}\r
<<<$ \r
<<<$ {"role":"assistant","content":"b"}\r
<<<$ {"note":1}\r
<<< {bad}
<<<
<<< {"type":"budget","used_tokens":1}
<<<- {"role":"user","content":"c"}
>>>$ \xef\xbb\xbf{"role":"user","content":"a","metadata":{"origin":"user","execution_id":"#1","section":"messages"}}\r
>>>$ \r
>>>$ {"role":"assistant","content":"b","metadata":{"origin":"assistant","execution_id":"#1","section":"messages"}}\r
>>>$ {"note":1}\r
>>> {bad}
>>>
>>> {"type":"budget","used_tokens":1}
>>>- {"role":"user","content":"c","metadata":{"origin":"user","execution_id":"#2","section":"messages"}}
>>>2 ctx-route: -:5: expected a member name, at byte 2
>>>= 65
END
}

@test "ctx-route: bad lines can be dropped to a file, out of what is held too" {
    spec <<'END'
ctx-route --separate-trace --bad-lines=drop --bad-file bad; status=$?; cat bad >&2; exit $status
<<< {"role":"user","content":"a"}
<<< {"role":"assistant","content":"b"}
<<< {bad}
<<< {"role":"assistant","content":"c"}
>>> {"role":"user","content":"a","metadata":{"origin":"user","execution_id":"#1","section":"messages"}}
>>> {"role":"assistant","content":"b","metadata":{"origin":"assistant","execution_id":"#1","is_trace":true,"section":"execution_buffer"}}
>>> {"role":"assistant","content":"c","metadata":{"origin":"assistant","execution_id":"#1","section":"messages"}}
>>>2 ctx-route: -:3: expected a member name, at byte 2
>>>2 {bad}
>>>= 65
>>>+ bad
END
}

@test "ctx-route: several calls: tool_name is said of the message when it is one tool, of each result always" {
    spec <<'END'
ctx-route
<<< {"role":"user","content":"a"}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{}"}},{"id":"c2","type":"function","function":{"name":"wr\u0069te","arguments":"{}"}},{"id":"c3","type":"function","function":{}}]}
<<< {"role":"tool","tool_call_id":"c2","content":"w"}
<<< {"role":"tool","tool_call_id":"c1","content":"r"}
<<< {"role":"tool","tool_call_id":"c3","content":"?"}
<<< {"role":"tool","tool_call_id":"c4","content":"orphan"}
>>> {"role":"user","content":"a","metadata":{"origin":"user","execution_id":"#1","section":"messages"}}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{}"}},{"id":"c2","type":"function","function":{"name":"wr\u0069te","arguments":"{}"}},{"id":"c3","type":"function","function":{}}],"metadata":{"origin":"tool_call","execution_id":"#1","is_trace":true,"section":"messages"}}
>>> {"role":"tool","tool_call_id":"c2","content":"w","metadata":{"origin":"tool_result","execution_id":"#1","tool_name":"wr\u0069te","is_trace":true,"section":"messages"}}
>>> {"role":"tool","tool_call_id":"c1","content":"r","metadata":{"origin":"tool_result","execution_id":"#1","tool_name":"read","is_trace":true,"section":"messages"}}
>>> {"role":"tool","tool_call_id":"c3","content":"?","metadata":{"origin":"tool_result","execution_id":"#1","is_trace":true,"section":"messages"}}
>>> {"role":"tool","tool_call_id":"c4","content":"orphan","metadata":{"origin":"tool_result","execution_id":"#1","is_trace":true,"section":"messages"}}
END
}

@test "ctx-route: a reused id: each result takes the tool of its own call" {
    spec <<'END'
ctx-route | grep -o '"tool_name":"[a-z]*"'
<<< {"role":"user","content":"a"}
<<< {"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"r"}
<<< {"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"write","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"w"}
<<< {"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"list","arguments":"{}"}}]}
<<< {"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"edit","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"e"}
<<< {"role":"tool","tool_call_id":"c1","content":"l"}
>>> "tool_name":"read"
>>> "tool_name":"read"
>>> "tool_name":"write"
>>> "tool_name":"write"
>>> "tool_name":"list"
>>> "tool_name":"edit"
>>> "tool_name":"edit"
>>> "tool_name":"list"
END
}

@test "ctx-route: calls in the metadata of the PHP serialization" {
    spec <<'END'
ctx-route
<<< {"role":"user","content":"a"}
<<< {"role":"assistant","content":"","_metadata":{"tool_calls":[{"id":"c1","name":"read","arguments":{}}]}}
<<< {"role":"tool","tool_call_id":"c1","content":"r"}
>>> {"role":"user","content":"a","metadata":{"origin":"user","execution_id":"#1","section":"messages"}}
>>> {"role":"assistant","content":"","_metadata":{"tool_calls":[{"id":"c1","name":"read","arguments":{}}],"origin":"tool_call","execution_id":"#1","tool_name":"read","is_trace":true,"section":"messages"}}
>>> {"role":"tool","tool_call_id":"c1","content":"r","metadata":{"origin":"tool_result","execution_id":"#1","tool_name":"read","is_trace":true,"section":"messages"}}
END
}

@test "ctx-route: origins: summary and trace artifacts, unknown roles pass as they came" {
    spec <<'END'
ctx-route --separate-trace
<<< {"role":"system","content":"s"}
<<< {"role":"developer","content":"d"}
<<< {"role":"user","content":"sum","metadata":{"kind":"summary"}}
<<< {"role":"assistant","content":"[trace] read","metadata":{"kind":"trace","is_trace":true}}
<<< {"role":"critic","content":"c"}
<<< {"role":"user","content":"u"}
>>> {"role":"system","content":"s","metadata":{"origin":"system","execution_id":"#0","section":"messages"}}
>>> {"role":"developer","content":"d","metadata":{"origin":"system","execution_id":"#0","section":"messages"}}
>>> {"role":"user","content":"sum","metadata":{"kind":"summary"}}
>>> {"role":"assistant","content":"[trace] read","metadata":{"kind":"trace","is_trace":true}}
>>> {"role":"critic","content":"c"}
>>> {"role":"user","content":"u","metadata":{"origin":"user","execution_id":"#1","section":"messages"}}
END
}

@test "ctx-route: an error message is said to be one" {
    spec <<'END'
ctx-route --separate-trace
<<< {"role":"user","content":"a"}
<<< {"role":"assistant","content":"overloaded","metadata":{"origin":"error"}}
<<< {"role":"assistant","content":"b"}
>>> {"role":"user","content":"a","metadata":{"origin":"user","execution_id":"#1","section":"messages"}}
>>> {"role":"assistant","content":"overloaded","metadata":{"origin":"error","execution_id":"#1","is_error":true,"section":"messages"}}
>>> {"role":"assistant","content":"b","metadata":{"origin":"assistant","execution_id":"#1","section":"messages"}}
END
}

# --- executions

@test "ctx-route: derived executions: before the first request, requests, steering" {
    spec <<'END'
ctx-route | grep -o '#[0-9]*'
<<< {"role":"system","content":"s"}
<<< {"role":"user","content":"a"}
<<< {"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"t","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"r"}
<<< {"role":"user","content":"steer"}
<<< {"role":"assistant","content":"b"}
<<< {"role":"user","content":"c"}
<<< {"role":"assistant","content":"d"}
>>> #0
>>> #1
>>> #1
>>> #1
>>> #1
>>> #1
>>> #2
>>> #2
END
}

@test "ctx-route: derived executions go on behind those that are written" {
    spec <<'END'
ctx-route | grep -o '#[0-9]*'
<<< {"role":"user","content":"a","metadata":{"execution_id":"#7"}}
<<< {"role":"assistant","content":"b"}
<<< {"role":"user","content":"c"}
>>> #7
>>> #7
>>> #8
END
}

@test "ctx-route: --execution is given to all messages that have none" {
    spec <<'END'
ctx-route --execution 'a "1"' | jq -r .metadata.execution_id
<<< {"role":"system","content":"s"}
<<< {"role":"user","content":"a"}
<<< {"role":"assistant","content":"b","metadata":{"execution_id":"e0"}}
<<< {"role":"user","content":"c"}
<<< {"role":"assistant","content":"d"}
>>> a "1"
>>> a "1"
>>> e0
>>> a "1"
>>> a "1"
END
}

@test "ctx-route: --execution makes one execution of several turns, with one final response" {
    spec <<'END'
ctx-route --execution e1 --separate-trace | jq -r .metadata.section
<<< {"role":"user","content":"a"}
<<< {"role":"assistant","content":"b"}
<<< {"role":"user","content":"c"}
<<< {"role":"assistant","content":"d"}
>>> messages
>>> execution_buffer
>>> messages
>>> messages
END
}

# --- the buffer

@test "ctx-route: separate trace: a text is trace when trace or another text follows it" {
    spec <<'END'
ctx-route --separate-trace | jq -c '[.content, .metadata.section, .metadata.is_trace]'
<<< {"role":"user","content":"ask"}
<<< {"role":"assistant","content":"first I look"}
<<< {"role":"assistant","content":"beside","tool_calls":[{"id":"c1","type":"function","function":{"name":"t","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"r"}
<<< {"role":"assistant","content":"now I know"}
<<< {"role":"assistant","content":""}
<<< {"role":"assistant","content":"answer"}
<<< {"role":"assistant","content":""}
>>> ["ask","messages",null]
>>> ["first I look","execution_buffer",true]
>>> ["beside","execution_buffer",true]
>>> ["r","execution_buffer",true]
>>> ["now I know","execution_buffer",true]
>>> ["","execution_buffer",null]
>>> ["answer","messages",null]
>>> ["","execution_buffer",null]
END
}

@test "ctx-route: separate trace: records behind a candidate wait with it, other agents and injected text too" {
    spec <<'END'
ctx-route --separate-trace | jq -c '[.content // .note, .metadata.section]'
<<< {"role":"user","content":"ask"}
<<< {"role":"assistant","content":"maybe"}
<<< {"note":1}
<<< {"role":"user","content":"child","metadata":{"parent_execution_id":"p"}}
<<< {"role":"user","content":"reminder","metadata":{"origin":"injected"}}
<<< {"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"t","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"r"}
<<< {"role":"assistant","content":"answer"}
<<< {"note":2}
>>> ["ask","messages"]
>>> ["maybe","execution_buffer"]
>>> [1,null]
>>> ["child",null]
>>> ["reminder","messages"]
>>> ["","execution_buffer"]
>>> ["r","execution_buffer"]
>>> ["answer","messages"]
>>> [2,null]
END
}

@test "ctx-route: separate trace holds back one text and no more" {
    mkfifo in out
    ctx-route --separate-trace <in >out 3>&- &
    exec 8>in 9<out
    printf '%s\n' '{"role":"user","content":"a"}' '{"role":"assistant","content":"b"}' >&8
    read -r -t 20 -u 9 line
    [[ $line == *'"a"'* ]]
    if read -r -t 0.3 -u 9 line; then fail 'the text came before its fate was known'; fi
    printf '%s\n' '{"role":"user","content":"c"}' >&8
    read -r -t 20 -u 9 line
    [[ $line == '{"role":"assistant","content":"b","metadata":{"origin":"assistant","execution_id":"#1","section":"messages"}}' ]]
    read -r -t 20 -u 9 line
    [[ $line == *'"c"'* ]]
    exec 8>&- 9<&-
    wait $!
}

@test "ctx-route: ephemeral: what is pinned, failed, or frozen by a bad line stays, in whole groups" {
    spec <<'END'
ctx-route --ephemeral | jq -R -c 'fromjson? // . | if type == "object" then [.content, .tool_calls[0]?.id // .tool_call_id] else . end'
<<< {"role":"user","content":"ask"}
<<< {"role":"assistant","content":"pinned","tool_calls":[{"id":"c1","type":"function","function":{"name":"a","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"r1","metadata":{"pinned":true}}
<<< {"role":"assistant","content":"failed","tool_calls":[{"id":"c2","type":"function","function":{"name":"b","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"c2","content":"r2","metadata":{"is_error":true}}
<<< {"role":"assistant","content":"frozen","tool_calls":[{"id":"c3","type":"function","function":{"name":"c","arguments":"{}"}}]}
<<< {bad}
<<< {"role":"tool","tool_call_id":"c3","content":"r3"}
<<< {"role":"assistant","content":"dropped","tool_calls":[{"id":"c4","type":"function","function":{"name":"d","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"c4","content":"r4"}
<<< {"role":"assistant","content":"resolved","tool_calls":[{"id":"c5","type":"function","function":{"name":"e","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"c5","content":"r5","metadata":{"is_error":true}}
<<< {"role":"assistant","content":"done","tool_calls":[{"id":"c6","type":"function","function":{"name":"e","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"c6","content":"r6"}
<<< {"role":"assistant","content":"answer"}
>>> ["ask",null]
>>> ["pinned","c1"]
>>> ["r1","c1"]
>>> ["failed","c2"]
>>> ["r2","c2"]
>>> ["frozen","c3"]
>>> "{bad}"
>>> ["r3","c3"]
>>> ["answer",null]
>>>2 ctx-route: -:7: expected a member name, at byte 2
>>>= 65
END
}

@test "ctx-route: ephemeral: the buffer of an execution without its final response is still needed" {
    spec <<'END'
ctx-route --ephemeral | jq -r .content
<<< {"role":"user","content":"ask"}
<<< {"role":"assistant","content":"look","tool_calls":[{"id":"c1","type":"function","function":{"name":"t","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"r"}
>>> ask
>>> look
>>> r
END
    spec <<'END'
ctx-route --ephemeral | jq -r .content
<<< {"role":"user","content":"ask"}
<<< {"role":"assistant","content":"look","tool_calls":[{"id":"c1","type":"function","function":{"name":"t","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"r"}
<<< {"role":"assistant","content":"overloaded","metadata":{"origin":"error"}}
>>> ask
>>> look
>>> r
>>> overloaded
END
    spec <<'END'
ctx-route --ephemeral | jq -r .content
<<< {"role":"user","content":"ask"}
<<< {"role":"assistant","content":"look","tool_calls":[{"id":"c1","type":"function","function":{"name":"t","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"r"}
<<< {"role":"assistant","content":"answer"}
<<< {"role":"assistant","content":"again","tool_calls":[{"id":"c2","type":"function","function":{"name":"t","arguments":"{}"}}]}
>>> ask
>>> look
>>> r
>>> answer
>>> again
END
}

@test "ctx-route: ephemeral: a late result finds its call" {
    spec <<'END'
ctx-route --ephemeral | jq -r .content
<<< {"role":"user","content":"ask"}
<<< {"role":"assistant","content":"late","tool_calls":[{"id":"c1","type":"function","function":{"name":"t","arguments":"{}"}}]}
<<< {"role":"user","content":"more"}
<<< {"role":"tool","tool_call_id":"c1","content":"result"}
<<< {"role":"assistant","content":"answer"}
>>> ask
>>> late
>>> more
>>> result
>>> answer
END
}

@test "ctx-route: ephemeral: a call without a result waits for it, resolved or not" {
    spec <<'END'
ctx-route --ephemeral | jq -r '.content // .tool_calls[0].id'
<<< {"role":"user","content":"ask"}
<<< {"role":"assistant","tool_calls":[{"id":"a","function":{"name":"Read","arguments":"{}"}}]}
<<< {"role":"assistant","tool_calls":[{"id":"b","function":{"name":"Read","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"b","content":"ok"}
<<< {"role":"assistant","content":"answer"}
<<< {"role":"user","content":"more"}
<<< {"role":"tool","tool_call_id":"a","content":"late"}
>>> ask
>>> a
>>> answer
>>> more
>>> late
END
}

@test "ctx-route: ephemeral: a session stays that of its own agent" {
    cat >log <<'END'
{"role":"assistant","content":"first","tool_calls":[{"id":"a","function":{"name":"Read","arguments":"{}"}}]}
{"role":"assistant","content":"from below","metadata":{"parent_execution_id":"#0"}}
{"role":"tool","tool_call_id":"a","content":"its result"}
{"role":"assistant","content":"second","tool_calls":[{"id":"b","function":{"name":"Read","arguments":"{\"path\":\"x\"}"}}]}
{"role":"tool","tool_call_id":"b","content":"dropped"}
{"role":"assistant","content":"answer"}
END
    spec <<'END'
ctx-route --ephemeral log | jq -r .content
>>> first
>>> from below
>>> its result
>>> answer
END
    spec <<'END'
ctx-route --ephemeral log | ctx-route --ephemeral | jq -r .content
>>> first
>>> from below
>>> its result
>>> answer
END
    spec <<'END'
{ echo '{"role":"user","content":"ask"}'; cat log; } | ctx-route --ephemeral | jq -r .content
>>> ask
>>> from below
>>> answer
END
    spec <<'END'
sed 2d log | ctx-route --ephemeral | jq -r .content
>>> answer
END
}

@test "ctx-route: ephemeral: buffers that an earlier run left are dropped, sections of their own stay" {
    spec <<'END'
ctx-route --ephemeral | jq -r .content
<<< {"role":"user","content":"ask","metadata":{"execution_id":"e1"}}
<<< {"role":"assistant","content":"bare","metadata":{"execution_id":"e1","section":"execution_buffer"}}
<<< {"role":"assistant","content":"kept","tool_calls":[{"id":"c1","type":"function","function":{"name":"t","arguments":"{}"}}],"metadata":{"execution_id":"e1","section":"research"}}
<<< {"role":"tool","tool_call_id":"c1","content":"kept with its call","metadata":{"execution_id":"e1","section":"execution_buffer"}}
<<< {"role":"assistant","content":"answer"}
>>> ask
>>> kept
>>> kept with its call
>>> answer
END
}

@test "ctx-route: next execution: drops what is in a buffer, pairs whole" {
    spec <<'END'
ctx-route --next-execution | jq -r .content
<<< {"role":"user","content":"ask"}
<<< {"role":"assistant","content":"call","tool_calls":[{"id":"c1","type":"function","function":{"name":"t","arguments":"{}"}}],"metadata":{"section":"execution_buffer","pinned":true}}
<<< {"role":"tool","tool_call_id":"c1","content":"result","metadata":{"section":"messages"}}
<<< {"role":"assistant","content":"trace in messages","tool_calls":[{"id":"c2","type":"function","function":{"name":"t","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"c2","content":"its result","metadata":{"section":"execution_buffer"}}
<<< {"role":"tool","tool_call_id":"c9","content":"orphan","metadata":{"section":"execution_buffer"}}
<<< {"role":"assistant","content":"child","metadata":{"parent_execution_id":"p","section":"execution_buffer"}}
>>> ask
>>> trace in messages
>>> its result
END
}

@test "ctx-route: next execution: after an abort, with separate trace, the conversation is left" {
    spec <<'END'
ctx-route --next-execution --separate-trace | jq -r .content
<<< {"role":"user","content":"ask"}
<<< {"role":"assistant","content":"I look"}
<<< {"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"t","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"r"}
<<< {"role":"assistant","content":"answer"}
<<< {"role":"user","content":"again"}
<<< {"role":"assistant","content":"call","tool_calls":[{"id":"c1","type":"function","function":{"name":"t","arguments":"{}"}}]}
>>> ask
>>> answer
>>> again
END
}

# --- failures

@test "ctx-route: --resolve marks the failures of a call or a message, and only those" {
    spec <<'END'
ctx-route --resolve c1 --resolve m7
<<< {"role":"user","content":"ask"}
<<< {"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"t","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"fine"}
<<< {"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"t","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"failed","metadata":{"is_error":true,"resolved":false}}
<<< {"role":"assistant","content":"overloaded","metadata":{"origin":"error","id":"m7"}}
<<< {"role":"tool","tool_call_id":"c1","content":"the child's","metadata":{"is_error":true,"parent_execution_id":"p"}}
>>> {"role":"user","content":"ask","metadata":{"origin":"user","execution_id":"#1","section":"messages"}}
>>> {"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"t","arguments":"{}"}}],"metadata":{"origin":"tool_call","execution_id":"#1","tool_name":"t","is_trace":true,"section":"messages"}}
>>> {"role":"tool","tool_call_id":"c1","content":"fine","metadata":{"origin":"tool_result","execution_id":"#1","tool_name":"t","is_trace":true,"section":"messages"}}
>>> {"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"t","arguments":"{}"}}],"metadata":{"origin":"tool_call","execution_id":"#1","tool_name":"t","is_trace":true,"section":"messages"}}
>>> {"role":"tool","tool_call_id":"c1","content":"failed","metadata":{"is_error":true,"resolved":true,"origin":"tool_result","execution_id":"#1","tool_name":"t","is_trace":true,"section":"messages"}}
>>> {"role":"assistant","content":"overloaded","metadata":{"origin":"error","id":"m7","execution_id":"#1","is_error":true,"section":"messages","resolved":true}}
>>> {"role":"tool","tool_call_id":"c1","content":"the child's","metadata":{"is_error":true,"parent_execution_id":"p"}}
END
}

@test "ctx-route: --resolve says when no failure has the id" {
    spec <<'END'
ctx-route --resolve c9 --resolve c1 | jq -r .content
<<< {"role":"user","content":"ask"}
<<< {"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"t","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"fine"}
>>> ask
>>>
>>> fine
>>>2 ctx-route: no failure has the id 'c9'
>>>2 ctx-route: no failure has the id 'c1'
>>>= 1
END
}

# --- the context record

@test "ctx-route: the context record is written in front" {
    spec <<'END'
printf 'be "brief"\n' >prompt; printf '{\n  "type": "json_schema",\n  "a b": [1, "x  \\" y"]\n}\n' >format; ctx-route --system-prompt prompt --response-format format --context a=1 --context "b c=x=y" --context a=2
<<<
<<< {"role":"user","content":"a"}
>>>
>>> {"type":"context","system_prompt":"be \"brief\"\n","response_format":{"type":"json_schema","a b":[1,"x  \" y"]},"metadata":{"b c":"x=y","a":"2"}}
>>> {"role":"user","content":"a","metadata":{"origin":"user","execution_id":"#1","section":"messages"}}
>>>+ format
>>>+ prompt
END
    spec <<'END'
ctx-route --context tenant=harbour
>>> {"type":"context","metadata":{"tenant":"harbour"}}
END
    spec <<'END'
ctx-route --context tenant=harbour
<<<$ \xef\xbb\xbf{"role":"user","content":"a"}
>>>$ \xef\xbb\xbf{"type":"context","metadata":{"tenant":"harbour"}}
>>> {"role":"user","content":"a","metadata":{"origin":"user","execution_id":"#1","section":"messages"}}
END
}

@test "ctx-route: the context record that stands in the input is kept but for what is given" {
    spec <<'END'
printf new >prompt; echo '{"type":"text"}' >format; ctx-route --system-prompt prompt --response-format format --context a=1 --context n\"ew=2
<<<$ { "type" : "context", "system_prompt":"old" , "x": 1.0,"response_format":{ "type" : "text" },"metadata":{"\\u0061":"0", "z":[ ] } }\r
<<< {"role":"user","content":"a"}
<<< {"type":"context","system_prompt":"n\u0065w"}
>>>$ { "type" : "context", "system_prompt":"new" , "x": 1.0,"response_format":{ "type" : "text" },"metadata":{"\\u0061":"1", "z":[ ],"n\\"ew":"2" } }\r
>>> {"role":"user","content":"a","metadata":{"origin":"user","execution_id":"#1","section":"messages"}}
>>> {"type":"context","system_prompt":"n\u0065w","response_format":{"type":"text"},"metadata":{"a":"1","n\"ew":"2"}}
>>>+ format
>>>+ prompt
END
    spec <<'END'
ctx-route --context a=1
<<< {"type":"context","metadata":null}
<<< {"type":"context","_metadata":{"a":"1"}}
<<< {"type":"context","metadata":{"a":1}}
>>> {"type":"context","metadata":{"a":"1"}}
>>> {"type":"context","_metadata":{"a":"1"}}
>>> {"type":"context","metadata":{"a":"1"}}
END
}

@test "ctx-route: the context record and a bad response format, prompt or pair" {
    spec <<'END'
printf "{} x" >format; ctx-route --response-format format
>>>2 ctx-route: format: bytes after the value, at byte 4
>>>= 78
>>>+ format
END
    spec <<'END'
echo "[1]" >format; ctx-route --response-format format
>>>2 ctx-route: format: expected a JSON object
>>>= 78
>>>+ format
END
    spec <<'END'
printf "ab\xff" >prompt; ctx-route --system-prompt prompt
>>>2 ctx-route: prompt: expected UTF-8 text, at byte 3
>>>= 78
>>>+ prompt
END
    spec <<'END'
ctx-route --system-prompt missing
>>>2 ctx-route: cannot open 'missing': No such file or directory
>>>= 66
END
    spec <<'END'
ctx-route --response-format .
>>>2 ctx-route: cannot read '.': is a directory
>>>= 66
END
    spec <<'END'
ctx-route --context novalue
>>>2 ctx-route: bad value 'novalue' of --context, expected KEY=VALUE; try 'ctx-route --help'
>>>= 64
END
    spec <<'END'
ctx-route --context =x
>>>2 ctx-route: bad value '=x' of --context, expected KEY=VALUE; try 'ctx-route --help'
>>>= 64
END
}

# --- options

@test "ctx-route: options that are wrong" {
    spec <<'END'
ctx-route --execution=
>>>2 ctx-route: bad value '' of --execution, expected an id; try 'ctx-route --help'
>>>= 64
END
    spec <<'END'
ctx-route --execution
>>>2 ctx-route: option '--execution' needs a value: ID; try 'ctx-route --help'
>>>= 64
END
    spec <<'END'
ctx-route --separate
>>>2 ctx-route: unknown option '--separate', did you mean '--separate-trace'?; try 'ctx-route --help'
>>>= 64
END
    spec <<'END'
ctx-route --ephemeral=yes
>>>2 ctx-route: option '--ephemeral' takes no value; try 'ctx-route --help'
>>>= 64
END
    spec <<'END'
ctx-route missing.jsonl
>>>2 ctx-route: cannot open 'missing.jsonl': No such file or directory
>>>= 66
END
}

@test "ctx-route: the report counts what was dropped" {
    spec <<'END'
ctx-route --ephemeral --report report.json -v >/dev/null; cat report.json
<<< {"role":"user","content":"ask"}
<<< {"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"t","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"r"}
<<< {"role":"assistant","content":"answer"}
>>> {"command":"ctx-route","dropped":2,"records":4,"messages":4,"written":2,"changed":2,"added":0,"bad":0,"status":0}
>>>2 ctx-route: 4 records, 4 messages in; 2 messages out, 2 changed; 0 records added
>>>+ report.json
END
}

# --- laws

# Each line of the fixtures is read with each of these.
modes=('' '--execution e9' '--separate-trace' '--ephemeral' '--next-execution' '--separate-trace --next-execution')

@test "ctx-route: twice is once" {
    local file mode
    for file in "$FIXTURES"/*.jsonl; do
        for mode in "${modes[@]}"; do
            printf '%s %s\n' "$mode" "$file"
            # shellcheck disable=SC2086
            ctx-route $mode "$file" >once 2>/dev/null || [[ $? == 65 ]]
            # shellcheck disable=SC2086
            ctx-route $mode once >twice 2>/dev/null || [[ $? == 65 ]]
            same 'the second run' once twice
        done
    done
}

# route_all MODE INPUT...: routes each file into a file of the same name in the folder routed.
route_all() {
    local mode=$1 file
    shift
    rm -rf routed
    mkdir routed
    for file; do
        # shellcheck disable=SC2086
        ctx-route $mode "$file" >"routed/${file##*/}" 2>/dev/null || [[ $? == 65 ]]
    done
}

@test "ctx-route: no pair is broken" {
    local mode
    (cd "$FIXTURES" && pair_facts ./*.jsonl) >before
    [[ -s before ]]
    for mode in "${modes[@]}"; do
        printf '%s\n' "$mode"
        route_all "$mode" "$FIXTURES"/*.jsonl
        (cd routed && pair_facts ./*.jsonl) >after
        same 'broken pairs' /dev/null <(comm -13 before after)
    done
}

# conversations FILE...: the conversation view of each, without metadata.
conversations() {
    local file
    for file; do
        printf '"%s"\n' "${file##*/}"
        ctx-project --view conversation "$file" >view 2>/dev/null || [[ $? == 65 ]]
        sed -e '$a\' view
    done | content
}

@test "ctx-route: the conversation stays what it was" {
    local mode files
    mapfile -t files < <(readable)
    conversations "${files[@]}" >before
    (($(wc -l <before) > 100 + ${#files[@]}))
    for mode in '' --separate-trace --ephemeral --next-execution '--separate-trace --next-execution'; do
        printf '%s\n' "$mode"
        route_all "$mode" "${files[@]}"
        conversations "${files[@]/#*\//routed/}" >after
        same 'conversation' before after
    done
}

@test "ctx-route: nothing but metadata is added" {
    local file
    for file in $(readable); do
        printf '%s\n' "$file"
        ctx-route --separate-trace "$file" >out 2>/dev/null || [[ $? == 65 ]]
        same 'content' <(content <"$file") <(content <out)
        [[ $(wc -l <"$file") == "$(wc -l <out)" ]]
    done
}

# readable: the fixtures that jq can read; not those that nest deeper than it goes, or hold escapes
# that it refuses.
readable() {
    find "$FIXTURES" -name '*.jsonl' ! -name hostile-deep.jsonl ! -name hostile-escapes.jsonl | sort
}

# content: what comes in without its metadata; a line that is not JSON as a string.
content() {
    jq -R -c 'fromjson? // . | if type == "object" then del(.metadata, ._metadata) else . end'
}

# More spans than one write takes, changed and unchanged records mixed, in blocks of many lines.
@test "ctx-route: a long stream of changed and unchanged messages" {
    awk 'BEGIN {
        for (i = 0; i < 60000; i++) {
            printf "{\"role\":\"user\",\"content\":\"%d\"", i
            if (i % 3) printf ",\"metadata\":{\"origin\":\"user\",\"execution_id\":\"e\",\"section\":\"messages\"}"
            print "}"
        }
    }' >in
    ctx-route --execution e in >out
    sed 's/"}$/","metadata":{"origin":"user","execution_id":"e","section":"messages"}}/; s/messages","metadata.*/messages"}}/' in >expected
    same 'stream' expected out
    ctx-route --separate-trace out >again
    same 'the second run' out again
}

@test "ctx-route: a stream takes less than 8 MB, whatever its length" {
    local file=$BATS_TEST_TMPDIR/long mode
    cat "$FIXTURES"/route-*.jsonl >"$file"
    for ((i = 0; i < 12; i++)); do cat "$file" "$file" >"$file.twice" && mv "$file.twice" "$file"; done
    [[ $(stat -c %s "$file") -gt 10000000 ]]
    # shellcheck disable=SC2016
    nm "$CTX_BIN/ctx-route" | grep -q __asan && skip 'the sanitizers take more'
    for mode in '' --separate-trace --ephemeral --next-execution; do
        # shellcheck disable=SC2086
        (ulimit -v 16000 && ctx-route $mode "$file" | tail -n 1 >out)
        [[ -s out ]]
    done
}
