/* One program that evaluates what is watched at a node of a small system: energies,
 * largest residuals and momentum maps. */
#ifndef LV_SYSTEM_WATCH_PROGRAM_H
#define LV_SYSTEM_WATCH_PROGRAM_H

#include "system/system.h"

/* The first outputs of the program; those of constraints, rates and momentum maps
 * follow. */
enum {
    LV_WATCHED_KINETIC,
    LV_WATCHED_POTENTIAL,
    LV_WATCHED_ENERGY,
    LV_WATCHED_SIZE,
    LV_WATCHED_POSITION,
    LV_WATCHED_VELOCITY,
    LV_WATCHED_ROLLING,
    LV_WATCHED_LEVER,
    LV_WATCHED_SCALARS
};

/* Inputs of a program that compares: initial values, and bounds up to which nothing is
 * unusual. The initial values of the momentum maps follow. */
enum {
    LV_GIVEN_ENERGY,
    LV_GIVEN_LEAP, /* bound of the deviation of the energy */
    LV_GIVEN_SIZE,
    LV_GIVEN_POSITION,
    LV_GIVEN_VELOCITY,
    LV_GIVEN_ROLLING,
    LV_GIVEN_SCALARS
};

/* Largest values so far: deviation of the energy, size, residuals, lever. The deviations
 * of the momentum maps follow. */
enum {
    LV_SEEN_ENERGY,
    LV_SEEN_SIZE,
    LV_SEEN_POSITION,
    LV_SEEN_VELOCITY,
    LV_SEEN_ROLLING,
    LV_SEEN_LEVER,
    LV_SEEN_SCALARS
};

/* Creates the program. *program is NULL if the system is too large, or has angles that
 * count turns. compares: the program also updates the largest values that it has seen. */
lv_status lv_watch_program_create(lv_watch_program **program, lv_system *system,
                                  bool compares, lv_error *err);
void lv_watch_program_free(lv_watch_program *program); /* NULL allowed */

/* Call after numbers of the model may have changed (model/alike.h). */
void lv_watch_program_renew(lv_watch_program *program);

void lv_watch_program_run(const lv_watch_program *program, lv_watch *watch, double t,
                          const double *q, const double *v, const double *p);

/* For programs that compare. `given` are inputs (LV_GIVEN_...), `seen` the largest
 * values so far (LV_SEEN_...); both must be set before the first comparison. Compare
 * returns false, and leaves `seen` unchanged, if something is beyond its bound or not
 * finite. Show returns the values at the last node. */
double *lv_watch_program_given(const lv_watch_program *program);
double *lv_watch_program_seen(const lv_watch_program *program);
bool lv_watch_program_compare(const lv_watch_program *program, double t, const double *q,
                              const double *v, const double *p);
void lv_watch_program_show(const lv_watch_program *program, lv_watch *watch);

/* Where a program that compares has its numbers, for several systems at once
 * (system/watch_lanes.h). */
typedef struct lv_compare_layout {
    const lv_program *program;
    double *workspace;    /* all slots of the program */
    int n;                /* coordinates; inputs Q are q, v and p */
    int seen, seen_count; /* slot of the first largest value, and how many there are */
    int becomes; /* number of the output that becomes the first largest value; the others
                  * follow */
    int unusual; /* number of the output that is the largest excess over a bound; behind it
                  * is a sum that is not finite if something is not */
} lv_compare_layout;

lv_compare_layout lv_watch_program_layout(const lv_watch_program *program);

#endif
