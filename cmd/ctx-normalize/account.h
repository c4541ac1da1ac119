#ifndef CTX_NORMALIZE_ACCOUNT_H
#define CTX_NORMALIZE_ACCOUNT_H

/*
 * What became of the records of the input, of all its sessions: which were not understood, which
 * are no conversation, and which stand before an earlier compaction and were left out.
 */

#include "dialects/dialect.h"
#include "dialects/unread.h"
#include "face/run.h"
#include "policy/normalize/violation.h"

struct account {
	struct run *run;
	struct tally skipped;  /* of the readers */
	struct tally passed;   /* foreign records */
	struct tally dropped;  /* what the writers could not keep */
	bool has_other;        /* some of the input was in another format */
	uint64_t made;         /* messages that went on */
	uint64_t compacted;    /* messages that an earlier compaction took out */
	uint64_t left;         /* messages of branches that the user left */
	uint64_t joined;       /* messages that one record holds together */
	const char *joined_in; /* what that record is called; NULL: a message is a record */
	uint64_t unread_said;  /* lines found that were not understood, and parts of lines */
	uint64_t flaws;        /* of these, the parts of lines */
	uint64_t unread;       /* of these, the lines */
	uint64_t mended;       /* torn lines */
	bool is_folded_said;   /* that a record stands over several lines */
	struct buf left_out;   /* names that were said last to be left out */
	/* What --untrusted stripped: */
	uint64_t metadata, contexts, budgets, agents;
	uint64_t found[VIOLATION_COUNT];
};

/* Names the lines of a session that were not understood since the last call. Any such line sets
 * the run's status to 65. */
void account_say_unread(
    struct account *account, struct dialect_reading *reading, struct unread *unread);

/* Says that members with these names have no place in a request of that dialect, unless that was
 * said last. */
void account_leave_out(struct account *account, const char *dialect, struct str names);

/* Adds what was read of a session that has ended. */
void account_add(
    struct account *account, const struct dialect_reading *reading, const struct unread *unread);

/* Called at the end. Says how many lines were not named, and with -v the whole account. */
void account_say(const struct account *account);

/* Writes what was found as a member of the report. */
void account_write_found(const struct account *account, struct json_writer *report);

/* Writes the account as members of the report. */
void account_write(const struct account *account, struct json_writer *report);

/* Writes what was stripped as a member of the report. */
void account_write_stripped(const struct account *account, struct json_writer *report);

#endif
