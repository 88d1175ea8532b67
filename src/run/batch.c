#include "run/batch.h"

#include "model/footprint.h"
#include "run/run_private.h"
#include "stepper/lanes.h"
#include "system/watch_lanes.h"

#include <limits.h>

static void drop_lanes(lv_batch *b)
{
    lv_lanes_free(b->lanes);
    lv_watch_lanes_free(b->watch);
    b->lanes = NULL;
    b->watch = NULL;
}

void lv_batch_done(lv_batch *b)
{
    drop_lanes(b);
    for (int k = 0; k < LV_BATCH_RUNS; k++) {
        lv_sim_free(b->used[k]);
        b->used[k] = NULL;
    }
}

/* ---- members that come and go ------------------------------------------------------ */

/* Takes the simulation that an earlier run has left in a place. Returns it, renewed for
 * this model, or frees it and returns NULL. */
static lv_sim *use_again(lv_batch *b, int place, const lv_model *model,
                         const lv_run_request *request)
{
    lv_sim *sim = b->used[place];
    lv_sim_options options = request->sim;
    options.dense = request->sample > 0;
    b->used[place] = NULL;
    if (sim && lv_sim_renew(sim, model, &options)) {
        b->renewed++;
        return sim;
    }
    lv_sim_free(sim);
    return NULL;
}

/* Begins a run with that simulation; *run is NULL if it cannot be reused. */
static lv_status begin_again(lv_batch *b, int place, lv_running **run,
                             const lv_model *model, const lv_run_request *request,
                             const lv_tap *tap, lv_error *err)
{
    lv_sim *used = use_again(b, place, model, request);
    lv_run_request own = *request;
    *run = NULL;
    if (!used)
        return LV_OK;
    own.sim.scheme = used->scheme->info.name;
    return lv_run_begin_with(run, used->model, used, &own, tap, err);
}

static lv_status begin(lv_batch *b, int place, lv_running **run, lv_model *model,
                       const lv_run_request *request, const lv_tap *tap, lv_error *err)
{
    lv_status status = begin_again(b, place, run, model, request, tap, err);
    if (status != LV_OK || *run) {
        lv_model_free(model);
        return status;
    }
    status = lv_run_begin_with(run, model, NULL, request, tap, err);
    if (status == LV_OK)
        (*run)->sim->own_model = model;
    else
        lv_model_free(model);
    return status;
}

static int free_place(const lv_batch *b)
{
    int k = 0;
    while (k < LV_BATCH_RUNS - 1 && b->place[k].run)
        k++;
    return k;
}

/* Whether nothing happens before a step that steps in lanes do not know of. */
static bool is_undisturbed(const lv_running *r)
{
    return r->request.table_count == 0 && !r->request.before_step;
}

/* renewed: the run has the simulation of the run before it in this place. Then it fits the
 * lanes if that one did. */
static int occupy(lv_batch *b, int place, lv_running *run, bool renewed)
{
    lv_batch_run *p = &b->place[place];
    *p = (lv_batch_run){.run = run,
                        .judged = p->judged && renewed && is_undisturbed(run),
                        .fits = p->fits,
                        .watches = p->watches && run->monitor.comparer};
    lv_error_clear(&p->error);
    return place;
}

lv_status lv_batch_add(lv_batch *b, int *place, lv_model *model,
                       const lv_run_request *request, const lv_tap *tap, lv_error *err)
{
    lv_running *run = NULL;
    const int k = free_place(b);
    const long long renewed = b->renewed;
    LV_TRY(begin(b, k, &run, model, request, tap, err));
    *place = occupy(b, k, run, b->renewed > renewed);
    return LV_OK;
}

bool lv_batch_has_used(const lv_batch *b)
{
    return b->used[free_place(b)] != NULL;
}

lv_status lv_batch_add_again(lv_batch *b, int *place, const lv_model *model,
                             const lv_run_request *request, const lv_tap *tap,
                             lv_error *err)
{
    lv_running *run = NULL;
    const int k = free_place(b);
    *place = -1;
    LV_TRY(begin_again(b, k, &run, model, request, tap, err));
    if (run)
        *place = occupy(b, k, run, true);
    return LV_OK;
}

bool lv_batch_is_over(const lv_batch *b, int place)
{
    const lv_batch_run *p = &b->place[place];
    return p->status != LV_OK || p->run->done >= p->run->total ||
           lv_sim_stopped(p->run->sim) >= 0 || p->run->view.interrupted;
}

double lv_batch_share(const lv_batch *b, int place)
{
    const lv_running *r = b->place[place].run;
    return r->total > 0 ? (double)r->done / (double)r->total : 1;
}

/* Gives the simulation and the monitor of a run in a lane what is known of its last
 * steps. examined: the monitor has seen the last one of them, in the lane. */
static void tell_run(lv_batch *b, int place, bool examined)
{
    lv_batch_run *p = &b->place[place];
    const lv_lane_count count = lv_lanes_take_count(b->lanes, place);
    if (count.steps > 0)
        p->run->sim->iterations = count.last;
    if (!p->watches)
        return;
    lv_watch_lanes_leave(b->watch, place, p->run->monitor.comparer);
    lv_monitor_follow(&p->run->monitor, count.steps - !examined,
                      count.passes - (examined ? 0 : count.last), count.most);
}

static void leave(lv_batch *b, int place)
{
    lv_batch_run *p = &b->place[place];
    if (!p->in_lane)
        return;
    tell_run(b, place, true);
    lv_lanes_leave(b->lanes, place, &p->run->sim->state);
    p->in_lane = false;
}

lv_status lv_batch_remove(lv_batch *b, int place, lv_run_summary **summary, lv_error *err)
{
    lv_batch_run *p = &b->place[place];
    lv_running *r = p->run;
    leave(b, place);
    r->view.interrupted = r->view.interrupted || !lv_batch_is_over(b, place);
    if (p->status != LV_OK)
        *err = p->error;
    lv_status status = lv_model_settle(r->model, lv_run_conclude(r, p->status, err), err);
    r->view.status = status;
    *summary = &r->view;
    if (status == LV_OK) {
        b->used[place] = r->sim;
        r->sim = NULL;
    }
    p->run = NULL;
    p->status = LV_OK;
    return status;
}

/* ---- lanes ------------------------------------------------------------------------- */

/* Whether a step consists of a step of its stepper and nothing else. */
static bool is_plain(const lv_sim *sim)
{
    return sim->scheme->stepper && sim->weight_count == 1 && !sim->dense &&
           sim->balance.count == 0 && sim->events.count == 0 && !sim->scheme->invariant;
}

static bool has_lanes_in_use(const lv_batch *b)
{
    for (int k = 0; k < LV_BATCH_RUNS; k++)
        if (b->place[k].in_lane)
            return true;
    return false;
}

/* Whether the steps of a run can be taken in the lanes of the batch. Lanes are made for
 * the first such run, and made again for other runs when none are in use. If memory is
 * short there are no lanes. */
static bool fits(lv_batch *b, const lv_running *r)
{
    const lv_sim *sim = r->sim;
    const bool plain = is_plain(sim) && is_undisturbed(r);
    const lv_stepper *stepper = plain ? sim->scheme->stepper(sim->work) : NULL;
    if (!stepper)
        return false;
    if (b->lanes && lv_lanes_fit(b->lanes, stepper))
        return true;
    if (b->lanes && has_lanes_in_use(b))
        return false;
    if (b->lanes) {
        drop_lanes(b);
        for (int k = 0; k < LV_BATCH_RUNS; k++)
            b->place[k].judged = false;
    }
    const lv_watch_program *comparer = r->monitor.comparer;
    return lv_lanes_create(&b->lanes, stepper, NULL) == LV_OK && b->lanes &&
           (!comparer || lv_watch_lanes_create(&b->watch, comparer, NULL) == LV_OK);
}

static long long smaller(long long a, long long b)
{
    return a < b ? a : b;
}

/* The next step, counted like sim->steps, after which a row is recorded. */
static long long next_recorded(const lv_running *r)
{
    const long long every = r->request.every > 0 ? r->request.every : 1;
    return r->sim->steps + every - r->done % every;
}

/* The next step that is not taken in a lane: the last one, or one after which the
 * monitor or the recorder needs the memory of the stepper. */
static long long next_alone(const lv_running *r)
{
    const long long last = r->sim->steps + r->total - r->done;
    const long long next = smaller(last, lv_monitor_next_alone(&r->monitor));
    return r->sim->scheme->multipliers ? smaller(next, next_recorded(r)) : next;
}

/* The next step after which there is more to do than monitors do in lanes. */
static long long next_due(const lv_running *r)
{
    return smaller(lv_monitor_next_due(&r->monitor), next_recorded(r));
}

static void try_lane(lv_batch *b, int place)
{
    lv_batch_run *p = &b->place[place];
    lv_sim *sim = p->run->sim;
    if (sim->steps == 0)
        return;
    p->alone = next_alone(p->run);
    p->due = next_due(p->run);
    if (p->alone <= sim->steps + 1)
        return;
    if (!p->judged) {
        p->fits = fits(b, p->run);
        p->watches = p->fits && b->watch && p->run->monitor.comparer &&
                     lv_watch_lanes_fit(b->watch, p->run->monitor.comparer);
        p->judged = true;
    }
    p->in_lane =
        p->fits && lv_lanes_enter(b->lanes, place, sim->scheme->stepper(sim->work),
                                  &sim->state, sim->h);
    if (p->in_lane && p->watches)
        lv_watch_lanes_enter(b->watch, place, p->run->monitor.comparer);
}

/* Updates a simulation after steps in its lane, as lv_sim_step does. */
static void follow(lv_running *r, long long steps)
{
    lv_sim *sim = r->sim;
    sim->stagnated = false;
    sim->turned = (lv_turned){0};
    sim->last_h = sim->h;
    sim->steps += steps;
    sim->state.t = sim->start_time + (double)sim->steps * sim->h;
    r->done += steps;
}

/* Lets the monitor of a run look for itself, and records a row if one is due. */
static lv_status look(lv_batch *b, int place, lv_error *err)
{
    lv_batch_run *p = &b->place[place];
    tell_run(b, place, false);
    lv_lanes_state(b->lanes, place, &p->run->sim->state);
    lv_sim_note_turns(p->run->sim, p->run->sim->h);
    const lv_status status = lv_run_look(p->run, err);
    p->due = next_due(p->run);
    if (p->watches)
        lv_watch_lanes_enter(b->watch, place, p->run->monitor.comparer);
    return status;
}

/* Whether a run has bodies whose axes are coordinates. */
static bool has_axes(const lv_batch *b)
{
    bool any = false;
    for (int k = 0; k < LV_LANES; k++)
        any = any || (b->place[k].run && b->place[k].run->sim->axes.count > 0);
    return any;
}

/* Marks runs as unusual in whose last step, in a lane, a body turned doubtfully far, and
 * further than before. Returns whether there are none. */
static bool turn_little(const lv_batch *b, const double *v, bool unusual[LV_LANES])
{
    bool little = true;
    for (int k = 0; k < LV_LANES; k++) {
        const lv_running *r = b->place[k].run;
        if (!r || !b->place[k].in_lane || r->sim->axes.count == 0)
            continue;
        const lv_turned now =
            lv_body_axes_turned(&r->sim->axes, v + k, LV_LANES, r->sim->h);
        if (now.angle > r->monitor.turned[LV_TURNED_ANGLE])
            unusual[k] = true;
        little = little && !unusual[k];
    }
    return little;
}

/* Does for steps in lanes what lv_run_step does after a step. A monitor that looks for
 * itself may look at a node which was compared in its lane before: that changes
 * nothing. */
static void look_together(lv_batch *b, const bool made[LV_LANES])
{
    bool alone[LV_LANES], unusual[LV_LANES] = {false}, any = false;
    double t[LV_LANES] = {0};
    for (int k = 0; k < LV_LANES; k++) {
        lv_batch_run *p = &b->place[k];
        if (made[k])
            follow(p->run, 1);
        alone[k] = made[k] && !(p->watches && p->run->sim->steps < p->due);
        any = any || (made[k] && !alone[k]);
        t[k] = p->run ? p->run->sim->state.t : 0;
        b->together += made[k];
    }
    if (any) {
        const lv_state x = lv_lanes_states(b->lanes);
        (void)lv_watch_lanes_compare(b->watch, t, x.q, x.v, x.p, unusual);
        (void)turn_little(b, x.v, unusual);
    }
    for (int k = 0; k < LV_LANES; k++)
        if (alone[k] || (made[k] && unusual[k]))
            b->place[k].status = look(b, k, &b->place[k].error);
}

/* ---- steps ------------------------------------------------------------------------- */

static void make_steps(lv_batch *b, bool made[LV_LANES])
{
    double t[LV_LANES] = {0};
    bool any = false;
    for (int k = 0; k < LV_BATCH_RUNS; k++) {
        lv_batch_run *p = &b->place[k];
        made[k] = false;
        if (!p->run || lv_batch_is_over(b, k))
            continue;
        if (p->in_lane && p->run->sim->steps + 1 >= p->alone)
            leave(b, k);
        else if (!p->in_lane)
            try_lane(b, k);
        t[k] = p->run->sim->state.t;
        any = any || p->in_lane;
    }
    if (any)
        (void)lv_lanes_step(b->lanes, t, made);
}

static void step_alone(lv_batch_run *p)
{
    p->status = lv_run_step(p->run, &p->error);
    if (p->status != LV_OK) /* before another run allocates memory */
        p->status = lv_model_settle(p->run->model, p->status, &p->error);
}

/* Takes a step of a run that is not taken in its lane, and more until it is in one. Its
 * numbers are in the cache of the processor meanwhile, those of the other runs are not.
 * Steps of runs that never enter a lane may take long, and callers want to stop. */
static void advance_alone(lv_batch *b, int place)
{
    lv_batch_run *p = &b->place[place];
    const int most = p->judged && !p->fits ? 1 : LV_BATCH_IN_A_ROW;
    leave(b, place);
    for (int k = 0; k < most && !p->in_lane; k++) {
        step_alone(p);
        if (lv_batch_is_over(b, place))
            return;
        try_lane(b, place);
    }
}

/* Completes steps in lanes, and advances all other runs. */
static void complete(lv_batch *b, const bool made[LV_LANES])
{
    look_together(b, made);
    for (int k = 0; k < LV_BATCH_RUNS; k++) {
        if (!b->place[k].run)
            continue;
        if (!made[k] && !lv_batch_is_over(b, k))
            advance_alone(b, k);
        if (lv_batch_is_over(b, k))
            leave(b, k);
    }
}

static void advance_by_one(lv_batch *b)
{
    bool made[LV_LANES];
    make_steps(b, made);
    complete(b, made);
}

/* ---- steps that are all taken in lanes --------------------------------------------- */

/* The number of steps that can be taken in lanes before a run must do something alone; 0
 * if a run, or its monitor, is not in a lane. */
static long long count_calm(const lv_batch *b)
{
    long long calm = LLONG_MAX;
    bool any = false;
    for (int k = 0; k < LV_BATCH_RUNS; k++) {
        const lv_batch_run *p = &b->place[k];
        if (!p->run)
            continue;
        if (!p->in_lane || !p->watches)
            return 0;
        calm = smaller(calm, smaller(p->alone, p->due) - 1 - p->run->sim->steps);
        any = true;
    }
    return any ? calm : 0;
}

/* Updates all runs after this number of steps in lanes. */
static void count_steps(lv_batch *b, long long steps)
{
    for (int k = 0; k < LV_BATCH_RUNS && steps > 0; k++)
        if (b->place[k].run) {
            follow(b->place[k].run, steps);
            b->together += steps;
        }
}

typedef struct times {
    double start[LV_LANES], h[LV_LANES], steps[LV_LANES], t[LV_LANES];
} times;

static times read_times(const lv_batch *b)
{
    times x = {{0}, {0}, {0}, {0}};
    for (int k = 0; k < LV_LANES; k++) {
        const lv_running *r = b->place[k].run;
        if (!r)
            continue;
        x.start[k] = r->sim->start_time;
        x.h[k] = r->sim->h;
        x.steps[k] = (double)r->sim->steps;
        x.t[k] = r->sim->state.t;
    }
    return x;
}

static void advance_times(times *x)
{
    for (int l = 0; l < LV_LANES; l++) {
        x->steps[l] += 1;
        x->t[l] = x->start[l] + x->steps[l] * x->h[l];
    }
}

/* Takes at most this number of steps in lanes, until a lane or a monitor needs its run.
 * *made: how many were taken. */
static void advance_calmly(lv_batch *b, long long most, long long *made)
{
    bool taken[LV_LANES], unusual[LV_LANES] = {false}, calm = true;
    times x = read_times(b);
    const bool axes = has_axes(b);
    const lv_state at = lv_lanes_states(b->lanes);
    for (*made = 0; calm && *made < most; (*made)++) {
        if (!lv_lanes_step(b->lanes, x.t, taken)) {
            count_steps(b, (*made)++);
            complete(b, taken);
            return;
        }
        advance_times(&x);
        calm = lv_watch_lanes_compare(b->watch, x.t, at.q, at.v, at.p, unusual);
        if (axes)
            calm = turn_little(b, at.v, unusual) && calm;
    }
    count_steps(b, *made);
    for (int k = 0; k < LV_LANES; k++)
        if (unusual[k])
            b->place[k].status = look(b, k, &b->place[k].error);
}

/* Whether there are runs, and none of them has ended. */
static bool is_going(const lv_batch *b)
{
    bool any = false;
    for (int k = 0; k < LV_BATCH_RUNS; k++) {
        if (!b->place[k].run)
            continue;
        if (lv_batch_is_over(b, k))
            return false;
        any = true;
    }
    return any;
}

long long lv_batch_advance(lv_batch *b, long long steps)
{
    long long left = steps;
    while (left > 0 && is_going(b)) {
        const long long calm = count_calm(b), most = calm < left ? calm : left;
        long long made = 1;
        if (most > 0)
            advance_calmly(b, most, &made);
        else
            advance_by_one(b);
        left -= made;
    }
    return steps - left;
}
