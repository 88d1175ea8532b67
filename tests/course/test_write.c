/* Equations for readers: numbers, texts with facts and comments, what is derived for a system, and whether what is said
 * of evaluations is what a step does. */
#include "../step/stepping.h"

#include "course/write.h"

/* ---- numbers ---------------------------------------------------------------------------------------- */

static void numbers_are_fractions_where_they_are_simple(void **state)
{
    (void)state;
    const struct {
        double x;
        const char *text;
    } rows[] = {{0, "0"},
                {-0.0, "0"},
                {1, "1"},
                {-2, "-2"},
                {0.5, "1/2"},
                {5.0 / 12, "5/12"},
                {-1.0 / 24, "-1/24"},
                {0.1 + 0.2, "3/10"},
                {0.21132486540518712, "0.211325"},
                {1.0 / 61, "0.0163934"},
                {1e-20, "1e-20"},
                {1e20, "1e+20"}};
    char buffer[LV_STEP_NUMBER];
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        assert_string_equal(lv_step_number(buffer, rows[k].x), rows[k].text);
}

/* ---- texts -------------------------------------------------------------------------------------------- */

static void texts_keep_what_counts_with_its_comments(void **state)
{
    (void)state;
    static const char *const holds[] = {"moving", NULL}, *const fails[] = {"resting",
                                                                           NULL};
    const double theta = 0.5, list[] = {1, 0, -0.25, 1.0 / 3};
    const lv_coefficient coefficients[] = {{"theta", 0, 0, &theta},
                                           {"a", 2, 2, list},
                                           {"b", 20, 0, list},
                                           {"c", 2, 2, list},
                                           {0}};
    const lv_step_source source = {.text =
                                       "# goes with the next two\n# lines\n"
                                       "carried q point\n"
                                       "# goes with what does not count\n"
                                       "when resting: let x = q\n"
                                       "  + a[1,1] q\n"
                                       "when not moving: let y = q\n"
                                       "# of an open question\n"
                                       "when cold: when moving: let z = theta q\n"
                                       "  + a[1,2] q + b[2] q\n"
                                       "when not resting: let w = g(q) # to the end\n",
                                   .holds = holds,
                                   .fails = fails,
                                   .coefficients = coefficients};
    lv_text out = {0};
    lv_source_write(&out, &source);
    assert_false(out.failed);
    assert_string_equal(out.data, "# goes with the next two\n# lines\n"
                                  "carried q point\n"
                                  "# of an open question\n"
                                  "when cold: let z = theta q\n"
                                  "  + a[1,2] q + b[2] q\n"
                                  "let w = g(q) # to the end\n"
                                  "\n"
                                  "theta = 1/2\n"
                                  "a =    1     0\n"
                                  "    -1/4   1/3\n"
                                  "b: 20 numbers\n"
                                  "\n"
                                  "g(q)                    holonomic constraints\n");
    lv_text_done(&out);
}

/* ---- what is derived ------------------------------------------------------------------------------------ */

static char *written(const way_to_step *way)
{
    stepping s;
    lv_text out = {0};
    begin_stepping(&s, way);
    lv_course_write(&out, lv_stepper_course(s.stepper));
    end_stepping(&s);
    assert_false(out.failed);
    return out.data;
}

/* RATTLE as every book has it (Hairer, Lubich, Wanner 2006, VII.1.4). */
static void rattle_reads_as_in_books(void **state)
{
    (void)state;
    const way_to_step way = {"torus", LV_FAMILY_LOBATTO, 2, -1, LV_CLOSURE_C};
    char *text = written(&way);
    assert_string_equal(
        text, "3 coordinates, 1 holonomic constraint, the mass matrix M is constant\n"
              "\n"
              "solve for m[1]: 1 number, Newton's method\n"
              "  Q[2] = q + h v + h^2/2 M^-1 (F(q) + G(q)^T m[1])\n"
              "  0 = g(Q[2])\n"
              "\n"
              "solve for m[2]: 1 number, linear\n"
              "  x[2] = v + h/2 M^-1 (F(q) + G(q)^T m[1] + F(Q[2]) + G(Q[2])^T m[2])\n"
              "  0 = rate(Q[2], x[2])\n"
              "\n"
              "at the end of the step\n"
              "  q <- Q[2]\n"
              "  p <- p + h/2 (F(q) + G(q)^T m[1] + F(Q[2]) + G(Q[2])^T m[2])\n"
              "  v <- x[2]\n"
              "\n"
              "F is evaluated once a step\n");
    lv_memory_free(text);
}

static void verlet_solves_for_nothing(void **state)
{
    (void)state;
    const way_to_step way = {oscillators, LV_FAMILY_LOBATTO, 2, -1, LV_CLOSURE_C};
    char *text = written(&way);
    assert_null(strstr(text, "solve"));
    assert_non_null(strstr(text, "at the start of a step\n"
                                 "  Q[2] = q + h v + h^2/2 M^-1 F(q)\n"));
    assert_non_null(strstr(text, "  v <- v + h/2 M^-1 (F(q) + F(Q[2]))\n"));
    lv_memory_free(text);
}

/* Nothing is longer than a line, and a masses that vary are not written as a constant one. */
static void long_sums_are_wrapped(void **state)
{
    (void)state;
    const way_to_step way = {quartic_varying, LV_FAMILY_LOBATTO, 4, -1, LV_CLOSURE_C};
    char *text = written(&way);
    assert_null(strstr(text, "M^-1"));
    assert_non_null(strstr(text, "the mass matrix varies\n"));
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        assert_in_range(strcspn(line, "\n"), 0, 80);
        assert_true(line == text || line[strcspn(line, "\n") - 1] != ' ');
    }
    lv_memory_free(text);
}

/* ---- evaluations ------------------------------------------------------------------------------------------ */

static void evaluations_are_as_many_as_is_said(void **state)
{
    (void)state;
    const way_to_step list[] = {
        {oscillators, LV_FAMILY_LOBATTO, 2, -1, LV_CLOSURE_C},
        {oscillators, LV_FAMILY_LOBATTO, 4, -1, LV_CLOSURE_C},
        {oscillators, LV_FAMILY_GAUSS, 3, -1, LV_CLOSURE_C},
        {oscillators, LV_FAMILY_RADAU, 3, -1, LV_CLOSURE_C},
        {"torus", LV_FAMILY_LOBATTO, 2, -1, LV_CLOSURE_C},
        {"torus", LV_FAMILY_LOBATTO, 3, -1, LV_CLOSURE_C},
        {"four-particles", LV_FAMILY_LOBATTO, 2, -1, LV_CLOSURE_C},
        {varying, LV_FAMILY_GAUSS, 2, -1, LV_CLOSURE_C},
        {"nonholonomic-particle", LV_FAMILY_LOBATTO, 3, -1, LV_CLOSURE_C},
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        stepping s;
        begin_stepping(&s, &list[k]);
        const lv_course *c = lv_stepper_course(s.stepper);
        take_step(&s, 0.01, true);
        const lv_force_count n = lv_course_forces(c, LV_Q_FORCE);
        const long before = c->evaluations[LV_Q_FORCE];
        const int passes = take_step(&s, 0.01, true);
        const long count = c->evaluations[LV_Q_FORCE] - before;
        if (count != n.in_pass * passes + n.once)
            fail_msg("%zu: %ld evaluations in %d passes, not %d in each and %d", k, count,
                     passes, n.in_pass, n.once);
        end_stepping(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(numbers_are_fractions_where_they_are_simple),
        RUN(texts_keep_what_counts_with_its_comments),
        RUN(rattle_reads_as_in_books),
        RUN(verlet_solves_for_nothing),
        RUN(long_sums_are_wrapped),
        RUN(evaluations_are_as_many_as_is_said),
    };
    lv_stepper_force(LV_WAY_COURSE); /* programs evaluate nothing that is counted */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
