#!/bin/bash
#
# run.bash [TARGET]...: runs fuzz targets, all by default, each for FUZZ_SECONDS (60), on all cores.
# What they find lies in $BUILD/crashes, and as the last lines which targets found something. New
# inputs are kept in $BUILD/corpus, where the next run goes on; those that are worth keeping go to
# tests/fuzz/corpus by hand (TARGET -merge=1 tests/fuzz/corpus/NAME ...), small and few.

set -uo pipefail
cd "${BASH_SOURCE%/*}/../.." || exit
: "${BUILD:=build-fuzz}" "${FUZZ_SECONDS:=60}"
export BUILD FUZZ_SECONDS

run_one() {
    local name=$1 seeds=tests/fuzz/corpus/$1
    [[ $name != ctx-* ]] || seeds=tests/fuzz/corpus/command
    mkdir -p "$BUILD/corpus/$name" "$BUILD/crashes"
    if ASAN_OPTIONS=detect_leaks=0 "$BUILD/tests/fuzz/$name" "$BUILD/corpus/$name" "$seeds" \
        -max_total_time="$FUZZ_SECONDS" -max_len=4096 -timeout=10 -rss_limit_mb=4096 -print_final_stats=1 \
        -use_value_profile=1 -artifact_prefix="$BUILD/crashes/$name." >"$BUILD/$name.log" 2>&1; then
        printf '%s: %s inputs, nothing found\n' "$name" \
            "$(sed -n 's/^stat::number_of_executed_units: *//p' "$BUILD/$name.log")"
    else
        printf '%s: FOUND, see %s\n' "$name" "$BUILD/$name.log"
        grep -aE -m3 '^(SUMMARY|.*(ERROR|runtime error))|Test unit written' "$BUILD/$name.log"
        exit 1
    fi
}
export -f run_one

mapfile -t targets < <(find "$BUILD/tests/fuzz" -type f -executable -printf '%f\n' | sort)
# shellcheck disable=SC2016
printf '%s\n' "${@:-${targets[@]}}" | xargs -n 1 -P "$(nproc)" bash -c 'run_one "$0"'
