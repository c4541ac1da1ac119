# shellcheck shell=bash
#
# Short spellings of messages, so that a test shows what happens and not how JSON is written, and an
# expected stream that is told by the lines of the input.  METADATA is the inside of the object.
#
#     { user 'Look at a.c.'; calls c1 read a.c; gets c1 "$long"; says 'Done.'; user 'Next.'; } >in
#     makes 'ctx-isolate' 1 "$(artifact '' read a.c 'ok, 600 B')" 4-5

# 600 bytes.
# shellcheck disable=SC2034
long=$(printf 'x%.0s' {1..600})

metadata() {
    [[ -z ${1-} ]] || printf ',"metadata":{%s}' "$1"
}

# user TEXT [METADATA], says TEXT [METADATA]
user() {
    printf '{"role":"user","content":"%s"%s}\n' "$1" "$(metadata "${2-}")"
}

says() {
    printf '{"role":"assistant","content":"%s"%s}\n' "$1" "$(metadata "${2-}")"
}

# call ID TOOL PATH: one element of tool_calls.
call() {
    printf '{"id":"%s","type":"function","function":{"name":"%s","arguments":"{\\"path\\":\\"%s\\"}"}}' "$1" "$2" "$3"
}

# calls ID TOOL PATH [METADATA]: a message with one call.
calls() {
    printf '{"role":"assistant","content":null,"tool_calls":[%s]%s}\n' "$(call "$1" "$2" "$3")" "$(metadata "${4-}")"
}

# gets ID TEXT [METADATA]: a result.
gets() {
    printf '{"role":"tool","tool_call_id":"%s","content":"%s"%s}\n' "$1" "$2" "$(metadata "${3-}")"
}

# artifact METADATA TOOL PATH OUTCOME: what stands for a group of one call of a read or write tool.
artifact() {
    local word=${4%%,*}
    printf '{"role":"assistant","content":"[trace] %s %s: %s","metadata":{"kind":"trace","scope":"historical",' \
        "$2" "$3" "$4"
    printf '%s"is_trace":true,"compacted":true,' "${1:+$1,}"
    printf '"facts":{"tool":"%s","target":"%s","op":"%s","outcome":"%s"}}}\n' "$2" "$3" "$2" "$word"
}

# brief METADATA TOOL PATH OUTCOME: the same where there is no room for its facts.
brief() {
    printf '{"role":"assistant","content":"[trace] %s %s: %s",' "$2" "$3" "$4"
    printf '"metadata":{"kind":"trace",%s"is_trace":true,"compacted":true}}\n' "${1:+$1,}"
}

# expect ITEM...: writes the file expected: a number or a range stands for these lines of the file in,
# byte for byte, anything else for itself.
expect() {
    local item
    for item in "$@"; do
        if [[ $item =~ ^[0-9]+(-[0-9]+)?$ ]]; then
            sed -n "${item/-/,}p" in
        else
            printf '%s\n' "$item"
        fi
    done >expected
}

# makes COMMAND ITEM...: what the command makes of the file in, as expect has it, and nothing else.
makes() {
    local command=$1
    shift
    expect "$@"
    spec <<END
$command in
>>>@ expected
END
}

# keeps COMMAND: the command passes the file in byte for byte.
keeps() {
    spec <<END
$1 in
>>>@ in
END
}
