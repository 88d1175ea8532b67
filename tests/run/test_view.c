/* Numbers of views against closed forms. */
#include "../claims/moving.h"
#include "check.h"

#include <livens/livens.h>

#include "run/shown.h"

#include <math.h>
#include <stdlib.h>
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

/* The ellipsoid of a body with products of inertia has its inertia, in the axes of the body. */
static void ellipsoids_have_the_inertia_of_their_bodies(void **state)
{
    (void)state;
    lv_model *model =
        read_text("[bodies.b]\nmass = 2\ninertia = [1.1, 0.9, 0.8, 0.1, -0.2, "
                  "0.15]\nposition = [0, 0, 0]\n");
    const double wanted[3][3] = {{1.1, 0.1, -0.2}, {0.1, 0.9, 0.15}, {-0.2, 0.15, 0.8}};
    const double *a = item_of(model, "b")->sizes,
                 j[3] = {2 * (a[1] * a[1] + a[2] * a[2]) / 5,
                         2 * (a[0] * a[0] + a[2] * a[2]) / 5,
                         2 * (a[0] * a[0] + a[1] * a[1]) / 5};
    const double *q = numbers_of(model, "b", 0, lv_model_start_position(model), NULL) + 3;
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double r[3][3] = {
        {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
        {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
        {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            assert_close(r[i][0] * j[0] * r[k][0] + r[i][1] * j[1] * r[k][1] +
                             r[i][2] * j[2] * r[k][2],
                         wanted[i][k], 1e-13);
    assert_close(item_of(model, "b")->weight, cbrt(2), 1e-15);
    lv_model_free(model);
}

/* Families of parts that nobody could draw are not listed. */
static void large_families_are_left_out(void **state)
{
    (void)state;
    lv_model *model =
        read_text("[particles.p]\ncount = 6000\nmass = 1\nposition = [\"i\", 0]\n"
                  "[particles.x]\nmass = 1\nposition = [0, 0]\n");
    assert_int_equal(lv_model_view(model)->left_out, 6000);
    assert_int_equal(lv_model_view(model)->item_count, 1);
    lv_model_free(model);
}

static void *no_memory(void *p, size_t size)
{
    (void)p, (void)size;
    return NULL;
}

static void frames_allocate_nothing(void **state)
{
    (void)state;
    const method m = {.scheme = "rattle"};
    lv_model *model = read_text(PARTS);
    lv_sim *sim = start(model, &m, 0.01);
    double numbers[NUMBERS];
    lv_error err;
    assert_int_equal(lv_sim_view(sim, numbers, &err), LV_OK);
    assert_int_equal(lv_sim_step(sim, &err), LV_OK);
    lv_memory_set_hook(no_memory);
    const lv_status status = lv_sim_view(sim, numbers, &err);
    lv_memory_set_hook(NULL);
    assert_int_equal(status, LV_OK);
    lv_sim_free(sim);
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

/* A row of results belongs to the state that it was made of. */
static void rows_tell_states(void **state)
{
    (void)state;
    const method m = {.scheme = "rattle"};
    lv_model *model = read_text(
        PARTS
        "[bodies.top]\nmass = 1\ninertia = [1, 2, 1.5]\nposition = [0, 1, 0]\npivot "
        "= [0, -1, 0]\nangular_velocity = [1, 5, 2]\n");
    lv_sim *sim = start(model, &m, 0.01);
    lv_arena arena = {0};
    lv_showcase shown;
    lv_error err;
    double q[100], v[100], row_q[100], row_v[100];
    int visible = 0;
    const int n = lv_model_coordinate_count(model);
    for (int k = 0; k < 20; k++)
        assert_int_equal(lv_sim_step(sim, &err), LV_OK);
    for (int k = 0; k < n; k++)
        if (!lv_model_coordinate_is_inner(model, k)) {
            row_q[visible] = lv_sim_position(sim)[k];
            row_v[visible++] = lv_sim_velocity(sim)[k];
        }
    assert_int_equal(visible, 3);
    assert_int_equal(lv_showcase_init(&shown, model, &arena, &err), LV_OK);
    lv_showcase_run(&shown,
                    &(lv_point){.q = lv_sim_position(sim),
                                .v = lv_sim_velocity(sim),
                                .t = lv_sim_time(sim),
                                .y = row_q /* multipliers, of which none shows */});
    assert_int_equal(
        lv_model_row_state(model, q, v, row_q, row_v, shown.columns[LV_SHOWN_BODY], &err),
        LV_OK);
    for (int k = 0; k < n; k++) {
        assert_close(q[k], lv_sim_position(sim)[k], 1e-12);
        assert_close(v[k], lv_sim_velocity(sim)[k], 1e-11);
    }
    lv_showcase_done(&shown);
    lv_arena_done(&arena);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* Every model that comes with livens shows something, and all of it has a place at the start. */
static void shipped_models_show_something(void **state)
{
    (void)state;
    for (const char *const *name = lv_shipped_names(); *name; name++) {
        lv_model *model = NULL;
        lv_viewer *viewer = NULL;
        lv_error err;
        assert_int_equal(lv_model_read(&model, *name, NULL, 0, &err), LV_OK);
        const lv_view *view = lv_model_view(model);
        double *numbers = calloc((size_t)view->number_count + 1, sizeof *numbers);
        assert_non_null(numbers);
        if (view->number_count == 0)
            fail_msg("nothing of '%s' moves", *name);
        assert_int_equal(lv_viewer_create(&viewer, model, &err), LV_OK);
        assert_int_equal(lv_viewer_frame(viewer, numbers, 0,
                                         lv_model_start_position(model),
                                         lv_model_start_velocity(model), &err),
                         LV_OK);
        for (int k = 0; k < view->number_count; k++)
            if (!isfinite(numbers[k]))
                fail_msg("number %d of '%s' is not finite", k, *name);
        int next = 0;
        for (int k = 0; k < view->item_count; k++) {
            const lv_view_item *item = &view->items[k];
            assert_true((item->first < 0) == (item->still != NULL));
            assert_true(item->first < 0 || item->first == next);
            next += item->first < 0 ? 0 : item->count;
        }
        assert_int_equal(next, view->number_count);
        free(numbers);
        lv_viewer_free(viewer);
        lv_model_free(model);
    }
}

#define GUESS                                                                            \
    "[parameters]\nl = 2\nk = 3\nc = [1, 1]\n[coordinates]\na = { count = 3, value = "   \
    "[\"i\", 0] }\nx1 = 1\ny1 = 5\n[energy]\nkinetic = \"norm2(a_1') + norm2(a_2') + "   \
    "norm2(a_3') + x1'^2 + y1'^2\"\n"

/* The same line, from either end. */
static void assert_line(const lv_model *model, const char *name, const double *q,
                        const double *wanted)
{
    const double *found = numbers_of(model, name, 0, q, NULL);
    const bool turned = fabs(found[0] - wanted[0]) > 1e-9;
    assert_numbers(found + (turned ? 3 : 0), wanted, 3);
    assert_numbers(found + (turned ? 0 : 3), wanted + 3, 3);
}

static void distances_are_guessed(void **state)
{
    (void)state;
    lv_model *model = read_text(
        GUESS "potential = \"k*(norm(a_3 - a_1) - l)^2 + 9.81*a_1[2]\"\n"
              "[constraints.link]\nfor = \"i = 2..3\"\nholonomic = \"(norm2(a_i - "
              "a_{i-1}) - 1)/2\"\n"
              "[constraints.post]\nholonomic = \"k*(dot(a_1 - c, a_1 - c) - 1)\"\n"
              "[constraints.bar]\nholonomic = \"(x1 - a_3[1])^2 + (y1 - a_3[2])^2 - "
              "29\"\n"
              "[constraints.right]\nholonomic = \"dot(a_1, a_2)\"\n");
    const double q[] = {1, 2, 3, 4, 5, 6, 7, 8};
    const double spring[] = {1, 2, 0, 5, 6, 0}, link[] = {3, 4, 0, 5, 6, 0};
    const double post[] = {1, 1, 0, 1, 2, 0}, x1[] = {7, 8, 0},
                 bar[] = {5, 6, 0, 7, 8, 0};
    const lv_view *view = lv_model_view(model);
    int lines = 0;
    assert_true(view->guessed && view->planar);
    for (int k = 0; k < view->item_count; k++) {
        lines += view->items[k].kind == LV_VIEW_LINE;
        assert_string_not_equal(view->items[k].name, "right");
    }
    assert_int_equal(lines, 5);
    assert_numbers(numbers_of(model, "x1", 0, q, NULL), x1, 3);
    assert_line(model, "energy", q, spring);
    assert_string_equal(item_of(model, "energy")->shape, "spring");
    assert_line(model, "link_3", q, link);
    assert_string_equal(item_of(model, "link_3")->shape, "rod");
    assert_numbers(numbers_of(model, "post", 0, q, NULL), post, 6);
    assert_line(model, "bar", q, bar);
    lv_model_free(model);
}

static void scalars_stand_side_by_side(void **state)
{
    (void)state;
    lv_model *model =
        read_text("[coordinates]\nphi = 1\nu = { count = 3, value = \"i\" }\n"
                  "[energy]\nkinetic = \"phi'^2 + u_1'^2 + u_2'^2 + u_3'^2\"\n");
    const double q[] = {0.5, 0.7, 0.8, 0.9}, phi[] = {1, 0.5, 0}, u3[] = {4, 0.9, 0};
    assert_numbers(numbers_of(model, "phi", 0, q, NULL), phi, 3);
    assert_numbers(numbers_of(model, "u_3", 0, q, NULL), u3, 3);
    assert_false(item_of(model, "phi")->trail);
    lv_model_free(model);
}

static void joints_and_rolling_are_drawn(void **state)
{
    (void)state;
    lv_model *model = read_text(
        "[bodies.wheel]\nmass = 1\ninertia = [1, 2, 1]\nposition = [0, 0, 0.5]\n"
        "spin = [0, 2, 0]\nvelocity = [1, 0, 0]\n"
        "[bodies.rider]\nmass = 1\ninertia = [1, 1, 1]\nposition = [0, 0, 2]\n"
        "velocity = [1, 0, 0]\n"
        "[joints.axle]\ntype = \"revolute\"\nbetween = [\"wheel\", \"rider\"]\nat = [0, "
        "0, "
        "0.5]\naxis = [0, 3, 0]\n"
        "[rolling.tyre]\nbody = \"wheel\"\nshape = \"disc\"\nradius = 0.5\naxis = [0, 1, "
        "0]\n");
    const double *q = lv_model_start_position(model);
    const lv_view *view = lv_model_view(model);
    const double y[] = {0, 1, 0};
    int joints = 0, bars = 0;
    assert_true(view->ground);
    for (int k = 0; k < view->item_count; k++) {
        const lv_view_item *item = &view->items[k];
        assert_string_not_equal(item->name, "wheel"); /* its picture is the tyre */
        joints += item->kind == LV_VIEW_JOINT;
        bars += item->kind == LV_VIEW_LINE;
        if (item->kind == LV_VIEW_JOINT) {
            double numbers[NUMBERS];
            const double axle[] = {0, 0, 0.5, 0, 1, 0};
            lv_viewer *viewer = NULL;
            assert_int_equal(lv_viewer_create(&viewer, model, NULL), LV_OK);
            assert_int_equal(lv_viewer_frame(viewer, numbers, 0, q, NULL, NULL), LV_OK);
            assert_numbers(numbers + item->first, axle, 6);
            assert_string_equal(item->shape, "revolute");
            lv_viewer_free(viewer);
        }
    }
    assert_int_equal(joints, 1);
    assert_int_equal(bars, 2);
    assert_string_equal(item_of(model, "tyre")->shape, "cylinder");
    assert_close(item_of(model, "tyre")->sizes[0], 0.5, 1e-15);
    assert_turns(numbers_of(model, "tyre", 0, q, NULL) + 3, 2, y);
    lv_model_free(model);
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
        cmocka_unit_test(ellipsoids_have_the_inertia_of_their_bodies),
        cmocka_unit_test(large_families_are_left_out),
        cmocka_unit_test(frames_allocate_nothing),
        cmocka_unit_test(parts_can_be_left_out),
        cmocka_unit_test(a_view_does_not_change_a_bit),
        cmocka_unit_test(rows_tell_states),
        cmocka_unit_test(shipped_models_show_something),
        cmocka_unit_test(distances_are_guessed),
        cmocka_unit_test(scalars_stand_side_by_side),
        cmocka_unit_test(joints_and_rolling_are_drawn),
        cmocka_unit_test(json_says_what_is_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
