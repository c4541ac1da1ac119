#include "policy/view/agent_view.h"

static bool
is_visible(struct agent_view *view, const struct message *message)
{
	struct verdict verdict;

	walk_add(&view->walk, message, &verdict);
	return !verdict.outside && (!view->only_trace || verdict.is_trace);
}

static void
take(struct stage *stage, struct record *record)
{
	struct agent_view *view = (struct agent_view *)stage;
	struct message read;

	if (record->kind != RECORD_MESSAGE || is_visible(view, record_message(record, &read)))
		stage_emit(stage, record);
}

void
agent_view_init(struct agent_view *view, const char *agent, bool only_trace)
{
	*view = (struct agent_view){
	    .stage = {.take = take, .end = stage_pass_end}, .only_trace = only_trace};
	walk_init(&view->walk);
	if (agent != NULL)
		walk_set_agent(&view->walk, str_from(agent));
}

void
agent_view_free(struct agent_view *view)
{
	walk_free(&view->walk);
}
