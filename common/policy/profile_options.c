#include "policy/profile_options.h"

#include "base/distance.h"

#define ALL " normalize route isolate project budget compact select"
#define COUNTING " route isolate project budget compact select"
#define BUDGET " budget compact"

static const struct profile_option options[] = {
    {"provider", BUDGET, false},
    {"model", BUDGET, false},
    {"models-file", BUDGET, false},
    {"window", BUDGET, false},
    {"reserve-output", BUDGET, false},
    {"reserve-system", BUDGET, false},
    {"headroom", BUDGET, false},
    {"soft", BUDGET, false},
    {"limit", BUDGET, false},
    {"target", " compact", false},
    {"estimator", COUNTING, false},
    {"image-tokens", COUNTING, false},
    {"command-timeout", COUNTING, false},
    {"execution", " route isolate project compact select", false},
    {"steering", ALL, false},
    {"tool", ALL, false},
    {"max-line", ALL, false},
    {"session-key", ALL, false},
    {"sorted", ALL, true},
    {NULL, NULL, false},
};

const struct profile_option *
profile_option_find(struct str name)
{
	for (const struct profile_option *o = options; o->name != NULL; o++)
		if (str_eq(str_from(o->name), name))
			return o;
	return NULL;
}

const struct profile_option *
profile_option_near(struct str name)
{
	for (const struct profile_option *o = options; o->name != NULL; o++)
		if (distance_is_slip(name, str_from(o->name)))
			return o;
	return NULL;
}

/* Whether the command is among those of the list. */
static bool
is_listed(const char *list, const char *command)
{
	const char *slash = strrchr(command, '/');
	const char *name = slash != NULL ? slash + 1 : command;
	size_t len = strlen(name);

	if (len < 5 || memcmp(name, "ctx-", 4) != 0)
		return false;
	name += 4;
	len -= 4;
	while (*list == ' ') {
		size_t listed = strcspn(++list, " ");

		if (listed == len && memcmp(list, name, len) == 0)
			return true;
		list += listed;
	}
	return false;
}

bool
profile_option_is_of(const struct profile_option *option, const char *command)
{
	return is_listed(option->commands, command);
}

bool
profile_option_is_ours(const char *command)
{
	return is_listed(ALL, command);
}
