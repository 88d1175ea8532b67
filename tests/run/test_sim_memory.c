/* What simulations take from the allocator: steps nothing at all, creation what it may be denied. */
#include "../claims/moving.h"
#include "../claims/systems.h"
#include "../num/suitesparse_memory.h"
#include "deny.h"
#include "stepper/stepper.h"

#include <stdlib.h>

static long allocations; /* of any kind */
static bool counting;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *p, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *p, size_t size);

void *__wrap_malloc(size_t size)
{
    allocations += counting;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    allocations += counting;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *p, size_t size)
{
    allocations += counting;
    return __real_realloc(p, size);
}

static void *count_resize(void *p, size_t size)
{
    allocations += counting && size > 0;
    if (size > 0)
        return __real_realloc(p, size);
    free(p);
    return NULL;
}

/* Steps, and everything that is asked after a step. */
typedef struct run_of_steps {
    double step;
    int steps, most_stages;
} run_of_steps;

static long count_allocations(const lv_model *model, const method *m,
                              const run_of_steps *run)
{
    lv_error err;
    double position = 0, velocity = 0;
    lv_sim *sim = start(model, m, run->step);
    double *lambda = calloc((size_t)lv_sim_constraint_count(sim) + 1, sizeof *lambda);
    allocations = 0;
    counting = true;
    lv_status status = LV_OK;
    for (int k = 0; k < run->steps && status == LV_OK; k++) {
        status = lv_sim_step(sim, &err);
        lv_sim_energies(sim);
        lv_sim_residuals(sim, &position, &velocity);
        if (status == LV_OK)
            status = lv_sim_multipliers(sim, lambda, &err);
    }
    if (status == LV_OK)
        status = lv_sim_advance(sim, lv_sim_time(sim) + 1.5 * run->step, &err);
    counting = false;
    if (status != LV_OK)
        fail_with(&err);
    free(lambda);
    lv_sim_free(sim);
    return allocations;
}

static void check_method(const char *what, const lv_model *model, const method *m,
                         const run_of_steps *run)
{
    char name[METHOD_NAME];
    lv_memory_set_hook(count_resize);
    suitesparse_redirect(true);
    long found = count_allocations(model, m, run);
    suitesparse_redirect(false);
    lv_memory_set_hook(NULL);
    if (found > 0)
        fail_msg("%s on %s: %ld allocations", method_name(m, name, sizeof name), what,
                 found);
}

static void check_no_allocations(const char *what, const lv_model *model,
                                 const run_of_steps *run)
{
    method list[MOST_METHODS];
    int count = list_methods(list, run->most_stages);
    for (int k = 0; k < count; k++) {
        lv_sim *sim = NULL;
        lv_error err;
        bool fits = try_start(&sim, model, &list[k], run->step, &err) == LV_OK;
        lv_sim_free(sim);
        if (fits)
            check_method(what, model, &list[k], run);
    }
}

/* Sanitizers, which make creation slow, see a part of the systems and of the denials. */
enum { SYSTEM_STRIDE = SLOW ? 16 : 1, PROGRAM_DENIALS = SLOW ? 6 : 50 };

static void check_all_systems(int most_stages)
{
    for (int k = 0; k < TEST_SYSTEMS; k += SYSTEM_STRIDE) {
        lv_model *model = read_text(test_systems[k].text);
        check_no_allocations(test_systems[k].name, model,
                             &(run_of_steps){test_systems[k].long_step, 5, most_stages});
        lv_model_free(model);
    }
}

static void steps_allocate_nothing(void **state)
{
    (void)state;
    check_all_systems(3);
    lv_stepper_force(LV_WAY_COURSE);
    check_all_systems(12);
    lv_stepper_force(LV_WAY_USUAL);
}

#define DRAG                                                                             \
    "[parameters]\nN = 200\nl = \"1/N\"\n"                                               \
    "[coordinates]\nq = { count = \"N\", value = [\"i*l\", 0, 0] }\n"                    \
    "[energy.points]\nfor = \"i = 1..N\"\nkinetic = \"norm2(q_i')/(2*N)\"\n"             \
    "potential = \"9.81*q_i[3]/N\"\n"                                                    \
    "[forces.drag]\nfor = \"i = 1..N\"\non = \"q_i\"\n"                                  \
    "force = [\"-q_i'[1]\", \"-q_i'[2]\", \"-q_i'[3]*norm2(q_i')\"]\n"                   \
    "[constraints.first]\nholonomic = \"norm2(q_1) - l^2\"\n"                            \
    "[constraints.link]\nfor = \"i = 2..N\"\n"                                           \
    "holonomic = \"norm2(q_i - q_{i-1}) - l^2\"\n"

#define SPRINGS                                                                          \
    "[parameters]\nN = 200\n"                                                            \
    "[coordinates]\nq = { count = \"N\", value = [\"i\", \"0.1*sin(i)\"] }\n"            \
    "[energy.points]\nfor = \"i = 1..N\"\nkinetic = \"(1 + "                             \
    "0.1*q_i[2]^2)*norm2(q_i')/2\"\n"                                                    \
    "[energy.springs]\nfor = \"i = 2..N\"\n"                                             \
    "potential = \"(norm2(q_i - q_{i-1}) - 1)^2\"\n"

static void steps_of_large_systems_allocate_nothing(void **state)
{
    (void)state;
    lv_model *model = read_shipped("chain", "N", "200");
    check_no_allocations("chain", model, &(run_of_steps){1e-3, 3, 4});
    lv_model_free(model);
    model = read_text(DRAG);
    check_no_allocations("chain with drag", model, &(run_of_steps){1e-3, 2, 3});
    lv_model_free(model);
    model = read_text(SPRINGS);
    check_no_allocations("springs", model, &(run_of_steps){1e-2, 2, 3});
    lv_model_free(model);
    model = read_text(BOTH_NONLINEAR);
    check_no_allocations("constraints of both kinds", model, &(run_of_steps){1e-2, 5, 3});
    lv_model_free(model);
    model = read_text(PARTICLE);
    check_no_allocations("nonholonomic", model, &(run_of_steps){1e-2, 5, 3});
    lv_model_free(model);
}

/* A helix of points with rods along the thread and springs from turn to turn: loops everywhere. */
#define HELIX                                                                            \
    "[parameters]\nN = 30\nW = 6\n"                                                      \
    "[coordinates]\nq = { count = \"N\", value = [\"cos(2*pi*i/W)\", "                   \
    "\"sin(2*pi*i/W)\", \"0.1*i\"] }\n"                                                  \
    "[energy.points]\nfor = \"i = 1..N\"\nkinetic = \"norm2(q_i')/2\"\n"                 \
    "potential = \"q_i[3]\"\n"                                                           \
    "[energy.springs]\nfor = \"i = 1..N - W\"\n"                                         \
    "potential = \"10*(norm2(q_i - q_{i+W}) - 0.6)^2\"\n"                                \
    "[forces.drag]\nfor = \"i = 1..N\"\non = \"q_i\"\nforce = "                          \
    "\"-0.1*norm2(q_i')*q_i'\"\n"                                                        \
    "[constraints.rod]\nfor = \"i = 2..N\"\n"                                            \
    "holonomic = \"norm2(q_i - q_{i-1}) - 2*(1 - cos(2*pi/W)) - 0.01\"\n"

/* Cranks that turn by a quarter: first x_i serves as a pivot for its circle, then only y_i. */
#define CRANKS                                                                           \
    "[parameters]\nN = 60\n"                                                             \
    "[coordinates]\nx = { count = \"N\", value = 1 }\n"                                  \
    "y = { count = \"N\", value = 0, velocity = \"1 + i/N\" }\n"                         \
    "z = { count = \"N\", value = 1 }\n"                                                 \
    "[energy.points]\nfor = \"i = 1..N\"\n"                                              \
    "kinetic = \"(x_i'^2 + y_i'^2 + z_i'^2/10)/2\"\npotential = \"z_i^2/10\"\n"          \
    "[constraints.circle]\nfor = \"i = 1..N\"\nholonomic = \"x_i^2 + y_i^2 - 1\"\n"      \
    "[constraints.first]\nholonomic = \"z_1 - x_1\"\n"                                   \
    "[constraints.product]\nfor = \"i = 2..N\"\nholonomic = \"z_i - x_i*x_{i-1}\"\n"

static void steps_with_sparse_matrices_allocate_nothing(void **state)
{
    (void)state;
    lv_model *model = read_text(HELIX);
    check_no_allocations("helix", model, &(run_of_steps){1e-2, 2, 2});
    lv_model_free(model);
    model = read_text(CRANKS);
    check_no_allocations("cranks", model, &(run_of_steps){0.1, 20, 2});
    lv_model_free(model);
}

/* The same rod twice: the multipliers are not unique, the motion is. */
static void steps_with_redundant_constraints_allocate_nothing(void **state)
{
    (void)state;
    lv_model *model = read_text("[coordinates]\nq = { value = [0.6, -0.8] }\n"
                                "[energy]\nkinetic = \"norm2(q')/2\"\n"
                                "potential = \"9.81*q[2]\"\n"
                                "[constraints.rod]\nholonomic = \"(norm2(q) - 1)/2\"\n"
                                "[constraints.again]\nholonomic = \"norm2(q) - 1\"\n");
    check_no_allocations("redundant", model, &(run_of_steps){0.05, 5, 3});
    lv_model_free(model);
    model = read_text("[parameters]\nN = 140\n"
                      "[coordinates]\nq = { count = \"N\", value = [\"i/N\", 0] }\n"
                      "[energy.points]\nfor = \"i = 1..N\"\n"
                      "kinetic = \"norm2(q_i')/(2*N)\"\npotential = \"q_i[2]/N\"\n"
                      "[constraints.first]\nholonomic = \"norm2(q_1) - 1/N^2\"\n"
                      "[constraints.link]\nfor = \"i = 2..N\"\n"
                      "holonomic = \"norm2(q_i - q_{i-1}) - 1/N^2\"\n"
                      "[constraints.again]\nholonomic = \"norm2(q_9 - q_8) - 1/N^2\"\n");
    check_method("redundant chain", model, &(method){"rattle", 2, 0},
                 &(run_of_steps){1e-3, 5, 2});
    lv_model_free(model);
}

typedef struct creation {
    const lv_model *model;
    method method;
    int steps;
} creation;

static lv_status create_and_free(void *user, lv_error *err)
{
    const creation *c = user;
    lv_sim *sim = NULL;
    lv_status status = try_start(&sim, c->model, &c->method, 0.01, err);
    if (status != LV_OK)
        assert_null(sim);
    for (int k = 0; k < c->steps && status == LV_OK; k++)
        status = lv_sim_step(sim, err);
    lv_sim_free(sim);
    return status;
}

static void creation_survives_every_denial(void **state)
{
    (void)state;
    const struct {
        const char *text;
        method method;
    } cases[] = {
        {HENON_HEILES, {"verlet", 2, 0}},
        {HENON_HEILES, {"gauss", 2, 4}},
        {SPHERICAL_PENDULUM, {"rattle", 2, 4}},
        {FOUR_PARTICLES, {"lobatto", 4, 0}},
        {COUPLED_FORCED, {"lobatto", 3, 0}},
        {CURVED, {"rattle", 2, 0}},
        {MOVING_PIVOT, {"lobatto", 3, 0}},
        {PARTICLE, {"rattle", 2, 0}},
        {BOTH_NONLINEAR, {"lobatto", 3, 0}},
        {TORUS, galerkin("ansatz", "LR", 2, "gauss", -1, -1)},
        {TORUS, galerkin("ansatz", "RL", 1, "rectangle", 20, -1)},
        {COUPLED, galerkin("ansatz", "C", 2, "gauss", 3, -1)},
        {TORUS, galerkin("dpg", NULL, 2, NULL, -1, 0)},
    };
    suitesparse_redirect(true);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        lv_model *model = read_text(cases[k].text);
        creation c = {model, cases[k].method, 2};
        lv_stepper_force(k == 0 ? LV_WAY_USUAL : LV_WAY_COURSE); /* programs take many */
        lv_deny_sweep(create_and_free, &c);
        lv_stepper_force(LV_WAY_USUAL);
        lv_deny_sample(create_and_free, &c, PROGRAM_DENIALS);
        lv_model_free(model);
    }
    lv_model *model = read_shipped("chain", "N", "40");
    creation c = {model, {"lobatto", 3, 0}, 1};
    lv_deny_sample(create_and_free, &c, 150);
    lv_model_free(model);
    suitesparse_redirect(false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(steps_allocate_nothing), RUN(steps_of_large_systems_allocate_nothing),
        RUN(steps_with_sparse_matrices_allocate_nothing),
        RUN(steps_with_redundant_constraints_allocate_nothing),
        RUN(creation_survives_every_denial)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
