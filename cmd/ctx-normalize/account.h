#ifndef CTX_NORMALIZE_ACCOUNT_H
#define CTX_NORMALIZE_ACCOUNT_H

/*
 * What became of the records of the input, of all its sessions: which were not understood, which
 * are no conversation, and which stand before an earlier compaction and were left out.
 */

#include "dialects/dialect.h"
#include "dialects/load/load.h"
#include "face/unread_lines.h"
#include "policy/normalize/violation.h"

struct account {
	struct run *run;
	struct tally skipped;  /* of the readers */
	struct tally sealed;   /* what only a provider can read, kept */
	struct tally passed;   /* foreign records */
	struct tally dropped;  /* what the writers could not keep */
	bool has_other;        /* some of the input was in another format */
	uint64_t made;         /* messages that went on */
	uint64_t compacted;    /* messages that an earlier compaction took out */
	uint64_t left;         /* messages of branches that the user left */
	uint64_t unsent;       /* messages that the agent itself does not send */
	bool grows;            /* of compacted and left, those that had gone out are taken back */
	uint64_t joined;       /* messages that one record holds together */
	const char *joined_in; /* what that record is called; NULL: a message is a record */
	struct unread_lines lines; /* that were not understood */
	uint64_t mended;           /* torn lines */
	uint64_t begun;            /* files of an agent's sessions */
	struct buf resume;         /* what to type to resume it */
	bool is_folded_said;       /* that a record stands over several lines */
	struct buf left_out;       /* names that were said last to be left out */
	/* What --untrusted stripped: */
	uint64_t metadata, contexts, budgets, agents;
	uint64_t found[VIOLATION_COUNT];
	/* What the agents load of the files that were checked: */
	struct buf loaded;   /* JSON objects, with commas between */
	struct tally weight; /* bytes that are no part of the conversation, by kind */
	uint64_t bytes;      /* of all records */
};

/* Says that members with these names have no place in a request of that dialect, unless that was
 * said last. */
void account_leave_out(struct account *account, const char *dialect, struct str names);

/* Adds what was read of a session that has ended. */
void account_add(
    struct account *account, const struct dialect_reading *reading, const struct unread *unread);

/* Adds what an agent loads of the files. */
void account_add_load(struct account *account, struct load *load);

void account_add_found(struct account *account, const uint64_t count[VIOLATION_COUNT]);

/* Called at the end. Says how many lines were not named, and with -v the whole account. */
void account_say(const struct account *account);

/* Says what a file of the agent has no place for. Called at the end. */
void account_say_dropped(const struct account *account, const char *agent);

/* Writes what was found as a member of the report. */
void account_write_found(const struct account *account, struct json_writer *report);

/* Writes the account as members of the report. */
void account_write(const struct account *account, struct json_writer *report);

/* Writes what was stripped as a member of the report. */
void account_write_stripped(const struct account *account, struct json_writer *report);

#endif
