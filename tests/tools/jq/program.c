#include "program.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A reader of a program: at is what comes next, behind blanks and comments. */
struct reader {
	const char *at;
};

static const struct node *parse_pipe(struct reader *r);
static struct node *parse_postfix(struct reader *r);

static struct node *
new_node(enum node_kind kind, const struct node *a, const struct node *b)
{
	struct node *node = keep(sizeof(*node));

	node->kind = kind;
	node->a = a;
	node->b = b;
	return node;
}

static struct node *
new_literal(const struct value *value)
{
	struct node *node = new_node(NODE_LITERAL, NULL, NULL);

	node->value = value;
	return node;
}

static void
skip(struct reader *r)
{
	for (;;) {
		r->at += strspn(r->at, " \t\r\n");
		if (*r->at != '#')
			return;
		r->at += strcspn(r->at, "\n");
	}
}

static bool
is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Takes these characters, when they come next; a word only as a whole. */
static bool
take(struct reader *r, const char *token)
{
	size_t len = strlen(token);

	skip(r);
	if (strncmp(r->at, token, len) != 0 || (is_word(token[len - 1]) && is_word(r->at[len])))
		return false;
	r->at += len;
	return true;
}

static void
expect(struct reader *r, const char *token)
{
	if (!take(r, token))
		defer();
}

/* The word that comes next, or NULL. */
static const char *
take_word(struct reader *r)
{
	size_t len = 0;

	skip(r);
	while (is_word(r->at[len]) && !(len == 0 && isdigit((unsigned char)*r->at)))
		len++;
	if (len == 0)
		return NULL;
	r->at += len;
	return strndup(r->at - len, len);
}

static const char *
take_variable(struct reader *r)
{
	const char *name;

	expect(r, "$");
	name = is_word(*r->at) ? take_word(r) : NULL;
	if (name == NULL)
		defer();
	return name;
}

/* The part of a string up to the next \( or its end, as a value. */
static const struct value *
string_part(const char **at)
{
	struct bytes text = {0};
	const struct value *v;
	const char *ptr;

	bytes_putc(&text, '"');
	while (**at != '"' && strncmp(*at, "\\(", 2) != 0) {
		if (**at == '\0' || (**at == '\\' && (*at)[1] == '\0'))
			defer();
		if (**at == '\\')
			bytes_putc(&text, *(*at)++);
		bytes_putc(&text, *(*at)++);
	}
	bytes_putc(&text, '"');
	ptr = text.ptr;
	v = value_parse(&ptr, text.ptr + text.len);
	if (v == NULL || ptr != text.ptr + text.len)
		defer();
	free(text.ptr);
	return v;
}

/* A string, whose opening quote is next; format writes what is interpolated. */
static struct node *
parse_string(struct reader *r, const char *format)
{
	struct node *string = new_node(NODE_STRING, NULL, NULL), *last = string;

	for (r->at++;; r->at++) {
		last->next = new_literal(string_part(&r->at));
		last = (struct node *)(size_t)last->next;
		if (*r->at == '"')
			break;
		r->at += 2;
		last->next = new_node(NODE_FORMAT, parse_pipe(r), NULL);
		last = (struct node *)(size_t)last->next;
		last->name = format;
		skip(r);
		if (*r->at != ')')
			defer();
	}
	r->at++;
	return string->next->next == NULL ? new_literal(string->next->value) : string;
}

/* The value of a member: terms and bars alone, since a comma begins the next member. */
static const struct node *
parse_member_value(struct reader *r)
{
	const struct node *value = parse_postfix(r);

	while (take(r, "|"))
		value = new_node(NODE_PIPE, value, parse_postfix(r));
	return value;
}

static struct node *
parse_member(struct reader *r)
{
	struct node *member = new_node(NODE_OBJECT, NULL, NULL), *field;
	const char *name;

	skip(r);
	if (*r->at == '$') {
		name = take_variable(r);
		field = new_node(NODE_VARIABLE, NULL, NULL);
		field->name = name;
		member->a = new_literal(value_string(name, strlen(name)));
		member->b = field;
		return member;
	}
	if (take(r, "(")) {
		member->a = parse_pipe(r);
		expect(r, ")");
	} else if (*r->at == '"') {
		member->a = parse_string(r, "text");
	} else {
		name = take_word(r);
		if (name == NULL)
			defer();
		member->a = new_literal(value_string(name, strlen(name)));
	}
	if (take(r, ":"))
		member->b = parse_member_value(r);
	else
		member->b = new_node(NODE_INDEX, new_node(NODE_IDENTITY, NULL, NULL), member->a);
	return member;
}

static struct node *
parse_object(struct reader *r)
{
	struct node *object = new_node(NODE_OBJECT, NULL, NULL), *last = object, *member;

	if (take(r, "}"))
		return object;
	do {
		member = parse_member(r);
		last->next = member;
		last = member;
	} while (take(r, ","));
	expect(r, "}");
	return object;
}

static const struct node *
parse_condition(struct reader *r)
{
	struct node *node = new_node(NODE_IF, parse_pipe(r), NULL);

	expect(r, "then");
	node->b = parse_pipe(r);
	if (take(r, "elif")) {
		node->c = parse_condition(r);
		return node;
	}
	if (take(r, "else"))
		node->c = parse_pipe(r);
	else
		defer();
	expect(r, "end");
	return node;
}

/* What follows reduce and foreach: how often it is parted by semicolons. */
static struct node *
parse_fold(struct reader *r, enum node_kind kind)
{
	struct node *node = new_node(kind, parse_postfix(r), NULL);

	expect(r, "as");
	node->name = take_variable(r);
	expect(r, "(");
	node->b = parse_pipe(r);
	expect(r, ";");
	node->c = parse_pipe(r);
	if (kind == NODE_FOREACH && take(r, ";"))
		node->d = parse_pipe(r);
	expect(r, ")");
	return node;
}

static struct node *
parse_call(struct reader *r, const char *name)
{
	struct node *call = new_node(NODE_CALL, NULL, NULL);

	call->name = name;
	if (!take(r, "("))
		return call;
	do {
		if (call->count == MOST_ARGS)
			defer();
		call->args[call->count++] = parse_pipe(r);
	} while (take(r, ";"));
	expect(r, ")");
	return call;
}

static struct node *
parse_word(struct reader *r)
{
	static const char *const reserved[] = {"then", "elif", "else", "end", "as", "def", "or",
	    "and", "catch", "label", "import", "include"};
	const char *name = take_word(r);
	struct node *node;

	if (name == NULL)
		defer();
	for (size_t i = 0; i < sizeof(reserved) / sizeof(*reserved); i++)
		if (strcmp(name, reserved[i]) == 0)
			defer();
	if (strcmp(name, "if") == 0)
		return (struct node *)(size_t)parse_condition(r);
	if (strcmp(name, "reduce") == 0)
		return parse_fold(r, NODE_REDUCE);
	if (strcmp(name, "foreach") == 0)
		return parse_fold(r, NODE_FOREACH);
	if (strcmp(name, "try") == 0) {
		node = new_node(NODE_TRY, parse_postfix(r), NULL);
		if (take(r, "catch"))
			node->b = parse_postfix(r);
		return node;
	}
	if (strcmp(name, "null") == 0)
		return new_literal(&value_null);
	if (strcmp(name, "true") == 0 || strcmp(name, "false") == 0)
		return new_literal(value_bool(*name == 't'));
	return parse_call(r, name);
}

static struct node *
parse_format(struct reader *r)
{
	struct node *node = new_node(NODE_FORMAT, new_node(NODE_IDENTITY, NULL, NULL), NULL);

	r->at++;
	node->name = take_word(r);
	skip(r);
	return *r->at == '"' ? parse_string(r, node->name) : node;
}

/* A term without what follows it. */
static struct node *
parse_term(struct reader *r)
{
	const struct value *number;
	struct node *node;

	skip(r);
	if (isdigit((unsigned char)*r->at)) {
		number = value_parse(&r->at, r->at + strspn(r->at, "0123456789.eE"));
		if (number == NULL)
			defer();
		return new_literal(number);
	}
	switch (*r->at) {
	case '"':
		return parse_string(r, "text");
	case '@':
		return parse_format(r);
	case '$':
		node = new_node(NODE_VARIABLE, NULL, NULL);
		node->name = take_variable(r);
		return node;
	case '(':
		r->at++;
		node = new_node(NODE_PIPE, new_node(NODE_IDENTITY, NULL, NULL), parse_pipe(r));
		expect(r, ")");
		return node;
	case '[':
		r->at++;
		node = new_node(NODE_ARRAY, NULL, NULL);
		if (!take(r, "]")) {
			node->a = parse_pipe(r);
			expect(r, "]");
		}
		return node;
	case '{':
		r->at++;
		return parse_object(r);
	case '.':
		if (take(r, ".."))
			return new_node(NODE_RECURSE, NULL, NULL);
		/* The dot stays where it begins a name. */
		if (r->at[1] != '"' && (!is_word(r->at[1]) || isdigit((unsigned char)r->at[1])))
			r->at++;
		return new_node(NODE_IDENTITY, NULL, NULL);
	default:
		return parse_word(r);
	}
}

/* What stands in brackets behind a term. */
static struct node *
parse_brackets(struct reader *r, const struct node *term)
{
	struct node *node;

	if (take(r, "]"))
		return new_node(NODE_ITERATE, term, NULL);
	node = new_node(NODE_INDEX, term, NULL);
	if (take(r, ":"))
		node->kind = NODE_SLICE;
	else
		node->b = parse_pipe(r);
	if (node->kind == NODE_SLICE || take(r, ":")) {
		node->kind = NODE_SLICE;
		skip(r);
		if (*r->at != ']')
			node->c = parse_pipe(r);
		else if (node->b == NULL)
			defer();
	}
	expect(r, "]");
	return node;
}

static bool
is_fixed(const struct node *n)
{
	return n == NULL || n->kind == NODE_LITERAL || n->kind == NODE_VARIABLE;
}

/* A mark behind brackets or a name tries that step alone, and not the term before it. */
static struct node *
try_last(struct node *term)
{
	const struct node *before = term->a;

	if (term->kind != NODE_INDEX && term->kind != NODE_SLICE && term->kind != NODE_ITERATE)
		return new_node(NODE_TRY, term, NULL);
	/* What the brackets hold is computed of the whole's input, which the step does not see. */
	if (!is_fixed(term->b) || !is_fixed(term->c))
		defer();
	term->a = new_node(NODE_IDENTITY, NULL, NULL);
	return new_node(NODE_PIPE, before, new_node(NODE_TRY, term, NULL));
}

static struct node *
parse_postfix(struct reader *r)
{
	struct node *term = parse_term(r);
	const char *name;

	for (;;) {
		skip(r);
		if (take(r, "?")) {
			if (*r->at == '/')
				defer();
			term = try_last(term);
		} else if (take(r, "[")) {
			term = parse_brackets(r, term);
		} else if (*r->at == '.' && r->at[1] == '[') {
			r->at++;
		} else if (*r->at == '.' && r->at[1] == '"') {
			r->at++;
			term = new_node(NODE_INDEX, term, parse_string(r, "text"));
		} else if (*r->at == '.' && is_word(r->at[1])) {
			r->at++;
			name = take_word(r);
			if (name == NULL)
				defer();
			term = new_node(
			    NODE_INDEX, term, new_literal(value_string(name, strlen(name))));
		} else {
			return term;
		}
	}
}

/* Operators by how strongly they bind, the weakest first. */
static const struct operator
{
	const char *token;
	int level;
	enum node_kind kind;
	char op;
}
operators[] = {{"//=", 1, NODE_UPDATE, 'd'}, {"//", 0, NODE_ELSE, '\0'},
    {"==", 4, NODE_OPERATOR, 'e'}, {"!=", 4, NODE_OPERATOR, 'n'}, {"<=", 4, NODE_OPERATOR, 'l'},
    {">=", 4, NODE_OPERATOR, 'g'}, {"|=", 1, NODE_UPDATE, '\0'}, {"+=", 1, NODE_UPDATE, '+'},
    {"-=", 1, NODE_UPDATE, '-'}, {"*=", 1, NODE_UPDATE, '*'}, {"/=", 1, NODE_UPDATE, '/'},
    {"%=", 1, NODE_UPDATE, '%'}, {"=", 1, NODE_ASSIGN, '\0'}, {"or", 2, NODE_OR, '\0'},
    {"and", 3, NODE_AND, '\0'}, {"<", 4, NODE_OPERATOR, '<'}, {">", 4, NODE_OPERATOR, '>'},
    {"+", 5, NODE_OPERATOR, '+'}, {"-", 5, NODE_OPERATOR, '-'}, {"*", 6, NODE_OPERATOR, '*'},
    {"/", 6, NODE_OPERATOR, '/'}, {"%", 6, NODE_OPERATOR, '%'}};

#define LEVELS 7

/* The operator of that level that comes next, or NULL. */
static const struct operator* next_operator(struct reader *r, int level)
{
	const char *start;

	skip(r);
	start = r->at;
	for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++) {
		if (!take(r, operators[i].token))
			continue;
		if (operators[i].level == level)
			return &operators[i];
		r->at = start;
		return NULL;
	}
	return NULL;
}

/* A term, perhaps with its sign, or all that follows a term that gets a name. */
static const struct node *
parse_operand(struct reader *r)
{
	bool negative = take(r, "-");
	struct node *node = parse_postfix(r), *bind;

	if (negative) {
		if (node->kind != NODE_LITERAL || node->value->kind != KIND_NUMBER ||
		    node->value->number == 0)
			defer();
		return new_literal(value_number(-node->value->number));
	}
	if (!take(r, "as"))
		return node;
	bind = new_node(NODE_BIND, node, NULL);
	bind->name = take_variable(r);
	expect(r, "|");
	bind->b = parse_pipe(r);
	return bind;
}

static const struct node *
parse_operators(struct reader *r, int level)
{
	const struct operator* op;
	const struct node *left;
	struct node *node;

	if (level == LEVELS)
		return parse_operand(r);
	left = parse_operators(r, level + 1);
	while ((op = next_operator(r, level)) != NULL) {
		/* What binds to the right has the rest of its level on its right. */
		node = new_node(
		    op->kind, left, parse_operators(r, op->kind == NODE_ELSE ? level : level + 1));
		node->op = op->op;
		left = node;
	}
	return left;
}

static const struct node *
parse_comma(struct reader *r)
{
	const struct node *left = parse_operators(r, 0);

	while (take(r, ","))
		left = new_node(NODE_COMMA, left, parse_operators(r, 0));
	return left;
}

/* The name of a parameter; with its "$" when it is a value's. */
static const char *
take_parameter(struct reader *r)
{
	bool is_value = take(r, "$");
	const char *name = take_word(r);
	char *text;

	if (name == NULL || asprintf(&text, "%s%s", is_value ? "$" : "", name) == -1)
		defer();
	return text;
}

static const struct node *
parse_definition(struct reader *r)
{
	struct node *node = new_node(NODE_DEFINE, NULL, NULL);

	node->name = take_word(r);
	if (node->name == NULL)
		defer();
	if (take(r, "(")) {
		do {
			if (node->count == MOST_ARGS)
				defer();
			skip(r);
			node->params[node->count++] = take_parameter(r);
		} while (take(r, ";"));
		expect(r, ")");
	}
	expect(r, ":");
	node->a = parse_pipe(r);
	expect(r, ";");
	skip(r);
	node->b = *r->at == '\0' ? new_node(NODE_IDENTITY, NULL, NULL) : parse_pipe(r);
	return node;
}

static const struct node *
parse_pipe(struct reader *r)
{
	const struct node *left;

	if (take(r, "def"))
		return parse_definition(r);
	left = parse_comma(r);
	return take(r, "|") ? new_node(NODE_PIPE, left, parse_pipe(r)) : left;
}

const struct node *
program_parse(const char *text)
{
	struct reader r = {text};
	const struct node *program;

	skip(&r);
	if (*r.at == '\0')
		return new_node(NODE_IDENTITY, NULL, NULL);
	program = parse_pipe(&r);
	skip(&r);
	if (*r.at != '\0')
		defer();
	return program;
}
