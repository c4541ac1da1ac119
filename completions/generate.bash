#!/usr/bin/env bash
#
# generate.bash FILE...: writes the options of the commands on PATH into completions, below the line
# that says so; what stands above it is written by hand.  The language is told by the name of the
# file: ctx.bash, _ctx, ctx.fish.  The options come from --help, what is offered for them from the
# file "values" beside this one.

set -euo pipefail
export LC_ALL=C

here=$(cd "${BASH_SOURCE%/*}" && pwd)
mark='# Below this line: by "make completions", from --help and completions/values.'
declare -A values
terms=() term_values=() commands=()
short_names=() # of the commands, as ctx takes them
declare -A essential # COMMAND: the names of the options that -h prints, " --a --b "
declare -A rows  # COMMAND: lines of "LETTER NAME ARGUMENT ITEMS HELP", parted by \037
declare -A users # a line: the commands that have it

# read_values: completions/values, into values, terms and term_values.
read_values() {
    local name items item
    while read -r name items; do
        case $name in
        '' | '#') ;;
        term)
            read -r name items <<<"$items"
            terms+=("$name")
            for item in $items; do term_values+=("$name$item"); done
            ;;
        *) values[$name]=$items ;;
        esac
    done <"$here/values"
}

# help_rows COMMAND HELP: the options of its --help or -h as lines of "LETTER NAME ARGUMENT HELP", parted by
# \037.
help_rows() {
    "$1" "$2" | awk -v OFS='\037' '
        function row() { if (name != "") print letter, name, argument, help; name = "" }
        /^  (-.,|   ) --/ {
            row()
            letter = substr($0, 3, 1) == "-" ? substr($0, 3, 2) : ""
            rest = substr($0, 7)
            name = rest; sub(/[^a-z-].*/, "", name)
            rest = substr(rest, length(name) + 1)
            argument = rest; sub(/ .*/, "", argument)
            help = substr(rest, length(argument) + 1); sub(/^=/, "", argument); sub(/^ */, "", help)
            next
        }
        /^ +[^ ]/ && name != "" { sub(/^ */, ""); help = help (help == "" ? "" : " ") $0; next }
        { row() }'
}

# items_of COMMAND NAME ARGUMENT: what is offered for it.
items_of() {
    local argument=${3#[=}
    [[ $argument == "$3" ]] || argument=${argument%]}
    if [[ -z $argument ]]; then
        return
    elif [[ -n ${values[$1:$2]+set} ]]; then
        printf '%s' "${values[$1:$2]}"
    elif [[ -n ${values[$2]+set} ]]; then
        printf '%s' "${values[$2]}"
    elif [[ -n ${values[$argument]+set} ]]; then
        printf '%s' "${values[$argument]}"
    else
        # Where an option that makes a file of its argument does no harm.
        { cd "$scratch" && "$1" "$2=?" </dev/null 2>&1 || true; } |
            sed -n 's/.*, expected one of \([^;]*\); try .*/\1/p' | tr -d ',\n' | grep . ||
            { printf 'generate.bash: %s %s=%s: no line in completions/values\n' "$@" >&2 && return 1; }
    fi
}

# read_commands: the options of all commands, into rows and users.
read_commands() {
    local command letter name argument help items row
    for command in "${commands[@]}"; do
        rows[$command]=
        essential[$command]=" $(help_rows "$command" -h | cut -d $'\037' -f 2 | paste -sd' ') "
        while IFS=$'\037' read -r letter name argument help; do
            items=$(items_of "$command" "$name" "$argument")
            row=$letter$'\037'$name$'\037'$argument$'\037'$items$'\037'$help
            rows[$command]+=$row$'\n'
            users[$row]="${users[$row]-}${users[$row]+ }$command"
        done < <(help_rows "$command" --help)
    done
}

# quoted TEXT: as a word of a shell.
quoted() {
    printf "'%s'" "${1//\'/$2}"
}

# each_row WRITER COMMAND: calls it for the rows that are not all commands', or with "" for those.
each_row() {
    local row letter name argument items help of=$2
    while IFS= read -r row; do
        [[ -n $row ]] || continue
        if [[ ${users[$row]} == "${commands[*]}" ]]; then [[ -z $of ]]; else [[ -n $of ]]; fi || continue
        IFS=$'\037' read -r letter name argument items help <<<"$row"
        "$1"
    done <<<"${rows[${of:-${commands[0]}}]}"
}

# takes_selector COMMAND: whether its first operand is a selector.
takes_selector() {
    [[ $("$1" --help) == "usage: "*"... SELECTOR "* ]]
}

# array NAME WORD...
array() {
    printf '%s=(' "$1"
    shift
    printf '\n    %s' "${@@Q}"
    printf '\n)\n'
}

# of_short_help YES|NO COMMAND WRITER: calls it for the rows of the command that -h prints, or for its others.
of_short_help() {
    local is_short=$1 short=${essential[$2]} writer=$3
    each_row when_short "$2"
}

when_short() {
    case $short in
    *" $name "*) [[ $is_short == NO ]] || "$writer" ;;
    *) [[ $is_short == YES ]] || "$writer" ;;
    esac
}

# --- bash: 'LETTER NAME=ITEMS' for each option, '=ITEMS' for the first operand; first those of -h ---

bash_row() {
    case $argument in
    '') printf '    %s\n' "'${letter:+$letter }$name'" ;;
    [[]*) printf '    %s\n    %s\n' "'${letter:+$letter }$name'" "'$name=$items'" ;;
    *) printf '    %s\n' "'${letter:+$letter }$name=$items'" ;;
    esac
}

write_bash() {
    local command
    array _ctx_names "${short_names[@]}"
    array _ctx_terms "${terms[@]}"
    array _ctx_term_values "${term_values[@]}"
    printf '_ctx_all=(\n%s\n)\n' "$(each_row bash_row '')"
    for command in "${commands[@]}"; do
        printf '_%s=(\n%s\n' "${command//-/_}" "$(
            of_short_help YES "$command" bash_row
            of_short_help NO "$command" bash_row
        )"
        ! takes_selector "$command" || printf "    '=@selector'\n"
        printf ')\n'
    done
    printf 'complete -F _ctx_complete %s\n' "${commands[*]}"
}

# --- zsh: the specifications of _arguments ---

zsh_row() {
    local words=${items//:/\\:} text=${help//\\/\\\\} label=${argument#[=}
    text=${text//\]/\\]}
    text=${text//\[/\\[}
    text=[${text//:/\\:}]
    label=${label%%[^A-Z]*}
    case $argument in
    '') zsh_line "$letter" "$name" "$text" ;;
    [[]*)
        [[ -z $letter ]] || zsh_line '' "$letter" "$text"
        zsh_line '' "$name=-" "$text::$label: _ctx_value${words:+ $words}"
        ;;
    *) zsh_line "${letter:+$letter+}" "$name=" "$text:$label: _ctx_value${words:+ $words}" ;;
    esac
}

# zsh_line LETTER NAME REST
zsh_line() {
    if [[ -n $1 ]]; then
        printf "        '*'{%s,%s}%s\n" "$1" "$2" "$(quoted "$3" "'\\''")"
    else
        printf '        %s\n' "$(quoted "*$2$3" "'\\''")"
    fi
}

write_zsh() {
    local command
    array _ctx_names "${short_names[@]}"
    array _ctx_terms "${terms[@]}"
    array _ctx_term_values "${term_values[@]}"
    printf 'local -a all options short specs\nall=(\n%s\n)\n' "$(each_row zsh_row '' | cut -c5-)"
    printf '! _ctx_go_on || return 0\n'
    printf 'case $service in\n'
    for command in "${commands[@]}"; do
        printf '%s)\n    options=(\n%s\n    )\n' "$command" "$(each_row zsh_row "$command")"
        printf '    short=(%s)\n' "${essential[$command]}"
        ! takes_selector "$command" ||
            printf '    (($words[(I)(-e*|--select*)])) || options+=(%s)\n' "'1:SELECTOR: _ctx_value @selector'"
        [[ $command != ctx ]] || printf "    options+=('1:NAME: _ctx_name' '*:NAME: _ctx_name')\n"
        printf '    ;;\n'
    done
    printf "esac\n[[ \$service == ctx ]] || options+=('*:file:_files')\n"
    printf 'specs=($all $options)\n_ctx_options || _arguments -S $specs\n'
}

# --- fish: a "complete" for each option ---

fish_row() {
    local row=$letter$'\037'$name$'\037'$argument$'\037'$items$'\037'$help
    # With its first command.
    [[ ${users[$row]%% *} == "$fish_command" ]] || return 0
    if [[ ${users[$row]} == "${commands[*]}" ]]; then
        printf 'complete $all'
    else
        printf 'complete%s' "$(printf ' -c %s' ${users[$row]})"
    fi
    printf ' %s-l %s' "${letter:+-s ${letter#-} }" "${name#--}"
    case $argument in
    '') ;;
    [[]*) printf ' -f' ;;
    *) [[ " $items " == *' @file '* ]] && printf ' -r' || printf ' -x' ;;
    esac
    printf ' -d %s' "$(quoted "${help//\\/\\\\}" "\\'")"
    [[ -z $items || $items == @file ]] || printf " -a '(__ctx_value %s)'" "$items"
    printf '\n'
}

write_fish() {
    local fish_command=${commands[0]}
    printf 'set -g __ctx_names %s\n' "${short_names[*]}"
    printf 'set -g __ctx_terms %s\n' "${terms[*]@Q}"
    printf 'set -g __ctx_term_values %s\n' "${term_values[*]@Q}"
    printf 'set -l all%s\n' "$(printf ' -c %s' "${commands[@]}")"
    printf 'complete -e -c %s\n' "${commands[@]}"
    each_row fish_row ''
    for fish_command in "${commands[@]}"; do
        each_row fish_row "$fish_command"
        ! takes_selector "$fish_command" ||
            printf "complete -c %s -n '__ctx_wants_selector%s' -f -a '(__ctx_value @selector)'\n" \
                "$fish_command" "$(each_row fish_flag "$fish_command")$(each_row fish_flag '')"
        [[ $fish_command != ctx ]] || printf "complete -c ctx -f -a '(__ctx_go_on)'\n"
    done
}

# fish_flag: an option without a value, behind which an operand may stand.
fish_flag() {
    [[ -n $argument ]] || printf ' %s' $letter $name
}

PATH=${CTX_BIN:?the folder of the commands}:$PATH
mapfile -t commands < <(ctx --list | cut -f1 | sort)
mapfile -t short_names < <(printf '%s\n' "${commands[@]}" | sed -n 's/^ctx-//p')
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
read_values
read_commands
for file; do
    {
        sed "1s/^#compdef .*/#compdef ${commands[*]}/; \|^$mark\$|q" "$file"
        case $file in
        *.bash) write_bash ;;
        *.fish) write_fish ;;
        *) write_zsh ;;
        esac
    } >"$scratch/new"
    cat "$scratch/new" >"$file"
done
