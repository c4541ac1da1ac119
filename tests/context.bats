#!/usr/bin/env bats
#
# The context record: what --context, --system-prompt, --tools and --response-format of ctx-route
# make of it, and which of several records is in force.

load helper
load dialogue

definition='[{"type":"function","function":{"name":"sound","parameters":{"type":"object"}}}]'

# records FILE...: the context records of the files.
records() {
    jq -c 'select(.type == "context")' "$@"
}

@test "context: a value has the type that it spells" {
    spec <<'END'
ctx-route --context n=12 --context on=true --context list='[1, "a b"]' --context text='"12"' --context word=twelve --context id=012 --context none=null
>>> {"type":"context","metadata":{"n":12,"on":true,"list":[1,"a b"],"text":"12","word":"twelve","id":"012","none":null}}
END
    # The names of a message's metadata are free here.
    spec <<'END'
ctx-route --context section=5 --context pinned=yes
>>> {"type":"context","metadata":{"section":5,"pinned":"yes"}}
END
    refuses 'ctx-route --context n' "bad value 'n' of --context, expected KEY=VALUE"
    refuses 'ctx-route --context =n' "bad value '=n' of --context, expected KEY=VALUE"
    refuses $'ctx-route --context "a=\xff"' "bad value 'a=\\xff' of --context, expected UTF-8 text"
}

@test "context: a value that nests too deep for a record is refused, and one level less is written" {
    local deep status=0
    deep=$(printf '[%.0s' {1..1022})$(printf ']%.0s' {1..1022})
    ctx-route --context "a=$deep" >out
    ctx-normalize --check out
    ctx-route --context "a=[$deep]" >out 2>said || status=$?
    same status <(echo 64) <(echo "$status")
    grep -q 'expected JSON that nests less deep' said
    [[ ! -s out ]]
    printf '[{"a":%s}]' "${deep:1:2042}" >deep
    ctx-route --tools deep >out
    ctx-normalize --check out
    printf '[{"a":%s}]' "$deep" >deep
    status=0
    ctx-route --tools deep >out 2>said || status=$?
    same status <(echo 78) <(echo "$status")
    same refusal <(echo 'ctx-route: deep: nests too deep for a record') said
    [[ ! -s out ]]
}

@test "context: an empty value removes the member, and all of that name" {
    { raw '{"type":"context","system_prompt":"P","metadata":{"a":1,"b":2,"\u0061":3,"c":{}}}'; user A.; } >in
    makes 'ctx-route --context a=' '{"type":"context","system_prompt":"P","metadata":{"b":2,"c":{}}}' '2: origin=user'
    makes 'ctx-route --context a= --context d=4 --context c=' '{"type":"context","system_prompt":"P","metadata":{"b":2,"d":4}}' '2: origin=user'
    # The last of one key counts.
    makes 'ctx-route --context b=3 --context b=' '{"type":"context","system_prompt":"P","metadata":{"a":1,"\u0061":3,"c":{}}}' '2: origin=user'
    makes 'ctx-route --context b= --context b=3' '{"type":"context","system_prompt":"P","metadata":{"a":1,"b":3,"\u0061":3,"c":{}}}' '2: origin=user'
    # What is not there is not removed, and no record is made for it.
    makes 'ctx-route --context x=' 1 '2: origin=user'
    user A. >in
    makes 'ctx-route --context x=' '1: origin=user'
    ctx-route --context x= --tools /dev/null </dev/null >out
    same nothing /dev/null out
    { raw '{"type":"context","metadata":null}'; user A.; } >in
    makes 'ctx-route --context x=' 1 '2: origin=user'
}

@test "context: tools are an array of objects" {
    printf '[\n  {"type": "function",\n   "function": {"name": "sound", "parameters": {"type": "object"}}}\n]\n' >tools
    user A. >in
    makes 'ctx-route --tools tools' "{\"type\":\"context\",\"tools\":$definition}" '1: origin=user'
    { raw "{\"type\":\"context\",\"tools\":[ ],\"x\":1}"; user A.; } >in
    makes 'ctx-route --tools tools' "{\"type\":\"context\",\"tools\":$definition,\"x\":1}" '2: origin=user'
    # The tools that the log has are the tools of the request.
    ctx-route --tools tools in | ctx-normalize --to openai --request='{"model":"m"}' >request
    same tools <(echo "$definition") <(jq -c .tools request)
    ctx-route --tools tools in | ctx-normalize --to anthropic --request='{"model":"m","max_tokens":9}' >request
    same names <(echo '["sound"]') <(jq -c '[.tools[].name]' request)
}

@test "context: wrong JSON is status 78, and nothing is written" {
    user A. >in
    user B. >log
    cp log before
    local option text status
    for option in --tools --response-format; do
        for text in '[{' '1' '"a"' '[1]' '[{},[]]' ' ' $'\n' '{} {}' $'[{"a":"\xff"}]'; do
            printf '%s' "$text" >file
            status=0
            ctx-route "$option" file --append log in >out 2>said || status=$?
            same "$option $text" <(echo 78) <(echo "$status")
            [[ ! -s out ]] || fail "$option $text: written"
            grep -q '^ctx-route: file: ' said
            [[ $(wc -l <said) == 1 ]]
            cmp before log
        done
    done
    spec <<'END'
echo {} >file; ctx-route --tools file
>>>2 ctx-route: file: expected a JSON array of objects
>>>= 78
>>>+ file
END
    spec <<'END'
ctx-route --tools missing
>>>2 ctx-route: cannot open 'missing': No such file or directory
>>>= 66
END
}

@test "context: an empty file removes prompt, tools and format" {
    : >empty
    printf '\xef\xbb\xbf' >mark
    local file
    for file in empty mark /dev/null; do
        { raw '{"type":"context","system_prompt":"P","tools":[{}],"response_format":{"type":"text"},"metadata":{"a":1}}'; user A.; } >in
        makes "ctx-route --system-prompt $file" '{"type":"context","tools":[{}],"response_format":{"type":"text"},"metadata":{"a":1}}' '2: origin=user'
        makes "ctx-route --tools $file" '{"type":"context","system_prompt":"P","response_format":{"type":"text"},"metadata":{"a":1}}' '2: origin=user'
        makes "ctx-route --response-format $file" '{"type":"context","system_prompt":"P","tools":[{}],"metadata":{"a":1}}' '2: origin=user'
        makes "ctx-route --system-prompt $file --tools $file --response-format $file --context a=" '{"type":"context","metadata":{}}' '2: origin=user'
        user A. >in
        makes "ctx-route --system-prompt $file --tools $file --response-format $file" '1: origin=user'
    done
}

# continues HOW OPTIONS...: the log takes the file step, by --log or by --append.
continues() {
    if [[ $1 == append ]]; then
        ctx-route --append log "${@:2}" step >out
    else
        ctx-route --log log "${@:2}" step >out
        cat out >>log
    fi
}

@test "context: a log that goes on keeps its context but for what changes, and gets none when nothing does" {
    printf 'P1' >prompt
    printf 'P2' >second
    echo "$definition" >tools
    user A. >in
    says B. >step
    local how
    for how in log append; do
        ctx-route --system-prompt prompt --tools tools --context n=1 in >log
        # The same context again is no record.
        continues $how --system-prompt prompt --context n=1
        same "$how: no record" <(echo 1) <(records log | grep -c .)
        # Another prompt, and another number: tools stay.
        continues $how --system-prompt second --context n=2 --context m=x
        same "$how: the change" <(echo "{\"type\":\"context\",\"system_prompt\":\"P2\",\"tools\":$definition,\"metadata\":{\"n\":2,\"m\":\"x\"}}") \
            <(head -n 1 out)
        # What is removed is removed of the newest.
        continues $how --system-prompt /dev/null --context n=
        same "$how: removed" <(echo "{\"type\":\"context\",\"tools\":$definition,\"metadata\":{\"m\":\"x\"}}") <(records out)
        same "$how: three" <(echo 3) <(records log | grep -c .)
    done
}

@test "context: of an empty step, the log gets the change alone" {
    raw '{"type":"context","system_prompt":"P"}' >log
    ctx-route --append log --context n=12 </dev/null >out
    same out <(echo '{"type":"context","system_prompt":"P","metadata":{"n":12}}') out
    ctx-route --append log --context n=12 </dev/null >out
    same out /dev/null out
    same log <(echo 2) <(wc -l <log)
}

@test "context: of a log that is replaced, the new one says the context" {
    raw '{"type":"context","system_prompt":"OLD"}' >log
    mkfifo step
    ctx-route --append log --context n=1 <step >out &
    local router=$!
    exec 7>step
    for _ in {1..200}; do
        [[ "$(readlink "/proc/$router/fd"/* 2>/dev/null)" != */log* ]] || break
        sleep 0.05
    done
    user A. >new
    mv new log
    says B. >&7
    exec 7>&-
    wait "$router"
    same context <(echo '{"type":"context","metadata":{"n":1}}') <(head -n 1 out)
}

@test "context: a context that goes on is no AgentContext of its own" {
    echo '{"metadata":{"a":1},"systemPrompt":"P","responseFormat":[],"messageStore":{"sections":[{"name":"messages","messages":[{"role":"user","content":"A."}]}],"parameters":[]}}' >store
    ctx-normalize --from instructor store >log
    says B. | ctx-route --append log --context n=12 >/dev/null
    ctx-normalize --to instructor log >back
    same 'one store' <(echo 1) <(wc -l <back)
    same store <(echo '["P",{"a":1,"n":12},2]') <(jq -c '[.systemPrompt, .metadata, (.messageStore.sections[0].messages | length)]' back)
}

# several: a log with three context records, the last of which has no format.
several() {
    raw '{"type":"context","system_prompt":"ONE","tools":[{"name":"one","input_schema":{}}],"response_format":{"type":"json_object"}}'
    user A.; says B.
    raw '{"type":"context","system_prompt":"TWO","metadata":{"a":1}}'
    user C.
    raw '{"type":"context","system_prompt":"THREE","tools":[{"name":"three","input_schema":{}}]}'
    says D.
}

@test "context: one prompt is in force, in every format" {
    local prompts='map(select(.role == "system").content)'
    several >in
    same openai <(echo '["THREE"]') <(ctx-normalize --to openai in | jq -sc "$prompts")
    same anthropic <(echo '["THREE"]') <(ctx-normalize --to anthropic in | jq -sc "$prompts")
    ctx-normalize --to openai --request='{"model":"m"}' in >request
    same request <(echo '[["THREE"],["three"],null]') \
        <(jq -c "[(.messages | $prompts), [.tools[].function.name], .response_format]" request)
    ctx-normalize --to anthropic --request='{"model":"m","max_tokens":9}' in >request
    same request <(echo '["THREE",["three"],null]') <(jq -c '[.system, [.tools[].name], .output_config]' request)
    ctx-normalize --to instructor in >store
    same store <(echo '["THREE",[],4]') <(jq -c '[.systemPrompt, .responseFormat, (.messageStore.sections[0].messages | length)]' store)
    # A record without a prompt replaces the one that had it.
    { several; raw '{"type":"context"}'; user E.; } >in
    same 'openai: none' <(echo '[]') <(ctx-normalize --to openai in | jq -sc "$prompts")
    same 'instructor: none' <(echo '""') <(ctx-normalize --to instructor in | jq -c .systemPrompt)
    same 'anthropic: none' <(echo '[null,null]') \
        <(ctx-normalize --to anthropic --request='{"model":"m","max_tokens":9}' in | jq -c '[.system, .tools]')
}

@test "context: the newest record alone is counted" {
    local status
    several >in
    several | records | tail -n 1 >last
    several | grep -v '"context"' >>last
    ctx-budget --window 100k --json in >all
    ctx-budget --window 100k --json last >one
    cmp one all
    grep -v '"context"' last | ctx-budget --window 100k --json >none
    ! cmp -s none all || fail 'no context is counted'
    # ctx-compact takes as much of the window for it.
    local file
    for file in in last; do
        status=0
        ctx-compact --window 1 --reserve-output 1 --estimator bytes/4 "$file" 2>said || status=$?
        same "$file" <(echo 1) <(echo "$status")
        grep 'prompt, tools and response format' said >"$file.takes"
    done
    cmp last.takes in.takes
}

@test "context: ctx-project --with-system says the newest prompt once" {
    several >in
    ctx-project --with-system in >view
    same prompts <(echo '["THREE"]') <(jq -sc 'map(select(.role == "system").content)' view)
    same left <(echo 0) <(grep -c system_prompt view || true)
    same request <(echo '["THREE"]') <(ctx-normalize --to openai view | jq -sc 'map(select(.role == "system").content)')
}

@test "context: a prompt that the first message says already is said once in every format" {
    local prompts='map(select(.role == "system").content)' order
    for order in 'context; message' 'message; context'; do
        {
            [[ $order == message* ]] || raw '{"type":"context","system_prompt":"Be \u0062rief."}'
            system 'Be brief.'
            [[ $order == context* ]] || raw '{"type":"context","system_prompt":"Be \u0062rief."}'
            user A.; says B.
        } >in
        same "$order: openai" <(echo '["Be brief."]') <(ctx-normalize --to openai in | jq -sc "$prompts")
        same "$order: anthropic" <(echo '"Be brief."') \
            <(ctx-normalize --to anthropic --request='{"model":"m","max_tokens":9}' in | jq -c .system)
    done
    # Of another text both are said, and so is one that the user or a later message says.
    { raw '{"type":"context","system_prompt":"Be brief."}'; system 'Be kind.'; system 'Be brief.'; } >in
    same others <(echo '["Be brief.","Be kind.","Be brief."]') <(ctx-normalize --to openai in | jq -sc "$prompts")
    { raw '{"type":"context","system_prompt":"Be brief."}'; user A.; system 'Be brief.'; } >in
    same 'a later one' <(echo '["Be brief.","Be brief."]') <(ctx-normalize --to openai in | jq -sc "$prompts")
    { raw '{"type":"context","system_prompt":"Be brief."}'; user 'Be brief.'; } >in
    same 'of a user' <(echo '["system","user"]') <(ctx-normalize --to openai in | jq -sc 'map(.role)')
}
