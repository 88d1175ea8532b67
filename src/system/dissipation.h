/* Detects dissipation functions R that are negative: the force -R_v then feeds energy, -v
 * . R_v > 0. They are allowed (self-excited oscillators), but usually a sign is wrong. */
#ifndef LV_SYSTEM_DISSIPATION_H
#define LV_SYSTEM_DISSIPATION_H

#include "model/model.h"

/* Programs for the power of every dissipation of a model at any state. */
typedef struct lv_dissipations lv_dissipations;

/* *d is NULL if the model has no dissipation; all functions below accept that. */
lv_status lv_dissipations_create(lv_dissipations **d, const lv_model *model,
                                 lv_error *err);
void lv_dissipations_free(lv_dissipations *d);
int lv_dissipations_count(const lv_dissipations *d);

/* Does an instance of dissipation k feed energy at this state? false where it has no
 * value. */
bool lv_dissipations_feeds(lv_dissipations *d, int k, double t, const double *q,
                           const double *v);

/* Does dissipation k feed energy at the start, with the velocities there or with random
 * ones? */
lv_status lv_dissipations_feeds_at_start(lv_dissipations *d, int k, bool *feeds,
                                         lv_error *err);

/* Name and place: "'drag' (model.toml:9:15)". */
const char *lv_dissipations_text(const lv_dissipations *d, int k, char *text,
                                 size_t size);

/* Writes the text of the first dissipation that feeds energy at the start, "" if there is
 * none. */
lv_status lv_dissipation_test(const lv_model *model, char *text, size_t size,
                              lv_error *err);

#endif
