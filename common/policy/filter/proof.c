#include "policy/filter/proof.h"

#include <stdlib.h>

#include "base/list.h"
#include "data/walk.h"

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

struct proof {
	/* How many of a kind, and of an id or a text, the filter read and has not written. */
	struct map known;
	bool is_written; /* the text that it wrote is at hand */
	uint64_t messages;
	struct walk walk;        /* of the text at hand */
	struct proof_call *call; /* by the walk's numbers */
	uint32_t call_count, call_cap;
	struct proof_findings findings;
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

/* What was read is counted, and what was written is taken off. */
static void
count(struct proof *proof, int kind, struct hash what, uint64_t line, const char *reason)
{
	struct hash key = hash_number((uint64_t)kind, what);
	uint64_t known = map_get(&proof->known, key);

	if (known == MAP_NONE)
		known = 0;
	if (!proof->is_written)
		map_set(&proof->known, key, known + 1);
	else if (known > 0)
		map_set(&proof->known, key, known - 1);
	else
		proof_note(&proof->findings, kind, line, reason);
}

static struct hash
id_hash(struct json_value id)
{
	struct buf scratch = BUF_INIT;
	struct hash hash = hash_bytes(call_id_text(id, &scratch), hash_seed(HASH_CALL_ID));

	buf_free(&scratch);
	return hash;
}

static void
take_message(struct proof *proof, const struct message *message, uint64_t line)
{
	struct verdict verdict;

	proof->messages++;
	walk_add(&proof->walk, message, &verdict);
	for (uint32_t i = 0; i < verdict.calls; i++) {
		LIST_ROOM(proof->call, proof->call_count, proof->call_cap);
		proof->call[proof->call_count++] =
		    (struct proof_call){id_hash(proof->walk.call[i].id), line, false};
	}
	if (message->role != ROLE_TOOL)
		return;
	if (verdict.answers == WALK_NONE)
		count(proof, NO_CALL, id_hash(message->tool_call_id), line, NULL);
	else
		proof->call[verdict.answers].is_answered = true;
	if (verdict.is_displaced)
		count(proof, PARTED, id_hash(message->tool_call_id), line, NULL);
}

static void
take_line(struct proof *proof, struct str line, uint64_t number)
{
	struct message message;

	message_parse(&message, line);
	if (message.kind == RECORD_MESSAGE)
		take_message(proof, &message, number);
	else if (message.kind == RECORD_BAD)
		count(proof, NO_RECORD, hash_bytes(line, hash_seed(HASH_RECORD)), number,
		    message.error);
}

static void
take_text(struct proof *proof, struct str left)
{
	walk_init(&proof->walk);
	proof->call_count = 0;
	for (uint64_t number = 1; left.len > 0; number++)
		take_line(proof, str_trim(str_take_line(&left)), number);
	for (uint32_t i = 0; i < proof->call_count; i++)
		if (!proof->call[i].is_answered)
			count(proof, NO_RESULT, proof->call[i].id, proof->call[i].line, NULL);
	walk_free(&proof->walk);
}

void
proof_check(struct str read, struct str written, struct buf *broken)
{
	struct proof proof = {.known = MAP_INIT};

	take_text(&proof, read);
	proof.is_written = true;
	take_text(&proof, written);
	for (int kind = 0; kind < KINDS && proof.messages > 0; kind++)
		proof_name(&proof.findings, kind, "output line", phrases[kind], broken);
	map_free(&proof.known);
	free(proof.call);
}
