/* Chapters of the thesis, by its sections. */
#ifndef CLI_REPRODUCE_KNOLL2025_H
#define CLI_REPRODUCE_KNOLL2025_H

#include "cli/reproduce/motion.h"

extern const cli_chapter cli_knoll2025_vector_space; /* 3, 4.2 */
extern const cli_chapter cli_knoll2025_top;          /* 4.3 */
extern const cli_chapter cli_knoll2025_body;         /* 4.2, for a rigid body */
extern const cli_chapter cli_knoll2025_groups;       /* 5 */

/* The heavy top of Section 4.3 as models, on a spherical joint and with a fixed tip. */
extern const char cli_knoll2025_joint[], cli_knoll2025_pivot[];

#endif
