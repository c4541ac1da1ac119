#!/usr/bin/env bats
#
# make demo, make install and make uninstall.

load helper

# target ARGUMENT...: make as a person calls it, with what was built for the tests.
target() {
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -s -C "$ROOT" BUILD="${CTX_BIN%/bin}" "$@"
}

@test "make install: commands, pages, completions and vocabularies stand where they are looked for" {
    target install DESTDIR="$PWD/root" PREFIX=/usr
    local command page
    for command in $(commands); do
        [[ -x root/usr/bin/$command ]]
        [[ -s root/usr/share/man/man1/$command.1 ]]
        cmp "root/usr/share/bash-completion/completions/$command" "$ROOT/completions/ctx.bash"
    done
    for page in "$ROOT"/man/*; do
        cmp "$page" "root/usr/share/man/man${page##*.}/${page##*/}"
    done
    # What is installed counts tokens with what is installed.
    same 'the budget' <(ctx-budget --json "$FIXTURES/ctx-talk.jsonl") \
        <(env -i root/usr/bin/ctx-budget --json "$FIXTURES/ctx-talk.jsonl")
}

@test "make uninstall: no file is left" {
    target install DESTDIR="$PWD/root" PREFIX=/opt/ctx
    [[ $(find root ! -type d | wc -l) -ge 20 ]]
    target uninstall DESTDIR="$PWD/root" PREFIX=/opt/ctx
    same 'files' <(printf '') <(find root ! -type d)
    [[ ! -e root/opt/ctx/share/ctx ]]
}

@test "make demo: prints the pipeline, and a table in which tokens become fewer" {
    CTX_BIN=$CTX_BIN bash "$ROOT/tests/demo.sh" >out 2>err
    same 'errors' /dev/null err
    head -n 5 out | sed -e 's/^\$ //' -e "s|tests/fixtures|$FIXTURES|" >pipeline
    # What it prints is what it does.
    bash pipeline
    [[ -s messages.jsonl ]]
    [[ $(wc -c <messages.jsonl) == "$(awk '/^ctx-normalize --to anthropic/ { print $4 }' out)" ]]
    awk '$1 == "ctx-compact" { after = $(NF - 1) } $1 == "ctx-project" { before = $(NF - 1) }
        END { exit !(after > 0 && after < before / 4) }' out
    [[ $(grep -c '^compact  *yes' out) == 1 && $(grep -c '^compact  *no' out) == 1 ]]
}

@test "the README: its table is what make demo prints, its messages what ctx-isolate makes" {
    CTX_BIN=$CTX_BIN bash "$ROOT/tests/demo.sh" >out
    sed -n 's/^    \(after  .*\|ctx-.*%\)$/\1/p' "$ROOT/README.md" >table
    [[ $(wc -l <table) == 5 ]]
    same 'the table' <(sed -n '/^after  /,/%$/p; /^ctx-.*%$/p' out | sort -u) <(sort -u table)
    same 'the messages' <(cat "$FIXTURES/route-one-call.jsonl" && ctx-isolate "$FIXTURES/route-one-call.jsonl") \
        <(sed -n 's/^    {/{/p' "$ROOT/README.md")
}
