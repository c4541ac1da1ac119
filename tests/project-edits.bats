#!/usr/bin/env bats
#
# ctx-project --merge and --shorten: the edits of a view that make it smaller.

load helper
load dialogue

# ten TEXT: the text ten times.
ten() { repeat 10 "$1"; }

# --- Joining neighbours -----------------------------------------------------------------------------

@test "ctx-project: --merge joins neighbours of one role, in place of the first one" {
    spec <<'END'
ctx-project --merge
<<< {"role":"system","content":"Be brief."}
<<< { "role" : "user", "content" : "One \u00e9." , "n":1.0, "metadata":{"id":"m1","tokens":7,"mood":"calm","usage":{"input_tokens":1}}}
<<< {"role":"user","content":"Two.","metadata":{"id":"m2"}}
<<< {"role":"user","content":"","createdAt":"2026-01-01"}
<<< {"role":"user","content":"Three.","name":null}
<<< {"role":"assistant","content":"Yes."}
<<< {"role":"assistant","content":"And no."}
>>> {"role":"system","content":"Be brief."}
>>> { "role" : "user", "content" : "One \u00e9.\nTwo.\nThree." , "n":1.0, "metadata":{"id":"m1","mood":"calm"}}
>>> {"role":"assistant","content":"Yes.\nAnd no."}
END
}

@test "ctx-project: --merge=TEXT puts that between texts" {
    { user 'One.'; user 'Two.'; says 'Yes.'; } >in
    makes "ctx-project --merge=' / '" "$(user 'One. / Two.')" 3
    makes "ctx-project --merge=\$'\"\\n\\n'" "$(user 'One.\"\n\nTwo.')" 3
    makes 'ctx-project --merge=' "$(user 'One.\nTwo.')" 3
}

@test "ctx-project: --merge puts parts behind each other, and a text beside parts becomes one" {
    local a='{"type":"text","text":"a"}' b='{"type":"image_url","image_url":{"url":"u"}}'
    { user "[$a]"; user "[$b, $a ]"; } >in
    makes 'ctx-project --merge' "$(user "[$a,$b, $a]")"
    { user "One."; user "[$b]"; user 'Two.'; user ''; } >in
    makes 'ctx-project --merge' "$(user "[{\"type\":\"text\",\"text\":\"One.\"},$b,{\"type\":\"text\",\"text\":\"Two.\"}]")"
    { user ''; user "[$b]"; } >in
    makes 'ctx-project --merge' "$(user "[$b]")"
    { raw '{"role":"user","content":[ ]}'; user "[$b]"; } >in
    makes 'ctx-project --merge' "$(user "[$b]")"
}

@test "ctx-project: --merge joins no calls, results, thinking, pinned or compacted messages and artifacts" {
    {
        says 'I look.'
        calls c1 read a.c
        gets c1 'one'
        says 'A.' '"pinned":true'
        says 'A.' '"pinned":true'
        says 'B.'
        says 'C.' '"compacted":true'
        says 'C.' '"compacted":true'
        says 'D.'
        artifact '' read a.c 'ok, 600 B'
        artifact '' read a.c 'ok, 600 B'
        raw '{"role":"assistant","content":"E.","reasoning_content":"so"}'
        raw '{"role":"assistant","content":[{"type":"thinking","thinking":"so","signature":"s"},{"type":"text","text":"F."}]}'
        raw '{"role":"assistant","content":[{"type":"reasoning","text":"so"}]}'
        raw '{"role":"assistant","content":"Plain."}'
        raw '{"role":"assistant","content":"G.","refusal":"no"}'
        user 'Two.'
        raw '{"role":"tool","content":"loose"}' '{"role":"tool","content":"loose"}'
        raw '{"role":"robot","content":"a"}' '{"role":"robot","content":"b"}'
    } >in
    keeps 'ctx-project --view all --merge'
    raw '{"role":"user","content":"One."}' '{"role":"user","content":[{"type":"tool_result","tool_use_id":"c9","content":"x"}]}' >in
    raw '{"role":"user","content":"Two."}' >>in
    keeps 'ctx-project --view all --merge'
}

@test "ctx-project: --merge joins no messages that differ in what policies read, nor loses a member" {
    {
        user 'wind: NW' '"origin":"injected"'
        user 'One.'
        user 'Two.' '"execution_id":"e1"'
        user 'Three.' '"section":"buffer"'
        raw '{"role":"user","name":"ann","content":"Four."}' '{"role":"user","name":"bob","content":"Five."}'
        raw '{"role":"user","content":"Six.","weather":"fair"}'
    } >in
    keeps 'ctx-project --view all --merge'
    { raw '{"role":"user","weather":"fair","content":"Six."}' '{"role":"user","content":"Seven.","weather":"fair"}'; } >in
    makes 'ctx-project --merge' '{"role":"user","weather":"fair","content":"Six.\nSeven."}'
}

@test "ctx-project: --merge: any other record ends a run" {
    { user 'One.'; raw '{"note":1}'; user 'Two.'; raw ''; user 'Three.'; context 'x'; user 'Four.'; } >in
    keeps 'ctx-project --merge'
    { user 'One.'; raw '{bad'; user 'Two.'; } >in
    makes 'ctx-project --merge' 1-3 '>>>2 ctx-project: in:2: expected a member name, at byte 2' '>>>= 65'
}

@test "ctx-project: --merge makes no line longer than --max-line" {
    { user "$(ten 0123456789)"; user "$(ten 0123456789)"; user 'short'; says 'Yes.'; } >in
    makes 'ctx-project --merge --max-line 280' 1 "$(user "$(ten 0123456789)"'\nshort')" 4
    makes 'ctx-project --merge --max-line 400' "$(user "$(ten 0123456789)\\n$(ten 0123456789)\\nshort")" 4
}

@test "ctx-project: --merge joins what is neighbours in the view, whichever view it is" {
    { user 'One.'; calls c1 read a.c; gets c1 'text'; user 'Two.'; says 'Done.'; user 'Three.'; says 'Well.'; user 'Four.'; } >in
    makes 'ctx-project --view conversation --merge' "$(user 'One.\nTwo.')" 5-8
    makes 'ctx-project --trace none --merge' "$(user 'One.\nTwo.')" 5-8
    makes 'ctx-project --view all --select role=user --merge' "$(user 'One.\nTwo.\nThree.\nFour.')"
    makes 'ctx-project --trace none --last 7msgs --sections messages --merge' "$(user 'One.\nTwo.')" 5-8
}

@test "ctx-project: --merge holds a run and not the session: a message leaves when the next has come" {
    { user 'One.'; says 'Yes.'; user 'Two.'; } >in
    mkfifo pipe
    ctx-project --view all --merge <pipe >out &
    local pid=$! i
    exec 7>pipe
    cat in >&7
    for ((i = 0; i < 200 && $(wc -l <out) < 2; i++)); do sleep 0.05; done
    [[ $(wc -l <out) == 2 ]]
    exec 7>&-
    wait "$pid"
    cmp in out
}

@test "ctx-project: --merge: a hundred thousand neighbours become one, in time" {
    awk 'BEGIN { for (i = 0; i < 100000; i++) print "{\"role\":\"user\",\"content\":\"x\"}" }' >in
    (ulimit -t 20; ctx-project --view all --merge in) >out
    [[ $(wc -lc <out | tr -s ' ') == " 1 "* || $(wc -l <out) == 1 ]]
    jq -e '.content | length == 199999' out
}

# --- Shortening texts -------------------------------------------------------------------------------

@test "ctx-project: --shorten cuts a text to head and tail, in bytes, characters and tokens, and marks the message" {
    says "begin $(ten 0123456789)$(ten abcdefghij) end" >in
    makes 'ctx-project --shorten 120' \
        '1: compacted content -> begin 01234567890123456789012345678901234567890\n[… 115 bytes cut …]\nghijabcdefghijabcdefghijabcdefghijabcdefghij end'
    makes 'ctx-project --shorten 120,25%' \
        '1: compacted content -> begin 01234567890123456\n[… 115 bytes cut …]\ncdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghij end'
    makes 'ctx-project --shorten 50' '1: compacted content -> begin 01234567890123456…abcdefghijabcdefghij end'
    makes 'ctx-project --shorten 50char' '1: compacted content -> begin 012345678901234567…jabcdefghijabcdefghij end'
    makes 'ctx-project --shorten 210' 1
    ctx-project --shorten 50tok --estimator bytes/4 in >out
    (($(jq -r .content out | tr -d '\n' | wc -c) > 160 && $(jq -r .content out | tr -d '\n' | wc -c) <= 200))
}

@test "ctx-project: --shorten cuts on a code point, and never inside an escape" {
    local i
    says "$(ten '漢字é😀')$(ten '\\ud83d\\ude00\\u00e9\\n\\\"\\\\')" >in
    for ((i = 40; i < 100; i++)); do
        ctx-project --shorten "$i" in >out
        iconv -f UTF-8 -t UTF-8 out >/dev/null
        jq -e --argjson max "$i" '.content | utf8bytelength <= $max and (contains("�") | not)' out
    done
}

@test "ctx-project: --shorten: no text is over the size, mark included, and no record grows" {
    local size
    ctx-normalize "$FIXTURES"/claude-code-*.jsonl 2>diagnostics | ctx-project --view all >in
    for size in 40 99 100 200 1k 3k; do
        ctx-project --view all --shorten "$size" in >out
        size=${size/k/000}
        jq -e -n --argjson max "$size" '[inputs | objects | select(.role == ("user", "assistant", "tool") and .metadata.kind != "summary") | .content |
            (strings, (arrays[] | objects | select(.type == "text").text)) | utf8bytelength] | max <= $max' out
        awk 'NR == FNR { was[NR] = length($0); next } length($0) > was[FNR] { exit 1 }' in out
    done
    [[ $(wc -l <in) == "$(wc -l <out)" ]]
}

@test "ctx-project: --shorten leaves thinking, signed parts, arguments, names and ids as they are" {
    local x
    x=$(ten 0123456789)
    {
        raw "{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"$x\",\"signature\":\"$x\"},{\"type\":\"redacted_thinking\",\"data\":\"$x\"},{\"type\":\"reasoning\",\"text\":\"$x\"},{\"text\":\"$x\",\"thoughtSignature\":\"$x\"}]}"
        raw "{\"role\":\"assistant\",\"content\":null,\"reasoning_content\":\"$x\"}"
        calls "$x" "$x" "$x"
        gets "$x" 'ok'
        raw "{\"role\":\"user\",\"content\":\"short\",\"note\":\"$x\",\"metadata\":{\"mood\":\"$x\"}}"
        raw "{\"role\":\"robot\",\"content\":\"$x\"}" "{\"content\":\"$x\"}"
    } >in
    keeps 'ctx-project --view all --shorten 60'
    # What is signed is still said.
    { user 'One.'; raw '{"role":"assistant","content":[{"type":"reasoning","text":"so"},{"text":"Two.","thoughtSignature":"s"}]}'; } >in
    makes 'ctx-project --view conversation --text' 'user: One.' 'assistant: Two.'
}

@test "ctx-project: --shorten cuts the text of parts, of results in parts, of files, and of what instructor says twice" {
    local x cut line
    x=$(ten 0123456789)
    cut=0123456789012345678901234567…12345678901234567890123456789
    {
        user "[{\"type\":\"text\",\"text\":\"$x\"},{\"type\":\"text\",\"text\":\"short\"}]"
        raw "{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"c1\",\"content\":[{\"type\":\"text\",\"text\":\"$x\"}]}]}"
        raw "{\"role\":\"user\",\"content\":[{\"type\":\"document\",\"source\":{\"type\":\"text\",\"media_type\":\"text/plain\",\"data\":\"$x\"}}]}"
        raw "{\"role\":\"tool\",\"content\":\"$x\",\"tool_result\":{\"call_id\":\"c1\",\"content\":\"$x\"}}"
    } >in
    # Each line is a log of its own: dialects must not be mixed in one.
    while IFS= read -r line; do
        ctx-project --view all --shorten 60 <<<"$line"
    done <in >out
    [[ $(jq -r '.. | strings | select(test("…"))' out | sort -u) == "$cut" ]] || fail "$(cat out)"
    [[ $(grep -o "$cut" out | wc -l) == 5 && $(grep -c "$x" out) == 0 ]]
    [[ $(grep -c '"metadata":{"compacted":true}' out) == 4 ]]
}

@test "ctx-project: --shorten leaves system and developer messages, pinned ones and artifacts" {
    local x
    x=$(ten 0123456789)
    {
        system "$x"
        developer "$x"
        user "$x" '"pinned":true'
        user "$x" '"critical":true'
        artifact '' read a.c "$x"
        says "$x"
    } >in
    ctx-project --view all --shorten 50 in >out
    [[ $(grep -n … out | cut -d: -f1 | xargs) == '4 6' ]]
}

@test "ctx-project: --merge and --shorten: a second run changes nothing, and what stands apart leaves byte for byte" {
    local file options once
    mkdir once twice
    for file in "$FIXTURES"/*.jsonl; do
        for options in '--merge' '--shorten 60' '--shorten 300,20%' '--shorten 100tok --estimator bytes/4' '--merge --shorten 90chars'; do
            # shellcheck disable=SC2086
            once="${file##*/} ${options//\//-}"
            ctx-project --view all $options "$file" >"once/$once" 2>diagnostics || [[ $? == 65 ]]
            # shellcheck disable=SC2086
            ctx-project --view all $options "once/$once" >"twice/$once" 2>diagnostics || [[ $? == 65 ]]
        done
    done
    diff -r once twice
}

@test "ctx-project: what --merge joins is shortened behind it, and the report counts both" {
    { user "$(ten 01234)"; user "$(ten 56789)"; says 'Yes.'; } >in
    ctx-project --merge --shorten 60 --report report in >out
    [[ $(jq -r .content out | head -n 1) == 0123401234012340123401234012…67895678956789567895678956789 ]] || fail "$(cat out)"
    [[ $(jq -c '[.joined, .shortened, .written]' report) == '[1,1,2]' ]]
    ctx-project in --report report >out
    [[ $(jq -c '[.joined, .shortened]' report) == '[null,null]' ]]
}

@test "ctx-project: --shorten in tokens counts as --estimator says, and stays under the size" {
    local size
    says "$(repeat 40 'The gauge house was cleaned, and 漢字 stood on it. ')" >in
    for size in 40 99 100 130; do
        ctx-project --shorten "${size}tok" in >out
        jq -c '.content' out >text
        (($(ctx-budget --json --reserve-system 0 out | jq .used_tokens) - 4 <= size))
        (($(ctx-budget --json --reserve-system 0 out | jq .used_tokens) - 4 >= size * 3 / 4))
    done
    refuses 'ctx-project --shorten 50tok --estimator usage' \
        '--estimator usage counts whole sessions, not texts: --shorten in tokens needs another one'
}

@test "ctx-project: wrong sizes of --shorten are refused" {
    local expected='expected a length such as 2k, 800chars or 500tok, of which the head may get a share: 2k,70%' bad
    for bad in x 2x 2k, 2k,70 2k,101% 2k,x% ,50% 2k,50%,1 50msgs 75% -2k; do
        refuses "ctx-project --shorten=$bad" "bad value '$bad' of --shorten, $expected"
    done
    refuses 'ctx-project --shorten 39' "bad value '39' of --shorten, expected at least 40"
}

@test "ctx-project: a conversation that is shortened and printed takes no more memory for more input" {
    local tools=${CTX_BIN%/bin}/tests/bench count rss
    for count in 5000 20000; do
        perl -e 'my $text = "x" x 100;
            print qq({"role":"user","content":"$text"}\n{"role":"assistant","content":"$text"}\n) for 1 .. $ARGV[0]' "$count" >"$count"
    done
    export ASAN_OPTIONS=quarantine_size_mb=0:thread_local_quarantine_size_kb=0
    for count in 5000 20000; do
        "$tools/run" figures ctx-project --view conversation --shorten 40 --text "$count" >out
        rss[count]=$(cut -d' ' -f3 figures)
    done
    printf '%s kB, then %s kB\n' "${rss[5000]}" "${rss[20000]}"
    grep -q '…' out
    ((rss[20000] <= rss[5000] + 1024))
}
