#include "run/record.h"

#include "run/events.h"
#include "run/outputs.h"

#include "expr/analyse.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- names of columns --------------------------------------------------------------------- */

static int shown_coordinate(const lv_model *m, int k)
{
    return m->visible_coordinates ? m->visible_coordinates[k] : k;
}

static const char *label_q(const void *user, int k, char *buffer, size_t size)
{
    return lv_model_coordinate_text(user, shown_coordinate(user, k), buffer, size);
}

/* x', a'[1], q_7'[2]: the prime precedes the index. */
static const char *label_v(const void *user, int k, char *buffer, size_t size)
{
    char name[200];
    lv_model_coordinate_text(user, shown_coordinate(user, k), name, sizeof name);
    char *bracket = strchr(name, '[');
    int plain = bracket ? (int)(bracket - name) : (int)strlen(name);
    snprintf(buffer, size, "%.*s'%s", plain, name, bracket ? bracket : "");
    return buffer;
}

static const char *label_p(const void *user, int k, char *buffer, size_t size)
{
    char name[200];
    snprintf(
        buffer, size, "p.%s",
        lv_model_coordinate_text(user, shown_coordinate(user, k), name, sizeof name));
    return buffer;
}

/* "WHAT.NAME" for constraint row k. */
static const char *label_of_constraint(const char *what, const void *user, int k,
                                       char *buffer, size_t size)
{
    char name[200];
    const lv_model *m = user;
    snprintf(buffer, size, "%s.%s", what,
             lv_model_constraint_name(m, m->visible_rows ? m->visible_rows[k] : k, name,
                                      sizeof name));
    return buffer;
}

static const char *label_lambda(const void *user, int k, char *buffer, size_t size)
{
    return label_of_constraint("lambda", user, k, buffer, size);
}

static const char *label_lambda_scheme(const void *user, int k, char *buffer, size_t size)
{
    return label_of_constraint("lambda_scheme", user, k, buffer, size);
}

static const char *label_gamma(const void *user, int k, char *buffer, size_t size)
{
    return label_of_constraint("gamma", user, k, buffer, size);
}

static const char *label_body(const void *user, int k, char *buffer, size_t size)
{
    return lv_showcase_label(user, LV_SHOWN_BODY, k, buffer, size);
}

static const char *label_joint(const void *user, int k, char *buffer, size_t size)
{
    return lv_showcase_label(user, LV_SHOWN_JOINT, k, buffer, size);
}

static const char *label_motor(const void *user, int k, char *buffer, size_t size)
{
    return lv_showcase_label(user, LV_SHOWN_MOTOR, k, buffer, size);
}

static const char *label_rolling(const void *user, int k, char *buffer, size_t size)
{
    return lv_showcase_label(user, LV_SHOWN_ROLLING, k, buffer, size);
}

static const char *label_invariant(const void *user, int k, char *buffer, size_t size)
{
    const lv_scheme *scheme = user;
    (void)k;
    snprintf(buffer, size, "%s", scheme->invariant_name);
    return buffer;
}

static const char *label_map(const void *user, int k, char *buffer, size_t size)
{
    snprintf(buffer, size, "J.%s", lv_system_map_name(user, k));
    return buffer;
}

static const char *label_work(const void *user, int k, char *buffer, size_t size)
{
    snprintf(buffer, size, "work.%s", lv_sim_work_name(user, k));
    return buffer;
}

static const char *label_of(int k, const char *const *names, char *buffer, size_t size)
{
    snprintf(buffer, size, "%s", names[k]);
    return buffer;
}

static const char *label_t(const void *user, int k, char *buffer, size_t size)
{
    static const char *const names[] = {"t"};
    (void)user;
    return label_of(k, names, buffer, size);
}

static const char *label_undetermined(const void *user, int k, char *buffer, size_t size)
{
    static const char *const names[] = {"undetermined"};
    (void)user;
    return label_of(k, names, buffer, size);
}

static const char *label_energy(const void *user, int k, char *buffer, size_t size)
{
    static const char *const names[] = {"T", "V", "E"};
    (void)user;
    return label_of(k, names, buffer, size);
}

static const char *label_balance(const void *user, int k, char *buffer, size_t size)
{
    static const char *const names[] = {"balance"};
    (void)user;
    return label_of(k, names, buffer, size);
}

static const char *label_constraints(const void *user, int k, char *buffer, size_t size)
{
    static const char *const names[] = {"g.max", "gdot.max", "nonholonomic.max"};
    (void)user;
    return label_of(k, names, buffer, size);
}

static const char *label_legendre(const void *user, int k, char *buffer, size_t size)
{
    static const char *const names[] = {"legendre"};
    (void)user;
    return label_of(k, names, buffer, size);
}

static const char *label_newton(const void *user, int k, char *buffer, size_t size)
{
    static const char *const names[] = {"newton"};
    (void)user;
    return label_of(k, names, buffer, size);
}

static const char *label_event(const void *user, int k, char *buffer, size_t size)
{
    const lv_model *m = user;
    snprintf(buffer, size, "events.%s", m->events.data[k].item->name);
    return buffer;
}

/* Inputs: name, or name[k] for vectors. */
static const char *label_input(const void *user, int k, char *buffer, size_t size)
{
    const lv_model *m = user;
    int i = 0;
    while (i + 1 < m->inputs.count && m->inputs.data[i + 1].first <= k)
        i++;
    const lv_model_input *input = &m->inputs.data[i];
    snprintf(buffer, size, input->length > 0 ? "%s[%d]" : "%s", input->item->name,
             k - input->first + 1);
    return buffer;
}

/* The user's outputs: name, or name[k] for vectors. */
static const char *label_output(const void *user, int k, char *buffer, size_t size)
{
    const lv_model *m = user;
    for (int i = 0; i < m->kernels.count; i++) {
        const lv_kernel *kernel = &m->kernels.data[i];
        if (kernel->role != LV_ROLE_OUTPUT)
            continue;
        if (k < kernel->row_count) {
            snprintf(buffer, size, kernel->is_vector ? "%s[%d]" : "%s",
                     kernel->item->name, k + 1);
            return buffer;
        }
        k -= kernel->row_count;
    }
    return buffer;
}

/* ---- channels ------------------------------------------------------------------------------- */

enum { AT_T, AT_ENERGY, AT_CONSTRAINTS = 4, AT_NEWTON = 7, AT_LEGENDRE, NUMBERS };

static void add_channel(lv_recorder *r, const char *name, const char *doc, int width,
                        const double *values,
                        const char *(*label)(const void *, int, char *, size_t),
                        const void *user)
{
    if (width > 0)
        r->list[r->channels.count++] = (lv_channel){.name = name,
                                                    .doc = doc,
                                                    .width = width,
                                                    .values = values,
                                                    .label = label,
                                                    .user = user};
}

static int output_count(const lv_model *m)
{
    int count = 0;
    for (int k = 0; k < m->kernels.count; k++)
        if (m->kernels.data[k].role == LV_ROLE_OUTPUT)
            count += m->kernels.data[k].row_count;
    return count;
}

/* Allocates copies of the shown coordinates and constraints, if some are hidden. */
static lv_status make_visible(lv_recorder *r, lv_arena *arena, lv_error *err)
{
    const lv_model *m = r->sim->model;
    const size_t seen = (size_t)m->visible_coordinate_count;
    const size_t rows = (size_t)m->visible_row_count;
    if (m->visible_coordinates)
        r->visible = lv_arena_alloc(arena, 3 * seen, sizeof *r->visible);
    if (m->visible_rows)
        r->visible_rows = lv_arena_alloc(arena, 3 * rows, sizeof *r->visible_rows);
    return (m->visible_coordinates && !r->visible) ||
                   (m->visible_rows && !r->visible_rows)
               ? lv_fail_memory(err)
               : LV_OK;
}

static void add_channels(lv_recorder *r)
{
    static const char *(*const labels[])(const void *, int, char *, size_t) = {
        label_body, label_joint, label_motor, label_rolling};
    static const char *const docs[] = {
        "bodies: position, quaternion (w first), velocity, angular velocity in body axes",
        "joints: force and torque on the second body, in space, and angle or shift",
        "motors: torque or force", "rolling contacts: force on the body"};
    const lv_sim *sim = r->sim;
    const lv_monitor *monitor = r->monitor;
    const lv_model *m = sim->model;
    const int constraints = sim->system->constraint_count, works = sim->balance.count;
    add_channel(r, "t", "time", 1, r->numbers + AT_T, label_t, NULL);
    r->list[0].flat = true;
    const int seen = m->visible_coordinate_count, rows = m->visible_row_count;
    const double *q = r->visible ? r->visible : r->row.q;
    const double *lambda = r->visible_rows ? r->visible_rows : r->lambda;
    add_channel(r, "q", "coordinates", seen, q, label_q, m);
    add_channel(r, "v", "velocities", seen, q + seen, label_v, m);
    add_channel(r, "p", "momenta dL/dv", seen, q + (ptrdiff_t)2 * seen, label_p, m);
    for (int k = 0; k < LV_SHOWN_KINDS; k++)
        add_channel(r, lv_shown_section((lv_shown_kind)k), docs[k], r->showcase.width[k],
                    r->showcase.columns[k], labels[k], m);
    add_channel(r, "lambda",
                "multipliers: the constraint force is the gradient times lambda", rows,
                lambda, label_lambda, m);
    add_channel(
        r, "lambda_scheme", "multipliers as the scheme has them, in the last step",
        sim->scheme->multipliers ? rows : 0, lambda + rows, label_lambda_scheme, m);
    add_channel(r, "gamma",
                "the scheme's multipliers of the hidden constraints, in the last step",
                sim->scheme->has_gamma ? rows : 0, lambda + (ptrdiff_t)2 * rows,
                label_gamma, m);
    add_channel(r, "energy", "kinetic, potential, total energy v.dL/dv - L", 3,
                r->numbers + AT_ENERGY, label_energy, NULL);
    add_channel(r, "work",
                "work of forces, and of constraints and energies that depend on time",
                works, r->work, label_work, sim);
    add_channel(r, "balance", "E less its initial value and all work", works > 0,
                r->work + works, label_balance, NULL);
    if (monitor->invariant)
        add_channel(r, "invariant", "what the scheme keeps besides", 1,
                    monitor->invariant + 1, label_invariant, sim->scheme);
    add_channel(r, "momentum", "momentum maps", monitor->maps,
                monitor->numbers + monitor->count, label_map, sim->system);
    add_channel(
        r, "constraints",
        "largest residuals of constraints, of their rates, of nonholonomic constraints",
        sim->system->has_nonholonomic ? 3 : 2, r->numbers + AT_CONSTRAINTS,
        label_constraints, NULL);
    add_channel(r, "legendre", "largest |p - dL/dv|, relative to the largest |p| so far",
                lv_monitor_has_legendre(monitor) ? 1 : 0, r->numbers + AT_LEGENDRE,
                label_legendre, NULL);
    add_channel(r, "newton", "iterations of the nonlinear solver in the last step", 1,
                r->numbers + AT_NEWTON, label_newton, NULL);
    add_channel(r, "inputs", "inputs of the model in the last step", m->input_count,
                sim->system->inputs, label_input, m);
    add_channel(r, "outputs", "outputs of the model", output_count(m),
                lv_plan_result(r->outputs, LV_Q_OUTPUT), label_output, m);
    add_channel(r, "events", "how often events have happened", sim->events.count,
                r->happened, label_event, m);
    add_channel(r, "undetermined",
                "how many combinations of multipliers rounding decides: these are 0",
                constraints > 0, r->lost, label_undetermined, NULL);
}

/* The plan of the outputs, from a run before with the same simulation where there was one. */
static lv_status take_outputs(lv_recorder *r, lv_error *err)
{
    lv_sim *sim = r->sim;
    r->outputs = sim->outputs;
    sim->outputs = NULL;
    if (!r->outputs)
        return lv_plan_create(&r->outputs, sim->system->model, LV_WANT(OUTPUT), err);
    lv_plan_renew(r->outputs);
    return LV_OK;
}

lv_status lv_recorder_init(lv_recorder *r, lv_sim *sim, lv_monitor *monitor,
                           lv_arena *arena, lv_error *err)
{
    int n = sim->system->n, constraints = sim->system->constraint_count,
        works = sim->balance.count;
    *r = (lv_recorder){.sim = sim, .monitor = monitor};
    r->numbers = lv_arena_alloc(arena, NUMBERS, sizeof *r->numbers);
    r->lambda = lv_arena_alloc(arena, 3 * (size_t)constraints + 1, sizeof *r->lambda);
    r->own = r->lambda ? r->lambda + constraints : NULL;
    r->lost = r->own ? r->own + 2 * (size_t)constraints : NULL;
    r->row.q = lv_arena_alloc(arena, 3 * (size_t)n, sizeof *r->row.q);
    r->work = lv_arena_alloc(arena, (size_t)works + 1, sizeof *r->work);
    r->happened =
        lv_arena_alloc(arena, (size_t)sim->events.count + 1, sizeof *r->happened);
    if (!r->numbers || !r->lambda || !r->row.q || !r->work || !r->happened)
        return lv_fail_memory(err);
    r->row.v = r->row.q + n;
    r->row.p = r->row.v + n;
    LV_TRY(take_outputs(r, err));
    r->outputs_need = lv_plan_depends(r->outputs, LV_Q_OUTPUT);
    if (r->outputs_need & LV_KIND(A)) {
        r->a = lv_arena_alloc(arena, (size_t)n, sizeof *r->a);
        if (!r->a)
            return lv_fail_memory(err);
    }
    LV_TRY(lv_showcase_init(&r->showcase, sim->system->model, arena, err));
    LV_TRY(make_visible(r, arena, err));
    add_channels(r);
    r->channels.list = r->list;
    return lv_recorder_choose(r, NULL, 0, arena, err);
}

lv_status lv_recorder_choose(lv_recorder *r, const char *const *names, int count,
                             lv_arena *arena, lv_error *err)
{
    return lv_selection_init(&r->recorded, &r->channels, names, count, arena, err);
}

lv_status lv_recorder_done(lv_recorder *r, lv_error *err)
{
    lv_status status = LV_OK;
    for (int k = 0; k < r->sink_count; k++) {
        r->sinks[k]->kept = &r->kept[k];
        lv_status closed = r->sinks[k]->close(r->sinks[k], status == LV_OK ? err : NULL);
        status = status == LV_OK ? closed : status;
    }
    r->sink_count = 0;
    if (r->outputs && r->sim->renewable)
        r->sim->outputs = r->outputs;
    else
        lv_plan_free(r->outputs);
    r->outputs = NULL;
    lv_showcase_done(&r->showcase);
    return status;
}

/* Evaluates the outputs at a state whose multipliers are known. */
static lv_status run_outputs(lv_recorder *r, lv_point *point, const lv_state *at,
                             const lv_watch *w, lv_error *err)
{
    const double energies[LV_RESULT_ENERGIES] = {w->energy, w->kinetic, w->potential};
    memcpy(r->energies, energies, sizeof energies);
    *point = (lv_point){.q = at->q,
                        .v = at->v,
                        .t = at->t,
                        .y = r->lambda,
                        .w = at->p,
                        .a = r->a,
                        .e = r->energies};
    if (r->a)
        LV_TRY(lv_system_accelerations(r->sim->system, r->a, NULL, at->t, at->q, at->v,
                                       err));
    lv_plan_run(r->outputs, point);
    return LV_OK;
}

/* Evaluates the outputs and parts at r->row, and counts outputs that are not finite. */
static lv_status look_at_outputs(lv_recorder *r, const lv_watch *w, lv_error *err)
{
    lv_point point;
    LV_TRY(run_outputs(r, &point, &r->row, w, err));
    lv_showcase_run(&r->showcase, &point);
    if (r->monitor->outputs)
        lv_outputs_look(r->monitor->outputs, r->sim->model, r->outputs, &point);
    return LV_OK;
}

/* The same if there is no sink: multipliers are computed only if an output needs them. */
static lv_status look_at_outputs_alone(lv_recorder *r, const lv_watch *w, lv_error *err)
{
    if (r->outputs_need & LV_KIND(Y))
        LV_TRY(lv_monitor_multipliers(r->monitor, r->lambda, r->lost, &r->row, err));
    return look_at_outputs(r, w, err);
}

static void pick(double *to, const double *from, const int *list, int count)
{
    for (int k = 0; k < count; k++)
        to[k] = from[list[k]];
}

/* Copies the shown coordinates and multipliers, if some are hidden. */
static void copy_visible(lv_recorder *r)
{
    const lv_model *m = r->sim->model;
    const int seen = m->visible_coordinate_count, rows = m->visible_row_count;
    const double *const state[] = {r->row.q, r->row.v, r->row.p};
    for (int k = 0; r->visible && k < 3; k++)
        pick(r->visible + (ptrdiff_t)k * seen, state[k], m->visible_coordinates, seen);
    for (int k = 0; r->visible_rows && k < 3; k++)
        pick(r->visible_rows + (ptrdiff_t)k * rows,
             r->lambda + (ptrdiff_t)k * r->sim->system->constraint_count, m->visible_rows,
             rows);
}

/* Fills the channels for the state r->row and passes them to the sinks. */
static lv_status put_row(lv_recorder *r, const lv_watch *w, lv_error *err)
{
    assert(r->channels.count <= LV_MOST_CHANNELS);
    assert(r->sink_count <= LV_MOST_SINKS);
    const lv_state *row = &r->row;
    const double numbers[NUMBERS] = {
        row->t,     w->kinetic,         w->potential,
        w->energy,  w->position,        w->velocity,
        w->rolling, r->sim->iterations, r->monitor->legendre[0]};
    memcpy(r->numbers, numbers, sizeof numbers);
    if (r->sim->balance.count > 0)
        r->work[r->sim->balance.count] =
            lv_balance_rest(&r->sim->balance, w->energy, r->work);
    if (r->sim->system->constraint_count > 0)
        LV_TRY(lv_monitor_multipliers(r->monitor, r->lambda, r->lost, row, err));
    if (r->sim->scheme->multipliers)
        r->sim->scheme->multipliers(r->sim->work, &r->sim->state, r->own,
                                    r->own + r->sim->system->constraint_count);
    LV_TRY(look_at_outputs(r, w, err));
    copy_visible(r);
    for (int k = 0; k < r->sim->events.count; k++)
        r->happened[k] = lv_events_of(&r->sim->events, k)[LV_EVENT_COUNT];
    lv_selection_update(&r->recorded);
    for (int k = 0; k < r->sink_count; k++)
        LV_TRY(r->sinks[k]->row(r->sinks[k], err));
    r->rows++;
    return LV_OK;
}

bool lv_recorder_listens(const lv_recorder *r)
{
    return r->watched || r->sink_count > 0 || r->monitor->outputs ||
           r->showcase.quaternion_numbers > 0;
}

lv_status lv_recorder_row(lv_recorder *r, lv_error *err)
{
    const lv_state *state = &r->sim->state;
    if (!lv_recorder_listens(r))
        return LV_OK;
    lv_monitor_settle(r->monitor);
    memcpy(r->row.q, state->q, 3 * (size_t)r->sim->system->n * sizeof *state->q);
    r->row.t = state->t;
    if (r->sim->balance.count > 0)
        memcpy(r->work, r->sim->balance.work,
               (size_t)r->sim->balance.count * sizeof *r->work);
    return r->sink_count == 0 ? look_at_outputs_alone(r, &r->monitor->now, err)
                              : put_row(r, &r->monitor->now, err);
}

lv_status lv_recorder_sample(lv_recorder *r, double t, lv_error *err)
{
    lv_watch watch = {0};
    lv_state *row = &r->row;
    if (!lv_recorder_listens(r))
        return LV_OK;
    lv_monitor_settle(r->monitor);
    LV_TRY(lv_sim_sample(r->sim, t, LV_SAMPLE_INTEGRATED, row->q, row->v, row->p, err));
    row->t = t;
    if (r->sink_count > 0 || r->outputs_need & LV_KIND(E))
        lv_system_watch(r->sim->system, &watch, t, row->q, row->v, row->p);
    if (r->sink_count == 0)
        return look_at_outputs_alone(r, &watch, err);
    if (r->sim->balance.count > 0)
        LV_TRY(lv_sim_sample_work(r->sim, t, r->work, err));
    if (r->monitor->maps > 0)
        lv_system_momentum_maps(r->sim->system, r->monitor->numbers + r->monitor->count,
                                t, row->q, row->p);
    return put_row(r, &watch, err);
}

static void set_all(double *x, int count, double value)
{
    for (int k = 0; k < count; k++)
        x[k] = value;
}

const double *lv_recorder_outputs(lv_recorder *r)
{
    lv_state *state = &r->sim->state;
    lv_point point;
    if ((r->outputs_need | r->showcase.needs) & LV_KIND(Y) &&
        lv_sim_multipliers(r->sim, r->lambda, NULL) != LV_OK)
        set_all(r->lambda, r->sim->system->constraint_count, (double)NAN);
    if (run_outputs(r, &point, state, &r->monitor->now, NULL) != LV_OK) {
        set_all(r->a, r->sim->system->n, (double)NAN);
        lv_plan_run(r->outputs, &point);
    }
    lv_showcase_run(&r->showcase, &point);
    return lv_plan_result(r->outputs, LV_Q_OUTPUT);
}

lv_status lv_recorder_flush(lv_recorder *r, const lv_checkpoint *checkpoint,
                            lv_error *err)
{
    for (int k = 0; k < r->sink_count; k++)
        r->sinks[k]->kept = &r->kept[k];
    for (int k = 0; k < r->sink_count; k++)
        if (r->sinks[k]->flush)
            LV_TRY(r->sinks[k]->flush(r->sinks[k], checkpoint, err));
    return LV_OK;
}
