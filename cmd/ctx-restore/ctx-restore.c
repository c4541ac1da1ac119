/*
 * ctx-restore undoes the passes that an archive recorded: the stream is again as it was before the
 * first of them, byte for byte. It holds all of the stream.
 */
#include "../commands.h"
#include "data/archive/restore.h"
#include "face/fault_die.h"
#include "face/output/in_place.h"

struct options {
	struct common_options common;
};

static const struct option table[] = {
    OPTIONS_UNDER("In place"),
    OPTIONS_IN_PLACE(NULL, ""),
    OPTIONS_COMMON,
    OPTIONS_END,
};

struct ctx_restore {
	struct options options;
	const char *archive; /* the operand */
	struct archive_index index;
	struct candidates passes;
	struct restore ahead; /* of many sessions */
	struct map named;     /* keys that were named */
	struct run *run;
	uint64_t undone; /* passes */
	bool has_restored;
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

static void
say_finding(struct ctx_restore *all, const struct restore_finding *finding)
{
	struct buf text = BUF_INIT;

	archive_key_write(&finding->key, &text);
	buf_add_char(&text, ' ');
	buf_add_str(&text, str_from(fault_text(finding->fault)));
	if (finding->fault == RESTORE_DOUBTFUL) {
		buf_add_char(&text, ' ');
		archive_key_write(&finding->other, &text);
	}
	diag_warn("%s: entry %.*s", all->archive, STR_ARG(buf_str(&text)));
	map_set(&all->named, archive_key_hash(&finding->key), 1);
	buf_free(&text);
}

/* Names the keys for which nothing could be put back. What a session lacks is named there, and not
 * again of all of them. */
static void
say_findings(struct ctx_restore *all, const struct restore *restore)
{
	for (uint32_t i = 0; i < restore->finding_count; i++) {
		const struct restore_finding *finding = &restore->finding[i];

		if (!restore->is_ahead ||
		    map_get(&all->named, archive_key_hash(&finding->key)) == MAP_NONE)
			say_finding(all, finding);
	}
	if (restore->finding_count > 0)
		run_fail(all->run, STATUS_DATA);
	all->undone += restore->undone;
	all->has_restored |= restore->has_restored;
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
	if (!archive_index_open(&all->index, all->archive, &run->fault)) {
		if (run->fault.status == STATUS_DATA)
			buf_add_str(
			    &run->fault.text, STR("; expected the archive before the session"));
		fault_die(&run->fault);
	}
	candidates_open(&all->passes, &all->index);
}

static struct stage *
undo_whole(void *self)
{
	struct ctx_restore *all = self;

	if (!all->run->is_keyed)
		return NULL;
	restore_init_ahead(&all->ahead, &all->passes, all->run->key, all->run->options->sorted);
	return &all->ahead.held.stage;
}

static void
open_session(void *self, void *session, struct stage **stages)
{
	struct ctx_restore *all = self;
	struct restore *restore = session;

	restore_init(restore, &all->passes);
	run_set_session(&restore->held.session, NULL, &all->options.common);
	stages[0] = &restore->held.stage;
}

static void
finish_session(void *self, void *session)
{
	say_findings(self, session);
}

static void
free_session(void *self, void *session)
{
	(void)self;
	restore_free(session);
}

/* Says that no message came back, if one might be expected: a log may have been changed since by a
 * program that keeps no marks, such as an agent. */
static void
say_nothing(const struct ctx_restore *all)
{
	const struct run *run = all->run;

	if (!all->has_restored && all->undone == 0 && all->index.count > 0 && run->file == NULL &&
	    run->status == STATUS_OK && run->source.counts.messages > 0 &&
	    !fault_is_set(&run->fault))
		diag_warn("'%s' has nothing to put back here; the messages stay as they are",
		    all->archive);
}

static void
finish(void *self)
{
	struct ctx_restore *all = self;

	if (all->run->is_keyed) {
		restore_end_ahead(&all->ahead);
		say_findings(all, &all->ahead);
		restore_free(&all->ahead);
	}
	say_nothing(all);
	json_member_integer(&all->run->members, STR("passes"), (int64_t)all->undone);
	candidates_close(&all->passes);
	map_free(&all->named);
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
    .piped = "ARCHIVE",
    .run = {.size = sizeof(struct ctx_restore),
	.parse = parse,
	.open = open_run,
	.ahead = undo_whole,
	.finish = finish},
    .session = {.size = sizeof(struct restore),
	.stages = open_session,
	.finish = finish_session,
	.free = free_session,
	/* The log comes back as it was. */
	.forgets = COMMAND_FORGOTTEN_STAY}};
