#include "history.h"

#include <stdlib.h>

#include "base/mem.h"

struct history *
history_new(const char *leaf, const char *agent, const struct common_options *common,
    struct stage ***stages)
{
	struct history *history = mem_alloc(1, sizeof *history);

	leaf_init(&history->leaf, leaf);
	if (agent != NULL)
		walk_set_agent(&history->leaf.walk, str_from(agent));
	run_set_walk(&history->leaf.walk, common);
	tombstone_init(&history->tombstone, false);
	*(*stages)++ = &history->leaf.stage;
	if (common->forgotten == FORGOTTEN_HIDE)
		*(*stages)++ = &history->tombstone.stage;
	return history;
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
history_free(struct history *history)
{
	if (history == NULL)
		return;
	leaf_free(&history->leaf);
	tombstone_free(&history->tombstone);
	free(history);
}
