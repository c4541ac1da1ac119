#ifndef TOKENS_DATADIR_H
#define TOKENS_DATADIR_H

/* The directory where the vocabularies are installed; empty in a program that is not installed. For
 * make install the commands are linked with a datadir.o of their own. */
extern const char datadir[];

#endif
