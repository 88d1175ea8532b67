/* Inside a simulation, and its steps without events. */
#ifndef LV_RUN_SIM_H
#define LV_RUN_SIM_H

#include <livens/sim.h>
#include <livens/view.h>

#include "run/balance.h"
#include "run/changes.h"
#include "run/event_state.h"
#include "scheme/compose.h"

struct lv_sim {
    const lv_model *model;
    lv_model
        *own_model; /* with other values of parameters than the caller's; NULL: none */
    lv_system *system;
    const lv_scheme *scheme;
    lv_scheme_options options; /* complete */
    double kind; /* the same for simulations that can go on from each other's states */
    void *work;
    lv_arena arena;
    lv_arena
        home; /* of the state, which stays where it is as long as the simulation lives */
    lv_state state;
    lv_start_change start_change;
    double *saved;  /* the state before a composed step: q, v, p, */
    double saved_t; /* and its time */
    double
        saved_h; /* the size of the composed step that was the last one; 0: there is none */
    double h;
    double start_time; /* t = start_time + steps * h */
    long long steps;   /* since start_time */
    int weight_count;  /* of the composition; 1: none */
    double weights[LV_COMPOSE_MOST];
    int iterations;
    bool stagnated;   /* corrections of the last step ended as amplified rounding */
    lv_turned turned; /* how far bodies on groups turned in it */
    int order;
    lv_balance balance;
    lv_events events;
    lv_changes changes;
    bool is_run;            /* others know its system */
    bool renewable;         /* it may be used again for other numbers */
    bool dense;             /* the start of every step is kept, as for the balance, */
    lv_state before;        /* here; */
    double last_h;          /* its size, 0 before there was one */
    struct lv_asker *asker; /* for questions (asker.h) */
    lv_plan *outputs; /* of a run before, for the next one; NULL: none, or a run has it */
    lv_viewer *viewer; /* made when it is first needed (view.c) */
    double *
        old_input; /* room for its values, and for velocities and momenta, while one changes */
    double *sample; /* room for one: q, v, p; or for an indicator, which takes more */
};

/* lv_scheme_choose and lv_scheme_fits: what is refused has a place in the model's file if it stands in
 * [run] (run_section.c). */
lv_status lv_sim_choose(const lv_scheme **scheme, const lv_model *model,
                        const lv_sim_options *options, lv_error *err);
lv_status lv_sim_fits(const lv_scheme *scheme, const lv_system *system,
                      const lv_sim_options *options, lv_error *err);

/* lv_sim_create that begins where another simulation stands; NULL: at the start of the model. */
lv_status lv_sim_create_from(lv_sim **sim, const lv_model *model,
                             const lv_sim_options *options, const lv_sim *from,
                             lv_error *err);

/* The same as lv_sim_create for a simulation that may be used again, when it has ended, for a model that differs from its
 * own in numbers only (renew.c). Its own model, which must be that of the simulation alone, gets the numbers of the other
 * one, and it is as it would have been created for them. false: it would have been another one, or that cannot be told,
 * or its creation would have failed; it is good for nothing any more then. */
lv_status lv_sim_create_renewable(lv_sim **sim, const lv_model *model,
                                  const lv_sim_options *options, lv_error *err);
bool lv_sim_renew(lv_sim *sim, const lv_model *from, const lv_sim_options *options);

/* The start of the model becomes its state. */
lv_status lv_sim_start(lv_sim *sim, const lv_sim_options *options, lv_error *err);

/* The state of a simulation of the same model with other values of parameters (parameter.c). */
lv_status lv_sim_take_over(lv_sim *sim, const lv_sim *from, lv_error *err);

/* Says that the model has no input of this name, and which it has (inputs.c). */
lv_status lv_sim_unknown_input(const lv_model *model, const char *name, lv_error *err);

/* A number made of model, scheme, options and step (saved.c). */
double lv_sim_kind(const lv_sim *sim);

/* The complete state as numbers (saved.c): so many; written; whether they are what a simulation of this kind can have
 * written; read, which leaves nothing known of the step before. */
int lv_sim_number_count(const lv_sim *sim);
void lv_sim_write_numbers(const lv_sim *sim, double *numbers);
bool lv_sim_numbers_are_sound(const lv_sim *sim, const double *numbers);
void lv_sim_read_numbers(lv_sim *sim, const double *numbers);

/* The last step as dense output needs it; there must have been one, and sim->dense. */
lv_slopes lv_sim_slopes(const lv_sim *sim);

/* The work done until a time within the last step, one number per name, from the states that lv_sim_sample gives. */
lv_status lv_sim_sample_work(lv_sim *sim, double t, double *work, lv_error *err);

/* One step of another size than the simulation's own; the last one of a run. */
lv_status lv_sim_step_by(lv_sim *sim, double h, lv_error *err);

/* Numbers of steps of size h from t to `until`, the last one shortened to `last`; at most
 * LV_SIM_STEPS, beyond which steps could no longer be told apart. */
#define LV_SIM_STEPS 1000000000000000LL
long long lv_sim_plan_steps(double t, double until, double h, double *last);

#endif
