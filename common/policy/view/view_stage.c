#include "policy/view/view_stage.h"

static bool
decide(struct window *window, uint32_t index)
{
	struct view_stage *stage = (struct view_stage *)window;
	struct session *t = &window->held.session;
	enum term_answer answer;

	if (t->entry[index].kind != RECORD_MESSAGE)
		return true;
	answer = view_ask(stage->choice, t, index);
	t->entry[index].is_dropped = answer == TERM_NO;
	return answer != TERM_UNKNOWN;
}

void
view_stage_init(struct view_stage *stage, struct view_choice *choice)
{
	*stage = (struct view_stage){.choice = choice};
	window_init(&stage->window, decide);
}

void
view_stage_free(struct view_stage *stage)
{
	window_free(&stage->window);
}
