#!/usr/bin/env bats
#
# --tool: what the calls of a tool do that no table knows, told by the user to every command.

# shellcheck disable=SC2086 # a command and its operand

load helper
load dialogue
long=${long?}

stale='compacted content -> [stale: the file was changed later]'
superseded='compacted content -> [superseded by a later read of the file]'
compact='ctx-compact --estimator bytes/4 --force'

# A tool that reads, one that edits, and one that runs commands, all unknown.
talk() {
    user 'Mend the lamp.'
    calls c1 peek '{"file":"./lamp.c"}'; gets c1 "$long"             # 2 3
    calls c2 poke '{"where":"lamp.c","new":"lit"}'; gets c2 'done'   # 4 5
    calls c3 peek '{"file":"buoy.c"}'; gets c3 "$long"               # 6 7
    calls c4 exec '{"line":"sed -i s/dark/lit/ buoy.c"}'; gets c4 ok # 8 9
    user Thanks.                                                     # 10
    user Bye.                                                        # 11
}

@test "--tool: dedupe finds stale results of a tool that is not known (design 3: target)" {
    talk >in
    keeps "$compact"
    makes "$compact --tool peek=read:file --tool poke=edit:where" 1-2 "3: $stale" 4-11
    makes "$compact --tool peek=read:file --tool poke=write:where" 1-2 "3: $stale" 4-11
    makes "$compact --tool PEEK=read:file --tool exec=shell:line" 1-6 "7: $stale" 8-11
    keeps "$compact --tool peek=read:path --tool poke=edit:where --tool exec=shell:line"
}

@test "--tool: a later whole read supersedes, one with other arguments shows a part and does not" {
    {
        user 'Mend the lamp.'
        calls c1 peek '{"file":"lamp.c","offset":5,"limit":5}'; gets c1 "$long"
        calls c2 peek '{"file":"lamp.c","start":1,"end":9}'; gets c2 "$long"
        calls c3 peek '{"file":"lamp.c","start":10,"end":19}'; gets c3 "$long"
        user Thanks.; user Bye.
    } >in
    keeps "$compact --tool peek=read:file"
    sed 's/c3/c4/; s/,\\"start\\":10,\\"end\\":19/,\\"offset\\":1/' in | sed -n 6,7p >more
    grep -q 'offset.*:1' more
    sed -i '7r more' in
    makes "$compact --tool peek=read:file" 1-2 "3: $superseded" 4 "5: $superseded" 6 "7: $superseded" 8-11
}

@test "--tool: the same call again is a duplicate, known or not" {
    { user 'Look.'; calls c1 peek '{"file":"a"}'; gets c1 "$long"; calls c2 peek '{"file":"a"}'; gets c2 "$long"; user Thanks.; user Bye.; } >in
    makes "$compact" 1-2 '3: compacted content -> [duplicate: the call was made again later]' 4-7
    makes "$compact --tool peek=read:file" 1-2 "3: $superseded" 4-7
}

@test "--tool: the trace names operation and target" {
    { user 'Look.'; calls c1 peek '{"file":"./a.c"}'; gets c1 "$long"; says 'Done.'; user 'Next.'; } >in
    makes 'ctx-isolate --tool peek=read:file' 1 \
        '{"role":"assistant","content":"[trace] peek a.c: ok, 600 B","metadata":{"kind":"trace","scope":"historical","is_trace":true,"compacted":true,"facts":{"tool":"peek","target":"a.c","op":"read","outcome":"ok"}}}' 4-5
    makes 'ctx-isolate --tool peek=shell:file' 1 \
        '{"role":"assistant","content":"[trace] peek ./a.c: ok, 600 B","metadata":{"kind":"trace","scope":"historical","is_trace":true,"compacted":true,"facts":{"tool":"peek","target":"./a.c","op":"shell","outcome":"ok"}}}' 4-5
}

# A failure, and later a success of the same tool on the same target with other arguments.
mended() {
    user 'Mend it.'
    calls c1 poke '{"where":"a.c","new":"x"}'; gets c1 'no match' '"is_error":true' # 2 3
    calls c2 poke '{"where":"a.c","new":"y"}'; gets c2 'done'                      # 4 5
    says 'Done.'
    user 'Next.'
}

@test "--tool: selectors, views and buffers see a failure resolved by a success on its target" {
    mended >in
    makes 'ctx-select unresolved' 2-3
    makes 'ctx-project' 1-3 6-7
    makes 'ctx-route --ephemeral | ctx-select -x role=tool | jq -r .content' 'no match'
    makes 'ctx-select --tool poke=edit:where unresolved' '>>>= 1'
    makes 'ctx-project --tool poke=edit:where' 1 6-7
    makes 'ctx-route --tool poke=edit:where --ephemeral | ctx-select -x role=tool' '>>>= 1'
}

@test "--tool: the breakdown by message names the target" {
    { user 'Look.'; calls c1 peek '{"file":"a.c"}'; gets c1 "$long"; } >in
    [[ $(ctx-budget --by message --json in) != *'peek a.c'* ]]
    [[ $(ctx-budget --tool peek=read:file --by message --json in) == *'peek a.c'* ]]
}

@test "--tool: what the user says goes before the table, and the last one counts" {
    { user 'Look.'; calls c1 read '{"path":"a.c","file":"b.c"}'; gets c1 "$long"; says 'Done.'; user 'Next.'; } >in
    target() { ctx-isolate "$@" in | jq -r 'select(.metadata) | .metadata.facts | .op + " " + (.target // "-")'; }
    [[ $(target) == 'read a.c' ]]
    [[ $(target --tool Read=edit:file) == 'edit b.c' ]]
    [[ $(target --tool read=edit:file --tool read=write:path) == 'write a.c' ]]
    [[ $(target --tool read=edit:none) == 'other -' ]]
}

@test "--tool @FILE: one on each line" {
    printf '# tools of the lamp keeper\n\n  peek=read:file\r\npoke=edit:where' >tools
    talk >in
    makes "$compact --tool @tools" 1-2 "3: $stale" 4-11
    makes "$compact --tool peek=shell:file --tool @tools" 1-2 "3: $stale" 4-11
    : >tools
    keeps "$compact --tool @tools"
}

@test "--tool: every command takes it; what is malformed is 64, in a file 78, and nothing is written" {
    local command text says
    user 'Mend the lamp.' >in
    printf 'peek=read:file\npoke\n' >tools
    : >archive
    for command in $(commands filter) ctx-compile; do
        says=$command
        [[ $command != ctx-restore ]] || command='ctx-restore archive'
        [[ $command != ctx-select ]] || command='ctx-select role=user'
        [[ $command != ctx-compile ]] || says=ctx-project # its stage
        status_of 0 $command --tool peek=read:file in >out
        for text in '' peek peek= peek=read peek=read: =read:file peek=other:file peek=look:file peek:read=file $'p\xff=read:file'; do
            status_of 64 $command --tool "$text" in >out 2>said
            [[ ! -s out && $(<said) == "$says: bad value '"*"' of --tool, expected NAME=read:ARG, or write, edit or shell instead of read; try"* ]] ||
                fail "$command --tool $text: $(<said)"
        done
        status_of 66 $command --tool @none in >out 2>said
        [[ ! -s out && $(<said) == "$says: cannot open 'none': No such file or directory"* ]]
        status_of 78 $command --tool @tools in >out 2>said
        [[ ! -s out && $(<said) == "$says: 'tools', line 2: expected NAME=read:ARG, or write, edit or shell instead of read"* ]]
    done
}

@test "--tool @FILE: the file is no output" {
    local command option
    user 'Mend the lamp.' >in
    printf 'peek=read:file\n' >tools
    cp tools given
    for command in $(commands filter) ctx-compile 'ctx-diff --stat in'; do
        option=--report
        [[ $command != ctx-select ]] || command='ctx-select role=user'
        [[ $command != ctx-restore ]] || command="ctx-restore $FIXTURES/empty.archive"
        [[ $command != ctx-compile ]] || option=--output
        status_of 64 $command --tool @tools "$option" tools in >out 2>said
        [[ ! -s out && $(<said) == *tools* ]]
        cmp tools given
    done
}
