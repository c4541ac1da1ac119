#include "history.h"

#include <stdlib.h>

#include "base/mem.h"

const char *const history_forgotten[] = {"hide", "show", NULL};

static void
add(struct history *history, struct sieve *sieve, const char *agent,
    const struct common_options *common)
{
	if (agent != NULL)
		walk_set_agent(&sieve->walk, str_from(agent));
	run_set_walk(&sieve->walk, common);
	history->stage[history->count++] = &sieve->stage;
}

void
history_open(struct history *history, const struct history_options *options, const char *agent,
    const struct common_options *common)
{
	*history = (struct history){.options = options};
	if (options->leaf != NULL) {
		history->leaf = mem_alloc(1, sizeof *history->leaf);
		leaf_init(history->leaf, options->leaf);
		add(history, &history->leaf->sieve, agent, common);
	}
	if (options->forgotten == HISTORY_HIDE) {
		tombstone_init(&history->tombstone);
		add(history, &history->tombstone.sieve, agent, common);
	}
}

void
history_end(struct run *run)
{
	if (run->fault.status != STATUS_NO) /* no failure of the run: there is no such leaf */
		return;
	diag_warn("%.*s", STR_ARG(buf_str(&run->fault.text)));
	fault_free(&run->fault);
	run_fail(run, STATUS_NO);
	run->selects = false;
}

void
history_close(struct history *history)
{
	if (history->leaf != NULL)
		leaf_free(history->leaf);
	free(history->leaf);
	if (history->options->forgotten == HISTORY_HIDE)
		tombstone_free(&history->tombstone);
}
