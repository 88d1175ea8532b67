/* Columns and final values of bodies, joints, motors and rolling contacts
 * (model/shown.h). */
#ifndef LV_RUN_SHOWN_H
#define LV_RUN_SHOWN_H

#include <livens/run.h>

#include "model/shown.h"
#include "plan/plan.h"

enum { LV_SHOWN_KINDS = LV_SHOWN_ROLLING + 1 };

typedef struct lv_showcase {
    const lv_model *model;
    lv_plan *plan;                   /* NULL: the model has no such parts */
    unsigned needs;                  /* inputs that the plan depends on (LV_KIND) */
    int width[LV_SHOWN_KINDS];       /* number of columns of each kind */
    double *columns[LV_SHOWN_KINDS]; /* their values */
    /* The last quaternions of bodies in space: the next ones get the sign that is closer
     * to them. Zero before the first. They are part of a checkpoint. */
    double *quaternions;
    int quaternion_numbers;
} lv_showcase;

/* The references of the model must be those of the system that gives the states. */
lv_status lv_showcase_init(lv_showcase *showcase, const lv_model *model, lv_arena *arena,
                           lv_error *err);
void lv_showcase_done(lv_showcase *showcase);

/* Computes the values of all columns at a point. */
void lv_showcase_run(lv_showcase *showcase, const lv_point *point);

/* The name of a column of a kind, such as "top.quaternion[2]". */
const char *lv_showcase_label(const lv_model *model, lv_shown_kind kind, int k,
                              char *buffer, size_t size);

/* Visits the bodies one by one. Their columns are, in space, position (3), quaternion
 * (4), velocity (3), angular velocity (3); in the plane position (2), angle, velocity
 * (2), angular velocity. */
typedef void (*lv_body_visit)(void *user, const char *name, bool is_planar,
                              const double *columns);
void lv_showcase_visit_bodies(const lv_showcase *showcase, lv_body_visit visit,
                              void *user);

/* The values of the columns, part by part, in an arena. */
lv_status lv_showcase_results(const lv_showcase *showcase, lv_part_result **parts,
                              int *count, lv_arena *arena, lv_error *err);

#endif
