#!/usr/bin/env bats
#
# ctx-recall: what an agent types to read what it no longer has in its window.

load helper
load dialogue

# archived: compacts the gauge's log with an archive; $key is the list of what was dropped.
archived() {
    ctx-compact --archive archive --window 1k "$FIXTURES/compact-gauge.jsonl" >small
    key=$(jq -r 'select(.metadata.kind == "summary").metadata.archived' small)
}

# shown JQ...: what a jq filter gives of the log, as text.
shown() {
    jq -j "$@" "$FIXTURES/compact-gauge.jsonl"
}

@test "ctx-recall: the artifact names the command that lists what was dropped" {
    archived
    local command
    command=$(jq -r 'select(.metadata.kind == "summary").content' small | grep -o 'ctx-recall archive [0-9a-f]*')
    $command >list
    [[ $(head -n 1 list) == "[${key:0:12} dropped, lines 1-14 of 14]" ]]
    grep -qx '[0-9a-f]\{12\} assistant: bash command: make test' list
    [[ $(sed 1d list | cut -d' ' -f1 | sort) == "$(jq -r 'select(.record).key[:12]' archive | sort)" ]]
}

@test "ctx-recall: an entry of the list is what the message said, and LINES are some of its lines" {
    archived
    entry=$(ctx-recall archive "$key" | sed -n 's/ tool: #include.*//p')
    shown 'select(.tool_call_id == "c1").content' >text
    { printf '[%s tool read src/gauge.c, turn 1, lines 1-%s of %s]\n' "$entry" "$(wc -l <text)" "$(wc -l <text)" && cat text; } >expected
    ctx-recall archive "$entry" --tokens 10k >got
    same 'the whole' expected got
    { printf '[%s tool read src/gauge.c, turn 1, lines 2-3 of %s]\n' "$entry" "$(wc -l <text)" && sed -n 2,3p text; } >expected
    ctx-recall archive "$entry:2-3" >got
    same 'lines' expected got
    { printf '[%s tool read src/gauge.c, turn 1, lines 3-3 of %s]\n' "$entry" "$(wc -l <text)" && sed -n 3p text; } >expected
    ctx-recall archive "$entry:3" >got
    same 'a line' expected got
}

@test "ctx-recall: of a call, the arguments stand as lines" {
    archived
    entry=$(ctx-recall archive "$key" | sed -n 's/ assistant: write path.*//p')
    ctx-recall archive "$entry:1-4" | sed 1d >got
    { printf 'write\npath: reports/may.md\n' && printf 'content: ' &&
        shown 'select(.tool_calls[0].function.name == "write").tool_calls[0].function.arguments | fromjson.content'; } | sed -n 1,4p >expected
    same 'arguments' expected got
}

@test "ctx-recall: the answer has at most --tokens, and its last line is the command for the rest" {
    local entry tokens rest
    archived
    entry=$(ctx-recall archive "$key" | sed -n 's/ tool: cc -O2.*//p')
    for tokens in 100 150 300 1000; do
        ctx-recall archive "$entry" --tokens "$tokens" >got
        (($(jq -cRs '{role: "user", content: .}' got | ctx-budget --json | jq .used_tokens) <= tokens + 4))
        [[ $(tail -n 1 got) == *'lines more: ctx-recall archive '* ]]
    done
    : >all
    rest="ctx-recall archive $entry"
    while [[ -n $rest ]]; do
        $rest >got
        grep -v "^\[$entry tool bash make test, turn 1, lines\|^\[.* lines more: " got >>all
        rest=$(sed -n 's/^\[[0-9]* lines more: \(.*\)\]$/\1/p' got)
    done
    same 'all' <(shown 'select(.tool_call_id == "c2").content') all
}

@test "ctx-recall: what was compacted twice is what it was at first" {
    ctx-compact --archive archive --window 4k "$FIXTURES/compact-gauge.jsonl" >small
    ctx-compact --archive archive --window 1k small >smaller
    key=$(jq -r 'select(.metadata.kind == "summary").metadata.archived' smaller)
    entry=$(ctx-recall archive "$key" | sed -n 's/ tool: #include.*//p')
    ctx-recall archive "$entry" --tokens 10k | sed 1d >got
    same 'the first' <(shown 'select(.tool_call_id == "c1").content') got
}

@test "ctx-recall: a key that is not there, is not the only one, or is no key" {
    local i
    archived
    spec <<'END'
ctx-recall archive 0123456
>>>2 ctx-recall: archive: entry 0123456 is not there
>>>= 65
END
    {
        printf '{"key":"0123456%025d","record":{}}\n' 1 2
    } >>archive
    spec <<'END'
ctx-recall archive 0123456
>>> [0123456 is one of several]
>>> 012345600000 does not match its key
>>> 012345600000 does not match its key
END
    spec <<END
ctx-recall archive 0123456$(printf %025d 1)
>>>2 ctx-recall: archive: entry 012345600000 does not match its key
>>>= 65
END
    for i in abc xyzz 0123: 0123:0 0123:x 0123:1-0 0123:1-2-3; do
        refuses "ctx-recall archive $i" \
            "bad key '$i', expected KEY, KEY:N, KEY:N- or KEY:N-M, with at least 4 of the digits of the key; -F looks for words"
    done
}

@test "ctx-recall: where several entries begin with the digits, they are listed" {
    { user go && for i in {1..700}; do says "answer $i $(printf %09d 0)"; user "next $i"; done; } >in
    ctx-compact --estimator bytes/4 --archive A --force --target 300 --keep-turns 1 in >small
    jq -r 'select(.record).key' A | cut -c 1-4 | sort | uniq -d | head -n 1 >digits
    [[ -s digits ]]
    ctx-recall A "$(<digits)" >got
    [[ $(head -n 1 got) == "[$(<digits) is one of several]" ]]
    sed 1d got | cut -c 1-12 | while read -r key; do ctx-recall A "$key" --tokens 10k | sed -n 2p; done >texts
    same 'texts' <(sed '1d; s/^[^:]*: //' got) texts
    same 'keys' <(jq -r 'select(.record or .list).key[:12]' A | grep "^$(<digits)" | tac) <(sed 1d got | cut -c 1-12)
    ctx-recall A "$(<digits)" --tokens 20 >got
    [[ $(tail -n 1 got) == '[there is more: type more digits]' ]]
}

@test "ctx-recall: it takes an archive and a key, or --search and an archive" {
    refuses 'ctx-recall' 'expected an archive'
    refuses 'ctx-recall --search x' 'expected an archive'
    refuses 'ctx-recall archive' 'expected an archive and a key, -F, --search, --file or --list'
    refuses 'ctx-recall archive 0123 small' 'expected an archive and a key, -F, --search, --file or --list'
    refuses 'ctx-recall archive 0123 --search x' 'a search looks at the whole archive: expected no key'
    refuses 'ctx-recall archive -F how deep is it' 'a search looks at the whole archive: expected one operand; several WORDS need quotes'
    # What is wrong with the command line is said before any file is opened.
    refuses 'ctx-recall missing xyzz' \
        "bad key 'xyzz', expected KEY, KEY:N, KEY:N- or KEY:N-M, with at least 4 of the digits of the key; -F looks for words"
    refuses "ctx-recall --search '(' missing" "bad value of --search '(': unmatched ("
    spec <<'END'
ctx-recall missing 0123
>>>2 ctx-recall: cannot open 'missing': No such file or directory
>>>= 66
END
}

@test "ctx-recall: an archive with a name that a shell would read otherwise is quoted in the command for the rest" {
    local archive command
    archived
    cp archive "it's here"
    cp archive ./-x
    for archive in "it's here" -x; do
        ctx-recall --tokens 100 -- "$archive" "$key" >got
        command=$(sed -n 's/^\[[0-9]* lines more: \(.*\)\]$/\1/p' got)
        bash -c "$command" >rest
        [[ $(head -n 1 rest) == "[${key:0:12} dropped, lines "* ]]
    done
}

# tokens_of FILE: what it costs a model.
tokens_of() {
    jq -cRs '{role: "user", content: .}' "$1" | ctx-budget --json | jq '.used_tokens - 4'
}

@test "ctx-recall --search: the lines that match, with their numbers, below whose they are, the newest entries first" {
    archived
    ctx-recall --search 'zero|datum' archive >got
    same 'found' <(printf '%s\n' 1: 1: 3:) <(sed -n 's/^\([0-9]*:\) .*/\1/p' got)
    grep -qx '\[[0-9a-f]\{12\} tool read src/gauge.c, turn 1\]' got
    [[ $(grep -c '^\[' got) == 3 && $(head -c 1 got) == '[' ]]
    entry=$(grep '^\[' got | tail -n 1 | cut -c 2-13)
    IFS=: read -r line text <<<"$(tail -n 1 got)"
    same 'recalled' <(printf '%s\n' "${text# }") <(ctx-recall archive "$entry:$line" | sed 1d)
    spec <<'END'
ctx-recall --search 'no such thing' archive
>>>2 ctx-recall: nothing in 'archive' matches 'no such thing'
>>>= 1
END
    refuses "ctx-recall --search '(' archive" "bad value of --search '(': unmatched ("
}

# whole COMMAND...: all that a search and the commands for its rest print, without their tails; each
# answer has at most 400 tokens.
whole() {
    local rest
    "$@" >got
    while :; do
        (($(tokens_of got) <= 400)) || fail "$(tokens_of got) tokens"
        grep -v '^\[there is more: ' got
        rest=$(sed -n 's/^\[there is more: \(.*\)\]$/\1/p' got)
        [[ -n $rest ]] || break
        bash -c "$rest" >got
    done
}

@test "ctx-recall --search, -F: the last line is the command for the rest, and quoting survives" {
    archived
    cp archive "it's here"
    whole ctx-recall --search "[a-z]+ 'now'|." "it's here" --tokens 400 | grep -v '^\[' >parts
    ctx-recall --search . archive --tokens 100k | grep -v '^\[' >all
    same 'search' all parts
    whole ctx-recall -F "the gauge's heights, metres and test" "it's here" --tokens 400 | sed -n 's/^[0-9]*[:-] //p' | sort -u >parts
    (($(wc -l <parts) > 20))
    # With more room, there are more lines around the passages.
    ctx-recall -F "the gauge's heights, metres and test" archive --tokens 200k | sed -n 's/^[0-9]*: //p' | sort -u >all
    same '-F' /dev/null <(comm -13 parts all)
}

@test "ctx-recall --search: there is more, too, where lines of many bytes have few tokens" {
    local lines
    mapfile -t lines < <(printf 'needle %d\n' {1..300})
    lines=("${lines[@]/%/$(printf '%180sx' '')}")
    long_lines "${lines[@]}"
    ctx-recall A --search 'needle [0-9]+ ' >got
    (($(tokens_of got) <= 1000))
    whole ctx-recall A --search 'needle [0-9]+ ' --tokens 400 | grep -v '^\[' >parts
    (($(wc -l <parts) == 300)) || fail "$(wc -l <parts)"
}

@test "ctx-recall --search -C: lines around each hit once, with '-'; a line of many entries once, with their number" {
    local entry
    long_lines one two three 'four needle' 'five needle' six seven eight 'nine needle' "$(printf %02000d 7)"
    spec <<END
ctx-recall A --search needle -C 1
>>> [$entry tool look, turn 1]
>>> 3- three
>>> 4: four needle
>>> 5: five needle
>>> 6- six
>>> 8- eight
>>> 9: nine needle
>>> 10- $(printf %0200d 0)…
END
    spec <<END
ctx-recall A --search needle -C 1 --skip 2
>>> [$entry tool look, turn 1]
>>> 8- eight
>>> 9: nine needle
>>> 10- $(printf %0200d 0)…
END
    spec <<'END'
ctx-recall A --search needle --skip 3
>>>2 ctx-recall: nothing more in 'A' matches 'needle'
>>>= 1
END
    for n in 1 2 3; do
        calls c1 look '{}'
        gets c1 "'common needle'\\n$(printf %0300d "$n")"
    done >steps
    { user go && cat steps && says 'done' && user Next. && says Well. && user 'and now?'; } >in
    rm A
    ctx-compact --estimator bytes/4 --archive A --force --target 100 --keep-turns 1 in >small
    ctx-recall A --search needle | sed 1d >got
    same 'once' <(echo "1: 'common needle' [under 3 keys]") got
    ctx-recall A -F 'a common needle' | sed -n 2p >got
    same 'once, ranked' <(echo "1: 'common needle' [under 3 keys]") got
    refuses 'ctx-recall A 0123 -C 1' '--context requires --words or --search'
    refuses 'ctx-recall A --search x -F x' '--search cannot be combined with --words'
}

@test "ctx-recall: a long line with escaped line ends is lines" {
    local entry pad
    pad=$(printf 'pad %.0s' {1..50})
    long_lines "{\\\"output\\\": \\\"first $pad\\\\nthe needle\\\\nlast\\\\n\\\"}" 'short\\nline'
    spec <<END
ctx-recall A $entry:2-
>>> [$entry tool look, turn 1, lines 2-5 of 5]
>>> the needle\\n
>>> last\\n
>>> "}
>>> short\\nline
END
    ctx-recall A --search needle | sed 1d >got
    same 'found' <(printf '%s\n' '2: the needle\n') got
}

@test "ctx-recall: of a result of Codex's shell, the lines are those of the output" {
    local entry pad
    pad=$(printf 'pad %.0s' {1..50})
    long_lines "{\\\"output\\\":\\\"first $pad\\\\nthe \\\\\\\"needle\\\\\\\"\\\\nlast\\\\n\\\",\\\"metadata\\\":{\\\"exit_code\\\":0}}"
    spec <<END
ctx-recall A $entry:2-
>>> [$entry tool look, turn 1, lines 2-3 of 3]
>>> the "needle"
>>> last
END
    ctx-recall A --search needle | sed 1d >got
    same 'found' <(printf '%s\n' '2: the "needle"') got
}

@test "ctx-recall -F: passages with the most and rarest of the words come first, in any case and form" {
    {
        user 'Where do the recordings go?'
        calls c1 read '{"path":"src/store.c"}'
        gets c1 "$(printf 'the line %d of the file is here\\n' {1..60})static int maxRecordings = 30;\\n$(printf 'the line %d of the file\\n' {61..90})"
        says "The line of the file that the user asks for is here, the file is not. $(printf %0900d 1)"
        user Next.
        says Well.
        user 'and now?'
    } >in
    ctx-compact --estimator bytes/4 --archive A --force --target 100 --keep-turns 1 in >small
    ctx-recall A -F 'which line of the file has the MAX of a Recording?' >got
    grep -n 'tool read src/store.c, turn 1' got | grep -q '^1:' || fail "$(<got)"
    sed -n '2,/^\[/p' got | grep -qx '61: static int maxRecordings = 30;' || fail "$(<got)"
    # Words that do not occur are ignored, and so are the signs of regular expressions.
    ctx-recall A -F 'which line of the file has the MAX of a Recording? (.*[zebra' >again
    same 'ignored' <(grep -v '^.there is more' got) <(grep -v '^.there is more' again)
    # Words that only make a sentence count nothing beside others, and are looked for alone.
    ctx-recall A -F 'Which of the users asked' -C 0 >got
    ctx-recall A -F 'users asked' -C 0 | same 'other words alone' - got
    ctx-recall A -F 'The' >got
    grep -q 'The line of the file' got
    {
        user Begin.; says 'The mapping was committed. It fell.'; user 'Which one?'; says "$(printf %0900d 1)"; user Bye.
    } >in
    ctx-compact --estimator bytes/4 --archive B --force --target 100 --keep-turns 1 in >small
    ctx-recall B -F 'commit' | grep -q committed
    ctx-recall B -F 'fell' | grep -q 'It fell'
    ctx-recall B -F 'maps' | grep -q mapping
    spec <<'END'
ctx-recall A -F 'zebra (.*'
>>>2 ctx-recall: nothing in 'A' matches 'zebra (.*'
>>>= 1
END
}

@test "ctx-recall --search: a line is searched behind a NUL, too" {
    { user go && calls c1 look '{}' && gets c1 'a\u0000 needle\nhay '"$(printf %02000d 7)" && says 'done' && user Next. && says Well. && user 'and now?'; } >in
    ctx-compact --estimator bytes/4 --archive A --force --target 100 --keep-turns 1 in >small
    ctx-recall --search 'a. needle$' A >found
    grep -qa needle found
}

# long_lines LINE...: an archive A of one result with these lines, as a JSON string has them; $entry
# is its key.
long_lines() {
    local text
    printf -v text '%s\\n' "$@"
    { user go && calls c1 look '{}' && gets c1 "$text" && says 'done' && user Next. && says Well. && user 'and now?'; } >in
    ctx-compact --estimator bytes/4 --archive A --force --target 100 --keep-turns 1 in >small
    entry=$(jq -r 'select(.record.role == "tool").key[:12]' A)
}

@test "ctx-recall --search: of a long line, the part around the match is shown, and marked where it is cut" {
    local entry pad accents side long=needle
    pad=$(printf 'pad %.0s' {1..1500})
    accents=$(printf 'é%.0s' {1..300})
    side=$(printf 'é%.0s' {1..49})
    while ((${#long} < 400)); do long+=needle; done
    long_lines "${pad}needle" "needle $pad" "${pad}needle $pad needle" "x${accents}needle${accents}" \
        "$(printf %0194d 0)needle" "a ${long}"
    ctx-recall --search '(needle)+' A --tokens 4k | sed 1d >got
    same 'lines' <(printf '%s\n' {1..6}) <(cut -d: -f1 got)
    sed 's/^[0-9]*: //' got >shown
    same 'at the end' <(printf '…%s\n' "$(printf '%sneedle' "$pad" | tail -c 200)") <(sed -n 1p shown)
    same 'at the start' <(printf '%s…\n' "$(head -c 200 <<<"needle $pad")") <(sed -n 2p shown)
    same 'in the midst' <(printf '…%s…\n' "$(printf '%s' "$pad" | tail -c 97)needle$(head -c 97 <<<" $pad")") <(sed -n 3p shown)
    same 'code points' <(printf '…%sneedle%s…\n' "$side" "$side") <(sed -n 4p shown)
    same 'no longer than what is shown' <(printf '%0194dneedle\n' 0) <(sed -n 5p shown)
    same 'a match that is longer' <(printf '…%s…\n' "${long:0:200}") <(sed -n 6p shown)
    iconv -f utf-8 -t utf-8 got >/dev/null
    ctx-recall --search needle A --tokens 60 >got
    (($(jq -cRs '{role: "user", content: .}' got | ctx-budget --json | jq .used_tokens) <= 64))
    [[ $(tail -n 1 got) == '[there is more: ctx-recall A --search needle --tokens 60 --skip 1]' ]]
    [[ $(head -n 2 got | tail -n 1) == '1: '*… ]]
}

@test "ctx-recall: a line that does not fit ends with the command that prints it whole" {
    local entry long command tokens
    long=$(printf 'word%d ' {1..3000})
    long_lines first "$long" third
    for tokens in 0 10 100 1000; do
        ctx-recall A "$entry:2" --tokens "$tokens" >got
        [[ $(head -n 1 got) == "[$entry tool look, turn 1, lines 2-2 of 3]" ]]
        command=$(tail -n 1 got | sed -n 's/^\[the line goes on: \(.*\)\]$/\1/p')
        [[ $command == "ctx-recall A $entry:2 --tokens "* ]]
        $command >whole
        same 'the line' <(printf '[%s tool look, turn 1, lines 2-2 of 3]\n%s\n' "$entry" "$long") whole
    done
    # Behind it stands the command for the lines that are left.
    ctx-recall A "$entry:2-" >got
    [[ $(tail -n 2 got | head -n 1) == '[the line goes on: '* ]]
    [[ $(tail -n 1 got) == "[1 lines more: ctx-recall A $entry:3-3]" ]]
}

@test "ctx-recall: LINES that the entry does not have" {
    local entry lines
    long_lines 1 2 3 4 5 "$(printf %02000d 6)"
    for lines in 7 1000- 7-9; do
        spec <<END
ctx-recall A $entry:$lines
>>>2 ctx-recall: A: entry $entry has no line ${lines%%-*}, only 6
>>>= 1
END
    done
    refuses "ctx-recall A $entry:5-3" \
        "bad key '$entry:5-3', expected KEY, KEY:N, KEY:N- or KEY:N-M, with at least 4 of the digits of the key; -F looks for words"
    [[ $(ctx-recall A "$entry:5-9" --tokens 10k | head -n 1) == "[$entry tool look, turn 1, lines 5-6 of 6]" ]]
    [[ $(ctx-recall A "$entry:6-" --tokens 10k | head -n 1) == "[$entry tool look, turn 1, lines 6-6 of 6]" ]]
}

@test "ctx-recall: equal records of two logs are shown with the calls of both" {
    local n path
    for path in a.c b.c; do
        { user go && calls c1 read "{\"path\":\"$path\"}" && gets c1 "$(printf %02000d 7)" && says 'done' && user Next. && says Well. && user 'and now?'; } >in
        ctx-compact --estimator bytes/4 --archive A --force --target 100 --keep-turns 1 in >"small-$path"
        ctx-compact --estimator bytes/4 --archive A --force --target 100 --keep-turns 1 in | cmp - "small-$path"
    done
    ctx-recall A "$(jq -r 'select(.record.role == "tool").key[:12]' A | head -n 1)" | head -n 1 >said
    grep -q 'read b.c, turn 1 or read a.c, turn 1[],]' said || fail "$(<said)"
    # Of one log, too; more than three are not listed.
    for n in 1 2 3 4 5; do calls c1 read "{\"path\":\"$n.c\"}" && gets c1 "$(printf %02000d 8)"; done >steps
    { user go && cat steps && says 'done' && user Next. && says Well. && user 'and now?'; } >in
    ctx-compact --estimator bytes/4 --archive B --force --target 100 --keep-turns 1 in >small
    ctx-recall B "$(jq -r 'select(.record.role == "tool").key[:12]' B | head -n 1)" | head -n 1 >said
    grep -q 'read 5.c, turn 1 or read 4.c, turn 1 or read 3.c, turn 1 …' said || fail "$(<said)"
}

@test "ctx-recall --list: a line for each message, pass by pass, and the command for the rest" {
    archived
    ctx-recall archive --list --tokens 10k >all
    [[ $(head -n 1 all) == '[pass 1]' ]]
    same 'keys' <(jq -r 'select(.record).key[:12]' archive) <(sed 1d all | cut -c 1-12)
    grep -qx '[0-9a-f]\{12\} tool read src/gauge.c, turn 1: #include "gauge.h" .*' all
    ctx-recall archive --list --tokens 400 >first
    [[ $(tail -n 1 first) == '[there is more: ctx-recall archive --list --tokens 400 --skip '* ]]
    whole ctx-recall archive --list --tokens 400 | grep -v '^\[' >parts
    same 'parts' <(sed 1d all) parts
    spec <<'END'
ctx-recall archive --list --skip 99
>>>2 ctx-recall: 'archive' has no more messages
>>>= 1
END
    refuses 'ctx-recall archive --list 0123' 'a search looks at the whole archive: expected no key'
    refuses 'ctx-recall archive --list --file x' '--list cannot be combined with --file'
}

@test "ctx-recall --file: the newest state of a file and its edits since, of the archive and a log" {
    local filler
    filler=$(printf %0900d 0)
    {
        user 'Mend a.c'
        calls c1 read '{"path":"src/a.c"}' && gets c1 "int a;\\n$filler"
        calls c2 write "{\"path\":\"/w/src/a.c\",\"content\":\"int b;\\n$filler\"}" && gets c2 written
        calls c3 read '{"path":"src/b.c"}' && gets c3 "int other;\\n$filler"
        calls c4 edit '{"path":"src/a.c","old_string":"int b;","new_string":"int c;"}' && gets c4 edited
        calls c5 edit '{"path":"src/a.c","old_string":"none","new_string":"int d;"}'
        echo '{"role":"tool","tool_call_id":"c5","content":"no such text","metadata":{"is_error":true}}'
        calls c6 read '{"path":"src/a.c","offset":40,"limit":2}' && gets c6 "two lines\\n"
        says 'done' && user Next. && says Well. && user 'and now?'
    } >in
    ctx-compact --estimator bytes/4 --archive A --force --target 100 --keep-turns 1 in >small
    for file in src/a.c a.c /w/src/a.c; do
        ctx-recall A --file "$file" >got
        same "$file" - <(sed 's/^\[[0-9a-f]\{12\} /[/' got) <<END
[$file as of pass 1, edits since: 1]
[assistant write /w/src/a.c, turn 1]
write
path: /w/src/a.c
content: int b;
$filler
[assistant edit src/a.c, turn 1]
edit
path: src/a.c
old_string: int b;
new_string: int c;
END
    done
    { cat small && calls c7 write '{"path":"src/a.c","content":"int e;"}' && gets c7 written &&
        calls c8 edit '{"path":"src/a.c","old_string":"e","new_string":"f"}' && gets c8 edited; } >log
    n=$(wc -l <log)
    {
        calls c9 edit '{"path":"src/a.c","old_string":"e","new_string":"g"}'
        echo '{"role":"tool","tool_call_id":"c9","content":"no such text","metadata":{"is_error":true}}'
    } >>log
    spec <<END
ctx-recall A log --file a.c
>>> [a.c as of log, edits since: 1]
>>> [log:$((n - 3)) assistant]
>>> write
>>> path: src/a.c
>>> content: int e;
>>> [log:$((n - 1)) assistant]
>>> edit
>>> path: src/a.c
>>> old_string: e
>>> new_string: f
END
    whole ctx-recall A log --file a.c --tokens 50 | grep -v '^\[' >parts
    same 'parts' <(ctx-recall A log --file a.c | grep -v '^\[') parts
    spec <<'END'
ctx-recall A --file c.c
>>>2 ctx-recall: 'A' has nothing of 'c.c'
>>>= 1
END
    refuses 'ctx-recall A log more --file a.c' 'expected an archive and a log'
    refuses 'ctx-recall A --file a.c -F x' '--file cannot be combined with --words'
}

@test "ctx-recall --file: a relative path of a shell command is of the directory in which that runs" {
    local name n=0
    {
        user 'Look at the lamps.'
        for name in workdir cwd directory; do
            calls "r$((++n))" shell "{\"command\":[\"bash\",\"-lc\",\"cat lamp.json\"],\"$name\":\"/w/quay\"}" && gets "r$n" "the root, by $name"
            calls "a$n" shell "{\"command\":[\"bash\",\"-lc\",\"cat lamp.json\"],\"$name\":\"/w/quay/apps/$name\"}" && gets "a$n" "the app, by $name"
        done
        says 'done' && user Next. && says Well. && user 'and now?'
    } >in
    ctx-compact --estimator bytes/4 --archive A --force --target 100 --keep-turns 1 in >small
    for name in workdir cwd directory; do
        same "the file of the $name" <(echo "the app, by $name") <(ctx-recall A --file "apps/$name/lamp.json" | sed 1,2d)
    done
    same 'that of the root' <(echo 'the root, by directory') <(ctx-recall A --file /w/quay/lamp.json | sed 1,2d)
}

@test "ctx-recall --file: of a file that was read in part, which lines that were, and the edits before and since" {
    local filler
    filler=$(printf %0900d 0)
    {
        user 'Mend a.c'
        calls c0 read '{"path":"src/a.c","offset":1,"limit":5}' && gets c0 'int one;'
        calls c1 edit '{"path":"src/a.c","old_string":"one","new_string":"two"}' && gets c1 edited
        calls c2 read '{"path":"src/a.c","offset":1,"limit":20}' && gets c2 'int first;'
        calls c3 bash '{"command":"sed -n 1,9p src/a.c"}' && gets c3 'int again;'
        calls c4 bash '{"command":"cd src && nl -ba a.c | sed -n 40,95p"}' && gets c4 'int part;'
        calls c5 bash '{"command":"sed -i s/three/four/ src/a.c"}' && gets c5 ''
        calls c6 bash '{"command":"cat src/whole.c"}' && gets c6 'int whole;'
        calls c7 edit '{"path":"src/whole.c","old_string":"five","new_string":"six"}' && gets c7 edited
        calls c8 bash '{"command":"cat src/whole.c"}' && gets c8 'cat: src/whole.c: Permission denied'
        says "$filler" && user Next. && says Well. && user 'and now?'
    } >in
    ctx-compact --estimator bytes/4 --archive A --force --target 100 --keep-turns 1 in >small
    ctx-recall A --file src/a.c >got
    same 'the part' - <(sed 's/^\[[0-9a-f]\{12\} /[/' got) <<'END'
[src/a.c as of pass 1, lines 40-95 alone, edits since: 1, before: 1]
[tool bash cd src && nl -ba a.c | sed -n 40,95p, turn 1]
int part;
[assistant bash sed -i s/three/four/ src/a.c, turn 1]
bash
command: sed -i s/three/four/ src/a.c
[before that part was read:]
[tool read src/a.c, turn 1]
int one;
[assistant edit src/a.c, turn 1]
edit
path: src/a.c
old_string: one
new_string: two
[tool read src/a.c, turn 1]
int first;
[tool bash sed -n 1,9p src/a.c, turn 1]
int again;
END
    ctx-recall A small --file whole.c | sed 's/^\[[0-9a-f]\{12\} /[/' >got
    same 'what a shell printed' - <(head -n 3 got) <<'END'
[whole.c as of small, edits since: 1]
[tool bash cat src/whole.c, turn 1]
int whole;
END
    # A part whose lines a later one has, with no edit in between, is not said again.
    sed 's/sed -n 1,9p src/sed -n 1,30p src/' in >more
    ctx-compact --estimator bytes/4 --archive B --force --target 100 --keep-turns 1 more >small
    ctx-recall B --file src/a.c >got
    grep -qx 'int again;' got
    ! grep 'int first' got || fail 'found'
    whole ctx-recall B --file src/a.c --tokens 100 | grep -v '^\[' >parts
    same 'parts' <(ctx-recall B --file src/a.c | grep -v '^\[') parts
}

@test "ctx-compact --archive: a step of the outline has the first digits of its record's key, and keeps them" {
    local key text
    archived
    jq -r 'select(.metadata.kind == "summary").content' small >digest
    head -n 1 digest | grep -q "; ctx-recall archive ${key:0:12} lists them, a key below shows one, -F 'WORDS' finds" ||
        fail "$(head -n 1 digest)"
    sed '1,/^What happened:/d' digest | grep -v '^  ' >steps
    (($(wc -l <steps) >= 5))
    while read -r key text; do
        [[ $key =~ ^[0-9a-f]{8}$ ]] || fail "no key: $key $text"
        ctx-recall archive "$key" --tokens 10k >"shown.$key"
    done <steps
    # What a call found is its result, what it changed is the call.
    grep -q 'expected 0.30, got 0.10' "shown.$(sed -n 's/ \$ make test (failed).*$//p' steps | head -n 1)"
    grep -q '^new: ' "shown.$(sed -n 's/ edit src.gauge.c$//p' steps)"
    # The next compaction keeps them.
    { cat small && for i in 1 2 3; do says "The pier $i is dry. $(printf %0500d 0)"; user "Next $i"; done; } >log
    ctx-compact --archive archive --force --target 1k --keep-turns 1 log >smaller
    jq -r 'select(.metadata.kind == "summary").content' smaller | sed '1,/^What happened:/d' >again
    (($(grep -cxFf steps again) >= 3)) || fail "$(<again)"
    # Without an archive, there are none.
    ctx-compact --window 1k "$FIXTURES/compact-gauge.jsonl" >plain
    jq -r 'select(.metadata.kind == "summary").content' plain | sed '1,/^What happened:/d' | grep -v '^  ' >bare
    ! grep '^[0-9a-f]\{8\} ' bare || fail "$(<bare)"
}

@test "ctx-compact --archive: where two keys begin with the same 8 digits, a step has 12" {
    {
        user go
        jq -nc '{role: "user", content: "[summary] 3 earlier messages were dropped.\nWhat happened:\n0123456789ab $ make one\n01234567ffff $ make two\nfedcba987654 $ make three",
            metadata: {kind: "summary", scope: "historical", compacted: true, facts: {dropped: 3, outline: 3}}}'
        says "The pier is dry. $(printf %04000d 0)"
        user Next.
        says Well.
        user 'and now?'
    } >in
    ctx-compact --estimator bytes/4 --archive A --force --target 300 --keep-turns 1 in >small
    jq -r 'select(.metadata.kind == "summary").content' small | grep '[$] make' >got
    same 'keys' - got <<'END'
0123456789ab $ make one
01234567ffff $ make two
fedcba98 $ make three
END
}
