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

int
restore_run(const char *path, const struct options *options, char *const *operand, int count)
{
	struct archive_index index;
	struct restore restore;
	struct run run;
	int status;

	run_open(&run, &options->common, operand, count);
	if (!archive_index_open(&index, path, &run.fault))
		diag_die(run.fault.status, "%.*s", STR_ARG(buf_str(&run.fault.text)));
	restore_init(&restore, &index);
	run_set_session(&restore.held.session, NULL, &options->common);
	run_chain(&run, (struct stage *[]){&restore.held.stage, NULL});
	say_findings(&restore, path, &run);
	json_member_integer(&run.members, STR("passes"), (int64_t)restore.passes);
	status = run_close(&run);
	restore_free(&restore);
	archive_index_close(&index);
	return status;
}
