#!/usr/bin/env bats
#
# ctx-show --html: a page in one file. What a browser makes of it is for make check-show.

load helper

setup() {
    fresh_directory
    export LC_ALL=C.UTF-8
}

# entries FILE: the entries of the page, without their heading.
entries() {
    sed -n '/^<main /,/^<\/main>/p' "$1" | sed '1,2d;$d'
}

# page OPTION...: the entries of the page of that session.
page() {
    ctx-show --html "$@" >page 2>said || may 65
    entries page
}

@test "ctx-show --html: a session as a whole, byte for byte" {
    cat >log <<'END'
{"type":"context","system_prompt":"Be brief."}
{"role":"user","content":"Is a<b & \"c\">d?","metadata":{"timestamp":"2025-03-03T23:58:00Z"}}
{"role":"assistant","content":[{"type":"thinking","thinking":"First\nthe code."},{"type":"text","text":"I look."}],"tool_calls":[{"id":"c1","function":{"name":"edit","arguments":"{\"path\":\"a.c\",\"old_string\":\"a\\nx = 1;\\nb\",\"new_string\":\"a\\nx = 2;\\nb\"}"}},{"id":"c2","function":{"name":"bash","arguments":"{\"command\":\"make\"}"}}]}
{"role":"tool","tool_call_id":"c1","content":"no\n\n\n\nsuch file\n","metadata":{"is_error":true,"timestamp":"2025-03-04T00:01:00Z"}}
{"role":"tool","tool_call_id":"c2","content":"1\n2\n3\n4\n5\n","metadata":{"pinned":true}}
{"role":"user","content":"[summary] 31 earlier messages were dropped; ctx-recall 'a b.archive' 307109d65ff5 lists them","metadata":{"kind":"summary","compacted":true,"facts":{"dropped":31}}}
{"role":"user","content":"And now?"}
{"role":"user","content":"Look.","metadata":{"agent_id":"a1","parent_execution_id":"e1"}}
END
    ctx-show --html log >page
    sed -e '/^<style>/,/^<\/style>/d' -e '/^<script>/,$d' -e "s/sha256-[^']*/sha256-…/g" page >got
    same 'the page' - got <<'END'
<!DOCTYPE html>
<html lang=en>
<meta charset=utf-8>
<meta http-equiv=Content-Security-Policy content="default-src 'none'; style-src 'sha256-…'; script-src 'sha256-…'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name=viewport content="width=device-width">
<meta name=referrer content=no-referrer>
<title>log</title>
<header>
<h1>log</h1>
<p>ctx-show · 139 tokens</p>
<nav aria-label=Parts><a href=#log>Messages</a> <a href=#timeline>Timeline</a></nav>
<form id=filter role=search aria-label=Messages hidden>
<label>Text <input id=text type=search></label>
<label>Role <select id=role><option value="">all</option></select></label>
<label>Tool <select id=tool><option value="">all</option></select></label>
<label><input id=failed type=checkbox> Failures</label>
<button id=fold type=button>Open all</button>
<output id=said></output>
<p><kbd>j</kbd> <kbd>k</kbd> next, previous <kbd>o</kbd> open, close <kbd>/</kbd> filter <kbd>Esc</kbd> all messages</p>
</form>
</header>
<main id=log>
<h2>Messages</h2>
<article id=m1 class="s"><h3><a href=#m1>1</a> <b>context</b> <i>3 tokens</i></h3>
<details><summary>members</summary><pre>{
  "type": "context",
  "system_prompt": "Be brief."
}</pre></details></article>
<p class=day>2025-03-03</p>
<article id=m2 class="u"><h3><a href=#m2>2</a> <b>user</b> <em>protected</em> <time>23:58:00</time> <i>13 tokens</i></h3>
<pre>Is a&lt;b &amp; "c"&gt;d?</pre></article>
<article id=m3 class="a"><h3><a href=#m3>3</a> <b>assistant</b> <i>65 tokens</i></h3>
<details><summary>thinking · First</summary><pre>First
the code.</pre></details><pre>I look.</pre><details open><summary><span class=t>edit</span> a.c</summary><pre>path: a.c
<i>  a</i>
<del>- x = 1;</del>
<ins>+ x = 2;</ins>
<i>  b</i></pre></details><details><summary><span class=t>bash</span> $ make</summary><pre>command: make</pre></details></article>
<p class=day>2025-03-04</p>
<article id=m4 class="t e"><h3><a href=#m4>4</a> <b>error</b> <span class=t>edit</span> <span>a.c</span> <em>unresolved</em> <time>00:01:00</time> <i>9 tokens</i></h3>
<details open><summary>no · such file · 5 lines</summary><pre>no



such file</pre></details></article>
<article id=m5 class="t"><h3><a href=#m5>5</a> <b>tool</b> <span class=t>bash</span> <span>$ make</span> <em>pinned</em> <i>14 tokens</i></h3>
<details><summary>1 · 2 · 3 · 4 · 5 · 5 lines</summary><pre>1
2
3
4
5</pre></details></article>
<article id=m6 class="c"><h3><a href=#m6>6</a> <b>summary</b> <i>31 tokens</i></h3>
<pre>[summary] 31 earlier messages were dropped; ctx-recall 'a b.archive' 307109d65ff5 lists them</pre><pre>31 messages compacted: ctx-restore 'a b.archive' log</pre></article>
<h2>turn 2 <i>132 of 139 tokens</i></h2>
<article id=m7 class="u"><h3><a href=#m7>7</a> <b>user</b> <em>protected</em> <i>7 tokens</i></h3>
<pre>And now?</pre></article>
<article id=m8 class="u in"><h3><a href=#m8>8</a> <b>user</b> <i>6 tokens</i></h3>
<pre>Look.</pre></article>
</main>
<aside id=timeline aria-label=Figures>
<h2>Timeline</h2>
<p>139 tokens are used; target 64,000, soft 102,400, window 128,000.</p>
<table>
<tr><th class=n scope=col>N<th scope=col>Time<th class=n scope=col>Turn<th class=n scope=col>Tokens<th class=bars scope=col>Bar
<tr><td class=n><a href=#m5>5</a><td><td class=n>1<td class=n>101<td class=bars rowspan=3><svg role=img aria-label="Tokens in use, as the table has them" viewBox="0 0 1000 3" preserveAspectRatio=none><path class=g d="M0 0.1h1v.8H0zM0 1.1h1v.8H0zM0 2.1h1v.8H0z"/><path class=y d="M0 0"/><path class=r d="M0 0"/><path class="l d" d="M500 0V3"/><path class="l d" d="M800 0V3"/><path class="l" d="M1000 0V3"/></svg>
<tr><td class=n><a href=#m6>6</a><td><td class=n>1<td class=n>132<br>-31 messages
<tr><td class=n><a href=#m7>7</a><td><td class=n>2<td class=n>139
</table>
<table>
<caption>Largest tools</caption>
<tr><th scope=col>Tool<th class=n scope=col>Tokens<th class=n scope=col>Share<th class=bar scope=col>Bar
<tr><td class=w>edit<td class=n>74<td class=n>53.2%<td class=bar><svg aria-hidden=true viewBox="0 0 100 1" preserveAspectRatio=none><path class=b d="M0 .1h53.2v.8H0z"/></svg>
<tr><td class=w>-<td class=n>51<td class=n>36.7%<td class=bar><svg aria-hidden=true viewBox="0 0 100 1" preserveAspectRatio=none><path class=b d="M0 .1h36.7v.8H0z"/></svg>
<tr><td class=w>bash<td class=n>14<td class=n>10.1%<td class=bar><svg aria-hidden=true viewBox="0 0 100 1" preserveAspectRatio=none><path class=b d="M0 .1h10.1v.8H0z"/></svg>
</table>
<table>
<caption>Largest files</caption>
<tr><th scope=col>File<th class=n scope=col>Tokens<th class=n scope=col>Share<th class=bar scope=col>Bar
<tr><td class=w>a.c<td class=n>40<td class=n>28.8%<td class=bar><svg aria-hidden=true viewBox="0 0 100 1" preserveAspectRatio=none><path class=b d="M0 .1h28.8v.8H0z"/></svg>
</table>
</aside>
END
}

@test "ctx-show --html: the style and the script that the page allows are those that it has" {
    needs openssl
    ctx-show --html "$FIXTURES/route-stop.jsonl" >page
    local kind
    for kind in style script; do
        sed -n "/^<$kind>/,/^<\/$kind>/p" page | sed "1s/<$kind>//;\$d" >"$kind"
        (($(wc -l <"$kind") > 20))
        printf "%s-src 'sha256-%s'\n" "$kind" "$(openssl dgst -sha256 -binary "$kind" | base64)" >want
        same "$kind" want <(grep -o "$kind-src '[^']*'" page)
    done
    (($(grep -c '<script>' page) == 1 && $(grep -c '</script>' page) == 1))
}

@test "ctx-show --html: hostile text is text" {
    printf '%s\n' '{"role":"<b>","content":"</pre><script>x</script>&amp;\u001b[2J\u202e\u2028\u200b\udb40\udc67\u0000","metadata":{"id":"\"x"}}' \
        '{"role":"user","content":"\n\nlines\t.\r\n"}' \
        '{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"<i>","arguments":"{\"<a href=x>\":\"\\n<\"}"}}]}' \
        '{"type":"<p>"}' '<p>' $'\e[2J' >log
    same 'the hostile ones' - <(page log) <<'END'
<article id=m1 class="o"><h3><a href=#m1>1</a> <b>&lt;b&gt;</b> <i>26 tokens</i></h3>
<pre>&lt;/pre&gt;&lt;script&gt;x&lt;/script&gt;&amp;amp;\x1b[2J\u202e\u2028\u200b\U000e0067\x00</pre></article>
<article id=m2 class="u"><h3><a href=#m2>2</a> <b>user</b> <em>protected</em> <i>8 tokens</i></h3>
<pre>


lines	.</pre></article>
<article id=m3 class="a"><h3><a href=#m3>3</a> <b>assistant</b> <em>protected</em> <i>25 tokens</i></h3>
<details open><summary><span class=t>&lt;i&gt;</span></summary><pre>&lt;a href=x&gt;:
    
    &lt;</pre></details></article>
<article id=m4 class="o"><h3><a href=#m4>4</a> <b>&lt;p&gt;</b></h3>
<details><summary>members</summary><pre>{
  "type": "&lt;p&gt;"
}</pre></details></article>
<article id=m5 class="o e"><h3><a href=#m5>5</a> <b>bad line</b></h3>
<pre>&lt;p&gt;</pre>
<pre>\x1b[2J</pre>
</article>
END
    ! LC_ALL=C grep -nP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8b-\x8f\xa8-\xae]|\xf3\xa0' page || fail 'hidden'
    cp log '<script>x'
    ctx-show --html '<script>x' >page 2>said || may 65
    same 'the title' - <(grep -E '^<(title|h1)>' page) <<'END'
<title>&lt;script&gt;x</title>
<h1>&lt;script&gt;x</h1>
END
}

@test "ctx-show --html: an image is shown by its bytes, whatever is said of it" {
    local bytes type
    while read -r type bytes; do
        printf '{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:%s;base64,%s"}}]}\n' \
            "$type" "$(printf '%b' "$bytes" | base64 -w 0)"
    done >log <<'END'
image/png \x89PNG\r\n\x1a\n123
text/html \xff\xd8\xff
image/png GIF87a
image/png GIF89a<script>
image/png RIFF1234WEBP
image/png RIFF1234WEBX
image/png \x89PNG
image/png <script>
image/svg+xml <svg><b/></svg>
END
    printf '%s\n' '{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo\" onerror=x "}}]}' \
        '{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/svg+xml;utf8,<svg/>"}}]}' \
        '{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://a.example/x.png"}}]}' \
        '{"role":"user","content":[{"type":"file","file":{"file_data":"data:image/png;base64,iVBORw0KGgo="}}]}' >>log
    same 'the images' - <(page log | grep -v '^<article\|^<h2') <<'END'
<pre><b>[image] image/png;base64 12 B</b></pre><img alt=image src="data:image/png;base64,iVBORw0KGgoxMjM=">
</article>
<pre><b>[image] text/html;base64 3 B</b></pre><img alt=image src="data:image/jpeg;base64,/9j/">
</article>
<pre><b>[image] image/png;base64 6 B</b></pre><img alt=image src="data:image/gif;base64,R0lGODdh">
</article>
<pre><b>[image] image/png;base64 15 B</b></pre><img alt=image src="data:image/gif;base64,R0lGODlhPHNjcmlwdD4=">
</article>
<pre><b>[image] image/png;base64 12 B</b></pre><img alt=image src="data:image/webp;base64,UklGRjEyMzRXRUJQ">
</article>
<pre><b>[image] image/png;base64 12 B</b></pre></article>
<pre><b>[image] image/png;base64 6 B</b></pre></article>
<pre><b>[image] image/png;base64 9 B</b></pre></article>
<pre><b>[image] image/svg+xml;base64 15 B</b></pre><pre>&lt;svg&gt;&lt;b/&gt;&lt;/svg&gt;</pre></article>
<pre><b>[image] image/png 15 B</b></pre></article>
<pre><b>[image] image/svg+xml;utf8 3 B</b></pre><pre>&lt;svg/&gt;</pre></article>
<pre><b>[image]  https://a.example/x.png</b></pre></article>
<pre><b>[file] image/png;base64 9 B</b></pre></article>
END
}

@test "ctx-show --html: other records, bad lines together, and numbers of several files" {
    printf '%s\n' '{"x":1}' no 'JSON <' '{"role":"user","content":"1"}' >a
    same 'the entries' - <(page a a) <<'END'
<h2>a</h2>
<article id=m1 class="o"><h3><a href=#m1>1</a> <b>other</b></h3>
<details><summary>members</summary><pre>{
  "x": 1
}</pre></details></article>
<article id=m2 class="o e"><h3><a href=#m2>2</a> <b>bad line</b></h3>
<pre>no</pre>
<pre>JSON &lt;</pre>
</article>
<article id=m4 class="u"><h3><a href=#m4>4</a> <b>user</b> <em>protected</em> <i>5 tokens</i></h3>
<pre>1</pre></article>
<h2>a</h2>
<article id=f2m1 class="o"><h3><a href=#f2m1>1</a> <b>other</b></h3>
<details><summary>members</summary><pre>{
  "x": 1
}</pre></details></article>
<article id=f2m2 class="o e"><h3><a href=#f2m2>2</a> <b>bad line</b></h3>
<pre>no</pre>
<pre>JSON &lt;</pre>
</article>
<h2>turn 2 <i>5 of 10 tokens</i></h2>
<article id=f2m4 class="u"><h3><a href=#f2m4>4</a> <b>user</b> <em>protected</em> <i>5 tokens</i></h3>
<pre>1</pre></article>
END
    printf '%s\n' '{"model":"m","messages":[{"role":"user","content":"1"},{"role":"user","content":"2"}]}' >b
    same 'a request' - <(page b) <<'END'
<article class="s"><h3> <b>context</b> <i>0 tokens</i></h3>
<details><summary>members</summary><pre>{
  "type": "context",
  "metadata": {
    "request": {
      "model": "m"
    }
  }
}</pre></details></article>
<article id=m1 class="u"><h3><a href=#m1>1</a> <b>user</b> <em>protected</em> <i>5 tokens</i></h3>
<pre>1</pre></article>
<h2>turn 2 <i>5 of 10 tokens</i></h2>
<article id=m2 class="u"><h3><a href=#m2>2</a> <b>user</b> <em>protected</em> <i>5 tokens</i></h3>
<pre>2</pre></article>
END
}

@test "ctx-show --html: the sums and the rows of the timeline are those of ctx-budget and --timeline" {
    cp "$FIXTURES/compact-gauge.jsonl" log
    ctx-show --html --window 10k log >page
    sed -n '/<aside/,/^<\/table>/p' page | grep '^<tr><td' | sed -E 's/<td class=bars.*//; s/<[^>]*>/ /g' |
        awk '{ print $2, $3 }' >got
    same 'the rows' <(ctx-show --timeline --ascii --window 10k log | sed -n '/^time/,/largest tools/p' | sed '1d;$d' | awk '{ print $1, $2 }') got
    ctx-budget --json --window 10k log | jq -r '"\(.used_tokens) 5000 \(.soft_compact_threshold) \(.context_window)"' >want
    same 'the sums' want <(sed -n 's/^<p>\(.*\) tokens are used; target \(.*\), soft \(.*\), window \(.*\)\.<.p>$/\1 \2 \3 \4/p' page | tr -d ,)
    same 'the picture' - <(grep -o '<svg role.*</svg>' page) <<'END'
<svg role=img aria-label="Tokens in use, as the table has them" viewBox="0 0 1000 9" preserveAspectRatio=none><path class=g d="M0 0.1h2v.8H0zM0 1.1h67v.8H0zM0 2.1h214v.8H0zM0 3.1h227v.8H0zM0 4.1h418v.8H0zM0 5.1h551v.8H0zM0 6.1h553v.8H0zM0 7.1h558v.8H0zM0 8.1h562v.8H0z"/><path class=y d="M0 0"/><path class=r d="M0 0"/><path class="l d" d="M500 0V9"/><path class="l d" d="M719 0V9"/><path class="l" d="M1000 0V9"/></svg>
END
    same 'the largest' - <(sed -n '/Largest files/,/table>/p' page) <<'END'
<caption>Largest files</caption>
<tr><th scope=col>File<th class=n scope=col>Tokens<th class=n scope=col>Share<th class=bar scope=col>Bar
<tr><td class=w>data/may.csv<td class=n>1,879<td class=n>33.5%<td class=bar><svg aria-hidden=true viewBox="0 0 100 1" preserveAspectRatio=none><path class=b d="M0 .1h33.5v.8H0z"/></svg>
<tr><td class=w>reports/may.md<td class=n>1,326<td class=n>23.6%<td class=bar><svg aria-hidden=true viewBox="0 0 100 1" preserveAspectRatio=none><path class=b d="M0 .1h23.6v.8H0z"/></svg>
<tr><td class=w>src/gauge.c<td class=n>659<td class=n>11.7%<td class=bar><svg aria-hidden=true viewBox="0 0 100 1" preserveAspectRatio=none><path class=b d="M0 .1h11.7v.8H0z"/></svg>
</table>
END
}

@test "ctx-show --html: what is chosen, the plan, and what cannot be combined" {
    cp "$FIXTURES/compact-gauge.jsonl" log
    same 'a number' - <(page -n 7 -m log) <<'END'
<article id=m7 class="a"><h3><a href=#m7>7</a> <b>assistant</b> <i>66 tokens</i></h3>
<pre>The datum moved in spring: the zero is 1.0 now.</pre><details open><summary><span class=t>edit</span> src/gauge.c</summary><pre>path: src/gauge.c
<del>- count * 0.0025 - 1.2</del>
<ins>+ count * 0.0025 - 1.0</ins></pre></details></article>
END
    ! grep -q '<aside\|#timeline' page || fail 'a timeline'
    page -e error log >got
    same 'a selector' <(ctx-show -e error log | grep -c '^────────') <(grep -c '^<article' got)
    ctx-compact --plan --force log >plan
    same 'the plan' - <(page --plan plan log | grep -o 'id=m[1-5] .*</strong>') <<'END'
id=m1 class="s"><h3><a href=#m1>1</a> <b>system</b> <strong>keep</strong>
id=m2 class="u"><h3><a href=#m2>2</a> <b>user</b> <strong>keep</strong>
id=m3 class="a"><h3><a href=#m3>3</a> <b>assistant</b> <strong>dedupe</strong>
id=m5 class="a"><h3><a href=#m5>5</a> <b>assistant</b> <strong>dedupe</strong>
END
    status_of 1 ctx-show --html -n 99 log >out 2>said
    [[ ! -s out ]]
    spec <<'END'
ctx-show --html --timeline log
>>>2 ctx-show: --html cannot be combined with --timeline; try 'ctx-show --help'
>>>= 64
END
    status_of 64 ctx-show --html --follow log 2>said
    ctx-show --html </dev/null >out
    [[ ! -s out ]]
    status_of 74 ctx-show --html log >/dev/full 2>said
}

@test "ctx-show --html: the page has at most 1.5 times the escaped text and 64 kB" {
    local file i
    ctx-normalize "$FIXTURES/claude-code-session.jsonl" >one
    for ((i = 0; i < 9; i++)); do cat one; done >log
    for file in "$FIXTURES"/*.jsonl log; do
        ctx-show --html --estimator bytes/4 "$file" >page 2>said || may 65
        (($(wc -c <page) > 65536)) || continue
        sed 's/&/&amp;/g; s/</\&lt;/g; s/>/\&gt;/g' "$file" >text
        (($(wc -c <page) <= $(wc -c <text) * 3 / 2 + 65536)) || fail "$file: $(wc -c <page) of $(wc -c <text)"
        # Of what can be read on it, too.
        sed -e '/^<style>/,/^<\/style>/d' -e '/^<script>/,$d' -e 's/<[^>]*>//g' page >text
        (($(wc -c <page) <= $(wc -c <text) * 3 / 2 + 65536)) || fail "$file: $(wc -c <page) of $(wc -c <text)"
    done
    (($(wc -c <page) > 1000000)) || fail 'too small to tell'
}

@test "ctx-show --html: of a long session every second row of the timeline is there" {
    local i
    for ((i = 0; i < 300; i++)); do echo '{"role":"user","content":"x"}'; done >log
    ctx-show --html log >page
    same 'the rows' <(echo 151) <(grep -c '^<tr><td class=n>' page)
    same 'the last' - <(grep '^<tr><td class=n>' page | tail -n 1) <<'END'
<tr><td class=n><a href=#m300>300</a><td><td class=n>300<td class=n>1,500
END
}

@test "ctx-show --html: what is larger than 16 MB is a stream" {
    ! grep -q __asan_init "$CTX_BIN/ctx-show" || skip 'with AddressSanitizer'
    local i
    ctx-normalize "$FIXTURES/claude-code-session.jsonl" >one
    for ((i = 0; i < 68; i++)); do cat one; done >log
    (($(wc -c <log) > 16 << 20)) || fail 'too small'
    ( ulimit -v 60000 && ctx-show --estimator bytes/4 --html log >page )
    same 'all messages' <(grep -c '' log) <(grep -c '^<article' page)
    same 'it ends' <(echo '</script>') <(tail -n 1 page)
}

# bats test_tags=slow
@test "ctx-show --html: every transcript has a page" {
    [[ -d $CTX_SHARED ]] || skip "no transcripts at $CTX_SHARED"
    local file
    for file in "$CTX_SHARED"/*/**/*; do
        [[ -f $file ]] || continue
        ctx-show --estimator bytes/4 --html "$file" >page 2>said || may 65
        [[ ! -s page ]] || [[ $(tail -n 1 page) == '</script>' ]] || fail "$file"
        ! LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]' page || fail "$file"
    done
    rm -f page said
}

@test "ctx-show --html: every fold says something, also of a message without words" {
    page "$FIXTURES/hostile-roles.jsonl" >got
    ! grep '<summary></summary>' got || fail 'a fold says nothing'
    page - <<<'{"role":"assistant","tool_calls":[{"id":"c","function":{"name":" ","arguments":"{}"}}]}' >got
    grep -qF '<summary><span class=t> </span> text</summary>' got
}

@test "ctx-show --html: a day is said where it begins" {
    printf '{"role":"user","content":"x","metadata":{"timestamp":"2025-03-%sZ"}}\n' 03T10:00:00 03T23:59:59 04T00:00:00 \
        04T08:00:00 03T11:00:00 >log
    page log >got
    same 'the days' <(grep -o '^<p class=day>.*' got) - <<'END'
<p class=day>2025-03-03</p>
<p class=day>2025-03-04</p>
<p class=day>2025-03-03</p>
END
}
