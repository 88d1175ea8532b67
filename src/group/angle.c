/* The three functions satisfy
 *   s c2' = c1 - 3 c2,   s c1' = c0 - 2 c1,   c0' = c2 - c1,      ' = (1/t) d/dt,
 * and, since s' = 2, the same with 3 + 2k and 2 + 2k between derivatives of order k and k + 1.
 * Read from right to left these divide by s: closed forms from one sine, which lose digits where s is small.
 * Read from left to right they need no division: c1 and c0 from the power series of c2.
 *
 * Relative errors, measured: series 3e-16 for all orders below the switch; closed forms beyond it 4e-16 for
 * c1 and c2, 7e-16, 5e-15 and 5e-14 for derivatives of order 1, 2, 3 (at s = 1 they would be 1e-10 for order 3,
 * which is why the switch is not there). */
#include "group/angle.h"

#include "base/inline.h"

#include <math.h>

/* Row k: derivative of order k of c2 = sum_j (-1)^j s^j/(2j+3)!, coefficients of 1, s, s^2, ...:
 *   (-1)^j 2^k j!/(j-k)!/(2j+3)!,  j = k, k + 1, ... */
const double lv_angle_series[LV_ANGLE_ORDERS + 1][LV_ANGLE_TERMS] = {
    {0.16666666666666666, -0.008333333333333333, 0.0001984126984126984,
     -2.7557319223985893e-06, 2.505210838544172e-08, -1.6059043836821613e-10,
     7.647163731819816e-13, -2.8114572543455206e-15, 8.22063524662433e-18,
     -1.9572941063391263e-20, 3.868170170630684e-23, -6.446950284384474e-26,
     9.183689863795546e-29, -1.1309962886447716e-31},
    {-0.016666666666666666, 0.0007936507936507937, -1.6534391534391536e-05,
     2.0041686708353376e-07, -1.6059043836821615e-09, 9.17659647818378e-12,
     -3.936040156083729e-14, 1.3153016394598927e-16, -3.523129391410427e-19,
     7.736340341261368e-22, -1.4183290625645841e-24, 2.204085567310931e-27,
     -2.9405903504764064e-30, 3.4051501163498504e-33},
    {0.0015873015873015873, -6.613756613756614e-05, 1.2025012025012026e-06,
     -1.2847235069457292e-08, 9.17659647818378e-11, -4.723248187300475e-13,
     1.8414222952438498e-15, -5.6370070262566834e-18, 1.3925412614270462e-20,
     -2.836658125129168e-23, 4.848988248084048e-26, -7.057416841143375e-29,
     8.853390302509611e-32, -9.673721921448438e-35},
    {-0.00013227513227513228, 4.81000481000481e-06, -7.708341041674375e-08,
     7.341277182547024e-10, -4.723248187300475e-12, 2.2097067542926197e-14,
     -7.891809836759357e-17, 2.228066018283274e-19, -5.105984625232503e-22,
     9.697976496168096e-25, -1.5526317050515426e-27, 2.1248136726023066e-30,
     -2.515167699576594e-33, 2.6013369872802523e-36},
    {9.62000962000962e-06, -3.08333641666975e-07, 4.4047663095282144e-09,
     -3.77859854984038e-11, 2.2097067542926198e-13, -9.470171804111228e-16,
     3.1192924255965837e-18, -8.169575400372005e-21, 1.7456357693102574e-23,
     -3.1052634101030853e-26, 4.6745900797250745e-29, -6.036402478983826e-32,
     6.763476166928656e-35, -6.640049366931575e-38},
};

LV_INLINE double polynomial(const double c[LV_ANGLE_TERMS], double s, int terms)
{
    double y = c[terms - 1];
    for (int i = terms - 2; i >= 0; i--)
        y = y * s + c[i];
    return y;
}

LV_INLINE void from_terms(lv_angle *a, double s, int order, int terms)
{
    double upper = polynomial(lv_angle_series[0], s, terms);
    for (int k = 0; k <= order; k++) {
        a->c2[k] = upper;
        upper = polynomial(lv_angle_series[k + 1], s, terms);
        a->c1[k] = (3 + 2 * k) * a->c2[k] + s * upper;
    }
    a->c0[0] = 1 - s * a->c2[0];
    for (int k = 0; k < order; k++)
        a->c0[k + 1] = a->c2[k] - a->c1[k];
}

/* For small s fewer terms suffice: those left out are below 1e-18 of the first one.
 * Bodies turn little in a step, so this is the usual case. */
static void from_series(lv_angle *a, double s, int order)
{
    if (s < 0.01)
        from_terms(a, s, order, 5);
    else if (s < 0.25)
        from_terms(a, s, order, 7);
    else
        from_terms(a, s, order, LV_ANGLE_TERMS);
}

static void from_sine(lv_angle *a, double s, int order)
{
    const double t = sqrt(s), half = sin(0.5 * t);
    a->c0[0] = sin(t) / t;
    a->c1[0] = 2 * half * half / s;
    a->c2[0] = (1 - a->c0[0]) / s;
    for (int k = 0; k < order; k++) {
        a->c2[k + 1] = (a->c1[k] - (3 + 2 * k) * a->c2[k]) / s;
        a->c1[k + 1] = (a->c0[k] - (2 + 2 * k) * a->c1[k]) / s;
        a->c0[k + 1] = a->c2[k] - a->c1[k];
    }
}

void lv_angle_at(lv_angle *a, double s, int order)
{
    if (s < LV_ANGLE_SWITCH)
        from_series(a, s, order);
    else
        from_sine(a, s, order);
}
