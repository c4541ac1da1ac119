#!/usr/bin/env bats
#
# Releases and packages: make dist, the same bytes wherever and whenever it is made, which run where nothing is;
# the Homebrew formula, and the files of man/examples for other tools.

load helper

# dist FOLDER: a release for this machine alone, made of the tree there, as a person makes it; but nothing is
# optimized, which is most of the time that it takes.
dist() {
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u BUILD -u CC -u WERROR -u SANITIZE -u CPPFLAGS -u LDFLAGS make -s -C "$1" BUILD="$1/build" CFLAGS=-O0 \
        DIST_MACHINES="$(uname -m)" SOURCE_DATE_EPOCH=1700000000 dist >/dev/null
}

# bats test_tags=slow
@test "make dist: twice, in two folders, is the same; it is unpacked and runs in an empty root" {
    local release file path name
    mkdir tree root
    (cd "$ROOT" && { git ls-files -z 2>/dev/null || find . -name 'build*' -prune -o -type f -print0; } |
        xargs -0 cp --parents -t "$OLDPWD/tree")
    dist "$PWD/tree"
    (cd tree/build/dist && sha256sum -c --quiet SHA256SUMS)
    # The second one is made of what the first one packed, and elsewhere.
    tar -xzf tree/build/dist/ctx-*.[0-9].tar.gz -C root
    dist "$PWD/root"/ctx-*
    same 'the sums' tree/build/dist/SHA256SUMS root/ctx-*/build/dist/SHA256SUMS
    # SPDX: what is described is there, and no relation names what is not.
    jq -c '.spdxVersion, (.packages | map(.SPDXID)) as $ids |
        [.relationships[] | .spdxElementId, .relatedSpdxElement] - $ids - ["SPDXRef-DOCUMENT"]' \
        tree/build/dist/*.spdx.json >spdx
    same 'SPDX' - spdx <<<$'"SPDX-2.3"\n[]'
    release=(tree/build/dist/*-linux-*.tar.gz)
    mkdir empty
    tar -xzf "${release[0]}" -C empty --strip-components=1
    same 'the version' <(ctx --version) <(empty/bin/ctx --version)
    same 'tokens' <(ctx-budget --json "$FIXTURES/ctx-talk.jsonl") \
        <(env -i empty/bin/ctx-budget --json "$FIXTURES/ctx-talk.jsonl")
    # Without a C library, a shell, /proc or anything else.
    unshare -r chroot empty /bin/ctx-project - </dev/null || skip 'needs the right to a root of its own'
    same 'in an empty root' <(ctx-budget --json <"$FIXTURES/ctx-talk.jsonl") \
        <(env -u CTX_VOCAB_PATH unshare -r chroot empty /bin/ctx-budget --json <"$FIXTURES/ctx-talk.jsonl")
    # The container: the release in an empty root, the path and the entry point.
    file=$ROOT/tests/packaging/Containerfile
    mkdir container
    tar -xzf "${release[0]}" -C container
    path=$(sed -n 's/^ENV PATH=//p' "$file") name=$(basename "${release[0]}" .tar.gz)
    same 'in the container' <(ctx-budget --json <"$FIXTURES/ctx-talk.jsonl") \
        <(env -u CTX_VOCAB_PATH unshare -r chroot container \
            "${path//\$\{RELEASE\}/$name}/$(sed -n 's/^ENTRYPOINT \["\(.*\)"\]$/\1/p' "$file")" budget --json \
            <"$FIXTURES/ctx-talk.jsonl")
    rm -rf tree root empty container
}

# steps FILE: the scripts of its steps, each ended by a NUL.
steps() {
    awk '/^      run: \|$/ { on = 1; next }
        on && !/^        / { printf "%c", 0; on = 0 }
        on { print substr($0, 9) }
        END { if (on) printf "%c", 0 }' "$1"
}

@test "examples: the action installs a release, and names the lines of sessions that are not valid" {
    needs curl
    local -a step
    mkdir -p release/ctx temp sessions/deep
    cp -r --parents -t release/ctx "$CTX_BIN/ctx-normalize"
    mv "release/ctx$CTX_BIN" release/ctx/bin
    tar -czf release.tar.gz -C release ctx
    mapfile -d '' -t step < <(steps "$ROOT/man/examples/action.yml")
    [[ ${#step[@]} == 2 ]]
    export RUNNER_TEMP=$PWD/temp GITHUB_PATH=$PWD/path RELEASE=file://$PWD/release.tar.gz FROM=ctx
    SHA256=$(printf '%064d' 0) status_of 1 bash -eo pipefail -c "${step[0]}" >/dev/null 2>&1
    SHA256=$(sha256sum <release.tar.gz | cut -d ' ' -f 1) bash -eo pipefail -c "${step[0]}" >/dev/null
    same 'the path' - path <<<"$PWD/temp/ctx/bin"
    PATH=$(<path):$PATH
    printf '%s\n' '{"role":"user","content":"hi","id":"m1"}' | tee sessions/a.jsonl >sessions/deep/b.jsonl
    FILES='sessions/**/*.jsonl' bash -eo pipefail -c "${step[1]}" >out 2>&1
    same 'sound' /dev/null out
    printf '%s\n' '{"role":"tool","tool_call_id":"c9","content":"x"}' >>sessions/deep/b.jsonl
    FILES='sessions/**/*.jsonl' status_of 1 bash -eo pipefail -c "${step[1]}" >out 2>&1
    same 'the fault' - out <<<"ctx-normalize: sessions/deep/b.jsonl:2: orphan-result: result 'c9' answers no call"
    [[ ! -e ctx.sarif || $(jq -c '[.version, (.runs[0].results | length)]' ctx.sarif) == '["2.1.0",1]' ]]
    FILES='none/*' status_of 1 bash -eo pipefail -c "${step[1]}" >out 2>&1
    same 'no file' - out <<<'::error::no file is named none/*'
}

@test "examples: the hook of pre-commit lets no session pass that is not valid" {
    needs git
    needs pre-commit
    export HOME=$PWD PRE_COMMIT_HOME=$PWD/.cache GIT_CONFIG_NOSYSTEM=1
    git init -q sessions
    cd sessions
    cp "$ROOT/man/examples/pre-commit-config.yaml" .pre-commit-config.yaml
    printf '%s\n' '{"role":"user","content":"hi","id":"m1"}' | tee 'a b.jsonl' >c.jsonl
    git add .
    pre-commit run >../out 2>&1 || fail "$(<../out)"
    printf '%s\n' '{"role":"tool","tool_call_id":"c9","content":"x"}' >>'a b.jsonl'
    git add .
    status_of 1 pre-commit run >../out 2>&1
    same 'the fault' - <(grep '^ctx-normalize: ' ../out) <<<"ctx-normalize: a b.jsonl:2: orphan-result: result 'c9' answers no call"
}

@test "the Homebrew formula is Ruby" {
    needs ruby
    sed "s/@VERSION@/1.2.3/g; s/@SHA256@/$(printf '%064d' 0)/; s|@URL@|https://example.org/ctx|g" \
        "$ROOT/tests/packaging/ctx.rb.in" >ctx.rb
    ! grep '@[A-Z0-9]*@' ctx.rb || fail 'a name without a value'
    same 'syntax' - <(ruby -c ctx.rb) <<<'Syntax OK'
}

@test "no test, page or README names a file of the tree that is not there" {
    cd "$ROOT"
    # Beside these: what a test makes, and what stands for all files.
    grep -rohE '\b(tests|common|cmd|completions|man)/[A-Za-z0-9_./-]+\.(md|bash|sh|bats|mjs|awk|c|h|tsv|[157]|ya?ml|txt)\b' \
        --exclude-dir=fixtures tests man README.md common/README.md | sort -u |
        grep -vE '/NAME\b|^man/man[157]/|^common/json/probe\.c$' >"$BATS_TEST_TMPDIR/named"
    while read -r file; do
        [[ -e $file ]] || printf '%s\n' "$file"
    done <"$BATS_TEST_TMPDIR/named" >"$BATS_TEST_TMPDIR/missing"
    [[ -s $BATS_TEST_TMPDIR/named ]]
    same 'not there' /dev/null "$BATS_TEST_TMPDIR/missing"
}
