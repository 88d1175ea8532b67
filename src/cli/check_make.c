#include "cli/check.h"
#include "cli/error.h"

#include <stdlib.h>

static void say_nothing(void *user, int number, int count, const char *what)
{
    (void)user;
    (void)number;
    (void)count;
    (void)what;
}

/* Asks which schemes take the model and what they keep, which the inspection does not
 * tell. */
static lv_status ask_schemes(cli_check *check, lv_error *err)
{
    const int maps = check->facts->momentum_count;
    check->kept = calloc((size_t)maps * CLI_SCHEMES_MAX + 1, sizeof *check->kept);
    if (!check->kept)
        return cli_fail_memory(err);
    CLI_TRY(lv_inspection_survey_schemes(check->facts, check->fits, CLI_SCHEMES_MAX,
                                         check->kept, err));
    return cli_check_ask_formulations(check, check->facts, err);
}

lv_status cli_check_make(cli_check *check, const char *file, const lv_model *model,
                         void (*phase)(void *user, int number, int count,
                                       const char *what),
                         void *user, lv_error *err)
{
    enum { PHASES = 3 };
    *check = (cli_check){.file = file, .model = model};
    phase = phase ? phase : say_nothing;
    phase(user, 1, PHASES, "symmetries, masses and constraints");
    CLI_TRY(lv_model_inspect(&check->facts, model, err));
    phase(user, 2, PHASES, "what schemes keep");
    CLI_TRY(ask_schemes(check, err));
    phase(user, PHASES, PHASES, "a short motion");
    CLI_TRY(lv_inspection_probe(check->facts, &check->probe, err));
    cli_check_find(check);
    return LV_OK;
}

void cli_check_done(cli_check *check)
{
    free(check->kept);
    lv_inspection_free(check->facts);
}
