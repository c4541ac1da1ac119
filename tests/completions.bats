#!/usr/bin/env bats
#
# What bash, zsh and fish offer on a command line: each is driven by a program in tests/completions,
# which reads lines and writes what is offered for the last word.  bash by its function, fish by
# complete -C, zsh with the keys of a terminal.

load helper

shells=(bash zsh fish)

setup() {
    fresh_directory
    export HOME=$PWD/home ZSH_SETUP=$ROOT/tests/completions/setup.zsh ZSH_DUMP=$BATS_FILE_TMPDIR/zcompdump
    mkdir home files zsh
    cp "$ROOT/completions/_ctx" zsh
}

# offers_of SHELL: reads lines, and writes "LINE<TAB>OFFER" for each offer, sorted.
offers_of() {
    local lines
    lines=$(cat)
    (
        cd files
        case $1 in
        bash) bash --norc "$ROOT/tests/completions/offers.bash" "$ROOT/completions/ctx.bash" ;;
        fish) timeout 300 fish --no-config "$ROOT/tests/completions/offers.fish" "$ROOT/completions/ctx.fish" ;;
        zsh) timeout 300 zsh -f "$ROOT/tests/completions/offers.zsh" "$OLDPWD/zsh" ;;
        esac <<<"$lines"
    ) 2>"$1.err" >"$1.out" || fail "$1: $(<"$1.err")" || return
    same "$1: standard error" /dev/null "$1.err"
    # Each shell has its own way to quote.  The sign behind an option that takes a value is bash's alone.
    tr -d '\\' <"$1.out" | sed 's/\t\(--[a-z-]*\)=$/\t\1/' | sort -u
}

# present: those of the shells that are installed; bash, or the test would not run.
present() {
    local shell
    for shell in "${shells[@]}"; do
        ! command -v "$shell" >/dev/null || printf '%s\n' "$shell"
    done
}

# offered: reads "LINE : OFFER..." for each line, and compares with what each shell offers.  Those that
# are not installed are skipped, and the test with them when all others hold.
offered() {
    local row line shell offer
    while IFS= read -r row; do
        line=${row%% : *}
        printf '%s\n' "$line" >>lines
        for offer in ${row#* : }; do printf '%s\t%s\n' "$line" "$offer"; done
    done | sort -u >wanted
    for shell in $(present); do
        same "$shell" wanted <(offers_of "$shell" <lines)
    done
    [[ $(present | wc -l) == "${#shells[@]}" ]] || skip "needs ${shells[*]}, there are only: $(present | paste -sd' ')"
}

@test "completion: options, and none that is not there" {
    offered <<'END'
ctx-isolate --po : --policy
ctx-route --separate-trace --e : --execution --ephemeral --estimator
ctx-route --nothing : 
ctx-project log.jsonl --merg : --merge
ctx-compact -i --pi : --pipeline
END
}

@test "completion: the values of an option, behind an equals sign, a blank or a letter" {
    offered <<'END'
ctx-isolate --policy= : boundary mask transparent
ctx-isolate --policy=m : mask
ctx-isolate --policy b : boundary
ctx-isolate --policy x : 
ctx-project --view=conversation --trace=n : none
ctx-project --view  : reasoning conversation all trace
ctx-route --ephemeral --bad-lines s : stop
ctx-normalize --from=c : ctx claude-code codex copilot-cli copilot-chat cline
ctx-normalize --to  : ctx openai anthropic sharegpt claude-code codex pi gemini-cli responses gemini opencode ai-sdk instructor instructor-storage
ctx-budget --by=se : section session
ctx-compact --strategy= : simple tokens summarize symbolize
ctx-budget --estimator=c : cl100k_base calibrated cmd:
ctx-budget -m no-such : 
ctx-select -e pin : pinned
END
}

@test "completion: where nothing can be guessed, a size or an id, no file is offered" {
    touch files/{2k,e7,other}
    offered <<'END'
ctx-budget --window= : 
ctx-budget --window  : 
ctx-budget -w  : 
ctx-route --execution= : 
ctx-project --agent= : 
ctx-isolate --policy= : boundary mask transparent
END
}

@test "completion: lists, without what is there already" {
    touch files/{prune.sh,other}
    offered <<'END'
ctx-project --start-on=user,a : user,assistant
ctx-redact --only= : none secrets pii
ctx-redact --only secrets, : secrets,pii
ctx-redact --only=secrets,pii, : 
ctx-compact --dedupe stale,r : stale,retried
ctx-compact --pipeline=dedupe,p : dedupe,prune
ctx-compact --pipeline=p : prune prune.sh
ctx-project --sections=summary,m : summary,messages
END
}

@test "completion: selectors, as an operand and in options" {
    touch files/{role.jsonl,pin.jsonl}
    offered <<'END'
ctx-select ro : role=
ctx-select t : tool= target= trace tokens> turn> text~
ctx-select role= : role=system role=developer role=user role=assistant role=tool
ctx-select role=to : role=tool
ctx-select role=tool,pin : role=tool,pinned
ctx-select role=tool,!kind=s : role=tool,!kind=summary
ctx-select text~ro,pin : 
ctx-select role=user pin : pin.jsonl
ctx-select --count pin : pinned
ctx-select --reject pinned pin : pinned
ctx-select --reject=pinned role=user pin : pin.jsonl
ctx-select --select pinned pin : pin.jsonl
ctx-select --select=pinned pin : pin.jsonl
ctx-select -e pinned pin : pin.jsonl
ctx-budget --when=unr : unresolved
ctx-isolate --protect execution= : execution=last
ctx-project --trace=un : unresolved
ctx-project --keep=system,pi : system,pinned
ctx-project pin : pin.jsonl
END
}

@test "completion: ctx has names first, and behind a name what the command has" {
    touch files/log.jsonl
    offered <<'END'
ctx pro : project
ctx re : redact recall restore
ctx he : help
ctx help comp : compact compile
ctx help compact  : 
ctx --l : --list
ctx isolate --policy=m : mask
ctx isolate --policy b : boundary
ctx ctx-isolate --po : --policy
ctx project --merg : --merge
ctx select role=to : role=tool
ctx select role=tool lo : log.jsonl
ctx budget lo : log.jsonl
ctx nothing lo : 
END
}

@test "completion: a selector within quotes" {
    offered <<'END'
ctx-select 'tok : tokens>
ctx-budget --when 'role=to : role=tool
ctx-budget --when 'role=tool,comp : role=tool,compacted
END
}

@test "completion: files, commands, tools and places" {
    touch files/{report.json,other}
    printf '#!/bin/sh\n' >home/ctx-of-mine
    chmod +x home/ctx-of-mine
    PATH=$HOME:$PATH
    offered <<'END'
ctx-route --report=rep : report.json
ctx-route --system-prompt oth : other
ctx-route --ephemeral oth : other
ctx-compact --summarizer=ctx-of- : ctx-of-mine
ctx-isolate --tool= : @
ctx-isolate --tool=@oth : @other
ctx-isolate --tool=peek= : peek=read: peek=write: peek=edit: peek=shell:
ctx-isolate --tool peek=re : peek=read:
ctx-project --inject=oth : other
ctx-project --inject=other@ : other@start other@before-last-user other@end
ctx-project --inject-command=head@s : head@start
END
}

@test "completion: models are those of the table, by their names and behind their provider" {
    local shell command
    ctx-budget --models | sed -e 1d | cut -f 1,2 >rows
    (($(wc -l <rows) > 20))
    for command in budget compact compile; do
        { cut -f 1 rows; cut -f 2 rows | sed 's|$|/|'; } | sed "s/^/ctx-$command --model=\t/"
        awk -F'\t' -v OFS= '{ print $1; print $2, "/", $1 }' rows | grep '^xai/' | sed "s|^|ctx-$command -m xai/\t|"
        awk -F'\t' -v OFS= '{ print $1; print $2, "/", $1 }' rows | grep '^openai/g' | sed "s|^|ctx-$command --model openai/g\t|"
        cut -f 2 rows | sed "s/^/ctx-$command --provider=\t/"
        cut -f 2 rows | grep '^mi' | sed "s/^/ctx-$command --provider mi\t/"
    done | sort -u >wanted
    for command in budget compact compile; do
        printf "ctx-$command %s\n" --model= '-m xai/' '--model openai/g' --provider= '--provider mi'
    done >lines
    for shell in $(present); do
        same "$shell" wanted <(offers_of "$shell" <lines)
    done
}

@test "completion: profiles are those that are found, and files" {
    local shell
    mkdir profiles
    printf 'compact\n' >profiles/our-team
    export CTX_PROFILE_PATH=$PWD/profiles
    { ctx-compile --profiles | cut -f1; printf 'mine\n'; } | sed $'s/^/ctx-compile --profile=\t/' | sort -u >wanted
    grep -q our-team wanted
    touch files/mine
    for shell in $(present); do
        same "$shell" wanted <(offers_of "$shell" <<<'ctx-compile --profile=')
    done
}

@test "completion: each shell offers the options of each command's help, and no other" {
    local shell
    commands | sed 's/$/ --/' >lines
    for command in $(commands); do
        "$command" --help | grep -o '^  \(-., \|    \)--[a-z-]*' | sed "s/.*--/$command --\t--/"
    done | sort -u >wanted
    (($(wc -l <wanted) > 150))
    for shell in $(present); do
        same "$shell" wanted <(offers_of "$shell" <lines)
    done
}

@test "completion: bash offers the options of -h first, in their order" {
    local command
    for command in $(commands); do
        "$command" -h | grep -o '^  \(-., \|    \)--[a-z-]*' | sed 's/.*--/--/' >short
        [[ $command == ctx || -s short ]]
        bash --norc "$ROOT/tests/completions/offers.bash" "$ROOT/completions/ctx.bash" <<<"$command --" >offers
        cut -f 2 offers | tr -d = | uniq | head -n "$(wc -l <short)" >first
        same "$command" short first
    done
}

@test "completion: zsh has the options of -h and all others in two tags" {
    command -v zsh >/dev/null || skip 'no zsh here'
    local command tag
    for tag in options-that-matter options; do
        sed "\$ a zstyle ':completion:*' tag-order $tag -" "$ROOT/tests/completions/setup.zsh" >"$tag.zsh"
        commands | grep -vx ctx | sed 's/$/ --/' >lines
        ZSH_SETUP=$PWD/$tag.zsh timeout 300 zsh -f "$ROOT/tests/completions/offers.zsh" "$PWD/zsh" <lines | sort >"$tag"
    done
    while read -r command _; do
        "$command" -h | grep -o '^  \(-., \|    \)--[a-z-]*' | sed "s/.*--/$command --\t--/"
    done <lines | sort >short
    same 'those that matter' short options-that-matter
    same 'both at once' /dev/null <(comm -12 short options)
    (($(wc -l <options) > $(wc -l <short)))
}

@test "completion: the files are those that make completions writes" {
    cp "$ROOT"/completions/{ctx.bash,_ctx,ctx.fish} .
    bash "$ROOT/completions/generate.bash" ctx.bash _ctx ctx.fish
    for file in ctx.bash _ctx ctx.fish; do
        same "$file" "$ROOT/completions/$file" "$file" || fail 'run: make completions'
    done
}

@test "completion: each word that is offered for an option is taken by its command" {
    local command option name item count=0
    # shellcheck disable=SC1091
    source "$ROOT/completions/ctx.bash"
    for command in $(commands); do
        local -n own=_${command//-/_}
        for option in "${own[@]}" "${_ctx_all[@]}"; do
            [[ $option == *--*=?* ]] || continue
            name=--${option#*--} name=${name%%=*}
            for item in ${option#*=}; do
                [[ $item != @* && $item != *: ]] || continue
                ((++count))
                "$command" "$name=$item" </dev/null >said 2>&1 || true
                ! grep -E "(bad value|unknown [a-z]+) '$item'" said || fail "$command $name=$item"
            done
        done
    done
    ((count > 100))
}

@test "completion: completions/values names what there is: options, arguments and terms" {
    local command option name argument term
    for command in $(commands); do
        while read -r option; do
            name=${option%%[[=]*} argument=${option#*=}
            [[ $option != *'[='* ]] || argument=${argument%]}
            printf '%s\n' "$name" "$command:$name" "$argument"
        done < <("$command" --help | grep -o '^  \(-., \|    \)--[^ ]*' | grep -o -- '--.*')
    done | sort -u >there
    grep -v '^#\|^term \|^$' "$ROOT/completions/values" | sed 's/ .*//' | sort -u >named
    (($(wc -l <named) > 30))
    same 'named, but not there' /dev/null <(comm -23 named there)
    same 'terms' <(sed -n 's/^    {"\([a-z.]*\)", "\(.\{0,3\}\)", TERM_.*/\1/p' "$ROOT/common/data/select/term_types.c") \
        <(sed -n 's/^term \([a-z]*\.\{0,1\}\).*/\1/p' "$ROOT/completions/values")
    # As a selector takes them.
    : >one
    while read -r term; do
        [[ $term != *[=\>~] ]] || term+=1
        [[ $term != *. ]] || term+=a=1
        status_of 1 ctx-select --count "$term" one >said
    done < <(sed -n 's/^term \([^ ]*\).*/\1/p' "$ROOT/completions/values")
}
