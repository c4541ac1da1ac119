#include "dialects/refusals.h"

#include "json/text.h"

void
refusals_add(struct refusals *refusals, enum violation violation, struct json_value subject)
{
	if ((refusals->found >> violation & 1) != 0)
		return;
	refusals->found |= 1u << violation;
	refusals->subject[violation] = subject;
}

static bool
is_among(struct json_value name, const struct str *names, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (json_is(name, names[i]))
			return true;
	return false;
}

void
refusals_add_unknown(
    struct refusals *refusals, struct json_value object, const struct str *names, unsigned count)
{
	struct json_walk walk;

	json_walk_open(&walk, object);
	while (json_walk_next(&walk))
		if (!is_among(walk.name, names, count))
			refusals_add(refusals, VIOLATION_UNKNOWN_MEMBER, walk.name);
}
