/* The shipped models at their start, against tests/models/good/start.csv, which an independent
 * program wrote. */
#include "reading.h"

#include <stdlib.h>

/* One line of the table. */
typedef struct row {
    char model[60], mass[20];
    int n, holonomic, nonholonomic, rank;
    double kinetic, potential, energy;
    double position, velocity, nonholonomic_bound;
} row;

enum { MOST_ROWS = 100 };

static int read_table(row *rows)
{
    FILE *file = fopen(LIVENS_SOURCE_DIR "/tests/models/good/start.csv", "r");
    char line[600];
    int count = 0;
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file)); /* the header */
    while (fgets(line, sizeof line, file)) {
        row *r = &rows[count++];
        assert_true(count < MOST_ROWS);
        int fields = sscanf(line, "%59[^,],%d,%d,%d,%19[^,],%lf,%lf,%lf,%lf,%lf,%lf,%d",
                            r->model, &r->n, &r->holonomic, &r->nonholonomic, r->mass,
                            &r->kinetic, &r->potential, &r->energy, &r->position,
                            &r->velocity, &r->nonholonomic_bound, &r->rank);
        assert_int_equal(fields, 12);
    }
    fclose(file);
    return count;
}

/* 1e-13 relative, absolute where 0 is expected */
static void check_number(const row *r, const char *what, double found, double expected)
{
    double scale = expected == 0 ? 1 : fabs(expected);
    if (!(fabs(found - expected) <= 1e-13 * scale))
        fail_msg("%s: %s = %.17g, expected %.17g", r->model, what, found, expected);
}

static void check_bound(const row *r, const char *what, double found, double bound)
{
    if (!(found <= bound))
        fail_msg("%s: %s = %.3g, at most %.3g expected", r->model, what, found, bound);
}

static void check_model(const row *r)
{
    inspected i = inspect_model(read_shipped(r->model, NULL, NULL));
    assert_int_equal(lv_model_coordinate_count(i.model), r->n);
    assert_int_equal(i.at->coordinates, r->n);
    assert_int_equal(i.at->holonomic, r->holonomic);
    assert_int_equal(i.at->nonholonomic, r->nonholonomic);
    if (strcmp(lv_mass_kind_name(i.at->mass), r->mass) != 0)
        fail_msg("%s: the mass matrix is %s, expected %s", r->model,
                 lv_mass_kind_name(i.at->mass), r->mass);
    check_number(r, "T", i.at->kinetic, r->kinetic);
    check_number(r, "V", i.at->potential, r->potential);
    check_number(r, "E", i.at->energy, r->energy);
    check_bound(r, "|g|", i.at->position_residual, r->position);
    check_bound(r, "|dg/dt|", i.at->velocity_residual, r->velocity);
    check_bound(r, "|Phi|", i.at->nonholonomic_residual, r->nonholonomic_bound);
    assert_int_equal(i.at->constraint_rank, r->rank);
    assert_int_equal(i.at->freedom, r->n - r->rank);
    inspected_free(&i);
}

static void shipped_models_start_as_published(void **state)
{
    static row rows[MOST_ROWS];
    int count = read_table(rows);
    (void)state;
    for (int k = 0; k < count; k++)
        check_model(&rows[k]);
}

static void every_shipped_model_is_in_the_table(void **state)
{
    static row rows[MOST_ROWS];
    int count = read_table(rows), shipped = 0;
    (void)state;
    for (const char *const *name = lv_shipped_names(); *name; name++) {
        int k = 0;
        shipped++;
        while (k < count && strcmp(rows[k].model, *name) != 0)
            k++;
        if (k == count)
            fail_msg("'%s' is not in the table", *name);
    }
    assert_int_equal(shipped, count);
}

static void shipped_models_have_titles_descriptions_and_run_options(void **state)
{
    (void)state;
    for (const char *const *name = lv_shipped_names(); *name; name++) {
        lv_model *model = read_shipped(*name, NULL, NULL);
        const lv_run_options *run = lv_model_run_options(model);
        assert_true(strlen(lv_model_title(model)) > 3);
        assert_non_null(lv_model_description(model));
        assert_non_null(run->scheme);
        assert_true(run->step > 0 && run->until > 0);
        lv_model_free(model);
    }
}

/* Two readings of a model agree to the last bit. */
static void reading_twice_gives_the_same_bits(void **state)
{
    (void)state;
    for (const char *const *name = lv_shipped_names(); *name; name++) {
        inspected a = inspect_model(read_shipped(*name, NULL, NULL));
        inspected b = inspect_model(read_shipped(*name, NULL, NULL));
        size_t n = (size_t)a.at->coordinates * sizeof(double);
        assert_int_equal(a.at->coordinates, b.at->coordinates);
        assert_memory_equal(lv_model_start_position(a.model),
                            lv_model_start_position(b.model), n);
        assert_memory_equal(lv_model_start_velocity(a.model),
                            lv_model_start_velocity(b.model), n);
        assert_memory_equal(&a.at->kinetic, &b.at->kinetic, sizeof(double));
        assert_memory_equal(&a.at->potential, &b.at->potential, sizeof(double));
        assert_memory_equal(&a.at->energy, &b.at->energy, sizeof(double));
        for (int k = 0; k < a.at->term_count; k++)
            assert_int_equal(a.at->terms[k].operations, b.at->terms[k].operations);
        for (int k = 0; k < a.at->momentum_count; k++)
            assert_memory_equal(&a.at->momenta[k].value, &b.at->momenta[k].value,
                                sizeof(double));
        inspected_free(&a);
        inspected_free(&b);
    }
}

static void coordinate_names_show_members_and_components(void **state)
{
    (void)state;
    lv_model *model = read_text("[coordinates]\n"
                                "x = 1\n"
                                "a = [1, 2]\n"
                                "q = { count = 3, value = [0, 0] }\n"
                                "s = { count = 2, value = 0 }\n"
                                "[energy]\n"
                                "kinetic = \"x'^2 + norm2(a')\"\n"
                                "[energy.q]\n"
                                "for = \"i = 1..3\"\n"
                                "kinetic = \"norm2(q_i')\"\n"
                                "[energy.s]\n"
                                "for = \"i = 1..2\"\n"
                                "kinetic = \"s_i'^2\"\n");
    static const char *const expected[] = {"x",      "a[1]",   "a[2]",   "q_1[1]",
                                           "q_1[2]", "q_2[1]", "q_2[2]", "q_3[1]",
                                           "q_3[2]", "s_1",    "s_2"};
    char name[40];
    assert_int_equal(lv_model_coordinate_count(model), 11);
    for (int k = 0; k < 11; k++)
        assert_string_equal(lv_model_coordinate_name(model, k, name, sizeof name),
                            expected[k]);
    assert_string_equal(lv_model_coordinate_name(model, -1, name, sizeof name), "");
    assert_string_equal(lv_model_coordinate_name(model, 11, name, sizeof name), "");
    assert_string_equal(lv_model_coordinate_name(model, 3, name, 4), "q_1");
    lv_model_free(model);
}

static void run_options_are_formulas_of_parameters(void **state)
{
    (void)state;
    lv_model *model = read_text("[parameters]\nw = 2\n"
                                "[coordinates]\nx = 1\n"
                                "[energy]\nkinetic = \"x'^2\"\n"
                                "[run]\nstep = \"1/w^2\"\nuntil = \"10*w\"\nevery = 3\n"
                                "stages = \"w\"\nscheme = \"gauss\"\n");
    const lv_run_options *run = lv_model_run_options(model);
    assert_true(run->step == 0.25 && run->until == 20);
    assert_int_equal(run->every, 3);
    assert_true(lv_scheme_option(&run->options, LV_OPTION_STAGES, 0) == 2);
    assert_string_equal(run->scheme, "gauss");
    assert_string_equal(lv_model_title(model), "test");
    assert_null(lv_model_description(model));
    lv_model_free(model);
}

static void unsaid_run_options_are_zero(void **state)
{
    (void)state;
    lv_model *model = read_text("name = \"n\"\ndescription = \"d\"\n"
                                "[coordinates]\nx = 1\n[energy]\nkinetic = \"x'^2\"\n");
    const lv_run_options *run = lv_model_run_options(model);
    assert_true(run->step == 0 && run->until == 0);
    assert_int_equal(run->every, 0);
    assert_int_equal(run->options.given, 0);
    assert_null(run->scheme);
    assert_string_equal(lv_model_title(model), "n");
    assert_string_equal(lv_model_description(model), "d");
    lv_model_free(model);
}

static void a_missing_file_gets_the_nearest_shipped_model(void **state)
{
    lv_error err;
    lv_model *model = NULL;
    (void)state;
    assert_int_equal(lv_model_read(&model, "keppler", NULL, 0, &err), LV_ERR_IO);
    assert_null(model);
    assert_string_equal(err.hint, "did you mean the shipped model 'kepler'?");
    assert_int_equal(lv_model_read(&model, "no/such/place.toml", NULL, 0, &err),
                     LV_ERR_IO);
    assert_non_null(strstr(err.hint, "livens list models"));
    assert_int_equal(lv_model_read(&model, LIVENS_SOURCE_DIR, NULL, 0, &err), LV_ERR_IO);
    assert_int_equal(lv_model_read(&model, "keppler", NULL, 0, NULL), LV_ERR_IO);
}

static void free_functions_take_nothing(void **state)
{
    (void)state;
    lv_model_free(NULL);
    lv_inspection_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(shipped_models_start_as_published),
        RUN(every_shipped_model_is_in_the_table),
        RUN(shipped_models_have_titles_descriptions_and_run_options),
        RUN(reading_twice_gives_the_same_bits),
        RUN(coordinate_names_show_members_and_components),
        RUN(run_options_are_formulas_of_parameters),
        RUN(unsaid_run_options_are_zero),
        RUN(a_missing_file_gets_the_nearest_shipped_model),
        RUN(free_functions_take_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
