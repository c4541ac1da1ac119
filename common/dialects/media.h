#ifndef DIALECTS_MEDIA_H
#define DIALECTS_MEDIA_H

/*
 * Images and files as content parts, from one API's spelling to the other's:
 *
 *     {"type":"image","source":{"type":"base64","media_type":T,"data":D}}      Anthropic
 *     {"type":"image_url","image_url":{"url":"data:T;base64,D"}}               OpenAI
 */

#include "base/buf.h"
#include "json/walk.h"

/* Appends the part as an Anthropic block; false, and nothing, when it is no image or file that
 * OpenAI has and Anthropic can take. */
bool media_to_anthropic(struct json_value part, struct buf *buf);

/* The other way round. */
bool media_to_openai(struct json_value part, struct buf *buf);

#endif
