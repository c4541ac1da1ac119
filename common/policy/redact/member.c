#include "policy/redact/member.h"

#include "json/string.h"
#include "policy/secret/alphabet.h"

/* Of any part, at any depth: what only the provider can read. */
static const struct str sealed[] = {STR_INIT("signature"), STR_INIT("thought_signature"),
    STR_INIT("thoughtSignature"), STR_INIT("thinkingSignature"), STR_INIT("textSignature"),
    STR_INIT("encrypted_content"), STR_INIT("encrypted_index"),
    STR_INIT("reasoningEncryptedContent")};

static const struct str ids[] = {STR_INIT("id"), STR_INIT("call_id"), STR_INIT("tool_call_id"),
    STR_INIT("tool_use_id"), STR_INIT("toolUseID"), STR_INIT("parentToolUseID"),
    STR_INIT("parent_tool_use_id"), STR_INIT("uuid"), STR_INIT("parentUuid"),
    STR_INIT("logicalParentUuid"), STR_INIT("leafUuid"), STR_INIT("sourceToolAssistantUUID"),
    STR_INIT("message_id"), STR_INIT("messageId"), STR_INIT("parent_id"), STR_INIT("request_id"),
    STR_INIT("requestId"), STR_INIT("session_id"), STR_INIT("sessionId"), STR_INIT("promptId"),
    STR_INIT("execution_id"), STR_INIT("parent_execution_id"), STR_INIT("agent_id"),
    STR_INIT("agentId"), STR_INIT("resolves"), STR_INIT("forgets"), STR_INIT("archived"),
    STR_INIT("turn_id"), STR_INIT("forked_from_id"), STR_INIT("parent_thread_id"),
    STR_INIT("toolCallId"), STR_INIT("parentId"), STR_INIT("firstKeptEntryId"), STR_INIT("callID"),
    STR_INIT("sessionID"), STR_INIT("messageID"), STR_INIT("parentID"), STR_INIT("partID"),
    STR_INIT("projectID"), STR_INIT("source_call_id"), STR_INIT("tool_call_ids")};

/* What tools are given and give: its members are no structure of the record. */
static const struct str payloads[] = {STR_INIT("arguments"), STR_INIT("input"), STR_INIT("args"),
    STR_INIT("parameters"), STR_INIT("toolUseResult"), STR_INIT("tool_result"),
    STR_INIT("structuredContent"), STR_INIT("output"), STR_INIT("response"), STR_INIT("facts")};

static bool
is_in_payload(const struct json_leaves *leaves)
{
	for (unsigned i = 0; i + 1 < leaves->depth; i++)
		if (leaves->level[i].is_object && JSON_IS_ONE_OF(leaves->level[i].name, payloads))
			return true;
	return false;
}

/* Whether the innermost object is deeper in a member "content" than a part of it is: such an object
 * is the output of a tool. The id of a part, content[0].id, is one of the record, unless the record
 * is the output of a tool. */
static bool
is_in_part(const struct json_leaves *leaves, bool is_result)
{
	unsigned last = leaves->depth;

	while (last > 0 && !leaves->level[last - 1].is_object)
		last--;
	for (unsigned i = 0; i + 1 < last; i++)
		if (leaves->level[i].is_object && json_is(leaves->level[i].name, STR("content")))
			return is_result || leaves->level[i + 1].is_object || i + 3 < last;
	return false;
}

/* Whether the string is one run of base64, as media and sealed thinking are. */
static bool
is_blob(struct json_value string)
{
	enum { BLOB_MIN = 256 };
	struct str text = json_inner(string);

	for (size_t i = 0; i < text.len; i++)
		if (!alphabet_has(ALPHABET_TOKEN, text.ptr[i]) || text.ptr[i] == '.')
			return false;
	return text.len >= BLOB_MIN;
}

/* Whether it is the name of a pass of an archive: under "pass" in metadata alone, and nothing but
 * digits of a hash. */
static bool
is_pass(const struct json_leaves *leaves)
{
	static const char digits[] = "0123456789abcdef";
	enum { PASS_DIGITS = 12 };
	struct str text = json_inner(leaves->value);

	if (leaves->depth != 2 || text.len != PASS_DIGITS ||
	    !json_is(leaves->level[1].name, STR("pass")) ||
	    !(json_is(leaves->level[0].name, STR("metadata")) ||
		json_is(leaves->level[0].name, STR("_metadata"))))
		return false;
	for (size_t i = 0; i < text.len; i++)
		if (memchr(digits, text.ptr[i], sizeof digits - 1) == NULL)
			return false;
	return true;
}

bool
member_is_id(struct json_value name)
{
	return JSON_IS_ONE_OF(name, ids);
}

bool
member_keeps(const struct json_leaves *leaves, bool is_nested, bool is_result)
{
	struct json_value name = json_leaves_name(leaves);

	if (name.type == JSON_ABSENT || is_nested)
		return false;
	if (is_in_payload(leaves))
		return false;
	if (member_is_id(name))
		return !is_in_part(leaves, is_result);
	return is_pass(leaves) || JSON_IS_ONE_OF(name, sealed) ||
	    (json_is(name, STR("data")) && is_blob(leaves->value));
}
