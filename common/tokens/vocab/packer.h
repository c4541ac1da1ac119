#ifndef TOKENS_VOCAB_PACKER_H
#define TOKENS_VOCAB_PACKER_H

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

struct packer;

/* Packs into out, or with out NULL unpacks in; both must outlive the packer. */
struct packer *packer_open(struct str in, struct buf *out);

/* Codes one string of at most cap bytes: packs the *len bytes at ptr, or unpacks to ptr and *len.
 * False when what is unpacked would be longer than cap. */
bool packer_string(struct packer *packer, uint8_t *ptr, size_t *len, size_t cap);

/* Ends the packed form and frees the packer. */
void packer_close(struct packer *packer);

#endif
