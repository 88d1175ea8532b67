#include "cli/ranks.h"

#include "cli/error.h"

#include <stdlib.h>

/* Refuses several processes: each would compute the whole sweep, and all would write the
 * same files. */
lv_status cli_ranks_begin(cli_ranks *ranks, lv_error *err)
{
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    *ranks = (cli_ranks){.count = 1};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        const char *size = getenv(sizes[k]);
        if (!size || atoi(size) <= 1)
            continue;
        lv_status status =
            cli_fail(err, LV_ERR_USAGE,
                     "this livens was built without MPI: its processes do not know of "
                     "each other");
        cli_hint(err, "build it with -DLIVENS_MPI=ON, or compute parts: --part K/N");
        return status;
    }
    return LV_OK;
}

void cli_ranks_lead(cli_ranks *ranks, lv_sweep_request *request)
{
    (void)ranks;
    (void)request;
}

void cli_ranks_serve(cli_ranks *ranks, const lv_model *model, lv_sweep_request *request)
{
    (void)ranks;
    (void)model;
    (void)request;
}

void cli_ranks_excuse(cli_ranks *ranks, const char *text)
{
    (void)ranks;
    (void)text;
}

void cli_ranks_end(cli_ranks *ranks, int exit_code)
{
    (void)ranks;
    (void)exit_code;
}
