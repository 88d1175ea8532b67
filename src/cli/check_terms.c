/* The table of terms. */
#include "cli/check.h"
#include "cli/grid.h"

enum { TERMS_MOST = 40 };

static void add_degree(cli_grid *grid, int degree)
{
    if (degree >= 0)
        cli_grid_add(grid, "%d", degree);
    else
        cli_grid_add(grid, "-");
}

static void add_header(cli_grid *grid)
{
    static const char *const names[] = {"term",  "role",  "count", "coords", "ops",
                                        "deg q", "deg v", "inv",   "notes"};
    cli_grid_row(grid);
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        cli_grid_add(grid, "%s", names[k]);
}

static void add_term(cli_grid *grid, const lv_term_info *term)
{
    cli_grid_row(grid);
    cli_grid_add(grid, "%s", term->name[0] ? term->name : term->section);
    cli_grid_add(grid, "%s", term->role);
    if (term->rows > 1)
        cli_grid_add(grid, "%d x %d", term->instances, term->rows);
    else
        cli_grid_add(grid, "%d", term->instances);
    cli_grid_add(grid, "%d", term->coordinates);
    cli_grid_add(grid, "%d", term->operations);
    add_degree(grid, term->degree_q);
    add_degree(grid, term->degree_v);
    cli_grid_add(grid, "%d", term->invariants);
    const bool driven = term->time || term->inputs;
    cli_grid_add(grid, "%s%s%s%s%s", term->velocities ? term->velocities : "",
                 term->velocities && driven ? ", " : "", term->time ? "t" : "",
                 term->time && term->inputs ? ", " : "", term->inputs ? "inputs" : "");
}

/* Constraints that keep bodies rigid are left out, because they are not terms of the
 * user. */
void cli_check_write_terms(const lv_inspection *facts)
{
    cli_grid grid = {.align = "llrrrrrrl"};
    int count = 0;
    add_header(&grid);
    for (int k = 0; k < facts->term_count; k++)
        if (!facts->terms[k].is_inner && count++ < TERMS_MOST)
            add_term(&grid, &facts->terms[k]);
    cli_grid_put(stdout, &grid);
    if (count > TERMS_MOST)
        printf("  ... and %d more (--json shows all)\n", count - TERMS_MOST);
}
