#!/bin/bash
#
# tokens-real.bash DIRECTORY MEGABYTES: writes the texts that the token benchmark counts beside the
# made ones, so many megabytes each at most. They are what this repository and this machine have:
#
#     talk.txt      messages of the fixtures, the pages, and what packages tell people
#     tools.txt     tool results of the fixtures, and what tools print here
#     source.txt    the source of this repository, the headers and libraries of the machine
#     cjk.txt       pages of the machine in Chinese, Japanese and Korean

set -uo pipefail
cd "${BASH_SOURCE%/*}/../.." || exit
directory=$1 bytes=$(($2 * 1000000))
export LC_ALL=C

# texts FILTER: the texts of the fixtures' messages that the jq filter selects.
texts() {
    cat tests/fixtures/ctx-*.jsonl tests/fixtures/compact-*.jsonl |
        jq -Rr "fromjson? | select(type == \"object\") | select($1) | .content | strings"
}

# plain FILE...: files, unpacked where they are packed, one after another.
plain() {
    local file
    for file; do
        case $file in
        *.gz) gzip -dc -- "$file" ;;
        *) cat -- "$file" ;;
        esac
    done
}

# put NAME: standard input, so much of it as the benchmark counts; one of the tokenizers refuses text
# with the name of a special token.
put() {
    sed 's/<|\([a-z_]*\)|>/\1/g' | head -c "$bytes" >"$directory/$1"
}

shopt -s nullglob globstar
{
    texts '.role != "tool"'
    plain README.md man/*
    find /usr/share/doc -type f \( -name 'README*' -o -name 'NEWS*' -o -name '*.txt' -o -name 'FAQ*' \) |
        sort | xargs -d '\n' gzip -dcf -- 2>/dev/null
} | put talk.txt
{
    texts '.role == "tool"'
    grep -rnI . cmd common tests/*.bats
    git log --stat -n 300 2>/dev/null
    plain /var/log/dpkg.log*
    ls -lR /usr/share 2>/dev/null
} | put tools.txt
{
    plain cmd/**/*.c common/**/*.[ch] tests/**/*.[ch] tests/*.bats
    find /usr/include -name '*.h' | sort | xargs -d '\n' cat -- 2>/dev/null
    find /usr/lib/python3* -name '*.py' 2>/dev/null | sort | xargs -d '\n' cat -- 2>/dev/null
} | put source.txt
# Roff is taken off, and lines without a wide character are English.
plain /usr/share/man/{ja,ko,zh}*/*/* |
    sed -e '/^[.'\''\\]/d' -e 's/\\f.//g' -e 's/\\//g' | grep $'[\xe3-\xed]' | put cjk.txt
