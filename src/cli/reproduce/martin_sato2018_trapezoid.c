/* Section 4.3: with two stages and a holonomic constraint the Lobatto scheme is the trapezoidal rule of
 * Jay and of Leimkuhler and Skeel, RATTLE. The step is written out here by hand for the pendulum
 * |q| = l with unit mass, where it can be solved in closed form:
 *   q1 = q + h v + h^2/2 (f + 2 mu q),      |q1| = l       (a quadratic equation in mu)
 *   v1 = v + h/2 (2 f + 2 mu q + 2 nu q1),  q1 . v1 = 0    (a linear one in nu),     f = (0, -g) */
#include "cli/reproduce/martin_sato2018.h"

#include <math.h>

/* The pendulum of the model pendulum-cartesian. */
static const double gravity = 9.81, length = 2;

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1];
}

/* The root of |a + 2 x b| = l that is 0 if |a| = l. */
static double reach_circle(const double *a, const double *b)
{
    double square = 4 * dot(b, b), half = 2 * dot(a, b);
    double rest = dot(a, a) - length * length;
    return -rest / (half + copysign(sqrt(half * half - square * rest), half));
}

static void trapezoidal_step(double *q, double *v, double h)
{
    double free_end[2], pull[2];
    for (int k = 0; k < 2; k++) {
        pull[k] = h * h / 2 * q[k];
        free_end[k] = q[k] + h * v[k] - (k == 1 ? h * h / 2 * gravity : 0);
    }
    double mu = reach_circle(free_end, pull);
    for (int k = 0; k < 2; k++) {
        v[k] += h * mu * q[k] - (k == 1 ? h * gravity : 0);
        q[k] = free_end[k] + 2 * mu * pull[k];
    }
    double along = dot(q, v) / dot(q, q);
    for (int k = 0; k < 2; k++)
        v[k] -= along * q[k];
}

static lv_status run_two_stages(cli_bench *bench, lv_error *err)
{
    enum { STEPS = 500 };
    const cli_start start = {.model = "pendulum-cartesian", .step = 0.02};
    double state[4], by_hand[4];
    CLI_TRY(cli_motion_reach(&start, "lobatto stages=2", 0, by_hand, by_hand + 2, err));
    CLI_TRY(cli_motion_reach(&start, "lobatto stages=2", STEPS, state, state + 2, err));
    for (int n = 0; n < STEPS; n++)
        trapezoidal_step(by_hand, by_hand + 2, start.step);
    double off = cli_largest_difference(state, by_hand, 4);
    return cli_bench_claim(bench, 0, off, err, "distance %.1e at t = 10", off);
}

static const cli_claim two_stage_claims[] = {
    {.text = "s = 2 and the trapezoidal rule, written out, lead to the same state",
     .published = "the trapezoidal rule applied first",
     .most = 1e-11},
};

static const cli_figure figures[] = {
    {.where = "Section 4.3, trapezoidal rule",
     .subject = "pendulum with a constraint",
     CLI_CLAIMS(two_stage_claims),
     .run = run_two_stages},
};

const cli_chapter cli_martin_sato2018_trapezoid = {figures, CLI_COUNT(figures)};
