/* A kernel under construction, shared by draft.c (formulas), targets.c (what forces act on) and
 * instances.c (families). */
#ifndef LV_MODEL_DRAFT_H
#define LV_MODEL_DRAFT_H

#include "model/model.h"

/* A component of a vector whose index depends on the instance (index_program.h). */
typedef struct lv_pick {
    lv_node index;
    const lv_node *items;
    int length;
    int level;  /* 1, or one more than that of the picks in its index */
    int number; /* which number of the instance it is */
    lv_place place;
} lv_pick;

typedef struct lv_draft {
    lv_model *model;
    lv_arena *arena; /* of what the kernel keeps: the model's, or scratch */
    lv_kernel kernel;
    lv_arena scratch;
    lv_elaboration e;
    lv_scope scope;
    LV_ARRAY(lv_slot) slots;
    LV_ARRAY(int) previous; /* the slot before it of the same group, or -1 */
    LV_ARRAY(lv_index_demand) demands;
    LV_ARRAY(lv_pick) picks;
    LV_ARRAY(lv_node) data; /* formulas of parameters and indices, and picks */
    const double *numbers;  /* of the instance that is being evaluated */
    lv_node_list turns;     /* as in lv_kernel */
    int local;              /* coordinates so far */
    LV_ARRAY(lv_multiplier) multipliers; /* that an output uses */
    int multiplier_rows;                 /* of all of them */
    const char **index_names;
    const lv_node (*range)[2]; /* first and last index of each range */
    int most; /* instances: more are counted, not listed; 0: any number */
    lv_error *err;
} lv_draft;

/* Begins with an empty graph; set model, arena and err before. */
lv_status lv_draft_start(lv_draft *d);
void lv_draft_done(lv_draft *d);

/* The same, with the indices of a family, which may be NULL; formulas may use coordinates from now on. */
lv_status lv_draft_open(lv_draft *d, const lv_entry *family);

/* All that is left to do once the rows and the instances are known. */
lv_status lv_draft_close(lv_draft *d);

/* The indices and the ends of their ranges; no family: none. */
lv_status lv_draft_ranges(lv_draft *d, const lv_entry *family);

/* The indices of all instances, once the ranges are known. */
lv_status lv_draft_instances(lv_draft *d, const lv_entry *family);

/* Nodes that depend on parameters and indices only, in one instance after the other; visit may
 * fail. */
typedef lv_status (*lv_draft_visit)(void *user, const lv_draft *d, int instance,
                                    const double *values);
lv_status lv_draft_evaluate(lv_draft *d, const lv_node *nodes, int count,
                            lv_draft_visit visit, void *user);

/* "i = 1, j = 3" */
const char *lv_draft_indices_text(const lv_draft *d, int instance, char buffer[200]);

/* What a force or a symmetry acts on, once its rows are known: afterwards each row belongs to one
 * coordinate. */
lv_status lv_draft_targets(lv_draft *d);

/* The forces of Rayleigh's function, which is the only row before. */
lv_status lv_draft_dissipation(lv_draft *d);

/* From now on formulas of parameters and indices in the holes of a template are data
 * (numbers.c). */
void lv_draft_settle(lv_draft *d);

/* From now on components may be picked by an index (index_program.c). */
void lv_draft_pick(lv_draft *d);

/* Adds to an error of an instance which one it is. */
lv_status lv_draft_in_instance(const lv_draft *d, int instance, lv_status status);

/* From now on demands on indices are collected; checked once the instances are known. */
void lv_draft_demand(lv_draft *d);
lv_status lv_draft_check_demands(lv_draft *d);

/* The data of all instances, once these are known. */
lv_status lv_draft_data(lv_draft *d);

/* The rows of what is shown (shown.c). */
lv_status lv_draft_shown(lv_draft *d);

/* The inputs Y of the rows of a constraint; index has one node for each of its indices (results.c). */
lv_status lv_draft_multiplier(lv_draft *d, lv_value *value, const lv_kernel *constraint,
                              const lv_node *index, lv_place place, lv_error *err);

/* The members of families of constraints whose multipliers are used, once instances are known
 * (results.c). */
lv_status lv_draft_multipliers(lv_draft *d);

/* Where each slot lives in every instance, once slots and instances are known. */
lv_status lv_draft_locate(lv_draft *d);

/* The rows of a kernel of an event, once its formula is elaborated; fails if keys of an event do not go together
 * (event.c). */
lv_status lv_draft_event(lv_draft *draft);
lv_status lv_event_check(const lv_item *item, lv_error *err);

#endif
