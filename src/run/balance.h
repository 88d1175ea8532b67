/* The energy balance of a simulation: the work done, by name, by forces, moving
 * constraints, energies that depend on time and events that change velocities, and the
 * remainder E - E0 - (sum of the work).
 *
 * The power of each (plan/plan_power.c) is integrated over the stages of the scheme
 * with their weights, like a further unknown of the equations, so that work has the order
 * of the scheme. Schemes without stages have at most order 2, for which the trapezoidal
 * rule on the nodes is enough. */
#ifndef LV_RUN_BALANCE_H
#define LV_RUN_BALANCE_H

#include "scheme/scheme.h"

typedef struct lv_balance {
    lv_system *system;
    lv_plan *power; /* evaluates powers; NULL: nothing does work */
    int count;      /* number of names under which work is done; 0: none */
    const char **names;
    /* index of the name of each kernel of the model (-1: none), then of each input */
    int *name_of;
    bool reacts;    /* constraints do work, so that multipliers are needed */
    double *lambda; /* storage for multipliers */
    double *rate;   /* powers by name at the point that was evaluated last */
    /* Numbers that belong to the state of a simulation and to its checkpoints; the next
     * three members point into them. */
    double *numbers;
    int number_count;
    double *start; /* [0] energy at the beginning, [1] not 0: `node` is known */
    double *work;  /* work done so far, by name */
    double *node;  /* powers at the current node, for schemes without stages */
    double *saved; /* copy of the numbers before the last step */
} lv_balance;

lv_status lv_balance_init(lv_balance *balance, lv_system *system, lv_arena *arena,
                          lv_error *err);
void lv_balance_done(lv_balance *balance);

/* Starts counting work from this state. */
void lv_balance_begin(lv_balance *balance, const lv_state *state);

/* lv_balance_keep saves the numbers at the start of a step, lv_balance_restore goes back
 * to them. */
void lv_balance_keep(lv_balance *balance);
void lv_balance_restore(lv_balance *balance);

/* Adds the work that a change of an input has done; powers at the node must be evaluated
 * again. */
void lv_balance_change_input(lv_balance *balance, int input, double work);

/* Adds the work of a step, or a substep, of size h from one state to another. */
void lv_balance_step(lv_balance *balance, const lv_scheme *scheme, void *work,
                     const lv_state *before, const lv_state *after, double h);

/* The powers by name at a point; NAN if constraints do work and their multipliers cannot
 * be computed. */
const double *lv_balance_power(lv_balance *balance, double t, const double *q,
                               const double *v);

/* Adds the change of energy that an event with this name has made. */
void lv_balance_jump(lv_balance *balance, const char *name, double energy);

/* E - E0 - sum of the work */
double lv_balance_rest(const lv_balance *balance, double energy, const double *work);

#endif
