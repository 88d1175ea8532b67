#include "step/cheap.h"

#include "base/memory.h"
#include "num/dense.h"
#include "system/assembly.h"
#include "system/schur.h"
#include "system/sparse.h"

#include <math.h>
#include <string.h>

/* A part of B: factor times G^T at a site, by a group of multipliers, in the equation of vector `vector`; with N^-1
 * applied. Parts of C are blocks as they are. */
typedef struct push {
    int vector, group, site;
    double factor;
} push;

struct lv_cheap {
    lv_course *c;
    lv_phase *p;
    lv_arena arena;
    const int *offset;
    int vectors, groups; /* columns of both kinds */
    int *vector, *group; /* their columns */
    int *number;         /* of each column, among its kind */
    double *inverse;     /* N^-1, vectors x vectors */
    double *lu;
    int *pivot;
    double h; /* that N^-1 is for */
    LV_ARRAY(push) pushes;
    lv_schur *schur;
    double **weighted; /* of each site */
    bool in_turn;      /* groups can be solved for one after the other */
    double *principal; /* groups x groups: the matrix for G = M = 1 */
    lv_assembly *matrix;
    int **slots; /* [group][group] */
    bool *lines;
    double *work; /* vectors x n, then groups x m */
};

enum { COLUMNS_MOST = 64 };

static bool is_gradient(const lv_block *b)
{
    return b->matrix.quantity == LV_Q_JACOBIAN ||
           b->matrix.quantity == LV_Q_PAIR_JACOBIAN;
}

/* Only masses join vectors, only gradients join vectors and multipliers of holonomic constraints. */
static bool fits(const lv_course *c, const lv_phase *p)
{
    if (!c->facts.mass_constant || !c->facts.mass_solvable ||
        c->sizes[LV_SPACE_ROLLING] > 0)
        return false;
    for (int k = 0; k < p->blocks.count; k++) {
        const lv_block *b = &p->blocks.data[k];
        const bool row = p->columns.data[b->row].vector,
                   column = p->columns.data[b->column].vector;
        if (!b->cheap)
            continue;
        if (row && column ? b->site >= 0 : row ? !is_gradient(b) : !column)
            return false;
        if (b->matrix.quantity == LV_Q_PAIR_JACOBIAN)
            return false;
    }
    return p->columns.count <= COLUMNS_MOST;
}

/* ---- numbers that depend on the step size ------------------------------------------------------------- */

static bool invert(lv_cheap *w)
{
    const int n = w->vectors;
    memset(w->lu, 0, (size_t)(n * n) * sizeof *w->lu);
    for (int k = 0; k < w->p->blocks.count; k++) {
        const lv_block *b = &w->p->blocks.data[k];
        if (b->cheap && b->site < 0)
            w->lu[w->number[b->row] * n + w->number[b->column]] +=
                lv_block_factor(w->c, w->p, b);
    }
    if (n > 0 && !lv_lu_factor(w->lu, n, w->pivot))
        return false;
    for (int j = 0; j < n; j++) {
        double unit[COLUMNS_MOST] = {0};
        unit[j] = 1;
        lv_lu_solve(w->lu, n, w->pivot, unit);
        for (int i = 0; i < n; i++)
            w->inverse[i * n + j] = unit[i];
    }
    return true;
}

/* N^-1 B, part by part. */
static bool find_pushes(lv_cheap *w)
{
    const int n = w->vectors;
    w->pushes.count = 0;
    for (int k = 0; k < w->p->blocks.count; k++) {
        const lv_block *b = &w->p->blocks.data[k];
        if (!b->cheap || !w->p->columns.data[b->row].vector ||
            w->p->columns.data[b->column].vector)
            continue;
        const double factor = lv_block_factor(w->c, w->p, b);
        for (int i = 0; i < n; i++) {
            const double x = w->inverse[i * n + w->number[b->row]] * factor;
            const push part = {i, w->number[b->column], b->site, x};
            bool found = x == 0;
            for (int s = 0; s < w->pushes.count && !found; s++) {
                push *old = &w->pushes.data[s];
                found = old->vector == part.vector && old->group == part.group &&
                        old->site == part.site;
                old->factor += found ? x : 0;
            }
            if (!found && !LV_PUSH(w->pushes, part))
                return false;
        }
    }
    return true;
}

/* Is this a block of C: G at a site, of a group by a vector? */
static bool is_row_block(const lv_cheap *w, const lv_block *b)
{
    return b->cheap && !w->p->columns.data[b->row].vector;
}

static void find_principal(lv_cheap *w)
{
    memset(w->principal, 0, (size_t)(w->groups * w->groups) * sizeof *w->principal);
    for (int k = 0; k < w->p->blocks.count; k++) {
        const lv_block *b = &w->p->blocks.data[k];
        if (!is_row_block(w, b) || b->second)
            continue;
        for (int s = 0; s < w->pushes.count; s++)
            if (w->pushes.data[s].vector == w->number[b->column])
                w->principal[w->number[b->row] * w->groups + w->pushes.data[s].group] -=
                    lv_block_factor(w->c, w->p, b) * w->pushes.data[s].factor;
    }
}

static bool is_triangular(const lv_cheap *w)
{
    const double rounding = 1e-13;
    for (int i = 0; i < w->groups; i++)
        for (int j = i + 1; j < w->groups; j++)
            if (fabs(w->principal[i * w->groups + j]) >
                rounding * fabs(w->principal[i * w->groups + i]))
                return false;
    return true;
}

/* All that depends on h; room was made when h was 1. */
static bool use_step(lv_cheap *w)
{
    if (w->h == w->c->h)
        return true;
    w->h = 0;
    if (!invert(w) || !find_pushes(w))
        return false;
    find_principal(w);
    w->h = w->c->h;
    return true;
}

/* ---- creation -------------------------------------------------------------------------------------------- */

static void number_columns(lv_cheap *w)
{
    for (int k = 0; k < w->p->columns.count; k++)
        if (w->p->columns.data[k].vector) {
            w->number[k] = w->vectors;
            w->vector[w->vectors++] = k;
        } else {
            w->number[k] = w->groups;
            w->group[w->groups++] = k;
        }
}

static lv_status make_room(lv_cheap *w, lv_error *err)
{
    const size_t columns = (size_t)w->p->columns.count + 1, n = (size_t)w->c->system->n,
                 m = (size_t)w->c->system->m;
    w->vector = lv_arena_alloc(&w->arena, columns, sizeof *w->vector);
    w->group = lv_arena_alloc(&w->arena, columns, sizeof *w->group);
    w->number = lv_arena_alloc(&w->arena, columns, sizeof *w->number);
    w->pivot = lv_arena_alloc(&w->arena, columns, sizeof *w->pivot);
    w->inverse = lv_arena_alloc(&w->arena, columns * columns, sizeof *w->inverse);
    w->lu = lv_arena_alloc(&w->arena, columns * columns, sizeof *w->lu);
    w->principal = lv_arena_alloc(&w->arena, columns * columns, sizeof *w->principal);
    w->slots = lv_arena_alloc(&w->arena, columns * columns, sizeof *w->slots);
    w->weighted =
        lv_arena_alloc(&w->arena, (size_t)w->c->sites.count + 1, sizeof *w->weighted);
    w->work = lv_arena_alloc(&w->arena, columns * (n + m) + 1, sizeof *w->work);
    w->lines = lv_arena_alloc(&w->arena, columns * m + 1, sizeof *w->lines);
    return w->vector && w->group && w->number && w->pivot && w->inverse && w->lu &&
                   w->principal && w->slots && w->weighted && w->work && w->lines
               ? LV_OK
               : lv_fail_memory(err);
}

/* Which groups the equations of a group know. Numbers may cancel where gradients, at different points, do not. */
static bool *find_joined(lv_cheap *w)
{
    bool *joined =
        lv_arena_alloc(&w->arena, (size_t)(w->groups * w->groups) + 1, sizeof *joined);
    for (int k = 0; joined && k < w->p->blocks.count; k++) {
        const lv_block *b = &w->p->blocks.data[k];
        for (int s = 0; s < w->pushes.count; s++)
            if (is_row_block(w, b) && w->pushes.data[s].vector == w->number[b->column])
                joined[w->number[b->row] * w->groups + w->pushes.data[s].group] = true;
    }
    return joined;
}

static lv_status make_matrix(lv_cheap *w, lv_error *err)
{
    const lv_pattern *z = lv_schur_pattern(w->schur);
    const int blocks = w->in_turn ? 1 : w->groups * w->groups,
              count = w->in_turn ? 1 : w->groups;
    bool *joined = find_joined(w);
    w->matrix = lv_assembly_create(count * w->c->system->m, blocks);
    if (!w->matrix || !joined)
        return lv_fail_memory(err);
    int number[COLUMNS_MOST * COLUMNS_MOST];
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            if (w->in_turn || joined[i * w->groups + j])
                number[i * count + j] =
                    lv_assembly_block(w->matrix, z, (lv_range_of){i, count},
                                      (lv_range_of){j, count}, false);
    LV_TRY(lv_assembly_finish(w->matrix, err));
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            if (w->in_turn || joined[i * w->groups + j]) {
                const int *slots = lv_assembly_slots(w->matrix, number[i * count + j]);
                w->slots[i * w->groups + j] = lv_arena_copy(
                    &w->arena, slots, (size_t)lv_pattern_entries(z), sizeof *slots);
                if (!w->slots[i * w->groups + j])
                    return lv_fail_memory(err);
            }
    return LV_OK;
}

static lv_status make_schur(lv_cheap *w, lv_error *err)
{
    const lv_pattern *g = w->c->pattern[LV_Q_JACOBIAN];
    LV_TRY(lv_schur_create(&w->schur, g, w->c->mass, err));
    const bool points = lv_schur_fix_mass(w->schur, w->c->mass);
    for (int s = 0; s < w->pushes.count; s++) {
        const int site = w->pushes.data[s].site;
        if (w->weighted[site])
            continue;
        w->weighted[site] =
            points
                ? w->c->sites.data[site].storage[LV_Q_JACOBIAN]
                : lv_arena_alloc(&w->arena, (size_t)lv_schur_weighted_size(w->schur) + 1,
                                 sizeof(double));
        if (!w->weighted[site])
            return lv_fail_memory(err);
    }
    return make_matrix(w, err);
}

static lv_status fill(lv_cheap *w, lv_error *err)
{
    LV_TRY(make_room(w, err));
    number_columns(w);
    lv_course_begin(w->c, 0, 1);
    if (!use_step(w)) {
        w->vectors = -1; /* masses alone do not determine the velocities */
        return LV_OK;
    }
    w->in_turn = is_triangular(w);
    return w->groups > 0 ? make_schur(w, err) : LV_OK;
}

lv_status lv_cheap_create(lv_cheap **result, lv_course *course, int phase,
                          const int *offset, lv_error *err)
{
    *result = NULL;
    if (!fits(course, &course->phase[phase]))
        return LV_OK;
    lv_cheap *w = lv_memory_zeroed(1, sizeof *w);
    if (!w)
        return lv_fail_memory(err);
    w->c = course;
    w->p = &course->phase[phase];
    w->offset = offset;
    lv_status status = fill(w, err);
    if (status == LV_OK && w->vectors >= 0)
        *result = w;
    else
        lv_cheap_free(w);
    return status;
}

void lv_cheap_free(lv_cheap *w)
{
    if (!w)
        return;
    lv_assembly_free(w->matrix);
    lv_schur_free(w->schur);
    LV_ARRAY_FREE(w->pushes);
    lv_arena_done(&w->arena);
    lv_memory_free(w);
}

lv_linear *lv_cheap_linear(const lv_cheap *w)
{
    return w->matrix ? lv_assembly_linear(w->matrix) : NULL;
}

/* ---- the matrix --------------------------------------------------------------------------------------------- */

static void add_products(lv_cheap *w, double *storage)
{
    for (int k = 0; k < w->p->blocks.count; k++) {
        const lv_block *b = &w->p->blocks.data[k];
        const int row = w->number[b->row];
        if (!is_row_block(w, b) || b->second || (w->in_turn && row > 0))
            continue;
        const double factor = lv_block_factor(w->c, w->p, b);
        const double *g = lv_course_values(w->c, b->matrix, b->site);
        for (int s = 0; s < w->pushes.count; s++) {
            const push *part = &w->pushes.data[s];
            if (part->vector != w->number[b->column] || (w->in_turn && part->group > 0))
                continue;
            lv_schur_add(w->schur, storage, w->slots[row * w->groups + part->group],
                         -factor * part->factor, g, w->weighted[part->site]);
        }
    }
}

/* Tangency at one point: where the matrix is singular, the gradients there tell which of them depend on others. */
static bool factor_independent(lv_cheap *w, lv_linear *linear)
{
    const int site = w->pushes.data[0].site;
    return lv_dependence_factor(w->c->system->dependence, linear, 0,
                                w->c->pattern[LV_Q_JACOBIAN],
                                w->c->sites.data[site].storage[LV_Q_JACOBIAN]);
}

bool lv_cheap_build(lv_cheap *w, const bool *gone)
{
    if (!use_step(w))
        return false;
    if (w->groups == 0)
        return true;
    for (int s = 0; s < w->c->sites.count; s++)
        if (w->weighted[s])
            lv_schur_weigh(w->schur, w->weighted[s], w->c->mass,
                           w->c->sites.data[s].storage[LV_Q_JACOBIAN]);
    lv_linear *linear = lv_assembly_linear(w->matrix);
    lv_assembly_clear(w->matrix);
    add_products(w, lv_linear_storage(linear));
    const int count = w->in_turn ? 1 : w->groups;
    for (int r = 0; gone && r < w->c->system->m; r++)
        for (int k = 0; k < count; k++)
            w->lines[r * count + k] = gone[r];
    if (!gone && w->p->linear && count == 1 && w->pushes.count > 0)
        return factor_independent(w, linear);
    lv_linear_leave_out(linear, gone ? w->lines : NULL);
    return lv_linear_factor(linear);
}

/* ---- solving -------------------------------------------------------------------------------------------------- */

static double *vector_at(const lv_cheap *w, double *x, int vector)
{
    return x + w->offset[w->vector[vector]];
}

/* d = (N x M)^-1 r */
static void solve_vectors(lv_cheap *w, double *x)
{
    const int n = w->c->system->n;
    for (int i = 0; i < w->vectors; i++)
        if (w->p->columns.data[w->vector[i]].unknown)
            lv_mass_solve(w->c->mass, vector_at(w, x, i));
    for (int i = 0; i < w->vectors; i++) {
        double *to = w->work + (ptrdiff_t)i * n;
        memset(to, 0, (size_t)n * sizeof *to);
        for (int j = 0; j < w->vectors; j++) {
            const double factor = w->inverse[i * w->vectors + j],
                         *from = vector_at(w, x, j);
            if (factor == 0 || !w->p->columns.data[w->vector[j]].unknown)
                continue;
            for (int k = 0; k < n; k++)
                to[k] += factor * from[k];
        }
    }
    for (int i = 0; i < w->vectors; i++)
        memcpy(vector_at(w, x, i), w->work + (ptrdiff_t)i * n, (size_t)n * sizeof *x);
}

/* The right side of a group: s - C d. */
static void subtract_vectors(lv_cheap *w, double *x, int group)
{
    double *to = x + w->offset[w->group[group]];
    for (int k = 0; k < w->p->blocks.count; k++) {
        const lv_block *b = &w->p->blocks.data[k];
        if (!is_row_block(w, b) || w->number[b->row] != group)
            continue;
        const lv_pattern *pattern = lv_course_pattern(w->c, b->matrix);
        const lv_pattern rows = {.rows = w->c->system->m,
                                 .columns = pattern->columns,
                                 .start = pattern->start,
                                 .column = pattern->column,
                                 .threes = pattern->threes};
        lv_sparse_multiply(&rows, lv_course_values(w->c, b->matrix, b->site),
                           -lv_block_factor(w->c, w->p, b), x + w->offset[b->column], to);
    }
}

/* d -= (N x M)^-1 B y for one group. */
static void spread(lv_cheap *w, double *x, int group)
{
    const double *y = x + w->offset[w->group[group]];
    for (int s = 0; s < w->pushes.count; s++) {
        const push *part = &w->pushes.data[s];
        if (part->group == group)
            lv_schur_spread(w->schur, vector_at(w, x, part->vector), -part->factor,
                            w->weighted[part->site], y);
    }
}

static void solve_in_turn(lv_cheap *w, double *x)
{
    lv_linear *linear = lv_assembly_linear(w->matrix);
    for (int k = 0; k < w->groups; k++) {
        double *y = x + w->offset[w->group[k]];
        const double scale = w->principal[0] / w->principal[k * w->groups + k];
        subtract_vectors(w, x, k);
        lv_linear_solve(linear, y);
        for (int r = 0; k > 0 && r < w->c->system->m; r++)
            y[r] *= scale;
        spread(w, x, k);
    }
}

static void solve_together(lv_cheap *w, double *x)
{
    const int m = w->c->system->m, count = w->groups;
    double *y = w->work;
    for (int k = 0; k < count; k++) {
        subtract_vectors(w, x, k);
        for (int r = 0; r < m; r++)
            y[r * count + k] = x[w->offset[w->group[k]] + r];
    }
    lv_linear_solve(lv_assembly_linear(w->matrix), y);
    for (int k = 0; k < count; k++) {
        for (int r = 0; r < m; r++)
            x[w->offset[w->group[k]] + r] = y[r * count + k];
        spread(w, x, k);
    }
}

void lv_cheap_solve(lv_cheap *w, double *x)
{
    solve_vectors(w, x);
    if (w->groups == 0)
        return;
    if (w->in_turn)
        solve_in_turn(w, x);
    else
        solve_together(w, x);
}
