#!/bin/bash
#
# install.bash [AGENT...]: puts the pinned versions of the clients into
# ${CTX_CLIENTS:-$HOME/.cache/ctx-clients}/AGENT by npm; a link there is never written to.

set -u
. "$(dirname "$(readlink -f "$0")")/clients.bash"
case ${1-} in -*) echo "usage: install.bash [AGENT...]   AGENT: $AGENTS" >&2; exit 64 ;; esac
[ $# -gt 0 ] || set -- $AGENTS
command -v npm >/dev/null || { echo "install: npm is needed" >&2; exit 69; }
one() {
  local name version have
  read -r name version < <(package "$1") || { echo "install: $1: no such agent ($AGENTS)" >&2; return 64; }
  have=$(installed "$1")
  if [ "$have" != "$version" ]; then
    if [ -L "$CLIENTS/$1" ]; then echo "install: $1: $CLIENTS/$1 is a link and has not $version: left alone" >&2; return 1; fi
    mkdir -p "$CLIENTS/$1" && npm install --prefix "$CLIENTS/$1" --save-exact --ignore-scripts --no-audit --no-fund \
      --loglevel=error "$name@$version" >&2 || { echo "install: $1: npm failed" >&2; return 1; }
  fi
  printf '%-12s %-9s %6s  %s\n' "$1" "$(installed "$1")" "$(du -shL "$CLIENTS/$1" | cut -f1)" \
    "$([ "$have" = "$version" ] && echo "was there" || echo installed)"
}
rc=0
for a; do
  one "$a" || rc=1
  if [ "$a" = gemini-cli ] && old_node; then one node || rc=1; fi
done
exit $rc
