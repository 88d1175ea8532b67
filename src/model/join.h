/* Instances of kernels that belong together become instances of new kernels.
 *
 * A joint is a few parts, each an instance of some kernel, that meet at shared coordinates. Joints
 * that look alike, the same kernels meeting in the same way, are the instances of one join: a
 * kernel over the slots of all parts, each slot once. */
#ifndef LV_MODEL_JOIN_H
#define LV_MODEL_JOIN_H

#include "model/model.h"

typedef struct lv_joint {
    int signature, signature_count; /* what joints of one join have in common */
    int part, part_count;           /* instances of the parts */
    int place, place_count;         /* first coordinates of the slots */
    int tag;                        /* where the tags begin in the signature */
} lv_joint;

/* Joints of one kind. Lists live in the joiner's arena. */
typedef struct lv_join {
    int part_count;
    const lv_kernel **kernels; /* of each part */
    int **coordinates;         /* of each part: its local coordinates among those here */
    int **indices_of;          /* of each part: its indices among those here */
    const int *tags;

    int slot_count;
    const lv_slot *slots;
    int width; /* coordinates of all slots */
    int instance_count;
    const int *joints; /* the number of each instance's joint */
    const int *where;  /* as in lv_kernel */
    int index_count;
    const char **index_names;
    const double *indices;
} lv_join;

typedef struct lv_joiner {
    const lv_model *model;
    lv_arena *arena;
    const lv_kernel *const *kernels; /* parts name them by number */
    int *last, *slot; /* of each coordinate: the joint that met it last, its slot there */
    LV_ARRAY(lv_joint) joints;
    LV_ARRAY(int) signatures;
    LV_ARRAY(int) parts;
    LV_ARRAY(int) places;
    LV_ARRAY(lv_slot) slots; /* of the joint being made */
    LV_ARRAY(lv_join) joins; /* in the order of their first joints */
} lv_joiner;

lv_status lv_joiner_init(lv_joiner *joiner, const lv_model *model, lv_arena *arena,
                         const lv_kernel *const *kernels, lv_error *err);
void lv_joiner_done(lv_joiner *joiner);

/* A new joint; its parts; then numbers that its kind depends on as well. The slots of the parts so
 * far are joiner->slots, at the places lv_joiner_place. */
lv_status lv_joiner_begin(lv_joiner *joiner, lv_error *err);
lv_status lv_joiner_part(lv_joiner *joiner, int kernel, int instance, lv_error *err);
lv_status lv_joiner_tag(lv_joiner *joiner, int tag, lv_error *err);
int lv_joiner_place(const lv_joiner *joiner, int slot);

/* Sorts all joints into joins. */
lv_status lv_joiner_finish(lv_joiner *joiner, lv_error *err);

/* A join of one kernel alone, of the instances that `keep` marks. */
lv_status lv_join_alone(lv_join *join, lv_arena *arena, const lv_kernel *kernel,
                        const unsigned char *keep, lv_error *err);

/* nodes[k] of part `part` among the coordinates of the join, in its graph. inputs[kind] replace
 * inputs as in lv_graph_import; those of Q, V and I are set here. */
lv_status lv_join_import(const lv_join *join, lv_arena *arena, int part, lv_graph *graph,
                         lv_node *images, const lv_node *nodes, int count,
                         const lv_node *inputs[LV_INPUT_KINDS], lv_error *err);

/* Fills in a kernel with rows (and targets, or NULL) over the coordinates of the join, in a graph
 * of its own; slots that do not occur in them are left out. Role and item are the caller's. */
lv_status lv_join_kernel(lv_kernel *kernel, lv_arena *arena, const lv_join *join,
                         const lv_graph *graph, const lv_node *rows,
                         const lv_node *targets, int row_count, lv_error *err);

#endif
