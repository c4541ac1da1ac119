#include "step_choice.h"

#include "base/diag.h"
#include "face/choices/select_option.h"
#include "face/options/options.h"
#include "json/string.h"

/* Reads N or N-M. Ends the program with status 64 for anything else. */
static void
parse_number(struct step_choice *choice, const char *text)
{
	const char *dash = strchr(text, '-');
	struct str first = str_of(text, dash != NULL ? (size_t)(dash - text) : strlen(text));
	struct str last = dash != NULL ? str_from(dash + 1) : first;

	if (!line_number_read(first, false, &choice->first) ||
	    !line_number_read(last, true, &choice->last) || choice->last < choice->first)
		options_fail("bad value '%s' of --number, expected N or N-M", text);
}

void
step_choice_parse(struct step_choice *choice, const char *number, const char *at,
    const struct option_list *select)
{
	*choice = (struct step_choice){.number = number, .at = at};
	if (number != NULL)
		parse_number(choice, number);
	select_option_parse(select, "select", &choice->select);
}

void
step_choice_free(struct step_choice *choice)
{
	selectors_free(&choice->select);
}

bool
step_choice_is_made(const struct step_choice *choice)
{
	return choice->first > 0 || choice->at != NULL || choice->select.count > 0;
}

static bool
has_id(const struct message *message, struct str id)
{
	struct json_value ids[] = {message->meta[METADATA_ID], message->tool_call_id,
	    json_find(message->value, STR("id"))};
	struct call_walk calls = call_walk_of(message);
	struct tool_call call;

	for (size_t i = 0; i < ARRAY_COUNT(ids); i++)
		if (json_is(ids[i], id))
			return true;
	while (call_walk_next(&calls, &call))
		if (json_is(call.id, id))
			return true;
	return false;
}

/* Whether -n chooses the number. Notes the nearest numbers outside the choice. */
static bool
is_numbered(struct step_choice *choice, uint64_t number)
{
	if (number < choice->first && number > choice->before)
		choice->before = number;
	if (number > choice->last && (choice->behind == 0 || number < choice->behind))
		choice->behind = number;
	return number >= choice->first && number <= choice->last;
}

bool
step_choice_has(struct step_choice *choice, const struct step *step)
{
	if (choice->first > 0)
		return is_numbered(choice, step->number);
	if (step->kind != RECORD_MESSAGE)
		return false;
	if (choice->at != NULL)
		return has_id(step->message, str_from(choice->at));
	if (step->known->session != NULL)
		return selectors_ask(&choice->select, step->known->session, step->known->entry) ==
		    TERM_YES;
	return selectors_match_message(&choice->select, step->message);
}

void
step_choice_say_none(const struct step_choice *choice)
{
	struct buf text = BUF_INIT;

	if (choice->first == 0) {
		buf_add_str(&text, STR("no message is chosen"));
	} else {
		bool is_between = choice->before > 0 && choice->behind > 0;

		buf_add_fmt(&text, "no message has the number %s, %s ", choice->number,
		    is_between             ? "only" :
			choice->before > 0 ? "the last is" :
					     "the first is");
		line_number_add(&text, choice->before > 0 ? choice->before : choice->behind);
		if (is_between) {
			buf_add_str(&text, STR(" and "));
			line_number_add(&text, choice->behind);
			buf_add_str(&text, STR(" beside it"));
		}
	}
	diag_warn("%.*s", STR_ARG(buf_str(&text)));
	buf_free(&text);
}
