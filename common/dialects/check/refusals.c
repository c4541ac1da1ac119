#include "dialects/check/refusals.h"

#include "json/string.h"

void
refusals_add(struct refusals *refusals, enum violation violation, struct json_value subject)
{
	if ((refusals->found & refusals_bit(violation)) != 0)
		return;
	refusals->found |= refusals_bit(violation);
	refusals->subject[violation] = subject;
}

void
refusals_add_unknown(
    struct refusals *refusals, struct json_value object, const struct str *names, unsigned count)
{
	for (struct json_walk walk = json_walk_of(object); json_walk_next(&walk);)
		if (!json_is_one_of(walk.name, names, count))
			refusals_add(refusals, VIOLATION_UNKNOWN_MEMBER, walk.name);
}
