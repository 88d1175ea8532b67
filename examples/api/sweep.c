/* An ensemble: its members, a sweep over all of them, and one in two parts. */
#include "must.h"

static void sweep(const lv_model *model, const lv_sweep_request *request)
{
    lv_error err;
    lv_sweep_summary *summary = NULL;
    must(lv_sweep_run(&summary, model, request, &err), &err);
    printf("%d of %d members by %d threads, mean of the last column %g\n", summary->done,
           summary->members, summary->threads,
           summary->columns[summary->column_count - 1].mean);
    lv_sweep_summary_free(summary);
}

/* Parts that machines which do not know of each other compute, joined. */
static void in_parts(const lv_model *model)
{
    static const char *const files[] = {"api-part-1.h5", "api-part-2.h5"};
    lv_error err;
    lv_sweep_parts *parts = NULL;
    lv_sweep_request request = lv_sweep_request_default();
    request.parts = 2;
    for (int k = 0; k < 2; k++) {
        request.part = k + 1;
        request.hdf5 = files[k];
        sweep(model, &request);
    }
    must(lv_sweep_parts_read(&parts, files, 2, &err), &err);
    printf("%s in parts:\n", lv_sweep_parts_name(parts));
    request = lv_sweep_request_default();
    request.join = parts;
    sweep(lv_sweep_parts_model(parts), &request);
    lv_sweep_parts_free(parts);
    (void)remove(files[0]);
    (void)remove(files[1]);
}

int main(void)
{
    static const char text[] = "[parameters]\nx0 = 1\n[coordinates]\nx = \"x0\"\n"
                               "[energy]\nkinetic = \"x'^2/2\"\npotential = \"x^4\"\n"
                               "[sweep.set]\nx0 = { from = 1, to = 2, count = 6 }\n"
                               "[run]\nscheme = \"em\"\nstep = 0.01\nuntil = 1\n";
    lv_error err;
    lv_model *model = NULL, *member = NULL;
    must(lv_model_parse(&model, "oscillators", text, sizeof text - 1, NULL, 0, &err),
         &err);
    printf("%d members, %d threads\n", lv_sweep_members(model), lv_sweep_threads());
    must(lv_sweep_member(&member, model, 2, &err), &err);
    printf("member 2 starts at %g\n", lv_model_start_position(member)[0]);
    lv_model_free(member);
    const lv_sweep_request request = lv_sweep_request_default();
    sweep(model, &request);
    in_parts(model);
    lv_model_free(model);
    return 0;
}
