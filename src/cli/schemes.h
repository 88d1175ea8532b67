/* What the schemes promise, in words and tables. */
#ifndef CLI_SCHEMES_H
#define CLI_SCHEMES_H

#include "cli/grid.h"
#include "cli/json.h"

#include <livens/livens.h>

/* false if there is none of that name. */
bool cli_scheme_find(const char *name, lv_scheme_info *info);

/* What the scheme promises with a number of stages (0: its own) and nothing composed. */
lv_claims cli_scheme_claims(const lv_scheme_info *info, int stages);

/* The headings of the cells below, and the cells: symplectic, symmetric, energy, momentum,
 * constraints. */
void cli_claims_header(cli_grid *grid);
void cli_claims_cells(cli_grid *grid, const lv_scheme_info *info,
                      const lv_claims *claims);

/* What the words in the cells mean. */
extern const char cli_claims_legend[];

/* `livens list schemes`: the table, or the items of an array. */
void cli_schemes_write_text(void);
void cli_schemes_write_json(cli_json *json);

/* The fact "lobatto, 3 stages, order 4", "rattle, composed to order 8". */
void cli_scheme_put(FILE *out, const char *name, const lv_scheme_options *options,
                    int order);

#endif
