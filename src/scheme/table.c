#include "base/text.h"
#include "base/usage.h"
#include "expr/analyse.h"
#include "model/motion.h"
#include "model/option.h"
#include "scheme/compose.h"
#include "scheme/scheme.h"
#include "system/mass_definite.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define LV_X(id) extern const lv_scheme id;
#include "scheme/list.h"
#undef LV_X

enum {
#define LV_X(id) NUMBER_##id,
#include "scheme/list.h"
#undef LV_X
    OWN_SCHEMES
};

/* The library's own schemes, followed by space for those of callers (registered.c) and
 * the final NULL. */
const lv_scheme *lv_scheme_table[OWN_SCHEMES + LV_REGISTERED_MOST + 1] = {
#define LV_X(id) &id,
#include "scheme/list.h"
#undef LV_X
};

const lv_scheme *lv_scheme_find(const char *name)
{
    for (int k = 0; lv_scheme_table[k]; k++)
        if (strcmp(lv_scheme_table[k]->info.name, name) == 0)
            return lv_scheme_table[k];
    return NULL;
}

int lv_scheme_stages(const lv_scheme *scheme, const lv_scheme_options *options)
{
    return (int)lv_scheme_option(options, LV_OPTION_STAGES, scheme->info.default_stages);
}

lv_status lv_scheme_blame(lv_status status, const lv_scheme_options *options,
                          const lv_option *candidates, lv_error *err)
{
    const lv_option *blamed = candidates;
    while (*blamed != LV_OPTIONS && !lv_scheme_option_given(options, *blamed))
        blamed++;
    if (status == LV_ERR_MODEL)
        lv_option_blame(*blamed != LV_OPTIONS ? *blamed : candidates[0], err);
    return status;
}

static void blame_scheme(const char *name, lv_error *err)
{
    lv_error_about(err, LV_ABOUT_SCHEME, 0);
    lv_error_name(err, name);
}

/* ---- systems -------------------------------------------------------------------------------- */

static unsigned traits_of(const lv_system *s)
{
    const bool by_velocity =
        (lv_plan_depends(s->dynamics_plan, LV_Q_FORCE) & LV_KIND(V)) != 0;
    return (s->m > 0 ? LV_TRAIT_HOLONOMIC : 0u) |
           (s->has_nonholonomic ? LV_TRAIT_NONHOLONOMIC : 0u) |
           (s->mass_constant ? 0u : LV_TRAIT_MASS_VARIES) |
           (s->mass_regular ? 0u : LV_TRAIT_MASS_SINGULAR) |
           (s->quadratic ? 0u : LV_TRAIT_NOT_QUADRATIC) |
           (by_velocity ? LV_TRAIT_VELOCITY_FORCES : 0u);
}

enum { GENERAL = 6 };

/* The restrictions that follow from the public part of a descriptor, in the order in
 * which they are reported. */
static void list_general(const lv_scheme_info *info, lv_restriction list[GENERAL])
{
    const lv_restriction all[GENERAL] = {
        {LV_ALWAYS, info->nonholonomic ? 0 : LV_TRAIT_NONHOLONOMIC,
         "does not take nonholonomic constraints", NULL},
        {LV_ALWAYS, info->mass == LV_MASS_SINGULAR ? 0 : LV_TRAIT_MASS_SINGULAR,
         "inverts the mass matrix, which is singular at the start", NULL},
        {LV_ALWAYS, info->mass == LV_MASS_CONSTANT ? LV_TRAIT_MASS_VARIES : 0,
         "is for constant mass matrices", NULL},
        {LV_ALWAYS, info->any_lagrangian ? 0 : LV_TRAIT_NOT_QUADRATIC,
         "needs a kinetic energy that is quadratic in the velocities, without linear "
         "terms",
         NULL},
        {LV_ALWAYS, info->no_velocity_forces ? LV_TRAIT_VELOCITY_FORCES : 0,
         "does not take forces that depend on velocities", NULL},
        {LV_ALWAYS, info->holonomic ? 0 : LV_TRAIT_HOLONOMIC,
         "does not take holonomic constraints", NULL},
    };
    memcpy(list, all, sizeof all);
}

/* The first restriction that applies to one of the traits; with traits 0 if none
 * applies. */
static lv_restriction find_restriction(const lv_scheme *scheme, unsigned traits,
                                       const lv_scheme_options *options)
{
    lv_restriction general[GENERAL];
    list_general(&scheme->info, general);
    for (int k = 0; k < GENERAL - 1; k++)
        if ((general[k].traits & traits) != 0)
            return general[k];
    const lv_restriction *own = scheme->restrictions;
    for (; own && own->traits != 0; own++)
        if ((own->traits & traits) != 0 &&
            (own->option == LV_ALWAYS ||
             lv_scheme_option(options, (lv_option)own->option, 0) != 0))
            return *own;
    general[GENERAL - 1].traits &= traits;
    return general[GENERAL - 1];
}

unsigned lv_scheme_refused_traits(const lv_scheme *scheme,
                                  const lv_scheme_options *options)
{
    unsigned refused = 0;
    for (unsigned trait = 1; trait <= LV_TRAIT_VELOCITY_FORCES; trait <<= 1)
        if (find_restriction(scheme, trait, options).traits != 0)
            refused |= trait;
    return refused;
}

/* Like lv_scheme_fits, but without a hint that names other schemes. */
static lv_status takes(const lv_scheme *scheme, const lv_system *still,
                       const lv_scheme_options *options, lv_error *err)
{
    lv_system *system = NULL;
    LV_TRY(lv_scheme_moves_in(scheme, &system, still->self, options, err));
    const lv_restriction found = find_restriction(scheme, traits_of(system), options);
    if (found.traits == 0)
        return scheme->fits ? scheme->fits(scheme, system, options, err) : LV_OK;
    lv_status status =
        lv_fail(err, LV_ERR_MODEL, "scheme '%s' %s", scheme->info.name, found.reason);
    if (found.traits & LV_TRAIT_MASS_SINGULAR)
        lv_massless_note(system->model, err);
    if (found.option != LV_ALWAYS)
        lv_option_blame((lv_option)found.option, err);
    if (found.hint)
        lv_error_hint(err, "%s", found.hint);
    return status;
}

/* Names of schemes for a hint. */
typedef struct name_list {
    const char *names[sizeof lv_scheme_table / sizeof *lv_scheme_table];
    int count;
} name_list;

/* "rattle, verlet or em" */
static void list_text(const name_list *list, const char *last, char *buffer, size_t size)
{
    buffer[0] = '\0';
    for (int k = 0; k < list->count; k++) {
        size_t used = strlen(buffer);
        const char *before = k == 0 ? "" : k + 1 < list->count ? ", " : last;
        snprintf(buffer + used, size - used, "%s%s", before, list->names[k]);
    }
}

static lv_kept energy_of(const lv_scheme *scheme)
{
    const lv_scheme_options none = {0};
    lv_claims claims = {0};
    scheme->claims(scheme, &claims, &none);
    return claims.energy;
}

static bool takes_with(const lv_scheme *scheme, const lv_system *system,
                       const lv_scheme_options *options)
{
    const lv_scheme *chosen = NULL;
    return lv_scheme_choose(&chosen, scheme->info.name, options, NULL) == LV_OK &&
           takes(scheme, system, options, NULL) == LV_OK;
}

/* Lists the schemes that take the system, composed to the order `composed` unless that is
 * 0. Schemes that keep the energy as well as the refused one come first. */
static void list_fitting(name_list *list, const lv_scheme *refused,
                         const lv_system *system, double composed)
{
    lv_scheme_options wanted = {0};
    if (composed > 0)
        lv_scheme_option_set(&wanted, LV_OPTION_COMPOSE, composed);
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; lv_scheme_table[k]; k++) {
            const lv_scheme *other = lv_scheme_table[k];
            const bool alike = energy_of(other) == energy_of(refused);
            if (alike == (pass == 0) && takes_with(other, system, &wanted))
                list->names[list->count++] = other->info.name;
        }
}

/* Writes "gauss takes it with rotations = exp; otherwise " if another value of
 * `rotations` makes the scheme fit, otherwise "". */
static void other_rotations(const lv_scheme *scheme, const lv_system *system,
                            const lv_scheme_options *options, char *buffer, size_t size)
{
    lv_option_info info;
    lv_scheme_options other = *options;
    buffer[0] = '\0';
    if (!lv_model_has_poses(system->model, false) ||
        !lv_option_describe(LV_OPTION_ROTATIONS, &info))
        return;
    for (int k = 0; info.choices[k] && !buffer[0]; k++) {
        lv_scheme_option_set(&other, LV_OPTION_ROTATIONS, k);
        if (k != (int)lv_rotations_of(options) && takes_with(scheme, system, &other))
            snprintf(buffer, size, "%s takes it with rotations = %s; otherwise ",
                     scheme->info.name, info.choices[k]);
    }
}

static void hint_fitting(const lv_scheme *refused, const lv_system *system,
                         const lv_scheme_options *options, lv_error *err)
{
    const double composed = lv_scheme_option(options, LV_OPTION_COMPOSE, 0);
    name_list list = {.count = 0};
    char text[300], rotations[100];
    other_rotations(refused, system, options, rotations, sizeof rotations);
    list_fitting(&list, refused, system, composed);
    const bool without = list.count == 0 && composed > 0;
    if (without)
        list_fitting(&list, refused, system, 0);
    list_text(&list, " or ", text, sizeof text);
    if (list.count > 0 && without)
        lv_error_hint(err,
                      "%sno scheme takes this model composed; without compose, use %s",
                      rotations, text);
    else if (list.count > 0)
        lv_error_hint(err, "%suse %s", rotations, text);
    else if (system->mass_regular)
        lv_error_hint(err, "no scheme takes this model");
    else
        lv_error_hint(err, "no scheme takes this model: give every coordinate kinetic "
                           "energy, or a constraint that holds it");
}

lv_status lv_scheme_fits(const lv_scheme *scheme, const lv_system *system,
                         const lv_scheme_options *options, lv_error *err)
{
    lv_status status = takes(scheme, system, options, err);
    if (status == LV_ERR_MODEL && err && err->about == LV_ABOUT_NOTHING)
        blame_scheme(scheme->info.name, err);
    if (status == LV_ERR_MODEL && err && err->hint[0] == '\0')
        hint_fitting(scheme, system, options, err);
    return status;
}

bool lv_scheme_unstable(const lv_scheme *scheme, const lv_scheme_options *options,
                        char *buffer, size_t size)
{
    assert(options && buffer && size > 0);
    return scheme->unstable && scheme->unstable(scheme, options, buffer, size);
}

lv_status lv_scheme_keeps(const lv_scheme *scheme, lv_system *system,
                          const lv_scheme_options *options, bool *kept, lv_error *err)
{
    assert(options && kept);
    lv_claims claims = {0};
    scheme->claims(scheme, &claims, options);
    for (int k = 0; k < lv_system_map_count(system); k++)
        kept[k] = claims.momentum == LV_KEPT_EXACT;
    if (claims.momentum != LV_KEPT_EXACT || !scheme->keeps)
        return LV_OK;
    return scheme->keeps(scheme, system, kept, err);
}

/* ---- names and options ------------------------------------------------------------------------ */

static lv_status unknown_scheme(const char *name, lv_error *err)
{
    lv_nearest nearest;
    lv_nearest_start(&nearest, name);
    for (int k = 0; lv_scheme_table[k]; k++)
        lv_nearest_offer(&nearest, lv_scheme_table[k]->info.name);
    lv_status status = lv_fail(err, LV_ERR_MODEL, "there is no scheme '%s'", name);
    blame_scheme(name, err);
    lv_nearest_hint(&nearest, err, "'livens list schemes' shows what there is");
    return status;
}

/* A hint that names the schemes with this option. */
static void hint_takers(lv_option option, const lv_scheme *refused, lv_error *err)
{
    name_list list = {.count = 0};
    lv_option_info info = {0};
    char text[300];
    for (int k = 0; lv_scheme_table[k]; k++)
        if (lv_scheme_table[k]->info.options >> option & 1)
            list.names[list.count++] = lv_scheme_table[k]->info.name;
    list_text(&list, " and ", text, sizeof text);
    if (list.count > 0 && lv_option_describe((int)option, &info))
        lv_error_hint(err, "%s works with %s", info.name, text);
    else
        lv_error_hint(err, "'livens explain %s' shows what it takes", refused->info.name);
}

/* Whether the option may be given. A fixed number of stages may be given as well, and
 * check_compose reports on compositions. */
static bool is_taken(const lv_scheme *scheme, int option)
{
    return option == LV_OPTION_COMPOSE ||
           (option == LV_OPTION_STAGES && scheme->info.most_stages > 0) ||
           scheme->info.options >> option & 1;
}

static lv_status check_given(const lv_scheme *scheme, const lv_scheme_options *options,
                             lv_error *err)
{
    if (options->given >> LV_OPTIONS)
        return lv_fail(err, LV_ERR_USAGE,
                       "options are given that version %s does not have", LIVENS_VERSION);
    for (int k = 0; k < LV_OPTIONS; k++) {
        lv_option_info info;
        if (!lv_option_describe(k, &info) || !(options->given >> k & 1))
            continue;
        if (!is_taken(scheme, k)) {
            lv_status status =
                lv_fail(err, LV_ERR_MODEL, "scheme '%s' has no option '%s'",
                        scheme->info.name, info.name);
            lv_option_blame((lv_option)k, err);
            const char *reason = scheme->why_no_option
                                     ? scheme->why_no_option(scheme, (lv_option)k)
                                     : NULL;
            if (reason)
                lv_error_note(err, "%s", reason);
            hint_takers((lv_option)k, scheme, err);
            return status;
        }
        LV_TRY(lv_option_check((lv_option)k, options->value[k], err));
    }
    return LV_OK;
}

static lv_status check_stages(const lv_scheme *scheme, const lv_scheme_options *options,
                              lv_error *err)
{
    int stages = lv_scheme_stages(scheme, options);
    const lv_scheme_info *info = &scheme->info;
    if (stages >= info->least_stages && stages <= info->most_stages)
        return LV_OK;
    if (info->least_stages == info->most_stages) {
        lv_status status = lv_fail(
            err, LV_ERR_MODEL, "scheme '%s' always has %d stage%s, not %d", info->name,
            info->least_stages, info->least_stages == 1 ? "" : "s", stages);
        lv_option_blame(LV_OPTION_STAGES, err);
        hint_takers(LV_OPTION_STAGES, scheme, err);
        return status;
    }
    lv_status status =
        lv_fail(err, LV_ERR_MODEL, "scheme '%s' has %d to %d stages, not %d", info->name,
                info->least_stages, info->most_stages, stages);
    lv_option_blame(LV_OPTION_STAGES, err);
    return status;
}

/* Hints at other ways to the order: on groups a step has its chart at the start, and is
 * symmetric only with a single stage and the exponential map. */
static void hint_order_on_groups(const lv_scheme *scheme, int order, lv_error *err)
{
    static const char why[] =
        "on groups a step is symmetric only with a single stage and rotations exp";
    if (scheme->kicks)
        lv_error_hint(err,
                      "%s; for order %d take scheme lobatto with stages %d there, or "
                      "compose with rotations directors or exact",
                      why, order, order / 2 + 1);
    else if (scheme->family == LV_FAMILY_LOBATTO)
        lv_error_hint(err,
                      "%s; stages %d have order %d without composition, or compose with "
                      "rotations directors",
                      why, order / 2 + 1, order);
    else
        lv_error_hint(err,
                      "%s; stages %d have order %d without composition, or compose "
                      "stages 1 with rotations exp",
                      why, order / 2, order);
}

static lv_status check_order(const lv_scheme *scheme, const lv_scheme_options *options,
                             lv_error *err)
{
    double weights[LV_COMPOSE_MOST];
    int count = 0;
    lv_claims claims = {0};
    const int wanted = (int)lv_scheme_option(options, LV_OPTION_COMPOSE, 0);
    if (wanted == 0)
        return LV_OK;
    if (wanted != 4 && wanted != 6 && wanted != 8)
        return lv_fail(err, LV_ERR_MODEL,
                       "schemes are composed to order 4, 6 or 8, not to %d", wanted);
    scheme->claims(scheme, &claims, options);
    if (!scheme->info.composable || !claims.symmetric) {
        lv_status status = lv_fail(
            err, LV_ERR_MODEL,
            scheme->info.composable
                ? "with these options scheme '%s' is not symmetric and cannot be composed"
                : "scheme '%s' is not symmetric and cannot be composed",
            scheme->info.name);
        if (scheme->info.composable && lv_rotations_of(options) != LV_ROTATIONS_DIRECTORS)
            hint_order_on_groups(scheme, wanted, err);
        else
            hint_takers(LV_OPTION_COMPOSE, scheme, err);
        return status;
    }
    if (lv_compose(weights, &count, claims.order, wanted, err) == LV_OK)
        return LV_OK;
    /* lv_compose reports misuse, but here the order comes from a model */
    if (err)
        err->code = LV_ERR_MODEL;
    return LV_ERR_MODEL;
}

static lv_status check_compose(const lv_scheme *scheme, const lv_scheme_options *options,
                               lv_error *err)
{
    static const lv_option blamed[] = {LV_OPTION_COMPOSE, LV_OPTIONS};
    return lv_scheme_blame(check_order(scheme, options, err), options, blamed, err);
}

static lv_status check_rotations(const lv_scheme *scheme,
                                 const lv_scheme_options *options, lv_error *err)
{
    const bool coupled = lv_scheme_option(options, LV_OPTION_POSES, 0) != 0;
    const lv_rotations_as as = lv_rotations_of(options);
    const bool exact = as == LV_ROTATIONS_EXACT;
    if (coupled && (as == LV_ROTATIONS_DIRECTORS || exact)) {
        lv_status status =
            lv_fail(err, LV_ERR_MODEL, "poses are coupled on groups, not with %s",
                    exact ? "exact rotations" : "directors");
        lv_option_blame(LV_OPTION_POSES, err);
        lv_error_hint(err, "rotations = exp or cay, or leave poses separate");
        return status;
    }
    if ((exact ? scheme->kicks : scheme->moves) || as == LV_ROTATIONS_DIRECTORS)
        return LV_OK;
    name_list list = {.count = 0};
    char text[300];
    lv_status status =
        scheme->moves
            ? lv_fail(err, LV_ERR_MODEL,
                      "steps of scheme '%s' are no kicks between which bodies could turn "
                      "exactly",
                      scheme->info.name)
            : lv_fail(err, LV_ERR_MODEL, "scheme '%s' moves bodies by their axes only",
                      scheme->info.name);
    lv_option_blame(LV_OPTION_ROTATIONS, err);
    for (int k = 0; lv_scheme_table[k]; k++)
        if (exact ? lv_scheme_table[k]->kicks : lv_scheme_table[k]->moves)
            list.names[list.count++] = lv_scheme_table[k]->info.name;
    list_text(&list, " and ", text, sizeof text);
    if (exact)
        lv_error_hint(err, "exact works with %s", text);
    else
        lv_error_hint(err, "leave rotations at directors; on groups there are %s", text);
    return status;
}

lv_status lv_scheme_choose(const lv_scheme **result, const char *name,
                           const lv_scheme_options *options, lv_error *err)
{
    const lv_scheme_options none = {0};
    assert(name);
    const lv_scheme *scheme = lv_scheme_find(name);
    options = options ? options : &none;
    *result = NULL;
    if (!scheme)
        return unknown_scheme(name, err);
    LV_TRY(check_given(scheme, options, err));
    LV_TRY(check_stages(scheme, options, err));
    LV_TRY(check_rotations(scheme, options, err));
    if (scheme->check)
        LV_TRY(scheme->check(scheme, options, err));
    LV_TRY(check_compose(scheme, options, err));
    *result = scheme;
    return LV_OK;
}

bool lv_scheme_describe(int k, lv_scheme_info *info)
{
    if (!info || k < 0)
        return false;
    for (int i = 0; i <= k; i++)
        if (!lv_scheme_table[i])
            return false;
    *info = lv_scheme_table[k]->info;
    return true;
}

lv_status lv_scheme_claims(lv_claims *claims, const char *name,
                           const lv_scheme_options *options, lv_error *err)
{
    const lv_scheme *scheme = NULL;
    lv_error_clear(err);
    LV_NEED(err, claims);
    LV_NEED(err, name);
    LV_TRY(lv_scheme_choose(&scheme, name, options, err));
    const lv_scheme_options none = {0};
    scheme->claims(scheme, claims, options ? options : &none);
    const int composed = (int)lv_scheme_option(options, LV_OPTION_COMPOSE, 0);
    if (composed > claims->order)
        claims->order = composed;
    return LV_OK;
}

lv_status lv_scheme_complete(lv_scheme_options *complete, const char *name,
                             const lv_scheme_options *options, lv_error *err)
{
    const lv_scheme_options given = options ? *options : (lv_scheme_options){0};
    const unsigned of_some_models =
        LV_TAKES(ROTATIONS) | LV_TAKES(POSES) | LV_TAKES(MULTIPLIERS);
    const lv_scheme *scheme = NULL;
    lv_error_clear(err);
    LV_NEED(err, complete);
    LV_NEED(err, name);
    LV_TRY(lv_scheme_choose(&scheme, name, &given, err));
    *complete = given;
    /* coupled poses are on groups */
    if (lv_scheme_option(&given, LV_OPTION_POSES, 0) != 0)
        lv_scheme_option_set(complete, LV_OPTION_ROTATIONS, lv_rotations_of(&given));
    for (int k = 0; k < LV_OPTIONS; k++) {
        const lv_option option = (lv_option)k;
        if (lv_scheme_option_given(&given, option) || !(scheme->info.options >> k & 1) ||
            of_some_models >> k & 1)
            continue;
        lv_scheme_option_set(
            complete, option,
            scheme->default_value ? scheme->default_value(scheme, option, &given) : 0);
    }
    if (scheme->info.most_stages > 1) /* a single stage is not an option */
        lv_scheme_option_set(complete, LV_OPTION_STAGES,
                             lv_scheme_stages(scheme, &given));
    return LV_OK;
}

lv_status lv_scheme_dense(const lv_scheme *scheme, const lv_scheme_options *options,
                          lv_error *err)
{
    lv_claims claims = {0};
    lv_status status = LV_OK;
    scheme->claims(scheme, &claims, options);
    if (!scheme->slopes)
        status = lv_fail(err, LV_ERR_MODEL, "scheme '%s' has no dense output",
                         scheme->info.name);
    else if (lv_scheme_option(options, LV_OPTION_COMPOSE, 0) > claims.order)
        status = lv_fail(err, LV_ERR_MODEL, "composed steps have no dense output");
    if (status != LV_OK)
        lv_error_hint(err,
                      "lobatto, gauss, radau, ansatz and dpg have it, as do rattle and "
                      "verlet, with more stages or a higher degree for higher order");
    return status;
}
