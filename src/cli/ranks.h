/* Processes that compute one sweep together, started by mpirun. Rank 0 hands out members
 * in chunks, collects results and writes files and summary; the other ranks compute. A
 * rank that does not answer for some time is considered lost, and its members are handed
 * out again.
 *
 * ranks_mpi.c is for programs that are built with MPI, ranks_none.c for others, which
 * have only one rank. */
#ifndef CLI_RANKS_H
#define CLI_RANKS_H

#include "cli/command.h"

typedef struct cli_ranks {
    int rank, count;
    struct cli_post *post; /* state of the communication; NULL: there is only one rank */
} cli_ranks;

/* Joins the other ranks, if mpirun has started this process. Fails if it has and the
 * program is built without MPI. */
LV_NODISCARD lv_status cli_ranks_begin(cli_ranks *ranks, lv_error *err);

/* On rank 0: lets the request get members from the other ranks. */
void cli_ranks_lead(cli_ranks *ranks, lv_sweep_request *request);

/* On other ranks: computes members that rank 0 asks for, until there are no more. Errors
 * are sent to rank 0. */
void cli_ranks_serve(cli_ranks *ranks, const lv_model *model, lv_sweep_request *request);

/* Tells rank 0 why this rank cannot compute. */
void cli_ranks_excuse(cli_ranks *ranks, const char *text);

/* Ends the communication. If a rank was lost, an orderly end would wait for it forever;
 * the program then ends here, with this exit code, as soon as all output is written. */
void cli_ranks_end(cli_ranks *ranks, int exit_code);

#endif
