#include "run/verdict.h"

#include "base/text.h"
#include "num/extent.h"
#include "run/advice.h"
#include "run/findings.h"
#include "run/outputs.h"
#include "system/declared.h"
#include "system/dissipation.h"
#include "system/mass_definite.h"

#include <math.h>

/* For energies and momentum maps: the error by rounding and by the end of the iteration
 * in one step, and in a whole run, relative to the terms that are added. */
static const double rounding_of_step = 1e-14, rounding_at_all = 1e-9;

/* p and L_v(q, v) agree to second order in the step; a relative difference of a tenth is
 * more than that. */
static const double far_apart = 0.1;

/* With smaller differences of p and L_v(q, v), growing rates are not worth a warning. */
static const double hardly_apart = 1e-3;

/* ---- conserved quantities ----------------------------------------------------------------------- */

typedef struct judge {
    const lv_monitor *monitor;
    lv_verdicts *verdicts;
    lv_arena *arena;
    bool failed; /* out of memory */
    double rounding;
} judge;

static void add_warning(judge *j, lv_text *text)
{
    lv_verdicts *v = j->verdicts;
    const char *kept =
        text->failed ? NULL : lv_arena_text(j->arena, text->data, (size_t)text->count);
    lv_text_done(text);
    j->failed = j->failed || !kept;
    if (kept && v->count < LV_VERDICTS)
        v->texts[v->count++] = kept;
}

/* Whether the system was at rest at the start and still is, to rounding: velocities move
 * no coordinate visibly in a step. Its energy and momenta are then only rounding. */
static bool is_at_rest(const judge *j)
{
    const lv_sim *sim = j->monitor->sim;
    const int n = sim->system->n;
    const double visible = 1e-13 * lv_extent(sim->state.q, n) / sim->h;
    return lv_extent(sim->system->model->start_v, n) <= visible &&
           lv_extent(sim->state.v, n) <= visible;
}

/* Whether momenta of this scheme may leave the hidden constraints, although an option
 * would keep them there (theory 6.2). */
static bool could_project(const lv_sim *sim)
{
    return sim->system->m > 0 && (sim->scheme->info.options & LV_TAKES(PROJECTION)) &&
           lv_scheme_option(&sim->options, LV_OPTION_PROJECTION, 0) == 0;
}

/* ", where constraints 'a' and 'b' are nearly dependent", if the monitor has kept some: their
 * number, and the first of them behind it. */
static void add_near(const judge *j, const double *parts, lv_text *text)
{
    lv_near near = {.count = (int)parts[0]};
    char says[700];
    for (int k = 0; k < LV_NEAR_SHOWN; k++)
        near.rows[k] = (int)parts[1 + k];
    if (near.count > 0)
        lv_text_append(text, ", where %s",
                       lv_near_says(&near, j->monitor->sim->system, says, sizeof says));
}

/* Where the energy changed in one step far more than in all steps before. */
static void add_leap(const judge *j, lv_text *text)
{
    const double *leap = j->monitor->leap;
    lv_text_append(text,
                   "the energy leapt in the step to t = %.6g: it was off by %.2g at most "
                   "before and by %.2g then",
                   leap[LV_LEAP_TIME], leap[LV_LEAP_BEFORE], leap[LV_LEAP_AFTER]);
    add_near(j, leap + LV_LEAP_PARTS, text);
    lv_text_append(text, ". From there the motion is another one: use a smaller step");
}

/* Whether as much energy came or went as there was at most (the size is up to three times
 * that), or as there is at the end. After a close encounter that may be little, so that
 * changes which are small beside the largest size do not count. */
static bool has_changed_wholly(const lv_monitor *m)
{
    const double part = 0.25, noticeable = 1e-2, size = m->growth[LV_GROWTH_LARGEST],
                 change = fabs(m->energy[1] - m->energy[0]);
    return m->energy[2] > part * size ||
           (change > part * m->now.size && change > noticeable * size);
}

/* Warns if the energy is neither exact nor bounded as claimed. */
static void judge_energy(judge *j)
{
    const lv_monitor *m = j->monitor;
    const double size = m->growth[LV_GROWTH_LARGEST], deviation = m->energy[2];
    const char *name = m->sim->scheme->info.name;
    lv_text text = {0};
    if (!lv_monitor_is_conservative(m->sim) || m->claims.energy == LV_KEPT_NOT ||
        !isfinite(m->now.energy))
        return;
    if (m->claims.energy == LV_KEPT_EXACT && deviation > j->rounding * size)
        lv_text_append(
            &text,
            "the energy has changed by %.2g, and scheme '%s' should keep it to "
            "rounding (%.0e)",
            deviation, name, j->rounding * size);
    else if (m->leap[LV_LEAP_AFTER] > 0)
        add_leap(j, &text);
    else if (has_changed_wholly(m))
        lv_text_append(&text,
                       "the energy has changed by %.2g, which is as much as there is: "
                       "the step is too large for scheme '%s', or the motion ran into a "
                       "singularity%s",
                       deviation, name,
                       could_project(m->sim)
                           ? ". With projection = true momenta would stay on the hidden "
                             "constraints, which they have left"
                           : "");
    else
        return;
    add_warning(j, &text);
}

static bool has_strayed(const judge *j, int map)
{
    const double deviation = j->monitor->momentum[3 * map + 2];
    return deviation > j->rounding * j->monitor->levers[0] && isfinite(deviation);
}

/* Finds the first map that the scheme keeps in this system and that has strayed, -1:
 * none. Which maps are kept is computed only if one has strayed. Declared symmetries are
 * judged separately. */
static lv_status find_strayed(const judge *j, int *map, lv_error *err)
{
    const lv_sim *sim = j->monitor->sim;
    const int maps = j->monitor->maps;
    int first = sim->system->declared;
    *map = -1;
    while (first < maps && !has_strayed(j, first))
        first++;
    if (first >= maps || sim->system->has_nonholonomic)
        return LV_OK;
    bool *kept = lv_arena_alloc(j->arena, (size_t)maps, sizeof *kept);
    if (!kept)
        return lv_fail_memory(err);
    LV_TRY(lv_scheme_keeps(sim->scheme, sim->system, &sim->options, kept, err));
    for (int k = first; *map < 0 && k < maps; k++)
        if (kept[k] && has_strayed(j, k))
            *map = k;
    return LV_OK;
}

static lv_status judge_momenta(judge *j, lv_error *err)
{
    const lv_monitor *m = j->monitor;
    int map = -1;
    lv_text text = {0};
    LV_TRY(find_strayed(j, &map, err));
    if (map < 0)
        return LV_OK;
    lv_text_append(&text,
                   "J.%s has changed by %.2g, and scheme '%s' should keep it to "
                   "rounding (%.0e)",
                   lv_system_map_name(m->sim->system, map), m->momentum[3 * map + 2],
                   m->sim->scheme->info.name, j->rounding * m->levers[0]);
    add_warning(j, &text);
    return LV_OK;
}

/* Warns of generators without a value at the start or at the end, because deviations of
 * their momentum have no meaning. */
static void judge_generators(judge *j)
{
    const lv_monitor *m = j->monitor;
    for (int k = 0; k < m->maps && isfinite(m->now.energy); k++) {
        const double *own = m->momentum + 3 * (ptrdiff_t)k;
        const bool at_start = !isfinite(own[0]);
        lv_text text = {0};
        if (!at_start && isfinite(own[1]))
            continue;
        lv_text_append(&text, "J.%s is not finite at ",
                       lv_system_map_name(m->sim->system, k));
        if (at_start)
            lv_text_append(&text, "the start");
        else
            lv_text_append(&text, "t = %.6g", m->sim->state.t);
        lv_text_append(&text, ": the generator of this symmetry has no value there");
        add_warning(j, &text);
    }
}

static void judge_constraints(judge *j)
{
    static const char *const what[] = {"", "the rate of ", ""};
    const lv_monitor *m = j->monitor;
    for (int k = 0; k < LV_LEVELS; k++) {
        const double *stray = m->stray + (ptrdiff_t)(k * LV_STRAY_NUMBERS);
        const double limit = stray[LV_STRAY_LIMIT] / lv_level_shares[k];
        char name[160];
        lv_text text = {0};
        if (!(stray[LV_STRAY_RESIDUAL] > limit))
            continue;
        lv_text_append(
            &text,
            "%sconstraint '%s' is violated by %.2g at t = %.6g, and scheme '%s' should "
            "keep it to rounding (at most %.0e)",
            what[k],
            lv_system_row_name(m->sim->system, (int)stray[LV_STRAY_ROW], name,
                               sizeof name),
            stray[LV_STRAY_RESIDUAL], stray[LV_STRAY_TIME], m->sim->scheme->info.name,
            limit);
        add_warning(j, &text);
    }
}

/* ---- wrong motions ---------------------------------------------------------------------------- */

/* Whether rates of constraints that hold at the nodes have grown; smaller steps do not
 * prevent it. */
static bool rates_have_grown(const lv_monitor *m)
{
    return m->rates[LV_GROWTH_FROM] > 0 && m->legendre[1] > hardly_apart;
}

static void judge_rates(judge *j)
{
    const lv_monitor *m = j->monitor;
    lv_system *s = m->sim->system;
    const lv_state *x = &m->sim->state;
    const double *g = m->rates;
    char name[160];
    lv_text text = {0};
    if (!rates_have_grown(m))
        return;
    const int row = lv_system_fastest_row(s, x->t, x->q, x->v);
    lv_text_append(
        &text,
        "the rate of constraint '%s', which scheme '%s' does not keep, has grown: up to "
        "t = %.6g rates were %.2g at most, then %.2g, and |p - M v| reached %.2g of |p|. "
        "The velocities are leaving the motion%s",
        lv_system_row_name(s, row, name, sizeof name), m->sim->scheme->info.name,
        g[LV_GROWTH_FROM_TIME], g[LV_GROWTH_FROM], g[LV_GROWTH_LARGEST], m->legendre[1],
        s->mass_regular ? "; use em or lobatto, which keep the rates" : "");
    add_warning(j, &text);
}

static void judge_legendre(judge *j)
{
    const double *legendre = j->monitor->legendre;
    lv_text text = {0};
    if (!(legendre[1] > far_apart) || rates_have_grown(j->monitor))
        return;
    lv_text_append(
        &text,
        "momenta and velocities have come apart: |p - M v| reached %.2g of |p| "
        "at t = %.6g. The energy p.v - T + V, which is kept, is then not T + V "
        "and bounds nothing: use a smaller step, or lobatto",
        legendre[1], legendre[2]);
    add_warning(j, &text);
}

static void judge_growth(judge *j)
{
    const double *g = j->monitor->growth;
    const lv_sim *sim = j->monitor->sim;
    const lv_system *s = sim->system;
    char reason[300];
    lv_text text = {0};
    if (g[LV_GROWTH_FROM] == 0 || s->forced || !s->autonomous ||
        !isfinite(j->monitor->now.energy)) /* lv_verdict_not_finite has reported it */
        return;
    lv_text_append(&text,
                   "kinetic and potential energy have run away: up to t = %.6g they were "
                   "%.2g at most, %.0e times that at t = %.6g",
                   g[LV_GROWTH_FROM_TIME], g[LV_GROWTH_FROM], LV_GROWTH_LIMIT,
                   g[LV_GROWTH_TIME]);
    if (!lv_scheme_unstable(sim->scheme, &sim->options, reason, sizeof reason))
        lv_text_append(&text, ". If the motion itself does not, use a smaller step");
    add_warning(j, &text);
}

/* Warns of schemes that are unstable with options that the caller has allowed. */
static void judge_scheme(judge *j)
{
    const lv_sim *sim = j->monitor->sim;
    char reason[300];
    lv_text text = {0};
    if (!lv_scheme_unstable(sim->scheme, &sim->options, reason, sizeof reason))
        return;
    lv_text_append(&text, "scheme '%s' is unstable with these parameters: %s",
                   sim->scheme->info.name, reason);
    add_warning(j, &text);
}

/* Multipliers of nonholonomic constraints have a lower order than the state; a difference
 * of half their size is more than that. */
static void judge_lag(judge *j)
{
    const lv_monitor *m = j->monitor;
    lv_text text = {0};
    if (!(m->lag[0] > 0.5 * m->lag[1]))
        return;
    lv_text_append(
        &text, "the multipliers that the scheme carries have left those of the motion: "
               "use multipliers = motion, a smaller step, or 2 or 4 stages; in motions "
               "that settle down, and on groups, they leave at any step, only later");
    add_warning(j, &text);
}

/* Warns of bodies that turn nearly as far in a step as the scheme allows, or so far that
 * their angle is lost. */
static void judge_turns(judge *j)
{
    const double *turned = j->monitor->turned;
    const lv_sim *sim = j->monitor->sim;
    const int advice = (int)turned[LV_TURNED_ADVICE];
    char name[160];
    lv_text text = {0};
    if (!(turned[LV_TURNED_ANGLE] > turned[LV_TURNED_DOUBTFUL]))
        return;
    lv_text_append(
        &text,
        "body '%s' turned by %.3g rad in the step to t = %.6g, and from %.3g rad on "
        "%s: use a smaller step%s",
        lv_system_body_text(sim->system, (int)turned[LV_TURNED_COORDINATE], name,
                            sizeof name),
        turned[LV_TURNED_ANGLE], turned[LV_TURNED_TIME], turned[LV_TURNED_DOUBTFUL],
        advice == LV_TURN_IN_COORDINATES
            ? "steps with axes as coordinates get the angle wrong"
            : "steps may have no solution",
        advice == LV_TURN_SMALLER_STEP ? ""
        : sim->scheme->moves           ? ", or rotations = exp"
                                       : ", or scheme lobatto with rotations = exp");
    add_warning(j, &text);
}

/* The words of a warning about precision lost near singular configurations: "BEFORE 3
 * NOUNs AFTER 1.5, where constraints 'a' and 'b' are nearly dependent REST", where the
 * number behind AFTER is the time. */
typedef struct loss {
    const char *before, *noun, *after, *rest;
} loss;

static void judge_loss(judge *j, const loss *what, const double *lost)
{
    const double count = lost[LV_LOST_COUNT];
    lv_text text = {0};
    if (!(count > 0)) /* the other numbers have no meaning */
        return;
    lv_text_append(&text, "%s%.0f %s%s%s%.6g", what->before, count, what->noun,
                   count > 1 ? "s" : "", what->after, lost[LV_LOST_TIME]);
    add_near(j, lost + LV_LOST_PARTS, &text);
    lv_text_append(&text, "%s", what->rest);
    add_warning(j, &text);
}

static void judge_lost(judge *j)
{
    static const loss multipliers = {
        "rounding decides multipliers in ", "recorded row", ", first at t = ",
        "; multipliers of these rows are those of least norm, and their column "
        "'undetermined' is not 0"};
    static const loss steps = {
        "", "step",
        " could be solved only as far as amplified rounding lets, first that to t = ",
        ""};
    judge_loss(j, &multipliers, j->monitor->lost);
    judge_loss(j, &steps, j->monitor->lost + LV_LOST_NUMBERS);
}

/* Warns of the first few outputs that were not finite, and gives the number of others. */
static void judge_outputs(judge *j)
{
    enum { SHOWN = 3 };
    const lv_monitor *m = j->monitor;
    int others = 0;
    for (int from = 0, shown = 0; m->outputs; shown++) {
        lv_text text = {0};
        const int which = lv_outputs_say(&text, m->outputs, m->sim->model, from);
        if (which >= 0 && shown < SHOWN)
            add_warning(j, &text);
        lv_text_done(&text);
        if (which < 0)
            break;
        others += shown >= SHOWN;
        from = which + 1;
    }
    if (others > 0) {
        lv_text text = {0};
        lv_text_append(&text, "%d other output%s not finite either", others,
                       others == 1 ? " is" : "s are");
        add_warning(j, &text);
    }
}

static lv_status judge_mass(judge *j, lv_error *err)
{
    const lv_model *model = j->monitor->sim->model;
    int coordinate = -1;
    char name[160];
    lv_text text = {0};
    const lv_system *s = j->monitor->sim->system;
    LV_TRY(s->model == model
               ? lv_mass_definite_test_with(s->legendre, model, &coordinate, err)
               : lv_mass_definite_test(model, &coordinate, err));
    if (coordinate < 0)
        return LV_OK;
    lv_text_append(&text,
                   "the mass matrix is not positive at the start: the velocity of '%s' "
                   "can make the kinetic energy negative; is the sign of a mass wrong?",
                   lv_model_coordinate_text(model, coordinate, name, sizeof name));
    add_warning(j, &text);
    return LV_OK;
}

/* Warns of dissipations that feed energy, at the start with any velocities, or later. */
static lv_status judge_dissipations(judge *j, lv_error *err)
{
    const lv_monitor *m = j->monitor;
    lv_dissipations *d = m->sim->system->dissipations;
    for (int k = 0; k < lv_dissipations_count(d); k++) {
        const double *own = m->feeding + (ptrdiff_t)(k * LV_FEEDING_NUMBERS);
        bool at_start = false;
        char name[160];
        lv_text text = {0};
        LV_TRY(lv_dissipations_feeds_at_start(d, k, &at_start, err));
        if (!at_start && own[LV_FEEDING_COUNT] == 0)
            continue;
        lv_text_append(&text, "the dissipation %s is negative ",
                       lv_dissipations_text(d, k, name, sizeof name));
        if (at_start)
            lv_text_append(&text, "at the start");
        else
            lv_text_append(&text, "at the end of %.0f step%s, first at t = %.6g",
                           own[LV_FEEDING_COUNT], own[LV_FEEDING_COUNT] > 1 ? "s" : "",
                           own[LV_FEEDING_TIME]);
        lv_text_append(&text,
                       ": it feeds energy instead of taking it; is its sign wrong?");
        add_warning(j, &text);
    }
    return LV_OK;
}

/* Warns of declared symmetries that the system does not have, whatever the scheme. */
static lv_status judge_declared(judge *j, lv_error *err)
{
    lv_system *s = j->monitor->sim->system;
    LV_TRY(lv_declared_judge(s, err));
    for (int k = 0; k < s->declared; k++) {
        lv_text text = {0};
        if (!s->spoilt[k])
            continue;
        lv_text_append(&text, "%s", s->spoilt[k]);
        add_warning(j, &text);
    }
    return LV_OK;
}

lv_status lv_verdicts_find(lv_verdicts *verdicts, const lv_monitor *monitor,
                           long long steps, lv_arena *arena, lv_error *err)
{
    judge j = {.monitor = monitor,
               .verdicts = verdicts,
               .arena = arena,
               .rounding = rounding_at_all + rounding_of_step * (double)steps};
    verdicts->count = 0;
    LV_TRY(judge_mass(&j, err));
    LV_TRY(judge_dissipations(&j, err));
    LV_TRY(judge_declared(&j, err));
    judge_scheme(&j);
    judge_growth(&j);
    judge_rates(&j);
    judge_legendre(&j);
    if (!is_at_rest(&j)) {
        judge_energy(&j);
        LV_TRY(judge_momenta(&j, err));
    }
    judge_generators(&j);
    judge_constraints(&j);
    judge_lag(&j);
    judge_turns(&j);
    judge_lost(&j);
    judge_outputs(&j);
    return j.failed ? lv_fail_memory(err) : LV_OK;
}

/* ---- findings --------------------------------------------------------------------------------- */

lv_status lv_verdicts_shown(unsigned *shown, const lv_monitor *m, long long steps,
                            lv_arena *arena, lv_error *err)
{
    lv_findings findings = {.arena = arena};
    unsigned kept = 0, broken = 0;
    *shown = 0;
    if (!isfinite(m->now.energy))
        return LV_OK;
    lv_status status = lv_findings_of_run(&findings, m, steps, err);
    for (int k = 0; k < findings.list.count; k++) {
        const lv_finding *f = &findings.list.data[k];
        const unsigned bit = 1u << (unsigned)f->property;
        kept |= f->verdict == LV_FINDING_KEPT ? bit : 0;
        broken |= f->verdict == LV_FINDING_BROKEN ? bit : 0;
    }
    lv_memory_free(findings.list.data);
    *shown = kept & ~broken;
    return status;
}

lv_status lv_verdict_not_finite(const lv_monitor *m, lv_error *err)
{
    const double *g = m->growth;
    const lv_state *x = &m->sim->state;
    const lv_point point = {.q = x->q, .v = x->v, .t = x->t};
    /* a formula may be the cause */
    if (isfinite(g[LV_GROWTH_LARGEST]) && g[LV_GROWTH_FROM] == 0) {
        lv_status domain = lv_plan_diagnose(m->sim->system->monitor_plan, &point, err);
        if (domain != LV_OK) {
            lv_advise_step(m->sim, err);
            return domain;
        }
    }
    lv_status status =
        lv_fail(err, LV_ERR_NUMERIC, "the energy is no longer finite at t = %.6g",
                m->sim->state.t);
    if (g[LV_GROWTH_FROM] > 0)
        lv_error_note(
            err,
            "kinetic and potential energy have run away: %.2g at most up to t = "
            "%.6g, %.0e times that at t = %.6g",
            g[LV_GROWTH_FROM], g[LV_GROWTH_FROM_TIME], LV_GROWTH_LIMIT,
            g[LV_GROWTH_TIME]);
    else
        lv_error_note(err, "before that kinetic and potential energy were %.2g at most",
                      g[LV_GROWTH_LARGEST]);
    lv_error_because(err, LV_WHY_DIVERGED);
    lv_advise_runaway(m->sim, err);
    return status;
}
