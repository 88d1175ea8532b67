/* The structure certificate of a model, a scheme and a step: measurements of what the
 * scheme promises.
 *
 * Promises are those of the descriptor (lv_claims), as far as they apply to the system: a
 * flow with forces is not symplectic, and energy is kept only if nothing does work. */
#include "study/verify.h"

#include "base/clock.h"
#include "base/text.h"
#include "base/usage.h"
#include "expr/kink.h"
#include "model/footprint.h"
#include "model/model.h"
#include "num/extent.h"
#include "run/run.h"
#include "study/order.h"
#include "study/two_form.h"
#include "system/frequency.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- names ---------------------------------------------------------------------------------------- */

const char *lv_property_name(lv_property property)
{
#define LV_X(id, name) name,
    static const char *const names[] = {LV_PROPERTY_LIST(LV_X)};
#undef LV_X
    return property >= 0 && property < LV_PROPERTIES ? names[property] : NULL;
}

const char *lv_finding_verdict_name(lv_finding_verdict verdict)
{
    static const char *const names[] = {"kept", "broken", "not promised", "open"};
    return verdict >= 0 && verdict <= LV_FINDING_OPEN ? names[verdict] : NULL;
}

/* ---- findings ------------------------------------------------------------------------------------- */

static const lv_scheme *replacement;

void lv_verify_replace(const lv_scheme *scheme)
{
    replacement = scheme;
}

lv_status lv_verifier_take(lv_sim *sim, lv_feeds *feeds, long long count, lv_error *err)
{
    for (long long k = 0; k < count; k++) {
        LV_TRY(lv_feeds_apply(feeds, sim, sim->h, err));
        LV_TRY(lv_sim_step(sim, err));
    }
    return LV_OK;
}

lv_status lv_verifier_sim(const lv_verifier *v, lv_feeds *feeds, lv_sim **sim,
                          lv_error *err)
{
    LV_TRY(lv_sim_create(sim, v->model, &v->options, err));
    (*sim)->events.off = true;
    if (replacement) {
        lv_claims claims = {0};
        replacement->claims(replacement, &claims, &(*sim)->options);
        (*sim)->scheme = replacement;
        (*sim)->order = claims.order;
    }
    return lv_feeds_apply(feeds, *sim, (*sim)->h, err);
}

/* 200 steps, or fewer if these would take more than a fifth of a second. */
long long lv_verifier_few_steps(const lv_verifier *v)
{
    const double most = v->seconds_per_step > 0 ? 0.2 / v->seconds_per_step : 200;
    return most < 10 ? 10 : most > 200 ? 200 : (long long)most;
}

/* Large systems get fewer steps. */
long long lv_verifier_most_steps(const lv_verifier *v)
{
    const long long most =
        400000 / (v->sim->system->n + v->sim->system->constraint_count + 10);
    return most < 200 ? 200 : most;
}

/* ---- the order ------------------------------------------------------------------------------------- */

/* "0.05, 0.025, 0.0125" */
static void add_numbers(lv_text *text, const double *x, int count, int digits)
{
    for (int k = 0; k < count; k++)
        lv_text_append(text, "%s%.*g", k > 0 ? ", " : "", digits, x[k]);
}

/* The first of the errors that are shown: three from where the order is seen or, if it is
 * not, the last three. */
static int shown_from(const lv_convergence *c)
{
    const int last = c->count > 3 ? c->count - 3 : 0;
    for (int k = 0; k < last; k++)
        if (c->step[k] == c->asymptotic_step)
            return k;
    return last;
}

static void describe_errors(lv_text *text, const lv_verifier *v,
                            const lv_order_found *found)
{
    const lv_convergence *c = &found->convergence;
    const int from = shown_from(c), count = c->count < 3 ? c->count : 3;
    if (count == 0)
        return;
    lv_text_append(text, "errors ");
    add_numbers(text, c->error + from, count, 2);
    lv_text_append(text, " with steps ");
    add_numbers(text, c->step + from, count, 4);
    lv_text_append(text, " up to t = %.4g", c->span);
    if (c->span < v->view.until - v->view.step)
        lv_text_append(text, " of %.4g", v->view.until);
    if (found->shortened && found->outcome == LV_ORDER_SEEN)
        lv_text_append(text, ": later the motion is too sensitive to them");
}

/* Whether a formula that moves the system contains a decision, such as a conditional. */
static bool has_kinks(const lv_model *model)
{
    bool any = false;
    for (int k = 0; k < model->kernels.count && !any; k++) {
        const lv_kernel *kernel = &model->kernels.data[k];
        if (kernel->role < LV_ROLE_SYMMETRY &&
            lv_kink_any(kernel->graph, &any, kernel->rows, kernel->row_count, NULL) !=
                LV_OK)
            return false;
    }
    return any;
}

/* A reason why an order that is not seen does not count as a broken promise; NULL: there
 * is none. */
static const char *excuse(const lv_verifier *v, const lv_convergence *c)
{
    const lv_state *x = &v->sim->state;
    double rate = 0;
    if (has_kinks(v->model))
        return "formulas have kinks, where no order is to be expected";
    if (c->count > 0 &&
        lv_system_fastest(v->sim->system, &rate, x->t, x->q, x->v, NULL) == LV_OK &&
        rate * c->step[c->count - 1] > 0.5)
        return "even the smallest of these steps does not resolve the fastest rate of "
               "the "
               "system";
    return NULL;
}

static void conclude_order(lv_verifier *v, const lv_order_found *found, lv_finding f)
{
    const lv_convergence *c = &v->view.convergence;
    const char *why = excuse(v, c);
    lv_text text = {0};
    describe_errors(&text, v, found);
    switch (found->outcome) {
    case LV_ORDER_SEEN:
        f.verdict = LV_FINDING_KEPT;
        break;
    case LV_ORDER_LATER:
        lv_text_append(&text,
                       "; the step %.4g is too large for its error to follow the order",
                       v->view.step);
        break;
    case LV_ORDER_MISSED:
        f.verdict = why ? LV_FINDING_OPEN : LV_FINDING_BROKEN;
        lv_text_append(&text, "; %s", why ? why : "smaller steps do not reach the order");
        break;
    case LV_ORDER_NOT_YET:
        lv_text_append(&text, "; %s",
                       why ? why
                           : "errors do not shrink steadily: the steps are too large");
        break;
    case LV_ORDER_ROUNDING:
        lv_text_append(&text, "%serrors are %s", c->count > 0 ? "; other " : "",
                       v->steps < 8 ? "rounding, or steps are too few" : "rounding");
        break;
    case LV_ORDER_EXACT:
        f.verdict = LV_FINDING_KEPT;
        lv_text_append(&text, "errors are rounding, also with much larger steps");
        break;
    case LV_ORDER_NO_REFERENCE:
        lv_text_append(&text, "no reference: extrapolation does not converge with these "
                              "steps; is the step too large?");
        break;
    }
    if (v->feeds.count > 0)
        lv_text_append(&text, "; inputs as at the start");
    v->findings.failed = v->findings.failed || text.failed;
    lv_findings_add(&v->findings, f, "%s", text.data ? text.data : "");
    lv_text_done(&text);
}

/* Reduces the number of steps if they take long. Only models that are clearly too slow
 * depend on the clock. */
static void limit_effort(lv_order_request *r, double seconds_per_step)
{
    if ((double)r->finest_steps * seconds_per_step < 40)
        return;
    while (r->finest_steps > 64 && (double)r->finest_steps * seconds_per_step > 1) {
        r->finest_steps /= 2;
        r->most_steps = r->most_steps > 8 ? r->most_steps / 2 : 8;
    }
}

static lv_status verify_order(lv_verifier *v, lv_error *err)
{
    lv_order_found found;
    char promise[24];
    const int order = v->view.order;
    const long long size = v->sim->system->n + v->sim->system->constraint_count;
    const long long finest = 400000 / (size + 10), most = finest / 64;
    lv_order_request request = {.start = v->start,
                                .order = order,
                                .exact_energy = v->claims.energy == LV_KEPT_EXACT,
                                .steps = v->steps,
                                .most_steps = most < 8     ? 8
                                              : most > 256 ? 256
                                                           : most,
                                .finest_steps = finest < 64 ? 64 : finest};
    limit_effort(&request, v->seconds_per_step);
    LV_TRY(lv_order_measure(&found, v->sim, &request, err));
    v->view.convergence = found.convergence;
    (void)snprintf(promise, sizeof promise, "%d", order);
    conclude_order(
        v, &found,
        (lv_finding){.property = LV_PROPERTY_ORDER,
                     .promise = lv_arena_text(&v->arena, promise, strlen(promise)),
                     .measured = found.convergence.observed,
                     .noise = (double)NAN,
                     .bound = order - lv_order_slack(order),
                     .verdict = LV_FINDING_OPEN});
    return LV_OK;
}

/* ---- single steps ------------------------------------------------------------------------------------ */

/* Sets the simulation to its start, and takes some steps. */
static lv_status go_to_step(lv_verifier *v, long long steps, lv_error *err)
{
    lv_sim_read_numbers(v->sim, v->start);
    return lv_verifier_take(v->sim, &v->feeds, steps, err);
}

/* Two states are examined: one near the start, and a later one. */
enum { PLACES = 2 };

static long long step_to_examine(const lv_verifier *v, int k)
{
    const long long early = v->steps < 8 ? 0 : 3;
    const long long few = lv_verifier_few_steps(v) / 2;
    const long long late = v->watched / 2 < few ? v->watched / 2 : few;
    return k == 0 || late < early ? early : late;
}

/* Whether the system has a symplectic flow. */
static bool is_hamiltonian(const lv_system *s)
{
    return !s->forced && !s->has_nonholonomic;
}

/* The largest system whose derivatives are computed, because of the size of their
 * matrices. */
enum { MOST_EXACT = 150 };

static lv_status measure_exact(lv_verifier *v, double *defect, lv_error *err)
{
    *defect = 0;
    for (int k = 0; k < PLACES; k++) {
        double here = (double)NAN;
        LV_TRY(go_to_step(v, step_to_examine(v, k), err));
        LV_TRY(lv_two_form_exact(v->sim, &here, err));
        *defect = *defect >= here || isnan(*defect) ? *defect : here;
    }
    return LV_OK;
}

/* Uses differences with two spreads; the difference between both is the noise. */
static lv_status measure_differences(lv_verifier *v, double *defect, double *noise,
                                     lv_error *err)
{
    const lv_state *x = &v->sim->state;
    const int n = v->sim->system->n;
    double two[2];
    for (int k = 0; k < 2; k++) {
        LV_TRY(go_to_step(v, step_to_examine(v, 0), err));
        const double size = fmax(lv_extent(x->q, n), lv_extent(x->v, n) * v->view.step);
        LV_TRY(lv_two_form_differences(v->sim, &two[k],
                                       (k + 1) * 1e-3 * (size > 0 ? size : 1),
                                       lv_form_point_projected, err));
    }
    *defect = two[0];
    *noise = fabs(two[1] - two[0]);
    return LV_OK;
}

static lv_status verify_symplecticity(lv_verifier *v, lv_error *err)
{
    const lv_system *s = v->sim->system;
    const bool is_exact = s->n <= MOST_EXACT;
    lv_error why = {0};
    lv_finding f = {.property = LV_PROPERTY_SYMPLECTICITY,
                    .measured = (double)NAN,
                    .noise = (double)NAN,
                    .bound = 1e-11};
    const char *how = "by the exact derivative of a step";
    if (v->claims.symplectic && is_hamiltonian(s))
        f.promise = "to rounding";
    lv_status status = is_exact ? measure_exact(v, &f.measured, &why) : LV_ERR_MODEL;
    if (status != LV_OK && status != LV_ERR_MEMORY) {
        how = "by differences";
        status = measure_differences(v, &f.measured, &f.noise, &why);
        f.bound = fmax(f.bound, 4 * f.noise);
    }
    if (status == LV_ERR_MEMORY)
        return lv_fail_memory(err);
    if (status == LV_OK && isnan(f.measured))
        return LV_OK; /* constraints prescribe the motion */
    f.verdict = lv_finding_judge(&f);
    if (status != LV_OK && f.promise)
        f.verdict = LV_FINDING_OPEN;
    if (!f.promise)
        f.bound = (double)NAN;
    lv_findings_add(&v->findings, f, "%s%s",
                    status != LV_OK                      ? "it cannot be measured: "
                    : v->claims.symplectic && !f.promise ? "the flow is not symplectic: "
                                                         : "",
                    status != LV_OK ? why.text
                    : v->claims.symplectic && !f.promise
                        ? (s->forced ? "forces act" : "constraints are nonholonomic")
                        : how);
    return LV_OK;
}

/* How far a step of h and a step of -h lead from the state in which they began, relative
 * to positions and velocities. The effect of rounded positions on velocities is not
 * counted. */
static lv_status measure_way_back(lv_verifier *v, double *defect, lv_error *err)
{
    lv_sim *sim = v->sim;
    const int n = sim->system->n;
    const size_t bytes = (size_t)n * sizeof(double);
    double *q = lv_memory_zeroed(2 * (size_t)n + 1, sizeof *q), *was = q + n;
    if (!q)
        return lv_fail_memory(err);
    memcpy(q, sim->state.q, bytes);
    memcpy(was, sim->state.v, bytes);
    const double reach = lv_extent(q, n), speed = lv_extent(was, n);
    const double rounding = 16 * DBL_EPSILON * reach / v->view.step;
    lv_status status = lv_sim_step(sim, err);
    if (status == LV_OK)
        status = lv_sim_step_by(sim, -sim->h, err);
    double far_q = 0, far_v = 0;
    for (int k = 0; k < n; k++) {
        far_q = fmax(far_q, fabs(sim->state.q[k] - q[k]));
        far_v = fmax(far_v, fabs(sim->state.v[k] - was[k]));
    }
    const double move = fmax(reach, speed * v->view.step);
    *defect =
        fmax(move > 0 ? far_q / move : far_q, (far_v > rounding ? far_v - rounding : 0) /
                                                  fmax(speed > 0 ? speed : 1, rounding));
    lv_memory_free(q);
    return status;
}

static lv_status verify_reversibility(lv_verifier *v, lv_error *err)
{
    lv_finding f = {.property = LV_PROPERTY_REVERSIBILITY,
                    .promise = v->claims.symmetric ? "to rounding" : NULL,
                    .noise = (double)NAN,
                    .bound = v->claims.symmetric ? 1e-10 : (double)NAN};
    lv_error why = {0};
    lv_status status = LV_OK;
    for (int k = 0; k < PLACES && status == LV_OK; k++) {
        double here = (double)NAN;
        status = go_to_step(v, step_to_examine(v, k), &why);
        if (status == LV_OK)
            status = measure_way_back(v, &here, &why);
        f.measured = f.measured >= here ? f.measured : here;
    }
    if (status == LV_ERR_MEMORY)
        return lv_fail_memory(err);
    f.verdict = lv_finding_judge(&f);
    if (status != LV_OK) {
        f.measured = (double)NAN;
        f.verdict = f.promise ? LV_FINDING_OPEN : LV_FINDING_MEASURED;
        lv_findings_add(&v->findings, f, "a step back cannot be taken: %s", why.text);
        return LV_OK;
    }
    lv_findings_add(&v->findings, f, "a step of h, then one of -h");
    return LV_OK;
}

static lv_status verify_steps(lv_verifier *v, lv_error *err)
{
    LV_TRY(verify_symplecticity(v, err));
    return verify_reversibility(v, err);
}

/* ---- the certificate -------------------------------------------------------------------------- */

/* Prepares the simulation. Only a part of a long run is watched, less of large systems
 * and of slow ones. */
static lv_status verifier_begin(lv_verifier *v, lv_error *err)
{
    double last;
    LV_TRY(lv_run_request_check(&v->request->run, v->model, err));
    v->options = v->request->run.sim;
    v->options.dense = false;
    LV_TRY(lv_feeds_read(&v->feeds, v->model, &v->request->run, &v->arena, err));
    LV_TRY(lv_verifier_sim(v, &v->feeds, &v->sim, err));
    const lv_sim *sim = v->sim;
    sim->scheme->claims(sim->scheme, &v->claims, &sim->options);
    v->numbers = lv_sim_number_count(sim);
    v->start = lv_arena_alloc(&v->arena, (size_t)v->numbers, sizeof *v->start);
    if (!v->start)
        return lv_fail_memory(err);
    lv_sim_write_numbers(sim, v->start);
    v->steps = lv_sim_plan_steps(0, v->request->run.until, sim->h, &last);
    if (last != sim->h && v->steps > 0)
        v->steps--; /* the shortened step */
    if (v->steps < 1) {
        lv_status status =
            lv_fail(err, LV_ERR_USAGE,
                    "a run that ends at t = %.6g has no whole step of %.6g: there is "
                    "nothing that a certificate could show",
                    v->request->run.until, sim->h);
        lv_error_hint(err, "a later end shows more: some hundred steps, or several "
                           "periods of the motion");
        return status;
    }
    v->watched =
        lv_verifier_most_steps(v) < v->steps ? lv_verifier_most_steps(v) : v->steps;
    v->view.scheme = sim->scheme->info.name;
    v->view.options = sim->options;
    v->view.order = sim->order;
    v->view.step = sim->h;
    v->view.until = v->request->run.until;
    return LV_OK;
}

static lv_status carry_out(lv_verifier *v, lv_error *err)
{
    static const struct {
        const char *what;
        lv_status (*verify)(lv_verifier *verifier, lv_error *err);
    } phases[] = {{"what a run keeps", lv_verify_run},
                  {"the order", verify_order},
                  {"single steps", verify_steps},
                  {"bits", lv_verify_bits}};
    const int count = sizeof phases / sizeof *phases;
    v->findings.arena = v->notes.arena = &v->arena;
    LV_TRY(verifier_begin(v, err));
    for (int k = 0; k < count; k++) {
        if (v->request->phase)
            v->request->phase(v->request->user, k + 1, count, phases[k].what);
        LV_TRY(phases[k].verify(v, err));
        if (v->findings.failed)
            return lv_fail_memory(err);
    }
    lv_findings_condition(&v->findings, v->sim->model);
    return v->findings.failed ? lv_fail_memory(err) : LV_OK;
}

/* Sorts the findings by property; momentum maps keep their order. */
static lv_status arrange(lv_verifier *v, lv_error *err)
{
    const int count = v->findings.list.count;
    lv_finding *list = lv_arena_alloc(&v->arena, (size_t)count + 1, sizeof *list);
    if (!list)
        return lv_fail_memory(err);
    for (int p = 0; p < LV_PROPERTIES; p++)
        for (int k = 0; k < count; k++)
            if (v->findings.list.data[k].property == (lv_property)p) {
                v->view.verdicts[v->findings.list.data[k].verdict]++;
                list[v->view.count++] = v->findings.list.data[k];
            }
    v->view.findings = list;
    return LV_OK;
}

lv_verify_request lv_verify_request_default(const lv_model *model)
{
    return (lv_verify_request){.run = lv_run_request_default(model)};
}

lv_status lv_verify(lv_certificate **certificate, const lv_model *model,
                    const lv_verify_request *request, lv_error *err)
{
    const double began = lv_clock_seconds();
    lv_error_clear(err);
    LV_NEED(err, certificate);
    *certificate = NULL;
    LV_NEED(err, model);
    LV_NEED(err, request);
    LV_NEED_ROOM(err, request);
    LV_NEED(err, request->run.sim.scheme);
    LV_TRY(lv_need_count(err, __func__, "request->threads", request->threads));
    lv_verifier *v = lv_memory_zeroed(1, sizeof *v);
    if (!v)
        return lv_fail_memory(err);
    v->model = model;
    v->request = request;
    lv_status status = carry_out(v, err);
    if (status == LV_OK)
        status = arrange(v, err);
    lv_sim_free(v->sim);
    v->sim = NULL;
    lv_memory_free(v->findings.list.data);
    v->findings.list.data = NULL;
    v->view.seconds = lv_clock_seconds() - began;
    if (status == LV_OK)
        *certificate = &v->view;
    else
        lv_certificate_free(&v->view);
    return lv_model_settle(model, status, err);
}

void lv_certificate_free(lv_certificate *certificate)
{
    lv_verifier *v = (lv_verifier *)certificate;
    if (!v)
        return;
    lv_arena_done(&v->arena);
    lv_memory_free(v);
}
