#!/bin/bash
#
# setup.bash [check | ci | --name]: installs what a Debian lacks for "make check", or with ci for .ci/run,
# by apt-get, as root or by sudo. It prints a line for each step. Where nothing is missing, nothing is
# installed and the network is left alone. With --name it installs nothing, and names what "make check"
# lacks and how to get it. Ends with 0 if nothing is missing in the end, else with 1. CC is the compiler,
# else cc. .ci/run reads this file for its functions.

# Headers of the kernel are the same for 32 and 64 bits.
bits32=(-m32 "-I/usr/include/$(uname -m)-linux-gnu")

# The table, a row a tool: who needs it, its name, its package, and how it is found, else by its name.
# CLANG is the version of clang that is installed, or else would be.
mapfile -t needs <<END
check cc gcc on_path ${CC:-cc}
check libc libc6-dev links ${CC:-cc}
check bats bats
check jq jq
check mandoc mandoc
ci gcc gcc
ci clang clang
ci make make
ci curl curl
ci git git
ci python3 python3
ci strace strace
ci zstd zstd
ci tmux tmux
ci less less
ci shellcheck shellcheck
ci cppcheck cppcheck
ci clang-format clang-format
ci ruby ruby
ci pre-commit pre-commit
ci zsh zsh
ci fish fish
ci node nodejs
ci npm npm
ci parallel parallel
ci slurmctld slurmctld
ci slurmd slurmd
ci munged munge
ci sbatch slurm-client
ci dpkg-buildpackage dpkg-dev
ci dh debhelper
ci lintian lintian
ci mmdebstrap mmdebstrap
ci sanitizers libclang-rt-CLANG-dev links clang -fsanitize=address,undefined
ci libc-of-32-bits gcc-multilib links_32_bits
END

# on_path COMMAND...: whether the first word is a program here.
on_path() {
    type -P "$1" >/dev/null
}

# links COMPILER OPTION...: whether the compiler makes programs so.
links() {
    "$@" -x c -o /dev/null - 2>/dev/null <<<$'#include <errno.h>\nint main(void) { return errno; }'
}

# links_32_bits: or whether this machine has no such programs.
links_32_bits() {
    [[ $(uname -m) != x86_64 ]] || links gcc -static "${bits32[@]}"
}

clang_version() {
    { clang --version 2>/dev/null || apt-cache depends clang; } |
        sed -nE 's/.*(version |clang-)([0-9]+).*/\2/p' | head -n 1
}

# find_missing check|ci: the names of the tools that are not here into missing, their packages into packages.
find_missing() {
    local row user tool package how
    missing=() packages=()
    for row in "${needs[@]}"; do
        read -r user tool package how <<<"$row"
        [[ $user == check || $user == "$1" ]] || continue
        # shellcheck disable=SC2086 # a function and its arguments
        ! ${how:-on_path $tool} || continue
        [[ $package != *CLANG* ]] || package=${package/CLANG/$(clang_version)}
        missing+=("$tool")
        [[ " ${packages[*]} " == *" $package "* ]] || packages+=("$package")
    done
}

say() {
    printf 'setup: %s\n' "$*"
}

is_root() {
    (($(id -u) == 0))
}

# as_root COMMAND...: says it and runs it; what it prints is shown when it fails. sudo asks for a
# password only where there is a terminal to ask on.
as_root() {
    local log status=0
    local -a sudo=()
    is_root || sudo=(sudo)
    say "${sudo[@]}" "$@"
    is_root || [[ -t 0 ]] || sudo+=(-n)
    log=$(mktemp) || return
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive "$@" >"$log" 2>&1 || status=$?
    ((!status)) || tail -n 20 "$log" >&2
    rm -f "$log"
    return "$status"
}

# can_install: whether packages can be installed here; if not, it says what is to be done by hand.
can_install() {
    if ! on_path apt-get; then
        say 'there is no apt-get here: install them as this system does it'
    elif ! is_root && ! on_path sudo; then
        say "there is no sudo here, so as root: apt-get install ${packages[*]}"
    else
        return 0
    fi
    return 1
}

# setup check|ci: see the first comment.
setup() {
    local package
    local -a missing packages
    find_missing "$1"
    ((${#missing[@]})) || { say 'nothing is missing' && return; }
    say "missing: ${missing[*]}"
    can_install >&2 || return
    as_root apt-get update
    # Which clang there is, is known only now.
    find_missing "$1"
    # One by one, so that what cannot be had keeps nothing else away.
    for package in "${packages[@]}"; do
        as_root apt-get install -y --no-install-recommends "$package" || say "cannot install $package" >&2
    done
    find_missing "$1"
    ((!${#missing[@]})) || { say "still missing: ${missing[*]}" >&2 && return 1; }
}

# name_missing: fails if "make check" lacks something.
name_missing() {
    local -a missing packages
    find_missing check
    ((${#missing[@]})) || return 0
    say "missing: ${missing[*]}"
    ! can_install || say "'make setup' installs them, as does: apt-get install ${packages[*]}"
    return 1
}

[[ ${BASH_SOURCE[0]} == "$0" ]] || return 0
set -uo pipefail
case $* in
'' | check | ci) setup "${1-check}" ;;
--name) name_missing >&2 ;;
*) say "bad argument '$*', expected check, ci or --name" >&2 && exit 64 ;;
esac
