/* Sparse matrices: KLU (Davis, Palamadai Natarajan 2010), analysed once and refactored with the
 * same pivots. New pivots are chosen when one of them has shrunk, relative to its column, to
 * REPIVOT of what it was when it was chosen. Where KLU's pivots, which prefer the diagonal, lead
 * nowhere (singular, or entries grow), num/pivoted.h is asked, and kept if it does better. */
#include "num/back_end.h"
#include "num/kkt_order.h"
#include "num/pivoted.h"

#include <math.h>

#include <klu.h>

#define REPIVOT 1e-3

/* A pivot on the diagonal is taken if it is at least this much of the largest candidate. */
#define DIAGONAL_TOLERANCE 1e-3

/* Reciprocal growth of entries below which KLU's factors are not trusted. */
#define LEAST_GROWTH 1e-8

typedef struct sparse {
    int *start, *row; /* compressed columns; values are the storage */
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    double *
        ratio; /* pivot / largest entry of its column, by pivot, when pivots were chosen */
    lv_pivoted *pivoted; /* from the first time it is needed */
    bool use_pivoted;    /* the factors are its */
} sparse;

/* Compressed columns of the pattern; slot[e] is where entry e of its rows ends up. */
static bool compress_columns(lv_linear *linear, sparse *s)
{
    const lv_pattern *pattern = &linear->pattern;
    const int n = linear->n, entries = pattern->start[n];
    s->start = lv_arena_alloc(&linear->arena, (size_t)n + 2, sizeof(int));
    s->row = lv_arena_alloc(&linear->arena, (size_t)entries, sizeof(int));
    linear->stored = (size_t)entries;
    linear->storage = lv_arena_alloc(&linear->arena, (size_t)entries, sizeof(double));
    if (!s->start || !s->row || !linear->storage)
        return false;

    /* start[j + 1] runs through column j and ends where column j + 1 begins. */
    for (int e = 0; e < entries; e++)
        s->start[pattern->column[e] + 2]++;
    for (int j = 0; j < n; j++)
        s->start[j + 2] += s->start[j + 1];
    for (int i = 0; i < n; i++)
        for (int e = pattern->start[i]; e < pattern->start[i + 1]; e++) {
            const int at = s->start[pattern->column[e] + 1]++;
            s->row[at] = i;
            linear->slot[e] = at;
        }
    return true;
}

/* Flags the unknowns without a diagonal entry; how many. */
static int flag_multipliers(const lv_pattern *pattern, bool *multiplier)
{
    int count = 0;
    for (int i = 0; i < pattern->rows; i++) {
        multiplier[i] = true;
        for (int e = pattern->start[i]; e < pattern->start[i + 1]; e++)
            if (pattern->column[e] == i)
                multiplier[i] = false;
        count += multiplier[i];
    }
    return count;
}

/* An order for saddle matrices that comes without one; NULL in *order where it is not one. */
static lv_status own_order(lv_linear *linear, int **order, lv_error *err)
{
    lv_arena scratch = {0};
    lv_status status = LV_OK;
    const size_t n = (size_t)linear->n;
    bool *multiplier = lv_arena_alloc(&scratch, n, sizeof *multiplier);
    *order = lv_arena_alloc(&linear->arena, n, sizeof **order);
    if (!multiplier || !*order)
        status = lv_fail_memory(err);
    else if (flag_multipliers(&linear->pattern, multiplier) > 0)
        status = lv_kkt_order(*order, &linear->pattern, multiplier, err);
    else
        *order = NULL;
    lv_arena_done(&scratch);
    return status;
}

static lv_status analyse(sparse *s, int n, int *order, lv_error *err)
{
    klu_defaults(&s->common);
    s->common.tol = DIAGONAL_TOLERANCE;
    s->common.scale = 0;
    s->common.halt_if_singular = 0; /* judge_pivots finds out, and where */
    if (order) {
        s->common.btf = 0;
        s->symbolic = klu_analyze_given(n, s->start, s->row, order, order, &s->common);
    } else {
        s->symbolic = klu_analyze(n, s->start, s->row, &s->common);
    }
    if (s->symbolic)
        return LV_OK;
    if (s->common.status == KLU_OUT_OF_MEMORY)
        return lv_fail_memory(err);
    return lv_fail(err, LV_ERR_LIMIT, "a sparse matrix with %d unknowns is too large", n);
}

static lv_status create(lv_linear *linear, const int *order, lv_error *err)
{
    const int n = linear->n;
    sparse *s = lv_arena_alloc(&linear->arena, 1, sizeof *s);
    if (!s)
        return lv_fail_memory(err);
    linear->factors = s;
    s->ratio = lv_arena_alloc(&linear->arena, (size_t)n, sizeof(double));
    if (!s->ratio || !compress_columns(linear, s))
        return lv_fail_memory(err);
    if (n == 0)
        return LV_OK;

    int *mine = NULL;
    if (order) {
        mine = lv_arena_copy(&linear->arena, order, (size_t)n, sizeof(int));
        if (!mine)
            return lv_fail_memory(err);
    } else {
        LV_TRY(own_order(linear, &mine, err));
    }
    return analyse(s, n, mine, err);
}

static double column_largest(const sparse *s, const double *values, int j)
{
    double largest = 0;
    for (int e = s->start[j]; e < s->start[j + 1]; e++)
        largest = fabs(values[e]) > largest ? fabs(values[e]) : largest;
    return largest;
}

/* Pivot k stands in column columns[k]: finds the worst ratio of a pivot to the largest entry of
 * its column of A. Returns whether all of them are at least REPIVOT of what they were; if
 * `chosen` is given, it is that which they are from now on. */
static bool judge_pivots(lv_linear *linear, const double *pivots, const int *columns,
                         double *chosen)
{
    const sparse *s = linear->factors;
    bool fine = true;
    linear->worst = HUGE_VAL;
    for (int k = 0; k < linear->n; k++) {
        const double largest = column_largest(s, linear->storage, columns[k]);
        double ratio = fabs(pivots[k]) / largest;
        if (!(ratio > 0) || !(ratio < HUGE_VAL) || !(largest < HUGE_VAL))
            ratio = 0;
        fine &= ratio >= REPIVOT * s->ratio[k];
        if (chosen)
            chosen[k] = ratio;
        if (ratio < linear->worst && linear->worst > LV_LINEAR_SINGULAR) {
            linear->worst = ratio;
            linear->worst_unknown = columns[k];
        }
    }
    return fine;
}

static bool out_of_memory(lv_linear *linear)
{
    linear->worst = 0;
    linear->worst_unknown = -1;
    return false;
}

/* Factors with the other solver; its judgement counts only if it does better. */
static bool factor_pivoted(lv_linear *linear)
{
    sparse *s = linear->factors;
    const double worst = linear->worst;
    const int worst_unknown = linear->worst_unknown;
    if (!s->pivoted)
        s->pivoted = lv_pivoted_create(linear->n, s->start, s->row);
    if (!s->pivoted || !lv_pivoted_factor(s->pivoted, linear->storage))
        return out_of_memory(linear);
    judge_pivots(linear, lv_pivoted_pivots(s->pivoted), lv_pivoted_columns(s->pivoted),
                 NULL);
    s->use_pivoted = linear->worst > LV_LINEAR_SINGULAR;
    klu_free_numeric(&s->numeric, &s->common);
    if (!s->use_pivoted && worst < HUGE_VAL) {
        linear->worst = worst < linear->worst ? worst : linear->worst;
        linear->worst_unknown = worst_unknown;
    }
    return s->use_pivoted;
}

/* Chooses pivots. */
static bool factor_anew(lv_linear *linear, sparse *s)
{
    klu_free_numeric(&s->numeric, &s->common);
    s->numeric = klu_factor(s->start, s->row, linear->storage, s->symbolic, &s->common);
    if (!s->numeric)
        return out_of_memory(linear);
    judge_pivots(linear, s->numeric->Udiag, s->symbolic->Q, s->ratio);
    if (linear->worst > LV_LINEAR_SINGULAR &&
        klu_rgrowth(s->start, s->row, linear->storage, s->symbolic, s->numeric,
                    &s->common) &&
        s->common.rgrowth > LEAST_GROWTH)
        return true;
    return factor_pivoted(linear);
}

static bool factor(lv_linear *linear)
{
    sparse *s = linear->factors;
    if (linear->n == 0)
        return true;
    if (s->use_pivoted) {
        linear->worst = HUGE_VAL;
        return factor_pivoted(linear);
    }
    if (s->numeric &&
        klu_refactor(s->start, s->row, linear->storage, s->symbolic, s->numeric,
                     &s->common) &&
        judge_pivots(linear, s->numeric->Udiag, s->symbolic->Q, NULL) &&
        linear->worst > LV_LINEAR_SINGULAR)
        return true;
    return factor_anew(linear, s);
}

static void solve(const lv_linear *linear, double *x)
{
    sparse *s = linear->factors;
    if (s->use_pivoted)
        lv_pivoted_solve(s->pivoted, linear->storage, x);
    else if (s->numeric)
        klu_solve(s->symbolic, s->numeric, linear->n, 1, x, &s->common);
}

static void release(lv_linear *linear)
{
    sparse *s = linear->factors;
    if (!s)
        return;
    klu_free_numeric(&s->numeric, &s->common);
    klu_free_symbolic(&s->symbolic, &s->common);
    lv_pivoted_free(s->pivoted);
}

const lv_linear_methods lv_linear_sparse = {LV_BACK_END_SPARSE, create, factor, solve,
                                            release};
