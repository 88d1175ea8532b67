/* Derivatives of steps of bodies on groups, in coordinates: against differences, and whether they keep the symplectic
 * form, that of coordinates and the one in angular velocities and momenta along body axes. */
#include "../step/turning_steps.h"

#include <stdlib.h>

static const double h = 0.05;

/* It turns about its tip. */
static const char turning_top[] = "[gravity]\nacceleration = [0, 0, -9.81]\n"
                                  "[bodies.top]\nmass = 1\n"
                                  "inertia = [0.3, 0.4, 0.2]\nposition = [0, 1, 0]\n"
                                  "pivot = [0, -1, 0]\n"
                                  "angular_velocity = [0.5, 7, -1]\n";

/* Two bodies in the plane. */
static const char turning_plane[] =
    "[gravity]\nacceleration = [0, -9.81]\n"
    "[bodies.a]\nmass = 1\ninertia = 0.2\nposition = [0.5, 0.1]\nangle = 0.4\n"
    "angular_velocity = 2\nvelocity = [-0.2, 1]\n"
    "[bodies.b]\nmass = 0.6\ninertia = 0.1\nposition = [1.3, 0.4]\nvelocity = [0, 1]\n"
    "angular_velocity = -1\n"
    "[joints.pin]\ntype = \"revolute\"\nbetween = [\"a\", \"b\"]\nat = [1, 0.2]\n"
    "[springs.s]\nbetween = [[0, 1], \"point(a, [0.1, 0.2])\"]\nstiffness = 20\n"
    "length = 0.4\n";

static const turning_way list[] = {
    {turning_free, LV_FAMILY_GAUSS, 1, LV_CHART_EXP},
    {turning_free, LV_FAMILY_GAUSS, 2, LV_CHART_CAY},
    {turning_free, LV_FAMILY_LOBATTO, 2, LV_CHART_CAY},
    {turning_free, LV_FAMILY_LOBATTO, 3, LV_CHART_EXP},
    {turning_top, LV_FAMILY_LOBATTO, 3, LV_CHART_EXP},
    {turning_revolute, LV_FAMILY_LOBATTO, 2, LV_CHART_EXP},
    {turning_revolute, LV_FAMILY_LOBATTO, 3, LV_CHART_CAY},
    {turning_spherical, LV_FAMILY_LOBATTO, 4, LV_CHART_EXP},
    {turning_prismatic, LV_FAMILY_LOBATTO, 3, LV_CHART_EXP},
    {turning_free, LV_FAMILY_GAUSS, 2, LV_CHART_EXP, true},
    {turning_revolute, LV_FAMILY_LOBATTO, 3, LV_CHART_EXP, true},
    {turning_plane, LV_FAMILY_LOBATTO, 3, LV_CHART_EXP, true},
    {turning_plane, LV_FAMILY_LOBATTO, 2, LV_CHART_CAY, true},
    /* the others keep no form */
    {turning_mixed, LV_FAMILY_LOBATTO, 2, LV_CHART_EXP},
    {turning_mixed, LV_FAMILY_LOBATTO, 3, LV_CHART_CAY},
    {"ball-in-bowl", LV_FAMILY_LOBATTO, 3, LV_CHART_EXP},
};
enum {
    LIST = sizeof list / sizeof *list,
    SYMPLECTIC = 13,
    SQUARE = 4 * MOST_NUMBERS * MOST_NUMBERS
};

/* ---- differences ------------------------------------------------------------------------------------------------- */

/* Where a step begins: position with quaternions, tangents, multipliers that are carried. */
typedef struct beginning {
    double q[2 * MOST_NUMBERS], v[MOST_NUMBERS], l[MOST_NUMBERS];
} beginning;

static beginning begin_at_start(turning_steps *s)
{
    beginning b = {.l = {0.3, 0.4, -0.2}};
    memcpy(b.q, s->state.q, (size_t)s->still->n * sizeof(double));
    lv_turning_complete(&lv_stepper_course(s->stepper)->turning, b.q);
    lv_motion_tangents(s->motion, b.v, b.q, s->state.v);
    return b;
}

/* The beginning moved along d: the first numbers turn and shift it, the last ones change velocities. */
static beginning moved_along(const turning_steps *s, const beginning *b, const double *d,
                             double amount)
{
    const lv_turning *t = &lv_stepper_course(s->stepper)->turning;
    const int n = s->moving->n;
    double x[MOST_NUMBERS];
    beginning to = *b;
    for (int i = 0; i < n; i++) {
        x[i] = amount * d[i];
        to.v[i] += amount * d[n + i];
    }
    lv_turn_arguments arguments = {[LV_ARG_Q] = b->q, [LV_ARG_V0] = x};
    lv_turning_apply(t, LV_TURN_MOVE, to.q, arguments);
    return to;
}

/* Positions and momenta of coordinates. */
static void coordinates_of(turning_steps *s, const beginning *b, double *out)
{
    const int n = s->still->n;
    double v[MOST_NUMBERS];
    memcpy(out, b->q, (size_t)n * sizeof *out);
    lv_motion_velocities(s->motion, v, n, b->q, b->v);
    lv_system_momentum(s->still, out + n, 0, b->q, v);
}

/* The image in one step, which begins as if there had been others. */
static void image(turning_steps *s, const beginning *b, double *out)
{
    const lv_turning *t = &lv_stepper_course(s->stepper)->turning;
    const size_t n = (size_t)s->moving->n, N = (size_t)s->still->n,
                 rolling = (size_t)(s->moving->constraint_count - s->moving->m);
    double body[MOST_NUMBERS];
    lv_stepper_forget(s->stepper);
    lv_stepper_memory(s->stepper).numbers[0] = 1;
    lv_system_momentum(s->moving, body, 0, b->q, b->v);
    lv_turn_arguments arguments = {[LV_ARG_Q] = b->q, [LV_ARG_W] = body};
    lv_turning_apply(t, LV_TURN_SPACE, lv_stepper_carried(s->stepper, "p"), arguments);
    memcpy(lv_stepper_carried(s->stepper, "q"), b->q,
           (size_t)s->moving->points * sizeof(double));
    memcpy(lv_stepper_carried(s->stepper, "v"), b->v, n * sizeof(double));
    if (rolling > 0)
        memcpy(lv_stepper_carried(s->stepper, "l"), b->l, rolling * sizeof(double));
    s->state.t = 0;
    memcpy(s->state.q, b->q, N * sizeof(double)); /* the state that was the last one */
    take_turning_step(s, h);
    memcpy(out, s->state.q, N * sizeof *out);
    memcpy(out + N, s->state.p, N * sizeof *out);
}

/* Differences of sixth order of the start and of its image. */
static double defect_along(turning_steps *s, const beginning *b, const double *matrix,
                           const double *d)
{
    static const double weights[] = {3.0 / 4, -3.0 / 20, 1.0 / 60};
    const double spread = 1e-3;
    const int size = 2 * s->still->n;
    double from[2 * MOST_NUMBERS] = {0}, to[2 * MOST_NUMBERS] = {0};
    double worst = 0, largest = 1;
    for (int k = -3; k <= 3; k++) {
        double x[2 * MOST_NUMBERS], y[2 * MOST_NUMBERS];
        if (k == 0)
            continue;
        const double factor = (k < 0 ? -1 : 1) * weights[abs(k) - 1] / spread;
        const beginning at = moved_along(s, b, d, k * spread);
        coordinates_of(s, &at, x);
        image(s, &at, y);
        for (int i = 0; i < size; i++) {
            from[i] += factor * x[i];
            to[i] += factor * y[i];
        }
    }
    for (int i = 0; i < size; i++) {
        double sum = 0;
        for (int j = 0; j < size; j++)
            sum += matrix[i * size + j] * from[j];
        largest = fmax(largest, fabs(to[i]));
        worst = fmax(worst, fabs(sum - to[i]));
    }
    return worst / largest;
}

static void find_tangent(turning_steps *s, double *matrix)
{
    lv_error err;
    if (lv_stepper_tangent(s->stepper, matrix, &err) != LV_OK)
        fail_with(&err);
}

static void tangents_on_groups_agree_with_differences(void **state)
{
    (void)state;
    static double matrix[SQUARE];
    int wrong = 0;
    for (int k = 0; k < LIST; k++) {
        turning_steps s;
        double unused[2 * MOST_NUMBERS], worst = 0;
        begin_turning(&s, &list[k]);
        const beginning b = begin_at_start(&s);
        image(&s, &b, unused);
        find_tangent(&s, matrix);
        for (int salt = 0; salt < 4; salt++) {
            double d[2 * MOST_NUMBERS];
            for (int i = 0; i < 2 * s.moving->n; i++)
                d[i] = scattered(i, salt) * cos(3.1 * i * salt);
            worst = fmax(worst, defect_along(&s, &b, matrix, d));
        }
        if (!(worst <= 1e-10)) {
            print_error("    way %d: %.1e\n", k, worst);
            wrong++;
        }
        end_turning(&s);
    }
    assert_int_equal(wrong, 0);
}

/* ---- the symplectic form ----------------------------------------------------------------------------------------- */

/* A direction in coordinates as changes along body axes, and the form in them: dq_a.dp_b - dq_b.dp_a + w.(a x b) for
 * the body momentum w of a rotation. Of bodies whose centres are plain coordinates. */
typedef struct trivialised {
    double x[MOST_NUMBERS], w[MOST_NUMBERS], at[MOST_NUMBERS];
} trivialised;

static double dot3(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static trivialised trivialise(const turning_steps *s, const double *d)
{
    const int N = s->still->n;
    const double *q = s->state.q, *p = s->state.p;
    trivialised to = {{0}};
    lv_motion_tangents(s->motion, to.x, q, d);
    for (int i = 0; i < s->moving->n; i++)
        if (s->motion->place[i] >= 0)
            to.w[i] = d[N + s->motion->place[i]];
    for (int k = 0; k < s->motion->pose_count; k++) {
        const lv_pose *pose = &s->motion->poses[k];
        for (int c = 0; c < 3; c++) {
            const int a = pose->axis[(c + 1) % 3], b = pose->axis[(c + 2) % 3],
                      i = pose->tangent[c];
            to.at[i] = dot3(p + a, q + b) - dot3(p + b, q + a);
            to.w[i] = dot3(d + N + a, q + b) - dot3(d + N + b, q + a) +
                      dot3(p + a, d + b) - dot3(p + b, d + a);
        }
    }
    return to;
}

static double trivialised_form(const turning_steps *s, const trivialised *a,
                               const trivialised *b)
{
    double sum = 0;
    for (int i = 0; i < s->moving->n; i++)
        sum += a->x[i] * b->w[i] - b->x[i] * a->w[i];
    for (int k = 0; k < s->motion->pose_count; k++)
        for (int c = 0; c < 3; c++) {
            const int *t = s->motion->poses[k].tangent, i = t[(c + 1) % 3],
                      j = t[(c + 2) % 3];
            sum += a->at[t[c]] * (a->x[i] * b->x[j] - a->x[j] * b->x[i]);
        }
    return sum;
}

static double form_of(const double *a, const double *b, int n, double *size)
{
    double sum = 0;
    *size = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[n + i] - b[i] * a[n + i];
        *size += fabs(a[i] * b[n + i]) + fabs(b[i] * a[n + i]);
    }
    return sum;
}

static void apply(const double *matrix, int size, const double *d, double *out)
{
    for (int i = 0; i < size; i++) {
        out[i] = 0;
        for (int j = 0; j < size; j++)
            out[i] += matrix[i * size + j] * d[j];
    }
}

/* What both forms change by in the second of two steps, relative; the first one makes directions tangent. */
static void form_defects(const turning_way *way, double *plain, double *left)
{
    enum { COUNT = 4 };
    static double matrix[SQUARE];
    double before[COUNT][2 * MOST_NUMBERS], after[COUNT][2 * MOST_NUMBERS];
    trivialised one[COUNT], two[COUNT];
    turning_steps s;
    begin_turning(&s, way);
    const int N = s.still->n;
    take_turning_step(&s, 0.02);
    find_tangent(&s, matrix);
    for (int a = 0; a < COUNT; a++) {
        double d[2 * MOST_NUMBERS];
        for (int k = 0; k < 2 * N; k++)
            d[k] = scattered(k, a) * cos(3.1 * k * a);
        apply(matrix, 2 * N, d, before[a]);
        if (!way->coupled)
            one[a] = trivialise(&s, before[a]);
    }
    take_turning_step(&s, 0.02);
    find_tangent(&s, matrix);
    for (int a = 0; a < COUNT; a++) {
        apply(matrix, 2 * N, before[a], after[a]);
        if (!way->coupled)
            two[a] = trivialise(&s, after[a]);
    }
    *plain = *left = 0;
    for (int a = 0; a < COUNT; a++)
        for (int b = 0; b < a; b++) {
            double size, unused;
            const double was = form_of(before[a], before[b], N, &size),
                         is = form_of(after[a], after[b], N, &unused);
            *plain = fmax(*plain, fabs(is - was) / size);
            if (!way->coupled)
                *left = fmax(*left, fabs(trivialised_form(&s, &two[a], &two[b]) -
                                         trivialised_form(&s, &one[a], &one[b])) /
                                        size);
        }
    end_turning(&s);
}

static void steps_on_groups_keep_the_form(void **state)
{
    (void)state;
    int wrong = 0;
    for (int k = 0; k < SYMPLECTIC; k++) {
        double plain, left;
        form_defects(&list[k], &plain, &left);
        print_message("    way %d: %.1e, along body axes %.1e\n", k, plain, left);
        wrong += !(plain <= 5e-14) || !(left <= 5e-14);
    }
    assert_int_equal(wrong, 0);
}

/* A test that all maps pass would say nothing. */
static void drag_does_not_keep_the_form(void **state)
{
    (void)state;
    double plain, left;
    form_defects(&list[SYMPLECTIC], &plain, &left);
    assert_above(plain, 1e-6);
    assert_above(left, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(tangents_on_groups_agree_with_differences),
        RUN(steps_on_groups_keep_the_form),
        RUN(drag_does_not_keep_the_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
