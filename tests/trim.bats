#!/usr/bin/env bats
#
# ctx-project: the options that trim a view to its newest or its oldest messages.

load helper
load dialogue

# A session with what trimmers keep; the numbers of its lines are those of the file in.
harbour() {
    system 'S'                                  # 1
    developer 'D'                               # 2
    user 'wind: NW' '"origin":"injected"'       # 3
    user 'One.'                                 # 4
    says 'Done.'                                # 5
    user 'Two.' '"pinned":true'                 # 6
    wants c1:read c2:ls                         # 7
    gets c1 'a'                                 # 8
    gets c2 'b'                                 # 9
    says 'Done.' '"critical":true'              # 10
    user 'Older.' '"kind":"summary"'            # 11
    user 'Three.'                               # 12
    wants c1:read                               # 13
    gets c1 'a'                                 # 14
    says 'Done.'                                # 15
    user 'Four.'                                # 16
}

# Design section 5, ctx-project: "--last 20msgs|8turns|4k: the newest whole groups that fit".
@test "ctx-project: --first keeps the oldest messages, and no part of a group" {
    harbour >in
    makes 'ctx-project --view all --first 6msgs' 1-6
    makes 'ctx-project --view all --first 8msgs' 1-6
    makes 'ctx-project --view all --first 9msgs' 1-9
    makes 'ctx-project --view all --first 0'
    makes 'ctx-project --view all --first 100msgs' 1-16
    makes 'ctx-project --view all --first 0turns'
    makes 'ctx-project --view all --first 1turn' 1-5
    makes 'ctx-project --view all --first 2turns' 1-11
    makes 'ctx-project --view all --estimator bytes/4 --first 0.020k' 1-3
    makes 'ctx-project --view conversation --first 2msgs' 4-5
}

@test "ctx-project: --first takes a group of which a result comes late whole or not at all" {
    {
        user 'Both.'
        wants c1:read c2:ls
        gets c2 'text'
        user 'The second first.'
        gets c1 'text'
        says 'Done.'
    } >in
    makes 'ctx-project --view all --first 3msgs' 1
    makes 'ctx-project --view all --first 4msgs' 1-3 5
    makes 'ctx-project --view all --first 5msgs' 1-5
    makes 'ctx-project --view all --first 1turn' 1
}

@test "ctx-project: what --keep names counts toward the size and stands in its place" {
    harbour >in
    makes 'ctx-project --view all --last 3msgs' 15-16
    makes 'ctx-project --view all --last 3msgs --keep system' 1 15-16
    makes 'ctx-project --view all --last 3msgs --keep developer' 2 15-16
    makes 'ctx-project --view all --last 3msgs --keep first' 4 15-16
    makes 'ctx-project --view all --last 3msgs --keep pinned' 6 15-16
    makes 'ctx-project --view all --last 3msgs --keep critical' 10 15-16
    makes 'ctx-project --view all --last 3msgs --keep summary' 11 15-16
    makes 'ctx-project --view all --last 4msgs --keep system,developer' 1-2 15-16
    makes 'ctx-project --view all --last 7msgs --keep system,developer,first' 1-2 4 13-16
    makes 'ctx-project --view all --last 1msg --keep system,developer' 1-2
    makes 'ctx-project --view all --last 2turns --keep system' 1 12-16
    makes 'ctx-project --view all --first 2msgs --keep pinned' 1 6
    makes 'ctx-project --view all --estimator bytes/4 --last 0.012k --keep system' 1 16
    makes 'ctx-project --view all --estimator bytes/4 --last 0.011k --keep system' 1 16
    makes 'ctx-project --view all --estimator bytes/4 --last 0.010k --keep system' 1
}

@test "ctx-project: --keep takes a selector, by whole groups" {
    harbour >in
    makes 'ctx-project --view all --last 5msgs --keep tool=ls' 7-9 15-16
    makes 'ctx-project --view all --last 5msgs --keep role=system --keep first' 1 4 15-16
    makes 'ctx-project --view all --last 4msgs --keep pinned,role=user' 6 15-16
    makes 'ctx-project --view all --estimator bytes/4 --last 2msgs --keep "role=user,tokens>5"' 3 11-12 16
}

@test "ctx-project: --sections with --last counts what the sections have" {
    harbour >in
    makes 'ctx-project --view all --sections summary,messages --last 3msgs --keep summary' 11 15-16
    makes 'ctx-project --view all --sections summary --last 3msgs' 11
    {
        user 'One.'
        user 'aside' '"section":"buffer"'
        says 'Two.'
    } >in
    makes 'ctx-project --view all --sections messages --last 2msgs' 1 3
}

# LangChain's trim_messages: start_on is applied after the fit of the last, end_on before it; the
# other way round from the start.
@test "ctx-project: --start-on and --end-on choose the roles at the ends" {
    harbour >in
    makes 'ctx-project --view all --last 6msgs --start-on user' 11-12 13-16
    makes 'ctx-project --view all --last 5msgs --start-on user' 12-16
    makes 'ctx-project --view all --last 4msgs --start-on user' 16
    makes 'ctx-project --view all --last 4msgs --start-on human' 16
    makes 'ctx-project --view all --last 4msgs --start-on ai,system' 13-16
    makes 'ctx-project --view all --last 4msgs --start-on user --keep system' 1 16
    makes 'ctx-project --view all --last 2msgs --end-on assistant' 15
    makes 'ctx-project --view all --last 2msgs --end-on tool,user' 15-16
    makes 'ctx-project --view all --last 2msgs --end-on tool' 13-14
    makes 'ctx-project --view all --first 5msgs --end-on user' 1-4
    makes 'ctx-project --view all --first 9msgs --end-on tool' 1-9
    makes 'ctx-project --view all --first 3msgs --start-on user' 3-5
    makes 'ctx-project --view all --start-on assistant' 5-16
    makes 'ctx-project --view all --end-on tool' 1-14
    makes 'ctx-project --view all --start-on user --end-on assistant' 3-15
    makes 'ctx-project --view all --last 4msgs --start-on developer' '>>>2 ctx-project: nothing is left of 16 messages'
}

@test "ctx-project: --last takes a share of the messages of the view" {
    harbour >in
    makes 'ctx-project --view all --last 100%msgs' 1-16
    makes 'ctx-project --view all --last 32%msgs' 12-16
    makes 'ctx-project --view all --last 31.2%msg' 13-16
    makes 'ctx-project --view all --first 12.5%msgs' 1-2
    makes 'ctx-project --view all --last 0%msgs'
    makes 'ctx-project --view all --select role=user --last 50%msgs' 11-12 16
}

@test "ctx-project: --partial keeps the head or the tail of the message that does not fit" {
    # With bytes/4: 4 tokens a message, and one for four bytes.
    {
        user 'The first message of all: 0123456789 abcdefghijklmnopqrstuvwxyz'
        says 'The long answer: 0123456789 0123456789 0123456789 0123456789 0123456789 äöü' '"pinned":false'
        user 'Four'
    } >in
    local size=ctx-project\ --view\ all\ --estimator\ bytes/4
    makes "$size --last 0.010k" 3
    makes "$size --last 0.010k --partial none" 3
    makes "$size --last 0.010k --partial tail" '2: compacted content -> öü' 3
    makes "$size --last 0.011k --partial tail" '2: compacted content -> 9 äöü' 3
    makes "$size --last 0.010k --partial head" '2: compacted content -> The ' 3
    makes "$size --last 0.009k --partial head" 3
    makes "$size --first 0.012k --partial head" '1: compacted content -> The first message of all: 012345'
    makes "$size --first 0.012k --partial tail" '1: compacted content -> 56789 abcdefghijklmnopqrstuvwxyz'
}

@test "ctx-project: --partial cuts no group, and nothing that must stay as it is" {
    local size=ctx-project\ --view\ all\ --estimator\ bytes/4
    local many
    many=$(repeat 300 x)
    for line in "$(user "$many" '"pinned":true')" "$(user "$many" '"compacted":true')" "$(system "$many")" "$(developer "$many")"; do
        { echo "$line"; user 'Four'; } >in
        makes "$size --last 0.040k --partial tail" 2
    done
    { acts "$many" "$(call c1 read a.c)"; gets c1 "$many"; user 'Four'; } >in
    makes "$size --last 0.040k --partial tail" 3
    acts "$many" "$(call c1 read a.c)" >in
    makes "$size --first 0.040k --partial head" '>>>2 ctx-project: nothing is left of 1 message'
    # What is kept counts, and is not cut; the roles at the end are asked afterwards.
    { system 'Four'; user "$many"; says 'Four'; } >in
    makes "$size --last 0.020k --keep system --partial tail" 1 "2: compacted content -> $(repeat 24 x)" 3
    makes "$size --last 0.020k --partial tail --start-on assistant" 3
    user "$(repeat 600 x)" >in
    makes "$size --first 0.104k --partial head" "1: compacted content -> $(repeat 400 x)"
    # The texts of parts are one; media go.
    { user '[{"type":"text","text":"0123456789 0123456789 0123456789 0123456789"},{"type":"image_url","image_url":{"url":"u"}},{"type":"text","text":"abcd"}]'; says 'Four'; } >in
    makes "$size --last 0.012k --partial tail" '{"role":"user","content":"3456789\nabcd","metadata":{"compacted":true}}' 2
}

@test "ctx-project: a part has at most the tokens that are left, and is cut between code points" {
    local tokens line part estimator
    printf '%s\n' '{"role":"user","content":"Grüße: 日本語 😀 the tide turns at 15:33, äöü and so on, as the log of the harbour says 日本語日本語 😀"}' >in
    for part in head tail; do
        for tokens in 5 6 7 8 9 12 15 20 25 30; do
            printf -v line '0.%03dk' "$tokens"
            estimator=bytes/4
            ((tokens % 3)) || estimator=o200k_base
            ctx-project --last "$line" --partial "$part" --estimator "$estimator" in >got 2>/dev/null
            [[ ! -s got ]] || {
                (($(ctx-budget --json --estimator "$estimator" got | jq .used_tokens) <= tokens))
                jq -e --arg part "$part" --slurpfile all in '$all[0].content as $all | .content as $some |
                    if $part == "head" then $all | startswith($some) else $all | endswith($some) end' got >said
            }
        done
        [[ -s got ]]
    done
    rm -f got said
}

@test "ctx-project: a part of a short text is the longest that fits" {
    local text='The lamp of buoy 7 was dark when we came by, and the harbour master said nothing about it.' n got
    user "$text" >in
    for ((n = 1; n <= ${#text}; n++)); do user "${text: -n}"; done | ctx-budget --annotate - | jq -r '.metadata.tokens // empty' >tail
    for ((n = 1; n <= ${#text}; n++)); do user "${text::n}"; done | ctx-budget --annotate - | jq -r '.metadata.tokens // empty' >head
    for part in head tail; do
        for n in {5..23}; do
            got=$(ctx-project --view all --last "$(printf '0.%03dk' "$n")" --partial "$part" in | jq -r '.content | length')
            same "$part, $n tokens" <(awk -v most="$n" '$1 <= most { best = NR } END { print best }' "$part") <(echo "$got") || return
        done
    done
}

@test "ctx-project: trimming options that make no sense give 64" {
    local roles
    spec <<'END'
ctx-project --last 2msgs --partial tail
>>>2 ctx-project: --partial requires --last or --first in tokens; try 'ctx-project --help'
>>>= 64
END
    spec <<'END'
ctx-project --first 2msgs --last 2msgs
>>>2 ctx-project: --last cannot be combined with --first; try 'ctx-project --help'
>>>= 64
END
    spec <<'END'
ctx-project --keep first
>>>2 ctx-project: --keep requires --last, --messages or --first; try 'ctx-project --help'
>>>= 64
END
    spec <<'END'
ctx-project --last 2msgs --keep first,role=user
>>>2 ctx-project: bad value 'first,role=user' of --keep: unknown term 'first', expected one such as role=user, error or turn=-1; try 'ctx-project --help'
>>>2 ctx-project:     first,role=user
>>>2 ctx-project:     ^
>>>= 64
END
    for roles in '' robot user, user,,tool ' user'; do
        spec <<END
ctx-project --start-on '$roles'
>>>2 ctx-project: bad value '$roles' of --start-on, expected roles such as user,assistant; try 'ctx-project --help'
>>>= 64
END
    done
    spec <<'END'
ctx-project --last 101%msgs
>>>2 ctx-project: bad value '101%msgs' of --last, expected a size such as 20msgs, 8turns or 4k; try 'ctx-project --help'
>>>= 64
END
    spec <<'END'
ctx-project --start-on user --hold 3msgs
>>>2 ctx-project: --hold cannot be combined with --start-on; try 'ctx-project --help'
>>>= 64
END
}

random_session() {
    awk -v seed="$1" -v count="$2" -f "$ROOT/tests/laws/session.awk"
}

# trimmed UNIT SIZE OPTION...: ctx-project leaves what tests/laws/trim.jq says of the file in.
trimmed() {
    local unit=$1 size=$2 from=end words='' start='' end='' ending='' option
    shift 2
    local -a options=(--view all --estimator bytes/4)
    for option; do
        case $option in
        first) from=start ;;
        --keep=*) words+=,${option#*=} ;;
        --start-on=*) start=${option#*=} ;;
        --end-on=*) end=${option#*=} ;;
        esac
        [[ $option == first ]] || options+=("$option")
    done
    case $unit in
    messages) ending=msgs ;;
    turns) ending=turns ;;
    share) ending=%msgs ;;
    esac
    [[ $unit == none ]] || options+=("--$([[ $from == end ]] && echo last || echo first)=$(
        [[ $unit != tokens ]] && echo "$size$ending" || printf '%d.%03dk' $((size / 1000)) $((size % 1000)))")
    ctx-project "${options[@]}" in 2>/dev/null >got
    jq -s -r --argjson size "$size" --arg unit "$unit" --arg from "$from" --arg words "$words" \
        --arg starts "$start" --arg ends "$end" -f "$ROOT/tests/laws/trim.jq" counted >lines
    jq -r .metadata.n got >got.lines
    same "seed $seed, lines left by ctx-project ${options[*]}" lines got.lines
}

# brute SEED... : random sessions, trimmed in all ways.
brute() {
    local seed
    for seed; do
        random_session "$seed" 40 >in
        ctx-budget --annotate --estimator bytes/4 in | jq -c 'select(.role)' >counted
        trimmed messages $((seed * 7 % 40))
        trimmed messages $((seed * 11 % 40)) first
        trimmed messages $((seed * 5 % 35)) --keep=system,developer,first,pinned,critical,summary
        trimmed messages $((seed * 5 % 35)) first --keep=summary --keep=pinned
        trimmed tokens $((seed * 37 % 500)) --keep=system,first
        trimmed tokens $((seed * 41 % 500)) first --end-on=tool,user
        trimmed turns $((seed % 7)) --keep=critical --start-on=assistant
        trimmed turns $((seed % 7)) first --end-on=user
        trimmed share $((seed * 13 % 101)) --start-on=user --end-on=assistant,tool
        trimmed share $((seed * 17 % 101)) first --start-on=assistant --end-on=user --keep=developer
        trimmed none 0 --start-on=tool,assistant --end-on=user
    done
    rm -f in counted got got.lines lines
}

@test "ctx-project: trimming is what its definition says, on random sessions" {
    brute 1 2
}

# bats test_tags=slow
@test "ctx-project: trimming is what its definition says, on many random sessions" {
    # shellcheck disable=SC2046
    brute $(seq 3 12)
}
