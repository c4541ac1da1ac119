#include "tokens/estimator.h"

enum { COMMAND_TIMEOUT = 60 };

static const struct {
	const char *name;
	enum estimator_kind kind;
} kinds[] = {
    {"o200k_base", ESTIMATOR_O200K},
    {"o200k_harmony", ESTIMATOR_O200K}, /* the same but for special tokens */
    {"cl100k_base", ESTIMATOR_CL100K},
    {"bytes/4", ESTIMATOR_BYTES4},
    {"usage", ESTIMATOR_USAGE},
    {"calibrated", ESTIMATOR_CALIBRATED},
};

bool
estimator_init(struct estimator *estimator, const char *name)
{
	*estimator = (struct estimator){.name = name,
	    .ratio = 1,
	    .image_tokens = TOKENS_PER_IMAGE,
	    .command_timeout = COMMAND_TIMEOUT};
	if (strncmp(name, "cmd:", 4) == 0 && name[4] != '\0') {
		estimator->kind = ESTIMATOR_COMMAND;
		estimator->command = name + 4;
		return true;
	}
	for (size_t i = 0; i < ARRAY_COUNT(kinds); i++)
		if (strcmp(kinds[i].name, name) == 0) {
			estimator->kind = kinds[i].kind;
			return true;
		}
	return false;
}

/* The open counters. The stages of one process meet the same texts, so that the pieces that a
 * counter remembers from one stage are of use to the next. */
static struct shared_counter {
	const char *encoding;
	struct token_counter *counter;
	unsigned users;
} shared[] = {{"o200k_base", NULL, 0}, {"cl100k_base", NULL, 0}};

bool
estimator_open(struct estimator *estimator, struct fault *fault)
{
	struct shared_counter *own = &shared[estimator->kind == ESTIMATOR_CL100K];

	estimator->fault = fault;
	if (estimator->kind == ESTIMATOR_BYTES4 || estimator->kind == ESTIMATOR_COMMAND)
		return true;
	if (own->users == 0 && !tokens_open(&own->counter, own->encoding, fault))
		return false;
	own->users++;
	estimator->counter = own->counter;
	return true;
}

void
estimator_close(struct estimator *estimator)
{
	for (size_t i = 0; estimator->counter != NULL && i < ARRAY_COUNT(shared); i++)
		if (shared[i].users > 0 && shared[i].counter == estimator->counter &&
		    --shared[i].users == 0)
			tokens_close(shared[i].counter);
	estimator->counter = NULL;
	buf_free(&estimator->text);
}

struct estimator *
estimator_share(struct estimator *estimator, struct estimator *own)
{
	if (!estimator_learns(estimator))
		return estimator;
	*own = *estimator;
	own->text = (struct buf)BUF_INIT;
	return own;
}

void
estimator_free_own(struct estimator *own)
{
	buf_free(&own->text);
}
