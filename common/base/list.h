#ifndef BASE_LIST_H
#define BASE_LIST_H

/*
 * Growing an array on the heap, and searching a sorted one. The owner of an array keeps three
 * things side by side: a pointer, a count of items in use, and a capacity. Zeros make an empty
 * array, free(3) frees it.
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

/* Removes the first gone items; left items move to the front. */
#define LIST_DROP_FRONT(list, gone, left) \
	do { \
		if ((gone) > 0 && (left) > 0) \
			memmove((list), (list) + (gone), (left) * sizeof *(list)); \
	} while (0)

/* Sets bound to the number of items at the start of a sorted list that meet the condition on the
 * item number i; the condition is false for all items after the first that does not meet it. */
#define LIST_BOUND(bound, i, count, condition) \
	do { \
		__typeof__(bound) above_ = (count); \
\
		(bound) = 0; \
		while ((bound) < above_) { \
			__typeof__(bound) i = (bound) + (above_ - (bound)) / 2; \
\
			if (condition) \
				(bound) = i + 1; \
			else \
				above_ = i; \
		} \
	} while (0)

/* Adds one item; its value may be an expression with commas. */
#define LIST_ADD(list, count, cap, ...) \
	do { \
		LIST_ROOM((list), (count), (cap)); \
		(list)[(count)++] = __VA_ARGS__; \
	} while (0)

#endif
