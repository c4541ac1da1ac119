#!/bin/bash
#
# check.bash: pages of ctx-show --html in headless Chromium (check.mjs): of every session of tests/fixtures, of
# hostile ones that hostile.mjs makes, of diffs (ctx-diff --html), and, where they stand beside
# the tree ($CTX_SHARED), of SHOW_FILES real ones (6). puppeteer-core and axe-core come from npm into $BUILD. The
# pictures go to $BUILD/show: people look at them. Without Chromium ($CHROMIUM) all pages are skipped, and counted.
# Prints what is wrong; the last line says how it went.

set -uo pipefail
cd "${BASH_SOURCE%/*}/../.." || exit
: "${BUILD:=build}" "${CTX_SHARED:=../shared/transcripts}" "${SHOW_FILES:=6}"
: "${CHROMIUM=$(type -P chromium chromium-browser google-chrome | head -n 1)}"
PATH=$(realpath "$BUILD")/bin:$PATH
modules=$BUILD/npm-show
packages=(puppeteer-core@24.43.1 axe-core@4.14.1)
command -v node >/dev/null || { echo 'check-show: node is needed' >&2; exit 69; }

work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/pages" "$BUILD/show"

# page NAME OPTION...: a page; what is no session at all has none.
page() {
    local name=$1 status=0
    shift
    ctx-show --html --estimator bytes/4 "$@" >"$work/pages/$name.html" 2>/dev/null || status=$?
    ((status <= 65)) || { echo "not ok: $name: status $status"; echo x >>"$work/failed"; }
    [[ -s $work/pages/$name.html ]] || rm -f "$work/pages/$name.html"
}

real() {
    [[ -d $CTX_SHARED ]] || return 0
    find "$CTX_SHARED/claude-code" "$CTX_SHARED/codex-cli" "$CTX_SHARED/pi" -name '*.jsonl' -size +20k -size -900k |
        LC_ALL=C sort | awk -v wanted="$SHOW_FILES" '{ file[NR] = $0 } END { for (i = 1; i <= wanted && i <= NR; i++)
            print file[int((i - 1) * NR / wanted) + 1] }'
}

for file in tests/fixtures/*.jsonl; do
    name=${file##*/}
    page "${name%.jsonl}" "$file"
done
page plan --plan <(ctx-compact --plan --force tests/fixtures/compact-gauge.jsonl) --window 10k tests/fixtures/compact-gauge.jsonl
page chosen -m -e error tests/fixtures/claude-code-session.jsonl
page several tests/fixtures/compact-gauge.jsonl tests/fixtures/codex-session.jsonl
node tests/show/hostile.mjs "$work" || exit

# difference NAME OLD NEW: the page of what a compaction has done, or of two sessions.
difference() {
    local status=0
    ctx-diff --html --estimator bytes/4 "$2" "$3" >"$work/pages/diff-$1.html" 2>/dev/null || status=$?
    ((status <= 65)) || { echo "not ok: diff-$1: status $status"; echo x >>"$work/failed"; }
    [[ -s $work/pages/diff-$1.html ]] || rm -f "$work/pages/diff-$1.html"
}

for name in compact-gauge ctx-headless hostile-roles; do
    ctx-compact --force "tests/fixtures/$name.jsonl" >"$work/new.jsonl" 2>/dev/null
    difference "$name" "tests/fixtures/$name.jsonl" "$work/new.jsonl"
done
for file in "$work"/hostile-*.jsonl; do
    name=${file##*/}
    sed -n '2~2!p' "$file" >"$work/new.jsonl"
    difference "${name%.jsonl}" "$file" "$work/new.jsonl"
done
for file in "$work"/hostile-*.jsonl; do
    name=${file##*/}
    page "made-${name%.jsonl}" -m "$file"
done
count=0
while read -r file; do page "real-$((++count))" "$file"; done < <(real)

pages=("$work"/pages/*.html)
if [[ -z $CHROMIUM ]]; then
    echo "1..0 # skip: ${#pages[@]} pages, no chromium"
    exit 77
fi
[[ -e $modules/node_modules/axe-core && -e $modules/node_modules/puppeteer-core ]] ||
    npm install --no-save --no-audit --no-fund --prefix "$modules" "${packages[@]}" >"$BUILD/npm-show.log" 2>&1 || {
    echo "check-show: cannot install ${packages[*]} from npm, see $BUILD/npm-show.log" >&2
    exit 69
}
cp tests/show/check.mjs "$modules/check.mjs"
node "$modules/check.mjs" "$CHROMIUM" "$BUILD/show" "${pages[@]}" && [[ ! -e $work/failed ]]
