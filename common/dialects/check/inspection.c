#include "dialects/check/inspection.h"

void
inspection_find_at(struct inspection *inspection, enum violation violation, const struct line *line,
    struct str subject)
{
	struct violation_finding finding = {
	    violation, line->file, line->number, subject.len > 0 ? subject : STR("\"\"")};

	inspection->count[violation]++;
	violation_list_add(&inspection->findings, &finding);
}

void
inspection_find(struct inspection *inspection, enum violation violation, struct json_value subject)
{
	inspection_find_at(inspection, violation, &inspection->line,
	    subject.type == JSON_ABSENT ? STR("") : json_span(subject));
}

void
inspection_find_refusals(struct inspection *inspection, const struct refusals *refusals)
{
	for (enum violation v = 0; v < VIOLATION_COUNT; v++)
		if ((refusals->found & refusals_bit(v)) != 0)
			inspection_find(inspection, v, refusals->subject[v]);
}

void
inspection_judge(struct inspection *inspection, const struct message *message)
{
	struct refusals refusals;

	refusals.found = 0;
	inspection->dialect->judge(message, &refusals);
	inspection_find_refusals(inspection, &refusals);
}
