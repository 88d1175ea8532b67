/* Mechanisms of bodies and joints whose degrees of freedom are known. */
#ifndef LV_TESTS_MECHANISMS_H
#define LV_TESTS_MECHANISMS_H

#define SPACE_BODY(name, position)                                                       \
    "[bodies." name "]\nmass = 1\ninertia = [0.1, 0.12, 0.15]\nposition = " position "\n"
#define PLANE_BODY(name, position)                                                       \
    "[bodies." name "]\nmass = 1\ninertia = 0.1\nposition = " position "\n"
#define HINGE(name, first, second, at, axis)                                             \
    "[joints." name "]\ntype = \"revolute\"\nbetween = [\"" first "\", \"" second        \
    "\"]\nat = " at "\naxis = " axis "\n"
#define PIN(name, first, second, at)                                                     \
    "[joints." name "]\ntype = \"revolute\"\nbetween = [\"" first "\", \"" second        \
    "\"]\nat = " at "\n"

/* A four-bar linkage in the plane: 3 bodies of 3 degrees of freedom, 4 pins of 2 rows. */
#define PLANAR_FOUR_BAR                                                                  \
    PLANE_BODY("crank", "[0, 0.5]")                                                      \
    PLANE_BODY("coupler", "[1, 1.25]")                                                   \
    PLANE_BODY("rocker", "[2, 0.75]")                                                    \
    PIN("a", "ground", "crank", "[0, 0]")                                                \
    PIN("b", "crank", "coupler", "[0, 1]")                                               \
    PIN("c", "coupler", "rocker", "[2, 1.5]")                                            \
    PIN("d", "ground", "rocker", "[2, 0]")

/* The same in space: 3 * 6 - 4 * 5 = -2, but it moves. Axes are along y. */
#define SPATIAL_FOUR_BAR                                                                 \
    SPACE_BODY("crank", "[0, 0, 0.5]")                                                   \
    SPACE_BODY("coupler", "[1, 0, 1.25]")                                                \
    SPACE_BODY("rocker", "[2, 0, 0.75]")                                                 \
    HINGE("a", "ground", "crank", "[0, 0, 0]", "[0, 1, 0]")                              \
    HINGE("b", "crank", "coupler", "[0, 0, 1]", "[0, 1, 0]")                             \
    HINGE("c", "coupler", "rocker", "[2, 0, 1.5]", "[0, 1, 0]")                          \
    HINGE("d", "ground", "rocker", "[2, 0, 0]", "[0, 1, 0]")

/* Bennett's linkage: lengths 1 and sin(75)/sin(50), twists of 50 and 75 degrees, the first joint at 80 degrees.
 * Points and axes are products of the four rotations and shifts, computed elsewhere; the loop closes to
 * 4e-16. */
#define BENNETT                                                                          \
    SPACE_BODY("one", "[0.1, 0.5, 0]")                                                   \
    SPACE_BODY("two", "[-0.1, 0.4, 0.2]")                                                \
    SPACE_BODY("three", "[-0.8, -0.05, 0.2]")                                            \
    HINGE("a", "ground", "one", "[0, 0, 0]", "[0, 0, 1]")                                \
    HINGE("b", "one", "two", "[0.17364817766693041, 0.984807753012208, 0]",              \
          "[0.7544065067354889, -0.13302222155948906, 0.6427876096865394]")              \
    HINGE("c", "two", "three",                                                           \
          "[-0.34139725771283147, -0.10172140401921104, 0.3796294480169363]",            \
          "[-0.3010718019777524, 0.4385729259910871, 0.8467641694364999]")               \
    HINGE("d", "ground", "three", "[-1.2609266145920541, 0, 0]",                         \
          "[0, 0.9659258262890682, 0.2588190451025209]")

/* N four-bars beside each other in the plane, cranks of length 1 that lean by the angle f against the
 * vertical; at f = pi/2 all bars lie in a line. 3 (2 N + 1) - 2 (3 N + 1) = 1. */
#define N_FOUR_BAR                                                                       \
    "[parameters]\nN = 2\nf = 0.3\nw = 0\n"                                              \
    "[bodies.crank]\ncount = \"N+1\"\nmass = 1\ninertia = 0.1\n"                         \
    "position = [\"i-1 + sin(f)/2\", \"cos(f)/2\"]\nangular_velocity = \"-w\"\n"         \
    "velocity = [\"w*cos(f)/2\", \"-w*sin(f)/2\"]\n"                                     \
    "[bodies.rod]\ncount = \"N\"\nmass = 1\ninertia = 0.1\n"                             \
    "position = [\"i - 0.5 + sin(f)\", \"cos(f)\"]\n"                                    \
    "velocity = [\"w*cos(f)\", \"-w*sin(f)\"]\n"                                         \
    "[joints.foot]\nfor = \"i = 1..N+1\"\ntype = \"revolute\"\n"                         \
    "between = [\"ground\", \"crank_i\"]\nat = [\"i-1\", 0]\n"                           \
    "[joints.left]\nfor = \"i = 1..N\"\ntype = \"revolute\"\n"                           \
    "between = [\"crank_i\", \"rod_i\"]\nat = [\"i-1 + sin(f)\", \"cos(f)\"]\n"          \
    "[joints.right]\nfor = \"i = 1..N\"\ntype = \"revolute\"\n"                          \
    "between = [\"rod_i\", \"crank_{i+1}\"]\nat = [\"i + sin(f)\", \"cos(f)\"]\n"

#endif
