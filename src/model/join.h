/* Combines instances of kernels into instances of new kernels.
 *
 * A joint is a set of parts, each an instance of some kernel, that share coordinates.
 * Joints of the same structure, the same kernels sharing coordinates in the same way, are
 * the instances of one join: a kernel over the slots of all parts, each slot once. */
#ifndef LV_MODEL_JOIN_H
#define LV_MODEL_JOIN_H

#include "model/model.h"

typedef struct lv_joint {
    /* describes the structure; equal for all joints of one join */
    int signature, signature_count;
    int part, part_count;   /* instances of the parts */
    int place, place_count; /* first coordinates of the slots */
    int tag;                /* where the tags begin in the signature */
} lv_joint;

/* All joints of one structure. Its lists live in the arena of the joiner. */
typedef struct lv_join {
    int part_count;
    const lv_kernel **kernels; /* kernel of each part */
    /* for each part: the indices of its local coordinates in the join */
    int **coordinates;
    /* for each part: the numbers of its indices in the join */
    int **indices_of;
    const int *tags;

    int slot_count;
    const lv_slot *slots;
    int width; /* number of coordinates of all slots */
    int instance_count;
    const int *joints; /* the joint of each instance */
    const int *where;  /* first coordinates of the slots, as in lv_kernel */
    int index_count;
    const char **index_names;
    const double *indices;
} lv_join;

typedef struct lv_joiner {
    const lv_model *model;
    lv_arena *arena;
    const lv_kernel *const *kernels; /* kernels that parts refer to by number */
    /* for each coordinate: the last joint that contains it, and its slot there */
    int *last, *slot;
    LV_ARRAY(lv_joint) joints;
    LV_ARRAY(int) signatures;
    LV_ARRAY(int) parts;
    LV_ARRAY(int) places;
    LV_ARRAY(lv_slot) slots; /* slots of the current joint */
    LV_ARRAY(lv_join) joins; /* in the order of their first joints */
} lv_joiner;

lv_status lv_joiner_init(lv_joiner *joiner, const lv_model *model, lv_arena *arena,
                         const lv_kernel *const *kernels, lv_error *err);
void lv_joiner_done(lv_joiner *joiner);

/* lv_joiner_begin starts a joint, lv_joiner_part adds its parts, and lv_joiner_tag adds
 * numbers that its structure depends on as well. The slots of the parts so far are
 * joiner->slots; lv_joiner_place gives their first coordinates. */
lv_status lv_joiner_begin(lv_joiner *joiner, lv_error *err);
lv_status lv_joiner_part(lv_joiner *joiner, int kernel, int instance, lv_error *err);
lv_status lv_joiner_tag(lv_joiner *joiner, int tag, lv_error *err);
int lv_joiner_place(const lv_joiner *joiner, int slot);

/* Groups all joints into joins. */
lv_status lv_joiner_finish(lv_joiner *joiner, lv_error *err);

/* Makes a join of one kernel with the instances that `keep` marks. */
lv_status lv_join_alone(lv_join *join, lv_arena *arena, const lv_kernel *kernel,
                        const unsigned char *keep, lv_error *err);

/* Imports nodes[k] of part `part` into a graph over the coordinates of the join.
 * inputs[kind] replace inputs as in lv_graph_import; those of Q, V and I are set here. */
lv_status lv_join_import(const lv_join *join, lv_arena *arena, int part, lv_graph *graph,
                         lv_node *images, const lv_node *nodes, int count,
                         const lv_node *inputs[LV_INPUT_KINDS], lv_error *err);

/* Fills in a kernel with rows (and targets, or NULL) over the coordinates of the join, in
 * a graph of its own; slots that do not occur in them are left out. The caller sets role
 * and item. */
lv_status lv_join_kernel(lv_kernel *kernel, lv_arena *arena, const lv_join *join,
                         const lv_graph *graph, const lv_node *rows,
                         const lv_node *targets, int row_count, lv_error *err);

#endif
