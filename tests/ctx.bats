#!/usr/bin/env bats
#
# ctx: lists the commands, runs them by their short names, and opens their pages.

load helper

# program FILE NAME: a shell script that says its NAME and its arguments.
program() {
    printf '#!/bin/bash\nprintf "%%s:" %s\nprintf " [%%s]" "$@"\necho\n' "$2" >"$1"
    chmod +x "$1"
}

@test "ctx --list: each command that was built has a line: name, kind and purpose, as its help says them" {
    local name kind purpose
    same 'names' <(cd "$CTX_BIN" && printf '%s\n' ctx ctx-* | sort) <(commands)
    while IFS=$'\t' read -r name kind purpose; do
        [[ $kind == @(filter|looks|front) ]]
        [[ $("$name" --help | sed -n 2p) == "$purpose" ]]
    done < <(ctx --list)
    same 'kinds' <(commands) <({ commands filter; commands looks; commands front; } | sort)
    [[ $(commands looks front | paste -sd' ') == 'ctx ctx-compile ctx-diff ctx-recall ctx-show' ]]
}

@test "ctx: without an argument it has each command's short name and purpose, in 80 columns" {
    local name purpose
    ctx >out
    while IFS=$'\t' read -r name _ purpose; do
        [[ $name == ctx ]] || grep -qF "  $(printf '%-10s' "${name#ctx-}") $purpose" out || fail "$name"
    done < <(ctx --list)
    ! awk 'length > 80' out | grep . || fail 'too wide'
}

@test "ctx --help: it has each command's short name and purpose, in the order of a pipeline" {
    same 'the list' <(ctx --list | sed -n 's/^ctx-\([a-z]*\)\t[a-z]*\t/\1 /p') \
        <(ctx --help | sed -n 's/^  \([a-z]*\)  *\([A-Z].*\)/\1 \2/p')
}

@test "ctx NAME: runs the command with its arguments, streams and status" {
    local file=$FIXTURES/route-one-call.jsonl
    cmp <(ctx-project --view conversation "$file") <(ctx project --view conversation "$file")
    cmp <(ctx-select --count role=user <"$file") <(ctx ctx-select --count role=user <"$file")
    status_of 1 ctx select --count id=none "$file" >out
    spec <<'END'
ctx project --nothing-like-it
>>>2 ctx-project: unknown option '--nothing-like-it'; try 'ctx-project --help'
>>>= 64
END
    same 'the help' <(ctx-budget --help) <(ctx budget --help)
}

@test "ctx NAME: the command beside it, or else the first on PATH; arguments stay as they are" {
    mkdir -p one/ctx-yours two
    cp "$CTX_BIN/ctx" one/
    program one/ctx-mine beside
    program two/ctx-mine path
    program two/ctx-yours path
    PATH=$PWD/two:$PATH
    spec <<'END'
one/ctx mine '' 'a b' --list -- -h
>>> beside: [] [a b] [--list] [--] [-h]
END
    spec <<'END'
one/ctx yours x
>>> path: [x]
END
}

@test "ctx NAME: a name that is not there, and what was meant" {
    spec <<'END'
ctx porject log.jsonl
>>>2 ctx: unknown command 'porject', did you mean 'project'?; try 'ctx --help'
>>>= 64
END
    spec <<'END'
ctx ctx-porject
>>>2 ctx: unknown command 'ctx-porject', did you mean 'project'?; try 'ctx --help'
>>>= 64
END
    local name
    mkdir ctx-mine
    program ran name
    for name in nothing ctx '' . .. / ../ctx-project - mine/../ran; do
        status_of 64 ctx "$name" >out 2>said
        same "$name" <(echo "ctx: unknown command '$name'; try 'ctx --help'") said
        [[ ! -s out ]]
    done
    mkdir alone
    cp "$CTX_BIN/ctx" alone
    spec <<'END'
PATH=/no/such alone/ctx show
>>>2 ctx: cannot find 'ctx-show', beside ctx or on PATH
>>>= 69
END
    spec <<'END'
ctx --list project
>>>2 ctx: options of a command come after its name; try 'ctx --help'
>>>= 64
END
}

@test "ctx help: opens the overview, or the page of a name, by man" {
    mkdir bin
    program bin/man man
    PATH=$PWD/bin:$PATH
    spec <<'END'
ctx help; ctx help ctx; ctx help budget; ctx help ctx-budget; ctx help message
>>> man: [7] [ctx]
>>> man: [7] [ctx]
>>> man: [ctx-budget]
>>> man: [ctx-budget]
>>> man: [ctx-message]
END
    spec <<'END'
ctx help budget compact
>>>2 ctx: expected one name after 'help'; try 'ctx --help'
>>>= 64
ctx help buget
>>>2 ctx: unknown command 'buget', did you mean 'budget'?; try 'ctx --help'
>>>= 64
END
    # Every page is opened: none has a name that may be a slip of another.
    local page
    for page in "$ROOT"/man/ctx-*.[1-9]; do
        page=${page##*/ctx-}
        [[ $(ctx help "${page%.*}") == "man: [ctx-${page%.*}]" ]]
    done
    spec <<END
PATH=/no/such $CTX_BIN/ctx help budget
>>>2 ctx: cannot find 'man'; '--help' of each command says what it does
>>>= 69
END
}
