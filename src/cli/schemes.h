/* The claims of the schemes, in words and tables. */
#ifndef CLI_SCHEMES_H
#define CLI_SCHEMES_H

#include "cli/grid.h"
#include "cli/json.h"

#include <livens/livens.h>

/* false if there is no scheme with this name. */
bool cli_scheme_find(const char *name, lv_scheme_info *info);

/* The option that determines the order: LV_OPTION_STAGES or LV_OPTION_DEGREE with the
 * values that it takes, from 1 on; LV_OPTIONS if there is none. */
typedef struct cli_dial {
    int option;
    int least, most;
} cli_dial;

cli_dial cli_scheme_dial(const lv_scheme_info *info);

/* The claims of the scheme with this value of the option (0: the default) and without
 * composition. */
lv_claims cli_scheme_claims(const lv_scheme_info *info, int value);

/* The headings of the cells below, and the cells: symplectic, symmetric, energy,
 * momentum, constraints. */
void cli_claims_header(cli_grid *grid);
void cli_claims_cells(cli_grid *grid, const lv_scheme_info *info,
                      const lv_claims *claims);

/* The meaning of the words in the cells. */
extern const char cli_claims_legend[];

/* A row for every scheme: order, claims and, with `all`, the systems that it takes. */
void cli_schemes_table(cli_grid *grid, bool all);

/* "constant", "may vary", "may be singular"; "yes", "no" or the condition. */
const char *cli_scheme_mass(const lv_scheme_info *info);
const char *cli_scheme_composes(const lv_scheme_info *info);

/* The Lagrangians that it takes, as functions of the velocities. */
const char *cli_scheme_lagrangian(const lv_scheme_info *info);

/* `livens list schemes`: the table, or the items of an array. */
void cli_schemes_write_text(void);
void cli_schemes_write_json(cli_json *json);

/* Writes the fact "lobatto, 3 stages, order 4", "rattle, composed to order 8". */
void cli_scheme_put(FILE *out, const char *name, const lv_scheme_options *options,
                    int order);

#endif
