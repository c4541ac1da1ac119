#ifndef PLAIN_H
#define PLAIN_H

/*
 * Plain text instead of records: all operands together are one message of the user.
 */

#include "face/run.h"

/* Reads the input of the run to its end, and takes it through the stages as one message. Bytes that
 * are not UTF-8 become U+FFFD. Input without a byte is no message. Sets the fault, with status 65,
 * when the text is longer than a line may be. */
void plain_take(struct run *run);

#endif
