#include "dialects/gc/gc_form.h"

/*
 * Claude Code 2.1.330 walks through progress records, keeps snapshots of files for /rewind alone,
 * leaves copies of its requests out where it shortens a file itself, and draws results by
 * toolUseResult, which no request has.
 *
 * Codex CLI 0.169 reads a history that replaces all items before it, unless turns are then taken
 * back.
 *
 * pi 0.74.2: entries and details in which its extensions keep data stay, and so do labels and
 * names, which count wherever they are. Settings count on the whole way to the root.
 */
static const struct gc_form forms[] = {
    {.dialect = &claude_code_dialect,
	.row = {{"progress", "type=progress"},
	    {"file snapshots", "type=file-history-snapshot|file-history-delta"},
	    {"requests", "type^api-request"}},
	.talk = "type=user|assistant|system|attachment",
	.says = "message.role=user|assistant message.content:text",
	.queues = "type=attachment attachment.type=queued_command attachment.prompt:text",
	.asks = "message.role=user !message.content[].type=tool_result !isCompactSummary:true",
	.resumes = "logicalParentUuid",
	.retells = "message.role=user isCompactSummary:true",
	.copied = "type=user message.content:array",
	.copy = "toolUseResult"},
    {.dialect = &codex_dialect,
	.talk = "type=response_item",
	.says = "type=response_item payload:object",
	.compacts = "type=compacted payload.replacement_history:array",
	.revives = "type=event_msg payload.type=thread_rolled_back"},
    {.dialect = &pi_dialect,
	.talk = "type=message|compaction|branch_summary|custom_message",
	.says = "type=message|compaction|branch_summary|custom_message "
		"!message.stopReason=error|aborted",
	.summary = "type=compaction",
	.keeps = "firstKeptEntryId",
	.suffices = "type=message message.role=assistant"},
};

const struct gc_form *
gc_form_of(const struct dialect *dialect)
{
	for (size_t i = 0; i < ARRAY_COUNT(forms); i++)
		if (forms[i].dialect == dialect)
			return &forms[i];
	return NULL;
}
