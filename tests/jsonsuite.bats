#!/usr/bin/env bats
#
# The scanner against the JSON Parsing Test Suite, where that stands beside this tree: CTX_SHARED
# names the folder (or its transcripts), in which the suite is jsonsuite/test_parsing.

load helper

suite() {
    SUITE=${CTX_SHARED%/transcripts}/jsonsuite/test_parsing
    [[ -d $SUITE ]] || skip 'no JSON Parsing Test Suite here'
    SCAN=${CTX_BIN%/bin}/tests/unit/json_scan
}

# verdicts PREFIX: "NAME<TAB>accept" or "NAME<TAB>reject" for each file of that prefix.
verdicts() {
    "$SCAN" "$SUITE/$1"* >verdicts.raw || return
    sed -E 's,^([a-z]+)\t.*/,\1\t,' verdicts.raw | awk -F '\t' '{ print $2 "\t" $1 }' >verdicts
}

@test "json: accepts what RFC 8259 says is valid" {
    suite
    verdicts y_
    [[ $(wc -l <verdicts) == 95 ]]
    status_of 1 grep -v 'accept$' verdicts
}

@test "json: refuses what RFC 8259 says is not" {
    suite
    verdicts n_
    [[ $(wc -l <verdicts) == 188 ]]
    status_of 1 grep -v 'reject$' verdicts
}

@test "json: what RFC 8259 leaves open is decided as written down" {
    suite
    verdicts i_
    same verdicts "$FIXTURES/jsonsuite-verdicts.tsv" verdicts
}
