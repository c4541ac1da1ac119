#include "base/expression/expression_code.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/list.h"

enum { NOTHING = -1, REPEATS_MAX = 32767, WITHOUT_END = -1 };

/* A group that is open, or the whole expression. */
struct open_group {
	int from;    /* its first place */
	int branch;  /* that of its last alternative */
	int pending; /* the last JUMP to its end, which has the one before in y; or NOTHING */
};

struct compiler {
	struct expression_code *code;
	struct buf *message;
	const char *at;
	int atom; /* the first place of what an operator would repeat, or NOTHING */
	struct open_group *group;
	unsigned depth, cap;
};

static bool
fail(struct compiler *compiler, const char *phrase)
{
	buf_add_str(compiler->message, str_from(phrase));
	return false;
}

static bool
add(struct compiler *compiler, struct expression_code_op op)
{
	struct expression_code *code = compiler->code;

	if (code->count == EXPRESSION_CODE_MAX)
		return fail(compiler, "the expression is too large");
	LIST_ROOM(code->op, code->count, code->cap);
	code->op[code->count++] = op;
	return true;
}

/* Adds an op that something may follow that repeats it. */
static bool
add_atom(struct compiler *compiler, struct expression_code_op op)
{
	compiler->atom = (int)compiler->code->count;
	return add(compiler, op);
}

static bool
add_set(struct compiler *compiler, const struct expression_code_set *set, bool is_negated)
{
	struct expression_code *code = compiler->code;

	LIST_ROOM(code->set, code->set_count, code->set_cap);
	code->set[code->set_count] = *set;
	for (unsigned i = 0; is_negated && i < 4; i++)
		code->set[code->set_count].bits[i] = ~set->bits[i];
	return add_atom(compiler,
	    (struct expression_code_op){EXPRESSION_CODE_IN, 0, (int32_t)code->set_count++, 0});
}

/* --- Sets: [a-z[:digit:]] and \w --- */

static bool
add_class(struct compiler *compiler, struct expression_code_set *set, struct str name)
{
	static const struct {
		struct str name;
		int (*has)(int);
	} classes[] = {{STR_INIT("alpha"), isalpha}, {STR_INIT("digit"), isdigit},
	    {STR_INIT("alnum"), isalnum}, {STR_INIT("upper"), isupper},
	    {STR_INIT("lower"), islower}, {STR_INIT("space"), isspace},
	    {STR_INIT("blank"), isblank}, {STR_INIT("punct"), ispunct},
	    {STR_INIT("print"), isprint}, {STR_INIT("graph"), isgraph},
	    {STR_INIT("cntrl"), iscntrl}, {STR_INIT("xdigit"), isxdigit}};

	for (unsigned i = 0; i < sizeof classes / sizeof classes[0]; i++) {
		if (!str_eq(classes[i].name, name))
			continue;
		for (unsigned byte = 0; byte < 0x80; byte++)
			if (classes[i].has((int)byte))
				expression_code_set_add(set, (unsigned char)byte);
		return true;
	}
	return fail(compiler, "an unknown class of characters");
}

/* Passes what is between "[:" and ":]", and the same for "." and "=". */
static bool
pass_name(struct compiler *compiler, struct str *name)
{
	const char close[] = {compiler->at[1], ']', '\0'};
	const char *start = compiler->at + 2, *end = strstr(start, close);

	if (end == NULL)
		return fail(compiler, "unmatched [");
	*name = str_of(start, (size_t)(end - start));
	compiler->at = end + 2;
	return true;
}

/* The byte at hand in a set, also as [.x.]. */
static bool
pass_byte(struct compiler *compiler, unsigned char *byte)
{
	struct str name;

	if (compiler->at[0] != '[' || (compiler->at[1] != '.' && compiler->at[1] != '=')) {
		*byte = (unsigned char)*compiler->at++;
		return true;
	}
	if (!pass_name(compiler, &name))
		return false;
	*byte = name.len == 1 ? (unsigned char)*name.ptr : 0;
	return name.len == 1 || fail(compiler, "a character that is none");
}

/* A byte, a range or a class of a set. */
static bool
add_item(struct compiler *compiler, struct expression_code_set *set)
{
	unsigned char from, to;
	struct str name;

	if (compiler->at[0] == '[' && compiler->at[1] == ':')
		return pass_name(compiler, &name) && add_class(compiler, set, name);
	if (!pass_byte(compiler, &from))
		return false;
	to = from;
	if (compiler->at[0] == '-' && compiler->at[1] != ']' && compiler->at[1] != '\0') {
		compiler->at++;
		if (!pass_byte(compiler, &to))
			return false;
	}
	if (to < from)
		return fail(compiler, "a range that ends before it begins");
	for (unsigned byte = from; byte <= to; byte++)
		expression_code_set_add(set, (unsigned char)byte);
	return true;
}

static bool
compile_set(struct compiler *compiler)
{
	struct expression_code_set set = {{0}};
	bool is_negated = *compiler->at == '^', is_first = true;

	compiler->at += is_negated;
	for (; is_first || *compiler->at != ']'; is_first = false) {
		if (*compiler->at == '\0')
			return fail(compiler, "unmatched [");
		if (!add_item(compiler, &set))
			return false;
	}
	compiler->at++;
	return add_set(compiler, &set, is_negated);
}

static bool
compile_escape(struct compiler *compiler)
{
	static const char signs[] = "`'bB<>";
	static const enum expression_code_kind kinds[] = {EXPRESSION_CODE_TEXT_BEGIN,
	    EXPRESSION_CODE_TEXT_END, EXPRESSION_CODE_EDGE, EXPRESSION_CODE_NO_EDGE,
	    EXPRESSION_CODE_WORD_BEGIN, EXPRESSION_CODE_WORD_END};
	char c = *compiler->at;
	const char *sign = strchr(signs, c);
	struct expression_code_set set = {{0}};

	if (c == '\0')
		return fail(compiler, "a backslash at the end");
	compiler->at++;
	if (c >= '1' && c <= '9')
		return fail(compiler, "back-references are not taken");
	if (sign != NULL) {
		compiler->atom = NOTHING;
		return add(
		    compiler, (struct expression_code_op){(uint8_t)kinds[sign - signs], 0, 0, 0});
	}
	if (c != 'w' && c != 'W' && c != 's' && c != 'S')
		return add_atom(
		    compiler, (struct expression_code_op){EXPRESSION_CODE_BYTE, (uint8_t)c, 0, 0});
	for (unsigned byte = 0; byte < 0x80; byte++)
		if ((c | 0x20) == 'w' ? expression_code_is_word((unsigned char)byte) :
					isspace((int)byte) != 0)
			expression_code_set_add(&set, (unsigned char)byte);
	return add_set(compiler, &set, c == 'W' || c == 'S');
}

/* --- Operators --- */

/* Makes room for one op at the place from; what is there moves. */
static bool
insert(struct compiler *compiler, int from, struct expression_code_op op)
{
	struct expression_code *code = compiler->code;

	if (!add(compiler, op))
		return false;
	memmove(code->op + from + 1, code->op + from,
	    (code->count - 1 - (size_t)from) * sizeof *code->op);
	code->op[from] = op;
	return true;
}

static bool
add_copy(struct compiler *compiler, const struct expression_code_op *body, unsigned len)
{
	for (unsigned i = 0; i < len; i++)
		if (!add(compiler, body[i]))
			return false;
	return true;
}

/* Repeats the places of body, of which there are len, from least to most times:
 *
 *     body{2,}    body  body  SPLIT back to the last one, or on
 *     body{1,3}   body  SPLIT on, or to the end  body  SPLIT  body
 *     body*       SPLIT on, or to the end  body  JUMP back
 */
static bool
add_repeated(struct compiler *compiler, const struct expression_code_op *body, unsigned len,
    int least, int most)
{
	int len_signed = (int)len;

	for (int i = 0; i < least; i++)
		if (!add_copy(compiler, body, len))
			return false;
	if (most == WITHOUT_END && least > 0)
		return add(compiler,
		    (struct expression_code_op){EXPRESSION_CODE_SPLIT, 0, -len_signed, 1});
	if (most == WITHOUT_END)
		return add(compiler,
			   (struct expression_code_op){
			       EXPRESSION_CODE_SPLIT, 0, 1, len_signed + 2}) &&
		    add_copy(compiler, body, len) &&
		    add(compiler,
			(struct expression_code_op){EXPRESSION_CODE_JUMP, 0, -len_signed - 1, 0});
	for (int i = least; i < most; i++)
		if (!add(compiler,
			(struct expression_code_op){
			    EXPRESSION_CODE_SPLIT, 0, 1, (most - i) * (len_signed + 1)}) ||
		    !add_copy(compiler, body, len))
			return false;
	return true;
}

static bool
repeat(struct compiler *compiler, int least, int most)
{
	struct expression_code *code = compiler->code;
	unsigned len;
	struct expression_code_op *body;
	bool is_added;

	if (compiler->atom == NOTHING)
		return fail(compiler, "nothing to repeat");
	len = code->count - (unsigned)compiler->atom;
	body = mem_alloc(len + 1, sizeof *body);
	if (len > 0)
		memcpy(body, code->op + compiler->atom, len * sizeof *body);
	code->count = (uint32_t)compiler->atom;
	is_added = add_repeated(compiler, body, len, least, most);
	free(body);
	return is_added;
}

/* The number at hand, or the default; REPEATS_MAX + 1 for a larger one. */
static int
pass_number(struct compiler *compiler, int otherwise)
{
	int number = isdigit((unsigned char)*compiler->at) ? 0 : otherwise;

	for (; isdigit((unsigned char)*compiler->at); compiler->at++)
		if (number <= REPEATS_MAX)
			number = 10 * number + (*compiler->at - '0');
	return number;
}

/* {2}  {2,}  {2,5}  {,5} */
static bool
compile_bounds(struct compiler *compiler)
{
	const char *start = compiler->at;
	int least = pass_number(compiler, 0), most = least;

	if (compiler->at == start && *start != ',')
		return fail(compiler, "expected a number behind {");
	if (*compiler->at == ',') {
		compiler->at++;
		most = pass_number(compiler, WITHOUT_END);
	}
	if (*compiler->at++ != '}')
		return fail(compiler, "unmatched {");
	if (least > REPEATS_MAX || most > REPEATS_MAX)
		return fail(compiler, "the expression is too large");
	if (most != WITHOUT_END && most < least)
		return fail(compiler, "a range that ends before it begins");
	return repeat(compiler, least, most);
}

static void
open_group(struct compiler *compiler)
{
	int from = (int)compiler->code->count;

	LIST_ROOM(compiler->group, compiler->depth, compiler->cap);
	compiler->group[compiler->depth++] = (struct open_group){from, from, NOTHING};
	compiler->atom = NOTHING;
}

/* Begins an alternative: the one before gets a SPLIT in front of it, and behind it a JUMP to the
 * end of the group, which is not known yet. */
static bool
add_alternative(struct compiler *compiler)
{
	struct expression_code *code = compiler->code;
	struct open_group *group = &compiler->group[compiler->depth - 1];
	int len = (int)code->count - group->branch;

	if (!insert(compiler, group->branch,
		(struct expression_code_op){EXPRESSION_CODE_SPLIT, 0, 1, len + 2}) ||
	    !add(compiler, (struct expression_code_op){EXPRESSION_CODE_JUMP, 0, 0, group->pending}))
		return false;
	group->pending = (int)code->count - 1;
	group->branch = (int)code->count;
	compiler->atom = NOTHING;
	return true;
}

static void
close_group(struct compiler *compiler)
{
	struct expression_code *code = compiler->code;
	struct open_group *group = &compiler->group[--compiler->depth];

	for (int at = group->pending; at != NOTHING; at = code->op[at].y)
		code->op[at].x = (int)code->count - at;
	compiler->atom = group->from;
}

/* Compiles what begins with the byte c, which was passed. */
static bool
compile_one(struct compiler *compiler, char c)
{
	struct expression_code_set none = {{0}};

	switch (c) {
	case '(':
		open_group(compiler);
		return true;
	case ')':
		if (compiler->depth == 1)
			return fail(compiler, "unmatched ), which is spelled \\)");
		close_group(compiler);
		return true;
	case '|':
		return add_alternative(compiler);
	case '*':
		return repeat(compiler, 0, WITHOUT_END);
	case '+':
		return repeat(compiler, 1, WITHOUT_END);
	case '?':
		return repeat(compiler, 0, 1);
	case '{':
		return compile_bounds(compiler);
	case '^':
	case '$':
		compiler->atom = NOTHING;
		return add(compiler,
		    (struct expression_code_op){
			c == '^' ? EXPRESSION_CODE_BEGIN : EXPRESSION_CODE_END, 0, 0, 0});
	case '[':
		return compile_set(compiler);
	case '\\':
		return compile_escape(compiler);
	case '.':
		return add_set(compiler, &none, true);
	default:
		return add_atom(
		    compiler, (struct expression_code_op){EXPRESSION_CODE_BYTE, (uint8_t)c, 0, 0});
	}
}

bool
expression_code_init(struct expression_code *code, const char *ere, struct buf *message)
{
	struct compiler compiler = {.code = code, .message = message, .at = ere};
	bool is_valid = true;

	*code = (struct expression_code){NULL, NULL, 0, 0, 0, 0};
	open_group(&compiler);
	while (is_valid && *compiler.at != '\0')
		is_valid = compile_one(&compiler, *compiler.at++);
	if (is_valid && compiler.depth > 1)
		is_valid = fail(&compiler, "unmatched (");
	if (is_valid) {
		close_group(&compiler);
		is_valid =
		    add(&compiler, (struct expression_code_op){EXPRESSION_CODE_MATCH, 0, 0, 0});
	}
	free(compiler.group);
	return is_valid;
}

void
expression_code_free(struct expression_code *code)
{
	free(code->op);
	free(code->set);
}
