/* Tables: columns are as wide as their contents; the first one is narrowed if the line is
 * too short. */
#ifndef CLI_GRID_H
#define CLI_GRID_H

#include <livens/status.h>

#include <stdio.h>

enum { CLI_GRID_ROWS = 48, CLI_GRID_COLUMNS = 10, CLI_GRID_CELL = 64 };

/* Start with {.align = ...}: a letter per column, l or r. */
typedef struct cli_grid {
    const char *align;
    int count;  /* number of rows; the first one is the header */
    int filled; /* number of cells in the last row */
    char cells[CLI_GRID_ROWS][CLI_GRID_COLUMNS][CLI_GRID_CELL];
} cli_grid;

/* Begins a row; rows beyond CLI_GRID_ROWS replace the last one. */
void cli_grid_row(cli_grid *grid);

/* Adds the next cell of the row; a text that is too long is cut. */
void cli_grid_add(cli_grid *grid, const char *format, ...) LV_PRINTF(2, 3);

/* Prints the table, indented by two columns. Columns without contents below the header
 * are left out. */
void cli_grid_put(FILE *out, cli_grid *grid);

/* The same in Markdown, with all columns; cells of the first column are code. */
void cli_grid_put_markdown(FILE *out, const cli_grid *grid);

#endif
