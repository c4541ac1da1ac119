#ifndef TOKENS_DATADIR_H
#define TOKENS_DATADIR_H

/* Where the vocabularies were installed, an empty string in a program that is not installed: make
 * install links the commands with a datadir.o of its own. */
extern const char datadir[];

#endif
