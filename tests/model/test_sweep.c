/* What [sweep] makes of the parameters. */
#include "reading.h"

#include "deny.h"
#include "model/model.h"
#include "model/sweep.h"
#include "num/random.h"

static const char head[] = "[parameters]\n"
                           "m = 1\nk = 4\nx0 = 1\nw = \"sqrt(k/m)\"\nup = [1, 2]\nN = 2\n"
                           "[coordinates]\n"
                           "x = { value = \"x0\" }\nz = { count = \"N\", value = 0 }\n"
                           "[energy]\n"
                           "kinetic = \"m/2*x'^2\"\npotential = \"k/2*x^2\"\n"
                           "[energy.rest]\nfor = \"i = 1..N\"\nkinetic = \"z_i'^2/2\"\n";

static lv_model *read_sweep(const char *sweep)
{
    char text[4000];
    snprintf(text, sizeof text, "%s%s", head, sweep);
    return read_text(text);
}

/* The value of a parameter in a member. */
static double value_of(const lv_model *m, int member, const char *name, int component)
{
    double values[16];
    lv_error err;
    const lv_name *found = lv_names_find(&m->names, name, (int)strlen(name));
    assert_non_null(found);
    assert_true(m->parameter_values.count <= 16);
    if (lv_model_member_values(m, values, member, &err) != LV_OK)
        fail_with(&err);
    return values[m->parameters.data[found->index].first + component];
}

static void a_formula_follows_the_number_of_the_member(void **state)
{
    (void)state;
    lv_model *m = read_sweep("[sweep]\nmembers = 41\n[sweep.set]\nx0 = \"j*pi/80\"\n");
    assert_int_equal(lv_sweep_members(m), 41);
    for (int j = 0; j < 41; j++) {
        assert_true(value_of(m, j, "x0", 0) == j * 3.14159265358979323846 / 80);
        assert_true(value_of(m, j, "m", 0) == 1);
    }
    lv_model_free(m);
}

static void the_index_has_the_name_that_is_given(void **state)
{
    (void)state;
    lv_model *m = read_sweep(
        "[sweep]\nmembers = \"N + 1\"\nindex = \"n\"\n[sweep.set]\nx0 = \"n^2\"\n");
    assert_int_equal(lv_sweep_members(m), 3);
    assert_true(value_of(m, 2, "x0", 0) == 4);
    lv_model_free(m);
}

static void a_parameter_that_is_the_index_is_the_number(void **state)
{
    (void)state;
    lv_model *m = read_sweep("[sweep]\nmembers = 3\nindex = \"k\"\n");
    assert_true(value_of(m, 2, "k", 0) == 2);
    assert_close(value_of(m, 2, "w", 0), sqrt(2), 1e-15);
    lv_model_free(m);
}

static void the_last_grid_changes_fastest(void **state)
{
    (void)state;
    lv_model *m = read_sweep("[sweep.set]\n"
                             "m = { from = 1, to = 2, count = 3 }\n"
                             "x0 = \"10*m + k\"\n"
                             "k = { values = [4, \"9*m\"] }\n");
    static const double masses[] = {1, 1.5, 2};
    assert_int_equal(lv_sweep_members(m), 6);
    for (int j = 0; j < 6; j++) {
        double mass = masses[j / 2], k = j % 2 ? 9 * mass : 4;
        assert_true(value_of(m, j, "m", 0) == mass);
        assert_true(value_of(m, j, "k", 0) == k);
        assert_true(value_of(m, j, "x0", 0) == 10 * mass + k);
        assert_true(value_of(m, j, "w", 0) == sqrt(k / mass));
    }
    lv_model_free(m);
}

static void a_grid_ends_exactly_where_it_should(void **state)
{
    (void)state;
    lv_model *m = read_sweep("[sweep.set]\nm = { from = 0.1, to = 0.7, count = 7 }\n"
                             "k = { from = \"3*m\", to = 5, count = 1 }\n");
    assert_int_equal(lv_sweep_members(m), 7);
    assert_true(value_of(m, 0, "m", 0) == 0.1 && value_of(m, 6, "m", 0) == 0.7);
    for (int j = 0; j < 7; j++) {
        assert_close(value_of(m, j, "m", 0), 0.1 * (j + 1), 1e-15);
        assert_true(value_of(m, j, "k", 0) == 3 * value_of(m, j, "m", 0));
    }
    lv_model_free(m);
}

static void random_members_are_those_of_the_generator(void **state)
{
    (void)state;
    lv_model *m = read_sweep("[sweep]\nmembers = 50\nseed = 7\n[sweep.set]\n"
                             "m = { uniform = [2, 4] }\n"
                             "x0 = { normal = [1, \"m/2\"] }\n"
                             "up = { uniform = [-1, 1] }\n");
    for (uint32_t j = 0; j < 50; j++) {
        int member = (int)j;
        double mass = 2 + 2 * lv_random_uniform(&(lv_draw){7, "m", j, 0});
        assert_true(value_of(m, member, "m", 0) == mass);
        assert_true(value_of(m, member, "x0", 0) ==
                    1 + mass / 2 * lv_random_normal(&(lv_draw){7, "x0", j, 0}));
        for (uint32_t k = 0; k < 2; k++)
            assert_true(value_of(m, member, "up", (int)k) ==
                        -1 + 2 * lv_random_uniform(&(lv_draw){7, "up", j, k}));
    }
    lv_model_free(m);
}

/* What else is in the sweep does not matter to a random number. */
static void random_numbers_do_not_depend_on_their_neighbours(void **state)
{
    (void)state;
    lv_model *alone =
        read_sweep("[sweep]\nmembers = 9\n[sweep.set]\nx0 = { uniform = [0, 1] "
                   "}\n");
    lv_model *among = read_sweep("[sweep.set]\nm = { normal = [5, 0.1] }\n"
                                 "k = { from = 1, to = 3, count = 20 }\n"
                                 "x0 = { uniform = [0, 1] }\n");
    for (int j = 0; j < 9; j++)
        assert_true(value_of(alone, j, "x0", 0) == value_of(among, j, "x0", 0));
    lv_model_free(alone);
    lv_model_free(among);
}

static void a_member_is_the_model_with_its_values(void **state)
{
    (void)state;
    lv_error err;
    lv_model *member = NULL;
    lv_model *m = read_sweep("[sweep]\nmembers = 4\n[sweep.set]\nx0 = \"j/3\"\n"
                             "up = [\"j\", \"-j/7\"]\n");
    assert_int_equal(lv_sweep_member(&member, m, 2, &err), LV_OK);
    assert_true(lv_model_start_position(member)[0] == 2.0 / 3);
    assert_true(value_of(member, 3, "up", 1) == -3.0 / 7);
    const lv_name *up = lv_names_find(&member->names, "up", 2);
    const lv_parameter *p = &member->parameters.data[up->index];
    assert_int_equal(p->length, 2);
    assert_true(member->parameter_values.data[p->first + 1] == -2.0 / 7);
    lv_model_free(member);
    assert_int_equal(lv_sweep_member(&member, m, 4, &err), LV_ERR_USAGE);
    assert_null(member);
    assert_int_equal(lv_sweep_member(&member, m, -1, &err), LV_ERR_USAGE);
    lv_model_free(m);
}

static void a_model_without_a_sweep_has_no_members(void **state)
{
    (void)state;
    lv_model *m = read_sweep("");
    assert_int_equal(lv_sweep_members(m), 0);
    lv_model_free(m);
}

static void a_builder_writes_the_inner_table(void **state)
{
    (void)state;
    lv_error err;
    lv_model *m = NULL;
    lv_builder *b = lv_builder_create("built");
    lv_builder_number(b, "parameters", NULL, "a", 1);
    lv_builder_number(b, "parameters", NULL, "b", 1);
    lv_builder_text(b, "coordinates", "x", "value", "a*b");
    lv_builder_text(b, "energy", NULL, "kinetic", "x'^2/2");
    lv_builder_text(b, "sweep.set", NULL, "b", "a^2");
    lv_builder_numbers(b, "sweep.set", "a", "values", (const double[]){3, 4}, 2);
    if (lv_builder_model(&m, b, &err) != LV_OK)
        fail_with(&err);
    assert_true(value_of(m, 1, "b", 0) == 16);
    lv_model_free(m);
    lv_builder_text(b, "no.such", "a", "value", "1");
    assert_int_equal(lv_builder_model(&m, b, &err), LV_ERR_MODEL);
    assert_non_null(strstr(err.text, "unknown section [no.such]"));
    lv_builder_free(b);
}

static lv_status read_and_free(void *user, lv_error *err)
{
    lv_model *m = NULL, *member = NULL;
    const char *text = user;
    lv_status status = lv_model_parse(&m, "test", text, strlen(text), NULL, 0, err);
    if (status == LV_OK)
        status = lv_sweep_member(&member, m, 1, err);
    lv_model_free(member);
    lv_model_free(m);
    return status;
}

static void nothing_is_lost_without_memory(void **state)
{
    (void)state;
    char text[4000];
    snprintf(text, sizeof text,
             "%s[sweep.set]\nm = { from = 1, to = 2, count = 3 }\nx0 = \"10*m + k\"\n"
             "k = { values = [4, \"9*m\"] }\nup = { normal = [0, 1] }\n",
             head);
    lv_deny_sample(read_and_free, text, 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_formula_follows_the_number_of_the_member),
        RUN(the_index_has_the_name_that_is_given),
        RUN(a_parameter_that_is_the_index_is_the_number),
        RUN(the_last_grid_changes_fastest),
        RUN(a_grid_ends_exactly_where_it_should),
        RUN(random_members_are_those_of_the_generator),
        RUN(random_numbers_do_not_depend_on_their_neighbours),
        RUN(a_member_is_the_model_with_its_values),
        RUN(a_model_without_a_sweep_has_no_members),
        RUN(a_builder_writes_the_inner_table),
        RUN(nothing_is_lost_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
