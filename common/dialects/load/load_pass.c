#include "dialects/load/load_pass.h"

static void
drop(struct stage *stage, struct record *record)
{
	(void)stage;
	(void)record;
}

void
load_pass_open(struct load_pass *pass, const struct dialect *dialect, struct fault *fault)
{
	*pass = (struct load_pass){.last = {.take = drop, .end = stage_pass_end, .fault = fault}};
	pass->reading.skipped = pass->reading.sealed = &pass->counts;
	pass->reader = dialect_reader_open(dialect, &pass->reading);
	load_init(&pass->load, dialect->load);
	stage_link((struct stage *const[]){&pass->load.stage, &pass->reader->stage,
		       &pass->load.census, NULL},
	    &pass->last, fault);
}

void
load_pass_open_brief(struct load_pass *pass, const struct dialect *dialect, struct fault *fault)
{
	*pass = (struct load_pass){.last = {.take = drop, .end = stage_pass_end, .fault = fault}};
	load_init(&pass->load, dialect->load);
	pass->load.is_brief = true;
	stage_link((struct stage *const[]){&pass->load.stage, NULL}, &pass->last, fault);
}

static void
free_reader(struct load_pass *pass)
{
	if (pass->reader == NULL)
		return;
	pass->reader->free(pass->reader);
	pass->reader = NULL;
	buf_free(&pass->reading.flaws);
}

bool
load_pass_end(struct load_pass *pass)
{
	struct buf findings = BUF_INIT;

	if (!fault_is_set(pass->last.fault))
		stage_end(&pass->load.stage);
	if (pass->load.is_brief)
		load_reach(&pass->load);
	else
		load_end(&pass->load, &findings);
	buf_free(&findings);
	free_reader(pass);
	return !fault_is_set(pass->last.fault);
}

void
load_pass_free(struct load_pass *pass)
{
	free_reader(pass);
	load_free(&pass->load);
}
