#ifndef DRAFT_DRAFT_TEXT_H
#define DRAFT_DRAFT_TEXT_H

/*
 * The texts of a draft: JSON values, in lists with commas between, and the places of the values
 * that are read later.
 */

#include "json/members.h"

/* A value in one of the draft's texts. */
struct draft_text_value {
	uint32_t at, len;
	uint8_t type, escaped; /* as in struct json_value */
};

/* A comma, unless the list is empty. */
static inline void
draft_text_next(struct buf *list)
{
	if (list->len > 0)
		buf_add_char(list, ',');
}

/* The place of the value that begins at the offset at, and ends with the text. */
static inline struct draft_text_value
draft_text_place(const struct buf *text, size_t at)
{
	struct json_value value = json_whole(str_rest(buf_str(text), at));

	return (struct draft_text_value){(uint32_t)at, value.len, value.type, value.escaped};
}

/* Adds the value, or "" where it is absent. Returns its place. */
static inline struct draft_text_value
draft_text_add(struct buf *text, struct json_value value)
{
	size_t at = text->len;

	if (value.type != JSON_ABSENT) {
		buf_add_str(text, json_span(value));
		return (struct draft_text_value){
		    (uint32_t)at, value.len, value.type, value.escaped};
	}
	buf_add_str(text, STR("\"\""));
	return (struct draft_text_value){(uint32_t)at, 2, JSON_STRING, false};
}

#endif
