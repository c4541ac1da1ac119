# shellcheck shell=bash disable=SC2016
#
# Completion of the ctx commands for bash: source this file, or put it where bash-completion looks.
# Each command has an array of its options, 'LETTER NAME=ITEMS', where completions/values says what an
# item is; one that takes no value has no "=".  '=ITEMS' is for the first operand.  Those that -h prints come
# first, and are offered first.

# _ctx_offer PREFIX CANDIDATE...: those that the value goes on to, behind the prefix.
_ctx_offer() {
    local prefix=$1 candidate
    shift
    for candidate; do
        [[ $prefix$candidate != "$value"* ]] || COMPREPLY+=("$prefix$candidate")
    done
}

# Outside of quotes ">" is the shell's.
_ctx_offer_terms() {
    local prefix=${value%"${value##*,}"} term=${value##*,}
    [[ $value != *'~'* ]] || return
    [[ $term != !* ]] || prefix+=! term=${term#!}
    if [[ $term == *=* ]]; then
        _ctx_offer "$prefix" "${_ctx_term_values[@]}"
    elif [[ -n $quote ]]; then
        _ctx_offer "$prefix" "${_ctx_terms[@]}"
    else
        _ctx_offer "$prefix" "${_ctx_terms[@]/\>/\\\>}"
    fi
}

# _ctx_offer_files PREFIX: the files whose names the value goes on to, behind the prefix.
_ctx_offer_files() {
    compopt -o filenames 2>/dev/null
    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -P "$1" -f -- "${value#"$1"}")
}

_ctx_offer_tool() {
    if [[ $value == @* ]]; then
        _ctx_offer_files @
    elif [[ $value == *=* ]]; then
        _ctx_offer "${value%%=*}=" read: write: edit: shell:
    else
        _ctx_offer '' @
    fi
}

# _ctx_offer_names: those that stand first in the lines of standard input, before a tab.
_ctx_offer_names() {
    local -a lines
    mapfile -t lines
    _ctx_offer '' "${lines[@]%%$'\t'*}"
}

# _ctx_models: the models of the table, and each "PROVIDER/"; behind a slash, PROVIDER/NAME instead.
_ctx_models() {
    local name provider rest given=,
    ctx-budget --models 2>/dev/null | sed 1d | while IFS=$'\t' read -r name provider rest; do
        printf '%s\n' "$name"
        if [[ $value == */* ]]; then
            printf '%s/%s\n' "$provider" "$name"
        elif [[ $given != *",$provider,"* ]]; then
            given+=$provider,
            printf '%s/\n' "$provider"
        fi
    done
}

# _ctx_offer_items ITEM...: what the value may go on to.
_ctx_offer_items() {
    local item prefix=
    for item; do
        case $item in
        @list) prefix=${value%"${value##*,}"} ;;
        @place) [[ $value == *@* ]] && prefix=${value%@*}@ || return ;;
        @file) _ctx_offer_files '' ;;
        @command) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -c -- "$value") ;;
        @model) _ctx_offer_names < <(_ctx_models) ;;
        @provider) _ctx_offer_names < <(_ctx_models | sed -n 's|/$||p') ;;
        @profile) _ctx_offer_names < <(ctx-compile --profiles 2>/dev/null) ;;
        @selector) _ctx_offer_terms ;;
        @tool) _ctx_offer_tool ;;
        *) [[ ,$prefix == *",$item,"* ]] || _ctx_offer "$prefix" "$item" ;;
        esac
    done
}

# _ctx_items NAME [apart]: sets items to those of the option, or of the first operand; false when it takes no
# value; apart, when none follows as the next word: what may stand without is there without "=", too.
_ctx_items() {
    local option
    for option in "${options[@]}"; do
        [[ " ${option%%=*} " == *" $1 "* ]] || continue
        [[ $option != *=* ]] || { items=${option#*=} && return; }
        [[ -z ${2-} ]] || return 1
    done
    return 1
}

# _ctx_split: sets words to those of the line up to the cursor.  Bash has --name=value as three words.
_ctx_split() {
    local rest=${COMP_LINE:0:COMP_POINT} part i
    words=()
    for ((i = 0; i <= COMP_CWORD; i++)); do
        part=${COMP_WORDS[i]}
        ((i > 0)) && [[ $rest != [[:blank:]]* ]] || words+=('')
        rest=${rest#"${rest%%[![:blank:]]*}"}
        [[ $rest == "$part"* ]] || part=$rest
        words[-1]+=$part
        rest=${rest#"$part"}
    done
}

# _ctx_is_first: whether the word at the cursor is the first operand, and none stands in an option.
_ctx_is_first() {
    local i items
    for ((i = 1; i < ${#words[@]} - 1; i++)); do
        case ${words[i]} in
        -e* | --select | --select=*) return 1 ;;
        -*=*) ;;
        -*) ! _ctx_items "${words[i]}" apart || ((i++)) ;;
        *) return 1 ;;
        esac
    done
}

# _ctx_go_on: of "ctx NAME ..." goes on to the words of ctx-NAME, as a command line of its own; where ctx
# wants a name, offers the names and is false.
_ctx_go_on() {
    if [[ $command != ctx || $value == -* && ${#words[@]} == 2 ]]; then
        return
    elif ((${#words[@]} == 2)); then
        _ctx_offer '' "${_ctx_names[@]}" help
    elif [[ ${words[1]} == help ]]; then
        ((${#words[@]} > 3)) || _ctx_offer '' "${_ctx_names[@]}"
    elif [[ " ${_ctx_names[*]} " == *" ${words[1]#ctx-} "* ]]; then
        command=ctx-${words[1]#ctx-} words=("${words[@]:1}")
        return
    fi
    return 1
}

_ctx_complete() {
    local -a words names options
    local command=${1##*/} items value quote='' typed=$2 kept
    _ctx_split
    COMPREPLY=()
    value=${words[-1]}
    _ctx_go_on || return 0
    local -n own=_${command//-/_}
    options=("${own[@]}" "${_ctx_all[@]}")
    if [[ $value == --*=* ]]; then
        _ctx_items "${value%%=*}" || return
        value=${value#*=}
    elif ((${#words[@]} > 2)) && [[ ${words[-2]} == -* && ${words[-2]} != *=* ]] && _ctx_items "${words[-2]}" apart; then
        :
    elif [[ $value == -* ]]; then
        # What stands behind "=" goes, the sign itself stays; a letter is not worth it.
        mapfile -t names < <(printf '%s\n' "${options[@]}" | sed -n 's/=.*/=/; s/^-[^-] //; /^-/p')
        _ctx_offer '' "${names[@]}"
        compopt -o nosort 2>/dev/null
        items=
    elif ! _ctx_items '' || ! _ctx_is_first; then
        items=@file
    fi
    if [[ $value == [\'\"]* ]]; then
        quote=${value:0:1} value=${value:1}
    fi
    # shellcheck disable=SC2086
    _ctx_offer_items $items
    # What readline keeps of the word is not to be given again.
    kept=${value%"$typed"}
    COMPREPLY=("${COMPREPLY[@]#"$kept"}")
    [[ ${COMPREPLY[0]-} != *[=:.@~/\>] ]] || compopt -o nospace 2>/dev/null
}

# Below this line: by "make completions", from --help and completions/values.
_ctx_names=(
    'budget'
    'compact'
    'compile'
    'diff'
    'isolate'
    'normalize'
    'project'
    'recall'
    'redact'
    'restore'
    'route'
    'select'
    'show'
)
_ctx_terms=(
    'role='
    'origin='
    'tool='
    'target='
    'path='
    'kind='
    'section='
    'execution='
    'session='
    'agent='
    'id='
    'pinned'
    'trace'
    'error'
    'unresolved'
    'compacted'
    'final'
    'tokens>'
    'bytes>'
    'turn>'
    'meta.'
    'arg~'
    'text~'
)
_ctx_term_values=(
    'role=system'
    'role=developer'
    'role=user'
    'role=assistant'
    'role=tool'
    'origin=user'
    'origin=assistant'
    'origin=tool_call'
    'origin=tool_result'
    'origin=summary'
    'origin=system'
    'origin=error'
    'origin=injected'
    'kind=summary'
    'kind=trace'
    'section=messages'
    'section=buffer'
    'section=summary'
    'section=execution_buffer'
    'execution=last'
)
_ctx_all=(
    '-h --help'
    '-V --version'
)
_ctx=(
    '--list'
)
_ctx_budget=(
    '-w --window='
    '--limit='
    '--soft='
    '-m --model=@model'
    '--check'
    '--json'
    '--brief'
    '--by=role tool kind section turn execution session agent day model message'
    '--each'
    '--now'
    '--reserve-output='
    '--reserve-system='
    '--headroom='
    '--provider=@provider'
    '--models-file=@file'
    '--models'
    '--max-tool-results='
    '--max-messages='
    '--max-turns='
    '--max-steps='
    '--max-age='
    '--when=@selector'
    '--max-section='
    '--table'
    '--top='
    '--cuts'
    '--annotate'
    '--color=auto always never'
    '--text'
    '--agents'
    '--forgotten=hide show'
    '--estimator=o200k_base cl100k_base bytes/4 usage calibrated cmd:'
    '--image-tokens='
    '--command-timeout='
    '--verify'
    '--session-key=metadata.session_id session_id'
    '--sorted'
    '--steering=join new'
    '--tool=@tool'
    '--bad-lines=keep stop drop'
    '--bad-file=@file'
    '--max-line='
    '--report=@file'
    '-v --verbose'
)
_ctx_compact=(
    '-w --window='
    '--limit='
    '--target='
    '-m --model=@model'
    '-n --plan'
    '--strategy=simple tokens summarize symbolize'
    '--keep-turns='
    '--protect=@selector'
    '--best-effort'
    '--archive=@file'
    '-i --in-place'
    '--in-place='
    '--soft='
    '--reserve-output='
    '--reserve-system='
    '--headroom='
    '--provider=@provider'
    '--models-file=@file'
    '--max-tool-results='
    '--max-messages='
    '--max-turns='
    '--max-steps='
    '--max-age='
    '--when=@selector'
    '--max-section='
    '-f --force'
    '--min-gain='
    '--at-boundary'
    '--decide=@command'
    '--pipeline=@file @list dedupe prune summarize symbolize truncate normalize'
    '--keep-tokens='
    '--keep-messages='
    '--select=@selector'
    '--cached='
    '--dedupe=@list stale superseded duplicate retried'
    '--prune-over='
    '--error-tokens='
    '--execution=auto last none'
    '--summarizer=@command'
    '--summarizer-input=text jsonl'
    '--summarizer-timeout='
    '--summarizer-retries='
    '--strict-names'
    '--fallback=digest truncate'
    '--summary-tokens='
    '--rules=@file'
    '--summary-title='
    '--summary-role=user assistant developer'
    '--changes=@file'
    '--min-age='
    '--follow-symlinks'
    '--break-hard-links'
    '--before-compact=@command'
    '--on-compact=@command'
    '--estimator=o200k_base cl100k_base bytes/4 usage calibrated cmd:'
    '--image-tokens='
    '--command-timeout='
    '--forgotten=hide show'
    '--session-key=metadata.session_id session_id'
    '--sorted'
    '--steering=join new'
    '--tool=@tool'
    '--bad-lines=keep stop drop'
    '--bad-file=@file'
    '--max-line='
    '--report=@file'
    '-v --verbose'
)
_ctx_compile=(
    '-p --profile=@profile @file'
    '--line='
    '-m --model=@model'
    '-o --output=@file'
    '--explain'
    '--check-profile'
    '--profiles'
    '--new='
    '-w --window='
    '--provider=@provider'
    '--models-file=@file'
    '--stage'
    '--limit='
    '--soft='
    '--reserve-output='
    '--reserve-system='
    '--headroom='
    '--target='
    '--execution=auto last none'
    '--session-key=metadata.session_id session_id'
    '--sorted'
    '--estimator=o200k_base cl100k_base bytes/4 usage calibrated cmd:'
    '--image-tokens='
    '--command-timeout='
    '--steering=join new'
    '--tool=@tool'
    '--bad-lines=keep stop drop'
    '--bad-file=@file'
    '--max-line='
    '-v --verbose'
)
_ctx_diff=(
    '--stat'
    '--json'
    '--brief'
    '--check'
    '-U --context='
    '--html'
    '-m --model=@model'
    '--color=auto always never'
    '--ascii'
    '--forgotten=hide show'
    '--provider=@provider'
    '--models-file=@file'
    '--estimator=o200k_base cl100k_base bytes/4 cmd:'
    '--image-tokens='
    '--command-timeout='
    '--steering=join new'
    '--tool=@tool'
    '--bad-lines=keep stop drop'
    '--bad-file=@file'
    '--max-line='
    '--report=@file'
    '-v --verbose'
)
_ctx_isolate=(
    '--policy=boundary mask transparent'
    '--execution=auto last none'
    '--protect=@selector'
    '--artifact=group execution'
    '--min-tokens='
    '--keep-results='
    '--forgotten=hide show'
    '--select=@selector'
    '--error-tokens='
    '--thinking='
    '--interim=keep drop'
    '--min-gain='
    '--hold='
    '--artifact-role=assistant user'
    '--keep-tokens='
    '--placeholder='
    '--arguments=keep all failed redone'
    '--archive=@file'
    '--changes=@file'
    '--estimator=o200k_base cl100k_base bytes/4 usage calibrated cmd:'
    '--image-tokens='
    '--command-timeout='
    '--session-key=metadata.session_id session_id'
    '--sorted'
    '--steering=join new'
    '--tool=@tool'
    '--bad-lines=keep stop drop'
    '--bad-file=@file'
    '--max-line='
    '--report=@file'
    '-v --verbose'
)
_ctx_normalize=(
    '--from=auto ctx openai anthropic sharegpt training batch claude-code codex pi gemini-cli responses gemini opencode copilot-cli copilot-chat ai-sdk cline qwen-code instructor langchain otel openhands atif swe-agent hf-trace acp inspect langfuse'
    '--to=ctx openai anthropic sharegpt claude-code codex pi gemini-cli responses gemini opencode ai-sdk instructor instructor-storage'
    '--request'
    '--request='
    '--array'
    '--check'
    '--check=sarif'
    '--repair'
    '--untrusted'
    '-i --in-place'
    '--in-place='
    '--cached='
    '--system=lift keep user'
    '--open-calls=close keep drop'
    '--all'
    '--agents'
    '--forgotten=hide show'
    '--lossy'
    '--into=@file'
    '-o --output=@file'
    '--gc'
    '--archive=@file'
    '--census'
    '--min-age='
    '--follow-symlinks'
    '--break-hard-links'
    '--session-key=metadata.session_id session_id'
    '--sorted'
    '--steering=join new'
    '--tool=@tool'
    '--bad-lines=keep stop drop'
    '--bad-file=@file'
    '--max-line='
    '--report=@file'
    '-v --verbose'
)
_ctx_project=(
    '--view=reasoning conversation all trace'
    '--trace=current all none @selector'
    '--select=@selector'
    '--sections=@list messages buffer summary execution_buffer'
    '--last='
    '--inject=@file @place start before-last-user end'
    '--merge'
    '--merge='
    '--shorten='
    '--attempts=last all'
    '--reject=@selector'
    '--execution=auto last none'
    '--agent='
    '--leaf=last'
    '--forgotten=hide show'
    '--hold='
    '-n --messages='
    '--first='
    '--keep=@selector @list system developer first pinned critical summary'
    '--start-on=@list system developer user assistant tool'
    '--end-on=@list system developer user assistant tool'
    '--partial=none head tail'
    '--inject-command=@command @place start before-last-user end'
    '--with-system'
    '--text'
    '--estimator=o200k_base cl100k_base bytes/4 usage calibrated cmd:'
    '--image-tokens='
    '--command-timeout='
    '--session-key=metadata.session_id session_id'
    '--sorted'
    '--steering=join new'
    '--tool=@tool'
    '--bad-lines=keep stop drop'
    '--bad-file=@file'
    '--max-line='
    '--report=@file'
    '-v --verbose'
)
_ctx_recall=(
    '-F --words='
    '--search='
    '--file=@file'
    '--list'
    '-C --context='
    '--tokens='
    '--estimator=o200k_base cl100k_base bytes/4 usage calibrated cmd:'
    '--skip='
    '--image-tokens='
    '--command-timeout='
)
_ctx_redact=(
    '--only=none @list secrets pii'
    '--pattern='
    '--where=@selector'
    '--finds=@file'
    '--sanitize'
    '-i --in-place'
    '--in-place='
    '--min-age='
    '--follow-symlinks'
    '--break-hard-links'
    '--estimator=o200k_base cl100k_base bytes/4'
    '--image-tokens='
    '--command-timeout='
    '--session-key=metadata.session_id session_id'
    '--sorted'
    '--steering=join new'
    '--tool=@tool'
    '--bad-lines=stop drop'
    '--bad-file=@file'
    '--max-line='
    '--report=@file'
    '-v --verbose'
)
_ctx_restore=(
    '-i --in-place'
    '--in-place='
    '--session-key=metadata.session_id session_id'
    '-v --verbose'
    '--min-age='
    '--follow-symlinks'
    '--break-hard-links'
    '--sorted'
    '--steering=join new'
    '--tool=@tool'
    '--bad-lines=keep stop drop'
    '--bad-file=@file'
    '--max-line='
    '--report=@file'
)
_ctx_route=(
    '--execution='
    '--separate-trace'
    '--ephemeral'
    '--resolve='
    '--log=@file'
    '--append=@file'
    '--system-prompt=@file'
    '--tools=@file'
    '--next-execution'
    '--repair'
    '--response-format=@file'
    '--context='
    '--set='
    '--where=@selector'
    '--overflow='
    '--clear=messages buffer summary execution_buffer'
    '--hold='
    '--estimator=o200k_base cl100k_base bytes/4 cmd:'
    '--image-tokens='
    '--command-timeout='
    '--session-key=metadata.session_id session_id'
    '--sorted'
    '--steering=join new'
    '--tool=@tool'
    '--bad-lines=keep stop drop'
    '--bad-file=@file'
    '--max-line='
    '--report=@file'
    '-v --verbose'
)
_ctx_select=(
    '-e --select=@selector'
    '--reject=@selector'
    '-x --exact'
    '--invert'
    '-c --count'
    '--session-key=metadata.session_id session_id'
    '--execution=auto last none'
    '--agents'
    '--forgotten=hide show'
    '--hold='
    '--estimator=o200k_base cl100k_base bytes/4 cmd:'
    '--image-tokens='
    '--command-timeout='
    '--sorted'
    '--steering=join new'
    '--tool=@tool'
    '--bad-lines=keep stop drop'
    '--bad-file=@file'
    '--max-line='
    '--report=@file'
    '-v --verbose'
    '=@selector'
)
_ctx_show=(
    '-n --number='
    '-e --select=@selector'
    '-m --metadata'
    '--plan=@file'
    '--timeline'
    '--html'
    '-f --follow'
    '--agents'
    '--at='
    '--marks'
    '-w --window='
    '--limit='
    '--soft='
    '--color=auto always never'
    '--ascii'
    '--forgotten=hide show'
    '--estimator=o200k_base cl100k_base bytes/4 cmd:'
    '--image-tokens='
    '--command-timeout='
    '--steering=join new'
    '--tool=@tool'
    '--bad-lines=keep stop drop'
    '--bad-file=@file'
    '--max-line='
    '--report=@file'
    '-v --verbose'
)
complete -F _ctx_complete ctx ctx-budget ctx-compact ctx-compile ctx-diff ctx-isolate ctx-normalize ctx-project ctx-recall ctx-redact ctx-restore ctx-route ctx-select ctx-show
