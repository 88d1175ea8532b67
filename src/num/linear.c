#include "num/linear.h"

#include "base/memory.h"
#include "num/equilibrate.h"
#include "num/linear_private.h"
#include "num/sound.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include <amd.h>

/* Cost of one factorisation and one solution, in nanoseconds on one machine: only ratios
 * matter. Fitted to bands, chains, cloths and random patterns of 5 to 2000 unknowns. */
static double dense_cost(double n, bool symmetric)
{
    return symmetric ? n * (14 + n * (0.8 + n * 0.028))
                     : n * (10 + n * (1.34 + n * 0.049));
}

static double banded_cost(double n, double lower, double upper)
{
    if (lower <= 1 && upper <= 1)
        return 5.6 * n;
    return n * (11 + 1.5 * (lower + upper) + 0.1 * lower * (lower + upper));
}

static double sparse_cost(double n, double entries, double operations)
{
    return 9 * n + 1.5 * entries + 0.75 * operations;
}

/* Cost of the sparse back end, from the entries and operations of a minimum degree
 * order. */
static lv_status estimate_sparse(double *cost, const lv_pattern *pattern, lv_error *err)
{
    const int n = pattern->rows;
    double info[AMD_INFO];
    int *order = lv_memory_zeroed((size_t)n, sizeof *order);
    if (!order)
        return lv_fail_memory(err);
    const int status = amd_order(n, pattern->start, pattern->column, order, NULL, info);
    lv_memory_free(order);
    if (status == AMD_OUT_OF_MEMORY)
        return lv_fail_memory(err);
    *cost = HUGE_VAL;
    if (status >= 0)
        *cost = sparse_cost(n, n + 2 * info[AMD_LNZ], info[AMD_NMULTSUBS_LU]);
    return LV_OK;
}

/* Below this size a dense matrix is never much slower, and an analysis not worth its
 * time. */
enum { SURELY_DENSE = 4 };

/* Below this size the sparse back end saves little and rounds more: it takes pivots from
 * the diagonal where the others take the largest. */
enum { LEAST_SPARSE = 48 };

static lv_status choose(lv_linear *linear, const int *order, lv_error *err)
{
    const double n = linear->n;
    linear->methods = &lv_linear_dense;
    if (linear->n < SURELY_DENSE)
        return LV_OK;
    LV_TRY(lv_band_find(&linear->band, &linear->arena, &linear->pattern, order, err));
    double best = dense_cost(n, linear->symmetric),
           cost = banded_cost(n, linear->band.lower, linear->band.upper);
    if (cost < best) {
        linear->methods = &lv_linear_banded;
        best = cost;
    }
    /* The sparse back end cannot win if it would lose even without fill. */
    if (linear->n < LEAST_SPARSE ||
        best < sparse_cost(n, linear->pattern.start[linear->n], 0))
        return LV_OK;
    LV_TRY(estimate_sparse(&cost, &linear->pattern, err));
    if (cost < best)
        linear->methods = &lv_linear_sparse;
    return LV_OK;
}

static bool copy_pattern(lv_linear *linear, const lv_pattern *pattern)
{
    const size_t n = (size_t)pattern->rows, entries = (size_t)pattern->start[n];
    lv_arena *arena = &linear->arena;
    linear->n = pattern->rows;
    linear->pattern = *pattern;
    linear->pattern.start = lv_arena_copy(arena, pattern->start, n + 1, sizeof(int));
    linear->pattern.column = lv_arena_copy(arena, pattern->column, entries, sizeof(int));
    linear->slot = lv_arena_alloc(arena, entries, sizeof(int));
    linear->residual = lv_arena_alloc(arena, n, sizeof(double));
    linear->left_out = lv_arena_alloc(arena, n + 1, sizeof(bool));
    linear->row = lv_arena_alloc(arena, 2 * n, sizeof(double));
    linear->column = linear->row ? linear->row + n : NULL;
    linear->room.sum = lv_arena_alloc(arena, n, sizeof(double));
    linear->room.count = lv_arena_alloc(arena, n, sizeof(int));
    linear->room.exponent = lv_arena_alloc(arena, entries, sizeof(short));
    return linear->pattern.start && linear->pattern.column && linear->slot &&
           linear->residual && linear->left_out && linear->row && linear->room.sum &&
           linear->room.count && linear->room.exponent;
}

static lv_back_end forced = LV_BACK_END_AUTO;

void lv_linear_force(lv_back_end back_end)
{
    forced = back_end;
}

/* What a caller asks for. */
typedef struct request {
    lv_back_end back_end;
    const int *order;  /* NULL: any */
    const bool *inner; /* by line; NULL: no sets are eliminated first */
    bool symmetric;
} request;

static lv_status create(lv_linear *linear, const lv_pattern *pattern, const request *r,
                        lv_error *err)
{
    bool nested = false;
    if (!copy_pattern(linear, pattern))
        return lv_fail_memory(err);
    if (r->inner)
        LV_TRY(lv_nested_create(linear, r->inner, &nested, err));
    if (nested)
        return LV_OK;
    switch (r->back_end == LV_BACK_END_AUTO ? forced : r->back_end) {
    case LV_BACK_END_AUTO:
    case LV_BACK_END_NESTED:
        LV_TRY(choose(linear, r->order, err));
        break;
    case LV_BACK_END_DENSE:
        linear->methods = &lv_linear_dense;
        break;
    case LV_BACK_END_BANDED:
        linear->methods = &lv_linear_banded;
        break;
    case LV_BACK_END_SPARSE:
        linear->methods = &lv_linear_sparse;
        break;
    }
    return linear->methods->create(linear, r->order, err);
}

static lv_status create_any(lv_linear **linear, const lv_pattern *pattern,
                            const request *r, lv_error *err)
{
    assert(lv_pattern_is_sound(pattern));
    assert(!r->order || lv_is_permutation(r->order, pattern->rows));
    *linear = NULL;
    if (pattern->rows != pattern->columns)
        return lv_fail(err, LV_ERR_USAGE,
                       "a matrix of %d rows and %d columns is not square", pattern->rows,
                       pattern->columns);
    lv_linear *fresh = lv_memory_zeroed(1, sizeof *fresh);
    if (!fresh)
        return lv_fail_memory(err);
    fresh->symmetric = r->symmetric;
    const lv_status status = create(fresh, pattern, r, err);
    if (status != LV_OK) {
        lv_linear_free(fresh);
        return status;
    }
    *linear = fresh;
    return LV_OK;
}

lv_status lv_linear_create(lv_linear **linear, const lv_pattern *pattern,
                           lv_back_end back_end, const int *order, lv_error *err)
{
    return create_any(linear, pattern, &(request){.back_end = back_end, .order = order},
                      err);
}

lv_status lv_linear_create_symmetric(lv_linear **linear, const lv_pattern *pattern,
                                     lv_back_end back_end, const int *order,
                                     lv_error *err)
{
    return create_any(linear, pattern,
                      &(request){.back_end = back_end, .order = order, .symmetric = true},
                      err);
}

lv_status lv_linear_create_nested(lv_linear **linear, const lv_pattern *pattern,
                                  const bool *inner, lv_error *err)
{
    return create_any(linear, pattern, &(request){.inner = inner}, err);
}

void lv_linear_free(lv_linear *linear)
{
    if (!linear)
        return;
    if (linear->methods && linear->methods->free)
        linear->methods->free(linear);
    lv_redundancy_free(linear);
    lv_rest_free(linear);
    lv_arena_done(&linear->arena);
    lv_memory_free(linear);
}

int lv_linear_size(const lv_linear *linear)
{
    return linear->n;
}

lv_back_end lv_linear_back_end(const lv_linear *linear)
{
    return linear->methods->back_end;
}

int lv_linear_bandwidth(const lv_linear *linear)
{
    return linear->bandwidth;
}

int lv_linear_entries(const lv_linear *linear)
{
    return linear->pattern.start[linear->n];
}

lv_linear_work lv_linear_count_work(const lv_linear *linear)
{
    const double n = linear->n, b = linear->bandwidth, fill = linear->fill;
    switch (linear->methods->back_end) {
    case LV_BACK_END_BANDED:
        return (lv_linear_work){.factor = 2 * n * b * b, .solve = 3 * n * b};
    case LV_BACK_END_SPARSE: /* as if all columns had as many entries */
        return (lv_linear_work){.factor = n > 0 ? fill * fill / n : 0, .solve = 2 * fill};
    case LV_BACK_END_NESTED:
        return lv_nested_count_work(linear);
    case LV_BACK_END_AUTO:
    case LV_BACK_END_DENSE:
        break;
    }
    return (lv_linear_work){.factor = n * n * n / (linear->symmetric ? 6 : 3),
                            .solve = n * n};
}

const int *lv_linear_slots(const lv_linear *linear)
{
    return linear->slot;
}

double *lv_linear_storage(lv_linear *linear)
{
    return linear->storage;
}

void lv_linear_clear(lv_linear *linear)
{
    memset(linear->storage, 0, linear->stored * sizeof *linear->storage);
}

void lv_linear_leave_out(lv_linear *linear, const bool *lines)
{
    const lv_pattern *p = &linear->pattern;
    const size_t n = (size_t)linear->n;
    if (!lines && linear->left == 0)
        return;
    linear->left = 0;
    linear->by_rest = lines && lv_rest_fits(linear, lines);
    memset(linear->left_out, 0, n * sizeof *linear->left_out);
    if (lines)
        memcpy(linear->left_out, lines, n * sizeof *lines);
    for (int i = 0; i < linear->n; i++)
        linear->left += linear->left_out[i];
    if (linear->by_rest)
        return;
    for (int i = 0; i < linear->n; i++)
        for (int e = p->start[i]; e < p->start[i + 1]; e++)
            if (linear->left_out[i] || linear->left_out[p->column[e]])
                linear->storage[linear->slot[e]] = 0;
    linear->methods->leave_out(linear);
}

/* Factors the stored values without scaling. */
static inline bool factor_stored(lv_linear *linear)
{
    linear->worst = linear->n > 0 ? HUGE_VAL : 1;
    linear->worst_unknown = 0;
    return linear->methods->factor(linear);
}

/* Multiplies all entries by the factors of their rows and columns, or divides by them
 * (`back`). */
static void scale(lv_linear *linear, bool back)
{
    const lv_pattern *p = &linear->pattern;
    for (int i = 0; i < linear->n; i++)
        for (int e = p->start[i]; e < p->start[i + 1]; e++) {
            const double by = linear->row[i] * linear->column[p->column[e]];
            double *entry = &linear->storage[linear->slot[e]];
            *entry = back ? *entry / by : *entry * by;
        }
}

/* Whether the pivots leave no doubt, or rounding errors would decide about dependent
 * equations: plain factors are better then as long as they exist. */
static bool is_clear(const lv_linear *linear)
{
    return linear->worst > LV_LINEAR_DEPENDENT || linear->cancelled;
}

/* Factors the scaled matrix: small pivots may be a matter of units. */
static bool factor_scaled(lv_linear *linear)
{
    linear->scaled =
        lv_equilibrate(&linear->pattern, linear->storage, linear->slot, linear->symmetric,
                       &linear->room, linear->row, linear->column);
    if (!linear->scaled)
        return false;
    scale(linear, false);
    bool regular = factor_stored(linear);
    if (linear->deficient && !(regular && is_clear(linear)))
        regular |= lv_redundancy_factor(linear);
    scale(linear, true);
    return regular;
}

/* Small pivots are judged where they are found: in a system for part of the unknowns. */
static bool is_nested(const lv_linear *linear)
{
    return linear->methods == &lv_linear_nested;
}

bool lv_linear_factor(lv_linear *linear)
{
    assert(linear->stored == 0 || linear->storage);
    linear->redundant = 0;
    linear->scaled = false;
    if (linear->by_rest)
        return lv_rest_factor(linear);
    if (is_nested(linear))
        return factor_stored(linear);
    return (factor_stored(linear) && is_clear(linear)) || factor_scaled(linear);
}

static void solve_scaled(const lv_linear *linear, double *x)
{
    for (int i = 0; i < linear->n; i++)
        x[i] *= linear->row[i];
    if (linear->redundant > 0) {
        lv_redundancy_solve(linear, x);
        return;
    }
    linear->methods->solve(linear, x);
    for (int i = 0; i < linear->n; i++)
        x[i] *= linear->column[i];
}

void lv_linear_solve(const lv_linear *linear, double *x)
{
    assert(x && linear->methods);
    assert(x != linear->storage);
    if (linear->by_rest) {
        lv_rest_solve(linear, x);
        return;
    }
    for (int i = 0; i < linear->n && linear->left > 0; i++)
        x[i] = linear->left_out[i] ? 0 : x[i];
    if (linear->scaled)
        solve_scaled(linear, x);
    else
        linear->methods->solve(linear, x);
}

lv_status lv_linear_allow_redundancy(lv_linear *linear, lv_error *err)
{
    if (is_nested(linear)) {
        lv_linear *rest = lv_nested_rest(linear);
        return rest ? lv_linear_allow_redundancy(rest, err) : LV_OK;
    }
    return linear->n > LV_LINEAR_REDUNDANT_MOST || lv_redundancy_reserve(linear)
               ? LV_OK
               : lv_fail_memory(err);
}

int lv_linear_redundant(const lv_linear *linear)
{
    return linear->redundant > linear->left ? linear->redundant : linear->left;
}

void lv_linear_refine(lv_linear *linear, double *x, const double *b)
{
    assert(linear->n == 0 || x != b);
    const lv_pattern *pattern = &linear->pattern;
    double *r = linear->residual;
    for (int i = 0; i < linear->n; i++) {
        double sum = b[i];
        for (int e = pattern->start[i]; e < pattern->start[i + 1]; e++)
            sum -= linear->storage[linear->slot[e]] * x[pattern->column[e]];
        r[i] = sum;
    }
    lv_linear_solve(linear, r);
    for (int i = 0; i < linear->n; i++)
        x[i] += r[i];
}

double lv_linear_worst_pivot(const lv_linear *linear, int *unknown)
{
    if (unknown)
        *unknown = linear->worst_unknown;
    return linear->worst;
}
