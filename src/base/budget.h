/* The budget of the allocator (livens/memory.h): counting what is in use, and failures that say so. */
#ifndef LV_BASE_BUDGET_H
#define LV_BASE_BUDGET_H

#include "base/status.h"

#include <livens/memory.h>
#include <stdbool.h>
#include <stddef.h>

/* Counts `bytes` as used, or refuses: the thread then remembers the request for lv_budget_settle. */
bool lv_budget_take(size_t bytes);
void lv_budget_give(size_t bytes);

/* Counts what cannot be refused any more. */
void lv_budget_count(size_t bytes);

/* Would so many bytes more fit? For estimates, which may exceed what a size_t holds. */
bool lv_budget_fits(double bytes);

/* Fails with LV_ERR_LIMIT and LV_WHY_BUDGET: `what`, such as "50000000 coordinates", needs at least so
 * many bytes. The caller may locate the error. */
lv_status lv_fail_budget(lv_error *err, const char *what, double bytes);

/* Calls of the public interface pass their status through this function before they return: out of memory
 * becomes a failure of the budget if the budget was what this thread met. true: it has. */
bool lv_budget_settle(lv_status *status, lv_error *err);

/* "1.5 GiB", "300 KiB" */
enum { LV_BYTES_SIZE = 32 };
const char *lv_bytes_format(double bytes, char buffer[LV_BYTES_SIZE]);

#endif
