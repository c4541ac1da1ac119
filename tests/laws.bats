#!/usr/bin/env bats
#
# What holds for every input: identity, idempotence, whole pairs, order, protected messages, no
# growth.  The inputs are all of tests/fixtures/*.jsonl and, where they stand beside the tree
# ($CTX_SHARED), the real transcripts of the formats that are read.
#
#     raw/NAME   the inputs as they are
#     in/NAME    what ctx-normalize makes of each, and, as NAME-raw, the files that are ctx streams
#     out/LAW/NAME   what a command makes of each of in/

# bats file_tags=slow

load helper
load api

setup_file() {
    export LAWS=$BATS_FILE_TMPDIR
    mkdir "$LAWS/raw" "$LAWS/in" "$LAWS/out"
    local file name root count=0 every=1
    # The sanitizers take many times as long: there it is every fourth of the real transcripts.
    ! grep -q __asan_init "$CTX_BIN/ctx-normalize" || every=4
    for file in "$FIXTURES"/*.jsonl; do
        cp "$file" "$LAWS/raw"
    done
    for root in openai-chat anthropic-messages sharegpt claude-code codex-cli pi gemini-cli openai-responses opencode; do
        [[ -d $CTX_SHARED/$root ]] || continue
        while IFS= read -r -d '' file; do
            ((count++ % every == 0)) || continue
            name=${file#"$CTX_SHARED"/}
            cp "$file" "$LAWS/raw/${name//[^A-Za-z0-9._-]/_}"
        done < <(find "$CTX_SHARED/$root" -type f -print0 | sort -z)
    done
    chmod -R u+w "$LAWS/raw"
    for file in "$LAWS"/raw/*; do
        name=${file##*/}
        ctx-normalize "$file" >"$LAWS/in/$name" 2>"$LAWS/diagnostics" || [[ $? == 65 ]] || return
        case $name in
        ctx-* | route-* | hostile-* | openai-chat.jsonl) cp "$file" "$LAWS/in/$name-raw" ;;
        esac
    done
    # What is wrong with the pairs of the inputs, and how each is read: 0, or 65 with bad lines.
    all_pair_facts in >"$LAWS/in.facts"
    for file in "$LAWS"/in/*; do
        local status=0
        ctx-isolate --policy transparent "$file" >/dev/null 2>&1 || status=$?
        printf '%s %s\n' "${file##*/}" "$status"
    done >"$LAWS/in.status"
}

# inputs: the names in in/, with the status that a command ends with when nothing else is wrong.
inputs() {
    cat "$LAWS/in.status"
}

# all_pair_facts DIRECTORY: pair_facts of the files in it, by "DIRECTORY<TAB>NAME<TAB>FACT".
all_pair_facts() {
    # shellcheck disable=SC2016,SC2153
    (cd "$LAWS" && find "$1" -type f -print0 | xargs -0 -n 2000 bash -c 'source "$0" && pair_facts "$@"' \
        "$ROOT/tests/helper.bash") | sed 's|/\([^/\t]*\)\t|\t\1\t|'
}

# apply LAW COMMAND...: out/LAW/NAME is what the command makes of each input; every one must end as
# its input is read. out/LAW/NAME is missing where the command says 1, the budget cannot be met; with 1,
# still time, it is there.
apply() {
    local law=$1 name expected status
    shift
    mkdir -p "$LAWS/out/$law"
    while read -r name expected; do
        status=0
        "$@" "$LAWS/in/$name" >"$LAWS/out/$law/$name" 2>"$LAWS/diagnostics" || status=$?
        if [[ $status == 1 && $1 == ctx-compact ]]; then
            [[ $* == *--best-effort* || $(<"$LAWS/diagnostics") == *'it is still time'* ]] && continue
            [[ ! -s $LAWS/out/$law/$name ]] || fail "$*: status 1, but something was written: $name" || return
            rm "$LAWS/out/$law/$name"
        elif [[ $status != "$expected" && ($status != 1 || $* != @(ctx-select|*--overflow)*) &&
            # ctx-normalize alone names messages that it does not understand.
            ($status != 65 || $* != @(ctx-compile -p policy|ctx-normalize*)) ]] &&
            # ctx-redact takes records of any format.
            ! { [[ $status == 0 && $1 == ctx-redact ]] && jq empty "$LAWS/in/$name" 2>/dev/null; }; then
            fail "$*: $name: status $status, expected $expected: $(head -c 500 "$LAWS/diagnostics")" || return
        fi
    done < <(inputs)
}

# again LAW COMMAND...: the command makes nothing more of what it made.
again() {
    local law=$1 file bad=0
    shift
    mkdir "$LAWS/second"
    for file in "$LAWS/out/$law"/*; do
        "$@" "$file" >"$LAWS/second/${file##*/}" 2>/dev/null || [[ $? == 65 || $? == 1 ]] || fail "$*: status of the second run" || bad=1
    done
    alike "$LAWS/out/$law" "$LAWS/second" || fail "$*: the second run changed something" || bad=1
    rm -r "$LAWS/second"
    return "$bad"
}

# alike DIRECTORY DIRECTORY: they hold the same files, byte for byte.
alike() {
    diff -rq "$1" "$2"
}

# whole_pairs LAW...: no orphan and no unanswered call in out/LAW that its input has not.
whole_pairs() {
    local law
    for law in "$@"; do
        all_pair_facts "out/$law"
    done | awk -F '\t' '
        NR == FNR { had[$2 FS $3]++; next }
        { key = $1 FS $2 FS $3; if (++has[key] > had[$2 FS $3]) print $1 ": " $2 ": " $3 }
    ' "$LAWS/in.facts" - >"$LAWS/broken"
    same 'pairs' /dev/null "$LAWS/broken"
}

# in_order DIRECTORY < "PART WHOLE" lines: each PART, a file of DIRECTORY, is a subsequence of the
# lines of WHOLE; says for which it is not. Names have no blanks.
in_order() {
    (cd "$1" && awk '
        {
            part = $1
            whole = $2
            more = (getline wanted <part) > 0
            while (more && (getline line <whole) > 0)
                if (line "" == wanted "")
                    more = (getline wanted <part) > 0
            if (more)
                print "not in " whole ", or not in order: " substr(wanted, 1, 200)
            close(part)
            close(whole)
        }') >"$LAWS/disorder"
    same 'order' /dev/null "$LAWS/disorder"
}

# protected FILE...: "FILE<TAB>fixed<TAB>LINE" for the lines that no transform changes or removes: system
# and developer messages, context records, pinned messages; with "asked" the messages of the user before
# the first answer in section messages, which --best-effort alone may cut. Those of sub-agents, empty ones
# and bad lines are left out.
protected() {
    # shellcheck disable=SC2016
    named_lines "$@" | jq -n -R -r 'foreach inputs as $line ({};
            if $line[0:1] == "\u0001" then {file: $line[1:], seen: false, answered: false} else
                ($line | (try fromjson catch null) | if type == "object" then . else {} end) as $m |
                (($m.metadata // $m._metadata // {}) | if type == "object" then . else {} end) as $meta |
                ($meta.kind == null and ($meta.section // "messages") == "messages" and
                    ($meta.parent_execution_id | not)) as $speaks |
                ($speaks and $m.role == "user" and ($meta.origin // "user") == "user" and
                    $m.content != null and ($line | contains("\ufffd") | not)) as $asks |
                .line = (if $meta.parent_execution_id then null
                    elif $m.role == "system" or $m.role == "developer" or $m.type == "context"
                        or $meta.pinned == true then "fixed\t" + $line
                    elif $asks and (.answered | not) then "asked\t" + $line else null end) |
                .answered = (.answered or .seen and $speaks and $m.role == "assistant" and
                    $meta.is_error != true and $meta.origin != "error") |
                .seen = (.seen or $asks)
            end;
            select(.line) | "\(.file)\t\(.line)")'
}

# finds_protected: files of what is protected in each input: fixed, asked, and both in protected.
finds_protected() {
    [[ ! -d $LAWS/protected ]] || return 0
    mkdir "$LAWS/protected" "$LAWS/fixed" "$LAWS/asked"
    (cd "$LAWS/in" && protected ./*) | awk -F '\t' -v to="$LAWS/" '{
            name = $1
            why = $2
            sub(/^[^\t]*\t[^\t]*\t/, "")
            print >(to why "/" name)
            print >(to "protected/" name)
        }'
    [[ $(find "$LAWS/protected" -type f | wc -l) -ge 30 ]]
}

# stands PARTS LAW...: what the folder PARTS has of each input stands in each output, in order, byte for
# byte.
stands() {
    local parts=$1 law file
    shift
    for law in "$@"; do
        for file in "$LAWS/out/$law"/*; do
            [[ ! -e $LAWS/$parts/${file##*/} ]] || printf '%s %s\n' "$parts/${file##*/}" "out/$law/${file##*/}"
        done
    done | in_order "$LAWS"
}

# keeps_protected LAW...: what is protected stands in each output, in order, byte for byte.
keeps_protected() {
    finds_protected
    stands protected "$@"
}

# keeps_asked LAW: the same, but that --best-effort may have cut what was asked: as many messages of the
# user that are there as they were, or cut.
keeps_asked() {
    local file
    finds_protected
    stands fixed "$1"
    for file in "$LAWS/out/$1"/*; do
        [[ ! -e $LAWS/asked/${file##*/} ]] || awk '
            NR == FNR { asked[$0]++; want++; next }
            asked[$0] > 0 { asked[$0]--; want--; next }
            /"role": *"user"/ && /"compacted": *true/ && !/"kind":/ { cut++ }
            END { if (want > cut) print FILENAME ": " want - cut " of what was asked are gone" }
        ' "$LAWS/asked/${file##*/}" "$file"
    done >"$LAWS/gone"
    same 'what was asked' /dev/null "$LAWS/gone"
}

# part_of_input LAW...: the lines of each output are lines of its input, in their order.
part_of_input() {
    local law file
    for law in "$@"; do
        for file in "$LAWS/out/$law"/*; do
            printf '%s %s\n' "out/$law/${file##*/}" "in/${file##*/}"
        done
    done | in_order "$LAWS"
}

# sizes DIRECTORY: "NAME BYTES" of each file, the budget records not counted.
sizes() {
    (cd "$1" && awk 'FNR == 1 { bytes[FILENAME] += 0 } !/^\{"type":"budget"/ { bytes[FILENAME] += length($0) + 1 }
        END { for (name in bytes) print name, bytes[name] }' ./*)
}

# no_growth LAW...: no output is larger than its input, a budget record aside.
no_growth() {
    local law
    for law in "$@"; do
        awk -v law="$law" 'NR == FNR { had[$1] = $2; next } $2 > had[$1] { print law ": " $1 ": " had[$1] " bytes became " $2 }' \
            <(sizes "$LAWS/in") <(sizes "$LAWS/out/$law")
    done >"$LAWS/grown"
    same 'growth' /dev/null "$LAWS/grown"
}

@test "the laws: there is something to hold them against" {
    [[ $(find "$LAWS/in" -type f -size +0 | wc -l) -ge 30 ]]
    grep -q 'unanswered c1 ' "$LAWS/in.facts"
    [[ $(grep -c ' 65$' "$LAWS/in.status") -ge 6 ]]
}

@test "ctx-isolate: transparent is the identity, byte for byte" {
    local from file
    for from in raw in; do
        mkdir "$LAWS/file" "$LAWS/pipe"
        for file in "$LAWS/$from"/*; do
            ctx-isolate --policy transparent "$file" >"$LAWS/file/${file##*/}" 2>/dev/null || [[ $? == 65 ]]
            ctx-isolate --policy transparent <"$file" 2>/dev/null >"$LAWS/pipe/${file##*/}" || [[ $? == 65 ]]
        done
        alike "$LAWS/$from" "$LAWS/file"
        alike "$LAWS/$from" "$LAWS/pipe"
        rm -r "$LAWS/file" "$LAWS/pipe"
    done
}

# Whatever a new one does, it owes this.
@test "every filter: by its defaults twice is once, and pairs stay whole" {
    local command
    local -a operand filters
    mapfile -t filters < <(commands filter)
    ((${#filters[@]} >= 9))
    for command in "${filters[@]}"; do
        printf '%s\n' "$command"
        operand=()
        case $command in
        ctx-select) operand=('role=*') ;;
        ctx-restore) operand=("$FIXTURES/empty.archive") ;;
        esac
        apply "default-$command" "$command" "${operand[@]}"
        again "default-$command" "$command" "${operand[@]}"
    done
    whole_pairs "${filters[@]/#/default-}"
}

@test "ctx-project: the view of all is the identity, byte for byte" {
    apply all ctx-project --view all
    local file
    for file in "$LAWS"/out/all/*; do
        # Messages of sub-agents are in no view of their parent.
        grep -q parent_execution_id "$LAWS/in/${file##*/}" || cmp "$LAWS/in/${file##*/}" "$file"
    done
    part_of_input all
}

@test "ctx-project: every view is made of input lines, in their order" {
    local view
    for view in reasoning conversation trace; do
        apply "$view" ctx-project --view "$view"
    done
    apply trace-none ctx-project --trace none
    apply trace-all ctx-project --trace all
    apply last ctx-project --view all --last 7msgs
    apply first ctx-project --view all --first 50%msgs --end-on tool,user
    apply leaf ctx-project --view all --leaf last --forgotten show
    apply keep ctx-project --last 5msgs --keep system,first,pinned,critical,summary --start-on user
    part_of_input reasoning conversation trace trace-none trace-all last first leaf keep
    whole_pairs reasoning conversation trace trace-none trace-all last first leaf keep
}

@test "ctx-project: attempts, sections and injections leave pairs whole, and all lines but the injected are the view's" {
    local file
    apply attempts ctx-project --attempts all
    apply attempts-last ctx-project --view trace --attempts last
    part_of_input attempts attempts-last
    whole_pairs attempts attempts-last
    apply sections ctx-project --sections summary,messages,execution_buffer --last 9msgs
    whole_pairs sections
    echo 'A note that no log has.' >"$LAWS/note"
    apply viewed ctx-project
    apply injected ctx-project --inject "$LAWS/note" --inject "$LAWS/note@before-last-user" --inject "$LAWS/note@end"
    whole_pairs injected
    for file in "$LAWS"/out/injected/*; do
        [[ $(grep -c '"A note that no log has\."' "$file") == 3 ]] || fail "$file"
        diff <(grep -av '"A note that no log has\."' "$file") <(awk '{ sub(/^\xef\xbb\xbf/, "") } 1' "$LAWS/out/viewed/${file##*/}") || fail "$file"
    done
    apply system ctx-project --view all --with-system
    again system ctx-project --view all --with-system
    whole_pairs system
}

# bats test_tags=slow
@test "ctx-project: --merge and --shorten: twice is once, pairs stay whole, and what is shortened does not grow" {
    local law
    apply merge ctx-project --view all --merge
    apply shorten ctx-project --view all --shorten 200,30%
    apply shorten-tokens ctx-project --view all --merge --shorten 60tok --estimator bytes/4
    again merge ctx-project --view all --merge
    again shorten ctx-project --view all --shorten 200,30%
    again shorten-tokens ctx-project --view all --merge --shorten 60tok --estimator bytes/4
    whole_pairs merge shorten shorten-tokens
    no_growth shorten
}

# Selectors whose answers are certain early, late, and at the end.
selectors=('role=user' 'tool=*' 'trace,!error' 'unresolved' '!unresolved' 'final' 'turn>-3' 'turn<-1' '!execution=last' 'text~e')

# bats test_tags=slow
@test "ctx-project and ctx-select: what streams selects as what holds the session, and no message twice or never" {
    local selector file name
    for selector in "${selectors[@]}"; do
        while read -r name _; do
            file=$LAWS/in/$name
            printf '%s of %s\n' "$selector" "$name"
            ctx-project --view all --select "$selector" "$file" >"$LAWS/streamed" 2>/dev/null || [[ $? == 65 ]]
            ctx-project --view all --select "$selector" --last 999999999msgs "$file" >"$LAWS/held" 2>/dev/null || [[ $? == 65 ]]
            cmp "$LAWS/streamed" "$LAWS/held"
            sums "$selector" "$file"
        done < <(inputs)
    done
    rm "$LAWS/streamed" "$LAWS/held"
}

# sums SELECTOR FILE: what it selects and what it does not are all messages.
sums() {
    local one other all
    one=$(ctx-select --count "$1" "$2" 2>/dev/null) || [[ $? == @(1|65) ]]
    other=$(ctx-select --count --invert "$1" "$2" 2>/dev/null) || [[ $? == @(1|65) ]]
    all=$(ctx-select --count --reject id=- "$2" 2>/dev/null) || [[ $? == @(1|65) ]]
    ((one + other == all)) || fail "$one + $other, not $all: $1: $2"
}

# bats test_tags=slow
@test "ctx-select and ctx-isolate: what a selector picks is made of input lines and whole pairs" {
    apply select ctx-select 'tool=*,!error'
    apply select-late ctx-select 'turn>-3'
    apply select-view ctx-project --trace 'tool=read' --reject 'turn=1'
    part_of_input select select-late select-view
    whole_pairs select select-late select-view
    apply isolate-chosen ctx-isolate --select 'turn>1' --protect 'error'
    whole_pairs isolate-chosen
}

@test "keyed streams: twice is once, and pairs stay whole" {
    local -a keyed=(--session-key metadata.session_id)
    apply keyed-isolate ctx-isolate "${keyed[@]}"
    apply keyed-mask ctx-isolate --policy mask "${keyed[@]}"
    apply keyed-project ctx-project "${keyed[@]}"
    apply keyed-route ctx-route --separate-trace "${keyed[@]}"
    apply keyed-normalize ctx-normalize "${keyed[@]}"
    apply keyed-compact ctx-compact "${keyed[@]}" --estimator bytes/4 --limit 1k --best-effort
    again keyed-isolate ctx-isolate "${keyed[@]}"
    again keyed-mask ctx-isolate --policy mask "${keyed[@]}"
    again keyed-route ctx-route --separate-trace "${keyed[@]}"
    again keyed-normalize ctx-normalize "${keyed[@]}"
    again keyed-compact ctx-compact "${keyed[@]}" --estimator bytes/4 --limit 1k --best-effort
    whole_pairs keyed-isolate keyed-mask keyed-project keyed-route keyed-normalize keyed-compact
}

@test "ctx-normalize: twice is once, and its output has no orphan" {
    local file
    for file in "$LAWS"/in/*; do
        [[ $file != *-raw ]] || continue
        ctx-normalize "$file" >"$LAWS/again" 2>/dev/null || [[ $? == 65 ]]
        cmp "$file" "$LAWS/again"
    done
    awk -F '\t' '$2 !~ /-raw$/ && $3 ~ /^orphan/' "$LAWS/in.facts" >"$LAWS/orphans"
    # A bad line may hold the call: its group is left alone.
    grep -v '^in.hostile-' "$LAWS/orphans" >"$LAWS/orphans.other" || true
    same 'orphans after ctx-normalize' /dev/null "$LAWS/orphans.other"
}

@test "ctx-normalize: --check accepts what it wrote" {
    local file status
    for file in "$LAWS"/in/*; do
        [[ $file != *-raw ]] || continue
        status=0
        ctx-normalize --check "$file" >"$LAWS/checked" 2>"$LAWS/diagnostics" || status=$?
        [[ $status == 0 || $status == 65 ]] || fail "${file##*/}: $(head -n 3 "$LAWS/diagnostics")"
    done
}

# The options of ctx-isolate, by which its laws hold, too.
isolations=(
    [0]='ctx-isolate --interim drop --thinking 1turn'
    [1]='ctx-isolate --policy mask --arguments all --thinking 0turns --min-tokens 20 --keep-results 1'
    [2]='ctx-isolate --policy mask --arguments failed --keep-tokens 2k --keep-results 0'
    [3]='ctx-isolate --policy mask --arguments redone --interim drop --min-tokens 10'
    [4]='ctx-isolate --policy mask --min-tokens 1 --placeholder {tool}{{{outcome}:{tokens}'
    [5]='ctx-isolate --min-gain 2k'
    [6]='ctx-isolate --artifact execution --artifact-role user'
    [7]='ctx-isolate --artifact execution --interim drop --thinking 0turns --execution none'
    [8]='ctx-isolate' [9]='ctx-isolate --policy mask' [10]='ctx-isolate --execution none'
)

@test "ctx-isolate: with each of its options, twice is once, pairs stay whole, what is protected stays, nothing grows" {
    local i
    local -a laws
    for i in "${!isolations[@]}"; do
        # shellcheck disable=SC2086
        apply "isolate-$i" ${isolations[i]}
        # shellcheck disable=SC2086
        again "isolate-$i" ${isolations[i]}
        laws+=("isolate-$i")
    done
    whole_pairs "${laws[@]}"
    keeps_protected "${laws[@]}"
    no_growth "${laws[@]}"
}

@test "ctx-compact: twice is once, pairs stay whole, what is protected stays, nothing grows" {
    apply forced ctx-compact --force
    apply 16k ctx-compact --window 16k
    apply 4k ctx-compact --window 4k --best-effort
    again forced ctx-compact --force
    again 16k ctx-compact --window 16k
    again 4k ctx-compact --window 4k --best-effort
    whole_pairs forced 16k 4k
    keeps_protected forced 16k
    keeps_asked 4k
    no_growth forced 16k 4k
}

@test "ctx-compact: a trigger that was acted on is quiet, or nothing more can be done" {
    local options n=0
    for options in '--max-tool-results 3' '--max-messages 9' '--max-turns 2' '--max-steps 2' '--max-age 1m' '--when role=tool>2' '--max-section messages=2k' '--max-section messages=1k --select section=messages'; do
        n=$((n + 1))
        # shellcheck disable=SC2086
        apply "trigger-$n" ctx-compact $options
        # shellcheck disable=SC2086
        again "trigger-$n" ctx-compact $options
        whole_pairs "trigger-$n"
    done
}

@test "ctx-compact: each transform alone is idempotent and keeps pairs and protected messages" {
    local transform
    for transform in dedupe prune summarize symbolize truncate normalize; do
        apply "$transform" ctx-compact --force --pipeline "$transform"
        again "$transform" ctx-compact --force --pipeline "$transform"
    done
    whole_pairs dedupe prune summarize symbolize truncate normalize
    keeps_protected dedupe prune summarize truncate normalize
    no_growth dedupe prune summarize truncate normalize
}

@test "ctx-compact: the recency window stays, byte for byte" {
    apply window ctx-compact --force --keep-turns 2
    mkdir "$LAWS/recent"
    local file name
    for file in "$LAWS"/out/window/*; do
        name=${file##*/}
        # The lines from the last but one message of the user on.
        awk '{ line[NR] = $0 } /^\{"role":"user"/ && !/"origin":"injected"/ { before = last; last = NR }
            END { if (before) for (i = before; i <= NR; i++) if (line[i] !~ /^\{"type":"budget"/) print line[i] }' \
            "$LAWS/in/$name" >"$LAWS/recent/$name"
        printf '%s %s\n' "recent/$name" "out/window/$name"
    done >"$LAWS/pairs"
    in_order "$LAWS" <"$LAWS/pairs"
}

@test "ctx-compact: a budget that is met is not over its target for the next run" {
    local file
    apply met ctx-compact --window 16k
    for file in "$LAWS"/out/met/*; do
        ctx-budget --window 16k --check "$file" >/dev/null 2>&1 || [[ $? == 65 ]] ||
            grep -q '"type":"budget"' "$file" || fail "${file##*/} is still over its budget"
    done
}

@test "ctx-route: rules twice are rules once, by each kind of selector, and pairs stay whole" {
    twice() {
        apply "$@"
        again "$@"
        whole_pairs "$1"
    }
    twice alone ctx-route --set 'x=[1,2]' --set pinned=true --where role=user
    twice derived ctx-route --set x=1 --where 'tool=*' --set section= --where 'turn>-3'
    twice later ctx-route --set x= --set id= --set critical=true --where final --where error
}

@test "ctx-route: rules that select nothing change nothing, and what they change is metadata alone" {
    apply none ctx-route --set x=1 --where role=nobody
    apply late ctx-route --set x=1 --where 'turn>-2,tool=no such'
    apply route ctx-route
    alike "$LAWS/out/route" "$LAWS/out/none"
    alike "$LAWS/out/route" "$LAWS/out/late"
    apply held ctx-route --set x=1 --where 'role=user,bytes>0'
    apply alone ctx-route --set x=1 --where role=user
    alike "$LAWS/out/alone" "$LAWS/out/held"
    local file
    for file in "$LAWS"/in/*; do
        jq -c 'del(.metadata, ._metadata)?' "$file" >"$LAWS/left" 2>/dev/null || continue
        jq -c 'del(.metadata, ._metadata)?' "$LAWS/out/alone/${file##*/}" | cmp -s "$LAWS/left" - || fail "${file##*/}"
    done
}

@test "ctx-route --overflow and --clear: twice is once, and pairs stay whole" {
    local size law
    for size in 500 4msgs 2turns; do
        apply "overflow-$size" ctx-route --overflow "$size" --estimator bytes/4
        again "overflow-$size" ctx-route --overflow "$size" --estimator bytes/4
    done
    apply cleared ctx-route --clear messages
    again cleared ctx-route --clear messages
    whole_pairs overflow-500 overflow-4msgs overflow-2turns cleared
    # What a section is put in is all that --overflow does beside the rest of ctx-route; where it does
    # not fit, the input stays as it is.
    local file
    [[ -d $LAWS/out/route ]] || apply route ctx-route
    for law in route overflow-500; do
        mkdir -p "$LAWS/unsectioned/$law"
        (cd "$LAWS/out/$law" && for file in *; do
            sed 's/,"section":"buffer"//; s/"section":"buffer",\{0,1\}//' "$file" >"$LAWS/unsectioned/$law/$file"
        done)
    done
    for file in "$LAWS"/out/overflow-500/*; do
        cmp -s "$file" "$LAWS/in/${file##*/}" || continue
        ctx-route --overflow 500 --estimator bytes/4 "$file" >/dev/null 2>"$LAWS/diagnostics" && continue
        grep -q 'does not fit, and nothing is changed' "$LAWS/diagnostics" || continue
        rm "$LAWS/unsectioned/"{route,overflow-500}/"${file##*/}"
    done
    alike "$LAWS/unsectioned/route" "$LAWS/unsectioned/overflow-500"
}

@test "ctx-budget: all that it adds is one record" {
    apply budget ctx-budget
    same 'all but the record' <(cd "$LAWS/in" && grep -av '^{"type":"budget"' ./*) \
        <(cd "$LAWS/out/budget" && grep -av '^{"type":"budget"' ./*)
    (cd "$LAWS/in" && find . -type f -size +0 -print) | sort >"$LAWS/full"
    same 'one record each' <(sed 's/$/:1/' "$LAWS/full") \
        <(cd "$LAWS/out/budget" && xargs grep -ac '^{"type":"budget"' <"$LAWS/full")
}

@test "concatenation: a filter of two files is the two filtered, one after the other" {
    cat "$LAWS/in/ctx-talk.jsonl" "$LAWS/in/openai-chat.jsonl" "$LAWS/in/ctx-talk.jsonl" >both
    local options
    for options in 'ctx-isolate --policy transparent' 'ctx-project --view all' ctx-normalize; do
        $options both >whole
        { $options "$LAWS/in/ctx-talk.jsonl" && $options "$LAWS/in/openai-chat.jsonl" && $options "$LAWS/in/ctx-talk.jsonl"; } >parts
        cmp whole parts
        $options "$LAWS/in/ctx-talk.jsonl" "$LAWS/in/openai-chat.jsonl" "$LAWS/in/ctx-talk.jsonl" >operands
        cmp whole operands
    done
}

@test "the main job: every Claude Code session becomes messages that Anthropic takes and that fit" {
    local file status
    mkdir "$LAWS/out/main"
    cd "$LAWS" || return
    for file in raw/claude-code*; do
        status=0
        ctx-normalize --from claude-code "$file" >main.1 2>diagnostics || status=$?
        [[ $status == 0 || $status == 65 ]]
        # A bad line goes through all stages, and each of them says so.
        status_of "$status" ctx-isolate main.1 >main.2 2>diagnostics
        status_of "$status" ctx-project main.2 >main.3 2>diagnostics
        status_of "$status" ctx-compact --window 32k main.3 >main.4 2>diagnostics
        status_of "$status" ctx-budget --window 32k --check main.4 >main.5 2>diagnostics
        status_of "$status" ctx-normalize --to anthropic main.4 >"out/main/${file##*/}" 2>diagnostics
    done
    [[ $(find "$LAWS/out/main" -type f -size +0 | wc -l) -ge 4 ]]
    anthropic_faults "$LAWS"/out/main/* >"$LAWS/faults"
    same 'what Anthropic refuses' /dev/null "$LAWS/faults"
}

@test "dialects: OpenAI messages come back from a round trip as they were, less what only answers have" {
    local file
    for file in "$LAWS"/in/{openai-chat,ctx-late-results,ctx-talk,route-one-call,route-several-calls}.jsonl; do
        ctx-normalize --to openai "$file" >"$LAWS/there"
        ctx-normalize --from openai "$LAWS/there" >"$LAWS/back"
        sed -E 's/,"refusal":null,"annotations":\[\]//; s/,"reasoning_content":"[^"]*"//' "$file" >"$LAWS/sent"
        same "${file##*/}" "$LAWS/sent" "$LAWS/back"
    done
}

# The commands that chains are made of.
links=(
    'ctx-normalize' 'ctx-route' 'ctx-budget' 'ctx-isolate' 'ctx-isolate --policy mask' 'ctx-isolate --policy transparent'
    'ctx-isolate --execution none' 'ctx-isolate --protect error'
    'ctx-isolate --artifact execution --artifact-role user --interim drop' 'ctx-isolate --policy mask --arguments all --thinking 0turns --min-tokens 20'
    'ctx-select !tool=read' 'ctx-project' 'ctx-project --trace all' 'ctx-project --trace none' 'ctx-project --view all'
    'ctx-project --merge --shorten 300 --trace all'
    'ctx-compact --force' 'ctx-compact --window 8k --best-effort' 'ctx-compact --window 3k --best-effort'
    'ctx-compact --max-tool-results 5' 'ctx-compact --max-messages 12 --max-turns 3'
    'ctx-compact --force --pipeline dedupe' 'ctx-compact --force --pipeline prune' 'ctx-compact --force --pipeline truncate'
    'ctx-compact --force --pipeline summarize --window 8k --best-effort'
    'ctx-compact --force --pipeline symbolize --window 8k --best-effort'
    'ctx-compact --max-section messages=2k' 'ctx-route --set seen=true --where role=tool' 'ctx-route --set section=buffer --where turn<2'
    'ctx-route --overflow 4k' 'ctx-route --clear buffer' 'ctx-project --last 30msgs --keep system,first' 'ctx-project --first 3k'
    'ctx-project --last 60%msgs --start-on user' 'ctx-project --end-on user,tool' 'ctx-project --merge' 'ctx-project --shorten 400'
    'ctx-project --sections summary,buffer,messages' 'ctx-isolate --policy mask --keep-tokens 2k'
    'ctx-isolate --policy mask --arguments all --thinking 1turn' 'ctx-isolate --policy mask --arguments redone --min-gain 300'
    'ctx-isolate --artifact execution' 'ctx-isolate --artifact-role user --interim drop' 'ctx-project --attempts all'
    ctx-redact 'ctx-redact --only secrets --where role=tool'
)

# run_chain NUMBER LINK...: runs a sixteenth of the inputs, another one each time, through the links.
run_chain() {
    local number=$1 count=0 name link status file next
    shift
    mkdir -p "$LAWS/out/chain-$number"
    { printf 'chain-%s' "$number"; printf ' | %s' "$@"; printf '\n'; } >>"$LAWS/chains"
    while read -r name _; do
        ((count++ % 16 == number % 16)) || continue
        file=$LAWS/in/$name
        for link in "$@"; do
            status=0
            next=$LAWS/out/chain-$number/$name
            [[ $file != "$next" ]] || next=$LAWS/link
            $link "$file" >"$next" 2>"$LAWS/diagnostics" || status=$?
            [[ $status == 0 || $status == 65 || ($status == 1 && $link == ctx-@(compact|select|route --overflow)*) ]] || fail \
                "$link: $name: status $status: $(head -c 500 "$LAWS/diagnostics"): $(tail -n 1 "$LAWS/chains")" || return
            file=$next
        done
        [[ $file != "$LAWS/link" ]] || mv "$LAWS/link" "$LAWS/out/chain-$number/$name"
    done < <(inputs)
}

@test "ctx-compile: every built-in profile keeps pairs whole, and twice is once" {
    local name
    for name in pragmatic budget policy; do
        apply "profile-$name" ctx-compile -p "$name"
        again "profile-$name" ctx-compile -p "$name"
    done
    whole_pairs profile-pragmatic profile-budget profile-policy
    part_of_input profile-pragmatic
    # No view hides what is protected from the profile that hides no trace.
    keeps_protected profile-budget profile-policy
}

@test "chains: no orphan and no lost result after fifty random chains of commands" {
    local number i chain
    RANDOM=42
    : >"$LAWS/chains"
    for ((number = 1; number <= 50; number++)); do
        chain=()
        for ((i = 2 + RANDOM % 4; i > 0; i--)); do
            chain+=("${links[RANDOM % ${#links[@]}]}")
        done
        run_chain "$number" "${chain[@]}"
    done
    [[ $(find "$LAWS/out" -path '*/chain-*' -type f -size +0 | wc -l) -gt 200 ]]
    whole_pairs chain-{1..50}
}

@test "chains: what --to writes of each the API takes, also of an interrupted session" {
    local to chain file form
    for to in openai anthropic; do
        mkdir "$LAWS/$to"
        for chain in chain-{1..50}; do
            # Messages of one chain, a request body of the next.
            form=--verbose
            [[ $chain == *[02468] ]] || form='--request={"model":"m","max_tokens":9}'
            for file in "$LAWS/out/$chain"/*; do
                ctx-normalize "$form" --to "$to" "$file" >"$LAWS/$to/$chain-${file##*/}" 2>"$LAWS/diagnostics" || [[ $? == 65 ]] ||
                    fail "--to $to $chain ${file##*/}: $(head -c 500 "$LAWS/diagnostics")" || return
            done
        done
        find "$LAWS/$to" -type f -size +0 ! -name '*hostile-escapes*' -print0 >"$LAWS/names"
        mapfile -t -d '' files <"$LAWS/names"
        ((${#files[@]} > 150))
        "${to}_faults" "${files[@]}" >"$LAWS/faults"
        same "what $to refuses" /dev/null "$LAWS/faults"
        for file in "${files[@]}"; do
            ctx-normalize --check --to "$to" "$file" 2>"$LAWS/diagnostics" ||
                fail "--check --to $to ${file##*/}: $(head -c 500 "$LAWS/diagnostics")" || return
        done
    done
}

@test "chains: what is protected stays through each, byte for byte" {
    # ctx-route writes metadata into every message, and windows and edits that were asked for spare
    # nothing, so chains with them are left out.
    local -a kept cut
    local chain
    grep -vE 'ctx-route|ctx-project --(last|first|start|end|merge|shorten|sections)|ctx-redact' "$LAWS/chains" >plain
    mapfile -t kept < <(grep -v -e --best-effort plain | cut -d' ' -f1)
    mapfile -t cut < <(grep -e --best-effort plain | cut -d' ' -f1)
    ((${#kept[@]} > 5 && ${#cut[@]} > 0)) || fail "${#kept[@]} and ${#cut[@]} chains"
    keeps_protected "${kept[@]}"
    for chain in "${cut[@]}"; do
        keeps_asked "$chain"
    done
}

# It is the one policy that may edit protected messages and make a record grow: those laws do not hold.
@test "ctx-redact: leaves pairs whole, and a second run changes nothing" {
    apply redacted ctx-redact --pattern 'word=[Tt]he [a-z]+' --bad-lines=drop --bad-file=/dev/null
    again redacted ctx-redact --pattern 'word=[Tt]he [a-z]+' --bad-lines=drop --bad-file=/dev/null
    whole_pairs redacted
    grep -rqF '[REDACTED:email]' "$LAWS/out/redacted"
    grep -rqF '[REDACTED:word]' "$LAWS/out/redacted"
}
