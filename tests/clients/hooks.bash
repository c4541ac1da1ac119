#!/bin/bash
#
# hooks.bash: the hook of ctx-hooks(7), as the page has it, in Claude Code's own client, without a network: what
# PreCompact prints is in the request for the summary, and what SessionStart prints in the next one. The last line
# says how it went; where it cannot be tried, the status is 77.

set -uo pipefail
cd "${BASH_SOURCE%/*}/../.." || exit
: "${BUILD:=build}"
PATH=$(realpath "$BUILD")/bin:$PATH
. tests/clients/clients.bash
# shellcheck disable=SC1090
. <(sed -n '/^display()/,/^}/p' tests/helper.bash; sed -n '/^session()/,/^}/p' tests/ctx-hooks.bats)
client claude-code || { echo 'hooks: claude-code is not installed: tests/clients/install.bash claude-code'; exit 77; }
unshare -n true 2>/dev/null || { echo 'hooks: no right to unshare -n, so the client could reach the network'; exit 77; }

kit=$PWD/tests/clients work=$(mktemp -d) id=00000000-0000-4000-8000-000000000001
trap 'rm -rf "$work"' EXIT
config=$work/home/.claude
folder=$config/projects/$(printf %s "$work" | tr -c 'A-Za-z0-9' -)
mkdir -p "$folder" "$work/requests"
session "$folder/$id.jsonl"
display man/ctx-hooks.7 '#!/bin/bash' >"$config/ctx-hook.sh"
display man/ctx-hooks.7 '"PreCompact"' >"$config/settings.json"
chmod +x "$config/ctx-hook.sh"

steps=()
for prompt in /compact 'And pier 5?'; do
    steps+=("$(printf '%q ' "${CLIENT[@]}" --resume $id -p "$prompt" --output-format json --tools '')")
done
cd "$work" || exit
unshare -npf --kill-child --mount-proc env -i PATH="$PATH" HOME="$work/home" TMPDIR="$work" LANG=C.UTF-8 TERM=dumb \
    ANTHROPIC_BASE_URL=http://127.0.0.1:8099 ANTHROPIC_API_KEY=x DISABLE_AUTOUPDATER=1 DISABLE_TELEMETRY=1 \
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 CTX_CLIENTS="$CLIENTS" \
    bash "$kit/sent.bash" --inside requests "${CLIENT_SECONDS:-60}" "${steps[@]}" </dev/null >words 2>&1 ||
    { echo "hooks: the client ended with $?"; tail -n 5 words; exit 1; }

# has TEXT...: whether one text of a request has all of these.
has() {
    jq -n --args '[inputs | .. | strings] | any(.[]; . as $said | all($ARGS.positional[]; . as $text | $said | contains($text)))' \
        "$@" < <(cat requests/*) | grep -qx true
}

for text in 'never touch pier 9' '[summary] ' 'ctx-recall '; do
    has 'Additional Instructions:' 'Keep in the summary the rules' "$text" || { echo "hooks: not in the request for the summary: $text"; exit 1; }
    has 'SessionStart:compact hook success: ' "$text" || { echo "hooks: not behind the summary: $text"; exit 1; }
done
echo 'hooks: claude-code has the rules and the digest in the request for the summary, and behind the summary'
