/* Structure certificates: the promises of a scheme, measured on one model with one
 * step. */
#ifndef LIVENS_VERIFY_H
#define LIVENS_VERIFY_H

#include "run.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lv_finding_verdict {
    LV_FINDING_KEPT,     /* promised and within the bound */
    LV_FINDING_BROKEN,   /* promised and beyond the bound */
    LV_FINDING_MEASURED, /* not promised */
    LV_FINDING_OPEN /* promised, but the measurement is inconclusive: the note says why */
} lv_finding_verdict;

/* The name of a verdict: "kept", "broken", "not promised", "open"; NULL out of range. */
LV_API const char *lv_finding_verdict_name(lv_finding_verdict verdict);

/* The finding about one property. A certificate has one for each property that applies to
 * the model and the scheme, and one for each momentum map. */
typedef struct lv_finding {
    lv_property property;
    /* name of the momentum map or invariant; NULL: the property has none */
    const char *name;
    const char *promise; /* "2", "to rounding", "bounded"; NULL: nothing is promised */
    double measured;     /* NAN: there is no number */
    double noise;        /* uncertainty of `measured`; NAN: not known */
    double bound; /* lower bound for orders, else an upper bound; NAN: there is none */
    lv_finding_verdict verdict;
    const char *note; /* how it was measured, and why there is no verdict */
} lv_finding;

/* Errors of several step sizes against a reference that is independent of the scheme,
 * relative to the size of positions and momenta. */
enum { LV_CONVERGENCE_MOST = 16 };
typedef struct lv_convergence {
    double span;      /* time after which errors are compared */
    double reference; /* error of the reference */
    int count;        /* number of steps whose errors count, the largest first */
    double step[LV_CONVERGENCE_MOST], error[LV_CONVERGENCE_MOST];
    double order[LV_CONVERGENCE_MOST]; /* order between step k and step k + 1 */
    /* order over three of these steps; NAN: not observed */
    double observed;
    /* the step of the run lies where errors shrink with the order */
    bool asymptotic;
    double asymptotic_step; /* the largest step for which this was observed; 0: none */
} lv_convergence;

/* The error of the energy over the run, relative to the size of the energies, and a
 * straight line fitted to it. */
typedef struct lv_energy_drift {
    double amplitude; /* largest deviation */
    /* slope of the line per time, and the half width of its 99 % confidence interval */
    double rate, interval;
} lv_energy_drift;

typedef struct lv_certificate {
    const char *scheme;
    lv_scheme_options options; /* complete */
    int order;
    double step, until;
    double time;     /* time until which the run was monitored */
    long long steps; /* number of steps that were monitored */
    int threads;     /* number of concurrent runs; 0: built without threads */
    double seconds;
    int count;
    const lv_finding *findings;
    int verdicts[LV_FINDING_OPEN + 1]; /* number of findings with each verdict */
    lv_convergence convergence;
    lv_energy_drift drift; /* zeros if forces or time-dependent terms do work */
    int warning_count;
    const char *const *warnings; /* warnings of the run */
} lv_certificate;

/* Fill with lv_verify_request_default, then change; lv_run_request_change changes `run`. */
typedef struct lv_verify_request {
    /* Its scheme, options, step, start, end and tables are used; files and rows are
     * not. */
    lv_run_request run;
    /* number of concurrent runs, at most 4; 0: the number of cores, at least 2 */
    int threads;
    /* Called before each of `count` parts of the work. May be NULL. */
    void (*phase)(void *user, int number, int count, const char *what);
    void *user;
    size_t reserved[8]; /* zeros, for later versions */
} lv_verify_request;

LV_API lv_verify_request lv_verify_request_default(const lv_model *model);

/* Measures a certificate. Inputs follow their tables in the run and wherever bits are
 * compared; the order is measured with inputs fixed at their values at the start. A
 * broken promise is no failure: the certificate says so. Fails if a run would fail:
 * LV_ERR_MODEL if the scheme does not accept the model, LV_ERR_NUMERIC if a step of the
 * run cannot be solved. Long runs are monitored for some thousand steps only. Free with
 * lv_certificate_free before the model. */
LV_API LV_NODISCARD lv_status lv_verify(lv_certificate **certificate,
                                        const lv_model *model,
                                        const lv_verify_request *request, lv_error *err);
LV_API void lv_certificate_free(lv_certificate *certificate);

#ifdef __cplusplus
}
#endif
#endif
