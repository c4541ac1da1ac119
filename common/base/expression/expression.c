#include "base/expression/expression.h"

#include <stdlib.h>

#include "base/byte.h"
#include "base/mem.h"

/* A search in a text; without a text, a search for the bytes that a match may begin with. */
struct expression_search {
	struct expression *expression;
	struct str text;
	unsigned flags;
	bool is_found;
	size_t start, end; /* of the match that was found */
};

static bool
is_word_at(const struct expression_search *search, size_t at)
{
	return at < search->text.len && byte_is_word(search->text.ptr[at]);
}

/* Whether the assertion holds before the byte at that place of the text. */
static bool
holds(const struct expression_search *search, enum expression_code_kind kind, size_t at)
{
	bool before = at > 0 && is_word_at(search, at - 1), behind = is_word_at(search, at);

	switch (kind) {
	case EXPRESSION_CODE_BEGIN:
		return at == 0 && (search->flags & EXPRESSION_NOT_BEGIN) == 0;
	case EXPRESSION_CODE_END:
		return at == search->text.len && (search->flags & EXPRESSION_NOT_END) == 0;
	case EXPRESSION_CODE_TEXT_BEGIN:
		return at == 0;
	case EXPRESSION_CODE_TEXT_END:
		return at == search->text.len;
	case EXPRESSION_CODE_EDGE:
		return before != behind;
	case EXPRESSION_CODE_NO_EDGE:
		return before == behind;
	case EXPRESSION_CODE_WORD_BEGIN:
		return !before && behind;
	default:
		return before && !behind;
	}
}

/* Enters a place of the expression, and those that it leads to without a byte. What waits for a
 * byte is added to the list of threads at to, which has count of them. Returns how many it then
 * has. A place that an earlier thread has entered is not entered again: that one began earlier. */
static uint32_t
enter(struct expression_search *search, uint32_t place, size_t start, size_t at,
    struct expression_thread *to, uint32_t count)
{
	struct expression *e = search->expression;
	uint32_t waiting = 0;

	e->stack[waiting++] = place;
	while (waiting > 0) {
		const struct expression_code_op *op = &e->code.op[place = e->stack[--waiting]];

		if (e->seen[place] == e->step)
			continue;
		e->seen[place] = e->step;
		switch ((enum expression_code_kind)op->kind) {
		case EXPRESSION_CODE_MATCH:
			if (!search->is_found || start <= search->start) {
				search->is_found = true;
				search->start = start;
				search->end = at;
			}
			break;
		case EXPRESSION_CODE_BYTE:
		case EXPRESSION_CODE_IN:
			to[count++] = (struct expression_thread){place, start};
			break;
		case EXPRESSION_CODE_SPLIT:
			e->stack[waiting++] = place + (uint32_t)op->y;
			e->stack[waiting++] = place + (uint32_t)op->x;
			break;
		case EXPRESSION_CODE_JUMP:
			e->stack[waiting++] = place + (uint32_t)op->x;
			break;
		default:
			if (holds(search, (enum expression_code_kind)op->kind, at))
				e->stack[waiting++] = place + 1;
		}
	}
	return count;
}

static bool
passes(const struct expression *e, const struct expression_code_op *op, unsigned char byte)
{
	return op->kind == EXPRESSION_CODE_BYTE ? op->byte == byte :
						  expression_set_has(&e->code.set[op->x], byte);
}

/* The next place of the text from at on where a match may begin. */
static size_t
skip(const struct expression *e, struct str text, size_t at)
{
	while (!e->begins_anywhere && at < text.len &&
	    !expression_set_has(&e->first, (unsigned char)text.ptr[at]))
		at++;
	return at;
}

bool
expression_find(struct expression *expression, struct str text, unsigned flags, const char **start,
    const char **end)
{
	struct expression_search search = {expression, text, flags, false, 0, 0};
	struct expression_thread *now = expression->thread[0], *next = expression->thread[1], *swap;
	uint32_t count = 0, next_count;

	expression->step++;
	for (size_t at = 0; at <= text.len; at++) {
		if (count == 0 && search.is_found)
			break;
		if (count == 0)
			at = skip(expression, text, at);
		if (!search.is_found)
			count = enter(&search, 0, at, at, now, count);
		if (at >= text.len)
			break;
		expression->step++;
		next_count = 0;
		for (uint32_t i = 0; i < count; i++) {
			const struct expression_thread *thread = &now[i];

			if (search.is_found && thread->start > search.start)
				break;
			if (passes(expression, &expression->code.op[thread->at],
				(unsigned char)text.ptr[at]))
				next_count = enter(&search, thread->at + 1, thread->start, at + 1,
				    next, next_count);
		}
		swap = now;
		now = next;
		next = swap;
		count = next_count;
	}
	/* An empty text may have no address, to which nothing is added. */
	*start = search.start > 0 ? text.ptr + search.start : text.ptr;
	*end = search.end > 0 ? text.ptr + search.end : text.ptr;
	return search.is_found;
}

/* Sets the bytes with which a match may begin. */
static void
find_first(struct expression *e)
{
	struct expression_search search = {e, STR(""), 0, false, 0, 0};
	uint32_t count = 0;

	for (uint32_t place = 0; place < e->code.count; place++)
		e->begins_anywhere |= e->code.op[place].kind >= EXPRESSION_CODE_BEGIN;
	e->step++;
	count = enter(&search, 0, 0, 0, e->thread[0], 0);
	e->begins_anywhere |= search.is_found;
	for (uint32_t i = 0; i < count; i++)
		for (unsigned byte = 0; byte < 256; byte++)
			if (passes(e, &e->code.op[e->thread[0][i].at], (unsigned char)byte))
				expression_set_add(&e->first, (unsigned char)byte);
}

bool
expression_init(struct expression *expression, const char *ere, struct buf *message)
{
	uint32_t count;

	*expression = (struct expression){.begins_anywhere = false};
	if (!expression_code_init(&expression->code, ere, message)) {
		expression_code_free(&expression->code);
		return false;
	}
	count = expression->code.count;
	for (unsigned i = 0; i < 2; i++)
		expression->thread[i] = mem_alloc(count, sizeof *expression->thread[i]);
	/* each place that is entered leaves at most two on the stack */
	expression->stack = mem_alloc(count + 1, sizeof *expression->stack);
	expression->seen = mem_alloc(count, sizeof *expression->seen);
	memset(expression->seen, 0, count * sizeof *expression->seen);
	find_first(expression);
	return true;
}

void
expression_free(struct expression *expression)
{
	expression_code_free(&expression->code);
	free(expression->thread[0]);
	free(expression->thread[1]);
	free(expression->stack);
	free(expression->seen);
}
