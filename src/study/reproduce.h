/* What a published experiment is to the program that runs it again.
 *
 * A paper is one constant descriptor and one line in study/reproduce_list.h. It lists figures (or
 * tables, or passages), a figure its claims. A claim is a number that livens measures and the range
 * in which the paper's statement puts it: around the printed number, or up to the printed bound.
 * Words become bounds, the same everywhere: what is exact or kept is below 1e-11, what is violated or
 * not steady is above 1e-6 (1e-5 for the top's height, 1e-8 for EM-G), what is excellent is within
 * 2 % of the energy. Where the print is wrong, the range is that of the correct value and the
 * correction says so.
 *
 * A pin is a narrower range for a number that the paper draws, describes or does not mention; its
 * source is another implementation or livens itself. Pins are reported in a table of their own and
 * never counted as claims. An entry may have both. The figure's function measures all entries and
 * fills the rows of its CSV file. */
#ifndef LV_STUDY_REPRODUCE_H
#define LV_STUDY_REPRODUCE_H

#include <livens/reproduce.h>

#include "base/arena.h"
#include "base/status.h"
#include "out/sink.h"

typedef struct lv_pin {
    lv_pin_source source;
    double least, most;
} lv_pin;

#define LV_PIN(source, least, most)                                                      \
    {                                                                                    \
        LV_PIN_##source, least, most                                                     \
    }

typedef struct lv_claim {
    const char *text;
    const char *published; /* NULL: no statement of the paper, only a pin */
    double least, most;
    lv_pin pin;
    const char *correction; /* NULL: what is printed is right */
    const char *note;       /* besides; NULL: none */
    bool
        unmeasured; /* cannot be measured here, as times: stays open, the note says why */
} lv_claim;

typedef struct lv_bench lv_bench;

typedef struct lv_figure {
    const char *where;
    const char *subject;
    const char *file; /* of the CSV, without ".csv"; NULL: nothing to draw */
    lv_status (*run)(lv_bench *bench, lv_error *err);
    const lv_claim *claims;
    int claim_count;
    bool lengthy;
} lv_figure;

/* Entries of an array; the claims of a figure. */
#define LV_COUNT(list) (int)(sizeof(list) / sizeof *(list))
#define LV_CLAIMS(list) .claims = list, .claim_count = LV_COUNT(list)

/* Figures that live in one file. */
typedef struct lv_chapter {
    const lv_figure *figures;
    int count;
} lv_chapter;

typedef struct lv_paper {
    const char *name, *title, *citation;
    const lv_chapter *const *chapters; /* ends with NULL */
    const lv_erratum_info *errata;
    int erratum_count;
} lv_paper;

/* Ends with NULL. */
extern const lv_paper *const lv_paper_table[];

/* ---- for the functions that measure ------------------------------------------------------------ */

enum { LV_BENCH_COLUMNS = 40 };

/* Where a figure's function works. */
struct lv_bench {
    const lv_figure *figure;
    lv_claim_info *results; /* one per entry of the figure */
    lv_claim_info *pins;    /* likewise */
    lv_arena *arena;
    const char *path; /* of the CSV; NULL: not wanted */
    lv_sink *sink;
    lv_channel channel;
    lv_channels channels;
    const char *const *names; /* of the columns */
    double row[LV_BENCH_COLUMNS];
    bool (*go_on)(void *user);
    void *user;
    bool interrupted;
};

/* Entry k was measured to be `value`; the text is what the reader sees, "%.3g" of the value where the
 * format is NULL. */
lv_status lv_bench_claim(lv_bench *bench, int k, double value, lv_error *err,
                         const char *format, ...) LV_PRINTF(5, 6);

/* The columns of the figure's CSV; names must stay. Then bench->row, row by row. */
lv_status lv_bench_columns(lv_bench *bench, const char *const *names, int count,
                           lv_error *err);
lv_status lv_bench_row(lv_bench *bench, lv_error *err);

/* false: the user wants it to end; claims that were not made stay open. */
bool lv_bench_go_on(lv_bench *bench);

#endif
