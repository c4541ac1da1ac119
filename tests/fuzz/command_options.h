#ifndef COMMAND_OPTIONS_H
#define COMMAND_OPTIONS_H

/* The options that the fuzz target runs each command with, and the law that its output obeys. */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum law { LAW_NONE, LAW_IDENTITY, LAW_IDEMPOTENT };

struct options {
	const char *line;
	enum law law;
};

static const struct options options_list[] = {
    {"ctx-normalize", LAW_IDEMPOTENT},
    {"ctx-normalize --from claude-code", LAW_NONE},
    {"ctx-normalize --from anthropic", LAW_NONE},
    {"ctx-normalize --from openai", LAW_IDEMPOTENT},
    {"ctx-normalize --from instructor", LAW_NONE},
    {"ctx-normalize --to instructor", LAW_NONE},
    {"ctx-normalize --from instructor --to instructor", LAW_IDEMPOTENT},
    {"ctx-normalize --to openai", LAW_NONE},
    {"ctx-normalize --to anthropic", LAW_NONE},
    {"ctx-normalize --to openai --system user --open-calls drop", LAW_NONE},
    {"ctx-normalize --to anthropic --system keep", LAW_NONE},
    {"ctx-normalize --to openai --request={\"model\":\"m\"}", LAW_NONE},
    {"ctx-normalize --to anthropic --request={\"model\":\"m\",\"max_tokens\":9}", LAW_NONE},
    {"ctx-normalize --to anthropic --array", LAW_NONE},
    {"ctx-normalize --to anthropic --request={\"model\":\"m\",\"max_tokens\":9} --cached 3",
	LAW_NONE},
    {"ctx-normalize --from claude-code --all --to anthropic", LAW_NONE},
    {"ctx-normalize --open-calls drop", LAW_IDEMPOTENT},
    {"ctx-normalize --repair", LAW_IDEMPOTENT},
    {"ctx-normalize --check", LAW_NONE},
    {"ctx-normalize --check --from claude-code", LAW_NONE},
    {"ctx-normalize --check --from codex", LAW_NONE},
    {"ctx-normalize --check --from pi", LAW_NONE},
    {"ctx-normalize --check --from gemini-cli", LAW_NONE},
    {"ctx-normalize --check --from opencode", LAW_NONE},
    {"ctx-normalize --check --to openai", LAW_NONE},
    {"ctx-normalize --check --to anthropic", LAW_NONE},
    {"ctx-normalize --session-key role --repair", LAW_NONE},
    {"ctx-normalize --session-key role --sorted --untrusted", LAW_NONE},
    {"ctx-normalize --session-key tool_call_id --to openai --request={\"model\":\"m\"}", LAW_NONE},
    {"ctx-normalize --session-key type --from claude-code", LAW_NONE},
    {"ctx-normalize --session-key role --check --to anthropic", LAW_NONE},
    {"ctx-normalize --from sharegpt", LAW_IDEMPOTENT},
    {"ctx-normalize --from sharegpt --untrusted", LAW_NONE},
    {"ctx-normalize --from training", LAW_IDEMPOTENT},
    {"ctx-normalize --to sharegpt", LAW_NONE},
    {"ctx-normalize --from batch", LAW_NONE},
    {"ctx-normalize --from codex", LAW_NONE},
    {"ctx-normalize --from codex --all --lossy --untrusted", LAW_NONE},
    {"ctx-normalize --from pi", LAW_NONE},
    {"ctx-normalize --from gemini-cli", LAW_NONE},
    {"ctx-normalize --from responses", LAW_NONE},
    {"ctx-normalize --from gemini", LAW_NONE},
    {"ctx-normalize --to responses --request={\"model\":\"m\"}", LAW_NONE},
    {"ctx-normalize --to gemini", LAW_NONE},
    {"ctx-normalize --to claude-code", LAW_NONE},
    {"ctx-normalize --to codex", LAW_NONE},
    {"ctx-normalize --to pi", LAW_NONE},
    {"ctx-normalize --to gemini-cli", LAW_NONE},
    {"ctx-normalize --to opencode", LAW_NONE},
    {"ctx-normalize --from codex --to pi", LAW_NONE},
    {"ctx-normalize --check --from claude-code", LAW_NONE},
    {"ctx-normalize --check --from codex", LAW_NONE},
    {"ctx-normalize --check --from gemini-cli", LAW_NONE},
    {"ctx-normalize --check --to responses", LAW_NONE},
    {"ctx-normalize --check --to gemini", LAW_NONE},
    {"ctx-normalize --from langchain", LAW_NONE},
    {"ctx-normalize --from openhands", LAW_NONE},
    {"ctx-normalize --from otel", LAW_NONE},
    {"ctx-normalize --from atif", LAW_NONE},
    {"ctx-normalize --from swe-agent", LAW_NONE},
    {"ctx-normalize --from hf-trace", LAW_NONE},
    {"ctx-normalize --from acp", LAW_NONE},
    {"ctx-normalize --from inspect", LAW_NONE},
    {"ctx-normalize --from copilot-chat", LAW_NONE},
    {"ctx-normalize --from langfuse", LAW_NONE},
    {"ctx-normalize --from opencode", LAW_NONE},
    {"ctx-normalize --from copilot-cli", LAW_NONE},
    {"ctx-normalize --from ai-sdk", LAW_NONE},
    {"ctx-normalize --to ai-sdk", LAW_NONE},
    {"ctx-normalize --from cline", LAW_NONE},
    {"ctx-normalize --from qwen-code", LAW_NONE},
    {"ctx-normalize --from opencode --all --to anthropic", LAW_NONE},
    {"ctx-route", LAW_IDEMPOTENT},
    {"ctx-route --separate-trace", LAW_IDEMPOTENT},
    {"ctx-route --ephemeral", LAW_NONE},
    {"ctx-route --ephemeral --steering new", LAW_NONE},
    {"ctx-route --next-execution", LAW_IDEMPOTENT},
    {"ctx-route --overflow 30 --estimator bytes/4", LAW_IDEMPOTENT},
    {"ctx-route --overflow 2turns --separate-trace", LAW_IDEMPOTENT},
    {"ctx-route --overflow 3msgs --clear messages", LAW_IDEMPOTENT},
    {"ctx-route --clear buffer --clear summary", LAW_IDEMPOTENT},
    {"ctx-route --resolve c1 --resolve c2", LAW_IDEMPOTENT},
    {"ctx-route --context n=12 --context a= --context o={\"a\":[1]} --context k=v --tools "
     "/dev/null "
     "--response-format /dev/null",
	LAW_IDEMPOTENT},
    {"ctx-route --resolve c1 --context k=v --execution e1", LAW_NONE},
    {"ctx-route --set pinned=true --set x={\"a\":1} --where role=tool --set y=", LAW_IDEMPOTENT},
    {"ctx-route --ephemeral --set is_error=true --where tool=r* --set section=messages --where "
     "turn>-2",
	LAW_NONE},
    {"ctx-route --separate-trace --hold 4msgs --set origin= --where unresolved --where final",
	LAW_NONE},
    {"ctx-route --session-key role --ephemeral --sorted", LAW_NONE},
    {"ctx-isolate --estimator bytes/4", LAW_IDEMPOTENT},
    {"ctx-isolate --estimator bytes/4 --policy mask --min-tokens 1 --keep-results 1",
	LAW_IDEMPOTENT},
    {"ctx-isolate --estimator bytes/4 --select tool=read --protect error", LAW_IDEMPOTENT},
    {"ctx-isolate --policy mask --min-tokens 1 --keep-results 0 --protect turn>-3", LAW_IDEMPOTENT},
    {"ctx-isolate --estimator bytes/4 --policy mask --min-tokens 1 --keep-results 0 --keep-tokens "
     "40 "
     "--placeholder {{{tool}{target}{outcome}{tokens}",
	LAW_IDEMPOTENT},
    {"ctx-isolate --estimator bytes/4 --policy mask --min-tokens 1 --keep-results 0 --arguments "
     "all "
     "--thinking 0turns",
	LAW_IDEMPOTENT},
    {"ctx-isolate --estimator bytes/4 --policy mask --min-tokens 1 --keep-results 1 --arguments "
     "failed "
     "--interim drop",
	LAW_IDEMPOTENT},
    {"ctx-isolate --estimator bytes/4 --policy mask --min-tokens 1 --keep-results 0 "
     "--arguments redone --thinking 1turn",
	LAW_IDEMPOTENT},
    {"ctx-isolate --estimator bytes/4 --interim drop --thinking 0turns --execution none", LAW_NONE},
    {"ctx-isolate --estimator bytes/4 --min-gain 20 --interim drop", LAW_NONE},
    {"ctx-isolate --estimator bytes/4 --artifact execution", LAW_IDEMPOTENT},
    {"ctx-isolate --estimator bytes/4 --artifact execution --artifact-role user --protect "
     "tool=read",
	LAW_IDEMPOTENT},
    {"ctx-isolate --policy transparent", LAW_IDENTITY},
    {"ctx-isolate --estimator bytes/4 --changes /dev/null", LAW_IDEMPOTENT},
    {"ctx-isolate --estimator bytes/4 --execution none --error-tokens 20", LAW_IDEMPOTENT},
    {"ctx-isolate --estimator bytes/4 --tool run=shell:command --tool read=edit:path",
	LAW_IDEMPOTENT},
    {"ctx-isolate --session-key metadata.session_id", LAW_IDEMPOTENT},
    {"ctx-isolate --session-key metadata.section --min-gain 9", LAW_NONE},
    {"ctx-select role=tool", LAW_IDEMPOTENT},
    {"ctx-select -e turn>-2 --reject unresolved", LAW_NONE},
    {"ctx-select --exact --invert role=tool", LAW_IDEMPOTENT},
    {"ctx-select --hold 4msgs error", LAW_NONE},
    {"ctx-select --session-key role --sorted tool=read", LAW_NONE},
    {"ctx-select -e pinned --invert --reject kind=summary", LAW_NONE},
    {"ctx-project --session-key tool_call_id --last 9msgs", LAW_NONE},
    {"ctx-project --session-key role --sorted --merge", LAW_NONE},
    {"ctx-project", LAW_NONE},
    {"ctx-project --view conversation", LAW_NONE},
    {"ctx-project --trace tool=read,turn>-2 --reject error", LAW_NONE},
    {"ctx-project --view conversation --select turn>-3 --last 3msgs", LAW_NONE},
    {"ctx-project --view trace", LAW_NONE},
    {"ctx-project --view all --attempts last", LAW_IDEMPOTENT},
    {"ctx-project --attempts all", LAW_NONE},
    {"ctx-project --view all --forgotten show", LAW_IDENTITY},
    {"ctx-project --view all", LAW_IDEMPOTENT},
    {"ctx-project --view all --leaf last", LAW_NONE},
    {"ctx-project --leaf m3 --forgotten show --last 3msgs", LAW_NONE},
    {"ctx-project --sections summary,messages,execution_buffer", LAW_NONE},
    {"ctx-project --steering new --sections messages,execution_buffer", LAW_NONE},
    {"ctx-project --last 2msgs", LAW_NONE},
    {"ctx-project --estimator bytes/4 --last 0.02k", LAW_NONE},
    {"ctx-project --agent a1 --trace all", LAW_NONE},
    {"ctx-project --view all --with-system", LAW_IDEMPOTENT},
    {"ctx-project --view conversation --text --with-system", LAW_NONE},
    {"ctx-project --view all --forgotten show --inject /dev/null@before-last-user", LAW_IDENTITY},
    {"ctx-project --view all --forgotten show --inject /dev/null --inject /dev/null@end",
	LAW_IDENTITY},
    {"ctx-project --view all --last 4msgs --keep system,first,pinned,critical,summary", LAW_NONE},
    {"ctx-project --first 3turns --keep tool=r*,!error --end-on user,tool", LAW_NONE},
    {"ctx-project --estimator bytes/4 --last 0.03k --keep tokens>5 --start-on user", LAW_NONE},
    {"ctx-project --estimator bytes/4 --first 0.03k --partial head --view all", LAW_IDEMPOTENT},
    {"ctx-project --last 0.02k --estimator bytes/4 --partial tail --keep system", LAW_NONE},
    {"ctx-project --view all --last 60%msgs --end-on assistant --start-on tool,human", LAW_NONE},
    {"ctx-project --view all --merge", LAW_IDEMPOTENT},
    {"ctx-project --view all --shorten 40chars,30%", LAW_IDEMPOTENT},
    {"ctx-project --view all --merge=x --shorten 100tok --estimator bytes/4", LAW_IDEMPOTENT},
    {"ctx-project --view all --shorten 120", LAW_IDEMPOTENT},
    {"ctx-redact", LAW_IDEMPOTENT},
    {"ctx-redact --only pii --pattern t=[a-f]{3}[0-9]+ --finds /dev/null", LAW_IDEMPOTENT},
    {"ctx-redact --where role=tool,turn>-2", LAW_NONE},
    {"ctx-redact --session-key role --only none --pattern t=[0-9]+ --bad-lines drop --bad-file "
     "/dev/null",
	LAW_NONE},
    {"ctx-budget --session-key role --estimator bytes/4", LAW_NONE},
    {"ctx-budget --estimator bytes/4", LAW_IDEMPOTENT},
    {"ctx-budget --estimator bytes/4 --table --by tool --color always", LAW_NONE},
    {"ctx-budget --estimator bytes/4 --json --by message --top 3", LAW_NONE},
    {"ctx-budget --estimator bytes/4 --json --by section", LAW_NONE},
    {"ctx-budget --estimator bytes/4 --cuts", LAW_NONE},
    {"ctx-budget --estimator bytes/4 --limit 100 --model gpt-4o", LAW_IDEMPOTENT},
    {"ctx-budget --estimator bytes/4 --text", LAW_NONE},
    {"ctx-budget --estimator bytes/4 --each --check", LAW_NONE},
    {"ctx-budget --estimator usage --annotate", LAW_IDEMPOTENT},
    {"ctx-budget --estimator bytes/4 --when unresolved>0 --max-age 1h --max-steps 2", LAW_NONE},
    {"ctx-budget --estimator bytes/4 --provider openai --model new", LAW_IDEMPOTENT},
    {"ctx-diff --stat --estimator bytes/4 --json - /dev/stdin", LAW_NONE},
    {"ctx-diff --stat --estimator bytes/4 /dev/stdin /dev/stdin", LAW_NONE},
    {"ctx-show --estimator bytes/4 --color always --plan /dev/null", LAW_NONE},
    {"ctx-show --estimator bytes/4 -n 1-9 -m --ascii", LAW_NONE},
    {"ctx-show --estimator bytes/4 -e role=tool -e unresolved", LAW_NONE},
    {"ctx-budget --estimator bytes/4 --max-section messages=20 --max-section buffer=0", LAW_NONE},
    {"ctx-compact --estimator bytes/4 --force --target 1", LAW_NONE},
    {"ctx-compact --estimator bytes/4 --window 1k --best-effort --prune-over 20", LAW_NONE},
    {"ctx-compact --estimator bytes/4 --force --keep-turns 0 --prune-over 20", LAW_NONE},
    {"ctx-compact --estimator bytes/4 --force --keep-turns 0 --prune-over 5tok", LAW_NONE},
    {"ctx-compact --estimator bytes/4 --plan --force", LAW_NONE},
    {"ctx-compact --estimator bytes/4 --limit 300 --changes /dev/null", LAW_NONE},
    {"ctx-compact --estimator bytes/4 --window 400 --strategy simple --keep-messages 2", LAW_NONE},
    {"ctx-compact --estimator bytes/4 --window 400 --strategy summarize --summary-title T",
	LAW_NONE},
    {"ctx-compact --estimator bytes/4 --window 400 --strategy symbolize --summary-title T",
	LAW_NONE},
    {"ctx-compact --estimator bytes/4 --limit 1k --pipeline prune,symbolize --summary-tokens 200",
	LAW_NONE},
    {"ctx-compact --estimator bytes/4 --window 400 --strategy tokens --summary-role developer",
	LAW_NONE},
    {"ctx-compact --estimator bytes/4 --window 200 --cached 3 --dedupe stale,retried", LAW_NONE},
    {"ctx-compact --estimator bytes/4 --force --target 1 --select tokens>9 --protect tool=r*",
	LAW_NONE},
    {"ctx-compact --estimator bytes/4 --limit 1k --summary-tokens 200 --best-effort", LAW_NONE},
    {"ctx-compact --estimator bytes/4 --window 400 --summarizer wc --fallback truncate "
     "--summarizer-input jsonl",
	LAW_NONE},
    {"ctx-compact --estimator bytes/4 --window 400 --summarizer head --strict-names "
     "--fallback digest --summarizer-timeout 2s --summarizer-retries 0",
	LAW_NONE},
    {"ctx-compact --estimator bytes/4 --force --min-gain 20 --at-boundary", LAW_NONE},
    {"ctx-compact --estimator bytes/4 --session-key role --limit 100 --best-effort", LAW_NONE},
    {"ctx-compact --estimator bytes/4 --session-key role --sorted --force --target 1", LAW_NONE},
    {"ctx-compact --estimator bytes/4 --limit 100 --model gpt-4o", LAW_NONE},
    {"ctx-compact --estimator bytes/4 --max-tool-results 1 --max-messages 5 --max-steps 2",
	LAW_NONE},
    {"ctx-compact --estimator bytes/4 --max-section messages=20 --select section=messages",
	LAW_NONE},
    {"ctx-compact --estimator bytes/4 --max-turns 1 --max-age 1h --when unresolved>0", LAW_NONE},
};

/* The options of the command that byte picks; NULL when the list has none for the command. */
static inline const struct options *
options_pick(const char *command, uint8_t byte)
{
	const struct options *own = NULL;
	size_t len = strlen(command), count = 0;

	for (size_t i = 0; i < sizeof options_list / sizeof options_list[0]; i++) {
		const char *line = options_list[i].line;

		if (strncmp(line, command, len) == 0 && (line[len] == ' ' || line[len] == '\0')) {
			own = own == NULL ? &options_list[i] : own;
			count++;
		}
	}
	return count > 0 ? own + byte % count : NULL;
}

#endif
