/* Reading and inspecting models while memory is denied: the status says so, nothing leaks. */
#include "reading.h"

#include "deny.h"

enum { MOST_DENIALS = 400 };

static lv_status read_and_inspect(void *user, lv_error *err)
{
    const char *text = user;
    lv_model *model = NULL;
    lv_inspection *inspection = NULL;
    lv_status status = lv_model_parse(&model, "test", text, strlen(text), NULL, 0, err);
    if (status == LV_OK)
        status = lv_model_inspect(&inspection, model, err);
    lv_inspection_free(inspection);
    lv_model_free(model);
    return status;
}

static lv_status read_settings(void *user, lv_error *err)
{
    const lv_setting settings[] = {{"N", "3"}, {"length", "2*pi"}};
    lv_model *model = NULL;
    lv_status status = lv_model_read(&model, user, settings, 2, err);
    lv_model_free(model);
    return status;
}

static lv_status add_forces(void *user, lv_error *err)
{
    lv_model *model = NULL;
    const lv_status status = lv_model_with_forces(&model, user, err);
    lv_model_free(model);
    return status;
}

static void external_forces_survive_missing_memory(void **state)
{
    (void)state;
    lv_model *model = read_shipped("rod-chain", "N", "2");
    lv_deny_sample(add_forces, model, MOST_DENIALS);
    lv_model_free(model);
}

static void shipped_models_survive_missing_memory(void **state)
{
    (void)state;
    for (const char *const *name = lv_shipped_names(); *name; name++) {
        char text[20000];
        snprintf(text, sizeof text, "%s", lv_shipped_text(*name));
        lv_deny_sample(read_and_inspect, text, MOST_DENIALS);
    }
}

/* Every kind of section, in few words: every single request is denied. */
static void a_small_model_survives_every_missing_request(void **state)
{
    char text[] = "name = \"all\"\n"
                  "[parameters]\nN = 2\ne = [1, \"N/2\"]\n"
                  "[definitions]\nr = \"[q_1[1], q_N[2]]\"\n"
                  "[coordinates]\nq = { count = \"N\", value = [\"i\", 0] }\nx = 1\n"
                  "[energy.p]\nfor = \"i = 1..N, j = i..i\"\n"
                  "kinetic = \"norm2(q_j')/2\"\npotential = \"if(x > 0, q_i[1], x)\"\n"
                  "[energy.x]\nlagrangian = \"x'^2/2 + dot(r', e)\"\n"
                  "[constraints.c]\nholonomic = [\"x^2 - 1\", \"norm(r) - 1\"]\n"
                  "[constraints.d]\nnonholonomic = \"x' + r'[1]\"\n"
                  "[forces.f]\non = [\"x\", \"q_2\"]\nforce = \"[-x', 1, 2]\"\n"
                  "[symmetries.s]\non = \"x\"\ngenerator = 1\n"
                  "[outputs]\no = \"r\"\n"
                  "[view]\nup = [0, \"N\"]\n[view.points]\na = \"r\"\n"
                  "b = { for = \"i = 1..N\", at = \"q_i\", radius = \"i\" }\n"
                  "[view.lines]\nl = [[0, 0], \"a\", \"b_2\"]\n"
                  "c = { at = \"[s, x]\", over = \"s = 0..N\", cells = 2 }\n"
                  "[view.frames]\nf = { at = \"a\", angle = \"x\", shape = { axes = 1 } "
                  "}\n"
                  "[view.surfaces]\ns = { at = \"[u, v]\", over = \"u = 0..1, v = "
                  "u..1\", cells = 1 }\n"
                  "[run]\nstep = \"1/N\"\n";
    (void)state;
    lv_deny_sweep(read_and_inspect, text);
}

/* Terms that are joined, linear ones, a family, momenta in other formulas and at the start. */
static void a_hamiltonian_survives_every_missing_request(void **state)
{
    char text[] = "[parameters]\nm = 2\n"
                  "[coordinates]\nq = { count = 2, value = [\"i\", 0], "
                  "momentum = [1, \"i\"] }\nx = 1\n"
                  "[momenta]\ny = \"x\"\n"
                  "[energy.a]\nfor = \"i = 1..2\"\n"
                  "hamiltonian = \"norm2(p_q_i - [x, 0])/(2*m) + q_i[1]^2\"\n"
                  "[energy.b]\nhamiltonian = \"p_q_1[1]*p_q_1[2]/4 + y^2\"\n"
                  "[constraints.d]\nnonholonomic = \"y + p_q_2[1]\"\n"
                  "[forces.f]\nfor = \"i = 1..2\"\non = \"q_i\"\nforce = \"-p_q_i\"\n"
                  "[outputs]\no = \"p_q_1\"\n";
    (void)state;
    lv_deny_sweep(read_and_inspect, text);
}

static void settings_survive_missing_memory(void **state)
{
    char path[] = LIVENS_SOURCE_DIR "/models/chain.toml", name[] = "chain";
    (void)state;
    lv_deny_sample(read_settings, path, MOST_DENIALS);
    lv_deny_sample(read_settings, name, MOST_DENIALS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(shipped_models_survive_missing_memory),
        RUN(a_small_model_survives_every_missing_request),
        RUN(a_hamiltonian_survives_every_missing_request),
        RUN(settings_survive_missing_memory),
        RUN(external_forces_survive_missing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
