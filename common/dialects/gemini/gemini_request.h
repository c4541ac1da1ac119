#ifndef GEMINI_GEMINI_REQUEST_H
#define GEMINI_GEMINI_REQUEST_H

/* How the Gemini API spells requests. The URL names the model. */

#include "dialects/request/request.h"

extern const struct request_api gemini_request_api;

#endif
