#include "policy/facts/state.h"

#include <strings.h>

#include "data/change.h"
#include "json/string.h"
#include "policy/build_check.h"
#include "policy/facts/call_outcome.h"
#include "policy/facts/check_outcome.h"
#include "policy/facts/commit.h"
#include "policy/text/line_start.h"

enum { SHOWN = 120 }; /* bytes of a command, a to-do, or a line */

/* Takes out the things that begin with the text. */
static void
take_out(struct things *things, struct str start)
{
	for (uint32_t i = things->used; i-- > 0;)
		if (things->item[i].len > 0 && str_has_prefix(things->item[i], start))
			things_remove(things, i);
}

/* Adds "NAME MARK LINE", or the name alone where there is no line, in place of the thing of that
 * name. */
static void
put(struct things *things, struct str name, const char *mark, struct str line)
{
	struct buf item = BUF_INIT;

	line_start_add(name, SHOWN, &item);
	for (uint32_t i = things->used; i-- > 0;)
		if (str_eq(things->item[i], buf_str(&item)))
			things_remove(things, i);
	name.len = item.len;
	buf_add_str(&item, str_from(mark));
	take_out(things, buf_str(&item));
	if (line.len > 0)
		line_start_add(line, SHOWN, &item);
	things_add(things, line.len > 0 ? buf_str(&item) : str_of(item.ptr, name.len));
	buf_free(&item);
}

void
state_add_check(struct facts *facts, const struct session *t, uint32_t index)
{
	const struct call *call = &t->call[index];
	struct buf buf = BUF_INIT;
	struct str check, outcome;
	bool is_own;
	int failure;

	if (call->use.op != TOOL_SHELL)
		return;
	check = build_check_find(call->use.target, &is_own);
	if (check.len == 0)
		return;
	failure = is_own ? call_outcome_failed(t, call->result) : -1;
	if (failure >= 0)
		outcome = failure > 0 ? STR("failed") : STR("ok");
	else
		outcome = check_outcome_line(change_base_text(t, call->result, &buf));
	/* Without a word, a reader takes it for ok. */
	put(&facts->list[FACTS_CHECKS], check, ": ",
	    outcome.len > 0 ? outcome : STR("outcome unknown"));
	buf_free(&buf);
}

bool
state_is_todos(const struct call *call)
{
	static const struct str names[] = {
	    STR_INIT("update_plan"), STR_INIT("write_todos"), STR_INIT("task_tracker")};

	if (STR_IS_ONE_OF(call->name, names))
		return true;
	for (size_t i = 0; i + 4 <= call->name.len; i++)
		if (strncasecmp(call->name.ptr + i, "todo", 4) == 0)
			return true;
	return false;
}

/* The list of to-dos among the arguments: an array of objects that have a status, or an empty one.
 * Absent: the call reads the list, or has none. */
static struct json_value
list_of(const struct tool_arguments *arguments)
{
	for (struct json_walk members = json_walk_members(arguments->value);
	     json_walk_next(&members);)
		if (members.value.type == JSON_ARRAY &&
		    (!json_has_elements(members.value) ||
			json_find(json_first(members.value), STR("status")).type == JSON_STRING))
			return members.value;
	return (struct json_value){NULL, 0, JSON_ABSENT, 0};
}

/* Adds the item of a list after its status, unless it is done. */
static void
add_todo(struct things *todos, struct json_value item)
{
	static const struct str names[] = {STR_INIT("content"), STR_INIT("step"), STR_INIT("title"),
	    STR_INIT("task"), STR_INIT("text"), STR_INIT("description")};
	static const struct str closed[] = {STR_INIT("completed"), STR_INIT("complete"),
	    STR_INIT("done"), STR_INIT("cancelled"), STR_INIT("canceled"), STR_INIT("finished")};
	struct json_value status = json_find(item, STR("status")), what;
	struct buf text = BUF_INIT, todo = BUF_INIT;

	what.type = JSON_ABSENT;
	for (size_t i = 0; i < ARRAY_COUNT(names) && what.type != JSON_STRING; i++)
		what = json_find(item, names[i]);
	if (JSON_IS_ONE_OF(status, closed))
		what.type = JSON_ABSENT;
	if (what.type == JSON_STRING && status.type == JSON_STRING) {
		buf_add_str(&todo, json_text(status, &text));
		for (size_t i = 0; i < todo.len; i++)
			todo.ptr[i] = todo.ptr[i] == '_' ? ' ' : todo.ptr[i];
		buf_add_str(&todo, STR(": "));
		line_start_add(json_text(what, &text), SHOWN, &todo);
		things_add(todos, buf_str(&todo));
	}
	buf_free(&text);
	buf_free(&todo);
}

bool
state_sets_todos(const struct session *t, uint32_t index, struct things *todos)
{
	const struct call *call = &t->call[index];
	struct arena arena = ARENA_INIT;
	struct tool_arguments arguments;
	struct json_value list;

	if (!state_is_todos(call) || call->result == NONE || t->entry[call->result].is_error)
		return false;
	tool_arguments(call->arguments, &arena, &arguments);
	list = list_of(&arguments);
	if (list.type == JSON_ARRAY && todos != NULL) {
		take_out(todos, STR(""));
		for (struct json_walk items = json_walk_of(list); json_walk_next(&items);)
			if (items.value.type == JSON_OBJECT)
				add_todo(todos, items.value);
	}
	arena_free(&arena);
	return list.type == JSON_ARRAY;
}

/* Messages do not always go in the order of the log. */
void
state_add_todos(struct facts *facts, const struct session *t, uint32_t index)
{
	if (index >= facts->todos_from && state_sets_todos(t, index, &facts->list[FACTS_TODOS]))
		facts->todos_from = index;
}

/* Whether the line reports a ref that git pushed or fetched. */
static bool
is_ref_update(struct str line)
{
	static const struct str signs[] = {STR_INIT("* ["), STR_INIT("! ["), STR_INIT("+ ")};
	const char *blank = memchr(line.ptr, ' ', line.len);
	const char *dots = str_find(line, STR(".."));

	return str_find(line, STR(" -> ")) != NULL &&
	    (STR_HAS_ANY_PREFIX(line, signs) || (dots != NULL && dots < blank));
}

/* Reads branch, commit or push from a line of git. *pushes: whether the refs that it names were
 * pushed, which changes with the line that names the other side. */
static void
see_git(struct things *git, struct str line, bool commits, bool *pushes)
{
	static const struct str switched[] = {STR_INIT("On branch "),
	    STR_INIT("Switched to branch '"), STR_INIT("Switched to a new branch '")};
	const char *end;

	for (size_t i = 0; i < ARRAY_COUNT(switched); i++) {
		struct str rest = line;

		if (!str_has_prefix(line, switched[i]))
			continue;
		rest = str_of(rest.ptr + switched[i].len, rest.len - switched[i].len);
		rest.len -= rest.len > 0 && rest.ptr[rest.len - 1] == '\'';
		put(git, STR("branch"), " ", rest);
	}
	end = str_find(line, STR("] "));
	if (commits && line.len > 0 && line.ptr[0] == '[' && end != NULL &&
	    memchr(line.ptr, ' ', (size_t)(end - line.ptr)) != NULL)
		put(git, STR("commit"), " ", line);
	*pushes =
	    (*pushes || str_has_prefix(line, STR("To "))) && !str_has_prefix(line, STR("From "));
	if (*pushes && is_ref_update(line))
		put(git, STR("push"), " ", line);
}

void
state_add_git(struct facts *facts, const struct session *t, uint32_t index)
{
	const struct call *call = &t->call[index];
	struct str command = call->use.target, text;
	struct things *git = &facts->list[FACTS_GIT];
	struct buf buf = BUF_INIT;
	bool pushes, is_silent;

	if (call->use.op != TOOL_SHELL || str_find(command, STR("git ")) == NULL)
		return;
	text = str_trim(change_base_text(t, call->result, &buf));
	is_silent = text.len == 0 && call_outcome_failed(t, call->result) <= 0;
	if (is_silent && commit_subject(command).len > 0)
		put(git, STR("commit"), " ", commit_subject(command));
	pushes = str_find(command, STR("push")) != NULL;
	while (text.len > 0)
		see_git(git, str_trim(str_take_line(&text)),
		    str_find(command, STR("commit")) != NULL, &pushes);
	buf_free(&buf);
}
