/* A kernel under construction, shared by draft.c (formulas), targets.c (what forces act
 * on), instances.c (families) and others. */
#ifndef LV_MODEL_DRAFT_H
#define LV_MODEL_DRAFT_H

#include "model/model.h"

/* A component of a vector whose index depends on the instance (index_program.h). */
typedef struct lv_pick {
    lv_node index;
    const lv_node *items;
    int length;
    int level;  /* 1, or one more than the largest level of the picks in its index */
    int number; /* its index among the numbers of the instance */
    lv_place place;
} lv_pick;

typedef struct lv_draft {
    lv_model *model;
    /* where the data of the kernel live: the model's arena, or scratch */
    lv_arena *arena;
    lv_kernel kernel;
    lv_arena scratch;
    lv_elaboration e;
    lv_scope scope;
    LV_ARRAY(lv_slot) slots;
    LV_ARRAY(int) previous; /* the previous slot of the same group, or -1 */
    LV_ARRAY(lv_index_demand) demands;
    LV_ARRAY(lv_pick) picks;
    /* formulas of parameters and indices, and picks; they become data of instances */
    LV_ARRAY(lv_node) data;
    const double *numbers; /* numbers of the instance that is being evaluated */
    lv_node_list turns;    /* as in lv_kernel */
    int local;             /* number of local coordinates so far */
    LV_ARRAY(lv_multiplier) multipliers; /* multipliers that an output uses */
    int multiplier_rows;                 /* total number of rows of these multipliers */
    const char **index_names;
    const lv_node (*range)[2]; /* first and last index of each range */
    /* largest number of instances that are listed; more are only counted. 0: no limit */
    int most;
    lv_error *err;
} lv_draft;

/* Initialises a draft with an empty graph; set model, arena and err before. */
lv_status lv_draft_start(lv_draft *d);
void lv_draft_done(lv_draft *d);

/* Does the same and elaborates the indices of a family, which may be NULL; formulas may
 * use coordinates from now on. */
lv_status lv_draft_open(lv_draft *d, const lv_entry *family);

/* Completes the kernel when its rows and instances are known. */
lv_status lv_draft_close(lv_draft *d);

/* Elaborates the indices and the ends of their ranges; family may be NULL. */
lv_status lv_draft_ranges(lv_draft *d, const lv_entry *family);

/* Lists the indices of all instances, when the ranges are known. */
lv_status lv_draft_instances(lv_draft *d, const lv_entry *family);

/* Evaluates nodes that depend on parameters and indices only, in one instance after the
 * other, and calls `visit` with their values; visit may fail. */
typedef lv_status (*lv_draft_visit)(void *user, const lv_draft *d, int instance,
                                    const double *values);
lv_status lv_draft_evaluate(lv_draft *d, const lv_node *nodes, int count,
                            lv_draft_visit visit, void *user);

/* Formats the indices of an instance: "i = 1, j = 3" */
const char *lv_draft_indices_text(const lv_draft *d, int instance, char buffer[200]);

/* Finds what a force or a symmetry acts on, when its rows are known. Afterwards each row
 * belongs to one coordinate. */
lv_status lv_draft_targets(lv_draft *d);

/* Replaces Rayleigh's function, which is the only row, by its forces. */
lv_status lv_draft_dissipation(lv_draft *d);

/* From now on formulas of parameters and indices in the holes of a template become data
 * (numbers.c). */
void lv_draft_settle(lv_draft *d);

/* From now on a component of a vector may be selected by an index that depends on the
 * instance (index_program.c). */
void lv_draft_pick(lv_draft *d);

/* Adds the indices of an instance to an error that occurred in it. */
lv_status lv_draft_in_instance(const lv_draft *d, int instance, lv_status status);

/* lv_draft_demand: from now on requirements on indices are collected.
 * lv_draft_check_demands checks them when the instances are known. */
void lv_draft_demand(lv_draft *d);
lv_status lv_draft_check_demands(lv_draft *d);

/* Computes the data of all instances, when these are known. */
lv_status lv_draft_data(lv_draft *d);

/* Elaborates the rows of a kernel of role LV_ROLE_SHOWN (shown.c). */
lv_status lv_draft_shown(lv_draft *d);

/* The inputs Y for the rows of a constraint; `index` has one node for each of its indices
 * (results.c). */
lv_status lv_draft_multiplier(lv_draft *d, lv_value *value, const lv_kernel *constraint,
                              const lv_node *index, lv_place place, lv_error *err);

/* Finds the members of families of constraints whose multipliers are used, when instances
 * are known (results.c). */
lv_status lv_draft_multipliers(lv_draft *d);

/* Finds the coordinates of each slot in every instance, when slots and instances are
 * known. */
lv_status lv_draft_locate(lv_draft *d);

/* lv_draft_event completes the rows of a kernel of an event, when its formula is
 * elaborated; lv_event_check fails if the keys of an event do not fit together
 * (event.c). */
lv_status lv_draft_event(lv_draft *draft);
lv_status lv_event_check(const lv_item *item, lv_error *err);

#endif
