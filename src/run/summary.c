/* The summary of a run, with its warnings. */
#include "run/run_private.h"

#include "base/clock.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

lv_status lv_run_note_lost_csv(lv_running *r, const char *path, lv_error *err)
{
    lv_text text = {0};
    lv_text_append(&text,
                   "the CSV file of the run, '%s', is not there any more: rows go to the "
                   "HDF5 file only",
                   path);
    return lv_notes_take(&r->notes, &text, err);
}

/* The sinks are in the order in which they were opened. */
static void note_files(lv_running *r)
{
    const lv_kept_rows *rows = r->recorder.kept + (r->tap != NULL);
    r->view.csv_path = r->request.csv;
    r->view.hdf5_path = r->request.hdf5;
    if (r->request.csv) {
        r->view.csv = (lv_recorded){rows->count, rows->last};
        rows++;
    }
    if (r->request.hdf5)
        r->view.hdf5 = (lv_recorded){rows->count, rows->last};
}

/* Marks joints whose forces are not determined at the end of the run. */
static lv_status mark_open(lv_running *r, lv_part_result *parts, int count, lv_error *err)
{
    lv_system *s = r->sim->system;
    const lv_state *state = &r->sim->state;
    lv_dependence_info found;
    if (count == 0 || s->constraint_count == 0 ||
        lv_system_accelerations(s, NULL, NULL, state->t, state->q, state->v, NULL) !=
            LV_OK ||
        lv_saddle_redundant(s->saddle) == 0)
        return LV_OK;
    LV_TRY(lv_notes_dependent(&r->arena, r->sim, &found, err));
    for (int k = 0; k < found.count; k++)
        for (int i = 0; i < count && strcmp(found.list[k].kind, "joint") == 0; i++)
            if (strcmp(parts[i].section, "joints") == 0 &&
                strcmp(parts[i].name, found.list[k].name) == 0) {
                parts[i].open_forces = found.list[k].forces;
                parts[i].open_torques = found.list[k].torques;
            }
    return LV_OK;
}

static lv_status take_parts(lv_running *r, lv_error *err)
{
    lv_part_result *parts = NULL;
    LV_TRY(lv_showcase_results(&r->recorder.showcase, &parts, &r->view.part_count,
                               &r->arena, err));
    r->view.parts = parts;
    return mark_open(r, parts, r->view.part_count, err);
}

lv_status lv_run_note_outputs(lv_running *r, lv_error *err)
{
    const lv_model *m = r->model;
    const double *values = lv_recorder_outputs(&r->recorder);
    size_t count = 0, rows = 0;
    for (int k = 0; k < m->kernels.count; k++)
        if (m->kernels.data[k].role == LV_ROLE_OUTPUT) {
            rows += (size_t)m->kernels.data[k].row_count;
            count++;
        }
    lv_output *outputs = lv_arena_alloc(&r->arena, count, sizeof *outputs);
    const double *copy = lv_arena_copy(&r->arena, values, rows, sizeof *copy);
    if (!outputs || !copy)
        return lv_fail_memory(err);
    for (int k = 0; k < m->kernels.count; k++) {
        const lv_kernel *kernel = &m->kernels.data[k];
        if (kernel->role != LV_ROLE_OUTPUT)
            continue;
        outputs[r->view.output_count++] = (lv_output){
            kernel->item->name, kernel->is_vector ? kernel->row_count : 0, copy};
        copy += kernel->row_count;
    }
    r->view.outputs = outputs;
    LV_TRY(lv_run_note_inputs(r, err));
    return take_parts(r, err);
}

/* size: upper bound on the terms whose sum is the quantity. If the sum cancels to less
 * than 1e-10 of it, its digits are only rounding, and a relative deviation has no
 * meaning. */
static lv_kept_quantity kept(const char *name, const double *numbers, double size)
{
    const double initial = fabs(numbers[0]);
    const bool counts = initial > 0 && !(initial <= 1e-10 * size);
    return (lv_kept_quantity){name, numbers[0], numbers[1], numbers[2],
                              counts ? numbers[2] / initial : (double)NAN};
}

/* The size of kinetic and potential energy, before they ran away if they did. */
static double energy_size(const lv_monitor *m)
{
    const double before = m->growth[LV_GROWTH_FROM];
    return before > 0 ? before : m->growth[LV_GROWTH_LARGEST];
}

static lv_status summarise_work(lv_running *r, double size, lv_error *err)
{
    const lv_balance *b = &r->sim->balance;
    const double *numbers = r->monitor.balance;
    lv_work *works = lv_arena_alloc(&r->arena, (size_t)b->count + 1, sizeof *works);
    if (!works)
        return lv_fail_memory(err);
    for (int k = 0; k < b->count; k++)
        works[k] = (lv_work){b->names[k], b->work[k]};
    r->view.works = works;
    r->view.work_count = b->count;
    if (numbers)
        r->view.balance =
            (lv_kept_quantity){"balance", numbers[0], numbers[1], numbers[2],
                               size > 0 ? numbers[2] / size : (double)NAN};
    return LV_OK;
}

static lv_status summarise_events(lv_running *r, lv_error *err)
{
    const int count = lv_sim_event_count(r->sim), by = lv_sim_stopped(r->sim);
    lv_event_info *events = lv_arena_alloc(&r->arena, (size_t)count + 1, sizeof *events);
    if (!events)
        return lv_fail_memory(err);
    for (int k = 0; k < count; k++)
        LV_TRY(lv_sim_event(r->sim, k, &events[k], err));
    r->view.events = events;
    r->view.event_count = count;
    r->view.stopped_by = by >= 0 ? events[by].name : NULL;
    return LV_OK;
}

static lv_status summarise_changes(lv_running *r, lv_error *err)
{
    const int count = lv_sim_change_count(r->sim);
    lv_change_info *changes =
        lv_arena_alloc(&r->arena, (size_t)count + 1, sizeof *changes);
    if (!changes)
        return lv_fail_memory(err);
    for (int k = 0; k < count; k++)
        LV_TRY(lv_sim_change(r->sim, k, &changes[k], err));
    r->view.changes = changes;
    r->view.change_count = count;
    return LV_OK;
}

lv_status lv_run_summarise(lv_running *r, lv_error *err)
{
    lv_run_summary *v = &r->view;
    const lv_sim *sim = r->sim;
    const double size = energy_size(&r->monitor);
    int n = sim->system->n, m = sim->system->constraint_count;
    double *lambda = lv_arena_alloc(&r->arena, 3 * (size_t)m + 1, sizeof *lambda);
    lv_kept_quantity *momenta =
        lv_arena_alloc(&r->arena, (size_t)r->monitor.maps + 1, sizeof *momenta);
    if (!lambda || !momenta)
        return lv_fail_memory(err);
    for (int k = 0; k < r->monitor.maps; k++)
        momenta[k] = kept(lv_system_map_name(sim->system, k),
                          &r->monitor.momentum[(size_t)k * 3], r->monitor.levers[0]);
    if (m > 0 && lv_sim_multipliers(r->sim, lambda, NULL) != LV_OK)
        lv_notes_add(&r->notes, "the multipliers at the end could not be computed");
    v->scheme = sim->scheme->info.name;
    v->options = sim->options;
    v->order = sim->order;
    v->step = sim->h;
    v->until = r->request.until;
    v->steps = r->done;
    v->seconds = lv_clock_seconds() - r->began;
    v->start = sim->start_change;
    v->time = sim->state.t;
    v->coordinates = n;
    v->constraints = m;
    v->holonomic = sim->system->m;
    v->q = sim->state.q;
    v->v = sim->state.v;
    v->p = sim->state.p;
    v->lambda = lambda;
    if (sim->scheme->multipliers) {
        double *gamma = lambda + (size_t)2 * (size_t)m;
        sim->scheme->multipliers(sim->work, &sim->state, lambda + m, gamma);
        /* The stepper does not remember those of a step to which a run was taken back. */
        for (int k = 0; r->monitor.overshot > 0 && k < 2 * m; k++)
            lambda[m + k] = (double)NAN;
        v->lambda_scheme = lambda + m;
        v->gamma = sim->scheme->has_gamma ? gamma : NULL;
    }
    v->energy = kept("E", r->monitor.energy, size);
    LV_TRY(summarise_work(r, size, err));
    LV_TRY(summarise_events(r, err));
    LV_TRY(summarise_changes(r, err));
    v->kinetic = r->monitor.now.kinetic;
    v->potential = r->monitor.now.potential;
    if (r->monitor.invariant)
        v->invariant = kept(sim->scheme->invariant_name, r->monitor.invariant, size);
    v->momentum_count = r->monitor.maps;
    v->momenta = momenta;
    v->position_max = r->monitor.residual[0];
    v->velocity_max = r->monitor.residual[1];
    v->nonholonomic_max = r->monitor.residual[2];
    v->undetermined_rows = (long long)r->monitor.lost[LV_LOST_COUNT];
    v->lag_max = r->monitor.lag[0];
    v->legendre_max = r->monitor.legendre[1];
    v->has_legendre = lv_monitor_has_legendre(&r->monitor);
    LV_TRY(lv_notes_monitor(&r->notes, &r->monitor, r->done, err));
    v->warnings = r->notes.texts;
    v->warning_count = r->notes.count;
    if (!r->tap || !r->tap->brief)
        LV_TRY(lv_verdicts_shown(&v->shown, &r->monitor, r->done, &r->arena, err));
    v->newton_mean = r->done > 0 ? r->monitor.newton[0] / (double)r->done : 0;
    v->newton_max = (int)r->monitor.newton[1];
    v->rows = r->recorder.rows;
    v->kept = r->request.keep_rows ? &r->store.rows : NULL;
    note_files(r);
    return LV_OK;
}

/* ---- for findings and pages ------------------------------------------------------------------- */

/* The smallest positive number of a list, which may be NULL; 0: there is none. */
static double least_of(const double *list, int count)
{
    double least = 0;
    for (int k = 0; list && k < count; k++)
        if (list[k] > 0 && (least == 0 || list[k] < least))
            least = list[k];
    return least;
}

lv_run_sizes lv_run_sizes_of(const lv_run_summary *summary)
{
    const lv_running *r = (const lv_running *)summary;
    const lv_monitor *m = &r->monitor;
    /* limits are this fraction of the sizes */
    const double relative = 1e-8 * lv_level_shares[LV_LEVEL_POSITION];
    return (lv_run_sizes){.energy = energy_size(m),
                          .momentum = m->levers[0],
                          .position = least_of(m->limits, r->sim->system->m) / relative};
}

lv_status lv_run_findings(lv_findings *findings, const lv_run_summary *summary,
                          lv_error *err)
{
    const lv_running *r = (const lv_running *)summary;
    return lv_findings_of_run(findings, &r->monitor, r->done, err);
}

const lv_run_request *lv_run_request_of(const lv_run_summary *summary)
{
    return &((const lv_running *)summary)->request;
}

const lv_model *lv_run_model_of(const lv_run_summary *summary)
{
    return ((const lv_running *)summary)->model;
}
