/* The memory of a predictor (course/predictor.h): values of past steps. */
#ifndef LV_COURSE_PAST_H
#define LV_COURSE_PAST_H

#include <stdbool.h>
#include <stddef.h>

enum { LV_PREDICTOR_DEPTH = 14, LV_PAST_LAST = LV_PREDICTOR_DEPTH - 1 };

/* Up to LV_PAST_FEW values per step, past steps are a window that moves through
 * LV_PAST_WINDOW places, the newest step last; when it arrives at the end it is moved
 * back to the start. With more values there are LV_PREDICTOR_DEPTH places, and the newest
 * step replaces the oldest one. */
enum { LV_PAST_FEW = 64, LV_PAST_WINDOW = 2 * LV_PREDICTOR_DEPTH };

/* Indices in lv_predictor.numbers. */
enum {
    LV_PAST_COUNT,  /* number of past steps that are stored */
    LV_PAST_NEWEST, /* place of the newest one; LV_PAST_LAST after lv_predictor_sort */
    LV_PAST_ALIKE,  /* number of newest steps that have the same size */
    LV_PAST_STEP,   /* size of the next step */
    LV_PAST_USED,   /* number of past values to extrapolate from */
    LV_PAST_TURNS,  /* power of E + 1 in the extrapolation (see predictor.c) */
    LV_PAST_MISS,   /* size of the first correction when both were chosen; with fitted
                       weights the least one since then */
    LV_PAST_FITTED, /* number of columns whose weights are fitted */
    LV_PAST_AGE,    /* number of steps since weights were fitted, or tried to be */
    LV_PAST_STEPS,  /* sizes of past steps, the newest one last */
    LV_PAST_VALUES = LV_PAST_STEPS + LV_PREDICTOR_DEPTH
};

/* The largest power of E + 1 that is tried. E is the shift by one step. */
enum { LV_PAST_MOST_TURNS = 6 };

/* Values of one quantity, from `offset` on. Columns of one kind are values of the same
 * quantity at different stages of a step. */
typedef struct lv_past_column {
    int offset, size, kind;
} lv_past_column;

/* All state is in `numbers`, which belongs to the caller: the counts above, the sizes of
 * past steps, the places of their values, then fitted weights. */
typedef struct lv_predictor {
    int m; /* number of values per step */
    double *numbers;
    /* all values; no columns: no weights are fitted */
    const lv_past_column *columns;
    int column_count;
    /* The numbers of substep k are at numbers + (k - substep) apart. */
    int substep, substeps;
    ptrdiff_t apart;
    double *work; /* room for LV_FITTED_WORK numbers */
    /* weights[t][n]: weights for steps of one size with power t of E + 1 and n past
     * values, the newest first; 0 after these. They are computed when needed first. */
    double weights[LV_PAST_MOST_TURNS + 1][LV_PREDICTOR_DEPTH + 1][LV_PREDICTOR_DEPTH];
    /* whether weights[t][n] have been computed */
    bool found[LV_PAST_MOST_TURNS + 1][LV_PREDICTOR_DEPTH + 1];
} lv_predictor;

/* Numbers of the weights that may be fitted (course/fitted.h), per column: how many there
 * are, then these. */
enum { LV_FITTED_SOURCES = 12, LV_FITTED_NUMBERS = 1 + LV_FITTED_SOURCES };

/* The number of `numbers`. The fitted weights of a column begin at number
 * lv_predictor_size(m, column). */
int lv_predictor_size(int m, int columns);
void lv_predictor_clear(lv_predictor *predictor);

/* The number of past steps that are stored. */
static inline int lv_predictor_count(const lv_predictor *predictor)
{
    return (int)predictor->numbers[LV_PAST_COUNT];
}

/* Whether the numbers are valid indices and counts. They may have been read from a
 * file. */
bool lv_predictor_is_sound(const double *numbers, int m);

/* The values of a step in `numbers`: of the newest one for k = 0, of the one before it
 * for k = 1, and so on. */
const double *lv_predictor_values(const double *numbers, int m, int k);

/* Moves the newest step to place LV_PAST_LAST and the steps before it to the places
 * before. Equal past steps then have equal numbers. */
void lv_predictor_sort(double *numbers, int m);

/* Computes the weights of `used` past values of steps of one size, the newest first, with
 * power `turns` of E + 1. */
void lv_predictor_weights(double *weights, int used, int turns);

#endif
