#ifndef POLICY_DIGEST_GATHER_H
#define POLICY_DIGEST_GATHER_H

/*
 * What a digest may say of the messages that were dropped, gathered from the session as it is when
 * the dropping is done, the newest first. Each list has what fits into its room and what an earlier
 * artifact said behind it, so that a session that is compacted again and again keeps the newest.
 *
 *     users       texts of the user's messages
 *     decisions   texts of the assistant: at most three, final responses before others
 *     checks      commands that build or test, with their outcome: at most five
 *     names       names that the kept messages lack: first those that the assistant or the user
 *                 wrote, then those that only results had; names of shortened messages too
 *     symbols     a line for each message (policy/digest/symbol.h), in place of all of these
 *     earlier     the text that a command wrote for an earlier artifact: at most one
 *
 * With the text of a command for this one (gather_tell), that text takes the place of the earlier
 * one; names that it says are left out, and one more list is gathered:
 *
 *     used        names that went and that kept messages still have, and the text does not say
 *
 * With its symbols (gather_tell_symbols), those take the place of the built-in lines.
 */

#include "policy/compact/facts.h"

struct gather_list {
	struct str *item; /* in the arena, the newest first */
	uint32_t count, cap;
};

struct gather_name {
	struct str name;
	uint32_t call; /* the call that it was seen with, or NONE */
};

struct gather {
	struct str goal;   /* the start of what the user asked first; "": nothing */
	struct str latest; /* the start of what the user asked last, where that is not the goal */
	struct str next;   /* what the newest dropped answer says of its next step */
	bool splits_turn;  /* a turn's first part is gone, and its rest is there */
	struct gather_list users, decisions, checks, symbols, earlier, used;
	struct str told;           /* the text of a command; "": none */
	uint32_t told_symbols;     /* of the symbols, the newest ones: those of a command */
	bool has_symbols;          /* symbols and constraints are gathered, and nothing else */
	struct things constraints; /* those of the facts that no kept message says or overrides */
	struct gather_name *name;
	uint32_t name_count, name_cap;
	struct arena arena;
};

/* artifact is the facts of the earlier artifact, or absent. room is in bytes: no list gets much
 * longer, and where there is none nothing is gathered. */
void gather_open(struct gather *gather, const struct session *session, const struct facts *facts,
    const struct framing *framing, uint32_t newest_user, struct json_value artifact, size_t room);

/* The same for symbols. artifact is the entry of the earlier artifact, or NONE: its facts say how
 * many lines at the end of its text are symbols. */
void gather_open_symbols(struct gather *gather, const struct session *session,
    const struct facts *facts, uint32_t artifact, size_t room);

/* Adds the text of a command. */
void gather_tell(struct gather *gather, const struct session *session, struct str text);

/* Does what gather_open_symbols does, with the lines of a command for what went. They are indented,
 * so that none passes for another line of the artifact. Without any there are the earlier ones. */
void gather_tell_symbols(struct gather *gather, const struct session *session,
    const struct facts *facts, uint32_t artifact, struct str lines);

void gather_close(struct gather *gather);

#endif
