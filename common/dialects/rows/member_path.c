#include "dialects/rows/member_path.h"

#include "json/scan.h"

struct member_names {
	struct json_names names;
	struct str list[JSON_NAMES_MAX];
	uint8_t node[JSON_NAMES_MAX];
};

/* Takes the text up to the mark off, and the mark. */
static struct str
take_until(struct str *text, char mark)
{
	const char *at = memchr(text->ptr, mark, text->len);
	size_t len = at != NULL ? (size_t)(at - text->ptr) : text->len;
	struct str taken = str_of(text->ptr, len);
	size_t skipped = len + (at != NULL);

	*text = str_of(text->ptr + skipped, text->len - skipped);
	return taken;
}

/* The node of that name below the node of parent, which is added when it is new. */
static uint8_t
add_node(struct member_tree *tree, uint8_t parent, struct str name)
{
	struct member_names *below = tree->node[parent].below;

	if (below == NULL) {
		below = arena_zalloc(&tree->arena, 1, sizeof *below);
		below->names.list = below->list;
		tree->node[parent].below = below;
	}
	for (unsigned i = 0; i < below->names.count; i++)
		if (str_eq(below->list[i], name))
			return below->node[i];
	if (tree->count == MEMBER_NODES || below->names.count == JSON_NAMES_MAX) {
		tree->is_broken = true;
		return 0;
	}
	tree->node[tree->count] =
	    (struct member_node){.parent = parent, .index = (uint8_t)below->names.count};
	below->list[below->names.count] = name;
	below->node[below->names.count] = (uint8_t)tree->count;
	json_names_grow(&below->names);
	return (uint8_t)tree->count++;
}

int
member_below(const struct member_tree *tree, uint8_t node, struct json_value name)
{
	const struct member_names *below = tree->node[node].below;
	int index = below != NULL ? json_name_index(&below->names, name) : -1;

	return index >= 0 ? below->node[index] : -1;
}

bool
member_has_record(const struct member_tree *tree, struct str name)
{
	for (unsigned i = 0; i < tree->records; i++)
		if (str_eq(tree->record[i], name))
			return true;
	return false;
}

/* Notes the first of the names of a path from the record. */
static void
note_record(struct member_tree *tree, struct str names)
{
	struct str name = take_until(&names, '.');

	if (member_has_record(tree, name))
		return;
	tree->is_broken |= tree->records == MEMBER_RECORDS;
	if (!tree->is_broken)
		tree->record[tree->records++] = name;
}

uint8_t
member_variable(struct member_tree *tree, const struct member_variables *variables, struct str name)
{
	for (uint8_t i = 0; variables != NULL && variables->names[i] != NULL; i++)
		if (str_eq(str_from(variables->names[i]), name))
			return i;
	tree->is_broken = true;
	return 0;
}

/* The word within single quotes, as a JSON string. */
static struct str
quote(struct member_tree *tree, struct str text)
{
	char *word = arena_alloc(&tree->arena, text.len);

	memcpy(word, text.ptr, text.len);
	word[0] = word[text.len - 1] = '"';
	return str_of(word, text.len);
}

/* Cuts the names of a choice after the list to whose elements it leads. Sets rest to the names in
 * each element; returns whether there is a list. */
static bool
take_list(struct str *names, struct str *rest)
{
	const char *list = str_find(*names, STR("[]"));

	if (list == NULL)
		return false;
	*rest = str_rest(*names, (size_t)(list + 2 - names->ptr));
	names->len = (size_t)(list - names->ptr);
	if (rest->len > 0)
		take_until(rest, '.');
	return true;
}

static struct member_choice
compile_choice(struct member_tree *tree, const struct member_variables *variables, struct str text)
{
	struct member_choice choice = {.source = MEMBER_VALUE};
	struct str names = text;

	if (text.len > 1 && text.ptr[0] == '\'') {
		choice.source = MEMBER_WORD;
		choice.word = quote(tree, text);
		return choice;
	}
	if (text.len > 1 && text.ptr[0] == '%') {
		choice.source = MEMBER_VARIABLE;
		choice.node = member_variable(tree, variables, str_of(text.ptr + 1, text.len - 1));
		return choice;
	}
	if (text.len > 1 && text.ptr[0] == '/') {
		choice.source = MEMBER_RECORD;
		choice.rest = str_of(text.ptr + 1, text.len - 1);
		note_record(tree, choice.rest);
		return choice;
	}
	choice.is_list = take_list(&names, &choice.rest);
	choice.is_plain = !choice.is_list;
	if (str_eq(names, STR(".")))
		return choice;
	while (names.len > 0)
		choice.node = add_node(tree, choice.node, take_until(&names, '.'));
	return choice;
}

void
member_path_compile(struct member_path *path, struct member_tree *tree,
    const struct member_variables *variables, struct str text)
{
	path->choices = 0;
	while (text.len > 0) {
		if (path->choices == MEMBER_CHOICES) {
			tree->is_broken = true;
			return;
		}
		path->choice[path->choices++] =
		    compile_choice(tree, variables, take_until(&text, '|'));
	}
}

void
member_view_open(struct member_view *view, const struct member_tree *tree,
    const struct member_variables *variables, struct json_value record, struct json_value value)
{
	view->tree = tree;
	view->record = record;
	view->variables = variables;
	memset(view->picked, 0, sizeof view->picked);
	view->count = 0;
	view->whole = value;
}

void
member_pick(struct member_view *view, uint8_t node)
{
	const struct member_names *below = view->tree->node[node].below;
	struct json_value object = member_value(view, node);
	unsigned first = view->count;

	view->count += below->names.count;
	view->first[node] = (uint8_t)first;
	json_pick(object, &below->names, &view->value[first]);
	view->picked[node / 64] |= UINT64_C(1) << node % 64;
}

uint64_t
member_there(struct member_view *view)
{
	const struct member_names *below = view->tree->node[0].below;
	uint64_t there = 0;

	if (below == NULL)
		return 0;
	if ((view->picked[0] & 1) == 0)
		member_pick(view, 0);
	for (unsigned i = 0; i < below->names.count && i < 64; i++)
		if (view->value[view->first[0] + i].type != JSON_ABSENT)
			there |= UINT64_C(1) << i;
	return there;
}

/* The value at names that no tree has. */
static struct json_value
find_rest(struct json_value value, struct str names)
{
	while (names.len > 0 && value.type != JSON_ABSENT)
		value = json_find(value, take_until(&names, '.'));
	return value;
}

/* The value of the choice, which has names alone, null or not. */
static struct json_value
find_names(struct json_value value, struct str names)
{
	struct str rest = STR("");
	bool is_list = take_list(&names, &rest);
	struct json_value found = json_absent;

	if (!str_eq(names, STR(".")))
		value = find_rest(value, names);
	if (!is_list || value.type != JSON_ARRAY)
		return find_rest(value, rest);
	for (struct json_walk walk = json_walk_list(value);
	     found.type == JSON_ABSENT && json_walk_next(&walk);)
		found = find_rest(walk.value, rest);
	return found;
}

struct json_value
member_path_find(struct json_value value, struct str path)
{
	struct json_value found = json_absent;

	while (path.len > 0 && found.type == JSON_ABSENT)
		found = find_names(value, take_until(&path, '|'));
	return found;
}

/* What the choice leads to, without its list. */
static struct json_value
find_choice(struct member_view *view, const struct member_choice *choice)
{
	struct str text;

	switch (choice->source) {
	case MEMBER_RECORD:
		return find_rest(view->record, choice->rest);
	case MEMBER_VARIABLE:
		text = buf_str(&view->variables->values[choice->node]);
		return text.len > 0 ? json_value_at(text.ptr) : json_absent;
	case MEMBER_WORD:
		return (struct json_value){
		    .ptr = choice->word.ptr,
		    .len = (uint32_t)choice->word.len,
		    .type = JSON_STRING,
		};
	default:
		return member_value(view, choice->node);
	}
}

struct json_value
member_find_null(struct member_view *view, const struct member_path *path)
{
	const struct member_choice *choice = &path->choice[0];

	if (path->choices == 0)
		return json_absent;
	return find_choice(view, choice);
}

static void
open_choice(struct member_walk *walk, struct member_view *view, const struct member_choice *choice)
{
	struct json_value value = find_choice(view, choice);
	bool is_list = choice->is_list && value.type == JSON_ARRAY;

	walk->rest = choice->is_list ? choice->rest : STR("");
	walk->only = is_list ? json_absent : value;
	walk->list = json_walk_of(is_list ? value : json_absent);
}

/* The first value of a choice that is a list. */
static struct json_value
find_in_list(struct member_view *view, const struct member_choice *choice)
{
	struct member_walk walk;
	struct json_value value;

	open_choice(&walk, view, choice);
	return member_walk_next(&walk, &value) ? value : json_absent;
}

struct json_value
member_find_choice(struct member_view *view, const struct member_path *path)
{
	for (unsigned i = 0; i < path->choices; i++) {
		const struct member_choice *choice = &path->choice[i];
		struct json_value value =
		    choice->is_list ? find_in_list(view, choice) : find_choice(view, choice);

		if (value.type > JSON_NULL)
			return value;
	}
	return json_absent;
}

void
member_walk_open(struct member_walk *walk, struct member_view *view, const struct member_path *path)
{
	struct member_walk tried;
	struct json_value value;

	*walk = (struct member_walk){.only = json_absent};
	walk->list = json_walk_of(json_absent);
	for (unsigned i = 0; i < path->choices; i++) {
		open_choice(walk, view, &path->choice[i]);
		tried = *walk;
		if (member_walk_next(&tried, &value))
			return;
	}
}

bool
member_walk_next(struct member_walk *walk, struct json_value *value)
{
	if (walk->only.type > JSON_NULL) {
		*value = find_rest(walk->only, walk->rest);
		walk->only = json_absent;
		return value->type > JSON_NULL;
	}
	while (json_walk_next(&walk->list)) {
		*value = find_rest(walk->list.value, walk->rest);
		if (value->type > JSON_NULL)
			return true;
	}
	return false;
}
