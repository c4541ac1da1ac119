/*
 * --restore: the stream as it was before it was compacted.
 */
#include "job.h"

#include "data/restore.h"

static const char *
fault_text(enum restore_fault fault)
{
	switch (fault) {
	case RESTORE_MISSING:
		return "is not there";
	case RESTORE_DAMAGED:
		return "does not match its key";
	case RESTORE_DOUBTFUL:
		return "fits these lines as well, and would give other ones: taken was entry";
	case RESTORE_UNPLACED:
		break;
	}
	return "has records of which the places are not known: something else changed the stream";
}

/* Names the keys for which nothing could be put back. */
static void
say_findings(const struct restore *restore, const char *path, struct run *run)
{
	for (uint32_t i = 0; i < restore->finding_count; i++) {
		const struct restore_finding *finding = &restore->finding[i];
		struct buf text = BUF_INIT;

		archive_key_write(&finding->key, &text);
		buf_add_char(&text, ' ');
		buf_add_str(&text, str_from(fault_text(finding->fault)));
		if (finding->fault == RESTORE_DOUBTFUL) {
			buf_add_char(&text, ' ');
			archive_key_write(&finding->other, &text);
		}
		diag_warn("%s: entry %.*s", path, STR_ARG(buf_str(&text)));
		buf_free(&text);
	}
	if (restore->finding_count > 0)
		run_fail(run, STATUS_DATA);
}

/* What all sessions share. */
struct restoring {
	const char *path;
	const struct options *options;
	struct archive_index index;
	struct run run;
	uint64_t passes;
};

static void
open_session(void *owner, void *session, struct stage **stages)
{
	struct restoring *all = owner;
	struct restore *restore = session;

	restore_init(restore, &all->index);
	run_set_session(&restore->held.session, NULL, &all->options->common);
	stages[0] = &restore->held.stage;
}

static void
finish_session(void *owner, void *session)
{
	struct restoring *all = owner;
	const struct restore *restore = session;

	say_findings(restore, all->path, &all->run);
	all->passes += restore->passes;
}

static void
close_session(void *owner, void *session)
{
	(void)owner;
	restore_free(session);
}

int
restore_run(const char *path, const struct options *options, char *const *operand, int count)
{
	static const struct session_kind kind = {sizeof(struct restore), open_session,
	    finish_session, close_session, NULL, SESSIONS_KEYS_ADDED};
	struct restoring all = {.path = path, .options = options};
	int status;

	run_open(&all.run, &options->common, operand, count);
	if (!archive_index_open(&all.index, path, &all.run.fault))
		diag_die(all.run.fault.status, "%.*s", STR_ARG(buf_str(&all.run.fault.text)));
	sessions_run(&all.run, &kind, &all);
	json_member_integer(&all.run.members, STR("passes"), (int64_t)all.passes);
	status = run_close(&all.run);
	archive_index_close(&all.index);
	return status;
}
