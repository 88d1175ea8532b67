/* States of a motion at a few times, the ends of equal parts of a span, and how far two motions are apart there.
 *
 * States are arrays [mark][q, p]. Distances are relative to the largest numbers of q and p. */
#ifndef LV_STUDY_MARKS_H
#define LV_STUDY_MARKS_H

#include "step/state.h"

#include <stdbool.h>

typedef struct lv_marks {
    int n;          /* coordinates */
    int count;      /* times */
    double span;    /* of all parts */
    double size[2]; /* largest numbers of q and p */
} lv_marks;

/* How many numbers the states have. */
size_t lv_marks_numbers(const lv_marks *marks);

/* Finds the sizes from a motion and its start. */
void lv_marks_measure(lv_marks *marks, const lv_state *start, const double *states);

/* The largest distances; NAN if a number is not finite. */
typedef struct lv_distance {
    double q, p; /* at all times */
    double end;  /* of both, at the last time */
} lv_distance;

lv_distance lv_marks_compare(const lv_marks *marks, const double *a, const double *b);

/* The largest one of all. */
double lv_marks_distance(const lv_marks *marks, const double *a, const double *b);

/* A motion by extrapolation of the accelerations (study/extrapolation.h), with ever more steps until these say no more.
 * marks has the sizes. Steps are counted from one mark to the next. */
typedef struct lv_marks_way {
    bool (*go_on)(void *user); /* asked at every mark; false: it ends. May be NULL. */
    void *user;
    long long first; /* steps to begin with, */
    long long most;  /* and how many there may be in the whole span */
    double
        hopeless;  /* changes above it, with 8 times as many steps, end it; 0: none do */
    double enough; /* changes below it are small enough: errors are much smaller */
    double noise;  /* changes below it that do not shrink any more are rounding */
    long long taken; /* result */
    double
        error; /* result: what the last doubling of the steps has changed; NAN: there was none */
} lv_marks_way;

/* `states` is the result, `spare` room for another one. Extrapolation that does not work is no failure: the error is NAN. */
lv_status lv_marks_extrapolate(const lv_marks *marks, lv_system *system,
                               const lv_state *start, double *states, double *spare,
                               lv_marks_way *way, lv_error *err);

#endif
