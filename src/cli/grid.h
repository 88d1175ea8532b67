/* Tables: columns as wide as their contents; the first one gives way if it gets tight. */
#ifndef CLI_GRID_H
#define CLI_GRID_H

#include <livens/status.h>

#include <stdio.h>

enum { CLI_GRID_ROWS = 48, CLI_GRID_COLUMNS = 10, CLI_GRID_CELL = 64 };

/* Start with {.align = ...}: a letter per column, l or r. */
typedef struct cli_grid {
    const char *align;
    int count;  /* rows; the first one is the header */
    int filled; /* cells of the last row */
    char cells[CLI_GRID_ROWS][CLI_GRID_COLUMNS][CLI_GRID_CELL];
} cli_grid;

/* Begins a row; rows beyond CLI_GRID_ROWS replace the last one. */
void cli_grid_row(cli_grid *grid);

/* The next cell of the row; a longer text is cut. */
void cli_grid_add(cli_grid *grid, const char *format, ...) LV_PRINTF(2, 3);

/* Prints the table, indented by two columns. A column with nothing below its header is left
 * out. */
void cli_grid_put(FILE *out, cli_grid *grid);

/* The same in Markdown, with all columns; what stands in the first one is code. */
void cli_grid_put_markdown(FILE *out, const cli_grid *grid);

#endif
