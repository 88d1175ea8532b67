/* The parts of one paper. */
#ifndef CLI_REPRODUCE_KNOLL2025_H
#define CLI_REPRODUCE_KNOLL2025_H

#include "cli/reproduce/motion.h"

extern const cli_chapter cli_knoll2025_vector_space; /* 3, 4.2 */
extern const cli_chapter cli_knoll2025_top;          /* 4.3 */

#endif
