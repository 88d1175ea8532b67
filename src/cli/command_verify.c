#include "cli/changes.h"
#include "cli/inputs.h"
#include "cli/load.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/summary.h"
#include "cli/verify.h"

#include <stddef.h>

static void show_phase(void *user, int number, int count, const char *what)
{
    cli_progress_phase(user, number, count, what);
}

static lv_status verify_with(const lv_model *model, const cli_args *args,
                             const cli_inputs *inputs, cli_outcome *outcome)
{
    lv_verify_request request = lv_verify_request_default(model);
    lv_certificate *certificate = NULL;
    lv_run_changes changes;
    cli_outputs outputs;
    lv_report_info info = {0};
    cli_progress progress;
    lv_status status = cli_changes_read(&changes, args, &outcome->error);
    if (status != LV_OK)
        return status;
    lv_run_request_change(&request.run, &changes);
    request.run.tables = inputs->tables;
    request.run.table_count = inputs->count;
    status = cli_steps_check(&request.run, &outcome->error);
    if (status == LV_OK)
        status = cli_outputs_read(&outputs, args, &outcome->error);
    if (status != LV_OK)
        return status;
    request.run.sample = 0; /* rows are not needed */
    cli_progress_begin(&progress, cli_outputs_hide_progress(args));
    request.phase = show_phase;
    request.user = &progress;
    status = outputs.page ? lv_verify_report(&certificate, &info, model, &request,
                                             outputs.page, &outcome->error)
                          : lv_verify(&certificate, model, &request, &outcome->error);
    cli_progress_end(&progress);
    if (status != LV_OK) {
        cli_summary_name_file(&outcome->error, cli_model_file(args));
        lv_certificate_free(certificate);
        return status;
    }
    const cli_verify verify = {cli_model_file(args), model, certificate, outputs.page,
                               info};
    if (cli_args_flag(args, "json"))
        cli_verify_write_json(&verify);
    else
        cli_verify_write_text(cli_outputs_on_stdout(args) ? stderr : stdout, &verify);
    outcome->warned = certificate->verdicts[LV_FINDING_BROKEN] > 0;
    lv_certificate_free(certificate);
    return LV_OK;
}

static lv_status carry_out(const lv_model *model, const cli_args *args,
                           cli_outcome *outcome)
{
    cli_inputs inputs = {0};
    lv_status status = cli_inputs_read(&inputs, args, &outcome->error);
    if (status == LV_OK)
        status = verify_with(model, args, &inputs, outcome);
    cli_inputs_done(&inputs);
    return status;
}

static lv_status run(const cli_args *args, cli_outcome *outcome)
{
    return cli_model_use(args, outcome, carry_out);
}

static const cli_argument arguments[] = {
    CLI_MODEL_ARGUMENT,
    {NULL, false, NULL},
};

static const cli_option options[] = {
    CLI_MOTION_OPTIONS,
    CLI_INITIAL_OPTION,
    CLI_SET_OPTION,
    CLI_INPUT_OPTION,
    CLI_MEMORY_OPTION,
    {"report", 0, false, "OUT.html",
     "write the certificate as a page, beside the motion of the run"},
    {"json", 0, false, NULL, "write one JSON object, numbers with 17 digits"},
    {NULL, 0, false, NULL, NULL},
};

static const cli_example examples[] = {
    {"livens verify pendulum3d", "the model's own scheme and step"},
    {"livens verify four-particles --scheme em --step 0.1", "another scheme and step"},
    {"livens verify heavy-top --report top.html", "a page for others to look at"},
    {"livens verify cart-pole --input force=force.csv",
     "with an input that follows a table"},
    {"livens verify mine.toml --json", "for a program"},
    {NULL, NULL},
};

const cli_command cli_command_verify = {
    .name = "verify",
    .summary = "measure what a scheme promises, on this model with this step",
    .about =
        "Writes the structure certificate of a model, a scheme and a step: for every "
        "property what is promised, what was measured, the bound, and a verdict. Scheme, "
        "step and end are those in the model's [run], unless options say otherwise."
        "\n\n"
        "order: errors of positions and momenta with the step and two smaller ones "
        "(larger "
        "ones where these errors are rounding), against a motion that was computed by "
        "extrapolation of the accelerations and knows nothing of the scheme. "
        "Where the motion is too sensitive for the whole time, as chaotic ones are, "
        "errors are compared earlier. A step whose error does not follow the order yet "
        "is "
        "in no asymptotic range: smaller ones are tried, and the verdict is open. With "
        "--input the order is that of the motion with inputs as they are at the start; "
        "in "
        "the run they follow their tables."
        "\n\n"
        "symplecticity: the change of the two-form in a step on the constraint manifold, "
        "by the exact derivative of the step, or by differences where the scheme has "
        "none. reversibility: a step of h, then one of -h. energy: its largest error in "
        "the run, and a straight line through it with its interval of 99 % confidence; "
        "balance: energy less work, where something does work. momentum: every momentum "
        "map; a declared symmetry that is none is said to be so, and no scheme is to "
        "blame. position, velocity, nonholonomic: residuals of the constraints. repeat, "
        "threads, resume: numbers that differ in their bits in a second run, in runs "
        "side "
        "by side, and in one that goes on from a checkpoint."
        "\n\n"
        "A verdict is kept, broken, not promised (measured all the same) or open (it "
        "cannot be judged: the note says why). The exit code is 3 if a promise is "
        "broken. "
        "Long runs are watched for some thousand steps, so that a certificate takes a "
        "few "
        "seconds."
        "\n\n"
        "The object of --json has the keys status (ok or broken), model, file, scheme, "
        "options, order, step, until, t and steps (what was watched of the run), "
        "threads, "
        "seconds, kept, broken, open and not_promised (how many findings), findings, "
        "convergence, drift and warnings, which are those of the run. A finding has "
        "property, name (of a momentum map or an "
        "invariant), promise, measured, noise, bound, verdict (kept, broken, "
        "not_promised "
        "or open) and note; what does not exist is null. convergence has t, "
        "reference_error, steps, errors, orders (each between two steps), asymptotic and "
        "asymptotic_step, the largest step of which the order was seen. drift has the "
        "amplitude of the error of the energy and, per time, rate and interval, relative "
        "to the size of the energies. Properties that a model does not have, such as "
        "constraints, have no finding.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .run = run,
};
