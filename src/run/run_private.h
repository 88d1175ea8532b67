/* Inside a run; shared by run.c (beginning, loop, end), resume.c and summary.c. */
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
    bool renewable; /* the simulation may be used again */
    lv_monitor monitor;
    lv_recorder recorder;
    lv_row_store store;    /* with request.keep_rows */
    double began, flushed; /* seconds */
    long long done, total; /* steps */
    long long next_row;    /* no row is due before this step */
    double last;           /* size of the last step */
    double *checkpoint;
    int checkpoint_size;
    lv_notes notes;
    lv_feeds feeds; /* tables of inputs */
} lv_running;

lv_running *lv_run_new(lv_error *err);

/* Simulation, monitor and recorder as the request asks; no sink is open. */
lv_status lv_run_prepare(lv_running *run, lv_error *err);

/* The inputs at the end, and their tables, in the summary (steered.c). */
lv_status lv_run_note_inputs(lv_running *run, lv_error *err);

/* Fails if there are more steps than can be told apart. */
lv_status lv_run_check_total(const lv_running *run, lv_error *err);

/* A run at its start: simulation, monitor, sinks and the first row. Free run->view with lv_run_summary_free. */
lv_status lv_run_begin(lv_running **run, const lv_model *model,
                       const lv_run_request *request, const lv_tap *tap, lv_error *err);

/* The same for a run whose simulation may be used again (run/sim.h), which has its model then; `used` is one that was
 * renewed for this model and request, and is the run's from now on; NULL: there is none. */
lv_status lv_run_begin_with(lv_running **run, const lv_model *model, lv_sim *used,
                            const lv_run_request *request, const lv_tap *tap,
                            lv_error *err);

/* Runs from where the simulation stands; whatever happens, what was recorded is kept. */
lv_status lv_run_carry_out(lv_running *run, lv_error *err);

/* The parts of it, for callers that have several runs at once: the next step with all that follows from it; the end, with
 * how the last step ended. */
lv_status lv_run_step(lv_running *run, lv_error *err);
lv_status lv_run_conclude(lv_running *run, lv_status status, lv_error *err);

/* What a file keeps so that the run can go on: texts at its beginning, in the run's arena, and a
 * checkpoint of so many numbers at every flush, written into run->checkpoint. */
lv_status lv_run_header(lv_running *run, lv_header *header, lv_error *err);
int lv_run_checkpoint_size(const lv_running *run);
void lv_run_checkpoint_write(lv_running *run);

/* Whether the numbers of a checkpoint can be what they should be; the run as they have it. */
bool lv_run_checkpoint_is_sound(const lv_running *run, const double *from);
void lv_run_checkpoint_read(lv_running *run, const double *from);

/* A warning that a resumed run's CSV file is not there any more. */
lv_status lv_run_note_lost_csv(lv_running *run, const char *path, lv_error *err);

/* The model's outputs at the end, while the recorder is still there. */
lv_status lv_run_note_outputs(lv_running *run, lv_error *err);

/* Fills run->view. After a failed step the state and the monitor are those of the last good one. */
lv_status lv_run_summarise(lv_running *run, lv_error *err);

#endif
