/*
 * The views that hold the session: those that are trimmed, sections, and with --with-system those
 * that may leave out a system message.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "data/session/session_builder.h"
#include "project.h"

static bool
has_section(struct session *session, struct str name)
{
	for (uint32_t i = 0; i < session->count; i++)
		if (session->entry[i].kind == RECORD_MESSAGE &&
		    str_eq(session_section(session, &session->entry[i]), name))
			return true;
	return false;
}

void
project_held_say(struct project_held *projection)
{
	struct buf names = BUF_INIT;

	if (!projection->is_empty || fault_is_set(projection->held.stage.fault))
		return;
	for (unsigned i = 0; i < projection->choice->section_count; i++) {
		struct str name = projection->choice->section[i];

		if (!has_section(&projection->held.session, name))
			buf_add_fmt(&names, "%s'%.*s'", names.len > 0 ? ", " : "", STR_ARG(name));
	}
	projection->choice->selects &= names.len == 0;
	if (names.len > 0)
		diag_warn("no message is in section %.*s", STR_ARG(buf_str(&names)));
	buf_free(&names);
}

static void
emit_sections(struct project_held *view, uint32_t prompt)
{
	struct session *session = &view->held.session;
	uint32_t *order = mem_alloc(session->count, sizeof *order);
	uint32_t all = view_sections(
	    session, view->choice->section, view->choice->section_count, prompt, order);

	view->is_empty = session->message_count > 0;
	for (uint32_t i = 0; i < all; i++) {
		view->is_empty &= session->entry[order[i]].kind != RECORD_MESSAGE;
		held_emit(&view->held, order[i]);
	}
	free(order);
}

/* Whether a context record has a prompt that is in force. */
static bool
has_prompt(const struct session *session)
{
	struct message context;

	for (uint32_t i = session->count; i-- > 0;)
		if (session->entry[i].kind == RECORD_CONTEXT) {
			entry_parse(&session->entry[i], &context);
			return json_find(context.value, STR("system_prompt")).len > strlen("\"\"");
		}
	return false;
}

/* With --with-system: the leading system message that an earlier run made of the prompt; or NONE.
 * It stays first, and no size counts it, as no size counts the prompt. */
static uint32_t
find_prompt(const struct project_held *projection)
{
	const struct session *session = &projection->held.session;
	uint32_t i = 0;

	if (!projection->choice->options->with_system || has_prompt(session))
		return NONE;
	while (i < session->count && session->entry[i].kind != RECORD_MESSAGE)
		i++;
	return i < session->count && role_is_system(session->entry[i].role) ? i : NONE;
}

static void
end(struct stage *stage)
{
	struct project_held *projection = (struct project_held *)stage;
	const struct options *options = projection->choice->options;
	struct session *session = &projection->held.session;
	struct project_view *viewed = projection->viewed;
	uint32_t prompt;

	session_end(session);
	view_apply(&viewed->view, session);
	prompt = find_prompt(projection);
	if (prompt != NONE)
		session->entry[prompt].is_dropped = true;
	if (options->sections != NULL && trim_is_set(&viewed->trim)) {
		/* A trim counts the written messages. */
		uint32_t *order = mem_alloc(session->count, sizeof *order);

		view_sections(session, projection->choice->section,
		    projection->choice->section_count, NONE, order);
		free(order);
	}
	if (trim_option_counts(&viewed->trim))
		limits_fit(viewed->estimator, &options->estimator, session);
	trim_apply(&viewed->trim, session);
	if (prompt != NONE)
		session->entry[prompt].is_dropped = false;
	if (fault_is_set(stage->fault))
		return;
	if (options->sections != NULL)
		emit_sections(projection, prompt);
	else
		held_emit_all(&projection->held);
}

static unsigned
split_list(const char *list, struct str *names)
{
	unsigned count = 0;
	struct str name;

	while (str_take_word(&list, ',', &name)) {
		if (name.len == 0)
			continue;
		if (count == SECTIONS_MAX)
			options_fail("more than %d names in --sections", SECTIONS_MAX);
		names[count++] = name;
	}
	return count;
}

void
project_held_parse(struct project_choice *choice)
{
	if (choice->options->sections != NULL)
		choice->section_count = split_list(choice->options->sections, choice->section);
}

void
project_held_init(
    struct project_held *projection, struct project_choice *choice, struct project_view *viewed)
{
	*projection = (struct project_held){.choice = choice, .viewed = viewed};
	held_init(&projection->held, end);
}
