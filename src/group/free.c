#include "group/free.h"

#include "base/inline.h"
#include "group/group.h"
#include "group/quaternion.h"
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
    const bool none = angle == 0; /* symmetric bodies have two of these */
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

LV_INLINE parts parts_of(const lv_free_body *b, const double x[3])
{
    parts p;
    for (int i = 0; i < 3; i++)
        p.momentum[0][i] = b->inertia[i] * lv_v3_dot(b->axes + 3 * (ptrdiff_t)i, x);
    p.turns[0] = turn_about(0.5 * b->beside * p.momentum[0][1]);
    turn_back(p.momentum[1], p.momentum[0], &p.turns[0], BESIDE);
    for (int i = 0; i < 3; i++)
        p.about[i] = p.momentum[1][i] / b->inertia[0];
    p.turns[1] = turn_about(b->spin * p.momentum[1][2]);
    turn_back(p.momentum[2], p.momentum[1], &p.turns[1], SYMMETRY);
    p.turns[2] = turn_about(0.5 * b->beside * p.momentum[2][1]);
    return p;
}

/* g = g times the rotation */
LV_INLINE void turn_by(double g[4], const turn *t, int axis)
{
    if (t->angle == 0)
        return;
    double by[4] = {cos(0.5 * t->angle)}, product[4];
    by[1 + axis] = sin(0.5 * t->angle);
    lv_quaternion_product(product, g, by);
    for (int i = 0; i < 4; i++)
        g[i] = product[i];
}

void lv_free_body_turn(const lv_free_body *b, double g[4], const double x[3])
{
    const parts p = parts_of(b, x);
    double a[4] = {1, 0, 0, 0}, c[4], d[4];
    turn_by(a, &p.turns[0], BESIDE);
    lv_so3.tau(LV_CHART_EXP, c, p.about);
    lv_quaternion_product(d, a, c);
    turn_by(d, &p.turns[1], SYMMETRY);
    turn_by(d, &p.turns[2], BESIDE);
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
static void scale_row(double y[3], const double row[3], double c)
{
    for (int j = 0; j < 3; j++)
        y[j] = c * row[j];
}

/* Body velocities of exp(about), and of what is before it: next are the derivatives of the momentum. */
static void turn_about_momentum(const lv_free_body *b, const parts *p, double w[9],
                                const double next[9], const double first[3])
{
    double D[9];
    lv_so3.D_matrix(LV_CHART_EXP, D, p->about);
    for (ptrdiff_t i = 0; i < 3; i++)
        for (ptrdiff_t j = 0; j < 3; j++)
            w[3 * i + j] = (D[3 * i] * next[j] + D[3 * i + 1] * next[3 + j] +
                            D[3 * i + 2] * next[6 + j]) /
                           b->inertia[0];
    if (b->beside == 0)
        return;
    double g[4], d[3];
    const double axis[3] = {0, 1, 0};
    lv_so3.tau(LV_CHART_EXP, g, p->about);
    lv_so3.body(d, g, axis);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            w[3 * i + j] += d[i] * first[j];
}

void lv_free_body_slope(const lv_free_body *b, double m[9], const double x[3])
{
    const parts p = parts_of(b, x);
    double momentum[9], next[9], w[9], d[9], first[3], second[3];
    for (int i = 0; i < 3; i++)
        scale_row(momentum + 3 * (ptrdiff_t)i, b->axes + 3 * (ptrdiff_t)i, b->inertia[i]);
    scale_row(first, momentum + 3, 0.5 * b->beside);
    change_back(next, momentum, p.momentum[1], &p.turns[0], BESIDE, first);
    turn_about_momentum(b, &p, w, next, first);
    turn_rows_back(d, w, &p.turns[1], SYMMETRY);
    scale_row(second, next + 6, b->spin);
    change_back(momentum, next, p.momentum[2], &p.turns[1], SYMMETRY, second);
    for (int j = 0; j < 3; j++)
        d[6 + j] += second[j];
    turn_rows_back(w, d, &p.turns[2], BESIDE);
    for (int j = 0; j < 3; j++)
        w[3 + j] += 0.5 * b->beside * momentum[3 + j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            m[3 * i + j] =
                b->axes[i] * w[j] + b->axes[3 + i] * w[3 + j] + b->axes[6 + i] * w[6 + j];
}
