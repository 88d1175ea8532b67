#include "deny.h"

#include "base/memory.h"
#include "check.h"

#include <stdlib.h>

static long requests; /* allocations asked for so far */
static long deny_at;  /* the request to deny, from 1; 0 denies none */
static long live;     /* allocations not yet freed */

static void *counting_resize(void *p, size_t size)
{
    if (size == 0) {
        live -= p != NULL;
        free(p);
        return NULL;
    }
    if (++requests == deny_at)
        return NULL;
    void *result = realloc(p, size);
    live += result != NULL && p == NULL;
    return result;
}

static lv_status run_once(lv_deny_job job, void *user, long denied, lv_error *err)
{
    requests = 0;
    deny_at = denied;
    live = 0;
    lv_memory_set_hook(counting_resize);
    lv_error_clear(err);
    lv_status status = job(user, err);
    lv_memory_set_hook(NULL);
    if (live != 0)
        fail_msg("%ld allocations leaked when request %ld was denied", live, denied);
    return status;
}

/* Sanitizers see a part of long sweeps; optimised builds deny every request. */
enum { MOST_UNDER_SANITIZERS = 60 };

void lv_deny_sample(lv_deny_job job, void *user, int most)
{
    if (SLOW && (most <= 0 || most > MOST_UNDER_SANITIZERS))
        most = MOST_UNDER_SANITIZERS;
    lv_error err;
    lv_status status = run_once(job, user, 0, &err);
    if (status != LV_OK)
        fail_msg("the job fails without denials: %s", err.text);

    long total = requests;
    long stride = most > 0 && total > most ? total / most : 1;
    for (long k = 1; k <= total; k += stride) {
        status = run_once(job, user, k, &err);
        if (status != LV_OK && status != LV_ERR_MEMORY)
            fail_msg("request %ld of %ld denied: status %s (%s), not memory", k, total,
                     lv_status_name(status), err.text);
        if (status == LV_ERR_MEMORY && err.code != LV_ERR_MEMORY)
            fail_msg("request %ld denied: the error was not filled in", k);
    }
}

void lv_deny_sweep(lv_deny_job job, void *user)
{
    lv_deny_sample(job, user, 0);
}
