#ifndef CHOICES_RECALL_COMMAND_H
#define CHOICES_RECALL_COMMAND_H

/* The command that a model types to read an entry of an archive: ctx-recall ARCHIVE KEY. */

#include "base/buf.h"

/* Appends the command for the archive at path, as words of a shell, up to the key. */
void recall_command_add(struct buf *buf, const char *path);

#endif
