/* Finds the name that was probably meant. */
#ifndef CLI_NEAREST_H
#define CLI_NEAREST_H

/* Start with {.word = ...}, offer every candidate, then ask for the result. */
typedef struct cli_nearest {
    const char *word;
    const char *best;
    int distance;
} cli_nearest;

void cli_nearest_offer(cli_nearest *nearest, const char *candidate);

/* The closest candidate if it is close enough, else NULL. */
const char *cli_nearest_result(const cli_nearest *nearest);

#endif
