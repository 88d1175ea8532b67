#include "step/cheap.h"

#include "base/chains.h"
#include "base/memory.h"
#include "num/dense.h"
#include "system/assembly.h"
#include "system/schur.h"
#include "system/sparse.h"

#include <math.h>
#include <string.h>

/* What a vector and a group of multipliers have to do with each other: in N^-1 B or in C, the sum of factors times G
 * at sites. All of these have one pattern, and are summed up where there are several. */
typedef struct joint {
    int vector, group;
    int site; /* of the first part */
    bool several;
    double factor;             /* of the sum, or of the only part */
    double *values, *weighted; /* G, G M^-1 */
} joint;

typedef LV_ARRAY(joint) joints;

typedef struct part {
    int joint, site;
    double factor;
} part;

/* N^-1 B or C. */
typedef struct half {
    joints joints;
    int *number; /* of a joint plus 1, vectors x groups */
    LV_ARRAY(part) parts;
    lv_chains known; /* parts by joint and site */
} half;

struct lv_cheap {
    lv_course *c;
    lv_phase *p;
    lv_arena arena;
    int vectors, groups; /* columns of both kinds */
    int *vector, *group; /* their columns */
    int *number;         /* of each column, among its kind */
    double *inverse;     /* N^-1, vectors x vectors */
    double *lu;
    int *pivot;
    double h; /* that N^-1 is for */
    half push, pull;
    lv_schur *schur;
    int sites;         /* those of the step */
    double **weighted; /* of each of them */
    bool points;       /* G itself serves as `weighted` */
    bool in_turn;      /* groups can be solved for one after the other */
    double *principal; /* groups x groups: the matrix for G = M = 1 */
    lv_assembly *matrix;
    int **slots;  /* [group][group] */
    bool settled; /* all joints are known */
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

/* Room for a joint is there or made when h is 1. */
static bool add_joint(lv_cheap *w, half *h, const joint *new)
{
    int *number = &h->number[new->vector * w->groups + new->group];
    if (*number == 0) {
        if (w->settled || !LV_PUSH(h->joints, *new))
            return false;
        *number = h->joints.count;
    }
    return true;
}

/* Adds factor times G at a site. */
static bool add_part(lv_cheap *w, half *h, joint new)
{
    if (new.factor == 0)
        return true;
    if (!add_joint(w, h, &new))
        return false;
    const int number = h->number[new.vector * w->groups + new.group] - 1;
    const unsigned key = lv_chains_mix(lv_chains_mix(1, number), new.site);
    for (int k = lv_chains_last(&h->known, key); k >= 0;
         k = lv_chains_before(&h->known, k))
        if (h->parts.data[k].joint == number && h->parts.data[k].site == new.site) {
            h->parts.data[k].factor += new.factor;
            return true;
        }
    joint *x = &h->joints.data[number];
    if (x->site != new.site && w->settled && !x->several)
        return false;
    x->several = x->several || x->site != new.site;
    return LV_PUSH(h->parts, ((part){number, new.site, new.factor})) &&
           lv_chains_add(&h->known, key);
}

static void clear_parts(half *h)
{
    h->parts.count = 0;
    lv_chains_clear(&h->known);
}

static void set_factors(half *h)
{
    for (int k = 0; k < h->parts.count; k++) {
        joint *x = &h->joints.data[h->parts.data[k].joint];
        x->factor = x->several ? 1 : h->parts.data[k].factor;
    }
}

/* Is this a block of C: G at a site, of a group by a vector? */
static bool is_row_block(const lv_cheap *w, const lv_block *b)
{
    return b->cheap && !w->p->columns.data[b->row].vector;
}

static bool find_parts(lv_cheap *w)
{
    const int n = w->vectors;
    bool good = true;
    clear_parts(&w->push);
    clear_parts(&w->pull);
    for (int k = 0; k < w->p->blocks.count && good; k++) {
        const lv_block *b = &w->p->blocks.data[k];
        const double factor = lv_block_factor(w->c, w->p, b);
        if (is_row_block(w, b)) {
            if (!b->second)
                good = add_part(w, &w->pull,
                                (joint){.vector = w->number[b->column],
                                        .group = w->number[b->row],
                                        .site = b->site,
                                        .factor = factor});
        } else if (b->cheap && !w->p->columns.data[b->column].vector) {
            for (int i = 0; i < n && good; i++)
                good = add_part(
                    w, &w->push,
                    (joint){.vector = i,
                            .group = w->number[b->column],
                            .site = b->site,
                            .factor = w->inverse[i * n + w->number[b->row]] * factor});
        }
    }
    set_factors(&w->push);
    set_factors(&w->pull);
    return good;
}

/* What is left of a joint for G = 1. */
static double principal_of(const half *h, int number)
{
    double sum = 0;
    for (int k = 0; k < h->parts.count; k++)
        sum += h->parts.data[k].joint == number ? h->parts.data[k].factor : 0;
    return sum;
}

static void find_principal(lv_cheap *w)
{
    memset(w->principal, 0, (size_t)(w->groups * w->groups) * sizeof *w->principal);
    for (int k = 0; k < w->pull.joints.count; k++)
        for (int s = 0; s < w->push.joints.count; s++) {
            const joint *pull = &w->pull.joints.data[k], *push = &w->push.joints.data[s];
            if (push->vector == pull->vector)
                w->principal[pull->group * w->groups + push->group] -=
                    principal_of(&w->pull, k) * principal_of(&w->push, s);
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
    if (!invert(w) || !find_parts(w))
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
    w->sites = w->c->sites.count;
    w->push.number = lv_arena_alloc(&w->arena, columns * columns, sizeof *w->push.number);
    w->pull.number = lv_arena_alloc(&w->arena, columns * columns, sizeof *w->pull.number);
    w->weighted = lv_arena_alloc(&w->arena, (size_t)w->sites + 1, sizeof *w->weighted);
    w->work = lv_arena_alloc(&w->arena, columns * (n + m) + 1, sizeof *w->work);
    w->lines = lv_arena_alloc(&w->arena, columns * m + 1, sizeof *w->lines);
    return w->vector && w->group && w->number && w->pivot && w->inverse && w->lu &&
                   w->principal && w->slots && w->push.number && w->pull.number &&
                   w->weighted && w->work && w->lines
               ? LV_OK
               : lv_fail_memory(err);
}

/* Which groups the equations of a group know. Numbers may cancel where gradients, at different points, do not. */
static bool *find_joined(lv_cheap *w)
{
    bool *joined =
        lv_arena_alloc(&w->arena, (size_t)(w->groups * w->groups) + 1, sizeof *joined);
    for (int k = 0; joined && k < w->pull.joints.count; k++)
        for (int s = 0; s < w->push.joints.count; s++) {
            const joint *pull = &w->pull.joints.data[k], *push = &w->push.joints.data[s];
            if (push->vector == pull->vector)
                joined[pull->group * w->groups + push->group] = true;
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

static double *room(lv_cheap *w, int count)
{
    return lv_arena_alloc(&w->arena, (size_t)count + 1, sizeof(double));
}

/* Where G and G M^-1 of a joint are. */
static bool place_joint(lv_cheap *w, joint *x, bool weighted)
{
    const int entries = lv_pattern_entries(w->c->pattern[LV_Q_JACOBIAN]),
              size = lv_schur_weighted_size(w->schur);
    x->values =
        x->several ? room(w, entries) : w->c->sites.data[x->site].storage[LV_Q_JACOBIAN];
    if (!weighted)
        return x->values != NULL;
    if (w->points) {
        x->weighted = x->values;
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
    for (int k = 0; k < w->push.joints.count; k++)
        if (!place_joint(w, &w->push.joints.data[k], true))
            return lv_fail_memory(err);
    for (int k = 0; k < w->pull.joints.count; k++)
        if (!place_joint(w, &w->pull.joints.data[k], false))
            return lv_fail_memory(err);
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
    w->settled = true;
    w->in_turn = is_triangular(w);
    return w->groups > 0 ? make_schur(w, err) : LV_OK;
}

lv_status lv_cheap_create(lv_cheap **result, lv_course *course, int phase, lv_error *err)
{
    *result = NULL;
    if (!fits(course, &course->phase[phase]))
        return LV_OK;
    lv_cheap *w = lv_memory_zeroed(1, sizeof *w);
    if (!w)
        return lv_fail_memory(err);
    w->c = course;
    w->p = &course->phase[phase];
    lv_status status = fill(w, err);
    if (status == LV_OK && w->vectors >= 0)
        *result = w;
    else
        lv_cheap_free(w);
    return status;
}

static void free_half(half *h)
{
    LV_ARRAY_FREE(h->joints);
    LV_ARRAY_FREE(h->parts);
    LV_ARRAY_FREE(h->known.before);
}

void lv_cheap_free(lv_cheap *w)
{
    if (!w)
        return;
    lv_assembly_free(w->matrix);
    lv_schur_free(w->schur);
    free_half(&w->push);
    free_half(&w->pull);
    lv_arena_done(&w->arena);
    lv_memory_free(w);
}

lv_linear *lv_cheap_linear(const lv_cheap *w)
{
    return w->matrix ? lv_assembly_linear(w->matrix) : NULL;
}

/* ---- the matrix --------------------------------------------------------------------------------------------- */

/* Sums of gradients at several sites. */
static void sum_up(lv_cheap *w, half *h)
{
    const int entries = lv_pattern_entries(w->c->pattern[LV_Q_JACOBIAN]);
    for (int k = 0; k < h->joints.count; k++)
        if (h->joints.data[k].several)
            memset(h->joints.data[k].values, 0, (size_t)entries * sizeof(double));
    for (int k = 0; k < h->parts.count; k++) {
        const part *p = &h->parts.data[k];
        const joint *x = &h->joints.data[p->joint];
        const double *g = w->c->sites.data[p->site].storage[LV_Q_JACOBIAN];
        for (int e = 0; x->several && e < entries; e++)
            x->values[e] += p->factor * g[e];
    }
    for (int k = 0; k < h->joints.count; k++) {
        const joint *x = &h->joints.data[k];
        if (x->several && x->weighted)
            lv_schur_weigh(w->schur, x->weighted, w->c->mass, x->values);
    }
}

static void add_products(lv_cheap *w, double *storage)
{
    for (int k = 0; k < w->pull.joints.count; k++) {
        const joint *pull = &w->pull.joints.data[k];
        if (w->in_turn && pull->group > 0)
            continue;
        for (int s = 0; s < w->push.joints.count; s++) {
            const joint *push = &w->push.joints.data[s];
            if (push->vector != pull->vector || (w->in_turn && push->group > 0))
                continue;
            lv_schur_add(w->schur, storage,
                         w->slots[pull->group * w->groups + push->group],
                         -pull->factor * push->factor, pull->values, push->weighted);
        }
    }
}

/* Tangency at one point: where the matrix is singular, the gradients there tell which of them depend on others. */
static bool factor_independent(lv_cheap *w, lv_linear *linear)
{
    const int site = w->push.joints.data[0].site;
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
    for (int s = 0; s < w->sites; s++)
        if (w->weighted[s])
            lv_schur_weigh(w->schur, w->weighted[s], w->c->mass,
                           w->c->sites.data[s].storage[LV_Q_JACOBIAN]);
    sum_up(w, &w->push);
    sum_up(w, &w->pull);
    lv_linear *linear = lv_assembly_linear(w->matrix);
    lv_assembly_clear(w->matrix);
    add_products(w, lv_linear_storage(linear));
    const int count = w->in_turn ? 1 : w->groups;
    for (int r = 0; gone && r < w->c->system->m; r++)
        for (int k = 0; k < count; k++)
            w->lines[r * count + k] = gone[r];
    if (!gone && w->p->linear && count == 1 && w->push.joints.count > 0)
        return factor_independent(w, linear);
    lv_linear_leave_out(linear, gone ? w->lines : NULL);
    return lv_linear_factor(linear);
}

/* ---- solving -------------------------------------------------------------------------------------------------- */

static double *vector_at(const lv_cheap *w, double *x, int vector)
{
    return x + w->p->columns.data[w->vector[vector]].offset;
}

static double *group_at(const lv_cheap *w, double *x, int group)
{
    return x + w->p->columns.data[w->group[group]].offset;
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

/* The right side of a group: s - C d. */
static void subtract_vectors(lv_cheap *w, double *x, int group)
{
    double *to = group_at(w, x, group);
    for (int k = 0; k < w->pull.joints.count; k++) {
        const joint *pull = &w->pull.joints.data[k];
        if (pull->group == group)
            subtract(w, w->c->pattern[LV_Q_JACOBIAN], pull->values, pull->factor,
                     vector_at(w, x, pull->vector), to);
    }
    for (int k = 0; k < w->p->blocks.count; k++) {
        const lv_block *b = &w->p->blocks.data[k];
        if (is_row_block(w, b) && b->second && w->number[b->row] == group)
            subtract(w, lv_course_pattern(w->c, b->matrix),
                     lv_course_values(w->c, b->matrix, b->site),
                     lv_block_factor(w->c, w->p, b),
                     x + w->p->columns.data[b->column].offset, to);
    }
}

/* d -= (N x M)^-1 B y for one group. */
static void spread(lv_cheap *w, double *x, int group)
{
    const double *y = group_at(w, x, group);
    for (int k = 0; k < w->push.joints.count; k++) {
        const joint *push = &w->push.joints.data[k];
        if (push->group == group)
            lv_schur_spread(w->schur, vector_at(w, x, push->vector), -push->factor,
                            push->weighted, y);
    }
}

static void solve_in_turn(lv_cheap *w, double *x)
{
    lv_linear *linear = lv_assembly_linear(w->matrix);
    for (int k = 0; k < w->groups; k++) {
        double *y = group_at(w, x, k);
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
    if (w->groups == 0)
        return;
    if (w->in_turn)
        solve_in_turn(w, x);
    else
        solve_together(w, x);
}
