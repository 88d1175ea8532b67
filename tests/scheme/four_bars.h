/* The N-four-bar: N + 1 cranks of length 1 side by side, neighbours joined by couplers of length 1. Whenever all
 * cranks lie on the line of the couplers the constraints lose N of their rank. By symmetry the cranks stay parallel,
 *   theta'' = -k cos(theta),   theta(0) = pi/2,   theta'(0) = -1,
 * with k = g for particles at the ends of the cranks, and k = g ((N + 1)/2 + N) / ((N + 1)/3 + N) for uniform bars of
 * mass 1. */
#ifndef LV_TESTS_FOUR_BARS_H
#define LV_TESTS_FOUR_BARS_H

#include "../claims/moving.h"

#include <math.h>

#define FOUR_BAR_POINTS                                                                  \
    "[parameters]\nN = 1\ng = 9.81\n"                                                    \
    "[coordinates]\n"                                                                    \
    "b = { count = \"N+1\", value = [\"i-1\", 1], velocity = [1, 0] }\n"                 \
    "[constraints.crank]\nfor = \"i = 1..N+1\"\n"                                        \
    "holonomic = \"(b_i[1] - (i-1))^2 + b_i[2]^2 - 1\"\n"                                \
    "[constraints.coupler]\nfor = \"i = 1..N\"\n"                                        \
    "holonomic = \"dot(b_{i+1} - b_i, b_{i+1} - b_i) - 1\"\n"

static const char four_bar_particles[] =
    FOUR_BAR_POINTS "[energy.masses]\nfor = \"i = 1..N+1\"\n"
                    "kinetic = \"1/2*dot(b_i', b_i')\"\npotential = \"g*b_i[2]\"\n";

static const char four_bar_rods[] =
    FOUR_BAR_POINTS "[energy.cranks]\nfor = \"i = 1..N+1\"\n"
                    "kinetic = \"1/6*dot(b_i', b_i')\"\npotential = \"g/2*b_i[2]\"\n"
                    "[energy.couplers]\nfor = \"i = 1..N\"\n"
                    "kinetic = \"1/6*(dot(b_i', b_i') + dot(b_i', b_{i+1}') + "
                    "dot(b_{i+1}', b_{i+1}'))\"\n"
                    "potential = \"g/2*(b_i[2] + b_{i+1}[2])\"\n";

static const char four_bar_bars[] =
    "[parameters]\nN = 1\ng = 9.81\n"
    "[coordinates]\n"
    "c = { count = \"N+1\", value = [\"i-1\", 0.5], velocity = [0.5, 0] }\n"
    "alpha = { count = \"N+1\", value = \"pi/2\", velocity = -1 }\n"
    "d = { count = \"N\", value = [\"i-0.5\", 1], velocity = [1, 0] }\n"
    "beta = { count = \"N\", value = 0, velocity = 0 }\n"
    "[energy.cranks]\nfor = \"i = 1..N+1\"\n"
    "kinetic = \"1/2*dot(c_i', c_i') + 1/24*alpha_i'^2\"\npotential = \"g*c_i[2]\"\n"
    "[energy.couplers]\nfor = \"i = 1..N\"\n"
    "kinetic = \"1/2*dot(d_i', d_i') + 1/24*beta_i'^2\"\npotential = \"g*d_i[2]\"\n"
    "[constraints.foot]\nfor = \"i = 1..N+1\"\n"
    "holonomic = \"c_i - [i-1, 0] - 1/2*[cos(alpha_i), sin(alpha_i)]\"\n"
    "[constraints.left]\nfor = \"i = 1..N\"\n"
    "holonomic = \"d_i - 1/2*[cos(beta_i), sin(beta_i)] - c_i"
    " - 1/2*[cos(alpha_i), sin(alpha_i)]\"\n"
    "[constraints.right]\nfor = \"i = 1..N\"\n"
    "holonomic = \"d_i + 1/2*[cos(beta_i), sin(beta_i)] - c_{i+1}"
    " - 1/2*[cos(alpha_{i+1}), sin(alpha_{i+1})]\"\n";

typedef enum four_bar_kind {
    FOUR_BAR_PARTICLES,
    FOUR_BAR_RODS,
    FOUR_BAR_BARS
} four_bar_kind;

static inline lv_model *four_bar(four_bar_kind kind, int count)
{
    static const char *const texts[] = {four_bar_particles, four_bar_rods, four_bar_bars};
    char value[20];
    snprintf(value, sizeof value, "%d", count);
    const lv_setting set = {"N", value};
    return read_with(texts[kind], &set, 1);
}

/* The angle of the cranks, by the classical Runge-Kutta method with small steps. */
static inline double four_bar_angle(four_bar_kind kind, int count, double t)
{
    const double g = 9.81, bars = count + 1;
    const double k =
        kind == FOUR_BAR_PARTICLES ? g : g * (bars / 2 + count) / (bars / 3 + count);
    const int steps = 20000;
    const double h = t / steps;
    double a = 2 * atan(1), w = -1;
    for (int i = 0; i < steps; i++) {
        const double w1 = -k * cos(a), a2 = w + h / 2 * w1;
        const double w2 = -k * cos(a + h / 2 * w), a3 = w + h / 2 * w2;
        const double w3 = -k * cos(a + h / 2 * a2), a4 = w + h * w3;
        const double w4 = -k * cos(a + h * a3);
        a += h / 6 * (w + 2 * a2 + 2 * a3 + a4);
        w += h / 6 * (w1 + 2 * w2 + 2 * w3 + w4);
    }
    return a;
}

/* Height of the end of crank i, counted from 0. */
static inline double four_bar_height(four_bar_kind kind, const double *q, int i)
{
    return (kind == FOUR_BAR_BARS ? 2 : 1) * q[2 * i + 1];
}

#endif
