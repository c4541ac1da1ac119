#include "policy/normalize/repair_queue.h"

void
repair_queue_emit(struct repair_queue *waiting, struct record *record, bool is_outside)
{
	if (is_outside && waiting->whole)
		waiting->outside++;
	else
		stage_emit(waiting->stage, record);
}

void
repair_queue_emit_item(struct repair_queue *waiting, struct repair_queue_item *item)
{
	struct record record = item->held.record; /* as in stage_emit_held */

	item->held.fate = FATE_GONE;
	repair_queue_emit(waiting, &record, item->fact.verdict.outside);
}

/* Whether the message has calls that may yet be dropped. */
static bool
may_be_dropped(const struct repair_queue *waiting, const struct pair_fact *fact)
{
	return waiting->drops_open && fact->group != NULL && !fact->is_result &&
	    fact->group->state == PAIR_WAITING;
}

void
repair_queue_pump(struct repair_queue *waiting)
{
	struct pairs *pairs = waiting->pairs;

	while (!queue_is_empty(&waiting->queue)) {
		struct repair_queue_item *item = queue_at(&waiting->queue, waiting->queue.first);
		bool waits = item->held.fate == FATE_OPEN;

		if (waits && may_be_dropped(waiting, &item->fact))
			return;
		if (waits && !pairs_may_write(pairs, &item->fact)) {
			struct pair_group *due = pairs->agent[item->fact.verdict.agent].writing;

			if (due->state != PAIR_WHOLE)
				return;
			do {
				repair_queue_emit_item(
				    waiting, queue_at(&waiting->queue, due->slot[due->written]));
				pairs_wrote_slot(waiting->pairs, due);
			} while (due->written < due->calls);
			continue;
		}
		if (waits) {
			repair_queue_emit_item(waiting, item);
			pairs_wrote(pairs, &item->fact);
		}
		queue_emit_first(&waiting->queue, waiting->stage);
	}
}

void
repair_queue_add(struct repair_queue *waiting, struct record *record, const struct pair_fact *fact)
{
	struct repair_queue_item *item;

	if (queue_is_empty(&waiting->queue) && pairs_may_write(waiting->pairs, fact) &&
	    !may_be_dropped(waiting, fact)) {
		repair_queue_emit(waiting, record, fact->verdict.outside);
		pairs_wrote(waiting->pairs, fact);
		return;
	}
	if (fact->is_result)
		fact->group->slot[fact->slot] = waiting->queue.end;
	item = queue_add(&waiting->queue, record, FATE_OPEN);
	item->fact = *fact;
	repair_queue_pump(waiting);
}
