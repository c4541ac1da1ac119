#ifndef BASE_LIST_H
#define BASE_LIST_H

/*
 * Growing an array on the heap. The owner of an array keeps three things side by side: a pointer,
 * a count of items in use, and a capacity. Zeros make an empty array, free(3) frees it.
 *
 *     LIST_ADD(t->call, t->call_count, t->call_cap, call);
 */

#include "base/mem.h"

/* Makes room for one more item. list points to the items; count and cap have the same unsigned
 * type. The greatest value of that type never becomes an index, so the owner may use it for
 * "none". */
#define LIST_ROOM(list, count, cap) \
	do { \
		if ((count) >= (cap)) { \
			(cap) = (__typeof__(cap))mem_grow_within( \
			    (cap), (size_t)(count) + 1, (__typeof__(cap))-1); \
			(list) = mem_realloc((list), (cap), sizeof *(list)); \
		} \
	} while (0)

/* Adds one item; its value may be an expression with commas. */
#define LIST_ADD(list, count, cap, ...) \
	do { \
		LIST_ROOM((list), (count), (cap)); \
		(list)[(count)++] = __VA_ARGS__; \
	} while (0)

#endif
