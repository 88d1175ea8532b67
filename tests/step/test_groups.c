/* Steps of bodies on groups: Newton matrices, phases, multipliers. */
#include "cli/reproduce/group_rows.h"
#include "matrices.h"
#include "turning_steps.h"

/* ---- matrices ----------------------------------------------------------------------------------------------- */

static const turning_way turning_ways[] = {
    {turning_free, LV_FAMILY_GAUSS, 1, LV_CHART_EXP},
    {turning_free, LV_FAMILY_GAUSS, 2, LV_CHART_CAY},
    {turning_free, LV_FAMILY_LOBATTO, 2, LV_CHART_EXP},
    {turning_free, LV_FAMILY_LOBATTO, 3, LV_CHART_CAY},
    {"heavy-top", LV_FAMILY_GAUSS, 2, LV_CHART_EXP},
    {"heavy-top", LV_FAMILY_GAUSS, 3, LV_CHART_CAY},
    {"heavy-top", LV_FAMILY_LOBATTO, 2, LV_CHART_CAY},
    {"heavy-top", LV_FAMILY_LOBATTO, 4, LV_CHART_EXP},
    {turning_revolute, LV_FAMILY_LOBATTO, 2, LV_CHART_EXP},
    {turning_revolute, LV_FAMILY_LOBATTO, 3, LV_CHART_CAY},
    {turning_spherical, LV_FAMILY_LOBATTO, 2, LV_CHART_CAY},
    {turning_spherical, LV_FAMILY_LOBATTO, 4, LV_CHART_EXP},
    {turning_prismatic, LV_FAMILY_LOBATTO, 3, LV_CHART_EXP},
    {turning_mixed, LV_FAMILY_LOBATTO, 2, LV_CHART_EXP},
    {turning_mixed, LV_FAMILY_LOBATTO, 3, LV_CHART_CAY},
    {"ball-in-bowl", LV_FAMILY_LOBATTO, 3, LV_CHART_EXP},
    {"rolling-disc-body", LV_FAMILY_LOBATTO, 4, LV_CHART_EXP},
    {turning_free, LV_FAMILY_GAUSS, 2, LV_CHART_EXP, true},
    {turning_revolute, LV_FAMILY_LOBATTO, 3, LV_CHART_EXP, true},
    {turning_mixed, LV_FAMILY_LOBATTO, 3, LV_CHART_CAY, true},
    {turning_free, LV_FAMILY_LOBATTO, 2, LV_CHART_EXP, false, true},
    {turning_revolute, LV_FAMILY_LOBATTO, 2, LV_CHART_EXP, false, true},
    {turning_spherical, LV_FAMILY_LOBATTO, 2, LV_CHART_EXP, false, true},
    {turning_prismatic, LV_FAMILY_LOBATTO, 2, LV_CHART_EXP, false, true},
};
enum { TURNING_WAYS = sizeof turning_ways / sizeof *turning_ways };

static const char *way_text(const turning_way *way, char *buffer, size_t size)
{
    snprintf(buffer, size, "%.24s, %s %d, %s%s", way->model,
             way->family == LV_FAMILY_GAUSS ? "gauss" : "lobatto", way->stages,
             way->exact                   ? "exact"
             : way->chart == LV_CHART_EXP ? "exp"
                                          : "cay",
             way->coupled ? ", coupled" : "");
    return buffer;
}

/* The carried fields as a step takes them in, from the state; velocities are returned. */
static const double *load_turning(turning_steps *s, lv_course *c)
{
    double *q = lv_course_value(c, "q", 0), *v = lv_course_value(c, "v", 0);
    double body[MOST_NUMBERS];
    memcpy(q, s->state.q, (size_t)s->still->n * sizeof *q);
    lv_turning_complete(&c->turning, q);
    lv_motion_tangents(s->motion, v, q, s->state.v);
    lv_system_momentum(s->moving, body, 0, q, v);
    lv_turn_arguments arguments = {[LV_ARG_Q] = q, [LV_ARG_W] = body};
    lv_turning_apply(&c->turning, LV_TURN_SPACE, lv_course_value(c, "p", 0), arguments);
    return v;
}

static void matrices_on_groups_agree_with_differences(void **state)
{
    (void)state;
    int wrong = 0;
    for (int k = 0; k < TURNING_WAYS; k++) {
        turning_steps s;
        char where[100];
        begin_turning(&s, &turning_ways[k]);
        lv_course *c = lv_stepper_course(s.stepper);
        double v[MOST_NUMBERS];
        memcpy(v, load_turning(&s, c), (size_t)s.moving->n * sizeof *v);
        perturb(c, v, 5);
        /* a step in which bodies turn well: terms of the chart count */
        lv_course_begin(c, 0,
                        strcmp(turning_ways[k].model, "heavy-top") == 0 ? 4e-3 : 0.2);
        wrong += check_matrices(c, way_text(&turning_ways[k], where, sizeof where), 1e-8);
        end_turning(&s);
    }
    assert_int_equal(wrong, 0);
}

/* ---- phases ------------------------------------------------------------------------------------------------- */

static void assert_phases(const turning_way *way, int first, int second)
{
    turning_steps s;
    char where[100];
    begin_turning(&s, way);
    const int phases = lv_stepper_phases(s.stepper),
              one = lv_stepper_unknowns(s.stepper, 1),
              two = phases > 1 ? lv_stepper_unknowns(s.stepper, 2) : 0;
    if (phases != (second > 0 ? 2 : 1) || one != first || two != second)
        fail_msg("%s: %d phases of %d and %d unknowns, not %d and %d",
                 way_text(way, where, sizeof where), phases, one, two, first, second);
    assert_true(phases == 1 || lv_stepper_course(s.stepper)->phase[2].linear);
    end_turning(&s);
}

/* Stages: s n tangents and (s - 1) m multipliers; end: m multipliers, linear. Masses are constant in body axes: velocities
 * at the end are M^-1 times momenta. */
static void stages_and_end_are_solved_one_after_the_other(void **state)
{
    (void)state;
    for (int stages = 2; stages <= 4; stages++)
        for (int chart = 0; chart < 2; chart++) {
            const lv_chart in = chart == 0 ? LV_CHART_EXP : LV_CHART_CAY;
            const turning_way list[] = {
                {turning_free, LV_FAMILY_GAUSS, stages, in},
                {turning_free, LV_FAMILY_LOBATTO, stages, in},
                {turning_revolute, LV_FAMILY_LOBATTO, stages, in},
                {turning_spherical, LV_FAMILY_LOBATTO, stages, in}};
            assert_phases(&list[0], 6 * stages, 0);
            assert_phases(&list[1], 6 * stages, 0);
            assert_phases(&list[2], 12 * stages + 5 * (stages - 1), 5);
            assert_phases(&list[3], 12 * stages + 3 * (stages - 1), 3);
        }
}

/* Between kicks bodies turn by momenta that are known once multipliers are: these alone are unknown, and gradients times
 * the derivatives of free motion take the place of gradients in G M^-1 G^T. */
static void exact_steps_are_solved_for_multipliers(void **state)
{
    (void)state;
    const turning_way list[] = {
        {turning_revolute, LV_FAMILY_LOBATTO, 2, LV_CHART_EXP, false, true},
        {turning_spherical, LV_FAMILY_LOBATTO, 2, LV_CHART_EXP, false, true}};
    assert_phases(&list[0], 5, 5);
    assert_phases(&list[1], 3, 3);
    for (int k = 0; k < 2; k++) {
        turning_steps s;
        lv_step_matrix *matrix = NULL;
        lv_error err;
        begin_turning(&s, &list[k]);
        if (lv_step_matrix_create(&matrix, lv_stepper_course(s.stepper), 1, true, &err) !=
            LV_OK)
            fail_with(&err);
        assert_true(lv_step_matrix_has_cheap(matrix) && lv_step_matrix_is_exact(matrix));
        lv_step_matrix_free(matrix);
        end_turning(&s);
    }
}

/* ---- multipliers -------------------------------------------------------------------------------------------- */

static const char jointed_top[] = "[gravity]\nacceleration = [0, 0, -9.81]\n"
                                  "[bodies.top]\nmass = 15\n"
                                  "inertia = [0.234375, 0.46875, 0.234375]\n"
                                  "position = [0, 1, 0]\nvelocity = [4.61538, 0, 0]\n"
                                  "angular_velocity = [0, 150, -4.61538]\n"
                                  "[joints.tip]\ntype = \"spherical\"\n"
                                  "between = [\"top\", \"ground\"]\nat = [0, 0, 0]\n";

/* The last one, from the rates at the end, amplifies rounding by 1/h. */
static void multipliers_of_the_last_stage_are_those_printed(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        const joint_row *row = &joint_rows[k];
        const turning_way way = {jointed_top, LV_FAMILY_LOBATTO, row->stages,
                                 row->cay ? LV_CHART_CAY : LV_CHART_EXP};
        turning_steps s;
        double worst = 0;
        begin_turning(&s, &way);
        for (int i = 0; i < 100; i++)
            take_turning_step(&s, 1e-3);
        const double *m = lv_stepper_value(s.stepper, "m", row->stages);
        for (int i = 0; i < 3; i++)
            worst = fmax(worst, fabs(m[i] - row->force[i]));
        print_message("    %d %s: %.1e (%g %g %g)\n", row->stages,
                      row->cay ? "cay" : "exp", worst, m[0], m[1], m[2]);
        assert_at_most(worst, 1e-7);
        end_turning(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(matrices_on_groups_agree_with_differences),
        RUN(stages_and_end_are_solved_one_after_the_other),
        RUN(exact_steps_are_solved_for_multipliers),
        RUN(multipliers_of_the_last_stage_are_those_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
