/* Runs an ensemble on all cores: a pendulum released from different angles.
 *
 *     cc sweep.c $(pkg-config --cflags --libs livens) -o sweep && ./sweep */
#include <livens/livens.h>

#include <stdio.h>
#include <string.h>

static int complain(const lv_error *err)
{
    char text[4096];
    lv_error_write(err, text, sizeof text);
    fputs(text, stderr);
    return lv_status_exit_code(err->code);
}

static lv_status make_model(lv_model **model, lv_error *err)
{
    lv_builder *b = lv_builder_create("released pendulums");
    *model = NULL;
    if (!b)
        return LV_ERR_MEMORY;
    lv_builder_number(b, "parameters", NULL, "release", 1);
    lv_builder_text(b, "coordinates", "phi", "value", "release");
    lv_builder_text(b, "energy", NULL, "kinetic", "phi'^2/2");
    lv_builder_text(b, "energy", NULL, "potential", "-cos(phi)");
    lv_builder_text(b, "run", NULL, "scheme", "gauss");
    lv_builder_number(b, "run", NULL, "step", 0.05);
    lv_builder_number(b, "run", NULL, "until", 20);
    lv_builder_number(b, "sweep.set", "release", "from", 0.1);
    lv_builder_number(b, "sweep.set", "release", "to", 3.1);
    lv_builder_number(b, "sweep.set", "release", "count", 7);
    lv_status status = lv_builder_model(model, b, err);
    lv_builder_free(b);
    return status;
}

static double value_of(const lv_member *member, const char *column)
{
    for (int k = 0; k < member->column_count; k++)
        if (strcmp(member->columns[k], column) == 0)
            return member->values[k];
    return 0;
}

/* Called in the order of the members, whatever thread ran them. */
static bool show(void *user, const lv_member *member)
{
    int *count = user;
    ++*count;
    printf("member %d: released at %.1f, at the end %9.6f, energy within %.1e\n",
           member->number, value_of(member, "release"), value_of(member, "phi"),
           value_of(member, "E.deviation"));
    return true;
}

int main(void)
{
    lv_error err = {0};
    lv_model *model = NULL;
    lv_sweep_summary *summary = NULL;
    int count = 0, code = 0;

    if (make_model(&model, &err) != LV_OK)
        return complain(&err);
    lv_sweep_request request = lv_sweep_request_default();
    request.member = show;
    request.user = &count;
    if (lv_sweep_run(&summary, model, &request, &err) != LV_OK)
        code = complain(&err);
    else
        printf("%d of %d members, %d failed\n", count, summary->members, summary->failed);
    lv_sweep_summary_free(summary);
    lv_model_free(model);
    return code;
}
