#ifndef ANTHROPIC_ANTHROPIC_REQUEST_H
#define ANTHROPIC_ANTHROPIC_REQUEST_H

/* Request bodies of the Messages API of Anthropic. */

#include "dialects/request/request.h"

extern const struct request_api anthropic_request_api;

#endif
