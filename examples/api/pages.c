/* Pages about results, and results for other programs. */
#include "must.h"

static const char page[] = "api-page.html", file[] = "api-page.h5";

static void show(const char *what, const lv_report_info *info)
{
    printf("a page about %s has %zu bytes\n", what, info->bytes);
    (void)remove(page);
}

static void about_a_run(const lv_model *model)
{
    const char *const files[] = {file};
    lv_error err;
    lv_report_info info;
    lv_run_summary *summary = NULL;
    lv_run_request request = lv_run_request_default(model);
    lv_run_request_change(&request,
                          &(lv_run_changes){.scheme = "em", .step = 0.01, .until = 0.2});
    request.hdf5 = file;
    request.keep_rows = true;
    must(lv_run_report(&summary, &info, model, &request, page, &err), &err);
    show("a run", &info);
    must(lv_summary_report(&info, summary, page, &err), &err); /* afterwards */
    show("the same run", &info);
    must(lv_report(&info, page, files, 1, &err), &err); /* from its file */
    show("a file", &info);
    lv_run_summary_free(summary);
}

static void about_promises(const lv_model *model)
{
    lv_error err;
    lv_report_info info;
    lv_certificate *certificate = NULL;
    lv_verify_request request = lv_verify_request_default(model);
    lv_run_request_change(&request.run,
                          &(lv_run_changes){.scheme = "em", .step = 0.01, .until = 0.2});
    must(lv_verify_report(&certificate, &info, model, &request, page, &err), &err);
    show("promises", &info);
    lv_certificate_free(certificate);
}

static void about_members(void)
{
    lv_error err;
    lv_report_info info;
    lv_sweep_summary *summary = NULL;
    lv_sweep_request request = lv_sweep_request_default();
    static const char text[] = "[parameters]\nx0 = 1\n[coordinates]\nx = \"x0\"\n"
                               "[energy]\nkinetic = \"x'^2/2\"\npotential = \"x^4\"\n"
                               "[sweep.set]\nx0 = { from = 1, to = 2, count = 5 }\n"
                               "[run]\nscheme = \"em\"\nstep = 0.01\nuntil = 1\n";
    lv_model *model = NULL;
    lv_study *study = NULL;
    must(lv_model_parse(&model, "members", text, sizeof text - 1, NULL, 0, &err), &err);
    must(lv_sweep_report(&summary, &info, model, &request, page, &err), &err);
    show("members", &info);
    lv_sweep_summary_free(summary);

    const lv_study_choice choices[] = {{.scheme = "verlet"}, {.scheme = "em"}};
    const double steps[] = {0.02, 0.01, 0.005};
    lv_study_request wanted = lv_study_request_default(model);
    wanted.choices = choices;
    wanted.choice_count = 2;
    wanted.steps = steps;
    wanted.step_count = 3;
    must(lv_study_report(&study, &info, model, &wanted, page, &err), &err);
    show("a study", &info);
    lv_study_free(study);
    lv_model_free(model);
}

static void for_others(void)
{
    lv_error err;
    lv_export_info info;
    must(lv_export_csv(&info, file, "api-page.csv", NULL, &err), &err);
    printf("%lld rows of %d columns as CSV\n", info.rows, info.columns);
    const lv_export_request last = {.every = 1000000};
    must(lv_export_vtk(&info, file, "api-page.pvd", &last, &err), &err);
    printf("%d files for ParaView\n", info.files);
    (void)remove("api-page.csv");
}

/* A robot from another program. */
static void from_others(const char *path)
{
    static const char text[] =
        "<robot name='r'><link name='base'/><link name='arm'><inertial>"
        "<mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"
        "</inertial></link><joint name='j' type='continuous'><parent link='base'/>"
        "<child link='arm'/><axis xyz='0 1 0'/></joint></robot>";
    lv_error err;
    lv_import *robot = NULL;
    must(lv_import_urdf_text(&robot, "arm", text, sizeof text - 1, NULL, &err), &err);
    printf("%d bodies, %d joints, %d notes\n", robot->bodies, robot->joints,
           robot->note_count);
    lv_import_free(robot);
    if (!path)
        return;
    must(lv_import_urdf(&robot, path, NULL, &err), &err);
    fputs(robot->text, stdout);
    lv_import_free(robot);
}

int main(int count, char **arguments)
{
    lv_model *model = shipped("pendulum3d");
    about_a_run(model);
    about_promises(model);
    about_members();
    for_others();
    from_others(count > 1 ? arguments[1] : NULL); /* a URDF file */
    (void)remove(file);
    lv_model_free(model);
    return 0;
}
