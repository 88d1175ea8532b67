/* livens verify with schemes that break their promises: the exit code is 3, and the promise is named. */
#include "../study/certificates.h"

#include "cli/args.h"

#include <stdlib.h>
#include <unistd.h>

/* What the command prints, and how it ends; the text lives until the next call. */
static const char *run_command(char **argv, int argc, cli_outcome *outcome)
{
    static char text[20000];
    char path[] = "/tmp/livens-verify-XXXXXX";
    const int file = mkstemp(path), screen = dup(1);
    cli_args args;
    assert_true(file >= 0 && screen >= 0);
    *outcome = (cli_outcome){.warned = false};
    fflush(stdout);
    assert_int_equal(dup2(file, 1), 1);
    lv_status status =
        cli_args_parse(&args, cli_command_find(argv[0]), argc, argv, &outcome->error);
    if (status == LV_OK)
        status = args.command->run(&args, outcome);
    cli_args_done(&args);
    fflush(stdout);
    assert_int_equal(dup2(screen, 1), 1);
    const ssize_t size = pread(file, text, sizeof text - 1, 0);
    assert_true(size >= 0);
    text[size] = '\0';
    close(file);
    close(screen);
    unlink(path);
    if (status != LV_OK)
        fail_with(&outcome->error);
    return text;
}

static void a_broken_promise_is_an_exit_code(void **state)
{
    (void)state;
    char *argv[] = {(char[]){"verify"}, (char[]){"--scheme"}, (char[]){"rattle"},
                    (char[]){"kepler"}, NULL};
    cli_outcome outcome;
    break_scheme("rattle");
    broken_scheme.step = lossy_step;
    const char *text = run_command(argv, 4, &outcome);
    mend_scheme();
    assert_true(outcome.warned); /* exit code 3 */
    assert_non_null(strstr(text, "promises are broken: reversibility, energy, J."));
    text = run_command(argv, 4, &outcome);
    assert_false(outcome.warned);
    assert_non_null(strstr(text, "promises are kept"));
}

static void so_it_is_in_json(void **state)
{
    (void)state;
    char *argv[] = {(char[]){"verify"}, (char[]){"--json"}, (char[]){"--scheme"},
                    (char[]){"rattle"}, (char[]){"kepler"}, NULL};
    cli_outcome outcome;
    break_scheme("rattle");
    broken_scheme.step = lossy_step;
    const char *text = run_command(argv, 5, &outcome);
    mend_scheme();
    assert_true(outcome.warned);
    assert_non_null(strstr(text, "\"status\": \"broken\""));
    assert_non_null(strstr(text, "\"verdict\": \"broken\""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_broken_promise_is_an_exit_code),
        RUN(so_it_is_in_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
