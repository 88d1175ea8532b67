/* Certificates inside of tests. */
#ifndef LV_TESTS_CERTIFICATES_H
#define LV_TESTS_CERTIFICATES_H

#include "../claims/moving.h"

#include "study/verify.h"

static inline lv_certificate *certify(const lv_model *model, const method *m, double step,
                                      double until)
{
    lv_verify_request request = lv_verify_request_default(model);
    lv_certificate *c = NULL;
    lv_error err;
    if (m) {
        request.run.sim.scheme = m->scheme;
        request.run.sim.options = method_options(m);
    }
    if (step > 0)
        request.run.sim.step = step;
    if (until > 0)
        request.run.until = until;
    if (lv_verify(&c, model, &request, &err) != LV_OK)
        fail_with(&err);
    return c;
}

/* The first finding of a property; NULL: there is none. */
static inline const lv_finding *finding(const lv_certificate *c, lv_property property)
{
    for (int k = 0; k < c->count; k++)
        if (c->findings[k].property == property)
            return &c->findings[k];
    return NULL;
}

static inline void show(const lv_certificate *c)
{
    for (int k = 0; k < c->count; k++) {
        const lv_finding *f = &c->findings[k];
        print_message("    %-14s %-12s %.2e (%.1e) %s: %s\n",
                      lv_property_name(f->property), f->promise ? f->promise : "-",
                      f->measured, f->bound, lv_finding_verdict_name(f->verdict),
                      f->note);
    }
}

static inline void assert_verdict(const lv_certificate *c, lv_property property,
                                  lv_finding_verdict verdict)
{
    const lv_finding *f = finding(c, property);
    if (f && f->verdict == verdict)
        return;
    show(c);
    fail_msg("%s is not %s", lv_property_name(property),
             lv_finding_verdict_name(verdict));
}

/* ---- schemes that break their promises --------------------------------------------------------- */

/* Methods of a scheme, with one that is wrong. What is not wrong is that of `base`. */
static lv_scheme broken_scheme;
static const lv_scheme *base_scheme;

static inline void break_scheme(const char *name)
{
    base_scheme = lv_scheme_find(name);
    broken_scheme = *base_scheme;
    lv_verify_replace(&broken_scheme);
}

static inline void mend_scheme(void)
{
    lv_verify_replace(NULL);
}

/* Loses a little of the momentum in every step. */
static inline lv_status lossy_step(void *work, lv_state *state, double h, bool project,
                                   lv_step_report *report, lv_error *err)
{
    const lv_status status = base_scheme->step(work, state, h, project, report, err);
    state->p[0] *= 0.99999;
    state->v[0] *= 0.99999;
    return status;
}

#endif
