#include "policy/isolate/redone.h"

#include "base/mem.h"
#include "data/session/session_calls.h"

uint8_t *
redone_find(struct session *t)
{
	uint8_t *is_redone = mem_alloc((size_t)t->call_count + 1, 1);
	struct map made = MAP_INIT, written = MAP_INIT; /* keys and targets of later calls */

	/* From the last call to the first, so that the maps always hold the later calls. */
	session_learn_all(t);
	for (uint32_t i = t->call_count; i-- > 0;) {
		const struct call *call = &t->call[i];
		const struct entry *head = &t->entry[t->group[call->group].entry];
		bool writes = call->use.op == TOOL_WRITE || call->use.op == TOOL_EDIT;
		struct hash target = hash_bytes(call->use.target, hash_seed(HASH_TARGET));

		is_redone[i] = map_get(&made, call->key) != MAP_NONE ||
		    (writes && map_get(&written, target) != MAP_NONE);
		if (head->outside || call->result == NONE || t->entry[call->result].is_error)
			continue;
		if (!head->is_compacted)
			map_set(&made, call->key, 1);
		if (call->use.op == TOOL_WRITE)
			map_set(&written, target, 1);
	}
	map_free(&made);
	map_free(&written);
	return is_redone;
}
