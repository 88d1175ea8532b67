/* Whole runs: integrate, monitor what should be kept, record, report. */
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

/* How an input of the model follows a table in a run. The table is a CSV file with
 * increasing times. Its first line may name the columns: t, and the input u or, for a
 * vector, u[1], u[2], ...; other columns are ignored. Without names the columns are t and
 * the components. Inputs are constant in every step. */
typedef enum lv_table_kind {
    /* the last row at or before the start of the step; the model's value before the first
     * row */
    LV_TABLE_HELD,
    /* linear interpolation at the middle of the step, which is of order 2; the nearest row
     * outside of the table */
    LV_TABLE_LINEAR
} lv_table_kind;

typedef struct lv_input_table {
    const char *input; /* name of the input */
    const char *path;  /* path of the CSV file */
    const char *text;  /* contents of the table; NULL: the file is read */
    lv_table_kind kind;
    size_t reserved[2]; /* zeros, for later versions */
} lv_input_table;

/* A recorded row as callbacks get it; arrays of lv_model_coordinate_count numbers. */
typedef struct lv_row_state {
    double t;
    const double *q, *v, *p;
    size_t reserved[4]; /* for later versions */
} lv_row_state;

/* Fill with lv_run_request_default, then change. */
typedef struct lv_run_request {
    lv_sim_options sim;
    /* end of the run; 0: only the start; NAN: not given, which is an error */
    double until;
    int every; /* record every so many steps, and the last one */
    /* if > 0: record at multiples of this time, between steps, and at the end, instead of
     * `every` */
    double sample;
    const char *csv; /* paths; NULL: not wanted, "-": standard output */
    const char *hdf5;
    /* number of columns of the files besides the time; 0: all */
    int channel_count;
    /* their names; the name of a vector means all its components */
    const char *const *channels;
    /* interval in seconds after which results are synchronised to disk */
    double flush_seconds;
    /* command that started the run, stored in the HDF5 file; NULL: none */
    const char *command;
    /* Called from time to time; returning false ends the run properly. May be NULL. */
    bool (*progress)(void *user, const lv_progress *progress);
    void *user;
    /* keep the rows of the files in memory as well: `kept` of the summary */
    bool keep_rows;
    int table_count;
    const lv_input_table *tables; /* tables of inputs */
    /* Called before every step, after inputs were set from tables. It may set inputs,
     * query the simulation and call lv_sim_forget. Returning false ends the run properly.
     * May be NULL. */
    bool (*before_step)(void *user, lv_sim *sim);
    /* Called with every recorded row, including those between steps; returning false ends
     * the run properly. May be NULL. */
    bool (*at_row)(void *user, const lv_row_state *row);
    size_t reserved[4]; /* zeros, for later versions */
} lv_run_request;

LV_API lv_run_request lv_run_request_default(const lv_model *model);

/* Changes of what [run] of a model says; zeros and NULL leave it as it is. The options of
 * schemes in the model only apply to the scheme that it names. */
typedef struct lv_run_changes {
    const char *scheme;
    lv_scheme_options options; /* only those that are given */
    double step, until;
    bool ends; /* `until` is given, also if it is 0 */
    int every;
    double sample;
    const lv_initial *initial;
    int table_count; /* if > 0: tables that replace those of the request */
    const lv_input_table *tables;
    size_t reserved[6]; /* zeros, for later versions */
} lv_run_changes;

LV_API void lv_run_request_change(lv_run_request *request, const lv_run_changes *changes);

/* A quantity that should be kept. */
typedef struct lv_kept_quantity {
    const char *name;
    double initial, final, max_deviation;
    /* max_deviation relative to |initial|. NAN if initial is only rounding error of terms
     * that cancel, so that there is no size to compare with. */
    double relative;
} lv_kept_quantity;

/* The work of everything of this name during the whole run. */
typedef struct lv_work {
    const char *name;
    double value;
} lv_work;

/* A table that an input of the model followed. */
typedef struct lv_table_info {
    const char *input, *path;
    const char *kind; /* "held", "linear" */
    long long rows;
    double first, last; /* times of the first and the last row */
} lv_table_info;

/* What a file reliably contains, also after a run that stopped because its disk was
 * full. */
typedef struct lv_recorded {
    long long rows;
    double time; /* time of the last row */
} lv_recorded;

/* A column of recorded rows. */
typedef struct lv_row_column {
    const char *name; /* "t", "a[1]", "J.L_z": as in CSV */
    const char *kind; /* "t", "q", "momentum", ...: the dataset in HDF5 */
} lv_row_column;

/* Recorded rows in memory, with the same columns and bits as in files. */
typedef struct lv_rows {
    long long count;
    int column_count;
    const lv_row_column *columns; /* those of one kind are adjacent; the first is t */
    const double *values;         /* row by row */
} lv_rows;

/* What a run did; it is complete also for a run that stopped early. */
typedef struct lv_run_summary {
    lv_status status;  /* LV_OK, or why the run stopped */
    bool interrupted;  /* a callback ended it */
    bool has_legendre; /* legendre_max is monitored for this scheme and model */
    const char *scheme;
    lv_scheme_options options; /* complete, see lv_scheme_complete */
    double step, until;
    long long steps;
    double seconds;

    lv_start_change start; /* what the projection of the start changed */
    double time;           /* time that was reached */
    int order;
    int coordinates;
    /* number of all constraint rows, and of the holonomic ones, which come first */
    int constraints, holonomic;
    const double *q, *v, *p; /* final state */
    const double *lambda;    /* multipliers at the final state */
    /* multipliers of the last step as the scheme computes them; NULL: it has none */
    const double *lambda_scheme;
    /* multipliers of the hidden constraints in the last step; NULL: the scheme has
     * none */
    const double *gamma;

    lv_kept_quantity energy;
    double kinetic, potential; /* at the end */
    int work_count;            /* 0: nothing does work */
    const lv_work *works;
    /* E minus its initial value and all work, relative to the size of the energies; its
     * name is NULL if nothing does work */
    lv_kept_quantity balance;
    int output_count, momentum_count;
    const lv_output *outputs; /* at the end */
    int part_count;
    const lv_part_result *parts; /* at the end, section by section */
    const lv_kept_quantity *momenta;
    /* an invariant of the scheme itself; its name is NULL if there is none */
    lv_kept_quantity invariant;
    double position_max, velocity_max; /* largest residuals of g and dg/dt at any node */
    double nonholonomic_max;           /* largest residual of nonholonomic constraints */
    /* number of recorded rows whose multipliers are determined by rounding only */
    long long undetermined_rows;
    /* Largest distance between multipliers that a scheme carries and those of the motion,
     * measured every tenth step; 0: only rounding, or no multipliers are carried. */
    double lag_max;
    /* Largest |p - dL/dv| at a node relative to the largest |p|, for schemes whose
     * velocities differ from those of their momenta if the mass matrix varies; 0 for
     * others. */
    double legendre_max;
    double newton_mean;
    int newton_max;
    int warning_count;
    const char *const *warnings;
    /* Bit k: the scheme promises property k (lv_property) to rounding, and this run alone
     * shows that it was kept. Properties that need more than one run, such as the order,
     * are measured by lv_verify. */
    unsigned shown;
    long long rows; /* number of recorded rows */
    lv_recorded csv,
        hdf5; /* what the files reliably contain; no rows if there is no file */
    const char *csv_path, *hdf5_path; /* NULL: no such file */
    /* recorded rows if keep_rows was set, valid until the summary is freed; NULL: not
     * kept */
    const lv_rows *kept;
    int event_count;
    const lv_event_info *events;
    const char *stopped_by; /* the event that ended the run; NULL: none did */
    int input_count;
    const lv_output *inputs; /* values in the last step */
    int table_count;
    const lv_table_info *tables; /* tables that inputs followed */
    int change_count;
    /* changes of inputs, and of what else before_step changed */
    const lv_change_info *changes;
} lv_run_summary;

/* Runs a model. The summary is filled as far as the run came, also on failure; it is NULL
 * only if the run could not begin. Free it with lv_run_summary_free. */
LV_API LV_NODISCARD lv_status lv_run(lv_run_summary **summary, const lv_model *model,
                                     const lv_run_request *request, lv_error *err);

/* Continues a run from its HDF5 file, to the end it was meant to reach or to a later one
 * (until <= 0: the same end). progress and user may be NULL. The result is bit for bit
 * that of an uninterrupted run, unless the run had reached its end with a shortened last
 * step: steps then continue from there. The run's CSV file, if it still exists at its
 * path, is cut to the rows of the checkpoint and continued as well. The model is the one
 * stored in the file; free *model after the summary. */
LV_API LV_NODISCARD lv_status
lv_resume(lv_run_summary **summary, lv_model **model, const char *path, double until,
          bool (*progress)(void *user, const lv_progress *p), void *user, lv_error *err);

LV_API void lv_run_summary_free(lv_run_summary *summary);

#ifdef __cplusplus
}
#endif
#endif
