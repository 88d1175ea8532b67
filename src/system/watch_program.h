/* What is watched at a node as one program, for small systems: energies, the largest residuals and momentum maps, from
 * formulas that are compiled together. */
#ifndef LV_SYSTEM_WATCH_PROGRAM_H
#define LV_SYSTEM_WATCH_PROGRAM_H

#include "system/system.h"

/* *program stays NULL where the system is large, or has angles that count turns. */
lv_status lv_watch_program_create(lv_watch_program **program, lv_system *system,
                                  lv_error *err);
void lv_watch_program_free(lv_watch_program *program); /* NULL allowed */

void lv_watch_program_run(const lv_watch_program *program, lv_watch *watch,
                          const lv_point *at, const double *p);

#endif
