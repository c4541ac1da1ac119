#ifndef TOKENS_VOCAB_RANKS_H
#define TOKENS_VOCAB_RANKS_H

/*
 * A vocabulary as published: the byte strings of its tokens in the order of their ranks. Two forms:
 *
 *     .tiktoken   "BASE64 RANK\n" a token, as openai/tiktoken loads it
 *     .ranks      the form in this repository: a header, then the tokens packed by packer.h
 *                 "ctxranks" | encoding name, 16 bytes | count | checksum    (32 bit, little
 * endian)
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/str.h"
#include "tokens/vocabulary_format.h"

#define RANKS_TOKEN_CAP VOCABULARY_LEN_MAX
#define RANKS_NAME_CAP 16

struct ranks {
	char name[RANKS_NAME_CAP]; /* the name of the encoding, padded with zeros */
	struct buf bytes;          /* the bytes of all tokens, one after another */
	size_t *offsets;           /* count + 1 offsets in bytes; the last one is the end */
	size_t count;
};

#define RANKS_INIT \
	{ \
		{0}, BUF_INIT, NULL, 0 \
	}

/* Each reads one form. Returns false when text is malformed. */
bool ranks_read_tiktoken(struct ranks *ranks, struct str text);
bool ranks_read_packed(struct ranks *ranks, struct str text);

/* Each appends one form to out. */
void ranks_add_tiktoken(const struct ranks *ranks, struct buf *out);
void ranks_add_packed(const struct ranks *ranks, struct buf *out);

void ranks_free(struct ranks *ranks);

static inline struct str
ranks_get(const struct ranks *ranks, size_t rank)
{
	return str_of(ranks->bytes.ptr + ranks->offsets[rank],
	    ranks->offsets[rank + 1] - ranks->offsets[rank]);
}

#endif
