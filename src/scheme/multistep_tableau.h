/* Coefficients of symmetric multistep methods (theory 11).
 *
 * With accelerations a_n = q''(t_n) a step of the method of order k = 2 s is
 *
 *   w = b_0 a_n + S_1(n),    u_{n+1} = u_n + h w,    q_{n+1} = q_n + h u_{n+1},
 *   S_i(n+1) = S_{i+1}(n) + b_i a_n - c_i w,         i = 1 .. k - 2,  S_{k-1} = 0.
 *
 * u is the mean velocity of a step, w the mean acceleration, and the sums S hold what
 * past steps contribute to the next ones. Written in positions this is
 *   sum_j alpha_j q_{n+j} = h^2 sum_j beta_j a_{n+j},
 *   rho(z) = (z - 1)^2 prod_i (z^2 + 2 r_i z + 1),
 * with the r_i of a table, beta from the order, b_j = beta_{k-1-j}, and c the
 * coefficients of the product.
 *
 * Everything else that is needed of a smooth motion, such as its velocity at a node, is a
 * linear combination of these numbers or of accelerations, which is exact if the
 * acceleration is a polynomial in time. All coefficients are computed in twofold
 * arithmetic. */
#ifndef LV_SCHEME_MULTISTEP_TABLEAU_H
#define LV_SCHEME_MULTISTEP_TABLEAU_H

enum {
    LV_MULTISTEP_LEAST = 2, /* values of s = order / 2 */
    LV_MULTISTEP_MOST = 4,
    LV_MULTISTEP_ORDER = 2 * LV_MULTISTEP_MOST,
    LV_MULTISTEP_SUMS = LV_MULTISTEP_ORDER - 2,
    LV_MULTISTEP_NODES = LV_MULTISTEP_ORDER + 1
};

typedef struct lv_multistep {
    int order;
    int sums;  /* order - 2, the number of sums S */
    int nodes; /* order + 1, where accelerations are taken before the first step */
    double b0, b[LV_MULTISTEP_SUMS], c[LV_MULTISTEP_SUMS];
    /* The velocity at the end of a step is u + h (velocity[0] a + velocity[i] S_i), with
     * a at its start and the sums at its end. */
    double velocity[LV_MULTISTEP_SUMS + 1];
    /* The acceleration in the step is sum_l L_l(x) (inside[l][0] a + inside[l][i] S_i) at
     * the local time x, 0 to 1, with shifted Legendre polynomials L_l, l = 0 .. order - 2. */
    double inside[LV_MULTISTEP_ORDER - 1][LV_MULTISTEP_SUMS + 1];
    /* Of accelerations a_j at the times -j h, j = 0 .. order: u - v = h sum_j u[j] a_j
     * and S_i = sum_j s[i-1][j] a_j at the time 0; and, at the time -i h, the position
     * minus q - i h v is h^2 sum_j q[i][j] a_j, the velocity minus v is
     * h sum_j v[i][j] a_j. */
    double u[LV_MULTISTEP_NODES], s[LV_MULTISTEP_SUMS][LV_MULTISTEP_NODES];
    double q[LV_MULTISTEP_NODES][LV_MULTISTEP_NODES],
        v[LV_MULTISTEP_NODES][LV_MULTISTEP_NODES];
} lv_multistep;

/* half: s = order / 2, from LV_MULTISTEP_LEAST to LV_MULTISTEP_MOST. */
void lv_multistep_init(lv_multistep *tableau, int half);

#endif
