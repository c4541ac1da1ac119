#include "dialects/rows/row_table.h"

#include "base/mem.h"

static struct row_table *tables;

/* What a table is compiled with. */
struct compilation {
	struct row_table *table;
	struct member_variables variables;
};

static void
compile_path(struct compilation *c, const char *text, struct member_path *path)
{
	member_path_compile(
	    path, &c->table->tree, &c->variables, text != NULL ? str_from(text) : STR(""));
}

static const struct row_plan_member *
compile_members(struct compilation *c, const struct row_member *list, bool are_variables)
{
	struct row_plan_member *members;
	unsigned count = 0;

	while (list != NULL && list[count].name != NULL)
		count++;
	members = arena_zalloc(&c->table->tree.arena, count + 1, sizeof *members);
	for (unsigned i = 0; i < count; i++) {
		members[i].name = str_from(list[i].name);
		compile_path(c, list[i].at, &members[i].at);
		if (are_variables)
			members[i].variable =
			    member_variable(&c->table->tree, &c->variables, members[i].name);
	}
	return members;
}

static void
compile_known(struct compilation *c, const char *list, struct row_plan *plan)
{
	struct arena *arena = &c->table->tree.arena;
	struct json_names *names;
	struct str *words;
	unsigned count = 0;

	if (list == NULL)
		return;
	words = arena_zalloc(arena, JSON_NAMES_MAX, sizeof *words);
	while (count < JSON_NAMES_MAX && str_take_word(&list, ' ', &words[count]))
		count++;
	c->table->tree.is_broken |= list != NULL;
	names = arena_alloc(arena, sizeof *names);
	json_names_init(names, words, count);
	plan->known = names;
}

static void
compile_pieces(struct compilation *c, const struct row *row, struct row_plan *plan)
{
	const struct row_piece *list = row->pieces;
	struct row_plan_piece *pieces;
	unsigned count = 0;

	while (list != NULL && list[count].at != NULL)
		count++;
	pieces = arena_zalloc(&c->table->tree.arena, count + 2, sizeof *pieces);
	plan->pieces = pieces;
	if (list == NULL) {
		pieces->at = plan->content;
		pieces->inside = plan->inside;
	}
	for (unsigned i = 0; i < count; i++) {
		compile_path(c, list[i].at, &pieces[i].at);
		if (list[i].inside != NULL)
			pieces[i].inside = row_table_compile(c->table->dialect, list[i].inside);
	}
}

static void
compile_row(struct compilation *c, const struct row *row, struct row_plan *plan)
{
	struct member_tree *tree = &c->table->tree;

	plan->row = row;
	conditions_compile(&plan->when, tree, &c->variables, row->when);
	conditions_compile(&plan->error, tree, &c->variables, row->error);
	conditions_compile(&plan->success, tree, &c->variables, row->success);
	conditions_compile(&plan->left, tree, &c->variables, row->left);
	conditions_compile(&plan->streamed, tree, &c->variables, row->streamed);
	compile_path(c, row->role, &plan->role);
	compile_path(c, row->id, &plan->id);
	compile_path(c, row->record != NULL ? row->record : row->id, &plan->record);
	compile_path(c, row->keeps, &plan->keeps);
	compile_path(c, row->asked, &plan->asked);
	compile_path(c, row->parent, &plan->parent);
	compile_path(c, row->name, &plan->name);
	compile_path(c, row->content != NULL ? row->content : "content", &plan->content);
	compile_path(c, row->arguments, &plan->arguments);
	compile_path(c, row->media, &plan->media);
	compile_path(c, row->sealed, &plan->sealed);
	compile_path(c, row->signature, &plan->signature);
	compile_path(c, row->within != NULL ? row->within : ".", &plan->within);
	compile_path(c, row->at, &plan->at);
	plan->meta = compile_members(c, row->meta, false);
	plan->sets = compile_members(c, row->sets, true);
	compile_known(c, row->known, plan);
	if (row->inside != NULL)
		plan->inside = row_table_compile(c->table->dialect, row->inside);
	compile_pieces(c, row, plan);
}

/* The condition of the row that the member at is one of some words; NULL at: that any member is.
 * NULL when there is none. */
static struct condition *
find_kind(const struct row_plan *plan, const struct member_path *at)
{
	for (unsigned i = 0; i < plan->when.count; i++) {
		struct condition *condition = &plan->when.list[i];
		const struct member_choice *choice = &condition->at.choice[0];

		if (condition->test == CONDITION_IS && !condition->is_negated &&
		    condition->at.choices == 1 && choice->source == MEMBER_VALUE &&
		    !choice->is_list && (at == NULL || choice->node == at->choice[0].node))
			return condition;
	}
	return NULL;
}

/* Adds the words of the condition for the row of that bit. Returns false when there are too
 * many. */
static bool
add_words(struct row_kinds *kinds, const struct condition *condition, uint64_t row)
{
	for (unsigned i = 0; i < condition->words; i++) {
		unsigned at = 0;

		while (at < kinds->names.count && !str_eq(kinds->word[at], condition->word[i]))
			at++;
		if (at == JSON_NAMES_MAX)
			return false;
		kinds->word[at] = condition->word[i];
		kinds->names.count += at == kinds->names.count;
		kinds->rows[at] |= row;
	}
	return true;
}

/* Finds the member that the first row with such a condition names, and all rows with a condition on
 * that member. */
static void
compile_kinds(struct row_table *table)
{
	struct row_kinds *kinds = arena_zalloc(&table->tree.arena, 1, sizeof *kinds);
	struct condition *condition = NULL;

	if (table->count > 64)
		return;
	for (unsigned i = 0; i < table->count; i++) {
		uint64_t row = UINT64_C(1) << i;

		condition = find_kind(&table->plan[i], kinds->at.choices > 0 ? &kinds->at : NULL);
		if (condition == NULL)
			kinds->others |= row;
		else if (!add_words(kinds, condition, row))
			return;
		else
			kinds->at = condition->at;
	}
	if (kinds->at.choices == 0)
		return;
	json_names_init(&kinds->names, kinds->word, kinds->names.count);
	for (unsigned i = 0; i < table->count; i++)
		if ((condition = find_kind(&table->plan[i], &kinds->at)) != NULL)
			*condition = table->plan[i].when.list[--table->plan[i].when.count];
	table->kinds = kinds;
}

const struct row_table *
row_table_compile(const struct row_dialect *dialect, const struct row *rows)
{
	struct compilation c = {.variables = {dialect->variables, NULL}};
	struct row_table *table;

	for (table = tables; table != NULL; table = table->next)
		if (table->dialect == dialect && table->rows == rows)
			return table;
	table = mem_alloc(1, sizeof *table);
	*table = (struct row_table){
	    .dialect = dialect, .rows = rows, .tree = MEMBER_TREE_INIT, .next = tables};
	tables = c.table = table;
	while (rows[table->count].make != ROW_END)
		table->count++;
	table->plan = arena_zalloc(&table->tree.arena, table->count, sizeof *table->plan);
	for (unsigned i = 0; i < table->count; i++)
		compile_row(&c, &rows[i], &table->plan[i]);
	compile_kinds(table);
	table->carried = compile_members(&c, dialect->carried, false);
	table->answered = compile_members(&c, dialect->answered, false);
	return table;
}

bool
row_table_has_record(const struct row_dialect *dialect, struct str name)
{
	for (const struct row_table *table = tables; table != NULL; table = table->next)
		if (table->dialect == dialect && member_has_record(&table->tree, name))
			return true;
	return false;
}

const struct row_plan *
row_table_find(const struct row_table *table, struct member_view *view)
{
	const struct row_kinds *kinds = table->kinds;
	uint64_t rows = UINT64_MAX;

	if (kinds != NULL) {
		int word = json_name_index(&kinds->names, member_find(view, &kinds->at));

		rows = kinds->others | (word >= 0 ? kinds->rows[word] : 0);
	}
	for (unsigned i = 0; i < table->count; i++)
		if ((i >= 64 || (rows >> i & 1) != 0) &&
		    conditions_hold(&table->plan[i].when, view))
			return &table->plan[i];
	return NULL;
}
