/* What is watched at a node as one program, for small systems: energies, the largest residuals and momentum maps, from
 * formulas that are compiled together. */
#ifndef LV_SYSTEM_WATCH_PROGRAM_H
#define LV_SYSTEM_WATCH_PROGRAM_H

#include "system/system.h"

/* Its outputs before those of constraints, rates and maps. */
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

/* What a program that compares is told: initial values, and bounds up to which nothing is unusual; the initial values of
 * momentum maps are behind these. */
enum {
    LV_GIVEN_ENERGY,
    LV_GIVEN_SIZE,
    LV_GIVEN_POSITION,
    LV_GIVEN_VELOCITY,
    LV_GIVEN_ROLLING,
    LV_GIVEN_SCALARS
};

/* The largest ones so far: the deviation of the energy, sizes, residuals, levers; deviations of momentum maps are behind
 * these. */
enum {
    LV_SEEN_ENERGY,
    LV_SEEN_SIZE,
    LV_SEEN_POSITION,
    LV_SEEN_VELOCITY,
    LV_SEEN_ROLLING,
    LV_SEEN_LEVER,
    LV_SEEN_SCALARS
};

/* *program stays NULL where the system is large, or has angles that count turns. compares: it also finds the largest of
 * what it has seen, step by step. */
lv_status lv_watch_program_create(lv_watch_program **program, lv_system *system,
                                  bool compares, lv_error *err);
void lv_watch_program_free(lv_watch_program *program); /* NULL allowed */

/* Numbers of the model have changed (model/alike.h). */
void lv_watch_program_renew(lv_watch_program *program);

void lv_watch_program_run(const lv_watch_program *program, lv_watch *watch, double t,
                          const double *q, const double *v, const double *p);

/* Programs that compare: inputs, to be set before the first look; then looks, which fail where something is beyond its
 * bound or not finite, and change nothing then. Afterwards what was seen, and the last node. */
double *lv_watch_program_given(const lv_watch_program *program);
double *lv_watch_program_seen(const lv_watch_program *program);
bool lv_watch_program_compare(const lv_watch_program *program, double t, const double *q,
                              const double *v, const double *p);
void lv_watch_program_show(const lv_watch_program *program, lv_watch *watch);

/* For programs of several systems at once (system/watch_lanes.h): the program, a workspace with the numbers that the
 * motion does not change, the output of the first map. */
const lv_program *lv_watch_program_of(const lv_watch_program *program);
const double *lv_watch_program_workspace(const lv_watch_program *program);
int lv_watch_program_maps(const lv_watch_program *program);

#endif
