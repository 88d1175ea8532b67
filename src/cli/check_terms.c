/* The table of terms. Columns are as wide as their contents; names give way if it gets tight. */
#include "cli/check.h"
#include "cli/terminal.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum {
    NAME,
    ROLE,
    COUNT,
    COORDINATES,
    OPERATIONS,
    DEGREE_Q,
    DEGREE_V,
    INVARIANTS,
    NOTES,
    COLUMNS,
    CELL = 64,
    TERMS_MOST = 40,
    GAP = 2,
    NAME_LEAST = 8
};

typedef struct row {
    char cells[COLUMNS][CELL];
} row;

static const row header = {
    {"term", "role", "count", "coords", "ops", "deg q", "deg v", "inv", "notes"}};

static bool is_numeric(int column)
{
    return column >= COUNT && column <= INVARIANTS;
}

static void set_degree(char *cell, int degree)
{
    if (degree >= 0)
        snprintf(cell, CELL, "%d", degree);
    else
        snprintf(cell, CELL, "-");
}

static void set_notes(char *cell, const lv_term_info *term)
{
    snprintf(cell, CELL, "%s%s%s", term->velocities ? term->velocities : "",
             term->velocities && term->time ? ", " : "", term->time ? "t" : "");
}

static void fill(row *r, const lv_term_info *term)
{
    snprintf(r->cells[NAME], CELL, "%s", term->name[0] ? term->name : term->section);
    snprintf(r->cells[ROLE], CELL, "%s", term->role);
    if (term->rows > 1)
        snprintf(r->cells[COUNT], CELL, "%d x %d", term->instances, term->rows);
    else
        snprintf(r->cells[COUNT], CELL, "%d", term->instances);
    snprintf(r->cells[COORDINATES], CELL, "%d", term->coordinates);
    snprintf(r->cells[OPERATIONS], CELL, "%d", term->operations);
    set_degree(r->cells[DEGREE_Q], term->degree_q);
    set_degree(r->cells[DEGREE_V], term->degree_v);
    snprintf(r->cells[INVARIANTS], CELL, "%d", term->invariants);
    set_notes(r->cells[NOTES], term);
}

static void widen(int *widths, const row *r)
{
    for (int c = 0; c < COLUMNS; c++)
        if (cli_columns(r->cells[c]) > widths[c])
            widths[c] = cli_columns(r->cells[c]);
}

/* Narrows the column of names so that a line fits. */
static void fit(int *widths)
{
    int total = 0;
    for (int c = 0; c < COLUMNS; c++)
        total += GAP + widths[c];
    int excess = total - CLI_WIDTH;
    if (excess > 0)
        widths[NAME] -= excess;
    if (widths[NAME] < NAME_LEAST)
        widths[NAME] = NAME_LEAST;
}

/* Cuts a text to a number of columns; dots say so. */
static void cut(char *text, int columns)
{
    if (cli_columns(text) <= columns)
        return;
    char *end = text;
    for (int k = 0; k < columns - 3; k++)
        for (end++; ((unsigned char)*end & 0xC0) == 0x80; end++)
            ;
    memcpy(end, "...", 4);
}

static void put(row r, const int *widths, bool notes)
{
    cut(r.cells[NAME], widths[NAME]);
    for (int c = 0; c < COLUMNS - !notes; c++) {
        int blank = widths[c] - cli_columns(r.cells[c]);
        bool last = c == COLUMNS - 1 || (c == COLUMNS - 2 && !r.cells[NOTES][0]);
        printf("%*s", GAP + (is_numeric(c) ? blank : 0), "");
        cli_put(stdout, r.cells[c]);
        if (last)
            break;
        printf("%*s", is_numeric(c) ? 0 : blank, "");
    }
    putchar('\n');
}

void cli_check_write_terms(const lv_inspection *facts)
{
    row rows[TERMS_MOST];
    int widths[COLUMNS] = {0};
    bool notes = false;
    int count = facts->term_count < TERMS_MOST ? facts->term_count : TERMS_MOST;
    for (int k = 0; k < count; k++) {
        fill(&rows[k], &facts->terms[k]);
        widen(widths, &rows[k]);
        notes = notes || rows[k].cells[NOTES][0];
    }
    widen(widths, &header);
    widths[NOTES] = notes ? widths[NOTES] : 0;
    fit(widths);
    put(header, widths, notes);
    for (int k = 0; k < count; k++)
        put(rows[k], widths, notes);
    if (facts->term_count > count)
        printf("  ... and %d more (--json shows all)\n", facts->term_count - count);
}
