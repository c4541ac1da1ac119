#!/usr/bin/env bats
#
# The commands that ctx-summarize(7) shows: that they are those of tests/summarizers, which
# make check-summarizers runs for real, and that the others are run as the page has them.

load helper

page=$ROOT/man/ctx-summarize.7

@test "ctx-summarize(7): the script is the one that is tested" {
    same 'openai.sh' "$ROOT/tests/summarizers/openai.sh" <(display "$page" '#!/bin/sh')
}

# plays NAME: a program that notes its arguments and what it reads, and answers.
plays() {
    mkdir -p played
    cat >"played/$1" <<'END'
#!/bin/sh
printf '<%s>' "${0##*/}" "$@" >>called
cat >"${0##*/}.prompt"
echo 'The gauge is mended.'
END
    chmod +x "played/$1"
    PATH=$PWD/played:$PATH
}

# summary COMMAND: what ctx-compact makes of a session with it.
summary() {
    ctx-compact --window 1k --summarizer "$1" "$FIXTURES/compact-gauge.jsonl"
}

@test "ctx-summarize(7): each of the other commands gets the prompt, and its answer is the summary" {
    local command name count=0
    summary 'cat >prompt; exit 1' >none 2>&1 || (($? == 69))
    while IFS= read -r command; do
        name=${command%% *}
        plays "$name"
        printf '%s\n' "$command"
        summary "$command" >out
        same "$name" prompt "$name.prompt"
        grep -q '\\n  The gauge is mended\.\\n' out
        count=$((count + 1))
    done < <(display "$page" '^llm ')
    ((count == 4))
    echo >>called
    same 'arguments' - called <<'END'
<llm><-n><-s><Write the summary that is asked for.><claude><-p><--tools><><--strict-mcp-config><--no-session-persistence><codex><exec><--ephemeral><--skip-git-repo-check><--sandbox><read-only><-><ollama><run><--hidethinking><MODEL>
END
}

@test "ctx-summarize(7): the prompt is as the page shows it" {
    local line
    summary 'cat >prompt; exit 1' >none 2>&1 || (($? == 69))
    display "$page" '^You write' >shown
    # Its lines stand in the prompt, but for those that only an update has, and the size.
    grep -v '^\.\.\.$\|^in the log\|earlier summary' shown | sed 's/ at most .*//' >lines
    (($(wc -l <lines) == 7))
    while IFS= read -r line; do
        grep -qF -e "$line" prompt || fail "not in the prompt: $line"
    done <lines
}
