/* Galerkin schemes in time that have other names, or two forms: the identities of theory 8.7. */
#include "../claims/moving.h"
#include "../claims/systems.h"

enum { LR, RL, RR, C };
enum { GAUSS, RADAU, LOBATTO };

static method ansatz(int continuity, int degree, int rule, int points)
{
    method m = {.scheme = "ansatz"};
    lv_scheme_option_set(&m.more, LV_OPTION_CONTINUITY, continuity);
    lv_scheme_option_set(&m.more, LV_OPTION_DEGREE, degree);
    lv_scheme_option_set(&m.more, LV_OPTION_QUADRATURE, rule);
    lv_scheme_option_set(&m.more, LV_OPTION_POINTS, points);
    return m;
}

/* Largest distance of two methods in q and p over some steps. */
static double apart(const char *text, const method *a, const method *b, double step)
{
    double most = 0;
    lv_model *model = read_text(text);
    lv_sim *first = start(model, a, step), *second = start(model, b, step);
    int n = lv_model_coordinate_count(model);
    for (int k = 0; k < 20; k++) {
        step_once(first);
        step_once(second);
        most = fmax(most, distance(lv_sim_position(first), lv_sim_position(second), n));
        most = fmax(most, distance(lv_sim_momentum(first), lv_sim_momentum(second), n));
    }
    lv_sim_free(first);
    lv_sim_free(second);
    lv_model_free(model);
    return most;
}

static void continuous_members_have_names_of_their_own(void **state)
{
    (void)state;
    for (int k = 1; k <= 4; k++) {
        const method gauss = ansatz(C, k, GAUSS, k), radau = ansatz(C, k, RADAU, k);
        const method lobatto = ansatz(C, k, LOBATTO, k + 1);
        method dpg = {.scheme = "dpg"};
        lv_scheme_option_set(&dpg.more, LV_OPTION_DEGREE, k);
        static const char *const texts[] = {HENON_HEILES, TWO_LINK_ARM};
        for (int i = 0; i < 2; i++) {
            assert_true(apart(texts[i], &gauss, &(method){"gauss", k, 0}, 0.1) < 1e-13);
            assert_true(apart(texts[i], &radau, &(method){"radau", k, 0}, 0.1) < 1e-13);
            assert_true(apart(texts[i], &lobatto, &(method){"lobatto", k + 1, 0}, 0.1) <
                        1e-13);
        }
        assert_true(apart(TORUS, &dpg, &(method){"lobatto", k + 1, 0}, 0.1) < 1e-12);
    }
}

/* The last Legendre polynomial vanishes at these points: nothing is left of the jumps. */
static void with_as_many_gauss_points_as_degrees_jumps_do_not_matter(void **state)
{
    (void)state;
    for (int m = 1; m <= 3; m++)
        for (int continuity = LR; continuity <= RR; continuity++) {
            const method jumping = ansatz(continuity, m, GAUSS, m);
            const method gauss = {"gauss", m, 0};
            assert_true(apart(HENON_HEILES, &jumping, &gauss, 0.25) < 1e-13);
            assert_true(apart(TWO_LINK_ARM, &jumping, &gauss, 0.1) < 1e-13);
        }
}

/* The same motion, once with a mass matrix that seems to vary: series against stages. */
static void series_and_stages_are_one_scheme(void **state)
{
    static const char plain[] = "[coordinates]\nx = { value = 0.3, velocity = 0.25 }\n"
                                "y = { value = 0.2, velocity = 0.35 }\n"
                                "[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n"
                                "potential = \"(x^2 + y^2)/2 + x^2*y - y^3/3\"\n";
    static const char varying[] =
        "[coordinates]\nx = { value = 0.3, velocity = 0.25 }\n"
        "y = { value = 0.2, velocity = 0.35 }\n"
        "[energy]\nkinetic = \"(x'^2 + y'^2)/2*if(x > 1000, 2, 1)\"\n"
        "potential = \"(x^2 + y^2)/2 + x^2*y - y^3/3\"\n";
    (void)state;
    for (int continuity = LR; continuity <= C; continuity++)
        for (int m = 1; m <= 3; m++)
            for (int points = m; points <= m + 2; points++) {
                const method one = ansatz(continuity, m, GAUSS, points);
                double ends[2][4];
                for (int k = 0; k < 2; k++) {
                    lv_model *model = read_text(k == 0 ? plain : varying);
                    lv_sim *sim = start(model, &one, 0.2);
                    step_times(sim, 10);
                    memcpy(ends[k], lv_sim_position(sim), 2 * sizeof(double));
                    memcpy(ends[k] + 2, lv_sim_momentum(sim), 2 * sizeof(double));
                    lv_sim_free(sim);
                    lv_model_free(model);
                }
                assert_true(distance(ends[0], ends[1], 4) < 1e-13);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(continuous_members_have_names_of_their_own),
        RUN(with_as_many_gauss_points_as_degrees_jumps_do_not_matter),
        RUN(series_and_stages_are_one_scheme),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
