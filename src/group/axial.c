#include "group/axial.h"

#include "group/angle.h"
#include "group/vector.h"

static void exponential(lv_axial *a)
{
    lv_angle angle;
    lv_angle_at(&angle, lv_v3_dot(a->w, a->w), a->order);
    for (int k = 0; k <= a->order; k++) {
        a->f[k][0] = angle.c0[k];
        a->f[k][1] = -angle.c1[k];
        a->f[k][2] = angle.c2[k];
    }
}

/* With ' = (1/t) d/dt: k' = -k^2/2, k'' = k^3/2, k''' = -3 k^4/4. */
static void fractions(lv_axial *a, double f2)
{
    const double k = 4 / (4 + lv_v3_dot(a->w, a->w)), kk = k * k;
    const double derivative[4] = {k, -kk / 2, kk * k / 2, -0.75 * kk * kk};
    for (int i = 0; i <= a->order; i++) {
        a->f[i][0] = derivative[i];
        a->f[i][1] = -0.5 * derivative[i];
        a->f[i][2] = f2 * derivative[i];
    }
}

void lv_axial_tangent(lv_axial *a, lv_chart chart, const double w[3], int order)
{
    lv_v3_copy(a->w, w);
    a->order = order;
    if (chart == LV_CHART_EXP)
        exponential(a);
    else
        fractions(a, 0);
}

void lv_axial_cay_inverse(lv_axial *a, const double w[3], int order)
{
    lv_v3_copy(a->w, w);
    a->order = order;
    fractions(a, 0.25);
}

void lv_axial_transpose(lv_axial *a)
{
    for (int k = 0; k <= a->order; k++)
        a->f[k][1] = -a->f[k][1];
}

/* f0 e + f1 w x e + f2 (w.e) w with the functions' derivatives of order k */
static void apply_derivative(double y[3], const lv_axial *a, int k, const double e[3])
{
    double we[3];
    lv_v3_cross(we, a->w, e);
    const double along = a->f[k][2] * lv_v3_dot(a->w, e);
    for (int i = 0; i < 3; i++)
        y[i] = a->f[k][0] * e[i] + a->f[k][1] * we[i] + along * a->w[i];
}

void lv_axial_apply(double y[3], const lv_axial *a, const double e[3])
{
    apply_derivative(y, a, 0, e);
}

void lv_axial_matrix(double m[9], const lv_axial *a)
{
    const double *f = a->f[0];
    lv_m3_hat(m, a->w, f[1]);
    lv_m3_add_outer(m, a->w, a->w, f[2]);
    lv_m3_add_unit(m, f[0]);
}

void lv_axial_along(double m[9], const lv_axial *a, const double v[3])
{
    const double wv = lv_v3_dot(a->w, v);
    double axis[3];
    for (int i = 0; i < 3; i++)
        axis[i] = wv * a->f[1][1] * a->w[i] + a->f[0][1] * v[i];
    lv_m3_hat(m, axis, 1);
    lv_m3_add_outer(m, a->w, a->w, wv * a->f[1][2]);
    lv_m3_add_both(m, a->w, v, a->f[0][2]);
    lv_m3_add_unit(m, wv * a->f[1][0]);
}

/* The part of the slope from the explicit w, with derivatives of order k:
 *   d -> f1 d x e + f2 ((e.d) w + (w.e) d) */
static void explicit_slope(double m[9], const lv_axial *a, int k, const double e[3])
{
    lv_m3_hat(m, e, -a->f[k][1]);
    lv_m3_add_outer(m, a->w, e, a->f[k][2]);
    lv_m3_add_unit(m, a->f[k][2] * lv_v3_dot(a->w, e));
}

/* d(F e) = (w.d) F'e + explicit part, F' with the functions' derivatives */
void lv_axial_slope(double m[9], const lv_axial *a, const double e[3])
{
    double z[3];
    apply_derivative(z, a, 1, e);
    explicit_slope(m, a, 0, e);
    lv_m3_add_outer(m, z, a->w, 1);
}

/* The slope times v is  (w.v) z + u,  z = F'e,  u = f1 v x e + f2 ((e.v) w + (w.e) v). */
void lv_axial_bend(double m[9], const lv_axial *a, const double e[3], const double v[3])
{
    const double wv = lv_v3_dot(a->w, v), ev = lv_v3_dot(e, v), we = lv_v3_dot(a->w, e);
    double z[3], zz[3], ve[3], u[3], dz[9];
    apply_derivative(z, a, 1, e);
    apply_derivative(zz, a, 2, e);
    lv_v3_cross(ve, v, e);
    for (int i = 0; i < 3; i++)
        u[i] = wv * zz[i] + a->f[1][1] * ve[i] + a->f[1][2] * (ev * a->w[i] + we * v[i]);
    explicit_slope(dz, a, 1, e);
    for (int i = 0; i < 9; i++)
        m[i] = wv * dz[i];
    lv_m3_add_outer(m, u, a->w, 1);
    lv_m3_add_outer(m, z, v, 1);
    lv_m3_add_outer(m, v, e, a->f[0][2]);
    lv_m3_add_unit(m, a->f[0][2] * ev);
}

/* The number m.F e = f0 m.e + f1 w.(e x m) + f2 (w.e)(w.m). With derivatives of order k of f:
 * value[k] is that sum, and turn = f1 (e x m) + f2 ((w.e) m + (w.m) e) the gradient of its explicit w. */
typedef struct form {
    const lv_axial *a;
    const double *e, *m;
    double axis[3];             /* e x m */
    double gradient[3];         /* of (w.e)(w.m) */
    double flat, line, product; /* m.e, w.(e x m), (w.e)(w.m) */
} form;

static form form_of(const lv_axial *a, const double e[3], const double m[3])
{
    form p = {.a = a, .e = e, .m = m};
    const double we = lv_v3_dot(a->w, e), wm = lv_v3_dot(a->w, m);
    lv_v3_cross(p.axis, e, m);
    for (int i = 0; i < 3; i++)
        p.gradient[i] = we * m[i] + wm * e[i];
    p.flat = lv_v3_dot(m, e);
    p.line = lv_v3_dot(a->w, p.axis);
    p.product = we * wm;
    return p;
}

static double form_value(const form *p, int k)
{
    const double *f = p->a->f[k];
    return f[0] * p->flat + f[1] * p->line + f[2] * p->product;
}

static void form_turn(double y[3], const form *p, int k)
{
    const double *f = p->a->f[k];
    for (int i = 0; i < 3; i++)
        y[i] = f[1] * p->axis[i] + f[2] * p->gradient[i];
}

void lv_axial_gradient(double y[3], const lv_axial *a, const double e[3],
                       const double m[3])
{
    const form p = form_of(a, e, m);
    const double radial = form_value(&p, 1);
    form_turn(y, &p, 0);
    for (int i = 0; i < 3; i++)
        y[i] += radial * a->w[i];
}

void lv_axial_hessian(double h[9], const lv_axial *a, const double e[3],
                      const double m[3])
{
    const form p = form_of(a, e, m);
    double turn[3];
    form_turn(turn, &p, 1);
    lv_m3_unit(h, form_value(&p, 1));
    lv_m3_add_outer(h, a->w, a->w, form_value(&p, 2));
    lv_m3_add_both(h, a->w, turn, 1);
    lv_m3_add_both(h, m, e, a->f[0][2]);
}

/* Along v: the value of order k changes by (w.v) value[k+1] + turn[k].v, its turn by
 * (w.v) turn[k+1] + f2 (m (e.v) + e (m.v)). */
void lv_axial_third(double h[9], const lv_axial *a, const double e[3], const double m[3],
                    const double v[3])
{
    const form p = form_of(a, e, m);
    const double wv = lv_v3_dot(a->w, v), ev = lv_v3_dot(e, v), mv = lv_v3_dot(m, v);
    double turn1[3], turn2[3], change[3];
    form_turn(turn1, &p, 1);
    form_turn(turn2, &p, 2);
    for (int i = 0; i < 3; i++)
        change[i] = wv * turn2[i] + a->f[1][2] * (ev * m[i] + mv * e[i]);
    const double value2 = form_value(&p, 2);
    lv_m3_unit(h, wv * value2 + lv_v3_dot(turn1, v));
    lv_m3_add_outer(h, a->w, a->w, wv * form_value(&p, 3) + lv_v3_dot(turn2, v));
    lv_m3_add_both(h, v, a->w, value2);
    lv_m3_add_both(h, v, turn1, 1);
    lv_m3_add_both(h, a->w, change, 1);
    lv_m3_add_both(h, m, e, a->f[1][2] * wv);
}
