#!/bin/bash
#
# count.bash: how often each rule of ctx-redact finds something in this repository and,
# where they stand beside the tree ($CTX_SHARED), in the real transcripts. Each file is one text, or
# the JSON that it is. REDACT_SHOW=1 shows the lines with marks, to tell true finds from false ones.
#
# On 26 November 2026, told by eye:
#
#     302 transcripts, 15.4 MB    199 email, all addresses, and 17 password, all of them; in a first
#                                 count 6 more were false (yourpassword, your_api_key, a@14.plist),
#                                 which the rules have passed over since
#     1240 files here             44 email, 13 phone, 9 password, 4 private-key, 2 card, 1 bearer,
#                                 1 url-password, 1 key-value, 1 token-value: examples in comments,
#                                 pages and tests, but one email, which stands in random bytes

set -euo pipefail
cd "${BASH_SOURCE%/*}/../.."
: "${CTX_BIN:=build/bin}" "${CTX_SHARED:=../shared/transcripts}"

# count WHAT < names of files, each ended by a NUL
count() {
    local file
    printf '%s\n' "$1"
    while IFS= read -r -d '' file; do
        jq -Rsc '{role: "user", content: .}' "$file"
    done | if [[ -n ${REDACT_SHOW-} ]]; then
        "$CTX_BIN/ctx-redact" | jq -r .content | grep -aF '[REDACTED:' | cut -c1-300
    else
        "$CTX_BIN/ctx-redact" --report /dev/fd/3 3>&1 >/dev/null |
            jq -c '{texts: .records, redacted}'
    fi
}

git ls-files -z '*.[ch]' '*.inc' '*.md' '*.[157]' '*.bats' '*.bash' '*.sh' '*.mjs' '*.pl' '*.jsonl' | count 'this repository'
[[ ! -d $CTX_SHARED ]] || find "$CTX_SHARED" -type f -print0 | sort -z | count "$CTX_SHARED"
