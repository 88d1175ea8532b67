/* Computes a short motion from the start, to find what the start alone does not show:
 * whether constraints become dependent, or nearly so, on the way. It also suggests a step
 * that resolves the fastest motion. */
#include "base/usage.h"
#include "model/footprint.h"
#include "run/shown.h"
#include "run/sim.h"
#include "run/start.h"
#include "system/agreement.h"
#include "system/determined.h"
#include "system/elements.h"
#include "system/frequency.h"
#include "system/inspect.h"
#include "system/schur_change.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* PROBE_LARGEST, FREQUENCY_LARGEST: coordinates of the largest models that are
 * examined. */
enum { PROBE_STEPS = 48, PROBE_LARGEST = 3000, FREQUENCY_LARGEST = 30000 };

typedef struct probe {
    lv_probe_info *info;
    const lv_model *model;
    lv_system *system; /* owned by the inspection */
    const lv_elements *elements;
    double *q, *v; /* position and velocity at the start */
} probe;

/* ---- what is fastest ------------------------------------------------------------------------------- */

/* Notes the body that turns fastest. */
static void note_rotation(void *user, const char *name, bool is_planar,
                          const double *columns)
{
    lv_probe_info *info = user;
    const double *omega = columns + (is_planar ? 5 : 10);
    const double rate =
        is_planar ? fabs(omega[0]) : hypot(hypot(omega[0], omega[1]), omega[2]);
    if (!(rate > info->rotation))
        return;
    info->rotation = rate;
    snprintf(info->rotates, sizeof info->rotates, "%s", name);
}

static lv_status find_rotation(probe *p, lv_error *err)
{
    lv_arena scratch = {0};
    lv_showcase shown;
    /* multipliers 0 */
    double *none =
        lv_arena_alloc(&scratch, (size_t)p->system->constraint_count, sizeof *none);
    lv_status status = none ? lv_showcase_init(&shown, p->system->model, &scratch, err)
                            : lv_fail_memory(err);
    if (status == LV_OK) {
        lv_showcase_run(&shown, &(lv_point){.q = p->q, .v = p->v, .y = none});
        lv_showcase_visit_bodies(&shown, note_rotation, p->info);
        lv_showcase_done(&shown);
    }
    lv_arena_done(&scratch);
    return status;
}

/* 1, 2 or 5 times a power of ten, not larger than x. */
static double round_down(double x)
{
    const double power = pow(10, floor(log10(x)));
    const double digit = x / power;
    return power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

/* Forty steps for the fastest period. */
static void suggest_step(lv_probe_info *info)
{
    const double fastest = fmax(info->frequency, info->rotation), pi = 3.14159265358979;
    if (fastest > 0 && isfinite(fastest))
        info->step = round_down(2 * pi / fastest / 40);
}

static lv_status find_frequency(probe *p, lv_error *err)
{
    lv_error why;
    LV_TRY(find_rotation(p, err));
    if (p->system->n <= FREQUENCY_LARGEST) {
        const lv_status status =
            lv_system_fastest(p->system, &p->info->frequency, 0, p->q, p->v, &why);
        if (status == LV_ERR_MEMORY)
            return lv_fail_memory(err);
        if (status != LV_OK)
            p->info->frequency = -1;
    }
    suggest_step(p->info);
    return LV_OK;
}

/* ---- the motion ------------------------------------------------------------------------------------- */

/* "'a', 'b' and 3 others": the elements that take part in the nearly dependent
 * combination that was found last. */
static void name_nearest(const probe *p, char *text, size_t size)
{
    enum { NAMED = 4 };
    const double *parts = lv_system_nearest_parts(p->system);
    const double much = 0.1;
    char name[160];
    size_t used = 0;
    int named = 0, last = -1, others = 0;
    text[0] = '\0';
    for (int r = 0; r < p->system->constraint_count; r++) {
        const int element = p->elements->of_row[r];
        if (element < 0 || element == last || !(parts[r] > much))
            continue;
        last = element;
        if (named == NAMED) {
            others++;
            continue;
        }
        lv_element_name(&p->elements->list[element], name, sizeof name);
        used += (size_t)snprintf(text + used, size - used, "%s'%.40s'",
                                 named++ ? ", " : "", name);
    }
    if (others > 0)
        snprintf(text + used, size - used, " and %d other%s", others,
                 others == 1 ? "" : "s");
}

/* Notes how much G M^-1 G^T shrinks in a step, if the scheme has a limit. */
static void look_at_shrinking(probe *p, const lv_point *at)
{
    const lv_scheme *scheme = lv_scheme_find(p->info->scheme);
    double rate = 0;
    int row;
    if (!scheme || scheme->most_shrinking == 0)
        return;
    p->info->shrinking_most = scheme->most_shrinking;
    if (lv_system_schur_shrinking(p->system, at, &rate, &row, NULL) == LV_OK)
        p->info->shrinking = fmax(p->info->shrinking, p->info->size * rate);
}

static void look_at_state(probe *p, double t, const double *q, const double *v)
{
    lv_probe_info *info = p->info;
    look_at_shrinking(p, &(lv_point){.q = q, .v = v, .t = t});
    const int dependent = lv_system_count_dependent(p->system, t, q, v);
    if (dependent >= 0) {
        const int freedom = p->system->n - p->system->constraint_count + dependent;
        if (info->looks == 0)
            info->freedom_least = info->freedom_most = freedom;
        if (info->looks > 0 && freedom != info->freedom_least &&
            info->freedom_least == info->freedom_most)
            info->freedom_changed = t;
        info->freedom_least =
            freedom < info->freedom_least ? freedom : info->freedom_least;
        info->freedom_most = freedom > info->freedom_most ? freedom : info->freedom_most;
    }
    const lv_near near = lv_system_nearest(p->system, t, q, v);
    if (info->looks++ == 0)
        info->nearest_at_start = near.value;
    else if (near.value >= info->nearest)
        return;
    info->nearest = near.value;
    info->nearest_time = t;
    name_nearest(p, info->nearest_names, sizeof info->nearest_names);
}

/* The model's own scheme, or the first one that takes the system. */
static const char *choose_scheme(const probe *p, lv_sim_options *options)
{
    const lv_scheme_options none = {0};
    const lv_scheme *scheme = NULL;
    if (lv_sim_choose(&scheme, p->model, options, NULL) == LV_OK &&
        lv_sim_fits(scheme, p->system, options, NULL) == LV_OK)
        return options->scheme;
    options->options = none;
    for (int k = 0; lv_scheme_table[k]; k++)
        if (lv_scheme_fits(lv_scheme_table[k], p->system, &none, NULL) == LV_OK)
            return lv_scheme_table[k]->info.name;
    return NULL;
}

static lv_status move(probe *p, lv_sim *sim, lv_error *err)
{
    lv_probe_info *info = p->info;
    const lv_run_options *run = lv_model_run_options(p->model);
    lv_error why;
    look_at_state(p, 0, p->q, p->v);
    for (int k = 0; k < PROBE_STEPS; k++) {
        if (run->ends && lv_sim_time(sim) + info->size > run->until * (1 + 1e-9))
            break;
        const lv_status status = lv_sim_step(sim, &why);
        if (status == LV_ERR_MEMORY)
            return lv_fail_memory(err);
        if (status != LV_OK) {
            snprintf(info->stopped, sizeof info->stopped, "%.390s", why.text);
            break;
        }
        info->steps++;
        info->time = lv_sim_time(sim);
        look_at_state(p, info->time, lv_sim_position(sim), lv_sim_velocity(sim));
    }
    return LV_OK;
}

static lv_status try_motion(probe *p, lv_error *err)
{
    lv_probe_info *info = p->info;
    lv_sim_options options = lv_sim_options_default(p->model);
    lv_error why;
    lv_sim *sim = NULL;
    if (p->system->n > PROBE_LARGEST) {
        snprintf(info->stopped, sizeof info->stopped, "the model is too large for it");
        return LV_OK;
    }
    options.dense = false;
    options.scheme = info->scheme = choose_scheme(p, &options);
    options.step = info->size = options.step > 0 ? options.step
                                : info->step > 0 ? info->step
                                                 : 0.01;
    if (!info->scheme) {
        snprintf(info->stopped, sizeof info->stopped, "no scheme takes the model");
        return LV_OK;
    }
    lv_status status = lv_sim_create(&sim, p->model, &options, &why);
    if (status == LV_OK) {
        sim->events.endless = true;
        status = move(p, sim, err);
    } else if (status != LV_ERR_MEMORY)
        snprintf(info->stopped, sizeof info->stopped, "%.390s", why.text);
    lv_sim_free(sim);
    return status == LV_ERR_MEMORY ? lv_fail_memory(err) : LV_OK;
}

/* Finds the start of a run. Large models are not probed, and their inspection has tested
 * the start. */
static lv_status find_start(probe *p, lv_error *why)
{
    const size_t n = (size_t)p->system->n;
    const bool projects = lv_model_run_options(p->model)->project;
    if (p->system->n <= FREQUENCY_LARGEST || projects)
        return lv_start_make(p->system, projects ? LV_INITIAL_PROJECT : LV_INITIAL_CHECK,
                             p->q, p->v, p->q + 2 * n, why);
    memcpy(p->q, p->model->start_q, n * sizeof *p->q);
    memcpy(p->v, p->model->start_v, n * sizeof *p->v);
    return LV_OK;
}

static lv_status run_probe(probe *p, lv_error *err)
{
    lv_error why;
    const lv_status status = find_start(p, &why);
    if (status == LV_ERR_MEMORY)
        return lv_fail_memory(err);
    if (status != LV_OK) {
        p->info->frequency = -1;
        snprintf(p->info->stopped, sizeof p->info->stopped, "%.390s", why.text);
        return LV_OK;
    }
    LV_TRY(find_frequency(p, err));
    return p->system->constraint_count > 0 ? try_motion(p, err) : LV_OK;
}

lv_status lv_inspection_probe(lv_inspection *inspection, lv_probe_info *info,
                              lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, inspection);
    LV_NEED(err, info);
    *info = (lv_probe_info){.nearest = 1, .nearest_at_start = 1};
    probe p = {.info = info,
               .model = lv_inspection_model(inspection),
               .elements = lv_inspection_elements(inspection)};
    lv_status status = lv_inspection_system(inspection, &p.system, err);
    if (status != LV_OK)
        return status;
    const size_t n = (size_t)p.system->n;
    p.q = lv_memory_zeroed(4 * n + 1, sizeof *p.q);
    p.v = p.q ? p.q + n : NULL;
    status = p.q ? run_probe(&p, err) : lv_fail_memory(err);
    lv_memory_free(p.q);
    return lv_model_settle(p.model, status, err);
}
