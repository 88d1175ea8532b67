/* The inner structure of a study, shared by study.c (checks of the request, the course of
 * a study), study_methods.c (schemes and options), study_reference.c (the motion that
 * errors are measured against), study_run.c (one run), study_ladder.c (step sizes and
 * orders) and study_advice.c (recommendations for tolerances). */
#ifndef LV_STUDY_STUDY_H
#define LV_STUDY_STUDY_H

#include <livens/study.h>

#include "base/arena.h"
#include "base/memory.h"
#include "run/feed.h"
#include "run/sim.h"
#include "study/marks.h"

/* Errors are measured at each quarter of the time. */
enum { LV_STUDY_MARKS = 4, LV_STUDY_MESSAGE = 400 };

/* A run that is to be done, or is done. */
typedef struct lv_study_task {
    int method;
    long long part; /* number of steps in a quarter of the time */
    lv_study_run run;
    lv_status status; /* failure that is not one of the run: memory, or LV_OK */
    bool dropped;     /* the study was interrupted during this run */
    char message[LV_STUDY_MESSAGE];
} lv_study_task;

/* A scheme with options, and its runs in the order of their steps, the largest first. */
typedef struct lv_study_entry {
    lv_study_method view;
    lv_scheme_options given; /* as given, not completed with defaults */
    lv_claims claims;
    LV_ARRAY(lv_study_run) runs;
} lv_study_entry;

/* A study in progress; the caller's view is the first member. */
typedef struct lv_studier {
    lv_study view;
    lv_arena arena;
    const lv_model *model;
    const lv_study_request *request;
    lv_sim_options options; /* of the run */
    lv_feeds feeds;         /* tables of inputs; runs take copies */
    lv_system *system;
    lv_state start;
    lv_marks marks;
    double *reference; /* states of the reference at the marks */
    bool *kept;        /* momentum maps of the system that the motion keeps */
    long long finest;  /* largest number of steps of a run whose step the study chooses */
    long long part;    /* number of steps in a quarter with the central step size */
    double order_floor; /* smaller errors tell nothing about an order */
    const double *tolerances;
    int tolerance_count;
    LV_ARRAY(lv_study_entry) entries;
    LV_ARRAY(lv_study_refusal) refusals;
    LV_ARRAY(lv_study_task) tasks; /* of the current wave */
    bool stop;                     /* the caller wants it to end */
    int done, stopped, known;      /* numbers of runs: ended, failed, planned so far */
    double began;
} lv_studier;

/* A copy that lives as long as the study; NULL, with the error set, if memory is
 * short. */
const char *lv_studier_text(lv_studier *studier, const char *text, lv_error *err);

/* Lists the schemes and options to study, and the reasons why others are not. */
lv_status lv_studier_list(lv_studier *studier, lv_error *err);

/* "lobatto, 3 stages" and "lobatto:stages=3", for given options. */
void lv_study_label(char *buffer, size_t size, const char *scheme,
                    const lv_scheme_options *given);
void lv_study_spec(char *buffer, size_t size, const char *scheme,
                   const lv_scheme_options *given);

/* Chooses how long the study lasts, and computes the reference. */
lv_status lv_studier_refer(lv_studier *studier, lv_error *err);

/* Creates a simulation with this step. */
lv_status lv_studier_sim(const lv_studier *studier, lv_sim **sim, const char *scheme,
                         const lv_scheme_options *given, double step, lv_error *err);

/* Runs the task. */
void lv_studier_run(lv_studier *studier, lv_study_task *task);

/* Runs with this step like `livens run`, with a shortened last step, and measures error
 * and processor time at the end. */
lv_status lv_studier_confirm(lv_studier *studier, const lv_study_entry *entry,
                             double step, lv_study_advice *advice, lv_error *err);

/* Reports progress; false: the study must end. `ended`: runs that have ended since the
 * last call. */
bool lv_studier_go_on(lv_studier *studier, int ended, int failed);

/* Does all runs of all methods, then determines their orders. */
lv_status lv_studier_climb(lv_studier *studier, lv_error *err);

/* Finds the recommended method for each tolerance. */
lv_status lv_studier_advise(lv_studier *studier, lv_error *err);

#endif
