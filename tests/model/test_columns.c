/* Columns of results: every one has a name of its own, whatever the scheme and the table. */
#include "check.h"
#include "deny.h"

#include "model/columns.h"
#include "run/record.h"
#include "study/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- all columns of shipped models ------------------------------------------------------ */

enum { LABEL = 512 };

typedef struct labels {
    char (*list)[LABEL];
    int count, capacity;
} labels;

static void collect(labels *all, const lv_channels *channels)
{
    for (int c = 0; c < channels->count; c++)
        for (int k = 0; k < channels->list[c].width; k++) {
            const lv_channel *channel = &channels->list[c];
            if (all->count == all->capacity) {
                all->capacity = 2 * all->capacity + 64;
                all->list = realloc(all->list, (size_t)all->capacity * LABEL);
                assert_non_null(all->list);
            }
            char buffer[LABEL];
            snprintf(all->list[all->count++], LABEL, "%s",
                     channel->label(channel->user, k, buffer, sizeof buffer));
        }
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Does it end like a column of a body, joint, motor or rolling contact? */
static bool is_of_part(const char *label)
{
    static const char *const members[] = {"quaternion", "omega", "angle",
                                          "shift",      "force", "torque"};
    const char *member = strchr(label, '.') + 1;
    const size_t length = strcspn(member, "[");
    for (size_t k = 0; k < sizeof members / sizeof *members; k++)
        if (strlen(members[k]) == length && strncmp(member, members[k], length) == 0)
            return true;
    return false;
}

/* Is the column one of livens' words, one made of a kind and a name, or the model's own? */
static bool is_known(const lv_model *m, const char *label)
{
    static const char *const made[] = {"p.", "lambda.", "lambda_scheme.", "gamma.",
                                       "J.", "work.",   "events."};
    char root[LABEL];
    const size_t length = strcspn(label, "'[.");
    for (size_t k = 0; k < sizeof made / sizeof *made; k++)
        if (strncmp(label, made[k], strlen(made[k])) == 0)
            return true;
    for (const lv_column_word *word = lv_column_words; word->text; word++) {
        snprintf(root, sizeof root, "%s%s%s", word->text, word->attribute ? "." : "",
                 word->attribute ? word->attribute : "");
        if (strcmp(root, label) == 0)
            return true;
    }
    if (strchr(label, '.') && !is_of_part(label))
        return false;
    snprintf(root, sizeof root, "%.*s", (int)length, label);
    for (int k = 0; k < m->declarations.items.count; k++) {
        const char *name = m->declarations.items.data[k].name;
        const size_t n = strlen(name);
        const char *rest = root + n;
        if (n > 0 && strncmp(root, name, n) == 0 &&
            (*rest == '\0' ||
             (*rest == '_' && rest[1 + strspn(rest + 1, "0123456789")] == '\0')))
            return true;
    }
    return false;
}

static void assert_sound(const lv_model *m, const lv_channels *channels, const char *what)
{
    labels all = {0};
    collect(&all, channels);
    qsort(all.list, (size_t)all.count, LABEL, by_text);
    for (int k = 0; k < all.count; k++) {
        if (k > 0 && strcmp(all.list[k - 1], all.list[k]) == 0)
            fail_msg("%s has the column '%s' twice", what, all.list[k]);
        if (!is_known(m, all.list[k]))
            fail_msg("%s has a column '%s' that lv_column_words does not know", what,
                     all.list[k]);
    }
    free(all.list);
}

/* The columns of a run and of a sweep; false: the scheme does not take the model. */
static bool check_scheme(const lv_model *m, const char *scheme)
{
    lv_sim *sim = NULL;
    lv_arena arena = {0};
    lv_monitor monitor;
    lv_recorder recorder = {0};
    lv_table table = {0};
    lv_error err;
    char what[200];
    const lv_sim_options options = {
        .scheme = scheme, .step = 1e-3, .initial = LV_INITIAL_PROJECT};
    if (lv_sim_create(&sim, m, &options, &err) != LV_OK)
        return false;
    snprintf(what, sizeof what, "%s with %s", lv_model_title(m), scheme);
    assert_int_equal(lv_monitor_init(&monitor, sim, &arena, &err), LV_OK);
    assert_int_equal(lv_recorder_init(&recorder, sim, &monitor, &arena, &err), LV_OK);
    assert_sound(m, &recorder.channels, what);
    assert_int_equal(lv_table_init(&table, m, sim, &recorder.channels, &err), LV_OK);
    assert_sound(m, &table.all, what);
    lv_table_done(&table);
    assert_int_equal(lv_recorder_done(&recorder, &err), LV_OK);
    lv_sim_free(sim);
    lv_arena_done(&arena);
    return true;
}

static void no_two_columns_of_a_result_have_one_name(void **state)
{
    int checked = 0;
    (void)state;
    for (const char *const *name = lv_shipped_names(); *name; name++) {
        lv_model *m = NULL;
        lv_scheme_info info;
        lv_error err;
        assert_int_equal(lv_model_read(&m, *name, NULL, 0, &err), LV_OK);
        if (m->coordinate_count < 200)
            for (int k = 0; lv_scheme_describe(k, &info); k++)
                checked += check_scheme(m, info.name) ? 1 : 0;
        lv_model_free(m);
    }
    assert_true(checked > 100);
}

/* ---- names that are not refused ---------------------------------------------------------- */

static const char *const good[] = {
    /* columns made of a kind and a name are none of a coordinate's */
    "[coordinates]\ngamma = 1\nlambda = 1\np = 1\nJ = 2\nphi = 3\n"
    "[energy]\nkinetic = \"(gamma'^2 + lambda'^2 + p'^2 + J'^2 + phi'^2)/2\"\n"
    "[constraints.c]\nholonomic = \"gamma - lambda\"\n"
    "[constraints.d]\nnonholonomic = \"phi' - J'\"\n",
    /* parameters are columns only where a sweep sets them, and have no attributes */
    "[parameters]\nT = 1\nE = 2\nmember = 3\nsteps = 4\ng = 5\n"
    "[coordinates]\nx = 1\n[energy]\nkinetic = \"(T + E + member + steps)*x'^2/2\"\n"
    "potential = \"g*x\"\n"
    "[sweep]\nmembers = 2\n[sweep.set]\ng = { values = [9, 10] }\n",
    /* an output may have the name of a parameter or of a definition */
    "[parameters]\nm = 1\n[definitions]\nr = \"x^2\"\n[coordinates]\nx = 1\n"
    "[energy]\nkinetic = \"m*x'^2/2\"\n[outputs]\nm = \"m\"\nr = \"r\"\n",
    /* members that a family has not */
    "[coordinates]\nx = { count = 3, value = 1 }\n[energy.e]\nfor = \"i = 1..3\"\n"
    "kinetic = \"x_i'^2/2\"\n[constraints.c]\nfor = \"i = 2..3\"\n"
    "holonomic = \"x_i - 1\"\n[constraints.c_1]\nholonomic = \"x_1 - 1\"\n"
    "[outputs]\nx_4 = \"x_1\"\nx_03 = \"x_1\"\nx_1_1 = \"x_1\"\n",
    /* p_1.omega is not p.omega, nor lambda.force_1 lambda.force; a spring and its damper share work.pull */
    "[coordinates]\nomega = 1\n[energy]\nkinetic = \"omega'^2/2\"\n"
    "[bodies.p]\ncount = 2\nmass = 1\ninertia = 0.1\nposition = [\"i\", 0]\n"
    "[joints.lambda]\ntype = \"revolute\"\nbetween = [\"ground\", \"p_1\"]\nat = [0, 0]\n"
    "[constraints.force]\nfor = \"i = 1..1\"\nholonomic = \"p_i.angle\"\n"
    "[springs.pull]\nbetween = [\"p_1\", \"p_2\"]\nstiffness = \"2 + sin(t)\"\n"
    "length = 1\ndamping = 1\n",
};

static void names_that_leave_the_columns_apart_are_taken(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        lv_model *m = NULL;
        lv_error err;
        if (lv_model_parse(&m, "good.toml", good[k], strlen(good[k]), NULL, 0, &err) !=
            LV_OK)
            fail_msg("%zu: %s", k, err.text);
        if (!check_scheme(m, k == 0 ? "lobatto" : "rattle") && k != 3)
            fail_msg("%zu: no simulation", k);
        lv_model_free(m);
    }
}

static lv_status read_family(void *user, lv_error *err)
{
    lv_model *m = NULL;
    lv_status status = LV_OK;
    (void)user;
    status = lv_model_parse(&m, "good.toml", good[3], strlen(good[3]), NULL, 0, err);
    lv_model_free(m);
    return status;
}

static void missing_memory_is_reported(void **state)
{
    (void)state;
    lv_deny_sweep(read_family, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(no_two_columns_of_a_result_have_one_name),
        RUN(names_that_leave_the_columns_apart_are_taken),
        RUN(missing_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
