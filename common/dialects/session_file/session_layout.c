#include "dialects/session_file/session_layout.h"

#include "dialects/load/load_form.h"
#include "dialects/rows/member_path.h"

const struct session_layout session_layout_claude_code = {.dialect = &claude_code_dialect,
    .id = "uuid",
    .parent = "parentUuid",
    .refers = {"logicalParentUuid", "leafUuid", "compactMetadata.preservedSegment.tailUuid",
	"compactMetadata.preservedSegment.anchorUuid",
	"compactMetadata.preservedMessages.anchorUuid"},
    .keeps = {"compactMetadata.preservedSegment.headUuid"},
    .kept = {"compactMetadata.preservedMessages.uuids",
	"compactMetadata.preservedMessages.allUuids"},
    .alike = {"isSidechain", "agentId", "sessionId", "version", "cwd", "gitBranch"},
    .copy = "toolUseResult",
    .copies_parts = true};

const struct session_layout session_layout_codex = {.dialect = &codex_dialect,
    .lists = "payload.replacement_history",
    .inner = "payload",
    .head = "session_meta",
    .number = "ordinal",
    .events = "event_msg",
    .call = "payload.call_id",
    .told = {"payload.message", "payload.text"},
    .says = "text",
    .back = "payload.num_turns"};

const struct session_layout session_layout_pi = {.dialect = &pi_dialect,
    .head = "session",
    .id = "id",
    .parent = "parentId",
    .refers = {"targetId", "fromId"},
    .keeps = {"firstKeptEntryId"},
    .index = "firstKeptEntryIndex",
    .copy = "details"};

const struct session_layout session_layout_gemini_cli = {.dialect = &gemini_cli_dialect,
    .lists = "messages|$set.messages",
    .id = "id",
    .rewind = "$rewindTo",
    .answers = "functionResponse.id",
    .replaces = true,
    .copy = "resultDisplay"};

const struct session_layout session_layout_opencode = {.dialect = &opencode_dialect,
    .lists = "messages|.",
    .id = "info.id",
    .parent = "info.parentID",
    .keeps = {"parts[].tail_start_id"},
    .time = "info.time.created",
    .copy = "state.metadata",
    .empty = "{}",
    .prefix = "ses_",
    .order = "msg_",
    .has_asked = true};

const struct session_layout *
session_layout_find(struct str name)
{
	for (unsigned i = 0; dialect_reader_names[i] != NULL; i++)
		if (str_eq(name, str_from(dialect_reader_names[i])) &&
		    dialect_readers[i]->load != NULL)
			return dialect_readers[i]->load->format;
	return NULL;
}

void
session_layout_add_names(struct buf *text)
{
	unsigned left = 0;

	for (unsigned i = 0; dialect_reader_names[i] != NULL; i++)
		left += dialect_readers[i]->load != NULL;
	for (unsigned i = 0; left > 0; i++)
		if (dialect_readers[i]->load != NULL)
			buf_add_fmt(text, "%s%s", dialect_reader_names[i],
			    --left > 1    ? ", " :
				left == 1 ? " and " :
					    "");
}

struct json_value
session_layout_at(struct json_value value, const char *path)
{
	return member_path_find(value, path != NULL ? str_from(path) : STR(""));
}

struct str
session_layout_take(struct str *text, bool is_document)
{
	struct str whole = *text;

	if (!is_document)
		return str_take_whole_line(text);
	*text = str_rest(whole, whole.len);
	return whole;
}

struct json_value
session_layout_list(const struct session_layout *format, struct json_value record)
{
	return session_layout_at(record, format->lists);
}

bool
session_layout_is_event(const struct session_layout *format, struct json_value record)
{
	return format->events != NULL && json_has_type(record, str_from(format->events));
}

bool
session_layout_takes_back(const struct session_layout *format, struct json_value record)
{
	return session_layout_at(record, format->back).type == JSON_NUMBER;
}

bool
session_layout_is_head(const struct session_layout *format, struct json_value record)
{
	return format->head != NULL && json_has_type(record, str_from(format->head));
}
