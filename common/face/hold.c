#include "face/hold.h"

void
hold_check(struct size hold)
{
	if (hold.unit != SIZE_UNSET && hold.unit != SIZE_PLAIN && hold.unit != SIZE_MESSAGES)
		options_fail("bad value of --hold, expected a size such as 64M or 10000msgs");
}

void
hold_report(struct run *run, struct size hold, uint64_t given_up)
{
	if (hold.unit != SIZE_UNSET)
		json_member_integer(&run->members, STR("given_up"), (int64_t)given_up);
}
