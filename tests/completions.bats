#!/usr/bin/env bats
#
# What bash offers for the words of a command line.  That it offers every option, docs.bats tests.

load helper

setup() {
    fresh_directory
    # shellcheck disable=SC1091
    source "$ROOT/completions/ctx.bash"
}

# offers WORD... : OFFER...: what bash offers for the last word; it takes --name=value as three words.
offers() {
    local function
    COMP_WORDS=()
    while [[ $1 != : ]]; do
        COMP_WORDS+=("$1")
        shift
    done
    shift
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
    function=$(complete -p "${COMP_WORDS[0]}" | sed -n 's/.*-F \([^ ]*\) .*/\1/p')
    "$function" || true
    printf '%s\n' "${COMP_WORDS[*]}"
    same 'offers' <(printf '%s\n' "$@") <(printf '%s\n' "${COMPREPLY[@]}")
}

@test "completion: options" {
    offers ctx-isolate --po : --policy=
    offers ctx-route --separate-trace --e : --execution= --ephemeral --estimator=
    offers ctx-route --separate-trace --sep : --separate-trace
    offers ctx-route --nothing : ''
    offers ctx-route '' : ''
}

@test "completion: values, behind an equals sign or a blank" {
    offers ctx-isolate --policy = m : mask
    offers ctx-isolate --policy = : boundary mask transparent
    offers ctx-isolate --policy b : boundary
    offers ctx-project --view = conversation --trace = : current all none
    offers ctx-route --execution = : ''
    offers ctx-route --ephemeral --bad-lines s : stop
}

@test "completion: files" {
    touch report.json other
    offers ctx-route --report = rep : report.json
    offers ctx-route --system-prompt oth : other
    offers ctx-route --ephemeral oth : '' # by bash's default
}

@test "completion: each value that is offered for an option is in its help" {
    local command option help value function
    for command in $(commands); do
        help=$("$command" --help)
        function=$(complete -p "$command" | sed -n 's/.*-F \([^ ]*\) .*/\1/p')
        while read -r option; do
            COMP_WORDS=("$command" "$option" '=') COMP_CWORD=2 COMPREPLY=()
            "$function" || true
            # What the help says of it goes on in the next line.
            [[ $help$'\n' =~ \ $option=[^$'\n']*$'\n'[^$'\n']*$'\n' ]]
            for value in "${COMPREPLY[@]}"; do
                printf '%s %s=%s\n' "$command" "$option" "$value"
                [[ ${BASH_REMATCH[0]} == *"$value"* ]]
            done
        done < <(grep -o -- '--[a-z-]*=' <<<"$help" | tr -d =)
    done
}
