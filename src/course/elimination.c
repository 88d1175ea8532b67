#include "course/elimination.h"

#include "course/blocks.h"
#include "num/dense.h"
#include "num/sparse.h"

#include <math.h>
#include <string.h>

static bool is_gradient(const lv_block *b)
{
    return b->matrix.quantity == LV_Q_JACOBIAN ||
           b->matrix.quantity == LV_Q_PAIR_JACOBIAN;
}

static bool is_same_pattern(const lv_pattern *a, const lv_pattern *b)
{
    const size_t entries = (size_t)lv_pattern_entries(a), rows = (size_t)a->rows;
    return a->rows == b->rows && a->columns == b->columns &&
           memcmp(a->start, b->start, (rows + 1) * sizeof *a->start) == 0 &&
           memcmp(a->column, b->column, entries * sizeof *a->column) == 0;
}

/* Whether the block is a matrix of the system alone, or a gradient by a vector that is
 * multiplied from the right by derivatives of group operators and keeps its pattern. */
static bool is_simple(const lv_course *c, const lv_block *b, bool gradient_by_vector)
{
    if (!b->dressing)
        return true;
    return gradient_by_vector && is_gradient(b) && !b->bare && b->left.count == 0 &&
           is_same_pattern(lv_dressing_pattern(b->dressing),
                           lv_course_pattern(c, b->matrix));
}

/* Only masses may couple vectors with vectors, only gradients vectors with multipliers of
 * holonomic constraints. */
bool lv_elimination_fits(const lv_course *c, const lv_phase *p)
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
        if (!is_simple(c, b, !row && column))
            return false;
        if (b->matrix.quantity == LV_Q_PAIR_JACOBIAN)
            return false;
    }
    return p->columns.count <= LV_ELIMINATED_MOST;
}

static void number_columns(lv_elimination *e)
{
    for (int k = 0; k < e->phase->columns.count; k++)
        if (e->phase->columns.data[k].vector) {
            e->number[k] = e->vectors;
            e->vector[e->vectors++] = k;
        } else {
            e->number[k] = e->groups;
            e->group[e->groups++] = k;
        }
}

static bool invert(lv_elimination *e)
{
    const int n = e->vectors;
    memset(e->lu, 0, (size_t)(n * n) * sizeof *e->lu);
    for (int k = 0; k < e->phase->blocks.count; k++) {
        const lv_block *b = &e->phase->blocks.data[k];
        if (b->cheap && b->site < 0)
            e->lu[e->number[b->row] * n + e->number[b->column]] +=
                lv_block_factor(e->course, e->phase, b);
    }
    if (n > 0 && !lv_lu_factor(e->lu, n, e->pivot))
        return false;
    for (int j = 0; j < n; j++) {
        double unit[LV_ELIMINATED_MOST] = {0};
        unit[j] = 1;
        lv_lu_solve(e->lu, n, e->pivot, unit);
        for (int i = 0; i < n; i++)
            e->inverse[i * n + j] = unit[i];
    }
    return true;
}

/* Finds or adds the coupling of a vector and a group. Couplings can be added only while
 * the elimination is created, for h = 1. */
static bool add_coupling(lv_elimination *e, lv_couplings *h, const lv_coupling *new)
{
    int *number = &h->number[new->vector * e->groups + new->group];
    if (*number == 0) {
        if (e->complete || !LV_PUSH(h->list, *new))
            return false;
        *number = h->list.count;
    }
    return true;
}

/* Adds new.factor times G at new.site to a coupling. Returns false without memory, or if
 * the coupling cannot take this part any more. */
static bool add_part(lv_elimination *e, lv_couplings *h, lv_coupling new)
{
    if (new.factor == 0)
        return true;
    if (!add_coupling(e, h, &new))
        return false;
    const int number = h->number[new.vector * e->groups + new.group] - 1;
    const unsigned key = lv_chains_mix(lv_chains_mix(1, number), new.site);
    for (int k = lv_chains_last(&h->known, key); k >= 0;
         k = lv_chains_before(&h->known, k))
        if (h->parts.data[k].coupling == number && h->parts.data[k].site == new.site &&
            h->parts.data[k].dressing == new.dressing) {
            h->parts.data[k].factor += new.factor;
            return true;
        }
    lv_coupling *x = &h->list.data[number];
    const bool other = x->site != new.site || x->dressing != new.dressing;
    if (other && e->complete && !x->several)
        return false;
    x->several = x->several || other;
    h->several = h->several || x->several;
    return LV_PUSH(h->parts,
                   ((lv_coupling_part){number, new.site, new.dressing, new.factor})) &&
           lv_chains_add(&h->known, key);
}

static void clear_parts(lv_couplings *h)
{
    h->parts.count = 0;
    lv_chains_clear(&h->known);
}

static void set_factors(lv_couplings *h)
{
    for (int k = 0; k < h->parts.count; k++) {
        lv_coupling *x = &h->list.data[h->parts.data[k].coupling];
        x->factor = x->several ? 1 : h->parts.data[k].factor;
    }
}

bool lv_elimination_is_row(const lv_elimination *e, const lv_block *b)
{
    return b->cheap && !e->phase->columns.data[b->row].vector;
}

static bool find_parts(lv_elimination *e)
{
    const int n = e->vectors;
    bool good = true;
    clear_parts(&e->push);
    clear_parts(&e->pull);
    for (int k = 0; k < e->phase->blocks.count && good; k++) {
        const lv_block *b = &e->phase->blocks.data[k];
        const double factor = lv_block_factor(e->course, e->phase, b);
        if (lv_elimination_is_row(e, b)) {
            if (!b->second)
                good = add_part(e, &e->pull,
                                (lv_coupling){.vector = e->number[b->column],
                                              .group = e->number[b->row],
                                              .site = b->site,
                                              .dressing = b->dressing,
                                              .factor = factor});
        } else if (b->cheap && !e->phase->columns.data[b->column].vector) {
            for (int i = 0; i < n && good; i++)
                good = add_part(
                    e, &e->push,
                    (lv_coupling){.vector = i,
                                  .group = e->number[b->column],
                                  .site = b->site,
                                  .factor =
                                      e->inverse[i * n + e->number[b->row]] * factor});
        }
    }
    set_factors(&e->push);
    set_factors(&e->pull);
    return good;
}

/* The value of a coupling for G = 1. */
static double principal_of(const lv_couplings *h, int number)
{
    double sum = 0;
    for (int k = 0; k < h->parts.count; k++)
        sum += h->parts.data[k].coupling == number ? h->parts.data[k].factor : 0;
    return sum;
}

static void find_principal(lv_elimination *e)
{
    memset(e->principal, 0, (size_t)(e->groups * e->groups) * sizeof *e->principal);
    for (int k = 0; k < e->pull.list.count; k++)
        for (int s = 0; s < e->push.list.count; s++) {
            const lv_coupling *pull = &e->pull.list.data[k],
                              *push = &e->push.list.data[s];
            if (push->vector == pull->vector)
                e->principal[pull->group * e->groups + push->group] -=
                    principal_of(&e->pull, k) * principal_of(&e->push, s);
        }
}

bool lv_elimination_is_triangular(const lv_elimination *e)
{
    const double rounding = 1e-13;
    for (int i = 0; i < e->groups; i++)
        for (int j = i + 1; j < e->groups; j++)
            if (fabs(e->principal[i * e->groups + j]) >
                rounding * fabs(e->principal[i * e->groups + i]))
                return false;
    return true;
}

bool lv_elimination_use_step(lv_elimination *e)
{
    if (e->h == e->course->h)
        return true;
    e->h = 0;
    if (!invert(e) || !find_parts(e))
        return false;
    find_principal(e);
    e->h = e->course->h;
    return true;
}

static bool elimination_make_room(lv_elimination *e, lv_arena *arena)
{
    const size_t columns = (size_t)e->phase->columns.count + 1;
    e->vector = lv_arena_alloc(arena, columns, sizeof *e->vector);
    e->group = lv_arena_alloc(arena, columns, sizeof *e->group);
    e->number = lv_arena_alloc(arena, columns, sizeof *e->number);
    e->pivot = lv_arena_alloc(arena, columns, sizeof *e->pivot);
    e->inverse = lv_arena_alloc(arena, columns * columns, sizeof *e->inverse);
    e->lu = lv_arena_alloc(arena, columns * columns, sizeof *e->lu);
    e->principal = lv_arena_alloc(arena, columns * columns, sizeof *e->principal);
    e->push.number = lv_arena_alloc(arena, columns * columns, sizeof *e->push.number);
    e->pull.number = lv_arena_alloc(arena, columns * columns, sizeof *e->pull.number);
    return e->vector && e->group && e->number && e->pivot && e->inverse && e->lu &&
           e->principal && e->push.number && e->pull.number;
}

lv_status lv_elimination_init(lv_elimination *e, bool *determined, lv_course *course,
                              const lv_phase *phase, lv_arena *arena, lv_error *err)
{
    *e = (lv_elimination){.course = course, .phase = phase};
    if (!elimination_make_room(e, arena))
        return lv_fail_memory(err);
    number_columns(e);
    lv_course_begin(course, 0, 1);
    *determined = lv_elimination_use_step(e);
    e->complete = true;
    return LV_OK;
}

static void couplings_done(lv_couplings *h)
{
    LV_ARRAY_FREE(h->list);
    LV_ARRAY_FREE(h->parts);
    LV_ARRAY_FREE(h->known.before);
}

void lv_elimination_done(lv_elimination *e)
{
    couplings_done(&e->push);
    couplings_done(&e->pull);
}
