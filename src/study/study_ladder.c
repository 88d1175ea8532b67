/* Chooses the steps of a study: around the step of the run, then larger and smaller ones
 * as long as they are informative. Every wave of runs depends on the results of earlier
 * runs, never on times, so that it is the same for any number of threads. */
#include "study/study.h"

#include "study/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Largest number of runs of a method. */
enum { RUNS_MOST = 24 };

/* The smallest step is this fraction of the step of the run. */
enum { FINER_MOST = 64 };

/* Larger relative errors tell nothing about the order. */
static const double largest_error = 0.1;

/* ---- the next steps --------------------------------------------------------------------------- */

/* The number of steps in a quarter, `times` that of the run. */
static long long part_at(const lv_studier *s, double times)
{
    const long long part = llround((double)s->part * times);
    return part < 1 ? 1 : part;
}

static long long part_of(const lv_studier *s, const lv_study_run *run)
{
    return run->steps / s->marks.count;
}

static bool is_known(const lv_studier *s, int method, long long part)
{
    const lv_study_entry *e = &s->entries.data[method];
    for (int k = 0; k < e->runs.count; k++)
        if (part_of(s, &e->runs.data[k]) == part)
            return true;
    for (int k = 0; k < s->tasks.count; k++)
        if (s->tasks.data[k].method == method && s->tasks.data[k].part == part)
            return true;
    return false;
}

static bool propose(lv_studier *s, int method, long long part)
{
    const lv_study_task task = {.method = method, .part = part};
    if (part < 1 || is_known(s, method, part) ||
        s->entries.data[method].runs.count >= RUNS_MOST)
        return true;
    return LV_PUSH(s->tasks, task);
}

/* Proposes the steps that the caller gave, made a little smaller if necessary. */
static bool propose_given(lv_studier *s, int method)
{
    const lv_study_request *r = s->request;
    for (int k = 0; k < r->step_count; k++) {
        const double exact = s->marks.span / s->marks.count / r->steps[k];
        if (!propose(s, method, (long long)ceil(exact - 1e-9)))
            return false;
    }
    return true;
}

/* The ratio of one step to the next smaller one. For high orders, few step sizes have
 * errors between the visible and rounding. */
static double reach(const lv_study_entry *e)
{
    return e->view.order > 4 ? sqrt(2) : 2;
}

/* Proposes four times the step of the run, and three smaller ones. */
static bool propose_first(lv_studier *s, int method)
{
    enum { FIRST = 4 };
    if (s->request->step_count > 0)
        return propose_given(s, method);
    const double factor = reach(&s->entries.data[method]);
    for (int k = 0; k < FIRST; k++)
        if (!propose(s, method, part_at(s, 0.25 * pow(factor, k))))
            return false;
    return true;
}

static double largest_tolerance(const lv_studier *s)
{
    double most = 0;
    for (int k = 0; k < s->tolerance_count; k++)
        most = fmax(most, s->tolerances[k]);
    return most;
}

/* Whether smaller steps will reach a tolerance that the last run has not reached. */
static bool has_goal(const lv_studier *s, const lv_study_entry *e,
                     const lv_study_run *last)
{
    const double most =
        fmin((double)s->finest, (double)FINER_MOST * (double)(s->part * s->marks.count));
    const double shrink = pow((double)last->steps / most, e->view.order);
    for (int k = 0; k < s->tolerance_count; k++) {
        const double t = fmax(s->tolerances[k], s->view.reference.floor);
        if (last->error > 0.8 * t && last->error * shrink < 0.5 * t)
            return true;
    }
    return false;
}

static bool counts(const lv_studier *s, const lv_study_entry *e, const lv_study_run *run)
{
    const double floor =
        e->claims.energy == LV_KEPT_EXACT ? fmax(4e-11, s->order_floor) : s->order_floor;
    return run->status == LV_OK && run->error > floor && run->error < largest_error;
}

/* Collects the errors that count for an order, the largest step first. */
static void collect_errors(const lv_studier *s, const lv_study_entry *e,
                           lv_convergence *c)
{
    int all = 0, seen = 0;
    for (int k = 0; k < e->runs.count; k++)
        all += counts(s, e, &e->runs.data[k]);
    *c = (lv_convergence){.span = s->marks.span};
    for (int k = 0; k < e->runs.count; k++) {
        const lv_study_run *run = &e->runs.data[k];
        if (!counts(s, e, run) || all - seen++ > LV_CONVERGENCE_MOST)
            continue;
        c->step[c->count] = run->step;
        c->error[c->count++] = run->error;
    }
}

/* Drops errors that no longer shrink: they are rounding, which the motion has
 * amplified. */
static void drop_rounding(lv_convergence *c, int order)
{
    const double small = 1e-5;
    while (c->count >= 2 && c->error[c->count - 2] < small) {
        const int last = c->count - 2;
        const double slope = log(c->error[last] / c->error[last + 1]) /
                             log(c->step[last] / c->step[last + 1]);
        if (slope >= 0.5 * order)
            break;
        c->count--;
    }
}

/* The order over the last factor of two in the step. Returns whether the order is
 * reached: the last two slopes agree. */
static bool judge_order(const lv_studier *s, const lv_study_entry *e, double *observed)
{
    lv_convergence c;
    collect_errors(s, e, &c);
    drop_rounding(&c, e->view.order);
    const int last = c.count - 2;
    *observed = (double)NAN;
    if (c.count < 3)
        return false;
    const lv_order_outcome outcome = lv_order_judge(&c, e->view.order, c.step[last - 1]);
    const bool wide = c.step[last] > 1.9 * c.step[last + 1];
    /* slopes over a small ratio of steps are noisier */
    const double steady = wide ? 0.1 : 0.2;
    *observed = wide ? c.order[last] : c.observed;
    return outcome == LV_ORDER_SEEN && *observed > e->view.order - 0.15 &&
           fabs(c.order[last] - c.order[last - 1]) < steady;
}

static bool wants_finer(const lv_studier *s, const lv_study_entry *e)
{
    const lv_study_run *last = &e->runs.data[e->runs.count - 1];
    double observed;
    if (last->status != LV_OK || last->error >= largest_error || has_goal(s, e, last))
        return true;
    return counts(s, e, last) && !judge_order(s, e, &observed);
}

/* Larger steps are not worth a run if they need more Newton passes in total than twice as
 * many smaller ones. */
static bool wants_coarser(const lv_studier *s, const lv_study_entry *e)
{
    const lv_study_run *first = &e->runs.data[0], *second = first + 1;
    if (first->status != LV_OK || first->error > largest_tolerance(s))
        return false;
    return e->runs.count < 2 ||
           first->iterations * (double)first->steps <
               0.9 * second->iterations * (double)second->steps ||
           second->iterations == 0;
}

static bool propose_next(lv_studier *s, int method)
{
    const lv_study_entry *e = &s->entries.data[method];
    if (s->request->step_count > 0 || e->runs.count == 0)
        return true;
    const long long fine =
        llround(reach(e) * (double)part_of(s, &e->runs.data[e->runs.count - 1]));
    if (fine * s->marks.count <= s->finest && fine <= FINER_MOST * s->part &&
        wants_finer(s, e) && !propose(s, method, fine))
        return false;
    const long long coarse = part_of(s, &e->runs.data[0]) / 2;
    return !wants_coarser(s, e) || propose(s, method, coarse);
}

/* ---- waves ------------------------------------------------------------------------------------------ */

/* Runs all tasks of the wave on all threads. */
static void run_wave(lv_studier *s)
{
    const int count = s->tasks.count;
#ifdef _OPENMP
#pragma omp parallel for num_threads(s->view.threads) schedule(dynamic, 1)
#endif
    for (int k = count - 1; k >= 0; k--) { /* the longest runs come first */
        lv_study_task *task = &s->tasks.data[k];
        task->dropped = !lv_studier_go_on(s, 0, 0);
        if (task->dropped)
            continue;
        lv_studier_run(s, task);
        (void)lv_studier_go_on(s, 1, task->run.status != LV_OK);
    }
}

static int compare_runs(const void *a, const void *b)
{
    const lv_study_run *x = a, *y = b;
    return (x->steps > y->steps) - (x->steps < y->steps);
}

static lv_status take_over(lv_studier *s, lv_error *err)
{
    for (int k = 0; k < s->tasks.count; k++) {
        lv_study_task *task = &s->tasks.data[k];
        lv_study_entry *e = &s->entries.data[task->method];
        if (task->status == LV_ERR_MEMORY)
            return lv_fail_memory(err);
        if (task->dropped)
            continue;
        if (task->run.status != LV_OK) {
            task->run.message = lv_studier_text(s, task->message, err);
            if (!task->run.message)
                return LV_ERR_MEMORY;
            s->view.failed++;
        }
        if (!LV_PUSH(e->runs, task->run))
            return lv_fail_memory(err);
    }
    for (int k = 0; k < s->entries.count; k++) {
        lv_study_entry *e = &s->entries.data[k];
        if (e->runs.count > 0)
            qsort(e->runs.data, (size_t)e->runs.count, sizeof *e->runs.data,
                  compare_runs);
    }
    s->tasks.count = 0;
    return LV_OK;
}

static int compare_tasks(const void *a, const void *b)
{
    const lv_study_task *x = a, *y = b;
    return x->part != y->part ? (x->part > y->part) - (x->part < y->part)
                              : x->method - y->method;
}

lv_status lv_studier_climb(lv_studier *s, lv_error *err)
{
    for (int wave = 0; !s->stop; wave++) {
        for (int k = 0; k < s->entries.count; k++)
            if (!(wave == 0 ? propose_first : propose_next)(s, k))
                return lv_fail_memory(err);
        if (s->tasks.count == 0)
            break;
        s->known += s->tasks.count;
        qsort(s->tasks.data, (size_t)s->tasks.count, sizeof *s->tasks.data,
              compare_tasks);
        run_wave(s);
        LV_TRY(take_over(s, err));
    }
    for (int k = 0; k < s->entries.count; k++) {
        lv_study_entry *e = &s->entries.data[k];
        e->view.asymptotic = judge_order(s, e, &e->view.observed);
    }
    return LV_OK;
}
