/* The inner structure of a certificate, shared by verify.c (checks of the request, order,
 * single steps), verify_run.c (what a run keeps) and verify_bits.c (reproducible
 * bits). */
#ifndef LV_STUDY_VERIFY_H
#define LV_STUDY_VERIFY_H

#include <livens/verify.h>

#include "run/feed.h"
#include "run/findings.h"
#include "run/notes.h"

/* A certificate in progress; the caller's view is the first member. */
typedef struct lv_verifier {
    lv_certificate view;
    lv_arena arena;
    const lv_model *model;
    const lv_verify_request *request;
    lv_sim_options options;
    lv_feeds feeds; /* tables of inputs; other simulations use copies */
    lv_sim *sim;
    lv_claims claims;
    double *start; /* the numbers of the simulation at its start */
    int numbers;
    long long steps;   /* steps of the run */
    long long watched; /* number of these that are watched */
    double seconds_per_step;
    lv_findings findings;
    lv_notes notes;
} lv_verifier;

/* Creates a simulation as the request asks, with the inputs of its first step. */
lv_status lv_verifier_sim(const lv_verifier *verifier, lv_feeds *feeds, lv_sim **sim,
                          lv_error *err);

/* Takes so many steps, in which inputs follow their tables. */
lv_status lv_verifier_take(lv_sim *sim, lv_feeds *feeds, long long count, lv_error *err);

/* The largest number of steps of a run that is watched, and of one that is repeated:
 * fewer for large systems and slow ones. */
long long lv_verifier_most_steps(const lv_verifier *verifier);
long long lv_verifier_few_steps(const lv_verifier *verifier);

lv_status lv_verify_run(lv_verifier *verifier, lv_error *err);
lv_status lv_verify_bits(lv_verifier *verifier, lv_error *err);

/* For tests: this descriptor replaces the scheme's own in all simulations that are
 * verified. NULL: none. */
void lv_verify_replace(const lv_scheme *scheme);

#endif
