#include "policy/normalize/repair_queue.h"

void
repair_queue_emit(struct repair *repair, struct record *record, bool is_outside)
{
	if (is_outside && repair->whole)
		repair->outside++;
	else
		stage_emit(&repair->stage, record);
}

void
repair_queue_emit_item(struct repair *repair, struct repair_item *item)
{
	struct record record = item->held.record; /* as in stage_emit_held */

	item->held.fate = FATE_GONE;
	repair_queue_emit(repair, &record, item->fact.verdict.outside);
}

/* Emits the held results of a whole group, in the order of the calls. */
static void
emit_results(struct repair *repair, struct pair_group *group)
{
	do {
		repair_queue_emit_item(
		    repair, queue_at(&repair->queue, group->slot[group->written]));
		pairs_wrote_slot(&repair->pairs, group);
	} while (group->written < group->calls);
}

/* Whether the message has calls that may yet be dropped. */
static bool
may_be_dropped(const struct repair *repair, const struct pair_fact *fact)
{
	return repair->open == REPAIR_OPEN_DROP && fact->group != NULL && !fact->is_result &&
	    fact->group->state == PAIR_WAITING;
}

void
repair_queue_pump(struct repair *repair)
{
	struct pairs *pairs = &repair->pairs;

	while (!queue_is_empty(&repair->queue)) {
		struct repair_item *item = queue_at(&repair->queue, repair->queue.first);
		bool waits = item->held.fate == FATE_OPEN;

		if (waits && may_be_dropped(repair, &item->fact))
			return;
		if (waits && !pairs_may_write(pairs, &item->fact)) {
			struct pair_group *due = pairs->agent[item->fact.verdict.agent].writing;

			if (due->state != PAIR_WHOLE)
				return;
			emit_results(repair, due);
			continue;
		}
		if (waits) {
			repair_queue_emit_item(repair, item);
			pairs_wrote(pairs, &item->fact);
		}
		queue_emit_first(&repair->queue, &repair->stage);
	}
}

void
repair_queue_add(struct repair *repair, struct record *record, const struct pair_fact *fact)
{
	struct repair_item *item;

	if (queue_is_empty(&repair->queue) && pairs_may_write(&repair->pairs, fact) &&
	    !may_be_dropped(repair, fact)) {
		repair_queue_emit(repair, record, fact->verdict.outside);
		pairs_wrote(&repair->pairs, fact);
		return;
	}
	if (fact->is_result)
		fact->group->slot[fact->slot] = repair->queue.end;
	item = queue_add(&repair->queue, record, FATE_OPEN);
	item->fact = *fact;
	repair_queue_pump(repair);
}
