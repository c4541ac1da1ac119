#include "data/session/session_calls.h"

#include "data/session/call_digest.h"
#include "json/canon.h"

/* The key of a call: calls with equal keys have the same tool and the same arguments. */
static struct hash
call_key(struct session *t, const struct call *call, struct json_value arguments)
{
	struct hash seed = hash_bytes(call->name, hash_seed(HASH_CALL));
	struct arena scratch = ARENA_INIT;
	struct hash key;

	if (arguments.type == JSON_ABSENT)
		return hash_bytes(json_span(call->arguments), seed);
	buf_reset(&t->scratch);
	json_canon(arguments, &t->scratch, &scratch);
	key = hash_bytes(buf_str(&t->scratch), seed);
	arena_free(&scratch);
	return key;
}

static const struct call *
learn(struct session *t, uint32_t index, bool key)
{
	struct call *call = &t->call[index];
	struct arena scratch = ARENA_INIT;
	struct tool_arguments arguments = {.value = {.type = JSON_ABSENT}};

	if (call->has_use && (call->has_key || !key))
		return call;
	if (key || tool_is_known(call->name))
		tool_arguments(call->arguments, &scratch, &arguments);
	if (key)
		call->key = call_key(t, call, arguments.value);
	if (!call->has_use) {
		tool_classify(call->name, &arguments, &scratch, &call->use);
		call->use.target = arena_copy(&t->arena, call->use.target);
		call->use.directory = arena_copy(&t->arena, call->use.directory);
	}
	call->has_use = true;
	call->has_key |= key;
	arena_free(&scratch);
	return call;
}

const struct call *
session_use(struct session *t, uint32_t index)
{
	return learn(t, index, false);
}

const struct call *
session_learn(struct session *t, uint32_t index)
{
	return learn(t, index, true);
}

struct str
session_noted_digest(const struct session *t, uint32_t index)
{
	const struct group *group = &t->group[t->call[index].group];
	struct message message;

	if (!t->entry[group->entry].says_keys)
		return STR("");
	entry_parse(&t->entry[group->entry], &message);
	return call_digest_noted(&message, index - group->first_call);
}

struct hash
session_digest_key(const struct session *t, uint32_t index)
{
	struct str noted = session_noted_digest(t, index);
	struct buf digest = BUF_INIT;
	struct hash key;

	if (noted.len == 0)
		call_digest_of(t->call[index].name, t->call[index].arguments, &digest);
	key = hash_bytes(noted.len > 0 ? noted : buf_str(&digest), hash_seed(HASH_CALL_DIGEST));
	buf_free(&digest);
	return key;
}

void
session_learn_all(struct session *t)
{
	for (uint32_t i = 0; i < t->call_count; i++)
		session_learn(t, i);
	for (uint32_t i = 0; i < t->call_count && t->notes_digests; i++)
		t->call[i].key = session_digest_key(t, i);
}

static struct hash
target_key(enum tool_op kind, struct str target)
{
	return hash_bytes(target, hash_number(kind, hash_seed(HASH_TARGET)));
}

struct hash
session_target_key(const struct call *call)
{
	return target_key(tool_kind(call->use.op), call->use.target);
}

struct hash
session_file_key(struct str path)
{
	return target_key(TOOL_EDIT, path);
}
