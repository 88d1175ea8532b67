/* Newton matrices of the partitioned texts against differences of the equations at perturbed points. */
#include "../step/matrices.h"

static void load(lv_course *c, const stepping *s)
{
    const size_t bytes = (size_t)s->system->n * sizeof(double);
    memcpy(lv_course_value(c, "q", 0), s->state.q, bytes);
    memcpy(lv_course_value(c, "p", 0), s->state.p, bytes);
    memcpy(lv_course_value(c, "v", 0), s->state.v, bytes);
}

/* Counts the matrices that are wrong. */
static int check_way(const way_to_step *way, bool reduced, double tolerance)
{
    stepping s;
    char where[100];
    lv_stepper_force(reduced ? LV_WAY_USUAL : LV_WAY_UNREDUCED);
    begin_stepping(&s, way);
    lv_stepper_force(LV_WAY_USUAL);
    lv_course *c = lv_stepper_course(s.stepper);
    load(c, &s);
    perturb(c, s.state.v, 7);
    lv_course_begin(c, 0.3, 0.1);
    snprintf(where, sizeof where, "%.24s, family %d, %d stages%s", way->model,
             (int)way->family, way->stages, reduced ? "" : ", unreduced");
    const int wrong = check_matrices(c, where, tolerance);
    end_stepping(&s);
    return wrong;
}

static void check_ways(bool reduced)
{
    int wrong = 0;
    for (int k = 0; k < WAYS; k++)
        wrong += check_way(&ways[k], reduced, 1e-8);
    assert_int_equal(wrong, 0);
}

static void matrices_agree_with_differences(void **state)
{
    (void)state;
    check_ways(true);
}

static void matrices_of_unreduced_texts_agree_with_differences(void **state)
{
    (void)state;
    check_ways(false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(matrices_agree_with_differences),
        RUN(matrices_of_unreduced_texts_agree_with_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
