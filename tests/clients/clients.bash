# shellcheck shell=bash
#
# Which clients there are, and where.

# shellcheck disable=SC2034
AGENTS='claude-code codex pi opencode gemini-cli'
CLIENTS=${CTX_CLIENTS:-$HOME/.cache/ctx-clients}
platform=$(node -p 'process.platform+"-"+process.arch' 2>/dev/null) || { echo "${0##*/}: node is needed" >&2; exit 69; }

# package AGENT: the npm package and its version
package() {
  case $1 in
  claude-code) echo "@anthropic-ai/claude-code-$platform 2.1.330" ;;
  codex)       echo "@openai/codex 0.169.0" ;;
  pi)          echo "@earendil-works/pi-coding-agent 0.74.2" ;;
  opencode)    echo "opencode-ai 1.18.33" ;;
  gemini-cli)  echo "@google/gemini-cli 0.61.0" ;;
  node)        echo "node-$platform 22.23.3" ;;
  *) return 1 ;;
  esac
}

# installed AGENT: the version that is there, or nothing
installed() {
  local name
  read -r name _ < <(package "$1")
  node -p 'JSON.parse(fs.readFileSync(process.argv[1])).version' "$CLIENTS/$1/node_modules/$name/package.json" 2>/dev/null
}

# old_node: whether the node at hand is too old for gemini-cli (and node 22 of npm is taken)
old_node() { [ "$(node -p 'parseInt(process.versions.node)')" -lt 22 ]; }

# client AGENT: sets the array CLIENT to the command that starts it
client() {
  local m=$CLIENTS/$1/node_modules n=node f
  CLIENT=()
  case $1 in
  claude-code) set -- "$m"/@anthropic-ai/claude-code-"$platform"/claude ;;
  codex) set -- "$m"/@openai/codex-"$platform"/vendor/*/bin/codex ;;
  opencode)
    if [ -r /proc/cpuinfo ] && ! grep -qw avx2 /proc/cpuinfo; then set -- "$m"/opencode-"$platform"-baseline/bin/opencode
    else set -- "$m"/opencode-"$platform"/bin/opencode; fi ;;
  pi) set -- "$m"/@earendil-works/pi-coding-agent/dist/cli.js; CLIENT=(node) ;;
  gemini-cli)
    old_node && n=$CLIENTS/node/node_modules/node-$platform/bin/node
    set -- "$m"/@google/gemini-cli/bundle/gemini.js; CLIENT=("$n") ;;
  *) return 1 ;;
  esac
  f=$1
  [ -r "$f" ] && { [ "${CLIENT[0]-node}" = node ] || [ -x "${CLIENT[0]}" ]; } || { CLIENT=(); return 1; }
  CLIENT+=("$f")
}
