#include "run/notes.h"

#include "base/text.h"
#include "system/agreement.h"
#include "system/declared.h"
#include "system/elements.h"

#include <float.h>
#include <string.h>

void lv_notes_add(lv_notes *notes, const char *text)
{
    if (notes->count < LV_NOTES)
        notes->texts[notes->count++] = text;
}

lv_status lv_notes_take(lv_notes *notes, lv_text *text, lv_error *err)
{
    const char *kept = text->failed
                           ? NULL
                           : lv_arena_text(notes->arena, text->data, (size_t)text->count);
    lv_text_done(text);
    if (!kept)
        return lv_fail_memory(err);
    lv_notes_add(notes, kept);
    return LV_OK;
}

lv_status lv_notes_monitor(lv_notes *notes, const lv_monitor *monitor, long long steps,
                           lv_error *err)
{
    lv_verdicts verdicts;
    LV_TRY(lv_verdicts_find(&verdicts, monitor, steps, notes->arena, err));
    for (int k = 0; k < verdicts.count; k++)
        lv_notes_add(notes, verdicts.texts[k]);
    return LV_OK;
}

lv_status lv_notes_events(lv_notes *notes, const lv_sim *sim, lv_error *err)
{
    const lv_events *e = &sim->events;
    const char *before = "; velocities jump at";
    lv_text text = {0};
    if (e->count == 0)
        return LV_OK;
    lv_text_append(&text, "events are left out: what is measured here is the motion "
                          "between them");
    for (int k = 0; k < e->count; k++) {
        if (!lv_event_jumps(&e->list[k]))
            continue;
        lv_text_append(&text, "%s '%s'", before, e->list[k].item->name);
        before = ",";
    }
    if (before[0] == ',')
        lv_text_append(&text, ", and with them energy and momenta");
    return lv_notes_take(notes, &text, err);
}

/* For the only constraint of a system. */
static void say_flat(lv_text *text, const lv_system *s)
{
    char name[160];
    lv_text_append(
        text,
        "the gradient of constraint '%s' vanishes at the start: it has no force "
        "there, and its multiplier is set to 0",
        lv_system_row_name(s, 0, name, sizeof name));
}

static void say_redundant(lv_text *text, const lv_system *s, int count)
{
    enum { SHOWN = 5 };
    char name[160];
    lv_text_append(text,
                   "%d of %d constraints follow%s from the others at the start:", count,
                   s->constraint_count, count == 1 ? "s" : "");
    for (int k = 0; k < count && k < SHOWN; k++)
        lv_text_append(text, "%s '%s'", k ? "," : "",
                       lv_system_row_name(s, lv_dependence_row(s->dependence, k), name,
                                          sizeof name));
    lv_text_append(text, "%s; their multipliers are those of least norm",
                   count > SHOWN ? ", ..." : "");
}

lv_status lv_notes_dependent(lv_arena *arena, lv_sim *sim, lv_dependence_info *found,
                             lv_error *err)
{
    const lv_state *state = &sim->state;
    lv_elements elements;
    *found = (lv_dependence_info){.combinations = 0};
    LV_TRY(lv_elements_init(&elements, arena, sim->system->model, err));
    return lv_elements_dependence(&elements, sim->system, arena, found, state->t,
                                  state->q, state->v, err);
}

/* Whether there is a joint among them. */
static bool has_joint(const lv_dependence_info *found)
{
    bool joint = false;
    for (int k = 0; k < found->count; k++)
        joint = joint || strcmp(found->list[k].kind, "joint") == 0;
    return joint;
}

/* "'a', 'b' and 3 others depend on each other", and what this means for their forces. */
static void say_joints(lv_text *text, const lv_dependence_info *found, const lv_system *s,
                       int count)
{
    enum { SHOWN = 5 };
    const int shown = found->count > SHOWN ? SHOWN - 1 : found->count;
    for (int k = 0; k < shown; k++)
        lv_text_append(text, "%s'%s'",
                       k == 0                                    ? ""
                       : k == shown - 1 && shown == found->count ? " and "
                                                                 : ", ",
                       found->list[k].name);
    if (shown < found->count)
        lv_text_append(text, " and %d others", found->count - shown);
    lv_text_append(
        text,
        " depend on each other at the start, %d of %d constraints follow%s from "
        "the others: nothing determines how they share their forces, and those "
        "reported are of least norm",
        count, s->constraint_count, count == 1 ? "s" : "");
}

lv_status lv_notes_redundancy(lv_notes *notes, lv_sim *sim, lv_error *err)
{
    lv_system *s = sim->system;
    const lv_state *state = &sim->state;
    lv_dependence_info found;
    if (s->constraint_count == 0)
        return LV_OK;
    LV_TRY(lv_system_accelerations(s, NULL, NULL, state->t, state->q, state->v, err));
    if (lv_saddle_redundant(s->saddle) == 0)
        return LV_OK;
    LV_TRY(lv_notes_dependent(notes->arena, sim, &found, err));
    int count = lv_system_count_dependent(s, state->t, state->q, state->v);
    lv_text text = {0};
    if (count <= 0)
        return LV_OK;
    if (s->constraint_count == 1)
        say_flat(&text, s);
    else if (has_joint(&found))
        say_joints(&text, &found, s, count);
    else
        say_redundant(&text, s, count);
    return lv_notes_take(notes, &text, err);
}

lv_status lv_notes_nearly(lv_notes *notes, lv_sim *sim, lv_error *err)
{
    const lv_state *x = &sim->state;
    const lv_near near = lv_system_nearly_dependent(sim->system, x->t, x->q, x->v);
    const double change = DBL_EPSILON / (near.value * near.value);
    char says[700];
    lv_text text = {0};
    if (near.value == 1)
        return LV_OK;
    lv_text_append(&text,
                   "%s at the start: a combination of their gradients is %.1e of them. ",
                   lv_near_says(&near, sim->system, says, sizeof says), near.value);
    if (change < 0.1)
        lv_text_append(&text,
                       "Rounding changes velocities by about %.0e of their size, and "
                       "decides multipliers",
                       change);
    else
        lv_text_append(&text, "Rounding decides velocities and multipliers");
    lv_text_append(&text, "; leave one of the constraints out");
    return lv_notes_take(notes, &text, err);
}

lv_status lv_notes_options(lv_notes *notes, const lv_sim *sim,
                           const lv_scheme_options *options, lv_error *err)
{
    lv_option_info info;
    for (int k = 0; lv_option_describe(k, &info); k++) {
        const char *reason = lv_option_without_effect((lv_option)k, sim->model, options);
        lv_text text = {0};
        if (!reason)
            continue;
        lv_text_append(&text, "option '%s' has no effect: %s", info.name, reason);
        LV_TRY(lv_notes_take(notes, &text, err));
    }
    return LV_OK;
}

/* Whether the map belongs to a declared symmetry that the system does not have, so that
 * no scheme can keep it. */
static bool is_spoilt(const lv_system *s, int map)
{
    return map < s->declared && s->spoilt[map];
}

lv_status lv_notes_momenta(lv_notes *notes, const lv_sim *sim,
                           const lv_scheme_options *options, lv_error *err)
{
    const int maps = lv_system_map_count(sim->system);
    bool *kept = lv_arena_alloc(notes->arena, (size_t)maps + 1, sizeof *kept);
    lv_text text = {0};
    int count = 0;
    if (!kept)
        return lv_fail_memory(err);
    if (!sim->scheme->keeps || maps == 0)
        return LV_OK;
    LV_TRY(lv_declared_judge(sim->system, err));
    LV_TRY(lv_model_kept_momenta(sim->model, sim->scheme->info.name, options, kept, maps,
                                 err));
    for (int k = 0; k < maps; k++)
        if (!kept[k] && !is_spoilt(sim->system, k) && count++ < 6)
            lv_text_append(&text, "%sJ.%s", count > 1 ? ", " : "",
                           lv_system_map_name(sim->system, k));
    if (count == 0) {
        lv_text_done(&text);
        return LV_OK;
    }
    lv_text_append(&text,
                   "%s: scheme %s keeps %s to the order of its error here, not to "
                   "rounding; the formulas do not show the symmetry to its discrete "
                   "gradients ('livens explain %s')",
                   count > 6 ? ", ..." : "", sim->scheme->info.name,
                   count > 1 ? "them" : "it", sim->scheme->info.name);
    return lv_notes_take(notes, &text, err);
}
