/* States of a motion at a few times ("marks"), the ends of equal parts of a span, and the
 * distance of two motions there.
 *
 * States are arrays [mark][q, p]. Distances are relative to the largest numbers of q and
 * p. */
#ifndef LV_STUDY_MARKS_H
#define LV_STUDY_MARKS_H

#include "course/state.h"

#include <stdbool.h>

typedef struct lv_marks {
    int n;          /* number of coordinates */
    int count;      /* number of marks */
    double span;    /* time of all parts together */
    double size[2]; /* largest numbers of q and p */
} lv_marks;

/* The count of numbers in the states. */
size_t lv_marks_numbers(const lv_marks *marks);

/* Sets the sizes from a motion and its start. */
void lv_marks_measure(lv_marks *marks, const lv_state *start, const double *states);

/* The largest distances; NAN if a number is not finite. */
typedef struct lv_distance {
    double q, p; /* over all marks */
    double end;  /* of q and p at the last mark */
} lv_distance;

lv_distance lv_marks_compare(const lv_marks *marks, const double *a, const double *b);

/* The largest distance of all. */
double lv_marks_distance(const lv_marks *marks, const double *a, const double *b);

/* A motion by extrapolation of the accelerations (study/extrapolation.h), with more and
 * more steps until they change nothing more. The sizes of the marks must be set. Steps
 * are counted from one mark to the next. */
typedef struct lv_marks_way {
    /* called at every mark; false ends the computation. May be NULL. */
    bool (*go_on)(void *user);
    void *user;
    long long first; /* steps to begin with */
    long long most;  /* largest number of steps in the whole span */
    /* changes above it, with 8 times as many steps, end the computation; 0: none do */
    double hopeless;
    /* changes below it are small enough, because errors are much smaller */
    double enough;
    double noise;    /* changes below it that no longer shrink are rounding */
    long long taken; /* result: number of steps */
    /* result: the change by the last doubling of the steps; NAN: there was none */
    double error;
} lv_marks_way;

/* states: the result. spare: scratch of the same size. If extrapolation does not work,
 * this is no failure, but the error is NAN. */
lv_status lv_marks_extrapolate(const lv_marks *marks, lv_system *system,
                               const lv_state *start, double *states, double *spare,
                               lv_marks_way *way, lv_error *err);

#endif
