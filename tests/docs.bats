#!/usr/bin/env bats
#
# The pages, the help and the completions say the same, and what they say is true.
#
# An example in a page is a literal display in its EXAMPLES section: lines that begin with "$ " are
# commands (a line that ends with a backslash or a pipe goes on in the next), the lines below them are what
# the command prints, on standard output and standard error:
#
#     .Bd -literal -offset indent
#     $ ctx-project --view conversation route-one-call.jsonl
#     {"role":"user","content":"How deep is the harbour?"}
#     .Ed
#
# A command that prints nothing may stand alone, with .Dl.  Examples run one after another in a
# directory of their own that holds tests/fixtures/*.jsonl, and claude-code-session.jsonl once more as
# session.jsonl; a status that is not 0 is part of an example: "; echo $?".

load helper

setup() {
    fresh_directory
    pages=("$ROOT"/man/*.1)
}

# plain: mdoc source without the escapes that literal text needs.
plain() {
    sed -e 's/^\\&//' -e 's/\\&//g' -e "s/\\\\(aq/'/g" -e 's/\\(dq/"/g' -e 's/\\(ti/~/g' -e 's/\\(ha/^/g' \
        -e 's/\\(ga/`/g' -e 's/\\-/-/g' -e 's/\\e/\\/g'
}

# section PAGE NAME: the source of a section.
section() {
    awk -v name=".Sh $2" '/^\.Sh / { on = $0 == name; next } on' "$1"
}

# help_options COMMAND: the long options that --help lists, one a line.
help_options() {
    "$1" --help | grep -o -- '^  \(-[A-Za-z], \|    \)--[a-z-]*' | grep -o -- '--[a-z-]*$' | sort
}

# help_letters COMMAND: the one-letter options that --help lists, with their long ones.
help_letters() {
    "$1" --help | sed -n 's/^  \(-[A-Za-z]\), \(--[a-z-]*\).*/\1 \2/p' | sort
}

# help_outline: from help on standard input the headings and the options under them, a line each.
help_outline() {
    awk '/^Examples:$/ { on = 0; next } /^[A-Z][^:]*:$/ && !/^Exit status:$/ { on = 1; print; next }
        on && /^  (-[A-Za-z], |    )--/ { sub(/^ *(-[A-Za-z], )?/, ""); sub(/[^a-z-].*/, ""); print }'
}

# page_outline PAGE: the headings of its DESCRIPTION that have options first, and these.
page_outline() {
    section "$1" DESCRIPTION | sed 's/\\-/-/g; s/\\&//g' | awk '
        /^\.Ss / { heading = substr($0, 5) ":"; on = depth = 0 }
        /^\.El/ { depth--; next }
        /^\.Bl / { depth++ }
        heading != "" && /^\.It Fl ([A-Za-z] , Fl )?-[a-z]/ && last ~ /^\.Bl / { print heading; heading = ""; on = 1 }
        on && depth == 1 && /^\.It Fl / {
            for (line = $0; match(line, /Fl -[a-z-]+/); line = substr(line, RSTART + RLENGTH))
                print "-" substr(line, RSTART + 3, RLENGTH - 3)
        }
        { last = $0 }'
}

# page_items PAGE: the .It lines of the options in the DESCRIPTION.
page_items() {
    grep -h '^\.It Fl ' "$1" | sed 's/\\-/-/g'
}

@test "every command has a page, and every page of section 1 a command" {
    same 'pages' <(commands | sed 's/$/.1/' | sort) <(cd "$ROOT/man" && printf '%s\n' ./*.1 | sed 's|^./||' | sort)
    [[ -s $ROOT/man/ctx.7 && -s $ROOT/man/ctx-message.5 ]]
}

@test "ctx(7) names every page" {
    local page
    for page in "$ROOT"/man/*.[157]; do
        page=${page##*/}
        [[ $page == ctx.7 ]] || grep -q "^\.\(It \)\?Xr ${page%.*} ${page##*.}\b" "$ROOT/man/ctx.7" || printf '%s\n' "$page"
    done >nameless
    same 'not named' /dev/null nameless
}

@test "every page: mandoc has nothing to warn of" {
    command -v mandoc
    mandoc -T lint -W warning "$ROOT"/man/*.[157] >found || true
    same 'mandoc -T lint' /dev/null found
}

@test "every page: a heading and a diagnostic are shown as they are written, with no word taken for a macro" {
    local page line
    for page in "$ROOT"/man/*.[157]; do
        mandoc -T ascii -O width=400 "$page" | sed $'s/.\b//g' >shown
        while IFS= read -r line; do
            grep -qF -- "$line" shown || fail "$page: $line"
        done < <(sed -n 's/^\.It \(ctx-[a-z]*: .*\)/\1/p' "$page" | sed 's/\\&//g; s/\\-/-/g; s/\\e/\\/g')
        same "$page" <(sed -n 's/^\.Ss //p' "$page" | sed 's/\\&//; s/\\-/-/g') \
            <(mandoc -T ascii -O width=200 "$page" | sed $'s/.\b//g' | sed -n 's/^   \([^ ]\)/\1/p')
    done
}

@test "every page of section 1: has at most 500 lines of 80 columns, ctx-compact(1) 600" {
    local page lines most
    for page in "${pages[@]}"; do
        lines=$(mandoc -T ascii -O width=80 "$page" | wc -l)
        case $page in */ctx-compact.1) most=600 ;; *) most=500 ;; esac
        ((lines <= most)) || printf '%s: %s\n' "${page##*/}" "$lines"
    done >long
    same 'too long' /dev/null long
}

@test "every page: the pages and the sections that it names are there" {
    local page where section count=0
    for page in "$ROOT"/man/*.[157]; do
        # The page, a name and a section after it; a name without a section is the page itself.
        awk -v own="$(basename "$page")" '
            { line[NR] = $0 }
            function page_of(text,    part) { split(text, part, " "); return part[2] "." part[3] }
            END {
                for (i = 1; i <= NR; i++) {
                    if (line[i] ~ /^\.(It )?Xr ctx/) print page_of(substr(line[i], line[i] ~ /^\.It/ ? 4 : 1))
                    if (line[i] !~ /^\.(Sx|Em) /) continue
                    name = substr(line[i], 5)
                    sub(/( [.,:;)])+$/, "", name)
                    if (line[i + 1] ~ /^(in|of)$/ && line[i + 2] ~ /^\.Xr ctx/) print page_of(line[i + 2]) "\t" name
                    else if (line[i - 1] ~ /under$/ && line[i - 2] ~ /^\.Xr ctx/) print page_of(line[i - 2]) "\t" name
                    else if (line[i] ~ /^\.Sx/) print own "\t" name
                }
            }' "$page" >named
        while IFS=$'\t' read -r where section; do
            [[ -s $ROOT/man/$where ]] || fail "$page: no page $where"
            [[ -z $section ]] || grep -qx "\.S[sh] $section" "$ROOT/man/$where" || fail "$page: no section '$section' in $where"
            count=$((count + 1))
        done <named
    done
    ((count > 300)) || fail "only $count"
}

@test "every page of section 1: has the sections, in their order" {
    local page
    for page in "${pages[@]}"; do
        printf '%s\n' "$page"
        same "$page" <(printf '%s\n' NAME SYNOPSIS DESCRIPTION 'EXIT STATUS' EXAMPLES DIAGNOSTICS 'SEE ALSO') \
            <(sed -n 's/^\.Sh //p' "$page")
    done
}

@test "every command: the SYNOPSIS of its page is its usage line" {
    local page command
    for page in "${pages[@]}"; do
        command=$(basename "$page" .1)
        printf '%s\n' "$command"
        same "$command" <("$command" --help | sed -n '1s/^usage: //p') \
            <(section "$page" SYNOPSIS | sed -e "s/^\.Nm *$/$command/" -e "s/^\.Nm /$command /" \
                -e 's/^\.Op Ar \(.*\) \.\.\.$/[\1].../' -e 's/^\.Op Ar \(.*\)$/[\1]/' -e 's/^\.Op Fl \(.*\)$/[-\1]/' \
                -e 's/^\.Ar //' -e 's/^\.Cm //' | paste -sd' ')
    done
}

@test "every command: the NAME of its page says what its help says" {
    local page command
    for page in "${pages[@]}"; do
        command=$(basename "$page" .1)
        # The help is a sentence, .Nd a phrase.
        same "$command" <("$command" --help | sed -n 2p) \
            <(sed -n 's/^\.Nd //p' "$page" | sed -e 's/^./\u&/' -e 's/[^.]$/&./')
    done
}

@test "every command: each option of its help is in its page, and no other" {
    local page command
    for page in "${pages[@]}"; do
        command=$(basename "$page" .1)
        same "$command: long options" <(help_options "$command") \
            <(page_items "$page" | grep -o -- 'Fl -[a-z-]*' | sed 's/^Fl /-/' | sort -u)
        same "$command: letters" <(help_letters "$command") \
            <(page_items "$page" | sed -n 's/^\.It Fl \([A-Za-z]\) .*Fl -\([a-z-]*\).*/-\1 --\2/p' | sort -u)
    done
}

@test "every command: its help and its page name the same estimators" {
    local command name
    for command in $(commands); do
        "$command" --help | sed -n '/--estimator=/,/--image-tokens/p' >help
        [[ -s help && $command != ctx-compile ]] || continue
        mandoc -Tascii -O width=1000 "$ROOT/man/$command.1" | sed $'s/.\b//g' | sed -n '/--estimator NAME/,/--image-tokens/p' >page
        for name in o200k_base cl100k_base bytes/4 usage calibrated cmd:COMMAND; do
            same "$command $name" <(grep -c -- "$name" help) <(grep -c -- "$name\([ ,;.]\|$\)" page)
        done
    done
}

@test "every command: the options of its page are in the order and under the headings of its help" {
    local page command
    for page in "${pages[@]}"; do
        command=$(basename "$page" .1)
        "$command" --help | help_outline >outline
        [[ $command == ctx || -s outline ]] || fail "$command: no headings"
        same "$command" outline <(page_outline "$page" | awk -v outline=outline '
            BEGIN { while ((getline < outline) > 0) if (/:$/) is_there[$0] }
            /:$/ { on = $0 in is_there } on')
    done
}

# option_text PAGE OPTION: what the page says of it, in one line, with options as they are typed.
option_text() {
    section "$1" DESCRIPTION | sed 's/\\-/-/g' | awk -v option="$2" '
        /^\.Bl / { depth++ }
        /^\.El/ { depth-- }
        depth <= 1 && /^\.(It|Ss) / { on = /^\.It Fl / && $0 ~ "Fl -" option "( |$)"; next }
        on && /^\.Fl / { gsub(/ Cm /, "="); gsub(/ -/, " --") }
        on { sub(/^\.[A-Z][a-z] /, ""); printf "%s ", $0 }'
}

@test "every command: its page says what an option requires, and what it cannot be combined with" {
    local command option relation terms term text count=0
    [[ -x ${CTX_BIN%/bin}/tests/unit/commands ]] || skip 'no units here'
    "${CTX_BIN%/bin}/tests/unit/commands" relations >relations
    while IFS=$'\t' read -r command option relation terms; do
        text=$(option_text "$ROOT/man/$command.1" "$option")
        printf '%s --%s: %s\n' "$command" "$option" "$text"
        count=$((count + 1))
        [[ -n $terms ]] || grep -qF 'annot be combined with any other option' <<<"$text"
        for term in $terms; do
            case $relation in
            requires) grep -qE "[Rr]equires? [^.:]*--$term\b" <<<"$text" ;;
            not_with) grep -qE "annot be combined with .*--$term\b" <<<"$text" ;;
            only_with) grep -qE "annot be combined with any option but --$term\b" <<<"$text" ;;
            esac
        done
    done <relations
    ((count > 50))
}

@test "every command: each option of its help is completed, and no other" {
    local command
    # shellcheck disable=SC1091
    source "$ROOT/completions/ctx.bash"
    for command in $(commands); do
        same "$command" <(help_options "$command") <(complete_words "$command" -- | sed 's/=$//' | sort -u) ||
            fail "run: make completions"
    done
}

# complete_words COMMAND WORD...: what bash would offer for the last word.
complete_words() {
    local function
    function=$(complete -p "$1" | sed -n 's/.*-F \([^ ]*\) .*/\1/p')
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE=$* COMP_POINT=${#COMP_LINE} COMPREPLY=()
    "$function" "$1" "${*: -1}" "${*: -2:1}" || true
    printf '%s\n' "${COMPREPLY[@]}"
}

@test "every command: no line of its help is wider than a terminal of 80 columns" {
    local command
    for command in $(commands); do
        "$command" --help | awk -v command="$command" 'length > 80 { print command ": " $0 }'
    done >wide
    same 'too wide' /dev/null wide
}

@test "every command: --help has headings, and at most a dozen options under one" {
    local command
    for command in $(commands); do
        "$command" --help | help_outline | awk -v command="$command" '
            /:$/ { count = 0; next } ++count > 12 { print command ": " $0 }'
    done >many
    same 'more than a dozen' /dev/null many
}

@test "every command: -h is one screen: purpose, examples, and the dozen options that matter" {
    local command headings
    for command in $(commands); do
        printf '%s\n' "$command"
        "$command" -h >short 2>error
        same 'errors' /dev/null error
        (($(wc -l <short) <= 24))
        same 'purpose' <("$command" --help | sed -n 1,2p) <(sed -n 1,2p short)
        same 'examples' <(help_part "$command" Examples) <(awk '/^$/ { on = 0 } on; /^Examples:$/ { on = 1 }' short)
        awk '/^$/ { part++ } part >= 2' short | help_outline >outline
        grep -v ':$' outline >options || [[ $command == ctx ]]
        (($(wc -l <options) <= 12))
        same 'options that are not in --help' /dev/null <(sort options | comm -23 - <(help_options "$command"))
        same 'headings of --help, in its order' <(grep ':$' outline) \
            <("$command" --help | help_outline | grep ':$' | grep -x -F -f <(grep ':$' outline))
        headings=$(grep -c ':$' outline) || [[ $command == ctx ]]
        [[ $command == ctx ]] || ((headings >= 2 && headings <= 3))
    done
}

@test "every command: --help and --version end with 0 and say nothing else, -V is --version" {
    local command
    for command in $(commands); do
        printf '%s\n' "$command"
        "$command" --help >long 2>error
        "$command" --version >long 2>>error
        "$command" -V >short 2>>error
        same 'version' long short
        grep -qx "$command (ctx) [0-9]*\.[0-9]*\.[0-9]*" long
        same 'errors' /dev/null error
    done
}

# The statuses that a command can end with are derived from its objects: a linker takes from the library what the command's objects name, and what those name, and so
# on; a STATUS_ constant in the source of one of these is a status of the command.  Constants in headers
# are declarations; status.c has the table of which is worse, and no more; 141 is how a shell reports the
# signal that ends a command whose reader left.

# linked COMMAND: the sources of the objects that the command is made of, and what they include but
# headers.  An object of a source that is gone stays in a build, and is nobody's.  The frame replaces
# files for every command that has the option, and reads files of tools for those that have --tool.
linked() {
    local replaces='' tools=''
    "$1" --help | grep -q -- ' --tool=' || tools=common/data/tool/own_tools.o
    ! "$1" --help | grep -q -- ' --in-place' || replaces=common/face/output/in_place.o
    [[ -e $BATS_TEST_TMPDIR/symbols ]] || find common cmd -name '*.c' -printf '%p\n' | sed 's/c$/o/' |
        (cd "$objects" && xargs nm -A -g 2>/dev/null) >"$BATS_TEST_TMPDIR/symbols" || :
    awk -v own="cmd/$1" -v replaces="$replaces" -v without="$tools" '
            { split($0, part, ":"); file = part[1] }
            file !~ /^common\// && file != own ".o" && index(file, own "/") != 1 { next }
            $(NF - 1) == "U" || $(NF - 1) == "w" { needs[file] = needs[file] " " $NF; next }
            { home[$NF] = file }
            function take(file,    name, n, i) {
                if (file == "" || file == without || file in taken) return
                taken[file] = 1
                n = split(needs[file], name, " ")
                for (i = 1; i <= n; i++) take(home[name[i]])
            }
            END {
                for (file in needs) if (index(file, own "/") == 1 || file == own ".o") take(file)
                take(replaces)
                for (file in taken) { sub(/o$/, "c", file); print file }
            }' "$BATS_TEST_TMPDIR/symbols" | sort >"$BATS_TEST_TMPDIR/linked"
    cat "$BATS_TEST_TMPDIR/linked"
    xargs grep -oh '#include "[^"]*\.inc"' <"$BATS_TEST_TMPDIR/linked" | sed 's|.*"\(.*\)"|common/\1|'
}

@test "every command: the statuses of its page are those that its code can end with" {
    local objects=${CTX_BIN%/bin} page command
    [[ -d $objects/cmd ]] || skip 'no objects here'
    cd "$ROOT"
    for page in "${pages[@]}"; do
        command=$(basename "$page" .1)
        linked "$command" | grep -v 'base/status\.c$' >"$BATS_TEST_TMPDIR/sources"
        grep -q '^common/face/' "$BATS_TEST_TMPDIR/sources" || fail "$command is linked with nothing"
        xargs grep -ohw 'STATUS_[A-Z_]*' <"$BATS_TEST_TMPDIR/sources" | sort -u |
            sed -n 's/.*/s|^\t&  *= \\([0-9]*\\).*|\\1|p/p' | sed -n -f - common/base/status.h |
            grep -vx 141 | sort -n >"$BATS_TEST_TMPDIR/statuses"
        same "$command" "$BATS_TEST_TMPDIR/statuses" <(section "$page" 'EXIT STATUS' | sed -n 's/^\.It \([0-9]*\)$/\1/p' | sort -n)
    done
}

# help_part COMMAND NAME: the lines of a part of its help.
help_part() {
    "$1" --help | awk -v name="$2:" '/^$/ { on = 0 } on { print } $0 == name { on = 1 }'
}

@test "every command: its help ends with two examples and the statuses of its page" {
    local command
    for command in $(commands); do
        printf '%s\n' "$command"
        "$command" --help | tail -n "$(($(help_part "$command" 'Exit status' | wc -l) + 5))" | head -n 4 >got
        same 'at the end' <(echo Examples:; help_part "$command" Examples; echo) got
        [[ $(help_part "$command" Examples | grep -c "^  $command ") == 2 ]]
        same 'statuses' <(section "$ROOT/man/$command.1" 'EXIT STATUS' | sed -n 's/^\.It \([0-9]*\)$/\1/p') \
            <(help_part "$command" 'Exit status' | awk '{ print $1 }')
        ! help_part "$command" 'Exit status' | grep -v '^  [0-9]*  *[a-z-]' || fail 'a line that tells no status'
    done
}

# what_examples_read: the files that examples of help, and uses of pages, name; a copy is in the folder kept.
what_examples_read() {
    cp "$FIXTURES"/claude-code-session.jsonl session.jsonl
    ctx-normalize session.jsonl >log.jsonl
    cp "$FIXTURES"/route-one-call.jsonl step.jsonl
    ctx-compact --archive log.archive --limit 8k log.jsonl >small.jsonl
    ctx-compact --archive log.archive --window 1k "$FIXTURES/compact-gauge.jsonl" >gauge.jsonl
    a_man
    head -n 9 log.jsonl >old.jsonl
    cp log.jsonl new.jsonl
    mkdir kept
    cp ./*.jsonl log.archive kept
}

# said: the diagnostics in the file error, but for one: the session has a sub-agent, whose messages no budget counts.
said() {
    sed '/^ctx-[a-z]*: 6 messages of other agents not counted$/d' error
}

@test "every command: the examples of its help run, and print something or write a file" {
    local command example
    what_examples_read
    for command in $(commands); do
        while IFS= read -r example; do
            printf '%s\n' "$example"
            cp kept/* .
            bash -o pipefail -c "$example" >got 2>error </dev/null
            same 'errors' /dev/null <(said)
            [[ -s got || -s ${example##*[> ]} ]]
            [[ $example == *'>>log.jsonl' ]] || cmp log.jsonl kept/log.jsonl
            [[ $example != *--in-place* ]] || ! cmp -s "${example##* }" "kept/${example##* }" || fail 'nothing was replaced'
        done < <(help_part "$command" Examples)
    done
}

# uses PAGE: the lines to paste with which its DESCRIPTION begins, if it does: the literal displays before the
# first heading of which the first line is the command.
uses() {
    section "$1" DESCRIPTION | awk -v command="$(basename "$1" .1)" '
        /^\.Ss / { exit }
        /^\.Bd -literal/ { getline; on = index($0, command " ") == 1 }
        /^\.Ed/ { on = 0 }
        on' | plain
}

@test "every command: the lines to paste with which its page begins run, and print something or write a file" {
    local page use file status count=0
    what_examples_read
    printf 'The harbour is tidal.\n' | tee notes.txt prompt.txt >kept/notes.txt
    for page in "${pages[@]}"; do
        while IFS= read -r use; do
            printf '%s\n' "$use"
            cp kept/* .
            use=${use%%  *#*} file=${use##*>} status=0
            bash -o pipefail -c "$use" >got 2>error </dev/null || status=$?
            [[ $status == 0 || $status == 1 && $use == *--check* ]] || fail "status $status"
            same 'errors' /dev/null <(said | sed -E '/: (compaction is due: |6 messages of other agents not counted$)/d')
            [[ -s got || $use == *'>'* && -s ${file%% *} || $use == *' -i '* ]]
            [[ $use != *' -i '* ]] || ! cmp -s "${use##* }" "kept/${use##* }" || fail 'nothing was replaced'
            count=$((count + 1))
        done < <(uses "$page")
    done
    ((count >= 40))
}

# a_man: a man that has the pages of this tree.
a_man() {
    mkdir bin
    cat >bin/man <<'END'
#!/bin/bash
page=("$ROOT/man/${*: -1}".[157])
[[ $# == 1 || -s ${page[0]%.*}.$1 ]] && cat "${page[0]}"
END
    chmod +x bin/man
    PATH=$PWD/bin:$PATH
}

# examples PAGE: its examples in the notation of spec, one after another, each ended by a NUL.
examples() {
    section "$1" EXAMPLES | awk '
        function emit() { if (command != "") printf "%s%s%c", command, output, 0; command = output = "" }
        # Whether the command goes on in the next line: at its end, in a loop, or in quotes.
        function more(line) {
            quotes += gsub(/\047/, "&", line)
            if (quotes % 2) return 1
            depth += line ~ /(^|[ ;])do$/
            depth -= depth > 0 && line ~ /^ *done/
            return depth > 0 || line ~ /(\|\|?|\\e?)$/
        }
        /^\.Bd -literal/ { on = 1; next }
        /^\.Ed/ { on = 0; emit(); next }
        /^\.Dl \$ / { emit(); sub(/^\.Dl \$ /, ""); command = $0 "\n"; emit(); next }
        !on { next }
        continued { command = command $0 "\n"; continued = more($0); next }
        /^\$ / { emit(); command = substr($0, 3) "\n"; continued = more($0); next }
        { output = output ">>> " $0 "\n" }
        END { emit() }' | plain
}

# an_api: a curl that answers a request, and a model and its tools, as the examples of ctx(7) want them.
an_api() {
    mkdir bin
    cat >bin/curl <<'END'
#!/bin/bash
for word; do [[ $word != @* ]] || body=${word#@}; done
jq -e '.model and (.messages | length > 0)' "$body" >/dev/null &&
    echo '{"choices":[{"message":{"role":"assistant","content":"It is 4.2 m deep."}}]}'
END
    cat >ask <<'END'
#!/bin/bash
jq -c 'if any(.messages[]; .role == "tool") then {role: "assistant", content: "It is 4.2 m deep."}
    else {role: "assistant", content: null, tool_calls: [{id: "c1", type: "function",
        function: {name: "sound", arguments: "{}"}}]} end'
END
    cat >tools <<'END'
#!/bin/bash
jq -c -e '.tool_calls[] | {role: "tool", tool_call_id: .id, content: "4.2 m"}' 2>/dev/null
END
    chmod +x bin/curl ask tools
    PATH=$PWD/bin:$PATH
}

@test "every page: its examples print what the page says" {
    local page count=0
    cp "$FIXTURES"/*.jsonl .
    cp claude-code-session.jsonl session.jsonl
    an_api
    for page in "$ROOT"/man/*.[157]; do
        printf '%s\n' "$page"
        examples "$page" >"$BATS_TEST_TMPDIR/examples"
        while IFS= read -r -d '' example; do
            run_example "$example"
            count=$((count + 1))
        done <"$BATS_TEST_TMPDIR/examples"
        [[ $page != *.1 || -s $BATS_TEST_TMPDIR/examples ]] || fail "$page has no example"
    done
    ((count >= $(commands | wc -l)))
}

@test "ctx-tutorial(7): its steps need no file but their own" {
    examples "$ROOT/man/ctx-tutorial.7" >"$BATS_TEST_TMPDIR/examples"
    while IFS= read -r -d '' example; do run_example "$example"; done <"$BATS_TEST_TMPDIR/examples"
    [[ -s log.jsonl && -s log.archive && -s small.jsonl && -s request.json ]]
}

# What an example prints comes from both streams, as in a terminal; files it leaves may stay.
run_example() {
    local line command='' expected=$BATS_TEST_TMPDIR/expected
    : >"$expected"
    while IFS= read -r line; do
        case $line in
        '>>> '*) printf '%s\n' "${line#>>> }" >>"$expected" ;;
        *) command+=$line$'\n' ;;
        esac
    done <<<"${1%$'\n'}"
    printf '%s' "$command"
    bash -c "$command" >"$BATS_TEST_TMPDIR/printed" 2>&1 3>&- </dev/null
    same 'example' "$expected" "$BATS_TEST_TMPDIR/printed"
}

# A page of 80 columns leaves 75 to a display, or 69 to one that is indented.
@test "no example is broken by a page of 80 columns" {
    local page
    for page in "$ROOT"/man/*.[157]; do
        awk -v page="${page##*/}" '
            /^\.Bd -literal/ { on = 1; width = /-offset indent/ ? 69 : 75; next }
            /^\.Ed/ { on = 0 }
            { line = $0; gsub(/\\e/, "\\", line); gsub(/\\&/, "", line) }
            on && length(line) > width { print page ": " line }' "$page"
    done >wide
    same 'too wide' /dev/null wide
    sed -n 's/^    /&/p' "$ROOT/README.md" | awk 'length > 80' >wide
    same 'too wide in the README' /dev/null wide
}

@test "the README: its jobs are the examples of ctx(7)" {
    local line
    plain <"$ROOT/man/ctx.7" | sed 's/^\$ //; s/^ *//' >page
    sed -n '/^## Five jobs/,/^## What a compacted/s/^     *//p' "$ROOT/README.md" >lines
    (($(wc -l <lines) >= 18))
    while IFS= read -r line; do
        grep -q -F -e "$line" page || fail "not in ctx(7): $line"
    done <lines
}

@test "the README: its figures of what is left are those of ctx-digest(7)" {
    local share
    for share in 50 25 12; do
        same "$share %" <(sed -n "s/^| $share % |//p" "$ROOT/README.md" | tr -d '|' | tr -s ' ') \
            <(sed -n "s/^  $share %  */ /p" "$ROOT/man/ctx-digest.7" | head -n 1 | tr -s ' ' | sed 's/$/ /')
    done
}

@test "ctx-compact(1): the six uses that it begins with run, and each does what it says" {
    cp "$FIXTURES/claude-code-session.jsonl" session.jsonl
    ctx-normalize session.jsonl >log.jsonl
    mkdir sessions
    cp log.jsonl sessions
    printf '#!/bin/sh\ncat >/dev/null; echo "A harbour was measured."\n' >summarize
    chmod +x summarize
    section "$ROOT/man/ctx-compact.1" DESCRIPTION | awk '/^\.Bd / { on = 1; next } /^\.Ed/ { exit } on' | plain |
        awk '/^#/ { number++ } { print > ("use." number + 0) }'
    [[ $(cat use.0) == 'set -o pipefail' && -s use.6 && ! -e use.7 ]]
    for use in use.[1-6]; do
        bash -e -o pipefail "$use" >"$use.out" 2>said
        same 'said' <(echo '6 messages of other agents not counted') <(sed 's/.*: //' said)
        [[ ! -e small.jsonl ]] || mv small.jsonl "$use.out"
    done
    ctx-budget --window 32k --check --brief use.1.out
    jq -e '.action and .tokens_before' use.2.out >/dev/null
    ctx-budget --limit 64k --check --brief resumed.jsonl
    ctx-restore archive sessions/log.jsonl | cmp - log.jsonl
    ! cmp -s sessions/log.jsonl log.jsonl || fail 'the same'
    grep -q 'A harbour was measured' use.5.out
    status_of 1 ctx-budget --max-tool-results 20 --check --brief log.jsonl
    ctx-budget --max-tool-results 20 --check --brief use.6.out
}

@test "the README: a gate over an agent's own files is a line that runs as it stands" {
    local line
    line=$(grep -x '    ctx-budget .*~/\.codex/.*' "$ROOT/README.md")
    mkdir -p .codex/sessions/2026/11/26
    cp "$FIXTURES/codex-session.jsonl" .codex/sessions/2026/11/26/rollout-1.jsonl
    cp "$FIXTURES/codex-session.jsonl" .codex/sessions/2026/11/26/rollout-2.jsonl
    HOME=$PWD bash -c "$line" >out
    [[ $(grep -c 'rollout-[12].jsonl' out) == 2 ]]
    status_of 1 env HOME="$PWD" bash -c "$line --limit 10" >out 2>err
    [[ $(grep -c 'compaction is due' err) == 2 ]]
}

@test "ctx-formats(7): each agent's format that is read has a section, with its versions and what is lost" {
    local format section count=0
    # Chat formats and a library's store have no versions.
    for format in $(ctx-normalize --help | sed -n '/--from/,/--to/p' | grep -o '[a-z][a-z-]*' | sort -u); do
        grep -q "^\.It Cm $format$" "$ROOT/man/ctx-normalize.1" || continue
        [[ $format != ctx ]] || continue
        section=$(sed -n "/^\.Ss $format$/,/^\.S[sh] /p" "$ROOT/man/ctx-formats.7")
        [[ $section == *'.It Read'* ]] || fail "$format"
        case $format in openai | anthropic | sharegpt | instructor) continue ;; esac
        [[ $section == *'.It Versions'* && $section == *'.It Read'* && $section == *'.It Lost'* ]] || fail "$format"
        count=$((count + 1))
    done
    ((count >= 6)) || fail "only $count"
}

@test "the README: names each command, and how to test" {
    local command
    for command in $(commands); do
        grep -q "$command" "$ROOT/README.md"
    done
    grep -q 'make check' "$ROOT/README.md"
}

# literals PAGE: its literal displays, each ended by a NUL.
literals() {
    awk '/^\.Bd -literal/ { on = 1; next }
        /^\.Ed/ { if (on) printf "%c", 0; on = 0 }
        on { print }' "$1"
}

@test "every page and README.md: where a pipeline is shown, set -o pipefail stands with it" {
    local file display count=0
    for file in "$ROOT"/man/*.[157]; do
        ! section "$file" EXAMPLES | grep -q '^\.Dl \$ set -o pipefail$' || count=$((count + 1))
        while IFS= read -r -d '' display; do
            [[ $display =~ (^|$'\n')'$ ' ]] && continue
            [[ ! $display =~ ctx-[a-z]+\ [^$'\n']*[^\|]\|([[:space:]]|$) || $display == *'set -o pipefail'* ]] ||
                fail "$file: a pipeline without pipefail: $display"
        done < <(literals "$file")
        ! section "$file" EXAMPLES | grep -q '^\$ .* |\( \|$\)' || section "$file" EXAMPLES | grep -qx '\.Dl \$ set -o pipefail' ||
            fail "$file: EXAMPLES without pipefail"
    done
    ((count >= $(commands | wc -l)))
    grep -q 'set -o pipefail' "$ROOT/README.md"
}

@test "every code of --check stands in ctx-lint(7), and a test has it" {
    local code
    sed -n 's/.*STR_INIT("\([a-z-]*\)").*/\1/p' "$ROOT/common/policy/normalize/violation.c" >codes
    [[ $(wc -l <codes) -gt 20 ]]
    while read -r code; do
        grep -qxF -- ".It $code" "$ROOT/man/ctx-lint.7" || fail "$code is not in the page"
        grep -qw -- "$code" "$ROOT/tests/ctx-normalize.bats" "$ROOT/tests/doctor.bats" || fail "$code is in no test"
    done <codes
    rm codes
}

@test "ctx-select(7) names all options that take a selector, with their commands" {
    local page option count=0
    for page in "$ROOT"/man/*.1; do
        while read -r option; do
            grep -q "^\.Fl -$option\( ,\)\?$" "$ROOT/man/ctx-select.7" || fail "$page: --$option"
            grep -q "^\.Xr $(basename "$page" .1) 1" "$ROOT/man/ctx-select.7" || fail "$page"
            count=$((count + 1))
        done < <(sed -nE '/^\.It Fl ([a-z] |[^ ]*, )?.*Ar SELECTOR/s/.*Fl -([a-z-]+) Ar SELECTOR.*/\1/p' "$page")
    done
    ((count >= 9)) || fail "only $count options"
}
