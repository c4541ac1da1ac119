/*
 * ctx-isolate keeps old tool traces from polluting the main thread. The transparent policy is the
 * identity and streams; boundary and mask hold the session.
 */
#include "face/filter.h"

enum policy { POLICY_BOUNDARY, POLICY_MASK, POLICY_TRANSPARENT };

struct options {
	struct common_options common;
	int policy;
	const char *execution;
};

static const char *const policies[] = {"boundary", "mask", "transparent", NULL};

static const struct option table[] = {
    {"policy", 0, "POLICY", "boundary (default), mask or transparent", OPTION_CHOICE,
	offsetof(struct options, policy), policies, 0},
    {"execution", 0, "ID", "the current execution: auto (default), last, none or an id",
	OPTION_STRING, offsetof(struct options, execution), NULL, 0},
    OPTIONS_COMMON,
    OPTIONS_END,
};

static const struct command command = {"ctx-isolate", "[option]... [file]...",
    "Keep old tool traces from polluting the main thread.", table};

int
main(int argc, char **argv)
{
	struct options options = {0};
	int first = options_parse(&command, argc, argv, &options);
	struct filter filter;

	filter_open(&filter, &options.common, argv + first, argc - first);
	while (filter_next(&filter))
		filter_pass(&filter);
	return filter_close(&filter);
}
