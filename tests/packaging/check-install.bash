#!/bin/bash
#
# check-install.bash VERSION: what of ctx is installed below $PREFIX (in $DESTDIR): a line for each kind, in
# columns that tabs part: what, where, and "ok" with how many there are, or what is wrong with it. Vocabularies
# are read as a whole. Ends with 1 if something is missing or of another version, else with the status of
# ctx-budget --verify.

set -uo pipefail
cd "${BASH_SOURCE%/*}/../.." || exit
version=$1
prefix=${DESTDIR-}${PREFIX:?by make check-install}
bin=$prefix/bin
share=$prefix/share
status=0
unset CTX_VOCAB_PATH

row() {
    printf '%s\t%s\t%s\n' "$@"
}

wrong() {
    row "$@"
    status=1
}

# count WHAT WHERE CHECK NAME...: a row for all of these names, or one for each with which CHECK, which prints
# what is wrong with it, is not content.
count() {
    local name said what=$1 where=$2 check=$3 bad=0
    shift 3
    for name; do
        said=$("$check" "$where/$name")
        [[ -z $said ]] || { wrong "$what" "$where/$name" "$said" && bad=1; }
    done
    ((bad)) || row "$what" "$where" "ok, $#"
}

# of_version FOUND: what is wrong with that version.
of_version() {
    [[ $1 == "$version" ]] || printf 'version %s, expected %s\n' "${1:-unknown}" "$version"
}

command_is() {
    local said
    if [[ ! -x $1 ]]; then
        printf 'missing\n'
    elif said=$("$1" --version 2>&1); then
        of_version "${said##* }"
    else
        printf 'it does not run\n'
    fi
}

page_is() {
    if [[ -f $1 ]]; then
        of_version "$(sed -n 's/^\.Os ctx //p' "$1")"
    else
        printf 'missing\n'
    fi
}

# completion_is FILE: it is the one of this tree.
completion_is() {
    local of=completions/_ctx
    [[ $1 != */bash-completion/* ]] || of=completions/ctx.bash
    [[ $1 != *.fish ]] || of=completions/ctx.fish
    if [[ ! -e $1 ]]; then
        printf 'missing\n'
    elif ! cmp -s "$1" "$of"; then
        printf 'not that of version %s\n' "$version"
    fi
}

exists() {
    [[ -e $1 ]] || printf 'missing\n'
}

mapfile -t commands < <(find cmd -mindepth 1 -maxdepth 1 -type d -name 'ctx*' -printf '%f\n' | sort)
"$bin/ctx-budget" --verify 2>/dev/null
verified=$?
count commands "$bin" command_is "${commands[@]}"
for section in 1 5 7; do
    mapfile -t names < <(cd man && printf '%s\n' *."$section")
    count pages "$share/man/man$section" page_is "${names[@]}"
done
count completions "$share/bash-completion/completions" completion_is "${commands[@]}"
count completions "$share/fish/vendor_completions.d" completion_is "${commands[@]/%/.fish}"
count completions "$share/zsh/site-functions" completion_is _ctx
mapfile -t names < <(ls man/examples)
count examples "$share/doc/ctx/examples" exists "${names[@]}"
# These are no files of ctx.
models=$("$bin/ctx-budget" --models 2>/dev/null | sed 1d | wc -l)
row models "$bin/ctx-budget" "$( ((models)) && printf 'ok, %s; more: --models-file' "$models" || printf 'none')"
row profiles - 'none is installed: ctx-compile reads the one that is named'
# What a shell runs instead.
for name in "${commands[@]}"; do
    found=$(type -P "$name") || continue
    [[ $found -ef $bin/$name ]] || said=$(command_is "$found")
    [[ $found -ef $bin/$name || -z $said ]] || wrong PATH "$found" "$said"
done
exit $((status ? status : verified))
