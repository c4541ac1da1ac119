#include "dialects/likeness.h"

#include "dialects/dialect_sign.h"

const char *
likeness_name(struct json_value record)
{
	const struct dialect *dialect;
	const char *name;

	dialect_sign_hold(record);
	name = dialect_sign_name(record);
	if (name == NULL && json_first(record).type != JSON_ABSENT)
		name = dialect_sign_name(json_first(record));
	/* A role alone is too weak a sign. */
	dialect = name == NULL ? dialect_detect(record) : NULL;
	dialect_sign_release();
	if (name != NULL)
		return name;
	if (dialect == NULL || dialect == &ctx_dialect ||
	    (dialect->is_chat && json_find(record, STR("role")).type == JSON_STRING))
		return NULL;
	return dialect->name;
}

bool
likeness_is_read(const char *name)
{
	for (const char *const *read = dialect_reader_names; *read != NULL; read++)
		if (strcmp(*read, name) == 0)
			return true;
	return false;
}

void
likeness_write(const char *name, struct buf *text)
{
	const char *what = ", which is not read by this version";

	buf_add_fmt(text, "looks like %s", name != NULL ? name : "no known format");
	if (name == NULL || likeness_is_read(name))
		return;
	if (strcmp(name, DIALECT_SIGN_STORED) == 0)
		what = "; read the session instead: storage/session/PROJECT/SESSION.json";
	else if (strcmp(name, DIALECT_SIGN_STORED_SESSION) == 0)
		what = ", whose messages are not there: storage/message/SESSION";
	buf_add_fmt(text, "%s", what);
}
