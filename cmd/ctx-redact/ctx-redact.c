/*
 * ctx-redact replaces secrets and personal data, by their shape, in every record of the stream. It
 * holds nothing but the record at hand; where a selector has to wait for later messages, also the
 * records that are not decided yet.
 */

#include "../commands.h"
#include "data/window.h"
#include "face/choices/limits.h"
#include "face/choices/select_option.h"
#include "face/output/in_place.h"
#include "policy/redact/redact.h"
#include "policy/selection.h"

/*
 * Redaction as a stage. It comes after all stages that put text into the stream, and before those
 * that cut text: half of a secret is not recognized. Blank lines and lines that are not valid pass
 * unchanged; to be sure that no secret is left, use --bad-lines=stop.
 *
 * With a selection, messages that are not selected pass, and all other records are redacted. If a
 * term of the selection has to wait for later messages, so has the stage.
 */

struct redaction {
	struct stage stage;
	struct redact *redact;
	struct selection *where; /* NULL: all */
	struct json_edit edit;
	struct buf settled, redacted;
	uint64_t line;  /* of the output so far; with tell only if values span several */
	bool is_chosen; /* the message that the gate lets pass */
};

/* A stage before it that holds messages until the selection is decided. */
struct redaction_gate {
	struct window window; /* first, so that it is a stage */
	struct redaction *behind;
};

static bool
is_chosen(const struct redaction *stage, struct record *record, struct message *read)
{
	if (stage->where == NULL || record->kind != RECORD_MESSAGE)
		return true;
	if (selection_needs_session(stage->where))
		return stage->is_chosen;
	return selection_has(stage->where, record_message(record, read));
}

static void
take(struct stage *first, struct record *record)
{
	struct redaction *stage = (struct redaction *)first;
	bool is_text = record->kind != RECORD_BLANK && record->kind != RECORD_BAD;
	struct str text = record->line.text;
	uint64_t line = stage->line + 1;
	struct message read;

	if (record->kind != RECORD_BAD)
		stage->line = line + (stage->redact->tell != NULL ? str_count(text, '\n') : 0);
	if (!is_text || !is_chosen(stage, record, &read)) {
		stage_emit(first, record);
		return;
	}
	record_settle(record, &stage->settled);
	json_edit_reset(&stage->edit, record->line.text);
	if (redact_record(stage->redact, record->line.text, line, &stage->edit)) {
		record->edit = &stage->edit;
		if (record->state == RECORD_GIVEN)
			record->state = RECORD_CHANGED;
		/* no later stage may see the old text */
		record_settle(record, &stage->redacted);
	}
	stage_emit(first, record);
}

/* redact must live as long as the stage, and so must where, which may be NULL. */
static void
redaction_init(struct redaction *stage, struct redact *redact, struct selection *where)
{
	*stage = (struct redaction){
	    .stage = {.take = take, .end = stage_pass_end}, .redact = redact, .where = where};
	json_edit_init(&stage->edit, STR(""));
}

static void
redaction_free(struct redaction *stage)
{
	json_edit_free(&stage->edit);
	buf_free(&stage->settled);
	buf_free(&stage->redacted);
}

static bool
decide(struct window *window, uint32_t index)
{
	struct redaction_gate *gate = (struct redaction_gate *)window;
	struct session *t = &window->held.session;
	enum term_answer answer = TERM_YES;

	if (t->entry[index].kind == RECORD_MESSAGE)
		answer = selection_decide(gate->behind->where, t, index);
	gate->behind->is_chosen = answer == TERM_YES;
	return answer != TERM_UNKNOWN;
}

/* For a selection that needs a session (policy/selection.h): link the gate before the stage. */
static void
redaction_gate_init(struct redaction_gate *gate, struct redaction *stage)
{
	gate->behind = stage;
	window_init(&gate->window, decide);
}

static void
redaction_gate_free(struct redaction_gate *gate)
{
	window_free(&gate->window);
}

struct options {
	struct common_options common;
	const char *only;
	struct option_list pattern;
	struct option_list where;
	bool sanitize;
	struct estimator_options estimator;
};

static const struct option table[] = {
    OPTIONS_UNDER("What is replaced"),
    {"only", 0, "KINDS", "secrets or pii (default: both), or none: patterns alone", OPTION_STRING,
	offsetof(struct options, only)},
    {"pattern", 0, "NAME=ERE", "replace matches, too; may be given again", OPTION_LIST,
	offsetof(struct options, pattern)},
    {"where", 0, "SELECTOR", "redact these messages only; again: or these", OPTION_LIST,
	offsetof(struct options, where)},
    {"finds", 0, "FILE", "write where something was replaced", OPTION_STRING,
	offsetof(struct options, common.finds)},
    {"sanitize", 0, NULL, "instead, replace each text by its kind and length, for bug reports",
	OPTION_FLAG, offsetof(struct options, sanitize),
	.not_with = "only pattern where finds in-place"},
    OPTIONS_UNDER("In place"),
    OPTIONS_IN_PLACE(NULL, ""),
    OPTIONS_UNDER("Counting"),
    OPTIONS_ESTIMATOR_OF(OPTION_ROW, options, " or bytes/4"),
    OPTIONS_COMMON_BUT("stop at (default) or drop lines that are not valid"),
    OPTIONS_END,
};

struct ctx_redact {
	struct options options;
	struct redact redact;
	struct selection where;
	struct estimator estimator;
	struct output finds; /* --finds; its name is NULL without */
	struct run *run;
};

struct session_redaction {
	struct redaction stage;
	struct redaction_gate gate; /* of a selection that needs the session */
	struct selection where;
	struct estimator own;
};

/* Reads a list of kinds. Without one all of them are meant, and with "none" the patterns alone. */
static unsigned
parse_kinds(const char *list, bool has_patterns)
{
	static const char *const names[] = {"secrets", "pii"};
	unsigned kinds = 0;
	struct str name;

	if (list == NULL)
		return RULE_SECRETS | RULE_PII;
	if (strcmp(list, "none") == 0 && !has_patterns)
		options_fail("--only none requires --pattern: nothing else would be replaced");
	if (strcmp(list, "none") == 0)
		return 0;
	while (str_take_word(&list, ',', &name)) {
		unsigned kind = 0;

		for (unsigned i = 0; i < 2; i++)
			if (str_eq(name, str_from(names[i])))
				kind = 1u << i;
		if (kind == 0)
			options_fail("bad value '%.*s' of --only, expected secrets, pii or none",
			    STR_ARG(name));
		kinds |= kind;
	}
	return kinds;
}

static void
parse_patterns(struct redact *redact, const struct option_list *patterns)
{
	struct buf message = BUF_INIT;

	for (unsigned i = 0; i < patterns->count; i++)
		if (!redact_add_pattern(redact, patterns->item[i], &message))
			options_fail("bad value '%.100s' of --pattern: %.*s", patterns->item[i],
			    STR_ARG(buf_str(&message)));
	buf_free(&message);
}

/* The command of an estimator must not see redacted text, and a line that cannot be read may hold a
 * secret. */
static void
check_options(struct options *options, const struct selection *where)
{
	enum estimator_kind kind = limits_check_estimator(&options->estimator);

	if (options->common.bad_lines_given && options->common.bad_lines == BAD_LINES_KEEP)
		options_fail("bad value 'keep' of --bad-lines, expected stop or drop: a line that "
			     "is not valid may hold a secret");
	if (!options->common.bad_lines_given)
		options->common.bad_lines = BAD_LINES_STOP;
	if (where->select.needs_tokens && kind == ESTIMATOR_COMMAND)
		options_fail("bad value '%s' of --estimator, expected one that is no command: "
			     "a command would get the text before it is redacted",
		    options->estimator.name);
}

static int
parse(void *self, int argc, char **argv)
{
	struct ctx_redact *all = self;
	struct options *options = &all->options;
	int first = options_parse(&redact_command, argc, argv, options);

	all->where.is_exact = true;
	redact_init(&all->redact, parse_kinds(options->only, options->pattern.count > 0));
	all->redact.sanitizes = options->sanitize;
	parse_patterns(&all->redact, &options->pattern);
	select_option_parse(&options->where, "where", &all->where.select);
	check_options(options, &all->where);
	return first;
}

static void
tell(void *owner, struct str line)
{
	struct ctx_redact *all = owner;

	if (all->run->session.len > 0) {
		output_copy(&all->finds, STR("{\"session\":"));
		output_copy(&all->finds, all->run->session);
		output_copy(&all->finds, STR(","));
		line = str_of(line.ptr + 1, line.len - 1);
	}
	output_copy(&all->finds, line);
	if (all->finds.scratch.len > (1 << 16))
		output_flush(&all->finds);
}

static void
open_finds(struct ctx_redact *all)
{
	const char *path = all->options.common.finds;
	struct run *run = all->run;
	int fd = -1;

	if (path != NULL)
		fd = run_create(run, path, run->file != NULL ? &run->file->has_finds : NULL);
	if (fd < 0)
		return;
	output_init(&all->finds, fd, path, &run->fault);
	all->redact.tell = tell;
	all->redact.owner = all;
}

static void
open_run(void *self, struct run *run)
{
	struct ctx_redact *all = self;

	all->run = run;
	/* Records of any format are redacted as they are, but --where selects canonical messages.
	 * The next command of this process reads lines. */
	run->source.any_dialect = all->options.where.count == 0;
	run->source.values.is_used = run->source.values.keeps_lines =
	    !run->is_fed && run->sink.onward == NULL;
	redact_reset(&all->redact);
	limits_open_for_messages(&all->estimator, all->where.select.needs_tokens,
	    &all->options.estimator, &all->options.common, &run->fault);
	open_finds(all);
}

static void
open_session(void *self, void *session, struct stage **stages)
{
	struct ctx_redact *all = self;
	struct session_redaction *one = session;
	bool has_where = all->options.where.count > 0;

	one->where = all->where;
	one->where.estimator = estimator_share(&all->estimator, &one->own);
	redaction_init(&one->stage, &all->redact, has_where ? &one->where : NULL);
	if (has_where && selection_needs_session(&one->where)) {
		redaction_gate_init(&one->gate, &one->stage);
		run_set_session(&one->gate.window.held.session, NULL, &all->options.common);
		*stages++ = &one->gate.window.held.stage;
	}
	*stages = &one->stage.stage;
}

static void
free_session(void *self, void *session)
{
	struct session_redaction *one = session;

	(void)self;
	redaction_gate_free(&one->gate);
	redaction_free(&one->stage);
	estimator_free_own(&one->own);
}

/* Says how often each rule found something, in the report and for -v. */
static void
report(const struct redact *redact, struct run *run)
{
	struct json_writer *w = &run->members;
	uint64_t sum = 0;

	if (redact->sanitizes) {
		json_member_integer(w, STR("sanitized"), (int64_t)redact->sanitized);
		buf_add_fmt(&run->said, "; %ju sanitized", (uintmax_t)redact->sanitized);
		return;
	}
	json_member_open(w, STR("redacted"), '{');
	for (unsigned rule = 0; rule < redact->rule_count; rule++) {
		sum += redact->counts[rule];
		if (redact->counts[rule] > 0)
			json_member_integer(
			    w, redact_name(redact, rule), (int64_t)redact->counts[rule]);
	}
	json_close(w);
	buf_add_fmt(&run->said, "; %ju redacted", (uintmax_t)sum);
}

static void
finish(void *self)
{
	struct ctx_redact *all = self;

	report(&all->redact, all->run);
	if (all->finds.name != NULL)
		output_close(&all->finds);
	estimator_close(&all->estimator);
}

static void
free_all(void *self)
{
	struct ctx_redact *all = self;

	redact_free(&all->redact);
	selection_free(&all->where);
}

static const char *const essential[] = {
    "only", "pattern", "where", "finds", "sanitize", "in-place", NULL};

const struct command redact_command = {.name = "ctx-redact",
    .synopsis = "[option]... [file]...",
    .purpose = "Take secrets and personal data out of a stream.",
    .kind = COMMAND_FILTER,
    .options = table,
    .essential = essential,
    .examples = {"ctx-redact log.jsonl | ctx-project --last 20msgs",
	"ctx-redact --only pii --pattern 'ticket=T-[0-9]+' log.jsonl >clean.jsonl"},
    .statuses = {0, 64, 65, 66, 69, 71, 73, 74, 75, 78},
    .run = {.size = sizeof(struct ctx_redact),
	.parse = parse,
	.open = open_run,
	.finish = finish,
	.free = free_all},
    .session = {.size = sizeof(struct session_redaction),
	.stages = open_session,
	.free = free_session,
	/* Forgotten messages may hold a secret, too. */
	.forgets = COMMAND_FORGOTTEN_STAY}};
