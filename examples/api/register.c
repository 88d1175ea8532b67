/* A scheme of one's own, with options: forces act at q + theta (q1 - q), and velocities are projected if wanted.
 *
 * With theta = 1/2 it is the implicit midpoint rule, of order 2; without projection it is symmetric then and can be composed. */
#include "must.h"

static const char text[] =
    "carried q point, p momentum, v tangent, last_lambda multiplier g\n"
    "unknown V tangent, lambda multiplier g\n"
    "point z at theta = q + theta h V\n"
    "point q1 at 1 = q + h V\n"
    "let K = F(z, V) + GT(z; lambda)\n"
    "eq V: p(z, V) - p - theta h K\n"
    "eq lambda: g(q1)\n"
    "# the velocity of the momentum at the end\n"
    "unknown x tangent\n"
    "when projection: unknown s impulse g\n"
    "when not projection: let p1 = p + h K\n"
    "when projection: let p1 = p + h K + GT(q1; s)\n"
    "when projection: eq s: rate(q1, x)\n"
    "eq x: p(q1, x) - p1\n"
    "assign q <- q1\n"
    "assign p <- p1\n"
    "assign v <- x\n"
    "assign last_lambda <- lambda\n";

/* What is promised depends on the options. */
static void promise(const lv_scheme_options *options, lv_claims *claims)
{
    const bool centred = options->value[LV_OPTION_THETA] == 0.5;
    const bool projects = options->value[LV_OPTION_PROJECTION] != 0;
    claims->order = centred ? 2 : 1;
    claims->symmetric = centred && !projects;
    claims->velocity = projects ? LV_KEPT_EXACT : LV_KEPT_NOT;
}

static void add_scheme(void)
{
    lv_error err;
    const double defaults[LV_OPTION_ROOM] = {[LV_OPTION_THETA] = 0.5};
    const lv_claims claims = {.order = 2, .symmetric = true, .position = LV_KEPT_EXACT};
    const lv_scheme_info info = {
        .name = "theta",
        .summary = "implicit Euler, midpoint and between, with constraints",
        .text = "Forces act at q + theta (q1 - q), constraints hold at the end.",
        .source = "an example",
        .holonomic = true,
        .composable = true,
        .mass = LV_MASS_VARYING,
        .any_lagrangian = true,
        .options =
            1u << LV_OPTION_THETA | 1u << LV_OPTION_PROJECTION | 1u << LV_OPTION_COMPOSE,
        .defaults = defaults,
        .promise = promise};
    must(lv_scheme_register(&info, &claims, text, &err), &err);
}

/* From now on it is a scheme like others: lv_verify holds it to what it promises. */
static void verify(const lv_model *model, const lv_scheme_options *options)
{
    lv_error err;
    lv_certificate *c = NULL;
    lv_verify_request request = lv_verify_request_default(model);
    lv_run_request_change(&request.run, &(lv_run_changes){.scheme = "theta",
                                                          .options = *options,
                                                          .step = 0.005,
                                                          .until = 0.5});
    must(lv_verify(&c, model, &request, &err), &err);
    printf("theta = %g, projection %g: order %.2f, %d kept, %d broken\n",
           lv_scheme_option(&c->options, LV_OPTION_THETA, 0),
           lv_scheme_option(&c->options, LV_OPTION_PROJECTION, 0),
           c->convergence.observed, c->verdicts[LV_FINDING_KEPT],
           c->verdicts[LV_FINDING_BROKEN]);
    lv_certificate_free(c);
}

int main(void)
{
    lv_scheme_options options = {0};
    lv_model *model = shipped("pendulum3d");
    add_scheme();
    verify(model, &options);
    lv_scheme_option_set(&options, LV_OPTION_PROJECTION, 1);
    verify(model, &options);
    lv_scheme_option_set(&options, LV_OPTION_THETA, 1);
    verify(model, &options);
    lv_model_free(model);
    return 0;
}
