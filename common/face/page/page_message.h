#ifndef PAGE_PAGE_MESSAGE_H
#define PAGE_PAGE_MESSAGE_H

/*
 * A message on a page: its texts, one below the other. Thinking, the arguments of calls, and long
 * results can be folded away; an edit is a diff, and JSON is laid out. An image is shown if its
 * bytes are those of a png, jpeg, gif or webp; an image in SVG is text.
 */

#include "data/message/message.h"
#include "face/page/page.h"

/* A call in one line: the tool, and its target. */
struct page_message {
	const struct message *message;
	struct str words;      /* its first words, shown while the message is folded; or "" */
	const struct str *use; /* of its calls, in order; */
	size_t use_count;      /* of more calls the names alone are said */
	bool has_members;      /* metadata and all other members, too */
};

/* How the entry of the record looks. */
enum page_look page_message_look(const struct message *message);

/* Within page_open and page_close. */
void page_message_add(struct page *page, const struct page_message *message);

#endif
