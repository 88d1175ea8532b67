/* Robots as models: what is read of them can be read again, whatever memory is denied on the way. */
#include <livens/livens.h>

#include "deny.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char *const robots[] = {"two-link-arm", "scara", "six-axis-arm"};

static lv_status import_and_read(const char *path, const lv_import_request *request,
                                 lv_error *err)
{
    lv_import *robot = NULL;
    lv_model *model = NULL;
    lv_status status = lv_import_urdf(&robot, path, request, err);
    if (status == LV_OK)
        status = lv_model_parse(&model, "robot", robot->text, strlen(robot->text), NULL,
                                0, err);
    lv_model_free(model);
    lv_import_free(robot);
    return status;
}

static void examples_become_models(void **state)
{
    (void)state;
    static const int bodies[] = {2, 4, 6};
    for (int k = 0; k < 3; k++) {
        char path[400];
        lv_error err;
        lv_import *robot = NULL;
        (void)snprintf(path, sizeof path, "%s/examples/robots/%s.urdf", LIVENS_SOURCE_DIR,
                       robots[k]);
        if (import_and_read(path, NULL, &err) != LV_OK)
            fail_msg("%s: %s", path, err.text);
        assert_int_equal(lv_import_urdf(&robot, path, NULL, &err), LV_OK);
        assert_int_equal(robot->bodies, bodies[k]);
        assert_int_equal(robot->joints, bodies[k]);
        for (int n = 1; n < robot->note_count; n++)
            assert_true(robot->notes[n - 1].line <= robot->notes[n].line);
        lv_import_free(robot);
    }
}

/* Names that models cannot have, and names of links and joints that are the same. */
static void names_are_made_fit(void **state)
{
    (void)state;
    static const char text[] =
        "<robot name='&quot;x\\'><link name='w'/><link name='sin'><inertial><mass "
        "value='1'/>"
        "<inertia ixx='1' iyy='1' izz='1'/></inertial></link><link name='2 b'><inertial>"
        "<mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>"
        "<joint name='sin' type='revolute'><parent link='w'/><child link='sin'/></joint>"
        "<joint name='2 b' type='revolute'><parent link='sin'/><child link='2 "
        "b'/></joint>"
        "</robot>";
    lv_import *robot = NULL;
    lv_model *model = NULL;
    lv_error err;
    assert_int_equal(lv_import_urdf_text(&robot, "r", text, strlen(text), NULL, &err),
                     LV_OK);
    if (lv_model_parse(&model, "r", robot->text, strlen(robot->text), NULL, 0, &err) !=
        LV_OK)
        fail_msg("%s\n%s", err.text, robot->text);
    assert_int_equal(robot->note_count, 4);
    assert_non_null(strstr(robot->text, "[bodies.sin_link]"));
    assert_non_null(strstr(robot->text, "[joints.sin_joint]"));
    lv_model_free(model);
    lv_import_free(robot);
}

static lv_status import_scara(void *user, lv_error *err)
{
    static const lv_joint_position at = {"joint3", 0.1};
    const lv_import_request request = {.position_count = 1, .positions = &at};
    lv_import *robot = NULL;
    (void)user;
    const lv_status status = lv_import_urdf(
        &robot, LIVENS_SOURCE_DIR "/examples/robots/scara.urdf", &request, err);
    lv_import_free(robot);
    return status;
}

static void denied_memory_is_reported(void **state)
{
    (void)state;
    lv_deny_sweep(import_scara, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_become_models),
        cmocka_unit_test(names_are_made_fit),
        cmocka_unit_test(denied_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
