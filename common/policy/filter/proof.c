#include "policy/filter/proof.h"

#include <stdlib.h>

#include "base/list.h"

enum { NO_RECORD, NO_CALL, NO_RESULT, PARTED, KINDS };

static const char *const phrases[KINDS] = {
    [NO_RECORD] = "is no record",
    [NO_CALL] = "is a result without its call",
    [NO_RESULT] = "is a call without its result",
    [PARTED] = "is parted from its call",
};

struct proof_call {
	struct hash id;
	uint64_t line;
	bool is_answered;
};

void
proof_note(struct proof_findings *findings, int kind, uint64_t line, const char *reason)
{
	if (findings->count[kind]++ > 0)
		return;
	findings->line[kind] = line;
	findings->reason[kind] = reason;
}

void
proof_name(const struct proof_findings *findings, int kind, const char *place, const char *phrase,
    struct buf *text)
{
	uint64_t count = findings->count[kind];

	if (count == 0)
		return;
	buf_add_fmt(text, "%s%s %ju %s", text->len > 0 ? "; " : "", place,
	    (uintmax_t)findings->line[kind], phrase);
	if (findings->reason[kind] != NULL)
		buf_add_fmt(text, ", %s", findings->reason[kind]);
	if (count > 1)
		buf_add_fmt(text, " (and %ju more)", (uintmax_t)(count - 1));
}

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
		add_fault(proof, NO_CALL, call_id_hash(message->tool_call_id), line, NULL);
	else
		proof->call[verdict.answers].is_answered = true;
	if (verdict.is_displaced)
		add_fault(proof, PARTED, call_id_hash(message->tool_call_id), line, NULL);
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
		add_fault(proof, NO_RECORD, hash_bytes(line, hash_seed(HASH_RECORD)), number,
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
			add_fault(proof, NO_RESULT, proof->call[i].id, proof->call[i].line, NULL);
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
proof_compare(const struct proof *read, const struct proof *written, struct buf *broken)
{
	struct proof_findings findings = {.count = {0}};
	struct map known = MAP_INIT; /* how many of a fault were read and not yet written */

	for (uint32_t i = 0; i < read->fault_count; i++) {
		struct hash key = fault_key(&read->fault[i]);
		uint64_t count = map_get(&known, key);

		map_set(&known, key, count == MAP_NONE ? 1 : count + 1);
	}
	for (uint32_t i = 0; i < written->fault_count; i++) {
		const struct proof_fault *fault = &written->fault[i];
		struct hash key = fault_key(fault);
		uint64_t count = map_get(&known, key);

		if (count == MAP_NONE || count == 0)
			proof_note(&findings, fault->kind, fault->line, fault->reason);
		else
			map_set(&known, key, count - 1);
	}
	for (int kind = 0; kind < KINDS && read->messages + written->messages > 0; kind++)
		proof_name(&findings, kind, "output line", phrases[kind], broken);
	map_free(&known);
}
