#include "dialects/rows/conditions.h"

#include <assert.h>

#include "json/string.h"

static unsigned
type_bits(struct member_tree *tree, struct str name)
{
	static const struct {
		struct str name;
		unsigned bits;
	} types[] = {
	    {STR_INIT("text"), 1u << JSON_STRING | 1u << JSON_ARRAY},
	    {STR_INIT("string"), 1u << JSON_STRING},
	    {STR_INIT("array"), 1u << JSON_ARRAY},
	    {STR_INIT("object"), 1u << JSON_OBJECT},
	    {STR_INIT("number"), 1u << JSON_NUMBER},
	    {STR_INIT("true"), 1u << JSON_TRUE},
	    {STR_INIT("false"), 1u << JSON_FALSE},
	    {STR_INIT("any"), ~(1u << JSON_ABSENT)},
	};

	for (size_t i = 0; i < ARRAY_COUNT(types); i++)
		if (str_eq(types[i].name, name))
			return types[i].bits;
	tree->is_broken = true;
	return 0;
}

static void
add_words(struct member_tree *tree, struct condition *condition, struct str list)
{
	const char *mark;

	do {
		if (condition->words == CONDITION_WORDS) {
			tree->is_broken = true;
			return;
		}
		mark = memchr(list.ptr, '|', list.len);
		condition->word[condition->words++] =
		    str_of(list.ptr, mark != NULL ? (size_t)(mark - list.ptr) : list.len);
		if (mark != NULL)
			list = str_of(mark + 1, (size_t)(list.ptr + list.len - mark - 1));
	} while (mark != NULL);
}

static void
compile(struct condition *condition, struct member_tree *tree,
    const struct member_variables *variables, struct str text)
{
	size_t len;

	condition->is_negated = text.ptr[0] == '!';
	text = str_of(text.ptr + condition->is_negated, text.len - condition->is_negated);
	len = 0;
	while (
	    len < text.len && text.ptr[len] != '=' && text.ptr[len] != '^' && text.ptr[len] != ':')
		len++;
	member_path_compile(&condition->at, tree, variables, str_of(text.ptr, len));
	if (len == text.len)
		return;
	condition->test = text.ptr[len] == '=' ? CONDITION_IS :
	    text.ptr[len] == '^'               ? CONDITION_BEGINS :
						 CONDITION_TYPE;
	text = str_of(text.ptr + len + 1, text.len - len - 1);
	if (text.len > 0 && text.ptr[0] == '\'')
		condition->word[condition->words++] = str_of(text.ptr + 1, text.len - 2);
	else if (condition->test == CONDITION_TYPE)
		condition->types = type_bits(tree, text);
	else
		add_words(tree, condition, text);
}

/* The name of the first level that the value must have so that the condition holds; no bit where
 * the condition may hold without one. */
static uint64_t
needed_by(const struct condition *condition, const struct member_tree *tree)
{
	const struct member_choice *choice = &condition->at.choice[0];
	uint8_t node = choice->node;

	if (condition->is_negated || condition->at.choices != 1 || choice->source != MEMBER_VALUE ||
	    node == 0)
		return 0;
	while (tree->node[node].parent != 0)
		node = tree->node[node].parent;
	return tree->node[node].index < 64 ? UINT64_C(1) << tree->node[node].index : 0;
}

void
conditions_compile(struct conditions *conditions, struct member_tree *tree,
    const struct member_variables *variables, const char *text)
{
	*conditions = (struct conditions){.count = 0};
	if (text == NULL || text[0] == '\0')
		return;
	conditions->list = arena_zalloc(&tree->arena, CONDITIONS_MAX, sizeof *conditions->list);
	while (text[0] != '\0') {
		size_t len = strcspn(text, " '");

		if (conditions->count == CONDITIONS_MAX) {
			tree->is_broken = true;
			return;
		}
		if (text[len] == '\'')
			len = strlen(text);
		compile(&conditions->list[conditions->count], tree, variables, str_of(text, len));
		conditions->needed |= needed_by(&conditions->list[conditions->count++], tree);
		text += len;
		text += strspn(text, " ");
	}
}

static bool
test(const struct condition *condition, struct json_value value)
{
	switch (condition->test) {
	case CONDITION_IS:
		return json_is_one_of(value, condition->word, condition->words);
	case CONDITION_BEGINS:
		return value.type == JSON_STRING &&
		    str_has_any_prefix(json_inner(value), condition->word, condition->words);
	case CONDITION_TYPE:
		return (condition->types >> value.type & 1) != 0;
	default:
		return value.type > JSON_NULL;
	}
}

bool
conditions_hold(const struct conditions *conditions, struct member_view *view)
{
	for (unsigned i = 0; i < conditions->count; i++) {
		const struct condition *condition = &conditions->list[i];
		bool takes_null = (condition->types >> JSON_NULL & 1) != 0;
		struct json_value value = takes_null ? member_find_null(view, &condition->at) :
						       member_find(view, &condition->at);

		if (test(condition, value) == condition->is_negated)
			return false;
	}
	return true;
}

static void
compile_table(struct conditions_table *table)
{
	table->row = arena_zalloc(&table->tree.arena, table->count, sizeof *table->row);
	for (size_t i = 0; i < table->count; i++) {
		const char *row = (const char *)table->when + i * table->size;

		conditions_compile(
		    &table->row[i], &table->tree, NULL, *(const char *const *)(const void *)row);
	}
	assert(!table->tree.is_broken);
}

void
conditions_table_open(
    struct conditions_table *table, struct member_view *view, struct json_value value)
{
	if (table->row == NULL)
		compile_table(table);
	member_view_open(view, &table->tree, NULL, value, value);
}

/* Whether the conditions may hold of a value with these members. */
static inline bool
may_hold(const struct conditions *conditions, uint64_t there)
{
	return (conditions->needed & ~there) == 0;
}

unsigned
conditions_table_list(const struct conditions_table *table, struct member_view *view, uint8_t *rows)
{
	uint64_t there = member_there(view);
	unsigned count = 0;

	for (size_t i = 0; i < table->count; i++)
		if (may_hold(&table->row[i], there))
			rows[count++] = (uint8_t)i;
	return count;
}

size_t
conditions_table_find(struct conditions_table *table, struct json_value value)
{
	struct member_view view;
	uint64_t there;
	size_t i = 0;

	conditions_table_open(table, &view, value);
	there = member_there(&view);
	while (i < table->count &&
	    !(may_hold(&table->row[i], there) && conditions_hold(&table->row[i], &view)))
		i++;
	return i;
}
