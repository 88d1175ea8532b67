/* Rotations against Rodrigues' formula. */
#include "check.h"

#include "num/rotation.h"

#include <math.h>
#include <string.h>

/* The axes of space turned about the unit vector u by an angle. */
static void turned(double axes[9], const double u[3], double angle)
{
    const double c = cos(angle), s = sin(angle);
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++) {
            const int other = 3 - j - k;
            const double sign = (j + 1) % 3 == k ? 1 : -1; /* of u x e_j, component k */
            axes[3 * j + k] = (1 - c) * u[j] * u[k] + (j == k ? c : sign * s * u[other]);
        }
}

static void assert_same(const double *a, const double *b, int count)
{
    for (int k = 0; k < count; k++)
        assert_close(a[k], b[k], 1e-14);
}

static const double u[3] = {2. / 7, 3. / 7, -6. / 7};

/* All angles, so that each component of the quaternion is the largest once. */
static void quaternions_and_axes_belong_together(void **state)
{
    (void)state;
    static const double about[][3] = {
        {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2. / 7, 3. / 7, -6. / 7}};
    for (int a = 0; a < 4; a++)
        for (int k = -6; k <= 6; k++) {
            const double angle = 0.5 * k, *n = about[a];
            double axes[9], back[9], q[4], wanted[4] = {cos(angle / 2)};
            turned(axes, n, angle);
            lv_quaternion_of_axes(q, axes);
            lv_axes_of_quaternion(back, q);
            assert_same(back, axes, 9);
            for (int j = 0; j < 3; j++)
                wanted[j + 1] = sin(angle / 2) * n[j];
            const double sign =
                q[0] * wanted[0] + q[1] * wanted[1] + q[2] * wanted[2] + q[3] * wanted[3];
            assert_close(fabs(sign), 1, 1e-14);
        }
}

static void products_turn_one_after_the_other(void **state)
{
    (void)state;
    const double x[3] = {1, 0, 0};
    double first[9], second[9], a[4], b[4], axes[9], wanted[9] = {0};
    turned(first, u, 0.7);
    turned(second, x, -1.1);
    lv_quaternion_of_axes(a, first);
    lv_quaternion_of_axes(b, second);
    lv_quaternion_multiply(a, b);
    lv_axes_of_quaternion(axes, a);
    for (int j = 0; j < 3; j++) /* the first rotation of the axes of the second one */
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < 3; i++)
                wanted[3 * j + k] += second[3 * j + i] * first[3 * i + k];
    assert_same(axes, wanted, 9);
}

static void axes_are_completed(void **state)
{
    (void)state;
    double wanted[9], axes[9];
    turned(wanted, u, 0.9);
    for (int missing = 0; missing < 3; missing++) {
        bool given[3] = {true, true, true};
        given[missing] = false;
        memcpy(axes, wanted, sizeof axes);
        for (int k = 0; k < 9; k++)
            axes[k] = k / 3 == missing ? 17 : axes[k] * (5 + k / 3); /* of any length */
        lv_axes_complete(axes, given);
        assert_same(axes, wanted, 9);
    }
    const bool none[3] = {false};
    const double space[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    lv_axes_complete(axes, none);
    assert_same(axes, space, 9);
}

/* One axis: the rotation about the normal of both. */
static void one_axis_is_reached_on_the_shortest_way(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        double n[3] = {0}, wanted[9], axes[9];
        bool given[3] = {false};
        n[(axis + 1) % 3] = 0.6;
        n[(axis + 2) % 3] = 0.8;
        turned(wanted, n, 2.5);
        memcpy(axes, wanted, sizeof axes);
        for (int k = 0; k < 9; k++)
            axes[k] = k / 3 == axis ? 3 * axes[k] : -9;
        given[axis] = true;
        lv_axes_complete(axes, given);
        assert_same(axes, wanted, 9);
    }
}

static void half_a_turn_is_a_rotation(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        double axes[9] = {0};
        bool given[3] = {false};
        given[axis] = true;
        axes[4 * axis] = -2;
        lv_axes_complete(axes, given);
        const double *a = axes, *b = axes + 3, *c = axes + 6;
        assert_close(axes[4 * axis], -1, 1e-15);
        assert_close(a[0] * (b[1] * c[2] - b[2] * c[1]) +
                         a[1] * (b[2] * c[0] - b[0] * c[2]) +
                         a[2] * (b[0] * c[1] - b[1] * c[0]),
                     1, 1e-15);
    }
}

static void symmetric_matrices_have_axes(void **state)
{
    (void)state;
    const double values[3] = {3, -1, 0.5};
    double axes[9], m[6], found[3], own[9];
    turned(axes, u, 1.3);
    static const int entry[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    for (int k = 0; k < 6; k++) {
        m[k] = 0;
        for (int j = 0; j < 3; j++)
            m[k] += values[j] * axes[3 * j + entry[k][0]] * axes[3 * j + entry[k][1]];
    }
    lv_symmetric_axes(found, own, m);
    assert_close(found[0] + found[1] + found[2], 2.5, 1e-14);
    assert_close(found[0] * found[1] * found[2], -1.5, 1e-13);
    for (int k = 0; k < 6; k++) {
        double again = 0;
        for (int j = 0; j < 3; j++)
            again += found[j] * own[3 * j + entry[k][0]] * own[3 * j + entry[k][1]];
        assert_close(again, m[k], 1e-14);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quaternions_and_axes_belong_together),
        cmocka_unit_test(products_turn_one_after_the_other),
        cmocka_unit_test(axes_are_completed),
        cmocka_unit_test(one_axis_is_reached_on_the_shortest_way),
        cmocka_unit_test(half_a_turn_is_a_rotation),
        cmocka_unit_test(symmetric_matrices_have_axes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
