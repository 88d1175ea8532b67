/* Numbers of views against closed forms. */
#include "../claims/moving.h"
#include "check.h"

#include <livens/view.h>

#include <math.h>
#include <string.h>

#define PENDULUM                                                                         \
    "[parameters]\nl = 2\nN = 3\n[coordinates]\nphi = 0.5\n"                             \
    "[energy]\nkinetic = \"l^2/2*phi'^2\"\npotential = \"-9.81*l*cos(phi)\"\n"

enum { NUMBERS = 400 };

static const lv_view_item *item_of(const lv_model *model, const char *name)
{
    const lv_view *view = lv_model_view(model);
    for (int k = 0; k < view->item_count; k++)
        if (strcmp(view->items[k].name, name) == 0)
            return &view->items[k];
    fail_msg("there is no item '%s'", name);
    return NULL;
}

/* The numbers of an item at t, q, v. */
static const double *numbers_of(const lv_model *model, const char *name, double t,
                                const double *q, const double *v)
{
    static double numbers[NUMBERS];
    const lv_view_item *item = item_of(model, name);
    lv_viewer *viewer = NULL;
    lv_error err;
    assert_true(lv_model_view(model)->number_count <= NUMBERS);
    assert_int_equal(lv_viewer_create(&viewer, model, &err), LV_OK);
    assert_int_equal(lv_viewer_frame(viewer, numbers, t, q, v, &err), LV_OK);
    lv_viewer_free(viewer);
    return item->still ? item->still : numbers + item->first;
}

static void assert_numbers(const double *found, const double *wanted, int count)
{
    for (int k = 0; k < count; k++)
        assert_close(found[k], wanted[k], 1e-14);
}

static void points_lines_and_their_names(void **state)
{
    (void)state;
    lv_model *model = read_text(
        PENDULUM "[view.points]\nbob = \"[l*sin(phi), -l*cos(phi)]\"\n"
                 "bead = { for = \"i = 1..N\", at = \"bob*i/N\", radius = \"i/10\" }\n"
                 "tip = \"bob + 0.1*bob'\"\n"
                 "[view.lines]\nrod = [[0, \"t\"], \"bob\"]\n"
                 "link = { for = \"i = 2..N\", through = [\"bead_{i-1}\", \"bead_i\"], "
                 "style = \"spring\", colour = 3 }\n");
    const double phi = 1.1, rate = 0.7, x = 2 * sin(phi), y = -2 * cos(phi);
    const double bob[] = {x, y, 0}, tip[] = {x - 0.07 * y, y + 0.07 * x, 0};
    const double rod[] = {0, 3, 0, x, y, 0};
    const double link[] = {x / 3, y / 3, 0, 2 * x / 3, 2 * y / 3, 0};
    assert_numbers(numbers_of(model, "bob", 3, &phi, &rate), bob, 3);
    assert_numbers(numbers_of(model, "tip", 3, &phi, &rate), tip, 3);
    assert_numbers(numbers_of(model, "tip", 3, &phi, NULL), bob, 3);
    assert_numbers(numbers_of(model, "rod", 3, &phi, &rate), rod, 6);
    assert_numbers(numbers_of(model, "link_2", 3, &phi, &rate), link, 6);
    assert_string_equal(item_of(model, "link_3")->shape, "spring");
    assert_int_equal(item_of(model, "link_3")->colour, 3);
    assert_int_equal(item_of(model, "bead_2")->size_count, 1);
    assert_close(item_of(model, "bead_2")->sizes[0], 0.2, 1e-15);
    assert_true(item_of(model, "bead_2")->trail);
    assert_true(lv_model_view(model)->planar && !lv_model_view(model)->guessed);
    assert_true(lv_model_view(model)->up[1] == 1);
    lv_model_free(model);
}

static void curves_and_surfaces_are_still_unless_they_move(void **state)
{
    (void)state;
    lv_model *model = read_text(
        PENDULUM "[view.lines]\narc = { at = \"[l*sin(s), -l*cos(s)]\", over = \"s = "
                 "-pi/2..pi/2\", cells = 2 }\n"
                 "[view.surfaces]\nwave = { at = \"[u, v, u*v*phi]\", over = \"u = 1..2, "
                 "v = 0..l\", cells = 1 }\n");
    const double phi = 0.25, arc[] = {-2, 0, 0, 0, -2, 0, 2, 0, 0};
    const double wave[] = {1, 0, 0, 1, 2, 0.5, 2, 0, 0, 2, 2, 1};
    assert_non_null(item_of(model, "arc")->still);
    assert_numbers(numbers_of(model, "arc", 0, &phi, NULL), arc, 9);
    assert_null(item_of(model, "wave")->still);
    assert_int_equal(item_of(model, "wave")->rows, 2);
    assert_int_equal(item_of(model, "wave")->columns, 2);
    assert_int_equal(lv_model_view(model)->number_count, 12);
    assert_numbers(numbers_of(model, "wave", 0, &phi, NULL), wave, 12);
    lv_model_free(model);
}

/* The quaternion turns the axes of space into those of the frame. */
static void assert_turns(const double *q, int axis, const double *wanted)
{
    const double w = q[0], *u = q + 1;
    double e[3] = {0}, c[3], d[3];
    e[axis] = 1;
    for (int k = 0; k < 3; k++)
        c[k] =
            u[(k + 1) % 3] * e[(k + 2) % 3] - u[(k + 2) % 3] * e[(k + 1) % 3] + w * e[k];
    for (int k = 0; k < 3; k++)
        d[k] = e[k] +
               2 * (u[(k + 1) % 3] * c[(k + 2) % 3] - u[(k + 2) % 3] * c[(k + 1) % 3]);
    assert_numbers(d, wanted, 3);
}

static void frames_turn_axes(void **state)
{
    (void)state;
    lv_model *model = read_text(
        PENDULUM
        "[view.frames]\nflat = { at = \"[phi, 0]\", angle = \"phi\" }\n"
        "two = { at = [0, 0, 1], e3 = \"[sin(phi), 0, 7*cos(phi)]\", e1 = [3, 5, 0] }\n"
        "one = { at = [0, 0, 1], e3 = \"[0, -sin(phi), cos(phi)]\", shape = { "
        "cone = [1, \"l\"] } }\n"
        "last = { at = [1, 2, 3], e1 = \"[-phi, 0, 0]\" }\n"
        "none = [1, 2, 3]\n");
    const double phi = 0.3;
    const double *flat = numbers_of(model, "flat", 0, &phi, NULL);
    const double e1[] = {cos(phi), sin(phi), 0}, z[] = {0, 0, 1};
    assert_close(flat[0], phi, 1e-15);
    assert_turns(flat + 3, 0, e1);
    assert_turns(flat + 3, 2, z);

    const double *two = numbers_of(model, "two", 0, &phi, NULL);
    const double size = hypot(sin(phi), 7 * cos(phi));
    const double e3[] = {sin(phi) / size, 0, 7 * cos(phi) / size};
    const double along = 3 * e3[0], f[] = {3 - along * e3[0], 5, -along * e3[2]};
    const double length = sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    const double first[] = {f[0] / length, f[1] / length, f[2] / length};
    assert_turns(two + 3, 2, e3);
    assert_turns(two + 3, 0, first);

    /* About x by phi. */
    const double *one = numbers_of(model, "one", 0, &phi, NULL);
    const double x[] = {1, 0, 0}, third[] = {0, -sin(phi), cos(phi)};
    assert_turns(one + 3, 2, third);
    assert_turns(one + 3, 0, x);
    assert_string_equal(item_of(model, "one")->shape, "cone");
    assert_close(item_of(model, "one")->sizes[1], 2, 1e-15);

    /* Half a turn has many axes; it is a rotation all the same. */
    const double *last = numbers_of(model, "last", 0, &phi, NULL);
    const double back[] = {-1, 0, 0};
    assert_turns(last + 3, 0, back);
    const double still[] = {1, 2, 3, 1, 0, 0, 0};
    assert_non_null(item_of(model, "none")->still);
    assert_numbers(numbers_of(model, "none", 0, &phi, NULL), still, 7);
    lv_model_free(model);
}

#define PARTS                                                                            \
    "[gravity]\nacceleration = [0, 0, -5]\n"                                             \
    "[particles.ball]\nmass = 8\nposition = [1, 2, 3]\n"                                 \
    "[bodies.box]\nmass = 2\ninertia = [0.4, 0.5, 0.6]\nposition = [0, 0, 1]\n"          \
    "rotation = [0, 0, 0.3]\n[bodies.can]\ncount = 2\nmass = \"i\"\ninertia = [1, 1, "   \
    "1]\n"                                                                               \
    "shape = { cylinder = [\"i\", 4] }\nposition = [\"i\", 0, 0]\n"                      \
    "[rods.bar]\nbetween = [[0, 0, 0], \"ball\"]\n"                                      \
    "[springs.coil]\nbetween = [\"point(box, [1, 0, 0])\", \"ball\"]\nstiffness = 1\n"

static void parts_bring_their_pictures(void **state)
{
    (void)state;
    lv_model *model = read_text(PARTS);
    const double *q = lv_model_start_position(model);
    const double ball[] = {1, 2, 3}, bar[] = {0, 0, 0, 1, 2, 3};
    const double coil[] = {cos(0.3), sin(0.3), 1, 1, 2, 3};
    const double box[] = {0, 0, 1, cos(0.15), 0, 0, sin(0.15)};
    assert_numbers(numbers_of(model, "ball", 0, q, NULL), ball, 3);
    assert_close(item_of(model, "ball")->weight, 2, 1e-15);
    assert_numbers(numbers_of(model, "bar", 0, q, NULL), bar, 6);
    assert_string_equal(item_of(model, "bar")->shape, "rod");
    assert_string_equal(item_of(model, "bar")->section, "rods");
    assert_numbers(numbers_of(model, "coil", 0, q, NULL), coil, 6);
    assert_numbers(numbers_of(model, "box", 0, q, NULL), box, 7);

    /* An ellipsoid of mass m and half axes a, b, c has J1 = m (b^2 + c^2)/5. */
    const double *a = item_of(model, "box")->sizes;
    assert_close(2 * (a[1] * a[1] + a[2] * a[2]) / 5, 0.4, 1e-14);
    assert_close(2 * (a[0] * a[0] + a[2] * a[2]) / 5, 0.5, 1e-14);
    assert_close(2 * (a[0] * a[0] + a[1] * a[1]) / 5, 0.6, 1e-14);
    assert_close(item_of(model, "can_2")->sizes[0], 2, 1e-15);
    assert_close(item_of(model, "can_2")->sizes[1], 4, 1e-15);
    assert_close(lv_model_view(model)->gravity[2], -5, 1e-15);
    assert_true(lv_model_view(model)->up[2] == 1);
    lv_model_free(model);
}

static void parts_can_be_left_out(void **state)
{
    (void)state;
    lv_model *model = read_text(
        PARTS "[view]\nparts = false\nup = [0, 3, 4]\n[view.points]\nit = \"ball\"\n");
    assert_int_equal(lv_model_view(model)->item_count, 1);
    assert_close(lv_model_view(model)->up[1], 0.6, 1e-15);
    assert_close(lv_model_view(model)->up[2], 0.8, 1e-15);
    lv_model_free(model);
}

/* The state after some steps, with and without a view. */
static void a_view_does_not_change_a_bit(void **state)
{
    (void)state;
    const method m = {.scheme = "lobatto"};
    lv_model *models[2] = {
        read_text(PENDULUM),
        read_text(PENDULUM "[view.points]\nbob = \"[l*sin(phi), -l*cos(phi)]\"\n")};
    lv_sim *sims[2];
    lv_error err;
    double frame[3];
    for (int k = 0; k < 2; k++) {
        sims[k] = start(models[k], &m, 0.01);
        for (int j = 0; j < 50; j++) {
            assert_int_equal(lv_sim_step(sims[k], &err), LV_OK);
            if (k == 1)
                assert_int_equal(lv_sim_view(sims[k], frame, &err), LV_OK);
        }
    }
    const int count = lv_sim_save_count(sims[0]);
    assert_int_equal(count, lv_sim_save_count(sims[1]));
    assert_memory_equal(lv_sim_position(sims[0]), lv_sim_position(sims[1]),
                        sizeof(double));
    assert_memory_equal(lv_sim_momentum(sims[0]), lv_sim_momentum(sims[1]),
                        sizeof(double));
    assert_close(frame[0], 2 * sin(lv_sim_position(sims[1])[0]), 1e-15);
    for (int k = 0; k < 2; k++) {
        lv_sim_free(sims[k]);
        lv_model_free(models[k]);
    }
}

static void json_says_what_is_drawn(void **state)
{
    (void)state;
    lv_model *model = read_text(PENDULUM "[view.points]\nbob = [0, \"1/N\"]\n");
    char text[1000], part[20];
    const size_t length = lv_view_json(lv_model_view(model), text, sizeof text);
    assert_int_equal(length, strlen(text));
    assert_int_equal(lv_view_json(lv_model_view(model), part, sizeof part), length);
    assert_int_equal(strlen(part), sizeof part - 1);
    assert_non_null(strstr(text, "\"kind\":\"point\",\"name\":\"bob\""));
    assert_non_null(strstr(text, "\"still\":[0,0.33333333333333331,0]"));
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_lines_and_their_names),
        cmocka_unit_test(curves_and_surfaces_are_still_unless_they_move),
        cmocka_unit_test(frames_turn_axes),
        cmocka_unit_test(parts_bring_their_pictures),
        cmocka_unit_test(parts_can_be_left_out),
        cmocka_unit_test(a_view_does_not_change_a_bit),
        cmocka_unit_test(json_says_what_is_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
