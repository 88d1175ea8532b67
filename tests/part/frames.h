/* Vectors, rotations and rigid bodies, written without the library, to compare with. */
#ifndef LV_TESTS_FRAMES_H
#define LV_TESTS_FRAMES_H

#include <math.h>
#include <string.h>

typedef struct vec {
    double x[3];
} vec;

/* Columns are the body axes in space. */
typedef struct frame {
    vec at, e[3];
} frame;

static inline vec vec_of(double x, double y, double z)
{
    return (vec){{x, y, z}};
}

static inline vec plus(vec a, double factor, vec b)
{
    for (int k = 0; k < 3; k++)
        a.x[k] += factor * b.x[k];
    return a;
}

static inline vec times(double factor, vec a)
{
    return plus(vec_of(0, 0, 0), factor, a);
}

static inline double dot(vec a, vec b)
{
    return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}

static inline double length_of(vec a)
{
    return sqrt(dot(a, a));
}

static inline vec unit(vec a)
{
    return times(1 / length_of(a), a);
}

static inline vec cross(vec a, vec b)
{
    return vec_of(a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2],
                  a.x[0] * b.x[1] - a.x[1] * b.x[0]);
}

/* u turned by the rotation vector r: Rodrigues' formula. */
static inline vec turned(vec r, vec u)
{
    const double angle = length_of(r);
    if (angle == 0)
        return u;
    const vec n = times(1 / angle, r), across = cross(n, u);
    return plus(plus(u, sin(angle), across), 1 - cos(angle), cross(n, across));
}

/* The frame at a place, turned by r. */
static inline frame frame_of(vec at, vec r)
{
    return (frame){at,
                   {turned(r, vec_of(1, 0, 0)), turned(r, vec_of(0, 1, 0)),
                    turned(r, vec_of(0, 0, 1))}};
}

/* From body axes to space, and back. */
static inline vec to_space(const frame *f, vec s)
{
    return plus(plus(times(s.x[0], f->e[0]), s.x[1], f->e[1]), s.x[2], f->e[2]);
}

static inline vec to_body(const frame *f, vec v)
{
    return vec_of(dot(f->e[0], v), dot(f->e[1], v), dot(f->e[2], v));
}

static inline vec point_of(const frame *f, vec s)
{
    return plus(f->at, 1, to_space(f, s));
}

/* A frame as the twelve coordinates of a body, and back. */
static inline void frame_write(const frame *f, double *q)
{
    memcpy(q, f->at.x, sizeof f->at.x);
    for (int k = 0; k < 3; k++)
        memcpy(q + 3 + 3 * k, f->e[k].x, sizeof f->e[k].x);
}

static inline frame frame_read(const double *q)
{
    frame f;
    memcpy(f.at.x, q, sizeof f.at.x);
    for (int k = 0; k < 3; k++)
        memcpy(f.e[k].x, q + 3 + 3 * k, sizeof f.e[k].x);
    return f;
}

/* Numbers in (-1, 1), the same on every run. */
static inline double some_number(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1;
}

static inline vec some_vec(unsigned *seed)
{
    vec v;
    for (int k = 0; k < 3; k++)
        v.x[k] = some_number(seed);
    return v;
}

#endif
