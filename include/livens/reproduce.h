/* Published experiments, run again: every published statement beside what is measured here. */
#ifndef LIVENS_REPRODUCE_H
#define LIVENS_REPRODUCE_H

#include "status.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lv_paper_info {
    const char *name; /* "kinon2023" */
    const char *title;
    const char *citation;
    int figures; /* figures, tables and passages with statements */
    int claims;  /* statements of the paper */
    int pins;    /* further numbers that are held, but that the paper does not print */
} lv_paper_info;

/* The k-th paper; false beyond the last. Texts are static. */
LV_API bool lv_paper_describe(int k, lv_paper_info *info);

typedef enum lv_claim_verdict {
    LV_CLAIM_AGREES,
    LV_CLAIM_CORRECTED, /* agrees with the corrected value; what is printed is wrong */
    LV_CLAIM_DIFFERS,
    LV_CLAIM_OPEN /* not measured */
} lv_claim_verdict;

/* Where the range of a number comes from that the paper does not print. */
typedef enum lv_pin_source {
    LV_PIN_NONE,      /* no pin: a claim of the paper */
    LV_PIN_ELSEWHERE, /* an independent implementation of the same equations */
    LV_PIN_HERE /* livens itself: the pin guards against change and confirms nothing */
} lv_pin_source;

/* "", "another implementation", "livens" */
LV_API const char *lv_pin_source_name(lv_pin_source source);

/* "agrees", "corrected", "differs", "open" */
LV_API const char *lv_claim_verdict_name(lv_claim_verdict verdict);

/* A claim, which is a statement of a paper, or a pin, which is a number beside it that the paper does
 * not print. Texts are static or live as long as the reproduction. */
typedef struct lv_claim_info {
    const char *where;     /* "Fig. 8" */
    const char *subject;   /* of the figure */
    const char *claim;     /* what is stated */
    const char *published; /* as it is printed; NULL for a pin */
    lv_pin_source source;  /* of the range of a pin; LV_PIN_NONE for a claim */
    const char *note;      /* correction or explanation; NULL: none */
    bool lengthy;          /* takes minutes: measured on request only */
    const char *measured;  /* "" while open */
    double value;          /* the number behind it */
    double least, most;    /* where it is expected */
    lv_claim_verdict verdict;
} lv_claim_info;

/* A passage that has to be corrected, whether or not a number depends on it. */
typedef struct lv_erratum_info {
    const char *where, *printed, *correct;
} lv_erratum_info;

typedef struct lv_reproduction {
    lv_paper_info paper;
    int claim_count;
    const lv_claim_info *claims; /* those selected */
    int agree, corrected, differ, open;
    int pin_count;
    const lv_claim_info
        *pins; /* those selected; they are no claims and not counted as such */
    int pins_differ;
    int erratum_count;
    const lv_erratum_info *errata;
    int file_count;
    const char *const *files; /* CSV files written */
    bool interrupted;
} lv_reproduction;

typedef struct lv_reproduce_progress {
    const char *where;   /* what is being measured */
    int figures, figure; /* of those selected */
    double seconds;      /* since the beginning */
} lv_reproduce_progress;

/* Zero-initialise, then set what is wanted. */
typedef struct lv_reproduce_request {
    const char *only; /* a figure or table: "Fig. 8", "fig8", "table 2"; NULL: all */
    bool full;        /* also what takes minutes */
    bool list;        /* measure nothing */
    const char
        *csv; /* directory for one CSV file per figure, made if need be; NULL: none */
    /* Called now and then; returning false ends it in good order. May be NULL. Not always from the
     * thread that asked, but never two at a time. */
    bool (*progress)(void *user, const lv_reproduce_progress *progress);
    void *user;
} lv_reproduce_request;

/* Measures what the paper claims. LV_OK also if numbers differ: look at `differ` and `pins_differ`. LV_ERR_USAGE for an
 * unknown name or figure. Free with lv_reproduction_free. */
LV_API LV_NODISCARD lv_status lv_reproduce(lv_reproduction **reproduction,
                                           const char *name,
                                           const lv_reproduce_request *request,
                                           lv_error *err);
LV_API void lv_reproduction_free(lv_reproduction *reproduction);

#ifdef __cplusplus
}
#endif
#endif
