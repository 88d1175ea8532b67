/* What is derived from the partitioned texts: phases, unknowns, evaluations of forces, exact zeros. */
#include "stepping.h"

enum { PHASES = 3 };

typedef struct derived {
    way_to_step way;
    int phases;
    int unknowns[PHASES];
    bool linear[PHASES];
} derived;

/* oscillators, damped, varying: n = 2; torus, quartic_varying: n = 3, mg = 1; four-particles: n = 12, mg = 6 or as it
 * says; nonholonomic-particle: n = 3, mn = 1; both: n = 4, mg = mn = 1. */
static const derived rows[] = {
    /* constant masses: verlet is explicit, rattle has multipliers only */
    {FAMILY(oscillators, LOBATTO, 2), 0, {0}, {0}},
    {FAMILY("torus", LOBATTO, 2), 2, {1, 1}, {false, true}},
    {FAMILY("pendulum-cartesian", LOBATTO, 2), 2, {1, 1}, {false, true}},
    /* lobatto: (s-2) n + (s-1) mg, then mg */
    {FAMILY(oscillators, LOBATTO, 3), 1, {2}, {false}},
    {FAMILY(oscillators, LOBATTO, 4), 1, {4}, {false}},
    {FAMILY("torus", LOBATTO, 3), 2, {3 + 2, 1}, {false, true}},
    {FAMILY("torus", LOBATTO, 4), 2, {6 + 3, 1}, {false, true}},
    {FAMILY("torus", LOBATTO, 5), 2, {9 + 4, 1}, {false, true}},
    /* Nonholonomic: velocities of the stages stay, with which Newton's method is more robust than without:
     * s n + (s-1) mn + s mg. With two stages multipliers are linear, and last. */
    {FAMILY("nonholonomic-particle", LOBATTO, 2), 2, {3, 1}, {false, true}},
    {FAMILY("nonholonomic-particle", LOBATTO, 3), 1, {9 + 2}, {false}},
    {FAMILY("nonholonomic-particle", LOBATTO, 4), 1, {12 + 3}, {false}},
    {FAMILY(both, LOBATTO, 2), 2, {4 + 1, 2}, {false, true}},
    {FAMILY(both, LOBATTO, 3), 1, {12 + 2 + 3}, {false}},
    /* gauss: s n; radau: forces at the end enter no stage, (s-1) n */
    {FAMILY(oscillators, GAUSS, 1), 1, {2}, {false}},
    {FAMILY(oscillators, GAUSS, 3), 1, {6}, {false}},
    {FAMILY(oscillators, RADAU, 3), 1, {4}, {false}},
    /* varying masses: stages, then the end, which is linear */
    {FAMILY(varying, GAUSS, 2), 2, {4, 2}, {false, true}},
    {FAMILY(varying, LOBATTO, 3), 2, {6, 2}, {false, true}},
    {FAMILY(quartic_varying, LOBATTO, 2), 2, {6 + 1, 3 + 1}, {false, true}},
    {FAMILY(quartic_varying, LOBATTO, 3), 2, {9 + 2, 3 + 1}, {false, true}},
    /* multipliers as polynomials: points, coefficients and an impulse, then the impulse at the end */
    {SMOOTH("torus", LR, 3, 1), 2, {9 + 1 + 1, 1}, {false, true}},
    /* a series of the velocities: degree + 1 terms, one less with continuity */
    {SERIES("torus", LR, 3, 1), 2, {9 + 1 + 1, 1}, {false, true}},
    {SERIES("torus", LR, 5, 1), 2, {15 + 1 + 1, 1}, {false, true}},
    {SERIES(oscillators, C, 4, 0), 1, {3 * 2}, {false}},
};

enum { ROWS = sizeof rows / sizeof *rows };

static void phases_and_unknowns_are_those_of_the_table(void **state)
{
    (void)state;
    int wrong = 0;
    for (int k = 0; k < ROWS; k++) {
        const derived *r = &rows[k];
        stepping s;
        begin_stepping(&s, &r->way);
        const lv_course *c = lv_stepper_course(s.stepper);
        bool right = lv_stepper_phases(s.stepper) == r->phases;
        for (int p = 1; p <= r->phases && right; p++)
            right = lv_stepper_unknowns(s.stepper, p) == r->unknowns[p - 1] &&
                    c->phase[p].linear == r->linear[p - 1];
        if (!right) {
            wrong++;
            print_error("row %d (%.20s): %d phases:", k, r->way.model,
                        lv_stepper_phases(s.stepper));
            for (int p = 1; p <= lv_stepper_phases(s.stepper); p++)
                print_error(" %d%s", lv_stepper_unknowns(s.stepper, p),
                            c->phase[p].linear ? " linear" : "");
            print_error("\n");
        }
        end_stepping(&s);
    }
    assert_int_equal(wrong, 0);
}

/* Evaluations of a quantity in the step to come. */
static long evaluations(stepping *s, lv_quantity quantity, double h, int *iterations)
{
    const lv_course *c = lv_stepper_course(s->stepper);
    const long before = c->evaluations[quantity];
    *iterations = take_step(s, h, true);
    return c->evaluations[quantity] - before;
}

static void verlet_and_rattle_evaluate_forces_once_a_step(void **state)
{
    (void)state;
    const way_to_step list[] = {
        FAMILY(oscillators, LOBATTO, 2), FAMILY("torus", LOBATTO, 2),
        FAMILY("four-particles", LOBATTO, 2), FAMILY("pendulum-cartesian", LOBATTO, 2)};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        stepping s;
        int iterations;
        begin_stepping(&s, &list[k]);
        assert_int_equal(evaluations(&s, LV_Q_FORCE, 0.01, &iterations), 2);
        for (int i = 0; i < 5; i++)
            assert_int_equal(evaluations(&s, LV_Q_FORCE, 0.01, &iterations), 1);
        end_stepping(&s);
    }
}

/* Gradients are taken over, too: those at the start are those at the end of the step before. */
static void rattle_takes_gradients_over(void **state)
{
    (void)state;
    const way_to_step way = FAMILY("torus", LOBATTO, 2);
    stepping s;
    int iterations;
    begin_stepping(&s, &way);
    take_step(&s, 0.01, true);
    for (int i = 0; i < 5; i++) {
        const long count = evaluations(&s, LV_Q_JACOBIAN, 0.01, &iterations);
        assert_in_range(count, 1, iterations + 1);
    }
    end_stepping(&s);
}

/* What depends on time is taken over only at the same time, to the last bit. */
static void forces_of_another_time_are_not_taken_over(void **state)
{
    (void)state;
    const way_to_step way = FAMILY(driven, LOBATTO, 2);
    const double h = 0.125; /* sums of it are exact */
    stepping s;
    int iterations;
    begin_stepping(&s, &way);
    take_step(&s, h, true);
    assert_int_equal(evaluations(&s, LV_Q_FORCE, h, &iterations), 1);
    s.state.t = nextafter(s.state.t, 10);
    assert_int_equal(evaluations(&s, LV_Q_FORCE, h, &iterations), 2);
    end_stepping(&s);
}

static void forces_at_another_place_are_not_taken_over(void **state)
{
    (void)state;
    const way_to_step way = FAMILY(oscillators, LOBATTO, 2);
    stepping s;
    int iterations;
    begin_stepping(&s, &way);
    take_step(&s, 0.1, true);
    s.state.q[1] = nextafter(s.state.q[1], 10);
    assert_int_equal(evaluations(&s, LV_Q_FORCE, 0.1, &iterations), 2);
    assert_int_equal(evaluations(&s, LV_Q_FORCE, 0.1, &iterations), 1);
    lv_stepper_forget(s.stepper);
    assert_int_equal(evaluations(&s, LV_Q_FORCE, 0.1, &iterations), 2);
    end_stepping(&s);
}

/* A step that takes values over has the bits of one that evaluates them. */
static void values_taken_over_change_no_bit(void **state)
{
    (void)state;
    const way_to_step list[] = {FAMILY(oscillators, LOBATTO, 2),
                                FAMILY("torus", LOBATTO, 3),
                                FAMILY("four-particles", LOBATTO, 2),
                                FAMILY(both, LOBATTO, 2), FAMILY(driven, LOBATTO, 3)};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        stepping s, other;
        begin_stepping(&s, &list[k]);
        begin_stepping(&other, &list[k]);
        const lv_memory_view from = lv_stepper_memory(s.stepper),
                             to = lv_stepper_memory(other.stepper);
        for (int i = 0; i < 10; i++) {
            take_step(&s, 0.01, true);
            lv_stepper_forget(other.stepper);
            memcpy(other.numbers, s.numbers, sizeof s.numbers);
            other.state.t = s.state.t;
            assert_int_equal(from.count, to.count);
            memcpy(to.numbers, from.numbers, (size_t)to.count * sizeof(double));
            take_step(&s, 0.01, true);
            take_step(&other, 0.01, true);
            assert_memory_equal(s.numbers, other.numbers, sizeof s.numbers);
        }
        end_stepping(&s);
        end_stepping(&other);
    }
}

/* Every stage once a pass, but those that are the start. */
static void implicit_schemes_evaluate_forces_at_inner_stages_only(void **state)
{
    (void)state;
    const struct {
        way_to_step way;
        int per_pass;
        int once; /* besides */
    } list[] = {{FAMILY(oscillators, GAUSS, 3), 3, 3},
                {FAMILY(oscillators, GAUSS, 1), 1, 1},
                {FAMILY(oscillators, LOBATTO, 3), 1, 2},
                {FAMILY(oscillators, LOBATTO, 4), 2, 3}};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        stepping s;
        int iterations = 0;
        begin_stepping(&s, &list[k].way);
        take_step(&s, 0.1, true);
        const long count = evaluations(&s, LV_Q_FORCE, 0.1, &iterations);
        assert_int_equal(count, iterations * list[k].per_pass + list[k].once);
        end_stepping(&s);
    }
}

/* ---- exact zeros -------------------------------------------------------------------------------------- */

/* Coefficients that vanish by structure leave no terms: the first stage of Lobatto methods is the start itself, and
 * multipliers of the last one enter no equation of the stages. */
static void zeros_of_tables_leave_no_terms(void **state)
{
    (void)state;
    for (int stages = 2; stages <= 6; stages++) {
        const way_to_step way = FAMILY("torus", LOBATTO, stages);
        stepping s;
        begin_stepping(&s, &way);
        const lv_course *c = lv_stepper_course(s.stepper);
        const lv_form *f = &c->form;
        const int last = lv_form_find(f, "m", stages), first = lv_form_find(f, "Q", 1);
        assert_true(last >= 0 && first >= 0);
        assert_int_equal(f->fields.data[first].sum.count, 1);
        assert_int_equal(f->fields.data[first].sum.data[0].field,
                         lv_form_find(f, "q", 0));
        assert_true(f->fields.data[first].sum.data[0].c == 1);
        assert_int_equal(c->phases.of_field[last], 2);
        for (int k = 0; k < c->sites.count; k++) /* all at the start are at q */
            assert_true(c->sites.data[k].arg[LV_ARG_Q] != first);
        end_stepping(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(phases_and_unknowns_are_those_of_the_table),
        RUN(verlet_and_rattle_evaluate_forces_once_a_step),
        RUN(rattle_takes_gradients_over),
        RUN(forces_of_another_time_are_not_taken_over),
        RUN(forces_at_another_place_are_not_taken_over),
        RUN(values_taken_over_change_no_bit),
        RUN(implicit_schemes_evaluate_forces_at_inner_stages_only),
        RUN(zeros_of_tables_leave_no_terms),
    };
    lv_stepper_force(LV_WAY_COURSE); /* programs evaluate nothing that is counted */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
