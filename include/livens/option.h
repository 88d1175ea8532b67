/* Options of schemes: what can be chosen besides the scheme itself. One list defines them
 * all. The keys of [run] in model files, the options of `livens run`, the options in
 * result files and the reference pages are derived from it. */
#ifndef LIVENS_OPTION_H
#define LIVENS_OPTION_H

#include "status.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* X(enumerator, key in model files, name on the command line, kind, least, most,
 *   what help calls the value, documentation) */
#define LV_OPTION_LIST(X)                                                                \
    X(STAGES, "stages", "stages", WHOLE, 1, 20, "N",                                     \
      "number of stages, where the scheme leaves a choice")                              \
    X(COMPOSE, "compose", "compose", WHOLE, 0, 8, "4|6|8",                               \
      "compose a symmetric scheme to order 4, 6 or 8 from steps of different sizes")     \
    X(THETA, "theta", "theta", NUMBER, 0, 1, "X",                                        \
      "where in the step forces are taken, for schemes that leave a choice")             \
    X(VARTHETA, "vartheta", "vartheta", NUMBER, 0, 1, "X",                               \
      "how constraint forces are split between the ends of a step")                      \
    X(PROJECTION, "projection", "projection", FLAG, 0, 1, "[=true|false]",               \
      "project momenta onto the hidden constraints after every step, which changes no "  \
      "position")                                                                        \
    X(HALF_KICK, "half_kick", "half-kick", FLAG, 0, 1, "[=true|false]",                  \
      "begin with half a kick, so that positions are of second order")                   \
    X(ALLOW_UNSTABLE, "allow_unstable", "allow-unstable", FLAG, 0, 1, "[=true|false]",   \
      "allow parameters for which the scheme is known to be unstable")                   \
    X(CONTINUITY, "continuity", "continuity", CHOICE, 0, 3, "LR|RL|RR|C",                \
      "which ends of a step q and p are continuous at")                                  \
    X(DEGREE, "degree", "degree", WHOLE, 0, 20, "N", "polynomial degree of q in a step") \
    X(DEGREE_P, "degree_p", "degree-p", WHOLE, 0, 20, "N",                               \
      "polynomial degree of p in a step")                                                \
    X(DEGREE_G, "degree_g", "degree-g", WHOLE, 0, 20, "N",                               \
      "number of polynomial coefficients of the multipliers")                            \
    X(QUADRATURE, "quadrature", "quadrature", CHOICE, 0, 3,                              \
      "gauss|radau|lobatto|rectangle", "rule for the integrals over a step")             \
    X(POINTS, "points", "points", WHOLE, 1, 10000, "N", "number of points of the rule")  \
    X(ROTATIONS, "rotations", "rotations", CHOICE, 0, 3, "directors|exp|cay|exact",      \
      "how bodies turn: by their axes as coordinates, on the group of rotations by the " \
      "exponential or the Cayley map, or freely and exactly between kicks")              \
    X(POSES, "poses", "poses", CHOICE, 0, 1, "separate|coupled",                         \
      "on groups: rotations and positions of bodies each for themselves, or together, "  \
      "on the group of poses; coupled means rotations exp, unless cay is given")         \
    X(MULTIPLIERS, "multipliers", "multipliers", CHOICE, 0, 1, "carried|motion",         \
      "of nonholonomic constraints where a step begins: those that the step before "     \
      "ended with, or those of the motion")

typedef enum lv_option {
#define LV_X(id, name, on_line, kind, least, most, argument, doc) LV_OPTION_##id,
    LV_OPTION_LIST(LV_X)
#undef LV_X
        LV_OPTIONS
} lv_option;

/* {0}: no option is given, so the defaults of the scheme hold. There is a value for every
 * bit of `given`, which leaves room for options of later versions. */
enum { LV_OPTION_ROOM = 32 };
typedef struct lv_scheme_options {
    unsigned given; /* bit k is set if option k is given */
    double value[LV_OPTION_ROOM];
} lv_scheme_options;

/* Sets an option. A call with an option that does not exist does nothing. */
LV_API void lv_scheme_option_set(lv_scheme_options *options, lv_option option,
                                 double value);

/* The value of an option, or `otherwise` if it is not given. options may be NULL: nothing
 * is given. */
LV_API double lv_scheme_option(const lv_scheme_options *options, lv_option option,
                               double otherwise);
LV_API bool lv_scheme_option_given(const lv_scheme_options *options, lv_option option);

typedef enum lv_option_kind {
    LV_OPTION_IS_WHOLE,
    LV_OPTION_IS_NUMBER,
    LV_OPTION_IS_FLAG,  /* 0: false, 1: true */
    LV_OPTION_IS_CHOICE /* number of a word among the choices, from 0 */
} lv_option_kind;

typedef struct lv_option_info {
    const char *name; /* key in model files */
    lv_option_kind kind;
    /* list of words that ends with NULL; NULL for other kinds */
    const char *const *choices;
    const char *const
        *meanings; /* one or two sentences about each word; NULL for other kinds */
    double least, most;
    /* name of the value in help texts; in brackets if the value may be left out */
    const char *argument;
    const char *doc;    /* one line */
    size_t reserved[4]; /* for later versions */
} lv_option_info;

/* The k-th option; false beyond the last. Texts are static. */
LV_API bool lv_option_describe(int k, lv_option_info *info);

/* Convert values from and to text: a decimal number, "true" or "false", or one of the
 * choices. lv_option_parse returns false if the text is none of these or the value is out
 * of range. lv_option_format returns buffer. */
LV_API bool lv_option_parse(lv_option option, const char *text, double *value);
LV_API const char *lv_option_format(lv_option option, double value, char *buffer,
                                    size_t size);

#ifdef __cplusplus
}
#endif
#endif
