/* Structure certificates: what a scheme promises, measured on one model with one step. */
#ifndef LIVENS_VERIFY_H
#define LIVENS_VERIFY_H

#include "run.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lv_finding_verdict {
    LV_FINDING_KEPT,     /* promised, and within the bound */
    LV_FINDING_BROKEN,   /* promised, and beyond it */
    LV_FINDING_MEASURED, /* not promised */
    LV_FINDING_OPEN /* promised, and the measurement cannot tell: the note says why */
} lv_finding_verdict;

/* "kept", "broken", "not promised", "open"; NULL out of range. */
LV_API const char *lv_finding_verdict_name(lv_finding_verdict verdict);

/* A certificate has a finding of each property that applies to the model and the scheme, of momentum maps one for each. */
typedef struct lv_finding {
    lv_property property;
    const char *name;    /* of a momentum map, or of an invariant; NULL: there is none */
    const char *promise; /* "2", "to rounding", "bounded"; NULL: nothing is promised */
    double measured;     /* NAN: there is no number */
    double noise;        /* how far the number may be off; NAN: not known */
    double bound; /* for orders a lower one, else an upper one; NAN: there is none */
    lv_finding_verdict verdict;
    const char *note; /* how it was measured, and why it cannot be judged */
} lv_finding;

/* Errors of a few step sizes against a reference that knows nothing of the scheme. All relative to the size of positions
 * and momenta. */
enum { LV_CONVERGENCE_MOST = 16 };
typedef struct lv_convergence {
    double span;      /* time after which errors are compared */
    double reference; /* error of the reference */
    int count;        /* of the steps whose errors count, the largest first */
    double step[LV_CONVERGENCE_MOST], error[LV_CONVERGENCE_MOST];
    double order[LV_CONVERGENCE_MOST]; /* between step k and step k + 1 */
    double observed;                   /* over three of them; NAN: not seen */
    bool asymptotic;        /* the step itself lies where errors shrink with the order */
    double asymptotic_step; /* the largest one of which that was seen; 0: of none */
} lv_convergence;

/* The error of the energy over the run, relative to the size of the energies, with a straight line through it. */
typedef struct lv_energy_drift {
    double amplitude; /* largest deviation */
    double rate,
        interval; /* per time; 99 % confidence: rate - interval to rate + interval */
} lv_energy_drift;

typedef struct lv_certificate {
    const char *scheme;
    lv_scheme_options options; /* complete */
    int order;
    double step, until;
    double time;     /* until which the run was watched */
    long long steps; /* that were watched */
    int threads;     /* runs side by side; 0: built without threads */
    double seconds;
    int count;
    const lv_finding *findings;
    int verdicts[LV_FINDING_OPEN + 1]; /* how many findings have each verdict */
    lv_convergence convergence;
    lv_energy_drift drift; /* zeros where forces or time do work */
    int warning_count;
    const char *const *warnings; /* as the run gives them */
} lv_certificate;

/* Fill with lv_verify_request_default, then change; lv_run_request_change changes `run`. */
typedef struct lv_verify_request {
    lv_run_request
        run; /* scheme, options, step, start, end and tables count; files and rows do not */
    int threads; /* runs side by side, at most 4; 0: as many as there are cores, and 2 at least */
    /* Called before each of `count` parts of the work. May be NULL. */
    void (*phase)(void *user, int number, int count, const char *what);
    void *user;
    size_t reserved[8]; /* zeros, for later versions */
} lv_verify_request;

LV_API lv_verify_request lv_verify_request_default(const lv_model *model);

/* Measures. Inputs follow their tables in the run and wherever bits are compared; the order is that of the motion with
 * inputs as they are at the start. A broken promise is no failure: the certificate says so. Fails where a run would fail: LV_ERR_MODEL if the
 * scheme does not take the model, LV_ERR_NUMERIC if a step of the run cannot be solved. Long runs are watched for some
 * thousand steps only. Free with lv_certificate_free; the model must live as long. */
LV_API LV_NODISCARD lv_status lv_verify(lv_certificate **certificate,
                                        const lv_model *model,
                                        const lv_verify_request *request, lv_error *err);
LV_API void lv_certificate_free(lv_certificate *certificate);

#ifdef __cplusplus
}
#endif
#endif
