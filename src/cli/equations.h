/* The equations of schemes: `livens explain SCHEME --equations`, and the section about
 * them on the page of a scheme. */
#ifndef CLI_EQUATIONS_H
#define CLI_EQUATIONS_H

#include "cli/args.h"
#include "cli/page.h"

/* Shows the equations of the scheme with the options of the command line and, with
 * --model, what is derived for that model. */
LV_NODISCARD lv_status cli_equations_explain(const cli_page *page, const char *scheme,
                                             const cli_args *args, lv_error *err);

/* The name of an option that only --equations uses, if one was given; NULL: none. */
const char *cli_equations_option(const cli_args *args);

/* Shows the equations of the scheme with default options, as code. */
void cli_equations_put(const cli_page *page, const char *scheme);

/* Explains how to read the statements. */
void cli_equations_legend(const cli_page *page);

#endif
