#include "data/stage.h"

void
stage_link(struct stage *const *stages, struct stage *last, struct fault *fault)
{
	for (; *stages != NULL; stages++) {
		(*stages)->next = stages[1] != NULL ? stages[1] : last;
		(*stages)->fault = fault;
	}
}

void
stage_pass_end(struct stage *stage)
{
	(void)stage;
}

void
stage_end(struct stage *first)
{
	for (struct stage *stage = first; stage != NULL; stage = stage->next)
		if (!fault_is_set(stage->fault))
			stage->end(stage);
}
