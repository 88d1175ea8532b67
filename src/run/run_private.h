/* The inner structure of a run, shared by run.c (beginning, loop, end), resume.c and
 * summary.c. */
#ifndef LV_RUN_RUN_PRIVATE_H
#define LV_RUN_RUN_PRIVATE_H

#include "out/rows.h"
#include "run/feed.h"
#include "run/notes.h"
#include "run/record.h"
#include "run/run.h"

/* A run and its summary; the caller's view is the first member. */
typedef struct lv_running {
    lv_run_summary view;
    lv_arena arena;
    const lv_model *model;
    lv_run_request request;
    const lv_tap *tap;
    lv_sim *sim;
    bool renewable; /* the simulation may be reused for another run */
    lv_monitor monitor;
    lv_recorder recorder;
    lv_row_store store; /* with request.keep_rows */
    /* wall clock in seconds, at the beginning and at the last flush */
    double began, flushed;
    long long done, total; /* steps */
    long long unfinished;  /* rows of events in a step that failed */
    long long next_row;    /* no row is due before this step */
    double last;           /* size of the last step */
    double *checkpoint;
    int checkpoint_size;
    lv_notes notes;
    lv_feeds feeds; /* tables of inputs */
} lv_running;

lv_running *lv_run_new(lv_error *err);

/* Creates simulation, monitor and recorder as the request asks, without opening sinks. */
lv_status lv_run_prepare(lv_running *run, lv_error *err);

/* Adds the inputs at the end and their tables to the summary (summary_inputs.c). */
lv_status lv_run_note_inputs(lv_running *run, lv_error *err);

/* Fails if there are more steps than can be distinguished. */
lv_status lv_run_check_total(const lv_running *run, lv_error *err);

/* Begins a run: simulation, monitor, sinks and the first row. Free run->view with
 * lv_run_summary_free. */
lv_status lv_run_begin(lv_running **run, const lv_model *model,
                       const lv_run_request *request, const lv_tap *tap, lv_error *err);

/* The same for a run whose simulation may be reused (run/sim.h), and then owns its model.
 * used: a simulation that was renewed for this model and request, which the run owns from
 * now on; NULL: there is none. */
lv_status lv_run_begin_with(lv_running **run, const lv_model *model, lv_sim *used,
                            const lv_run_request *request, const lv_tap *tap,
                            lv_error *err);

/* Runs from the current state to the end. All recorded rows are kept, whatever
 * happens. */
lv_status lv_run_carry_out(lv_running *run, lv_error *err);

/* The parts of it, for callers that have several runs at once: the next step with all its
 * consequences, and the end. status: the result of the last step. */
lv_status lv_run_step(lv_running *run, lv_error *err);
lv_status lv_run_look(lv_running *run, lv_error *err); /* what follows */
lv_status lv_run_conclude(lv_running *run, lv_status status, lv_error *err);

/* What a file stores so that the run can be resumed: texts at the beginning, in the run's
 * arena, and at every flush a checkpoint, which lv_run_checkpoint_write writes to
 * run->checkpoint. */
lv_status lv_run_header(lv_running *run, lv_header *header, lv_error *err);
int lv_run_checkpoint_size(const lv_running *run);
void lv_run_checkpoint_write(lv_running *run);

/* Whether the numbers of a checkpoint are plausible; restoring the run from them. */
bool lv_run_checkpoint_is_sound(const lv_running *run, const double *from);
void lv_run_checkpoint_read(lv_running *run, const double *from);

/* Warns that the CSV file of a resumed run no longer exists. */
lv_status lv_run_note_lost_csv(lv_running *run, const char *path, lv_error *err);

/* Adds the model's outputs at the end to the summary, while the recorder still exists. */
lv_status lv_run_note_outputs(lv_running *run, lv_error *err);

/* Fills run->view. After a failed step, state and monitor are those of the last good
 * step. */
lv_status lv_run_summarise(lv_running *run, lv_error *err);

#endif
