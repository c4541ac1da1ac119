#include "dialects/session_file/session_origin.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/byte.h"
#include "base/text/utf8.h"
#include "json/string.h"
#include "json/write.h"

/* The marks of names that are still to come; another mark is that of the session's id. */
static const char marks[SESSION_ORIGIN_COUNT][2] = {"\002", "\003", "\004"};

/* Sets the name to the one that is said, or leaves the last. */
static struct str
set_name(struct session_origin *origin, enum session_origin_kind kind, struct json_value said)
{
	struct buf *first = &origin->first[kind], *last = &origin->last[kind];

	if (said.type == JSON_STRING)
		buf_set(last, json_span(said));
	if (first->len == 0)
		buf_set(first, buf_str(last));
	return last->len > 0 ? buf_str(last) : str_from(marks[kind]);
}

void
session_origin_settle(const struct session_origin *origin, struct buf *text)
{
	struct buf settled = BUF_INIT;

	for (unsigned i = 0; i < SESSION_ORIGIN_COUNT; i++) {
		const struct buf *first = &origin->first[i];

		buf_reset(&settled);
		session_form_put(buf_str(text), marks[i][0],
		    first->len > 0 ? buf_str(first) : STR("\"unknown\""), &settled);
		buf_set(text, buf_str(&settled));
	}
	buf_free(&settled);
}

void
session_origin_read(struct session_origin *origin, const struct session_form *form,
    const struct message *message, struct str *value)
{
	struct json_value extra = json_find(message->metadata, str_from(form->extra));
	struct json_value model = message_model(message), asked = json_find(extra, STR("model"));
	struct json_value provider = json_find(extra, STR("provider"));

	if (provider.type != JSON_STRING)
		provider = json_find(asked.type == JSON_OBJECT ? asked : extra, STR("providerID"));
	if (model.type != JSON_STRING)
		model = json_find(asked, STR("modelID"));
	value[SESSION_model] = set_name(origin, SESSION_ORIGIN_MODEL, model);
	value[SESSION_provider] = set_name(origin, SESSION_ORIGIN_PROVIDER, provider);
	value[SESSION_api] = set_name(origin, SESSION_ORIGIN_API, json_find(extra, STR("api")));
}

/* Appends the path as the name that Claude Code gives its folder: - for each UTF-16 unit that is
 * neither a letter nor a digit. */
static void
add_project(struct buf *to, struct str path)
{
	for (size_t i = 0, len; i < path.len; i += len) {
		len = utf8_len_within(path.ptr + i, path.ptr + path.len);
		buf_add_str(to, len == 4 ? STR("-") : STR(""));
		buf_add_char(to,
		    byte_is_letter(path.ptr[i]) || byte_is_digit(path.ptr[i]) ? path.ptr[i] : '-');
	}
}

bool
session_origin_open(struct session_origin *origin, const struct message *first, struct str *value,
    struct fault *fault)
{
	struct json_value said = json_find(first->metadata, STR("cwd"));
	char *here = said.type == JSON_STRING ? NULL : getcwd(NULL, 0);
	struct buf path = BUF_INIT;

	if (said.type == JSON_STRING)
		json_decode(said, &path);
	else if (here == NULL)
		return fault_set(
		    fault, STATUS_OS, "no working directory for the session: %s", strerror(errno));
	else
		buf_add_str(&path, str_from(here));
	/* A name that is no text cannot be said. */
	if (path.len == 0 || !utf8_valid(buf_str(&path)))
		buf_set(&path, STR("."));
	json_write_string(&origin->cwd, buf_str(&path));
	add_project(&origin->project, buf_str(&path));
	value[SESSION_cwd] = buf_str(&origin->cwd);
	value[SESSION_project] = buf_str(&origin->project);
	buf_free(&path);
	free(here);
	return true;
}

void
session_origin_free(struct session_origin *origin)
{
	for (unsigned i = 0; i < SESSION_ORIGIN_COUNT; i++) {
		buf_free(&origin->first[i]);
		buf_free(&origin->last[i]);
	}
	buf_free(&origin->cwd);
	buf_free(&origin->project);
}
