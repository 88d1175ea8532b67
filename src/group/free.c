#include "group/free.h"

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

/* A rotation about an axis. */
typedef struct turn {
    int axis;
    double angle, cosine, sine;
} turn;

/* The factors of a rotation, in principal axes. Momenta are multiplied by h. */
typedef struct parts {
    double momentum[3]
                   [3]; /* at the start, after the first rotation, before the last one */
    double about[3];    /* the second factor is exp(about) */
    turn turns[3];      /* the other factors, about axes 2, 3 and 2 */
} parts;

static turn turn_about(int axis, double angle)
{
    /* two of the three rotations of a symmetric body are zero */
    const bool none = angle == 0;
    return (turn){axis, angle, none ? 1 : cos(angle), none ? 0 : sin(angle)};
}

static void turn_back(double y[3], const double a[3], const turn *t)
{
    const int i = (t->axis + 1) % 3, k = (t->axis + 2) % 3;
    const double c = t->cosine, s = t->sine, u = a[i], v = a[k];
    y[t->axis] = a[t->axis];
    y[i] = c * u + s * v;
    y[k] = c * v - s * u;
}

static parts parts_of(const lv_free_body *b, const double x[3])
{
    parts p;
    for (int i = 0; i < 3; i++)
        p.momentum[0][i] = b->inertia[i] * lv_v3_dot(b->axes + 3 * (ptrdiff_t)i, x);
    p.turns[0] = turn_about(1, 0.5 * b->beside * p.momentum[0][1]);
    turn_back(p.momentum[1], p.momentum[0], &p.turns[0]);
    for (int i = 0; i < 3; i++)
        p.about[i] = p.momentum[1][i] / b->inertia[0];
    p.turns[1] = turn_about(2, b->spin * p.momentum[1][2]);
    turn_back(p.momentum[2], p.momentum[1], &p.turns[1]);
    p.turns[2] = turn_about(1, 0.5 * b->beside * p.momentum[2][1]);
    return p;
}

/* g = g times the rotation */
static void turn_by(double g[4], const turn *t)
{
    if (t->angle == 0)
        return;
    double by[4] = {cos(0.5 * t->angle)}, product[4];
    by[1 + t->axis] = sin(0.5 * t->angle);
    lv_quaternion_product(product, g, by);
    for (int i = 0; i < 4; i++)
        g[i] = product[i];
}

void lv_free_body_turn(const lv_free_body *b, double g[4], const double x[3])
{
    const parts p = parts_of(b, x);
    double a[4] = {1, 0, 0, 0}, c[4], d[4];
    turn_by(a, &p.turns[0]);
    lv_so3.tau(LV_CHART_EXP, c, p.about);
    lv_quaternion_product(d, a, c);
    turn_by(d, &p.turns[1]);
    turn_by(d, &p.turns[2]);
    g[0] = d[0];
    for (int k = 0; k < 3; k++)
        g[1 + k] = b->axes[k] * d[1] + b->axes[3 + k] * d[2] + b->axes[6 + k] * d[3];
}

/* The derivative of turn_back by its vector (change) and its angle (turned). `at` is the
 * result of turn_back. */
static void change_back(double y[3], const double change[3], const double at[3],
                        const turn *t, double turned)
{
    const int i = (t->axis + 1) % 3, k = (t->axis + 2) % 3;
    turn_back(y, change, t);
    y[i] += turned * at[k];
    y[k] -= turned * at[i];
}

/* The body velocity w of the rotation if x changes by y, in principal axes. D is the
 * tangent of exp at `about`, g is exp(about). */
static void velocity(const lv_free_body *b, const parts *p, const double D[9],
                     const double g[4], double w[3], const double y[3])
{
    double momentum[3], next[3], about[3], d[3];
    for (int i = 0; i < 3; i++)
        momentum[i] = b->inertia[i] * lv_v3_dot(b->axes + 3 * (ptrdiff_t)i, y);
    const double first = 0.5 * b->beside * momentum[1];
    change_back(next, momentum, p->momentum[1], &p->turns[0], first);
    for (int i = 0; i < 3; i++)
        about[i] = next[i] / b->inertia[0];
    for (int i = 0; i < 3; i++)
        w[i] = lv_v3_dot(D + 3 * (ptrdiff_t)i, about);
    if (first != 0) {
        const double axis[3] = {0, first, 0};
        lv_so3.body(d, g, axis);
        lv_v3_add(w, d, 1);
    }
    turn_back(d, w, &p->turns[1]);
    const double second = b->spin * next[2];
    d[2] += second;
    change_back(momentum, next, p->momentum[2], &p->turns[1], second);
    turn_back(w, d, &p->turns[2]);
    w[1] += 0.5 * b->beside * momentum[1];
}

void lv_free_body_slope(const lv_free_body *b, double m[9], const double x[3])
{
    const parts p = parts_of(b, x);
    double D[9], g[4];
    lv_so3.D_matrix(LV_CHART_EXP, D, p.about);
    lv_so3.tau(LV_CHART_EXP, g, p.about);
    for (int j = 0; j < 3; j++) {
        const double y[3] = {j == 0, j == 1, j == 2};
        double w[3];
        velocity(b, &p, D, g, w, y);
        for (int i = 0; i < 3; i++)
            m[3 * i + j] =
                b->axes[i] * w[0] + b->axes[3 + i] * w[1] + b->axes[6 + i] * w[2];
    }
}
