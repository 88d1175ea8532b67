/* Studies: which scheme takes a model, how accurate is it with which step, and what does that cost? */
#ifndef LIVENS_STUDY_H
#define LIVENS_STUDY_H

#include "run.h"
#include "sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A scheme that is to be studied. With options it is exactly that; without any, the scheme with several numbers of
 * stages, compositions and descriptions of rotations, as far as the model takes them. */
typedef struct lv_study_choice {
    const char *scheme;
    lv_scheme_options options;
} lv_study_choice;

/* Errors are the largest difference of a coordinate to the reference, relative to the largest coordinate of the motion, and
 * the same of momenta. They are found at each quarter of the time. The coordinates are those of the model, whatever the
 * scheme computes with: positions and axes of bodies, too. */
typedef struct lv_study_run {
    double step;
    long long steps;     /* of that size, to the end */
    lv_status status;    /* LV_OK, or why the run stopped */
    const char *message; /* of a run that stopped; NULL: it did not */
    double time;         /* reached */
    double error;        /* the largest one; NAN: the run stopped, or it is not finite */
    double error_position, error_momentum; /* the largest ones of each */
    double error_end;                      /* of both, at the end only */
    bool below_floor; /* the error is not larger than what is known of the reference */
    double seconds;   /* processor time of the steps */
    double
        iterations; /* of the nonlinear solver, mean over the steps that were looked at */
    /* Largest deviations at the nodes that were looked at, some hundred of them. NAN: there is no such thing. */
    double
        energy; /* of the energy, or of its balance with work; relative to the size of the energies */
    double momentum; /* of the momentum maps, relative to sums of |q| |p| */
    double position; /* |g| */
    double velocity; /* |dg/dt| or, of nonholonomic constraints, |Phi| */
} lv_study_run;

/* What an error costs, between two runs: interpolated, and not run itself. */
typedef struct lv_study_cost {
    double tolerance;
    double step, seconds; /* NAN: no run has so small an error */
} lv_study_cost;

typedef struct lv_study_method {
    const char *scheme;
    lv_scheme_options options; /* complete */
    const char *label;         /* for readers: "lobatto, 3 stages", "rattle to order 4" */
    const char *spec;          /* for --schemes: "lobatto:stages=3" */
    bool own;                  /* what the model's [run] asks for */
    int order;                 /* promised */
    double
        observed; /* over the three smallest steps whose errors count; NAN: these are too few */
    bool asymptotic; /* these errors shrink as the promised order says */
    int cost_count;  /* one for each tolerance */
    const lv_study_cost *costs;
    int run_count;
    const lv_study_run *runs; /* the largest step first */
} lv_study_method;

/* A scheme that does not take the model. */
typedef struct lv_study_refusal {
    const char *scheme;
    const char *reason;
} lv_study_refusal;

/* The cheapest way to an error. Its step was interpolated, and then run on its own from the start to the end. */
typedef struct lv_study_advice {
    double tolerance;
    int method; /* by number; -1: none reaches the tolerance, and the note says why */
    double step;
    long long steps;  /* the last one may be shortened */
    double error;     /* at the end of the confirming run */
    double seconds;   /* processor time of its steps */
    const char *note; /* NULL where there is a method */
} lv_study_advice;

/* What errors are measured against: two methods that have nothing to do with each other. */
typedef struct lv_study_reference {
    const char *first,
        *second; /* "extrapolation of the accelerations, order 16", "lobatto, 6 stages" */
    double first_step, second_step;
    double
        difference; /* between them, relative, the largest one: what is known of the error of either */
    double floor; /* errors below it mean nothing */
} lv_study_reference;

typedef struct lv_study {
    bool
        interrupted; /* the progress callback ended it: runs, orders and advice may be missing */
    double asked;          /* until when the run lasts */
    double until;          /* until when the study does */
    const char *shortened; /* why that is earlier; NULL: it is not */
    double step;           /* around which steps were chosen; 0: all were given */
    int threads;
    double seconds; /* wall time */
    lv_study_reference reference;
    int method_count, refusal_count, advice_count;
    const lv_study_method *methods;
    const lv_study_refusal *refusals;
    const lv_study_advice *advices; /* one for each tolerance */
    int failed;                     /* runs that stopped */
} lv_study;

/* Fill with lv_study_request_default, then change; lv_run_request_change changes `run`. */
typedef struct lv_study_request {
    lv_run_request
        run; /* step (0: one that resolves the motion), start, end and tables count, and the scheme as one of many */
    bool
        whole; /* to the end of the run, however long that takes and however sensitive the motion is */
    int choice_count; /* 0: all schemes that take the model */
    const lv_study_choice *choices;
    int step_count; /* 0: chosen around the step of the run */
    const double *
        steps; /* each is made a little smaller if that is needed to hit all quarters of the time */
    int tolerance_count; /* 0: 1e-3, 1e-6 and 1e-9 */
    const double *tolerances;
    int threads; /* 0: lv_sweep_threads() */
    /* Called now and then, from different threads but never two at a time; `members` are runs, and there may be more
     * of them later. Returning false ends the study in good order. May be NULL. */
    bool (*progress)(void *user, const lv_sweep_progress *progress);
    void *user;
    size_t reserved[8]; /* zeros, for later versions */
} lv_study_request;

LV_API lv_study_request lv_study_request_default(const lv_model *model);

/* Studies. Inputs with tables are constant in every step, as in a run: errors are those of the tables, too, and the
 * reference goes from row to row. A run that stops is no failure: it says why. Apart from times, and what is concluded from them, which is the
 * advice, results are the same bits for any number of threads. Fails with LV_ERR_MODEL if there is no such scheme, if no
 * scheme takes the model, or a chosen one does not, and for steps larger than the time; with LV_ERR_NUMERIC if no two
 * methods agree well enough for a reference. Free with lv_study_free; the model must live as long. */
LV_API LV_NODISCARD lv_status lv_study_make(lv_study **study, const lv_model *model,
                                            const lv_study_request *request,
                                            lv_error *err);
LV_API void lv_study_free(lv_study *study);

#ifdef __cplusplus
}
#endif
#endif
