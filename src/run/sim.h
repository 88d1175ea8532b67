/* The inner structure of a simulation, and its steps without events. */
#ifndef LV_RUN_SIM_H
#define LV_RUN_SIM_H

#include <livens/sim.h>
#include <livens/view.h>

#include "run/balance.h"
#include "run/body_axes.h"
#include "run/changes.h"
#include "run/event_state.h"
#include "scheme/compose.h"

struct lv_sim {
    const lv_model *model;
    /* a copy with other values of parameters; NULL: the caller's model is used */
    lv_model *own_model;
    lv_system *system;
    const lv_scheme *scheme;
    lv_scheme_options options; /* completed with defaults */
    /* equal for simulations that can continue from each other's states (lv_sim_kind) */
    double kind;
    void *work;
    lv_arena arena;
    lv_arena home; /* holds the state, whose addresses never change */
    lv_state state;
    lv_start_change start_change;
    double *saved;  /* q, v, p before a composed step */
    double saved_t; /* time before the composed step */
    double saved_h; /* size of the last step if it was composed; otherwise 0 */
    double h;
    double start_time; /* t = start_time + steps * h */
    long long steps;   /* number of steps since start_time */
    /* number of substeps of a composed step; 1: steps are not composed */
    int weight_count;
    double weights[LV_COMPOSE_MOST];
    int iterations;
    bool stagnated;   /* corrections of the last step ended as amplified rounding */
    lv_turned turned; /* how far bodies turned in the last step */
    lv_body_axes axes;
    int order;
    lv_balance balance;
    lv_events events;
    lv_changes changes;
    bool is_run;     /* it belongs to a run, which refers to its system */
    bool renewable;  /* it may be reused for a model with other numbers */
    bool dense;      /* the start of every step is kept in `before`, as for the balance */
    lv_state before; /* state at the start of the last step */
    double last_h;   /* size of the last step; 0 before the first */
    struct lv_asker *asker; /* for questions (asker.h) */
    /* plan of the outputs of an earlier run, for the next run; NULL: there is none, or a
     * run uses it */
    lv_plan *outputs;
    lv_viewer *viewer; /* draws the model (view.c); NULL until needed */
    /* storage for old values of an input, velocities and momenta, while an input
     * changes */
    double *old_input;
    double *sample; /* storage for a sample (q, v, p) or an indicator, which needs more */
};

/* lv_scheme_choose and lv_scheme_fits. An error points to the model's file if the value
 * is set in [run] (run_section.c). */
lv_status lv_sim_choose(const lv_scheme **scheme, const lv_model *model,
                        const lv_sim_options *options, lv_error *err);
lv_status lv_sim_fits(const lv_scheme *scheme, const lv_system *system,
                      const lv_sim_options *options, lv_error *err);

/* lv_sim_create that begins at the state of another simulation; from = NULL: at the start
 * of the model. */
lv_status lv_sim_create_from(lv_sim **sim, const lv_model *model,
                             const lv_sim_options *options, const lv_sim *from,
                             lv_error *err);

/* lv_sim_create for a simulation that can be reused after it has ended, for a model that
 * differs from its own only in numbers (renew.c). lv_sim_renew copies the numbers of
 * `from` to the model of the simulation, which nobody else may use, and leaves the
 * simulation as if it had been created for them. false: a new simulation would differ in
 * more than numbers, this cannot be decided, or its creation would have failed; the
 * simulation must then be freed. */
lv_status lv_sim_create_renewable(lv_sim **sim, const lv_model *model,
                                  const lv_sim_options *options, lv_error *err);
bool lv_sim_renew(lv_sim *sim, const lv_model *from, const lv_sim_options *options);

/* Sets the state to the start of the model. */
lv_status lv_sim_start(lv_sim *sim, const lv_sim_options *options, lv_error *err);

/* Takes the state of a simulation of the same model with other values of parameters
 * (parameter.c). */
lv_status lv_sim_take_over(lv_sim *sim, const lv_sim *from, lv_error *err);

/* Fails with the message that the model has no input with this name, and lists its inputs
 * (inputs.c). */
lv_status lv_sim_unknown_input(const lv_model *model, const char *name, lv_error *err);

/* A number computed from model, scheme, options and step (saved.c). */
double lv_sim_kind(const lv_sim *sim);

/* The complete state as numbers (saved.c): their count, writing, a check that a
 * simulation of this kind can have written them, and reading, which drops everything
 * known from the last step. */
int lv_sim_number_count(const lv_sim *sim);
void lv_sim_write_numbers(const lv_sim *sim, double *numbers);
bool lv_sim_numbers_are_sound(const lv_sim *sim, const double *numbers);
void lv_sim_read_numbers(lv_sim *sim, const double *numbers);

/* The last step in the form that dense output needs; there must have been a step, and
 * sim->dense must be set. */
lv_slopes lv_sim_slopes(const lv_sim *sim);

/* The work done until a time inside of the last step, by name, from the states that
 * lv_sim_sample gives. */
lv_status lv_sim_sample_work(lv_sim *sim, double t, double *work, lv_error *err);

/* Notes in sim->turned how far bodies turned in the last step, of size h, if the stepper
 * has not done so. */
void lv_sim_note_turns(lv_sim *sim, double h);

/* Takes one step of another size than the simulation's own, such as the last one of a
 * run. */
lv_status lv_sim_step_by(lv_sim *sim, double h, lv_error *err);

/* The number of steps of size h from t to `until`; the last one has the size *last. At
 * most LV_SIM_STEPS, because more steps could not be distinguished. */
#define LV_SIM_STEPS 1000000000000000LL
long long lv_sim_plan_steps(double t, double until, double h, double *last);

#endif
