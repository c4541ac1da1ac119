#ifndef CTX_NORMALIZE_ACCOUNT_H
#define CTX_NORMALIZE_ACCOUNT_H

/*
 * The fate of the records of all sessions of the input: how many were not understood, are no
 * conversation, or were left out since they are before an earlier compaction.
 */

#include "dialects/dialect.h"
#include "dialects/load/load.h"
#include "face/unread_lines.h"
#include "policy/normalize/violation.h"

struct account {
	struct run *run;
	struct tally skipped; /* of the readers */
	struct tally sealed;  /* parts that only a provider can read, which were kept */
	struct tally passed;  /* foreign records */
	struct tally dropped; /* parts that the writers could not keep */
	bool has_other;       /* some of the input was in another format */
	uint64_t made;        /* messages that passed */
	uint64_t compacted;   /* messages that an earlier compaction took out */
	uint64_t left;        /* messages of branches that the user left */
	uint64_t unsent;      /* messages that the agent itself does not send */
	/* those of compacted and left that were already emitted are taken back */
	bool grows;
	uint64_t joined;           /* messages that one record holds together */
	const char *joined_in;     /* the name of that record; NULL: each message is a record */
	struct unread_lines lines; /* lines that were not understood */
	uint64_t mended;           /* torn lines */
	uint64_t begun;            /* files of an agent's sessions */
	struct buf resume;         /* the command that resumes the session */
	bool is_folded_said;       /* a record over several lines was reported */
	struct buf left_out;       /* the names that account_leave_out reported last */
	/* Stripped by --untrusted: */
	uint64_t metadata, contexts, budgets, agents;
	uint64_t found[VIOLATION_COUNT];
	/* Of files that were checked: the messages that the agents load: */
	struct buf loaded;   /* JSON objects, with commas between */
	struct tally weight; /* bytes that are no part of the conversation, by kind */
	uint64_t bytes;      /* of all records */
};

/* Reports that members with these names have no place in a request of that dialect, unless the last
 * report was the same. */
void account_leave_out(struct account *account, const char *dialect, struct str names);

/* Adds the counts of a session that has ended. */
void account_add(
    struct account *account, const struct dialect_reading *reading, const struct unread *unread);

/* Adds the messages that an agent loads from the files. */
void account_add_load(struct account *account, struct load *load);

void account_add_found(struct account *account, const uint64_t count[VIOLATION_COUNT]);

/* Call at the end. Says how many lines were not reported, and with -v the whole account. */
void account_say(const struct account *account);

/* Reports the parts for which a file of the agent has no place. Call at the end. */
void account_say_dropped(const struct account *account, const char *agent);

/* Writes the counts of violations as a member of the report. */
void account_write_found(const struct account *account, struct json_writer *report);

/* Writes the account as members of the report. */
void account_write(const struct account *account, struct json_writer *report);

/* Writes the counts of --untrusted as a member of the report. */
void account_write_stripped(const struct account *account, struct json_writer *report);

#endif
