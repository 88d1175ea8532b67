/* Watches what should be kept during a run. Its numbers are part of a checkpoint; what they mean is said
 * by run/verdict.h. */
#ifndef LV_RUN_MONITOR_H
#define LV_RUN_MONITOR_H

#include <livens/run.h>

#include "run/sim.h"
#include "system/determined.h"

/* Levels of constraints: g, dg/dt of the same, and nonholonomic ones. */
enum { LV_LEVEL_POSITION, LV_LEVEL_VELOCITY, LV_LEVEL_NONHOLONOMIC, LV_LEVELS };

/* The residual of a constraint that has been largest relative to its limit (system/consistent.h), 0: none was looked
 * at; the limit, whose it was, when. */
enum { LV_STRAY_RESIDUAL, LV_STRAY_LIMIT, LV_STRAY_ROW, LV_STRAY_TIME, LV_STRAY_NUMBERS };

/* What these limits count of those for starts that people write. */
extern const double lv_level_shares[LV_LEVELS];

/* What grows: the largest size, steps seen, steps at which the next mark is due, largest sizes until the
 * last two marks and when these were; and once the size has outgrown the earlier one: this one, its time,
 * and when it was outgrown. */
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

/* A motion that grows like a power of time, as a fall does, grows little between a half of it and the
 * whole; this much is a runaway. */
#define LV_GROWTH_LIMIT 1e6

/* Rates of constraints that a scheme does not keep are as large late as they are early, but for speeds. */
#define LV_RATES_LIMIT 1e2

/* Rows with multipliers that rounding decides (system/determined.h): how many, when first, how many constraints took part
 * then and the first of these; steps whose corrections ended as amplified rounding likewise. */
enum {
    LV_LOST_COUNT,
    LV_LOST_TIME,
    LV_LOST_PARTS,
    LV_LOST_ROWS,
    LV_LOST_NUMBERS = LV_LOST_ROWS + LV_NEAR_SHOWN
};

/* How far bodies on groups turned in a step: the largest angle, and what lv_turned says of it; when. */
enum {
    LV_TURNED_ANGLE,
    LV_TURNED_DOUBTFUL,
    LV_TURNED_BETTER,
    LV_TURNED_COORDINATE,
    LV_TURNED_TIME,
    LV_TURNED_NUMBERS
};

/* A dissipation that feeds energy at the end of steps: how many, and when first. */
enum { LV_FEEDING_COUNT, LV_FEEDING_TIME, LV_FEEDING_NUMBERS };

typedef struct lv_monitor {
    lv_sim *sim;
    lv_claims claims;
    int maps;
    /* Everything below lies in `numbers`, in this order. */
    double *numbers;
    int count;
    double *energy;   /* initial, final, largest deviation */
    double *balance;  /* likewise of E - E0 - work; NULL: nothing does work */
    double *residual; /* largest |g|, |dg/dt|, |Phi| */
    double *lag;      /* of carried multipliers: largest, and the largest multiplier */
    double *newton;   /* sum and largest of the iterations */
    double *
        legendre; /* |p - L_v(q, v)| now, relative to the last of these numbers, the largest |p| so
                        * far; the largest such value, and when it was */
    double *stray;       /* of every level, where it is claimed to be exact */
    double *limits;      /* of g, as they were when somebody looked; NULL: not claimed */
    double *rate_limits; /* likewise of dg/dt and of nonholonomic constraints */
    double *growth;      /* of energies, lv_watch.size */
    double *
        rates; /* likewise of dg/dt, where velocities are the scheme's own and it is not claimed */
    double *lost;      /* multipliers; then steps */
    double *turned;    /* bodies on groups */
    double *outputs;   /* that are not finite (run/outputs.h); NULL: there are none */
    double *feeding;   /* of every dissipation; NULL: there are none */
    double *levers;    /* largest sum of |p| times the larger of 1 and |q| */
    double *invariant; /* of the scheme, likewise; NULL: it has none */
    double *momentum;  /* initial, final, largest deviation of each map */
    double *jumped;    /* how much events have changed each map; NULL: none do */
    double least_limit[LV_LEVELS]; /* the smallest of each level; 0: not known */
    lv_watch now;                  /* the last node */
    lv_watch_program
        *comparer; /* looks at steps at which nothing is unusual; NULL: there is none */
    long long
        until;  /* the step, counted as those of the simulation, before which it does, */
    bool ahead; /* and whether it has seen more than `numbers` and `now` have */
    double *lambda; /* multipliers, where a scheme carries some */
    double *p;      /* momenta of the velocities, where these are a scheme's own */
    bool thorough;
} lv_monitor;

lv_status lv_monitor_init(lv_monitor *monitor, lv_sim *sim, lv_arena *arena,
                          lv_error *err);

/* The same for certificates: rates of constraints that are claimed of the velocities of the momenta are looked at as
 * well, which takes a solution with the mass matrix at every node. */
lv_status lv_monitor_init_thorough(lv_monitor *monitor, lv_sim *sim, lv_arena *arena,
                                   lv_error *err);

/* Rows of a level: the first, and how many. */
int lv_monitor_level(const lv_monitor *monitor, int level, int *first);

/* Numbers of a level, LV_STRAY_..., NULL: it is not claimed, or cannot be judged. */
const double *lv_monitor_stray(const lv_monitor *monitor, int level);

/* Most looks are one program from now on, if there can be one, and numbers are complete after lv_monitor_settle only. */
lv_status lv_monitor_hasten(lv_monitor *monitor, lv_error *err);

/* Looks at the current state; `first` sets the initial values. */
void lv_monitor_look(lv_monitor *monitor, bool first);

/* All that was seen is in the numbers of the monitor. */
void lv_monitor_settle(lv_monitor *monitor);

/* Does a look compare with what was seen before, and do no more, at most steps? */
bool lv_monitor_only_compares(const lv_monitor *monitor);

/* The next step, counted as those of the simulation, at which it does more than compare with what it has seen. */
long long lv_monitor_next_due(const lv_monitor *monitor);

/* Residuals of a level up to here are not held to their limits, but at steps that are due. */
double lv_monitor_bound(const lv_monitor *monitor, int level);

/* Sizes of energies up to here are no runaway. */
double lv_monitor_outgrown(const lv_monitor *monitor);

/* An event has changed the state since the last look: deviations count without what it did. */
void lv_monitor_jump(lv_monitor *monitor);

/* Multipliers at a state that is about to be recorded, and how many combinations of them rounding decides. */
lv_status lv_monitor_multipliers(lv_monitor *monitor, double *lambda, double *lost,
                                 const lv_state *at, lv_error *err);

/* Nothing changes the energy of the model. */
bool lv_monitor_is_conservative(const lv_sim *sim);

/* Can p and L_v(q, v) come apart in this run? */
bool lv_monitor_has_legendre(const lv_monitor *monitor);

/* Whether numbers that were read from a file can be those of a monitor: counts and constraint rows. */
bool lv_monitor_is_sound(const lv_monitor *monitor);

#endif
