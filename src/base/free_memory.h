/* How much memory this process could still get. */
#ifndef LV_BASE_FREE_MEMORY_H
#define LV_BASE_FREE_MEMORY_H

#include <stddef.h>

/* The least of what the machine has available, what is left of the control groups that the process is in,
 * and what is left of its address space (RLIMIT_AS, RLIMIT_DATA). SIZE_MAX: nothing is known. Allocates
 * nothing. */
size_t lv_free_memory(void);

#endif
