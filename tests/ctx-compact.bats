#!/usr/bin/env bats
#
# ctx-compact, transform by transform and invariant by invariant.  Tokens are counted by bytes/4, so that
# a reader can count along.

load helper

@test "ctx-compact: a session that the budget has room for passes byte for byte" {
    spec <<'END'
ctx-compact --estimator bytes/4
<<<  {"role" : "user", "content":"Is the lamp \u006cit?", "x":1.50}
<<< {"role":"assistant","content":"It is."}
>>>  {"role" : "user", "content":"Is the lamp \u006cit?", "x":1.50}
>>> {"role":"assistant","content":"It is."}
END
}

@test "ctx-compact: dedupe: a read is stale when a later call edits or writes the file" {
    spec <<'END'
ctx-compact --estimator bytes/4 --force
<<< {"role":"user","content":"Mend the lamp."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"lamp.c\"}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"edit","arguments":"{\"path\":\"./lamp.c\",\"new\":\"lit\"}"}}]}
<<< {"role":"tool","tool_call_id":"c2","content":"done"}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c3","type":"function","function":{"name":"read","arguments":"{\"path\":\"buoy.c\"}"}}]}
<<< {"role":"tool","tool_call_id":"c3","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c4","type":"function","function":{"name":"write","arguments":"{\"path\":\"buoy.c\",\"content\":\"x\"}"}}]}
<<< {"role":"tool","tool_call_id":"c4","content":"done"}
<<< {"role":"user","content":"Thanks."}
<<< {"role":"user","content":"Bye."}
>>> {"role":"user","content":"Mend the lamp."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"lamp.c\"}"}}]}
>>> {"role":"tool","tool_call_id":"c1","content":"[stale: the file was changed later]","metadata":{"compacted":true}}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"edit","arguments":"{\"path\":\"./lamp.c\",\"new\":\"lit\"}"}}]}
>>> {"role":"tool","tool_call_id":"c2","content":"done"}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c3","type":"function","function":{"name":"read","arguments":"{\"path\":\"buoy.c\"}"}}]}
>>> {"role":"tool","tool_call_id":"c3","content":"[stale: the file was changed later]","metadata":{"compacted":true}}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c4","type":"function","function":{"name":"write","arguments":"{\"path\":\"buoy.c\",\"content\":\"x\"}"}}]}
>>> {"role":"tool","tool_call_id":"c4","content":"done"}
>>> {"role":"user","content":"Thanks."}
>>> {"role":"user","content":"Bye."}
END
}

@test "ctx-compact: dedupe: a read is stale when a shell command writes the file" {
    spec <<'END'
ctx-compact --estimator bytes/4 --force
<<< {"role":"user","content":"Mend the lamp."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"lamp.c\"}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"bash","arguments":"{\"command\":\"sed -i s/dark/lit/ lamp.c && make\"}"}}]}
<<< {"role":"tool","tool_call_id":"c2","content":"ok"}
<<< {"role":"user","content":"Thanks."}
<<< {"role":"user","content":"Bye."}
>>> {"role":"user","content":"Mend the lamp."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"lamp.c\"}"}}]}
>>> {"role":"tool","tool_call_id":"c1","content":"[stale: the file was changed later]","metadata":{"compacted":true}}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"bash","arguments":"{\"command\":\"sed -i s/dark/lit/ lamp.c && make\"}"}}]}
>>> {"role":"tool","tool_call_id":"c2","content":"ok"}
>>> {"role":"user","content":"Thanks."}
>>> {"role":"user","content":"Bye."}
END
}

@test "ctx-compact: dedupe: an edit that failed, or is of another file, makes no read stale" {
    spec <<'END'
ctx-compact --estimator bytes/4 --force
<<< {"role":"user","content":"Mend the lamp."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"lamp.c\"}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"edit","arguments":"{\"path\":\"lamp.c\",\"new\":\"lit\"}"}}]}
<<< {"role":"tool","tool_call_id":"c2","content":"no match","metadata":{"is_error":true,"resolved":true}}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c3","type":"function","function":{"name":"edit","arguments":"{\"path\":\"a/lamp.c\",\"new\":\"lit\"}"}}]}
<<< {"role":"tool","tool_call_id":"c3","content":"done"}
<<< {"role":"user","content":"Thanks."}
<<< {"role":"user","content":"Bye."}
>>> {"role":"user","content":"Mend the lamp."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"lamp.c\"}"}}]}
>>> {"role":"tool","tool_call_id":"c1","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"edit","arguments":"{\"path\":\"lamp.c\",\"new\":\"lit\"}"}}]}
>>> {"role":"tool","tool_call_id":"c2","content":"no match","metadata":{"is_error":true,"resolved":true}}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c3","type":"function","function":{"name":"edit","arguments":"{\"path\":\"a/lamp.c\",\"new\":\"lit\"}"}}]}
>>> {"role":"tool","tool_call_id":"c3","content":"done"}
>>> {"role":"user","content":"Thanks."}
>>> {"role":"user","content":"Bye."}
END
}

@test "ctx-compact: dedupe: a read is superseded when a later one covers its lines" {
    spec <<'END'
ctx-compact --estimator bytes/4 --force
<<< {"role":"user","content":"Mend the lamp."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"lamp.c\",\"offset\":20,\"limit\":10}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"lines 20 to 29: The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"read","arguments":"{\"path\":\"lamp.c\",\"offset\":1,\"limit\":10}"}}]}
<<< {"role":"tool","tool_call_id":"c2","content":"lines 1 to 10: The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c3","type":"function","function":{"name":"read","arguments":"{\"path\":\"lamp.c\",\"offset\":15,\"limit\":20}"}}]}
<<< {"role":"tool","tool_call_id":"c3","content":"lines 15 to 34: The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"user","content":"Thanks."}
<<< {"role":"user","content":"Bye."}
>>> {"role":"user","content":"Mend the lamp."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"lamp.c\",\"offset\":20,\"limit\":10}"}}]}
>>> {"role":"tool","tool_call_id":"c1","content":"[superseded by a later read of the file]","metadata":{"compacted":true}}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"read","arguments":"{\"path\":\"lamp.c\",\"offset\":1,\"limit\":10}"}}]}
>>> {"role":"tool","tool_call_id":"c2","content":"lines 1 to 10: The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c3","type":"function","function":{"name":"read","arguments":"{\"path\":\"lamp.c\",\"offset\":15,\"limit\":20}"}}]}
>>> {"role":"tool","tool_call_id":"c3","content":"lines 15 to 34: The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
>>> {"role":"user","content":"Thanks."}
>>> {"role":"user","content":"Bye."}
END
}

@test "ctx-compact: dedupe: the same call made again leaves the last result" {
    spec <<'END'
ctx-compact --estimator bytes/4 --force
<<< {"role":"user","content":"Mend the lamp."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"survey","arguments":"{\"at\":\"pier\",\"deep\":true}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"first: The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"survey","arguments":"{ \"deep\":true, \"at\":\"pier\" }"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"second: The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c3","type":"function","function":{"name":"survey","arguments":"{\"at\":\"dock\",\"deep\":true}"}}]}
<<< {"role":"tool","tool_call_id":"c3","content":"third: The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"user","content":"Thanks."}
<<< {"role":"user","content":"Bye."}
>>> {"role":"user","content":"Mend the lamp."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"survey","arguments":"{\"at\":\"pier\",\"deep\":true}"}}]}
>>> {"role":"tool","tool_call_id":"c1","content":"[duplicate: the call was made again later]","metadata":{"compacted":true}}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"survey","arguments":"{ \"deep\":true, \"at\":\"pier\" }"}}]}
>>> {"role":"tool","tool_call_id":"c1","content":"second: The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c3","type":"function","function":{"name":"survey","arguments":"{\"at\":\"dock\",\"deep\":true}"}}]}
>>> {"role":"tool","tool_call_id":"c3","content":"third: The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
>>> {"role":"user","content":"Thanks."}
>>> {"role":"user","content":"Bye."}
END
}

@test "ctx-compact: dedupe: errors are no duplicates, and what was compacted proves nothing" {
    spec <<'END'
ctx-compact --estimator bytes/4 --force
<<< {"role":"user","content":"Mend the lamp."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"survey","arguments":"{\"at\":\"pier\"}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"error: The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.","metadata":{"is_error":true,"resolved":true}}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"survey","arguments":"{\"at\":\"pier\"}"}}]}
<<< {"role":"tool","tool_call_id":"c2","content":"good: The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c3","type":"function","function":{"name":"survey","arguments":"{\"at\":\"pier\"}"}}]}
<<< {"role":"tool","tool_call_id":"c3","content":"[somebody shortened this]","metadata":{"compacted":true}}
<<< {"role":"user","content":"Thanks."}
<<< {"role":"user","content":"Bye."}
>>> {"role":"user","content":"Mend the lamp."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"survey","arguments":"{\"at\":\"pier\"}"}}]}
>>> {"role":"tool","tool_call_id":"c1","content":"error: The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.","metadata":{"is_error":true,"resolved":true}}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"survey","arguments":"{\"at\":\"pier\"}"}}]}
>>> {"role":"tool","tool_call_id":"c2","content":"good: The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c3","type":"function","function":{"name":"survey","arguments":"{\"at\":\"pier\"}"}}]}
>>> {"role":"tool","tool_call_id":"c3","content":"[somebody shortened this]","metadata":{"compacted":true}}
>>> {"role":"user","content":"Thanks."}
>>> {"role":"user","content":"Bye."}
END
}

@test "ctx-compact: prune: a long result keeps head and tail, cut on a code point boundary" {
    spec <<'END'
ctx-compact --estimator bytes/4 --force --prune-over 100 --pipeline prune
<<< {"role":"user","content":"Go."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"äöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA€uro€uro€uro€uro€uro€uro€uro€uro€uro€uro€uro€uro€uro€uro€uro€uro€uro€uro€uro€uro"}
<<< {"role":"user","content":"Thanks."}
<<< {"role":"user","content":"Bye."}
>>> {"role":"user","content":"Go."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]}
>>> {"role":"tool","tool_call_id":"c1","content":"äöüäöüäöüäöü\n[… 173 bytes cut …]\no€uro€uro€uro€uro","metadata":{"compacted":true}}
>>> {"role":"user","content":"Thanks."}
>>> {"role":"user","content":"Bye."}
END
}

@test "ctx-compact: prune: never cuts inside an escape" {
    spec <<'END'
ctx-compact --estimator bytes/4 --force --prune-over 100 --pipeline prune
<<< {"role":"user","content":"Go."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"\u00e4\ud83d\ude00\n\\\u00e4\ud83d\ude00\n\\\u00e4\ud83d\ude00\n\\\u00e4\ud83d\ude00\n\\\u00e4\ud83d\ude00\n\\\u00e4\ud83d\ude00\n\\\u00e4\ud83d\ude00\n\\\u00e4\ud83d\ude00\n\\\u00e4\ud83d\ude00\n\\\u00e4\ud83d\ude00\n\\\u00e4\ud83d\ude00\n\\\u00e4\ud83d\ude00\n\\\u00e4\ud83d\ude00\n\\\u00e4\ud83d\ude00\n\\\u00e4\ud83d\ude00\n\\\u00e4\ud83d\ude00\n\\\u00e4\ud83d\ude00\n\\\u00e4\ud83d\ude00\n\\\u00e4\ud83d\ude00\n\\\u00e4\ud83d\ude00\n\\"}
<<< {"role":"user","content":"Thanks."}
<<< {"role":"user","content":"Bye."}
>>> {"role":"user","content":"Go."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]}
>>> {"role":"tool","tool_call_id":"c1","content":"ä😀\n\\ä😀\n\\ä😀\n\\\n[… 111 bytes cut …]\n\\ä😀\n\\ä😀\n\\ä😀\n\\","metadata":{"compacted":true}}
>>> {"role":"user","content":"Thanks."}
>>> {"role":"user","content":"Bye."}
END
}

@test "ctx-compact: prune: error lines and the exit status of a shell result stay" {
    spec <<'END'
ctx-compact --estimator bytes/4 --force --prune-over 200 --pipeline prune
<<< {"role":"user","content":"Go."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"bash","arguments":"{\"command\":\"make\"}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"cc -c f0.c\ncc -c f1.c\ncc -c f2.c\ncc -c f3.c\ncc -c f4.c\ncc -c f5.c\ncc -c f6.c\ncc -c f7.c\ncc -c f8.c\ncc -c f9.c\nf11.c:3: Error: no lamp\ncc -c f12.c\ncc -c f13.c\ncc -c f14.c\ncc -c f15.c\ncc -c f16.c\ncc -c f17.c\ncc -c f18.c\ncc -c f19.c\ncc -c f20.c\ncc -c f21.c\ncc -c f22.c\ncc -c f23.c\ncc -c f24.c\ncc -c f25.c\ncc -c f26.c\ncc -c f27.c\ncc -c f28.c\ncc -c f29.c\nmake: exit status 2\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\n"}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"look","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"c2","content":"cc -c f0.c\ncc -c f1.c\ncc -c f2.c\ncc -c f3.c\ncc -c f4.c\ncc -c f5.c\ncc -c f6.c\ncc -c f7.c\ncc -c f8.c\ncc -c f9.c\ncc -c f10.c\ncc -c f11.c\nf12.c:3: Error: no lamp\ncc -c f13.c\ncc -c f14.c\ncc -c f15.c\ncc -c f16.c\ncc -c f17.c\ncc -c f18.c\ncc -c f19.c\ncc -c f20.c\ncc -c f21.c\ncc -c f22.c\ncc -c f23.c\ncc -c f24.c\ncc -c f25.c\ncc -c f26.c\ncc -c f27.c\ncc -c f28.c\ncc -c f29.c\n"}
<<< {"role":"user","content":"Thanks."}
<<< {"role":"user","content":"Bye."}
>>> {"role":"user","content":"Go."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"bash","arguments":"{\"command\":\"make\"}"}}]}
>>> {"role":"tool","tool_call_id":"c1","content":"cc -c f0.c\ncc -c f1.c\ncc -c f2.c\ncc -c f3.c\ncc -c \n[… 346 bytes cut …]\nf11.c:3: Error: no lamp\nmake: exit status 2\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\n","metadata":{"compacted":true}}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"look","arguments":"{}"}}]}
>>> {"role":"tool","tool_call_id":"c2","content":"cc -c f0.c\ncc -c f1.c\ncc -c f2.c\ncc -c f3.c\ncc -c \n[… 262 bytes cut …]\nc\ncc -c f26.c\ncc -c f27.c\ncc -c f28.c\ncc -c f29.c\n","metadata":{"compacted":true}}
>>> {"role":"user","content":"Thanks."}
>>> {"role":"user","content":"Bye."}
END
}

@test "ctx-compact: prune: text parts of a result are cut one by one" {
    spec <<'END'
ctx-compact --estimator bytes/4 --force --prune-over 100 --pipeline prune
<<< {"role":"user","content":"Go."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":[{"type":"text","text":"short"},{"type":"text","text":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbcccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc"}]}
<<< {"role":"user","content":"Thanks."}
<<< {"role":"user","content":"Bye."}
>>> {"role":"user","content":"Go."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]}
>>> {"role":"tool","tool_call_id":"c1","content":[{"type":"text","text":"short"},{"type":"text","text":"aaaaaaaaaaaaaaaaaaaaaaaaa\n[… 130 bytes cut …]\nccccccccccccccccccccccccc"}],"metadata":{"compacted":true}}
>>> {"role":"user","content":"Thanks."}
>>> {"role":"user","content":"Bye."}
END
}

@test "ctx-compact: prune: long strings in arguments go, the JSON and the path stay" {
    spec <<'END'
ctx-compact --estimator bytes/4 --force --prune-over 100 --pipeline prune
<<< {"role":"user","content":"Go."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"write","arguments":"{\"path\":\"d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/lamp.c\",\"content\":\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\\n\\\"quoted\\\"\\\\BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB\",\"mode\":[1,{\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\":\"y\"}]}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"ok"}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"other","arguments":{"a":"ZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZ","b":[1.250,null]}}}]}
<<< {"role":"tool","tool_call_id":"c2","content":"ok"}
<<< {"role":"user","content":"Thanks."}
<<< {"role":"user","content":"Bye."}
>>> {"role":"user","content":"Go."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"write","arguments":"{\"path\":\"d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/lamp.c\",\"content\":\"AAAAAAAAAAAAAAAAAAAAAAAAA\\n[… 160 bytes cut …]\\nBBBBBBBBBBBBBBBBBBBBBBBBB\",\"mode\":[1,{\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\":\"y\"}]}"}}],"metadata":{"compacted":true}}
>>> {"role":"tool","tool_call_id":"c1","content":"ok"}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"other","arguments":{"a":"ZZZZZZZZZZZZZZZZZZZZZZZZZ\n[… 250 bytes cut …]\nZZZZZZZZZZZZZZZZZZZZZZZZZ","b":[1.250,null]}}}],"metadata":{"compacted":true}}
>>> {"role":"tool","tool_call_id":"c2","content":"ok"}
>>> {"role":"user","content":"Thanks."}
>>> {"role":"user","content":"Bye."}
END
}

@test "ctx-compact: prune: a shell command that would no longer show what it writes stays" {
    spec <<'END'
ctx-compact --estimator bytes/4 --force --prune-over 100 --pipeline prune
<<< {"role":"user","content":"Go."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"bash","arguments":"{\"command\":\"cat >lamp.c <<EOF\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nlit\\nEOF\"}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"ok"}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"bash","arguments":"{\"command\":\"echo dark dark dark dark dark dark dark dark dark dark dark dark dark dark dark dark dark dark dark dark dark dark dark dark dark dark dark dark dark dark >lamp.c; echo lit echo lit echo lit echo lit echo lit echo lit echo lit echo lit echo lit echo lit echo lit echo lit echo lit echo lit echo lit echo lit echo lit echo lit echo lit echo lit \"}"}}]}
<<< {"role":"tool","tool_call_id":"c2","content":"ok"}
<<< {"role":"user","content":"Thanks."}
<<< {"role":"user","content":"Bye."}
>>> {"role":"user","content":"Go."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"bash","arguments":"{\"command\":\"cat >lamp.c <<EOF\\nlit\\nlit\\n[… 211 bytes cut …]\\nt\\nlit\\nlit\\nlit\\nlit\\nlit\\nEOF\"}"}}],"metadata":{"compacted":true}}
>>> {"role":"tool","tool_call_id":"c1","content":"ok"}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"bash","arguments":"{\"command\":\"echo dark dark dark dark dark dark dark dark dark dark dark dark dark dark dark dark dark dark dark dark dark dark dark dark dark dark dark dark dark dark >lamp.c; echo lit echo lit echo lit echo lit echo lit echo lit echo lit echo lit echo lit echo lit echo lit echo lit echo lit echo lit echo lit echo lit echo lit echo lit echo lit echo lit \"}"}}]}
>>> {"role":"tool","tool_call_id":"c2","content":"ok"}
>>> {"role":"user","content":"Thanks."}
>>> {"role":"user","content":"Bye."}
END
}

@test "ctx-compact: prune: arguments that are no JSON are a text" {
    spec <<'END'
ctx-compact --estimator bytes/4 --force --prune-over 100 --pipeline prune
<<< {"role":"user","content":"Go."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"patch","arguments":"*** Begin Patch\n+ a line\n+ a line\n+ a line\n+ a line\n+ a line\n+ a line\n+ a line\n+ a line\n+ a line\n+ a line\n+ a line\n+ a line\n+ a line\n+ a line\n+ a line\n+ a line\n+ a line\n+ a line\n+ a line\n+ a line\n+ a line\n+ a line\n+ a line\n+ a line\n+ a line\n+ a line\n+ a line\n+ a line\n+ a line\n+ a line\n"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"ok"}
<<< {"role":"user","content":"Thanks."}
<<< {"role":"user","content":"Bye."}
>>> {"role":"user","content":"Go."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"patch","arguments":"*** Begin Patch\n+ a line\n\n[… 236 bytes cut …]\na line\n+ a line\n+ a line\n"}}],"metadata":{"compacted":true}}
>>> {"role":"tool","tool_call_id":"c1","content":"ok"}
>>> {"role":"user","content":"Thanks."}
>>> {"role":"user","content":"Bye."}
END
}

@test "ctx-compact: prune: thinking older than the newest turn becomes a placeholder" {
    spec <<'END'
ctx-compact --estimator bytes/4 --force --prune-over 100 --pipeline prune --keep-turns 0
<<< {"role":"user","content":"Go."}
<<< {"role":"assistant","content":[{"type":"thinking","thinking":"Let me think about this lamp for a good while. Let me think about this lamp for a good while. Let me think about this lamp for a good while. ","signature":"c2ln"},{"type":"text","text":"Going."}]}
<<< {"role":"user","content":"On."}
<<< {"role":"assistant","content":[{"type":"thinking","thinking":"And now the other lamp, which is dark as well. And now the other lamp, which is dark as well. And now the other lamp, which is dark as well. ","signature":"c2ln"},{"type":"text","text":"On it."}]}
<<< {"role":"assistant","content":"Done."}
>>> {"role":"user","content":"Go."}
>>> {"role":"assistant","content":[{"type":"thinking","thinking":"[removed]"},{"type":"text","text":"Going."}],"metadata":{"compacted":true}}
>>> {"role":"user","content":"On."}
>>> {"role":"assistant","content":[{"type":"thinking","thinking":"And now the other lamp, which is dark as well. And now the other lamp, which is dark as well. And now the other lamp, which is dark as well. ","signature":"c2ln"},{"type":"text","text":"On it."}]}
>>> {"role":"assistant","content":"Done."}
END
}

@test "ctx-compact: prune: inline media become placeholders where that saves tokens" {
    spec <<'END'
ctx-compact --force --prune-over 100 --pipeline prune
<<< {"role":"user","content":"Go."}
<<< {"role":"user","content":[{"type":"text","text":"This lamp:"},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBOiVBOiVBOiVBOiVBOiVBOiVBOiVBOiVBOiVBOiVBOiVBOiVBOiVBOiVBOiVBOiVBOiVBOiVBOiVBOiVBOiVBOiVBOiVBOiVBOiVBOiVBOiVBOiVBOiVBOiVBOiVBOiVBOiVBOiVBOiVBOiVBOiVBOiVBOiVBO"}}]}
<<< {"role":"user","content":[{"type":"image_url","image_url":{"url":"https://example.org/lamp.png"}}]}
<<< {"role":"assistant","content":"Dark."}
<<< {"role":"user","content":"Thanks."}
<<< {"role":"user","content":"Bye."}
>>> {"role":"user","content":"Go."}
>>> {"role":"user","content":[{"type":"text","text":"This lamp:"},{"type":"text","text":"[image removed]"}],"metadata":{"compacted":true}}
>>> {"role":"user","content":[{"type":"image_url","image_url":{"url":"https://example.org/lamp.png"}}]}
>>> {"role":"assistant","content":"Dark."}
>>> {"role":"user","content":"Thanks."}
>>> {"role":"user","content":"Bye."}
END
}

@test "ctx-compact: prune: cut results become placeholders, oldest first, as long as that is needed" {
    spec <<'END'
ctx-compact --estimator bytes/4 --window 1k --target 95 --prune-over 100 --keep-turns 1 --soft 0
<<< {"role":"user","content":"Go."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"first first first first first first first first first first first first first first first first first first first first first first first first first first first first first first "}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"look","arguments":"{\"n\":2}"}}]}
<<< {"role":"tool","tool_call_id":"c2","content":"second second second second second second second second second second second second second second second second second second second second second second second second second second second second second second "}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c3","type":"function","function":{"name":"look","arguments":"{\"n\":3}"}}]}
<<< {"role":"tool","tool_call_id":"c3","content":"third third third third third third third third third third third third third third third third third third third third third third third third third third third third third third "}
<<< {"role":"user","content":"Bye."}
>>> {"role":"user","content":"Go."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]}
>>> {"role":"tool","tool_call_id":"c1","content":"[old result removed]","metadata":{"compacted":true}}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"look","arguments":"{\"n\":2}"}}]}
>>> {"role":"tool","tool_call_id":"c2","content":"second second second seco\n[… 160 bytes cut …]\nond second second second ","metadata":{"compacted":true}}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c3","type":"function","function":{"name":"look","arguments":"{\"n\":3}"}}]}
>>> {"role":"tool","tool_call_id":"c3","content":"third third third third t\n[… 130 bytes cut …]\n third third third third ","metadata":{"compacted":true}}
>>> {"role":"user","content":"Bye."}
END
}

@test "ctx-compact: prune: error text of an unresolved group is cut, the group stays" {
    spec <<'END'
ctx-compact --estimator bytes/4 --force --prune-over 100 --pipeline prune --error-tokens 20
<<< {"role":"user","content":"Go."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"bash","arguments":"{\"command\":\"make\",\"why\":\"wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww\"}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"error: no lamp here no lamp here no lamp here no lamp here no lamp here no lamp here no lamp here no lamp here no lamp here no lamp here no lamp here no lamp here no lamp here no lamp here no lamp here no lamp here no lamp here no lamp here no lamp here no lamp here ","metadata":{"is_error":true}}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"bash","arguments":"{\"command\":\"make\"}"}}]}
<<< {"role":"tool","tool_call_id":"c2","content":"error: no lamp there no lamp there no lamp there no lamp there no lamp there no lamp there no lamp there no lamp there no lamp there no lamp there no lamp there no lamp there no lamp there no lamp there no lamp there no lamp there no lamp there no lamp there no lamp there no lamp there ","metadata":{"is_error":true}}
<<< {"role":"user","content":"Thanks."}
<<< {"role":"user","content":"Bye."}
>>> {"role":"user","content":"Go."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"bash","arguments":"{\"command\":\"make\",\"why\":\"wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww\"}"}}]}
>>> {"role":"tool","tool_call_id":"c1","content":"error: no lam\n[… 241 bytes cut …]\nno lamp here ","metadata":{"is_error":true,"compacted":true}}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"bash","arguments":"{\"command\":\"make\"}"}}]}
>>> {"role":"tool","tool_call_id":"c2","content":"error: no lam\n[… 261 bytes cut …]\no lamp there ","metadata":{"is_error":true,"compacted":true}}
>>> {"role":"user","content":"Thanks."}
>>> {"role":"user","content":"Bye."}
END
    spec <<'END'
ctx-compact --estimator bytes/4 --force --prune-over 100 --pipeline prune --error-tokens 20
<<< {"role":"user","content":"Go."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"bash","arguments":"{\"command\":\"make\"}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"error: no lamp here no lamp here no lamp here no lamp here no lamp here no lamp here no lamp here no lamp here no lamp here no lamp here no lamp here no lamp here no lamp here no lamp here no lamp here no lamp here no lamp here no lamp here no lamp here no lamp here ","metadata":{"is_error":true}}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"bash","arguments":"{\"command\":\"make\"}"}}]}
<<< {"role":"tool","tool_call_id":"c2","content":"ok"}
<<< {"role":"user","content":"Thanks."}
<<< {"role":"user","content":"Bye."}
>>> {"role":"user","content":"Go."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"bash","arguments":"{\"command\":\"make\"}"}}]}
>>> {"role":"tool","tool_call_id":"c1","content":"error: no lamp here no la\n[… 217 bytes cut …]\no lamp here no lamp here ","metadata":{"is_error":true,"compacted":true}}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"bash","arguments":"{\"command\":\"make\"}"}}]}
>>> {"role":"tool","tool_call_id":"c2","content":"ok"}
>>> {"role":"user","content":"Thanks."}
>>> {"role":"user","content":"Bye."}
END
}

@test "ctx-compact: truncate: whole groups and messages go, oldest first, and leave their facts" {
    spec <<'END'
ctx-compact --estimator bytes/4 --window 1k --target 60 --soft 0 --keep-turns 1 --pipeline truncate
<<< {"role":"system","content":"Be brief."}
<<< {"role":"user","content":"Mend the lamps."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"lamp.c\"}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":"Read it."}
<<< {"role":"user","content":"And then?"}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"edit","arguments":"{\"path\":\"lamp.c\",\"new\":\"lit lit lit lit lit lit lit lit lit lit lit lit lit lit lit lit lit lit lit lit lit lit lit lit lit lit lit lit lit lit lit lit lit lit lit lit lit lit lit lit \"}"}}]}
<<< {"role":"tool","tool_call_id":"c2","content":"done"}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c3","type":"function","function":{"name":"bash","arguments":"{\"command\":\"echo lit >>log.txt; rm old.txt\"}"}}]}
<<< {"role":"tool","tool_call_id":"c3","content":"ok"}
<<< {"role":"assistant","content":"Mended."}
<<< {"role":"user","content":"Bye."}
>>> {"role":"system","content":"Be brief."}
>>> {"role":"user","content":"Mend the lamps."}
>>> {"role":"user","content":"[summary] 8 earlier messages were dropped to save context.\nFiles read: lamp.c\nFiles modified: lamp.c, log.txt, old.txt","metadata":{"kind":"summary","scope":"historical","compacted":true,"facts":{"dropped":8,"kept":2,"files_read":["lamp.c"],"files_modified":["lamp.c","log.txt","old.txt"],"unresolved":[],"covers":[[3,10]]}}}
>>> {"role":"assistant","content":"Mended."}
>>> {"role":"user","content":"Bye."}
END
}

@test "ctx-compact: truncate: drops no more than is needed" {
    spec <<'END'
ctx-compact --estimator bytes/4 --window 1k --target 150 --soft 0 --keep-turns 1 --pipeline truncate
<<< {"role":"system","content":"Be brief."}
<<< {"role":"user","content":"Mend the lamps."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"lamp.c\"}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":"Read it. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"user","content":"And then?"}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"read","arguments":"{\"path\":\"buoy.c\"}"}}]}
<<< {"role":"tool","tool_call_id":"c2","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":"Mended."}
<<< {"role":"user","content":"Bye."}
>>> {"role":"system","content":"Be brief."}
>>> {"role":"user","content":"Mend the lamps."}
>>> {"role":"user","content":"[summary] 2 earlier messages were dropped to save context.\nFiles read: lamp.c","metadata":{"kind":"summary","scope":"historical","compacted":true,"facts":{"dropped":2,"kept":6,"files_read":["lamp.c"],"files_modified":[],"unresolved":[],"covers":[[3,4]]}}}
>>> {"role":"assistant","content":"Read it. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
>>> {"role":"user","content":"And then?"}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"read","arguments":"{\"path\":\"buoy.c\"}"}}]}
>>> {"role":"tool","tool_call_id":"c2","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
>>> {"role":"assistant","content":"Mended."}
>>> {"role":"user","content":"Bye."}
END
}

@test "ctx-compact: truncate: one artifact takes the facts of the next messages, and none is stacked" {
    spec <<'END'
ctx-compact --estimator bytes/4 --window 1k --target 75 --soft 0 --keep-turns 1 --pipeline truncate
<<< {"role":"system","content":"Be brief."}
<<< {"role":"user","content":"Mend the lamps."}
<<< {"role":"user","content":"[summary] 3 earlier messages were dropped to save context.\nFiles read: pier.c, lamp.c","metadata":{"kind":"summary","scope":"historical","compacted":true,"facts":{"dropped":3,"kept":2,"files_read":["pier.c","lamp.c"],"files_modified":[],"unresolved":["make failed"],"covers":[[3,4],[6,6]]}}}
<<< {"role":"assistant","content":"Read it. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"read","arguments":"{\"path\":\"pier.c\"}"}}]}
<<< {"role":"tool","tool_call_id":"c2","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c3","type":"function","function":{"name":"write","arguments":"{\"path\":\"log.txt\",\"content\":\"x\"}"}}]}
<<< {"role":"tool","tool_call_id":"c3","content":"ok"}
<<< {"role":"user","content":"Bye."}
>>> {"role":"system","content":"Be brief."}
>>> {"role":"user","content":"Mend the lamps."}
>>> {"role":"user","content":"[summary] 6 earlier messages were dropped to save context.\nFiles read: lamp.c, pier.c\nUnresolved: make failed","metadata":{"kind":"summary","scope":"historical","compacted":true,"facts":{"dropped":6,"kept":3,"files_read":["lamp.c","pier.c"],"files_modified":[],"unresolved":["make failed"],"covers":[[3,8]]}}}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c3","type":"function","function":{"name":"write","arguments":"{\"path\":\"log.txt\",\"content\":\"x\"}"}}]}
>>> {"role":"tool","tool_call_id":"c3","content":"ok"}
>>> {"role":"user","content":"Bye."}
END
}

@test "ctx-compact: truncate: facts of trace artifacts go into the artifact" {
    spec <<'END'
ctx-compact --estimator bytes/4 --window 1k --target 75 --soft 0 --keep-turns 1 --pipeline truncate
<<< {"role":"user","content":"Mend the lamps."}
<<< {"role":"assistant","content":"[trace] read lamp.c: ok, 9 kB The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.","metadata":{"kind":"trace","scope":"historical","is_trace":true,"compacted":true,"facts":{"tool":"read","target":"lamp.c","op":"read","outcome":"ok"}}}
<<< {"role":"assistant","content":"[trace] edit a.c: ok; edit b.c: error The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.","metadata":{"kind":"trace","scope":"historical","is_trace":true,"compacted":true,"facts":{"calls":[{"tool":"edit","target":"a.c","op":"edit","outcome":"ok"},{"tool":"edit","target":"b.c","op":"edit","outcome":"error"}]}}}
<<< {"role":"assistant","content":"Mended. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"user","content":"Bye."}
>>> {"role":"user","content":"Mend the lamps."}
>>> {"role":"user","content":"[summary] 3 earlier messages were dropped to save context.\nFiles read: lamp.c\nFiles modified: a.c","metadata":{"kind":"summary","scope":"historical","compacted":true,"facts":{"dropped":3,"kept":1,"files_read":["lamp.c"],"files_modified":["a.c"],"unresolved":[],"covers":[[2,4]]}}}
>>> {"role":"user","content":"Bye."}
END
}

@test "ctx-compact: truncate: names the newest fifty files of a kind and counts the others" {
    {
        printf '{"role":"user","content":"Mend the lamps."}\n'
        for n in {0..59}; do
            printf '{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"read","arguments":"{\\"path\\":\\"f%s.c\\"}"}}]}\n' $((n % 55))
            printf '{"role":"tool","tool_call_id":"c","content":"ok"}\n'
        done
        printf '{"role":"user","content":"Bye."}\n'
    } >log
    spec <<'END'
ctx-compact --estimator bytes/4 --window 1k --target 60 --soft 0 --keep-turns 1 log |
jq -c 'select(.metadata) | .content, (.metadata.facts | [.dropped, (.files_read | length), .files_read[0], .files_read[-1], .files_read_more])'
>>> "[summary] 120 earlier messages were dropped to save context.\nFiles read: f40.c, f41.c, f42.c, f43.c, f44.c, f45.c, f46.c, f47.c, f48.c, f49.c, f50.c, f51.c, f52.c, f53.c, f54.c, f0.c, f1.c, f2.c, f3.c, f4.c and 35 more"
>>> [120,50,"f10.c","f4.c",5]
END
}

@test "ctx-compact: truncate: the newest summary of somebody else is not dropped but cut" {
    spec <<'END'
ctx-compact --estimator bytes/4 --window 1k --target 60 --soft 0 --keep-turns 1 --pipeline truncate --prune-over 200
<<< {"role":"user","content":"Mend the lamps."}
<<< {"role":"user","content":"An old summary. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.","metadata":{"kind":"summary"}}
<<< {"role":"user","content":"A summary. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.","metadata":{"kind":"summary"}}
<<< {"role":"assistant","content":"On it. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"user","content":"Bye."}
>>> {"role":"user","content":"Mend the lamps."}
>>> {"role":"user","content":"[summary] 2 earlier messages were dropped to save context.","metadata":{"kind":"summary","scope":"historical","compacted":true,"facts":{"dropped":2,"kept":2,"files_read":[],"files_modified":[],"unresolved":[],"covers":[[2,2],[4,4]]}}}
>>> {"role":"user","content":"A summary. The lamp of buoy 7 was dark when we cam\n[… 313 bytes cut …]\ne by. The lamp of buoy 7 was dark when we came by.","metadata":{"kind":"summary","compacted":true}}
>>> {"role":"user","content":"Bye."}
END
}

@test "ctx-compact: truncate: a group is no summary, whatever kind it says" {
    spec <<'END'
ctx-compact --estimator bytes/4 --window 1k --target 50 --soft 0 --keep-turns 1
<<< {"role":"user","content":"Mend the lamps."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}],"metadata":{"kind":"summary"}}
<<< {"role":"tool","tool_call_id":"c1","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"look","arguments":"{\"at\":8}"}}]}
<<< {"role":"tool","tool_call_id":"c2","content":"The lamp of buoy 8 was dark when we came by. The lamp of buoy 8 was dark when we came by. The lamp of buoy 8 was dark when we came by.","metadata":{"kind":"summary","compacted":true,"facts":{"dropped":1}}}
<<< {"role":"user","content":"Bye."}
>>> {"role":"user","content":"Mend the lamps."}
>>> {"role":"user","content":"[summary] 5 earlier messages were dropped to save context.","metadata":{"kind":"summary","scope":"historical","compacted":true,"facts":{"dropped":5,"kept":1,"files_read":[],"files_modified":[],"unresolved":[],"covers":[[2,5]]}}}
>>> {"role":"user","content":"Bye."}
END
}

@test "ctx-compact: truncate: a session stays that of its own agent" {
    spec <<'END'
ctx-compact --estimator bytes/4 --window 1k --target 20 --soft 0 --keep-turns 1
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]}
<<< {"role":"assistant","content":"On it. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":"From below.","metadata":{"parent_execution_id":"#0"}}
<<< {"role":"tool","tool_call_id":"c1","content":"It is dark."}
<<< {"role":"assistant","content":"Done. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"user","content":"Mend the lamps."}
<<< {"role":"user","content":"Bye."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]}
>>> {"role":"assistant","content":"From below.","metadata":{"parent_execution_id":"#0"}}
>>> {"role":"tool","tool_call_id":"c1","content":"It is dark."}
>>> {"role":"user","content":"Mend the lamps."}
>>> {"role":"user","content":"[summary] 2 earlier messages were dropped to save context.","metadata":{"kind":"summary","scope":"historical","compacted":true,"facts":{"dropped":2,"kept":1,"files_read":[],"files_modified":[],"unresolved":[],"covers":[[2,2],[4,4]]}}}
>>> {"role":"user","content":"Bye."}
END
    spec <<'END'
ctx-compact --estimator bytes/4 --window 1k --target 20 --soft 0 --keep-turns 1
<<< {"role":"assistant","content":"On it. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"system","content":"Be brief."}
<<< {"role":"assistant","content":"From below.","metadata":{"parent_execution_id":"#0"}}
<<< {"role":"user","content":"Mend the lamps."}
<<< {"role":"user","content":"Bye."}
>>> {"role":"system","content":"Be brief."}
>>> {"role":"assistant","content":"From below.","metadata":{"parent_execution_id":"#0"}}
>>> {"role":"user","content":"Mend the lamps."}
>>> {"role":"user","content":"[summary] 1 earlier message was dropped to save context.","metadata":{"kind":"summary","scope":"historical","compacted":true,"facts":{"dropped":1,"kept":1,"files_read":[],"files_modified":[],"unresolved":[],"covers":[[1,1]]}}}
>>> {"role":"user","content":"Bye."}
END
}

@test "ctx-compact: truncate: the artifact of a sub-agent's own stream is in its thread" {
    cat >log <<'END'
{"role":"assistant","content":"On it. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.","metadata":{"agent_id":"sub","parent_execution_id":"#1"}}
{"role":"assistant","content":"From above."}
{"role":"user","content":"Bye.","metadata":{"agent_id":"sub","parent_execution_id":"#1","origin":"injected"}}
END
    spec <<'END'
ctx-compact --estimator bytes/4 --window 1k --target 10 --soft 0 --keep-turns 0 log
>>> {"role":"user","content":"[summary] 1 earlier message was dropped to save context.","metadata":{"kind":"summary","scope":"historical","agent_id":"sub","parent_execution_id":"#1","compacted":true,"facts":{"dropped":1,"kept":1,"files_read":[],"files_modified":[],"unresolved":[],"covers":[[1,1]]}}}
>>> {"role":"assistant","content":"From above."}
>>> {"role":"user","content":"Bye.","metadata":{"agent_id":"sub","parent_execution_id":"#1","origin":"injected"}}
END
    spec <<'END'
{ ctx-compact --estimator bytes/4 --window 1k --target 10 --soft 0 --keep-turns 0 log; sed -n '1s/On it/Again/p' log; sed -n 3p log; } |
ctx-compact --estimator bytes/4 --window 1k --target 10 --soft 0 --keep-turns 0 | jq -c '[.metadata.agent_id, .metadata.facts.dropped, .metadata.facts.covers]'
>>> ["sub",3,[[1,3]]]
>>> [null,null,null]
>>> ["sub",null,null]
END
}

@test "ctx-compact: truncate: drops nothing when the artifact would weigh more" {
    spec <<'END'
ctx-compact --estimator bytes/4 --window 1k --target 10 --soft 0 --keep-turns 1 --pipeline truncate
<<< {"role":"user","content":"Mend the lamps."}
<<< {"role":"assistant","content":"a"}
<<< {"role":"user","content":"b"}
<<< {"role":"user","content":"Bye."}
>>> {"role":"user","content":"Mend the lamps."}
>>> {"role":"assistant","content":"a"}
>>> {"role":"user","content":"b"}
>>> {"role":"user","content":"Bye."}
END
}

@test "ctx-compact: invariant 1: system and developer messages, the context and the first message of the user stay" {
    spec <<'END'
ctx-compact --estimator bytes/4 --window 1k --soft 0 --target 20 --prune-over 10 --keep-turns 1
<<< {"type":"context","system_prompt":"You keep lamps."}
<<< {"role":"system","content":"Be brief. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":"Before anybody asks. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"user","content":"Mend the lamps. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"developer","content":"Times are local. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":"Mended. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"system","content":"A late rule. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"user","content":"More of it. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"user","content":"Bye."}
>>> {"type":"context","system_prompt":"You keep lamps."}
>>> {"role":"system","content":"Be brief. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
>>> {"role":"user","content":"Mend the lamps. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
>>> {"role":"user","content":"[summary] 3 earlier messages were dropped to save context.","metadata":{"kind":"summary","scope":"historical","compacted":true,"facts":{"dropped":3,"kept":3,"files_read":[],"files_modified":[],"unresolved":[],"covers":[[2,2],[5,5],[7,7]]}}}
>>> {"role":"developer","content":"Times are local. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
>>> {"role":"system","content":"A late rule. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
>>> {"role":"user","content":"Bye."}
END
}

@test "ctx-compact: invariant 2: groups go whole, parallel calls and repeated ids included" {
    spec <<'END'
ctx-compact --estimator bytes/4 --window 1k --soft 0 --target 150 --keep-turns 1
<<< {"role":"user","content":"Look."}
<<< {"role":"assistant","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.","tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{\"n\":1}"}},{"id":"c2","type":"function","function":{"name":"look","arguments":"{\"n\":2}"}}]}
<<< {"role":"tool","tool_call_id":"c2","content":"two"}
<<< {"role":"user","content":"(quickly)"}
<<< {"role":"tool","tool_call_id":"c1","content":"one"}
<<< {"role":"assistant","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.","tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{\"n\":3}"}}]}
<<< {"role":"assistant","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.","tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{\"n\":4}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"four"}
<<< {"role":"tool","tool_call_id":"c1","content":"three"}
<<< {"role":"assistant","content":"Dark."}
<<< {"role":"user","content":"Bye."}
>>> {"role":"user","content":"Look."}
>>> {"role":"user","content":"[summary] 3 earlier messages were dropped to save context.","metadata":{"kind":"summary","scope":"historical","compacted":true,"facts":{"dropped":3,"kept":7,"files_read":[],"files_modified":[],"unresolved":[],"covers":[[2,3],[5,5]]}}}
>>> {"role":"user","content":"(quickly)"}
>>> {"role":"assistant","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.","tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{\"n\":3}"}}]}
>>> {"role":"assistant","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.","tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{\"n\":4}"}}]}
>>> {"role":"tool","tool_call_id":"c1","content":"four"}
>>> {"role":"tool","tool_call_id":"c1","content":"three"}
>>> {"role":"assistant","content":"Dark."}
>>> {"role":"user","content":"Bye."}
END
}

@test "ctx-compact: invariant 3: the newest two turns stay, or as many as --keep-turns says" {
    spec <<'END'
ctx-compact --estimator bytes/4 --force --prune-over 50
<<< {"role":"user","content":"One."}
<<< {"role":"user","content":"Turn 2."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"look","arguments":"{\"n\":2}"}}]}
<<< {"role":"tool","tool_call_id":"c2","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":"Dark."}
<<< {"role":"user","content":"Turn 3."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c3","type":"function","function":{"name":"look","arguments":"{\"n\":3}"}}]}
<<< {"role":"tool","tool_call_id":"c3","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":"Dark."}
<<< {"role":"user","content":"Turn 4."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c4","type":"function","function":{"name":"look","arguments":"{\"n\":4}"}}]}
<<< {"role":"tool","tool_call_id":"c4","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":"Dark."}
>>> {"role":"user","content":"One."}
>>> {"role":"user","content":"Turn 2."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"look","arguments":"{\"n\":2}"}}]}
>>> {"role":"tool","tool_call_id":"c2","content":"The lamp of \n[… 110 bytes cut …]\n we came by.","metadata":{"compacted":true}}
>>> {"role":"assistant","content":"Dark."}
>>> {"role":"user","content":"Turn 3."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c3","type":"function","function":{"name":"look","arguments":"{\"n\":3}"}}]}
>>> {"role":"tool","tool_call_id":"c3","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
>>> {"role":"assistant","content":"Dark."}
>>> {"role":"user","content":"Turn 4."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c4","type":"function","function":{"name":"look","arguments":"{\"n\":4}"}}]}
>>> {"role":"tool","tool_call_id":"c4","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
>>> {"role":"assistant","content":"Dark."}
END
    spec <<'END'
ctx-compact --estimator bytes/4 --force --prune-over 50 --keep-turns 1
<<< {"role":"user","content":"One."}
<<< {"role":"user","content":"Turn 2."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"look","arguments":"{\"n\":2}"}}]}
<<< {"role":"tool","tool_call_id":"c2","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":"Dark."}
<<< {"role":"user","content":"Turn 3."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c3","type":"function","function":{"name":"look","arguments":"{\"n\":3}"}}]}
<<< {"role":"tool","tool_call_id":"c3","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":"Dark."}
>>> {"role":"user","content":"One."}
>>> {"role":"user","content":"Turn 2."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"look","arguments":"{\"n\":2}"}}]}
>>> {"role":"tool","tool_call_id":"c2","content":"The lamp of \n[… 110 bytes cut …]\n we came by.","metadata":{"compacted":true}}
>>> {"role":"assistant","content":"Dark."}
>>> {"role":"user","content":"Turn 3."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c3","type":"function","function":{"name":"look","arguments":"{\"n\":3}"}}]}
>>> {"role":"tool","tool_call_id":"c3","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
>>> {"role":"assistant","content":"Dark."}
END
}

@test "ctx-compact: invariant 3: the default window is capped by --keep-tokens and ends with a whole group" {
    spec <<'END'
ctx-compact --estimator bytes/4 --force --prune-over 50 --keep-tokens 50
<<< {"role":"user","content":"Look everywhere."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{\"n\":1}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"look","arguments":"{\"n\":2}"}}]}
<<< {"role":"tool","tool_call_id":"c2","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c3","type":"function","function":{"name":"look","arguments":"{\"n\":3}"}}]}
<<< {"role":"tool","tool_call_id":"c3","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
>>> {"role":"user","content":"Look everywhere."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{\"n\":1}"}}]}
>>> {"role":"tool","tool_call_id":"c1","content":"The lamp of \n[… 110 bytes cut …]\n we came by.","metadata":{"compacted":true}}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"look","arguments":"{\"n\":2}"}}]}
>>> {"role":"tool","tool_call_id":"c2","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c3","type":"function","function":{"name":"look","arguments":"{\"n\":3}"}}]}
>>> {"role":"tool","tool_call_id":"c3","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
END
    spec <<'END'
ctx-compact --estimator bytes/4 --force --prune-over 50 --keep-tokens 0
<<< {"role":"user","content":"Look everywhere."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{\"n\":1}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"look","arguments":"{\"n\":2}"}}]}
<<< {"role":"tool","tool_call_id":"c2","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
>>> {"role":"user","content":"Look everywhere."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{\"n\":1}"}}]}
>>> {"role":"tool","tool_call_id":"c1","content":"The lamp of \n[… 110 bytes cut …]\n we came by.","metadata":{"compacted":true}}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"look","arguments":"{\"n\":2}"}}]}
>>> {"role":"tool","tool_call_id":"c2","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
END
    spec <<'END'
ctx-compact --estimator bytes/4 --force --prune-over 50 --keep-tokens 50 --keep-turns 1
<<< {"role":"user","content":"Look everywhere."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{\"n\":1}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"look","arguments":"{\"n\":2}"}}]}
<<< {"role":"tool","tool_call_id":"c2","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c3","type":"function","function":{"name":"look","arguments":"{\"n\":3}"}}]}
<<< {"role":"tool","tool_call_id":"c3","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
>>> {"role":"user","content":"Look everywhere."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{\"n\":1}"}}]}
>>> {"role":"tool","tool_call_id":"c1","content":"The lamp of \n[… 110 bytes cut …]\n we came by.","metadata":{"compacted":true}}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"look","arguments":"{\"n\":2}"}}]}
>>> {"role":"tool","tool_call_id":"c2","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c3","type":"function","function":{"name":"look","arguments":"{\"n\":3}"}}]}
>>> {"role":"tool","tool_call_id":"c3","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
END
}

@test "ctx-compact: invariant 4: pinned messages and the groups of pinned ones stay" {
    spec <<'END'
ctx-compact --estimator bytes/4 --window 1k --soft 0 --target 20 --prune-over 20 --keep-turns 1
<<< {"role":"user","content":"Look."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{\"n\":1}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.","metadata":{"pinned":true}}
<<< {"role":"assistant","content":"Remember this. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.","metadata":{"pinned":true}}
<<< {"role":"assistant","content":"Forget this. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":"And that. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"user","content":"Bye."}
>>> {"role":"user","content":"Look."}
>>> {"role":"user","content":"[summary] 2 earlier messages were dropped to save context.","metadata":{"kind":"summary","scope":"historical","compacted":true,"facts":{"dropped":2,"kept":4,"files_read":[],"files_modified":[],"unresolved":[],"covers":[[5,6]]}}}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{\"n\":1}"}}]}
>>> {"role":"tool","tool_call_id":"c1","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.","metadata":{"pinned":true}}
>>> {"role":"assistant","content":"Remember this. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.","metadata":{"pinned":true}}
>>> {"role":"user","content":"Bye."}
END
}

@test "ctx-compact: invariant 5: unresolved failures stay until they are resolved" {
    spec <<'END'
ctx-compact --estimator bytes/4 --window 1k --soft 0 --target 20 --keep-turns 1
<<< {"role":"user","content":"Make it."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"bash","arguments":"{\"command\":\"make\"}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"no rule","metadata":{"is_error":true}}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"bash","arguments":"{\"command\":\"ls\"}"}}]}
<<< {"role":"tool","tool_call_id":"c2","content":"nothing","metadata":{"is_error":true}}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c3","type":"function","function":{"name":"bash","arguments":"{\"command\":\"ls\"}"}}]}
<<< {"role":"tool","tool_call_id":"c3","content":"Makefile The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.","tool_calls":[{"id":"c4","type":"function","function":{"name":"bash","arguments":"{\"command\":\"lost\"}"}}]}
<<< {"role":"assistant","content":"Well."}
<<< {"role":"user","content":"Bye."}
>>> {"role":"user","content":"Make it."}
>>> {"role":"user","content":"[summary] 5 earlier messages were dropped to save context.","metadata":{"kind":"summary","scope":"historical","compacted":true,"facts":{"dropped":5,"kept":4,"files_read":[],"files_modified":[],"unresolved":[],"covers":[[4,7],[9,9]]}}}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"bash","arguments":"{\"command\":\"make\"}"}}]}
>>> {"role":"tool","tool_call_id":"c1","content":"no rule","metadata":{"is_error":true}}
>>> {"role":"assistant","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.","tool_calls":[{"id":"c4","type":"function","function":{"name":"bash","arguments":"{\"command\":\"lost\"}"}}]}
>>> {"role":"user","content":"Bye."}
END
}

@test "ctx-compact: invariant 6: older executions give room before the current one" {
    spec <<'END'
ctx-compact --estimator bytes/4 --window 1k --soft 0 --target 95 --prune-over 60 --keep-turns 0 --execution e1
<<< {"role":"user","content":"One.","metadata":{"execution_id":"e1"}}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{\"n\":1}"}}],"metadata":{"execution_id":"e1"}}
<<< {"role":"tool","tool_call_id":"c1","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.","metadata":{"execution_id":"e1"}}
<<< {"role":"user","content":"Two.","metadata":{"execution_id":"e2"}}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"look","arguments":"{\"n\":2}"}}],"metadata":{"execution_id":"e2"}}
<<< {"role":"tool","tool_call_id":"c2","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.","metadata":{"execution_id":"e2"}}
<<< {"role":"user","content":"Three.","metadata":{"execution_id":"e2"}}
>>> {"role":"user","content":"One.","metadata":{"execution_id":"e1"}}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{\"n\":1}"}}],"metadata":{"execution_id":"e1"}}
>>> {"role":"tool","tool_call_id":"c1","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.","metadata":{"execution_id":"e1"}}
>>> {"role":"user","content":"Two.","metadata":{"execution_id":"e2"}}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"look","arguments":"{\"n\":2}"}}],"metadata":{"execution_id":"e2"}}
>>> {"role":"tool","tool_call_id":"c2","content":"The lamp of buo\n[… 104 bytes cut …]\nhen we came by.","metadata":{"execution_id":"e2","compacted":true}}
>>> {"role":"user","content":"Three.","metadata":{"execution_id":"e2"}}
END
}

@test "ctx-compact: invariant 6: open and frozen groups are never touched" {
    spec <<'END'
ctx-compact --estimator bytes/4 --window 1k --soft 0 --target 20 --prune-over 20 --keep-turns 0
<<< {"role":"user","content":"Look."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{\"n\":\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"to
<<< {"role":"user","content":"And there?"}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"look","arguments":"{\"n\":\"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\"}"}},{"id":"c3","type":"function","function":{"name":"look","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"c3","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"user","content":"<reminder>The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.</reminder>","metadata":{"origin":"injected"}}
<<< {"role":"user","content":"<time>22:10</time>","metadata":{"origin":"injected"}}
>>> {"role":"user","content":"Look."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{\"n\":\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"}"}}]}
>>> {"role":"tool","tool_call_id":"c1","content":"to
>>> {"role":"user","content":"And there?"}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"look","arguments":"{\"n\":\"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\"}"}},{"id":"c3","type":"function","function":{"name":"look","arguments":"{}"}}]}
>>> {"role":"tool","tool_call_id":"c3","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
>>> {"role":"user","content":"<remi\n[… 145 bytes cut …]\nnder>","metadata":{"origin":"injected","compacted":true}}
>>> {"role":"user","content":"<time>22:10</time>","metadata":{"origin":"injected"}}
>>>2 ctx-compact: -:3: unexpected end, at byte 49
>>>= 65
END
}

@test "ctx-compact: invariant 7: nothing is replaced by more bytes or tokens" {
    spec <<'END'
ctx-compact --estimator bytes/4 --force --prune-over 10
<<< {"role":"user","content":"Look."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.c\"}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"no"}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"write","arguments":"{\"path\":\"a.c\",\"content\":\"twelve bytes\"}"}}]}
<<< {"role":"tool","tool_call_id":"c2","content":"a little over ten"}
<<< {"role":"user","content":"Thanks."}
<<< {"role":"user","content":"Bye."}
>>> {"role":"user","content":"Look."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.c\"}"}}]}
>>> {"role":"tool","tool_call_id":"c1","content":"no"}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"write","arguments":"{\"path\":\"a.c\",\"content\":\"twelve bytes\"}"}}]}
>>> {"role":"tool","tool_call_id":"c2","content":"a little over ten"}
>>> {"role":"user","content":"Thanks."}
>>> {"role":"user","content":"Bye."}
END
}

@test "ctx-compact: invariant 8: what meets the budget but not the target is written with status 0" {
    spec <<'END'
ctx-compact --estimator bytes/4 --window 200 --target 10% --keep-turns 1 --report /dev/fd/3 3>&1 >/dev/null | jq -c "[.target, .room, .tokens_after, .budget_met, .target_met, .status]"
<<< {"role":"user","content":"Look. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{\"n\":1}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"user","content":"Bye."}
>>> [20,150,123,true,false,0]
END
}

@test "ctx-compact: invariant 8: a budget that cannot be met leaves nothing, says the least, and gives 1" {
    spec <<'END'
ctx-compact --estimator bytes/4 --window 200 --keep-turns 1
<<< {"role":"user","content":"Look. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{\"n\":1}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"user","content":"Bye."}
>>>2 ctx-compact: the budget cannot be met: 231 tokens are the least, 150 are allowed
>>>= 1
END
}

@test "ctx-compact: --best-effort writes the smallest, still with status 1, and the record says hard_stop" {
    spec <<'END'
ctx-compact --estimator bytes/4 --window 200 --keep-turns 1 --best-effort
<<< {"role":"user","content":"Look. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{\"n\":1}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"user","content":"Bye."}
<<< {"type":"budget"}
>>> {"role":"user","content":"Look. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
>>> {"role":"user","content":"[summary] 2 earlier messages were dropped to save context.","metadata":{"kind":"summary","scope":"historical","compacted":true,"facts":{"dropped":2,"kept":1,"files_read":[],"files_modified":[],"unresolved":[],"covers":[[2,3]]}}}
>>> {"role":"user","content":"Bye."}
>>> {"type":"budget","estimator":"bytes/4","context_window":200,"used_tokens":231,"reserved_output_tokens":50,"reserved_system_tokens":0,"soft_compact_threshold":144,"remaining":0,"over_soft_threshold":true,"compact":true,"reasons":["soft_threshold","headroom"],"hard_stop":true}
>>>2 ctx-compact: the budget cannot be met: 231 tokens are the least, 150 are allowed
>>>= 1
END
}

@test "ctx-compact: a bad line beside a budget that cannot be met gives 1, and is named" {
    spec <<'END'
ctx-compact --estimator bytes/4 --window 200 --keep-turns 1
<<< {"role":"user","content":"Look. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {bad}
>>>2 ctx-compact: -:2: expected a member name, at byte 2
>>>2 ctx-compact: the budget cannot be met: 207 tokens are the least, 150 are allowed
>>>= 1
END
}

@test "ctx-compact: bad, foreign and blank lines and messages of other agents keep their place" {
    spec <<'END'
ctx-compact --estimator bytes/4 --window 1k --soft 0 --target 20 --keep-turns 1
<<< {"role":"user","content":"Look."}
<<< {bad}
<<< {"role":"assistant","content":"Here. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< 
<<< [1, 2]
<<< {"role":"assistant","content":"From below. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.","metadata":{"parent_execution_id":"e9"}}
<<< {"role":"oracle","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":"There. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< "text"
<<< {"role":"user","content":"Bye."}
>>> {"role":"user","content":"Look."}
>>> {"role":"user","content":"[summary] 2 earlier messages were dropped to save context.","metadata":{"kind":"summary","scope":"historical","compacted":true,"facts":{"dropped":2,"kept":2,"files_read":[],"files_modified":[],"unresolved":[],"covers":[[2,2],[4,4]]}}}
>>> {bad}
>>> 
>>> [1, 2]
>>> {"role":"assistant","content":"From below. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.","metadata":{"parent_execution_id":"e9"}}
>>> {"role":"oracle","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
>>> "text"
>>> {"role":"user","content":"Bye."}
>>>2 ctx-compact: -:2: expected a member name, at byte 2
>>>= 65
END
}

@test "ctx-compact: the target is met by the first transform that gets there" {
    spec <<'END'
ctx-compact --estimator bytes/4 --window 1k --soft 0 --target 100 --prune-over 60 --keep-turns 1
<<< {"role":"user","content":"Mend the lamp."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"lamp.c\"}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"edit","arguments":"{\"path\":\"lamp.c\",\"new\":\"lit\"}"}}]}
<<< {"role":"tool","tool_call_id":"c2","content":"done"}
<<< {"role":"assistant","content":"A long word: The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"user","content":"Bye."}
>>> {"role":"user","content":"Mend the lamp."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"lamp.c\"}"}}]}
>>> {"role":"tool","tool_call_id":"c1","content":"[stale: the file was changed later]","metadata":{"compacted":true}}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"edit","arguments":"{\"path\":\"lamp.c\",\"new\":\"lit\"}"}}]}
>>> {"role":"tool","tool_call_id":"c2","content":"done"}
>>> {"role":"assistant","content":"A long word: The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
>>> {"role":"user","content":"Bye."}
END
}

@test "ctx-compact: --pipeline sets the transforms and their order" {
    spec <<'END'
ctx-compact --estimator bytes/4 --window 1k --soft 0 --target 20 --keep-turns 1 --pipeline dedupe,normalize
<<< {"role":"user","content":"Mend the lamp."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"lamp.c\"}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"edit","arguments":"{\"path\":\"lamp.c\",\"new\":\"lit\"}"}}]}
<<< {"role":"tool","tool_call_id":"c2","content":"done"}
<<< {"role":"assistant","content":"A long word: The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"user","content":"Bye."}
>>> {"role":"user","content":"Mend the lamp."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"lamp.c\"}"}}]}
>>> {"role":"tool","tool_call_id":"c1","content":"[stale: the file was changed later]","metadata":{"compacted":true}}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"edit","arguments":"{\"path\":\"lamp.c\",\"new\":\"lit\"}"}}]}
>>> {"role":"tool","tool_call_id":"c2","content":"done"}
>>> {"role":"assistant","content":"A long word: The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
>>> {"role":"user","content":"Bye."}
END
    spec <<'END'
ctx-compact --estimator bytes/4 --window 1k --soft 0 --target 40 --keep-turns 1 --pipeline truncate,dedupe
<<< {"role":"user","content":"Mend the lamp."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"lamp.c\"}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"edit","arguments":"{\"path\":\"lamp.c\",\"new\":\"lit\"}"}}]}
<<< {"role":"tool","tool_call_id":"c2","content":"done"}
<<< {"role":"user","content":"Bye."}
>>> {"role":"user","content":"Mend the lamp."}
>>> {"role":"user","content":"[summary] 4 earlier messages were dropped to save context.\nFiles read: lamp.c\nFiles modified: lamp.c","metadata":{"kind":"summary","scope":"historical","compacted":true,"facts":{"dropped":4,"kept":1,"files_read":["lamp.c"],"files_modified":["lamp.c"],"unresolved":[],"covers":[[2,5]]}}}
>>> {"role":"user","content":"Bye."}
END
    spec <<'END'
ctx-compact --pipeline dedupe,shrink
>>>2 ctx-compact: unknown transform 'shrink' in --pipeline, expected dedupe, prune, truncate or normalize; try 'ctx-compact --help'
>>>= 64
END
    spec <<'END'
ctx-compact --pipeline prune,dedupe,prune
>>>2 ctx-compact: transform 'prune' stands twice in --pipeline; try 'ctx-compact --help'
>>>= 64
END
}

@test "ctx-compact: --force runs what is listed, whatever the budget says; without it nothing is done" {
    spec <<'END'
ctx-compact --estimator bytes/4 --prune-over 60 --keep-turns 0
<<< {"role":"user","content":"Look."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"user","content":"Bye."}
>>> {"role":"user","content":"Look."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]}
>>> {"role":"tool","tool_call_id":"c1","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
>>> {"role":"user","content":"Bye."}
END
    spec <<'END'
ctx-compact --estimator bytes/4 --prune-over 60 --keep-turns 0 --force
<<< {"role":"user","content":"Look."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"user","content":"Bye."}
>>> {"role":"user","content":"Look."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]}
>>> {"role":"tool","tool_call_id":"c1","content":"The lamp of buo\n[… 104 bytes cut …]\nhen we came by.","metadata":{"compacted":true}}
>>> {"role":"user","content":"Bye."}
END
}

@test "ctx-compact: the limits come from the budget record, which is written anew in its place" {
    spec <<'END'
ctx-compact --estimator bytes/4 --keep-turns 1 --prune-over 60 --headroom 0
<<< {"role":"user","content":"Look."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"user","content":"Bye."}
<<< {"type":"budget","estimator":"bytes/4","context_window":100,"used_tokens":5,"reserved_output_tokens":10,"reserved_system_tokens":0,"soft_compact_threshold":50,"remaining":85,"over_soft_threshold":false,"compact":false,"reasons":[]}
>>> {"role":"user","content":"Look."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]}
>>> {"role":"tool","tool_call_id":"c1","content":"The lamp of buo\n[… 104 bytes cut …]\nhen we came by.","metadata":{"compacted":true}}
>>> {"role":"user","content":"Bye."}
>>> {"type":"budget","estimator":"bytes/4","context_window":100,"used_tokens":35,"reserved_output_tokens":10,"reserved_system_tokens":0,"soft_compact_threshold":50,"remaining":55,"over_soft_threshold":false,"compact":false,"reasons":[]}
END
}

@test "ctx-compact: options beat the limits of the budget record" {
    spec <<'END'
ctx-compact --estimator bytes/4 --keep-turns 1 --window 200 --prune-over 60
<<< {"role":"user","content":"Look."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"user","content":"Bye."}
<<< {"type":"budget","estimator":"bytes/4","context_window":100,"used_tokens":5,"reserved_output_tokens":10,"reserved_system_tokens":0,"soft_compact_threshold":50,"remaining":85,"over_soft_threshold":false,"compact":false,"reasons":[]}
>>> {"role":"user","content":"Look."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]}
>>> {"role":"tool","tool_call_id":"c1","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
>>> {"role":"user","content":"Bye."}
>>> {"type":"budget","estimator":"bytes/4","context_window":200,"used_tokens":55,"reserved_output_tokens":50,"reserved_system_tokens":0,"soft_compact_threshold":144,"remaining":95,"over_soft_threshold":false,"compact":false,"reasons":[]}
END
    spec <<'END'
ctx-compact --estimator bytes/4 --keep-turns 1 --soft 60 --prune-over 60
<<< {"role":"user","content":"Look."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"user","content":"Bye."}
<<< {"type":"budget","estimator":"bytes/4","context_window":100,"used_tokens":5,"reserved_output_tokens":10,"reserved_system_tokens":0,"soft_compact_threshold":50,"remaining":85,"over_soft_threshold":false,"compact":false,"reasons":[]}
>>> {"role":"user","content":"Look."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]}
>>> {"role":"tool","tool_call_id":"c1","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
>>> {"role":"user","content":"Bye."}
>>> {"type":"budget","estimator":"bytes/4","context_window":100,"used_tokens":55,"reserved_output_tokens":10,"reserved_system_tokens":0,"soft_compact_threshold":60,"remaining":35,"over_soft_threshold":false,"compact":false,"reasons":[]}
END
}

@test "ctx-compact: counts with the estimator that the budget record names" {
    spec <<'END'
ctx-compact
<<< {"role":"user","content":"Look."}
<<< {"type":"budget","estimator":"bytes/4","context_window":1000}
>>> {"role":"user","content":"Look."}
>>> {"type":"budget","estimator":"bytes/4","context_window":1000,"used_tokens":6,"reserved_output_tokens":250,"reserved_system_tokens":0,"soft_compact_threshold":719,"remaining":744,"over_soft_threshold":false,"compact":false,"reasons":[]}
END
    spec <<'END'
ctx-compact --estimator cl100k_base | jq -r 'select(.type).estimator'
<<< {"role":"user","content":"Look."}
<<< {"type":"budget","estimator":"bytes/4","context_window":1000}
>>> cl100k_base
END
    spec <<'END'
ctx-compact | jq -r 'select(.type).estimator'
<<< {"type":"budget","estimator":"bytes/4"}
<<< {"role":"user","content":"Look."}
<<< {"type":"budget","estimator":7}
>>> o200k_base
END
    spec <<'END'
ctx-compact | jq -r 'select(.type).estimator'
<<< {"role":"user","content":"Look."}
<<< {"type":"budget","estimator":"usage"}
>>> o200k_base
>>>2 ctx-compact: 0 responses report their usage, too few for 'usage': counted with o200k_base
END
}

@test "ctx-compact: a command or an unknown estimator that the budget record names is not used, and said so" {
    spec <<'END'
ctx-compact | jq -r 'select(.type).estimator'
<<< {"role":"user","content":"Look."}
<<< {"type":"budget","estimator":"cmd:touch ran"}
>>> o200k_base
>>>2 ctx-compact: the budget record's estimator 'cmd:touch ran' is not built in: counted with o200k_base
END
    spec <<'END'
ctx-compact | jq -r 'select(.type).estimator'
<<< {"role":"user","content":"Look."}
<<< {"type":"budget","estimator":"words\u001b[0m"}
>>> o200k_base
>>>2 ctx-compact: the budget record's estimator 'words?[0m' is not built in: counted with o200k_base
END
    spec <<'END'
ctx-compact | jq -r 'select(.type).estimator'
<<< {"role":"user","content":"Look."}
<<< {"type":"budget","estimator":"bytes/4\u0000"}
>>> o200k_base
>>>2 ctx-compact: the budget record's estimator 'bytes/4' is not built in: counted with o200k_base
END
    spec <<'END'
ctx-compact --estimator cmd: missing
>>>2 ctx-compact: bad value 'cmd:' of --estimator, expected o200k_base, cl100k_base, bytes/4, usage, calibrated or cmd:COMMAND; try 'ctx-compact --help'
>>>= 64
END
}

@test "ctx-compact: a trigger that a budget record tells of makes it time" {
    spec <<'END'
ctx-compact --estimator bytes/4 --keep-turns 1 --prune-over 60 --target 20
<<< {"role":"user","content":"Look."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"user","content":"Bye."}
<<< {"type":"budget","estimator":"bytes/4","context_window":1000,"used_tokens":5,"reserved_output_tokens":10,"reserved_system_tokens":0,"soft_compact_threshold":800,"remaining":85,"over_soft_threshold":false,"compact":true,"reasons":["max_messages"]}
>>> {"role":"user","content":"Look."}
>>> {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]}
>>> {"role":"tool","tool_call_id":"c1","content":"[old result removed]","metadata":{"compacted":true}}
>>> {"role":"user","content":"Bye."}
>>> {"type":"budget","estimator":"bytes/4","context_window":1000,"used_tokens":26,"reserved_output_tokens":10,"reserved_system_tokens":0,"soft_compact_threshold":800,"remaining":964,"over_soft_threshold":false,"compact":false,"reasons":[]}
END
}

@test "ctx-compact: a budget record is moved behind the messages, and there is one" {
    spec <<'END'
ctx-compact --estimator bytes/4 --headroom 0
<<< {"type":"budget","estimator":"bytes/4","context_window":100,"used_tokens":5,"reserved_output_tokens":10,"reserved_system_tokens":0,"soft_compact_threshold":50,"remaining":85,"over_soft_threshold":false,"compact":false,"reasons":[]}
<<< {"role":"user","content":"Look."}
<<< {"type":"budget","estimator":"bytes/4","context_window":200,"used_tokens":5,"reserved_output_tokens":10,"reserved_system_tokens":0,"soft_compact_threshold":50,"remaining":85,"over_soft_threshold":false,"compact":false,"reasons":[]}
<<< {"role":"assistant","content":"Dark."}
>>> {"role":"user","content":"Look."}
>>> {"role":"assistant","content":"Dark."}
>>> {"type":"budget","estimator":"bytes/4","context_window":200,"used_tokens":12,"reserved_output_tokens":10,"reserved_system_tokens":0,"soft_compact_threshold":50,"remaining":178,"over_soft_threshold":false,"compact":false,"reasons":[]}
END
}

@test "ctx-compact: a context record counts under the reserve of the system and nowhere else" {
    spec <<'END'
ctx-compact --estimator bytes/4 --window 400 --reserve-output 0 --soft 100% --headroom 0
<<< {"type":"context","system_prompt":"pppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppp"}
<<< {"role":"user","content":"Look. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":"Dark. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"user","content":"Bye."}
<<< {"type":"budget"}
>>> {"type":"context","system_prompt":"pppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppp"}
>>> {"role":"user","content":"Look. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
>>> {"role":"assistant","content":"Dark. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
>>> {"role":"user","content":"Bye."}
>>> {"type":"budget","estimator":"bytes/4","context_window":400,"used_tokens":83,"reserved_output_tokens":0,"reserved_system_tokens":300,"soft_compact_threshold":400,"remaining":17,"over_soft_threshold":false,"compact":false,"reasons":[]}
END
}

@test "ctx-compact: --plan prints what would be done, a line a group, and ends as the run would" {
    spec <<'END'
ctx-compact --estimator bytes/4 --window 1k --soft 0 --target 100 --prune-over 60 --keep-turns 1 --plan
<<< {"role":"system","content":"Be brief."}
<<< {"role":"user","content":"Mend the lamps."}
<<< {"role":"assistant","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.","tool_calls":[{"id":"c0","type":"function","function":{"name":"look","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"c0","content":"ok"}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"lamp.c\"}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"edit","arguments":"{\"path\":\"lamp.c\",\"new\":\"lit\"}"}}]}
<<< {"role":"tool","tool_call_id":"c2","content":"done"}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c3","type":"function","function":{"name":"look","arguments":"{\"n\":3}"}}]}
<<< {"role":"tool","tool_call_id":"c3","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c4","type":"function","function":{"name":"bash","arguments":"{\"command\":\"make\"}"}}]}
<<< {"role":"tool","tool_call_id":"c4","content":"no rule","metadata":{"is_error":true}}
<<< {"role":"assistant","content":"Keep it.","metadata":{"pinned":true}}
<<< {"role":"user","content":"Bye."}
>>> {"line":1,"role":"system","execution":"#0","action":"keep","reason":"system","messages":1,"tokens_before":7,"tokens_after":7}
>>> {"line":2,"role":"user","execution":"#1","action":"keep","reason":"first message of the user","messages":1,"tokens_before":8,"tokens_after":8}
>>> {"line":null,"role":"user","action":"add","reason":"facts of dropped messages","messages":1,"tokens_before":0,"tokens_after":24}
>>> {"line":3,"role":"assistant","tool":"look","execution":"#1","action":"drop","reason":"oldest","messages":2,"tokens_before":78,"tokens_after":0}
>>> {"line":5,"role":"assistant","tool":"read","execution":"#1","action":"drop","reason":"oldest","messages":2,"tokens_before":48,"tokens_after":0}
>>> {"line":7,"role":"assistant","tool":"edit","execution":"#1","action":"keep","reason":"no need","messages":2,"tokens_before":18,"tokens_after":18}
>>> {"line":9,"role":"assistant","tool":"look","execution":"#1","action":"prune","reason":"long result","messages":2,"tokens_before":78,"tokens_after":16}
>>> {"line":11,"role":"assistant","tool":"bash","execution":"#1","action":"keep","reason":"unresolved","messages":2,"tokens_before":16,"tokens_after":16}
>>> {"line":13,"role":"assistant","execution":"#1","action":"keep","reason":"pinned","messages":1,"tokens_before":6,"tokens_after":6}
>>> {"line":14,"role":"user","execution":"#2","action":"keep","reason":"what the user asked last","messages":1,"tokens_before":5,"tokens_after":5}
END
    spec <<'END'
ctx-compact --estimator bytes/4 --window 100 --plan
<<< {"role":"user","content":"Look. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
>>> {"line":1,"role":"user","execution":"#1","action":"keep","reason":"first message of the user","messages":1,"tokens_before":140,"tokens_after":140}
>>>2 ctx-compact: the budget cannot be met: 140 tokens are the least, 75 are allowed
>>>= 1
END
}

@test "ctx-compact: --report says what was done" {
    spec <<'END'
ctx-compact --estimator bytes/4 --window 1k --soft 0 --target 100 --prune-over 60 --keep-turns 1 --report /dev/fd/3 3>&1 >/dev/null
<<< {"role":"system","content":"Be brief."}
<<< {"role":"user","content":"Mend the lamps."}
<<< {"role":"assistant","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.","tool_calls":[{"id":"c0","type":"function","function":{"name":"look","arguments":"{}"}}]}
<<< {"role":"tool","tool_call_id":"c0","content":"ok"}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"lamp.c\"}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"edit","arguments":"{\"path\":\"lamp.c\",\"new\":\"lit\"}"}}]}
<<< {"role":"tool","tool_call_id":"c2","content":"done"}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c3","type":"function","function":{"name":"look","arguments":"{\"n\":3}"}}]}
<<< {"role":"tool","tool_call_id":"c3","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by.The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c4","type":"function","function":{"name":"bash","arguments":"{\"command\":\"make\"}"}}]}
<<< {"role":"tool","tool_call_id":"c4","content":"no rule","metadata":{"is_error":true}}
<<< {"role":"assistant","content":"Keep it.","metadata":{"pinned":true}}
<<< {"role":"user","content":"Bye."}
>>> {"command":"ctx-compact","estimator":"bytes/4","window":1000,"room":750,"target":100,"tokens_before":264,"tokens_after":100,"messages_before":14,"messages_after":11,"budget_met":true,"target_met":true,"dedupe":{"stale":0,"superseded":0,"duplicate":0},"prune":{"shortened":0,"removed":1,"errors":0},"truncate":{"dropped":4,"cut":0},"first_changed":3,"prefix_tokens":15,"records":14,"messages":14,"written":10,"changed":1,"added":1,"bad":0,"status":0}
END
}

@test "ctx-compact: --execution tells which execution is current" {
    spec <<'END'
ctx-compact --estimator bytes/4 --window 1k --soft 0 --target 90 --prune-over 60 --keep-turns 0 --plan
<<< {"role":"user","content":"One."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{\"n\":1}"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"assistant","content":"Dark."}
<<< {"role":"user","content":"Two."}
<<< {"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"look","arguments":"{\"n\":2}"}}]}
<<< {"role":"tool","tool_call_id":"c2","content":"The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by. The lamp of buoy 7 was dark when we came by."}
<<< {"role":"user","content":"Three."}
>>> {"line":1,"role":"user","execution":"#1","action":"keep","reason":"first message of the user","messages":1,"tokens_before":5,"tokens_after":5}
>>> {"line":2,"role":"assistant","tool":"look","execution":"#1","action":"prune","reason":"long result","messages":2,"tokens_before":45,"tokens_after":16}
>>> {"line":4,"role":"assistant","execution":"#1","action":"keep","reason":"no need","messages":1,"tokens_before":6,"tokens_after":6}
>>> {"line":5,"role":"user","execution":"#2","action":"keep","reason":"what the user asked last","messages":1,"tokens_before":5,"tokens_after":5}
>>> {"line":6,"role":"assistant","tool":"look","execution":"#2","action":"keep","reason":"no need","messages":2,"tokens_before":45,"tokens_after":45}
>>> {"line":8,"role":"user","execution":"#2","action":"keep","reason":"what the user asked last","messages":1,"tokens_before":6,"tokens_after":6}
END
    spec <<'END'
ctx-compact --execution e7
<<< {"role":"user","content":"One."}
>>>2 ctx-compact: no execution 'e7' in the input; try 'ctx-compact --help'
>>>= 64
END
}

@test "ctx-compact: options that are no sizes are refused" {
    spec <<'END'
ctx-compact --target 8turns
>>>2 ctx-compact: bad value of --target, expected a number of tokens; try 'ctx-compact --help'
>>>= 64
END
    spec <<'END'
ctx-compact --keep-tokens 40msgs
>>>2 ctx-compact: bad value of --keep-tokens, expected a number of tokens; try 'ctx-compact --help'
>>>= 64
END
    spec <<'END'
ctx-compact --window 50%
>>>2 ctx-compact: bad value of --window, expected a number of tokens such as 200k; try 'ctx-compact --help'
>>>= 64
END
    spec <<'END'
ctx-compact --prune-over much
>>>2 ctx-compact: bad value 'much' of --prune-over, expected a number such as 200 or 12k; try 'ctx-compact --help'
>>>= 64
END
    spec <<'END'
ctx-compact --best-efort
>>>2 ctx-compact: unknown option '--best-efort', did you mean '--best-effort'?; try 'ctx-compact --help'
>>>= 64
END
    spec <<'END'
ctx-compact --estimator guess
>>>2 ctx-compact: bad value 'guess' of --estimator, expected o200k_base, cl100k_base, bytes/4, usage, calibrated or cmd:COMMAND; try 'ctx-compact --help'
>>>= 64
END
}

@test "ctx-compact: dropped CRLF lines, a byte order mark and a missing final newline leave the rest as it is" {
    printf '\xef\xbb\xbf{"role":"user","content":"Look."}\r\n{"role":"assistant","content":"%s"}\r\n{"role":"user","content":"Bye."}' \
        "$(printf 'dark %.0s' {1..100})" >log
    spec <<'END'
ctx-compact --estimator bytes/4 --window 1k --soft 0 --target 40 --keep-turns 1 log
>>>$ \xef\xbb\xbf{"role":"user","content":"Look."}\r
>>> {"role":"user","content":"[summary] 1 earlier message was dropped to save context.","metadata":{"kind":"summary","scope":"historical","compacted":true,"facts":{"dropped":1,"kept":1,"files_read":[],"files_modified":[],"unresolved":[],"covers":[[2,2]]}}}
>>>- {"role":"user","content":"Bye."}
END
}

@test "ctx-compact: an artifact behind a last line that is not terminated ends as the input ended" {
    printf '{"role":"assistant","content":"%s"}\n{"role":"user","content":"Look."}' "$(printf 'dark %.0s' {1..100})" >log
    spec <<'END'
ctx-compact --estimator bytes/4 --window 1k --soft 0 --target 40 --keep-turns 1 log
>>> {"role":"user","content":"Look."}
>>>- {"role":"user","content":"[summary] 1 earlier message was dropped to save context.","metadata":{"kind":"summary","scope":"historical","compacted":true,"facts":{"dropped":1,"kept":0,"files_read":[],"files_modified":[],"unresolved":[],"covers":[[1,1]]}}}
END
}

@test "ctx-compact: a session without a message of the user has its artifact in front" {
    spec <<'END'
printf '{"role":"assistant","content":"%0400d"}\n{"role":"assistant","content":"Dark."}\n' 7 |
ctx-compact --estimator bytes/4 --window 1k --soft 0 --target 40 --keep-turns 0
>>> {"role":"user","content":"[summary] 1 earlier message was dropped to save context.","metadata":{"kind":"summary","scope":"historical","compacted":true,"facts":{"dropped":1,"kept":1,"files_read":[],"files_modified":[],"unresolved":[],"covers":[[1,1]]}}}
>>> {"role":"assistant","content":"Dark."}
END
}

# options N: the options of the Nth of many runs, the same every time.
options() {
    awk -v seed="$1" 'function one(list,    part) { return part[int(rand() * split(list, part, " ")) + 1] }
        function maybe(chance, text) { return rand() < chance ? " " text : "" }
        BEGIN {
            srand(seed)
            print "--window " one("100 300 1k 4k 16k") maybe(0.5, "--force") " --estimator " one("bytes/4 bytes/4 o200k_base") \
                maybe(0.4, "--target " one("0 10% 30% 90% -2k 100")) maybe(0.3, "--keep-turns " one("0 1 3")) \
                maybe(0.3, "--keep-tokens " one("0 50 500")) maybe(0.5, "--prune-over " one("0 10 40 100 500")) \
                maybe(0.3, "--error-tokens " one("0 5 50")) maybe(0.3, "--execution " one("none last")) \
                maybe(0.3, "--pipeline " one("prune truncate dedupe truncate,prune prune,dedupe"))
        }'
}

# agents: sessions of two agents, in the folder agents: a sub-agent's own with messages of its parent
# in between, and one that begins in its middle, with messages of a sub-agent.
agents() {
    local file
    for file in "$FIXTURES"/{compact-gauge,ctx-headless,ctx-talk,route-several-calls}.jsonl; do
        jq -c 'select(.role != "system") |
            .metadata += {agent_id: "sub", parent_execution_id: "#1"},
            (select(input_line_number % 4 == 3) | {role: "assistant", content: "From above."})' \
            "$file" >"agents/own-${file##*/}"
        jq -c 'select(.role != "system" and input_line_number > 2), (select(input_line_number % 3 == 0) |
            {role: "assistant", content: "From below.", metadata: {parent_execution_id: "#1"}})' \
            "$file" >"agents/torn-${file##*/}"
    done
}

@test "ctx-compact: a second run with the same options is the identity, and pairs stay whole" {
    local file n args status changed=0 count=0
    mkdir "$BATS_TEST_TMPDIR/compacted" agents
    agents
    for file in "$FIXTURES"/*.jsonl agents/*.jsonl; do
        count=$((count + 1))
        for n in {1..8}; do
            args=$(options "$((count * 100 + n))")
            status=0
            # shellcheck disable=SC2086
            ctx-compact --best-effort $args "$file" >once 2>said || status=$?
            [[ $status =~ ^(0|1|65)$ ]] || fail "$args $file: status $status: $(head -c 300 said)"
            # shellcheck disable=SC2086
            status_of "$status" ctx-compact --best-effort $args once >twice 2>said
            cmp -s once twice || fail "$args $file: the second run changed something"
            cmp -s "$file" once || changed=$((changed + 1))
        done
        cp once "$BATS_TEST_TMPDIR/compacted/${file##*/}"
    done
    cp "$FIXTURES"/*.jsonl agents
    (cd agents && pair_facts ./*.jsonl) >before
    (cd "$BATS_TEST_TMPDIR/compacted" && pair_facts ./*.jsonl) >after
    same 'broken pairs' /dev/null <(comm -13 before after)
    ((changed > 26)) || fail "only $changed runs changed anything"
}

@test "ctx-compact: hostile sessions take time that is linear in their size" {
    local shape
    for shape in 'same ids' 'one file' 'tiny' 'pinned'; do
        awk -v shape="$shape" 'BEGIN {
            print "{\"role\":\"user\",\"content\":\"Go.\"}"
            call = "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"c\",\"type\":\"function\",\"function\":{\"name\":\"read\",\"arguments\":\"{\\\"path\\\":\\\"a.c\\\",\\\"offset\\\":%d,\\\"limit\\\":%d}\"}}]}\n"
            answer = "{\"role\":\"tool\",\"tool_call_id\":\"c\",\"content\":\"it is dark, it is dark, it is dark, it is dark, it is dark\"}"
            for (i = 1; i <= 60000; i++) {
                if (shape == "one file") { printf call, i, i * 7919 % 1000 + 1; print answer }
                if (shape == "same ids") printf call, 1, 9
                if (shape == "tiny" || shape == "pinned") print "{\"role\":\"assistant\",\"content\":\"a\"}"
                if (shape == "pinned") print "{\"role\":\"assistant\",\"content\":\"a\",\"metadata\":{\"pinned\":true}}"
            }
            if (shape == "same ids") for (i = 1; i <= 60000; i++) print answer
        }' >log
        printf '%s\n' "$shape"
        timeout 20 ctx-compact --force --best-effort --window 100k --target 1000 log >small 2>said || [[ $? == 1 ]]
        [[ $(stat -c %s small) -lt $(stat -c %s log) ]]
    done
}

@test "ctx-compact: a result of 64 MiB is cut in its place" {
    {
        printf '%s\n' '{"role":"user","content":"Go."}' \
            '{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"bash","arguments":"{\"command\":\"make\"}"}}]}'
        printf '{"role":"tool","tool_call_id":"c1","content":"'
        yes 'failed \"again\" \\ \u00e9 \ud83d\ude00' | head -c 67108860 | tr -d '\n' | sed 's/[^ ]*$//'
        printf '"}\n%s\n' '{"role":"user","content":"Bye."}'
    } >log
    ctx-compact --estimator bytes/4 --force --keep-turns 1 log >out
    [[ $(stat -c %s out) -lt 4000 ]]
    same 'messages' <(jq -c '[.role, .metadata.compacted]' out) <(printf '%s\n' '["user",null]' '["assistant",null]' '["tool",true]' '["user",null]')
}

@test "ctx-compact: what the user asked last stays, though a thousand steps followed" {
    {
        printf '%s\n' '{"role":"user","content":"You keep the lamps of the harbour."}' \
            '{"role":"assistant","content":"I do."}' '{"role":"user","content":"Now mend the lamp of buoy 8."}'
        for ((i = 0; i < 200; i++)); do
            printf '{"role":"assistant","content":null,"tool_calls":[{"id":"c%d","type":"function","function":{"name":"look","arguments":"{\\"at\\":%d}"}}]}\n' "$i" "$i"
            printf '{"role":"tool","tool_call_id":"c%d","content":"it is dark at step %d, and the wick is wet"}\n' "$i" "$i"
        done
    } >log
    ctx-compact --window 2k log >out
    (($(wc -l <out) < 120))
    [[ $(sed -n 1p out) == "$(sed -n 1p log)" ]]
    grep -qxF '{"role":"user","content":"Now mend the lamp of buoy 8."}' out
    ctx-compact --window 2k out | cmp out
}
