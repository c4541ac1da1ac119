#ifndef LOAD_LOAD_CHAIN_H
#define LOAD_LOAD_CHAIN_H

/*
 * The chain of a file's records, which an agent walks from the last one to the first: each names
 * the one that it follows.
 *
 *     a <- b <- (progress) <- f        f is the last: a, b and f are reached
 *          b <- c <- d <- e            c, d and e are not, though they are before f
 */

#include "dialects/load/load_file.h"
#include "dialects/load/load_plan.h"

/* Reads the id and the parent of the file's newest node, whose record view shows. */
void load_chain_add(const struct load_plan *plan, struct load_file *file, struct member_view *view);

/* Marks the nodes that are loaded, and notes the faults of the chain. Without a chain, all nodes
 * are loaded that no rule excludes. */
void load_chain_walk(struct load_file *file);

/* Adds the faults of the chain to the file's findings. The missed nodes must be marked. A place
 * where the chain passes over records is a finding only if some of these are missed. */
void load_chain_find_faults(struct load_file *file);

/* For a judged file, the node that each node must follow so that the chain reaches all missed
 * nodes, in the order of the file. LOAD_NONE: the parent stays; LOAD_BEGINS: no parent. Returns one
 * for each node, in a list that the caller frees. Marks the nodes on the chain as reached. */
uint32_t *load_chain_relink(struct load_file *file);

/* The number of an id, which may be a string or a number; otherwise 0. */
uint32_t load_chain_id(struct load_file *file, struct json_value id);

#endif
