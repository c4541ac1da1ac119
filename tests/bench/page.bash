#!/bin/bash
#
# page.bash: one page of what ctx costs beside others: a table with a row for each comparison, ours and
# theirs in ms of CPU, the ratio, and what was asked of it; rounds.bash says how it is measured. Two streams
# are looked at, a generated one and one of the real sessions below CTX_SHARED (else those of tests/fixtures).
#
# Each size is for the cheaper half of a machine's minutes; the page is to be had in less than ten:
#     BENCH_MB (200)         of a stream beside cat, and of interleaved sessions of 20 kB
#     BENCH_JQ_MB (30)       of a stream beside jq
#     BENCH_SESSIONS (2000)  of 30 kB, by xargs and by --each
#     BENCH_TEXT_MB (2)      of each text that is counted
# Others are found by their names; these say where one is: JQ16 (jq), JQ18 (jq-1.8), GOJQ (gojq); COUNTER, a
# program that counts the records of 4 KB of a text FILE by o200k_base and prints "TOKENS SECONDS", of CPU.
# tiktoken and the counters in JavaScript come from npm. What is not there is named below the table.

# shellcheck disable=SC2154 # what is not set here, rounds.bash sets
set -euo pipefail
cd "${BASH_SOURCE%/*}/../.."
: "${BENCH_MB:=200}" "${BENCH_JQ_MB:=30}" "${BENCH_SESSIONS:=2000}" "${BENCH_TEXT_MB:=2}" "${BUILD:=build}"
: "${CTX_SHARED:=../shared/transcripts}" "${JQ16:=jq}" "${JQ18:=jq-1.8}" "${GOJQ:=gojq}" "${COUNTER:=}"
# shellcheck source=tests/bench/rounds.bash
source tests/bench/rounds.bash

missing=()
rows=()

# has PROGRAM NAME: whether it is here; if not, it is named once.
has() {
    ! type -P "$1" >/dev/null || return 0
    [[ " ${missing[*]-} " == *" $2 "* ]] || missing+=("$2")
    return 1
}

# compare WHAT INPUT OURS THEIRS ASKED NAME EACH [OTHER CASE]...: a row for two cases that were measured. ASKED is
# ">=N", theirs over ours, or "<=N", ours over theirs, or "-"; NAME is what theirs is called; a case does the work
# EACH times. What others, of which the cases are CASE, take over ours, ends the row.
compare() {
    local ratio met=- what=$1 input=$2 ours=$3 theirs=$4 asked=$5 name=$6 each=$7 also=
    shift 7
    case $asked in
    '<='*) ratio=$(ratio "$ours" "$theirs" 2) ;;
    *) ratio=$(ratio "$theirs" "$ours" 2) ;;
    esac
    [[ $asked == - ]] || met=$(awk -v ratio="$ratio" -v goal="${asked#?=}" -v most="${asked%%=*}" \
        'BEGIN { print (most == "<" ? ratio <= goal : ratio >= goal) ? "yes" : "no" }')
    for (( ; $#; )); do
        also+="${also:+, }$1 $(ratio "$2" "$ours" 2)"
        shift 2
    done
    rows+=("$(printf '%-33s %-9s %8s %8s  %-17s %6s %6s %-4s %s' "$what" "$input" "$(per "$ours" "$each")" \
        "$(per "$theirs" "$each")" "$name" "$ratio" "$asked" "$met" "$also" | sed 's/ *$//')")
}

# per NAME EACH: CPU of a case, in ms.
per() {
    figure "$1" 2 | awk -v each="$2" '{ printf "%.2f", $1 * 1000 / each }'
}

# table: measures the cases that were added, by the rows that the functions of the arguments make of them.
table() {
    printf 'bench: %s\n' "$1" >&2
    run_rounds
    "$@"
    forget
}

# --- The streams -----------------------------------------------------------------------------------

# Real sessions have records that nobody understands.
allowed+=(65)
canonical() {
    ctx-normalize "$@" 2>/dev/null || (($? == 65))
}

# real MB: the real sessions, read once, again and again; each copy has ids of its own.
real() {
    local file copy=0
    if [[ ! -s $work/sessions ]]; then
        if [[ -d $CTX_SHARED ]]; then
            find "$CTX_SHARED" -type f -name '*.json*' -size -2048k
        else
            find tests/fixtures -name '*.jsonl'
        fi | sort | while read -r file; do
            ctx-normalize --repair "$file" 2>/dev/null || true
        done | canonical --bad-lines drop --bad-file /dev/null | grep '^{.*"role":"' >"$work/sessions"
        [[ -s $work/sessions ]] || { printf 'bench: no session could be read\n' >&2 && exit 66; }
    fi
    while ((copy * $(wc -c <"$work/sessions") < $1 * 1000000)); do
        copy=$((copy + 1))
        sed -E "s/\"(id|tool_call_id|session_id|execution_id)\":\"/&r$copy-/g" "$work/sessions"
    done
}

# make_streams: KIND, canonical and beside jq, and KIND-large, of each kind.
make_streams() {
    printf 'bench: streams\n' >&2
    "$BENCH_BIN/generate" $((BENCH_MB * 1000000)) "$BENCH_SEED" >"$work/generated-large"
    "$BENCH_BIN/generate" $((BENCH_JQ_MB * 1000000)) "$BENCH_SEED" | canonical >"$work/generated"
    real "$BENCH_MB" >"$work/real-large"
    real "$BENCH_JQ_MB" | canonical >"$work/real"
    cat "$work"/* >/dev/null
}

# --- Beside cat ------------------------------------------------------------------------------------

beside_cat() {
    compare 'identity, a file' "$kind" ours theirs '<=1.7' 'cat FILE' 1
    compare 'identity, between two pipes' "$kind" 'ours in pipes' 'theirs in pipes' '<=1.3' 'cat' 1
}

# --- Beside jq -------------------------------------------------------------------------------------

# What --policy mask does, with bytes for its 200 tokens.
printf '%s' 'if .role == "tool" and (.content | type == "string" and utf8bytelength > 800) then
    .content = "[tool result masked, \(.content | utf8bytelength) B]" else . end' >"$work/mask.jq"
printf '%s\n' 'one: ctx-normalize' 'two: ctx-route' 'three: ctx-isolate --policy transparent' \
    'four: ctx-project --view all' 'five: ctx-budget --estimator bytes/4' >"$work/five"
pipeline='ctx-normalize | ctx-route | ctx-isolate --policy transparent | ctx-project --view all |
    ctx-budget --estimator bytes/4'

# A row for each: WHAT|OURS, behind it FILE|what jq does|ASKED of jq 1.6.
beside=(
    'conversation view|ctx-project --view conversation|select(.role != "tool")|>=45'
    'mask|ctx-isolate --policy mask|.|>=30'
    "mask, the same in jq|ctx-isolate --policy mask|-f $work/mask.jq|-"
    'boundary|ctx-isolate|.|>=32'
    'normalize of canonical input|ctx-normalize|.|>=50'
    'normalize to anthropic|ctx-normalize --to anthropic|.|>=25'
    'five stages, processes|pipeline|.|>=8'
    "five stages, one process|ctx-compile -p $work/five --line '--limit 100G'|.|>=12"
)
jqs=("jq 1.6|$JQ16" "jq 1.8|$JQ18" "gojq|$GOJQ")

add_beside_jq() {
    local row what ours filter asked jq name
    for row in "${beside[@]}"; do
        IFS='|' read -r what ours filter asked <<<"$row"
        case $ours in
        pipeline) add "$what" "$run sh -c 'cat $work/$kind | $pipeline'" ;;
        *) add "$what" "$run $ours $work/$kind" ;;
        esac
        for jq in "${jqs[@]}"; do
            name="${jq%|*} $filter"
            has "${jq#*|}" "${jq%|*}" && [[ ! -v command["$name"] ]] || continue
            case $filter in
            -f*) add "$name" "$run ${jq#*|} -c $filter $work/$kind" ;;
            *) add "$name" "$run ${jq#*|} -c '$filter' $work/$kind" ;;
            esac
        done
    done
}

beside_jq() {
    local row what ours filter asked jq name
    local -a others
    has "$JQ16" 'jq 1.6' || return 0
    for row in "${beside[@]}"; do
        IFS='|' read -r what ours filter asked <<<"$row"
        case $filter in
        .) name='jq 1.6 -c .' ;;
        -f*) name='jq 1.6 mask' ;;
        *) name='jq 1.6 select' ;;
        esac
        others=()
        for jq in "${jqs[@]:1}"; do
            [[ ! -v command["${jq%|*} $filter"] ]] || others+=("${jq%|*}" "${jq%|*} $filter")
        done
        compare "$what" "$kind" "$what" "jq 1.6 $filter" "$asked" "$name" 1 "${others[@]}"
    done
}

# --- A file of an agent ----------------------------------------------------------------------------

agents=(codex claude-code)

# make_agents: AGENT-generated, of a tenth of the stream, and AGENT-real, the largest that is there.
make_agents() {
    local agent file
    for agent in "${agents[@]}"; do
        "$BENCH_BIN/generate" $((BENCH_JQ_MB * 100000)) "$BENCH_SEED" session |
            awk -v agent="$agent" -f tests/bench/native.awk >"$work/$agent-generated"
        file=$({ find "$CTX_SHARED/$agent" "$CTX_SHARED/$agent-cli" -type f -name '*.jsonl' -size -2048k \
            -printf '%s %p\n' 2>/dev/null || true; } | sort -n | tail -n 1 | cut -d ' ' -f 2-)
        [[ -z $file ]] || cp "$file" "$work/$agent-real"
    done
}

add_native() {
    local agent file
    for agent in "${agents[@]}"; do
        for file in "$work/$agent"-{real,generated}; do
            [[ -e $file ]] || continue
            add "$file" "$run sh -c 'ctx-normalize $file | ctx-compact --limit 32k --best-effort |
                ctx-normalize --into $file -o $work/new'"
            ! has "$JQ16" 'jq 1.6' || add "$file jq" "$run $JQ16 -c . $file"
        done
    done
}

native() {
    local agent kind
    for agent in "${agents[@]}"; do
        for kind in real generated; do
            [[ ! -v command["$work/$agent-$kind jq"] ]] ||
                compare "$agent: read, compact, write" "$kind" "$work/$agent-$kind" "$work/$agent-$kind jq" '>=10' \
                    'jq 1.6 -c .' 1
        done
    done
}

# --- Small sessions --------------------------------------------------------------------------------

many=200
small=('ctx-budget --json|<=1.9' 'ctx-compact --window 8k|<=2.2' "ctx-compile -p $work/five|<=3")

# make_small: sessions of 30 kB in the mean that begin with a message of the user.
make_small() {
    mkdir "$work/small"
    "$BENCH_BIN/generate" $((BENCH_SESSIONS * 31000)) "$BENCH_SEED" |
        awk -v most="$BENCH_SESSIONS" -v dir="$work/small" '
            /^{"role":"(user|system)"/ && (file == "" || bytes > 20000) {
                if (file != "") close(file)
                if (++count > most) exit
                file = dir "/" count ".jsonl"
                bytes = 0
            }
            { bytes += length($0) + 1; print >file }'
    find "$work/small" -name '*.jsonl' >"$work/list"
    head -c 30000 "$work/generated" | sed '$d' >"$work/session"
}

# starts COMMAND: many of them on a small session, one after another.
starts() {
    printf '%s' "$run sh -c 'i=$many; while [ \$i -gt 0 ]; do $1 $work/session >/dev/null; i=\$((i - 1)); done'"
}

add_small() {
    local row name
    add 'empty' "$(starts "$BENCH_BIN/empty")"
    add 'empty xargs' "$run xargs -n 1 $BENCH_BIN/empty <$work/list"
    for row in "${small[@]}"; do
        name=${row%|*}
        add "$name" "$(starts "$name")"
        add "$name xargs" "$run xargs -n 1 $name <$work/list"
        [[ $name != ctx-budget* ]] || add "$name each" "$run xargs $name --each <$work/list"
    done
}

small_sessions() {
    local row name title
    for row in "${small[@]}"; do
        name=${row%|*} title=${row%|*}
        [[ $name != ctx-compile* ]] || title='a profile of five stages'
        compare "$title" '30 kB' "$name" empty "${row#*|}" 'an empty program' "$many"
        compare "$title, xargs" "$count" "$name xargs" 'empty xargs' "${row#*|}" 'an empty program' "$count"
        [[ ! -v command["$name each"] ]] ||
            compare "$title, --each" "$count" "$name each" 'empty xargs' "${row#*|}" 'an empty program' "$count"
    done
}

# --- Interleaved sessions --------------------------------------------------------------------------

interleaved=$((BENCH_MB * 50))
streams=('ctx-normalize' 'ctx-route' 'ctx-isolate --policy transparent' 'ctx-isolate' 'ctx-project --view all'
    'ctx-project --view conversation' 'ctx-project' 'ctx-select --exact role=tool' 'ctx-select role=tool'
    'ctx-budget --estimator bytes/4')

add_interleaved() {
    local sessions name
    for sessions in 1 "$interleaved"; do
        "$BENCH_BIN/generate" $((BENCH_MB * 1000000)) "$BENCH_SEED" interleaved "$sessions" >"$work/of-$sessions"
    done
    for name in "${streams[@]}"; do
        add "$name" "$run $name $work/of-1"
        add "$name, keyed" "$run $name --session-key metadata.session_id $work/of-$interleaved"
    done
}

interleaved_sessions() {
    local name
    for name in "${streams[@]}"; do
        compare "$name" "$interleaved" "$name, keyed" "$name" '>=0.67' 'one session' 1
    done
}

# --- Counting --------------------------------------------------------------------------------------

texts=(talk tools source cjk)
modules=$BUILD/npm-bench
declare -A counters=()

# find_counters: COUNTER and those of npm, as commands that print "TOKENS SECONDS" of a text.
find_counters() {
    local tool
    local -a packages=(tiktoken@1.0.22 gpt-tokenizer@4.0.0 ai-tokenizer@1.0.6)
    if [[ -n $COUNTER ]]; then
        counters[${COUNTER##*/}]=$COUNTER
    else
        missing+=('a compiled counter (COUNTER)')
    fi
    if type -P node >/dev/null && { [[ -e $modules/node_modules/ai-tokenizer ]] ||
        npm install --no-save --prefix "$modules" "${packages[@]}" >"$BUILD/npm-bench.log" 2>&1; }; then
        for tool in "${packages[@]%@*}"; do
            counters[$tool]="env TOOL=$tool node tests/bench/tokens-others.mjs $modules"
        done
    else
        missing+=("${packages[@]%@*}")
    fi
}

# count_texts: the counters take turns, a process a text; a record of a round has their own seconds.
count_texts() {
    local round text tool core=$(($(nproc) - 1)) tokens theirs seconds
    printf 'bench: counting\n' >&2
    bash tests/bench/tokens-real.bash "$work" "$BENCH_TEXT_MB" 2>/dev/null
    for ((round = 0; round < BENCH_ROUNDS; round++)); do
        for text in "${texts[@]}"; do
            read -r _ _ tokens seconds < <(CTX_VOCAB_PATH=$BUILD/share/ctx taskset -c "$core" \
                "$BENCH_BIN/tokens" o200k_base "$work/$text.txt")
            samples[ctx $text]+="0 $seconds 0"$'\n'
            for tool in "${!counters[@]}"; do
                # shellcheck disable=SC2086 # a command and its arguments
                taskset -c "$core" ${counters[$tool]} "$work/$text.txt" | awk '{ print $(NF - 1), $NF }' >"$work/counted"
                read -r theirs seconds <"$work/counted"
                samples[$tool $text]+="0 $seconds 0"$'\n'
                [[ $theirs == "$tokens" ]] || differs[$tool]+=" $text"
            done
        done
    done
}
declare -A differs=()

# counted: the fastest counter of a text is what is asked for.
counted() {
    local text tool best
    local -a others
    for text in "${texts[@]}"; do
        best=$(for tool in "${!counters[@]}"; do
            printf '%s %s\n' "$(figure "$tool $text" 2)" "$tool"
        done | sort -g | head -n 1)
        others=()
        for tool in "${!counters[@]}"; do
            [[ $tool == "${best#* }" ]] || others+=("$tool" "$tool $text")
        done
        compare "count, ${text/talk/chat}" "$(wc -c <"$work/$text.txt" | awk '{ printf "%.1f MB", $1 / 1e6 }')" \
            "ctx $text" "${best#* } $text" '>=3' "${best#* }" 1 "${others[@]}"
    done
}

# --- The page --------------------------------------------------------------------------------------

make_streams
for kind in real generated; do
    in=$work/$kind-large
    add ours "$run ctx-isolate --policy transparent $in"
    add theirs "$run cat $in"
    add 'ours in pipes' "cat $in | $run ctx-isolate --policy transparent | cat"
    add 'theirs in pipes' "cat $in | $run cat | cat"
    table beside_cat
    rm "$in"
done
for kind in real generated; do
    add_beside_jq
    table beside_jq
done
make_agents
add_native
table native
make_small
count=$(wc -l <"$work/list")
add_small
table small_sessions
rm -rf "$work/small"
add_interleaved
table interleaved_sessions
rm "$work"/of-*
find_counters
((!${#counters[@]})) || { count_texts && counted; }

printf 'ctx %s: CPU in ms, the median of %s rounds in which all take turns, %s\n' \
    "$(ctx --version | cut -d ' ' -f 3)" "$BENCH_ROUNDS" "$(uname -m), $(nproc) cores"
printf 'asked: >= theirs over ours, <= ours over theirs, of jq 1.6 and of the fastest counter here\n\n'
printf '%-33s %-9s %8s %8s  %-17s %6s %6s %-4s %s\n' what input ours theirs 'they are' ratio asked met \
    'others over ours'
printf '%s\n' "${rows[@]}"
printf '\n%s of %s asked ratios are met\n' "$(printf '%s\n' "${rows[@]}" | grep -cE ' [<>]=[0-9.]+ yes')" \
    "$(printf '%s\n' "${rows[@]}" | grep -cE ' [<>]=[0-9.]+ ')"
for jq in "${jqs[@]}"; do
    ! type -P "${jq#*|}" >/dev/null || printf '%s: %s\n' "${jq%|*}" "$("${jq#*|}" --version)"
done
[[ -d $CTX_SHARED ]] || printf 'real: the sessions of tests/fixtures\n'
for tool in "${!differs[@]}"; do
    printf '%s counts other tokens than ctx:%s\n' "$tool" "${differs[$tool]}"
done
((!${#missing[@]})) || printf 'not here:%s\n' "$(printf ' %s;' "${missing[@]}" | sed 's/;$//')"
