#ifndef PARTS_MEDIA_H
#define PARTS_MEDIA_H

/*
 * Images and files as content parts, converted from the spelling of one API to that of the other:
 *
 *     {"type":"image","source":{"type":"base64","media_type":T,"data":D}}      Anthropic
 *     {"type":"image_url","image_url":{"url":"data:T;base64,D"}}               OpenAI
 */

#include "base/buf.h"
#include "json/members.h"

/* Appends an image or file of OpenAI as an Anthropic block. Returns false, and appends nothing,
 * when the part is neither or Anthropic cannot take it. */
bool media_to_anthropic(struct json_value part, struct buf *buf);

/* The same in the other direction: Anthropic to OpenAI. */
bool media_to_openai(struct json_value part, struct buf *buf);

/* Appends the text of a document of Anthropic as a JSON string: of a text source, or of a base64
 * source of a type text/… in UTF-8. Returns false, and appends nothing, for any other part.
 * OpenAI's chat completions take only PDF files, and OpenAI says to send other files as text:
 * https://developers.openai.com/api/docs/guides/file-inputs */
bool media_text(struct json_value part, struct buf *buf);

#endif
