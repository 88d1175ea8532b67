#include "system/declared.h"

#include "base/text.h"
#include "model/turns.h"
#include "num/random.h"
#include "system/symmetry_breaking.h"

#include <math.h>
#include <string.h>

/* Number of points: the start and random ones. A point at which a formula has no value is
 * drawn again, closer to the start, up to DRAWS times. */
enum { POINTS = 5, DRAWS = 6 };

/* A term that breaks the symmetry at a point. */
typedef struct spoiler {
    const lv_kernel *kernel;
    lv_change by;
    bool at_start;
} spoiler;

typedef struct trial {
    lv_system *system;
    lv_arena arena;
    const lv_kernel *generator;
    lv_lie *lie; /* derivatives of the generator */
    lv_candidate candidate;
    lv_candidates candidates;
    lv_defects *defects; /* tests, one per kernel */
    int defect_count;
    lv_change *totals, *terms; /* changes, one per kernel */
    lv_change *dq, *dv;        /* xi and d/dt xi */
    lv_change *along; /* velocities of an instance, as changes of its coordinates */
    double *q, *v, *point, t;
    spoiler worst;
} trial;

/* ---- the generator ----------------------------------------------------------------- */

static void add(lv_change *to, lv_change term)
{
    to->d = lv_wide_add(to->d, term.d);
    to->size = lv_wide_add(to->size, term.size);
    to->guess = to->guess || term.guess;
}

/* Computes xi and d/dt xi of one instance; returns false if one is not finite. */
static bool move_instance(trial *t, int instance)
{
    const lv_kernel *k = t->generator;
    const int local = k->layout.size[LV_INPUT_Q];
    double *numbers = t->point + (ptrdiff_t)(2 * local);
    for (int j = 0; j < local; j++) {
        const int at = lv_kernel_global(k, instance, j);
        t->point[j] = t->q[at];
        t->point[local + j] = t->v[at];
        t->along[j] = lv_change_of(t->v[at]);
    }
    double *times = numbers + k->layout.size[LV_INPUT_I];
    lv_kernel_numbers(k, numbers, instance);
    lv_model_vary_inputs(t->system->model, t->t, times);
    const double *const inputs[LV_INPUT_KINDS] = {
        [LV_INPUT_Q] = t->point,
        [LV_INPUT_V] = t->point + local,
        [LV_INPUT_T] = times,
        [LV_INPUT_P] = t->system->model->parameter_values.data,
        [LV_INPUT_R] = lv_turns_of(t->system->model, k, instance),
        [LV_INPUT_I] = numbers};
    if (!lv_lie_place(t->lie, inputs, instance))
        return false;
    lv_lie_move(t->lie, t->along, NULL, 1);
    for (int r = 0; r < k->row_count; r++) {
        const int at =
            lv_kernel_global(k, instance, lv_graph_node(k->graph, k->targets[r])->b);
        add(&t->dq[at], lv_lie_value(t->lie, r));
        add(&t->dv[at], lv_lie_change(t->lie, r));
    }
    return true;
}

static bool move(trial *t)
{
    const size_t n = (size_t)t->system->n;
    bool ok = true;
    memset(t->dq, 0, n * sizeof *t->dq);
    memset(t->dv, 0, n * sizeof *t->dv);
    for (int k = 0; ok && k < t->generator->instance_count; k++)
        ok = move_instance(t, k);
    return ok;
}

/* ---- points ------------------------------------------------------------------------ */

static void draw_near(const trial *t, double *x, const double *start, const char *name,
                      int point, double width)
{
    const lv_model *m = t->system->model;
    for (int k = 0; k < m->groups.count; k++) {
        const lv_group *group = &m->groups.data[k];
        const int end = group->first + group->count * lv_group_width(group);
        double size = point % 2;
        for (int i = group->first; i < end; i++)
            size = fmax(size, fabs(start[i]));
        for (int i = group->first; i < end; i++) {
            const lv_draw draw = {1, name, (uint32_t)point, (uint32_t)i};
            const double random = 2 * lv_random_uniform(&draw) - 1;
            x[i] = start[i] + width * (size > 0 ? size : 1) * random;
        }
    }
}

/* Draws a point; point 0 is the start. Returns false if no point nearby satisfies the
 * constraints. */
static bool draw_point(trial *t, int point, int attempt)
{
    const lv_model *m = t->system->model;
    const double width = point == 0 ? 0 : ldexp(0.3, -2 * attempt);
    const double until = m->run.until > 0 ? m->run.until : 1;
    const lv_draw draw = {1, "t", (uint32_t)point, 0};
    draw_near(t, t->q, m->start_q, "q", point, width);
    draw_near(t, t->v, m->start_v, "v", point, width);
    t->t = point == 0 ? 0 : until * lv_random_uniform(&draw);
    if (t->system->constraint_count == 0)
        return true;
    return lv_system_project_position(t->system, t->q, t->t, NULL) == LV_OK &&
           lv_system_project_velocity(t->system, t->v, t->t, t->q, NULL) == LV_OK;
}

/* ---- judgement --------------------------------------------------------------------- */

static bool is_energy(const lv_kernel *k)
{
    return k->role <= LV_ROLE_LAGRANGIAN;
}

static void accuse(trial *t, const lv_kernel *kernel, lv_change by)
{
    if (!t->worst.kernel)
        t->worst = (spoiler){kernel, by, t->t == 0};
}

/* The sum of the changes of energies, or of energies and forces. */
static lv_change sum(trial *t, bool with_forces)
{
    int count = 0;
    for (int k = 0; k < t->defect_count; k++)
        if (is_energy(t->defects[k].kernel) || with_forces)
            t->terms[count++] = t->totals[k];
    return lv_change_sum(t->terms, count);
}

/* Records the term that contributes most to a sum that should be zero. */
static void accuse_largest(trial *t, bool energies)
{
    int worst = -1;
    for (int k = 0; k < t->defect_count; k++)
        if (is_energy(t->defects[k].kernel) == energies &&
            !lv_wide_is_zero(t->totals[k].size) &&
            (worst < 0 || lv_wide_compare(lv_wide_abs(t->totals[k].d),
                                          lv_wide_abs(t->totals[worst].d)) > 0))
            worst = k;
    if (worst >= 0)
        accuse(t, t->defects[worst].kernel, t->totals[worst]);
}

static lv_status test_point(trial *t, lv_error *err)
{
    lv_candidate *c = &t->candidate;
    if (!move(t))
        return lv_fail(err, LV_ERR_DOMAIN, "the generator is not finite");
    for (int k = 0; k < t->defect_count; k++) {
        c->broken = false;
        lv_status status = lv_defects_add(&t->defects[k], t->q, t->v, t->t, err);
        t->totals[k] = lv_tally_sum(&c->total);
        LV_TRY(status);
        if (c->broken)
            accuse(t, t->defects[k].kernel, c->worst);
    }
    if (lv_change_is_proof(sum(t, true)))
        accuse_largest(t, lv_change_is_proof(sum(t, false)));
    return LV_OK;
}

static lv_status test_points(trial *t, lv_error *err)
{
    for (int point = 0; !t->worst.kernel && point < POINTS; point++) {
        lv_status status = LV_ERR_DOMAIN;
        for (int k = 0; status == LV_ERR_DOMAIN && k < DRAWS; k++)
            if (draw_point(t, point, k))
                status = test_point(t, err);
        if (status != LV_OK && status != LV_ERR_DOMAIN)
            return status;
    }
    lv_error_clear(err); /* it is about points that were not finite */
    return LV_OK;
}

/* ---- texts ------------------------------------------------------------------------- */

/* "model.toml:9:13" */
static void put_place(lv_text *text, lv_place place)
{
    lv_error at = {0};
    (void)lv_fail_at(&at, LV_ERR_MODEL, LV_AT(place), "here");
    lv_text_append(text, "%s:%d:%d", at.file, at.line, at.column);
}

/* "the potential 'V' (model.toml:9:13)" */
static void put_term(lv_text *text, const lv_kernel *k)
{
    const char *name = k->item->name;
    static const char *const kinds[LV_ROLES] = {[LV_ROLE_KINETIC] = "kinetic energy",
                                                [LV_ROLE_POTENTIAL] = "potential",
                                                [LV_ROLE_LAGRANGIAN] = "Lagrangian",
                                                [LV_ROLE_HOLONOMIC] = "constraint",
                                                [LV_ROLE_NONHOLONOMIC] =
                                                    "nonholonomic constraint",
                                                [LV_ROLE_FORCE] = "force"};
    lv_text_append(text, "the %s%s%s%s (", kinds[k->role], name[0] ? " '" : "", name,
                   name[0] ? "'" : "");
    put_place(text, k->entry->place);
    lv_text_append(text, ")");
}

static const char *describe(const trial *t, lv_arena *arena)
{
    const char *name = t->generator->item->name;
    const spoiler *s = &t->worst;
    const bool force = s->kernel->role == LV_ROLE_FORCE;
    const lv_wide by =
        s->kernel->role == LV_ROLE_POTENTIAL ? lv_wide_neg(s->by.d) : s->by.d;
    char number[40];
    lv_text text = {0};
    put_place(&text, t->generator->entry->place);
    lv_text_append(&text,
                   force ? ": '%s' is a symmetry of the energies, but "
                         : ": '%s' is no symmetry: ",
                   name);
    put_term(&text, s->kernel);
    lv_text_append(&text,
                   force ? " works along its generator, f . xi = %s %s"
                         : " changes along its generator, by %s %s",
                   lv_wide_double(by) == 0 ? "an amount too small for a number"
                                           : lv_wide_text(by, number, sizeof number),
                   s->at_start ? "at the start" : "at a point near the start");
    lv_text_append(&text, ". The motion need not keep J.%s, whatever the scheme", name);
    const char *kept =
        text.failed ? NULL : lv_arena_text(arena, text.data, (size_t)text.count);
    lv_text_done(&text);
    return kept;
}

/* ---- all of them ------------------------------------------------------------------- */

static lv_status trial_make_room(trial *t, lv_error *err)
{
    const lv_model *m = t->system->model;
    const lv_kernel *k = t->generator;
    const size_t n = (size_t)m->coordinate_count, kernels = (size_t)m->kernels.count;
    const size_t local = (size_t)k->layout.size[LV_INPUT_Q];
    const size_t numbers = (size_t)k->layout.size[LV_INPUT_I];
    const size_t times = (size_t)k->layout.size[LV_INPUT_T];
    t->q = lv_arena_alloc(&t->arena, 2 * n, sizeof *t->q);
    t->v = t->q ? t->q + n : NULL;
    t->dq = lv_arena_alloc(&t->arena, n, sizeof *t->dq);
    t->dv = lv_arena_alloc(&t->arena, n, sizeof *t->dv);
    t->along = lv_arena_alloc(&t->arena, local + 1, sizeof *t->along);
    t->point =
        lv_arena_alloc(&t->arena, 2 * local + numbers + times + 1, sizeof *t->point);
    t->defects = lv_arena_alloc(&t->arena, kernels, sizeof *t->defects);
    t->totals = lv_arena_alloc(&t->arena, kernels, sizeof *t->totals);
    t->terms = lv_arena_alloc(&t->arena, kernels, sizeof *t->terms);
    bool ok = t->q && t->dq && t->dv && t->along && t->point && t->defects && t->totals &&
              t->terms;
    return ok ? LV_OK : lv_fail_memory(err);
}

static lv_status judge(trial *t, lv_error *err)
{
    const lv_model *m = t->system->model;
    const lv_kernel *k = t->generator;
    LV_TRY(trial_make_room(t, err));
    LV_TRY(lv_lie_create(&t->lie, k->graph, k->rows, k->row_count, err));
    t->candidate.dq = t->dq;
    t->candidate.dv = t->dv;
    t->candidates = (lv_candidates){.list = &t->candidate, .count = 1};
    for (int j = 0; j < m->kernels.count; j++)
        LV_TRY(lv_defects_init_given(&t->defects[t->defect_count++], &t->candidates, m,
                                     &m->kernels.data[j], err));
    return test_points(t, err);
}

static lv_status judge_one(const char **text, lv_arena *arena, lv_system *system,
                           const lv_kernel *generator, lv_error *err)
{
    trial t = {.system = system, .generator = generator};
    lv_status status = judge(&t, err);
    if (status == LV_OK && t.worst.kernel) {
        *text = describe(&t, arena);
        status = *text ? LV_OK : lv_fail_memory(err);
    }
    for (int k = 0; k < t.defect_count; k++)
        lv_defects_done(&t.defects[k]);
    lv_tally_done(&t.candidate.total);
    lv_lie_free(t.lie);
    lv_arena_done(&t.arena);
    return status;
}

lv_status lv_declared_judge(lv_system *system, lv_error *err)
{
    const lv_model *m = system->model;
    int number = 0;
    if (system->spoilt)
        return LV_OK;
    const char **texts =
        lv_arena_alloc(&system->arena, (size_t)system->declared + 1, sizeof *texts);
    if (!texts)
        return lv_fail_memory(err);
    for (int k = 0; k < m->kernels.count; k++) {
        if (m->kernels.data[k].role != LV_ROLE_SYMMETRY)
            continue;
        if (!system->found.proven || !system->found.proven[number])
            LV_TRY(judge_one(&texts[number], &system->arena, system, &m->kernels.data[k],
                             err));
        number++;
    }
    system->spoilt = texts;
    return LV_OK;
}
