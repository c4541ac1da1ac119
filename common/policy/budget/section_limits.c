#include "policy/budget/section_limits.h"

#include "json/string.h"
#include "json/members.h"

unsigned
section_limits_find(const struct section_limits *limits, struct str name)
{
	unsigned i = 0;

	while (i < limits->count && !str_eq(limits->item[i].name, name))
		i++;
	return i < limits->count ? i : SECTION_LIMITS_MAX;
}

bool
section_limits_set(struct section_limits *limits, struct str name, uint64_t most)
{
	unsigned i = section_limits_find(limits, name);

	if (i == SECTION_LIMITS_MAX)
		i = limits->count;
	if (i == SECTION_LIMITS_MAX)
		return false;
	limits->item[i] = (struct section_limit){name, most};
	limits->count += i == limits->count;
	return true;
}

unsigned
section_limits_over(
    const struct section_limits *limits, const uint64_t *counts, const struct estimator *estimator)
{
	unsigned over = 0;

	for (unsigned i = 0; i < limits->count; i++)
		if (counts[i] > estimate_count(estimator, limits->item[i].most))
			over |= 1u << i;
	return over;
}

void
section_limits_read(struct section_limits *limits, struct json_value object, struct arena *arena)
{
	struct buf name = BUF_INIT;

	for (struct json_walk walk = json_walk_members(object); json_walk_next(&walk);) {
		int64_t most = json_integer(walk.value, -1);

		if (most >= 0)
			section_limits_set(
			    limits, arena_copy(arena, json_text(walk.name, &name)), (uint64_t)most);
	}
	buf_free(&name);
}

void
section_limits_write(const struct section_limits *limits, struct json_writer *w)
{
	json_open(w, '{');
	for (unsigned i = 0; i < limits->count; i++)
		json_member_integer(w, limits->item[i].name, (int64_t)limits->item[i].most);
	json_close(w);
}
