#include "history.h"

#include <stdlib.h>

#include "base/mem.h"

const char *const history_forgotten[] = {"hide", "show", NULL};

struct stage **
history_open(struct history *history, const struct history_options *options, const char *agent,
    const struct common_options *common, struct stage **stages)
{
	*history = (struct history){.leaf = NULL};
	if (options->leaf != NULL) {
		history->leaf = mem_alloc(1, sizeof *history->leaf);
		leaf_init(history->leaf, options->leaf);
		if (agent != NULL)
			walk_set_agent(&history->leaf->sieve.walk, str_from(agent));
		run_set_walk(&history->leaf->sieve.walk, common);
		*stages++ = &history->leaf->sieve.stage;
	}
	if (options->forgotten == HISTORY_HIDE) {
		tombstone_init(&history->tombstone);
		*stages++ = &history->tombstone.stage;
	}
	return stages;
}

bool
history_end(struct run *run)
{
	if (run->fault.status != STATUS_NO) /* no failure of the run: there is no such leaf */
		return true;
	diag_warn("%.*s", STR_ARG(buf_str(&run->fault.text)));
	fault_free(&run->fault);
	run_fail(run, STATUS_NO);
	return false;
}

void
history_close(struct history *history)
{
	if (history->leaf != NULL)
		leaf_free(history->leaf);
	free(history->leaf);
	tombstone_free(&history->tombstone);
}
