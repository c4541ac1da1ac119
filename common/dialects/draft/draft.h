#ifndef DRAFT_DRAFT_H
#define DRAFT_DRAFT_H

/*
 * A canonical message that is being built from the blocks of one or several records. Text, thinking
 * and media become parts unchanged. A content of one plain text becomes a string. The draft owns
 * copies of all that is added to it. DRAFT_INIT makes an empty draft.
 */

#include "base/buf.h"
#include "data/record.h"
#include "dialects/draft/draft_text.h"
#include "dialects/parts/provenance.h"

/* A call, and its members, as places in the text of the calls. */
struct draft_call {
	struct draft_text_value value, id, name, arguments;
};

/* A member of metadata that a message reads, as a place in the text of the metadata. */
struct draft_meta {
	enum metadata_name name;
	struct draft_text_value value;
};

enum { DRAFT_METAS = 16 };

struct draft {
	uint8_t read;     /* of its metadata, enum record_read */
	struct str role;  /* a literal */
	struct buf parts; /* parts of the content, with commas between */
	unsigned part_count;
	size_t text_at; /* where the string of the last part starts in parts, if it is plain text */
	size_t text_len;  /* length of that string; 0: the last part is not plain text */
	struct buf calls; /* tool calls, with commas between */
	/* The first calls, and after them the newest. With has_other_call, none is valid. */
	struct draft_call call[MESSAGE_CALLS + 1];
	unsigned call_count;
	bool has_other_call;      /* draft_add_call was called */
	struct buf call_id;       /* tool_call_id of a tool message, JSON */
	bool is_text_escaped;     /* whether the string of the last part has escapes */
	struct buf content;       /* content of a tool message, JSON */
	struct json_value result; /* the value of which content is a copy, or absent */
	struct buf extra;         /* further members, which no message reads, a comma before each */
	struct buf metadata;      /* members of metadata, with commas between */
	/* The first of its members that a message reads; all of them, unless there are more than
	 * fit. */
	struct draft_meta meta[DRAFT_METAS];
	unsigned meta_count;
	size_t id_at;      /* offset of the id in metadata; 0: there is none */
	size_t others_at;  /* offset of others in metadata, if there are any */
	struct buf others; /* the members of draft_meta_extra, with commas between */
	unsigned other_count;
	struct buf usage;                    /* usage of the metadata, JSON */
	bool is_pinned;                      /* draft_set_pinned was called */
	const struct provenance *provenance; /* NULL: no pieces are noted */
	/* the value from which the next, made parts come; without a ptr: none */
	struct json_value origin;
	struct buf pieces; /* struct provenance_piece each */
};

#define DRAFT_INIT \
	{ \
		.read = 0 \
	}

/* Empties the draft; role must outlive it. */
void draft_reset(struct draft *draft, struct str role);
void draft_free(struct draft *draft);

/* Notes the value of the record from which a piece of the message was made: origin if that is set,
 * else value. Parts, and the blocks of calls and results, are noted when they are added. */
static inline void
draft_note(struct draft *draft, enum provenance_kind kind, struct json_value value)
{
	provenance_note(draft->provenance, &draft->pieces, kind,
	    draft->origin.ptr != NULL ? draft->origin : value);
}

/* Adds a content block of the Anthropic API. tool_use becomes a call, any other block a part. */
void draft_add_block(struct draft *draft, struct json_value block);

/* Adds a string as a part, a plain text. */
void draft_add_text(struct draft *draft, struct json_value string);

/* Appends the string to the last part, if that is a plain text; otherwise adds a part. */
void draft_extend_text(struct draft *draft, struct json_value string);

/* Adds a call as it is. */
void draft_add_call(struct draft *draft, struct json_value call);

/* Begins a call with that id and name; an absent one becomes "". The caller then appends the
 * arguments to calls, as a JSON string, calls draft_set_arguments, and may append further members
 * of the call, with a comma before each. */
void draft_open_call(struct draft *draft, struct json_value id, struct json_value name);
void draft_set_arguments(struct draft *draft);
void draft_close_call(struct draft *draft);

/* Appends a comma and the member of that name with the value, unless it is absent. */
void draft_copy_member(struct buf *to, struct str name, struct json_value value);

/* Adds content as a whole: a string becomes one text, an array its blocks, an
 * object one block. */
void draft_add_content(struct draft *draft, struct json_value content);

/* The same without the blocks for which is_other is true. */
void draft_add_rest(
    struct draft *draft, struct json_value content, bool (*is_other)(struct json_value block));

/* Notes that the message is the summary of all before it. */
void draft_set_summary(struct draft *draft);

/* Notes that the message is pinned; may be repeated. */
void draft_set_pinned(struct draft *draft);

/* Makes the draft a tool message from a tool_result block; is_error of the block is kept. */
void draft_set_result(struct draft *draft, struct json_value block);

/* Notes that the message is an error. The note is kept even of untrusted input, since the message's
 * own words say so. */
void draft_set_error(struct draft *draft);

/* Notes that the message is no error, even if its words look like one. */
void draft_set_success(struct draft *draft);

/* Adds a member of metadata that the reader made. */
void draft_meta(struct draft *draft, struct str name, struct str json);
void draft_meta_string(struct draft *draft, struct str name, struct str text);
/* Adds the value as it is, unless it is absent or null. */
void draft_meta_value(struct draft *draft, struct str name, struct json_value value);

/* The same for members of a record that have no place in a canonical message. If a further record
 * adds a different value, the member becomes a list. */
void draft_meta_extra(struct draft *draft, struct str name, struct str json);

/* The content, JSON, if it is one plain text; or empty. It lives until the draft changes. */
struct str draft_text(const struct draft *draft);

/* The id in the metadata, or absent. It lives until the draft changes. */
struct json_value draft_id(struct draft *draft);

/* Adds a member of metadata that the input itself has as metadata. */
void draft_claim(struct draft *draft, struct str name, struct str json);

/* The messages that have begun on one line so far. Zeroed before the first. */
struct draft_source {
	const char *file;
	size_t number;
	unsigned messages;
};

/* Sets metadata.source: the number of the line on which the message begins, or the string "LINE.K"
 * for the Kth message of the line, from the second one on. The line is not before the last one
 * given. */
void draft_set_source(struct draft *draft, struct draft_source *source, const struct line *from);

/* Sets the usage or replaces it. */
void draft_set_usage(struct draft *draft, struct json_value usage);

/* Whether the draft has neither content nor a call. */
static inline bool
draft_is_empty(const struct draft *draft)
{
	return draft->part_count == 0 && draft->calls.len == 0 && draft->content.len == 0;
}

/* Appends the metadata as a JSON object; nothing when there is none. */
void draft_write_metadata(const struct draft *draft, struct buf *buf);

/* Appends the message as JSON. Returns whether made was set as message_parse would set it;
 * otherwise the text has to be parsed. buf has room after the text for a line end and JSON_PADDING
 * bytes, so that made stays valid while these are appended. */
bool draft_write(const struct draft *draft, struct buf *buf, struct message *made);

#endif
