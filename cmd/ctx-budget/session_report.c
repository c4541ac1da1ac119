#include "session_report.h"

#include "base/diag.h"
#include "face/sessions/sessions.h"

static void
write_form(
    const struct ctx_budget *all, const struct report *report, bool is_next, struct buf *text)
{
	struct terminal terminal;

	switch (all->form) {
	case FORM_TABLE:
		terminal_init(&terminal, (enum color)all->options.color);
		if (report->name != NULL)
			report_write_row(report, &terminal, is_next, text);
		else
			report_write_table(report, &terminal, text);
		break;
	case FORM_BRIEF:
		report_write_brief(report, text);
		break;
	default:
		report_write_json(report, text);
	}
}

static void
warn_unfitted(const struct ctx_budget *all, enum fit_result result,
    const struct estimator *estimator, const struct measure *measure, const char *file)
{
	if (file == NULL)
		limits_warn_unfitted(
		    &all->options.estimator, result, estimator, fit_points(&measure->fit));
	else if (result == FIT_FOREIGN)
		diag_warn_at(file, 0,
		    "the reported usage is of more than this stream has: "
		    "counted with %s",
		    estimator->name);
	else if (result == FIT_TOO_FEW)
		diag_warn_at(
		    file, 0, "too little usage to learn from: counted with %s", estimator->name);
}

/* Says how many messages are not counted, since they are of other agents; and why, where the user
 * asked for these. */
static void
say_outside(const struct ctx_budget *all, const struct measure *measure, const char *file)
{
	uint64_t count = measure->outside;

	if (count > 0 && !breakdown_has_all(&measure->breakdown) && !all->options.now)
		diag_warn_at(file, 0, "%ju message%s of other agents not counted%s",
		    (uintmax_t)count, count == 1 ? "" : "s",
		    all->options.common.agents ?
			": the window is of one agent, --by agent has all" :
			"");
}

/* Writes the text of a form: a record, or lines for people. */
static void
put_form(struct ctx_budget *all, struct buf *text)
{
	bool is_record = all->form == FORM_STREAM || all->form == FORM_JSON;

	if (all->form != FORM_STREAM)
		buf_end_line(text);
	if (text->len > 0 && is_record && all->run->is_keyed) {
		buf_pad(text);
		sessions_add(all->run->sessions, buf_str(text));
	} else if (text->len > 0) {
		run_add(all->run, buf_str(text));
	}
	all->has_written = true;
}

void
session_report_write(
    struct ctx_budget *all, struct measure *measure, const char *name, const struct cuts *cuts)
{
	bool is_keyed = all->run->is_keyed;
	const char *file = is_keyed ? NULL : name;
	enum fit_result result;
	struct estimator fitted;
	struct budget budget;
	struct report report = {.name = name,
	    .is_keyed = is_keyed,
	    .budget = &budget,
	    .estimator = &fitted,
	    .measure = measure,
	    .model = all->model,
	    .cuts = cuts->list,
	    .cut_count = cuts->count,
	    .has_cuts = all->options.cuts};
	struct buf text = BUF_INIT;

	result = measure_budget(measure, &budget, &fitted);
	warn_unfitted(all, result, &fitted, measure, file);
	say_outside(all, measure, file);
	breakdown_sort(&measure->breakdown, all->options.top);
	report_set_price(&report);
	write_form(all, &report, all->has_written, &text);
	put_form(all, &text);
	if (all->options.check && budget.compact) {
		run_fail(all->run, STATUS_NO);
		if (name != NULL) {
			struct buf reasons = BUF_INIT;

			report_write_reasons(&budget, &reasons);
			diag_warn_at(file, 0, "compaction is due:%.*s", STR_ARG(buf_str(&reasons)));
			buf_free(&reasons);
		}
	}
	buf_free(&text);
}

void
session_report_write_each(struct ctx_budget *all)
{
	static const struct cuts none;

	all->run->source.any_dialect = true; /* each session is judged here */
	for (unsigned i = 0; i < all->each.count; i++) {
		struct each_session *session = &all->each.session[i];

		if (!session->is_begun || session->is_failed)
			continue;
		session_report_write(all, &session->measure, session->file, &none);
		if (!session->is_foreign)
			continue;
		source_report_empty(&all->run->source, session->looks_like, session->file);
		run_fail(all->run, STATUS_DATA);
	}
}
