#ifndef POLICY_DIGEST_SECTION_H
#define POLICY_DIGEST_SECTION_H

/*
 * The content of an artifact, one row for each section: how the section is read from the earlier
 * artifact, gathered, shown, and kept as a fact. The sections come in this order, each in its part
 * of the room:
 *
 *     constraints            what forbids or obliges, verbatim, then what should be: in the room of
 *                            rules, which others get last
 *     instructions           what instruction files of the project that were read forbid or oblige,
 *                            in what is left of that room, and no more than the room of files
 *     text                   the text of a command, whole, in no part of the room; or
 *                     1/5    that of the artifact before
 *     goal, latest           the start of the first request, and of the newest one
 *     files_read …    1/4    files, failures still open, which double the part, what git said, and
 *        attempts            calls that were made again
 *     todos           1/10   the open items of the last list, unless a later list is there
 *     checks          1/10   the last builds and tests
 *     outline         rest   the events, in order
 *
 * Symbols replace text, goal, to-dos, checks and outline: the newest symbols that fit, in their
 * order, after a line that counts the messages without a symbol. All symbols of a command are
 * shown, and count toward no part of the room.
 *
 * If constraints take more than a quarter of the room, the parts of the others are parts of 4/3 of
 * the rest. If only names are shown, they have all of the room.
 *
 * For outline and symbols, which are the last lines, the facts hold the number of lines; for the
 * others, the things themselves.
 */

#include "policy/digest/gather.h"

enum section_form {
	SECTION_OF_RULES, /* the newest that there is room for, in their order, strict ones first */
	SECTION_OF_FIRST, /* the first that there is room for */
	SECTION_OF_NEWEST, /* the newest, that one first; the last may lose its middle */
	SECTION_OF_TEXT,   /* a text, whole when it is that of a command, else as the newest */
	SECTION_OF_START,  /* a line after the title */
	SECTION_OF_NAMES,  /* a line of names (policy/facts/facts_text.h) */
	SECTION_OF_PLACES, /* not shown: of the log that the artifact is of alone */
	SECTION_OF_OUTLINE,
	SECTION_OF_SYMBOLS
};

/* The calls that say something: all, those with a result that the user did not refuse, those that
 * succeeded. */
enum section_calls { SECTION_ALL, SECTION_ENDED, SECTION_DONE };

struct section {
	struct str member; /* of the facts; "": it is none */
	const char *title; /* of its lines; NULL: it has none */
	uint8_t form;      /* enum section_form */
	uint8_t views;     /* bits of enum gather_view */
	uint8_t part;      /* it has one part in so many of the room */
	uint8_t turn;      /* of names: whose turn it is to get room, from 0 */
	uint8_t most;      /* things that are kept, the newest; 0: all */
	bool is_json;      /* the things are JSON values; else texts */
	bool is_always;    /* the member is written, where there are none, too */
	bool is_path;      /* the names are paths */
	uint8_t calls;     /* enum section_calls: those that add takes */
	void (*add)(struct facts *facts, const struct session *session, uint32_t call);
	void (*read)(struct facts *facts, struct json_value from); /* NULL: as things */
	void (*gather)(struct gather_source *g, struct json_value from);
	bool (*show)(struct str item, struct buf *out); /* NULL: as a name */
};

extern const struct section section_table[FACTS_SECTIONS];

/* rules are wordings of the user, or NULL (policy/constraints/constraints.h). */
void section_open(struct facts *facts, struct phrases *rules, const struct attempts *attempts);
void section_close(struct facts *facts);

/* Merges the facts of the artifact that is replaced. */
void section_read(struct facts *facts, struct json_value from);

/* Finds the places and the parts of the messages; call after section_read. artifact is the entry of
 * the artifact that is replaced, or NONE. */
void section_begin(struct facts *facts, const struct session *session, uint32_t artifact);

/* Merges the facts of an entry that is dropped. */
void section_add(struct facts *facts, const struct session *session, uint32_t entry);

/* Gathers all other content of the view. Without room, a digest has rules only. */
void section_gather(struct gather_source *g, enum gather_view view);

/* Writes the members into an open object. With measured, the lists are left empty. */
void section_write(
    const struct facts *facts, const struct gather *gather, bool measured, struct json_writer *w);

/* Bytes that the lists and the ranges of places take between their brackets. */
size_t section_len(const struct facts *facts);

#endif
