/* Studies: which schemes accept a model, how accurate they are with which step, and what
 * that costs. */
#ifndef LIVENS_STUDY_H
#define LIVENS_STUDY_H

#include "run.h"
#include "sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A scheme to study. If options are given, the scheme is studied with exactly these; if
 * not, with several numbers of stages, compositions and descriptions of rotations, as far
 * as the model accepts them. */
typedef struct lv_study_choice {
    const char *scheme;
    lv_scheme_options options;
} lv_study_choice;

/* A run of a study. An error is the largest difference of a coordinate from the
 * reference, relative to the largest coordinate of the motion; likewise for momenta.
 * Errors are measured at each quarter of the time. The coordinates are those of the
 * model, including positions and axes of bodies, whatever variables the scheme uses. */
typedef struct lv_study_run {
    double step;
    long long steps;     /* number of steps of this size up to the end */
    lv_status status;    /* LV_OK, or why the run stopped */
    const char *message; /* message of a run that stopped; NULL: it did not */
    double time;         /* time that was reached */
    /* the largest error; NAN: the run stopped, or the error is not finite */
    double error;
    /* the largest errors of coordinates and of momenta */
    double error_position, error_momentum;
    double error_end; /* the larger of both at the end */
    bool below_floor; /* the error is not larger than the uncertainty of the reference */
    double seconds;   /* processor time of the steps */
    /* iterations of the nonlinear solver per step, averaged over the steps that were
     * examined */
    double iterations;
    /* Largest deviations at the nodes that were examined, some hundreds. NAN: the model
     * or scheme has no such quantity. */
    /* of the energy, or of its balance with work, relative to the size of the energies */
    double energy;
    double momentum; /* of the momentum maps, relative to sums of |q| |p| */
    double position; /* |g| */
    double velocity; /* |dg/dt| or, for nonholonomic constraints, |Phi| */
} lv_study_run;

/* What a given error costs, interpolated between two runs. */
typedef struct lv_study_cost {
    double tolerance;
    double step, seconds; /* NAN: no run has such a small error */
} lv_study_cost;

typedef struct lv_study_method {
    const char *scheme;
    lv_scheme_options options; /* complete */
    /* name for readers: "lobatto, 3 stages", "rattle to order 4" */
    const char *label;
    const char *spec; /* argument for --schemes: "lobatto:stages=3" */
    bool own;         /* [run] of the model asks for this method */
    int order;        /* promised order */
    /* observed order over the three smallest steps whose errors count; NAN: there are too
     * few */
    double observed;
    bool asymptotic; /* these errors shrink as the promised order says */
    int cost_count;  /* one for each tolerance */
    const lv_study_cost *costs;
    int run_count;
    const lv_study_run *runs; /* the largest step first */
} lv_study_method;

/* A scheme that does not accept the model. */
typedef struct lv_study_refusal {
    const char *scheme;
    const char *reason;
} lv_study_refusal;

/* The cheapest method for a given error. Its step was interpolated and then confirmed by
 * a run of its own from the start to the end. */
typedef struct lv_study_advice {
    double tolerance;
    /* number of the method; -1: none reaches the tolerance, and the note says why */
    int method;
    double step;
    long long steps;  /* number of steps; the last one may be shorter */
    double error;     /* error at the end of the confirming run */
    double seconds;   /* processor time of its steps */
    const char *note; /* NULL if there is a method */
} lv_study_advice;

/* What errors are measured against: two independent methods. */
typedef struct lv_study_reference {
    const char *first,
        *second; /* "extrapolation of the accelerations, order 16", "lobatto, 6 stages" */
    double first_step, second_step;
    /* The largest relative difference between the two: the known bound on the error of
     * either. */
    double difference;
    double floor; /* errors below this are meaningless */
} lv_study_reference;

typedef struct lv_study {
    /* the progress callback ended it: runs, orders and advice may be missing */
    bool interrupted;
    double asked; /* end of the run */
    double until; /* end of the study */
    /* why the study ends earlier than the run; NULL: it does not */
    const char *shortened;
    /* step around which the others were chosen; 0: all steps were given */
    double step;
    int threads;
    double seconds; /* wall time */
    lv_study_reference reference;
    int method_count, refusal_count, advice_count;
    const lv_study_method *methods;
    const lv_study_refusal *refusals;
    const lv_study_advice *advices; /* one for each tolerance */
    int failed;                     /* number of runs that stopped */
} lv_study;

/* Fill with lv_study_request_default, then change; lv_run_request_change changes `run`. */
typedef struct lv_study_request {
    /* Its step (0: chosen to resolve the motion), start, end and tables are used; its
     * scheme is one of those that are studied. */
    lv_run_request run;
    /* study up to the end of the run, however long it takes and however sensitive the
     * motion is */
    bool whole;
    int choice_count; /* 0: all schemes that take the model */
    const lv_study_choice *choices;
    int step_count; /* 0: steps are chosen around the step of the run */
    /* step sizes; each is made slightly smaller if necessary to hit all quarters of the
     * time */
    const double *steps;
    int tolerance_count; /* 0: 1e-3, 1e-6 and 1e-9 */
    const double *tolerances;
    int threads; /* 0: lv_sweep_threads() */
    /* Called from time to time, from different threads but never concurrently; `members`
     * is the number of runs, which may grow. Returning false ends the study properly. May
     * be NULL. */
    bool (*progress)(void *user, const lv_sweep_progress *progress);
    void *user;
    size_t reserved[8]; /* zeros, for later versions */
} lv_study_request;

LV_API lv_study_request lv_study_request_default(const lv_model *model);

/* Makes a study. Inputs with tables are constant in every step, as in a run, so errors
 * include those of the tables; the reference uses the table row by row. A run that stops
 * is no failure: it says why. All results but times and the advice, which depends on
 * times, have the same bits for any number of threads. LV_ERR_MODEL if there is no such
 * scheme, if no scheme accepts the
 * model or a chosen one does not, or if a step is larger than
 * the time; LV_ERR_NUMERIC if no two methods agree well enough for a reference. Free with
 * lv_study_free before the model. */
LV_API LV_NODISCARD lv_status lv_study_make(lv_study **study, const lv_model *model,
                                            const lv_study_request *request,
                                            lv_error *err);
LV_API void lv_study_free(lv_study *study);

#ifdef __cplusplus
}
#endif
#endif
