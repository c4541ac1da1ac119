#!/bin/bash
#
# measure-usage.sh DIRECTORY: how far each estimator is from what providers reported.  Of every log
# below DIRECTORY that ctx-normalize can read and that reports the usage of at least LEAST (5)
# responses, each response is a figure: what was reported for it (the whole prompt and the answer),
# divided by what ctx-budget says of the log up to it, its own usage taken out.
#
# A table, tab-separated: estimator, logs, responses, and of those ratios the median and the borders
# between which eight of ten lie.  The rows "growth" leave out what a log does not hold (the system
# prompt and the tools): there both are what one response added to the one before, where that is at
# least 200 tokens.

set -euo pipefail
[[ $# == 1 && -d $1 ]] || {
    printf 'usage: measure-usage.sh directory\n' >&2
    exit 64
}
: "${CTX_BIN:=build/bin}" "${LEAST:=5}"
export LC_ALL=C PATH=$CTX_BIN:$PATH
command -v ctx-normalize ctx-budget jq >/dev/null || {
    printf 'measure-usage.sh: needs jq, and the commands in CTX_BIN\n' >&2
    exit 66
}
estimators=(o200k_base cl100k_base bytes/4 usage calibrated)

work=$(mktemp -d "${TMPDIR:-/tmp}/ctx-usage.XXXXXX")
trap 'rm -rf "$work"' EXIT

# reported: of each line with usage its number and the tokens; numbers are null elsewhere.
reported() {
    jq -R -r 'fromjson? | objects | .metadata?.usage? | objects |
        (.input_tokens // .prompt_tokens // 0) + (.output_tokens // .completion_tokens // 0) +
        (.cache_creation_input_tokens // 0) + (.cache_read_input_tokens // 0) |
        select(. > 0) | "\(input_line_number)\t\(.)"' "$1"
}

# measured LOG: "ESTIMATOR LOG REPORTED COUNTED" for each response and estimator that has an answer.
measured() {
    local line tokens estimator used
    reported "$1" >"$work/reported"
    (($(wc -l <"$work/reported") >= LEAST)) || return 0
    while read -r line tokens; do
        {
            head -n "$((line - 1))" "$1"
            sed -n "${line}p" "$1" | jq -c 'del(.metadata.usage)'
        } >"$work/prefix"
        for estimator in "${estimators[@]}"; do
            used=$(ctx-budget --estimator "$estimator" --json "$work/prefix" 2>/dev/null |
                jq --arg wanted "$estimator" 'select(.estimator == $wanted).used_tokens')
            [[ -z $used ]] || printf '%s %s %s %s\n' "$estimator" "$2" "$tokens" "$used"
        done
    done <"$work/reported"
}

# growth: from the same lines of o200k_base, what each response adds to the one before.
growth() {
    awk '$1 == "o200k_base" || $1 == "cl100k_base" || $1 == "bytes/4" {
        if (log_of[$1] == $2 && $4 - used[$1] >= 200 && $3 > told[$1])
            print "growth " $1, $2, $3 - told[$1], $4 - used[$1]
        log_of[$1] = $2; told[$1] = $3; used[$1] = $4
    }' "$1"
}

# spread NAME: median and tenths of the ratios of "LOG REPORTED COUNTED" lines.
spread() {
    awk '{ printf "%.4f %s\n", $2 / $3, $1 }' | sort -g | awk -v name="$1" '
        { ratio[NR] = $1; logs[$2] = 1 }
        function at(share) { return ratio[int(share * (NR - 1) + 1.5)] }
        END {
            if (!NR) exit
            for (log_name in logs) count++
            printf "%s\t%d\t%d\t%.2f\t%.2f\t%.2f\n", name, count, NR, at(0.5), at(0.1), at(0.9)
        }'
}

number=0
while IFS= read -r file; do
    ctx-normalize "$file" >"$work/log" 2>/dev/null || true
    number=$((number + 1))
    measured "$work/log" "$number" >>"$work/figures"
done < <(find "$1" -type f -name '*.json*' | sort)

printf 'estimator\tlogs\tresponses\tmedian\tfrom\tto\n'
for estimator in "${estimators[@]}"; do
    sed -n "s|^$estimator ||p" "$work/figures" | spread "$estimator"
done
growth "$work/figures" >"$work/growth"
for estimator in o200k_base cl100k_base bytes/4; do
    sed -n "s|^growth $estimator ||p" "$work/growth" | spread "growth, $estimator"
done
