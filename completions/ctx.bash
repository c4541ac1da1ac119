# shellcheck shell=bash
#
# Completion of the ctx commands for bash: source this file, or put it where bash-completion looks.
# Each command has a function that lists its long options:
#
#     --name          takes no value
#     --name=         takes a value that cannot be guessed
#     --name=a|b      takes one of these
#     --name=@        takes a file

_ctx_common=(--steering='join|new' --tool= --bad-lines='keep|stop|drop' --bad-file=@ --max-line= --report=@ --verbose --help --version)
_ctx_in_place=(--in-place= --min-age= --follow-symlinks --break-hard-links)
_ctx_current=(--execution='auto|last|none')
_ctx_estimate=(--estimator='o200k_base|cl100k_base|bytes/4|usage|calibrated' --image-tokens= --command-timeout=)
_ctx_limits=(--window= --reserve-output= --reserve-system= --headroom= --soft= --limit=)
_ctx_model=(--model= --models-file=@)
_ctx_triggers=(--max-tool-results= --max-messages= --max-turns= --max-steps= --max-age= --when= --max-section=)

# _ctx_value OPTION CURRENT SPEC...: completes the value of the option; false when it takes none.
_ctx_value() {
    local option=$1 current=$2 spec
    shift 2
    for spec; do
        case $spec in
        "$option=@") mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
        "$option="*)
            spec=${spec#*=}
            mapfile -t COMPREPLY < <(compgen -W "${spec//|/ }" -- "$current")
            ;;
        *) continue ;;
        esac
        return 0
    done
    return 1
}

# _ctx_complete SPEC...: completes the word at the cursor. Bash takes --name=value as three words.
_ctx_complete() {
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} option=
    COMPREPLY=()
    if [[ $current == '=' ]]; then
        option=$before current=
    elif [[ $before == '=' ]] && ((COMP_CWORD > 2)); then
        option=${COMP_WORDS[COMP_CWORD - 2]}
    elif [[ $before == --?* ]]; then
        option=$before
    fi
    if [[ -n $option ]] && _ctx_value "$option" "$current" "$@"; then
        return
    fi
    if [[ $current == -* ]]; then
        # What stands behind "=" goes, the sign itself stays.
        mapfile -t COMPREPLY < <(compgen -W "$(printf '%s\n' "$@" | sed 's/=.*/=/')" -- "$current")
        [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null
    fi
}

_ctx_budget() {
    _ctx_complete "${_ctx_limits[@]}" "${_ctx_model[@]}" --models "${_ctx_estimate[@]}" --verify \
        "${_ctx_triggers[@]}" --text \
        --table --json --tsv --brief --every= --now \
        --by='role|tool|kind|section|turn|execution|session|message' --top= --cuts --each --annotate --check \
        --color='auto|always|never' \
        "${_ctx_common[@]}"
}

_ctx_compact() {
    _ctx_complete --target= --pipeline= --strategy='simple|tokens|summarize|symbolize' --force --best-effort --plan \
        --keep-turns= --keep-tokens= --keep-messages= --summary-title= --symbol-title= \
        --summary-role='user|assistant|developer' \
        --select= --protect= --cached= --dedupe= --prune-over= --summary-tokens= \
        --summarizer= --summarizer-input='text|jsonl' --summarizer-timeout= --summarizer-retries= \
        --strict-names --fallback='digest|truncate' --error-tokens= \
        --min-gain= --at-boundary "${_ctx_in_place[@]}" --archive=@ --changes=@ \
        --decide= --before-compact= --on-compact= --restore=@ \
        --recall= --search= --recall-tokens= \
        "${_ctx_current[@]}" "${_ctx_limits[@]}" "${_ctx_triggers[@]}" \
        "${_ctx_model[@]}" "${_ctx_estimate[@]}" "${_ctx_common[@]}"
}

_ctx_isolate() {
    _ctx_complete --policy='boundary|mask|transparent' "${_ctx_current[@]}" \
        --artifact='group|execution' --artifact-role='assistant|user' --error-tokens= --min-tokens= \
        --keep-results= --keep-tokens= --placeholder= \
        --arguments='keep|all|failed|superseded' --thinking= --interim='keep|drop' --min-gain= \
        --select= --protect= --hold= --archive=@ --changes=@ "${_ctx_estimate[@]}" "${_ctx_common[@]}"
}

_ctx_normalize() {
    _ctx_complete --from='auto|ctx|openai|anthropic|claude-code|instructor' --to='ctx|openai|anthropic|instructor' \
        --request= --cached= --array --open-calls='close|keep|drop' --system='lift|keep|user' --all --check --untrusted --repair "${_ctx_in_place[@]}" \
        "${_ctx_common[@]}"
}

_ctx_project() {
    _ctx_complete --view='reasoning|conversation|all|trace' --trace='current|all|none' --attempts='last|all' \
        --select= --reject= "${_ctx_current[@]}" \
        --agent= --leaf=last --forgotten='hide|show' --sections= --last= --messages= --first= \
        --keep='system|developer|first|pinned|critical|summary' --start-on='system|developer|user|assistant|tool' \
        --end-on='system|developer|user|assistant|tool' --partial='none|head|tail' \
        --inject=@ --inject-command= --inject-title= --with-system --text --merge= \
        --shorten= --shorten-errors --shorten-where= --redact= --redact-pattern= --where= --redact-report=@ --hold= "${_ctx_estimate[@]}" "${_ctx_common[@]}"
}

_ctx_route() {
    _ctx_complete --execution= --log=@ --append=@ --repair --separate-trace --ephemeral --next-execution --resolve= \
        --system-prompt=@ --response-format=@ --context= --set= --where= --hold= --overflow= --clear= \
        "${_ctx_estimate[@]}" "${_ctx_common[@]}"
}

_ctx_select() {
    _ctx_complete --select= --reject= --exact --invert --count "${_ctx_current[@]}" --hold= \
        "${_ctx_estimate[@]}" "${_ctx_common[@]}"
}

complete -o default -F _ctx_budget ctx-budget
complete -o default -F _ctx_compact ctx-compact
complete -o default -F _ctx_isolate ctx-isolate
complete -o default -F _ctx_normalize ctx-normalize
complete -o default -F _ctx_project ctx-project
complete -o default -F _ctx_route ctx-route
complete -o default -F _ctx_select ctx-select
