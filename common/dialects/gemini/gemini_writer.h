#ifndef GEMINI_GEMINI_WRITER_H
#define GEMINI_GEMINI_WRITER_H

/*
 * Writes contents of the Gemini API. Neighbours of one role are one content: the results of
 * parallel calls, in the order of these, and what the user says behind them. Of thinking what has
 * Gemini's own signature is sent, and the rest is counted. What the system says is a content of the
 * role system, which a request has as its systemInstruction.
 */

#include "dialects/dialect.h"

enum { GEMINI_NAME_MAX = 64 };

struct dialect_stage *gemini_writer(void);

#endif
