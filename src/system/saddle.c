#include "system/saddle.h"

#include "base/arena.h"
#include "base/memory.h"
#include "num/sparse.h"
#include "system/assembly.h"

#include <assert.h>
#include <math.h>
#include <string.h>

struct lv_saddle {
    lv_arena arena;
    const lv_pattern *mass_pattern, *g_pattern;
    const lv_mass *mass;
    lv_dependence *dependence;
    const double *masses, *gradients; /* those of the last factorisation, borrowed */
    /* The gradients by which dependence was judged: `gradients`, or `weighed`, which are
     * gradients in units of their coordinates and rows. */
    const double *judged;
    double *weighed;
    const double *row_unit; /* units of the rows, borrowed; NULL: all are 1 */
    bool *lines;            /* lines of the matrix to be left out */
    lv_schur *schur;        /* if M has small blocks; otherwise NULL */
    lv_assembly *whole;     /* the full matrix if it has none; otherwise NULL */
    lv_linear *linear;      /* Z, owned; or the full matrix, owned by `whole` */
    double *weighted, *rhs;
    int n, m;
};

enum { BLOCK_M, BLOCK_COLUMNS, BLOCK_ROWS, BLOCKS };

/* Creates the full matrix [M G^T; G 0] of x and -y, for masses without small blocks. */
static lv_status whole_matrix(lv_saddle *s, lv_error *err)
{
    const lv_range_of x = {0, 1}, y = {s->n, 1};
    s->whole = lv_assembly_create(s->n + s->m, BLOCKS);
    if (!s->whole)
        return lv_fail_memory(err);
    lv_assembly_block(s->whole, s->mass_pattern, x, x, false);
    lv_assembly_block(s->whole, s->g_pattern, x, y, true);
    lv_assembly_block(s->whole, s->g_pattern, y, x, false);
    lv_assembly_symmetric(s->whole);
    LV_TRY(lv_assembly_finish(s->whole, err));
    s->linear = lv_assembly_linear(s->whole);
    return LV_OK;
}

static lv_status reduced_matrix(lv_saddle *s, lv_error *err)
{
    LV_TRY(lv_schur_create(&s->schur, s->g_pattern, s->mass, err));
    s->weighted = lv_arena_alloc(&s->arena, (size_t)lv_schur_weighted_size(s->schur) + 1,
                                 sizeof *s->weighted);
    if (!s->weighted)
        return lv_fail_memory(err);
    if (s->m == 0)
        return LV_OK;
    return lv_linear_create_symmetric(&s->linear, lv_schur_pattern(s->schur),
                                      LV_BACK_END_AUTO, NULL, err);
}

static lv_status saddle_fill(lv_saddle *s, lv_error *err)
{
    const size_t lines = (size_t)s->n + (size_t)s->m;
    s->rhs = lv_arena_alloc(&s->arena, lines, sizeof *s->rhs);
    s->lines = lv_arena_alloc(&s->arena, lines, sizeof *s->lines);
    s->weighed = lv_arena_alloc(&s->arena, (size_t)lv_pattern_entries(s->g_pattern) + 1,
                                sizeof *s->weighed);
    if (!s->rhs || !s->lines || !s->weighed)
        return lv_fail_memory(err);
    return s->mass && lv_mass_block_count(s->mass) > 0 ? reduced_matrix(s, err)
                                                       : whole_matrix(s, err);
}

lv_status lv_saddle_create(lv_saddle **result, const lv_pattern *mass_pattern,
                           const lv_pattern *g_pattern, const lv_mass *mass,
                           lv_dependence *dependence, lv_error *err)
{
    assert(mass_pattern->rows == mass_pattern->columns);
    assert(g_pattern->columns == mass_pattern->rows);
    *result = NULL;
    lv_saddle *s = lv_memory_zeroed(1, sizeof *s);
    if (!s)
        return lv_fail_memory(err);
    s->mass_pattern = mass_pattern;
    s->g_pattern = g_pattern;
    s->mass = mass;
    s->dependence = dependence;
    s->n = mass_pattern->rows;
    s->m = g_pattern->rows;
    lv_status status = saddle_fill(s, err);
    if (status == LV_OK)
        *result = s;
    else
        lv_saddle_free(s);
    return status;
}

void lv_saddle_free(lv_saddle *s)
{
    if (!s)
        return;
    lv_schur_free(s->schur);
    if (s->whole)
        lv_assembly_free(s->whole);
    else
        lv_linear_free(s->linear);
    lv_arena_done(&s->arena);
    lv_memory_free(s);
}

/* Whether all redundant equations are constraints. Otherwise rows of M depend on
 * others. */
static bool only_constraints_redundant(const lv_saddle *s)
{
    return lv_linear_redundant(s->linear) <= lv_dependence_count(s->dependence);
}

/* Stores the matrix of the current values. */
static void store(lv_saddle *s)
{
    lv_linear_clear(s->linear);
    if (s->whole) {
        lv_assembly_add(s->whole, BLOCK_M, s->masses, 1);
        lv_assembly_add(s->whole, BLOCK_COLUMNS, s->gradients, 1);
        lv_assembly_add(s->whole, BLOCK_ROWS, s->gradients, 1);
        return;
    }
    lv_schur_weigh(s->schur, s->weighted, s->mass, s->gradients);
    lv_schur_store(s->schur, lv_linear_storage(s->linear), lv_linear_slots(s->linear), 1,
                   s->gradients, s->weighted);
}

/* The line of the first constraint. */
static int first_line(const lv_saddle *s)
{
    return s->whole ? s->n : 0;
}

bool lv_saddle_factor(lv_saddle *s, const double *mass_values, const double *g_values)
{
    if (!s->linear)
        return true;
    s->masses = mass_values;
    s->gradients = s->judged = g_values;
    s->row_unit = NULL;
    store(s);
    return lv_dependence_factor(s->dependence, s->linear, first_line(s), s->g_pattern,
                                g_values) &&
           (!s->whole || only_constraints_redundant(s));
}

static double row_unit(const lv_saddle *s, int row)
{
    return s->row_unit && s->row_unit[row] > 0 ? s->row_unit[row] : 1;
}

/* Computes the gradients in units of their coordinates and rows. */
static void weigh(lv_saddle *s, const double *unit)
{
    const lv_pattern *g = s->g_pattern;
    for (int r = 0; r < s->m; r++)
        for (int e = g->start[r]; e < g->start[r + 1]; e++)
            s->weighed[e] = s->gradients[e] * unit[g->column[e]] / row_unit(s, r);
}

/* Sets gradients that are smaller than the tolerance to 0: dependence is judged by
 * directions, and these gradients have none. */
static void drop_vanishing(lv_saddle *s, const double *size, double tolerance)
{
    const lv_pattern *g = s->g_pattern;
    for (int r = 0; r < s->m; r++) {
        double square = 0;
        for (int e = g->start[r]; e < g->start[r + 1]; e++)
            square += s->weighed[e] * s->weighed[e];
        if (sqrt(square) * row_unit(s, r) <= tolerance * size[r])
            memset(s->weighed + g->start[r], 0,
                   (size_t)(g->start[r + 1] - g->start[r]) * sizeof *s->weighed);
    }
}

int lv_saddle_reduce(lv_saddle *s, const double *unit, const double *row_size,
                     bool in_units, double tolerance)
{
    if (!s->linear)
        return 0;
    s->row_unit = in_units ? row_size : NULL;
    s->judged = s->weighed;
    weigh(s, unit);
    drop_vanishing(s, row_size, tolerance);
    const int count =
        lv_dependence_look(s->dependence, s->g_pattern, s->weighed, tolerance);
    memset(s->lines, 0, (size_t)lv_linear_size(s->linear) * sizeof *s->lines);
    for (int k = 0; k < count; k++)
        s->lines[first_line(s) + lv_dependence_row(s->dependence, k)] = true;
    store(s);
    lv_linear_leave_out(s->linear, s->lines);
    return lv_linear_factor(s->linear) ? count : -1;
}

/* Replaces the multipliers by those of least norm that have the same forces. */
static void shorten(lv_saddle *s, double *y)
{
    if (lv_saddle_redundant(s) == 0)
        return;
    for (int r = 0; r < s->m && s->row_unit; r++)
        y[r] *= row_unit(s, r);
    lv_dependence_least_norm(s->dependence, s->g_pattern, s->judged, y);
    for (int r = 0; r < s->m && s->row_unit; r++)
        y[r] /= row_unit(s, r);
}

void lv_saddle_solve(lv_saddle *s, double *x, double *y)
{
    if (!s->schur) {
        memcpy(s->rhs, x, (size_t)s->n * sizeof *x);
        memcpy(s->rhs + s->n, y, (size_t)s->m * sizeof *y);
        if (s->linear)
            lv_linear_solve(s->linear, s->rhs);
        memcpy(x, s->rhs, (size_t)s->n * sizeof *x);
        for (int r = 0; r < s->m; r++)
            y[r] = -s->rhs[s->n + r];
        shorten(s, y);
        return;
    }
    /* y = Z^-1 (b - G M^-1 a), where G M^-1 is `weighted`;
     * x = M^-1 a + M^-1 G^T y */
    lv_schur_apply(s->schur, s->rhs, s->weighted, x);
    for (int r = 0; r < s->m; r++)
        y[r] -= s->rhs[r];
    if (s->linear)
        lv_linear_solve(s->linear, y);
    shorten(s, y);
    lv_mass_solve(s->mass, x);
    lv_schur_spread(s->schur, &(lv_column_target){x, 1, true}, 1, s->weighted, y);
}

int lv_saddle_redundant(const lv_saddle *s)
{
    return s->linear ? lv_linear_redundant(s->linear) : 0;
}

double lv_saddle_worst(const lv_saddle *s, int *row)
{
    *row = -1;
    const double worst = s->linear ? lv_linear_worst_pivot(s->linear, row) : 1;
    if (s->whole)
        *row = *row < s->n ? -1 : *row - s->n;
    return worst;
}

const lv_schur *lv_saddle_schur(const lv_saddle *s)
{
    return s->schur;
}
