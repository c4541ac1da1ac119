#include "builtin.h"

#include <stddef.h>
#include <string.h>

const struct builtin builtins[] = {
    {"pragmatic", "the reasoning view",
	"# pragmatic: the reasoning view, with the trace of the execution that goes on.\n"
	"\n"
	"view: ctx-project\n"},
    {"budget", "old traces isolated, the reasoning view, compacted to the budget",
	"# budget: the reasoning view, compacted when it is due. Old traces become artifacts\n"
	"# first, so that what they did is still known in the view.\n"
	"\n"
	"isolate: ctx-isolate\n"
	"view: ctx-project\n"
	"compact: ctx-compact\n"},
    {"policy", "each step by a policy of its own",
	"# policy: each step by a policy of its own. Traces of old executions are not hidden,\n"
	"# but become artifacts, and only the final responses stay of what was said.\n"
	"\n"
	"normalize: ctx-normalize\n"
	"view: ctx-project --trace all\n"
	"isolate: ctx-isolate --interim drop\n"
	"budget: ctx-budget\n"
	"compact: ctx-compact\n"},
    {NULL, NULL, NULL},
};

const struct builtin *
builtin_find(const char *name)
{
	for (const struct builtin *b = builtins; b->name != NULL; b++)
		if (strcmp(b->name, name) == 0)
			return b;
	return NULL;
}
