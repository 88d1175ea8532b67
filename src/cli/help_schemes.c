/* Help on schemes, from their descriptors. */
#include "cli/equations.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/schemes.h"

#include <stdio.h>

enum { ROWS_SHOWN = 5, WORDS_MOST = 16 };

static void put_grid(const cli_page *page, cli_grid *grid)
{
    if (page->markdown)
        cli_grid_put_markdown(page->out, grid);
    else
        cli_grid_put(page->out, grid);
    fputc('\n', page->out);
}

/* Writes a row for every number of stages, or every degree; a single row if there is no
 * choice. */
static void write_claims(const cli_page *page, const lv_scheme_info *info)
{
    cli_dial dial = cli_scheme_dial(info);
    lv_option_info option;
    bool choice = lv_option_describe(dial.option, &option);
    cli_grid grid = {.align = choice ? "rrlllll" : "rlllll"};
    cli_grid_row(&grid);
    if (choice)
        cli_grid_add(&grid, "%s", option.name);
    cli_grid_add(&grid, "order");
    cli_claims_header(&grid);
    for (int s = dial.least; s <= dial.most && s <= ROWS_SHOWN; s++) {
        lv_claims claims = cli_scheme_claims(info, s);
        cli_grid_row(&grid);
        if (choice)
            cli_grid_add(&grid, "%d", s);
        cli_grid_add(&grid, "%d", claims.order);
        cli_claims_cells(&grid, info, &claims);
    }
    put_grid(page, &grid);
}

/* The words of an option that the scheme accepts, with all other options at their
 * defaults. */
static void words_taken(char *buffer, size_t size, const lv_scheme_info *info, int k,
                        const lv_option_info *option)
{
    const char *taken[WORDS_MOST + 1];
    int n = 0;
    for (int w = 0; option->choices[w] && n < WORDS_MOST; w++) {
        lv_scheme_options options = {0};
        lv_claims claims;
        lv_scheme_option_set(&options, (lv_option)k, w);
        if (lv_scheme_claims(&claims, info->name, &options, NULL) == LV_OK)
            taken[n++] = option->choices[w];
    }
    taken[n] = NULL;
    cli_list_words(buffer, size, taken);
    if (n == 1)
        snprintf(buffer, size, "%s alone", taken[0]);
}

/* "2 to 12, 3 by default", or the kind of the option and its values. */
static void option_text(char *buffer, size_t size, const lv_scheme_info *info, int k,
                        const lv_option_info *option)
{
    char values[100];
    if (option->kind == LV_OPTION_IS_CHOICE)
        words_taken(values, sizeof values, info, k, option);
    else
        cli_option_values(values, sizeof values, option);
    if (k == LV_OPTION_STAGES)
        snprintf(buffer, size, "%d to %d, %d by default", info->least_stages,
                 info->most_stages, info->default_stages);
    else
        snprintf(buffer, size, "%s; %s", option->doc, values);
}

static void write_options(const cli_page *page, const lv_scheme_info *info, int level)
{
    enum { TEXT_SIZE = 300 };
    char texts[LV_OPTIONS][TEXT_SIZE];
    cli_row rows[LV_OPTIONS];
    lv_option_info option;
    int n = 0;
    for (int k = 0; lv_option_describe(k, &option); k++) {
        if (!(info->options >> k & 1))
            continue;
        option_text(texts[n], TEXT_SIZE, info, k, &option);
        rows[n] = (cli_row){option.name, texts[n]};
        n++;
    }
    if (n == 0)
        return;
    cli_page_heading(page, level, "options");
    cli_page_rows(page, "option", "meaning", rows, n);
}

/* "holonomic and nonholonomic" */
static const char *constraints_taken(const lv_scheme_info *info)
{
    if (!info->holonomic)
        return "none";
    return info->nonholonomic ? "holonomic and nonholonomic" : "holonomic";
}

static void write_systems(const cli_page *page, const lv_scheme_info *info, int level)
{
    cli_row rows[6];
    int n = 0;
    if (info->only)
        rows[n++] = (cli_row){"only", info->only};
    rows[n++] = (cli_row){"mass matrix", cli_scheme_mass(info)};
    rows[n++] = (cli_row){"Lagrangian", cli_scheme_lagrangian(info)};
    if (info->no_velocity_forces)
        rows[n++] = (cli_row){"forces", "of positions and time, not of velocities"};
    rows[n++] = (cli_row){"constraints", constraints_taken(info)};
    rows[n++] = (cli_row){"composition", cli_scheme_composes(info)};
    cli_page_heading(page, level, "what it takes");
    cli_page_rows(page, "of", "takes", rows, n);
}

void cli_help_scheme(const cli_page *page, const lv_scheme_info *info, int level)
{
    cli_page_text(page, info->summary);
    cli_page_text(page, info->text);
    write_options(page, info, level);
    write_systems(page, info, level);
    cli_page_heading(page, level, "what it keeps");
    write_claims(page, info);
    if (level == 2)
        cli_page_text(page, cli_claims_legend);
    if (level > 2) {
        cli_page_heading(page, level, "equations");
        cli_equations_put(page, info->name);
    }
    cli_page_heading(page, level, "source");
    cli_page_text(page, info->source);
}

void cli_help_schemes(const cli_page *page)
{
    cli_grid grid = {.align = ""};
    lv_scheme_info info;
    cli_page_title(page, "Schemes");
    cli_schemes_table(&grid, page->markdown);
    put_grid(page, &grid);
    cli_page_text(page, cli_claims_legend);
    cli_equations_legend(page);
    for (int k = 0; lv_scheme_describe(k, &info); k++) {
        cli_page_heading(page, 2, info.name);
        if (!page->markdown)
            fputc('\n', page->out);
        cli_help_scheme(page, &info, 3);
    }
}
