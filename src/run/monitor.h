/* The monitor watches during a run what the scheme should keep. Its numbers are part of a
 * checkpoint; run/verdict.h interprets them. */
#ifndef LV_RUN_MONITOR_H
#define LV_RUN_MONITOR_H

#include <livens/run.h>

#include "expr/program.h"
#include "run/sim.h"
#include "system/determined.h"

/* Levels of constraints: g, dg/dt of the same constraints, and nonholonomic ones. */
enum { LV_LEVEL_POSITION, LV_LEVEL_VELOCITY, LV_LEVEL_NONHOLONOMIC, LV_LEVELS };

/* For the residual that was largest relative to its limit (system/consistent.h; 0: none
 * was examined): the residual, its limit, the constraint row and the time. */
enum { LV_STRAY_RESIDUAL, LV_STRAY_LIMIT, LV_STRAY_ROW, LV_STRAY_TIME, LV_STRAY_NUMBERS };

/* Factors of these limits relative to those for starts that people write. */
extern const double lv_level_shares[LV_LEVELS];

/* Growth of a size: the largest size; steps seen; the step of the next mark; the largest
 * sizes until the mark before last and the last mark, and the times of both. Once the
 * size exceeds a limit times that at the mark before last: this earlier size, its time,
 * and the time of the excess. */
enum {
    LV_GROWTH_LARGEST,
    LV_GROWTH_STEPS,
    LV_GROWTH_MARK,
    LV_GROWTH_BEFORE,
    LV_GROWTH_LAST,
    LV_GROWTH_BEFORE_TIME,
    LV_GROWTH_LAST_TIME,
    LV_GROWTH_FROM,
    LV_GROWTH_FROM_TIME,
    LV_GROWTH_TIME,
    LV_GROWTH_NUMBERS
};

/* A motion that grows like a power of time, as a fall does, grows little between half of
 * the time and the whole; growth by this factor is a runaway. */
#define LV_GROWTH_LIMIT 1e6

/* The same for rates of constraints that a scheme does not keep: they do not grow, except
 * with the speeds. */
#define LV_RATES_LIMIT 1e2

/* Recorded rows whose multipliers are rounding (system/determined.h): their number, the
 * time of the first, the number of constraints that took part and the first of these. The
 * same for steps whose corrections ended as amplified rounding. */
enum {
    LV_LOST_COUNT,
    LV_LOST_TIME,
    LV_LOST_PARTS,
    LV_LOST_ROWS,
    LV_LOST_NUMBERS = LV_LOST_ROWS + LV_NEAR_SHOWN
};

/* The largest angle by which a body has turned in a step, the other members of lv_turned,
 * and the time. */
enum {
    LV_TURNED_ANGLE,
    LV_TURNED_DOUBTFUL,
    LV_TURNED_ADVICE,
    LV_TURNED_COORDINATE,
    LV_TURNED_TIME,
    LV_TURNED_NUMBERS
};

/* A step in which the energy changed far more than in all steps before: the largest
 * deviation until then, that at its end, and the time (0, 0: there is none); the number of
 * constraints that are nearly dependent there, and the first of them. */
enum {
    LV_LEAP_BEFORE,
    LV_LEAP_AFTER,
    LV_LEAP_TIME,
    LV_LEAP_PARTS,
    LV_LEAP_ROWS,
    LV_LEAP_NUMBERS = LV_LEAP_ROWS + LV_NEAR_SHOWN
};

/* Steps at whose end a dissipation feeds energy: their number, and the time of the
 * first. */
enum { LV_FEEDING_COUNT, LV_FEEDING_TIME, LV_FEEDING_NUMBERS };

/* Steps at which the monitor will look together, in lanes. */
typedef struct lv_waiting_steps {
    struct lv_watch_lanes *lanes; /* their states; NULL: no step waits */
    int count;
    int passes[LV_LANES];
    long long steps[LV_LANES]; /* sim->steps */
    double *state;             /* storage for q, v and p */
    bool ahead; /* lanes have seen steps that the program of the monitor has not */
} lv_waiting_steps;

typedef struct lv_monitor {
    lv_sim *sim;
    lv_claims claims;
    int maps;
    /* The members down to `jumped` point into `numbers`, in this order. */
    double *numbers;
    int count;
    double *energy;   /* initial, final, largest deviation */
    double *balance;  /* the same for E - E0 - work; NULL: nothing does work */
    double *residual; /* largest |g|, |dg/dt|, |Phi| */
    double *lag;      /* of carried multipliers: largest difference, largest multiplier */
    double *newton;   /* sum and maximum of the passes */
    /* |p - L_v(q, v)| now, relative to the largest |p| so far; the largest such value and
     * its time; the largest |p| */
    double *legendre;
    double *stray;  /* LV_STRAY_NUMBERS for every level, if it is claimed to be exact */
    double *limits; /* of |g|, when they were computed last; NULL: not claimed */
    double *rate_limits; /* the same for dg/dt and nonholonomic constraints */
    double *growth;      /* of energies (lv_watch.size) */
    /* the same for dg/dt, if velocities are the scheme's own and dg/dt = 0 is not
     * claimed */
    double *rates;
    double *leap;   /* LV_LEAP_NUMBERS */
    double *lost;   /* LV_LOST_NUMBERS of multipliers, then of steps */
    double *turned; /* LV_TURNED_NUMBERS */
    /* outputs that are not finite (run/outputs.h); NULL: there are no outputs */
    double *outputs;
    double *feeding; /* LV_FEEDING_NUMBERS of every dissipation; NULL: there are none */
    double *levers;  /* largest sum of |p| times max(1, |q|) */
    /* initial, final, largest deviation of the scheme's invariant; NULL: it has none */
    double *invariant;
    double *momentum; /* initial, final, largest deviation of each map */
    double *jumped; /* change of each map by events; NULL: no event changes velocities */
    double least_limit[LV_LEVELS]; /* smallest limit of each level; 0: not known */
    lv_watch now;                  /* values at the last node */
    /* the program that looks at steps at which nothing is unusual; NULL: there is none */
    lv_watch_program *comparer;
    long long until; /* the program looks at steps before this one (like sim->steps) */
    bool ahead; /* the program has seen steps that `numbers` and `now` do not include */
    lv_waiting_steps waiting;
    int overshot;   /* steps that were taken after the one whose energy is not finite */
    double *lambda; /* storage for multipliers, if a scheme carries some */
    double *p;      /* momenta of the velocities, if these are the scheme's own */
    bool thorough;
} lv_monitor;

lv_status lv_monitor_init(lv_monitor *monitor, lv_sim *sim, lv_arena *arena,
                          lv_error *err);

/* The same for certificates: it also examines rates of constraints that are claimed for
 * the velocities of the momenta, which takes a solution with the mass matrix at every
 * node. */
lv_status lv_monitor_init_thorough(lv_monitor *monitor, lv_sim *sim, lv_arena *arena,
                                   lv_error *err);

/* The number of rows of a level; *first is the first of them. */
int lv_monitor_level(const lv_monitor *monitor, int level, int *first);

/* The LV_STRAY_NUMBERS of a level; NULL: it is not claimed, or cannot be judged. */
const double *lv_monitor_stray(const lv_monitor *monitor, int level);

/* From now on one program makes most looks, if there can be one. The numbers are then
 * complete only after lv_monitor_settle. */
lv_status lv_monitor_hasten(lv_monitor *monitor, lv_error *err);

/* Examines the current state; `first` sets the initial values. */
void lv_monitor_look(lv_monitor *monitor, bool first);

/* Lets lv_monitor_look_later collect states, and examine eight of them together, if there
 * are enough steps to come. Parameters, inputs and the step size must not change. */
lv_status lv_monitor_look_in_lanes(lv_monitor *monitor, long long steps, lv_arena *arena,
                                   lv_error *err);

/* Examines the current state now, or together with later ones. All numbers are complete
 * after lv_monitor_settle. If the energy turns out not to be finite at a step, the
 * simulation is taken back to its end, and `overshot` is how many steps are taken back. */
void lv_monitor_look_later(lv_monitor *monitor);

/* Call after the program of the monitor (lv_monitor.comparer) has looked at steps in a
 * lane (system/watch_lanes.h): how many steps, the sum of their passes, and the most
 * passes of a step. */
void lv_monitor_follow(lv_monitor *monitor, long long steps, long long passes, int most);

/* Call after the numbers of the monitor were read from a file. */
void lv_monitor_restored(lv_monitor *monitor);

/* Completes the numbers of the monitor with everything that its program has seen. */
void lv_monitor_settle(lv_monitor *monitor);

/* The next step, counted like sim->steps, at which the monitor does more than compare
 * with what it has seen. */
long long lv_monitor_next_due(const lv_monitor *monitor);

/* The next such step after which it needs the memory of the stepper; LLONG_MAX: there is
 * none. */
long long lv_monitor_next_alone(const lv_monitor *monitor);

/* Call it after an event has changed the state: deviations do not include its effect. */
void lv_monitor_jump(lv_monitor *monitor);

/* Multipliers at a state that is about to be recorded; *lost: number of their
 * combinations that are only rounding. */
lv_status lv_monitor_multipliers(lv_monitor *monitor, double *lambda, double *lost,
                                 const lv_state *at, lv_error *err);

/* Whether nothing changes the energy of the model. */
bool lv_monitor_is_conservative(const lv_sim *sim);

/* Whether p and L_v(q, v) can differ in this run. */
bool lv_monitor_has_legendre(const lv_monitor *monitor);

/* Whether numbers from a file can be those of a monitor: checks counts and constraint
 * rows. */
bool lv_monitor_is_sound(const lv_monitor *monitor);

#endif
