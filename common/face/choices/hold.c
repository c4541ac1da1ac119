#include "face/choices/hold.h"

void
hold_report(struct run *run, struct size hold, uint64_t given_up)
{
	if (hold.unit != SIZE_UNSET)
		json_member_integer(&run->members, STR("given_up"), (int64_t)given_up);
}
