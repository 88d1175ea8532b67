/* The descriptors of published experiments, and the functions that measure them.
 *
 * A paper is one constant descriptor and one line in cli/reproduce/list.h. It has figures
 * (or tables, or passages), and a figure has claims. A claim is a number that livens
 * measures and the range in which the paper's statement puts it: around the printed
 * number, or up to the printed bound. Words are translated to bounds, the same
 * everywhere: "exact" or "kept" is below 1e-11, "violated" or "not steady" is above 1e-6
 * (1e-5 for the top's height, 1e-8 for EM-G), "excellent" is within 2 % of the energy. If
 * the printed number is wrong, the range is that of the correct value, and the correction
 * says so.
 *
 * A pin is a narrower range for a number that the paper draws, describes or does not
 * mention; its source is another implementation or livens itself. Pins are reported in a
 * table of their own and never counted as claims. An entry may have both. The figure's
 * function measures all entries and fills the rows of its CSV file. */
#ifndef CLI_REPRODUCE_BENCH_H
#define CLI_REPRODUCE_BENCH_H

#include "cli/error.h"
#include "cli/reproduce/papers.h"
#include "cli/reproduce/pool.h"

#include <stdio.h>

typedef struct cli_pin {
    cli_pin_source source;
    double least, most;
} cli_pin;

#define CLI_PIN(source, least, most)                                                     \
    {                                                                                    \
        CLI_PIN_##source, least, most                                                    \
    }

typedef struct cli_claim {
    const char *text;
    const char *published; /* NULL: not a statement of the paper, only a pin */
    double least, most;
    cli_pin pin;
    const char *correction; /* NULL: the printed statement is right */
    const char *note;       /* additional note; NULL: none */
    /* cannot be measured here, like times: stays open, the note says why */
    bool unmeasured;
} cli_claim;

typedef struct cli_bench cli_bench;

typedef struct cli_figure {
    const char *where;
    const char *subject;
    const char *file; /* name of the CSV file without ".csv"; NULL: nothing to draw */
    lv_status (*run)(cli_bench *bench, lv_error *err);
    const cli_claim *claims;
    int claim_count;
    bool lengthy;
} cli_figure;

/* Number of entries of an array; the claims of a figure. */
#define CLI_COUNT(list) (int)(sizeof(list) / sizeof *(list))
#define CLI_CLAIMS(list) .claims = list, .claim_count = CLI_COUNT(list)

/* Figures of one source file. */
typedef struct cli_chapter {
    const cli_figure *figures;
    int count;
} cli_chapter;

typedef struct cli_paper {
    const char *name, *title, *citation;
    const cli_chapter *const *chapters; /* ends with NULL */
    const cli_erratum_info *errata;
    int erratum_count;
} cli_paper;

/* All papers; ends with NULL. */
extern const cli_paper *const cli_paper_table[];

/* ---- for the functions that measure ------------------------------------------------------------ */

enum { CLI_BENCH_COLUMNS = 40 };

/* The workplace of a figure's function. */
struct cli_bench {
    const cli_figure *figure;
    cli_claim_info *results; /* one per entry of the figure */
    cli_claim_info *pins;    /* the same for pins */
    cli_pool *pool;
    const char *path; /* of the CSV file; NULL: not wanted */
    FILE *file;
    int columns;
    double row[CLI_BENCH_COLUMNS];
    bool (*go_on)(void *user);
    void *user;
    bool interrupted;
};

/* Records that entry k was measured to be `value`. The formatted text is shown to the
 * reader; "%.3g" of the value if the format is NULL. */
lv_status cli_bench_claim(cli_bench *bench, int k, double value, lv_error *err,
                          const char *format, ...) LV_PRINTF(5, 6);

/* Sets the columns of the figure's CSV file; cli_bench_row then writes bench->row. */
lv_status cli_bench_columns(cli_bench *bench, const char *const *names, int count,
                            lv_error *err);
lv_status cli_bench_row(cli_bench *bench, lv_error *err);

/* false: the user wants it to end; claims that were not measured stay open. */
bool cli_bench_go_on(cli_bench *bench);

/* Closes the CSV file after the figure's function has returned `status`; returns the
 * first failure of both. */
lv_status cli_bench_close(cli_bench *bench, lv_status status, lv_error *err);

#endif
