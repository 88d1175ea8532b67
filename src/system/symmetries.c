#include "system/symmetries.h"

#include "plan/plan.h"
#include "system/symmetry_breaking.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Number of random points. A point with a value that is not finite is drawn again, closer
 * to the start, up to DRAWS times. */
enum { POINTS = 4, DRAWS = 7 };

typedef struct lv_symmetry_finder {
    const lv_model *model;
    lv_arena *results;
    lv_arena scratch;
    lv_candidates candidates;
    int defect_count;
    lv_defects *defects; /* tests, one per kernel */
    double *q, *v, t;    /* the current point */
    int declared;  /* number of declared symmetries, with which candidates are compared */
    lv_plan *maps; /* momentum maps of the declared symmetries; NULL: not needed so far */
    double *ours, *theirs;
    bool *proven, *was_proven;
    bool *was_broken; /* by candidate: it was broken in the last search */
    /* The formulas are analytic and finite everywhere: which candidates are symmetries does
     * not depend on the points at which they are tested. */
    bool everywhere;
    int edition; /* edition of the model in the last search */
} finder;

/* ---- candidates -------------------------------------------------------------------- */

static const lv_symmetry of_vectors[] = {
    {"P_x", -1, 2, 0, -1}, {"P_y", -1, 2, 1, -1}, {"L", -1, 2, 0, 1},
    {"P_x", -1, 3, 0, -1}, {"P_y", -1, 3, 1, -1}, {"P_z", -1, 3, 2, -1},
    {"L_x", -1, 3, 1, 2},  {"L_y", -1, 3, 2, 0},  {"L_z", -1, 3, 0, 1}};

enum { OF_VECTORS = sizeof of_vectors / sizeof *of_vectors };

static bool is_alone(const lv_group *group)
{
    return group->length == 0 && !group->is_family;
}

static void add_candidate(finder *f, lv_symmetry is)
{
    f->candidates.list[f->candidates.count++].is = is;
}

static lv_status list_candidates(finder *f, lv_error *err)
{
    const lv_model *m = f->model;
    lv_candidates *all = &f->candidates;
    size_t groups = (size_t)m->groups.count;
    bool occurs[4] = {false}; /* by length: there are vectors of this length */
    all->list = lv_arena_alloc(&f->scratch, groups + OF_VECTORS, sizeof *all->list);
    all->cyclic = lv_arena_alloc(&f->scratch, groups, sizeof *all->cyclic);
    if (!all->list || !all->cyclic)
        return lv_fail_memory(err);
    for (int k = 0; k < m->groups.count; k++) {
        const lv_group *group = &m->groups.data[k];
        bool alone = is_alone(group);
        if (group->length < 4)
            occurs[group->length] = true;
        all->cyclic[k] = alone ? all->count : -1;
        if (alone)
            add_candidate(f, (lv_symmetry){NULL, k, 0, 0, -1});
    }
    all->together = all->count;
    for (int k = 0; k < OF_VECTORS; k++)
        if (occurs[of_vectors[k].length])
            add_candidate(f, of_vectors[k]);
    return LV_OK;
}

static lv_status prepare_tests(finder *f, lv_error *err)
{
    const lv_model *m = f->model;
    size_t n = (size_t)m->coordinate_count;
    f->q = lv_arena_alloc(&f->scratch, 2 * n, sizeof *f->q);
    f->defects =
        lv_arena_alloc(&f->scratch, (size_t)m->kernels.count, sizeof *f->defects);
    if (!f->q || !f->defects)
        return lv_fail_memory(err);
    f->v = f->q + n;
    for (int k = 0; k < m->kernels.count; k++)
        LV_TRY(lv_defects_init(&f->defects[f->defect_count++], &f->candidates, m,
                               &m->kernels.data[k], err));
    return LV_OK;
}

/* ---- points ------------------------------------------------------------------------ */

/* splitmix64 (Steele, Lea, Flood 2014), as a number in [-1, 1) */
static double draw(unsigned long long *state)
{
    unsigned long long z = *state += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-52 - 1;
}

/* x = start + reach * (random number), where the reach is the size of the whole group, or
 * a unit more. */
static void draw_near(const finder *f, double *x, const double *start, double width,
                      double unit, unsigned long long *state)
{
    for (int k = 0; k < f->model->groups.count; k++) {
        const lv_group *group = &f->model->groups.data[k];
        int end = group->first + group->count * lv_group_width(group);
        double largest = 0;
        for (int i = group->first; i < end; i++)
            largest = fmax(largest, fabs(start[i]));
        double reach = largest + unit > 0 ? largest + unit : 1;
        for (int i = group->first; i < end; i++)
            x[i] = start[i] + width * reach * draw(state);
    }
}

/* Draws a random point. Every other point stays within the size of the coordinates,
 * however small. */
static void draw_point(finder *f, int point, int attempt)
{
    unsigned long long state = (unsigned long long)(point * DRAWS + attempt + 1) << 32;
    double width = ldexp(0.3, -2 * attempt), unit = point % 2 == 0 ? 1 : 0;
    double until = f->model->run.until > 0 ? f->model->run.until : 1;
    draw_near(f, f->q, f->model->start_q, width, unit, &state);
    draw_near(f, f->v, f->model->start_v, width, unit, &state);
    f->t = until * (draw(&state) + 1) / 2;
}

/* ---- testing ----------------------------------------------------------------------- */

static bool is_constraint(const lv_kernel *k)
{
    return k->role == LV_ROLE_HOLONOMIC || k->role == LV_ROLE_NONHOLONOMIC;
}

static lv_status add_defects(finder *f, bool of_constraints, lv_error *err)
{
    lv_status status = LV_OK;
    for (int k = 0; status == LV_OK && k < f->defect_count; k++)
        if (is_constraint(f->defects[k].kernel) == of_constraints)
            status = lv_defects_add(&f->defects[k], f->q, f->v, f->t, err);
    return status;
}

/* Tests all candidates at the current point. Changes of energies and forces may cancel
 * between instances, so they are summed first. Candidates that are broken by them are not
 * tested with the constraints. */
static lv_status test_point(finder *f, lv_error *err)
{
    lv_candidates *all = &f->candidates;
    const lv_status status = add_defects(f, false, err);
    for (int k = 0; k < all->count; k++)
        if (!lv_wide_is_zero(lv_tally_sum(&all->list[k].total).size) && status == LV_OK)
            all->list[k].broken = true;
    return status == LV_OK ? add_defects(f, true, err) : status;
}

/* Is there a candidate that is not broken and that a kernel may break? */
static bool is_anything_open(const finder *f)
{
    for (int k = 0; k < f->defect_count; k++)
        if (lv_defects_open(&f->defects[k]))
            return true;
    return false;
}

/* Tests at all points. If no draw of a point has finite values, all candidates count as
 * broken. */
static lv_status test_points(finder *f, lv_error *err)
{
    for (int point = 0; point < POINTS && is_anything_open(f); point++) {
        lv_status status = LV_ERR_DOMAIN;
        for (int k = 0; status == LV_ERR_DOMAIN && k < DRAWS; k++) {
            draw_point(f, point, k);
            status = test_point(f, err);
        }
        if (status == LV_ERR_DOMAIN)
            for (int k = 0; k < f->candidates.count; k++)
                f->candidates.list[k].broken = true;
        else if (status != LV_OK)
            return status;
    }
    lv_error_clear(err); /* it is about points that were not finite */
    return LV_OK;
}

/* ---- declared ones ----------------------------------------------------------------- */

static const lv_kernel *declared(const lv_model *m, int number)
{
    for (int k = 0; k < m->kernels.count; k++)
        if (m->kernels.data[k].role == LV_ROLE_SYMMETRY && number-- == 0)
            return &m->kernels.data[k];
    return NULL;
}

/* Are both proportional, over all points? */
static bool in_proportion(const double *x, const double *y)
{
    int at = 0;
    double size = 0;
    for (int k = 0; k < POINTS; k++) {
        size = fmax(size, fabs(x[k]));
        at = fabs(y[k]) > fabs(y[at]) ? k : at;
    }
    for (int k = 0; k < POINTS; k++)
        if (!(fabs(x[k] * y[at] - x[at] * y[k]) <= 1e-9 * size * fabs(y[at])))
            return false;
    return size > 0 && y[at] != 0;
}

static lv_status prepare_maps(finder *f, lv_error *err)
{
    const size_t points = POINTS, maps = (size_t)f->declared;
    if (f->maps)
        return LV_OK;
    f->ours = lv_arena_alloc(&f->scratch, points * (size_t)f->candidates.count,
                             sizeof *f->ours);
    f->theirs = lv_arena_alloc(&f->scratch, points * maps, sizeof *f->theirs);
    f->proven = lv_arena_alloc(&f->scratch, maps, sizeof *f->proven);
    if (!f->ours || !f->theirs || !f->proven)
        return lv_fail_memory(err);
    return lv_plan_create(&f->maps, f->model, LV_WANT(MOMENTUM_MAP), err);
}

/* Drops candidates whose momentum is a multiple of a declared one's, and marks these
 * declared ones as proven. */
static lv_status drop_declared(finder *f, lv_error *err)
{
    const int maps = f->declared;
    LV_TRY(prepare_maps(f, err));
    memset(f->proven, 0, (size_t)maps * sizeof *f->proven);
    for (int k = 0; k < POINTS; k++) {
        draw_point(f, k, 1);
        const lv_point point = {.q = f->q, .v = f->v, .t = f->t, .w = f->v};
        lv_plan_run(f->maps, &point);
        for (int j = 0; j < maps; j++)
            f->theirs[j * POINTS + k] = lv_plan_result(f->maps, LV_Q_MOMENTUM_MAP)[j];
        for (int j = 0; j < f->candidates.count; j++)
            if (!f->candidates.list[j].broken)
                f->ours[j * POINTS + k] =
                    lv_symmetry_momentum(&f->candidates.list[j].is, f->model, f->q, f->v);
    }
    for (int j = 0; j < f->candidates.count; j++)
        for (int i = 0; i < maps && !f->candidates.list[j].broken; i++)
            if (in_proportion(&f->ours[(size_t)j * POINTS],
                              &f->theirs[(size_t)i * POINTS]))
                f->candidates.list[j].broken = f->proven[i] = true;
    return LV_OK;
}

/* ---- results ----------------------------------------------------------------------- */

static bool is_taken(const finder *f, const lv_symmetries *found, const char *name)
{
    const lv_kernel *kernel;
    for (int k = 0; (kernel = declared(f->model, k)) != NULL; k++)
        if (strcmp(kernel->item->name, name) == 0)
            return true;
    for (int k = 0; k < found->count; k++)
        if (strcmp(found->list[k].name, name) == 0)
            return true;
    return false;
}

/* Names a symmetry "p_phi" or "L_z", or "L_z_2" and so on if that name is taken. */
static const char *name_it(finder *f, const lv_symmetries *found, const lv_symmetry *is)
{
    const char *own =
        is->group < 0 ? is->name : f->model->groups.data[is->group].item->name;
    size_t size = strlen(own) + 20;
    char *name = lv_arena_alloc(f->results, size, 1);
    if (!name)
        return NULL;
    snprintf(name, size, "%s%s", is->group < 0 ? "" : "p_", own);
    for (int k = 2; is_taken(f, found, name); k++)
        snprintf(name, size, "%s%s_%d", is->group < 0 ? "" : "p_", own, k);
    return name;
}

static lv_status keep(finder *f, lv_symmetries *found, lv_error *err)
{
    int count = 0;
    for (int k = 0; k < f->candidates.count; k++)
        count += !f->candidates.list[k].broken;
    count = count < LV_SYMMETRIES_MOST ? count : LV_SYMMETRIES_MOST;
    lv_symmetry *list = lv_arena_alloc(f->results, (size_t)count, sizeof *list);
    if (!list)
        return lv_fail_memory(err);
    found->list = list;
    for (int k = 0; k < f->candidates.count && found->count < count; k++) {
        if (f->candidates.list[k].broken)
            continue;
        lv_symmetry is = f->candidates.list[k].is;
        is.name = name_it(f, found, &is);
        if (!is.name)
            return lv_fail_memory(err);
        list[found->count++] = is;
    }
    return LV_OK;
}

/* Which candidates are symmetries? */
static lv_status test(finder *f, lv_error *err)
{
    int left = 0;
    for (int k = 0; k < f->candidates.count; k++)
        f->candidates.list[k].broken = !f->candidates.list[k].has_momentum;
    LV_TRY(test_points(f, err));
    for (int k = 0; k < f->candidates.count; k++)
        left += !f->candidates.list[k].broken;
    return f->declared > 0 && left > 0 ? drop_declared(f, err) : LV_OK;
}

static lv_status find(finder *f, lv_symmetries *found, bool with_declared, lv_error *err)
{
    LV_TRY(list_candidates(f, err));
    if (f->candidates.count == 0)
        return LV_OK;
    while (!with_declared && declared(f->model, f->declared))
        f->declared++;
    LV_TRY(prepare_tests(f, err));
    LV_TRY(test(f, err));
    if (f->maps) {
        found->proven =
            lv_arena_copy(f->results, f->proven, (size_t)f->declared, sizeof *f->proven);
        if (!found->proven)
            return lv_fail_memory(err);
    }
    return keep(f, found, err);
}

static lv_status find_all(finder *f, lv_symmetries *found, bool with_declared,
                          lv_error *err)
{
    *found = (lv_symmetries){0};
    const lv_status status = find(f, found, with_declared, err);
    if (status == LV_OK)
        return LV_OK;
    *found = (lv_symmetries){0};
    if (status != LV_ERR_LIMIT)
        return status;
    lv_error_clear(err); /* too large to test: no symmetry is reported */
    return LV_OK;
}

static void finder_done(finder *f)
{
    for (int k = 0; k < f->defect_count; k++)
        lv_defects_done(&f->defects[k]);
    for (int k = 0; k < f->candidates.count; k++)
        lv_tally_done(&f->candidates.list[k].total);
    lv_plan_free(f->maps);
    lv_arena_done(&f->scratch);
}

lv_status lv_symmetries_find(lv_symmetries *found, lv_arena *arena, const lv_model *model,
                             bool with_declared, lv_error *err)
{
    finder f = {.model = model, .results = arena};
    const lv_status status = find_all(&f, found, with_declared, err);
    finder_done(&f);
    return status;
}

/* ---- once more --------------------------------------------------------------------- */

static bool is_entire(const lv_graph *g)
{
    for (int k = 0; k < lv_graph_count(g); k++) {
        const lv_op op = lv_graph_node(g, k)->op;
        if (op != LV_OP_CONST && op != LV_OP_INPUT && op != LV_OP_ADD &&
            op != LV_OP_SUB && op != LV_OP_MUL && op != LV_OP_NEG && op != LV_OP_SQUARE &&
            op != LV_OP_SIN && op != LV_OP_COS)
            return false;
    }
    return true;
}

static bool are_entire(const lv_model *m)
{
    bool all = true;
    for (int k = 0; all && k < m->kernels.count; k++)
        all = is_entire(m->kernels.data[k].graph);
    return all;
}

static bool remember(finder *f)
{
    const size_t count = (size_t)f->candidates.count, maps = (size_t)f->declared;
    f->was_broken = lv_arena_alloc(&f->scratch, count + 1, sizeof *f->was_broken);
    f->was_proven = lv_arena_alloc(&f->scratch, maps + 1, sizeof *f->was_proven);
    if (!f->was_broken || !f->was_proven)
        return false;
    for (size_t k = 0; k < count; k++)
        f->was_broken[k] = f->candidates.list[k].broken;
    if (f->maps)
        memcpy(f->was_proven, f->proven, maps * sizeof *f->proven);
    return true;
}

lv_status lv_symmetry_finder_create(lv_symmetry_finder **result, lv_symmetries *found,
                                    lv_arena *arena, const lv_model *model, lv_error *err)
{
    finder *f = *result = lv_memory_zeroed(1, sizeof *f);
    if (!f)
        return lv_fail_memory(err);
    *f = (finder){.model = model, .results = arena};
    LV_TRY(find_all(f, found, false, err));
    f->everywhere = are_entire(model);
    f->edition = model->edition;
    return remember(f) ? LV_OK : lv_fail_memory(err);
}

void lv_symmetry_finder_free(lv_symmetry_finder *f)
{
    if (!f)
        return;
    finder_done(f);
    lv_memory_free(f);
}

bool lv_symmetry_finder_agrees(lv_symmetry_finder *f)
{
    const bool had_maps = f->maps != NULL;
    if (f->candidates.count == 0 || (f->everywhere && f->edition == f->model->edition))
        return true;
    f->edition = f->model->edition;
    if (!f->q) /* the model was too large to test */
        return false;
    if (f->maps)
        lv_plan_renew(f->maps);
    for (int k = 0; k < f->defect_count; k++)
        lv_defects_begin(&f->defects[k]);
    for (int k = 0; k < f->candidates.count; k++)
        (void)lv_tally_sum(&f->candidates.list[k].total);
    bool same = test(f, NULL) == LV_OK && had_maps == (f->maps != NULL);
    for (int k = 0; same && k < f->candidates.count; k++)
        same = f->candidates.list[k].broken == f->was_broken[k];
    return same && (!had_maps || memcmp(f->proven, f->was_proven,
                                        (size_t)f->declared * sizeof *f->proven) == 0);
}
