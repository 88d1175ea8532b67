/* Denies the k-th allocation, for every k, and checks that nothing leaks.
 *
 *     static lv_status read_it(void *user, lv_error *err) { ... frees what it made ... }
 *     lv_deny_sweep(read_it, user);
 *
 * The job must succeed when nothing is denied, fail with LV_ERR_MEMORY (or succeed
 * without the memory) when a request is denied, and leave no allocation behind in either
 * case. Under sanitizers some of the denials of a long job are made, spread over it. */
#ifndef LV_TESTS_DENY_H
#define LV_TESTS_DENY_H

#include "base/status.h"

typedef lv_status (*lv_deny_job)(void *user, lv_error *err);

void lv_deny_sweep(lv_deny_job job, void *user);

/* At most `most` denials, spread over the run: for jobs with very many allocations. */
void lv_deny_sample(lv_deny_job job, void *user, int most);

#endif
