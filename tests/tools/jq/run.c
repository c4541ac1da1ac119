#include "run.h"

#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "functions.h"

/*
 * A program runs from the inside out: each node hands its results, one after the other, to the sink
 * that was given to it, which mostly runs the next node on them.
 */

/* A value and, where a path is asked for, how it was reached: the keys from the last to the first. */
struct path {
	const struct path *up;
	const struct value *key;
};

struct result {
	const struct value *value;
	const struct path *path;
	/* Whether path is kept; without it there is none to tell. */
	bool tracked;
};

/* Names in force: variables, functions, and arguments, which are nodes with the names they know. */
struct names {
	const struct names *up;
	const char *name;
	const struct value *value;
	const struct node *node;
	const struct names *known;
	bool is_argument;
};

/* What takes results within; returns false when it wants no more. */
struct taker {
	bool (*take)(struct taker *taker, struct result r);
};

static const struct names *prelude;
static jmp_buf *tried;

static bool eval(
    const struct node *n, const struct names *names, struct result in, struct taker *out);

void
fail(void)
{
	if (tried == NULL)
		defer();
	longjmp(*tried, 1);
}

static struct result
plain(const struct value *v)
{
	return (struct result){.value = v};
}

static bool
give(struct taker *out, const struct value *v)
{
	return out->take(out, plain(v));
}

static const struct names *
name_value(const struct names *up, const char *name, const struct value *v)
{
	struct names *names = keep(sizeof(*names));

	names->up = up;
	names->name = name;
	names->value = v;
	return names;
}

/* --- Results as a list ------------------------------------------------------------------------- */

struct list {
	struct taker taker;
	struct result *results;
	size_t count, cap, most;
};

static bool
list_take(struct taker *taker, struct result r)
{
	struct list *list = (struct list *)taker;

	if (list->count == list->cap) {
		list->cap = list->cap == 0 ? 8 : 2 * list->cap;
		list->results = more(list->results, list->cap, sizeof(*list->results));
	}
	list->results[list->count++] = r;
	return list->count != list->most;
}

/* The results, or so many of the first; the caller frees the list. */
static struct list
list_some(const struct node *n, const struct names *names, struct result in, size_t most)
{
	struct list list = {.taker = {list_take}, .most = most};

	eval(n, names, in, &list.taker);
	return list;
}

/* The results for the value; without a node there is one, null. */
static struct list
list_all(const struct node *n, const struct names *names, const struct value *in)
{
	struct list list = {.taker = {list_take}};

	if (n == NULL)
		list_take(&list.taker, plain(&value_null));
	else
		eval(n, names, plain(in), &list.taker);
	return list;
}

static struct value *
array_of(const struct list *list)
{
	struct value *array = value_new(KIND_ARRAY);

	for (size_t i = 0; i < list->count; i++)
		value_add(array, list->results[i].value);
	return array;
}

/* The path from the first key. */
static const struct value *
path_value(struct result r)
{
	struct value *keys = value_new(KIND_ARRAY);

	if (!r.tracked)
		fail();
	for (const struct path *p = r.path; p != NULL; p = p->up)
		value_add(keys, p->key);
	for (size_t i = 0; i < keys->count / 2; i++) {
		const struct value *key = keys->items[i];

		keys->items[i] = keys->items[keys->count - 1 - i];
		keys->items[keys->count - 1 - i] = key;
	}
	return keys;
}

/* The paths of the places that n names in the value. */
static struct value *
paths_of(const struct node *n, const struct names *names, const struct value *v)
{
	struct list list = list_some(n, names, (struct result){v, NULL, true}, 0);
	struct value *paths = value_new(KIND_ARRAY);

	for (size_t i = 0; i < list.count; i++)
		value_add(paths, path_value(list.results[i]));
	free(list.results);
	return paths;
}

/* --- Nodes ------------------------------------------------------------------------------------- */

static struct result
step(struct result from, const struct value *key, const struct value *value)
{
	struct result r = {.value = value, .tracked = from.tracked};
	struct path *path;

	if (from.tracked) {
		path = keep(sizeof(*path));
		path->up = from.path;
		path->key = key;
		r.path = path;
	}
	return r;
}

static bool
iterate(struct result from, struct taker *out, bool must)
{
	const struct value *v = from.value, *key;
	bool object = v->kind == KIND_OBJECT;

	if (v->kind < KIND_ARRAY) {
		if (must)
			fail();
		return true;
	}
	for (size_t i = 0; i < v->count; i++) {
		key = object ? v->keys[i] : from.tracked ? value_number((double)i) : NULL;
		if (!out->take(out, step(from, key, v->items[i])))
			return false;
	}
	return true;
}

/* A taker that runs a node on what it takes. */
struct next {
	struct taker taker;
	const struct node *node;
	const struct names *names;
	struct taker *out;
	/* The value that the whole was given, which brackets are computed of. */
	struct result in;
};

static bool
pipe_take(struct taker *taker, struct result r)
{
	struct next *next = (struct next *)taker;

	return eval(next->node, next->names, r, next->out);
}

static bool
recurse_take(struct taker *taker, struct result r)
{
	struct next *next = (struct next *)taker;

	return next->out->take(next->out, r) && iterate(r, taker, false);
}

static bool
iterate_take(struct taker *taker, struct result r)
{
	return iterate(r, ((struct next *)taker)->out, true);
}

static bool
index_take(struct taker *taker, struct result r)
{
	struct next *next = (struct next *)taker;
	const struct node *n = next->node;
	struct list keys = list_all(n->b, next->names, next->in.value), ends = {0};
	bool go_on = true;

	if (n->kind == NODE_SLICE)
		ends = list_all(n->c, next->names, next->in.value);
	if (n->kind == NODE_SLICE && (keys.count != 1 || ends.count != 1))
		defer();
	for (size_t i = 0; go_on && i < keys.count; i++) {
		const struct value *key = keys.results[i].value;

		if (n->kind == NODE_SLICE)
			go_on =
			    give(next->out, function_slice(r.value, key, ends.results[0].value));
		else
			go_on =
			    next->out->take(next->out, step(r, key, function_get(r.value, key)));
	}
	free(keys.results);
	free(ends.results);
	return go_on;
}

static bool
eval_operator(const struct node *n, const struct names *names, struct result in, struct taker *out)
{
	struct list right = list_all(n->b, names, in.value), left = list_all(n->a, names, in.value);
	bool go_on = true;

	for (size_t i = 0; i < right.count; i++)
		for (size_t j = 0; go_on && j < left.count; j++)
			go_on = give(out,
			    function_operator(
				n->op, left.results[j].value, right.results[i].value));
	free(right.results);
	free(left.results);
	return go_on;
}

static bool
eval_logic(const struct node *n, const struct names *names, struct result in, struct taker *out)
{
	struct list left = list_all(n->a, names, in.value), right;
	bool go_on = true;

	for (size_t i = 0; go_on && i < left.count; i++) {
		if (value_is_true(left.results[i].value) == (n->kind == NODE_OR)) {
			go_on = give(out, value_bool(n->kind == NODE_OR));
			continue;
		}
		right = list_all(n->b, names, in.value);
		for (size_t j = 0; go_on && j < right.count; j++)
			go_on = give(out, value_bool(value_is_true(right.results[j].value)));
		free(right.results);
	}
	free(left.results);
	return go_on;
}

/* The results up to an error; whether there was one is left in *failed. */
static struct list
list_tried(const struct node *n, const struct names *names, struct result in, bool *failed)
{
	/* Not on the stack, where longjmp may leave it as it was. */
	struct list *list = keep(sizeof(*list));
	jmp_buf here, *outer = tried;

	list->taker.take = list_take;
	*failed = true;
	tried = &here;
	if (setjmp(here) == 0) {
		eval(n, names, in, &list->taker);
		*failed = false;
	}
	tried = outer;
	return *list;
}

static bool
eval_try(const struct node *n, const struct names *names, struct result in, struct taker *out)
{
	bool failed, go_on = true;
	struct list list = list_tried(n->a, names, in, &failed);

	for (size_t i = 0; go_on && i < list.count; i++)
		go_on = out->take(out, list.results[i]);
	free(list.results);
	if (!failed || n->b == NULL || !go_on)
		return go_on;
	/* What the message is, only the jq of the system knows. */
	if (n->b->kind != NODE_LITERAL &&
	    (n->b->kind != NODE_CALL || strcmp(n->b->name, "empty") != 0))
		defer();
	return eval(n->b, names, in, out);
}

static bool
eval_else(const struct node *n, const struct names *names, struct result in, struct taker *out)
{
	bool failed, any = false, go_on = true;
	struct list list = list_tried(n->a, names, in, &failed);

	/* What an error on the left does, versions of jq do not agree on. */
	if (failed)
		defer();
	for (size_t i = 0; go_on && i < list.count; i++)
		if (value_is_true(list.results[i].value)) {
			any = true;
			go_on = out->take(out, list.results[i]);
		}
	free(list.results);
	return any ? go_on : eval(n->b, names, in, out);
}

static bool
eval_if(const struct node *n, const struct names *names, struct result in, struct taker *out)
{
	struct list list = list_all(n->a, names, in.value);
	bool go_on = true;

	for (size_t i = 0; go_on && i < list.count; i++)
		go_on = eval(value_is_true(list.results[i].value) ? n->b : n->c, names, in, out);
	free(list.results);
	return go_on;
}

static bool
eval_assign(const struct node *n, const struct names *names, struct result in, struct taker *out)
{
	struct list items = list_all(n->b, names, in.value);
	struct value *paths = paths_of(n->a, names, in.value);
	const struct value *v;
	bool go_on = true;

	for (size_t i = 0; go_on && i < items.count; i++) {
		v = in.value;
		for (size_t j = 0; j < paths->count; j++)
			v = function_set_path(v, paths->items[j], 0, items.results[i].value);
		go_on = give(out, v);
	}
	free(items.results);
	return go_on;
}

/* What a place becomes by |=, or by an operator and the value on its right. */
static const struct value *
updated(const struct node *n, const struct names *names, const struct value *old,
    const struct value *right)
{
	const struct value *v = right;
	struct list list;

	if (n->op == 'd')
		return value_is_true(old) ? old : right;
	if (n->op != '\0')
		return function_operator(n->op, old, right);
	list = list_some(n->b, names, plain(old), 1);
	/* What becomes of places without a value, versions of jq do not agree on. */
	if (list.count == 0)
		defer();
	v = list.results[0].value;
	free(list.results);
	return v;
}

static bool
eval_update(const struct node *n, const struct names *names, struct result in, struct taker *out)
{
	struct value *paths = paths_of(n->a, names, in.value);
	struct list right = {0};
	const struct value *v = in.value;

	if (n->op != '\0') {
		right = list_all(n->b, names, in.value);
		if (right.count != 1)
			defer();
	}
	for (size_t i = 0; i < paths->count; i++)
		v = function_set_path(v, paths->items[i], 0,
		    updated(n, names, function_get_path(v, paths->items[i], 0),
			n->op == '\0' ? NULL : right.results[0].value));
	free(right.results);
	return give(out, v);
}

/* A fold: state goes on with each result of the source. */
struct fold {
	struct taker taker;
	const struct node *node;
	const struct names *names;
	const struct value *state;
	struct taker *out;
};

static bool
fold_take(struct taker *taker, struct result r)
{
	struct fold *fold = (struct fold *)taker;
	const struct names *names = name_value(fold->names, fold->node->name, r.value);
	struct list list = list_all(fold->node->c, names, fold->state);
	bool go_on = true;

	/* What a state without a value is, versions of jq do not agree on. */
	if (list.count == 0 && fold->node->kind == NODE_REDUCE)
		defer();
	for (size_t i = 0; go_on && i < list.count; i++) {
		fold->state = list.results[i].value;
		if (fold->node->kind == NODE_FOREACH)
			go_on = fold->node->d == NULL ?
			    give(fold->out, fold->state) :
			    eval(fold->node->d, names, plain(fold->state), fold->out);
	}
	free(list.results);
	return go_on;
}

static bool
eval_fold(const struct node *n, const struct names *names, struct result in, struct taker *out)
{
	struct list start = list_all(n->b, names, in.value);
	struct fold fold = {{fold_take}, n, names, NULL, out};
	bool go_on;

	if (start.count != 1)
		defer();
	fold.state = start.results[0].value;
	free(start.results);
	go_on = eval(n->a, names, plain(in.value), &fold.taker);
	return go_on && (n->kind == NODE_FOREACH || give(out, fold.state));
}

static bool
eval_bind(const struct node *n, const struct names *names, struct result in, struct taker *out)
{
	struct list list = list_all(n->a, names, in.value);
	bool go_on = true;

	for (size_t i = 0; go_on && i < list.count; i++)
		go_on = eval(n->b, name_value(names, n->name, list.results[i].value), in, out);
	free(list.results);
	return go_on;
}

static bool
eval_define(const struct node *n, const struct names *names, struct result in, struct taker *out)
{
	struct names *own = keep(sizeof(*own));

	own->up = names;
	own->name = n->name;
	own->node = n;
	/* With itself, so that it may call itself. */
	own->known = own;
	if (out == NULL) {
		prelude = own;
		return n->b->kind != NODE_DEFINE || eval(n->b, own, in, out);
	}
	return eval(n->b, own, in, out);
}

/* Members and parts from member on; object is NULL for a string, whose text is in text. */
static bool
eval_members(const struct node *member, const struct names *names, const struct value *in,
    const struct value *object, struct taker *out)
{
	struct list keys, items;
	struct value *with;
	bool go_on = true;

	if (member == NULL)
		return give(out, object);
	keys = list_all(member->a, names, in);
	items = list_all(member->b, names, in);
	/* In which order several come, versions of jq do not agree on. */
	if ((keys.count > 1 || items.count > 1) && member->next != NULL)
		defer();
	for (size_t i = 0; i < keys.count; i++)
		for (size_t j = 0; go_on && j < items.count; j++) {
			if (keys.results[i].value->kind != KIND_STRING)
				fail();
			with = value_copy(object);
			value_set(with, keys.results[i].value, items.results[j].value);
			go_on = eval_members(member->next, names, in, with, out);
		}
	free(keys.results);
	free(items.results);
	return go_on;
}

static bool
eval_string(const struct node *n, const struct names *names, struct result in, struct taker *out)
{
	struct bytes text = {0};
	const struct value *v;
	struct list list;

	for (n = n->next; n != NULL; n = n->next) {
		list = list_all(n, names, in.value);
		if (list.count != 1)
			defer();
		v = list.results[0].value;
		bytes_put(&text, v->text, v->len);
		free(list.results);
	}
	v = value_string(text.ptr, text.len);
	free(text.ptr);
	return give(out, v);
}

static bool
eval_format(const struct node *n, const struct names *names, struct result in, struct taker *out)
{
	struct list list = list_all(n->a, names, in.value);
	bool go_on = true;

	for (size_t i = 0; go_on && i < list.count; i++)
		go_on = give(out, function_format(n->name, list.results[i].value));
	free(list.results);
	return go_on;
}

static bool
eval_array(const struct node *n, const struct names *names, struct result in, struct taker *out)
{
	struct list list = {0};
	const struct value *array;

	if (n->a != NULL)
		list = list_all(n->a, names, in.value);
	array = array_of(&list);
	free(list.results);
	return give(out, array);
}

static bool
eval_variable(const struct node *n, const struct names *names, struct result in, struct taker *out)
{
	(void)in;
	for (; names != NULL; names = names->up)
		if (names->value != NULL && strcmp(names->name, n->name) == 0)
			return give(out, names->value);
	defer();
}

/* --- Calls ------------------------------------------------------------------------------------- */

static bool
call_empty(const struct node *n, const struct names *names, struct result in, struct taker *out)
{
	(void)n;
	(void)names;
	(void)in;
	(void)out;
	return true;
}

static bool
call_input(const struct node *n, const struct names *names, struct result in, struct taker *out)
{
	const struct value *v = next_input();

	(void)names;
	(void)in;
	if (strcmp(n->name, "input") == 0) {
		if (v == NULL)
			fail();
		return give(out, v);
	}
	for (; v != NULL; v = next_input())
		if (!give(out, v))
			return false;
	return true;
}

static bool
call_path(const struct node *n, const struct names *names, struct result in, struct taker *out)
{
	const struct value *paths = paths_of(n->args[0], names, in.value);

	if (strcmp(n->name, "del") == 0)
		return give(out, function_delete_paths(in.value, paths));
	return iterate(plain(paths), out, true);
}

static bool
call_get_path(const struct node *n, const struct names *names, struct result in, struct taker *out)
{
	struct list paths = list_all(n->args[0], names, in.value);
	const struct value *path;
	struct result r;
	bool go_on = true;

	for (size_t i = 0; go_on && i < paths.count; i++) {
		path = paths.results[i].value;
		if (path->kind != KIND_ARRAY)
			fail();
		r = in;
		for (size_t j = 0; j < path->count; j++)
			r = step(r, path->items[j],
			    r.value->kind == KIND_NULL ? r.value :
							 function_get(r.value, path->items[j]));
		go_on = out->take(out, r);
	}
	free(paths.results);
	return go_on;
}

static bool
call_first(const struct node *n, const struct names *names, struct result in, struct taker *out)
{
	struct list list = list_some(n->args[0], names, in, 1);
	struct result r;

	if (list.count == 0)
		return true;
	r = list.results[0];
	free(list.results);
	return out->take(out, r);
}

static bool
call_limit(const struct node *n, const struct names *names, struct result in, struct taker *out)
{
	struct list most = list_all(n->args[0], names, in.value), list;
	bool go_on = true;

	if (most.count != 1 || most.results[0].value->kind != KIND_NUMBER ||
	    most.results[0].value->number < 1)
		defer();
	list = list_some(n->args[1], names, in, (size_t)most.results[0].value->number);
	for (size_t i = 0; go_on && i < list.count; i++)
		go_on = out->take(out, list.results[i]);
	free(most.results);
	free(list.results);
	return go_on;
}

static bool
call_range(const struct node *n, const struct names *names, struct result in, struct taker *out)
{
	struct list from = list_all(n->args[0], names, in.value), to = from;
	double i = 0, end;

	if (n->count == 2)
		to = list_all(n->args[1], names, in.value);
	if (from.count != 1 || to.count != 1 || from.results[0].value->kind != KIND_NUMBER ||
	    to.results[0].value->kind != KIND_NUMBER)
		defer();
	if (n->count == 2)
		i = from.results[0].value->number;
	for (end = to.results[0].value->number; i < end; i++)
		if (!give(out, value_number(i)))
			return false;
	return true;
}

static const struct {
	const char *name;
	size_t count;
	bool (*call)(
	    const struct node *n, const struct names *names, struct result in, struct taker *out);
} special[] = {
    {"empty", 0, call_empty},
    {"input", 0, call_input},
    {"inputs", 0, call_input},
    {"path", 1, call_path},
    {"del", 1, call_path},
    {"getpath", 1, call_get_path},
    {"first", 1, call_first},
    {"limit", 2, call_limit},
    {"range", 1, call_range},
    {"range", 2, call_range},
};

/* A function of values: once for each choice of its arguments, which are mostly one. */
static bool
call_function(const struct node *n, const struct names *names, struct result in, struct taker *out)
{
	builtin *f = function_find(n->name, n->count);
	const struct value *args[MOST_ARGS];
	struct list lists[MOST_ARGS];
	bool go_on = true;

	if (f == NULL)
		defer();
	for (size_t i = 0; i < n->count; i++) {
		lists[i] = list_all(n->args[i], names, in.value);
		if (lists[i].count != 1 && n->count > 1)
			defer();
	}
	if (n->count == 0)
		return give(out, f(in.value, NULL));
	for (size_t i = 0; go_on && i < lists[0].count; i++) {
		for (size_t j = 0; j < n->count; j++)
			args[j] = lists[j].results[j == 0 ? i : 0].value;
		go_on = give(out, f(in.value, args));
	}
	for (size_t i = 0; i < n->count; i++)
		free(lists[i].results);
	return go_on;
}

/* A function that the program, or the prelude, defines. */
static bool
call_defined(const struct node *n, const struct names *names, const struct names *defined,
    struct result in, struct taker *out)
{
	const struct names *within = defined->known;
	struct names *arg;
	struct list list;

	for (size_t i = 0; i < n->count; i++) {
		const char *param = defined->node->params[i];

		arg = keep(sizeof(*arg));
		arg->up = within;
		arg->name = param;
		arg->node = n->args[i];
		arg->known = names;
		arg->is_argument = true;
		within = arg;
		if (*param != '$')
			continue;
		list = list_all(n->args[i], names, in.value);
		if (list.count != 1)
			defer();
		arg->name++;
		within = name_value(within, arg->name, list.results[0].value);
		free(list.results);
	}
	return eval(defined->node->a, within, in, out);
}

static bool
eval_call(const struct node *n, const struct names *names, struct result in, struct taker *out)
{
	for (const struct names *at = names; at != NULL; at = at->up) {
		if (at->node == NULL || strcmp(at->name, n->name) != 0 ||
		    n->count != (at->is_argument ? 0 : at->node->count))
			continue;
		if (at->is_argument)
			return eval(at->node, at->known, in, out);
		return call_defined(n, names, at, in, out);
	}
	for (size_t i = 0; i < sizeof(special) / sizeof(*special); i++)
		if (special[i].count == n->count && strcmp(special[i].name, n->name) == 0)
			return special[i].call(n, names, in, out);
	return call_function(n, names, in, out);
}

/* --- All --------------------------------------------------------------------------------------- */

/* Nodes that pass results on: their first part runs into a taker. */
static bool
eval_flow(const struct node *n, const struct names *names, struct result in, struct taker *out)
{
	struct next next = {{pipe_take}, n->b, names, out, in};

	switch (n->kind) {
	case NODE_IDENTITY:
		return out->take(out, in);
	case NODE_LITERAL:
		return give(out, n->value);
	case NODE_RECURSE:
		next.taker.take = recurse_take;
		return next.taker.take(&next.taker, in);
	case NODE_COMMA:
		return eval(n->a, names, in, out) && eval(n->b, names, in, out);
	case NODE_INDEX:
	case NODE_SLICE:
		next.taker.take = index_take;
		next.node = n;
		break;
	case NODE_ITERATE:
		next.taker.take = iterate_take;
		break;
	default:
		break;
	}
	return eval(n->a, names, in, &next.taker);
}

static bool
eval_object(const struct node *n, const struct names *names, struct result in, struct taker *out)
{
	return eval_members(n->next, names, in.value, value_new(KIND_OBJECT), out);
}

static bool
eval(const struct node *n, const struct names *names, struct result in, struct taker *out)
{
	static bool (*const kinds[NODE_LAST])(
	    const struct node *, const struct names *, struct result, struct taker *) = {
	    [NODE_IDENTITY] = eval_flow,
	    [NODE_RECURSE] = eval_flow,
	    [NODE_LITERAL] = eval_flow,
	    [NODE_INDEX] = eval_flow,
	    [NODE_SLICE] = eval_flow,
	    [NODE_ITERATE] = eval_flow,
	    [NODE_PIPE] = eval_flow,
	    [NODE_COMMA] = eval_flow,
	    [NODE_OPERATOR] = eval_operator,
	    [NODE_AND] = eval_logic,
	    [NODE_OR] = eval_logic,
	    [NODE_ELSE] = eval_else,
	    [NODE_ASSIGN] = eval_assign,
	    [NODE_UPDATE] = eval_update,
	    [NODE_IF] = eval_if,
	    [NODE_TRY] = eval_try,
	    [NODE_REDUCE] = eval_fold,
	    [NODE_FOREACH] = eval_fold,
	    [NODE_BIND] = eval_bind,
	    [NODE_DEFINE] = eval_define,
	    [NODE_ARRAY] = eval_array,
	    [NODE_OBJECT] = eval_object,
	    [NODE_STRING] = eval_string,
	    [NODE_FORMAT] = eval_format,
	    [NODE_CALL] = eval_call,
	    [NODE_VARIABLE] = eval_variable,
	};

	return kinds[n->kind](n, names, in, out);
}

/* What jq is written in itself. */
static const char definitions[] =
    "def map(f): [.[] | f];"
    "def select(f): if f then . else empty end;"
    "def recurse: ..;"
    "def recurse(f): def r: ., (f | r); r;"
    "def values: select(. != null);"
    "def nulls: select(. == null);"
    "def booleans: select(type == \"boolean\");"
    "def numbers: select(type == \"number\");"
    "def strings: select(type == \"string\");"
    "def arrays: select(type == \"array\");"
    "def objects: select(type == \"object\");"
    "def scalars: select(type | . != \"array\" and . != \"object\");"
    "def iterables: select(type | . == \"array\" or . == \"object\");"
    "def add: reduce .[] as $x (null; . + $x);"
    "def any(g; c): [first(g | if c then true else empty end)] != [];"
    "def all(g; c): [first(g | if c then empty else true end)] == [];"
    "def IN(s): any(s == .; .);"
    "def any(f): any(.[]; f);"
    "def all(f): all(.[]; f);"
    "def any: any(.);"
    "def all: all(.);"
    "def join($by): reduce .[] as $x (null; (if . == null then \"\" else . + $by end) +"
    "    ($x | if . == null then \"\" elif type == \"string\" then . else tojson end)) // \"\";"
    "def first: .[0];"
    "def last: .[-1];"
    "def last(f): reduce f as $x (null; $x);"
    "def nth($n): .[$n];"
    "def in($o): . as $k | $o | has($k);"
    "def inside($o): . as $x | $o | contains($x);"
    "def sort_by(f): map([f]) as $by | [_groups($by)[][]];"
    "def group_by(f): map([f]) as $by | _groups($by);"
    "def unique_by(f): [group_by(f)[] | .[0]];"
    "def unique: [group_by(.)[] | .[0]];"
    "def min: sort | .[0];"
    "def max: sort | .[-1];"
    "def map_values(f): .[] |= f;"
    "def to_entries: [keys_unsorted[] as $k | {key: $k, value: .[$k]}];"
    "def from_entries: reduce .[] as $e ({}; .[$e.key] = $e.value);"
    "def with_entries(f): to_entries | map(f) | from_entries;"
    "def paths: path(..) | select(length > 0);"
    "def until(c; f): def u: if c then . else f | u end; u;"
    "def while(c; f): def w: if c then ., (f | w) else empty end; w;";

void
run_define(const char *name, const struct value *value)
{
	prelude = name_value(prelude, name, value);
}

/* Hands the values on to a sink. */
struct last {
	struct taker taker;
	struct sink *sink;
};

static bool
last_take(struct taker *taker, struct result r)
{
	struct sink *sink = ((struct last *)taker)->sink;

	return sink->take(sink, r.value);
}

void
run(const struct node *program, const struct value *v, struct sink *sink)
{
	static bool ready;
	const struct names *own = prelude;
	struct last last = {{last_take}, sink};

	if (!ready) {
		/* The variables of the command line are known besides. */
		eval(program_parse(definitions), own, plain(&value_null), NULL);
		ready = true;
	}
	eval(program, prelude, plain(v), &last.taker);
}
