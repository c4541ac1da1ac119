#!/usr/bin/env bats
#
# ctx-normalize: pairs that are whole again, and the check.  The formats are in dialects.bats.

load helper

# --- What is whole ------------------------------------------------------------------------------

@test "ctx-normalize: canonical input that is whole leaves byte for byte" {
    spec <<'END'
ctx-normalize
<<< { "role":"system" , "content":"Be\u0020brief."}
<<< 
<<<$ {"role":"user","content":"hi","x":1.50}\r
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"g","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"a","content":"1"}
<<< {"role":"tool","tool_call_id":"b","content":"2"}
<<<- {"role":"assistant","content":"done"}
>>> { "role":"system" , "content":"Be\u0020brief."}
>>> 
>>>$ {"role":"user","content":"hi","x":1.50}\r
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"g","arguments":"{}"}}]}
>>> {"role":"tool","tool_call_id":"a","content":"1"}
>>> {"role":"tool","tool_call_id":"b","content":"2"}
>>>- {"role":"assistant","content":"done"}
END
}

@test "ctx-normalize: an OpenAI chat is canonical already" {
    spec <<'END'
ctx-normalize "$FIXTURES/openai-chat.jsonl" | cmp - "$FIXTURES/openai-chat.jsonl"
ctx-normalize --from openai <"$FIXTURES/openai-chat.jsonl" | cmp - "$FIXTURES/openai-chat.jsonl"
ctx-normalize --check "$FIXTURES/openai-chat.jsonl"
END
}

@test "ctx-normalize: --check accepts what leaves as it came, and nothing else" {
    local file
    for file in "$FIXTURES"/*.jsonl; do
        ctx-normalize "$file" >out 2>err || [[ $? == 65 ]]
        if ctx-normalize --check "$file" >checked 2>err || [[ $? == 65 ]]; then
            cmp "$file" out
        else
            ! cmp -s "$file" out || fail "${file##*/} is refused, but leaves as it came"
        fi
        same "$file: a check writes nothing" /dev/null checked
    done
}

# --- Pairs --------------------------------------------------------------------------------------

@test "ctx-normalize: results go to their calls, in the order of the calls" {
    spec <<'END'
ctx-normalize
<<< {"role":"user","content":"u"}
<<< {"role":"assistant","content":"","tool_calls":[{"id":"a","function":{"name":"f"}},{"id":"b","function":{"name":"g"}},{"id":"c","function":{"name":"h"}}]}
<<< {"role":"tool","tool_call_id":"c","content":"3"}
<<< {"role":"user","content":"wait"}
<<< {"role":"tool","tool_call_id":"a","content":"1"}
<<< {"role":"tool","tool_call_id":"b","content":"2"}
<<< {"role":"assistant","content":"done"}
>>> {"role":"user","content":"u"}
>>> {"role":"assistant","content":"","tool_calls":[{"id":"a","function":{"name":"f"}},{"id":"b","function":{"name":"g"}},{"id":"c","function":{"name":"h"}}]}
>>> {"role":"tool","tool_call_id":"a","content":"1"}
>>> {"role":"tool","tool_call_id":"b","content":"2"}
>>> {"role":"tool","tool_call_id":"c","content":"3"}
>>> {"role":"user","content":"wait"}
>>> {"role":"assistant","content":"done"}
END
}

@test "ctx-normalize: calls told one by one get their results one by one" {
    spec <<'END'
ctx-normalize
<<< {"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}}]}
<<< {"role":"assistant","tool_calls":[{"id":"b","function":{"name":"g"}}]}
<<< {"role":"tool","tool_call_id":"a","content":"1"}
<<< {"role":"tool","tool_call_id":"b","content":"2"}
>>> {"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}}]}
>>> {"role":"tool","tool_call_id":"a","content":"1"}
>>> {"role":"assistant","tool_calls":[{"id":"b","function":{"name":"g"}}]}
>>> {"role":"tool","tool_call_id":"b","content":"2"}
END
}

@test "ctx-normalize: a result answers the nearest call with its id; ids come back" {
    spec <<'END'
ctx-normalize --check
<<< {"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}}]}
<<< {"role":"tool","tool_call_id":"a","content":"1"}
<<< {"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}}]}
<<< {"role":"tool","tool_call_id":"a","content":"2"}
END
}

@test "ctx-normalize: results of equal ids in one message keep their order" {
    spec <<'END'
ctx-normalize --check
<<< {"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}},{"id":"a","function":{"name":"g"}}]}
<<< {"role":"tool","tool_call_id":"a","content":"1"}
<<< {"role":"tool","tool_call_id":"a","content":"2"}
END
}

@test "ctx-normalize: a result without a call becomes a marked message, and says all that it said" {
    spec <<'END'
ctx-normalize
<<< {"role":"tool","tool_call_id":"x","content":"one"}
<<< {"role":"tool","tool_call_id":"x","content":[{"type":"text","text":"two"}],"metadata":{"is_error":true,"origin":"tool_result"}}
<<< {"role":"tool","tool_call_id":"x","content":[]}
<<< {"role":"tool","tool_call_id":"x","content":null,"metadata":null}
<<< {"role":"tool","tool_call_id":"x"}
>>> {"role":"user","tool_call_id":"x","content":"[tool result that answers no call] one","metadata":{"origin":"injected","is_trace":true}}
>>> {"role":"user","tool_call_id":"x","content":[{"type":"text","text":"[tool result that answers no call]"},{"type":"text","text":"two"}],"metadata":{"is_error":true,"origin":"injected","is_trace":true}}
>>> {"role":"user","tool_call_id":"x","content":[{"type":"text","text":"[tool result that answers no call]"}],"metadata":{"origin":"injected","is_trace":true}}
>>> {"role":"user","tool_call_id":"x","content":"[tool result that answers no call]","metadata":{"origin":"injected","is_trace":true}}
>>> {"role":"user","tool_call_id":"x","content":"[tool result that answers no call]","metadata":{"origin":"injected","is_trace":true}}
END
}

@test "ctx-normalize: one result more than there are calls does not replace the first" {
    spec <<'END'
ctx-normalize
<<< {"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}},{"id":"b","function":{"name":"f"}}]}
<<< {"role":"tool","tool_call_id":"a","content":"1"}
<<< {"role":"tool","tool_call_id":"a","content":"again"}
<<< {"role":"tool","tool_call_id":"b","content":"2"}
>>> {"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}},{"id":"b","function":{"name":"f"}}]}
>>> {"role":"tool","tool_call_id":"a","content":"1"}
>>> {"role":"tool","tool_call_id":"b","content":"2"}
>>> {"role":"user","tool_call_id":"a","content":"[tool result that answers no call] again","metadata":{"origin":"injected","is_trace":true}}
END
}

@test "ctx-normalize: a call of an execution that is over gets a result that says that there is none" {
    spec <<'END'
ctx-normalize
<<< {"role":"user","content":"u"}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"f"}},{"id":"b","function":{"name":"g"}}],"metadata":{"execution_id":"e1","session_id":"s","model":"m"}}
<<< {"role":"tool","tool_call_id":"b","content":"2","metadata":{"execution_id":"e1"}}
<<< {"role":"user","content":"next"}
<<< {"role":"assistant","content":"done"}
>>> {"role":"user","content":"u"}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"f"}},{"id":"b","function":{"name":"g"}}],"metadata":{"execution_id":"e1","session_id":"s","model":"m"}}
>>> {"role":"tool","tool_call_id":"a","content":"[no result]","metadata":{"tool_name":"f","is_error":true,"execution_id":"e1","session_id":"s"}}
>>> {"role":"tool","tool_call_id":"b","content":"2","metadata":{"execution_id":"e1"}}
>>> {"role":"user","content":"next"}
>>> {"role":"assistant","content":"done"}
END
}

@test "ctx-normalize: calls that no result could name are left alone, but not beside one of the same id" {
    spec <<'END'
ctx-normalize >once; ctx-normalize once | cmp - once
ctx-normalize --check once
cat once
rm once
<<< {"role":"assistant","tool_calls":[{"id":null,"function":{"name":"f"}},{"function":{"name":"g"}},{"id":5,"function":{"name":"h"}}]}
<<< {"role":"user","content":"x"}
<<< {"role":"assistant","tool_calls":[{"id":null,"function":{"name":"f"}},{"id":"","function":{"name":"g"}},{"id":5,"function":{"name":"h"}},{"id":"5","function":{"name":"i"}}]}
<<< {"role":"user","content":"y"}
>>> {"role":"assistant","tool_calls":[{"id":null,"function":{"name":"f"}},{"function":{"name":"g"}},{"id":5,"function":{"name":"h"}}]}
>>> {"role":"user","content":"x"}
>>> {"role":"assistant","tool_calls":[{"id":null,"function":{"name":"f"}},{"id":"","function":{"name":"g"}},{"id":5,"function":{"name":"h"}},{"id":"5","function":{"name":"i"}}]}
>>> {"role":"tool","tool_call_id":"","content":"[no result]","metadata":{"tool_name":"f","is_error":true}}
>>> {"role":"tool","tool_call_id":"","content":"[no result]","metadata":{"tool_name":"g","is_error":true}}
>>> {"role":"tool","tool_call_id":5,"content":"[no result]","metadata":{"tool_name":"h","is_error":true}}
>>> {"role":"tool","tool_call_id":"5","content":"[no result]","metadata":{"tool_name":"i","is_error":true}}
>>> {"role":"user","content":"y"}
END
}

@test "ctx-normalize: an answer without calls ends an execution too" {
    spec <<'END'
ctx-normalize
<<< {"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}}]}
<<< {"role":"assistant","content":"never mind"}
>>> {"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}}]}
>>> {"role":"tool","tool_call_id":"a","content":"[no result]","metadata":{"tool_name":"f","is_error":true}}
>>> {"role":"assistant","content":"never mind"}
END
}

@test "ctx-normalize: a trailing open group is left open" {
    spec <<'END'
ctx-normalize --check
<<< {"role":"user","content":"u"}
<<< {"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}},{"id":"b","function":{"name":"f"}}]}
<<< {"role":"tool","tool_call_id":"b","content":"2"}
END
    spec <<'END'
ctx-normalize
<<< {"role":"user","content":"u"}
<<< {"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}},{"id":"b","function":{"name":"f"}}]}
<<< {"role":"tool","tool_call_id":"b","content":"2"}
>>> {"role":"user","content":"u"}
>>> {"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}},{"id":"b","function":{"name":"f"}}]}
>>> {"role":"tool","tool_call_id":"b","content":"2"}
END
}

@test "ctx-normalize: what another agent says parts no call from its result" {
    spec <<'END'
ctx-normalize --check
<<< {"role":"user","content":"u"}
<<< {"role":"assistant","tool_calls":[{"id":"a","function":{"name":"Task"}}]}
<<< {"role":"user","content":"go","metadata":{"agent_id":"x","parent_execution_id":"e"}}
<<< {"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}}],"metadata":{"agent_id":"x","parent_execution_id":"e"}}
<<< {"role":"tool","tool_call_id":"a","content":"1","metadata":{"agent_id":"x","parent_execution_id":"e"}}
<<< {"role":"assistant","content":"done","metadata":{"agent_id":"x","parent_execution_id":"e"}}
<<< {"role":"tool","tool_call_id":"a","content":"done"}
END
}

@test "ctx-normalize: a call of a sub-agent that went on is given up in its name" {
    spec <<'END'
ctx-normalize
<<< {"role":"user","content":"u"}
<<< {"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}}],"metadata":{"agent_id":"x","parent_execution_id":"e"}}
<<< {"role":"assistant","content":"done","metadata":{"agent_id":"x","parent_execution_id":"e"}}
>>> {"role":"user","content":"u"}
>>> {"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}}],"metadata":{"agent_id":"x","parent_execution_id":"e"}}
>>> {"role":"tool","tool_call_id":"a","content":"[no result]","metadata":{"tool_name":"f","is_error":true,"agent_id":"x","parent_execution_id":"e"}}
>>> {"role":"assistant","content":"done","metadata":{"agent_id":"x","parent_execution_id":"e"}}
END
}

# --- Other rules --------------------------------------------------------------------------------

@test "ctx-normalize: of messages with one id the first stays; equal text is no repetition" {
    spec <<'END'
ctx-normalize
<<< {"role":"user","content":"u","metadata":{"id":"1"}}
<<< {"role":"user","content":"u","metadata":{"id":"1"}}
<<< {"role":"user","content":"u","metadata":{"id":1}}
<<< {"role":"user","content":"u"}
<<< {"role":"user","content":"u"}
<<< {"role":"user","content":"v","metadata":{"id":"\u0031"}}
<<< {"role":"user","content":"v","metadata":{"id":"1","pinned":true}}
>>> {"role":"user","content":"u","metadata":{"id":"1"}}
>>> {"role":"user","content":"u","metadata":{"id":1}}
>>> {"role":"user","content":"u"}
>>> {"role":"user","content":"u"}
>>> {"role":"user","content":"v","metadata":{"id":"1","pinned":true}}
END
}

@test "ctx-normalize: a pinned result that moves before a message with its id takes nothing from it" {
    spec <<'END'
ctx-normalize >once; ctx-normalize once | cmp - once
ctx-normalize --check once
cat once
rm once
<<< {"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]}
<<< {"role":"assistant","content":"x","metadata":{"id":"m"}}
<<< {"role":"tool","tool_call_id":"c","content":"r","metadata":{"id":"m","pinned":true}}
<<< {"role":"assistant","content":"y","metadata":{"id":"m"}}
>>> {"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]}
>>> {"role":"tool","tool_call_id":"c","content":"r","metadata":{"id":"m","pinned":true}}
>>> {"role":"assistant","content":"x","metadata":{"id":"m"}}
END
}

@test "ctx-normalize: messages that say nothing go, others do not" {
    spec <<'END'
ctx-normalize
<<< {"role":"user","content":" \n\u00a0"}
<<< {"role":"assistant","content":[{"type":"text","text":""}],"name":"x"}
<<< {"role":"assistant","content":null,"refusal":null,"annotations":[]}
<<< {"role":"assistant"}
<<< {"role":"assistant","content":null,"refusal":"no"}
<<< {"role":"assistant","content":[{"type":"thinking","thinking":"t"}]}
<<< {"role":"assistant","content":"","reasoning_content":"r"}
<<< {"role":"user","content":[{"type":"image","source":{}}]}
<<< {"role":"user","content":5}
<<< {"role":"user","content":"","metadata":{"pinned":true}}
<<< {"role":"user","content":"","metadata":{"kind":"summary"}}
>>> {"role":"assistant","content":null,"refusal":"no"}
>>> {"role":"assistant","content":[{"type":"thinking","thinking":"t"}]}
>>> {"role":"assistant","content":"","reasoning_content":"r"}
>>> {"role":"user","content":[{"type":"image","source":{}}]}
>>> {"role":"user","content":5}
>>> {"role":"user","content":"","metadata":{"pinned":true}}
>>> {"role":"user","content":"","metadata":{"kind":"summary"}}
END
}

@test "ctx-normalize: other formats' words for roles become ours, unknown ones stay" {
    spec <<'END'
ctx-normalize --from ctx
<<< {"role":"human","content":"1"}
<<<$ { "role" : "ai", "content":"2" }\r
<<< {"role":"model","content":"3"}
<<< {"role":"captain","content":"4"}
<<< {"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}}]}
<<< {"role":"function","tool_call_id":"a","content":"5"}
>>> {"role":"user","content":"1"}
>>>$ { "role" : "assistant", "content":"2" }\r
>>> {"role":"assistant","content":"3"}
>>> {"role":"captain","content":"4"}
>>> {"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}}]}
>>> {"role":"tool","tool_call_id":"a","content":"5"}
END
}

@test "ctx-normalize: a group that a bad line may belong to is left alone" {
    spec <<'END'
ctx-normalize
<<< {"role":"user","content":"u"}
<<< {"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}},{"id":"b","function":{"name":"f"}}]}
<<< {"role":"tool","tool_call_id":"b","content":"2"}
<<< {"role":"tool",
<<< {"role":"tool","tool_call_id":"x","content":"whose?"}
<<< {"role":"assistant","content":"done"}
<<< {"role":"user","content":"v"}
<<< {"role":"tool","tool_call_id":"y","content":"whose?"}
>>> {"role":"user","content":"u"}
>>> {"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}},{"id":"b","function":{"name":"f"}}]}
>>> {"role":"tool","tool_call_id":"b","content":"2"}
>>> {"role":"tool",
>>> {"role":"tool","tool_call_id":"x","content":"whose?"}
>>> {"role":"assistant","content":"done"}
>>> {"role":"user","content":"v"}
>>> {"role":"user","tool_call_id":"y","content":"[tool result that answers no call] whose?","metadata":{"origin":"injected","is_trace":true}}
>>>2 ctx-normalize: -:4: unexpected end, at byte 16
>>>= 65
END
}

@test "ctx-normalize: records that are no messages part nothing, and wait with what they stand behind" {
    spec <<'END'
ctx-normalize
<<< {"type":"context","system_prompt":"s"}
<<< {"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}},{"id":"b","function":{"name":"f"}}]}
<<< {"type":"ping"}
<<< {"role":"tool","tool_call_id":"b","content":"2"}
<<< 5
<<< {"role":"tool","tool_call_id":"a","content":"1"}
<<< [1]
>>> {"type":"context","system_prompt":"s"}
>>> {"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}},{"id":"b","function":{"name":"f"}}]}
>>> {"type":"ping"}
>>> {"role":"tool","tool_call_id":"a","content":"1"}
>>> {"role":"tool","tool_call_id":"b","content":"2"}
>>> 5
>>> [1]
END
}

@test "ctx-normalize: --report counts what was mended" {
    spec <<'END'
ctx-normalize --report report "$FIXTURES/ctx-unrepaired.jsonl" >out
jq -c .found report
rm out report
>>> {"orphan-result":1,"second-result":1,"result-order":1,"unanswered-call":1,"repeated-id":1,"empty-message":1}
END
}

# --- The check ----------------------------------------------------------------------------------

@test "ctx-normalize: --check names each violation by its code, writes nothing, and ends with 1" {
    spec <<'END'
ctx-normalize --check
<<< {"role":"tool","tool_call_id":"x","content":"1"}
<<< {"role":"human","content":"u"}
<<< {"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}},{"id":"b","function":{"name":"f"}}]}
<<< {"role":"tool","tool_call_id":"b","content":"2"}
<<< {"role":"tool","tool_call_id":"a","content":"1"}
<<< {"role":"tool","tool_call_id":"a","content":"1"}
<<< {"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f"}},{"id":"d","function":{"name":"f"}},{"id":5},{}],"metadata":{"id":7}}
<<< {"role":"user","content":""}
<<< {"role":"user","content":"v","metadata":{"id":7}}
<<< {"role":"user","content":"w"}
<<< {"role":"tool","tool_call_id":"c","content":"3"}
>>>2 ctx-normalize: -:1: orphan-result: result 'x' answers no call
>>>2 ctx-normalize: -:2: role-alias: role 'human' is another format's
>>>2 ctx-normalize: -:5: result-order: result 'a' stands behind that of a later call
>>>2 ctx-normalize: -:6: second-result: call 'a' has its result already
>>>2 ctx-normalize: -:8: empty-message: message of 'user' says nothing
>>>2 ctx-normalize: -:9: repeated-id: id '7' is that of an earlier message
>>>2 ctx-normalize: -:11: late-result: result 'c' does not stand directly behind its call
>>>2 ctx-normalize: -:7: unanswered-call: call 'd' has no result
>>>= 1
END
}

@test "ctx-normalize: --check says once that the input is another dialect" {
    spec <<'END'
ctx-normalize --check "$FIXTURES/claude-code-sidechain.jsonl" 2>&1 | sed "s|$FIXTURES/||"
>>> ctx-normalize: claude-code-sidechain.jsonl:1: other-dialect: looks like claude-code, not ctx
>>>= 1
END
}

@test "ctx-normalize: --check with bad lines only ends with 65" {
    spec <<'END'
ctx-normalize --check
<<< {"role":"user","content":"u"}
<<< {
>>>2 ctx-normalize: -:2: unexpected end, at byte 2
>>>= 65
END
}

@test "ctx-normalize: --check goes with no other output" {
    spec <<'END'
ctx-normalize --check --to openai
>>>2 ctx-normalize: --check goes with --to=ctx only; try 'ctx-normalize --help'
>>>= 64
END
}

# --- Live pipes ---------------------------------------------------------------------------------

@test "ctx-normalize: a message leaves as soon as its fate is known" {
    mkfifo in
    ctx-normalize <in >out 3>&- &
    exec 9>in
    printf '%s\n' '{"role":"user","content":"u"}' '{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}}]}' >&9
    wait_for_lines 2
    printf '%s\n' '{"role":"user","content":"wait"}' >&9
    printf '%s\n' '{"role":"tool","tool_call_id":"a","content":"1"}' >&9
    wait_for_lines 4
    exec 9>&-
    wait
    same 'roles' <(printf '%s\n' user assistant tool user) <(jq -r .role out)
}

wait_for_lines() {
    local i
    for ((i = 0; i < 200; i++)); do
        (($(wc -l <out) == $1)) && return
        sleep 0.02
    done
    fail "no line $1 within four seconds"
}

@test "ctx-normalize: a call before an error message is open, and all commands say so" {
    {
        echo '{"role":"user","content":"Look."}'
        echo '{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{}"}}]}'
        echo '{"role":"assistant","content":"overloaded","metadata":{"origin":"error"}}'
    } >in
    local command
    ctx-normalize --check in
    for command in ctx-normalize 'ctx-isolate --execution none' ctx-project; do
        spec <<END
$command in
>>>@ in
END
    done
    same 'budget' <(echo '[]') <(ctx-budget --json --when 'unresolved>0' in | jq -c .reasons)
    same 'plan' <(echo '"open"') <(ctx-compact --force --plan in | jq -c 'select(.line == 2).reason')
    # With the next request the execution is over: the call is given up, and the error stands for it.
    echo '{"role":"user","content":"Again."}' >>in
    ctx-normalize in >normal
    same 'normalized' <(sed -n 3p in) <(sed -n 4p normal)
    local file
    for file in in normal; do
        same "budget of $file" <(echo '["when"]') <(ctx-budget --json --when 'unresolved>0' "$file" | jq -c .reasons)
        same "view of $file" <(sed 2d in) <(ctx-project --view conversation "$file")
    done
    rm normal
}

# random_late FILES: streams in which results come late, or not at all, or answer nothing.
random_late() {
    awk -v count="$1" '
        function pick(list,    n, a) { n = split(list, a, "|"); return a[1 + int(rand() * n)] }
        function line() {
            what = pick("user|says|says|calls|calls|both|gets|gets|gets|gets|error")
            if (what == "user") return "{\"role\":\"user\",\"content\":\"u" n "\"}"
            if (what == "says") return "{\"role\":\"assistant\",\"content\":\"a" n "\"}"
            if (what == "error") return "{\"role\":\"assistant\",\"content\":\"e\",\"metadata\":{\"origin\":\"error\"}}"
            if (what == "gets") return "{\"role\":\"tool\",\"tool_call_id\":\"" pick("c1|c2|c3|c9") "\",\"content\":\"r\"}"
            return "{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"" pick("c1|c2") "\"}" \
                (what == "both" ? ",{\"id\":\"c3\"}" : "") "]}"
        }
        BEGIN {
            srand(11)
            for (i = 1; i <= count; i++)
                for (n = 1 + int(rand() * 14); n > 0; n--) print line() >("random." i)
        }'
}

@test "ctx-normalize: twice is once for random streams with results out of their place" {
    local file moved=0
    random_late 300
    for file in random.*; do
        ctx-normalize "$file" >once
        ctx-normalize once >twice
        cmp -s once twice || fail "$file: $(diff once twice)"
        cmp -s "$file" once || moved=$((moved + 1))
    done
    ((moved > 100))
    rm random.* once twice
}
