#include "base/budget.h"

#include "base/free_memory.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

/* Each thread counts its own allocations and adds them to the common count when they
 * reach this size. So an allocation stays cheap, and threads do not contend for the
 * common count. */
enum { PIECE = 1 << 16 };

/* Requests up to this total are always granted without measuring the free memory, unless
 * a budget was set. */
enum { UNASKED = 1 << 25 };

static atomic_llong used;    /* bytes, without what threads have not reported yet */
static atomic_size_t budget; /* bytes; 0: not determined yet */
static _Thread_local long long pending;
/* The last request of this thread that exceeded the budget (0: none), and how much was in
 * use then. */
static _Thread_local size_t refused, beside;

static size_t in_use(void)
{
    const long long bytes = atomic_load_explicit(&used, memory_order_relaxed) + pending;
    return bytes > 0 ? (size_t)bytes : 0;
}

size_t lv_memory_used(void)
{
    return in_use();
}

size_t lv_memory_budget(void)
{
    size_t bytes = atomic_load_explicit(&budget, memory_order_relaxed);
    if (bytes == 0) {
        const size_t all = lv_free_memory();
        bytes = (all > SIZE_MAX - in_use() ? SIZE_MAX : all + in_use()) / 2;
        bytes = bytes > UNASKED ? bytes : UNASKED;
        atomic_store_explicit(&budget, bytes, memory_order_relaxed);
    }
    return bytes;
}

void lv_memory_set_budget(size_t bytes)
{
    atomic_store_explicit(&budget, bytes, memory_order_relaxed);
}

static bool allowed(long long total)
{
    if (atomic_load_explicit(&budget, memory_order_relaxed) == 0 && total <= UNASKED)
        return true;
    return total < 0 || (unsigned long long)total <= lv_memory_budget();
}

static long long publish(void)
{
    const long long mine = pending;
    pending = 0;
    return atomic_fetch_add_explicit(&used, mine, memory_order_relaxed) + mine;
}

bool lv_budget_take(size_t bytes)
{
    if (bytes > SIZE_MAX / 4)
        return true; /* the allocator will refuse it */
    pending += (long long)bytes;
    if (pending < PIECE || allowed(publish()))
        return true;
    atomic_fetch_sub_explicit(&used, (long long)bytes, memory_order_relaxed);
    refused = bytes;
    beside = in_use();
    return false;
}

void lv_budget_count(size_t bytes)
{
    pending += (long long)bytes;
}

void lv_budget_give(size_t bytes)
{
    if (bytes > SIZE_MAX / 4)
        return;
    pending -= (long long)bytes;
    if (pending <= -PIECE)
        (void)publish();
}

bool lv_budget_fits(double bytes)
{
    const double total = (double)in_use() + bytes;
    return total <= UNASKED || total <= (double)lv_memory_budget();
}

/* ---- messages ------------------------------------------------------------------------------- */

const char *lv_bytes_format(double bytes, char buffer[LV_BYTES_SIZE])
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
    int k = 0;
    for (; bytes >= 1024 && k < 5; k++)
        bytes /= 1024;
    (void)snprintf(buffer, LV_BYTES_SIZE, bytes < 10 && k > 0 ? "%.1f %s" : "%.0f %s",
                   bytes, units[k]);
    return buffer;
}

static void add_hint(lv_error *err)
{
    lv_error_because(err, LV_WHY_BUDGET);
    lv_error_hint(err,
                  "allow more with --memory SIZE, such as --memory 8G; the default is "
                  "half of what is free");
}

lv_status lv_fail_budget(lv_error *err, const char *what, double bytes)
{
    char need[LV_BYTES_SIZE], most[LV_BYTES_SIZE];
    lv_status status = lv_fail(
        err, LV_ERR_LIMIT, "%s need at least %s of memory; the budget is %s", what,
        lv_bytes_format(bytes, need), lv_bytes_format((double)lv_memory_budget(), most));
    add_hint(err);
    return status;
}

bool lv_budget_settle(lv_status *status, lv_error *err)
{
    const size_t request = refused;
    refused = 0;
    if (*status != LV_ERR_MEMORY || request == 0)
        return false;
    char more[LV_BYTES_SIZE], most[LV_BYTES_SIZE], now[LV_BYTES_SIZE];
    *status = lv_fail(
        err, LV_ERR_LIMIT,
        "this needs more memory than the budget of %s: another %s were asked for, beside "
        "%s in use",
        lv_bytes_format((double)lv_memory_budget(), most),
        lv_bytes_format((double)request, more), lv_bytes_format((double)beside, now));
    add_hint(err);
    return true;
}
