#ifndef DIALECTS_TABLE_H
#define DIALECTS_TABLE_H

/*
 * The dialects, in the order in which options list them: the struct dialect that the file NAME.c
 * defines, its name for users, whether --from takes it, and whether --to does.
 */

/* One row on each line, since tests read the table. */
/* clang-format off */
#define DIALECT_TABLE(row) \
	row(auto_dialect, "auto", yes, no) \
	row(ctx_dialect, "ctx", yes, yes) \
	row(openai_dialect, "openai", yes, yes) \
	row(anthropic_dialect, "anthropic", yes, yes) \
	row(sharegpt_dialect, "sharegpt", yes, yes) \
	row(training_dialect, "training", yes, no) \
	row(batch_dialect, "batch", yes, no) \
	row(claude_code_dialect, "claude-code", yes, yes) \
	row(codex_dialect, "codex", yes, yes) \
	row(pi_dialect, "pi", yes, yes) \
	row(gemini_cli_dialect, "gemini-cli", yes, yes) \
	row(responses_dialect, "responses", yes, yes) \
	row(gemini_dialect, "gemini", yes, yes) \
	row(opencode_dialect, "opencode", yes, yes) \
	row(copilot_cli_dialect, "copilot-cli", yes, no) \
	row(copilot_chat_dialect, "copilot-chat", yes, no) \
	row(ai_sdk_dialect, "ai-sdk", yes, yes) \
	row(cline_dialect, "cline", yes, no) \
	row(qwen_code_dialect, "qwen-code", yes, no) \
	row(instructor_dialect, "instructor", yes, yes) \
	row(instructor_storage_dialect, "instructor-storage", no, yes) \
	row(langchain_dialect, "langchain", yes, no) \
	row(otel_dialect, "otel", yes, no) \
	row(openhands_dialect, "openhands", yes, no) \
	row(atif_dialect, "atif", yes, no) \
	row(swe_agent_dialect, "swe-agent", yes, no) \
	row(hf_trace_dialect, "hf-trace", yes, no) \
	row(acp_dialect, "acp", yes, no) \
	row(inspect_dialect, "inspect", yes, no) \
	row(langfuse_dialect, "langfuse", yes, no)
/* clang-format on */

struct dialect;
#define DIALECT_DECLARE(row, name, reads, writes) extern const struct dialect row;
DIALECT_TABLE(DIALECT_DECLARE)
#undef DIALECT_DECLARE

#endif
