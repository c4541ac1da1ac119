#ifndef TOKENS_DATADIR_H
#define TOKENS_DATADIR_H

/* The directory where the vocabularies are installed; empty in a program that is not installed.
 * make install links the commands again, with another datadir.o. */
extern const char datadir[];

#endif
