#include "system/saddle.h"

#include "base/arena.h"
#include "base/memory.h"
#include "system/assembly.h"

#include <math.h>
#include <string.h>

struct lv_saddle {
    lv_arena arena;
    const lv_pattern *mass_pattern, *g_pattern;
    const lv_mass *mass;
    lv_dependence *dependence;
    const double *gradients; /* factored last */
    lv_schur *schur;         /* with small blocks */
    lv_assembly *whole;      /* the full matrix, without them */
    lv_linear *linear;       /* Z, or the full matrix, which `whole` owns */
    double *weighted, *rhs;
    int n, m;
};

enum { BLOCK_M, BLOCK_COLUMNS, BLOCK_ROWS, BLOCKS };

/* The full matrix [M G^T; G 0] of x and -y for masses without small blocks. */
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

static lv_status fill(lv_saddle *s, lv_error *err)
{
    s->rhs = lv_arena_alloc(&s->arena, (size_t)s->n + (size_t)s->m, sizeof *s->rhs);
    if (!s->rhs)
        return lv_fail_memory(err);
    return s->mass && lv_mass_block_count(s->mass) > 0 ? reduced_matrix(s, err)
                                                       : whole_matrix(s, err);
}

lv_status lv_saddle_create(lv_saddle **result, const lv_pattern *mass_pattern,
                           const lv_pattern *g_pattern, const lv_mass *mass,
                           lv_dependence *dependence, lv_error *err)
{
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
    lv_status status = fill(s, err);
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

/* Where rows of M depend on others, it is not the constraints that are redundant. */
static bool only_constraints_redundant(const lv_saddle *s)
{
    return lv_linear_redundant(s->linear) <= lv_dependence_count(s->dependence);
}

bool lv_saddle_factor(lv_saddle *s, const double *mass_values, const double *g_values)
{
    if (!s->linear)
        return true;
    s->gradients = g_values;
    lv_linear_clear(s->linear);
    if (s->whole) {
        lv_assembly_add(s->whole, BLOCK_M, mass_values, 1);
        lv_assembly_add(s->whole, BLOCK_COLUMNS, g_values, 1);
        lv_assembly_add(s->whole, BLOCK_ROWS, g_values, 1);
        return lv_dependence_factor(s->dependence, s->linear, s->n, s->g_pattern,
                                    g_values) &&
               only_constraints_redundant(s);
    }
    lv_schur_weigh(s->schur, s->weighted, s->mass, g_values);
    lv_schur_add(s->schur, lv_linear_storage(s->linear), lv_linear_slots(s->linear), 1,
                 g_values, s->weighted);
    return lv_dependence_factor(s->dependence, s->linear, 0, s->g_pattern, g_values);
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
        if (lv_saddle_redundant(s) > 0)
            lv_dependence_least_norm(s->dependence, s->g_pattern, s->gradients, y);
        return;
    }
    /* y = Z^-1 (b - G M^-1 a): G M^-1 a with the weighted rows. x = M^-1 a + M^-1 G^T y. */
    lv_schur_apply(s->schur, s->rhs, s->weighted, x);
    for (int r = 0; r < s->m; r++)
        y[r] -= s->rhs[r];
    if (s->linear)
        lv_dependence_solve(s->dependence, s->linear, s->g_pattern, s->gradients, y);
    lv_mass_solve(s->mass, x);
    lv_schur_spread(s->schur, x, 1, s->weighted, y);
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
