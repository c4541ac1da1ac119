#ifndef TERMINAL_PAGER_H
#define TERMINAL_PAGER_H

/*
 * A pager for text that a person reads, as git has one: where standard output is a terminal, the
 * shell runs $CTX_PAGER, else $PAGER, else "less -RFX", and the output goes through the pager. No
 * pager runs if the variable is empty or "cat". The pager gets LESS=FRX unless LESS is set.
 * Diagnostics for the terminal go through the pager, too.
 *
 *     program -> pipe -> [ sh -c pager ] -> terminal
 *
 * When the reader leaves the pager, SIGPIPE ends the program, which says nothing. However the
 * program ends, the pager is waited for, so that the shell does not take the terminal from it.
 */

/* Starts the pager. Ask for the size of the terminal before: standard output is a pipe then. Where
 * the pager cannot be started, standard output does not change. */
void pager_start(void);

#endif
