#ifndef TERMINAL_PROGRESS_H
#define TERMINAL_PROGRESS_H

/*
 * A line on standard error that says how far long work is:
 *
 *     ctx-budget: 412 MB of 1.2 GB read (34%), 180 MB/s
 *     ctx-compact: 1.2 GB read, at work for 12 s
 *     ctx-compact: the summarizer is at work for 12 s, of 120 s
 *
 * The line is shown when the work takes more than two seconds, standard error is a terminal, and
 * all operands are regular files: in a pipeline only the command that reads the file shows a line.
 * A timer paints the line; bytes on standard output do not depend on the clock. A process has one
 * line.
 */

#include "stream/input.h"

/* Starts the timer. in must live until progress_end, and is only read. */
void progress_start(const struct input *in);

/* Call before the first byte of a record goes to standard output: a terminal that shows records
 * shows no line, so the line is removed. */
void progress_give_way(void);

/* Between these two, the line is about a command that may take so many seconds (0: any time). This
 * line is shown whatever the operands are. The argument what names the command in the line, and
 * must live until progress_end_command. */
void progress_begin_command(const char *what, uint64_t seconds);
void progress_end_command(void);

/* Ends the timer and removes the line. Does nothing when no timer runs. */
void progress_end(void);

#endif
