#ifndef PARTS_DRAFT_H
#define PARTS_DRAFT_H

/*
 * A canonical message that is being built from the blocks of one or several records. Text, thinking
 * and media become parts unchanged. A content of one plain text becomes a string. The draft copies
 * whatever is added to it and owns the copies. DRAFT_INIT makes an empty draft.
 */

#include "base/buf.h"
#include "json/members.h"

struct draft {
	bool is_untrusted; /* its metadata is only what the blocks say: whether a result is an
	                            error */
	struct str role;   /* a literal */
	struct buf parts;  /* parts of the content, with commas between */
	unsigned part_count;
	size_t text_at; /* where the string of the last part starts in parts, if it is plain text */
	size_t text_len;     /* length of that string; 0: the last part is not plain text */
	struct buf calls;    /* tool calls, with commas between */
	struct buf call_id;  /* tool_call_id of a tool message, JSON */
	struct buf content;  /* content of a tool message, JSON */
	struct buf extra;    /* further members, a comma before each */
	struct buf metadata; /* members of metadata, with commas between */
	struct buf usage;    /* usage of the metadata, JSON */
};

#define DRAFT_INIT \
	{ \
		.is_untrusted = false \
	}

/* Empties the draft; role must outlive it. */
void draft_reset(struct draft *draft, struct str role);
void draft_free(struct draft *draft);

/* Adds a content block of the Anthropic API. tool_use becomes a call, any other block a part. */
void draft_add_block(struct draft *draft, struct json_value block);

/* Adds a call as it is. */
void draft_add_call(struct draft *draft, struct json_value call);

/* Adds content as a whole: a string becomes one text, an array its blocks. */
void draft_add_content(struct draft *draft, struct json_value content);

/* Makes the draft a tool message from a tool_result block; is_error of the block is kept. */
void draft_set_result(struct draft *draft, struct json_value block);

/* Adds a member of metadata, unless the draft is untrusted. */
void draft_meta(struct draft *draft, struct str name, struct str json);
void draft_meta_string(struct draft *draft, struct str name, struct str text);
/* Adds the value as it is, unless it is absent or null. */
void draft_meta_value(struct draft *draft, struct str name, struct json_value value);

/* Sets the usage or replaces it, unless the draft is untrusted. */
void draft_set_usage(struct draft *draft, struct json_value usage);

/* Whether the draft has neither content nor a call. */
bool draft_is_empty(const struct draft *draft);

/* Appends the metadata as a JSON object; nothing when there is none. */
void draft_write_metadata(const struct draft *draft, struct buf *buf);

/* Appends the message as JSON. */
void draft_write(const struct draft *draft, struct buf *buf);

#endif
