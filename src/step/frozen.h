/* Multipliers that are frozen at zero while the equations of a step are solved.
 *
 * Gradients that depend on each other where the constraints hold may be independent elsewhere, and the
 * equations of a step look elsewhere: while they are solved, and at points between the nodes. There dependent
 * constraints look like independent ones with nearly parallel gradients, and their multipliers grow beyond
 * bounds. So the rank is judged where a step begins, from G(q0), or, in schemes whose nodes are not on the
 * constraints, where the last step satisfied them: multipliers of constraints that depend on others there are frozen at zero and their equations left out. If they agree with the others they hold all the
 * same; whether they do is to be tested before a step is accepted (system/agreement.h). Multipliers that
 * are reported are those of least norm, which do not depend on which were frozen.
 *
 * The choice is made once and stays, for as long as three things say that it is good: the pivots of the step do not
 * shrink, the constraints that were left out hold to rounding, and no configuration is known where fewer constraints
 * depend on others. Otherwise the gradients are judged again. The choice is part of the memory of a simulation, so
 * that a run that is resumed takes the same steps.
 *
 * Programs of steps (step/fused.h) of models that begin with dependent constraints take the choice as inputs, a factor
 * for every constraint. They make the steps that keep the choice of an earlier one. */
#ifndef LV_STEP_FROZEN_H
#define LV_STEP_FROZEN_H

#include "step/state.h"

/* Holonomic constraints of which a program of steps leaves some out, and where it checks them. */
typedef struct lv_rows_left_out {
    double *taken; /* 0 for those that are left out, 1 for others; NULL: none ever are */
    const double *q,
        *v; /* what the state becomes; v is NULL where rates are not checked */
} lv_rows_left_out;

typedef enum lv_frozen_rank {
    LV_RANK_UNKNOWN,
    LV_RANK_FULL,
    LV_RANK_DEFICIENT
} lv_frozen_rank;

typedef struct lv_frozen {
    lv_system *system;
    lv_frozen_rank rank; /* judged once, at the first step */
    int count;           /* how many are frozen in this step, */
    bool *rows;          /* and which constraints */
    bool fresh;          /* they were chosen where this step begins */
    double *taken;       /* of each constraint: 0 if it is frozen, else 1 */
    bool *expected;      /* those that depend on others where the model begins, */
    int expected_count;  /* so many */
    double *recalled;    /* the choice in the memory that `rows` has; */
    int recalled_count;  /* so many rows; -1: it has none of them */
    bool *all;           /* that every row is left out */
    bool *before;        /* rows of an earlier choice */
    lv_plan *plan;       /* evaluates the gradients */
    const lv_pattern *g;
    double *memory;    /* of the stepper: the choice */
    double *gradients; /* of the last judgement, */
    int look;          /* of the dependence, that it was made by */
    bool keeps;        /* constraints do not hold at the ends of steps: */
    double *kept; /* the point at which the last step satisfied them, in the memory */
} lv_frozen;

/* plan: evaluates at least LV_Q_JACOBIAN, borrowed; NULL for a system without holonomic constraints. */
lv_status lv_frozen_init(lv_frozen *frozen, lv_system *system, lv_plan *plan,
                         lv_arena *arena, lv_error *err);

/* Numbers that are remembered from step to step; puts them there, and returns what is behind them. */
int lv_frozen_memory_size(const lv_frozen *frozen);
double *lv_frozen_place(lv_frozen *frozen, double *memory);

/* Finds the rows that depend on others where the model begins; once more, for other numbers: are they the same? The last
 * function returns them; NULL: there are none. */
void lv_frozen_expect(lv_frozen *frozen);
bool lv_frozen_expect_same(lv_frozen *frozen);

static inline const bool *lv_frozen_expected(const lv_frozen *frozen)
{
    return frozen->expected_count > 0 ? frozen->expected : NULL;
}

/* The state was changed from outside. */
void lv_frozen_forget(lv_frozen *frozen);

/* The rank is full, or was at the first step: none are frozen. What becomes dependent on the way is solved in
 * the least-norm sense. */
static inline bool lv_frozen_none(const lv_frozen *frozen)
{
    return frozen->rank == LV_RANK_FULL || frozen->system->m == 0;
}

/* Can a program make the step? One that leaves rows out follows the choice of an earlier step; others leave none out. None
 * keeps where constraints hold. */
static inline bool lv_frozen_allows_program(const lv_frozen *frozen)
{
    const bool fits = frozen->expected_count > 0 ? frozen->count > 0 && !frozen->fresh
                                                 : frozen->count == 0;
    return fits && (lv_frozen_none(frozen) || !frozen->keeps);
}

/* Will programs be allowed to make the next step, and all that follow unless they refuse? `taken` is then that of the
 * next step. */
bool lv_frozen_is_settled(lv_frozen *frozen);

/* A step was taken that satisfies the constraints at this point last. */
void lv_frozen_keep(lv_frozen *frozen, double t, const double *q);

/* A step begins. */
void lv_frozen_look(lv_frozen *frozen, const lv_state *from);

static inline void lv_frozen_find(lv_frozen *frozen, const lv_state *from)
{
    frozen->count = 0;
    if (!lv_frozen_none(frozen))
        lv_frozen_look(frozen, from);
}

/* The step failed: are others to be frozen than those of an earlier choice? They then are. */
bool lv_frozen_choose_again(lv_frozen *frozen, const lv_state *from);

/* The step was accepted: its choice is remembered, or, if it is `doubtful`, made anew in the next one. at_end: how many
 * constraints depend on others where the step ends, or more. */
void lv_frozen_remember(lv_frozen *frozen, bool doubtful, int at_end);

/* Multipliers with the same forces at a state: zero for those that are frozen in the step that begins there; of least
 * norm. */
void lv_frozen_set_zero(lv_frozen *frozen, const lv_state *at, double *y);
void lv_frozen_release(lv_frozen *frozen, const lv_state *at, double *y);

#endif
