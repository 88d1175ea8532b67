/* Inside a plan; shared by plan_nodes.c (what to compute), plan.c (in which parts),
 * plan_places.c (where it goes) and plan_run.c (doing it). */
#ifndef LV_SYSTEM_PLAN_PRIVATE_H
#define LV_SYSTEM_PLAN_PRIVATE_H

#include "expr/analyse.h"
#include "expr/code.h"
#include "system/plan.h"

/* One node that contributes to a quantity: at local coordinate or row a (and local
 * coordinate b for matrices). */
typedef struct lv_contribution {
    lv_node node;
    lv_quantity quantity;
    int a, b;
} lv_contribution;

typedef LV_ARRAY(lv_contribution) lv_contribution_list;

/* All contributions of a kernel to the wanted quantities, as nodes of `graph` (a copy of
 * the kernel's that is extended), sorted by quantity. */
lv_status lv_plan_contributions(lv_contribution_list *list, lv_graph *graph,
                                const lv_kernel *kernel, lv_wanted wanted, lv_error *err);

/* The same for the quantities of a holonomic kernel that belong to pairs of positions and
 * velocities; nothing for others. */
lv_status lv_plan_hidden(lv_contribution_list *list, lv_graph *graph,
                         const lv_kernel *kernel, lv_quantity quantity, lv_error *err);

/* The same for the quantities of a kinetic energy (a node over `local` coordinates) that
 * belong to such pairs. */
lv_status lv_plan_kinetic(lv_contribution_list *list, lv_graph *graph, lv_node kinetic,
                          int local, lv_quantity quantity, lv_error *err);

/* The same for the power of a kernel. */
lv_status lv_plan_power(lv_contribution_list *list, lv_graph *graph,
                        const lv_kernel *kernel, lv_quantity quantity, lv_error *err);

/* Indices for every block of instances. */
typedef struct lv_table {
    int *index; /* [block][size] */
    int size;
} lv_table;

/* Room for `size` indices per block, in the arena; false: no memory. */
bool lv_plan_table_init(lv_table *table, lv_arena *arena, int blocks, int size);

/* Outputs [first, first + count) of a part's program belong to one quantity. */
typedef struct lv_scatter {
    lv_quantity quantity;
    bool once; /* results are stored, not added */
    int first, count;
    const int *a, *b; /* local coordinate or row of each output */
    lv_table to;      /* [block][output][lane], places in the quantity */
    int list;         /* lists: where the kernel's first number goes */
    /* [output][lane]: room for sums over blocks, where all instances go to one number;
     * NULL: they do not, or there is one lane */
    double *sums;
} lv_scatter;

/* A kernel's contributions that are evaluated together. */
typedef struct lv_plan_part {
    const lv_kernel *kernel;
    const lv_graph *graph; /* one of the plan's */
    lv_program *program;
    int lanes;      /* 1 or LV_LANES */
    int blocks;     /* of `lanes` instances */
    int local;      /* coordinates of an instance */
    int first_rate; /* of its constraints among those of either kind */
    unsigned kinds; /* inputs it needs */
    bool paired; /* velocities at the start of a pair among them, as W beyond `local` */
    lv_table global;  /* [block][local][lane]: numbers of coordinates */
    lv_table tangent; /* the same for velocities, momenta and forces */
    /* of the first instance, in the model's list (model/turns.h) */
    const double *references;
    const double *inputs; /* values of the model's inputs (model/inputs.c) */
    double *workspace;
    int carried_blocks; /* 0: nothing is carried; 1: the same for all, it stays loaded */
    double *carried;    /* [block][carried][lane] */
    int scatter_count;
    lv_scatter *scatters;
} lv_plan_part;

/* The instance in a lane of a block; spare lanes of the last block repeat the last
 * one. */
static inline int lv_plan_instance(const lv_plan_part *p, int block, int lane)
{
    int instance = block * p->lanes + lane;
    return instance < p->kernel->instance_count ? instance
                                                : p->kernel->instance_count - 1;
}

struct lv_plan {
    const lv_model *model;
    lv_arena arena;
    lv_wanted wanted;
    LV_ARRAY(lv_plan_part) constant; /* run once, into `base` */
    LV_ARRAY(lv_plan_part) varying;
    LV_ARRAY(lv_graph *) graphs; /* formulas of the parts, one for each kernel */
    lv_code *code; /* of the programs of `varying`; NULL: they are interpreted */
    lv_pattern pattern[LV_QUANTITIES];
    int size[LV_QUANTITIES];
    unsigned depends[LV_QUANTITIES]; /* kinds of inputs */
    /* every number has at most one varying contribution and then no other: it is stored,
     * not added */
    bool once[LV_QUANTITIES];
    int reset_count; /* quantities to begin from `base` at every evaluation */
    lv_quantity reset[LV_QUANTITIES];
    double *base[LV_QUANTITIES];   /* what does not depend on the point */
    double *own[LV_QUANTITIES];    /* the plan's storage */
    double *result[LV_QUANTITIES]; /* where results go: own, or a caller's */
};

/* Decides where the results of a wanted quantity go, all parts being there, and makes
 * room for them. */
lv_status lv_plan_place(lv_plan *plan, lv_quantity quantity, lv_error *err);

/* Loads constants and parameters and runs the segments that need nothing else. */
void lv_plan_part_refresh(lv_plan_part *part, const double *parameters);

/* Evaluates all blocks and adds the results to result[quantity], or stores them where
 * nothing else goes there. */
void lv_plan_part_run(lv_plan_part *part, const lv_point *point,
                      double *const result[LV_QUANTITIES]);

#endif
