#include "group/manifold.h"

#include <string.h>

#include "num/sum.h"

void lv_manifold_init(lv_manifold *m, lv_chart chart, lv_factor *factors, int count)
{
    *m = (lv_manifold){.factors = factors, .factor_count = count, .chart = chart};
    for (int k = 0; k < count; k++) {
        lv_factor *f = &factors[k];
        f->element = m->elements;
        f->tangent = m->tangents;
        m->elements += f->count * f->group->element;
        m->tangents += f->count * f->group->tangent;
    }
}

/* Does the chart add on this factor? Its copies then have one number each, and one loop does them all. */
static bool adds(const lv_manifold *m, const lv_factor *f)
{
    return f->group->adds[m->chart];
}

/* Offsets of copy c */
static int element_of(const lv_factor *f, int c)
{
    return f->element + c * f->group->element;
}

static int tangent_of(const lv_factor *f, int c)
{
    return f->tangent + c * f->group->tangent;
}

/* The numbers of a whole factor in an array of tangents */
static void copy_factor(const lv_factor *f, double *y, const double *w)
{
    const int n = f->count * f->group->tangent;
    memcpy(y + f->tangent, w + f->tangent, sizeof *y * (size_t)n);
}

void lv_manifold_move(const lv_manifold *m, double *moved, const double *q,
                      const double *x)
{
    for (int k = 0; k < m->factor_count; k++) {
        const lv_factor *f = &m->factors[k];
        if (adds(m, f)) {
            for (int c = 0; c < f->count; c++)
                moved[f->element + c] = q[f->element + c] + x[f->tangent + c];
            continue;
        }
        for (int c = 0; c < f->count; c++) {
            const int i = element_of(f, c);
            lv_lie_group_move(f->group, m->chart, moved + i, q + i, x + tangent_of(f, c));
        }
    }
}

void lv_manifold_move_carried(const lv_manifold *m, double *moved, double *moved_rest,
                              const double *q, const double *rest, const double *x)
{
    lv_manifold_move(m, moved, q, x);
    memset(moved_rest, 0, sizeof *moved_rest * (size_t)m->elements);
    for (int k = 0; k < m->factor_count; k++) {
        const lv_factor *f = &m->factors[k];
        if (!adds(m, f))
            continue;
        for (int c = 0; c < f->count; c++) {
            const int i = f->element + c;
            moved[i] = lv_sum_carry(&moved_rest[i], q[i], rest[i], x[f->tangent + c]);
        }
    }
}

void lv_manifold_D(const lv_manifold *m, double *y, const double *x, const double *e)
{
    for (int k = 0; k < m->factor_count; k++) {
        const lv_factor *f = &m->factors[k];
        if (adds(m, f)) {
            copy_factor(f, y, e);
            continue;
        }
        for (int c = 0; c < f->count; c++) {
            const int j = tangent_of(f, c);
            f->group->D(m->chart, y + j, x + j, e + j);
        }
    }
}

void lv_manifold_DT(const lv_manifold *m, double *y, const double *x, const double *w)
{
    for (int k = 0; k < m->factor_count; k++) {
        const lv_factor *f = &m->factors[k];
        if (adds(m, f)) {
            copy_factor(f, y, w);
            continue;
        }
        for (int c = 0; c < f->count; c++) {
            const int j = tangent_of(f, c);
            f->group->DT(m->chart, y + j, x + j, w + j);
        }
    }
}

void lv_manifold_DTm(const lv_manifold *m, double *y, const double *x, const double *w)
{
    for (int k = 0; k < m->factor_count; k++) {
        const lv_factor *f = &m->factors[k];
        if (adds(m, f)) {
            copy_factor(f, y, w);
            continue;
        }
        for (int c = 0; c < f->count; c++) {
            const int j = tangent_of(f, c);
            lv_lie_group_DTm(f->group, m->chart, y + j, x + j, w + j);
        }
    }
}

void lv_manifold_B(const lv_manifold *m, double *y, const double *x, const double *e,
                   const double *w)
{
    for (int k = 0; k < m->factor_count; k++) {
        const lv_factor *f = &m->factors[k];
        if (adds(m, f)) {
            memset(y + f->tangent, 0, sizeof *y * (size_t)f->count);
            continue;
        }
        for (int c = 0; c < f->count; c++) {
            const int j = tangent_of(f, c);
            f->group->B(m->chart, y + j, x + j, e + j, w + j);
        }
    }
}

void lv_manifold_space(const lv_manifold *m, double *y, const double *q, const double *w)
{
    for (int k = 0; k < m->factor_count; k++) {
        const lv_factor *f = &m->factors[k];
        if (f->group->commutes) {
            copy_factor(f, y, w);
            continue;
        }
        for (int c = 0; c < f->count; c++) {
            const int j = tangent_of(f, c);
            f->group->space(y + j, q + element_of(f, c), w + j);
        }
    }
}

void lv_manifold_body(const lv_manifold *m, double *y, const double *q, const double *w)
{
    for (int k = 0; k < m->factor_count; k++) {
        const lv_factor *f = &m->factors[k];
        if (f->group->commutes) {
            copy_factor(f, y, w);
            continue;
        }
        for (int c = 0; c < f->count; c++) {
            const int j = tangent_of(f, c);
            f->group->body(y + j, q + element_of(f, c), w + j);
        }
    }
}

void lv_manifold_between(const lv_manifold *m, double *x, const double *a,
                         const double *b)
{
    for (int k = 0; k < m->factor_count; k++) {
        const lv_factor *f = &m->factors[k];
        for (int c = 0; c < f->count; c++) {
            const int i = element_of(f, c);
            lv_lie_group_between(f->group, m->chart, x + tangent_of(f, c), a + i, b + i);
        }
    }
}

void lv_manifold_identity(const lv_manifold *m, double *q)
{
    for (int k = 0; k < m->factor_count; k++) {
        const lv_factor *f = &m->factors[k];
        const size_t size = sizeof *q * (size_t)f->group->element;
        for (int c = 0; c < f->count; c++)
            memcpy(q + element_of(f, c), f->group->identity, size);
    }
}
