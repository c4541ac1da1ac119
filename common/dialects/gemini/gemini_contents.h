#ifndef GEMINI_GEMINI_CONTENTS_H
#define GEMINI_GEMINI_CONTENTS_H

/*
 * Rows for contents of the Gemini API and for their parts. Gemini CLI has them in its files, too:
 *
 *     {"role":"user","parts":[{"text":…},{"functionResponse":{"id":…,"name":…,"response":{…}}}]}
 *     {"role":"model","parts":[{"text":…,"thought":true},{"functionCall":{"name":…,"args":{…}}}]}
 *
 * Programs in Python spell the names with _ (google-genai, types.py). A content without a role is
 * the user's. A result without an id answers the oldest call without one. If a content has results,
 * each of its parts becomes a message.
 */

#include "dialects/rows/row_reader.h"

extern const struct row gemini_contents[];
extern const struct row gemini_contents_parts[];

/* For the parts of a message: results, too. */
extern const struct row gemini_contents_results[];

#endif
