#!/bin/bash
#
# sent.bash AGENT FILE: resumes a copy of the session FILE in AGENT, with no network but a mock of the model's
# API, and prints the request body that holds the conversation. Ends with 0; 1, the client did not load the
# file, or nothing of it; 75, it took longer than CLIENT_SECONDS (60); 77, it cannot be tried here. FILE is never touched, the client's HOME is new and goes
# away. Two changes are made to the copy: the directory in pi's header, since that must exist, and the model's
# provider in codex's, which a resume must not change. With CLIENT_KEEP, a name, the session as the client left it, with
# the turn that it made, is written there. With CLIENT_MAKE, a command, FILE is what that prints in the
# client's own directory, and the client finds it itself: as the newest session of its directory (pickers.bash).

set -u
kit=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
. "$kit/clients.bash"
limit=${CLIENT_SECONDS:-60} port=8099
if [ "${1-}" = --inside ]; then            # in the namespace: REQUESTS SECONDS COMMAND...
  ip link set lo up || exit 77
  node "$kit/mock.mjs" $port "$2" & mock=$!
  limit=$3 n=0
  until (exec 3<>/dev/tcp/127.0.0.1/$port) 2>/dev/null; do
    n=$((n + 1))
    if [ $n = $((limit * 20)) ] || ! kill -0 $mock 2>/dev/null; then echo "sent: the mock did not start"; exit 124; fi
    sleep 0.05
  done
  shift 3; n=0
  for step; do
    n=$((n + 1))
    timeout -k 2 "$limit" bash -c "$step" </dev/null; rc=$?
    [ $rc = 0 ] || { echo "sent: step $n of $# ended with $rc"; break; }
  done
  kill $mock; exit $rc
fi
[ $# = 2 ] || { echo "usage: sent.bash AGENT FILE   AGENT: $AGENTS" >&2; exit 64; }
agent=$1 file=$2
package "$agent" >/dev/null && [ "$agent" != node ] || { echo "sent: $agent: no such agent ($AGENTS)" >&2; exit 64; }
[ -f "$file" ] && [ -r "$file" ] || { echo "sent: $file: cannot be read" >&2; exit 66; }
file=$(realpath "$file")
client "$agent" || { echo "sent: $agent is not installed: run install.bash $agent" >&2; exit 77; }
command -v ip >/dev/null || { echo "sent: ip (iproute2) is needed to set up the loopback" >&2; exit 77; }
for net in 'unshare -npf --kill-child --mount-proc' 'unshare -npf --kill-child' \
  'unshare -rnpf --kill-child --mount-proc' 'unshare -rnpf --kill-child' ''; do
  [ -z "$net" ] || $net true 2>/dev/null && break
done
[ -n "$net" ] || { echo "sent: no right to unshare -n, so the client could reach the network" >&2; exit 77; }

tmp=$(mktemp -d "${TMPDIR:-/tmp}/ctx-sent.XXXXXX") || exit 73
job=
end() {                                    # with its first process, the namespace loses all others
  [ -z "$job" ] || { kill -9 $job; wait $job; sleep 0.2; } 2>/dev/null
  for _ in 1 2 3 4 5; do rm -rf "$tmp" 2>/dev/null && [ ! -e "$tmp" ] && break; sleep 0.2; done
}
trap end EXIT
trap 'exit 130' INT TERM HUP
tmp=$(cd "$tmp" && pwd -P)
H=$tmp/home W=$tmp/work R=$tmp/requests
mkdir -p "$H" "$W" "$R" "$tmp/tmp"
pick=${CLIENT_MAKE-} keep=${CLIENT_KEEP-} left=
# id_of FILTER: what the first line of the session says is its id.
id_of() { head -n 1 "$file" | node -p "JSON.parse(fs.readFileSync(0))$1" 2>/dev/null; }
if [ "$pick" ]; then
  file=$tmp/made.jsonl
  (cd "$W" && bash -c "$pick") >"$file" || exit 64
fi
base=http://127.0.0.1:$port
prompt=$(node --input-type=module -e "import { PROMPT } from '$kit/neutral.mjs'; console.log(PROMPT)")
run=$(printf '%q ' "${CLIENT[@]}") ask=$(printf %q "$prompt") vars=() steps=()
# head_with FILE COPY CHANGE: a copy of FILE, with CHANGE done to o, its first line.
head_with() {
  (cd "$W" && node -e 'const s=fs.readFileSync(process.argv[1]),k=s.indexOf(10)<0?s.length:s.indexOf(10);let h=s.subarray(0,k);
    try{const o=JSON.parse(h);'"$3"';h=Buffer.from(JSON.stringify(o))}catch{}
    fs.writeFileSync(process.argv[2],Buffer.concat([h,s.subarray(k)]))' -- "$1" "$2")
}
put() { mkdir -p "$(dirname "$2")" && cat -- "$1" >"$2"; }

case $agent in
claude-code)
  id=00000000-0000-4000-8000-000000000001
  [ -z "$pick" ] || id=$(id_of .sessionId)
  left=$H/.claude/projects/$(printf %s "$W" | tr -c 'A-Za-z0-9' -)/$id.jsonl
  put "$file" "$left"
  vars=(ANTHROPIC_BASE_URL="$base" ANTHROPIC_API_KEY=x DISABLE_AUTOUPDATER=1 DISABLE_TELEMETRY=1 DISABLE_AUTO_COMPACT=1
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1)
  from="--resume $id"
  [ -z "$pick" ] || from=--continue
  [ "$keep" ] || from+=' --fork-session'
  steps=("$run --bare $from -p $ask --output-format json --tools ''") ;;
codex)
  id=01990000-0000-7000-8000-000000000001 last=
  [ -z "$pick" ] || id=$(id_of .payload.id) last=--last
  mkdir -p "$H/.codex/sessions/2026/01/01"
  left=$H/.codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-$id.jsonl
  head_with "$file" "$left" \
    'if (o.payload && (process.env.CLIENT_MAKE || "model_provider" in o.payload)) o.payload.model_provider = "mock"'
  cat >"$H/.codex/config.toml" <<END
model = "gpt-5-codex"
model_provider = "mock"
model_auto_compact_token_limit = 1000000000
tool_output_token_limit = 1000000000
[model_providers.mock]
name = "mock"
base_url = "$base/v1"
wire_api = "responses"
env_key = "MOCK_KEY"
[analytics]
enabled = false
END
  vars=(MOCK_KEY=x)
  steps=("$run exec --skip-git-repo-check resume ${last:-$id} $ask") ;;
pi)
  mkdir -p "$H/.pi/agent"
  left=$W/session.jsonl
  head_with "$file" "$left" 'if (o.type === "session" && "cwd" in o) o.cwd = process.cwd()'
  echo '{}' >"$H/.pi/agent/auth.json"
  echo '{"compaction":{"enabled":false},"retry":{"enabled":false}}' >"$H/.pi/agent/settings.json"
  echo '{"providers":{"mock":{"baseUrl":"'$base'","apiKey":"x","api":"anthropic-messages","models":[{"id":"m","name":"m","reasoning":false,
    "input":["text","image"],"contextWindow":100000000,"maxTokens":1000,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0}}]}}}' >"$H/.pi/agent/models.json"
  vars=(PI_OFFLINE=1 PI_TELEMETRY=0)
  from='--session session.jsonl'
  [ -z "$pick" ] || { from=--continue; put "$file" "$H/.pi/agent/sessions/--$(printf %s "${W#/}" | tr / -)--/2026-01-01T00-00-00-000Z_$(id_of .id).jsonl"; }
  steps=("$run --offline --provider mock --model m $from -p $ask --no-tools -ne -ns -nc") ;;
opencode)
  put "$file" "$tmp/session.json"
  id=$(node -p 'JSON.parse(fs.readFileSync(process.argv[1])).info.id' -- "$file" 2>/dev/null)
  mkdir -p "$H/.config/opencode"
  echo '{"autoupdate":false,"share":"disabled","snapshot":false,"compaction":{"auto":false,"prune":false},"model":"mock/m","small_model":"mock/m",
    "provider":{"mock":{"npm":"@ai-sdk/anthropic","name":"mock","options":{"baseURL":"'$base'/v1","apiKey":"x"},
    "models":{"m":{"name":"m","attachment":true,"modalities":{"input":["text","image"],"output":["text"]},"limit":{"context":100000000,"output":1000}}}}}}' >"$H/.config/opencode/opencode.json"
  vars=(OPENCODE_DISABLE_AUTOUPDATE=1 OPENCODE_DISABLE_MODELS_FETCH=1)
  from="-s $(printf %q "$id")"
  [ -z "$pick" ] || from=--continue
  steps=("$run import $(printf %q "$tmp/session.json")" "$run run -m mock/m $from $ask")
  left=$tmp/left.json
  [ -z "$keep" ] || steps+=("$run export $(printf %q "$id") >$(printf %q "$left")") ;;
gemini-cli)
  case $file in *.jsonl) copy=$tmp/session.jsonl ;; *) copy=$tmp/session.json ;; esac
  put "$file" "$copy"
  mkdir -p "$H/.gemini"
  echo '{"security":{"auth":{"selectedType":"gemini-api-key"}},"privacy":{"usageStatisticsEnabled":false},"telemetry":{"enabled":false},
    "general":{"enableAutoUpdate":false},"model":{"compressionThreshold":1}}' >"$H/.gemini/settings.json"
  vars=(GOOGLE_GEMINI_BASE_URL="$base" GEMINI_API_KEY=x)
  from="--session-file $(printf %q "$copy")"
  if [ "$pick" ]; then
    from='--resume latest'
    put "$file" "$H/.gemini/tmp/work/chats/session-2026-01-01T00-00-$(id_of .sessionId | cut -c 1-8).jsonl"
    echo "{\"projects\":{\"$W\":\"work\"}}" >"$H/.gemini/projects.json"
    echo "$W" >"$H/.gemini/tmp/work/.project_root"
  fi
  left="$H/.gemini/tmp/work/chats/session-*.jsonl"
  steps=("$run --skip-trust -m gemini-2.5-flash $from -p $ask") ;;
esac

cd "$W" || exit 73
$net env -i PATH="$PATH" HOME="$H" TMPDIR="$tmp/tmp" LANG=C.UTF-8 TERM=dumb NO_COLOR=1 CTX_CLIENTS="$CLIENTS" "${vars[@]}" \
  bash "$kit/sent.bash" --inside "$R" $limit "${steps[@]}" </dev/null >"$tmp/words" 2>&1 & job=$!
wait $job; rc=$?; job=
# Of two files that Gemini CLI leaves, the smaller has only the new turn.
# shellcheck disable=SC2086
[ ! "$keep" ] || cat "$(ls -S $left | head -n 1)" >"$keep" || exit 1
expired=; [ $rc != 124 ] && [ $rc != 137 ] || expired=1
if [ ! "$expired" ] && node "$kit/body.mjs" "$agent" "$R"; then exit 0; fi
if [ "$expired" ]; then echo "sent: $agent: no answer within $limit seconds" >&2
elif [ -n "$(ls "$R")" ]; then echo "sent: $agent started, but sent nothing of the session" >&2
else echo "sent: $agent did not load the session (exit status $rc)" >&2; fi
tail -n 20 "$tmp/words" | cut -c1-2000 >&2
[ -z "$expired" ] || exit 75
exit 1
