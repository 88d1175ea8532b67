/* Published experiments that are repeated: every published statement beside the measured
 * number. */
#ifndef CLI_REPRODUCE_PAPERS_H
#define CLI_REPRODUCE_PAPERS_H

#include <livens/livens.h>

#include <stdbool.h>

typedef struct cli_paper_info {
    const char *name; /* "kinon2023" */
    const char *title;
    const char *citation;
    int figures; /* number of figures, tables and passages with statements */
    int claims;  /* number of statements of the paper */
    /* number of further values that are checked, but that the paper does not print */
    int pins;
} cli_paper_info;

/* The k-th paper; false beyond the last. Texts are static. */
bool cli_paper_describe(int k, cli_paper_info *info);

typedef enum cli_claim_verdict {
    CLI_CLAIM_AGREES,
    CLI_CLAIM_CORRECTED, /* agrees with the corrected value; the printed one is wrong */
    CLI_CLAIM_DIFFERS,
    CLI_CLAIM_OPEN /* not measured */
} cli_claim_verdict;

/* The source of the range of a number that the paper does not print. */
typedef enum cli_pin_source {
    CLI_PIN_NONE,      /* no pin: a claim of the paper */
    CLI_PIN_ELSEWHERE, /* an independent implementation of the same equations */
    CLI_PIN_HERE       /* livens itself: the pin detects changes and confirms nothing */
} cli_pin_source;

/* "", "another implementation", "livens" */
const char *cli_pin_source_name(cli_pin_source source);

/* "agrees", "corrected", "differs", "open" */
const char *cli_claim_verdict_name(cli_claim_verdict verdict);

/* A claim, which is a statement of a paper, or a pin, which is a number that the paper
 * does not print. Texts are static or live as long as the reproduction. */
typedef struct cli_claim_info {
    const char *where;     /* "Fig. 8" */
    const char *subject;   /* of the figure */
    const char *claim;     /* the statement */
    const char *published; /* as printed; NULL for a pin */
    cli_pin_source source; /* source of the range of a pin; CLI_PIN_NONE for a claim */
    const char *note;      /* correction or explanation; NULL: none */
    bool lengthy;          /* takes minutes: measured only on request */
    const char *measured;  /* "" while open */
    double value;          /* the number in `measured` */
    double least, most;    /* expected range */
    cli_claim_verdict verdict;
} cli_claim_info;

/* A passage of the paper that must be corrected, whether or not a number depends on
 * it. */
typedef struct cli_erratum_info {
    const char *where, *printed, *correct;
} cli_erratum_info;

typedef struct cli_reproduction {
    cli_paper_info paper;
    int claim_count;
    const cli_claim_info *claims; /* those that were selected */
    int agree, corrected, differ, open;
    int pin_count;
    const cli_claim_info
        *pins; /* those that were selected; they are not counted as claims */
    int pins_differ;
    int erratum_count;
    const cli_erratum_info *errata;
    int file_count;
    const char *const *files; /* CSV files written */
    bool interrupted;
} cli_reproduction;

typedef struct cli_reproduce_progress {
    const char *where;   /* what is being measured */
    int figures, figure; /* number of selected figures, and the current one */
    double seconds;      /* since the beginning */
} cli_reproduce_progress;

/* Must be zero at first; then set what is wanted. */
typedef struct cli_reproduce_request {
    const char *only; /* a figure or table: "Fig. 8", "fig8", "table 2"; NULL: all */
    bool full;        /* measure also what takes minutes */
    bool list;        /* measure nothing */
    /* directory for one CSV file per figure, created if necessary; NULL: none */
    const char *csv;
    /* Called now and then; returning false ends the work properly. May be NULL. It may be
     * called by another thread than the caller's, but never by two at a time. */
    bool (*progress)(void *user, const cli_reproduce_progress *progress);
    void *user;
} cli_reproduce_request;

/* Measures the claims of a paper. Returns LV_OK also if numbers differ: see `differ` and
 * `pins_differ`. LV_ERR_USAGE for an unknown name or figure. Free the result with
 * cli_reproduction_free. */
LV_NODISCARD lv_status cli_reproduce(cli_reproduction **reproduction, const char *name,
                                     const cli_reproduce_request *request, lv_error *err);
void cli_reproduction_free(cli_reproduction *reproduction);

#endif
