/* Papers and their claims as text and as JSON. */
#ifndef CLI_REPRODUCE_REPORT_H
#define CLI_REPRODUCE_REPORT_H

#include "cli/args.h"
#include "cli/reproduce/papers.h"

/* Lists all papers. */
void cli_papers_write_text(void);
void cli_papers_write(bool json);

/* Writes all claims beside the measured numbers, then the corrections to the paper. */
void cli_reproduce_write_text(const cli_reproduction *reproduction);

/* Writes only the claims. */
void cli_reproduce_write_list(const cli_reproduction *reproduction);

void cli_reproduce_write_json(const cli_reproduction *reproduction);

#endif
