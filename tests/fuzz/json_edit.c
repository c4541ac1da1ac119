/*
 * Fuzzes edits: the first bytes say what is done to each value of a JSON text, the rest is the
 * text. Whatever is replaced, added and removed, the output of the edit must be valid JSON, and
 * the pieces of the edit must add up to that output.
 */

#include "json/edit.h"
#include "json/members.h"

#include "../unit/json_padded.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

enum { PLAN = 8 };

struct plan {
	struct json_edit edit;
	const uint8_t *step; /* PLAN steps, used over and over */
	unsigned done;
};

static unsigned
next(struct plan *plan)
{
	return plan->step[plan->done++ % PLAN];
}

/* Edits a container: each member is removed, kept, given another value, or edited inside. */
static void
edit_members(struct plan *plan, struct json_value container)
{
	struct json_walk walk;
	bool is_object = container.type == JSON_OBJECT;

	for (walk = json_walk_of(container); json_walk_next(&walk);) {
		unsigned step = next(plan) % 4;

		if (step == 1 && is_object)
			json_edit_remove(&plan->edit, walk.name, walk.value);
		else if (step == 2)
			json_edit_replace(
			    &plan->edit, json_span(walk.value), STR("[\"\\u00e9\",{}]"));
		else if (step == 3)
			edit_members(plan, walk.value);
	}
	for (unsigned i = is_object ? next(plan) % 3 : 0; i > 0; i--)
		json_edit_add(&plan->edit, container, STR("a\\n"), STR("-0.5e+9"));
}

static void
check_pieces(struct json_edit *edit, struct str written)
{
	struct json_pieces pieces;
	struct buf joined = BUF_INIT;

	for (json_pieces_open(&pieces, edit); json_pieces_next(&pieces);)
		buf_add_str(&joined, pieces.piece);
	if (!str_eq(buf_str(&joined), written))
		abort();
	buf_free(&joined);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct json_scan scan;
	struct plan plan = {.step = bytes};
	struct buf out = BUF_INIT;

	if (len < PLAN)
		return 0;
	struct str text = padded_at(str_of((const char *)bytes + PLAN, len - PLAN), 0, '\n');
	if (json_scan(text, NULL, &scan)) {
		json_edit_init(&plan.edit, text);
		edit_members(&plan, scan.value);
		json_edit_write(&plan.edit, &out);
		if (!json_scan(padded_at(buf_str(&out), 0, ','), NULL, &scan))
			abort();
		check_pieces(&plan.edit, buf_str(&out));
		json_edit_free(&plan.edit);
		buf_free(&out);
	}
	arena_free(&padded_arena);
	return 0;
}
