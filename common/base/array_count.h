#ifndef BASE_ARRAY_COUNT_H
#define BASE_ARRAY_COUNT_H

/* The number of items of an array, which must be no pointer. */
#define ARRAY_COUNT(array) (sizeof(array) / sizeof(array)[0])

#endif
