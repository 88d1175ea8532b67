/* Public functions called wrongly: NULL for every pointer that must not be, enumerators and numbers out
 * of range. Functions with a status return LV_ERR_USAGE and name function and argument; others return a
 * neutral value. Nothing crashes, and nothing is written where it should not be.
 *
 * A function that a public header declares and that is not in the list below fails the last test. */
#include "misuse_evaluate.h"
#include "misuse_format.h"
#include "misuse_live.h"
#include "misuse_model.h"
#include "misuse_room.h"
#include "misuse_run.h"
#include "misuse_sim.h"
#include "misuse_values.h"

#include <glob.h>

/* Public functions, and what calls them wrongly. */
static const struct {
    void (*misuse)(void);
    const char *functions; /* separated by blanks */
} list[] = {
    {right, "lv_version lv_version_number lv_shipped_names lv_sweep_threads "
            "lv_sweep_request_default "
            "lv_memory_budget lv_memory_set_budget lv_memory_used"},
    {wrong_status, "lv_status_name lv_status_meaning lv_subject_name lv_reason_name "
                   "lv_status_exit_code lv_error_clear"},
    {wrong_error_write, "lv_error_write"},
    {wrong_option_set, "lv_scheme_option_set"},
    {wrong_option, "lv_scheme_option lv_scheme_option_given"},
    {wrong_option_texts, "lv_option_parse lv_option_format"},
    {wrong_descriptions,
     "lv_option_describe lv_function_describe lv_section_describe "
     "lv_key_describe lv_word_describe lv_scheme_describe lv_group_describe"},
    {wrong_names, "lv_mass_kind_name"},
    {wrong_read, "lv_model_read"},
    {wrong_parse, "lv_model_parse"},
    {wrong_model,
     "lv_model_free lv_model_title lv_model_description lv_model_run_options "
     "lv_model_coordinate_count lv_model_start_position lv_model_start_velocity "
     "lv_model_coordinate_name lv_model_constraint_name lv_model_coordinate_is_inner "
     "lv_model_constraint_is_inner lv_shipped_text lv_model_input_count "
     "lv_model_input_describe"},
    {wrong_inspect, "lv_model_inspect lv_inspection_free"},
    {wrong_builder_model,
     "lv_builder_create lv_builder_free lv_builder_source lv_builder_model"},
    {wrong_builder_text, "lv_builder_text"},
    {wrong_builder_values, "lv_builder_number lv_builder_flag lv_builder_numbers"},
    {wrong_builder_texts, "lv_builder_texts"},
    {wrong_claims, "lv_scheme_claims lv_scheme_complete lv_model_claims "
                   "lv_model_try_scheme"},
    {wrong_fits,
     "lv_model_fitting_schemes lv_model_survey_schemes lv_inspection_survey_schemes "
     "lv_inspection_fitting_schemes "
     "lv_inspection_probe lv_model_kept_momenta"},
    {wrong_sim_create,
     "lv_sim_create lv_sim_free lv_sim_options_default lv_native_enable"},
    {wrong_start, "lv_model_start lv_sim_start_change lv_body_change_text"},
    {wrong_steps, "lv_sim_step lv_sim_step_many lv_sim_advance"},
    {wrong_sim, "lv_sim_time lv_sim_steps lv_sim_position lv_sim_velocity "
                "lv_sim_momentum lv_sim_constraint_count lv_sim_iterations "
                "lv_sim_energies lv_sim_residuals lv_sim_work_count lv_sim_work_name "
                "lv_sim_work lv_sim_balance"},
    {wrong_states, "lv_sim_sample lv_sim_indicator lv_sim_set_state lv_sim_multipliers"},
    {wrong_saved_states, "lv_sim_save_count lv_sim_save lv_sim_restore lv_sim_copy "
                         "lv_sim_tangent"},
    {wrong_changes, "lv_sim_change lv_sim_change_count"},
    {wrong_forces, "lv_model_with_forces lv_model_force_count lv_model_force_name "
                   "lv_sim_set_force lv_sim_force"},
    {wrong_inputs, "lv_sim_set_input lv_sim_set_inputs lv_sim_input lv_sim_inputs "
                   "lv_sim_set_parameter lv_sim_parameter"},
    {wrong_questions,
     "lv_sim_outputs lv_sim_parts lv_sim_momentum_maps lv_sim_momentum_map_count "
     "lv_sim_momentum_map_name lv_sim_accelerations lv_model_constraint_find"},
    {wrong_matrices, "lv_sim_mass_matrix lv_sim_constraint_matrix lv_sim_set_step "
                     "lv_sim_step_size"},
    {wrong_register, "lv_scheme_register"},
    {wrong_tables, ""},
    {wrong_views, "lv_model_view lv_view_kind_name lv_view_json lv_viewer_create "
                  "lv_viewer_free lv_viewer_frame lv_viewer_set_inputs lv_sim_view "
                  "lv_model_row_state"},
    {wrong_coefficients, "lv_scheme_coefficients lv_coefficients_free"},
    {wrong_equations, "lv_scheme_equations lv_equations_free lv_sim_equations"},
    {wrong_step_point, "lv_sim_step_point"},
    {wrong_evaluations, "lv_sim_momentum_at lv_sim_velocity_at lv_sim_energies_at "
                        "lv_sim_constraints_at lv_sim_constraint_force_at"},
    {wrong_step_multipliers, "lv_sim_step_multipliers lv_sim_carried_multipliers "
                             "lv_sim_holonomic_count lv_sim_forget"},
    {wrong_events, "lv_sim_event_count lv_sim_event lv_sim_stopped lv_sim_on_event"},
    {wrong_requests, "lv_run_request_default lv_run_request_change"},
    {wrong_run, "lv_run lv_run_summary_free"},
    {wrong_numbers, ""},
    {wrong_room, ""},
    {wrong_resume, "lv_resume"},
    {wrong_report, "lv_report lv_run_report lv_summary_report lv_verify_report"},
    {wrong_export, "lv_export_csv lv_export_vtk"},
    {wrong_import, "lv_import_urdf lv_import_urdf_text lv_import_free"},
    {wrong_pages, "lv_sweep_report lv_study_report"},
    {wrong_members, "lv_sweep_member lv_sweep_members"},
    {wrong_parts, "lv_sweep_parts_read lv_sweep_parts_free lv_sweep_parts_model "
                  "lv_sweep_parts_name"},
    {wrong_sweep, "lv_sweep_run lv_sweep_summary_free"},
    {wrong_verify, "lv_verify lv_certificate_free lv_verify_request_default "
                   "lv_property_name lv_finding_verdict_name"},
    {wrong_study, "lv_study_make lv_study_free lv_study_request_default"},
};
enum { LIST = sizeof list / sizeof list[0] };

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    for (int k = 0; k < LIST; k++)
        list[k].misuse();
}

static bool is_listed(const char *name, size_t length)
{
    for (int k = 0; k < LIST; k++)
        for (const char *at = list[k].functions; (at = strstr(at, name)); at += length)
            if ((at[length] == ' ' || at[length] == '\0') &&
                (at == list[k].functions || at[-1] == ' '))
                return true;
    return false;
}

/* The name before the first bracket behind LV_API at the beginning of a line; returns what follows. */
static const char *next_function(const char *text, char *name, size_t size)
{
    const char *at = strstr(text, "\nLV_API ");
    if (!at)
        return NULL;
    const char *end = strchr(at, '('), *begin = end;
    assert_non_null(end);
    while (begin[-1] == '_' || (begin[-1] >= 'a' && begin[-1] <= 'z') ||
           (begin[-1] >= '0' && begin[-1] <= '9'))
        begin--;
    assert_true((size_t)(end - begin) < size);
    memcpy(name, begin, (size_t)(end - begin));
    name[end - begin] = '\0';
    return end;
}

static int count_unlisted(const char *path)
{
    static char text[200000];
    char name[100];
    int missing = 0;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    for (const char *at = text; (at = next_function(at, name, sizeof name));)
        if (!is_listed(name, strlen(name))) {
            print_error("%s: %s is not called wrongly in tests/api/test_misuse.c; what "
                        "does it do about NULL?\n",
                        path, name);
            missing++;
        }
    return missing;
}

static void every_public_function_is_in_the_list(void **state)
{
    (void)state;
    glob_t headers;
    int missing = 0;
    assert_int_equal(glob(LIVENS_SOURCE_DIR "/include/livens/*.h", 0, NULL, &headers), 0);
    assert_true(headers.gl_pathc >= 10);
    for (size_t k = 0; k < headers.gl_pathc; k++)
        missing += count_unlisted(headers.gl_pathv[k]);
    globfree(&headers);
    assert_int_equal(missing, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(wrong_arguments_are_refused),
        RUN(every_public_function_is_in_the_list),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
