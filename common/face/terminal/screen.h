#ifndef TERMINAL_SCREEN_H
#define TERMINAL_SCREEN_H

/*
 * Text of records on a screen: lines, wrapped or not, rules, members. All characters are written in
 * their visible form (base/text/visible.h), except line feeds and tabs, which stay.
 */

#include "base/buf.h"
#include "face/terminal/cells.h"
#include "face/terminal/terminal.h"
#include "json/value.h"

struct screen {
	struct terminal terminal;
	unsigned wrap; /* columns of texts; 0: their lines stay whole */
	struct buf text;
	struct buf line, scratch;
};

/* The separator of words in a line: " · ". */
struct str screen_joint(const struct screen *screen);

/* Adds a line of the width of the screen, "──── left ──────── right ──", or two where both words do
 * not fit; right may be "". */
void screen_rule(struct screen *screen, struct str left, struct str right, enum cells_paint paint);

/* Adds a line that names the kind of the lines after it: "── thinking". */
void screen_label(struct screen *screen, struct str what);

/* Adds the lines of the text, each with the prefix in front. */
void screen_lines(
    struct screen *screen, struct str text, struct str prefix, enum cells_paint paint);

/* Adds the JSON of a value, an element or a member a line. */
void screen_json(struct screen *screen, struct json_value value, struct str prefix);

/* Adds the members of an object, each on lines of its own: "name: value". Texts that an edit takes
 * out and puts in, members that begin with "old" and "new", are a diff. */
void screen_members(struct screen *screen, struct json_value object, struct str prefix);

void screen_free(struct screen *screen);

#endif
