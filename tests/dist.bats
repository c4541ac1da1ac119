#!/usr/bin/env bats
#
# make dist: a release is the same bytes wherever and whenever it is made, and runs where nothing is.

load helper

# dist FOLDER: a release for this machine alone, made of the tree there, as a person makes it.
dist() {
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u BUILD make -s -C "$1" BUILD="$1/build" \
        DIST_MACHINES="$(uname -m)" SOURCE_DATE_EPOCH=1700000000 dist >/dev/null
}

# bats test_tags=slow
@test "make dist: twice, in two folders, is the same; it is unpacked and runs in an empty root" {
    local release
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
    # Without a C library, a shell or anything else.
    unshare -r chroot empty /bin/ctx-project - </dev/null || skip 'needs the right to a root of its own'
    same 'in an empty root' <(ctx-budget --json <"$FIXTURES/ctx-talk.jsonl") \
        <(unshare -r chroot empty /bin/ctx-budget --json <"$FIXTURES/ctx-talk.jsonl")
    rm -rf tree root empty
}
