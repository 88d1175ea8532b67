/* Chapters of the paper, by its sections. */
#ifndef CLI_REPRODUCE_KINON2023_H
#define CLI_REPRODUCE_KINON2023_H

#include "cli/reproduce/motion.h"

extern const cli_chapter cli_kinon2023_pendulum;  /* 6.1 */
extern const cli_chapter cli_kinon2023_top;       /* 6.2 */
extern const cli_chapter cli_kinon2023_particles; /* 6.3, what is kept and convergence */
extern const cli_chapter cli_kinon2023_stability; /* 6.3, effort and stability */

#endif
