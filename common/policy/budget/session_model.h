#ifndef BUDGET_SESSION_MODEL_H
#define BUDGET_SESSION_MODEL_H

/*
 * The model of a session, as its own answers name it: the newest one of the tables, since the next
 * request most likely goes to that one. Other names, such as <synthetic>, say nothing. Answers of
 * other agents do not count. Where no option says a window, this model's window is the default.
 */

#include "data/session/session.h"
#include "policy/budget/models.h"

struct session_model {
	const struct models *models; /* NULL: nothing is noted */
	const struct model *found;   /* the newest known one, or NULL */
	struct buf last;             /* the name that was noted last, as JSON */
};

/* models may be NULL, and otherwise must live as long as what is found. Nothing is known yet. */
void session_model_init(struct session_model *named, const struct models *models);

/* Notes the next message of the agent whose window it is. */
void session_model_note(struct session_model *named, const struct message *message);

/* The same for the answers of a whole session, from the newest one on. */
void session_model_find(struct session_model *named, const struct session *session);

void session_model_free(struct session_model *named);

#endif
