#!/bin/bash
#
# run.bash [PATTERN]: every system call and every allocation of each command of the list cases fails once with
# each error that the table calls.tsv has for it; run.c judges what comes of it. First it proves that
# the commands call nothing that could fail and is not wrapped. PATTERN (an extended regular
# expression) picks cases. Prints TAP.

set -uo pipefail
cd "${BASH_SOURCE%/*}/../.." || exit
: "${BUILD:=build}"
BUILD=$(realpath -m "$BUILD")
here=$PWD/tests/fault
work=$(mktemp -d "${TMPDIR:-/tmp}/ctx-fault.XXXXXX")
trap 'rm -rf "$work"' EXIT

# unwrapped: the functions of the C library that the commands use, less those that are wrapped and
# those that the list unfailing has.
unwrapped() {
    find cmd -mindepth 2 -name '*.c' -printf '%p\n' | sed "s|^|$BUILD/|; s|c$|o|" |
        xargs nm -A "$BUILD"/cmd/commands.o "$BUILD"/cmd/main/*.o >"$work/names"
    nm -A "$BUILD/libctx.a" >>"$work/names"
    comm -23 <(awk '$(NF - 1) == "U" { print $NF }' "$work/names" | sort -u) \
        <({ awk 'NF > 2 && $(NF - 1) ~ /^[A-TV-Z]$/ { print $NF }' "$work/names"
            sed -nE 's/^WRAP(PED)?.[^,]*, ([a-z0-9_]+),.*/\2/p' "$here/wrap.c"
            grep -v '^#' "$here/unfailing" | tr ' ' '\n'; } | sort -u) | grep -v '^_GLOBAL' | grep '^[^_]\|^_[^_]\|_chk$\|_2$'
}

# The inputs, small: a session with tools and failures, the same with lines that are not valid, and
# one of several blocks.
make_inputs() {
    cat tests/fixtures/ctx-headless.jsonl | head -n 30 >"$1/log"
    cat tests/fixtures/ctx-unrepaired.jsonl >"$1/unrepaired"
    cat tests/fixtures/claude-code-sidechain.jsonl >"$1/claude"
    { cat tests/fixtures/ctx-talk.jsonl; printf '{torn\n{"role":"user","content":"x"} y\n'; } >"$1/mixed"
    awk 'BEGIN { while (n++ < 14000) {
        printf "{\"role\":\"user\",\"content\":\"question %d\",\"x\":\"%0100d\"}\n", n, n
        printf "{\"role\":\"assistant\",\"content\":\"answer %d\"}\n", n } }' >"$1/large"
    printf 'Be brief.' >"$1/prompt"
    printf 'peek=read:file\n' >"$1/tools"
    printf 'm\tacme\t20000\t1000\t1\t0.1\t2\n' >"$1/models"
    printf '%s\n' 'base ./site' 'b: sed s/content/CONTENT/' >"$1/profile"
    printf '%s\n' 'a: ctx-route' 'b: ctx-isolate --policy mask --keep-results 0' 'c: ctx-project --view all' >"$1/shared"
    printf '%s\n' 'a: cat' '[model m]' 'a off' >"$1/site"
    # shellcheck disable=SC2016
    printf '#!/bin/sh\nexec awk '\''{ print length($0) }'\''\n' >"$1/count"
    printf '#!/bin/sh\nexec grep -v "^$"\n' >"$1/filter"
    printf '#!/bin/sh\ncat >/dev/null\necho The lamps are mended.\n' >"$1/summary"
    mkdir -p "$1/of/S/subagents"
    cat tests/fixtures/claude-code-sidechain.jsonl >"$1/of/S.jsonl"
    grep -m 2 -v isMeta tests/fixtures/claude-code-sidechain.jsonl >"$1/of/S/subagents/agent-a.jsonl"
    ! command -v zstd >/dev/null || zstd -q -o "$1/packed.zst" "$1/log"
    chmod +x "$1/count" "$1/filter" "$1/summary"
    (cd "$1" && "$BUILD/bin/ctx-compact" --archive archive --force --target 1 --keep-tokens 10 --estimator bytes/4 log >small)
}

# one LINE: a case, in a directory of its own.
one() {
    local dir kind status input
    local -a words
    IFS=$'\t' read -r kind status input words <<<"$1"
    # shellcheck disable=SC2206
    words=($words)
    dir=$(mktemp -d "$work/case.XXXXXX")
    cp -r "$work"/in/* "$dir"
    cd "$dir" || exit
    "$BUILD/tests/fault/run" "$here/calls.tsv" "$kind" "$status" "$input" "${words[@]}" >result 2>&1 ||
        grep -q '^not ok' result || printf 'not ok - %s: it could not be tried\n' "$1" >>result
    diff -rq "$work/in" . | grep -v '^Only in \.: \(result\|calls\|failed\|report\(\.bats\)\?\|bad\|place\|place\.old\)$' |
        sed 's/^/not ok - an input has changed: /' >>result
    sed "s|^\(.*ok - \)${words[0]}|\1${words[*]}|" result
}

mkdir "$work/in"
make_inputs "$work/in"
export -f one
export BUILD here work CTX_VOCAB_PATH=$BUILD/share/ctx PATH=$BUILD/tests/fault/bin:$PATH
unwrapped | sed 's/^/not ok - wrap.c has not, and unfailing does not list: /' | tee "$work/unwrapped"
# shellcheck disable=SC2016
{ command -v zstd >/dev/null && cat "$here/cases" || grep -v packed.zst "$here/cases"; } |
    grep -v '^#' | grep -E -- "${1:-.}" | tr '\n' '\0' | xargs -0 -n 1 -P "$(nproc)" bash -c 'one "$0"' | tee "$work/results"
! grep -q '^not ok' "$work/unwrapped" "$work/results"
