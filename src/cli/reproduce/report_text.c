/* Claims as a table whose cells are wrapped:
 *
 *   Fig. 8: pendulum: energy
 *     claim                published            measured         verdict
 */
#include "cli/report.h"
#include "cli/reproduce/report.h"

#include <string.h>

enum { CELLS = 4, GAP = 2, INDENT = 2 };

/* Widths of the cells at the width CLI_WIDTH; a wider or narrower terminal changes the
 * first three. */
static const int usual[CELLS] = {29, 18, 15, 9};

static int cell_width(int c)
{
    const int more = cli_width(stdout) - CLI_WIDTH, second = more / 4, third = more / 4;
    const int share[CELLS] = {more - second - third, second, third, 0};
    return usual[c] + share[c];
}

/* ---- wrapped cells -------------------------------------------------------------------------------- */

/* The length of the next line of a text in a cell; words are kept together if they
 * fit. */
static int line_length(const char *text, int width)
{
    int length = 0, best = 0;
    for (; text[length] && length < width; length++)
        if (text[length + 1] == ' ' || !text[length + 1])
            best = length + 1;
    return best > 0 ? best : length;
}

/* Prints one line of each cell and advances the cells; false when nothing is left. */
static bool put_line(const char *cells[CELLS])
{
    int pending = INDENT;
    bool more = false;
    for (int c = 0; c < CELLS; c++) {
        int length = line_length(cells[c], cell_width(c));
        if (length > 0) {
            printf("%*s%.*s", pending, "", length, cells[c]);
            pending = 0;
        }
        cells[c] += length;
        while (*cells[c] == ' ')
            cells[c]++;
        pending += cell_width(c) - length + GAP;
        more = more || *cells[c];
    }
    putchar('\n');
    return more;
}

static void put_cells(const char *a, const char *b, const char *c, const char *d)
{
    const char *cells[CELLS] = {a, b, c, d};
    while (put_line(cells))
        ;
}

/* ---- claims ------------------------------------------------------------------------------------------ */

static void put_note(const cli_claim_info *claim)
{
    if (!claim->note)
        return;
    fputs("      ", stdout);
    cli_put_wrapped(stdout, claim->note, 6, 6);
}

/* Writes the expected range of a number that differs. */
static void put_reason(const cli_claim_info *claim)
{
    cli_line l = {.length = 0};
    if (claim->verdict != CLI_CLAIM_DIFFERS)
        return;
    cli_line_add(&l, "differs: %.6g is not within [%.6g, %.6g]", claim->value,
                 claim->least, claim->most);
    fputs("      ", stdout);
    cli_put_wrapped(stdout, l.text, 6, 6);
}

/* Whether the next claim of the figure has the same note, which is then written only
 * below the last of them. */
static bool is_repeated(const cli_claim_info *claim, const cli_claim_info *next)
{
    return next && claim->note == next->note && strcmp(claim->where, next->where) == 0;
}

static void put_figure(const cli_claim_info *claim)
{
    char heading[300];
    snprintf(heading, sizeof heading, "%s: %s", claim->where, claim->subject);
    cli_put_heading(stdout, heading);
}

static void put_title(const cli_reproduction *r)
{
    printf("%s", cli_style(stdout, CLI_STRONG));
    cli_put_wrapped(stdout, r->paper.title, 0, 0);
    printf("%s", cli_style(stdout, CLI_NORMAL));
    cli_put_wrapped(stdout, r->paper.citation, 0, 0);
}

static void put_claims(const cli_claim_info *claims, int count, bool measured)
{
    for (int k = 0; k < count; k++) {
        const cli_claim_info *c = &claims[k];
        const cli_claim_info *next = k + 1 < count ? c + 1 : NULL;
        const char *second = c->published ? c->published : cli_pin_source_name(c->source);
        if (k == 0 || strcmp(c->where, claims[k - 1].where) != 0)
            put_figure(c);
        if (measured)
            put_cells(c->claim, second, c->measured, cli_claim_verdict_name(c->verdict));
        else
            put_cells(c->claim, second, c->lengthy ? "with --full" : "", "");
        put_reason(c);
        if (!is_repeated(c, next))
            put_note(c);
    }
}

/* Writes numbers that the paper does not print, in a table of their own. */
static void put_pins(const cli_reproduction *r, bool measured)
{
    if (r->pin_count == 0)
        return;
    cli_put_heading(stdout, "numbers that the paper does not print");
    fputs("  ", stdout);
    cli_put_wrapped(stdout,
                    "Not claims: their ranges come from another implementation of the "
                    "same equations, or from livens itself to guard against change.",
                    2, 2);
    put_cells("quantity", "range from", measured ? "measured" : "",
              measured ? "verdict" : "");
    put_claims(r->pins, r->pin_count, measured);
}

/* ---- corrections ----------------------------------------------------------------------------------------- */

static void put_errata(const cli_reproduction *r)
{
    if (r->erratum_count == 0)
        return;
    cli_put_heading(stdout, "corrections to the paper");
    for (int k = 0; k < r->erratum_count; k++) {
        cli_line l = {.length = 0};
        cli_line_add(&l, "%s: printed: %s; correct: %s", r->errata[k].where,
                     r->errata[k].printed, r->errata[k].correct);
        fputs("  ", stdout);
        cli_put_wrapped(stdout, l.text, 2, 4);
    }
}

static void put_counts(const cli_reproduction *r)
{
    cli_line l = {.length = 0};
    cli_line_add(&l, "%d claim%s: agrees %d, corrected %d, differs %d", r->claim_count,
                 r->claim_count == 1 ? "" : "s", r->agree, r->corrected, r->differ);
    if (r->open > 0)
        cli_line_add(&l, ", not measured %d", r->open);
    if (r->pin_count > 0)
        cli_line_add(&l, "; %d other number%s: %d out of range", r->pin_count,
                     r->pin_count == 1 ? "" : "s", r->pins_differ);
    putchar('\n');
    cli_put_wrapped(stdout, l.text, 0, 2);
}

static void put_files(const cli_reproduction *r)
{
    if (r->file_count == 0)
        return;
    cli_put_heading(stdout, "files");
    for (int k = 0; k < r->file_count; k++) {
        fputs("  ", stdout);
        cli_put(stdout, r->files[k]);
        putchar('\n');
    }
}

/* The report of a single figure has no corrections to the rest of the paper. */
void cli_reproduce_write_text(const cli_reproduction *r)
{
    put_title(r);
    putchar('\n');
    put_cells("claim", "published", "measured", "verdict");
    put_claims(r->claims, r->claim_count, true);
    put_pins(r, true);
    if (r->claim_count == r->paper.claims)
        put_errata(r);
    put_files(r);
    put_counts(r);
}

void cli_reproduce_write_list(const cli_reproduction *r)
{
    put_title(r);
    put_claims(r->claims, r->claim_count, false);
    put_pins(r, false);
}

void cli_papers_write_text(void)
{
    cli_paper_info paper;
    for (int k = 0; cli_paper_describe(k, &paper); k++) {
        cli_line l = {.length = 0};
        cli_line_add(&l, "%s. %s. %d claims in %d figures, tables and passages",
                     paper.citation, paper.title, paper.claims, paper.figures);
        cli_put_padded(stdout, paper.name, 16);
        cli_put_wrapped(stdout, l.text, 16, 16);
    }
    printf("\n'livens reproduce PAPER' runs the experiments of one.\n");
}
