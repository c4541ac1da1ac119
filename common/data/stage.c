#include "data/stage.h"

void
stage_link(struct stage *const *stages, struct fault *fault)
{
	for (; *stages != NULL; stages++) {
		(*stages)->next = stages[1];
		(*stages)->fault = fault;
	}
}

void
stage_end(struct stage *first)
{
	for (struct stage *stage = first; stage != NULL; stage = stage->next)
		if (!fault_is_set(stage->fault))
			stage->end(stage);
}
