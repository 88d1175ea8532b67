#include "course/cheap.h"

#include "base/memory.h"
#include "course/blocks.h"
#include "course/elimination.h"
#include "num/sparse.h"
#include "system/assembly.h"
#include "system/schur.h"

#include <string.h>

struct lv_cheap {
    lv_course *c;
    const lv_phase *p;
    lv_arena arena;
    lv_elimination e;
    lv_schur *schur;
    int sites;         /* number of sites of the step */
    double **weighted; /* by site: G M^-1; NULL: not needed */
    bool points;       /* G itself serves as `weighted` */
    bool in_turn;      /* groups are solved for one after the other */
    lv_assembly *matrix;
    int **slots;  /* [group][group]: where the entries of Z are stored in `matrix` */
    bool *lines;  /* work space: by line of `matrix`, whether it is left out */
    double *work; /* work space: pieces of vectors, or groups x m */
    bool *wanted; /* by push: whether anything reads what it adds to its vector */
    /* by vector: its values have been set; otherwise it is 0 */
    bool known[LV_ELIMINATED_MOST];
};

/* ---- creation ---------------------------------------------------------------------- */

/* Vectors are combined in pieces of this length, which fit into the nearest cache. */
enum { PIECE = 256 };

static lv_status cheap_make_room(lv_cheap *w, lv_error *err)
{
    const size_t columns = (size_t)w->p->columns.count + 1,
                 m = (size_t)w->c->system->m + PIECE;
    w->slots = lv_arena_alloc(&w->arena, columns * columns, sizeof *w->slots);
    w->sites = w->c->sites.count;
    w->weighted = lv_arena_alloc(&w->arena, (size_t)w->sites + 1, sizeof *w->weighted);
    w->work = lv_arena_alloc(&w->arena, columns * m, sizeof *w->work);
    w->lines = lv_arena_alloc(&w->arena, columns * m + 1, sizeof *w->lines);
    return w->slots && w->weighted && w->work && w->lines ? LV_OK : lv_fail_memory(err);
}

/* [group][group]: whether the equations of the first depend on the second. The numbers in
 * `principal` are no guide: they may cancel although gradients at different points do
 * not. */
static bool *find_joined(lv_cheap *w)
{
    bool *joined = lv_arena_alloc(&w->arena, (size_t)(w->e.groups * w->e.groups) + 1,
                                  sizeof *joined);
    for (int k = 0; joined && k < w->e.pull.list.count; k++)
        for (int s = 0; s < w->e.push.list.count; s++) {
            const lv_coupling *pull = &w->e.pull.list.data[k],
                              *push = &w->e.push.list.data[s];
            if (push->vector == pull->vector)
                joined[pull->group * w->e.groups + push->group] = true;
        }
    return joined;
}

/* Constraints that keep the axes of a body orthonormal meet others only at this body, so
 * that their multipliers are eliminated body by body. */
static lv_status declare_inner(lv_cheap *w, int count, lv_error *err)
{
    const int m = w->c->system->m;
    bool any = false;
    bool *inner = lv_arena_alloc(&w->arena, (size_t)(m * count) + 1, sizeof *inner);
    if (!inner)
        return lv_fail_memory(err);
    for (int r = 0; r < m; r++) {
        const bool is = lv_model_constraint_is_inner(w->c->system->model, r);
        for (int k = 0; k < count; k++)
            inner[r * count + k] = is;
        any = any || is;
    }
    if (any)
        lv_assembly_inner(w->matrix, inner);
    return LV_OK;
}

static lv_status make_matrix(lv_cheap *w, lv_error *err)
{
    const lv_pattern *z = lv_schur_pattern(w->schur);
    const int blocks = w->in_turn ? 1 : w->e.groups * w->e.groups,
              count = w->in_turn ? 1 : w->e.groups;
    bool *joined = find_joined(w);
    w->matrix = lv_assembly_create(count * w->c->system->m, blocks);
    if (!w->matrix || !joined)
        return lv_fail_memory(err);
    LV_TRY(declare_inner(w, count, err));
    int number[LV_ELIMINATED_MOST * LV_ELIMINATED_MOST];
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            if (w->in_turn || joined[i * w->e.groups + j])
                number[i * count + j] =
                    lv_assembly_block(w->matrix, z, (lv_range_of){i, count},
                                      (lv_range_of){j, count}, false);
    LV_TRY(lv_assembly_finish(w->matrix, err));
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            if (w->in_turn || joined[i * w->e.groups + j]) {
                const int *slots = lv_assembly_slots(w->matrix, number[i * count + j]);
                w->slots[i * w->e.groups + j] = lv_arena_copy(
                    &w->arena, slots, (size_t)lv_pattern_entries(z), sizeof *slots);
                if (!w->slots[i * w->e.groups + j])
                    return lv_fail_memory(err);
            }
    return LV_OK;
}

static double *room(lv_cheap *w, int count)
{
    return lv_arena_alloc(&w->arena, (size_t)count + 1, sizeof(double));
}

/* Sets where G and, if `weighted`, G M^-1 of a coupling are stored. */
static bool place_coupling(lv_cheap *w, lv_coupling *x, bool weighted)
{
    const int entries = lv_pattern_entries(w->c->pattern[LV_Q_JACOBIAN]),
              size = lv_schur_weighted_size(w->schur);
    x->sum = x->several ? room(w, entries) : NULL;
    x->values = x->several ? x->sum : w->c->sites.data[x->site].storage[LV_Q_JACOBIAN];
    if (!weighted)
        return x->values != NULL;
    if (w->points) {
        x->weighted =
            x->several ? x->sum : w->c->sites.data[x->site].storage[LV_Q_JACOBIAN];
    } else if (x->several) {
        x->weighted = room(w, size);
    } else {
        if (!w->weighted[x->site])
            w->weighted[x->site] = room(w, size);
        x->weighted = w->weighted[x->site];
    }
    return x->values && x->weighted;
}

static lv_status make_schur(lv_cheap *w, lv_error *err)
{
    LV_TRY(lv_schur_create(&w->schur, w->c->pattern[LV_Q_JACOBIAN], w->c->mass, err));
    w->points = lv_schur_fix_mass(w->schur, w->c->mass);
    for (int k = 0; k < w->e.push.list.count; k++)
        if (!place_coupling(w, &w->e.push.list.data[k], true))
            return lv_fail_memory(err);
    for (int k = 0; k < w->e.pull.list.count; k++)
        if (!place_coupling(w, &w->e.pull.list.data[k], false))
            return lv_fail_memory(err);
    return make_matrix(w, err);
}

/* Whether anything reads the vector of a push after its group was solved for. In linear
 * phases corrections of defined vectors are not measured. */
static bool is_read_later(const lv_cheap *w, const lv_coupling *push)
{
    const int column = w->e.vector[push->vector];
    bool read = !w->p->linear || w->p->columns.data[column].unknown;
    for (int k = 0; k < w->p->blocks.count && !read; k++) {
        const lv_block *b = &w->p->blocks.data[k];
        read = lv_elimination_is_row(&w->e, b) && b->column == column &&
               w->e.number[b->row] > push->group;
    }
    return read;
}

static lv_status find_wanted(lv_cheap *w, lv_error *err)
{
    w->wanted =
        lv_arena_alloc(&w->arena, (size_t)w->e.push.list.count + 1, sizeof *w->wanted);
    if (!w->wanted)
        return lv_fail_memory(err);
    for (int k = 0; k < w->e.push.list.count; k++)
        w->wanted[k] = is_read_later(w, &w->e.push.list.data[k]);
    return LV_OK;
}

static lv_status cheap_fill(lv_cheap *w, bool *determined, lv_error *err)
{
    LV_TRY(lv_elimination_init(&w->e, determined, w->c, w->p, &w->arena, err));
    LV_TRY(cheap_make_room(w, err));
    LV_TRY(find_wanted(w, err));
    w->in_turn = *determined && lv_elimination_is_triangular(&w->e);
    return *determined && w->e.groups > 0 ? make_schur(w, err) : LV_OK;
}

lv_status lv_cheap_create(lv_cheap **result, lv_course *course, int phase, lv_error *err)
{
    *result = NULL;
    if (!lv_elimination_fits(course, &course->phase[phase]))
        return LV_OK;
    lv_cheap *w = lv_memory_zeroed(1, sizeof *w);
    if (!w)
        return lv_fail_memory(err);
    w->c = course;
    w->p = &course->phase[phase];
    bool determined = false;
    const lv_status status = cheap_fill(w, &determined, err);
    if (status == LV_OK && determined)
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
    lv_elimination_done(&w->e);
    lv_arena_done(&w->arena);
    lv_memory_free(w);
}

bool lv_cheap_renew(lv_cheap *w)
{
    return !w->schur || lv_schur_fix_mass(w->schur, w->c->mass) == w->points;
}

lv_linear *lv_cheap_linear(const lv_cheap *w)
{
    return w->matrix ? lv_assembly_linear(w->matrix) : NULL;
}

/* ---- the matrix -------------------------------------------------------------------- */

/* The gradients at a site; on groups multiplied by the derivatives on their right. */
static const double *gradient_at(const lv_cheap *w, int site, lv_dressing *dressing)
{
    const double *g = w->c->sites.data[site].storage[LV_Q_JACOBIAN];
    return dressing ? lv_dressing_values(dressing, w->c->factors.data, g) : g;
}

static void dress(const lv_cheap *w, lv_couplings *h)
{
    for (int k = 0; k < h->list.count; k++) {
        lv_coupling *x = &h->list.data[k];
        if (x->dressing && !x->several)
            x->values = gradient_at(w, x->site, x->dressing);
    }
}

/* Computes the couplings that are sums of gradients at several sites. */
static void sum_up(lv_cheap *w, lv_couplings *h)
{
    const int entries = lv_pattern_entries(w->c->pattern[LV_Q_JACOBIAN]);
    if (!h->several)
        return;
    for (int k = 0; k < h->list.count; k++)
        if (h->list.data[k].several)
            memset(h->list.data[k].sum, 0, (size_t)entries * sizeof(double));
    for (int k = 0; k < h->parts.count; k++) {
        const lv_coupling_part *p = &h->parts.data[k];
        const lv_coupling *x = &h->list.data[p->coupling];
        if (!x->several)
            continue;
        const double *g = gradient_at(w, p->site, p->dressing);
        for (int e = 0; e < entries; e++)
            x->sum[e] += p->factor * g[e];
    }
    for (int k = 0; k < h->list.count; k++) {
        const lv_coupling *x = &h->list.data[k];
        if (x->several && x->weighted)
            lv_schur_weigh(w->schur, x->weighted, w->c->mass, x->values);
    }
}

static void add_products(lv_cheap *w, double *storage)
{
    for (int k = 0; k < w->e.pull.list.count; k++) {
        const lv_coupling *pull = &w->e.pull.list.data[k];
        if (w->in_turn && pull->group > 0)
            continue;
        for (int s = 0; s < w->e.push.list.count; s++) {
            const lv_coupling *push = &w->e.push.list.data[s];
            if (push->vector != pull->vector || (w->in_turn && push->group > 0))
                continue;
            lv_schur_add(w->schur, storage,
                         w->slots[pull->group * w->e.groups + push->group],
                         -pull->factor * push->factor, pull->values, push->weighted);
        }
    }
}

/* Factors the matrix of tangency at one point. If it is singular, the gradients there
 * tell which of them depend on others. */
static bool factor_independent(lv_cheap *w, lv_linear *linear)
{
    const int site = w->e.push.list.data[0].site;
    return lv_dependence_factor(w->c->system->dependence, linear, 0,
                                w->c->pattern[LV_Q_JACOBIAN],
                                w->c->sites.data[site].storage[LV_Q_JACOBIAN]);
}

/* The number of groups that are solved for together. */
static int group_count(const lv_cheap *w)
{
    return w->in_turn ? 1 : w->e.groups;
}

/* The lines of constraint rows that are left out; NULL: none. */
static const bool *lines_left_out(lv_cheap *w, const bool *gone)
{
    const int count = group_count(w);
    for (int r = 0; gone && r < w->c->system->m; r++)
        for (int k = 0; k < count; k++)
            w->lines[r * count + k] = gone[r];
    return gone ? w->lines : NULL;
}

bool lv_cheap_build(lv_cheap *w, const bool *gone)
{
    if (!lv_elimination_use_step(&w->e))
        return false;
    if (w->e.groups == 0)
        return true;
    for (int s = 0; s < w->sites; s++)
        if (w->weighted[s])
            lv_schur_weigh(w->schur, w->weighted[s], w->c->mass,
                           w->c->sites.data[s].storage[LV_Q_JACOBIAN]);
    dress(w, &w->e.pull);
    sum_up(w, &w->e.push);
    sum_up(w, &w->e.pull);
    lv_linear *linear = lv_assembly_linear(w->matrix);
    lv_assembly_clear(w->matrix);
    add_products(w, lv_linear_storage(linear));
    if (!gone && w->p->linear && group_count(w) == 1 && w->e.push.list.count > 0)
        return factor_independent(w, linear);
    lv_linear_leave_out(linear, lines_left_out(w, gone));
    return lv_linear_factor(linear);
}

lv_status lv_cheap_expect_left_out(lv_cheap *w, const bool *rows, lv_error *err)
{
    return w->matrix ? lv_linear_expect_left_out(lv_assembly_linear(w->matrix),
                                                 lines_left_out(w, rows), err)
                     : LV_OK;
}

/* ---- solving ----------------------------------------------------------------------- */

static double *vector_at(const lv_cheap *w, double *x, int vector)
{
    return x + w->p->columns.data[w->e.vector[vector]].offset;
}

static double *group_at(const lv_cheap *w, double *x, int group)
{
    return x + w->p->columns.data[w->e.group[group]].offset;
}

static bool is_unknown(const lv_cheap *w, int vector)
{
    return w->p->columns.data[w->e.vector[vector]].unknown;
}

/* to = the sum of factors times M^-1 r over the unknowns, for vector i and `length`
 * numbers from index `from` on. x has M^-1 r already. */
static void sum_piece(const lv_cheap *w, double *restrict to, double *x, int i, int from,
                      int length)
{
    bool any = false;
    for (int j = 0; j < w->e.vectors; j++) {
        const double factor = w->e.inverse[i * w->e.vectors + j],
                     *r = vector_at(w, x, j) + from;
        if (factor == 0 || !is_unknown(w, j))
            continue;
        for (int k = 0; k < length; k++)
            to[k] = (any ? to[k] : 0) + factor * r[k];
        any = true;
    }
}

static void combine_piece(lv_cheap *w, double *x, int from, int length)
{
    for (int i = 0; i < w->e.vectors; i++)
        if (w->known[i])
            sum_piece(w, w->work + (ptrdiff_t)i * PIECE, x, i, from, length);
    for (int i = 0; i < w->e.vectors; i++)
        if (w->known[i])
            memcpy(vector_at(w, x, i) + from, w->work + (ptrdiff_t)i * PIECE,
                   (size_t)length * sizeof *x);
}

/* d = (N x M)^-1 r. Vectors that depend on no unknown are 0 and are not set. */
static void solve_vectors(lv_cheap *w, double *x)
{
    const int n = w->c->system->n;
    bool any = false;
    for (int i = 0; i < w->e.vectors; i++) {
        w->known[i] = false;
        for (int j = 0; j < w->e.vectors; j++)
            w->known[i] = w->known[i] ||
                          (is_unknown(w, j) && w->e.inverse[i * w->e.vectors + j] != 0);
        any = any || w->known[i];
        if (is_unknown(w, i))
            lv_mass_solve(w->c->mass, vector_at(w, x, i));
    }
    for (int from = 0; any && from < n; from += PIECE)
        combine_piece(w, x, from, n - from < PIECE ? n - from : PIECE);
}

static void clear_rest(const lv_cheap *w, double *x)
{
    for (int i = 0; i < w->e.vectors; i++)
        if (!w->known[i])
            memset(vector_at(w, x, i), 0, (size_t)w->c->system->n * sizeof *x);
}

/* y -= factor G x */
static void subtract(lv_cheap *w, const lv_pattern *pattern, const double *values,
                     double factor, const double *x, double *y)
{
    const lv_pattern rows = {.rows = w->c->system->m,
                             .columns = pattern->columns,
                             .start = pattern->start,
                             .column = pattern->column,
                             .threes = pattern->threes};
    lv_sparse_multiply(&rows, values, -factor, x, y);
}

/* Computes the right side of a group, s - C d. */
static void subtract_vectors(lv_cheap *w, double *x, int group)
{
    double *to = group_at(w, x, group);
    for (int k = 0; k < w->e.pull.list.count; k++) {
        const lv_coupling *pull = &w->e.pull.list.data[k];
        if (pull->group == group && w->known[pull->vector])
            subtract(w, w->c->pattern[LV_Q_JACOBIAN], pull->values, pull->factor,
                     vector_at(w, x, pull->vector), to);
    }
    for (int k = 0; k < w->p->blocks.count; k++) {
        const lv_block *b = &w->p->blocks.data[k];
        if (lv_elimination_is_row(&w->e, b) && b->second &&
            w->e.number[b->row] == group && w->known[w->e.number[b->column]])
            subtract(w, lv_course_pattern(w->c, b->matrix),
                     lv_course_values(w->c, b->matrix, b->site),
                     lv_block_factor(w->c, w->p, b),
                     x + w->p->columns.data[b->column].offset, to);
    }
}

/* Adds the result of a push to its vector, and to all other vectors for which it is a
 * multiple of that. */
static void spread_alike(lv_cheap *w, double *x, int first)
{
    lv_column_target to[LV_ELIMINATED_MOST];
    const lv_coupling *list = w->e.push.list.data;
    int count = 0;
    for (int k = first; k < w->e.push.list.count; k++) {
        const lv_coupling *push = &list[k];
        if (push->group != list[first].group || push->weighted != list[first].weighted ||
            !w->wanted[k])
            continue;
        to[count++] = (lv_column_target){vector_at(w, x, push->vector), -push->factor,
                                         w->known[push->vector]};
        w->known[push->vector] = true;
    }
    lv_schur_spread(w->schur, to, count, list[first].weighted,
                    group_at(w, x, list[first].group));
}

/* d -= (N x M)^-1 B y for one group. */
static void spread(lv_cheap *w, double *x, int group)
{
    const lv_coupling *list = w->e.push.list.data;
    for (int k = 0; k < w->e.push.list.count; k++) {
        bool done = list[k].group != group || !w->wanted[k];
        for (int j = 0; j < k && !done; j++)
            done = list[j].group == group && list[j].weighted == list[k].weighted &&
                   w->wanted[j];
        if (!done)
            spread_alike(w, x, k);
    }
}

static void solve_in_turn(lv_cheap *w, double *x)
{
    lv_linear *linear = lv_assembly_linear(w->matrix);
    for (int k = 0; k < w->e.groups; k++) {
        double *y = group_at(w, x, k);
        const double scale = w->e.principal[0] / w->e.principal[k * w->e.groups + k];
        subtract_vectors(w, x, k);
        lv_linear_solve(linear, y);
        for (int r = 0; k > 0 && r < w->c->system->m; r++)
            y[r] *= scale;
        spread(w, x, k);
    }
}

static void solve_together(lv_cheap *w, double *x)
{
    const int m = w->c->system->m, count = w->e.groups;
    double *y = w->work;
    for (int k = 0; k < count; k++) {
        subtract_vectors(w, x, k);
        for (int r = 0; r < m; r++)
            y[r * count + k] = group_at(w, x, k)[r];
    }
    lv_linear_solve(lv_assembly_linear(w->matrix), y);
    for (int k = 0; k < count; k++) {
        for (int r = 0; r < m; r++)
            group_at(w, x, k)[r] = y[r * count + k];
        spread(w, x, k);
    }
}

void lv_cheap_solve(lv_cheap *w, double *x)
{
    solve_vectors(w, x);
    if (w->in_turn && w->e.groups > 0)
        solve_in_turn(w, x);
    else if (w->e.groups > 0)
        solve_together(w, x);
    if (!w->p->linear)
        clear_rest(w, x);
}
