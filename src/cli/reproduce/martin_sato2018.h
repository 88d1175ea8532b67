/* Chapters of the paper, by its sections. */
#ifndef CLI_REPRODUCE_MARTIN_SATO2018_H
#define CLI_REPRODUCE_MARTIN_SATO2018_H

#include "cli/reproduce/motion.h"

extern const cli_chapter cli_martin_sato2018_trapezoid; /* 4, appendices A and B */
extern const cli_chapter cli_martin_sato2018_particle;  /* 7.1 */
extern const cli_chapter cli_martin_sato2018_cvt;       /* 7.2 */
extern const cli_chapter cli_martin_sato2018_chaos;     /* 7.3 */
extern const cli_chapter cli_martin_sato2018_free_body; /* 6 */
extern const cli_chapter cli_martin_sato2018_unicycle;  /* 7.4 */
extern const cli_chapter cli_martin_sato2018_turntable; /* 7.5 */

#endif
