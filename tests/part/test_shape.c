/* Mass and inertia of shapes against integrals over slices. */
#include "../model/reading.h"

#include <math.h>

typedef double (*radius_function)(double z, const double *size);

/* A shape of slices across e3, discs or rectangles, from z = low to z = high; numbers as in the model. */
typedef struct shape_case {
    const char *text;
    double size[3];
    double low, high;
    radius_function radius; /* NULL: rectangles of the first two sizes */
} shape_case;

static double of_sphere(double z, const double *s)
{
    return sqrt(fmax(s[0] * s[0] - z * z, 0));
}

static double of_cylinder(double z, const double *s)
{
    (void)z;
    return s[0];
}

static double of_capsule(double z, const double *s)
{
    const double beyond = fmax(fabs(z) - s[1] / 2, 0);
    return sqrt(fmax(s[0] * s[0] - beyond * beyond, 0));
}

static double of_cone(double z, const double *s)
{
    return s[0] * z / s[1];
}

static const shape_case cases[] = {
    {"{ sphere = 0.7 }", {0.7}, -0.7, 0.7, of_sphere},
    {"{ box = [0.3, 0.8, 1.7] }", {0.3, 0.8, 1.7}, -0.85, 0.85, NULL},
    {"{ cylinder = [0.4, 1.3] }", {0.4, 1.3}, -0.65, 0.65, of_cylinder},
    {"{ capsule = [0.4, 1.3] }", {0.4, 1.3}, -1.05, 1.05, of_capsule},
    {"{ cone = [0.4, 1.3] }", {0.4, 1.3}, 0, 1.3, of_cone},
};

/* Integrals of 1, z, z^2, x^2, y^2 over the shape, by the midpoint rule. */
static void integrate(const shape_case *c, double moments[5])
{
    enum { SLICES = 400000 };
    const double dz = (c->high - c->low) / SLICES, pi = acos(-1);
    memset(moments, 0, 5 * sizeof *moments);
    for (int k = 0; k < SLICES; k++) {
        const double z = c->low + (k + 0.5) * dz;
        const double r = c->radius ? c->radius(z, c->size) : 0, a = c->size[0],
                     b = c->size[1];
        const double area = c->radius ? pi * r * r : a * b,
                     xx = c->radius ? pi * pow(r, 4) / 4 : area * a * a / 12,
                     yy = c->radius ? xx : area * b * b / 12;
        moments[0] += area * dz;
        moments[1] += area * z * dz;
        moments[2] += area * z * z * dz;
        moments[3] += xx * dz;
        moments[4] += yy * dz;
    }
}

/* 2 T of the body with the keys given: the mass, or an inertia. */
static double twice_energy(const shape_case *c, const char *motion)
{
    char text[400];
    snprintf(text, sizeof text,
             "[bodies.b]\nshape = %s\ndensity = 3\nposition = [0, 0, 0]\n%s\n", c->text,
             motion);
    inspected i = inspect_text(text);
    const double energy = i.at->kinetic;
    inspected_free(&i);
    return 2 * energy;
}

static void masses_and_inertias_are_those_of_the_shape(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double m[5];
        integrate(&cases[k], m);
        const double about = m[2] - m[1] * m[1] / m[0]; /* z^2 from the centre of mass */
        const double mass = twice_energy(&cases[k], "velocity = [0, 1, 0]");
        const double J1 = twice_energy(&cases[k], "angular_velocity = [1, 0, 0]"),
                     J2 = twice_energy(&cases[k], "angular_velocity = [0, 1, 0]"),
                     J3 = twice_energy(&cases[k], "angular_velocity = [0, 0, 1]");
        assert_close(mass / (3 * m[0]), 1, 1e-9);
        assert_close(J1 / (3 * (m[4] + about)), 1, 1e-9);
        assert_close(J2 / (3 * (m[3] + about)), 1, 1e-9);
        assert_close(J3 / (3 * (m[3] + m[4])), 1, 1e-9);
    }
}

/* A shape beside mass and inertia is for pictures. */
static void a_shape_without_density_weighs_nothing(void **state)
{
    (void)state;
    inspected i = inspect_text("[bodies.b]\nshape = { sphere = 2 }\nmass = 5\ninertia = "
                               "[1, 2, 2.5]\nposition = [0, 0, 0]\nangular_velocity = "
                               "[1, 1, 2]\nvelocity = [0, 2, 0]\n");
    assert_close(i.at->kinetic, (5 * 4 + 1 + 2 + 4 * 2.5) / 2, 1e-15);
    inspected_free(&i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(masses_and_inertias_are_those_of_the_shape),
        RUN(a_shape_without_density_weighs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
