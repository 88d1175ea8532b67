#include "step/operator.h"

#include <string.h>

#define MATRIX(name)                                                                     \
    {                                                                                    \
        LV_Q_##name, LV_ROWS_ALL, false                                                  \
    }
#define PART(name, part)                                                                 \
    {                                                                                    \
        LV_Q_##name, LV_ROWS_##part, false                                               \
    }
#define TURNED(name)                                                                     \
    {                                                                                    \
        LV_Q_##name, LV_ROWS_ALL, true                                                   \
    }
#define TURNED_PART(name, part)                                                          \
    {                                                                                    \
        LV_Q_##name, LV_ROWS_##part, true                                                \
    }

#define FIRST(m)                                                                         \
    {                                                                                    \
        .matrix = m, .factor = 1                                                         \
    }
#define SECOND(m)                                                                        \
    {                                                                                    \
        .matrix = m, .factor = 1, .second = true                                         \
    }
#define THIRD(m)                                                                         \
    {                                                                                    \
        .matrix = m, .factor = 1, .second = true, .optional = true                       \
    }
#define BY_W(m)                                                                          \
    {                                                                                    \
        .matrix = m, .factor = 1, .second = true, .by_w = true                           \
    }
#define SCALED(m, c)                                                                     \
    {                                                                                    \
        .matrix = m, .factor = (c), .second = true                                       \
    }

/* A derivative by one end of a pair: that by the other end, with both ends exchanged. */
#define EXCHANGED(m, c)                                                                  \
    {                                                                                    \
        .matrix = m, .factor = (c), .second = true, .exchanged = true                    \
    }

#define TURN(text, letters, space, which, linear, what)                                  \
    {                                                                                    \
        .name = (text), .slots = (letters), .result = (space), .factor = 1,              \
        .vector = (linear), .constant = -1, .doc = (what), .turn = (which)               \
    }

const lv_operator lv_operators[] = {
    {"p",
     "qv",
     LV_RESULT_VECTOR,
     MATRIX(MOMENTUM),
     1,
     -1,
     -1,
     {[LV_ARG_Q] = SECOND(MATRIX(MOMENTUM_Q)), [LV_ARG_V] = FIRST(MATRIX(MASS))},
     "momenta: derivative of the Lagrangian by v",
     LV_TURN_NONE},
    {"M",
     "w",
     LV_RESULT_VECTOR,
     MATRIX(MASS),
     1,
     LV_ARG_W,
     -1,
     {[LV_ARG_W] = FIRST(MATRIX(MASS))},
     "the constant mass matrix times a velocity",
     LV_TURN_NONE},
    {"F",
     "qv",
     LV_RESULT_VECTOR,
     MATRIX(FORCE),
     1,
     -1,
     -1,
     {[LV_ARG_Q] = SECOND(MATRIX(FORCE_Q)), [LV_ARG_V] = SECOND(MATRIX(FORCE_V))},
     "forces: derivative of the Lagrangian by q, and f",
     LV_TURN_NONE},
    {"f",
     "qv",
     LV_RESULT_VECTOR,
     MATRIX(APPLIED),
     1,
     -1,
     -1,
     {[LV_ARG_Q] = SECOND(MATRIX(APPLIED_Q)), [LV_ARG_V] = SECOND(MATRIX(APPLIED_V))},
     "forces without a potential",
     LV_TURN_NONE},
    {"g",
     "q",
     LV_RESULT_HOLONOMIC,
     MATRIX(CONSTRAINT),
     1,
     -1,
     -1,
     {[LV_ARG_Q] = FIRST(MATRIX(JACOBIAN))},
     "holonomic constraints",
     LV_TURN_NONE},
    {"rate",
     "qv",
     LV_RESULT_HOLONOMIC,
     MATRIX(JACOBIAN),
     1,
     LV_ARG_V,
     LV_Q_CONSTRAINT_T,
     {[LV_ARG_Q] = SECOND(PART(RATE_Q, HOLONOMIC)), [LV_ARG_V] = FIRST(MATRIX(JACOBIAN))},
     "rate of g, G v + g_t: the hidden constraints",
     LV_TURN_NONE},
    {"Phi",
     "qv",
     LV_RESULT_ROLLING,
     PART(RATE, ROLLING),
     1,
     -1,
     -1,
     {[LV_ARG_Q] = SECOND(PART(RATE_Q, ROLLING)),
      [LV_ARG_V] = FIRST(PART(RATE_V, ROLLING))},
     "nonholonomic constraints",
     LV_TURN_NONE},
    {"GT",
     "qy",
     LV_RESULT_VECTOR,
     TURNED(JACOBIAN),
     1,
     LV_ARG_Y,
     -1,
     {[LV_ARG_Q] = SECOND(MATRIX(CURVATURE)), [LV_ARG_Y] = FIRST(TURNED(JACOBIAN))},
     "G^T y, forces of the constraints; G is g_q",
     LV_TURN_NONE},
    {"RqT",
     "qvy",
     LV_RESULT_VECTOR,
     TURNED_PART(RATE_Q, HOLONOMIC),
     1,
     LV_ARG_Y,
     -1,
     {[LV_ARG_Q] = THIRD(MATRIX(RATE_CURVATURE)),
      [LV_ARG_V] = SECOND(MATRIX(CURVATURE)),
      [LV_ARG_Y] = SECOND(TURNED_PART(RATE_Q, HOLONOMIC))},
     "(derivative of the rate by q)^T y",
     LV_TURN_NONE},
    {"MqT",
     "qvw",
     LV_RESULT_VECTOR,
     TURNED(MOMENTUM_Q),
     1,
     LV_ARG_W,
     -1,
     {[LV_ARG_Q] = THIRD(MATRIX(INERTIA_CURVATURE)),
      [LV_ARG_V] = BY_W(TURNED(MOMENTUM_Q)),
      [LV_ARG_W] = SECOND(TURNED(MOMENTUM_Q))},
     "(derivative of the momenta by q)^T w",
     LV_TURN_NONE},
    {"AT",
     "qvl",
     LV_RESULT_VECTOR,
     TURNED_PART(RATE_V, ROLLING),
     1,
     LV_ARG_L,
     -1,
     {[LV_ARG_Q] = SECOND(MATRIX(CURVATURE)),
      [LV_ARG_V] = SECOND(MATRIX(CURVATURE_V)),
      [LV_ARG_L] = FIRST(TURNED_PART(RATE_V, ROLLING))},
     "A^T l, forces of these; A is Phi_v",
     LV_TURN_NONE},
    {"DV",
     "0q",
     LV_RESULT_VECTOR,
     MATRIX(PAIR_FORCE),
     -1,
     -1,
     -1,
     {[LV_ARG_Q] = SCALED(MATRIX(PAIR_FORCE_Q), -1),
      [LV_ARG_Q0] = EXCHANGED(MATRIX(PAIR_FORCE_Q), -1)},
     "discrete gradient of the potential, q0 to q",
     LV_TURN_NONE},
    {"DgT",
     "0qy",
     LV_RESULT_VECTOR,
     TURNED(PAIR_JACOBIAN),
     1,
     LV_ARG_Y,
     -1,
     {[LV_ARG_Q] = SECOND(MATRIX(PAIR_CURVATURE)),
      [LV_ARG_Q0] = EXCHANGED(MATRIX(PAIR_CURVATURE), 1),
      [LV_ARG_Y] = FIRST(TURNED(PAIR_JACOBIAN))},
     "(discrete gradient of g)^T y",
     LV_TURN_NONE},
    {"D1T",
     "0xqv",
     LV_RESULT_VECTOR,
     MATRIX(PAIR_KINETIC),
     1,
     -1,
     -1,
     {[LV_ARG_Q] = SECOND(MATRIX(PAIR_KINETIC_Q)),
      [LV_ARG_V] = SECOND(MATRIX(PAIR_KINETIC_V))},
     "discrete gradient of the kinetic energy by q",
     LV_TURN_NONE},
    {"D2T",
     "0xqv",
     LV_RESULT_VECTOR,
     MATRIX(PAIR_MOMENTUM),
     0.5,
     -1,
     -1,
     {[LV_ARG_Q] = SCALED(MATRIX(PAIR_MOMENTUM_Q), 0.5),
      [LV_ARG_V] = {.matrix = MATRIX(PAIR_MOMENTUM_V), .factor = 0.5}},
     "discrete gradient of the kinetic energy by v",
     LV_TURN_NONE},
    {"DqRT",
     "0xqvy",
     LV_RESULT_VECTOR,
     TURNED(PAIR_RATE_Q),
     1,
     LV_ARG_Y,
     -1,
     {[LV_ARG_Q] = THIRD(MATRIX(PAIR_RATE_QQ)),
      [LV_ARG_V] = SECOND(MATRIX(PAIR_RATE_QV)),
      [LV_ARG_Q0] = EXCHANGED(MATRIX(PAIR_RATE_QQ), 1),
      [LV_ARG_V0] = EXCHANGED(MATRIX(PAIR_RATE_QV), 1),
      [LV_ARG_Y] = SECOND(TURNED(PAIR_RATE_Q))},
     "(discrete gradient of the rate by q)^T y",
     LV_TURN_NONE},
    {"DwRT",
     "0xqvy",
     LV_RESULT_VECTOR,
     TURNED(PAIR_RATE_V),
     1,
     LV_ARG_Y,
     -1,
     {[LV_ARG_Q] = SECOND(MATRIX(PAIR_RATE_VQ)),
      [LV_ARG_V] = {.vanishes = true},
      [LV_ARG_Q0] = EXCHANGED(MATRIX(PAIR_RATE_VQ), 1),
      [LV_ARG_V0] = {.vanishes = true},
      [LV_ARG_Y] = FIRST(TURNED(PAIR_RATE_V))},
     "(discrete gradient of the rate by v)^T y",
     LV_TURN_NONE},
    TURN("move", "qx", LV_RESULT_POINT, LV_TURN_MOVE, -1,
         "q moved by tau(x); plain: q + x"),
    TURN("drift", "qx", LV_RESULT_POINT, LV_TURN_DRIFT, -1,
         "q after free motion that begins with x, for a time of 1; plain: q + x"),
    TURN("D", "xv", LV_RESULT_TANGENT, LV_TURN_D, LV_ARG_V,
         "derivative of tau at x, times v; plain: v"),
    TURN("DT", "xw", LV_RESULT_VECTOR, LV_TURN_DT, LV_ARG_W, "D(x)^T w; plain: w"),
    TURN("DTm", "xw", LV_RESULT_VECTOR, LV_TURN_DTM, LV_ARG_W, "D(-x)^T w; plain: w"),
    TURN("B", "xvw", LV_RESULT_VECTOR, LV_TURN_B, -1,
         "derivative of w . D(x) v by x; plain: 0"),
    TURN("space", "qw", LV_RESULT_VECTOR, LV_TURN_SPACE, LV_ARG_W,
         "momenta in space axes; plain: w"),
    TURN("body", "qw", LV_RESULT_VECTOR, LV_TURN_BODY, LV_ARG_W,
         "momenta in body axes; plain: w"),
};

const int lv_operator_count = sizeof lv_operators / sizeof *lv_operators;

const lv_operator *lv_operator_find(const char *name, size_t length)
{
    for (int k = 0; k < lv_operator_count; k++)
        if (strlen(lv_operators[k].name) == length &&
            memcmp(lv_operators[k].name, name, length) == 0)
            return &lv_operators[k];
    return NULL;
}

lv_argument lv_argument_of(char letter)
{
    static const char letters[] = "qv0xylw";
    return (lv_argument)(strchr(letters, letter) - letters);
}
