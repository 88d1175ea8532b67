/* The schemes that are studied, and their options. */
#include "study/study.h"

#include "base/text.h"
#include "model/model.h"
#include "model/motion.h"
#include "scheme/scheme.h"

#include <stdio.h>
#include <string.h>

/* ---- names ----------------------------------------------------------------------------------------- */

/* Appends an option; some values are clear without the name of their option. */
static int add_option(char *at, size_t size, lv_option option, double value)
{
    lv_option_info info;
    char text[40];
    if (!lv_option_describe((int)option, &info))
        return 0;
    lv_option_format(option, value, text, sizeof text);
    if (option == LV_OPTION_STAGES)
        return snprintf(at, size, ", %s stage%s", text, value == 1 ? "" : "s");
    if (option == LV_OPTION_COMPOSE)
        return snprintf(at, size, " to order %s", text);
    if (info.kind == LV_OPTION_IS_CHOICE)
        return snprintf(at, size, ", %s", text);
    if (info.kind == LV_OPTION_IS_FLAG)
        return snprintf(at, size, ", %s%s", value == 0 ? "no " : "", info.name);
    return snprintf(at, size, ", %s %s", info.name, text);
}

/* Whether an option belongs in the label. */
static bool is_said(const lv_scheme_options *given, int k)
{
    const bool by_default =
        (k == LV_OPTION_ROTATIONS || k == LV_OPTION_COMPOSE || k == LV_OPTION_POSES) &&
        given->value[k] == 0;
    return (given->given >> k & 1) && !by_default;
}

void lv_study_label(char *buffer, size_t size, const char *scheme,
                    const lv_scheme_options *given)
{
    size_t used = (size_t)snprintf(buffer, size, "%s", scheme);
    for (int k = 0; k < LV_OPTIONS && used < size; k++)
        if (is_said(given, k))
            used += (size_t)add_option(buffer + used, size - used, (lv_option)k,
                                       given->value[k]);
}

void lv_study_spec(char *buffer, size_t size, const char *scheme,
                   const lv_scheme_options *given)
{
    lv_option_info info;
    char text[40];
    size_t used = (size_t)snprintf(buffer, size, "%s", scheme);
    for (int k = 0; k < LV_OPTIONS && used < size; k++)
        if (is_said(given, k) && lv_option_describe(k, &info))
            used += (size_t)snprintf(
                buffer + used, size - used, ":%s=%s", info.name,
                lv_option_format((lv_option)k, given->value[k], text, sizeof text));
}

const char *lv_studier_text(lv_studier *s, const char *text, lv_error *err)
{
    const char *copy = lv_arena_text(&s->arena, text, strlen(text));
    if (!copy)
        (void)lv_fail_memory(err);
    return copy;
}

/* ---- the list -------------------------------------------------------------------------------------- */

static bool is_listed(const lv_studier *s, const char *scheme,
                      const lv_scheme_options *complete, lv_study_entry **found)
{
    for (int k = 0; k < s->entries.count; k++) {
        lv_study_entry *e = &s->entries.data[k];
        bool equal = strcmp(e->view.scheme, scheme) == 0;
        for (int i = 0; i < LV_OPTIONS && equal; i++)
            equal = lv_scheme_option(&e->view.options, (lv_option)i, 0) ==
                    lv_scheme_option(complete, (lv_option)i, 0);
        if (equal) {
            *found = e;
            return true;
        }
    }
    return false;
}

static lv_status try_scheme(const lv_studier *s, const char *name,
                            const lv_scheme_options *given, lv_error *err)
{
    const lv_scheme *scheme = NULL;
    LV_TRY(lv_scheme_choose(&scheme, name, given, err));
    return lv_scheme_fits(scheme, s->system, given, err);
}

/* Adds a scheme that takes the model, unless it is listed already. */
static lv_status add_method(lv_studier *s, const char *name,
                            const lv_scheme_options *given, bool own, lv_error *err)
{
    char text[200];
    lv_study_entry entry = {.given = *given}, *found = NULL;
    const lv_scheme *scheme = NULL;
    LV_TRY(lv_scheme_choose(&scheme, name, given, err));
    LV_TRY(lv_scheme_complete(&entry.view.options, name, given, err));
    if (is_listed(s, name, &entry.view.options, &found)) {
        found->view.own = found->view.own || own;
        return LV_OK;
    }
    LV_TRY(lv_scheme_claims(&entry.claims, name, given, err));
    entry.view.scheme = scheme->info.name;
    entry.view.own = own;
    entry.view.order = entry.claims.order;
    entry.view.observed = (double)NAN;
    lv_study_label(text, sizeof text, name, given);
    entry.view.label = lv_studier_text(s, text, err);
    lv_study_spec(text, sizeof text, name, given);
    entry.view.spec = lv_studier_text(s, text, err);
    if (!entry.view.label || !entry.view.spec || !LV_PUSH(s->entries, entry))
        return lv_fail_memory(err);
    return LV_OK;
}

/* Adds a variant if the model takes it; false: it does not, or memory is short. */
static bool offer(lv_studier *s, const char *name, const lv_scheme_options *given)
{
    return try_scheme(s, name, given, NULL) == LV_OK &&
           add_method(s, name, given, false, NULL) == LV_OK;
}

static lv_scheme_options with(lv_option option, double value)
{
    lv_scheme_options options = {0};
    lv_scheme_option_set(&options, option, value);
    return options;
}

/* Numbers of stages or degrees that are studied; 0 ends the list. Two stages of lobatto
 * are rattle. */
typedef struct range {
    const char *scheme;
    lv_option option;
    int values[6];
} range;

static const range ranges[] = {
    {"lobatto", LV_OPTION_STAGES, {3, 4, 5}},   {"gauss", LV_OPTION_STAGES, {1, 2, 3, 4}},
    {"multistep", LV_OPTION_STAGES, {2, 3, 4}}, {"radau", LV_OPTION_STAGES, {2, 3}},
    {"ansatz", LV_OPTION_DEGREE, {1, 2}},       {"dpg", LV_OPTION_DEGREE, {1, 2, 3}},
};
enum { RANGES = sizeof ranges / sizeof ranges[0] };

/* Adds variants with bodies on groups; symmetric steps are also composed. */
static void offer_rotations(lv_studier *s, const lv_scheme *scheme,
                            lv_scheme_options options)
{
    const lv_rotations_as on_groups[] = {LV_ROTATIONS_EXP, LV_ROTATIONS_CAY};
    if (!scheme->moves || !lv_model_has_poses(s->model, false))
        return;
    for (int k = 0; k < 2; k++) {
        lv_scheme_option_set(&options, LV_OPTION_ROTATIONS, on_groups[k]);
        (void)offer(s, scheme->info.name, &options);
    }
    if (!scheme->kicks)
        return;
    lv_scheme_option_set(&options, LV_OPTION_ROTATIONS, LV_ROTATIONS_EXACT);
    (void)offer(s, scheme->info.name, &options);
    lv_scheme_option_set(&options, LV_OPTION_COMPOSE, 4);
    (void)offer(s, scheme->info.name, &options);
}

/* Adds the scheme itself, compositions, other numbers of stages and other rotations. */
static void offer_variants(lv_studier *s, const lv_scheme *scheme)
{
    const char *name = scheme->info.name;
    const lv_scheme_options none = {0};
    const range *r = NULL;
    for (int k = 0; k < RANGES; k++)
        if (strcmp(ranges[k].scheme, name) == 0)
            r = &ranges[k];
    for (int k = 0; r && r->values[k] > 0; k++) {
        const lv_scheme_options options = with(r->option, r->values[k]);
        if (offer(s, name, &options) && k == 0)
            offer_rotations(s, scheme, options);
    }
    if (r)
        return;
    (void)offer(s, name, &none);
    if (scheme->info.composable)
        for (int order = 4; order <= (scheme->kicks ? 8 : 4); order += 2) {
            const lv_scheme_options options = with(LV_OPTION_COMPOSE, order);
            (void)offer(s, name, &options);
        }
    offer_rotations(s, scheme, none);
}

static lv_status add_refusal(lv_studier *s, const char *scheme, const char *reason,
                             lv_error *err)
{
    const lv_study_refusal refusal = {scheme, lv_studier_text(s, reason, err)};
    return refusal.reason && LV_PUSH(s->refusals, refusal) ? LV_OK : lv_fail_memory(err);
}

/* The reason to leave out a scheme whose steps are those of another one, unless the
 * caller chooses it. */
static const char *twin_of(const lv_studier *s, const lv_scheme *scheme)
{
    const char *name = scheme->info.name;
    if (strcmp(name, s->system->constraint_count > 0 ? "verlet" : "rattle") == 0)
        return s->system->constraint_count > 0 ? "takes the same steps as rattle"
                                               : "takes the same steps as verlet";
    return strcmp(name, "dpg") == 0 ? "takes the same steps as lobatto" : NULL;
}

/* Removes "scheme 'gauss' " from a message, because the table has the name. */
static const char *without_name(const char *text, const char *name)
{
    char words[80];
    const int length = snprintf(words, sizeof words, "scheme '%s' ", name);
    return strncmp(text, words, (size_t)length) == 0 ? text + length : text;
}

static lv_status list_all(lv_studier *s, lv_error *err)
{
    const lv_scheme_options none = {0};
    for (int k = 0; lv_scheme_table[k]; k++) {
        const lv_scheme *scheme = lv_scheme_table[k];
        const char *name = scheme->info.name, *twin = twin_of(s, scheme);
        lv_error why;
        const lv_status status = try_scheme(s, name, &none, &why);
        if (status == LV_ERR_MEMORY)
            return lv_fail_memory(err);
        if (status != LV_OK)
            LV_TRY(add_refusal(s, name, without_name(why.text, name), err));
        else if (twin)
            LV_TRY(add_refusal(s, name, twin, err));
        else
            offer_variants(s, scheme);
    }
    const lv_run_options *run = lv_model_run_options(s->model);
    if (run->scheme && s->options.scheme &&
        try_scheme(s, s->options.scheme, &s->options.options, NULL) == LV_OK)
        LV_TRY(add_method(s, s->options.scheme, &s->options.options, true, err));
    return LV_OK;
}

static lv_status list_chosen(lv_studier *s, lv_error *err)
{
    for (int k = 0; k < s->request->choice_count; k++) {
        const lv_study_choice *choice = &s->request->choices[k];
        LV_TRY(try_scheme(s, choice->scheme, &choice->options, err));
        if (choice->options.given)
            LV_TRY(add_method(s, choice->scheme, &choice->options, false, err));
        else
            offer_variants(s, lv_scheme_find(choice->scheme));
    }
    return LV_OK;
}

lv_status lv_studier_list(lv_studier *s, lv_error *err)
{
    LV_TRY(s->request->choice_count > 0 ? list_chosen(s, err) : list_all(s, err));
    if (s->entries.count > 0)
        return LV_OK;
    const lv_status status = lv_fail(err, LV_ERR_MODEL, "no scheme takes the model");
    if (s->refusals.count > 0)
        lv_error_note(err, "%s %s", s->refusals.data[0].scheme,
                      s->refusals.data[0].reason);
    lv_error_hint(err, "'livens check' says more about the model");
    return status;
}
