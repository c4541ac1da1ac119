#!/usr/bin/env bats
#
# make setup, and what make check says is missing. Only what is in the folder path is there: apt-get
# is played, it notes what it is asked and installs tools that do nothing.

load helper

# there TOOL...: links to programs of this machine.
there() {
    local tool
    mkdir -p path
    for tool; do
        ln -s "$(type -P "$tool")" path/
    done
}

# play TOOL [TEXT]: a script for bash.
play() {
    rm -f "path/$1"
    printf '#!/bin/bash\n%s\n' "${2-}" >"path/$1"
    chmod +x "path/$1"
}

# fresh UID TOOL...: a machine without any of the tools but these, and its user.
fresh() {
    local user=$1 tool
    shift
    there bash env mktemp rm tail sed head uname
    play id "echo $user"
    play cc
    # shellcheck disable=SC2016
    play apt-get 'echo "$*" >>asked
[[ $1 == update ]] && exit
[[ ${*: -1} != "$LOST" ]] || { echo "E: no ${*: -1}"; exit 100; }
printf "#!/bin/bash\n" >path/"${*: -1}"; PATH=/usr/bin:/bin chmod +x path/"${*: -1}"'
    for tool; do
        play "$tool"
    done
}

# sets_up STATUS ARGUMENT...: setup.bash with that path, its streams in out and said.
sets_up() {
    local status=$1
    shift
    rm -f asked
    status_of "$status" env -u CC PATH="$PWD/path" LOST="${lost-}" bash "$ROOT/tests/setup.bash" "$@" >out 2>said </dev/null
}

asked() {
    same 'what apt-get is asked' <(printf '%s\n' "$@") asked
}

says() {
    same "what $1 has" <(printf 'setup: %s\n' "${@:2}") "$1"
}

install='install -y --no-install-recommends'

@test "make setup: where nothing is missing, nothing is installed or asked" {
    fresh 0 bats jq mandoc
    sets_up 0
    says out 'nothing is missing'
    [[ ! -s said && ! -e asked ]]
    sets_up 0 --name
    [[ ! -s out && ! -s said && ! -e asked ]]
    sets_up 64 checks
    says said "bad argument 'checks', expected check, ci or --name"
}

@test "make setup: root installs what is missing, and it alone" {
    fresh 0 jq
    sets_up 0
    says out 'missing: bats mandoc' 'apt-get update' "apt-get $install bats" "apt-get $install mandoc"
    asked update "$install bats" "$install mandoc"
    [[ ! -s said ]]
    sets_up 0
    [[ ! -e asked ]]
}

@test "make setup: a user does it by sudo, which asks for no password without a terminal" {
    fresh 1000 bats jq
    # shellcheck disable=SC2016
    play sudo 'echo "sudo $1" >>sudo; shift; exec "$@"'
    sets_up 0
    says out 'missing: mandoc' 'sudo apt-get update' "sudo apt-get $install mandoc"
    asked update "$install mandoc"
    same 'how sudo is called' <(printf 'sudo -n\nsudo -n\n') sudo
    [[ ! -s said ]]
}

@test "make setup: without the right, or without apt-get, it says what to install and fails" {
    fresh 1000 jq
    sets_up 1
    says out 'missing: bats mandoc'
    says said 'there is no sudo here, so as root: apt-get install bats mandoc'
    [[ ! -e asked ]]
    rm path/apt-get
    sets_up 1
    says out 'missing: bats mandoc'
    says said 'there is no apt-get here: install them as this system does it'
}

@test "make setup: what cannot be had keeps nothing else away, and is named with the reason" {
    fresh 0
    lost=jq sets_up 1
    asked update "$install bats" "$install jq" "$install mandoc"
    same 'what it says' - said <<'END'
E: no jq
setup: cannot install jq
setup: still missing: jq
END
    lost='' sets_up 0
    asked update "$install jq"
}

@test "make setup: a compiler and the headers of libc, once" {
    fresh 0 bats jq mandoc
    rm path/cc
    sets_up 1 --name
    says said 'missing: cc libc' "'make setup' installs them, as does: apt-get install gcc libc6-dev"
    [[ ! -s out && ! -e asked ]]
    play cc 'exit 1'
    sets_up 1
    asked update "$install libc6-dev"
}

@test "make setup: what .ci/run needs, with the sanitizers of the clang that is to be had" {
    fresh 0 bats jq mandoc gcc make curl git python3 strace zstd tmux less shellcheck cppcheck clang-format ruby pre-commit zsh fish node npm \
        parallel slurmctld slurmd munged dpkg-buildpackage dh lintian mmdebstrap
    play apt-cache 'echo "  Depends: clang-77"'
    # shellcheck disable=SC2016
    play clang '[[ $1 != --version ]] || echo "clang version 88.1"; exit 1'
    sets_up 1 ci
    asked update "$install slurm-client" "$install libclang-rt-88-dev"
    rm path/clang path/slurm-client
    sets_up 1 ci
    asked update "$install clang" "$install slurm-client" "$install libclang-rt-77-dev"
    says said 'still missing: sbatch'
}

# elsewhere MAKE_ARGUMENT...: makes into a folder of the test, on a machine of a user that has all programs
# of this one but bats; the compiler says whether bats is there, and fails.
elsewhere() {
    mkdir path
    local -a places
    IFS=: read -r -a places <<<"$PATH"
    # Of programs of one name the first is linked.
    find "${places[@]/%//}" -maxdepth 1 ! -type d ! -name bats -exec ln -s -t path {} + 2>/dev/null || :
    play id 'echo 1000'
    play sudo 'shift; exec "$@"'
    play apt-get '[[ $1 == update ]] || { sleep 0.2; ln -s true path/bats; }'
    play cc "case \$* in
*'-o /dev/null -') exit 0 ;;
esac
(type -P bats || echo none) >>'$PWD/compiled'
exit 1"
    sed -i "2i cd '$PWD' || exit" path/apt-get
}

# made MAKE_ARGUMENT...: makes there.
made() {
    rm -f compiled
    env -u MAKEFLAGS -u MAKELEVEL PATH="$PWD/path" make --no-print-directory -C "$ROOT" BUILD="$PWD/build" CC="$PWD/path/cc" "$@" >out 2>said
}

@test "make check: names what is missing before it compiles anything, with -j too" {
    local target jobs
    elsewhere
    for target in check check-slow check-all check-summarizers check-cluster check-deb mutate; do
        for jobs in -j1 -j4; do
            ! made "$jobs" "$target" || fail "make $target passes"
            same "make $jobs $target" <(printf 'setup: %s\n' 'missing: bats' \
                "'make setup' installs them, as does: apt-get install bats") <(grep ^setup: said)
            [[ ! -e compiled ]] || fail "make $jobs $target compiles before"
        done
    done
    ! made all || fail 'the compiler works'
    [[ $(<compiled) == none ]]
}

@test "make setup check: installs before it compiles anything, with -j too" {
    elsewhere
    ! made -j4 setup check || fail 'the compiler works'
    grep -q '^setup: sudo apt-get install .* bats$' out || fail "$(<out) $(<said)"
    [[ $(sort -u compiled) == "$PWD/path/bats" ]] || fail "$(<compiled)"
}
