#!/usr/bin/env bats
# bats file_tags=slow
#
# make deb: the packages, installed, upgraded and purged in a minimal Debian.

load helper

# in_debian COMMAND...: in the root there, as its root.
in_debian() {
    unshare -r chroot root env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C DEBIAN_FRONTEND=noninteractive "$@"
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

@test "make deb: nothing for lintian; the packages are installed, upgraded and purged in a minimal Debian" {
    local tool package
    for tool in dpkg-buildpackage dh lintian mmdebstrap unshare; do
        needs "$tool"
    done
    [[ $CTX_BIN != *sanitize* ]] || skip 'the packages are built without sanitizers'
    # Not optimized, which is most of the time that it takes.
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u BUILD DEB_BUILD_OPTIONS=noopt \
        make -s -C "$ROOT" BUILD="$PWD/build" deb >out 2>&1 || fail "$(<out)"
    mkdir newer root
    for package in build/deb/ctx_*.deb build/deb/ctx-data_*.deb; do
        newer "$package"
    done
    mmdebstrap -q --variant=essential "$(. /etc/os-release && printf '%s' "$VERSION_CODENAME")" root.tar >said 2>&1 ||
        skip 'no packages of Debian to be had'
    tar -xf root.tar -C root --no-same-owner --exclude='./dev/*'
    : >root/dev/null
    files() { find root -path root/tmp -prune -o ! -type d -printf '%P\n' | grep -v '^var/lib/dpkg/.*-old$\|^var/log/dpkg' | sort; }
    files >before
    cp build/deb/ctx_*.deb build/deb/ctx-data_*.deb root/tmp
    in_debian sh -c 'dpkg -i /tmp/ctx*.deb && rm /tmp/ctx*.deb' >said 2>&1 || fail "$(<said)"
    same 'tokens' <(ctx-budget --json <"$FIXTURES/ctx-talk.jsonl") <(in_debian ctx-budget --json <"$FIXTURES/ctx-talk.jsonl")
    cp newer/*.deb root/tmp
    in_debian sh -c 'dpkg -i /tmp/ctx*.deb' >said 2>&1 || fail "$(<said)"
    in_debian dpkg-query -W -f '${Package} ${Version} ${db:Status-Status}\n' ctx ctx-data >have
    same 'upgraded' - have <<END
ctx $(ctx --version | cut -d ' ' -f 3).1 installed
ctx-data $(ctx --version | cut -d ' ' -f 3).1 installed
END
    in_debian dpkg --purge ctx ctx-data >said 2>&1 || fail "$(<said)"
    same 'nothing is left' before <(files)
    rm -rf root root.tar build newer unpacked
}
