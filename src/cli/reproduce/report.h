/* Papers and their claims, for eyes and for machines. */
#ifndef CLI_REPRODUCE_REPORT_H
#define CLI_REPRODUCE_REPORT_H

#include "cli/args.h"
#include "cli/reproduce/papers.h"

/* The papers that there are. */
void cli_papers_write_text(void);
void cli_papers_write(bool json);

/* All claims beside what was measured, then the corrections to the paper. */
void cli_reproduce_write_text(const cli_reproduction *reproduction);

/* The claims alone. */
void cli_reproduce_write_list(const cli_reproduction *reproduction);

void cli_reproduce_write_json(const cli_reproduction *reproduction);

#endif
