#include "group/free.h"

#include "base/inline.h"
#include "group/group.h"
#include "group/quaternion.h"
#include "group/so3.h"
#include "num/rotation.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* The axis of symmetry is the one for which the other two moments of inertia differ
 * least. */
void lv_free_body_init(lv_free_body *b, const double m[9])
{
    const double matrix[6] = {m[0], m[4], m[8], m[1], m[2], m[5]};
    double values[3], axes[9], least = INFINITY;
    int third = 2;
    lv_symmetric_axes(values, axes, matrix);
    for (int k = 2; k >= 0; k--) {
        const double apart = fabs(1 / values[(k + 2) % 3] - 1 / values[(k + 1) % 3]);
        if (!(apart < least))
            continue;
        least = apart;
        third = k;
    }
    for (int i = 0; i < 3; i++) {
        const int from = (third + 1 + i) % 3;
        b->inertia[i] = values[from];
        for (int k = 0; k < 3; k++)
            b->axes[3 * i + k] = axes[3 * from + k];
    }
    b->spin = 1 / b->inertia[2] - 1 / b->inertia[0];
    b->beside = 1 / b->inertia[1] - 1 / b->inertia[0];
    if (fabs(b->beside) * b->inertia[0] < 1e-14)
        b->beside = 0;
}

/* Axes of rotations: that of symmetry, and the one about which a body without symmetry turns before and after. */
enum { BESIDE = 1, SYMMETRY = 2 };

/* A rotation about an axis. */
typedef struct turn {
    double angle, cosine, sine;
} turn;

/* The factors of a rotation, in principal axes. Momenta are multiplied by h. */
typedef struct parts {
    double momentum[3]
                   [3]; /* at the start, after the first rotation, before the last one */
    double about[3];    /* the second one is exp(about) */
    turn turns[3];      /* the others, about BESIDE, SYMMETRY and BESIDE */
} parts;

static turn turn_about(double angle)
{
    const bool none = angle == 0;
    return (turn){angle, none ? 1 : cos(angle), none ? 0 : sin(angle)};
}

LV_INLINE void turn_back(double y[3], const double a[3], const turn *t, int axis)
{
    const int i = (axis + 1) % 3, k = (axis + 2) % 3;
    const double c = t->cosine, s = t->sine, u = a[i], v = a[k];
    y[axis] = a[axis];
    y[i] = c * u + s * v;
    y[k] = c * v - s * u;
}

LV_INLINE void momentum_of(double momentum[3], const lv_free_body *b, const double x[3])
{
    for (int i = 0; i < 3; i++)
        momentum[i] = b->inertia[i] * lv_v3_dot(b->axes + 3 * (ptrdiff_t)i, x);
}

LV_INLINE void find_about(double about[3], const lv_free_body *b,
                          const double momentum[3])
{
    const double inverse = 1 / b->inertia[0];
    for (int i = 0; i < 3; i++)
        about[i] = momentum[i] * inverse;
}

/* Of symmetric bodies the first and the last rotation are 1, and their parts are not set. */
LV_INLINE void find_parts(parts *p, const lv_free_body *b, const double x[3],
                          bool symmetric)
{
    momentum_of(p->momentum[0], b, x);
    if (symmetric) {
        lv_v3_copy(p->momentum[1], p->momentum[0]);
    } else {
        p->turns[0] = turn_about(0.5 * b->beside * p->momentum[0][1]);
        turn_back(p->momentum[1], p->momentum[0], &p->turns[0], BESIDE);
    }
    find_about(p->about, b, p->momentum[1]);
    p->turns[1] = turn_about(b->spin * p->momentum[1][2]);
    if (symmetric)
        return;
    turn_back(p->momentum[2], p->momentum[1], &p->turns[1], SYMMETRY);
    p->turns[2] = turn_about(0.5 * b->beside * p->momentum[2][1]);
}

/* g = g times a rotation about an axis */
LV_INLINE void turn_by(double g[4], double angle, int axis)
{
    if (angle == 0)
        return;
    double by[4] = {cos(0.5 * angle)}, product[4];
    by[1 + axis] = sin(0.5 * angle);
    lv_quaternion_product(product, g, by);
    for (int i = 0; i < 4; i++)
        g[i] = product[i];
}

static void turn_symmetric(const lv_free_body *b, double g[4], const double x[3])
{
    double momentum[3], about[3];
    momentum_of(momentum, b, x);
    find_about(about, b, momentum);
    lv_so3_exp(g, about);
    turn_by(g, b->spin * momentum[2], SYMMETRY);
}

static void turn_other(const lv_free_body *b, double g[4], const double x[3])
{
    parts p;
    double first[4] = {1, 0, 0, 0}, second[4];
    find_parts(&p, b, x, false);
    turn_by(first, p.turns[0].angle, BESIDE);
    lv_so3_exp(second, p.about);
    lv_quaternion_product(g, first, second);
    turn_by(g, p.turns[1].angle, SYMMETRY);
    turn_by(g, p.turns[2].angle, BESIDE);
}

void lv_free_body_turn(const lv_free_body *b, double g[4], const double x[3])
{
    double d[4];
    (b->beside == 0 ? turn_symmetric : turn_other)(b, d, x);
    g[0] = d[0];
    for (int k = 0; k < 3; k++)
        g[1 + k] = b->axes[k] * d[1] + b->axes[3 + k] * d[2] + b->axes[6 + k] * d[3];
}

/* ---- derivatives -------------------------------------------------------------------------------------------- */

/* Columns of the matrices here belong to directions of x, rows to principal axes. */

/* Rows turned back, one column after the other. */
LV_INLINE void turn_rows_back(double y[9], const double a[9], const turn *t, int n)
{
    const int i = (n + 1) % 3, k = (n + 2) % 3;
    for (int j = 0; j < 3; j++) {
        const double u = a[3 * i + j], v = a[3 * k + j];
        y[3 * n + j] = a[3 * n + j];
        y[3 * i + j] = t->cosine * u + t->sine * v;
        y[3 * k + j] = t->cosine * v - t->sine * u;
    }
}

/* The derivative of turn_back by its vector and by its angle, whose derivatives are `turned`. at: what it gave. */
LV_INLINE void change_back(double y[9], const double a[9], const double at[3],
                           const turn *t, int axis, const double turned[3])
{
    const int i = (axis + 1) % 3, k = (axis + 2) % 3;
    turn_rows_back(y, a, t, axis);
    for (int j = 0; j < 3; j++) {
        y[3 * i + j] += turned[j] * at[k];
        y[3 * k + j] -= turned[j] * at[i];
    }
}

/* c times a row. */
LV_INLINE void scale_row(double y[3], const double row[3], double c)
{
    for (int j = 0; j < 3; j++)
        y[j] = c * row[j];
}

/* Body velocities of exp(about): next are the derivatives of the momentum. */
LV_INLINE void turn_about_momentum(const lv_free_body *b, const parts *p, double w[9],
                                   const double next[9])
{
    double D[9];
    const double inverse = 1 / b->inertia[0];
    lv_so3.D_matrix(LV_CHART_EXP, D, p->about);
    for (ptrdiff_t i = 0; i < 3; i++)
        for (ptrdiff_t j = 0; j < 3; j++)
            w[3 * i + j] = (D[3 * i] * next[j] + D[3 * i + 1] * next[3 + j] +
                            D[3 * i + 2] * next[6 + j]) *
                           inverse;
}

/* Adds those of the rotation before it, whose angle has the derivatives `first`. */
LV_INLINE void add_first(const parts *p, double w[9], const double first[3])
{
    double g[4], d[3];
    const double axis[3] = {0, 1, 0};
    lv_so3_exp(g, p->about);
    lv_so3.body(d, g, axis);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            w[3 * i + j] += d[i] * first[j];
}

/* The rotation about the axis of symmetry: w are the body velocities after it, `next` the derivatives of
 * the momentum before it, and `second` those of its angle. */
LV_INLINE void turn_about_symmetry(const lv_free_body *b, const parts *p, double w[9],
                                   const double next[9], double second[3])
{
    double before[9];
    for (int i = 0; i < 9; i++)
        before[i] = w[i];
    turn_rows_back(w, before, &p->turns[1], SYMMETRY);
    scale_row(second, next + 6, b->spin);
    for (int j = 0; j < 3; j++)
        w[6 + j] += second[j];
}

LV_INLINE void momentum_slope(const lv_free_body *b, double momentum[9])
{
    for (int i = 0; i < 3; i++)
        scale_row(momentum + 3 * (ptrdiff_t)i, b->axes + 3 * (ptrdiff_t)i, b->inertia[i]);
}

static void slope_symmetric(const lv_free_body *b, double w[9], const double x[3])
{
    parts p;
    double momentum[9], second[3];
    find_parts(&p, b, x, true);
    momentum_slope(b, momentum);
    turn_about_momentum(b, &p, w, momentum);
    turn_about_symmetry(b, &p, w, momentum, second);
}

static void slope_other(const lv_free_body *b, double w[9], const double x[3])
{
    parts p;
    double momentum[9], next[9], d[9], first[3], second[3];
    find_parts(&p, b, x, false);
    momentum_slope(b, momentum);
    scale_row(first, momentum + 3, 0.5 * b->beside);
    change_back(next, momentum, p.momentum[1], &p.turns[0], BESIDE, first);
    turn_about_momentum(b, &p, d, next);
    add_first(&p, d, first);
    turn_about_symmetry(b, &p, d, next, second);
    change_back(momentum, next, p.momentum[2], &p.turns[1], SYMMETRY, second);
    turn_rows_back(w, d, &p.turns[2], BESIDE);
    for (int j = 0; j < 3; j++)
        w[3 + j] += 0.5 * b->beside * momentum[3 + j];
}

void lv_free_body_slope(const lv_free_body *b, double m[9], const double x[3])
{
    double w[9];
    (b->beside == 0 ? slope_symmetric : slope_other)(b, w, x);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            m[3 * i + j] =
                b->axes[i] * w[j] + b->axes[3 + i] * w[3 + j] + b->axes[6 + i] * w[6 + j];
}
