/* How much memory this process could still get. */
#ifndef LV_BASE_FREE_MEMORY_H
#define LV_BASE_FREE_MEMORY_H

#include <stddef.h>

/* The least of the memory that the machine has available, what the control groups of the
 * process leave, and what its limits leave (RLIMIT_AS, RLIMIT_DATA). SIZE_MAX: nothing is
 * known. Allocates nothing. */
size_t lv_free_memory(void);

#endif
