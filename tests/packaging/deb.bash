#!/bin/bash
#
# deb.bash: the Debian packages ctx and ctx-data of version $VERSION, into $BUILD/deb, made of the sources
# by dpkg-buildpackage. It needs dpkg-dev and debhelper. What lintian says of them, where it is installed,
# is printed, and makes the status 1. The maintainer is DEBFULLNAME <DEBEMAIL>; without DEBEMAIL an address
# that can never be anybody's (.invalid, RFC 2606), since who packs for himself need not be asked.

set -euo pipefail
cd "${BASH_SOURCE%/*}/../.."
: "${BUILD:=build}" "${VERSION:?by make deb}"
deb=$(realpath -m "$BUILD/deb")
tree=$deb/ctx-$VERSION
: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y Makefile)}"
export SOURCE_DATE_EPOCH LC_ALL=C
unset MAKEFLAGS MAKELEVEL MFLAGS BUILD

rm -rf "$deb"
mkdir -p "$tree"
{ git ls-files -z 2>/dev/null || find . -name 'build*' -prune -o -type f -printf '%P\0'; } |
    xargs -0 cp --parents -t "$tree"
cp -r tests/packaging/debian "$tree"
maintainer=$(sed -n 's/^Maintainer: //p' "$tree/debian/control")
[[ -z ${DEBEMAIL-} ]] || maintainer="${DEBFULLNAME:-${maintainer% <*}} <$DEBEMAIL>"
maintainer=$maintainer awk '/^Maintainer: / { $0 = "Maintainer: " ENVIRON["maintainer"] } { print }' \
    tests/packaging/debian/control >"$tree/debian/control"
printf 'ctx (%s) unstable; urgency=medium\n\n  * This version: see ctx-changes(7).\n\n -- %s  %s\n' \
    "$VERSION" "$maintainer" \
    "$(date -uR -d "@$SOURCE_DATE_EPOCH")" >"$tree/debian/changelog"
cd "$tree"
dpkg-buildpackage -us -uc -b -j"$(nproc)" >../build.log 2>&1 || {
    tail -n 30 ../build.log >&2
    exit 1
}
cd ..
rm -rf "$tree"
ls -l -- *.deb
# lintian leaves files of its own in the folder of temporary ones.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# Four bytes of machine code may read as a word that is spelt wrong; noopt asks for no checks of the C library.
suppressed=spelling-error-in-binary
[[ ${DEB_BUILD_OPTIONS-} != *noopt* ]] || suppressed+=,hardening-no-fortify-functions
! type -P lintian >/dev/null || TMPDIR=$scratch lintian --allow-root -I --suppress-tags "$suppressed" \
    --fail-on info,warning,error --tag-display-limit 0 -- *.changes
