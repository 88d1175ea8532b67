/* Inside lanes: where numbers of steppers that are alike stand in the program of their steps (lanes_map.c), and what lanes
 * hold (lanes.c, lanes_step.c). Numbers of the lanes stand beside each other: number k of lane l at [k * LV_LANES + l]. */
#ifndef LV_STEP_LANES_PRIVATE_H
#define LV_STEP_LANES_PRIVATE_H

#include "expr/code.h"
#include "step/lanes.h"
#include "step/stepper_private.h"

#include <stdint.h>

/* A carried field. */
typedef struct lv_lane_field {
    int size;
    int input;       /* of the program */
    int output;      /* that it becomes; -1: it stays as it is */
    int memory;      /* place in the memory of the stepper; -1: it is in the state */
    size_t in_state; /* where lv_state has the pointer to it then */
} lv_lane_field;

typedef struct lv_lane_part {
    int count, input, output;
} lv_lane_part;

/* What steps hand over to the next ones; all of it is in the memory of the stepper. */
typedef struct lv_lane_handover {
    int memory, points, n;
    int q,
        v; /* carried fields that are the point; v is -1 where it does not depend on them */
    bool of_time;
    double at; /* the time of the point is t + at h */
    int parts;
    lv_lane_part part[LV_QUANTITIES];
} lv_lane_handover;

/* A phase that is solved in passes: slots, but for outputs. */
typedef struct lv_lane_phase {
    int count;        /* of unknowns */
    int guess;        /* the first of what is expected of them */
    int found;        /* output: the first of what should have been */
    int size, excess; /* of corrections, as lv_fused_pass has them */
    int memory;       /* place of its notes in the memory of the stepper */
    bool checks, adds_up;
    double slow;
} lv_lane_phase;

typedef struct lv_lane_map {
    int memory_size;
    int fields, handovers, phases;
    lv_lane_field *field;
    lv_lane_handover *handover;
    lv_lane_phase *phase;
    int q, v, p;            /* carried fields */
    int taken, taken_count; /* inputs: which constraints take part; none where all do */
    int growth, checked, behind, left_over; /* slots, as lv_fused has them */
} lv_lane_map;

/* The program of the steps of a stepper; NULL: there is none. */
static inline lv_fused *lv_lane_fused(const lv_stepper *s)
{
    return s->programs.way[1] ? s->programs.way[1]->fused : NULL;
}

/* *made: whether steps of the stepper can be made in lanes. Everything is in the arena. */
lv_status lv_lane_map_make(lv_lane_map *map, bool *made, const lv_stepper *stepper,
                           lv_arena *arena, lv_error *err);
bool lv_lane_map_is_like(const lv_lane_map *map, const lv_lane_map *other);

/* A flag: does a step use more than the first half of so many past values? */
static inline int64_t lv_lane_is_far(int used, bool probing)
{
    return used > LV_PREDICTOR_DEPTH / 2 && !probing ? -1 : 0;
}

/* One step more than predictors know: a lane in which no step was made still has all of them. */
enum { LV_LANE_DEPTH = LV_PREDICTOR_DEPTH + 1 };

/* The past of a phase. */
typedef struct lv_lane_past {
    double *values; /* of LV_LANE_DEPTH steps */
    double weight[LV_PREDICTOR_DEPTH]
                 [LV_LANES];                    /* of the coming step, the newest first */
    double usual[LV_PREDICTOR_DEPTH][LV_LANES]; /* of steps that do not probe */
    double curve[LV_LANES], curvature[LV_LANES];
    int used[LV_LANES];    /* past values; by steps that do not probe */
    int64_t far[LV_LANES]; /* flags: the coming step uses more than half of them */
    int known[LV_LANES];   /* steps */
    int probing[LV_LANES];
    lv_newton newton[LV_LANES]; /* of lanes that take more than one pass */
} lv_lane_past;

/* A number that a step leaves in one slot, and that the next one expects in another. */
typedef struct lv_lane_move {
    int from, to;
} lv_lane_move;

struct lv_lanes {
    lv_arena arena;
    lv_lane_map map;
    const lv_program *program;
    lv_code *code; /* NULL: the program is interpreted */
    double *workspace;
    lv_lane_move *move; /* of fields and handovers */
    int moves;
    lv_stepper *stepper[LV_LANES]; /* NULL: the lane is free */
    int64_t going[LV_LANES];       /* 1 in lanes that are not, otherwise 0; */
    bool there[LV_LANES];          /* the same, */
    int passes[LV_LANES];          /* and what steps of one pass are counted as */
    double h[LV_LANES];
    int number[LV_LANES];     /* of the coming step in its round */
    int behind[LV_LANES];     /* no step was made in this lane when the others made one */
    long long made[LV_LANES]; /* steps in this lane since the stepper entered */
    int usual; /* so many coming steps begin as usual in all lanes: none of them probes */
    int pending;  /* steps of all lanes that number, made and known do not count yet */
    double *time; /* of the point of each handover */
    lv_lane_past *past; /* of every phase */
    int newest;         /* place of the last step in the values of all phases */
};

/* Counts the steps that are not yet. */
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

/* The values of the k-th newest step. */
static inline double *lv_lane_values(const lv_lanes *lanes, int phase, int k)
{
    int place = lanes->newest - k;
    place += place < 0 ? LV_LANE_DEPTH : 0;
    return lanes->past[phase].values +
           (ptrdiff_t)place * lanes->map.phase[phase].count * LV_LANES;
}

#endif
