#ifndef PAGE_PAGE_H
#define PAGE_PAGE_H

/*
 * A page: one file of HTML in which people look at sessions. It loads nothing, and it can be read
 * without its script. The rows of a page are entries: each is a message or another record, or in a
 * diff the fate of a message:
 *
 *     page_begin(page, title, note)
 *         page_heading(page, "turn 2", "234 of 1,070 tokens")
 *         page_open(page, &entry)
 *             page_message_add(page, &message)      page_message.h; or else
 *             page_text(page, text)
 *             page_open_fold(page, label, is_open)
 *                 page_painted(page, text)
 *             page_close_fold(page)
 *         page_close(page)
 *     page_aside(page)                              figures, beside the entries where there is room
 *     page_end(page)
 *
 * All text of records is hostile: it is put into its visible form (base/text/visible.h) and escaped
 * once. No name, id, address or markup is made of it. The style and the script are the only ones
 * that the page allows, by their hashes.
 *
 * What is written is in out, which the caller empties; in memory is a number for each entry.
 */

#include "base/hash/map.h"
#include "face/terminal/screen.h"

/* How an entry looks. */
enum page_look {
	PAGE_OTHER,
	PAGE_SYSTEM,
	PAGE_USER,
	PAGE_ASSISTANT,
	PAGE_TOOL,
	PAGE_ARTIFACT, /* of a compaction */
};

/* The change of an entry in a diff. */
enum page_change { PAGE_KEPT, PAGE_CUT, PAGE_GONE, PAGE_ADDED };

struct page_entry {
	unsigned file;       /* whose number it is, from 0; of a diff, 0 is NEW and 1 is OLD */
	uint64_t line, part; /* its number, LINE or, where part is over 1, LINE.PART; 0: none */
	enum page_look look;
	enum page_change change;
	bool has_failed;
	unsigned depth;    /* of a sub-agent: 1 */
	struct str role;   /* a word */
	struct str tool;   /* of a result: its tool, */
	struct str use;    /* and the target of the call; or "" */
	struct str marks;  /* words, or "" */
	struct str action; /* of a compaction, or the verdict of a diff; or "" */
	int64_t time;      /* milliseconds since 1970, or -1 */
	uint64_t tokens;
	bool has_tokens;
};

struct page {
	struct buf out;
	struct screen screen; /* of texts that are laid out */
	struct map numbers;   /* of the entries so far */
	int64_t day;          /* since 1970, of the last entry that says it; -1: none did */
	bool has_aside;       /* there will be one, of the heading "Timeline" */
	bool is_beside;       /* it has begun */
};

void page_init(struct page *page);

/* Writes the page up to the entries. The title is the name of the file; note is the line below the
 * title, or "". */
void page_begin(struct page *page, struct str title, struct str note);

/* A heading between entries; figures may be "". */
void page_heading(struct page *page, struct str what, struct str figures);

/* Begin and end an entry, whose content is added between them. An entry with the number of an
 * earlier entry has no link. */
void page_open(struct page *page, const struct page_entry *entry);
void page_close(struct page *page);

/* A text with its line ends. */
void page_text(struct page *page, struct str text);

/* Adds the lines of the screen, and empties the screen; page_text_add_painted describes their
 * look. */
void page_painted(struct page *page);

/* Begin and end content that can be folded away. The fold shows the label, and before it the tool
 * unless that is "". */
void page_open_fold(struct page *page, struct str tool, struct str label, bool is_open);
void page_close_fold(struct page *page);

/* The lines of the screen, as page_painted adds them, in a fold of their own, which is open where
 * they matter and are few. */
void page_fold(struct page *page, struct str tool, struct str label, bool matters);

/* A call in one line: the tool, and its target, which may be "". */
void page_call(struct page *page, struct str tool, struct str use);

/* Ends the entries, or a timeline beside them, and begins a timeline beside them. */
void page_aside(struct page *page);

/* Appends the number, as a link to its entry. */
void page_add_link(struct page *page, unsigned file, uint64_t line, uint64_t part);

void page_end(struct page *page);
void page_free(struct page *page);

#endif
