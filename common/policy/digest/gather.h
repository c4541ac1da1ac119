#ifndef POLICY_DIGEST_GATHER_H
#define POLICY_DIGEST_GATHER_H

/*
 * What a digest may say of the messages that were dropped, gathered from the session as it is when
 * the dropping is done, the newest first. Each list has what fits into its room and what an earlier
 * artifact said behind it, so that a session that is compacted again and again keeps the newest.
 *
 *     checks      commands that build or test, with their outcome: at most five
 *     outline     what happened, a few lines a step (policy/digest/outline.h)
 *     symbols     a line for each message (policy/digest/symbol.h), in place of all of these
 *     earlier     the text that a command wrote for an earlier artifact: at most one
 *
 * With the text of a command for this one (gather_tell), that text takes the place of the earlier
 * one.
 *
 * With its symbols (gather_tell_symbols), those take the place of the built-in lines.
 */

#include "policy/facts/facts.h"
#include "policy/digest/outline.h"

struct gather_list {
	struct str *item; /* in the arena, the newest first */
	uint32_t count, cap;
};

struct gather {
	struct str goal;   /* the start of what the user asked first; "": nothing */
	struct str latest; /* the start of what the user asked last, where that is not the goal */
	bool splits_turn;  /* a turn's first part is gone, and its rest is there */
	struct gather_list checks, symbols, earlier;
	struct outline outline;    /* of what was dropped; without the text of a command */
	struct str told;           /* the text of a command; "": none */
	uint32_t told_symbols;     /* of the symbols, the newest ones: those of a command */
	bool has_symbols;          /* symbols and constraints are gathered, and nothing else */
	struct things constraints; /* those of the facts that no kept message says or overrides */
	struct arena arena;
};

/* artifact is the entry of the earlier artifact, or NONE. room is in bytes: no list gets much
 * longer, and where there is none nothing is gathered. */
void gather_open(struct gather *gather, const struct session *session, const struct facts *facts,
    const struct framing *framing, uint32_t newest_user, uint32_t artifact, size_t room);

/* The same for symbols. artifact is the entry of the earlier artifact, or NONE: its facts say how
 * many lines at the end of its text are symbols. */
void gather_open_symbols(struct gather *gather, const struct session *session,
    const struct facts *facts, uint32_t artifact, size_t room);

/* Adds the text of a command. */
void gather_tell(struct gather *gather, struct str text);

/* Does what gather_open_symbols does, with the lines of a command for what went. They are indented,
 * so that none passes for another line of the artifact. Without any there are the earlier ones. */
void gather_tell_symbols(struct gather *gather, const struct session *session,
    const struct facts *facts, uint32_t artifact, struct str lines);

void gather_close(struct gather *gather);

#endif
