# bash offers.bash FILE: reads command lines, and writes what bash offers for the last word of each, as
# "LINE<TAB>OFFER" with the offer behind what stands before "=".  FILE is the completion.
# shellcheck shell=bash disable=SC1090

source "$1"

# split LINE: sets COMP_WORDS as readline does, which parts words at these bytes, but not in quotes.
split() {
    local i byte quote='' new=1
    COMP_WORDS=()
    for ((i = 0; i < ${#1}; i++)); do
        byte=${1:i:1}
        if [[ -n $quote || $byte == [\'\"] ]]; then
            ((!new)) || COMP_WORDS+=('')
            new=0
            [[ $byte != "${quote:-$byte}" ]] || quote=$([[ -n $quote ]] || printf '%s' "$byte")
            COMP_WORDS[-1]+=$byte
        elif [[ $byte == [=:@\<\>] ]]; then
            COMP_WORDS+=("$byte")
            new=1
        elif [[ $byte == ' ' ]]; then
            new=1
        else
            ((!new)) || COMP_WORDS+=('')
            new=0
            COMP_WORDS[-1]+=$byte
        fi
    done
    [[ $1 != *' ' || -n $quote ]] || COMP_WORDS+=('')
}

while IFS= read -r line; do
    split "$line"
    COMP_LINE=$line COMP_POINT=${#line} COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
    # What readline replaces.
    typed=${COMP_WORDS[-1]#[\'\"]}
    [[ $typed != [=:@\<\>] ]] || typed=
    function=$(complete -p "${COMP_WORDS[0]}" | sed -n 's/.*-F \([^ ]*\) .*/\1/p')
    "$function" "${COMP_WORDS[0]}" "$typed" "${COMP_WORDS[-2]}"
    word=${line##* }
    word=${word#[\'\"]}
    kept=${word%"$typed"}
    for offer in "${COMPREPLY[@]}"; do
        offer=$kept$offer
        [[ $offer != --*=?* ]] || offer=${offer#*=}
        printf '%s\t%s\n' "$line" "$offer"
    done
done
