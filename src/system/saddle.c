#include "system/saddle.h"

#include "base/arena.h"
#include "base/memory.h"
#include "system/sparse.h"

#include <math.h>
#include <string.h>

struct lv_saddle {
    lv_arena arena;
    const lv_pattern *mass_pattern, *g_pattern;
    const lv_mass *mass;
    lv_schur *schur; /* with small blocks */
    lv_pattern whole; /* of the full matrix, without them */
    int *mass_slot; /* of M, then of G and -G^T in turns */
    lv_linear *linear;
    double *weighted, *rhs;
    int n, m;
};

/* The full matrix [M -G^T; G 0] for masses without small blocks. */
static lv_status whole_matrix(lv_saddle *s, lv_error *err)
{
    lv_entry_list entries = {0};
    bool ok = true;
    const lv_pattern *a = s->mass_pattern, *g = s->g_pattern;
    for (int r = 0; ok && r < a->rows; r++)
        for (int e = a->start[r]; ok && e < a->start[r + 1]; e++)
            ok = LV_PUSH(entries, ((lv_entry_place){r, a->column[e]}));
    for (int r = 0; ok && r < g->rows; r++)
        for (int e = g->start[r]; ok && e < g->start[r + 1]; e++)
            ok = LV_PUSH(entries, ((lv_entry_place){s->n + r, g->column[e]})) &&
                 LV_PUSH(entries, ((lv_entry_place){g->column[e], s->n + r}));
    int *slot =
        ok ? lv_arena_alloc(&s->arena, (size_t)entries.count + 1, sizeof *slot) : NULL;
    int size = s->n + s->m;
    lv_status status = slot ? lv_pattern_build(&s->whole, slot, &s->arena, entries.data,
                                               entries.count, size, size, err)
                            : lv_fail_memory(err);
    LV_ARRAY_FREE(entries);
    s->mass_slot = slot;
    return status;
}

static lv_status fill(lv_saddle *s, lv_error *err)
{
    const lv_pattern *pattern = &s->whole;
    if (lv_mass_block_count(s->mass) > 0) {
        LV_TRY(lv_schur_create(&s->schur, s->g_pattern, s->mass, err));
        pattern = lv_schur_pattern(s->schur);
        s->weighted = lv_arena_alloc(&s->arena, (size_t)lv_schur_weighted_size(s->schur) + 1,
                                     sizeof *s->weighted);
    } else {
        LV_TRY(whole_matrix(s, err));
        s->weighted = lv_arena_alloc(&s->arena, 1, sizeof *s->weighted);
    }
    s->rhs = lv_arena_alloc(&s->arena, (size_t)(s->n + s->m), sizeof *s->rhs);
    if (!s->weighted || !s->rhs)
        return lv_fail_memory(err);
    if (pattern->rows == 0)
        return LV_OK;
    LV_TRY(lv_linear_create(&s->linear, pattern, LV_BACK_END_AUTO, NULL, err));
    lv_linear_allow_redundancy(s->linear);
    return LV_OK;
}

lv_status lv_saddle_create(lv_saddle **result, const lv_pattern *mass_pattern,
                           const lv_pattern *g_pattern, const lv_mass *mass, lv_error *err)
{
    *result = NULL;
    lv_saddle *s = lv_memory_zeroed(1, sizeof *s);
    if (!s)
        return lv_fail_memory(err);
    s->mass_pattern = mass_pattern;
    s->g_pattern = g_pattern;
    s->mass = mass;
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
    lv_linear_free(s->linear);
    lv_arena_done(&s->arena);
    lv_memory_free(s);
}

static void assemble_whole(lv_saddle *s, const double *mass_values, const double *g_values)
{
    double *storage = lv_linear_storage(s->linear);
    const int *place = lv_linear_slots(s->linear), *slot = s->mass_slot;
    int masses = lv_pattern_entries(s->mass_pattern), gs = lv_pattern_entries(s->g_pattern);
    for (int e = 0; e < masses; e++)
        storage[place[*slot++]] += mass_values[e];
    for (int e = 0; e < gs; e++) {
        storage[place[*slot++]] += g_values[e];
        storage[place[*slot++]] -= g_values[e];
    }
}

bool lv_saddle_factor(lv_saddle *s, const double *mass_values, const double *g_values)
{
    if (!s->linear)
        return true;
    lv_linear_clear(s->linear);
    if (!s->schur) {
        assemble_whole(s, mass_values, g_values);
        return lv_linear_factor(s->linear);
    }
    lv_schur_weigh(s->schur, s->weighted, s->mass, g_values);
    lv_schur_add(s->schur, lv_linear_storage(s->linear), lv_linear_slots(s->linear), 1,
                 g_values, s->weighted);
    return lv_linear_factor(s->linear);
}

void lv_saddle_solve(lv_saddle *s, double *x, double *y)
{
    if (!s->schur) {
        memcpy(s->rhs, x, (size_t)s->n * sizeof *x);
        memcpy(s->rhs + s->n, y, (size_t)s->m * sizeof *y);
        if (s->linear)
            lv_linear_solve(s->linear, s->rhs);
        memcpy(x, s->rhs, (size_t)s->n * sizeof *x);
        memcpy(y, s->rhs + s->n, (size_t)s->m * sizeof *y);
        return;
    }
    /* y = Z^-1 (b - G M^-1 a): G M^-1 a with the weighted rows. x = M^-1 a + M^-1 G^T y. */
    lv_schur_apply(s->schur, s->rhs, s->weighted, x);
    for (int r = 0; r < s->m; r++)
        y[r] -= s->rhs[r];
    if (s->linear)
        lv_linear_solve(s->linear, y);
    lv_mass_solve(s->mass, x);
    lv_schur_spread(s->schur, x, 1, s->weighted, y);
}

int lv_saddle_redundant(const lv_saddle *s)
{
    return s->linear ? lv_linear_redundant(s->linear) : 0;
}

int lv_saddle_redundant_row(const lv_saddle *s, int k)
{
    int row = lv_linear_redundant_row(s->linear, k);
    return s->schur ? row : row - s->n;
}

double lv_saddle_worst(const lv_saddle *s, int *row)
{
    *row = 0;
    return s->linear ? lv_linear_worst_pivot(s->linear, row) : 1;
}

const lv_schur *lv_saddle_schur(const lv_saddle *s)
{
    return s->schur;
}
