#ifndef CTX_NORMALIZE_ACCOUNT_H
#define CTX_NORMALIZE_ACCOUNT_H

/*
 * What became of the records that came in: which were not understood, which are no conversation,
 * and what an earlier compaction left out.
 */

#include "dialects/dialect.h"
#include "dialects/unread.h"
#include "face/run.h"

struct account {
	struct run *run;
	const struct dialect_reading *reading;
	struct unread *unread;
	uint64_t unread_said; /* lines that were not understood and are said */
};

/* Names what was not understood since the last call; sets the run's status to 65 when it names
 * any. */
void account_say_unread(struct account *account);

/* At the end: how many lines were not named, and with -v the whole account. */
void account_say(const struct account *account);

/* Writes it as members of the report. */
void account_write(const struct account *account, struct json_writer *report);

#endif
