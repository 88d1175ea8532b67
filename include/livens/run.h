/* Whole runs: integrate, watch what should be kept, record, report. */
#ifndef LIVENS_RUN_H
#define LIVENS_RUN_H

#include "sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lv_progress {
    double time, until;
    long long steps, total_steps;
    double seconds; /* since the run began */
} lv_progress;

/* What an input of the model is in the course of a run, from a CSV file with rising times. Its first line may name the
 * columns: t, and that of the input, u, or of a vector u[1], u[2], ...; others may stand beside them. Without names they
 * are t and the components. Inputs are constant in every step. */
typedef enum lv_table_kind {
    LV_TABLE_HELD, /* the last row at or before the beginning of the step; before all rows as in the model */
    LV_TABLE_LINEAR /* between rows in the middle of the step, which is of order 2; beyond them as at the ends */
} lv_table_kind;

typedef struct lv_input_table {
    const char *input; /* its name */
    const char *path;  /* of the file */
    const char *text;  /* what stands there, instead of the file; NULL: it is read */
    lv_table_kind kind;
    size_t reserved[2]; /* zeros, for later versions */
} lv_input_table;

/* A recorded row, as callbacks see it; arrays of lv_model_coordinate_count numbers. */
typedef struct lv_row_state {
    double t;
    const double *q, *v, *p;
    size_t reserved[4]; /* for later versions */
} lv_row_state;

/* Fill with lv_run_request_default, then change. */
typedef struct lv_run_request {
    lv_sim_options sim;
    double until; /* 0: the start and no step; NAN: not given, which is an error */
    int every;    /* record every so many steps, and the last one */
    double
        sample; /* instead, if > 0: record at its multiples, between steps, and the end */
    const char *csv; /* paths; NULL: not wanted, "-": standard output */
    const char *hdf5;
    int channel_count;           /* columns of the files besides the time; 0: all */
    const char *const *channels; /* their names; of a vector also the name alone */
    double flush_seconds;        /* results are made safe on disk this often */
    const char *command; /* how the run was asked for, kept in the HDF5 file; NULL: not */
    /* Called now and then; returning false ends the run in good order. May be NULL. */
    bool (*progress)(void *user, const lv_progress *progress);
    void *user;
    bool
        keep_rows; /* in memory, too: `kept` of the summary has the rows that files get */
    int table_count;
    const lv_input_table *tables; /* of inputs */
    /* Called before every step, behind the tables: it may set inputs, ask, and call lv_sim_forget. Returning false ends
     * the run in good order. May be NULL. */
    bool (*before_step)(void *user, lv_sim *sim);
    /* Called with every row that is recorded, those between steps included; false as above. May be NULL. */
    bool (*at_row)(void *user, const lv_row_state *row);
    size_t reserved[4]; /* zeros, for later versions */
} lv_run_request;

LV_API lv_run_request lv_run_request_default(const lv_model *model);

/* Changes of what a model wishes; zeros and NULL: as it wishes. Options of schemes in the model
 * only count for the scheme that it names. */
typedef struct lv_run_changes {
    const char *scheme;
    lv_scheme_options options; /* those that are given */
    double step, until;
    bool ends; /* until counts, also if it is 0 */
    int every;
    double sample;
    const lv_initial *initial;
    int table_count; /* instead of those that there are, if > 0 */
    const lv_input_table *tables;
    size_t reserved[6]; /* zeros, for later versions */
} lv_run_changes;

LV_API void lv_run_request_change(lv_run_request *request, const lv_run_changes *changes);

/* A quantity that should be kept. */
typedef struct lv_kept_quantity {
    const char *name;
    double initial, final, max_deviation;
    /* max_deviation to |initial|. NAN where initial is but the rounding of terms that cancel, so that
     * there is nothing to relate to. */
    double relative;
} lv_kept_quantity;

/* The work of all that has this name, in the whole run. */
typedef struct lv_work {
    const char *name;
    double value;
} lv_work;

/* A table that an input of the model followed. */
typedef struct lv_table_info {
    const char *input, *path;
    const char *kind; /* "held", "linear" */
    long long rows;
    double first, last; /* times */
} lv_table_info;

/* What a file holds for certain, also of a run that stopped because its disk was full. */
typedef struct lv_recorded {
    long long rows;
    double time; /* of the last one */
} lv_recorded;

/* A column of recorded rows. */
typedef struct lv_row_column {
    const char *name; /* "t", "a[1]", "J.L_z": as in CSV */
    const char *kind; /* "t", "q", "momentum", ...: the dataset in HDF5 */
} lv_row_column;

/* Recorded rows in memory: the columns and the bits that files have. */
typedef struct lv_rows {
    long long count;
    int column_count;
    const lv_row_column
        *columns;         /* those of one kind stand side by side; the first is t */
    const double *values; /* row by row */
} lv_rows;

/* What a run did; complete also for a run that stopped early. */
typedef struct lv_run_summary {
    lv_status status; /* LV_OK, or why the run stopped */
    bool interrupted; /* the progress callback ended it */
    bool
        has_legendre; /* the scheme and the model are such that legendre_max is watched */
    const char *scheme;
    lv_scheme_options options; /* complete, see lv_scheme_complete */
    double step, until;
    long long steps;
    double seconds;

    lv_start_change start; /* what initial = "project" did */
    double time;           /* reached */
    int order;
    int coordinates;
    int constraints,
        holonomic;           /* all of them, and the holonomic ones, which come first */
    const double *q, *v, *p; /* final state */
    const double *lambda;    /* multipliers at the final state */
    const double *
        lambda_scheme; /* those of the last step, as the scheme has them; NULL: it has none */
    const double *
        gamma; /* of the hidden constraints, in the last step; NULL: the scheme has none */

    lv_kept_quantity energy;
    double kinetic, potential; /* final */
    int work_count;            /* where forces, or what depends on time, do work */
    const lv_work *works;
    lv_kept_quantity
        balance; /* E less its initial value and all work, relative to the size of the energies; its
                  * name is NULL where nothing does work */
    int output_count, momentum_count;
    const lv_output *outputs; /* final */
    int part_count;
    const lv_part_result *parts; /* final, section by section */
    const lv_kept_quantity *momenta;
    lv_kept_quantity invariant; /* of the scheme; its name is NULL where there is none */
    double position_max, velocity_max; /* largest residuals of g and dg/dt at any node */
    double nonholonomic_max;           /* and of nonholonomic constraints */
    long long
        undetermined_rows; /* recorded rows with multipliers that rounding decides */
    double
        lag_max; /* largest distance of multipliers that a scheme carries from those of the
                     * motion, looked at every tenth step; 0: to rounding, or none are carried */
    double
        legendre_max; /* largest |p - dL/dv| of a node relative to the largest |p|, for schemes whose velocities are
                       * not those of their momenta where the mass matrix varies; 0: for others */
    double newton_mean;
    int newton_max;
    int warning_count;
    const char *const *warnings;
    /* Bit k: the scheme promises property k (lv_property) to rounding, and this run alone shows that it was kept. What takes
     * more than a run, such as the order, is measured by lv_verify. */
    unsigned shown;
    long long rows; /* recorded */
    lv_recorded csv,
        hdf5; /* what has arrived in the files; no rows where there is none */
    const char *csv_path, *hdf5_path; /* NULL: no such file */
    const lv_rows *kept; /* with keep_rows, until the summary is freed; NULL: not kept */
    int event_count;
    const lv_event_info *events;
    const char *stopped_by; /* the event that ended the run; NULL: none did */
    int input_count;
    const lv_output *inputs; /* in the last step */
    int table_count;
    const lv_table_info *tables; /* of inputs */
    int change_count;
    const lv_change_info *changes; /* of inputs, and what else before_step changed */
} lv_run_summary;

/* Runs. The summary is filled as far as the run came, also on failure; it is NULL only if the
 * run could not begin. Free it with lv_run_summary_free. */
LV_API LV_NODISCARD lv_status lv_run(lv_run_summary **summary, const lv_model *model,
                                     const lv_run_request *request, lv_error *err);

/* Goes on with a run from its HDF5 file, to the end it was meant to reach or to a later one
 * (until <= 0: as before); progress and user may be NULL. The result is bit for bit that of an uninterrupted run, unless
 * the run had reached its end with a shortened last step: steps then go on from there. The run's CSV
 * file is cut to the rows of the checkpoint and goes on, too, if it is still where it was. The model is
 * the one stored in the file; *model has to be freed after the summary. */
LV_API LV_NODISCARD lv_status
lv_resume(lv_run_summary **summary, lv_model **model, const char *path, double until,
          bool (*progress)(void *user, const lv_progress *p), void *user, lv_error *err);

LV_API void lv_run_summary_free(lv_run_summary *summary);

#ifdef __cplusplus
}
#endif
#endif
