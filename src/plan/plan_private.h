/* The struct lv_plan, shared by plan_nodes.c (which formulas are computed), plan.c (how
 * they are grouped into parts), plan_places.c (where results are stored) and plan_run.c
 * (evaluation). */
#ifndef LV_PLAN_PLAN_PRIVATE_H
#define LV_PLAN_PLAN_PRIVATE_H

#include "expr/analyse.h"
#include "expr/code.h"
#include "plan/plan.h"

/* A node that contributes to a quantity, at local coordinate or row a and, for matrices,
 * at local coordinate b. */
typedef struct lv_contribution {
    lv_node node;
    lv_quantity quantity;
    int a, b;
} lv_contribution;

typedef LV_ARRAY(lv_contribution) lv_contribution_list;

/* Appends all contributions of a kernel to the wanted quantities, sorted by quantity.
 * They are nodes of `graph`, a copy of the kernel's graph that is extended here. */
lv_status lv_plan_contributions(lv_contribution_list *list, lv_graph *graph,
                                const lv_kernel *kernel, lv_wanted wanted, lv_error *err);

/* The same for quantities of pairs of states; appends nothing for other quantities. */
lv_status lv_plan_pair(lv_contribution_list *list, lv_graph *graph,
                       const lv_kernel *kernel, lv_quantity quantity, lv_error *err);

/* The same for the power of a kernel. */
lv_status lv_plan_power(lv_contribution_list *list, lv_graph *graph,
                        const lv_kernel *kernel, lv_quantity quantity, lv_error *err);

/* A slot whose index is first + i * stride for instance i. */
typedef struct lv_walk {
    int first, stride;
} lv_walk;

/* Indices for every block of instances, [block][slot][lane]. */
typedef struct lv_table {
    int *index;          /* [block][size] */
    int size;            /* slots times lanes */
    const lv_walk *walk; /* one per slot; NULL: no such rule */
    int stride;          /* of all slots; 0: they differ */
} lv_table;

/* Allocates `size` indices per block in the arena; returns false if there is no
 * memory. */
bool lv_plan_table_init(lv_table *table, lv_arena *arena, int blocks, int size);

/* Sets table->walk if the indices of every slot follow such a rule, as those of families
 * over one index do. All instances of the part must be in the table. */
struct lv_plan_part;
lv_status lv_plan_table_find_walk(lv_table *table, const struct lv_plan_part *part,
                                  lv_arena *arena, lv_error *err);

/* Outputs [first, first + count) of a part's program, which belong to one quantity. */
typedef struct lv_scatter {
    lv_quantity quantity;
    bool once; /* results are stored; otherwise they are added */
    int first, count;
    const int *a, *b; /* local coordinate or row of each output */
    lv_table to;      /* [block][output][lane]: indices of the results in the quantity */
    int list;         /* for lists: index of the kernel's first number */
    /* [output][lane]: sums over blocks, if all instances contribute to one number; NULL
     * if they do not, or if there is one lane */
    double *sums;
} lv_scatter;

/* Contributions of a kernel that are evaluated together. */
typedef struct lv_plan_part {
    const lv_kernel *kernel;
    const lv_graph *graph; /* owned by the plan */
    lv_program *program;
    int lanes;      /* 1 or LV_LANES */
    int blocks;     /* number of blocks of `lanes` instances */
    int local;      /* number of coordinates of an instance */
    int first_rate; /* number of its first constraint row among those of both kinds */
    unsigned kinds; /* kinds of inputs it needs */
    /* These include velocities at the start of a pair, as W beyond `local` */
    bool paired;
    lv_table global;  /* [block][local][lane]: numbers of coordinates */
    lv_table tangent; /* the same for velocities, momenta and forces */
    /* References of the first instance, in the model's list (model/turns.h) */
    const double *references;
    const double *inputs; /* values of the model's inputs (model/inputs.c) */
    double *workspace;
    /* 0: nothing is carried; 1: the carried numbers are the same for all blocks and stay
     * loaded */
    int carried_blocks;
    /* [block][carried][lane]: results that depend on parameters and instance numbers
     * only */
    double *carried;
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
    int edition; /* edition of the model for which `base` and carried numbers are */
    lv_arena arena;
    lv_wanted wanted;
    /* Parts that do not depend on the point: run once, into `base` */
    LV_ARRAY(lv_plan_part) constant;
    LV_ARRAY(lv_plan_part) varying;
    LV_ARRAY(lv_graph *) graphs; /* formulas of the parts, one graph per kernel; owned */
    /* Machine code of the programs of `varying`; NULL: they are interpreted */
    lv_code *code;
    lv_pattern pattern[LV_QUANTITIES];
    int size[LV_QUANTITIES];
    unsigned depends[LV_QUANTITIES]; /* kinds of inputs that the quantity depends on */
    /* Every number has either one varying contribution and no constant one, or no varying
     * one: it is stored, not added */
    bool once[LV_QUANTITIES];
    /* Number of quantities that are reset to `base` before every evaluation */
    int reset_count;
    lv_quantity reset[LV_QUANTITIES];
    double *base[LV_QUANTITIES]; /* the part that does not depend on the point */
    double *own[LV_QUANTITIES];  /* the plan's storage */
    /* Where results are written: `own`, or an array of a caller */
    double *result[LV_QUANTITIES];
};

/* Decides where the results of a wanted quantity are stored, and allocates the storage.
 * All parts must have been made. */
lv_status lv_plan_place(lv_plan *plan, lv_quantity quantity, lv_error *err);

/* Loads constants and parameters and runs the program segments that need nothing else. */
void lv_plan_part_refresh(lv_plan_part *part, const double *parameters);

/* Evaluates all blocks and adds the results to result[quantity], or stores them if
 * nothing else contributes to these numbers. */
void lv_plan_part_run(lv_plan_part *part, const lv_point *point,
                      double *const result[LV_QUANTITIES]);

#endif
