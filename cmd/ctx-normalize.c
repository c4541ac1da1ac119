/*
 * ctx-normalize makes a transcript valid, whole, and of the right dialect: a reader makes canonical
 * records of the input, the repair puts them in order, a writer says them in the output's dialect.
 *
 *     line -> chat or claude_code -> repair -> pass, openai_write or anthropic_write
 *
 * Canonical input that is whole already streams and is passed, not copied. The repair holds what
 * comes behind a missing result, the reader of Claude Code the session.
 */
#include "dialects/anthropic_write.h"
#include "dialects/chat.h"
#include "dialects/claude_code.h"
#include "dialects/detect.h"
#include "dialects/openai_write.h"
#include "face/filter.h"
#include "policy/normalize/repair.h"

enum { SUBJECT_MAX = 100 }; /* bytes of an id that a diagnostic quotes */

struct options {
	struct common_options common;
	int from;
	int to;
	bool check;
	bool all;
};

struct normalizer {
	struct options options;
	struct filter filter;
	enum dialect from; /* DIALECT_AUTO until a record tells */
	enum dialect to;
	struct chat chat;
	struct claude_code claude_code;
	struct repair repair;
	struct anthropic_writer anthropic;
	struct buf text;
	bool is_source;    /* the repair was given the filter's record, not one that a reader made */
	bool converts;     /* a record came in another dialect */
	bool is_noted;     /* that was said */
	uint64_t found[VIOLATION_COUNT];
	uint64_t left_out; /* records that the output's dialect has no place for */
};

static const char *const from_choices[] = {"auto", "ctx", "openai", "anthropic", "claude-code",
    NULL};
static const char *const to_choices[] = {"ctx", "openai", "anthropic", NULL};

static const struct option table[] = {
    {"from", 0, "FORMAT", "auto (default), ctx, openai, anthropic or claude-code", OPTION_CHOICE,
	offsetof(struct options, from), from_choices, 0},
    {"to", 0, "FORMAT", "ctx (default), openai or anthropic", OPTION_CHOICE,
	offsetof(struct options, to), to_choices, 0},
    {"all", 0, NULL, "keep what a compaction of the session took out of the context",
	OPTION_FLAG, offsetof(struct options, all), NULL, 0},
    {"check", 0, NULL, "write nothing, report what is not whole, exit 1 if anything is",
	OPTION_FLAG, offsetof(struct options, check), NULL, 0},
    OPTIONS_COMMON,
    OPTIONS_END,
};

static const struct command command = {"ctx-normalize", "[option]... [file]...",
    "Make transcripts valid, whole, and of the right dialect.", table};

static const char *const explanations[VIOLATION_COUNT] = {
    [VIOLATION_ORPHAN_RESULT] = "result '%.*s' answers no call",
    [VIOLATION_SECOND_RESULT] = "call '%.*s' has its result already",
    [VIOLATION_LATE_RESULT] = "result '%.*s' does not stand directly behind its call",
    [VIOLATION_RESULT_ORDER] = "result '%.*s' stands behind that of a later call",
    [VIOLATION_UNANSWERED_CALL] = "call '%.*s' has no result",
    [VIOLATION_REPEATED_ID] = "id '%.*s' is that of an earlier message",
    [VIOLATION_EMPTY_MESSAGE] = "message of '%.*s' says nothing",
    [VIOLATION_ROLE_ALIAS] = "role '%.*s' is another format's",
};

/* Puts a record that has no place in the output where the options say. */
static void
set_aside(struct normalizer *n, const struct repair_record *record)
{
	struct output *out = &n->filter.bad_out;

	n->left_out += record->kind != RECORD_BAD;
	if (out->fd < 0)
		return;
	if (!record->line->continued)
		output_begin_record(out);
	output_copy(out, record->line->raw);
}

static void
write_ctx(struct normalizer *n, const struct repair_record *record)
{
	struct str raw = record->line->raw;

	if (record->is_given && n->is_source && !n->filter.is_document)
		filter_pass(&n->filter);
	else if (record->line->continued)
		output_copy(&n->filter.out, raw);
	else if (raw.len > 0 && raw.ptr[raw.len - 1] == '\n')
		filter_write_held(&n->filter, record->kind, raw);
	else if (n->converts || record->is_made)
		filter_add(&n->filter, raw);
	else
		filter_add_last(&n->filter, raw);
}

static void
write_openai(struct normalizer *n, const struct repair_record *record,
    const struct message *message)
{
	switch (openai_write(message, &n->text)) {
	case OPENAI_AS_IS:
		write_ctx(n, record);
		break;
	case OPENAI_CHANGED:
		filter_add(&n->filter, buf_str(&n->text));
		break;
	case OPENAI_NOTHING:
		if (record->kind == RECORD_MESSAGE && message->role == ROLE_OTHER)
			set_aside(n, record);
	}
}

static void
write_message(struct normalizer *n, const struct repair_record *record)
{
	const struct message *message = record->message;
	struct message parsed;

	if (record->is_outside)
		return; /* the parent saw the result alone */
	if (message == NULL) {
		message_parse(&parsed, record->line->text);
		message = &parsed;
	}
	if (n->to == DIALECT_OPENAI)
		write_openai(n, record, message);
	else if (!anthropic_write(&n->anthropic, message))
		set_aside(n, record);
}

static void
write_record(void *context, const struct repair_record *record)
{
	struct normalizer *n = context;

	if (n->to == DIALECT_CTX)
		write_ctx(n, record);
	else if (record->kind == RECORD_MESSAGE || record->kind == RECORD_CONTEXT)
		write_message(n, record);
	else if (record->kind == RECORD_BAD || record->kind == RECORD_FOREIGN)
		set_aside(n, record);
}

static void
note_violation(void *context, enum violation violation, const char *file, size_t line,
    struct str subject)
{
	struct normalizer *n = context;
	struct buf text = BUF_INIT;

	n->found[violation]++;
	if (!n->options.check)
		return;
	filter_fail(&n->filter, STATUS_NO);
	if (subject.ptr[0] == '"')
		subject = str_of(subject.ptr + 1, subject.len - 2);
	if (subject.len > SUBJECT_MAX)
		subject.len = SUBJECT_MAX;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	buf_add_fmt(&text, explanations[violation], STR_ARG(subject));
#pragma GCC diagnostic pop
	diag_warn_at(file, line, "%.*s: %.*s", STR_ARG(violation_code(violation)),
	    STR_ARG(buf_str(&text)));
	buf_free(&text);
}

/* A record of another dialect; with --check that is a violation too, said once. */
static void
note_dialect(struct normalizer *n)
{
	const struct line *line = &n->filter.line;

	if (n->is_noted || n->filter.message.kind == RECORD_BLANK)
		return;
	n->is_noted = n->converts = n->filter.any_dialect = true;
	if (!n->options.check)
		return;
	filter_fail(&n->filter, STATUS_NO);
	diag_warn_at(line->file, line->number, "other-dialect: looks like %s, not ctx",
	    dialect_name(n->from));
}

/* A record that a reader made. */
static void
take_made(void *context, const struct line *line, bool is_bad)
{
	struct normalizer *n = context;
	struct message message = {.kind = RECORD_BAD};

	n->converts = true;
	n->is_source = false;
	if (!is_bad)
		message_parse(&message, line->text);
	repair_add(&n->repair, line, &message);
}

static void
find_dialect(struct normalizer *n)
{
	const struct message *message = &n->filter.message;

	if (n->from != DIALECT_AUTO || message->kind == RECORD_BAD || message->kind == RECORD_BLANK)
		return;
	n->from = dialect_detect(message->value);
	if (n->from == DIALECT_AUTO && message->kind == RECORD_MESSAGE)
		n->from = DIALECT_OPENAI;
}

static void
read_record(struct normalizer *n)
{
	struct filter *filter = &n->filter;

	find_dialect(n);
	if (n->from == DIALECT_CLAUDE_CODE) {
		note_dialect(n);
		claude_code_read(&n->claude_code, &filter->line, &filter->message);
		return;
	}
	if (chat_read(&n->chat, &filter->line, &filter->message)) {
		note_dialect(n);
		return;
	}
	n->is_source = true;
	repair_add(&n->repair, &filter->line, &filter->message);
}

static void
write_text(void *context, struct str text)
{
	struct normalizer *n = context;

	filter_add(&n->filter, text);
}

static void
init(struct normalizer *n)
{
	struct sink made = {take_made, n};

	if (n->options.check && n->options.to != 0)
		options_fail("--check goes with --to=ctx only");
	n->from = (enum dialect)n->options.from;
	n->to = (enum dialect)(n->options.to + DIALECT_CTX);
	n->filter.any_document = n->from != DIALECT_CTX;
	repair_init(&n->repair, (struct repair_sink){write_record, note_violation, n});
	n->repair.only_check = n->options.check;
	n->repair.whole = n->to != DIALECT_CTX;
	chat_init(&n->chat, made, n->from != DIALECT_CTX);
	claude_code_init(&n->claude_code, made, n->options.all);
	anthropic_writer_init(&n->anthropic, write_text, n);
}

static void
finish(struct normalizer *n)
{
	struct json_writer *report = filter_report(&n->filter);

	claude_code_finish(&n->claude_code);
	repair_finish(&n->repair);
	anthropic_writer_finish(&n->anthropic);
	chat_free(&n->chat);
	buf_free(&n->text);
	if (n->left_out > 0 && n->filter.bad_out.fd < 0)
		diag_warn("%ju record%s without a place in the output left out",
		    (uintmax_t)n->left_out, n->left_out == 1 ? "" : "s");
	json_name(report, STR("found"));
	json_open(report, '{');
	for (enum violation v = 0; v < VIOLATION_COUNT; v++)
		if (n->found[v] > 0)
			json_member_integer(report, violation_code(v), (int64_t)n->found[v]);
	json_close(report);
}

int
main(int argc, char **argv)
{
	static struct normalizer n;
	int first = options_parse(&command, argc, argv, &n.options);

	filter_open(&n.filter, &n.options.common, argv + first, argc - first);
	init(&n);
	while (filter_next(&n.filter))
		read_record(&n);
	finish(&n);
	return filter_close(&n.filter);
}
