#ifndef TOKENS_VOCAB_MODEL_H
#define TOKENS_VOCAB_MODEL_H

/*
 * Packs and unpacks short strings, a bit at a time: six contexts each guess the next bit, a mixer
 * weighs the guesses, an arithmetic coder spends -log2(guess) bits on what came (the scheme of Matt
 * Mahoney's lpaq; the contexts are made for vocabularies). Integers only, so that every machine
 * unpacks what another has packed. On the two vocabularies: four fifths of what xz makes of them.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"

struct model;

/* A model that packs into out, or with out NULL unpacks in; both must outlive it. */
struct model *model_open(struct str in, struct buf *out);

/* Codes one string of at most cap bytes: packs the *len bytes at ptr, or unpacks to ptr and *len.
 * False when what is unpacked would be longer than cap. */
bool model_string(struct model *model, uint8_t *ptr, size_t *len, size_t cap);

/* Ends the packed form and frees the model. */
void model_close(struct model *model);

#endif
