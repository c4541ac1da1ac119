#!/usr/bin/env bats
#
# Profiles: what their lines say, what is wrong with them, where they are found, and which level
# wins. What is run is told by --explain.

load helper

setup() {
    fresh_directory
    export HOME=$PWD/home
    unset XDG_CONFIG_HOME CTX_PROFILE_PATH CTX_PROFILE
}

# profile NAME LINE...: writes ./NAME.
profile() {
    printf '%s\n' "${@:2}" >"$1"
}

# explains LINE... -- OPTION...: the pipeline of the profile ./p with those options, in one line.
explains() {
    ctx-compile --profile ./p --explain "$@" | tail -n +3 | tr '\n' ' ' | sed 's/  */ /g; s/ $//'
}

# runs EXPECTED OPTION...: the pipeline of ./p is that one.
runs() {
    local expected=$1 got
    shift
    got=$(explains "$@")
    [[ $got == "$expected" ]] || fail "expected: $expected"$'\n'"     got: $got ($*)"
}

@test "profile: stages run in their order, words as a shell quotes them" {
    profile p $'\xef\xbb\xbf# a comment' '' $'one: cat\r' $'\ttwo: sed -e \'s/a b/c/\' "-e" "s/\\"/\\\\/" x\\ y\\|z # more' '3-c_D: printf "" #'
    runs "cat | sed -e 's/a b/c/' -e 's/\"/\\/' 'x y|z' | printf ''"
}

@test "profile: each command that is explained is the command that is run" {
    profile p "a: printf '%s;' 'a b' \"c'd\" e\\\"f '' '\$x' \"\`\" \\* ~"
    [[ $(ctx-compile -p ./p) == "a b;c'd;e\"f;;\$x;\`;*;~;" ]]
    [[ $(bash -c "$(ctx-compile -p ./p --explain)") == "a b;c'd;e\"f;;\$x;\`;*;~;" ]]
    # It is a program, whatever the shell that starts it.
    ctx-compile -p ./p --explain >script
    chmod +x script
    [[ $(sh -c ./script) == "a b;c'd;e\"f;;\$x;\`;*;~;" ]]
}

@test "profile: a command that a shell would take for its own grammar is explained in quotes" {
    local name shell
    mkdir bin
    for name in A=b if time while function select coproc repeat; do
        printf '#!/bin/sh\necho %s "$@"\n' "$name" >"bin/$name"
        chmod +x "bin/$name"
        profile p "a: $name if x=y"
        same "$name, run" <(echo "$name if x=y") <(PATH=$PWD/bin:$PATH ctx-compile -p ./p)
        for shell in bash sh zsh; do
            command -v "$shell" >/dev/null || continue
            # (Not each sh has pipefail.)
            same "$name in $shell" <(echo "$name if x=y") \
                <(PATH=$PWD/bin:$PATH ctx-compile -p ./p --explain | tail -n +3 | PATH=$PWD/bin:$PATH "$shell")
        done
    done
}

@test "profile: what is said of a stage: on, off, options, another command" {
    profile p 'a: cat -u' 'b: ctx-project' 'b options --view all' 'a off' 'b options -v'
    runs 'ctx-project --view all -v'
    runs 'cat -u | ctx-project --view all -v' --line 'a on'
    runs 'cat -u -n | ctx-project --view all -v' --line 'a on' --line 'a options -n'
    runs 'tac | ctx-project --view all -v' --line 'a on' --line 'a: tac'
    profile p 'a: cat -u' 'a options -n' 'a: tac' 'a options -s x'
    runs 'tac -s x'
}

@test "profile: options for all stages go to those that have them, behind nothing that is more special" {
    profile p '--window 100k' '--estimator=bytes/4' 'n: ctx-normalize' 'v: ctx-project --last 8k' 'c: ./ctx-compact --window 9k' 'j: jq .'
    runs 'ctx-normalize | ctx-project --estimator=bytes/4 --last 8k | ./ctx-compact --window=100k --estimator=bytes/4 --window 9k | jq .'
    runs 'ctx-normalize --max-line=1M | ctx-project --estimator=bytes/4 --last 8k --max-line=1M | ./ctx-compact --window=100k --estimator=bytes/4 --window 9k --max-line=1M --window=7k | jq .' \
        --max-line 1M --window=7k
}

@test "profile: the options for all stages are those that the commands have" {
    local option command value
    profile p 'route: ctx-route' 'isolate: ctx-isolate' 'project: ctx-project' 'select: ctx-select role=user' \
        'normalize: ctx-normalize' 'budget: ctx-budget' 'compact: ctx-compact'
    while read -r option; do
        for command in route isolate project select normalize budget compact; do
            "ctx-$command" --help | grep -qE -- "^ .* --$option(=|  |$)" && printf '%s ' "$command"
        done
        echo ": $option"
    done <<<"$(ctx-compile --help | sed -nE 's/^  (-., |    )--([a-z-]*).*/\2/p' | grep -vxE 'help|version|verbose|bad-lines|bad-file|check-profile|profile|profiles|line|output|explain|new|stage')" >want
    (($(wc -l <want) >= 16))
    while read -r option; do
        case ${option##*: } in
        sorted) value= ;;
        provider) value=' openai' ;;
        model) value=' gpt-5-mini' ;;
        models-file) value=' /dev/null' ;;
        *) value=' x' ;;
        esac
        printf '%s\n' "--${option##*: }$value" >>p
        ctx-compile --profile ./p --explain | tail -n +3 | sed -nE "s/^ *ctx-([a-z]*) .*--${option##*: }(=[^ ]*|[ |]|$).*/\1/p" | tr '\n' ' '
        echo ": ${option##*: }"
        sed -i '$d' p
    done <want >got
    same 'options' want got
}

@test "profile: of four levels the higher wins, in all combinations of on, off and unsaid" {
    local line provider defaults model above expected
    for above in '' on off; do
        for model in '' on off; do
            for provider in '' on off; do
                for defaults in '' on off; do
                    # The sections stand in an order that says nothing.
                    {
                        echo 'a: cat'
                        echo 'b: ctx-project'
                        [[ -z $model ]] || printf '[model gpt-5-mini]\nb %s\n' "$model"
                        [[ -z $defaults ]] || printf '[defaults]\nb %s\n' "$defaults"
                        [[ -z $provider ]] || printf '[provider openai]\nb %s\n' "$provider"
                        printf '[model gpt-5]\nb on\n[provider anthropic]\nb on\n'
                    } >p
                    expected=on
                    for line in "$defaults" "$provider" "$model" "$above"; do
                        [[ -z $line ]] || expected=$line
                    done
                    [[ $expected == on ]] && expected='cat | ctx-project' || expected=cat
                    runs "$expected" --model gpt-5-mini ${above:+--line "b $above"} || fail "$above $model $provider $defaults"
                done
            done
        done
    done
}

@test "profile: command and options, too: the higher level wins" {
    profile p 'a: ctx-compact --keep-turns 1' '--soft 1' 'a options --soft 2' \
        '[model gpt-5-mini]' '--soft 5' 'a options --soft 6' '[provider openai]' '--soft 3' 'a options --soft 4'
    runs 'ctx-compact --soft=1 --keep-turns 1 --soft 2'
    runs 'ctx-compact --soft=1 --keep-turns 1 --soft 2 --soft=3 --soft 4 --provider=openai' --provider openai
    runs 'ctx-compact --soft=1 --keep-turns 1 --soft 2 --soft=3 --soft 4 --soft=5 --soft 6 --soft=7 --model=gpt-5-mini --soft 8' \
        --model gpt-5-mini --soft 7 --line 'a options --soft 8'
    # What was written for another command goes with it; what is for all stages stays.
    profile p 'a: ctx-compact --keep-turns 1' '--soft 1' 'a options --soft 2' '[provider openai]' 'a: ctx-budget --json' '--soft 3'
    runs 'ctx-budget --soft=1 --soft=3 --json --provider=openai' --provider openai
    runs 'ctx-budget --soft=1 --soft=3 --provider=openai --text' --provider openai --line 'a: ctx-budget --text'
}

@test "profile: sections are chosen by the model, its provider, and PROVIDER/NAME" {
    profile p 'a: ctx-project' '[provider openai]' 'a options o' '[provider anthropic]' 'a options a' \
        '[model gpt-5-mini]' 'a options m' '[model mine]' 'a options own' '[provider groq]' 'a options g'
    runs 'ctx-project'
    runs 'ctx-project o' --provider openai
    runs 'ctx-project o m' --model gpt-5-mini
    runs 'ctx-project a m' --model gpt-5-mini --provider anthropic
    runs 'ctx-project a own' --model anthropic/mine
    runs 'ctx-project o m' --model openai/gpt-5-mini
    runs 'ctx-project a' --model anthropic/other
    runs 'ctx-project g' --model openai/gpt-oss-20b
    runs 'ctx-project own' --model mine
    runs 'ctx-project o own' --model mine --provider openai
    printf 'model\tprovider\tcontext_window\tmax_output\tusd_per_mtok_input\tusd_per_mtok_cached\tusd_per_mtok_output\nhouse-1\thouse\t9000\t900\t1\t1\t1\n' >models
    printf '%s\n' '[provider house]' 'a options h' >>p
    runs 'ctx-project h' --model house-1 --models-file models
    runs 'ctx-project h' --model house/x --models-file models
    spec <<'END'
ctx-compile -p ./p --provider nobody
>>>2 ctx-compile: unknown provider 'nobody'; ctx-budget --models prints what there is; try 'ctx-compile --help'
>>>= 64
END
    spec <<'END'
ctx-compile -p ./p --model gpt-5-minni
>>>2 ctx-compile: unknown model 'gpt-5-minni', did you mean 'gpt-5-mini'?; try 'ctx-compile --help'
>>>= 64
END
    spec <<'END'
ctx-compile -p ./p --model nobody/mine
>>>2 ctx-compile: unknown provider 'nobody'; ctx-budget --models prints what there is; try 'ctx-compile --help'
>>>= 64
END
    spec <<'END'
ctx-compile -p ./p --model opena/mine
>>>2 ctx-compile: unknown provider 'opena', did you mean 'openai'?; try 'ctx-compile --help'
>>>= 64
END
    spec <<'END'
ctx-compile -p ./p --provider anthopic
>>>2 ctx-compile: unknown provider 'anthopic', did you mean 'anthropic'?; try 'ctx-compile --help'
>>>= 64
END
    spec <<'END'
ctx-compile -p ./p --provider openai --model gpt-5-
>>>2 ctx-compile: model 'gpt-5-' may be any of 5, such as 'gpt-5-chat-latest'; try 'ctx-compile --help'
>>>= 64
END
}

@test "profile: an unknown model of a known provider is said once, and not by the stages" {
    local said='its window is taken for 128k; --window or a row '"'*' of --models-file says otherwise"
    profile log '{"role":"user","content":"a"}'
    ctx-compile -p policy --model openai/gpt-77 log >out 2>said
    same 'said' <(echo "ctx-compile: unknown model 'gpt-77' of openai: $said") said
    ctx-compile -p policy log >expected
    same 'the result is that without a model' expected out
    ctx-compile -p policy --provider openai --model gpt-5-mino --window 9k log 2>said >out
    same 'where the window is given' <(echo "ctx-compile: unknown model 'gpt-5-mino' of openai (did you mean 'gpt-5-mini'?)") said
    # The window that the section gives is said to all stages, or to one of two.
    profile p 'base policy' '[provider openai]' '--window 9k'
    runs 'ctx-normalize | ctx-project --trace all | ctx-isolate --interim drop | ctx-budget --window=9k | ctx-compact --window=9k' \
        --model openai/gpt-77 2>said
    same 'nothing is said' /dev/null said
    profile p 'base policy' '[provider openai]' 'compact options --limit 9k'
    ctx-compile -p ./p --model openai/gpt-77 log 2>said >out
    same 'ctx-budget has none' <(echo "ctx-compile: unknown model 'gpt-77' of openai: $said") said
    ctx-compile -p ./p --model openai/gpt-77 --line 'budget options -w 9k' log 2>said >out
    same 'both have one' /dev/null said
    # No stage asks for a model, or it has another one.
    ctx-compile --model openai/gpt-77 log 2>said >out
    same 'no stage asks' /dev/null said
    profile p 'base budget' 'compact options --model gpt-5-mini'
    ctx-compile -p ./p --model openai/gpt-77 log 2>said >out
    same 'another one' /dev/null said
    # A row for the others is a window, too.
    printf 'model\tprovider\tcontext_window\tmax_output\tusd_per_mtok_input\tusd_per_mtok_cached\tusd_per_mtok_output\n*\topenai\t9000\t900\t1\t1\t1\n' >models
    profile p 'a: ctx-compact'
    runs 'ctx-compact --models-file=models --model=openai/gpt-77' --models-file models --model openai/gpt-77 2>said
    same 'a row' /dev/null said
}

@test "profile: what the profile itself says of model and provider chooses its sections, below the command line" {
    profile p 'a: ctx-compact' '--model gpt-5-mini' '[provider openai]' 'a options o' '[model gpt-5-mini]' 'a options m' \
        '[provider anthropic]' 'a options a' '[model fast]' '--model gpt-5-nano'
    runs 'ctx-compact --model=gpt-5-mini o m'
    runs 'ctx-compact --model=gpt-5-mini a --model=claude-opus-4-5' --model claude-opus-4-5
    runs 'ctx-compact --model=gpt-5-mini o --model=gpt-5' --line '--model gpt-5'
    runs 'ctx-compact a' --model anthropic/other 2>/dev/null
    profile p "$(<p)" '[provider xai]' '--model gpt-5'
    runs 'ctx-compact --model=gpt-5-mini o m'
    runs 'ctx-compact' --model xai/other 2>/dev/null
    # A section may say which model one of the profile's own is.
    runs 'ctx-compact --model=gpt-5-nano' --model fast
    runs 'ctx-compact o --model=gpt-5-nano --provider=openai' --model fast --provider openai 2>said
    same 'the stages know it' /dev/null said
    profile p 'base policy' '--provider openai' '--model gpt-77'
    runs 'ctx-normalize | ctx-project --trace all | ctx-isolate --interim drop | ctx-budget | ctx-compact' 2>said
    [[ $(wc -l <said) == 1 ]]
    profile p 'a: cat' '--models-file none'
    status_of 66 ctx-compile -p ./p --check-profile 2>said
    same 'said' <(echo "ctx-compile: cannot open 'none': No such file or directory") said
}

@test "profile: blanks within the brackets of a section are blanks or tabs" {
    printf 'a: ctx-compact\n[\tmodel\t gpt-5-mini\t] # x\na options 1\n[ defaults ]\na options 2\n' >p
    runs 'ctx-compact 2'
    runs 'ctx-compact 2 1 --model=gpt-5-mini' --model gpt-5-mini
}

@test "profile: --check-profile warns of a section whose name may be a slip" {
    profile p 'a: ctx-compact' '[provider opnai]' 'a off' 'a on' '[model gpt-5-minni]' 'a off' '[model mine]' 'a off' \
        '[model gpt-5-mini]' 'a off' '[model gpt-5-]' 'a off' '[provider anthropic]' 'a off' '[provider house]' 'a off'
    spec <<'END'
ctx-compile --profile ./p --check-profile
>>>2 ctx-compile: ./p: no table has the provider 'opnai', did you mean 'openai'?
>>>2 ctx-compile: ./p: no table has the model 'gpt-5-minni', did you mean 'gpt-5-mini'?
END
    printf 'gpt-5-minni\topnai\t9000\t900\t1\t1\t1\n' >models
    spec <<'END'
ctx-compile --profile ./p --check-profile --models-file models
END
    ctx-compile --profile ./p --explain 2>said >got
    same 'said by no other' /dev/null said
}

@test "profile: a model that no table knows is not told to the stages" {
    profile p 'a: ctx-compact' '[model mine]' '--window 9k'
    runs 'ctx-compact --window=9k' --model mine
    runs 'ctx-compact --model=gpt-5-mini' --model gpt-5-mini
}

@test "profile: base: the rules of the base come first, and sections of the base stand over defaults" {
    mkdir sub
    profile sub/top 'base ./other' 'b options 2' 'c: wc'
    profile sub/other 'a: cat' 'b: ctx-project 0' 'a off' '[provider openai]' 'a off'
    profile p 'base sub/top' 'a on' 'b options 3' 'a options -u'
    runs 'cat -u | ctx-project 0 2 3 | wc'
    runs 'ctx-project 0 2 3 | wc' --provider openai
    profile p 'base budget' 'isolate off'
    runs 'ctx-project | ctx-compact'
    profile p 'base' 'a: cat'
    spec <<'END'
ctx-compile -p ./p
>>>2 ctx-compile: ./p:1: expected the name of a profile
>>>2 ctx-compile:     base
>>>2 ctx-compile:         ^
>>>= 78
END
}

@test "profile: a circle of bases is 78, a missing base too, and so are too many" {
    local i
    profile a 'base ./b'
    profile b '' '# x' 'base ./c'
    profile c 'base ./a'
    spec <<'END'
ctx-compile -p ./a
>>>2 ctx-compile: ./a: is based on itself, by way of './c'
>>>= 78
END
    profile a 'base ./a'
    spec <<'END'
ctx-compile -p ./a
>>>2 ctx-compile: ./a: is based on itself, by way of './a'
>>>= 78
END
    profile a 'base ./missing'
    spec <<'END'
ctx-compile -p ./a
>>>2 ctx-compile: ./a:1: no base './missing'
>>>2 ctx-compile:     base ./missing
>>>2 ctx-compile:          ^
>>>= 78
END
    profile a '# one' '' ' base missing'
    spec <<'END'
ctx-compile -p ./a
>>>2 ctx-compile: ./a:3: no profile 'missing'; built in are pragmatic, budget, policy, and a path has a slash
>>>2 ctx-compile:      base missing
>>>2 ctx-compile:           ^
>>>= 78
END
    for i in {1..16}; do
        profile "d$i" "base ./d$((i + 1))"
    done
    profile d17 'a: cat'
    ctx-compile -p ./d2 </dev/null
    spec <<'END'
ctx-compile -p ./d1
>>>2 ctx-compile: ./d1: more than 16 profiles, each based on the next
>>>= 78
END
}

# wrong MESSAGE COLUMN LINE...: the last line is what is wrong, and the caret stands under that column.
wrong() {
    local message=$1 column=$2 lines=$(($# - 2)) text
    shift 2
    profile p "$@"
    text=${*: -1}
    printf '%s\n' "ctx-compile: ./p:$lines: $message" "ctx-compile:     $text" \
        "ctx-compile:     $(printf '%*s' "$column" '')^" >want
    status_of 78 ctx-compile -p ./p --check-profile 2>got
    same "$text" want got
}

@test "profile: what is wrong is named with file, line and place" {
    wrong "no stage 'b': a" 0 'a: cat' 'b off'
    wrong "no stage 'b'" 2 '# none' '  b off'
    wrong "no stage 'b': a" 0 'a: cat' '[provider x]' 'b: cat'
    wrong "expected ':' and a command, or on, off, or options" 2 'a: cat' 'a maybe'
    wrong "expected ':' and a command, or on, off, or options" 1 'a: cat' 'a'
    wrong "expected ':' and a command, or on, off, or options" 1 'a: cat' 'a.b: cat'
    wrong 'expected nothing after on and off' 5 'a: cat' 'a on --x'
    wrong 'expected a command' 2 'a:'
    wrong 'expected a command' 2 'a: # cat'
    wrong 'expected a command' 2 "a: ''"
    wrong 'this quote is not closed' 7 "a: cat 'x y"
    wrong 'expected quotes around this character: no shell reads this line' 7 'a: cat | wc'
    wrong 'expected quotes around this character: no shell reads this line' 7 'a: cat $HOME'
    wrong 'expected a character after the backslash' 7 'a: cat \'
    wrong 'expected a stage such as '"'view: ctx-project'"', with letters, digits, - and _ in its name' 0 '*: cat'
    wrong 'a stage has another name than base' 0 'base: cat'
    wrong 'expected the base in the first line' 0 'a: cat' 'base policy'
    wrong 'expected one name' 12 'base policy x'
    wrong 'expected the name of a profile' 6 "base  ''"
    wrong "bad name 'a.b' of a profile, expected letters, digits, - and _, or a path with a slash" 5 'base a.b'
    wrong 'expected [defaults], [provider NAME] or [model NAME]' 0 '[stage a]'
    wrong 'expected [defaults], [provider NAME] or [model NAME]' 0 '[model ]'
    wrong 'expected [defaults], [provider NAME] or [model NAME]' 0 '[model*x]'
    wrong 'expected [defaults], [provider NAME] or [model NAME]' 0 '[defaults x]'
    wrong "expected ']'" 8 '[model a'
    wrong "expected nothing after ']'" 11 '[defaults] a: cat'
    wrong "no option for all stages; an option of one stage comes after its name, as in 'compact options --force'" 0 '--last 8k'
    wrong "no option for all stages; an option of one stage comes after its name, as in 'compact options --force'" 0 '-'
    wrong "no option for all stages, did you mean '--window'?" 0 '--windwo 8k'
    wrong 'expected one option and its value' 0 '--window'
    wrong 'expected one option and its value' 0 '--window 8k --soft 7k'
    wrong 'expected one option and its value' 0 '--window=8k 7k'
    wrong 'expected no value of this option' 0 '--sorted x'
}

@test "profile: hostile bytes, long lines, too many of all are 78" {
    local i
    printf 'a: cat\nb\0: cat\n' >p
    status_of 78 ctx-compile -p ./p 2>got </dev/null
    same 'NUL' <(printf '%s\n' 'ctx-compile: ./p:2: a control character, which no profile has' 'ctx-compile:     b\x00: cat' 'ctx-compile:      ^') got
    printf 'a: c\x1b[31m\n' >p
    status_of 78 ctx-compile -p ./p 2>got </dev/null
    [[ $(<got) == *'c\x1b[31m'* ]]
    # DEL and C1, too.
    for i in '\x7f' '\xc2\x80' '\xc2\x9f'; do
        printf "a: cat\n#$i\n" >p
        status_of 78 ctx-compile -p ./p 2>got </dev/null
        [[ $(head -n 1 got) == 'ctx-compile: ./p:2: a control character, which no profile has' ]]
    done
    printf 'a: cat \xc2\xa0\n' >p
    ctx-compile -p ./p --check-profile
    printf 'a: c\xff\n' >p
    status_of 78 ctx-compile -p ./p 2>got </dev/null
    [[ $(head -n 1 got) == 'ctx-compile: ./p:1: expected UTF-8' ]]
    { printf 'a: cat '; head -c 70000 /dev/zero | tr '\0' x; } >p
    status_of 78 ctx-compile -p ./p 2>got </dev/null
    [[ $(head -n 1 got) == 'ctx-compile: ./p:1: the line is longer than 64 KiB' ]]
    { printf 'a: cat'; printf ' x%.0s' {1..256}; } >p
    status_of 78 ctx-compile -p ./p 2>got </dev/null
    [[ $(head -n 1 got) == 'ctx-compile: ./p:1: more than 256 words' ]]
    for i in {1..65}; do echo "s$i: cat"; done >p
    status_of 78 ctx-compile -p ./p 2>got </dev/null
    [[ $(head -n 1 got) == 'ctx-compile: ./p:65: more than 64 stages' ]]
    sed -i '$d' p
    [[ $(ctx-compile -p ./p <<<'{"role":"user","content":"x"}') == '{"role":"user","content":"x"}' ]]
    { printf 'base ./'; head -c 5000 /dev/zero | tr '\0' x; } >p
    status_of 78 ctx-compile -p ./p 2>got </dev/null
    [[ $(head -n 1 got) == 'ctx-compile: ./p:1: the path of a profile is too long' ]]
    head -c 2000000 /dev/zero | tr '\0' '\n' >p
    status_of 66 ctx-compile -p ./p 2>got </dev/null
    status_of 66 ctx-compile -p ./ 2>got </dev/null
    same 'a directory' <(echo "ctx-compile: cannot read './': is a directory") got
}

@test "profile: the profile default of the user's or the site's folder is what runs, and CTX_PROFILE names one" {
    mkdir -p home/.config/ctx/profiles site own
    export HOME=$PWD/home
    stages_are() { same "$1" <(echo "$2") <(ctx-compile "${@:3}" --explain | sed 1,2d | tr -d '\n' | tr -s ' '; echo); }
    stages_are 'none' ctx-project
    profile site/default 'base budget' 'compact off'
    export CTX_PROFILE_PATH=$PWD/site
    stages_are "the site's" 'ctx-isolate | ctx-project'
    stages_are 'another' ctx-project --profile pragmatic
    unset CTX_PROFILE_PATH
    profile home/.config/ctx/profiles/default 'view options --trace all'
    stages_are "the user's, which begins at pragmatic" 'ctx-project --trace all'
    profile mine 'base default' 'view options --last 4k'
    stages_are 'it is a base' 'ctx-project --trace all --last 4k' -p ./mine
    profile own/default 'x: cat'
    stages_are 'a path is no name' cat -p own/default
    CTX_PROFILE=./mine stages_are 'CTX_PROFILE' 'ctx-project --trace all --last 4k'
    CTX_PROFILE=./mine stages_are 'the option wins' 'ctx-isolate | ctx-project | ctx-compact' -p budget
    CTX_PROFILE='' stages_are 'an empty one is none' 'ctx-project --trace all'
    CTX_PROFILE=nowhere status_of 66 ctx-compile --explain 2>said
    grep -q "no profile 'nowhere'" said
    profile home/.config/ctx/profiles/default 'base default'
    status_of 78 ctx-compile --explain 2>said
    grep -q 'is based on itself' said
    # Without a folder there is no default.
    env -u HOME ctx-compile --explain >said
    status_of 66 env -u HOME ctx-compile -p default --explain 2>said
}

@test "profile: files are found in CTX_PROFILE_PATH, the user's and no other, and a built-in name is built in" {
    mkdir -p one two home/.config/ctx/profiles config/ctx/profiles
    profile two/mine 'a: printf two'
    profile home/.config/ctx/profiles/mine 'a: printf home'
    profile config/ctx/profiles/mine 'a: printf config'
    profile two/policy 'a: printf wrong'
    # What is no file is none: a profile of that name further on is found.
    mkdir one/mine
    ln -s nowhere one/other
    profile mine 'a: printf wrong'
    [[ $(ctx-compile -p mine) == home ]]
    [[ $(XDG_CONFIG_HOME=$PWD/config ctx-compile -p mine) == config ]]
    [[ $(CTX_PROFILE_PATH=:$PWD/one:two: ctx-compile -p mine) == two ]]
    [[ $(CTX_PROFILE_PATH=two ctx-compile -p policy </dev/null) != wrong ]]
    [[ $(CTX_PROFILE_PATH=two ctx-compile --profiles | cut -f1 | tr '\n' ' ') == 'pragmatic budget policy mine ' ]]
    [[ $(CTX_PROFILE_PATH=two ctx-compile --profiles | sed -n 's/^mine\t//p') == two/mine ]]
    [[ $(CTX_PROFILE_PATH=one:two:two:one ctx-compile --profiles | cut -f1 | tr '\n' ' ') == 'pragmatic budget policy mine ' ]]
    # An empty place is none, and so is a relative XDG_CONFIG_HOME; there may be any number.
    mkdir -p relative/ctx/profiles
    profile relative/ctx/profiles/mine 'a: printf relative'
    [[ $(XDG_CONFIG_HOME=relative ctx-compile -p mine) == home ]]
    [[ $(XDG_CONFIG_HOME= CTX_PROFILE_PATH=::: ctx-compile -p mine) == home ]]
    [[ $(CTX_PROFILE_PATH=$(printf 'one:%.0s' {1..200})two ctx-compile -p mine) == two ]]
    [[ $(CTX_PROFILE_PATH=$(head -c 5000 /dev/zero | tr '\0' x):two ctx-compile -p mine) == two ]]
    [[ $(env -u HOME CTX_PROFILE_PATH=two ctx-compile -p mine) == two ]]
    profile two/harbour 'a: cat'
    CTX_PROFILE_PATH=two spec <<'END'
ctx-compile -p harbor
>>>2 ctx-compile: no profile 'harbor', did you mean 'harbour'?; built in are pragmatic, budget, policy, and a path has a slash
>>>= 66
END
    spec <<'END'
ctx-compile -p polcy
>>>2 ctx-compile: no profile 'polcy', did you mean 'policy'?; built in are pragmatic, budget, policy, and a path has a slash
>>>= 66
END
    # What --new has written into this directory.
    profile new 'a: cat'
    spec <<'END'
ctx-compile -p new
>>>2 ctx-compile: no profile 'new', did you mean './new'?; built in are pragmatic, budget, policy, and a path has a slash
>>>= 66
END
    # A base is looked for beside the profile that names it.
    profile child 'base new'
    spec <<'END'
ctx-compile -p ./child
>>>2 ctx-compile: ./child:1: no profile 'new'; built in are pragmatic, budget, policy, and a path has a slash
>>>2 ctx-compile:     base new
>>>2 ctx-compile:          ^
>>>= 78
END
    spec <<'END'
ctx-compile -p mine.txt
>>>2 ctx-compile: bad name 'mine.txt' of a profile, expected letters, digits, - and _, or a path with a slash; try 'ctx-compile --help'
>>>= 64
END
}

@test "profile: no file is opened that was not asked for" {
    command -v strace >/dev/null || skip 'no strace'
    mkdir -p two home/.config/ctx/profiles
    profile two/mine 'a: cat'
    profile two/other 'a: cat'
    CTX_PROFILE_PATH=two strace -o trace -e trace=open,openat ctx-compile -p mine --explain >got 2>/dev/null || skip 'strace cannot'
    [[ -s got ]]
    grep -o '"[^"]*"' trace | grep -v '"/\(etc\|lib\|usr\|proc\|sys\|dev\)' >opened
    same 'opened' <(echo '"two/mine"') opened
}
