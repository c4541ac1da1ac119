# shellcheck shell=bash
#
# The notation of the tests (after xe's).  A spec is a command, what it reads, and all that may come
# of it; what is left out must be empty, and a status left out must be 0:
#
#     spec <<'END'
#     ctx-project --view conversation
#     <<< {"role":"user","content":"hi"}
#     >>> {"role":"user","content":"hi"}
#     >>>2 ctx-project: a diagnostic
#     >>>= 65
#     END
#
#     COMMAND     the lines before the first mark: a shell command, run by bash with pipefail (or without
#                 a shell, when it is a plain line that begins with ctx-)
#     <<< TEXT    a line of standard input      (no <<< at all: standard input is empty)
#     >>> TEXT    a line of standard output
#     >>>2 TEXT   a line of standard error
#     >>>= N      the exit status
#     >>>+ FILE   a file that the command leaves; any other new or missing file fails the spec
#
# One blank parts mark and TEXT; a mark alone is an empty line.  A flag, right after <<<, >>> or >>>2,
# changes how TEXT is read:
#
#     $    escapes, as printf %b has them:  \r \t \n \\ \0 (NUL) \x1b \xff
#     -    no line feed at the end:  "<<<- {}" is input whose last line is not terminated
#     $-   both
#     @    TEXT names a file whose bytes stand here
#
# All three streams and the status are compared byte for byte, and a failure prints the diff.
# Commands come from $CTX_BIN (build/bin when it is not set).  Each test runs in a fresh directory of
# its own, with a TMPDIR of its own that must be empty again when the test ends.
#
# A test file with a setup or teardown of its own calls fresh_directory and no_leftovers there.

ROOT=${BATS_TEST_DIRNAME%/tests*}
FIXTURES=$ROOT/tests/fixtures
CTX_BIN=${CTX_BIN:-$ROOT/build/bin}
# The real transcripts that stand beside a developer's tree, when they do.
CTX_SHARED=${CTX_SHARED:-${ROOT%/*}/shared/transcripts}
# The programs of tests/tools/: spec reads the notation, jq is the part of jq that the tests use, and
# asks the jq of the system for the rest.
TEST_BIN=${CTX_BIN%/bin}/tests/tools/bin
[[ -x $TEST_BIN/spec && -x $TEST_BIN/jq ]] || {
    printf 'the tests are run with %s/spec and jq: run make\n' "$TEST_BIN" >&2
    return 1
}
export ROOT FIXTURES CTX_BIN CTX_SHARED LC_ALL=C PATH=$CTX_BIN:$TEST_BIN:$PATH
unset CDPATH GREP_OPTIONS POSIXLY_CORRECT
shopt -s nullglob globstar dotglob

setup() {
    fresh_directory
}

teardown() {
    no_leftovers
}

fresh_directory() {
    export TMPDIR=$BATS_TEST_TMPDIR/tmp
    [[ -d $TMPDIR ]] || mkdir "$BATS_TEST_TMPDIR/work" "$TMPDIR"
    cd "$BATS_TEST_TMPDIR/work" || return
}

no_leftovers() {
    local -a left=("$BATS_TEST_TMPDIR"/tmp/*)
    [[ -z ${BATS_TEST_COMPLETED-} || ${#left[@]} == 0 ]] || fail "left in TMPDIR: ${left[*]}"
}

# fail MESSAGE: prints it where bats shows it, and fails.
fail() {
    printf '%s\n' "$*"
    return 1
}

# same WHAT EXPECTED ACTUAL: the files are equal, or the difference is printed, control bytes visible;
# - is standard input.
same() {
    # No process is needed to see that nothing is nothing.
    [[ -f $2 && -f $3 && ! -s $2 && ! -s $3 ]] || "$TEST_BIN/spec" same "$@" 3>&-
}

# unsourced: called at the head of a file whose tests are about something else than which lines of an
# agent's file messages were made of: what ctx-normalize writes to standard output then has no source
# records and no metadata.source, and spec and same do not compare them.  tests/sources.bats holds them.
unsourced() {
    export SPEC_UNSOURCED=1
    ctx-normalize() (
        set -o pipefail
        command ctx-normalize "$@" | "$TEST_BIN/spec" unsource
    )
    export TEST_BIN
    export -f ctx-normalize
}

# needs COMMAND: skips the test where it is not there.
needs() {
    command -v "$1" >/dev/null || skip "no $1"
}

needs_strace() {
    needs strace
    strace -o /dev/null true 2>/dev/null || skip 'strace may not trace'
    export ASAN_OPTIONS=detect_leaks=0 # that traces, too
}

# spec: see the first comment.  The notation is on standard input.
spec() {
    "$TEST_BIN/spec" 3>&-
}

# status_of EXPECTED COMMAND...: runs it; fails unless it ends with that status.
status_of() {
    local want=$1 got=0
    shift
    "$@" 3>&- || got=$?
    [[ $got == "$want" ]] || fail "status: expected $want, got $got: $*"
}

# may STATUS...: the command before ended with one of them.
may() {
    local status=$?
    [[ " $* " == *" $status "* ]] || fail "status $status, expected $*"
}

# in_terminal COMMAND: a shell command in a pseudo-terminal of its own, and what it shows there; where
# there is none to be had, the test is skipped.
in_terminal() {
    script -qec true /dev/null </dev/null >/dev/null 2>&1 || skip 'no pseudo-terminal'
    script -qec "$1" /dev/null </dev/null
}

# commands [KIND]...: the names of the commands of these kinds (filter, looks, front), or of all.
commands() {
    ctx --list | awk -F '\t' -v kinds=" ${*:-filter looks front} " 'index(kinds, " " $2 " ") { print $1 }' | sort
}

# records FILE: how many lines of it are not blank.
records() {
    grep -c -v '^[[:space:]]*$' -- "$1" || [[ $? == 1 ]]
}

# is_subsequence PART WHOLE: the lines of PART stand in WHOLE, in that order, byte for byte.
is_subsequence() {
    awk -v part="$1" '
        BEGIN { more = (getline wanted <part) > 0 }
        more && $0 "" == wanted "" { more = (getline wanted <part) > 0 }
        END { if (more) { print "not in order, or not there: " substr(wanted, 1, 300); exit 1 } }
    ' "$2" || fail "$1 is no subsequence of $2"
}

# named_lines FILE...: the lines of the files, every one ended, those of a file after a line of \001
# and its name (jq -R would join the last line of one file and the first of the next).
named_lines() {
    awk 'FNR == 1 { print "\001" FILENAME } { print }' "$@"
}

# pair_facts FILE...: what is wrong with the pairs of the ctx streams, told by jq and so by nothing
# that ctx is made of: a line "FILE<TAB>orphan ID" for each result without an earlier call that is
# still unanswered, "FILE<TAB>unanswered ID NAME" for each call that gets no result; sorted.
# An ordered walk: a result answers the nearest earlier call with its id that has none yet; ids are
# strings, what has none is paired with nothing.
pair_facts() {
    # shellcheck disable=SC2016
    named_lines "$@" | jq -n -r -R '
        def facts: .file as $file |
            (.orphans[] | "\($file)\torphan \(.)"),
            (.open | to_entries[] | .key as $id | .value[] | "\($file)\tunanswered \($id) \(.)");
        foreach (inputs, "\u0001") as $line (
            {file: null, open: {}, orphans: []};
            if $line[0:1] == "\u0001" then {file: $line[1:], open: {}, orphans: [], ended: .}
            else
                .ended = null |
                ($line | (try fromjson catch null) | if type == "object" then . else {} end) as $m |
                if $m.role == "assistant" then
                    reduce ($m.tool_calls // [] | arrays | .[] | objects) as $call (.;
                        if $call.id | type == "string" then .open[$call.id] |= [$call.function.name] + .
                        else . end)
                elif $m.role == "tool" then
                    $m.tool_call_id as $id |
                    if ($id | type == "string") and (.open[$id] | length > 0) then .open[$id] |= .[1:]
                    else .orphans += [$id | tostring] end
                else . end
            end;
            .ended // empty | select(.file != null) | facts
        )' | sort
}

# rows: of what ctx-budget --json prints, the breakdown, or else the cuts, tab-separated.
rows() {
    jq -r 'if .breakdown then [.by, "messages", "tokens"], (.breakdown[] | [.label, .messages, .tokens])
        else .cuts[] | [.line, .turn, .execution, .before, .after] end | @tsv'
}
export -f rows

# display PAGE PATTERN: the literal displays of the page that have a line which matches it, as a reader
# sees them.
display() {
    awk -v pattern="$2" '
        /^\.Bd -literal/ { on = 1; text = ""; next }
        /^\.Ed/ { on = 0; if (text ~ pattern) printf "%s", text }
        on { text = text $0 "\n" }' "$1" | sed -e 's/^\\&//' -e 's/\\e/\\/g'
}
