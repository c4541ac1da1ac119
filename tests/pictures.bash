#!/bin/bash
#
# pictures.bash DIRECTORY: writes the pictures of the commands that people look at, as SVG: the text
# that a terminal of 80 columns gets, in its colours, as text; and of a page the page itself, in the
# reader's fonts and colours. The same bytes each time; CTX_BIN is where the commands are. What makes
# a picture is a row of the table below.

set -euo pipefail
directory=$(realpath "$1")
cd "${BASH_SOURCE%/*}/fixtures"
PATH=${CTX_BIN:-$PWD/../../build/bin}:$PATH
export LC_ALL=C.UTF-8 COLUMNS=80
unset NO_COLOR CLICOLOR_FORCE

# draw TITLE: the lines of a terminal on standard input, as a picture. Colours and weights are those
# of ECMA-48; each word behind two blanks begins in its own column, whatever the font.
draw() {
    LC_ALL=C awk -v title="$1" '
        function escape(text) {
            gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); gsub(/>/, "\\&gt;", text)
            return text
        }
        # Of one or more bytes; what is drawn has no wide characters.
        function columns(text) { gsub(/[\200-\277]/, "", text); return length(text) }
        # Blanks are no text, so that no font and no reader of XML moves what is behind them.
        function run(text,  word) {
            while (match(text, /[^ ]+( [^ ]+)*/)) {
                column += RSTART - 1
                word = substr(text, RSTART, RLENGTH)
                line = line sprintf("<tspan x=\"%.1f\"%s>%s</tspan>", 16 + 8.4 * column,
                    paint == "" ? "" : " class=\"p" paint "\"", escape(word))
                column += columns(word)
                text = substr(text, RSTART + RLENGTH)
            }
            column += length(text)
        }
        {
            rest = $0; line = ""; column = 0; paint = ""
            while (match(rest, /\033\[[0-9]*m/)) {
                at = RSTART; len = RLENGTH
                run(substr(rest, 1, at - 1))
                paint = substr(rest, at + 2, len - 3)
                rest = substr(rest, at + len)
            }
            run(rest)
            if (line != "")
                body = body sprintf("<text y=\"%d\">%s</text>\n", 26 + 18 * (NR - 1), line)
        }
        END {
            height = 18 * NR + 24
            printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 704 %d\" width=\"704\" height=\"%d\" role=\"img\">\n", height, height
            print "<title>" escape(title) "</title>"
            print "<style>text{font:14px ui-monospace,\"DejaVu Sans Mono\",Menlo,Consolas,monospace;fill:#24292f}" \
                ".p1{font-weight:bold}.p2{fill:#656d76}.p31{fill:#b3261e}.p32{fill:#116329}.p33{fill:#7d4e00}.p34{fill:#0550ae}</style>"
            printf "<rect x=\".5\" y=\".5\" width=\"703\" height=\"%d\" rx=\"8\" fill=\"#fcfcfa\" stroke=\"#8c959f\"/>\n", height - 1
            printf "%s</svg>\n", body
        }' >"$directory/$2"
}

# frame TITLE: the page on standard input, as its first screen in a wide window: as XHTML, which knows
# no attribute without quotes and no element without an end, and without its script.
frame() {
    local width=1160 height=760
    {
        printf '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" width="%s" height="%s" style="width:%spx;height:%spx;margin:0" role="img">\n' \
            "$width" "$height" "$width" "$height" "$width" "$height"
        printf '<title>%s</title>\n<foreignObject width="%s" height="%s">\n<body xmlns="http://www.w3.org/1999/xhtml">\n' "$1" "$width" "$height"
        sed -E -e '/^<script>/,$d' -e '/^<(!DOCTYPE|html|meta|title)/d' -e 's/ hidden>/>/' \
            -e 's/@media\(min-width:80rem\)/@media all/' -e 's/max-height:100vh/max-height:none/' \
            -e 's/<details open>/<details open="">/g' -e ':quote' -e 's/(<[^>]* [A-Za-z-]+=)([^" >]+)/\1"\2"/' -e 't quote' \
            -e 's/<svg /&xmlns="http:\/\/www.w3.org\/2000\/svg" /g' -e 's/<br>/<br\/>/g' -e 's/(<input[^>]*)>/\1\/>/g' \
            -e '/^<tr>/{' -e 's/<(t[dh])/<\/\1><\1/g' -e 's/^<tr><\/t[dh]>/<tr>/' -e 's/(.*<)(t[dh])(.*)/\1\2\3<\/\2><\/tr>/' -e '}'
        printf '</body>\n</foreignObject>\n<rect x=".5" y=".5" width="%s" height="%s" fill="none" stroke="#8c959f"/>\n</svg>\n' \
            "$((width - 1))" "$((height - 1))"
    } >"$directory/$2"
}

gauge=compact-gauge.jsonl
ctx-show --color always "$gauge" |
    draw 'ctx-show: a session, a line a message or call' list.svg
ctx-show --color always --timeline --window 10k "$gauge" |
    draw 'ctx-show --timeline: how the context grows, and by what' timeline.svg
(ctx-compact --force "$gauge" | ctx-diff --color always -U 1 "$gauge" - || (($? == 1))) |
    draw 'ctx-diff: what a compaction has done' diff.svg
ctx-show --html --window 10k "$gauge" |
    frame 'ctx-show --html: a page in one file' page.svg
