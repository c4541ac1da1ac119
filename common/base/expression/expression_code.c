#include "base/expression/expression_code.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/byte.h"
#include "base/list.h"

enum { NOTHING = -1, REPEATS_MAX = 32767, WITHOUT_END = -1 };

/* A group that is open, or the whole expression. */
struct open_group {
	int from;    /* its first place */
	int branch;  /* of its last alternative */
	int pending; /* the last JUMP to its end, which has the one before in y; or NOTHING */
};

struct compiler {
	struct expression_code *code;
	struct buf *message;
	const char *at;
	int atom; /* the first place that an operator would repeat, or NOTHING */
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
	LIST_ADD(code->op, code->count, code->cap, op);
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
add_set(struct compiler *compiler, struct expression_set set)
{
	struct expression_code *code = compiler->code;

	LIST_ADD(code->set, code->set_count, code->set_cap, set);
	return add_atom(compiler,
	    (struct expression_code_op){EXPRESSION_CODE_IN, 0, (int32_t)code->set_count - 1, 0});
}

static bool
compile_set(struct compiler *compiler)
{
	struct expression_set set;
	const char *phrase;

	return expression_set_parse(&set, &compiler->at, &phrase) ? add_set(compiler, set) :
								    fail(compiler, phrase);
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
	struct expression_set set = {{0}};

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
		if ((c | 0x20) == 'w' ? byte_is_word((char)byte) : isspace((int)byte) != 0)
			expression_set_add(&set, (unsigned char)byte);
	if (c == 'W' || c == 'S')
		expression_set_negate(&set);
	return add_set(compiler, set);
}

/* Makes room for one op at the place from; the ops there move. */
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
		return fail(compiler, "expected a number after {");
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

	LIST_ADD(compiler->group, compiler->depth, compiler->cap,
	    (struct open_group){from, from, NOTHING});
	compiler->atom = NOTHING;
}

/* Begins an alternative: the one before gets a SPLIT before it, and after it a JUMP to the end of
 * the group, which is not known yet. */
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

/* Compiles the item that begins with the byte c, which was passed. */
static bool
compile_one(struct compiler *compiler, char c)
{
	struct expression_set any = {{0}};

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
		expression_set_negate(&any);
		return add_set(compiler, any);
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
