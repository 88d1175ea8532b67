/* Ensembles: many members of one model, computed on all cores. The members differ as
 * [sweep] of the model says: parameters follow formulas of the member's number, run
 * through grids, or are random.
 *
 * A member is the model read with other values of these parameters, so that `livens run
 * MODEL --set NAME=VALUE` gives the same motion, bit for bit. Members are independent of
 * each other; results have the same bits in the same order for any number of threads. */
#ifndef LIVENS_SWEEP_H
#define LIVENS_SWEEP_H

#include "run.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Number of members; 0: the model has no [sweep]. Members are numbered from 0. */
LV_API int lv_sweep_members(const lv_model *model);

/* Makes a member as a model of its own. Free with lv_model_free. */
LV_API LV_NODISCARD lv_status lv_sweep_member(lv_model **member, const lv_model *model,
                                              int number, lv_error *err);

/* Default number of threads of a sweep: one per core, or the value of OMP_NUM_THREADS; 1
 * if the library was built without OpenMP. */
LV_API int lv_sweep_threads(void);

/* Results of a member that has ended. Results of members that failed are nan, except the
 * time and the steps that they reached, and energies, momenta and residuals until
 * then. */
typedef struct lv_member {
    int number;
    lv_status status;
    const lv_error *error; /* why it failed; NULL: it did not */
    int column_count;
    const char *const *columns; /* "member", "mass", ..., "E.deviation", as in CSV */
    const double *values;       /* one per column */
    /* Warnings of its run. For members that were taken over from a file only their number
     * is known, in the column "warnings". */
    int warning_count;
    const char *const *warnings;
    /* Rows of a sweep with a series, each of t, E and the chosen channels. */
    int sample_count; /* number of values in all rows together */
    const double *samples;
} lv_member;

typedef struct lv_sweep_progress {
    int done, failed, members;
    double share;   /* fraction of the remaining work that is done, between 0 and 1 */
    double seconds; /* since the sweep began */
} lv_sweep_progress;

/* The HDF5 files of all parts of a sweep, to be joined. */
typedef struct lv_sweep_parts lv_sweep_parts;

/* Result of fetching a member that another process may have computed. */
typedef enum lv_sweep_fetched {
    LV_SWEEP_FETCHED,  /* the member is there */
    LV_SWEEP_RUN_HERE, /* it was not computed elsewhere and will not be */
    LV_SWEEP_STOP      /* the sweep must end properly */
} lv_sweep_fetched;

/* Results of `choose` that are no member. */
enum {
    LV_SWEEP_LATER = -1, /* none now, perhaps later: choose is called again */
    LV_SWEEP_NONE = -2   /* there will be no more */
};

/* A sweep that several processes compute together; how they communicate is up to the
 * caller. One process has `fetch`, the files and the summary of the sweep. The others
 * have `choose` and no files, and pass what they computed to `member` of their requests,
 * in the order in which it was chosen. Members have the same bits wherever they are
 * computed. These functions are never called concurrently. */
typedef struct lv_sweep_elsewhere {
    /* Called once, with the numbers of the members that are still to be computed. May be
     * NULL. */
    void (*plan)(void *user, int count, const int *numbers);
    /* Called for each of these members in this order. Waits for the result of another
     * process and fills it in. Its arrays must stay valid until the next call. */
    lv_sweep_fetched (*fetch)(void *user, int number, lv_member *member);
    /* Returns the number of the next member to run, or LV_SWEEP_LATER, or LV_SWEEP_NONE.
     * Must not wait. */
    int (*choose)(void *user);
    void *user;
    size_t reserved[4]; /* zeros, for later versions */
} lv_sweep_elsewhere;

/* Fill with lv_sweep_request_default, then change. */
typedef struct lv_sweep_request {
    lv_run_changes changes; /* changes of [run] of the members */
    int threads;            /* 0: lv_sweep_threads() */
    const char *csv; /* one row per member; NULL: not wanted, "-": standard output */
    const char *hdf5;
    /* Members that the HDF5 file contains from an interrupted run of this sweep are taken
     * over and not run again, except those that failed. A missing file is no error.
     * Model, settings and changes must be the same, and no series can be made. */
    bool resume;
    /* path of a CSV file with means and deviations over all members at recorded times */
    const char *series;
    bool keep_series; /* return the series in the summary as well */
    /* number of columns of the series; 0: the energy and the outputs of the model */
    int channel_count;
    /* their names, as in the CSV of a run; the name of a vector means all its
     * components */
    const char *const *channels;
    /* interval in seconds after which results are synchronised to disk */
    double flush_seconds;
    /* command that started the sweep, stored in the HDF5 file; NULL: none */
    const char *command;
    /* `member` is called with every member that has ended, in the order of their numbers,
     * and `progress` from time to time. Either may be NULL; returning false ends the
     * sweep properly. They are called from different threads, but never concurrently. */
    bool (*member)(void *user, const lv_member *member);
    bool (*progress)(void *user, const lv_sweep_progress *progress);
    void *user;
    /* Run only part `part` (from 1) of `parts`: every parts-th member, beginning with
     * member part - 1. Its results go to an HDF5 file, and the files of all parts can be
     * joined (`join`); no series can be made. parts 0: the whole sweep. */
    int part, parts;
    /* Takes all members from the files of the parts and runs none: files and summary are
     * those of an undivided sweep, byte for byte. The model must be that of the parts
     * (lv_sweep_parts_model), and another one is refused; `changes` and `command` are
     * theirs. NULL: members run. */
    const lv_sweep_parts *join;
    const lv_sweep_elsewhere *elsewhere; /* NULL: all members run here */
    size_t reserved[5];                  /* zeros, for later versions */
} lv_sweep_request;

LV_API lv_sweep_request lv_sweep_request_default(void);

/* Statistics of a column over the members that did not fail; nan if there are none. */
typedef struct lv_column_range {
    const char *name;
    const char *kind; /* "set", "q", "energy", ...: the dataset in HDF5 */
    double least, mean, most;
} lv_column_range;

/* Members that failed in the same way or have the same warning: the same status (LV_OK
 * for warnings) and the same message, except for numbers. */
typedef struct lv_member_group {
    lv_status status;
    int count;
    int first;        /* number of the first of them */
    const char *text; /* message of the first of them */
} lv_member_group;

/* Statistics over all members that did not fail at recorded times, with the columns of
 * the CSV file of a series: "t", "members", "mu.E", then "mean.x" and "sd.x" for every
 * channel x. */
typedef struct lv_sweep_series {
    int rows, column_count;
    const char *const *columns;
    const double *values; /* by rows */
} lv_sweep_series;

typedef struct lv_sweep_summary {
    bool interrupted; /* a callback ended the sweep */
    int members;      /* number of members of the sweep, or of its part */
    int done;         /* number of members that ended, including those that failed */
    int failed;
    int warned; /* number of members that ended with warnings */
    /* number of members that were taken over from the file of an interrupted sweep */
    int recalled;
    int threads;
    const char *scheme;
    lv_scheme_options options;
    int order;
    long long steps; /* number of steps of all members */
    double seconds;
    int column_count;
    const lv_column_range *columns;
    int failure_count;
    const lv_member_group *failures; /* the most frequent first */
    int warning_count;
    /* the most frequent first; without those of members that were taken over */
    const lv_member_group *warnings;
    const lv_sweep_series *series; /* NULL: not requested, or the sweep failed */
    /* which part of the sweep; part 0 of n: joined from n parts; 0 of 0: undivided */
    int part, parts;
} lv_sweep_summary;

/* Runs all members. A member that fails does not stop the others and is no failure of the
 * sweep: check `failed`. The sweep fails if the model has no [sweep], if scheme and
 * options fit neither the model nor its first member, or if results cannot be written.
 * *summary is NULL only if the sweep could not begin. Free with lv_sweep_summary_free. */
LV_API LV_NODISCARD lv_status lv_sweep_run(lv_sweep_summary **summary,
                                           const lv_model *model,
                                           const lv_sweep_request *request,
                                           lv_error *err);
LV_API void lv_sweep_summary_free(lv_sweep_summary *summary);

/* Checks that these files are all parts of one sweep, each once, finished, and of this
 * version of livens, and reads the sweep's model from them. lv_sweep_run reads the rows.
 * Free with lv_sweep_parts_free. */
LV_API LV_NODISCARD lv_status lv_sweep_parts_read(lv_sweep_parts **parts,
                                                  const char *const *paths, int count,
                                                  lv_error *err);
LV_API void lv_sweep_parts_free(lv_sweep_parts *parts);

/* The model and its name in the sweep; they live as long as the parts. */
LV_API const lv_model *lv_sweep_parts_model(const lv_sweep_parts *parts);
LV_API const char *lv_sweep_parts_name(const lv_sweep_parts *parts);

#ifdef __cplusplus
}
#endif
#endif
