/* Newton matrices that are derived from the texts of schemes, against differences of the residuals. */
#include "../scheme/watching.h"

#include "course/matrix.h"
#include "scheme/stepped.h"

#include <stdlib.h>

/* Scaled residuals at the unknowns as they are. */
static void evaluate(lv_course *c, const lv_phase *p, double *to)
{
    lv_course_run(c, &p->pass);
    for (int k = 0; k < p->unknowns; k++) {
        const lv_phase_column *column = &p->columns.data[k];
        const double factor = column->row_power > 0 ? c->h : 1;
        lv_combine(c, &column->residual);
        for (int i = 0; i < column->size; i++)
            *to++ = factor * column->residual.out[i];
    }
}

static void move(lv_course *c, const lv_phase *p, const double *by, double factor)
{
    for (int k = 0; k < p->unknowns; k++) {
        const lv_phase_column *column = &p->columns.data[k];
        for (int i = 0; i < column->size; i++)
            c->value[column->field][i] += factor * *by++ / pow(c->h, column->scale);
    }
}

/* What the matrix makes of a difference of residuals is the displacement; returns how far it is from that. */
static double miss_of_phase(lv_course *c, int number, double size)
{
    lv_phase *p = &c->phase[number];
    lv_step_matrix *matrix = NULL;
    lv_error err = {0};
    assert_int_equal(lv_step_matrix_create(&matrix, c, number, false, &err), LV_OK);
    const size_t all = (size_t)lv_step_matrix_size(matrix) + 1;
    double *by = calloc(4 * all, sizeof *by), *plus = by + all, *minus = plus + all,
           *x = minus + all, worst = 0;
    assert_non_null(by);
    int count = 0;
    for (int k = 0; k < p->unknowns; k++)
        for (int i = 0; i < p->columns.data[k].size; i++) {
            by[count] = sin(1.0 + 7.3 * count) * size;
            count++;
        }
    lv_course_begin(c, c->t, c->h);
    move(c, p, by, 1);
    evaluate(c, p, plus);
    move(c, p, by, -2);
    evaluate(c, p, minus);
    move(c, p, by, 1);
    evaluate(c, p, x);
    assert_true(lv_step_matrix_build(matrix, LV_LEVEL_FULL, NULL));
    for (int i = 0; i < count; i++)
        x[i] = (plus[i] - minus[i]) / 2;
    for (size_t i = (size_t)count; i < all; i++)
        x[i] = 0;
    lv_step_matrix_solve(matrix, x);
    for (int i = 0; i < count; i++)
        worst = fmax(worst, fabs(x[i] - by[i]) / size);
    free(by);
    lv_step_matrix_free(matrix);
    return worst;
}

static lv_stepper *stepper_of(const lv_sim *sim)
{
    return ((const lv_stepped *)sim->work)->stepper;
}

static double miss_of(lv_model *model, const method *m, double h)
{
    lv_sim *sim = start(model, m, h);
    for (int k = 0; k < 3; k++)
        step_once(sim);
    lv_stepper *stepper = stepper_of(sim);
    double worst = 0;
    for (int k = 1; k <= lv_stepper_phases(stepper); k++)
        worst = fmax(worst, miss_of_phase(lv_stepper_course(stepper), k, 1e-7));
    lv_sim_free(sim);
    return worst;
}

/* Masses that vary, a constraint of degree 4 that moves, forces of velocities. */
static const char moving[] =
    "[coordinates]\nx = { value = 1, velocity = 0.0339897817852 }\ny = { value = 0.2, "
    "velocity = 0.386428571957 }\n"
    "z = { value = -0.1, velocity = -0.12600658591 }\n"
    "[run]\ninitial = \"project\"\n[energy]\nkinetic = \"(1 + x^2/2)*x'^2/2 + (2 + "
    "sin(y)*x)*y'^2/2 + z'^2/2 + "
    "x*z*x'*z'/4\"\n"
    "potential = \"z + x^2*y\"\n"
    "[forces.f]\non = \"x\"\nforce = \"-0.1*x'*y\"\n"
    "[constraints.g]\nholonomic = \"x^4 + y^2 + x*z*y + z - 0.1*t*x - 0.92\"\n";

static const char *const names[] = {"vi-a", "vi-b", "vi-b2", "B(1,0)",
                                    "vi-s", "em",   "livens"};

static void matrices_are_derivatives(void **state)
{
    static const char *const shipped[] = {"torus", "rheonomic-pendulum", "four-particles",
                                          "double-pendulum", "flyball-governor"};
    (void)state;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        for (int way = 0; way < LV_WAYS; way++) {
            const method m = member(names[k]);
            lv_stepper_force((lv_step_way)way);
            for (size_t i = 0; i < sizeof shipped / sizeof *shipped; i++) {
                lv_model *model = read_shipped(shipped[i], NULL, NULL);
                const double miss = miss_of(model, &m, i == 4 ? 0.01 : 0.005);
                lv_model_free(model);
                print_message("    %-7s %-20s way %d: %.1e\n", names[k], shipped[i], way,
                              miss);
                /* The governor is stiff: third derivatives are felt. */
                assert_at_most(miss, i == 4 ? 1e-5 : 1e-7);
            }
        }
    lv_stepper_force(LV_WAY_USUAL);
}

static void masses_may_vary(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        lv_model *model = read_text(moving);
        const method m = member(names[k]);
        const double miss = miss_of(model, &m, 0.05);
        lv_model_free(model);
        print_message("    %-7s %.1e\n", names[k], miss);
        assert_at_most(miss, 1e-6);
    }
}

/* Phases of a text on a system, and unknown numbers in each: four particles have 12 coordinates and 2 constraints, the
 * governor has masses that vary. */
static void texts_have_as_many_unknowns_as_they_need(void **state)
{
    static const struct {
        const char *scheme, *model;
        int phases, first, second;
    } rows[] = {{"livens", "four-particles", 1, 14, 0},
                {"em-g", "four-particles", 1, 14, 0},
                {"em", "four-particles", 2, 16, 2},
                {"livens", "pendulum-polar", 1, 1, 0},
                {"em", "pendulum-polar", 1, 1, 0},
                {"livens", "mass-spring-redundant", 1, 4, 0}};
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        lv_model *model = read_shipped(rows[k].model, NULL, NULL);
        lv_sim *sim = start(model, &(method){rows[k].scheme, 1, 0}, 0.01);
        lv_stepper *stepper = stepper_of(sim);
        assert_int_equal(lv_stepper_phases(stepper), rows[k].phases);
        assert_int_equal(lv_stepper_unknowns(stepper, 1), rows[k].first);
        if (rows[k].phases > 1)
            assert_int_equal(lv_stepper_unknowns(stepper, 2), rows[k].second);
        lv_sim_free(sim);
        lv_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {RUN(matrices_are_derivatives),
                                       RUN(masses_may_vary),
                                       RUN(texts_have_as_many_unknowns_as_they_need)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
