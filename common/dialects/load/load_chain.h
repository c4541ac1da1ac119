#ifndef LOAD_LOAD_CHAIN_H
#define LOAD_LOAD_CHAIN_H

/*
 * The chain of a file's records, which an agent walks from the last one to the first: each names
 * the one that it follows.
 *
 *     a <- b <- (progress) <- f        f is the last: a, b and f are reached
 *          b <- c <- d <- e            c, d and e are not, though they stand before f
 */

#include "dialects/load/load_file.h"
#include "dialects/load/load_plan.h"

/* Reads the id and the parent of the newest node of the file, whose record is in view. */
void load_chain_add(const struct load_plan *plan, struct load_file *file, struct member_view *view);

/* Keeps the value for what is found about the node. */
void load_chain_quote(struct load_file *file, struct load_file_node *node, struct json_value value);

/* Marks the nodes that are loaded, and notes what is wrong with the chain. Without a chain all are
 * loaded that no rule takes out. */
void load_chain_walk(struct load_file *file);

/* Adds what is wrong with the chain to the file's findings, when those that are missed are marked:
 * where the way leads past records, only if there are such among them. */
void load_chain_find_faults(struct load_file *file);

/* Of a file that was judged: which node each node must follow so that the chain reaches all that is
 * missed, in the order of the file; LOAD_NONE: the one that it follows; LOAD_BEGINS: none. Returns
 * as many as there are nodes, which the caller frees. The nodes that are on the way are marked as
 * reached. */
uint32_t *load_chain_relink(struct load_file *file);

/* The hash of an id, which may be a string or a number; otherwise zeros. */
struct hash load_chain_key(struct json_value id);

#endif
