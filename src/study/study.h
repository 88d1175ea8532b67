/* Inside of a study; shared by study.c (what is asked, the course of it), study_methods.c (which schemes with which
 * options), study_reference.c (what errors are measured against), study_run.c (one run), study_ladder.c (which steps, and
 * orders) and study_advice.c (what to take for a tolerance). */
#ifndef LV_STUDY_STUDY_H
#define LV_STUDY_STUDY_H

#include <livens/study.h>

#include "base/arena.h"
#include "base/memory.h"
#include "run/feed.h"
#include "run/sim.h"
#include "study/marks.h"

/* Errors are found at each quarter of the time. */
enum { LV_STUDY_MARKS = 4, LV_STUDY_MESSAGE = 400 };

/* A run that is to be done, or was. */
typedef struct lv_study_task {
    int method;
    long long part; /* steps of a quarter of the time */
    lv_study_run run;
    lv_status status; /* other than that of the run: memory, or LV_OK */
    bool dropped;     /* the study was interrupted in it */
    char message[LV_STUDY_MESSAGE];
} lv_study_task;

/* A scheme with options, and its runs in the order of their steps, the largest first. */
typedef struct lv_study_entry {
    lv_study_method view;
    lv_scheme_options given; /* as asked for, not completed */
    lv_claims claims;
    LV_ARRAY(lv_study_run) runs;
} lv_study_entry;

/* A study that is being made; the caller's view is the first member. */
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
    double *reference;  /* states at the marks */
    bool *kept;         /* momentum maps that the motion keeps; those of the system */
    long long finest;   /* most steps of a run whose step is chosen here */
    long long part;     /* steps of a quarter with the step around which others are */
    double order_floor; /* errors below it say nothing of an order */
    const double *tolerances;
    int tolerance_count;
    LV_ARRAY(lv_study_entry) entries;
    LV_ARRAY(lv_study_refusal) refusals;
    LV_ARRAY(lv_study_task) tasks; /* of the present wave */
    bool stop;                     /* somebody wants it to end */
    int done, stopped, known;      /* runs that have ended, stopped, and will be */
    double began;
} lv_studier;

/* A copy that lives as long as the study; NULL, and the error says so, if there is no memory. */
const char *lv_studier_text(lv_studier *studier, const char *text, lv_error *err);

/* Which schemes with which options; refusals of others. */
lv_status lv_studier_list(lv_studier *studier, lv_error *err);

/* "lobatto, 3 stages" and "lobatto:stages=3", of options that are given. */
void lv_study_label(char *buffer, size_t size, const char *scheme,
                    const lv_scheme_options *given);
void lv_study_spec(char *buffer, size_t size, const char *scheme,
                   const lv_scheme_options *given);

/* Chooses how long the study lasts and finds the reference. */
lv_status lv_studier_refer(lv_studier *studier, lv_error *err);

/* A simulation with this step. */
lv_status lv_studier_sim(const lv_studier *studier, lv_sim **sim, const char *scheme,
                         const lv_scheme_options *given, double step, lv_error *err);

/* Runs the task. */
void lv_studier_run(lv_studier *studier, lv_study_task *task);

/* The step as `livens run` takes it, the last one shortened: error and processor time at the end. */
lv_status lv_studier_confirm(lv_studier *studier, const lv_study_entry *entry,
                             double step, lv_study_advice *advice, lv_error *err);

/* Tells of the progress; false: the study is to end. `ended`: runs that have ended since. */
bool lv_studier_go_on(lv_studier *studier, int ended, int failed);

/* All runs of all methods, then their orders. */
lv_status lv_studier_climb(lv_studier *studier, lv_error *err);

/* What to take for each tolerance. */
lv_status lv_studier_advise(lv_studier *studier, lv_error *err);

#endif
