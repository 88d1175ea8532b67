/* Unknowns of past steps, and what they let expect of the next one.
 *
 * Values that steps of one size find are those of one smooth function of time, which is continued as a polynomial. Values
 * of steps of different sizes depend on the size as well, mu = lambda(t) + h beta(t) + ..., and this dependence is
 * eliminated along with that on time. In compositions each substep has a predictor of its own: its values in successive
 * composed steps are those of one smooth function again. */
#ifndef LV_STEP_PREDICTOR_H
#define LV_STEP_PREDICTOR_H

#include <stdbool.h>

enum { LV_PREDICTOR_DEPTH = 14, LV_PAST_LAST = LV_PREDICTOR_DEPTH - 1 };

/* Places in `numbers`. */
enum {
    LV_PAST_COUNT,  /* steps that are known */
    LV_PAST_NEWEST, /* the place of the last one: LV_PAST_LAST once a step begins */
    LV_PAST_ALIKE,  /* how many of the newest had one size */
    LV_PAST_STEP,   /* size of the coming step */
    LV_PAST_USED,   /* how many values the next one is to be continued from, */
    LV_PAST_TURNS,  /* and how often what alternates is taken into account; */
    LV_PAST_MISS,   /* by how much the guess had missed when that was chosen */
    LV_PAST_STEPS,
    LV_PAST_VALUES = LV_PAST_STEPS + LV_PREDICTOR_DEPTH
};

/* Powers of E + 1 that are tried. */
enum { LV_PAST_MOST_TURNS = 6 };

/* All state is in `numbers`: how many steps are known, where the newest is, the size of the coming step, the size of
 * each, then the values. */
typedef struct lv_predictor {
    int m; /* values per step */
    double *numbers;
    /* Of steps of one size, by turns and by how many are used; 0 behind these. */
    double weights[LV_PAST_MOST_TURNS + 1][LV_PREDICTOR_DEPTH + 1][LV_PREDICTOR_DEPTH];
    bool found[LV_PAST_MOST_TURNS + 1]
              [LV_PREDICTOR_DEPTH + 1]; /* are these weights there? */
} lv_predictor;

int lv_predictor_size(int m);
void lv_predictor_clear(lv_predictor *predictor);

/* How many steps are known. */
int lv_predictor_count(const lv_predictor *predictor);

/* Moves the steps to where they belong, the newest one to the end. */
void lv_predictor_sort(double *numbers, int m);

/* A step of size h is to come. */
void lv_predictor_begin(lv_predictor *predictor, double h);

/* expected[r] = what is expected of value r; 0 where nothing is known. most: past values that may be used, for motions
 * that are not smooth; 0: as many as serve best. */
void lv_predictor_expect(lv_predictor *predictor, double *expected, int most);

/* The weights of so many past values of steps of one size, the newest first, that continue them. */
void lv_predictor_weights(double *weights, int used, int turns);

/* The step that began is over, and these are its values. missed: what had been expected was not close, but off by this
 * much. */
void lv_predictor_add(lv_predictor *predictor, const double *found, bool missed,
                      double miss);

#endif
