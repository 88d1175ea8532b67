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

/* *program stays NULL where the system is large, or has angles that count turns. */
lv_status lv_watch_program_create(lv_watch_program **program, lv_system *system,
                                  lv_error *err);
void lv_watch_program_free(lv_watch_program *program); /* NULL allowed */

/* Numbers of the model have changed (model/alike.h). */
void lv_watch_program_renew(lv_watch_program *program);

void lv_watch_program_run(const lv_watch_program *program, lv_watch *watch,
                          const lv_point *at, const double *p);

/* For programs of several systems at once (system/watch_lanes.h): the program, a workspace with the numbers that the
 * motion does not change, the output of the first map. */
const lv_program *lv_watch_program_of(const lv_watch_program *program);
const double *lv_watch_program_workspace(const lv_watch_program *program);
int lv_watch_program_maps(const lv_watch_program *program);

#endif
