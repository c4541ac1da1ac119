#ifndef OPTIONS_HELP_H
#define OPTIONS_HELP_H

/*
 * What a command prints about itself, from its struct: --help all options under their headings, -h
 * those alone that matter most, in what fits a screen.
 */

#include "base/buf.h"
#include "face/command.h"

void help_write(const struct command *command, struct buf *buf);
void help_write_short(const struct command *command, struct buf *buf);

#endif
