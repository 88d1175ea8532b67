/* Coefficients of partitioned Runge-Kutta schemes, for callers of the library. */
#include "base/memory.h"
#include "base/usage.h"
#include "scheme/scheme.h"

/* The caller's view is the first member. */
typedef struct owner {
    lv_coefficients view;
    lv_tableau *tableau;
} owner;

static lv_status coefficients_fill(owner *o, const lv_scheme *scheme,
                                   const lv_scheme_options *options, lv_error *err)
{
    if (scheme->tableau)
        LV_TRY(scheme->tableau(scheme, &o->tableau, options, err));
    const lv_tableau *t = o->tableau;
    if (!t) {
        lv_status status =
            lv_fail(err, LV_ERR_MODEL,
                    "scheme '%s' has no coefficients of a partitioned Runge-Kutta scheme "
                    "with these options",
                    scheme->info.name);
        lv_error_about(err, LV_ABOUT_SCHEME, 0);
        lv_error_name(err, scheme->info.name);
        return status;
    }
    o->view = (lv_coefficients){t->stages, t->c, t->b, t->a, t->ah};
    return LV_OK;
}

lv_status lv_scheme_coefficients(lv_coefficients **coefficients, const char *name,
                                 const lv_scheme_options *options, lv_error *err)
{
    const lv_scheme_options none = {0};
    const lv_scheme *scheme = NULL;
    lv_error_clear(err);
    LV_NEED(err, coefficients);
    *coefficients = NULL;
    LV_NEED(err, name);
    options = options ? options : &none;
    LV_TRY(lv_scheme_choose(&scheme, name, options, err));
    owner *o = lv_memory_zeroed(1, sizeof *o);
    if (!o)
        return lv_fail_memory(err);
    lv_status status = coefficients_fill(o, scheme, options, err);
    if (status == LV_OK)
        *coefficients = &o->view;
    else
        lv_coefficients_free(&o->view);
    return status;
}

void lv_coefficients_free(lv_coefficients *coefficients)
{
    owner *o = (owner *)coefficients;
    if (!o)
        return;
    lv_tableau_free(o->tableau);
    lv_memory_free(o);
}
