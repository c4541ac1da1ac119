#ifndef DIALECTS_REQUEST_BODY_H
#define DIALECTS_REQUEST_BODY_H

/*
 * Judges a request by the rules of an API: its members, system prompt, messages, tools and format
 * of the answer. A zeroed struct is ready for use.
 */

#include "base/arena.h"
#include "dialects/check/inspection.h"

struct request_body {
	struct buf text;
	struct buf canon[2];
	struct arena arena;
};

void request_body_judge(
    struct request_body *body, struct inspection *inspection, struct json_value request);

void request_body_free(struct request_body *body);

#endif
