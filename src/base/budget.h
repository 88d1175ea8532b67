/* The memory budget of the allocator (livens/memory.h): it counts what is in use and
 * reports requests that exceed it. */
#ifndef LV_BASE_BUDGET_H
#define LV_BASE_BUDGET_H

#include "base/status.h"

#include <livens/memory.h>
#include <stdbool.h>
#include <stddef.h>

/* lv_budget_take counts `bytes` as used, or refuses them: the thread then remembers the
 * request for lv_budget_settle. lv_budget_give returns bytes. */
bool lv_budget_take(size_t bytes);
void lv_budget_give(size_t bytes);

/* Counts bytes that are already allocated, so that they cannot be refused. */
void lv_budget_count(size_t bytes);

/* Whether so many more bytes would fit. A double, since estimates may exceed the range of
 * size_t. */
bool lv_budget_fits(double bytes);

/* Fails with LV_ERR_LIMIT and LV_WHY_BUDGET because `what`, such as "50000000
 * coordinates", needs at least so many bytes. The caller may add a place to the error. */
lv_status lv_fail_budget(lv_error *err, const char *what, double bytes);

/* Functions of the public interface pass their status through this function before they
 * return. It turns LV_ERR_MEMORY into a budget failure if the budget refused a request of
 * this thread, and then returns true. */
bool lv_budget_settle(lv_status *status, lv_error *err);

/* Formats a size: "1.5 GiB", "300 KiB". */
enum { LV_BYTES_SIZE = 32 };
const char *lv_bytes_format(double bytes, char buffer[LV_BYTES_SIZE]);

#endif
