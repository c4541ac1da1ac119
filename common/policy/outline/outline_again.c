#include "policy/outline/outline_again.h"

#include "base/number.h"

#define FAILED " (failed)"

/* How the last one ended, by its outcome. */
static const struct str last[] = {
    [OUTLINE_AGAIN_OK] = STR_INIT(", the last ok"),
    [OUTLINE_AGAIN_FAILED] = STR_INIT(", the last failed"),
    [OUTLINE_AGAIN_SILENT] = STR_INIT(", the last without output"),
    [OUTLINE_AGAIN_OPEN] = STR_INIT(", the last unknown"),
};

static struct str
said_of_last(const struct outline_again *again)
{
	return again->ended != again->outcome ? last[again->ended] : STR("");
}

size_t
outline_again_room(const struct outline_again *again)
{
	enum { MORE = 24 };

	return (again->outcome == OUTLINE_AGAIN_FAILED ? strlen(FAILED) : 0) +
	    (again->more > 0 ? MORE + said_of_last(again).len : 0);
}

void
outline_again_write(const struct outline_again *again, struct buf *text)
{
	if (again->outcome == OUTLINE_AGAIN_FAILED)
		buf_add_str(text, STR(FAILED));
	if (again->more == 0)
		return;
	buf_add_str(text, STR(" ("));
	number_write_grouped(text, again->more);
	buf_add_str(text, again->more == 1 ? STR(" more time") : STR(" more times"));
	buf_add_str(text, said_of_last(again));
	buf_add_char(text, ')');
}

static bool
take_end(struct str *text, struct str end)
{
	if (!str_has_suffix(*text, end))
		return false;
	text->len -= end.len;
	return true;
}

/* Takes "(3 more times" off the end; returns the number, or 0. */
static uint64_t
take_more(struct str *line)
{
	struct str text = *line;
	uint64_t number = 0, place = 1;

	if (!take_end(&text, STR(" more times")) && !take_end(&text, STR(" more time")))
		return 0;
	for (; text.len > 0 && place < UINT32_MAX; text.len--) {
		char c = text.ptr[text.len - 1];

		if (c >= '0' && c <= '9') {
			number += (uint64_t)(c - '0') * place;
			place *= 10;
		} else if (c != ',') {
			break;
		}
	}
	if (number > 0 && take_end(&text, STR(" (")))
		*line = text;
	else
		number = 0;
	return number;
}

struct outline_again
outline_again_take(struct str *line)
{
	struct outline_again again = {.more = 0};
	struct str text = *line;
	unsigned ended = 0;

	if (take_end(&text, STR(")"))) {
		while (ended < OUTLINE_AGAIN_OUTCOMES && !take_end(&text, last[ended]))
			ended++;
		again.more = take_more(&text);
	}
	if (again.more > 0)
		*line = text;
	if (take_end(line, STR(FAILED)))
		again.outcome = OUTLINE_AGAIN_FAILED;
	again.ended = again.more > 0 && ended < OUTLINE_AGAIN_OUTCOMES ?
	    (enum outline_again_outcome)ended :
	    again.outcome;
	return again;
}
