#!/bin/bash
#
# check.bash: the Debian packages are made, and installed, tested, upgraded and purged in a minimal Debian, which
# is fetched (deb.bats).  Where a tool for that is not installed, it is skipped.  The last line says how it went.

set -uo pipefail
cd "${BASH_SOURCE%/*}/../.." || exit
CHECK_BATS=tests/packaging/deb.bats bash tests/check.bash
