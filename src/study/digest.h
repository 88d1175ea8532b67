/* The summary of an ensemble: ranges of columns, and failures and warnings grouped by
 * cause. */
#ifndef LV_STUDY_DIGEST_H
#define LV_STUDY_DIGEST_H

#include <livens/sweep.h>

#include "num/sum.h"
#include "study/member.h"

/* Messages grouped by cause. */
typedef struct lv_causes {
    LV_ARRAY(lv_member_group) groups;
    LV_ARRAY(const char *) texts; /* the messages without their numbers, one per group */
} lv_causes;

typedef struct lv_digest {
    lv_arena arena;
    int done, failed, warned;
    long long steps;
    int width;
    lv_column_range *columns;
    lv_sum *sums;
    lv_causes failures, warnings;
} lv_digest;

/* Call lv_digest_done in any case. */
lv_status lv_digest_init(lv_digest *digest, const lv_table *table, lv_error *err);
void lv_digest_done(lv_digest *digest);

/* Adds a member; members must be added in the order of their numbers. */
lv_status lv_digest_add(lv_digest *digest, const lv_table *table, int number,
                        const lv_result *result, lv_error *err);

/* Turns sums into means and sorts the causes. */
void lv_digest_finish(lv_digest *digest);

#endif
