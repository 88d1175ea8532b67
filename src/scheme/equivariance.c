#include "scheme/equivariance.h"

#include "base/arena.h"
#include "num/extent.h"
#include "num/random.h"
#include "num/sparse.h"
#include "scheme/transverse.h"

#include <math.h>
#include <string.h>

/* PAIRS: pairs of points that are tried. DRAWS: attempts per pair, each nearer to the
 * start, in case a formula has no value. One pair is enough for a system of LARGE size,
 * because every instance of a family is at another point. */
enum { PAIRS = 3, DRAWS = 4, LARGE = 10000 };

typedef struct trial {
    lv_system *system;
    lv_arena arena;
    int n, m, maps;
    bool *kept; /* the answers being found: `plain` or `with_hidden` */
    bool *plain, *with_hidden;
    lv_plan *pair, *rate;
    lv_transverse transverse;
    double *q0, *q1, *z, *v0, *v1, *vm, *p, *a, *c, *room; /* n each */
    double *y;                                             /* random multipliers, m */
    double *here, *there, *defect; /* one number per momentum map */
    double size;                   /* sum of the magnitudes of the terms in the defects */
} trial;

/* ---- storage --------------------------------------------------------------------------- */

static lv_status make_plans(trial *t, bool hidden, lv_error *err)
{
    const lv_model *model = t->system->model;
    LV_TRY(lv_plan_create(&t->pair, model,
                          LV_WANT(PAIR_MOMENTUM) | LV_WANT(PAIR_KINETIC) |
                              LV_WANT(PAIR_FORCE) | LV_WANT(PAIR_JACOBIAN),
                          err));
    if (hidden && t->system->mass_constant)
        LV_TRY(lv_plan_create(&t->rate, model,
                              LV_WANT(PAIR_RATE_Q) | LV_WANT(PAIR_RATE_V), err));
    else if (hidden)
        LV_TRY(lv_transverse_init(&t->transverse, &t->arena, model, err));
    return LV_OK;
}

static lv_status trial_make_room(trial *t, lv_error *err)
{
    const int n = t->n, maps = t->maps;
    double **const blocks[] = {&t->q0, &t->q1,   &t->z,     &t->v0,    &t->v1,
                               &t->vm, &t->p,    &t->a,     &t->c,     &t->room,
                               &t->y,  &t->here, &t->there, &t->defect};
    const int sizes[] = {n, n, n, n, n, n, n, n, n, n, t->m, maps, maps, maps};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        *blocks[k] = lv_arena_alloc(&t->arena, (size_t)sizes[k] + 1, sizeof(double));
        if (!*blocks[k])
            return lv_fail_memory(err);
    }
    return LV_OK;
}

static void trial_done(trial *t)
{
    lv_plan_free(t->pair);
    lv_plan_free(t->rate);
    lv_arena_done(&t->arena);
}

/* ---- points ---------------------------------------------------------------------------- */

/* x = start + width * random, in units of the largest coordinate of the group. */
static void draw_near(const trial *t, double *x, const double *start, double width,
                      lv_draw draw)
{
    const lv_model *model = t->system->model;
    for (int k = 0; k < model->groups.count; k++) {
        const lv_group *group = &model->groups.data[k];
        const int end = group->first + group->count * lv_group_width(group);
        double size = 0;
        for (int i = group->first; i < end; i++)
            size = fmax(size, fabs(model->start_q[i]));
        for (int i = group->first; i < end; i++) {
            draw.component = (uint32_t)i;
            double random = 2 * lv_random_uniform(&draw) - 1;
            x[i] = (start ? start[i] : 0) + width * (size > 0 ? size : 1) * random;
        }
    }
}

/* Draws states that satisfy the constraints, because rows that rotate with the
 * coordinates vanish there. */
static void draw_pair(trial *t, int pair, double width)
{
    const double *start = t->system->model->start_q;
    const uint32_t member = (uint32_t)pair;
    draw_near(t, t->q0, start, width, (lv_draw){1, "q0", member, 0});
    draw_near(t, t->q1, start, width, (lv_draw){1, "q1", member, 0});
    draw_near(t, t->v0, NULL, 1, (lv_draw){1, "v0", member, 0});
    draw_near(t, t->v1, NULL, 1, (lv_draw){1, "v1", member, 0});
    if (t->m > 0) {
        (void)lv_system_project_position(t->system, t->q0, 0, NULL);
        (void)lv_system_project_position(t->system, t->q1, 0, NULL);
        (void)lv_system_project_velocity(t->system, t->v0, 0, t->q0, NULL);
        (void)lv_system_project_velocity(t->system, t->v1, 0, t->q1, NULL);
    }
    for (int k = 0; k < t->n; k++) {
        t->z[k] = 0.5 * (t->q0[k] + t->q1[k]);
        t->vm[k] = 0.5 * (t->v0[k] + t->v1[k]);
    }
    for (int r = 0; r < t->m; r++) {
        const lv_draw draw = {1, "y", member, (uint32_t)r};
        t->y[r] = 2 * lv_random_uniform(&draw) - 1;
    }
}

/* ---- defects ----------------------------------------------------------------------------- */

static void clear_defects(trial *t)
{
    memset(t->defect, 0, (size_t)t->maps * sizeof *t->defect);
    t->size = 0;
}

static void add_size(trial *t, double c, const double *p, const double *v)
{
    double sum = 0;
    for (int k = 0; k < t->n; k++)
        sum += fabs(p[k]);
    t->size += fabs(c) * sum * (1 + lv_extent(t->z, t->n) + (v ? lv_extent(v, t->n) : 0));
}

/* defect += c p . xi(z) */
static void add_at(trial *t, double c, const double *p)
{
    lv_system_momentum_maps(t->system, t->here, 0, t->z, p);
    for (int k = 0; k < t->maps; k++)
        t->defect[k] += c * t->here[k];
    add_size(t, c, p, NULL);
}

/* defect += c p . A v */
static void add_along(trial *t, double c, const double *p, const double *v)
{
    for (int k = 0; k < t->n; k++)
        t->room[k] = t->z[k] + v[k];
    lv_system_momentum_maps(t->system, t->here, 0, t->z, p);
    lv_system_momentum_maps(t->system, t->there, 0, t->room, p);
    for (int k = 0; k < t->maps; k++)
        t->defect[k] += c * (t->there[k] - t->here[k]);
    add_size(t, c, p, v);
}

/* Clears kept[k] where the defect is more than rounding. Returns false if a formula has
 * no value at these points. The accumulated defects are reset. */
static bool judge_defects(trial *t)
{
    const double rounding = 1e-10;
    bool finite = isfinite(t->size);
    for (int k = 0; k < t->maps; k++)
        if (finite && !(fabs(t->defect[k]) <= rounding * t->size))
            t->kept[k] = false;
    clear_defects(t);
    return finite;
}

static bool try_energies(trial *t)
{
    const lv_point at = {.q = t->q1, .v = t->vm, .w = t->q0, .x = t->v0, .t = 0};
    lv_plan_run(t->pair, &at);
    add_at(t, 1, lv_plan_result(t->pair, LV_Q_PAIR_KINETIC));
    add_along(t, 0.5, lv_plan_result(t->pair, LV_Q_PAIR_MOMENTUM), t->vm);
    if (!judge_defects(t))
        return false;
    add_at(t, 1, lv_plan_result(t->pair, LV_Q_PAIR_FORCE));
    if (!judge_defects(t))
        return false;
    memset(t->p, 0, (size_t)t->n * sizeof *t->p);
    lv_sparse_multiply_transposed(lv_plan_pattern(t->pair, LV_Q_PAIR_JACOBIAN),
                                  lv_plan_result(t->pair, LV_Q_PAIR_JACOBIAN), 1, t->y,
                                  t->p);
    add_at(t, 1, t->p);
    return judge_defects(t);
}

/* For a constant mass matrix: a = M^-1 (D_w)^T y, c = (D_q)^T y, pm = M vm. */
static bool try_rates(trial *t)
{
    const lv_point at = {.q = t->q1, .v = t->v1, .w = t->q0, .x = t->v0, .t = 0};
    const size_t bytes = (size_t)t->n * sizeof *t->p;
    lv_plan_run(t->rate, &at);
    memset(t->a, 0, bytes);
    memset(t->c, 0, bytes);
    lv_sparse_multiply_transposed(lv_plan_pattern(t->rate, LV_Q_PAIR_RATE_V),
                                  lv_plan_result(t->rate, LV_Q_PAIR_RATE_V), 1, t->y,
                                  t->a);
    lv_sparse_multiply_transposed(lv_plan_pattern(t->rate, LV_Q_PAIR_RATE_Q),
                                  lv_plan_result(t->rate, LV_Q_PAIR_RATE_Q), 1, t->y,
                                  t->c);
    lv_mass_solve(t->system->mass, t->a);
    lv_system_momentum(t->system, t->p, 0, t->z, t->vm);
    add_at(t, 1, t->c);
    add_along(t, -1, t->p, t->a);
    return judge_defects(t);
}

/* For other mass matrices only the direction of the correction may break a symmetry:
 * tests that it is transverse to the orbit of each momentum map. */
static bool try_direction(trial *t)
{
    const double *u = t->transverse.u;
    for (int k = 0; k < t->n; k++) {
        t->a[k] = t->q1[k] - t->q0[k];
        t->c[k] = 1;
    }
    lv_system_momentum(t->system, t->p, 0, t->z, t->vm);
    (void)lv_transverse_direction(&t->transverse, t->z, t->p, t->a, t->v1, t->c);
    add_at(t, 1, u);
    add_along(t, -1, t->p, u + t->n);
    return judge_defects(t);
}

/* Tests both conditions at one pair of points. plain_answered: an earlier draw of this
 * pair has answered the first one. */
static bool try_pair(trial *t, bool hidden, bool *plain_answered)
{
    t->kept = *plain_answered ? t->with_hidden : t->plain;
    bool finite = try_energies(t);
    *plain_answered = *plain_answered || finite;
    if (finite && hidden) {
        t->kept = t->with_hidden;
        finite = t->rate ? try_rates(t) : try_direction(t);
    }
    return finite;
}

static void try_pairs(trial *t, bool hidden)
{
    const int pairs = t->n < LARGE ? PAIRS : 1;
    clear_defects(t);
    for (int pair = 0; pair < pairs; pair++) {
        bool plain_answered = false;
        for (int draw = 0; draw < DRAWS; draw++) {
            draw_pair(t, pair, ldexp(0.1, -2 * draw));
            if (try_pair(t, hidden, &plain_answered))
                break;
        }
    }
    /* Maps that energies and constraints break are broken with the hidden constraint,
     * too. */
    for (int k = 0; k < t->maps; k++)
        t->with_hidden[k] = t->with_hidden[k] && t->plain[k];
}

static lv_status test_maps(lv_system *system, lv_error *err)
{
    trial t = {.system = system,
               .n = system->n,
               .m = system->m,
               .maps = lv_system_map_count(system)};
    const size_t room = (size_t)t.maps + 1;
    t.plain = lv_arena_alloc(&system->arena, room, sizeof *t.plain);
    t.with_hidden = lv_arena_alloc(&system->arena, room, sizeof *t.with_hidden);
    if (!t.plain || !t.with_hidden)
        return lv_fail_memory(err);
    for (int k = 0; k < t.maps; k++)
        t.plain[k] = t.with_hidden[k] = true;
    const bool hidden = t.m > 0;
    lv_status status = t.maps > 0 ? make_plans(&t, hidden, err) : LV_OK;
    if (status == LV_OK)
        status = trial_make_room(&t, err);
    if (status == LV_OK && t.maps > 0)
        try_pairs(&t, hidden);
    trial_done(&t);
    if (status == LV_OK) {
        system->equivariant[false] = t.plain;
        system->equivariant[true] = t.with_hidden;
    }
    return status;
}

lv_status lv_equivariance_test(lv_system *system, bool hidden, bool *kept, lv_error *err)
{
    if (!system->equivariant[hidden])
        LV_TRY(test_maps(system, err));
    for (int k = 0; k < lv_system_map_count(system); k++)
        kept[k] = system->equivariant[hidden][k];
    return LV_OK;
}
