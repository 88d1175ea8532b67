/* The numbers of a model for other values of its parameters, without reading its text again.
 *
 * A model that is read for this keeps the program of every formula of parameters that was evaluated on reading, with
 * what became of its values. With other values of parameters these programs run again: numbers that the model has are
 * stored, numbers that were tested are tested, and numbers that decide what the model is have to stay the same. Where a
 * test fails, or where it is not certain that reading would give the same kernels, the text has to be read. */
#ifndef LV_MODEL_REVALUE_H
#define LV_MODEL_REVALUE_H

#include "model/index_program.h"

/* Reads the text of a model again, with these settings, for lv_model_revalue. *result is NULL for models that cannot be
 * used so: those with a Hamiltonian, with events, and with external forces. */
lv_status lv_model_read_revaluable(lv_model **result, const lv_model *model,
                                   const lv_setting *settings, int count, lv_error *err);

/* Gives a model that was read so the numbers that it has with other values of the parameters that were set, bit for bit;
 * its view stays as it is. `parameters` has the values of all parameters, where `layout`, a model of the same text, has
 * them: in which order values stand depends on what is set. False: the text has to be read, and numbers of the model have
 * no meaning until the next call that succeeds. */
bool lv_model_revalue(lv_model *model, const lv_model *layout, const double *parameters);

/* ---- while a model is read; nothing is done where evaluations are not kept ----------------------------- */

typedef struct lv_evaluations lv_evaluations;

/* The model frees them, by lv_evaluations_free. */
lv_status lv_evaluations_create(lv_model *model, lv_error *err);

/* When all is read: what numbers are that have to stay the same. */
lv_status lv_evaluations_settle(lv_model *model, lv_error *err);

/* Formulas were evaluated in all instances of a draft; the program may be taken away. Unless one of the functions below
 * follows, their values decide what the model is. */
lv_status lv_evaluations_add(const lv_draft *draft, lv_index_program *program);

/* The same for a formula of parameters, which has no instances. */
lv_status lv_evaluations_add_formula(lv_model *model, lv_graph *graph,
                                     const lv_node *nodes, int count, lv_error *err);

/* The values that were evaluated last are stored, one instance after the other; they have to be finite. */
void lv_evaluations_store(const lv_model *model, double *to);

/* They are data of a kernel (numbers.c): stride 0, where all instances have the same. */
void lv_evaluations_store_data(const lv_model *model, double *to, int stride);

/* They have to satisfy a demand of a part; they have to be in the range of a key. */
void lv_evaluations_check(const lv_model *model, const lv_check *check);
void lv_evaluations_check_key(const lv_model *model, const lv_key *key);

/* They are drawn, and so many of them have to be positive. */
void lv_evaluations_draw(const lv_model *model, int positive);

#endif
