#!/usr/bin/env bats
#
# What very many sessions in one stream take of memory.

load helper

# many COUNT ORDER: sessions of five short messages, "interleaved" or "sorted".
many() {
    perl -e 'my ($count, $order) = @ARGV;
        my @said = (q("user","content":"1"),
            q("assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]),
            q("tool","tool_call_id":"c","content":"2"), q("assistant","content":"3"), q("user","content":"4"));
        sub say { print qq({"role":$said[$_[1]],"metadata":{"session_id":"s$_[0]"}}\n) }
        if ($order eq "sorted") { for my $s (1 .. $count) { say($s, $_) for 0 .. 4 } }
        else { for my $m (0 .. 4) { say($_, $m) for 1 .. $count } }' "$1" "$2"
}

# grown COMMAND: by how many kB its peak memory for the file "more" is above that for the file "few".
grown() {
    local tools=${CTX_BIN%/bin}/tests/bench
    # shellcheck disable=SC2086
    "$tools/run" few.kb $1 --session-key metadata.session_id few >/dev/null
    # shellcheck disable=SC2086
    "$tools/run" more.kb $1 --session-key metadata.session_id more >/dev/null
    echo "$(($(cut -d' ' -f3 more.kb) - $(cut -d' ' -f3 few.kb)))"
}

@test "memory: an open session takes about 2 kB where records pass, and 8 kB where they are held" {
    # What the sanitizers put around each piece of memory is theirs.
    ! grep -q __asan_init "$CTX_BIN/ctx-route" || skip 'with AddressSanitizer'
    local command kb
    many 2000 interleaved >few
    many 12000 interleaved >more
    for command in ctx-route 'ctx-isolate --policy transparent' 'ctx-project --view all' \
        'ctx-project --view conversation' 'ctx-select --exact role=tool' 'ctx-budget --estimator bytes/4'; do
        kb=$(grown "$command")
        printf '%s: %s kB for 10000 sessions\n' "$command" "$kb"
        ((kb < 10 * 2500))
    done
    for command in ctx-isolate ctx-project 'ctx-select role=tool'; do
        kb=$(grown "$command")
        printf '%s: %s kB for 10000 sessions\n' "$command" "$kb"
        ((kb < 10 * 8000))
    done
}

@test "memory: with --sorted a session that has ended leaves a hundred bytes at most" {
    ! grep -q __asan_init "$CTX_BIN/ctx-route" || skip 'with AddressSanitizer'
    local command kb
    many 2000 sorted >few
    many 22000 sorted >more
    for command in ctx-normalize ctx-route ctx-isolate ctx-project 'ctx-project --view conversation' \
        'ctx-select role=tool' 'ctx-budget --estimator bytes/4'; do
        kb=$(grown "$command --sorted")
        printf '%s: %s kB for 20000 sessions\n' "$command" "$kb"
        ((kb < 20 * 128 + 512))
    done
}
