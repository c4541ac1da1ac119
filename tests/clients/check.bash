#!/bin/bash
#
# check.bash: resumes sessions in the agents' own clients, and compares what a client sends to its model with what
# ctx-normalize reads (check.mjs): a session made from harbour.jsonl; those that ctx-normalize --to writes of it, of
# parts.jsonl and of real sessions of the other agents, each held against what it was written of; those of
# tests/fixtures and, where they stand beside the tree ($CTX_SHARED), CLIENTS_FILES real ones of each agent (8; all),
# from the smallest to the largest; and what --into writes of all these, isolated and compacted, held against the log.
# CLIENTS_AGENTS are the agents. The clients are where install.bash puts them ($CTX_CLIENTS); an agent without one
# is skipped. Prints a line for each agent, and what is known to differ, is not loaded, or failed. The last line
# says how it went.

set -uo pipefail
cd "${BASH_SOURCE%/*}/../.." || exit
: "${BUILD:=build}" "${CTX_SHARED:=../shared/transcripts}" "${CLIENTS_FILES:=8}"
PATH=$(realpath "$BUILD")/bin:$PATH
. tests/clients/clients.bash
read -r -a agents <<<"${CLIENTS_AGENTS-$AGENTS}"

work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT

# real_sessions AGENT: CLIENTS_FILES of its files, as far apart in size as can be. What is named storage is a
# message or a part of one in a file of its own, and no session.
real_sessions() {
    local root=$CTX_SHARED/$1
    [[ $1 != codex ]] || root+=-cli
    [[ -d $root ]] || return 0
    find "$root" -type f -size +0 ! -name 'storage_*' -printf '%s\t%p\n' | sort -n | cut -f 2- |
        awk -v wanted="$CLIENTS_FILES" '
            { file[NR] = $0 }
            END {
                if (wanted == "all" || wanted > NR) wanted = NR
                for (i = 1; i <= wanted; i++)
                    print file[wanted == 1 ? 1 : 1 + int((i - 1) * (NR - 1) / (wanted - 1))]
            }'
}

# written AGENT CANONICAL: a line for the session of the agent that ctx-normalize --to writes of the canonical one.
written() {
    local made=$work/written-$1-$((++written))
    ctx-normalize --to "$1" "$2" >"$made.jsonl" 2>/dev/null || exit
    printf '%s\t%s\t%s\n' "$1" "$made.jsonl" "$2"
}

# others AGENT: what ctx reads of two real sessions of the agent before it in the list, without what only codex has, and
# with a result for a call that has none, as --to gives it one.
others() {
    local other=${agents[-1]} agent file canonical others=0
    for agent in "${agents[@]}"; do
        [[ $agent != "$1" ]] || break
        other=$agent
    done
    while read -r file; do
        canonical=$work/of-$other-$((++others)).jsonl
        ctx-normalize --lossy "$file" 2>/dev/null | ctx-select '!role=system,!role=developer' 2>/dev/null |
            grep -v '"agent_id":' |
            ctx-normalize --open-calls=close --bad-lines=drop --bad-file="$work/bad" >"$canonical" 2>/dev/null
        ! grep -q '"role":' "$canonical" || echo "$canonical"
    done < <(real_sessions "$other" | sed -n '4p;5p')
}

# put_back AGENT FILE: a line for what ctx-normalize --into makes of the session, isolated and compacted. What is an
# array of events is put back into the export that export.mjs makes of it.
put_back() {
    local made=$work/into-$1-$((++put)) agent=$1 filter
    node --input-type=module -e '
        import { readFileSync } from "node:fs";
        const { exported } = await import(process.argv[1]);
        process.stdout.write(exported(process.argv[2], readFileSync(process.argv[3], "utf8")));
    ' "$PWD/tests/clients/export.mjs" "$agent" "$2" >"$made.file" 2>/dev/null || return 0
    ctx-normalize "$made.file" >"$made.log" 2>/dev/null
    grep -q '^{"type":"source",' "$made.log" || return 0
    for filter in ctx-isolate 'ctx-compact --limit=4k'; do
        made+=+
        $filter "${made%%+*}.log" >"$made.jsonl" 2>/dev/null || continue
        ! cmp -s "${made%%+*}.log" "$made.jsonl" || continue
        ctx-normalize --into "${made%%+*}.file" "$made.jsonl" >"$made.session" 2>"$made.said" || { cat "$made.said" >&2; exit 1; }
        printf '%s\t%s\t%s\n' "$agent" "$made.session" "$made.jsonl"
    done
}

# A line "AGENT FILE [CANONICAL]" for each, with tabs.
written=0 put=0
for agent in "${agents[@]}"; do
    if ! client "$agent"; then
        printf '{"agent":"%s","verdict":"absent","said":["not installed: tests/clients/install.bash %s"]}\n' "$agent" "$agent" >>"$work/absent"
        continue
    fi
    node tests/clients/make-session.mjs "$agent" <tests/clients/harbour.jsonl >"$work/made-$agent" || exit
    printf '%s\t%s\t%s\n' "$agent" "$work/made-$agent" tests/clients/harbour.jsonl
    for canonical in tests/clients/harbour.jsonl tests/clients/parts.jsonl $(others "$agent"); do
        written "$agent" "$canonical"
    done
    mkdir "$work/traps-$agent"
    node tests/clients/traps.mjs "$agent" "$work/made-$agent" "$work/traps-$agent" | sed "s/^/$agent\t/;s/$/\ttrap/" || exit
    {
        find tests/fixtures -name "$agent-*.jsonl" | sort
        real_sessions "$agent"
    } >"$work/sessions"
    sed "s/^/$agent\t/" "$work/sessions"
    while read -r session; do put_back "$agent" "$session"; done < <(printf '%s\n' "$work/made-$agent" && cat "$work/sessions")
done >"$work/list"
: >>"$work/absent"

# shellcheck disable=SC2016
tr '\n' '\0' <"$work/list" | xargs -0 -r -n 1 -P "$(nproc)" \
    bash -c 'IFS=$'\''\t'\'' read -r -a of <<<"$0"; node tests/clients/check.mjs "${of[@]}"' >"$work/results"
node tests/clients/report.mjs "$(wc -l <"$work/list")" "$CTX_SHARED/" "$work/" <(cat "$work/absent" "$work/results")
