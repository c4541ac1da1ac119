#!/usr/bin/env bats
#
# make deb: the packages, installed, tested, upgraded and purged in a minimal Debian.

load ../helper

# in_debian COMMAND...: in the root there, as its root, with this machine's /proc and /dev.
in_debian() {
    # shellcheck disable=SC2016 # for the shell in there
    unshare -r -m -p -f sh -c 'mount --rbind /proc root/proc && mount --rbind /dev root/dev && exec "$@"' sh \
        chroot root env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C DEBIAN_FRONTEND=noninteractive "$@"
}

# newer FILE: the package once more, of the next version, into the folder newer.
newer() {
    local version
    version=$(dpkg-deb -f "$1" Version)
    rm -rf unpacked
    dpkg-deb -R "$1" unpacked
    sed -i "s/\b$version\b/$version.1/" unpacked/DEBIAN/control
    dpkg-deb --root-owner-group -Zgzip -z1 -b unpacked newer >/dev/null
}

# files_in_root: all that a package might leave.
files_in_root() {
    find root \( -path root/tmp -o -path root/proc -o -path root/dev \) -prune -o ! -type d -printf '%P\n' |
        grep -v '^var/lib/dpkg/.*-old$\|^var/log/dpkg' | sort
}

@test "make deb: nothing for lintian; the packages are installed, tested, upgraded and purged in a minimal Debian" {
    local tool package depends version
    for tool in dpkg-buildpackage dh lintian mmdebstrap unshare; do
        needs "$tool"
    done
    # Not optimized, which is most of the time that it takes.
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u BUILD DEB_BUILD_OPTIONS='noopt noautodbgsym' \
        DEBFULLNAME='Ann Other' DEBEMAIL=ann@example.org \
        make -s -C "$ROOT" BUILD="$PWD/build" deb >out 2>&1 || fail "$(<out)"
    same 'for lintian' /dev/null <(grep '^[EWIPXO]: ' out)
    mkdir newer root
    for package in build/deb/ctx_*.deb build/deb/ctx-data_*.deb; do
        same 'the maintainer' - <(dpkg-deb -f "$package" Maintainer) <<<'Ann Other <ann@example.org>'
        newer "$package"
    done
    depends=$(sed -n 's/^Depends: @, //p' "$ROOT/tests/packaging/debian/tests/control")
    mmdebstrap -q --variant=essential --include="${depends// /}" \
        "$(. /etc/os-release && printf '%s' "$VERSION_CODENAME")" root.tar >said 2>&1 ||
        skip "no minimal Debian to be had: $(tail -n 1 said)"
    tar -xf root.tar -C root --no-same-owner --exclude='./dev/*'
    in_debian true 2>said || skip "needs the right to a root of its own: $(tail -n 1 said)"
    files_in_root >before
    version=$(ctx --version)
    version=${version##* }
    cp build/deb/ctx_*.deb build/deb/ctx-data_*.deb root/tmp
    in_debian sh -c 'dpkg -i /tmp/ctx*.deb && rm /tmp/ctx*.deb' >said 2>&1 || fail "$(<said)"
    same 'tokens' <(ctx-budget --json <"$FIXTURES/ctx-talk.jsonl") <(in_debian ctx-budget --json <"$FIXTURES/ctx-talk.jsonl")

    # What autopkgtest runs there.
    mkdir root/tmp/tree root/tmp/tested
    (cd "$ROOT" && { git ls-files -z 2>/dev/null || find . -name 'build*' -prune -o -type f -print0; } |
        xargs -0 cp --parents -t "$OLDPWD/root/tmp/tree")
    cp -r "$ROOT/tests/packaging/debian" root/tmp/tree
    in_debian sh -c 'cd /tmp/tree && AUTOPKGTEST_TMP=/tmp/tested sh debian/tests/examples' >said 2>&1 || fail "$(<said)"
    [[ $(grep -c '^ok ' said) -gt 10 ]] || fail "$(<said)"
    grep -q '^ok .*README' said || fail "$(<said)"

    cp newer/*.deb root/tmp
    in_debian sh -c 'dpkg -i /tmp/ctx*.deb' >said 2>&1 || fail "$(<said)"
    in_debian dpkg-query -W -f '${Package} ${Version} ${db:Status-Status}\n' ctx ctx-data >have
    same 'upgraded' - have <<<"ctx $version.1 installed"$'\n'"ctx-data $version.1 installed"
    in_debian dpkg --purge ctx ctx-data >said 2>&1 || fail "$(<said)"
    same 'nothing is left' before <(files_in_root)
    rm -rf root root.tar build newer unpacked
}
