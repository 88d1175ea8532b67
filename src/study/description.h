/* The texts in the HDF5 file of a sweep. /run has everything on which the results of
 * members depend, so that the sweep can be resumed and its parts can be joined;
 * attributes have information for readers. */
#ifndef LV_STUDY_DESCRIPTION_H
#define LV_STUDY_DESCRIPTION_H

#include "study/parts.h"

enum { LV_DESCRIPTION_TEXTS = 10, LV_DESCRIPTION_ATTRIBUTES = 5 };

typedef struct lv_description {
    lv_header header;
    lv_text_entry texts[LV_DESCRIPTION_TEXTS], attributes[LV_DESCRIPTION_ATTRIBUTES];
    char share[40]; /* "2/4" */
} lv_description;

/* inputs: tables of inputs as a text. messages: those of a finished part, otherwise NULL.
 * `d` must not be moved afterwards. */
lv_status lv_description_init(lv_description *d, const lv_model *model,
                              const lv_sweep_request *request, const char *scheme,
                              const char *inputs, const char *messages, lv_arena *arena,
                              lv_error *err);

#endif
