#ifndef CTX_NORMALIZE_ACCOUNT_H
#define CTX_NORMALIZE_ACCOUNT_H

/*
 * What became of the records of the input: which were not understood, which are no conversation,
 * and which stand before an earlier compaction and were left out.
 */

#include "dialects/dialect.h"
#include "dialects/unread.h"
#include "face/run.h"

struct account {
	struct run *run;
	struct dialect_reading *reading;
	struct unread *unread;
	const struct tally *dropped; /* what the writer could not keep */
	const uint64_t *joined;      /* messages that one record holds together */
	const char *joined_in;       /* what that record is called; NULL: a message is a record */
	uint64_t unread_said;        /* lines found that were not understood, and parts of lines */
	uint64_t flaws;              /* of these, the parts of lines */
};

/* Names the lines that were not understood since the last call. Any such line sets the run's
 * status to 65. */
void account_say_unread(struct account *account);

/* Called at the end. Says how many lines were not named, and with -v the whole account. */
void account_say(const struct account *account);

/* Writes the account as members of the report. */
void account_write(const struct account *account, struct json_writer *report);

#endif
