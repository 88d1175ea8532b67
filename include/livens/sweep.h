/* Ensembles: many members of one model, on all cores. What distinguishes the members is the
 * model's [sweep]: parameters that follow formulas of the member's number, run through grids, or
 * are random.
 *
 * A member is the model read with other values of these parameters, so that
 * `livens run MODEL --set NAME=VALUE` gives the same motion, bit for bit. Members do not know of
 * each other; results are the same bits in the same order for any number of threads. */
#ifndef LIVENS_SWEEP_H
#define LIVENS_SWEEP_H

#include "run.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Number of members; 0: the model has no [sweep]. They are counted from 0. */
LV_API int lv_sweep_members(const lv_model *model);

/* A member as a model of its own. Free with lv_model_free. */
LV_API LV_NODISCARD lv_status lv_sweep_member(lv_model **member, const lv_model *model,
                                              int number, lv_error *err);

/* Threads that a sweep uses unless told otherwise: one per core, or what OMP_NUM_THREADS says; 1
 * in a library that was built without OpenMP, which never uses more. */
LV_API int lv_sweep_threads(void);

/* What is known of a member that has ended. Results of members that failed are nan; time and
 * steps that they reached, energies, momenta and residuals until then are there. */
typedef struct lv_member {
    int number;
    lv_status status;
    const lv_error *error; /* why it failed; NULL: it did not */
    int column_count;
    const char *const *columns; /* "member", "mass", ..., "E.deviation", as in CSV */
    const double *values;       /* one per column */
    /* What its run warns of. Of members taken over from a file only the number is known, in the column
     * "warnings". */
    int warning_count;
    const char *const *warnings;
    /* Of a sweep with a series: its rows, each t, E and the chosen channels. */
    int sample_count; /* numbers in all */
    const double *samples;
} lv_member;

typedef struct lv_sweep_progress {
    int done, failed, members;
    double share;   /* of the work that was left, between 0 and 1 */
    double seconds; /* since the sweep began */
} lv_sweep_progress;

/* The HDF5 files of all parts of a sweep, which are to be joined. */
typedef struct lv_sweep_parts lv_sweep_parts;

/* What becomes of a member that may have been computed elsewhere. */
typedef enum lv_sweep_fetched {
    LV_SWEEP_FETCHED,  /* it has been */
    LV_SWEEP_RUN_HERE, /* it has not, and will not be */
    LV_SWEEP_STOP      /* the sweep is to end in good order */
} lv_sweep_fetched;

/* What chooses a member, if there is none. */
enum {
    LV_SWEEP_LATER = -1, /* perhaps later: it is asked for again */
    LV_SWEEP_NONE = -2   /* there will be no more */
};

/* A sweep that several processes compute together, who talk to each other in ways of their own. One of them has `fetch`,
 * and files and summary of the sweep; the others have `choose`, no files, and give what they computed to `member` of
 * their requests, in the order in which it was chosen. Members are the same bits wherever they are computed. Functions are never called by two threads at a time. */
typedef struct lv_sweep_elsewhere {
    /* Called once, with the numbers of the members that are not known yet. May be NULL. */
    void (*plan)(void *user, int count, const int *numbers);
    /* Called for each of these, in this order: waits for what another process computed, and fills it in. It has to be
     * there until the next call. */
    lv_sweep_fetched (*fetch)(void *user, int number, lv_member *member);
    /* The number of the next member to be run, or LV_SWEEP_LATER, or LV_SWEEP_NONE. Does not wait. */
    int (*choose)(void *user);
    void *user;
    size_t reserved[4]; /* zeros, for later versions */
} lv_sweep_elsewhere;

/* Fill with lv_sweep_request_default, then change. */
typedef struct lv_sweep_request {
    lv_run_changes changes; /* of what the members wish themselves */
    int threads;            /* 0: lv_sweep_threads() */
    const char *csv; /* one row per member; NULL: not wanted, "-": standard output */
    const char *hdf5;
    /* Members that the HDF5 file has from this sweep, which was interrupted, are taken over and not
     * run again, except those that failed. It is no error if there is no such file yet. Model,
     * settings and changes must be the same, and no series can be made. */
    bool resume;
    const char
        *series;      /* CSV of means and deviations over all members at recorded times */
    bool keep_series; /* the same in the summary */
    int channel_count; /* columns of the series; 0: the energy and the model's outputs */
    const char *const
        *channels; /* their names, as in the CSV of a run; of a vector also its name */
    double flush_seconds; /* results are made safe on disk this often */
    const char
        *command; /* how the sweep was asked for, kept in the HDF5 file; NULL: not */
    /* Called with every member that has ended, in the order of their numbers, and now and then.
     * Either may be NULL; returning false ends the sweep in good order. They are called from
     * different threads, but never two at a time. */
    bool (*member)(void *user, const lv_member *member);
    bool (*progress)(void *user, const lv_sweep_progress *progress);
    void *user;
    /* Only part `part`, from 1, of so many `parts`: every parts-th member, from member part - 1 on. It is kept in an
     * HDF5 file, from which parts are joined; no series can be made. parts 0: the sweep as a whole. */
    int part, parts;
    /* Takes all members from the files of its parts and runs none: files and summary become those of the sweep in one
     * go, byte for byte. The model must be that of the parts; `changes` and `command` are theirs. NULL: members run. */
    const lv_sweep_parts *join;
    const lv_sweep_elsewhere *elsewhere; /* NULL: all members run here */
    size_t reserved[5];                  /* zeros, for later versions */
} lv_sweep_request;

LV_API lv_sweep_request lv_sweep_request_default(void);

/* A column over the members that did not fail; nan if there are none. */
typedef struct lv_column_range {
    const char *name;
    const char *kind; /* "set", "q", "energy", ...: the dataset in HDF5 */
    double least, mean, most;
} lv_column_range;

/* Members that failed alike, or whose runs warn of the same: with the same status (that of a warning is
 * LV_OK) and, numbers aside, the same message. */
typedef struct lv_member_group {
    lv_status status;
    int count;
    int first;        /* number of the first of them, */
    const char *text; /* and its message */
} lv_member_group;

/* Statistics over all members that did not fail at recorded times, as the CSV file of a series has them: "t",
 * "members", "mu.E", then "mean.x" and "sd.x" for every channel x. */
typedef struct lv_sweep_series {
    int rows, column_count;
    const char *const *columns;
    const double *values; /* by rows */
} lv_sweep_series;

typedef struct lv_sweep_summary {
    bool interrupted; /* a callback ended it */
    int members;      /* that the sweep has, or its part */
    int done;         /* that ended, those that failed among them */
    int failed;
    int warned;   /* that ended with warnings */
    int recalled; /* of those done: taken over from the file of an interrupted sweep */
    int threads;
    const char *scheme;
    lv_scheme_options options;
    int order;
    long long steps; /* of all members */
    double seconds;
    int column_count;
    const lv_column_range *columns;
    int failure_count;
    const lv_member_group *failures; /* the most frequent first */
    int warning_count;
    const lv_member_group
        *warnings; /* likewise; without those of members that were taken over */
    const lv_sweep_series *series; /* NULL: not asked for, or the sweep failed */
    int part,
        parts; /* which part of the sweep; 0 of n: joined from n parts, 0 of 0: in one go */
} lv_sweep_summary;

/* Runs all members. A member that fails does not stop the others and is no failure of the sweep:
 * look at `failed`. The sweep fails if the model has no [sweep], if scheme and options fit
 * neither the model nor its first member, or if results cannot be written; *summary is NULL only
 * if it could not begin. Free with lv_sweep_summary_free. */
LV_API LV_NODISCARD lv_status lv_sweep_run(lv_sweep_summary **summary,
                                           const lv_model *model,
                                           const lv_sweep_request *request,
                                           lv_error *err);
LV_API void lv_sweep_summary_free(lv_sweep_summary *summary);

/* Looks whether these files are all parts of one sweep, each once, finished, and of this version of livens, and reads
 * the sweep's model from them. Rows are read by lv_sweep_run. Free with lv_sweep_parts_free. */
LV_API LV_NODISCARD lv_status lv_sweep_parts_read(lv_sweep_parts **parts,
                                                  const char *const *paths, int count,
                                                  lv_error *err);
LV_API void lv_sweep_parts_free(lv_sweep_parts *parts);

/* The model, and what the sweep called it; they live as long as the parts. */
LV_API const lv_model *lv_sweep_parts_model(const lv_sweep_parts *parts);
LV_API const char *lv_sweep_parts_name(const lv_sweep_parts *parts);

#ifdef __cplusplus
}
#endif
#endif
