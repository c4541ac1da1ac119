# shellcheck shell=bash
#
# A server of node, for the tests of a file: called from setup_file and teardown_file.
#
#     starts_server FILE      in $BATS_FILE_TMPDIR, where the server writes its port: see serve.mjs
#     ends_server

starts_server() {
    local tries
    node "$1" "$BATS_FILE_TMPDIR" >"$BATS_FILE_TMPDIR/said" 2>&1 3>&- &
    echo $! >"$BATS_FILE_TMPDIR/pid"
    for ((tries = 0; tries < 100; tries++)); do
        [[ ! -s $BATS_FILE_TMPDIR/port ]] || return 0
        sleep 0.1
    done
    cat "$BATS_FILE_TMPDIR/said"
    return 1
}

ends_server() {
    kill "$(<"$BATS_FILE_TMPDIR/pid")"
}
