#include "report/certificate.h"

#include "base/memory.h"
#include "run/run.h"

#include <math.h>
#include <stdio.h>

static const char *const promises[] = {"nothing", "bounded error", "to rounding"};

typedef struct row {
    const char *property;
    const char *promised;
    double measured, bound; /* NAN: there is none */
    const char *verdict;    /* "kept", "broken", "measured", "open" */
    const char *note;       /* NULL: none */
} row;

static void put_row(lv_json *j, const row *r)
{
    lv_json_open(j, '{');
    lv_json_put_text(j, "property", r->property);
    lv_json_put_text(j, "promised", r->promised);
    lv_json_put_number(j, "measured", r->measured);
    lv_json_put_number(j, "bound", r->bound);
    lv_json_put_text(j, "verdict", r->verdict);
    if (r->note)
        lv_json_put_text(j, "note", r->note);
    lv_json_close(j, '}');
}

/* What is promised exactly is judged, what is promised otherwise only measured. */
static void put_kept(lv_json *j, const char *property, lv_kept promise, double measured,
                     double bound)
{
    const bool exact = promise == LV_KEPT_EXACT;
    const row r = {property,
                   promises[promise],
                   measured,
                   exact && bound > 0 ? bound : (double)NAN,
                   !exact || !(bound > 0) ? "measured"
                   : measured <= bound    ? "kept"
                                          : "broken",
                   NULL};
    put_row(j, &r);
}

static void put_energy(lv_json *j, const lv_run_summary *run, const lv_claims *claims,
                       const lv_run_sizes *sizes)
{
    char promise[60];
    if (lv_run_is_conservative(run)) {
        put_kept(j, "energy E", claims->energy, run->energy.max_deviation,
                 sizes->rounding * sizes->energy);
        return;
    }
    (void)snprintf(promise, sizeof promise, "to order %d", run->order);
    const bool has_work = run->balance.name != NULL;
    const row r = {has_work ? "energy less work" : "energy E",
                   has_work ? promise : "nothing",
                   has_work ? run->balance.max_deviation : run->energy.max_deviation,
                   (double)NAN,
                   "measured",
                   NULL};
    put_row(j, &r);
}

static lv_status put_momenta(lv_json *j, const lv_run_summary *run,
                             const lv_run_sizes *sizes, lv_error *err)
{
    bool *kept = lv_memory_zeroed((size_t)run->momentum_count + 1, sizeof *kept);
    if (!kept)
        return lv_fail_memory(err);
    lv_status status = lv_run_kept_momenta(run, kept, err);
    for (int k = 0; k < run->momentum_count && status == LV_OK; k++) {
        char name[200];
        (void)snprintf(name, sizeof name, "momentum J.%s", run->momenta[k].name);
        put_kept(j, name, kept[k] ? LV_KEPT_EXACT : LV_KEPT_NOT,
                 run->momenta[k].max_deviation, sizes->rounding * sizes->momentum);
    }
    lv_memory_free(kept);
    return status;
}

/* Constraints are held to a limit each: the worst of them decides. */
static void put_residual(lv_json *j, const char *property, lv_kept promise,
                         double measured, double limit, bool strayed)
{
    const bool exact = promise == LV_KEPT_EXACT;
    const row r = {property,
                   promises[promise],
                   measured,
                   exact && limit > 0 ? limit : (double)NAN,
                   !exact    ? "measured"
                   : strayed ? "broken"
                             : "kept",
                   NULL};
    put_row(j, &r);
}

static void put_constraints(lv_json *j, const lv_run_summary *run,
                            const lv_claims *claims, const lv_run_sizes *sizes)
{
    if (run->holonomic > 0) {
        put_residual(j, "constraints g", claims->position, run->position_max,
                     sizes->position, sizes->position_strayed);
        put_residual(j, "their rates dg/dt", claims->velocity, run->velocity_max,
                     sizes->velocity, sizes->velocity_strayed);
    }
    if (run->constraints > run->holonomic) {
        const row r = {"nonholonomic constraints",
                       promises[claims->velocity],
                       run->nonholonomic_max,
                       (double)NAN,
                       "measured",
                       NULL};
        put_row(j, &r);
    }
}

/* What takes more than one run to show. */
static void put_open(lv_json *j, const lv_run_summary *run, const lv_claims *claims)
{
    char order[60];
    /* The flow itself is not where constraints are on velocities. */
    const bool symplectic = claims->symplectic && run->constraints == run->holonomic;
    (void)snprintf(order, sizeof order, "order %d", run->order);
    const row rows[] = {
        {"convergence", order, (double)NAN, (double)NAN, "open", NULL},
        {"symplectic", symplectic ? "yes" : "no", (double)NAN, (double)NAN, "open", NULL},
        {"symmetric in time", claims->symmetric ? "yes" : "no", (double)NAN, (double)NAN,
         "open", NULL}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
        put_row(j, &rows[k]);
}

lv_status lv_certificate_put(lv_json *j, const lv_run_summary *run, lv_error *err)
{
    lv_claims claims;
    const lv_run_sizes sizes = lv_run_sizes_of(run);
    const double of_limit = 0x1p-52 / 1e-8; /* limits are 1e-8 of what g is a sum of */
    LV_TRY(lv_scheme_claims(&claims, run->scheme, &run->options, err));
    lv_json_key(j, "certificate");
    lv_json_open(j, '[');
    if (run->steps > 0) { /* before that nothing has been shown */
        put_energy(j, run, &claims, &sizes);
        LV_TRY(put_momenta(j, run, &sizes, err));
        put_constraints(j, run, &claims, &sizes);
    }
    put_open(j, run, &claims);
    lv_json_close(j, ']');
    lv_json_key(j, "rounding");
    lv_json_open(j, '{');
    lv_json_put_number(j, "energy", 0x1p-52 * sizes.energy);
    lv_json_put_number(j, "momentum", 0x1p-52 * sizes.momentum);
    lv_json_put_number(j, "position", of_limit * sizes.position);
    lv_json_close(j, '}');
    return LV_OK;
}
