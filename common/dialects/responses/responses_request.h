#ifndef RESPONSES_RESPONSES_REQUEST_H
#define RESPONSES_RESPONSES_REQUEST_H

/* How the Responses API of OpenAI spells requests. */

#include "dialects/request/request.h"

extern const struct request_api responses_request_api;

#endif
