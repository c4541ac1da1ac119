# Completion of the ctx commands for fish: source this file, or put it under the name of each command
# where fish looks, as ctx-budget.fish.  What the items are that stand for a value, completions/values
# says.

# What stands at the cursor of the value of an option, or of an operand.
function __ctx_typed
    commandline -ct | string replace -r '^--[a-z-]+=' '' | string trim -l -c '\'"'
end

function __ctx_selector -a typed
    set -l before (string replace -r '[^,!]*$' '' -- $typed)
    if string match -q -- '*~*' $typed
        return
    else if string match -q -r -- '=[^,]*$' $typed
        printf '%s\n' $before$__ctx_term_values
    else
        printf '%s\n' $before$__ctx_terms
    end
end

function __ctx_tool -a typed
    if string match -q -- '@*' $typed
        printf '@%s\n' (__fish_complete_path (string sub -s 2 -- $typed))
    else if string match -q -- '*=*' $typed
        printf '%s\n' (string replace -r '=.*' '' -- $typed)={read,write,edit,shell}:
    else
        printf '@\n'
    end
end

function __ctx_value
    set -l typed (__ctx_typed)
    set -l prefix ''
    for item in $argv
        switch $item
            case @list
                set prefix (string replace -r '[^,]*$' '' -- $typed)
            case @place
                string match -q -- '*@*' $typed; or return
                set prefix (string replace -r '[^@]*$' '' -- $typed)
            case @file
                # As fish does it.
            case @command
                __fish_complete_command
            case @model
                set -l rows (ctx-budget --models 2>/dev/null | tail -n +2 | string replace -r '(\t[^\t]*)\t.*' '$1')
                string replace -r '\t.*' '' -- $rows
                if string match -q '*/*' -- $typed
                    string replace -r '(.*)\t(.*)' '$2/$1' -- $rows
                else
                    string replace -r '.*\t(.*)' '$1/' -- $rows | sort -u
                end
            case @provider
                ctx-budget --models 2>/dev/null | tail -n +2 | string replace -r '[^\t]*\t([^\t]*)\t.*' '$1' | sort -u
            case @profile
                ctx-compile --profiles 2>/dev/null | string replace -r '\t.*' ''
            case @selector
                __ctx_selector "$typed"
            case @tool
                __ctx_tool "$typed"
            case '*'
                string match -q -- "*,$item,*" ",$prefix"; or printf '%s\n' $prefix$item
        end
    end
end

# What ctx is followed by: a name, or behind a name what goes on there with ctx-NAME.
function __ctx_go_on
    set -l words (commandline -opc)
    set -l name (string replace -r '^ctx-' '' -- "$words[2]")
    if test (count $words) -eq 1
        printf '%s\n' $__ctx_names help
    else if test "$name" = help
        test (count $words) -gt 2; or printf '%s\n' $__ctx_names
    else if contains -- "$name" $__ctx_names
        complete -C "ctx-$name "(string join ' ' -- (string escape -- $words[3..]) (commandline -ct))
    end
end

# __ctx_wants_selector FLAG...: whether the first operand is to come, and no option has a selector.  The
# flags are the options behind which no value stands.
function __ctx_wants_selector
    set -l words (commandline -opc)
    set -l is_value false
    for word in $words[2..]
        if $is_value
            set is_value false
        else if string match -q -r -- '^(-e|--select$|--select=)' $word
            return 1
        else if not string match -q -- '-*' $word
            return 1
        else if not contains -- $word $argv; and not string match -q -- '--*=*' $word
            set is_value true
        end
    end
end

# Below this line: by "make completions", from --help and completions/values.
set -g __ctx_names budget compact compile diff isolate normalize project recall redact restore route select show
set -g __ctx_terms 'role=' 'origin=' 'tool=' 'target=' 'path=' 'kind=' 'section=' 'execution=' 'session=' 'agent=' 'id=' 'pinned' 'trace' 'error' 'unresolved' 'compacted' 'final' 'tokens>' 'bytes>' 'turn>' 'meta.' 'arg~' 'text~'
set -g __ctx_term_values 'role=system' 'role=developer' 'role=user' 'role=assistant' 'role=tool' 'origin=user' 'origin=assistant' 'origin=tool_call' 'origin=tool_result' 'origin=summary' 'origin=system' 'origin=error' 'origin=injected' 'kind=summary' 'kind=trace' 'section=messages' 'section=buffer' 'section=summary' 'section=execution_buffer' 'execution=last'
set -l all -c ctx -c ctx-budget -c ctx-compact -c ctx-compile -c ctx-diff -c ctx-isolate -c ctx-normalize -c ctx-project -c ctx-recall -c ctx-redact -c ctx-restore -c ctx-route -c ctx-select -c ctx-show
complete -e -c ctx
complete -e -c ctx-budget
complete -e -c ctx-compact
complete -e -c ctx-compile
complete -e -c ctx-diff
complete -e -c ctx-isolate
complete -e -c ctx-normalize
complete -e -c ctx-project
complete -e -c ctx-recall
complete -e -c ctx-redact
complete -e -c ctx-restore
complete -e -c ctx-route
complete -e -c ctx-select
complete -e -c ctx-show
complete $all -s h -l help -d 'print all options; -h prints the most used'
complete $all -s V -l version -d 'print the version'
complete -c ctx -l list -d 'print name, kind and purpose of each command, tab-separated'
complete -c ctx -f -a '(__ctx_go_on)'
complete -c ctx-budget -c ctx-compact -c ctx-compile -c ctx-show -s w -l window -x -d 'the context window (of the session\'s model, or 128k)'
complete -c ctx-budget -c ctx-compact -c ctx-compile -c ctx-show -l limit -x -d 'compact over this, down to half of it'
complete -c ctx-budget -c ctx-compact -c ctx-compile -c ctx-show -l soft -x -d 'compact when this much is used (80%)'
complete -c ctx-budget -c ctx-compact -c ctx-compile -l reserve-output -x -d 'kept for the answer (16k, at most a quarter)'
complete -c ctx-budget -c ctx-compact -c ctx-compile -l reserve-system -x -d 'kept for prompt and tools (the context record\'s count)'
complete -c ctx-budget -c ctx-compact -c ctx-compile -l headroom -x -d 'compact when less remains (2k, at most 1/32)'
complete -c ctx-budget -c ctx-compact -c ctx-diff -s m -l model -x -d 'take window, reserve and encoding from that model' -a '(__ctx_value @model)'
complete -c ctx-budget -c ctx-compact -c ctx-diff -l provider -x -d 'whose model it is; unknown models have a window of 128k' -a '(__ctx_value @provider)'
complete -c ctx-budget -c ctx-compact -c ctx-diff -l models-file -r -d 'more models, tab-separated as --models prints them'
complete -c ctx-budget -l models -d 'print the table of models'
complete -c ctx-budget -c ctx-compact -l max-tool-results -x -d 'compact when there are more uncompacted tool results'
complete -c ctx-budget -c ctx-compact -l max-messages -x -d 'compact when there are more messages'
complete -c ctx-budget -c ctx-compact -l max-turns -x -d 'compact when there are more turns'
complete -c ctx-budget -c ctx-compact -l max-steps -x -d 'compact when the newest execution has more steps'
complete -c ctx-budget -c ctx-compact -l max-age -x -d 'compact when what may go spans more time: 90s, 30m, 2h or 1d'
complete -c ctx-budget -c ctx-compact -l when -x -d 'compact when more than N messages are selected' -a '(__ctx_value @selector)'
complete -c ctx-budget -c ctx-compact -l max-section -x -d 'compact when that section has more tokens'
complete -c ctx-budget -l check -d 'exit 1 when compaction is due'
complete -c ctx-budget -l table -d 'print only the budget, for people'
complete -c ctx-budget -l json -d 'print only the budget, as one JSON object'
complete -c ctx-budget -l brief -d 'print only one line, for a prompt'
complete -c ctx-budget -l by -x -d 'break down by role, tool, session, agent, day, model or another KEY' -a '(__ctx_value role tool kind section turn execution session agent day model message)'
complete -c ctx-budget -l top -x -d 'with --by: only the N largest'
complete -c ctx-budget -l cuts -d 'list where the log can be cut, with tokens before and after'
complete -c ctx-budget -l annotate -d 'write each message\'s count as metadata.tokens'
complete -c ctx-budget -l color -x -d 'colour in tables: auto (default), always or never' -a '(__ctx_value auto always never)'
complete -c ctx-budget -l each -d 'every operand is a session of its own'
complete -c ctx-budget -l now -d 'the size of one file now, read from its end'
complete -c ctx-budget -l text -d 'the input is plain text, and one message of the user; with --each, every file is'
complete -c ctx-budget -c ctx-normalize -c ctx-select -c ctx-show -l agents -d 'also the files of sub-agents, and long results, beside each file'
complete -c ctx-budget -c ctx-compact -c ctx-diff -c ctx-isolate -c ctx-normalize -c ctx-project -c ctx-select -c ctx-show -l forgotten -x -d 'hide (default) or show what metadata.forgets of later messages names' -a '(__ctx_value hide show)'
complete -c ctx-budget -c ctx-compact -c ctx-compile -c ctx-isolate -c ctx-project -c ctx-recall -l estimator -x -d 'how tokens are counted: o200k_base (default), cl100k_base, bytes/4, usage, calibrated or cmd:COMMAND' -a '(__ctx_value o200k_base cl100k_base bytes/4 usage calibrated cmd:)'
complete -c ctx-budget -c ctx-compact -c ctx-compile -c ctx-diff -c ctx-isolate -c ctx-project -c ctx-recall -c ctx-redact -c ctx-route -c ctx-select -c ctx-show -l image-tokens -x -d 'tokens of an image (765)'
complete -c ctx-budget -c ctx-compact -c ctx-compile -c ctx-diff -c ctx-isolate -c ctx-project -c ctx-recall -c ctx-redact -c ctx-route -c ctx-select -c ctx-show -l command-timeout -x -d 'how long cmd: may read and write nothing (60s)'
complete -c ctx-budget -l verify -d 'check the vocabularies of the exact encodings, and print which they are'
complete -c ctx-budget -c ctx-compact -c ctx-compile -c ctx-isolate -c ctx-normalize -c ctx-project -c ctx-redact -c ctx-restore -c ctx-route -c ctx-select -l session-key -x -d 'the member that names the session, such as metadata.session_id; each is treated alone' -a '(__ctx_value metadata.session_id session_id)'
complete -c ctx-budget -c ctx-compact -c ctx-compile -c ctx-isolate -c ctx-normalize -c ctx-project -c ctx-redact -c ctx-restore -c ctx-route -c ctx-select -l sorted -d 'with --session-key: a session ends where the next begins'
complete -c ctx-budget -c ctx-compact -c ctx-compile -c ctx-diff -c ctx-isolate -c ctx-normalize -c ctx-project -c ctx-redact -c ctx-restore -c ctx-route -c ctx-select -c ctx-show -l steering -x -d 'a request after a result: join its run (default) or begin a new one' -a '(__ctx_value join new)'
complete -c ctx-budget -c ctx-compact -c ctx-compile -c ctx-diff -c ctx-isolate -c ctx-normalize -c ctx-project -c ctx-redact -c ctx-restore -c ctx-route -c ctx-select -c ctx-show -l tool -x -d 'NAME=read:ARG, write:ARG, edit:ARG or shell:ARG; @FILE has one a line' -a '(__ctx_value @tool)'
complete -c ctx-budget -c ctx-compact -c ctx-compile -c ctx-diff -c ctx-isolate -c ctx-normalize -c ctx-project -c ctx-restore -c ctx-route -c ctx-select -c ctx-show -l bad-lines -x -d 'keep (default), stop at, or drop lines that are not valid' -a '(__ctx_value keep stop drop)'
complete -c ctx-budget -c ctx-compact -c ctx-compile -c ctx-diff -c ctx-isolate -c ctx-normalize -c ctx-project -c ctx-redact -c ctx-restore -c ctx-route -c ctx-select -c ctx-show -l bad-file -r -d 'where dropped bad lines go'
complete -c ctx-budget -c ctx-compact -c ctx-compile -c ctx-diff -c ctx-isolate -c ctx-normalize -c ctx-project -c ctx-redact -c ctx-restore -c ctx-route -c ctx-select -c ctx-show -l max-line -x -d 'the longest line that is read as a record (256M)'
complete -c ctx-budget -c ctx-compact -c ctx-diff -c ctx-isolate -c ctx-normalize -c ctx-project -c ctx-redact -c ctx-restore -c ctx-route -c ctx-select -c ctx-show -l report -r -d 'write what was done as one JSON object'
complete -c ctx-budget -c ctx-compact -c ctx-compile -c ctx-diff -c ctx-isolate -c ctx-normalize -c ctx-project -c ctx-redact -c ctx-restore -c ctx-route -c ctx-select -c ctx-show -s v -l verbose -d 'say what was done on standard error'
complete -c ctx-compact -c ctx-compile -l target -x -d 'the size to come down to (50%)'
complete -c ctx-compact -s f -l force -d 'run every transform, whatever the budget says'
complete -c ctx-compact -l min-gain -x -d 'change nothing when a pass would save less'
complete -c ctx-compact -l at-boundary -d 'compact only when no execution runs, unless over the budget'
complete -c ctx-compact -l decide -x -d 'ask COMMAND whether it is time: status 0 yes, 1 not yet' -a '(__ctx_value @command)'
complete -c ctx-compact -s n -l plan -d 'print what would be done instead'
complete -c ctx-compact -l strategy -x -d 'simple, tokens, summarize or symbolize' -a '(__ctx_value simple tokens summarize symbolize)'
complete -c ctx-compact -l pipeline -r -d 'dedupe,prune,summarize,truncate,normalize; symbolize; a path' -a '(__ctx_value @file @list dedupe prune summarize symbolize truncate normalize)'
complete -c ctx-compact -l keep-turns -x -d 'the recency window, in turns (2)'
complete -c ctx-compact -l keep-tokens -x -d 'the recency window, at most (20k or half the target)'
complete -c ctx-compact -l keep-messages -x -d 'the recency window, at most this many messages'
complete -c ctx-compact -l select -x -d 'touch these messages only; again: or these' -a '(__ctx_value @selector)'
complete -c ctx-compact -l protect -x -d 'do not touch these messages; again: nor these' -a '(__ctx_value @selector)'
complete -c ctx-compact -l cached -x -d 'touch the first N messages only when nothing else is enough'
complete -c ctx-compact -l dedupe -x -d 'kinds for dedupe to find: stale,superseded,duplicate,retried' -a '(__ctx_value @list stale superseded duplicate retried)'
complete -c ctx-compact -l prune-over -x -d 'texts over 2k bytes are pruned; 500tok is in tokens'
complete -c ctx-compact -l best-effort -d 'write the smallest when the budget cannot be met'
complete -c ctx-compact -c ctx-isolate -l error-tokens -x -d 'tokens that unresolved error text is cut to (500)'
complete -c ctx-compact -c ctx-compile -c ctx-isolate -c ctx-project -c ctx-select -l execution -x -d 'the current execution: auto (default), last, none or an id' -a '(__ctx_value auto last none)'
complete -c ctx-compact -l summarizer -x -d 'the command that writes the summary' -a '(__ctx_value @command)'
complete -c ctx-compact -l summarizer-input -x -d 'input of the summarizer: text (default) or jsonl' -a '(__ctx_value text jsonl)'
complete -c ctx-compact -l summarizer-timeout -x -d 'how long one run of the summarizer may take (120s)'
complete -c ctx-compact -l summarizer-retries -x -d 'how often to repeat a run that took too long or ended with 75 (0)'
complete -c ctx-compact -l strict-names -d 'refuse a summary with names that the messages lack'
complete -c ctx-compact -l fallback -x -d 'if the summarizer fails: digest or truncate' -a '(__ctx_value digest truncate)'
complete -c ctx-compact -l summary-tokens -x -d 'the most tokens of a digest (half of the target)'
complete -c ctx-compact -l rules -r -d 'phrases that oblige or forbid, beside the English ones: one a line'
complete -c ctx-compact -l summary-title -x -d 'the first line of the artifact'
complete -c ctx-compact -l summary-role -x -d 'the role of the artifact: user (default), assistant, developer' -a '(__ctx_value user assistant developer)'
complete -c ctx-compact -c ctx-isolate -l archive -r -d 'append to FILE all that is changed or removed'
complete -c ctx-compact -c ctx-isolate -l changes -r -d 'write the changes, one JSON object a message'
complete -c ctx-compact -c ctx-normalize -c ctx-redact -c ctx-restore -s i -l in-place -f -d 'replace the files; SUFFIX keeps the old ones'
complete -c ctx-compact -c ctx-normalize -c ctx-redact -c ctx-restore -l min-age -x -d 'leave files alone that were written to in the last TIME'
complete -c ctx-compact -c ctx-normalize -c ctx-redact -c ctx-restore -l follow-symlinks -d 'replace the file that a symbolic link points to'
complete -c ctx-compact -c ctx-normalize -c ctx-redact -c ctx-restore -l break-hard-links -d 'replace a file that has other names, too; these stay the old file\'s'
complete -c ctx-compact -l before-compact -x -d 'run COMMAND with the plan; status 75 is a veto' -a '(__ctx_value @command)'
complete -c ctx-compact -l on-compact -x -d 'run COMMAND with the report when all is written' -a '(__ctx_value @command)'
complete -c ctx-compile -s p -l profile -r -d 'pragmatic, budget, policy, a name or a path' -a '(__ctx_value @profile @file)'
complete -c ctx-compile -l line -x -d 'a line of a profile that wins over all of it, such as \'compact off\''
complete -c ctx-compile -l provider -x -d 'the provider, whose section of the profile holds' -a '(__ctx_value @provider)'
complete -c ctx-compile -s m -l model -x -d 'the model, whose section holds; or PROVIDER/NAME' -a '(__ctx_value @model)'
complete -c ctx-compile -l models-file -r -d 'a table of models, with the columns of ctx-budget --models'
complete -c ctx-compile -s o -l output -r -d 'write to FILE, whole or not at all'
complete -c ctx-compile -l explain -d 'print the shell pipeline that does the same'
complete -c ctx-compile -l check-profile -d 'read no input: say whether the profile is well-formed'
complete -c ctx-compile -l profiles -d 'print the names of all profiles, and where they are'
complete -c ctx-compile -l new -x -d 'write a commented profile as the file NAME'
complete -c ctx-compile -l stage -d 'with --new: write a stage as NAME and its test as NAME.bats'
complete -c ctx-diff -l stat -d 'print only where they first differ, and how many tokens they share'
complete -c ctx-diff -l json -d 'with --stat: as one JSON object'
complete -c ctx-diff -l brief -d 'with --stat: as one short line'
complete -c ctx-diff -l check -d 'with --stat: print nothing, the exit status says whether they differ'
complete -c ctx-diff -s U -l context -x -d 'kept messages around others (3)'
complete -c ctx-diff -l html -d 'a page: all messages, and what was cut of them'
complete -c ctx-diff -c ctx-show -l color -x -d 'colour: auto (default), always or never' -a '(__ctx_value auto always never)'
complete -c ctx-diff -c ctx-show -l ascii -d 'lines and marks in ASCII'
complete -c ctx-diff -c ctx-route -c ctx-select -c ctx-show -l estimator -x -d 'how tokens are counted: o200k_base (default), cl100k_base, bytes/4 or cmd:COMMAND' -a '(__ctx_value o200k_base cl100k_base bytes/4 cmd:)'
complete -c ctx-isolate -l policy -x -d 'boundary (default), mask or transparent' -a '(__ctx_value boundary mask transparent)'
complete -c ctx-isolate -l select -x -d 'touch this trace only; again: or this' -a '(__ctx_value @selector)'
complete -c ctx-isolate -l protect -x -d 'do not touch this trace; again: nor this' -a '(__ctx_value @selector)'
complete -c ctx-isolate -l thinking -x -d 'thinking stays in so many newest turns: 1turn'
complete -c ctx-isolate -l interim -x -d 'keep (default) or drop what was said between calls' -a '(__ctx_value keep drop)'
complete -c ctx-isolate -l min-gain -x -d 'change nothing when a run would save less'
complete -c ctx-isolate -c ctx-project -c ctx-route -c ctx-select -l hold -x -d 'hold so many bytes or msgs at most; older failures are given up'
complete -c ctx-isolate -l artifact -x -d 'one artifact a group (default) or execution' -a '(__ctx_value group execution)'
complete -c ctx-isolate -l artifact-role -x -d 'the role of artifacts: assistant (default) or user' -a '(__ctx_value assistant user)'
complete -c ctx-isolate -l min-tokens -x -d 'results up to this size stay (200)'
complete -c ctx-isolate -l keep-results -x -d 'the newest results stay (3)'
complete -c ctx-isolate -l keep-tokens -x -d 'results in so many newest tokens stay (0)'
complete -c ctx-isolate -l placeholder -x -d 'text of a masked result: {tool} {target} {bytes} …'
complete -c ctx-isolate -l arguments -x -d 'whose arguments go: keep (default), all, failed, redone' -a '(__ctx_value keep all failed redone)'
complete -c ctx-normalize -l from -x -d 'auto (default), ctx, openai, anthropic, sharegpt, training, batch, claude-code, codex, pi, gemini-cli, responses, gemini, opencode, copilot-cli, copilot-chat, ai-sdk, cline, qwen-code, instructor, langchain, otel, openhands, atif, swe-agent, hf-trace, acp, inspect or langfuse' -a '(__ctx_value auto ctx openai anthropic sharegpt training batch claude-code codex pi gemini-cli responses gemini opencode copilot-cli copilot-chat ai-sdk cline qwen-code instructor langchain otel openhands atif swe-agent hf-trace acp inspect langfuse)'
complete -c ctx-normalize -l to -x -d 'ctx (default), openai, anthropic, sharegpt, claude-code, codex, pi, gemini-cli, responses, gemini, opencode, ai-sdk, instructor or instructor-storage' -a '(__ctx_value ctx openai anthropic sharegpt claude-code codex pi gemini-cli responses gemini opencode ai-sdk instructor instructor-storage)'
complete -c ctx-normalize -l request -f -d 'write one request body, with the members of JSON'
complete -c ctx-normalize -l array -d 'write one array of messages'
complete -c ctx-normalize -l cached -x -d 'a provider\'s cache has the first N messages: mark them in the request'
complete -c ctx-normalize -l system -x -d 'later system messages: lift (default for anthropic), keep, or user' -a '(__ctx_value lift keep user)'
complete -c ctx-normalize -l open-calls -x -d 'calls without results at the end: close (default for an API and a session), keep or drop' -a '(__ctx_value close keep drop)'
complete -c ctx-normalize -l all -d 'also messages that were compacted, taken back or left, or are not sent'
complete -c ctx-normalize -l lossy -d 'drop what would go to metadata.x_FORMAT, having no place in a record'
complete -c ctx-normalize -l into -r -d 'write FILE, of which the log was made, with the changes in the log'
complete -c ctx-normalize -s o -l output -r -d 'with --into: write to NEW, whole or not at all'
complete -c ctx-normalize -l gc -d 'write FILE, an agent\'s session, without what the agent does not load'
complete -c ctx-normalize -l archive -r -d 'with --gc: append to FILE all that goes'
complete -c ctx-normalize -l check -f -d 'name what is not whole, exit 1 if anything is; write nothing, or sarif' -a '(__ctx_value sarif)'
complete -c ctx-normalize -l census -d 'print a table of unknown records, parts and members'
complete -c ctx-normalize -l repair -d 'part torn lines, mend half characters'
complete -c ctx-normalize -l untrusted -d 'strip metadata, context and budget records'
complete -c ctx-project -l view -x -d 'reasoning (default), conversation, all or trace' -a '(__ctx_value reasoning conversation all trace)'
complete -c ctx-project -l trace -x -d 'trace in the reasoning view: current (default), all, none or a SELECTOR' -a '(__ctx_value current all none @selector)'
complete -c ctx-project -l attempts -x -d 'of a call that failed more than once: the last time, or all' -a '(__ctx_value last all)'
complete -c ctx-project -l select -x -d 'of the view these messages only; again: or these' -a '(__ctx_value @selector)'
complete -c ctx-project -l reject -x -d 'of the view not these messages; again: nor these' -a '(__ctx_value @selector)'
complete -c ctx-project -l agent -x -d 'the view of that sub-agent'
complete -c ctx-project -l sections -x -d 'only these sections, in this order' -a '(__ctx_value @list messages buffer summary execution_buffer)'
complete -c ctx-project -l leaf -x -d 'in a tree (metadata.parent_id): the path to that message, or to the last' -a '(__ctx_value last)'
complete -c ctx-project -l last -x -d 'the newest that fit: 20msgs, 70%msgs, 8turns or 4k tokens'
complete -c ctx-project -s n -l messages -x -d 'the newest N messages: --last Nmsgs'
complete -c ctx-project -l first -x -d 'the oldest that fit, instead of the newest'
complete -c ctx-project -l keep -x -d 'also these, which count: system, developer, first, pinned, critical, summary or a SELECTOR' -a '(__ctx_value @selector @list system developer first pinned critical summary)'
complete -c ctx-project -l start-on -x -d 'begin with one of these roles: system, developer, user, assistant, tool' -a '(__ctx_value @list system developer user assistant tool)'
complete -c ctx-project -l end-on -x -d 'end with one of these roles: system, developer, user, assistant, tool' -a '(__ctx_value @list system developer user assistant tool)'
complete -c ctx-project -l partial -x -d 'of the message that does not fit: none (default), head or tail' -a '(__ctx_value none head tail)'
complete -c ctx-project -l inject -r -d 'put text or messages at the start, before-last-user, or the end' -a '(__ctx_value @file @place start before-last-user end)'
complete -c ctx-project -l inject-command -x -d 'the same with the output of CMD, which reads the last user message' -a '(__ctx_value @command @place start before-last-user end)'
complete -c ctx-project -l with-system -d 'put the context record\'s prompt first, as a system message'
complete -c ctx-project -l merge -f -d 'join neighbours of one role; TEXT between texts (a line end)'
complete -c ctx-project -l shorten -x -d 'cut longer texts to head (50%) and tail: 2k, 800chars, 500tok'
complete -c ctx-project -l text -d 'print role and text for people'
complete -c ctx-recall -s F -l words -x -d 'print the passages that have the most and rarest of the words'
complete -c ctx-recall -l search -x -d 'print the lines in the archive that match, instead of an entry'
complete -c ctx-recall -l file -r -d 'print the newest state of a file, and its edits since'
complete -c ctx-recall -l list -d 'print a line for each message, pass by pass'
complete -c ctx-recall -s C -l context -x -d 'with a search: N lines around each hit'
complete -c ctx-recall -l skip -x -d 'leave out the first N hits'
complete -c ctx-recall -l tokens -x -d 'print at most so many tokens (1k)'
complete -c ctx-redact -l only -x -d 'secrets or pii (default: both), or none: patterns alone' -a '(__ctx_value none @list secrets pii)'
complete -c ctx-redact -l pattern -x -d 'replace matches, too; may be given again'
complete -c ctx-redact -l where -x -d 'redact these messages only; again: or these' -a '(__ctx_value @selector)'
complete -c ctx-redact -l finds -r -d 'write where something was replaced'
complete -c ctx-redact -l sanitize -d 'instead, replace each text by its kind and length, for bug reports'
complete -c ctx-redact -l estimator -x -d 'how tokens are counted: o200k_base (default), cl100k_base or bytes/4' -a '(__ctx_value o200k_base cl100k_base bytes/4)'
complete -c ctx-redact -l bad-lines -x -d 'stop at (default) or drop lines that are not valid' -a '(__ctx_value stop drop)'
complete -c ctx-route -l execution -x -d 'the execution of all messages that have none'
complete -c ctx-route -l separate-trace -d 'trace goes to section execution_buffer'
complete -c ctx-route -l ephemeral -d 'separate trace, and drop it when its execution is over'
complete -c ctx-route -l next-execution -d 'drop all that is trace or in section execution_buffer'
complete -c ctx-route -l resolve -x -d 'mark the failure of this call or message as resolved'
complete -c ctx-route -l log -r -d 'continue the log in FILE, which is only read'
complete -c ctx-route -l append -r -d 'continue LOG, append to it durably, then write to standard output'
complete -c ctx-route -l repair -d 'move a torn last line of the --append to LOG.torn'
complete -c ctx-route -l system-prompt -r -d 'the system prompt of the context record'
complete -c ctx-route -l tools -r -d 'the tools of the context record, an array'
complete -c ctx-route -l response-format -r -d 'the response format of the context record, an object'
complete -c ctx-route -l context -x -d 'a member of the context record\'s metadata; KEY= removes it'
complete -c ctx-route -l set -x -d 'metadata of the messages that --where selects; KEY= removes it'
complete -c ctx-route -l where -x -d 'the messages that the --set before it is for; again: or these' -a '(__ctx_value @selector)'
complete -c ctx-route -l overflow -x -d 'move the oldest of section messages over 4k, 20msgs or 8turns to buffer'
complete -c ctx-route -l clear -x -d 'drop the section of that name' -a '(__ctx_value messages buffer summary execution_buffer)'
complete -c ctx-select -s e -l select -x -d 'select these, and take all operands for files; again: or these' -a '(__ctx_value @selector)'
complete -c ctx-select -l reject -x -d 'do not select these; again: nor these' -a '(__ctx_value @selector)'
complete -c ctx-select -s x -l exact -d 'single messages, not whole groups of a call and its results'
complete -c ctx-select -l invert -d 'write the messages that are not selected'
complete -c ctx-select -s c -l count -d 'print the number of messages instead'
complete -c ctx-select -n '__ctx_wants_selector -x --exact --invert -c --count --agents --sorted -v --verbose -h --help -V --version' -f -a '(__ctx_value @selector)'
complete -c ctx-show -s n -l number -x -d 'the message of line N, or of N-M, as a whole'
complete -c ctx-show -l at -x -d 'the messages of that id, or of that call\'s id'
complete -c ctx-show -s e -l select -x -d 'the messages that are selected; again: or these' -a '(__ctx_value @selector)'
complete -c ctx-show -s m -l metadata -d 'with -n, --at, -e or --html: also metadata and other members'
complete -c ctx-show -l plan -r -d 'a column from the output of ctx-compact --plan'
complete -c ctx-show -l marks -d 'sums and marks that need the end, for an input of any size'
complete -c ctx-show -l timeline -d 'how the context grows, and by what'
complete -c ctx-show -l html -d 'a page: the messages and the timeline'
complete -c ctx-show -s f -l follow -d 'go on with lines added to the file'
