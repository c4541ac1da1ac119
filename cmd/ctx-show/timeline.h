#ifndef CTX_SHOW_TIMELINE_H
#define CTX_SHOW_TIMELINE_H

/*
 * The timeline: the growth of the context, with a row for each turn, and more rows if a turn adds
 * much of the window. The bars are on the scale of the window, with lines at the target of
 * compaction, at the size where it is due, and at the end of the window. Below are the tools and
 * the files that have the most tokens.
 *
 *     time   turn     used  target 51,200 · soft 102,400 · window 128,000
 *     09:02     1   12,273  ███▏                ┊               ┊          │
 *     09:11     2   45,528  ██████████████▎     ┊               ┊          │
 *
 * All figures are those of ctx-budget (policy/budget/measure.h). Memory holds the rows, a row for
 * each tool and file, and the calls without a result.
 */

#include "base/hash/map.h"
#include "policy/budget/measure.h"
#include "face/terminal/screen.h"
#include "steps.h"

enum { TIMELINE_LARGEST = 5 }; /* tools and files that are shown */

struct timeline_row {
	uint64_t number; /* of the message (reading.h); 0: none */
	unsigned file;   /* the file of the message, from 0 */
	int64_t time;    /* milliseconds since 1970, or -1 */
	uint32_t turn;
	uint64_t used;
	/* messages that the artifact in this row replaces; 0: it is no artifact */
	uint64_t dropped;
};

/* A file, and the tokens of the calls that read or write it and of their results. */
struct timeline_file {
	struct str name;
	uint64_t tokens;
};

struct timeline {
	struct screen *screen;
	struct measure measure;
	struct timeline_row *row;
	size_t count, cap;
	struct timeline_file *file;
	size_t file_count, file_cap;
	struct map file_by_name;
	struct arena arena;
};

/* All arguments must live as long as the timeline. models are the models that the session may name,
 * or NULL. */
void timeline_init(struct timeline *timeline, struct screen *screen, struct estimator *estimator,
    const struct budget_limits *limits, const struct models *models);

void timeline_add(struct timeline *timeline, const struct step *step);

/* Whether row i is shown: the last row of a turn, a compaction, or a row that is far enough from
 * before, the tokens used in the row that was shown last. */
bool timeline_shows(const struct timeline *timeline, size_t i, uint64_t before, uint64_t window);

/* Puts the tools and the files with the most tokens first. */
void timeline_sort(struct timeline *timeline);

/* Adds the timeline to the screen; nothing if there was no message. */
void timeline_end(struct timeline *timeline);

void timeline_free(struct timeline *timeline);

#endif
