/* Processes that compute one sweep together, started by mpirun. The first, rank 0, hands out members in chunks, collects
 * results and writes files and summary; the others compute. Who does not answer for some time is taken for lost, and its
 * members are handed out again.
 *
 * ranks_mpi.c is for programs that are built with MPI, ranks_none.c for others, which are always alone. */
#ifndef CLI_RANKS_H
#define CLI_RANKS_H

#include "cli/command.h"

typedef struct cli_ranks {
    int rank, count;
    struct cli_post *post; /* what they say to each other; NULL: there is one rank */
} cli_ranks;

/* Joins the others, if mpirun has started this process. Fails where it has and the program knows nothing of MPI. */
LV_NODISCARD lv_status cli_ranks_begin(cli_ranks *ranks, lv_error *err);

/* Rank 0: lets the request take members from the others. */
void cli_ranks_lead(cli_ranks *ranks, lv_sweep_request *request);

/* The others: computes what rank 0 asks for, until it asks for no more. What goes wrong is told rank 0. */
void cli_ranks_serve(cli_ranks *ranks, const lv_model *model, lv_sweep_request *request);

/* Tells rank 0 what keeps this one from computing. */
void cli_ranks_excuse(cli_ranks *ranks, const char *text);

/* Ends the conversation. Where a rank was lost, nobody would wait for it in good order: the program ends here, with this
 * exit code, as soon as all output has arrived. */
void cli_ranks_end(cli_ranks *ranks, int exit_code);

#endif
