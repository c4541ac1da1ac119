#ifndef POLICY_DIGEST_GATHER_H
#define POLICY_DIGEST_GATHER_H

/*
 * The content of an artifact besides the facts of each message. It is gathered from the session
 * after the drops and from the earlier artifact, for one view:
 *
 *     names     what truncate leaves: nothing is gathered
 *     digest    what happened, and what was asked and decided
 *     symbols   a line for each message (policy/digest/symbol.h), the newest first, in place of
 *               most of these
 *
 * The text of a command (gather_tell) replaces the text of an earlier artifact, and the symbols of
 * a command replace the built-in lines.
 */

#include "policy/facts/facts.h"
#include "policy/outline/outline.h"

enum gather_view { GATHER_NAMES = 1, GATHER_DIGEST = 2, GATHER_SYMBOLS = 4 };

struct gather {
	enum gather_view view;
	struct things
	    list[FACTS_SECTIONS]; /* shown in place of the facts' where a section is gathered */
	size_t files_room;        /* bytes of the rules of the project's files */
	uint8_t *rule;            /* notes of digest.c about each constraint, or NULL */
	bool is_open;             /* what is gathered is; else the facts stand for it */
	bool splits_turn;         /* the first part of a turn was dropped, and the rest stays */
	bool is_told;             /* a command wrote the text, not the earlier artifact */
	struct outline outline;   /* of the dropped messages */
	struct str *symbol;       /* in the arena, the newest first */
	uint32_t symbols, symbols_cap;
	uint32_t told_symbols; /* how many of these, the newest ones, a command wrote */
	uint32_t lines; /* of outline or symbols, at the end of the text that was written last */
	struct arena arena;
};

/* What is gathered from. */
struct gather_source {
	struct gather *gather;
	const struct session *session;
	const struct facts *facts;
	const struct framing *framing;
	uint32_t newest_user, artifact; /* entries, or NONE; the artifact is the earlier one */
	uint32_t place;                 /* the entry after the artifact */
	size_t room;                    /* in bytes: symbols do not get much longer */
	struct str told;                /* symbols of a command, a line each; "": none */
};

/* Gathers what belongs to no section: whether a turn is split. */
void gather_open(struct gather_source *g, enum gather_view view);
void gather_close(struct gather *gather);

/* Each gathers a section; from is the member of the earlier artifact. */
void gather_constraints(struct gather_source *g, struct json_value from);
void gather_summary(struct gather_source *g, struct json_value from);
void gather_goal(struct gather_source *g, struct json_value from);
void gather_latest(struct gather_source *g, struct json_value from);
void gather_todos(struct gather_source *g, struct json_value from);
void gather_outline(struct gather_source *g, struct json_value from);

/* The command's lines are indented, so that none can be mistaken for another line of the
 * artifact. */
void gather_symbols(struct gather_source *g, struct json_value from);

/* Adds the text of a command. */
void gather_tell(struct gather *gather, struct str text);

#endif
