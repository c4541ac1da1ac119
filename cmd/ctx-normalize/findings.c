#include "findings.h"

#include "base/file.h"
#include "base/text/shell_word.h"

/* The number of faults of an API or an agent that are named without -v. */
enum { FAULTS_NAMED = 10 };

/* Whether the finding is no fault in the requested dialect: in the session of an agent, the results
 * of a message come in the order in which the tools end. */
static bool
is_excused(const struct choices *choices, const struct violation_finding *finding)
{
	return choices_is_told(choices) && !choices->reader->is_chat &&
	    finding->violation == VIOLATION_RESULT_ORDER;
}

/* Whether only the first faults of this kind are named. */
static bool
is_of_many(const struct choices *choices, enum violation violation)
{
	return choices_is_api_check(choices) || violation > VIOLATION_UNREACHED;
}

/* Counts such a fault. Returns whether it is named. */
static bool
names_fault(struct findings *findings)
{
	return findings->faults++ < FAULTS_NAMED || findings->account->run->options->verbose;
}

void
findings_say_more(const struct findings *findings)
{
	if (findings->faults > FAULTS_NAMED && !findings->account->run->options->verbose)
		diag_warn("and %ju more", (uintmax_t)(findings->faults - FAULTS_NAMED));
}

/* Writes the finding to standard error and into the log of SARIF. */
static void
say(struct findings *findings, enum violation violation, const struct line *line, struct str text)
{
	sarif_add(findings->account->lines.sarif, violation, line->file, line->number, text);
	diag_warn_at(line->file, line->number, "%.*s: %.*s", STR_ARG(violation_code(violation)),
	    STR_ARG(text));
}

void
findings_say(struct findings *findings)
{
	struct violation_finding finding;
	struct buf text = BUF_INIT;
	size_t at = 0;

	if (findings->load != NULL)
		return;
	if (findings->unread != NULL)
		unread_lines_say(&findings->account->lines, findings->reading, findings->unread);
	while (violation_list_next(findings->list, &at, &finding)) {
		if (findings->choices->census || is_excused(findings->choices, &finding))
			continue;
		run_fail(findings->account->run, STATUS_NO);
		buf_reset(&text);
		violation_explain(&finding, &text);
		if (!is_of_many(findings->choices, finding.violation) || names_fault(findings))
			say(findings, finding.violation,
			    &(struct line){.file = finding.file, .number = finding.line},
			    buf_str(&text));
		else
			sarif_add(findings->account->lines.sarif, finding.violation, finding.file,
			    finding.line, buf_str(&text));
	}
	buf_reset(findings->list);
	buf_free(&text);
}

/* Prints the command that mends a file. Standard input has no name for --into. */
static void
say_mend(const char *file)
{
	struct buf text = BUF_INIT;

	if (file == NULL || file_is_stdin(file))
		return;
	buf_add_str(&text, STR("to mend it: ctx-normalize "));
	shell_word_add_file(&text, file);
	buf_add_str(&text, STR(" | ctx-normalize --repair --into "));
	shell_word_add_file(&text, file);
	diag_warn("%.*s -o NEW", STR_ARG(buf_str(&text)));
	buf_free(&text);
}

void
findings_judge_load(struct findings *findings)
{
	struct load *load = findings->load;
	struct buf list = BUF_INIT, *later = findings->list;
	struct unread *unread = findings->unread;

	if (findings->reading->other != NULL) {
		load_end(load, &list);
		account_add_load(findings->account, load);
	}
	findings->load = NULL;
	findings->list = &list;
	findings->unread = NULL;
	findings_say(findings);
	findings_say_more(findings);
	say_mend(load->mendable);
	buf_free(&list);
	findings->list = later;
	findings->unread = unread;
	findings_say(findings);
}

/* Whether the input may be of the dialect that it is found to be. The dialects of chat messages are
 * one. */
static bool
is_expected(const struct choices *choices, const struct dialect *found)
{
	return choices_is_told(choices) &&
	    (found == choices->reader || (found->is_chat && choices->reader->is_chat));
}

/* With --check, says once that a record spans several lines. This is no fault in a requested
 * dialect. */
static void
say_folded(struct findings *findings)
{
	const struct choices *choices = findings->choices;
	struct account *account = findings->account;
	const struct line *folded = &account->run->source.values.folded_line;

	if (choices->check == NULL || account->run->source.values.folded == 0 ||
	    account->is_folded_said || choices_is_told(choices))
		return;
	account->is_folded_said = true;
	run_fail(account->run, STATUS_NO);
	say(findings, VIOLATION_SEVERAL_LINES, folded, STR("a record over several lines"));
}

/* With --check, says once that the session is of another dialect. */
static void
say_other(struct findings *findings)
{
	const struct choices *choices = findings->choices;
	const struct dialect *other = findings->reading->other;
	const struct line *line = &findings->reading->other_line;
	struct run *run = findings->account->run;
	struct buf text = BUF_INIT;

	if (other == NULL || findings->is_other_said)
		return;
	findings->is_other_said = run->source.any_dialect = run->source.notes_spans = true;
	if (choices->check == NULL || is_expected(choices, other))
		return;
	run_fail(run, STATUS_NO);
	buf_add_fmt(&text, "looks like %s, not %s; with --from %s it is checked as such",
	    other->name, choices_is_told(choices) ? choices->reader->name : ctx_dialect.name,
	    other->name);
	say(findings, VIOLATION_OTHER_DIALECT, line, buf_str(&text));
	buf_free(&text);
}

void
findings_say_none(const struct findings *findings)
{
	const struct choices *choices = findings->choices;
	const char *looks_like = findings->unread->looks_like;
	struct run *run = findings->account->run;
	struct buf text = BUF_INIT;

	if (!choices_is_told(choices) || choices->reader->is_chat ||
	    findings->reading->other != NULL)
		return;
	if (looks_like != NULL && strcmp(looks_like, choices->reader->name) == 0)
		looks_like = NULL;
	if (looks_like == NULL && !(choices->check != NULL && findings->unread->messages > 0))
		return;
	run_fail(run, choices->check != NULL ? STATUS_NO : STATUS_DATA);
	buf_add_fmt(&text, "no record of %s", choices->reader->name);
	if (looks_like != NULL) {
		buf_add_str(&text, STR("; "));
		source_write_looks(&run->source, looks_like, &text);
	}
	sarif_add(findings->account->lines.sarif, VIOLATION_OTHER_DIALECT, NULL, 0, buf_str(&text));
	diag_warn("%.*s: %.*s", STR_ARG(violation_code(VIOLATION_OTHER_DIALECT)),
	    STR_ARG(buf_str(&text)));
	buf_free(&text);
}

/* Notes a bad line in the log of SARIF; on standard error the source names it. */
static void
note_bad(struct findings *findings, struct record *record)
{
	struct sarif *sarif = findings->account->lines.sarif;
	const struct message *message;
	struct message read;
	struct buf text = BUF_INIT;

	if (sarif == NULL || record->kind != RECORD_BAD || record->line.continued)
		return;
	message = record_message(record, &read);
	buf_add_fmt(&text, "%s, at byte %zu", message->error, message->error_at + 1);
	sarif_add(
	    sarif, VIOLATION_BAD_LINE, record->line.file, record->line.number, buf_str(&text));
	buf_free(&text);
}

static void
take(struct stage *stage, struct record *record)
{
	struct findings *findings = (struct findings *)stage;

	note_bad(findings, record);
	stage_emit(stage, record);
	findings_say(findings);
	say_folded(findings);
	if (findings->reading != NULL)
		say_other(findings);
}

void
findings_init(struct findings *findings, const struct choices *choices, struct account *account)
{
	*findings = (struct findings){
	    .stage = {.take = take, .end = stage_pass_end}, .choices = choices, .account = account};
}
