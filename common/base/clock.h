#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

/* The milliseconds since some moment before the program started. The clock never goes back, and
 * setting the time of day does not change it. A signal handler may call this function. */
int64_t clock_ms(void);

#endif
