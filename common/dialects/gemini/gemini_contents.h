#ifndef GEMINI_GEMINI_CONTENTS_H
#define GEMINI_GEMINI_CONTENTS_H

/*
 * Contents of the Gemini API and their parts as rows, which Gemini CLI has in its files, too:
 *
 *     {"role":"user","parts":[{"text":…},{"functionResponse":{"id":…,"name":…,"response":{…}}}]}
 *     {"role":"model","parts":[{"text":…,"thought":true},{"functionCall":{"name":…,"args":{…}}}]}
 *
 * Programs in Python spell the names with _ (google-genai, types.py). A content without a role is
 * the user's. A result without an id is of the oldest call without one. Where results stand in a
 * content, each of its parts is a message.
 */

#include "dialects/rows/row_reader.h"

extern const struct row gemini_contents[];
extern const struct row gemini_contents_parts[];

#endif
