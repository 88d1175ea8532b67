/* Where energy comes from and goes to: the work of forces, of constraints that move, and of energies that depend on
 * time, and of events that change velocities, by name, and what the balance E - E0 - (sum of the work) leaves.
 *
 * The power of each (system/plan_power.c) is integrated with the stages of the scheme and their weights, as a further
 * unknown of the equations would be: work has the order of the scheme. Schemes without stages of their own are of
 * order 2 at most, and the trapezoidal rule on the nodes is enough for them. */
#ifndef LV_RUN_BALANCE_H
#define LV_RUN_BALANCE_H

#include "scheme/scheme.h"

typedef struct lv_balance {
    lv_system *system;
    lv_plan *power; /* NULL: nothing does work */
    int count;      /* names under which work is done; 0: none */
    const char **names;
    int *name_of; /* of each kernel of the model, -1: none; then of each of its inputs */
    bool reacts;  /* constraints are among them: multipliers are needed */
    double *lambda; /* room for these */
    double *rate;   /* powers by name, where they were evaluated last */
    /* What belongs to the state of a simulation, and to its checkpoints. */
    double *numbers;
    int number_count;
    double *start; /* the energy when it began; then whether `node` is known */
    double *work;  /* done so far */
    double *node;  /* powers at the current node, for schemes without stages */
    double *saved; /* the numbers before the last step */
} lv_balance;

lv_status lv_balance_init(lv_balance *balance, lv_system *system, lv_arena *arena,
                          lv_error *err);
void lv_balance_done(lv_balance *balance);

/* Work counts from this state on. */
void lv_balance_begin(lv_balance *balance, const lv_state *state);

/* Keeps the numbers at the start of a step; goes back to them. */
void lv_balance_keep(lv_balance *balance);
void lv_balance_restore(lv_balance *balance);

/* The work that changing an input of the model has done, and that powers have to be evaluated anew. */
void lv_balance_change_input(lv_balance *balance, int input, double work);

/* A step, or a substep, of size h from one state to another one has been taken. */
void lv_balance_step(lv_balance *balance, const lv_scheme *scheme, void *work,
                     const lv_state *before, const lv_state *after, double h);

/* The powers by name at a point; NAN where constraints do work and their multipliers cannot be computed. */
const double *lv_balance_power(lv_balance *balance, double t, const double *q,
                               const double *v);

/* An event of this name has changed the energy. */
void lv_balance_jump(lv_balance *balance, const char *name, double energy);

/* E - E0 - sum of the work */
double lv_balance_rest(const lv_balance *balance, double energy, const double *work);

#endif
