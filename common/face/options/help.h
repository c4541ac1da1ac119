#ifndef OPTIONS_HELP_H
#define OPTIONS_HELP_H

/*
 * The help of a command, from its struct: --help has all options under their headings, -h only
 * those that matter most, on one screen.
 */

#include "base/buf.h"
#include "face/command.h"

void help_write(const struct command *command, struct buf *buf);
void help_write_short(const struct command *command, struct buf *buf);

#endif
