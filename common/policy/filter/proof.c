#include "policy/filter/proof.h"

#include <stdlib.h>

#include "base/list.h"

struct proof_call {
	struct hash id;
	uint64_t line;
	bool is_answered;
};

static void
add_fault(struct proof *proof, int kind, struct hash what, uint64_t line, const char *reason)
{
	LIST_ADD(proof->fault, proof->fault_count, proof->fault_cap,
	    (struct proof_fault){kind, what, line, reason});
}

static void
take_message(struct proof *proof, const struct message *message, uint64_t line)
{
	struct verdict verdict;

	proof->messages++;
	walk_add(&proof->walk, message, &verdict);
	for (uint32_t i = 0; i < verdict.calls; i++) {
		LIST_ADD(proof->call, proof->call_count, proof->call_cap,
		    (struct proof_call){call_id_hash(proof->walk.call[i].id), line, false});
	}
	if (message->role != ROLE_TOOL)
		return;
	if (verdict.answers == WALK_NONE)
		add_fault(proof, INVARIANT_CALL, call_id_hash(message->tool_call_id), line, NULL);
	else
		proof->call[verdict.answers].is_answered = true;
	if (verdict.is_displaced)
		add_fault(proof, INVARIANT_APART, call_id_hash(message->tool_call_id), line, NULL);
}

void
proof_take(struct proof *proof, struct str line, uint64_t number)
{
	struct message message;

	line = str_trim(line);
	message_parse(&message, line);
	if (message.kind == RECORD_MESSAGE)
		take_message(proof, &message, number);
	else if (message.kind == RECORD_BAD)
		add_fault(proof, INVARIANT_RECORD, hash_bytes(line, hash_seed(HASH_RECORD)), number,
		    message.error);
}

void
proof_init(struct proof *proof)
{
	*proof = (struct proof){.messages = 0};
	walk_init(&proof->walk);
}

void
proof_free(struct proof *proof)
{
	walk_free(&proof->walk);
	free(proof->call);
	free(proof->fault);
}

void
proof_end(struct proof *proof)
{
	for (uint32_t i = 0; i < proof->call_count; i++)
		if (!proof->call[i].is_answered)
			add_fault(
			    proof, INVARIANT_RESULT, proof->call[i].id, proof->call[i].line, NULL);
}

void
proof_take_all(struct proof *proof, struct str text)
{
	for (uint64_t number = 1; text.len > 0; number++)
		proof_take(proof, str_take_line(&text), number);
	proof_end(proof);
}

static struct hash
fault_key(const struct proof_fault *fault)
{
	return hash_number((uint64_t)fault->kind, fault->what);
}

void
proof_compare(const struct proof *read, const struct proof *written, struct invariants *broken)
{
	struct map known = MAP_INIT; /* how many of a fault were read and not yet written */

	for (uint32_t i = 0; i < read->fault_count; i++) {
		struct hash key = fault_key(&read->fault[i]);
		uint64_t count = map_get(&known, key);

		map_set(&known, key, count == MAP_NONE ? 1 : count + 1);
	}
	for (uint32_t i = 0; i < written->fault_count && read->messages + written->messages > 0;
	     i++) {
		const struct proof_fault *fault = &written->fault[i];
		struct hash key = fault_key(fault);
		uint64_t count = map_get(&known, key);

		if (count == MAP_NONE || count == 0)
			invariants_note(
			    broken, (enum invariant)fault->kind, fault->line, fault->reason);
		else
			map_set(&known, key, count - 1);
	}
	map_free(&known);
}
