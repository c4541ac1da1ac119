#!/usr/bin/env bats
#
# ctx-project: of a tree of messages one path, and without what later messages forget.

load helper
load dialogue

# Two ways from the first answer; the numbers of its lines are those of the file in.
tree() {
    system 'S' '"id":"s"'                                               # 1
    user 'One.' '"id":"u1","parent_id":null'                            # 2
    says 'First.' '"id":"a1","parent_id":"u1"'                          # 3
    user 'Two.' '"id":"u2","parent_id":"a1"'                            # 4
    says 'Second.' '"id":"a2","parent_id":"u2"'                         # 5
    user 'Or so.' '"id":"u3","parent_id":"a1"'                          # 6
    wants k1:read k2:ls '"id":"c1","parent_id":"u3"'                    # 7
    gets k1 'a' '"id":"r1","parent_id":"c1"'                            # 8
    gets k2 'b' '"id":"r2","parent_id":"c1"'                            # 9
    says 'Third.' '"id":"a3","parent_id":"r1"'                          # 10
}

@test "ctx-project: --leaf has the path to a message, and the siblings that answer calls of one group" {
    tree >in
    makes 'ctx-project --view all' 1-10
    makes 'ctx-project --view all --leaf last' 1-3 6-10
    makes 'ctx-project --view all --leaf a3' 1-3 6-10
    makes 'ctx-project --view all --leaf a2' 1-5
    makes 'ctx-project --view all --leaf u2' 1-4
    makes 'ctx-project --view all --leaf c1' 1-3 6-9
    makes 'ctx-project --view all --leaf r2' 1-3 6-9
    makes 'ctx-project --view all --leaf s' 1
    makes 'ctx-project --view conversation --leaf last' 2-3 6 10
    makes 'ctx-project --view conversation --leaf a2 --last 2msgs' 4-5
    makes 'ctx-project --view all --leaf a2 --select role=user' 2 4
    makes 'ctx-project --leaf last' 1-3 6 10
}

@test "ctx-project: --leaf with an id that no message has writes nothing, and gives 1" {
    local option
    tree >in
    for option in '' --sections=messages --last=2msgs --view=conversation --view=all; do
        makes "ctx-project $option --leaf nobody" ">>>2 ctx-project: no message has id 'nobody'" '>>>= 1'
    done
    spec <<'END'
ctx-project --leaf last
END
}

@test "ctx-project: a message without a parent follows the one before, and a path that comes back ends" {
    {
        user 'One.'                                       # 1
        says 'First.' '"id":"a1"'                         # 2
        user 'Two.' '"id":"u2","parent_id":"lost"'        # 3
        says 'Second.'                                    # 4
        user 'Three.' '"id":"u3","parent_id":"a1"'        # 5
        says 'Third.'                                     # 6
    } >in
    makes 'ctx-project --view all --leaf last' 1-2 5-6
    makes 'ctx-project --view all --leaf u2' 1-3
    {
        user 'One.' '"id":"u1","parent_id":"a2"'
        says 'First.' '"id":"a1","parent_id":"u1"'
        user 'Two.' '"id":"u2","parent_id":"u2"'
        says 'Second.' '"id":"a2","parent_id":"a1"'
    } >in
    makes 'ctx-project --view all --leaf a2' 1-2 4
    makes 'ctx-project --view all --leaf u2' 3
    # Nor is a message of an empty id the parent of one that names none.
    { user 'One.' '"id":""'; says 'First.'; user 'Two.'; } >in
    makes 'ctx-project --view all --leaf last' 1-3
    {
        developer 'D' '"id":"d"'
        echo '{"note":"foreign"}'
        system 'S'
        user 'One.' '"id":"u1","parent_id":null'
        system 'T'
        user 'Two.' '"id":"u2","parent_id":null'
    } >in
    makes 'ctx-project --view all --leaf last' 1-3 6
    makes 'ctx-project --view all --leaf u1' 1-4
}

@test "ctx-project: --leaf last is the last message of the thread, be it a sub-agent's" {
    {
        user 'One.' '"id":"u1"'
        wants k1:ask '"id":"c1","parent_id":"u1"'
        user 'Find it.' '"id":"s1","parent_id":"c1","parent_execution_id":"e","agent_id":"a"'
        says 'Found.' '"id":"s2","parent_id":"s1","parent_execution_id":"e","agent_id":"a"'
    } >in
    makes 'ctx-project --view all --leaf last' 1-2
    makes 'ctx-project --view all --leaf last --agent a' 3-4
    {
        user 'One.' '"id":"u1"'
        says 'Done.' '"id":"a1","parent_id":"u1"'
        user 'Find it.' '"id":"s1","parent_id":"u1","parent_execution_id":"e","agent_id":"a"'
    } >in
    makes 'ctx-project --view all --leaf last' 1-2
}

@test "ctx-project: --leaf reads id and parentId of the message, where metadata says none" {
    {
        raw '{"id":"u1","role":"user","content":"One."}'                                     # 1
        raw '{"id":"a1","parentId":"u1","role":"assistant","content":"First."}'              # 2
        raw '{"id":"u2","parentId":"a1","role":"user","content":"Two."}'                     # 3
        raw '{"id":"u3","parentId":"a1","role":"user","content":"Or so."}'                   # 4
        raw '{"id":"x","parentId":"x","role":"user","content":"Else.","metadata":{"id":"u4","parent_id":"u2"}}' # 5
    } >in
    makes 'ctx-project --view all --leaf u2' 1-3
    makes 'ctx-project --view all --leaf u3' 1-2 4
    makes 'ctx-project --view all --leaf u4' 1-3 5
    makes 'ctx-project --view all --leaf x' ">>>2 ctx-project: no message has id 'x'" '>>>= 1'
}

# Instructor's and LangGraph's RemoveMessage: a later message names what goes.
@test "ctx-project: what a later message forgets is in no view, by whole groups" {
    local view
    {
        tree
        system '' '"forgets":["r1","u2"]'                 # 11
        user 'Four.' '"id":"u4","forgets":"a2"'           # 12
        says 'Four.' '"id":"a4","forgets":["a4","b5"]'    # 13
        says 'Five.' '"id":"b5"'                          # 14
    } >in
    makes 'ctx-project --view all' 1-3 6 10 12-14
    makes 'ctx-project --view all --forgotten hide' 1-3 6 10 12-14
    makes 'ctx-project --view all --forgotten show' 1-14
    makes 'ctx-project --view conversation' 2-3 6 10 12 14
    makes 'ctx-project --view trace' '>>>2 ctx-project: nothing is left of 14 messages'
    makes 'ctx-project --last 3msgs' 12-14
    makes 'ctx-project --sections messages --view all' 1-3 6 10 12-14
    makes 'ctx-project' 1-3 6 10 12-14
    # A tombstone on another path forgets nothing.
    makes 'ctx-project --view all --leaf a2' 1-5
    makes 'ctx-project --view all --leaf u3' 1-3 6
}

@test "ctx-project: all that came with an id is forgotten; a group that began before the first id stays whole" {
    {
        wants k1:read
        gets k1 'a' '"id":"r1"'
        says 'One.' '"id":"a"'
        says 'Two.' '"id":"a"'
        gets k9 'of no call' '"id":"r9"'
        system '' '"forgets":["a","r1","r9"]'
        says 'Three.' '"id":"a"'
        system '' '"forgets":7'
    } >in
    makes 'ctx-project --view all' 1-2 5 7
    # Where no message has an id, nothing is forgotten, and nothing waits.
    { user 'One.'; says '' '"forgets":"m1"'; says 'Two.' '"forgets":"m2"'; says ''; } >in
    makes 'ctx-project --view all' 1 3-4
}

@test "ctx-project: messages wait for a tombstone from the first id on, and with --forgotten show none does" {
    mkfifo pipe
    ctx-project --view all <pipe >out &
    exec 5>pipe
    { user 'One.'; says 'Two.'; } >&5
    until [[ $(wc -l <out) == 2 ]]; do sleep 0.05; done
    { user 'Three.' '"id":"m3"'; says 'Four.'; } >&5
    sleep 0.3
    [[ $(wc -l <out) == 2 ]]
    system '' '"forgets":"m3"' >&5
    exec 5>&-
    wait $!
    same 'messages' <(user 'One.'; says 'Two.'; says 'Four.') out
    ctx-project --view all --forgotten show <pipe >out &
    exec 5>pipe
    user 'Three.' '"id":"m3"' >&5
    until [[ $(wc -l <out) == 1 ]]; do sleep 0.05; done
    exec 5>&-
    wait $!
    rm pipe out
}

# history LEAF FORGOTTEN: each view is that of the lines which tests/laws/history.jq leaves of the file in.
history_of() {
    local view
    local -a options=(--forgotten "$2")
    [[ -z $1 ]] || options+=(--leaf "$1")
    jq -s -r --arg leaf "$1" --arg forgotten "$2" -f "$ROOT/tests/laws/history.jq" in >lines
    awk 'NR == FNR { has[$1]; next } FNR in has' lines in >left
    for view in '--view all' '' '--view conversation' '--last 9msgs --keep system'; do
        # shellcheck disable=SC2086
        ctx-project $view "${options[@]}" in >got 2>/dev/null
        # shellcheck disable=SC2086
        ctx-project $view --forgotten show left >want 2>/dev/null
        same "seed $seed, ctx-project $view ${options[*]}" want got
    done
}

histories() {
    local seed leaf
    for seed; do
        awk -v seed="$seed" -v count=40 -v tree=1 -f "$ROOT/tests/laws/session.awk" >in
        history_of '' hide
        history_of last show
        history_of last hide
        leaf=$(jq -s -r --argjson n $((seed * 7 % 30)) '.[$n:] | map(.metadata.id // empty)[0]' in)
        history_of "$leaf" hide
        history_of "$leaf" show
    done
    rm -f in lines left got want
}

@test "ctx-project: paths and tombstones are what their definition says, on random sessions" {
    histories 1 2 3 4
}

# bats test_tags=slow
@test "ctx-project: paths and tombstones are what their definition says, on many random sessions" {
    # shellcheck disable=SC2046
    histories $(seq 5 60)
}
