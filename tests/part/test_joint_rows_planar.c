/* Rows of joints between bodies in the plane, held against the definitions of the joints and differences. */
#include "joint_rows.h"

/* Two planar bodies with the coordinates x, y, angle each, or one and the ground. */
static const struct {
    const char *type;
    int rank;
    bool has_axis;
} planar_cases[] = {{"revolute", 2, false},
                    {"prismatic", 2, true},
                    {"fixed", 3, false},
                    {"point_on_line", 1, true}};

static const vec planar_at = {{0.4, 0.9, 0}}, planar_axis = {{0.6, -0.8, 0}};
static const double planar_start[6] = {0.2, -0.4, 0.7, 1.1, 0.3, -2.2};

static assembly assemble_planar(int k, bool ground)
{
    char text[2000];
    assembly x = {.kinds = {ground ? GROUND : BODY, BODY}};
    const double *a = planar_start, *b = planar_start + 3;
    snprintf(text, sizeof text,
             "[bodies.%s]\nmass = 2\ninertia = 0.3\nposition = [%.17g, %.17g]\nangle = "
             "%.17g\n[bodies.b]\nmass = 1\ninertia = 0.7\nposition = [%.17g, "
             "%.17g]\nangle = %.17g\n[joints.j]\ntype = \"%s\"\nbetween = [\"%s\", "
             "\"b\"]\nat = [0.4, 0.9]\n%s",
             ground ? "unused" : "a", a[0], a[1], a[2], b[0], b[1], b[2],
             planar_cases[k].type, ground ? "ground" : "a",
             planar_cases[k].has_axis ? "axis = [0.6, -0.8]\n" : "");
    x.model = read_text(text);
    x.n = 6;
    x.offset[1] = 3;
    assert_int_equal(lv_plan_create(&x.plan, x.model,
                                    LV_WANT(CONSTRAINT) | LV_WANT(JACOBIAN) |
                                        LV_WANT(RATE) | LV_WANT(RATE_CURVE),
                                    NULL),
                     LV_OK);
    find_rows(&x);
    return x;
}

/* The point s of a body at (x, y, angle), and a direction. */
static vec planar_direction(const double *q, vec s)
{
    return turned(vec_of(0, 0, q[2]), s);
}

static vec planar_point(const double *q, vec s)
{
    return plus(vec_of(q[0], q[1], 0), 1, planar_direction(q, s));
}

static vec planar_own(const double *start, vec at)
{
    return turned(vec_of(0, 0, -start[2]), plus(at, -1, vec_of(start[0], start[1], 0)));
}

/* The rows from the definition of the joints: p_a - p_b, the angle, the offset across the line. */
static int planar_rows(const char *type, bool ground, const double *q, double g[ROWS])
{
    static const double still[3] = {0};
    const double *a = ground ? still : q, *a0 = ground ? still : planar_start;
    const vec pa = planar_point(a, planar_own(a0, planar_at)),
              pb = planar_point(q + 3, planar_own(planar_start + 3, planar_at)),
              d = plus(pb, -1, pa),
              across = planar_direction(
                  a, turned(vec_of(0, 0, -a0[2]), cross(vec_of(0, 0, 1), planar_axis)));
    int rows = 0;
    if (type[0] == 'r' || type[0] == 'f')
        for (int k = 0; k < 2; k++)
            g[rows++] = -d.x[k];
    if (type[0] == 'f' || type[1] == 'r')
        g[rows++] = q[5] - planar_start[5] - (a[2] - a0[2]);
    if (type[0] == 'p')
        g[rows++] = dot(across, d);
    return rows;
}

/* d/ds f(s) at 0 from values at s = +-h, +-2h, +-3h, with an error of h^6. */
static double slope_of(const double f[6], double h)
{
    return (45 * (f[3] - f[2]) - 9 * (f[4] - f[1]) + (f[5] - f[0])) / (60 * h);
}

static void check_planar(int k, bool ground)
{
    assembly x = assemble_planar(k, ground);
    const char *type = planar_cases[k].type;
    static const double steps[6] = {-3, -2, -1, 1, 2, 3}, h = 5e-3;
    double q[6], v[6], g[ROWS], C[ROWS][12] = {{0}}, G[ROWS][MOST];
    unsigned seed = 17;
    assert_int_equal(x.rows, planar_cases[k].rank);
    evaluate(&x, planar_start, NULL);
    dense(&x, LV_Q_JACOBIAN, G);
    for (int i = 0; i < x.rows; i++)
        memcpy(C[i], G[i], 6 * sizeof *C[i]);
    assert_int_equal(rank_of(C, x.rows, 6), planar_cases[k].rank);
    random_point(&x, &seed, q);
    random_point(&x, &seed, v);
    evaluate(&x, q, v);
    dense(&x, LV_Q_JACOBIAN, G);
    assert_int_equal(planar_rows(type, ground, q, g), x.rows);
    for (int i = 0; i < x.rows; i++) {
        evaluate(&x, q, v);
        assert_close(lv_plan_result(x.plan, LV_Q_CONSTRAINT)[x.first + i], g[i], 1e-14);
        const double rate = lv_plan_result(x.plan, LV_Q_RATE)[x.first + i],
                     curve = lv_plan_result(x.plan, LV_Q_RATE_CURVE)[x.first + i];
        for (int j = 0; j <= 6; j++) { /* each coordinate, then all along v */
            double values[6], rates[6], moved[6], there[ROWS];
            for (int p = 0; p < 6; p++) {
                for (int c = 0; c < 6; c++)
                    moved[c] = q[c] + h * steps[p] * (j == 6 ? v[c] : c == j);
                planar_rows(type, ground, moved, there);
                values[p] = there[i];
                evaluate(&x, moved, v);
                rates[p] = lv_plan_result(x.plan, LV_Q_RATE)[x.first + i];
            }
            assert_close(j == 6 ? rate : G[i][j], slope_of(values, h), 1e-12);
            if (j == 6)
                assert_close(curve, slope_of(rates, h), 1e-11);
        }
    }
    disassemble(&x);
}

static void rows_in_the_plane_are_those_of_the_theory(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        check_planar(k, false);
        check_planar(k, true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(rows_in_the_plane_are_those_of_the_theory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
