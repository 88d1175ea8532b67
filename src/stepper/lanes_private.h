/* The inner structure of lanes: the positions of the numbers of a stepper in the program
 * of its steps (lanes_map.c), and the storage of the lanes (lanes.c, lanes_step.c).
 * Numbers of the lanes are interleaved: number k of lane l is at [k * LV_LANES + l]. */
#ifndef LV_STEPPER_LANES_PRIVATE_H
#define LV_STEPPER_LANES_PRIVATE_H

#include "expr/code.h"
#include "expr/lanes.h"
#include "stepper/lanes.h"
#include "stepper/stepper_private.h"

#include <stdint.h>

/* A carried field (course/carried.h). */
typedef struct lv_lane_field {
    int size;
    int input; /* number of its first input Q of the program */
    /* number of the first output with its new value; -1: it does not change */
    int output;
    int memory;      /* index in the memory of the stepper; -1: it is in the state */
    size_t in_state; /* then the offset in lv_state of the pointer to it */
} lv_lane_field;

/* A quantity that is handed over: how many numbers it has, its first input Q and
 * output. */
typedef struct lv_lane_part {
    int count, input, output;
} lv_lane_part;

/* Quantities that a step hands over to the next one (lv_handover). Between steps they
 * are in the memory of the stepper, from index `memory` on. */
typedef struct lv_lane_handover {
    int memory, points, n; /* points, n: sizes of a position and of a velocity there */
    /* the carried fields at which the quantities are evaluated; v is -1 if they do not
     * depend on velocities */
    int q, v;
    bool of_time;
    double at; /* they are evaluated at time t + at h */
    int parts;
    lv_lane_part part[LV_QUANTITIES];
} lv_lane_handover;

/* A phase that is solved by Newton passes. */
typedef struct lv_lane_phase {
    int count;            /* number of unknowns */
    int guess;            /* first slot of the initial guess */
    int found;            /* number of the first output with the unknowns after a pass */
    int size, excess;     /* slots, as in lv_fused_pass */
    int memory;           /* index of its notes in the memory of the stepper */
    bool checks, adds_up; /* lv_solver.checks_solution, lv_newton.adds_up */
    double slow;          /* lv_newton.slow */
} lv_lane_phase;

typedef struct lv_lane_map {
    int memory_size; /* of the stepper */
    int fields, handovers, phases;
    lv_lane_field *field;
    lv_lane_handover *handover;
    lv_lane_phase *phase;
    int q, v, p; /* numbers of these carried fields in `field` */
    /* inputs that select the constraint rows (lv_frozen.taken): the first one and how
     * many; count 0: no row is ever left out */
    int taken, taken_count;
    int growth, sum, left_over; /* slots, as in lv_fused */
} lv_lane_map;

/* The program that takes the steps of a stepper; NULL: there is none. */
static inline lv_fused *lv_lane_fused(const lv_stepper *s)
{
    return s->programs.way[1] ? s->programs.way[1]->fused : NULL;
}

/* Makes the map. *made: the steps of this stepper can be taken in lanes. The arrays are
 * allocated in the arena. */
lv_status lv_lane_map_make(lv_lane_map *map, bool *made, const lv_stepper *stepper,
                           lv_arena *arena, lv_error *err);
bool lv_lane_map_is_like(const lv_lane_map *map, const lv_lane_map *other);

/* A flag, -1 for true: an extrapolation from `used` past values uses more than the
 * newest half of those that a predictor keeps. Probing steps never do. */
static inline int64_t lv_lane_is_far(int used, bool probing)
{
    return used > LV_PREDICTOR_DEPTH / 2 && !probing ? -1 : 0;
}

/* One more than predictors keep: after a step that was not taken in a lane, that lane
 * still has all its past values. */
enum { LV_LANE_DEPTH = LV_PREDICTOR_DEPTH + 1 };

/* Past values of the unknowns of a phase, and what was learned from them. */
typedef struct lv_lane_past {
    /* For each unknown a ring of LV_LANE_DEPTH steps, with a copy behind it, so that the
     * last LV_LANE_DEPTH steps are always beside each other (lv_lane_value). */
    double *values;
    /* weights of past values in the next initial guess, newest first */
    double weight[LV_PREDICTOR_DEPTH][LV_LANES];
    /* the same for steps that do not probe */
    double usual[LV_PREDICTOR_DEPTH][LV_LANES];
    /* LV_NOTE_CURVE, and what lv_step_curvature makes of it for the next step */
    double curve[LV_LANES], curvature[LV_LANES];
    /* number of past values in the guesses of steps that do not probe */
    int used[LV_LANES];
    int64_t far[LV_LANES]; /* flags, lv_lane_is_far for the next step */
    /* number of past steps that are known, at most LV_PREDICTOR_DEPTH */
    int known[LV_LANES];
    int probing[LV_LANES];      /* the step measures the contraction (lv_step_probes) */
    lv_newton newton[LV_LANES]; /* used in steps of more than one pass */
} lv_lane_past;

struct lv_lanes {
    lv_arena arena;
    lv_lane_map map;
    const lv_program *program;
    lv_code *code;     /* NULL: the program is interpreted */
    double *workspace; /* LV_LANES numbers per slot of the program */
    /* for carried fields and handovers: from where a step leaves a number to where the next
     * one expects it */
    lv_lane_move *move;
    int moves;
    lv_stepper *stepper[LV_LANES]; /* NULL: the lane is free */
    int64_t going[LV_LANES];       /* 1: the lane is in use; 0: it is free */
    bool there[LV_LANES];          /* the same as bool */
    lv_lane_count count[LV_LANES];
    double h[LV_LANES];
    int number[LV_LANES]; /* number of the next step in its round (LV_STEP_ROUND) */
    /* 1: the last step was taken in other lanes, not in this one */
    int behind[LV_LANES];
    /* number of steps in this lane since the stepper entered */
    long long made[LV_LANES];
    /* number of the next steps that begin as usual in all lanes: no lane probes or
     * reaches the end of its round */
    int usual;
    /* number of steps of all lanes, of one pass per phase, that `number`, `made`, `known`
     * and `count` do not include yet */
    int pending;
    /* for each handover and lane: the time at which its quantities were evaluated */
    double *time;
    lv_lane_past *past; /* one for each phase */
    /* position of the newest step in the copies of the rings, from LV_LANE_DEPTH on */
    int newest;
};

/* Adds the pending steps to `number`, `made`, `known` and `count`. */
void lv_lanes_count(lv_lanes *lanes);

static inline double *lv_lane_slot(const lv_lanes *lanes, int slot)
{
    return lanes->workspace + (ptrdiff_t)slot * LV_LANES;
}

static inline double *lv_lane_input(const lv_lanes *lanes, int k)
{
    return lv_lane_slot(lanes, lanes->program->input[LV_INPUT_Q] + k);
}

static inline const double *lv_lane_output(const lv_lanes *lanes, int k)
{
    return lv_lane_slot(lanes, lanes->program->output[k]);
}

/* The value of unknown r in the newest step, for all lanes; those of older steps are
 * before it. */
static inline double *lv_lane_value(const lv_lanes *lanes, int phase, int r)
{
    return lanes->past[phase].values +
           ((ptrdiff_t)r * 2 * LV_LANE_DEPTH + lanes->newest) * LV_LANES;
}

#endif
