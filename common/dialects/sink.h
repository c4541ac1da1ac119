#ifndef DIALECTS_SINK_H
#define DIALECTS_SINK_H

/*
 * Where a reader puts the canonical records that it makes. The line lives until put returns, with
 * JSON_PADDING readable bytes behind it; its file and number are those of the source record.
 */

#include "stream/input.h"

struct sink {
	void (*put)(void *context, const struct line *line, bool is_bad);
	void *context;
};

#endif
