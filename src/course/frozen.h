/* Multipliers that are frozen at zero while the equations of a step are solved.
 *
 * Gradients that depend on each other where the constraints hold may be independent
 * elsewhere, and a step evaluates them elsewhere: during Newton's iteration, and at
 * points between the nodes. There dependent constraints look like independent ones with
 * nearly parallel gradients, and their multipliers diverge. So the rank is judged from
 * G(q0) at the start of a step or, in schemes whose nodes do not satisfy the
 * constraints, at the point where the last step did. Multipliers of constraints that
 * depend on others there are frozen at zero, and their equations are left out. If these
 * constraints are consistent with the others they hold all the same; that must be
 * checked before the step is accepted (system/agreement.h). Reported multipliers are
 * those of least norm, which do not depend on the choice of the frozen ones.
 *
 * The choice is made once and kept as long as three conditions hold: the pivots of the
 * step do not shrink, the constraints that were left out hold to rounding, and no
 * configuration is known in which fewer constraints depend on others. Otherwise the
 * gradients are judged again. The choice is part of the memory of a simulation, so a
 * resumed run takes the same steps.
 *
 * Programs of steps (fused/fused.h) of models that start with dependent constraints take
 * the choice as an input: one factor per constraint row. They take the steps that keep
 * the choice of an earlier step. */
#ifndef LV_COURSE_FROZEN_H
#define LV_COURSE_FROZEN_H

#include "course/state.h"

/* Rows of holonomic constraints that a program leaves out, and where it checks them. */
typedef struct lv_rows_left_out {
    /* for each row: 0 if it is left out, else 1; NULL: none are ever left out */
    double *taken;
    /* q and v at the end of the step; v is NULL if rates are not checked */
    const double *q, *v;
} lv_rows_left_out;

typedef enum lv_frozen_rank {
    LV_RANK_UNKNOWN,
    LV_RANK_FULL,
    LV_RANK_DEFICIENT
} lv_frozen_rank;

typedef struct lv_frozen {
    lv_system *system;
    lv_frozen_rank rank; /* judged once, at the first step */
    int count;           /* number of multipliers that are frozen in this step */
    bool *rows;          /* for each row: it is frozen */
    bool fresh;          /* the choice was made in this step */
    double *taken;       /* for each row: 0 if it is frozen, else 1 */
    /* for each row: it depends on others at the start of the model */
    bool *expected;
    int expected_count; /* number of such rows */
    /* copy of the choice in the memory from which `rows` was read */
    double *recalled;
    /* number of rows of that choice; -1: `rows` is not from the memory */
    int recalled_count;
    bool *all;     /* for each row: true; a choice that leaves out every row */
    bool *before;  /* rows of an earlier choice, for comparison */
    lv_plan *plan; /* evaluates the gradients, borrowed; NULL: there are none */
    const lv_pattern *g;
    double *memory;    /* where the memory of the stepper has the choice */
    double *gradients; /* gradients that were judged last */
    int look;          /* lv_dependence_looks after that judgement; 0: there was none */
    /* constraints do not hold at the ends of steps, so `kept` is used */
    bool keeps;
    /* where the memory of the stepper has the point at which the last step satisfied
     * them */
    double *kept;
} lv_frozen;

/* plan: evaluates at least LV_Q_JACOBIAN, borrowed; NULL for a system without holonomic
 * constraints. The arrays are allocated in the arena. */
lv_status lv_frozen_init(lv_frozen *frozen, lv_system *system, lv_plan *plan,
                         lv_arena *arena, lv_error *err);

/* The number of doubles in the memory of the stepper, and their placement there; place
 * returns the address behind them. */
int lv_frozen_memory_size(const lv_frozen *frozen);
double *lv_frozen_place(lv_frozen *frozen, double *memory);

/* Expect finds the rows that depend on others at the start of the model. Expect same
 * does so again for other numbers and returns whether the rows are the same. Expected
 * returns them; NULL: there are none. */
void lv_frozen_expect(lv_frozen *frozen);
bool lv_frozen_expect_same(lv_frozen *frozen);

static inline const bool *lv_frozen_expected(const lv_frozen *frozen)
{
    return frozen->expected_count > 0 ? frozen->expected : NULL;
}

/* Call after the state was changed from outside: the rank is judged again. */
void lv_frozen_forget(lv_frozen *frozen);

/* Whether no multipliers are frozen because the rank is full, judged at the first step.
 * Constraints that become dependent later are solved in the least-norm sense. */
static inline bool lv_frozen_none(const lv_frozen *frozen)
{
    return frozen->rank == LV_RANK_FULL || frozen->system->m == 0;
}

/* Whether a program can take the step. A program that leaves out rows needs the choice
 * of an earlier step; other programs leave out none. No program updates `kept`. */
static inline bool lv_frozen_allows_program(const lv_frozen *frozen)
{
    const bool fits = frozen->expected_count > 0 ? frozen->count > 0 && !frozen->fresh
                                                 : frozen->count == 0;
    return fits && (lv_frozen_none(frozen) || !frozen->keeps);
}

/* Whether programs can take the next step, and all further ones until one fails. `taken`
 * then is that of the next step. */
bool lv_frozen_is_settled(lv_frozen *frozen);

/* Call after a step with the last point at which it satisfied the constraints. */
void lv_frozen_keep(lv_frozen *frozen, double t, const double *q);

/* Judges the rank if it is unknown, then finds the choice of the step that begins.
 * Usually called by lv_frozen_find. */
void lv_frozen_look(lv_frozen *frozen, const lv_state *from);

static inline void lv_frozen_find(lv_frozen *frozen, const lv_state *from)
{
    frozen->count = 0;
    if (!lv_frozen_none(frozen))
        lv_frozen_look(frozen, from);
}

/* Call after a step that failed or is doubtful. If it used the choice of an earlier
 * step, chooses again and returns whether the choice has changed; otherwise returns
 * false. */
bool lv_frozen_choose_again(lv_frozen *frozen, const lv_state *from);

/* Call after an accepted step. Its choice is remembered or, if it is doubtful, made
 * again in the next step. at_end: an upper bound on the number of constraints that
 * depend on others at the end of the step. */
void lv_frozen_remember(lv_frozen *frozen, bool doubtful, int at_end);

/* Change multipliers without changing their forces at a state. Set zero: those that are
 * frozen in the step that begins there become zero. Release: they become those of least
 * norm. */
void lv_frozen_set_zero(lv_frozen *frozen, const lv_state *at, double *y);
void lv_frozen_release(lv_frozen *frozen, const lv_state *at, double *y);

#endif
