#ifndef CTX_BUDGET_NOW_H
#define CTX_BUDGET_NOW_H

/*
 * The size of the context of a growing log, for a status line: the file is read from its end, back
 * to the last record that states the size of the context (dialects/figure.h). Only the records
 * after that one are counted, so the work does not depend on the length of the log.
 *
 *     [ .......................... answer with usage | result | result | unfinished li]
 *                                 ^from                                               ^end
 *
 * The last line may be unfinished, since an agent is writing it; it is left out. Memory holds one
 * line on the way back to the figure; then the lines are read again, as from a file without --now.
 */

#include "dialects/figure.h"
#include "data/stage.h"

/* Passes the messages after the last figure of the file to stage, in any dialect that is read; the
 * answer with the figure is the first. With forgets, messages that later ones of these forget are
 * left out. Sets *figure; if no record has a figure, its kind is FIGURE_NONE, and all messages of
 * the file are passed. Sets the fault, with status 66 or 74, when the file cannot be read, and with
 * 64 when it is no regular file, or packed. Returns true if the records were not understood: there
 * is a message of an unknown shape, or there are foreign or bad lines and no message. An unfinished
 * last line that begins no object counts as bad. */
bool now_read(
    char *path, bool forgets, struct stage *stage, struct figure *figure, struct fault *fault);

#endif
