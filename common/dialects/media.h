#ifndef DIALECTS_MEDIA_H
#define DIALECTS_MEDIA_H

/*
 * Images and files as content parts, converted from the spelling of one API to that of the other:
 *
 *     {"type":"image","source":{"type":"base64","media_type":T,"data":D}}      Anthropic
 *     {"type":"image_url","image_url":{"url":"data:T;base64,D"}}               OpenAI
 */

#include "base/buf.h"
#include "json/walk.h"

/* Appends the part as an Anthropic block; false, and nothing, when it is no image or file that
 * OpenAI has and Anthropic can take. */
bool media_to_anthropic(struct json_value part, struct buf *buf);

/* The same from Anthropic to OpenAI. */
bool media_to_openai(struct json_value part, struct buf *buf);

#endif
