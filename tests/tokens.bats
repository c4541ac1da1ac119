#!/usr/bin/env bats
#
# Counting tokens: a recorded sample, the rank files, and vocabularies that are missing or broken.
# make check-tokens compares much more with the published tokenizer.

load helper

setup() {
    fresh_directory
    build=${CTX_BIN%/bin}
    count=$build/tests/tokens/count
    vocab=$build/share/ctx
    export CTX_VOCAB_PATH=$vocab
    mkdir v
}

# counts OPTIONS ENCODING COLUMN: the sample counts as it was recorded.
counts() {
    # shellcheck disable=SC2086
    "$count" $1 "$2" <"$FIXTURES/tokens-sample.jsonl" >got
    cut -f "$3" "$FIXTURES/tokens-sample.tsv" >want
    [[ -s want ]]
    same "$2" want got
}

# refused STATUS PATTERN: with the vocabularies in v, count ends so and says so, in one line.
refused() {
    CTX_VOCAB_PATH=$PWD/v status_of "$1" "$count" o200k_base </dev/null >out 2>err
    [[ ! -s out && $(wc -l <err) == 1 ]]
    # shellcheck disable=SC2053
    [[ $(<err) == $2 ]] || fail "said: $(<err)"
}

# poke FILE OFFSET BYTE...: overwrites bytes.
poke() {
    # shellcheck disable=SC2059
    printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

@test "tokens: the recorded sample counts as the published tokenizer counts it" {
    counts -j o200k_base 1
    counts -j cl100k_base 2
}

@test "tokens: the portable splitter counts the recorded sample alike" {
    counts -jp o200k_base 1
    counts -jp cl100k_base 2
}

@test "tokens: the rank files are the published ones" {
    for name in o200k_base cl100k_base; do
        "$build/ctx-vocabulary" unpack "$ROOT/common/tokens/vocab/$name.ranks" "$name.tiktoken"
    done
    sha256sum --quiet -c <<'END'
446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d  o200k_base.tiktoken
223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7  cl100k_base.tiktoken
END
}

@test "tokens: packing what was unpacked gives the same rank file" {
    "$build/ctx-vocabulary" unpack "$ROOT/common/tokens/vocab/cl100k_base.ranks" text
    "$build/ctx-vocabulary" pack cl100k_base text ranks
    cmp ranks "$ROOT/common/tokens/vocab/cl100k_base.ranks"
}

@test "tokens: a vocabulary has at most 20 MB" {
    for name in o200k_base cl100k_base; do
        (($(stat -c %s "$vocab/$name.vocab") <= 20000000))
    done
}

@test "tokens: a vocabulary is found relative to the program" {
    mkdir -p bin share/ctx
    cp "$count" bin/count
    cp --no-preserve=mode "$vocab/cl100k_base.vocab" share/ctx/
    CTX_VOCAB_PATH='' status_of 0 bin/count cl100k_base </dev/null
    CTX_VOCAB_PATH=/nowhere: status_of 0 bin/count cl100k_base </dev/null
}

@test "tokens: a truncated vocabulary is status 78" {
    head -c 100 "$vocab/o200k_base.vocab" >v/o200k_base.vocab
    refused 78 "count: bad vocabulary $PWD/v/o200k_base.vocab: too short*"
    head -c 5000000 "$vocab/o200k_base.vocab" >v/o200k_base.vocab
    refused 78 '*: its size is not the size in its header'
    : >v/o200k_base.vocab
    refused 78 '*: too short*'
}

@test "tokens: a changed header is status 78" {
    for offset in 0 9 13 17 30 45 60 150 160 170 300 1230 1300 4095; do
        cp --no-preserve=mode "$vocab/o200k_base.vocab" v/o200k_base.vocab
        poke v/o200k_base.vocab "$offset" '\x5a'
        refused 78 "count: bad vocabulary $PWD/v/o200k_base.vocab: *"
    done
}

@test "tokens: a vocabulary of another encoding is status 78" {
    cp --no-preserve=mode "$vocab/cl100k_base.vocab" v/o200k_base.vocab
    refused 78 '*: a vocabulary of another encoding'
}

@test "tokens: damaged content neither crashes nor hangs the counter" {
    local size seed status
    size=$(stat -c %s "$vocab/cl100k_base.vocab")
    for seed in 1 2 3 4 5 6; do
        cp --no-preserve=mode "$vocab/cl100k_base.vocab" v/cl100k_base.vocab
        yes "damage $seed" | head -c $((size / 8)) |
            dd of=v/cl100k_base.vocab bs=4096 seek=$((1 + seed * size / 4096 / 8)) conv=notrunc status=none
        status=0
        CTX_VOCAB_PATH=$PWD/v timeout 60 "$count" -j cl100k_base <"$FIXTURES/tokens-sample.jsonl" >out 2>err || status=$?
        [[ $status == 0 || $status == 70 ]] || fail "status $status: $(<err)"
    done
}

# faults COMMAND ARGUMENT...: how many pages the command touched first, or the kernel gave it at once.
faults() {
    "$build/tests/bench/run" time "$@" >/dev/null
    cut -d ' ' -f 5 time
}

@test "tokens: to count a session of 30 kB few pages are touched" {
    # What the sanitizers touch is theirs.
    ! grep -q __asan_init "$CTX_BIN/ctx-budget" || skip 'with AddressSanitizer'
    "$build/tests/bench/generate" 30000 42 session >session
    # A read of the whole file says whether the kernel maps several pages of it at once.
    local size=0 name
    for name in "$vocab"/*.vocab; do
        size=$((size + $(stat -c %s "$name")))
    done
    (($(faults ctx-budget --verify) < size / 4096 / 4)) || skip 'pages of files are mapped one at a time'
    # 99 where the vocabulary lies in pages of 2 MB, 212 where it does not.
    (($(faults ctx-budget session) < 240)) || fail "$(faults ctx-budget session) page faults"
}
