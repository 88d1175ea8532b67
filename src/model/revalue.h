/* The numbers of a model for other values of its parameters, without reading its text
 * again.
 *
 * A model that is read for this purpose keeps the program of every formula of parameters
 * that was evaluated on reading, together with the use of its values. For other values
 * of the parameters these programs run again: numbers that the model contains are
 * stored, numbers that were checked are checked again, and numbers that determine the
 * structure of the model must stay the same. If a check fails, or if reading might give
 * other kernels, the text must be read. */
#ifndef LV_MODEL_REVALUE_H
#define LV_MODEL_REVALUE_H

#include "model/index_program.h"

/* Reads the text of a model again, with these settings, for lv_model_revalue. *result is
 * NULL if the model cannot be used like that: it has a Hamiltonian, events or external
 * forces. */
lv_status lv_model_read_revaluable(lv_model **result, const lv_model *model,
                                   const lv_setting *settings, int count, lv_error *err);

/* Gives a model that was read for this purpose the numbers that it would have, bit for
 * bit, with other values of the parameters that were set. Its view stays as it is.
 * `parameters` has the values of all parameters in the order of `layout`, a model of the
 * same text; the order depends on which parameters are set. Returns false if the text
 * must be read; the numbers of the model are then invalid until a later call succeeds. */
bool lv_model_revalue(lv_model *model, const lv_model *layout, const double *parameters);

/* ---- while a model is read; no effect if the model does not keep evaluations ---- */

typedef struct lv_evaluations lv_evaluations;

/* Makes the model keep evaluations. It owns them. */
lv_status lv_evaluations_create(lv_model *model, lv_error *err);

/* Call when the model has been read: notes the values that must stay the same. */
lv_status lv_evaluations_settle(lv_model *model, lv_error *err);

/* Adds formulas that were evaluated in all instances of a draft; may take over the
 * program. Unless one of the functions below follows, their values determine the
 * structure of the model and must stay the same. */
lv_status lv_evaluations_add(const lv_draft *draft, lv_index_program *program);

/* The same for formulas of parameters, which have no instances. */
lv_status lv_evaluations_add_formula(lv_model *model, lv_graph *graph,
                                     const lv_node *nodes, int count, lv_error *err);

/* The values that were added last are stored in `to`, one instance after the other, and
 * must be finite. */
void lv_evaluations_store(const lv_model *model, double *to);

/* They are data of a kernel (numbers.c); stride 0: one set for all instances, whose
 * values are the same. */
void lv_evaluations_store_data(const lv_model *model, double *to, int stride);

/* They must satisfy a check of a part, or be in the range of a key. */
void lv_evaluations_check(const lv_model *model, const lv_check *check);
void lv_evaluations_check_key(const lv_model *model, const lv_key *key);

/* They are drawn; the first `positive` values of each instance must be positive. */
void lv_evaluations_draw(const lv_model *model, int positive);

#endif
