/* Families: one kernel, many instances, the same physics as the terms written out. */
#include "reading.h"

#include "model/model.h"

static inspected chain_of(const char *count)
{
    return inspect_model(read_shipped("chain", "N", count));
}

/* points twice, first, link, vertical, depth; their instances are N, N, 1, N - 1, N, 1 */
static void a_longer_chain_has_more_instances_and_no_more_kernels(void **state)
{
    static const char *const counts[] = {"1", "2", "10", "100000"};
    static const int numbers[] = {1, 2, 10, 100000};
    (void)state;
    for (int k = 0; k < 4; k++) {
        inspected i = chain_of(counts[k]);
        int n = numbers[k];
        assert_int_equal(i.at->kernels, 6);
        assert_int_equal(i.at->instances, 4LL * n + 1);
        assert_int_equal(i.at->coordinates, 3 * n);
        assert_int_equal(i.at->holonomic, n);
        assert_int_equal(i.at->freedom, 2 * n);
        assert_int_equal(term_of(i.at, "link", "holonomic")->instances, n - 1);
        assert_close(i.at->kinetic, 0, 0);
        assert_close(i.at->position_residual, 0, 1e-14);
        inspected_free(&i);
    }
}

/* Ranks of long chains are found by sparse factors; the mass matrix falls into small blocks. */
static void a_long_chain_has_its_rank(void **state)
{
    (void)state;
    inspected i = chain_of("1000");
    assert_int_equal(i.at->constraint_rank, 1000);
    assert_int_equal(i.at->freedom, 2000);
    assert_int_equal(i.at->mass_rank, 3000);
    inspected_free(&i);
    i = chain_of("150");
    assert_int_equal(i.at->constraint_rank, 150);
    inspected_free(&i);
}

static void names_of_members_are_numbered_from_one(void **state)
{
    char name[40];
    (void)state;
    lv_model *model = read_shipped("chain", "N", "100000");
    assert_string_equal(lv_model_coordinate_name(model, 299999, name, sizeof name),
                        "q_100000[3]");
    assert_string_equal(lv_model_coordinate_name(model, 18, name, sizeof name), "q_7[1]");
    lv_model_free(model);
}

static void start_values_know_their_index(void **state)
{
    (void)state;
    lv_model *model =
        read_text("[parameters]\nN = 4\n[coordinates]\n"
                  "q = { count = \"N\", value = [\"i\", \"i^2/N\"], "
                  "velocity = [0, \"1/i\"] }\n"
                  "[energy.q]\nfor = \"k = 1..N\"\nkinetic = \"norm2(q_k')\"\n");
    const double *q = lv_model_start_position(model), *v = lv_model_start_velocity(model);
    for (int k = 1; k <= 4; k++) {
        assert_true(q[2 * k - 2] == k && q[2 * k - 1] == k * k / 4.0);
        assert_true(v[2 * k - 2] == 0 && v[2 * k - 1] == 1.0 / k);
    }
    lv_model_free(model);
}

#define CLOUD                                                                            \
    "[parameters]\nN = 4\nG = 0.3\n"                                                     \
    "[coordinates]\n"                                                                    \
    "q = { count = \"N\", value = [\"i\", \"sin(i)\", \"1/i\"], velocity = "             \
    "[\"cos(i)\", "                                                                      \
    "\"i/7\", 0] }\n"

static const char pairs[] = CLOUD "[definitions]\n"
                                  "d = \"q_i - q_j\"\n"
                                  "mass = \"1 + i/10\"\n"
                                  "[energy.bodies]\n"
                                  "for = \"i = 1..N\"\n"
                                  "kinetic = \"mass/2*norm2(q_i')\"\n"
                                  "[energy.gravity]\n"
                                  "for = \"i = 1..N, j = i+1..N\"\n"
                                  "potential = \"-G*mass*(1 + j/10)/norm(d)\"\n"
                                  "[constraints.tie]\n"
                                  "for = \"i = 1..N-2\"\n"
                                  "holonomic = \"norm2(q_{i+2} - q_i) - i\"\n";

/* The same system with every term written out. */
static void write_out(char *text, size_t size)
{
    int used = snprintf(text, size, "%s", CLOUD);
    for (int i = 1; i <= 4; i++)
        used += snprintf(text + used, size - (size_t)used,
                         "[energy.body%d]\nkinetic = \"(1 + %d/10)/2*norm2(q_%d')\"\n", i,
                         i, i);
    for (int i = 1; i <= 4; i++)
        for (int j = i + 1; j <= 4; j++)
            used +=
                snprintf(text + used, size - (size_t)used,
                         "[energy.pair%d%d]\npotential = \"-G*(1 + %d/10)*(1 + %d/10)/"
                         "norm(q_%d - q_%d)\"\n",
                         i, j, i, j, i, j);
    for (int i = 1; i <= 2; i++)
        used += snprintf(text + used, size - (size_t)used,
                         "[constraints.tie%d]\nholonomic = \"norm2(q_%d - q_%d) - %d\"\n",
                         i, i + 2, i, i);
}

static void pairs_with_dependent_ranges_equal_the_terms_written_out(void **state)
{
    char text[4000];
    (void)state;
    write_out(text, sizeof text);
    inspected a = inspect_text(pairs), b = inspect_text(text);
    assert_int_equal(term_of(a.at, "gravity", "potential")->instances, 6);
    assert_int_equal(a.at->kernels, 3);
    assert_int_equal(b.at->kernels, 4 + 6 + 2);
    assert_int_equal(a.at->instances, b.at->instances);
    assert_close(a.at->kinetic, b.at->kinetic, 1e-14);
    assert_close(a.at->potential, b.at->potential, 1e-14);
    assert_close(a.at->energy, b.at->energy, 1e-14);
    assert_close(a.at->position_residual, b.at->position_residual, 1e-14);
    assert_close(a.at->velocity_residual, b.at->velocity_residual, 1e-14);
    assert_int_equal(a.at->constraint_rank, b.at->constraint_rank);
    inspected_free(&a);
    inspected_free(&b);
}

/* The last index runs fastest, an inner range may be empty. */
static void instances_are_listed_in_order(void **state)
{
    (void)state;
    lv_model *m = read_text("[coordinates]\nx = 1\n"
                            "[energy]\nkinetic = \"x'^2\"\n"
                            "[energy.f]\nfor = \"i = 0..3, j = 2..i, k = j..j+1\"\n"
                            "potential = \"x*i*j*k\"\n");
    static const double expected[][3] = {{2, 2, 2}, {2, 2, 3}, {3, 2, 2},
                                         {3, 2, 3}, {3, 3, 3}, {3, 3, 4}};
    const lv_kernel *kernel = &m->kernels.data[m->kernels.count - 1];
    assert_int_equal(kernel->instance_count, 6);
    assert_int_equal(kernel->index_count, 3);
    assert_memory_equal(kernel->indices, expected, sizeof expected);
    lv_model_free(m);
}

static void empty_families_are_nothing(void **state)
{
    (void)state;
    inspected i =
        inspect_text("[parameters]\nN = 0\n[coordinates]\nx = 1\n"
                     "q = { count = \"N\", value = \"1/(i - 1)\" }\n"
                     "[energy]\nkinetic = \"x'^2\"\n"
                     "[energy.q]\nfor = \"i = 1..N\"\nkinetic = \"q_i'^2\"\n"
                     "[constraints.c]\nfor = \"i = 1..N\"\nholonomic = \"q_i - x\"\n"
                     "[constraints.d]\nfor = \"i = 1..N\"\n"
                     "nonholonomic = \"q_i' - x'\"\n");
    assert_int_equal(i.at->coordinates, 1);
    assert_int_equal(i.at->holonomic, 0);
    assert_int_equal(i.at->nonholonomic, 0);
    assert_int_equal(i.at->freedom, 1);
    assert_string_equal(i.at->position_worst, "");
    inspected_free(&i);
}

static void members_may_be_meant_by_number_parameter_and_formula(void **state)
{
    (void)state;
    inspected i =
        inspect_text("[parameters]\nN = 5\nhalf = \"(N + 1)/2\"\n[coordinates]\n"
                     "q = { count = \"N\", value = \"10^i\" }\n"
                     "[energy.q]\nfor = \"i = 1..N\"\nkinetic = \"q_i'^2\"\n"
                     "[energy.v]\npotential = \"q_2 + q_N + q_half + q_{N-1} + "
                     "q_{min(1, N)}\"\n");
    assert_close(i.at->potential, 1e2 + 1e5 + 1e3 + 1e4 + 1e1, 1e-15);
    assert_true(parameter_of(i.at, "half")->structural);
    assert_int_equal(term_of(i.at, "v", "potential")->coordinates, 5);
    inspected_free(&i);
}

/* q_1, q_{1} and q_{2-1} are one slot, q_i and q_j are two even where they coincide. */
static void equal_members_share_a_slot(void **state)
{
    (void)state;
    inspected i = inspect_text("[coordinates]\nq = { count = 3, value = \"i\" }\n"
                               "[energy.q]\nfor = \"i = 1..3\"\nkinetic = \"q_i'^2\"\n"
                               "[energy.v]\npotential = \"q_1*q_{1}*q_{2-1}\"\n"
                               "[energy.w]\nfor = \"i = 1..3, j = 1..3\"\n"
                               "potential = \"q_i*q_j\"\n");
    assert_int_equal(term_of(i.at, "v", "potential")->coordinates, 1);
    assert_int_equal(term_of(i.at, "w", "potential")->coordinates, 2);
    assert_close(i.at->potential, 1 + 36, 1e-15);
    inspected_free(&i);
}

/* Mass entries of q_i and q_j with i = j fall on one place of the matrix. */
static void a_member_in_two_slots_counts_in_both(void **state)
{
    (void)state;
    inspected i = inspect_text("[coordinates]\n"
                               "q = { count = 2, value = 0, velocity = \"i\" }\n"
                               "[energy.q]\nfor = \"i = 1..2, j = 1..2\"\n"
                               "kinetic = \"q_i'*q_j'/2\"\n"
                               "[symmetries.s]\nfor = \"i = 1..2\"\non = \"q_i\"\n"
                               "generator = \"1\"\n");
    /* T = (v1 + v2)^2/2: a matrix of ones, p = (3, 3) */
    assert_close(i.at->kinetic, 4.5, 1e-15);
    assert_close(i.at->energy, 4.5, 1e-15);
    assert_int_equal(i.at->mass_rank, 1);
    assert_int_equal(i.at->mass, LV_MASS_SINGULAR);
    assert_close(momentum_of(i.at, "s"), 6, 1e-15);
    inspected_free(&i);
}

static void an_index_may_have_any_name(void **state)
{
    (void)state;
    inspected i =
        inspect_text("[coordinates]\nq = { count = 3, value = \"i\" }\n"
                     "[energy.q]\nfor = \" row=1 .. 3 \"\nkinetic = \"q_row'^2\"\n"
                     "potential = \"q_{4 - row}\"\n");
    assert_close(i.at->potential, 6, 1e-15);
    inspected_free(&i);
}

/* Energies of the numbers themselves, by hand. */
static void vectors_of_parameters_are_indexed_in_families(void **state)
{
    (void)state;
    inspected i = inspect_text(
        "[parameters]\nN = 4\nk = 2\nl = [1, 2, 3, 4]\nm = [4, 3, 2, 1]\n"
        "order = [4, 3, 2, 1]\n"
        "[coordinates]\nq = { count = \"N\", value = [\"l[i]\", \"l[order[i]]\"], "
        "velocity = [\"m[order[i]]\", 0] }\n"
        "[definitions]\nstep = { for = \"i = 2..N\", value = \"l[i] - l[i-1]/2\" }\n"
        "[energy.t]\nfor = \"i = 1..N\"\nkinetic = \"m[i]*norm2(q_i')\"\n"
        "[energy.v]\nfor = \"i = 1..N\"\npotential = \"m[order[i]]*q_i[1] + l[k]\"\n"
        "[energy.w]\nfor = \"i = 3..N, j = 1..l[i] - 2\"\n"
        "potential = \"100*step_i*q_j[2]\"\n"
        "[particles.p]\ncount = \"N\"\nmass = \"m[i]\"\nposition = [\"l[i]\", 0]\n"
        "[springs.s]\nfor = \"i = 2..N\"\nbetween = [\"p_{i-1}\", \"p_i\"]\n"
        "stiffness = \"l[i]\"\nlength = \"l[i-1]\"\n");
    assert_close(i.at->kinetic, 4 * 1 + 3 * 4 + 2 * 9 + 1 * 16, 1e-14);
    assert_close(i.at->potential,
                 1 + 4 + 9 + 16 + 4 * 2 + 100 * (2 * 4 + 2.5 * (4 + 3)) + 1.5 + 8, 1e-13);
    inspected_free(&i);
}

/* The limit on terms is that of a formula, not of all definitions together. */
static void many_definitions_may_have_long_sums(void **state)
{
    char text[2000] = "[coordinates]\nx = 1\n[energy]\nkinetic = \"x'^2/2\"\npotential = "
                      "\"d3\"\n[definitions]\n";
    (void)state;
    for (int k = 1; k <= 3; k++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "d%d = \"sum(j = 1..40000, x/j)\"\n", k);
    inspected i = inspect_text(text);
    double sum = 0;
    for (int j = 1; j <= 40000; j++)
        sum += 1.0 / j;
    assert_close(i.at->potential, sum, 1e-13);
    inspected_free(&i);
}

static void sums_run_over_families(void **state)
{
    (void)state;
    inspected i = inspect_text(
        "[parameters]\nN = 4\nm = [4, 3, 2, 1]\nall = \"sum(k = 1..N, m[k]*k)\"\n"
        "[coordinates]\nq = { count = \"N\", value = [\"i\", \"5 - i\"] }\n"
        "[definitions]\ngap = { for = \"i = 2..N\", value = \"q_i - q_{i-1}\" }\n"
        "mean = \"sum(i = 1..N, m[i]*q_i)/sum(j = 1..N, m[j])\"\n"
        "[energy.t]\nfor = \"i = 1..N\"\nkinetic = \"norm2(q_i')\"\n"
        "[energy.v]\npotential = \"norm2(mean) + all\"\n"
        "[energy.w]\nfor = \"i = 1..2\"\n"
        "potential = \"i*sum(a = 1..2, sum(b = a..3, q_a[1]*q_b[2])) + norm2(mean)\"\n"
        "[energy.u]\npotential = \"100*norm2(sum(k = 2..N, gap_k)) + sum(k = 3..2, "
        "q_k[1])\"\n");
    assert_close(i.at->potential,
                 3 * (4 + 9) + (4 + 6 + 6 + 4) + 3 * (1 * (4 + 3 + 2) + 2 * (3 + 2)) +
                     100 * (9 + 9),
                 1e-13);
    inspected_free(&i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_longer_chain_has_more_instances_and_no_more_kernels),
        RUN(vectors_of_parameters_are_indexed_in_families),
        RUN(sums_run_over_families),
        RUN(many_definitions_may_have_long_sums),
        RUN(a_long_chain_has_its_rank),
        RUN(names_of_members_are_numbered_from_one),
        RUN(start_values_know_their_index),
        RUN(pairs_with_dependent_ranges_equal_the_terms_written_out),
        RUN(instances_are_listed_in_order),
        RUN(empty_families_are_nothing),
        RUN(members_may_be_meant_by_number_parameter_and_formula),
        RUN(equal_members_share_a_slot),
        RUN(a_member_in_two_slots_counts_in_both),
        RUN(an_index_may_have_any_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
