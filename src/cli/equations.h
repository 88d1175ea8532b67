/* The equations of schemes: `livens explain SCHEME --equations`, and what the page of a scheme shows of them. */
#ifndef CLI_EQUATIONS_H
#define CLI_EQUATIONS_H

#include "cli/args.h"
#include "cli/page.h"

/* Those of the scheme with the options of the command line and, with --model, what is derived for that model. */
LV_NODISCARD lv_status cli_equations_explain(const cli_page *page, const char *scheme,
                                             const cli_args *args, lv_error *err);

/* Was an option given that only --equations has a use for? Its name; NULL: none. */
const char *cli_equations_option(const cli_args *args);

/* What the scheme does without options, as code. */
void cli_equations_put(const cli_page *page, const char *scheme);

/* How the statements read. */
void cli_equations_legend(const cli_page *page);

#endif
