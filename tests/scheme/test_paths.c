/* Two steps by every path that can take them. Which equations, which matrix, which back end and which kernels a step is
 * computed with is a matter of costs: the result must be the same to rounding. */
#include "../claims/pairs.h"
#include "num/linear.h"
#include "run/sim.h"
#include "stepper/stepper.h"

#include <float.h>
#include <livens/sim.h>

enum { MOST = 24 };

/* ---- paths --------------------------------------------------------------------------------- */

typedef struct path {
    const char *name;
    lv_back_end back_end;
    lv_step_way way;
    bool interpreted;
    int least; /* pairs that must take it, of all of them */
} path;

static const path paths[] = {
    {"program", .way = LV_WAY_USUAL, .least = 900},
    {"dense", .way = LV_WAY_COURSE, .back_end = LV_BACK_END_DENSE, .least = 900},
    {"banded", .way = LV_WAY_COURSE, .back_end = LV_BACK_END_BANDED, .least = 900},
    {"sparse", .way = LV_WAY_COURSE, .back_end = LV_BACK_END_SPARSE, .least = 900},
    {"interpreted", .way = LV_WAY_COURSE, .interpreted = true, .least = 900},
    {"full matrix", .way = LV_WAY_FULL, .least = 1000},
    {"unreduced", .way = LV_WAY_UNREDUCED, .least = 1000},
};
enum { PATHS = sizeof paths / sizeof *paths };

static const path default_path = {"course", .way = LV_WAY_COURSE};

static void take_path(const path *way)
{
    lv_linear_force(way->back_end);
    lv_stepper_force(way->way);
    lv_native_enable(!way->interpreted);
}

/* A program need not exist, or may have left the step to the course. */
static bool is_on_path(const lv_sim *sim, const path *way)
{
    return way->way != LV_WAY_USUAL ||
           lv_stepper_by_program(sim->scheme->stepper(sim->work));
}

/* ---- two steps ------------------------------------------------------------------------------ */

typedef struct outcome {
    double q[MOST], v[MOST], p[MOST];
    bool on_path;
} outcome;

static outcome step_by(const pair *p, const path *way, double h)
{
    outcome x = {.on_path = false};
    take_path(way);
    lv_sim *sim = start(p->model, p->method, h);
    const size_t bytes = (size_t)sim->system->n * sizeof(double);
    assert_in_range(sim->system->n, 1, MOST);
    step_once(sim);
    step_once(sim); /* programs make all steps but the first one */
    x.on_path = is_on_path(sim, way);
    memcpy(x.q, lv_sim_position(sim), bytes);
    memcpy(x.v, lv_sim_velocity(sim), bytes);
    memcpy(x.p, lv_sim_momentum(sim), bytes);
    lv_sim_free(sim);
    take_path(&default_path);
    return x;
}

/* Relative to the largest position, velocity and momentum, which may differ by 1e-13. Rounding of positions is felt
 * in the others over h: where h is small, 2 eps/h is allowed instead. */
static double difference(const outcome *a, const outcome *b, double h)
{
    const double felt = fmin(1, 1e-13 * h / (2 * DBL_EPSILON));
    const double q = distance(a->q, b->q, MOST) / fmax(1, largest(a->q, MOST));
    const double v = distance(a->v, b->v, MOST) / fmax(1, largest(a->v, MOST));
    const double p = distance(a->p, b->p, MOST) / fmax(1, largest(a->p, MOST));
    return worst_of(q, felt * worst_of(v, p));
}

/* ---- all pairs ------------------------------------------------------------------------------ */

static struct {
    int count;
    double worst;
} found[PATHS];

static double compare_paths(const pair *p, double h)
{
    char name[METHOD_NAME];
    const outcome base = step_by(p, &default_path, h);
    double worst = 0;
    for (int k = 0; k < PATHS; k++) {
        const outcome other = step_by(p, &paths[k], h);
        if (!other.on_path)
            continue;
        const double d = difference(&other, &base, h);
        if (!(d <= 1e-13))
            print_message("%s on %s by %s: %.1e\n",
                          method_name(p->method, name, sizeof name), p->system->name,
                          paths[k].name, d);
        found[k].count++;
        found[k].worst = worst_of(found[k].worst, d);
        worst = worst_of(worst, d);
    }
    return worst;
}

/* Cheap matrices are enough for small steps only. */
static double largest_difference(const pair *p)
{
    const double h = p->system->long_step / 2;
    return worst_of(compare_paths(p, h), compare_paths(p, h / 50));
}

static bool is_single(const pair *p)
{
    return p->method->compose == 0; /* a composition consists of such steps */
}

static void every_path_takes_the_same_step(void **state)
{
    (void)state;
    memset(found, 0, sizeof found);
    check_claim(&(claim){"paths", NULL, is_single, largest_difference, 1e-13, 5});
    for (int k = 0; k < PATHS; k++) {
        print_message("    %-15s %4d pairs, at most %.1e\n", paths[k].name,
                      found[k].count, found[k].worst);
        assert_in_range(found[k].count, paths[k].least / ONE_OF, INT_MAX);
    }
}

/* ---- one scheme by several names -------------------------------------------------------------- */

/* Two methods that are the same on systems that both take. */
typedef struct identity {
    method a, b;
    bool constant; /* for constant masses only */
    bool unbound;  /* without constraints only */
} identity;

static method two_halves(void)
{
    method m = {"vi-b", 0, 0, {0}};
    lv_scheme_option_set(&m.more, LV_OPTION_THETA, 0.5);
    lv_scheme_option_set(&m.more, LV_OPTION_VARTHETA, 0.5);
    return m;
}

static int list_identities(identity *list)
{
    int count = 0;
    const method rattle = {"rattle", 0, 0, {0}};
    list[count++] = (identity){rattle, {"verlet", 0, 0, {0}}, false, false};
    list[count++] = (identity){rattle, {"lobatto", 2, 0, {0}}, false, false};
    list[count++] = (identity){two_halves(), {"vi-b2", 0, 0, {0}}, false, false};
    list[count++] = (identity){{"livens", 0, 0, {0}}, {"em-g", 0, 0, {0}}, true, false};
    list[count++] = (identity){{"gauss", 1, 0, {0}}, {"vi-b2", 0, 0, {0}}, true, true};
    list[count++] = (identity){{"gauss", 1, 0, {0}}, {"vi-a", 0, 0, {0}}, true, true};
    list[count++] = (identity){{"em", 0, 0, {0}}, {"em-g", 0, 0, {0}}, true, true};
    for (int s = 1; s <= 4; s++) {
        list[count++] = (identity){{"gauss", s, 0, {0}},
                                   galerkin("ansatz", "C", s, "gauss", s, -1),
                                   false,
                                   true};
        list[count++] = (identity){{"lobatto", s + 1, 0, {0}},
                                   galerkin("dpg", NULL, s, NULL, -1, -1),
                                   false,
                                   false};
        list[count++] = (identity){{"lobatto", s + 1, 0, {0}},
                                   galerkin("ansatz", "C", s, "lobatto", s + 1, -1),
                                   false,
                                   false};
        list[count++] = (identity){{"radau", s, 0, {0}},
                                   galerkin("ansatz", "C", s, "radau", s, -1),
                                   false,
                                   true};
    }
    return count;
}

static bool is_shared(const identity *i, const test_system *s)
{
    const unsigned constraints = LV_TRAIT_HOLONOMIC | LV_TRAIT_NONHOLONOMIC;
    const unsigned varying = LV_TRAIT_MASS_VARIES | LV_TRAIT_MASS_SINGULAR;
    return says_it_takes(&i->a, s) && says_it_takes(&i->b, s) &&
           !(i->constant && (s->traits & varying) != 0) &&
           !(i->unbound && (s->traits & constraints) != 0);
}

static void schemes_with_several_names_take_the_same_step(void **state)
{
    (void)state;
    identity list[40];
    const int count = list_identities(list);
    int compared = 0, broken = 0;
    for (int k = 0; k < TEST_SYSTEMS; k++) {
        const test_system *s = &test_systems[k];
        lv_model *model = read_text(s->text);
        for (int i = 0; i < count; i++) {
            char a[METHOD_NAME], b[METHOD_NAME];
            if (!is_shared(&list[i], s))
                continue;
            const outcome one =
                step_by(&(pair){.method = &list[i].a, .system = s, .model = model},
                        &default_path, s->long_step / 2);
            const outcome two =
                step_by(&(pair){.method = &list[i].b, .system = s, .model = model},
                        &default_path, s->long_step / 2);
            const double d = difference(&one, &two, s->long_step / 2);
            if (!(d <= 1e-13)) {
                print_message("%s and %s on %s: %.1e\n",
                              method_name(&list[i].a, a, sizeof a),
                              method_name(&list[i].b, b, sizeof b), s->name, d);
                broken++;
            }
            compared++;
        }
        lv_model_free(model);
    }
    print_message("    %d identities, %d comparisons\n", count, compared);
    assert_int_equal(broken, 0);
    assert_in_range(compared, 200, INT_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(every_path_takes_the_same_step),
        RUN(schemes_with_several_names_take_the_same_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
