#ifndef TOKENS_VOCAB_PACKER_H
#define TOKENS_VOCAB_PACKER_H

/*
 * Packs and unpacks short strings, one bit at a time. Six contexts each guess the next bit, a mixer
 * weighs the guesses, and an arithmetic coder spends -log2(guess) bits on the actual bit (the
 * scheme of Matt Mahoney's lpaq; the contexts are made for vocabularies). All numbers are integers,
 * so that every machine can unpack the strings that another machine packed. The two vocabularies
 * get four fifths of the size that xz gives them.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"

struct packer;

/* Opens a packer that appends the packed form to out; or, when out is NULL, one that unpacks in. in
 * and out must outlive the packer. */
struct packer *packer_open(struct str in, struct buf *out);

/* Packs one string, the *len bytes at ptr; or unpacks one string to ptr and sets *len. cap is the
 * room at ptr in bytes. Returns false when the unpacked string would be longer than cap. */
bool packer_string(struct packer *packer, uint8_t *ptr, size_t *len, size_t cap);

/* Ends the packed form and frees the packer. */
void packer_close(struct packer *packer);

#endif
