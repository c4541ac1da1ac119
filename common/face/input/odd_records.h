#ifndef INPUT_ODD_RECORDS_H
#define INPUT_ODD_RECORDS_H

/*
 * Records that a filter passes without understanding them, and that may be part of a session. Then
 * the input may be of another format: the format that they look like is reported.
 */

#include "data/record.h"

enum odd_records_kind {
	ODD_RECORDS_UNKNOWN, /* a message of an unknown shape (message_is_unknown) */
	ODD_RECORDS_MIXED,   /* beside messages: one with the sign of a dialect, and with text */
	ODD_RECORDS_BLOCKS,  /* beside canonical messages: one that only another dialect has */
	ODD_RECORDS_KINDS,
};

struct odd_records {
	struct {
		uint64_t count;
		struct line line;  /* file and number of the first one's line */
		const char *looks; /* the dialect that it looks like, or NULL */
	} kind[ODD_RECORDS_KINDS];
	bool has_canonical;     /* a message is canonical and of no other dialect */
	bool reads_others;      /* the command reads other dialects, and names unread records */
	uint64_t foreign;       /* foreign records, since they were forgotten */
	const char *looks_like; /* the dialect of the first of them, or NULL */
};

/* Looks at a message or a foreign record. */
void odd_records_note(
    struct odd_records *odd, const struct message *message, const struct line *line);

/* Whether the message has members that only canonical ones have. A message that a filter added to
 * messages of another dialect does not count. */
bool odd_records_is_canonical(const struct message *message);

bool odd_records_are_any(const struct odd_records *odd);

/* Reports them. Returns whether there are any. */
bool odd_records_say(const struct odd_records *odd);

/* Forgets the dialect of the foreign records: the next records are of another session. */
void odd_records_forget_foreign(struct odd_records *odd);

/* Forgets everything else: the next records are of another operand. */
void odd_records_forget(struct odd_records *odd);

#endif
