#ifndef OPENAI_OPENAI_REQUEST_H
#define OPENAI_OPENAI_REQUEST_H

/* Request bodies of the chat API of OpenAI. */

#include "dialects/request/request.h"

extern const struct request_api openai_request_api;

#endif
