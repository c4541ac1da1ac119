#ifndef BUDGET_SESSION_MODEL_H
#define BUDGET_SESSION_MODEL_H

/*
 * The model of a session: the newest model that an answer names and the tables have, since the next
 * request most likely goes to that model. Other names, such as <synthetic>, say nothing. Answers of
 * other agents do not count. Where no option says a window, this model's window is the default.
 */

#include "data/session/session.h"
#include "policy/budget/models.h"

struct session_model {
	const struct models *models; /* NULL: nothing is noted */
	const struct model *found;   /* the newest known one, or NULL */
	struct buf last;             /* the name that was noted last, as JSON */
};

/* Begins without a model. models may be NULL; else it must live as long as the model that is
 * found. */
void session_model_init(struct session_model *named, const struct models *models);

/* Notes the next message of the agent whose window is measured. */
void session_model_note(struct session_model *named, const struct message *message);

/* The same for the answers of a whole session, from the newest one on. */
void session_model_find(struct session_model *named, const struct session *session);

void session_model_free(struct session_model *named);

#endif
