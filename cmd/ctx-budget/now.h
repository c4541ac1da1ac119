#ifndef CTX_BUDGET_NOW_H
#define CTX_BUDGET_NOW_H

/*
 * The size of the context of a log that grows, for a status line: the file is read from its end, to
 * the last record that says how large the context is (dialects/figure.h). Only what stands behind
 * that record is counted, so the work does not depend on the length of the log.
 *
 *     [ .......................... answer with usage | result | result | unfinished li]
 *                                 ^from                                               ^end
 *
 * The last line may be unfinished, since an agent is writing it; it is left out. In memory is what
 * stands behind the figure, or the whole file when no record has one.
 */

#include "dialects/figure.h"
#include "data/stage.h"

/* Takes the messages behind the last figure of the file through stage, in any dialect that is
 * read. The answer that has the figure comes first. With forgets, those that later ones among them
 * forget do not come. Sets *figure; its kind is FIGURE_NONE when no record has one, and then all
 * messages of the file come. Sets the fault, with status 66 or 74, when the file cannot be read,
 * and with 64 when it is no regular file, or packed. Returns whether what was taken is not
 * understood: it has a message of an unknown shape, or no message among foreign or bad lines, of
 * which the unfinished one is one when it begins no object. */
bool now_read(const char *path, bool forgets, struct stage *stage, struct figure *figure,
    struct fault *fault);

#endif
