#ifndef ANTHROPIC_CACHE_MARKS_H
#define ANTHROPIC_CACHE_MARKS_H

/*
 * Marks for the provider's cache in a request body of Anthropic's API. A block with a member
 * cache_control ends a prefix that the provider keeps: tools, then the system prompt, then
 * messages. The API takes four such marks, and none on thinking or on blank text.
 * Source: platform.claude.com, "Prompt caching".
 */

#include <stdint.h>

#include "base/buf.h"

/* A place in the messages that a writer writes: after so many whole messages, and so many blocks of
 * the next one. */
struct cache_marks_place {
	uint64_t messages;
	uint64_t blocks;
};

/* Puts a mark after that place, then after the system prompt, then after the tools of the body,
 * until there are four. Marks that the body already has stay. body is the JSON text of the request,
 * with padding. */
void cache_marks_put(struct buf *body, struct cache_marks_place place);

#endif
