#include "base/text.h"
#include "model/option.h"
#include "scheme/compose.h"
#include "scheme/scheme.h"

#include <stdio.h>
#include <string.h>

#define LV_X(id) extern const lv_scheme id;
#include "scheme/list.h"
#undef LV_X

const lv_scheme *const lv_scheme_table[] = {
#define LV_X(id) &id,
#include "scheme/list.h"
#undef LV_X
    NULL,
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

lv_status lv_scheme_fits(const lv_scheme *scheme, const lv_system *system,
                         const lv_scheme_options *options, lv_error *err)
{
    if (!system->has_nonholonomic || scheme->info.nonholonomic)
        return scheme->fits(scheme, system, options, err);
    lv_status status =
        lv_fail(err, LV_ERR_MODEL, "scheme '%s' does not take nonholonomic constraints",
                scheme->info.name);
    lv_error_hint(err, "use lobatto");
    return status;
}

lv_status lv_scheme_keeps(const lv_scheme *scheme, lv_system *system,
                          const lv_scheme_options *options, bool *kept, lv_error *err)
{
    lv_claims claims = {0};
    scheme->claims(scheme, &claims, options);
    for (int k = 0; k < lv_system_map_count(system); k++)
        kept[k] = claims.momentum == LV_KEPT_EXACT;
    if (claims.momentum != LV_KEPT_EXACT || !scheme->keeps)
        return LV_OK;
    return scheme->keeps(scheme, system, kept, err);
}

static lv_status unknown_scheme(const char *name, lv_error *err)
{
    lv_nearest nearest;
    lv_nearest_start(&nearest, name);
    for (int k = 0; lv_scheme_table[k]; k++)
        lv_nearest_offer(&nearest, lv_scheme_table[k]->info.name);
    lv_status status = lv_fail(err, LV_ERR_MODEL, "there is no scheme '%s'", name);
    lv_nearest_hint(&nearest, err, "'livens list schemes' shows what there is");
    return status;
}

/* A hint that names the schemes with this option: "rattle, verlet and em". */
static void hint_takers(lv_option option, const char *option_name,
                        const lv_scheme *refused, lv_error *err)
{
    char list[300] = "";
    const char *last = NULL;
    for (int k = 0; lv_scheme_table[k]; k++) {
        size_t used = strlen(list);
        if (!(lv_scheme_table[k]->info.options >> option & 1))
            continue;
        if (last)
            snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", last);
        last = lv_scheme_table[k]->info.name;
    }
    if (last)
        lv_error_hint(err, "%s works with %s%s%s", option_name, list,
                      list[0] ? " and " : "", last);
    else
        lv_error_hint(err, "'livens explain %s' shows what it takes", refused->info.name);
}

/* A fixed number of stages may be said, and composition has more to say (check_compose). */
static bool is_taken(const lv_scheme *scheme, int option)
{
    return option == LV_OPTION_COMPOSE ||
           (option == LV_OPTION_STAGES && scheme->info.most_stages > 0) ||
           scheme->info.options >> option & 1;
}

static lv_status check_given(const lv_scheme *scheme, const lv_scheme_options *options,
                             lv_error *err)
{
    for (int k = 0; k < LV_OPTIONS; k++) {
        lv_option_info info;
        if (!lv_option_describe(k, &info) || !(options->given >> k & 1))
            continue;
        if (!is_taken(scheme, k)) {
            lv_status status =
                lv_fail(err, LV_ERR_MODEL, "scheme '%s' has no option '%s'",
                        scheme->info.name, info.name);
            const char *reason =
                scheme->lacks ? scheme->lacks(scheme, (lv_option)k) : NULL;
            if (reason)
                lv_error_note(err, "%s", reason);
            hint_takers((lv_option)k, info.name, scheme, err);
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
    if (info->least_stages == info->most_stages)
        return lv_fail(err, LV_ERR_MODEL, "scheme '%s' has %d stages, not %d", info->name,
                       info->least_stages, stages);
    return lv_fail(err, LV_ERR_MODEL, "scheme '%s' has %d to %d stages, not %d",
                   info->name, info->least_stages, info->most_stages, stages);
}

static lv_status check_compose(const lv_scheme *scheme, const lv_scheme_options *options,
                               lv_error *err)
{
    double weights[LV_COMPOSE_MOST];
    int count = 0;
    lv_claims claims = {0};
    const int wanted = (int)lv_scheme_option(options, LV_OPTION_COMPOSE, 0);
    if (wanted == 0)
        return LV_OK;
    scheme->claims(scheme, &claims, options);
    if (!scheme->info.composable || !claims.symmetric) {
        lv_status status = lv_fail(
            err, LV_ERR_MODEL,
            claims.symmetric
                ? "composing scheme '%s' raises its order only without constraints"
            : scheme->info.composable
                ? "with these options scheme '%s' is not symmetric and cannot be composed"
                : "scheme '%s' is not symmetric and cannot be composed",
            scheme->info.name);
        hint_takers(LV_OPTION_COMPOSE, "compose", scheme, err);
        return status;
    }
    if (lv_compose(weights, &count, claims.order, wanted, err) == LV_OK)
        return LV_OK;
    if (err)
        err->code = LV_ERR_MODEL; /* the caller of lv_compose is a model here */
    return LV_ERR_MODEL;
}

lv_status lv_scheme_choose(const lv_scheme **result, const char *name,
                           const lv_scheme_options *options, lv_error *err)
{
    const lv_scheme_options none = {0};
    const lv_scheme *scheme = lv_scheme_find(name);
    options = options ? options : &none;
    *result = NULL;
    if (!scheme)
        return unknown_scheme(name, err);
    LV_TRY(check_given(scheme, options, err));
    LV_TRY(check_stages(scheme, options, err));
    if (scheme->check)
        LV_TRY(scheme->check(scheme, options, err));
    LV_TRY(check_compose(scheme, options, err));
    *result = scheme;
    return LV_OK;
}

bool lv_scheme_describe(int k, lv_scheme_info *info)
{
    for (int i = 0; i <= k; i++)
        if (!lv_scheme_table[i])
            return false;
    if (k >= 0)
        *info = lv_scheme_table[k]->info;
    return k >= 0;
}

lv_status lv_scheme_claims(lv_claims *claims, const char *name,
                           const lv_scheme_options *options, lv_error *err)
{
    const lv_scheme *scheme = NULL;
    lv_error_clear(err);
    LV_TRY(lv_scheme_choose(&scheme, name, options, err));
    const lv_scheme_options none = {0};
    scheme->claims(scheme, claims, options ? options : &none);
    const int composed = (int)lv_scheme_option(options, LV_OPTION_COMPOSE, 0);
    if (composed > claims->order)
        claims->order = composed;
    return LV_OK;
}
