#include "cli/grid.h"

#include "cli/page.h"
#include "cli/terminal.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

enum { GAP = 2, FIRST_LEAST = 8 };

void cli_grid_row(cli_grid *grid)
{
    if (grid->count < CLI_GRID_ROWS)
        grid->count++;
    memset(grid->cells[grid->count - 1], 0, sizeof grid->cells[0]);
    grid->filled = 0;
}

void cli_grid_add(cli_grid *grid, const char *format, ...)
{
    if (grid->filled == CLI_GRID_COLUMNS)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(grid->cells[grid->count - 1][grid->filled++], CLI_GRID_CELL, format, args);
    va_end(args);
}

/* The width of the widest cell; 0 for a column without contents. */
static int column_width(const cli_grid *grid, int column)
{
    int width = 0;
    bool empty = true;
    for (int row = 0; row < grid->count; row++) {
        int columns = cli_columns(grid->cells[row][column]);
        width = columns > width ? columns : width;
        empty = empty && (row == 0 || columns == 0);
    }
    return empty ? 0 : width;
}

/* Narrows the first column so that a line fits. */
static void fit(int *widths, int count, int most)
{
    int total = 0;
    for (int c = 0; c < count; c++)
        total += widths[c] > 0 ? GAP + widths[c] : 0;
    int excess = total - most;
    if (excess > 0)
        widths[0] = widths[0] - excess > FIRST_LEAST ? widths[0] - excess : FIRST_LEAST;
}

/* Cuts a text to a number of columns and adds dots. */
static void cut(char *text, int columns)
{
    if (cli_columns(text) <= columns)
        return;
    memcpy(text + cli_prefix(text, columns - 3), "...", 4);
}

/* Writes one line, without blanks after its last cell. */
static void put_row(FILE *out, const cli_grid *grid, int row, const int *widths,
                    int count)
{
    int pending = 0;
    for (int c = 0; c < count; c++) {
        const char *cell = grid->cells[row][c];
        if (widths[c] == 0)
            continue;
        int blank = widths[c] - cli_columns(cell);
        pending += GAP;
        if (cell[0]) {
            fprintf(out, "%*s", pending + (grid->align[c] == 'r' ? blank : 0), "");
            cli_put(out, cell);
            pending = grid->align[c] == 'r' ? 0 : blank;
        } else {
            pending += blank;
        }
    }
    fputc('\n', out);
}

void cli_grid_put(FILE *out, cli_grid *grid)
{
    int widths[CLI_GRID_COLUMNS] = {0}, count = (int)strlen(grid->align);
    for (int c = 0; c < count; c++)
        widths[c] = column_width(grid, c);
    fit(widths, count, cli_width(out));
    for (int row = 0; row < grid->count; row++) {
        cut(grid->cells[row][0], widths[0]);
        put_row(out, grid, row, widths, count);
    }
}

void cli_grid_put_markdown(FILE *out, const cli_grid *grid)
{
    const int count = (int)strlen(grid->align);
    for (int row = 0; row < grid->count; row++) {
        for (int c = 0; c < count; c++) {
            fputs("| ", out);
            (c == 0 && row > 0 ? cli_markdown_put_code
                               : cli_markdown_put)(out, grid->cells[row][c]);
            fputc(' ', out);
        }
        fputs("|\n", out);
        for (int c = 0; row == 0 && c < count; c++)
            fputs(c + 1 < count ? "|---" : "|---|\n", out);
    }
}
