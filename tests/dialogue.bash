# shellcheck shell=bash
#
# Short spellings of messages, so that a test shows what happens and not how JSON is written, and an
# expected stream that is told by the lines of the input:
#
#     { user 'Look at a.c.'; calls c1 read a.c; gets c1 "$long"; says 'Done.'; user 'Next.'; } >in
#     makes 'ctx-isolate' 1 "$(artifact '' read a.c 'ok, 600 B')" 4-5
#     makes 'ctx-compact --force' 1-2 '3: compacted content -> [old result removed]' 4-5
#     keeps 'ctx-isolate --policy transparent'
#     refuses 'ctx-isolate --keep-results' "option '--keep-results' needs a value: N"
#
# Each word writes one line.  TEXT is the inside of a JSON string, or an array of parts, or null;
# METADATA is the inside of an object.
#
#     user TEXT [METADATA]                user 'Hi.' '"pinned":true'
#     says TEXT [METADATA]                says 'Hello.'                 (an assistant without calls)
#     system, developer TEXT [METADATA]   system 'Be brief.'
#     calls ID TOOL ARGUMENTS [METADATA]  calls c1 read a.c             (an object, or a path alone:
#                                         calls c2 bash '{"command":"make"}'     {"path":"a.c"})
#     acts TEXT CALL... [METADATA]        acts 'I look.' "$(call c1 read a.c)" "$(call c2 read b.c)"
#     wants ID:TOOL... [METADATA]         wants c1:read c2:ls           (calls alone, as short as may be)
#     gets ID TEXT [METADATA]             gets c1 'int a;' '"is_error":true'
#     context PROMPT                      context 'You keep lamps.'     (a context record)
#     raw LINE...                         raw '[1, 2]' '{bad}'          (as they stand)
#     artifact, brief, summary, budget    what the commands write: see below
#     steps FIRST LAST                    so many steps of a coding agent: a call and its result
#     parts COUNT                         so many texts of the model, each with one of the user behind
#     repeat N TEXT                       gets c1 "$(repeat 100 x)"     (no line: the text N times)
#     numbered FIRST LAST                 { user 'Go @.'; says '@ is done.'; } | numbered 1 9
#
# What comes of the file in is told by items:
#
#     4, 4-7      these lines of in, byte for byte
#     4: CHANGES  line 4 of in, with CHANGES and no other byte changed:
#                     NAME, NAME=VALUE     a member of its metadata, true or VALUE: JSON, or a word
#                                          that becomes a string; at the end, or where it stood
#                     MEMBER -> TEXT       as the last: the text of that member, the last of that
#                                          name; arguments.MEMBER -> TEXT is one of the arguments
#     >>>2, >>>=  as spec has them: a diagnostic, the status, a file
#     else        itself
#
#     makes 'ctx-route' '1: origin=user execution_id=#1 section=messages'
#     makes 'ctx-compact --force' 1 '2: compacted arguments.command -> cat [… 9 kB cut …]' 3-5
#     makes "ctx-isolate | jq -r .role" user assistant
#     makes 'ctx-isolate' 1-3 '>>>2 ctx-isolate: in:3: unexpected end, at byte 49' '>>>= 65'

# 600 bytes.
# shellcheck disable=SC2034
printf -v long '%600s' ''
long=${long// /x}

# The words that are called within others leave what they make in REPLY, which takes no process.

repeat() {
    local count=$1 text=$2 all=
    for ((; count > 0; count >>= 1)); do
        ((count % 2 == 0)) || all+=$text
        text+=$text
    done
    printf '%s' "$all"
}

metadata() {
    REPLY=${1:+,\"metadata\":\{$1\}}
}

# text_value TEXT: a string, unless it is an array of parts or null.
text_value() {
    REPLY=$1
    [[ $1 == '[{"'*']' || $1 == null ]] || REPLY="\"$1\""
}

message() {
    local content
    text_value "$2"
    content=$REPLY
    metadata "${3-}"
    printf '{"role":"%s","content":%s%s}\n' "$1" "$content" "$REPLY"
}

user() { message user "$@"; }
says() { message assistant "$@"; }
system() { message system "$@"; }
developer() { message developer "$@"; }

context() {
    printf '{"type":"context","system_prompt":"%s"}\n' "$1"
}

raw() {
    printf '%s\n' "$@"
}

# of_line LINE [NUMBER]: what the metadata of its messages say of their session, where the line is one.
of_line() {
    printf '"session_id":"line-%s%s"' "$(printf '%s' "$1" | b2sum -l 128 | cut -d" " -f1)" "${2-}"
}

# call ID TOOL ARGUMENTS: one element of tool_calls.
call() {
    local arguments=$3
    [[ $3 == '{'* ]] || arguments="{\"path\":\"$3\"}"
    arguments=${arguments//\\/\\\\}
    printf '{"id":"%s","type":"function","function":{"name":"%s","arguments":"%s"}}' "$1" "$2" "${arguments//\"/\\\"}"
}

acts() {
    local content calls=
    text_value "$1"
    content=$REPLY
    shift
    while [[ ${1-} == '{'* ]]; do
        calls+=,$1
        shift
    done
    metadata "${1-}"
    printf '{"role":"assistant","content":%s,"tool_calls":[%s]%s}\n' "$content" "${calls:1}" "$REPLY"
}

calls() {
    metadata "${4-}"
    printf '{"role":"assistant","content":null,"tool_calls":['
    call "$1" "$2" "$3"
    printf ']%s}\n' "$REPLY"
}

wants() {
    local calls=
    while [[ ${1-} == *:* && $1 != '"'* ]]; do
        calls+=",{\"id\":\"${1%:*}\",\"function\":{\"name\":\"${1##*:}\"}}"
        shift
    done
    metadata "${1-}"
    printf '{"role":"assistant","tool_calls":[%s]%s}\n' "${calls:1}" "$REPLY"
}

gets() {
    local content
    text_value "$2"
    content=$REPLY
    metadata "${3-}"
    printf '{"role":"tool","tool_call_id":"%s","content":%s%s}\n' "$1" "$content" "$REPLY"
}

# artifact METADATA TOOL PATH OUTCOME [KEY]: what stands for a group of one call of a read or write tool.
artifact() {
    local word=${4%%,*}
    printf '{"role":"assistant","content":"[trace] %s %s: %s","metadata":{"kind":"trace","scope":"historical",' \
        "$2" "$3" "$4"
    printf '%s"is_trace":true,"compacted":true,' "${1:+$1,}"
    printf '"facts":{"tool":"%s","target":"%s","op":"%s","outcome":"%s"%s}}}\n' "$2" "$3" "$2" "$word" "${5:+,\"key\":\"$5\"}"
}

# brief METADATA TOOL PATH OUTCOME: the same where there is no room for its facts.
brief() {
    printf '{"role":"assistant","content":"[trace] %s %s: %s",' "$2" "$3" "$4"
    printf '"metadata":{"kind":"trace",%s"is_trace":true,"compacted":true}}\n' "${1:+$1,}"
}

# summary DROPPED kept=N covers=LINES [read=FILES] [modified=FILES] [unresolved=TEXT]
# [deleted=FILES] [checks=TEXT] [tried=TEXT] [attempts=JSON] [request=FIRST,NEWEST] [framing=N] [as=METADATA]: the artifact of ctx-compact.  LINES are 3-5,8; FILES are parted by commas; METADATA stands before compacted.
#
#     makes 'ctx-compact' 1 "$(summary 4 kept=1 covers=2-4,6 read=a.c,b.c modified=a.c)" 7
summary() {
    local dropped=$1 kept='' covers='' read='' modified='' deleted='' checks='' unresolved='' tried='' attempts='' request='' framing='' as='' verb='messages were' only='' file text lines
    shift
    local "$@"
    REPLY=
    ((dropped > 1)) || verb='message was'
    for file in ${read//,/ }; do
        [[ ,$modified, == *,$file,* ]] || only+=", $file"
    done
    text="[summary] $dropped earlier $verb dropped to save context.${only:+\nFiles read: ${only:2}}"
    text+="${modified:+\nFiles modified: ${modified//,/, }}${deleted:+\nFiles deleted or moved: ${deleted//,/, }}${unresolved:+\nUnresolved: $unresolved}${tried:+\nAttempts: $tried}"
    for lines in ${covers//,/ }; do
        REPLY+=",[${lines%-*},${lines#*-}]"
    done
    printf '{"role":"user","content":"%s","metadata":{"kind":"summary","scope":"historical",%s"compacted":true,' \
        "$text" "${as:+$as,}"
    printf '"facts":{"dropped":%s,"kept":%s,"files_read":[%s],"files_modified":[%s],%s"unresolved":[%s],%s"covers":[%s]}}}\n' \
        "$dropped" "$kept" "${read:+\"${read//,/\",\"}\"}" "${modified:+\"${modified//,/\",\"}\"}" \
        "${deleted:+\"files_deleted\":[\"${deleted//,/\",\"}\"],}" "${unresolved:+\"$unresolved\"}" "${attempts:+\"attempts\":[$attempts],}${checks:+\"checks\":[\"$checks\"],}${request:+\"request\":[$request],}${framing:+\"framing\":$framing,}" "${REPLY:1}"
}

# budget window=N used=N output=N soft=N [system=N] [remaining=N] [reasons=WORDS] [limits=MEMBERS]
# [hard_stop=true]: a budget record of bytes/4; what follows from the numbers is computed here when it is not said.
#
#     makes 'ctx-compact' 1-3 "$(budget window=1000 used=90 output=250 soft=719)"
budget() {
    local window used output soft system=0 reasons='' limits='' hard_stop='' remaining='' over=true compact=true
    local "$@"
    : "${remaining:=$((window > used + output + system ? window - used - output - system : 0))}"
    ((used >= soft)) || over=false
    [[ -n $reasons ]] || compact=false
    printf '{"type":"budget","estimator":"bytes/4","context_window":%s,"used_tokens":%s,' "$window" "$used"
    printf '"reserved_output_tokens":%s,"reserved_system_tokens":%s,"soft_compact_threshold":%s,' "$output" "$system" "$soft"
    printf '"remaining":%s,"over_soft_threshold":%s,"compact":%s,"reasons":[%s]%s%s}\n' "$remaining" \
        "$over" "$compact" "${reasons:+\"${reasons//,/\",\"}\"}" "${limits:+,\"limits\":{$limits\}}" \
        "${hard_stop:+,\"hard_stop\":true}"
}

# The parts of a line, as regular expressions: the inside of a string; of a string in a string; of an
# object that holds objects, but none deeper.
in_string='([^"\\]|\\.)*'
in_nested='([^"\\]|\\\\[^"\\]|\\\\\\"|\\\\\\\\)*'
in_object='([^{}]|\{[^{}]*\})*'

# set_text LINE MEMBER TEXT: the last member of that name has that text; the line is in REPLY.
set_text() {
    local inside=$in_string quote='"' escaped='"' before='' name=$2
    [[ $name != arguments.* ]] || name=${name#*.} before='"arguments":.*'
    if [[ $before && ${1#*\"arguments\":} == '"'* ]]; then
        inside=$in_nested quote='\"' escaped='\\"'
    fi
    [[ $1 =~ ^(.*$before$escaped$name$escaped\ *:\ *)($escaped$inside$escaped|null)(.*)$ ]] ||
        fail "expect: no text in '$2': $1" || return
    REPLY=${BASH_REMATCH[1]}$quote$3$quote${BASH_REMATCH[-1]}
}

# set_metadata LINE NAME[=VALUE]: a member of its metadata; the line is in REPLY.
set_metadata() {
    local name=${2%%=*} value=${2#*=} head inside tail
    [[ $2 == *=* ]] || value=true
    [[ $value =~ ^(true|false|null|-?[0-9.]+|[\[\{\"].*)$ ]] || value="\"$value\""
    if [[ $1 =~ ^(.*\"_?metadata\":\{)($in_object)(\}.*)$ ]]; then
        head=${BASH_REMATCH[1]} inside=${BASH_REMATCH[2]} tail=${BASH_REMATCH[-1]}
    elif [[ $1 == *'metadata":'* ]]; then
        fail "expect: metadata too deep, write the line: $1" || return
    else
        head=${1%\}*},\"metadata\":\{ inside='' tail=\}\}${1##*\}}
    fi
    if [[ $inside =~ ^((.*,)?\"$name\":)(\"$in_string\"|[^,]*)(.*)$ ]]; then
        inside=${BASH_REMATCH[1]}$value${BASH_REMATCH[-1]}
    else
        inside+=${inside:+,}\"$name\":$value
    fi
    REPLY=$head$inside$tail
}

# changed LINE CHANGES: the line that an item "N: CHANGES" stands for, in REPLY.
changed() {
    local words=$2 word member=
    if [[ $2 == *' -> '* ]]; then
        words=${2%%' -> '*}
        member=${words##* }
        words=${words%"$member"}
    fi
    local -a members
    read -r -a members <<<"$words"
    REPLY=$1
    for word in "${members[@]}"; do
        set_metadata "$REPLY" "$word" || return
    done
    [[ -z $member ]] || set_text "$REPLY" "$member" "${2#*' -> '}"
}

# expect ITEM...: writes the file expected, as the first comment has it; the marks among the items are
# left in REPLY.
expect() {
    local item number marks=
    local -a lines
    mapfile lines <in
    for item in "$@"; do
        if [[ $item =~ ^([0-9]+)(-([0-9]+))?$ ]]; then
            for ((number = BASH_REMATCH[1]; number <= ${BASH_REMATCH[3]:-BASH_REMATCH[1]}; number++)); do
                printf '%s' "${lines[number - 1]}"
            done
        elif [[ $item =~ ^([0-9]+):\ (.*)$ ]]; then
            changed "${lines[BASH_REMATCH[1] - 1]}" "${BASH_REMATCH[2]}" || return
            printf '%s' "$REPLY"
        elif [[ $item == '>>>'* ]]; then
            marks+=$item$'\n'
        else
            printf '%s\n' "$item"
        fi
    done >expected
    REPLY=$marks
}

# makes COMMAND ITEM...: what the command makes of the file in, and nothing else.  In is put behind the
# command, or before its first bar.
makes() {
    local command=$1
    [[ $command == *' | '* ]] && command=${command/ | / in | } || command+=' in'
    expect "${@:2}" || return
    spec <<END
$command
$REPLY>>>@ expected
END
}

# keeps COMMAND: the command passes the file in byte for byte.
keeps() {
    spec <<END
$1 in
>>>@ in
END
}

# lets_out LINES COMMAND...: so many lines of in are out while the input is still open, and no more.
lets_out() {
    local expected=$1 line count=0
    shift
    coproc LIVE { "$@"; }
    cat in >&"${LIVE[1]}"
    while ((count < expected)); do
        IFS= read -r -t 10 line <&"${LIVE[0]}" || break
        count=$((count + 1))
    done
    ! IFS= read -r -t 0.2 line <&"${LIVE[0]}" || count=$((count + 1))
    kill "$LIVE_PID"
    wait "$LIVE_PID" || true
    [[ $count == "$expected" ]] || fail "$*: $count lines, expected $expected"
}

# refuses COMMAND MESSAGE: the command ends with a diagnostic about its options, before it reads anything.
refuses() {
    spec <<END
$1
>>>2 ${1%% *}: $2; try '${1%% *} --help'
>>>= 64
END
}

# numbered FIRST LAST: the lines on standard input once for each of these numbers, which stands where
# they have an @.
numbered() {
    awk -v first="$1" -v last="$2" '{ line[NR] = $0 }
        END {
            for (n = first; n <= last; n++)
                for (i = 1; i <= NR; i++) {
                    text = line[i]
                    gsub(/@/, n, text)
                    print text
                }
        }'
}

# steps FIRST LAST: so many steps of a coding agent, 240 bytes of result each.
steps() {
    { calls s@ read src/part_@.c; gets s@ "int part_@(void);\\n$(repeat 200 y)"; } | numbered "$1" "$2"
}

# parts COUNT: so many messages of the model, each with one of the user behind it.
parts() {
    { says "part @ $(repeat 80 w)"; user 'more @'; } | numbered 1 "$1"
}

# What a log says without what its tombstones forget, sub-agents included.
stay() {
    jq -cs 'reduce .[] as $m ([]; $m.metadata.forgets as $f | if $f then
        map(select(.metadata.id as $id | $f | index([$id]) | not)) else . + [$m] end) | .[]'
}
export -f stay
