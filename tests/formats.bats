#!/usr/bin/env bats
#
# Each file of the collection of real transcripts, where it is there, is told as its format by its own
# name, or is no transcript.

load helper

# What files are told as; the first pattern that a file has counts. Files of canonical messages are
# told as ctx. What is not read by this version is told so, or as no known format.
table='
ai-sdk/*                                                          ai-sdk
anthropic-messages/instructor-php-extracted/ContextCacheLLM-79*   openai
anthropic-messages/langchain-ai-langsmith-sdk/*                   no transcript
anthropic-messages/*                                              anthropic
atif/*_atof.jsonl                                                 atof
atif/*                                                            atif
claude-code/handgemacht*b8b48015-*                                no transcript
claude-code/handgemacht*1ca217c4-*                                no transcript
claude-code/*                                                     claude-code
cline/*/*task_metadata.json                                       no transcript
cline/*/*session__session.json                                    no transcript
cline/*/*usage.json                                               no transcript
cline/*                                                           cline
codex-cli/*/session_simple.jsonl                                  ctx
codex-cli/*/session_branch.jsonl                                  no known format
codex-cli/*                                                       codex
gemini-cli/*                                                      gemini-cli
gemini-contents/*_with_tool_calls_from_other_model.request.json   responses
gemini-contents/*                                                 gemini
instructor-php/messages-*                                         ctx
instructor-php/*                                                  instructor
langchain/langfuse-langfuse/*                                     langfuse
langchain/*                                                       langchain
openai-chat/langfuse-langfuse/*                                   no transcript
openai-chat/TransluceAI-docent/*                                  no transcript
openai-chat/sierra-research-tau2-bench/*                          no transcript
openai-chat/*                                                     openai
openai-responses/*/*wrap_openai_reasoning.json                    no transcript
openai-responses/openai-openai-agents-python/*                    no transcript
openai-responses/*                                                responses
opencode/OpenAgentsInc-openagents/*                               no transcript
opencode/*/*part__m_user_small__001.json                          no transcript
opencode/jazzyalex-agent-sessions/*                               a file of opencode'\''s storage
opencode/*                                                        opencode
openhands/*                                                       openhands
otel-genai/langfuse-langfuse/*                                    langfuse
otel-genai/*                                                      otel
other-agents/*/*chatgpt_react_help.jsonl                          claude-code
other-agents/*/*claude_code_auth_fix.jsonl                        codex
other-agents/*/real_sessions__*                                   claude-code
other-agents/Piebald-AI-splitrail/*                               copilot-chat
other-agents/*/copilot__*                                         copilot-cli
other-agents/*/cursor__*                                          cursor
other-agents/*/droid__*                                           no known format
other-agents/*/grok__summary.json                                 no transcript
other-agents/*/grok__*                                            no known format
other-agents/*/hermes__*                                          openai
other-agents/*/kimi__*                                            no transcript
other-agents/*/qwen__*                                            qwen-code
other-agents/langfuse-langfuse/*                                  langfuse
other-inspect-ai/*/*_no-samples.json                              no transcript
other-inspect-ai/*                                                inspect
pi/*                                                              pi
sharegpt/*                                                        sharegpt
swe-agent-traj/SWE-agent-mini-swe-agent/*                         openai
swe-agent-traj/*                                                  swe-agent'

# told FILE: what is told of it. The format of a file that would be replaced is named, and it stays.
told() {
    cp "$1" copy
    chmod u+w copy
    ctx-normalize --repair -i copy >/dev/null 2>said || [[ $? == 65 ]]
    REPLY=$(sed -nE 's/^ctx-normalize: .*looks like ([^;,]*).*/\1/p' said | head -n 1)
    if [[ ! -s copy || $REPLY == 'JSON over several lines' ]] ||
        { [[ ! $REPLY ]] && grep -q ': no messages in the input$' said; }; then
        REPLY='no transcript'
    fi
    : "${REPLY:=ctx}"
    rm -f copy said
}

@test "formats: each file of the collection is told by its name, or is no transcript" {
    [[ -d $CTX_SHARED ]] || skip 'no collection of transcripts'
    local file pattern want found
    for file in "$CTX_SHARED"/**/*; do
        [[ -f $file && $file != */SOURCES.tsv ]] || continue
        found=
        while read -r pattern want; do
            # shellcheck disable=SC2053
            [[ ! $pattern || ${file#"$CTX_SHARED"/} != $pattern ]] || { found=$want && break; }
        done <<<"$table"
        told "$file"
        [[ $found ]] || fail "${file#"$CTX_SHARED"/}: $REPLY, and not in the table"
        [[ $REPLY == "$found" ]] || printf '%s: %s, expected %s\n' "${file#"$CTX_SHARED"/}" "$REPLY" "$found"
    done >wrong
    same 'formats' /dev/null wrong
}
