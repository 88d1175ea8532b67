/* What an ensemble comes to: ranges of columns, failures and warnings by cause. */
#ifndef LV_STUDY_DIGEST_H
#define LV_STUDY_DIGEST_H

#include <livens/sweep.h>

#include "num/sum.h"
#include "study/member.h"

/* Messages by cause. */
typedef struct lv_causes {
    LV_ARRAY(lv_member_group) groups;
    LV_ARRAY(const char *) texts; /* the messages without their numbers */
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

/* Adds a member, in the order of their numbers. */
lv_status lv_digest_add(lv_digest *digest, const lv_table *table, int number,
                        const lv_result *result, lv_error *err);

/* Makes means of sums and sorts the causes. */
void lv_digest_finish(lv_digest *digest);

#endif
