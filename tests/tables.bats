#!/usr/bin/env bats
#
# Each row of the tables by which all commands agree has a test here that names it: records, messages,
# metadata and what is derived (ctx-message(5)), terms of selectors (ctx-select(7)), statuses (ctx(7)),
# transforms (ctx-compact(1)).  The first test compares these names with the pages; a status may have
# its test in contract.bats, which says of every command what gives it.

load helper
load dialogue
long=${long?}
filters=(ctx-isolate 'ctx-isolate --policy mask' ctx-project 'ctx-select !kind=none' ctx-compact ctx-normalize)
compact='ctx-compact --estimator bytes/4'

# rows PAGE FIRST LAST: the heads of the list items between two lines of a page, the markup taken out.
rows() {
    sed -n "/$2/,/$3/p" "$ROOT/man/$1" | sed -n 's/^\.It //p' | sed -E 's/(Va|Cm|Ar|Fl|Ns|Li) //g'
}

@test "tables: each row of the pages has a test that names it" {
    {
        rows ctx-message.5 '^The members of a record tell its kind' '^Escapes of lone' | sed 's/^/record: /'
        rows ctx-message.5 '^\.Ss Messages' '^\.Ss Metadata' | sed 's/^/message: /'
        rows ctx-message.5 '^\.Ss Metadata' '^\.Ss What is derived' | sed 's/^/metadata: /'
        rows ctx-message.5 '^\.Ss What is derived' '^\.Ss When a fate' | sed 's/^/derived: /'
        rows ctx-select.7 '^before a term negates' '^Values of terms' | sed 's/^/term: /'
        rows ctx.7 '^\.Ss Exit statuses' '^\.Ss Environment' | sed 's/^/status: /'
        rows ctx-compact.1 '^\.Ss What goes, by transform' '^\.Ss What always stays' | sed 's/^/transform: /'
    } >rows
    sed -nE -e 's/^@test "((record|message|metadata|derived|term|status|transform): [^"]*)" \{$/\1/p' \
        -e 's/^@test "every command: .* gives? ([0-9]+).*/status: \1/p' "$BATS_TEST_FILENAME" "$ROOT/tests/contract.bats" >tests
    same 'rows and tests' <(sort rows) <(sort -u tests)
}

@test "tables: each code of --check is told by ctx-lint(7), which begins with what it means, and has its level" {
    local page=$ROOT/man/ctx-lint.7
    status_of 0 ctx-normalize --check=sarif </dev/null | jq -r '.runs[0].tool.driver.rules[] | .id, .shortDescription.text' >table
    (($(wc -l <table) >= 80))
    # In the order of the table.
    sed -n '/^\.Ss/,/^\.Sh/p' "$page" | sed -n '/^\.It /{s///;p;n;p;}' >told
    same 'codes and meanings' told table
    same 'warnings' <(sed -n 's/^There the level of \(.*\) is warning.*/\1/p' "$page" | sed 's/, /\n/g' | sort) \
        <(ctx-normalize --check=sarif </dev/null | jq -r '.runs[0].tool.driver.rules[] | select(.defaultConfiguration.level == "warning").id' | sort)
    # Each says more than that.
    awk '/^\.It / { if (lines == 1) print code; code = $2; lines = 0; next } /^\.El/ { if (lines == 1) print code; code = "" } code != "" { lines++ }' "$page" >short
    same 'told' /dev/null short
}

# pass: the file in passes every filter that has nothing to write byte for byte; what ctx-route writes
# into messages changes no other record.
pass() {
    local filter
    same 'other records' <(grep -vn '"role"' in) <(ctx-route in | grep -vn '"role"')
    for filter in "${filters[@]}"; do
        $filter in >out || fail "$filter: status $?"
        cmp in out || fail "$filter"
    done
}

# --- Records -----------------------------------------------------------------------------------------

@test "record: message" {
    raw '{"role":"user","content":"a"}' '{"role":7}' '{"Role":"user"}' >in
    makes 'ctx-select !kind=x' 1-3
    same 'one of them' <(echo 1) <(ctx-select --count !kind=x in)
}

@test "record: context" {
    { context First.; user Hi.; says Ho.; context Second.; } >in
    local used system
    used=$(ctx-budget --estimator bytes/4 --json in | jq .used_tokens)
    system=$(ctx-budget --estimator bytes/4 --json in | jq .reserved_system_tokens)
    ((used == $(grep role in | ctx-budget --estimator bytes/4 --json | jq .used_tokens)))
    ((system == 2)) # the later one replaced the first: seven bytes
    pass
}

@test "record: budget" {
    { user Hi.; says Ho.; } >log
    ctx-budget log >in
    tail -n 1 in | jq -e '.type == "budget"' >/dev/null
    pass
    # There is one, and it is replaced.
    ctx-budget --window 9k in >again
    same 'records' <(printf '9000\n') <(jq 'select(.type == "budget").context_window' again)
}

@test "record: source" {
    { user Hi.; raw '{"type":"source","format":"codex","bytes":9,"sum":"f0"}' '{"type":"source","format":"codex","bytes":"9","sum":"f0"}'; says Ho.; } >in
    pass
    same 'counted as nothing' <(echo '[3,2,{"source":1}]') \
        <(ctx-normalize --report /dev/stderr in 2>&1 >/dev/null | jq -c '[.records, .messages, .passed]')
}

@test "record: foreign" {
    { user Hi.; raw '[1, 2]' '"text"' '17' 'null' '{"type":"event", "x":1e400}'; says Ho.; } >in
    pass
}

@test "record: bad" {
    local filter
    {
        user Hi.
        raw '{bad' '{"role":"user","role":"tool"}' "$(repeat 1025 '[')$(repeat 1025 ']')" $'"\xff"'
        says Ho.
    } >in
    for filter in "${filters[@]}"; do
        $filter in >out 2>err && fail "$filter: no status" || (($? == 65)) || fail "$filter: status"
        cmp in out || fail "$filter"
        same "$filter" <(printf ' in:%s:\n' 2 3 4 5) <(grep -oE ' in:[0-9]:' err)
    done
}

# --- Messages ----------------------------------------------------------------------------------------

@test "message: role" {
    { user Hi.; raw '{"role":"narrator","content":"Night."}'; system Be.; developer Do.; says Ho.; calls c1 read a.c; gets c1 x; } >in
    makes 'ctx-select -x role=narrator' 2
    makes 'ctx-project --trace none' 1-5
    ctx-compact --force --keep-turns 0 --pipeline truncate in >out
    grep -q narrator out
}

@test "message: content" {
    raw '{"role":"user","content":"alpha"}' '{"role":"user","content":null}' \
        '{"role":"user","content":[{"type":"text","text":"alpha"}]}' '{"role":"user","content":[{"type":"text","value":"alpha"},"beta"]}' \
        '{"role":"user","content":{"alpha":1}}' >in
    makes 'ctx-select text~alpha' 1 3-5
    makes 'ctx-select text~beta' 4
}

@test "message: tool_calls" {
    raw '{"role":"user","content":"Go."}' \
        '{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"read","arguments":"{}"}},{"id":"b","custom":{"name":"ls","input":""}}]}' \
        '{"role":"assistant","tool_calls":[{"id":"c","name":"grep","args":{}}]}' \
        '{"role":"assistant","content":"","metadata":{"tool_calls":[{"id":"d","name":"find","input":{}}]}}' >in
    makes 'ctx-select tool=read' 2
    makes 'ctx-select tool=ls' 2
    makes 'ctx-select tool=grep' 3
    makes 'ctx-select tool=find' 4
}

@test "message: tool_call_id" {
    { user Go.; wants a:read b:ls; gets b 'of b'; gets a 'of a'; says Done.; } >in
    makes 'ctx-select tool=ls,role=tool -x' 3
    makes 'ctx-select id=a -x' 4
}

@test "message: name" {
    raw '{"role":"user","name":"Ann","content":"Hi."}' '{"role":"user","name":"Bob","content":"Ho."}' '{"role":"assistant","content":"Well."}' >in
    pass
}

@test "message: metadata" {
    raw '{"role":"user","content":"a","_metadata":{"x":1}}' '{"role":"user","content":"b","metadata":[]}' \
        '{"role":"user","content":"c","metadata":"mine"}' '{"role":"user","content":"d","metadata":7,"_metadata":8}' \
        '{"role":"user","content":"e","metadata":null}' >in
    spec <<'END'
ctx-route in
>>> {"role":"user","content":"a","_metadata":{"x":1,"origin":"user"}}
>>> {"role":"user","content":"b","metadata":{"origin":"user"}}
>>> {"role":"user","content":"c","metadata":"mine","_metadata":{"origin":"user"}}
>>> {"role":"user","content":"d","metadata":7,"_metadata":8}
>>> {"role":"user","content":"e","metadata":{"origin":"user"}}
END
}

@test "message: tool_result" {
    {
        user Go.; calls c1 read a.c
        raw '{"role":"tool","content":"x","tool_result":{"call_id":"c1","tool_name":"read","is_error":true,"content":"x"}}'
    } >in
    makes 'ctx-select error' 2-3
    makes 'ctx-select -x tool=read,role=tool' 3
}

@test "message: createdAt" {
    raw '{"role":"user","content":"Go."}' '{"role":"assistant","content":"a","createdAt":"2026-01-01T00:00:00Z"}' '{"role":"assistant","content":"b","createdAt":"2026-01-03T00:00:00Z"}' >in
    same age <(echo '["max_age"]') <(ctx-budget --max-age 1d --json in | jq -c .reasons)
}

@test "message: id , parentId" {
    raw '{"id":"u1","role":"user","content":"One."}' '{"id":"u2","role":"user","content":"Two."}' \
        '{"id":"u3","parentId":"u1","role":"user","content":"Three."}' >in
    makes 'ctx-project --view all --leaf u3' 1 3
}

@test "message: metadata.tool_result , metadata.tool_call_id" {
    {
        user Go.; wants c1:read c2:ls
        raw '{"role":"tool","content":"x","metadata":{"tool_result":{"call_id":"c1","is_error":true}}}'
        raw '{"role":"tool","content":"y","metadata":{"tool_call_id":"c2"}}'
    } >in
    makes 'ctx-select -x error' 3
    makes 'ctx-select -x tool=ls,role=tool' 4
}

# --- Metadata ----------------------------------------------------------------------------------------

@test "metadata: origin" {
    { user A. '"origin":"injected"'; user B.; says C.; user D. '"origin":"system"'; } >in
    makes 'ctx-select origin=injected' 1
    makes 'ctx-select origin=user' 2
    makes 'ctx-project --view conversation' 2-3
}

@test "metadata: execution_id" {
    { user A. '"execution_id":"e1"'; calls c1 read a.c; gets c1 x; says B.; user C.; says D.; } >in
    makes 'ctx-select execution=e1' 1-4
    makes 'ctx-isolate --execution e1' 1-6
}

@test "metadata: tool_name" {
    { user A.; wants c1:read; gets c1 x '"tool_name":"look"'; gets c9 y '"tool_name":"look"'; } >in
    makes 'ctx-select tool=look' 4
    makes 'ctx-select -x tool=read,role=tool' 3
}

@test "metadata: is_trace" {
    { user A.; says 'I think.' '"is_trace":true'; says B.; user C.; } >in
    makes 'ctx-project --trace none' 1 3-4
    makes 'ctx-select trace' 2
}

@test "metadata: is_error" {
    { user A.; calls c1 read a.c; gets c1 x '"is_error":true'; says B. '"is_error":true'; user C.; } >in
    makes 'ctx-select -x error' 3-4
    makes 'ctx-select unresolved' 2-3
}

@test "metadata: resolved" {
    { user A.; calls c1 read a.c; gets c1 x '"is_error":true,"resolved":true'; calls c2 ls b; gets c2 y '"is_error":true,"resolved":false'; calls c3 ls b; gets c3 z; says B.; user C.; } >in
    makes 'ctx-select unresolved' 4-5
}

@test "metadata: resolves" {
    { user A.; calls c1 read a.c; gets c1 x '"is_error":true'; calls c2 ls b; gets c2 y '"is_error":true'; says B. '"resolves":["c1"]'; user C.; } >in
    makes 'ctx-select unresolved' 4-5
}

# A session of twenty steps, the ninth message with metadata; --force drops what may go.
dropped() {
    { user Go.; steps 1 20; says Done.; user More.; says Well.; user Now.; } >plain
    local line
    line=$(sed -n 9p plain)
    { sed '9,$d' plain; printf '%s,"metadata":{%s}}\n' "${line%\}}" "$1"; sed 1,9d plain; } >in
    $compact --target 600 --force --pipeline "${2-truncate}" in >out
}

@test "metadata: pinned" {
    dropped '"pinned":true'
    sed -n '8,9p' in >wanted
    same 'the group' wanted <(grep -F -x -f wanted out)
    dropped '"pinned":1'
    ! grep -q pinned out || fail 'found'
}

@test "metadata: critical" {
    dropped '"critical":true'
    sed -n '8,9p' in >wanted
    same 'the group' wanted <(grep -F -x -f wanted out)
    ctx-isolate in | grep -F -x -f wanted | cmp - wanted
}

@test "metadata: compacted" {
    { user A.; calls c1 read a.c; gets c1 "$long" '"compacted":true'; says B.; user C.; } >in
    makes 'ctx-select -x compacted' 3
    makes 'ctx-isolate --policy mask --keep-results 0 --min-tokens 1' 1-5
}

@test "metadata: archived" {
    dropped '"x":1'
    $compact --target 200 --force --archive store in >out
    jq -r 'select(.metadata.archived).metadata.archived' out >keys
    [[ -s keys ]]
    while read -r key; do grep -q "$key" store || fail "$key"; done <keys
    ctx-restore store out | cmp - in
}

@test "metadata: pass" {
    dropped '"x":1'
    $compact --target 200 --force --archive store in >out
    id=$(jq -r 'select(.pass).pass.id' store)
    jq -r 'select(.metadata.pass).metadata.pass' out | uniq | cmp - <(echo "$id")
    # What another run did has another one.
    sed 's/"x":1/"x":2/' in >other
    $compact --target 200 --force --archive store other >again
    [[ $(jq -r 'select(.metadata.pass).metadata.pass' again | uniq) != "$id" ]]
    ctx-restore store again | cmp - other
}

@test "metadata: call_keys" {
    local call="{\"command\":\"$(repeat 400 'echo 1; ')\"}"
    { user A.; calls c1 bash "$call"; gets c1 no '"is_error":true'; says B.; user C.; says D.; } >log
    $compact --limit 400 log >in
    jq -se 'any(.metadata.call_keys | arrays | length == 1)' in >/dev/null
    makes 'ctx-select unresolved' 2-3
    # The same call with its whole arguments resolves the failure.
    { user E.; calls c9 bash "$call"; gets c9 ok; says F.; } >>in
    same 'none is left' <(echo 0) <(ctx-select --count unresolved in || true)
}

@test "metadata: kind" {
    { user A.; user Old. '"kind":"summary"'; says '[trace] read' '"kind":"trace"'; says B.; user C.; } >in
    makes 'ctx-select kind=summary' 2
    makes 'ctx-select section=summary' 2
    makes 'ctx-select kind=trace' 3
    # Neither begins a turn, and neither is a final response.
    makes 'ctx-select turn=1' 1-4
    makes 'ctx-select final' 4
}

@test "metadata: scope" {
    { user A.; calls c1 read a.c; gets c1 "$long"; says B.; user C.; } >in
    makes 'ctx-isolate' 1 "$(artifact '' read a.c 'ok, 600 B')" 4-5
    ctx-isolate in | jq -se 'any(.metadata.scope == "historical")' >/dev/null
}

@test "metadata: facts" {
    { user A.; calls c1 edit a.c; gets c1 "$long"; says B.; user C.; } >in
    same facts <(echo '{"tool":"edit","target":"a.c","op":"edit","outcome":"ok"}') \
        <(ctx-isolate in | jq -c 'select(.metadata.facts).metadata.facts')
    dropped '"x":1'
    jq -se 'any(.metadata.facts.files_read | length > 10)' out >/dev/null
}

@test "metadata: section" {
    { user A.; says B. '"section":"buffer"'; user C. '"section":"mine"'; says D. '"section":"summary"'; } >in
    makes 'ctx-select section=messages' 1
    makes 'ctx-select section=mine' 3
    makes 'ctx-project --sections mine,buffer' 3 2
    makes 'ctx-select kind=summary' 4
}

@test "metadata: session_id , timestamp , usage" {
    { user A. '"session_id":"s1"'; says And. '"timestamp":"2026-01-01T00:00:00Z"'; says B. '"timestamp":"2026-01-05T00:00:00Z","usage":{"input_tokens":900,"output_tokens":9}'; } >in
    makes 'ctx-select session=s1' 1
    same age <(echo '["max_age"]') <(ctx-budget --max-age 2d --json in | jq -c .reasons)
    same usage <(echo 909) <(ctx-budget --estimator usage --json in | jq .used_tokens)
}

@test "metadata: id" {
    { user A. '"id":"m1"'; says B. '"is_error":true,"id":"m2"'; user C. '"resolves":"m2"'; } >in
    makes 'ctx-select id=m1' 1
    ! ctx-select --count unresolved in || fail 'found'
}

@test "metadata: parent_id" {
    { user A. '"id":"m1"'; says B. '"id":"m2","parent_id":"m1"'; says C. '"id":"m3","parent_id":"m1"'; user D. '"id":"m4","parent_id":"m3"'; } >in
    makes 'ctx-project --view all --leaf m4' 1 3-4
    makes 'ctx-project --view all' 1-4
}

@test "metadata: forgets" {
    { user A. '"id":"m1"'; says B. '"id":"m2"'; says C. '"forgets":["m2"]'; user D.; } >in
    makes 'ctx-project --view all' 1 3-4
    makes 'ctx-project --view all --forgotten show' 1-4
}

@test "metadata: source" {
    { user A. '"id":"m1","source":1'; says B. '"id":"m2","source":"1.2"'; says B. '"id":"m2","source":7'; } >in
    makes 'ctx-normalize --check' ">>>2 ctx-normalize: in:3: repeated-id: id 'm2' is the id of an earlier message" '>>>= 1'
    makes 'ctx-normalize' 1-2
    same 'left out' <(ctx-normalize --to instructor <(sed -E 's/,"source":("1.2"|1|7)//' in)) <(ctx-normalize --to instructor in)
}

@test "metadata: agent_id , parent_execution_id" {
    { user A.; calls c1 task '{"prompt":"look"}'; user Look. '"agent_id":"sub","parent_execution_id":"#1"'; says Seen. '"agent_id":"sub","parent_execution_id":"#1"'; gets c1 Seen.; says B.; } >in
    makes 'ctx-project --view conversation' 1 6
    makes 'ctx-project --view conversation --agent sub' 3-4
    makes 'ctx-select agent=sub' 3-4
}

# --- What is derived ---------------------------------------------------------------------------------

@test "derived: agent" {
    { user A. '"agent_id":"sub","parent_execution_id":"e1"'; says B. '"agent_id":"sub","parent_execution_id":"e1"'; user C.; says D.; } >in
    makes 'ctx-project --view conversation' 1-2
}

@test "derived: origin" {
    { user A.; calls c1 read a.c; gets c1 x; says B.; says C. '"is_error":true'; system D.; developer E.; user F. '"kind":"summary"'; } >in
    same origins <(printf '%s\n' user tool_call tool_result assistant error system system) \
        <(ctx-route in | jq -r '.metadata.origin | strings')
    makes 'ctx-select origin=summary' 8
}

@test "derived: trace" {
    { user A.; calls c1 read a.c; gets c1 x; says B.; calls c2 read b.c '"is_trace":false'; gets c2 y; } >in
    makes 'ctx-select trace' 2-3
}

@test "derived: execution" {
    { user A.; says B.; user C.; calls c1 read a.c; gets c1 x; user 'No, b.c.'; says D.; } >in
    makes 'ctx-select execution=#1' 1-2
    makes 'ctx-select execution=#2' 3-7
    makes 'ctx-select --steering new execution=#3' 6-7
}

@test "derived: nested execution" {
    { user ask; calls c1 spawn '{}'; user task '"execution_id":"e2","is_trace":true'; gets c1 r; } >in
    makes ctx-project 1-2 4
}

@test "derived: final response" {
    { user A.; says 'I look.'; calls c1 read a.c; gets c1 x; says B.; user C.; says ' '; says D. '"is_error":true'; user E.; } >in
    makes 'ctx-select final' 5 8
}

@test "derived: over" {
    { user A.; calls c1 read a.c; gets c1 "$long"; } >in
    makes ctx-isolate 1-3
    { user A.; calls c1 read a.c; gets c1 "$long"; says B.; } >in
    makes ctx-isolate 1 "$(artifact '' read a.c 'ok, 600 B')" 4
}

@test "derived: turn" {
    { system A.; user B.; says C.; user D. '"origin":"injected"'; user E.; says F.; } >in
    makes 'ctx-select turn=0' 1
    makes 'ctx-select turn=1' 2-4
    makes 'ctx-select turn=-1' 5-6
}

@test "derived: pair group" {
    { user A.; wants c1:read c1:ls; gets c1 x; gets c1 y; wants c1:find; gets c1 z; says B.; } >in
    makes 'ctx-select tool=ls' 2-4
    makes 'ctx-select -x tool=ls,role=tool' 3
    makes 'ctx-select tool=find' 5-6
}

@test "derived: section" {
    { user A.; calls c1 read a.c '"section":"buffer"'; gets c1 x; user B. '"kind":"summary"'; } >in
    makes 'ctx-select section=buffer' 2-3
    makes 'ctx-select section=summary' 4
    makes 'ctx-select section=messages' 1
}

@test "derived: target" {
    { user A.; calls c1 read '{"path":"./src/../a.c"}'; gets c1 "$long"; calls c2 Bash '{"command":"make"}'; gets c2 "$long"; says B.; user C.; } >in
    same targets <(printf '%s\n' a.c make) <(ctx-isolate in | jq -r 'select(.metadata.facts).metadata.facts.target')
}

@test "derived: unresolved" {
    { user A.; calls c1 read a.c; gets c1 no '"is_error":true'; calls c2 read b.c; gets c2 no '"is_error":true'; calls c3 read '{ "path" : "a.c" }'; gets c3 yes; says B.; user C.; } >in
    makes 'ctx-select unresolved' 4-5
    { cat in; calls c4 read b.c; gets c4 no '"is_error":true'; user D.; calls c5 write a.c; gets c5 no '"is_error":true'; calls c6 edit a.c; gets c6 yes; } >in2
    mv in2 in
    makes 'ctx-select unresolved' 10-11
}

# --- Terms -------------------------------------------------------------------------------------------

# talk: a session for terms.
talk() {
    system Be.                                                                        # 1
    user A. '"id":"m2","session_id":"s1"'                                             # 2
    wants c1:read c2:grep                                                             # 3
    gets c1 "$long"                                                                   # 4
    gets c2 'none' '"is_error":true'                                                  # 5
    says B.                                                                           # 6
    user C. '"pinned":true,"n":7'                                                     # 7
    says D. '"agent_id":"sub","parent_execution_id":"x"'                              # 8
    user E. '"kind":"summary"'                                                        # 9
    says F. '"compacted":true'                                                        # 10
}

# selects TERM LINE...: exactly these lines; and the others with its negation.
selects() {
    local -a others=()
    local n
    talk >in
    makes "ctx-select -x '$1'" "${@:2}"
    for n in {1..10}; do [[ " ${*:2} " == *" $n "* ]] || others+=("$n"); done
    makes "ctx-select -x '!$1'" "${others[@]}"
}

@test "term: role= ROLE" {
    selects role=tool 4 5
}

@test "term: origin= ORIGIN" {
    selects origin=user 2 7
    selects origin=tool_call 3
    selects origin=summary 9
}

@test "term: tool= GLOB" {
    selects 'tool=re*' 3 4
    selects 'tool=g[a-z]?p' 3 5
}

# touches TERM LINE...: exactly these lines of a session that works on files.
touches() {
    {
        user Go.                                                                      # 1
        calls c1 read ./src//a.c                                                      # 2
        gets c1 'int a;'                                                              # 3
        calls c2 bash '{"command":"sed -i s/a/b/ src/a.c && make >log/out"}'          # 4
        gets c2 ''                                                                    # 5
        acts '' "$(call c3 edit src/b.c)" "$(call c4 grep 'src/[ab].c')"              # 6
        gets c4 'none' '"is_error":true'                                              # 7
        gets c3 'done'                                                                # 8
        calls c5 bash '{"command":"cat src/a.c"}'                                     # 9
        gets c9 'src/a.c' '"tool_name":"read"'                                        # 10
    } >in
    makes "ctx-select -x '$1'" "${@:2}"
}

@test "term: target= GLOB" {
    touches 'target=src/a.c' 2-3
    touches 'target=*a.c' 2-3 9
    touches 'target=*src/a.c*' 2-5 9
    touches 'target=src/?.c,role=tool' 3 8
    touches 'target=*' 2-6 8 9
    touches '!target=*' 1 7 10
}

@test "term: path= GLOB" {
    touches 'path=src/a.c' 2-5 9
    touches 'path=log/*' 4-5
    touches 'path=src/b.c' 6 8
    touches 'path=*,tool=bash' 4-5 9
    touches '!path=*' 1 7 10
}

@test "term: kind= KIND" {
    selects kind=summary 9
}

@test "term: section= NAME" {
    selects section=summary 9
    selects section=messages 1 2 3 4 5 6 7 8 10
}

@test "term: execution= ID" {
    selects 'execution=#2' 7 9 10
    selects execution=last 7 9 10
}

@test "term: session= ID , agent= ID" {
    selects session=s1 2
    selects agent=sub 8
}

@test "term: id= ID" {
    selects id=m2 2
    selects id=c1 4
}

@test "term: pinned , trace , error , compacted" {
    selects pinned 7
    selects trace 3 4 5
    selects error 5
    selects compacted 10
}

@test "term: unresolved" {
    selects unresolved 3 4 5
}

@test "term: final" {
    selects final 6 10
}

@test "term: tokens> N , bytes> N" {
    selects 'tokens>50' 4
    selects 'bytes>600' 4
    selects 'bytes=33' 1
    selects 'bytes<34' 1
}

@test "term: turn> N" {
    selects 'turn>1' 7 9 10
    selects 'turn>-2' 7 9 10
    selects 'turn<1' 1
    selects 'turn=-2' 2 3 4 5 6
}

@test "term: meta. NAME = VALUE" {
    selects meta.n=7 7
    selects meta.id=m2 2
}

@test "term: arg~ ERE" {
    touches 'arg~^src/[b[]' 6-8
    touches 'arg~(^|/)src/+a[.]c$' 2-3
    touches 'role=tool,arg~make|cat' 5
    touches 'arg~path|command' '>>>= 1'
    raw '{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":{"n":{"m":[1,"x\u0079z"]}}}},{"id":"b","function":{"name":"g","arguments":"no object"}}]}' \
        '{"role":"tool","tool_call_id":"a","content":"r"}' '{"role":"tool","tool_call_id":"b","content":"s"}' >in
    makes "ctx-select -x 'arg~^1$'" 1-2
    makes "ctx-select -x 'arg~^xyz$'" 1-2
    makes "ctx-select -x 'arg~^no'" 1 3
}

@test "term: text~ ERE" {
    selects 'text~^(A|C|x{9,})' 2 4 7
}

# --- Statuses ----------------------------------------------------------------------------------------

# status N COMMAND: the command ends with that status.
status() {
    local status=0
    bash -c "$2" >out 2>err || status=$?
    ((status == $1)) || fail "$2: status $status: $(head -n 3 err)"
}

@test "status: 0" {
    { user A.; says B.; } >in
    local filter
    for filter in "${filters[@]}"; do status 0 "$filter in"; [[ ! -s err ]]; done
}

@test "status: 1" {
    { user A.; says B.; user C.; } >in
    status 1 'ctx-select role=tool in'
    status 1 'ctx-compact --limit 3 in'
    status 1 'ctx-budget --limit 3 --check in'
    status 1 'ctx-route --resolve c9 in'
    { user A.; gets c1 x; } >in
    status 1 'ctx-normalize --check in'
}

@test "status: 69" {
    dropped '"x":1'
    status 69 'ctx-compact --limit 400 --target 100% --summarizer false in'
    status 69 'ctx-budget --estimator cmd:false in'
}

@test "status: 70" {
    dropped '"x":1'
    printf '#!/bin/sh\nsed 1,2d\n' >f
    chmod +x f
    status 70 'ctx-compact --limit 400 --pipeline ./f in'
    [[ ! -s out ]]
}

@test "status: 71" {
    ! grep -q __asan_init "$CTX_BIN/ctx-compact" || skip 'AddressSanitizer maps its shadow'
    { user A.; says "$(repeat 4000000 x)"; } >in
    status 71 'ulimit -v 3000; ctx-compact --estimator bytes/4 in'
}

@test "status: 73" {
    user A. >in
    local filter
    for filter in "${filters[@]}" ctx-budget; do status 73 "$filter --report no/such/place in"; done
}

@test "status: 75" {
    dropped '"x":1'
    status 75 "ctx-compact --limit 400 --before-compact 'exit 75' in"
    command -v flock >/dev/null || skip 'no flock'
    status 75 "flock in ctx-compact --limit 400 -i in"
}

@test "status: 78" {
    user A. >in
    echo '{' >models
    status 78 'ctx-budget --models-file models --model x in'
}

# --- Transforms --------------------------------------------------------------------------------------

@test "transform: dedupe" {
    { user A.; calls c1 read a.c; gets c1 "$long"; calls c2 edit a.c; gets c2 ok; says B.; user C.; says D.; user E.; } >in
    makes "$compact --force --pipeline dedupe" 1-2 '3: compacted content -> [stale: the file was changed later]' 4-9
}

@test "transform: prune" {
    { user A.; calls c1 read a.c; gets c1 "$(repeat 3000 x)"; says B.; user C.; says D.; user E.; } >in
    $compact --force --pipeline prune in >out
    sed 3d in >wanted
    same 'all but the result' wanted <(sed 3d out)
    (($(sed -n 3p out | wc -c) < 2100))
}

@test "transform: summarize" {
    dropped '"x":1' summarize
    jq -se 'any(.metadata.kind == "summary" and .role == "user")' out >/dev/null
    same 'one artifact' <(echo 1) <(grep -c '"kind":"summary"' out)
}

@test "transform: symbolize" {
    dropped '"x":1' symbolize
    jq -r 'select(.metadata.kind == "summary").content' out | grep -q '^tool: read src/part_'
}

@test "transform: truncate" {
    dropped '"x":1'
    (($(wc -l <out) < $(wc -l <in)))
    jq -se 'any(.content // "" | startswith("[summary] "))' out >/dev/null
}

@test "transform: normalize" {
    dropped '"x":1' dedupe,prune,normalize
    ctx-normalize --check out >/dev/null
    # It is done where it is not in the list, too: what a filter breaks is not written.
    printf '#!/bin/sh\nsed 1d | sed 3d\n' >f
    chmod +x f
    status 70 'ctx-compact --limit 400 --pipeline ./f in'
}
