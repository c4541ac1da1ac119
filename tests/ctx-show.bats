#!/usr/bin/env bats
#
# ctx-show: a line a message or call, messages as a whole, a pager, and nothing hostile.

load helper

setup() {
    fresh_directory
    export LC_ALL=C.UTF-8
    unset COLUMNS NO_COLOR CLICOLOR_FORCE CTX_PAGER PAGER
}

# A message of each kind; the numbers are those of the lines.
kinds() {
    cat <<'END'
{"type":"context","system_prompt":"Be brief."}
{"role":"user","content":"<system-reminder>Mind the tide.</system-reminder>\nThe gauge   drifts.\n---\nMend it.","metadata":{"timestamp":"2025-03-03T23:58:00Z"}}
{"role":"assistant","content":[{"type":"thinking","thinking":"First the code."},{"type":"text","text":"I look."}],"tool_calls":[{"id":"c1","function":{"name":"read","arguments":"{\"path\":\"src/gauge.c\",\"offset\":40,\"limit\":56}"}},{"id":"c2","function":{"name":"bash","arguments":"{\"command\":\"make test\"}"}}],"metadata":{"timestamp":"2025-03-03T23:59:00Z"}}
{"role":"tool","tool_call_id":"c1","content":"static void\nreset(struct gauge *gauge)\n{\n"}
{"role":"tool","tool_call_id":"c2","content":"cc gauge.c\nzero: expected 0, error 4\n","metadata":{"is_error":true}}
{"role":"assistant","tool_calls":[{"id":"c3","function":{"name":"edit","arguments":"{\"path\":\"src/gauge.c\",\"old_string\":\"a\\nx = 1;\\nb\",\"new_string\":\"a\\nx = 2;\\nb\"}"}},{"id":"c4","function":{"name":"bash","arguments":"{\"command\":\"make test\"}"}}]}
{"role":"tool","tool_call_id":"c3","content":"1 replacement"}
{"role":"tool","tool_call_id":"c4","content":"ok","metadata":{"timestamp":"2025-03-04T00:01:00Z"}}
{"role":"assistant","content":"Mended.","metadata":{"pinned":true}}
{"role":"user","content":"<command-name>/compact</command-name>","metadata":{"origin":"injected"}}
{"role":"user","content":"[summary] 31 earlier messages were dropped; ctx-recall 'a b.archive' 307109d65ff5 lists them","metadata":{"kind":"summary","compacted":true,"facts":{"dropped":31}}}
{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,aGFsbG8gd2VsdCE="}}],"metadata":{"critical":true}}
{"role":"assistant","tool_calls":[{"id":"c5","function":{"name":"task","arguments":"{}"}}]}
{"role":"user","content":"Look at the pier.","metadata":{"agent_id":"a1","parent_execution_id":"e1"}}
{"role":"tool","tool_call_id":"c5","content":"The user doesn't want to proceed with this tool use.","metadata":{"is_error":true}}
{"x":1}
no JSON
{"role":"user","content":"And the north one?","metadata":{"execution_id":"e2"}}
{"role":"assistant","tool_calls":[{"id":"c6","function":{"name":"bash","arguments":"{\"command\":\"make check\"}"}}]}
{"role":"tool","tool_call_id":"c6","content":"make: *** Error 2","metadata":{"is_error":true}}
END
}

@test "ctx-show: each kind of record has its line, with its number, time, role, tokens and first words" {
    kinds >log
    status_of 65 ctx-show log >out 2>said
    same 'said' - said <<'END'
ctx-show: log:17: expected a value, at byte 2
END
    same 'the list' - out <<'END'
    N  time  role        tokens  text
    1        context          3  {"type":"context","system_prompt":"Be brief."}
    2  23:58 user            28  protected · The gauge drifts. · Mend it.
    3  23:59 assistant       51  thinking · I look.
             read            17    src/gauge.c (lines 40-95)
             bash             7    $ make test
    4        tool            15    static void · reset(struct gauge *gauge)
    5        error           18    mended · make test: zero: expected 0, error 4
    6        assistant       60
             edit            33    src/gauge.c
             bash             7    $ make test
    7        tool             6    1 replacement
──────── 2025-03-04 ────────────────────────────────────────────────────────────
    8  00:01 tool             5    ok
    9        assistant        7  pinned · Mended.
   10        user            13  injected · /compact
   11        summary         31  [summary] 31 earlier messages were dropped; ct…
       ▒ 31 messages compacted: ctx-restore 'a b.archive' log
──────── turn 2 ───────────────────────────────────────── 234 of 1,070 tokens ──
   12        user           769  critical · [image]
   13        assistant       14
             task             2
   14          user           9    Look at the pier.
   15        error           15    refused · The user doesn't want to proceed w…
   16        other               {"x":1}
   17        bad line            no JSON
──────── turn 3 · execution e2 ──────────────────────── 1,032 of 1,070 tokens ──
   18        user             9  protected · And the north one?
   19        assistant       19
             bash             7    $ make check
   20        error           10    unresolved · make check: make: *** Error 2
──────── end ─────────────────────────────────────────────────── 1,070 tokens ──
END
}

@test "ctx-show: --color paints the same lines, NO_COLOR and CLICOLOR_FORCE are heeded" {
    kinds | grep -v 'no JSON' >log
    ctx-show log >plain
    ctx-show --color always log >painted
    same 'without colours' plain <(sed 's/\x1b\[[0-9]*m//g' painted)
    same 'in colours' - <(sed -n '5p;7p;9p' painted | cat -v) <<'END'
             ^[[34mread       ^[[m     17    src/gauge.c (lines 40-95)
    4        tool            15    static void M-BM-7 reset(struct gauge *gauge)
    6        assistant       60
END
    CLICOLOR_FORCE=1 ctx-show log >forced
    same 'forced' painted forced
    same 'not forced' plain <(CLICOLOR_FORCE=0 ctx-show log)
    same 'no colour' plain <(NO_COLOR=1 CLICOLOR_FORCE=1 ctx-show log)
    same 'never' plain <(CLICOLOR_FORCE=1 ctx-show --color never log)
}

@test "ctx-show: --ascii and a locale without UTF-8 have lines and marks in ASCII" {
    kinds | grep -v 'no JSON' >log
    ctx-show --ascii log >out
    ! LC_ALL=C grep -n '[^ -~]' out || fail 'not ASCII'
    same 'by the locale' out <(LC_ALL=C ctx-show log)
}

@test "ctx-show: columns are those of the terminal: East Asian and combining characters, COLUMNS" {
    cat >log <<'END'
{"role":"user","content":"港の水深は何メートルですか、灯台の灯は今夜もついていますか、北の桟橋も見てください"}
{"role":"user","content":"Is the ca\u0301fe\u0301 on the pier o\u0308pen tonight, and is the lamp lit, or is all of it dark?"}
{"role":"user","content":"Is the café on the pier öpen tonight, and is the lamp lit, or is all of it dark again?"}
END
    same '80' - <(ctx-show log) <<'END'
    N  time  role        tokens  text
    1        user            38  protected · 港の水深は何メートルですか、灯台の…
──────── turn 2 ───────────────────────────────────────────── 38 of 97 tokens ──
    2        user            31  protected · Is the cáfé on the pier öpen tonig…
──────── turn 3 ───────────────────────────────────────────── 69 of 97 tokens ──
    3        user            28  protected · Is the café on the pier öpen tonig…
──────── end ────────────────────────────────────────────────────── 97 tokens ──
END
    same '60' - <(COLUMNS=60 ctx-show log) <<'END'
    N  time  role        tokens  text
    1        user            38  protected · 港の水深は何メ…
──────── turn 2 ───────────────────────── 38 of 97 tokens ──
    2        user            31  protected · Is the cáfé on…
──────── turn 3 ───────────────────────── 69 of 97 tokens ──
    3        user            28  protected · Is the café on…
──────── end ────────────────────────────────── 97 tokens ──
END
    # A width that is too small or none is no reason to fail.
    same 'no width' <(ctx-show log) <(COLUMNS=0 ctx-show log)
    same 'the least' - <(COLUMNS=7 ctx-show log | sed -n 2,3p) <<'END'
    1  user            38
── … ──
END
    # The words of a line that does not fit are two lines, and the time goes before the text does.
    same '40' - <(COLUMNS=40 ctx-show log) <<'END'
    N  role        tokens  text
    1  user            38  protected · …
──────── turn 2 ───── 38 of 97 tokens ──
    2  user            31  protected · …
──────── turn 3 ───── 69 of 97 tokens ──
    3  user            28  protected · …
──────── end ────────────── 97 tokens ──
END
    for i in '' '--timeline' '-n 3-9' '-m -n 1'; do
        # shellcheck disable=SC2086
        cat "$FIXTURES"/ctx-metadata.jsonl "$FIXTURES"/compact-gauge.jsonl | COLUMNS=40 ctx-show --ascii $i >out
        same "40 $i" <(awk 'length > 40' out) /dev/null
    done
    same 'no number' <(ctx-show log) <(COLUMNS=x ctx-show log)
}

@test "ctx-show -n: the text of the message of that line, as jq has it" {
    local line want got
    for line in 3 4 10 14 17; do
        want=$(sed -n ${line}p "$FIXTURES/compact-gauge.jsonl" | jq -r .content)
        got=$(ctx-show -n $line "$FIXTURES/compact-gauge.jsonl" | sed 1d)
        [[ $got == "$want"* ]] || fail "$line: $got"
    done
}

@test "ctx-show -n: arguments, edits, JSON, thinking, images and metadata" {
    kinds >log
    same 'several' - <(ctx-show -n 3-6 log) <<'END'
──────── 3 assistant ──────────────────────── 2025-03-03 23:59:00 · 51 tokens ──
── thinking
First the code.
── text
I look.
── call read
path: src/gauge.c
offset: 40
limit: 56
── call bash
command: make test
──────── 4 tool · read src/gauge.c (lines 40-95) ────────────────── 15 tokens ──
static void
reset(struct gauge *gauge)
{
──────── 5 error · bash $ make test ─────────────────────────────── 18 tokens ──
cc gauge.c
zero: expected 0, error 4
──────── 6 assistant ────────────────────────────────────────────── 60 tokens ──
── call edit
path: src/gauge.c
  a
- x = 1;
+ x = 2;
  b
── call bash
command: make test
END
    same 'an image' - <(ctx-show -n 12 -m log) <<'END'
──────── 12 user · critical ────────────────────────────────────── 769 tokens ──
[image] image/png;base64 12 B
── metadata
critical: true
END
    cat >json <<'END'
{"role":"tool","tool_call_id":"x","content":"{\"a\":[1,{\"b\":\"c, d\"},[]],\"e\":{}}"}
{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"multi","arguments":{"edits":[{"old_text":"1\n2\n","new_text":"1\n3\n"},{"old_text":"x"}],"why":"two\nlines","at":[1,2],"deep":{"aaaaaaaaaaaaaaaaaaaaaaaa":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbb","c":1.50}}}}]}
END
    same 'JSON' - <(ctx-show -n 1-2 json) <<'END'
──────── 1 tool ─────────────────────────────────────────────────── 22 tokens ──
{
  "a": [
    1,
    {
      "b": "c, d"
    },
    []
  ],
  "e": {}
}
──────── 2 assistant ────────────────────────────────────────────── 73 tokens ──
── call multi
  1
- 2
+ 3
- x
why:
    two
    lines
at: [1,2]
deep:
    {
      "aaaaaaaaaaaaaaaaaaaaaaaa": "bbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
      "c": 1.50
    }
END
}

@test "ctx-show -n: lines are wrapped at blanks where COLUMNS says how wide, and tabs are blanks then" {
    printf '%s\n' '{"role":"user","content":"a\tb and the lamp on the pier is lit since 21:40, 港の水深は何メートルですか灯台\n\nxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}' >log
    same 'wrapped' - <(COLUMNS=30 ctx-show -n 1 log) <<'END'
── 1 user ─────── 40 tokens ──
a       b and the lamp on the
pier is lit since 21:40,
港の水深は何メートルですか灯台

xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
xxxxxxxxxxxxxxx
END
    same 'not wrapped' - <(ctx-show -n 1 log | sed -n 2p) <<'END'
a	b and the lamp on the pier is lit since 21:40, 港の水深は何メートルですか灯台
END
}

@test "ctx-show: --at finds ids of messages and calls, --select what a selector selects" {
    kinds | grep -v 'no JSON' >log
    numbers() { ctx-show "$@" log | sed -n 's/^──────── \([0-9]*\) .*/\1/p' | paste -sd' '; }
    [[ $(numbers --at c2) == '3 5' ]]
    [[ $(numbers -e error) == '5 15 19' ]]
    [[ $(numbers -e 'target=*.c,role=tool' -e pinned) == '4 7 9' ]]
    [[ $(numbers -e unresolved) == '18 19' ]]
    [[ $(numbers -n 4-6) == '4 5 6' ]]
    {
        status_of 1 ctx-show --at nobody log
        status_of 1 ctx-show -n 99-999 log
        printf '\n{"role":"user","content":"a"}\n\n{"role":"user","content":"b"}\n' >holes
        status_of 1 ctx-show -n 1 holes
        status_of 1 ctx-show -n 3 holes
    } 2>said
    same 'none' - said <<'END'
ctx-show: no message is chosen
ctx-show: no message has the number 99-999, the last is 19
ctx-show: no message has the number 1, the first is 2
ctx-show: no message has the number 3, only 2 and 4 beside it
END
}

@test "ctx-show -n: what is no message has no tokens" {
    printf '%s\n' '{"x":1}' '{"role":"user","content":"a"}' >log
    same 'heads' - <(COLUMNS=40 ctx-show -n 1-2 log) <<'END'
──────── 1 other ───────────────────────
{
  "x": 1
}
──────── 2 user ──────────── 5 tokens ──
a
END
}

@test "ctx-show: --plan has a column of what ctx-compact --plan wrote" {
    ctx-compact --plan --force "$FIXTURES/compact-gauge.jsonl" >plan
    same 'the column' - <(ctx-show --plan plan "$FIXTURES/compact-gauge.jsonl" | head -n 6) <<'END'
    N  time  role        tokens  plan       text
    1        system          17  keep       You work on the tide gauge of Brack…
    2        user            23  keep       protected · The gauge shows 20 cm t…
    3        assistant       27  dedupe     I begin with the conversion.
             read             9               src/gauge.c
    4        tool           605               #include "gauge.h" · /* Metres ab…
END
    echo '{"role":"user","content":"x"}' >none
    spec <<'END'
ctx-show --plan none none
>>>2 ctx-show: none:1: expected a line of a plan, as ctx-compact --plan writes it
>>>= 65
END
}

@test "ctx-show: the sums are those of ctx-budget, and what is forgotten does not count" {
    local file
    for file in compact-gauge claude-code-session codex-session claude-code-sidechain; do
        same "$file" <(ctx-budget --json "$FIXTURES/$file.jsonl" 2>/dev/null | jq .used_tokens) \
            <(ctx-show "$FIXTURES/$file.jsonl" 2>/dev/null | sed -n '$s/.* \([0-9,]*\) tokens ──$/\1/p' | tr -d ,)
    done
    cat >log <<'END'
{"role":"user","content":"One.","metadata":{"id":"u1"}}
{"role":"user","content":"Two.","metadata":{"id":"u2","forgets":["u1"]}}
END
    same 'forgotten' - <(ctx-show log) <<'END'
    N  time  role        tokens  text
    1        user                forgotten · One.
    2        user             6  protected · Two.
──────── end ─────────────────────────────────────────────────────── 6 tokens ──
END
    same 'shown' - <(ctx-show --forgotten show log | sed -n 2p) <<'END'
    1        user             6  protected · One.
END
}

@test "ctx-show --timeline: rows, bars and lines of the window, compactions, and figures of ctx-budget" {
    same 'the timeline' - <(ctx-show --timeline --window 10k "$FIXTURES/compact-gauge.jsonl") <<'END'
time    turn      used  target 5,000 · soft 7,188 · window 10,000
           0        17  █                           ┊           ┊              │
           1       672  █████                       ┊           ┊              │
           1     2,138  █████████████               ┊           ┊              │
           1     2,273  ██████████████              ┊           ┊              │
           2     4,177  ████████████████████████    ┊           ┊              │
           2     5,510  ███████████████████████████████         ┊              │
           2     5,528  ███████████████████████████████         ┊              │
           3     5,580  ████████████████████████████████        ┊              │
           4     5,615  ████████████████████████████████        ┊              │
──────── largest tools ─────────────────────────────────────────────────────────
read                                    2,523   44.9%  ███████████▎
bash                                    1,494   26.6%  ██████▋
write                                   1,338   23.8%  ██████
-                                         136    2.4%  ▋
edit                                       72    1.3%  ▍
──────── largest files ─────────────────────────────────────────────────────────
data/may.csv                            1,879   33.5%  ████████▍
reports/may.md                          1,326   23.6%  █████▉
src/gauge.c                               659   11.7%  ██▉
END
    local file figures=$BATS_TEST_TMPDIR/figures
    for file in compact-gauge claude-code-session codex-session; do
        ctx-show --timeline "$FIXTURES/$file.jsonl" >out 2>said
        ctx-budget --json --by tool --top 5 "$FIXTURES/$file.jsonl" >"$figures" 2>said
        same "$file: the window" <(jq -c '[.used_tokens, .soft_compact_threshold, .context_window]' "$figures") \
            <(tr -d , <out | sed -n '1s/.* soft \([0-9]*\) · window \([0-9]*\)$/\1,\2/p; s/^.\{12\} *\([0-9]*\)  █.*/\1/p' |
                sed -n '1h; ${ G; s/\n/,/; s/.*/[&]/p; }')
        same "$file: tools" <(jq -r '.breakdown[] | "\(.label) \(.tokens)"' "$figures") \
            <(sed -n '/largest tools/,/largest files/p' out | grep -v '^──' | tr -d , | awk '{ print $1, $2 }')
    done
    kinds | grep -v 'no JSON' >log
    ctx-show --timeline --color always log | grep -A 1 '▒' >out
    same 'a compaction' - <(cat -v out | cut -c 1-60) <<'END'
       M-bM-^VM-^R 31 messages compacted
           1       234  ^[[32mM-bM-^VM-^H^[[m               
END
    # Over the window the bars shrink, and the lines stay within them.
    same 'over the window' - <(ctx-show --timeline --limit 4k --ascii "$FIXTURES/compact-gauge.jsonl" | sed -n '1p;4p') <<'END'
time    turn      used  target 2,000 | soft 4,001 | window 4,000
           1     2,138  ######################                 |
END
    status_of 64 ctx-show --window 10k log 2>said
    rm -f out said log
}

@test "ctx-show: a file of another format has numbers of messages, and each file its name" {
    same 'the calls' - <(ctx-show "$FIXTURES/claude-code-parallel.jsonl" | head -n 5) <<'END'
    N  time  role        tokens  text
    1  10:00 user            13  protected · Compare a.txt, b.txt and c.txt
    2  10:00 assistant       71  Reading all three.
             Read            13    /home/dev/bell/a.txt
             Read            13    /home/dev/bell/b.txt
END
    cp "$FIXTURES/route-stop.jsonl" a
    same 'two files' - <(ctx-show a a | grep -A 2 '^── ') <<'END'
── a
    N  time  role        tokens  text
    1        user            10  protected · Sound the canal every minute.
--
── a
──────── turn 3 ─────────────────────────────────────────── 106 of 212 tokens ──
    1        user            10  Sound the canal every minute.
END
}

@test "ctx-show: the number is the line of an agent's file, and LINE.K of what follows on the same line" {
    heads() { sed -n 's/^──────── \([0-9.]* [a-z]*\) .*/\1/p' "$@" | paste -sd,; }
    for agent in opencode gemini-cli; do
        ctx-normalize --to "$agent" "$FIXTURES/compact-gauge.jsonl" 2>/dev/null >"$agent"
    done
    same 'the list' - <(COLUMNS=60 ctx-show opencode | sed -n 2,5p) <<'END'
    1  00:00 user            23  protected · The gauge show…
  1.2  00:00 assistant       27  I begin with the conversio…
             read             9    src/gauge.c
  1.3  00:00 tool           605    #include "gauge.h" · /* …
END
    [[ $(ctx-show -n 1.2 opencode | heads) == '1.2 assistant' ]]
    [[ $(ctx-show -n 1.3-1.5 opencode | heads) == '1.3 tool,1.4 assistant,1.5 error' ]]
    [[ $(ctx-show -n 1 opencode | grep -c ^────) == $(ctx-normalize opencode | grep -c '"role"') ]]
    [[ $(ctx-show -n 3-4 gemini-cli | heads) == '3 assistant,3.2 tool,4 assistant,4.2 error' ]]
    for wrong in 0 1.0 1. 1.2.3 2-1 1.3-1.2 x; do
        status_of 64 ctx-show -n "$wrong" opencode 2>said
    done
    status_of 1 ctx-show -n 3.3 gemini-cli 2>said
    same 'said' - said <<'END'
ctx-show: no message has the number 3.3, only 3.2 and 4 beside it
END
    # The lines of a plan are those of the log.
    ctx-normalize opencode | ctx-compact --plan --force >plan
    actions() { ctx-show --plan plan "$@" | grep -v ' source ' | cut -c 32-41; }
    same 'the plan' <(ctx-normalize opencode | actions) <(actions opencode)
}

@test "ctx-show: hostile text is inert in every form" {
    local form
    printf '%s\n' '{"role":"user","content":"a\u001b]8;;http://x\u0007b\u001b[2J\u009b1m\u202ec\u200bd\u2028e\u0000\u007f\ud83c\udff4\udb40\udc67 f\rg\r\nh","metadata":{"id":"\u001b]52;c;x\u0007"}}' \
        '{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"\u001b[2J","arguments":"{\"\\u001b[1m\":\"\\u001b[2J\\n\\u202e\",\"path\":\"\\u001bc\"}"}}]}' \
        '{"role":"\u001b[2J","content":"x"}' '{"type":"\u001b[2J"}' $'\e[2J' >log
    for form in '' '-n 1-5 -m' '-e role=user' '--ascii' '--color never -n 1-9'; do
        # shellcheck disable=SC2086
        ctx-show $form log >out 2>said || may 65
        # shellcheck disable=SC2086
        COLUMNS=20 ctx-show $form log >>out 2>>said || may 65
        ! LC_ALL=C grep -nP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8b-\x8f\xa8-\xae]|\xf3\xa0' out said || fail "$form"
    done
    same 'one' - <(ctx-show -n 1 log 2>/dev/null) <<'END'
──────── 1 user ─────────────────────────────────────────────────── 41 tokens ──
a\x1b]8;;http://x\x07b\x1b[2J\u009b1m\u202ec\u200bd\u2028e\x00\x7f🏴\U000e0067 f\x0dg
h
END
}

@test "ctx-show: what is larger than 16 MB is a stream, unless --marks is given" {
    ! grep -q __asan_init "$CTX_BIN/ctx-show" || skip 'with AddressSanitizer'
    local i
    ctx-normalize "$FIXTURES/claude-code-session.jsonl" >one
    for ((i = 0; i < 68; i++)); do cat one; done >log
    (($(wc -c <log) > 16 << 20)) || fail 'too small'
    # shellcheck disable=SC2016
    ( ulimit -v 60000 && ctx-show --estimator bytes/4 log >out )
    grep -m 1 '── turn 2 ─' out >rule
    ! grep ' of ' rule || fail 'a sum'
    ! grep -q 'mended ·' out || fail 'marks'
    same 'through a pipe' out <(cat log | ctx-show --estimator bytes/4)
    ctx-show --marks --estimator bytes/4 log >marked
    grep -m 1 '── turn 2 ─' marked | grep -q ' of '
    grep -q 'mended ·' marked
    same 'the lines' <(wc -l <out) <(wc -l <marked)
}

@test "ctx-show: the first lines are there while the file is still read, and -n reads no more than it needs" {
    mkfifo pipe
    timeout 30 ctx-show -n 1 <pipe >out &
    exec 5>pipe
    printf '%s\n' '{"role":"user","content":"One."}' >&5
    # It ends while the writer still has the pipe.
    wait
    exec 5>&-
    [[ $(tail -n 1 out) == One. ]]
    rm -f pipe out
}

@test "ctx-show -n: of an agent's file no more is read, either, unless what comes takes back what was" {
    local file wanted
    # What the user says next; results are shown in the order of their calls.
    more_codex-session() { sed -n '5p;5p' "$FIXTURES/codex-session.jsonl"; }
    more_claude-code-parallel() {
        sed -n 1p "$FIXTURES/claude-code-parallel.jsonl" | jq -c '.parentUuid = "a" | .uuid = "b", (.parentUuid = "b" | .uuid = "c")'
    }
    while read -r file wanted; do
        { cat "$FIXTURES/$file.jsonl"; "more_$file"; echo 'no JSON'; } >log
        ctx-show -n "$wanted" log >out 2>said
        same "$file: -n $wanted" <(ctx-show "$FIXTURES/$file.jsonl" | grep -E '^ +[0-9]+ ' | awk -v from="${wanted%-*}" -v to="${wanted#*-}" \
            '$1 >= from && $1 <= to { print $1 }') <(sed -n 's/^──────── \([0-9]*\) .*/\1/p' out)
        [[ ! -s said ]] || fail "$(<said)"
        status_of 65 ctx-show log >out 2>said
    done <<'END'
codex-session 4-7
codex-session 12
codex-session 10-12
claude-code-parallel 1-5
claude-code-parallel 7
claude-code-parallel 5-8
END
    # Several messages of a line, and one that ends behind the result that stands in it.
    ctx-normalize --to gemini-cli "$FIXTURES/compact-gauge.jsonl" 2>said >log
    echo 'no JSON' >>log
    same 'a line with two' <(printf '3\n3.2\n') <(ctx-show -n 3 log 2>/dev/null | sed -n 's/^──────── \([0-9.]*\) .*/\1/p')
    cat >log <<'END'
{"parentUuid":null,"sessionId":"s","type":"user","message":{"role":"user","content":"Go."},"uuid":"1"}
{"parentUuid":"1","sessionId":"s","type":"assistant","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"c1","name":"Bash","input":{}},{"type":"tool_use","id":"c2","name":"Bash","input":{}}]},"uuid":"2"}
{"parentUuid":"2","sessionId":"s","type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"A"}]},"uuid":"3"}
{"parentUuid":"3","sessionId":"s","type":"assistant","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"One."}]},"uuid":"4"}
{"parentUuid":"4","sessionId":"s","type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c2","content":"B"}]},"uuid":"5"}
{"parentUuid":"5","sessionId":"s","type":"assistant","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"Two."}]},"uuid":"6"}
{"parentUuid":"6","sessionId":"s","type":"user","message":{"role":"user","content":"Next."},"uuid":"7"}
END
    same 'a message' - <(ctx-show -n 4 log | sed 1d) <<'END'
One.
Two.
END
    # The compaction of this one stands behind line 57, and takes it out of the context.
    spec <<END
ctx-show -n 57 "$FIXTURES/claude-code-session.jsonl"
>>>2 ctx-show: no message has the number 57, the first is 70
>>>= 1
END
}

# Waits until the file out has that line; fails where it does not within five seconds.
until_out() {
    local i file=${2-out}
    for ((i = 0; i < 100; i++)); do
        ! grep -q -s -- "$1" "$file" || return 0
        sleep 0.05
    done
    fail "not there: $1"$'\n'"$(<"$file")"
}

@test "ctx-show --follow: no reader is left when the program is ended while nobody takes its output" {
    local pid i file=unread-$$.jsonl first
    for i in {1..6000}; do printf '{"role":"user","content":"%s"}\n' "$i"; done >more
    cp more "$file"
    mkfifo full
    exec 9<>full
    ctx-show --follow "$file" >full 3>&- 9>&- &
    pid=$!
    read -r first <&9
    [[ $first == N* ]]
    # The program waits for the fifo, and its reader for the program.
    cat more >>"$file"
    sleep 0.6
    kill "$pid"
    wait "$pid" || may 143
    exec 9>&-
    for ((i = 0; i < 100; i++)); do
        grep -q -s -a "$file" /proc/[0-9]*/cmdline || return 0
        sleep 0.05
    done
    fail 'a reader is left'
}

@test "ctx-show --follow: what is added to a file is shown, of an agent's file too, and half a line is not" {
    local file pid
    for file in compact-gauge codex-session; do
        rm -f out
        # It begins with half a line, too.
        head -n 11 "$FIXTURES/$file.jsonl" | head -c -9 >live
        ctx-show --follow live >out 2>said 3>&- &
        pid=$!
        until_out '^    1 '
        { sed -n 11p "$FIXTURES/$file.jsonl" | tail -c 9; sed -n 12,20p "$FIXTURES/$file.jsonl" | head -c -9; } >>live
        sleep 0.4
        ! grep -q 'bad line' out || fail "$file: $(<out)"
        sed -n 11,20p "$FIXTURES/$file.jsonl" | tail -c 9 >>live
        until_out "$(ctx-show live 2>/dev/null | tail -n 2 | head -n 1 | cut -c 1-40)"
        kill "$pid"
        wait "$pid" || may 143
        [[ ! -s said && $(head -n 1 out) == '    N  time'* ]]
        ! LC_ALL=C grep -q $'\e' out || fail 'escapes'
        # As if all of it had been there, and where nobody asks what became of processes.
        env --ignore-signal=CHLD ctx-show --follow live >again 3>&- &
        pid=$!
        until_out "$(tail -n 1 out | cut -c 1-40)" again
        kill "$pid"
        wait "$pid" || may 143
        same "$file" again out
    done
    spec <<'END'
ctx-show --follow
>>>2 ctx-show: --follow needs one file; try 'ctx-show --help'
>>>= 64
END
    status_of 66 ctx-show --follow gone 2>said
    same 'gone' <(echo "ctx-show: cannot open 'gone': No such file or directory") said
    rm -f out said live again
}

# reader_of PID: the process that reads the file which PID follows.
reader_of() {
    cat "/proc/$1/task/$1/children"
}

@test "ctx-show --follow: what is appended is read on, and a file that is written anew is read from its start" {
    local pid reader i
    [[ -r /proc/$$/task/$$/children ]] || skip 'no /proc'
    asks() { printf '{"role":"user","content":"%s"}\n' "$1"; }
    line() { sed -n "$1p" "$FIXTURES/compact-gauge.jsonl"; }
    head -n 12 "$FIXTURES/compact-gauge.jsonl" >live
    ctx-show --follow live >out 2>said 3>&- &
    pid=$!
    until_out '^   12 '
    reader=$(reader_of "$pid")
    for i in {13..16}; do
        line "$i" >>live
        until_out "^   $i "
    done
    [[ $(reader_of "$pid") == "$reader" ]] || fail 'another reader'
    # Another file with that name, and other bytes in the file: lines that are as they were are not
    # written again.
    { head -n 16 live && line 17; } >new
    mv new live
    until_out '^   17 '
    [[ $(reader_of "$pid") != "$reader" ]]
    reader=$(reader_of "$pid")
    { head -n 16 live && printf '{"role":"assistant","content":"The tide is high."}\n' && line 18; } >new
    cat new >live
    until_out '^   18 '
    [[ $(reader_of "$pid") != "$reader" ]]
    # It is cut off, and goes on.
    head -n 2 "$FIXTURES/compact-gauge.jsonl" >live
    sleep 0.5
    asks 'Is it low tide?' >>live
    until_out '^    3 .*Is it low'
    kill "$pid"
    wait "$pid" || may 143
    same 'the numbers' <(cut -c 1-5 out | grep '[0-9]') <(printf '%5d\n' {1..17} 17 18 3)
    [[ ! -s said ]]
    rm -f live out said
}

@test "ctx-show: statuses" {
    spec <<'END'
ctx-show </dev/null
END
    spec <<'END'
ctx-show -n 0
>>>2 ctx-show: bad value '0' of --number, expected N or N-M; try 'ctx-show --help'
>>>= 64
END
    spec <<'END'
ctx-show -n 5-3
>>>2 ctx-show: bad value '5-3' of --number, expected N or N-M; try 'ctx-show --help'
>>>= 64
END
    spec <<'END'
ctx-show -m
>>>2 ctx-show: --metadata requires --number, --at, --select or --html; try 'ctx-show --help'
>>>= 64
END
    status_of 66 ctx-show gone 2>said
    status_of 66 ctx-show --plan gone "$FIXTURES/route-stop.jsonl" 2>said
    status_of 74 ctx-show "$FIXTURES/compact-gauge.jsonl" >/dev/full 2>said
}

# bats test_tags=slow
@test "ctx-show: every transcript is shown in every form" {
    [[ -d $CTX_SHARED ]] || skip "no transcripts at $CTX_SHARED"
    local file form
    for file in "$CTX_SHARED"/*/**/*; do
        [[ -f $file ]] || continue
        for form in '' '-n 1-3 -m' '-e role=user' --timeline; do
            # shellcheck disable=SC2086
            ctx-show --estimator bytes/4 $form "$file" >out 2>said || may 1 65
            ! LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]' out || fail "$file $form"
        done
        # What a compaction does with it.
        { ctx-normalize "$file" | ctx-compact --force --estimator bytes/4 >new; } 2>said || may 1 65
        for form in '' --html; do
            # shellcheck disable=SC2086
            ctx-diff --estimator bytes/4 $form "$file" new >out 2>said || may 1 65
            ! LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]' out || fail "$file: diff $form"
        done
    done
    rm -f out said new
}

# timeline_agrees FILE: the last row and the tools of its timeline are those of ctx-budget.
timeline_agrees() {
    ctx-budget --json --by tool --top 5 --estimator bytes/4 "$1" >figures 2>said || may 1 65
    ctx-show --timeline --ascii --estimator bytes/4 "$1" >out 2>said || may 1 65
    [[ -s out ]] || return 0
    same "$1: used" <(jq .used_tokens figures) \
        <(tr -d , <out | sed '/^--------/,$d; /^ *# /d' | sed -n '$s/^.\{12\} *\([0-9]*\).*/\1/p')
    same "$1: tools" <(jq -r '.breakdown[].tokens' figures) \
        <(sed -n '/largest tools/,/largest files/p' out | tr -d , | grep -o '[0-9]* *[0-9.]*%' | sed 's/ .*//')
}

@test "ctx-show --timeline: the figures of every fixture are those of ctx-budget" {
    local file
    for file in "$FIXTURES"/{compact-gauge,codex,pi,gemini-cli,claude-code,ctx,openai-chat}*.jsonl; do
        timeline_agrees "$file"
    done
}

# bats test_tags=slow
@test "ctx-show --timeline: the figures of every transcript are those of ctx-budget" {
    [[ -d $CTX_SHARED ]] || skip "no transcripts at $CTX_SHARED"
    local file
    for file in "$CTX_SHARED"/*/**/*; do
        [[ ! -f $file ]] || timeline_agrees "$file"
    done
}

@test "ctx-show -n: every text of a log is that of jq" {
    local file line want got
    for file in "$FIXTURES"/{compact-gauge,openai-chat}.jsonl; do
        ctx-normalize "$file" | jq -c 'select(.content | type == "string")
            | select(.content | test("^[^\\p{C}]+(\n[^\\p{C}]+)*$"; "") and (test("^[\\[{]") | not))' >log
        (($(wc -l <log) > 3))
        for ((line = 1; line <= $(wc -l <log); line++)); do
            want=$(sed -n ${line}p log | jq -r .content)
            got=$(ctx-show -n $line log | sed '1d; /^── /,$d')
            [[ $got == "$want" ]] || fail "$file $line: $got"
        done
    done
}

# bats test_tags=slow
@test "ctx-show -n: the text of a line of every transcript, the 57th if it can be, is that of jq" {
    [[ -d $CTX_SHARED ]] || skip "no transcripts at $CTX_SHARED"
    local file line count=0
    for file in "$CTX_SHARED"/*/**/*; do
        [[ -f $file ]] || continue
        ctx-normalize "$file" >log 2>said || may 65
        # Of the others JSON is laid out, and what is hidden made visible.
        line=$(head -n 57 log | jq -r 'objects | select(.role) | select(.content | strings
            | test("^[^\\p{C}\\p{Z}]([^\\p{C}\\p{Zl}\\p{Zp}]|[\t\n])*[^\\p{C}\\p{Z}]\\z") and (test("^[\\[{]") | not)) | input_line_number' 2>said | tail -n 1)
        [[ -n $line ]] || continue
        same "$file $line" <(sed -n "${line}p" log | jq -r .content) <(ctx-show -n "$line" log 2>said | sed '1d; /^── /,$d')
        count=$((count + 1))
    done
    ((count > 100)) || fail "only $count have such a line"
    rm -f log said
}

@test "ctx-show: a terminal has a pager: CTX_PAGER, PAGER, none where it is cat or empty" {
    cp "$FIXTURES/route-stop.jsonl" log
    in_terminal "TERM=dumb CTX_PAGER='sed s/^/1/' PAGER='sed s/^/2/' ctx-show $PWD/log" | tr -d '\r' >got
    same 'CTX_PAGER' <(ctx-show log | sed s/^/1/) got
    in_terminal "TERM=dumb PAGER='sed s/^/2/' ctx-show $PWD/log" | tr -d '\r' >got
    same 'PAGER' <(ctx-show log | sed s/^/2/) got
    local none
    for none in cat ''; do
        in_terminal "TERM=dumb CTX_PAGER='$none' ctx-show $PWD/log" | tr -d '\r' >got
        same "$none" <(ctx-show log) got
    done
    # less asks a dumb terminal to press a key; so it is run only where it is asked for.
    mkdir bin
    printf '#!/bin/sh\nsed s/^/3/\n' >bin/less
    chmod +x bin/less
    in_terminal "PATH=$PWD/bin:\$PATH; unset PAGER CTX_PAGER; NO_COLOR=1 TERM=xterm ctx-show $PWD/log" | tr -d '\r' >got
    same 'less' <(ctx-show log | sed s/^/3/) got
    in_terminal "PATH=$PWD/bin:\$PATH; unset PAGER CTX_PAGER; TERM=dumb ctx-show $PWD/log" | tr -d '\r' >got
    same 'dumb' <(ctx-show log) got
    in_terminal "PATH=$PWD/bin:\$PATH; unset PAGER CTX_PAGER TERM; ctx-show $PWD/log" | tr -d '\r' >got
    same 'of no kind' <(ctx-show log) got
    # One that is left early ends the program, which says nothing; what is wrong goes through it.
    in_terminal "TERM=dumb CTX_PAGER='head -n 1' ctx-show $FIXTURES/claude-code-session.jsonl; echo \$?" | tr -d '\r' >got
    [[ $(sed -n 2p got) == @(0|141) && $(wc -l <got) == 2 ]] || fail "$(<got)"
    in_terminal "TERM=dumb CTX_PAGER='sed s/^/1/' ctx-show gone" | tr -d '\r' >got
    same 'what is wrong' <(echo "1ctx-show: cannot open 'gone': No such file or directory") got
    # What is typed is the session's, and no command for a pager.
    in_terminal "TERM=dumb CTX_PAGER='sed s/^/1/' ctx-show" | tr -d '\r\b' | grep -o '1*ctx-show: reading' >got
    same 'what is typed' <(echo 'ctx-show: reading') got
}

@test "ctx-show: without COLUMNS a line is as wide as the terminal" {
    cp "$FIXTURES/compact-gauge.jsonl" log
    local width
    for width in 60 132; do
        in_terminal "stty cols $width; TERM=dumb CTX_PAGER=cat ctx-show $PWD/log" | tr -d '\r' >got
        same "$width" <(COLUMNS=$width ctx-show log) got
    done
}

# What the terminal of the test shows, without empty lines.
screen() {
    tmux -L "$socket" capture-pane -p | grep -v '^$'
}

# Waits until the screen has that; fails where it does not within five seconds.
until_shown() {
    local i
    for ((i = 0; i < 100; i++)); do
        ! screen | grep -q -- "$1" || return 0
        sleep 0.05
    done
    fail "not shown: $1"$'\n'"$(screen)"
}

@test "ctx-show: less pages, is resized, outlives Ctrl-C, and is left quietly" {
    type -P tmux less >/dev/null || skip 'no tmux, or no less'
    local socket="ctx-show-$$"
    TMPDIR=/tmp tmux -L "$socket" -f /dev/null new-session -d -x 80 -y 12 "PS1='% ' PATH='$PATH' LC_ALL=C.UTF-8 bash --norc" || skip 'no tmux'
    tmux -L "$socket" send-keys "ctx-show $FIXTURES/claude-code-session.jsonl" Enter
    until_shown '^   70  09:05 summary'
    until_shown '^:$'
    tmux -L "$socket" send-keys Space
    until_shown '^   81  09:06 tool'
    tmux -L "$socket" resize-window -x 100 -y 20
    until_shown '^   88  09:06 tool'
    tmux -L "$socket" send-keys C-c
    sleep 0.2
    tmux -L "$socket" send-keys Space
    until_shown '^   96  09:07 assistant'
    tmux -L "$socket" send-keys q
    tmux -L "$socket" send-keys 'clear; echo left: $?' Enter
    until_shown '^left: '
    ! screen | grep -q 'ctx-show:' || fail 'it said something'
    tmux -L "$socket" kill-server
}

@test "ctx-show --follow: in a terminal lines come as they are written, and Ctrl-C ends it" {
    type -P tmux >/dev/null || skip 'no tmux'
    local socket="ctx-show-follow-$$"
    head -n 3 "$FIXTURES/compact-gauge.jsonl" >live
    TMPDIR=/tmp tmux -L "$socket" -f /dev/null new-session -d -x 80 -y 20 "PS1='% ' PATH='$PATH' LC_ALL=C.UTF-8 bash --norc" || skip 'no tmux'
    tmux -L "$socket" send-keys "ctx-show --follow $PWD/live" Enter
    until_shown '^             read             9'
    sed -n 4,5p "$FIXTURES/compact-gauge.jsonl" >>live
    until_shown '^             bash             7'
    tmux -L "$socket" send-keys C-c
    tmux -L "$socket" send-keys 'echo left: $?' Enter
    until_shown '^left: 130'
    ! screen | grep -q 'ctx-show:' || fail 'it said something'
    tmux -L "$socket" kill-server
}

@test "ctx-show: a line that is too long is one bad line, however it is read" {
    local form
    { echo '{"a":1}' && head -c 3000000 /dev/zero | tr '\0' x && printf '\n[]\n'; } >in
    for form in '' --html '-n 2'; do
        ctx-show $form --max-line 40 in >out 2>diagnostics || [[ $? == 65 ]]
        (($(grep -c xxxx out) == 1))
    done
}
