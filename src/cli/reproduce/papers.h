/* Published experiments, run again: every published statement beside what is measured here. */
#ifndef CLI_REPRODUCE_PAPERS_H
#define CLI_REPRODUCE_PAPERS_H

#include <livens/livens.h>

#include <stdbool.h>

typedef struct cli_paper_info {
    const char *name; /* "kinon2023" */
    const char *title;
    const char *citation;
    int figures; /* figures, tables and passages with statements */
    int claims;  /* statements of the paper */
    int pins;    /* further numbers that are held, but that the paper does not print */
} cli_paper_info;

/* The k-th paper; false beyond the last. Texts are static. */
bool cli_paper_describe(int k, cli_paper_info *info);

typedef enum cli_claim_verdict {
    CLI_CLAIM_AGREES,
    CLI_CLAIM_CORRECTED, /* agrees with the corrected value; what is printed is wrong */
    CLI_CLAIM_DIFFERS,
    CLI_CLAIM_OPEN /* not measured */
} cli_claim_verdict;

/* Where the range of a number comes from that the paper does not print. */
typedef enum cli_pin_source {
    CLI_PIN_NONE,      /* no pin: a claim of the paper */
    CLI_PIN_ELSEWHERE, /* an independent implementation of the same equations */
    CLI_PIN_HERE /* livens itself: the pin guards against change and confirms nothing */
} cli_pin_source;

/* "", "another implementation", "livens" */
const char *cli_pin_source_name(cli_pin_source source);

/* "agrees", "corrected", "differs", "open" */
const char *cli_claim_verdict_name(cli_claim_verdict verdict);

/* A claim, which is a statement of a paper, or a pin, which is a number beside it that the paper does
 * not print. Texts are static or live as long as the reproduction. */
typedef struct cli_claim_info {
    const char *where;     /* "Fig. 8" */
    const char *subject;   /* of the figure */
    const char *claim;     /* what is stated */
    const char *published; /* as it is printed; NULL for a pin */
    cli_pin_source source; /* of the range of a pin; CLI_PIN_NONE for a claim */
    const char *note;      /* correction or explanation; NULL: none */
    bool lengthy;          /* takes minutes: measured on request only */
    const char *measured;  /* "" while open */
    double value;          /* the number behind it */
    double least, most;    /* where it is expected */
    cli_claim_verdict verdict;
} cli_claim_info;

/* A passage that has to be corrected, whether or not a number depends on it. */
typedef struct cli_erratum_info {
    const char *where, *printed, *correct;
} cli_erratum_info;

typedef struct cli_reproduction {
    cli_paper_info paper;
    int claim_count;
    const cli_claim_info *claims; /* those selected */
    int agree, corrected, differ, open;
    int pin_count;
    const cli_claim_info
        *pins; /* those selected; they are no claims and not counted as such */
    int pins_differ;
    int erratum_count;
    const cli_erratum_info *errata;
    int file_count;
    const char *const *files; /* CSV files written */
    bool interrupted;
} cli_reproduction;

typedef struct cli_reproduce_progress {
    const char *where;   /* what is being measured */
    int figures, figure; /* of those selected */
    double seconds;      /* since the beginning */
} cli_reproduce_progress;

/* Zero-initialise, then set what is wanted. */
typedef struct cli_reproduce_request {
    const char *only; /* a figure or table: "Fig. 8", "fig8", "table 2"; NULL: all */
    bool full;        /* also what takes minutes */
    bool list;        /* measure nothing */
    const char
        *csv; /* directory for one CSV file per figure, made if need be; NULL: none */
    /* Called now and then; returning false ends it in good order. May be NULL. Not always from the
     * thread that asked, but never two at a time. */
    bool (*progress)(void *user, const cli_reproduce_progress *progress);
    void *user;
} cli_reproduce_request;

/* Measures what the paper claims. LV_OK also if numbers differ: look at `differ` and `pins_differ`. LV_ERR_USAGE for an
 * unknown name or figure. Free with cli_reproduction_free. */
LV_NODISCARD lv_status cli_reproduce(cli_reproduction **reproduction, const char *name,
                                     const cli_reproduce_request *request, lv_error *err);
void cli_reproduction_free(cli_reproduction *reproduction);

#endif
