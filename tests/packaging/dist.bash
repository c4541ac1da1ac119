#!/bin/bash
#
# dist.bash [MACHINE]...: what a release is made of, into $BUILD/dist, with the version $VERSION:
#
#     ctx-VERSION.tar.gz                  the sources
#     ctx-VERSION-linux-MACHINE.tar.gz    static commands, stripped, pages, completions, vocabularies;
#                                         it runs wherever it is unpacked
#     ctx-VERSION.spdx.json               what is in them, and under which licences (SPDX 2.3)
#     ctx.rb                              a formula of Homebrew, where DIST_URL is the project's address
#     SHA256SUMS                          of all of these
#
# The same sources and compilers give the same bytes, in any folder at any time.  MACHINE is x86_64 or
# aarch64; without one, both.  Each needs its gcc, MACHINE-linux-gnu-gcc where that is not the one here.
# SOURCE_DATE_EPOCH, seconds, is the time of all files; else that of the newest commit, or in an unpacked
# tarball that of its files.

set -euo pipefail
cd "${BASH_SOURCE%/*}/../.."
: "${BUILD:=build}" "${VERSION:?by make dist}" "${CC:=cc}"
name=ctx-$VERSION
dist=$(realpath -m "$BUILD/dist")
: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y Makefile)}"
export LC_ALL=C SOURCE_DATE_EPOCH
machines=("$@")
((${#machines[@]})) || machines=(x86_64 aarch64)

# pack FOLDER: $dist/FOLDER.tar.gz of the folder $dist/FOLDER.
pack() {
    tar -C "$dist" --format=ustar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 \
        --numeric-owner --mode='u+rw,go=rX' -cf - "$1" | gzip -9n >"$dist/$1.tar.gz"
}

# list_sources: the files of the tree, each ended by a NUL.
list_sources() {
    git ls-files -z 2>/dev/null || find . \( -path './build*' -o -path ./.git \) -prune -o -type f -printf '%P\0'
}

# compiler MACHINE: the compiler whose programs run there.
compiler() {
    if [[ $("$CC" -dumpmachine) == "$1"-* ]]; then
        printf '%s\n' "$CC"
    elif type -P "$1-linux-gnu-gcc" >/dev/null; then
        printf '%s\n' "$1-linux-gnu-gcc"
    else
        printf 'make dist: no compiler for %s: install gcc-%s-linux-gnu, or set DIST_MACHINES\n' \
            "$1" "${1//_/-}" >&2
        return 1
    fi
}

# release MACHINE: the folder that is unpacked there, and its tarball.
release() {
    local cc folder=$name-linux-$1
    cc=$(compiler "$1")
    # What is stripped needs no debug information.
    make --no-print-directory -j"$(nproc)" BUILD="$dist/$1" CC="$cc" BUILD_CC="$CC" CFLAGS="${CFLAGS:--O2}" \
        LDFLAGS='-static -Wl,-z,relro,-z,now' RELOCATABLE=1 \
        DESTDIR="$dist/$folder" PREFIX= install-strip >"$dist/$1.log" 2>&1 || {
        tail -n 20 "$dist/$1.log" >&2
        return 1
    }
    cp README.md "$dist/$folder"
    pack "$folder"
}

# libc_version MACHINE: the version of the C library that is linked in.
libc_version() {
    printf '#include <features.h>\n__GLIBC__ __GLIBC_MINOR__\n' | "$(compiler "$1")" -E -P - 2>/dev/null |
        awk '$1 ~ /^[0-9]+$/ { print $1 "." $2 }'
}

# describe TARBALL...: the SPDX document of the release.
describe() {
    local tarball
    printf '%s\n' "$@" | while read -r tarball; do
        printf '%s\t%s\n' "$tarball" "$(sha256sum <"$dist/$tarball" | cut -d ' ' -f 1)"
    done | awk -F '\t' -v name="$name" -v version="$VERSION" -v libc="$(libc_version "${machines[0]}")" \
        -v gcc="$("$CC" -dumpfullversion)" -v created="$(date -u -d "@$SOURCE_DATE_EPOCH" +%FT%TZ)" \
        -f tests/packaging/spdx.awk
}

rm -rf "$dist"
mkdir -p "$dist/$name"
list_sources | xargs -0 cp --parents -t "$dist/$name"
pack "$name"
for machine in "${machines[@]}"; do
    release "$machine"
done
(
    cd "$dist"
    tarballs=("$name"*.tar.gz)
    cd - >/dev/null
    describe "${tarballs[@]}" >"$dist/$name.spdx.json"
)
[[ -z ${DIST_URL-} ]] ||
    sed "s|@URL@|$DIST_URL|g; s/@VERSION@/$VERSION/g; s/@SHA256@/$(sha256sum <"$dist/$name.tar.gz" | cut -d ' ' -f 1)/" \
        tests/packaging/ctx.rb.in >"$dist/ctx.rb"
cd "$dist"
sha256sum -- *.tar.gz *.spdx.json >SHA256SUMS
find . -mindepth 1 -maxdepth 1 ! -name '*.tar.gz' ! -name '*.spdx.json' ! -name ctx.rb ! -name SHA256SUMS \
    -exec rm -rf {} +
ls -l
