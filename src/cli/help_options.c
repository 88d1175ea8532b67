/* Help on the options of schemes, and on the words that they accept. */
#include "cli/help.h"
#include "cli/nearest.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/schemes.h"

#include <stdio.h>
#include <string.h>

/* "exp: rattle, verlet": schemes that accept an option, or a word of it (-1: any
 * value). */
static void list_takers(cli_line *line, int option, int word)
{
    lv_scheme_info info;
    for (int k = 0; lv_scheme_describe(k, &info); k++) {
        lv_scheme_options options = {0};
        lv_claims claims;
        lv_scheme_option_set(&options, (lv_option)option, word);
        const bool taken =
            (info.options >> option & 1) != 0 &&
            (word < 0 || lv_scheme_claims(&claims, info.name, &options, NULL) == LV_OK);
        if (taken)
            cli_line_add(line, "%s%s", line->length > 0 ? ", " : "", info.name);
    }
}

static void write_takers(const cli_page *page, int option, int word)
{
    cli_line line = {.length = 0};
    list_takers(&line, option, word);
    cli_page_heading(page, 2, "schemes that take it");
    cli_page_text(page, line.length > 0 ? line.text : "none");
}

static void explain_option(const cli_page *page, int k, const lv_option_info *option)
{
    enum { WORDS_MOST = 16 };
    char title[120], values[200];
    cli_row rows[WORDS_MOST];
    int n = 0;
    snprintf(title, sizeof title, "%s, an option of schemes", option->name);
    cli_option_values(values, sizeof values, option);
    cli_page_title(page, title);
    cli_page_text(page, option->doc);
    cli_page_heading(page, 2, "values");
    for (; option->meanings && option->choices[n] && n < WORDS_MOST; n++)
        rows[n] = (cli_row){option->choices[n], option->meanings[n]};
    if (n > 0)
        cli_page_rows(page, "value", "meaning", rows, n);
    else
        cli_page_text(page, values);
    for (int w = 0; w < n; w++) {
        cli_line line = {.length = 0};
        char heading[100];
        list_takers(&line, k, w);
        snprintf(heading, sizeof heading, "schemes that take %s", option->choices[w]);
        cli_page_heading(page, 2, heading);
        cli_page_text(page, line.text);
    }
    if (n == 0)
        write_takers(page, k, -1);
}

bool cli_option_explain(const cli_page *page, const char *name)
{
    lv_option_info option;
    for (int k = 0; lv_option_describe(k, &option); k++)
        if (strcmp(option.name, name) == 0 || strcmp(cli_option_on_line(k), name) == 0) {
            explain_option(page, k, &option);
            return true;
        }
    return false;
}

bool cli_choice_explain(const cli_page *page, const char *name)
{
    lv_option_info option;
    bool found = false;
    for (int k = 0; lv_option_describe(k, &option); k++)
        for (int w = 0; option.choices && option.choices[w]; w++) {
            char title[120];
            if (strcmp(option.choices[w], name) != 0)
                continue;
            snprintf(title, sizeof title, "%s, a value of the option %s", name,
                     option.name);
            cli_page_title(page, title);
            cli_page_text(page, option.meanings[w]);
            write_takers(page, k, w);
            found = true;
        }
    return found;
}

void cli_options_offer(cli_nearest *nearest)
{
    lv_option_info option;
    for (int k = 0; lv_option_describe(k, &option); k++) {
        cli_nearest_offer(nearest, option.name);
        for (int w = 0; option.choices && option.choices[w]; w++)
            cli_nearest_offer(nearest, option.choices[w]);
    }
}
