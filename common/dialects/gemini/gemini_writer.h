#ifndef GEMINI_GEMINI_WRITER_H
#define GEMINI_GEMINI_WRITER_H

/*
 * Writes contents of the Gemini API. Neighbours of one role become one content: so do the results
 * of parallel calls, in the order of the calls, and the user's message after them. Thinking with
 * Gemini's own signature is written; other thinking is dropped and counted. System messages become
 * a content of the role system, which is the systemInstruction of a request.
 */

#include "dialects/dialect.h"

enum { GEMINI_NAME_MAX = 64 };

struct dialect_stage *gemini_writer(void);

#endif
