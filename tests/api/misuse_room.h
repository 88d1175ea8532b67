/* Room that structs reserve for later versions: defaults leave it zero, and what is not zero was filled by a caller of
 * a later version, or not at all. */
#ifndef LV_TESTS_MISUSE_ROOM_H
#define LV_TESTS_MISUSE_ROOM_H

#include "misuse.h"

static void wrong_room_of_simulations(void)
{
    lv_sim *made = NULL;
    lv_sim_options options = lv_sim_options_default(model);
    options.reserved[0] = 1;
    REFUSED(lv_sim_create, "options uses room", &made, model, &options, e);
    options = lv_sim_options_default(model);
    options.options.given = 1u << 31;
    assert_int_equal(lv_sim_create(&made, model, &options, NULL), LV_ERR_USAGE);
    lv_step_point point = {.reserved = {1}};
    REFUSED(lv_sim_step_point, "point uses room", sim, &point, 1, LV_SAMPLE_RAW, e);
}

static void wrong_room_of_runs(void)
{
    lv_run_summary *summary = NULL;
    lv_run_request request = asked;
    request.reserved[0] = 1;
    REFUSED(lv_run, "request uses room", &summary, model, &request, e);
    request = asked;
    request.sim.reserved[0] = 1;
    REFUSED(lv_run, "request->sim uses room", &summary, model, &request, e);
    assert_null(summary);
}

static void wrong_room_of_studies(void)
{
    lv_sweep_summary *sweep = NULL;
    lv_sweep_request members = lv_sweep_request_default();
    members.changes.reserved[0] = 1;
    REFUSED(lv_sweep_run, "request->changes uses room", &sweep, model, &members, e);
    members = lv_sweep_request_default();
    members.reserved[0] = 1;
    REFUSED(lv_sweep_run, "request uses room", &sweep, model, &members, e);
    const lv_sweep_elsewhere later = {.reserved = {1}};
    members = lv_sweep_request_default();
    members.elsewhere = &later;
    REFUSED(lv_sweep_run, "request->elsewhere uses room", &sweep, model, &members, e);
    lv_certificate *certificate = NULL;
    lv_verify_request verify = lv_verify_request_default(model);
    verify.reserved[0] = 1;
    REFUSED(lv_verify, "request uses room", &certificate, model, &verify, e);
    verify = lv_verify_request_default(model);
    verify.run.reserved[0] = 1;
    assert_int_equal(lv_verify(&certificate, model, &verify, NULL), LV_ERR_USAGE);
    lv_study *study = NULL;
    lv_study_request wanted = lv_study_request_default(model);
    wanted.reserved[0] = 1;
    REFUSED(lv_study_make, "request uses room", &study, model, &wanted, e);
}

static void wrong_room(void)
{
    wrong_room_of_simulations();
    wrong_room_of_runs();
    wrong_room_of_studies();
}

#endif
