#ifndef GC_GC_CHAIN_H
#define GC_GC_CHAIN_H

/* Which records of a chain go, and the new parents of those that stay. */

#include "dialects/gc/gc_state.h"

/* Sets the verdicts of the records in the file's chain, and links those whose parents go. */
void gc_chain_sweep(struct gc *gc, struct load_file *file);

static inline uint8_t *
gc_chain_verdict(const struct gc *gc, const struct load_file_node *node)
{
	return (uint8_t *)gc->verdict.ptr + node->line;
}

#endif
