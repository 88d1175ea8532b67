#include "run/findings.h"

#include "system/declared.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void lv_findings_add(lv_findings *f, lv_finding finding, const char *format, ...)
{
    char text[600];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    finding.note = lv_arena_text(f->arena, text, strlen(text));
    f->failed = f->failed || !finding.note || !LV_PUSH(f->list, finding);
}

lv_finding_verdict lv_finding_judge(const lv_finding *f)
{
    if (!f->promise)
        return LV_FINDING_MEASURED;
    return f->measured <= f->bound ? LV_FINDING_KEPT : LV_FINDING_BROKEN;
}

double lv_finding_rounding(long long steps)
{
    return 1e-12 + 2e-15 * (double)steps;
}

/* ---- energy ------------------------------------------------------------------------------------------ */

double lv_finding_energy_size(const lv_monitor *m)
{
    const double size = m->growth[LV_GROWTH_LARGEST];
    return size > 0 ? size : 1;
}

lv_finding lv_finding_of_energy(const lv_monitor *m, long long steps)
{
    const lv_kept promise =
        lv_monitor_is_conservative(m->sim) ? m->claims.energy : LV_KEPT_NOT;
    lv_finding f = {.property = LV_PROPERTY_ENERGY,
                    .promise = promise == LV_KEPT_EXACT     ? "to rounding"
                               : promise == LV_KEPT_BOUNDED ? "bounded"
                                                            : NULL,
                    .measured = m->energy[2] / lv_finding_energy_size(m),
                    .noise = (double)NAN,
                    .bound = promise == LV_KEPT_EXACT ? lv_finding_rounding(steps)
                                                      : (double)NAN};
    f.verdict = promise == LV_KEPT_BOUNDED ? LV_FINDING_OPEN : lv_finding_judge(&f);
    return f;
}

static void find_energy(lv_findings *f, const lv_monitor *m, long long steps)
{
    const lv_finding energy = lv_finding_of_energy(m, steps);
    lv_findings_add(f, energy, "%srelative to its terms%s",
                    lv_monitor_has_legendre(m) ? "p.v - T + V, " : "",
                    energy.verdict == LV_FINDING_OPEN
                        ? "; livens verify tells a drift from an oscillation"
                        : "");
}

static void find_balance(lv_findings *f, const lv_monitor *m)
{
    const lv_finding balance = {.property = LV_PROPERTY_BALANCE,
                                .measured = m->balance[2] / lv_finding_energy_size(m),
                                .noise = (double)NAN,
                                .bound = (double)NAN,
                                .verdict = LV_FINDING_MEASURED};
    lv_findings_add(f, balance, "energy less work, an error of the order of the scheme");
}

static void find_invariant(lv_findings *f, const lv_monitor *m, long long steps)
{
    const double *own = m->invariant;
    if (!own)
        return;
    lv_finding found = {.property = LV_PROPERTY_INVARIANT,
                        .name = m->sim->scheme->invariant_name,
                        .promise = "to rounding",
                        .measured =
                            own[2] / fmax(fabs(own[0]), lv_finding_energy_size(m)),
                        .noise = (double)NAN,
                        .bound = lv_finding_rounding(steps)};
    found.verdict = lv_finding_judge(&found);
    lv_findings_add(f, found, "relative to its size");
}

/* ---- momentum maps ------------------------------------------------------------------------------------- */

/* NULL if a map should be kept to rounding, otherwise the reason why not. */
static const char *why_not(const lv_monitor *m, int map, const bool *kept)
{
    const lv_system *s = m->sim->system;
    if (map < s->declared && s->spoilt[map])
        return s->spoilt[map];
    if (s->has_nonholonomic)
        return "nonholonomic constraints may change it";
    if (m->claims.momentum == LV_KEPT_BOUNDED)
        return "the scheme keeps it to the order of its error";
    if (!kept[map])
        return "the formulas do not show the symmetry to the scheme";
    return NULL;
}

static lv_status find_momenta(lv_findings *f, const lv_monitor *m, long long steps,
                              lv_error *err)
{
    lv_system *s = m->sim->system;
    const double size = m->levers[0] > 0 ? m->levers[0] : 1;
    bool *kept = lv_arena_alloc(f->arena, (size_t)m->maps + 1, sizeof *kept);
    if (!kept)
        return lv_fail_memory(err);
    LV_TRY(lv_declared_judge(s, err));
    LV_TRY(lv_scheme_keeps(m->sim->scheme, s, &m->sim->options, kept, err));
    for (int k = 0; k < m->maps; k++) {
        const char *why = why_not(m, k, kept), *name = lv_system_map_name(s, k);
        lv_finding found = {.property = LV_PROPERTY_MOMENTUM,
                            .name = lv_arena_text(f->arena, name, strlen(name)),
                            .promise = why ? NULL : "to rounding",
                            .measured = m->momentum[3 * (ptrdiff_t)k + 2] / size,
                            .noise = (double)NAN,
                            .bound = why ? (double)NAN : lv_finding_rounding(steps)};
        found.verdict = lv_finding_judge(&found);
        f->failed = f->failed || !found.name;
        lv_findings_add(f, found, "%s", why ? why : "relative to sums of |q| |p|");
    }
    return LV_OK;
}

/* ---- constraints --------------------------------------------------------------------------------------- */

static void find_level(lv_findings *f, const lv_monitor *m, int level)
{
    static const char *const what[] = {"|g|", "|dg/dt|", "|Phi|"};
    static const lv_property properties[] = {LV_PROPERTY_POSITION, LV_PROPERTY_VELOCITY,
                                             LV_PROPERTY_NONHOLONOMIC};
    const lv_kept claim =
        level == LV_LEVEL_POSITION ? m->claims.position : m->claims.velocity;
    const double *stray = lv_monitor_stray(m, level);
    const bool promised = claim == LV_KEPT_EXACT;
    const bool own = level != LV_LEVEL_POSITION && lv_monitor_has_legendre(m);
    int first = 0;
    char name[160];
    if (lv_monitor_level(m, level, &first) == 0)
        return;
    lv_finding found = {.property = properties[level],
                        .promise = promised ? "to rounding" : NULL,
                        .measured = stray ? stray[LV_STRAY_RESIDUAL] : m->residual[level],
                        .noise = (double)NAN,
                        .bound = stray ? stray[LV_STRAY_LIMIT] : (double)NAN};
    found.verdict = promised && !stray ? LV_FINDING_OPEN : lv_finding_judge(&found);
    if (found.verdict == LV_FINDING_BROKEN)
        lv_findings_add(f, found, "%s of constraint '%s' at t = %.6g", what[level],
                        lv_system_row_name(m->sim->system, (int)stray[LV_STRAY_ROW], name,
                                           sizeof name),
                        stray[LV_STRAY_TIME]);
    else if (found.verdict == LV_FINDING_OPEN)
        lv_findings_add(f, found,
                        "largest %s of the scheme's own velocities; it is promised of "
                        "those of the momenta, which livens verify looks at",
                        what[level]);
    else
        lv_findings_add(f, found, "largest %s%s%s", what[level],
                        promised ? ", relative to its bound" : "",
                        promised && own ? ", of the velocities of the momenta" : "");
}

/* ---- all of it ----------------------------------------------------------------------------------------- */

lv_status lv_findings_of_monitor(lv_findings *f, const lv_monitor *m, long long steps,
                                 lv_error *err)
{
    find_invariant(f, m, steps);
    LV_TRY(find_momenta(f, m, steps, err));
    for (int level = 0; level < LV_LEVELS; level++)
        find_level(f, m, level);
    if (m->balance)
        find_balance(f, m);
    return f->failed ? lv_fail_memory(err) : LV_OK;
}

/* Whether the promise is about a motion whose equations do not change. */
static bool needs_constant_inputs(const lv_finding *f)
{
    return f->promise &&
           (f->property == LV_PROPERTY_SYMPLECTICITY ||
            f->property == LV_PROPERTY_REVERSIBILITY ||
            f->property == LV_PROPERTY_ENERGY || f->property == LV_PROPERTY_INVARIANT ||
            f->property == LV_PROPERTY_MOMENTUM);
}

void lv_findings_condition(lv_findings *f, const lv_model *model)
{
    bool matters = false;
    char text[700];
    for (int k = 0; k < model->inputs.count; k++)
        matters = matters || lv_input_moves(&model->inputs.data[k]);
    for (int k = 0; k < f->list.count && matters; k++) {
        lv_finding *found = &f->list.data[k];
        if (!needs_constant_inputs(found))
            continue;
        (void)snprintf(text, sizeof text, "%s; while inputs are constant",
                       found->note ? found->note : "");
        found->note = lv_arena_text(f->arena, text, strlen(text));
        f->failed = f->failed || !found->note;
    }
}

lv_status lv_findings_of_run(lv_findings *f, const lv_monitor *m, long long steps,
                             lv_error *err)
{
    if (steps == 0)
        return LV_OK;
    if (!m->balance)
        find_energy(f, m, steps);
    LV_TRY(lv_findings_of_monitor(f, m, steps, err));
    lv_findings_condition(f, m->sim->model);
    return f->failed ? lv_fail_memory(err) : LV_OK;
}
