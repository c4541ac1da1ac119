#ifndef CTX_SHOW_WHOLE_H
#define CTX_SHOW_WHOLE_H

/*
 * Whole messages: a rule with the kind of the message, and all its texts, one below the other:
 *
 *     ──────── 3 tool · read src/gauge.c (lines 40-95) ─── 2026-11-23 09:02:11 · 312 tokens ──
 *     static void
 *     reset(struct gauge *gauge)
 */

#include "face/terminal/screen.h"
#include "steps.h"

struct whole {
	struct screen *screen;
	bool has_members; /* metadata and all other members are shown, too */
	bool is_beside;   /* the last addition is no text of the message */
	struct buf head, text;
};

void whole_init(struct whole *whole, struct screen *screen, bool has_members);

/* Adds the step to the screen. */
void whole_add(struct whole *whole, const struct step *step);

void whole_free(struct whole *whole);

#endif
