/* Steps of bodies keep the symplectic form of the cotangent bundle of their group. In body axes, with changes of the
 * configuration as g exp(x) and momenta mu, it is
 *     Omega = [[mu.[e_i, e_j], I], [-I, 0]],
 * and DF^T Omega(mu+) DF = Omega(mu) for the derivative DF of a step, here by differences of sixth order: independent of
 * the derivatives of the library, and of its coordinates. */
#include "groups.h"

/* A body and where its coordinates are: those of the centre of mass, if it moves, come first. */
typedef struct subject {
    const char *text;
    bool moves;
    double J[3]; /* about what does not move, or the centre of mass */
    double mass;
} subject;

#define MOMENTS "inertia = [0.3, 0.5, 0.4]\n"

static const subject on_tip = {
    "[gravity]\nacceleration = [0, 0, -9.81]\n[bodies.b]\nmass = 1\n" MOMENTS
    "position = [0, 1, 0]\npivot = [0, -1, 0]\nangular_velocity = [1, 3, 2]\n",
    false,
    {1.3, 0.5, 1.4},
    1};

/* A spring at a point of the body couples its translation with its rotation. */
static const subject on_spring = {
    "[bodies.b]\nmass = 1.5\n" MOMENTS "position = [0.2, 0.1, -0.3]\n"
    "rotation = [0.3, -0.2, 0.5]\nvelocity = [0.5, -0.3, 0.4]\n"
    "angular_velocity = [1, 2, -0.7]\n"
    "[springs.s]\nbetween = [[0, 0, 1], \"point(b, [0.3, 0.2, -0.4])\"]\n"
    "stiffness = 6\nlength = 0.4\n",
    true,
    {0.3, 0.5, 0.4},
    1.5};

enum { MOST = 6, SIZE = 2 * MOST };

/* Position, columns of R, momentum, angular momentum in body axes. */
typedef struct place {
    double x[3], axes[9], p[3], mu[3];
} place;

static void rotate(double to[9], const double axes[9], const double w[3])
{
    const double angle = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    const double a = angle > 0 ? sin(angle) / angle : 1,
                 b = angle > 0 ? (1 - cos(angle)) / (angle * angle) : 0.5;
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            to[3 * j + i] = 0;
    for (int j = 0; j < 3;
         j++) { /* column j of exp(w): e_j + a w x e_j + b w x (w x e_j) */
        const int k = (j + 1) % 3, l = (j + 2) % 3;
        double column[3];
        column[j] = 1 - b * (w[k] * w[k] + w[l] * w[l]);
        column[k] = a * w[l] + b * w[j] * w[k];
        column[l] = -a * w[k] + b * w[j] * w[l];
        for (int m = 0; m < 3; m++)
            for (int i = 0; i < 3; i++)
                to[3 * j + i] += axes[3 * m + i] * column[m];
    }
}

/* w with to = from exp(w), below half a turn. */
static void turn_between(double w[3], const double from[9], const double to[9])
{
    double m[3][3], trace = 0, sine = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            m[i][j] = 0;
            for (int k = 0; k < 3; k++)
                m[i][j] += from[3 * i + k] * to[3 * j + k];
        }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        w[i] = (m[k][j] - m[j][k]) / 2;
        trace += m[i][i];
        sine += w[i] * w[i];
    }
    sine = sqrt(sine);
    const double angle = atan2(sine, (trace - 1) / 2);
    for (int i = 0; i < 3; i++)
        w[i] *= sine > 0 ? angle / sine : 1;
}

static place place_of(const lv_sim *sim, const subject *s)
{
    const double *q = lv_sim_position(sim), *v = lv_sim_velocity(sim);
    const int axes = s->moves ? 3 : 0;
    place at = {.x = {0}};
    memcpy(at.axes, q + axes, sizeof at.axes);
    angular_velocity(at.mu, q + axes, v + axes);
    for (int k = 0; k < 3; k++) {
        at.mu[k] *= s->J[k];
        at.x[k] = s->moves ? q[k] : 0;
        at.p[k] = s->moves ? s->mass * v[k] : 0;
    }
    return at;
}

static void move_there(lv_sim *sim, const subject *s, const place *at)
{
    double q[12], v[12];
    const int axes = s->moves ? 3 : 0;
    memcpy(q + axes, at->axes, sizeof at->axes);
    for (int k = 0; k < 3; k++) {
        if (s->moves) {
            q[k] = at->x[k];
            v[k] = at->p[k] / s->mass;
        }
        const int l = (k + 1) % 3, m = (k + 2) % 3; /* e_k' = R (w x e_k) */
        for (int i = 0; i < 3; i++)
            v[axes + 3 * k + i] = at->mu[m] / s->J[m] * at->axes[3 * l + i] -
                                  at->mu[l] / s->J[l] * at->axes[3 * m + i];
    }
    move_to(sim, 0, q, v);
}

/* Displacement k of 2 n: rotations, translations, their momenta. */
static place displaced(const place *at, int k, int n, double e)
{
    place to = *at;
    double w[3] = {0, 0, 0};
    const int which = k % n;
    if (k < n && which < 3) {
        w[which] = e;
        rotate(to.axes, at->axes, w);
    } else if (k < n) {
        to.x[which - 3] += e;
    } else if (which < 3) {
        to.mu[which] += e;
    } else {
        to.p[which - 3] += e;
    }
    return to;
}

static void difference(double d[SIZE], const place *from, const place *to, int n)
{
    turn_between(d, from->axes, to->axes);
    for (int i = 0; i < 3; i++) {
        d[n + i] = to->mu[i] - from->mu[i];
        if (n > 3) {
            d[3 + i] = to->x[i] - from->x[i];
            d[n + 3 + i] = to->p[i] - from->p[i];
        }
    }
}

/* Columns of DF at the start of the simulation, and where it goes. */
static place derive(double D[SIZE][SIZE], lv_sim *sim, const subject *s, const place *at,
                    int n)
{
    static const double weights[] = {3.0 / 4, -3.0 / 20, 1.0 / 60};
    const double spread = 4e-3;
    move_there(sim, s, at);
    step_once(sim);
    const place end = place_of(sim, s);
    for (int k = 0; k < 2 * n; k++) {
        for (int i = 0; i < 2 * n; i++)
            D[k][i] = 0;
        for (int m = -3; m <= 3; m++) {
            double d[SIZE];
            if (m == 0)
                continue;
            const place from = displaced(at, k, n, m * spread);
            move_there(sim, s, &from);
            step_once(sim);
            const place to = place_of(sim, s);
            difference(d, &end, &to, n);
            for (int i = 0; i < 2 * n; i++)
                D[k][i] += (m > 0 ? 1 : -1) * weights[abs(m) - 1] * d[i] / spread;
        }
    }
    return end;
}

static double omega(const double *a, const double *b, const double mu[3], int n)
{
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        sum += mu[i] * (a[j] * b[k] - a[k] * b[j]);
    }
    for (int i = 0; i < n; i++)
        sum += a[i] * b[n + i] - a[n + i] * b[i];
    return sum;
}

/* The largest entry of DF^T Omega(mu+) DF - Omega(mu). */
static double defect_of(const subject *s, const method *m, double h)
{
    const int n = s->moves ? 6 : 3;
    double D[SIZE][SIZE], worst = 0;
    lv_model *model = read_text(s->text);
    lv_sim *sim = start(model, m, h);
    const place at = place_of(sim, s);
    const place end = derive(D, sim, s, &at, n);
    for (int a = 0; a < 2 * n; a++)
        for (int b = 0; b < 2 * n; b++) {
            double x[SIZE] = {0}, y[SIZE] = {0};
            x[a] = 1;
            y[b] = 1;
            worst =
                fmax(worst, fabs(omega(D[a], D[b], end.mu, n) - omega(x, y, at.mu, n)));
        }
    lv_sim_free(sim);
    lv_model_free(model);
    return worst;
}

static void check(const subject *s, const method *m, double h)
{
    char name[METHOD_NAME];
    const double defect = defect_of(s, m, h);
    print_message("    %s: %.1e\n", method_name(m, name, sizeof name), defect);
    assert_at_most(defect, 1e-11);
}

static void steps_on_SO3_keep_the_form_of_its_cotangent_bundle(void **state)
{
    (void)state;
    for (int k = 0; k < 12; k++) {
        const bool gauss = k < 6;
        const method m = on_group(gauss ? "gauss" : "lobatto",
                                  (k % 6) / 2 + (gauss ? 1 : 2), k % 2 == 0);
        check(&on_tip, &m, 0.15);
    }
}

static void steps_of_poses_keep_the_form_of_their_cotangent_bundle(void **state)
{
    (void)state;
    for (int k = 0; k < 8; k++) {
        method m = on_group(k < 4 ? "gauss" : "lobatto", k % 4 < 2 ? 2 : 3, k % 2 == 0);
        check(&on_spring, &m, 0.15);
        lv_scheme_option_set(&m.more, LV_OPTION_POSES, 1);
        check(&on_spring, &m, 0.15);
    }
}

static void steps_of_axes_and_exact_rotations_do_so(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        method m = {.scheme = k % 2 == 0 ? "verlet" : "rattle"};
        lv_scheme_option_set(&m.more, LV_OPTION_ROTATIONS, k < 2 ? 0 : 3);
        check(&on_tip, &m, 0.1);
        check(&on_spring, &m, 0.1);
    }
}

/* The measure can fail: energy-momentum schemes are not symplectic. */
static void other_steps_do_not(void **state)
{
    (void)state;
    const method m = {.scheme = "em"};
    assert_at_least(defect_of(&on_tip, &m, 0.15), 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(steps_on_SO3_keep_the_form_of_its_cotangent_bundle),
        RUN(steps_of_poses_keep_the_form_of_their_cotangent_bundle),
        RUN(steps_of_axes_and_exact_rotations_do_so),
        RUN(other_steps_do_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
