#include "face/limits.h"

static void
check(struct size size, const char *name)
{
	if (size.unit == SIZE_MESSAGES || size.unit == SIZE_TURNS)
		options_fail("bad value of --%s, expected a number of tokens", name);
}

void
limits_check(const struct budget_limits *limits)
{
	if (limits->window.unit != SIZE_UNSET &&
	    (limits->window.unit != SIZE_PLAIN || limits->window.value == 0))
		options_fail("bad value of --window, expected a number of tokens such as 200k");
	check(limits->reserve_output, "reserve-output");
	check(limits->reserve_system, "reserve-system");
	check(limits->headroom, "headroom");
	check(limits->soft, "soft");
}
