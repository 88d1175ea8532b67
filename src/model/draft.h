/* A kernel under construction, shared by kernel.c (formulas) and instances.c (families). */
#ifndef LV_MODEL_DRAFT_H
#define LV_MODEL_DRAFT_H

#include "model/model.h"

typedef struct lv_draft {
    lv_model *model;
    lv_kernel kernel;
    lv_arena scratch;
    lv_elaboration e;
    lv_scope scope;
    LV_ARRAY(lv_slot) slots;
    LV_ARRAY(int) previous; /* the slot before it of the same group, or -1 */
    int local;              /* coordinates so far */
    const char **index_names;
    const lv_node (*range)[2]; /* first and last index of each range */
    lv_error *err;
} lv_draft;

/* The indices and the ends of their ranges; no family: none. */
lv_status lv_draft_ranges(lv_draft *d, const lv_entry *family);

/* The indices of all instances, once the ranges are known. */
lv_status lv_draft_instances(lv_draft *d, const lv_entry *family);

/* Where each slot lives in every instance, once slots and instances are known. */
lv_status lv_draft_locate(lv_draft *d);

#endif
