#ifndef DRAFT_DRAFT_H
#define DRAFT_DRAFT_H

/*
 * A canonical message that is being built from the blocks of one or several records. Text, thinking
 * and media become parts unchanged. A content of one plain text becomes a string. The draft copies
 * whatever is added to it and owns the copies. DRAFT_INIT makes an empty draft.
 */

#include "base/buf.h"
#include "data/record.h"
#include "dialects/draft/draft_text.h"
#include "dialects/parts/provenance.h"

/* A call in the text of the calls, and its members. */
struct draft_call {
	struct draft_text_value value, id, name, arguments;
};

/* A member of metadata that is read, in the text of the metadata. */
struct draft_meta {
	enum metadata_name name;
	struct draft_text_value value;
};

enum { DRAFT_METAS = 16 };

struct draft {
	uint8_t read;    /* of its metadata, enum record_read */
	struct str role; /* a literal */
	const struct json_spans
	    *spans; /* of the text whose values are added; or NULL, as draft_reset leaves it */
	struct buf parts; /* parts of the content, with commas between */
	unsigned part_count;
	size_t text_at; /* where the string of the last part starts in parts, if it is plain text */
	size_t text_len;  /* length of that string; 0: the last part is not plain text */
	struct buf calls; /* tool calls, with commas between */
	/* The first calls, and the newest behind them. With has_other_call none is known. */
	struct draft_call call[MESSAGE_CALLS + 1];
	unsigned call_count;
	bool has_other_call;      /* draft_add_call was called */
	struct buf call_id;       /* tool_call_id of a tool message, JSON */
	bool is_text_escaped;     /* the string of the last part, too */
	struct buf content;       /* content of a tool message, JSON */
	struct json_value result; /* what content is a copy of, or absent */
	struct buf extra;    /* further members, none that a message reads, a comma before each */
	struct buf metadata; /* members of metadata, with commas between */
	/* Its first members that are read; all of them, unless there are more. */
	struct draft_meta meta[DRAFT_METAS];
	unsigned meta_count;
	size_t id_at;      /* where its id stands in metadata; 0: it has none */
	size_t others_at;  /* where others stand there, if there are some */
	struct buf others; /* what draft_meta_extra added, with commas between */
	unsigned other_count;
	struct buf usage;                    /* usage of the metadata, JSON */
	bool is_pinned;                      /* draft_set_pinned was called */
	const struct provenance *provenance; /* NULL: no pieces are noted */
	struct json_value origin; /* of what is added next and was made; or without a ptr */
	struct buf pieces;        /* struct provenance_piece each */
};

#define DRAFT_INIT \
	{ \
		.read = 0 \
	}

/* Empties the draft; role must outlive it. */
void draft_reset(struct draft *draft, struct str role);
void draft_free(struct draft *draft);

/* Notes of which value of the record a piece of the message is; parts, and the blocks of calls and
 * results, are noted when they are added, and are those of origin where it is set. */
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

/* Goes on with the last part, if that is a plain text; or adds one. */
void draft_extend_text(struct draft *draft, struct json_value string);

/* Adds a call as it is. */
void draft_add_call(struct draft *draft, struct json_value call);

/* Begins a call of that id, or "", and of that name, or "". Its arguments are to be written to the
 * calls then, as a JSON string, and behind draft_set_arguments further members of the call, with a
 * comma before each. */
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

/* Notes that the message is pinned; once is enough. */
void draft_set_pinned(struct draft *draft);

/* Makes the draft a tool message from a tool_result block; is_error of the block is kept. */
void draft_set_result(struct draft *draft, struct json_value block);

/* Notes that the message is an error, whether it is trusted or not: its own words say so. */
void draft_set_error(struct draft *draft);

/* Notes that the message is no error, whatever its words look like. */
void draft_set_success(struct draft *draft);

/* Adds a member of metadata that the reader has made. */
void draft_meta(struct draft *draft, struct str name, struct str json);
void draft_meta_string(struct draft *draft, struct str name, struct str text);
/* Adds the value as it is, unless it is absent or null. */
void draft_meta_value(struct draft *draft, struct str name, struct json_value value);

/* The same for what a record says that has no place. That of a further record makes a list of it,
 * unless it is what the first one said. */
void draft_meta_extra(struct draft *draft, struct str name, struct str json);

/* The id in the metadata, or absent. It lives until the draft changes. */
struct json_value draft_id(struct draft *draft);

/* Adds a member of metadata that the input has as metadata. */
void draft_claim(struct draft *draft, struct str name, struct str json);

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

/* Appends the message as JSON. Returns whether made was set to what message_parse would read: else
 * the text has to be read. There is room behind the text for a line end and JSON_PADDING bytes, so
 * that the message lives as long as buf is not changed otherwise. */
bool draft_write(const struct draft *draft, struct buf *buf, struct message *made);

#endif
