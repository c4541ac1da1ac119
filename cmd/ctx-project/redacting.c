#include "redacting.h"

/*
 * --redact: which rules, in which messages, and what is told of it.
 */
#include "face/files.h"
#include "face/selecting.h"

/* Reads the argument of --redact: a list of kinds; "" is all of them. */
static unsigned
parse_kinds(const char *list)
{
	static const char *const names[] = {"secrets", "pii"};
	unsigned kinds = 0;

	if (list == NULL)
		return 0;
	if (*list == '\0')
		return RULE_SECRETS | RULE_PII;
	for (const char *p = list; *p != '\0';) {
		size_t len = strcspn(p, ",");
		unsigned kind = 0;

		for (unsigned i = 0; i < 2; i++)
			if (str_eq(str_of(p, len), str_from(names[i])))
				kind = 1u << i;
		if (kind == 0)
			options_fail(
			    "bad value '%s' of --redact, expected secrets, pii or both", list);
		kinds |= kind;
		p += len + (p[len] == ',');
	}
	return kinds;
}

static void
parse_patterns(struct redact *redact, const struct option_list *patterns)
{
	struct buf message = BUF_INIT;

	for (unsigned i = 0; i < patterns->count; i++)
		if (!redact_add_pattern(redact, patterns->item[i], &message))
			options_fail("bad value '%.100s' of --redact-pattern: %.*s",
			    patterns->item[i], STR_ARG(buf_str(&message)));
	buf_free(&message);
}

bool
is_redacted(const struct options *options)
{
	return options->redact != NULL || options->redact_pattern.count > 0;
}

static void
check(const struct options *options)
{
	bool is_on = is_redacted(options);

	if (!is_on && options->where.count > 0)
		options_fail("--where goes with --redact or --redact-pattern");
	if (!is_on && options->common.finds != NULL)
		options_fail("--redact-report goes with --redact or --redact-pattern");
	if (is_on && options->common.bad_lines_given && options->common.bad_lines == BAD_LINES_KEEP)
		options_fail(
		    "--bad-lines=keep goes without --redact: such a line may hold a secret");
	if (is_on && options->trim.partial != PARTIAL_NONE)
		options_fail("--partial goes without --redact: it would cut a secret before it is "
			     "found");
}

void
redacting_parse(struct redacting *redacting, struct options *options)
{
	struct redact *redact = &redacting->redact;

	*redacting = (struct redacting){.where = {.is_exact = true}};
	check(options);
	redacting->is_on = is_redacted(options);
	if (!redacting->is_on)
		return;
	if (!options->common.bad_lines_given)
		options->common.bad_lines = BAD_LINES_STOP;
	redact_init(redact, parse_kinds(options->redact));
	parse_patterns(redact, &options->redact_pattern);
	selecting_parse(&options->where, "where", &redacting->where.select);
	redacting->has_where = options->where.count > 0;
}

static void
tell(void *owner, struct str line)
{
	struct redacting *redacting = owner;

	if (redacting->run->session.len > 0) {
		output_copy(&redacting->finds, STR("{\"session\":"));
		output_copy(&redacting->finds, redacting->run->session);
		output_copy(&redacting->finds, STR(","));
		line = str_of(line.ptr + 1, line.len - 1);
	}
	output_copy(&redacting->finds, line);
	if (redacting->finds.scratch.len > (1 << 16))
		output_flush(&redacting->finds);
}

/* Creates the file of --redact-report. */
static void
open_finds(struct redacting *redacting, struct run *run)
{
	const char *path = run->options->finds;
	int fd = path != NULL ? run_create(run, path, NULL) : -1;

	if (fd < 0)
		return;
	output_init(&redacting->finds, fd, path, &run->fault);
	redacting->redact.tell = tell;
	redacting->redact.owner = redacting;
}

void
redacting_open(struct redacting *redacting, struct run *run)
{
	redacting->run = run;
	if (redacting->is_on)
		open_finds(redacting, run);
}

struct stage **
redacting_open_session(struct redacting *redacting, struct redacting_session *redacted,
    struct estimator *estimator, struct stage **stages)
{
	*redacted = (struct redacting_session){.where = redacting->where};
	redacted->where.estimator = estimator;
	redaction_init(
	    &redacted->stage, &redacting->redact, redacting->has_where ? &redacted->where : NULL);
	if (redacting->has_where && selection_needs_session(&redacted->where)) {
		redaction_gate_init(&redacted->gate, &redacted->stage);
		run_set_session(&redacted->gate.window.held.session, NULL, redacting->run->options);
		*stages++ = &redacted->gate.window.held.stage;
	}
	*stages++ = &redacted->stage.stage;
	return stages;
}

void
redacting_close_session(struct redacting_session *redacted)
{
	redaction_gate_free(&redacted->gate);
	redaction_free(&redacted->stage);
}

/* Says how often each rule found something, in the report and for -v. */
static void
report(const struct redact *redact, struct run *run)
{
	struct json_writer *w = &run->members;
	uint64_t all = 0;

	json_name(w, STR("redacted"));
	json_open(w, '{');
	for (unsigned rule = 0; rule < redact->rule_count; rule++) {
		all += redact->counts[rule];
		if (redact->counts[rule] > 0)
			json_member_integer(
			    w, redact_name(redact, rule), (int64_t)redact->counts[rule]);
	}
	json_close(w);
	buf_add_fmt(&run->said, "; %ju redacted", (uintmax_t)all);
}

void
redacting_close(struct redacting *redacting, struct run *run)
{
	if (!redacting->is_on)
		return;
	report(&redacting->redact, run);
	if (redacting->finds.name != NULL)
		output_close(&redacting->finds);
	redact_free(&redacting->redact);
	selection_free(&redacting->where);
}
