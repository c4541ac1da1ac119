#ifndef DIALECTS_ANTHROPIC_REQUEST_H
#define DIALECTS_ANTHROPIC_REQUEST_H

/* Request bodies of the Messages API of Anthropic. */

#include "dialects/request.h"

extern const struct request_api anthropic_request_api;

#endif
