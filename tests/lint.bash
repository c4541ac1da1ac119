#!/bin/bash
#
# lint.bash: what is told without running anything: shellcheck over all shell files, cppcheck and
# conversions that lose bits over the C code, and its format. A finding that stays is suppressed in
# tests/cppcheck, with its reason.

set -uo pipefail
cd "${BASH_SOURCE%/*}/.." || exit
bad=0

# lint WHAT COMMAND...: says what was found.
lint() {
    local what=$1
    shift
    "$@" >"$said" 2>&1 && [[ ! -s $said ]] && printf 'ok - %s\n' "$what" && return
    printf 'not ok - %s\n' "$what"
    head -n 60 "$said"
    bad=1
}

conversions() {
    local file
    for file in "${sources[@]}"; do
        "${CC:-cc}" -std=c11 -D_GNU_SOURCE -DCTX_VERSION='""' -DCTX_DATADIR='""' -Icommon -Wconversion \
            -DCOMMAND=ctx_command -Wno-sign-conversion -fsyntax-only "$file" || return
    done
}

said=$(mktemp)
trap 'rm -f "$said"' EXIT
mapfile -t sources < <(git ls-files 'common/*.c' 'cmd/*.c' | grep -v unicode_table.c)
mapfile -t code < <(git ls-files '*.c' '*.h' | grep -v unicode_table.c)
mapfile -t shell < <(git ls-files '*.bash' '*.sh' .ci/run)
lint 'shellcheck' shellcheck -S warning "${shell[@]}"
lint 'cppcheck' cppcheck -q --std=c11 -Icommon -j2 --enable=warning,performance,portability --error-exitcode=1 \
    --suppressions-list=tests/cppcheck common cmd tests/fuzz tests/fault tests/bench tests/tools
lint 'conversions' conversions
lint 'clang-format' clang-format --dry-run -Werror "${code[@]}"
exit $bad
