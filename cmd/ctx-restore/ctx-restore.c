/*
 * ctx-restore puts back what the passes took out that an archive has: the stream is again as it was
 * before the first of them, byte for byte. It holds each session.
 */
#include "../commands.h"
#include "data/archive/restore.h"
#include "face/fault_die.h"
#include "face/in_place.h"
#include "face/sessions.h"

struct options {
	struct common_options common;
};

static const struct option table[] = {
    OPTIONS_UNDER("In place"),
    OPTIONS_IN_PLACE(NULL, ""),
    OPTIONS_COMMON,
    OPTIONS_END,
};

/* One run. */
struct ctx_restore {
	struct options options;
	const char *archive; /* the operand */
	struct archive_index index;
	struct run *run;
	uint64_t passes; /* undone */
};

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

static int
parse(void *self, int argc, char **argv)
{
	struct ctx_restore *all = self;
	struct common_options *options = &all->options.common;
	int first = options_parse(&restore_command, argc, argv, all);

	if (first == argc)
		options_fail("expected an archive");
	all->archive = argv[first++];
	options_read(options, all->archive);
	return first;
}

static void
open_run(void *self, struct run *run)
{
	struct ctx_restore *all = self;

	all->run = run;
	if (!archive_index_open(&all->index, all->archive, &run->fault))
		fault_die(&run->fault);
}

static size_t
session_size(const void *self)
{
	(void)self;
	return sizeof(struct restore);
}

static void
open_session(void *self, void *session, struct stage **stages)
{
	struct ctx_restore *all = self;
	struct restore *restore = session;

	restore_init(restore, &all->index);
	run_set_session(&restore->held.session, NULL, &all->options.common);
	stages[0] = &restore->held.stage;
}

static void
finish_session(void *self, void *session)
{
	struct ctx_restore *all = self;
	const struct restore *restore = session;

	say_findings(restore, all->archive, all->run);
	all->passes += restore->passes;
}

static void
free_session(void *self, void *session)
{
	(void)self;
	restore_free(session);
}

static void
finish(void *self)
{
	struct ctx_restore *all = self;

	json_member_integer(&all->run->members, STR("passes"), (int64_t)all->passes);
	archive_index_close(&all->index);
}

static const char *const essential[] = {"in-place", "session-key", "verbose", NULL};

const struct command restore_command = {.name = "ctx-restore",
    .synopsis = "[option]... ARCHIVE [file]...",
    .purpose = "Put back what compaction took out.",
    .kind = COMMAND_FILTER,
    .options = table,
    .essential = essential,
    .examples = {"ctx-restore log.archive small.jsonl >log.jsonl",
	"ctx-restore --in-place log.archive small.jsonl"},
    .statuses = {0, 64, 65, 66, 71, 73, 74, 75, 78},
    .leading = 1,
    .run = {.size = sizeof(struct ctx_restore), .parse = parse, .open = open_run, .finish = finish},
    .session = {.size = session_size,
	.stages = open_session,
	.finish = finish_session,
	.free = free_session}};
