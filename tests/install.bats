#!/usr/bin/env bats
#
# make demo, make install and make uninstall.

load helper

# target ARGUMENT...: make as a person calls it, with what was built for the tests.
target() {
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -s -C "$ROOT" BUILD="${CTX_BIN%/bin}" "$@"
}

# The commands are linked anew for another prefix: tests of one prefix stand together.

@test "make install: a command knows the prefix; one that is not installed knows no path" {
    target install DESTDIR="$PWD/root" PREFIX=/srv/elsewhere
    grep -q /srv/elsewhere/share/ctx root/srv/elsewhere/bin/ctx-budget
    ! grep -q "$ROOT\|/srv/elsewhere\|/usr/local" "$CTX_BIN/ctx-budget" || fail 'what is not installed knows a path'
    # Alone, either says where it looked last.
    mkdir -p alone
    cp root/srv/elsewhere/bin/ctx-budget alone/installed
    cp "$CTX_BIN/ctx-budget" alone/built
    status_of 66 env -u CTX_VOCAB_PATH alone/installed "$FIXTURES/ctx-talk.jsonl" 2>said
    [[ $(<said) == *'vocabulary /srv/elsewhere/share/ctx/o200k_base.vocab: No such file'* ]]
    status_of 66 env -u CTX_VOCAB_PATH alone/built "$FIXTURES/ctx-talk.jsonl" 2>said
    [[ $(<said) == *"vocabulary $PWD/alone/../share/ctx/o200k_base.vocab: No such file"* ]]
}

@test "make uninstall: no file is left" {
    target install DESTDIR="$PWD/root" PREFIX=/srv/elsewhere
    [[ $(find root ! -type d | wc -l) -ge 20 ]]
    target uninstall DESTDIR="$PWD/root" PREFIX=/srv/elsewhere
    same 'files' <(printf '') <(find root ! -type d)
    [[ ! -e root/srv/elsewhere/share/ctx ]]
}

@test "make install: commands, pages, completions and vocabularies stand where they are looked for" {
    target install DESTDIR="$PWD/root" PREFIX=/usr
    local command page version
    version=$(ctx --version)
    version=ctx\ ${version##* }
    for command in $(commands); do
        [[ -x root/usr/bin/$command ]]
        [[ -s root/usr/share/man/man1/$command.1 ]]
        cmp "root/usr/share/bash-completion/completions/$command" "$ROOT/completions/ctx.bash"
        cmp "root/usr/share/fish/vendor_completions.d/$command.fish" "$ROOT/completions/ctx.fish"
    done
    cmp root/usr/share/zsh/site-functions/_ctx "$ROOT/completions/_ctx"
    cmp root/usr/share/zsh/vendor-completions/_ctx "$ROOT/completions/_ctx"
    for page in "$ROOT"/man/*.[157]; do
        same "${page##*/}" <(sed "s/^\.Os$/.Os $version/" "$page") "root/usr/share/man/man${page##*.}/${page##*/}"
    done
    for page in "$ROOT"/man/examples/*; do
        [[ $page == *.y*ml || -x root/usr/share/doc/ctx/examples/${page##*/} ]]
        cmp "$page" "root/usr/share/doc/ctx/examples/${page##*/}"
    done
    [[ -s root/usr/share/doc/ctx/LICENSE && -s root/usr/share/doc/ctx/NOTICE ]]
    # What is installed counts tokens with what is installed.
    same 'the budget' <(ctx-budget --json "$FIXTURES/ctx-talk.jsonl") \
        <(env -i root/usr/bin/ctx-budget --json "$FIXTURES/ctx-talk.jsonl")
}

@test "make install: zsh and fish find the completions by themselves" {
    command -v zsh && command -v fish || skip "needs zsh and fish"
    target install DESTDIR="$PWD/root" PREFIX=/usr
    export HOME=$PWD/home XDG_DATA_DIRS=$PWD/root/usr/share ZSH_DUMP=$PWD/zcompdump ZSH_SETUP=$ROOT/tests/completions/setup.zsh
    mkdir home
    # The second command finds what the first one left.
    fish -c 'complete -C "ctx-isolate --policy=m"; complete -C "ctx-project --view=c"' | cut -f1 >fish.out
    same fish - fish.out <<<$'--policy=mask\n--view=conversation'
    timeout 300 zsh -f "$ROOT/tests/completions/offers.zsh" "$PWD/root/usr/share/zsh/vendor-completions" \
        <<<'ctx-isolate --policy=m' >zsh.out
    same zsh - zsh.out <<<$'ctx-isolate --policy=m\tmask'
}

@test "make install: a vocabulary that is in use is replaced, not overwritten" {
    target install DESTDIR="$PWD/root" PREFIX=/usr
    ln root/usr/share/ctx/cl100k_base.vocab held
    printf 'old\n' >held
    target install DESTDIR="$PWD/root" PREFIX=/usr
    [[ $(<held) == old ]]
    cmp root/usr/share/ctx/cl100k_base.vocab "${CTX_BIN%/bin}/share/ctx/cl100k_base.vocab"
    same 'nothing else' <(printf '%s\n' cl100k_base.vocab o200k_base.vocab) <(ls -A root/usr/share/ctx)
}

@test "make check-install: names what is installed, and what is damaged" {
    target install DESTDIR="$PWD/root" PREFIX=/usr
    local where=$PWD/root/usr/bin/../share/ctx
    target check-install DESTDIR="$PWD/root" PREFIX=/usr >out
    local many
    many=$(commands | wc -l)
    pages() { ls "$ROOT/man/"*."$1" | wc -l; }
    same 'whole' - out <<END
o200k_base	$where/o200k_base.vocab	ok
cl100k_base	$where/cl100k_base.vocab	ok
commands	$PWD/root/usr/bin	ok, $many
pages	$PWD/root/usr/share/man/man1	ok, $(pages 1)
pages	$PWD/root/usr/share/man/man5	ok, $(pages 5)
pages	$PWD/root/usr/share/man/man7	ok, $(pages 7)
completions	$PWD/root/usr/share/bash-completion/completions	ok, $many
completions	$PWD/root/usr/share/fish/vendor_completions.d	ok, $many
completions	$PWD/root/usr/share/zsh/site-functions	ok, 1
examples	$PWD/root/usr/share/doc/ctx/examples	ok, $(ls "$ROOT/man/examples" | wc -l)
models	$PWD/root/usr/bin/ctx-budget	ok, $(ctx-budget --models | sed 1d | wc -l); more: --models-file
profiles	-	none is installed: ctx-compile reads the one that is named
END
    printf x | dd of=root/usr/share/ctx/o200k_base.vocab bs=1 seek=9000000 conv=notrunc status=none
    status_of 2 target check-install DESTDIR="$PWD/root" PREFIX=/usr >out 2>said
    same 'damaged' - <(head -n 2 out) <<END
o200k_base	$where/o200k_base.vocab	the checksum of its content does not fit
cl100k_base	$where/cl100k_base.vocab	ok
END
    # In each place that is looked at, once.
    mkdir one
    mkfifo one/cl100k_base.vocab
    ln -s root/usr/share/ctx two
    status_of 78 env CTX_VOCAB_PATH="one:two:$PWD/two" root/usr/bin/ctx-budget --verify >out
    same 'all places' - out <<END
o200k_base	two/o200k_base.vocab	the checksum of its content does not fit
o200k_base	$PWD/two/o200k_base.vocab	the checksum of its content does not fit
o200k_base	$where/o200k_base.vocab	the checksum of its content does not fit
cl100k_base	one/cl100k_base.vocab	not a regular file
cl100k_base	two/cl100k_base.vocab	ok
END
    rm root/usr/share/ctx/o200k_base.vocab
    status_of 66 env -u CTX_VOCAB_PATH root/usr/bin/ctx-budget --verify >out
    same 'missing' - out <<END
o200k_base	-	No such file or directory
cl100k_base	$where/cl100k_base.vocab	ok
END
}

@test "make check-install: names what is missing, is of another version, or is run in its place" {
    target install DESTDIR="$PWD/root" PREFIX=/usr
    local version
    version=$(ctx --version)
    mkdir older
    printf '#!/bin/sh\necho "ctx-diff (ctx) 0.0.9"\n' >older/ctx-diff
    chmod +x older/ctx-diff
    cp older/ctx-diff root/usr/bin/ctx-show
    rm root/usr/bin/ctx-route root/usr/share/man/man5/ctx-message.5
    sed -i 's/^\.Os ctx.*/.Os ctx 0.0.9/' root/usr/share/man/man7/ctx.7
    printf 'old\n' >root/usr/share/fish/vendor_completions.d/ctx.fish
    PATH=$PWD/older:$PATH status_of 2 target check-install DESTDIR="$PWD/root" PREFIX=/usr >out 2>said
    same 'what is wrong' - <(grep -v '	ok\(, \|$\)\|^profiles\|/vendor_completions.d/ctx-' out) <<END
commands	$PWD/root/usr/bin/ctx-route	missing
commands	$PWD/root/usr/bin/ctx-show	version 0.0.9, expected ${version##* }
pages	$PWD/root/usr/share/man/man5/ctx-message.5	missing
pages	$PWD/root/usr/share/man/man7/ctx.7	version 0.0.9, expected ${version##* }
completions	$PWD/root/usr/share/fish/vendor_completions.d/ctx.fish	not that of version ${version##* }
PATH	$PWD/older/ctx-diff	version 0.0.9, expected ${version##* }
END
}

@test "make install-strip: the commands without symbols" {
    target install-strip DESTDIR="$PWD/root" PREFIX=/usr
    [[ -z $(nm root/usr/bin/ctx-project 2>/dev/null) ]]
    same 'help' <(ctx-project --help) <(root/usr/bin/ctx-project --help)
}

@test "vocabularies: are beside the program where there is no /proc, however it was started" {
    mkdir -p root/ctx/bin root/ctx/share root/bin
    cp "$CTX_BIN"/ctx-budget root/ctx/bin
    cp -r "${CTX_BIN%/bin}/share/ctx" root/ctx/share
    ln -s ../ctx/bin/ctx-budget root/bin/ctx-budget
    unshare -r chroot root /bin/ctx-budget --version >/dev/null || skip 'needs the right to a root of its own'
    local program
    for program in /ctx/bin/ctx-budget ctx/bin/../bin/ctx-budget /bin/ctx-budget; do
        same "$program" <(ctx-budget --json <"$FIXTURES/ctx-talk.jsonl") \
            <(env -u CTX_VOCAB_PATH unshare -r chroot root "$program" --json <"$FIXTURES/ctx-talk.jsonl")
    done
}

# build TREE ARGUMENT...: one command and one vocabulary in a tree, whatever this run was built with.
build() {
    local tree=$1
    shift
    env -i PATH="$PATH" make -C "$tree" BUILD=build CC="${CC:-cc}" CFLAGS='-O0 -g' "$@" \
        build/bin/ctx-route build/share/ctx/cl100k_base.vocab
}

# bats test_tags=slow
@test "make: the same bytes wherever the tree lies, and by a cross compiler; what changed is made again" {
    local tree
    for tree in here some/where/else; do
        mkdir -p "$tree"
        cp -r --no-preserve=mode "$ROOT"/{Makefile,cmd,common} "$tree"
    done
    printf '%s\n' '#!/bin/sh' "echo \"\$*\" >>'$PWD/log'" "exec ${CC:-cc} \"\$@\"" >cross
    chmod +x cross
    build here -s &
    build some/where/else -s CC="$PWD/cross" BUILD_CC="${CC:-cc}"
    wait $!
    cmp here/build/bin/ctx-route some/where/else/build/bin/ctx-route
    cmp here/build/share/ctx/cl100k_base.vocab some/where/else/build/share/ctx/cl100k_base.vocab
    # What runs while building is made by the compiler for this machine.
    grep -q 'ctx-route.c$' log
    ! grep 'vocab/\|ctx-vocabulary' log || fail 'the cross compiler made the builder'

    ! build here | grep '[-]o build' || fail 'what stands was made again'
    touch here/common/data/record.h
    build here >out
    grep -q -e '-o build/common/data/record.o' out
    ! grep -e '-o build/common/base/buf.o' out || fail 'what does not include it was made again'
    # A module that is gone leaves the library.
    printf 'int probe(void);\nint probe(void) { return 1; }\n' >here/common/json/probe.c
    build here >out
    nm here/build/libctx.a | grep -q ' probe$'
    rm here/common/json/probe.c
    build here >out
    ! nm here/build/libctx.a | grep ' probe$' || fail 'the library has what is gone'
}

@test "make demo: prints the pipeline, and a table in which tokens become fewer" {
    CTX_BIN=$CTX_BIN bash "$ROOT/tests/demo.sh" >out 2>err
    # The session has a sub-agent, whose messages no budget counts.
    same 'errors' <(printf 'ctx-budget: 6 messages of other agents not counted\n%.0s' 1 2) err
    head -n 5 out | sed -e 's/^\$ //' -e "s|tests/fixtures|$FIXTURES|" >pipeline
    # What it prints is what it does.
    bash pipeline
    [[ $(jq -r '.model, (.messages | length > 9)' request.json | paste -sd' ') == 'NAME true' ]]
    [[ $(wc -c <request.json) == "$(awk '/^ctx-normalize --to anthropic/ { print $4 }' out)" ]]
    # Each stage leaves fewer tokens, and all of them less than a quarter.
    awk '/%$/ && /^ctx-/ { if (rows++ == 0) first = $(NF - 1); else bad = bad || $(NF - 1) >= last; last = $(NF - 1) }
        END { exit !(rows == 4 && !bad && last > 0 && last < first / 4) }' out
    [[ $(grep -c '^compact  *yes' out) == 1 && $(grep -c '^compact  *no' out) == 1 ]]
}

@test "the README: its table is what make demo prints, its messages what ctx-project makes" {
    CTX_BIN=$CTX_BIN bash "$ROOT/tests/demo.sh" >out
    sed -n 's/^    \(after  .*\|ctx-.*%\)$/\1/p' "$ROOT/README.md" >table
    [[ $(wc -l <table) == 5 ]]
    same 'the table' <(sed -n '/^after  /,/%$/p; /^ctx-.*%$/p' out | sort -u) <(sort -u table)
    sed -n 's/^    {/{/p' "$ROOT/README.md" >messages
    [[ $(wc -l <messages) == 6 ]]
    same 'the messages' <(head -n 4 messages | ctx-project) <(tail -n 2 messages)
}
