#include "report/certificate.h"

#include "run/run.h"

#include <math.h>
#include <stdio.h>

static void put_finding(lv_json *j, const lv_finding *f)
{
    static const char *const verdicts[] = {"kept", "broken", "not_promised", "open"};
    lv_json_open(j, '{');
    lv_json_put_text(j, "property", lv_property_name(f->property));
    if (f->name)
        lv_json_put_text(j, "name", f->name);
    lv_json_put_text(j, "promise", f->promise);
    lv_json_put_number(j, "measured", f->measured);
    lv_json_put_number(j, "bound", f->bound);
    lv_json_put_text(j, "verdict", verdicts[f->verdict]);
    if (f->note)
        lv_json_put_text(j, "note", f->note);
    lv_json_close(j, '}');
}

static void put_findings(lv_json *j, const lv_finding *list, int count)
{
    for (int k = 0; k < count; k++)
        put_finding(j, &list[k]);
}

/* ---- of one run ----------------------------------------------------------------------------------- */

/* Adds the properties that take more than one run to show, as open. */
static void put_open(lv_json *j, const lv_run_summary *run, const lv_claims *claims)
{
    char order[24];
    /* With constraints on velocities the flow itself is not symplectic. */
    const bool symplectic = claims->symplectic && run->constraints == run->holonomic;
    (void)snprintf(order, sizeof order, "%d", run->order);
    const struct {
        lv_property property;
        const char *promise;
    } rows[] = {{LV_PROPERTY_ORDER, order},
                {LV_PROPERTY_SYMPLECTICITY, symplectic ? "to rounding" : NULL},
                {LV_PROPERTY_REVERSIBILITY, claims->symmetric ? "to rounding" : NULL}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
        put_finding(j, &(lv_finding){.property = rows[k].property,
                                     .promise = rows[k].promise,
                                     .measured = (double)NAN,
                                     .bound = (double)NAN,
                                     .verdict = rows[k].promise ? LV_FINDING_OPEN
                                                                : LV_FINDING_MEASURED});
}

lv_status lv_certificate_put_run(lv_json *j, const lv_run_summary *run, lv_error *err)
{
    lv_arena arena = {0};
    lv_findings findings = {.arena = &arena};
    lv_claims claims;
    LV_TRY(lv_scheme_claims(&claims, run->scheme, &run->options, err));
    lv_status status = lv_run_findings(&findings, run, err);
    lv_json_key(j, "certificate");
    lv_json_open(j, '[');
    put_findings(j, findings.list.data, findings.list.count);
    put_open(j, run, &claims);
    lv_json_close(j, ']');
    lv_memory_free(findings.list.data);
    lv_arena_done(&arena);
    return status;
}

/* ---- of verify ------------------------------------------------------------------------------------- */

static void put_numbers(lv_json *j, const char *key, const double *x, int count)
{
    lv_json_key(j, key);
    lv_json_open(j, '[');
    for (int k = 0; k < count; k++)
        lv_json_number(j, x[k]);
    lv_json_close(j, ']');
}

static void put_convergence(lv_json *j, const lv_convergence *c)
{
    lv_json_key(j, "convergence");
    lv_json_open(j, '{');
    lv_json_put_number(j, "t", c->span);
    lv_json_put_number(j, "reference", c->reference);
    put_numbers(j, "steps", c->step, c->count);
    put_numbers(j, "errors", c->error, c->count);
    lv_json_put_number(j, "observed", c->observed);
    lv_json_close(j, '}');
}

lv_status lv_certificate_put(lv_json *j, const lv_certificate *c, lv_error *err)
{
    lv_json_key(j, "certificate");
    lv_json_open(j, '[');
    put_findings(j, c->findings, c->count);
    lv_json_close(j, ']');
    put_convergence(j, &c->convergence);
    return j->text.failed ? lv_fail_memory(err) : LV_OK;
}
