#ifndef DIALECTS_OPENAI_REQUEST_H
#define DIALECTS_OPENAI_REQUEST_H

/* Request bodies of the chat API of OpenAI. */

#include "dialects/request.h"

extern const struct request_api openai_request_api;

#endif
