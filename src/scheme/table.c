#include "base/text.h"
#include "scheme/compose.h"
#include "scheme/scheme.h"

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
    return options && options->stages != 0 ? options->stages
                                           : scheme->info.default_stages;
}

static lv_status unknown_scheme(const char *name, lv_error *err)
{
    lv_nearest nearest;
    lv_nearest_start(&nearest, name);
    for (int k = 0; lv_scheme_table[k]; k++)
        lv_nearest_offer(&nearest, lv_scheme_table[k]->info.name);
    lv_status status = lv_fail(err, LV_ERR_MODEL, "there is no scheme '%s'", name);
    const char *best = lv_nearest_result(&nearest);
    if (best)
        lv_error_hint(err, "'%s' was meant?", best);
    else
        lv_error_hint(err, "'livens list schemes' shows what there is");
    return status;
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
    if (options->compose == 0)
        return LV_OK;
    scheme->claims(scheme, &claims, options);
    if (!scheme->info.composable) {
        lv_status status = lv_fail(
            err, LV_ERR_MODEL,
            claims.symmetric
                ? "composing scheme '%s' raises its order only without constraints"
                : "scheme '%s' is not symmetric and cannot be composed",
            scheme->info.name);
        lv_error_hint(err, "compose works with rattle, verlet, lobatto, gauss and em");
        return status;
    }
    if (lv_compose(weights, &count, claims.order, options->compose, err) == LV_OK)
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
    LV_TRY(check_stages(scheme, options, err));
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
    const lv_scheme_options none = {0};
    lv_error_clear(err);
    LV_TRY(lv_scheme_choose(&scheme, name, options, err));
    options = options ? options : &none;
    scheme->claims(scheme, claims, options);
    if (options->compose > claims->order)
        claims->order = options->compose;
    return LV_OK;
}
