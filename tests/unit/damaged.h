#ifndef UNIT_DAMAGED_H
#define UNIT_DAMAGED_H

/*
 * A vocabulary whose bytes can be changed. Its sections are blocks of memory of just their size, so
 * that AddressSanitizer sees a read that leaves one.
 */

#include "tokens/pieces/bpe.h"
#include "vocabularies.h"

struct damaged {
	struct vocabulary whole; /* as it was opened */
	struct vocabulary vocabulary;
	struct {
		uint8_t *bytes;
		size_t len;
	} section[VOCABULARY_SECTION_COUNT];
};

/* A copy of the vocabulary; ends the program where there is none. */
static inline void
damaged_open(struct damaged *damaged, const char *encoding)
{
	struct fault fault = FAULT_INIT;
	struct vocabulary *v = &damaged->vocabulary;

	vocabularies_find();
	if (!vocabulary_open(&damaged->whole, encoding, &fault)) {
		printf("%.*s\n", (int)fault.text.len, fault.text.ptr);
		exit(2);
	}
	*v = damaged->whole;
	for (int i = 0; i < VOCABULARY_SECTION_COUNT; i++) {
		uint64_t offset = le64toh(v->header->sections[i].offset);
		size_t len = (size_t)le64toh(v->header->sections[i].len);

		damaged->section[i].len = len;
		damaged->section[i].bytes = malloc(len);
		if (damaged->section[i].bytes == NULL)
			abort();
		memcpy(damaged->section[i].bytes, (const char *)v->header + offset, len);
	}
	v->splits = (void *)damaged->section[VOCABULARY_SPLITS].bytes;
	v->tokens = (void *)damaged->section[VOCABULARY_TOKENS].bytes;
	v->byte_pairs = (void *)damaged->section[VOCABULARY_BYTE_PAIRS].bytes;
	v->pairs = (void *)damaged->section[VOCABULARY_PAIRS].bytes;
	v->filter = (void *)damaged->section[VOCABULARY_PAIR_FILTER].bytes;
	v->trie = (void *)damaged->section[VOCABULARY_TRIE].bytes;
	v->trie_tokens = (void *)damaged->section[VOCABULARY_TRIE_TOKENS].bytes;
	v->wide = (void *)damaged->section[VOCABULARY_WIDE].bytes;
	v->wide_pairs = (void *)damaged->section[VOCABULARY_WIDE_PAIRS].bytes;
}

/* Counts text by both methods, a piece at a time, and asks which pieces are tokens; false when a
 * count is impossible. All agree as long as nothing is damaged, which is the caller's to check. */
static inline bool
damaged_count(struct vocabulary *vocabulary, struct str text, bool *agree)
{
	struct bpe bpe;
	bool possible = true;

	bpe_init(&bpe, vocabulary);
	for (*agree = true; text.len > 0;) {
		size_t len = split_next(vocabulary->pattern, text);
		struct str piece = str_of(text.ptr, len);
		size_t one = bpe_backtrack(&bpe, piece), other = one;

		if (len <= BPE_MERGE_CAP)
			other = bpe_merge(vocabulary, piece);
		possible &= one > 0 && one <= len && other > 0 && other <= len;
		*agree &=
		    one == other && (vocabulary_tokens(vocabulary, &piece, 1) == 1) == (one == 1);
		text = str_of(text.ptr + len, text.len - len);
	}
	bpe_free(&bpe);
	return possible;
}

static inline void
damaged_close(struct damaged *damaged)
{
	for (int i = 0; i < VOCABULARY_SECTION_COUNT; i++)
		free(damaged->section[i].bytes);
	vocabulary_close(&damaged->whole);
}

#endif
